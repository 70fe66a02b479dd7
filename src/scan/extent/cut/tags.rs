//! Detects a bare URI whose host a tag of HTML divides, in a text that is not read as HTML:
//! `https://bank.<b>example</b>/`, in a string of a program or of data.
//!
//! Without the rest, the link leads to another host. Within a path, a tag may as well begin the
//! next word, and no warning is given.

use super::{AHEAD_MAX, authority};
use crate::span::Span;

/// Elements that change how a part of a word looks.
const INLINE: [&[u8]; 12] =
    [b"b", b"big", b"em", b"font", b"i", b"mark", b"s", b"small", b"span", b"strong", b"u", b"wbr"];

/// Returns the bracket of the tag in the host of the URI at `span`, after or before a dot or a
/// hyphen.
pub(super) fn cut_before(bytes: &[u8], span: Span) -> Option<char> {
    // Few URIs end before a tag, and this is asked of each.
    if !matches!(bytes.get(span.end)?, b'<' | b'.' | b'-') {
        return None;
    }
    let near = bytes.get(span.end..bytes.len().min(span.end + AHEAD_MAX))?;
    let is_within = |text: &[u8]| matches!(text, [b'.' | b'-', ..]);
    let tag = if is_within(near) { near.get(1..)? } else { near };
    let after = after_tag(tag)?;
    let more = if is_within(near) { after } else { after.strip_prefix(b".")? };
    let is_cut = more.first().is_some_and(u8::is_ascii_alphanumeric);
    if is_cut { authority(span.of(bytes)).map(|_| '<') } else { None }
}

/// Returns the text after the start tag that `text` begins with, if that is an inline one.
fn after_tag(text: &[u8]) -> Option<&[u8]> {
    let inside = text.strip_prefix(b"<")?;
    let len = inside.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, rest) = inside.split_at(len);
    let is_inline = INLINE.iter().any(|known| known.eq_ignore_ascii_case(name));
    let end = memchr::memchr2(b'<', b'>', rest)?;
    let is_tag = rest.get(end) == Some(&b'>') && matches!(rest, [b' ' | b'>' | b'/', ..]);
    if is_inline && is_tag { rest.get(end + 1..) } else { None }
}

#[cfg(test)]
mod tests {
    use super::super::case;

    #[test]
    fn a_tag_may_cut_a_host() {
        case("see https://bank.<b>example</b>/login", Some('<'));
        case("{\"a\":\"https://bank.<span class='x'>example\"}", Some('<'));
        case("https://bank<i>.example</i>", Some('<'));
        case("https://my-<wbr>bank.example", Some('<'));
        case("https://h.example.<br>Next", None);
        case("https://h.example<b>Next</b>", None);
        case("https://h.example.<b> Next</b>", None);
        case("https://h.example/a.<b>b</b>", None);
        case("https://h.example.<b", None);
    }
}
