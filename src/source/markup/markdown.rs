//! Reads Markdown, as CommonMark 0.31 and GitHub's tables, footnotes and strikethrough define it.
//!
//! Links are inline links, images, autolinks in angle brackets, and the definitions that reference
//! links name: a definition is one link however often it is used, and also if it is never used.
//! HTML inside is read as HTML, or as Markdown with the attribute `markdown`. The indented content
//! of blocks of Python-Markdown is Markdown, not code. YAML or TOML before the document is text.
//! Bare URIs are left to the scanner, in code and in text; so that it reads them as a reader does,
//! escapes and character references outside of code are reported.
//!
//! Not read: wiki links, since `[[1]](http://h/)` is a link to most readers of Markdown and would
//! be lost; a second definition of a name, since links use the first.

mod depth;
mod destination;
mod front;
mod indented;
mod marked;
mod math;
pub(super) mod mdx;
mod myst;
mod pieces;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, OffsetIter, Options, Parser, RefDefs, Tag, TagEnd};

use super::shown::Shown;
use super::{Link, Page, Replaced, reference, with_replaced, without_blanks};
use crate::scheme;
use crate::span::Span;
use pieces::Pieces;

/// Replaces a byte that is not UTF-8 while the document is read: no white space and no punctuation,
/// byte for byte, so that every offset stays.
const STAND_IN: char = '\x7F';

/// Bytes before a URI that are searched for emphasis.
const URI_LEN: usize = 1024;

/// The beginning of a bare URI without a scheme.
const WWW: &[u8] = b"www.";

/// Returns the links of a Markdown document.
pub(super) fn page(text: &[u8]) -> Page {
    if depth::is_too_deep(text) {
        return Page { is_failed: true, ..Page::default() };
    }
    let start = front::len(text);
    let (text, mut page) = myst::read(text.get(start..).unwrap_or_default());
    let text = marked::read(indented::read(text));
    if matches!(text, Cow::Owned(_)) && depth::is_too_deep(&text) {
        return Page { is_failed: true, ..Page::default() };
    }
    let readable = readable(&text);
    let is_exact = matches!(readable, Cow::Borrowed(_));
    page.append(MarkdownReader::new(&readable, &text, is_exact).read(), 0);
    let mut moved = Page::default();
    moved.append(page, start);
    in_order(moved)
}

/// Returns the document in `text`, after its front matter, as the parser reads it; `None` if
/// reading would take too long.
pub(super) fn document(text: &[u8]) -> Option<Cow<'_, str>> {
    let document = text.get(front::len(text)..).unwrap_or_default();
    if depth::is_too_deep(text) {
        return None;
    }
    match marked::read(indented::read(myst::read(document).0)) {
        Cow::Borrowed(text) => Some(readable(text)),
        Cow::Owned(text) if depth::is_too_deep(&text) => None,
        Cow::Owned(text) => Some(Cow::Owned(readable(&text).into_owned())),
    }
}

/// Returns the spans of the code in a document: comments shown there are no comments (CommonMark
/// 0.31 §4.4, §4.5, §6.1). Empty if reading would take too long.
pub(super) fn code(text: &[u8]) -> Vec<Span> {
    let start = front::len(text);
    let document = document(text).unwrap_or_default();
    let events = Parser::new_ext(&document, options()).into_offset_iter();
    let code = events.filter(|(event, _)| is_code(event));
    code.map(|(_, range)| Span::new(start + range.start, start + range.end)).collect()
}

/// Reports whether `event` is a code span or begins a block of code.
const fn is_code(event: &Event<'_>) -> bool {
    matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_)))
}

/// Returns the extensions of CommonMark that are read.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM
}

/// Returns `text` as UTF-8 of the same length.
fn readable(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(text) {
        return Cow::Borrowed(text);
    }
    let mut readable = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        readable.push_str(chunk.valid());
        readable.extend(chunk.invalid().iter().map(|_| STAND_IN));
    }
    Cow::Owned(readable)
}

/// Returns `page` in order and without overlaps.
fn in_order(mut page: Page) -> Page {
    page.links.sort_by_key(|link| (link.span.start, link.span.end));
    page.replaced.sort_by_key(|replaced| replaced.span.start);
    let mut end = 0;
    page.links.retain(|link| is_after(&mut end, link.span));
    end = 0;
    page.replaced.retain(|replaced| is_after(&mut end, replaced.span));
    page
}

/// Reports whether `span` begins at or after `end`, which then becomes its end.
fn is_after(end: &mut usize, span: Span) -> bool {
    let is_after = span.start >= *end;
    if is_after {
        *end = span.end;
    }
    is_after
}

/// A link whose end was not reached.
struct Open<'d> {
    link_type: LinkType,
    target: CowStr<'d>,
    /// Name of the definition that it uses.
    id: CowStr<'d>,
    /// End offset of its text so far.
    text_end: usize,
    /// Its text so far; `None` for an image, whose text is not shown.
    shown: Option<Shown>,
}

/// Reads the events of a document.
struct MarkdownReader<'d> {
    text: &'d str,
    /// The text as in the document, of the same length.
    bytes: &'d [u8],
    /// Whether the two are the same.
    is_exact: bool,
    page: Page,
    open: Vec<Open<'d>>,
    /// End offset of the last event without others inside.
    read_to: usize,
    /// Whether the current text is code, which has neither escapes nor references.
    is_code: bool,
    /// HTML of the current block.
    html: Pieces,
    /// The first text shown for each definition, by the definition's offset.
    uses: HashMap<usize, Vec<u8>>,
}

impl<'d> MarkdownReader<'d> {
    fn new(text: &'d str, bytes: &'d [u8], is_exact: bool) -> Self {
        Self {
            text,
            bytes,
            is_exact,
            page: Page::default(),
            open: Vec::new(),
            read_to: 0,
            is_code: false,
            html: Pieces::default(),
            uses: HashMap::new(),
        }
    }

    fn read(mut self) -> Page {
        let mut events = Parser::new_ext(self.text, options()).into_offset_iter();
        while let Some((event, range)) = events.next() {
            self.event(&event, &range, &events);
        }
        self.html.flush(self.bytes, &mut self.page);
        self.definitions(events.reference_definitions());
        self.page
    }

    fn event(&mut self, event: &Event<'d>, range: &Range<usize>, events: &OffsetIter<'d>) {
        match event {
            Event::Start(tag) => return self.start(tag, range),
            Event::End(end) => self.end(*end, range, events),
            Event::Text(text) => self.text(text, range),
            Event::Code(text) => {
                self.show(text, range);
                self.html.push_text(range.clone());
            }
            Event::SoftBreak => {
                self.show(" ", range);
                self.html.push_text(range.clone());
            }
            Event::HardBreak => {
                self.show(" ", range);
                self.html.push_text(range.clone());
                self.hard_break(range);
            }
            Event::Html(_) => self.html.push(range.clone()),
            Event::InlineHtml(html) => self.html.push_lines(html, self.text, range),
            _ => {}
        }
        self.read_to = self.read_to.max(range.end);
        if let Some(open) = self.open.last_mut() {
            open.text_end = open.text_end.max(range.end);
        }
    }

    fn start(&mut self, tag: &Tag<'d>, range: &Range<usize>) {
        let (link_type, target, id, is_image) = match tag {
            Tag::Link { link_type, dest_url, id, .. } => (link_type, dest_url, id, false),
            Tag::Image { link_type, dest_url, id, .. } => (link_type, dest_url, id, true),
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough => return,
            _ => {
                self.is_code |= matches!(tag, Tag::CodeBlock(_));
                return self.html.flush(self.bytes, &mut self.page);
            }
        };
        let (link_type, target, id) = (*link_type, target.clone(), id.clone());
        let text_end = range.start + if is_image { "![".len() } else { "[".len() };
        let shown = (!is_image).then(Shown::default);
        self.open.push(Open { link_type, target, id, text_end, shown });
    }

    fn end(&mut self, end: TagEnd, range: &Range<usize>, events: &OffsetIter<'d>) {
        match end {
            TagEnd::Link | TagEnd::Image => {
                if let Some(open) = self.open.pop() {
                    self.link(open, range, events);
                }
            }
            TagEnd::Emphasis => self.closing(range, "_".len()),
            TagEnd::Strong => self.closing(range, "__".len()),
            TagEnd::Strikethrough => {
                let is_double =
                    self.text.get(range.clone()).is_some_and(|text| text.ends_with("~~"));
                self.closing(range, if is_double { "~~".len() } else { "~".len() });
            }
            _ => {
                self.is_code &= end != TagEnd::CodeBlock;
                self.html.flush(self.bytes, &mut self.page);
            }
        }
    }

    /// Adds a link that ends with `range`.
    fn link(&mut self, open: Open<'d>, range: &Range<usize>, events: &OffsetIter<'d>) {
        let Open { link_type, target, id, text_end, shown } = open;
        let shown = shown.map(Shown::into_text).filter(|text| !text.is_empty());
        match link_type {
            LinkType::Inline if math::holds(self.text.as_bytes(), range) => {}
            LinkType::Inline => {
                let text = self.text.as_bytes();
                let span = destination::inline(text, text_end, range.end);
                self.add(span.unwrap_or(Span::new(range.start, range.end)), &target, shown);
            }
            LinkType::Autolink => {
                self.add(inside(range), &without_references(&target), None);
            }
            LinkType::Email => {
                self.add(inside(range), &format!("mailto:{target}"), None);
            }
            _ => {
                let definition = events.reference_definitions().get(&id);
                if let (Some(definition), Some(shown)) = (definition, shown) {
                    self.uses.entry(definition.span.start).or_insert(shown);
                }
            }
        }
    }

    fn add(&mut self, span: Span, target: &str, shown: Option<Vec<u8>>) {
        // `<a b>` is the link `a%20b` (CommonMark 0.31 §6.3).
        let target = self.template(span).unwrap_or_else(|| self.target(span, target));
        let target = without_blanks(target);
        self.page.links.push(Link { span, target, shown });
    }

    /// Returns the destination at `span` with its brackets, if they are those of a template as
    /// well: `[a](<%= url %>)`, `[a](<?= $url ?>)`.
    fn template(&self, span: Span) -> Option<Vec<u8>> {
        let start = span.start.checked_sub(1)?;
        let whole = Span::new(start, span.end + 1).of(self.bytes);
        let is_template = [(&b"<%"[..], &b"%>"[..]), (b"<?", b"?>")]
            .iter()
            .any(|(open, close)| whole.starts_with(open) && whole.ends_with(close));
        is_template.then(|| whole.to_vec())
    }

    /// Returns `target` with the bytes that are not UTF-8 restored from `span`.
    fn target(&self, span: Span, target: &str) -> Vec<u8> {
        let mut target = target.as_bytes().to_vec();
        if self.is_exact {
            return target;
        }
        let is_stand_in = |byte: &u8| *byte == STAND_IN as u8;
        let read = span.of(self.text.as_bytes()).iter().zip(span.of(self.bytes));
        let mut originals = read.filter(|(read, _)| is_stand_in(read));
        for byte in target.iter_mut().filter(|byte| is_stand_in(byte)) {
            if let Some((_, original)) = originals.next() {
                *byte = *original;
            }
        }
        target
    }

    /// Adds the definitions, used or not.
    fn definitions(&mut self, definitions: &RefDefs<'_>) {
        for (_, definition) in definitions.iter() {
            let Range { start, end } = definition.span.clone();
            let span = destination::of_definition(self.text.as_bytes(), start, end);
            let shown = self.uses.remove(&start);
            self.add(span.unwrap_or(Span::new(start, end)), &definition.dest, shown);
        }
    }

    fn text(&mut self, text: &str, range: &Range<usize>) {
        self.show(text, range);
        let span = Span::new(range.start, range.end);
        let stands = span.of(self.text.as_bytes());
        let is_reference =
            stands.starts_with(b"&") && stands.ends_with(b";") && stands != text.as_bytes();
        if is_reference && !self.is_code {
            self.html.push_reference(range.clone());
        } else {
            self.html.push_text(range.clone());
        }
        if self.is_code {
            return;
        }
        let ahead = range.start.checked_sub(1).filter(|at| *at >= self.read_to);
        if is_reference {
            self.page.replaced.push(Replaced::new(span, text.as_bytes()));
        } else if let (Some(ahead), Some(escaped)) = (ahead, stands.first()) {
            let is_escape = self.bytes.get(ahead) == Some(&b'\\') && escaped.is_ascii_punctuation();
            if is_escape {
                let span = Span::new(ahead, range.start + 1);
                self.page.replaced.push(Replaced::new(span, &[*escaped]));
            }
        }
        self.hide_brackets(span);
    }

    /// Hides from the scanner each bracket of the text at `span` that opens no autolink (CommonMark
    /// 0.31 §6.5) and no destination (§6.3): a blank follows the URI in it, `<http://h/a text>`, or
    /// its line ends first, `[a](<http://h/a)`. Only the URI is the link then. `<URL:…>` is a
    /// notation of its own.
    fn hide_brackets(&mut self, span: Span) {
        /// Longest text in brackets that is read, in bytes.
        const LEN_MAX: usize = 2048;
        for at in memchr::memchr_iter(b'<', span.of(self.bytes)).map(|at| span.start + at) {
            let (before, rest) = self.bytes.split_at_checked(at).unwrap_or_default();
            let rest = rest.get(1..rest.len().min(LEN_MAX)).unwrap_or_default();
            let name = rest.get(..scheme::name_len(rest)).unwrap_or_default();
            if name.is_empty() || name.eq_ignore_ascii_case(b"url") {
                continue;
            }
            let len = memchr::memchr3(b'\n', b'\r', b'>', rest).unwrap_or(rest.len());
            let has_blank = memchr::memchr2(b' ', b'\t', rest.get(..len).unwrap_or_default());
            let hides = match rest.get(len) {
                Some(b'>') => has_blank.is_some(),
                _ => before.ends_with(b"]("),
            };
            if hides {
                self.page.replaced.push(Replaced::new(Span::new(at, at + 1), b" "));
            }
        }
    }

    /// Replaces the `len` bytes that close the emphasis at `range` by a blank for the scanner, if
    /// they end a bare URI that begins inside of the emphasis. A URI that begins before may hold
    /// all of it.
    fn closing(&mut self, range: &Range<usize>, len: usize) {
        let Some(end) = range.end.checked_sub(len).filter(|end| *end > range.start + len) else {
            return;
        };
        // An emphasis that closes inside of it has ended the URI.
        let last = self.page.replaced.last();
        if last.is_some_and(|last| last.span.end == end && last.text() == b" ") {
            return;
        }
        let inside = Span::new(range.start + len, end).of(self.bytes);
        let near = inside.get(inside.len().saturating_sub(URI_LEN)..).unwrap_or_default();
        let blank = near.iter().rposition(u8::is_ascii_whitespace);
        let word = near.get(blank.map_or(0, |at| at + 1)..).unwrap_or_default();
        let is_begun = blank.is_some() || self.begins_word(range.start);
        let is_uri = memchr::memchr(b':', word).is_some()
            || word.get(..WWW.len()).is_some_and(|word| word.eq_ignore_ascii_case(WWW));
        if is_begun && is_uri {
            self.hide_opening(range, len, inside);
            self.page.replaced.push(Replaced::new(Span::new(end, range.end), b" "));
        }
    }

    /// Hides the mark that opens the emphasis at `range` from the scanner, if the URI at the end of
    /// `inside` has such a mark of its own, `_see http://h/a\__`, which would seem to close it.
    fn hide_opening(&mut self, range: &Range<usize>, len: usize, inside: &[u8]) {
        /// Bytes before a URI in which the scanner searches for the mark.
        const FAR: usize = 1024;
        if range.len() > FAR || inside.last() != self.bytes.get(range.start) {
            return;
        }
        let span = Span::new(range.start, range.start + len);
        let replaced = &mut self.page.replaced;
        let at = replaced.partition_point(|it| it.span.start < span.start);
        if replaced.get(at).is_none_or(|it| it.span.start >= span.end) {
            replaced.insert(at, Replaced::new(span, b" "));
        }
    }

    /// Reports whether only marks, brackets and quotes are between `at` and the blank before it.
    fn begins_word(&self, at: usize) -> bool {
        /// Maximum number of marks that people write before a word.
        const MARKS_MAX: usize = 16;
        let before = self.bytes.get(..at).unwrap_or_default();
        let is_mark = |byte: &&u8| b"*_~([{<\"'".contains(byte);
        let count = before.iter().rev().take(MARKS_MAX).take_while(is_mark).count();
        let byte = before.len().checked_sub(count + 1).and_then(|at| before.get(at));
        byte.is_none_or(u8::is_ascii_whitespace)
    }

    /// Hides a backslash before the end of a line, which denotes the break and is part of no URI.
    fn hard_break(&mut self, range: &Range<usize>) {
        if self.bytes.get(range.start) == Some(&b'\\') {
            let span = Span::new(range.start, range.start + 1);
            self.page.replaced.push(Replaced::new(span, b""));
        }
    }

    /// Adds `text`, which is at `range`, to the shown text of the link around it.
    fn show(&mut self, text: &str, range: &Range<usize>) {
        let Some(Open { shown: Some(shown), .. }) = self.open.last_mut() else { return };
        let is_itself = self.text.get(range.clone()) == Some(text);
        let bytes = self.bytes.get(range.clone()).filter(|_| is_itself);
        shown.append(bytes.unwrap_or(text.as_bytes()));
    }
}

/// Returns `target` with its references resolved, as anywhere outside of code (CommonMark 0.31
/// §2.5).
fn without_references(target: &str) -> Cow<'_, str> {
    let text = target.as_bytes();
    let references = reference::find(text, Span::new(0, text.len()));
    let references: Vec<_> =
        references.filter(|found| found.span.of(text).ends_with(b";")).collect();
    match with_replaced(text, &references) {
        Cow::Borrowed(_) => Cow::Borrowed(target),
        Cow::Owned(text) => Cow::Owned(String::from_utf8_lossy(&text).into_owned()),
    }
}

/// Returns the span inside the brackets at `range`.
fn inside(range: &Range<usize>) -> Span {
    Span::new(range.start + 1, range.end.saturating_sub(1))
}
