//! Checks the text after an opaque scheme's colon before it is accepted as a URI.
//!
//! The check is evidence, not grammar: words with a colon are everywhere in prose and code, and
//! most names of schemes are words. The strict grammars are applied later.

use std::ops::RangeInclusive;

use crate::scheme::{Class, Scheme, Shape};

/// Bytes after the colon that are examined: a mailbox has at most 64 + 1 + 255
pub(super) const SHAPE_LEN_MAX: usize = 320;

/// Reports whether `rest`, the text after the colon of `scheme`, may be a bare URI.
pub(super) fn fits(scheme: &Scheme, rest: &[u8]) -> bool {
    match scheme.class {
        Class::Web | Class::Authority => false,
        Class::Opaque(shape) => fits_shape(shape, rest),
    }
}

/// Reports whether `rest`, the text after the colon of a scheme declared by `URL:`, is more than
/// colons and slashes.
pub(super) fn is_something(rest: &[u8]) -> bool {
    rest.strip_prefix(b"//").unwrap_or(rest).iter().any(|byte| !matches!(byte, b':' | b'/'))
}

/// Reports whether a number is a line of a letterhead, `Tel: 555-1234` without its blank.
pub(super) fn is_label(scheme: &Scheme, first: &u8, rest: &[u8]) -> bool {
    /// National numbers have about seven digits, and a country code precedes them.
    const DIGITS_MIN: usize = 8;
    let is_number = scheme.class == Class::Opaque(Shape::Number);
    let is_global =
        rest.starts_with(b"+") && rest.iter().filter(|b| b.is_ascii_digit()).count() >= DIGITS_MIN;
    is_number && first.is_ascii_uppercase() && !is_global
}

/// Reports whether `rest`, the text after a scheme's colon in brackets, may be part of a URI.
///
/// Brackets are evidence, too, so that less is required; but tags of XML and templates of
/// programming languages have the same form.
pub(super) fn fits_in_brackets(scheme: Option<&Scheme>, rest: &[u8]) -> bool {
    if rest.starts_with(b":") {
        return false;
    }
    let telling = memchr::memchr2(b'.', b'@', rest).is_some() || has(rest, b"//");
    telling || scheme.is_some_and(|scheme| fits(scheme, rest) || is_all_news(scheme, rest))
}

/// Reports whether the URI names all groups (RFC 5538 §4): no tag has such a name, but a bare one
/// would be emphasis.
fn is_all_news(scheme: &Scheme, rest: &[u8]) -> bool {
    scheme.class == Class::Opaque(Shape::News) && rest == b"*"
}

fn has(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

fn fits_shape(shape: Shape, rest: &[u8]) -> bool {
    let first = rest.first().copied().unwrap_or_default();
    match shape {
        Shape::Never => false,
        Shape::Nested => is_nested(rest),
        Shape::Uuid => is_uuid(rest),
        Shape::Address => is_address(rest),
        Shape::Mailto => is_address(rest) || rest.starts_with(b"?") && rest.contains(&b'='),
        Shape::Dotted => is_address(rest) || is_dotted(rest) || rest.starts_with(b"//"),
        Shape::News => is_address(rest) || is_dotted(rest) || rest.starts_with(b"//"),
        Shape::Nntp => split(rest, b'/').is_some_and(|(group, number)| {
            is_dotted(group) && number.first().is_some_and(u8::is_ascii_digit)
        }),
        Shape::Path => first == b'/' && rest.len() > 1 || begins_with_drive(rest),
        Shape::Query => rest.contains(&b'?') && rest.len() > 2,
        Shape::Doi => rest.starts_with(b"10.") && rest.contains(&b'/'),
        Shape::Number => is_number(rest),
        Shape::Geo => split(rest, b',').is_some_and(|(latitude, longitude)| {
            is_coordinate(latitude) && is_coordinate(longitude)
        }),
        Shape::Hash => {
            split(rest, b';').is_some_and(|(name, value)| is_word(name) && is_hash(value))
        }
        Shape::Info => {
            split(rest, b'/').is_some_and(|(word, more)| is_word(word) && !more.is_empty())
                && rest.iter().any(u8::is_ascii_digit)
        }
        Shape::Data => split(rest, b',').is_some_and(|(kind, _)| {
            kind.contains(&b'/') || has(kind, b";base64") || has(kind, b"charset=")
        }),
        Shape::Room => is_room(rest),
        Shape::Tag => split(rest, b',').is_some_and(|(authority, date)| {
            is_dotted(authority) && date.len() > 4 && date.iter().take(4).all(u8::is_ascii_digit)
        }),
        Shape::Track => is_track(rest),
        Shape::Urn => split(rest, b':')
            .is_some_and(|(space, name)| space.len() > 1 && is_word(space) && !name.is_empty()),
        Shape::Wallet => is_wallet(rest),
    }
}

/// Reports whether `text` begins with a drive letter of Windows and a path: `d:/a`, with a bar for
/// the colon in old URIs (RFC 8089 Appendix E.2).
fn begins_with_drive(text: &[u8]) -> bool {
    matches!(text, [letter, b':' | b'|', b'/', _, ..] if letter.is_ascii_alphabetic())
}

fn split(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let idx = memchr::memchr(at, text)?;
    Some((text.get(..idx)?, text.get(idx + 1..)?))
}

/// Reports whether `text` could be a local part, `@` and a host. Some programs encode the `@`.
fn is_address(text: &[u8]) -> bool {
    let encoded = || {
        let at = memchr::memmem::find(text, b"%40")?;
        Some((text.get(..at)?, text.get(at + b"%40".len()..)?))
    };
    split(text, b'@').or_else(encoded).is_some_and(|(local, host)| {
        local.first().is_some_and(|byte| !matches!(byte, b':' | b'/' | b'?'))
            && host.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte > 0x7F)
    })
}

/// Reports whether `text` has a dot between two letters or digits, and begins with one.
fn is_dotted(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_alphanumeric)
        && text.windows(3).any(|three| {
            three[1] == b'.' && three[0].is_ascii_alphanumeric() && three[2].is_ascii_alphanumeric()
        })
}

/// Reports whether `text` begins with a scheme, a colon and a slash. More names may precede it:
/// `jdbc:mysql:loadbalance://h/`, `service:printer:lpr://h/` (RFC 2609 §2.1).
fn is_nested(text: &[u8]) -> bool {
    const NAMES_MAX: usize = 4;
    let mut names = text.split(|byte| *byte == b':').take(NAMES_MAX);
    let is_name = |name: &[u8]| is_word(name);
    names.next().is_some_and(is_name)
        && names.find(|name| !is_word(name)).is_some_and(|rest| rest.starts_with(b"/"))
}

/// Reports whether `text` begins with at least six hexadecimal digits, which hyphens may divide
/// (RFC 6920 §7).
fn is_hash(text: &[u8]) -> bool {
    const DIGITS_MIN: usize = 6;
    let is_part = |byte: &&u8| byte.is_ascii_hexdigit() || **byte == b'-';
    let len = text.iter().take_while(is_part).count();
    let digits = text.iter().take(len).filter(|byte| **byte != b'-').count();
    digits >= DIGITS_MIN && matches!(text.get(len), None | Some(b';' | b'.' | b',' | b'?' | b'#'))
}

/// Reports whether `text` begins as a UUID does: eight hexadecimal digits and a hyphen (RFC 9562
/// §4).
fn is_uuid(text: &[u8]) -> bool {
    text.get(..8).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
        && text.get(8) == Some(&b'-')
}

fn is_word(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

/// Reports whether `text` begins as a telephone number does, and has at least three digits. Marks
/// between them may be encoded: `tel:+1%20234`.
fn is_number(text: &[u8]) -> bool {
    let (mut rest, mut digits) = (text, 0);
    while let Some((mark, after)) = first_decoded(rest) {
        let is_part = mark.is_ascii_hexdigit()
            || matches!(mark, b'+' | b'-' | b'.' | b'(' | b')' | b'*' | b'#')
            || mark == b' ' && rest.len() < text.len();
        if !is_part || rest.len() == text.len() && !matches!(mark, b'+' | b'(' | b'0'..=b'9') {
            break;
        }
        digits += usize::from(mark.is_ascii_digit());
        rest = after;
    }
    digits >= 3
}

/// Returns the first byte of `text`, decoded if it is an escape, and the rest.
fn first_decoded(text: &[u8]) -> Option<(u8, &[u8])> {
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|it| u8::try_from(it).ok());
    match text {
        [b'%', high, low, rest @ ..] => Some((16 * digit(*high)? + digit(*low)?, rest)),
        [byte, rest @ ..] => Some((*byte, rest)),
        [] => None,
    }
}

/// Reports whether `text` is a user or a room by its name, with the server; or a room by its
/// identifier, which in newer rooms has no server (Matrix, "Matrix URI scheme").
fn is_room(text: &[u8]) -> bool {
    split(text, b'/').is_some_and(|(kind, name)| match kind {
        b"r" | b"u" | b"room" | b"user" => split(name, b':').is_some_and(|(local, host)| {
            !local.is_empty()
                && host.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'[')
        }),
        b"roomid" => !name.is_empty(),
        _ => false,
    })
}

/// Reports whether `text` is a Spotify identifier: `track:` and a number, or `user:name:playlist:`
/// and a number.
fn is_track(text: &[u8]) -> bool {
    /// Number of base-62 digits of a number of 128 bits.
    const DIGITS: usize = 22;
    let mut parts = text.rsplit(|byte| *byte == b':');
    let digits = parts.next().unwrap_or_default().iter();
    let len = digits.take_while(|byte| byte.is_ascii_alphanumeric()).count();
    len == DIGITS && text.contains(&b':') && parts.all(is_word)
}

/// Reports whether `text` begins with an address of Bitcoin: a number in base 58 that begins with a
/// version, or the form of BIP 173, in letters of one case.
fn is_wallet(text: &[u8]) -> bool {
    /// An address has 25 bytes; each leading zero byte takes one digit.
    const BASE_58: RangeInclusive<usize> = 25..=35;
    /// `bc1`, a version, two bytes and a checksum have 14 characters, and BIP 173 allows at most
    /// 90.
    const BECH_32: RangeInclusive<usize> = 14..=90;
    let len = text.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let address = text.get(..len).unwrap_or_default();
    match address {
        [b'1' | b'3', ..] if BASE_58.contains(&len) => {
            !address.iter().any(|digit| matches!(digit, b'0' | b'I' | b'O' | b'l'))
        }
        [b'b', b'c', b'1', digits @ ..] if BECH_32.contains(&len) => {
            digits.iter().all(|digit| digit.is_ascii_lowercase() || digit.is_ascii_digit())
        }
        [b'B', b'C', b'1', digits @ ..] if BECH_32.contains(&len) => {
            digits.iter().all(|digit| digit.is_ascii_uppercase() || digit.is_ascii_digit())
        }
        _ => false,
    }
}

fn is_coordinate(text: &[u8]) -> bool {
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    unsigned.first().is_some_and(u8::is_ascii_digit)
}
