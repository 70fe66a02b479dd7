//! Decides whether square brackets belong to a URI: arrays in a query, as PHP, Rails and their
//! successors write them, `?a[]=1&b[x][y]=2`; and brackets within a word, `/a[1]/b`.
//!
//! By the grammar, no part after the host has them (RFC 3986 §3.3, §3.4); the grammar reports them
//! on the whole URI. Text also puts them after addresses: footnotes, `?a=1[2]`, and labels,
//! `?a=1[label]`. The text after the brackets distinguishes the two; at the end of a URI, the text
//! in and before them does. In 154 MB of mail and documentation, 15 bare links precede an opening
//! bracket: in 7 the word continues after the closing one, and all of these belong to the link; the
//! 8 others are labels, indexes and marks of the text.

use super::unicode::{self, Role};
use super::{Byte, ROLES, begins_delimiter, begins_uri, is_closing};

/// Longest examined name of a parameter, in bytes.
const NAME_LEN_MAX: usize = 128;

/// Longest brackets within a word, in bytes: longer ones are text.
const BRACKETS_LEN_MAX: usize = 256;

/// Returns the length of the consecutive pairs of brackets that begin at `at` in a query, if they
/// belong to it.
pub(super) fn len(bytes: &[u8], at: usize) -> Option<usize> {
    let mut end = at;
    while let Some(len) = bytes.get(end..).and_then(pair_len) {
        end += len;
    }
    let pairs = bytes.get(at..end).filter(|pairs| !pairs.is_empty())?;
    let is_own = match bytes.get(end) {
        Some(b'=' | b'#') => true,
        Some(b'&') => !begins_delimiter(bytes, end) || is_last(bytes, at, pairs),
        Some(byte) if goes_on(*byte) => bytes.get(end..).is_some_and(begins_parameter),
        _ => is_last(bytes, at, pairs),
    };
    is_own.then_some(pairs.len())
}

/// Returns the length of the brackets that begin at `at` within a word, consecutive or with single
/// marks between them, including their content, which a URI must be able to hold. `is_open` reports
/// whether a round bracket is open in the URI.
pub(super) fn len_in_word(bytes: &[u8], at: usize, is_open: bool) -> Option<usize> {
    let mut end = at;
    loop {
        let start = end;
        while let Some(len) = bytes.get(end..).and_then(balanced_len) {
            end += len;
        }
        let content = bytes.get(start..end).filter(|content| !content.is_empty())?;
        let rest = bytes.get(end..)?;
        if begins_delimiter(bytes, end) || begins_uri(bytes, end) {
            return None;
        }
        // AsciiDoc ends an address with an empty label, and text follows it.
        if begins_word(rest, content) && !content.ends_with(b"[]") {
            return Some(end - at);
        }
        let (mark, after) = rest.split_first()?;
        let is_joint = match mark {
            b'/' | b'-' | b'+' | b'.' | b'=' | b'&' | b'#' | b'?' | b'@' | b'$' => true,
            b')' => is_open && !begins_uri(bytes, end + 1),
            // Text puts these after a footnote, and between addresses.
            b':' | b';' | b',' | b'!' => !is_note(content) && !begins_uri(bytes, end + 1),
            _ => false,
        };
        if !is_joint {
            return None;
        }
        if begins_word(after, content) {
            return Some(end - at);
        }
        // Only another bracket can continue the word.
        end += 1;
    }
}

/// Reports whether `text` begins with more of a word, after `content`, one bracket or several. In
/// scripts without blanks between words, text follows a footnote or a label of US-ASCII directly.
fn begins_word(text: &[u8], content: &[u8]) -> bool {
    text.first().is_some_and(|byte| match byte {
        0x80.. => unicode::char_at(text, 0).is_some_and(|next| {
            let is_text = content.is_ascii() && unicode::needs_no_blank(next);
            unicode::role(next) == Role::Inside && !unicode::is_sign(next) && !is_text
        }),
        _ => byte.is_ascii_alphanumeric() || matches!(byte, b'%' | b'_' | b'~'),
    })
}

/// Reports whether `content` is that of footnotes: numbers, stars and carets in brackets.
fn is_note(content: &[u8]) -> bool {
    content.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'[' | b']' | b'^' | b'*'))
}

/// Returns the length of the brackets at the beginning of `text`, up to the one that closes the
/// first. A slash after the first bracket shows a tag, `[/url]`.
fn balanced_len(text: &[u8]) -> Option<usize> {
    if !matches!(text, [b'[', inside, ..] if *inside != b'/') {
        return None;
    }
    let (mut open, mut at) = (0_usize, 0);
    while at < BRACKETS_LEN_MAX {
        let byte = *text.get(at)?;
        let mut len = 1;
        match (byte, ROLES[usize::from(byte)]) {
            (b'[', _) => open += 1,
            (b']', _) => open -= 1,
            (b'^', _) => {}
            (_, Byte::Stop) => return None,
            (_, Byte::High) => {
                let inside = |it: &char| unicode::role(*it) != Role::Ends;
                len = unicode::char_at(text, at).filter(inside)?.len_utf8();
            }
            (b':', _) if text.get(at + 1..)?.starts_with(b"//") => return None,
            _ => {}
        }
        at += len;
        if open == 0 {
            return Some(at);
        }
    }
    None
}

/// Reports whether `text` begins with more of the name of a parameter, and its value.
fn begins_parameter(text: &[u8]) -> bool {
    let len = text.iter().take(NAME_LEN_MAX).take_while(|byte| is_of_name(**byte)).count();
    len > 0 && text.get(len) == Some(&b'=')
}

/// Returns the length of the pair of brackets at the beginning of `text`, around nothing or a name.
fn pair_len(text: &[u8]) -> Option<usize> {
    let inside = text.strip_prefix(b"[")?;
    let len = inside.iter().take_while(|byte| is_of_name(**byte)).count();
    (inside.get(len) == Some(&b']')).then_some(len + 2)
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':' | b'%')
}

/// Reports whether a URI before `byte` may continue with it.
fn goes_on(byte: u8) -> bool {
    let role = ROLES[usize::from(byte)];
    let is_mark = matches!(role, Byte::Slash | Byte::Divider | Byte::Open | Byte::Tilde);
    (role == Byte::Plain || is_mark) && !is_closing(byte)
}

/// Reports whether `pairs`, which begin at `at`, belong to a URI that ends after them: those of a
/// parameter without a value, the last of which is empty, or those around the number that is a
/// value, `?a=[1]`. Brackets with any other content may be a footnote, a label or a mark of the
/// text.
fn is_last(bytes: &[u8], at: usize, pairs: &[u8]) -> bool {
    let before = bytes.get(..at).unwrap_or_default();
    pairs.ends_with(b"[]") && is_after_name(before) || before.ends_with(b"=") && is_number(pairs)
}

/// Reports whether `pairs` are those around one number.
fn is_number(pairs: &[u8]) -> bool {
    let number = pairs.strip_prefix(b"[").and_then(|pairs| pairs.strip_suffix(b"]"));
    number.is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
}

/// Reports whether `before` ends in the name of a parameter without a value; not in a group of a
/// pattern, `(?:`.
fn is_after_name(before: &[u8]) -> bool {
    let name = before.iter().rev().take(NAME_LEN_MAX).take_while(|byte| is_of_name(**byte));
    let (before, name) = before.split_at(before.len() - name.count());
    let begins = [b"?", b"&", b";"].iter().any(|mark| before.ends_with(*mark));
    begins && !before.ends_with(b"(?") && name.iter().any(u8::is_ascii_alphanumeric)
}
