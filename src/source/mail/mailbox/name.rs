//! Reads the name of a header field: the bytes before the colon that begins its value.

use crate::scheme;

/// Maximum number of bytes of a line (RFC 5322 §2.1.1). No more are searched for a name and its
/// colon: a piece sees more after its core, so that no cut decides. Identifiers of messages and
/// lists have no more either, since each record repeats them.
pub(super) const LINE_LEN_MAX: usize = 998;

/// Reports whether `line` begins with `field-name ":"` (RFC 5322 §2.2).
pub(in crate::source) fn is_field(line: &[u8]) -> bool {
    name_len(line).is_some_and(|len| line.get(len) == Some(&b':'))
}

/// Returns the length of the name of the field that `line` begins with. Blanks may precede the
/// colon, as they once could (RFC 5322 §4.5).
pub(in crate::source) fn name_len(line: &[u8]) -> Option<usize> {
    let line = line.get(..LINE_LEN_MAX).unwrap_or(line);
    let len = name_bytes(line)?;
    let rest = line.get(len..)?;
    // Nearly all lines: a URI is `mailto:`, or has a slash after its colon.
    let is_usual = len != b"mailto".len() && line.first() != Some(&b'[');
    if len > 0 && matches!(rest, [b':', b' ', ..]) && is_usual {
        return Some(len);
    }
    (len > 0 && begins_value(rest) && !is_uri(line, len)).then_some(len)
}

/// Returns the number of bytes at the beginning of `line` that may be in the name of a field
/// (`ftext`, RFC 5322 §3.6.8); none if all may. Each line of each header is read to its colon, so
/// that eight bytes are read at once.
fn name_bytes(line: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(lane) = line.get(at..).and_then(<[u8]>::first_chunk) {
        let ends = ends_of_name(u64::from_le_bytes(*lane));
        if ends != 0 {
            return usize::try_from(ends.trailing_zeros() / u8::BITS).ok().map(|len| at + len);
        }
        at += size_of::<u64>();
    }
    let is_end = |byte: &u8| !matches!(byte, b'!'..=b'9' | b';'..=b'~');
    line.get(at..)?.iter().position(is_end).map(|len| at + len)
}

/// Returns `lane` with the top bit of its first byte set that ends the name of a field, and none
/// before it; bytes after that one may be wrong. (Bit Twiddling Hacks, "Determine if a word has a
/// byte less than n".)
fn ends_of_name(lane: u64) -> u64 {
    const ONES: u64 = u64::MAX / 0xFF;
    const TOPS: u64 = ONES << 7;
    let below = |lane: u64, byte: u64| lane.wrapping_sub(ONES * byte) & !lane;
    let colon = below(lane ^ (ONES * u64::from(b':')), 1);
    let delete = below(lane ^ (ONES * 0x7F), 1);
    (below(lane, u64::from(b'!')) | colon | delete | lane) & TOPS
}

/// Reports whether `line` is a URI, with `len` bytes before its first colon: `http://…`, perhaps
/// after a mark, `<http://…`, `<URL:…`, `URL:http://…`, or `mailto:` with an address; or a label in
/// brackets before one, as the references of Markdown have. People write such lines, and no program
/// writes such a field.
fn is_uri(line: &[u8], len: usize) -> bool {
    let (name, rest) = line.split_at(len.min(line.len()));
    match rest {
        [b':', b'/', b'/', after, ..] => after.is_ascii_graphic() && is_scheme(name),
        _ if name.eq_ignore_ascii_case(b"<url") || matches!(name, [b'[', .., b']']) => true,
        [b':', uri @ ..] if name.eq_ignore_ascii_case(b"url") => {
            memchr::memchr(b':', uri).is_some_and(|len| is_uri(uri, len))
        }
        [b':', address @ ..] if name.eq_ignore_ascii_case(b"mailto") => {
            address.iter().take_while(|byte| byte.is_ascii_graphic()).any(|byte| *byte == b'@')
        }
        _ => false,
    }
}

/// Reports whether `name` is one of a scheme, or that of a known scheme after marks.
fn is_scheme(name: &[u8]) -> bool {
    let is_of_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let len = name.iter().rev().take_while(|byte| is_of_scheme(byte)).count();
    let (marks, scheme) = name.split_at(name.len() - len);
    let is_known = || scheme::find(scheme).is_some();
    marks.is_empty() || !marks.iter().any(u8::is_ascii_alphanumeric) && is_known()
}

/// Reports whether `text` begins with a colon, after blanks or none.
pub(super) fn begins_value(text: &[u8]) -> bool {
    text.iter().find(|byte| !matches!(byte, b' ' | b'\t')) == Some(&b':')
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_link_is_no_field_also_after_a_mark() {
        for line in [
            "https://h/",
            "<https://h/>",
            "(https://h/)",
            "\"https://h/\"",
            "**->https://h/**",
            "{ftp://h/}",
            "<URL:http://h/>",
            "<url:h>",
            "URL:http://h/",
            "[1]: https://h/",
            "[1]:https://h/",
            "[a-b] : <https://h/>",
            "[^1]: a note",
        ] {
            assert!(!super::is_field(line.as_bytes()), "{line}");
        }
        for line in ["Subject:// a", "x_y://c", "<a://b", "href=\"http://h/", "URL:http:/h"] {
            assert!(super::is_field(line.as_bytes()), "{line}");
        }
        for line in ["URL: https://h/", "X-URL:http://h/", "[1: https://h/"] {
            assert!(super::is_field(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn names_are_read_in_lanes_as_they_are_byte_by_byte() {
        let obvious =
            |line: &[u8]| line.iter().position(|byte| !matches!(byte, 33..=57 | 59..=126));
        for len in 0..20 {
            for at in 0..len {
                for byte in 0..=u8::MAX {
                    for next in [b'a', b':', b' ', 0, 0x7F, 0x80, 0xFF] {
                        let mut line = vec![b'!'; len];
                        line[at] = byte;
                        line[at + 1..].fill(next);
                        assert_eq!(super::name_bytes(&line), obvious(&line), "{line:?}");
                    }
                }
            }
        }
        assert_eq!(super::name_bytes(b""), None);
    }
}
