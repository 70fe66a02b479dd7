//! Joins the lines of strings in YAML and TOML that end in a backslash (YAML 1.2.2 §7.3.1; TOML 1.0
//! "String"): the line end and the white space at the beginning of the next line denote nothing.
//!
//! Strings in double quotes have such lines, and in TOML those in three. One in double quotes that
//! continues without a backslash is not followed into its next line, where a quote may mean
//! anything. All other escapes are left to the scanner, which reads them in any text. Empty lines
//! after the backslash, which TOML allows, end a link.

use super::{Denotes, Mark};
use crate::span::Span;

/// The quotes of a string over several lines in TOML.
const LONG: &[u8] = b"\"\"\"";

/// The context of an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// Anything but a string in double quotes, as far as is known.
    Text,
    /// A string in double quotes.
    Quoted,
    /// A string in three double quotes.
    Long,
}

impl Inside {
    /// Reports whether no line of `text` ends in a backslash.
    pub(super) fn is_idle(text: &[u8]) -> bool {
        let is_last = |at: usize| text.get(at + 1).is_none_or(|next| matches!(next, b'\r' | b'\n'));
        !memchr::memchr_iter(b'\\', text).any(is_last)
    }

    /// Returns the next mark in `rest`: the beginning or end of a string, an escape in it, or the
    /// end of a line that continues.
    pub(super) fn mark(self, rest: &[u8]) -> Option<Mark> {
        let at = match self {
            Self::Text => memchr::memchr(b'"', rest)?,
            Self::Quoted => memchr::memchr3(b'"', b'\\', b'\n', rest)?,
            Self::Long => memchr::memchr2(b'"', b'\\', rest)?,
        };
        let found = rest.get(at..)?;
        let (len, means) = match (self, found) {
            (Self::Text, _) if found.starts_with(LONG) => (LONG.len(), turn(Self::Long)),
            (Self::Text, _) => (1, turn(Self::Quoted)),
            (_, [b'\\', after @ ..]) => match continuation_len(after) {
                0 => (2.min(found.len()), turn(self)),
                len => (1 + len, Denotes::Nothing),
            },
            (Self::Long, _) if found.starts_with(LONG) => (LONG.len(), turn(Self::Text)),
            (Self::Long, _) => (1, turn(self)),
            (Self::Quoted, _) => (1, turn(Self::Text)),
        };
        Some(Mark { span: Span::new(at, at + len), means })
    }
}

const fn turn(inside: Inside) -> Denotes {
    Denotes::Turn(super::Inside::Yaml(inside))
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
