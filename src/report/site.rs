//! Names the site of a link: the registrable domain of its host, which belongs to one owner
//! (publicsuffix.org).

use std::borrow::Cow;

use super::host::{ascii, host};
use crate::uri::suffix;

/// Returns the site of `uri`; `None` if its host is an address or a name that cannot be registered,
/// or it has none.
pub(super) fn site(uri: &str) -> Option<String> {
    registrable(&ascii_host(uri)?)
}

/// Returns the site of `uri`, or the address in its place.
pub(super) fn site_or_address(uri: &str) -> Option<String> {
    let host = ascii_host(uri)?;
    if is_address(&host) { Some(host) } else { registrable(&host) }
}

/// Returns the host of `uri` in lower case. Names beyond US-ASCII are mapped to A-labels; one that
/// UTS 46 does not allow stays as it is.
pub(super) fn ascii_host(uri: &str) -> Option<String> {
    let host = host(uri)?;
    match ascii(&host) {
        Some(Cow::Owned(mapped)) => Some(mapped),
        _ => Some(host),
    }
}

/// Returns the registrable domain of `host`; addresses have none.
pub(super) fn registrable(host: &str) -> Option<String> {
    if is_address(host) { None } else { suffix::registrable(host).map(str::to_owned) }
}

/// Reports whether `host` is an address: a literal, or a name that ends in a number (WHATWG URL
/// §3.5), which no registry has.
fn is_address(host: &str) -> bool {
    let last = host.rsplit('.').next().unwrap_or_default();
    host.starts_with('[') || !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{site, site_or_address};

    #[test]
    fn a_site_is_what_one_owner_has() {
        for (uri, wanted) in [
            ("http://www.Example.org:80/a", Some("example.org")),
            ("http://a.b.example.co.uk/", Some("example.co.uk")),
            ("https://user.github.io/x", Some("user.github.io")),
            ("mailto:a@lists.example.com", Some("example.com")),
            ("xmpp:room@conf.example.com/nick?join", Some("example.com")),
            ("http://www.ex%61mple.co.uk/", Some("example.co.uk")),
            ("http://EXAMPLE%2ecom/", Some("example.com")),
            ("http://b%C3%BCcher.example/", Some("xn--bcher-kva.example")),
            ("https://bob:***", None),
            ("www.example.net", Some("example.net")),
            ("http://127.0.0.1/", None),
            ("http://[2001:DB8::1]:8080/", None),
            ("http://1.2.3.999/", None),
            ("http://www.b\u{FC}cher.example/", Some("xn--bcher-kva.example")),
            ("http://h.unlisted/", Some("h.unlisted")),
            ("http://co.uk/", None),
            ("http://localhost/", None),
            ("urn:isbn:1", None),
            ("../a", None),
        ] {
            assert_eq!(site(uri).as_deref(), wanted, "{uri}");
        }
    }

    #[test]
    fn an_address_stands_for_a_site() {
        for (uri, wanted) in [
            ("http://127.0.0.1:8080/", Some("127.0.0.1")),
            ("http://[2001:DB8::1]/", Some("[2001:db8::1]")),
            ("http://www.example.org/", Some("example.org")),
            ("http://localhost/", None),
        ] {
            assert_eq!(site_or_address(uri).as_deref(), wanted, "{uri}");
        }
    }
}
