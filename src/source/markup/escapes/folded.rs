//! Reads calendars and cards: lines that are folded, and escapes in values (iCalendar, RFC 5545
//! §3.1 and §3.3.11; vCard, RFC 6350 §3.2 and §3.4).
//!
//! A line end followed by a blank denotes nothing, wherever a program folded: a URI of more than
//! some seventy bytes is always cut so. Cards of version 2.1 and calendars of 1.0 are folded at
//! blanks alone, which stay. Their values may be in quoted-printable (RFC 2045 §6.7; vCard 2.1),
//! which is decoded; bytes beyond US-ASCII are decoded if they are UTF-8, and are literal
//! otherwise. Without a known version they are read as those of today; without any version and with
//! a value in quoted-printable, as of version 2.1.
//!
//! A value whose line declares it as HTML (`FMTTYPE=text/html`, RFC 5545 §3.2.8) has character
//! references as well, folded or with an escape in them.

use memchr::{memchr_iter, memchr2, memchr2_iter, memchr3_iter, memmem};

use super::{Denotes, Mark};
use crate::source::markup::reference::{self, REFERENCE_LEN_MAX};
use crate::span::Span;

/// Bytes of a calendar or a card that are searched for its version, which is near its beginning, or
/// after a picture.
const HEAD_LEN_MAX: usize = 128 * 1024;

/// Bytes of a line that are read for the kind of its value.
const NAME_LEN_MAX: usize = 256;

/// Bytes of a version that are read: two numbers, and blanks around them.
const VERSION_LEN_MAX: usize = 16;

/// The context of an offset in calendars and cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// The text before everything.
    Start,
    /// Literal text.
    Plain,
    /// A calendar or card with folds and escapes, or the text after it.
    Folded,
    /// A line of such a one whose value is HTML.
    Html,
    /// A calendar or card of an older version, or the text after it.
    Old,
    /// A line of such a one whose value is in quoted-printable, with its continuation lines.
    Quoted,
}

/// Reports whether a text that begins with `head` is a calendar, a card, or entries of a calendar
/// alone.
pub(in crate::source::markup) fn is_folded(head: &[u8]) -> bool {
    is_begun(head) || is_entry(head)
}

/// Reports whether `head` begins with an entry of a calendar, which some programs store alone.
fn is_entry(head: &[u8]) -> bool {
    [&b"BEGIN:VEVENT"[..], b"BEGIN:VTODO", b"BEGIN:VJOURNAL"]
        .iter()
        .any(|begin| begins(head, begin))
}

/// Reports whether a calendar or a card begins with `head`.
fn is_begun(head: &[u8]) -> bool {
    [&b"BEGIN:VCALENDAR"[..], b"BEGIN:VCARD"].iter().any(|begin| begins(head, begin))
}

impl Inside {
    /// Reports whether all of `text` is literal in any context.
    pub(super) fn is_idle(text: &[u8]) -> bool {
        let is_one = |at: usize| text.get(at) != Some(&b'\n') || is_fold(text, at);
        let is_quoted = |at: usize| quoted(text, at).is_some();
        !memchr3_iter(b'\n', b'\\', b'&', text).any(is_one)
            && !memchr_iter(b'=', text).any(is_quoted)
    }

    /// Returns the next mark in `rest`: a fold, an escape, or the beginning of a calendar or card.
    pub(super) fn mark(self, rest: &[u8]) -> Option<Mark> {
        match self {
            Self::Start => {
                let mark = rest.strip_prefix("\u{FEFF}".as_bytes()).map_or(0, |_| 3);
                let text = rest.get(mark..)?;
                let entry = || is_entry(text).then_some(Self::Folded);
                let begun = Self::begun(text).or_else(entry);
                Some(turn(Span::new(0, mark), begun.unwrap_or(Self::Plain)))
            }
            Self::Plain | Self::Old => {
                memchr_iter(b'\n', rest).find_map(|at| self.mark_at(rest, at))
            }
            Self::Folded => memchr2_iter(b'\n', b'\\', rest).find_map(|at| self.mark_at(rest, at)),
            Self::Html => {
                memchr3_iter(b'\n', b'\\', b'&', rest).find_map(|at| self.mark_at(rest, at))
            }
            Self::Quoted => memchr2_iter(b'\n', b'=', rest).find_map(|at| self.mark_at(rest, at)),
        }
    }

    /// Returns the mark that the byte at `at` of `rest` begins.
    fn mark_at(self, rest: &[u8], at: usize) -> Option<Mark> {
        match rest.get(at)? {
            b'\n' if self.has_folds() && is_fold(rest, at) => {
                let is_return = at.checked_sub(1).is_some_and(|at| rest.get(at) == Some(&b'\r'));
                let span = Span::new(at - usize::from(is_return), at + 2);
                Some(Mark { span, means: Denotes::Nothing })
            }
            b'\n' => {
                let behind = rest.get(at + 1..)?;
                let next = Self::begun(behind).or_else(|| {
                    let next = self.in_line(behind);
                    (next != self).then_some(next)
                });
                next.map(|next| turn(Span::new(at, at + 1), next))
            }
            b'&' => reference(rest, at),
            b'=' => quoted(rest, at),
            _ => escape(rest, at),
        }
    }

    const fn has_folds(self) -> bool {
        matches!(self, Self::Folded | Self::Html)
    }

    /// Returns the context of `line`, which continues the same calendar or card.
    fn in_line(self, line: &[u8]) -> Self {
        match self {
            Self::Start | Self::Plain => self,
            Self::Folded | Self::Html if is_html(line) => Self::Html,
            Self::Folded | Self::Html => Self::Folded,
            Self::Old | Self::Quoted if is_quoted(line) => Self::Quoted,
            Self::Old | Self::Quoted => Self::Old,
        }
    }

    /// Returns the context of a calendar or card that begins with `text`, if it is one.
    fn begun(text: &[u8]) -> Option<Self> {
        is_begun(text).then(|| {
            let is_old = match version(text) {
                Some(version) => matches!(version.as_slice(), b"1.0" | b"2.1"),
                None => own_lines(text).any(is_quoted),
            };
            if is_old { Self::Old } else { Self::Folded }
        })
    }
}

const fn turn(span: Span, inside: Inside) -> Mark {
    Mark { span, means: Denotes::Turn(super::Inside::Folded(inside)) }
}

/// Returns the escape that the backslash at `at` begins.
fn escape(text: &[u8], at: usize) -> Option<Mark> {
    let letter = at + 1 + folds_len(text.get(at + 1..)?);
    let made = match text.get(letter)? {
        b'n' | b'N' => '\n',
        mark @ (b',' | b';' | b':' | b'\\') => char::from(*mark),
        _ => return None,
    };
    Some(Mark { span: Span::new(at, letter + 1), means: Denotes::Character(made) })
}

/// Returns the character reference that the ampersand at `at` begins. One for two characters is
/// left as written: it occurs in no URI.
fn reference(text: &[u8], at: usize) -> Option<Mark> {
    let (mut name, mut ends) = (Vec::new(), Vec::new());
    for (end, byte) in unfolded(text.get(at..)?).take(REFERENCE_LEN_MAX + 1) {
        if byte == b';' && name.last() == Some(&b'\\') {
            name.pop();
            ends.pop();
        }
        name.push(byte);
        ends.push(end);
    }
    let found = reference::read(&name)?;
    let made = found.with_bytes(|made| {
        let mut made = std::str::from_utf8(made).ok()?.chars();
        made.next().filter(|_| made.next().is_none())
    });
    let end = *ends.get(found.len - 1)?;
    Some(Mark { span: Span::new(at, at + end), means: Denotes::character(made?) })
}

/// Reports whether the value of a line is HTML.
fn is_html(line: &[u8]) -> bool {
    let name = unfolded(line).map(|(_, byte)| byte.to_ascii_lowercase());
    let name = name.take(NAME_LEN_MAX).take_while(|byte| !matches!(byte, b':' | b'\n'));
    memmem::find(&name.collect::<Vec<u8>>(), b";fmttype=text/html").is_some()
}

/// Reports whether the value of a line is in quoted-printable. The name of the parameter may be
/// missing.
fn is_quoted(line: &[u8]) -> bool {
    let head = line.get(..line.len().min(NAME_LEN_MAX)).unwrap_or_default();
    let end = memchr2(b':', b'\n', head).filter(|end| head.get(*end) == Some(&b':'));
    let name = head.get(..end.unwrap_or_default()).unwrap_or_default();
    name.split(|byte| *byte == b';').skip(1).any(|parameter| {
        let names = [&b"ENCODING=QUOTED-PRINTABLE"[..], b"QUOTED-PRINTABLE"];
        names.iter().any(|name| parameter.eq_ignore_ascii_case(name))
    })
}

/// Returns the mark that the equals sign at `at` of a quoted-printable value begins: a soft line
/// break, or the bytes of a character. A calendar or card begins after a line end, whatever a
/// program left before it.
fn quoted(text: &[u8], at: usize) -> Option<Mark> {
    let soft = soft_break_len(text.get(at..)?);
    if soft > 0 {
        let end = at + soft;
        let is_end = is_begun(text.get(end..)?);
        return (!is_end).then_some(Mark { span: Span::new(at, end), means: Denotes::Nothing });
    }
    let (mut bytes, mut end) = (Vec::with_capacity(4), at);
    // A character in UTF-8 has at most four bytes, which ends the loop.
    loop {
        end += soft_break_len(text.get(end..)?);
        bytes.push(coded_byte(text.get(end..)?)?);
        end += 3;
        match std::str::from_utf8(&bytes) {
            Ok(made) => {
                let means = Denotes::character(made.chars().next()?);
                return Some(Mark { span: Span::new(at, end), means });
            }
            Err(error) if error.error_len().is_some() => return None,
            Err(_) => {}
        }
    }
}

/// Returns the length of the equals sign and the line end that `text` begins with, or zero.
fn soft_break_len(text: &[u8]) -> usize {
    match text {
        [b'=', b'\n', ..] => 2,
        [b'=', b'\r', b'\n', ..] => 3,
        _ => 0,
    }
}

/// Returns the byte that `text` begins with as an equals sign and two digits.
fn coded_byte(text: &[u8]) -> Option<u8> {
    let [b'=', high, low] = text.first_chunk()? else { return None };
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|it| u8::try_from(it).ok());
    Some(16 * digit(*high)? + digit(*low)?)
}

/// Returns the bytes of `text` without its folds, each with the offset after it.
fn unfolded(text: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += folds_len(text.get(at..)?);
        let byte = *text.get(at)?;
        at += 1;
        Some((at, byte))
    })
}

/// Reports whether the line end at `at` is followed by a blank.
fn is_fold(text: &[u8], at: usize) -> bool {
    matches!(text.get(at..), Some([b'\n', b' ' | b'\t', ..]))
}

/// Returns the length of the folds that `text` begins with: an escape may be folded, as anything
/// may.
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

/// Returns the version of the calendar or the card that `text` begins with.
fn version(text: &[u8]) -> Option<Vec<u8>> {
    let may_be_one = |line: &&[u8]| matches!(line.first(), Some(b'V' | b'v'));
    own_lines(text).filter(may_be_one).find_map(|line| {
        let end = memchr2(b':', b'\n', line).filter(|end| line.get(*end) == Some(&b':'))?;
        let name = line.get(..end)?.split(|byte| *byte == b';').next()?;
        let value = line.get(end + 1..)?;
        let len = memchr_iter(b'\n', value).next().unwrap_or(value.len());
        let is_one = name.eq_ignore_ascii_case(b"VERSION");
        is_one
            .then(|| value.get(..len.min(VERSION_LEN_MAX)).unwrap_or_default().trim_ascii())
            .map(<[u8]>::to_vec)
    })
}

/// Returns the lines of the calendar or the card that `text` begins with, each with the text after
/// it, as far as they are read.
fn own_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let head = text.get(..text.len().min(HEAD_LEN_MAX)).unwrap_or_default();
    let lines = memchr_iter(b'\n', head).filter_map(move |feed| head.get(feed + 1..));
    lines.take_while(|line| !is_begun(line) && !begins(line, b"END:VCA"))
}

/// Reports whether `text` begins with `name`, in any case.
fn begins(text: &[u8], name: &[u8]) -> bool {
    text.get(..name.len()).is_some_and(|text| text.eq_ignore_ascii_case(name))
}
