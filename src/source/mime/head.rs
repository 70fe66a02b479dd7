//! The header of a message or of a part: where it ends, and the fields that say how to read
//! the body (RFC 5322 §2.2, RFC 2045 §3).

use memchr::{memchr, memchr_iter};

use super::boundary;
use super::sight::{Edge, Sight};
use crate::source::mailbox::{self, FromLine, HEADER_LEN_MAX};
use crate::span::Span;

/// Whose header it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// A message of a mailbox, or a message that is alone.
    Message(FromLine),
    /// A part of a message, or a message inside of one.
    Part,
}

impl Owner {
    /// What a `From ` line in it is.
    const fn in_head(self) -> FromLine {
        match self {
            Self::Message(from_line) => from_line,
            Self::Part => FromLine::Begins,
        }
    }
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
    /// Where the first `Content-Base` begins, and the first `Content-Location`.
    pub(super) bases: [Option<usize>; 2],
    /// Fields that may have encoded words in them.
    pub(super) with_words: Vec<Span>,
    /// Values that are a URI and broken over lines.
    pub(super) folded: Vec<Span>,
}

/// Fields that are a URI and nothing else (RFC 2557 §4.2, and RFC 2110 §4.2 before it); relative
/// links in the body start from the first one that is there.
const BASES: [&[u8]; 2] = [b"content-base", b"content-location"];

/// Fields with encoded words, and those with a folded URI, in one header, at most; more are
/// scanned as they stand.
const WITH_WORDS_MAX: usize = 1000;

/// Reads the header at `start`; none when it may end out of `sight`. Of one that is too long, the
/// fields are read that end before the limit. Where fields begin that tell of a message, is
/// appended to `told`.
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
    let mut reader = Reader::new(text, start, told);
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
            // A line that the limit cuts in two may lack its colon.
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
    // Some messages are a header and nothing else, not even an empty line.
    (sight.edge == Edge::End).then(|| Head { end: limit, ..reader.head(limit) })
}

/// Returns where a header ends before the line at `at`, with which a message ends that has no more
/// line ends, when that is no field.
fn last_line(text: &[u8], at: usize, edge: Edge) -> Option<usize> {
    let line = text.get(at..).filter(|_| edge == Edge::End)?;
    let is_body = mailbox::name_len(line).is_none() && !mailbox::is_left_by_delivery(text, at);
    (is_body && memchr(b'\n', line).is_none()).then_some(at)
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
    /// Where the header begins.
    start: usize,
    head: Head,
    /// Where the field begins that is being read.
    field: usize,
    /// What stands between the parts of the body, once somebody has asked.
    boundaries: Option<Vec<Vec<u8>>>,
    /// False behind a line that may be such a boundary: what is told there is not of the message.
    is_telling: bool,
    told: &'t mut Vec<usize>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t [u8], start: usize, told: &'t mut Vec<usize>) -> Self {
        let (head, boundaries) = (Head::default(), None);
        Self { text, start, head, field: start, boundaries, is_telling: true, told }
    }

    /// True when the line at `at` stands before the first part. Some programs forget the empty line
    /// behind the header of a message, too.
    fn is_boundary(&mut self, at: usize) -> bool {
        let Some(field) = self.head.content_type else { return false };
        let text = self.text;
        let value = || mailbox::value(text.get(field..at).unwrap_or_default());
        let boundaries = self.boundaries.get_or_insert_with(|| boundary::of_field(&value()));
        let rest = text.get(at..).unwrap_or_default();
        let line = memchr(b'\n', rest).and_then(|len| rest.get(..len)?.strip_prefix(b"--"));
        line.is_some_and(|line| boundaries.iter().any(|known| *known == line.trim_ascii_end()))
    }

    /// Most lines are done after a look at their first byte.
    #[inline]
    fn begin_field(&mut self, at: usize) {
        self.field = at;
        let line = self.text.get(at..).unwrap_or_default();
        match line {
            [b'C' | b'c', ..] => self.note_field(at),
            [b'-', b'-', ..] => self.is_telling = false,
            _ if self.is_telling && mailbox::tells(line) => self.told.push(at),
            _ => {}
        }
    }

    /// Notes where the field begins, if it says how to read the body, or is a URI.
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

    /// The value of the field at `at`, which is a URI and nothing else, when it is broken over
    /// lines. A comment behind it would become a part of it.
    fn folded_uri(&self, at: usize) -> Option<Span> {
        let rest = self.text.get(at..)?;
        let field = rest.get(..mailbox::field_len(rest))?;
        let colon = memchr(b':', field).filter(|_| mailbox::line_len(field) < field.len())?;
        let value = field.get(colon + 1..)?;
        let mut words = value.split(u8::is_ascii_whitespace).skip(1);
        let has_comment = words.any(|word| word.starts_with(b"("));
        (!has_comment).then(|| Span::new(at + colon + 1, at + field.len()))
    }

    /// What the fields say that end before `end`.
    fn head(mut self, end: usize) -> Head {
        self.head.folded.retain(|field| field.end <= end);
        self.head.with_words = self.with_words(end);
        self.head
    }

    /// The fields before `end` that have `=?` in them.
    fn with_words(&self, end: usize) -> Vec<Span> {
        let mut found: Vec<Span> = Vec::new();
        let mut passed = self.start;
        let fields = self.text.get(..end).unwrap_or_default();
        for hit in memchr_iter(b'?', fields.get(self.start..).unwrap_or_default()) {
            let at = self.start + hit;
            if at < passed || at == 0 || fields.get(at - 1) != Some(&b'=') {
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
