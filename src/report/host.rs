//! Extracts the host of a URI, by which reports count and group.
//!
//! No grammar is applied: malformed URIs have hosts, too (RFC 3986 §3.2.2).

/// Maximum length of a host in characters: that of the domain name system (RFC 1034 §3.1), and some
/// more for escapes. Longer hosts are cut.
const HOST_CHARS_MAX: usize = 300;

/// Schemes without an authority whose addresses are `local@domain` (RFC 6068 §2, RFC 3261 §19.1.1).
const ADDRESSES: [&str; 4] = ["mailto", "sip", "sips", "xmpp"];

/// Returns the host of `uri` in lower case, or the domain of its address; `None` if it has neither.
pub(super) fn host(uri: &str) -> Option<String> {
    let (scheme, rest) = uri.split_once(':').unwrap_or(("", uri));
    let is_address = ADDRESSES.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let begins = |prefix| uri.get(..4).is_some_and(|head: &str| head.eq_ignore_ascii_case(prefix));
    let authority = if is_address {
        rest.split(['?', ',', ';', '>']).next()?.rsplit_once('@')?.1
    } else if let Some(after) = rest.strip_prefix("//").or_else(|| uri.strip_prefix("//")) {
        after.split(['/', '?', '#', '\\']).next()?
    } else if begins("www.") {
        uri.split(['/', '?', '#', '\\']).next()?
    } else {
        return None;
    };
    let after_user = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let name = cut(without_port(after_user)).trim_end_matches('.');
    let lower = if name.is_ascii() { name.to_ascii_lowercase() } else { name.to_lowercase() };
    Some(lower).filter(|name| !name.is_empty())
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
    }

    #[test]
    fn what_has_no_host_has_none() {
        for uri in ["", "../a", "urn:isbn:1", "news:a@b", "http:", "http://", "http:///a", "x:y"] {
            case(uri, None);
        }
    }
}
