//! The command line as it is typed: names, choices and help texts.
//!
//! Nothing is decided here and nothing is opened; `plan` does that. Choices come from the
//! library's tables, so that a grammar or a format that is added there can be asked for here.

use std::ffi::OsStr;
use std::num::{IntErrorKind, NonZeroUsize, ParseIntError};
use std::path::PathBuf;
use std::slice;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser, Subcommand, ValueEnum};
use linktrawl::Error;
use linktrawl::finding::{Cue, LINTS, Lint, REPAIRS, lint};
use linktrawl::grammar::{self, GRAMMARS, Grammar};
use linktrawl::report::groups::{self, GROUPINGS, Grouping};
use linktrawl::report::{self, REPORTS, Report};
use linktrawl::run::InputKind;
use linktrawl::source::FORMATS;

use crate::check::CheckFlags;
use crate::compare::CompareFlags;
use crate::config::keys::alike;
use crate::config::{ConfigFlags, WhichFlags};
use crate::docs::Asked;
use crate::explain::ExplainFlags;
use crate::fix::FixFlags;
use crate::grammars::GrammarFlags;
use crate::help::HelpFlags;
use crate::parse::ParseFlags;
use crate::plan;
use crate::report::ReportFlags;
use crate::resolve::ResolveFlags;

const EXIT_CODES: &str = "\
Exit codes:
  0  all is well
  1  at least one link is malformed, or dead for check; --fail-on says what counts
  2  the work could not be done in full: a bad option, an input that could not be read,
     or nothing to read at all; with --fail-if-empty, no link, too";

const EXAMPLES: &str = "\
Examples:
  linktrawl scan ~/Mail                      every link of every spool under ~/Mail
  linktrawl scan docs/ README.md             what is malformed, with file and line
  linktrawl scan spool --format ndjson       one JSON object a line, for programs
  linktrawl check docs/                      which links answer, asked politely
  zcat news.gz | linktrawl scan -            from standard input
  linktrawl parse 'http://h/%zz'             why is this no URI?
  linktrawl resolve --base http://h/a/b ../c  a partial form to a whole URI
  linktrawl compare http://h http://h:80/    are these the same?
  linktrawl explain pct-encoded              what a name in a report means
  linktrawl fix docs/                        a diff of what can be mended";

const SCAN_EXAMPLES: &str = "\
Examples:
  linktrawl scan ~/Mail/inbox
      Every URI of a mailbox, one line each: path, line, column, ok or error.

  linktrawl scan . --include '^https?://' --exclude '//localhost' --unique
      Each different web link once, where it stands first, but none to this machine.

  linktrawl scan spool --format text --format ndjson=run.ndjson
      Lines on the screen, and records in a file that appears when it is whole.

  linktrawl scan old.txt --grammar rfc3986-uri,rfc3987-iri
      What each of two grammars says; one error line for each that finds a fault.

  linktrawl scan docs --quiet --show error --exit-zero
      Malformed links only, and never exit code 1.

  zcat news.gz | linktrawl scan - --as mail
      Standard input, read as a mailbox whatever it looks like.

  git ls-files -z | linktrawl scan --files-from - -0
      Just the files that a checkout tracks.";

/// Finds every URI in mail spools, news spools, archives and documentation, and holds each
/// one to its grammar.
///
/// Only `check` touches the network. The report goes to standard output; progress, warnings and
/// the closing count go to standard error.
#[derive(Parser)]
#[command(name = "linktrawl", version, arg_required_else_help = true)]
#[command(disable_help_subcommand = true)]
#[command(after_help = EXIT_CODES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Flags {
    /// Print a text made from the tables: man pages, completions, blocks of the guide.
    #[arg(long, hide = true, value_name = "WHAT", value_parser = Asked::parse)]
    pub(crate) generate: Option<Asked>,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

impl Flags {
    /// What is to be read, by commands that find links.
    pub(crate) fn scan(&self) -> Option<&ScanFlags> {
        match &self.command {
            Some(Command::Scan(scan)) => Some(scan),
            Some(Command::Check(check)) => Some(&check.scan),
            _ => None,
        }
    }
}

#[derive(Subcommand)]
#[expect(clippy::large_enum_variant, reason = "there is one of it")]
pub(crate) enum Command {
    Scan(ScanFlags),
    Check(CheckFlags),
    Parse(ParseFlags),
    Resolve(ResolveFlags),
    Compare(CompareFlags),
    Explain(ExplainFlags),
    Fix(FixFlags),
    Grammar(GrammarFlags),
    Report(ReportFlags),
    Config(ConfigFlags),
    Help(HelpFlags),
}

/// Find URIs and hold each one to its grammar, without touching the network.
#[derive(Args)]
#[command(after_help = EXIT_CODES, after_long_help = format!("{SCAN_EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct ScanFlags {
    /// Files and directories to read; `-` is standard input.
    ///
    /// Directories are walked. What a walk leaves out is counted in the report.
    #[arg(required_unless_present = "lists", value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[arg(long = "allow", value_name = "LINT", value_delimiter = ',')]
    #[arg(value_parser = allow_parser(), hide_possible_values = true)]
    #[arg(help = ALLOW_HELP, long_help = allow_long_help())]
    pub(crate) allowed: Vec<Allowed>,

    #[arg(long = "as", value_name = "KIND", value_parser = kind_parser())]
    #[arg(default_value = default_kind(), hide_possible_values = true)]
    #[arg(help = KIND_HELP, long_help = kind_long_help())]
    pub(crate) kind: InputKind,

    /// Skip the trouble that this file lists, so that what is new alone fails.
    ///
    /// Its entries are a path from the file's directory, a URI and a reason: they stay when
    /// lines move. What is listed, was looked for and is well or gone is told with a note,
    /// `baseline-fixed`; whether a link answers is looked for only where it is asked.
    #[arg(long, value_name = "FILE", conflicts_with = "unique")]
    pub(crate) baseline: Option<PathBuf>,

    /// When to colour the text report.
    ///
    /// `auto` colours when standard output is a terminal. NO_COLOR and CLICOLOR=0 turn that off,
    /// CLICOLOR_FORCE turns it on, and both yield to `always` and `never`.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) color: Color,

    /// Report no URI that matches this regular expression; repeatable.
    ///
    /// Wins over --include. The pattern is that of the crate `regex`; it may match anywhere.
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true, value_parser = parse_pattern)]
    pub(crate) exclude: Vec<String>,

    #[command(flatten)]
    pub(crate) fail: FailFlags,

    /// Read the inputs that this file names, one a line; repeatable, `-` is standard input.
    ///
    /// They are read behind each PATH, and like one. A name is all of a line but its end; empty
    /// lines name nothing. The list may be of any length.
    #[arg(long = "files-from", value_name = "FILE")]
    pub(crate) lists: Vec<PathBuf>,

    /// Where to look: a comma-separated list [default: all but www].
    ///
    /// `url` is <URL:…>, `angle` is <…>, `bare` stands in text
    /// without brackets, `www` begins with www. and has no scheme, `header` stands in a header
    /// field of a message, `markup` is a link of a document's markup, relative ones too.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = cue_parser())]
    #[arg(default_values = default_cues(), hide_default_value = true)]
    pub(crate) find: Vec<Cue>,

    #[command(flatten)]
    pub(crate) replace: ReplaceFlags,

    #[arg(long = "format", value_name = "NAME[=FILE]", default_value = default_format())]
    #[arg(value_parser = FormatParser, hide_possible_values = true)]
    #[arg(help = FORMAT_HELP, long_help = format_long_help())]
    pub(crate) formats: Vec<Format>,

    #[arg(long = "grammar", value_name = "NAME", value_delimiter = ',')]
    #[arg(value_parser = grammar_parser(), default_value = default_grammar())]
    #[arg(hide_possible_values = true, help = GRAMMAR_HELP, long_help = grammar_long_help())]
    pub(crate) grammars: Vec<&'static dyn Grammar>,

    #[arg(long, value_name = "WHAT", value_parser = group_parser())]
    #[arg(hide_possible_values = true, help = GROUP_HELP, long_help = group_long_help())]
    pub(crate) group_by: Option<&'static Grouping>,

    /// Read files and directories whose name begins with a dot, too.
    #[arg(long)]
    pub(crate) hidden: bool,

    /// When to make the paths of the text report hyperlinks.
    ///
    /// `auto` makes them when standard output is a terminal that is known to open them (OSC 8).
    /// They lead to the file, not to the line, on the machine that printed them.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) hyperlinks: Hyperlinks,

    /// Report only URIs that match this regular expression; repeatable, any may match.
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true, value_parser = parse_pattern)]
    pub(crate) include: Vec<String>,

    /// Read what .gitignore files of a git checkout and .linktrawlignore files name, too.
    #[arg(long)]
    pub(crate) no_ignore: bool,

    #[arg(long, value_name = "R", value_delimiter = ',', value_parser = repair_parser())]
    #[arg(ignore_case = true)]
    #[arg(hide_possible_values = true, help = NO_REPAIR_HELP, long_help = no_repair_long_help())]
    pub(crate) no_repair: Vec<String>,

    /// Names of --files-from end with a NUL byte, as `find -print0` writes them.
    #[arg(long, short = '0', requires = "lists")]
    pub(crate) null: bool,

    /// Print no progress and no closing count; only what kept input from being read.
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Which findings reports have: these, and worse ones.
    ///
    /// The closing count, the exit code and the baseline know all of them.
    #[arg(long, value_enum, value_name = "VERDICT", default_value_t)]
    pub(crate) show: Show,

    /// Report only links on lines that have changed since this revision of git.
    ///
    /// What counts is how files stand on the disk now, and the repository around the working
    /// directory. What git does not track has changed, and so has a file that was moved. To see
    /// what a branch did, give the place where it began: --since "$(git merge-base main HEAD)".
    #[arg(long, value_name = "REV", conflicts_with = "update_baseline")]
    pub(crate) since: Option<String>,

    /// Where the closing count goes.
    ///
    /// `stdout` puts it where a pager ends, behind the text report and an empty line: a number a
    /// line, with what makes warnings and errors. There --quiet leaves it. Where standard output
    /// has no text report, it goes to standard error.
    #[arg(long, value_enum, value_name = "WHERE", default_value_t)]
    pub(crate) summary: To,

    /// Worker threads [default: one for each processor].
    ///
    /// No more than 1024 are taken: each needs memory of its own.
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Report each different URI once, where it stands first.
    ///
    /// URIs that are equal by the rules `rfc3987` of `linktrawl compare` are one; what is no
    /// URI is compared as it stands. Relative ones are told apart by their directory, and those
    /// that are a query or a fragment alone by their document.
    #[arg(long)]
    pub(crate) unique: bool,

    /// Write the baseline anew: with all trouble there is, and without what is fixed.
    ///
    /// Trouble is an error, and with --fail-on warn a warning, too. Nothing of it fails. What the
    /// run does not look at stays listed: other inputs, URIs that --include and --exclude leave
    /// out, links that are not asked. Where the work cannot be done in full, the file stays as it
    /// is.
    #[arg(long, requires = "baseline", conflicts_with = "unique")]
    pub(crate) update_baseline: bool,

    /// Say which file options are taken from.
    #[arg(long, short)]
    pub(crate) verbose: bool,

    /// Run again whenever what is read changes, until SIGINT.
    ///
    /// Watched are each PATH and what a walk reads below it, the lists of --files-from, the
    /// baseline and the file that options are taken from, which is read anew. What the run writes
    /// itself does not count. `check` keeps answers from run to run: in the file of --state, or in
    /// one of its own that goes when it ends.
    #[arg(long)]
    pub(crate) watch: bool,

    #[command(flatten)]
    pub(crate) which: WhichFlags,
}

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

/// What makes the exit code of a run.
#[derive(Args)]
pub(crate) struct FailFlags {
    /// Exit with 0 where findings would give 1: the same as --fail-on never.
    ///
    /// Work that could not be done in full still gives 2.
    #[arg(long, overrides_with = "fail_on")]
    pub(crate) exit_zero: bool,

    /// Exit with 2 when no link was found at all.
    ///
    /// A job that checks nothing has a wrong path or a wrong pattern far more often than nothing
    /// to check: its work was not done, which is another thing than a link that is bad. Links that
    /// --since leaves out were found.
    #[arg(long)]
    pub(crate) fail_if_empty: bool,

    /// Exit with 1 when there is a finding with this verdict, or a worse one.
    #[arg(long, value_enum, value_name = "VERDICT", default_value_t)]
    #[arg(overrides_with = "exit_zero")]
    pub(crate) fail_on: FailOn,
}

/// `--show`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Show {
    /// Every link
    #[default]
    All,
    /// Warnings and errors
    Warn,
    /// Errors
    Error,
}

/// `--summary`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum To {
    /// One line on standard error
    #[default]
    Stderr,
    /// Lines behind the text report
    Stdout,
    /// Nowhere
    None,
}

/// `--fail-on`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Warnings and errors
    Warn,
    /// Errors
    #[default]
    Error,
    /// Nothing
    Never,
}

/// `parse --format` and `compare --format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ParseFormat {
    /// Lines for people
    #[default]
    Text,
    /// One JSON object a line
    Ndjson,
}

/// Which files reports may take the place of.
#[derive(Args)]
pub(crate) struct ReplaceFlags {
    /// Let a report replace a file that is no report of this program.
    ///
    /// Without it, the FILE of --format is new, empty, or begins as our reports do; any other
    /// file is left as it is and the run does not begin. It holds for files that are typed or
    /// named in the file of --config, and not for those in a file of options that was found.
    #[arg(long)]
    pub(crate) force: bool,
}

/// `--format NAME[=FILE]`.
#[derive(Clone)]
pub(crate) struct Format {
    /// The format called NAME.
    pub(crate) report: &'static dyn Report,
    /// Where it goes; none for standard output, which `-` is, too.
    pub(crate) file: Option<PathBuf>,
}

/// `--allow`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Allowed {
    /// Every lint.
    All,
    /// One of them.
    One(&'static Lint),
}

impl Allowed {
    /// The lints that `given` names.
    pub(crate) fn lints(given: &[Self]) -> Vec<&'static Lint> {
        if given.contains(&Self::All) {
            return LINTS.to_vec();
        }
        let named = given.iter().filter_map(|allowed| match allowed {
            Self::One(lint) => Some(*lint),
            Self::All => None,
        });
        named.collect()
    }
}

pub(crate) const ALLOW_HELP: &str = "Lints not to warn of: a comma-separated list, or `all`";

pub(crate) fn allow_long_help() -> String {
    let lints = LINTS.iter().map(|lint| (lint.id, lint.about));
    format!(
        "{ALLOW_HELP}.\n\nA warning is no error and leaves the exit code as it is. Lints:\n{}",
        list(lints)
    )
}

/// The value of `--allow` that means every lint.
const ALL_LINTS: &str = "all";

pub(crate) fn allow_parser() -> impl TypedValueParser<Value = Allowed> {
    let choices = LINTS.iter().map(|lint| PossibleValue::new(lint.id).help(lint.about));
    let all = PossibleValue::new(ALL_LINTS).help("every lint");
    PossibleValuesParser::new(choices.chain([all])).try_map(|name| match name.as_str() {
        ALL_LINTS => Ok(Allowed::All),
        name => lint::find(name).map(Allowed::One).ok_or("no lint has this name"),
    })
}

/// `text`, where it is a regular expression: whoever wrote it into a file is told of its line.
fn parse_pattern(text: &str) -> Result<String, Error> {
    let text = text.to_owned();
    plan::patterns(slice::from_ref(&text)).map(|_| text)
}

const KIND_HELP: &str = "Read inputs as this, instead of finding out";

fn kind_long_help() -> String {
    let kinds = FORMATS.iter().map(|format| (format.name, format.about));
    format!("{KIND_HELP}.\n\nKinds:\n{}", list(kinds))
}

fn default_kind() -> &'static str {
    FORMATS.first().map_or("auto", |format| format.name)
}

fn kind_parser() -> impl TypedValueParser<Value = InputKind> {
    let choice =
        |format: &linktrawl::source::Format| PossibleValue::new(format.name).help(format.about);
    PossibleValuesParser::new(FORMATS.iter().map(choice)).try_map(|name| {
        let found = FORMATS.iter().find(|format| format.name == name);
        found.map(|format| format.kind).ok_or("no kind has this name")
    })
}

pub(crate) const FORMAT_HELP: &str =
    "Report in this format, on standard output or into FILE; repeatable";

pub(crate) fn format_long_help() -> String {
    let formats = REPORTS.iter().map(|report| (report.name(), report.about()));
    format!(
        "{FORMAT_HELP}.\n\nFILE is written aside and takes its name when it is whole; it replaces \
         nothing but reports of this program, see --force. \
         Formats:\n{}",
        list(formats)
    )
}

pub(crate) fn default_format() -> &'static str {
    REPORTS.first().map_or("text", |report| report.name())
}

pub(crate) const GRAMMAR_HELP: &str = "Grammars to hold each URI to: a comma-separated list";

pub(crate) fn grammar_long_help() -> String {
    let grammars = GRAMMARS.iter().map(|grammar| (grammar.name(), grammar.about()));
    format!(
        "{GRAMMAR_HELP}.\n\nWith several, a URI is well only when all take it. Grammars:\n{}",
        list(grammars)
    )
}

pub(crate) fn default_grammar() -> &'static str {
    GRAMMARS.first().map_or("current", |grammar| grammar.name())
}

pub(crate) const GROUP_HELP: &str =
    "One line or row for all links that have this in common: uri, host, file or class";

pub(crate) fn group_long_help() -> String {
    let groupings = GROUPINGS.iter().map(|grouping| (grouping.name, grouping.about));
    format!(
        "{GROUP_HELP}.\n\nA line has the place of the first of the worst, how many there are by \
         verdict, and the days of the first and the last message. Groups with the most errors come \
         first. So it is in the formats text, without colours, and markdown, as far as a comment \
         has room. Other formats have no groups: beside these they tell of each link, and alone \
         they are refused. Groups:\n{}",
        list(groupings)
    )
}

pub(crate) fn group_parser() -> impl TypedValueParser<Value = &'static Grouping> {
    let choice = |grouping: &Grouping| PossibleValue::new(grouping.name).help(grouping.about);
    PossibleValuesParser::new(GROUPINGS.iter().map(choice))
        .try_map(|name| groups::find(&name).ok_or("no grouping has this name"))
}

pub(crate) const NO_REPAIR_HELP: &str =
    "Read documents of 1993 and 1994 without these repairs: R1 to R11, or all";

pub(crate) fn no_repair_long_help() -> String {
    let repairs = REPAIRS.iter().map(|repair| (repair.id, repair.about));
    format!(
        "{NO_REPAIR_HELP}.\n\nTheir printed rules refuse their own examples; each repair is asked \
         for by a document's prose. `all` holds URIs to the grammars called NAME/literal. \
         Repairs:\n{}",
        list(repairs)
    )
}

pub(crate) fn repair_parser() -> PossibleValuesParser {
    let names = REPAIRS.iter().map(|repair| repair.id).chain([ALL_REPAIRS]);
    PossibleValuesParser::new(names)
}

/// The word for all of them.
pub(crate) const ALL_REPAIRS: &str = "all";

/// One line a row: name, blanks up to the widest name, words.
pub(crate) fn list<'r>(rows: impl Iterator<Item = (&'r str, &'r str)> + Clone) -> String {
    let width = rows.clone().map(|(name, _)| name.len()).max().unwrap_or_default();
    let lines: Vec<_> = rows.map(|(name, about)| format!("  {name:width$}  {about}")).collect();
    lines.join("\n")
}

pub(crate) fn grammar_parser() -> impl TypedValueParser<Value = &'static dyn Grammar> {
    let choice = |grammar: &&'static dyn Grammar| {
        PossibleValue::new(grammar.name()).aliases(grammar.aliases()).help(grammar.about())
    };
    PossibleValuesParser::new(GRAMMARS.iter().map(choice))
        .try_map(|name| grammar::find(&name).ok_or("no grammar has this name"))
}

fn cue_parser() -> impl TypedValueParser<Value = Cue> {
    PossibleValuesParser::new(Cue::ALL.map(Cue::name)).try_map(|name| {
        Cue::ALL.into_iter().find(|cue| cue.name() == name).ok_or("no cue has this name")
    })
}

/// What begins with `www.` and has no scheme is too often no link to be looked for unasked.
fn default_cues() -> impl Iterator<Item = &'static str> {
    Cue::ALL.into_iter().filter(|&cue| cue != Cue::Www).map(Cue::name)
}

/// Worker threads that are started: more than any machine has processors for, and with eight
/// megabytes for each as much memory as most have.
const THREADS_MAX: usize = 1024;

fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads: usize = text.parse().map_err(|error: ParseIntError| error.to_string())?;
    if threads > THREADS_MAX {
        return Err(format!("expected at most {THREADS_MAX} threads"));
    }
    // With other programs it stands for as many as there are processors.
    NonZeroUsize::new(threads).ok_or_else(|| {
        format!("expected 1 to {THREADS_MAX} threads; without --threads there is one a processor")
    })
}

/// Reads a number that zero cannot be.
pub(crate) fn parse_positive<Number: FromStr<Err = ParseIntError>>(
    text: &str,
) -> Result<Number, String> {
    text.parse().map_err(|error: ParseIntError| match error.kind() {
        IntErrorKind::Zero => "expected 1 or more: with none nothing would be asked".to_owned(),
        _ => error.to_string(),
    })
}

/// Takes `NAME` or `NAME=FILE`; completions and messages offer the names.
#[derive(Clone)]
pub(crate) struct FormatParser;

impl TypedValueParser for FormatParser {
    type Value = Format;

    fn parse_ref(
        &self,
        cmd: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Format, clap::Error> {
        let (name, file) = split_at_equals(value);
        match report::find(&name) {
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

/// The text before the first `=`, and the path behind it, which may be any bytes on Unix.
fn split_at_equals(value: &OsStr) -> (String, Option<PathBuf>) {
    let bytes = value.as_encoded_bytes();
    let name_len = bytes.iter().position(|&byte| byte == b'=').unwrap_or(bytes.len());
    let name = String::from_utf8_lossy(bytes.get(..name_len).unwrap_or_default()).into_owned();
    #[cfg(unix)]
    let file = {
        use std::os::unix::ffi::OsStrExt as _;
        bytes.get(name_len + 1..).map(|file| PathBuf::from(OsStr::from_bytes(file)))
    };
    #[cfg(not(unix))]
    let file = value.to_string_lossy().split_once('=').map(|(_, file)| PathBuf::from(file));
    (name, file)
}

fn no_such_format(cmd: &clap::Command, arg: Option<&clap::Arg>, name: String) -> clap::Error {
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
    use clap::{CommandFactory as _, Parser as _};
    use linktrawl::grammar::GRAMMARS;
    use linktrawl::source::FORMATS;

    use super::{Command, Cue, Flags, ScanFlags};

    #[track_caller]
    fn scan(options: &[&str]) -> ScanFlags {
        let line = ["linktrawl", "scan"].iter().chain(options);
        match Flags::try_parse_from(line).map(|flags| flags.command) {
            Ok(Some(Command::Scan(scan))) => scan,
            Ok(_) => panic!("{options:?} is no scan"),
            Err(error) => panic!("{error}"),
        }
    }

    #[track_caller]
    fn refused(options: &[&str], wanted: &str) {
        let line = ["linktrawl", "scan"].iter().chain(options);
        let error = Flags::try_parse_from(line).err().expect("a refusal");
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains(wanted), "{error}");
    }

    #[test]
    fn a_format_that_is_mistyped_is_told_what_was_meant() {
        refused(&["--format", "sarf=x", "a"], "similar value exists: 'sarif'");
        refused(&["--format", "txt", "a"], "similar value exists: 'text'");
    }

    #[test]
    fn the_definition_is_sound() {
        Flags::command().debug_assert();
    }

    #[test]
    fn defaults_are_all_cues_but_www_text_and_the_first_grammar() {
        let flags = scan(&["a"]);
        assert_eq!(flags.find, [Cue::Url, Cue::Angle, Cue::Bare, Cue::Markup, Cue::Header]);
        let formats: Vec<_> = flags.formats.iter().map(|format| format.report.name()).collect();
        assert_eq!(formats, ["text"]);
        assert!(flags.formats.iter().all(|format| format.file.is_none()));
        let grammars: Vec<_> = flags.grammars.iter().map(|grammar| grammar.name()).collect();
        assert_eq!(grammars, [GRAMMARS[0].name()]);
    }

    /// The long help of `scan`'s option called `id`.
    fn long_help(id: &str) -> String {
        let command = Flags::command();
        let scan = command.find_subcommand("scan").expect("scan");
        let option = scan.get_arguments().find(|option| option.get_id() == id).expect("it");
        option.get_long_help().expect("a help text").to_string()
    }

    #[test]
    fn every_format_of_the_table_can_be_asked_for_and_is_explained() {
        assert_eq!(scan(&["a"]).kind, FORMATS[0].kind);
        let help = long_help("kind");
        for format in FORMATS {
            assert_eq!(scan(&["a", "--as", format.name]).kind, format.kind);
            assert!(help.contains(format.name) && help.contains(format.about), "{help}");
        }
    }

    #[test]
    fn every_cue_but_www_is_looked_for_and_explained() {
        let cues = Cue::ALL.into_iter().filter(|cue| *cue != Cue::Www);
        assert_eq!(scan(&["a"]).find, cues.collect::<Vec<_>>());
        let help = long_help("find");
        for cue in Cue::ALL {
            assert_eq!(scan(&["a", "--find", cue.name()]).find, [cue]);
            assert!(help.contains(&format!("`{}` ", cue.name())), "{help}");
        }
    }

    #[test]
    fn lists_of_inputs_need_no_path_beside_them() {
        let flags = scan(&["--files-from", "a", "-0", "--files-from=-"]);
        assert_eq!((flags.paths.len(), flags.null), (0, true));
        assert_eq!(flags.lists, ["a", "-"].map(std::path::PathBuf::from));
    }

    #[test]
    fn lists_are_split_at_commas_and_options_repeat() {
        let flags = scan(&["a", "--find", "www,url", "--find=bare", "--include=a", "--include=-b"]);
        assert_eq!(flags.find, [Cue::Www, Cue::Url, Cue::Bare]);
        assert_eq!(flags.include, ["a", "-b"]);
    }

    #[test]
    fn a_format_may_have_a_file_whose_name_has_any_bytes() {
        let flags = scan(&["a", "--format", "text=-", "--format=ndjson=o=1.ndjson"]);
        let files: Vec<_> = flags.formats.iter().map(|format| format.file.as_deref()).collect();
        assert_eq!(files, [None, Some("o=1.ndjson".as_ref())]);
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt as _;
            let value = std::ffi::OsStr::from_bytes(b"ndjson=\xff");
            let (name, file) = super::split_at_equals(value);
            assert_eq!(name, "ndjson");
            assert_eq!(file.unwrap().as_os_str().as_bytes(), b"\xff");
        }
    }

    #[test]
    fn unknown_names_are_refused_with_the_names_there_are() {
        refused(&["a", "--format", "texd"], "text, ndjson");
        refused(&["a", "--grammar", "rfc0"], GRAMMARS[0].name());
        refused(&["a", "--find", "everything"], "markup");
        refused(&["a", "--as", "pdf"], "auto");
        refused(&["a", "--threads", "0"], "expected 1 to 1024 threads; without --threads there is");
        refused(&["a", "--threads", "1025"], "expected at most 1024 threads");
        refused(&[], "PATH");
        refused(&["a", "-0"], "--files-from");
        refused(&["a", "--update-baseline"], "--baseline <FILE>");
        refused(&["a", "--update-baseline", "--unique"], "--unique");
    }
}
