//! Marks of emphasis around a bare URI: `**http://h/**`, `_http://h/_`, `~~old: http://h/~~`.
//!
//! A URI may hold all of them but `|` and backticks (RFC 3986 §2.2, §2.3), so that one ends it only
//! where the same one stands before it and was not closed there (CommonMark §6.2).

use super::unicode;
use crate::span::{Span, last_line};

/// Longer runs are rules across the page, not emphasis.
const MARKS_MAX: usize = 4;

/// Bytes before a URI in which emphasis may begin.
const LOOKBACK_MAX: usize = 512;

// So that all pieces of a text see the same.
const _: () = assert!(crate::scheme::SCHEME_LEN_MAX + LOOKBACK_MAX < crate::scan::LOOKBACK_MAX);

/// Returns the mark of emphasis right before `start`, and how often: `__http://h/__`.
///
/// It counts only where text begins, so that `a_http://h/_` keeps its end.
#[inline]
pub(super) fn opening(bytes: &[u8], start: usize) -> Option<(u8, usize)> {
    let before = bytes.get(..start)?;
    let mark = *before.last()?;
    if !matches!(mark, b'*' | b'_' | b'~' | b'+' | b'=' | b'$') {
        return None;
    }
    let count = before.iter().rev().take(MARKS_MAX + 1).take_while(|byte| **byte == mark).count();
    let outside = before.get(..before.len().checked_sub(count)?)?;
    (count <= MARKS_MAX && is_border(outside)).then_some((mark, count))
}

/// Reports whether a word may begin behind `before`.
fn is_border(before: &[u8]) -> bool {
    before.last().is_none_or(|byte| match byte {
        0x80.. => !unicode::ends_in_letter(before, before.len()),
        _ => !byte.is_ascii_alphanumeric(),
    })
}

/// Reports whether emphasis may begin behind `before`, somewhere in text: not in another URI.
fn begins_text(before: &[u8]) -> bool {
    before.last().is_none_or(|byte| match byte {
        b'(' | b'[' | b'"' | b'\'' | b'*' | b'_' | b'~' | b'>' | b':' => true,
        0x80.. => is_border(before),
        _ => byte.is_ascii_whitespace(),
    })
}

/// Returns where the URI of `span` ends by the mark that stands right before it, and once more in
/// it before a bracket, another mark or a letter of a script without blanks: `_http://h/a_(text)`.
///
/// Where punctuation or nothing follows, the mark comes last, and is trimmed.
pub(super) fn end(bytes: &[u8], start: usize, span: Span) -> Option<usize> {
    let (mark, count) = opening(bytes, start)?;
    // A plus and a dollar sign are not used for that, and one equals sign has a value behind it.
    if matches!(mark, b'+' | b'$') || (mark, count) == (b'=', 1) {
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

/// Reports whether `next`, behind a mark, shows that the mark ends a word.
fn ends_word(next: &u8) -> bool {
    matches!(next, b'(' | b'[' | b'*' | b'~' | b'_' | 0x80..)
}

/// Returns the length of the marks at the end of `span` that close what they open before `start`
/// on its line.
pub(super) fn closing_len(bytes: &[u8], start: usize, span: Span) -> Option<usize> {
    let text = span.of(bytes);
    let mark = *text.last()?;
    let count = text.iter().rev().take(MARKS_MAX).take_while(|byte| **byte == mark).count();
    let may_close = count == 2 || count == 1 && mark != b'=';
    (may_close && is_open(bytes, start, mark, count)).then_some(count)
}

/// Reports whether `count` marks on the line before `start` open something that is not closed
/// there. Three of them open both what one and what two do.
pub(super) fn is_open(bytes: &[u8], start: usize, mark: u8, count: usize) -> bool {
    let before = bytes.get(start.saturating_sub(LOOKBACK_MAX)..start).unwrap_or_default();
    let line = before.get(last_line(before)..).unwrap_or_default();
    let (mut is_open, mut at) = (false, 0);
    while let Some(len) = memchr::memchr(mark, line.get(at..).unwrap_or_default()) {
        let first = at + len;
        let run = line.iter().skip(first).take_while(|byte| **byte == mark).count();
        at = first + run;
        if run != count && run != 3 {
            continue;
        }
        let (outside, next) = (line.get(..first).unwrap_or_default(), line.get(at));
        let is_behind_text = outside.last().is_some_and(|byte| !byte.is_ascii_whitespace());
        is_open = match next {
            _ if is_open => !is_behind_text,
            None => mark != b'_' || is_border(outside),
            Some(next) => !next.is_ascii_whitespace() && begins_text(outside),
        };
    }
    is_open
}
