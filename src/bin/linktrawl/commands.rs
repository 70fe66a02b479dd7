//! Implements the subcommands, one in each file, and `--generate`.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod config;
pub(crate) mod explain;
pub(crate) mod fix;
pub(crate) mod generate;
pub(crate) mod grammar;
pub(crate) mod help;
pub(crate) mod parse;
pub(crate) mod report;
pub(crate) mod resolve;
pub(crate) mod scan;

use linktrawl::internal::finding::Verdict;

use crate::exit::Exit;
use crate::plan::Failing;
use crate::stderr;

/// Returns the exit code of a run.
fn judge(
    complete: bool,
    found: u64,
    verdicts: [u64; Verdict::ALL.len()],
    failing: Failing,
) -> Exit {
    if failing.is_for_lack_of(found) {
        stderr::say(
            "error: no link was found: --include, --exclude, --find and --as say what counts as \
             one; without --fail-if-empty this is no failure",
        );
        return Exit::Failed;
    }
    match complete {
        false => Exit::Failed,
        true if failing.is_due_to(verdicts) => Exit::Found,
        true => Exit::Well,
    }
}
