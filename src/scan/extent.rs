//! Finds the end of a bare URI in text.
//!
//! The grammars cannot decide: nearly every mark that closes a sentence is legal in a URI. The
//! rules are those that readers use: bytes that no URI holds end it, an unbalanced `)` ends it, and
//! punctuation at its end does not belong to it. Nothing crosses a line. Some bytes are accepted
//! although no URI may contain them, because programs write them nevertheless: square brackets
//! (`brackets`), bars inside quotes, circumflexes within a word, and a second `#`, as in addresses
//! of pages that keep their state after one. The grammars report them. `cut` reports a URI that
//! ends before a byte that browsers accept.

use super::backslash;
use super::limits::CANDIDATE_LEN_MAX;
use super::simd::Stops;
use super::unicode::{self, Role};
use crate::scheme;
use crate::span::Span;

mod around;
mod brackets;
mod comment;
mod cut;
mod delimiter;
mod edonkey;
mod emphasis;
mod host;
mod list;
mod quotation;
mod reference;
mod syslog;
mod trim;

use around::Around;
use host::Host;
use reference::begins_delimiter;
use trim::trim;

pub(super) use cut::cut_before;
pub(crate) use cut::holds_link;
pub(super) use cut::{begins_part, tells};
pub(super) use edonkey::end as end_of_edonkey;
pub(super) use host::{known_ending, names_repository};
pub(super) use quotation::Quotation;

/// The effect of a byte on a bare URI, as listed in [`ROLES`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Byte {
    /// Continues the URI.
    Plain,
    /// Ends it: controls, blanks, and bytes that no URI holds unescaped.
    Stop,
    /// Round brackets, which are counted.
    Open,
    Close,
    /// Comma and semicolon, which may separate URIs.
    List,
    /// May begin a character reference of HTML.
    Ampersand,
    /// Begins the fragment. A second one is part of it, unless a URI begins after it.
    Hash,
    /// Ends it if an apostrophe precedes the URI, or if it closes a quotation around the URI.
    Apostrophe,
    /// Ends it in a comment if a slash follows; two of them end text that two of them begin.
    Star,
    /// Two of them end text that two of them begin.
    Tilde,
    /// A byte outside US-ASCII.
    High,
    /// An exclamation mark, which may end a picture before the link of the picture.
    Picture,
    /// `/` and `?`, which end the authority.
    Slash,
    /// `:` and `@`, which divide the authority.
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
            b'!' => Byte::Picture,
            b'/' | b'?' => Byte::Slash,
            b':' | b'@' => Byte::Divider,
            _ => Byte::Plain,
        };
        byte += 1;
    }
    table
}

/// Bytes of the authority that must be examined.
static AUTHORITY_STOPS: Stops = stops_but(&[Byte::Plain]);
/// Bytes after the authority that must be examined.
static PATH_STOPS: Stops = stops_but(&[Byte::Plain, Byte::Slash, Byte::Divider]);

/// Returns all bytes except for those of the roles `passed`.
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
#[derive(Default)]
pub(super) struct Extent {
    /// Offset after its last byte.
    pub(super) end: usize,
    /// Whether it was cut at [`CANDIDATE_LEN_MAX`].
    pub(super) is_cut: bool,
    /// Whether it ended before an escape that may be part of it, or before punctuation and an
    /// escape.
    pub(super) is_escaped: bool,
    /// Whether marks in it follow backslashes that are not part of it.
    pub(super) has_marks: bool,
}

/// Walks from the end of the scheme to the end of the URI.
struct Walk<'h> {
    /// The bytes that may be examined.
    bytes: &'h [u8],
    /// The scheme's name and its colon, if it is one of `LISTED`; else empty.
    name: &'h [u8],
    start: usize,
    at: usize,
    open: usize,
    fragment: bool,
    /// Whether a query begins before `asked`.
    has_query: bool,
    asked: usize,
    /// The first apostrophe of the host.
    apostrophe: Option<usize>,
    /// Whether something follows the authority.
    has_path: bool,
    backslash: Backslash,
    /// The offset of the first backslash that escapes a mark of the URI.
    first_mark: Option<usize>,
    around: Around,
}

/// The meaning of a backslash in a URI.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Backslash {
    /// It ends the URI.
    Ends,
    /// Before a mark it may be an escape that is not part of the URI.
    Escapes,
    /// The scheme is `file`, whose path may be one of Windows.
    Separates,
}

/// Returns the extent of the URI that begins at `start`, with its authority at `authority`.
pub(super) fn hierarchical(bytes: &[u8], start: usize, authority: usize) -> Extent {
    Walk::new(bytes, start, authority).hierarchical(start, authority)
}

/// Does the same as [`hierarchical`] in text where a backslash may escape a mark.
pub(super) fn hierarchical_with_marks(bytes: &[u8], start: usize, authority: usize) -> Extent {
    let walk = Walk { backslash: Backslash::Escapes, ..Walk::new(bytes, start, authority) };
    walk.hierarchical(start, authority)
}

/// Reports whether the text at `at` may name a host, without a walk to the end of the URI: a
/// candidate refused after a long walk would be walked again from its next colon.
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

/// Returns the extent of the URI that begins at `start`, with only a path from `rest` on.
pub(super) fn opaque(bytes: &[u8], start: usize, rest: usize) -> Extent {
    let mut walk = Walk::new(bytes, start, rest);
    let name = walk.bytes.get(start..rest).unwrap_or_default();
    if LISTED.iter().any(|listed| listed.eq_ignore_ascii_case(name)) {
        walk.name = name;
    }
    walk.rest();
    let is_in = |schemes: &[&[u8]]| schemes.iter().any(|scheme| scheme.eq_ignore_ascii_case(name));
    let is_address = is_in(&ADDRESSED);
    if is_address || is_in(&NAMES) {
        walk.at = host::second_uri(walk.bytes, rest, walk.at).unwrap_or(walk.at);
    }
    let extent = walk.finish(start, rest);
    match host::address_end(bytes, rest, extent.end).filter(|_| is_address) {
        Some(end) => Extent { end, ..extent },
        None => extent,
    }
}

impl<'h> Walk<'h> {
    fn hierarchical(mut self, start: usize, authority: usize) -> Extent {
        let name: &'h [u8] = self.bytes.get(start..authority).unwrap_or_default();
        let is_file = name.eq_ignore_ascii_case(b"file://");
        if is_file {
            self.backslash = Backslash::Separates;
        }
        let colon = self.authority();
        // The colon of a drive, `file://C:\a`, does not precede a port.
        let is_drive = |colon: &usize| is_file && self.bytes.get(colon + 1) == Some(&b'\\');
        let colon = colon.filter(|colon| !is_drive(colon));
        self.has_path = matches!(self.bytes.get(self.at), Some(b'/' | b'?' | b'#'));
        let (host_end, end) = (colon.unwrap_or(self.at), self.at);
        let host = Host { name, start: authority, end: host_end, apostrophe: self.apostrophe };
        let port = || host.bad_port(self.bytes, colon?, end);
        let text_begins = [host.text(self.bytes, end), host.word(self.bytes)];
        match text_begins.into_iter().flatten().min().or_else(port) {
            // A port may end before a word between two URIs.
            Some(end) => {
                let port = colon.and_then(|colon| host.bad_port(self.bytes, colon, end));
                let is_word = |at: &usize| self.bytes.get(*at).is_some_and(|byte| *byte >= 0x80);
                self.at = port.filter(is_word).unwrap_or(end);
            }
            None => self.rest(),
        }
        let extent = self.finish(start, authority);
        let end = host.without_root(self.bytes, extent.end).unwrap_or(extent.end);
        let end = host.without_marks(self.bytes, end).unwrap_or(end);
        let span = Span::new(authority, end);
        let end = trim::without_position(self.bytes, start, span).unwrap_or(end);
        Extent { end, ..extent }
    }

    fn new(bytes: &'h [u8], start: usize, at: usize) -> Self {
        // One character more than may be taken, to detect whether the text continues.
        let limit = bytes.len().min(start.saturating_add(CANDIDATE_LEN_MAX + 4));
        let own = || delimiter::at(bytes, start, limit);
        let limit = delimiter_at(bytes, start, limit).or_else(own).unwrap_or(limit);
        let bytes = bytes.get(..limit).unwrap_or_default();
        Self {
            bytes,
            name: b"",
            start,
            at,
            open: 0,
            fragment: false,
            has_query: false,
            asked: start,
            apostrophe: None,
            has_path: false,
            backslash: Backslash::Ends,
            first_mark: None,
            around: Around::new(bytes, start),
        }
    }

    /// Stops at the byte that ends the authority or the URI; returns the offset of the colon after
    /// the host, if there is one.
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
                if byte == b'\\' && (self.pass_backslash() || self.pass_hyphen()) {
                    continue;
                }
                let Some(after) = host::ip_literal(self.bytes, start, self.at) else {
                    return colon;
                };
                (colon, self.at) = (None, after);
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

    /// Skips a mark that is part of the URI if the URI fills a whole string: other text has bars,
    /// too. In a pattern, bars separate URIs.
    fn pass_in_quotes(&mut self) -> bool {
        let is_own = self.has_path
            && !begins_uri(self.bytes, self.at + 1)
            && self.around.is_in_quotes(self.bytes, self.at);
        self.at += usize::from(is_own);
        is_own
    }

    /// Skips a circumflex within a word: a query for a pattern, `?q=repo:^services&page=2`. Other
    /// text has none there, while bars divide tables, and braces and backticks belong to code.
    fn pass_circumflex(&mut self) -> bool {
        let is_own = self.has_path
            && self.bytes.get(self.at + 1..).is_some_and(continues)
            && !begins_uri(self.bytes, self.at + 1)
            && !cut::is_carriage_return(self.bytes, self.at);
        self.at += usize::from(is_own);
        is_own
    }

    /// Skips bars in a query that continues after them with a parameter, `?a=1||b=2`, on a line
    /// where no bar before the URI divides columns or fields.
    fn pass_bar(&mut self) -> bool {
        if !self.is_in_query() {
            return false;
        }
        let len = cut::query_bars(self.bytes, self.start, self.at).unwrap_or_default();
        self.at += len;
        len > 0
    }

    /// Skips a backslash in the path of a file of Windows, before a name or another backslash.
    fn pass_backslash(&mut self) -> bool {
        let next = self.bytes.get(self.at + 1);
        let begins = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80;
        let is_own = self.backslash == Backslash::Separates
            && next.is_some_and(|byte| begins(byte) || matches!(byte, b'\\' | b'_' | b'.' | b'$'))
            && self.around.is_windows(self.bytes, self.at);
        self.at += usize::from(is_own);
        is_own
    }

    /// Skips an escaped apostrophe that is part of a URI in a string between apostrophes: SQL and
    /// YAML double it, `'http://h/it''s'`, others put a backslash before it.
    fn pass_apostrophe(&mut self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let before = self.start.checked_sub(2).and_then(|at| self.bytes.get(at));
        // More than one apostrophe before it are emphasis of a wiki.
        let is_string = self.around.follows_apostrophe()
            && self.backslash == Backslash::Escapes
            && before != Some(&b'\'');
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

    /// Skips a backslash and the hyphen or underscore that it escapes in a name of the authority.
    fn pass_hyphen(&mut self) -> bool {
        let last = self.at.checked_sub(1).and_then(|at| self.bytes.get(at));
        let is_own = self.backslash == Backslash::Escapes
            && matches!(self.bytes.get(self.at + 1), Some(b'-' | b'_'))
            && self.bytes.get(self.at + 2).is_some_and(u8::is_ascii_alphanumeric)
            && last.is_some_and(u8::is_ascii_alphanumeric);
        if is_own {
            self.first_mark = self.first_mark.or(Some(self.at));
            self.at += 2;
        }
        is_own
    }

    /// Skips a backslash and the mark that it escapes, after the authority: an escaped dot in the
    /// authority belongs to a regular expression, which `check` detects. So does one after a
    /// repetition.
    fn pass_mark(&mut self) -> bool {
        let (before, rest) = self.bytes.split_at(self.at);
        let takes_marks = self.backslash == Backslash::Escapes;
        let Some(mark) = backslash::mark(rest).filter(|_| takes_marks) else { return false };
        let is_repeated = mark == b'.' && matches!(before.last(), Some(b'*' | b'+' | b')' | b'?'));
        let is_own = match mark {
            b'?' | b'#' | b'/' => true,
            // The bracket of troff before the URI, `\(lahttp://h/a\(ra`, has one after it.
            b'(' if before.get(..self.start).is_some_and(ends_special) => false,
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

    /// Reports whether `at` is in the query of the URI.
    fn is_in_query(&mut self) -> bool {
        let new = self.bytes.get(self.asked..self.at).unwrap_or_default();
        self.has_query = self.has_query || memchr::memchr(b'?', new).is_some();
        self.asked = self.at;
        self.has_query && !self.fragment
    }

    /// Skips square brackets of a query or within a word; returns false if they belong to the text.
    fn pass_brackets(&mut self) -> bool {
        let of_query = if self.is_in_query() { brackets::len(self.bytes, self.at) } else { None };
        let is_open = self.open > 0;
        let in_word = || brackets::len_in_word(self.bytes, self.at, is_open);
        let len = if self.has_path { of_query.or_else(in_word) } else { of_query };
        self.at += len.unwrap_or_default();
        len.is_some()
    }

    fn skip(&mut self, stops: &Stops) {
        self.at += stops.run_len(self.bytes.get(self.at..).unwrap_or_default());
    }

    /// Skips a byte that continues the URI under conditions; returns false if they do not hold.
    fn pass(&mut self, role: Byte) -> bool {
        let mut len = 1;
        let goes_on = match role {
            Byte::Open if self.ends_underlined() => false,
            Byte::Open => {
                self.open += 1;
                true
            }
            Byte::Close => self.open.checked_sub(1).map(|left| self.open = left).is_some(),
            Byte::List => {
                !begins_uri(self.bytes, self.at + 1)
                    && !self.divides_list()
                    && !self.divides_unlisted()
                    && !self.ends_clause()
                    && !self.divides_values()
                    && !self.precedes_address()
            }
            Byte::Ampersand => !begins_delimiter(self.bytes, self.at) && !self.begins_command(),
            Byte::Hash if syslog::begins_control(self.bytes, self.start, self.at) => false,
            Byte::Hash => {
                let is_second = std::mem::replace(&mut self.fragment, true);
                !is_second || !begins_uri(self.bytes, self.at + 1)
            }
            Byte::Apostrophe => {
                !self.around.follows_apostrophe()
                    && !self.around.ends_quotation(self.bytes, self.at)
                    && !self.precedes_address()
            }
            Byte::Star => !self.ends_comment() && !self.ends_marked(b'*'),
            Byte::Tilde => !self.ends_marked(b'~'),
            Byte::Picture => !ends_picture(self.bytes, self.at),
            Byte::High => match unicode::char_at(self.bytes, self.at) {
                Some('\u{B7}') => {
                    len = 2;
                    self.is_between_ls() || self.is_in_name()
                }
                Some(character) if unicode::role(character) != Role::Ends => {
                    len = 0;
                    self.pass_character(character)
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

    /// Reports whether two ampersands are next, after which a shell command continues. In a query,
    /// they may enclose an omitted parameter.
    fn begins_command(&mut self) -> bool {
        self.bytes.get(self.at + 1) == Some(&b'&') && !self.fragment && !self.is_in_query()
    }

    /// Reports whether the next star and slash end the comment around the URI. In a line that only
    /// continues a comment, they must end the word.
    fn ends_comment(&mut self) -> bool {
        let Some([b'*', b'/', after @ ..]) = self.bytes.get(self.at..) else { return false };
        let is_last = after.first().is_none_or(u8::is_ascii_whitespace);
        self.around.is_in_comment(self.bytes)
            || is_last && self.around.continues_comment(self.bytes)
    }

    /// Reports whether the next two marks end text that two of them begin before the URI on its
    /// line: `**see http://h/a**(text)`. Before a slash they belong to a pattern, `**/`, unless the
    /// two directly precede the URI: `**http://h/a**/**http://h/b**`.
    fn ends_marked(&mut self, mark: u8) -> bool {
        let Some([first, second, after @ ..]) = self.bytes.get(self.at..) else { return false };
        if (*first, *second) != (mark, mark) {
            return false;
        }
        if after.first() == Some(&b'/') && !self.ends_marked_link(mark) {
            return false;
        }
        if mark == b'*' {
            self.around.is_strong(self.bytes)
        } else {
            self.around.is_struck(self.bytes)
        }
    }

    /// Reports whether the next two marks end the URI that two of them directly precede. A slash
    /// on both sides shows a pattern, `/**/`, unless a URI with such marks follows.
    fn ends_marked_link(&self, mark: u8) -> bool {
        let pair = [mark, mark];
        let (before, rest) = self.bytes.split_at_checked(self.at).unwrap_or_default();
        let marks_next = rest.get(3..).is_some_and(|next| next.starts_with(&pair));
        let is_next = marks_next && begins_uri(self.bytes, self.at + 5);
        before.get(..self.start).is_some_and(|text| text.ends_with(&pair))
            && (is_next || !before.ends_with(b"/"))
    }

    /// Reports whether the next bracket follows two underscores that end text begun by two before
    /// the URI on its line.
    fn ends_underlined(&self) -> bool {
        let before = self.bytes.get(self.start..self.at).unwrap_or_default();
        before.ends_with(b"__") && emphasis::is_open(self.bytes, self.start, b'_', 2)
    }

    /// Reports whether the middle dot is between two l's: it is a letter of Catalan there, and a
    /// separator elsewhere (RFC 5892 Appendix A.3).
    fn is_between_ls(&self) -> bool {
        let is_l = |at: Option<usize>| {
            at.and_then(|at| self.bytes.get(at)).is_some_and(|byte| byte | 0x20 == b'l')
        };
        is_l(self.at.checked_sub(1)) && is_l(Some(self.at + 2))
    }

    /// Reports whether the middle dot is between two characters of a script without blanks, in a
    /// path: in Chinese it divides the parts of a foreign name, and does not close a sentence.
    fn is_in_name(&self) -> bool {
        let before = unicode::char_before(self.bytes, self.at);
        let after = unicode::char_at(self.bytes, self.at + 2);
        self.has_path && [before, after].iter().all(|it| it.is_some_and(unicode::needs_no_blank))
    }

    fn finish(&self, start: usize, rest: usize) -> Extent {
        let most = start.saturating_add(CANDIDATE_LEN_MAX);
        if self.at <= most {
            let after = self.bytes.get(self.at..).unwrap_or_default();
            // A class of letters: the whole text is a regular expression.
            let is_class = matches!(after, [b'\\', letter, ..] if letter.is_ascii_alphabetic());
            let is_of_pattern = |mark: &usize| is_class && self.bytes.get(*mark) == Some(&b'\\');
            let at = self.first_mark.filter(is_of_pattern).unwrap_or(self.at);
            let at = emphasis::end(self.bytes, start, Span::new(rest, at)).unwrap_or(at);
            let end = trim(self.bytes, start, rest, at);
            let has_marks = self.first_mark.is_some_and(|mark| mark < end);
            let is_escaped = self.backslash != Backslash::Separates && backslash::begins(after);
            return Extent { end, is_cut: false, is_escaped, has_marks };
        }
        let is_inside = |at: &usize| self.bytes.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
        let end = (rest..=most).rev().find(|at| !is_inside(at)).unwrap_or(most);
        let has_marks = self.first_mark.is_some_and(|mark| mark < end);
        Extent { end, is_cut: true, is_escaped: false, has_marks }
    }
}

/// Schemes with their colons whose URIs people put into lists without blanks. In `data:` and others
/// a comma has a meaning.
const LISTED: [&[u8]; 4] = [b"mailto:", b"sip:", b"sips:", b"tel:"];

/// Schemes with their colons whose URIs are addresses: a name, `@` and a host.
const ADDRESSED: [&[u8]; 4] = [b"mailto:", b"sip:", b"sips:", b"xmpp:"];

/// Schemes with their colons whose URIs name something else and hold no URI: telephones, places,
/// publications, articles and parts of mail.
const NAMES: [&[u8]; 7] = [b"tel:", b"sms:", b"geo:", b"doi:", b"news:", b"mid:", b"cid:"];

/// Commands of TeX that print the text between two marks of the writer's choice, and those marks
/// that a URI may hold.
const COMMANDS: [(&[u8], &[u8]); 4] =
    [(b"\\verb", b"+!=~$#"), (b"\\lstinline", b"+!=~$#"), (b"\\url", b"+!"), (b"\\path", b"+!")];

/// Reports whether `before` ends in a special character of troff: `\(la`.
fn ends_special(before: &[u8]) -> bool {
    let [.., b'\\', b'(', first, second] = before else { return false };
    first.is_ascii_alphabetic() && second.is_ascii_alphabetic()
}

/// Reports whether `before` ends in such a command, after which its first mark follows.
pub(super) fn is_command(before: &[u8]) -> bool {
    COMMANDS.iter().any(|(name, _)| before.ends_with(name))
}

/// Reports whether a command of sed, perl or vim has `mark` as its delimiter, directly before the
/// URI at `start`: `s+http://h/+x+`.
pub(super) fn is_delimited(bytes: &[u8], start: usize, mark: u8) -> bool {
    let limit = bytes.len().min(start.saturating_add(CANDIDATE_LEN_MAX));
    let end = delimiter::at(bytes, start, limit);
    end.is_some_and(|end| bytes.get(end) == Some(&mark))
}

/// Returns the offset, before `limit`, of the mark that ends the text of such a command, if the
/// command directly precedes `start`: `\verb+http://h/+`.
fn delimiter_at(bytes: &[u8], start: usize, limit: usize) -> Option<usize> {
    let (mark, before) = bytes.get(..start)?.split_last()?;
    COMMANDS.iter().find(|(name, marks)| marks.contains(mark) && before.ends_with(name))?;
    Some(start + memchr::memchr(*mark, bytes.get(start..limit)?)?)
}

/// Reports whether the bar at `at` replaces the colon of a drive letter: `file:///C|/x`,
/// `file:C|/x` (RFC 8089 Appendix E.2.2).
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

/// Reports whether a URI of a known scheme with an authority begins at `at`.
pub(super) fn begins_uri(bytes: &[u8], at: usize) -> bool {
    let rest = bytes.get(at..bytes.len().min(at + scheme::SCHEME_LEN_MAX + 3)).unwrap_or_default();
    let len = rest.iter().take_while(|byte| scheme::is_scheme_byte(**byte)).count();
    rest.get(len..).is_some_and(|after| after.starts_with(b"://"))
        && rest.get(..len).is_some_and(|name| scheme::find(name).is_some())
}

/// Reports whether an exclamation mark at `at` ends a picture of Textile, and the link that the
/// picture shows follows: `!http://h/a.png!:http://h/` (Textile, "Images").
fn ends_picture(bytes: &[u8], at: usize) -> bool {
    let is_mark = bytes.get(at..).is_some_and(|rest| rest.starts_with(b"!:"));
    is_mark && begins_uri(bytes, at + 2)
}

/// Reports whether `byte`, after one that no URI holds, shows that a word continues there.
const fn goes_on_with(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'%' | b'_' | b'/' | b'=' | b'&' | b'-' | b'~')
}

/// Reports whether a word continues with `text`, after a byte that no URI holds: with such a byte,
/// or with a mark directly before a letter or a digit.
fn continues(text: &[u8]) -> bool {
    match text {
        [b'.' | b'?' | b'#' | b'+', next, ..] => next.is_ascii_alphanumeric(),
        [byte, ..] => goes_on_with(*byte),
        [] => false,
    }
}

/// Reports whether `mark` closes a sentence, a part of it or a quote, and is legal in a URI.
const fn is_closing(mark: u8) -> bool {
    matches!(mark, b'.' | b',' | b':' | b';' | b'!' | b'?' | b'\'' | b'*')
}

/// Returns the mark directly after the bare URI at `span`, which counts as text although it may be
/// part of the URI. `None` if the same mark precedes the URI: the two are a pair.
#[must_use]
pub fn mark_after(bytes: &[u8], span: Span) -> Option<u8> {
    let before = span.start.checked_sub(1).and_then(|at| bytes.get(at));
    let mark = bytes.get(span.end).filter(|mark| is_closing(**mark))?;
    (before != Some(mark)).then_some(*mark)
}

#[cfg(test)]
mod tests {
    use super::mark_after;
    use crate::scan::Scanner;

    #[track_caller]
    fn case(text: &str, mark: Option<u8>) {
        let span = Scanner::new(text.as_bytes()).next().unwrap().span;
        assert_eq!(mark_after(text.as_bytes(), span), mark, "{text}");
    }

    #[test]
    fn uris_end_where_others_begin_and_not_within_names() {
        for (text, expected) in [
            ("!http://h/a.png!:http://i/b", "http://h/a.png http://i/b"),
            ("!{a:b}http://h/a.png(x)!:http://i/b", "http://h/a.png http://i/b"),
            ("!http://h!:http://i!:", "http://h http://i"),
            ("http://h/a!:b http://h/(a)!b", "http://h/a!:b http://h/(a)!b"),
            ("见http://h/卡尔·马克思。", "http://h/卡尔·马克思"),
            ("http://h/卡尔·http://h/a·马 http://h/·马", "http://h/卡尔 http://h/a http://h/"),
            ("\"http://h/?y=[2]\" http://h/?y=[2].", "http://h/?y=[2] http://h/?y=[2]"),
            ("http://h/?y=[a] http://h/?y=1[2]", "http://h/?y= http://h/?y=1"),
        ] {
            let mut scanner = Scanner::new(text.as_bytes());
            let found: Vec<_> =
                std::iter::from_fn(|| Some(scanner.next()?.text.to_vec())).collect();
            assert_eq!(String::from_utf8_lossy(&found.join(&b' ')), expected, "{text}");
        }
    }

    #[test]
    fn the_mark_after_a_uri_may_be_its_own() {
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
