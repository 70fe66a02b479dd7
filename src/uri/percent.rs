//! Reads and writes percent-escapes (RFC 3986 §2.1).

use std::borrow::Cow;

/// Returns `text` with its escapes decoded once. A percent sign without two digits stays as it is.
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
pub(crate) fn octet(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = text else { return None };
    let value = |digit: u8| char::from(digit).to_digit(16).and_then(|it| u8::try_from(it).ok());
    Some(value(*high)? << 4 | value(*low)?)
}

/// Returns the escape of `byte`, with digits in upper case (RFC 3986 §2.1).
pub(crate) const fn escape(byte: u8) -> [u8; 3] {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    [b'%', DIGITS[(byte >> 4) as usize], DIGITS[(byte & 15) as usize]]
}

#[cfg(test)]
mod tests {
    use super::{escape, octet, unescaped};

    #[test]
    fn escapes_are_decoded_once() {
        assert_eq!(*unescaped(b"a%2Fb%2f%252F"), *b"a/b/%2F");
        assert_eq!(*unescaped(b"%zz%4%%41%"), *b"%zz%4%A%");
        assert_eq!(octet(b"%aFx"), Some(0xAF));
        assert_eq!(octet(b"%+a"), None);
    }

    #[test]
    fn the_escape_of_each_byte_is_decoded_to_it() {
        assert_eq!(&escape(0xAF), b"%AF");
        (0..=u8::MAX).for_each(|byte| assert_eq!(octet(&escape(byte)), Some(byte)));
    }
}
