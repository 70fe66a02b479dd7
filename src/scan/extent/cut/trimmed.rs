//! Detects a bare URI that may have been cut after the punctuation that follows it, before
//! brackets written as a character reference, within round brackets, or at three dots.
//!
//! Punctuation at the end of a URI is left to the text, and so hides the byte that ends the URI:
//! `http://h/?q=label:"a b"`. It is a part of the URI where that byte may be one.

use super::{AHEAD_MAX, authority, begins_uri, is_less_than, is_placeholder, marks, unicode};
use crate::span::Span;

/// Maximum number of marks that are skipped.
const MARKS_MAX: usize = 8;

/// Returns the character before which the bare URI at `span` ends, not at once, so that it may have
/// been cut there.
pub(super) fn cut_before(bytes: &[u8], span: Span) -> Option<char> {
    match bytes.get(span.end)? {
        b' ' => is_within_brackets(bytes, span).then_some(' '),
        b'&' => is_before_reference(bytes, span).then_some('<'),
        b'.' if is_shortened(bytes, span) => Some('.'),
        b':' if is_protected(bytes, span.end + 1) => Some(':'),
        b',' | b';' | b':' | b'.' if bytes.get(span.end + 1) == Some(&b' ') => {
            is_within_brackets(bytes, span).then_some(' ')
        }
        _ => after_marks(bytes, span),
    }
}

/// Reports whether the text at `at` is the one by which Cloudflare replaces a password, its `@` and
/// the host in pages: `postgres://user:[email protected]/db`. The blank may be one that breaks no
/// line.
fn is_protected(bytes: &[u8], at: usize) -> bool {
    let rest = bytes.get(at..).unwrap_or_default();
    let after = rest.strip_prefix(b"[email").unwrap_or_default();
    let after = after.strip_prefix(b" ").or_else(|| after.strip_prefix("\u{A0}".as_bytes()));
    after.is_some_and(|after| after.starts_with(b"protected]"))
}

/// Reports whether three dots replace the rest of the URI at `span`, as in the output of programs
/// that shorten what they show. Sentences end in as many, too: so the URI must be as long as those
/// that are shortened, must not end in the name of a page, and no more of a sentence may follow. No
/// sentence ends in the name of a parameter and its equals sign.
fn is_shortened(bytes: &[u8], span: Span) -> bool {
    /// Programs shorten to about 30 characters and more.
    const LEN_MIN: usize = 30;
    let uri = span.of(bytes);
    let near = bytes.get(span.end..bytes.len().min(span.end + AHEAD_MAX)).unwrap_or_default();
    let Some(after) = near.strip_prefix(b"...") else { return false };
    let is_value = super::lacks_value(uri);
    let ends = match after {
        _ if is_value && after.first() != Some(&b'.') => true,
        [b' ', next, ..] => !next.is_ascii_lowercase(),
        [next, ..] => next.is_ascii_whitespace() || b"\"')]>".contains(next),
        [] => true,
    };
    let name = memchr::memrchr(b'/', uri).and_then(|slash| uri.get(slash + 1..));
    let is_page = name.is_none_or(|name| memchr::memchr(b'.', name).is_some());
    let is_cut = uri.last().is_some_and(u8::is_ascii_alphanumeric) && !is_page;
    ends && (is_value || is_cut && uri.len() >= LEN_MIN && authority(uri).is_none())
}

/// Returns the byte after punctuation that ends the URI within its path or query. A comma or a
/// semicolon divides a list.
fn after_marks(bytes: &[u8], span: Span) -> Option<char> {
    let near = bytes.get(span.end..)?;
    let is_mark = |byte: &&u8| matches!(byte, b'.' | b':' | b'!' | b'?' | b'(' | b'%');
    let len = near.iter().take(MARKS_MAX).take_while(is_mark).count();
    let (marks, after) = near.split_at(len);
    let (last, byte) = (*marks.last()?, *after.first()?);
    if let Some(character) = unicode::char_at(after, 0) {
        return goes_on_unseen(last, character, after).then_some(character);
    }
    if last == b'.' && super::damaged::is_lone_letter(bytes, span.end + len) {
        return Some(char::from(byte));
    }
    if authority(span.of(bytes)).is_some() {
        return None;
    }
    let whole = Span::new(span.start, span.end + len);
    let is_one = match byte {
        // A filter of LDAP (RFC 4515 §3).
        b'|' if last == b'(' && after.get(1) == Some(&b'(') => true,
        // A note, or a sentence in brackets.
        b'[' if last == b'.' => false,
        b'"' | b'[' | b'\\' | b']' | b'^' | b'`' | b'{' | b'|' | b'}' => {
            super::is_cut(bytes, whole, byte)
        }
        _ => false,
    };
    is_one.then(|| char::from(byte))
}

/// Reports whether a URI goes on after punctuation that ends in `last`, with `after`, which begins
/// with `character`: one that nobody sees. A sentence begins with a capital.
fn goes_on_unseen(last: u8, character: char, after: &[u8]) -> bool {
    let rest = after.get(character.len_utf8()..).unwrap_or_default();
    let goes_on = |next: &u8| match last {
        b'.' => next.is_ascii_lowercase() || next.is_ascii_digit(),
        _ => next.is_ascii_alphanumeric(),
    };
    marks::is_without_width(character) && rest.first().is_some_and(goes_on) && !begins_uri(rest, 0)
}

/// Reports whether the URI ends at a blank in round brackets that it opens and the text closes, in
/// the same line: `http://h/a_(b c)`.
fn is_within_brackets(bytes: &[u8], span: Span) -> bool {
    let uri = span.of(bytes);
    let Some(last) = memchr::memrchr2(b'(', b')', uri) else { return false };
    let near = bytes.get(span.end..bytes.len().min(span.end + AHEAD_MAX)).unwrap_or_default();
    let close = near.iter().position(|byte| matches!(byte, b'(' | b')' | b'\n' | b'\r'));
    let is_closed = close.is_some_and(|at| near.get(at) == Some(&b')'));
    let inside = near.get(..close.unwrap_or_default()).unwrap_or_default();
    uri.get(last) == Some(&b'(') && is_closed && memchr::memmem::find(inside, b"://").is_none()
}

/// Reports whether the URI ends before a character reference for `<` that would cut it if it was
/// one: `http://h/&lt;id&gt;/x`.
fn is_before_reference(bytes: &[u8], span: Span) -> bool {
    let near = bytes.get(span.end..bytes.len().min(span.end + AHEAD_MAX)).unwrap_or_default();
    let Some(rest) = near.strip_prefix(b"&lt;") else { return false };
    let mut text = b"<".to_vec();
    match memchr::memmem::find(rest, b"&gt;") {
        Some(at) => {
            text.extend_from_slice(rest.get(..at).unwrap_or_default());
            text.push(b'>');
            text.extend_from_slice(rest.get(at + 4..).unwrap_or_default());
        }
        None => text.extend_from_slice(rest),
    }
    let last = span.of(bytes).last();
    last.is_some_and(|last| is_placeholder(&text, *last)) || text.get(1..).is_some_and(is_less_than)
}

#[cfg(test)]
mod tests {
    use super::super::case;

    #[test]
    fn a_stop_after_punctuation_may_cut_a_path_or_a_query() {
        case("see http://h/s?q=label:\"help+wanted\" and", Some('"'));
        case("see http://h/?q=!\"b\"", Some('"'));
        case("see http://h/?q=title:[a TO b]", Some('['));
        case("see http://h/wiki/X:|y", Some('|'));
        case("see http://h/?jql=project+in+(\"A\",\"B\")", Some('"'));
        case("see http://h/?a=({\"b\":1})", Some('{'));
        case("see http://h/([a-z]+)/x", Some('['));
        case("see ldap://h/o=x??sub?(|(a=b)(c=d))", Some('|'));
        case("\"see http://h/a:\"b", None);
        case("{\"http://h/a?\":1}", None);
        case("http://h/a,\"b\"", None);
        case("see http://h/a.[1]", None);
        case("see http://h/a.[see b]", None);
        case("see http://h/a.\\nand", None);
        case("see http://h/a: and", None);
        case("|http://h/a.|b|", None);
    }

    #[test]
    fn a_blank_in_round_brackets_may_cut_it() {
        case("see http://h/a_(b c)", Some(' '));
        case("see ldap:///o=x??sub?(cn=a b) and", Some(' '));
        case("(see http://h/a b)", None);
        case("(see http://h/a_(b) c)", None);
        case("see http://h/a_(b c", None);
        case("see http://h/a_(b (c)", None);
    }

    #[test]
    fn a_mark_may_precede_a_blank_in_round_brackets() {
        case("see http://h/c(PDF, 2 MB)", Some(' '));
        case("see http://h/a_(b; c) and", Some(' '));
        case("(see http://h/a, b)", None);
        case("see http://h/a(b), c", None);
        case("see http://h/c(PDF, 2 MB", None);
    }

    #[test]
    fn three_dots_may_replace_the_rest() {
        case("see https://h.example/very/long/pat...", Some('.'));
        case("(see https://h.example/very/long/pat...)", Some('.'));
        case("see https://h.example/very/long/pat... (2 KB)", Some('.'));
        case("see https://h.example/very/long/pat... and so on", None);
        case("see https://h.example/very/long/path.html...", None);
        case("see https://h.example/very/long/path/...", None);
        case("see https://h.example/very/long/pat....", None);
        case("see http://h.example/a...", None);
        case("see https://a.very.long.name.of.a.host.example...", None);
    }

    #[test]
    fn three_dots_may_replace_a_value() {
        case("curl 'https://h.example/a?oauth_token=...'", Some('.'));
        case("GET http://h/a?x=1&y=... and", Some('.'));
        case("see http://h/a?token=… and", Some('…'));
        case("see http://h/?id=YQ==... and", None);
        case("see http://h/?=...", None);
        case("see http://h/a=...", None);
    }

    #[test]
    fn a_password_and_a_host_may_have_been_replaced() {
        case("postgres://user:[email protected]:5432/db", Some(':'));
        case("https://user:[email\u{A0}protected]/x", Some(':'));
        case("see https://h:[email me]", None);
    }

    #[test]
    fn a_bracket_may_be_a_reference() {
        case("see http://h/&lt;id&gt;/x", Some('<'));
        case("see http://h/?q=a&lt;5&p=2", Some('<'));
        case("&lt;http://h/a&gt;", None);
        case("see http://h/a&lt;br&gt;", None);
    }
}
