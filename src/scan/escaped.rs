//! Reads URIs in which some characters are escaped.
//!
//! Programs write JSON into scripts, logs and database dumps: PHP with escaped slashes,
//! `"https:\/\/host\/a?b=1\u0026c=2"`, Go and .NET without. A string within another string has more
//! backslashes. Patterns for `sed` escape slashes, too. Shells, TeX and dumps escape single marks:
//! `http://host/a\?b=1\&c=2`. Where the language of a document is known, its escapes are decoded
//! before the scan.
//!
//! Regular expressions look similar: a text with an escape or a mark of theirs is no URI. An escape
//! that no URI can hold ends it. `extent` handles escaped marks in text that is not a string.

use super::backslash::{is_interpolation, is_mark, octal};
use super::extent::{self, Quotation};
use super::limits::CANDIDATE_LEN_MAX;
use crate::span::last_line;

/// The extent of a decoded URI.
pub(super) struct Content {
    /// Offset after its last byte in the source.
    pub(super) end: usize,
    /// Whether it continues after the part that is examined.
    pub(super) is_cut: bool,
}

/// The context of a URI.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Directly after a double quote: the URI is all of a string, or its beginning.
    String,
    /// Somewhere in a text with escaped slashes. If a slash on the line before the URI is not
    /// escaped, as in a pattern, the next one ends the URI.
    Slashed { is_pattern: bool },
    /// Somewhere in a string, or in a line of a log, with unescaped slashes. If an apostrophe
    /// precedes the URI, the next one ends it.
    Text { is_quoted: bool },
}

/// The properties of a URI that are known before it is read.
#[derive(Clone, Copy)]
struct Style {
    place: Place,
    /// Whether the slashes after its scheme are escaped.
    is_slashed: bool,
    /// The quotation around it, if slashes and a double quote do not decide where it ends.
    quotation: Option<Quotation>,
}

impl Style {
    /// Returns the style of the URI whose scheme is `start..colon`; `None` if it is no URI. Where
    /// backslashes are literal, only strings and URIs with escaped slashes have escapes.
    fn of(bytes: &[u8], start: usize, colon: usize, keeps_backslashes: bool) -> Option<Self> {
        let before = start.checked_sub(1).and_then(|at| bytes.get(at));
        let is_slashed = bytes.get(colon + 1) == Some(&b'\\');
        let place = match before {
            Some(b'"') => Place::String,
            _ if !is_slashed && keeps_backslashes => return None,
            _ if !is_slashed => Place::Text { is_quoted: before == Some(&b'\'') },
            _ if may_begin(bytes.get(..start)?) => {
                Place::Slashed { is_pattern: has_slash(bytes.get(..start)?) }
            }
            _ => return None,
        };
        let is_text = matches!(place, Place::Text { .. });
        let quotation = if is_text { Quotation::open_before(bytes, start) } else { None };
        Some(Self { place, is_slashed, quotation })
    }

    fn is_in_slashes(self) -> bool {
        matches!(self.place, Place::Slashed { .. })
    }

    /// Reports whether the apostrophe at `at` ends the URI.
    fn ends_at_apostrophe(self, bytes: &[u8], at: usize) -> bool {
        matches!(self.place, Place::Slashed { .. } | Place::Text { is_quoted: true })
            || self.quotation.is_some_and(|open| open.ends_at(bytes, at))
    }

    /// Returns the number of bytes of the URI that are examined.
    fn len_max(self) -> usize {
        if self.is_in_slashes() { SLASHED_LEN_MAX } else { CANDIDATE_LEN_MAX }
    }
}

/// Longest examined part of a URI in a text with escaped slashes, in bytes. If it turns out to be
/// no URI, each scheme in it is examined again, so that the work must be bounded.
const SLASHED_LEN_MAX: usize = 1024;

/// Number of decoded bytes after which the walk first checks whether the URI has ended long ago.
/// URIs that follow each other without a gap cost this much each.
const FIRST_LOOK: usize = 96;

/// Longest punctuation at the end of the decoded text that may still belong to the URI, in bytes.
const PUNCTUATION_MAX: usize = 64;

/// Decodes the URI whose scheme is `start..colon` into `joined`, and returns its extent. `None` if
/// it is not in a string, its slashes are not escaped, and no character of it is.
pub(super) fn content(
    bytes: &[u8],
    start: usize,
    colon: usize,
    keeps_backslashes: bool,
    joined: &mut Vec<u8>,
) -> Option<Content> {
    let style = Style::of(bytes, start, colon, keeps_backslashes)?;
    let len_max = style.len_max();
    let limit = bytes.len().min(start.saturating_add(len_max));
    let bytes = bytes.get(..limit)?;
    let scheme_len = colon + 1 - start;
    joined.clear();
    joined.extend_from_slice(bytes.get(start..=colon)?);
    let (mut at, mut has_characters, mut look) = (colon + 1, false, FIRST_LOOK);
    while let Some(step) = step(bytes, at, style)? {
        if style.is_in_slashes() {
            if is_of_pattern(joined, scheme_len, step.made()) {
                return None;
            }
            // The next URI of a list.
            if step.made() == b":" && bytes.get(at + 1) == Some(&b'\\') && ends_list(joined) {
                break;
            }
        }
        has_characters |= step.is_character();
        joined.extend_from_slice(step.made());
        at += step.len;
        if joined.len() > look {
            if has_ended(joined, scheme_len) {
                break;
            }
            look *= 2;
        }
    }
    let is_seen = at < limit || limit - start < len_max;
    let is_one = has_characters || !matches!(style.place, Place::Text { .. });
    if !is_one || !joined.get(scheme_len..)?.starts_with(b"//") {
        return None;
    }
    let extent = extent::hierarchical(joined, 0, scheme_len + b"//".len());
    joined.truncate(extent.end);
    let end = source(bytes, colon + 1, joined.len() - scheme_len, style);
    Some(Content { end, is_cut: !is_seen && end == at })
}

/// Reports whether the URI at the beginning of `joined` ends long before the end of `joined`.
fn has_ended(joined: &[u8], scheme_len: usize) -> bool {
    let extent = extent::hierarchical(joined, 0, scheme_len + b"//".len());
    extent.end + PUNCTUATION_MAX < joined.len()
}

/// Removes the name of another scheme from the end of `joined`, if a comma or a semicolon precedes
/// it. Reports whether it did.
fn ends_list(joined: &mut Vec<u8>) -> bool {
    let name = joined.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let len = joined.len() - name;
    let is_list =
        len.checked_sub(1).is_some_and(|last| matches!(joined.get(last), Some(b',' | b';')));
    if is_list {
        joined.truncate(len);
    }
    is_list
}

/// Reports whether a URI with escaped slashes may begin after `before`: not in brackets, whose
/// contents are examined separately, and not in a pattern. After a slash it is a pattern or a
/// replacement of `sed`.
fn may_begin(before: &[u8]) -> bool {
    match before {
        [.., b'^' | b'|' | b'#' | b'$' | b'%' | b'&' | b'?' | b'@' | b'\\' | b'<' | b':'] => false,
        [.., b'*' | b'+' | b'.' | b']'] | [.., b'/' | b'|' | b'(', b'('] => false,
        [.., last, b'/'] => last.is_ascii_alphanumeric() || b"_.$".contains(last),
        [b'/'] => false,
        _ => true,
    }
}

/// Reports whether the last line of `before` has a slash that is not escaped.
fn has_slash(before: &[u8]) -> bool {
    /// Bytes of the line that are examined.
    const NEAR: usize = 512;
    let near = before.get(before.len().saturating_sub(NEAR)..).unwrap_or_default();
    let line = near.get(last_line(near)..).unwrap_or_default();
    memchr::memchr_iter(b'/', line)
        .any(|at| at.checked_sub(1).and_then(|last| line.get(last)) != Some(&b'\\'))
}

/// Reports whether `made`, appended to `joined`, shows that the text is a regular expression: by a
/// mark that few URIs have, or by a host that does not begin with a letter or digit.
fn is_of_pattern(joined: &[u8], scheme_len: usize, made: &[u8]) -> bool {
    let last = joined.last().copied().unwrap_or_default();
    match *made {
        [b'*' | b'|' | b'^' | b'$' | b'[' | b']' | b'{' | b'}'] => true,
        [b'+'] => !last.is_ascii_alphanumeric(),
        [byte, ..] if joined.len() == scheme_len + 2 => {
            !byte.is_ascii_alphanumeric() && byte < 0x80
        }
        _ => false,
    }
}

/// A literal byte, or a decoded escape.
struct Step {
    len: usize,
    made: [u8; 4],
    made_len: usize,
}

impl Step {
    fn made(&self) -> &[u8] {
        self.made.get(..self.made_len).unwrap_or_default()
    }

    fn of(len: usize, character: char) -> Self {
        let mut made = [0; 4];
        let made_len = character.encode_utf8(&mut made).len();
        Self { len, made, made_len }
    }

    const fn byte(byte: u8) -> Self {
        Self { len: 1, made: [byte, 0, 0, 0], made_len: 1 }
    }

    /// Reports whether the escape gives a character by its number: no other escape is as long.
    const fn is_character(&self) -> bool {
        self.len >= br"\x00".len()
    }

    /// Returns the step of `mark` after a backslash.
    const fn mark(mark: u8) -> Self {
        Self { len: 2, ..Self::byte(mark) }
    }
}

/// Maximum number of backslashes in an escape: those of a string nested in three others.
const BACKSLASHES_MAX: usize = 7;

/// Returns the step at `at`: `Some(None)` if the URI ends there, `None` if an escape there shows
/// that it is no URI.
#[expect(clippy::option_option, reason = "an end, or no such URI at all")]
fn step(bytes: &[u8], at: usize, style: Style) -> Option<Option<Step>> {
    let rest = bytes.get(at..).unwrap_or_default();
    match *rest {
        [] | [0..=b' ' | b'"' | b'<' | b'>', ..] => return Some(None),
        [b'/', ..] if style.place == (Place::Slashed { is_pattern: true }) => return Some(None),
        [b'\'', ..] if style.ends_at_apostrophe(bytes, at) => return Some(None),
        [b'\\', ..] => {}
        [byte, ..] => return Some(Some(Step::byte(byte))),
    }
    let escape = escape(rest, style);
    // In text that may not be a string, an unknown escape only ends the URI.
    if matches!(style.place, Place::Text { .. }) { Some(escape.flatten()) } else { escape }
}

/// Returns the step of the backslash with which `rest` begins.
#[expect(clippy::option_option, reason = "an end, or no such URI at all")]
fn escape(rest: &[u8], style: Style) -> Option<Option<Step>> {
    let count = backslashes(rest);
    match *rest.get(count..).unwrap_or_default() {
        [b'"' | b'n' | b'r' | b't', ..] => Some(None),
        [b'/', ..] => Some(Some(Step::of(count + 1, '/'))),
        [b'u' | b'x', b'{', ..] => braced_character(rest.get(count..)?, count),
        [b'0'..=b'3', ..] => octal_character(rest),
        [b'u', ..] => character(rest.get(count - 1..).unwrap_or_default(), count - 1),
        [b'U', ..] => long_character(rest.get(count - 1..).unwrap_or_default(), count - 1),
        [b'x', ..] => byte_character(rest.get(count - 1..).unwrap_or_default(), count - 1),
        [b'(', ..] if count == 1 && is_interpolation(rest) => None,
        [mark, ..] if count == 1 && !style.is_slashed && is_mark(mark) => {
            Some(Some(Step::mark(mark)))
        }
        _ => None,
    }
}

/// Returns the number of backslashes at the beginning of `text`.
fn backslashes(text: &[u8]) -> usize {
    text.iter().take(BACKSLASHES_MAX).take_while(|byte| **byte == b'\\').count()
}

/// Returns the step of `\u` and its digits at the beginning of `text`, and of `ahead` backslashes
/// before them. A character outside the first plane has two halves, each with that many
/// backslashes.
#[expect(clippy::option_option, reason = "an end, or no such URI at all")]
fn character(text: &[u8], ahead: usize) -> Option<Option<Step>> {
    let first = unit(text)?;
    if !(0xD800..0xDC00).contains(&first) {
        let character = char::from_u32(first.into());
        return Some(character.map(|character| Step::of(ahead + 6, character)));
    }
    let second = text.get(6..).filter(|text| text.starts_with(b"\\"));
    let second = second.and_then(|text| unit(text.get(ahead..)?)).unwrap_or_default();
    let character = char::decode_utf16([first, second]).next().and_then(Result::ok);
    Some(character.map(|character| Step::of(2 * (ahead + 6), character)))
}

/// Returns the step of `\U` and its digits: eight as in Python and C, or the four of old property
/// lists.
#[expect(clippy::option_option, reason = "an end, or no such URI at all")]
fn long_character(text: &[u8], ahead: usize) -> Option<Option<Step>> {
    let digits = text.get(2..)?;
    let long = number(digits, 8).and_then(char::from_u32).map(|made| (8, made));
    let short = || Some((4, char::from_u32(number(digits, 4)?)?));
    let (len, made) = long.or_else(short)?;
    Some(Some(Step::of(ahead + 2 + len, made)))
}

/// Returns the step of `\x` and its digits: a character of ISO 8859-1, or several such escapes that
/// are the bytes of a character in UTF-8. The step ends the URI at a C1 control.
#[expect(clippy::option_option, reason = "an end, or no such URI at all")]
fn byte_character(text: &[u8], ahead: usize) -> Option<Option<Step>> {
    let (mut bytes, mut ends, mut at) = (Vec::with_capacity(4), Vec::with_capacity(4), 0);
    while bytes.len() < 4
        && let Some(rest) = text.get(at..)
        && let backslashes = backslashes(rest)
        && backslashes > 0
        && let Some([b'x', digits @ ..]) = rest.get(backslashes..)
        && let Some(byte) = number(digits, 2)
    {
        bytes.push(u8::try_from(byte).ok()?);
        at += backslashes + "x00".len();
        ends.push(at);
    }
    let first = *bytes.first()?;
    let made = bytes.utf8_chunks().next()?.valid().chars().next();
    let len = ends.get(made.map_or(1, char::len_utf8) - 1)?;
    let made = made.or_else(|| (first >= 0xA0).then(|| char::from(first)));
    Some(made.map(|made| Step::of(ahead + len, made)))
}

/// Returns the step of `u{…}` or `x{…}` at the beginning of `text`, and of the `ahead` backslashes
/// before it: with one to six digits, as in Rust, JavaScript, Swift, PHP and Perl.
#[expect(clippy::option_option, reason = "an end, or no such URI at all")]
fn braced_character(text: &[u8], ahead: usize) -> Option<Option<Step>> {
    const DIGITS_MAX: usize = 6;
    let digits = text.get(2..)?;
    let len = digits.iter().take(DIGITS_MAX).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let made = number(digits, len).and_then(char::from_u32)?;
    let is_closed = digits.get(len) == Some(&b'}');
    is_closed.then(|| Some(Step::of(ahead + 2 + len + 1, made)))
}

/// Returns the step of octal escapes at the beginning of `text`: a mark of US-ASCII, or several
/// that are the bytes of a character in UTF-8. Nobody escapes letters and digits so, and a path of
/// Windows may have such names.
#[expect(clippy::option_option, reason = "an end, or no such URI at all")]
fn octal_character(text: &[u8]) -> Option<Option<Step>> {
    let (mut bytes, mut ends, mut at) = (Vec::with_capacity(4), Vec::with_capacity(4), 0);
    while bytes.len() < 4
        && let Some(rest) = text.get(at..)
        && let backslashes = backslashes(rest)
        && backslashes > 0
        && let Some(byte) = rest.get(backslashes..).and_then(octal)
    {
        bytes.push(byte);
        at += backslashes + "000".len();
        ends.push(at);
    }
    let made = bytes.utf8_chunks().next()?.valid().chars().next()?;
    let len = *ends.get(made.len_utf8() - 1)?;
    (!made.is_ascii_alphanumeric()).then(|| Some(Step::of(len, made)))
}

/// Returns the code unit that the escape at the beginning of `text` encodes.
fn unit(text: &[u8]) -> Option<u16> {
    number(text.strip_prefix(b"\\u")?, 4).and_then(|unit| u16::try_from(unit).ok())
}

/// Returns the hexadecimal number of exactly `len` digits at the beginning of `text`.
fn number(text: &[u8], len: usize) -> Option<u32> {
    let digits = text.get(..len)?;
    let is_number = digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_number)?;
    u32::from_str_radix(digits, 16).ok()
}

/// Returns the source offset at which the steps from `at` on have made `len` bytes.
fn source(bytes: &[u8], mut at: usize, len: usize, style: Style) -> usize {
    let mut made = 0;
    while made < len
        && let Some(Some(step)) = step(bytes, at, style)
    {
        made += step.made_len;
        at += step.len;
    }
    at
}

#[cfg(test)]
mod tests {
    use crate::scan::Scanner;

    /// Returns text and source of each candidate.
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
        // A mark that ends a URI in text also ends it here.
        case(r#""https:\/\/h\/b.""#, &[("https://h/b", r"https:\/\/h\/b")]);
        case(r#""https:\/\/h\/b c""#, &[("https://h/b", r"https:\/\/h\/b")]);
        case(r#""https:\/\/h\/\u00e9\u003ca""#, &[("https://h/é", r"https:\/\/h\/\u00e9")]);
    }

    #[test]
    fn what_stands_within_a_string_is_found() {
        let slashed = [("http://h/b", r"http:\/\/h\/b")];
        for text in [
            r#"{"a":"see http:\/\/h\/b now"}"#,
            r#"{"a":"see http:\/\/h\/b"}"#,
            r"{'a':'see http:\/\/h\/b','c':'d'}",
            r"<script>var a={'b':'http:\/\/h\/b'}",
            r#"{"a":"<p>http:\/\/h\/b<\/p>"}"#,
            r#"{"a":"(http:\/\/h\/b)"}"#,
            r#"{"a":"see\nhttp:\/\/h\/b\n"}"#,
            r"s/http:\/\/h\/b/x/g",
            r"/x http:\/\/h\/b$/",
            r"see http:\/\/h\/b, and",
        ] {
            case(text, if text.ends_with("$/") { &[] } else { &slashed });
        }
        case(
            r"sed 's/http:\/\/a.h\/b/http:\/\/c.h\/d/g'",
            &[("http://a.h/b", r"http:\/\/a.h\/b"), ("http://c.h/d", r"http:\/\/c.h\/d")],
        );
        case(r#"{"a":"<a href=\"http:\/\/h\/b\">c"}"#, &slashed);
        let source = r"http:\\/\\/h\\/b\\u0026c";
        case(&format!("'see {source} now'"), &[("http://h/b&c", source)]);
        case(&format!(r#"'\"{source}\"'"#), &[("http://h/b&c", source)]);
        let source = r"http:\\\/\\\/h\\\/b";
        case(&format!("'see {source} now'"), &[("http://h/b", source)]);
        let long = format!(r"see http:\/\/h\/{} now", "a".repeat(super::SLASHED_LEN_MAX));
        let mut scanner = Scanner::new(long.as_bytes());
        assert!(scanner.next().is_some_and(|candidate| candidate.is_cut));
    }

    #[test]
    fn marks_may_be_escaped() {
        for (source, uri) in [
            (r"http://h/a\?b=1\&c=2", "http://h/a?b=1&c=2"),
            (r"http://h\?b=1", "http://h?b=1"),
            (r"http://h/?id\=5", "http://h/?id=5"),
            (r"http://h/\~a\%20b\_c\#d", "http://h/~a%20b_c#d"),
            (r"http://h/A_\(b\)", "http://h/A_(b)"),
            (r"http://h/a\.html", "http://h/a.html"),
        ] {
            case(&format!("see {source} now"), &[(uri, source)]);
            case(&format!("\"{source}\""), &[(uri, source)]);
            case(&format!("{source}."), &[(uri, source)]);
        }
        for text in [
            r"http://h/a\. And",
            r"http://h/a\, b",
            r"http://h/a\b",
            r"http://h/a\|http",
            r"http://h/a\",
            r"http://h/a\'b",
            r"(http://h/a\)",
        ] {
            case(text, &[("http://h/a", "http://h/a")]);
        }
        let uri = "http://h/it's/x";
        for source in ["http://h/it''s/x", r"http://h/it\'s/x"] {
            case(&format!("VALUES('{source}','b')"), &[(uri, source)]);
            case(&format!("''{source}''"), &[("http://h/it", "http://h/it")]);
        }
        case("'http://h/it'' b'", &[("http://h/it", "http://h/it")]);
        case("see 'at http://h/it''s/x'", &[("http://h/it''s/x", "http://h/it''s/x")]);
        case("'http://h/''http://i/'", &[("http://h/", "http://h/"), ("http://i/", "http://i/")]);
        case(r"https://h\.example/", &[("https://h", "https://h")]);
        case(r"http://h/.*\.md", &[("http://h/", "http://h/")]);
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
        // Punctuation before an escape belongs to the URI.
        case(r#""http://h/?\u0026b""#, &[("http://h/?&b", r"http://h/?\u0026b")]);
        case(r#""http://h/b\u0022""#, &[("http://h/b", "http://h/b")]);
        case(r#""http://h/b\u0026c\nd""#, &[("http://h/b&c", r"http://h/b\u0026c")]);
        case(r#""x-y://h/b\u0026c""#, &[("x-y://h/b&c", r"x-y://h/b\u0026c")]);
        // Strings in JSON have no other escapes.
        for text in [r#""http://h/b\u0026\d""#, r#""http://h/b\u00g0""#, r"http://h/b\u00g0"] {
            case(text, &[("http://h/b", "http://h/b")]);
        }
    }

    #[test]
    fn characters_may_be_escaped_anywhere() {
        let source = r"http://h/?b=1\u0026c=2";
        let uri = "http://h/?b=1&c=2";
        for text in [
            format!("{source} now"),
            format!("x='{source}';"),
            format!("x=`{source}`;"),
            format!(r#"2020 INFO {{"a":"see {source} ok"}}"#),
            format!(r#"{{"a":"see {source}\n"}}"#),
            format!(r#"{{"a":"({source})"}}"#),
            format!("<a href='{source}'>"),
            format!(r"{source}\d"),
            format!(r"{source}\"),
            format!("{source}. And"),
        ] {
            case(&text, &[(uri, source)]);
        }
        case(r"'http://h/b\u0026c'd", &[("http://h/b&c", r"http://h/b\u0026c")]);
        case(r"http://h/it's\u0026c", &[("http://h/it's&c", r"http://h/it's\u0026c")]);
        case(
            r"http://h/b\u0020http://i/\u0022",
            &[("http://h/b", "http://h/b"), ("http://i/", "http://i/")],
        );
        let long = format!(r"http://h/\u00e9{} now", "a".repeat(3 * super::FIRST_LOOK));
        case(
            &long,
            &[(&long.replace(r"\u00e9", "é").replace(" now", ""), &long[..long.len() - 4])],
        );
        // In mail, a backslash is literal.
        let mut scanner = Scanner::new(source.as_bytes()).keeping_backslashes();
        assert!(scanner.next().is_some_and(|candidate| candidate.text == b"http://h/?b=1"));
    }

    #[test]
    fn characters_may_be_escaped_by_one_or_four_bytes() {
        for (source, uri) in [
            (r"http://h/?a\x3d1\x26b", "http://h/?a=1&b"),
            (r"http://h/caf\xE9/b", "http://h/café/b"),
            (r"http://h/caf\xc3\xa9/b", "http://h/café/b"),
            (r"http://h/\xe2\x82\xacb", "http://h/€b"),
            (r"http://h/\xe2\x82b", "http://h/â"),
            (r"http://h/\U0001F600y", "http://h/😀y"),
            (r"http:\x2F\x2Fh\x2fa", "http://h/a"),
            (r"http:\/\/h/\U00e9", "http://h/é"),
            (r"http:\\x2f\\x2fh/\\xc3\\xa9b", "http://h/éb"),
        ] {
            let source = if uri.ends_with('â') { &source[..source.len() - 5] } else { source };
            case(&format!("\"{source}\""), &[(uri, source)]);
        }
        case(r"see http://h/a\x26b", &[("http://h/a&b", r"http://h/a\x26b")]);
        for text in
            [r"http://h/a\x0ab", r"http://h/a\x80b", r"http://h/a\xg0", r"http://h/a\U00110000"]
        {
            case(text, &[("http://h/a", "http://h/a")]);
        }
    }

    #[test]
    fn characters_may_be_escaped_in_braces_or_in_octal() {
        for (source, uri) in [
            (r"http://h/?a=\u{03B1}&b", "http://h/?a=α&b"),
            (r"http://a.\u{3b1}.example/b", "http://a.α.example/b"),
            (r"http://h/r\u{E9}sum\u{E9}.html", "http://h/résumé.html"),
            (r"http://h/caf\x{e9}/b", "http://h/café/b"),
            (r"http://h/\\u{1F600}y", "http://h/😀y"),
            (r"http://h/caf\303\251/b", "http://h/café/b"),
            (r"http://h/\342\202\254b", "http://h/€b"),
            (r"http://h/?a\0751\046b", "http://h/?a=1&b"),
        ] {
            case(&format!("\"{source}\""), &[(uri, source)]);
            case(&format!("see {source} now"), &[(uri, source)]);
        }
        for text in [
            r"http://h/a\u{}b",
            r"http://h/a\u{e9b",
            r"http://h/a\u{110000}",
            r"http://h/a\u{20}b",
            r"http://h/a\x{a}b",
            r"http://h/a\101",
            r"http://h/a\351b",
            r"http://h/a\033[0m",
            r"http://h/a\012b",
            r"http://h/a\1",
        ] {
            case(text, &[("http://h/a", "http://h/a")]);
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
            r"s|https:\/\/h\/|",
            r"see https:\/\/[a-z]+\/",
            r"/https:\/\/h\/.*\/a/",
            r"/https:\/\/h\/.+/",
            r"/https:\/\/h\/?$/",
            r"/https:\/\/(a)\/b/",
            r"/https:\/\/a\/b/",
            r"a = /https:\/\/a\/b/;",
            r"https:\/\/h\.example\/a",
            r#""https:\/a""#,
            r#""https:\/\/""#,
            r#""https:\/\/\ud800""#,
            r#""https:\/\/h\/\u+123""#,
            r#""https:\/\/h\u00""#,
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
