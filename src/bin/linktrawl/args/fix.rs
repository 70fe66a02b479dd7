//! Defines the options of `linktrawl fix`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::ValueHint;

use super::config::WhichFlags;

const EXIT_CODES: &str = "\
Exit codes:
  0  the possible fixes were shown, or with --write are made
  2  the run is incomplete: a run that cannot be read, a file that has changed
     since, an input that could not be read";

const EXAMPLES: &str = "\
Examples:
  linktrawl fix docs/
      A diff: links to files that are elsewhere below docs/, and what lacks an
      escape.

  linktrawl fix docs/ | git apply
      The same, done.

  linktrawl check docs/ --format ndjson=run.ndjson
  linktrawl fix --from run.ndjson docs/ --write
      Also links that were redirected permanently in that run.";

/// Fix links whose correct form is certain, as a diff or in place.
///
/// Links with permanent redirects (301, 308) in a saved run get their targets, up to the first
/// temporary redirect. In links that a document marks as such, a percent sign that begins no
/// escape is escaped, and so are characters that no URI holds, if that makes the link valid; a
/// backslash becomes a slash, as in browsers; code and placeholders are not changed. A link to a
/// missing file gets the name that differs only in letter case, or else that of the only file
/// below PATH with the same name, if the directory's name is the same, too, and is not one for
/// generated files or those of others, such as `_build` and `vendor`.
///
/// Mail, archives and decoded text are never changed, nor are lines with a password that a diff
/// would show; nothing is guessed. Links that are not changed for such a reason are counted.
#[derive(Args)]
#[command(after_help = EXIT_CODES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct FixFlags {
    /// Files and directories to read, and to search for files that have moved. With --from,
    /// nothing outside of them is changed, or outside of the working directory without any.
    #[arg(required_unless_present = "from", value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Fix the problems of this saved run (`check --format ndjson`), without requesting anything
    /// again; `-` is standard input.
    ///
    /// Without it, PATH is read as by `check --offline`, with the options of the same file.
    #[arg(long, value_name = "RUN", value_hint = ValueHint::FilePath)]
    pub(crate) from: Option<PathBuf>,

    /// Change dead links to their copies in archives, as a run with --archive found them.
    #[arg(long, requires = "from")]
    pub(crate) to_archive: bool,

    /// Add the copies of --to-archive to links in HTML, which keep their addresses.
    ///
    /// An anchor gets the attributes of Robust Links: data-originalurl, data-versionurl and
    /// data-versiondate. Links in other documents lead to their copies.
    #[arg(long, requires = "to_archive")]
    pub(crate) robust: bool,

    /// Change the files instead of printing a diff.
    ///
    /// A new file is written, and replaces the old one once it is on disk. Owner, group and
    /// permissions are kept, as far as the system allows.
    #[arg(long)]
    pub(crate) write: bool,

    /// Print no closing count, only errors and warnings.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) which: WhichFlags,
}
