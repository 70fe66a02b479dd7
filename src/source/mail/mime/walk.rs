//! Walks through a message from boundary to boundary, with a stack of its own.

use std::sync::Arc;

use memchr::memmem;

use super::blocks::{self, Blocks, LOOK_LEN, Look};
use super::boundary;
use super::coding::Coding;
use super::entity::{BodyKind, Entity, Mixture, Within};
use super::head::{self, Head, Owner};
use super::omission::{DEPTH_MAX, Omission, PARTS_MAX};
use super::section::{Content, Section, Sections, Sibling, Siblings};
use super::sight::{Edge, Sight};
use super::{base64, replay, worded};
use crate::source::mail::charset::Charset;
use crate::source::mail::fields;
use crate::source::mail::mailbox::{self, FromLine};
use crate::source::markup::open;
use crate::span::Span;

/// Maximum number of bytes before a cut at which decoding resumes: three for each that decides
/// about a candidate, and the line in which they begin.
pub const TAKEN_UP_MAX: usize = 8 * 1024;

/// Maximum number of notes on one message; more are only counted.
const NOTES_MAX: usize = 10;

/// Approximate number of sections of one message that are returned at a time: the description of a
/// part of a few bytes is longer than the part.
pub const SECTIONS_MAX: usize = 4096;

/// Number of bytes of an encoded text that are searched for a charset mark and the text after it.
const MARKED_LEN: usize = 4 * 1024;

/// Position of a walk through a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// Meaning of a `From ` line in the header of the message.
    from_line: FromLine,
    levels: Vec<Level>,
    /// Alternatives that the walk is in.
    siblings: Siblings,
    /// Number of next bytes that are header fields and boundary lines.
    ahead: usize,
    next: Next,
    /// Whether the next header is that of an external body: it does not describe what follows.
    is_phantom: bool,
    /// Description of the body by the beginning of an overlong header.
    entity: Option<Box<Entity>>,
    /// The header field that the walk is in.
    field: Option<fields::Begun>,
    /// The part that the last header belongs to.
    head_part: Option<Arc<str>>,
    body: Body,
    parts: usize,
    /// Number of notes made.
    notes: usize,
}

/// A multipart or a message that the walk is in, and the part that it is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Level {
    /// Parts between lines with one of these boundaries. The number of the current part counts from
    /// 1, and is zero before the first. The serial distinguishes the multipart from the others of
    /// the message. The base is that of relative links, where an enclosing header declares one.
    Multipart {
        around: Option<Arc<str>>,
        boundaries: Vec<Vec<u8>>,
        mixture: Mixture,
        serial: usize,
        number: usize,
        base: Option<Arc<[u8]>>,
    },
    /// A message in a message.
    Message { around: Option<Arc<str>> },
}

impl Level {
    /// Returns the part that the walk is in, if it is one of several alternatives.
    const fn sibling(&self) -> Option<Sibling> {
        match *self {
            Self::Multipart { mixture: Mixture::Alternative, serial, number, .. } => {
                Some(Sibling { alternative: serial, number })
            }
            _ => None,
        }
    }
}

/// Next element of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Header,
    /// The rest of a header whose end was not visible.
    LongHeader,
    Body,
}

/// Description of the current body.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Body {
    codings: Vec<Coding>,
    content: Content,
    part: Option<Arc<str>>,
    /// Base of its relative links, where a header declares one.
    base: Option<Arc<[u8]>>,
    /// Number of its bytes that were passed.
    passed: usize,
    /// Whether no byte precedes it, not even an empty line.
    is_bare: bool,
    /// State of blocks that continue in it.
    blocks: Blocks,
}

impl Body {
    const fn text(part: Option<Arc<str>>) -> Self {
        let (content, blocks) = (Content::Text, Blocks::NONE);
        Self { codings: Vec::new(), content, part, base: None, passed: 0, is_bare: false, blocks }
    }

    /// Returns the charset that a header declares.
    fn charset(&self) -> Option<Charset> {
        self.codings.iter().find_map(|coding| match coding {
            Coding::Charset(charset) => Some(*charset),
            _ => None,
        })
    }

    /// Returns the codings that must be decoded in `text`.
    fn codings(&self, text: &[u8]) -> &[Coding] {
        let mut codings = self.codings.as_slice();
        while let [first, rest @ ..] = codings
            && first.is_idle(text)
        {
            codings = rest;
        }
        codings
    }

    /// Reports whether each line of `text`, which is encoded, can be decoded by itself, apart from
    /// base64.
    fn is_of_lines(&self, text: &[u8]) -> bool {
        use Charset::{CodePage, Hz, Iso2022, Legacy, Utf7};
        let is_of_lines = |coding: &Coding| match coding {
            Coding::Charset(Iso2022) => !names_second_set(text),
            Coding::Charset(charset) => matches!(charset, Hz | Utf7 | Legacy(_) | CodePage(_)),
            Coding::Escapes(escapes) => escapes.go_by_lines(),
            _ => true,
        };
        self.content != Content::Message && self.codings.iter().all(is_of_lines)
    }

    /// Reports whether a tag of HTML or the text of a link continues after `text`.
    fn is_open(&self, text: &[u8]) -> bool {
        self.content == Content::Html && open::at_end(text)
    }

    /// Reports whether nothing that is searched for crosses an empty line of `text`, which is
    /// encoded.
    fn ends_at_empty_lines(&self, text: &[u8]) -> bool {
        self.is_of_lines(text) && !self.codings.contains(&Coding::Base64)
    }

    /// Reports whether the body, which was passed up to `at` of `bytes`, can be decoded from there
    /// or from an earlier line. `text` is the visible part of the body.
    fn goes_on_at_lines(&self, bytes: &[u8], at: usize, text: &[u8]) -> bool {
        let Some(start) = self.taken_up(bytes, at) else { return false };
        let is_from_line = start + self.passed > at;
        let is_in_groups = || base64::is_in_groups(bytes.get(start..at).unwrap_or_default());
        let is_base64 = self.codings.contains(&Coding::Base64);
        self.is_of_lines(text) && (!is_base64 || !is_from_line || is_in_groups())
    }

    /// Reports whether `text`, the beginning of the body, has a mark of UTF-16 or UTF-32 within its
    /// transfer encoding.
    fn has_mark(&self, text: &[u8]) -> bool {
        let coding = self.codings.first().filter(|coding| coding.is_of_transfer());
        let head = text.get(..text.len().min(MARKED_LEN)).unwrap_or_default();
        coding.is_some_and(|coding| Charset::by_mark(&replay::decode(*coding, head)).is_some())
    }

    /// Returns the offset at which decoding resumes after a cut at `at` of `bytes`, up to which the
    /// body was passed: its beginning, or that of a line; `None` if no line is short enough.
    fn taken_up(&self, bytes: &[u8], at: usize) -> Option<usize> {
        if self.passed <= TAKEN_UP_MAX {
            return at.checked_sub(self.passed);
        }
        let from = at.saturating_sub(TAKEN_UP_MAX);
        memchr::memchr(b'\n', bytes.get(from..at)?).map(|feed| from + feed + 1)
    }
}

/// A line that ends a part.
struct Boundary {
    span: Span,
    /// Index of the level that it belongs to.
    level: usize,
    is_last: bool,
}

/// Returns the fields of `head` that must be decoded, with their codings, in order.
fn coded_fields(text: Text<'_>, head: &Head, entity: &Entity) -> Vec<(Span, Vec<Coding>)> {
    let words = |span: Span| worded::codings(span.of(text.bytes));
    let url = head.content_type.filter(|_| entity.holds_url).map(|at| {
        let len = mailbox::field_len(text.bytes.get(at..head.end).unwrap_or_default());
        (Span::new(at, at + len), vec![Coding::Numbered])
    });
    let folded = head.folded.iter().map(|span| {
        // White space between encoded words is deleted with them (RFC 2557 §4.4.1).
        (*span, [words(*span), vec![Coding::Unfolded]].concat())
    });
    let with_words = head.with_words.iter().map(|span| (*span, words(*span)));
    let mut fields: Vec<_> = folded.chain(with_words).chain(url).collect();
    // Of two codings for one field, the first counts.
    fields.sort_by_key(|(span, _)| span.end);
    fields
}

/// Text that a walk reads.
#[derive(Clone, Copy, Debug)]
pub struct Text<'t> {
    /// The bytes that the offsets are in.
    pub bytes: &'t [u8],
    /// End of the sections: none continues after it.
    pub to: usize,
    /// End of the message, or of the bytes if the message ends after `to`: headers and boundary
    /// lines that begin before `to` may continue up to it.
    pub sight: usize,
    /// The edge at the end.
    pub edge: Edge,
}

impl<'t> Text<'t> {
    /// Returns the text in which to search for blocks of the body at `span`, which is visible up
    /// to `seen`.
    fn look(self, span: Span, seen: usize) -> Look<'t> {
        let is_end = match self.edge {
            _ if span.end < self.to => true,
            Edge::End => true,
            Edge::EmptyLine => false,
            // The text ends here: otherwise more of it would be visible.
            Edge::Anywhere => seen < self.sight || seen - span.end < LOOK_LEN,
        };
        Look { bytes: self.bytes.get(..seen).unwrap_or_default(), span, is_end }
    }
}

impl Walk {
    /// Returns a walk that begins with the header of a message; `from_line` is the meaning of a
    /// `From ` line there.
    #[must_use]
    pub const fn new(from_line: FromLine) -> Self {
        Self {
            from_line,
            levels: Vec::new(),
            siblings: Siblings::NONE,
            ahead: 0,
            next: Next::Header,
            is_phantom: false,
            entity: None,
            field: None,
            head_part: None,
            body: Body::text(None),
            parts: 0,
            notes: 0,
        }
    }

    /// Returns a walk that begins with the header of a message that is part of another.
    #[must_use]
    pub fn nested() -> Self {
        let levels = vec![Level::Message { around: None }];
        Self { levels, ..Self::new(FromLine::Begins) }
    }

    /// Reports whether the walk is inside of a `multipart/alternative`.
    #[must_use]
    pub fn is_in_alternative(&self) -> bool {
        !self.siblings.is_empty()
    }

    /// Returns the nesting depth and the number of parts begun, which change at each boundary.
    pub(in crate::source) const fn depth(&self) -> (usize, usize) {
        (self.levels.len(), self.parts)
    }

    /// Returns the boundaries of the outermost multipart that the walk is in.
    pub(in crate::source) fn boundaries(&self) -> &[Vec<u8>] {
        let found = self.levels.iter().find_map(|level| match level {
            Level::Multipart { boundaries, .. } => Some(boundaries.as_slice()),
            Level::Message { .. } => None,
        });
        found.unwrap_or_default()
    }

    /// Reports whether a boundary may follow.
    fn is_in_multipart(&self) -> bool {
        self.levels.iter().any(|level| matches!(level, Level::Multipart { .. }))
    }

    /// Returns the offset at which decoding resumes for the body that continues at `at` of `bytes`;
    /// `None` outside of a body.
    #[must_use]
    pub fn taken_up(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let is_begun = self.next == Next::Body && self.body.passed > 0;
        // If the line is too long for that, decoding begins at the cut.
        is_begun.then(|| self.body.taken_up(bytes, at).unwrap_or(at))
    }

    /// Returns the header field that the walk is in, if any.
    #[must_use]
    pub const fn field(&self) -> Option<&fields::Begun> {
        self.field.as_ref()
    }

    /// Appends the sections of `text` to `found`, from the walk's position `from` on, and returns
    /// the offset after them: before a header if there are more than [`SECTIONS_MAX`].
    #[must_use]
    pub fn sections(&mut self, text: Text<'_>, from: usize, found: &mut Sections) -> usize {
        let (mut at, room) = (from, found.list.len() + SECTIONS_MAX);
        if self.ahead > 0 {
            let end = at + std::mem::take(&mut self.ahead);
            self.push_fields(text, Span::new(at, end), found);
            at = end;
        } else if self.next == Next::LongHeader {
            at = self.long_header(text, at, mailbox::before_cut(at), found);
        }
        while at < text.to {
            // Before a header, the previous parts are complete.
            if found.list.len() >= room && self.next == Next::Header {
                return at;
            }
            at = match self.next {
                Next::Header | Next::LongHeader => self.header(text, at, found),
                Next::Body => self.body(text, at, found),
            };
        }
        self.ahead = at.saturating_sub(text.to);
        let before = self.field.take();
        if self.is_in_fields() {
            let span = Span::new(from, text.to);
            self.field = fields::Begun::after(text.bytes, span, before);
        }
        text.to
    }

    /// Reports whether the walk stopped in a header.
    #[must_use]
    pub fn is_in_header(&self) -> bool {
        match self.next {
            // Only the line of a boundary may be ahead.
            Next::Header => false,
            Next::LongHeader => true,
            Next::Body => self.ahead > 0,
        }
    }

    /// Reports whether header fields follow, some of which were passed.
    fn is_in_fields(&self) -> bool {
        let is_body = self.next == Next::Body && self.body.content == Content::Fields;
        self.ahead > 0 || self.next == Next::LongHeader || is_body
    }

    /// Reads the header at `at` and enters its body; returns the offset after the header.
    fn header(&mut self, text: Text<'_>, at: usize, found: &mut Sections) -> usize {
        found.header = Some(at);
        self.head_part = path(&self.levels);
        self.next = Next::Body;
        self.body = Body::text(self.body_part());
        let sight = Sight { end: text.sight, edge: text.edge };
        let owner = self.owner();
        let start = at + self.lead_len(text, at);
        let read = head::read(text.bytes, start, sight, owner, found.heads.begin());
        let Some(head) = read else {
            let start = start.min(text.to);
            return self.long_header(text, start, start, found);
        };
        if owner != Owner::Part && !head.is_cut {
            found.heads.end(at);
        }
        let within = match self.levels.last() {
            Some(Level::Multipart { mixture: Mixture::Digest, .. }) => Within::Digest,
            _ => Within::Other,
        };
        let entity = if self.is_phantom {
            Entity::text()
        } else {
            let body = text.bytes.get(head.end..text.sight).filter(|_| !head.is_cut);
            Entity::of(text.bytes, &head, within, body.unwrap_or_default(), |declared| {
                boundary::in_body(body?, declared, |line| self.is_boundary(line))
            })
        };
        let fields = coded_fields(text, &head, &entity);
        self.push_head(text, Span::new(at, head.end), fields, found);
        if head.is_cut {
            self.omit(Omission::HeaderTooLong, at, found);
            self.entity = Some(Box::new(entity));
            let rest = head.end.min(text.to);
            // The limit may cut the empty line in two.
            let from = if rest > at { mailbox::before_cut(rest) } else { rest };
            return self.long_header(text, rest, from, found);
        }
        self.enter(entity, head.end, found);
        self.body.is_bare = head.end == at;
        head.end
    }

    /// Returns the number of bytes that precede the header of the nested message at `at`: empty
    /// lines, before a field or a `From ` line. They would end its header at once.
    fn lead_len(&self, text: Text<'_>, at: usize) -> usize {
        if self.is_phantom || !matches!(self.levels.last(), Some(Level::Message { .. })) {
            return 0;
        }
        let shown = text.bytes.get(at..text.sight).unwrap_or_default();
        let len = mailbox::head_start(shown);
        let next = shown.get(len..).unwrap_or_default();
        if mailbox::is_field(next) || mailbox::is_from_line(next) { len } else { 0 }
    }

    /// Counts an omission, and notes it if it must be reported.
    fn omit(&mut self, omission: Omission, at: usize, found: &mut Sections) {
        found.omissions.count(omission);
        if self.notes < NOTES_MAX && omission.note().is_some() {
            self.notes += 1;
            found.noted.push((omission, at));
        }
    }

    /// Returns the owner of the next header, or of the current one.
    const fn owner(&self) -> Owner {
        let is_message = self.levels.is_empty() && !self.is_phantom;
        if is_message { Owner::Message(self.from_line) } else { Owner::Part }
    }

    /// Reads the visible part of a header. If that declares the kind of the body, it counts;
    /// otherwise the body is text.
    fn long_header(
        &mut self,
        text: Text<'_>,
        at: usize,
        from: usize,
        found: &mut Sections,
    ) -> usize {
        let bytes = text.bytes.get(..text.sight).unwrap_or_default();
        let end = match self.owner() {
            Owner::Message(from_line) => mailbox::header_end(bytes, from, from_line),
            Owner::Part => head::rest_of_part(bytes, Span::new(at, text.to)),
        };
        self.push_fields(text, Span::new(at, end.unwrap_or(text.to)), found);
        self.next = if end.is_some() { Next::Body } else { Next::LongHeader };
        self.is_phantom &= end.is_none();
        if let Some(end) = end
            && let Some(entity) = self.entity.take()
        {
            self.enter(*entity, end, found);
        }
        end.unwrap_or(text.to)
    }

    /// Enters `entity`, whose body is at `at`.
    fn enter(&mut self, entity: Entity, at: usize, found: &mut Sections) {
        self.is_phantom = false;
        self.parts += 1;
        if self.parts > PARTS_MAX {
            self.levels.clear();
            self.siblings = Siblings::NONE;
            return self.omit(Omission::TooMany, at, found);
        }
        let Entity { kind, codings, base, .. } = entity;
        let base = base.within(|| self.base());
        let is_level = match kind {
            BodyKind::Multipart { .. } => true,
            BodyKind::Message => codings.is_empty(),
            _ => false,
        };
        if is_level && self.levels.len() >= DEPTH_MAX {
            return self.omit(Omission::TooDeep, at, found);
        }
        let omission = match kind {
            BodyKind::Tnef => Some(Omission::Tnef),
            BodyKind::Uuencoded => Some(Omission::Uuencode),
            BodyKind::Other => Some(Omission::Attachment),
            _ => None,
        };
        if let Some(omission) = omission {
            self.omit(omission, at, found);
        }
        self.body.content = match kind {
            BodyKind::Multipart { boundaries, mixture } => {
                self.body.part.clone_from(&self.head_part);
                let (serial, number, around) = (self.parts, 0, path(&self.levels));
                let level = Level::Multipart { around, boundaries, mixture, serial, number, base };
                self.levels.push(level);
                self.renew_siblings();
                return;
            }
            BodyKind::Message if codings.is_empty() => {
                self.levels.push(Level::Message { around: path(&self.levels) });
                self.next = Next::Header;
                return;
            }
            BodyKind::External | BodyKind::Header if codings.is_empty() => {
                (self.next, self.is_phantom) = (Next::Header, true);
                return;
            }
            BodyKind::Message | BodyKind::Signed | BodyKind::Header => Content::Message,
            BodyKind::Fields => Content::Fields,
            BodyKind::Text | BodyKind::External => Content::Text,
            BodyKind::Html => Content::Html,
            BodyKind::Tnef | BodyKind::Uuencoded | BodyKind::Other => Content::Skipped,
        };
        (self.body.codings, self.body.base) = (codings, base);
    }

    /// Returns the base of relative links by the header of the enclosing multipart.
    fn base(&self) -> Option<Arc<[u8]>> {
        let Some(Level::Multipart { base, .. }) = self.levels.last() else { return None };
        base.clone()
    }

    /// Takes the body at `at` and the boundary after it; returns the offset after both.
    fn body(&mut self, text: Text<'_>, at: usize, found: &mut Sections) -> usize {
        let boundary = self.boundary(text, at);
        let end = boundary.as_ref().map_or(text.to, |boundary| boundary.span.start);
        let mut seen = Span::new(at, end);
        let mut is_given_up = false;
        if boundary.is_none() {
            seen.end = self.body_end(text);
            self.body.passed += end - at;
            is_given_up = self.divide_long(text, seen, found);
        }
        self.body.blocks = self.push_body(text, Span::new(at, end), seen, found);
        if is_given_up {
            self.give_up();
        }
        let Some(boundary) = boundary else {
            return text.to;
        };
        // Two boundaries without a line between them count as one, as in most mail readers.
        let is_repeated = self.body.is_bare && self.body.passed == 0 && boundary.span.start == at;
        let is_repeated = is_repeated && boundary.level + 1 == self.levels.len();
        self.levels.truncate(boundary.level + usize::from(!boundary.is_last));
        self.head_part = path(&self.levels);
        if boundary.is_last {
            // Text after it is for readers without MIME.
            self.body = Body::text(self.head_part.clone());
        } else {
            if let Some(Level::Multipart { number, .. }) = self.levels.last_mut() {
                *number += usize::from(!is_repeated);
            }
            self.next = Next::Header;
        }
        self.renew_siblings();
        self.push_fields(text, boundary.span, found);
        boundary.span.end
    }

    /// Returns the offset of the visible end of a body that continues after the covered bytes.
    /// Bytes up to it may show that the body is encoded, although a candidate begins before them.
    /// No candidate crosses an empty line.
    fn body_end(&self, text: Text<'_>) -> usize {
        if text.edge == Edge::EmptyLine || text.sight <= text.to {
            return text.to;
        }
        let after = self.boundary(Text { to: text.sight, ..text }, text.to);
        after.map_or(text.sight, |boundary| boundary.span.start)
    }

    /// Decides about an encoded body that continues in the next piece: it is decoded in parts, or
    /// scanned undecoded from the next piece on, and if it began in another piece, from the
    /// beginning of `seen` on. Returns true if what follows `text` is not decoded.
    fn divide_long(&mut self, text: Text<'_>, seen: Span, found: &mut Sections) -> bool {
        let (bytes, shown) = (text.bytes, seen.of(text.bytes));
        let is_whole = match text.edge {
            Edge::End => true,
            Edge::EmptyLine => self.body.ends_at_empty_lines(shown),
            Edge::Anywhere => false,
        };
        let is_coded = !self.body.codings(shown).is_empty();
        // Another cut is better, with enough visible bytes on both sides.
        found.is_divided |= text.edge == Edge::EmptyLine && self.body.is_open(shown);
        if is_whole || !is_coded || self.body.content == Content::Skipped {
            return false;
        }
        let is_begun = self.body.passed > text.to - seen.start;
        let goes_on = self.body.goes_on_at_lines(bytes, text.to, shown)
            && (is_begun || !self.body.has_mark(shown));
        found.is_divided |= !is_begun || !goes_on || text.edge == Edge::EmptyLine;
        if !goes_on {
            let at = if is_begun { seen.start } else { text.to };
            self.omit(Omission::TooLong, at, found);
        }
        if !goes_on && is_begun {
            self.give_up();
        }
        !goes_on
    }

    /// Decodes nothing of the current body that follows.
    fn give_up(&mut self) {
        // The raw bytes around signed content are not signed.
        let is_signed = self.body.codings.contains(&Coding::Signed);
        let is_unread = is_signed || self.body.content == Content::Skipped;
        let content = if is_unread { Content::Skipped } else { Content::Text };
        let Body { part, passed, .. } = &mut self.body;
        self.body = Body { passed: *passed, content, ..Body::text(part.take()) };
    }

    /// Returns the first line from `at` on that is a boundary of an enclosing multipart.
    fn boundary(&self, text: Text<'_>, at: usize) -> Option<Boundary> {
        const DASHES: &[u8] = b"--";
        if !self.is_in_multipart() {
            return None;
        }
        let bytes = text.bytes.get(..text.sight)?;
        let from = at.saturating_sub(1);
        // The line may extend beyond `to`; it begins before.
        let near = bytes.get(from..bytes.len().min(text.to + DASHES.len()))?;
        let first = (at == 0 && bytes.starts_with(DASHES)).then_some(0);
        let others = memmem::find_iter(near, b"\n--").map(|feed| from + feed + 1);
        let found = first
            .into_iter()
            .chain(others)
            .take_while(|start| *start < text.to)
            .find_map(|start| self.boundary_at(bytes, start));
        let end = found.as_ref().map_or(near.len(), |found| found.span.start - from);
        let glued = || self.glued_boundary(text, Span::new(from, from + end));
        if self.body.codings.first() == Some(&Coding::Base64) { glued().or(found) } else { found }
    }

    /// Returns the first boundary in `span` of a text in base64 that follows a letter or padding in
    /// the same line: the line end before it is missing.
    fn glued_boundary(&self, text: Text<'_>, span: Span) -> Option<Boundary> {
        let bytes = text.bytes.get(..text.sight)?;
        let near = span.of(bytes);
        let is_of_group = |byte: &u8| base64::is_of_group(*byte);
        // No letter of base64 is a hyphen.
        memmem::find_iter(near, b"--")
            .filter(|at| at.checked_sub(1).and_then(|at| near.get(at)).is_some_and(is_of_group))
            .map(|at| span.start + at)
            .take_while(|start| *start < text.to)
            .find_map(|start| self.boundary_at(bytes, start))
    }

    /// Returns the boundary in the line at `start`. Only blanks may follow the boundary in its
    /// line, so that one boundary may be a prefix of another.
    fn boundary_at(&self, bytes: &[u8], start: usize) -> Option<Boundary> {
        let rest = bytes.get(start..)?;
        let len = mailbox::line_len(rest);
        let line = rest.get(..len)?.trim_ascii_end().strip_prefix(b"--")?;
        self.levels.iter().enumerate().rev().find_map(|(level, of)| {
            let Level::Multipart { boundaries, .. } = of else { return None };
            let is_last = boundary::is_last(line, boundaries)?;
            Some(Boundary { span: Span::new(start, start + len), level, is_last })
        })
    }

    /// Reports whether a delimiter of an enclosing multipart is `--` and `line`.
    fn is_boundary(&self, line: &[u8]) -> bool {
        self.levels.iter().any(|level| match level {
            Level::Multipart { boundaries, .. } => boundary::is_last(line, boundaries).is_some(),
            Level::Message { .. } => false,
        })
    }

    /// Returns the part that a body is: the body of a nested message is a part of its own, too (RFC
    /// 3501 §6.4.5).
    fn body_part(&self) -> Option<Arc<str>> {
        match self.levels.last() {
            Some(Level::Message { .. }) => Some(part_in(self.head_part.as_deref(), 1)),
            _ => self.head_part.clone(),
        }
    }

    /// Updates the alternatives after a change of levels.
    fn renew_siblings(&mut self) {
        self.siblings.renew(self.levels.iter().filter_map(Level::sibling));
    }

    fn push_fields(&self, text: Text<'_>, span: Span, found: &mut Sections) {
        let part = self.head_part.clone();
        let siblings = self.siblings.clone();
        push(text, Section { siblings, ..Section::new(span, part, Content::Fields) }, found);
    }

    /// Appends the header at `head`; its encoded `fields` are sections of their own.
    fn push_head(
        &self,
        text: Text<'_>,
        head: Span,
        fields: Vec<(Span, Vec<Coding>)>,
        found: &mut Sections,
    ) {
        let mut from = head.start;
        for (span, codings) in fields {
            // A field that continues in the next piece is scanned undecoded.
            if codings.is_empty() || span.start < from || span.end > text.to {
                continue;
            }
            self.push_fields(text, Span::new(from, span.start), found);
            let part = self.head_part.clone();
            let siblings = self.siblings.clone();
            let field = Section { codings, siblings, ..Section::new(span, part, Content::Fields) };
            push(text, field, found);
            from = span.end;
        }
        self.push_fields(text, Span::new(from, head.end), found);
    }

    /// Appends the body at `span`, of which `seen` is visible; returns the state of blocks after
    /// it.
    fn push_body(&self, text: Text<'_>, span: Span, seen: Span, found: &mut Sections) -> Blocks {
        let Body { content, part, base, .. } = &self.body;
        let codings = self.body.codings(seen.of(text.bytes));
        let charset = self.body.charset();
        let section = |span: Span, content: Content| Section {
            span,
            part: part.clone(),
            codings: codings.to_vec(),
            content,
            siblings: self.siblings.clone(),
            base: base.clone(),
            charset,
        };
        let (mut from, mut blocks) = (span.start, Blocks::NONE);
        if *content == Content::Text && codings.is_empty() {
            blocks = self.body.blocks;
            let look = text.look(span, seen.end);
            let packed = blocks::find(look, &mut blocks, &mut found.omissions);
            found.is_divided |= packed.is_cut && text.edge == Edge::EmptyLine;
            for block in packed.spans {
                push(text, section(Span::new(from, block.start), Content::Text), found);
                push(text, section(block, Content::Skipped), found);
                from = block.end;
            }
        }
        push(text, section(Span::new(from, span.end), *content), found);
        blocks
    }
}

/// Appends `section`, up to the end of the covered bytes.
fn push(text: Text<'_>, mut section: Section, found: &mut Sections) {
    section.span.end = section.span.end.min(text.to);
    if !section.span.is_empty() {
        found.list.push(section);
    }
}

/// Reports whether `text`, which is in ISO 2022, designates the set of Korea for all that follows
/// (RFC 1557). Designations of other sets hold for a line.
fn names_second_set(text: &[u8]) -> bool {
    let names: [&[u8]; 2] = [b"\x1B$)C", b"=1B$)C"];
    names.iter().any(|name| memmem::find(text, name).is_some())
}

/// Returns the number of the part that a header belongs to (RFC 3501 §6.4.5). A message that is all
/// of another one is the first part of that.
fn path(levels: &[Level]) -> Option<Arc<str>> {
    match levels {
        [] => None,
        [.., Level::Multipart { around, number: 0, .. }] => around.clone(),
        [.., Level::Multipart { around, number, .. }] => Some(part_in(around.as_deref(), *number)),
        [.., Level::Message { .. }, Level::Message { around }] => {
            Some(part_in(around.as_deref(), 1))
        }
        [.., Level::Message { around }] => around.clone(),
    }
}

/// Returns the number of a part in the part `around`.
fn part_in(around: Option<&str>, number: usize) -> Arc<str> {
    match around {
        Some(around) => format!("{around}.{number}").into(),
        None => number.to_string().into(),
    }
}
