//! Finds where messages of plain mbox files begin, where their headers end, and which field a byte
//! is in. `mime` decodes their content.
//!
//! `separator` decides which lines `From …` begin a message.

mod date;
mod lead;
mod name;
mod separator;

use memchr::memmem;

pub(in crate::source) use lead::{head_start, is_blank_before};
use name::{LINE_LEN_MAX, begins_value};
pub(in crate::source) use name::{is_field, name_len};
use separator::has_time;
pub(in crate::source) use separator::{
    CANDIDATE_LEN_MAX, SEPARATOR_LEN_MAX, form, is_separator_of,
};
pub use separator::{Form, is_separator};

use super::unsubscribe::Offer;
use crate::finding::{Message, Unsubscribe};
use crate::span::Span;

const FROM: &[u8] = b"From";

/// Maximum number of bytes of a header that are searched for fields; public-inbox and Postfix stop
/// at 100 kB. No more than a piece sees after its core, or cuts would decide.
pub(in crate::source) const HEADER_LEN_MAX: usize = 128 * 1024;

pub(crate) const MESSAGE_ID: &[u8] = b"message-id";
const DATE: &[u8] = b"date";
/// Beginning of the line before a message in a mailbox.
const FROM_LINE: &[u8] = b"From ";
const LIST_ID: &[u8] = b"list-id";
pub(in crate::source) const LIST_UNSUBSCRIBE: &[u8] = b"list-unsubscribe";
pub(in crate::source) const LIST_UNSUBSCRIBE_POST: &[u8] = b"list-unsubscribe-post";
const DKIM_SIGNATURE: &[u8] = b"dkim-signature";
/// Maximum number of signatures of one message that are read. Mail has one for each domain that it
/// passed.
const SIGNATURES_MAX: usize = 16;

/// The meaning of a line in a header that looks like the first line of a message of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FromLine {
    /// It begins the next message.
    Begins,
    /// It belongs to the header: the message is alone, and a program that delivered it left the
    /// line.
    Belongs,
}

impl FromLine {
    /// Reports whether the line at `at` of a header begins the next message.
    pub(in crate::source) fn begins(self, bytes: &[u8], at: usize) -> bool {
        self == Self::Begins && is_separator(bytes, at)
    }
}

/// Reports whether `text` begins with a line `>From … remote from …`.
pub(in crate::source) fn is_of_way(text: &[u8]) -> bool {
    let line = text.get(..line_len(text)).unwrap_or_default();
    line.starts_with(b">From ") && memmem::find(line, b" remote from ").is_some()
}

/// Fields of which every message has some, with their colons. Delivery adds the first
/// [`OF_WAY`], and programs that send or deliver messages write the first [`OF_PROGRAMS`].
const TELLING: [&[u8]; 10] = [
    b"received:",
    b"return-path:",
    b"delivered-to:",
    b"content-transfer-encoding:",
    b"message-id:",
    b"mime-version:",
    b"date:",
    b"from:",
    b"subject:",
    b"to:",
];
const OF_WAY: usize = 3;
const OF_PROGRAMS: usize = 6;

/// Reports whether `head` begins with the header of a message, after lines that may precede one:
/// nothing but fields, and two of those that messages have. Texts begin with one of these now and
/// then, and forms with `Name : …`, so that the colons of those two must follow their names at
/// once.
#[must_use]
pub fn is_message(head: &[u8]) -> bool {
    let head = after_way(head.get(head_start(head)..).unwrap_or_default());
    let mut seen = [false; TELLING.len()];
    // After a Content-Type, the delimiter before the first part may end the header: some programs
    // forget the empty line.
    let mut has_type = false;
    let mut rest = head;
    while !matches!(rest, [] | [b'\n' | b'\r', ..]) {
        if has_type && rest.starts_with(b"--") {
            return has_enough(&seen, b"");
        }
        has_type |= is_named(rest, b"content-type");
        let at = head.len() - rest.len();
        let is_folded = at > 0 && matches!(rest, [b' ' | b'\t', ..]);
        let is_passed = || at > 0 && is_quoted_field(head, at);
        if !is_folded && name_len(rest).is_none() && !is_passed() {
            // The last line of `head` may be cut, and the empty line be missing.
            let is_cut = memchr::memchr(b'\n', rest).is_none();
            return is_cut && has_enough(&seen, head) || has_most(&seen) && was_sent(head);
        }
        let letter = rest.first().map(u8::to_ascii_lowercase);
        for (is_seen, name) in seen.iter_mut().zip(TELLING) {
            // The first letter rules most lines out.
            *is_seen |= name.first().copied() == letter
                && rest.get(..name.len()).is_some_and(|text| text.eq_ignore_ascii_case(name));
        }
        rest = rest.get(line_len(rest)..).unwrap_or_default();
    }
    has_enough(&seen, if rest.is_empty() { head } else { b"" })
}

/// Reports whether `text` begins with the word of a `From ` line: a blank follows it, or the end of
/// its line, where an editor removed the blank.
pub(in crate::source) fn is_from_line(text: &[u8]) -> bool {
    let next = text.strip_prefix(FROM).and_then(<[u8]>::first);
    matches!(next, Some(b' ' | b'\t' | b'\r' | b'\n'))
}

/// Returns the `From ` line that `line` quotes: exports of mail quote it again, and indent it.
fn quoted_from(line: &[u8]) -> Option<&[u8]> {
    let is_mark = |byte: &&u8| **byte == b'>';
    let quoted = line.trim_ascii_start();
    let marks = quoted.iter().take_while(is_mark).count();
    let from = quoted.get(marks..)?;
    let is_word = from.strip_prefix(FROM)?.first().is_none_or(u8::is_ascii_whitespace);
    (marks > 0 && is_word).then_some(from)
}

/// Reports whether `line` is a quoted `From ` line of a program: with a time of day, an address and
/// a date, or at most a sender.
fn is_quoted_by_program(line: &[u8]) -> bool {
    let is_dated = |from: &[u8]| matches!(form(from), Some(Form::Timed | Form::Sender));
    let is_short = |from: &[u8]| from.strip_prefix(FROM).is_some_and(is_short);
    quoted_from(line).is_some_and(|from| has_time(line) || is_short(from) || is_dated(from))
}

/// Returns `text` after the lines that UUCP left at its beginning: `>From ` and a date, for each
/// machine on the way. Programs that deliver mail quote their own line like that, too, exports
/// `From -`, and some leave the sender alone, or nothing.
pub(in crate::source) fn after_way(text: &[u8]) -> &[u8] {
    /// A message passes through some machines and programs.
    const LINES_MAX: usize = 64;
    let mut rest = text;
    for _ in 0..LINES_MAX {
        let (line, after) = rest.split_at(line_len(rest));
        if !is_quoted_by_program(line) {
            break;
        }
        rest = after;
    }
    rest
}

/// Reports whether `rest`, of a `From ` line without a date, is a line of a program: it has at most
/// a sender, and no other word.
fn is_short(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii();
    let is_sender =
        || memchr::memchr(b'@', rest).is_some() && !rest.iter().any(u8::is_ascii_whitespace);
    rest.is_empty() || rest == b"-" || is_sender()
}

/// Reports whether the header that `head` begins with has a field that only programs write that
/// send or deliver messages. Documents begin with fields, too, written by people: a title, a date.
pub(in crate::source) fn was_sent(head: &[u8]) -> bool {
    let mut rest = head.get(head_start(head)..).unwrap_or_default();
    while !matches!(rest, [] | [b'\n' | b'\r', ..]) {
        let is_one =
            |name: &[u8]| rest.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name));
        if TELLING.into_iter().take(OF_PROGRAMS).any(is_one) {
            return true;
        }
        rest = rest.get(line_len(rest)..).unwrap_or_default();
    }
    false
}

/// Reports whether two of the fields of [`TELLING`] were seen, or one that delivery adds, when
/// `shown` is a long header without an end: such fields may fill all the bytes at hand.
fn has_enough(seen: &[bool], shown: &[u8]) -> bool {
    /// Bytes that the fields of a usual delivery take.
    const LONG: usize = 4096;
    let is_delivered = || seen.iter().take(OF_WAY).any(|is_seen| *is_seen);
    let count = seen.iter().filter(|is_seen| **is_seen).count();
    count >= 2 || shown.len() >= LONG && is_delivered()
}

/// Reports whether so many of the fields were seen that no empty line need follow them.
fn has_most(seen: &[bool]) -> bool {
    const FIELDS_MIN: usize = 4;
    seen.iter().filter(|is_seen| **is_seen).count() >= FIELDS_MIN
}

/// Returns the offsets of the lines in `start..end` that begin a message.
pub fn separators(bytes: &[u8], start: usize, end: usize) -> impl Iterator<Item = usize> + '_ {
    from_lines(bytes, start, end).filter(|at| is_separator(bytes, *at))
}

/// Returns the offsets of the lines in `start..end` that may begin a message.
pub(in crate::source) fn from_lines(
    bytes: &[u8],
    start: usize,
    end: usize,
) -> impl Iterator<Item = usize> + '_ {
    let is_line = |at: &usize| bytes.get(*at..).is_some_and(is_from_line);
    lines(bytes, start, end, FROM).filter(is_line)
}

/// Returns the offsets in `start..end` at which `mark`, which has no line feed, begins a line.
/// Bytes that programs leave between messages may precede it in its line.
pub(in crate::source) fn lines<'b>(
    bytes: &'b [u8],
    start: usize,
    end: usize,
    mark: &'static [u8],
) -> impl Iterator<Item = usize> + 'b {
    memmem::find_iter(bytes.get(start..).unwrap_or_default(), mark)
        .map(move |at| start + at)
        .take_while(move |at| *at < end)
        .filter(|at| lead::line_start(bytes, *at).is_some())
}

/// Returns the offsets of the lines that begin in `span`.
pub fn line_starts(bytes: &[u8], span: Span) -> impl Iterator<Item = usize> + '_ {
    let is_line = span.start == 0 || bytes.get(span.start - 1) == Some(&b'\n');
    let first = is_line.then_some(span.start);
    let others = memchr::memchr_iter(b'\n', span.of(bytes)).map(move |at| span.start + at + 1);
    first.into_iter().chain(others).filter(move |at| *at < span.end)
}

/// Returns the offset after the header that `start` is in: after the empty line that ends it, at a
/// line that is no field, or at the next message; `None` when none of them is in `bytes`.
#[must_use]
pub fn header_end(bytes: &[u8], start: usize, from_line: FromLine) -> Option<usize> {
    let mut at = start;
    loop {
        let line = at + memchr::memchr(b'\n', bytes.get(at..)?)? + 1;
        if let Some(end) = end_of_header(bytes, line) {
            return Some(end);
        }
        // A message that begins up to two bytes after `start` is the one whose header this is, see
        // `before_cut`.
        if line > start + 2 && from_line.begins(bytes, line) {
            return Some(line);
        }
        at = line;
    }
}

/// Returns the offset after a header that ends at the line at `at`: an empty line, or one that is
/// neither a field nor folded (RFC 5322 §2.2). A line whose end is not in `text` ends nothing: its
/// colon may follow.
#[inline]
pub(in crate::source) fn end_of_header(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at..)? {
        [b'\n', ..] => Some(at + 1),
        [b'\r', b'\n', ..] => Some(at + 2),
        [] | [b' ' | b'\t', ..] => None,
        line if name_len(line).is_some() => None,
        line => (is_seen(line) && !is_left_by_delivery(text, at)).then_some(at),
    }
}

/// Reports whether it is known that `line` has no colon that makes it a field.
fn is_seen(line: &[u8]) -> bool {
    line.len() >= LINE_LEN_MAX || memchr::memchr(b'\n', line).is_some()
}

/// Reports whether the line at `at` of a header is a `From ` line, quoted or not, which a program
/// that delivered the message left there: it has a time of day, follows such a line, or precedes a
/// field.
pub(in crate::source) fn is_left_by_delivery(text: &[u8], at: usize) -> bool {
    let is_from = |line: &[u8]| is_from_line(line) || quoted_from(line).is_some();
    let line = text.get(at..).unwrap_or_default();
    let line = line.get(..line_len(line).min(SEPARATOR_LEN_MAX)).unwrap_or_default();
    let before = || {
        let from = at.saturating_sub(SEPARATOR_LEN_MAX);
        let before = text.get(from..at.saturating_sub(1)).unwrap_or_default();
        let start = memchr::memrchr(b'\n', before).map_or(0, |feed| feed + 1);
        before.get(start..).unwrap_or_default()
    };
    is_from(line) && (has_time(line) || is_from(before()) || is_quoted_field(text, at))
}

/// Reports whether the line at `at` of a header is a quoted `From ` line of a program, and a field
/// may follow it, after more such lines or none.
fn is_quoted_field(text: &[u8], at: usize) -> bool {
    let text = text.get(at..).unwrap_or_default();
    let (line, next) = text.split_at(line_len(text));
    let is_before_field = || {
        let next = after_way(next);
        is_field(next) || !is_seen(next)
    };
    is_quoted_by_program(line) && is_before_field()
}

/// Returns where to search for the end of a header that continues at `start`: a cut may have
/// divided the blank line.
#[must_use]
pub const fn before_cut(start: usize) -> usize {
    start.saturating_sub(2)
}

/// Returns the properties, for reports, of the message whose header begins at `start`.
#[must_use]
pub fn message(bytes: &[u8], start: usize, from_line: FromLine) -> Message {
    let limit = bytes.len().min(start.saturating_add(HEADER_LEN_MAX));
    let header = bytes.get(start..limit).unwrap_or_default();
    let is_end = |at: &usize| match header.get(*at..).unwrap_or_default() {
        // After a line that may be a delimiter, fields may be those of a part.
        [] | [b'\n', ..] | [b'\r', b'\n', ..] | [b'-', b'-', ..] => true,
        [b'F', ..] if *at > 0 && from_line.begins(header, *at) => true,
        _ => *at > 0 && end_of_header(header, *at).is_some(),
    };
    let lines = std::iter::once(0).chain(memchr::memchr_iter(b'\n', header).map(|feed| feed + 1));
    let mut head = Head::default();
    for at in lines.take_while(|at| !is_end(at)) {
        head.take(header.get(at..).unwrap_or_default());
    }
    head.message()
}

/// Returns the properties, for reports, of the message whose fields begin at the offsets `places`.
#[must_use]
pub fn message_by(bytes: &[u8], places: &[usize]) -> Message {
    let mut head = Head::default();
    for at in places {
        head.take(bytes.get(*at..).unwrap_or_default());
    }
    head.message()
}

/// Returns how the message whose fields begin at the offsets `places` offers to unsubscribe, and
/// the warnings about it; nothing else of its header is read.
pub(super) fn unsubscribe_by(bytes: &[u8], places: &[usize]) -> Option<Unsubscribe> {
    let mut offers = Offers::default();
    for at in places {
        offers.take(bytes.get(*at..).unwrap_or_default());
    }
    offers.warnings()
}

/// Reports whether `line` begins with the name of a field that declares a property for reports.
#[inline]
pub(in crate::source) fn declares_property(line: &[u8]) -> bool {
    let has = |name: &[u8]| is_named(line, name);
    match line.first() {
        Some(b'M' | b'm') => has(MESSAGE_ID),
        Some(b'D' | b'd') => has(DATE) || has(DKIM_SIGNATURE),
        Some(b'F') => line.starts_with(FROM_LINE),
        Some(b'L' | b'l') => has(LIST_ID) || has(LIST_UNSUBSCRIBE) || has(LIST_UNSUBSCRIBE_POST),
        _ => false,
    }
}

/// The fields of a header that declare properties for reports.
#[derive(Default)]
struct Head<'b> {
    message: Message,
    /// The `From ` line, which says when the message was received (RFC 4155, appendix A).
    from_line: Option<&'b [u8]>,
    offers: Offers<'b>,
}

/// The fields of a header by which a message offers to unsubscribe.
#[derive(Default)]
struct Offers<'b> {
    /// The lines from the first List-Unsubscribe, List-Unsubscribe-Post and signatures on.
    list: Option<&'b [u8]>,
    post: Option<&'b [u8]>,
    signatures: Vec<&'b [u8]>,
    /// Whether there is a second List-Unsubscribe, and a second List-Unsubscribe-Post.
    is_twice: [bool; 2],
}

impl<'b> Head<'b> {
    /// Records the property that the field at the start of `line` declares. Of several fields with
    /// one name, the first readable one counts.
    fn take(&mut self, line: &'b [u8]) {
        let message = &mut self.message;
        if message.id.is_none() && is_named(line, MESSAGE_ID) {
            message.id = id(&value(line));
        } else if message.date.is_none() && is_named(line, DATE) {
            message.date = date::utc(&value(line));
        } else if self.from_line.is_none() && line.starts_with(FROM_LINE) {
            self.from_line = Some(line);
        } else if message.list_id.is_none() && is_named(line, LIST_ID) {
            message.list_id = list_id(&value(line));
        } else {
            self.offers.take(line);
        }
    }

    /// Returns the properties of the message.
    fn message(self) -> Message {
        let date = self.message.date.or_else(|| received(self.from_line?));
        let unsubscribe = self.offers.warnings().map(Box::new);
        Message { unsubscribe, date, ..self.message }
    }
}

impl<'b> Offers<'b> {
    /// Records the field at the start of `line` if it is one of them.
    fn take(&mut self, line: &'b [u8]) {
        if is_named(line, LIST_UNSUBSCRIBE) {
            self.is_twice[0] |= self.list.is_some();
            self.list.get_or_insert(line);
        } else if is_named(line, LIST_UNSUBSCRIBE_POST) {
            self.is_twice[1] |= self.post.is_some();
            self.post.get_or_insert(line);
        } else if self.signatures.len() < SIGNATURES_MAX && is_named(line, DKIM_SIGNATURE) {
            self.signatures.push(line);
        }
    }

    /// Returns what the fields together offer.
    fn warnings(self) -> Option<Unsubscribe> {
        let signatures = if self.post.is_some() { self.signatures } else { Vec::new() };
        let offer = Offer {
            list: self.list.map(value),
            post: self.post.map(value),
            signatures: signatures.into_iter().map(value).collect(),
            is_twice: self.is_twice,
        };
        offer.warnings()
    }
}

/// Returns the date of `line`, which begins with a `From ` line, after the name of the sender.
fn received(line: &[u8]) -> Option<String> {
    const WEEKDAYS: [&[u8]; 7] = [b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun"];
    let line = line.get(..line_len(line))?.trim_ascii_end();
    let is_weekday = |at: &usize| {
        line.get(at + 1..at + 4).is_some_and(|name| WEEKDAYS.contains(&name))
            && matches!(line.get(at + 4), Some(b' ' | b','))
    };
    let at = memchr::memchr_iter(b' ', line).rev().find(is_weekday)?;
    date::utc(line.get(at + 1..)?)
}

/// Returns the identifier of a message, without the comments that programs write around it (RFC
/// 5322 §3.6.4), if it is no longer than a line.
fn id(value: &[u8]) -> Option<Vec<u8>> {
    let open = memchr::memchr(b'<', value);
    let inside = open.and_then(|open| {
        let id = value.get(open..)?;
        // An identifier may have a quoted `>`.
        let is_quoted = memchr::memchr(b'"', id).is_some();
        let close = if is_quoted { memchr::memrchr(b'>', id) } else { memchr::memchr(b'>', id) };
        id.get(..=close?)
    });
    named(inside.unwrap_or(value.trim_ascii()))
}

/// Returns `text`, which identifies a message or a list, if it is no longer than a line.
fn named(text: &[u8]) -> Option<Vec<u8>> {
    (text.len() <= LINE_LEN_MAX).then(|| text.to_vec())
}

/// Returns the identifier in a List-Id, without its brackets (RFC 2919 §3), which some programs
/// omit.
fn list_id(value: &[u8]) -> Option<Vec<u8>> {
    let value = value.trim_ascii();
    let text = match memchr::memrchr(b'<', value) {
        Some(open) => {
            let inside = value.get(open + 1..)?;
            inside.get(..memchr::memchr(b'>', inside)?)?.trim_ascii()
        }
        None => value,
    };
    let is_word = !text.is_empty() && !text.iter().any(u8::is_ascii_whitespace);
    named(text).filter(|_| is_word)
}

/// Reports whether `line` begins with the field called `name`, in any case. Blanks may precede the
/// colon, as they once could (RFC 5322 §4.5).
#[must_use]
pub fn is_named(line: &[u8], name: &[u8]) -> bool {
    // The byte after the name rules out most other fields.
    matches!(line.get(name.len()), Some(b':' | b' ' | b'\t'))
        && line.get(..name.len()).is_some_and(|text| text.eq_ignore_ascii_case(name))
        && line.get(name.len()..).is_some_and(begins_value)
}

/// Returns the length of the line that `text` begins with, its end included.
pub(in crate::source) fn line_len(text: &[u8]) -> usize {
    memchr::memchr(b'\n', text).map_or(text.len(), |feed| feed + 1)
}

/// Returns the length of the field that `text` begins with, continuation lines included.
pub(in crate::source) fn field_len(text: &[u8]) -> usize {
    let mut len = line_len(text);
    while let Some(rest @ [b' ' | b'\t', ..]) = text.get(len..) {
        len += line_len(rest);
    }
    len
}

/// Returns the value of the field that `text` begins with, unfolded (RFC 5322 §2.2.3).
#[must_use]
pub fn value(text: &[u8]) -> Vec<u8> {
    let name = memchr::memchr(b':', text).map_or(0, |colon| colon + 1);
    let mut value = Vec::new();
    let mut line = text.get(name..).unwrap_or_default();
    loop {
        let (text, rest) = line.split_at(line_len(line));
        value.extend_from_slice(text.trim_ascii_end());
        if !matches!(rest.first(), Some(b' ' | b'\t')) {
            return value;
        }
        line = rest;
    }
}

/// Returns the span of the name of the field that the byte at `at` of a header is in.
#[must_use]
pub fn field_name(bytes: &[u8], at: usize) -> Option<Span> {
    let start = field_start(bytes, Span::new(0, at + 1))?;
    Some(Span::new(start, start + name_len(bytes.get(start..)?)?))
}

/// Returns the offset of the last line that begins in `span` and is no continuation line; looks
/// only at `span` and the byte before it.
pub(in crate::source) fn field_start(bytes: &[u8], span: Span) -> Option<usize> {
    let starts = |at: usize| !matches!(bytes.get(at), Some(b' ' | b'\t'));
    let from = span.start.saturating_sub(1);
    let lines = bytes.get(from..bytes.len().min(span.end).saturating_sub(1)).unwrap_or_default();
    let last =
        memchr::memrchr_iter(b'\n', lines).map(|feed| from + feed + 1).find(|at| starts(*at));
    last.or_else(|| (span.start == 0 && !span.is_empty() && starts(0)).then_some(0))
}

#[cfg(test)]
mod tests {
    use super::{
        FromLine, LINE_LEN_MAX, Message, field_name, is_message, is_separator, list_id, message_by,
        separators,
    };

    fn header_end(bytes: &[u8], start: usize) -> Option<usize> {
        super::header_end(bytes, start, FromLine::Begins)
    }

    fn message(bytes: &[u8], start: usize) -> Message {
        super::message(bytes, start, FromLine::Begins)
    }

    const BOX: &[u8] = b"From a@b Thu Dec  1 00:00:00 1994\nMessage-ID:\n <1@x>\n\
        Date: Thu, 01 Dec 1994 01:00:00 +0100 (CET)\nSubject: a\n\tb\n\n\
        From Russia\nwith: love\nFrom the east\nTo: d\n>From a@b 10:00\nx: y\n\
        From a@b 10:00:00\nTo: c\n\nend\n\n\
        From d\nTo: e\n\n";

    fn at(text: &[u8]) -> usize {
        memchr::memmem::find(BOX, text).unwrap()
    }

    #[test]
    fn the_from_line_has_the_date_of_a_message_without_one() {
        let date = |text: &[u8]| message(text, 0).date;
        let expected = || Some("2020-03-02T10:00:00Z".to_owned());
        assert_eq!(date(b"From ???@??? Mon Mar 02 10:00:00 2020\r\nTo: a@b\r\n\r\n"), expected());
        assert_eq!(date(b"From a b Mon Mar  2 10:00:00 2020\nTo: a@b\n\n"), expected());
        let other = b"From a Mon Mar  2 10:00:00 2020\nDate: Tue, 3 Mar 2020 10:00:00 +0000\n\n";
        assert_eq!(date(other).as_deref(), Some("2020-03-03T10:00:00Z"));
        assert_eq!(date(b"From a\nTo: Mon b\n\n"), None);
        assert_eq!(date(b"From a Mon, b\nTo: c\n\n"), None);
        let fields = message_by(b"From a Mon Mar  2 10:00:00 2020\nTo: c\n\n", &[0]);
        assert_eq!(fields.date, expected());
    }

    #[test]
    fn messages_begin_where_a_field_follows_and_something_confirms_it() {
        let found: Vec<usize> = separators(BOX, 0, BOX.len()).collect();
        assert_eq!(found, [0, at(b"From a@b 10:00:00"), at(b"From d")]);
        assert!(!is_separator(b"x\nFrom you\nTo: c\n", 2));
        assert!(!is_separator(b"\nFrom you\nand me\n", 1));
        for line in ["http://h/", "HTTP://h/", "x-a+b://c", "mailto:a@b", "MailTo:a@b (me)"] {
            let text = format!("\nFrom you:\n{line}\n");
            assert!(!is_separator(text.as_bytes(), 1), "{line}");
            let text = format!("\nFrom you 10:00\n{line}\n");
            assert!(!is_separator(text.as_bytes(), 1), "{line}");
        }
        for line in
            ["Subject:// a", "href=\"a://b", "mailto: a@b", "mailto:a b@c", "http:/h", "http: //h"]
        {
            let text = format!("\nFrom a@b Mon Jan  1 10:00:00 2001\n{line}\n");
            assert!(is_separator(text.as_bytes(), 1), "{line}");
        }
        for (text, wanted) in [
            ("\nFrom a@b 10:00\nTo : c\n", true),
            ("x\nFrom a@b 10:00\nTo : c\n", false),
            ("\n\nFrom here\nto : there\n", false),
            ("\nFrom a@b 10:00\nTo c : d\n", false),
        ] {
            let at = text.find("From").unwrap();
            assert_eq!(is_separator(text.as_bytes(), at), wanted, "{text:?}");
        }
    }

    #[test]
    fn blanks_may_stand_before_the_colon_of_a_field() {
        let text = b"From: a\nTo: b\nMessage-ID : <1@x>\nDate\t : 1 Dec 1994 01:00:00 GMT\n\
            List-Id  : <l.x>\nList-Unsubscribe-Post : x\nX y : z\n\n";
        assert!(!is_message(text));
        let at = memchr::memmem::find(text, b" y :").unwrap();
        let text = [&text[..at], &text[at + 2..]].concat();
        assert!(is_message(&text));
        assert!(!is_message(b"From : a\nTo : b\n\n"));
        let message = message(&text, 0);
        assert_eq!(message.id.as_deref(), Some(&b"<1@x>"[..]));
        assert_eq!(message.date.as_deref(), Some("1994-12-01T01:00:00Z"));
        assert_eq!(message.list_id.as_deref(), Some(&b"l.x"[..]));
        let name = |at| field_name(&text, at).map(|span| span.of(&text));
        let at = memchr::memmem::find(&text, b"<l.x>").unwrap();
        assert_eq!(name(at), Some(&b"List-Id"[..]));
    }

    #[test]
    fn a_list_is_told_by_what_stands_in_the_last_brackets() {
        assert_eq!(
            list_id(b" A <list> of <a.example.com>").as_deref(),
            Some(&b"a.example.com"[..])
        );
        assert_eq!(list_id(b" a.example.com ").as_deref(), Some(&b"a.example.com"[..]));
        assert_eq!(list_id(b"a list"), None);
        assert_eq!(list_id(b"a list <"), None);
        assert_eq!(list_id(b"<>"), None);
    }

    #[test]
    fn one_telling_field_is_enough_in_a_header_that_fills_all_that_is_seen() {
        let long = format!("Received: by a\n{}", "X-Seal: of\n b\n".repeat(500));
        assert!(is_message(long.as_bytes()));
        assert!(is_message(&long.as_bytes()[..long.len() - 5]));
        assert!(!is_message(&long.as_bytes()[..2000]));
        assert!(!is_message(format!("{long}\ntext").as_bytes()), "it ends there");
        assert!(!is_message(long.replace("Received", "Title").as_bytes()));
        assert!(!is_message(long.replace("Received", "Date").as_bytes()), "lists have dates");
    }

    #[test]
    fn the_header_ends_at_the_first_blank_line() {
        assert_eq!(header_end(BOX, 0), Some(at(b"From Russia")));
        assert_eq!(header_end(b"a: b\r\n\r\nc", 0), Some(8));
        assert_eq!(header_end(b"a: b\nc: d\n", 0), None);
    }

    #[test]
    fn identity_and_date_are_read_from_folded_fields() {
        let message = message(BOX, 0);
        assert_eq!(message.id.as_deref(), Some(&b"<1@x>"[..]));
        assert_eq!(message.date.as_deref(), Some("1994-12-01T00:00:00Z"));
    }

    #[test]
    fn fields_are_known_in_any_case_and_the_first_counts() {
        let head = b"Fax: 1\nMIME-Version: 1.0\nmessage-ID: <1>\nList-Post: <a>\nlist-id: a\n\
            LIST-ID: b\nMessage-Id: <2>\nlist-Unsubscribe-Post: x\nDAte: 1 Dec 1994 00:00:00 GMT\n";
        let found = message(head, 0);
        assert_eq!(found.id.as_deref(), Some(&b"<1>"[..]));
        assert_eq!(found.list_id.as_deref(), Some(&b"a"[..]));
        assert_eq!(found.date.as_deref(), Some("1994-12-01T00:00:00Z"));
        for value in ["<1@x> (added by a@b)", "(c)\n <1@x>", " <1@x>#1/1", "<1@x>"] {
            let header = format!("Message-ID: {value}\n\n");
            let id = message(header.as_bytes(), 0).id;
            assert_eq!(id.as_deref(), Some(&b"<1@x>"[..]), "{value}");
        }
        let quoted = message(b"Message-ID: <\"a>b\"@x>\n", 0).id;
        assert_eq!(quoted.as_deref(), Some(&b"<\"a>b\"@x>"[..]));
        let open = message(b"Message-ID: <1@x\n", 0).id;
        assert_eq!(open.as_deref(), Some(&b"<1@x"[..]));
        assert_eq!(message(b"a: b\n\nMessage-ID: <1>\n", 0).id, None);
        assert_eq!(message(b"a: b\r\n\r\nMessage-ID: <1>\n", 0).id, None);
        // So does it at a line that is no field, whatever it holds.
        assert_eq!(message(b"a: b\r\n\r\r\nMessage-ID: <1>\n", 0).id, None);
        assert_eq!(message(b"a: b\nHello all,\nMessage-ID: <1>\n", 0).id, None);
        assert_eq!(message(b"a: b\nFrom a 10:00\nMessage-ID: <1>\n", 0).id, None);
    }

    #[test]
    fn what_names_a_message_or_a_list_is_no_longer_than_a_line() {
        for (len, is_told) in [(LINE_LEN_MAX, true), (LINE_LEN_MAX + 1, false)] {
            let name = "x".repeat(len);
            let header = format!("Message-ID: {name}\nList-Id: <{name}>\n");
            let found = message(header.as_bytes(), 0);
            assert_eq!([found.id.is_some(), found.list_id.is_some()], [is_told; 2], "{len}");
            let next = format!("{header}Message-ID: <1@x>\n");
            let wanted = if is_told { name.as_bytes() } else { b"<1@x>" };
            assert_eq!(message(next.as_bytes(), 0).id.as_deref(), Some(wanted));
        }
    }

    #[test]
    fn the_field_of_a_byte_is_found_over_folded_lines() {
        let name = |at| field_name(BOX, at).map(|span| span.of(BOX));
        assert_eq!(name(at(b"\tb") + 1), Some(&b"Subject"[..]));
        assert_eq!(name(at(b"<1@x>")), Some(&b"Message-ID"[..]));
        assert_eq!(name(at(b"<1@x>") - 2), Some(&b"Message-ID"[..]));
        assert_eq!(name(5), None);
    }
}
