//! Reads the header of a message or of a part: its end, and the fields that declare how to read the
//! body (RFC 5322 §2.2, RFC 2045 §3).

use memchr::{memchr, memchr_iter, memchr2_iter};

use super::sight::{Edge, Sight};
use super::{boundary, worded};
use crate::source::mail::mailbox::{self, FromLine, HEADER_LEN_MAX};
use crate::span::Span;

/// Owner of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// A message of a mailbox, or a single message.
    Message(FromLine),
    /// A part of a message, or a nested message.
    Part,
}

impl Owner {
    /// Returns the meaning of a `From ` line in the header.
    const fn in_head(self) -> FromLine {
        match self {
            Self::Message(from_line) => from_line,
            Self::Part => FromLine::Begins,
        }
    }
}

/// Fields of a header that describe its body. Offsets are relative to the whole text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// Offset after the header and its empty line.
    pub(super) end: usize,
    /// Whether more fields follow `end`, which are not examined.
    pub(super) is_cut: bool,
    /// Offset of the first `Content-Type`.
    pub(super) content_type: Option<usize>,
    /// Offset of the first `Content-Transfer-Encoding`.
    pub(super) encoding: Option<usize>,
    /// Offsets of the first `Content-Base` and the first `Content-Location`.
    pub(super) bases: [Option<usize>; 2],
    /// Fields that may contain encoded words.
    pub(super) with_words: Vec<Span>,
    /// Values that are a URI and folded over several lines.
    pub(super) folded: Vec<Span>,
}

/// Fields that are a URI and nothing else (RFC 2557 §4.2, and RFC 2110 §4.2 before it); the first
/// one with a usable URI is the base of relative links in the body.
const BASES: [&[u8]; 2] = [b"content-base", b"content-location"];

/// Maximum number of fields with encoded words, and of folded URIs, in one header; more are scanned
/// undecoded.
const WITH_WORDS_MAX: usize = 1000;

/// Reads the header at `start`; returns `None` if its end may be outside of `sight`. Of an overlong
/// header, reads the fields that end before the limit. Appends the offsets of fields that describe
/// the message to `told`.
pub(super) fn read(
    bytes: &[u8],
    start: usize,
    sight: Sight,
    owner: Owner,
    told: &mut Vec<usize>,
) -> Option<Head> {
    let seen = bytes.get(..sight.end).unwrap_or(bytes);
    let limit = seen.len().min(start.saturating_add(HEADER_LEN_MAX));
    let text = bytes.get(..limit)?;
    let mut reader = HeadReader::new(text, start, told);
    if owner == Owner::Part
        && let Some(end) = end_of_part(seen, start)
    {
        return Some(Head { end, ..Head::default() });
    }
    reader.begin_field(start);
    for hit in memchr_iter(b'\n', text.get(start..)?) {
        let line = start + hit + 1;
        let end = match text.get(line..)? {
            [] => break,
            [b'\n', ..] => Some(line + 1),
            [b'\r', b'\n', ..] => Some(line + 2),
            [b' ' | b'\t', ..] => continue,
            [b'F', ..] if owner.in_head().begins(bytes, line) => Some(line),
            [b'-', b'-', ..] if reader.is_boundary(line) => Some(line),
            // The limit may cut a line before its colon.
            _ if owner == Owner::Part => end_of_part(seen, line),
            _ => mailbox::end_of_header(seen, line).or_else(|| last_line(seen, line, sight.edge)),
        };
        if let Some(end) = end {
            return Some(Head { end, ..reader.head(line) });
        }
        reader.begin_field(line);
    }
    if limit < seen.len() {
        let end = reader.field;
        return Some(Head { end, is_cut: true, ..reader.head(end) });
    }
    // Some messages consist of a header alone, without an empty line.
    (sight.edge == Edge::End).then(|| Head { end: limit, ..reader.head(limit) })
}

/// Returns the end of a header before the line at `at`, if that line has no line end, ends the
/// message, and is not a field.
fn last_line(text: &[u8], at: usize, edge: Edge) -> Option<usize> {
    let is_last = |line: &&[u8]| edge == Edge::End && memchr(b'\n', line).is_none();
    let line = text.get(at..).filter(is_last)?;
    let is_body = mailbox::name_len(line).is_none() && !mailbox::is_left_by_delivery(text, at);
    is_body.then_some(at)
}

/// Returns the offset after the header of a part that continues in `span`, if it ends there.
pub(super) fn rest_of_part(text: &[u8], span: Span) -> Option<usize> {
    mailbox::line_starts(text, span).find_map(|line| end_of_part(text, line))
}

/// Returns the offset after the header of a part, if it ends at the line at `at`: an empty line, or
/// one that is not a field. Some programs omit the empty line.
fn end_of_part(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at..)? {
        [b'\n', ..] => Some(at + 1),
        [b'\r', b'\n', ..] => Some(at + 2),
        [] | [b' ' | b'\t', ..] => None,
        line if line.starts_with(b"From ") || line.starts_with(b">From ") => None,
        line if line.starts_with(b"--") || mailbox::name_len(line).is_none() => Some(at),
        _ => None,
    }
}

struct HeadReader<'t> {
    text: &'t [u8],
    /// Offset of the header.
    start: usize,
    head: Head,
    /// Offset of the current field.
    field: usize,
    /// Boundaries between the parts of the body, parsed on first use.
    boundaries: Option<Vec<Vec<u8>>>,
    /// Whether no line so far may be such a boundary. Fields after one do not describe the message.
    is_telling: bool,
    told: &'t mut Vec<usize>,
}

impl<'t> HeadReader<'t> {
    fn new(text: &'t [u8], start: usize, told: &'t mut Vec<usize>) -> Self {
        let (head, boundaries) = (Head::default(), None);
        Self { text, start, head, field: start, boundaries, is_telling: true, told }
    }

    /// Reports whether the line at `at` precedes the first part. Some programs also omit the empty
    /// line after the header of a message.
    fn is_boundary(&mut self, at: usize) -> bool {
        let Some(field) = self.head.content_type else { return false };
        let text = self.text;
        let value = || mailbox::value(text.get(field..at).unwrap_or_default());
        let boundaries = self.boundaries.get_or_insert_with(|| boundary::of_field(&value()));
        let rest = text.get(at..).unwrap_or_default();
        let line = memchr(b'\n', rest).and_then(|len| rest.get(..len)?.strip_prefix(b"--"));
        line.is_some_and(|line| boundaries.iter().any(|known| *known == line.trim_ascii_end()))
    }

    /// Begins the field at `at`. For most lines the first byte decides.
    #[inline]
    fn begin_field(&mut self, at: usize) {
        self.field = at;
        let line = self.text.get(at..).unwrap_or_default();
        match line {
            [b'C' | b'c', ..] => self.note_field(at),
            [b'-', b'-', ..] => self.is_telling = false,
            _ if self.is_telling && mailbox::declares_property(line) => self.told.push(at),
            _ => {}
        }
    }

    /// Records the offset of the field, if it declares how to read the body, or is a URI.
    fn note_field(&mut self, at: usize) {
        let line = self.text.get(at..).unwrap_or_default();
        if self.head.content_type.is_none() && mailbox::is_named(line, b"content-type") {
            self.head.content_type = Some(at);
        } else if self.head.encoding.is_none()
            && mailbox::is_named(line, b"content-transfer-encoding")
        {
            self.head.encoding = Some(at);
        } else if let Some(idx) = BASES.iter().position(|name| mailbox::is_named(line, name)) {
            if let Some(base) = self.head.bases.get_mut(idx) {
                base.get_or_insert(at);
            }
            if self.head.folded.len() < WITH_WORDS_MAX {
                self.head.folded.extend(self.folded_uri(at));
            }
        }
    }

    /// Returns the range of the value of the field at `at`, which is a URI and nothing else, if it
    /// is folded. Returns `None` for a value with a comment, which would become a part of the URI.
    fn folded_uri(&self, at: usize) -> Option<Span> {
        let rest = self.text.get(at..)?;
        let field = rest.get(..mailbox::field_len(rest))?;
        let colon = memchr(b':', field).filter(|_| mailbox::line_len(field) < field.len())?;
        let value = field.get(colon + 1..)?;
        let mut words = value.split(u8::is_ascii_whitespace).skip(1);
        let has_comment = words.any(|word| word.starts_with(b"("));
        (!has_comment).then(|| Span::new(at + colon + 1, at + field.len()))
    }

    /// Returns the head, with the fields that end by `end`.
    fn head(mut self, end: usize) -> Head {
        self.head.folded.retain(|field| field.end <= end);
        self.head.with_words = self.with_words(end);
        self.head
    }

    /// Returns the fields before `end` that contain `=?`, or an escape of ISO 2022.
    fn with_words(&self, end: usize) -> Vec<Span> {
        let mut found: Vec<Span> = Vec::new();
        let mut passed = self.start;
        let fields = self.text.get(..end).unwrap_or_default();
        for hit in memchr2_iter(b'?', b'\x1B', fields.get(self.start..).unwrap_or_default()) {
            let at = self.start + hit;
            if at < passed || !worded::is_sign(fields, at) {
                continue;
            }
            if found.len() == WITH_WORDS_MAX {
                break;
            }
            let start = mailbox::field_start(fields, Span::new(passed, at)).unwrap_or(passed);
            passed = start + mailbox::field_len(fields.get(start..).unwrap_or_default());
            found.push(Span::new(start, passed));
        }
        found
    }
}
