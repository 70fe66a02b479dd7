//! Reads escapes in the strings of JSON (RFC 8259 §7).
//!
//! JSON has no backslash outside of strings, so that strings need not be found: near JSON, with
//! comments or other quotes, is read, too. An unknown escape is literal. A string in a string is
//! unescaped once: otherwise patterns in code would become links.
//!
//! A string of HTML has its character references, too: `href=\"https://h/?a&amp;b\"`, as feeds,
//! notebooks and programs for sites write it. It is recognised by its first `href=\"` or `src=\"`,
//! of which the equals sign and the quote may be written as escapes.

use memchr::memmem;

use super::xml::{reference, reference_after};
use super::{Denotes, Mark};
use crate::source::hex;
use crate::source::markup::html::tokens::root;
use crate::span::Span;

/// Length in bytes of `\uXXXX`.
const UNIT_LEN: usize = 6;

/// Reports whether a text that begins with `head` is JSON: an object with a member, or a list of
/// objects or strings.
pub(in crate::source::markup) fn is_json(head: &[u8]) -> bool {
    let text = head.get(root(head)..).unwrap_or_default();
    let is_object = |text: &[u8]| inside(text, b"{").and_then(after_string) == Some(b':');
    let is_item = |text: &[u8]| is_object(text) || matches!(after_string(text), Some(b',' | b']'));
    is_object(text) || inside(text, b"[").is_some_and(is_item)
}

/// Returns the text after the bracket that `text` begins with, and after white space.
fn inside<'t>(text: &'t [u8], bracket: &[u8]) -> Option<&'t [u8]> {
    text.strip_prefix(bracket).map(<[u8]>::trim_ascii_start)
}

/// Returns the first byte, other than white space, after the string that `text` begins with.
fn after_string(text: &[u8]) -> Option<u8> {
    let mut rest = text.strip_prefix(b"\"")?;
    loop {
        let at = memchr::memchr2(b'"', b'\\', rest)?;
        let is_end = rest.get(at) == Some(&b'"');
        rest = rest.get(at + if is_end { 1 } else { 2 }..)?;
        if is_end {
            return rest.trim_ascii_start().first().copied();
        }
    }
}

/// Counts the texts in base64 that are declared in `core` of `text`, as in archives of HTTP
/// (HAR 1.2, "content"): `"encoding": "base64"`. Bodies with pictures, sound, videos and
/// fonts hold no text, and do not count.
pub(in crate::source) fn coded_texts(text: &[u8], core: Span) -> usize {
    let is_one = |at: &usize| {
        let after = text.get(at + CODING.len()..).unwrap_or_default();
        let value = inside(after.trim_ascii_start(), b":");
        value.is_some_and(|value| value.starts_with(b"\"base64\"")) && !is_of_medium(text, *at)
    };
    let found = memmem::find_iter(text, CODING);
    found.filter(|at| core.start <= *at && *at < core.end).filter(is_one).count()
}

/// The name of the member that declares a coding.
const CODING: &[u8] = b"\"encoding\"";

/// Reports whether the object around the byte at `at` of `text` declares the type of a picture,
/// sound, video or font near it.
fn is_of_medium(text: &[u8], at: usize) -> bool {
    /// Maximum distance in bytes of the declaration: some members and a long type.
    const NEAR_MAX: usize = 256;
    const NAME: &[u8] = b"\"mimeType\"";
    const MEDIA: [&[u8]; 4] = [b"\"image/", b"\"audio/", b"\"video/", b"\"font/"];
    let before = text.get(at.saturating_sub(NEAR_MAX)..at).unwrap_or_default();
    let before = before.rsplit(|byte| *byte == b'{').next().unwrap_or_default();
    let after = text.get(at..text.len().min(at + NEAR_MAX)).unwrap_or_default();
    let after = after.split(|byte| *byte == b'}').next().unwrap_or_default();
    [before, after].iter().any(|near| {
        let name = memmem::find(near, NAME).and_then(|at| near.get(at + NAME.len()..));
        let value = name.and_then(|rest| inside(rest.trim_ascii_start(), b":"));
        value.is_some_and(|value| MEDIA.iter().any(|medium| value.starts_with(medium)))
    })
}

/// Names of attributes whose value is a link.
const ATTRIBUTES: [&[u8]; 2] = [b"href", b"src"];

/// The context of an offset in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// Anything, as far as is known.
    Text,
    /// A string that holds HTML, from the name of an attribute to its end.
    Html,
}

impl Inside {
    /// Reports whether all of `text` is literal.
    pub(super) fn is_idle(self, text: &[u8]) -> bool {
        let is_html = self == Self::Html;
        memchr::memchr(b'\\', text).is_none() && !(is_html && memchr::memchr(b'&', text).is_some())
    }

    /// Returns the next mark in `rest`: an escape, a reference, or the beginning or end of a string
    /// of HTML.
    pub(super) fn mark(self, rest: &[u8]) -> Option<Mark> {
        match self {
            Self::Text => memchr::memchr_iter(b'\\', rest).find_map(|at| {
                let after = rest.get(at..)?;
                attribute(rest, at).or_else(|| Some(mark(at, escape(after)?)))
            }),
            Self::Html => {
                let is_mark = |byte: &u8| matches!(byte, b'\\' | b'&' | b'"' | b'\n');
                (0..rest.len()).filter(|at| rest.get(*at).is_some_and(is_mark)).find_map(|at| {
                    let after = rest.get(at..)?;
                    match after.first()? {
                        b'"' | b'\n' => Some(turn(Span::new(at, at + 1), Self::Text)),
                        b'&' => Some(mark(at, reference(after)?)),
                        _ => Some(mark(at, coded_reference(after).or_else(|| escape(after))?)),
                    }
                })
            }
        }
    }
}

fn mark(at: usize, (len, made): (usize, char)) -> Mark {
    Mark { span: Span::new(at, at + len), means: Denotes::character(made) }
}

const fn turn(span: Span, inside: Inside) -> Mark {
    Mark { span, means: Denotes::Turn(super::Inside::Json(inside)) }
}

/// Returns the attribute whose name ends before the byte at `at` of `text`, which escapes its quote
/// or its equals sign: `href=\"`, `href=\u0022`, `href\u003d\"`.
fn attribute(text: &[u8], at: usize) -> Option<Mark> {
    let (before, after) = text.split_at_checked(at)?;
    let (len, made) = escape(after)?;
    let before = match made {
        made if is_quote(made) => before.strip_suffix(b"=")?,
        '=' if after.get(len..).and_then(escape).is_some_and(|(_, made)| is_quote(made)) => before,
        _ => return None,
    };
    let begins = |name: &&[u8]| {
        let name_at = before.len().checked_sub(name.len());
        name_at.and_then(|at| before.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(name))
    };
    let name = ATTRIBUTES.iter().find(|name| begins(name))?;
    Some(turn(Span::new(before.len() - name.len(), at), Inside::Html))
}

const fn is_quote(made: char) -> bool {
    matches!(made, '"' | '\'')
}

/// Returns the reference that `rest` begins with, whose first byte is an escape itself:
/// `\u0026amp;`.
fn coded_reference(rest: &[u8]) -> Option<(usize, char)> {
    let (len, _) = escape(rest).filter(|(_, made)| *made == '&')?;
    reference_after(rest.get(len..)?).map(|(after, made)| (len + after, made))
}

/// Returns the length of the escape that `rest` begins with, and the character that it denotes.
fn escape(rest: &[u8]) -> Option<(usize, char)> {
    match rest.get(1)? {
        mark @ (b'"' | b'\\' | b'/') => Some((2, char::from(*mark))),
        b'n' => Some((2, '\n')),
        b'r' => Some((2, '\r')),
        b't' => Some((2, '\t')),
        b'b' => Some((2, '\u{8}')),
        b'f' => Some((2, '\u{C}')),
        b'u' => units(rest),
        _ => None,
    }
}

/// Returns the escape of one or two units of UTF-16. A lone surrogate becomes U+FFFD.
pub(super) fn units(rest: &[u8]) -> Option<(usize, char)> {
    let first = unit(rest)?;
    let second = rest.get(UNIT_LEN..).and_then(unit).unwrap_or_default();
    let made = char::decode_utf16([first, second]).next()?;
    let made = made.unwrap_or(char::REPLACEMENT_CHARACTER);
    Some((UNIT_LEN * made.len_utf16(), made))
}

/// Returns the unit that `rest` begins with.
fn unit(rest: &[u8]) -> Option<u16> {
    let digits = rest.strip_prefix(b"\\u")?.first_chunk::<4>()?;
    u16::try_from(hex::number(digits)?).ok()
}
