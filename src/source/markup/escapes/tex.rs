//! What stands for a character in LaTeX and in what BibTeX keeps for it, where the character would
//! mean something else: `\_`, `\%`, `\~{}`, in braces, too, as programs export it: `{\_}`, `{\&}`.
//!
//! Nobody looks whether it stands in what is printed as it is: who writes an escape there means the
//! character. Not read: other commands, among them those that break lines in a link.

use super::{Mark, Means};
use crate::span::Span;

/// Commands that print a character.
const COMMANDS: [(&[u8], char); 2] = [(b"\\textasciitilde", '~'), (b"\\textunderscore", '_')];

/// What is drawn for a tilde in the middle of a line.
const SIMILAR: &[u8] = b"$\\sim$";

/// True when nothing in `text` stands for something else.
pub(super) fn is_idle(text: &[u8]) -> bool {
    memchr::memchr2(b'\\', b'{', text).is_none()
}

/// The first escape in `text`.
pub(super) fn mark(text: &[u8]) -> Option<Mark> {
    memchr::memchr3_iter(b'\\', b'{', b'$', text).find_map(|at| {
        let (len, made) = escape(text.get(at..)?)?;
        Some(Mark { span: Span::new(at, at + len), means: Means::character(made) })
    })
}

/// The escape that `rest` begins with: its length, and what it stands for.
fn escape(rest: &[u8]) -> Option<(usize, char)> {
    match rest {
        // The end of a line.
        [b'\\', b'\\', ..] => Some((2, '\n')),
        [b'\\', bracket @ (b'{' | b'}'), ..] => Some((2, char::from(*bracket))),
        [b'{', inside @ ..] => {
            let (len, made) = in_braces(inside)?;
            (inside.get(len) == Some(&b'}')).then_some((len + 2, made))
        }
        _ => character(rest).or_else(|| {
            let (len, made) = command(rest)?;
            // Empty braces or a blank end its name.
            match rest.get(len..)? {
                [b'{', b'}', ..] => Some((len + 2, made)),
                [b' ', ..] => Some((len + 1, made)),
                _ => None,
            }
        }),
    }
}

/// The same of what stands in braces alone.
fn in_braces(rest: &[u8]) -> Option<(usize, char)> {
    match rest {
        [mark @ (b'_' | b'%' | b'&' | b'#' | b'~'), ..] => Some((1, char::from(*mark))),
        _ => character(rest).or_else(|| command(rest)),
    }
}

/// The escape that `rest` begins with, when nothing else need end it.
fn character(rest: &[u8]) -> Option<(usize, char)> {
    match rest {
        [b'\\', mark @ (b'_' | b'%' | b'&' | b'#' | b'$' | b'~'), behind @ ..] => {
            let len = if behind.starts_with(b"{}") { 4 } else { 2 };
            Some((len, char::from(*mark)))
        }
        _ => rest.starts_with(SIMILAR).then_some((SIMILAR.len(), '~')),
    }
}

/// The command that `rest` begins with, or a longer one.
fn command(rest: &[u8]) -> Option<(usize, char)> {
    let known = COMMANDS.iter().find(|(name, _)| rest.starts_with(name));
    known.map(|(name, made)| (name.len(), *made))
}
