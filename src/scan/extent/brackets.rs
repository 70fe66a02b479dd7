//! Square brackets in a URI: arrays in a query, as PHP, Rails and what came after them write them
//! into addresses, `?a[]=1&b[x][y]=2`; and brackets within a word, `/a[1]/b`.
//!
//! No part behind the host has them by its grammar (RFC 3986 §3.3, §3.4), which is told of the
//! whole of it. Text puts them behind addresses as well: footnotes, `?a=1[2]`, and labels,
//! `?a=1[label]`. What stands behind them tells the two apart, and at the end of a URI what stands
//! in them and before. In 154 MB of mail and documentation, 15 bare links stand before an opening
//! bracket: in 7 the word goes on behind the closing one, and all of these are the link's own; the
//! 8 others are labels, indexes and marks of the text.

use super::unicode::{self, Role};
use super::{Byte, ROLES, begins_delimiter, begins_uri, is_closing};

/// Bytes of a parameter's name that are looked at.
const NAME_LEN_MAX: usize = 128;

/// Bytes of brackets within a word, at most: what is longer is text.
const BRACKETS_LEN_MAX: usize = 256;

/// Length of the pairs of brackets in a row that begin at `at` of a query, where they are its own.
pub(super) fn len(bytes: &[u8], at: usize) -> Option<usize> {
    let mut end = at;
    while let Some(len) = bytes.get(end..).and_then(pair_len) {
        end += len;
    }
    let pairs = bytes.get(at..end).filter(|pairs| !pairs.is_empty())?;
    let is_own = match bytes.get(end) {
        Some(b'=' | b'#') => true,
        Some(b'&') => !begins_delimiter(bytes, end) || is_last(bytes, at, pairs),
        Some(byte) if goes_on(*byte) => false,
        _ => is_last(bytes, at, pairs),
    };
    is_own.then_some(pairs.len())
}

/// Length of the brackets in a row that begin at `at` within a word, with what stands in them and
/// may stand in a URI.
pub(super) fn len_in_word(bytes: &[u8], at: usize) -> Option<usize> {
    let mut len = 0;
    while let Some(next) = bytes.get(at + len..).and_then(balanced_len) {
        len += next;
    }
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'%' | b'_' | b'~');
    let is_in_word = match bytes.get(at + len..)? {
        [byte, ..] if goes_on(byte) => true,
        [b'/' | b'-' | b'+' | b'.' | b'=' | b'&' | b'#' | b'?' | b'@' | b'$', next, ..] => {
            goes_on(next)
        }
        _ => false,
    };
    let is_own = len > 0 && is_in_word && !begins_delimiter(bytes, at + len);
    (is_own && !begins_uri(bytes, at + len)).then_some(len)
}

/// Length of the brackets that `text` begins with, up to the one that closes the first. A slash
/// behind that is of a tag, `[/url]`.
fn balanced_len(text: &[u8]) -> Option<usize> {
    if !matches!(text, [b'[', inside, ..] if !matches!(inside, b'/' | b']')) {
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

/// Length of the pair of brackets that `text` begins with, around nothing or what is like a name.
fn pair_len(text: &[u8]) -> Option<usize> {
    let inside = text.strip_prefix(b"[")?;
    let len = inside.iter().take_while(|byte| is_of_name(**byte)).count();
    (inside.get(len) == Some(&b']')).then_some(len + 2)
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':' | b'%')
}

/// True when a URI that holds `byte` need not end before it.
fn goes_on(byte: u8) -> bool {
    let role = ROLES[usize::from(byte)];
    let is_mark = matches!(role, Byte::Slash | Byte::Divider | Byte::Open | Byte::Tilde);
    (role == Byte::Plain || is_mark) && !is_closing(byte)
}

/// True when `pairs`, which begin at `at`, belong to a URI that ends behind them: those of a
/// parameter without a value, the last of which is empty. Around anything else they may be a
/// footnote, a label or a mark of the text.
fn is_last(bytes: &[u8], at: usize, pairs: &[u8]) -> bool {
    pairs.ends_with(b"[]") && is_behind_name(bytes.get(..at).unwrap_or_default())
}

/// True when `before` ends in the name of a parameter that has no value; not in a group of a
/// pattern, `(?:`.
fn is_behind_name(before: &[u8]) -> bool {
    let name = before.iter().rev().take(NAME_LEN_MAX).take_while(|byte| is_of_name(**byte));
    let (before, name) = before.split_at(before.len() - name.count());
    let begins = [b"?", b"&", b";"].iter().any(|mark| before.ends_with(*mark));
    begins && !before.ends_with(b"(?") && name.iter().any(u8::is_ascii_alphanumeric)
}
