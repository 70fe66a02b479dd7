//! Recognises candidates that seem to end within user information, so that their end may be the
//! beginning of a password.
//!
//! A password is hidden only where an `@` follows it, but a line end, a quote or a bracket in it
//! ends a candidate before that. Where this is unclear, more is hidden rather than less. A port, an
//! address in brackets, and the host of a link that its delimiters close are no password.

use std::net::Ipv6Addr;

use crate::uri::{Redacted, holds_at};

/// Maximum number of digits of a port (RFC 6335 §6).
const PORT_LEN_MAX: usize = 5;

/// Reports whether a candidate, `text`, seems to end within user information: at a line's end, a
/// quote, a bracket, or before an `@` without a host.
///
/// The text that follows, `after`, must be joined to it by an `@`, and no port, address or closing
/// delimiter may end it. `before` is the text before it.
pub(super) fn is_unfinished(text: &[u8], before: &[u8], after: &[u8]) -> bool {
    /// Longest word that is searched. Longer words are not worth the search.
    const WORD_LEN_MAX: usize = 128;
    let after_slash = memchr::memrchr(b'/', text).map_or(0, |slash| slash + 1);
    let (head, tail) = text.split_at(after_slash);
    if memchr::memchr2(b':', b'%', tail).is_none() {
        return false;
    }
    let near = after.get(..after.len().min(WORD_LEN_MAX)).unwrap_or_default();
    // Without an `@`, no text is joined to the candidate, and no word after it holds a host.
    if !holds_at(near) {
        return false;
    }
    let is_whole = || {
        ends_in_port(text, tail)
            || ends_in_literal(text, head, tail)
            || is_closed(before, near) && ends_in_name(tail)
    };
    let goes_on = near.starts_with(b"@") || word_holds_at(near) && !is_whole();
    goes_on && Redacted::unfinished(text).hides_any()
}

/// Reports whether the first word of `near` holds an `@`.
fn word_holds_at(near: &[u8]) -> bool {
    let is_mark = |byte: &u8| {
        matches!(byte, b'<' | b'>' | b'|' | b'"' | b'\'' | b'`' | b'{' | b'}' | b'^' | b'\\')
    };
    let breaks = |byte: &u8| !byte.is_ascii_graphic() || is_mark(byte);
    let start = near.iter().take_while(|byte| breaks(byte)).count();
    let rest = near.get(start..).unwrap_or_default();
    // Wide forms of `@` are outside US-ASCII.
    let len = rest.iter().take_while(|byte| !breaks(byte) || !byte.is_ascii()).count();
    holds_at(rest.get(..len).unwrap_or_default())
}

/// Reports whether `tail`, the end of `text` after its last slash, ends in digits after a colon, or
/// has a port before its query or fragment.
fn ends_in_port(text: &[u8], tail: &[u8]) -> bool {
    let digits = |part: &[u8]| {
        let end = memchr::memrchr(b':', part).and_then(|colon| part.get(colon + 1..))?;
        end.iter().all(u8::is_ascii_digit).then_some(end.len())
    };
    let is_port = |len: usize| (1..=PORT_LEN_MAX).contains(&len);
    digits(tail).is_some() || authority(text, tail).and_then(digits).is_some_and(is_port)
}

/// Reports whether an address in brackets, perhaps with a port, is at the end of `tail` or before
/// its query or fragment, in place of a host (RFC 3986 §3.2.2). `head` is the text before `tail`.
fn ends_in_literal(text: &[u8], head: &[u8], tail: &[u8]) -> bool {
    let Some(authority) = authority(text, tail) else { return false };
    let host = match memchr::memrchr(b'@', authority) {
        Some(at) => authority.get(at + 1..).unwrap_or_default(),
        None if head.ends_with(b"//") => authority,
        None => return false,
    };
    let literal = without_port(host).strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]"));
    literal
        .and_then(|literal| str::from_utf8(literal).ok())
        .is_some_and(|literal| literal.parse::<Ipv6Addr>().is_ok())
}

/// Returns the part of `tail` before a query or fragment; `None` if that may belong to a password:
/// in the whole `text`, one would be hidden if an `@` followed.
fn authority<'t>(text: &[u8], tail: &'t [u8]) -> Option<&'t [u8]> {
    let authority = before_query(tail);
    let is_whole = authority.len() == tail.len();
    (is_whole || !Redacted::new(&[text, b"@"].concat()).hides_any()).then_some(authority)
}

/// Reports whether the bytes `before` a candidate open a delimiter that `near`, the bytes after it,
/// close at the end of a word (RFC 3986 appendix C).
fn is_closed(before: &[u8], near: &[u8]) -> bool {
    const PREFIX: &[u8] = b"<url:";
    let prefix = before.len().checked_sub(PREFIX.len()).and_then(|start| before.get(start..));
    let close = match before.last() {
        Some(b'"') => b'"',
        Some(b'<') => b'>',
        _ if prefix.is_some_and(|prefix| prefix.eq_ignore_ascii_case(PREFIX)) => b'>',
        _ => return false,
    };
    matches!(near, [first, next, ..] if *first == close && next.is_ascii_whitespace())
}

/// Reports whether user information and a name of several labels end the authority in `tail`.
fn ends_in_name(tail: &[u8]) -> bool {
    let authority = before_query(tail);
    let Some(at) = memchr::memrchr(b'@', authority) else { return false };
    let name = without_port(authority.get(at + 1..).unwrap_or_default());
    let is_legal = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    let is_label = |label: &[u8]| !label.is_empty() && label.iter().all(is_legal);
    memchr::memchr(b'.', name).is_some() && name.split(|byte| *byte == b'.').all(is_label)
}

/// Returns the part of `tail` before its query or fragment.
fn before_query(tail: &[u8]) -> &[u8] {
    tail.get(..memchr::memchr2(b'?', b'#', tail).unwrap_or(tail.len())).unwrap_or_default()
}

/// Returns `host` without its port.
fn without_port(host: &[u8]) -> &[u8] {
    let digits = host.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let before = host.get(..host.len() - digits).unwrap_or_default();
    match before.strip_suffix(b":") {
        Some(name) if (1..=PORT_LEN_MAX).contains(&digits) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::is_unfinished;

    /// Holds the candidate between bars in `text` to whether it seems to end within user
    /// information.
    #[track_caller]
    fn case(text: &str, wanted: bool) {
        let parts: Vec<_> = text.split('|').map(str::as_bytes).collect();
        let [before, candidate, after] = parts[..] else { panic!("two bars") };
        assert_eq!(is_unfinished(candidate, before, after), wanted, "{text}");
    }

    #[test]
    fn a_password_may_go_on_after_a_delimiter() {
        case("<|https://bob:se|>cret@h.example>", true);
        case("<|https://bob:se|>\ncret@h.example>", true);
        case("<|https://bob:se@cret|>\nword@h.example>", true);
        case("\"|https://bob:se|\"\ncret@h.example\"", true);
        case("|https://bob:se|\ncret@h.example", true);
        case("|ftp://bob:1234|@h.example", true);
        case("|ftp://bob:1234?x|\ncret@h.example", true);
        case("|http://bob:12s4?x|\ncret@h.example", true);
        case("|http://bob:123456?x|\ncret@h.example", true);
        case("|https://bob:pw@h.example|\ncret@h.example", true);
        case("<|https://bob:pw@h.example|>cret@h.example", true);
        case("|https://[bob:pw]|\ncret@h.example", true);
        case("|https://u[2001:db8::1]|\ncret@h.example", true);
        case("|ftp://[2001:db8::1]?x|\ncret@h.example", true);
        case("|https://[2001:db8::1]|@h.example", true);
    }

    #[test]
    fn a_port_an_address_and_a_closed_link_are_whole() {
        case("<|http://h.example:8080?x=1|>\n<mailto:a@b.example>", false);
        case("|http://h.example:8080#f|\na@b.example", false);
        case("|http://h.example:8080|\na@b.example", false);
        case("<|https://[2001:db8::1]|>\na@b.example", false);
        case("<|https://[::1]|> a@b.example", false);
        case("|https://[::1]?x=1|\na@b.example", false);
        case("|sip:x@[2001:db8::1]|\na@b.example", false);
        case("|sip:x@[2001:db8::1]:5060|\na@b.example", false);
        case("<|https://bob:pw@h.example|>\n<https://bob:pw@i.example>", false);
        case("<URL:|https://bob:pw@h.example:80|>\n<https://bob:pw@i.example>", false);
        case("\"|postgres://bob:pw@db.example|\"\n\"x@y.example\"", false);
    }
}
