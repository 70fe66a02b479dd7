//! Finds the blocks of bzip2 by the 48 bits that they begin with. These bits may also occur by
//! chance, even inside a block; the reader of the blocks accepts only blocks that follow each
//! other.

use std::sync::LazyLock;

use memchr::memmem::Finder as Needle;

use super::block::{self, MAGIC, Next};
use crate::source::container::ahead::{Facts, Finder, FoundPart, Part};

/// Maximum length of a block in packed bytes. It holds at most 900,000 bytes, and packing makes
/// them little longer.
const BLOCK_LEN_MAX: usize = 1024 * 1024;
/// Bytes that hold the magic number at any bit of the first of them.
const MAGIC_LEN: usize = 7;

/// The whole bytes inside of the magic number that begins at each bit of a byte.
static NEEDLES: LazyLock<[Needle<'static>; 8]> = LazyLock::new(|| {
    std::array::from_fn(|shift| {
        let [_, _, whole @ .., _] = (MAGIC << (8 - shift)).to_be_bytes();
        Needle::new(&whole).into_owned()
    })
});

/// A search for blocks.
#[derive(Default)]
pub(in super::super) struct Search {
    /// The bytes from the open block on, or else those that are not searched.
    window: Vec<u8>,
    /// Offset of the window.
    base: u64,
    /// Index in the window up to which each byte was tried as the first of a block.
    searched: usize,
    /// The bit in the window that the last block begins with, until its end is found.
    open: Option<usize>,
}

impl Finder for Search {
    fn pass(&mut self, bytes: &[u8], found: &mut Vec<FoundPart>) {
        self.window.extend_from_slice(bytes);
        for start in self.starts() {
            found.extend(self.close(start.div_ceil(8) + MAGIC_LEN));
            self.open = Some(start);
        }
        self.searched = self.searched.max((self.window.len() + 1).saturating_sub(MAGIC_LEN));
        if self.open.is_some_and(|start| self.window.len() - start / 8 > BLOCK_LEN_MAX) {
            found.extend(self.close(self.window.len()));
        }
        let passed = self.open.map_or(self.searched, |start| start / 8);
        self.window.drain(..passed);
        self.base += passed as u64;
        self.searched -= passed;
        self.open = self.open.map(|start| start % 8);
    }

    fn finish(&mut self, found: &mut Vec<FoundPart>) {
        found.extend(self.close(self.window.len()));
    }

    fn packed_len_max(&self) -> usize {
        BLOCK_LEN_MAX
    }

    fn is_hopeful(&self) -> bool {
        true
    }
}

impl Search {
    /// Returns the bits of the window that a block may begin with, in order, of those that were not
    /// searched.
    fn starts(&self) -> Vec<usize> {
        let mut starts = Vec::new();
        let rest = self.window.get(self.searched + 1..).unwrap_or_default();
        for (shift, needle) in NEEDLES.iter().enumerate() {
            let whole = needle.find_iter(rest).map(|at| self.searched + at);
            starts.extend(whole.filter(|at| self.is_start(*at, shift)).map(|at| at * 8 + shift));
        }
        starts.sort_unstable();
        starts
    }

    /// Reports whether the magic number begins at the bit `shift` of the byte at `at`.
    fn is_start(&self, at: usize, shift: usize) -> bool {
        let Some(bytes) = self.window.get(at..at + MAGIC_LEN) else { return false };
        let bits = bytes.iter().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
        bits >> (8 - shift) & 0xFFFF_FFFF_FFFF == MAGIC
    }

    /// Returns the open block, whose bytes and those that follow it end before `end`.
    fn close(&mut self, end: usize) -> Option<FoundPart> {
        let start = self.open.take()?;
        let bytes = self.window.get(start / 8..end.min(self.window.len()))?.to_vec();
        let at = self.base * 8 + start as u64;
        Some(FoundPart {
            at,
            text_len_max: block::TEXT_LEN_MAX,
            decode: Box::new(move |_| part(&bytes, start % 8, at)),
        })
    }
}

fn part(bytes: &[u8], start: usize, at: u64) -> Option<Part> {
    let block = block::decode(bytes, start)?;
    let last = if let Next::End(checksum) = block.next { Some(checksum) } else { None };
    let is_followed = block.next == Next::Block;
    let facts = Facts { checksum: block.crc, size: block.size, last, is_followed };
    Some(Part { text: block.text, end: at + block.bits as u64, facts, steps: Vec::new() })
}
