//! Calendars and cards: lines that are folded, and escapes in values (iCalendar, RFC 5545 §3.1 and
//! §3.3.11; vCard, RFC 6350 §3.2 and §3.4).
//!
//! A line's end with a blank behind it stands for nothing, wherever a program folded: a URI of more
//! than some seventy bytes is always cut so. Cards of version 2.1 and calendars of 1.0 are folded
//! at blanks alone, which stay: nothing is done to a text with one of these, nor to one without a
//! version, which is neither.

use memchr::memchr2_iter;

use super::{Page, Replaced};
use crate::span::Span;

/// What stands for something else.
pub(in crate::source) struct Folded {
    /// Bytes of it.
    pub(in crate::source) len: usize,
    /// What it stands for. A line's end in a value is a blank here, so that lines count as they
    /// stand.
    pub(in crate::source) text: &'static [u8],
}

/// True for a calendar or a card that begins with `head`.
pub(super) fn is_folded(head: &[u8]) -> bool {
    let begins =
        |name: &[u8]| head.get(..name.len()).is_some_and(|text| text.eq_ignore_ascii_case(name));
    begins(b"BEGIN:VCALENDAR") || begins(b"BEGIN:VCARD")
}

/// A calendar or a card has no links but those that stand in its text.
pub(super) fn page(text: &[u8]) -> Page {
    let mut page = Page::default();
    if is_idle(text) {
        return page;
    }
    let mut at = 0;
    while let Some((plain, folded)) = next(text.get(at..).unwrap_or_default()) {
        let start = at + plain;
        at = start + folded.len;
        page.replaced.push(Replaced::new(Span::new(start, at), folded.text));
    }
    page
}

/// True when all of `text` stands for itself, as where no version is told, or one of old.
pub(in crate::source) fn is_idle(text: &[u8]) -> bool {
    let has = |wanted: &[&[u8]]| versions(text).any(|version| wanted.contains(&version));
    !has(&[b"2.0", b"3.0", b"4.0"]) || has(&[b"1.0", b"2.1"]) || next(text).is_none()
}

/// What the lines `VERSION:` of `text` tell.
fn versions(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    const NAME: &[u8] = b"VERSION:";
    memchr2_iter(b'V', b'v', text).filter_map(|at| {
        let is_line = at.checked_sub(1).is_none_or(|feed| text.get(feed) == Some(&b'\n'));
        let (name, told) = text.get(at..).filter(|_| is_line)?.split_at_checked(NAME.len())?;
        let told = told.get(..b"2.0".len()).filter(|_| name.eq_ignore_ascii_case(NAME))?;
        Some(told)
    })
}

/// What first stands for something else in `text`, and the bytes before it.
pub(in crate::source) fn next(text: &[u8]) -> Option<(usize, Folded)> {
    memchr2_iter(b'\n', b'\\', text).find_map(|at| {
        let behind = text.get(at + 1..).unwrap_or_default();
        let stands = |len, text: &'static [u8]| Some(Folded { len, text });
        let before = text.get(..at).unwrap_or_default();
        if text.get(at) == Some(&b'\n') {
            let is_fold = matches!(behind, [b' ' | b'\t', ..]);
            let ahead = usize::from(before.ends_with(b"\r"));
            let folded = is_fold.then(|| Folded { len: ahead + 2, text: b"" });
            return folded.map(|folded| (at - ahead, folded));
        }
        let folded = match behind.first()? {
            b',' => stands(2, b","),
            b';' => stands(2, b";"),
            b':' => stands(2, b":"),
            b'\\' => stands(2, b"\\"),
            b'n' | b'N' => stands(2, b" "),
            _ => None,
        };
        folded.map(|folded| (at, folded))
    })
}
