//! Decodes string literals in the braces of an attribute: `href={"./guide.md"}` is
//! `href="./guide.md"` (JSX, `JSXAttributeValue`; ECMAScript §12.9.4, §12.9.6).
//!
//! An expression of more than one literal, and a template with a substitution, are no literals.

use std::borrow::Cow;

use crate::source::hex;
use crate::span::Span;

/// Bytes of braces that are read: no link that people write has so many.
const LITERAL_LEN_MAX: usize = 4096;

/// Maximum number of parentheses around a literal: formatters of code put one pair there.
const PARENTHESES_MAX: usize = 4;

/// Returns the span of the string in the braces at `at` of `text`, without its quotes, and its
/// value; `None` if the braces hold something else.
pub(super) fn in_braces(text: &[u8], at: usize) -> Option<(Span, Vec<u8>)> {
    let end = text.len().min(at.saturating_add(LITERAL_LEN_MAX));
    let near = text.get(..end)?;
    let mut start = after_blanks(near, at + near.get(at..)?.strip_prefix(b"{").map(|_| 1)?);
    let mut open = 0;
    while near.get(start) == Some(&b'(') && open < PARENTHESES_MAX {
        start = after_blanks(near, start + 1);
        open += 1;
    }
    let quote = *near.get(start).filter(|quote| b"\"'`".contains(quote))?;
    let inside = Span::new(start + 1, string_end(near, start + 1, quote)?);
    let mut after = after_blanks(near, inside.end + 1);
    for _ in 0..open {
        after = after_blanks(near, after + near.get(after..)?.strip_prefix(b")").map(|_| 1)?);
    }
    let is_all = near.get(after) == Some(&b'}');
    is_all.then(|| (inside, unescaped(inside.of(near)).into_owned()))
}

/// Returns the offset after the white space at `at`.
fn after_blanks(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Returns the end offset of the string that begins at `at`, before its `quote`.
fn string_end(text: &[u8], mut at: usize, quote: u8) -> Option<usize> {
    loop {
        match text.get(at..)? {
            [b'\\', _, ..] => at += 2,
            [byte, ..] if *byte == quote => return Some(at),
            [b'$', b'{', ..] if quote == b'`' => return None,
            [b'\n', ..] if quote != b'`' => return None,
            rest => at += rest.len().min(1),
        }
        if at >= text.len() {
            return None;
        }
    }
}

/// Returns the value of a string, given its source between the quotes.
fn unescaped(inside: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', inside).is_none() {
        return Cow::Borrowed(inside);
    }
    let mut made = Vec::with_capacity(inside.len());
    let mut rest = inside;
    while let Some((first, after)) = rest.split_first() {
        if *first != b'\\' {
            made.push(*first);
            rest = after;
            continue;
        }
        let (character, len) = escape(after);
        if let Some(character) = character {
            made.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        rest = after.get(len..).unwrap_or_default();
    }
    Cow::Owned(made)
}

/// Returns the character of the escape whose backslash precedes `rest`, or `None` for a line
/// continuation, and the length of the escape in `rest`. An unknown escape denotes its letter.
fn escape(rest: &[u8]) -> (Option<char>, usize) {
    let coded = match rest {
        [b'x', ..] => digits(rest, 1, 2),
        [b'u', b'{', ..] => braced(rest),
        [b'u', ..] => digits(rest, 1, 4).map(|first| with_low(rest, first)),
        _ => None,
    };
    if let Some((number, len)) = coded {
        return (Some(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER)), len);
    }
    match rest {
        [b'\r', b'\n', ..] => (None, 2),
        [b'\n', ..] => (None, 1),
        [b'n', ..] => (Some('\n'), 1),
        [b't', ..] => (Some('\t'), 1),
        [b'r', ..] => (Some('\r'), 1),
        [b'b' | b'f' | b'v' | b'0', ..] => (Some(' '), 1),
        // The first byte of a multi-byte character is copied, as the bytes after it are.
        _ => match rest.first().filter(|first| first.is_ascii()) {
            Some(first) => (Some(char::from(*first)), 1),
            None => (None, 0),
        },
    }
}

/// Returns the number of `count` hexadecimal digits at `at`, and their end offset.
fn digits(rest: &[u8], at: usize, count: usize) -> Option<(u32, usize)> {
    let number = hex::number(rest.get(at..at + count)?)?;
    Some((u32::try_from(number).ok()?, at + count))
}

/// Returns the number in `u{…}`, and its end offset.
fn braced(rest: &[u8]) -> Option<(u32, usize)> {
    /// Maximum number of digits of the number, with zeros before them.
    const DIGITS_MAX: usize = 8;
    let inside = rest.get(2..rest.len().min(2 + DIGITS_MAX + 1))?;
    let len = memchr::memchr(b'}', inside)?;
    digits(rest, 2, len).map(|(number, end)| (number, end + 1))
}

/// Returns the character of two surrogates, if `first` is a high one, and their end offset.
fn with_low(rest: &[u8], (first, end): (u32, usize)) -> (u32, usize) {
    let is_high = (0xD800..0xDC00).contains(&first);
    let low = || digits(rest.get(end..)?.strip_prefix(b"\\u")?, 0, 4);
    match low().filter(|(low, _)| is_high && (0xDC00..0xE000).contains(low)) {
        Some((low, len)) => {
            (0x10000 + ((first - 0xD800) << 10) + (low - 0xDC00), end + b"\\u".len() + len)
        }
        None => (first, end),
    }
}

#[cfg(test)]
mod tests {
    use super::in_braces;

    #[track_caller]
    fn case(text: &str, expected: Option<(&str, &str)>) {
        let found = in_braces(text.as_bytes(), 0);
        let found = found.map(|(span, value)| {
            (String::from_utf8_lossy(span.of(text.as_bytes())).into_owned(), value)
        });
        let expected = expected.map(|(raw, value)| (raw.to_owned(), value.as_bytes().to_vec()));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_literal_in_braces_is_what_it_says() {
        case("{\"a.md\"}", Some(("a.md", "a.md")));
        case("{ 'it\\'s' }/>", Some(("it\\'s", "it's")));
        case("{`a\nb`}", Some(("a\nb", "a\nb")));
        case("{\n(\"a b\")\n}", Some(("a b", "a b")));
        case(
            r#"{"\x2f\u0041\u{1F600}\/\uD83D\uDE00"}"#,
            Some((r"\x2f\u0041\u{1F600}\/\uD83D\uDE00", "/A😀/😀")),
        );
        case("{\"a\\\nb\\é\"}", Some(("a\\\nb\\é", "abé")));
        case(r#"{"\u{}\xZZ\uD83D"}"#, Some((r"\u{}\xZZ\uD83D", "u{}xZZ\u{FFFD}")));
        case("{\"\"}", Some(("", "")));
    }

    #[test]
    fn other_expressions_are_no_literals() {
        for text in [
            "{props.to}",
            "{`a${b}`}",
            "{\"a\" + b}",
            "{a ? \"b\" : \"c\"}",
            "{\"a}",
            "{\"a\n\"}",
            "{(\"a\"}",
            "{((((((\"a\"))))))}",
            "{",
            "{\"",
            "{\"a\\",
            "\"a\"",
            "",
            "{{\"a\"}}",
        ] {
            case(text, None);
        }
    }
}
