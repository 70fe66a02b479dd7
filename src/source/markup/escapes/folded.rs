//! Reads calendars and cards: lines that are folded, and escapes in values (iCalendar, RFC 5545
//! §3.1 and §3.3.11; vCard, RFC 6350 §3.2 and §3.4).
//!
//! A line end followed by a blank denotes nothing, wherever a program folded: a URI of more than
//! some seventy bytes is always cut so. Cards of version 2.1 and calendars of 1.0 are folded at
//! blanks alone, which stay. Without a known version, they are read as those of today; without any
//! version and with a value in quoted-printable, as of version 2.1.
//!
//! A value is in quoted-printable (RFC 2045 §6.7; vCard 2.1) where its line declares that, in any
//! version: some programs write it in later ones, too. It is decoded; bytes beyond US-ASCII are
//! decoded if they are in the charset that the line declares, or else UTF-8, and are literal
//! otherwise.
//!
//! A line ends as RFC 5545 §3.1 says, or with a LF, a CR, or a LF after two CR: programs convert
//! line ends that are those of the format already.
//!
//! A value whose line declares it as HTML (`FMTTYPE=text/html`, RFC 5545 §3.2.8) has character
//! references as well, folded or with an escape in them. Its words continue over inline tags, as
//! those of HTML do: `https://bank.<b>example</b>/`.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memchr2, memchr2_iter, memchr3, memchr3_iter, memmem};

use super::{Denotes, Mark};
use crate::scheme::SCHEME_LEN_MAX;
use crate::source::hex;
use crate::source::mail::charset::Charset;
use crate::source::markup::html::joints::joint_len;
use crate::source::markup::reference::{self, REFERENCE_LEN_MAX};
use crate::span::{Span, mark_len};

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
    /// A line of any version whose value is in quoted-printable, with its continuation lines.
    Quoted(Quoted),
}

/// A value in quoted-printable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quoted {
    /// Whether a line end followed by a blank denotes nothing.
    has_folds: bool,
    /// The charset that the line declares, if it must be decoded.
    charset: Option<Charset>,
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
        let is_fold = |at: usize| fold_len(text.get(at..).unwrap_or_default()) > 0;
        let is_one = |at: usize| text.get(at) != Some(&b'\n') || is_fold(at);
        let is_quoted = |at: usize| {
            let rest = text.get(at..).unwrap_or_default();
            soft_break_len(rest) > 0 || coded_byte(rest).is_some()
        };
        !memchr3_iter(b'\n', b'\\', b'&', text).any(is_one)
            && !memchr_iter(b'\r', text).any(is_fold)
            && memchr(b'<', text).is_none()
            && !memchr_iter(b'=', text).any(is_quoted)
    }

    /// Returns the next mark in `rest`: a fold, an escape, or the beginning of a calendar or card.
    pub(super) fn mark(self, rest: &[u8]) -> Option<Mark> {
        match self {
            Self::Start => {
                let mark = mark_len(rest);
                let text = rest.get(mark..)?;
                let entry = || is_entry(text).then_some(Self::Folded);
                let begun = Self::begun(text).or_else(entry);
                Some(turn(Span::new(0, mark), begun.unwrap_or(Self::Plain)))
            }
            Self::Plain | Self::Old => {
                memchr2_iter(b'\r', b'\n', rest).find_map(|at| self.mark_at(rest, at))
            }
            Self::Folded => {
                memchr3_iter(b'\r', b'\n', b'\\', rest).find_map(|at| self.mark_at(rest, at))
            }
            Self::Html => any_of(b"\r\n\\&<", rest).find_map(|at| self.mark_at(rest, at)),
            Self::Quoted(Quoted { has_folds: false, .. }) => {
                memchr3_iter(b'\r', b'\n', b'=', rest).find_map(|at| self.mark_at(rest, at))
            }
            Self::Quoted(_) => any_of(b"\r\n\\=", rest).find_map(|at| self.mark_at(rest, at)),
        }
    }

    /// Returns the mark that the byte at `at` of `rest` begins.
    fn mark_at(self, rest: &[u8], at: usize) -> Option<Mark> {
        match (rest.get(at)?, self) {
            (b'\r' | b'\n', _) => self.line_end(rest, at),
            (b'&', _) => reference(rest, at),
            (b'<', _) => joint(rest, at),
            (b'=', Self::Quoted(quoted)) => quoted.mark(rest, at),
            _ => escape(rest, at),
        }
    }

    /// Returns the mark that the line end at `at` of `rest` begins: a fold, or a change of context.
    fn line_end(self, rest: &[u8], at: usize) -> Option<Mark> {
        let before = at.checked_sub(1).and_then(|before| rest.get(before));
        // The CR before it was looked at.
        if before == Some(&b'\r') && rest.get(at) == Some(&b'\n') {
            return None;
        }
        let end = at + end_len(rest.get(at..)?);
        let after = rest.get(end..)?;
        if matches!(after, [b' ' | b'\t', ..]) {
            let span = Span::new(at, end + 1);
            return self.has_folds().then_some(Mark { span, means: Denotes::Nothing });
        }
        let in_line = || Some(self.in_line(after)).filter(|next| *next != self);
        let next = Self::begun(after).or_else(in_line);
        next.map(|next| turn(Span::new(at, end), next))
    }

    const fn has_folds(self) -> bool {
        matches!(self, Self::Folded | Self::Html | Self::Quoted(Quoted { has_folds: true, .. }))
    }

    /// Returns the context of `line`, which continues the same calendar or card.
    fn in_line(self, line: &[u8]) -> Self {
        if matches!(self, Self::Start | Self::Plain) {
            return self;
        }
        let (name, has_folds) = (Name::of(line), self.has_folds());
        if name.is_quoted() {
            return Self::Quoted(Quoted { has_folds, charset: name.charset() });
        }
        match has_folds {
            true if name.is_html() => Self::Html,
            true => Self::Folded,
            false => Self::Old,
        }
    }

    /// Returns the context of a calendar or card that begins with `text`, if it is one.
    fn begun(text: &[u8]) -> Option<Self> {
        is_begun(text).then(|| {
            let is_old = match version(text) {
                Some(version) => matches!(version.as_slice(), b"1.0" | b"2.1"),
                None => own_lines(text).any(|line| Name::of(line).is_quoted()),
            };
            if is_old { Self::Old } else { Self::Folded }
        })
    }
}

/// Returns the offsets in `text` of these bytes.
fn any_of<'t>(bytes: &'t [u8], text: &'t [u8]) -> impl Iterator<Item = usize> + 't {
    let is_one = move |byte: &u8| bytes.contains(byte);
    text.iter().enumerate().filter(move |(_, byte)| is_one(byte)).map(|(at, _)| at)
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

/// Returns the tags between two parts of a word that begin at `at` of a value in HTML.
fn joint(text: &[u8], at: usize) -> Option<Mark> {
    /// Maximum number of bytes of them: each tag is read once for each one directly before it.
    const TAGS_LEN_MAX: usize = 512;
    let (mut tags, mut ends) = (Vec::new(), Vec::new());
    let (mut is_escaped, mut in_tag, mut after) = (false, false, 0);
    for (end, byte) in unfolded(text.get(at..)?) {
        if matches!(byte, b'\r' | b'\n') || tags.len() > TAGS_LEN_MAX || after > SCHEME_LEN_MAX {
            break;
        }
        if byte == b'\\' && !is_escaped {
            is_escaped = true;
            continue;
        }
        let is_feed = is_escaped && matches!(byte, b'n' | b'N');
        is_escaped = false;
        in_tag = byte == b'<' || in_tag && byte != b'>';
        after += usize::from(after > 0 || !in_tag && byte != b'>');
        tags.push(if is_feed { b'\n' } else { byte });
        ends.push(end);
    }
    let end = *ends.get(joint_len(&tags)?.checked_sub(1)?)?;
    Some(Mark { span: Span::new(at, at + end), means: Denotes::Nothing })
}

/// The name of a line and its parameters, unfolded and in lower case, as far as they are read.
struct Name {
    text: Vec<u8>,
    /// Whether a value follows.
    has_value: bool,
}

impl Name {
    /// Returns the name of the line that `text` begins with.
    fn of(text: &[u8]) -> Self {
        let mut bytes = unfolded(text).map(|(_, byte)| byte).take(NAME_LEN_MAX);
        let (mut name, mut has_value) = (Vec::new(), false);
        while let Some(byte) = bytes.next().filter(|byte| !matches!(byte, b'\r' | b'\n')) {
            if byte == b':' {
                has_value = true;
                break;
            }
            name.push(byte.to_ascii_lowercase());
        }
        Self { text: name, has_value }
    }

    /// Returns the parameters.
    fn parameters(&self) -> impl Iterator<Item = &[u8]> {
        self.text.split(|byte| *byte == b';').skip(1)
    }

    /// Reports whether the value is HTML.
    fn is_html(&self) -> bool {
        memmem::find(&self.text, b";fmttype=text/html").is_some()
    }

    /// Reports whether the value is in quoted-printable. The name of the parameter may be missing.
    fn is_quoted(&self) -> bool {
        let mut parameters = self.parameters();
        self.has_value
            && parameters.any(|it| matches!(it, b"encoding=quoted-printable" | b"quoted-printable"))
    }

    /// Returns the declared charset of the value, if it must be decoded and extends US-ASCII.
    fn charset(&self) -> Option<Charset> {
        let label = self.parameters().find_map(|it| it.strip_prefix(b"charset="))?;
        let found = Charset::find(label)?;
        matches!(found, Charset::Legacy(_) | Charset::CodePage(_)).then_some(found)
    }
}

impl Quoted {
    /// Returns the mark that the equals sign at `at` begins: a soft line break, or the bytes of a
    /// character. A calendar or card begins after a line end, whatever a program left before it.
    fn mark(self, text: &[u8], at: usize) -> Option<Mark> {
        /// Maximum number of bytes of a character: in UTF-8, and in GB 18030.
        const CHARACTER_LEN_MAX: usize = 4;
        let soft = self.break_len(text.get(at..)?);
        if soft > 0 {
            let end = at + soft;
            let is_end = is_begun(text.get(end..)?);
            return (!is_end).then_some(Mark { span: Span::new(at, end), means: Denotes::Nothing });
        }
        let (mut bytes, mut end) = (Vec::with_capacity(CHARACTER_LEN_MAX), at);
        while bytes.len() < CHARACTER_LEN_MAX {
            end += self.gap_len(text.get(end..)?);
            bytes.push(coded_byte(text.get(end..)?)?);
            end += 3;
            if let Some(made) = self.character(&bytes) {
                let span = Span::new(at, end);
                return Some(Mark { span, means: Denotes::character(made) });
            }
        }
        None
    }

    /// Returns the character that `bytes` encode, if they are one.
    fn character(self, bytes: &[u8]) -> Option<char> {
        let text = match self.charset {
            Some(charset) => charset.text(bytes),
            None => Cow::Borrowed(std::str::from_utf8(bytes).ok()?),
        };
        let mut made = text.chars();
        let first = made.next()?;
        let is_known = self.charset.is_none() || first != char::REPLACEMENT_CHARACTER;
        (is_known && made.next().is_none()).then_some(first)
    }

    /// Returns the length of the soft line break that `text` begins with, or zero. Some programs
    /// fold there as well.
    fn break_len(self, text: &[u8]) -> usize {
        let len = soft_break_len(text);
        let is_fold = len > 0 && self.has_folds && matches!(text.get(len), Some(b' ' | b'\t'));
        len + usize::from(is_fold)
    }

    /// Returns the length of the break or the fold that `text` begins with, or zero.
    fn gap_len(self, text: &[u8]) -> usize {
        match self.break_len(text) {
            0 if self.has_folds => fold_len(text),
            len => len,
        }
    }
}

/// Returns the length of the equals sign and the line end that `text` begins with, or zero. Blanks
/// between them denote nothing (RFC 2045 §6.7, rule 3).
fn soft_break_len(text: &[u8]) -> usize {
    /// Maximum number of bytes of a line (RFC 2045 §6.7, rule 5).
    const LINE_LEN_MAX: usize = 76;
    let Some(rest) = text.strip_prefix(b"=") else { return 0 };
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let blanks = rest.iter().take(LINE_LEN_MAX).take_while(is_blank).count();
    match end_len(rest.get(blanks..).unwrap_or_default()) {
        0 => 0,
        end => 1 + blanks + end,
    }
}

/// Returns the byte that `text` begins with as an equals sign and two digits.
fn coded_byte(text: &[u8]) -> Option<u8> {
    hex::octet(text.strip_prefix(b"=")?)
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

/// Returns the length of the line end that `text` begins with, or zero.
const fn end_len(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\r', b'\n', ..] => 3,
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Returns the length of the line end and the blank that `text` begins with, or zero.
fn fold_len(text: &[u8]) -> usize {
    match end_len(text) {
        0 => 0,
        len if matches!(text.get(len), Some(b' ' | b'\t')) => len + 1,
        _ => 0,
    }
}

/// Returns the length of the folds that `text` begins with: an escape may be folded, as anything
/// may.
fn folds_len(text: &[u8]) -> usize {
    let mut len = 0;
    loop {
        match fold_len(text.get(len..).unwrap_or_default()) {
            0 => return len,
            fold => len += fold,
        }
    }
}

/// Returns the version of the calendar or the card that `text` begins with.
fn version(text: &[u8]) -> Option<Vec<u8>> {
    let may_be_one = |line: &&[u8]| matches!(line.first(), Some(b'V' | b'v'));
    own_lines(text).filter(may_be_one).find_map(|line| {
        let end = memchr3(b':', b'\r', b'\n', line).filter(|end| line.get(*end) == Some(&b':'))?;
        let name = line.get(..end)?.split(|byte| *byte == b';').next()?;
        let value = line.get(end + 1..)?;
        let len = memchr2(b'\r', b'\n', value).unwrap_or(value.len());
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
    let lines = memchr2_iter(b'\r', b'\n', head).filter_map(move |end| head.get(end + 1..));
    lines.take_while(|line| !is_begun(line) && !begins(line, b"END:VCA"))
}

/// Reports whether `text` begins with `name`, in any case.
fn begins(text: &[u8], name: &[u8]) -> bool {
    text.get(..name.len()).is_some_and(|text| text.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::{Name, end_len, fold_len, soft_break_len};
    use crate::source::mail::charset::Charset;

    #[test]
    fn line_ends_are_those_of_any_system() {
        for (text, end, fold, soft) in [
            ("\n a", 1, 2, 2),
            ("\r\n\ta", 2, 3, 3),
            ("\r\r\n a", 3, 4, 4),
            ("\r a", 1, 2, 2),
            ("\r\r\r\n a", 1, 0, 2),
            ("\na", 1, 0, 2),
            ("a", 0, 0, 0),
            (" \t\n", 0, 0, 4),
            ("", 0, 0, 0),
        ] {
            assert_eq!(end_len(text.as_bytes()), end, "{text:?}");
            assert_eq!(fold_len(text.as_bytes()), fold, "{text:?}");
            assert_eq!(soft_break_len(format!("={text}").as_bytes()), soft, "{text:?}");
        }
    }

    #[test]
    fn parameters_declare_quoted_printable_and_its_charset() {
        let latin = Charset::legacy(b"iso-8859-1");
        for (line, is_quoted, charset) in [
            ("NOTE;ENCODING=QUOTED-PRINTABLE:a", true, None),
            ("NOTE;charset=UTF-8;quoted-printable:a", true, None),
            ("NOTE;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:a", true, latin),
            ("NOTE;CHARSET=ISO-8859-1;\r\n ENCODING=QUOTED-PRINTABLE:a", true, latin),
            ("NOTE;CHARSET=ISO-8859-1:a", false, latin),
            ("NOTE;CHARSET=UTF-16;ENCODING=QUOTED-PRINTABLE:a", true, None),
            ("NOTE;ENCODING=QUOTED-PRINTABLE", false, None),
            ("NOTE;ENCODING=QUOTED-PRINTABLE\rX:a", false, None),
            ("NOTE:a;ENCODING=QUOTED-PRINTABLE:", false, None),
        ] {
            let name = Name::of(line.as_bytes());
            assert_eq!((name.is_quoted(), name.charset()), (is_quoted, charset), "{line:?}");
        }
    }
}
