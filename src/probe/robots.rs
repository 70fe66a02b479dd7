//! Parses and applies `robots.txt` (RFC 9309).
//!
//! A file is parsed for one program; rules for others are dropped. `Crawl-delay` is in no
//! specification but honoured, because sites rely on it. `Sitemap` and other fields are ignored,
//! and do not end a group. Misspelt field names are not guessed, but a line may lack its colon.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::time::Duration;

use encoding_rs::{Encoding, UTF_8};
use memchr::memmem;

mod fetch;

pub use fetch::{Fetched, fetch};

use crate::uri::{escape, octet};

/// Our product token in `robots.txt` (RFC 9309 §2.2.1).
pub const PRODUCT: &str = "linktrawl";

/// Maximum number of bytes read of a file; programs must read at least so many (RFC 9309 §2.5).
const BYTES_MAX: usize = 500 * 1024;

/// Maximum pause between two requests to a site. With longer ones, a few hundred links would take
/// days.
const DELAY_MAX: Duration = Duration::from_secs(7 * 24 * 3600);

/// The rules of one site for one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Robots {
    /// Sorted by length, longest first; of two equally long rules the one that allows comes first.
    /// The first rule that matches decides (RFC 9309 §2.2.2).
    rules: Vec<Rule>,
    crawl_delay: Option<Duration>,
    /// The reason why the site's rules are unknown, if they are.
    unknown: Option<Box<str>>,
    /// Whether the site could not be reached at all.
    is_unasked: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    /// The pattern in the form of [`normal`], with `*` for any bytes.
    pattern: Vec<u8>,
    /// Whether the pattern must match to the end of the path.
    is_whole: bool,
    allows: bool,
}

impl Robots {
    /// Parses a file for the program called `product`.
    ///
    /// # Limits
    /// Reads the first 500 KiB, up to the end of a line.
    #[must_use]
    pub fn parse(bytes: &[u8], product: &str) -> Self {
        let mut groups = Groups::new(product);
        let text = in_utf8(bytes);
        for line in whole_lines(&text).split(|byte| matches!(byte, b'\r' | b'\n')) {
            let line = line.split(|byte| *byte == b'#').next().unwrap_or_default();
            if let Some((name, value)) = field(line) {
                groups.field(&name.to_ascii_lowercase(), value);
            }
        }
        groups.finish()
    }

    /// Returns rules that allow everything.
    #[must_use]
    pub fn allow_all() -> Self {
        Self::default()
    }

    /// Returns rules that refuse everything, because those of the site are unknown (RFC 9309
    /// §2.3.1.4).
    #[must_use]
    pub fn unknown(why: &str) -> Self {
        let rule = Rule { pattern: b"/".to_vec(), is_whole: false, allows: false };
        Self { rules: vec![rule], unknown: Some(why.into()), ..Self::default() }
    }

    /// Reports whether the site's rules could not be read; another try may succeed.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.unknown.is_some()
    }

    /// Returns rules that allow everything because the site could not be reached.
    #[must_use]
    fn unasked() -> Self {
        Self { is_unasked: true, ..Self::default() }
    }

    /// Returns an equivalent file that applies to every program, for storage. Returns `None` if the
    /// site's rules are unknown or it was not reached, or if the file would exceed the limit for
    /// reading.
    #[must_use]
    pub fn to_text(&self) -> Option<Vec<u8>> {
        if self.unknown.is_some() || self.is_unasked {
            return None;
        }
        let mut text = b"User-agent: *\n".to_vec();
        for rule in &self.rules {
            text.extend_from_slice(if rule.allows { b"Allow: " } else { b"Disallow: " });
            text.extend_from_slice(&rule.pattern);
            text.extend_from_slice(if rule.is_whole { b"$\n" } else { b"\n" });
        }
        if let Some(delay) = self.crawl_delay {
            text.extend_from_slice(format!("Crawl-delay: {}\n", delay.as_secs_f64()).as_bytes());
        }
        (text.len() <= BYTES_MAX).then_some(text)
    }

    /// Returns the reason why a program must not request `path`, or `None` if it may.
    #[must_use]
    pub fn refusal(&self, path: &[u8]) -> Option<String> {
        let refusal = || match &self.unknown {
            None => "the robots.txt of the host disallows the request".to_owned(),
            Some(why) => format!("the robots.txt of the host cannot be fetched: {why}"),
        };
        (!self.allows(path)).then(refusal)
    }

    /// Reports whether a program may request `path`: a path with its query, as in a URI.
    #[must_use]
    pub fn allows(&self, path: &[u8]) -> bool {
        // RFC 9309 §2.2.2: the file itself may always be requested.
        if path == b"/robots.txt" {
            return true;
        }
        let path = normal(if path.is_empty() { b"/" } else { path }, Side::Path);
        let rule = self.rules.iter().find(|rule| rule.matches(&path));
        rule.is_none_or(|rule| rule.allows)
    }

    /// Returns the delay between two requests, if the site declares one.
    #[must_use]
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }
}

impl Rule {
    fn read(value: &[u8], allows: bool) -> Self {
        let inner = value.strip_suffix(b"$");
        let is_whole = inner.is_some();
        Self { pattern: normal(inner.unwrap_or(value), Side::Rule), is_whole, allows }
    }

    /// Reports whether the rule matches `path`. Takes time proportional to both lengths: each part
    /// between two stars is searched once, after the previous part, without backtracking.
    fn matches(&self, path: &[u8]) -> bool {
        let mut parts = self.pattern.split(|byte| *byte == b'*');
        let Some(mut rest) = path.strip_prefix(parts.next().unwrap_or_default()) else {
            return false;
        };
        let mut parts = parts.peekable();
        if parts.peek().is_none() {
            return !self.is_whole || rest.is_empty();
        }
        while let Some(part) = parts.next() {
            if self.is_whole && parts.peek().is_none() {
                return rest.ends_with(part);
            }
            let Some(at) = memmem::find(rest, part) else { return false };
            rest = rest.get(at + part.len()..).unwrap_or_default();
        }
        true
    }
}

/// Splits a line at its colon; a line without one at its only blanks, as Google's parser does.
fn field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.trim_ascii();
    if let Some(colon) = memchr::memchr(b':', line) {
        let (name, value) = line.split_at_checked(colon)?;
        return Some((name.trim_ascii(), value.get(1..)?.trim_ascii()));
    }
    let (name, value) = line.split_at_checked(line.iter().position(u8::is_ascii_whitespace)?)?;
    let value = value.trim_ascii();
    (!value.iter().any(u8::is_ascii_whitespace)).then_some((name, value))
}

/// Returns `bytes` without a byte order mark, which also names UTF-16. All else is taken as it is,
/// so that bytes of any other charset match what they are in a link.
fn in_utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    match Encoding::for_bom(bytes) {
        Some((name, len)) if name == UTF_8 => bytes.get(len..).unwrap_or_default().into(),
        Some((utf16, _)) => utf16.decode(bytes).0.into_owned().into_bytes().into(),
        None => bytes.into(),
    }
}

/// Returns the file up to its limit. An incomplete last line is dropped, as it could have another
/// meaning.
fn whole_lines(text: &[u8]) -> &[u8] {
    let Some(start) = text.get(..BYTES_MAX).filter(|start| start.len() < text.len()) else {
        return text;
    };
    let end = memchr::memrchr2(b'\n', b'\r', start).unwrap_or(0);
    start.get(..end).unwrap_or_default()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// A URI: stars and dollars are literal.
    Path,
    /// A rule: a star is a wildcard.
    Rule,
}

/// Returns `text` in the form in which paths and rules are compared (RFC 9309 §2.2.2): bytes that
/// need no escape have none, bytes that are not allowed in a URI have one, and hex digits are in
/// upper case. Stars and dollars of a URI are escaped, as rules write them (§2.2.3).
///
/// In a query, separators of components are plain data, and are not escaped. The table of the
/// specification does the reverse, with the same matches.
fn normal(text: &[u8], side: Side) -> Vec<u8> {
    let mut normal = Vec::with_capacity(text.len());
    let mut is_query = false;
    let mut idx = 0;
    while let Some(&byte) = text.get(idx) {
        let escaped = octet(text.get(idx..).unwrap_or_default());
        idx += if escaped.is_some() { 3 } else { 1 };
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let is_query_data = |byte: u8| is_query && b":/?@".contains(&byte);
        match escaped {
            Some(byte) if is_plain(byte) || is_query_data(byte) => normal.push(byte),
            Some(byte) => normal.extend_from_slice(&escape(byte)),
            None if byte == b'*' && side == Side::Rule => normal.push(byte),
            None if byte.is_ascii_graphic() && !b"*$".contains(&byte) => normal.push(byte),
            None => normal.extend_from_slice(&escape(byte)),
        }
        is_query |= escaped.is_none() && byte == b'?';
    }
    normal
}

/// The parser's state. Groups for the same program are merged (RFC 9309 §2.2.1).
struct Groups<'p> {
    product: &'p str,
    own: Robots,
    others: Robots,
    has_own: bool,
    /// Whether the current group applies to our program.
    is_for_own: bool,
    is_for_others: bool,
    /// Whether the group has a rule: the next user agent begins a new group.
    has_rule: bool,
}

impl<'p> Groups<'p> {
    fn new(product: &'p str) -> Self {
        let (own, others) = (Robots::default(), Robots::default());
        let (has_own, is_for_own, is_for_others, has_rule) = (false, false, false, false);
        Self { product, own, others, has_own, is_for_own, is_for_others, has_rule }
    }

    fn field(&mut self, name: &[u8], value: &[u8]) {
        match name {
            b"user-agent" => self.name(value),
            b"allow" => self.rule(value, true),
            b"disallow" => self.rule(value, false),
            b"crawl-delay" => self.delay(value),
            _ => {}
        }
    }

    fn name(&mut self, value: &[u8]) {
        if self.has_rule {
            (self.is_for_own, self.is_for_others, self.has_rule) = (false, false, false);
        }
        // Some files have a version after the name, and some a remark after the star.
        let is_end = |byte: &u8| !(byte.is_ascii_alphabetic() || b"_-".contains(byte));
        let token = value.split(is_end).next().unwrap_or_default();
        self.is_for_own |= token.eq_ignore_ascii_case(self.product.as_bytes());
        self.has_own |= self.is_for_own;
        self.is_for_others |= value.split(u8::is_ascii_whitespace).next() == Some(b"*");
    }

    fn rule(&mut self, value: &[u8], allows: bool) {
        self.has_rule = true;
        if value.is_empty() {
            // RFC 9309 §2.2: an empty pattern matches nothing.
            return;
        }
        self.each(|robots| robots.rules.push(Rule::read(value, allows)));
    }

    fn delay(&mut self, value: &[u8]) {
        let is_number = value.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
        let text = str::from_utf8(value).ok().filter(|_| is_number);
        let Some(seconds) = text.and_then(|text| text.parse().ok()) else { return };
        let delay = Duration::try_from_secs_f64(seconds).unwrap_or(DELAY_MAX).min(DELAY_MAX);
        self.each(|robots| robots.crawl_delay = robots.crawl_delay.max(Some(delay)));
    }

    fn each(&mut self, mut change: impl FnMut(&mut Robots)) {
        if self.is_for_own {
            change(&mut self.own);
        }
        if self.is_for_others && !self.has_own {
            change(&mut self.others);
        }
    }

    fn finish(self) -> Robots {
        let mut robots = if self.has_own { self.own } else { self.others };
        let len = |rule: &Rule| rule.pattern.len() + usize::from(rule.is_whole);
        robots.rules.sort_by_key(|rule| Reverse((len(rule), rule.allows)));
        robots
    }
}
