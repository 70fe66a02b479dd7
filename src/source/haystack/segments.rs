//! Looks up the segments of a haystack: the message, the part and the header field of a place.

use std::sync::Arc;

use crate::finding::Message;
use crate::source::mail::charset::Charset;
use crate::source::mail::fields::{self, ListFields, Standing};
use crate::source::mail::mailbox::{self, FromLine, LIST_UNSUBSCRIBE};
use crate::source::mail::mime::{Content, Heads, Section};
use crate::source::piece::{Piece, Records};

/// The facts known of a place in a haystack.
#[derive(Clone, Copy, Debug, Default)]
pub struct Segment<'s> {
    /// The message around, if messages are wanted and the text is mail.
    pub message: Option<&'s Message>,
    /// The path of the part around, as in `1.2`; `None` for the message itself.
    pub part: Option<&'s str>,
    /// The kind of text.
    pub kind: SegmentKind,
    /// The name of the header field around.
    pub header: Option<&'s [u8]>,
    /// The role of the text in its header field.
    pub standing: Standing,
    /// The legacy charset that a header declares for the text.
    pub charset: Option<Charset>,
}

/// The kind of text in a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SegmentKind {
    /// Plain text, or a document.
    #[default]
    Text,
    /// HTML of mail.
    Html,
    /// A header field.
    Field,
}

/// The segments of a haystack.
pub(in crate::source) enum Segments<'h, 'p> {
    /// One, of which nothing is known.
    None,
    /// One of plain text, in which fields for lists may be quoted.
    Lists(ListFields<'h>),
    /// Adjacent sections of the piece that are not encoded, and the messages around them.
    Run {
        sections: &'h [Section],
        messages: &'h mut Messages<'p>,
        heads: &'h Heads,
        fields: fields::FieldReader<'h>,
    },
    /// One decoded section.
    One {
        content: Content,
        message: Option<&'h Message>,
        part: Option<&'h str>,
        fields: fields::FieldReader<'h>,
        charset: Option<Charset>,
    },
}

impl Segments<'_, '_> {
    /// Returns the content at `at` of mail, and the offset where that section ends, unless it is
    /// the last one of the haystack.
    pub(super) fn content(&self, at: usize) -> Option<(Content, Option<usize>)> {
        match self {
            Self::None | Self::Lists(_) => None,
            Self::One { content, .. } => Some((*content, None)),
            Self::Run { sections, .. } => {
                let (section, is_last) = section_at(sections, at)?;
                Some((section.content, (!is_last).then_some(section.span.end)))
            }
        }
    }

    /// Returns the facts known of the candidate at `at`.
    pub(super) fn at(&mut self, at: usize) -> Segment<'_> {
        let (message, part, content, fields, charset) = match self {
            Self::None => return Segment::default(),
            Self::Lists(fields) => {
                return Segment { header: fields.at(at), ..Segment::default() };
            }
            Self::Run { sections, messages, heads, fields } => {
                let Some((section, _)) = section_at(sections, at) else {
                    return Segment::default();
                };
                let (part, content) = (section.part.as_deref(), section.content);
                let charset = section.charset;
                if content == Content::Fields {
                    let (header, standing) = fields.at(at);
                    let message = messages.around_field(at, heads, header);
                    let kind = SegmentKind::Field;
                    return Segment { message, part, kind, header, standing, charset };
                }
                (messages.at(at, heads), part, content, fields, charset)
            }
            Self::One { content, message, part, fields, charset } => {
                (*message, *part, *content, fields, *charset)
            }
        };
        let kind = match content {
            Content::Fields => SegmentKind::Field,
            Content::Html => SegmentKind::Html,
            _ => SegmentKind::Text,
        };
        let (header, standing) = match kind {
            SegmentKind::Field => fields.at(at),
            SegmentKind::Html | SegmentKind::Text => (None, Standing::default()),
        };
        Segment { message, part, kind, header, standing, charset }
    }

    /// Returns the facts known of the link of HTML in mail, or of a document, at `at`.
    pub(super) fn of_link(&mut self, at: usize) -> Segment<'_> {
        let (message, part, charset) = match self {
            Self::None | Self::Lists(_) => return Segment::default(),
            Self::Run { sections, messages, heads, .. } => {
                let section = section_at(sections, at).map(|(section, _)| section);
                let part = section.and_then(|section| section.part.as_deref());
                let charset = section.and_then(|section| section.charset);
                (messages.at(at, heads), part, charset)
            }
            Self::One { message, part, charset, .. } => (*message, *part, *charset),
        };
        Segment { message, part, kind: SegmentKind::Html, charset, ..Segment::default() }
    }
}

/// Returns the section around `at`, and whether it is the last one. A link after `URL:` may begin
/// after the core; it belongs to the section of `URL:`.
fn section_at(sections: &[Section], at: usize) -> Option<(&Section, bool)> {
    let last = sections.len().checked_sub(1)?;
    let idx = sections.partition_point(|section| section.span.end <= at).min(last);
    sections.get(idx).map(|section| (section, idx == last))
}

/// The messages of the bytes of a piece. Offsets must be queried in order.
pub(in crate::source) struct Messages<'p> {
    piece: &'p Piece,
    /// Whether messages are requested.
    is_wanted: bool,
    /// The offsets of messages that begin in the core.
    starts: &'p [usize],
    /// The meaning of a `From ` line in a header.
    from_line: FromLine,
    /// The number of messages that began before; `None` if there is only one.
    count: Option<u64>,
    /// The number of entries of `starts` that were passed.
    passed: usize,
    message: Option<Arc<Message>>,
    /// Whether `message` is the last one that was passed.
    is_read: bool,
}

impl<'p> Messages<'p> {
    /// Creates the messages of `piece`; none if `is_wanted` is false.
    pub(in crate::source) fn new(piece: &'p Piece, is_wanted: bool) -> Self {
        let none = Self {
            piece,
            is_wanted,
            starts: &[],
            from_line: FromLine::Begins,
            count: None,
            passed: 0,
            message: None,
            is_read: false,
        };
        let Records::Mail { message, starts, count, style, .. } = &piece.records else {
            return none;
        };
        let (message, from_line) = (message.clone(), style.in_head());
        Self { starts, from_line, count: *count, message, ..none }
    }

    /// Returns the number of messages that begin in the core.
    pub(in crate::source) const fn count(&self) -> u64 {
        self.starts.len() as u64
    }

    /// Returns the message at `at`; `heads` are of headers that were read.
    pub(in crate::source) fn at(&mut self, at: usize, heads: &Heads) -> Option<&Message> {
        self.read(at, heads, self.is_wanted)
    }

    /// Returns the message around the field `header` at `at`. The warnings about its offer to
    /// unsubscribe are needed for every report.
    pub(in crate::source) fn around_field(
        &mut self,
        at: usize,
        heads: &Heads,
        header: Option<&[u8]>,
    ) -> Option<&Message> {
        let offers = header.is_some_and(|name| name.eq_ignore_ascii_case(LIST_UNSUBSCRIBE));
        self.read(at, heads, self.is_wanted || offers)
    }

    fn read(&mut self, at: usize, heads: &Heads, is_wanted: bool) -> Option<&Message> {
        let before = self.passed;
        while self.starts.get(self.passed).is_some_and(|start| *start <= at) {
            self.passed += 1;
        }
        if self.passed > before {
            (self.message, self.is_read) = (None, false);
        }
        if is_wanted
            && !self.is_read
            && let Some(start) = self.passed.checked_sub(1)
            && let Some(&start) = self.starts.get(start)
        {
            let number = self.count.map(|count| count + self.passed as u64);
            let bytes = &self.piece.bytes;
            let end = self.starts.get(self.passed).copied().unwrap_or(bytes.len());
            let bytes = bytes.get(..end).unwrap_or_default();
            let known = || heads.of(start).map(|fields| mailbox::message_by(bytes, fields));
            let read = || mailbox::message(bytes, start, self.from_line);
            let message = || known().unwrap_or_else(read);
            debug_assert!(message() == read(), "the message at {start}");
            self.message = Some(Arc::new(Message { number, ..message() }));
            self.is_read = true;
        }
        self.message.as_deref()
    }
}
