//! Finds the delimiter that a command of sed, perl or vim chose for its parts:
//! `s#http://h/#http://i/#`, `m!http://h/!`.
//!
//! Only marks that a URI may hold matter: others end it by themselves. `:`, `=`, `_`, `-` and `.`
//! are delimiters, too, but far more often something else after one letter.

use super::super::simd::Stops;
use crate::span::last_line;

/// Bytes before a URI, on its line, in which the command may begin.
const LOOKBACK_MAX: usize = 256;

/// Bytes after the beginning of a URI in which the command must end.
const LOOKAHEAD_MAX: usize = 4096;

static MARKS: Stops = marks();

const fn marks() -> Stops {
    let mut has = [false; 256];
    let marks = b"#@,+~!%;";
    let mut idx = 0;
    while idx < marks.len() {
        has[marks[idx] as usize] = true;
        idx += 1;
    }
    Stops::new(has)
}

/// Returns the offset, before `limit`, of the delimiter that ends the part of a command in which
/// the URI at `start` is.
pub(super) fn at(bytes: &[u8], start: usize, limit: usize) -> Option<usize> {
    let near = bytes.get(start.saturating_sub(LOOKBACK_MAX)..start)?;
    let line = near.get(last_line(near)..)?;
    let rest = bytes.get(start..limit.min(start + LOOKAHEAD_MAX))?;
    let mut at = 0;
    loop {
        at += MARKS.run_len(line.get(at..)?);
        let (before, inside) = (line.get(..at)?, line.get(at + 1..)?);
        // The search also stops before bytes outside US-ASCII.
        if let Some(mark) = line.get(at).filter(|byte| byte.is_ascii())
            && let Some(divisions) = divisions(before)
            && let Some(len) = part_len(*mark, divisions, inside, rest)
        {
            return Some(start + len);
        }
        at += 1;
    }
}

/// Returns the number of delimiters between the first and the last one of the command in which
/// `before` ends.
fn divisions(before: &[u8]) -> Option<usize> {
    let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || **byte > 0x7F;
    let len = before.iter().rev().take(3).take_while(is_of_word).count();
    let (before, name) = before.split_at(before.len() - len);
    let begins = match before {
        // A genitive, a format, or a part of something longer.
        [.., letter, b'\''] => !letter.is_ascii_alphanumeric(),
        [.., byte, b'%'] => b":\"' ".contains(byte),
        [.., last] => !b"\\/&=.-@<".contains(last),
        [] => true,
    };
    match name {
        b"s" | b"y" | b"tr" if begins => Some(1),
        b"m" | b"q" | b"qq" | b"qr" | b"qw" | b"qx" if begins => Some(0),
        _ => None,
    }
}

/// Returns the length of `rest` up to the `mark` that ends the part of a command with that many
/// `divisions`; `inside` is between its first mark and `rest`. Evidence is that only punctuation
/// precedes the URI in its part, as `^` of a pattern, or that the command is complete on its line.
fn part_len(mark: u8, divisions: usize, inside: &[u8], rest: &[u8]) -> Option<usize> {
    let passed = inside.iter().filter(|byte| **byte == mark).count();
    if passed > divisions || inside.first().is_some_and(u8::is_ascii_whitespace) {
        return None;
    }
    let len = memchr::memchr2(mark, b'\n', rest).filter(|len| rest.get(*len) == Some(&mark))?;
    // One in the scheme joins two names: `s+git+ssh://h/+x+`.
    let after = rest.get(len + 1..).filter(|_| rest.iter().take(len).any(|byte| *byte == b':'))?;
    let is_next = || memchr::memchr2(mark, b'\n', after).and_then(|at| after.get(at));
    let is_complete = passed == 1 || divisions == 1 && is_next() == Some(&mark);
    (is_complete || inside.iter().all(u8::is_ascii_punctuation)).then_some(len)
}
