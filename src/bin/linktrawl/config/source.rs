//! Finds the configuration: the file that the user named, or one in the inputs' directory or above.
//!
//! A file that is found may be written by a stranger, who owns the directory. The search ends where
//! directories have another owner than the inputs, and `trust` decides which options are accepted
//! from such a file.

use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use linktrawl::internal::platform::canonicalize;
use toml::de::{DeTable, DeValue};

use crate::platform::{DISTRUSTED, KNOWS_OWNERS, is_trusted};

/// Bytes of a configuration file. The longest hand-written ones have some hundred lines.
const LEN_MAX: u64 = 1024 * 1024;

/// The names of files, in the order of the search in a directory, and the tables that hold options
/// in each.
const FILES: [(&str, Tables); 4] = [
    ("linktrawl.toml", &[&[]]),
    (".linktrawl.toml", &[&[]]),
    ("Cargo.toml", &[&["package", "metadata", NAME], &["workspace", "metadata", NAME]]),
    ("pyproject.toml", &[&["tool", NAME]]),
];

/// The name of this program's tables in the files of other programs.
const NAME: &str = "linktrawl";

/// Paths of tables, of which the first existing one counts.
type Tables = &'static [&'static [&'static str]];

/// How far a file is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// The user named it.
    Named,
    /// It was found by the search.
    Found,
}

/// A configuration file. Not `Debug`: it may contain header fields for hosts.
pub(crate) struct Source {
    /// Its path, relative to the working directory if possible.
    pub(crate) path: PathBuf,
    /// Its text.
    pub(crate) text: String,
    /// How far it is trusted.
    pub(crate) trust: Trust,
}

/// The result of a search.
#[derive(Default)]
pub(crate) struct Search {
    /// The file.
    pub(crate) source: Option<Source>,
    /// Files that were skipped, each with the reason.
    pub(crate) foreign: Vec<(PathBuf, Foreign)>,
}

/// The reason why no options are taken from a file that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foreign {
    /// It is a directory.
    Directory,
    /// It is a device, a pipe or a socket.
    Special,
    /// It is a symbolic link, which may lead anywhere.
    Link,
    /// It belongs to another owner than the inputs.
    Distrusted,
}

impl Foreign {
    /// Returns the reason for a `file`, unless there is none.
    fn of(file: &Metadata, is_trusted: bool) -> Option<Self> {
        match is_trusted {
            _ if file.is_symlink() => Some(Self::Link),
            _ if file.is_dir() => Some(Self::Directory),
            _ if !file.is_file() => Some(Self::Special),
            true => None,
            false => Some(Self::Distrusted),
        }
    }

    /// Returns the warning about the file at `path`.
    pub(crate) fn text(self, path: &Path) -> String {
        let what = match self {
            Self::Directory => "expected a file, found a directory",
            Self::Special => "expected a file, found a device, a pipe or a socket",
            Self::Link => "is a symbolic link",
            Self::Distrusted => DISTRUSTED,
        };
        match self {
            Self::Directory | Self::Special => format!("{path:?}: {what}: it holds no options"),
            Self::Link | Self::Distrusted => format!(
                "{path:?} {what}: no options are taken from it, unless it is named with --config"
            ),
        }
    }
}

impl Source {
    /// Reads the file at `path`, which the user named.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn named(path: &Path) -> anyhow::Result<Self> {
        let text = text_of(path).map_err(|error| {
            if path.exists() {
                error
            } else {
                anyhow::anyhow!("{error}; omit --config to search for linktrawl.toml")
            }
        })?;
        Ok(Self { path: path.to_owned(), text, trust: Trust::Named })
    }

    /// Reads the file at `path` as a run would that finds it, or that it is given to with --config
    /// if no run finds a file of its name.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn itself(path: &Path) -> anyhow::Result<Self> {
        let is_sought = FILES.iter().any(|(name, _)| path.file_name() == Some(name.as_ref()));
        let trust = if is_sought { Trust::Found } else { Trust::Named };
        Ok(Self { trust, ..Self::named(path)? })
    }

    /// Returns the directory that paths in it are relative to.
    pub(crate) fn directory(&self) -> &Path {
        match self.path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        }
    }

    /// Returns the table of `document` that holds the options, if there is one.
    pub(crate) fn table<'d, 'i>(&self, document: &'d DeTable<'i>) -> Option<&'d DeTable<'i>> {
        let name = self.path.file_name().unwrap_or_default();
        let known = FILES.iter().find(|(file, _)| name == *file);
        let tables: Tables = known.map_or(&[&[]], |(_, tables)| tables);
        tables.iter().find_map(|path| {
            path.iter().try_fold(document, |table, part| {
                table.get(*part).and_then(|value| value.get_ref().as_table())
            })
        })
    }
}

/// Looks for a configuration file in the directory of `input` and above, up to the root of its
/// repository or to `home`.
///
/// # Errors
/// When a file exists and cannot be read.
pub(crate) fn search(input: &Path, home: Option<&Path>) -> anyhow::Result<Search> {
    let mut found = Search::default();
    // A missing input is reported when it is read.
    let Ok(input) = canonicalize(input) else { return Ok(found) };
    let Ok(metadata) = fs::metadata(&input) else { return Ok(found) };
    let home = home.and_then(|home| canonicalize(home).ok());
    let above = if metadata.is_dir() { 0 } else { 1 };
    for directory in input.ancestors().skip(above) {
        for (name, _) in FILES {
            let path = directory.join(name);
            let Ok(file) = fs::symlink_metadata(&path) else { continue };
            let is_trusted = is_trusted(&path, &file, &metadata, home.as_deref());
            let path = short(&path);
            if let Some(why) = Foreign::of(&file, is_trusted) {
                if KNOWS_OWNERS || may_hold_options(&path) {
                    found.foreign.push((path, why));
                }
                continue;
            }
            let source = Source { text: text_of(&path)?, path, trust: Trust::Found };
            if source.holds_options() {
                found.source = Some(source);
                return Ok(found);
            }
        }
        let is_last = home.as_deref() == Some(directory) || directory.join(".git").exists();
        if is_last {
            break;
        }
    }
    Ok(found)
}

impl Source {
    /// Reports whether it is this program's own file, or another program's file with a table for
    /// this program.
    ///
    /// Another program's file that is no valid TOML is ignored, unless it contains this program's
    /// name.
    fn holds_options(&self) -> bool {
        let is_ours = |table: Option<&DeTable<'_>>| table.is_some();
        let is_named_for_us =
            self.path.file_name().is_some_and(|name| name.as_encoded_bytes().ends_with(OURS));
        is_named_for_us
            || (self.text.contains(NAME)
                && DeTable::parse(&self.text)
                    .map_or(true, |document| is_ours(self.table(document.get_ref()))))
    }
}

/// Reports whether the file at `path` holds options, or cannot be read.
fn may_hold_options(path: &Path) -> bool {
    let source =
        text_of(path).map(|text| Source { path: path.to_owned(), text, trust: Trust::Found });
    source.map_or(true, |source| source.holds_options())
}

/// The end of the names of this program's own files.
const OURS: &[u8] = b"linktrawl.toml";

/// Returns the text of the file at `path`.
///
/// # Errors
/// When it cannot be read, or is longer than `LEN_MAX`.
pub(super) fn text_of(path: &Path) -> anyhow::Result<String> {
    let at = |error: &dyn fmt::Display| anyhow::anyhow!("cannot read {path:?}: {error}");
    let mut text = Vec::new();
    let file = File::open(path).map_err(|error| at(&error))?;
    file.take(LEN_MAX + 1).read_to_end(&mut text).map_err(|error| at(&error))?;
    let is_whole = u64::try_from(text.len()).is_ok_and(|len| len <= LEN_MAX);
    anyhow::ensure!(is_whole, "expected at most {LEN_MAX} bytes in {path:?}, found more");
    String::from_utf8(text).map_err(|error| {
        let (valid, rest) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let byte = rest.first().copied().unwrap_or_default();
        at(&format!("expected text in UTF-8, found the byte {byte:#04x} on line {line}"))
    })
}

/// Returns `path` relative to the working directory, if it is below that.
fn short(path: &Path) -> PathBuf {
    let here = canonicalize(Path::new(".")).ok();
    let below = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    below.unwrap_or_else(|| path.to_owned())
}

/// Returns TOML's name for the type of `value`, with an article.
pub(crate) fn type_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
