//! Names the site of a link: the registrable domain of its host, which belongs to one owner
//! (publicsuffix.org), or its address.

use super::host::host;

/// Returns the site of `uri`; `None` if it has no host, or one that nobody can register.
pub(super) fn site(uri: &str) -> Option<String> {
    let host = host(uri)?;
    if is_address(&host) {
        return Some(host);
    }
    psl::domain_str(&host).map(str::to_owned)
}

/// Reports whether `host` is an address: a literal, or a name that ends in a number (WHATWG URL
/// §3.5), which no registry has.
fn is_address(host: &str) -> bool {
    let last = host.rsplit('.').next().unwrap_or_default();
    host.starts_with('[') || !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::site;

    #[test]
    fn a_site_is_what_one_owner_has() {
        for (uri, wanted) in [
            ("http://www.Example.org:80/a", Some("example.org")),
            ("http://a.b.example.co.uk/", Some("example.co.uk")),
            ("https://user.github.io/x", Some("user.github.io")),
            ("mailto:a@lists.example.com", Some("example.com")),
            ("www.example.net", Some("example.net")),
            ("http://127.0.0.1/", Some("127.0.0.1")),
            ("http://[2001:DB8::1]:8080/", Some("[2001:db8::1]")),
            ("http://h.unlisted/", Some("h.unlisted")),
            ("http://co.uk/", None),
            ("http://localhost/", None),
            ("urn:isbn:1", None),
            ("../a", None),
        ] {
            assert_eq!(site(uri).as_deref(), wanted, "{uri}");
        }
    }
}
