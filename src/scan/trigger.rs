//! Where a URI might begin: colons whose neighbours could belong to one.
//!
//! Every scheme ends in a colon, whatever wraps the URI, so one search finds them all. The
//! colon alone is too common in mail (every header, every time of day); its two neighbours
//! settle nearly all of them. What passes here is looked at byte by byte in `super`.

use super::simd;

/// Positions of colons that pass [`passes`], in order.
#[derive(Clone, Debug)]
pub(super) struct Triggers<'h> {
    bytes: &'h [u8],
    search: simd::Search,
    /// Offset of bit 0 of `mask`.
    base: usize,
    /// Triggers of one block that are still to be given.
    mask: u64,
    /// Offset behind the block that `mask` was made of.
    next: usize,
}

impl<'h> Triggers<'h> {
    /// Triggers at or behind `from`.
    pub(super) fn new(bytes: &'h [u8], from: usize) -> Self {
        Self { bytes, search: simd::best(), base: from, mask: 0, next: from }
    }

    /// Goes on at `at`, which must not lie before a trigger already given.
    pub(super) fn skip_to(&mut self, at: usize) {
        if at >= self.next {
            self.mask = 0;
            self.next = at;
        } else if let Some(passed) = at.checked_sub(self.base) {
            self.mask &= u64::MAX << (passed & 63);
        }
    }

    /// Where the search goes on.
    pub(super) const fn position(&self) -> usize {
        self.next
    }

    /// Gives triggers from `at` on again, which may lie before those already given.
    pub(super) fn rewind(&mut self, at: usize) {
        (self.base, self.mask, self.next) = (at, 0, at);
    }

    /// The next trigger before `end`.
    pub(super) fn next_before(&mut self, end: usize) -> Option<usize> {
        while self.mask == 0 {
            if self.next >= end.min(self.bytes.len()) {
                return None;
            }
            (self.base, self.mask, self.next) = (self.search)(self.bytes, self.next);
        }
        let at = self.base + self.mask.trailing_zeros() as usize;
        if at >= end {
            return None;
        }
        self.mask &= self.mask - 1;
        Some(at)
    }
}

/// True when a colon at `colon` may end a scheme.
///
/// Behind it stands a slash; or before it no blank and none of the punctuation below `0`,
/// and behind it no space: a space follows every header's name and every "note:". Line ends
/// do pass, since a wrapper may break a URI anywhere. The one space that counts stands in
/// `<mailto: x>` and is told by the bracket a few bytes to the left. Digits on both sides
/// are the time of day.
pub(super) fn passes(bytes: &[u8], colon: usize) -> bool {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(b' ');
    let before = colon.checked_sub(1).map_or(b' ', byte);
    match byte(colon + 1) {
        b'/' => true,
        b' ' => before >= b'0' && bracket_is_near(bytes, colon),
        b'0'..=b'9' => before > b'9',
        _ => before >= b'0',
    }
}

/// Names of schemes that people put in brackets are short; a longer one is not looked for.
pub(super) const BRACKET_DISTANCE_MAX: usize = 8;

fn bracket_is_near(bytes: &[u8], colon: usize) -> bool {
    let from = colon.saturating_sub(BRACKET_DISTANCE_MAX);
    bytes.get(from..colon).unwrap_or_default().contains(&b'<')
}
