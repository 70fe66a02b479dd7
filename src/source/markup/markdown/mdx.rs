//! Reads MDX: Markdown with the tags and expressions of JSX (MDX, "What is MDX?", "Markdown").
//!
//! It has neither HTML blocks nor indented code: the text between tags is Markdown, however far it
//! is indented. So the text is read twice: as Markdown, without its indents and with a stand-in
//! before each tag that begins a line, and as HTML, without its code, because tags that hold
//! expressions are no HTML to a reader of Markdown. The links of both count. Comments, `{/* … */}`,
//! are skipped.
//!
//! A string in the braces of an attribute is its value (`literal`), and `to` of components for
//! links is a link, as in `<Link to="./guide.md">` (Docusaurus, React Router).
//!
//! Not read: links that programs make, in `export` and in other expressions.

mod literal;

use std::borrow::Cow;

use memchr::memmem;
use pulldown_cmark::Parser;

use super::{STAND_IN, depth, is_code, options, readable};
use crate::source::markup::html::tokens::{Token, Tokens, trimmed};
use crate::source::markup::lines::Line;
use crate::source::markup::reference::Resolved;
use crate::source::markup::{Link, Page, html};
use crate::span::Span;

/// Returns the links of a document in MDX.
pub(in crate::source::markup) fn page(text: &[u8]) -> Page {
    let text = without_comments(text);
    let flat = Flat::new(&text);
    let mut page = super::page(&flat.text);
    if page.is_failed {
        return page;
    }
    for link in &mut page.links {
        link.span = flat.original(link.span);
    }
    for replaced in &mut page.replaced {
        replaced.span = flat.original(replaced.span);
    }
    let tags = flat.without_code(&text);
    let mut inside = html::page(&tags);
    inside.links.extend(to_components(&tags));
    inside.links.iter_mut().for_each(|link| read_literal(&tags, link));
    page.append(inside, 0);
    super::in_order(page)
}

/// Decodes the string of `link`, if it is a literal in braces.
fn read_literal(text: &[u8], link: &mut Link) {
    if let Some((span, target)) = literal::in_braces(text, link.span.start) {
        (link.span, link.target) = (span, target);
    }
}

/// Returns the links of components that have them in `to`.
fn to_components(text: &[u8]) -> Vec<Link> {
    let (mut links, mut is_link) = (Vec::new(), false);
    for token in Tokens::new(text, 0) {
        match token {
            Token::Open(name) => is_link = is_link_component(name.of(text)),
            Token::Attribute(name, value) if is_link && name.of(text) == b"to" => {
                let span = trimmed(text, value);
                let target = Resolved::new(text, span).bytes.into_owned();
                links.push(Link { span, target, shown: None });
            }
            _ => {}
        }
    }
    links.retain(|link| !link.span.is_empty());
    links
}

/// Reports whether `name` is `Link`, `NavLink`, `Redirect` or the like: names of components have a
/// capital.
fn is_link_component(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_uppercase)
        && [&b"Link"[..], b"Redirect", b"Navigate"].iter().any(|end| name.ends_with(end))
}

/// Returns the text in the form that shows the most to a reader of Markdown alone.
pub(in crate::source::markup) fn flat(text: &[u8]) -> Vec<u8> {
    Flat::new(&without_comments(text)).text
}

/// Returns the spans of the code in a document in MDX; empty if reading would take too long.
pub(in crate::source::markup) fn code(text: &[u8]) -> Vec<Span> {
    let text = without_comments(text);
    let flat = Flat::new(&text);
    if depth::is_too_deep(&flat.text) { Vec::new() } else { flat.code(&text) }
}

/// Returns `text` with blanks for its comments, so that every offset stays.
fn without_comments(text: &[u8]) -> Cow<'_, [u8]> {
    const OPEN: &[u8] = b"{/*";
    const CLOSE: &[u8] = b"*/}";
    let mut out = Cow::Borrowed(text);
    let mut at = 0;
    while let Some(open) = memmem::find(text.get(at..).unwrap_or_default(), OPEN) {
        let start = at + open;
        let inside = text.get(start + OPEN.len()..).unwrap_or_default();
        let Some(len) = memmem::find(inside, CLOSE) else { break };
        at = start + OPEN.len() + len + CLOSE.len();
        blank(out.to_mut().get_mut(start..at).unwrap_or_default());
    }
    out
}

/// Reports whether `code` is a template of JavaScript in the braces of an attribute.
fn is_in_braces(text: &[u8], code: Span) -> bool {
    let before = text.get(..code.start).unwrap_or_default().trim_ascii_end();
    before.strip_suffix(b"{").is_some_and(|before| before.trim_ascii_end().ends_with(b"="))
}

/// Replaces `text` by blanks, except for its line ends.
fn blank(text: &mut [u8]) {
    text.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

/// A text without indents, in which no line begins with a tag.
struct Flat {
    text: Vec<u8>,
    /// The offsets of lines here, and of the same bytes in the original text.
    starts: Vec<(usize, usize)>,
}

impl Flat {
    fn new(text: &[u8]) -> Self {
        let mut flat = Self { text: Vec::with_capacity(text.len()), starts: Vec::new() };
        let mut at = 0;
        while let Some(line) = Line::at(text, at) {
            at = line.next;
            if text.get(line.body) == Some(&b'<') {
                flat.text.push(STAND_IN as u8);
            }
            flat.starts.push((flat.text.len(), line.body));
            flat.text.extend_from_slice(Span::new(line.body, line.next).of(text));
        }
        flat
    }

    /// Returns the original `text` with blanks for its code, so that every offset stays.
    fn without_code(&self, text: &[u8]) -> Vec<u8> {
        let mut out = text.to_vec();
        for code in self.code(text) {
            blank(out.get_mut(code.range()).unwrap_or_default());
        }
        out
    }

    /// Returns the spans of the code in the original `text`.
    fn code(&self, text: &[u8]) -> Vec<Span> {
        let readable = readable(&self.text);
        let events = Parser::new_ext(&readable, options()).into_offset_iter();
        let code = events.filter(|(event, _)| is_code(event));
        let code = code.map(|(_, range)| self.original(Span::new(range.start, range.end)));
        code.filter(|code| !is_in_braces(text, *code)).collect()
    }

    /// Returns the place of `span` in the original text.
    fn original(&self, span: Span) -> Span {
        let start = self.place(span.start);
        let last = self.place(span.end.saturating_sub(1));
        Span::new(start, if span.is_empty() { start } else { (last + 1).max(start) })
    }

    fn place(&self, at: usize) -> usize {
        let line = self.starts.partition_point(|(start, _)| *start <= at).saturating_sub(1);
        self.starts.get(line).map_or(at, |(start, original)| original + at.saturating_sub(*start))
    }
}
