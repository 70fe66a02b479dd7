//! The search for triggers, once plain and once with AVX2.
//!
//! The only module that may use `unsafe`. `memchr` alone is too slow here: in mail a colon
//! stands about every fifty bytes, and restarting a search costs more than the bytes
//! between. Tests compare the two at every alignment.
#![allow(
    unsafe_code,
    clippy::allow_attributes,
    reason = "vector loads; on other processors there are none, and `expect` would complain"
)]

use super::trigger::passes;

/// From an offset: the offset of a block, the triggers in it as bits, and where to go on.
/// The mask is zero only at the end of the bytes.
pub(super) type Search = fn(&[u8], usize) -> (usize, u64, usize);

/// Bytes that one mask covers.
const BLOCK: usize = 64;

/// The fastest search that this processor can run.
pub(super) fn best() -> Search {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        return avx2::search;
    }
    plain
}

/// The slow obvious search.
pub(super) fn plain(bytes: &[u8], from: usize) -> (usize, u64, usize) {
    let mut base = from;
    while base < bytes.len() {
        let next = bytes.len().min(base + BLOCK);
        let mask = plain_mask(bytes, base, next);
        if mask != 0 {
            return (base, mask, next);
        }
        base = next;
    }
    (base, 0, base)
}

fn plain_mask(bytes: &[u8], base: usize, next: usize) -> u64 {
    memchr::memchr_iter(b':', bytes.get(base..next).unwrap_or_default())
        .filter(|at| passes(bytes, base + at))
        .fold(0, |mask, at| mask | 1 << at)
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _MM_HINT_T0, _mm_prefetch, _mm256_and_si256, _mm256_andnot_si256,
        _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_max_epu8, _mm256_movemask_epi8,
        _mm256_or_si256, _mm256_set1_epi8,
    };

    use super::super::trigger::{BRACKET_DISTANCE_MAX, passes};
    use super::{BLOCK, plain, plain_mask};

    /// Bytes before a block that are looked at: a bracket may stand that far to the left.
    const BEFORE: usize = BRACKET_DISTANCE_MAX;
    /// Bytes of one vector.
    const HALF: usize = BLOCK / 2;
    /// How far ahead of the block memory is asked for.
    const AHEAD: usize = 2048;
    /// A block with what is looked at before and behind it.
    type Window = [u8; BEFORE + BLOCK + 1];

    pub(super) fn search(bytes: &[u8], from: usize) -> (usize, u64, usize) {
        // SAFETY: `best` hands this function out only when the processor has AVX2.
        unsafe { search_blocks(bytes, from) }
    }

    #[target_feature(enable = "avx2")]
    fn search_blocks(bytes: &[u8], from: usize) -> (usize, u64, usize) {
        let mut base = from;
        if base < BEFORE {
            // Too near the beginning to load what stands before the block.
            let next = bytes.len().min(base + BLOCK);
            let mask = plain_mask(bytes, base, next);
            if mask != 0 || next == bytes.len() {
                return (base, mask, next);
            }
            base = next;
        }
        while let Some(window) = bytes.get(base - BEFORE..).and_then(|rest| rest.first_chunk()) {
            let ahead = window.as_ptr().wrapping_add(AHEAD);
            _mm_prefetch::<_MM_HINT_T0>(ahead.cast());
            let mask = block_mask(window);
            if mask != 0 {
                return (base, mask, base + BLOCK);
            }
            base += BLOCK;
        }
        plain(bytes, base)
    }

    /// Without a branch up to the rare block that holds a trigger: in mail half of the blocks
    /// hold a colon, and a branch on that costs more than the comparisons it saves.
    ///
    /// The logic is done on vectors: on the masks the compiler takes each bit apart.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn block_mask(window: &Window) -> u64 {
        let (low, spaced_low) = half_mask::<0>(window);
        let (high, spaced_high) = half_mask::<HALF>(window);
        let mut mask = bits(low, high);
        if mask != 0 {
            mask &= !bits(between_digits::<0>(window), between_digits::<HALF>(window));
        }
        let spaced = bits(spaced_low, spaced_high);
        if spaced != 0 {
            mask |= near_bracket(window, spaced);
        }
        mask
    }

    /// Of the half block at `AT`: colons that are triggers unless they stand between digits,
    /// and those that are triggers if a bracket is near.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn half_mask<const AT: usize>(window: &Window) -> (__m256i, __m256i) {
        let colons = _mm256_cmpeq_epi8(load(window, BEFORE + AT), splat(b':'));
        let before = at_least(load(window, BEFORE + AT - 1), b'0');
        let after = load(window, BEFORE + AT + 1);
        let named = _mm256_and_si256(colons, before);
        let space = _mm256_cmpeq_epi8(after, splat(b' '));
        let slash = _mm256_cmpeq_epi8(after, splat(b'/'));
        let slashed = _mm256_and_si256(colons, slash);
        let sure = _mm256_or_si256(slashed, _mm256_andnot_si256(space, named));
        (sure, _mm256_and_si256(named, space))
    }

    /// Bytes of the half block at `AT` with a digit behind, and before them a digit or less.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn between_digits<const AT: usize>(window: &Window) -> __m256i {
        let before = load(window, BEFORE + AT - 1);
        let after = load(window, BEFORE + AT + 1);
        let above = _mm256_or_si256(at_least(before, b'9' + 1), at_least(after, b'9' + 1));
        _mm256_andnot_si256(above, at_least(after, b'0'))
    }

    /// Of the colons in `spaced`, those that [`passes`] takes for a bracket to their left.
    #[target_feature(enable = "avx2")]
    #[cold]
    fn near_bracket_slowly(window: &Window, mut spaced: u64) -> u64 {
        let mut kept = 0;
        while spaced != 0 {
            let bit = spaced.trailing_zeros();
            kept |= u64::from(passes(window, BEFORE + bit as usize)) << bit;
            spaced &= spaced - 1;
        }
        kept
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn near_bracket(window: &Window, spaced: u64) -> u64 {
        let brackets = equal(window, 0, b'<') | equal(window, BEFORE, b'<');
        if brackets == 0 { 0 } else { near_bracket_slowly(window, spaced) }
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
    fn equal(window: &Window, at: usize, byte: u8) -> u64 {
        let wanted = splat(byte);
        let low = _mm256_cmpeq_epi8(load(window, at), wanted);
        bits(low, _mm256_cmpeq_epi8(load(window, at + HALF), wanted))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn bits(low: __m256i, high: __m256i) -> u64 {
        let low = _mm256_movemask_epi8(low).cast_unsigned();
        let high = _mm256_movemask_epi8(high).cast_unsigned();
        u64::from(high) << 32 | u64::from(low)
    }

    /// The half block at `at`.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(window: &Window, at: usize) -> __m256i {
        debug_assert!(at + HALF <= window.len());
        let start = window.as_ptr().wrapping_add(at).cast::<__m256i>();
        // SAFETY: every `at` above is a sum of constants, at most `BEFORE + 1 + HALF`, so
        // that 32 bytes from there lie inside the window; the load needs no alignment.
        unsafe { _mm256_loadu_si256(start) }
    }
}

#[cfg(test)]
mod tests {
    use super::{best, plain};

    fn all(search: super::Search, bytes: &[u8], from: usize) -> Vec<usize> {
        let (mut found, mut next) = (Vec::new(), from);
        while next < bytes.len() {
            let (base, mask, behind) = search(bytes, next);
            found.extend((0..64).filter(|bit| mask >> bit & 1 == 1).map(|bit| base + bit));
            next = behind;
        }
        found
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
        for from in 0..200 {
            let text = &text[from..];
            assert_eq!(all(best(), text, 0), all(plain, text, 0), "at {from}");
            let short = &text[..from];
            assert_eq!(all(best(), short, 0), all(plain, short, 0), "length {from}");
            assert_eq!(all(best(), text, from), all(plain, text, from), "from {from}");
        }
        assert!(all(plain, &text, 0).len() > 1000);
    }
}
