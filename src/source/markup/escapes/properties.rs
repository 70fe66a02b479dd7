//! Reads escapes in properties of Java, as its class `Properties` loads them: it stores
//! `https\://h/` for a link. They are read in values and in comments, and a value may continue on
//! the next line.
//!
//! The name of a property is no link, whatever it looks like: the value after it would be a part of
//! the link.

use super::{Denotes, Mark, json};
use crate::span::Span;

/// The context of an offset in properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// The text before a name.
    Start,
    Name,
    Value,
    Comment,
}

impl Inside {
    /// Returns the next mark in `rest`: an escape, or a change of context.
    pub(super) fn mark(self, rest: &[u8]) -> Option<Mark> {
        match self {
            Self::Start => {
                let is_before = |byte: &u8| is_blank(*byte) || matches!(byte, b'\n' | b'\r');
                let at = rest.iter().take_while(|byte| is_before(byte)).count();
                let next = match rest.get(at)? {
                    b'#' | b'!' => Self::Comment,
                    b'=' | b':' => Self::Value,
                    _ => Self::Name,
                };
                Some(turn(at, unit_len(rest.get(at..)?), next))
            }
            Self::Name => {
                let ends = |byte: &u8| matches!(byte, b'=' | b':') || is_blank(*byte);
                let is_mark = |byte: &u8| matches!(byte, b'\\' | b'\n' | b'\r') || ends(byte);
                let at = rest.iter().position(is_mark)?;
                let next = match rest.get(at)? {
                    b'\\' => Self::Name,
                    b'\n' | b'\r' => Self::Start,
                    _ => Self::Value,
                };
                Some(turn(at, unit_len(rest.get(at..)?), next))
            }
            Self::Value | Self::Comment => memchr::memchr3_iter(b'\\', b'\n', b'\r', rest)
                .find_map(|at| {
                    let found = rest.get(at..)?;
                    let (len, means) = match found {
                        [b'\\', b'\n' | b'\r', ..] if self == Self::Comment => return None,
                        [b'\\', b'\n' | b'\r', ..] => (join_len(found), Denotes::Nothing),
                        [b'\\', ..] => {
                            escape(found).map(|(len, made)| (len, Denotes::character(made)))?
                        }
                        _ => return Some(turn(at, 1, Self::Start)),
                    };
                    Some(Mark { span: Span::new(at, at + len), means })
                }),
        }
    }
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0C)
}

/// Returns the length of a backslash, the line end after it, and the blanks after that, with which
/// `rest` begins.
fn join_len(rest: &[u8]) -> usize {
    let end = unit_len(rest);
    end + rest.iter().skip(end).take_while(|byte| is_blank(**byte)).count()
}

/// Returns the mark of `len` bytes at `at` after which `inside` begins.
const fn turn(at: usize, len: usize, inside: Inside) -> Mark {
    let means = Denotes::Turn(super::Inside::Properties(inside));
    Mark { span: Span::new(at, at + len), means }
}

/// Returns the length of the byte that `rest` begins with, and, for a backslash, of the escaped
/// byte.
fn unit_len(rest: &[u8]) -> usize {
    match rest {
        [b'\\', b'\r', b'\n', ..] => 3,
        [b'\\', _, ..] => 2,
        _ => 1,
    }
}

/// Returns the length of the escape that `rest` begins with, and the character that it denotes.
fn escape(rest: &[u8]) -> Option<(usize, char)> {
    match rest.get(1)? {
        b'n' => Some((2, '\n')),
        b'r' => Some((2, '\r')),
        b't' => Some((2, '\t')),
        b'f' => Some((2, '\u{C}')),
        b'u' => json::units(rest),
        byte if byte.is_ascii() => Some((2, char::from(*byte))),
        _ => None,
    }
}
