//! Finds the whole value of an attribute of which a scanner found the beginning.
//!
//! A scanner ends a URI where no URI continues; an attribute delimits its value itself, and a link
//! with a blank or a line end in it is still that link.

use memchr::memmem;

pub(super) use super::tokens::TAG_LEN_MAX;
use super::tokens::{Token, Tokens, is_space, trimmed};
use super::{ATTRIBUTES, Value, clean};
use crate::source::markup::{Link, caught};
use crate::span::Span;

/// Bytes of a value that are searched for its end: longer ones are no links that people made.
pub(super) const VALUE_LEN_MAX: usize = 2048;

/// Returns the link in the attribute whose value begins where `found` does, if it ends elsewhere.
///
/// For mail, whose tags are not tokenized. References may be resolved already: the quotes at
/// `resolved`, sorted offsets, were decoded from them.
#[must_use]
pub fn link_at(text: &[u8], found: Span, resolved: &[usize]) -> Option<Link> {
    let before = text.get(found.start.saturating_sub(TAG_LEN_MAX)..found.start)?;
    let after = text.get(found.end..)?.first().copied();
    let ahead = before.trim_ascii_end();
    // In a tag that is only shown, all quotes are references.
    let ends =
        |at| !is_at(resolved, at) || is_at(resolved, found.start - before.len() + ahead.len() - 1);
    let is_whole = match ahead.last().copied()? {
        quote @ (b'"' | b'\'') => after == Some(quote) && ends(found.end),
        b'=' => after.is_none_or(|byte| is_space(byte) || byte == b'>'),
        _ => true,
    };
    if is_whole { None } else { caught(|| value_at(text, before, found, resolved)).flatten() }
}

/// Reports whether `at` is one of `places`, which are sorted.
fn is_at(places: &[usize], at: usize) -> bool {
    places.binary_search(&at).is_ok()
}

/// Returns the link whose value begins where `found` does, after `before`.
fn value_at(text: &[u8], before: &[u8], found: Span, resolved: &[usize]) -> Option<Link> {
    let start = found.start - before.len() + memchr::memrchr(b'<', before)?;
    let end = text.len().min(found.start.saturating_add(VALUE_LEN_MAX));
    let mut tokens = Tokens::new(text.get(..end)?, start);
    let Token::Open(element) = tokens.next()? else { return None };
    let (name, value) = tokens.find_map(|token| match token {
        Token::Attribute(name, value) if value.end > found.start => Some((name, value)),
        _ => None,
    })?;
    let value = Span { end: end_of(text.get(..end)?, value, resolved), ..value };
    let span = trimmed(text, value);
    let is_it = span.start == found.start && span.end > found.end && span.end < end;
    let is_written = || memchr::memchr(b'\'', span.of(text)).is_some() && is_in_script(text, start);
    (is_it && holds_link(text, element, name) && !is_written()).then(|| Link {
        span,
        target: clean(span.of(text)),
        shown: None,
    })
}

/// Returns the end offset of a `value` that ends at a quote, after the quotes of the same kind that
/// were decoded from references; the end of `text` if no other follows. In a tag that is only
/// shown, all quotes were.
fn end_of(text: &[u8], value: Span, resolved: &[usize]) -> usize {
    let open = value.start.checked_sub(1).filter(|open| !is_at(resolved, *open));
    let quote = open.and_then(|open| text.get(open)).copied();
    let Some(quote) =
        quote.filter(|quote| is_at(resolved, value.end) && text.get(value.end) == Some(quote))
    else {
        return value.end;
    };
    let quotes = memchr::memchr_iter(quote, text.get(value.end..).unwrap_or_default());
    let mut ends = quotes.map(|quote| value.end + quote);
    ends.find(|end| !is_at(resolved, *end)).unwrap_or(text.len())
}

/// Reports whether an attribute called `name` of an `element` is a link.
pub(super) fn holds_link(text: &[u8], element: Span, name: Span) -> bool {
    let is = |span: Span, known: &[u8]| span.of(text).eq_ignore_ascii_case(known);
    let row = ATTRIBUTES.iter().find(|attribute| is(name, attribute.name));
    row.is_some_and(|row| {
        let is_its = row.of.is_empty() || row.of.iter().any(|known| is(element, known));
        is_its && row.value == Value::Link
    })
}

/// Reports whether a script seems to write the tag at `at`: then quotes in the tag may be those of
/// the script, and end nothing.
pub(super) fn is_in_script(text: &[u8], at: usize) -> bool {
    /// Scripts of mail are not longer.
    const SCRIPT_LEN_MAX: usize = 8 * 1024;
    let before = text.get(at.saturating_sub(SCRIPT_LEN_MAX)..at).unwrap_or_default();
    let last = |tags: [&[u8]; 2]| tags.iter().filter_map(|tag| memmem::rfind(before, tag)).max();
    last([b"<script", b"<SCRIPT"]) > last([b"</script", b"</SCRIPT"])
}

#[cfg(test)]
mod tests {
    use super::{TAG_LEN_MAX, VALUE_LEN_MAX, link_at};
    use crate::span::Span;

    /// Returns the text at the link found in place of `found` in `text`.
    #[track_caller]
    fn case(text: &str, found: &str, target: Option<&str>) {
        let start = text.find(found).unwrap();
        let link = link_at(text.as_bytes(), Span::new(start, start + found.len()), &[]);
        let got = link.map(|link| String::from_utf8(link.target).unwrap());
        assert_eq!(got.as_deref(), target, "{text:?}");
    }

    #[test]
    fn a_value_ends_where_its_attribute_says() {
        case(r#"<a href="http://h/b c">"#, "http://h/b", Some("http://h/b c"));
        case("<a class=x HREF = 'http://h/b\r\n\tc'>", "http://h/b", Some("http://h/bc"));
        case(r#"<IMG src=" http://h/[b]? ">"#, "http://h/", Some("http://h/[b]?"));
        case("<a href=http://h/[b] c>", "http://h/", Some("http://h/[b]"));
        case(r#"<form action="http://h/b|c">"#, "http://h/b", Some("http://h/b|c"));
        case(r#"<p title="<"><a href="http://h/b.">"#, "http://h/b", Some("http://h/b."));
    }

    #[test]
    fn what_is_whole_or_no_link_stays() {
        case(r#"<a href="http://h/b">"#, "http://h/b", None);
        case("<a href=http://h/b>", "http://h/b", None);
        case("<a href=http://h/b c='d'>", "http://h/b", None);
        case(r#"<a title="http://h/b c">"#, "http://h/b", None);
        case(r#"<a action="http://h/b c">"#, "http://h/b", None);
        case(r#"<img srcset="http://h/b 2x, c 3x">"#, "http://h/b", None);
        case(r#"<a href="see http://h/b c">"#, "http://h/b", None);
        case(r#"<p>He said "http://h/b and more"."#, "http://h/b", None);
        case(r#"<script>a = "http://h/b c""#, "http://h/b", None);
        case(r#""http://h/b c""#, "http://h/b", None);
        let written = r#"document.write('<img src="http://h/b' + c + '">')"#;
        case(&format!("<SCRIPT>{written}"), "http://h/b", None);
        case(&format!("<script></script>{written}"), "http://h/b", Some("http://h/b' + c + '"));
        case("http://h/b", "http://h/b", None);
    }

    /// `·` precedes a quote that was decoded from a reference.
    #[track_caller]
    fn resolved(marked: &str, found: &str, target: Option<&str>) {
        let mut text = String::new();
        let mut quotes = Vec::new();
        for part in marked.split_inclusive('·') {
            text.push_str(part.trim_end_matches('·'));
            quotes.extend(part.ends_with('·').then_some(text.len()));
        }
        let start = text.find(found).unwrap();
        let span = Span::new(start, start + found.len());
        let link = link_at(text.as_bytes(), span, &quotes);
        let got = link.map(|link| String::from_utf8(link.target).unwrap());
        assert_eq!(got.as_deref(), target, "{marked:?}");
    }

    #[test]
    fn quotes_of_references_end_no_value() {
        let (it, q) = (Some("http://h/it's/b's"), Some("http://h/?q=\"b\""));
        resolved("<a href='http://h/it·'s/b·'s'>", "http://h/it", it);
        resolved(r#"<a href="http://h/?q=·"b·"">"#, "http://h/?q=", q);
        resolved(r#"<a href="http://h/?q=·"b·"" c="d">"#, "http://h/?q=", q);
        resolved(r#"<a href="http://h/?q='b"#, "http://h/?q=", None);
        resolved(r#"<a href="http://h/?q=·"b"#, "http://h/?q=", None);
        resolved(r#"<a href=·"http://h/b·">"#, "http://h/b", None);
        resolved(r#"<p>·"http://h/b·" c"#, "http://h/b", None);
    }

    #[test]
    fn what_is_far_away_is_not_looked_for() {
        let far = |before: usize, inside: usize| {
            let [before, inside] = [before, inside].map(|len| " ".repeat(len));
            let text = format!("<a {before}href='http://h/b{inside}c'>");
            let start = text.find("http").unwrap();
            link_at(text.as_bytes(), Span::new(start, start + "http://h/b".len()), &[]).is_some()
        };
        assert!(far(TAG_LEN_MAX - "<a href='".len(), 1));
        assert!(!far(TAG_LEN_MAX - "<a href='".len() + 1, 1));
        assert!(far(0, VALUE_LEN_MAX - 100));
        assert!(!far(0, VALUE_LEN_MAX));
    }
}
