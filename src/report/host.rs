//! Extracts the host of a URI, by which reports count and group.
//!
//! No grammar is applied: malformed URIs have hosts, too (RFC 3986 §3.2.2).

use std::borrow::Cow;

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};

use crate::scheme::{self, Scheme};
use crate::uri::unescaped;

/// Maximum length of a host in characters: that of the domain name system (RFC 1034 §3.1), and some
/// more for escapes. Longer hosts are cut.
const HOST_CHARS_MAX: usize = 300;

/// The text in place of a password. Without an `@` after it, the text before it may be a user.
const HIDDEN: &str = "***";

/// Returns the host of `uri` in lower case and without escapes, or the domain of its address;
/// `None` if it has neither, or its end is hidden.
pub(super) fn host(uri: &str) -> Option<String> {
    let (name, rest) = uri.split_once(':').unwrap_or(("", uri));
    let is_address = scheme::find(name.as_bytes()).is_some_and(Scheme::has_domain);
    let begins = |prefix| uri.get(..4).is_some_and(|head: &str| head.eq_ignore_ascii_case(prefix));
    let authority = if is_address {
        domain(name, rest)?
    } else if let Some(after) = rest.strip_prefix("//").or_else(|| uri.strip_prefix("//")) {
        after.split(['/', '?', '#', '\\']).next()?
    } else if begins("www.") {
        uri.split(['/', '?', '#', '\\']).next()?
    } else {
        return None;
    };
    let after_user = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if after_user.contains(HIDDEN) {
        return None;
    }
    let decoded = decoded(without_port(after_user));
    let name = cut(&decoded).trim_end_matches('.');
    let lower = if name.is_ascii() { name.to_ascii_lowercase() } else { name.to_lowercase() };
    Some(lower).filter(|name| !name.is_empty())
}

/// Returns the domain of the address that `rest` begins with, after the name of its `scheme`.
fn domain<'u>(scheme: &str, rest: &'u str) -> Option<&'u str> {
    let mut address = rest.split(['?', '#', ',', ';', '>']).next()?;
    if scheme.eq_ignore_ascii_case("xmpp") {
        // An account may precede the address, and a resource, which may have an `@`, follows it.
        if let Some(account) = address.strip_prefix("//") {
            let addressed = account.split_once('/').filter(|(_, address)| !address.is_empty());
            address = addressed.map_or(account, |(_, address)| address);
        }
        address = address.split('/').next()?;
    }
    address.rsplit_once('@')?.1.split('/').next()
}

/// Returns `name` with its escapes decoded (RFC 3986 §3.2.2); as it is if that is no name.
fn decoded(name: &str) -> Cow<'_, str> {
    // A zone follows an escape (RFC 6874 §2).
    if name.starts_with('[') {
        return Cow::Borrowed(name);
    }
    match unescaped(name.as_bytes()) {
        Cow::Owned(decoded) => match String::from_utf8(decoded) {
            Ok(decoded) if is_name(&decoded) => Cow::Owned(decoded),
            _ => Cow::Borrowed(name),
        },
        Cow::Borrowed(_) => Cow::Borrowed(name),
    }
}

/// Reports whether `name` has no delimiter, no control and no blank (WHATWG URL §3.1), and can be
/// mapped to US-ASCII.
fn is_name(name: &str) -> bool {
    const DELIMITERS: &str = "\"#%/:<>?@[\\]^`{|}";
    let is_other =
        |char: char| char.is_control() || char.is_whitespace() || DELIMITERS.contains(char);
    !name.is_empty() && !name.contains(is_other) && ascii(name).is_some()
}

/// Maps `name` to A-labels; `None` if UTS 46 does not allow it.
pub(super) fn ascii(name: &str) -> Option<Cow<'_, str>> {
    if name.is_ascii() {
        return Some(Cow::Borrowed(name));
    }
    let (any, hyphens, lengths) = (AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore);
    Uts46::new().to_ascii(name.as_bytes(), any, hyphens, lengths).ok()
}

/// Returns the beginning of `host` that is reported.
fn cut(host: &str) -> &str {
    if host.len() <= HOST_CHARS_MAX {
        return host;
    }
    let end = host.char_indices().nth(HOST_CHARS_MAX).map(|(end, _)| end);
    end.and_then(|end| host.get(..end)).unwrap_or(host)
}

/// Removes the port. A literal in brackets contains colons of its own (RFC 3986 §3.2.2).
fn without_port(host: &str) -> &str {
    match host.split_once(']') {
        Some((literal, _)) if host.starts_with('[') => host.get(..=literal.len()).unwrap_or(host),
        _ => host.split(':').next().unwrap_or(host),
    }
}

/// The name in place of a host for links without one.
pub(super) const NO_HOST: &str = "(no host)";

#[cfg(test)]
mod tests {
    use super::host;

    #[track_caller]
    fn case(uri: &str, name: Option<&str>) {
        assert_eq!(host(uri).as_deref(), name, "{uri}");
    }

    #[test]
    fn a_host_is_what_stands_between_user_and_port() {
        case("http://Example.ORG:80/a@b", Some("example.org"));
        case("ftp://u:***@h.example./", Some("h.example"));
        case("http://[2001:DB8::1]:8080/", Some("[2001:db8::1]"));
        case("//cdn.example/x", Some("cdn.example"));
        case("www.example.org/a:b", Some("www.example.org"));
        case("http://h?q", Some("h"));
        case("http://h#f", Some("h"));
        let long = |char: &str, count| char.repeat(count);
        let cut = long("\u{e9}", 300);
        case(&format!("http://{}/", long("\u{c9}", 301)), Some(&cut));
        case(&format!("http://{}./", long("A", 300)), Some(&long("a", 300)));
    }

    #[test]
    fn an_address_has_its_domain() {
        case("mailto:a@Example.org?subject=x@y", Some("example.org"));
        case("mailto:a%40b", None);
        case("sip:a@h;transport=tcp", Some("h"));
        case("mailto:a/b@h/c#d@e", Some("h"));
        case("acct:a@h", Some("h"));
        case("im:a@H.example?x", Some("h.example"));
        case("PRES:a@h.example", Some("h.example"));
    }

    #[test]
    fn an_address_of_xmpp_has_no_resource() {
        case("xmpp:a@b.example/r", Some("b.example"));
        case("xmpp:a@b.example/r@s/t?join", Some("b.example"));
        case("XMPP:a@b.example#r", Some("b.example"));
        case("xmpp://guest@g.example/a@b.example/r?message", Some("b.example"));
        case("xmpp://guest@g.example", Some("g.example"));
        case("xmpp://guest@g.example/?message", Some("g.example"));
    }

    #[test]
    fn escapes_of_a_name_are_decoded() {
        case("http://ex%61mple.COM/", Some("example.com"));
        case("http://h.example%2e:80/", Some("h.example"));
        case("mailto:a@ex%61mple.com", Some("example.com"));
        case("http://b%C3%9Ccher.example/", Some("b\u{FC}cher.example"));
        for name in ["a%40b", "a%2fb", "a%3a80", "a%20b", "a%00b", "%ff", "a%zz", "a%2561"] {
            case(&format!("http://{name}/"), Some(name));
        }
        case("http://a%E2%80%AEb/", Some("a%e2%80%aeb"));
        case("http://[fe80::1%25eth0]/", Some("[fe80::1%25eth0]"));
    }

    #[test]
    fn a_user_whose_password_is_hidden_is_no_host() {
        case("https://bob:***", None);
        case("https://bob%3A***", None);
        case("https://[2001:***", None);
        case("sip:x@[2001:***", None);
        case("https://***@h.example/", Some("h.example"));
        case("https://h.example/***", Some("h.example"));
    }

    #[test]
    fn what_has_no_host_has_none() {
        for uri in ["", "../a", "urn:isbn:1", "news:a@b", "http:", "http://", "http:///a", "x:y"] {
            case(uri, None);
        }
    }
}
