//! Escapes in properties of Java, as its class `Properties` loads them: `https\://h/` is what it
//! stores for a link. A backslash before anything else is left away.
//!
//! Not read: what goes on in the next line, behind a backslash.

use super::{Mark, Means, json};
use crate::span::Span;

/// The first escape in `text`.
pub(super) fn mark(text: &[u8]) -> Option<Mark> {
    memchr::memchr_iter(b'\\', text).find_map(|at| {
        let (len, made) = escape(text.get(at..)?)?;
        Some(Mark { span: Span::new(at, at + len), means: Means::character(made) })
    })
}

/// The escape that `rest` begins with: its length, and what it stands for.
fn escape(rest: &[u8]) -> Option<(usize, char)> {
    match rest.get(1)? {
        b'\n' | b'\r' => None,
        b'n' => Some((2, '\n')),
        b'r' => Some((2, '\r')),
        b't' => Some((2, '\t')),
        b'f' => Some((2, '\u{C}')),
        b'u' => json::units(rest),
        byte if byte.is_ascii() => Some((2, char::from(*byte))),
        _ => None,
    }
}
