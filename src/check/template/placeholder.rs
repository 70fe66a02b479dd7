//! Recognises names between two marks that batch files and configuration tools fill in:
//! `%VERSION%`, `@VERSION@`.
//!
//! Only names in capitals are recognised: others occur between two such marks by chance.

use super::{NAME_LEN_MAX, authority};

/// Reports whether a batch file fills in a part of `text`: `%VERSION%`. The last mark may be in
/// `after`, the text after it.
///
/// Between two escapes there may be capitals, too: `%C3A%B6`.
pub(super) fn has_percents(text: &[u8], after: &[u8]) -> bool {
    memchr::memchr_iter(b'%', text).any(|at| {
        let Some((name, rest)) = name_before(b'%', text, at + 1, after) else { return false };
        let is_escape = begins_byte(name) && (name.len() == 2 || begins_byte(rest));
        name.len() > 1 && name.first().is_some_and(u8::is_ascii_uppercase) && !is_escape
    })
}

/// Reports whether a program that builds pages fills in the beginning of `text`, a link of a
/// document: `%PUBLIC_URL%/a.png` (Create React App, Vite), `%sveltekit.assets%/a.png`.
///
/// No address begins with a percent sign, unless two digits of an escape follow.
pub(super) fn begins_with_percents(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"%") else { return false };
    let rest = rest.strip_prefix(b"sveltekit.").unwrap_or(rest);
    let near = rest.get(..rest.len().min(NAME_LEN_MAX)).unwrap_or_default();
    let Some((name, after)) = memchr::memchr(b'%', near).and_then(|len| rest.split_at_checked(len))
    else {
        return false;
    };
    let after = after.get(1..).unwrap_or_default();
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let is_known = rest.len() + 1 < text.len() || name.first().is_some_and(u8::is_ascii_uppercase);
    let is_escape = begins_byte(name) && (name.len() == 2 || begins_byte(after));
    name.len() > 1 && is_known && name.iter().all(is_of_name) && !is_escape
}

/// Reports whether `text` begins with the digits of an escape (RFC 3986 §2.1).
fn begins_byte(text: &[u8]) -> bool {
    text.len() > 1 && text.iter().take(2).all(u8::is_ascii_hexdigit)
}

/// Reports whether Autoconf, CMake or the like fill in a part of `text`: `@VERSION@`.
///
/// In an authority the first mark counts where a host, a port or a part of a name begins, not after
/// the name of a user, `http://USER@h/`.
pub(super) fn has_ats(text: &[u8]) -> bool {
    if memchr::memchr(b'@', text).is_none() {
        return false;
    }
    let (authority, rest) = authority(text);
    let path = if authority.is_empty() && rest.is_empty() { text } else { rest };
    let begins = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| authority.get(before));
        before.is_none_or(|byte| matches!(byte, b'.' | b':' | b'@' | b'-'))
    };
    memchr::memchr_iter(b'@', path).any(|at| is_between_ats(path, at))
        || memchr::memchr_iter(b'@', authority)
            .any(|at| begins(at) && is_between_ats(authority, at))
}

/// Reports whether the mark at `at` of `text` begins a name. If a word follows the mark that ends
/// the name, that is the mark of an address: `/@NASA@h.example`.
fn is_between_ats(text: &[u8], at: usize) -> bool {
    let Some((name, rest)) = name_before(b'@', text, at + 1, b"") else { return false };
    let is_in_word = rest.first().is_some_and(u8::is_ascii_alphanumeric);
    name.iter().any(u8::is_ascii_uppercase) && !is_in_word
}

/// Returns the name at `start` of `text` that `mark` ends, and the text after `mark`.
fn name_before<'t>(
    mark: u8,
    text: &'t [u8],
    start: usize,
    after: &'t [u8],
) -> Option<(&'t [u8], &'t [u8])> {
    let rest = text.get(start..)?;
    let is_of_name = |byte: &&u8| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_');
    let len = rest.iter().take(NAME_LEN_MAX).take_while(is_of_name).count();
    let (name, rest) = rest.split_at_checked(len)?;
    let rest = if rest.is_empty() { after } else { rest };
    Some((name, rest.strip_prefix(&[mark])?))
}

#[cfg(test)]
mod tests {
    use super::{begins_with_percents, has_ats, has_percents};

    #[test]
    fn variables_of_batch_files_are_told_from_escapes() {
        for (text, after, expected) in [
            ("https://h/dl/%VERSION%/x-%VERSION%.zip", "", true),
            ("https://%HOST%/a", "", true),
            ("https://h/%VERSION", "%\"", true),
            ("https://h/%VERSION", "", false),
            ("http://h/%FACE%/a", "", true),
            ("http://h/%X_1%", "", true),
            ("http://h/%DATE%20", "", false),
            ("http://h/%AB%20", "", false),
            ("http://h/%C3A%B6", "", false),
            ("http://h/%C3%BCBER%20", "", false),
            ("http://h/%E4%", "", false),
            ("http://h/%X%", "", false),
            ("http://h/%20A%", "", false),
            ("http://h/%name%", "", false),
        ] {
            let found = has_percents(text.as_bytes(), after.as_bytes());
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn links_of_pages_begin_with_variables() {
        for (text, expected) in [
            ("%PUBLIC_URL%/favicon.ico", true),
            ("%BASE_URL%", true),
            ("%VITE_X%/a.js", true),
            ("%sveltekit.assets%/favicon.png", true),
            ("%C3%A9/a", false),
            ("%C3A%B6", false),
            ("%name%/a", false),
            ("%A B%/a", false),
            ("%%/a", false),
            ("%PUBLIC_URL/a", false),
            ("a/%PUBLIC_URL%", false),
        ] {
            assert_eq!(begins_with_percents(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn variables_of_sources_are_told_from_users() {
        for (text, expected) in [
            ("https://@HOST@/a", true),
            ("http://h:@PORT@/", true),
            ("http://www.@DOMAIN@", true),
            ("http://u@@HOST@/", true),
            ("https://h/@V@/x.tgz", true),
            ("https://h/x-@VERSION@.tgz", true),
            ("https://h/@V@", true),
            ("file:///@PREFIX@/a", true),
            ("mailto:@PACKAGE_BUGREPORT@", true),
            ("@URL@/a", true),
            ("http://USER@h/", false),
            ("http://u:@PASS@h/", false),
            ("http://A@B@/", false),
            ("https://h/@NASA@social.example", false),
            ("https://h/@1@/", false),
            ("https://h/@name@/", false),
            ("mailto:A@B.example", false),
        ] {
            assert_eq!(has_ats(text.as_bytes()), expected, "{text}");
        }
    }
}
