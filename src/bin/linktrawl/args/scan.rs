//! Defines the options of `linktrawl scan`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use linktrawl::internal::finding::Cue;
use linktrawl::internal::grammar::Grammar;
use linktrawl::internal::report::groups::Grouping;
use linktrawl::internal::run::{InputKind, THREADS_MAX};
use linktrawl::internal::source::FORMATS;

use super::EXIT_CODES;
use super::config::WhichFlags;
use super::failing::FailFlags;
use super::formats::{
    Color, FORMAT_HELP, Format, FormatParser, GROUP_HELP, Hyperlinks, ReplaceFlags, default_format,
    format_long_help, group_long_help, group_parser,
};
use super::pattern::parse_pattern;
use super::syntax::{
    ALLOW_HELP, Allowed, GRAMMAR_HELP, NO_REPAIR_HELP, allow_long_help, allow_parser,
    default_grammar, grammar_long_help, grammar_parser, no_repair_long_help, repair_parser,
};
use super::values::list;

const EXAMPLES: &str = "\
Examples:
  linktrawl scan ~/Mail/inbox
      Every URI of a mailbox, one line each: path, line, column, ok or error.

  linktrawl scan . --include '^https?://' --exclude '//localhost' --unique
      Each different web link once, at its first occurrence, but none to this
      machine.

  linktrawl scan spool --format text --format ndjson=run.ndjson
      Lines on the screen, and records in a file that appears when it is whole.

  linktrawl scan old.txt --grammar rfc3986-uri,rfc3987-iri
      What each of two grammars says; one error line for each fault.

  linktrawl scan docs --quiet --show error --exit-zero
      Malformed links only, and never exit code 1.

  zcat news.gz | linktrawl scan - --as mail
      Standard input, read as a mailbox whatever it looks like.

  git ls-files -z | linktrawl scan --files-from - -0
      Just the files that a checkout tracks.";

/// Options, by their identifiers, with no effect on a scan of one part: `plan` has chosen the
/// inputs, and findings do not change the exit code.
pub(crate) const UNUSED_BY_SPLITS: [&str; 5] =
    ["hidden", "no_ignore", "exit_zero", "fail_if_empty", "fail_on"];

/// Find URIs and check each one against its grammar, without touching the network.
#[derive(Args)]
#[command(after_help = EXIT_CODES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct ScanFlags {
    /// Files and directories to read; `-` is standard input.
    ///
    /// Directories are walked. The report counts the files that a walk skips.
    #[arg(required_unless_present_any = ["lists", "split"], value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[arg(long = "allow", value_name = "LINT", value_delimiter = ',')]
    #[arg(value_parser = allow_parser(), hide_possible_values = true)]
    #[arg(help = ALLOW_HELP, long_help = allow_long_help())]
    #[arg(hide_short_help = true)]
    pub(crate) allowed: Vec<Allowed>,

    #[arg(long = "as", value_name = "KIND", value_parser = kind_parser())]
    #[arg(default_value = default_kind(), hide_possible_values = true)]
    #[arg(help = KIND_HELP, long_help = kind_long_help())]
    pub(crate) kind: InputKind,

    /// Skip the problems that this file lists, so that only new ones fail.
    ///
    /// Its entries are a path from the file's directory, a URI and a reason: they stay when
    /// lines move. A note, `baseline-fixed`, reports each entry that the run checked and that is
    /// fixed or gone; whether a link answers is checked only by runs that request it.
    #[arg(long, value_name = "FILE", conflicts_with = "unique")]
    pub(crate) baseline: Option<PathBuf>,

    /// When to colour the text report.
    ///
    /// `auto` colours when standard output is a terminal. NO_COLOR and CLICOLOR=0 turn that off,
    /// CLICOLOR_FORCE turns it on, and both yield to `always` and `never`.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) color: Color,

    /// Print a digest of the findings, which does not depend on their order.
    ///
    /// A line on standard error: `digest:` and the sum, modulo 2^256, of the SHA-256 of each line
    /// that --format ndjson has for a finding. Two runs with equal digests reported the same
    /// findings, each as often; of runs over parts of the inputs, the digests add up.
    #[arg(long, conflicts_with = "unique")]
    #[arg(hide_short_help = true)]
    pub(crate) digest: bool,

    /// Report no URI that matches this regular expression; repeatable.
    ///
    /// Wins over --include. The pattern is that of the crate `regex`; it may match anywhere.
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true, value_parser = parse_pattern)]
    pub(crate) exclude: Vec<String>,

    #[command(flatten)]
    pub(crate) fail: FailFlags,

    /// Read the inputs that this file names, one a line; repeatable, `-` is standard input.
    ///
    /// They are read after each PATH, and like one. A name is a whole line without its end;
    /// empty lines are skipped. The list may be of any length.
    #[arg(long = "files-from", value_name = "FILE")]
    pub(crate) lists: Vec<PathBuf>,

    /// Where to look: a comma-separated list [default: all but www].
    ///
    /// `url` is <URL:…>, `angle` is <…>, `bare` is in text
    /// without brackets, `www` begins with www. and has no scheme, `header` is in a header
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
    #[arg(hide_short_help = true)]
    pub(crate) group_by: Option<&'static Grouping>,

    /// Read files and directories whose name begins with a dot, too.
    #[arg(long)]
    pub(crate) hidden: bool,

    /// When to make the paths of the text report hyperlinks.
    ///
    /// `auto` makes them when standard output is a terminal that is known to open them (OSC 8).
    /// They lead to the file, not to the line, on the machine that printed them.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    #[arg(hide_short_help = true)]
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
    #[arg(hide_short_help = true)]
    pub(crate) no_repair: Vec<String>,

    /// Report links that a mail gateway wrapped as they are: as links to the gateway.
    ///
    /// Otherwise the link inside a link of Safe Links, URL Defense and others is reported, judged
    /// and requested in its place; no gateway is ever contacted. Tokens of gateways that identify
    /// a reader are hidden either way. `linktrawl help mail` lists the gateways.
    #[arg(long)]
    #[arg(hide_short_help = true)]
    pub(crate) no_unwrap: bool,

    /// Names of --files-from end with a NUL byte, as `find -print0` writes them.
    #[arg(long, short = '0', requires = "lists")]
    #[arg(hide_short_help = true)]
    pub(crate) null: bool,

    /// Print no progress and no closing count, only errors and warnings about inputs.
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Include findings with this verdict and worse ones in reports.
    ///
    /// The closing count, the exit code and the baseline include all findings.
    #[arg(long, value_enum, value_name = "VERDICT", default_value_t)]
    pub(crate) show: Show,

    /// Report only links on lines that have changed since this revision of git.
    ///
    /// Files on the disk are compared with the revision, in the repository around the working
    /// directory. Untracked files and files that were moved count as changed. For the changes of
    /// a branch, give the commit where it began: --since "$(git merge-base main HEAD)".
    #[arg(long, value_name = "REV", conflicts_with = "update_baseline")]
    pub(crate) since: Option<String>,

    /// Read the part of the inputs that this file describes; `-` is standard input.
    ///
    /// The descriptor is a line of `linktrawl plan`. Findings do not change the exit code: 0 is a
    /// complete report, 3 one without unreadable inputs, 75 asks for another attempt, and 70 is a
    /// defect of the program. The last line on standard error is a record with the number of
    /// findings and their digest. `linktrawl help splits` says more.
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["paths", "lists", "unique", "show", "baseline", "since", "watch"])]
    #[arg(conflicts_with_all = UNUSED_BY_SPLITS)]
    #[arg(hide_short_help = true)]
    pub(crate) split: Option<PathBuf>,

    /// Where to print the closing count.
    ///
    /// `stdout` prints it after the text report and an empty line, where a pager ends: one number
    /// a line, with the reasons of warnings and errors, also with --quiet. Without a text report
    /// on standard output, it goes to standard error.
    #[arg(long, value_enum, value_name = "WHERE", default_value_t)]
    #[arg(hide_short_help = true)]
    pub(crate) summary: To,

    /// Worker threads [default: one for each processor].
    ///
    /// 1024 is the maximum: each needs memory of its own.
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_hyphen_values = true)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Report each distinct URI once, at its first occurrence.
    ///
    /// URIs that are equal by the rules `rfc3987` of `linktrawl compare` count as one; malformed
    /// ones are compared as written. Relative ones are distinct if their directories are, and
    /// those of only a query or a fragment if their documents are.
    #[arg(long)]
    pub(crate) unique: bool,

    /// Write the baseline again, with all current problems and without those that are fixed.
    ///
    /// A problem is an error, and with --fail-on warn a warning, too. None of them fails. Entries
    /// that the run does not check stay: other inputs, URIs that --include and --exclude skip,
    /// links that are not requested. If the work cannot be done in full, the file is not changed.
    #[arg(long, requires = "baseline", conflicts_with = "unique")]
    #[arg(hide_short_help = true)]
    pub(crate) update_baseline: bool,

    /// Print which file options are read from.
    #[arg(long, short)]
    #[arg(hide_short_help = true)]
    pub(crate) verbose: bool,

    /// Run again whenever an input changes, until SIGINT.
    ///
    /// Watches each PATH and the files that a walk reads below it, the lists of --files-from, the
    /// baseline, and the configuration file, which is read again. Files that the run itself writes
    /// do not count. `check` keeps answers between runs: in the file of --state, or in a temporary
    /// one.
    #[arg(long)]
    pub(crate) watch: bool,

    #[command(flatten)]
    pub(crate) which: WhichFlags,
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
    /// Lines after the text report
    Stdout,
    /// Nowhere
    None,
}

pub(super) const KIND_HELP: &str = "Read inputs as this, instead of finding out";

pub(super) fn kind_long_help() -> String {
    let kinds = FORMATS.iter().map(|format| (format.name, format.about));
    format!("{KIND_HELP}.\n\nKinds:\n{}", list(kinds))
}

pub(super) fn default_kind() -> &'static str {
    FORMATS.first().map_or("auto", |format| format.name)
}

pub(super) fn kind_parser() -> impl TypedValueParser<Value = InputKind> {
    let choice = |format: &linktrawl::internal::source::Format| {
        PossibleValue::new(format.name).help(format.about)
    };
    PossibleValuesParser::new(FORMATS.iter().map(choice)).try_map(|name| {
        let found = FORMATS.iter().find(|format| format.name == name);
        found.map(|format| format.kind).ok_or("no kind has this name")
    })
}

fn cue_parser() -> impl TypedValueParser<Value = Cue> {
    PossibleValuesParser::new(Cue::ALL.map(Cue::name)).try_map(|name| {
        Cue::ALL.into_iter().find(|cue| cue.name() == name).ok_or("no cue has this name")
    })
}

/// Returns the default cues: all but `www`, since text that begins with `www.` and has no scheme is
/// too often no link.
fn default_cues() -> impl Iterator<Item = &'static str> {
    Cue::ALL.into_iter().filter(|&cue| cue != Cue::Www).map(Cue::name)
}

fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = text.parse::<NonZeroUsize>().ok();
    // In other programs 0 means one thread per processor.
    threads.filter(|threads| threads.get() <= THREADS_MAX).ok_or_else(|| {
        format!(
            "expected 1 to {THREADS_MAX} threads, found {text:?}; omit --threads for one a \
             processor"
        )
    })
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};
    use linktrawl::internal::finding::Cue;
    use linktrawl::internal::grammar::GRAMMARS;
    use linktrawl::internal::source::FORMATS;

    use super::super::{Command, Flags};
    use super::ScanFlags;

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
    fn defaults_are_all_cues_but_www_text_and_the_first_grammar() {
        let flags = scan(&["a"]);
        assert_eq!(flags.find, [Cue::Url, Cue::Angle, Cue::Bare, Cue::Markup, Cue::Header]);
        let formats: Vec<_> = flags.formats.iter().map(|format| format.report.name()).collect();
        assert_eq!(formats, ["text"]);
        assert!(flags.formats.iter().all(|format| format.file.is_none()));
        let grammars: Vec<_> = flags.grammars.iter().map(|grammar| grammar.name()).collect();
        assert_eq!(grammars, [GRAMMARS[0].name()]);
    }

    /// Returns the long help of `scan`'s option called `id`.
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
    }

    #[test]
    fn unknown_names_are_refused_with_the_names_there_are() {
        refused(&["a", "--format", "texd"], "text, ndjson");
        let none = "expected a file after json=, found none; --format json prints on standard";
        refused(&["a", "--format", "json="], none);
        refused(&["a", "--grammar", "rfc0"], GRAMMARS[0].name());
        refused(&["a", "--find", "everything"], "markup");
        refused(&["a", "--as", "pdf"], "auto");
        let threads = |found: &str| {
            format!(
                "expected 1 to 1024 threads, found {found:?}; omit --threads for one a processor"
            )
        };
        for found in ["0", "1025", "-1", "x"] {
            refused(&["a", "--threads", found], &threads(found));
        }
        refused(&[], "PATH");
        refused(&["a", "-0"], "--files-from");
        refused(&["a", "--update-baseline"], "--baseline <FILE>");
        refused(&["a", "--update-baseline", "--unique"], "--unique");
        for option in
            ["--hidden", "--no-ignore", "--exit-zero", "--fail-if-empty", "--fail-on=warn"]
        {
            refused(&["--split", "-", option], "cannot be used with");
        }
    }
}
