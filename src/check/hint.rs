//! Recognises links to which a GET says nothing, so that only the host is used: `preconnect` and
//! `dns-prefetch` make a browser connect early (HTML Standard §4.6.7.15, §4.6.7.4), and to the
//! targets of forms with `method=post`, of `ping` and of `rel=pingback` programs send a POST
//! (§4.10.22, §4.6.6, §4.6.7.12).
//!
//! The tag around them declares them, or the parameters that follow them in a field `Link` (RFC
//! 8288 §3). Not recognised: tags that a program assembles, and buttons of a form that say nothing
//! of the method.

use std::borrow::Cow;

use crate::source::markup::resolved;

/// Bytes of a tag that are read before a link, and after it. Some tags hold integrity and more.
const TAG_LEN_MAX: usize = 1024;

/// The relations of such links.
const RELATIONS: [&[u8]; 3] = [b"preconnect", b"dns-prefetch", b"pingback"];

/// The attributes of a tag that decide.
#[derive(Default)]
struct Tag<'t> {
    /// The one with the link.
    holder: &'t [u8],
    relation: Option<Cow<'t, [u8]>>,
    method: Option<&'t [u8]>,
    method_of_button: Option<&'t [u8]>,
}

/// Reports whether the link at `start` to `end` of `text` has such relations and no others.
pub(super) fn is_origin(text: &[u8], start: usize, end: usize) -> bool {
    match text.get(end) {
        Some(b'>') if text.get(start.wrapping_sub(1)) == Some(&b'<') => {
            is_in_field(text.get(end + 1..).unwrap_or_default())
        }
        _ => is_in_tag(text, start),
    }
}

/// Reports whether the parameters at the start of `after`, up to the next link of the field,
/// declare such a relation (RFC 8288 §3.3). Of several parameters the first one counts.
fn is_in_field(after: &[u8]) -> bool {
    if !after.trim_ascii_start().starts_with(b";") {
        return false;
    }
    let near = after.get(..after.len().min(TAG_LEN_MAX)).unwrap_or_default();
    // A line that begins with a blank continues the field (RFC 9112 §5.2).
    let ends = |at: &usize| match near.get(*at) {
        Some(b'\n') => !matches!(near.get(at + 1), Some(b' ' | b'\t')),
        byte => byte == Some(&b','),
    };
    let len = (0..near.len()).find(ends).unwrap_or(near.len());
    let field = near.get(..len).unwrap_or_default();
    let relation = field.split(|byte| *byte == b';').find_map(|parameter| {
        let equals = memchr::memchr(b'=', parameter)?;
        let (name, value) = parameter.split_at(equals);
        let value = value.get(1..).unwrap_or_default().trim_ascii();
        let is_relation = name.trim_ascii().eq_ignore_ascii_case(b"rel");
        is_relation.then(|| trimmed(value, b"\"'\\`"))
    });
    relation.is_some_and(is_hint)
}

/// The elements whose `ping` has such links, and nothing else.
const PINGING: &[&[u8]] = &[b"a", b"area"];

/// Reports whether the value at `at` is that of an attribute whose tag makes it such a link.
fn is_in_tag(text: &[u8], at: usize) -> bool {
    // Nearly all texts return here: a value follows a quote or an equals sign, perhaps with blanks;
    // `ping` may have several links.
    let from = at.saturating_sub(TAG_LEN_MAX);
    let before = text.get(from..at).unwrap_or_default();
    let is_value = matches!(before.trim_ascii_end().last(), Some(b'"' | b'\'' | b'`' | b'='));
    if !is_value && !before.ends_with(b" ") {
        return false;
    }
    let Some(open) = memchr::memrchr(b'<', before) else { return false };
    let tag = text.get(from + open + 1..text.len().min(at + TAG_LEN_MAX)).unwrap_or_default();
    let len = tag.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (element, inside) = tag.split_at(len);
    let is_end = inside.first().is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'/');
    let of = |names: &[&[u8]]| names.iter().any(|name| element.eq_ignore_ascii_case(name));
    if !is_end || !of(&[b"link", b"form", b"button", b"input", b"a", b"area"]) {
        return false;
    }
    let place = at - from - open - 1 - len;
    if of(PINGING) && !may_be_named(inside.get(..place).unwrap_or(inside), b"ping") {
        return false;
    }
    let tag = attributes(inside, place);
    let is_held_by = |name: &[u8]| tag.holder.eq_ignore_ascii_case(name);
    let is_post = |method: Option<&[u8]>| {
        method.is_some_and(|method| unquoted(method).eq_ignore_ascii_case(b"post"))
    };
    is_held_by(b"href") && of(&[b"link"]) && tag.relation.is_some_and(|it| is_hint(&it))
        || is_held_by(b"action") && of(&[b"form"]) && is_post(tag.method)
        || is_held_by(b"formaction") && of(&[b"button", b"input"]) && is_post(tag.method_of_button)
        || is_held_by(b"ping") && of(PINGING)
}

/// Reports whether `name`, in letters of any case, is in `before`. Nearly every link of a page is
/// the `href` of an `a`, whose other attributes need not be read then.
fn may_be_named(before: &[u8], name: &[u8]) -> bool {
    before.windows(name.len()).any(|at| at.eq_ignore_ascii_case(name))
}

/// Returns the attributes of a tag, without its name, in which a link is at `place`. Of several
/// attributes of a name the first one counts.
fn attributes(inside: &[u8], place: usize) -> Tag<'_> {
    let mut tag = Tag::default();
    let mut rest = inside;
    while let Some((name, value, after)) = attribute(rest) {
        let end = inside.len() - after.len();
        if (end - value.len()..=end).contains(&place) {
            tag.holder = name;
        }
        if name.eq_ignore_ascii_case(b"rel") {
            // HTML Standard §13.2.5.36: the value may have references.
            tag.relation.get_or_insert_with(|| resolved(unquoted(value)));
        } else if name.eq_ignore_ascii_case(b"method") {
            tag.method.get_or_insert(value);
        } else if name.eq_ignore_ascii_case(b"formmethod") {
            tag.method_of_button.get_or_insert(value);
        }
        rest = after;
    }
    tag
}

/// Returns the name and the value of the attribute that `text` begins with, and the text after it;
/// the value has its quotes. `None` at the end of the tag (HTML Standard §13.2.5.32 to §13.2.5.39).
fn attribute(text: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let is_apart = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'/';
    let text = text.get(text.iter().take_while(|byte| is_apart(byte)).count()..)?;
    let ends = |byte: &u8| is_apart(byte) || matches!(byte, b'=' | b'>');
    let len = text.iter().position(ends).unwrap_or(text.len());
    let (name, rest) = text.split_at(len.max(usize::from(text.first() == Some(&b'='))));
    if name.is_empty() {
        return None;
    }
    let after = rest.trim_ascii_start();
    let Some(value) = after.strip_prefix(b"=") else { return Some((name, b"", rest)) };
    let value = value.trim_ascii_start();
    // In a string of a program, the quote is escaped.
    let escapes = value.iter().take_while(|byte| **byte == b'\\').count();
    let len = match value.get(escapes) {
        Some(quote @ (b'"' | b'\'')) => {
            let inside = value.get(escapes + 1..).unwrap_or_default();
            memchr::memchr(*quote, inside).map(|len| escapes + len + 2)
        }
        // An expression (JSX, `JSXAttributeValue`).
        Some(b'{') => memchr::memchr(b'}', value).map(|len| len + 1),
        _ => value.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'>'),
    };
    let (value, after) = value.split_at(len.unwrap_or(value.len()));
    Some((name, value, after))
}

/// Reports whether the words of a value of `rel` are such relations and no others.
fn is_hint(value: &[u8]) -> bool {
    let mut words = value.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).peekable();
    let is_one = |word: &[u8]| RELATIONS.iter().any(|name| name.eq_ignore_ascii_case(word));
    words.peek().is_some() && words.all(is_one)
}

/// Returns `value` without its quotes, and without the braces around a literal: `{"post"}`.
fn unquoted(value: &[u8]) -> &[u8] {
    let inside = value.strip_prefix(b"{").and_then(|value| value.strip_suffix(b"}"));
    let is_literal = |text: &&[u8]| matches!(text, [b'"' | b'\'' | b'`', ..]);
    let literal = inside.map(<[u8]>::trim_ascii).filter(is_literal);
    trimmed(literal.unwrap_or(value), b"\"'`\\")
}

/// Returns `value` without `marks` at its ends.
fn trimmed<'t>(value: &'t [u8], marks: &[u8]) -> &'t [u8] {
    let start = value.iter().take_while(|byte| marks.contains(byte)).count();
    let end = value.iter().rev().take_while(|byte| marks.contains(byte)).count();
    value.get(start..value.len().saturating_sub(end)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::is_origin;

    #[track_caller]
    fn case(text: &str, expected: bool) {
        let start = text.find("http").unwrap();
        let len =
            text[start..].find(['"', '\'', '`', '>', ' ', '\\']).unwrap_or(text.len() - start);
        assert_eq!(is_origin(text.as_bytes(), start, start + len), expected, "{text}");
    }

    #[test]
    fn a_tag_that_only_connects_is_told_by_its_relations() {
        case("<link rel=\"preconnect\" href=\"http://h/\">", true);
        case("<LINK HREF='http://h/' REL='PreConnect'>", true);
        case("<link href=http://h/ rel=dns-prefetch>", true);
        case("<link crossorigin rel=\"dns-prefetch preconnect\" href=\"http://h/\" />", true);
        case("<link\n rel = \"\n preconnect \"\n href = \" http://h/\"/>", true);
        case("let a = \"<link rel=\\\"preconnect\\\" href=\\\"http://h/\\\">\";", true);
        case("<link rel={\"preconnect\"} href=\"http://h/\" />", true);
        case("<link rel={ 'dns-prefetch preconnect' } href={\"http://h/\"} />", true);
        case("<link href={`http://h/`} rel={`preconnect`} />", true);
        case("<link rel={preconnect} href=\"http://h/\" />", false);
        case("<link rel={\"stylesheet\"} href=\"http://h/\" />", false);
        case("<link rel=\"pre&#99;onnect dns&#x2D;prefetch\" href=\"http://h/\">", true);
        case("<link rel=\"preconnect&#32;stylesheet\" href=\"http://h/\">", false);
        case("<link rel=\"preconnect&nbsp;\" href=\"http://h/\">", false);
        case("<link rel=\"preconnect stylesheet\" href=\"http://h/\">", false);
        case("<link rel=\"stylesheet\" href=\"http://h/\">", false);
        case("<link rel=\"preload\" href=\"http://h/\">", false);
        case("<link rel=\"\" href=\"http://h/\">", false);
        case("<link href=\"http://h/\">", false);
        case("<link rel=stylesheet rel=preconnect href=\"http://h/\">", false);
        case("<link rel=preconnect data-x=\"http://h/\" href=\"//g\">", false);
        case("<a rel=\"preconnect\" href=\"http://h/\">", false);
        case("<link rel=\"preconnect\"><a href=\"http://h/\">", false);
        case("<link data-rel=\"preconnect\" href=\"http://h/\">", false);
        case("<a href=\"http://h/\"><link rel=preconnect>", false);
        case("preconnect \"http://h/\"", false);
        case("http://h/", false);
    }

    #[test]
    fn programs_send_a_post_to_some_links() {
        case("<form method=\"post\" action=\"http://h/\">", true);
        case("<form action=http://h/ class=a METHOD=Post>", true);
        case("<form method={\"post\"} action={\"http://h/\"}>", true);
        case("<form action=\"http://h/\">", false);
        case("<form method=get action=\"http://h/\">", false);
        case("<form method=get method=post action=\"http://h/\">", false);
        case("<form method=post data-x=\"http://h/\">", false);
        case("<button formmethod=post formaction='http://h/'>", true);
        case("<button formaction='http://h/'>", false);
        case("<a href=/ ping=\"http://h/\">", true);
        case("<a href=/ ping=\"/a http://h/\">", true);
        case("<a ping=/a href=\"http://h/\">", false);
        case("<a ping=/a> http://h/", false);
        case("<link rel=pingback href=\"http://h/\">", true);
        case("<address ping=\"http://h/\">", false);
    }

    #[test]
    fn a_field_that_only_connects_is_told_by_its_relations() {
        case("Link: <http://h/>; rel=preconnect", true);
        case("Link: <http://h/>; crossorigin; rel=\"preconnect\", <http://g/>; rel=next", true);
        case("Link: <http://h/> ; REL=\"dns-prefetch\"", true);
        case("Link: <http://h/>;\r\n rel=preconnect\r\nRel: x", true);
        case("Link: <http://h/>;\nrel=preconnect", false);
        case("Link: <http://h/>; rel=\"preconnect next\"", false);
        case("Link: <http://h/>; rel=preload", false);
        case("Link: <http://h/>, <http://g/>; rel=preconnect", false);
        case("see <http://h/>; it is about preconnect", false);
    }
}
