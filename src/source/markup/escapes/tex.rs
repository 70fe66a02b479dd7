//! Reads escapes of LaTeX and BibTeX for characters that would mean something else: `\_`, `\%`,
//! `\~{}`, in braces, too, as programs export it: `{\_}`, `{\&}`.
//!
//! Verbatim text is not recognised: an author who writes an escape there means the character. A
//! possible line break, `\-`, denotes nothing.

use super::{Denotes, Mark};
use crate::span::Span;

/// Commands that print a character, or nothing.
const COMMANDS: [(&[u8], Denotes); 4] = [
    (b"\\textasciitilde", Denotes::Character('~')),
    (b"\\textunderscore", Denotes::Character('_')),
    (b"\\slash", Denotes::Character('/')),
    (b"\\allowbreak", Denotes::Nothing),
];

/// The sign that is drawn for a tilde in the middle of a line.
const SIMILAR: &[u8] = b"$\\sim$";

/// Reports whether all of `text` is literal.
pub(super) fn is_idle(text: &[u8]) -> bool {
    memchr::memchr2(b'\\', b'{', text).is_none()
}

/// Returns the first escape in `text`.
pub(super) fn mark(text: &[u8]) -> Option<Mark> {
    memchr::memchr3_iter(b'\\', b'{', b'$', text).find_map(|at| {
        let (len, means) = escape(text.get(at..)?)?;
        Some(Mark { span: Span::new(at, at + len), means })
    })
}

/// Returns the length of the escape that `rest` begins with, and its meaning.
fn escape(rest: &[u8]) -> Option<(usize, Denotes)> {
    match rest {
        // A line break.
        [b'\\', b'\\', ..] => Some((2, Denotes::Character('\n'))),
        [b'\\', b'-', ..] => Some((2, Denotes::Nothing)),
        [b'\\', bracket @ (b'{' | b'}'), ..] => Some((2, letter(*bracket))),
        [b'{', inside @ ..] => {
            let (len, means) = in_braces(inside)?;
            (inside.get(len) == Some(&b'}')).then_some((len + 2, means))
        }
        _ => character(rest).or_else(|| {
            let (len, means) = command(rest)?;
            // Any byte but a letter ends the name; empty braces or a blank after it denote nothing.
            match rest.get(len..)? {
                [b'{', b'}', ..] => Some((len + 2, means)),
                [b'\r', b'\n', ..] => Some((len + 2, means)),
                [b' ' | b'\n', ..] => Some((len + 1, means)),
                [byte, ..] if !byte.is_ascii_alphabetic() => Some((len, means)),
                _ => None,
            }
        }),
    }
}

/// Returns the escape that `rest` begins with, in braces of its own.
fn in_braces(rest: &[u8]) -> Option<(usize, Denotes)> {
    match rest {
        [mark @ (b'_' | b'%' | b'&' | b'#' | b'~'), ..] => Some((1, letter(*mark))),
        _ => character(rest).or_else(|| command(rest)),
    }
}

/// Returns the escape that `rest` begins with, if no other byte must end it.
fn character(rest: &[u8]) -> Option<(usize, Denotes)> {
    match rest {
        [b'\\', mark @ (b'_' | b'%' | b'&' | b'#' | b'$' | b'~'), after @ ..] => {
            let len = if after.starts_with(b"{}") { 4 } else { 2 };
            Some((len, letter(*mark)))
        }
        _ => rest.starts_with(SIMILAR).then_some((SIMILAR.len(), letter(b'~'))),
    }
}

/// Returns the command that `rest` begins with; a longer name may begin so.
fn command(rest: &[u8]) -> Option<(usize, Denotes)> {
    let known = COMMANDS.iter().find(|(name, _)| rest.starts_with(name));
    known.map(|(name, means)| (name.len(), *means))
}

const fn letter(byte: u8) -> Denotes {
    Denotes::Character(byte as char)
}
