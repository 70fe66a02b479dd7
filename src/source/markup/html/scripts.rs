//! Finds scripts that hold JSON in mail, whose tags are not tokenized.

use memchr::memmem;

use super::is_json;
use super::tokens::{Token, Tokens};
use super::value::TAG_LEN_MAX;
use crate::source::markup::caught;
use crate::span::Span;

/// A word that nearly all media types of JSON contain.
const MARK: &[u8] = b"json";

/// Reports whether a text has no JSON script with an escape in it.
pub(in crate::source) fn is_idle(text: &[u8]) -> bool {
    memchr::memchr(b'\\', text).is_none() || memmem::find(text, MARK).is_none()
}

/// Returns the content of the first JSON script that begins at the offset `from` of `text` or after
/// it, and is not empty.
pub(in crate::source) fn json_after(text: &[u8], from: usize) -> Option<Span> {
    let rest = text.get(from..)?;
    memmem::find_iter(rest, MARK).find_map(|hit| {
        let start = caught(|| content(text, from + hit)).flatten()?;
        let script = Span::new(start, end(text, start));
        (start >= from && !script.is_empty()).then_some(script)
    })
}

/// Returns the start offset of the script whose start tag contains `mark`, if its type is JSON.
fn content(text: &[u8], mark: usize) -> Option<usize> {
    let before = text.get(mark.saturating_sub(TAG_LEN_MAX)..mark)?;
    let start = mark - before.len() + memchr::memrchr(b'<', before)?;
    let near = text.len().min(mark + TAG_LEN_MAX);
    let mut tokens = Tokens::new(text.get(..near)?, start);
    let Token::Open(name) = tokens.next()? else { return None };
    if !name.of(text).eq_ignore_ascii_case(b"script") {
        return None;
    }
    let mut is_told = None;
    tokens.find_map(|token| match token {
        Token::Attribute(name, value) if name.of(text).eq_ignore_ascii_case(b"type") => {
            is_told = is_told.or(Some(is_json(value.of(text))));
            None
        }
        Token::Attribute(..) => None,
        Token::Opened(at) => Some((is_told == Some(true)).then_some(at)),
        _ => Some(None),
    })?
}

/// Returns the end offset of the script that begins at `start`: before its end tag.
fn end(text: &[u8], start: usize) -> usize {
    const NAME: &[u8] = b"script";
    let rest = text.get(start..).unwrap_or_default();
    let is_end = |at: &usize| {
        let name = rest.get(at + 2..at + 2 + NAME.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(NAME))
    };
    start + memmem::find_iter(rest, b"</").find(is_end).unwrap_or(rest.len())
}
