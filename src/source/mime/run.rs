//! How decoded text came from its source: runs of bytes, each made in one way.
//!
//! A decoder gives runs, one after the other. Appending what they make gives the text;
//! walking them once more, up to an offset that somebody asks for, gives the way back. So
//! there is one decoder for both, and a text without hits pays nothing for the way back.

use std::rc::Rc;

use super::coding::{Coding, State};
use crate::span::Span;

/// What some bytes of the source became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Bytes of the source, at least one.
    pub(super) taken: usize,
    /// What they became.
    pub(super) made: Made,
}

/// What a run became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    /// Themselves.
    Same,
    /// Nothing.
    Nothing,
    /// Up to four bytes, all of them from the whole run.
    Bytes([u8; 4], usize),
    /// Groups of four characters of base64 became three bytes each.
    Triples,
}

impl Run {
    pub(super) const fn same(taken: usize) -> Self {
        Self { taken, made: Made::Same }
    }

    pub(super) const fn nothing(taken: usize) -> Self {
        Self { taken, made: Made::Nothing }
    }

    /// A run that became the first `len` of `bytes`.
    pub(super) const fn bytes(taken: usize, bytes: [u8; 4], len: usize) -> Self {
        Self { taken, made: Made::Bytes(bytes, len) }
    }

    /// A run that became the character `made`, as UTF-8.
    pub(super) fn character(taken: usize, made: char) -> Self {
        let mut bytes = [0; 4];
        let len = made.encode_utf8(&mut bytes).len();
        Self::bytes(taken, bytes, len)
    }

    /// Bytes that it makes.
    const fn len(self) -> usize {
        match self.made {
            Made::Same => self.taken,
            Made::Nothing => 0,
            Made::Bytes(_, len) => len,
            Made::Triples => self.taken / 4 * 3,
        }
    }

    /// Where in the run the byte stands that the `at`th byte came from; the first one of
    /// several.
    const fn start_of(self, at: usize) -> usize {
        match self.made {
            Made::Same => at,
            Made::Nothing | Made::Bytes(..) => 0,
            Made::Triples => at / 3 * 4 + at % 3,
        }
    }

    /// Where in the run the bytes end that the `at`th byte came from.
    const fn end_of(self, at: usize) -> usize {
        match self.made {
            Made::Same => at + 1,
            Made::Nothing | Made::Bytes(..) => self.taken,
            Made::Triples => at / 3 * 4 + at % 3 + 2,
        }
    }
}

/// Decodes all of `text`.
#[must_use]
pub fn decode(coding: Coding, text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut state = State::new(coding);
    let mut rest = text;
    while let Some(run) = state.next(text, text.len() - rest.len()) {
        let (taken, behind) = rest.split_at(run.taken.clamp(1, rest.len()));
        match run.made {
            Made::Same => out.extend_from_slice(taken),
            Made::Nothing => {}
            Made::Bytes(bytes, len) => out.extend(bytes.iter().take(len)),
            Made::Triples => super::base64::append(taken, &mut out),
        }
        rest = behind;
    }
    out
}

/// A text that somebody holds: a piece of input, or what was decoded from one.
#[derive(Clone, Debug)]
pub enum Source<'t> {
    /// Bytes as they stand in the input.
    Input(&'t [u8]),
    /// Bytes that were decoded.
    Decoded(Rc<Vec<u8>>, Span),
}

impl Source<'_> {
    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Input(bytes) => bytes,
            Self::Decoded(bytes, span) => span.of(bytes),
        }
    }
}

/// The way back from offsets in a decoded text to those in its source: the decoder runs
/// once more, as far as it is asked. Offsets must not decrease.
#[derive(Clone, Debug)]
pub struct Replay<'t> {
    source: Source<'t>,
    state: State,
    /// Bytes of the source before the run, and bytes that were made of them.
    before: (usize, usize),
    run: Run,
}

impl<'t> Replay<'t> {
    /// The way back to `source` from what `coding` makes of it.
    #[must_use]
    pub fn new(coding: Coding, source: Source<'t>) -> Self {
        let run = Run { taken: 0, made: Made::Nothing };
        Self { source, state: State::new(coding), before: (0, 0), run }
    }

    /// Offset of the first byte that the decoded byte at `offset` came from.
    pub fn start_of(&mut self, offset: usize) -> usize {
        self.walk_to(offset);
        self.before.0 + self.run.start_of(offset.saturating_sub(self.before.1))
    }

    /// Offset behind the last byte that the decoded byte at `offset` came from.
    pub fn end_of(&mut self, offset: usize) -> usize {
        self.walk_to(offset);
        let end = self.run.end_of(offset.saturating_sub(self.before.1));
        (self.before.0 + end).min(self.source.bytes().len())
    }

    /// Walks to the run that made the byte at `offset`, or to the end.
    fn walk_to(&mut self, offset: usize) {
        while offset >= self.before.1 + self.run.len() {
            let before = (self.before.0 + self.run.taken, self.before.1 + self.run.len());
            let next = self.state.next(self.source.bytes(), before.0);
            self.before = before;
            self.run = next.unwrap_or(Run { taken: 0, made: Made::Nothing });
            if next.is_none() {
                return;
            }
        }
    }
}
