//! Text without structure on its way to findings, and text with escapes: read as what these stand
//! for, and told where it stands.

use super::{Context, Ignored, Work};
use crate::finding::Finding;
use crate::scan::{CANDIDATE_LEN_MAX, Candidate, Wrap};
use crate::source::markup::{Comments, Escapes};
use crate::source::mime::Coding;
use crate::span::Span;

type Sink<'s> = &'s mut dyn FnMut(&Finding<'_>);

/// Gives the findings of a piece that is text; gives how far the last one reached.
///
/// `comments` and `escapes` tell what stands before it, and `floor` how far it is read already.
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
    let labels = if escapes.is_some_and(Escapes::is_json) { Labels::Slack } else { Labels::None };
    match escapes.filter(|escapes| !escapes.is_idle(bytes)) {
        None => scan(work, bytes, labels, &ignored, floor, sink),
        Some(escapes) => {
            let text = work.decoded.decode(Coding::Escapes(escapes), bytes);
            scan(work, &text, labels, &ignored, floor, sink)
        }
    }
}

/// What may stand behind a URI in `<…>` and shows in its place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Labels {
    /// Nothing: a `|` is a fault.
    None,
    /// `<URI|text>`, as Slack has it in what it exports and takes.
    Slack,
}

/// `candidate`, which stands in `bytes`, without its label. No URI holds a `|`.
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

/// Scans `text`, which was made of the piece.
fn scan(
    work: &mut Work<'_>,
    text: &[u8],
    labels: Labels,
    ignored: &Ignored<'_>,
    floor: usize,
    sink: Sink<'_>,
) -> usize {
    let core = work.piece.core;
    let [start, end, first] = [core.start, core.end, floor].map(|at| work.decoded.made_of(at));
    let mut scanner = work.scanner(text, Span::new(start, end), first);
    while let Some(candidate) = scanner.next() {
        let candidate = match labels {
            Labels::Slack => without_label(candidate, text),
            Labels::None => candidate,
        };
        let at = work.decoded.original(candidate.span);
        // A piece sees no more of one than that, whatever its escapes stand for.
        let is_cut = candidate.is_cut || at.0.len() > CANDIDATE_LEN_MAX;
        let candidate = Candidate { is_cut, ..candidate };
        if ignored.holds(at.0.start) {
            work.tally.ignored += 1;
        } else {
            work.candidate_at(&candidate, text, at, &Context::default(), sink);
        }
    }
    match scanner.resume() {
        reached if reached > first => work.decoded.len_of(reached),
        _ => floor,
    }
}
