//! How decoded text came from its source: runs of bytes, each made in one way.
//!
//! A decoder gives runs, one after the other. Appending what they make gives the text;
//! walking them once more, up to an offset that somebody asks for, gives the way back. They
//! are kept for that as long as there is room, since keeping one costs a small part of what
//! finding it does; behind them the decoder runs again.

use std::rc::Rc;
use std::vec::IntoIter;

use super::coding::{Coding, State};
use crate::span::Span;

/// Bytes of the source that stand for themselves, and what some behind them became: one step of a
/// decoder, since texts hold the one and the other in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Bytes that stand for themselves.
    plain: usize,
    /// Bytes behind these; of both together there is at least one.
    taken: usize,
    /// What the taken ones became.
    made: Made,
}

/// What the end of a run became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Made {
    /// Nothing.
    Nothing,
    /// Up to four bytes, all of them from all that was taken.
    Bytes([u8; 4], u8),
    /// Groups of four characters of base64 became three bytes each.
    Triples,
}

impl Run {
    /// Behind the last run.
    const END: Self = Self::nothing(0);

    pub(super) const fn same(plain: usize) -> Self {
        Self { plain, ..Self::nothing(0) }
    }

    pub(super) const fn nothing(taken: usize) -> Self {
        Self { plain: 0, taken, made: Made::Nothing }
    }

    /// A run that became the first `len` of `bytes`.
    pub(super) fn bytes(taken: usize, bytes: [u8; 4], len: usize) -> Self {
        let len = u8::try_from(len.min(bytes.len())).unwrap_or_default();
        Self { plain: 0, taken, made: Made::Bytes(bytes, len) }
    }

    /// A run that became the character `made`, as UTF-8.
    pub(super) fn character(taken: usize, made: char) -> Self {
        let mut bytes = [0; 4];
        let len = made.encode_utf8(&mut bytes).len();
        Self::bytes(taken, bytes, len)
    }

    /// A run of so many whole groups of base64.
    pub(super) const fn triples(groups: usize) -> Self {
        Self { plain: 0, taken: 4 * groups, made: Made::Triples }
    }

    /// The same behind so many bytes that stand for themselves.
    pub(super) const fn behind(self, plain: usize) -> Self {
        Self { plain: plain + self.plain, ..self }
    }

    /// The same made of so many bytes.
    pub(super) const fn made_of(self, taken: usize) -> Self {
        Self { taken, ..self }
    }

    /// Bytes of the source.
    pub(super) const fn source_len(self) -> usize {
        self.plain + self.taken
    }

    /// True when it begins with bytes that stand for themselves: a run of a charset has no others
    /// then.
    pub(super) const fn is_plain(self) -> bool {
        self.plain > 0
    }

    /// What the bytes became that do not stand for themselves, groups of base64 aside.
    pub(super) fn made(&self) -> &[u8] {
        match &self.made {
            Made::Bytes(bytes, len) => bytes.get(..usize::from(*len)).unwrap_or_default(),
            Made::Nothing | Made::Triples => &[],
        }
    }

    /// Bytes that it makes.
    const fn len(self) -> usize {
        let made = match self.made {
            Made::Nothing => 0,
            Made::Bytes(_, len) => len as usize,
            Made::Triples => self.taken / 4 * 3,
        };
        self.plain + made
    }

    /// Where in the run the byte stands that the `at`th byte came from; the first one of
    /// several.
    const fn start_of(self, at: usize) -> usize {
        if at < self.plain {
            return at;
        }
        let behind = at - self.plain;
        self.plain
            + match self.made {
                Made::Nothing | Made::Bytes(..) => 0,
                Made::Triples => behind / 3 * 4 + behind % 3,
            }
    }

    /// Where in the run the bytes end that the `at`th byte came from.
    const fn end_of(self, at: usize) -> usize {
        if at < self.plain {
            return at + 1;
        }
        let behind = at - self.plain;
        self.plain
            + match self.made {
                Made::Nothing | Made::Bytes(..) => self.taken,
                Made::Triples => behind / 3 * 4 + behind % 3 + 2,
            }
    }

    /// Bytes that it makes of its first `at`, which are not all of it, and of nothing else.
    const fn len_to(self, at: usize) -> usize {
        if at <= self.plain {
            return at;
        }
        let behind = at - self.plain;
        self.plain
            + match self.made {
                Made::Nothing | Made::Bytes(..) => 0,
                // The first byte of a group takes two letters.
                Made::Triples => behind / 4 * 3 + (behind % 4).saturating_sub(1),
            }
    }

    /// Appends what it makes of `source`, which is that of the run.
    fn append(self, source: &[u8], out: &mut Vec<u8>) {
        let (plain, taken) = source.split_at(self.plain.min(source.len()));
        out.extend_from_slice(plain);
        match self.made {
            Made::Nothing => {}
            Made::Bytes(bytes, len) => out.extend(bytes.iter().take(len.into())),
            Made::Triples => super::base64::append(taken, out),
        }
    }
}

/// Runs of one text that are kept for the way back, at most: those of a letter, in some
/// 100 kilobytes. Of a longer text the rest is decoded once more.
const KEPT_MAX: usize = 4096;

/// Bytes of a run, about: lines of quoted-printable, and links in HTML, are as long.
const RUN_LEN: usize = 64;

/// Decodes all of `text`.
#[must_use]
pub fn decode(coding: Coding, text: &[u8]) -> Vec<u8> {
    decode_source(coding, Source::Input(text)).0
}

/// Decodes all of `source`; gives the way back beside it.
#[must_use]
pub fn decode_source(coding: Coding, source: Source<'_>) -> (Vec<u8>, Replay<'_>) {
    let text = source.bytes();
    let mut out = Vec::with_capacity(text.len());
    let mut kept = Vec::with_capacity(KEPT_MAX.min(text.len() / RUN_LEN + 1));
    let mut state = State::new(coding);
    let mut behind_kept = None;
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
        if kept.len() == KEPT_MAX && behind_kept.is_none() {
            behind_kept = Some(state.clone());
        }
    }
    let state = behind_kept.unwrap_or(state);
    let kept = kept.into_iter();
    (out, Replay { source, kept, state, before: (0, 0), run: Run::END, quotes: quotes.into() })
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

/// The way back from offsets in a decoded text to those in its source, run by run, as far as it
/// is asked. Offsets must not decrease.
#[derive(Clone, Debug)]
pub struct Replay<'t> {
    source: Source<'t>,
    /// The runs that come next.
    kept: IntoIter<Run>,
    /// The decoder behind them.
    state: State,
    /// Bytes of the source before the run, and bytes that were made of them.
    before: (usize, usize),
    run: Run,
    /// Quotes that were made of references.
    quotes: Rc<[usize]>,
}

impl Replay<'_> {
    /// Bytes of memory that it keeps of a text, besides that.
    #[must_use]
    pub fn held(&self) -> usize {
        self.kept.len() * size_of::<Run>() + size_of_val(&*self.quotes)
    }

    /// Offsets in the decoded text of quotes that were made of references, which end no value of
    /// an attribute.
    #[must_use]
    pub const fn quotes(&self) -> &Rc<[usize]> {
        &self.quotes
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

    /// How many bytes were made of the first `len` of the source, and of nothing else.
    pub fn made_of(&mut self, len: usize) -> usize {
        while len >= self.before.0 + self.run.source_len() && self.walk() {}
        self.before.1 + self.run.len_to(len.saturating_sub(self.before.0))
    }

    /// Walks to the run that made the byte at `offset`, or to the end.
    fn walk_to(&mut self, offset: usize) {
        while offset >= self.before.1 + self.run.len() && self.walk() {}
    }

    /// Walks to the next run; false at the end.
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
    use crate::source::mime::Coding;

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

    /// The padding tells that there is no more base64, wherever it stands.
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
