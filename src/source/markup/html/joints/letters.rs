//! Reads the letters, the colon and the slashes at the beginning of a URL, each of which may be a
//! character reference: `https&#58;&#47;/`.

use std::borrow::Cow;

use crate::scheme;
use crate::source::markup::reference;
use crate::span::Span;

/// Maximum number of bytes of a reference to a letter or a slash: `&#x0000002F;`.
const REFERENCE_LEN_MAX: usize = 12;

/// Returns the letters of a scheme, and its colon, that end at `at`, decoded, and their length in
/// `text`.
pub(super) fn name_before(text: &[u8], at: usize) -> (Cow<'_, [u8]>, usize) {
    let literal = literal_before(text, at);
    let (mut name, mut start) = (Cow::Borrowed(literal), at - literal.len());
    while name.len() < scheme::SCHEME_LEN_MAX
        && let Some((from, made)) = reference_before(text, start)
        && (scheme::is_scheme_byte(made) || made == b':')
    {
        let literal = literal_before(text, from);
        name = Cow::Owned([literal, &[made], &*name].concat());
        start = from - literal.len();
    }
    (name, at - start)
}

/// Returns the literal letters of a scheme, and its colon, that end at `at`.
fn literal_before(text: &[u8], at: usize) -> &[u8] {
    let before = text.get(..at).unwrap_or_default();
    let near = before.iter().rev().take(scheme::SCHEME_LEN_MAX + b":".len());
    let is_part = |byte: &&u8| scheme::is_scheme_byte(**byte) || **byte == b':';
    before.get(before.len() - near.take_while(is_part).count()..).unwrap_or_default()
}

/// Returns the offset of the character reference that ends at `end`, and its value, if that is one
/// byte.
pub(super) fn reference_before(text: &[u8], end: usize) -> Option<(usize, u8)> {
    let before = text.get(..end).filter(|before| before.ends_with(b";"))?;
    let from = end.saturating_sub(REFERENCE_LEN_MAX);
    let start = from + memchr::memrchr(b'&', before.get(from..)?)?;
    let made = reference_at(before, start)?;
    (made.0 == end).then_some((start, made.1))
}

/// Returns the end of the character reference that begins at `at`, and its value, if that is one
/// byte.
fn reference_at(text: &[u8], at: usize) -> Option<(usize, u8)> {
    let found = reference::read(text.get(at..)?)?;
    let made = found.with_bytes(|made| made.first().copied().filter(|_| made.len() == 1));
    made.map(|made| (at + found.len, made))
}

/// Returns the end of the slash, or the reference to one, that begins at `at`.
pub(super) fn slash_end(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at)? {
        b'/' => Some(at + 1),
        _ => reference_at(text, at).filter(|(_, made)| *made == b'/').map(|(end, _)| end),
    }
}

/// Returns the span of two slashes, either of which may be a reference, and of which the first ends
/// in the byte at `last`; or of the first alone if a tag follows it, and whether one does.
pub(super) fn referred_slashes(text: &[u8], last: usize) -> Option<(Span, bool)> {
    let start = match text.get(last)? {
        b'/' => last,
        _ => reference_before(text, last + 1).filter(|(_, made)| *made == b'/')?.0,
    };
    if text.get(last + 1) == Some(&b'<') {
        return Some((Span::new(start, last + 1), true));
    }
    slash_end(text, last + 1).map(|end| (Span::new(start, end), false))
}
