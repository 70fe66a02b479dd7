//! Determines the codings of header fields that contain encoded words (RFC 2047), or text in ISO
//! 2022 as it is, which Japanese programs wrote before there were encoded words (RFC 1468).

use memchr::memmem;

use super::coding::Coding;
use super::{marked, words};
use crate::source::mail::charset::Charset;

/// Beginning of the escape that designates a set of two bytes a character.
const ESCAPE: &[u8] = b"\x1B$";

/// Returns the codings of a field; none if it has neither encoded words nor escapes. Words in one
/// charset are decoded together, so that a character may begin in one and end in the next.
pub(super) fn codings(field: &[u8]) -> Vec<Coding> {
    let mut charsets = words::labels(field).map(Charset::find);
    let Some(first) = charsets.next() else {
        let is_escaped = memmem::find(field, ESCAPE).is_some();
        let codings = [Coding::Words, Coding::Charset(Charset::Iso2022)];
        return if is_escaped { codings.to_vec() } else { Vec::new() };
    };
    if first.is_some_and(marked::is_of_words) || charsets.any(|charset| charset != first) {
        return vec![Coding::MarkedWords, Coding::Marked];
    }
    [Coding::Words].into_iter().chain(first.map(Coding::Charset)).collect()
}

/// Reports whether the sign at `at` of `text`, a question mark or an escape, may be that of a field
/// with codings.
pub(super) fn is_sign(text: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| text.get(before));
    match text.get(at) {
        Some(b'?') => before == Some(&b'='),
        _ => text.get(at..).is_some_and(|rest| rest.starts_with(ESCAPE)),
    }
}

#[cfg(test)]
mod tests {
    use super::{codings, is_sign};
    use crate::source::mail::charset::Charset;
    use crate::source::mail::mime::coding::Coding;

    #[test]
    fn text_of_japan_needs_no_encoded_words() {
        let codings_of_japan = [Coding::Words, Coding::Charset(Charset::Iso2022)];
        assert_eq!(codings(b"Subject: \x1B$BF|K\\\x1B(B x"), codings_of_japan);
        assert_eq!(codings(b"Subject: =?iso-2022-jp?B?YQ==?="), codings_of_japan);
        assert!(codings(b"Subject: \x1B[1mx").is_empty());
        assert!(codings(b"Subject: =?x").is_empty());
        assert!(is_sign(b"a: =?", 4) && is_sign(b"a\x1B$B", 1));
        assert!(!is_sign(b"a: ??", 4) && !is_sign(b"?", 0) && !is_sign(b"a\x1B[", 1));
    }
}
