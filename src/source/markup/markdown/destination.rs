//! Locates the destination of a link (CommonMark 0.31 §4.7 and §6.3).
//!
//! The parser reports the span of a link, and its destination as decoded; these functions find the
//! span of the destination again. The text is known to hold a link there: nothing is checked that
//! the parser checked.

use crate::span::Span;

/// Returns the destination of the inline link that ends at `end`, and whose text ends at
/// `text_end`, except for white space.
pub(super) fn inline(text: &[u8], text_end: usize, end: usize) -> Option<Span> {
    let after = Span::new(text_end, end).of(text);
    let at = after.windows("](".len()).position(|two| two == b"](")?;
    Some(destination(text, text_end + at + "](".len(), end))
}

/// Returns the destination of the definition `[label]: destination` at `start`.
pub(super) fn of_definition(text: &[u8], start: usize, end: usize) -> Option<Span> {
    let mut rest = Span::new(start, end).of(text).iter().enumerate().skip(1);
    while let Some((at, byte)) = rest.next() {
        match byte {
            b'\\' => {
                rest.next();
            }
            b']' => return Some(destination(text, start + at + "]:".len(), end)),
            _ => {}
        }
    }
    None
}

/// Returns the destination after the white space at `at`.
fn destination(text: &[u8], at: usize, end: usize) -> Span {
    let rest = Span::new(at, end).of(text);
    let start = at + blank_len(rest);
    let rest = Span::new(start, end).of(text);
    if rest.first() == Some(&b'<') {
        return Span::new(start + 1, start + 1 + bracketed_len(rest.get(1..).unwrap_or_default()));
    }
    Span::new(start, start + bare_len(rest))
}

/// Returns the length of the white space before a destination. After a line end the marks of quotes
/// belong to it: no destination begins with one there, since it would begin a quote.
fn blank_len(text: &[u8]) -> usize {
    let mut is_after_line = false;
    let is_blank = |byte: &&u8| {
        is_after_line |= matches!(byte, b'\n' | b'\r');
        byte.is_ascii_whitespace() || **byte == b'\x0B' || is_after_line && **byte == b'>'
    };
    text.iter().take_while(is_blank).count()
}

/// Returns the length of the text before the closing bracket.
fn bracketed_len(text: &[u8]) -> usize {
    let mut is_escaped = false;
    let is_inside = |byte: &&u8| {
        let is_inside = is_escaped || **byte != b'>';
        is_escaped = !is_escaped && **byte == b'\\';
        is_inside
    };
    text.iter().take_while(is_inside).count()
}

/// Returns the length of the text before white space or an unmatched closing parenthesis.
fn bare_len(text: &[u8]) -> usize {
    let mut open = 0_usize;
    let mut is_escaped = false;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            0..=b' ' => return at,
            _ if is_escaped => {}
            b'(' => open += 1,
            b')' if open == 0 => return at,
            b')' => open -= 1,
            _ => {}
        }
        is_escaped = !is_escaped && *byte == b'\\';
    }
    text.len()
}
