//! Finds places in Markdown: headings as GitHub names them, `{#name}` after anything, `id` and
//! `name` in embedded HTML, and footnotes.
//!
//! A document is written, block by block, as the HTML that a reader of headings needs, which is
//! then read as HTML: so one rule holds for `## Title` and `<h2>Title</h2>`.
//!
//! In MyST, the targets `(name)=` and the options of directives that name them are places, too.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::html;
use super::outline::{HeadingKind, Outline};
use crate::source::markup::lines::Line;
use crate::source::markup::markdown;

/// Collects the places of a Markdown document.
pub(super) fn read(text: &[u8], outline: &mut Outline) {
    let Some(document) = markdown::document(text) else {
        outline.is_failed = true;
        return;
    };
    let mut reader = OutlineReader { outline, block: Vec::new(), images: 0 };
    for event in Parser::new_ext(&document, markdown::options()) {
        reader.event(&event);
    }
    reader.end_block();
    targets(text, outline);
    braced(text, outline);
}

/// Collects the places of a document in MDX.
pub(super) fn read_mdx(text: &[u8], outline: &mut Outline) {
    read(&markdown::mdx::flat(text), outline);
}

/// Adds the places that MyST has beside Markdown's (MyST, "Cross-references"; `:label:` of
/// equations): such lines mean nothing to other readers.
fn targets(text: &[u8], outline: &mut Outline) {
    let mut at = 0;
    while let Some(line) = Line::at(text, at) {
        at = line.next;
        let body = line.of(text);
        let target = body.strip_prefix(b"(").and_then(|body| body.strip_suffix(b")="));
        let option = || body.strip_prefix(b":name:").or_else(|| body.strip_prefix(b":label:"));
        if let Some(name) = target.or_else(option) {
            outline.add(name.trim_ascii());
        }
    }
}

/// Adds the names in braces: `{#name .class}` of Pandoc, and `{: #name}` of kramdown and
/// Python-Markdown, after paragraphs, pictures, tables and fences as after headings. Emphasis
/// within a name means nothing there.
fn braced(text: &[u8], outline: &mut Outline) {
    /// Maximum number of bytes between the braces.
    const LEN_MAX: usize = 512;
    for at in memchr::memchr_iter(b'{', text) {
        let rest = text.get(at + 1..text.len().min(at + LEN_MAX)).unwrap_or_default();
        let end = memchr::memchr3(b'}', b'\n', b'{', rest);
        let Some((inside, [b'}', ..])) = end.and_then(|end| rest.split_at_checked(end)) else {
            continue;
        };
        let inside = inside.strip_prefix(b":").unwrap_or(inside);
        let words = inside.split(u8::is_ascii_whitespace);
        if let Some(name) = words.filter_map(|word| word.strip_prefix(b"#")).next() {
            outline.add(name);
        }
    }
}

struct OutlineReader<'o> {
    outline: &'o mut Outline,
    /// The HTML of the current block.
    block: Vec<u8>,
    /// The number of images around the current event. Their text is no part of a heading.
    images: usize,
}

impl OutlineReader<'_> {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(end) => self.end(*end),
            Event::Text(text) | Event::Code(text) => self.text(text.as_bytes()),
            Event::SoftBreak | Event::HardBreak => self.text(b"\n"),
            Event::Html(html) | Event::InlineHtml(html) => {
                self.block.extend_from_slice(html.as_bytes());
            }
            Event::FootnoteReference(label) => self.footnote(label, &["fnref-", "fnref:", "fr-"]),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } => {}
            Tag::Image { .. } => self.images += 1,
            Tag::Heading { .. } => {
                self.end_block();
                self.outline.open(HeadingKind::Marks);
            }
            Tag::FootnoteDefinition(label) => {
                self.end_block();
                self.footnote(label, &["fn-", "fn:", "footnote-", ""]);
            }
            _ => self.end_block(),
        }
    }

    fn end(&mut self, end: TagEnd) {
        match end {
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link => {}
            TagEnd::Image => self.images = self.images.saturating_sub(1),
            TagEnd::Heading(_) => {
                self.end_block();
                self.outline.close();
            }
            _ => self.end_block(),
        }
    }

    /// Adds text, which matters in headings and between tags alone.
    fn text(&mut self, text: &[u8]) {
        let is_wanted = self.outline.is_heading() || !self.block.is_empty();
        if self.images > 0 || !is_wanted {
            return;
        }
        for byte in text {
            match byte {
                b'<' => self.block.extend_from_slice(b"&lt;"),
                b'&' => self.block.extend_from_slice(b"&amp;"),
                byte => self.block.push(*byte),
            }
        }
    }

    /// Reads the HTML of the block that ends. An element left open in it ends with it.
    fn end_block(&mut self) {
        html::read_part(&self.block, self.outline);
        self.block.clear();
    }

    /// Adds the places that programs make of a footnote: GitHub, PHP Markdown Extra, `mdBook`.
    fn footnote(&mut self, label: &str, prefixes: &[&str]) {
        for prefix in prefixes {
            self.outline.add(format!("{prefix}{label}").as_bytes());
        }
    }
}
