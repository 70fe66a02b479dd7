//! Judges whether the target of a permanent redirect can take the place of a link.
//!
//! Servers send 301 for what is not permanent, too, since many tools do so by default: to a
//! session, to a login, to a page of errors, to the home page in place of a page that is gone.

use crate::check::stand_in::leads_to_stand_in;
use crate::grammar::split;
use crate::uri::{holds_key, parameters, unescaped};

/// Reports whether `to` is where the page of the link `from` is now, as far as can be told.
pub(super) fn is_certain(from: &[u8], to: &[u8]) -> bool {
    let is_lost = !is_root(from) && is_root(to);
    !is_lost && !holds_key(to) && !names_link(from, to) && !leads_to_stand_in(from, to)
}

/// Reports whether `uri` is the root of a host, without a query.
fn is_root(uri: &[u8]) -> bool {
    let parts = split(uri);
    matches!(parts.path.of(uri), b"" | b"/") && parts.query.is_none()
}

/// Reports whether the query of `to` has the link `from`, to which its page leads back.
fn names_link(from: &[u8], to: &[u8]) -> bool {
    let path = split(from).path.of(from);
    let path = path.strip_suffix(b"/").unwrap_or(path);
    !path.is_empty()
        && parameters(to).any(|it| {
            let value = unescaped(it.value.unwrap_or_default());
            let value = value.strip_suffix(b"/").unwrap_or(&value);
            value.ends_with(path) && (value.len() == path.len() || value.starts_with(b"http"))
        })
}

#[cfg(test)]
mod tests {
    use super::is_certain;

    #[test]
    fn a_page_is_found_again_under_another_name() {
        for (from, to) in [
            ("http://h.example/a", "https://h.example/a"),
            ("http://h.example/a", "https://www.h.example/docs/a.html?v=2"),
            ("http://h.example/", "https://h.example/"),
            ("http://h.example", "https://other.example/"),
            ("http://h.example/login", "https://h.example/v2/login/"),
            ("http://h.example/guide/404.html", "https://h.example/v2/guide/404.html"),
            ("http://h.example/a", "https://h.example/?p=12"),
            ("http://h.example/errors-in-go", "https://h.example/blog/errors-in-go"),
        ] {
            assert!(is_certain(from.as_bytes(), to.as_bytes()), "{from} {to}");
        }
    }

    #[test]
    fn a_stand_in_is_no_page() {
        for to in [
            "http://h.example/",
            "https://www.h.example",
            "http://h.example/login?next=%2Fa%2Fb",
            "http://h.example/users/sign_in",
            "http://login.h.example/",
            "http://h.example/x?continue=http%3A%2F%2Fh.example%2Fa%2Fb",
            "http://h.example/x?u=/a/b/",
            "http://h.example/404.html",
            "http://h.example/page-not-found",
            "http://h.example/a/b;jsessionid=0123456789",
            "http://h.example/a/b?PHPSESSID=0123456789",
            "http://h.example/f.zip?X-Amz-Expires=300&X-Amz-Signature=abcdef",
            "http://h.example/a/b?access_token=abcdef",
        ] {
            assert!(!is_certain(b"http://h.example/a/b", to.as_bytes()), "{to}");
        }
    }
}
