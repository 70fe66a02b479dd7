//! What readers see of a link: the text of an `a`.

use super::tokens::{Token, Tokens, trimmed};
use crate::source::markup::guarded;
use crate::source::markup::reference::Resolved;
use crate::source::markup::shown::{SOURCE_LEN_MAX, Shown};
use crate::span::Span;

/// Bytes before a value of `href` that are looked at for its tag. Classes and styles of mail
/// stand there.
const TAG_LEN_MAX: usize = 1024;

/// Elements whose tags separate no words (HTML Standard §4.5, and older ones).
const INLINE: [&[u8]; 24] = [
    b"abbr", b"b", b"bdi", b"bdo", b"big", b"code", b"del", b"em", b"font", b"i", b"ins", b"kbd",
    b"mark", b"s", b"samp", b"small", b"span", b"strike", b"strong", b"sub", b"sup", b"tt", b"u",
    b"wbr",
];

/// The text of the `a` whose start tag ends at `at` of `text`; none when its end is too far
/// away.
pub(super) fn behind(text: &[u8], at: usize) -> Option<Vec<u8>> {
    let end = text.len().min(at.saturating_add(SOURCE_LEN_MAX));
    let text = text.get(..end)?;
    let mut shown = Shown::default();
    for token in Tokens::new(text, at) {
        match token {
            Token::Text(span) => shown.append(&Resolved::new(text, span).bytes),
            Token::Open(name) | Token::Close(name) => {
                let name = name.of(text);
                if name.eq_ignore_ascii_case(b"a") {
                    return Some(shown.into_text());
                }
                let is_inline = INLINE.iter().any(|known| name.eq_ignore_ascii_case(known));
                if !is_inline {
                    shown.separate();
                }
            }
            _ => {}
        }
        if shown.is_full() {
            return Some(shown.into_text());
        }
    }
    // A document may end within a link.
    (at + SOURCE_LEN_MAX > end).then(|| shown.into_text())
}

/// What readers see instead of the target at `at` of `text`, when that stands in `href` of an
/// `a`. For mail, in which nobody reads tags.
///
/// References may be resolved already: a text that shows a `<` is then taken for a tag.
#[must_use]
pub fn shown_at(text: &[u8], at: usize) -> Option<Vec<u8>> {
    let before = text.get(at.saturating_sub(TAG_LEN_MAX)..at)?;
    if !ends_in_href(before) {
        return None;
    }
    guarded(|| anchor_at(text, before, at)).flatten()
}

/// What the `a` shows whose `href` has its value at `at`, behind `before`.
fn anchor_at(text: &[u8], before: &[u8], at: usize) -> Option<Vec<u8>> {
    let start = at - before.len() + memchr::memrchr(b'<', before)?;
    let end = text.len().min(at.saturating_add(SOURCE_LEN_MAX));
    let mut tokens = Tokens::new(text.get(..end)?, start);
    let is_href = |name: Span| name.of(text).eq_ignore_ascii_case(b"href");
    match tokens.next()? {
        Token::Open(name) if name.of(text).eq_ignore_ascii_case(b"a") => {}
        _ => return None,
    }
    let first = tokens.find(|token| !matches!(token, Token::Attribute(name, _) if !is_href(*name)));
    match first? {
        Token::Attribute(_, value) if trimmed(text, value).start == at => {}
        _ => return None,
    }
    match tokens.find(|token| !matches!(token, Token::Attribute(..)))? {
        Token::Opened(end) => behind(text, end),
        _ => None,
    }
}

/// True when `before` ends in `href=`, with blanks and a quote where they may stand.
fn ends_in_href(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let before = before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'")).unwrap_or(before);
    let Some(name) = before.trim_ascii_end().strip_suffix(b"=") else { return false };
    let name = name.trim_ascii_end();
    let start = name.len().saturating_sub(b"href".len());
    name.get(start..).is_some_and(|name| name.eq_ignore_ascii_case(b"href"))
}
