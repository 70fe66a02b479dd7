//! Detects a bare URI that ends within a word, before a byte that browsers accept in a URL.
//!
//! No URI holds such a byte (RFC 3986 §2), so that text, code and tables put it directly after one;
//! but programs that write addresses may leave it unescaped. The surrounding text shows which case
//! it is. In 62,280 bare links of mail and documentation, these bytes occurred before more of a
//! word: 15 times an opening bracket, 7 of which belonged to the link (`brackets`); 21 times a
//! backslash, 12 of which did; twice a backtick, of reStructuredText; once a bar, and once a
//! circumflex of a chat. 5,632 closing brackets had their partners before the link. So circumflexes
//! and brackets within a word are accepted, and bars in a query before another parameter. Elsewhere
//! the link ends, and a warning reports that it may have been cut.

use crate::span::{Span, last_line};

use super::{begins_uri, goes_on_with};

/// Bytes before a URI, on its line, that are searched for the partner of its last byte.
const LOOKBACK_MAX: usize = 512;

/// Bytes after a URI that are examined.
const AHEAD_MAX: usize = 256;

/// Returns the byte before which the bare URI at `span` ends, if browsers accept that byte and more
/// of a word follows it, so that the URI may have been cut there.
#[must_use]
pub fn cut_before(bytes: &[u8], span: Span) -> Option<u8> {
    let rest = bytes.get(span.end..)?;
    let byte = *rest.first()?;
    let is_taken = matches!(byte, b'[' | b'\\' | b']' | b'^' | b'`' | b'{' | b'|' | b'}');
    let is_of_host = matches!(byte, b'\'' | b'-');
    ((is_taken || is_of_host) && is_cut(bytes, span, byte)).then_some(byte)
}

/// Reports whether the URI at `span` may continue with `byte`, the byte after it.
fn is_cut(bytes: &[u8], span: Span, byte: u8) -> bool {
    let near = bytes.get(span.end..bytes.len().min(span.end + AHEAD_MAX)).unwrap_or_default();
    let marks = near.iter().take_while(|next| **next == byte).count();
    let behind = near.get(marks..).unwrap_or_default();
    let goes_on = behind.first().is_some_and(|next| goes_on_with(*next) || *next >= 0x80);
    let line = line_before(bytes, span.start);
    match byte {
        b'|' => goes_on && !divides(line) && !begins_uri(bytes, span.end + marks),
        b'`' => goes_on && behind.first() != Some(&b'_') && count(line, b'`').is_multiple_of(2),
        b'^' => goes_on && marks == 1,
        b'{' => behind.first().is_some_and(|next| next.is_ascii_graphic() && *next != b'\\'),
        b'}' => goes_on && count(line, b'{') <= count(line, b'}'),
        b']' => goes_on && count(line, b'[') <= count(line, b']'),
        b'[' => marks == 1 && is_part(behind) && count(line, b'[') <= count(line, b']'),
        b'\\' => marks == 1 && begins_name(behind),
        // A host ends here, and a path, query, fragment or port must follow.
        _ => is_behind_host(behind) && !line.ends_with(b"'"),
    }
}

/// Returns the line before the URI at `start`, as far as it is examined.
fn line_before(bytes: &[u8], start: usize) -> &[u8] {
    let near = bytes.get(start.saturating_sub(LOOKBACK_MAX)..start).unwrap_or_default();
    near.get(last_line(near)..).unwrap_or_default()
}

fn count(line: &[u8], mark: u8) -> usize {
    memchr::memchr_iter(mark, line).count()
}

/// Reports whether `line` has bars that divide it (columns, fields of a log), or brackets of a link
/// in a wiki.
fn divides(line: &[u8]) -> bool {
    line.iter().any(|byte| matches!(byte, b'|' | b'[' | b'{'))
}

/// Reports whether `text`, after an opening bracket, is more than a footnote or a tag.
fn is_part(text: &[u8]) -> bool {
    let len = text.iter().take_while(|byte| **byte != b']' && byte.is_ascii_graphic()).count();
    let inside = text.get(..len).unwrap_or_default();
    let is_note = inside.iter().all(u8::is_ascii_digit) || matches!(inside, [b'/' | b'^', ..]);
    !is_note && begins_word(inside)
}

/// Reports whether `text`, after a backslash, is more than an escape and the text after it.
fn begins_name(text: &[u8]) -> bool {
    match text {
        [b'n' | b'r' | b't' | b'u' | b'U' | b'x' | b'N', ..] => false,
        [b'~', second, ..] => second.is_ascii_alphanumeric(),
        [first, second, ..] => first.is_ascii_alphabetic() && second.is_ascii_alphanumeric(),
        _ => false,
    }
}

fn begins_word(text: &[u8]) -> bool {
    text.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80)
}

/// Reports whether `text` begins with a path, a query, a fragment or a port.
fn is_behind_host(text: &[u8]) -> bool {
    matches!(text, [b'/' | b'?' | b'#' | b':', next, ..] if next.is_ascii_alphanumeric())
}

/// Returns the number of bars at `at` in a query, if another parameter follows them, and no bar
/// divides the line before the URI at `start`.
pub(super) fn query_bars(bytes: &[u8], start: usize, at: usize) -> Option<usize> {
    let near = bytes.get(at..bytes.len().min(at + AHEAD_MAX))?;
    let len = near.iter().take_while(|byte| **byte == b'|').count();
    let behind = near.get(len..)?;
    let is_own = |byte: &&u8| byte.is_ascii_alphanumeric() || b"%_-.~+|/:,".contains(byte);
    let word = behind.iter().take_while(is_own).count();
    let is_parameter = word > 0 && matches!(behind.get(word), Some(b'=' | b'&'));
    let is_list = is_parameter && !begins_uri(bytes, at + len);
    (is_list && !divides(line_before(bytes, start))).then_some(len)
}

#[cfg(test)]
mod tests {
    use super::cut_before;
    use crate::scan::Scanner;

    #[track_caller]
    fn case(text: &str, expected: Option<u8>) {
        let span = Scanner::new(text.as_bytes()).next().unwrap().span;
        assert_eq!(cut_before(text.as_bytes(), span), expected, "{text}");
    }

    #[test]
    fn links_that_end_within_a_word_may_be_cut() {
        case("see http://h/a|b", Some(b'|'));
        case("see http://h/?a=1|b", Some(b'|'));
        case("see http://h/a`b", Some(b'`'));
        case("see http://h/a{b}", Some(b'{'));
        case("see http://h/a{b", Some(b'{'));
        case("see http://h/a}b", Some(b'}'));
        case("see http://h/a[b] and", Some(b'['));
        case("see http://h/a[b", Some(b'['));
        case("see http://h/a]b", Some(b']'));
        case("see http://h^b/", Some(b'^'));
        case("see http://h/a\\share", Some(b'\\'));
        case("see http://h.example-/a", Some(b'-'));
        case("see http://h.example'/a", Some(b'\''));
    }

    #[test]
    fn marks_of_the_text_cut_no_link() {
        case("see http://h/a|", None);
        case("see http://h/a| b", None);
        case("|a|http://h/a|b|", None);
        case("[[http://h/a|label]]", None);
        case("a,http://h/a|http://h/b", None);
        case("`http://h/a`b", None);
        case("`text http://h/a`_ and", None);
        case("{http://h/a}b", None);
        case("[see http://h/a]b", None);
        case("see http://h/a[1]", None);
        case("see http://h/a[^1]", None);
        case("see http://h/a[]", None);
        case("[url]http://h/a[/url]b", None);
        case("\"http://h/a\\nand\"", None);
        case("see http://h/a^^", None);
        case("see http://h.example's page", None);
        case("see http://h.example- and", None);
        case("'http://h.example'/a", None);
        case("see http://h/a\"b", None);
        case("see http://h/a<b", None);
        case("see http://h/a", None);
    }
}
