//! Reads a stream of bzip2 whose blocks other threads decode.
//!
//! Each read returns the same text as the library's decoder, and takes the same number of packed
//! bytes, apart from up to seven that the library holds. A block is passed on only if it is valid
//! and a valid block follows, or the end with the checksum of all blocks. Otherwise the library's
//! decoder continues from an earlier block, and reports the fault.

mod bits;
mod block;
mod code;
mod past;
mod primer;
mod search;

use std::io::{self, BufRead as _, ErrorKind, Read};

use bzip2::{Decompress, Status};

use self::past::{Past, Recalled, call};
pub(super) use self::search::Search;
use super::Source;
use super::deferred::Failed;
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
    failed: Failed,
}

enum DecodeState {
    Begin,
    Together(Box<Together>),
    /// The library decodes the rest.
    Alone(Decompress),
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

/// The result of taking bytes of the feed.
#[derive(PartialEq, Eq)]
enum Taken {
    All,
    /// The feed must be read first.
    Some,
}

impl<'f, 'i> Blocks<'f, 'i> {
    /// Returns a decoder of the stream that `feed` begins with.
    pub(super) fn new(feed: Source<'f, 'i>) -> Self {
        Self { feed, state: DecodeState::Begin, failed: Failed::default() }
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
        self.failed.take()?;
        if matches!(self.state, DecodeState::Ended) {
            return Ok(0);
        }
        self.feed.fill_buf()?;
        if matches!(self.state, DecodeState::Begin) {
            let together = Together::begin(self.feed).map(Box::new);
            self.state = match together {
                Some(together) => DecodeState::Together(together),
                None => {
                    self.feed.rest_ahead();
                    DecodeState::Alone(Decompress::new(false))
                }
            };
        }
        let mut len = 0;
        let result = self.together(out, &mut len);
        if self.failed.after(len, result)? > 0 {
            return Ok(len);
        }
        self.alone(out)
    }
}

impl Blocks<'_, '_> {
    /// Passes on what other threads have decoded, and, in the same call, what the library makes of
    /// the bytes that are buffered after it; counts the bytes in `len`, and returns their number.
    fn together(&mut self, out: &mut [u8], len: &mut usize) -> io::Result<usize> {
        let DecodeState::Together(together) = &mut self.state else { return Ok(0) };
        match together.read(self.feed, out, len)? {
            Step::Given => {}
            Step::Ended => self.state = DecodeState::Ended,
            Step::Alone(decoder) => {
                self.state = DecodeState::Alone(decoder);
                self.feed.rest_ahead();
                // In the same call, the library takes what is buffered, and no more.
                self.call(out, len)?;
            }
        }
        Ok(*len)
    }

    /// Reads as the library's reader does.
    fn alone(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while matches!(self.state, DecodeState::Alone(_)) {
            let input_len = self.feed.fill_buf()?.len();
            let mut made = 0;
            let result = self.call(out, &mut made);
            if self.failed.after(made, result)? > 0 {
                return Ok(made);
            }
            if input_len == 0 && matches!(self.state, DecodeState::Alone(_)) {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(0)
    }

    /// Calls the library once with the bytes that are buffered, and with the room after the first
    /// `len` bytes of `out`; adds the bytes that it makes to `len`, also if it fails.
    fn call(&mut self, out: &mut [u8], len: &mut usize) -> io::Result<usize> {
        let DecodeState::Alone(decoder) = &mut self.state else { return Ok(*len) };
        let room = out.get_mut(*len..).unwrap_or_default();
        let call = call(decoder, self.feed.buffered(), room);
        self.feed.consume(call.consumed);
        *len += call.made;
        if call.status? == Status::StreamEnd {
            self.state = DecodeState::Ended;
        }
        Ok(*len)
    }
}

/// The result of a read.
enum Step {
    Given,
    Ended,
    Alone(Decompress),
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

    fn read(&mut self, feed: &mut Feed<'_>, out: &mut [u8], len: &mut usize) -> io::Result<Step> {
        loop {
            if !self.is_taken {
                let end = self.block.end.div_ceil(8);
                if self.take(feed, end, *len)? == Taken::Some {
                    return Ok(Step::Given);
                }
                self.is_taken = true;
            }
            let mut rest = self.block.text.get(self.given..).unwrap_or_default();
            let given = rest.read(out.get_mut(*len..).unwrap_or_default())?;
            self.given += given;
            *len += given;
            if !rest.is_empty() {
                return Ok(Step::Given);
            }
            if matches!(self.next, Next::End) {
                let end = (self.block.end + END_LEN).div_ceil(8);
                let taken = self.take(feed, end, *len)?;
                return Ok(if taken == Taken::All { Step::Ended } else { Step::Given });
            }
            if !self.turn(feed) {
                return self.recall(feed).map(Step::Alone);
            }
        }
    }

    /// Takes the bytes up to the offset `end`, after `len` bytes of the text in the same read.
    fn take(&mut self, feed: &mut Feed<'_>, end: u64, len: usize) -> io::Result<Taken> {
        loop {
            let missing = usize::try_from(end - feed.consumed()).unwrap_or(usize::MAX);
            let held = if len > 0 { feed.buffered() } else { feed.fill_buf()? };
            let taken = held.get(..missing).unwrap_or(held);
            self.past.take(taken);
            let taken = taken.len();
            feed.consume(taken);
            if taken == missing {
                return Ok(Taken::All);
            }
            if len > 0 {
                self.past.wait();
                return Ok(Taken::Some);
            }
            if taken == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            self.past.wait();
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
    fn recall(&self, feed: &mut Feed<'_>) -> io::Result<Decompress> {
        let recalled = self.past.recall(feed.buffered());
        let at = match &recalled {
            Ok(Recalled { at, .. }) | Err((_, at)) => *at,
        };
        feed.consume(usize::try_from(at.saturating_sub(feed.consumed())).unwrap_or_default());
        recalled.map(|recalled| recalled.decoder).map_err(|(error, _)| error)
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
