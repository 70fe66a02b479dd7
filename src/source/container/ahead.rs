//! Reads packed bytes ahead of their decoder, so that other threads can decode parts of them that
//! do not depend on each other.
//!
//! The decoder takes the parts in order, and decodes faulty parts itself. Reading ahead must not be
//! observable to it: bytes arrive with the same boundaries of reads, an error occurs at the same
//! place, and the budget counts a byte when it is taken.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, ErrorKind, Read};
use std::sync::mpsc::{Receiver, sync_channel};

use super::budget::Budget;
use crate::source::panics::caught;
use crate::source::threads::SpareThreads;

/// Bytes of one read.
const READ_LEN: usize = 64 * 1024;
/// Parts for each thread that are decoded, or wait for that or for being taken: one that is worked
/// on, and one that is ready.
const PARTS_PER_THREAD: usize = 2;
/// Decoded bytes for each thread that parts may have, and for all threads together: blocks of
/// `xz -6` have 24 MiB, and frames of `pzstd -19` have 32 MiB.
const TEXT_LEN_PER_THREAD: usize = 32 * 1024 * 1024;
const TEXT_LEN_MAX: usize = 8 * TEXT_LEN_PER_THREAD;
/// Packed bytes that may wait to be taken, whatever the number of threads.
const WAITING_LEN_MAX: usize = 256 * 1024 * 1024;

/// A part that another thread has decoded.
pub(super) struct Part {
    pub(super) text: Vec<u8>,
    /// Offset after its last bit, in the packed bytes.
    pub(super) end: u64,
    /// The format's declarations about the part and the bits after it.
    pub(super) facts: Facts,
    /// The order in which the library's decoder takes it and gives its text.
    pub(super) steps: Vec<Step>,
}

/// Bytes of a part that the library's decoder takes before it gives the text of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// Number of packed bytes.
    pub(super) len: usize,
    /// Number of bytes of the text.
    pub(super) made: usize,
    /// Number of bytes of the text with which all packed bytes are taken, if no more are wanted.
    pub(super) early: usize,
    /// Whether the library gives the text of each byte as soon as it takes it.
    pub(super) is_raw: bool,
}

/// Facts about a part of one format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) checksum: u32,
    /// A length that the stream limits.
    pub(super) size: usize,
    /// The checksum of all parts of a stream, if this is the last one.
    pub(super) last: Option<u32>,
    /// Whether another part follows at once.
    pub(super) is_followed: bool,
}

/// A part that was found: the offset of its first bit, and how to decode it.
pub(super) struct FoundPart {
    pub(super) at: u64,
    /// Most bytes that it decodes to.
    pub(super) text_len_max: usize,
    /// Takes an empty buffer for the text.
    pub(super) decode: Box<dyn FnOnce(Vec<u8>) -> Option<Part> + Send>,
}

/// A search for parts of one format.
pub(super) trait Finder {
    /// Takes the next bytes, and adds the parts that are whole with them to `found`.
    fn pass(&mut self, bytes: &[u8], found: &mut Vec<FoundPart>);

    /// Adds the rest at the end of the bytes.
    fn finish(&mut self, found: &mut Vec<FoundPart>);

    /// Returns the number of packed bytes for each part that may wait to be taken.
    fn packed_len_max(&self) -> usize;

    /// Reports whether it helps to read ahead of the decoder.
    fn is_hopeful(&self) -> bool;
}

/// A part that another thread decodes.
struct Given {
    text_len_max: usize,
    part: Receiver<Option<Part>>,
}

/// Bytes of one read that are not taken yet.
struct Chunk {
    bytes: Vec<u8>,
    taken: usize,
    is_counted: bool,
}

/// The end of reading ahead, and whether the budget then knows the end of the input.
struct End {
    error: Option<io::Error>,
    is_known: bool,
}

/// A reader ahead.
pub(super) struct Ahead<'i> {
    inner: &'i mut dyn Read,
    budget: &'i Budget,
    spare_threads: SpareThreads,
    /// None once no more parts are wanted.
    finder: Option<Box<dyn Finder>>,
    chunks: VecDeque<Chunk>,
    /// Bytes in `chunks` that are not taken.
    waiting: usize,
    /// Bytes that were taken.
    taken: u64,
    /// Parts that no thread has yet, in order.
    found: VecDeque<FoundPart>,
    parts: BTreeMap<u64, Given>,
    /// Buffers of texts that were passed on, since fresh memory costs time.
    spare: Vec<Vec<u8>>,
    /// Whether no part is wanted for now.
    is_resting: bool,
    end: Option<End>,
}

impl<'i> Ahead<'i> {
    pub(super) fn new(
        inner: &'i mut dyn Read,
        budget: &'i Budget,
        spare_threads: SpareThreads,
        finder: Box<dyn Finder>,
    ) -> Self {
        Self {
            inner,
            budget,
            spare_threads,
            finder: Some(finder),
            chunks: VecDeque::new(),
            waiting: 0,
            taken: 0,
            found: VecDeque::new(),
            parts: BTreeMap::new(),
            spare: Vec::new(),
            is_resting: false,
            end: None,
        }
    }

    /// Reads no more bytes ahead.
    pub(super) fn stop(&mut self) {
        self.finder = None;
        self.found.clear();
        self.parts.clear();
        self.spare.clear();
    }

    /// Takes the buffer of a text that was passed on.
    pub(super) fn reuse(&mut self, text: Vec<u8>) {
        if self.finder.is_some() && self.spare.len() < self.spare_threads.count() {
            self.spare.push(text);
        }
    }

    /// Lets no part be decoded until one is wanted again.
    pub(super) fn rest(&mut self) {
        self.is_resting = true;
        self.parts.clear();
    }

    /// Returns the part that begins at the bit `at`, once it is decoded; none if none begins there,
    /// or it could not be decoded. Parts before it are dropped.
    pub(super) fn part(&mut self, at: u64) -> Option<Part> {
        self.is_resting = false;
        self.drop_before(at);
        while self.parts.is_empty() && self.found.is_empty() && self.may_read() {
            self.read_more();
        }
        self.fill();
        let given = self.parts.remove(&at)?;
        self.fill();
        // A task that failed has dropped its end.
        given.part.recv().ok().flatten()
    }

    const fn parts_max(&self) -> usize {
        self.spare_threads.count().saturating_mul(PARTS_PER_THREAD)
    }

    /// Reports whether more bytes may wait.
    fn may_read(&self) -> bool {
        let Some(finder) = &self.finder else { return false };
        let most = self.parts_max().saturating_mul(finder.packed_len_max()).min(WAITING_LEN_MAX);
        let is_open = !self.is_resting && self.end.is_none();
        is_open && self.waiting < most && finder.is_hopeful()
    }

    /// Reports whether one more part may be decoded that has so many bytes.
    fn has_room(&self, text_len: usize) -> bool {
        let most = self.spare_threads.count().saturating_mul(TEXT_LEN_PER_THREAD).min(TEXT_LEN_MAX);
        let held: usize = self.parts.values().map(|given| given.text_len_max).sum();
        self.parts.is_empty() || held.saturating_add(text_len) <= most
    }

    fn drop_before(&mut self, at: u64) {
        self.parts = self.parts.split_off(&at);
        let passed = self.found.iter().take_while(|found| found.at < at).count();
        self.found.drain(..passed);
    }

    /// Reads until there are parts for all threads, and gives them out.
    fn fill(&mut self) {
        if self.is_resting {
            // The decoder may still have all of one read before it.
            let at = self.taken.saturating_sub(2 * READ_LEN as u64);
            return self.drop_before(at * 8);
        }
        while self.parts.len() < self.parts_max() {
            match self.found.pop_front() {
                Some(found) if !self.has_room(found.text_len_max) => {
                    return self.found.push_front(found);
                }
                Some(found) => self.decode(found),
                None if self.may_read() => self.read_more(),
                None => break,
            }
        }
    }

    /// Reads once, without the budget noticing it.
    fn read_more(&mut self) {
        let (before, was_known) = (self.budget.bytes(), self.budget.is_at_end());
        let mut bytes = vec![0; READ_LEN];
        let result = loop {
            match self.inner.read(&mut bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                result => break result,
            }
        };
        let is_counted = self.budget.bytes() > before;
        let is_known = self.budget.is_at_end();
        self.budget.whole(before);
        self.budget.set_at_end(was_known);
        let mut found = Vec::new();
        match result {
            Ok(len) if len > 0 => {
                bytes.truncate(len);
                // Pipes give little at once.
                if len < READ_LEN / 2 {
                    bytes.shrink_to_fit();
                }
                if let Some(finder) = &mut self.finder {
                    finder.pass(&bytes, &mut found);
                }
                self.waiting += len;
                self.chunks.push_back(Chunk { bytes, taken: 0, is_counted });
            }
            result => {
                if let Some(finder) = &mut self.finder {
                    finder.finish(&mut found);
                }
                self.end = Some(End { error: result.err(), is_known });
            }
        }
        self.found.extend(found);
    }

    fn decode(&mut self, FoundPart { at, text_len_max, decode }: FoundPart) {
        let (tell, part) = sync_channel(1);
        self.parts.insert(at, Given { text_len_max, part });
        let spare = self.spare.pop().filter(|it| it.capacity() / 2 <= text_len_max);
        let mut text = spare.unwrap_or_default();
        text.clear();
        self.spare_threads.give(Box::new(move || {
            // The reader may have gone on without it.
            let _ = tell.send(caught(|| decode(text)).flatten());
        }));
    }

    fn take(&mut self, out: &mut [u8]) -> usize {
        let Some(chunk) = self.chunks.front_mut() else { return 0 };
        let mut rest = chunk.bytes.get(chunk.taken..).unwrap_or_default();
        let len = rest.read(out).unwrap_or_default();
        chunk.taken += len;
        if chunk.is_counted {
            self.budget.read(len as u64);
        }
        if chunk.taken == chunk.bytes.len() {
            self.chunks.pop_front();
        }
        self.waiting -= len;
        self.taken += len as u64;
        len
    }
}

impl Read for Ahead<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.fill();
        if self.chunks.is_empty() && self.end.is_none() {
            if self.finder.is_none() {
                return self.inner.read(out);
            }
            self.read_more();
        }
        let len = self.take(out);
        if len > 0 || out.is_empty() {
            return Ok(len);
        }
        match self.end.take() {
            // Nothing after a failure is read ahead.
            Some(End { error: Some(error), .. }) => {
                self.stop();
                Err(error)
            }
            Some(end) => {
                self.budget.set_at_end(end.is_known);
                self.end = Some(end);
                Ok(0)
            }
            None => self.inner.read(out),
        }
    }
}
