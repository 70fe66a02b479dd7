//! The search for triggers, and for the bytes that end a run, once plain and once with AVX2.
//!
//! The only module that may use `unsafe`. `memchr` alone is too slow here: in mail a colon
//! stands about every fifty bytes, and restarting a search costs more than the bytes
//! between. The search works in two steps, neither of which branches on what a block holds:
//! a coarse look at all blocks by vectors, an exact one at the few colons that it leaves, by
//! tables. Tests compare the two searches at every alignment.
#![allow(
    unsafe_code,
    clippy::allow_attributes,
    reason = "vector loads; on other processors there are none, and `expect` would complain"
)]

use super::trigger::{self, passes};

/// Searches from an offset on, leaves the triggers it found in the queue, and gives the
/// offset behind what was searched.
pub(super) type Search = fn(&[u8], usize, &mut Queue) -> usize;

/// Bytes that one mask covers.
const BLOCK: usize = 64;
/// Blocks that are searched at a time, so that few branches depend on what they hold.
const BLOCKS: usize = 64;

/// Positions found, in order: an offset and one bit for each of the bytes behind it.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    found: [(usize, u64); BLOCKS],
    len: usize,
    next: usize,
    /// Blocks to be looked at exactly, while a search goes on, as their numbers and masks.
    coarse: [(usize, u64); BLOCKS],
}

impl Queue {
    pub(super) const fn new() -> Self {
        Self { found: [(0, 0); BLOCKS], len: 0, next: 0, coarse: [(0, 0); BLOCKS] }
    }

    pub(super) fn clear(&mut self) {
        (self.len, self.next) = (0, 0);
    }

    /// Adds a block; one without bits is overwritten by the next.
    fn push(&mut self, base: usize, mask: u64) {
        if let Some(slot) = self.found.get_mut(self.len) {
            *slot = (base, mask);
            self.len += usize::from(mask != 0);
        }
    }

    /// The first position left.
    pub(super) fn pop(&mut self) -> Option<usize> {
        let (base, mask) = self.found.get_mut(self.next..self.len)?.first_mut()?;
        let at = *base + mask.trailing_zeros() as usize;
        *mask &= *mask - 1;
        self.next += usize::from(*mask == 0);
        Some(at)
    }
}

/// The fastest search that this processor can run.
pub(super) fn best() -> Search {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        return avx2::search;
    }
    plain
}

/// The slow obvious search: asks of every colon.
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

/// A set of bytes to stop at: some of US-ASCII, and every byte beyond.
#[derive(Debug)]
pub(super) struct Stops {
    has: [bool; 256],
    /// For each low half of a byte the high halves, as bits, that make it one of the set.
    rows: [u8; 16],
}

impl Stops {
    /// The set of the bytes that `has` marks.
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

    /// Length of the run at the beginning of `text` that holds none of the set.
    pub(super) fn run_len(&self, text: &[u8]) -> usize {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return avx2::run_len(self, text);
        }
        self.plain_run_len(text)
    }

    fn plain_run_len(&self, text: &[u8]) -> usize {
        text.iter().position(|byte| self.has[usize::from(*byte)]).unwrap_or(text.len())
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _MM_HINT_T0, _mm_loadu_si128, _mm_prefetch, _mm256_and_si256,
        _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_max_epu8,
        _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_shuffle_epi8,
        _mm256_srli_epi16,
    };

    use super::{BLOCK, BLOCKS, Queue, Stops, plain, trigger};

    /// Bytes before a block that are looked at: a bracket may stand that far to the left.
    const BEFORE: usize = trigger::BRACKET_DISTANCE_MAX;
    /// A block, with what is looked at before and behind it.
    type Window = [u8; BEFORE + BLOCK + 1];
    /// Bytes of one vector.
    const HALF: usize = BLOCK / 2;
    /// How far ahead of the block memory is asked for. The processor's own guess stops at
    /// the page; measured on buffers beyond the caches, 1 to 4 kB are alike.
    const AHEAD: usize = 4096;

    pub(super) fn search(bytes: &[u8], from: usize, queue: &mut Queue) -> usize {
        // SAFETY: `best` hands this function out only when the processor has AVX2.
        unsafe { search_blocks(bytes, from, queue) }
    }

    /// Bytes that are searched at a time, and what is looked at around them.
    type Text = [u8; BEFORE + BLOCKS * BLOCK + 1];

    #[target_feature(enable = "avx2")]
    fn search_blocks(bytes: &[u8], from: usize, queue: &mut Queue) -> usize {
        // Near the beginning and the end there is not enough around a block to load.
        let text: Option<&Text> = from
            .checked_sub(BEFORE)
            .and_then(|start| bytes.get(start..))
            .and_then(|rest| rest.first_chunk());
        let Some(text) = text else { return plain(bytes, from, queue) };
        queue.clear();
        let count = coarse(text, &mut queue.coarse);
        for idx in 0..count {
            let (block, mask) = queue.coarse[idx];
            queue.push(from + block * BLOCK, exact_mask(window(text, block), mask));
        }
        from + BLOCKS * BLOCK
    }

    /// Leaves the blocks that may hold triggers in `found`; gives their count.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn coarse(text: &Text, found: &mut [(usize, u64); BLOCKS]) -> usize {
        let mut count = 0;
        let mut bracket_before = 1;
        for block in 0..BLOCKS {
            let window = window(text, block);
            _mm_prefetch::<_MM_HINT_T0>(window.as_ptr().wrapping_add(AHEAD).cast());
            let (mask, bracket) = coarse_mask(window, bracket_before);
            found[count % BLOCKS] = (block, mask);
            count += usize::from(mask != 0);
            bracket_before = bracket;
        }
        count
    }

    /// What is looked at for the block of this number.
    #[inline]
    fn window(text: &Text, block: usize) -> &Window {
        const EMPTY: &Window = &[0; size_of::<Window>()];
        text.get(block * BLOCK..).and_then(|rest| rest.first_chunk()).unwrap_or(EMPTY)
    }

    /// The colons of a block before something visible, and all others too when it or the
    /// block before holds a bracket; and whether it does.
    ///
    /// Where the bracket stands is found out later: here each instruction counts.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn coarse_mask(window: &Window, bracket_before: u32) -> (u64, u32) {
        let (low, high) = (load(window, BEFORE), load(window, BEFORE + HALF));
        let (colons_low, colons_high) = (equals(low, b':'), equals(high, b':'));
        let brackets = _mm256_or_si256(equals(low, b'<'), equals(high, b'<'));
        let brackets = _mm256_movemask_epi8(brackets).cast_unsigned();
        let visible_low = at_least(load(window, BEFORE + 1), b' ' + 1);
        let visible_high = at_least(load(window, BEFORE + HALF + 1), b' ' + 1);
        let visible = bits(
            _mm256_and_si256(colons_low, visible_low),
            _mm256_and_si256(colons_high, visible_high),
        );
        let near = u64::from(brackets | bracket_before != 0).wrapping_neg();
        (visible | bits(colons_low, colons_high) & near, brackets)
    }

    /// Of the colons in `mask`, the triggers, as `trigger::passes` has them.
    fn exact_mask(window: &Window, mut mask: u64) -> u64 {
        let mut exact = 0;
        while mask != 0 {
            let bit = mask.trailing_zeros();
            let around = window.get(bit as usize..).and_then(|rest| rest.first_chunk());
            exact |= u64::from(around.is_some_and(trigger::surroundings_pass)) << bit;
            mask &= mask - 1;
        }
        exact
    }

    pub(super) fn run_len(stops: &Stops, text: &[u8]) -> usize {
        // SAFETY: called only when the processor has AVX2.
        unsafe { run_len_by_vectors(stops, text) }
    }

    /// Two table look-ups a byte, by its low and its high half, as simdjson finds its
    /// structural characters.
    #[target_feature(enable = "avx2")]
    fn run_len_by_vectors(stops: &Stops, text: &[u8]) -> usize {
        /// One bit for each high half of US-ASCII.
        const HIGH: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];
        let (rows, bits_of_high) = (twice(&stops.rows), twice(&HIGH));
        let half = splat(0x0F);
        let (blocks, _) = text.as_chunks::<HALF>();
        for (number, block) in blocks.iter().enumerate() {
            let bytes = load_half(block);
            let low = _mm256_shuffle_epi8(rows, _mm256_and_si256(bytes, half));
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), half);
            let found = _mm256_and_si256(low, _mm256_shuffle_epi8(bits_of_high, high));
            let passed = _mm256_movemask_epi8(equals(found, 0)).cast_unsigned();
            let beyond = _mm256_movemask_epi8(bytes).cast_unsigned();
            let stop = !passed | beyond;
            if stop != 0 {
                return number * HALF + stop.trailing_zeros() as usize;
            }
        }
        let tail = blocks.len() * HALF;
        tail + stops.plain_run_len(text.get(tail..).unwrap_or_default())
    }

    /// A table in both lanes of a vector.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn twice(table: &[u8; 16]) -> __m256i {
        // SAFETY: 16 bytes are read from an array of 16; the load needs no alignment.
        _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load_half(block: &[u8; HALF]) -> __m256i {
        // SAFETY: 32 bytes are read from an array of 32; the load needs no alignment.
        unsafe { _mm256_loadu_si256(block.as_ptr().cast()) }
    }

    /// Bytes that equal `byte`, as 0xFF.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn equals(bytes: __m256i, byte: u8) -> __m256i {
        _mm256_cmpeq_epi8(bytes, splat(byte))
    }

    /// Bytes that are `least` or more, as 0xFF.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn at_least(bytes: __m256i, least: u8) -> __m256i {
        _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, splat(least)), bytes)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn splat(byte: u8) -> __m256i {
        _mm256_set1_epi8(byte.cast_signed())
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn bits(low: __m256i, high: __m256i) -> u64 {
        let low = _mm256_movemask_epi8(low).cast_unsigned();
        let high = _mm256_movemask_epi8(high).cast_unsigned();
        u64::from(high) << 32 | u64::from(low)
    }

    /// The half block at `at`, a sum of constants wherever it is called, so that nothing of
    /// the check is left.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(window: &Window, at: usize) -> __m256i {
        const EMPTY: &[u8; HALF] = &[0; HALF];
        load_half(window.get(at..).and_then(|rest| rest.first_chunk()).unwrap_or(EMPTY))
    }
}

#[cfg(test)]
mod tests {
    use super::{Queue, Stops, best, plain};

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
    fn both_searches_agree_at_every_alignment() {
        let alphabet = b":::/aZ09<> \n\r\t\0\x1f\x7f\xffx+-.";
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut text = Vec::new();
        for _ in 0..40_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            text.push(alphabet[(state >> 33) as usize % alphabet.len()]);
        }
        for from in (0..200).chain(1000..1200) {
            let text = &text[from..];
            assert_eq!(all(best(), text, 0), all(plain, text, 0), "at {from}");
            let short = &text[..from];
            assert_eq!(all(best(), short, 0), all(plain, short, 0), "length {from}");
            assert_eq!(all(best(), text, from), all(plain, text, from), "from {from}");
        }
        assert!(all(plain, &text, 0).len() > 1000);
    }
}
