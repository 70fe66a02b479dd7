//! Reads fields between commas (RFC 4180), or between semicolons, as spreadsheets write them where
//! a comma occurs in numbers, or tabs. A URI may hold both of the first, and ends with its field:
//! after `http://h/a` the next column is no part of it.
//!
//! The end of a field is decoded as [`DIVIDER`]. A quote inside an unquoted field is literal, and
//! so is one after a backslash, as MySQL and others write it, unless the field ends after it: then
//! the backslash is the end of a path of Windows.
//!
//! A quote without a partner opens no field of many lines: it is recognised if the rest of its line
//! has no quote, and the next line is a row of as many fields as the first.

use super::{DIVIDER, Denotes, Mark};
use crate::span::{BYTE_ORDER_MARK, Span, mark_len};

/// Bytes of a line that are searched for the separator of its fields, and its count.
const LINE_LEN_MAX: usize = 4096;

/// The context of an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// The text before the first field.
    Start,
    /// The text before a field.
    Before(Row),
    /// A field without quotes.
    Plain(Row),
    /// A field in quotes.
    Quoted(Row),
}

/// The structure of a line of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The byte between fields.
    separator: u8,
    /// The number of separators in the first line, outside of quotes.
    count: usize,
}

impl Inside {
    /// Returns the context after the beginning of a text, which is `head`, if nothing of it was
    /// read yet.
    pub(super) fn begun(self, head: &[u8]) -> Self {
        match self {
            Self::Start => {
                Self::Before(Row::of(head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head)))
            }
            _ => self,
        }
    }

    /// Returns the context before a field if `rest`, which this context continues with, is read in
    /// the same way there: a field without quotes goes on as one begins, unless it goes on with a
    /// quote, perhaps after blanks.
    pub(super) fn settled(self, rest: &[u8]) -> Self {
        match (self, rest.first()) {
            (Self::Plain(row), Some(next)) if !matches!(next, b'"' | b' ') => Self::Before(row),
            _ => self,
        }
    }

    /// Reports whether nothing in `text` separates fields.
    pub(super) fn is_idle(text: &[u8]) -> bool {
        memchr::memchr2(b',', b';', text).is_none()
    }

    /// Returns the next mark in `rest`: a separator of fields, or the beginning or end of one.
    pub(super) fn mark(self, rest: &[u8]) -> Option<Mark> {
        let first = *rest.first()?;
        let (at, len, next) = match self {
            Self::Start => {
                let mark = mark_len(rest);
                (0, mark, self.begun(rest))
            }
            Self::Before(row) if first == row.separator => {
                return Some(Mark { span: Span::new(0, 1), means: Denotes::Character(DIVIDER) });
            }
            Self::Before(row) if first == b'"' && row.opens(rest) => (0, 1, Self::Quoted(row)),
            Self::Before(_) if matches!(first, b'\n' | b'\r' | b' ') => (0, 1, self),
            Self::Before(row) => (0, 0, Self::Plain(row)),
            Self::Plain(row) => {
                let at = memchr::memchr3(row.separator, b'\n', b'\r', rest)?;
                (at, 0, Self::Before(row))
            }
            Self::Quoted(row) => row.quote(rest)?,
        };
        let means = Denotes::Turn(super::Inside::Csv(next));
        Some(Mark { span: Span::new(at, at + len), means })
    }
}

impl Row {
    /// Returns the structure of a text that begins with `text`.
    fn of(text: &[u8]) -> Self {
        let line = line(text);
        let separator = separator(line);
        Self { separator, count: count(line, separator) }
    }

    /// Reports whether the quote that `rest` begins with opens a field.
    fn opens(self, rest: &[u8]) -> bool {
        let near = rest.get(1..rest.len().min(LINE_LEN_MAX)).unwrap_or_default();
        if self.closes(near) {
            return true;
        }
        let end = memchr::memchr2(b'"', b'\n', near).filter(|end| near.get(*end) == Some(&b'\n'));
        let next = end.and_then(|end| rest.get(end + 2..));
        !next.is_some_and(|next| self.is_row(line(next)))
    }

    /// Reports whether the next quote in `near` ends a field, and opens none.
    fn closes(self, near: &[u8]) -> bool {
        let Some((before, after)) = split_once(near, b'"') else { return false };
        let opens = before.last().is_none_or(|last| *last == self.separator || *last == b'\n');
        !opens && self.ends(after)
    }

    /// Reports whether a line has as many fields as the first, none of them in quotes, and is no
    /// prose.
    fn is_row(self, line: &[u8]) -> bool {
        let is_of_prose = |pair: &[u8; 2]| *pair == [self.separator, b' '];
        self.count > 0
            && memchr::memchr(b'"', line).is_none()
            && count(line, self.separator) == self.count
            && !line.array_windows().any(is_of_prose)
    }

    /// Returns the next quote of a quoted field that `rest` continues: its offset, the number of
    /// bytes that it covers, and the context after it.
    fn quote(self, rest: &[u8]) -> Option<(usize, usize, Inside)> {
        let (open, closed) = (Inside::Quoted(self), Inside::Plain(self));
        memchr::memchr2_iter(b'"', b'\\', rest).find_map(|at| {
            let (len, next) = match rest.get(at..)? {
                [b'\\', b'"', b'"', after @ ..] if self.ends(after) => (3, closed),
                [b'\\', b'"', b'"', ..] => (3, open),
                [b'\\', b'"', after @ ..] if self.ends(after) => (2, closed),
                [b'\\', b'"', ..] => (2, open),
                [b'\\', ..] => return None,
                [_, b'"', ..] => (2, open),
                _ => (1, closed),
            };
            Some((at, len, next))
        })
    }

    /// Reports whether a field ends before `after`. A comma of prose is followed by a blank.
    fn ends(self, after: &[u8]) -> bool {
        match after {
            [] | [b'\n' | b'\r', ..] => true,
            [first, next @ ..] => *first == self.separator && next.first() != Some(&b' '),
        }
    }
}

/// Returns the line that `text` begins with, as far as it is read.
fn line(text: &[u8]) -> &[u8] {
    let line = text.get(..text.len().min(LINE_LEN_MAX)).unwrap_or_default();
    line.get(..memchr::memchr(b'\n', line).unwrap_or(line.len())).unwrap_or_default()
}

/// Returns the text before the first `sign` in `text`, and the text after it.
fn split_once(text: &[u8], sign: u8) -> Option<(&[u8], &[u8])> {
    let at = memchr::memchr(sign, text)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Returns how often `sign` occurs in `part` of a line, outside of quotes.
fn count(part: &[u8], sign: u8) -> usize {
    let outside = part.split(|byte| *byte == b'"').step_by(2);
    outside.map(|part| memchr::memchr_iter(sign, part).count()).sum()
}

/// Returns the separator of a text whose first line is `line`: of the signs that programs use, the
/// one that occurs most often outside of quotes, before its first URI. A text with none of them has
/// one field on a line.
fn separator(line: &[u8]) -> u8 {
    const NONE: u8 = b'\t';
    const SIGNS: [u8; 4] = [NONE, b'|', b';', b','];
    let before = memchr::memmem::find(line, b"://").and_then(|at| line.get(..at));
    let most = |part: &[u8]| {
        let sign = SIGNS.into_iter().max_by_key(|sign| count(part, *sign));
        sign.filter(|sign| count(part, *sign) > 0)
    };
    before.and_then(most).or_else(|| most(line)).unwrap_or(NONE)
}

#[cfg(test)]
mod tests {
    use super::super::Escapes;

    /// Rows in all forms of fields.
    const TEXT: &[u8] =
        "\u{FEFF}a,\"b\",c\r\n1, \"x,y\"z,\"\"\n,\"open\n\nfield\",d \"e\",f\n".as_bytes();

    /// Returns the marks of `text` after `state`.
    fn marks(mut state: Escapes, text: &[u8]) -> Vec<(usize, Option<char>)> {
        let (mut marks, mut at) = (Vec::new(), state.at);
        while let (plain, Some(escape)) = state.next(text, at) {
            at += plain + escape.len;
            marks.push((at, escape.made));
        }
        marks
    }

    #[test]
    fn a_settled_state_reads_what_follows_in_the_same_way() {
        let begun = Escapes::CSV.begun(TEXT);
        let mut alike = 0;
        for at in 1..TEXT.len() {
            let mut state = Escapes::CSV;
            state.pass(TEXT, at);
            let settled = Escapes { at: state.at, ..state.settled(TEXT) };
            assert_eq!(marks(settled, TEXT), marks(state, TEXT), "{at}");
            alike += usize::from(state.settled(TEXT) == begun);
        }
        assert!(alike > TEXT.len() / 3, "{alike} of {}", TEXT.len());
    }

    #[test]
    fn the_first_row_decides_the_state_after_the_beginning() {
        let begun = |text: &str| Escapes::CSV.begun(text.as_bytes());
        assert_eq!(begun("\u{FEFF}a;b\n1;2\n"), begun("c;d"));
        assert_ne!(begun("a;b\n"), begun("a,b\n"));
        assert_ne!(begun("a;b;c\n"), begun("a;b\n"));
        assert_eq!(begun("a;b\n").begun(b"a,b\n"), begun("a;b\n"));
    }
}
