//! Tags, attributes and text of HTML and XML, as spans of the bytes they stand in (HTML
//! Standard §13.2.5).
//!
//! Any bytes are tokens of some kind, nothing is copied, and each byte is looked at once or
//! twice. Which elements hold text without tags is known by their names, as it is to a
//! browser; no tree is built. Not done: elements in elements, namespaces, `plaintext`.
//!
//! Attributes are given as they stand, before it is known whether their tag has an end.

use memchr::{memchr, memchr2, memmem};

use crate::span::Span;

/// What stands next in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source::markup) enum Token {
    /// A start tag begins; its name.
    Open(Span),
    /// An attribute of the start tag; the value without quotes, empty where there is none.
    Attribute(Span, Span),
    /// The start tag ends. True when it is an end tag, too, in XML.
    Opened(bool),
    /// An end tag; its name.
    Close(Span),
    /// Text, in which references stand for characters.
    Text(Span),
    /// Text that is no markup: scripts, styles, CDATA.
    Raw(Span),
}

/// By whose rules a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source::markup) enum Rules {
    Html,
    Xml,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    Content,
    /// A start tag or an end tag.
    Tag {
        is_start: bool,
    },
    /// An element that holds no tags.
    Text(Element),
}

/// Elements that hold no tags (HTML Standard §13.2.6.2, §13.2.6.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Script,
    /// Its text is raw.
    Raw(&'static [u8]),
    /// Its text has references.
    Escapable(&'static [u8]),
}

impl Element {
    fn of(name: &[u8]) -> Option<Self> {
        const RAW: [&[u8]; 5] = [b"style", b"xmp", b"iframe", b"noembed", b"noframes"];
        const ESCAPABLE: [&[u8]; 2] = [b"title", b"textarea"];
        let is_named = |known: &&&[u8]| name.eq_ignore_ascii_case(known);
        if name.eq_ignore_ascii_case(b"script") {
            return Some(Self::Script);
        }
        let raw = RAW.iter().find(is_named).map(|known| Self::Raw(known));
        raw.or_else(|| ESCAPABLE.iter().find(is_named).map(|known| Self::Escapable(known)))
    }

    const fn name(self) -> &'static [u8] {
        match self {
            Self::Script => b"script",
            Self::Raw(name) | Self::Escapable(name) => name,
        }
    }
}

/// The tokens of a text, in the order they stand.
#[derive(Clone, Debug)]
pub(in crate::source::markup) struct Tokens<'t> {
    text: &'t [u8],
    at: usize,
    rules: Rules,
    within: Within,
    /// The name of the start tag that was read last.
    name: Span,
    /// What makes tags end their own element, and CDATA known: an XML declaration, and each
    /// element `svg` that is open.
    foreign: usize,
}

/// UTF-8's byte order mark.
pub(in crate::source::markup) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// True for what HTML takes for white space (Infra Standard §4.6).
pub(in crate::source::markup) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\x0C' | b'\r')
}

/// `span` without the white space at both ends.
pub(in crate::source::markup) fn trimmed(text: &[u8], span: Span) -> Span {
    let bytes = span.of(text);
    let Some(first) = bytes.iter().position(|byte| !is_space(*byte)) else {
        return Span::new(span.start, span.start);
    };
    let end = bytes.iter().rposition(|byte| !is_space(*byte)).map_or(0, |last| last + 1);
    Span::new(span.start + first, span.start + end)
}

impl<'t> Tokens<'t> {
    /// The tokens of `text` from `at` on, where no tag is open.
    pub(in crate::source::markup) fn new(text: &'t [u8], at: usize, rules: Rules) -> Self {
        let head = text.strip_prefix(BOM).unwrap_or(text);
        let foreign = usize::from(rules == Rules::Xml || head.starts_with(b"<?xml"));
        Self { text, at, rules, within: Within::Content, name: Span::new(0, 0), foreign }
    }

    /// Where the next token begins, or white space before it.
    pub(in crate::source::markup) const fn at(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'t [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Goes on behind `len` bytes; gives their span.
    fn take(&mut self, len: usize) -> Span {
        let start = self.at;
        self.at = self.text.len().min(start.saturating_add(len));
        Span::new(start, self.at)
    }

    /// Goes on behind what `is_part` takes; gives its span.
    fn take_while(&mut self, is_part: impl Fn(u8) -> bool) -> Span {
        let len = self.rest().iter().take_while(|byte| is_part(**byte)).count();
        self.take(len)
    }

    fn content(&mut self) -> Option<Token> {
        let text_len = markup_at(self.rest());
        if text_len > 0 {
            return Some(Token::Text(self.take(text_len)));
        }
        match self.rest() {
            [b'<', b'!', ..] => self.declaration(),
            [b'<', b'/', first, ..] if first.is_ascii_alphabetic() => {
                self.take(2);
                let name = self.tag_name();
                if name.of(self.text).eq_ignore_ascii_case(b"svg") {
                    self.foreign = self.foreign.saturating_sub(1);
                }
                self.within = Within::Tag { is_start: false };
                Some(Token::Close(name))
            }
            [b'<', first, ..] if first.is_ascii_alphabetic() => {
                self.take(1);
                self.name = self.tag_name();
                self.within = Within::Tag { is_start: true };
                Some(Token::Open(self.name))
            }
            rest => {
                let len = through(rest, b">");
                self.take(len);
                None
            }
        }
    }

    fn tag_name(&mut self) -> Span {
        self.take_while(|byte| !is_space(byte) && byte != b'/' && byte != b'>')
    }

    /// Passes over a comment, a declaration or a document type; CDATA is text.
    fn declaration(&mut self) -> Option<Token> {
        let rest = self.rest();
        if rest.starts_with(b"<!--") {
            self.take(comment_len(rest));
            return None;
        }
        if self.foreign > 0 && rest.starts_with(b"<![CDATA[") {
            self.take(b"<![CDATA[".len());
            let len = memmem::find(self.rest(), b"]]>").unwrap_or(self.rest().len());
            let inside = self.take(len);
            self.take(b"]]>".len());
            return Some(Token::Raw(inside));
        }
        let len = match memchr2(b'>', b'[', rest) {
            // The internal subset has declarations of its own (XML 1.0 §2.8).
            Some(at) if self.rules == Rules::Xml && rest.get(at) == Some(&b'[') => subset_len(rest),
            _ => through(rest, b">"),
        };
        self.take(len);
        None
    }

    /// The next attribute, or the end of the tag.
    fn tag(&mut self, is_start: bool) -> Option<Token> {
        let passed = self.take_while(|byte| is_space(byte) || byte == b'/');
        match self.rest().first() {
            None => None,
            Some(b'>') => {
                let is_closed = passed.of(self.text).ends_with(b"/");
                self.take(1);
                self.end_tag(is_start, is_closed)
            }
            Some(_) => self.attribute().filter(|_| is_start),
        }
    }

    fn end_tag(&mut self, is_start: bool, is_closed: bool) -> Option<Token> {
        self.within = Within::Content;
        if !is_start {
            return None;
        }
        let name = self.name.of(self.text);
        let is_empty = is_closed && self.foreign > 0;
        if self.rules == Rules::Html && !is_empty {
            self.within = Element::of(name).map_or(Within::Content, Within::Text);
        }
        if !is_closed && name.eq_ignore_ascii_case(b"svg") {
            self.foreign += 1;
        }
        Some(Token::Opened(is_closed))
    }

    /// The attribute that stands here; none when its value has no end.
    fn attribute(&mut self) -> Option<Token> {
        let start = self.take(1).start;
        let behind = self.take_while(|byte| !is_space(byte) && !matches!(byte, b'/' | b'>' | b'='));
        let name = Span::new(start, behind.end);
        self.take_while(is_space);
        if self.rest().first() != Some(&b'=') {
            return Some(Token::Attribute(name, Span::new(name.end, name.end)));
        }
        self.take(1);
        self.take_while(is_space);
        let value = match self.rest().first() {
            Some(quote @ (b'"' | b'\'')) => {
                self.take(1);
                let len = memchr(*quote, self.rest());
                let value = self.take(len.unwrap_or(self.rest().len()));
                self.take(1);
                len.map(|_| value)?
            }
            _ => self.take_while(|byte| !is_space(byte) && byte != b'>'),
        };
        Some(Token::Attribute(name, value))
    }

    /// What an element holds that has no tags.
    fn element(&mut self, element: Element) -> Option<Token> {
        self.within = Within::Content;
        let len = match element {
            Element::Script => script_len(self.rest()),
            _ => closing(self.rest(), element.name()),
        };
        let span = self.take(len);
        let token = match element {
            Element::Escapable(_) => Token::Text(span),
            Element::Script | Element::Raw(_) => Token::Raw(span),
        };
        (!span.is_empty()).then_some(token)
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        while self.at < self.text.len() {
            let token = match self.within {
                Within::Content => self.content(),
                Within::Tag { is_start } => self.tag(is_start),
                Within::Text(element) => self.element(element),
            };
            if token.is_some() {
                return token;
            }
        }
        None
    }
}

/// Offset of the first tag, comment or declaration; the length of `text` when there is none.
fn markup_at(text: &[u8]) -> usize {
    let is_markup = |at: &usize| match text.get(at + 1) {
        Some(byte) => byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!' | b'?'),
        None => false,
    };
    memchr::memchr_iter(b'<', text).find(is_markup).unwrap_or(text.len())
}

/// Bytes of `text` up to the end of the first `end`.
fn through(text: &[u8], end: &[u8]) -> usize {
    memmem::find(text, end).map_or(text.len(), |at| at + end.len())
}

/// Bytes of the document type that `text` begins with, when it has an internal subset: up to
/// the `]` and `>` at its end.
fn subset_len(text: &[u8]) -> usize {
    let ends = memchr::memchr_iter(b'>', text)
        .find(|end| text.get(..*end).unwrap_or_default().trim_ascii_end().ends_with(b"]"));
    ends.map_or(text.len(), |end| end + 1)
}

/// Bytes of the comment that `text` begins with (HTML Standard §13.2.5.43 to §13.2.5.52).
fn comment_len(text: &[u8]) -> usize {
    let ends = memchr::memchr_iter(b'>', text).find(|end| {
        let inside = text.get(..*end).unwrap_or_default();
        // The dashes in front may be those of the end: `<!-->` and `<!--->` are comments.
        inside.ends_with(b"--") || (inside.len() > b"<!---!".len() && inside.ends_with(b"--!"))
    });
    ends.map_or(text.len(), |end| end + 1)
}

/// Offset of the end tag called `name`.
fn closing(text: &[u8], name: &[u8]) -> usize {
    let found = memchr::memchr_iter(b'<', text).find(|at| {
        let tag = text.get(at + 1..).unwrap_or_default();
        tag.strip_prefix(b"/").is_some_and(|rest| begins(rest, name))
    });
    found.unwrap_or(text.len())
}

/// True when `text` begins with the name of a tag, and the name ends there.
fn begins(text: &[u8], name: &[u8]) -> bool {
    let is_same = text.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name));
    is_same && text.get(name.len()).is_some_and(|byte| is_space(*byte) || b"/>".contains(byte))
}

/// Offset of the end tag of a script, in which comments may hold scripts of their own (HTML
/// Standard §13.2.5.15 to §13.2.5.31).
fn script_len(text: &[u8]) -> usize {
    const NAME: &[u8] = b"script";
    let (mut is_comment, mut is_script) = (false, false);
    for at in memchr::memchr2_iter(b'<', b'>', text) {
        let rest = text.get(at..).unwrap_or_default();
        let before = text.get(..at).unwrap_or_default();
        match rest {
            [b'>', ..] if before.ends_with(b"--") => (is_comment, is_script) = (false, false),
            [b'<', b'!', b'-', b'-', ..] => is_comment = true,
            [b'<', b'/', name @ ..] if begins(name, NAME) => {
                if !is_script {
                    return at;
                }
                is_script = false;
            }
            [b'<', name @ ..] if is_comment && begins(name, NAME) => is_script = true,
            _ => {}
        }
    }
    text.len()
}

/// Bytes of `text` before its document type or its first tag: a byte order mark, white space,
/// comments, an XML declaration and other instructions.
pub(in crate::source::markup) fn prolog_len(text: &[u8]) -> usize {
    let mut at = if text.starts_with(BOM) { BOM.len() } else { 0 };
    loop {
        let rest = text.get(at..).unwrap_or_default();
        at += match rest {
            [first, ..] if is_space(*first) => 1,
            [b'<', b'!', b'-', b'-', ..] => comment_len(rest),
            [b'<', b'?', ..] => through(rest, b">"),
            _ => return at,
        };
    }
}
