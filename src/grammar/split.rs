//! Splits a URI reference into components (RFC 3986 §3).
//!
//! Nothing is validated, decoded or refused here. For a text that a grammar accepts, the spans are
//! those of its productions. For all other texts they are the parts that a reader would call by
//! these names, and they still cover the text.

use crate::span::Span;
use crate::uri::Uri;

/// Returns the components of `text`, split at its delimiters alone (RFC 3986 Appendix B).
#[must_use]
pub fn split(text: &[u8]) -> Uri<'_> {
    let mut uri = Uri { text, ..Uri::default() };
    let mut end = text.len();
    // §3.5: a fragment begins after the first "#" and extends to the end.
    if let Some(at) = find(text, 0, end, b'#') {
        uri.fragment = Some(Span::new(at + 1, end));
        end = at;
    }
    // §3.4: a query begins after the first "?" and ends at "#" or the end.
    if let Some(at) = find(text, 0, end, b'?') {
        uri.query = Some(Span::new(at + 1, end));
        end = at;
    }
    // §3.1: a scheme ends before the first colon, unless a slash comes first (§4.2: a colon after a
    // slash is data of a relative reference).
    let mut start = 0;
    let first = text.iter().take(end).position(|&byte| matches!(byte, b':' | b'/'));
    if let Some(at) = first.filter(|&at| at > 0 && text.get(at) == Some(&b':')) {
        uri.scheme = Some(Span::new(0, at));
        start = at + 1;
    }
    // §3.2: an authority is preceded by "//" and ends at "/", "?", "#" or the end.
    if text.get(start..end).is_some_and(|rest| rest.starts_with(b"//")) {
        let authority = start + 2;
        start = find(text, authority, end, b'/').unwrap_or(end);
        split_authority(&mut uri, Span::new(authority, start));
    }
    // §3.3: the path is the rest.
    uri.path = Span::new(start, end);
    uri
}

/// Splits `authority = [ userinfo "@" ] host [ ":" port ]` (RFC 3986 §3.2).
fn split_authority(uri: &mut Uri<'_>, authority: Span) {
    let Span { mut start, end } = authority;
    let bytes = authority.of(uri.text);
    // §3.2.1: no part may hold an "@", so that the last one is the safest place to split: the text
    // before it must never be taken for a host.
    if let Some(at) = memchr::memrchr(b'@', bytes) {
        uri.userinfo = Some(Span::new(start, start + at));
        start += at + 1;
    }
    let host = Span::new(start, end).of(uri.text);
    // §3.2.2: colons between brackets belong to an IP literal. Without the closing bracket, nothing
    // can follow it.
    let literal_len = match host.first() {
        Some(b'[') => host.iter().position(|&byte| byte == b']').unwrap_or(host.len()),
        _ => 0,
    };
    // §3.2.3: a port follows the colon after the host.
    let after = host.get(literal_len..).unwrap_or_default();
    let host_end = match memchr::memrchr(b':', after) {
        Some(at) => {
            uri.port = Some(Span::new(start + literal_len + at + 1, end));
            start + literal_len + at
        }
        None => end,
    };
    uri.host = Some(Span::new(start, host_end));
}

/// Returns the offset of the first `wanted` within `start..end`.
fn find(text: &[u8], start: usize, end: usize, wanted: u8) -> Option<usize> {
    memchr::memchr(wanted, text.get(start..end)?).map(|at| start + at)
}
