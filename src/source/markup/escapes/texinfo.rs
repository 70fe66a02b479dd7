//! Reads escapes of Texinfo for characters that would mean something else: `@@`, `@{`, `@comma{}`,
//! as in `@uref{https://h/@@user}`.
//!
//! A possible line break, `@/`, denotes nothing, and a comma ends a link in its own command.

use super::{DIVIDER, Denotes, Mark};
use crate::span::Span;

/// Commands that print a character, each followed by empty braces.
const COMMANDS: [(&[u8], char); 9] = [
    (b"@ampchar{}", '&'),
    (b"@atchar{}", '@'),
    (b"@backslashchar{}", '\\'),
    (b"@comma{}", ','),
    (b"@dots{}", '\u{2026}'),
    (b"@enddots{}", '\u{2026}'),
    (b"@hashchar{}", '#'),
    (b"@lbracechar{}", '{'),
    (b"@rbracechar{}", '}'),
];

/// Commands for links, in which another argument follows the first comma.
const LINKS: [&[u8]; 2] = [b"@uref{", b"@url{"];

/// The beginnings of comments.
const COMMENTS: [&[u8]; 2] = [b"@c ", b"@comment "];

/// The context of an offset in Texinfo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    Text,
    /// The arguments of a command for a link, up to an empty line if nothing ends them.
    Link,
    /// The line of a comment, in which no command begins.
    Comment,
}

impl Inside {
    /// Returns the next mark in `rest`: an escape, or a change of context.
    pub(super) fn mark(self, rest: &[u8]) -> Option<Mark> {
        let next = |at: usize| self.mark_at(at, rest.get(at..)?);
        match self {
            Self::Text => memchr::memchr_iter(b'@', rest).find_map(next),
            Self::Comment => memchr::memchr2_iter(b'@', b'\n', rest).find_map(next),
            Self::Link => {
                let is_mark =
                    |at: &usize| matches!(rest.get(*at), Some(b'@' | b',' | b'}' | b'\n'));
                (0..rest.len()).filter(is_mark).find_map(next)
            }
        }
    }

    /// Returns the mark that `rest`, which is at `at`, begins with.
    fn mark_at(self, at: usize, rest: &[u8]) -> Option<Mark> {
        let turn = |inside| Denotes::Turn(super::Inside::Texinfo(inside));
        let begun = |names: &[&[u8]]| {
            names.iter().find(|name| rest.starts_with(name)).map(|name| name.len())
        };
        let (len, means) = match (self, rest) {
            (Self::Comment, [b'\n', ..]) | (Self::Link, [b'}', ..]) => (1, turn(Self::Text)),
            (Self::Link, [b'\n', b'\n', ..] | [b'\n', b'\r', b'\n', ..]) => (1, turn(Self::Text)),
            (Self::Link, [b'\n', ..]) => return None,
            (Self::Link, [b',', ..]) => (1, Denotes::Character(DIVIDER)),
            _ => match (self, begun(&LINKS), begun(&COMMENTS)) {
                (Self::Text, Some(len), _) => (len, turn(Self::Link)),
                (Self::Text, _, Some(len)) => (len, turn(Self::Comment)),
                _ => escape(rest)?,
            },
        };
        Some(Mark { span: Span::new(at, at + len), means })
    }
}

/// Returns the length of the escape that `rest` begins with, and its meaning.
fn escape(rest: &[u8]) -> Option<(usize, Denotes)> {
    match rest.get(1)? {
        mark @ (b'@' | b'{' | b'}' | b'&') => Some((2, Denotes::Character(char::from(*mark)))),
        b'/' | b'-' | b':' => Some((2, Denotes::Nothing)),
        b'*' => Some((2, Denotes::Character('\n'))),
        _ => {
            let known = COMMANDS.iter().find(|(command, _)| rest.starts_with(command));
            known.map(|(command, made)| (command.len(), Denotes::Character(*made)))
        }
    }
}
