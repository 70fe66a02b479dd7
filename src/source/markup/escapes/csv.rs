//! Fields between commas (RFC 4180), or between semicolons, as spreadsheets write them where a
//! comma stands in numbers, or tabs. A URI may hold both of the first, and ends with its field:
//! behind `http://h/a` the next column is no part of it.
//!
//! What ends a field is read as a quote, which ends a URI wherever it stands, and is what stands
//! around a field that holds a comma. A quote inside of a field without any is a sign like others.

use super::{Mark, Means};
use crate::span::Span;

/// Bytes of the first line that are looked at for what separates its fields.
const HEAD_LEN_MAX: usize = 4096;

/// The byte order mark in UTF-8, which spreadsheets write.
const MARK: &[u8] = "\u{FEFF}".as_bytes();

/// What a place stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// What stands before the first field.
    Start,
    /// What stands before a field; fields are separated by this.
    Before(u8),
    /// A field without quotes.
    Plain(u8),
    /// A field in quotes.
    Quoted(u8),
}

impl Inside {
    /// True when nothing in `text` separates fields.
    pub(super) fn is_idle(text: &[u8]) -> bool {
        memchr::memchr2(b',', b';', text).is_none()
    }

    /// The next mark in `rest`: what separates two fields, or what begins or ends one.
    pub(super) fn mark(self, rest: &[u8]) -> Option<Mark> {
        let first = *rest.first()?;
        let (at, len, next) = match self {
            Self::Start => {
                let mark = if rest.starts_with(MARK) { MARK.len() } else { 0 };
                (0, mark, Self::Before(separator(rest.get(mark..)?)))
            }
            Self::Before(separator) if first == separator => {
                return Some(Mark { span: Span::new(0, 1), means: Means::Character('"') });
            }
            Self::Before(separator) if first == b'"' => (0, 1, Self::Quoted(separator)),
            Self::Before(_) if matches!(first, b'\n' | b'\r' | b' ') => (0, 1, self),
            Self::Before(separator) => (0, 0, Self::Plain(separator)),
            Self::Plain(separator) => {
                let at = memchr::memchr3(separator, b'\n', b'\r', rest)?;
                (at, 0, Self::Before(separator))
            }
            Self::Quoted(separator) => {
                let at = memchr::memchr(b'"', rest)?;
                match rest.get(at + 1) {
                    Some(b'"') => (at, 2, self),
                    _ => (at, 1, Self::Plain(separator)),
                }
            }
        };
        let means = Means::Turn(super::Inside::Csv(next));
        Some(Mark { span: Span::new(at, at + len), means })
    }
}

/// What separates the fields of a text that begins with `text`: of the signs that programs write
/// there, the one that stands most often outside of quotes on the first line, before its first URI.
/// A text with none of them has one field on a line.
fn separator(text: &[u8]) -> u8 {
    const NONE: u8 = b'\t';
    const SIGNS: [u8; 4] = [NONE, b'|', b';', b','];
    let line = text.get(..text.len().min(HEAD_LEN_MAX)).unwrap_or_default();
    let line = line.get(..memchr::memchr(b'\n', line).unwrap_or(line.len())).unwrap_or_default();
    let before = memchr::memmem::find(line, b"://").and_then(|at| line.get(..at));
    let count = |part: &[u8], sign: u8| {
        let outside = part.split(|byte| *byte == b'"').step_by(2);
        outside.map(|part| memchr::memchr_iter(sign, part).count()).sum::<usize>()
    };
    let most = |part: &[u8]| {
        let sign = SIGNS.into_iter().max_by_key(|sign| count(part, *sign));
        sign.filter(|sign| count(part, *sign) > 0)
    };
    before.and_then(most).or_else(|| most(line)).unwrap_or(NONE)
}
