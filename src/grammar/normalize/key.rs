//! Computes the key by which distinct URIs are counted.
//!
//! Nearly every URI in a text is normal already, which a first pass over its bytes detects without
//! a copy. A text that is no IRI is its own key.

use std::borrow::Cow;

use super::iri::{is_iri, normal};
use crate::scheme;

/// Returns the key that represents `text` when distinct URIs are counted: its normal form by the
/// rule set `rfc3987`, which is `rfc3986-scheme` after IRIs are mapped to URIs, or `text` itself if
/// it is no IRI.
///
/// A text in normal form is borrowed.
///
/// ```
/// use linktrawl::internal::grammar::normalize::key;
///
/// assert_eq!(key(b"HTTP://H:80"), key(b"http://h/"));
/// assert_eq!(*key(b"HTTP://H/ no URI"), b"HTTP://H/ no URI"[..]);
/// ```
#[must_use]
pub fn key(text: &[u8]) -> Cow<'_, [u8]> {
    match plain(text) {
        Plain::Normal => return Cow::Borrowed(text),
        Plain::HostAlone => return Cow::Owned([text, b"/"].concat()),
        Plain::No if !is_iri(text) => return Cow::Borrowed(text),
        Plain::No => {}
    }
    match normal(text) {
        Ok(form) if form != text => Cow::Owned(form),
        _ => Cow::Borrowed(text),
    }
}

/// The result of a look at the bytes alone.
enum Plain {
    /// No rule would change the text if it is a URI.
    Normal,
    /// A scheme and a host, both normal: only the path is missing (RFC 3986 §6.2.3).
    HostAlone,
    /// Undecided.
    No,
}

fn plain(text: &[u8]) -> Plain {
    if holds_escapes_or_dots(text) { Plain::No } else { plain_head(text) }
}

/// Reports whether `text` has an escape, a byte outside US-ASCII, or a dot that begins a segment.
///
/// One pass without a branch, which the compiler vectorises. The last byte is not examined: it
/// begins no escape and no character of several bytes.
fn holds_escapes_or_dots(text: &[u8]) -> bool {
    let after = text.get(1..).unwrap_or_default();
    let pairs = text.iter().zip(after);
    pairs.fold(false, |any, (&byte, &next)| {
        any | (byte == b'%') | (byte >= 0x80) | (byte == b'/') & (next == b'.')
    })
}

/// Checks for a scheme in lower case, followed by an authority without capitals, user and default
/// port, or by a path that no scheme's rule changes. A mailto path must have no capitals, since
/// domains are case-insensitive.
fn plain_head(text: &[u8]) -> Plain {
    let is_plain = |&byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let scheme_len = text.iter().take_while(|byte| is_plain(byte)).count();
    let (scheme, rest) = text.split_at(scheme_len);
    let Some(hierarchy) = rest.strip_prefix(b"://") else {
        let opaque = rest.strip_prefix(b":").unwrap_or(b".");
        let has_capitals = || opaque.iter().any(u8::is_ascii_uppercase);
        let is_normal = !opaque.starts_with(b".") && (scheme != b"mailto" || !has_capitals());
        return if is_normal { Plain::Normal } else { Plain::No };
    };
    let is_host = |byte: &u8| is_plain(byte) || matches!(byte, b'.' | b'-' | b'_');
    let host_len = hierarchy.iter().take_while(|byte| is_host(byte)).count();
    let starts_with_letter = scheme.first().is_some_and(u8::is_ascii_lowercase);
    match hierarchy.get(host_len) {
        Some(b'/') => Plain::Normal,
        Some(b':') if is_plain_port(scheme, hierarchy.get(host_len + 1..)) => Plain::Normal,
        None if starts_with_letter => Plain::HostAlone,
        _ => Plain::No,
    }
}

/// Reports whether `rest` begins with a port that a normal form keeps, and a path.
fn is_plain_port(scheme: &[u8], rest: Option<&[u8]>) -> bool {
    let rest = rest.unwrap_or_default();
    let (port, path) = rest.split_at(rest.iter().take_while(|byte| byte.is_ascii_digit()).count());
    // Beyond five digits it may be no port at all.
    let number = str::from_utf8(port).ok().filter(|port| port.len() <= 5);
    let number = number.and_then(|port| port.parse::<u16>().ok());
    let default = scheme::find(scheme).and_then(|scheme| scheme.port);
    path.starts_with(b"/") && number.is_some() && number != default
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::key;

    #[track_caller]
    fn case(text: &str, wanted: &str) {
        assert_eq!(String::from_utf8_lossy(&key(text.as_bytes())), wanted, "of {text}");
    }

    #[test]
    fn what_is_normal_is_borrowed() {
        for text in [
            "http://www.w3.org/Addressing/URL/5_BNF.html",
            "http://h/?a=B#C",
            "http://h/a%2Fb",
            "http://h/.well-known/x",
            "http://h:8080/",
            "mailto:A@b",
            "news:Comp.lang.c",
            "file:///x",
            "no URI",
            "http://H/ no URI",
            "",
        ] {
            assert!(matches!(key(text.as_bytes()), Cow::Borrowed(_)), "{text}");
            case(text, text);
        }
    }

    #[test]
    fn what_is_not_normal_gets_its_normal_form() {
        case("HTTP://H", "http://h/");
        case("http://h:80/%7Ea/../b", "http://h/b");
        case("mailto:A@B", "mailto:A@b");
        case("http://h:080/", "http://h:080/");
        case("http://h:80/a", "http://h/a");
        case("https://h:80/a", "https://h:80/a");
        case("http://h:/a", "http://h/a");
        case("http://h:8080/a/../b", "http://h:8080/b");
        case("x:./a", "x:a");
        case("x:a/.", "x:a/");
        case("http://\u{E9}.org/\u{E9}", "http://xn--9ca.org/%C3%A9");
        case("www.Example.org", "www.Example.org");
    }
}
