//! Reads a stream of bzip2 block by block: the text of a block is passed on once its checksum is
//! verified.
//!
//! The library compares the checksum when it has given the last byte of a block. Called without
//! room, it takes packed bytes up to the end of a block; called without packed bytes, it gives text
//! up to there, and has compared the checksum if it leaves room. So the borders are known.
//!
//! That call may fail although the checksum is right: of the packed bytes, the library holds up to
//! seven, which may show that no block follows. Then the checksum is compared here.

use std::collections::VecDeque;
use std::io::{self, BufRead as _, ErrorKind, Read as _};

use bzip2::{Decompress, Status};

use super::block::{self, TEXT_LEN_MAX};
use super::past::{Recalled, call, invalid};
use crate::source::container::Feed;

/// Bytes of text that are held as one, if there are more than [`TEXT_LEN_MAX`].
const CHUNK_LEN: usize = 64 * 1024;

/// Packed bytes that the library may hold.
const HELD_LEN_MAX: usize = 8;
/// Bytes that have the header of a block, after those that the library may hold: that of the stream
/// may precede it.
const HEAD_LEN: usize = HELD_LEN_MAX + 16;
/// Bits of the magic number of a block, and with the checksum after it.
const MAGIC_BITS: usize = 48;
const CHECKSUM_END: usize = MAGIC_BITS + 32;

/// The library's decoder, and the text of a block.
pub(super) struct Verified {
    decoder: Decompress,
    head: Head,
    text: Vec<u8>,
    /// Bytes of `text` that were passed on.
    given: usize,
    /// The text after that. A block of runs decodes to 45 million bytes, so they are held as the
    /// block has them.
    more: VecDeque<Vec<u8>>,
    /// The error after the text.
    failed: Option<io::Error>,
    is_ended: bool,
}

impl Verified {
    /// Begins a stream.
    pub(super) fn begin() -> Self {
        Self::new(Decompress::new(false), Head::default())
    }

    /// Continues with a decoder that has given all text of the blocks before.
    pub(super) fn after(recalled: Recalled) -> Self {
        let Recalled { decoder, taken, .. } = recalled;
        let mut head = Head::default();
        head.pass(&taken);
        Self::new(decoder, head)
    }

    fn new(decoder: Decompress, head: Head) -> Self {
        let (text, more) = (Vec::new(), VecDeque::new());
        Self { decoder, head, text, given: 0, more, failed: None, is_ended: false }
    }

    /// Reads text of one block, or none at the end of the stream.
    pub(super) fn read(&mut self, feed: &mut Feed<'_>, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let mut rest = self.text.get(self.given..).unwrap_or_default();
            if !rest.is_empty() {
                let given = rest.read(out)?;
                self.given += given;
                return Ok(given);
            }
            self.given = 0;
            if let Some(chunk) = self.more.pop_front() {
                self.text = block::expanded(&chunk).ok_or(ErrorKind::InvalidData)?;
                continue;
            }
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            if self.is_ended {
                return Ok(0);
            }
            self.text.clear();
            self.take(feed)?;
        }
    }

    /// Takes packed bytes, and the text of the block that ends with them.
    fn take(&mut self, feed: &mut Feed<'_>) -> io::Result<()> {
        let input = feed.fill_buf()?;
        let is_at_end = input.is_empty();
        let call = call(&mut self.decoder, input, &mut []);
        self.head.pass(input.get(..call.consumed).unwrap_or_default());
        feed.consume(call.consumed);
        match call.status? {
            Status::StreamEnd => {
                self.is_ended = true;
                return Ok(());
            }
            Status::MemNeeded => return Err(ErrorKind::OutOfMemory.into()),
            _ => {}
        }
        let result = self.hold();
        if result.is_err() && !self.head.declares(self.checksum()) {
            self.text.clear();
            self.more.clear();
            return result;
        }
        self.failed = result.err();
        match (self.text.is_empty(), is_at_end) {
            (true, true) => return Err(ErrorKind::UnexpectedEof.into()),
            (true, false) => {}
            (false, _) => self.head.turn(),
        }
        Ok(())
    }

    /// Returns the checksum of the text that is held.
    fn checksum(&self) -> u32 {
        let sum = block::summed(u32::MAX, &self.text);
        let chunks = self.more.iter().filter_map(|chunk| block::expanded(chunk));
        !chunks.fold(sum, |sum, chunk| block::summed(sum, &chunk))
    }

    /// Holds the text up to the end of the block.
    fn hold(&mut self) -> io::Result<()> {
        while self.text.len() < TEXT_LEN_MAX {
            let room = self.text.len().max(CHUNK_LEN).min(TEXT_LEN_MAX - self.text.len());
            self.text.reserve(room);
            if decode(&mut self.decoder, &mut self.text)? {
                return Ok(());
            }
        }
        loop {
            let mut chunk = Vec::with_capacity(CHUNK_LEN);
            let is_last = decode(&mut self.decoder, &mut chunk)?;
            self.more.push_back(contracted(&chunk));
            if is_last {
                return Ok(());
            }
        }
    }
}

/// The packed bytes that have the header of the block at hand.
#[derive(Default)]
struct Head {
    bytes: Vec<u8>,
    /// The last bytes that were taken.
    last: Vec<u8>,
}

impl Head {
    /// Takes the next packed bytes.
    fn pass(&mut self, bytes: &[u8]) {
        let missing = HEAD_LEN.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(bytes.get(..missing).unwrap_or(bytes));
        let near = bytes.get(bytes.len().saturating_sub(HELD_LEN_MAX)..).unwrap_or_default();
        self.last.extend_from_slice(near);
        self.last.drain(..self.last.len().saturating_sub(HELD_LEN_MAX));
    }

    /// Turns to the block that follows, of which some bytes may have been taken.
    fn turn(&mut self) {
        self.bytes.clone_from(&self.last);
    }

    /// Reports whether the header of a block declares `checksum`.
    fn declares(&self, checksum: u32) -> bool {
        let wanted = u128::from(block::MAGIC) << 32 | u128::from(checksum);
        let bits = self.bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
        let mut seen = 0_u128;
        bits.enumerate().any(|(at, bit)| {
            seen = seen << 1 | u128::from(bit);
            at + 1 >= CHECKSUM_END && seen & ((1 << CHECKSUM_END) - 1) == wanted
        })
    }
}

/// Adds text without taking packed bytes; reports whether the block ends, and is verified.
fn decode(decoder: &mut Decompress, text: &mut Vec<u8>) -> io::Result<bool> {
    decoder.decompress_vec(&[], text).map_err(invalid)?;
    Ok(text.len() < text.capacity())
}

/// Contracts runs, as [`block::expanded`] expands them.
fn contracted(text: &[u8]) -> Vec<u8> {
    const COUNT_MAX: usize = u8::MAX as usize;
    let mut packed = Vec::new();
    let runs = text.chunk_by(|one, next| one == next);
    for run in runs.flat_map(|run| run.chunks(block::RUN_LEN + COUNT_MAX)) {
        match run.split_at_checked(block::RUN_LEN) {
            Some((first, more)) => {
                packed.extend_from_slice(first);
                packed.push(u8::try_from(more.len()).unwrap_or(u8::MAX));
            }
            None => packed.extend_from_slice(run),
        }
    }
    packed.shrink_to_fit();
    packed
}

#[cfg(test)]
mod tests {
    use super::super::super::twin::{Chance, text};
    use super::{HEAD_LEN, Head, block, contracted};

    #[test]
    fn the_header_of_a_block_is_found_at_any_bit() {
        let [_, _, _, _, _, _, header @ ..] =
            (u128::from(block::MAGIC) << 32 | 0x1994_0612).to_be_bytes();
        for shift in 0..8 {
            let whole = u128::from_be_bytes([&[0; 6], &header[..]].concat().try_into().unwrap());
            let [_, _, _, _, moved @ ..] = (whole << shift).to_be_bytes();
            let mut head = Head::default();
            head.pass(&[7; 100]);
            head.turn();
            moved.chunks(3).for_each(|bytes| head.pass(bytes));
            assert!(head.declares(0x1994_0612) && !head.declares(0x1994_0613), "{shift}");
            head.pass(&[0; 100]);
            assert!(head.bytes.len() <= HEAD_LEN && head.declares(0x1994_0612));
            head.turn();
            assert!(!head.declares(0x1994_0612));
        }
    }

    #[test]
    fn contracted_text_expands_to_the_same() {
        let mut chance = Chance(14);
        for len in [0, 1, 3, 4, 5, 258, 259, 260, 263, 1_000, 65_536] {
            let run = vec![b'a'; len];
            let among = [b"b", &run[..], b"cc"].concat();
            let noisy: Vec<u8> = (0..len).map(|_| b'0' + u8::from(chance.below(9) == 0)).collect();
            for text in [run, among, noisy, text(&mut chance, len)] {
                assert!(block::expanded(&contracted(&text)).unwrap() == text, "{len}");
            }
        }
        assert!(contracted(&[7; 65_536]).len() < 1_300);
    }
}
