//! Marks that are escaped in text that is no string.

/// True when `text` begins with an escape of a string that may go on with a URI: `\u`, `\x`.
pub(super) fn begins(text: &[u8]) -> bool {
    matches!(text, [b'\\', b'u' | b'U' | b'x' | b'\\', ..])
}

/// The mark that stands for itself where `text` begins with a backslash and that: shells, TeX,
/// calendars and others escape it, and a URI may hold it. A regular expression has most of them
/// where nothing of a word follows.
pub(super) fn mark(text: &[u8]) -> Option<u8> {
    let [b'\\', mark, behind @ ..] = text else { return None };
    let is_free = matches!(mark, b'&' | b'%' | b'#' | b'~' | b'_' | b'(' | b')');
    let goes_on =
        behind.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"%_-/".contains(byte));
    (is_free || is_mark(*mark) && goes_on).then_some(*mark)
}

/// True for a mark that somebody escapes and a URI may hold.
pub(super) const fn is_mark(mark: u8) -> bool {
    matches!(mark, b'&' | b'?' | b'=' | b'%' | b'#' | b'(' | b')' | b'.' | b',' | b';' | b'!')
        || matches!(mark, b'~' | b'*' | b'+' | b'$' | b'_' | b':' | b'@')
}

/// True when `text` begins with an apostrophe that is escaped in a string between two of them, and
/// with more of a word.
pub(super) fn is_apostrophe(text: &[u8]) -> bool {
    matches!(text, [b'\'' | b'\\', b'\'', next, ..] if next.is_ascii_alphanumeric() || *next > 0x7F)
}

/// Leaves `text` without what escapes marks in it in `joined`: backslashes and, behind an
/// apostrophe, second ones.
pub(super) fn without_escapes(text: &[u8], is_quoted: bool, joined: &mut Vec<u8>) {
    joined.clear();
    let mut rest = text;
    while let Some((byte, behind)) = rest.split_first() {
        let apostrophe = (is_quoted && is_apostrophe(rest)).then_some(b'\'');
        match mark(rest).or(apostrophe) {
            Some(mark) => {
                joined.push(mark);
                rest = behind.get(1..).unwrap_or_default();
            }
            None => {
                joined.push(*byte);
                rest = behind;
            }
        }
    }
}
