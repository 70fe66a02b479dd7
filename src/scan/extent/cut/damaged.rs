//! Detects a bare URI that ends at a byte that is no text there: one of an undeclared charset, or
//! one that quoted-printable made of an `=` that the sender did not encode.

use super::{AHEAD_MAX, begins_uri, continues, goes_on_with, line_before};
use crate::span::Span;

/// Reports whether the byte at `at` is a letter in Western European charsets of one byte a
/// character, between text of US-ASCII, as in `/caf\xE9/page`. In other charsets, letters outside
/// US-ASCII seldom come alone, or take several bytes.
pub(super) fn is_lone_letter(bytes: &[u8], at: usize) -> bool {
    let is_letter =
        bytes.get(at).is_some_and(|byte| !byte.is_ascii() && char::from(*byte).is_alphabetic());
    is_letter && bytes.get(at + 1).is_none_or(u8::is_ascii)
}

/// Reports whether the byte after the URI at `span` is one that no charset puts there, before more
/// of a word: quoted-printable with an `=` that was not encoded, `?id=ab12`, is decoded to such a
/// byte. Text in a charset of one byte a character has quotation marks, dashes and blanks of it
/// directly after a URI, so that these count only before more of a query.
pub(super) fn is_damaged(bytes: &[u8], span: Span) -> bool {
    let Some((byte, after)) = near(bytes, span).split_first() else { return false };
    let is_of_query = || {
        let len = after.iter().take_while(|byte| byte.is_ascii_graphic()).count();
        let word = after.get(..len).unwrap_or_default();
        let name = word.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let has_query = memchr::memchr(b'?', span.of(bytes)).is_some();
        let is_digit = word.first().is_some_and(u8::is_ascii_digit);
        has_query && (is_digit || matches!(word.get(name), Some(b'&' | b'=' | b'%' | b'-' | b'_')))
    };
    let opens = |byte: &u8| matches!(byte, 0x82 | 0x84 | 0x8B | 0x91 | 0x93 | 0xAB | 0xBB);
    continues(after)
        && (!is_punctuation(*byte)
            || is_of_query() && !line_before(bytes, span.start).iter().any(opens))
}

/// Reports whether several bytes outside US-ASCII follow the URI at `span`, and directly after them
/// more of a path or a query, as in `/\xD6\xD0\xCE\xC4/x`. After two of them, small letters may
/// come first: `/gr\xFC\xDFe/x`.
pub(super) fn is_word(bytes: &[u8], span: Span) -> bool {
    let near = near(bytes, span);
    let len = near.iter().take_while(|byte| !byte.is_ascii()).count();
    let (word, after) = near.split_at(len);
    let letters = after.iter().take_while(|byte| len == 2 && byte.is_ascii_lowercase()).count();
    let is_next = match after.get(letters..).unwrap_or_default() {
        [b'/' | b'&' | b'=', next, ..] => next.is_ascii_alphanumeric(),
        [b'.', first, second, ..] => first.is_ascii_lowercase() && second.is_ascii_lowercase(),
        _ => false,
    };
    // Text in a charset of one byte a character has a quotation mark and a dash there.
    let is_of_text = len == 2 && word.iter().any(|byte| is_punctuation(*byte));
    len > 1 && is_next && !is_of_text && !begins_uri(after, 0)
}

/// Reports whether the URI at `span` ends in the name of a parameter without a value, before a
/// control and more of a word: quoted-printable turns `?id=1234` into `?id\x1234`. Controls that
/// end pages, cells or links in text are none, and those of chats must not precede a blank.
pub(super) fn has_lost_equals_sign(bytes: &[u8], span: Span) -> bool {
    let Some((byte, after)) = near(bytes, span).split_first() else { return false };
    let is_of_text = matches!(byte, 0 | 0x07..=0x0D);
    let is_of_chat = !matches!(byte, 0x10 | 0x12..=0x15 | 0x17..=0x19);
    let uri = span.of(bytes);
    let last = memchr::memrchr2(b'?', b'&', uri).and_then(|at| uri.get(at + 1..));
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let is_name = last.is_some_and(|name| !name.is_empty() && name.iter().all(is_of_name));
    let is_next = after.first().map_or(!is_of_chat, |next| {
        goes_on_with(*next) || !is_of_chat && next.is_ascii_whitespace()
    });
    !is_of_text && is_name && is_next
}

/// Reports whether the URI at `span` ends in the `=` with which quoted-printable continues a line
/// (RFC 2045 §6.7), where nothing declares that encoding: its own equals signs are encoded.
pub(super) fn is_soft_break(bytes: &[u8], span: Span) -> bool {
    let Some(uri) = span.of(bytes).strip_suffix(b"=") else { return false };
    let near = near(bytes, span);
    let after = near.strip_prefix(b"\r").unwrap_or(near).strip_prefix(b"\n");
    !uri.ends_with(b"=")
        && after.is_some_and(continues)
        && memchr::memmem::find(uri, b"=3D").is_some()
}

/// Reports whether `byte` is a quotation mark, a dash, a blank or a dot in Western European
/// charsets of one byte a character.
const fn is_punctuation(byte: u8) -> bool {
    matches!(
        byte,
        0x82 | 0x84 | 0x85 | 0x8B | 0x91..=0x97 | 0x9B | 0xA0 | 0xAB | 0xAD | 0xB7 | 0xBB
    )
}

/// Returns the bytes after the URI at `span` that are examined.
fn near(bytes: &[u8], span: Span) -> &[u8] {
    bytes.get(span.end..bytes.len().min(span.end + AHEAD_MAX)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn case(text: &[u8], expected: Option<char>) {
        let span = crate::scan::Scanner::new(text).next().unwrap().span;
        assert_eq!(super::super::cut_before(text, span), expected, "{}", text.escape_ascii());
    }

    #[test]
    fn words_in_an_undeclared_charset_are_part_of_the_path() {
        case(b"see http://h.example/\xD6\xD0\xCE\xC4/x", Some('\u{D6}'));
        case(b"see http://h.example/\xD6\xD0\xCE\xC4.html", Some('\u{D6}'));
        case(b"see http://h.example/?q=\xEF\xEE\xE8\xF1&page=2", Some('\u{EF}'));
        case(b"see http://h.example/gr\xFC\xDFe/x", Some('\u{FC}'));
        case(b"see http://h.example/gr\xFC\xDFe and/or", None);
        case(b"see http://h.example/a\x94\x97and/or", None);
        case(b"see http://h.example/\xD6\xD0\xCE\xC4 /x", None);
        case(b"see http://h.example/\xD6\xD0\xCE\xC4http://i.example/x", None);
    }

    #[test]
    fn an_equals_sign_of_quoted_printable_may_be_a_control() {
        case(b"see https://h.example/x?id\x1234 and", Some('\u{12}'));
        case(b"see https://h.example/x?a=5&id\x1f34&b", Some('\u{1F}'));
        case(b"see https://h.example/x?id\x12 and", Some('\u{12}'));
        case(b"see https://h.example/x?id\x7fa", Some('\u{7F}'));
        // Chats, markup of libraries and terminals, ends of pages.
        case(b"\x02see https://h.example/x?id\x02 and", None);
        case(b"see https://h.example/x?id=5\x0304and", None);
        case(b"see https://h.example/x\x1fzand", None);
        case(b"see https://h.example/x?id\x1b[0m", None);
        case(b"see https://h.example/x?id\x07and", None);
        case(b"see https://h.example/x?id\x0cNext", None);
        case(b"see https://h.example/x?id\0next", None);
    }

    #[test]
    fn a_soft_line_break_of_quoted_printable_cuts_a_link() {
        case(b"https://h.example/?a=3D=\n1 x", Some('\n'));
        case(b"https://h.example/?a=3Db=\r\nc x", Some('\r'));
        case(b"https://h.example/?a=3D=\n 1", None);
        case(b"https://h.example/?a=3D=\n\n1", None);
        case(b"https://h.example/?a=\n\n1", None);
        case(b"https://h.example/?a=3D==\n\n1", None);
        case(b"https://h.example/?a=3D1\n1", None);
    }

    #[test]
    fn a_letter_of_latin_1_is_part_of_the_word() {
        case(b"see http://h.example/caf\xE9/page", Some('\u{E9}'));
        case(b"see http://h.example/caf\xE9", Some('\u{E9}'));
        case(b"see http://h.example/caf\xE9 and", Some('\u{E9}'));
        case(b"see http://h.\xFCber.example/x", Some('\u{FC}'));
        // Bytes that are no letter there: an `=` of quoted-printable that was not encoded.
        case(b"see http://h.example/?id\xAB12&b=q", Some('\u{AB}'));
        case(b"see http://h.example/?id\x96ab&b=q", Some('\u{96}'));
        case(b"see http://h.example/?id\xBF_x", Some('\u{BF}'));
        case(b"see http://h.example/a\x80b", Some('\u{80}'));
        case(b"\xABsee http://h.example/?id\xBB12&b=q", None);
        case(b"see http://h.example/a\x96and", None);
        case(b"see http://h.example/?id\xA0and", None);
        case(b"see http://h.example/a\x80 and", None);
        // Quotation marks, a blank, and characters of several bytes.
        case(b"\xABhttp://h.example/a\xBB and", None);
        case(b"\x93http://h.example/a\x94 and", None);
        case(b"see http://h.example/a\xA0and", None);
        case(b"http://h.example/a\xC4\xE3\xBA\xC3", None);
        case(b"http://h.example/a\x82\xCD", None);
    }
}
