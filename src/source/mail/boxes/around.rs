//! Decides whether a `From ` line of a mailbox is within a multipart, where it begins no message
//! (RFC 2046 §5.1.1). Programs attach patches and whole mailboxes without quoting them.
//!
//! A line is in a multipart when a delimiter of the outermost one follows. A truncated message has
//! none, and the text after it is read as other messages.

use memchr::memmem;

use crate::source::mail::mailbox::{self, HEADER_LEN_MAX};
use crate::source::mail::mime;

/// Maximum number of bytes after a `From ` line within which the next delimiter must be. No more
/// than a piece sees after its core, or cuts would decide.
const DELIMITER_DISTANCE_MAX: usize = HEADER_LEN_MAX;

/// Whether a line is in a multipart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It is in none.
    Outside,
    /// It is in one: the next delimiter follows.
    Inside,
    /// It may be in one: a delimiter may follow after the visible bytes.
    OutOfSight,
}

/// The boundaries of the outermost multipart of a message, and what is known of its delimiters.
#[derive(Debug, Default)]
pub(super) struct Around {
    /// Offset of the message's first line, until its header is read.
    start: Option<usize>,
    boundaries: Vec<Vec<u8>>,
    /// Offset up to which the closing delimiter was searched for.
    checked: usize,
    /// Offset of a delimiter that is known to follow.
    delimiter: usize,
}

impl Around {
    /// Returns the state for a message that begins at `start`.
    pub(super) fn begin(start: usize) -> Self {
        Self { start: Some(start), checked: start, ..Self::default() }
    }

    /// Returns the state for a message that continues at `at`, in a multipart with these
    /// boundaries.
    pub(super) fn within(boundaries: &[Vec<u8>], at: usize) -> Self {
        Self { boundaries: boundaries.to_vec(), checked: at, ..Self::default() }
    }

    /// Returns whether the line at `at` of `bytes` is in a multipart. `bytes` end the text when
    /// `is_end` is true. Calls must have ascending offsets.
    pub(super) fn place(&mut self, bytes: &[u8], at: usize, is_end: bool) -> Place {
        if at < self.delimiter {
            return Place::Inside;
        }
        if let Some(start) = self.start.take() {
            self.boundaries = mime::open_boundaries(bytes.get(start..at).unwrap_or_default());
        }
        let passed = bytes.get(self.checked..at).unwrap_or_default();
        if self.boundaries.iter().any(|boundary| is_closed(passed, boundary)) {
            self.boundaries.clear();
        }
        self.checked = at;
        if self.boundaries.is_empty() {
            return Place::Outside;
        }
        let end = bytes.len().min(at.saturating_add(DELIMITER_DISTANCE_MAX));
        let rest = bytes.get(at..end).unwrap_or_default();
        // A message that declares the same boundary has its own delimiters.
        let own = mime::open_boundaries(rest);
        if own.iter().any(|boundary| self.boundaries.contains(boundary)) {
            return Place::Outside;
        }
        let found = self.boundaries.iter().map(|boundary| next(rest, boundary));
        match found.max().unwrap_or(Next::None) {
            Next::Delimiter(distance) => {
                self.delimiter = at + distance;
                Place::Inside
            }
            Next::None if !is_end && rest.len() < DELIMITER_DISTANCE_MAX => Place::OutOfSight,
            Next::None | Next::Declaration => Place::Outside,
        }
    }
}

/// The first occurrence of a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Next {
    /// No occurrence.
    None,
    /// The parameter of another header: the delimiters belong to another message.
    Declaration,
    /// A delimiter, at this distance in bytes.
    Delimiter(usize),
}

/// Reports whether the closing delimiter with `boundary` is a line of `text`.
fn is_closed(text: &[u8], boundary: &[u8]) -> bool {
    let last = [b"--", boundary, b"--"].concat();
    // The closing delimiter is mostly the last line.
    let mut end = text.len();
    while let Some(at) = memmem::rfind(text.get(..end).unwrap_or_default(), &last) {
        let is_line = at == 0 || text.get(at - 1) == Some(&b'\n');
        let rest = text.get(at + last.len()..).unwrap_or_default();
        if is_line && is_blank(rest) {
            return true;
        }
        end = at;
    }
    false
}

/// Finds the next delimiter with `boundary` in `text`, or a header that declares it.
fn next(text: &[u8], boundary: &[u8]) -> Next {
    let mut from = 0;
    // Occurrences may overlap, if the boundary is hyphens alone.
    while let Some(at) = memmem::find(text.get(from..).unwrap_or_default(), boundary) {
        let at = from + at;
        from = at + 1;
        let (before, rest) = text.split_at(at);
        let rest = rest.get(boundary.len()..).unwrap_or_default();
        let is_delimiter = before.ends_with(b"\n--")
            && (is_blank(rest) || rest.strip_prefix(b"--").is_some_and(is_blank));
        if is_delimiter {
            return Next::Delimiter(at);
        }
        let is_value = before.ends_with(b"=") || before.ends_with(b"=\"");
        let is_end = rest.first().is_none_or(|byte| b"\"; \t\r\n".contains(byte));
        if is_value && is_end {
            return Next::Declaration;
        }
    }
    Next::None
}

/// Reports whether the first line of `text` is blank.
fn is_blank(text: &[u8]) -> bool {
    text.get(..mailbox::line_len(text)).unwrap_or_default().trim_ascii().is_empty()
}
