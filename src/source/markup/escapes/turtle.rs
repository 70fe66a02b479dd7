//! Reads escapes in the line-based languages of RDF (RDF 1.1 Turtle §6.4, N-Triples §7):
//! `<http://h/\u00E9>`, and quotes in strings.
//!
//! Escapes in the local part of a name, `a:b\-c`, which is no URI, are literal.

use super::json::units;
use super::{Denotes, Mark};
use crate::source::hex;
use crate::span::Span;

/// Number of digits in `\U0001F600`.
const DIGITS: usize = 8;

/// Returns the first escape in `text`.
pub(super) fn mark(text: &[u8]) -> Option<Mark> {
    memchr::memchr_iter(b'\\', text).find_map(|at| {
        let (len, made) = escape(text.get(at..)?)?;
        Some(Mark { span: Span::new(at, at + len), means: Denotes::character(made) })
    })
}

/// Returns the length of the escape that `rest` begins with, and the character that it denotes.
fn escape(rest: &[u8]) -> Option<(usize, char)> {
    match rest.get(1)? {
        mark @ (b'"' | b'\'' | b'\\') => Some((2, char::from(*mark))),
        b'n' => Some((2, '\n')),
        b'r' => Some((2, '\r')),
        b't' => Some((2, '\t')),
        b'b' | b'f' => Some((2, ' ')),
        b'u' => units(rest),
        b'U' => {
            let number = hex::number(rest.get(2..2 + DIGITS)?)?;
            let made = char::from_u32(u32::try_from(number).ok()?);
            Some((2 + DIGITS, made.unwrap_or(char::REPLACEMENT_CHARACTER)))
        }
        _ => None,
    }
}
