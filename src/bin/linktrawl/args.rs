//! Defines the command line: names, choices and help texts.
//!
//! Each file holds the options of one subcommand, or options that several subcommands share. It
//! imports nothing of the program but its neighbours: nothing is decided or opened here; `plan`
//! does that. Choices come from the library's tables, so that a grammar or a format that is added
//! there is available here.

pub(crate) mod alike;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod config;
pub(crate) mod explain;
pub(crate) mod failing;
pub(crate) mod fix;
pub(crate) mod formats;
pub(crate) mod generate;
pub(crate) mod grammar;
pub(crate) mod help;
pub(crate) mod parse;
pub(crate) mod pattern;
pub(crate) mod plan;
pub(crate) mod report;
pub(crate) mod resolve;
pub(crate) mod scan;
pub(crate) mod syntax;
pub(crate) mod values;

use clap::{ArgAction, Parser, Subcommand};

use check::CheckFlags;
use compare::CompareFlags;
use config::ConfigFlags;
use explain::ExplainFlags;
use fix::FixFlags;
use generate::Requested;
use grammar::GrammarFlags;
use help::HelpFlags;
use parse::ParseFlags;
use plan::PlanFlags;
use report::ReportFlags;
use resolve::ResolveFlags;
use scan::ScanFlags;

const EXIT_CODES: &str = "\
Exit codes:
  0  all is well
  1  a link is malformed, or dead for check; --fail-on sets what counts
  2  the run is incomplete: a bad option, an input that could not be read,
     or nothing to read at all; with --fail-if-empty, no link, too";

const EXAMPLES: &str = "\
Examples:
  linktrawl scan ~/Mail                      every link of all spools below it
  linktrawl scan docs/ README.md             malformed links, file and line
  linktrawl scan spool --format ndjson       one JSON object a line
  linktrawl check docs/                      which links answer, asked politely
  zcat news.gz | linktrawl scan -            from standard input
  linktrawl parse 'http://h/%zz'             why is this no URI?
  linktrawl resolve --base http://h/a ../c   a partial form to a whole URI
  linktrawl compare http://h http://h:80/    are these the same?
  linktrawl explain pct-encoded              what a name in a report means
  linktrawl fix docs/                        a diff of all certain fixes";

/// Finds every URI in mail spools, news spools, archives and documentation, and checks each
/// one against its grammar.
///
/// Only `check` touches the network. The report goes to standard output; progress, warnings and
/// the closing count go to standard error.
#[derive(Parser)]
#[command(name = "linktrawl", version, arg_required_else_help = true)]
#[command(disable_help_subcommand = true, disable_help_flag = true)]
// Aliases, hooks and actions give options that their users give again; lists are not affected.
#[command(args_override_self = true)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Flags {
    /// Print this summary of `linktrawl help COMMAND`.
    #[arg(long, short, global = true, action = ArgAction::HelpShort, display_order = 1000)]
    help: Option<bool>,

    /// Print a text made from the tables: man pages, completions, blocks of the guide.
    #[arg(long, hide = true, value_name = "WHAT", value_parser = Requested::parse)]
    pub(crate) generate: Option<Requested>,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

impl Flags {
    /// Returns the options of a scan, for commands that find links.
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
    Plan(PlanFlags),
    Help(HelpFlags),
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use super::{Command, Flags};

    #[test]
    fn the_definition_is_sound() {
        Flags::command().debug_assert();
    }

    #[test]
    fn the_last_of_an_option_wins_and_lists_grow() {
        let line = "linktrawl check -q --show error a.md -q --show warn --format csv --format json";
        let flags = Flags::try_parse_from(line.split(' ')).unwrap();
        let Some(Command::Check(check)) = flags.command else { unreachable!("a check") };
        assert_eq!(check.scan.formats.len(), 2);
    }
}
