//! Decodes quoted-printable (RFC 2045 §6.7) as leniently as mail requires.
//!
//! An equals sign before two hexadecimal digits of either case encodes a byte. Before the end of a
//! line, or blanks and the end of a line, it joins two lines. Anywhere else it is literal. An
//! escaped carriage return before CRLF is dropped: one program escaped the carriage return as text,
//! and another one added a line end.

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
    match after.get(blanks..)? {
        [] => Some(blanks),
        [b'\n', ..] => Some(blanks + 1),
        [b'\r', b'\n', ..] => Some(blanks + 2),
        [b'\r'] => Some(blanks + 1),
        _ => None,
    }
}
