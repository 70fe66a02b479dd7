//! What stands for a character in LaTeX and in what BibTeX keeps for it, where the character would
//! mean something else: `\_`, `\%`, `\~{}`, in braces, too, as programs export it: `{\_}`, `{\&}`.
//!
//! Nobody looks whether it stands in what is printed as it is: who writes an escape there means the
//! character. Where a line may be broken, `\-`, nothing stands.

use super::{Mark, Means};
use crate::span::Span;

/// Commands that print a character, or nothing.
const COMMANDS: [(&[u8], Means); 4] = [
    (b"\\textasciitilde", Means::Character('~')),
    (b"\\textunderscore", Means::Character('_')),
    (b"\\slash", Means::Character('/')),
    (b"\\allowbreak", Means::Nothing),
];

/// What is drawn for a tilde in the middle of a line.
const SIMILAR: &[u8] = b"$\\sim$";

/// True when nothing in `text` stands for something else.
pub(super) fn is_idle(text: &[u8]) -> bool {
    memchr::memchr2(b'\\', b'{', text).is_none()
}

/// The first escape in `text`.
pub(super) fn mark(text: &[u8]) -> Option<Mark> {
    memchr::memchr3_iter(b'\\', b'{', b'$', text).find_map(|at| {
        let (len, means) = escape(text.get(at..)?)?;
        Some(Mark { span: Span::new(at, at + len), means })
    })
}

/// The escape that `rest` begins with: its length, and what it stands for.
fn escape(rest: &[u8]) -> Option<(usize, Means)> {
    match rest {
        // The end of a line.
        [b'\\', b'\\', ..] => Some((2, Means::Character('\n'))),
        [b'\\', b'-', ..] => Some((2, Means::Nothing)),
        [b'\\', bracket @ (b'{' | b'}'), ..] => Some((2, letter(*bracket))),
        [b'{', inside @ ..] => {
            let (len, means) = in_braces(inside)?;
            (inside.get(len) == Some(&b'}')).then_some((len + 2, means))
        }
        _ => character(rest).or_else(|| {
            let (len, means) = command(rest)?;
            // All but a letter ends its name; of that, empty braces and a blank stand for nothing.
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

/// The same of what stands in braces alone.
fn in_braces(rest: &[u8]) -> Option<(usize, Means)> {
    match rest {
        [mark @ (b'_' | b'%' | b'&' | b'#' | b'~'), ..] => Some((1, letter(*mark))),
        _ => character(rest).or_else(|| command(rest)),
    }
}

/// The escape that `rest` begins with, when nothing else need end it.
fn character(rest: &[u8]) -> Option<(usize, Means)> {
    match rest {
        [b'\\', mark @ (b'_' | b'%' | b'&' | b'#' | b'$' | b'~'), behind @ ..] => {
            let len = if behind.starts_with(b"{}") { 4 } else { 2 };
            Some((len, letter(*mark)))
        }
        _ => rest.starts_with(SIMILAR).then_some((SIMILAR.len(), letter(b'~'))),
    }
}

/// The command that `rest` begins with, or a longer one.
fn command(rest: &[u8]) -> Option<(usize, Means)> {
    let known = COMMANDS.iter().find(|(name, _)| rest.starts_with(name));
    known.map(|(name, means)| (name.len(), *means))
}

const fn letter(byte: u8) -> Means {
    Means::Character(byte as char)
}
