//! Implements `linktrawl report`: writes a saved run in other formats, without reading its inputs
//! again.

mod compared;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use linktrawl::internal::report::record::SummaryRecord;
use linktrawl::internal::run::Retelling;
use linktrawl::internal::store;

use super::judge;
use crate::args::report::ReportFlags;
use crate::environment::processors;
use crate::exit::Exit;
use crate::lines::{STDIN, lines, read_lines};
use crate::plan::{Failing, reports, ungrouped, what};
use crate::stderr;
use crate::streams;

/// Bytes at the beginning of a file that show whether it is a database.
const BEGINNING_LEN: u64 = 64;

/// Replays a saved run, or compares two.
///
/// # Errors
/// When the run cannot be read, has a line that is no record of one, or lacks its end; and when a
/// report cannot be written, or none supports the requested groups.
pub(crate) fn run(flags: &ReportFlags) -> anyhow::Result<Exit> {
    if let Some([old, new]) = flags.compare.as_deref() {
        return compared::run(flags, old, new);
    }
    let saved = flags.saved.as_ref().context("expected a RUN")?;
    let summary = retell(flags, saved)?;
    if !summary.complete {
        stderr::say("warning: the saved run is incomplete");
    }
    let failing = Failing::of(&flags.fail);
    Ok(judge(summary.complete, summary.found(), summary.verdicts, failing))
}

/// Writes the reports, and returns the totals of the run.
fn retell(flags: &ReportFlags, saved: &PathBuf) -> anyhow::Result<SummaryRecord> {
    let mut reports = reports(&flags.formats, flags.group_by, flags.color, flags.hyperlinks)?;
    reports.replacing.what = what(&flags.replace);
    ungrouped(&flags.formats, flags.group_by).for_each(|remark| stderr::say(&remark));
    reports.spare(std::slice::from_ref(saved))?;
    let (input, name) = open(saved)?;
    let (outputs, files) = reports.open()?;
    let mut retelling = Retelling::new(name.clone(), outputs, processors());
    read_lines(input, &name, |block| lines(block).try_for_each(|line| retelling.line(line)))?;
    let summary = retelling.finish()?;
    files.keep()?;
    Ok(summary)
}

fn open(saved: &Path) -> anyhow::Result<(Box<dyn Read>, String)> {
    if saved.as_os_str() == "-" {
        streams::need_stdin()?;
        return Ok((Box::new(io::stdin()), STDIN.to_owned()));
    }
    let mut file =
        File::open(saved).map_err(|error| anyhow::anyhow!("cannot open {saved:?}: {error}"))?;
    anyhow::ensure!(
        !file.metadata().is_ok_and(|found| found.is_dir()),
        "cannot read {saved:?}: expected a run saved by --format ndjson, found a directory"
    );
    let mut beginning = Vec::new();
    let read = Read::by_ref(&mut file).take(BEGINNING_LEN).read_to_end(&mut beginning);
    read.map_err(|error| anyhow::anyhow!("cannot read {saved:?}: {error}"))?;
    anyhow::ensure!(
        !store::is_state(&beginning),
        "cannot read {saved:?}: expected a run saved by --format ndjson, found a database: if it \
         is a file of --state, `linktrawl report --compare OLD NEW` compares two of them"
    );
    // A pipe is read once.
    Ok((Box::new(io::Cursor::new(beginning).chain(file)), format!("{saved:?}")))
}
