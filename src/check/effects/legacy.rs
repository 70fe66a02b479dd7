//! Decodes the words around links of mail that is not in UTF-8.
//!
//! Text in a legacy charset is scanned undecoded where its URIs are US-ASCII. If a header declares
//! its charset, that decodes the words. If none does, or only the default of many programs, the
//! words are read in each of the likely charsets: words that say something in a wrong one are rare.

use std::borrow::Cow;

use crate::source::mail::charset::Charset;

/// Returns the charsets in which to read `texts`; only UTF-8, which is `None`, if they are in that.
pub(super) fn charsets(texts: &[&[u8]], declared: Option<Charset>) -> Vec<Option<Charset>> {
    if texts.iter().all(|text| is_utf8(text)) {
        return vec![None];
    }
    match declared {
        Some(charset) if !charset.is_vague() => vec![Some(charset)],
        _ => Charset::likely().map(Some).to_vec(),
    }
}

/// Returns `text` in UTF-8: each line that is not is in `charset`. Parts in other charsets may be
/// near.
pub(super) fn read(text: &[u8], charset: Option<Charset>) -> Cow<'_, [u8]> {
    let Some(charset) = charset.filter(|_| !is_utf8(text)) else { return Cow::Borrowed(text) };
    let mut out = Vec::with_capacity(text.len() * 2);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if is_utf8(line) {
            out.extend_from_slice(line);
        } else {
            out.extend_from_slice(charset.text(line).as_bytes());
        }
    }
    Cow::Owned(out)
}

fn is_utf8(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok()
}
