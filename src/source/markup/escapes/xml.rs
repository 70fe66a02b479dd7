//! Reads references in XML (XML 1.0 §4.1, §4.6), outside of constructs without any: comments
//! (§2.5), processing instructions (§2.6) and CDATA sections (§2.7).
//!
//! Tags need not be known: references mean the same in the values of attributes and in text. So
//! reading continues after broken markup. An unknown reference is literal. Known are the predefined
//! ones, and those that the document declares with a value (`entities`).
//!
//! Documents with HTML as text, as in dumps of sites and notes, have its references, too: after an
//! escaped tag, up to the next tag of XML, `&amp;amp;` is an ampersand, and in CDATA `&amp;`. The
//! end of an attribute's value is not tracked, since hardly anybody has reason to write such a
//! reference in the next one. Of HTML's references, only XML's own are read.
//!
//! Comments, instructions and the edges of CDATA sections within a word denote nothing
//! (`insertion`), nor does markup between two runs of a text (`runs`), nor the second form of
//! alternate content with the text of the first (`alternates`). Office tables write controls by
//! their number, `_x000D_` (ECMA-376 Part 1 §22.9.2.19).

mod alternates;
mod entities;
mod runs;

pub(in crate::source::markup) use self::entities::name as entity_name;
pub(super) use self::entities::{Entities, Letter};
use memchr::{memchr2_iter, memchr3_iter, memmem};

use super::{Denotes, Mark};
use crate::source::markup::html::tokens::root;
use crate::source::markup::insertion::{self, DATA};
use crate::span::Span;

/// Maximum number of bytes of a reference: `&#x10FFFF;`, or `&#38;` with five zeros.
pub(super) const REFERENCE_LEN_MAX: usize = 10;

/// The context of an offset in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// Text and tags.
    Text,
    /// Alternate content whose second form has the text of the first.
    Twin,
    Comment,
    Instruction,
    Data,
    /// Text after an escaped tag of HTML.
    Html,
    /// CDATA after a tag of HTML.
    HtmlData,
}

/// Maximum number of bytes of the name of a tag of HTML: `blockquote` has ten, and editors have
/// longer ones.
const NAME_LEN_MAX: usize = 16;

/// Constructs without references, each with its beginning and its end.
const OTHERS: [(Inside, &[u8], &[u8]); 3] = [
    (Inside::Comment, b"<!--", b"-->"),
    (Inside::Instruction, b"<?", b"?>"),
    (Inside::Data, DATA[0], DATA[1]),
];

/// Reports whether a text that begins with `head` has an XML declaration (§2.8).
pub(in crate::source::markup) fn is_xml(head: &[u8]) -> bool {
    let after = head.get(root(head)..).and_then(|text| text.strip_prefix(b"<?xml"));
    after.and_then(<[u8]>::first).is_some_and(u8::is_ascii_whitespace)
}

impl Inside {
    /// Reports whether all of `text` is literal.
    pub(super) fn is_idle(self, text: &[u8]) -> bool {
        let [_, data_end] = DATA;
        let is_mark = |found: &[u8]| {
            found.starts_with(b"&")
                || found.starts_with(b"<!")
                || found.starts_with(b"<?")
                || runs::between(found).is_some()
                || found.starts_with(b"<mc:")
                || numbered_control(found).is_some()
        };
        let ends_data = || {
            matches!(self, Self::Data | Self::HtmlData) && memmem::find(text, data_end).is_some()
        };
        let mut found = memchr3_iter(b'&', b'<', b'_', text).filter_map(|at| text.get(at..));
        !found.any(is_mark) && !ends_data()
    }

    /// Returns the next mark in `rest`: a reference, or the beginning or end of a construct without
    /// any.
    pub(super) fn mark(self, rest: &[u8], entities: &Entities) -> Option<Mark> {
        match self {
            Self::Text => memchr3_iter(b'&', b'<', b'_', rest)
                .find_map(|at| of_text(rest.get(at..)?, at, entities)),
            Self::Twin => memchr3_iter(b'&', b'<', b'_', rest).find_map(|at| {
                let found = rest.get(at..)?;
                of_twin(found, at).or_else(|| of_text(found, at, entities))
            }),
            Self::Html => memchr3_iter(b'&', b'<', b'_', rest).find_map(|at| {
                let found = rest.get(at..)?;
                match found.first()? {
                    b'<' => Some(turn(at, 0, Self::Text)),
                    b'_' => numbered_control(found).map(|made| character(at, made)),
                    _ => reference_in_html(found).map(|made| character(at, made)),
                }
            }),
            Self::Data | Self::HtmlData => {
                let sign = if self == Self::Data { b'<' } else { b'&' };
                memchr2_iter(sign, b']', rest).find_map(|at| self.of_data(rest.get(at..)?, at))
            }
            Self::Comment | Self::Instruction => {
                let (_, _, end) = OTHERS.iter().find(|(inside, ..)| *inside == self)?;
                memmem::find(rest, end).map(|at| turn(at, end.len(), Self::Text))
            }
        }
    }

    /// Returns the mark that `found`, at `at` of a CDATA section, begins with.
    fn of_data(self, found: &[u8], at: usize) -> Option<Mark> {
        let [_, end] = DATA;
        match found {
            [b']', ..] => found.starts_with(end).then(|| edge(found, at, end.len(), Self::Text)),
            [b'<', after @ ..] => is_tag(after).then(|| turn(at, 1, Self::HtmlData)),
            _ => reference(found).map(|made| character(at, made)),
        }
    }
}

/// Returns the mark that `found`, at `at` of a text, begins with.
fn of_text(found: &[u8], at: usize, entities: &Entities) -> Option<Mark> {
    if let Some((len, made)) = reference(found) {
        let is_html = made == '<' && is_tag(found.get(len..)?);
        return Some(if is_html { turn(at, 0, Inside::Html) } else { character(at, (len, made)) });
    }
    if let Some(letter) = entities.letter(found) {
        return Some(Mark { span: Span::new(at, at + letter.len), means: Denotes::Letter(letter) });
    }
    if found.starts_with(entities::DECLARATION) {
        let span = Span::new(at, at + entities::DECLARATION.len());
        return Some(Mark { span, means: Denotes::Declared });
    }
    if let Some(made) = numbered_control(found) {
        return Some(character(at, made));
    }
    if let Some(runs::Between { len, made }) = runs::between(found) {
        let means = made.map_or(Denotes::Nothing, Denotes::character);
        return Some(Mark { span: Span::new(at, at + len), means });
    }
    if found.starts_with(alternates::CHOICE) && alternates::has_twin(found) {
        return Some(turn(at, alternates::CHOICE.len(), Inside::Twin));
    }
    let (inside, begin, end) = OTHERS.iter().find(|(_, begin, _)| found.starts_with(begin))?;
    Some(match inside {
        Inside::Data => edge(found, at, begin.len(), Inside::Data),
        inside => insertion_len(found, begin, end).map_or_else(
            || turn(at, begin.len(), *inside),
            |len| Mark { span: Span::new(at, at + len), means: Denotes::Nothing },
        ),
    })
}

/// Returns the length of the comment or instruction that `found` begins with, if it is within a
/// word.
fn insertion_len(found: &[u8], begin: &[u8], end: &[u8]) -> Option<usize> {
    let near = found.get(..insertion::LEN_MAX).unwrap_or(found);
    let len = begin.len() + memmem::find(near.get(begin.len()..)?, end)? + end.len();
    let is_one = insertion::is_plain(near.get(..len)?) && insertion::goes_on(found.get(len..)?);
    is_one.then_some(len)
}

/// Returns the mark of the edge of a CDATA section, `len` bytes that `found`, at `at`, begins with,
/// after which `inside` begins.
fn edge(found: &[u8], at: usize, len: usize, inside: Inside) -> Mark {
    let means = match found.get(len..) {
        Some(rest) if insertion::goes_on(rest) => Denotes::Edge(None, super::Inside::Xml(inside)),
        _ => Denotes::Turn(super::Inside::Xml(inside)),
    };
    Mark { span: Span::new(at, at + len), means }
}

/// Returns the mark that `found`, at `at` of alternate content, begins with.
fn of_twin(found: &[u8], at: usize) -> Option<Mark> {
    if let Some(len) = alternates::fallback_len(found) {
        return Some(Mark { span: Span::new(at, at + len), means: Denotes::Nothing });
    }
    found.starts_with(alternates::END).then(|| turn(at, alternates::END.len(), Inside::Text))
}

/// Returns the mark of `len` bytes at `at` after which `inside` begins.
const fn turn(at: usize, len: usize, inside: Inside) -> Mark {
    let means = Denotes::Turn(super::Inside::Xml(inside));
    Mark { span: Span::new(at, at + len), means }
}

/// Returns the mark of `len` bytes at `at` that denote the character `made`.
fn character(at: usize, (len, made): (usize, char)) -> Mark {
    Mark { span: Span::new(at, at + len), means: Denotes::character(made) }
}

/// Returns the length and the character of the numbered control that `found` begins with: a control
/// that divides words, or the escaped first sign of a text that looks like one. Other controls do
/// not occur in texts.
fn numbered_control(found: &[u8]) -> Option<(usize, char)> {
    let digits = |found: &[u8]| {
        let [b'x', digits @ .., b'_'] = found.first_chunk::<6>()? else { return None };
        numbered(digits, 16)
    };
    let after = found.strip_prefix(b"_")?;
    let made = match digits(after)? {
        made @ ('\t' | '\n' | '\r') => made,
        '_' if after.get(6..).and_then(digits).is_some() => '_',
        _ => return None,
    };
    Some((7, made))
}

/// Reports whether `after` continues a tag of HTML after its first byte: it is neither a URI in
/// such brackets nor a comparison.
fn is_tag(after: &[u8]) -> bool {
    let name = match after {
        [b'!', ..] => return true,
        [b'/', name @ ..] => name,
        name => name,
    };
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
    let len = name.iter().take(NAME_LEN_MAX).take_while(is_part).count();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b">/&".contains(byte);
    name.first().is_some_and(u8::is_ascii_alphabetic) && name.get(len).is_some_and(ends)
}

/// Returns the reference that `rest` begins with, in HTML that is itself escaped.
fn reference_in_html(rest: &[u8]) -> Option<(usize, char)> {
    let (len, made) = reference(rest)?;
    let inner = || reference_after(rest.get(len..)?).map(|(after, made)| (len + after, made));
    Some(inner().filter(|_| made == '&').unwrap_or((len, made)))
}

/// Returns the reference whose ampersand, in another form, precedes `rest`: the number of its bytes
/// after the ampersand, and the character that it denotes.
pub(super) fn reference_after(rest: &[u8]) -> Option<(usize, char)> {
    let mut plain = [b'&'; 1 + REFERENCE_LEN_MAX];
    plain.iter_mut().skip(1).zip(rest).for_each(|(to, from)| *to = *from);
    let len = plain.len().min(1 + rest.len());
    reference(plain.get(..len)?).map(|(len, made)| (len - 1, made))
}

/// Returns the length of the reference that `rest` begins with, and the character that it denotes.
pub(in crate::source::markup) fn reference(rest: &[u8]) -> Option<(usize, char)> {
    let near = rest.get(..REFERENCE_LEN_MAX).unwrap_or(rest);
    let name = near.strip_prefix(b"&")?;
    let name = name.get(..memchr::memchr(b';', name)?)?;
    let made = match name {
        b"amp" => '&',
        b"lt" => '<',
        b"gt" => '>',
        b"quot" => '"',
        b"apos" => '\'',
        [b'#', b'x', digits @ ..] => numbered(digits, 16)?,
        [b'#', digits @ ..] => numbered(digits, 10)?,
        _ => return None,
    };
    Some((name.len() + 2, made))
}

/// Returns the character with the number `digits`.
fn numbered(digits: &[u8], radix: u32) -> Option<char> {
    let is_number = digits.iter().all(|byte| char::from(*byte).is_digit(radix));
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_number)?;
    char::from_u32(u32::from_str_radix(digits, radix).ok()?)
}
