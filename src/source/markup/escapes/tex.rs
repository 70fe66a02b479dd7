//! Reads escapes of LaTeX and BibTeX for characters that would mean something else: `\_`, `\%`,
//! `\~{}`, in braces, too, as programs export it: `{\_}`, `{\&}`.
//!
//! Verbatim text is not recognised: an author who writes an escape there means the character. A
//! possible line break, `\-`, denotes nothing.
//!
//! The line ends in the argument of a command for a link denote nothing either, with a `%` before
//! them, as BibTeX breaks long lines, and the blanks around them. In `\url`, no blank denotes
//! anything (manual of url.sty, "The command \url"). `\href` and the field `url` of a database keep
//! blanks, but no address has one, so that only those at a line end are skipped.

use super::{Denotes, Mark};
use crate::scheme;
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

/// Commands whose first argument is a link, and how its blanks are read.
const LINKS: [(&[u8], Blanks); 3] = [
    (b"\\url{", Blanks::Skipped),
    (b"\\nolinkurl{", Blanks::Skipped),
    (b"\\href{", Blanks::SkippedAtLineEnds),
];

/// The field of a database whose value is a link.
const FIELD: &[u8] = b"url";

/// Maximum number of bytes of an argument over several lines: links have some hundred.
const ARGUMENT_LEN_MAX: usize = 2048;

/// Maximum number of groups around the text of such an argument.
const DEPTH_MAX: u8 = 8;

/// The blanks of an argument that denote nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blanks {
    Skipped,
    SkippedAtLineEnds,
}

/// The context of an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    Text,
    /// A link with blanks, within `depth` groups of its argument.
    Link {
        blanks: Blanks,
        depth: u8,
    },
}

impl Inside {
    /// Reports whether all of `text` is literal.
    pub(super) fn is_idle(self, text: &[u8]) -> bool {
        self == Self::Text && memchr::memchr2(b'\\', b'{', text).is_none()
    }

    /// Returns the next mark in `rest`: an escape, the beginning or end of a link with blanks, or
    /// such blanks.
    pub(super) fn mark(self, rest: &[u8]) -> Option<Mark> {
        match self {
            Self::Text => memchr::memchr3_iter(b'\\', b'{', b'$', rest).find_map(|at| {
                let found = rest.get(at..)?;
                let (start, len, means) = match link(found).or_else(|| field(rest, at)) {
                    Some((start, len, blanks)) => {
                        (start, len, turn(Self::Link { blanks, depth: 0 }))
                    }
                    None => escape(found).map(|(len, means)| (0, len, means))?,
                };
                Some(Mark { span: Span::new(at - start, at + len), means })
            }),
            Self::Link { blanks, depth } => {
                let is_mark = |at: &usize| {
                    let byte = rest.get(*at);
                    byte.is_some_and(|byte| matches!(byte, 0..=b' ' | b'\\' | b'{' | b'}' | b'%'))
                };
                (0..rest.len()).filter(is_mark).find_map(|at| {
                    let (len, means) = of_link(rest.get(at..)?, blanks, depth)?;
                    Some(Mark { span: Span::new(at, at + len), means })
                })
            }
        }
    }
}

const fn turn(inside: Inside) -> Denotes {
    Denotes::Turn(super::Inside::Tex(inside))
}

/// Returns the command for a link with blanks that `found` begins with: the number of bytes before
/// `found`, the number of its own, and its blanks.
fn link(found: &[u8]) -> Option<(usize, usize, Blanks)> {
    let (name, blanks) = LINKS.iter().find(|(name, _)| found.starts_with(name))?;
    has_blanks(found.get(name.len()..)?).then_some((0, name.len(), *blanks))
}

/// Returns the field of a link with blanks whose value begins with the brace at `at` of `text`.
fn field(text: &[u8], at: usize) -> Option<(usize, usize, Blanks)> {
    let before = text.get(..at)?.trim_ascii_end().strip_suffix(b"=")?.trim_ascii_end();
    let (before, name) = before.split_at_checked(before.len().checked_sub(FIELD.len())?)?;
    let is_whole = before.last().is_none_or(|byte| !byte.is_ascii_alphanumeric());
    let is_one = is_whole && name.eq_ignore_ascii_case(FIELD) && text.get(at) == Some(&b'{');
    let has_blanks = is_one && has_blanks(text.get(at + 1..)?);
    has_blanks.then_some((at - before.len(), 1, Blanks::SkippedAtLineEnds))
}

/// Reports whether an argument that `text` begins with has blanks and an end, and no empty line,
/// which would end its paragraph.
fn has_blanks(text: &[u8]) -> bool {
    let near = text.get(..ARGUMENT_LEN_MAX).unwrap_or(text);
    let (mut at, mut depth, mut has_blanks) = (0, 0, false);
    while let Some(byte) = near.get(at) {
        match byte {
            b'\\' => at += 1,
            b'{' if depth == DEPTH_MAX => return false,
            b'{' => depth += 1,
            b'}' if depth == 0 => return has_blanks,
            b'}' => depth -= 1,
            b'\n' if matches!(near.get(at + 1..), Some([b'\n', ..] | [b'\r', b'\n', ..])) => {
                return false;
            }
            byte => has_blanks |= byte.is_ascii_whitespace(),
        }
        at += 1;
    }
    false
}

/// Returns the mark that `rest`, within `depth` groups of a link with blanks, begins with: its
/// length, and its meaning.
fn of_link(rest: &[u8], blanks: Blanks, depth: u8) -> Option<(usize, Denotes)> {
    match rest {
        [b'}', ..] => {
            let inside = depth.checked_sub(1).map(|depth| Inside::Link { blanks, depth });
            Some((1, turn(inside.unwrap_or(Inside::Text))))
        }
        [b'\\' | b'{', ..] => escape(rest).or_else(|| match rest {
            [b'{', ..] => Some((1, turn(Inside::Link { blanks, depth: depth.saturating_add(1) }))),
            _ => Some((2.min(rest.len()), turn(Inside::Link { blanks, depth }))),
        }),
        _ => {
            let len = blank_len(rest, blanks)?;
            let word = rest.get(len..).unwrap_or_default();
            (!begins_uri(word)).then_some((len, Denotes::Nothing))
        }
    }
}

/// Reports whether `text` begins with a scheme and an authority: another link.
fn begins_uri(text: &[u8]) -> bool {
    let is_of_name = |byte: &&u8| scheme::is_scheme_byte(**byte);
    let len = text.iter().take(scheme::SCHEME_LEN_MAX).take_while(is_of_name).count();
    text.get(len..).is_some_and(|after| after.starts_with(b"://"))
}

/// Returns the length of the blanks that `rest` begins with, and of a `%` before a line end, if
/// they denote nothing.
fn blank_len(rest: &[u8], blanks: Blanks) -> Option<usize> {
    let is_blank = |byte: &&u8| byte.is_ascii_whitespace();
    let mark = usize::from(rest.first() == Some(&b'%'));
    let after = rest.get(mark..)?;
    let len = after.iter().take(ARGUMENT_LEN_MAX).take_while(is_blank).count();
    let skipped = after.get(..len)?;
    let has_line_end = skipped.contains(&b'\n');
    let is_one = match (mark, blanks) {
        (0, Blanks::Skipped) => len > 0,
        (0, Blanks::SkippedAtLineEnds) => has_line_end,
        _ => matches!(skipped, [b'\n', ..] | [b'\r', b'\n', ..]),
    };
    is_one.then_some(mark + len)
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
