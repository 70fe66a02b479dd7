//! Skips bytes that programs leave before a message: NUL bytes where a file system lost a block, a
//! byte order mark before each exported message, the SUB with which copies on DOS end, a form feed
//! between printed messages, and a stray CR.
//!
//! Before the first message, a line that Outlook puts before the header it shows is skipped, too.
//!
//! Before the first message, empty lines are such bytes, too. Blanks do not count: a line that
//! begins with a blank is quoted.

use crate::span::BYTE_ORDER_MARK;

/// The line that Outlook puts before a header.
const OUTLOOK_LINE: &[u8] = b"Microsoft Mail Internet Headers Version 2.0";

/// Maximum number of such bytes before a line that are examined. A longer run is a line end. No
/// more than a piece sees before its core, or cuts would decide.
const LEAD_LEN_MAX: usize = 1024;

/// Returns the offset of the first message of a text: after such bytes and empty lines. Otherwise
/// its header would end at the first of them, and nothing would declare the encoding of the body.
#[must_use]
pub(in crate::source) fn head_start(text: &[u8]) -> usize {
    let text = text.get(..LEAD_LEN_MAX).unwrap_or(text);
    let mut rest = text;
    loop {
        rest = match rest {
            // A text of such bytes alone may be read as a message, too, which must not begin at
            // its end.
            [] => return 0,
            [b'\n', after @ ..] => after,
            [byte, after @ ..] if is_left(*byte) => after,
            _ => match rest.strip_prefix(BYTE_ORDER_MARK).or_else(|| after_outlook_line(rest)) {
                Some(after) => after,
                None => return text.len() - rest.len(),
            },
        };
    }
}

/// Returns the text after the line of Outlook that `text` begins with.
fn after_outlook_line(text: &[u8]) -> Option<&[u8]> {
    text.strip_prefix(OUTLOOK_LINE).filter(|rest| matches!(rest, [b'\r' | b'\n', ..]))
}

/// Reports whether `byte` is one that programs leave before a line.
const fn is_left(byte: u8) -> bool {
    matches!(byte, 0 | 0x0C | 0x1A | b'\r')
}

/// Returns the offset of the line in which nothing but such bytes precedes `at`.
pub(super) fn line_start(bytes: &[u8], at: usize) -> Option<usize> {
    let before = bytes.get(..at)?;
    // Nearly all lines.
    if matches!(before, [] | [.., b'\n']) {
        return Some(at);
    }
    let mut rest = before;
    while before.len() - rest.len() < LEAD_LEN_MAX {
        rest = match rest {
            [] | [.., b'\n'] => break,
            [after @ .., byte] if is_left(*byte) => after,
            _ => rest.strip_suffix(BYTE_ORDER_MARK)?,
        };
    }
    Some(rest.len())
}

/// Reports whether such bytes, and nothing else, precede `at` in its line.
pub(super) fn is_led(bytes: &[u8], at: usize) -> bool {
    line_start(bytes, at).is_some_and(|start| start < at)
}

/// Reports whether the line at `at` follows an empty line or begins the text.
pub(in crate::source) fn is_blank_before(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..line_start(bytes, at).unwrap_or(at)).unwrap_or_default();
    let Some(line) = before.strip_suffix(b"\n") else {
        return before.is_empty();
    };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.is_empty() || line.ends_with(b"\n")
}

#[cfg(test)]
mod tests {
    use super::{LEAD_LEN_MAX, head_start, is_blank_before, line_start};
    use crate::source::mail::mailbox::separators;

    #[test]
    fn a_header_begins_after_what_is_empty() {
        for (text, start) in [
            ("", 0),
            ("To: a", 0),
            ("\u{FEFF}To: a", 3),
            ("\u{FEFF}\r\n\nTo: a", 6),
            ("\n\0\nTo: a", 3),
            (" To: a", 0),
            ("Microsoft Mail Internet Headers Version 2.0\r\nTo: a", 45),
            ("Microsoft Mail Internet Headers Version 2.0 a\nTo: a", 0),
            ("\n\n", 0),
            ("\u{FEFF}", 0),
        ] {
            assert_eq!(head_start(text.as_bytes()), start, "{text:?}");
        }
    }

    #[test]
    fn a_line_begins_after_bytes_that_programs_leave() {
        for (before, is_line) in [
            ("", true),
            ("x\n", true),
            ("\0", true),
            ("x\n\0\0", true),
            ("x\n\u{FEFF}", true),
            ("x\n\u{1A}", true),
            ("x\n\u{C}", true),
            ("x\n\r", true),
            ("x\n ", false),
            ("x\0", false),
            ("x\u{FEFF}", false),
            ("x", false),
        ] {
            let text = format!("{before}From");
            assert_eq!(line_start(text.as_bytes(), before.len()).is_some(), is_line, "{before:?}");
        }
        let long = "\0".repeat(LEAD_LEN_MAX);
        let text = format!("x{long}From");
        assert_eq!(line_start(text.as_bytes(), 1 + LEAD_LEN_MAX), Some(1));
    }

    #[test]
    fn messages_begin_after_bytes_that_programs_leave() {
        const LINE: &str = "From a@h.example Mon Jun  3 10:00:00 2024\nTo: b\n\n";
        for (before, begins) in [
            ("\0", true),
            ("\u{FEFF}", true),
            ("\u{1A}", true),
            ("\u{C}", true),
            ("\r", true),
            (" ", false),
            ("\u{200B}", false),
            (">", false),
        ] {
            let text = format!("x\n\n{before}{LINE}");
            let found: Vec<_> = separators(text.as_bytes(), 0, text.len()).collect();
            let expected = if begins { vec![3 + before.len()] } else { Vec::new() };
            assert_eq!(found, expected, "{before:?}");
            // Without a date, the fields that every message has must follow.
            for (fields, is_told) in [("To: b@h.example\n", false), ("From: a\nDate: b\n", true)] {
                let text = format!("x\n\n{before}From a@h.example\n{fields}\n");
                let count = separators(text.as_bytes(), 0, text.len()).count();
                assert_eq!(count, usize::from(begins && is_told), "{before:?} {fields:?}");
            }
        }
        assert!(is_blank_before(b"x\n\n\0From", 4));
        assert!(!is_blank_before(b"x\n\0From", 3));
        assert!(!is_blank_before(b"x\n\nyFrom", 4));
    }
}
