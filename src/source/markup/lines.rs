//! Splits a document into lines, by which languages of plain marks are read.

use memchr::memchr;

use super::shown::Shown;
use crate::span::Span;

/// A line of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Its bytes, without those that end it and the white space before them.
    pub(super) span: Span,
    /// The offset of its first byte that is no white space.
    pub(super) body: usize,
    /// The offset where the line begins.
    pub(super) start: usize,
    /// The offset where the next line begins.
    pub(super) next: usize,
}

impl Line {
    /// Returns the line of `text` that begins at `at`; `None` at the end.
    pub(super) fn at(text: &[u8], at: usize) -> Option<Self> {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let len = memchr(b'\n', rest).map_or(rest.len(), |feed| feed + 1);
        let bytes = rest.get(..len)?;
        let end = at + bytes.trim_ascii_end().len();
        let body = at + (bytes.len() - bytes.trim_ascii_start().len());
        Some(Self { span: Span::new(at, end), body: body.min(end), start: at, next: at + len })
    }

    /// Returns the lines of `text` from `at` on that are indented by more than `indent`, with the
    /// empty ones between them.
    pub(super) fn after(text: &[u8], at: usize, indent: usize) -> Span {
        let mut end = at;
        let mut next = at;
        while let Some(line) = Self::at(text, next) {
            if !line.is_blank() {
                if line.indent() <= indent {
                    break;
                }
                end = line.span.end;
            }
            next = line.next;
        }
        Span::new(at, end)
    }

    /// Returns the number of bytes of white space at its start.
    pub(super) fn indent(&self) -> usize {
        self.body - self.start
    }

    pub(super) fn is_blank(&self) -> bool {
        self.span.is_empty()
    }

    /// Returns its text, without white space around it.
    pub(super) fn of<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        Span::new(self.body, self.span.end).of(text)
    }
}

/// Returns `span` without the white space around it.
pub(super) fn trimmed(text: &[u8], span: Span) -> Span {
    let bytes = span.of(text);
    let ahead = bytes.len() - bytes.trim_ascii_start().len();
    let start = span.start + ahead;
    Span::new(start, start + bytes.trim_ascii().len())
}

/// Returns `text` as a link shows it; `None` if it is empty.
pub(super) fn shown(text: &[u8]) -> Option<Vec<u8>> {
    let mut shown = Shown::default();
    shown.append(text);
    Some(shown.into_text()).filter(|text| !text.is_empty())
}
