//! Reads strings in catalogues of gettext, as in C: `\"`, and strings that continue on the next
//! line, where programs break them after some eighty columns, and a link after a hyphen or a slash.
//!
//! Comments are read likewise: those of gettext hold old strings.

use super::{Denotes, Mark};
use crate::span::Span;

/// The marks before a string that is obsolete, or the previous one.
const SIGNS: [&[u8]; 3] = [b"#~|", b"#~", b"#|"];

/// Returns the first mark in `text`: an escape, or the end of a string that continues on the next
/// line.
pub(super) fn mark(text: &[u8]) -> Option<Mark> {
    memchr::memchr2_iter(b'\\', b'"', text).find_map(|at| {
        let rest = text.get(at..)?;
        let (len, means) = match rest {
            [b'\\', ..] => escape(rest).map(|made| (2, Denotes::character(made)))?,
            _ => (join_len(rest)?, Denotes::Nothing),
        };
        Some(Mark { span: Span::new(at, at + len), means })
    })
}

/// Returns the escape that `rest` begins with.
fn escape(rest: &[u8]) -> Option<char> {
    match rest.get(1)? {
        mark @ (b'"' | b'\\') => Some(char::from(*mark)),
        b'n' => Some('\n'),
        b'r' => Some('\r'),
        b't' => Some('\t'),
        _ => None,
    }
}

/// Returns the length of the quote that `rest` begins with, the line end after it, and the quote
/// that continues the string.
fn join_len(rest: &[u8]) -> Option<usize> {
    let after = without_blanks(rest.strip_prefix(b"\"")?);
    let line = without_blanks(after.strip_prefix(b"\r").unwrap_or(after).strip_prefix(b"\n")?);
    let sign = SIGNS.iter().find_map(|sign| line.strip_prefix(*sign));
    let next = without_blanks(sign.unwrap_or(line)).strip_prefix(b"\"")?;
    Some(rest.len() - next.len())
}

fn without_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    text.get(blanks..).unwrap_or_default()
}
