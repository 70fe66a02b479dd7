//! Implements `linktrawl scan`: finds URIs, and reports them.

use std::path::Path;

use linktrawl::Error;
use linktrawl::internal::finding::{Skip, Summary};
use linktrawl::internal::run::RequestOptions;
use linktrawl::internal::store::Baseline;

use super::{judge, split};
use crate::args::scan::ScanFlags;
use crate::config::Config;
use crate::exit::Exit;
use crate::output::{self, Replacing};
use crate::plan::Plan;
use crate::{progress, stderr, summary};

/// Scans, without any connection.
///
/// # Errors
/// When the work cannot be done.
pub(crate) fn run(flags: &ScanFlags, config: Option<&Config>) -> anyhow::Result<Exit> {
    tell_of_options(flags, config);
    if let Some(from) = &flags.split {
        return split::run(flags, config, from);
    }
    conduct(Plan::of(flags, config)?, None)
}

/// Reports which file options were taken from, if the user wants to know.
pub(super) fn tell_of_options(flags: &ScanFlags, config: Option<&Config>) {
    if flags.verbose {
        stderr::say(&config.map_or("options are taken from no file".to_owned(), Config::origin));
    }
}

/// Scans, probes if `requests` is given, puts finished reports into place, and prints the summary.
pub(super) fn conduct(plan: Plan, requests: Option<&RequestOptions>) -> anyhow::Result<Exit> {
    let Plan { named, options, reports, baseline, failing, remarks, .. } = plan;
    remarks.iter().for_each(|remark| stderr::say(remark));
    reports.spare(named.paths())?;
    let (outputs, files) = reports.open()?;
    let observer = progress::Watch::new(plan.voice);
    // A check ends in order after a signal.
    if requests.is_none() && !plan.is_repeated {
        observer.clear_before_end()?;
    }
    let mut inputs = named.into_inputs();
    let summary = match requests {
        None => linktrawl::internal::run::scan(&mut inputs, &options, outputs, &observer),
        Some(requests) => linktrawl::internal::run::check(
            inputs.collect(),
            &options,
            requests,
            outputs,
            &observer,
        ),
    };
    let verdicts = observer.verdicts();
    drop(observer);
    let summary = match summary {
        // A reader that has closed the pipe has seen all findings so far.
        Err(error) if error.is_broken_pipe() && failing.is_due_to(verdicts) => {
            return Ok(Exit::Found);
        }
        summary => summary?,
    };
    files.keep()?;
    summary::tell(&summary, plan.summary)?;
    if plan.digest {
        summary::tell_digest(&summary);
    }
    if summary.files == 0 {
        anyhow::bail!("nothing was read{}", advice(&summary));
    }
    if let (Some((path, replacing)), Some(known)) = (&baseline, &options.baseline) {
        update(path, replacing, known, &summary)?;
    }
    Ok(judge(summary.complete, summary.found(), verdicts, failing))
}

/// Returns advice for a run that read nothing, if the inputs named none; empty if there were some,
/// and a note or the summary has the reason.
fn advice(summary: &Summary) -> &'static str {
    let is_of_walk = |skip: &Skip| matches!(skip, Skip::Hidden | Skip::Ignored);
    if summary.complete && summary.skipped.keys().all(is_of_walk) {
        return ": give a file, or a directory that holds one; --hidden and --no-ignore read what a \
                walk skips";
    }
    ""
}

/// Writes the new baseline, if the run saw everything that it should contain.
fn update(
    path: &Path,
    replacing: &Replacing,
    known: &Baseline,
    summary: &Summary,
) -> Result<(), Error> {
    if summary.complete {
        return output::write(path, known.text().as_bytes(), replacing);
    }
    stderr::say("the baseline stays as it is: the run is incomplete");
    Ok(())
}
