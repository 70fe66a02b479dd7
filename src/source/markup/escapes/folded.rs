//! Calendars and cards: lines that are folded, and escapes in values (iCalendar, RFC 5545 §3.1 and
//! §3.3.11; vCard, RFC 6350 §3.2 and §3.4).
//!
//! A line's end with a blank behind it stands for nothing, wherever a program folded: a URI of more
//! than some seventy bytes is always cut so. Cards of version 2.1 and calendars of 1.0 are folded
//! at blanks alone, which stay: nothing is done to these, nor to one without a version, which is
//! neither.

use memchr::{memchr_iter, memchr2_iter};

use super::{Mark, Means};
use crate::span::Span;

/// Bytes of a calendar or a card that are looked at for its version, which stands near its
/// beginning, or behind a picture.
const HEAD_LEN_MAX: usize = 128 * 1024;

/// What a place in calendars and cards stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// What stands before all.
    Start,
    /// What stands for itself.
    Plain,
    /// One with folds and escapes, or what stands behind it.
    Folded,
}

/// True for a calendar or a card that begins with `head`.
pub(in crate::source::markup) fn is_folded(head: &[u8]) -> bool {
    [&b"BEGIN:VCALENDAR"[..], b"BEGIN:VCARD"].iter().any(|begin| begins(head, begin))
}

impl Inside {
    /// True when nothing in `text` stands for something else, whatever it is.
    pub(super) fn is_idle(text: &[u8]) -> bool {
        let is_one = |at: usize| text.get(at) == Some(&b'\\') || is_fold(text, at);
        !memchr2_iter(b'\n', b'\\', text).any(is_one)
    }

    /// The next mark in `rest`: a fold, an escape, or what the next calendar or card begins with.
    pub(super) fn mark(self, rest: &[u8]) -> Option<Mark> {
        match self {
            Self::Start => {
                let mark = rest.strip_prefix("\u{FEFF}".as_bytes()).map_or(0, |_| 3);
                let begun = rest.get(mark..).and_then(Self::begun);
                Some(turn(Span::new(0, mark), begun.unwrap_or(Self::Plain)))
            }
            Self::Plain => memchr_iter(b'\n', rest).find_map(|at| line(rest, at)),
            Self::Folded => memchr2_iter(b'\n', b'\\', rest).find_map(|at| {
                if is_fold(rest, at) {
                    let is_return =
                        at.checked_sub(1).is_some_and(|at| rest.get(at) == Some(&b'\r'));
                    let span = Span::new(at - usize::from(is_return), at + 2);
                    return Some(Mark { span, means: Means::Nothing });
                }
                if rest.get(at) == Some(&b'\n') {
                    return line(rest, at);
                }
                let letter = at + 1 + folds_len(rest.get(at + 1..)?);
                let made = match rest.get(letter)? {
                    b'n' | b'N' => '\n',
                    mark @ (b',' | b';' | b':' | b'\\') => char::from(*mark),
                    _ => return None,
                };
                Some(Mark { span: Span::new(at, letter + 1), means: Means::Character(made) })
            }),
        }
    }

    /// What begins with `text`, if it is a calendar or a card.
    fn begun(text: &[u8]) -> Option<Self> {
        let folds = || if is_foldable(text) { Self::Folded } else { Self::Plain };
        is_folded(text).then(folds)
    }
}

/// The mark at the end `at` of a line, where a calendar or a card begins behind it.
fn line(text: &[u8], at: usize) -> Option<Mark> {
    let inside = Inside::begun(text.get(at + 1..)?)?;
    Some(turn(Span::new(at, at + 1), inside))
}

const fn turn(span: Span, inside: Inside) -> Mark {
    Mark { span, means: Means::Turn(super::Inside::Folded(inside)) }
}

/// True for the end `at` of a line with a blank behind it.
fn is_fold(text: &[u8], at: usize) -> bool {
    matches!(text.get(at..), Some([b'\n', b' ' | b'\t', ..]))
}

/// Length of the folds that `text` begins with: an escape may be folded, as anything may.
fn folds_len(text: &[u8]) -> usize {
    let mut len = 0;
    while let Some(rest) = text.get(len..) {
        let feed = usize::from(rest.starts_with(b"\r"));
        if !is_fold(rest, feed) {
            break;
        }
        len += feed + 2;
    }
    len
}

/// True for a calendar or a card, which `text` begins with, of a version that folds anywhere.
fn is_foldable(text: &[u8]) -> bool {
    const NAME: &[u8] = b"VERSION:";
    let head = text.get(..text.len().min(HEAD_LEN_MAX)).unwrap_or_default();
    let lines = memchr_iter(b'\n', head).filter_map(|feed| head.get(feed + 1..));
    let is_end = |line: &&[u8]| is_folded(line) || begins(line, b"END:VCA");
    let version = lines.take_while(|line| !is_end(line)).find(|line| begins(line, NAME));
    let told = version.and_then(|line| line.get(NAME.len()..)?.first_chunk());
    matches!(told, Some(b"2.0" | b"3.0" | b"4.0"))
}

/// True when `text` begins with `name`, in any case.
fn begins(text: &[u8], name: &[u8]) -> bool {
    text.get(..name.len()).is_some_and(|text| text.eq_ignore_ascii_case(name))
}
