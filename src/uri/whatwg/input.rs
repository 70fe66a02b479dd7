//! Removes what the parser drops before its first state (§4.4 steps 1 and 3), and maps offsets back
//! to the original text.

use std::borrow::Cow;

use super::error::{Flaw, Notes, ValidationError};

/// A text without C0 controls and spaces at its ends, and without tabs and line ends.
pub(super) struct Input<'t> {
    /// Offset of the first byte that was kept at the beginning.
    start: usize,
    /// The text without the removed ends.
    inner: &'t str,
    /// `inner` without tabs and line ends.
    pub(super) text: Cow<'t, str>,
    whole: &'t str,
}

impl<'t> Input<'t> {
    pub(super) fn new(whole: &'t str) -> Self {
        // C0 controls and the space are single bytes.
        let is_kept = |byte: u8| byte > b' ';
        let start = whole.bytes().position(is_kept).unwrap_or(whole.len());
        let end = whole.bytes().rposition(is_kept).map_or(start, |last| last + 1);
        let inner = whole.get(start..end).unwrap_or_default();
        let text = match memchr::memchr3(b'\t', b'\n', b'\r', inner.as_bytes()) {
            None => Cow::Borrowed(inner),
            Some(_) => Cow::Owned(inner.replace(['\t', '\n', '\r'], "")),
        };
        Self { start, inner, text, whole }
    }

    /// Notes what was removed: one error for both ends, and one for tabs and line ends between
    /// them.
    pub(super) fn note(&self, notes: &mut Notes) {
        let end = self.start + self.inner.len();
        if self.inner.len() < self.whole.len() {
            let at = if self.start > 0 { 0 } else { end };
            notes.add(ValidationError::InvalidUrlUnit, at);
        }
        if let Some(at) = memchr::memchr3(b'\t', b'\n', b'\r', self.inner.as_bytes()) {
            notes.add(ValidationError::InvalidUrlUnit, self.start + at);
        }
    }

    /// Returns the offset in the original text of the byte at `at` of [`Input::text`].
    pub(super) fn offset(&self, at: usize) -> usize {
        let mut flaw = [Flaw::new(ValidationError::InvalidUrlUnit, at)];
        self.place(&mut flaw);
        flaw[0].at
    }

    /// Moves `flaws`, which are in order, to their offsets in the original text, in one pass.
    pub(super) fn place(&self, flaws: &mut [Flaw]) {
        if matches!(self.text, Cow::Borrowed(_)) {
            flaws.iter_mut().for_each(|flaw| flaw.at += self.start);
            return;
        }
        let is_kept = |(_, byte): &(usize, u8)| !matches!(byte, b'\t' | b'\n' | b'\r');
        let mut kept = self.inner.bytes().enumerate().filter(is_kept).map(|(at, _)| at);
        // The offset of the kept byte number `next - 1`.
        let (mut next, mut last) = (0, 0);
        for flaw in flaws {
            while next <= flaw.at {
                last = kept.next().unwrap_or(self.inner.len());
                next += 1;
            }
            flaw.at = self.start + last;
        }
    }
}
