//! Finds links in attributes of HTML in mail that a scanner does not find: relative references, and
//! values that browsers read as a URI though they are none, as `https:\\h\` (URL Standard §4.4).
//!
//! The tags of mail are not all tokenized: values that begin as nearly all do are skipped, since a
//! scanner finds those, and only the tags of the others are read. References are resolved before,
//! so that a tag which is only shown is one, too.

use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};
use std::vec::IntoIter;

use memchr::{Memchr, memmem};

use super::tokens::{Token, Tokens, is_space, trimmed};
use super::value::{TAG_LEN_MAX, VALUE_LEN_MAX, holds_link, is_in_script};
use super::{ATTRIBUTES, Value, clean};
use crate::source::markup::{Link, caught};
use crate::span::Span;

/// The beginnings of values that a scanner finds.
const FOUND: [&[u8]; 3] = [b"http://", b"https://", b"mailto:"];

/// The links of attributes in HTML whose references are resolved, in order, without those that
/// begin as most do.
pub struct Targets<'t> {
    text: &'t [u8],
    /// The offset where the HTML begins.
    start: usize,
    /// The equals signs from `from` on that were not looked at.
    equals: Memchr<'t>,
    /// The offset from which on the next attribute may begin its value.
    at: usize,
    /// The offset from which on the first link may begin.
    from: usize,
    /// The offset before which all tags were read.
    read_to: usize,
    /// Links of the tag that was read last.
    ready: IntoIter<Link>,
    /// The base of relative links that the HTML declares, if it was searched for.
    base: Option<Option<Arc<[u8]>>>,
}

impl<'t> Targets<'t> {
    /// Creates the iterator over links of `text` whose values begin at `from` or after it. The HTML
    /// begins at `start`, or continues there.
    #[must_use]
    pub fn new(text: &'t [u8], start: usize, from: usize) -> Self {
        let equals = memchr::memchr_iter(b'=', text.get(from..).unwrap_or_default());
        let (read_to, ready) = (from.saturating_sub(TAG_LEN_MAX), Vec::new().into_iter());
        Self { text, start, equals, at: from, from, read_to, ready, base: None }
    }

    /// Returns the base of relative links.
    pub fn base(&mut self) -> Option<Arc<[u8]>> {
        let html = self.text.get(self.start..).unwrap_or_default();
        let find = || caught(|| base(html)).flatten().map(Arc::from);
        self.base.get_or_insert_with(find).clone()
    }

    /// Returns the links of the next tag that has some.
    fn tag(&mut self) -> Option<Vec<Link>> {
        loop {
            let equals = self.from + self.equals.next()?;
            let (before, rest) = self.text.split_at_checked(equals)?;
            if equals >= self.at && is_named(before) && !is_found(rest.get(1..)?) {
                let links = caught(|| self.links(equals)).flatten().unwrap_or_default();
                if !links.is_empty() {
                    return Some(links);
                }
            }
        }
    }

    /// Returns the links of the tag around `equals`.
    fn links(&mut self, equals: usize) -> Option<Vec<Link>> {
        let near = self.read_to.max(equals.saturating_sub(TAG_LEN_MAX));
        let start = near + memchr::memrchr(b'<', self.text.get(near..equals)?)?;
        self.read_to = start + 1;
        let end = self.text.len().min(equals + VALUE_LEN_MAX);
        let text = self.text.get(..end)?;
        let mut links = Vec::new();
        let after = read_tag(text, start, |element, name, value| {
            let span = trimmed(text, value);
            let is_new = !span.is_empty() && !is_found(span.of(text));
            let is_base = element.of(text).eq_ignore_ascii_case(BASE);
            if is_new && !is_base && holds_link(text, element, name) {
                links.push(Link { span, target: clean(span.of(text)), shown: None });
            }
        });
        // The token that begins there ends here, and no tag begins in it.
        let passed = after.continue_value().unwrap_or(end);
        (self.at, self.read_to) = (self.at.max(passed), passed.max(start + 1));
        let has_quote = |link: &Link| memchr::memchr(b'\'', &link.target).is_some();
        let is_written = || links.iter().any(has_quote) && is_in_script(text, start);
        let is_seen = !links.is_empty() && after.is_continue();
        (is_seen && !is_written() && !is_comment(text, start)).then_some(links)
    }
}

/// Passes the element, name and value of each attribute of the tag at `start` of `text` to `found`,
/// and returns the end offset of the tag. Breaks if the tag, or another token there, has no end in
/// sight.
fn read_tag(
    text: &[u8],
    start: usize,
    mut found: impl FnMut(Span, Span, Span),
) -> ControlFlow<(), usize> {
    let mut element = None;
    for token in Tokens::new(text, start) {
        match (token, element) {
            (Token::Open(name), None) => element = Some(name),
            (Token::Attribute(name, value), Some(element)) => found(element, name, value),
            (Token::Opened(end), Some(_)) => return ControlFlow::Continue(end),
            (Token::Text(span) | Token::Raw(span) | Token::Close(span), None) => {
                return ControlFlow::Continue(span.end);
            }
            (Token::Doctype(span), None) => return ControlFlow::Continue(span.end),
            _ => return ControlFlow::Break(()),
        }
    }
    ControlFlow::Break(())
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

/// Reports whether `before` ends in the name of an attribute that is a link, and optional white
/// space.
#[inline]
fn is_named(before: &[u8]) -> bool {
    match before.last() {
        Some(last) if is_space(*last) => ends_in_name(before.trim_ascii_end()),
        Some(_) => ends_in_name(before),
        None => false,
    }
}

/// The names of attributes that are links, by their last letters.
static NAMES: LazyLock<[Vec<&[u8]>; 26]> = LazyLock::new(|| {
    let mut names: [Vec<&[u8]>; 26] = Default::default();
    for attribute in ATTRIBUTES.iter().filter(|attribute| attribute.value == Value::Link) {
        let row = attribute.name.last().and_then(|last| row(*last));
        if let Some(row) = row.and_then(|row| names.get_mut(row)) {
            row.push(attribute.name);
        }
    }
    names
});

/// Returns the row of [`NAMES`] for a letter.
fn row(letter: u8) -> Option<usize> {
    letter.is_ascii_alphabetic().then(|| usize::from(letter.to_ascii_lowercase() - b'a'))
}

fn ends_in_name(before: &[u8]) -> bool {
    let row = before.last().and_then(|last| NAMES.get(row(*last)?));
    row.is_some_and(|names| names.iter().any(|name| ends_in(before, name)))
}

/// Reports whether `before` ends in an attribute called `name`.
fn ends_in(before: &[u8], name: &[u8]) -> bool {
    let Some(start) = before.len().checked_sub(name.len()) else { return false };
    let (ahead, last) = before.split_at(start);
    let is_apart = |byte: &u8| is_space(*byte) || matches!(byte, b'"' | b'\'' | b'/');
    last.eq_ignore_ascii_case(name) && ahead.last().is_some_and(is_apart)
}

/// Reports whether the value after `rest`'s blanks and quote begins as those that a scanner finds.
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

/// Returns the value of the first element `base` with a link.
fn base(text: &[u8]) -> Option<Vec<u8>> {
    let mut at = 0;
    loop {
        let start = at + memchr::memchr(b'<', text.get(at..)?)?;
        at = start + 1;
        let name = text.get(at..at + BASE.len());
        if !name.is_some_and(|name| name.eq_ignore_ascii_case(BASE)) {
            continue;
        }
        let end = text.len().min(start + TAG_LEN_MAX + VALUE_LEN_MAX);
        let mut link = None;
        let near = text.get(..end)?;
        let after = read_tag(near, start, |element, name, value| {
            let is = |span: Span, known: &[u8]| span.of(near).eq_ignore_ascii_case(known);
            if is(element, BASE) && is(name, b"href") {
                link.get_or_insert_with(|| clean(value.of(near)));
            }
        });
        at = after.continue_value().unwrap_or(end).max(at);
        if link.is_some() && after.is_continue() && !is_comment(text, start) {
            return link;
        }
    }
}

/// The name of the element that declares the base of links.
const BASE: &[u8] = b"base";

/// Reports whether a comment seems to be open at `at`, by the bytes near before it.
fn is_comment(text: &[u8], at: usize) -> bool {
    /// Comments of mail are rarely longer.
    const COMMENT_LEN_MAX: usize = 4 * 1024;
    let before = text.get(at.saturating_sub(COMMENT_LEN_MAX)..at).unwrap_or_default();
    let begins = |mark: &usize| before.get(mark.saturating_sub(1)..mark + 3) == Some(b"<!--");
    let last = memchr::memrchr_iter(b'!', before).find(begins);
    last.is_some_and(|mark| memmem::find(before.get(mark..).unwrap_or_default(), b"-->").is_none())
}
