//! Defines the options for the formats, outputs and styles of reports.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args, Command, ValueEnum};
use linktrawl::internal::platform::path_of;
use linktrawl::internal::report::groups::{self, GROUPINGS, Grouping};
use linktrawl::internal::report::{self, REPORTS, Report};

use super::alike::alike;
use super::values::list;

/// `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// When standard output is a terminal
    #[default]
    Auto,
    /// Always, in files too
    Always,
    /// Never
    Never,
}

/// `--hyperlinks`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Hyperlinks {
    /// When standard output is a terminal that opens them
    #[default]
    Auto,
    /// Always, in files too
    Always,
    /// Never
    Never,
}

/// The files that reports may replace.
#[derive(Args)]
pub(crate) struct ReplaceFlags {
    /// Let a report replace a file that is not a report of linktrawl.
    ///
    /// Without it, the FILE of --format must be new, empty, or begin as our reports do; otherwise
    /// the run does not start, and the file is not changed. Applies to files named on the command
    /// line or in the file of --config, not to those in a configuration file that was found.
    #[arg(long)]
    #[arg(hide_short_help = true)]
    pub(crate) force: bool,
}

/// The value of `--format NAME[=FILE]`.
#[derive(Clone)]
pub(crate) struct Format {
    /// The format called NAME.
    pub(crate) report: &'static dyn Report,
    /// The output file; `None` for standard output, which `-` selects, too.
    pub(crate) file: Option<PathBuf>,
}

pub(super) const FORMAT_HELP: &str =
    "Report in this format, on standard output or into FILE; repeatable";

pub(super) fn format_long_help() -> String {
    let formats = REPORTS.iter().map(|report| (report.name(), report.about()));
    format!(
        "{FORMAT_HELP}.\n\nFILE is written aside and takes its name when it is whole; it replaces \
         nothing but reports of this program, see --force. \
         Formats:\n{}",
        list(formats)
    )
}

pub(super) fn default_format() -> &'static str {
    REPORTS.first().map_or("text", |report| report.name())
}

pub(super) const GROUP_HELP: &str =
    "One line or row for all links that have this in common: uri, host, file or class";

pub(super) fn group_long_help() -> String {
    let groupings = GROUPINGS.iter().map(|grouping| (grouping.name, grouping.about));
    format!(
        "{GROUP_HELP}.\n\nA line has the place of the first among the worst links, their number by \
         verdict, and the days of the first and the last message. Groups with the most errors come \
         first. The formats text, without colours, and markdown, as far as a comment has room, \
         have groups. Other formats list each link; without text or markdown, they are refused. \
         Groups:\n{}",
        list(groupings)
    )
}

pub(super) fn group_parser() -> impl TypedValueParser<Value = &'static Grouping> {
    let choice = |grouping: &Grouping| PossibleValue::new(grouping.name).help(grouping.about);
    PossibleValuesParser::new(GROUPINGS.iter().map(choice))
        .try_map(|name| groups::find(&name).ok_or("no grouping has this name"))
}

/// A parser of `NAME` or `NAME=FILE`; completions and messages offer the names.
#[derive(Clone)]
pub(super) struct FormatParser;

impl TypedValueParser for FormatParser {
    type Value = Format;

    fn parse_ref(
        &self,
        cmd: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Format, clap::Error> {
        let (name, file) = split_at_equals(value);
        let is_nameless = file.as_ref().is_some_and(|file| file.as_os_str().is_empty());
        match report::find(&name) {
            Some(_) if is_nameless => Err(no_file(cmd, arg, value, &name)),
            Some(report) => {
                Ok(Format { report, file: file.filter(|file| file.as_os_str() != "-") })
            }
            None => Err(no_such_format(cmd, arg, name)),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let choice =
            |report: &&'static dyn Report| PossibleValue::new(report.name()).help(report.about());
        Some(Box::new(REPORTS.iter().map(choice)))
    }
}

/// Splits `value` at the first `=` into a text and a path, which may be any bytes.
fn split_at_equals(value: &OsStr) -> (String, Option<PathBuf>) {
    let bytes = value.as_encoded_bytes();
    let name_len = bytes.iter().position(|&byte| byte == b'=').unwrap_or(bytes.len());
    let name = String::from_utf8_lossy(bytes.get(..name_len).unwrap_or_default()).into_owned();
    let file = bytes.get(name_len + 1..).map(|file| path_of(file).into_owned());
    (name, file)
}

/// Returns the error about `NAME=` without a file.
fn no_file(cmd: &Command, arg: Option<&Arg>, value: &OsStr, name: &str) -> clap::Error {
    let words = format!(
        "expected a file after {name}=, found none; --format {name} prints on standard output"
    );
    // Only a parser of clap's can give its error a reason.
    let refuse = move |_| Err::<(), _>(words.clone());
    match OsStringValueParser::new().try_map(refuse).parse_ref(cmd, arg, value) {
        Err(error) => error,
        Ok(()) => clap::Error::new(ErrorKind::ValueValidation).with_cmd(cmd),
    }
}

fn no_such_format(cmd: &Command, arg: Option<&Arg>, name: String) -> clap::Error {
    let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(cmd);
    let names = REPORTS.iter().map(|report| report.name().to_owned()).collect();
    if let Some(arg) = arg {
        error.insert(ContextKind::InvalidArg, ContextValue::String(arg.to_string()));
    }
    if let Some(meant) = alike(&name, REPORTS.iter().map(|report| report.name())) {
        error.insert(ContextKind::SuggestedValue, ContextValue::String(meant.to_owned()));
    }
    error.insert(ContextKind::InvalidValue, ContextValue::String(name));
    error.insert(ContextKind::ValidValue, ContextValue::Strings(names));
    error
}

#[cfg(test)]
mod tests {
    use linktrawl::internal::platform::{OsBytes as _, os_of};

    #[cfg(unix)]
    #[test]
    fn the_name_of_a_file_has_any_bytes() {
        let value = os_of(b"ndjson=\xff");
        let (name, file) = super::split_at_equals(&value);
        assert_eq!(name, "ndjson");
        assert_eq!(file.unwrap().as_os_str().as_bytes(), b"\xff");
    }
}
