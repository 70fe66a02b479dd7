//! Proofpoint URL Defense, in three versions.
//!
//! - `/v1/url?u=`: the link, escaped, before `&k=`.
//! - `/v2/url?u=`: the link, in which a hyphen denotes the percent sign of an escape, and an
//!   underscore denotes a slash, before `&d=`.
//! - `/v3/__LINK__;BASE64!…`: the link, in which characters were replaced by asterisks. The
//!   replaced characters follow in UTF-8 and base64 (RFC 4648 §5). One asterisk denotes one of
//!   them, and two with a digit of base64 after them denote a run: `A` is two, `B` three, and so
//!   on. Programs may have dropped a slash after the scheme.
//!
//! Runs count characters: the decoder that Proofpoint publishes (`urldecoder.py`, version 3.0.1)
//! decodes the base64 to a text of Unicode, and counts in that. Bytes are counted only if
//! characters do not add up.
//!
//! A program may have escaped the whole of a link of the third version once more; its mark is then
//! `__%3B`.
//!
//! All other parameters, and what follows the exclamation mark, are tokens of the reader.

use std::borrow::Cow;

use memchr::memmem;

use super::{Row, Unknown, decode};
use crate::uri::{Gateway, Wrapper, base64, dashed, unescaped};

pub(super) const ROW: Row = Row {
    gateway: Gateway::UrlDefense,
    name: "urldefense",
    about: "URL Defense of Proofpoint",
    form: "urldefense.com/v3/__LINK__;BASE64!!TOKEN$",
    read,
};

/// Characters of the shortest run of replaced characters: fewer have an asterisk each.
const RUN_LEN_MIN: usize = 2;

fn read(wrapper: &Wrapper<'_>) -> Result<Vec<u8>, Unknown> {
    match wrapper.path().get(..4) {
        Some([b'/', b'v' | b'V', b'1', b'/']) => first(wrapper),
        Some([b'/', b'v' | b'V', b'2', b'/']) => {
            decode::value(wrapper).map(dashed).map(|link| without_references(&link))
        }
        _ => third(wrapper.rest),
    }
}

/// Returns the link of the first version. It may not be escaped, so that ampersands are part of it.
fn first(wrapper: &Wrapper<'_>) -> Result<Vec<u8>, Unknown> {
    let value = decode::value(wrapper)?;
    let whole = if is_unescaped(value) { up_to_key(wrapper.rest) } else { None };
    Ok(without_references(&unescaped(whole.unwrap_or(value))))
}

/// Returns `link` without the references of HTML that the gateway writes for marks, as its
/// published decoder does.
fn without_references(link: &[u8]) -> Vec<u8> {
    const MARKS: [(&[u8], u8); 6] = [
        (b"&amp;", b'&'),
        (b"&lt;", b'<'),
        (b"&gt;", b'>'),
        (b"&quot;", b'"'),
        (b"&#39;", b'\''),
        (b"&#x27;", b'\''),
    ];
    let mut out = Vec::with_capacity(link.len());
    let mut rest = link;
    while let Some((&byte, after)) = rest.split_first() {
        let reference = MARKS.iter().find(|(reference, _)| rest.starts_with(reference));
        let (byte, len) = reference.map_or((byte, 1), |(text, mark)| (*mark, text.len()));
        out.push(byte);
        rest = if len == 1 { after } else { rest.get(len..).unwrap_or_default() };
    }
    out
}

fn is_unescaped(value: &[u8]) -> bool {
    memmem::find(value, b"://").is_some()
}

/// Returns the text between `?u=` and `&k=`.
fn up_to_key(rest: &[u8]) -> Option<&[u8]> {
    const OPENS: &[u8] = b"?u=";
    let after = rest.get(memmem::find(rest, OPENS)? + OPENS.len()..)?;
    let ends = [&b"&k="[..], b"&amp;k="].into_iter().filter_map(|end| memmem::find(after, end));
    after.get(..ends.min()?)
}

/// Returns the link of the third version.
fn third(rest: &[u8]) -> Result<Vec<u8>, Unknown> {
    const OPENS: &[u8] = b"/v3/__";
    let (opens, after) = rest.split_at_checked(OPENS.len()).ok_or(Unknown::Missing)?;
    if !opens.eq_ignore_ascii_case(OPENS) {
        return Err(Unknown::Missing);
    }
    replaced_in(after)
}

/// Returns the link at the start of `text`, up to the mark of the gateway, with the bytes that
/// follow in base64.
pub(super) fn replaced_in(text: &[u8]) -> Result<Vec<u8>, Unknown> {
    let marks = [&b"__%3B"[..], b"__%3b"];
    let has_mark = marks.iter().any(|mark| memmem::find(text, mark).is_some());
    let is_escaped = apart(text).is_none() && has_mark;
    let text = if is_escaped { unescaped(text) } else { Cow::Borrowed(text) };
    let (link, digits) = apart(&text).ok_or(Unknown::Missing)?;
    let bytes = base64(digits).ok_or(Unknown::Encoding)?;
    // The gateway replaces each semicolon, so that a reference is of the HTML around the wrapper.
    let link = decode::with_slashes(decode::without_references(link));
    match replaced(&link, &bytes) {
        // A program may have escaped asterisks alone.
        Err(Unknown::Count) => replaced(&with_asterisks(&link), &bytes),
        read => read,
    }
}

/// Returns `link` with asterisks for their escapes.
fn with_asterisks(link: &[u8]) -> Vec<u8> {
    const ESCAPE: &[u8] = b"%2A";
    let mut out = Vec::with_capacity(link.len());
    let mut rest = link;
    while let Some((&byte, after)) = rest.split_first() {
        let is_escape =
            rest.get(..ESCAPE.len()).is_some_and(|text| text.eq_ignore_ascii_case(ESCAPE));
        out.push(if is_escape { b'*' } else { byte });
        rest = if is_escape { rest.get(ESCAPE.len()..).unwrap_or_default() } else { after };
    }
    out
}

/// Splits `after` into the link and the base64 after the first mark that nothing but base64 and
/// an exclamation mark follows: a link may hold such a mark, too.
fn apart(after: &[u8]) -> Option<(&[u8], &[u8])> {
    const MARK: &[u8] = b"__;";
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_=".contains(byte);
    memmem::find_iter(after, MARK).find_map(|at| {
        let rest = after.get(at + MARK.len()..)?;
        let len = rest.iter().take_while(|byte| is_digit(byte)).count();
        (rest.get(len) == Some(&b'!')).then_some((after.get(..at)?, rest.get(..len)?))
    })
}

/// A part of a link.
enum Part {
    /// A literal byte.
    Byte(u8),
    /// A number of characters that were replaced.
    Run(usize),
}

/// Returns the part at the start of `link`, and its length.
fn part(link: &[u8]) -> Option<(Part, usize)> {
    Some(match link {
        [b'*', b'*', digit, ..] if digit_value(*digit).is_some() => {
            (Part::Run(digit_value(*digit)? + RUN_LEN_MIN), 3)
        }
        [b'*', ..] => (Part::Run(1), 1),
        [byte, ..] => (Part::Byte(*byte), 1),
        [] => return None,
    })
}

/// Returns `link` with `bytes` in the places of its asterisks. A run counts characters, or bytes if
/// only these make use of all of them.
fn replaced(link: &[u8], bytes: &[u8]) -> Result<Vec<u8>, Unknown> {
    let parts = || {
        let mut rest = link;
        std::iter::from_fn(move || {
            let (part, len) = part(rest)?;
            rest = rest.get(len..)?;
            Some(part)
        })
    };
    let wanted: usize = parts()
        .map(|part| match part {
            Part::Byte(_) => 0,
            Part::Run(len) => len,
        })
        .sum();
    let text = str::from_utf8(bytes).ok();
    let counts_bytes = text.is_none_or(|text| text.chars().count() != wanted);
    if counts_bytes && wanted != bytes.len() {
        return Err(Unknown::Count);
    }
    let mut out = Vec::with_capacity(link.len() + bytes.len());
    let mut left = bytes;
    for part in parts() {
        let run = match part {
            Part::Byte(byte) => {
                out.push(byte);
                continue;
            }
            Part::Run(len) if counts_bytes => len,
            Part::Run(len) => chars_len(left, len),
        };
        let (taken, rest) = left.split_at_checked(run).ok_or(Unknown::Count)?;
        out.extend_from_slice(taken);
        left = rest;
    }
    Ok(out)
}

/// Returns the length of the first `count` characters of `text`, which is UTF-8.
fn chars_len(text: &[u8], count: usize) -> usize {
    let starts = text.iter().enumerate().filter(|(_, byte)| **byte & 0xC0 != 0x80);
    starts.map(|(at, _)| at).nth(count).unwrap_or(text.len())
}

/// Returns the value of a digit of base64 (RFC 4648 §5).
fn digit_value(digit: u8) -> Option<usize> {
    let offset = |first: u8, value: usize| usize::from(digit - first) + value;
    Some(match digit {
        b'A'..=b'Z' => offset(b'A', 0),
        b'a'..=b'z' => offset(b'a', 26),
        b'0'..=b'9' => offset(b'0', 52),
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Unknown, replaced};

    #[track_caller]
    fn case(link: &str, bytes: &str, wanted: Result<&str, Unknown>) {
        let found = replaced(link.as_bytes(), bytes.as_bytes());
        assert_eq!(found, wanted.map(|it| it.as_bytes().to_vec()), "{link}");
    }

    #[test]
    fn asterisks_stand_for_bytes_or_characters() {
        case("a*b*", "xy", Ok("axby"));
        case("a**Ab", "xy", Ok("axyb"));
        case("a**Cb*", "wxyzv", Ok("awxyzbv"));
        case("a**Ab", "\u{e9}", Ok("a\u{e9}b"));
        case("a*b", "\u{e9}", Ok("a\u{e9}b"));
        case("a**Ab*", "\u{e9}\u{e8}z", Ok("a\u{e9}\u{e8}bz"));
        // As the published decoder reads them: characters of one to four bytes.
        case(
            "a**Cb**A*",
            "\u{1F600}x\u{e9}\u{540D}yz\u{df}",
            Ok("a\u{1F600}x\u{e9}\u{540D}byz\u{df}"),
        );
        case("a**Bb", "\u{540D}", Ok("a\u{540D}b"));
        case("***A", "xyz", Ok("xyz"));
        case("a**_", &"x".repeat(65), Ok(&format!("a{}", "x".repeat(65))));
        case("a**/", "xy", Ok("axy/"));
        case("a*", "", Err(Unknown::Count));
        case("a", "x", Err(Unknown::Count));
        case("a**B", "xy", Err(Unknown::Count));
    }
}
