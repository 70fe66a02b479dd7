//! Reads names, attributes and declarations, as spans.

use memchr::memmem;

use super::{Token, is_space};
use crate::span::Span;

/// Returns the span of the name of the tag that begins at `start`: up to white space, a slash or
/// the end of the tag.
pub(super) fn name(text: &[u8], start: usize) -> Span {
    let ends = |byte: &u8| is_space(*byte) || matches!(byte, b'/' | b'>');
    let rest = text.get(start..).unwrap_or_default();
    Span::new(start, start + rest.iter().position(ends).unwrap_or(rest.len()))
}

/// Returns the offset after white space and slashes at `at`.
pub(super) fn skipped(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| is_space(**byte) || **byte == b'/').count()
}

/// Reports whether nothing but white space and slashes follows at `at`.
pub(super) fn is_end(text: &[u8], at: usize) -> bool {
    skipped(text, at) >= text.len()
}

fn blanks(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| is_space(**byte)).count()
}

/// Returns the name and the value of the attribute at `start`, and the offset after it; `None` if
/// the text ends within the value. The value is without quotes, and empty if there is none.
pub(super) fn attribute(text: &[u8], start: usize) -> Option<(Span, Span, usize)> {
    let ends = |byte: &u8| is_space(*byte) || matches!(byte, b'/' | b'>' | b'=');
    // The first byte of a name may be an equals sign.
    let rest = text.get(start + 1..)?;
    let name = Span::new(start, start + 1 + rest.iter().position(ends).unwrap_or(rest.len()));
    let equals = blanks(text, name.end);
    if text.get(equals) != Some(&b'=') {
        return Some((name, Span::new(name.end, name.end), name.end));
    }
    let at = blanks(text, equals + 1);
    let (value, end) = match text.get(at)? {
        quote @ (b'"' | b'\'') => {
            let inside = text.get(at + 1..)?;
            let value = Span::new(at + 1, at + 1 + memchr::memchr(*quote, inside)?);
            (value, value.end + 1)
        }
        b'>' => (Span::new(at, at), at),
        _ => {
            let rest = text.get(at..)?;
            let len = rest.iter().position(|byte| is_space(*byte) || *byte == b'>')?;
            (Span::new(at, at + len), at + len)
        }
    };
    Some((name, value, end))
}

/// Returns the end of the declaration that begins at `open`, and its token if it has one. CDATA is
/// only known where `is_foreign` is true; elsewhere, and with any other text, it is a comment.
pub(super) fn declaration(text: &[u8], open: usize, is_foreign: bool) -> (usize, Option<Token>) {
    const CDATA: &[u8] = b"<![CDATA[";
    const DOCTYPE: &[u8] = b"<!doctype";
    let rest = text.get(open..).unwrap_or_default();
    if let Some(inside) = rest.strip_prefix(b"<!--") {
        return (text.len() - inside.len() + comment_len(inside), None);
    }
    let is_doctype =
        rest.get(..DOCTYPE.len()).is_some_and(|start| start.eq_ignore_ascii_case(DOCTYPE));
    if is_doctype {
        return doctype(text, open + DOCTYPE.len());
    }
    if let Some(inside) = rest.strip_prefix(CDATA).filter(|_| is_foreign) {
        let len = memmem::find(inside, b"]]>");
        let start = open + CDATA.len();
        let span = Span::new(start, len.map_or(text.len(), |len| start + len));
        let end = len.map_or(text.len(), |len| start + len + b"]]>".len());
        return (end, (!span.is_empty()).then_some(Token::Raw(span)));
    }
    let end = memchr::memchr(b'>', rest).map_or(text.len(), |len| open + len + 1);
    (end, None)
}

/// Returns the length of the comment that `inside` continues, with its end.
fn comment_len(inside: &[u8]) -> usize {
    if inside.starts_with(b">") {
        return b">".len();
    }
    if inside.starts_with(b"->") {
        return b"->".len();
    }
    let ends = |at: &usize| {
        let before = inside.get(..*at).unwrap_or_default();
        before.ends_with(b"--") || before.ends_with(b"--!")
    };
    let end = memchr::memchr_iter(b'>', inside).find(ends);
    end.map_or(inside.len(), |at| at + 1)
}

/// Returns the end of the document type whose name follows `at`, and its token.
fn doctype(text: &[u8], at: usize) -> (usize, Option<Token>) {
    let start = blanks(text, at);
    let rest = text.get(start..).unwrap_or_default();
    let ends = |byte: &u8| is_space(*byte) || *byte == b'>';
    let name = Span::new(start, start + rest.iter().position(ends).unwrap_or(rest.len()));
    let end = memchr::memchr(b'>', rest).map_or(text.len(), |len| start + len + 1);
    (end, Some(Token::Doctype(name)))
}
