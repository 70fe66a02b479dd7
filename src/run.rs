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
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
#[cfg(feature = "report")]
use std::sync::Arc;
#[cfg(feature = "probe")]
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use regex::bytes::RegexSet;

use crate::error::Error;
use crate::finding::{Cue, Lint, Note, NoteKind, Origin, Repairs, Skip, Summary};
use crate::grammar::Grammar;
use crate::platform::{self, Identity};
use crate::report::{Report, Style};
use crate::source::Buffer;
pub use crate::source::InputKind;
#[cfg(feature = "report")]
pub use crate::source::changes::Changes;
use crate::source::file::{self, FoundAs, Reading};
pub use crate::source::names::{Ending, Names};
use crate::source::piece::{Event, Outcome, Piece, Stage};
use crate::source::threads::SpareThreads;
pub use crate::source::walk::WalkRules;
use crate::source::walk::{self, Folders, Identities, Step};
#[cfg(feature = "probe")]
use crate::store;
#[cfg(feature = "report")]
use crate::store::Baseline;

#[cfg(feature = "probe")]
mod answers;
#[cfg(feature = "probe")]
mod archive;
#[cfg(feature = "probe")]
mod asking;
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
#[cfg(feature = "probe")]
pub use asking::{Asking, Own, StateOptions, Terms};
#[cfg(feature = "report")]
pub use comparison::{Comparison, SavedRun, Seen, Side};
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
#[cfg(feature = "report")]
pub use saved::Retelling;
pub use showing::Showing;
#[cfg(feature = "report")]
pub use split::{Split, plan};
#[cfg(feature = "probe")]
use stream::Stream;
use unit::{Role, Unit, WorkerContext};

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
    #[cfg(feature = "report")]
    /// Whether the summary has a digest of the reported findings; without `unique`.
    pub digest: bool,
    /// Findings that reports include; all are counted.
    pub shown: Showing,
    /// Worker threads; at least one is used.
    pub threads: usize,
    /// Rules for the entries that directory walks skip.
    pub walk: WalkRules,
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

/// Files up to this size are worked on whole, several of them as one unit.
const SMALL_FILE_LEN_MAX: u64 = 256 * 1024;
/// Bytes of small files in one unit: large enough that handing it over costs next to nothing, and
/// small enough that no thread waits long for the last unit. Compressed files may unpack to five
/// times as many.
const UNIT_LEN_MAX: u64 = 256 * 1024;
/// Small files in one unit: opening a file costs as much as reading some 100 kB.
const UNIT_FILES_MAX: usize = 64;

/// Pieces up to this size are copied and handed over together: a message of an archive is
/// worked on in a fraction of the time that handing it over takes.
const SMALL_PIECE_LEN_MAX: usize = 32 * 1024;
/// Bytes of small pieces in one unit.
const SMALL_LEN_MAX: usize = 256 * 1024;
/// Small pieces in one unit.
const SMALL_PIECES_MAX: usize = 256;

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
    pass.finish(order)
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
    asking: &Asking,
    outputs: Vec<Output>,
    observer: &dyn Observer,
) -> Result<Summary, Error> {
    let before = [own(&outputs, options), kept(asking.state.as_ref())].concat();
    let documents = Documents::new(&asking.local, &inputs, options.threads);
    let gathering = Gathering::new(asking, &documents);
    let mut inputs = inputs.into_iter();
    let role = Role::Gather(&gathering);
    let pass = Pass { options, own: &before, role, stop: Some(&asking.stop) };
    // A second pass is unnecessary only if all links are looked up while reading.
    let waits = !asking.is_offline || asking.archives.looks_up_offline();
    let spooled = waits.then(|| pass.spool(&mut inputs, observer)).transpose()?;
    let (targets, names) = gathering.finish();
    let mut drive = Drive::open(asking)?;
    let learnt = match asking.is_offline {
        true => Learnt::default(),
        false => {
            let mut learnt = drive.ask(&targets, observer)?;
            soft::suspect(&targets, &mut learnt, &mut drive, observer)?;
            learnt
        }
    };
    let archived = Lookups::of(&targets, &learnt, &mut drive, observer)?;
    let Ended { note, is_cut, journal } = drive.end();
    if let Some(note) = &note {
        observer.note(note);
    }
    let is_cut = is_cut || note.is_some() || asking.is_stopped();
    // The files of the store exist only now.
    let own = &[own(&outputs, options), kept(asking.state.as_ref())].concat();
    let answers = Answers::new(asking, &documents, (targets, names), (learnt, archived));
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
    let mut summary = pass.finish(order)?;
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
#[cfg_attr(not(feature = "report"), expect(unused_variables, reason = "there is no baseline"))]
fn own(outputs: &[Output], options: &Options) -> Vec<Identity> {
    let outputs = outputs.iter().flat_map(|output| output.identities.iter().copied());
    #[cfg(feature = "report")]
    let outputs = outputs.chain(options.baseline.as_ref().and_then(|known| known.identity()));
    outputs.collect()
}

/// Returns the identities of the files that the run keeps its state in.
#[cfg(feature = "probe")]
fn kept(state: Option<&StateOptions>) -> Vec<Identity> {
    let files = state.into_iter().flat_map(|state| store::files(&state.path));
    files.filter_map(|path| platform::identity(&path, &fs::metadata(&path).ok()?)).collect()
}

/// Reads the inputs and hands units to the pool.
struct InputReader<'r, 's> {
    scope: &'r rayon::ScopeFifo<'s>,
    context: WorkerContext<'s>,
    /// See [`Pass::stop`].
    #[cfg(feature = "probe")]
    stop: Option<&'r AtomicBool>,
    /// Files that were already met, and the files that the run writes to.
    identities: Identities,
    /// Directories of mail spools, where files are read as mail.
    folders: Folders,
    /// Number of the next unit.
    next: u64,
    /// Small pieces that precede the next unit and were not handed over yet.
    small: Small,
    /// Buffers that are being filled now.
    lent: Lent,
}

/// Counts of the buffers that were taken, and neither handed over nor given back.
#[derive(Default)]
struct Lent {
    usual: usize,
    has_large: bool,
}

impl InputReader<'_, '_> {
    fn read_all(
        &mut self,
        inputs: &mut dyn Iterator<Item = Input>,
        rules: WalkRules,
    ) -> ControlFlow<()> {
        let mut batch = Batch::of(FoundAs::Named);
        for input in inputs {
            match input {
                Ok(path) => self.read_named(path, rules, &mut batch)?,
                Err(note) => {
                    self.hand_over(&mut batch)?;
                    self.note(note)?;
                }
            }
        }
        self.hand_over(&mut batch)?;
        self.hand_over_small()
    }

    /// Reads an input that the user named; `batch` holds the small files named before it.
    fn read_named(
        &mut self,
        path: PathBuf,
        rules: WalkRules,
        batch: &mut Batch,
    ) -> ControlFlow<()> {
        if path.as_os_str() == file::STDIN {
            self.hand_over(batch)?;
            return self.read_special(&path);
        }
        match platform::metadata(&path) {
            Ok(found) if found.is_file() => self.add(path, found.len(), batch),
            Ok(found) => {
                self.hand_over(batch)?;
                if found.is_dir() { self.read_tree(&path, rules) } else { self.read_special(&path) }
            }
            Err(source) => {
                self.hand_over(batch)?;
                let error = Error::Open { path: path.clone(), source };
                self.note(unit::cannot_open(&error, &path, NoteKind::InputUnreadable))
            }
        }
    }

    /// Reads standard input, or a pipe or a device that the user named.
    fn read_special(&mut self, path: &Path) -> ControlFlow<()> {
        self.read_here(path, FoundAs::Named, NoteKind::InputUnreadable, |reader| {
            let reading = reader.context.reading;
            #[cfg(feature = "probe")]
            if let Some(stop) = reader.stop {
                let at = |source| Error::Read { path: path.to_owned(), offset: 0, source };
                let mut stream = Stream::open(path, stop).map_err(at)?;
                return Ok(file::read_from(&mut stream, path, reading, reader));
            }
            if path.as_os_str() == file::STDIN {
                return Ok(file::read_stdin(reading, reader));
            }
            file::read(path, reading, reader)
        })?;
        // The next input may be a pipe that keeps us waiting.
        self.hand_over_small()
    }

    /// Reads `input`, which reports call `name`.
    fn read_stream(&mut self, name: &Path, input: &mut dyn Read) -> ControlFlow<()> {
        self.read_here(name, FoundAs::Named, NoteKind::InputUnreadable, |reader| {
            Ok(file::read_from(input, name, reader.context.reading, reader))
        })?;
        self.hand_over_small()
    }

    /// Reads an input on this thread. A panic becomes a note, so that the other inputs are still
    /// read.
    fn read_here(
        &mut self,
        path: &Path,
        found: FoundAs,
        when_gone: NoteKind,
        read: impl FnOnce(&mut Self) -> Result<file::Report, Error>,
    ) -> ControlFlow<()> {
        match unit::attempt(|| read(self)) {
            Some(Ok(report)) if found == FoundAs::Named => self.report_named(path, report),
            Some(Ok(report)) => self.report(report),
            Some(Err(error)) => self.note(unit::cannot_open(&error, path, when_gone)),
            None => {
                self.replace_lost();
                self.note(unit::failed(Origin { path: path.to_owned(), ..Origin::default() }, None))
            }
        }
    }

    /// Replaces the buffers that a panic lost.
    fn replace_lost(&mut self) {
        let lost = std::mem::take(&mut self.lent);
        for _ in 0..lost.usual {
            self.context.pool.give_back(self.context.pool.replacement(false));
        }
        if lost.has_large {
            self.context.pool.give_back(self.context.pool.replacement(true));
        }
    }

    /// Records that this thread no longer holds `buffer`.
    fn returns(&mut self, buffer: &Buffer) {
        if self.context.pool.is_large(buffer) {
            self.lent.has_large = false;
        } else {
            self.lent.usual = self.lent.usual.saturating_sub(1);
        }
    }

    fn read_tree(&mut self, root: &Path, rules: WalkRules) -> ControlFlow<()> {
        let mut batch = Batch::of(FoundAs::Walked);
        let mut stopped = ControlFlow::Continue(());
        let mut identities = std::mem::take(&mut self.identities);
        walk::walk(root, rules, &mut identities, &mut |step| {
            stopped = self.step(step, &mut batch);
            stopped
        });
        self.identities = identities;
        stopped?;
        self.hand_over(&mut batch)
    }

    fn step(&mut self, step: Step, batch: &mut Batch) -> ControlFlow<()> {
        match step {
            Step::Skipped(skip) => {
                self.context.order.skipped(skip);
                ControlFlow::Continue(())
            }
            Step::Failed(error) => {
                self.hand_over(batch)?;
                let path = error.input().map(Path::to_owned).unwrap_or_default();
                self.note(file::unreadable(&error, Origin { path, ..Origin::default() }))
            }
            Step::File(path, size) => self.add(path, size, batch),
            Step::Forgotten(path, size) => {
                self.hand_over(batch)?;
                self.note(unit::forgotten(&path))?;
                self.add(path, size, batch)
            }
        }
    }

    /// Adds a small file to `batch`; reads a large one here and hands its pieces over.
    fn add(&mut self, path: PathBuf, size: u64, batch: &mut Batch) -> ControlFlow<()> {
        let kind = self.kind(&path, batch.found);
        self.add_as(path, size, kind, batch)
    }

    /// Adds a file that is read as `kind`.
    fn add_as(
        &mut self,
        path: PathBuf,
        size: u64,
        kind: InputKind,
        batch: &mut Batch,
    ) -> ControlFlow<()> {
        if size > SMALL_FILE_LEN_MAX {
            self.hand_over(batch)?;
            return self.read_large(&path, batch.found, kind);
        }
        if kind != batch.kind {
            self.hand_over(batch)?;
            batch.kind = kind;
        }
        batch.bytes += size;
        batch.files.push(path);
        if batch.bytes >= UNIT_LEN_MAX || batch.files.len() >= UNIT_FILES_MAX {
            return self.hand_over(batch);
        }
        ControlFlow::Continue(())
    }

    /// Returns how to read the file at `path`: as mail, if it lies in a spool and the user chose no
    /// kind. A message with a broken header would pass for text, and its links would be probed
    /// under the rules for text.
    fn kind(&mut self, path: &Path, found: FoundAs) -> InputKind {
        match self.context.reading.kind {
            InputKind::Auto if self.folders.hold(path, found) => InputKind::Posted,
            kind => kind,
        }
    }

    fn read_large(&mut self, path: &Path, found: FoundAs, kind: InputKind) -> ControlFlow<()> {
        self.read_here(path, found, NoteKind::InputVanished, |reader| {
            let context = reader.context;
            let reading = Reading { kind, ..context.reading };
            file::read_again(path, found, reading, context.renamed, reader)
        })
    }

    /// Reports an input that the user named: unlike `report`, adds a note if it is in an
    /// unsupported packed format.
    fn report_named(&mut self, path: &Path, report: file::Report) -> ControlFlow<()> {
        if let Outcome::Packed(kind) = report.outcome {
            self.note(unit::packed(path, kind))?;
        }
        self.report(report)
    }

    fn report(&mut self, report: file::Report) -> ControlFlow<()> {
        match report.outcome {
            Outcome::Stopped => return ControlFlow::Break(()),
            Outcome::Packed(_) => self.context.order.skipped(Skip::Packed),
            Outcome::Read => self.context.order.file_read(report.bytes),
        }
        report.note.map_or(ControlFlow::Continue(()), |note| self.note(note))
    }

    /// Hands over `note` as a unit, so that it appears in the output where its input would.
    fn note(&mut self, note: Note) -> ControlFlow<()> {
        let buffer = self.context.pool.take();
        self.spawn(Unit::Note(note, buffer))
    }

    fn hand_over(&mut self, batch: &mut Batch) -> ControlFlow<()> {
        if batch.files.is_empty() {
            return ControlFlow::Continue(());
        }
        let next = Batch { kind: batch.kind, ..Batch::of(batch.found) };
        let Batch { files, found, kind, .. } = std::mem::replace(batch, next);
        let buffer = self.context.pool.take();
        self.spawn(Unit::Files(files, found, kind, buffer))
    }

    /// Keeps a small piece, to hand it over with others.
    fn keep(&mut self, mut piece: Piece) -> ControlFlow<()> {
        let buffer = std::mem::replace(&mut piece.bytes, Buffer::new(0));
        piece.bytes = Buffer::of(&buffer);
        self.small.bytes += piece.bytes.len();
        self.small.pieces.push(piece);
        // The batch holds one pool buffer, so that the number of batches is bounded, too.
        match self.small.buffer {
            None => self.small.buffer = Some(buffer),
            Some(_) => self.context.pool.give_back(buffer),
        }
        if self.small.bytes < SMALL_LEN_MAX && self.small.pieces.len() < SMALL_PIECES_MAX {
            return ControlFlow::Continue(());
        }
        self.hand_over_small()
    }

    fn hand_over_small(&mut self) -> ControlFlow<()> {
        let Small { pieces, buffer, .. } = std::mem::take(&mut self.small);
        match buffer {
            Some(buffer) => self.spawn_next(Unit::Pieces(pieces, buffer)),
            None => ControlFlow::Continue(()),
        }
    }

    fn spawn(&mut self, unit: Unit) -> ControlFlow<()> {
        self.hand_over_small()?;
        self.spawn_next(unit)
    }

    fn spawn_next(&mut self, unit: Unit) -> ControlFlow<()> {
        if self.context.order.is_stopped() {
            return ControlFlow::Break(());
        }
        let (number, context) = (self.next, self.context);
        self.next += 1;
        self.scope.spawn_fifo(move |_| unit::work(number, unit, context));
        ControlFlow::Continue(())
    }
}

impl Stage for InputReader<'_, '_> {
    fn buffer(&mut self) -> Buffer {
        self.lent.usual += 1;
        self.context.pool.take()
    }

    fn large_buffer(&mut self, len: usize) -> Buffer {
        self.lent.has_large = true;
        self.context.pool.take_large(len)
    }

    fn give_back(&mut self, buffer: Buffer) {
        self.returns(&buffer);
        self.context.pool.give_back(buffer);
    }

    fn take(&mut self, piece: Piece) -> ControlFlow<()> {
        self.returns(&piece.bytes);
        let is_alone = piece.reached.is_none() && piece.reached_before.is_none();
        if is_alone && piece.bytes.len() <= SMALL_PIECE_LEN_MAX {
            return self.keep(piece);
        }
        self.spawn(Unit::Piece(Box::new(piece)))
    }

    fn event(&mut self, event: Event) -> ControlFlow<()> {
        match event {
            Event::Member => self.context.order.member_read(),
            Event::Skipped(skip) => self.context.order.skipped(skip),
            Event::Note(note) => return self.note(note),
        }
        ControlFlow::Continue(())
    }

    fn spare_threads(&self) -> Option<SpareThreads> {
        self.context.spare_threads.cloned()
    }
}

/// Small pieces, such as the members of archives, that form one unit.
#[derive(Default)]
struct Small {
    pieces: Vec<Piece>,
    bytes: usize,
    /// The pool buffer of the batch; present if there are pieces.
    buffer: Option<Buffer>,
}

/// Small files that form one unit.
struct Batch {
    files: Vec<PathBuf>,
    bytes: u64,
    /// How all of them were found.
    found: FoundAs,
    /// How all of them are read.
    kind: InputKind,
}

impl Batch {
    const fn of(found: FoundAs) -> Self {
        Self { files: Vec::new(), bytes: 0, found, kind: InputKind::Auto }
    }
}

#[cfg(test)]
mod tests;
