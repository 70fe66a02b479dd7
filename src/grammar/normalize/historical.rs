//! Normalises escapes and case by rules of single documents: RFC 1630, RFC 1738, and RFC 8141 for
//! URNs.
//!
//! RFC 1630 and RFC 1738 define equivalence by the octets that may be escaped at will. They also
//! give the meaning of a default port or a type code, but as the behaviour of a client, not as an
//! equivalence; it is not normalised here.

use std::borrow::Cow;

use super::parts::{Parts, lower};
use super::{Inapplicable, escape, require};

/// Normalises by RFC 1630: "it is necessary to bring them to the same encoding level", but reserved
/// characters "may NEVER be encoded and unencoded in this way" (Examples 1 to 3).
pub(super) fn rfc1630(text: &[u8]) -> Result<Vec<u8>, Inapplicable> {
    require("rfc1630", text)?;
    let parts = Parts::of(without_prefix(text));
    let level = |part| escape::level(part, &escape::RFC1630);
    let parts = Parts {
        scheme: parts.scheme.map(lower),
        host: parts.host.map(lower),
        path: level_segments(&parts.path),
        query: parts.query.map(level),
        // "A void fragment-id with or without the hash sign means […] the whole object."
        fragment: parts.fragment.map(level).filter(|fragment| !fragment.is_empty()),
        ..parts
    };
    Ok(parts.compose())
}

/// Returns the text after `url:`, which announces a URL and is no part of it (`prefixedurl`).
fn without_prefix(text: &[u8]) -> &[u8] {
    const PREFIX: &[u8] = b"url:";
    let mut rest = text;
    // All of them: a normal form must not have a prefix left.
    while let Some((_, after)) =
        rest.split_at_checked(PREFIX.len()).filter(|(head, _)| head.eq_ignore_ascii_case(PREFIX))
    {
        rest = after;
    }
    rest
}

/// Normalises the escapes of each segment of `path`, without decoding a dot that would form a dot
/// segment: "Substrings consisting of single or double dots are similarly reserved".
fn level_segments<'t>(path: &Cow<'t, [u8]>) -> Cow<'t, [u8]> {
    let segments = path.split(|&byte| byte == b'/').map(|segment| {
        let levelled = escape::level(segment.into(), &escape::RFC1630);
        match &*levelled {
            b"." | b".." => escape::level(segment.into(), &escape::NONE),
            _ => levelled,
        }
    });
    Cow::Owned(segments.collect::<Vec<_>>().join(&b'/'))
}

/// Normalises by RFC 1738 §2.2: "Usually a URL has the same interpretation when an octet is
/// represented by a character and when it encoded", but for reserved characters.
///
/// A fragment is no part of a URL (§2.2, "Unsafe"): it is compared unchanged. The document does not
/// mention dots, so that `%2E%2E` is `..`.
pub(super) fn rfc1738(text: &[u8]) -> Result<Vec<u8>, Inapplicable> {
    let whole = Parts::of(text);
    let url = Parts { fragment: None, ..Parts::of(text) }.compose();
    require("rfc1738", &url)?;
    let level = |part| escape::level(part, &escape::RFC1738);
    let parts = Parts {
        scheme: whole.scheme.map(lower),
        userinfo: whole.userinfo.map(level),
        host: whole.host.map(lower),
        path: level(whole.path),
        query: whole.query.map(level),
        ..whole
    };
    Ok(parts.compose())
}

/// Normalises by RFC 8141 §3.1: returns the assigned name, with scheme and namespace in lower case
/// and the digits of escapes in upper case. The r-, q- and f-components "are not taken into
/// account".
pub(super) fn rfc8141(text: &[u8]) -> Result<Vec<u8>, Inapplicable> {
    require("rfc8141", text)?;
    // §2: an r-component begins with `?+`, and no NSS holds a question mark, so that the
    // query holds both components.
    let parts = Parts::of(text);
    let namespace_len = parts.path.iter().position(|&byte| byte == b':').unwrap_or_default();
    let (namespace, name) = parts.path.split_at(namespace_len);
    let name = escape::level(name.into(), &escape::NONE);
    let path = [&*lower(namespace.into()), &*name].concat();
    let urn = Parts { scheme: parts.scheme.map(lower), path: path.into(), ..Parts::default() };
    Ok(urn.compose())
}

#[cfg(test)]
mod tests {
    use super::{rfc1630, rfc1738, rfc8141};

    #[track_caller]
    fn case(found: Vec<u8>, wanted: &str) {
        assert_eq!(String::from_utf8(found).unwrap(), wanted);
    }

    #[test]
    fn dots_that_are_data_stay_escaped_in_1630_alone() {
        let text = b"http://h/%2e%2E/a%2eb/.%2e/%2E";
        case(rfc1630(text).unwrap(), "http://h/%2E%2E/a.b/.%2E/%2E");
        case(rfc1738(text).unwrap(), "http://h/../a.b/../.");
    }

    #[test]
    fn the_prefix_of_1630_is_no_part_of_a_url() {
        case(rfc1630(b"URL:HTTP://H/").unwrap(), "http://h/");
        case(rfc1630(b"http://h/url%3a").unwrap(), "http://h/url%3A");
    }

    #[test]
    fn a_void_fragment_goes_in_1630_and_stays_beside_the_url_in_1738() {
        case(rfc1630(b"http://h/#").unwrap(), "http://h/");
        case(rfc1738(b"http://h/#").unwrap(), "http://h/#");
        case(rfc1738(b"http://h/%41#%41").unwrap(), "http://h/A#%41");
    }

    #[test]
    fn a_urn_is_its_assigned_name() {
        let text = b"URN:Example:A%2c/b?+r?=q#f";
        case(rfc8141(text).unwrap(), "urn:example:A%2C/b");
        assert!(rfc8141(b"http://h/").is_err());
    }
}
