//! Finds triggers: colons whose neighbours could belong to a URI.
//!
//! Every scheme ends in a colon, whatever wraps the URI, so that one search finds them all. The
//! colon alone is too common in mail (every header, every time of day); its two neighbours decide
//! nearly all cases. A colon that passes is examined byte by byte in `super`.

use super::simd;

/// Positions of colons that pass `colon::passes`, in order.
#[derive(Clone, Debug)]
pub(super) struct Triggers<'h> {
    bytes: &'h [u8],
    search: simd::Search,
    queue: simd::Queue,
    /// Triggers before this offset are not returned.
    from: usize,
    /// Offset after the part that was searched.
    searched: usize,
}

impl<'h> Triggers<'h> {
    /// Creates an iterator over the triggers at or after `from`.
    pub(super) fn new(bytes: &'h [u8], from: usize) -> Self {
        let queue = simd::Queue::new();
        Self { bytes, search: simd::best(), queue, from, searched: from }
    }

    /// Continues at `at`, which must not be before a trigger already returned.
    pub(super) fn skip_to(&mut self, at: usize) {
        self.from = at;
        if at >= self.searched {
            self.queue.clear();
            self.searched = at;
        }
    }

    /// Returns the offset at which the search continues.
    pub(super) const fn position(&self) -> usize {
        self.from
    }

    /// Returns the triggers from `at` on again; `at` may be before those already returned.
    pub(super) fn rewind(&mut self, at: usize) {
        self.queue.clear();
        (self.from, self.searched) = (at, at);
    }

    /// Returns the next trigger before `end`.
    pub(super) fn next_before(&mut self, end: usize) -> Option<usize> {
        loop {
            while let Some(at) = self.queue.pop() {
                if at >= end {
                    // No later trigger is wanted, either.
                    self.rewind(at);
                    return None;
                }
                if at >= self.from {
                    self.from = at + 1;
                    return Some(at);
                }
            }
            if self.searched >= end.min(self.bytes.len()) {
                return None;
            }
            self.searched = (self.search)(self.bytes, self.searched, &mut self.queue);
        }
    }
}
