//! What a text counts as where different URIs are counted.
//!
//! Nearly every URI of a text is normal already, so that this is told first, by bytes alone
//! and without a copy. Texts that are no IRI count as themselves.

use std::borrow::Cow;

use super::iri::rfc3987;
use crate::scheme;

/// The bytes that stand for `text` among URIs: the normal form of the rule set `rfc3987`,
/// which is `rfc3986-scheme` with IRIs mapped first, and `text` itself where no IRI stands.
///
/// Borrows whatever is in its normal form.
///
/// ```
/// use linktrawl::grammar::normalize::key;
///
/// assert_eq!(key(b"HTTP://H:80"), key(b"http://h/"));
/// assert_eq!(*key(b"HTTP://H/ no URI"), b"HTTP://H/ no URI"[..]);
/// ```
#[must_use]
pub fn key(text: &[u8]) -> Cow<'_, [u8]> {
    match plain(text) {
        Plain::Normal => return Cow::Borrowed(text),
        Plain::HostAlone => return Cow::Owned([text, b"/"].concat()),
        Plain::No => {}
    }
    match rfc3987(text) {
        Ok(normal) if normal != text => Cow::Owned(normal),
        _ => Cow::Borrowed(text),
    }
}

/// What can be told by a look.
enum Plain {
    /// No rule would change the text, were it a URI.
    Normal,
    /// A scheme and a host, both normal: the path alone is missing (RFC 3986 §6.2.3).
    HostAlone,
    /// Nothing.
    No,
}

fn plain(text: &[u8]) -> Plain {
    if holds_escapes_or_dots(text) { Plain::No } else { plain_head(text) }
}

/// True when `text` has an escape, a byte beyond US-ASCII, or a dot that begins a segment.
///
/// One pass without a branch, which the compiler turns into vectors. The last byte is left
/// out: it begins no escape and no character of several bytes.
fn holds_escapes_or_dots(text: &[u8]) -> bool {
    let behind = text.get(1..).unwrap_or_default();
    let pairs = text.iter().zip(behind);
    pairs.fold(false, |any, (&byte, &next)| {
        any | (byte == b'%') | (byte >= 0x80) | (byte == b'/') & (next == b'.')
    })
}

/// A scheme in lower case, and behind it an authority without capitals, user and the port that
/// goes without saying, or a path that no scheme's rule looks into; that of mailto has domains,
/// which have no case.
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

/// True for a port at the beginning of `rest` that stays in a normal form, and a path behind it.
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
