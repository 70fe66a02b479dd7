//! Puts the workers' records into the order of the inputs, and writes them.
//!
//! The thread that delivers the next unit in order writes it, and all units that waited for it. It
//! holds the outputs meanwhile, so there is only one writer.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

#[cfg(feature = "probe")]
use jiff::Timestamp;

use super::encoder::Encoder;
#[cfg(not(feature = "report"))]
use super::lines::Sinks;
use super::pool::Pool;
#[cfg(feature = "report")]
use super::sink::Sinks;
#[cfg(feature = "probe")]
use super::spool::{Chunks, Spool};
#[cfg(not(feature = "probe"))]
use super::unspooled::Spool;
use super::{Observer, Output};
use crate::error::Error;
use crate::finding::{Archived, Finding, Note, Skip, Summary, Verdict, Why};
use crate::source::Buffer;

/// The records of a unit, ready to be written.
#[derive(Default)]
pub(super) struct Encoded {
    /// The records, for each encoder.
    pub(super) out: Vec<Vec<u8>>,
    /// The records that wait for answers.
    pub(super) spooled: Vec<u8>,
    /// The position of each link's records; filled where repeated links are omitted.
    pub(super) marks: Vec<Mark>,
    /// A hash for each link; filled where distinct links are counted.
    pub(super) hashes: Vec<u128>,
    /// Notes, in order.
    pub(super) notes: Vec<Note>,
    /// Totals.
    pub(super) summary: Summary,
}

/// One finding among the encoded bytes.
pub(super) struct Mark {
    /// A hash that identifies the link.
    pub(super) hash: u128,
    pub(super) verdict: Verdict,
    /// The reason for the verdict.
    pub(super) why: Option<Why>,
    /// The reason why it was not requested, if the verdict hides that.
    pub(super) unasked: Option<Skip>,
    /// The index of its result in web archives.
    pub(super) archived: Option<usize>,
    /// Start and end offset of its record, for each encoder.
    pub(super) spans: Vec<(usize, usize)>,
}

impl Encoded {
    /// Returns the length of each encoder's records.
    #[cfg(feature = "report")]
    pub(super) fn ends(&self) -> Vec<usize> {
        self.out.iter().map(Vec::len).collect()
    }

    /// Returns the approximate memory that the records take, in bytes.
    pub(super) fn len(&self) -> usize {
        let mark = size_of::<Mark>() + size_of::<(usize, usize)>() * self.out.len();
        let marks = self.marks.len() * mark + self.hashes.len() * size_of::<u128>();
        self.out.iter().map(Vec::len).sum::<usize>() + self.spooled.len() + marks
    }

    pub(super) fn count(&mut self, finding: &Finding<'_>) {
        self.summary.count(finding.verdict, finding.why(), finding.unasked());
        self.summary.count_archived(finding.archived.map(Archived::index));
    }
}

/// How repeated links are tracked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marking {
    /// Not at all.
    None,
    /// Distinct links are counted.
    Count,
    /// Repeated links are not written.
    Unique,
}

/// The outputs, and the number of the next unit to write.
pub(super) struct Order<'o> {
    encoders: Vec<Encoder>,
    observer: &'o dyn Observer,
    marking: Marking,
    stopped: AtomicBool,
    state: Mutex<OrderState>,
    /// Notified when the next unit's turn comes.
    turn: Condvar,
}

struct OrderState {
    sinks: Sinks,
    /// The records that wait for answers, of all units so far.
    spool: Spool,
    /// Number of the next unit to write.
    next: u64,
    waiting: BTreeMap<u64, (Encoded, Buffer)>,
    /// Whether a thread is writing; it holds the sinks, but not the lock.
    is_writing: bool,
    /// Buffers of written records, for reuse: they are large, and the system is slow to allocate
    /// them.
    spare: Vec<Vec<u8>>,
    seen: Seen,
    summary: Summary,
}

impl<'o> Order<'o> {
    /// Creates the order for `outputs`. Documents are made on up to `threads` threads, in addition
    /// to those that deliver.
    pub(super) fn new(
        outputs: Vec<Output>,
        threads: usize,
        unique: bool,
        observer: &'o dyn Observer,
    ) -> Self {
        let sinks = Sinks::of(outputs, threads);
        let encoders = sinks.encoders();
        let counts = encoders.iter().any(Encoder::counts_distinct);
        let state = OrderState {
            sinks,
            spool: Spool::default(),
            next: 0,
            waiting: BTreeMap::new(),
            is_writing: false,
            spare: Vec::new(),
            seen: Seen::default(),
            summary: Summary { complete: true, ..Summary::default() },
        };
        let marking = match (unique, counts) {
            (true, _) => Marking::Unique,
            (false, true) => Marking::Count,
            (false, false) => Marking::None,
        };
        Self {
            encoders,
            observer,
            marking,
            stopped: AtomicBool::new(false),
            state: Mutex::new(state),
            turn: Condvar::new(),
        }
    }

    /// Continues the totals of what was read before.
    #[cfg(feature = "probe")]
    pub(super) fn after(self, read: Summary) -> Self {
        self.lock().summary = read;
        self
    }

    /// Marks the run as incomplete for good.
    #[cfg(feature = "probe")]
    pub(super) fn cut(&self) {
        self.lock().summary.complete = false;
    }

    /// Records the time at which the run had all answers.
    #[cfg(feature = "probe")]
    pub(super) fn made(&self, at: Timestamp) {
        self.lock().summary.made = Some(at);
    }

    /// Reports whether the run is complete so far.
    pub(super) fn is_complete(&self) -> bool {
        self.lock().summary.complete && !self.is_stopped()
    }

    /// Returns the encoders, in the order of [`Encoded::out`].
    pub(super) fn encoders(&self) -> &[Encoder] {
        &self.encoders
    }

    /// Returns how repeated links are tracked.
    pub(super) const fn marking(&self) -> Marking {
        self.marking
    }

    /// Reports whether writing has stopped because no output is usable any more.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Returns empty records for a unit, with reused buffers.
    pub(super) fn encoded(&self) -> Encoded {
        let mut state = self.lock();
        let out = self.encoders.iter().map(|_| state.spare.pop().unwrap_or_default()).collect();
        // Only runs without encoders spool.
        let spooled = if self.encoders.is_empty() { state.spare.pop() } else { None };
        Encoded { out, spooled: spooled.unwrap_or_default(), ..Encoded::default() }
    }

    pub(super) fn progress(&self, bytes: usize) {
        self.observer.progress(bytes as u64);
    }

    /// Counts a skipped item that belongs to no unit.
    pub(super) fn skipped(&self, skip: Skip) {
        self.lock().summary.skip(skip, 1);
    }

    /// Counts an input whose pieces are units of their own.
    pub(super) fn file_read(&self, bytes: u64) {
        let mut state = self.lock();
        state.summary.files += 1;
        state.summary.bytes += bytes;
    }

    /// Counts a member of an archive whose pieces are units of their own.
    pub(super) fn member_read(&self) {
        self.lock().summary.members += 1;
    }

    /// Takes the records of unit `number`: writes them if it is next, else keeps them for the
    /// thread that writes the unit before.
    pub(super) fn deliver(&self, number: u64, encoded: Encoded, buffer: Buffer, pool: &Pool) {
        let mut state = self.lock();
        state.waiting.insert(number, (encoded, buffer));
        if state.is_writing {
            return;
        }
        while let Some((mut encoded, buffer)) = {
            let next = state.next;
            state.waiting.remove(&next)
        } {
            state = self.write(state, &mut encoded);
            state.next += 1;
            state.keep(encoded);
            pool.give_back(buffer);
        }
        drop(state);
        self.turn.notify_all();
    }

    /// Writes the records of unit `number` so far, once it is next.
    ///
    /// Waits for the previous units. They were begun earlier, and none of them waits for a later
    /// one, so the first unit always makes progress.
    pub(super) fn deliver_part(&self, number: u64, encoded: &mut Encoded) {
        let mut state = self.lock();
        while state.next != number || state.is_writing {
            state = self.turn.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let mut state = self.write(state, encoded);
        state.keep(std::mem::take(encoded));
        drop(state);
        *encoded = self.encoded();
    }

    /// Writes the notes about the whole run, and the totals.
    ///
    /// # Errors
    /// The errors of [`Sinks::finish`].
    pub(super) fn finish(self, notes: &[Note]) -> Result<Summary, Error> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if self.marking != Marking::None {
            state.summary.distinct = Some(state.seen.len() as u64);
        }
        let OrderState { sinks, summary, .. } = state;
        notes.iter().for_each(|note| self.observer.note(note));
        self.observer.ended(&summary);
        sinks.finish(notes, &summary).map(|()| summary)
    }

    /// Returns the records that wait for answers, and the totals so far.
    ///
    /// # Errors
    /// When a record could not be kept.
    #[cfg(feature = "probe")]
    pub(super) fn finish_spool(self) -> Result<(Chunks, Summary), Error> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let chunks = state.spool.rewound().map_err(|source| Error::Spool { source })?;
        Ok((chunks, state.summary))
    }

    fn lock(&self) -> MutexGuard<'_, OrderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes `encoded`, without the lock: other threads can deliver meanwhile.
    fn write<'s>(
        &'s self,
        mut state: MutexGuard<'s, OrderState>,
        encoded: &mut Encoded,
    ) -> MutexGuard<'s, OrderState> {
        state.summary.add(&encoded.summary);
        for note in &encoded.notes {
            state.summary.complete &= !note.kind.is_incomplete();
            self.observer.note(note);
        }
        let mut seen = std::mem::take(&mut state.seen);
        let mut sinks = std::mem::take(&mut state.sinks);
        #[cfg_attr(not(feature = "probe"), expect(unused_mut, reason = "nothing is kept"))]
        let mut spool = std::mem::take(&mut state.spool);
        state.is_writing = true;
        drop(state);
        seen.extend(encoded.hashes.drain(..));
        let (repeated, counted) = see(&mut seen, &encoded.marks);
        for (idx, (encoder, text)) in self.encoders.iter().zip(&encoded.out).enumerate() {
            let cuts = repeated.iter().filter_map(|mark| mark.spans.get(idx).copied());
            sinks.write(encoder, text, cuts);
        }
        spool.write(&encoded.spooled);
        if sinks.are_useless() || spool.has_failed() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        let mut state = self.lock();
        (state.seen, state.sinks, state.spool) = (seen, sinks, spool);
        state.summary.add(&counted);
        state.is_writing = false;
        state
    }
}

/// Number of record buffers that are kept for reuse.
const SPARE_MAX: usize = 4;

impl OrderState {
    /// Keeps the buffers of written records for reuse.
    fn keep(&mut self, encoded: Encoded) {
        for mut records in encoded.out.into_iter().chain([encoded.spooled]) {
            if self.spare.len() < SPARE_MAX && records.capacity() > 0 {
                records.clear();
                self.spare.push(records);
            }
        }
    }
}

/// Adds the marked findings to `seen`; returns those that are repeated and must not be written, and
/// the counts of all.
fn see<'m>(seen: &mut Seen, marks: &'m [Mark]) -> (Vec<&'m Mark>, Summary) {
    let (mut repeated, mut counted) = (Vec::new(), Summary::default());
    for mark in marks {
        if seen.insert(mark.hash) {
            counted.count(mark.verdict, mark.why, mark.unasked);
            counted.count_archived(mark.archived);
        } else {
            counted.skip(Skip::Repeated, 1);
            repeated.push(mark);
        }
    }
    (repeated, counted)
}

/// Hashes of the distinct links.
type Seen = HashSet<u128, BuildHasherDefault<Itself>>;

/// A hasher that passes through values that are hashes already.
#[derive(Default)]
struct Itself(u64);

impl Hasher for Itself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.first_chunk().map_or(0, |half| u64::from_ne_bytes(*half));
    }
}
