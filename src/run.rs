//! Runs a scan or a check: connects source, check and report, and keeps records in input order.
//!
//! One thread reads and cuts the inputs, the pool's threads work on units (a piece of a large
//! input, or a few small files), and the records are written in the order of the inputs. The number
//! of buffers bounds the work in flight, so a slow disk, a slow consumer of the output or a slow
//! piece exerts backpressure on the rest.
//!
//! Where links are probed, the records wait: `gather` collects the targets, `spool` keeps the
//! findings, `drive` probes the targets, and `replay` reports the findings, for each of which
//! `answers` supplies the result. Each input is read once.

#[cfg(feature = "probe")]
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
#[cfg(feature = "report")]
use std::sync::Arc;
use std::time::Duration;

use regex::bytes::RegexSet;

use crate::error::Error;
use crate::finding::{Cue, Lint, Note, Repairs, Summary};
use crate::grammar::Grammar;
use crate::platform::Identity;
#[cfg(feature = "probe")]
use crate::platform::identity;
use crate::report::{Report, Style};
pub use crate::source::InputKind;
#[cfg(feature = "report")]
pub use crate::source::changes::Changes;
pub use crate::source::names::{Ending, Names};
pub use crate::source::walk::WalkRules;
#[cfg(feature = "probe")]
use crate::store;
#[cfg(feature = "report")]
use crate::store::Baseline;

#[cfg(feature = "probe")]
mod answers;
#[cfg(feature = "probe")]
mod archive;
#[cfg(feature = "report")]
mod comparison;
#[cfg(feature = "probe")]
mod dates;
#[cfg(feature = "report")]
mod digest;
#[cfg(feature = "probe")]
mod documents;
#[cfg(feature = "probe")]
mod drive;
mod encoder;
#[cfg(feature = "probe")]
mod gather;
#[cfg(feature = "report")]
mod hash;
#[cfg(feature = "probe")]
mod lead;
#[cfg(not(feature = "report"))]
mod lines;
#[cfg(feature = "probe")]
mod listing;
#[cfg(feature = "probe")]
mod lookups;
#[cfg(feature = "probe")]
mod names;
mod order;
mod overrides;
mod pass;
mod pool;
mod reader;
#[cfg(feature = "probe")]
mod request_options;
#[cfg(feature = "report")]
mod saved;
mod showing;
#[cfg(feature = "report")]
mod sieve;
#[cfg(feature = "report")]
mod sink;
#[cfg(feature = "probe")]
mod soft;
#[cfg(feature = "report")]
mod split;
#[cfg(feature = "probe")]
mod spool;
#[cfg(feature = "probe")]
mod stream;
#[cfg(feature = "probe")]
mod target;
#[cfg(feature = "report")]
mod threads;
mod unit;
#[cfg(not(feature = "report"))]
mod unsieved;
#[cfg(not(feature = "probe"))]
mod unspooled;

#[cfg(feature = "probe")]
use answers::Answers;
#[cfg(feature = "probe")]
pub use archive::{Archive, Archives, Service};
#[cfg(feature = "report")]
pub use comparison::{Comparison, RunEnd, SavedRun, Seen, Side};
#[cfg(feature = "probe")]
use documents::Documents;
#[cfg(feature = "probe")]
use drive::{Drive, Ended, Journal, Learnt};
#[cfg(feature = "probe")]
use gather::Gathering;
#[cfg(feature = "probe")]
use lookups::Lookups;
use order::Order;
pub use overrides::{Overrides, Paths, Wanted};
use pass::{Inputs, Pass, threads};
#[cfg(feature = "probe")]
pub use request_options::{Own, RequestOptions, StateOptions, Terms};
#[cfg(feature = "report")]
pub use saved::Retelling;
pub use showing::Showing;
#[cfg(feature = "report")]
pub use split::{Split, plan};
use unit::Role;

/// Number of worker threads: more than any machine has processors, and at eight megabytes each as
/// much memory as most have.
pub const THREADS_MAX: usize = 1024;

/// Options of a run. By default, no grammar is applied and nothing is reported.
#[derive(Default)]
pub struct Options {
    /// Grammars to check each URI against. Order does not affect the verdict.
    pub grammars: Vec<&'static dyn Grammar>,
    /// Repairs that grammars must not make.
    pub refused: Repairs,
    /// Cues to report.
    pub find: Vec<Cue>,
    /// How to read inputs.
    pub kind: InputKind,
    /// Patterns of the URIs to report; if empty, every URI is reported.
    pub include: RegexSet,
    /// Patterns of URIs to omit.
    pub exclude: RegexSet,
    /// Disabled lints.
    pub allowed: Vec<&'static Lint>,
    /// Whether links that mail gateways wrapped are replaced by their targets.
    pub unwrap: bool,
    /// Whether to report each distinct link only once, at its first occurrence. URIs with the same
    /// key (`grammar::normalize::key`) are one link; relative references are compared per
    /// directory.
    pub unique: bool,
    /// Whether the summary has a digest of the reported findings; without `unique`.
    #[cfg(feature = "report")]
    pub digest: bool,
    /// Findings that reports include; all are counted.
    pub shown: Showing,
    /// Worker threads, at most [`THREADS_MAX`]; at least one is used.
    pub threads: usize,
    /// Rules for the entries that directory walks skip.
    pub walk: WalkRules,
    /// Device and inode of the files that directory walks skip besides those of the outputs.
    pub own: Vec<(u64, u64)>,
    /// Settings that replace the general ones for some inputs, by path.
    pub overrides: Overrides,
    /// Known problems, which are not reported again.
    #[cfg(feature = "report")]
    pub baseline: Option<Arc<Baseline>>,
    /// Changed lines: if given, only links on these lines are reported, and baseline entries that
    /// did not occur are not reported as fixed.
    #[cfg(feature = "report")]
    pub changes: Option<Changes>,
}

/// One report to write.
pub struct Output {
    /// The format.
    pub report: &'static dyn Report,
    /// Colours and hyperlinks, for formats that have them.
    pub style: Style,
    /// `stdout` or the file's name, for errors.
    pub name: String,
    /// Device and inode of the regular files that the report is written to and of those that it
    /// replaces at the end. Directory walks skip these files.
    pub identities: Vec<(u64, u64)>,
    /// The writer that receives the report.
    pub target: Box<dyn Write + Send>,
}

/// Receives the events of a run. Called from several threads.
pub trait Observer: Sync {
    /// Receives a note, which is no finding and must not get lost.
    fn note(&self, note: &Note);

    /// Reports that `bytes` more have been read.
    fn progress(&self, bytes: u64);

    /// Receives the progress of probing, several times a second.
    fn probing(&self, _: &ProbeProgress<'_>) {}

    /// Reports that probing is finished: from here on, the reports are written.
    fn reporting(&self) {}

    /// Receives the totals once nothing more is read, even if reports could not be written.
    fn ended(&self, _: &Summary) {}
}

/// The progress of probing.
#[derive(Clone, Copy, Debug)]
pub struct ProbeProgress<'a> {
    /// Number of links with a result.
    pub settled: usize,
    /// Number of links to probe.
    pub total: usize,
    /// Number of probes in flight.
    pub under_way: usize,
    /// Estimated time until the slowest host is finished.
    pub remaining: Duration,
    /// Time since probing began.
    pub elapsed: Duration,
    /// The hosts with the longest remaining time, slowest first.
    pub slowest: &'a [SlowHost<'a>],
}

/// A host whose links take long to probe.
#[derive(Clone, Copy, Debug)]
pub struct SlowHost<'a> {
    /// Its name, as in `https://h:443`.
    pub name: &'a str,
    /// Estimated time until its links are done.
    pub remaining: Duration,
}

/// An input that the user named, or a note that explains why a line of an input list names none.
pub type Input = Result<PathBuf, Note>;

/// Scans `inputs` and writes `outputs`. A path of `-` is standard input.
///
/// Takes the next input from the iterator only when work on the previous ones has begun, so there
/// may be any number of inputs.
///
/// # Errors
/// When a report cannot be written or threads cannot be started. Inputs that cannot be read
/// are notes, and make the summary incomplete.
pub fn scan(
    inputs: &mut dyn Iterator<Item = Input>,
    options: &Options,
    outputs: Vec<Output>,
    observer: &dyn Observer,
) -> Result<Summary, Error> {
    scan_inputs(Inputs::Named(inputs), options, outputs, observer)
}

/// Scans `input`, which reports call `name`, to its end, as [`scan`] does with standard input.
///
/// # Errors
/// The errors of [`scan`].
pub fn scan_stream(
    name: &Path,
    input: &mut dyn Read,
    options: &Options,
    outputs: Vec<Output>,
    observer: &dyn Observer,
) -> Result<Summary, Error> {
    scan_inputs(Inputs::Stream(name, input), options, outputs, observer)
}

/// Scans `split` and writes `outputs`, as [`scan`] does with inputs. The split decides which kind
/// its files are read as.
///
/// # Errors
/// The errors of [`scan`].
#[cfg(feature = "report")]
pub fn scan_split(
    split: &Split,
    options: &Options,
    outputs: Vec<Output>,
    observer: &dyn Observer,
) -> Result<Summary, Error> {
    scan_inputs(Inputs::Split(split), options, outputs, observer)
}

fn scan_inputs(
    inputs: Inputs<'_>,
    options: &Options,
    outputs: Vec<Output>,
    observer: &dyn Observer,
) -> Result<Summary, Error> {
    let own = own(&outputs, options);
    observer.reporting();
    let order = Order::new(outputs, threads(options), options.unique, observer);
    let pass = Pass {
        options,
        own: &own,
        role: Role::Report,
        #[cfg(feature = "probe")]
        stop: None,
    };
    pass.read(inputs, &order)?;
    pass.finish(order, Vec::new())
}

/// Scans `inputs`, probes the targets of their links, and writes `outputs`.
///
/// Reads each input once. The findings wait in memory or in an unnamed temporary file until their
/// targets are probed, and are then reported in their order. If only local files are looked up,
/// the findings are reported while the inputs are read.
///
/// # Errors
/// The errors of [`scan`], an error when findings cannot be kept, and an error when probing cannot
/// start at all.
#[cfg(feature = "probe")]
pub fn check(
    inputs: Vec<Input>,
    options: &Options,
    requests: &RequestOptions,
    outputs: Vec<Output>,
    observer: &dyn Observer,
) -> Result<Summary, Error> {
    let before = [own(&outputs, options), kept(requests.state.as_ref())].concat();
    let documents = Documents::new(&requests.local, &inputs, options.threads);
    let gathering = Gathering::new(requests, &documents);
    let mut inputs = inputs.into_iter();
    let role = Role::Gather(&gathering);
    let pass = Pass { options, own: &before, role, stop: Some(&requests.stop) };
    // A second pass is unnecessary only if all links are looked up while reading.
    let waits = !requests.is_offline || requests.archives.looks_up_offline();
    let spooled = waits.then(|| pass.spool(&mut inputs, observer)).transpose()?;
    let (targets, names) = gathering.finish();
    let mut drive = Drive::open(requests)?;
    let learnt = if requests.is_offline {
        Learnt::default()
    } else {
        let mut learnt = drive.ask(&targets, observer)?;
        soft::suspect(&targets, &mut learnt, &mut drive, observer)?;
        learnt
    };
    let archived = Lookups::of(&targets, &learnt, &mut drive, observer)?;
    let notes = archived.notes();
    let Ended { note, is_cut, journal } = drive.end();
    if let Some(note) = &note {
        observer.note(note);
    }
    let is_cut = is_cut || note.is_some() || requests.is_stopped();
    // The files of the store exist only now.
    let own = &[own(&outputs, options), kept(requests.state.as_ref())].concat();
    let answers = Answers::new(requests, &documents, (targets, names), (learnt, archived));
    observer.reporting();
    let order = Order::new(outputs, threads(options), options.unique, observer);
    let pass = Pass { options, own, role: Role::Answer(&answers), stop: None };
    let order = match spooled {
        Some((chunks, read)) => pass.replay(chunks, order.after(read))?,
        None => {
            pass.read(Inputs::Named(&mut inputs), &order)?;
            order
        }
    };
    if is_cut {
        order.cut();
    }
    if !requests.is_offline {
        order.made(jiff::Timestamp::now());
    }
    let mut summary = pass.finish(order, notes)?;
    // Commits the journal last, so that an interrupted report never causes links to be requested
    // again.
    let note = journal.filter(|_| !is_cut).and_then(Journal::finish);
    if let Some(note) = note {
        observer.note(&note);
        summary.complete = false;
    }
    Ok(summary)
}

/// Returns the identities of the files that the run writes to, or keeps its baseline in.
fn own(outputs: &[Output], options: &Options) -> Vec<Identity> {
    let outputs = outputs.iter().flat_map(|output| output.identities.iter().copied());
    let outputs = outputs.chain(options.own.iter().copied());
    #[cfg(feature = "report")]
    let outputs = outputs.chain(options.baseline.as_ref().and_then(|known| known.identity()));
    outputs.collect()
}

/// Returns the identities of the files that the run keeps its state in.
#[cfg(feature = "probe")]
fn kept(state: Option<&StateOptions>) -> Vec<Identity> {
    let files = state.into_iter().flat_map(|state| store::files(&state.path));
    files.filter_map(|path| identity(&path, &fs::metadata(&path).ok()?)).collect()
}
