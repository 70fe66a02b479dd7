//! Makes findings of mail.
//!
//! Text that is not encoded is scanned in the input itself, in runs as long as possible; encoded
//! text is decoded and scanned by itself, and its findings are located in the input.

mod targets;
mod walks;

use std::rc::Rc;
use std::sync::Arc;

use targets::Attributes;
use walks::{Ends, Walks};

use super::effects::Setting;
use super::names::Names;
use super::twins::Alternative;
use super::{Context, Originals, Placed, Work, attribute};
use crate::finding::{Finding, Message, Note, Origin};
use crate::scan::{CANDIDATE_LEN_MAX, Candidate};
use crate::source::mail::fields;
use crate::source::mail::mailbox::{self, FromLine};
use crate::source::mail::mime::{
    self, Blocks, Charset, Coding, Content, DEPTH_MAX, Edge, HELD_MAX, Heads, Look, Omission,
    Replay, Section, Sections, Source,
};
use crate::source::{Piece, Records, markup};
use crate::span::{LineSteps, Position, Span};

type Sink<'s> = &'s mut dyn FnMut(&Finding<'_>);

/// Passes the findings of a piece of mail to `sink`; returns the end offset of the last one.
pub(super) fn read<'p>(work: &mut Work<'p>, floor: usize, sink: Sink<'_>) -> usize {
    let piece = work.piece;
    let mut messages = Messages::new(piece, work.checks.messages);
    work.tally.messages = messages.starts.len() as u64;
    let names = work.checks.names.then(|| Names::of(piece));
    let mut originals = Originals::new(piece);
    let mut tell = |work: &mut Work<'p>, omission: Omission, at: usize| {
        note(work, omission, originals.start(at));
    };
    let mut floor = floor;
    let mut read = |work: &mut Work<'p>, group: Group<'_>, sink: Sink<'_>| {
        floor = undecoded(work, group, floor, &mut messages, sink);
    };
    all(work, Mail { walks: Walks::of(piece), names }, &mut tell, &mut read, sink);
    floor
}

/// Adjacent sections.
#[derive(Clone, Copy)]
struct Group<'s> {
    sections: &'s [Section],
    /// Headers that were read with them.
    heads: &'s Heads,
}

impl<'s> Group<'s> {
    /// Returns each alternative form among these sections by itself.
    fn forms(self) -> impl Iterator<Item = Self> {
        let is_same = |one: &Section, next: &Section| one.siblings == next.siblings;
        self.sections.chunk_by(is_same).map(move |sections| Self { sections, ..self })
    }
}

/// Messages to read.
struct Mail<'t> {
    walks: Walks<'t>,
    /// The names of their parts, if they are wanted.
    names: Option<Names<'t>>,
}

/// Passes all sections of `mail` to `read`, and all omissions to `tell`.
fn all<'p>(
    work: &mut Work<'p>,
    mail: Mail<'_>,
    tell: &mut dyn FnMut(&mut Work<'p>, Omission, usize),
    read: &mut dyn FnMut(&mut Work<'p>, Group<'_>, Sink<'_>),
    sink: Sink<'_>,
) {
    let Mail { mut walks, mut names } = mail;
    let mut found = Sections::default();
    let held = work.held;
    while let Some(ends) = walks.next(&mut found) {
        work.held = held + found.list.capacity() * size_of::<Section>();
        if let Some(names) = &mut names {
            found.list.iter().for_each(|section| names.take(walks.bytes, section));
        }
        for (omission, at) in &found.noted {
            tell(work, *omission, *at);
        }
        let all = Group { sections: &found.list, heads: &found.heads };
        by_alternatives(work, all, ends, read, sink);
    }
    work.held = held;
    work.tally.omissions.add(&found.omissions);
    work.tally.names.extend(names.into_iter().flat_map(Names::finish));
}

/// Notes an omission at the offset `at` of the input.
fn note(work: &mut Work<'_>, omission: Omission, at: u64) {
    let Some((kind, message)) = omission.note() else { return };
    let origin = Origin::clone(&work.piece.origin);
    work.tally.notes.push(Note { kind, origin, offset: Some(at), message });
}

/// Notes an omission in an encoded message, at the place of that message: only findings are located
/// in encoded text.
fn note_inside(work: &mut Work<'_>, omission: Omission) {
    let piece = work.piece;
    let base = work.decoded.links.first().map_or(0, |link| link.base);
    note(work, omission, Originals::new(piece).start(base));
}

/// Passes `all` to `read`, each part of an alternative by itself. Findings in an alternative wait
/// for its end, if all of it is here and no other is around it.
fn by_alternatives<'p>(
    work: &mut Work<'p>,
    all: Group<'_>,
    ends: Ends,
    read: &mut dyn FnMut(&mut Work<'p>, Group<'_>, Sink<'_>),
    sink: Sink<'_>,
) {
    let Group { sections, heads } = all;
    let is_outside = |section: &Section| section.siblings.is_empty();
    let mut rest = sections.len();
    for sections in sections.chunk_by(|one, next| is_outside(one) == is_outside(next)) {
        let is_first = rest == all.sections.len();
        rest -= sections.len();
        let group = Group { sections, heads };
        if sections.first().is_none_or(is_outside) {
            read(work, group, sink);
            continue;
        }
        let is_begun = is_first && !ends.is_begin;
        let is_whole = !is_begun && (ends.is_end || rest > 0);
        if is_whole && !work.is_pairing {
            paired(work, group, read, sink);
            continue;
        }
        work.tally.unpaired += u64::from(!is_whole && !is_begun);
        group.forms().for_each(|form| read(work, form, sink));
    }
    // Of an alternative that begins after these sections, they hold only the header.
    let is_behind = !ends.is_end && sections.last().is_some_and(is_outside);
    work.tally.unpaired += u64::from(is_behind);
}

/// Reads the sections of one alternative, and passes on its findings when all of it is read.
fn paired<'p>(
    work: &mut Work<'p>,
    group: Group<'_>,
    read: &mut dyn FnMut(&mut Work<'p>, Group<'_>, Sink<'_>),
    sink: Sink<'_>,
) {
    work.is_pairing = true;
    let mut alternative = Alternative::new(&work.piece.origin);
    for form in group.forms() {
        let Some(Section { siblings, .. }) = form.sections.first() else { continue };
        read(work, form, &mut |finding| alternative.take(finding, siblings, sink));
    }
    let (twins, is_cut) = alternative.end(sink);
    work.tally.twins += twins;
    work.tally.unpaired += u64::from(is_cut);
    work.is_pairing = false;
}

/// Reads sections of a piece; returns the end offset of the last finding.
fn undecoded<'p>(
    work: &mut Work<'p>,
    group: Group<'_>,
    floor: usize,
    messages: &mut Messages<'p>,
    sink: Sink<'_>,
) -> usize {
    let piece = work.piece;
    let mut floor = floor;
    let mut rest = group.sections;
    while let Some(first) = rest.first() {
        let plain = rest.iter().take_while(|section| is_plain(section)).count();
        let (run, behind) = rest.split_at(plain.max(1));
        rest = behind;
        if plain > 0 {
            let run = Group { sections: run, ..group };
            floor = plain_run(work, run, floor, messages, sink);
        } else {
            let message = messages.at(first.span.start, group.heads);
            let header = coded_field(first, &piece.bytes);
            let cut = Cut::of(first, piece, floor);
            let span = cut.map_or(first.span, |cut| cut.shown);
            let section = Section { span, ..first.clone() };
            let source = Source::Input(section.span.of(&piece.bytes));
            let part = section.part.as_deref();
            let inside = Inside { message, header, part, cut, depth: DEPTH_MAX };
            let reached = coded(work, &section, source, &inside, sink);
            floor = floor.max(if cut.is_some() { reached } else { first.span.end });
        }
    }
    floor
}

/// Returns the header field in which a piece begins.
fn begun(piece: &Piece) -> Option<&fields::Begun> {
    let Records::Mail { walk: Some(walk), .. } = &piece.records else { return None };
    walk.field()
}

/// Reports whether a section is scanned as it is.
fn is_plain(section: &Section) -> bool {
    section.codings.is_empty() && section.content != Content::Skipped
}

/// Scans adjacent sections that are not encoded; returns the end offset of the last finding.
fn plain_run(
    work: &mut Work<'_>,
    run: Group<'_>,
    floor: usize,
    messages: &mut Messages<'_>,
    sink: Sink<'_>,
) -> usize {
    let piece = work.piece;
    let Group { sections: run, heads } = run;
    let start = run.first().map_or(0, |section| section.span.start);
    let end = run.last().map_or(0, |section| section.span.end);
    // The bytes after the core are taken for the same text.
    let limit = if end == piece.core.end { piece.bytes.len() } else { end };
    let floor = if start == piece.core.start { floor } else { floor.max(start) };
    let bytes = piece.bytes.get(..limit).unwrap_or_default();
    let mut scanner = work.scanner(bytes, Span::new(start, end), floor);
    let mut fields = fields::Reader::behind(bytes, piece.core.start, begun(piece));
    let mut sections = run;
    let mut links = Links::new(bytes, Rc::default());
    let html = run.iter().filter(|section| section.content == Content::Html);
    let html = html.map(|section| (section.span, section.base.clone())).collect();
    let mut attributes = Attributes::new(bytes, html, floor);
    loop {
        let candidate = scanner.next();
        let next = candidate.as_ref().map_or(usize::MAX, |candidate| candidate.span.start);
        while let Some(target) = attributes.before(next) {
            let at = target.link.span.start;
            let section = run.partition_point(|section| section.span.end <= at);
            let part = run.get(section).and_then(|section| section.part.as_deref());
            let context = Context { message: messages.at(at, heads), part, ..Context::default() };
            links.end = links.end.max(target.give(work, context, next, sink));
        }
        let Some(candidate) = candidate else { break };
        let at = next;
        if at < links.end {
            continue;
        }
        // A link after `URL:` may begin after the core; it belongs to the section of `URL:`.
        while let [section, rest @ ..] = sections
            && section.span.end <= at
            && !rest.is_empty()
        {
            sections = rest;
        }
        let Some(section) = sections.first() else { break };
        let limit = if sections.len() > 1 { section.span.end } else { bytes.len() };
        let link = links.at(section, candidate.span, limit);
        let candidate = whole(candidate, link.as_ref());
        attributes.pass(candidate.span);
        let (message, part) = (messages.at(at, heads), section.part.as_deref());
        let context = Context { message, part, ..context(section, &mut fields, bytes, at) };
        work.candidate(&candidate, bytes, &context, sink);
    }
    scanner.resume().max(links.end)
}

/// The links of HTML of which a scanner finds a part.
struct Links<'b> {
    bytes: &'b [u8],
    /// Offsets of the quotes that were decoded from references.
    resolved: Rc<[usize]>,
    /// End offset of the last one: text in it is no other link.
    end: usize,
}

impl<'b> Links<'b> {
    const fn new(bytes: &'b [u8], resolved: Rc<[usize]>) -> Self {
        Self { bytes, resolved, end: 0 }
    }

    /// Returns the link that begins with `found`, if it is one and ends before `limit`.
    fn at(&mut self, section: &Section, found: Span, limit: usize) -> Option<markup::Link> {
        let is_html = section.content == Content::Html;
        let link = || markup::link_at(self.bytes, found, &self.resolved);
        let link = is_html.then(link).flatten();
        let link = link.filter(|link| link.span.end <= limit);
        self.end = link.as_ref().map_or(self.end, |link| link.span.end);
        link
    }
}

/// Returns `candidate`, extended to all of `link` if it is a part of that.
fn whole<'c>(candidate: Candidate<'c>, link: Option<&'c markup::Link>) -> Candidate<'c> {
    let Some(link) = link else { return candidate };
    Candidate { span: link.span, text: &link.target, ..candidate }
}

/// Returns the name of the field that `section` is, if it is one encoded field.
fn coded_field<'b>(section: &Section, bytes: &'b [u8]) -> Option<&'b [u8]> {
    let is_field = section.codings.first().is_some_and(|coding| coding.is_of_field());
    let name = is_field.then(|| mailbox::field_name(bytes, section.span.start));
    name.flatten().map(|name| name.of(bytes))
}

/// The surroundings of an encoded section.
struct Inside<'c> {
    message: Option<&'c Message>,
    part: Option<&'c str>,
    /// The field that is encoded.
    header: Option<&'c [u8]>,
    /// Where it is cut, if it is not in one piece.
    cut: Option<Cut>,
    /// Number of levels of messages encoded as a whole that are still entered.
    depth: usize,
}

impl Inside<'_> {
    /// Reports whether its beginning is in another piece.
    fn is_begun(&self) -> bool {
        self.cut.is_some_and(|cut| cut.is_begun)
    }
}

/// A section of which a piece has a part. The bytes around that are decoded, too, as far as they
/// decide about findings.
#[derive(Clone, Copy)]
struct Cut {
    /// The span that is decoded.
    shown: Span,
    /// The span that the piece has of it.
    core: Span,
    is_begun: bool,
    /// End offset of the last finding.
    floor: usize,
}

impl Cut {
    /// Returns how `section` of `piece` is cut, when the last finding ended at `floor`; `None` if
    /// it is not cut.
    fn of(section: &Section, piece: &Piece, floor: usize) -> Option<Self> {
        let Records::Mail { walk, edge, .. } = &piece.records else { return None };
        let Span { start, end } = section.span;
        let is_first = start == piece.core.start;
        let taken_up = || walk.as_ref()?.taken_up(&piece.bytes, start);
        let begun = is_first.then(taken_up).flatten();
        let goes_on = end == piece.core.end && *edge != Edge::End;
        if begun.is_none() && !goes_on {
            return None;
        }
        let seen = if goes_on { piece.bytes.len() } else { end };
        let shown = Span::new(begun.unwrap_or(start), seen);
        Some(Self { shown, core: section.span, is_begun: begun.is_some(), floor })
    }
}

/// Decodes a section in `source`, and scans it; returns the end offset of the last finding, if the
/// section is cut. Messages that are encoded as a whole are walked, as far as the depth allows.
fn coded<'p>(
    work: &mut Work<'p>,
    section: &Section,
    source: Source<'p>,
    inside: &Inside<'_>,
    sink: Sink<'_>,
) -> usize {
    let mut reached = section.span.start;
    if section.content == Content::Skipped {
        return reached;
    }
    let (before, held) = (work.decoded.links.len(), work.held);
    let mut source = source;
    let mut base = section.span.start;
    let is_text = matches!(section.content, Content::Text | Content::Html);
    let mut mark = None;
    for coding in &section.codings {
        let is_charset = matches!(coding, Coding::Charset(_) | Coding::Declared);
        // The first decoder knows the section's offset.
        let is_idle = work.decoded.links.len() > before && coding.is_idle(source.bytes());
        if is_idle || is_charset && mark.is_some() {
            continue;
        }
        (source, base) = (decode(work, *coding, source, base, inside), 0);
        if *coding == Coding::Signed && source.bytes().is_empty() {
            // Nothing in it is signed text: mostly it is encrypted.
            work.tally.omissions.count(Omission::Attachment);
        }
        // A byte order mark comes before a label, and before the lack of one.
        if is_text
            && !inside.is_begun()
            && coding.is_of_transfer()
            && let Some(charset) = Charset::by_mark(source.bytes())
        {
            source = decode(work, Coding::Charset(charset), source, base, inside);
            mark = Some(charset);
        }
    }
    if section.content == Content::Message && inside.depth > 0 && held < HELD_MAX {
        message(work, &source, inside, sink);
    } else {
        if section.content == Content::Message {
            work.tally.omissions.count(Omission::TooDeep);
            note_inside(work, Omission::TooDeep);
        }
        reached = without_blocks(work, section, source.bytes(), inside, sink);
    }
    work.decoded.links.truncate(before);
    work.held = held;
    reached
}

/// Decodes `source`, which begins at `base` of the text that it was decoded from, and keeps the map
/// back.
fn decode<'p>(
    work: &mut Work<'p>,
    coding: Coding,
    source: Source<'p>,
    base: usize,
    inside: &Inside<'_>,
) -> Source<'p> {
    let (decoded, replay) = mime::decode_source(coding, source);
    work.held += decoded.len() + replay.held();
    let span = Span::new(0, decoded.len());
    let made = Source::Decoded(Rc::new(decoded), span);
    let lines = (!inside.is_begun()).then(LineSteps::default);
    let is_text = coding.makes_text();
    let link = Link { base, replay, made: made.clone(), is_text, lines, body: None };
    work.decoded.links.push(link);
    made
}

/// Scans the decoded `bytes` without the encoded blocks in them; returns the end offset of the last
/// finding, if the section is cut. Text encoded by dots alone has lost its blocks before.
fn without_blocks(
    work: &mut Work<'_>,
    section: &Section,
    bytes: &[u8],
    inside: &Inside<'_>,
    sink: Sink<'_>,
) -> usize {
    let is_coded = section.codings.iter().any(|coding| *coding != Coding::Stuffed);
    let (mut span, first) = cut_in(work, inside, bytes);
    let mut floor = first;
    if is_coded && section.content == Content::Text {
        let look = Look { bytes, span, is_end: true };
        let omissions = &mut work.tally.omissions;
        for block in mime::find_blocks(look, &mut { Blocks::NONE }, omissions).spans {
            let ahead = bytes.get(..block.start).unwrap_or_default();
            let before = Span::new(span.start, ahead.len().max(span.start));
            let text = Text { bytes: ahead, span: before, floor };
            scan(work, section, text, inside, sink);
            span.start = span.start.max(block.end);
            floor = span.start;
        }
    }
    let reached = scan(work, section, Text { bytes, span, floor }, inside, sink);
    match inside.cut {
        Some(cut) if reached <= first => cut.floor,
        Some(_) => work.decoded.len_of(reached),
        None => 0,
    }
}

/// Returns the span of the decoded `bytes` that is the piece's own, and the end offset of the last
/// finding there.
fn cut_in(work: &Work<'_>, inside: &Inside<'_>, bytes: &[u8]) -> (Span, usize) {
    let Some(Cut { shown, core, floor, .. }) = inside.cut else {
        return (Span::new(0, bytes.len()), 0);
    };
    let [start, floor] = [core.start, floor].map(|at| work.decoded.made_of(at));
    let end = if core.end < shown.end { work.decoded.made_of(core.end) } else { bytes.len() };
    (Span::new(start, end), floor)
}

/// Walks a decoded message.
fn message<'p>(work: &mut Work<'p>, source: &Source<'p>, inside: &Inside<'_>, sink: Sink<'_>) {
    let Source::Decoded(bytes, _) = source else { return };
    let names = work.checks.names.then(|| Names::inside(inside.message));
    let mut tell = |work: &mut Work<'p>, omission: Omission, _: usize| note_inside(work, omission);
    let mut read = |work: &mut Work<'p>, group: Group<'_>, sink: Sink<'_>| {
        nested(work, group.sections, bytes, inside, sink);
    };
    all(work, Mail { walks: Walks::nested(bytes), names }, &mut tell, &mut read, sink);
}

/// Reads sections of a message that was decoded to `text`.
fn nested<'p>(
    work: &mut Work<'p>,
    sections: &[Section],
    text: &Rc<Vec<u8>>,
    inside: &Inside<'_>,
    sink: Sink<'_>,
) {
    for section in sections {
        let part = joined(inside.part, section.part.as_deref());
        let inside = Inside {
            message: inside.message,
            part: part.as_deref(),
            header: coded_field(section, text),
            cut: None,
            depth: inside.depth.saturating_sub(1),
        };
        if is_plain(section) {
            work.decoded.enter(section);
            let bytes = text.get(..section.span.end).unwrap_or_default();
            let floor = section.span.start;
            let text = Text { bytes, span: section.span, floor };
            scan(work, section, text, &inside, sink);
        } else {
            let source = Source::Decoded(Rc::clone(text), section.span);
            coded(work, section, source, &inside, sink);
        }
    }
}

/// Returns the path of a part within a part.
fn joined(outer: Option<&str>, inner: Option<&str>) -> Option<String> {
    match (outer, inner) {
        (Some(outer), Some(inner)) => Some(format!("{outer}.{inner}")),
        (outer, inner) => outer.or(inner).map(str::to_owned),
    }
}

/// A decoded text.
#[derive(Clone, Copy)]
struct Text<'t> {
    bytes: &'t [u8],
    /// The span in which candidates begin.
    span: Span,
    /// End offset of the last finding.
    floor: usize,
}

/// Scans a decoded text; returns the end offset of the new last finding.
fn scan(
    work: &mut Work<'_>,
    section: &Section,
    text: Text<'_>,
    inside: &Inside<'_>,
    sink: Sink<'_>,
) -> usize {
    let Text { bytes, span, floor } = text;
    let mut fields = match inside.header {
        Some(name) => fields::Reader::alone(bytes, name),
        None => fields::Reader::new(bytes),
    };
    let mut scanner = work.scanner(bytes, span, floor);
    let mut links = Links::new(bytes, work.decoded.quotes());
    let (message, part) = (inside.message, inside.part);
    let html = (section.content == Content::Html).then(|| (span, section.base.clone()));
    let mut attributes = Attributes::new(bytes, html.into_iter().collect(), floor);
    // Such as in a calendar; plain text alone is as its author wrote it.
    let may_hold = |coding: &Coding| matches!(coding, Coding::Escapes(it) if !it.resolves_html());
    let may_hold_html = section.codings.iter().any(may_hold);
    loop {
        let candidate = scanner.next();
        let at = candidate.as_ref().map_or(usize::MAX, |candidate| candidate.span.start);
        while let Some(target) = attributes.before(at) {
            let context = Context { message, part, ..Context::default() };
            links.end = links.end.max(target.give(work, context, at, sink));
        }
        let Some(candidate) = candidate else { break };
        if at < links.end {
            continue;
        }
        let link = links.at(section, candidate.span, bytes.len());
        let resolved = may_hold_html.then(|| attribute::value(&candidate, bytes)).flatten();
        let candidate = whole(candidate, link.as_ref());
        let candidate =
            Candidate { text: resolved.as_deref().unwrap_or(candidate.text), ..candidate };
        attributes.pass(candidate.span);
        let context = Context { message, part, ..context(section, &mut fields, bytes, at) };
        let at = work.decoded.original(candidate.span);
        // A piece with a cut section sees no more bytes than these of a candidate, whatever the
        // encoding.
        let is_long = inside.cut.is_some() && at.0.len() > CANDIDATE_LEN_MAX;
        let candidate = Candidate { is_cut: candidate.is_cut || is_long, ..candidate };
        work.candidate_at(&candidate, Placed { bytes, at }, &context, sink);
    }
    scanner.resume().max(links.end)
}

/// Returns the context of the candidate at `at` in `section`.
fn context<'b>(
    section: &Section,
    fields: &mut fields::Reader<'b>,
    bytes: &[u8],
    at: usize,
) -> Context<'b> {
    match section.content {
        Content::Fields => {
            let (header, standing) = fields.at(at);
            Context { is_header: true, header, standing, ..Context::default() }
        }
        Content::Html => Context {
            shown: markup::shown_at(bytes, at),
            setting: Setting::Html,
            ..Context::default()
        },
        _ => Context::default(),
    }
}

/// Maps decoded text back to the piece; without decoders, a span to itself.
#[derive(Clone)]
pub(super) struct Decoded<'p> {
    /// The outermost first.
    links: Vec<Link<'p>>,
    is_told: bool,
}

/// One decoder in the chain.
#[derive(Clone)]
struct Link<'p> {
    /// The offset of its source in the text around.
    base: usize,
    replay: Replay<'p>,
    /// The decoded bytes.
    made: Source<'p>,
    /// Whether these are the text of a part, as its reader sees it.
    is_text: bool,
    /// Finds lines there; `None` if its first byte is not on the first line.
    lines: Option<LineSteps>,
    /// Finds lines in an unencoded body there, counted from the body's start.
    body: Option<LineSteps>,
}

impl Link<'_> {
    /// Returns the span of its source from which `span` was decoded.
    fn source(&mut self, span: Span) -> Span {
        let start = self.base + self.replay.start_of(span.start);
        let Some(last) = span.end.checked_sub(1).filter(|last| *last >= span.start) else {
            return Span::new(start, start);
        };
        Span::new(start, self.base + self.replay.end_of(last))
    }
}

impl<'p> Decoded<'p> {
    /// Creates a map without decoders; `is_told` if lines of decoded text are requested.
    pub(super) const fn new(is_told: bool) -> Self {
        Self { links: Vec::new(), is_told }
    }

    /// Decodes `bytes` by `coding`, and adds the decoder to the map: spans are then those of the
    /// result.
    pub(super) fn decode(&mut self, coding: Coding, bytes: &'p [u8]) -> Rc<Vec<u8>> {
        let (text, replay) = mime::decode_source(coding, Source::Input(bytes));
        let text = Rc::new(text);
        let made = Source::Decoded(Rc::clone(&text), Span::new(0, text.len()));
        self.links.push(Link { base: 0, replay, made, is_text: false, lines: None, body: None });
        text
    }

    /// Returns the quotes, in the text decoded last, that were decoded from references.
    fn quotes(&self) -> Rc<[usize]> {
        self.links.last().map(|link| Rc::clone(link.replay.quotes())).unwrap_or_default()
    }

    /// Enters `section`: lines are counted from the first one of a body where `section` begins one,
    /// and from the first one of the message in its header.
    fn enter(&mut self, section: &Section) {
        let Some(link) = self.links.last_mut() else { return };
        match section.content {
            Content::Fields => link.body = None,
            _ if link.body.is_none() => link.body = Some(LineSteps::from(section.span.start)),
            _ => {}
        }
    }

    /// Returns the number of bytes decoded from the first `len` bytes of the piece, and from no
    /// others. Must be queried before all else.
    pub(super) fn made_of(&self, len: usize) -> usize {
        let made = |len: usize, link: &Link<'_>| {
            link.replay.clone().made_of(len.saturating_sub(link.base))
        };
        self.links.iter().fold(len, made)
    }

    /// Returns the number of bytes of the piece from which the first `len` bytes of the text were
    /// decoded.
    pub(super) fn len_of(&mut self, len: usize) -> usize {
        let links = self.links.iter_mut().rev();
        links.fold(len, |len, link| match len.checked_sub(1) {
            Some(last) => link.base + link.replay.end_of(last),
            None => link.base,
        })
    }

    /// Returns the span of the piece from which `span` was decoded, and its line and column in the
    /// innermost text of a part. Spans must be queried in order.
    pub(super) fn original(&mut self, span: Span) -> (Span, Option<Position>) {
        let (mut span, mut position) = (span, None);
        let mut is_wanted = self.is_told;
        for link in self.links.iter_mut().rev() {
            if is_wanted && link.is_text {
                let lines = link.body.as_mut().or(link.lines.as_mut());
                position = lines.map(|lines| lines.locate(link.made.bytes(), span.start));
                is_wanted = false;
            }
            span = link.source(span);
        }
        (span, position)
    }
}

/// The messages of the bytes of a piece. Offsets must be queried in order.
struct Messages<'p> {
    piece: &'p Piece,
    /// Whether messages are requested.
    is_told: bool,
    /// The offsets of messages that begin in the core.
    starts: &'p [usize],
    /// The meaning of a `From ` line in a header.
    from_line: FromLine,
    /// The number of messages that began before; `None` if there is only one.
    count: Option<u64>,
    /// The number of entries of `starts` that were passed.
    passed: usize,
    message: Option<Arc<Message>>,
}

impl<'p> Messages<'p> {
    fn new(piece: &'p Piece, is_told: bool) -> Self {
        let none = Self {
            piece,
            is_told,
            starts: &[],
            from_line: FromLine::Begins,
            count: None,
            passed: 0,
            message: None,
        };
        let Records::Mail { message, starts, count, style, .. } = &piece.records else {
            return none;
        };
        let (message, from_line) = (message.clone(), style.in_head());
        Self { starts, from_line, count: *count, message, ..none }
    }

    /// Returns the message at `at`; `heads` are of headers that were read.
    fn at(&mut self, at: usize, heads: &Heads) -> Option<&Message> {
        let before = self.passed;
        while self.starts.get(self.passed).is_some_and(|start| *start <= at) {
            self.passed += 1;
        }
        if self.passed > before
            && let Some(&start) = self.starts.get(self.passed - 1)
        {
            let number = self.count.map(|count| count + self.passed as u64);
            let bytes = &self.piece.bytes;
            let end = self.starts.get(self.passed).copied().unwrap_or(bytes.len());
            let bytes = bytes.get(..end).unwrap_or_default();
            let known = || heads.of(start).map(|fields| mailbox::message_by(bytes, fields));
            let read = || mailbox::message(bytes, start, self.from_line);
            let message = || known().unwrap_or_else(read);
            debug_assert!(message() == read(), "the message at {start}");
            self.message = self.is_told.then(|| Arc::new(Message { number, ..message() }));
        }
        self.message.as_deref()
    }
}
