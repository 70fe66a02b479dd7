//! Strings in what gettext keeps, as in C: `\"`, and one that goes on in the next line, where
//! programs break it behind some eighty columns, and in a link behind a hyphen or a slash.
//!
//! Comments are read alike: in those of gettext, old strings stand.

use super::{Mark, Means};
use crate::span::Span;

/// What stands before a string that is no more in use, or was something else before.
const SIGNS: [&[u8]; 3] = [b"#~|", b"#~", b"#|"];

/// The first mark in `text`: an escape, or the end of a string that goes on in the next line.
pub(super) fn mark(text: &[u8]) -> Option<Mark> {
    memchr::memchr2_iter(b'\\', b'"', text).find_map(|at| {
        let rest = text.get(at..)?;
        let (len, means) = match rest {
            [b'\\', ..] => escape(rest).map(|made| (2, Means::character(made)))?,
            _ => (join_len(rest)?, Means::Nothing),
        };
        Some(Mark { span: Span::new(at, at + len), means })
    })
}

/// The escape that `rest` begins with.
fn escape(rest: &[u8]) -> Option<char> {
    match rest.get(1)? {
        mark @ (b'"' | b'\\') => Some(char::from(*mark)),
        b'n' => Some('\n'),
        b'r' => Some('\r'),
        b't' => Some('\t'),
        _ => None,
    }
}

/// Length of the quotes that `rest` begins with, the line's end behind, and the quotes with which
/// the string goes on.
fn join_len(rest: &[u8]) -> Option<usize> {
    let behind = without_blanks(rest.strip_prefix(b"\"")?);
    let line = without_blanks(behind.strip_prefix(b"\r").unwrap_or(behind).strip_prefix(b"\n")?);
    let sign = SIGNS.iter().find_map(|sign| line.strip_prefix(*sign));
    let next = without_blanks(sign.unwrap_or(line)).strip_prefix(b"\"")?;
    Some(rest.len() - next.len())
}

fn without_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    text.get(blanks..).unwrap_or_default()
}
