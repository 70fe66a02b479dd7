//! Normalises percent-escapes: decodes the octets that a document allows unescaped.
//!
//! Every document has a set of its own, and they differ: `%21` is `!` in RFC 1738 alone, `%40` is
//! `@` in RFC 1630 alone, `%7E` is `~` in RFC 3986 alone. A decoded escape is not decoded again, so
//! that `%2541` stays the escape of a percent sign.

use std::borrow::Cow;

use crate::finding::ByteSet;
use crate::uri::escape;

const ALPHANUMERIC: ByteSet =
    ByteSet::range(b'0', b'9').with(ByteSet::range(b'A', b'Z')).with(ByteSet::range(b'a', b'z'));

/// RFC 1630, "Encoding reserved characters": `safe` and `extra` without `*` and `!`, which the
/// prose reserves, and `+`, which it reserves in queries.
pub(super) const RFC1630: ByteSet = ALPHANUMERIC.with(set(b"$-_@.&\"'(),"));

/// RFC 1738 §2.2: the characters that no scheme may reserve.
pub(super) const RFC1738: ByteSet = ALPHANUMERIC.with(set(b"$-_.+!*'(),"));

/// RFC 3986 §2.3: unreserved characters.
pub(super) const RFC3986: ByteSet = ALPHANUMERIC.with(set(b"-._~"));

/// RFC 8141 §3.1: none; escapes differ only in the case of their digits.
pub(super) const NONE: ByteSet = ByteSet::EMPTY;

const fn set(bytes: &[u8]) -> ByteSet {
    let mut set = ByteSet::EMPTY;
    let mut rest = bytes;
    while let [first, after @ ..] = rest {
        set.insert(*first);
        rest = after;
    }
    set
}

/// Returns `text` with the escapes of `plain` bytes decoded, and the digits of all others in upper
/// case. A percent sign without two digits after it is unchanged.
pub(super) fn level<'t>(text: Cow<'t, [u8]>, plain: &ByteSet) -> Cow<'t, [u8]> {
    let Some(first) = text.iter().position(|&byte| byte == b'%') else { return text };
    let (head, mut rest) = text.split_at(first);
    let mut out = Vec::with_capacity(text.len());
    out.extend_from_slice(head);
    while let [byte, after @ ..] = rest {
        rest = after;
        match escaped(*byte, after) {
            Some((octet, after)) => {
                rest = after;
                append(octet, plain, &mut out);
            }
            None => out.push(*byte),
        }
    }
    Cow::Owned(out)
}

/// Returns the octet of the escape that begins with `byte`, and the text after the escape.
fn escaped(byte: u8, after: &[u8]) -> Option<(u8, &[u8])> {
    let (&[high, low], after) = after.split_first_chunk()?;
    (byte == b'%').then_some((digit(high)? << 4 | digit(low)?, after))
}

const fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

/// Appends `octet` as itself if it is in `plain`, else as an escape.
pub(super) fn append(octet: u8, plain: &ByteSet, out: &mut Vec<u8>) {
    if plain.has(octet) {
        out.push(octet);
    } else {
        out.extend_from_slice(&escape(octet));
    }
}

#[cfg(test)]
mod tests {
    use super::{ByteSet, NONE, RFC1630, RFC1738, RFC3986, level};

    #[track_caller]
    fn case(plain: &ByteSet, text: &str, wanted: &str) {
        let found = level(text.as_bytes().into(), plain);
        assert_eq!(String::from_utf8_lossy(&found), wanted);
    }

    #[test]
    fn an_escape_is_looked_at_once() {
        case(&RFC3986, "%2541%25%34%31", "%2541%2541");
        case(&RFC3986, "%25%37%45", "%257E");
        case(&RFC3986, "%%41%4%zz%", "%A%4%zz%");
        case(&NONE, "%41%2c%2C", "%41%2C%2C");
    }

    #[test]
    fn each_document_has_its_own_set() {
        let all = "%21%24%26%27%28%29%2a%2b%2c%2d%2e%40%5f%7e%22%3d";
        case(&RFC1630, all, "%21$&'()%2A%2B,-.@_%7E\"%3D");
        case(&RFC1738, all, "!$%26'()*+,-.%40_%7E%22%3D");
        case(&RFC3986, all, "%21%24%26%27%28%29%2A%2B%2C-.%40_~%22%3D");
        for plain in [RFC1630, RFC1738, RFC3986] {
            case(&plain, "%2f%3f%23%3a%3b%00%09%80", "%2F%3F%23%3A%3B%00%09%80");
        }
    }
}
