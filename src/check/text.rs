//! Makes findings of text without structure, and of text with escapes, which is decoded before it
//! is scanned.

use super::{Context, Ignored, Placed, Work, attribute};
use crate::finding::Finding;
use crate::scan::{CANDIDATE_LEN_MAX, Candidate, Wrap};
use crate::source::mail::fields::ListFields;
use crate::source::mail::mime::Coding;
use crate::source::markup::{Comments, Escapes};
use crate::span::Span;

type Sink<'s> = &'s mut dyn FnMut(&Finding<'_>);

/// Passes the findings of a piece of text to `sink`; returns the end offset of the last one.
///
/// `comments` and `escapes` are the states before the piece, and `floor` is the offset up to which
/// it is read already.
pub(super) fn read(
    work: &mut Work<'_>,
    comments: Comments,
    escapes: Option<Escapes>,
    floor: usize,
    sink: Sink<'_>,
) -> usize {
    let piece = work.piece;
    let bytes = &*piece.bytes;
    let ignored = Ignored::of(bytes, piece.core.end, comments);
    let html = match escapes {
        Some(escapes) if escapes.is_json() => Html::Slack,
        Some(escapes) if escapes.is_xml() => Html::Office,
        Some(escapes) if escapes.resolves_html() => Html::Resolved,
        _ => Html::Attributes,
    };
    match escapes.filter(|escapes| !escapes.is_idle(bytes)) {
        None => scan(work, Text { bytes, html }, &ignored, floor, sink),
        Some(escapes) => {
            let text = work.decoded.decode(Coding::Escapes(escapes), bytes);
            scan(work, Text { bytes: &text, html }, &ignored, floor, sink)
        }
    }
}

/// The HTML in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Html {
    /// Attributes here and there, whose references were not resolved.
    Attributes,
    /// None left to resolve: its references are resolved.
    Resolved,
    /// As `Resolved`, with links of office programs, which may have blanks.
    Office,
    /// As `Resolved`, with `<URI|text>`, as in the exports and inputs of Slack, which writes
    /// ampersands of either as references (Slack, "Formatting text for app surfaces").
    Slack,
}

/// A text that was decoded from a piece, and the HTML in it.
#[derive(Clone, Copy)]
struct Text<'t> {
    bytes: &'t [u8],
    html: Html,
}

/// Returns `candidate`, found in `bytes`, without its label. No URI holds a `|`.
fn without_label<'c>(candidate: Candidate<'c>, bytes: &[u8]) -> Candidate<'c> {
    let Candidate { wrap, span, text, .. } = candidate;
    let is_whole = || text == span.of(bytes);
    match memchr::memchr(b'|', text).filter(|_| wrap == Wrap::Angle && is_whole()) {
        Some(len) => Candidate {
            span: Span::new(span.start, span.start + len),
            text: text.get(..len).unwrap_or(text),
            ..candidate
        },
        None => candidate,
    }
}

/// Returns the span and the text of the link that `candidate` begins, if they differ from the
/// candidate's: the link has unresolved references, or blanks.
fn rewritten(candidate: &Candidate<'_>, bytes: &[u8], html: Html) -> Option<(Span, Vec<u8>)> {
    let here = |text| (candidate.span, text);
    match html {
        Html::Attributes => attribute::value(candidate, bytes).map(here),
        Html::Office => attribute::with_blanks(candidate, bytes),
        Html::Slack if candidate.wrap == Wrap::Angle => {
            attribute::resolved(candidate.text).map(here)
        }
        Html::Slack | Html::Resolved => None,
    }
}

/// Passes the findings of a text to `sink`; returns the end offset of the last one.
fn scan(
    work: &mut Work<'_>,
    text: Text<'_>,
    ignored: &Ignored<'_>,
    floor: usize,
    sink: Sink<'_>,
) -> usize {
    let Text { bytes: text, html } = text;
    let core = work.piece.core;
    let [start, end, first] = [core.start, core.end, floor].map(|at| work.decoded.made_of(at));
    let mut scanner = work.scanner(text, Span::new(start, end), first);
    let mut fields = work.piece.is_of_mail.then(|| ListFields::new(text));
    // End offset of a link that is longer than its candidate: candidates before it are a part of
    // the link.
    let mut passed = 0;
    while let Some(candidate) = scanner.next() {
        if candidate.span.start < passed {
            continue;
        }
        let candidate = match html {
            Html::Slack => without_label(candidate, text),
            Html::Attributes | Html::Resolved | Html::Office => candidate,
        };
        let rewritten = rewritten(&candidate, text, html);
        let candidate = match &rewritten {
            Some((span, text)) => {
                passed = span.end;
                Candidate { span: *span, text, ..candidate }
            }
            None => candidate,
        };
        let at = work.decoded.original(candidate.span);
        // A piece sees no more bytes than these of a candidate, whatever its escapes denote.
        let is_cut = candidate.is_cut || at.0.len() > CANDIDATE_LEN_MAX;
        let candidate = Candidate { is_cut, ..candidate };
        if ignored.holds(at.0.start) {
            work.tally.ignored += 1;
        } else {
            let header = fields.as_mut().and_then(|it| it.at(candidate.span.start));
            let context = Context { header, ..Context::default() };
            work.candidate_at(&candidate, Placed { bytes: text, at }, &context, sink);
        }
    }
    match scanner.resume().max(passed) {
        reached if reached > first => work.decoded.len_of(reached),
        _ => floor,
    }
}
