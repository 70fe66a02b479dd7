//! Decodes the forms in which gateways write the links that they wrap.

use std::borrow::Cow;

use data_encoding::BASE64_NOPAD;

/// Returns `text` with its escapes decoded once (RFC 3986 §2.1). A percent sign without two digits
/// stays as it is.
pub(crate) fn unescaped(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'%', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'%', rest) {
        let (before, escape) = rest.split_at(at);
        out.extend_from_slice(before);
        let octet = octet(escape);
        out.push(octet.unwrap_or(b'%'));
        rest = escape.get(if octet.is_some() { 3 } else { 1 }..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    Cow::Owned(out)
}

/// Returns the byte whose escape `text` begins with.
fn octet(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = text else { return None };
    let value = |digit: u8| char::from(digit).to_digit(16).and_then(|it| u8::try_from(it).ok());
    Some(value(*high)? << 4 | value(*low)?)
}

/// Decodes `text` by the second version of URL Defense, which writes a hyphen in place of a percent
/// sign, and an underscore in place of a slash.
pub(crate) fn dashed(text: &[u8]) -> Vec<u8> {
    let escapes: Vec<u8> = text
        .iter()
        .map(|byte| match byte {
            b'-' => b'%',
            b'_' => b'/',
            other => *other,
        })
        .collect();
    unescaped(&escapes).into_owned()
}

/// Returns the bytes that `text` encodes in base64, with the characters of either alphabet, and
/// with or without padding (RFC 4648 §4 and §5). The text may be escaped in a query, where a plus
/// sign may have become a blank.
pub(crate) fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = unescaped(text);
    let len = text.iter().rposition(|byte| *byte != b'=').map_or(0, |last| last + 1);
    let digits: Vec<u8> = text
        .get(..len)?
        .iter()
        .map(|byte| match byte {
            b'-' | b' ' => b'+',
            b'_' => b'/',
            other => *other,
        })
        .collect();
    BASE64_NOPAD.decode(&digits).ok()
}
