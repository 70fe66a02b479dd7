//! Puts what the workers made into the order of the inputs, and writes it.
//!
//! Whoever delivers the unit whose turn it is writes it, and all that waited for it: the
//! one who has the outputs is the one writer.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::pool::Pool;
use super::sink::{Encoder, Sinks};
use super::{Observer, Output};
use crate::error::Error;
use crate::finding::{Finding, Note, Summary, Verdict};
use crate::source::Buffer;

/// What came of a unit, ready to be written.
#[derive(Default)]
pub(super) struct Encoded {
    /// The records, for each encoder.
    pub(super) out: Vec<Vec<u8>>,
    /// Which bytes belong to which link, where repeated ones are not written.
    pub(super) marks: Vec<Mark>,
    /// What stands for each link, where different ones are counted.
    pub(super) hashes: Vec<u128>,
    /// Notes, in order.
    pub(super) notes: Vec<Note>,
    /// Totals.
    pub(super) summary: Summary,
}

/// One finding among the encoded bytes.
pub(super) struct Mark {
    /// Stands for the link.
    pub(super) hash: u128,
    pub(super) verdict: Verdict,
    /// What makes it.
    pub(super) why: Option<&'static str>,
    /// Where its record begins and ends, for each encoder.
    pub(super) spans: Vec<(usize, usize)>,
}

impl Encoded {
    /// Where the records of each encoder end.
    pub(super) fn ends(&self) -> Vec<usize> {
        self.out.iter().map(Vec::len).collect()
    }

    /// Bytes of memory that it takes, about.
    pub(super) fn len(&self) -> usize {
        let mark = size_of::<Mark>() + size_of::<(usize, usize)>() * self.out.len();
        let marks = self.marks.len() * mark + self.hashes.len() * size_of::<u128>();
        self.out.iter().map(Vec::len).sum::<usize>() + marks
    }

    pub(super) fn count(&mut self, finding: &Finding<'_>) {
        self.summary.count(finding.verdict, finding.why());
    }
}

/// What must be known of the links, beside their records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marking {
    /// Nothing.
    None,
    /// How many are different.
    Count,
    /// Which are repeated: those are not written.
    Unique,
}

/// The outputs, and whose turn it is.
pub(super) struct Order<'o> {
    encoders: Vec<Encoder>,
    observer: &'o dyn Observer,
    marking: Marking,
    stopped: AtomicBool,
    state: Mutex<State>,
    /// Told when the turn passes on.
    turn: Condvar,
}

struct State {
    sinks: Sinks,
    /// Number of the unit whose turn it is.
    next: u64,
    waiting: BTreeMap<u64, (Encoded, Buffer)>,
    /// True while somebody writes, with the sinks and without the lock.
    is_writing: bool,
    /// Memory of records that were written, to be used again: it is much, and the system takes
    /// its time to give it.
    spare: Vec<Vec<u8>>,
    seen: Seen,
    summary: Summary,
}

impl<'o> Order<'o> {
    /// Documents are made on up to `threads` threads, beside those that deliver.
    pub(super) fn new(
        outputs: Vec<Output>,
        threads: usize,
        unique: bool,
        observer: &'o dyn Observer,
    ) -> Self {
        let sinks = Sinks::of(outputs, threads);
        let encoders = sinks.encoders();
        let counts = encoders.iter().any(Encoder::counts_distinct);
        let state = State {
            sinks,
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

    /// Has the summary say that the work was not done in full, whatever comes.
    pub(super) fn cut(&self) {
        self.lock().summary.complete = false;
    }

    /// True when nothing has kept the work from being done in full.
    pub(super) fn is_complete(&self) -> bool {
        self.lock().summary.complete && !self.is_stopped()
    }

    /// What encodes findings, in the order of what is delivered.
    pub(super) fn encoders(&self) -> &[Encoder] {
        &self.encoders
    }

    /// What must be known of the URIs of findings.
    pub(super) const fn marking(&self) -> Marking {
        self.marking
    }

    /// True when nothing can be written any more.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Room for what a unit makes.
    pub(super) fn encoded(&self) -> Encoded {
        let mut state = self.lock();
        let out = self.encoders.iter().map(|_| state.spare.pop().unwrap_or_default()).collect();
        Encoded { out, ..Encoded::default() }
    }

    pub(super) fn progress(&self, bytes: usize) {
        self.observer.progress(bytes as u64);
    }

    /// Counts something left out that no unit is made of.
    pub(super) fn skipped(&self, reason: &'static str) {
        self.lock().summary.skip(reason, 1);
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

    /// Takes what unit `number` made: writes it when its turn has come, else keeps it for
    /// whoever writes the unit before.
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
            state.keep(encoded.out);
            pool.give_back(buffer);
        }
        drop(state);
        self.turn.notify_all();
    }

    /// Writes what unit `number` made so far, when its turn has come.
    ///
    /// Waits for the units before it. They were begun earlier, and none of them waits for a
    /// later one, so that the first of all always goes on.
    pub(super) fn deliver_part(&self, number: u64, encoded: &mut Encoded) {
        let mut state = self.lock();
        while state.next != number || state.is_writing {
            state = self.turn.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let mut state = self.write(state, encoded);
        state.keep(std::mem::take(&mut encoded.out));
        drop(state);
        *encoded = self.encoded();
    }

    /// Writes what is to be said of the whole run, and the totals.
    ///
    /// # Errors
    /// Those of [`Sinks::finish`].
    pub(super) fn finish(self, notes: &[Note]) -> Result<Summary, Error> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if self.marking != Marking::None {
            state.summary.distinct = Some(state.seen.len() as u64);
        }
        let State { sinks, summary, .. } = state;
        notes.iter().for_each(|note| self.observer.note(note));
        self.observer.ended(&summary);
        sinks.finish(notes, &summary).map(|()| summary)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes `encoded`; the others can deliver meanwhile.
    fn write<'s>(
        &'s self,
        mut state: MutexGuard<'s, State>,
        encoded: &mut Encoded,
    ) -> MutexGuard<'s, State> {
        state.summary.add(&encoded.summary);
        for note in &encoded.notes {
            state.summary.complete &= !note.kind.is_incomplete();
            self.observer.note(note);
        }
        state.seen.extend(encoded.hashes.drain(..));
        let repeated = state.see(&encoded.marks);
        let mut sinks = std::mem::take(&mut state.sinks);
        state.is_writing = true;
        drop(state);
        for (idx, (encoder, text)) in self.encoders.iter().zip(&encoded.out).enumerate() {
            let cuts = repeated.iter().filter_map(|mark| mark.spans.get(idx).copied());
            sinks.write(encoder, text, cuts);
        }
        if sinks.are_useless() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        let mut state = self.lock();
        state.sinks = sinks;
        state.is_writing = false;
        state
    }
}

/// Records of that many units are kept to be used again, at most.
const SPARE_MAX: usize = 4;

impl State {
    /// Keeps the memory of what was written.
    fn keep(&mut self, out: Vec<Vec<u8>>) {
        for mut records in out {
            if self.spare.len() < SPARE_MAX {
                records.clear();
                self.spare.push(records);
            }
        }
    }

    /// Counts the marked findings; gives those that are repeated and not to be written.
    fn see<'m>(&mut self, marks: &'m [Mark]) -> Vec<&'m Mark> {
        let mut repeated = Vec::new();
        for mark in marks {
            if self.seen.insert(mark.hash) {
                self.summary.count(mark.verdict, mark.why);
            } else {
                self.summary.skip("repeated", 1);
                repeated.push(mark);
            }
        }
        repeated
    }
}

/// Different links, by what stands for each.
type Seen = HashSet<u128, BuildHasherDefault<Itself>>;

/// Hashes what is a hash already.
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
