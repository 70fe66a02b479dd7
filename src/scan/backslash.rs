//! Recognises escaped punctuation in text outside of string literals.

use super::unicode::{self, Role};

/// Reports whether `text` begins with a string escape that a URI may contain: `\u`, `\x`, and three
/// octal digits.
pub(super) fn begins(text: &[u8]) -> bool {
    matches!(text, [b'\\', b'u' | b'U' | b'x' | b'\\' | b'0'..=b'3', ..])
}

/// Returns the byte whose number in three octal digits is at the beginning of `text`.
pub(super) fn octal(text: &[u8]) -> Option<u8> {
    let [high @ b'0'..=b'3', middle @ b'0'..=b'7', low @ b'0'..=b'7', ..] = text else {
        return None;
    };
    Some(((high - b'0') << 6) | ((middle - b'0') << 3) | (low - b'0'))
}

/// Returns the punctuation mark that `text` escapes with a leading backslash, if a URI may contain
/// it. Shells, TeX and calendars write such escapes. Regular expressions do, too, but rarely before
/// a word: most marks count only if a word continues after them.
pub(super) fn mark(text: &[u8]) -> Option<u8> {
    let [b'\\', mark, after @ ..] = text else { return None };
    let is_free = matches!(mark, b'&' | b'%' | b'#' | b'~' | b'_' | b'(' | b')');
    let goes_on =
        after.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"%_-/".contains(byte));
    let is_own = is_free || is_mark(*mark) && goes_on;
    (is_own && !is_interpolation(text)).then_some(*mark)
}

/// Reports whether `text` begins with an expression that Swift replaces by its value: `\(user.id)`.
/// Of two escaped brackets, a backslash precedes the second one, too.
pub fn is_interpolation(text: &[u8]) -> bool {
    /// Longest expression that is read, in bytes.
    const LEN_MAX: usize = 128;
    let Some(inside) = text.strip_prefix(b"\\(") else { return false };
    let (mut depth, mut last) = (1_usize, b'(');
    for &byte in inside.iter().take(LEN_MAX) {
        match byte {
            b'\n' | b'\r' => return false,
            b'(' | b')' if last == b'\\' => return false,
            b'(' => depth += 1,
            b')' if depth == 1 => return last != b'(',
            b')' => depth -= 1,
            _ => {}
        }
        last = byte;
    }
    false
}

/// Reports whether a URI may contain `mark`, and some syntax escapes it.
pub(super) const fn is_mark(mark: u8) -> bool {
    matches!(mark, b'&' | b'?' | b'=' | b'%' | b'#' | b'(' | b')' | b'.' | b',' | b';' | b'!')
        || matches!(mark, b'~' | b'*' | b'+' | b'$' | b'_' | b':' | b'@' | b'-' | b'/')
}

/// Reports whether `text` begins with an escaped apostrophe, as in a string between apostrophes,
/// and the word continues after it.
pub(super) fn is_apostrophe(text: &[u8]) -> bool {
    let [b'\'' | b'\\', b'\'', next, ..] = text else { return false };
    let is_own = |character| unicode::role(character) == Role::Inside;
    next.is_ascii_alphanumeric() || *next > 0x7F && unicode::char_at(text, 2).is_some_and(is_own)
}

/// Replaces `joined` by `text` without its escapes: backslashes before marks and, if `is_quoted`,
/// the first of two apostrophes.
pub(super) fn without_escapes(text: &[u8], is_quoted: bool, joined: &mut Vec<u8>) {
    joined.clear();
    let mut rest = text;
    while let Some((byte, after)) = rest.split_first() {
        let apostrophe = (is_quoted && is_apostrophe(rest)).then_some(b'\'');
        match mark(rest).or(apostrophe) {
            Some(mark) => {
                joined.push(mark);
                rest = after.get(1..).unwrap_or_default();
            }
            None => {
                joined.push(*byte);
                rest = after;
            }
        }
    }
}
