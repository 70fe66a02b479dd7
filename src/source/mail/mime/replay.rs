//! Decodes text and maps decoded offsets back to its source.
//!
//! The results of a decoder's runs form the text; replaying the runs up to a requested offset gives
//! its position in the source. Runs are kept for that as long as there is room, since keeping one
//! costs a small part of finding it. After the kept ones, the decoder runs again.

use std::rc::Rc;
use std::vec::IntoIter;

use super::coding::{Coding, DecoderState};
use super::run::Run;
use crate::span::Span;

/// Maximum number of runs of one text that are kept: those of a letter of some 100 kilobytes. The
/// rest of a longer text is decoded again.
const KEPT_MAX: usize = 4096;

/// Approximate length of a run in bytes: lines of quoted-printable, and links in HTML, are as long.
const RUN_LEN: usize = 64;

/// Decodes all of `text`.
#[must_use]
pub fn decode(coding: Coding, text: &[u8]) -> Vec<u8> {
    decode_source(coding, Source::Input(text)).0
}

/// Decodes all of `source`; returns the text, and the mapping back to `source`.
#[must_use]
pub fn decode_source(coding: Coding, source: Source<'_>) -> (Vec<u8>, Replay<'_>) {
    let text = source.bytes();
    let mut out = Vec::with_capacity(text.len());
    let mut kept = Vec::with_capacity(KEPT_MAX.min(text.len() / RUN_LEN + 1));
    let mut state = DecoderState::new(coding);
    let mut after_kept = None;
    let mut quotes = Vec::new();
    let mut at = 0;
    while let Some(run) = state.next(text, at) {
        let end = at + run.source_len();
        run.append(text.get(at..end).unwrap_or_default(), &mut out);
        if coding == Coding::References && matches!(run.made(), [b'"' | b'\'']) {
            quotes.push(out.len() - 1);
        }
        at = end;
        if kept.len() < KEPT_MAX {
            kept.push(run);
        }
        if kept.len() == KEPT_MAX && after_kept.is_none() {
            after_kept = Some(state.clone());
        }
    }
    let state = after_kept.unwrap_or(state);
    let kept = kept.into_iter();
    (out, Replay { source, kept, state, before: (0, 0), run: Run::END, quotes: quotes.into() })
}

/// A text in memory: a piece of input, or decoded text.
#[derive(Clone, Debug)]
pub enum Source<'t> {
    /// Bytes of the input.
    Input(&'t [u8]),
    /// Decoded bytes, and the range of the text in them.
    Decoded(Rc<Vec<u8>>, Span),
}

impl Source<'_> {
    /// Returns the bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Input(bytes) => bytes,
            Self::Decoded(bytes, span) => span.of(bytes),
        }
    }
}

/// A mapping from offsets in a decoded text to offsets in its source, which replays the runs as far
/// as needed. Offsets must not decrease.
#[derive(Clone, Debug)]
pub struct Replay<'t> {
    source: Source<'t>,
    /// The next runs.
    kept: IntoIter<Run>,
    /// State of the decoder after these.
    state: DecoderState,
    /// Number of source bytes before the run, and of the bytes decoded from them.
    before: (usize, usize),
    run: Run,
    /// Offsets of quotes that were decoded from references.
    quotes: Rc<[usize]>,
}

impl Replay<'_> {
    /// Returns the number of bytes of memory that it keeps, apart from the text.
    #[must_use]
    pub fn held(&self) -> usize {
        self.kept.len() * size_of::<Run>() + size_of_val(&*self.quotes)
    }

    /// Returns the offsets in the decoded text of quotes that were decoded from references. Such
    /// quotes do not end the value of an attribute.
    #[must_use]
    pub const fn quotes(&self) -> &Rc<[usize]> {
        &self.quotes
    }

    /// Returns the source offset of the first byte that the decoded byte at `offset` came from.
    pub fn start_of(&mut self, offset: usize) -> usize {
        self.walk_to(offset);
        self.before.0 + self.run.start_of(offset.saturating_sub(self.before.1))
    }

    /// Returns the source offset after the last byte that the decoded byte at `offset` came from.
    pub fn end_of(&mut self, offset: usize) -> usize {
        self.walk_to(offset);
        let end = self.run.end_of(offset.saturating_sub(self.before.1));
        (self.before.0 + end).min(self.source.bytes().len())
    }

    /// Returns the number of bytes that were decoded from the first `len` source bytes alone.
    pub fn made_of(&mut self, len: usize) -> usize {
        // A run without source bytes is the beginning of what the bytes after it decode to.
        while len >= self.before.0 + self.run.source_len()
            && !(len == self.before.0 && self.run.is_beginning())
            && self.walk()
        {}
        self.before.1 + self.run.len_to(len.saturating_sub(self.before.0))
    }

    /// Advances to the run that produced the byte at `offset`, or to the end.
    fn walk_to(&mut self, offset: usize) {
        while offset >= self.before.1 + self.run.len() && self.walk() {}
    }

    /// Advances to the next run; returns false at the end.
    fn walk(&mut self) -> bool {
        self.before.0 += self.run.source_len();
        self.before.1 += self.run.len();
        let next = self.kept.next();
        let next = next.or_else(|| self.state.next(self.source.bytes(), self.before.0));
        self.run = next.unwrap_or(Run::END);
        next.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{KEPT_MAX, Source, decode_source};
    use crate::source::mail::mime::coding::Coding;

    #[test]
    fn the_way_back_does_not_end_with_what_is_kept() {
        let count = KEPT_MAX + 10;
        let text = "a=62c".repeat(count);
        let (made, mut replay) = decode_source(Coding::Quoted, Source::Input(text.as_bytes()));
        assert_eq!(made, "abc".repeat(count).as_bytes());
        for number in 0..count {
            assert_eq!(replay.start_of(3 * number), 5 * number);
            assert_eq!(replay.start_of(3 * number + 1), 5 * number + 1);
            assert_eq!(replay.end_of(3 * number + 1), 5 * number + 4);
            assert_eq!(replay.end_of(3 * number + 2), 5 * number + 5);
        }
    }

    /// Padding ends the base64, wherever it occurs.
    #[test]
    fn the_decoder_goes_on_where_it_was() {
        let lines = "QUJD\n".repeat(KEPT_MAX / 2);
        let text = format!("{lines}QQ==\na footer");
        let (made, mut replay) = decode_source(Coding::Base64, Source::Input(text.as_bytes()));
        assert!(made.ends_with(b"CA\na footer"));
        for back in 1..=8 {
            assert_eq!(replay.clone().start_of(made.len() - back), text.len() - back);
        }
        assert_eq!(replay.start_of(made.len() - 10), text.len() - 13);
    }
}
