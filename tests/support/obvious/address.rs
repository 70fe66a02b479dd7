//! Where the host of an address of mail ends, in the slow scanner.

use super::without_marks_of;

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

/// Where a word without a blank begins behind the letters of the last label.
fn word(text: &[u8], start: usize, path: usize) -> Option<usize> {
    let mut host = &text[start..path];
    while let Some(name) = host.strip_suffix(b".") {
        host = name;
    }
    let dot = host.iter().rposition(|byte| *byte == b'.')?;
    let letters = host[dot + 1..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let word = start + dot + 1 + letters;
    (letters > 1 && text[word..].starts_with("例".as_bytes())).then_some(word)
}
