//! Reads a stream of bzip2, whose blocks other threads may decode.
//!
//! Text is passed on in whole blocks whose checksums are right. With other threads or without, each
//! read returns the same text, and takes the same number of packed bytes, apart from up to seven
//! that the library holds. A block of another thread is passed on only if a valid block follows, or
//! the end with the checksum of all blocks. Otherwise the library's decoder continues from an
//! earlier block, and reports the fault.

mod bits;
mod block;
mod code;
mod past;
mod primer;
mod search;
mod verified;

use std::io::{self, BufRead as _, ErrorKind, Read};

use self::past::{Past, Recalled};
pub(super) use self::search::Search;
use self::verified::Verified;
use super::Source;
use crate::source::container::Feed;
use crate::source::container::ahead::Part;

/// Length of the header of a stream.
const HEADER_LEN: u64 = 4;
/// Bits of the end of a stream: a magic number, and the checksum.
const END_LEN: u64 = 80;
/// Most decoded bytes for each packed one of a block that other threads decode. Half of what an
/// input may have: their offsets, which are not quite those of the library, then decide nothing.
const RATIO_MAX: u64 = 500;

/// A decoder of one stream.
pub(in super::super) struct Blocks<'f, 'i> {
    feed: Source<'f, 'i>,
    state: DecodeState,
}

enum DecodeState {
    Begin,
    Together(Box<Together>),
    /// The library decodes the rest.
    Alone(Box<Verified>),
    Ended,
}

/// A stream whose blocks other threads decode.
struct Together {
    size_max: usize,
    /// The block that is passed on.
    block: Part,
    /// Bytes of its text that were passed on.
    given: usize,
    /// Whether its packed bytes were taken.
    is_taken: bool,
    next: Next,
    /// The checksum of the blocks up to this one.
    combined: u32,
    /// Bytes that they decode to.
    made: u64,
    past: Past,
}

enum Next {
    Block(Part),
    End,
}

impl DecodeState {
    /// Lets the library decode the rest of `feed`.
    fn alone(feed: &mut Feed<'_>, verified: Verified) -> Self {
        feed.rest_ahead();
        Self::Alone(Box::new(verified))
    }
}

impl<'f, 'i> Blocks<'f, 'i> {
    /// Returns a decoder of the stream that `feed` begins with.
    pub(super) fn new(feed: Source<'f, 'i>) -> Self {
        Self { feed, state: DecodeState::Begin }
    }

    pub(super) const fn feed(&self) -> &Feed<'i> {
        self.feed
    }

    pub(super) fn into_feed(self) -> Source<'f, 'i> {
        self.feed
    }
}

impl Read for Blocks<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            match &mut self.state {
                DecodeState::Begin => {
                    self.feed.fill_buf()?;
                    let together = Together::begin(self.feed).map(Box::new);
                    self.state = together.map_or_else(
                        || DecodeState::alone(self.feed, Verified::begin()),
                        DecodeState::Together,
                    );
                }
                DecodeState::Together(together) => match together.read(self.feed, out)? {
                    Step::Given(len) => return Ok(len),
                    Step::Ended => self.state = DecodeState::Ended,
                    Step::Alone(verified) => self.state = DecodeState::alone(self.feed, verified),
                },
                DecodeState::Alone(verified) => return verified.read(self.feed, out),
                DecodeState::Ended => return Ok(0),
            }
        }
    }
}

/// The result of a read.
enum Step {
    /// A number of bytes.
    Given(usize),
    Ended,
    Alone(Verified),
}

impl Together {
    /// Returns the stream that `feed` begins with; none if its first block must be decoded alone.
    fn begin(feed: &mut Feed<'_>) -> Option<Self> {
        let [b'B', b'Z', b'h', level @ b'1'..=b'9', ..] = *feed.buffered() else { return None };
        let size_max = usize::from(level - b'0') * 100_000;
        let start = feed.consumed();
        let block = part(feed, (start + HEADER_LEN) * 8, size_max)?;
        let combined = block.facts.checksum;
        let next = next(feed, &block, combined, size_max)?;
        let made = block.text.len() as u64;
        let past = Past::new(start, level);
        Some(Self { size_max, block, given: 0, is_taken: false, next, combined, made, past })
    }

    fn read(&mut self, feed: &mut Feed<'_>, out: &mut [u8]) -> io::Result<Step> {
        loop {
            if !self.is_taken {
                self.take(feed, self.block.end.div_ceil(8))?;
                self.is_taken = true;
            }
            let mut rest = self.block.text.get(self.given..).unwrap_or_default();
            if !rest.is_empty() {
                let given = rest.read(out)?;
                self.given += given;
                return Ok(Step::Given(given));
            }
            if matches!(self.next, Next::End) {
                self.take(feed, (self.block.end + END_LEN).div_ceil(8))?;
                return Ok(Step::Ended);
            }
            if !self.turn(feed) {
                return self.recall(feed).map(Step::Alone);
            }
        }
    }

    /// Takes the bytes up to the offset `end`.
    fn take(&mut self, feed: &mut Feed<'_>, end: u64) -> io::Result<()> {
        loop {
            let missing = usize::try_from(end - feed.consumed()).unwrap_or(usize::MAX);
            if missing == 0 {
                return Ok(());
            }
            let held = feed.fill_buf()?;
            if held.is_empty() {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            let taken = held.get(..missing).unwrap_or(held);
            self.past.take(taken);
            let is_all = taken.len() == held.len();
            let taken = taken.len();
            feed.consume(taken);
            if is_all {
                self.past.wait();
            }
        }
    }

    /// Turns to the next block; returns false if it must be decoded alone.
    fn turn(&mut self, feed: &mut Feed<'_>) -> bool {
        self.past.mark(self.block.end, self.combined, self.made);
        let Next::Block(block) = std::mem::replace(&mut self.next, Next::End) else { return false };
        let combined = self.combined.rotate_left(1) ^ block.facts.checksum;
        let Some(next) = next(feed, &block, combined, self.size_max) else { return false };
        self.made += block.text.len() as u64;
        (self.block, self.next, self.combined) = (block, next, combined);
        (self.given, self.is_taken) = (0, false);
        true
    }

    /// Returns the library's decoder as it would be now.
    fn recall(&self, feed: &mut Feed<'_>) -> io::Result<Verified> {
        let recalled = self.past.recall(feed.buffered());
        let at = match &recalled {
            Ok(Recalled { at, .. }) | Err((_, at)) => *at,
        };
        feed.consume(usize::try_from(at.saturating_sub(feed.consumed())).unwrap_or_default());
        recalled.map(Verified::after).map_err(|(error, _)| error)
    }
}

/// Returns the block that begins at the bit `at`, if another thread has decoded it, and it may be
/// passed on.
fn part(feed: &mut Feed<'_>, at: u64, size_max: usize) -> Option<Part> {
    feed.part(at).filter(|part| {
        let packed = (part.end - at) / 8;
        part.facts.size <= size_max && part.text.len() as u64 <= packed.saturating_mul(RATIO_MAX)
    })
}

/// Returns what follows `block`, where `combined` is the checksum up to it; none if it must be
/// decoded alone.
fn next(feed: &mut Feed<'_>, block: &Part, combined: u32, size_max: usize) -> Option<Next> {
    match block.facts.last {
        Some(checksum) => (checksum == combined).then_some(Next::End),
        None if block.facts.is_followed => part(feed, block.end, size_max).map(Next::Block),
        None => None,
    }
}

/// Decodes the block that `bytes` hold from their fifth on, whatever checksum it declares. Returns
/// its text, the checksum of that, and its number of bits.
pub(super) fn unchecked(bytes: &[u8]) -> Option<(Vec<u8>, u32, usize)> {
    let block = block::unchecked(bytes, 32)?;
    let checksum = block::checksum(&block.text);
    Some((block.text, checksum, block.bits))
}

#[cfg(test)]
mod tests;
