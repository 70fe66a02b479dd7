//! Mail on its way to findings: what stands as it is, is scanned as it stands, in runs as long
//! as can be; what is coded, is decoded and scanned by itself, and its findings are told where
//! they stand in the input.

use std::rc::Rc;
use std::sync::Arc;

use super::{Context, FIELD_BACK_MAX, Work};
use crate::finding::{Finding, Message};
use crate::source::mime::{
    self, Coding, Content, DEPTH_MAX, Edge, Omission, Replay, Section, Sections, Source, Walk,
};
use crate::source::{Piece, Records, mailbox};
use crate::span::Span;

type Sink<'s> = &'s mut dyn FnMut(&Finding<'_>);

/// Gives the findings of a piece of mail; gives how far the last one reached.
pub(super) fn read(work: &mut Work<'_>, floor: usize, sink: Sink<'_>) -> usize {
    let piece = work.piece;
    let mut messages = Messages::new(piece, work.checks.messages);
    work.tally.messages = messages.begun();
    let sections = sections(piece, &messages.starts);
    work.tally.omissions = sections.omissions;
    let mut floor = floor;
    let mut rest = sections.list.as_slice();
    while let Some(first) = rest.first() {
        let plain = rest.iter().take_while(|section| is_plain(section)).count();
        let (run, behind) = rest.split_at(plain.max(1));
        rest = behind;
        if plain > 0 {
            floor = plain_run(work, run, floor, &mut messages, sink);
        } else {
            let message = messages.at(first.span.start);
            let source = Source::Input(first.span.of(&piece.bytes));
            let header = coded_field(first, &piece.bytes);
            let inside = Inside { message, header, part: first.part.as_deref() };
            coded(work, first, source, &inside, DEPTH_MAX, sink);
            floor = floor.max(first.span.end);
        }
    }
    floor
}

/// True for what is scanned as it stands.
fn is_plain(section: &Section) -> bool {
    section.codings.is_empty() && section.content != Content::Skipped
}

/// The sections of the core of `piece`, in which messages begin at `starts`.
fn sections(piece: &Piece, starts: &[usize]) -> Sections {
    let mut found = Sections::default();
    let Records::Mail { walk, edge, .. } = &piece.records else { return found };
    let core = piece.core;
    let first = starts.first().copied().unwrap_or(core.end);
    let mut walk = walk.clone();
    let ends = starts.iter().skip(1).copied().map(Some).chain([None]);
    let spans = starts.iter().zip(ends).map(|(start, end)| (*start, end, true));
    let before = (core.start, starts.first().copied(), false);
    for (start, end, is_new) in [before].into_iter().chain(spans) {
        let span = Span::new(start, end.unwrap_or(core.end));
        if is_new {
            walk = Some(Walk::new());
        }
        let edge = if end.is_some() { Edge::End } else { *edge };
        let sight = end.unwrap_or(piece.bytes.len());
        match &mut walk {
            Some(walk) => walk.sections(&piece.bytes, span, sight, edge, &mut found),
            None if first > core.start => found.list.push(text(Span::new(core.start, first))),
            None => {}
        }
    }
    found
}

/// Text outside of messages.
const fn text(span: Span) -> Section {
    Section { span, part: None, codings: Vec::new(), content: Content::Text }
}

/// Scans sections that stand as they are, one behind the other; gives how far the last
/// finding reached.
fn plain_run(
    work: &mut Work<'_>,
    run: &[Section],
    floor: usize,
    messages: &mut Messages<'_>,
    sink: Sink<'_>,
) -> usize {
    let piece = work.piece;
    let start = run.first().map_or(0, |section| section.span.start);
    let end = run.last().map_or(0, |section| section.span.end);
    // What lies behind the core belongs to the same text, for all we know.
    let limit = if end == piece.core.end { piece.bytes.len() } else { end };
    let floor = if start == piece.core.start { floor } else { floor.max(start) };
    let bytes = piece.bytes.get(..limit).unwrap_or_default();
    let mut scanner = work.scanner(bytes, Span::new(start, end), floor);
    let mut sections = run;
    while let Some(candidate) = scanner.next() {
        let at = candidate.span.start;
        // What follows `URL:` may begin behind the core, and stands where `URL:` does.
        while let [section, rest @ ..] = sections
            && section.span.end <= at
            && !rest.is_empty()
        {
            sections = rest;
        }
        let Some(section) = sections.first() else { break };
        let context = Context {
            message: messages.at(at),
            part: section.part.as_deref(),
            is_header: section.content == Content::Fields,
            header: header_of(section, bytes, at),
            is_html: section.content == Content::Html,
        };
        work.candidate(&candidate, bytes, &context, sink);
    }
    scanner.resume()
}

/// The name of the header field at `at` of `bytes`.
fn header_of<'b>(section: &Section, bytes: &'b [u8], at: usize) -> Option<&'b [u8]> {
    let is_header = section.content == Content::Fields;
    is_header.then(|| mailbox::field_name(bytes, at, FIELD_BACK_MAX)).flatten()
}

/// The name of the field that `section` is, when one field alone is coded.
fn coded_field<'b>(section: &Section, bytes: &'b [u8]) -> Option<&'b [u8]> {
    let is_field = matches!(section.codings.first(), Some(Coding::Words | Coding::Unfolded));
    // Behind its first byte, where the name is looked for to the left.
    is_field.then(|| header_of(section, bytes, section.span.start + 1)).flatten()
}

/// What a coded section stands in.
struct Inside<'c> {
    message: Option<Arc<Message>>,
    part: Option<&'c str>,
    /// The field that is coded.
    header: Option<&'c [u8]>,
}

/// Decodes a section, which stands in `source`, and scans it. Messages that are coded as a
/// whole are walked through, as far as `depth` allows.
fn coded<'p>(
    work: &mut Work<'p>,
    section: &Section,
    source: Source<'p>,
    inside: &Inside<'_>,
    depth: usize,
    sink: Sink<'_>,
) {
    if section.content == Content::Skipped {
        return;
    }
    let before = work.decoded.links.len();
    let mut source = source;
    let mut base = section.span.start;
    for coding in &section.codings {
        let decoded = mime::decode(*coding, source.bytes());
        let len = decoded.len();
        work.decoded.links.push(Link { base, replay: Replay::new(*coding, source) });
        (source, base) = (Source::Decoded(Rc::new(decoded), Span::new(0, len)), 0);
    }
    if section.content == Content::Message && depth > 0 {
        message(work, &source, inside, depth - 1, sink);
    } else {
        if section.content == Content::Message {
            work.tally.omissions.count(Omission::TooDeep);
        }
        let bytes = source.bytes();
        scan(work, section, bytes, Span::new(0, bytes.len()), inside, sink);
    }
    work.decoded.links.truncate(before);
}

/// Walks through a message that was decoded.
fn message(
    work: &mut Work<'_>,
    source: &Source<'_>,
    inside: &Inside<'_>,
    depth: usize,
    sink: Sink<'_>,
) {
    let Source::Decoded(all, _) = source else { return };
    let mut found = Sections::default();
    let whole = Span::new(0, all.len());
    Walk::nested().sections(all, whole, all.len(), Edge::End, &mut found);
    for (omission, count) in found.omissions.iter() {
        (0..count).for_each(|_| work.tally.omissions.count(omission));
    }
    for section in &found.list {
        let part = joined(inside.part, section.part.as_deref());
        let inside = Inside {
            message: inside.message.clone(),
            part: part.as_deref(),
            header: coded_field(section, all),
        };
        if is_plain(section) {
            let bytes = all.get(..section.span.end).unwrap_or_default();
            scan(work, section, bytes, section.span, &inside, sink);
        } else {
            let source = Source::Decoded(Rc::clone(all), section.span);
            coded(work, section, source, &inside, depth, sink);
        }
    }
}

/// The path of a part within a part.
fn joined(outer: Option<&str>, inner: Option<&str>) -> Option<String> {
    match (outer, inner) {
        (Some(outer), Some(inner)) => Some(format!("{outer}.{inner}")),
        (outer, inner) => outer.or(inner).map(str::to_owned),
    }
}

/// Scans `span` of a text that was decoded.
fn scan(
    work: &mut Work<'_>,
    section: &Section,
    bytes: &[u8],
    span: Span,
    inside: &Inside<'_>,
    sink: Sink<'_>,
) {
    let mut scanner = work.scanner(bytes, span, span.start);
    while let Some(candidate) = scanner.next() {
        let header = match inside.header {
            Some(name) => Some(name),
            None => header_of(section, bytes, candidate.span.start),
        };
        let context = Context {
            message: inside.message.clone(),
            part: inside.part,
            is_header: section.content == Content::Fields,
            header,
            is_html: section.content == Content::Html,
        };
        work.candidate(&candidate, bytes, &context, sink);
    }
}

/// The way from decoded text back to the piece; nothing for what stands as it is.
#[derive(Default)]
pub(super) struct Decoded<'p> {
    /// First the outermost.
    links: Vec<Link<'p>>,
}

/// One decoder on the way.
struct Link<'p> {
    /// Where its source begins in the text around.
    base: usize,
    replay: Replay<'p>,
}

impl Decoded<'_> {
    /// Where in the piece the text stands that `span` was decoded from. Asked in order.
    pub(super) fn original(&mut self, span: Span) -> Span {
        self.links.iter_mut().rev().fold(span, |span, Link { base, replay }| {
            let start = *base + replay.start_of(span.start);
            let last = span.end.saturating_sub(1).max(span.start);
            Span::new(start, *base + replay.end_of(last))
        })
    }
}

/// Resolves the entities of HTML that stand for an ampersand; false when there is none.
pub(super) fn resolve_ampersands(text: &[u8], out: &mut Vec<u8>) -> bool {
    const NAMES: [&[u8]; 3] = [b"&amp;", b"&#38;", b"&#x26;"];
    out.clear();
    let mut from = 0;
    for at in memchr::memchr_iter(b'&', text) {
        let rest = text.get(at..).unwrap_or_default();
        let is_named = |name: &&&[u8]| {
            rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
        };
        if let Some(name) = NAMES.iter().find(is_named) {
            out.extend_from_slice(text.get(from..=at).unwrap_or_default());
            from = at + name.len();
        }
    }
    out.extend_from_slice(text.get(from..).unwrap_or_default());
    from > 0
}

/// Which message a byte of the piece stands in. Asked in order.
struct Messages<'p> {
    piece: &'p Piece,
    /// True when somebody wants to know.
    is_told: bool,
    /// Where messages begin in the core.
    starts: Vec<usize>,
    /// How many of them were passed.
    passed: usize,
    message: Option<Arc<Message>>,
}

impl<'p> Messages<'p> {
    fn new(piece: &'p Piece, is_told: bool) -> Self {
        let (mut starts, mut message) = (Vec::new(), None);
        if let Records::Mail { message: before, is_box, .. } = &piece.records {
            if *is_box {
                let core = piece.core;
                starts = mailbox::separators(&piece.bytes, core.start, core.end).collect();
            }
            message.clone_from(before);
        }
        Self { piece, is_told, starts, passed: 0, message }
    }

    /// Messages that begin in the core. The one message of an input that is no mbox begins
    /// with its first byte.
    fn begun(&self) -> u64 {
        let is_alone = matches!(self.piece.records, Records::Mail { is_box: false, .. })
            && self.piece.base == 0
            && !self.piece.core.is_empty()
            && self.piece.core.start == 0;
        self.starts.len() as u64 + u64::from(is_alone)
    }

    fn at(&mut self, at: usize) -> Option<Arc<Message>> {
        let before = self.passed;
        while self.starts.get(self.passed).is_some_and(|start| *start <= at) {
            self.passed += 1;
        }
        if self.passed > before
            && let Some(&start) = self.starts.get(self.passed - 1)
        {
            let bytes = &self.piece.bytes;
            self.message = self.is_told.then(|| Arc::new(mailbox::message(bytes, start)));
        }
        self.message.clone()
    }
}
