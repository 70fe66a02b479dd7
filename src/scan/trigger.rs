//! Where a URI might begin: colons whose neighbours could belong to one.
//!
//! Every scheme ends in a colon, whatever wraps the URI, so one search finds them all. The
//! colon alone is too common in mail (every header, every time of day); its two neighbours
//! settle nearly all of them. What passes here is looked at byte by byte in `super`.

use super::simd;

/// Positions of colons that pass `colon::passes`, in order.
#[derive(Clone, Debug)]
pub(super) struct Triggers<'h> {
    bytes: &'h [u8],
    search: simd::Search,
    queue: simd::Queue,
    /// Triggers before this offset are not given.
    from: usize,
    /// Offset behind what was searched.
    searched: usize,
}

impl<'h> Triggers<'h> {
    /// Triggers at or behind `from`.
    pub(super) fn new(bytes: &'h [u8], from: usize) -> Self {
        let queue = simd::Queue::new();
        Self { bytes, search: simd::best(), queue, from, searched: from }
    }

    /// Goes on at `at`, which must not lie before a trigger already given.
    pub(super) fn skip_to(&mut self, at: usize) {
        self.from = at;
        if at >= self.searched {
            self.queue.clear();
            self.searched = at;
        }
    }

    /// Where the search goes on.
    pub(super) const fn position(&self) -> usize {
        self.from
    }

    /// Gives triggers from `at` on again, which may lie before those already given.
    pub(super) fn rewind(&mut self, at: usize) {
        self.queue.clear();
        (self.from, self.searched) = (at, at);
    }

    /// The next trigger before `end`.
    pub(super) fn next_before(&mut self, end: usize) -> Option<usize> {
        loop {
            while let Some(at) = self.queue.pop() {
                if at >= end {
                    // Nothing behind it is wanted either.
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
