//! Implements `linktrawl plan`: lists parts of the inputs that can be scanned apart.

use std::io::{self, BufWriter, Write as _};

use linktrawl::Error;
use linktrawl::internal::report::statement;
use linktrawl::internal::run::{Options, WalkRules};

use crate::args::plan::PlanFlags;
use crate::exit::Exit;
use crate::plan::{Named, Progress, Voice};
use crate::{output, progress, stderr};

/// Prints a descriptor a line.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn run(flags: &PlanFlags) -> anyhow::Result<Exit> {
    let PlanFlags { paths, lists, null, .. } = flags;
    let mut inputs = Named::new(paths, lists, *null)?.into_inputs();
    let walk = WalkRules { hidden: flags.hidden, ignored: flags.no_ignore };
    let own = output::stdout_identity().into_iter().collect();
    let options = Options { kind: flags.kind, walk, own, ..Options::default() };
    let progress = if flags.quiet { Progress::Never } else { Progress::Always };
    let observer = progress::Watch::new(Voice { progress, notes: !flags.quiet });
    observer.clear_before_end()?;
    let mut out = BufWriter::new(io::stdout().lock());
    let failed = |source| Error::Write { target: "stdout".to_owned(), source };
    let mut count = 0_u64;
    let summary = linktrawl::internal::run::plan(
        &mut inputs,
        &options,
        flags.split_size,
        &observer,
        &mut |split| {
            count += 1;
            let line = [&split.to_json()[..], b"\n"].concat();
            out.write_all(&line).map_err(failed)
        },
    );
    drop(observer);
    let summary = summary?;
    out.flush().map_err(failed)?;
    if !flags.quiet {
        let skipped: u64 = summary.skipped.values().sum();
        let left_out = if skipped > 0 { format!("; left out: {skipped}") } else { String::new() };
        let [splits, files] = [(count, "split"), (summary.files, "file")]
            .map(|(number, noun)| statement::counted(number, noun));
        stderr::say(&format!("{splits} of {files}{left_out}"));
    }
    Ok(if summary.complete { Exit::Well } else { Exit::Failed })
}
