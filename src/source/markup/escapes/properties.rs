//! Escapes in properties of Java, as its class `Properties` loads them: `https\://h/` is what it
//! stores for a link. They are read in values and in comments.
//!
//! A name of a property is no link, whatever it looks like: what stands behind it would be a part
//! of that. Not put together: a value that goes on in the next line, behind a backslash.

use super::{Mark, Means, json};
use crate::span::Span;

/// What a place in properties stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// What stands before a name.
    Start,
    Name,
    /// A value or a comment.
    Value,
}

impl Inside {
    /// The next mark in `rest`: an escape, or what begins or ends something.
    pub(super) fn mark(self, rest: &[u8]) -> Option<Mark> {
        match self {
            Self::Start => {
                let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | 0x0C | b'\n' | b'\r');
                let at = rest.iter().take_while(|byte| is_blank(byte)).count();
                let len = unit_len(rest.get(at..)?);
                let is_name = !matches!(rest.get(at)?, b'#' | b'!' | b'=' | b':');
                Some(turn(at, len, if is_name { Self::Name } else { Self::Value }))
            }
            Self::Name => {
                let ends = |byte: &u8| matches!(byte, b'=' | b':' | b' ' | b'\t' | 0x0C);
                let is_mark = |byte: &u8| matches!(byte, b'\\' | b'\n' | b'\r') || ends(byte);
                let at = rest.iter().position(is_mark)?;
                let next = match rest.get(at)? {
                    b'\\' => Self::Name,
                    b'\n' | b'\r' => Self::Start,
                    _ => Self::Value,
                };
                Some(turn(at, unit_len(rest.get(at..)?), next))
            }
            Self::Value => memchr::memchr3_iter(b'\\', b'\n', b'\r', rest).find_map(|at| {
                let found = rest.get(at..)?;
                match found {
                    [b'\\', b'\n' | b'\r', ..] => Some(turn(at, unit_len(found), Self::Value)),
                    [b'\\', ..] => {
                        let (len, made) = escape(found)?;
                        let means = Means::character(made);
                        Some(Mark { span: Span::new(at, at + len), means })
                    }
                    _ => Some(turn(at, 1, Self::Start)),
                }
            }),
        }
    }
}

/// The mark of so many bytes at `at` behind which `inside` begins.
const fn turn(at: usize, len: usize, inside: Inside) -> Mark {
    let means = Means::Turn(super::Inside::Properties(inside));
    Mark { span: Span::new(at, at + len), means }
}

/// Length of the byte that `rest` begins with, and of what a backslash takes its meaning from.
fn unit_len(rest: &[u8]) -> usize {
    match rest {
        [b'\\', b'\r', b'\n', ..] => 3,
        [b'\\', _, ..] => 2,
        _ => 1,
    }
}

/// The escape that `rest` begins with: its length, and what it stands for.
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
