//! The search for triggers with vectors of 64 bytes, whose comparisons give bits at once.

use std::arch::x86_64::{
    __m512i, _MM_HINT_T0, _mm_prefetch, _mm512_cmpeq_epi8_mask, _mm512_cmpge_epu8_mask,
    _mm512_loadu_si512, _mm512_mask_cmpge_epu8_mask, _mm512_set1_epi8,
};

use super::{AHEAD, BEFORE, BLOCK, BLOCKS, Queue, Text, Window, near, padded, text_at, window};

pub(super) fn search(bytes: &[u8], from: usize, queue: &mut Queue) -> usize {
    // SAFETY: `best` hands this function out only when the processor has AVX-512BW.
    unsafe { search_blocks(bytes, from, queue) }
}

#[target_feature(enable = "avx512bw")]
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
#[target_feature(enable = "avx512bw")]
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
///
/// Those are colons before something visible, and all others too when the block or the one
/// before holds a bracket.
#[target_feature(enable = "avx512bw")]
#[inline]
fn coarse(text: &Text, blocks: usize, found: &mut [usize; BLOCKS]) -> usize {
    let mut brackets_before = 1;
    let mut count = 0;
    for block in 0..blocks {
        let window = window(text, block);
        _mm_prefetch::<_MM_HINT_T0>(window.as_ptr().wrapping_add(AHEAD).cast());
        let bytes = load(window, BEFORE);
        let colons = equals(bytes, b':');
        let brackets = equals(bytes, b'<');
        let visible =
            _mm512_mask_cmpge_epu8_mask(colons, load(window, BEFORE + 1), splat(b' ' + 1));
        let near = u64::from(brackets | brackets_before != 0).wrapping_neg();
        found[count % BLOCKS] = block;
        count += usize::from(visible | colons & near != 0);
        brackets_before = brackets;
    }
    count
}

/// The triggers of a block, as `colon::passes` has them.
#[target_feature(enable = "avx512bw")]
#[inline]
fn exact_mask(window: &Window) -> u64 {
    let (before, after) = (load(window, BEFORE - 1), load(window, BEFORE + 1));
    let colons = equals(load(window, BEFORE), b':');
    let named = colons & at_least(before, b'0');
    let visible = at_least(after, b' ' + 1);
    let slash = equals(after, b'/');
    // `:` is the byte behind `9`.
    let above = at_least(before, b':') | at_least(after, b':');
    let timed = at_least(after, b'0') & !above;
    let doubled = (equals(before, b':') | equals(after, b':')) & !slash;
    let sure = (colons & slash | named & visible) & !(timed | doubled);
    sure | named & !visible & near_bracket(window)
}

/// The bits of a block that have a bracket at most [`BEFORE`] bytes before them.
#[target_feature(enable = "avx512bw")]
#[inline]
fn near_bracket(window: &Window) -> u64 {
    near(equals(load(window, 0), b'<'), equals(load(window, BEFORE), b'<'))
}

/// One bit for each byte that equals `byte`.
#[target_feature(enable = "avx512bw")]
#[inline]
fn equals(bytes: __m512i, byte: u8) -> u64 {
    _mm512_cmpeq_epi8_mask(bytes, splat(byte))
}

/// One bit for each byte that is `least` or more.
#[target_feature(enable = "avx512bw")]
#[inline]
fn at_least(bytes: __m512i, least: u8) -> u64 {
    _mm512_cmpge_epu8_mask(bytes, splat(least))
}

#[target_feature(enable = "avx512bw")]
#[inline]
fn splat(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}

/// The 64 bytes at `at`, a sum of constants wherever it is called, so that nothing of the
/// check is left.
#[target_feature(enable = "avx512bw")]
#[inline]
fn load(window: &Window, at: usize) -> __m512i {
    const EMPTY: &[u8; BLOCK] = &[0; BLOCK];
    let block: &[u8; BLOCK] = window.get(at..).and_then(|rest| rest.first_chunk()).unwrap_or(EMPTY);
    // SAFETY: 64 bytes are read from an array of 64; the load needs no alignment.
    unsafe { _mm512_loadu_si512(block.as_ptr().cast()) }
}
