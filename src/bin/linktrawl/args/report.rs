//! Defines the options of `linktrawl report`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use linktrawl::internal::report::groups::Grouping;

use super::failing::FailFlags;
use super::formats::{
    Color, FORMAT_HELP, Format, FormatParser, GROUP_HELP, Hyperlinks, ReplaceFlags, default_format,
    format_long_help, group_long_help, group_parser,
};

const EXIT_CODES: &str = "\
Exit codes, as those of the run that was saved:
  0  all is well
  1  at least one link is malformed or dead; --fail-on says what counts
  2  the run is incomplete, or its records cannot be read;
     with --fail-if-empty, no link, too";

const EXAMPLES: &str = "\
Examples:
  linktrawl check docs/ --format ndjson=run.ndjson
      Saves a run: its findings, and the answers to its requests.

  linktrawl report run.ndjson
      The lines that it would have printed.

  linktrawl report run.ndjson --group-by host
      Hosts, those with the most broken links first.

  linktrawl report --compare monday.ndjson friday.ndjson --format markdown
      What died, came back and moved between two runs.

  zcat run.ndjson.gz |
          linktrawl report - --format text --format ndjson=again.ndjson
      Several formats at once, from standard input.";

/// Print a saved run again in other formats, without reading or requesting anything again.
///
/// A run is saved by `--format ndjson`. The reports have the verdicts that it was saved with.
#[derive(Args)]
#[command(after_help = EXIT_CODES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct ReportFlags {
    /// The saved run: one JSON object a line; `-` is standard input.
    #[arg(value_name = "RUN", required_unless_present = "compare")]
    pub(crate) saved: Option<PathBuf>,

    /// When to colour the text report.
    ///
    /// `auto` colours when standard output is a terminal. NO_COLOR and CLICOLOR=0 turn that off,
    /// CLICOLOR_FORCE turns it on, and both yield to `always` and `never`.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) color: Color,

    /// Report how links changed between two runs: died, revived, moved, new, gone, unchanged.
    ///
    /// OLD and NEW are runs saved by `--format ndjson` or `--format json`, or two files of
    /// `--state`. Formats are text, json, html and markdown. The exit code is 1 when a link died.
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["saved", "group_by"])]
    pub(crate) compare: Option<Vec<PathBuf>>,

    #[command(flatten)]
    pub(crate) fail: FailFlags,

    #[command(flatten)]
    pub(crate) replace: ReplaceFlags,

    #[arg(long = "format", value_name = "NAME[=FILE]", default_value = default_format())]
    #[arg(value_parser = FormatParser, hide_possible_values = true)]
    #[arg(help = FORMAT_HELP, long_help = format_long_help())]
    pub(crate) formats: Vec<Format>,

    #[arg(long, value_name = "WHAT", value_parser = group_parser())]
    #[arg(hide_possible_values = true, help = GROUP_HELP, long_help = group_long_help())]
    pub(crate) group_by: Option<&'static Grouping>,

    /// When to make the paths of the text report hyperlinks.
    ///
    /// `auto` makes them when standard output is a terminal that is known to open them (OSC 8).
    /// They lead to the file, not to the line, on the machine that printed them.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) hyperlinks: Hyperlinks,
}
