//! References in XML (XML 1.0 §4.1, §4.6), outside of what has none: comments (§2.5), processing
//! instructions (§2.6) and CDATA sections (§2.7).
//!
//! Tags need not be known: references mean the same in the values of attributes and in text. So
//! what is broken is read on. What is no reference of XML stands for itself, as do entities that a
//! document declares, but for those that every document has.

use memchr::{memchr2_iter, memmem};

use super::{Mark, Means};
use crate::source::markup::html::tokens::root;
use crate::span::Span;

/// Bytes of a reference, at most: `&#x10FFFF;`, or `&#38;` with five zeros.
pub(super) const REFERENCE_LEN_MAX: usize = 10;

/// What a place in a document stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// Text and tags.
    Text,
    Comment,
    Instruction,
    Data,
}

/// What has no references, and what it stands between.
const OTHERS: [(Inside, &[u8], &[u8]); 3] = [
    (Inside::Comment, b"<!--", b"-->"),
    (Inside::Instruction, b"<?", b"?>"),
    (Inside::Data, b"<![CDATA[", b"]]>"),
];

/// True for a text that begins with `head`, which begins with an XML declaration (§2.8).
pub(in crate::source::markup) fn is_xml(head: &[u8]) -> bool {
    let behind = head.get(root(head)..).and_then(|text| text.strip_prefix(b"<?xml"));
    behind.and_then(<[u8]>::first).is_some_and(u8::is_ascii_whitespace)
}

impl Inside {
    /// The next mark in `rest`: a reference, or what begins or ends something without any.
    pub(super) fn mark(self, rest: &[u8]) -> Option<Mark> {
        let turn = |at: usize, mark: &[u8], inside| {
            let means = Means::Turn(super::Inside::Xml(inside));
            Mark { span: Span::new(at, at + mark.len()), means }
        };
        if let Some((_, _, end)) = OTHERS.iter().find(|(inside, ..)| *inside == self) {
            return memmem::find(rest, end).map(|at| turn(at, end, Self::Text));
        }
        memchr2_iter(b'&', b'<', rest).find_map(|at| {
            let found = rest.get(at..)?;
            if let Some((len, made)) = reference(found) {
                let means = Means::character(made);
                return Some(Mark { span: Span::new(at, at + len), means });
            }
            let other = OTHERS.iter().find(|(_, begin, _)| found.starts_with(begin));
            other.map(|(inside, begin, _)| turn(at, begin, *inside))
        })
    }
}

/// The reference that `rest` begins with: its length, and what it stands for.
pub(super) fn reference(rest: &[u8]) -> Option<(usize, char)> {
    let near = rest.get(..REFERENCE_LEN_MAX).unwrap_or(rest);
    let name = near.strip_prefix(b"&")?;
    let name = name.get(..memchr::memchr(b';', name)?)?;
    let made = match name {
        b"amp" => '&',
        b"lt" => '<',
        b"gt" => '>',
        b"quot" => '"',
        b"apos" => '\'',
        [b'#', b'x', digits @ ..] => character(digits, 16)?,
        [b'#', digits @ ..] => character(digits, 10)?,
        _ => return None,
    };
    Some((name.len() + 2, made))
}

/// The character with that number.
fn character(digits: &[u8], radix: u32) -> Option<char> {
    let is_number = digits.iter().all(|byte| char::from(*byte).is_digit(radix));
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_number)?;
    char::from_u32(u32::from_str_radix(digits, radix).ok()?)
}
