//! Decodes quoted-printable (RFC 2045 §6.7) as leniently as mail requires.
//!
//! An equals sign before two hexadecimal digits of either case encodes a byte. Before the end of a
//! line, or blanks and the end of a line, it joins two lines. Anywhere else it is literal. A line
//! ends in LF, or in any number of CR and LF, as text mode of Windows writes CRLF. An escaped
//! carriage return before CRLF is dropped: one program escaped the carriage return as text, and
//! another one added a line end.

use super::run::Run;
use crate::source::hex;

/// Returns the run that `rest` begins with.
pub(super) fn run(rest: &[u8]) -> Run {
    let Some(plain) = memchr::memchr(b'=', rest) else { return Run::same(rest.len()) };
    escape(rest.get(plain + 1..).unwrap_or_default()).after(plain)
}

/// Returns the run of an equals sign, by the bytes that follow it.
fn escape(after: &[u8]) -> Run {
    if let Some(byte) = hex::octet(after) {
        if byte == b'\r' && after[2..].starts_with(b"\r\n") {
            return Run::nothing(3);
        }
        return Run::bytes(3, [byte, 0, 0, 0], 1);
    }
    match break_len(after) {
        Some(len) => Run::nothing(1 + len),
        None => Run::same(1),
    }
}

/// Returns the length of the rest of a soft line break: blanks, and a line end or the end of the
/// text.
fn break_len(after: &[u8]) -> Option<usize> {
    let blanks = after.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let rest = after.get(blanks..)?;
    let returns = rest.iter().take_while(|byte| **byte == b'\r').count();
    match (returns, rest.get(returns)) {
        (_, Some(b'\n')) => Some(blanks + returns + 1),
        // The rest of the line end may follow.
        (0 | 1, None) => Some(blanks + returns),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Run, run};

    #[track_caller]
    fn joins(rest: &[u8], len: usize) {
        assert_eq!(run(rest), Run::nothing(len), "{}", rest.escape_ascii());
    }

    #[test]
    fn a_soft_break_ends_with_its_line_whatever_that_ends_in() {
        joins(b"=", 1);
        joins(b"= \t", 3);
        joins(b"=\na", 2);
        joins(b"=\r\na", 3);
        joins(b"= \r\r\na", 5);
        joins(b"=\r\r\r\n\r\n", 5);
        joins(b"=\r", 2);
        assert_eq!(run(b"=\ra"), Run::same(1));
        assert_eq!(run(b"=\r\ra"), Run::same(1));
        assert_eq!(run(b"= a"), Run::same(1));
        assert_eq!(run(b"=a"), Run::same(1));
    }
}
