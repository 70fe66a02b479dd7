//! Links of mail that do something when they are asked for: unsubscribe, confirm, delete.
//!
//! A GET is meant to be safe (RFC 9110 §9.2.1) and often is not: mail software has taken people
//! off lists by following links (RFC 8058 §1). Nobody can tell from a link what it does. What is
//! known is how mail software, forums and shops write such links, in several languages, and that
//! a link which is made for one reader tells its sender who asks: it holds a token, an address,
//! or a name that nobody would write. Where it is not clear, a link is left alone; a page about
//! unsubscribing may be left alone by mistake.
//!
//! Not done: nothing is looked up, so that a short link tells no more than its text; and words
//! of languages that are not in the tables are unknown.

mod hosts;
mod link;
mod token;
mod words;

use link::Link;

/// Header fields whose links act, or are only there to be acted upon (RFC 2369, RFC 8058).
const ACTING_FIELDS: &[&str] = &[
    "list-unsubscribe",
    "list-unsubscribe-post",
    "list-subscribe",
    "list-post",
    "list-owner",
    "list-help",
    "list-archive",
];

/// Schemes whose questions send what stands behind the host. In news and FTP nothing is asked
/// that could act, and nobody is told a mail address.
const SENDING: &[&str] = &["http", "https", "gopher"];

/// Bytes of a link that are looked at. What is longer is made by a machine.
const LINK_LEN_MAX: usize = 8 * 1024;

/// What asking for `uri`, a link of mail in the header field `header`, may do; none when it
/// looks harmless.
#[must_use]
pub fn of(uri: &[u8], header: Option<&[u8]>, is_one_click: bool) -> Option<&'static str> {
    if header.is_some_and(is_acting_field) {
        return Some("use a list's command");
    }
    if is_one_click {
        return Some("unsubscribe, as its message offers with one click");
    }
    sent_by(uri)
}

/// What asking for `uri` may do by its text alone, wherever it stands.
#[must_use]
pub fn sent_by(uri: &[u8]) -> Option<&'static str> {
    let (authority, behind) = apart(uri)?;
    if behind.len() > LINK_LEN_MAX {
        return Some("use a token");
    }
    let text = token::decoded(behind);
    let link = Link::of(&text);
    let by_host = hosts::of(authority, !text.trim_matches('/').is_empty());
    by_host.or_else(|| words::of(&link)).or_else(|| link.has_token().then_some("use a token"))
}

fn is_acting_field(name: &[u8]) -> bool {
    ACTING_FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field.as_bytes()))
}

/// The authority of a URI, and what stands behind it; none where asking sends neither.
fn apart(uri: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = match memchr::memmem::find(uri, b"://") {
        Some(colon) => {
            let scheme = uri.get(..colon)?;
            let is_sent = |name: &&str| scheme.eq_ignore_ascii_case(name.as_bytes());
            SENDING.iter().any(is_sent).then_some(())?;
            uri.get(colon + 3..)?
        }
        // A name without a scheme is short for `http://`.
        None if uri.get(..4).is_some_and(|text| text.eq_ignore_ascii_case(b"www.")) => uri,
        None => return None,
    };
    let end = memchr::memchr3(b'/', b'?', b'#', rest).unwrap_or(rest.len());
    rest.split_at_checked(end)
}

#[cfg(test)]
mod tests {
    use super::{LINK_LEN_MAX, of};

    #[test]
    fn what_acts_is_left_alone() {
        for uri in [
            "http://h/unsubscribe?id=3",
            "http://h/list/UnSubscribe",
            "https://h/a/doOptOut",
            "https://h/x?confirm=1",
            "https://h/account/password-reset",
            "https://h/?action=delete&id=2",
            "https://h/v?VOTE=yes",
            "https://h/x#access_token=1",
            "https://h/u/9f86d081884c7d659a2feaa0c55ad015",
            "HTTP://h/unsubscribe",
            "www.example.com/unsubscribe",
            "gopher://h/7/unsubscribe?bob",
        ] {
            assert!(of(uri.as_bytes(), None, false).is_some(), "{uri}");
        }
        assert!(of(b"http://h/", Some(b"LIST-Unsubscribe"), false).is_some());
        assert!(of(b"http://h/", None, true).is_some());
        let long = ["http://h/", &"/a".repeat(LINK_LEN_MAX / 2)].concat();
        assert!(of(long.as_bytes(), None, false).is_some());
        assert!(of(&long.as_bytes()[..LINK_LEN_MAX], None, false).is_none());
    }

    #[test]
    fn what_looks_harmless_is_not() {
        for uri in [
            "http://h/",
            "http://unsubscribe.example/",
            "http://h/cgi-bin/devote.html",
            "http://h/archives/1994-12/0123.html",
            "http://h/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "news:unsubscribe@9f86d081884c7d659a2feaa0c55ad015",
            "mailto:bob@h?subject=unsubscribe",
            "http:",
            "",
        ] {
            assert_eq!(of(uri.as_bytes(), None, false), None, "{uri}");
        }
        assert_eq!(of(b"http://h/a", Some(b"Subject"), false), None);
    }
}
