//! Defines haystacks: runs of decoded text to scan, with all that is known of their places.
//!
//! `decode` reads a piece as one haystack or as several. A haystack knows the message, part and
//! header field of each of its places, the links of its markup in order, and the bytes of the piece
//! that its own were decoded from. Text that is not encoded is borrowed from the piece, in runs as
//! long as possible.
//!
//! Three texts are involved: the piece, as the input has it; the haystack's own text, as its author
//! wrote it; and the text to scan, in which escapes and references of a document are resolved. In
//! mail and in plain text, the last two are the same.

mod embedded;
mod map;
mod originals;
mod segments;

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

pub(super) use embedded::Embedded;
pub(super) use map::OffsetMap;
pub use originals::Originals;
pub(super) use segments::{Messages, Segments};
pub use segments::{Segment, SegmentKind};

use super::mail::attributes::Attributes;
use super::mail::mime::{Content, Siblings};
use super::markup::{self, Ignored, Link, Places, Scope};
use super::piece::{Piece, Records};
use crate::scan::Candidate;
use crate::span::{LineSteps, Position, Span};

/// The reader of the haystacks of a piece.
pub trait Reader {
    /// Reads a haystack; returns the offset in its text up to which findings reach.
    fn read(&mut self, haystack: &mut Haystack<'_, '_>) -> usize;

    /// Takes the beginning or the end of an alternative, or of one of its forms.
    fn alternative(&mut self, event: Alternative<'_>);
}

/// A place in an alternative whose forms have the same content (RFC 2046 §5.1.4).
#[derive(Clone, Copy, Debug)]
pub enum Alternative<'s> {
    /// The alternative begins. No other one is around it.
    Begins,
    /// One of its forms begins, which these describe.
    Form(&'s Siblings),
    /// The alternative ends.
    Ends,
}

/// The author of a text, which decides how links in it are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Genre {
    /// Text without a known structure: programs, configurations, prose.
    Plain,
    /// A document in a markup language.
    Document,
    /// A message, as its sender sent it.
    Message,
}

/// A run of decoded text.
pub struct Haystack<'h, 'p> {
    /// The text to scan.
    pub text: &'h [u8],
    /// The span of `text` in which links begin; the rest is context.
    pub core: Span,
    /// The offset in `text` before which no link begins, because one found earlier reaches there.
    pub floor: usize,
    /// The base of relative links, if the document declares one.
    pub base: Option<&'h [u8]>,
    /// Offsets in the own text where parts with their own bases begin or end, in order.
    pub scopes: &'h [(usize, Scope)],
    pub(super) piece: &'p Piece,
    /// The text as its author wrote it.
    pub(super) own: &'h [u8],
    /// Maps offsets in `text` to offsets in `own`.
    pub(super) places: Places<'h>,
    /// Maps offsets in `own` to offsets in the piece.
    pub(super) map: &'h mut OffsetMap<'p>,
    pub(super) segments: Segments<'h, 'p>,
    pub(super) links: Links<'h>,
    pub(super) embedded: Embedded,
    /// Offsets in `text` of quotes that were decoded from references.
    pub(super) quotes: Option<Rc<[usize]>>,
    pub(super) ignored: Option<Ignored<'h>>,
    /// Counts columns of a document that is not in UTF-8.
    pub(super) lines: Option<LineSteps>,
    /// Whether the piece sees no more of a candidate than the scanner's window, whatever its
    /// escapes denote.
    pub(super) is_windowed: bool,
}

/// The links of a haystack's markup.
#[expect(clippy::large_enum_variant, reason = "there is one at a time, which moves once")]
pub(super) enum Links<'h> {
    /// No links besides those that the scanner finds.
    None,
    /// The links of a document in its own text, and the number of those passed. They take
    /// precedence over candidates.
    Document(&'h [Link], usize),
    /// The links of attributes in HTML that the scanner may not find. Candidates take precedence.
    Attributes(Attributes<'h>),
}

/// A link of a markup language.
#[derive(Debug)]
pub struct MarkupLink<'h> {
    /// The link.
    pub link: Cow<'h, Link>,
    /// Offset in the own text before which no candidate begins: the scheme belongs to this link.
    pub scheme_end: usize,
    /// Whether it means nothing without a base. Links of documents are looked up as files, too.
    pub needs_base: bool,
    /// The base that a header around declares, and the one that the HTML declares.
    pub bases: [Option<Arc<[u8]>>; 2],
}

/// A candidate whose text or span differs from the scanned one.
#[derive(Debug)]
pub struct Completed<'c> {
    /// Its span, if that differs from the scanned one.
    pub span: Option<Span>,
    /// Its text.
    pub text: Cow<'c, [u8]>,
}

/// The place of a link.
#[derive(Clone, Copy, Debug)]
pub struct Located {
    /// Its span in the piece.
    pub span: Span,
    /// Its line and column in the decoded text of a part.
    pub decoded: Option<Position>,
    /// Its column, where that differs from the column of its bytes in the input.
    pub column: Option<u64>,
}

impl<'h, 'p> Haystack<'h, 'p> {
    /// Creates a haystack of `text` without markup; `map` maps offsets in it to `piece`.
    pub(super) fn new(text: &'h [u8], piece: &'p Piece, map: &'h mut OffsetMap<'p>) -> Self {
        Self {
            text,
            core: Span::new(0, text.len()),
            floor: 0,
            base: None,
            scopes: &[],
            piece,
            own: text,
            places: Places::new(&[]),
            map,
            segments: Segments::None,
            links: Links::None,
            embedded: Embedded::None,
            quotes: None,
            ignored: None,
            lines: None,
            is_windowed: false,
        }
    }

    /// Returns the author of the text.
    #[must_use]
    pub const fn genre(&self) -> Genre {
        match &self.piece.records {
            Records::Text { .. } => Genre::Plain,
            Records::Document(_) => Genre::Document,
            Records::Mail { .. } => Genre::Message,
        }
    }

    /// Reports whether strangers wrote the text.
    #[must_use]
    pub fn is_mail(&self) -> bool {
        self.piece.is_of_mail || self.genre() == Genre::Message
    }

    /// Reports whether a backslash before a link may belong to a command or to a name, so that it
    /// escapes nothing.
    #[must_use]
    pub fn keeps_backslashes(&self) -> bool {
        match &self.piece.records {
            Records::Mail { .. } => true,
            Records::Document(document) => document.markup == markup::Markup::Roff,
            Records::Text { escapes, .. } => escapes.is_some_and(markup::Escapes::has_commands),
        }
    }

    /// Returns the text as its author wrote it.
    #[must_use]
    pub const fn own(&self) -> &'h [u8] {
        self.own
    }

    /// Returns the words around links: `text`, extended to all of the piece if it is a part of
    /// that, so that a cut of the input does not change the words that follow.
    #[must_use]
    pub fn around<'t>(&self, text: &'t [u8]) -> &'t [u8]
    where
        'p: 't,
    {
        let is_own = std::ptr::eq(text.as_ptr(), self.piece.bytes.as_ptr());
        if is_own { &self.piece.bytes } else { text }
    }

    /// Returns the span of the own text that is read at `span` of the text to scan. Starts must not
    /// decrease.
    pub fn own_span(&mut self, span: Span) -> Span {
        self.places.original(span)
    }

    /// Returns the next link of the markup that the candidate at `at` of the own text follows.
    pub fn link_before(&mut self, at: usize) -> Option<MarkupLink<'h>> {
        match &mut self.links {
            Links::None => None,
            Links::Document(links, passed) => {
                let link = links.get(*passed).filter(|link| link.span.start <= at)?;
                *passed += 1;
                let link = Cow::Borrowed(link);
                Some(MarkupLink { link, scheme_end: 0, needs_base: false, bases: [None, None] })
            }
            Links::Attributes(attributes) => {
                let target = attributes.before(at)?;
                let colon = target.colon(self.own);
                Some(MarkupLink {
                    scheme_end: colon.unwrap_or(target.link.span.start),
                    needs_base: colon.is_none(),
                    bases: target.bases,
                    link: Cow::Owned(target.link),
                })
            }
        }
    }

    /// Returns the link of the markup that overlaps `own` and takes precedence over a candidate
    /// there.
    #[must_use]
    pub fn link_over(&self, own: Span) -> Option<&'h Link> {
        let Links::Document(links, _) = self.links else { return None };
        let first = links.partition_point(|link| link.span.end <= own.start);
        links.get(first).filter(|link| link.span.start < own.end)
    }

    /// Skips the links of the markup that begin before the end of `span`, where a candidate was
    /// found that takes precedence.
    pub fn pass(&mut self, span: Span) {
        if let Links::Attributes(attributes) = &mut self.links {
            attributes.pass(span);
        }
    }

    /// Returns how `candidate` is read: as all of the link that it begins, with references
    /// resolved, or without a label. `None` if it is read as scanned.
    #[must_use]
    pub fn completed<'c>(&self, candidate: &Candidate<'c>) -> Option<Completed<'c>> {
        match self.segments.content(candidate.span.start) {
            Some((Content::Html, limit)) => {
                let quotes = self.quotes.as_deref().unwrap_or_default();
                let link = markup::link_at(self.text, candidate.span, quotes)?;
                let is_here = link.span.end <= limit.unwrap_or(self.text.len());
                is_here.then(|| Completed { span: Some(link.span), text: link.target.into() })
            }
            _ => self.embedded.completed(candidate, self.text),
        }
    }

    /// Returns the place of `own`, a span of the own text, where the next one is searched for from
    /// `next` on. Starts must not decrease.
    pub fn locate(&mut self, own: Span, next: usize) -> Located {
        // The map must not pass a candidate inside of a link.
        let (span, decoded) =
            if next < own.end { self.map.clone().original(own) } else { self.map.original(own) };
        let position = self.lines.as_mut().map(|lines| lines.locate(self.own, own.start));
        Located { span, decoded, column: position.map(|position| position.column) }
    }

    /// Reports whether a comment excludes the link at `own`, which is at `at` of the piece.
    #[must_use]
    pub fn is_ignored(&self, own: Span, at: Span) -> bool {
        let start = if self.genre() == Genre::Plain { at.start } else { own.start };
        self.ignored.as_ref().is_some_and(|ignored| ignored.holds(start))
    }

    /// Returns the source text of the link at `own`, which is at `at` of the piece. Text that was
    /// decoded in other places need not occur as bytes in the piece.
    #[must_use]
    pub fn raw(&self, own: Span, at: Span) -> &'h [u8]
    where
        'p: 'h,
    {
        if self.genre() == Genre::Plain { at.of(&self.piece.bytes) } else { own.of(self.own) }
    }

    /// Reports whether the link at `own`, which is at `at` of the piece, holds a reference to an
    /// entity of XML whose value is not known.
    #[must_use]
    pub fn lacks_entity(&self, own: Span, at: Span) -> bool {
        match &self.piece.records {
            Records::Text { escapes: Some(escapes), .. } if escapes.is_xml() => {
                let known = markup::Known::Xml;
                // `&amp;a;` is the text `&a;`, and a reference with a known value is none there.
                known.lacks(&self.piece.bytes, at) && known.lacks(self.own, own)
            }
            Records::Document(document) => {
                let known = markup::Known::of_document(document.markup, self.own, own);
                known.lacks(self.own, own)
            }
            Records::Text { .. } | Records::Mail { .. } => false,
        }
    }

    /// Counts the texts in base64 that begin in a text in JSON, and are not decoded.
    #[must_use]
    pub fn coded_texts(&self) -> usize {
        match &self.piece.records {
            Records::Text { escapes: Some(escapes), .. } if escapes.is_json() => {
                markup::coded_texts(&self.piece.bytes, self.piece.core)
            }
            _ => 0,
        }
    }

    /// Reports whether a candidate of `len` bytes in the piece is longer than pieces can see.
    #[must_use]
    pub const fn is_too_long(&self, len: usize) -> bool {
        self.is_windowed && len > crate::scan::CANDIDATE_LEN_MAX
    }

    /// Reports whether reading failed within the link at `span` of `text`, or so directly after it
    /// that it may be longer. The link is at `at` of the piece.
    #[must_use]
    pub fn is_torn(&self, text: &[u8], span: Span, at: Span) -> bool {
        /// Bytes of a character or of its encoding that may follow the link.
        const NEAR_MAX: usize = 16;
        let is_near = || at.end.saturating_add(NEAR_MAX) >= self.piece.bytes.len();
        let has_folds = match &self.piece.records {
            Records::Text { escapes: Some(escapes), .. } => escapes.has_folds(),
            _ => self.map.has_folds(),
        };
        let rest = text.get(span.end..).unwrap_or_default();
        let rest = if has_folds { without_line_end(rest) } else { rest };
        self.piece.is_torn && is_near() && is_tail(rest)
    }

    /// Returns the text that a reader of HTML sees in place of the link that begins at `at`.
    #[must_use]
    pub fn shown(&self, at: usize) -> Option<Vec<u8>> {
        let is_html = matches!(self.segments.content(at), Some((Content::Html, _)));
        is_html.then(|| markup::shown_at(self.text, at)).flatten()
    }

    /// Returns the text that a reader sees in place of `link`, which is one of the markup.
    #[must_use]
    pub fn shown_of_link<'l>(&self, link: &'l Link) -> Option<Cow<'l, [u8]>> {
        match &self.links {
            Links::Attributes(_) => markup::shown_at(self.own, link.span.start).map(Cow::Owned),
            _ => link.shown.as_deref().map(Cow::Borrowed),
        }
    }

    /// Returns the facts known of the candidate at `at`. Offsets must be queried in order.
    pub fn segment(&mut self, at: usize) -> Segment<'_> {
        self.segments.at(at)
    }

    /// Returns the facts known of the link of the markup at `at`. Offsets must be queried in order.
    pub fn segment_of_link(&mut self, at: usize) -> Segment<'_> {
        self.segments.of_link(at)
    }
}

/// Returns `rest` without one line end, after which a value that is folded may go on.
fn without_line_end(rest: &[u8]) -> &[u8] {
    let line = rest.strip_suffix(b"\n").unwrap_or(rest);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Reports whether a link before `rest`, the end of a text, may have included all of it: marks that
/// end no link by themselves, and a part of a character.
fn is_tail(rest: &[u8]) -> bool {
    let ends_link = |byte: u8| memchr::memchr(byte, b"\"<>()[]{}|`").is_some();
    let is_mark = |byte: u8| byte.is_ascii_punctuation() && !ends_link(byte);
    rest.utf8_chunks().all(|chunk| chunk.valid().bytes().all(is_mark))
}

#[cfg(test)]
mod tests {
    use super::{is_tail, without_line_end};

    #[test]
    fn marks_and_a_part_of_a_character_may_belong_to_a_link_before_them() {
        for rest in [&b""[..], b".", b"?!", b"\xC3", b",\xE5\xB7"] {
            assert!(is_tail(rest), "{}", rest.escape_ascii());
        }
        for rest in [&b" "[..], b"\"", b")", b".\n", b">", b"a", b"\xE3\x80\x82"] {
            assert!(!is_tail(rest), "{}", rest.escape_ascii());
        }
    }

    #[test]
    fn a_value_that_is_folded_may_go_on_after_the_line() {
        for rest in [&b"\r\n"[..], b"\n", b"\r", b".\r\n"] {
            assert!(is_tail(without_line_end(rest)), "{}", rest.escape_ascii());
        }
        for rest in [&b"\n\n"[..], b"\nU", b" \n"] {
            assert!(!is_tail(without_line_end(rest)), "{}", rest.escape_ascii());
        }
    }
}
