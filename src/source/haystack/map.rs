//! Maps offsets of decoded text back to the piece.

use std::rc::Rc;

use crate::source::mail::mime::{self, Coding, Content, Replay, Section, Source};
use crate::span::{LineSteps, Position, Span};

/// The decoders between a decoded text and its piece; without any, a span is mapped to itself.
#[derive(Clone)]
pub(in crate::source) struct OffsetMap<'p> {
    /// The outermost first.
    steps: Vec<Step<'p>>,
    /// Whether lines of decoded text are requested.
    counts_lines: bool,
}

/// One decoder in the chain.
#[derive(Clone)]
struct Step<'p> {
    /// The offset of its source in the text around.
    base: usize,
    replay: Replay<'p>,
    /// The decoded bytes.
    made: Source<'p>,
    /// Whether these are the text of a part, as its reader sees it.
    is_text: bool,
    /// Whether a value in its source may go on in the next line, after a blank.
    has_folds: bool,
    /// Finds lines there; `None` if its first byte is not on the first line.
    lines: Option<LineSteps>,
    /// Finds lines in an unencoded body there, counted from the body's start.
    body: Option<LineSteps>,
}

impl Step<'_> {
    /// Returns the span of its source from which `span` was decoded.
    fn source(&mut self, span: Span) -> Span {
        let start = self.base + self.replay.start_of(span.start);
        let Some(last) = span.end.checked_sub(1).filter(|last| *last >= span.start) else {
            return Span::new(start, start);
        };
        Span::new(start, self.base + self.replay.end_of(last))
    }
}

impl<'p> OffsetMap<'p> {
    /// Creates a map without decoders; `counts_lines` if lines of decoded text are requested.
    pub(in crate::source) const fn new(counts_lines: bool) -> Self {
        Self { steps: Vec::new(), counts_lines }
    }

    /// Returns the number of decoders.
    pub(in crate::source) const fn depth(&self) -> usize {
        self.steps.len()
    }

    /// Reports whether a value in the text may go on in the next line, after a blank.
    pub(in crate::source) fn has_folds(&self) -> bool {
        self.steps.last().is_some_and(|step| step.has_folds)
    }

    /// Removes all decoders but the outermost `depth`.
    pub(in crate::source) fn truncate(&mut self, depth: usize) {
        self.steps.truncate(depth);
    }

    /// Returns the offset in the piece of the source of the outermost decoder; zero without one.
    pub(in crate::source) fn base(&self) -> usize {
        self.steps.first().map_or(0, |step| step.base)
    }

    /// Decodes `bytes` by `coding`, and adds the decoder to the map: spans are then those of the
    /// result.
    pub(in crate::source) fn decode(&mut self, coding: Coding, bytes: &'p [u8]) -> Rc<Vec<u8>> {
        let (text, replay) = mime::decode_source(coding, Source::Input(bytes));
        let text = Rc::new(text);
        let made = Source::Decoded(Rc::clone(&text), Span::new(0, text.len()));
        self.steps.push(Step {
            base: 0,
            replay,
            made,
            is_text: false,
            has_folds: coding.has_folds(),
            lines: None,
            body: None,
        });
        text
    }

    /// Decodes `source`, which begins at `base` of the text that it was decoded from, and adds the
    /// decoder; returns the decoded text and the number of bytes held for it. Lines are counted
    /// if the text `begins` here.
    pub(in crate::source) fn decode_at(
        &mut self,
        coding: Coding,
        source: Source<'p>,
        base: usize,
        begins: bool,
    ) -> (Source<'p>, usize) {
        let (decoded, replay) = mime::decode_source(coding, source);
        let held = decoded.len() + replay.held();
        let span = Span::new(0, decoded.len());
        let made = Source::Decoded(Rc::new(decoded), span);
        let lines = begins.then(LineSteps::default);
        let (is_text, has_folds) = (coding.makes_text(), coding.has_folds());
        let step = Step { base, replay, made: made.clone(), is_text, has_folds, lines, body: None };
        self.steps.push(step);
        (made, held)
    }

    /// Returns the quotes, in the text decoded last, that were decoded from references.
    pub(in crate::source) fn quotes(&self) -> Option<Rc<[usize]>> {
        self.steps.last().map(|step| Rc::clone(step.replay.quotes()))
    }

    /// Enters `section`: lines are counted from the first one of a body where `section` begins one,
    /// and from the first one of the message in its header.
    pub(in crate::source) fn enter(&mut self, section: &Section) {
        let Some(step) = self.steps.last_mut() else { return };
        match section.content {
            Content::Fields => step.body = None,
            _ if step.body.is_none() => step.body = Some(LineSteps::from(section.span.start)),
            _ => {}
        }
    }

    /// Returns the number of bytes decoded from the first `len` bytes of the piece, and from no
    /// others. Must be queried first.
    pub(in crate::source) fn made_of(&self, len: usize) -> usize {
        let made = |len: usize, step: &Step<'_>| {
            step.replay.clone().made_of(len.saturating_sub(step.base))
        };
        self.steps.iter().fold(len, made)
    }

    /// Returns the number of bytes of the piece from which the first `len` bytes of the text were
    /// decoded.
    pub(in crate::source) fn len_of(&mut self, len: usize) -> usize {
        let steps = self.steps.iter_mut().rev();
        steps.fold(len, |len, step| match len.checked_sub(1) {
            Some(last) => step.base + step.replay.end_of(last),
            None => step.base,
        })
    }

    /// Returns the span of the piece from which `span` was decoded, and its line and column in the
    /// innermost text of a part. Spans must be queried in order.
    pub(in crate::source) fn original(&mut self, span: Span) -> (Span, Option<Position>) {
        let (mut span, mut position) = (span, None);
        let mut is_wanted = self.counts_lines;
        for step in self.steps.iter_mut().rev() {
            if is_wanted && step.is_text {
                let lines = step.body.as_mut().or(step.lines.as_mut());
                position = lines.map(|lines| lines.locate(step.made.bytes(), span.start));
                is_wanted = false;
            }
            span = step.source(span);
        }
        (span, position)
    }
}
