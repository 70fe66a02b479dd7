//! Where a configuration comes from: the file that somebody named, or the one that is found
//! beside the inputs or above them.
//!
//! A file that is found may be a stranger's, who wrote the directory. It is only looked for as
//! far up as the owner of the inputs has the directories, and what it may say is the business
//! of `trust`.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

/// Bytes of a file of options. The longest that anybody writes by hand have some hundred lines.
const LEN_MAX: u64 = 1024 * 1024;

/// The names of files, in the order in which they are looked for in a directory, and the tables
/// that hold options in each.
const FILES: [(&str, Tables); 4] = [
    ("linktrawl.toml", &[&[]]),
    (".linktrawl.toml", &[&[]]),
    ("Cargo.toml", &[&["package", "metadata", NAME], &["workspace", "metadata", NAME]]),
    ("pyproject.toml", &[&["tool", NAME]]),
];

/// What our tables in the files of others are called.
const NAME: &str = "linktrawl";

/// Paths of tables, of which the first that is there counts.
type Tables = &'static [&'static [&'static str]];

/// The user root, who may do anything anyway.
const ROOT: u32 = 0;

/// Who vouches for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// The user named it.
    Named,
    /// It lay there.
    Found,
}

/// A file of options. Not for `Debug`: what is sent to a host may stand there.
pub(crate) struct Source {
    /// Its path, short where it can be.
    pub(crate) path: PathBuf,
    /// Its text.
    pub(crate) text: String,
    /// Who vouches for it.
    pub(crate) trust: Trust,
}

/// What a search came to.
#[derive(Default)]
pub(crate) struct Search {
    /// The file.
    pub(crate) source: Option<Source>,
    /// What was passed by, since it is of another owner than the inputs, or no file but a link
    /// that may lead to anything.
    pub(crate) foreign: Vec<PathBuf>,
}

impl Source {
    /// The file at `path`, which somebody named.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn named(path: &Path) -> anyhow::Result<Self> {
        Ok(Self { path: path.to_owned(), text: text_of(path)?, trust: Trust::Named })
    }

    /// The directory that paths in it start from.
    pub(crate) fn directory(&self) -> &Path {
        match self.path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        }
    }

    /// The table of `document` that holds the options, where it is there.
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

/// Looks for a file of options beside `input` and above it, up to the root of its repository or
/// to `home`.
///
/// # Errors
/// When a file is there and cannot be read.
pub(crate) fn search(input: &Path, home: Option<&Path>) -> anyhow::Result<Search> {
    let mut found = Search::default();
    // An input that is not there is told of where it is read.
    let Ok(input) = fs::canonicalize(input) else { return Ok(found) };
    let Ok(metadata) = fs::metadata(&input) else { return Ok(found) };
    let home = home.and_then(|home| fs::canonicalize(home).ok());
    let above = if metadata.is_dir() { 0 } else { 1 };
    for directory in input.ancestors().skip(above) {
        for (name, _) in FILES {
            let path = directory.join(name);
            let Ok(file) = fs::symlink_metadata(&path) else { continue };
            let path = short(&path);
            if !file.is_file() || ![metadata.uid(), ROOT].contains(&file.uid()) {
                found.foreign.push(path);
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
    /// True for a file of ours, and for one of others that has a table of ours.
    ///
    /// A file of others that cannot be read as TOML is theirs to mend: without our name in it,
    /// it is none of our business.
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

/// How the names of our own files end.
const OURS: &[u8] = b"linktrawl.toml";

/// The text of the file at `path`.
///
/// # Errors
/// When it cannot be read, or is longer than any such file.
pub(super) fn text_of(path: &Path) -> anyhow::Result<String> {
    let at = |error| anyhow::anyhow!("cannot read {path:?}: {error}");
    let mut text = String::new();
    let file = File::open(path).map_err(at)?;
    file.take(LEN_MAX + 1).read_to_string(&mut text).map_err(at)?;
    let is_whole = u64::try_from(text.len()).is_ok_and(|len| len <= LEN_MAX);
    anyhow::ensure!(is_whole, "expected at most {LEN_MAX} bytes in {path:?}, found more");
    Ok(text)
}

/// `path` from the working directory, where it leads down from there.
fn short(path: &Path) -> PathBuf {
    let here = fs::canonicalize(".").ok();
    let below = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    below.unwrap_or_else(|| path.to_owned())
}

/// What TOML calls the type of `value`, with an article.
pub(crate) fn type_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a broken number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
