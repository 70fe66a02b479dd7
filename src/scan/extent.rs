//! Where a URI ends that stands bare in text.
//!
//! The grammars cannot say: nearly every mark that closes a sentence is legal in a URI. The
//! rules are those that readers use: bytes that no URI holds end it, an unbalanced `)` ends
//! it, punctuation that comes last does not belong to it. Nothing crosses a line.
//! Square brackets are no URI's, but programs write them all the same (`brackets`); bars where
//! quotes stand around, circumflexes within a word, and a second `#`, as addresses of pages have
//! it that keep their place behind one. The grammars tell of it. Where a URI ends before a byte
//! that browsers take, `cut` tells.

use std::ops::RangeInclusive;

use super::backslash;
use super::limits::{CANDIDATE_LEN_MAX, LOOKBACK_MAX};
use super::simd::Stops;
use super::unicode::{self, Role};
use crate::scheme;
use crate::span::{Span, last_line};

mod brackets;
mod cut;
mod emphasis;
mod host;

use host::Host;

pub use cut::cut_before;
pub(super) use host::known_ending;

/// What a byte does to a bare URI, by [`ROLES`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Byte {
    /// Goes on.
    Plain,
    /// Ends it: controls, blanks, and what no URI holds unescaped.
    Stop,
    /// Round brackets are counted.
    Open,
    Close,
    /// Comma and semicolon may separate URIs.
    List,
    /// May begin a character reference of HTML.
    Ampersand,
    /// Begins the fragment, and is in it where no URI begins behind it.
    Hash,
    /// Ends it when one stands before it.
    Apostrophe,
    /// Ends it with a slash behind, in a comment; two of them end what two of them begin.
    Star,
    /// Two of them end what two of them begin.
    Tilde,
    /// Beyond US-ASCII.
    High,
    /// `/` and `?` end the authority.
    Slash,
    /// `:` and `@` divide the authority.
    Divider,
}

static ROLES: [Byte; 256] = roles();

const fn roles() -> [Byte; 256] {
    let mut table = [Byte::High; 256];
    let mut byte = 0;
    while byte < 0x80 {
        table[byte as usize] = match byte {
            0..=b' ' | 0x7F | b'"' | b'<' | b'>' | b'[' | b'\\' | b']' | b'^' => Byte::Stop,
            b'`' | b'{' | b'|' | b'}' => Byte::Stop,
            b'(' => Byte::Open,
            b')' => Byte::Close,
            b',' | b';' => Byte::List,
            b'&' => Byte::Ampersand,
            b'#' => Byte::Hash,
            b'\'' => Byte::Apostrophe,
            b'*' => Byte::Star,
            b'~' => Byte::Tilde,
            b'/' | b'?' => Byte::Slash,
            b':' | b'@' => Byte::Divider,
            _ => Byte::Plain,
        };
        byte += 1;
    }
    table
}

/// Bytes of the authority that must be looked at.
static AUTHORITY_STOPS: Stops = stops_but(&[Byte::Plain]);
/// Bytes behind the authority that must be looked at.
static PATH_STOPS: Stops = stops_but(&[Byte::Plain, Byte::Slash, Byte::Divider]);

/// All bytes but those of the roles `passed`.
const fn stops_but(passed: &[Byte]) -> Stops {
    let mut has = [true; 256];
    let roles = roles();
    let mut byte = 0;
    while byte < 256 {
        let mut idx = 0;
        while idx < passed.len() {
            if roles[byte] as u8 == passed[idx] as u8 {
                has[byte] = false;
            }
            idx += 1;
        }
        byte += 1;
    }
    Stops::new(has)
}

/// The end of a bare URI.
pub(super) struct Extent {
    /// Offset behind its last byte.
    pub(super) end: usize,
    /// True when it was cut at [`CANDIDATE_LEN_MAX`].
    pub(super) is_cut: bool,
    /// True when it ended before an escape that may be its own, or before punctuation before one.
    pub(super) is_escaped: bool,
    /// True when marks in it stand behind backslashes that are none of it.
    pub(super) has_marks: bool,
}

/// Walks from behind the scheme to where nothing of the URI can follow.
struct Walk<'h> {
    /// What may be looked at.
    bytes: &'h [u8],
    /// The scheme's name and its colon, if it is one of `LISTED`; else nothing.
    name: &'h [u8],
    start: usize,
    at: usize,
    open: usize,
    fragment: bool,
    /// True when a query begins before `asked`.
    has_query: bool,
    asked: usize,
    /// True when an apostrophe stands before the URI, so that the next one ends it.
    quoted: bool,
    /// The first apostrophe of the host.
    apostrophe: Option<usize>,
    /// True when the URI stands in a comment; nothing before that was asked.
    is_in_comment: Option<bool>,
    /// True when the text around the URI is strong, or struck through; nothing before that was
    /// asked.
    is_strong: Option<bool>,
    is_struck: Option<bool>,
    /// True when a quote ends what a quote right before the URI begins, and nothing ends that
    /// before; nothing before that was asked.
    is_in_quotes: Option<bool>,
    /// True when something follows the authority.
    has_path: bool,
    /// True where marks behind backslashes may stand for themselves.
    takes_marks: bool,
    /// The first one of them.
    first_mark: Option<usize>,
    /// True for a file, whose path may be one of Windows.
    is_file: bool,
    /// True when it is; nothing before the first backslash was asked.
    is_windows: Option<bool>,
}

/// Where the URI ends that begins at `start`, with its authority at `authority`.
pub(super) fn hierarchical(bytes: &[u8], start: usize, authority: usize) -> Extent {
    Walk::new(bytes, start, authority).hierarchical(start, authority)
}

/// The same in text where a mark behind a backslash may stand for itself.
pub(super) fn hierarchical_with_marks(bytes: &[u8], start: usize, authority: usize) -> Extent {
    let walk = Walk { takes_marks: true, ..Walk::new(bytes, start, authority) };
    walk.hierarchical(start, authority)
}

/// False when nothing at `at` could name a host, told without walking to the end of the URI:
/// a candidate that is refused after a long walk would be walked again from its next colon.
pub(super) fn may_name_host(bytes: &[u8], at: usize) -> bool {
    /// A host has at most 255 bytes (RFC 1034 §3.1).
    const NEAR: usize = 256;
    let rest = bytes.get(at..).unwrap_or_default();
    let ends = |byte: &&u8| matches!(byte, b'/' | b'?' | b'#');
    if rest.first().is_some_and(|byte| ends(&byte)) {
        return rest.len() > 1;
    }
    let telling = |byte: &u8| byte.is_ascii_alphanumeric() || *byte > 0x7F || *byte == b'[';
    rest.iter().take(NEAR).take_while(|byte| !ends(byte)).any(telling)
}

/// Where the URI ends that begins at `start`, with nothing but a path from `rest` on.
pub(super) fn opaque(bytes: &[u8], start: usize, rest: usize) -> Extent {
    let mut walk = Walk::new(bytes, start, rest);
    let name = walk.bytes.get(start..rest).unwrap_or_default();
    if LISTED.iter().any(|listed| listed.eq_ignore_ascii_case(name)) {
        walk.name = name;
    }
    walk.rest();
    walk.finish(start, rest)
}

impl<'h> Walk<'h> {
    fn hierarchical(mut self, start: usize, authority: usize) -> Extent {
        let name: &'h [u8] = self.bytes.get(start..authority).unwrap_or_default();
        self.is_file = name.eq_ignore_ascii_case(b"file://");
        let colon = self.authority();
        // The colon of a drive, `file://C:\a`, is none before a port.
        let is_drive = |colon: &usize| self.is_file && self.bytes.get(colon + 1) == Some(&b'\\');
        let colon = colon.filter(|colon| !is_drive(colon));
        self.has_path = matches!(self.bytes.get(self.at), Some(b'/' | b'?' | b'#'));
        let (host_end, end) = (colon.unwrap_or(self.at), self.at);
        let port = || host::bad_port(self.bytes, colon?, end);
        let host = Host { name, start: authority, end: host_end, apostrophe: self.apostrophe };
        let text_begins = host.text(self.bytes, end);
        match text_begins.or_else(|| host.word(self.bytes)).or_else(port) {
            Some(end) => self.at = end,
            None => self.rest(),
        }
        let extent = self.finish(start, authority);
        match host.without_root(self.bytes, extent.end) {
            Some(end) => Extent { end, ..extent },
            None => extent,
        }
    }

    fn new(bytes: &'h [u8], start: usize, at: usize) -> Self {
        // One character more than may be taken, to see whether the text goes on.
        let limit = bytes.len().min(start.saturating_add(CANDIDATE_LEN_MAX + 4));
        let limit = delimiter_at(bytes, start, limit).unwrap_or(limit);
        let bytes = bytes.get(..limit).unwrap_or_default();
        let quoted = start.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'\'');
        Self {
            bytes,
            name: b"",
            start,
            at,
            open: 0,
            fragment: false,
            has_query: false,
            asked: start,
            quoted,
            apostrophe: None,
            is_in_comment: None,
            is_strong: None,
            is_struck: None,
            is_in_quotes: None,
            has_path: false,
            takes_marks: false,
            first_mark: None,
            is_file: false,
            is_windows: None,
        }
    }

    /// Stops at the byte that ends the authority or the URI; gives the colon behind the
    /// host, if there is one.
    fn authority(&mut self) -> Option<usize> {
        let start = self.at;
        let mut colon = None;
        loop {
            self.skip(&AUTHORITY_STOPS);
            let Some(&byte) = self.bytes.get(self.at) else { return colon };
            let role = ROLES[usize::from(byte)];
            if matches!(role, Byte::Slash | Byte::Hash) {
                return colon;
            }
            if role == Byte::Divider {
                if byte == b':' {
                    colon = colon.or(Some(self.at));
                } else {
                    (colon, self.apostrophe) = (None, None);
                }
                self.at += 1;
            } else if role == Byte::Stop {
                if byte == b'\\' && self.pass_backslash() {
                    continue;
                }
                let Some(behind) = host::ip_literal(self.bytes, start, self.at) else {
                    return colon;
                };
                (colon, self.at) = (None, behind);
            } else if !self.pass(role) {
                return colon;
            } else if role == Byte::Apostrophe {
                self.apostrophe = self.apostrophe.or(Some(self.at - 1));
            }
        }
    }

    /// Stops at the byte that ends the URI.
    fn rest(&mut self) {
        loop {
            self.skip(&PATH_STOPS);
            let Some(&byte) = self.bytes.get(self.at) else { return };
            let role = ROLES[usize::from(byte)];
            let goes_on = match byte {
                b'|' => self.pass_drive_bar() || self.pass_in_quotes() || self.pass_bar(),
                b'^' => self.pass_in_quotes() || self.pass_circumflex(),
                b'\'' => self.pass_apostrophe() || self.pass(role),
                b'\\' => self.pass_backslash() || self.pass_apostrophe() || self.pass_mark(),
                b'[' => self.pass_brackets(),
                _ => self.pass(role),
            };
            if !goes_on {
                return;
            }
        }
    }

    fn pass_drive_bar(&mut self) -> bool {
        let is_one = is_drive_bar(self.bytes, self.at);
        self.at += usize::from(is_one);
        is_one
    }

    /// Steps over a mark that is the URI's own where that fills all of a string: text around it
    /// has bars, too. A pattern has them between URIs.
    fn pass_in_quotes(&mut self) -> bool {
        let is_own = self.has_path
            && !begins_uri(self.bytes, self.at + 1)
            && *self
                .is_in_quotes
                .get_or_insert_with(|| quotes_end(self.bytes, self.start, self.at));
        self.at += usize::from(is_own);
        is_own
    }

    /// Steps over a circumflex within a word: a query for a pattern, `?q=repo:^services&page=2`.
    /// Text has none there, while bars divide its tables, and braces and backticks are of code.
    fn pass_circumflex(&mut self) -> bool {
        let is_own = self.has_path
            && self.bytes.get(self.at + 1).is_some_and(|next| goes_on_with(*next))
            && !begins_uri(self.bytes, self.at + 1);
        self.at += usize::from(is_own);
        is_own
    }

    /// Steps over bars in a query that goes on behind them with a parameter, `?a=1||b=2`, on a line
    /// where none divides columns or fields before the URI.
    fn pass_bar(&mut self) -> bool {
        if !self.is_in_query() {
            return false;
        }
        let len = cut::query_bars(self.bytes, self.start, self.at).unwrap_or_default();
        self.at += len;
        len > 0
    }

    /// Steps over a backslash in the path of a file of Windows, before a name or another one.
    fn pass_backslash(&mut self) -> bool {
        let next = self.bytes.get(self.at + 1);
        let begins = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80;
        let is_own = self.is_file
            && next.is_some_and(|byte| begins(byte) || matches!(byte, b'\\' | b'_' | b'.' | b'$'))
            && *self.is_windows.get_or_insert_with(|| is_windows(self.bytes, self.start, self.at));
        self.at += usize::from(is_own);
        is_own
    }

    /// Steps over an apostrophe that is the URI's own, though it fills a string between two of
    /// them: SQL and YAML double it, `'http://h/it''s'`, others have a backslash before it.
    fn pass_apostrophe(&mut self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let before = self.start.checked_sub(2).and_then(|at| self.bytes.get(at));
        // More than one before it are emphasis of a wiki.
        let is_string = self.quoted && self.takes_marks && !self.is_file && before != Some(&b'\'');
        let is_own = is_string
            && self.has_path
            && backslash::is_apostrophe(rest)
            && !begins_uri(self.bytes, self.at + 2);
        if is_own {
            self.first_mark = self.first_mark.or(Some(self.at));
            self.at += 2;
        }
        is_own
    }

    /// Steps over a mark behind a backslash, where something follows the authority: a dot in that
    /// is one of a regular expression, of which `check` is told. So is one behind what is repeated.
    fn pass_mark(&mut self) -> bool {
        let (before, rest) = self.bytes.split_at(self.at);
        let takes_marks = self.takes_marks && !self.is_file;
        let Some(mark) = backslash::mark(rest).filter(|_| takes_marks) else { return false };
        let is_repeated = mark == b'.' && matches!(before.last(), Some(b'*' | b'+' | b')' | b'?'));
        let is_own = match mark {
            b'?' | b'#' => true,
            b')' => self.has_path && self.open > 0,
            _ => self.has_path && !is_repeated,
        };
        if is_own {
            self.first_mark = self.first_mark.or(Some(self.at));
            self.has_path = true;
            self.fragment |= mark == b'#';
            self.open += usize::from(mark == b'(');
            self.open -= usize::from(mark == b')');
            self.at += 2;
        }
        is_own
    }

    /// True in the query of the URI, which begins before `at`.
    fn is_in_query(&mut self) -> bool {
        let new = self.bytes.get(self.asked..self.at).unwrap_or_default();
        self.has_query = self.has_query || memchr::memchr(b'?', new).is_some();
        self.asked = self.at;
        self.has_query && !self.fragment
    }

    /// Steps over square brackets of a query or within a word; false where they are the text's.
    fn pass_brackets(&mut self) -> bool {
        let of_query = if self.is_in_query() { brackets::len(self.bytes, self.at) } else { None };
        let in_word = || brackets::len_in_word(self.bytes, self.at).filter(|_| self.has_path);
        let len = of_query.or_else(in_word);
        self.at += len.unwrap_or_default();
        len.is_some()
    }

    fn skip(&mut self, stops: &Stops) {
        self.at += stops.run_len(self.bytes.get(self.at..).unwrap_or_default());
    }

    /// Steps over a byte that goes on under conditions; false when they do not hold.
    fn pass(&mut self, role: Byte) -> bool {
        let mut len = 1;
        let goes_on = match role {
            Byte::Open if self.ends_underlined() => false,
            Byte::Open => {
                self.open += 1;
                true
            }
            Byte::Close => self.open.checked_sub(1).map(|left| self.open = left).is_some(),
            Byte::List => !begins_uri(self.bytes, self.at + 1) && !self.divides_list(),
            Byte::Ampersand => !begins_delimiter(self.bytes, self.at) && !self.begins_command(),
            Byte::Hash => {
                let is_second = std::mem::replace(&mut self.fragment, true);
                !is_second || !begins_uri(self.bytes, self.at + 1)
            }
            Byte::Apostrophe => !self.quoted,
            Byte::Star => !self.ends_comment() && !self.ends_marked(b'*'),
            Byte::Tilde => !self.ends_marked(b'~'),
            Byte::High => match unicode::char_at(self.bytes, self.at) {
                Some('\u{B7}') => {
                    len = 2;
                    self.is_between_ls()
                }
                Some(character) if unicode::role(character) != Role::Ends => {
                    len = character.len_utf8();
                    true
                }
                _ => false,
            },
            Byte::Plain | Byte::Slash | Byte::Divider => true,
            Byte::Stop => false,
        };
        if goes_on {
            self.at += len;
        }
        goes_on
    }

    /// True when the scheme stands behind the byte at `at` once more: `mailto:a@b,mailto:c@d`, as
    /// records of DMARC have it (RFC 7489 §6.3).
    fn divides_list(&self) -> bool {
        let behind = self.at + 1;
        let name = self.bytes.get(behind..behind + self.name.len()).unwrap_or_default();
        !name.is_empty() && name.eq_ignore_ascii_case(self.name)
    }

    /// True when two ampersands stand there, behind which a shell goes on. In a query somebody may
    /// have left out a parameter between them.
    fn begins_command(&mut self) -> bool {
        self.bytes.get(self.at + 1) == Some(&b'&') && !self.fragment && !self.is_in_query()
    }

    /// True when a star and a slash that come next end the comment around the URI. In one that only
    /// goes on on its line, nothing else of a word follows.
    fn ends_comment(&mut self) -> bool {
        let before = self.bytes.get(..self.start).unwrap_or_default();
        let Some([b'*', b'/', behind @ ..]) = self.bytes.get(self.at..) else { return false };
        let is_last = behind.first().is_none_or(u8::is_ascii_whitespace);
        *self.is_in_comment.get_or_insert_with(|| opens_comment(before))
            || is_last && goes_on_with_comment(before)
    }

    /// True when two marks that come next end what two of them begin before the URI on its line:
    /// `**see http://h/a**(text)`. Before a slash they are of a pattern, `**/`.
    fn ends_marked(&mut self, mark: u8) -> bool {
        let Some([first, second, behind @ ..]) = self.bytes.get(self.at..) else { return false };
        if (*first, *second) != (mark, mark) || behind.first() == Some(&b'/') {
            return false;
        }
        let (bytes, start) = (self.bytes, self.start);
        let is_open = if mark == b'*' { &mut self.is_strong } else { &mut self.is_struck };
        *is_open.get_or_insert_with(|| emphasis::is_open(bytes, start, mark, 2))
    }

    /// True when the bracket that comes next opens behind what two underscores end, which begins
    /// before the URI on its line.
    fn ends_underlined(&self) -> bool {
        let before = self.bytes.get(self.start..self.at).unwrap_or_default();
        before.ends_with(b"__") && emphasis::is_open(self.bytes, self.start, b'_', 2)
    }

    /// The middle dot is a letter of Catalan between two l's, a separator elsewhere
    /// (RFC 5892 Appendix A.3).
    fn is_between_ls(&self) -> bool {
        let is_l = |at: Option<usize>| {
            at.and_then(|at| self.bytes.get(at)).is_some_and(|byte| byte | 0x20 == b'l')
        };
        is_l(self.at.checked_sub(1)) && is_l(Some(self.at + 2))
    }

    fn finish(&self, start: usize, rest: usize) -> Extent {
        let most = start.saturating_add(CANDIDATE_LEN_MAX);
        if self.at <= most {
            let behind = self.bytes.get(self.at..).unwrap_or_default();
            // A class of letters: all of it is a regular expression.
            let is_class = matches!(behind, [b'\\', letter, ..] if letter.is_ascii_alphabetic());
            let is_of_pattern = |mark: &usize| is_class && self.bytes.get(*mark) == Some(&b'\\');
            let at = self.first_mark.filter(is_of_pattern).unwrap_or(self.at);
            let at = emphasis::end(self.bytes, start, Span::new(rest, at)).unwrap_or(at);
            let end = trim(self.bytes, start, rest, at);
            let has_marks = self.first_mark.is_some_and(|mark| mark < end);
            let is_escaped = !self.is_file && backslash::begins(behind);
            return Extent { end, is_cut: false, is_escaped, has_marks };
        }
        let is_inside = |at: &usize| self.bytes.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
        let end = (rest..=most).rev().find(|at| !is_inside(at)).unwrap_or(most);
        let has_marks = self.first_mark.is_some_and(|mark| mark < end);
        Extent { end, is_cut: true, is_escaped: false, has_marks }
    }
}

/// Schemes and their colons whose URIs people put into lists without blanks. In `data:` and others
/// a comma means something.
const LISTED: [&[u8]; 4] = [b"mailto:", b"sip:", b"sips:", b"tel:"];

/// Commands of TeX that print what stands between a mark of the writer's choice and the next such,
/// and the marks among those that a URI may hold.
const COMMANDS: [(&[u8], &[u8]); 4] =
    [(b"\\verb", b"+!=~$#"), (b"\\lstinline", b"+!=~$#"), (b"\\url", b"+!"), (b"\\path", b"+!")];

/// True behind such a command, where its first mark is to stand.
pub(super) fn is_command(before: &[u8]) -> bool {
    COMMANDS.iter().any(|(name, _)| before.ends_with(name))
}

/// Where the mark stands before `limit` that ends what such a command prints, if one stands right
/// before `start`: `\verb+http://h/+`.
fn delimiter_at(bytes: &[u8], start: usize, limit: usize) -> Option<usize> {
    let (mark, before) = bytes.get(..start)?.split_last()?;
    COMMANDS.iter().find(|(name, marks)| marks.contains(mark) && before.ends_with(name))?;
    Some(start + memchr::memchr(*mark, bytes.get(start..limit)?)?)
}

/// True when the bar at `at` stands for the colon of a drive letter: `file:///C|/x`, `file:C|/x`
/// (RFC 8089 Appendix E.2.2).
fn is_drive_bar(bytes: &[u8], at: usize) -> bool {
    /// `file:`, at most three slashes, and the letter.
    const BEFORE: usize = 9;
    if bytes.get(at) != Some(&b'|') {
        return false;
    }
    let before = bytes.get(at.saturating_sub(BEFORE)..at).unwrap_or_default();
    let Some((letter, slashes)) = before.split_last() else { return false };
    let count = slashes.iter().rev().take_while(|byte| **byte == b'/').count();
    let trimmed = slashes.get(..slashes.len() - count).unwrap_or_default();
    letter.is_ascii_alphabetic()
        && trimmed.len() >= 5
        && trimmed.get(trimmed.len() - 5..).is_some_and(|name| name.eq_ignore_ascii_case(b"file:"))
}

/// True when a URI of a known scheme with an authority begins at `at`.
pub(super) fn begins_uri(bytes: &[u8], at: usize) -> bool {
    let rest = bytes.get(at..bytes.len().min(at + scheme::SCHEME_LEN_MAX + 3)).unwrap_or_default();
    let len = rest.iter().take_while(|byte| scheme::is_scheme_byte(**byte)).count();
    rest.get(len..).is_some_and(|behind| behind.starts_with(b"://"))
        && rest.get(..len).is_some_and(|name| scheme::find(name).is_some())
}

/// Character references of HTML for what delimits a URI in text.
const DELIMITERS: [&[u8]; 14] = [
    b"&lt;", b"&gt;", b"&quot;", b"&nbsp;", b"&apos;", b"&#60;", b"&#62;", b"&#34;", b"&#39;",
    b"&#160;", b"&#x3c;", b"&#x3e;", b"&#x22;", b"&#x27;",
];

/// True when a reference to a delimiter begins at `at`. `&amp;` is none: it is how HTML
/// writes the `&` of a query.
fn begins_delimiter(bytes: &[u8], at: usize) -> bool {
    DELIMITERS.iter().any(|reference| {
        bytes.get(at..at + reference.len()).is_some_and(|text| text.eq_ignore_ascii_case(reference))
    })
}

/// True when a byte behind one that is no URI's shows that a word goes on there.
const fn goes_on_with(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'%' | b'_' | b'/' | b'=' | b'&' | b'-' | b'~')
}

/// The end without the punctuation that belongs to the text around.
fn trim(bytes: &[u8], start: usize, rest: usize, end: usize) -> usize {
    let mut end = before_tag(bytes, rest, end);
    let mut mirrored = emphasis::opening(bytes, start);
    let mut may_close = true;
    let mut hash = None;
    while end > rest {
        let last = bytes.get(end - 1).copied().unwrap_or_default();
        let len = match last {
            b';' => reference_len(bytes, rest, end),
            b'%' | b'(' => 1,
            b'#' => {
                let find = || memchr::memchr(b'#', bytes.get(rest..end).unwrap_or_default());
                let first = *hash.get_or_insert_with(find);
                usize::from(first.is_some_and(|first| rest + first < end - 1))
            }
            b'\'' if closes_quote(bytes, Span::new(rest, end - 1)) => 0,
            mark if is_closing(mark) => 1,
            0x80.. => match unicode::char_before(bytes, end) {
                Some(character) if unicode::role(character) == Role::Trails => character.len_utf8(),
                _ => 0,
            },
            _ if mirrored.is_some_and(|(mark, left)| mark == last && left > 0) => {
                mirrored = mirrored.map(|(mark, left)| (mark, left - 1));
                1
            }
            b'_' | b'~' | b'=' if may_close => {
                may_close = false;
                emphasis::closing_len(bytes, start, Span::new(rest, end)).unwrap_or_default()
            }
            _ => 0,
        };
        if len == 0 {
            break;
        }
        end -= len;
        // The backslash before it is none of the URI's either.
        let is_escaped = end > rest && bytes.get(end - 1) == Some(&b'\\');
        end -= usize::from(is_escaped);
    }
    end
}

/// True when an apostrophe behind `span` is the mate of one in it: `/a'b'`.
fn closes_quote(bytes: &[u8], span: Span) -> bool {
    memchr::memchr_iter(b'\'', span.of(bytes)).count() % 2 == 1
}

/// True when the first backslash of the file at `start` stands at `at` and is one of Windows:
/// behind a drive, `file:///C:\a`, or before the name of a host, `file://\\host\a`. Elsewhere it
/// is an escape.
fn is_windows(bytes: &[u8], start: usize, at: usize) -> bool {
    /// As many as a string needs for two.
    const BACKSLASHES: RangeInclusive<usize> = 2..=4;
    let before = bytes.get(start..at).unwrap_or_default();
    if let [.., b'/', drive, b':' | b'|'] = before {
        return drive.is_ascii_alphabetic();
    }
    let behind = bytes.get(at..).unwrap_or_default();
    let count =
        behind.iter().take(BACKSLASHES.end() + 1).take_while(|byte| **byte == b'\\').count();
    let is_host = behind.get(count).is_some_and(u8::is_ascii_alphabetic);
    let slashes = before.get(b"file:".len()..).unwrap_or_default();
    slashes.iter().all(|byte| *byte == b'/') && BACKSLASHES.contains(&count) && is_host
}

/// True when what a quote before `start` begins ends in such a quote, and nothing stands between
/// `at` and that which ends any URI.
fn quotes_end(bytes: &[u8], start: usize, at: usize) -> bool {
    let quote = start.checked_sub(1).and_then(|at| bytes.get(at)).copied();
    let Some(quote @ (b'"' | b'\'')) = quote else { return false };
    // Whatever a piece of the text sees, it sees that.
    let near = bytes.get(..bytes.len().min(at + QUOTED_LEN_MAX)).unwrap_or_default();
    let ends = |byte: &&u8| **byte == quote || !byte.is_ascii_graphic() && **byte < 0x80;
    let ends = |byte: &&u8| ends(byte) || matches!(**byte, b'"' | b'<' | b'>' | b'\\' | b'`');
    near.get(at..).unwrap_or_default().iter().find(ends) == Some(&quote)
}

/// Bytes behind a bar or a circumflex in which the quote must stand that ends its URI.
const QUOTED_LEN_MAX: usize = 4096;

/// True when the last line of `text` begins with a star and a blank, as comments go on.
fn goes_on_with_comment(text: &[u8]) -> bool {
    let near = text.get(text.len().saturating_sub(COMMENT_LOOKBACK_MAX)..).unwrap_or_default();
    let start = last_line(near);
    let is_whole = start > 0 || near.len() < COMMENT_LOOKBACK_MAX;
    let line = near.get(start..).unwrap_or_default();
    is_whole && line.trim_ascii_start().starts_with(b"* ")
}

/// True when a comment of C or CSS opens on the last line of `text`, and does not end there.
///
/// A letter, a slash or a quote before it makes a pattern of it: `"https://h/*"`.
fn opens_comment(text: &[u8]) -> bool {
    let near = text.get(text.len().saturating_sub(COMMENT_LOOKBACK_MAX)..).unwrap_or_default();
    let line = near.get(last_line(near)..).unwrap_or_default();
    let Some(open) = memchr::memmem::rfind(line, b"/*") else { return false };
    let (before, inside) = line.split_at(open);
    let is_outside = matches!(before.last(), None | Some(b' ' | b'\t' | b';' | b',' | b'(' | b')'))
        || matches!(before.last(), Some(b'{' | b'}' | b'>'));
    is_outside && memchr::memmem::find(inside.get(2..).unwrap_or_default(), b"*/").is_none()
}

/// Bytes before a URI in which its comment may open.
const COMMENT_LOOKBACK_MAX: usize = 512;

// So that all pieces of a text see the same.
const _: () = assert!(scheme::SCHEME_LEN_MAX + COMMENT_LOOKBACK_MAX < LOOKBACK_MAX);

/// The end without the hyphens of a `-->`, which ends a comment of HTML and XML, and without the
/// letter of an escape of POD, `E<gt>` (perlpod, "Formatting Codes").
fn before_tag(bytes: &[u8], rest: usize, end: usize) -> usize {
    let text = bytes.get(rest..end).unwrap_or_default();
    let len = match bytes.get(end..).unwrap_or_default() {
        [b'>', ..] if text.ends_with(b"--") => {
            text.iter().rev().take_while(|byte| **byte == b'-').count()
        }
        [b'<', b'g' | b'l', b't', b'>', ..] => usize::from(text.len() > 1 && text.ends_with(b"E")),
        _ => 0,
    };
    end - len
}

/// True for marks that close a sentence, a part of it or a quote, and are legal in a URI.
const fn is_closing(mark: u8) -> bool {
    matches!(mark, b'.' | b',' | b':' | b';' | b'!' | b'?' | b'\'' | b'*')
}

/// The mark directly behind the bare URI that stands at `span`, where it was left to the text and
/// may be the URI's own all the same. One that stands before it, too, is half of a pair.
#[must_use]
pub fn mark_behind(bytes: &[u8], span: Span) -> Option<u8> {
    let before = span.start.checked_sub(1).and_then(|at| bytes.get(at));
    let mark = bytes.get(span.end).filter(|mark| is_closing(**mark))?;
    (before != Some(mark)).then_some(*mark)
}

/// Length of the character reference that ends before `end`, or of its semicolon alone.
fn reference_len(bytes: &[u8], rest: usize, end: usize) -> usize {
    /// The longest name in HTML, `CounterClockwiseContourIntegral`, has 31 letters.
    const NAME_LEN_MAX: usize = 31;
    let name = bytes.get(rest..end - 1).unwrap_or_default();
    let letters = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'#';
    let len = name.iter().rev().take(NAME_LEN_MAX).take_while(letters).count();
    let is_reference = len > 1 && name.len() > len && name.get(name.len() - len - 1) == Some(&b'&');
    if is_reference { len + 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::mark_behind;
    use crate::scan::Scanner;

    #[track_caller]
    fn case(text: &str, mark: Option<u8>) {
        let span = Scanner::new(text.as_bytes()).next().unwrap().span;
        assert_eq!(mark_behind(text.as_bytes(), span), mark, "{text}");
    }

    #[test]
    fn the_mark_behind_a_uri_may_be_its_own() {
        case("see http://h/a! and", Some(b'!'));
        case("see http://h/a.", Some(b'.'));
        case("see http://h/a...", Some(b'.'));
        case("(see http://h/a?)", Some(b'?'));
        case("is http://h/a; or", Some(b';'));
        case("see http://h/a and", None);
        case("see http://h/a", None);
        case("(see http://h/a)", None);
        case("see http://h/a&gt; and", None);
        // Half of a pair.
        case("'http://h/a'", None);
        case("**http://h/a**", None);
        case("*see http://h/a*", Some(b'*'));
    }
}
