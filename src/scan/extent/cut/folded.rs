//! Detects a bare URI that goes on after a blank or in the next line: in brackets or quotes that
//! are closed there, after a hyphen, or within a query.
//!
//! Nothing marks that a bare URI is wrapped, so that it is not joined (RFC 3986 Appendix C). In
//! 580 RFCs, 13 bare URIs end in a hyphen at the end of a line, and all 13 go on in the next. In
//! source code, whole ones end so, too; the next line has then no prefix of a comment, or begins
//! with a mark.

use super::{AHEAD_MAX, begins_uri, lacks_value};
use crate::scan::prefix::Prefix;
use crate::span::Span;

/// Returns the blank or line break before which the bare URI at `span` ends, if more of the URI
/// follows it.
pub(super) fn cut_before(bytes: &[u8], span: Span) -> Option<char> {
    let rest = bytes.get(span.end..bytes.len().min(span.end + AHEAD_MAX))?;
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let at = span.end + blanks;
    let is_bracketed = opens(bytes.get(..span.start)?);
    match rest.get(blanks..)? {
        [b'\r', b'\n', ..] => goes_on_in_line(bytes, span, at + 2, is_bracketed).then_some('\n'),
        [b'\r' | b'\n', ..] => goes_on_in_line(bytes, span, at + 1, is_bracketed).then_some('\n'),
        after if blanks > 0 && is_bracketed => {
            is_blank_inside(span.of(bytes), after).then_some(' ')
        }
        after if blanks > 0 => is_data_in_quotes(bytes, span, after).then_some(' '),
        _ => None,
    }
}

/// Reports whether `before` ends in the bracket that encloses a URI.
fn opens(before: &[u8]) -> bool {
    let near = before.get(before.len().saturating_sub(5)..).unwrap_or_default();
    let is_url = near.eq_ignore_ascii_case(b"<url:");
    is_url || before.ends_with(b"<") || before.ends_with(b"&lt;")
}

/// Reports whether `after`, the text after a blank, is more of `uri` up to the bracket that closes
/// both, and no label of the link.
fn is_blank_inside(uri: &[u8], after: &[u8]) -> bool {
    let Some(inside) = closed(after) else { return false };
    let is_file = uri.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"file:"));
    let is_label =
        matches!(inside.first(), Some(b'(' | b'\'' | b'|')) || inside.starts_with(b"www.");
    let first = inside.split(|byte| *byte == b' ').next().unwrap_or_default();
    let words = inside.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).count();
    let is_part = inside.first().is_some_and(begins_part) || words < 3 && tells(first);
    !is_label && (is_file || memchr::memchr(b'?', uri).is_some() || is_part)
}

/// Reports whether the URI at `span` is one of `data`, whose text has blanks that its writer did
/// not encode, and the quote directly before it closes in `after`, the rest of its line.
fn is_data_in_quotes(bytes: &[u8], span: Span, after: &[u8]) -> bool {
    let is_data = span.of(bytes).get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"data:"));
    let quote = span.start.checked_sub(1).and_then(|at| bytes.get(at));
    let line = after.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    let is_quote = |quote: &&u8| matches!(quote, b'"' | b'\'' | b'`');
    is_data && quote.filter(is_quote).is_some_and(|quote| line.contains(quote))
}

/// Returns the text before the bracket that closes `text` in its line, which holds no other URI.
fn closed(text: &[u8]) -> Option<&[u8]> {
    let ends = |byte: &u8| matches!(byte, b'<' | b'>' | b'"' | b'\n' | b'\r');
    let end = text.iter().position(ends)?;
    let inside = text.get(..memchr::memmem::find(text, b"&gt;").unwrap_or(end).min(end))?;
    let is_closed = text.get(inside.len()).is_some_and(|byte| matches!(byte, b'>' | b'&'));
    let has_uri = memchr::memmem::find(inside, b"://").is_some();
    (is_closed && !has_uri && !inside.is_empty()).then_some(inside)
}

/// Reports whether the URI at `span` goes on in the next line, which begins at `at`.
fn goes_on_in_line(bytes: &[u8], span: Span, at: usize, is_bracketed: bool) -> bool {
    let uri = span.of(bytes);
    let before = span.start.checked_sub(1).and_then(|at| bytes.get(at));
    let line = bytes.get(at..bytes.len().min(at + AHEAD_MAX)).unwrap_or_default();
    if is_bracketed && is_word_before_bracket(line) {
        return true;
    }
    let Some(len) = Prefix::of_line(bytes, span.start).len_on(bytes, at) else { return false };
    let (prefix, text) = line.split_at_checked(len).unwrap_or_default();
    let blanks = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let text = text.get(blanks..).unwrap_or_default();
    // The next item of a list.
    let is_item = matches!(prefix, [.., b' ' | b'\t', b'-' | b'+'] | [b'-' | b'+']);
    if is_item && blanks > 0 {
        return false;
    }
    let len = text.iter().take_while(|byte| byte.is_ascii_graphic()).count();
    let word = text.get(..len).unwrap_or_default();
    if begins_uri(word, 0) {
        return false;
    }
    let is_word = word.first().is_some_and(u8::is_ascii_alphanumeric);
    let is_value = || lacks_value(uri) && is_word;
    match uri {
        [.., last, b'-'] if last.is_ascii_alphanumeric() && is_word => return true,
        [.., b'&'] if is_word => return true,
        [.., b'='] if is_value() => return true,
        _ => {}
    }
    is_parameter(word) || before == Some(&b'"') && is_word_before_quote(uri, word)
}

/// Reports whether `line`, after its marks, has one word before the bracket that closes it.
fn is_word_before_bracket(line: &[u8]) -> bool {
    let is_mark = |byte: &&u8| b"/*#;%!-+.:'~@ \t".contains(*byte);
    let marks = line.iter().take_while(is_mark).count();
    let word = closed(line.get(marks..).unwrap_or_default());
    word.is_some_and(|word| !word.iter().any(u8::is_ascii_whitespace))
}

/// Reports whether `word`, at the beginning of a line, continues a query: with a mark that no word
/// of prose begins with, and a parameter or an escape.
fn is_parameter(word: &[u8]) -> bool {
    let Some(([b'_' | b'&' | b'=' | b'?' | b'%', second], _)) = word.split_first_chunk() else {
        return false;
    };
    let is_escape = |three: &[u8]| {
        let (mark, digits) = three.split_first().unwrap_or((&0, &[]));
        *mark == b'%' && digits.iter().all(u8::is_ascii_hexdigit)
    };
    let rest = word.get(1..).unwrap_or_default();
    let is_reference = || word.first() == Some(&b'&') && memchr::memchr(b';', rest).is_some();
    second.is_ascii_alphanumeric()
        && (memchr::memchr2(b'=', b'&', rest).is_some() || word.windows(3).any(is_escape))
        && !is_reference()
}

/// Reports whether the quote that opens before `uri` closes after one word of the next line, which
/// begins with `word`.
fn is_word_before_quote(uri: &[u8], word: &[u8]) -> bool {
    let Some(end) = memchr::memchr(b'"', word) else { return false };
    let (part, after) = word.split_at(end);
    let is_end = !after.get(1).is_some_and(u8::is_ascii_alphanumeric);
    let begins = part.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || begins_part(byte));
    let expects_more = uri.last().is_some_and(|last| b"/-._=&?%#".contains(last));
    is_end && begins && !part.ends_with(b"=") && (expects_more || tells(part))
}

/// Reports whether `word` has a byte that words of prose lack.
pub(in crate::scan) fn tells(word: &[u8]) -> bool {
    let is_one = |byte: &u8| {
        byte.is_ascii_digit()
            || matches!(byte, b'/' | b'.' | b'=' | b'&' | b'?' | b'%' | b'-' | b'_')
    };
    word.iter().any(is_one)
}

/// Reports whether no word of prose begins with `byte`, after which a URI continues.
pub(in crate::scan) const fn begins_part(byte: &u8) -> bool {
    matches!(byte, b'/' | b'?' | b'&' | b'#' | b'=' | b'%')
}

#[cfg(test)]
mod tests {
    use super::super::case;

    #[test]
    fn a_hyphen_or_a_parameter_may_go_on_in_the_next_line() {
        case("see http://h.example/rmi-\n   iiop/index.html", Some('\n'));
        case("// see http://h.example/rmi-\r\n// iiop", Some('\n'));
        case("see https://h.example/?x=1&\ny=2&z=3", Some('\n'));
        case("see https://h.example/?x=\n1&z=3", Some('\n'));
        case("https://h.example/?a=code&client\n_id=ab&c=d", Some('\n'));
        case("https://h.example/?a=code\n%2Flocalhost", Some('\n'));
        case("> https://h.example/?a=code\n> &b=c", Some('\n'));
    }

    #[test]
    fn the_next_line_may_be_another_text() {
        case("// see http://h.example/rmi-\nfn a() {}", None);
        case("see http://h.example/rmi-\n- an item", None);
        case("// - a: http://h.example/rmi-\n// - b: x", None);
        case("see http://h.example/rmi-\n\niiop", None);
        case("see http://h.example/rmi-\nhttp://i.example/", None);
        case("see http://h.example/--\nand", None);
        case("see http://h.example/?a=YQ==\nand", None);
        case("see http://h.example/a\n_id and", None);
        case("# http://h.example/a\n=====", None);
        case("see http://h.example/a\n&nbsp;x=1", None);
    }

    #[test]
    fn a_quote_may_close_after_a_word_of_the_next_line() {
        case("at \"ftp://h.example/transfer-\n  encodings/\" and", Some('\n'));
        case("at \"ftp://h.example/a/\nb\" and", Some('\n'));
        case("at \"ftp://h.example/a\nand \"b\"", None);
        case("at \"ftp://h.example/a\nx=\"b\"", None);
    }

    #[test]
    fn a_bracket_may_close_after_a_blank_or_a_word_of_the_next_line() {
        case("<file:///C:/Program Files/App/x.txt>", Some(' '));
        case("<mailto:a@h.example?subject=Hello World>", Some(' '));
        case("<https://h.example/search?q=foo bar>", Some(' '));
        case("#> <https://h.example/docs/\n  #> a.html>", None);
        case("<https://h.example/docs/\n//# a.html> b", Some('\n'));
        case("<https://h.example/x text>", None);
        case("<https://h.example/x www.h.example>", None);
        case("<https://h.example/x (text)>", None);
        case("<https://h.example/x see chapter 2 of it>", None);
        case("<https://h.example/10\n\n>", None);
        case("x = \"data:text/plain,two words\"", Some(' '));
        case("x = 'data:text/plain,two words of it'", Some(' '));
        case("x = \"data:text/plain,two\" words", None);
        case("x = \"data:text/plain,two words\n\"", None);
        case("data:text/plain,two words \"a\"", None);
        case("<https://h.example/10\n> quoted", None);
    }
}
