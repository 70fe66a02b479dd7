//! The conductor: connects source, check and report, and keeps everything in order.
//!
//! One thread reads and cuts, the pool's threads work on units (a piece of a large input, or
//! a few small files), and what they made is written in the order of the inputs. The number
//! of buffers bounds what is under way, so that a slow disk, a slow reader of our output or
//! a slow piece make the others wait.
//!
//! Where links are asked, there are two such passes: `gather` collects what is to be asked, `drive`
//! asks it, and `answers` has for each finding of the second pass what was learnt.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::os::unix::fs::MetadataExt as _;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use regex::bytes::RegexSet;

use crate::check;
use crate::error::Error;
use crate::finding::{Cue, Lint, Note, NoteKind, Origin, Repairs, Summary};
use crate::grammar::Grammar;
use crate::report::{Report, Style};
use crate::source::Buffer;
pub use crate::source::InputKind;
pub use crate::source::changes::Changes;
use crate::source::file::{self, Found, Reading};
pub use crate::source::names::{Ending, Names};
use crate::source::piece::{self, Outcome, Piece, Stage, Told};
pub use crate::source::walk::WalkRules;
use crate::source::walk::{self, Folders, Identities, Step};
use crate::store::{self, Baseline};

mod answers;
mod asking;
mod documents;
mod drive;
mod gather;
mod hands;
mod hash;
mod lead;
mod names;
mod order;
mod overrides;
mod pool;
mod saved;
mod sieve;
mod sink;
mod spool;
mod target;
mod unit;

use answers::Answers;
pub use asking::{Asking, Own, State, Terms};
use documents::Documents;
use drive::{Ended, Journal};
use gather::Gathering;
use order::Order;
pub use overrides::{Overrides, Paths, Wanted};
use pool::Pool;
pub use saved::Retelling;
pub use sieve::Showing;
use sieve::Sieve;
use sink::Encoder;
use spool::Spools;
use unit::{Means, Role, Unit};

/// What to do with the inputs; by default, no grammar is asked and nothing is reported.
#[derive(Default)]
pub struct Options {
    /// Grammars to hold each URI to; the first decides nothing more than the others.
    pub grammars: Vec<&'static dyn Grammar>,
    /// Repairs that grammars must not make.
    pub refused: Repairs,
    /// Cues to report.
    pub find: Vec<Cue>,
    /// How to read inputs.
    pub kind: InputKind,
    /// Only URIs that one of these matches, when there are any.
    pub include: RegexSet,
    /// No URI that one of these matches.
    pub exclude: RegexSet,
    /// Lints that say nothing.
    pub allowed: Vec<&'static Lint>,
    /// Report each different link once, where it stands first; URIs with one
    /// [key](crate::grammar::normalize::key) are one, relative ones in each directory.
    pub unique: bool,
    /// Which findings reports have; all are counted.
    pub shown: Showing,
    /// Worker threads; at least one is used.
    pub threads: usize,
    /// What directory walks leave out.
    pub walk: WalkRules,
    /// What is wanted of some of the inputs instead.
    pub overrides: Overrides,
    /// Trouble that is known, and is skipped.
    pub baseline: Option<Arc<Baseline>>,
    /// Only links on lines that have changed; what is known and was not met is not called fixed
    /// then.
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
    /// Device and inode of regular files that it goes to, and that it takes the place of in the
    /// end: walks pass these files by.
    pub identities: Vec<(u64, u64)>,
    /// Where it goes.
    pub target: Box<dyn Write + Send>,
}

/// Hears what happens during a run. Called from several threads.
pub trait Observer: Sync {
    /// Something that is no finding and must not get lost.
    fn note(&self, note: &Note);

    /// `bytes` more have been read.
    fn progress(&self, bytes: u64);

    /// How far asking has come; told several times a second.
    fn asked(&self, _: &Asked<'_>) {}

    /// All is asked: what is read from here on is written to the reports.
    fn reporting(&self) {}

    /// The totals so far, when nothing more is read; told also where reports could not be written.
    fn ended(&self, _: &Summary) {}
}

/// How far asking has come.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Links that have their answer.
    pub settled: usize,
    /// Links to be asked.
    pub total: usize,
    /// Questions under way.
    pub under_way: usize,
    /// How long the host with the most links will take, as it looks.
    pub remaining: Duration,
    /// Since asking began.
    pub elapsed: Duration,
    /// The hosts that will take the longest, the slowest first.
    pub slowest: &'a [SlowHost<'a>],
}

/// A host that takes its time.
#[derive(Clone, Copy, Debug)]
pub struct SlowHost<'a> {
    /// Its name, as in `https://h:443`.
    pub name: &'a str,
    /// Until its links are done, as it looks.
    pub remaining: Duration,
}

/// Files up to this size are worked on whole, several of them as one unit.
const SMALL_FILE_LEN_MAX: u64 = 256 * 1024;
/// Bytes of small files in one unit: enough that handing it over costs nothing beside, and few
/// enough that nobody waits long for the last one. What is packed may be five times as many.
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

/// An input that somebody named; or why there is none, where lists of them are read.
pub type Input = Result<PathBuf, Note>;

/// Scans `inputs` and writes `outputs`. A path of `-` is standard input.
///
/// The next input is asked for when those before it are under way: there may be any number.
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
    let own = own(&outputs, options, None);
    let spools = &Spools::default();
    observer.reporting();
    Pass { options, own: &own, spools, role: Role::Tell, stop: None, is_cut: false }
        .run(inputs, outputs, observer)
}

/// Scans `inputs`, asks whether what they link to answers, and writes `outputs`.
///
/// The inputs are read twice: once to gather what is to be asked, and once, when all is
/// answered, to report it where it stands. What can be read only once is kept in files without
/// a name in between.
///
/// # Errors
/// Those of [`scan`], and when nothing can be asked at all.
pub fn check(
    inputs: Vec<Input>,
    options: &Options,
    asking: &Asking,
    outputs: Vec<Output>,
    observer: &dyn Observer,
) -> Result<Summary, Error> {
    let before = own(&outputs, options, asking.state.as_ref());
    let (spools, inputs) = if asking.is_offline {
        (Spools::default(), inputs)
    } else {
        Spools::of(inputs, &asking.stop)
    };
    let documents = Documents::new(&asking.local, &inputs, options.threads);
    let spools = &spools;
    let gathering = Gathering::new(asking, &documents);
    // Files are looked up in the second pass: where nothing else is, there need be no first.
    if !asking.is_offline {
        let (role, stop) = (Role::Gather(&gathering), Some(&*asking.stop));
        let first = Pass { options, own: &before, spools, role, stop, is_cut: false };
        first.run(&mut inputs.iter().cloned(), Vec::new(), &Unheard(observer))?;
    }
    let (targets, names) = gathering.finish();
    let Ended { learnt, note, journal } = drive::ask(&targets, asking, observer)?;
    if let Some(note) = &note {
        observer.note(note);
    }
    let is_cut = note.is_some() || asking.is_stopped();
    // By now there are files for what was learnt.
    let own = &own(&outputs, options, asking.state.as_ref());
    let answers = Answers::new(asking, &documents, (targets, names), learnt);
    let second = Pass { options, own, spools, role: Role::Answer(&answers), stop: None, is_cut };
    observer.reporting();
    let mut summary = second.run(&mut inputs.into_iter(), outputs, observer)?;
    // Not before everybody knows: whoever is stopped while that is written asks nothing twice.
    let note = journal.filter(|_| !is_cut).and_then(Journal::finish);
    if let Some(note) = note {
        observer.note(&note);
        summary.complete = false;
    }
    Ok(summary)
}

/// Device and inode of files that the run writes to, or keeps its own words in.
fn own(outputs: &[Output], options: &Options, state: Option<&State>) -> Vec<(u64, u64)> {
    let baseline = options.baseline.as_ref().and_then(|baseline| baseline.identity());
    let state = state.into_iter().flat_map(|state| store::files(&state.path));
    let state = state.filter_map(|path| fs::metadata(path).ok());
    let state = state.map(|found| (found.dev(), found.ino()));
    let outputs = outputs.iter().flat_map(|output| output.identities.iter().copied());
    outputs.chain(baseline).chain(state).collect()
}

/// Notes of a first pass come again in the second.
struct Unheard<'o>(&'o dyn Observer);

impl Observer for Unheard<'_> {
    fn note(&self, _: &Note) {}

    fn progress(&self, bytes: u64) {
        self.0.progress(bytes);
    }
}

/// One way through the inputs.
struct Pass<'p> {
    options: &'p Options,
    /// Device and inode of files that the run writes to.
    own: &'p [(u64, u64)],
    /// What stands for inputs that can be read only once.
    spools: &'p Spools,
    role: Role<'p>,
    /// Set when nothing more is to be read.
    stop: Option<&'p AtomicBool>,
    /// True when what was to be done before was not done in full.
    is_cut: bool,
}

impl Pass<'_> {
    fn run(
        self,
        inputs: &mut dyn Iterator<Item = Input>,
        outputs: Vec<Output>,
        observer: &dyn Observer,
    ) -> Result<Summary, Error> {
        let Self { options, role, .. } = self;
        let threads = options.threads.max(1);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| Error::Threads { reason: error.to_string() })?;
        // What is asked depends on what a message says of itself.
        let is_check = !matches!(role, Role::Tell);
        let order = Order::new(outputs, threads, options.unique, observer);
        let tells_messages = order.encoders().iter().any(Encoder::tells_messages);
        let names = matches!(role, Role::Gather(_));
        let overrides = &options.overrides.telling(is_check || tells_messages, names);
        let checks = overrides::checks(options, is_check || tells_messages, names);
        if self.is_cut {
            order.cut();
        }
        // Each thread works on one buffer while one waits for it, and the reader fills two.
        let buffer_len = piece::buffer_len(piece::CORE_LEN_MAX, check::WINDOW);
        let buffers = Pool::new(2 * threads + 2, buffer_len);
        let means = Means {
            order: &order,
            checks: &checks,
            overrides,
            reading: Reading { kind: options.kind, window: check::WINDOW },
            pool: &buffers,
            memories: &unit::Memories::new(threads),
            renamed: &Mutex::default(),
            role,
            sieve: Sieve::of(options),
        };
        let mut inputs = inputs.inspect(|input| means.sieve.will_read(input));
        pool.in_place_scope_fifo(|scope| {
            let mut reader = Reader {
                scope,
                means,
                spools: self.spools,
                stop: self.stop,
                identities: Identities::new(self.own.to_vec()),
                folders: Folders::default(),
                next: 0,
                small: Small::default(),
                lent: Lent::default(),
            };
            // A break means that nothing can be written any more; the reason is in `order`.
            let _ = reader.read_all(&mut inputs, options.walk);
        });
        let fixed = if order.is_complete() { means.sieve.fixed(options) } else { Vec::new() };
        order.finish(&fixed)
    }
}

/// Reads the inputs and hands units to the pool.
struct Reader<'r, 's> {
    scope: &'r rayon::ScopeFifo<'s>,
    means: Means<'s>,
    /// What stands for inputs that can be read only once.
    spools: &'r Spools,
    /// Set when nothing more is to be read.
    stop: Option<&'r AtomicBool>,
    /// The files that were met, and those that the run writes to.
    identities: Identities,
    /// Which files are mail for where they stand.
    folders: Folders,
    /// Number of the next unit.
    next: u64,
    /// What stands before the next unit and was not handed over yet.
    small: Small,
    /// Buffers that are read into now.
    lent: Lent,
}

/// Buffers that were taken and neither handed over nor given back.
#[derive(Default)]
struct Lent {
    usual: usize,
    has_large: bool,
}

impl Reader<'_, '_> {
    fn read_all(
        &mut self,
        inputs: &mut dyn Iterator<Item = Input>,
        rules: WalkRules,
    ) -> ControlFlow<()> {
        let mut batch = Batch::of(Found::Named);
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

    /// Reads what somebody named; `batch` holds the small files named before it.
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
        match fs::metadata(&path) {
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

    /// Reads standard input, or a pipe or a device that somebody named.
    fn read_special(&mut self, path: &Path) -> ControlFlow<()> {
        self.read_here(path, Found::Named, NoteKind::InputUnreadable, |reader| {
            let reading = reader.means.reading;
            if let Some(mut spool) = reader.spools.of_path(path) {
                return Ok(file::read_from(&mut spool, path, reading, reader));
            }
            if path.as_os_str() == file::STDIN {
                return Ok(file::read_stdin(reading, reader));
            }
            file::read(path, reading, reader)
        })?;
        // The next input may be a pipe that keeps us waiting.
        self.hand_over_small()
    }

    /// Reads an input on this thread. If the program fails on it, the others are read.
    fn read_here(
        &mut self,
        path: &Path,
        found: Found,
        when_gone: NoteKind,
        read: impl FnOnce(&mut Self) -> Result<file::Report, Error>,
    ) -> ControlFlow<()> {
        match panic::catch_unwind(AssertUnwindSafe(|| read(self))) {
            Ok(Ok(report)) if found == Found::Named => self.report_named(path, report),
            Ok(Ok(report)) => self.report(report),
            Ok(Err(error)) => self.note(unit::cannot_open(&error, path, when_gone)),
            Err(_) => {
                self.replace_lost();
                self.note(unit::failed(Origin { path: path.to_owned(), ..Origin::default() }, None))
            }
        }
    }

    /// Makes others for the buffers that were lost with what failed.
    fn replace_lost(&mut self) {
        let lost = std::mem::take(&mut self.lent);
        for _ in 0..lost.usual {
            self.means.pool.give_back(self.means.pool.replacement(false));
        }
        if lost.has_large {
            self.means.pool.give_back(self.means.pool.replacement(true));
        }
    }

    /// This thread has `buffer` no more.
    fn returns(&mut self, buffer: &Buffer) {
        if self.means.pool.is_large(buffer) {
            self.lent.has_large = false;
        } else {
            self.lent.usual = self.lent.usual.saturating_sub(1);
        }
    }

    fn read_tree(&mut self, root: &Path, rules: WalkRules) -> ControlFlow<()> {
        let mut batch = Batch::of(Found::Walked);
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
            Step::Skipped(reason) => {
                self.means.order.skipped(reason);
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

    /// How the file at `path` is read: as mail, where it stands in a spool and nobody said
    /// otherwise. A message whose head is broken would be text, and its links asked as those of
    /// texts are.
    fn kind(&mut self, path: &Path, found: Found) -> InputKind {
        match self.means.reading.kind {
            InputKind::Auto if self.folders.hold(path, found) => InputKind::Posted,
            kind => kind,
        }
    }

    fn read_large(&mut self, path: &Path, found: Found, kind: InputKind) -> ControlFlow<()> {
        self.read_here(path, found, NoteKind::InputVanished, |reader| {
            let means = reader.means;
            let reading = Reading { kind, ..means.reading };
            file::read_again(path, found, reading, means.renamed, reader)
        })
    }

    /// Like `report`, for an input that was asked for by name: it must not be left out.
    fn report_named(&mut self, path: &Path, report: file::Report) -> ControlFlow<()> {
        if let Outcome::Packed(kind) = report.outcome {
            self.note(unit::packed(path, kind))?;
        }
        self.report(report)
    }

    fn report(&mut self, report: file::Report) -> ControlFlow<()> {
        match report.outcome {
            Outcome::Stopped => return ControlFlow::Break(()),
            Outcome::Packed(_) => self.means.order.skipped(unit::PACKED),
            Outcome::Read => self.means.order.file_read(report.bytes),
        }
        report.note.map_or(ControlFlow::Continue(()), |note| self.note(note))
    }

    /// A note stands in the output where its input does.
    fn note(&mut self, note: Note) -> ControlFlow<()> {
        let buffer = self.means.pool.take();
        self.spawn(Unit::Note(note, buffer))
    }

    fn hand_over(&mut self, batch: &mut Batch) -> ControlFlow<()> {
        if batch.files.is_empty() {
            return ControlFlow::Continue(());
        }
        let next = Batch { kind: batch.kind, ..Batch::of(batch.found) };
        let Batch { files, found, kind, .. } = std::mem::replace(batch, next);
        let buffer = self.means.pool.take();
        self.spawn(Unit::Files(files, found, kind, buffer))
    }

    /// Keeps a small piece to hand it over with others.
    fn keep(&mut self, mut piece: Piece) -> ControlFlow<()> {
        let buffer = std::mem::replace(&mut piece.bytes, Buffer::new(0));
        piece.bytes = Buffer::of(&buffer);
        self.small.bytes += piece.bytes.len();
        self.small.pieces.push(piece);
        // One buffer stands for all of them, so that their number is bounded, too.
        match self.small.buffer {
            None => self.small.buffer = Some(buffer),
            Some(_) => self.means.pool.give_back(buffer),
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
        let is_unwanted = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if is_unwanted || self.means.order.is_stopped() {
            return ControlFlow::Break(());
        }
        let (number, means) = (self.next, self.means);
        self.next += 1;
        self.scope.spawn_fifo(move |_| unit::work(number, unit, means));
        ControlFlow::Continue(())
    }
}

impl Stage for Reader<'_, '_> {
    fn buffer(&mut self) -> Buffer {
        self.lent.usual += 1;
        self.means.pool.take()
    }

    fn large_buffer(&mut self, len: usize) -> Buffer {
        self.lent.has_large = true;
        self.means.pool.take_large(len)
    }

    fn give_back(&mut self, buffer: Buffer) {
        self.returns(&buffer);
        self.means.pool.give_back(buffer);
    }

    fn take(&mut self, piece: Piece) -> ControlFlow<()> {
        self.returns(&piece.bytes);
        let is_alone = piece.reached.is_none() && piece.reached_before.is_none();
        if is_alone && piece.bytes.len() <= SMALL_PIECE_LEN_MAX {
            return self.keep(piece);
        }
        self.spawn(Unit::Piece(Box::new(piece)))
    }

    fn tell(&mut self, told: Told) -> ControlFlow<()> {
        match told {
            Told::Member => self.means.order.member_read(),
            Told::Skipped(reason) => self.means.order.skipped(reason),
            Told::Note(note) => return self.note(note),
        }
        ControlFlow::Continue(())
    }
}

/// Small pieces that are one unit: the members of archives.
#[derive(Default)]
struct Small {
    pieces: Vec<Piece>,
    bytes: usize,
    /// There is one when there are pieces.
    buffer: Option<Buffer>,
}

/// Small files that are one unit.
struct Batch {
    files: Vec<PathBuf>,
    bytes: u64,
    /// How one came to all of them.
    found: Found,
    /// How all of them are read.
    kind: InputKind,
}

impl Batch {
    const fn of(found: Found) -> Self {
        Self { files: Vec::new(), bytes: 0, found, kind: InputKind::Auto }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Mutex;

    use super::{
        Cue, Folders, Found, InputKind, Lent, Means, Note, NoteKind, Observer, Order, Output, Pool,
        Reader, Reading, RegexSet, Repairs, Role, Sieve, Small, Spools, Stage as _, Style, check,
        unit, walk,
    };
    use crate::check::Checks;
    use crate::report;

    #[derive(Default)]
    struct Notes(Mutex<Vec<NoteKind>>);

    impl Observer for Notes {
        fn note(&self, note: &Note) {
            self.0.lock().unwrap().push(note.kind);
        }

        fn progress(&self, _: u64) {}
    }

    fn checks() -> Checks {
        Checks {
            grammars: Vec::new(),
            refused: Repairs::NONE,
            cues: Cue::ALL.to_vec(),
            include: RegexSet::empty(),
            exclude: RegexSet::empty(),
            allowed: Vec::new(),
            messages: false,
            names: false,
            effects: false,
        }
    }

    #[test]
    fn a_failure_while_reading_is_noted_and_loses_no_buffer() {
        let notes = Notes::default();
        let output = Output {
            report: report::find("text").unwrap(),
            style: Style::default(),
            name: "nowhere".to_owned(),
            identities: Vec::new(),
            target: Box::new(std::io::sink()),
        };
        let order = Order::new(vec![output], 1, false, &notes);
        let (checks, buffers) = (checks(), Pool::new(2, 10));
        let reading = Reading { kind: InputKind::Auto, window: check::WINDOW };
        let memories = unit::Memories::default();
        let pool = &buffers;
        let renamed = Mutex::default();
        let means = Means {
            order: &order,
            checks: &checks,
            overrides: &super::Overrides::default(),
            reading,
            pool,
            memories: &memories,
            renamed: &renamed,
            role: Role::Tell,
            sieve: Sieve::default(),
        };
        let spools = Spools::default();
        let threads = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        threads.in_place_scope_fifo(|scope| {
            let (small, identities) = (Small::default(), walk::Identities::new(Vec::new()));
            let mut reader = Reader {
                scope,
                means,
                spools: &spools,
                stop: None,
                identities,
                folders: Folders::default(),
                next: 0,
                small,
                lent: Lent::default(),
            };
            for _ in 0..3 {
                let done = reader.read_here(
                    Path::new("a"),
                    Found::Walked,
                    NoteKind::InputVanished,
                    |reader| {
                        let _lost = (reader.buffer(), reader.buffer(), reader.large_buffer(100));
                        panic!("the bug of this test");
                    },
                );
                assert!(done.is_continue());
            }
        });
        assert!(!order.finish(&[]).unwrap().complete);
        assert_eq!(notes.0.into_inner().unwrap(), [NoteKind::Internal; 3]);
    }
}
