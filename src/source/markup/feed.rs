//! Finds links in sitemaps, RSS and Atom: in elements and attributes of their own.
//!
//! Sitemaps as sitemaps.org has them, with those for images, videos and languages; RSS 0.9 to 2.0
//! with Media RSS; Atom (RFC 4287). HTML in elements is read as such (`inside`), and `xml:base` of
//! any element around declares the base of its relative links (XML Base §4). Not done: names with
//! another prefix than the usual one.
//!
//! `quick-xml` finds tags and text (XML 1.0), and forgives the most frequent faults of feeds: tags
//! that do not match, attributes without quotes, a bare `&`.

mod inside;
mod scopes;

use quick_xml::Error;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader as Events;

use self::inside::{Form, Inside};
use self::scopes::Scopes;
use super::html::tokens::{is_space, root, trimmed};
use super::insertion;
use super::reference::{self, Resolved};
use super::{Link, Page, Replaced};
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

/// Attributes that are a link, each after the element that has it.
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

/// The root elements of these documents.
const ROOTS: [&[u8]; 4] = [b"urlset", b"sitemapindex", b"rss", b"feed"];

/// Returns the links of a sitemap or a feed.
pub(super) fn page(text: &[u8]) -> Page {
    let start = root(text);
    let mut events = events(text.get(start..).unwrap_or_default());
    let mut reader = FeedReader {
        text,
        page: Page::default(),
        text_of: b"",
        is_begun: false,
        scopes: Scopes::default(),
        run: Span::new(start, start),
        value: Vec::new(),
        inside: None,
        links_inside: Vec::new(),
        resolved: 0,
    };
    loop {
        let event = events.read_event();
        let end = start + offset(events.buffer_position());
        let at = Span::new(reader.run.end, end);
        match event {
            Ok(Event::Eof) => break,
            Ok(event) => reader.event(&event, at),
            Err(error) => {
                let broken_at = start + offset(events.error_position());
                reader.page.broken_at.get_or_insert(broken_at);
                // Only after errors of well-formedness does the reader continue.
                if !matches!(error, Error::IllFormed(_)) {
                    break;
                }
                reader.skip(end);
            }
        }
    }
    reader.end()
}

/// Returns the events of `text`, which must not begin with white space.
fn events(text: &[u8]) -> Events<&[u8]> {
    let mut events = Events::from_reader(text);
    let config = events.config_mut();
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    config.check_end_names = false;
    events
}

/// Returns an offset as counted by the library.
fn offset(counted: u64) -> usize {
    usize::try_from(counted).unwrap_or(usize::MAX)
}

/// Returns the span of `part` in `text`; `None` if it is no part of it, such as the value of an
/// attribute without one.
fn span_of(text: &[u8], part: &[u8]) -> Option<Span> {
    let start = part.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    let end = start.checked_add(part.len())?;
    (end <= text.len()).then(|| Span::new(start, end))
}

/// A part of the text of an element, between insertions.
#[derive(Clone, Copy)]
struct Part {
    span: Span,
    /// Whether references in it denote characters.
    has_references: bool,
}

struct FeedReader<'t> {
    text: &'t [u8],
    page: Page,
    /// The name of the element whose text comes next, if that may be a link.
    text_of: &'t [u8],
    /// Whether the tag of the root was read.
    is_begun: bool,
    /// The elements around that have a base of their own.
    scopes: Scopes<'t>,
    /// The current run of text; references in it are events of their own.
    run: Span,
    /// The parts of the text of the element that was opened last, if that may be a link.
    value: Vec<Part>,
    /// The open element that holds HTML.
    inside: Option<Inside<'t>>,
    /// Links of such elements.
    links_inside: Vec<Link>,
    /// End offset of the text in which references were resolved.
    resolved: usize,
}

impl<'t> FeedReader<'t> {
    /// Reads the event at `at`.
    fn event(&mut self, event: &Event<'_>, at: Span) {
        if matches!(event, Event::Text(_) | Event::GeneralRef(_)) {
            self.run.end = at.end;
            return;
        }
        self.end_run();
        self.run = Span::new(at.end, at.end);
        if matches!(event, Event::CData(_) | Event::Comment(_) | Event::PI(_)) {
            return self.insertion(event, at);
        }
        self.content();
        self.event_inside(event, at);
        match event {
            Event::Start(tag) => {
                let inside = self.tag(tag, at);
                self.open(inside, at.end);
            }
            Event::Empty(tag) => {
                self.tag(tag, at);
                self.scopes.end(tag.name().into_inner(), at.end);
                self.text_of = b"";
            }
            Event::End(tag) => {
                self.scopes.end(tag.name().into_inner(), at.end);
                self.text_of = b"";
            }
            _ => {}
        }
    }

    /// Ends the run of text.
    fn end_run(&mut self) {
        self.part(Part { span: self.run, has_references: true });
        if let Some(inside) = &mut self.inside {
            inside.text(self.run);
        }
    }

    /// Skips broken markup that ends at `end`.
    fn skip(&mut self, end: usize) {
        self.content();
        if let Some(inside) = &mut self.inside {
            inside.skip(Span::new(self.run.start, end));
        }
        self.run = Span::new(end, end);
    }

    /// Reads the event at `at` as content of an element with HTML, if one is open.
    fn event_inside(&mut self, event: &Event<'_>, at: Span) {
        let Some(inside) = &mut self.inside else { return };
        if inside.ends(event) {
            self.close(at.start);
        } else {
            inside.event(event, at);
        }
    }

    /// Begins the content of an element with HTML at `start`, unless one is open already.
    fn open(&mut self, inside: Option<Inside<'t>>, start: usize) {
        if self.inside.is_none() && inside.is_some() {
            self.resolve(start);
            self.inside = inside;
        }
    }

    /// Ends the element that holds HTML; its content ends at `end`.
    fn close(&mut self, end: usize) {
        let Some(inside) = self.inside.take() else { return };
        let mut page = inside.page();
        // Its text takes as much memory as the page: it is freed before the page is moved.
        drop(inside);
        self.links_inside.append(&mut page.links);
        self.page.replaced.append(&mut page.replaced);
        self.resolved = end;
    }

    /// Reads the start tag at `at`; returns its element if that holds HTML.
    fn tag(&mut self, tag: &BytesStart<'_>, at: Span) -> Option<Inside<'t>> {
        let name = span_of(self.text, tag.name().into_inner()).unwrap_or_default();
        let name = name.of(self.text);
        self.text_of = name;
        self.scopes.begin(name);
        let mut form = Form::by_name(name);
        let mut base = None;
        let mut attributes = tag.html_attributes();
        for attribute in attributes.with_checks(false) {
            let Ok(attribute) = attribute else {
                self.page.broken_at.get_or_insert(at.start);
                continue;
            };
            let key = attribute.key.into_inner();
            if let Some(value) = span_of(self.text, &attribute.value) {
                form = form.or_else(|| Form::by_attribute(name, key, value.of(self.text)));
                self.attribute(name, key, value);
                base = base.or((key == b"xml:base").then_some(value));
            }
        }
        if let Some(base) = base {
            self.base(name, base, at.start);
        }
        self.is_begun = true;
        form.map(|form| Inside::new(self.text, name, form, at.end))
    }

    fn attribute(&mut self, of: &[u8], name: &[u8], value: Span) {
        if ATTRIBUTES.contains(&(of, name)) {
            self.link(vec![Part { span: value, has_references: true }]);
        } else if (of, name) == (b"guid", b"isPermaLink") && value.of(self.text) == b"false" {
            self.text_of = b"";
        }
    }

    /// Takes `value` for the base of relative links in the element called `name`, whose tag begins
    /// at `at`. The root's base is that of the whole feed. HTML in the feed has no such attribute,
    /// and many of its tags need no end.
    fn base(&mut self, name: &'t [u8], value: Span, at: usize) {
        let base = Resolved::new(self.text, trimmed(self.text, value)).bytes.into_owned();
        if !self.is_begun {
            self.page.base = Some(base);
        } else if self.inside.is_none() {
            self.scopes.enter(name, base, at);
        }
    }

    /// Reads the event at `at` that divides no text: CDATA, which has no references, a comment or
    /// an instruction.
    fn insertion(&mut self, event: &Event<'_>, at: Span) {
        self.event_inside(event, at);
        let data = match event {
            Event::CData(inside) => span_of(self.text, inside),
            _ => None,
        };
        if let Some(span) = data {
            self.part(Part { span, has_references: false });
        }
        if self.inside.is_some() {
            return;
        }
        let is_read = data.is_some() || insertion::is_plain(at.of(self.text));
        if !is_read {
            return;
        }
        self.resolve(at.start);
        self.resolved = at.end;
        match data {
            Some(span) => {
                self.drop_edge(Span::new(at.start, span.start));
                self.drop_edge(Span::new(span.end, at.end));
            }
            None => self.drop_edge(at),
        }
    }

    /// Removes the markup at `span` from a word that continues after it.
    fn drop_edge(&mut self, span: Span) {
        if self.text.get(span.end..).is_some_and(insertion::goes_on) {
            self.page.replaced.push(Replaced::new(span, b""));
        }
    }

    /// Reads a part of the text of the element that was opened last.
    fn part(&mut self, part: Part) {
        if TEXTS.contains(&self.text_of) && !part.span.is_empty() {
            self.value.push(part);
        }
    }

    /// Ends the text of the element that was opened last; only text before any other tag counts.
    fn content(&mut self) {
        let is_blank = |part: &Part| trimmed(self.text, part.span).is_empty();
        let first = self.value.iter().position(|part| !is_blank(part));
        let last = self.value.iter().rposition(|part| !is_blank(part));
        if let (Some(first), Some(last)) = (first, last) {
            self.link(self.value.get(first..=last).unwrap_or_default().to_vec());
            self.text_of = b"";
        }
        self.value.clear();
    }

    /// Adds the link that is in `parts`, without the white space around it.
    fn link(&mut self, mut parts: Vec<Part>) {
        if let Some(last) = parts.last_mut() {
            last.span.end = trimmed(self.text, last.span).end;
        }
        let mut link = Link { span: Span::default(), target: Vec::new(), shown: None };
        for (index, Part { mut span, has_references }) in parts.into_iter().enumerate() {
            if index == 0 {
                span.start = trimmed(self.text, span).start;
                link.span.start = span.start;
            }
            link.span.end = span.end;
            if has_references {
                link.target.extend_from_slice(&Resolved::new(self.text, span).bytes);
            } else {
                link.target.extend_from_slice(span.of(self.text));
            }
        }
        self.page.links.push(link);
    }

    /// Resolves the references up to `to`.
    fn resolve(&mut self, to: usize) {
        let found = reference::find(self.text, Span::new(self.resolved, to));
        self.page.replaced.extend(found);
    }

    fn end(mut self) -> Page {
        self.end_run();
        self.content();
        self.close(self.run.end);
        self.resolve(self.text.len());
        let links = &mut self.page.links;
        links.sort_by_key(|link| link.span.start);
        // A link of the feed may be inside one of the HTML around it, and be the same link.
        let is_apart = |inside: &Link| {
            let first = links.partition_point(|link| link.span.end <= inside.span.start);
            links.get(first).is_none_or(|link| link.span.start >= inside.span.end)
        };
        self.links_inside.retain(is_apart);
        links.append(&mut self.links_inside);
        links.sort_by_key(|link| link.span.start);
        self.page.scopes = self.scopes.marks;
        self.page
    }
}

/// Reports whether `head` begins a sitemap or a feed: by its first element.
#[must_use]
pub(super) fn is_feed(head: &[u8]) -> bool {
    let Some(name) = root_name(head) else { return false };
    // RSS 0.9 and 1.0 are RDF, as much else is.
    let is_rdf = name == b"rdf:RDF" && memchr::memmem::find(head, b"/rss/1.0/").is_some();
    ROOTS.contains(&name) || is_rdf
}

/// Returns the name of the first element of a document that begins with `head`.
fn root_name(head: &[u8]) -> Option<&[u8]> {
    let text = head.get(root(head)..)?;
    let mut events = events(text);
    loop {
        let rest = text.get(offset(events.buffer_position())..)?;
        match events.read_event() {
            Ok(Event::Start(tag) | Event::Empty(tag)) => {
                return span_of(text, tag.name().into_inner()).map(|name| name.of(text));
            }
            Ok(Event::Decl(_) | Event::PI(_) | Event::Comment(_) | Event::DocType(_)) => {}
            Ok(Event::Text(blank)) if blank.trim_ascii().is_empty() => {}
            // The head may end in the middle of the tag.
            Err(Error::Syntax(_)) => {
                let tag = rest.strip_prefix(b"<")?;
                return tag.get(..tag.iter().position(|byte| is_space(*byte))?);
            }
            _ => return None,
        }
    }
}
