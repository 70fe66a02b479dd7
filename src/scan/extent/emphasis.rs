//! Removes marks of emphasis around a bare URI: `**http://h/**`, `_http://h/_`, `~~old:
//! http://h/~~`.
//!
//! A URI may hold all of them except for `|` and backticks (RFC 3986 §2.2, §2.3), so that a mark
//! ends it only if the same mark precedes it and was not closed before it (CommonMark §6.2).

use super::unicode;
use crate::span::{Span, last_line};

/// Longer runs are rules across the page, not emphasis.
const MARKS_MAX: usize = 4;

/// Bytes before a URI in which emphasis may begin.
const LOOKBACK_MAX: usize = 512;

// This way, all pieces of a text see the same.
const _: () = assert!(crate::scheme::SCHEME_LEN_MAX + LOOKBACK_MAX < crate::scan::LOOKBACK_MAX);

/// Returns the mark of emphasis directly before `start`, and its number of repetitions:
/// `__http://h/__`.
///
/// It must be at the beginning of a word, so that `a_http://h/_` keeps its end.
#[inline]
pub(super) fn opening(bytes: &[u8], start: usize) -> Option<(u8, usize)> {
    let before = bytes.get(..start)?;
    let mark = *before.last()?;
    if !matches!(mark, b'*' | b'_' | b'~' | b'+' | b'=' | b'$' | b'@') {
        return None;
    }
    let count = before.iter().rev().take(MARKS_MAX + 1).take_while(|byte| **byte == mark).count();
    let outside = before.get(..before.len().checked_sub(count)?)?;
    (count <= MARKS_MAX && is_border(outside)).then_some((mark, count))
}

/// Reports whether a word may begin after `before`.
fn is_border(before: &[u8]) -> bool {
    before.last().is_none_or(|byte| match byte {
        0x80.. => !unicode::ends_in_letter(before, before.len()),
        _ => !byte.is_ascii_alphanumeric(),
    })
}

/// Reports whether emphasis may begin after `before`, in any text outside of another URI.
fn begins_text(before: &[u8]) -> bool {
    before.last().is_none_or(|byte| match byte {
        b'(' | b'[' | b'"' | b'\'' | b'*' | b'_' | b'~' | b'>' | b':' => true,
        0x80.. => is_border(before),
        _ => byte.is_ascii_whitespace(),
    })
}

/// Returns the offset at which the URI of `span` ends because the mark directly before it occurs
/// again in it, before a bracket, another mark or a character of a script without blanks:
/// `_http://h/a_(text)`.
///
/// If punctuation or nothing follows, the mark is at the end, and is trimmed later.
pub(super) fn end(bytes: &[u8], start: usize, span: Span) -> Option<usize> {
    let (mark, count) = opening(bytes, start)?;
    // A plus, a dollar sign or an at sign is not used this way, and a value follows a single equals
    // sign.
    if matches!(mark, b'+' | b'$' | b'@') || (mark, count) == (b'=', 1) {
        return None;
    }
    let text = span.of(bytes);
    let mut at = 0;
    while let Some(len) = memchr::memchr(mark, text.get(at..)?) {
        let first = at + len;
        let run = text.get(first..)?.iter().take_while(|byte| **byte == mark).count();
        at = first + run;
        if run == count && text.get(at).is_some_and(ends_word) {
            return Some(span.start + first);
        }
    }
    None
}

/// Reports whether `next`, the byte after a mark, shows that the mark ends a word.
fn ends_word(next: &u8) -> bool {
    matches!(next, b'(' | b'[' | b'*' | b'~' | b'_' | 0x80..)
}

/// Returns the length of the marks at the end of `span` that close emphasis opened before `start`
/// on its line.
pub(super) fn closing_len(bytes: &[u8], start: usize, span: Span) -> Option<usize> {
    let text = span.of(bytes);
    let mark = *text.last()?;
    let count = text.iter().rev().take(MARKS_MAX).take_while(|byte| **byte == mark).count();
    let may_close = count == 2 || count == 1 && mark != b'=';
    (may_close && is_open(bytes, start, mark, count)).then_some(count)
}

/// Reports whether a quotation begins on the line before `start`, and does not end there, of those
/// that two apostrophes end: after two backticks, as in TeX, or two commas.
pub(super) fn begins_quotation(bytes: &[u8], start: usize) -> bool {
    let line = line_before(bytes, start);
    [&b"``"[..], b",,"].into_iter().any(|marks| {
        let after = memchr::memmem::rfind(line, marks).and_then(|at| line.get(at..));
        after.is_some_and(|text| memchr::memmem::find(text, b"''").is_none())
    })
}

fn line_before(bytes: &[u8], start: usize) -> &[u8] {
    let before = bytes.get(start.saturating_sub(LOOKBACK_MAX)..start).unwrap_or_default();
    before.get(last_line(before)..).unwrap_or_default()
}

/// Reports whether `count` marks on the line before `start` open emphasis that is not closed there.
/// Three marks open the emphasis of one mark and that of two.
pub(super) fn is_open(bytes: &[u8], start: usize, mark: u8, count: usize) -> bool {
    let line = line_before(bytes, start);
    let (mut is_open, mut at) = (false, 0);
    while let Some(len) = memchr::memchr(mark, line.get(at..).unwrap_or_default()) {
        let first = at + len;
        let run = line.iter().skip(first).take_while(|byte| **byte == mark).count();
        at = first + run;
        if run != count && run != 3 {
            continue;
        }
        let (outside, next) = (line.get(..first).unwrap_or_default(), line.get(at));
        let is_after_text = outside.last().is_some_and(|byte| !byte.is_ascii_whitespace());
        is_open = match next {
            _ if is_open => !is_after_text,
            None => mark != b'_' || is_border(outside),
            Some(next) => !next.is_ascii_whitespace() && begins_text(outside),
        };
    }
    is_open
}
