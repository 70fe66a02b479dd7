//! Goes over a message from boundary to boundary, with a stack of its own.

use std::sync::Arc;

use memchr::memmem;

use super::blocks::{self, Blocks, LOOK_LEN, Look};
use super::coding::Coding;
use super::entity::{Entity, Kind, Mixture, Within};
use super::head::{self, Head, Owner};
use super::omission::{DEPTH_MAX, Omission, PARTS_MAX};
use super::section::{Content, Section, Sections, Sibling, Siblings};
use super::sight::{Edge, Sight};
use super::{base64, marked, replay, words};
use crate::source::charset::Charset;
use crate::source::fields;
use crate::source::mailbox::{self, FromLine};
use crate::source::markup::open;
use crate::span::Span;

/// Bytes before a cut in which decoding is taken up, at most: three for each that decides
/// about a candidate, and the line in which they begin.
pub const TAKEN_UP_MAX: usize = 8 * 1024;

/// Notes on one message, at most; more of the same is only counted.
const NOTES_MAX: usize = 10;

/// Sections of one message that are given at a time, about: what is known of parts of a few bytes
/// is longer than they.
pub const SECTIONS_MAX: usize = 4096;

/// Bytes of a coded text that are looked at for a mark of its charset and what it stands before.
const MARKED_LEN: usize = 4 * 1024;

/// Where a walk through a message is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// What a `From ` line in the header of the message is.
    from_line: FromLine,
    levels: Vec<Level>,
    /// Which forms of something it is in.
    siblings: Siblings,
    /// Bytes of header fields and boundary lines that come first.
    ahead: usize,
    next: Next,
    /// True for the header of a body that is elsewhere: what it says is not of what follows.
    is_phantom: bool,
    /// What the beginning of a header that is too long says of its body.
    entity: Option<Box<Entity>>,
    /// The header field that it is in.
    field: Option<fields::Begun>,
    /// The part that the header belongs to which was read last.
    head_part: Option<Arc<str>>,
    body: Body,
    parts: usize,
    /// Notes that were made.
    notes: usize,
}

/// A multipart or a message that the walk is in, and the part that it is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Level {
    /// Parts between lines with one of these boundaries; the number of the part counts from 1, and
    /// is zero before the first. The serial tells it from the other multiparts of the message.
    /// Relative links in it start from the base, where a header around says so.
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
    /// The part that the walk is in, when that is one of several forms of the same.
    const fn sibling(&self) -> Option<Sibling> {
        match *self {
            Self::Multipart { mixture: Mixture::Alternative, serial, number, .. } => {
                Some(Sibling { alternative: serial, number })
            }
            _ => None,
        }
    }
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Header,
    /// The rest of a header whose end was not in sight.
    LongHeader,
    Body,
}

/// How a body is read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Body {
    codings: Vec<Coding>,
    content: Content,
    part: Option<Arc<str>>,
    /// What its relative links start from, where a header says so.
    base: Option<Arc<[u8]>>,
    /// Bytes of it that were passed.
    passed: usize,
    /// True when not a byte stands before it, not even an empty line.
    is_bare: bool,
    /// What goes on of blocks in it.
    blocks: Blocks,
}

impl Body {
    const fn text(part: Option<Arc<str>>) -> Self {
        let (content, blocks) = (Content::Text, Blocks::NONE);
        Self { codings: Vec::new(), content, part, base: None, passed: 0, is_bare: false, blocks }
    }

    /// What has to be decoded of `text`.
    fn codings(&self, text: &[u8]) -> &[Coding] {
        let mut codings = self.codings.as_slice();
        while let [first, rest @ ..] = codings
            && first.is_idle(text)
        {
            codings = rest;
        }
        codings
    }

    /// True when each line of `text`, which is coded, can be decoded by itself, but for base64.
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

    /// True when a tag of HTML or the text of a link goes on behind `text`.
    fn is_open(&self, text: &[u8]) -> bool {
        self.content == Content::Html && open::at_end(text)
    }

    /// True when nothing that is looked for crosses an empty line of `text`, which is coded.
    fn ends_at_empty_lines(&self, text: &[u8]) -> bool {
        self.is_of_lines(text) && !self.codings.contains(&Coding::Base64)
    }

    /// True when what goes on at `at` of `bytes`, up to where it was passed, can be decoded from
    /// there or from a line before. `text` of it is seen.
    fn goes_on_at_lines(&self, bytes: &[u8], at: usize, text: &[u8]) -> bool {
        let Some(start) = self.taken_up(bytes, at) else { return false };
        let is_from_line = start + self.passed > at;
        let is_in_groups = || base64::is_in_groups(bytes.get(start..at).unwrap_or_default());
        let is_base64 = self.codings.contains(&Coding::Base64);
        self.is_of_lines(text) && (!is_base64 || !is_from_line || is_in_groups())
    }

    /// True when `text`, its beginning, has a mark of UTF-16 or UTF-32 in its coding for transfer.
    fn has_mark(&self, text: &[u8]) -> bool {
        let coding = self.codings.first().filter(|coding| coding.is_of_transfer());
        let head = text.get(..text.len().min(MARKED_LEN)).unwrap_or_default();
        coding.is_some_and(|coding| Charset::by_mark(&replay::decode(*coding, head)).is_some())
    }

    /// From where on it is decoded behind a cut at `at` of `bytes`, up to where it was passed: its
    /// beginning, or that of a line.
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
    /// Which level's it is.
    level: usize,
    is_last: bool,
}

/// What a walk looks at.
#[derive(Clone, Copy)]
struct Text<'t> {
    bytes: &'t [u8],
    /// No section goes further.
    to: usize,
    /// Where the message ends, or the bytes.
    sight: usize,
    edge: Edge,
}

impl<'t> Text<'t> {
    /// How blocks are looked for in the body at `span`, which is seen up to `seen`.
    fn look(self, span: Span, seen: usize) -> Look<'t> {
        let is_end = match self.edge {
            _ if span.end < self.to => true,
            Edge::End => true,
            Edge::EmptyLine => false,
            // More would be seen if there were more.
            Edge::Anywhere => seen < self.sight || seen - span.end < LOOK_LEN,
        };
        Look { bytes: self.bytes.get(..seen).unwrap_or_default(), span, is_end }
    }
}

impl Walk {
    /// A walk that begins with the header of a message; `from_line` says what a `From ` line there
    /// is.
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

    /// A walk that begins with the header of a message that is part of another.
    #[must_use]
    pub fn nested() -> Self {
        let levels = vec![Level::Message { around: None }];
        Self { levels, ..Self::new(FromLine::Begins) }
    }

    /// True when it is inside of a `multipart/alternative`.
    #[must_use]
    pub fn is_in_alternative(&self) -> bool {
        !self.siblings.is_empty()
    }

    /// How deep it is in parts, and how many it has begun: what changes at each boundary.
    pub(in crate::source) const fn depth(&self) -> (usize, usize) {
        (self.levels.len(), self.parts)
    }

    /// Returns the boundaries of the outermost multipart that it is in.
    pub(in crate::source) fn boundaries(&self) -> &[Vec<u8>] {
        let found = self.levels.iter().find_map(|level| match level {
            Level::Multipart { boundaries, .. } => Some(boundaries.as_slice()),
            Level::Message { .. } => None,
        });
        found.unwrap_or_default()
    }

    /// True when a boundary may come.
    fn is_in_multipart(&self) -> bool {
        self.levels.iter().any(|level| matches!(level, Level::Multipart { .. }))
    }

    /// From where on the body is decoded that goes on at `at` of `bytes`; none outside of a body.
    #[must_use]
    pub fn taken_up(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let is_begun = self.next == Next::Body && self.body.passed > 0;
        // Where a line is too long for that, nothing before it counts.
        is_begun.then(|| self.body.taken_up(bytes, at).unwrap_or(at))
    }

    /// The header field that it is in, when it is inside of one.
    #[must_use]
    pub const fn field(&self) -> Option<&fields::Begun> {
        self.field.as_ref()
    }

    /// Appends the sections of `span`, which begins where the walk is, to `found`, and gives the
    /// offset behind them: in front of a header when there are more than [`SECTIONS_MAX`].
    ///
    /// `sight` is where the message ends, or the end of `bytes` when it ends behind `span`:
    /// headers and boundary lines that begin in `span` may go on there.
    #[must_use]
    pub fn sections(
        &mut self,
        bytes: &[u8],
        span: Span,
        sight: usize,
        edge: Edge,
        found: &mut Sections,
    ) -> usize {
        let text = Text { bytes, to: span.end, sight, edge };
        let (mut at, room) = (span.start, found.list.len() + SECTIONS_MAX);
        if self.ahead > 0 {
            let end = at + std::mem::take(&mut self.ahead);
            self.push_fields(text, Span::new(at, end), found);
            at = end;
        } else if self.next == Next::LongHeader {
            at = self.long_header(text, at, mailbox::before_cut(at), found);
        }
        while at < text.to {
            // In front of a header, the parts before are whole.
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
            self.field = fields::Begun::behind(bytes, span, before);
        }
        text.to
    }

    /// True when it stopped in a header.
    #[must_use]
    pub fn is_in_header(&self) -> bool {
        match self.next {
            // No more than the line of a boundary may be ahead.
            Next::Header => false,
            Next::LongHeader => true,
            Next::Body => self.ahead > 0,
        }
    }

    /// True when what comes next are header fields, some of which were passed.
    fn is_in_fields(&self) -> bool {
        let is_body = self.next == Next::Body && self.body.content == Content::Fields;
        self.ahead > 0 || self.next == Next::LongHeader || is_body
    }

    /// Reads the header at `at` and what it says; gives the offset behind it.
    fn header(&mut self, text: Text<'_>, at: usize, found: &mut Sections) -> usize {
        found.header = Some(at);
        self.head_part = path(&self.levels);
        self.next = Next::Body;
        self.body = Body::text(self.body_part());
        let sight = Sight { end: text.sight, edge: text.edge };
        let owner = self.owner();
        let read = head::read(text.bytes, at, sight, owner, found.heads.begin());
        let Some(head) = read else {
            return self.long_header(text, at, at, found);
        };
        if owner != Owner::Part && !head.is_cut {
            found.heads.end(at);
        }
        let within = match self.levels.last() {
            Some(Level::Multipart { mixture: Mixture::Digest, .. }) => Within::Digest,
            _ => Within::Other,
        };
        let entity = match self.is_phantom {
            true => Entity::text(),
            false => Entity::of(text.bytes, &head, within),
        };
        self.push_head(text, at, &head, &entity, found);
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

    /// Counts what is not read, and notes it where that has to be told.
    fn omit(&mut self, omission: Omission, at: usize, found: &mut Sections) {
        found.omissions.count(omission);
        if self.notes < NOTES_MAX && omission.note().is_some() {
            self.notes += 1;
            found.noted.push((omission, at));
        }
    }

    /// Whose header comes next, or is gone on with.
    const fn owner(&self) -> Owner {
        let is_message = self.levels.is_empty() && !self.is_phantom;
        if is_message { Owner::Message(self.from_line) } else { Owner::Part }
    }

    /// Takes a header as far as it is in sight. Its body is what its beginning said, or text.
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

    /// Makes `entity`, whose body is at `at`, what comes next.
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
            Kind::Multipart { .. } => true,
            Kind::Message => codings.is_empty(),
            _ => false,
        };
        if is_level && self.levels.len() >= DEPTH_MAX {
            return self.omit(Omission::TooDeep, at, found);
        }
        let omission = match kind {
            Kind::Tnef => Some(Omission::Tnef),
            Kind::Uuencoded => Some(Omission::Uuencode),
            Kind::Other => Some(Omission::Attachment),
            _ => None,
        };
        if let Some(omission) = omission {
            self.omit(omission, at, found);
        }
        self.body.content = match kind {
            Kind::Multipart { boundaries, mixture } => {
                self.body.part.clone_from(&self.head_part);
                let (serial, number, around) = (self.parts, 0, path(&self.levels));
                let level = Level::Multipart { around, boundaries, mixture, serial, number, base };
                self.levels.push(level);
                self.renew_siblings();
                return;
            }
            Kind::Message if codings.is_empty() => {
                self.levels.push(Level::Message { around: path(&self.levels) });
                self.next = Next::Header;
                return;
            }
            Kind::External | Kind::Header if codings.is_empty() => {
                (self.next, self.is_phantom) = (Next::Header, true);
                return;
            }
            Kind::Message | Kind::Signed | Kind::Header => Content::Message,
            Kind::Fields => Content::Fields,
            Kind::Text | Kind::External => Content::Text,
            Kind::Html => Content::Html,
            Kind::Tnef | Kind::Uuencoded | Kind::Other => Content::Skipped,
        };
        (self.body.codings, self.body.base) = (codings, base);
    }

    /// What relative links start from by the header of the multipart that it is in.
    fn base(&self) -> Option<Arc<[u8]>> {
        let Some(Level::Multipart { base, .. }) = self.levels.last() else { return None };
        base.clone()
    }

    /// Takes the body at `at` up to the next boundary, and that; gives the offset behind.
    fn body(&mut self, text: Text<'_>, at: usize, found: &mut Sections) -> usize {
        let boundary = self.boundary(text, at);
        let end = boundary.as_ref().map_or(text.to, |boundary| boundary.span.start);
        let mut seen = Span::new(at, end);
        if boundary.is_none() {
            seen.end = self.body_end(text);
            self.body.passed += end - at;
            self.divide_long(text, seen, found);
        }
        self.body.blocks = self.push_body(text, Span::new(at, end), seen, found);
        let Some(boundary) = boundary else {
            return text.to;
        };
        // Two boundaries without a line between them are one, as most readers have it.
        let is_repeated = self.body.is_bare && self.body.passed == 0 && boundary.span.start == at;
        let is_repeated = is_repeated && boundary.level + 1 == self.levels.len();
        self.levels.truncate(boundary.level + usize::from(!boundary.is_last));
        self.head_part = path(&self.levels);
        if boundary.is_last {
            // What stands behind is for those who know no MIME.
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

    /// How far a body is seen that goes on behind what is asked for: what stands there may tell
    /// that it is coded, where something that is looked for begins before. Nothing crosses an empty
    /// line.
    fn body_end(&self, text: Text<'_>) -> usize {
        if text.edge == Edge::EmptyLine || text.sight <= text.to {
            return text.to;
        }
        let behind = self.boundary(Text { to: text.sight, ..text }, text.to);
        behind.map_or(text.sight, |boundary| boundary.span.start)
    }

    /// What is coded and goes on in the next piece is decoded in parts, or read as it stands from
    /// the beginning of what is `seen` on.
    fn divide_long(&mut self, text: Text<'_>, seen: Span, found: &mut Sections) {
        let (bytes, shown) = (text.bytes, seen.of(text.bytes));
        let is_whole = match text.edge {
            Edge::End => true,
            Edge::EmptyLine => self.body.ends_at_empty_lines(shown),
            Edge::Anywhere => false,
        };
        let is_coded = !self.body.codings(shown).is_empty();
        // Better anywhere, where enough is seen on both sides.
        found.is_divided |= text.edge == Edge::EmptyLine && self.body.is_open(shown);
        if is_whole || !is_coded || self.body.content == Content::Skipped {
            return;
        }
        let is_begun = self.body.passed > text.to - seen.start;
        let goes_on = self.body.goes_on_at_lines(bytes, text.to, shown)
            && (is_begun || !self.body.has_mark(shown));
        found.is_divided |= !is_begun || !goes_on || text.edge == Edge::EmptyLine;
        if !goes_on {
            self.omit(Omission::TooLong, seen.start, found);
            // What stands around it as it is was signed by nobody.
            let is_signed = self.body.codings.contains(&Coding::Signed);
            let content = if is_signed { Content::Skipped } else { Content::Text };
            let Body { part, passed, .. } = &mut self.body;
            self.body = Body { passed: *passed, content, ..Body::text(part.take()) };
        }
    }

    /// The first line from `at` on that is a boundary of a multipart around.
    fn boundary(&self, text: Text<'_>, at: usize) -> Option<Boundary> {
        const DASHES: &[u8] = b"--";
        if !self.is_in_multipart() {
            return None;
        }
        let bytes = text.bytes.get(..text.sight)?;
        let from = at.saturating_sub(1);
        // The whole line may lie behind; it begins before.
        let near = bytes.get(from..bytes.len().min(text.to + DASHES.len()))?;
        let first = (at == 0 && bytes.starts_with(DASHES)).then_some(0);
        let others = memmem::find_iter(near, b"\n--").map(|feed| from + feed + 1);
        first
            .into_iter()
            .chain(others)
            .take_while(|start| *start < text.to)
            .find_map(|start| self.boundary_at(bytes, start))
    }

    /// The boundary that the line at `start` is. A line is one when nothing but blanks stands
    /// behind the boundary, so that it does not matter which begins with which.
    fn boundary_at(&self, bytes: &[u8], start: usize) -> Option<Boundary> {
        let rest = bytes.get(start..)?;
        let len = mailbox::line_len(rest);
        let line = rest.get(..len)?.trim_ascii_end().strip_prefix(b"--")?;
        self.levels.iter().enumerate().rev().find_map(|(level, of)| {
            let Level::Multipart { boundaries, .. } = of else { return None };
            let behind = |boundary: &Vec<u8>| match line.strip_prefix(boundary.as_slice())? {
                b"" => Some(false),
                b"--" => Some(true),
                _ => None,
            };
            let is_last = boundaries.iter().find_map(behind)?;
            Some(Boundary { span: Span::new(start, start + len), level, is_last })
        })
    }

    /// The part that a body is: a message in a message is a part by its own body, too (RFC
    /// 3501 §6.4.5).
    fn body_part(&self) -> Option<Arc<str>> {
        match self.levels.last() {
            Some(Level::Message { .. }) => Some(part_in(self.head_part.as_deref(), 1)),
            _ => self.head_part.clone(),
        }
    }

    /// Says anew which forms of something it is in, behind a change of levels.
    fn renew_siblings(&mut self) {
        self.siblings.renew(self.levels.iter().filter_map(Level::sibling));
    }

    fn push_fields(&self, text: Text<'_>, span: Span, found: &mut Sections) {
        let part = self.head_part.clone();
        let siblings = self.siblings.clone();
        push(text, Section { siblings, ..Section::new(span, part, Content::Fields) }, found);
    }

    /// The header at `at`; fields that must be decoded are sections of their own.
    fn push_head(
        &self,
        text: Text<'_>,
        at: usize,
        head: &Head,
        entity: &Entity,
        found: &mut Sections,
    ) {
        let words = |span: Span| word_codings(span.of(text.bytes));
        let url = head.content_type.filter(|_| entity.holds_url).map(|at| {
            let len = mailbox::field_len(text.bytes.get(at..head.end).unwrap_or_default());
            (Span::new(at, at + len), vec![Coding::Numbered])
        });
        let folded = head.folded.iter().map(|span| {
            // White space between encoded words goes with them (RFC 2557 §4.4.1).
            (*span, [words(*span), vec![Coding::Unfolded]].concat())
        });
        let with_words = head.with_words.iter().map(|span| (*span, words(*span)));
        let mut fields: Vec<_> = folded.chain(with_words).chain(url).collect();
        // Of two ways for one field, the first one counts.
        fields.sort_by_key(|(span, _)| span.end);
        let mut from = at;
        for (span, codings) in fields {
            // A field that goes on in the next piece is read as it stands.
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

    /// The body at `span`, of which more may be seen; gives what goes on of blocks behind it.
    fn push_body(&self, text: Text<'_>, span: Span, seen: Span, found: &mut Sections) -> Blocks {
        let Body { content, part, base, .. } = &self.body;
        let codings = self.body.codings(seen.of(text.bytes));
        let section = |span: Span, content: Content| Section {
            span,
            part: part.clone(),
            codings: codings.to_vec(),
            content,
            siblings: self.siblings.clone(),
            base: base.clone(),
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

/// Appends `section` as far as it is asked for.
fn push(text: Text<'_>, mut section: Section, found: &mut Sections) {
    section.span.end = section.span.end.min(text.to);
    if !section.span.is_empty() {
        found.list.push(section);
    }
}

/// How to decode a field with encoded words; nothing when it has none. In one charset, words are
/// decoded at once, so that a character may begin in one and end in the next.
fn word_codings(field: &[u8]) -> Vec<Coding> {
    let mut charsets = words::labels(field).map(Charset::find);
    let Some(first) = charsets.next() else { return Vec::new() };
    if first.is_some_and(marked::is_of_words) || charsets.any(|charset| charset != first) {
        return vec![Coding::MarkedWords, Coding::Marked];
    }
    [Coding::Words].into_iter().chain(first.map(Coding::Charset)).collect()
}

/// True when `text`, which is in ISO 2022, names the set of Korea for all that follows (RFC 1557).
/// Names of other sets count for a line.
fn names_second_set(text: &[u8]) -> bool {
    let names: [&[u8]; 2] = [b"\x1B$)C", b"=1B$)C"];
    names.iter().any(|name| memmem::find(text, name).is_some())
}

/// The number of the part that a header belongs to (RFC 3501 §6.4.5). A message that is all of
/// another one is the first part of that.
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

/// The number of a part in the part `around`.
fn part_in(around: Option<&str>, number: usize) -> Arc<str> {
    match around {
        Some(around) => format!("{around}.{number}").into(),
        None => number.to_string().into(),
    }
}
