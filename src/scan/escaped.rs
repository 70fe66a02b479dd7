//! URIs in strings with escapes, as PHP writes JSON into scripts, logs and dumps of databases:
//! `"https:\/\/host\/a?b=1\u0026c=2"`, and Go and .NET, which leave the slashes. Where a document
//! is known to be JSON, escapes are undone before anything is looked for.
//!
//! A quote stands right before them, which tells them from regular expressions; what has other
//! escapes than strings of JSON have is one in a string. Those that no URI holds end it.

use super::extent::{self, CANDIDATE_LEN_MAX};

/// What stands in such a string.
pub(super) struct Content {
    /// Offset behind it.
    pub(super) end: usize,
    /// True when it goes on beyond what is looked at.
    pub(super) is_cut: bool,
}

/// Leaves the URI whose scheme is `start..colon` in `joined`; gives where it ends.
pub(super) fn content(
    bytes: &[u8],
    start: usize,
    colon: usize,
    joined: &mut Vec<u8>,
) -> Option<Content> {
    if bytes.get(start.checked_sub(1)?) != Some(&b'"') {
        return None;
    }
    let limit = bytes.len().min(start.saturating_add(CANDIDATE_LEN_MAX));
    let bytes = bytes.get(..limit)?;
    let scheme = bytes.get(start..=colon)?;
    joined.clear();
    joined.extend_from_slice(scheme);
    let mut at = colon + 1;
    while let Some(step) = step(bytes, at)? {
        joined.extend_from_slice(step.made());
        at += step.len;
    }
    let host = scheme.len() + b"//".len();
    if !joined.get(scheme.len()..)?.starts_with(b"//") {
        return None;
    }
    let extent = extent::hierarchical(joined, 0, host);
    let is_cut = limit - start == CANDIDATE_LEN_MAX && at == limit && extent.end == joined.len();
    joined.truncate(extent.end);
    Some(Content { end: source(bytes, colon + 1, joined.len() - scheme.len()), is_cut })
}

/// A byte of a string that stands for itself, or an escape.
struct Step {
    len: usize,
    made: [u8; 4],
    made_len: usize,
}

impl Step {
    fn made(&self) -> &[u8] {
        self.made.get(..self.made_len).unwrap_or_default()
    }
}

/// The step at `at`; nothing where the string ends, and none at an escape that no URI has.
#[expect(clippy::option_option, reason = "an end, or no such string at all")]
fn step(bytes: &[u8], at: usize) -> Option<Option<Step>> {
    let rest = bytes.get(at..).unwrap_or_default();
    let (len, character) = match *rest {
        [] | [0..=b' ' | b'"' | b'<' | b'>', ..] => return Some(None),
        [b'\\', b'"' | b'n' | b'r' | b't', ..] => return Some(None),
        [b'\\', b'/', ..] => (2, '/'),
        // In a string of another string.
        [b'\\', b'\\', b'/', ..] => (3, '/'),
        [b'\\', b'u', ..] => match unit(rest)? {
            first @ 0xD800..0xDC00 => {
                let second = rest.get(6..).and_then(unit).unwrap_or_default();
                match char::decode_utf16([first, second]).next() {
                    Some(Ok(character)) => (12, character),
                    _ => return Some(None),
                }
            }
            one => match char::from_u32(one.into()) {
                Some(character) => (6, character),
                None => return Some(None),
            },
        },
        [b'\\', ..] => return None,
        [byte, ..] => return Some(Some(Step { len: 1, made: [byte, 0, 0, 0], made_len: 1 })),
    };
    let mut made = [0; 4];
    let made_len = character.encode_utf8(&mut made).len();
    Some(Some(Step { len, made, made_len }))
}

/// The code unit that the escape at the beginning of `text` stands for.
fn unit(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    let is_number = digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_number)?;
    u16::from_str_radix(digits, 16).ok()
}

/// Where the steps from `at` on have made `len` bytes.
fn source(bytes: &[u8], mut at: usize, len: usize) -> usize {
    let mut made = 0;
    while made < len
        && let Some(Some(step)) = step(bytes, at)
    {
        made += step.made_len;
        at += step.len;
    }
    at
}

#[cfg(test)]
mod tests {
    use crate::scan::Scanner;

    /// Text and source of what is found.
    fn found(text: &str) -> Vec<(String, &str)> {
        let mut scanner = Scanner::new(text.as_bytes());
        let mut found = Vec::new();
        while let Some(candidate) = scanner.next() {
            let uri = String::from_utf8_lossy(candidate.text).into_owned();
            found.push((uri, &text[candidate.span.start..candidate.span.end]));
        }
        found
    }

    #[track_caller]
    fn case(text: &str, expected: &[(&str, &str)]) {
        let expected: Vec<_> =
            expected.iter().map(|(uri, source)| ((*uri).to_owned(), *source)).collect();
        assert_eq!(found(text), expected, "{text}");
    }

    #[test]
    fn slashes_of_strings_may_be_escaped() {
        case(
            r#"{"a":"https:\/\/h.example\/b?c=1\u0026d=2","e":"http:\/\/h\/"}"#,
            &[
                ("https://h.example/b?c=1&d=2", r"https:\/\/h.example\/b?c=1\u0026d=2"),
                ("http://h/", r"http:\/\/h\/"),
            ],
        );
        case(r#"{""a"":""https:\/\/h\/b""}"#, &[("https://h/b", r"https:\/\/h\/b")]);
        case(r#"'{\"a\":\"https:\\/\\/h\\/b\"}'"#, &[("https://h/b", r"https:\\/\\/h\\/b")]);
        // What ends a URI in text ends it here.
        case(r#""https:\/\/h\/b.""#, &[("https://h/b", r"https:\/\/h\/b")]);
        case(r#""https:\/\/h\/b c""#, &[("https://h/b", r"https:\/\/h\/b")]);
        case(r#""https:\/\/h\/\u00e9\u003ca""#, &[("https://h/é", r"https:\/\/h\/\u00e9")]);
    }

    #[test]
    fn slashes_of_strings_may_stand_for_themselves() {
        case(
            r#"log: {"a":"https://h/b?c=1\u0026d\u003D2","e":"http://h/"}"#,
            &[
                ("https://h/b?c=1&d=2", r"https://h/b?c=1\u0026d\u003D2"),
                ("http://h/", "http://h/"),
            ],
        );
        case(r#""http://h\u002Fb""#, &[("http://h/b", r"http://h\u002Fb")]);
        // Punctuation before an escape is none of the text's.
        case(r#""http://h/?\u0026b""#, &[("http://h/?&b", r"http://h/?\u0026b")]);
        case(r#""http://h/b\u0022""#, &[("http://h/b", "http://h/b")]);
        case(r#""http://h/b\u0026c\nd""#, &[("http://h/b&c", r"http://h/b\u0026c")]);
        case(r#""x-y://h/b\u0026c""#, &[("x-y://h/b&c", r"x-y://h/b\u0026c")]);
        // Other escapes are none of strings in JSON, and without a quote it is no string.
        for text in [r#""http://h/b\u0026\d""#, r#""http://h/b\u00g0""#, r"http://h/b\u0026c"] {
            case(text, &[("http://h/b", "http://h/b")]);
        }
    }

    #[test]
    fn escapes_that_no_uri_holds_end_it() {
        let end = [("https://h/a", r"https:\/\/h\/a")];
        for text in [
            r#""https:\/\/h\/a\n""#,
            r#""https:\/\/h\/a\r\nb""#,
            r#""https:\/\/h\/a\tb""#,
            r#""https:\/\/h\/a\ud800""#,
            r#""https:\/\/h\/a\udc00b""#,
            r#""https:\/\/h\/a\ud83d\u0041""#,
        ] {
            case(text, &end);
        }
        let face = r"https:\/\/h\/\ud83d\ude00";
        case(&format!("\"{face}\""), &[("https://h/\u{1F600}", face)]);
    }

    #[test]
    fn regular_expressions_are_none() {
        for text in [
            r"/https:\/\/h\/(\d+)/",
            r#"RegExp("https:\/\/h\/(\d+)")"#,
            r#""^https:\/\/h\/""#,
            r#""https:\/a""#,
            r#""https:\/\/""#,
            r#""https:\/\/\ud800""#,
            r#""https:\/\/h\/\u+123""#,
            r#""https:\/\/h\u00""#,
            r"https:\/\/h\/",
        ] {
            case(text, &[]);
        }
    }

    #[test]
    fn a_string_without_an_end_is_cut() {
        let text = format!(r#""https:\/\/h\/{}""#, "a".repeat(super::CANDIDATE_LEN_MAX));
        let mut scanner = Scanner::new(text.as_bytes());
        let candidate = scanner.next().unwrap();
        assert!(candidate.is_cut);
        assert_eq!(candidate.span.len(), super::CANDIDATE_LEN_MAX);
    }
}
