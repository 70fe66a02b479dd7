//! Maps an IRI to a URI (RFC 3987 §3.1); the normal form of an IRI is that of its URI.
//!
//! The mapping neither decodes anything nor applies a Unicode normalisation form: by §5.3.2.2, an é
//! of one character and an é of two name different resources.

use std::borrow::Cow;
use std::sync::LazyLock;

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};

use super::generic::{by_scheme, syntax};
use super::parts::Parts;
use super::{Inapplicable, escape, require};
use crate::finding::ByteSet;
use crate::grammar::{Grammar, find};
use crate::uri::unescaped;

/// The name of the grammar.
const NAME: &str = "rfc3987-iri";

/// US-ASCII characters that a host may not hold after its mapping: the forbidden domain code points
/// of the URL Standard, and characters that RFC 3986 §3.2.2 excludes from registered names.
const DENIED: AsciiDenyList = AsciiDenyList::new(true, "%#/:<>?@[\\]^|\"`{}");

/// US-ASCII, which the mapping does not change.
const ASCII: ByteSet = ByteSet::range(0, 0x7F);

/// Returns the URI to which `iri` is mapped (RFC 3987 §3.1).
///
/// A host outside US-ASCII becomes its ASCII form by UTS 46 (non-transitional, as in the URL
/// Standard's "domain to ASCII"). In a host without such a form, and in all other components,
/// octets outside US-ASCII become escapes. A text in US-ASCII is its own URI.
///
/// ```
/// use linktrawl::internal::grammar::normalize::to_uri;
///
/// let host = "http://\u{4F8B}\u{5B50}.\u{5377}\u{7B52}\u{7EB8}";
/// assert_eq!(to_uri(host.as_bytes()), b"http://xn--fsqu00a.xn--3lr804guic");
/// assert_eq!(to_uri("http://h/\u{E9}%41".as_bytes()), b"http://h/%C3%A9%41");
/// ```
#[must_use]
pub fn to_uri(iri: &[u8]) -> Vec<u8> {
    if iri.is_ascii() {
        return iri.to_vec();
    }
    let mut parts = Parts::of(iri);
    parts.host = parts.host.map(|host| domain_to_ascii(&host).map_or(host, Cow::Owned));
    let text = parts.compose();
    let mut uri = Vec::with_capacity(text.len());
    text.iter().for_each(|&octet| escape::append(octet, &ASCII, &mut uri));
    uri
}

/// Returns the ASCII form of a host that needs one and has one.
fn domain_to_ascii(host: &[u8]) -> Option<Vec<u8>> {
    if host.is_ascii() {
        return None;
    }
    let found = Uts46::new().to_ascii(host, DENIED, Hyphens::Allow, DnsLength::Ignore).ok()?;
    // Ignorable characters alone map to nothing, and an empty host would be a different one.
    (!found.is_empty()).then(|| found.into_owned().into_bytes())
}

/// Reports whether `text` is an IRI, without building the fault that [`rfc3987`] returns. Relative
/// references are no IRIs, and documents have many.
pub(super) fn is_iri(text: &[u8]) -> bool {
    static IRI: LazyLock<Option<&'static dyn Grammar>> = LazyLock::new(|| find(NAME));
    IRI.is_none_or(|iri| iri.takes(text))
}

/// Returns the normal form of the URI (RFC 3987 §5.3.2 and §5.3.3 by way of §3.1).
pub(super) fn rfc3987(text: &[u8]) -> Result<Vec<u8>, Inapplicable> {
    require(NAME, text)?;
    normal(text)
}

/// Returns the normal form of `text`, which the grammar takes.
pub(super) fn normal(text: &[u8]) -> Result<Vec<u8>, Inapplicable> {
    let uri = to_uri(&with_iri_host(text));
    let normal = syntax(&uri)?;
    Ok(by_scheme(normal).compose())
}

/// Returns `text` with the escapes of its host decoded, if the host has an ASCII form then: §3.1
/// calls `r%C3%A9sum%C3%A9.example.org` and `xn--rsum-bpad.example.org` equivalent.
fn with_iri_host(text: &[u8]) -> Cow<'_, [u8]> {
    let mut parts = Parts::of(text);
    let decoded = parts.host.as_deref().map(unescaped).filter(|host| !host.is_ascii());
    let Some(ascii) = decoded.and_then(|host| domain_to_ascii(&host)) else {
        return Cow::Borrowed(text);
    };
    parts.host = Some(Cow::Owned(ascii));
    Cow::Owned(parts.compose())
}

#[cfg(test)]
mod tests {
    use super::{rfc3987, to_uri};

    #[track_caller]
    fn case(iri: &str, wanted: &str) {
        assert_eq!(String::from_utf8(to_uri(iri.as_bytes())).unwrap(), wanted, "of {iri}");
    }

    #[test]
    fn hosts_are_mapped_and_other_components_escaped() {
        case(
            "http://\u{4F8B}\u{5B50}.\u{5377}\u{7B52}\u{7EB8}",
            "http://xn--fsqu00a.xn--3lr804guic",
        );
        case(
            "http://example.com/\u{5F15}\u{304D}\u{5272}\u{308A}.html",
            "http://example.com/%E5%BC%95%E3%81%8D%E5%89%B2%E3%82%8A.html",
        );
        case("http://r\u{E9}sum\u{E9}.example.org", "http://xn--rsum-bpad.example.org");
        case("http://Fa\u{DF}.de:8/?\u{E9}#\u{E9}", "http://xn--fa-hia.de:8/?%C3%A9#%C3%A9");
        case("ftp://\u{E9}@H/%c3%a9", "ftp://%C3%A9@H/%c3%a9");
    }

    #[test]
    fn no_mapping_moves_a_delimiter_into_a_host() {
        case("http://a\u{FF0F}b.\u{E9}/", "http://a%EF%BC%8Fb.%C3%A9/");
        case("http://a\u{FF20}b/", "http://a%EF%BC%A0b/");
        case("http://a\u{FF02}/", "http://a%EF%BC%82/");
        case("http://\u{AD}/", "http://%C2%AD/");
        case("http://\u{E9}%41/", "http://%C3%A9%41/");
    }

    #[test]
    fn escapes_in_a_host_are_those_of_its_characters() {
        let normal = |text: &str| rfc3987(text.as_bytes()).unwrap();
        let name = "http://r\u{E9}sum\u{E9}.example.org/";
        assert_eq!(normal("http://r%C3%A9sum%C3%A9.example.org"), normal(name));
        assert_eq!(normal("http://a%2Fb.%C3%A9/"), b"http://a%2Fb.%C3%A9/");
    }

    #[test]
    fn composed_and_decomposed_letters_differ_in_a_path() {
        let normal = |text: &str| rfc3987(text.as_bytes()).unwrap();
        assert_ne!(normal("http://h/\u{E9}"), normal("http://h/e\u{301}"));
        assert_eq!(normal("http://h/\u{E9}"), normal("HTTP://H:80/%c3%A9"));
    }
}
