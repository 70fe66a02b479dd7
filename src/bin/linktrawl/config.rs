//! Reads options from a file: `linktrawl.toml`, or tables in the files of Cargo and of Python.
//!
//! A file is equivalent to a command line. Its options are inserted before those that the user
//! types, which take precedence: a typed option replaces all values of that option in the file. So
//! files and command lines share one definition of every option.

mod hosts;
pub(crate) mod import;
pub(crate) mod keys;
pub(crate) mod paths;
mod patterns;
pub(crate) mod read;
mod reading;
pub(crate) mod schema;
pub(crate) mod setting;
pub(crate) mod source;
pub(crate) mod toml_text;
pub(crate) mod trust;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::ptr;
use std::slice;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory as _, Parser as _};
use linktrawl::internal::report::groups;
use linktrawl::internal::run::RequestOptions;

use crate::args::Flags;
use crate::args::config::WhichFlags;
use crate::args::formats::Format;
use crate::args::scan::UNUSED_BY_SPLITS;
use crate::environment;
use crate::stderr;
pub(crate) use import::of_lychee;
use keys::Keys;
use paths::PathTable;
pub(crate) use read::Config;
use setting::Setting;
use source::{Source, Trust};

/// Finds the file that `which` selects, for inputs that begin with `first`.
///
/// # Errors
/// When it cannot be read, or a named file does not exist.
pub(crate) fn source_of(
    which: &WhichFlags,
    first: Option<&Path>,
) -> anyhow::Result<Option<Source>> {
    if let Some(path) = &which.config {
        return Source::named(path).map(Some);
    }
    if which.no_config {
        return Ok(None);
    }
    let first = first.filter(|path| path.as_os_str() != "-");
    let found = source::search(first.unwrap_or(Path::new(".")), environment::home().as_deref())?;
    for (path, why) in &found.foreign {
        stderr::say(&format!("warning: {}", why.text(path)));
    }
    Ok(found.source)
}

/// The reason why options could not be read.
pub(crate) enum Refusal {
    /// Clap's message: about the typed arguments, or the requested help.
    Typed(Box<clap::Error>),
    /// The faults of a file.
    File(anyhow::Error),
}

impl Refusal {
    /// Converts it to an error for callers whose arguments were not typed.
    pub(crate) fn into_error(self) -> anyhow::Error {
        match self {
            Self::Typed(error) => {
                let words = error.render().to_string();
                anyhow::anyhow!("{}", words.trim_start_matches("error: ").trim_end())
            }
            Self::File(error) => error,
        }
    }
}

impl From<clap::Error> for Refusal {
    fn from(error: clap::Error) -> Self {
        Self::Typed(Box::new(error))
    }
}

/// The commands whose options a file can set. `fix` passes the choice of the file on to one of
/// them.
const FOR_FILES: [&str; 2] = ["check", "scan"];

/// Parses `typed`, together with the options of a file if the command accepts one.
///
/// # Errors
/// When the arguments or the file are invalid.
pub(crate) fn parse(typed: &[OsString]) -> Result<(Flags, Option<Config>), Refusal> {
    let matches = matches_of(typed)?;
    let Some((name, matches)) = matches.subcommand() else {
        return Ok((Flags::try_parse_from(typed)?, None));
    };
    let mut command = Flags::command();
    command.build();
    let options = command.find_subcommand(name).filter(|_| FOR_FILES.contains(&name));
    let Some(options) = options else { return Ok((Flags::try_parse_from(typed)?, None)) };
    let Some(config) = config_for(matches).map_err(Refusal::File)? else {
        return Ok((Flags::try_parse_from(typed)?, None));
    };
    let is_typed = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    // Typed formats without groups override the groups of the file.
    let has_groups = !is_typed("formats") || has_groups(matches);
    // Such settings are for whole scans, which the same file serves.
    let is_of_split = is_typed("split");
    let has_no_use = |id: &str| is_of_split && UNUSED_BY_SPLITS.contains(&id);
    let is_wanted = |setting: &Setting| {
        let mut known = options.get_arguments();
        let arg = known.find(|arg| arg.get_long() == Some(setting.name.as_str()));
        let id = arg.map(|arg| arg.get_id().as_str());
        let is_free = !is_written(typed, &setting.name);
        id.is_some_and(|id| {
            is_free && !is_typed(id) && !has_no_use(id) && (has_groups || id != "group_by")
        })
    };
    // After the command's name, which is the first typed argument that equals it.
    let end = typed.iter().position(|argument| *argument == *name).map_or(0, |at| at + 1);
    let (before, after) = typed.split_at(end);
    let read = |table: Option<&PathTable>, left_out: &[&Setting]| {
        let from_file = config.arguments(table, |it| is_wanted(it) && !is_one_of(left_out, it));
        let all = before.iter().cloned().chain(from_file).chain(after.iter().cloned());
        Flags::try_parse_from(all)
    };
    let together = |table: Option<&PathTable>| {
        read(table, &[]).map_err(|error| {
            // Clap's message is about arguments, some of which come from the file.
            stderr::say(&config.origin());
            let at_fault = config.at_fault(table, &error, |left_out| read(table, left_out));
            at_fault.map_or_else(|| error.into(), Refusal::File)
        })
    };
    let flags = together(None)?;
    let others = config.paths.iter().map(|table| Ok(table.other(together(Some(table))?)));
    let others = others.collect::<Result<_, Refusal>>()?;
    let taken =
        config.settings.iter().filter(|it| is_wanted(it)).map(|it| it.name.clone()).collect();
    Ok((flags, Some(Config { others, taken, ..config })))
}

/// Reports whether `typed` contains the option `--long`, even if a later option overrides it, which
/// clap does not report.
fn is_written(typed: &[OsString], long: &str) -> bool {
    // Arguments after `--` are paths.
    let arguments = typed.iter().take_while(|argument| *argument != "--");
    let mut options = arguments.filter_map(|argument| argument.to_str()?.strip_prefix("--"));
    options.any(|option| option.split('=').next() == Some(long))
}

/// Reports whether one of the formats in `matches` has groups.
fn has_groups(matches: &ArgMatches) -> bool {
    let mut formats = matches.get_many::<Format>("formats").into_iter().flatten();
    formats.any(|format| groups::formats().any(|name| name == format.report.name()))
}

pub(crate) fn is_one_of(settings: &[&Setting], setting: &Setting) -> bool {
    settings.iter().any(|one| ptr::eq(*one, setting))
}

/// Returns the message of `error`, without the usage of the command.
pub(crate) fn words_of(error: &clap::Error) -> String {
    let words = error.to_string();
    words.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

/// Describes the options that are missing beside another one, by their names in files; `None` if
/// `error` is another one.
fn needed_by(error: &clap::Error) -> Option<String> {
    if error.kind() != ErrorKind::MissingRequiredArgument {
        return None;
    }
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let names = missing.iter().filter_map(|usage| usage.strip_prefix("--"));
    let names: Vec<_> = names.filter_map(|usage| usage.split([' ', '=', '[']).next()).collect();
    (!names.is_empty()).then(|| format!("expected {} beside it, found none", names.join(" and ")))
}

/// Parses `typed` by itself. Missing arguments may be in the file.
fn matches_of(typed: &[OsString]) -> Result<ArgMatches, clap::Error> {
    match Flags::command().try_get_matches_from(typed) {
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
            Flags::command().ignore_errors(true).try_get_matches_from(typed)
        }
        matches => matches,
    }
}

/// Reads the file that `matches` name, or the one found at the first of their inputs.
fn config_for(matches: &ArgMatches) -> anyhow::Result<Option<Config>> {
    let which = WhichFlags {
        config: matches.get_one("config").cloned(),
        no_config: matches.get_flag("no_config"),
    };
    let mut paths = matches.get_many::<PathBuf>("paths").into_iter().flatten();
    let Some(source) = source_of(&which, paths.next().map(PathBuf::as_path))? else {
        return Ok(None);
    };
    Ok(Some(read::read(source, &Keys::new())?))
}

impl Config {
    /// Returns the arguments of the file for the settings that are wanted: for all inputs, or for
    /// those of `table`.
    pub(crate) fn arguments(
        &self,
        table: Option<&PathTable>,
        is_wanted: impl Fn(&Setting) -> bool,
    ) -> Vec<OsString> {
        let own = table.map_or(&[][..], |table| &table.settings);
        let is_own = |setting: &&Setting| own.iter().any(|one| one.name == setting.name);
        let common = self.settings.iter().filter(|setting| !is_own(setting));
        let all = common.chain(own).filter(|setting| is_wanted(setting));
        all.flat_map(Setting::arguments).collect()
    }

    /// Adds the file's settings for single hosts to `requests`.
    ///
    /// # Errors
    /// When a value to be sent cannot be read, or cannot be sent.
    pub(crate) fn add_hosts_to(&self, requests: &mut RequestOptions) -> anyhow::Result<()> {
        hosts::add_to(requests, &self.hosts)
    }

    /// Returns the message of `error` with the line and the name of the setting concerned: the
    /// first one without which the error does not occur. If several settings cause the same error,
    /// it is the last of them. Returns `None` if the error is about typed arguments alone.
    pub(crate) fn at_fault<R>(
        &self,
        table: Option<&PathTable>,
        error: &clap::Error,
        without: impl Fn(&[&Setting]) -> Result<R, clap::Error>,
    ) -> Option<anyhow::Error> {
        let words = words_of(error);
        let own = table.map_or(&[][..], |table| &table.settings);
        let all: Vec<&Setting> = self.settings.iter().chain(own).collect();
        let is_cause = |left_out: &[&Setting]| {
            without(left_out).map_or_else(|other| words_of(&other) != words, |_| true)
        };
        let alone = all.iter().find(|setting| is_cause(slice::from_ref(*setting)));
        let last_of_several = || {
            let count = (1..=all.len()).find(|&count| all.get(..count).is_some_and(is_cause))?;
            all.get(count - 1)
        };
        let Setting { name, line, .. } = alone.or_else(last_of_several)?;
        let words = needed_by(error).unwrap_or(words);
        Some(anyhow::anyhow!("{}:{line}: {name}: {words}", self.source.path.display()))
    }

    /// Describes for people where the options come from.
    pub(crate) fn origin(&self) -> String {
        let how = match self.source.trust {
            Trust::Named => "named with --config",
            Trust::Found => "found beside or above the input",
        };
        format!("options are taken from {:?}, {how}", self.source.path)
    }

    /// Returns the directory of the file, if the option `name` is taken from it and the file was
    /// found, not named.
    pub(crate) fn found_for(&self, name: &str) -> Option<&Path> {
        let is_taken = self.taken.iter().any(|taken| taken == name);
        (is_taken && self.source.trust == Trust::Found).then(|| self.source.directory())
    }

    /// Returns its text, which is part of a run's identity.
    pub(crate) fn text(&self) -> &str {
        &self.source.text
    }
}
