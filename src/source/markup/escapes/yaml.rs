//! Joins the lines of strings in YAML and TOML that end in a backslash (YAML 1.2.2 §7.3.1; TOML 1.0
//! "String"): the line end and the white space at the beginning of the next line denote nothing.
//!
//! Strings in double quotes have such lines, and in TOML those in three. One in double quotes that
//! continues without a backslash is not followed into its next line, where a quote may mean
//! anything. All other escapes are left to the scanner, which reads them in any text. Empty lines
//! after the backslash, which TOML allows, end a link.
//!
//! In a flow collection, a comma ends a scalar without quotes (YAML 1.2.2 §7.3.3), and so a link:
//! `{url: https://h/a,ref: main}`. Only collections that end in the line in which they begin are
//! recognised: in those of several lines, a comma is mostly the last byte of its line.

use super::{DIVIDER, Denotes, Mark};
use crate::span::Span;

/// The quotes of a string over several lines in TOML.
const LONG: &[u8] = b"\"\"\"";

/// Maximum number of bytes of the rest of a line that are searched for the end of a collection.
const FLOW_LEN_MAX: usize = 1024;

/// The context of an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// The text before everything else.
    Start,
    /// Anything but a string in double quotes, as far as is known.
    Text,
    /// A string in double quotes.
    Quoted,
    /// A string in three double quotes.
    Long,
    /// The line of a flow collection, within as many others.
    Flow(u8),
}

impl Inside {
    /// Reports whether no line of `text` ends in a backslash, and none has a comma after a bracket
    /// that may begin a collection.
    pub(super) fn is_idle(self, text: &[u8]) -> bool {
        let bracket = match self {
            Self::Flow(_) => Some(0),
            _ => memchr::memchr2(b'[', b'{', text),
        };
        let after = bracket.and_then(|at| text.get(at..)).unwrap_or_default();
        if memchr::memchr(b',', after).is_some() {
            return false;
        }
        let is_last = |at: usize| text.get(at + 1).is_none_or(|next| matches!(next, b'\r' | b'\n'));
        !memchr::memchr_iter(b'\\', text).any(is_last)
    }

    /// Returns the next mark in `rest`: the beginning or end of a string, an escape in it, or the
    /// end of a line that continues.
    pub(super) fn mark(self, rest: &[u8]) -> Option<Mark> {
        let at = match self {
            Self::Flow(depth) => return in_flow(rest, depth),
            Self::Start => return Some(at_start(rest)),
            Self::Text => {
                let is_mark =
                    |at: &usize| rest.get(*at) == Some(&b'"') || flow_start(rest, *at).is_some();
                memchr::memchr3_iter(b'"', b'[', b'{', rest).find(is_mark)?
            }
            Self::Quoted => memchr::memchr3(b'"', b'\\', b'\n', rest)?,
            Self::Long => memchr::memchr2(b'"', b'\\', rest)?,
        };
        let found = rest.get(at..)?;
        if let Some(start) = flow_start(rest, at).filter(|_| self == Self::Text) {
            return Some(Mark { span: Span::new(start, at + 1), means: turn(Self::Flow(0)) });
        }
        let (len, means) = match (self, found) {
            (Self::Text, _) if found.starts_with(LONG) => (LONG.len(), turn(Self::Long)),
            (Self::Text, _) => (1, turn(Self::Quoted)),
            (_, [b'\\', after @ ..]) => match continuation_len(after) {
                0 => (2.min(found.len()), turn(self)),
                len => (1 + len, Denotes::Nothing),
            },
            (Self::Long, _) if found.starts_with(LONG) => (LONG.len(), turn(Self::Text)),
            (Self::Long, _) => (1, turn(self)),
            _ => (1, turn(Self::Text)),
        };
        Some(Mark { span: Span::new(at, at + len), means })
    }
}

const fn turn(inside: Inside) -> Denotes {
    Denotes::Turn(super::Inside::Yaml(inside))
}

/// Returns the mark at the beginning of a text, `rest`.
fn at_start(rest: &[u8]) -> Mark {
    let blanks = rest.iter().take(FLOW_LEN_MAX).take_while(|byte| **byte == b' ').count();
    let (len, inside) =
        if begins_flow(rest, blanks) { (blanks + 1, Inside::Flow(0)) } else { (0, Inside::Text) };
    Mark { span: Span::new(0, len), means: turn(inside) }
}

/// Returns the offset of the mark, or of the line end, after which the bracket at `at` of `text`
/// begins a flow collection that ends in its line.
fn flow_start(text: &[u8], at: usize) -> Option<usize> {
    let before = text.get(..at)?;
    let blanks = before.iter().rev().take(FLOW_LEN_MAX).take_while(|byte| **byte == b' ').count();
    let start = at.checked_sub(blanks + 1)?;
    let may_begin = match text.get(start)? {
        b'\n' => true,
        b':' | b'-' => blanks > 0,
        _ => false,
    };
    (may_begin && begins_flow(text, at)).then_some(start)
}

/// Reports whether the byte at `at` of `text` is a bracket that is closed in its line, after a
/// comma or before one.
fn begins_flow(text: &[u8], at: usize) -> bool {
    let closer = match text.get(at) {
        Some(b'[') => b']',
        Some(b'{') => b'}',
        _ => return false,
    };
    let near = text.get(at + 1..).unwrap_or_default();
    let near = near.get(..FLOW_LEN_MAX).unwrap_or(near);
    let line = memchr::memchr(b'\n', near).and_then(|end| near.get(..end)).unwrap_or(near);
    memchr::memchr(closer, line).is_some() && memchr::memchr(b',', line).is_some()
}

/// Returns the next mark in `rest`, in a flow collection within `depth` others.
fn in_flow(rest: &[u8], depth: u8) -> Option<Mark> {
    let is_mark =
        |byte: &u8| matches!(byte, b'"' | b'\'' | b',' | b'[' | b']' | b'{' | b'}' | b'\n');
    let at = rest.iter().position(is_mark)?;
    let inside = |depth| turn(Inside::Flow(depth));
    let (len, means) = match *rest.get(at)? {
        b',' => (1, Denotes::Character(DIVIDER)),
        b'\n' => (0, turn(Inside::Text)),
        b'[' | b'{' => (1, inside(depth.saturating_add(1))),
        b']' | b'}' => (1, depth.checked_sub(1).map_or(turn(Inside::Text), inside)),
        quote => {
            let before = at.checked_sub(1).and_then(|before| rest.get(before));
            let begins = before.is_none_or(|byte| b" ,:[{".contains(byte));
            let after = rest.get(at + 1..).unwrap_or_default();
            let end = memchr::memchr2(quote, b'\n', after).filter(|_| begins);
            let end = end.filter(|end| after.get(*end) == Some(&quote));
            (end.map_or(1, |end| end + 2), inside(depth))
        }
    };
    Some(Mark { span: Span::new(at, at + len), means })
}

/// Returns the length of the line end that `text` begins with, and of the blanks after it; zero
/// before an empty line.
fn continuation_len(text: &[u8]) -> usize {
    let end = match text {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => return 0,
    };
    let after = text.get(end..).unwrap_or_default();
    let blanks = after.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    match after.get(blanks) {
        None | Some(b'\r' | b'\n') => 0,
        Some(_) => end + blanks,
    }
}
