//! Implements `linktrawl report --compare`: how links fared between two runs.
//!
//! Each run is read several times, so that memory holds the text of few links.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use linktrawl::Error;
use linktrawl::internal::report::comparison::formats::{FORMATS, find};
use linktrawl::internal::report::comparison::{Change, Counts, Format, Runs};
use linktrawl::internal::run::{Comparison, Output, RunEnd, SavedRun, Seen, Side};
use linktrawl::internal::store;
use linktrawl::internal::store::results;

use super::super::judge;
use crate::args::report::ReportFlags;
use crate::exit::Exit;
use crate::lines::{lines, read_lines};
use crate::plan::{Failing, reports, what};
use crate::stderr;

/// Bytes of a report that are written at once.
const BLOCK_BYTES: usize = 64 * 1024;

/// Compares the runs, and writes the reports.
///
/// # Errors
/// When a run cannot be read, the runs are not of one kind, a format has no comparisons, or a
/// report cannot be written.
pub(super) fn run(flags: &ReportFlags, old: &Path, new: &Path) -> anyhow::Result<Exit> {
    let [old, new] = [Saved::open(old)?, Saved::open(new)?];
    anyhow::ensure!(
        old.kind == new.kind,
        "expected two saved runs or two states to compare, found one of each"
    );
    let mut comparison = Comparison::default();
    let (mut complete, mut made) = (true, [None; 2]);
    let sides = [(Side::Old, &old), (Side::New, &new)];
    for ((side, saved), made) in sides.into_iter().zip(&mut made) {
        let end = saved.each(&mut |seen| {
            comparison.add(side, &seen);
            Ok(())
        })?;
        complete &= end.complete;
        *made = end.made;
    }
    let runs = Runs { old: old.name(), new: new.name(), made };
    if !complete {
        stderr::say("warning: one of the runs is incomplete: links may be missing");
    }
    let counts = comparison.counts();
    write(flags, (&runs, [&old, &new]), &mut comparison, &counts)?;
    let days = runs.days().map(|days| format!("; {days}")).unwrap_or_default();
    stderr::say(&format!("{}{days}", counts.words()));
    let count = |changes: &[Change]| changes.iter().map(|change| counts.of(*change)).sum::<u64>();
    let verdicts = [
        count(&[Change::Revived, Change::New, Change::Gone, Change::Unchanged]),
        count(&[Change::Moved]),
        count(&[Change::Died]),
        count(&[Change::Unasked]),
    ];
    Ok(judge(complete, counts.all(), verdicts, Failing::of(&flags.fail)))
}

/// Writes every requested report.
fn write(
    flags: &ReportFlags,
    (runs, [old, new]): (&Runs, [&Saved; 2]),
    comparison: &mut Comparison,
    counts: &Counts,
) -> anyhow::Result<()> {
    let mut reports = reports(&flags.formats, None, flags.color, flags.hyperlinks)?;
    reports.replacing.what = what(&flags.replace);
    reports.step_summary = None;
    reports.spare(&[old.path.clone(), new.path.clone()])?;
    let unknown = reports.formats.iter().find(|it| find(it.report.name()).is_none());
    if let Some(unknown) = unknown {
        anyhow::bail!(
            "expected --format {} for --compare, found {}",
            FORMATS.join(" or "),
            unknown.report.name()
        );
    }
    let (outputs, files) = reports.open()?;
    let formats = outputs.into_iter().filter_map(|output| {
        let format = find(output.report.name())?;
        Some(Target { output, format, text: Vec::new(), is_gone: false })
    });
    let mut targets: Vec<_> = formats.collect();
    each(&mut targets, |format, out| format.begin(runs, counts, out))?;
    for change in Change::LISTED {
        let count = counts.of(change);
        if count == 0 {
            continue;
        }
        each(&mut targets, |format, out| format.section(change, count, out))?;
        if change == Change::Moved {
            old.each(&mut |seen| {
                comparison.keep_moved(seen);
                Ok(())
            })?;
        }
        let saved = if Comparison::side(change) == Side::Old { old } else { new };
        saved.each(&mut |seen| match comparison.row(change, &seen) {
            Some(row) => each(&mut targets, |format, out| format.row(change, &row, out)),
            None => Ok(()),
        })?;
        each(&mut targets, |format, out| format.end_section(out))?;
    }
    each(&mut targets, |format, out| format.finish(out))?;
    targets.iter_mut().try_for_each(Target::flush)?;
    drop(targets);
    Ok(files.keep()?)
}

/// A report on its way to its target.
struct Target {
    output: Output,
    format: Box<dyn Format>,
    text: Vec<u8>,
    /// Whether its reader has gone.
    is_gone: bool,
}

impl Target {
    fn flush(&mut self) -> anyhow::Result<()> {
        let written = if self.is_gone {
            Ok(())
        } else {
            self.output.target.write_all(&self.text).and_then(|()| self.output.target.flush())
        };
        self.text.clear();
        let target = || self.output.name.clone();
        match written.map_err(|source| Error::Write { target: target(), source }) {
            Err(error) if error.is_broken_pipe() => self.is_gone = true,
            written => written?,
        }
        Ok(())
    }
}

fn each(
    targets: &mut [Target],
    append: impl Fn(&mut dyn Format, &mut Vec<u8>),
) -> anyhow::Result<()> {
    for target in targets {
        append(&mut *target.format, &mut target.text);
        if target.text.len() >= BLOCK_BYTES {
            target.flush()?;
        }
    }
    Ok(())
}

#[derive(PartialEq, Eq)]
enum RunFormat {
    Lines,
    State,
}

/// A saved run, or a state.
struct Saved {
    path: PathBuf,
    kind: RunFormat,
}

impl Saved {
    fn open(path: &Path) -> anyhow::Result<Self> {
        anyhow::ensure!(
            path.as_os_str() != "-",
            "expected files for --compare, which are read several times, found standard input"
        );
        let mut beginning = Vec::new();
        let read = open(path)?.take(64).read_to_end(&mut beginning);
        read.map_err(|error| anyhow::anyhow!("cannot read {path:?}: {error}"))?;
        let kind = if store::is_state(&beginning) { RunFormat::State } else { RunFormat::Lines };
        Ok(Self { path: path.to_owned(), kind })
    }

    fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// Passes each link to `take`; returns the end of the run.
    fn each(&self, take: &mut dyn FnMut(Seen) -> anyhow::Result<()>) -> anyhow::Result<RunEnd> {
        if self.kind == RunFormat::State {
            results::each(&self.path, &mut |last| take(Seen::of_state(last)))?;
            return Ok(RunEnd { complete: true, made: None });
        }
        let name = format!("{:?}", self.path);
        let mut run = SavedRun::new(name.clone());
        read_lines(open(&self.path)?, &name, |block| {
            lines(block).try_for_each(|line| run.line(line)?.map_or(Ok(()), &mut *take))
        })?;
        Ok(run.finish()?)
    }
}

fn open(path: &Path) -> anyhow::Result<File> {
    File::open(path).map_err(|error| anyhow::anyhow!("cannot open {path:?}: {error}"))
}
