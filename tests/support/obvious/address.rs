//! Where the host of an address of mail ends, in the slow scanner.

use super::{back, glued, glued_to_host, is_name_byte, known, without_marks_of};

/// The end of an address without what is glued to its host.
pub(super) fn end(text: &[u8], scheme: &[u8], from: usize, end: usize) -> usize {
    let scheme = scheme.to_ascii_lowercase();
    if ![&b"mailto"[..], b"sip", b"sips", b"xmpp"].contains(&&scheme[..]) {
        return end;
    }
    let path = (from..end).find(|at| b"?/#".contains(&text[*at])).unwrap_or(end);
    let Some(at) = (from..path).rev().find(|at| text[*at] == b'@') else { return end };
    let start = at + 1;
    let apostrophe = (start..path).find(|at| text[*at] == b'\'');
    let cut = apostrophe.into_iter().chain(word(text, start, path)).min();
    let cut = cut.filter(|cut| *cut > start);
    let new = cut.unwrap_or(end);
    if new <= path { without_marks_of(text, start, new) } else { new }
}

/// Returns where a word without a blank begins after a host: after its name, or after an address.
pub(super) fn word(text: &[u8], start: usize, path: usize) -> Option<usize> {
    let user = text[start..path].iter().rposition(|byte| *byte == b'@');
    let start = start + user.map_or(0, |at| at + 1);
    let mut host = &text[start..path];
    while let Some(name) = host.strip_suffix(b".") {
        host = name;
    }
    if host.is_ascii() {
        return None;
    }
    if host.starts_with(b"[") {
        let literal = host.iter().position(|byte| *byte == b']')? + 1;
        let is_beyond = host.get(literal).is_some_and(|byte| *byte > 127);
        return is_beyond.then_some(start + literal);
    }
    let label = back(host, host.len(), 0, |byte| byte != b'.');
    let letters = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
    let count = host[label..].iter().take_while(letters).count();
    let (name, after) = host.split_at(label + count);
    let is_address = is_ipv4(name) && after.first().is_some_and(|it| *it > 127);
    let is_local = name.eq_ignore_ascii_case(b"localhost");
    let is_name = if label == 0 { is_local } else { count > 1 };
    let is_word = is_name && after.starts_with("例".as_bytes());
    (is_address || is_word).then_some(start + name.len())
}

/// Whether a host has a colon that is none of an address in brackets, which may not be closed.
pub(super) fn has_port(host: &[u8]) -> bool {
    host.contains(&b':') && !host.starts_with(b"[")
}

/// Whether `name` is an address of IPv4.
pub(super) fn is_ipv4(name: &[u8]) -> bool {
    let parts: Vec<_> = name.split(|byte| *byte == b'.').collect();
    let is_number =
        |part: &&[u8]| (1..4).contains(&part.len()) && part.iter().all(u8::is_ascii_digit);
    parts.len() == 4 && parts.iter().all(is_number)
}

/// Where another URI begins in an authority that ends at `end`, before its slashes.
pub(super) fn next(text: &[u8], from: usize, end: usize) -> Option<usize> {
    let before = text[..end].strip_suffix(b":").filter(|_| text[end..].starts_with(b"//"))?;
    let name = back(before, before.len(), from.max(end.saturating_sub(41)), is_name_byte);
    let name = &before[name..];
    let letters = &name[name.iter().take_while(|byte| byte.is_ascii_digit()).count()..];
    let len = known(letters).map(|_| letters.len());
    let len = len.or_else(|| glued(name)).or_else(|| glued_to_host(name))?;
    let host = &before[from.min(before.len() - len)..before.len() - len];
    let is_www = host.eq_ignore_ascii_case(b"www.") && text[..from].ends_with(b"/");
    (!host.is_empty() && !is_www).then_some(before.len() - len)
}

/// Where a URI with an authority begins in one that names something else, before its query.
pub(super) fn second(text: &[u8], scheme: &[u8], from: usize, end: usize) -> Option<usize> {
    let scheme = scheme.to_ascii_lowercase();
    let names = ["mailto", "sip", "sips", "xmpp", "tel", "sms", "geo", "doi", "news", "mid", "cid"];
    if !names.iter().any(|name| name.as_bytes() == scheme) {
        return None;
    }
    let query = (from..end).find(|at| text[*at] == b'?').unwrap_or(end);
    let is_colon = |at: &usize| text[*at..query].starts_with(b"://");
    (from..query).filter(is_colon).find_map(|colon| next(text, from, colon + 1))
}
