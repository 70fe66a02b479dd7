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
        __m256i, _mm256_andnot_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_min_epu8,
        _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_sub_epi8,
    };

    use super::super::trigger::{BRACKET_DISTANCE_MAX, passes};
    use super::{BLOCK, plain, plain_mask};

    /// Bytes before a block that are looked at: a bracket may stand that far to the left.
    const BEFORE: usize = BRACKET_DISTANCE_MAX;
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
            let mask = block_mask(window);
            if mask != 0 {
                return (base, mask, base + BLOCK);
            }
            base += BLOCK;
        }
        plain(bytes, base)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn block_mask(window: &Window) -> u64 {
        let colons = equal::<BEFORE>(window, b':');
        if colons == 0 {
            return 0;
        }
        let (low, high) = load::<{ BEFORE - 1 }>(window);
        let named = colons & bits(name_bytes(low), name_bytes(high));
        let (low, high) = load::<{ BEFORE + 1 }>(window);
        let unfit = bits(unfit_bytes(low), unfit_bytes(high));
        let slashed = colons & equal::<{ BEFORE + 1 }>(window, b'/');
        let spaced = named & unfit;
        let sure = slashed | named & !unfit;
        if spaced == 0 { sure } else { sure | near_bracket(window, spaced) }
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
        let brackets = equal::<0>(window, b'<') | equal::<BEFORE>(window, b'<');
        if brackets == 0 { 0 } else { near_bracket_slowly(window, spaced) }
    }

    /// Bytes that may end a scheme's name, as 0xFF.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn name_bytes(bytes: __m256i) -> __m256i {
        let lower = _mm256_or_si256(bytes, splat(0x20));
        _mm256_or_si256(within(lower, b'a', 25), within(bytes, b'0', 9))
    }

    /// Bytes that do not go on behind a scheme's colon, as 0xFF: controls and blanks but
    /// line ends.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn unfit_bytes(bytes: __m256i) -> __m256i {
        let low = _mm256_or_si256(within(bytes, 0, 32), _mm256_cmpeq_epi8(bytes, splat(127)));
        let feed = _mm256_cmpeq_epi8(bytes, splat(b'\n'));
        let end = _mm256_or_si256(feed, _mm256_cmpeq_epi8(bytes, splat(b'\r')));
        _mm256_andnot_si256(end, low)
    }

    /// Bytes in `first..=first + span`, as 0xFF.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn within(bytes: __m256i, first: u8, span: u8) -> __m256i {
        let moved = _mm256_sub_epi8(bytes, splat(first));
        _mm256_cmpeq_epi8(_mm256_min_epu8(moved, splat(span)), moved)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn splat(byte: u8) -> __m256i {
        _mm256_set1_epi8(byte.cast_signed())
    }

    /// One bit for each of the 64 bytes from `AT` that equals `byte`.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn equal<const AT: usize>(window: &Window, byte: u8) -> u64 {
        let (low, high) = load::<AT>(window);
        let wanted = splat(byte);
        bits(_mm256_cmpeq_epi8(low, wanted), _mm256_cmpeq_epi8(high, wanted))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn bits(low: __m256i, high: __m256i) -> u64 {
        let low = _mm256_movemask_epi8(low).cast_unsigned();
        let high = _mm256_movemask_epi8(high).cast_unsigned();
        u64::from(high) << 32 | u64::from(low)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load<const AT: usize>(window: &Window) -> (__m256i, __m256i) {
        const { assert!(AT + BLOCK <= size_of::<Window>()) }
        let start = window.as_ptr().wrapping_add(AT).cast::<__m256i>();
        // SAFETY: 64 bytes from `AT` lie inside the window, as asserted above; the loads
        // need no alignment.
        unsafe { (_mm256_loadu_si256(start), _mm256_loadu_si256(start.wrapping_add(1))) }
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
