//! Processes units of work on worker threads.

use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(feature = "probe")]
use super::answers::{Answered, Answers};
#[cfg(feature = "report")]
use super::digest;
#[cfg(feature = "probe")]
use super::gather::Gathering;
#[cfg(feature = "report")]
use super::hash::hash;
#[cfg(feature = "report")]
use super::order::Mark;
use super::order::{Encoded, Marking, Order};
use super::overrides::{self, Overrides};
use super::pool::Pool;
#[cfg(feature = "report")]
use super::sieve::{InFile, Sieve};
#[cfg(feature = "probe")]
use super::spool::{self, Entry};
#[cfg(not(feature = "report"))]
use super::unsieved::{InFile, Sieve};
#[cfg(feature = "probe")]
use crate::check::Policy;
use crate::check::{self, Checks, Memory, Tally};
use crate::error::Error;
#[cfg(feature = "report")]
use crate::finding::Archived;
use crate::finding::{Finding, Note, NoteKind, Origin, Skip, Verdict};
#[cfg(feature = "report")]
use crate::grammar::normalize::key;
#[cfg(feature = "report")]
use crate::report::{Encoding, start};
use crate::scan::CANDIDATE_LEN_MAX;
use crate::source::file::{self, FoundAs, Reading};
use crate::source::mail::maildir::Renamed;
use crate::source::piece::{Event, Outcome, Piece, Stage};
use crate::source::threads::SpareThreads;
use crate::source::{Buffer, InputKind};

/// The work of one worker at a time.
pub(super) enum Unit {
    /// A piece of a large input.
    Piece(Box<Piece>),
    /// Small inputs, each one piece, which share a buffer: one for each would take too much memory.
    Pieces(Vec<Piece>, Buffer),
    /// Small files, how they were found, and how to read them.
    Files(Vec<PathBuf>, FoundAs, InputKind, Buffer),
    /// A note without text to read, to be written in the place of its input.
    Note(Note, Buffer),
    /// Records that were made when their inputs were read, and waited for answers. The buffer is
    /// unused, but bounds the number of units.
    #[cfg(feature = "probe")]
    Spooled(Vec<u8>, Buffer),
}

impl Unit {
    /// Returns the origin and start offset of each input in the unit: all that is left to report if
    /// the program panics on it.
    fn places(&self) -> Vec<(Origin, u64)> {
        match self {
            Self::Piece(piece) => vec![place(piece)],
            Self::Pieces(pieces, _) => pieces.iter().map(place).collect(),
            Self::Files(files, ..) => files
                .iter()
                .map(|path| (Origin { path: path.clone(), ..Origin::default() }, 0))
                .collect(),
            Self::Note(note, _) => vec![(note.origin.clone(), 0)],
            #[cfg(feature = "probe")]
            Self::Spooled(chunk, _) => spool::places(chunk),
        }
    }

    /// Reports whether its buffer is the pool's large one.
    fn is_large(&self, pool: &Pool) -> bool {
        matches!(self, Self::Piece(piece) if pool.is_large(&piece.bytes))
    }
}

fn place(piece: &Piece) -> (Origin, u64) {
    (Origin::clone(&piece.origin), piece.base)
}

/// The shared state that workers use.
#[derive(Clone, Copy)]
pub(super) struct WorkerContext<'r> {
    pub(super) order: &'r Order<'r>,
    pub(super) checks: &'r Checks,
    pub(super) overrides: &'r Overrides,
    pub(super) reading: Reading,
    pub(super) pool: &'r Pool,
    /// The threads that work for the reader, if there are several.
    pub(super) spare_threads: Option<&'r SpareThreads>,
    pub(super) memories: &'r Memories,
    pub(super) renamed: &'r Mutex<Renamed>,
    pub(super) role: Role<'r>,
    pub(super) sieve: Sieve<'r>,
    /// See [`Options::digest`](super::Options::digest).
    #[cfg(feature = "report")]
    pub(super) digest: bool,
}

/// How findings are handled in a pass.
#[derive(Clone, Copy)]
pub(super) enum Role<'r> {
    /// Report them without probing.
    Report,
    /// Never constructed: it uses the lifetime in builds where no other variant does.
    #[cfg(not(feature = "probe"))]
    #[expect(dead_code, reason = "see above")]
    Never(&'r std::convert::Infallible),
    /// Collect their targets, to be probed, and spool them.
    #[cfg(feature = "probe")]
    Gather(&'r Gathering<'r>),
    /// Report them with the probe results.
    #[cfg(feature = "probe")]
    Answer(&'r Answers<'r>),
}

#[cfg(feature = "probe")]
impl Role<'_> {
    /// Reports whether links are probed.
    pub(super) const fn is_check(self) -> bool {
        !matches!(self, Self::Report)
    }

    /// Reports whether targets are collected.
    pub(super) const fn gathers(self) -> bool {
        matches!(self, Self::Gather(_))
    }
}

#[cfg(not(feature = "probe"))]
impl Role<'_> {
    pub(super) const fn is_check(self) -> bool {
        false
    }

    pub(super) const fn gathers(self) -> bool {
        false
    }
}

/// Processes `unit` and delivers its records as number `number`.
///
/// Always delivers something, even after a panic: all later units wait for it.
pub(super) fn work(number: u64, unit: Unit, context: WorkerContext<'_>) {
    let (places, is_large) = (unit.places(), unit.is_large(context.pool));
    let made = attempt(|| make(number, unit, context));
    let (encoded, buffer) = made.unwrap_or_else(|| lost(places, is_large, context));
    // The buffer goes back when all is written: the number of buffers bounds the units that wait.
    context.order.deliver(number, encoded, buffer, context.pool);
}

/// Returns the result of one unit of work; `None` if the program panics on it, so that the others
/// are still worked on.
pub(super) fn attempt<T>(work: impl FnOnce() -> T) -> Option<T> {
    panic::catch_unwind(AssertUnwindSafe(work)).ok()
}

/// Returns the records for a unit on which the program panicked: a note for each of its inputs,
/// since the records of those before the panic are lost, too.
fn lost(
    places: Vec<(Origin, u64)>,
    is_large: bool,
    context: WorkerContext<'_>,
) -> (Encoded, Buffer) {
    let mut worker = Worker::new(0, context, None);
    for (origin, offset) in places {
        worker.note(failed(origin, Some(offset)));
    }
    worker.finish(context.pool.replacement(is_large))
}

/// Returns the note for an input on which the program panicked.
pub(super) fn failed(origin: Origin, offset: Option<u64>) -> Note {
    let message = "the program failed on this, or on what it read with it; please report it";
    Note { kind: NoteKind::Internal, origin, offset, message: message.to_owned() }
}

fn make(number: u64, unit: Unit, context: WorkerContext<'_>) -> (Encoded, Buffer) {
    let mut worker = Worker::new(number, context, None);
    let buffer = match unit {
        Unit::Piece(piece) => {
            worker.piece(&piece);
            piece.bytes
        }
        Unit::Pieces(pieces, buffer) => {
            for piece in pieces {
                worker.piece(&piece);
            }
            buffer
        }
        Unit::Files(files, found, kind, buffer) => {
            worker.buffer = Some(buffer);
            for path in files {
                worker.file(&path, found, kind);
            }
            worker.buffer()
        }
        Unit::Note(note, buffer) => {
            worker.note(note);
            buffer
        }
        #[cfg(feature = "probe")]
        Unit::Spooled(chunk, buffer) => {
            worker.replay(&chunk);
            buffer
        }
    };
    worker.finish(buffer)
}

/// Bytes of encoded findings that may wait in one unit. A piece that consists of URIs alone gives
/// many times its size.
const ENCODED_LEN_MAX: usize = 2 * 1024 * 1024;

struct Worker<'r> {
    number: u64,
    context: WorkerContext<'r>,
    encoded: Encoded,
    buffer: Option<Buffer>,
    memory: Memory,
    /// Overrides for the file that was looked at last.
    wanted: Option<overrides::InFile>,
    /// The memory for one set of overrides, and the number of that set: a memory is valid for one
    /// set only.
    other_memory: (usize, Memory),
    /// Changed lines of the file that was looked at last.
    changed: Option<InFile<'r>>,
    /// Memory for a line that enters the digest.
    #[cfg(feature = "report")]
    line: Vec<u8>,
}

impl<'r> Worker<'r> {
    fn new(number: u64, context: WorkerContext<'r>, buffer: Option<Buffer>) -> Self {
        let (encoded, memory) = (context.order.encoded(), context.memories.take());
        Self {
            number,
            context,
            encoded,
            buffer,
            memory,
            wanted: None,
            other_memory: Default::default(),
            changed: None,
            #[cfg(feature = "report")]
            line: Vec::new(),
        }
    }

    /// Returns the records and the buffer, and gives the memory back for other units.
    fn finish(self, buffer: Buffer) -> (Encoded, Buffer) {
        self.context.memories.give_back(self.memory);
        (self.encoded, buffer)
    }

    fn file(&mut self, path: &Path, found: FoundAs, kind: InputKind) {
        let reading = Reading { kind, ..self.context.reading };
        match file::read_again(path, found, reading, self.context.renamed, self) {
            Ok(report) => {
                match report.outcome {
                    Outcome::Packed(kind) => {
                        if found == FoundAs::Named {
                            self.note(packed(path, kind));
                        }
                        self.encoded.summary.skip(Skip::Packed, 1);
                    }
                    Outcome::Read | Outcome::Stopped => {
                        self.encoded.summary.files += 1;
                        self.encoded.summary.bytes += report.bytes;
                    }
                }
                if let Some(note) = report.note {
                    self.note(note);
                }
            }
            Err(error) => self.note(cannot_open(&error, path, NoteKind::InputVanished)),
        }
    }

    fn note(&mut self, note: Note) {
        #[cfg(feature = "probe")]
        if let Role::Gather(_) = self.context.role {
            spool::append_note(&note, &mut self.encoded.spooled);
        }
        for (encoder, out) in self.context.order.encoders().iter().zip(&mut self.encoded.out) {
            encoder.note(&note, out);
        }
        self.encoded.notes.push(note);
    }

    /// Handles the records of `chunk` as when they were made, now that there are answers.
    #[cfg(feature = "probe")]
    fn replay(&mut self, chunk: &[u8]) {
        let WorkerContext { order, overrides, .. } = self.context;
        if order.is_stopped() {
            return;
        }
        let is_whole = spool::replay(chunk, &mut |entry| match entry {
            Entry::Note(note) => self.note(note),
            Entry::Finding(finding) => {
                overrides.of(&finding.place.origin.path, &mut self.wanted);
                self.take_by_role(finding);
            }
        });
        if !is_whole {
            self.note(failed(Origin::default(), None));
        }
        // Nothing is read, but the time passes.
        order.progress(0);
    }

    fn piece(&mut self, piece: &Piece) {
        if self.context.order.is_stopped() {
            return;
        }
        let tally = self.findings(piece);
        let summary = &mut self.encoded.summary;
        summary.messages += tally.messages;
        for (reason, count) in tally.skipped() {
            summary.skip(reason, count);
        }
        for note in tally.notes {
            self.note(note);
        }
        #[cfg(feature = "probe")]
        if let Role::Gather(gathering) = self.context.role {
            gathering.names.take(&piece.origin, &tally.names);
        }
        self.context.order.progress(piece.core.len());
    }

    /// Handles the findings of `piece` under the overrides for its path; returns the tally of its
    /// other results.
    fn findings(&mut self, piece: &Piece) -> Tally {
        let number = self.context.overrides.of(&piece.origin.path, &mut self.wanted);
        let wanted = number.zip(number.and_then(|number| self.context.overrides.wanted(number)));
        let Some((number, wanted)) = wanted else {
            let mut memory = std::mem::take(&mut self.memory);
            let (checks, mut sink) =
                (self.context.checks, |found: &Finding<'_>| self.finding(found));
            let tally = check::piece(piece, checks, &mut memory, &mut sink);
            self.memory = memory;
            return tally;
        };
        let (of, mut memory) = std::mem::take(&mut self.other_memory);
        if of != number {
            memory = Memory::default();
        }
        let mut sink = |found: &Finding<'_>| self.finding(found);
        let tally = check::piece(piece, &wanted.checks, &mut memory, &mut sink);
        self.other_memory = (number, memory);
        tally
    }

    fn finding(&mut self, finding: &Finding<'_>) {
        if !self.context.sieve.is_wanted(finding, &mut self.changed) {
            return self.encoded.summary.skip(Skip::Unchanged, 1);
        }
        self.take_by_role(finding);
    }

    fn take_by_role(&mut self, finding: &Finding<'_>) {
        match self.context.role {
            #[cfg(not(feature = "probe"))]
            Role::Never(never) => match *never {},
            Role::Report => self.judged(finding),
            #[cfg(feature = "probe")]
            Role::Gather(gathering) => {
                gathering.take(finding);
                spool::append_finding(finding, &mut self.encoded.spooled);
                self.bound();
            }
            #[cfg(feature = "probe")]
            Role::Answer(answers) => match answers.of(finding, self.policy()) {
                Some(Answered { reach, verdict, archived }) => {
                    if answers.is_lost(&reach) {
                        self.context.order.cut();
                    }
                    let (reach, archived) = (Some(&*reach), archived.as_ref());
                    self.judged(&Finding { reach, verdict, archived, ..finding.clone() });
                }
                None => self.judged(finding),
            },
        }
    }

    /// Returns the policy for the file that was looked at last, if overrides set one.
    #[cfg(feature = "probe")]
    fn policy(&self) -> Option<&'r Policy> {
        let number = self.wanted.as_ref()?.number?;
        self.context.overrides.wanted(number).map(|wanted| &wanted.policy)
    }

    /// Reports a finding with its final verdict.
    fn judged(&mut self, finding: &Finding<'_>) {
        if self.context.sieve.knows(finding) {
            self.report(&check::forgive(finding));
        } else {
            self.report(finding);
        }
    }

    fn report(&mut self, finding: &Finding<'_>) {
        if finding.facts.verdict == Verdict::Skipped {
            self.note(too_long(finding));
        }
        let order = self.context.order;
        #[cfg(feature = "report")]
        let starts = match order.marking() {
            Marking::Unique => self.encoded.ends(),
            _ => Vec::new(),
        };
        #[cfg(feature = "report")]
        let mut record = None;
        if self.context.sieve.shows(finding.verdict) {
            for (encoder, out) in order.encoders().iter().zip(&mut self.encoded.out) {
                #[cfg(feature = "report")]
                let start = out.len();
                encoder.finding(finding, out);
                #[cfg(feature = "report")]
                if encoder.encoding() == Encoding::Records {
                    record = out.get(start..);
                }
            }
        }
        #[cfg(feature = "report")]
        if self.context.digest {
            let digest = digest::of(finding, record, &mut self.line);
            self.encoded.summary.digest.get_or_insert_default().add(&digest);
        }
        match order.marking() {
            Marking::None => self.encoded.count(finding),
            Marking::Count => {
                self.encoded.count(finding);
                #[cfg(feature = "report")]
                self.encoded.hashes.extend(first_identity(finding));
            }
            #[cfg(not(feature = "report"))]
            Marking::Unique => self.encoded.count(finding),
            #[cfg(feature = "report")]
            Marking::Unique => {
                let spans = starts.into_iter().zip(self.encoded.ends()).collect();
                let mark = Mark {
                    hash: identity(finding),
                    verdict: finding.verdict,
                    why: finding.why(),
                    unasked: finding.unasked(),
                    archived: finding.archived.map(Archived::index),
                    spans,
                };
                self.encoded.marks.push(mark);
            }
        }
        self.bound();
    }

    /// Delivers the records so far if they take too much memory.
    fn bound(&mut self) {
        if self.encoded.len() > ENCODED_LEN_MAX {
            self.context.order.deliver_part(self.number, &mut self.encoded);
        }
    }
}

impl Stage for Worker<'_> {
    fn buffer(&mut self) -> Buffer {
        // Lent out and given back between two pieces; present unless a panic lost it.
        self.buffer.take().unwrap_or_else(|| self.context.pool.take())
    }

    fn large_buffer(&mut self, len: usize) -> Buffer {
        // Waiting for the pool's large buffer here could deadlock: its holder may wait for this
        // unit. A file that is read here is small, and its unpacked contents are rarely long.
        Buffer::new(len)
    }

    fn give_back(&mut self, mut buffer: Buffer) {
        if self.context.pool.is_large(&buffer) {
            return;
        }
        buffer.truncate(0);
        self.buffer = Some(buffer);
    }

    fn take(&mut self, piece: Piece) -> ControlFlow<()> {
        self.piece(&piece);
        self.give_back(piece.bytes);
        ControlFlow::Continue(())
    }

    fn event(&mut self, event: Event) -> ControlFlow<()> {
        match event {
            Event::Member => self.encoded.summary.members += 1,
            Event::Skipped(skip) => self.encoded.summary.skip(skip, 1),
            Event::Note(note) => self.note(note),
        }
        ControlFlow::Continue(())
    }
}

/// Returns [`identity`], or `None` if this worker counted it before. The memo cannot show that for
/// a relative link, whose identity includes more than the memo keeps.
#[cfg(feature = "report")]
fn first_identity(finding: &Finding<'_>) -> Option<u128> {
    let is_told = finding.facts.memo.hash.is_cached() && !finding.facts.scheme.is_empty();
    (!is_told).then(|| identity(finding))
}

/// Returns a hash that identifies a link where distinct links are counted: of its URI, and of its
/// base if it is relative.
#[cfg(feature = "report")]
fn identity(finding: &Finding<'_>) -> u128 {
    let work_out = || hash(&key(finding.uri.in_clear()));
    let uri = *finding.facts.memo.hash.get_or(work_out);
    match start_of(finding) {
        None => uri,
        // Rotated, so that swapping the two gives another hash.
        Some(start) => uri.rotate_left(1) ^ start,
    }
}

/// Returns a hash of the base of a relative link; `None` if its text means the same everywhere. All
/// links of one kind have the same base in a text that declares none, which is cached.
#[cfg(feature = "report")]
fn start_of(finding: &Finding<'_>) -> Option<u128> {
    let work_out = || match &*start::of_finding(finding) {
        [] => None,
        start => Some(hash(start)),
    };
    let starts = &finding.place.origin.memo.starts;
    match start::kind_of_finding(finding).and_then(|kind| starts.get(kind)) {
        Some(kept) => *kept.get_or(work_out),
        None => work_out(),
    }
}

fn too_long(finding: &Finding<'_>) -> Note {
    Note {
        kind: NoteKind::UriTooLong,
        origin: finding.place.origin.clone(),
        offset: Some(finding.place.offset),
        message: format!(
            "expected a URI of at most {CANDIDATE_LEN_MAX} bytes, found more: it is reported cut \
             and not judged"
        ),
    }
}

/// Returns the note for an input of an unsupported packed format that the user named.
pub(super) fn packed(path: &Path, kind: &str) -> Note {
    Note {
        kind: NoteKind::InputPacked,
        origin: Origin { path: path.to_owned(), ..Origin::default() },
        offset: None,
        message: format!("expected something that can be unpacked, found {kind}"),
    }
}

/// Returns the note for a file with several hard links, when there is no room to remember it.
pub(super) fn forgotten(path: &Path) -> Note {
    Note {
        kind: NoteKind::LinksForgotten,
        origin: Origin { path: path.to_owned(), ..Origin::default() },
        offset: None,
        message: "expected fewer files with several names: this one, and further ones, are read \
                  under each of their names"
            .to_owned(),
    }
}

/// Returns the note for an input that could not be opened; its kind is `when_gone` if the input
/// does not exist.
pub(super) fn cannot_open(error: &Error, path: &Path, when_gone: NoteKind) -> Note {
    let origin = Origin { path: path.to_owned(), ..Origin::default() };
    let mut note = file::unreadable(error, origin);
    if error.is_not_found() {
        note.kind = when_gone;
    }
    note
}

/// The memory of each worker between two units. It is kept per thread because an allocator is slow
/// to free memory that another thread allocated.
#[derive(Default)]
pub(super) struct Memories(Vec<Mutex<Memory>>);

impl Memories {
    pub(super) fn new(threads: usize) -> Self {
        Self((0..threads).map(|_| Mutex::default()).collect())
    }

    /// Takes the memory of this thread; an empty one if this is no worker.
    fn take(&self) -> Memory {
        self.own().map(|mut own| std::mem::take(&mut *own)).unwrap_or_default()
    }

    fn give_back(&self, memory: Memory) {
        if let Some(mut own) = self.own() {
            *own = memory;
        }
    }

    fn own(&self) -> Option<MutexGuard<'_, Memory>> {
        let own = self.0.get(rayon::current_thread_index()?)?;
        Some(own.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
