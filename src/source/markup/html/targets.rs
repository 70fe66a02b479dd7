//! What attributes of HTML in mail make a link and a scanner does not find: relative references,
//! and what browsers take for a URI though it is none, as `https:\\h\` (URL Standard §4.4).
//!
//! In mail nobody reads all tags: values that begin as nearly all do are passed by, since a scanner
//! finds those, and only the tags of the others are read. References are resolved before, so that
//! a tag which is only shown is one, too.

use std::rc::Rc;
use std::vec::IntoIter;

use memchr::{Memchr, memmem};

use super::clean;
use super::tokens::{Token, Tokens, is_space, trimmed};
use super::value::{TAG_LEN_MAX, VALUE_LEN_MAX, holds_link, is_in_script};
use crate::source::markup::{Link, guarded};

/// How values begin that a scanner finds.
const FOUND: [&[u8]; 3] = [b"http://", b"https://", b"mailto:"];

/// The links of attributes in HTML whose references are resolved, in order, but for those that
/// begin as most do.
pub struct Targets<'t> {
    text: &'t [u8],
    /// Where the HTML begins.
    start: usize,
    /// The equals signs that were not looked at, behind `from`.
    equals: Memchr<'t>,
    /// Where the next attribute may begin its value.
    at: usize,
    /// Where the first link may begin.
    from: usize,
    /// Tags that begin before it were read.
    read_to: usize,
    /// Links of the tag that was read last.
    ready: IntoIter<Link>,
    /// What the HTML says that relative links start from, when that was looked for.
    base: Option<Option<Rc<Vec<u8>>>>,
}

impl<'t> Targets<'t> {
    /// Those of `text` whose values begin at `from` or behind, in tags that begin at `near` or
    /// behind. The HTML begins at `start`.
    #[must_use]
    pub fn new(text: &'t [u8], start: usize, near: usize, from: usize) -> Self {
        let equals = memchr::memchr_iter(b'=', text.get(from..).unwrap_or_default());
        let ready = Vec::new().into_iter();
        Self { text, start, equals, at: from, from, read_to: near, ready, base: None }
    }

    /// What relative links start from.
    pub fn base(&mut self) -> Option<Rc<Vec<u8>>> {
        let html = self.text.get(self.start..).unwrap_or_default();
        let find = || guarded(|| base(html)).flatten().map(Rc::new);
        self.base.get_or_insert_with(find).clone()
    }

    /// The links of the next tag that has some.
    fn tag(&mut self) -> Option<Vec<Link>> {
        loop {
            let equals = self.from + self.equals.next()?;
            let (before, rest) = self.text.split_at_checked(equals)?;
            if equals >= self.at && is_named(before) && !is_found(rest.get(1..)?) {
                let links = guarded(|| self.links(equals)).flatten().unwrap_or_default();
                if !links.is_empty() {
                    return Some(links);
                }
            }
        }
    }

    /// The links of the tag around `equals`.
    fn links(&mut self, equals: usize) -> Option<Vec<Link>> {
        let near = self.read_to.max(equals.saturating_sub(TAG_LEN_MAX));
        let start = near + memchr::memrchr(b'<', self.text.get(near..equals)?)?;
        self.read_to = start + 1;
        let end = self.text.len().min(equals + VALUE_LEN_MAX);
        let text = self.text.get(..end)?;
        let mut links = Vec::new();
        let mut tokens = Tokens::new(text, start);
        let Token::Open(element) = tokens.next()? else { return None };
        let is_base = element.of(text).eq_ignore_ascii_case(b"base");
        for token in tokens {
            match token {
                Token::Attribute(name, value) => {
                    let span = trimmed(text, value);
                    let is_new = !span.is_empty() && !is_found(span.of(text));
                    if is_new && !is_base && holds_link(text, element, name) {
                        let target = clean(span.of(text));
                        links.push(Link { span, target, shown: None });
                    }
                }
                Token::Opened(behind) => {
                    self.at = self.at.max(behind);
                    self.read_to = behind;
                    let has_quote = |link: &Link| memchr::memchr(b'\'', &link.target).is_some();
                    let is_written = links.iter().any(has_quote) && is_in_script(text, start);
                    let is_hidden = is_written || !links.is_empty() && is_comment(text, start);
                    return (!is_hidden).then_some(links);
                }
                _ => return None,
            }
        }
        // What is seen of it is all tag.
        (self.at, self.read_to) = (end, end);
        None
    }
}

impl Iterator for Targets<'_> {
    type Item = Link;

    fn next(&mut self) -> Option<Link> {
        loop {
            let from = self.from;
            if let Some(link) = self.ready.find(|link| link.span.start >= from) {
                return Some(link);
            }
            self.ready = self.tag()?.into_iter();
        }
    }
}

/// True when `before` ends in the name of an attribute that links of mail stand in, and white
/// space.
#[inline]
fn is_named(before: &[u8]) -> bool {
    match before.last() {
        Some(last) if is_space(*last) => ends_in_name(before.trim_ascii_end()),
        Some(_) => ends_in_name(before),
        None => false,
    }
}

fn ends_in_name(before: &[u8]) -> bool {
    // The last letter tells which it may be.
    let name: &[u8] = match before.last().map(u8::to_ascii_lowercase) {
        Some(b'f') => b"href",
        Some(b'c') if ends_in(before, b"longdesc") => b"longdesc",
        Some(b'c') if ends_in(before, b"lowsrc") => b"lowsrc",
        Some(b'c') => b"src",
        Some(b'n') if ends_in(before, b"formaction") => b"formaction",
        Some(b'n') => b"action",
        Some(b'd') => b"background",
        Some(b'r') => b"poster",
        Some(b'e') => b"cite",
        Some(b'a') => b"data",
        Some(b'p') => b"usemap",
        _ => return false,
    };
    ends_in(before, name)
}

/// True when `before` ends in an attribute called `name`.
fn ends_in(before: &[u8], name: &[u8]) -> bool {
    let Some(start) = before.len().checked_sub(name.len()) else { return false };
    let (ahead, last) = before.split_at(start);
    let is_apart = |byte: &u8| is_space(*byte) || matches!(byte, b'"' | b'\'' | b'/');
    last.eq_ignore_ascii_case(name) && ahead.last().is_some_and(is_apart)
}

/// True when the value behind `rest` begins as those that a scanner finds.
fn is_found(rest: &[u8]) -> bool {
    let is_ahead = |byte: &&u8| is_space(**byte) || matches!(byte, b'"' | b'\'');
    let ahead = rest.iter().take_while(is_ahead).count();
    let value = rest.get(ahead..).unwrap_or_default();
    let begins = |begin: &&[u8]| {
        let is_it = value.get(..begin.len()).is_some_and(|it| it.eq_ignore_ascii_case(begin));
        is_it && value.get(begin.len()).is_some_and(u8::is_ascii_alphanumeric)
    };
    matches!(value.first(), Some(b'h' | b'H' | b'm' | b'M')) && FOUND.iter().any(begins)
}

/// What the first element `base` with a link says.
fn base(text: &[u8]) -> Option<Vec<u8>> {
    let mut tags = memmem::find_iter(text, b"<").filter(|at| {
        let name = text.get(at + 1..at + 1 + BASE.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(BASE))
    });
    tags.find_map(|start| {
        let end = text.len().min(start + TAG_LEN_MAX + VALUE_LEN_MAX);
        let mut tokens = Tokens::new(text.get(..end)?, start);
        let Token::Open(name) = tokens.next()? else { return None };
        if !name.of(text).eq_ignore_ascii_case(BASE) || is_comment(text, start) {
            return None;
        }
        tokens.find_map(|token| match token {
            Token::Attribute(name, value) if name.of(text).eq_ignore_ascii_case(b"href") => {
                Some(Some(clean(value.of(text))))
            }
            Token::Attribute(..) => None,
            _ => Some(None),
        })?
    })
}

/// The name of the element that says where links start.
const BASE: &[u8] = b"base";

/// True when a comment that is near seems to go on at `at`.
fn is_comment(text: &[u8], at: usize) -> bool {
    /// Comments of mail are rarely longer.
    const COMMENT_LEN_MAX: usize = 4 * 1024;
    let before = text.get(at.saturating_sub(COMMENT_LEN_MAX)..at).unwrap_or_default();
    memmem::rfind(before, b"<!--") > memmem::rfind(before, b"-->")
}
