//! Finds HTML whose content the attribute `markdown` declares to be Markdown (Python-Markdown,
//! "Markdown in HTML"; kramdown, "HTML Blocks"; PHP Markdown Extra).
//!
//! `CommonMark` reads lines after a tag as HTML until an empty line, so the text is given to its
//! reader with an empty line in place of the attribute. Every byte before and after the tag stays
//! at its offset.
//!
//! Not read so: content on the line of the tag, and tags over several lines.

use std::borrow::Cow;

use crate::source::markup::lines::Line;

/// The attribute, after a blank.
const ATTRIBUTE: &[u8] = b" markdown";
/// Attributes of a tag whose values are links, and must stay at their offsets.
const LINKS: [&[u8]; 2] = [b"href", b"src"];

/// Returns `text` with an empty line after each tag that has the attribute.
pub(super) fn read(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if memchr::memmem::find(&text, ATTRIBUTE).is_none() {
        return text;
    }
    let (mut made, mut at) = (Vec::new(), 0);
    let mut fence: Option<u8> = None;
    while let Some(line) = Line::at(&text, at) {
        at = line.next;
        let body = line.of(&text);
        if let Some(mark) = fence_of(body) {
            fence = match fence {
                None => Some(mark),
                Some(open) => Some(open).filter(|open| *open != mark),
            };
        }
        let is_tag = fence.is_none() && line.indent() < 4;
        if let Some(tag) = Some(body).filter(|_| is_tag).and_then(unmarked) {
            if made.is_empty() {
                made = text.to_vec();
            }
            if let Some(place) = made.get_mut(line.body..line.body + body.len()) {
                place.copy_from_slice(&tag);
            }
        }
    }
    if made.is_empty() { text } else { Cow::Owned(made) }
}

/// Returns the mark of a fence that `body` opens or closes.
fn fence_of(body: &[u8]) -> Option<u8> {
    [b'`', b'~'].into_iter().find(|mark| body.starts_with(&[*mark; 3]))
}

/// Returns the tag on a line without its attribute `markdown`, a line end, and blanks up to the
/// length of the line.
fn unmarked(body: &[u8]) -> Option<Vec<u8>> {
    let is_one = memchr::memchr(b'>', body) == Some(body.len().checked_sub(1)?);
    let is_open = is_one && matches!(body, [b'<', first, ..] if first.is_ascii_alphabetic());
    let has_link = || LINKS.iter().any(|name| memchr::memmem::find(body, name).is_some());
    if !is_open || has_link() {
        return None;
    }
    let start = memchr::memmem::find(body, ATTRIBUTE)?;
    let (before, after) = (body.get(..start)?, body.get(start + ATTRIBUTE.len()..)?);
    let len = match after {
        [b'=', quote @ (b'"' | b'\''), value @ ..] => 3 + memchr::memchr(*quote, value)?,
        [b'=', value @ ..] => 1 + memchr::memchr2(b' ', b'>', value)?,
        _ => 0,
    };
    let rest = after.get(len..).filter(|rest| matches!(rest, [b' ' | b'>' | b'/', ..]))?;
    let mut tag = [before, rest, b"\n"].concat();
    tag.resize(body.len(), b' ');
    Some(tag)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::super::page;
    use super::read;

    #[track_caller]
    fn case(text: &str, expected: &str) {
        let read = read(Cow::Borrowed(text.as_bytes()));
        assert_eq!(String::from_utf8_lossy(&read), expected, "{text}");
        assert_eq!(read.len(), text.len(), "{text}");
    }

    #[test]
    fn a_tag_loses_its_attribute() {
        case("<div markdown>\n", "<div>\n        \n");
        case("<div markdown=\"1\" id=\"a\">", "<div id=\"a\">\n            ");
        case("  <p a markdown='span'>\r\n", "  <p a>\n               \r\n");
        for same in [
            "<div markdown>text\n",
            "<a href=\"x\" markdown>\n",
            "<div markdownish>\n",
            "```\n<div markdown>\n```\n",
            "    <div markdown>\n",
            "a <div markdown>\n",
        ] {
            case(same, same);
        }
    }

    #[test]
    fn content_that_is_declared_markdown_has_links() {
        let text = "<figure markdown=\"span\">\n  ![A](a.png)\n  <figcaption>B</figcaption>\n\
                    </figure>\n\n<div class=\"c\" markdown>\n[b](b.md)\n</div>\n\n\
                    <div>\n[c](c.md)\n</div>\n";
        let links = page(text.as_bytes()).links;
        let of = |span: crate::span::Span| String::from_utf8_lossy(span.of(text.as_bytes()));
        let found: Vec<_> = links.iter().map(|link| of(link.span)).collect();
        assert_eq!(found, ["a.png", "b.md"]);
    }
}
