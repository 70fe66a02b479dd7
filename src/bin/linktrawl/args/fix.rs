//! Defines the options of `linktrawl fix`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::ValueHint;

use super::config::WhichFlags;

const EXIT_CODES: &str = "\
Exit codes:
  0  what can be mended was shown, or with --write is mended
  2  the work could not be done in full: a run that cannot be read, a file that has changed
     since, an input that could not be read";

const EXAMPLES: &str = "\
Examples:
  linktrawl fix docs/
      A diff: links to files that are elsewhere below docs/, and what lacks an escape.

  linktrawl fix docs/ | git apply
      The same, done.

  linktrawl check docs/ --format ndjson=run.ndjson
  linktrawl fix --from run.ndjson docs/ --write
      Also what has moved for good on the Web, as that run learnt it.";

/// Mend links where it is certain how, as a diff or in place.
///
/// Permanent redirects (301, 308) of a saved run become what they lead to, up to the first that
/// is for now. In what a document marks as a link, a percent sign that begins no escape becomes
/// one, and so does what no URI holds, where that makes it valid; a backslash becomes the slash
/// that browsers take it for; code and placeholders stay. A link to a file that is not there leads
/// to the one that differs in letter case alone, or else to the only file below PATH that has its
/// name, if its directory has the name that the link gives it, too, and is not of what programs
/// made or others wrote, as `_build` and `vendor` are.
///
/// Nothing is changed in mail, archives, decoded text, or beside a password that a diff would
/// show, nor on a guess; what is left for such a reason is counted.
#[derive(Args)]
#[command(after_help = EXIT_CODES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct FixFlags {
    /// Files and directories to read, and to look for files that have moved. With --from nothing
    /// outside of them is changed, nor outside of the working directory where none is named.
    #[arg(required_unless_present = "from", value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Take what is wrong from this saved run (`check --format ndjson`), and ask nothing anew; `-`
    /// is standard input.
    ///
    /// Without it, PATH is read as by `check --offline`, with the options of the same file.
    #[arg(long, value_name = "RUN", value_hint = ValueHint::FilePath)]
    pub(crate) from: Option<PathBuf>,

    /// Lead dead links to their copies in archives, as a run with --archive found them.
    #[arg(long, requires = "from")]
    pub(crate) to_archive: bool,

    /// Name the copies of --to-archive beside links in HTML, which keep their addresses.
    ///
    /// An anchor gets the attributes of Robust Links: data-originalurl, data-versionurl and
    /// data-versiondate. Links in other documents lead to their copies.
    #[arg(long, requires = "to_archive")]
    pub(crate) robust: bool,

    /// Change the files in place of printing a diff.
    ///
    /// A file is written beside, and takes the place of the old one when the disk has it.
    /// Owner, group and permissions are kept, as far as the user may give files away.
    #[arg(long)]
    pub(crate) write: bool,

    /// Print no closing count; only what kept the work from being done.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) which: WhichFlags,
}
