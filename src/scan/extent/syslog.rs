//! Finds controls that a syslog daemon wrote as a `#` and three octal digits, as rsyslog does by
//! default (`EscapeControlCharactersOnReceive`): `#012` is a line feed, `#033` an escape.
//!
//! A fragment may look the same, so that one alone counts only in a line with the time stamp of
//! syslog.

use super::cut::line_before;

/// Tab, line feed, carriage return and escape.
const CONTROLS: [&[u8]; 4] = [b"#011", b"#012", b"#015", b"#033"];

/// Reports whether such a control is at `at`, in or after the URI that begins at `start`.
pub(super) fn begins_control(bytes: &[u8], start: usize, at: usize) -> bool {
    let is_one = |text: &[u8]| CONTROLS.iter().any(|control| text.starts_with(control));
    let rest = bytes.get(at..).unwrap_or_default();
    let after = rest.get(4..).unwrap_or_default();
    let is_of_terminal = || rest.starts_with(b"#033[");
    is_one(rest)
        && (is_of_terminal() || is_one(after) || begins_with_time(line_before(bytes, start)))
}

/// Reports whether `line` begins with a time stamp, `Jan  2 03:04:05 ` (RFC 3164 §4.1.2).
fn begins_with_time(line: &[u8]) -> bool {
    /// A letter is a letter of its case here, `0` a digit, and `_` a blank or a digit.
    const STAMP: &[u8] = b"Mmm _0 00:00:00 ";
    let fits = |(byte, wanted): (&u8, &u8)| match wanted {
        b'M' => byte.is_ascii_uppercase(),
        b'm' => byte.is_ascii_lowercase(),
        b'0' => byte.is_ascii_digit(),
        b'_' => byte.is_ascii_digit() || *byte == b' ',
        _ => byte == wanted,
    };
    line.len() >= STAMP.len() && line.iter().zip(STAMP).all(fits)
}

#[cfg(test)]
mod tests {
    use crate::scan::Scanner;

    #[track_caller]
    fn case(text: &str, expected: &str) {
        let mut scanner = Scanner::new(text.as_bytes());
        let found = scanner.next().unwrap();
        assert_eq!(found.text.escape_ascii().to_string(), expected, "{text}");
    }

    #[test]
    fn controls_end_a_uri() {
        case("Nov 28 10:00:00 h a: http://h.example/a#012 b", "http://h.example/a");
        case("Nov  8 10:00:00 h a: http://h.example/a#012Next", "http://h.example/a");
        case("see http://h.example/a#012#011at", "http://h.example/a");
        case("#033[34mhttp://h.example/a#033[0m", "http://h.example/a");
    }

    #[test]
    fn fragments_are_part_of_it() {
        case("see http://h.example/a#012", "http://h.example/a#012");
        case("see http://h.example/a#012b", "http://h.example/a#012b");
        case("Nov 28 10:00:00 h a: http://h.example/a#013", "http://h.example/a#013");
    }
}
