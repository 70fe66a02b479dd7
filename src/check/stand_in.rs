//! Recognises, by their URIs, pages that stand in the place of another one: logins, errors, walls
//! of consent.

use crate::grammar::split;

/// Words of paths and hosts of logins.
const LOGINS: [&str; 16] = [
    "accounts",
    "auth",
    "authenticate",
    "authorize",
    "cas",
    "idp",
    "login",
    "logon",
    "oauth",
    "oauth2",
    "saml",
    "saml2",
    "session",
    "signin",
    "sso",
    "userlogin",
];

/// Words of paths and hosts of pages that tell why the page is not shown.
const WALLS: [&str; 19] = [
    "404",
    "accessdenied",
    "browser",
    "captcha",
    "challenge",
    "consent",
    "cookies",
    "error",
    "errors",
    "expired",
    "gone",
    "maintenance",
    "missing",
    "notfound",
    "pagenotfound",
    "sorry",
    "unsupported",
    "unsupportedbrowser",
    "unavailable",
];

/// Reports whether a redirect to `to` leads from `link` to a login. A link with the same word, as
/// in a manual about logins, has only moved.
pub fn leads_to_login(link: &[u8], to: &[u8]) -> bool {
    has_more(link, to, &LOGINS)
}

/// Reports whether a redirect to `to` leads from `link` to a page that stands in its place. A link
/// with the same word has only moved.
pub fn leads_to_stand_in(link: &[u8], to: &[u8]) -> bool {
    leads_to_login(link, to) || has_more(link, to, &WALLS)
}

/// Reports whether `to` has a word of `table` that `link` lacks.
fn has_more(link: &[u8], to: &[u8], table: &[&str]) -> bool {
    let mut of_table = words(to).filter(|word| table.contains(&&**word));
    of_table.any(|word| words(link).all(|known| known != word))
}

/// Returns the segments of the path of `uri` and the labels of its host, without endings of names,
/// hyphens and the prefix of WordPress, in lower case.
fn words(uri: &[u8]) -> impl Iterator<Item = String> {
    let parts = split(uri);
    let host = parts.host.map(|host| host.of(uri)).unwrap_or_default();
    let segments = parts.path.of(uri).split(|byte| *byte == b'/');
    segments.chain(host.split(|byte| *byte == b'.')).map(|segment| {
        let segment = String::from_utf8_lossy(segment).to_ascii_lowercase();
        let stem = segment.split('.').next().unwrap_or_default();
        let letters: String = stem.chars().filter(|it| !matches!(it, '-' | '_')).collect();
        letters.strip_prefix("wp").map(str::to_owned).unwrap_or(letters)
    })
}

#[cfg(test)]
mod tests {
    use super::{leads_to_login, leads_to_stand_in};

    #[test]
    fn logins_and_walls_are_told_by_words() {
        for (to, is_login, is_stand_in) in [
            ("http://h.example/b", false, false),
            ("http://h.example/wp-login.php?redirect_to=x", true, true),
            ("http://h.example/users/sign_in", true, true),
            ("http://LOGIN.h.example/", true, true),
            ("http://h.example/404.html", false, true),
            ("http://h.example/page-not-found", false, true),
            ("http://h.example/errors-in-go", false, false),
        ] {
            let [link, to] = ["http://h.example/a", to].map(str::as_bytes);
            assert_eq!(leads_to_login(link, to), is_login, "{}", to.escape_ascii());
            assert_eq!(leads_to_stand_in(link, to), is_stand_in, "{}", to.escape_ascii());
            assert!(!leads_to_stand_in(to, to), "{}", to.escape_ascii());
        }
    }
}
