//! Searches with vectors of 32 bytes.

use std::arch::x86_64::{
    __m256i, _MM_HINT_T0, _mm_loadu_si128, _mm_prefetch, _mm256_and_si256, _mm256_andnot_si256,
    _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_max_epu8,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_shuffle_epi8,
    _mm256_srli_epi16,
};

use super::{
    AHEAD, BEFORE, BLOCK, BLOCKS, Queue, Stops, Text, Window, near, padded, text_at, window,
};

/// Bytes of one vector.
const HALF: usize = BLOCK / 2;
pub(super) fn search(bytes: &[u8], from: usize, queue: &mut Queue) -> usize {
    // SAFETY: `best` hands this function out only when the processor has AVX2.
    unsafe { search_blocks(bytes, from, queue) }
}

#[target_feature(enable = "avx2")]
fn search_blocks(bytes: &[u8], from: usize, queue: &mut Queue) -> usize {
    queue.clear();
    let end = bytes.len().min(from + BLOCKS * BLOCK);
    match text_at(bytes, from) {
        Some(text) => search_text(text, BLOCKS, from, queue),
        None => search_text(&padded(bytes, from), end.abs_diff(from).div_ceil(BLOCK), from, queue),
    }
    end
}

/// Searches the first `blocks` of a text, which begin at `from`.
#[target_feature(enable = "avx2")]
#[inline]
fn search_text(text: &Text, blocks: usize, from: usize, queue: &mut Queue) {
    let count = coarse(text, blocks, &mut queue.coarse);
    for idx in 0..count {
        let block = queue.coarse[idx];
        queue.push(from + block * BLOCK, exact_mask(window(text, block)));
    }
}

/// Leaves the numbers of those of the first `blocks` that may hold triggers in `found`; gives
/// their count.
#[target_feature(enable = "avx2")]
#[inline]
fn coarse(text: &Text, blocks: usize, found: &mut [usize; BLOCKS]) -> usize {
    let mut bracket_before = 1;
    let mut count = 0;
    for block in 0..blocks {
        let window = window(text, block);
        _mm_prefetch::<_MM_HINT_T0>(window.as_ptr().wrapping_add(AHEAD).cast());
        let (mask, bracket) = coarse_mask(window, bracket_before);
        found[count % BLOCKS] = block;
        count += usize::from(mask != 0);
        bracket_before = bracket;
    }
    count
}

/// The colons of a block that may be triggers, and whether it holds a bracket: those
/// before something visible, and all others too when a bracket may be near.
#[target_feature(enable = "avx2")]
#[inline]
fn coarse_mask(window: &Window, bracket_before: u32) -> (u64, u32) {
    let (low, high) = (load(window, BEFORE), load(window, BEFORE + HALF));
    let (colons_low, colons_high) = (equals(low, b':'), equals(high, b':'));
    let brackets = _mm256_or_si256(equals(low, b'<'), equals(high, b'<'));
    let brackets = _mm256_movemask_epi8(brackets).cast_unsigned();
    let visible_low = at_least(load(window, BEFORE + 1), b' ' + 1);
    let visible_high = at_least(load(window, BEFORE + HALF + 1), b' ' + 1);
    let sure = bits(
        _mm256_and_si256(colons_low, visible_low),
        _mm256_and_si256(colons_high, visible_high),
    );
    let near = u64::from(brackets | bracket_before != 0).wrapping_neg();
    (sure | bits(colons_low, colons_high) & near, brackets)
}

/// The triggers of a block, as `colon::passes` has them.
#[target_feature(enable = "avx2")]
#[inline]
fn exact_mask(window: &Window) -> u64 {
    let (low, blank_low) = half_mask::<0>(window);
    let (high, blank_high) = half_mask::<HALF>(window);
    let never = bits(never::<0>(window), never::<HALF>(window));
    bits(low, high) & !never | bits(blank_low, blank_high) & near_bracket(window)
}

/// Of the half block at `AT`: colons that are triggers unless `never` says no, and those
/// before a blank, which are triggers if a bracket is near.
#[target_feature(enable = "avx2")]
#[inline]
fn half_mask<const AT: usize>(window: &Window) -> (__m256i, __m256i) {
    let colons = equals(load(window, BEFORE + AT), b':');
    let before = at_least(load(window, BEFORE + AT - 1), b'0');
    let after = load(window, BEFORE + AT + 1);
    let named = _mm256_and_si256(colons, before);
    let visible = at_least(after, b' ' + 1);
    let slashed = _mm256_and_si256(colons, equals(after, b'/'));
    let sure = _mm256_or_si256(slashed, _mm256_and_si256(named, visible));
    (sure, _mm256_andnot_si256(visible, named))
}

/// Bytes of the half block at `AT` at which a colon stands between digits, or beside
/// another colon.
#[target_feature(enable = "avx2")]
#[inline]
fn never<const AT: usize>(window: &Window) -> __m256i {
    let before = load(window, BEFORE + AT - 1);
    let after = load(window, BEFORE + AT + 1);
    // `:` is the byte behind `9`.
    let above = _mm256_or_si256(at_least(before, b':'), at_least(after, b':'));
    let timed = _mm256_andnot_si256(above, at_least(after, b'0'));
    let slash = equals(after, b'/');
    let doubled = _mm256_or_si256(equals(before, b':'), equals(after, b':'));
    _mm256_or_si256(timed, _mm256_andnot_si256(slash, doubled))
}

/// The bits of a block that have a bracket at most [`BEFORE`] bytes before them.
#[target_feature(enable = "avx2")]
#[inline]
fn near_bracket(window: &Window) -> u64 {
    near(brackets(window, 0), brackets(window, BEFORE))
}

/// One bit for each of the 64 bytes from `at` that is an opening bracket.
#[target_feature(enable = "avx2")]
#[inline]
fn brackets(window: &Window, at: usize) -> u64 {
    bits(equals(load(window, at), b'<'), equals(load(window, at + HALF), b'<'))
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
