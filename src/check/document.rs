//! Makes findings of documents: the links of their markup, and other URIs in their text.
//!
//! The scanner reads a document as any other text, with references and escapes replaced by the
//! bytes they denote; where a markup link overlaps a candidate, the link wins. A document that
//! declares a charset older than Unicode is decoded first, and its findings are reported at their
//! place in the file.

pub(super) mod bases;

use self::bases::Bases;
use super::{Context, Ignored, Originals, Placed, Work, attribute, hint, template};
use crate::finding::{Cue, Finding, Note, NoteKind, Origin};
use crate::scan::Candidate;
use crate::source::Document;
use crate::source::mail::mime::Coding;
use crate::source::markup::{BASE_LEN_MAX, Link, Page, Replaced, with_replaced};
use crate::span::{LineSteps, Span};

type Sink<'s> = &'s mut dyn FnMut(&Finding<'_>);

/// A document and its reading state.
struct Reading<'d> {
    /// The text, in UTF-8 where its charset is known.
    bytes: &'d [u8],
    ignored: Ignored<'d>,
    bases: Bases<'d>,
    /// Counts columns of a text that is not in UTF-8.
    lines: Option<LineSteps>,
}

impl<'d> Reading<'d> {
    /// Returns the context of `span`. Spans must be queried in order.
    fn context(&mut self, span: Span) -> Context<'_> {
        let bytes = self.bytes;
        let position = self.lines.as_mut().map(|lines| lines.locate(bytes, span.start));
        let column = position.map(|position| position.column);
        Context {
            base: self.bases.at(span.start),
            raw: Some(span.of(bytes)),
            column,
            ..Context::default()
        }
    }
}

/// Passes the findings of a piece that is `document` to `sink`.
pub(super) fn read(work: &mut Work<'_>, document: &Document, sink: Sink<'_>) {
    let piece = work.piece;
    let bytes = &*piece.bytes;
    // Only the beginning of a document declares a charset.
    let charset = (piece.base == 0).then(|| document.markup.charset(bytes)).flatten();
    let Some(charset) = charset else { return read_in(work, bytes, document, None, sink) };
    let text = work.decoded.decode(Coding::Charset(charset), bytes);
    read_in(work, &text, document, Some(LineSteps::default()), sink);
}

/// Passes the findings of `document`, whose text is `bytes`, to `sink`.
fn read_in(
    work: &mut Work<'_>,
    bytes: &[u8],
    document: &Document,
    lines: Option<LineSteps>,
    sink: Sink<'_>,
) {
    let page = document.markup.page(bytes);
    note(work, &page);
    if document.base.is_none() && bases::are_too_long(&page) {
        work.tally.notes.push(base_too_long(&work.piece.origin));
    }
    work.tally.templates += page.templates;
    let text = with_replaced(bytes, &page.replaced);
    // A base given from outside comes before the page's own.
    let base = document.base.as_deref().or(page.base.as_deref());
    let bases = Bases::new(base, &page.scopes);
    let ignored = Ignored::of(bytes, bytes.len(), document.comments);
    let mut reading = Reading { bytes, ignored, bases, lines };
    let mut links = page.links.iter().peekable();
    let mut places = Places { replaced: &page.replaced, taken: 0, made: 0 };
    let mut scanner = work.scanner(&text, Span::new(0, text.len()), 0);
    while let Some(candidate) = scanner.next() {
        let span = places.original(candidate.span);
        while let Some(link) = links.next_if(|link| link.span.start <= span.start) {
            self::link(work, link, &mut reading, sink);
        }
        if is_linked(&page.links, span) {
            continue;
        }
        if reading.ignored.holds(span.start) {
            work.tally.ignored += 1;
        } else {
            let at = work.decoded.original(span);
            let resolved = attribute::value(&candidate, &text);
            let candidate =
                Candidate { text: resolved.as_deref().unwrap_or(candidate.text), ..candidate };
            let placed = Placed { bytes: &text, at };
            work.candidate_at(&candidate, placed, &reading.context(span), sink);
        }
    }
    for link in links {
        self::link(work, link, &mut reading, sink);
    }
}

/// Adds notes about the parts of a document that could not be read.
fn note(work: &mut Work<'_>, page: &Page) {
    let piece = work.piece;
    if page.is_failed {
        work.tally.notes.push(markup_unread(&piece.origin));
    }
    if let Some(at) = page.broken_at {
        // Findings are located later, from the first one on: `decoded` must not advance here.
        let (at, _) = work.decoded.clone().original(Span::new(at, at));
        let at = Originals::new(piece).start(at.start);
        work.tally.notes.push(markup_broken(&piece.origin, at));
    }
}

/// Returns the note for a document whose markup could not be read.
fn markup_unread(origin: &Origin) -> Note {
    let message = "expected a document that can be read by its markup, found one that is nested \
                   too deep or that its reader failed on: it is read as text";
    let (kind, origin) = (NoteKind::MarkupUnread, origin.clone());
    Note { kind, origin, offset: Some(0), message: message.to_owned() }
}

/// Returns the note for a document with an error in its markup at the offset `at`.
fn markup_broken(origin: &Origin, at: u64) -> Note {
    let message = "expected a tag, a comment or a declaration that XML knows and that has an end, \
                   found none: what stands behind may be read as text alone";
    let (kind, origin) = (NoteKind::MarkupBroken, origin.clone());
    Note { kind, origin, offset: Some(at), message: message.to_owned() }
}

/// Returns the note for a document whose base is rejected.
fn base_too_long(origin: &Origin) -> Note {
    let message = format!(
        "expected a base of at most {} bytes, found more: links are read as if it were not there",
        BASE_LEN_MAX
    );
    Note { kind: NoteKind::BaseTooLong, origin: origin.clone(), offset: None, message }
}

/// Reports whether one of `links` overlaps `span` and is no expression.
fn is_linked(links: &[Link], span: Span) -> bool {
    let first = links.partition_point(|link| link.span.end <= span.start);
    let link = links.get(first).filter(|link| link.span.start < span.end);
    link.is_some_and(|link| !template::is_expression(&link.target))
}

/// Makes a finding of a link.
fn link(work: &mut Work<'_>, link: &Link, reading: &mut Reading<'_>, sink: Sink<'_>) {
    if reading.ignored.holds(link.span.start) {
        work.tally.ignored += 1;
        return;
    }
    if !work.checks.cues.contains(&Cue::Markup) {
        work.tally.other_cues += 1;
        return;
    }
    if template::fills_link(&link.target) {
        work.tally.templates += 1;
        return;
    }
    let at = work.decoded.original(link.span);
    let bytes = reading.bytes;
    let is_origin = hint::is_origin(bytes, link.span.start, link.span.end);
    let context = reading.context(link.span);
    let effect = work.effect(bytes, link.span, &link.target, &context);
    let context = Context { is_origin, effect, ..context };
    work.link(link, Placed { bytes, at }, &context, sink);
}

/// Maps spans of the text with replacements back to the document. Starts must not decrease.
#[derive(Clone, Copy)]
struct Places<'p> {
    /// The replacements not passed yet.
    replaced: &'p [Replaced],
    /// Bytes that were replaced so far; and, in `made`, the bytes read in their place.
    taken: usize,
    made: usize,
}

impl Places<'_> {
    fn original(&mut self, span: Span) -> Span {
        let start = self.offset(span.start).start;
        // The next query may begin before this end.
        let mut ahead = *self;
        let end = ahead.offset(span.end.saturating_sub(1).max(span.start)).end;
        Span::new(start, end)
    }

    /// Returns the span of the byte that is read at `at`, or of the source that was replaced there.
    fn offset(&mut self, at: usize) -> Span {
        while let [first, rest @ ..] = self.replaced {
            let begin = first.span.start - self.taken + self.made;
            if at < begin {
                break;
            }
            let len = first.text().len();
            if at < begin + len {
                return first.span;
            }
            self.taken += first.span.len();
            self.made += len;
            self.replaced = rest;
        }
        let original = at - self.made + self.taken;
        Span::new(original, original + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Places;
    use crate::source::markup::{Replaced, with_replaced};
    use crate::span::Span;

    #[test]
    fn what_is_read_is_told_where_it_stands() {
        let bytes = b"a&amp;b\\_c\\\nd";
        let replaced = [
            Replaced::new(Span::new(1, 6), b"&"),
            Replaced::new(Span::new(7, 9), b"_"),
            Replaced::new(Span::new(10, 12), b""),
        ];
        let text = with_replaced(bytes, &replaced);
        assert_eq!(&*text, b"a&b_cd");
        let spans = [(0, 1), (1, 6), (6, 7), (7, 9), (9, 10), (12, 13)];
        for from in 0..spans.len() {
            let mut places = Places { replaced: &replaced, taken: 0, made: 0 };
            for to in from + 1..=spans.len() {
                let original = places.original(Span::new(from, to));
                assert_eq!(original, Span::new(spans[from].0, spans[to - 1].1), "{from}..{to}");
            }
        }
    }
}
