//! Sitemaps, RSS and Atom: the elements and attributes of theirs that hold links.
//!
//! Sitemaps as sitemaps.org has them, with those for images, videos and languages; RSS 0.9 to
//! 2.0 with Media RSS; Atom (RFC 4287). Text in which mark-up is written with references is
//! text here. Not done: `xml:base` anywhere but at the root, names with another prefix than the
//! usual one.

use super::html::tokens::{Rules, Token, Tokens, prolog_len, trimmed};
use super::reference::{self, Resolved};
use super::{Link, Page};
use crate::span::Span;

/// Elements whose text is a link.
const TEXTS: [&[u8]; 14] = [
    b"loc",
    b"image:loc",
    b"video:thumbnail_loc",
    b"video:content_loc",
    b"video:player_loc",
    b"link",
    b"guid",
    b"comments",
    b"docs",
    b"url",
    b"uri",
    b"icon",
    b"logo",
    b"wfw:commentRss",
];

/// Attributes that are a link, and the elements that have them.
const ATTRIBUTES: [(&[u8], &[u8]); 10] = [
    (b"link", b"href"),
    (b"atom:link", b"href"),
    (b"atom10:link", b"href"),
    (b"xhtml:link", b"href"),
    (b"enclosure", b"url"),
    (b"source", b"url"),
    (b"content", b"src"),
    (b"generator", b"uri"),
    (b"media:content", b"url"),
    (b"media:thumbnail", b"url"),
];

/// What documents of these kinds begin with.
const ROOTS: [&[u8]; 4] = [b"urlset", b"sitemapindex", b"rss", b"feed"];

/// The links of a sitemap or a feed.
pub(super) fn page(text: &[u8]) -> Page {
    let mut reader = Reader { text, page: Page::default(), name: b"", text_of: b"", depth: 0 };
    let mut resolved = 0;
    for token in Tokens::new(text, 0, Rules::Xml) {
        if let Token::Raw(span) = token {
            let found = reference::find(text, Span::new(resolved, span.start));
            reader.page.replaced.extend(found);
            resolved = span.end;
        }
        reader.token(token);
    }
    let found = reference::find(text, Span::new(resolved, text.len()));
    reader.page.replaced.extend(found);
    reader.page
}

struct Reader<'t> {
    text: &'t [u8],
    page: Page,
    /// The name of the start tag that was read last.
    name: &'t [u8],
    /// The name of the element whose text comes next, when that may be a link.
    text_of: &'t [u8],
    /// Start tags that were read.
    depth: usize,
}

impl<'t> Reader<'t> {
    fn token(&mut self, token: Token) {
        match token {
            Token::Open(name) => {
                self.name = name.of(self.text);
                self.text_of = self.name;
                self.depth += 1;
            }
            Token::Attribute(name, value) => self.attribute(name.of(self.text), value),
            Token::Opened(_) => {}
            Token::Close(_) => self.text_of = b"",
            Token::Text(span) => self.content(span, true),
            Token::Raw(span) => self.content(span, false),
        }
    }

    fn attribute(&mut self, name: &'t [u8], value: Span) {
        if ATTRIBUTES.contains(&(self.name, name)) {
            self.link(value, true);
        } else if (self.name, name) == (b"guid", b"isPermaLink") && value.of(self.text) == b"false"
        {
            self.text_of = b"";
        } else if name == b"xml:base" && self.depth == 1 {
            let base = Resolved::new(self.text, trimmed(self.text, value));
            self.page.base = Some(base.bytes.into_owned());
        }
    }

    /// Text of the element that was opened last; only its first run counts.
    fn content(&mut self, span: Span, has_references: bool) {
        if TEXTS.contains(&self.text_of) && !trimmed(self.text, span).is_empty() {
            self.link(span, has_references);
            self.text_of = b"";
        }
    }

    fn link(&mut self, span: Span, has_references: bool) {
        let span = trimmed(self.text, span);
        let target = if has_references {
            Resolved::new(self.text, span).bytes.into_owned()
        } else {
            span.of(self.text).to_vec()
        };
        self.page.links.push(Link { span, target, shown: None });
    }
}

/// True when `head` begins a sitemap or a feed: by its first element.
#[must_use]
pub(super) fn is_feed(head: &[u8]) -> bool {
    let root = prolog_len(head);
    let is_blank =
        |token: &Token| matches!(token, Token::Text(span) if trimmed(head, *span).is_empty());
    // White space stands behind a document type, too.
    match Tokens::new(head, root, Rules::Xml).find(|token| !is_blank(token)) {
        Some(Token::Open(name)) => {
            let name = name.of(head);
            // RSS 0.9 and 1.0 are RDF, as much else is.
            let is_rdf = name == b"rdf:RDF" && memchr::memmem::find(head, b"/rss/1.0/").is_some();
            ROOTS.contains(&name) || is_rdf
        }
        _ => false,
    }
}
