//! Reads a piece of mail as haystacks.
//!
//! Adjacent sections that are not encoded are one haystack, borrowed from the piece. An encoded
//! section is decoded, and is a haystack of its own, whose places are mapped back to the piece; a
//! message that is encoded as a whole is walked in turn.

mod cut;

use std::rc::Rc;

use cut::Cut;

use super::attributes::Attributes;
use super::fields;
use super::mailbox::{self, LIST_UNSUBSCRIBE, LIST_UNSUBSCRIBE_POST};
use super::mime::{
    Blocks, Charset, Coding, Content, DEPTH_MAX, HELD_MAX, Heads, Look, Omission, Section,
    Sections, Source, find_blocks,
};
use super::names::Names;
use super::walks::{Ends, Walks};
use crate::finding::{Message, Note, Origin};
use crate::source::account::{Account, Wanted};
use crate::source::haystack::{
    Alternative, Embedded, Haystack, Links, Messages, OffsetMap, Originals, Reader, Segments,
};
use crate::source::piece::{Piece, Records};
use crate::span::Span;

/// Passes the haystacks of a piece of mail to `reader`; returns the end offset of the last finding,
/// when the one before the piece ended at `floor`.
pub(in crate::source) fn read<'p, 'r>(
    piece: &'p Piece,
    wanted: Wanted,
    floor: usize,
    reader: &'r mut (dyn Reader + 'r),
) -> (usize, Account) {
    let mut messages = Messages::new(piece, wanted.messages);
    let account = Account { messages: messages.count(), ..Account::default() };
    let map = OffsetMap::new(wanted.messages);
    let mut mail = Mail { piece, wanted, map, held: 0, is_pairing: false, account, reader };
    let names = wanted.names.then(|| Names::of(piece));
    let mut originals = Originals::new(piece);
    let mut tell = |mail: &mut Mail<'p, 'r>, omission: Omission, at: usize| {
        mail.note(omission, originals.start(at));
    };
    let mut floor = floor;
    let mut read = |mail: &mut Mail<'p, 'r>, group: Group<'_>| {
        floor = mail.undecoded(group, floor, &mut messages);
    };
    mail.all(Walks::of(piece), names, &mut tell, &mut read);
    let account = mail.account;
    (floor, account)
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

/// The surroundings of an encoded section.
struct Inside<'c> {
    message: Option<&'c Message>,
    part: Option<&'c str>,
    /// The field that is encoded.
    header: Option<&'c [u8]>,
    /// Where it is cut, if it is not in one piece.
    cut: Option<Cut>,
}

impl Inside<'_> {
    /// Reports whether its beginning is in another piece.
    fn is_begun(&self) -> bool {
        self.cut.is_some_and(|cut| cut.is_begun)
    }
}

/// The state of reading a piece of mail.
struct Mail<'p, 'r> {
    piece: &'p Piece,
    wanted: Wanted,
    map: OffsetMap<'p>,
    /// Bytes held of the encoded messages around the current offset.
    held: usize,
    /// Whether the current sections belong to an alternative that the reader knows of.
    is_pairing: bool,
    account: Account,
    reader: &'r mut (dyn Reader + 'r),
}

/// Takes an omission, and its offset in the text that is walked.
type Tell<'t, 'p, 'r> = &'t mut dyn FnMut(&mut Mail<'p, 'r>, Omission, usize);

/// Reads a group of sections.
type Read<'t, 'p, 'r> = &'t mut dyn FnMut(&mut Mail<'p, 'r>, Group<'_>);

impl<'p, 'r> Mail<'p, 'r> {
    /// Passes all sections of `walks` to `read`, and all omissions to `tell`.
    fn all(
        &mut self,
        mut walks: Walks<'_>,
        mut names: Option<Names<'_>>,
        tell: Tell<'_, 'p, 'r>,
        read: Read<'_, 'p, 'r>,
    ) {
        let mut found = Sections::default();
        let held = self.held;
        while let Some(ends) = walks.next(&mut found) {
            self.held = held + found.list.capacity() * size_of::<Section>();
            if let Some(names) = &mut names {
                found.list.iter().for_each(|section| names.take(walks.bytes, section));
            }
            for (omission, at) in &found.noted {
                tell(self, *omission, *at);
            }
            // Attached messages are content of the outer message.
            if self.map.depth() == 0 {
                self.take_offers(walks.bytes, &found.heads);
            }
            let all = Group { sections: &found.list, heads: &found.heads };
            self.by_alternatives(all, ends, read);
        }
        self.held = held;
        self.account.omissions.add(&found.omissions);
        self.account.names.extend(names.into_iter().flat_map(Names::finish));
    }

    /// Takes the warnings about offers to unsubscribe that no link can carry.
    fn take_offers(&mut self, bytes: &[u8], heads: &Heads) {
        let mut originals = Originals::new(self.piece);
        for (_, fields) in heads.iter() {
            let line = |at: usize| bytes.get(at..).unwrap_or_default();
            let named = |name: &[u8]| fields.iter().find(|at| mailbox::is_named(line(**at), name));
            let field = named(LIST_UNSUBSCRIBE_POST).or_else(|| named(LIST_UNSUBSCRIBE));
            let Some(&field) = field else { continue };
            let offer = mailbox::unsubscribe_by(bytes, fields);
            if let Some(offer) = offer.filter(|offer| offer.carrier.is_none()) {
                self.account.offers.push((originals.start(field), offer.warnings));
            }
        }
    }

    /// Notes an omission at the offset `at` of the input.
    fn note(&mut self, omission: Omission, at: u64) {
        let Some((kind, message)) = omission.note() else { return };
        let origin = Origin::clone(&self.piece.origin);
        self.account.notes.push(Note { kind, origin, offset: Some(at), message });
    }

    /// Notes an omission in an encoded message, at the place of that message: only findings are
    /// located in encoded text.
    fn note_inside(&mut self, omission: Omission) {
        let at = Originals::new(self.piece).start(self.map.base());
        self.note(omission, at);
    }

    /// Passes `all` to `read`, each part of an alternative by itself. Announces an alternative to
    /// the reader if it is complete and in no other one.
    fn by_alternatives(&mut self, all: Group<'_>, ends: Ends, read: Read<'_, 'p, 'r>) {
        let Group { sections, heads } = all;
        let is_outside = |section: &Section| section.siblings.is_empty();
        let mut rest = sections.len();
        for sections in sections.chunk_by(|one, next| is_outside(one) == is_outside(next)) {
            let is_first = rest == all.sections.len();
            rest -= sections.len();
            let group = Group { sections, heads };
            if sections.first().is_none_or(is_outside) {
                read(self, group);
                continue;
            }
            let is_begun = is_first && !ends.is_begin;
            let is_whole = !is_begun && (ends.is_end || rest > 0);
            if is_whole && !self.is_pairing {
                self.paired(group, read);
                continue;
            }
            self.account.unpaired += u64::from(!is_whole && !is_begun);
            group.forms().for_each(|form| read(self, form));
        }
        // Of an alternative that begins after these sections, they hold only the header.
        let is_after = !ends.is_end && sections.last().is_some_and(is_outside);
        self.account.unpaired += u64::from(is_after);
    }

    /// Reads the sections of one alternative.
    fn paired(&mut self, group: Group<'_>, read: Read<'_, 'p, 'r>) {
        self.is_pairing = true;
        self.reader.alternative(Alternative::Begins);
        for form in group.forms() {
            let Some(Section { siblings, .. }) = form.sections.first() else { continue };
            self.reader.alternative(Alternative::Form(siblings));
            read(self, form);
        }
        self.reader.alternative(Alternative::Ends);
        self.is_pairing = false;
    }

    /// Reads sections of the piece; returns the end offset of the last finding.
    fn undecoded(&mut self, group: Group<'_>, floor: usize, messages: &mut Messages<'p>) -> usize {
        let piece = self.piece;
        let mut floor = floor;
        let mut rest = group.sections;
        while let Some(first) = rest.first() {
            let plain = rest.iter().take_while(|section| is_plain(section)).count();
            let (run, after) = rest.split_at(plain.max(1));
            rest = after;
            if plain > 0 {
                floor = self.plain_run(Group { sections: run, ..group }, floor, messages);
            } else {
                let header = coded_field(first, &piece.bytes);
                let message = messages.around_field(first.span.start, group.heads, header);
                let cut = Cut::of(first, piece, floor);
                let span = cut.map_or(first.span, |cut| cut.shown);
                let section = Section { span, ..first.clone() };
                let source = Source::Input(section.span.of(&piece.bytes));
                let part = section.part.as_deref();
                let inside = Inside { message, header, part, cut };
                let reached = self.coded(&section, source, &inside, DEPTH_MAX);
                floor = floor.max(if cut.is_some() { reached } else { first.span.end });
            }
        }
        floor
    }

    /// Reads adjacent sections that are not encoded; returns the end offset of the last finding.
    fn plain_run(&mut self, run: Group<'_>, floor: usize, messages: &mut Messages<'p>) -> usize {
        let piece = self.piece;
        let Group { sections, heads } = run;
        let start = sections.first().map_or(0, |section| section.span.start);
        let end = sections.last().map_or(0, |section| section.span.end);
        // The bytes after the core are treated as the same text.
        let limit = if end == piece.core.end { piece.bytes.len() } else { end };
        let floor = if start == piece.core.start { floor } else { floor.max(start) };
        let bytes = piece.bytes.get(..limit).unwrap_or_default();
        let fields = fields::FieldReader::after(bytes, piece.core.start, begun(piece));
        let html = sections.iter().filter(|section| section.content == Content::Html);
        let html = html.map(|section| (section.span, section.base.clone())).collect();
        self.reader.read(&mut Haystack {
            core: Span::new(start, end),
            floor,
            segments: Segments::Run { sections, messages, heads, fields },
            links: Links::Attributes(Attributes::new(bytes, html, floor)),
            ..Haystack::new(bytes, piece, &mut self.map)
        })
    }

    /// Decodes a section in `source`, and reads it; returns the end offset of the last finding, if
    /// the section is cut. Messages that are encoded as a whole are walked, as far as `depth`
    /// allows.
    fn coded(
        &mut self,
        section: &Section,
        source: Source<'p>,
        inside: &Inside<'_>,
        depth: usize,
    ) -> usize {
        let mut reached = section.span.start;
        if section.content == Content::Skipped {
            return reached;
        }
        let (before, held) = (self.map.depth(), self.held);
        let source = self.decoded(section, source, inside);
        if section.content == Content::Message && depth > 0 && held < HELD_MAX {
            self.message(&source, inside, depth - 1);
        } else {
            if section.content == Content::Message {
                self.account.omissions.count(Omission::TooDeep);
                self.note_inside(Omission::TooDeep);
            }
            reached = self.without_blocks(section, source.bytes(), inside);
        }
        self.map.truncate(before);
        self.held = held;
        reached
    }

    /// Returns `section`, which is in `source`, decoded by all of its codings.
    fn decoded(
        &mut self,
        section: &Section,
        source: Source<'p>,
        inside: &Inside<'_>,
    ) -> Source<'p> {
        let before = self.map.depth();
        let (mut source, mut base) = (source, section.span.start);
        let is_text = matches!(section.content, Content::Text | Content::Html);
        let mut mark = None;
        for coding in &section.codings {
            let is_charset = matches!(coding, Coding::Charset(_) | Coding::Declared);
            // The first decoder knows the section's offset.
            let is_idle = self.map.depth() > before && coding.is_idle(source.bytes());
            if is_idle || is_charset && mark.is_some() {
                continue;
            }
            (source, base) = (self.decode(*coding, source, base, inside), 0);
            if *coding == Coding::Signed && source.bytes().is_empty() {
                // Nothing in it is signed text: mostly it is encrypted.
                self.account.omissions.count(Omission::Attachment);
            }
            // A byte order mark comes before a label, and before the lack of one.
            if is_text
                && !inside.is_begun()
                && coding.is_of_transfer()
                && let Some(charset) = Charset::by_mark(source.bytes())
            {
                source = self.decode(Coding::Charset(charset), source, base, inside);
                mark = Some(charset);
            }
        }
        source
    }

    /// Decodes `source`, which begins at `base` of the text that it was decoded from.
    fn decode(
        &mut self,
        coding: Coding,
        source: Source<'p>,
        base: usize,
        inside: &Inside<'_>,
    ) -> Source<'p> {
        let (made, held) = self.map.decode_at(coding, source, base, !inside.is_begun());
        self.held += held;
        made
    }

    /// Reads the decoded `bytes` without the encoded blocks in them; returns the end offset of the
    /// last finding, if the section is cut. Text encoded by dots alone has lost its blocks before.
    fn without_blocks(&mut self, section: &Section, bytes: &[u8], inside: &Inside<'_>) -> usize {
        let is_coded = section.codings.iter().any(|coding| *coding != Coding::Stuffed);
        let (mut span, first) = cut::within(inside.cut, &self.map, bytes.len());
        let mut floor = first;
        if is_coded && section.content == Content::Text {
            let look = Look { bytes, span, is_end: true };
            let omissions = &mut self.account.omissions;
            for block in find_blocks(look, &mut { Blocks::NONE }, omissions).spans {
                let ahead = bytes.get(..block.start).unwrap_or_default();
                let before = Span::new(span.start, ahead.len().max(span.start));
                self.haystack(section, ahead, (before, floor), inside);
                span.start = span.start.max(block.end);
                floor = span.start;
            }
        }
        let reached = self.haystack(section, bytes, (span, floor), inside);
        match inside.cut {
            Some(cut) if reached <= first => cut.floor,
            Some(_) => self.map.len_of(reached),
            None => 0,
        }
    }

    /// Walks a decoded message.
    fn message(&mut self, source: &Source<'p>, inside: &Inside<'_>, depth: usize) {
        let Source::Decoded(bytes, _) = source else { return };
        let names = self.wanted.names.then(|| Names::inside(inside.message));
        let mut tell = |mail: &mut Self, omission: Omission, _: usize| mail.note_inside(omission);
        let mut read = |mail: &mut Self, group: Group<'_>| {
            mail.nested(group.sections, bytes, inside, depth);
        };
        self.all(Walks::nested(bytes), names, &mut tell, &mut read);
    }

    /// Reads sections of a message that was decoded to `text`.
    fn nested(
        &mut self,
        sections: &[Section],
        text: &Rc<Vec<u8>>,
        inside: &Inside<'_>,
        depth: usize,
    ) {
        for section in sections {
            let part = joined(inside.part, section.part.as_deref());
            let inside = Inside {
                message: inside.message,
                part: part.as_deref(),
                header: coded_field(section, text),
                cut: None,
            };
            if is_plain(section) {
                self.map.enter(section);
                let bytes = text.get(..section.span.end).unwrap_or_default();
                self.haystack(section, bytes, (section.span, section.span.start), &inside);
            } else {
                let source = Source::Decoded(Rc::clone(text), section.span);
                self.coded(section, source, &inside, depth);
            }
        }
    }

    /// Passes on the haystack of a section decoded to `bytes`, with its core and floor; returns the
    /// end offset there of the last finding.
    fn haystack(
        &mut self,
        section: &Section,
        bytes: &[u8],
        (core, floor): (Span, usize),
        inside: &Inside<'_>,
    ) -> usize {
        let fields = match inside.header {
            Some(name) => fields::FieldReader::alone(bytes, name),
            None => fields::FieldReader::new(bytes),
        };
        let html = (section.content == Content::Html).then(|| (core, section.base.clone()));
        // Such as in a calendar; plain text alone is as its author wrote it.
        let may_hold =
            |coding: &Coding| matches!(coding, Coding::Escapes(it) if !it.resolves_html());
        let holds_html = section.codings.iter().any(may_hold);
        let (message, part) = (inside.message, inside.part);
        self.reader.read(&mut Haystack {
            core,
            floor,
            segments: Segments::One {
                content: section.content,
                message,
                part,
                fields,
                charset: section.charset,
            },
            links: Links::Attributes(Attributes::new(bytes, html.into_iter().collect(), floor)),
            embedded: if holds_html { Embedded::Attributes } else { Embedded::None },
            quotes: self.map.quotes(),
            // A piece with a cut section sees no more bytes of a candidate, whatever the encoding.
            is_windowed: inside.cut.is_some(),
            ..Haystack::new(bytes, self.piece, &mut self.map)
        })
    }
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

/// Returns the name of the field that `section` is, if it is one encoded field.
fn coded_field<'b>(section: &Section, bytes: &'b [u8]) -> Option<&'b [u8]> {
    let is_field = section.codings.first().is_some_and(|coding| coding.is_of_field());
    let name = is_field.then(|| mailbox::field_name(bytes, section.span.start));
    name.flatten().map(|name| name.of(bytes))
}

/// Returns the path of a part within a part.
fn joined(outer: Option<&str>, inner: Option<&str>) -> Option<String> {
    match (outer, inner) {
        (Some(outer), Some(inner)) => Some(format!("{outer}.{inner}")),
        (outer, inner) => outer.or(inner).map(str::to_owned),
    }
}
