//! Reads URIs in brackets, and joins them where a line ends inside.
//!
//! RFC 1738 Appendix and RFC 3986 Appendix C: white space between the brackets is ignored. Hyphens
//! before a break are kept: of 1,075 such breaks in RFCs, every hyphen belongs to the URI. A reply
//! repeats its quote prefix inside, and a comment in source code the mark that begins its lines
//! (`prefix`). Prose between two brackets is recognised by its words.

use super::extent;
use super::limits::{BRACKET_BACK_MAX, CANDIDATE_LEN_MAX, FOLDED_LEN_MAX};
use super::prefix::{Prefix, blanks, is_blank};
use super::simd::Stops;
use crate::scheme;
use crate::span::Span;

/// Maximum number of lines of one URI. The longest seen in 7,147 RFCs has five; a link of 2 kB that
/// a gateway wrapped has 52 in a column of 40 characters.
const LINES_MAX: usize = 64;
/// Maximum number of blanks between the bracket and the scheme.
const BLANKS_MAX: usize = 256;

/// An opening bracket to the left of a scheme.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    /// Offset of the bracket.
    bracket: usize,
    /// Offset after the bracket, blanks and `URL:`.
    content: usize,
    /// Whether `URL:` follows the bracket.
    pub(super) is_url: bool,
    /// The texts that close it.
    closing: &'static [&'static [u8]],
}

/// The closing bracket itself.
const ANGLE: &[&[u8]] = &[b">"];
/// The closing bracket as HTML writes it in text.
const ENTITY: &[&[u8]] = &[b"&gt;", b"&#62;"];
/// The spellings of the opening entity.
const OPENING_ENTITIES: [&[u8]; 2] = [b"&lt;", b"&#60;"];

/// Returns the bracket that opens before the scheme at `start`, with only blanks, one line break
/// and `URL:` between; or with the first letters of the scheme before the break.
pub(super) fn opening(bytes: &[u8], start: usize, floor: usize) -> Option<Opening> {
    let floor = floor.max(start.saturating_sub(BRACKET_BACK_MAX));
    let (mut at, mut folded) = skip_blanks_left(bytes, start, floor);
    let mut content = start;
    if folded && bytes.get(at.wrapping_sub(1)).is_some_and(|b| scheme::is_scheme_byte(*b)) {
        content = scheme_left(bytes, at, floor)?;
        (at, folded) = (content, false);
        if !ends_with(bytes, floor, at, b"<") && !ends_with(bytes, floor, at, b":") {
            return None;
        }
    }
    let is_url = ends_with(bytes, floor, at, b"url:");
    if is_url {
        at = skip_blanks_left(bytes, at - 4, if folded { at - 4 } else { floor }).0;
    }
    let (bracket, closing) = bracket_before(bytes, at, floor)?;
    Some(Opening { bracket, content, is_url, closing })
}

/// Reports whether `before`, the text to the left of a colon, ends in `URL` after a bracket or a
/// blank.
pub(super) fn is_prefix(before: &[u8]) -> bool {
    let Some(left) = before.len().checked_sub(3) else { return false };
    ends_with(before, 0, before.len(), b"url")
        && matches!(before.get(..left).and_then(<[u8]>::last), Some(b'<' | b';' | b' ' | b'\t'))
}

/// Returns the offset of the URI whose `URL:` ends at `colon`.
pub(super) fn after_prefix(bytes: &[u8], colon: usize) -> usize {
    let rest = bytes.get(colon + 1..).unwrap_or_default();
    let blanks = rest.iter().take(BLANKS_MAX).take_while(|byte| byte.is_ascii_whitespace());
    colon + 1 + blanks.count()
}

/// Reports whether a call of [`opening`] may succeed: the text before `start` is no word.
///
/// Called for each trigger; nearly all are in prose or after a quotation mark.
pub(super) fn may_open(bytes: &[u8], start: usize, floor: usize) -> bool {
    let before = bytes.get(floor..start).unwrap_or_default();
    match before.last() {
        Some(b' ' | b'\t') => {
            let word = before.iter().rev().take(BLANKS_MAX).find(|byte| !is_blank(**byte));
            matches!(word, Some(b'<' | b':' | b';' | b'\n' | b'\r' | b'>' | b'|'))
        }
        last => matches!(last, Some(b'<' | b':' | b';' | b'\n' | b'\r')),
    }
}

fn bracket_before(
    bytes: &[u8],
    at: usize,
    floor: usize,
) -> Option<(usize, &'static [&'static [u8]])> {
    if ends_with(bytes, floor, at, b"<") {
        return Some((at - 1, ANGLE));
    }
    let entity = OPENING_ENTITIES.iter().find(|text| ends_with(bytes, floor, at, text))?;
    Some((at - entity.len(), ENTITY))
}

fn ends_with(bytes: &[u8], floor: usize, at: usize, text: &[u8]) -> bool {
    at.checked_sub(text.len())
        .filter(|from| *from >= floor)
        .and_then(|from| bytes.get(from..at))
        .is_some_and(|found| found.eq_ignore_ascii_case(text))
}

/// Skips blanks to the left of `at`, with at most one line break and the quote prefix after it.
/// Returns the offset after the rest, and whether a break was skipped.
fn skip_blanks_left(bytes: &[u8], at: usize, floor: usize) -> (usize, bool) {
    let floor = floor.max(at.saturating_sub(BLANKS_MAX));
    let line = spaces_left(bytes, at, floor, is_blank);
    let before = |at: usize| if at > floor { bytes.get(at - 1).copied() } else { None };
    let break_at = match before(line) {
        Some(b'\n' | b'\r') => line,
        // A quote prefix, if nothing else precedes it on its line.
        Some(b'>' | b'|') => {
            let prefix = spaces_left(bytes, line, floor, |byte| {
                is_blank(byte) || matches!(byte, b'>' | b'|')
            });
            match before(prefix) {
                Some(b'\n' | b'\r') => prefix,
                _ => return (line, false),
            }
        }
        _ => return (line, false),
    };
    let crlf = before(break_at) == Some(b'\n') && before(break_at - 1) == Some(b'\r');
    let after = break_at - if crlf { 2 } else { 1 };
    (spaces_left(bytes, after, floor, is_blank), true)
}

fn spaces_left(bytes: &[u8], at: usize, floor: usize, skips: impl Fn(u8) -> bool) -> usize {
    let before = bytes.get(floor..at).unwrap_or_default();
    at - before.iter().rev().take_while(|byte| skips(**byte)).count()
}

/// Returns the offset of the run of scheme bytes that ends before `at`.
pub(super) fn scheme_left(bytes: &[u8], at: usize, floor: usize) -> Option<usize> {
    let floor = floor.max(at.saturating_sub(scheme::SCHEME_LEN_MAX));
    let start = spaces_left(bytes, at, floor, scheme::is_scheme_byte);
    let start = start + usize::from(ends_escape(bytes, start + 1));
    (start < at).then_some(start)
}

/// Reports whether an escape sequence of ISO 2022 to US-ASCII, or to a set that hardly differs from
/// it, ends at `at` (RFC 1468), in text without a charset or with a wrong one. Its letter is no
/// part of the text.
pub(super) fn ends_escape(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(3).and_then(|start| bytes.get(start..at));
    matches!(before, Some([0x1B, b'(', b'B' | b'J' | b'H']))
}

/// The content between brackets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content {
    /// Offset of the first byte.
    pub(super) start: usize,
    /// Offset after the last byte that is not a blank.
    pub(super) end: usize,
    /// Offset after the closing bracket.
    pub(super) after: usize,
    /// Whether the text was joined in the buffer.
    pub(super) is_joined: bool,
}

/// Reads from `opening` to its closing bracket, and writes the text to `joined` if it is not one
/// run of bytes. `None` if nothing closes the bracket, or its content is no URI.
pub(super) fn content(bytes: &[u8], opening: Opening, joined: &mut Vec<u8>) -> Option<Content> {
    let start = opening.content;
    let limit = bytes.len().min(start.saturating_add(CANDIDATE_LEN_MAX));
    let text = bytes.get(start..limit)?;
    let len = run_len(text);
    let at = start + len;
    if let Some(after) = closes(bytes, at, opening.closing) {
        return Some(Content { start, end: at, after, is_joined: false });
    }
    let mut reading = Reading::new(bytes, opening, at, joined);
    let after = reading.read().ok()?;
    let end = reading.taken;
    let is_plausible = reading.pieces.are_plausible(reading.joined);
    is_plausible.then_some(Content { start, end, after, is_joined: true })
}

/// Returns the line break before which the bare URI at `span` ends, if a bracket opens before it,
/// and it is not joined with the next lines because they are too many or too long.
pub(super) fn cut_before(bytes: &[u8], span: Span) -> Option<char> {
    if !may_open(bytes, span.start, 0) {
        return None;
    }
    let opening = opening(bytes, span.start, 0)?;
    let rest = bytes.get(span.end..bytes.len().min(span.end + FOLDED_LEN_MAX))?;
    let rest = rest.get(run_len(rest)..)?;
    if !matches!(rest.get(blanks(rest))?, b'\n' | b'\r') {
        return None;
    }
    let mut joined = Vec::new();
    let mut reading = Reading::new(bytes, opening, span.end, &mut joined);
    let is_too_long = matches!(reading.read(), Err(Refused::Length));
    (is_too_long && reading.pieces.are_plausible(reading.joined)).then_some('\n')
}

/// Returns the end of the run of a URI's own bytes from `start`, if a bracket closes it there.
pub(super) fn simple_end(bytes: &[u8], start: usize) -> Option<usize> {
    let limit = bytes.len().min(start.saturating_add(CANDIDATE_LEN_MAX));
    let text = bytes.get(start..limit)?;
    let len = run_len(text);
    (text.get(len) == Some(&b'>')).then_some(start + len)
}

/// Bytes that interrupt a run of the URI's own bytes, and those outside US-ASCII.
static RUN_STOPS: Stops = Stops::new(ends_run());

const fn ends_run() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        table[byte as usize] = matches!(byte, 0..=b' ' | 0x7F | b'"' | b'<' | b'>' | b'\\' | b'&');
        byte += 1;
    }
    table
}

/// Returns the length of the run of the URI's own bytes at the beginning of `text`, which include
/// bytes outside US-ASCII.
fn run_len(text: &[u8]) -> usize {
    let mut len = 0;
    loop {
        let rest = text.get(len..).unwrap_or_default();
        len += RUN_STOPS.run_len(rest);
        match text.get(len) {
            Some(0x80..) => len += 1,
            _ => return len,
        }
    }
}

fn closes(bytes: &[u8], at: usize, closing: &[&[u8]]) -> Option<usize> {
    let rest = bytes.get(at..)?;
    closing.iter().find(|text| rest.starts_with(text)).map(|text| at + text.len())
}

/// Reads folded content.
struct Reading<'h, 'j> {
    bytes: &'h [u8],
    opening: Opening,
    at: usize,
    /// Offset after the last byte that was joined.
    taken: usize,
    joined: &'j mut Vec<u8>,
    lines: usize,
    pieces: Pieces,
    /// The prefix of the first line, once there is another.
    prefix: Option<Prefix<'h>>,
}

/// The reason why content is not joined.
enum Refused {
    /// It is other text.
    Text,
    /// It has too many lines or bytes.
    Length,
}

impl<'h, 'j> Reading<'h, 'j> {
    /// Begins with the run of bytes from the opening bracket to `at`.
    fn new(bytes: &'h [u8], opening: Opening, at: usize, joined: &'j mut Vec<u8>) -> Self {
        joined.clear();
        let (lines, pieces) = (1, Pieces::default());
        let mut reading =
            Self { bytes, opening, at, taken: at, joined, lines, pieces, prefix: None };
        reading.take_run(opening.content, at);
        reading
    }

    /// Reads up to the closing bracket, where `at` is left; returns the offset after the bracket.
    fn read(&mut self) -> Result<usize, Refused> {
        loop {
            if let Some(after) = closes(self.bytes, self.at, self.opening.closing) {
                return Ok(after);
            }
            self.step().ok_or(Refused::Text)?;
            let len = self.at - self.opening.content;
            let folded = self.lines > 1 || self.pieces.has_blank;
            let len_max = if folded { FOLDED_LEN_MAX } else { CANDIDATE_LEN_MAX };
            if len > len_max || self.lines > LINES_MAX {
                return Err(Refused::Length);
            }
        }
    }

    /// Reads a mark or a run of bytes.
    fn step(&mut self) -> Option<()> {
        match *self.bytes.get(self.at)? {
            b'\n' | b'\r' => self.next_line()?,
            b' ' | b'\t' => {
                self.at += 1;
                self.pieces.blank();
            }
            b'\\' => self.backslash()?,
            b'|' if self.is_border() => self.at += 1,
            0..=b' ' | 0x7F | b'"' | b'<' => return None,
            b'>' if self.opening.closing == ANGLE => return None,
            b'&' if self.opening.closing == ENTITY && self.opens() => return None,
            _ => self.run(),
        }
        Some(())
    }

    /// Reports whether the bar at `at` is the border of a table, or of a box: it ends its line, and
    /// another bar begins the next line.
    fn is_border(&self) -> bool {
        let (before, rest) = self.bytes.split_at_checked(self.at).unwrap_or_default();
        let rest = rest.get(1..rest.len().min(FOLDED_LEN_MAX)).unwrap_or_default();
        let rest = rest.get(blanks(rest)..).unwrap_or_default();
        let ([b'\r', b'\n', next @ ..] | [b'\r' | b'\n', next @ ..]) = rest else { return false };
        before.last().is_some_and(|byte| is_blank(*byte)) && next.get(blanks(next)) == Some(&b'|')
    }

    /// Reports whether another bracket opens at `at`, written as an entity.
    fn opens(&self) -> bool {
        OPENING_ENTITIES
            .iter()
            .any(|text| ends_with(self.bytes, self.at, self.at + text.len(), text))
    }

    /// Takes the run of the URI's own bytes at `at`, at least one byte.
    fn run(&mut self) {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        let rest = rest.get(..rest.len().min(CANDIDATE_LEN_MAX)).unwrap_or_default();
        let len = 1 + run_len(rest);
        self.take_run(self.at, self.at + len);
        self.at += len;
    }

    fn take_run(&mut self, start: usize, end: usize) {
        let text = self.bytes.get(start..end).unwrap_or_default();
        self.pieces.word(self.joined, text);
        self.joined.extend_from_slice(text);
        self.taken = end;
    }

    /// Handles a backslash: it continues a line, or precedes the closing bracket, as some writers
    /// escape it. Anywhere else it is kept, and the grammar reports it.
    fn backslash(&mut self) -> Option<()> {
        let next = *self.bytes.get(self.at + 1)?;
        if !matches!(next, b'\n' | b'\r' | b'>') {
            self.run();
            return Some(());
        }
        self.at += 1;
        Some(())
    }

    /// Skips a line break and the quote prefix after it.
    fn next_line(&mut self) -> Option<()> {
        self.at += if self.bytes.get(self.at..)?.starts_with(b"\r\n") { 2 } else { 1 };
        self.lines += 1;
        self.pieces.line_break();
        let (bytes, bracket) = (self.bytes, self.opening.bracket);
        let prefix = *self.prefix.get_or_insert_with(|| Prefix::of_line(bytes, bracket));
        self.at += prefix.len_on(self.bytes, self.at)?;
        let rest = self.bytes.get(self.at..)?;
        let is_empty = rest.get(blanks(rest)).is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
        (!is_empty).then_some(())
    }
}

/// The words into which blanks and breaks divide the content, as offsets in the joined text.
#[derive(Default)]
struct Pieces {
    starts: Vec<usize>,
    gap: Gap,
    /// The separator before the last word.
    last: Gap,
    /// Whether a blank was between two words of one line.
    has_blank: bool,
    /// Whether another URI began after a blank or a line break.
    has_second: bool,
    /// Whether a word after a blank is a label of the link, or a blank is one of its bytes.
    has_label: bool,
}

/// The separator between the last word and the next.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Gap {
    #[default]
    None,
    Blank,
    Line,
}

impl Pieces {
    fn blank(&mut self) {
        if self.gap == Gap::None {
            self.gap = Gap::Blank;
        }
    }

    fn line_break(&mut self) {
        self.gap = Gap::Line;
    }

    /// Records the next word, `text`, which follows the text joined before.
    fn word(&mut self, before: &[u8], text: &[u8]) {
        let joined = before.len();
        let gap = std::mem::take(&mut self.gap);
        if joined == 0 || gap == Gap::None {
            return;
        }
        // A URI may contain another one after a path, a query or their encoded delimiters.
        let expects_uri = gap == Gap::Line
            && matches!(before, [.., b'/' | b'?' | b'=' | b':'] | [.., b'3', b'D' | b'd']);
        self.starts.push(joined);
        self.last = gap;
        self.has_blank |= gap == Gap::Blank;
        self.has_second |= extent::begins_uri(text, 0) && !expects_uri;
        self.has_label |=
            gap == Gap::Blank && (is_label(before, text) || holds_blank(before, text));
    }

    /// Reports whether the words may form a URI. One word a line is a URI that was wrapped, unless
    /// a second URI begins in it. Words with blanks between are prose, unless the first is the
    /// scheme alone, or each has a byte that words of prose lack, or is before such a byte, and the
    /// whole could be a URI.
    fn are_plausible(&self, joined: &[u8]) -> bool {
        if self.has_second || self.has_label || !self.has_blank {
            return !self.has_second && !self.has_label;
        }
        let mut from = 0;
        let telling = self.starts.iter().all(|&end| {
            let piece = joined.get(from..end).unwrap_or_default();
            let is_scheme = from == 0 && piece.ends_with(b":");
            from = end;
            is_scheme || extent::tells(piece) || joined.get(end).is_some_and(extent::begins_part)
        });
        let is_scheme = self.starts.len() == 1 && joined.get(..from).is_some_and(ends_scheme);
        let last = joined.get(from..).unwrap_or_default();
        let ends = self.last != Gap::Blank || is_scheme || extent::tells(last);
        telling && ends && could_be_uri(joined)
    }
}

/// Reports whether `text`, a link in brackets as it is written, has a blank between two words of
/// its only line. White space is ignored because long links are broken over lines (RFC 3986
/// Appendix C); within a line, a blank may as well end the link. After a colon, `http: //`, it
/// cannot.
#[must_use]
pub fn joins_words(text: &[u8]) -> bool {
    let is_one_line = memchr::memchr2(b'\n', b'\r', text).is_none();
    let mut words = text.split(|byte| is_blank(*byte)).filter(|word| !word.is_empty());
    let joins = |word: &[u8]| !ends_scheme(word);
    words.next_back().is_some() && is_one_line && words.any(joins)
}

fn ends_scheme(text: &[u8]) -> bool {
    text.ends_with(b":")
}

/// Reports whether `text`, after a blank and `uri` before that, is a label of the link: a remark in
/// brackets or apostrophes, a word after a whole host, `<http://h.example text>`, or a host of its
/// own, `<http://h.example/a www.h.example>`.
fn is_label(uri: &[u8], text: &[u8]) -> bool {
    let authority = memchr::memmem::find(uri, b"://").and_then(|at| uri.get(at + 3..));
    let host = authority.map(|text| {
        let end = memchr::memchr3(b'/', b'?', b'#', text).unwrap_or(text.len());
        text.get(..end).unwrap_or_default()
    });
    let is_host = authority == host && host.is_some_and(ends_in_name);
    let begins_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80;
    let is_www = text.get(..4).is_some_and(|begin| begin.eq_ignore_ascii_case(b"www."));
    let is_same = host.is_some_and(|host| !host.is_empty() && text.eq_ignore_ascii_case(host));
    matches!(text.first(), Some(b'(' | b'\''))
        || is_www
        || is_same
        || is_host && text.first().is_some_and(begins_name)
}

fn ends_in_name(host: &[u8]) -> bool {
    host.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// Reports whether a blank between `uri` and `text`, on one line, is likely to be a byte of the
/// link that its writer did not encode: in the name of a file, or in the value of a parameter.
fn holds_blank(uri: &[u8], text: &[u8]) -> bool {
    let is_file =
        uri.len() > 5 && uri.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"file:"));
    let is_next = uri.ends_with(b"&") || text.first().is_some_and(extent::begins_part);
    is_file || !is_next && memchr::memchr(b'?', uri).is_some()
}

/// Reports whether `text` has no byte that no URI holds.
fn could_be_uri(text: &[u8]) -> bool {
    let fragments = memchr::memchr_iter(b'#', text).count();
    fragments < 2
        && !text.iter().any(|byte| matches!(byte, b'{' | b'}' | b'|' | b'\\' | b'^' | b'`'))
}

#[cfg(test)]
mod tests {
    use super::{LINES_MAX, Span, joins_words};
    use crate::scan::{Scanner, Wrap, cut_before};

    /// Returns the first candidate of `text`, and whether it was cut at the end of its line.
    #[track_caller]
    fn first(text: &str) -> (Wrap, String, bool) {
        let mut scanner = Scanner::new(text.as_bytes());
        let found = scanner.next().unwrap();
        let (wrap, Span { start, end }) = (found.wrap, found.span);
        let is_cut = cut_before(text.as_bytes(), Span::new(start, end)) == Some('\n');
        (wrap, String::from_utf8_lossy(found.text).into_owned(), is_cut && wrap == Wrap::Bare)
    }

    /// Folds `text` in brackets, with `mark` before each line and `width` bytes in it.
    fn folded(text: &str, mark: &str, width: usize) -> String {
        let lines: Vec<&str> =
            text.as_bytes().chunks(width).map(|line| str::from_utf8(line).unwrap()).collect();
        format!("{mark}see <{}> and\n", lines.join(&format!("\n{mark}")))
    }

    #[test]
    fn a_long_link_is_joined_in_narrow_lines_or_warns() {
        let host = "https://fra01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fh.example%2F";
        for (len, width, mark) in
            [(500, 40, ""), (700, 60, ""), (700, 76, "> "), (2048, 40, ""), (2048, 60, "> > ")]
        {
            let link = format!("{host}{}", "ab%3Dc".repeat(len))[..len].to_owned();
            let wanted = (Wrap::Angle, link.clone(), false);
            assert_eq!(first(&folded(&link, mark, width)), wanted, "{len} {width}");
        }
        for (len, width) in [(LINES_MAX * 21, 20), (5000, 60), (5000, 67), (5000, 68), (5000, 2000)]
        {
            let link = format!("{host}{}", "ab%3Dc".repeat(len))[..len].to_owned();
            let (wrap, _, is_cut) = first(&folded(&link, "", width));
            assert_eq!((wrap, is_cut), (Wrap::Bare, true), "{len} {width}");
        }
        let prose = format!("see <http://h.example/a\n{}>", "some words of a text\n".repeat(300));
        assert_eq!(first(&prose), (Wrap::Bare, "http://h.example/a".to_owned(), false));
    }

    #[test]
    fn a_blank_within_a_line_is_doubtful() {
        for (text, expected) in [
            ("http://h/a", false),
            ("http://h/a b.html c.html", true),
            ("http://h/ b/c", true),
            ("http://h/a\n  b/c", false),
            ("http: //h/a", false),
            ("http: //h/a /b", true),
            ("http://h/a\t/b", true),
        ] {
            assert_eq!(joins_words(text.as_bytes()), expected, "{text}");
        }
    }
}
