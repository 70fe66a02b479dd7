//! Leads dead links to their copies in archives of the Web, or names the copies beside them.
//!
//! The attributes are those of Robust Links (robustlinks.mementoweb.org): the link keeps its
//! address, and readers who find it dead have the copy and its date.

use super::{Left, Replacement, Room, place, redirectable};
use crate::finding::Verdict;
use crate::report::escape::xml::reference;
use crate::report::record::{MementoRecord, Record};
use crate::source::markup::{Markup, hrefs};
use crate::span::Span;

/// Returns the fix that leads the link of `record` to its copy in an archive, or the reason why it
/// cannot be made; `None` if it is not dead, or no archive replays a copy.
///
/// If `is_robust`, links in HTML keep their address and get attributes that name the copy.
#[must_use]
pub fn archived(record: &Record, is_robust: bool) -> Option<Result<Replacement, Left>> {
    let memento = record.memento.as_ref().filter(|_| record.verdict == Verdict::Error)?;
    let uri = memento.uri.as_deref()?.as_bytes();
    let is_broken = record.faults().next().is_some();
    let left = if !record.wrapped_by.is_empty() {
        // The result is the target's, but the text in the file is the gateway's URL.
        Some(Left::Wrapped)
    } else if is_broken || record.scheme.is_none() {
        Some(Left::Uncertain)
    } else if !redirectable(record, uri) {
        Some(Left::Unread)
    } else {
        None
    };
    if let Some(left) = left {
        // The tokens of a gateway are hidden as passwords are, and are not the reason.
        let is_wrapped = left == Left::Wrapped;
        let reason = |why| if is_wrapped && why == Left::Password { left } else { why };
        return Some(place(record, Err(left)).map_err(reason));
    }
    if is_robust && Markup::by_name(record.place.path()) == Some(Markup::Html) {
        return Some(robust(record, memento));
    }
    // The copy has the places of the page.
    let fragment = memchr::memchr(b'#', record.uri()).and_then(|at| record.uri().get(at..));
    let fragment = fragment.filter(|_| memchr::memchr(b'#', uri).is_none()).unwrap_or_default();
    let replacement = place(record, Ok([uri, fragment].concat()));
    Some(replacement.map(|replacement| Replacement { room: Room::Page, ..replacement }))
}

/// Returns the fix that writes the attributes after the link, up to the double quote that ends it
/// now. [`requoted`] adapts it to other quotes.
fn robust(record: &Record, memento: &MementoRecord) -> Result<Replacement, Left> {
    let replacement = place(record, Ok(record.uri().to_vec()))?;
    let uri = memento.uri.as_deref().unwrap_or_default().as_bytes();
    let day = memento.datetime.split_once('T').map_or(&*memento.datetime, |(day, _)| day);
    let mut text = replacement.raw.clone();
    let attributes =
        [("originalurl", record.uri()), ("versionurl", uri), ("versiondate", day.as_bytes())];
    for (name, value) in attributes {
        text.extend_from_slice(format!("\" data-{name}=\"").as_bytes());
        for &byte in value {
            match reference(char::from(byte)) {
                Some(escape) => text.extend_from_slice(escape.as_bytes()),
                None => text.push(byte),
            }
        }
    }
    Ok(Replacement { text, room: Room::Anchor, ..replacement })
}

/// Returns `text`, the link of `raw_len` bytes and the attributes after it, for a link between the
/// quotes that `file` has at `start` and `end`. The values hold no quotes.
pub(super) fn requoted(mut text: Vec<u8>, raw_len: usize, file: &[u8], span: Span) -> Vec<u8> {
    match file.get(span.start.wrapping_sub(1)) {
        Some(b'"') => {}
        Some(b'\'') => {
            let attributes = text.iter_mut().skip(raw_len);
            attributes.filter(|byte| **byte == b'"').for_each(|byte| *byte = b'\'');
        }
        _ => {
            text.splice(raw_len..text.len().min(raw_len + 1), []);
            text.push(b'"');
        }
    }
    text
}

/// Returns the places of the links in the anchors of `file` that name no copy yet, in order.
pub(super) fn anchors(file: &[u8]) -> Vec<Span> {
    hrefs(file).into_iter().filter(|href| !href.names_copy).map(|href| href.value).collect()
}

/// Reports whether the bytes of `file` from `start` are an address that Robust Links keep: where a
/// link led when it was written, dead or moved, or its copy.
pub(super) fn is_kept(file: &[u8], start: usize) -> bool {
    const NAMES: [&[u8]; 2] = [b"data-originalurl", b"data-versionurl"];
    let before = file.get(..start).unwrap_or_default();
    let value = before.trim_ascii_end();
    let value = value.strip_suffix(b"\"").or_else(|| value.strip_suffix(b"'")).unwrap_or(value);
    let name = value.trim_ascii_end().strip_suffix(b"=").map(<[u8]>::trim_ascii_end);
    name.is_some_and(|name| {
        NAMES.iter().any(|known| {
            let from = name.len().saturating_sub(known.len());
            name.get(from..).is_some_and(|name| name.eq_ignore_ascii_case(known))
        })
    })
}

/// Tags of HTML whose links readers do not follow: bases, targets of forms, and what programs fetch
/// or compare. A copy in their place would be the base of all relative links, get the text of a
/// form, differ from the checksum of a script, or be taken for the page's own address.
const TAGS: [&[u8]; 7] = [b"base", b"button", b"form", b"input", b"link", b"meta", b"script"];

/// Reports whether the bytes of `file` from `start` are in one of [`TAGS`]. The element `link` of
/// feeds leads to a page.
pub(super) fn is_of_program(file: &[u8], start: usize, is_feed: bool) -> bool {
    let before = file.get(..start).unwrap_or_default();
    let tag = memchr::memrchr(b'<', before).and_then(|open| before.get(open + 1..));
    let Some(tag) = tag.filter(|tag| !tag.contains(&b'>')) else { return false };
    let len = tag.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, after) = tag.split_at(len);
    let is_named = TAGS.iter().any(|known| name.eq_ignore_ascii_case(known));
    is_named
        && !(is_feed && name.eq_ignore_ascii_case(b"link"))
        && after.first().is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'/')
}

#[cfg(test)]
mod tests {
    use super::{is_kept, is_of_program, requoted};
    use crate::span::Span;

    #[test]
    fn the_original_address_of_a_robust_link_is_kept() {
        let case = |text: &str, wanted: bool| {
            assert_eq!(is_kept(text.as_bytes(), text.find("http").unwrap()), wanted, "{text}");
        };
        case("<a href=\"/a\" data-originalurl=\"http://h/\">", true);
        case("<a href=/a DATA-ORIGINALURL = 'http://h/'>", true);
        case("<a data-originalurl=http://h/>", true);
        case("<a data-originalurl=\"/a\" href=\"http://h/\">", false);
        case("<a data-versionurl=\"http://h/\">", true);
        case("http://h/", false);
    }

    #[test]
    fn attributes_have_the_quotes_of_the_link() {
        for (before, after, wanted) in [
            ("\"", "\"", "<a href=\"http://h/\" data-a=\"b\" data-c=\"d\">"),
            ("'", "'", "<a href='http://h/' data-a='b' data-c='d'>"),
            ("", "", "<a href=http://h/ data-a=\"b\" data-c=\"d\">"),
        ] {
            let file = format!("<a href={before}http://h/{after}>");
            let start = file.find("http").unwrap();
            let span = Span::new(start, start + "http://h/".len());
            let text = b"http://h/\" data-a=\"b\" data-c=\"d".to_vec();
            let text = requoted(text, "http://h/".len(), file.as_bytes(), span);
            let text = String::from_utf8(text).unwrap();
            assert_eq!([&file[..start], &text, &file[span.end..]].concat(), wanted);
        }
    }

    #[test]
    fn tags_for_programs_are_known_by_their_names() {
        let case = |text: &str, wanted: bool| {
            let start = text.find("http").unwrap();
            assert_eq!(is_of_program(text.as_bytes(), start, false), wanted, "{text}");
        };
        case("<head><base href=\"http://h/\">", true);
        case("<BASE\ntarget=a href=http://h/>", true);
        case("<base/href=http://h/>", true);
        case("<form method=post action='http://h/'>", true);
        case("<script src=\"http://h/a.js\" integrity=\"a\">", true);
        case("<link rel=canonical href=\"http://h/\">", true);
        case("<meta property=\"og:url\" content=\"http://h/\">", true);
        case("<basefont href=\"http://h/\">", false);
        case("<base href=\"/\"><p>http://h/", false);
        case("<a href=\"http://h/\">", false);
        case("<link>http://h/</link>", false);
        case("base href=http://h/", false);
        assert!(!is_of_program(b"<link href='http://h/'/>", 12, true));
    }
}
