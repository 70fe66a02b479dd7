//! Normalises by RFC 3986 §6.2: by syntax (§6.2.2), and by scheme (§6.2.3).
//!
//! The second builds on the first, so that texts equal by syntax are equal by scheme, too. IP
//! literals are unchanged: §6.2.2 does not mention them.

use std::borrow::Cow;

use super::parts::{Parts, lower};
use super::{Inapplicable, dots, escape, require};
use crate::scheme;

/// Normalises case, escapes and dot segments (§6.2.2).
pub(super) fn syntax(text: &[u8]) -> Result<Parts<'_>, Inapplicable> {
    require("rfc3986-uri", text)?;
    Ok(by_syntax(Parts::of(text)))
}

/// Normalises by syntax, then by the scheme's rules (§6.2.3).
pub(super) fn scheme(text: &[u8]) -> Result<Vec<u8>, Inapplicable> {
    syntax(text).map(|parts| by_scheme(parts).compose())
}

fn by_syntax(parts: Parts<'_>) -> Parts<'_> {
    let level = |part| escape::level(part, &escape::RFC3986);
    // Escapes come first: §6.2.2.2 makes `%2E` a dot, which may then form a dot segment.
    let path = level(parts.path);
    let has_dots = path.starts_with(b".") || path.windows(2).any(|pair| pair == b"/.");
    let path = if has_dots { Cow::Owned(dots::remove_dot_segments(&path)) } else { path };
    Parts {
        scheme: parts.scheme.map(lower),
        userinfo: parts.userinfo.map(level),
        // A letter decoded from an escape is a letter of the host.
        host: parts.host.map(level).map(lower),
        port: parts.port,
        path,
        query: parts.query.map(level),
        fragment: parts.fragment.map(level),
    }
    .without_false_authority()
}

impl Parts<'_> {
    /// Puts `/.` before a path that begins with two slashes and would be read as an authority
    /// (§3.3): `x:/.//a` keeps its dot. §5.2.4 leaves this case open.
    fn without_false_authority(mut self) -> Self {
        if self.host.is_none() && self.path.starts_with(b"//") {
            self.path = [b"/.", &*self.path].concat().into();
        }
        self
    }
}

/// Applies the equivalences of the scheme's own specification to `parts`, which are normal by
/// syntax.
///
/// `file` means the same machine with no host and with `localhost` (RFC 3986 §3.2.2), but that is
/// interpretation, not normalisation: two such texts stay different.
pub(super) fn by_scheme(mut parts: Parts<'_>) -> Parts<'_> {
    let known = parts.scheme.as_deref().and_then(scheme::find);
    let default_port = known.and_then(|scheme| scheme.port).map(|port| port.to_string());
    // Ports are compared as written: `080` is not removed.
    parts.port = parts.port.filter(|port| {
        !port.is_empty()
            && default_port.as_ref().is_none_or(|default| **port != *default.as_bytes())
    });
    if parts.host.is_some() && parts.path.is_empty() {
        parts.path = Cow::Borrowed(b"/");
    }
    if parts.is_of(b"mailto") {
        parts.path = Cow::Owned(with_lower_domains(&parts.path));
    }
    parts
}

/// Returns `path` with the domains of its addresses in lower case.
///
/// Commas separate addresses, and a domain follows the last `@` of one: RFC 6068 §2 requires both
/// to be escaped elsewhere.
fn with_lower_domains(path: &[u8]) -> Vec<u8> {
    let addresses = path.split(|&byte| byte == b',').map(|address| {
        let at = address.iter().rposition(|&byte| byte == b'@').unwrap_or(address.len());
        let (local, domain) = address.split_at(at);
        [local, &*lower(domain.into())].concat()
    });
    addresses.collect::<Vec<_>>().join(&b',')
}

#[cfg(test)]
mod tests {
    use super::{scheme, syntax};

    #[track_caller]
    fn case(text: &str, by_syntax: &str, by_scheme: &str) {
        let found = [syntax(text.as_bytes()).unwrap().compose(), scheme(text.as_bytes()).unwrap()];
        let found = found.map(|text| String::from_utf8(text).unwrap());
        assert_eq!(found, [by_syntax, by_scheme], "of {text}");
    }

    #[test]
    fn the_four_of_section_6_2_3_are_one_by_the_scheme() {
        let wanted = "http://example.com/";
        case("http://example.com", "http://example.com", wanted);
        case("http://example.com:/", "http://example.com:/", wanted);
        case("HTTP://example.COM:80/", "http://example.com:80/", wanted);
    }

    #[test]
    fn a_path_never_becomes_an_authority() {
        case("x:/.//a", "x:/.//a", "x:/.//a");
        case("x:a/..//b", "x:/.//b", "x:/.//b");
        case("x:/%2e%2e//a", "x:/.//a", "x:/.//a");
        case("x://h/.//a", "x://h//a", "x://h//a");
    }

    #[test]
    fn domains_of_mail_addresses_have_no_case() {
        case("mailto:A@B,C%40D@%45F", "mailto:A@B,C%40D@EF", "mailto:A@b,C%40D@ef");
        case("mailto:A?to=B@C", "mailto:A?to=B@C", "mailto:A?to=B@C");
        case("mailto:A@B%C3%A9", "mailto:A@B%C3%A9", "mailto:A@b%C3%A9");
    }

    #[test]
    fn what_is_empty_stays_unless_a_scheme_says_otherwise() {
        case("http://@H?#", "http://@h?#", "http://@h/?#");
        case("http://u:@h/", "http://u:@h/", "http://u:@h/");
        case("x://:", "x://:", "x:///");
    }
}
