//! Searches for triggers, and for bytes that end a run, once with plain code and once with vectors.
//!
//! The only module that may use `unsafe`. `memchr` alone is too slow here: in mail a colon occurs
//! about every fifty bytes, and restarting a search costs more than the bytes between. The vectors
//! work in two steps, neither of which branches on the content of a block: a coarse test of all
//! blocks, then an exact test of the few that may hold a trigger. Tests compare the two searches at
//! every alignment.
#![allow(
    unsafe_code,
    clippy::allow_attributes,
    reason = "vector loads; on other processors there are none, and `expect` would complain"
)]

use super::colon::{BRACKET_DISTANCE_MAX, passes};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

/// Searches from an offset on, puts the triggers found into the queue, and returns the offset after
/// the part searched.
pub(super) type Search = fn(&[u8], usize, &mut Queue) -> usize;

/// Bytes that one mask covers.
const BLOCK: usize = 64;
/// Number of blocks searched at a time, so that few branches depend on their content.
const BLOCKS: usize = 64;

/// Positions found, in order: the offset of a block and one bit for each of its bytes.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    found: [(usize, u64); BLOCKS],
    len: usize,
    next: usize,
    /// Blocks to be tested exactly, during a search.
    coarse: [usize; BLOCKS],
}

impl Queue {
    pub(super) const fn new() -> Self {
        Self { found: [(0, 0); BLOCKS], len: 0, next: 0, coarse: [0; BLOCKS] }
    }

    pub(super) fn clear(&mut self) {
        (self.len, self.next) = (0, 0);
    }

    /// Adds a block; a block without bits is overwritten by the next one.
    fn push(&mut self, base: usize, mask: u64) {
        if let Some(slot) = self.found.get_mut(self.len) {
            *slot = (base, mask);
            self.len += usize::from(mask != 0);
        }
    }

    /// Returns the first remaining position, and removes it.
    pub(super) fn pop(&mut self) -> Option<usize> {
        let (base, mask) = self.found.get_mut(self.next..self.len)?.first_mut()?;
        let at = *base + mask.trailing_zeros() as usize;
        *mask &= *mask - 1;
        self.next += usize::from(*mask == 0);
        Some(at)
    }
}

/// Returns the fastest search that this processor can run.
pub(super) fn best() -> Search {
    every().last().copied().unwrap_or(plain)
}

/// Returns the searches that this processor can run, the fastest last.
fn every() -> &'static [Search] {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512bw") {
        return &[plain, avx2::search, avx512::search];
    } else if std::arch::is_x86_feature_detected!("avx2") {
        return &[plain, avx2::search];
    }
    #[cfg(target_arch = "aarch64")]
    if std::arch::is_aarch64_feature_detected!("neon") {
        return &[plain, neon::search];
    }
    &[plain]
}

/// Searches in the slow and obvious way: tests every colon.
pub(super) fn plain(bytes: &[u8], from: usize, queue: &mut Queue) -> usize {
    queue.clear();
    let end = bytes.len().min(from + BLOCKS * BLOCK);
    let mut base = from;
    while base < end {
        let next = end.min(base + BLOCK);
        queue.push(base, plain_mask(bytes, base, next));
        base = next;
    }
    end
}

fn plain_mask(bytes: &[u8], base: usize, next: usize) -> u64 {
    memchr::memchr_iter(b':', bytes.get(base..next).unwrap_or_default())
        .filter(|at| passes(bytes, base + at))
        .fold(0, |mask, at| mask | 1 << at)
}

/// A set of bytes to stop at: some of US-ASCII, and every byte above.
#[derive(Debug)]
pub(super) struct Stops {
    has: [bool; 256],
    /// For each low half of a byte, the high halves, as bits, with which it is in the set.
    rows: [u8; 16],
}

impl Stops {
    /// Creates the set of the bytes that `has` marks.
    pub(super) const fn new(mut has: [bool; 256]) -> Self {
        let mut rows = [0; 16];
        let mut byte = 0;
        while byte < 256 {
            if byte >= 128 {
                has[byte] = true;
            } else if has[byte] {
                rows[byte & 15] |= 1 << (byte >> 4);
            }
            byte += 1;
        }
        Self { has, rows }
    }

    /// Returns the length of the run at the beginning of `text` without a byte of the set.
    pub(super) fn run_len(&self, text: &[u8]) -> usize {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return avx2::run_len(self, text);
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            return neon::run_len(self, text);
        }
        self.plain_run_len(text)
    }

    fn plain_run_len(&self, text: &[u8]) -> usize {
        text.iter().position(|byte| self.has[usize::from(*byte)]).unwrap_or(text.len())
    }
}

/// Number of bytes before a block that are examined, for a bracket before a scheme.
const BEFORE: usize = BRACKET_DISTANCE_MAX;
/// A block, with the bytes examined before and after it.
type Window = [u8; BEFORE + BLOCK + 1];
/// The bytes searched at a time, with those examined before and after them.
type Text = [u8; BEFORE + BLOCKS * BLOCK + 1];
/// Distance in bytes at which memory is prefetched. The processor's own prefetching stops at the
/// page; measured on buffers larger than the caches, 2 to 12 kB perform alike.
#[cfg(target_arch = "x86_64")]
const AHEAD: usize = 4096;

/// Returns the text to search from `from` on; `None` near the beginning and the end, where the
/// bytes around a block do not suffice for a load.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn text_at(bytes: &[u8], from: usize) -> Option<&Text> {
    from.checked_sub(BEFORE)
        .and_then(|start| bytes.get(start..))
        .and_then(|rest| rest.first_chunk())
}

/// Copies the text to search from `from` on, padded with blanks. Messages of mail are often shorter
/// than the window.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn padded(bytes: &[u8], from: usize) -> Text {
    let mut text = [b' '; size_of::<Text>()];
    let before = from.min(BEFORE);
    let rest = bytes.get(from - before..).unwrap_or_default();
    let room = text.get_mut(BEFORE - before..).unwrap_or_default();
    let len = rest.len().min(room.len());
    room.split_at_mut(len).0.copy_from_slice(rest.split_at(len).0);
    text
}

/// Returns the bits of a block with a set bit at most [`BEFORE`] bits before them. The set bits are
/// in `inside` or, before the block, in `before`, which begins [`BEFORE`] bits earlier.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline]
fn near(before: u64, inside: u64) -> u64 {
    let before = before & ((1 << BEFORE) - 1);
    let before = before | before >> 1;
    let before = before | before >> 2;
    let inside = inside << 1;
    let inside = inside | inside << 1;
    let inside = inside | inside << 2;
    before | before >> 4 | inside | inside << 4
}

/// Returns the window of the block with this number.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline]
fn window(text: &Text, block: usize) -> &Window {
    const EMPTY: &Window = &[0; size_of::<Window>()];
    text.get(block * BLOCK..).and_then(|rest| rest.first_chunk()).unwrap_or(EMPTY)
}

#[cfg(test)]
mod tests {
    use super::{Queue, Stops, every, plain};

    fn all(search: super::Search, bytes: &[u8], from: usize) -> Vec<usize> {
        let (mut found, mut queue, mut next) = (Vec::new(), Queue::new(), from);
        while next < bytes.len() {
            next = search(bytes, next, &mut queue);
            while let Some(at) = queue.pop() {
                found.push(at);
            }
        }
        found
    }

    #[test]
    fn runs_end_at_the_same_byte_either_way() {
        let mut state = 0x1234_5678_9ABC_DEF1_u64;
        for round in (0..64_usize).step_by(7) {
            let mut has = [false; 256];
            let mut random = || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state.to_le_bytes()[5]
            };
            (0..round).for_each(|_| has[usize::from(random() & 127)] = true);
            let stops = Stops::new(has);
            for byte in 0..=255_u8 {
                let mut text = vec![byte; 1];
                text.extend((0..70).map(|_| random() & if round < 8 { 0xFF } else { 0x7F }));
                for from in 0..text.len() {
                    let text = &text[from..];
                    assert_eq!(stops.run_len(text), stops.plain_run_len(text), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn all_searches_agree_at_every_alignment() {
        let alphabet = b":::/aZ09<> \n\r\t\0\x1f\x7f\xffx+-.";
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut text = Vec::new();
        for _ in 0..40_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            text.push(alphabet[(state >> 33) as usize % alphabet.len()]);
        }
        for &search in every() {
            for from in (0..200).chain(4000..4200) {
                let text = &text[from..];
                assert_eq!(all(search, text, 0), all(plain, text, 0), "at {from}");
                let short = &text[..from];
                assert_eq!(all(search, short, 0), all(plain, short, 0), "length {from}");
                assert_eq!(all(search, text, from), all(plain, text, from), "from {from}");
            }
        }
        assert!(all(plain, &text, 0).len() > 1000);
    }
}
