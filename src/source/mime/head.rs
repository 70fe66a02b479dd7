//! The header of a message or of a part: where it ends, and the fields that say how to read
//! the body (RFC 5322 §2.2, RFC 2045 §3).

use memchr::{memchr, memchr2_iter};

use super::walk::Edge;
use crate::source::mailbox::{self, HEADER_LEN_MAX};
use crate::span::Span;

/// Whose header it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// A message of a mailbox, or a message that is alone.
    Message,
    /// A part of a message, or a message inside of one.
    Part,
}

/// How far a message is in sight, and what lies behind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    pub(super) end: usize,
    pub(super) edge: Edge,
}

/// What a header says of its body. Offsets are of the text it stands in.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// Offset behind the header and its empty line.
    pub(super) end: usize,
    /// True when more fields stand behind `end` than are looked at.
    pub(super) is_cut: bool,
    /// Where the first `Content-Type` begins.
    pub(super) content_type: Option<usize>,
    /// Where the first `Content-Transfer-Encoding` begins.
    pub(super) encoding: Option<usize>,
    /// Fields that may have encoded words in them.
    pub(super) with_words: Vec<Span>,
    /// Values that are a URI and broken over lines.
    pub(super) folded: Vec<Span>,
}

/// Fields with encoded words, and those with a folded URI, in one header, at most; more are
/// scanned as they stand.
const WITH_WORDS_MAX: usize = 1000;

/// Reads the header at `start`; none when it may end out of `sight`. Of one that is too long, the
/// fields are read that end before the limit.
pub(super) fn read(bytes: &[u8], start: usize, sight: Sight, owner: Owner) -> Option<Head> {
    let seen = bytes.get(..sight.end).unwrap_or(bytes);
    let limit = seen.len().min(start.saturating_add(HEADER_LEN_MAX));
    let text = bytes.get(..limit)?;
    let (has_words, is_folded) = (false, false);
    let mut reader = Reader { text, head: Head::default(), field: start, has_words, is_folded };
    if owner == Owner::Part
        && let Some(end) = end_of_part(seen, start)
    {
        return Some(Head { end, ..Head::default() });
    }
    reader.begin_field(start);
    for hit in memchr2_iter(b'\n', b'?', text.get(start..)?) {
        let at = start + hit;
        if text.get(at) == Some(&b'?') {
            reader.has_words |= at > 0 && text.get(at - 1) == Some(&b'=');
            continue;
        }
        let line = at + 1;
        let end = match text.get(line..)? {
            [] => break,
            [b'\n', ..] => Some(line + 1),
            [b'\r', b'\n', ..] => Some(line + 2),
            [b' ' | b'\t', ..] => {
                reader.is_folded = true;
                continue;
            }
            [b'F', ..] if mailbox::is_separator(bytes, line) => Some(line),
            // A line that the limit cuts in two may lack its colon.
            _ if owner == Owner::Part => end_of_part(seen, line),
            _ => None,
        };
        reader.end_field(line);
        if let Some(end) = end {
            return Some(Head { end, ..reader.head });
        }
        reader.begin_field(line);
    }
    if limit < seen.len() {
        return Some(Head { end: reader.field, is_cut: true, ..reader.head });
    }
    // Some messages are a header and nothing else, not even an empty line.
    reader.end_field(limit);
    (sight.edge == Edge::End).then_some(Head { end: limit, ..reader.head })
}

/// Offset behind the header of a part that goes on in `span`, when it ends there.
pub(super) fn rest_of_part(text: &[u8], span: Span) -> Option<usize> {
    mailbox::line_starts(text, span).find_map(|line| end_of_part(text, line))
}

/// Offset behind the header of a part, when that ends at the line at `at`: an empty line, or one
/// that is no field. Some programs forget the empty line.
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

struct Reader<'t> {
    text: &'t [u8],
    head: Head,
    /// Where the field begins that is being read.
    field: usize,
    has_words: bool,
    is_folded: bool,
}

impl Reader<'_> {
    /// Most lines are done after a look at their first byte.
    #[inline]
    fn begin_field(&mut self, at: usize) {
        self.field = at;
        if matches!(self.text.get(at), Some(b'C' | b'c')) {
            self.note_field(at);
        }
    }

    /// Notes where the field begins, if it says how to read the body.
    fn note_field(&mut self, at: usize) {
        let line = self.text.get(at..).unwrap_or_default();
        if self.head.content_type.is_none() && is_named(line, b"content-type") {
            self.head.content_type = Some(at);
        } else if self.head.encoding.is_none() && is_named(line, b"content-transfer-encoding") {
            self.head.encoding = Some(at);
        }
    }

    fn end_field(&mut self, at: usize) {
        let is_room = self.head.with_words.len() < WITH_WORDS_MAX;
        if std::mem::take(&mut self.has_words) && is_room {
            self.head.with_words.push(Span::new(self.field, at));
        }
        if std::mem::take(&mut self.is_folded) && self.head.folded.len() < WITH_WORDS_MAX {
            self.head.folded.extend(self.uri(at));
        }
    }
}

impl Reader<'_> {
    /// The value of the field that ends at `end`, when that is a URI and nothing else (RFC 2557
    /// §4.2, §4.3). A comment behind it would become a part of it.
    fn uri(&self, end: usize) -> Option<Span> {
        let field = self.text.get(self.field..end)?;
        let is_uri = matches!(field, [b'C' | b'c', ..])
            && (is_named(field, b"content-location") || is_named(field, b"content-base"));
        let colon = memchr(b':', field).filter(|_| is_uri)?;
        let value = field.get(colon + 1..)?;
        let mut words = value.split(u8::is_ascii_whitespace).skip(1);
        let has_comment = words.any(|word| word.starts_with(b"("));
        (!has_comment).then(|| Span::new(self.field + colon + 1, end))
    }
}

/// True when `line` begins with the field called `name`, which is in lower case.
fn is_named(line: &[u8], name: &[u8]) -> bool {
    line.get(..name.len()).is_some_and(|text| text.eq_ignore_ascii_case(name))
        && line.get(name.len()..).is_some_and(|behind| behind.trim_ascii_start().starts_with(b":"))
}
