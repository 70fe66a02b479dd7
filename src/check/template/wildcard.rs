//! Recognises patterns of hosts and ports, as in policies of pages and of extensions:
//! `https://*.h.example` (Content Security Policy Level 3 §2.3.1), `http://localhost:*`.
//!
//! In a path or a query an asterisk is an ordinary character.

use memchr::memmem;

use super::authority;

/// Bytes before a URI that are searched for emphasis that is open there.
const BACK_MAX: usize = 512;

/// Reports whether the host or the port of `text` is a pattern.
///
/// An asterisk at the end of both `text` and a word may be emphasis, those in a user information
/// replace a password, and those of `*|HOST|*` are a place that a mailing has not filled in, a
/// fault wherever it is read.
pub(super) fn is_wildcard(text: &[u8]) -> bool {
    if memchr::memchr(b'*', text).is_none() {
        return false;
    }
    let (authority, rest) = authority(text);
    let user = memchr::memrchr(b'@', authority).map_or(0, |at| at + 1);
    let host = authority.get(user..).unwrap_or_default();
    let begins = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| host.get(before));
        before.is_none_or(|byte| matches!(byte, b'.' | b':')) || host.get(at + 1) == Some(&b'.')
    };
    memchr::memchr(b'|', host).is_none()
        && memchr::memchr_iter(b'*', host).any(|at| !rest.is_empty() || begins(at))
}

/// Reports whether `after`, the text after a bare URI `text` without a port, means all ports:
/// `:*`. The asterisk may instead close emphasis that opens in the text `before`.
pub(super) fn is_of_all_ports(before: &[u8], text: &[u8], after: &[u8]) -> bool {
    let Some(after) = after.strip_prefix(b":*") else { return false };
    let (authority, rest) = authority(text);
    let goes_on = after.first().is_some_and(|byte| *byte == b'*' || byte.is_ascii_alphanumeric());
    let has_port = memchr::memchr(b':', authority).is_some();
    let is_host = !authority.is_empty() && rest.is_empty() && !has_port;
    is_host && !goes_on && !opens_emphasis(before)
}

/// Reports whether the last asterisk of `text` opens emphasis: a word follows, and none precedes
/// it.
fn opens_emphasis(text: &[u8]) -> bool {
    let near = text.get(text.len().saturating_sub(BACK_MAX)..).unwrap_or_default();
    // No emphasis crosses an empty line.
    let after = |line: &[u8]| memmem::rfind(near, line).map_or(0, |at| at + line.len());
    let near = near.get(after(b"\n\n").max(after(b"\n\r\n"))..).unwrap_or_default();
    let Some(at) = memchr::memrchr(b'*', near) else { return false };
    let before = at.checked_sub(1).and_then(|before| near.get(before));
    let is_apart =
        |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'(' | b'[' | b'"' | b'_' | b'*');
    let is_of_word = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'(' | b'[' | b'`' | b'_' | 0x80..)
    };
    before.is_none_or(is_apart) && near.get(at + 1).is_none_or(is_of_word)
}

#[cfg(test)]
mod tests {
    use super::{is_of_all_ports, is_wildcard};

    #[test]
    fn patterns_of_hosts_are_told_from_asterisks() {
        for (text, expected) in [
            ("https://*.h.example/*", true),
            ("https://*.h.example", true),
            ("http://*:8080", true),
            ("https://*/", true),
            ("http://localhost:*/x", true),
            ("http://127.0.0.1:*/", true),
            ("https://a-*.h.example", true),
            ("https://a*b.example/", true),
            ("*://*.h.example/", true),
            ("http://h/a*b", false),
            ("http://h/*", false),
            ("http://h/?q=*.*", false),
            ("http://u:***@h/", false),
            ("http://*|HOST|*/a", false),
            ("http://h.example**text", false),
            ("mailto:*.a@h.example", false),
        ] {
            assert_eq!(is_wildcard(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn patterns_of_ports_are_told_from_emphasis() {
        for (before, text, after, expected) in [
            ("", "http://localhost", ":*", true),
            ("connect-src ws://localhost:* ", "http://localhost", ":* 'self'", true),
            ("img-src *; x ", "http://localhost", ":*\"", true),
            ("img-src *.h.example ", "http://localhost", ":*;", true),
            ("[\"*\", \"", "http://localhost", ":*\"]", true),
            ("* an item, ", "http://localhost", ":*", true),
            ("/*", "http://localhost", ":* */", true),
            ("*emphasis* and ", "http://localhost", ":*", true),
            ("*", "http://h", ":*", false),
            ("*see ", "http://h", ":* x", false),
            ("**see ", "http://h", ":** x", false),
            ("(*see ", "http://h", ":*)", false),
            ("", "http://h", ":*a", false),
            ("", "http://h", "*", false),
            ("", "http://h:80", ":*", false),
            ("", "http://h/", ":*", false),
            ("", "mailto:a@h", ":*", false),
        ] {
            let [b, t, r] = [before, text, after].map(str::as_bytes);
            assert_eq!(is_of_all_ports(b, t, r), expected, "{before}{text}{after}");
        }
    }
}
