//! Reads HTML documents: the attributes that hold links, the base of relative ones, and the text
//! that readers see (HTML Standard, index of attributes; SVG 2 §16).
//!
//! [`ATTRIBUTES`] lists the attributes. Not read: documents in `srcdoc`, properties of `meta` and
//! RDFa, which name things rather than link to them, and the effects of scripts.

pub(in crate::source) mod breaks;
mod data;
mod display;
mod glance;
mod hrefs;
pub(in crate::source) mod joints;
pub(in crate::source) mod open;
mod part;
pub(in crate::source) mod scripts;
mod shown;
mod targets;
pub(super) mod tokens;
mod value;

use memchr::memmem;

use super::escapes::is_xml;
use super::reference::{self, Resolved, Within};
use super::{Escapes, Link, Markup, Page, Replaced, css};
use crate::span::Span;
use joints::Joints;
use tokens::{Token, Tokens, is_space, root, trimmed};

pub use hrefs::hrefs;
pub(super) use part::part;
pub use shown::shown_at;
pub use targets::Targets;
pub use value::link_at;

/// The way in which an attribute holds links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    /// The value is a link.
    Link,
    /// The value is links with white space between them.
    Links,
    /// The value is links with a width or a density each (HTML Standard §4.8.4.2.1).
    Sources,
    /// The value is a list of declarations in CSS.
    Style,
}

/// An attribute that holds links.
struct Attribute {
    name: &'static [u8],
    /// Elements that have it; empty if any may have it.
    of: &'static [&'static [u8]],
    value: Value,
}

const fn any(name: &'static [u8], value: Value) -> Attribute {
    Attribute { name, of: &[], value }
}

const fn link(name: &'static [u8], of: &'static [&'static [u8]]) -> Attribute {
    Attribute { name, of, value: Value::Link }
}

/// The attributes that hold links, those of older versions too. At most 64.
static ATTRIBUTES: &[Attribute] = &[
    any(b"href", Value::Link),
    any(b"src", Value::Link),
    any(b"style", Value::Style),
    any(b"srcset", Value::Sources),
    any(b"imagesrcset", Value::Sources),
    any(b"xlink:href", Value::Link),
    any(b"background", Value::Link),
    any(b"formaction", Value::Link),
    link(b"action", &[b"form"]),
    link(b"cite", &[b"blockquote", b"q", b"del", b"ins"]),
    link(b"data", &[b"object"]),
    link(b"longdesc", &[b"img", b"frame", b"iframe"]),
    link(b"lowsrc", &[b"img"]),
    link(b"manifest", &[b"html"]),
    link(b"poster", &[b"video"]),
    link(b"usemap", &[b"img", b"object", b"input"]),
    // SVG has these properties also as attributes (SVG 2 §6.6).
    any(b"clip-path", Value::Style),
    any(b"cursor", Value::Style),
    any(b"fill", Value::Style),
    any(b"filter", Value::Style),
    any(b"marker", Value::Style),
    any(b"marker-end", Value::Style),
    any(b"marker-mid", Value::Style),
    any(b"marker-start", Value::Style),
    any(b"mask", Value::Style),
    any(b"stroke", Value::Style),
    Attribute { name: b"ping", of: &[b"a", b"area"], value: Value::Links },
];

/// Longest name of an attribute that holds links, in bytes.
const NAME_LEN_MAX: usize = 12;

/// The rows of [`ATTRIBUTES`] whose names have a length, as bits: most names of other attributes
/// are compared with none.
static ROWS: [u64; NAME_LEN_MAX + 1] = {
    let mut rows = [0; NAME_LEN_MAX + 1];
    let mut row = 0;
    while row < ATTRIBUTES.len() {
        rows[ATTRIBUTES[row].name.len()] |= 1 << row;
        row += 1;
    }
    rows
};

/// Returns the row of [`ATTRIBUTES`] that is called `name`, in letters of any case.
fn row_of(name: &[u8]) -> Option<usize> {
    let mut rows = *ROWS.get(name.len())?;
    while rows != 0 {
        let row = usize::try_from(rows.trailing_zeros()).ok()?;
        if ATTRIBUTES.get(row).is_some_and(|it| it.name.eq_ignore_ascii_case(name)) {
            return Some(row);
        }
        rows &= rows - 1;
    }
    None
}

/// The namespace of links in XML (`XLink` 1.1 §3.2).
const XLINK: &[u8] = b"http://www.w3.org/1999/xlink";

/// Returns the links of an HTML document.
pub(super) fn page(text: &[u8]) -> Page {
    data::joined(text).map_or_else(|| read(text), |together| together.page(read))
}

/// Returns the links of an HTML document whose CDATA sections, if any, are long.
fn read(text: &[u8]) -> Page {
    let mut reader = HtmlReader::new(text);
    for token in Tokens::new(text, 0) {
        match token {
            Token::Open(name) => {
                let first = reader.page.links.len();
                reader.breaks = breaks::is_name(name.of(text)).then(|| name.start - 1);
                reader.tag = Tag { name, first: Some(first), ..Tag::default() };
            }
            Token::Attribute(name, value) => reader.attribute(name, value),
            Token::Opened(end) => reader.opened(end),
            Token::Raw(span) => reader.raw(span),
            Token::Text(span) => reader.text(span),
            Token::Doctype(_) | Token::Close(_) => {}
        }
    }
    reader.resolve(text.len());
    // A tag that the end of the document cuts does not count.
    reader.page.links.truncate(reader.tag.first.unwrap_or(usize::MAX));
    // The two attributes of a refresh occur in either order.
    reader.page.links.sort_by_key(|link| link.span.start);
    reader.page
}

struct HtmlReader<'t> {
    text: &'t [u8],
    page: Page,
    tag: Tag,
    /// End offset of the text in which references were resolved.
    resolved: usize,
    /// A prefix, and whether the document declares it as that of `XLink`.
    prefix: (&'t [u8], bool),
    /// The offset of the current tag, if it divides no word.
    breaks: Option<usize>,
    /// The places where a word that readers see as one is divided.
    joints: Joints,
    /// End offset of the last text.
    text_end: usize,
}

/// The facts known about the current tag.
#[derive(Default)]
struct Tag {
    name: Span,
    /// The number of links before it, until it ends.
    first: Option<usize>,
    /// Rows of [`ATTRIBUTES`] that occurred, as bits: of several equal ones, the first counts.
    seen: u64,
    /// The index of the link in `href` of an `a`.
    anchor: Option<usize>,
    /// The value of `type`.
    media_type: Option<Span>,
    /// The values of `http-equiv` and `content` of a `meta`.
    state: Option<Span>,
    content: Option<Span>,
}

impl<'t> HtmlReader<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self {
            text,
            page: Page::default(),
            tag: Tag::default(),
            resolved: 0,
            prefix: (b"", false),
            breaks: None,
            joints: Joints::default(),
            text_end: 0,
        }
    }

    fn is_tag(&self, name: &[u8]) -> bool {
        self.tag.name.of(self.text).eq_ignore_ascii_case(name)
    }

    fn attribute(&mut self, name: Span, value: Span) {
        let name = self.known_name(name);
        let is_named = |known: &[u8]| name.eq_ignore_ascii_case(known);
        if is_named(b"type") {
            self.tag.media_type.get_or_insert(value);
        }
        if self.is_tag(b"meta") {
            if is_named(b"http-equiv") {
                self.tag.state.get_or_insert(value);
            } else if is_named(b"content") {
                self.tag.content.get_or_insert(value);
            }
            return;
        }
        let Some(row) = row_of(name) else { return };
        let Some(Attribute { of, value: kind, .. }) = ATTRIBUTES.get(row) else { return };
        let is_first = self.tag.seen >> row & 1 == 0;
        self.tag.seen |= 1 << row;
        if is_first && (of.is_empty() || of.iter().any(|element| self.is_tag(element))) {
            self.value(*kind, value, row == 0);
        }
    }

    /// Returns `name`, or `xlink:href` for a link of `XLink` under another prefix (Namespaces in
    /// XML §4).
    fn known_name(&mut self, name: Span) -> &'t [u8] {
        let name = name.of(self.text);
        let Some(prefix) = name.strip_suffix(b":href") else { return name };
        if self.prefix.0 != prefix {
            self.prefix = (prefix, is_xlink(self.text, prefix));
        }
        if self.prefix.1 { b"xlink:href" } else { name }
    }

    fn value(&mut self, kind: Value, value: Span, is_href: bool) {
        match kind {
            Value::Link if is_href && self.is_tag(b"base") => {
                let base = &mut self.page.base;
                let value = Resolved::new(self.text, value);
                base.get_or_insert_with(|| clean(&value.bytes));
            }
            Value::Link => {
                let is_anchor = self.is_tag(b"a");
                // An empty link leads nowhere, unless it leads to the document itself.
                let may_be_empty = is_href && (is_anchor || self.is_tag(b"area"));
                let at = self.page.links.len();
                self.links(value, &mut |text, found| {
                    let span = trimmed(text, Span::new(0, text.len()));
                    if may_be_empty || !span.is_empty() {
                        found(span, clean(span.of(text)));
                    }
                });
                let is_link = self.page.links.len() > at;
                self.tag.anchor = (is_href && is_anchor && is_link).then_some(at);
            }
            Value::Links => self.links(value, &mut |text, found| words(text, found)),
            Value::Sources => self.links(value, &mut |text, found| sources(text, found)),
            Value::Style => self.links(value, &mut |text, found| css::urls(text, found)),
        }
    }

    /// Appends the links that `split` finds in `value`, whose references are resolved first.
    fn links(&mut self, value: Span, split: &mut dyn FnMut(&[u8], css::Found<'_>)) {
        let value = Resolved::new(self.text, value);
        let links = &mut self.page.links;
        split(&value.bytes, &mut |span, target| {
            links.push(Link { span: value.source(span), target, shown: None });
        });
    }

    /// Ends a start tag at `end`, where the content of its element begins.
    fn opened(&mut self, end: usize) {
        self.tag.first = None;
        if let Some(start) = self.breaks.take() {
            self.resolve(start);
            self.resolved = end;
            self.page.replaced.push(Replaced::new(Span::new(start, end), b""));
        }
        if let (Some(state), Some(content)) = (self.tag.state, self.tag.content)
            && state.of(self.text).eq_ignore_ascii_case(b"refresh")
        {
            self.links(content, &mut |text, found| refresh(text, found));
        }
        if let Some(anchor) = self.tag.anchor.and_then(|at| self.page.links.get_mut(at)) {
            anchor.shown = shown::after(self.text, end);
        }
    }

    /// Reads text, in which references need no semicolon.
    fn text(&mut self, span: Span) {
        self.shown(span);
        self.resolve(span.start);
        let start = span.start.max(self.resolved);
        let found = reference::find_within(Within::Text, self.text, Span::new(start, span.end));
        self.page.replaced.extend(found);
        self.resolved = self.resolved.max(span.end);
    }

    /// Reads text that readers see, and that may continue the word before it.
    fn shown(&mut self, span: Span) {
        while let Some(joint) = self.joints.next(self.text, self.text_end) {
            // A joint outside of text, as in a comment, does not count.
            if joint.start < self.text_end {
                self.text_end = joint.end;
                continue;
            }
            if joint.start == self.text_end && span.start < joint.end {
                return;
            }
            if joint == Span::new(self.text_end, span.start) {
                self.join(joint);
            }
            break;
        }
        self.text_end = span.end;
    }

    /// Joins the words around `joint`, whose bytes denote nothing.
    fn join(&mut self, joint: Span) {
        if self.page.links.last().is_some_and(|last| last.span.start >= joint.start) {
            return;
        }
        self.resolve(joint.start);
        let replaced = &mut self.page.replaced;
        while replaced.pop_if(|last| last.span.start >= joint.start).is_some() {}
        replaced.push(Replaced::new(joint, b""));
        self.resolved = self.resolved.max(joint.end);
    }

    /// Reads scripts, styles and CDATA, which have no references.
    fn raw(&mut self, span: Span) {
        self.resolve(span.start);
        self.resolved = span.end;
        if self.is_tag(b"style") {
            let links = &mut self.page.links;
            css::urls(span.of(self.text), &mut |inside, target| {
                let span = Span::new(span.start + inside.start, span.start + inside.end);
                links.push(Link { span, target, shown: None });
            });
        }
        let media_type = self.tag.media_type.unwrap_or_default().of(self.text);
        if self.is_tag(b"script") && is_json(media_type) {
            self.page.replaced.extend(Escapes::JSON.find(self.text, span));
        }
    }

    /// Resolves the references up to `to`.
    fn resolve(&mut self, to: usize) {
        let found = reference::find(self.text, Span::new(self.resolved, to));
        self.page.replaced.extend(found);
    }
}

/// Reports whether `text` declares `prefix` as that of `XLink`.
fn is_xlink(text: &[u8], prefix: &[u8]) -> bool {
    let name = [b"xmlns:", prefix].concat();
    let is_its = |at: usize| {
        let value = text.get(at + name.len()..)?.trim_ascii_start().strip_prefix(b"=")?;
        let value = value.trim_ascii_start();
        Some(value.get(1..)?.starts_with(XLINK) && matches!(value.first(), Some(b'"' | b'\'')))
    };
    // Documents declare it near the beginning, if at all.
    let near = text.get(..XLINK_WITHIN).unwrap_or(text);
    !prefix.is_empty() && memmem::find_iter(near, &name).any(|at| is_its(at) == Some(true))
}

/// Bytes at the beginning of a document that are searched for declarations of prefixes.
const XLINK_WITHIN: usize = 64 * 1024;

/// Reports whether a script of that type is JSON: data, of which JSON-LD is the most frequent, or a
/// type that browsers read (HTML Standard §4.12.1).
fn is_json(media_type: &[u8]) -> bool {
    const OTHERS: [&str; 2] = ["importmap", "speculationrules"];
    let name = media_type.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    OTHERS.contains(&&*name) || Markup::with_escapes(&name) == Some(Markup::Json)
}

/// Returns a URL without the blanks around it and without its line ends (URL Standard §4.4: leading
/// and trailing controls and blanks, tabs and newlines anywhere).
fn clean(text: &[u8]) -> Vec<u8> {
    let is_blank = |byte: &&u8| **byte <= b' ';
    let blanks = text.iter().take_while(is_blank).count();
    let after = text.iter().rev().take_while(is_blank).count();
    let inside = text.get(blanks..text.len().saturating_sub(after)).unwrap_or_default();
    if memchr::memchr3(b'\t', b'\n', b'\r', inside).is_none() {
        return inside.to_vec();
    }
    inside.iter().copied().filter(|byte| !matches!(byte, b'\t' | b'\n' | b'\r')).collect()
}

/// Passes each word of `text` to `found`.
fn words(text: &[u8], found: css::Found<'_>) {
    let mut at = 0;
    for word in text.split(|byte| is_space(*byte)) {
        if !word.is_empty() {
            found(Span::new(at, at + word.len()), word.to_vec());
        }
        at += word.len() + 1;
    }
}

/// Passes each candidate of an attribute `srcset` to `found` (HTML Standard §4.8.4.3.10).
fn sources(text: &[u8], found: css::Found<'_>) {
    let mut at = 0;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        at += rest.iter().take_while(|byte| is_space(**byte) || **byte == b',').count();
        let rest = text.get(at..).unwrap_or_default();
        let len = rest.iter().take_while(|byte| !is_space(**byte)).count();
        let Some(url) = rest.get(..len).filter(|url| !url.is_empty()) else { return };
        let commas = url.iter().rev().take_while(|byte| **byte == b',').count();
        let span = Span::new(at, at + len - commas);
        found(span, span.of(text).to_vec());
        at += len;
        if commas == 0 {
            at += descriptor_len(text.get(at..).unwrap_or_default());
        }
    }
}

/// Returns the length of a candidate's descriptors: up to a comma outside of parentheses.
fn descriptor_len(rest: &[u8]) -> usize {
    let mut is_inside = false;
    let end = rest.iter().position(|byte| {
        match byte {
            b'(' => is_inside = true,
            b')' => is_inside = false,
            _ => {}
        }
        *byte == b',' && !is_inside
    });
    end.unwrap_or(rest.len())
}

/// Passes the URL of a refresh to `found`: `5; url='…'` (HTML Standard §4.2.5.3).
fn refresh(text: &[u8], found: css::Found<'_>) {
    let blanks = |rest: &[u8]| rest.iter().take_while(|byte| is_space(**byte)).count();
    let after = |at: usize| text.get(at..).unwrap_or_default();
    let mut at = blanks(text);
    let time = after(at).iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.');
    let time = time.count();
    at += time;
    let gap = blanks(after(at));
    let mark = usize::from(matches!(after(at + gap), [b';' | b',', ..]));
    if time == 0 || gap + mark == 0 {
        return;
    }
    at += gap + mark;
    at += blanks(after(at));
    at += name_len(after(at));
    let mut end = text.len();
    if let [quote @ (b'"' | b'\''), inside @ ..] = after(at) {
        at += 1;
        end = inside.iter().position(|byte| byte == quote).map_or(end, |len| at + len);
    }
    let span = trimmed(text, Span::new(at, end));
    if !span.is_empty() {
        found(span, clean(span.of(text)));
    }
}

/// Reports whether `content`, the value of a refresh, leads to a URL. Without one, the page itself
/// is loaded again.
#[must_use]
pub fn leads_on(content: &[u8]) -> bool {
    let mut leads_on = false;
    refresh(content, &mut |_, _| leads_on = true);
    leads_on
}

/// Returns the length of `url =` and the blanks around; zero if it is missing.
fn name_len(rest: &[u8]) -> usize {
    let blanks = |from: usize| {
        let rest = rest.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| is_space(**byte)).count()
    };
    if !rest.get(..3).is_some_and(|name| name.eq_ignore_ascii_case(b"url")) {
        return 0;
    }
    let at = blanks(3);
    if rest.get(at) == Some(&b'=') { blanks(at + 1) } else { 0 }
}

/// Reports whether `head` begins a document in HTML: with its document type or its tag.
pub(super) fn is_html(head: &[u8]) -> bool {
    is_begun_by(head, |name| name.eq_ignore_ascii_case(b"html"))
}

/// Reports whether `head` begins with another tag by which browsers recognise HTML (MIME Sniffing
/// §7.1), or with that of SVG.
pub(super) fn looks_like_html(head: &[u8]) -> bool {
    const NAMES: [&[u8]; 15] = [
        b"a", b"b", b"base", b"body", b"br", b"div", b"font", b"h1", b"head", b"iframe", b"p",
        b"script", b"style", b"table", b"title",
    ];
    // In other XML such a name may mean anything.
    let is_xml = is_xml(head);
    let is_named = |name: &[u8], known: &[u8]| name.eq_ignore_ascii_case(known);
    is_begun_by(head, |name| {
        is_named(name, b"svg") || !is_xml && NAMES.iter().any(|known| is_named(name, known))
    })
}

/// Reports whether `is_it` accepts the name of the first tag of `head`, or its document type, after
/// white space, comments and an XML declaration.
fn is_begun_by(head: &[u8], is_it: impl Fn(&[u8]) -> bool) -> bool {
    let root = root(head);
    // Most texts are no documents, and are not read further.
    if head.get(root) != Some(&b'<') {
        return false;
    }
    let is_blank =
        |token: &Token| matches!(token, Token::Text(span) if trimmed(head, *span).is_empty());
    match Tokens::new(head, root).find(|token| !is_blank(token)) {
        Some(Token::Doctype(name) | Token::Open(name)) => is_it(name.of(head)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{ATTRIBUTES, row_of};

    #[test]
    fn attributes_are_found_by_their_names_in_any_case() {
        let others: [&[u8]; 6] = [b"", b"x", b"class", b"hrefs", b"xlink:hrefx", b"data-src-of-it"];
        let known = ATTRIBUTES.iter().map(|attribute| attribute.name);
        for name in known.chain(others) {
            for name in [name.to_vec(), name.to_ascii_uppercase()] {
                let slow = ATTRIBUTES.iter().position(|it| it.name.eq_ignore_ascii_case(&name));
                assert_eq!(row_of(&name), slow, "{}", name.escape_ascii());
            }
        }
    }
}
