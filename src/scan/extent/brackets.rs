//! Square brackets in a query: arrays, as PHP, Rails and what came after them write them into
//! addresses, `?a[]=1&b[x][y]=2`.
//!
//! No query has them by its grammar (RFC 3986 §3.4), which is told of the whole of it.
//! Text puts them behind addresses as well: footnotes, `?a=1[2]`, and labels, `?a=1[label]`. What
//! stands behind them tells the two apart, and at the end of a URI what stands in them and before.

use super::{Byte, ROLES, begins_delimiter, is_closing};

/// Bytes of a parameter's name that are looked at.
const NAME_LEN_MAX: usize = 128;

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
    let is_inside = matches!(role, Byte::Plain | Byte::Slash | Byte::Divider | Byte::Open);
    is_inside && !is_closing(byte)
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
