//! Decodes the forms in which gateways write the links that they wrap.

use data_encoding::BASE64_NOPAD;

use crate::uri::percent::unescaped;

/// Splits `text` before its first ampersand, which a program may have escaped as strings have it:
/// `\u0026`, `\x26`, also after several backslashes. Returns the text before it and the length of
/// the mark, which is 0 at the end.
pub(super) fn up_to_ampersand(text: &[u8]) -> (&[u8], usize) {
    let marks = memchr::memchr2_iter(b'&', b'\\', text);
    let mut found = marks.filter_map(|at| {
        let rest = text.get(at..)?;
        Some((text.get(..at)?, ampersand_len(rest)?))
    });
    found.next().unwrap_or((text, 0))
}

/// Returns the length of the ampersand that `text` begins with, perhaps an escaped one.
fn ampersand_len(text: &[u8]) -> Option<usize> {
    /// Maximum number of backslashes: of strings within strings.
    const BACKSLASHES_MAX: usize = 8;
    if text.first() == Some(&b'&') {
        return Some(1);
    }
    let backslashes = text.iter().take(BACKSLASHES_MAX).take_while(|byte| **byte == b'\\').count();
    let rest = text.get(backslashes..).filter(|_| backslashes > 0)?;
    let escape = [&b"u0026"[..], b"x26"].into_iter().find(|escape| rest.starts_with(escape))?;
    Some(backslashes + escape.len())
}

/// Returns the offset of the parameter `data` of Safe Links in `link`, together with the separator
/// before it: a program that escapes a whole wrapper once more makes it a part of the link. Its
/// value begins with two versions and a name: `&data=05|01|alice@h.example|…`. Lists of numbers are
/// anybody's. If the name is an address, the separator may be damaged or lost.
pub(crate) fn data_start(link: &[u8]) -> Option<usize> {
    const END_OF_NAME: &[u8] = b"ta";
    memchr::memmem::find_iter(link, END_OF_NAME).find_map(|at| {
        let after = link.get(at + END_OF_NAME.len()..)?;
        let equals = mark_at(after, b"=", &[b"3D", b"3d"])?;
        let after = after_version(after.get(equals..)?)?;
        // The text may be cut within the second one.
        let name: &[u8] = match after {
            [] | [b'0'] | [b'0', b'0'..=b'9'] => &[],
            _ => after_version(after)?,
        };
        let before = link.get(..at)?;
        let Some(before) = before.strip_suffix(b"da") else {
            // Of `%data`, the first letters are digits of an escape.
            let escapes = [&b"\xDA"[..], b"%DA"];
            let before = escapes.iter().find_map(|escape| before.strip_suffix(*escape))?;
            return is_address(name).then_some(before.len());
        };
        separator_before(before)
            .filter(|_| !is_number(name))
            .or_else(|| is_address(name).then(|| rest_before(before, equals > 1)))
    })
}

/// Returns the offset of the separator of parameters that `before` ends with.
fn separator_before(before: &[u8]) -> Option<usize> {
    let separator = mark_before(before, b"&;", &[b"26", b"3B", b"3b"]);
    separator.map(|at| reference_before(before, at)).or_else(|| escape_before(before))
}

/// Returns the offset of the rest of a damaged separator that `before` ends with: a percent sign
/// alone or, where the equals sign after it `is_escaped`, the digits alone; else its length.
fn rest_before(before: &[u8], is_escaped: bool) -> usize {
    let digits = before.strip_suffix(b"26").filter(|_| is_escaped);
    before.strip_suffix(b"%").or(digits).unwrap_or(before).len()
}

/// Reports whether `text` begins with a number and the end of a value.
fn is_number(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let next = text.get(digits..).unwrap_or_default();
    digits > 0 && (next.is_empty() || mark_at(next, b"|&#\\", &[b"7C", b"7c", b"26"]).is_some())
}

/// Reports whether `text` begins with an address of mail, before the next bar.
fn is_address(text: &[u8]) -> bool {
    /// Maximum number of bytes of an address (RFC 5321 §4.5.3.1), each of them escaped.
    const LEN_MAX: usize = 3 * (64 + 1 + 255);
    let near = text.get(..LEN_MAX).unwrap_or(text);
    let near = near.split(|byte| *byte == b'&').next().unwrap_or_default();
    let mut marks = memchr::memchr3_iter(b'@', b'|', b'%', near).filter_map(|at| {
        let rest = near.get(at..)?;
        let is_at = mark_at(rest, b"@", &[b"40"]).is_some();
        (is_at || mark_at(rest, b"|", &[b"7C", b"7c"]).is_some()).then_some(is_at)
    });
    marks.next() == Some(true)
}

/// Returns the text after the version and the bar that `text` begins with.
fn after_version(text: &[u8]) -> Option<&[u8]> {
    let [b'0', b'0'..=b'9', rest @ ..] = text else { return None };
    rest.get(mark_at(rest, b"|", &[b"7C", b"7c"])?..)
}

/// Returns the length of the mark that `text` begins with, one of `marks` or an escape of it, which
/// may be escaped again.
fn mark_at(text: &[u8], marks: &[u8], escapes: &[&[u8]]) -> Option<usize> {
    if text.first().is_some_and(|first| marks.contains(first)) {
        return Some(1);
    }
    let mut rest = text.strip_prefix(b"%")?;
    while let Some(next) = rest.strip_prefix(b"25") {
        rest = next;
    }
    let escape = escapes.iter().find(|escape| rest.starts_with(escape))?;
    Some(text.len() - rest.len() + escape.len())
}

/// Returns the offset of the mark that `text` ends with.
fn mark_before(text: &[u8], marks: &[u8], escapes: &[&[u8]]) -> Option<usize> {
    if text.last().is_some_and(|last| marks.contains(last)) {
        return text.len().checked_sub(1);
    }
    /// Maximum number of bytes of an escape: of a mark that was escaped as often as anything is
    /// decoded.
    const ESCAPE_LEN_MAX: usize = 24;
    let from = text.len().saturating_sub(ESCAPE_LEN_MAX);
    let start = from + memchr::memrchr(b'%', text.get(from..)?)?;
    (mark_at(text.get(start..)?, marks, escapes)? == text.len() - start).then_some(start)
}

/// Returns the offset of the reference to an ampersand that a semicolon at `at` ends, perhaps one
/// with escapes: `&amp;`, `%26amp%3B`; else `at`.
fn reference_before(text: &[u8], at: usize) -> usize {
    let name = text.get(..at).and_then(|before| before.strip_suffix(b"amp"));
    name.and_then(|before| mark_before(before, b"&", &[b"26"])).unwrap_or(at)
}

/// Returns the offset of the escaped ampersand of a string that `text` ends with.
fn escape_before(text: &[u8]) -> Option<usize> {
    let rest = text.strip_suffix(b"u0026").or_else(|| text.strip_suffix(b"x26"))?;
    let backslashes = rest.iter().rev().take_while(|byte| **byte == b'\\').count();
    (backslashes > 0).then(|| rest.len() - backslashes)
}

/// Decodes `text` by the second version of URL Defense, which writes a hyphen in place of a percent
/// sign, and an underscore in place of a slash.
pub(crate) fn dashed(text: &[u8]) -> Vec<u8> {
    let escapes: Vec<u8> = text
        .iter()
        .map(|byte| match byte {
            b'-' => b'%',
            b'_' => b'/',
            other => *other,
        })
        .collect();
    unescaped(&escapes).into_owned()
}

/// Returns the bytes that `text` encodes in base64, with the characters of either alphabet, and
/// with or without padding (RFC 4648 §4 and §5). The text may be escaped in a query, where a plus
/// sign may have become a blank.
pub(crate) fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = unescaped(text);
    let len = text.iter().rposition(|byte| *byte != b'=').map_or(0, |last| last + 1);
    let digits: Vec<u8> = text
        .get(..len)?
        .iter()
        .map(|byte| match byte {
            b'-' | b' ' => b'+',
            b'_' => b'/',
            other => *other,
        })
        .collect();
    BASE64_NOPAD.decode(&digits).ok()
}
