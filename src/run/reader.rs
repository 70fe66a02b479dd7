//! Reads the inputs, and hands units of work to the pool.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
#[cfg(feature = "probe")]
use std::sync::atomic::AtomicBool;

#[cfg(feature = "probe")]
use super::stream::Stream;
use super::unit::{self, Unit, WorkerContext};
use super::{Input, InputKind, WalkRules};
use crate::error::Error;
use crate::finding::{Note, NoteKind, Origin, Skip};
use crate::platform::{self, Identity};
use crate::source::Buffer;
use crate::source::file::{self, FoundAs, Reading};
use crate::source::piece::{Event, Outcome, Piece, Stage};
use crate::source::threads::SpareThreads;
use crate::source::walk::{self, Folders, Identities, Step};

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

/// Reads the inputs and hands units to the pool.
pub(super) struct InputReader<'r, 's> {
    scope: &'r rayon::ScopeFifo<'s>,
    pub(super) context: WorkerContext<'s>,
    /// See [`Pass::stop`](super::pass::Pass::stop).
    #[cfg(feature = "probe")]
    pub(super) stop: Option<&'r AtomicBool>,
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

impl<'r, 's> InputReader<'r, 's> {
    /// Returns a reader that has read nothing; `own` are the files that the run writes to.
    pub(super) fn new(
        scope: &'r rayon::ScopeFifo<'s>,
        context: WorkerContext<'s>,
        own: &[Identity],
    ) -> Self {
        Self {
            scope,
            context,
            #[cfg(feature = "probe")]
            stop: None,
            identities: Identities::new(own.to_vec()),
            folders: Folders::default(),
            next: 0,
            small: Small::default(),
            lent: Lent::default(),
        }
    }

    /// Reads `inputs` in their order, and hands over all of their units.
    pub(super) fn read_all(
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
    pub(super) fn read_stream(&mut self, name: &Path, input: &mut dyn Read) -> ControlFlow<()> {
        self.read_here(name, FoundAs::Named, NoteKind::InputUnreadable, |reader| {
            Ok(file::read_from(input, name, reader.context.reading, reader))
        })?;
        self.hand_over_small()
    }

    /// Reads an input on this thread. A panic becomes a note, so that the other inputs are still
    /// read.
    pub(super) fn read_here(
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
    pub(super) fn add_as(
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
    pub(super) fn note(&mut self, note: Note) -> ControlFlow<()> {
        let buffer = self.context.pool.take();
        self.spawn(Unit::Note(note, buffer))
    }

    pub(super) fn hand_over(&mut self, batch: &mut Batch) -> ControlFlow<()> {
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

    pub(super) fn hand_over_small(&mut self) -> ControlFlow<()> {
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
pub(super) struct Batch {
    files: Vec<PathBuf>,
    bytes: u64,
    /// How all of them were found.
    found: FoundAs,
    /// How all of them are read.
    kind: InputKind,
}

impl Batch {
    pub(super) const fn of(found: FoundAs) -> Self {
        Self { files: Vec::new(), bytes: 0, found, kind: InputKind::Auto }
    }
}

#[cfg(test)]
mod tests;
