//! AsciiDoc, as Asciidoctor reads it (AsciiDoc Language Documentation, "Macros", "Attributes"
//! and "Blocks").
//!
//! Links are those of macros: `https://h/[text]`, `link:`, `xref:`, `<<path#anchor>>`, `image:`,
//! `include::`, `video::`, `audio::`, and the values of attributes that are URIs. References to
//! attributes are resolved where the document defined them before; a link in which one stays is
//! counted as a template. HTML in blocks that are passed through is read as HTML.
//!
//! Not read: references to anchors and titles of the same document by name alone; conditions
//! (`ifdef::`), whose every branch is read; the text of what is included.

mod attributes;
mod inline;

use super::lines::{Line, trimmed};
use super::{Link, Page, html};
use crate::span::Span;
use attributes::Attributes;

/// The links of a document in AsciiDoc.
pub(super) fn page(text: &[u8]) -> Page {
    let attributes = Attributes::new(text.len());
    let page = Page::default();
    let mut reader = Reader { text, at: 0, paragraph: None, is_verbatim: false, attributes, page };
    while let Some(line) = Line::at(text, reader.at) {
        reader.at = line.next;
        reader.line(line);
    }
    reader.end_paragraph();
    reader.page
}

struct Reader<'t> {
    text: &'t [u8],
    /// Where the next line begins.
    at: usize,
    /// Text whose end was not reached.
    paragraph: Option<Span>,
    /// True when the next paragraph is shown as it stands.
    is_verbatim: bool,
    attributes: Attributes,
    page: Page,
}

/// What a block of lines between two delimiters holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    /// Nothing that anybody sees.
    Comment,
    /// HTML.
    Passed,
    /// Text that is shown as it stands.
    Verbatim,
}

/// Styles of paragraphs and blocks that are shown as they stand.
const VERBATIM: [&[u8]; 5] = [b"source", b"listing", b"literal", b"stem", b"pass"];

impl Reader<'_> {
    fn line(&mut self, line: Line) {
        let body = line.of(self.text);
        if body.is_empty() {
            return self.end_paragraph();
        }
        if let Some(block) = block(body).filter(|_| line.indent() == 0 && !self.is_underline(line))
        {
            self.end_paragraph();
            self.is_verbatim = false;
            return self.block(line, block);
        }
        if !self.is_verbatim && self.attribute(line) {
            return;
        }
        if self.paragraph.is_none() {
            if body.starts_with(b"//") && !body.starts_with(b"///") {
                return;
            }
            if let Some(style) = style(body) {
                self.is_verbatim |= VERBATIM.contains(&style);
                // What stands in the brackets may be a quote with its source.
                return self.end_line(line);
            }
            let is_indented = line.indent() > 0 && !is_item(body) && self.is_behind_blank(line);
            if self.is_verbatim || is_indented {
                return self.pass_paragraph(line);
            }
        }
        if body.starts_with(b"include::") {
            self.end_paragraph();
            return self.end_line(line);
        }
        let start = self.paragraph.map_or(line.body, |paragraph| paragraph.start);
        self.paragraph = Some(Span::new(start, line.span.end));
    }

    /// True when `line` underlines a title of one line, of about its length.
    fn is_underline(&self, line: Line) -> bool {
        let Some(title) = self.paragraph else { return false };
        let title = title.of(self.text);
        let chars = || String::from_utf8_lossy(title).chars().count();
        !title.contains(&b'\n') && chars().abs_diff(line.span.len()) <= 1
    }

    /// True when no text stands before `line`, which an indented line would go on.
    fn is_behind_blank(&self, line: Line) -> bool {
        let before = self.text.get(..line.start).unwrap_or_default();
        let before = before.strip_suffix(b"\n").unwrap_or(before);
        let from = memchr::memrchr(b'\n', before).map_or(0, |feed| feed + 1);
        before.get(from..).unwrap_or_default().trim_ascii().is_empty()
    }

    /// Reads what stands on `line` alone.
    fn end_line(&mut self, line: Line) {
        self.paragraph = Some(Span::new(line.body, line.span.end));
        self.end_paragraph();
    }

    fn end_paragraph(&mut self) {
        if let Some(span) = self.paragraph.take() {
            inline::read(self.text, span, &mut self.attributes, &mut self.page);
        }
    }

    /// Passes the lines of a paragraph that begins on `line`.
    fn pass_paragraph(&mut self, line: Line) {
        self.is_verbatim = false;
        self.included(line);
        while let Some(next) = Line::at(self.text, self.at).filter(|next| !next.is_blank()) {
            self.at = next.next;
            self.included(next);
        }
    }

    /// Reads the block that `line` opens, as far as the same line, or to the end.
    fn block(&mut self, line: Line, block: Block) {
        let delimiter = delimiter(line.of(self.text));
        let start = self.at;
        let mut end = start;
        while let Some(inside) = Line::at(self.text, self.at) {
            self.at = inside.next;
            if inside.indent() == 0 && inside.of(self.text) == delimiter {
                break;
            }
            end = inside.next;
            if block == Block::Verbatim {
                self.included(inside);
            }
        }
        if block == Block::Passed {
            let content = Span::new(start, end);
            self.page.append(html::page(content.of(self.text)), start);
        }
    }

    /// Reads a line that includes a file, which one in a listing may, too.
    fn included(&mut self, line: Line) {
        if line.of(self.text).starts_with(b"include::") {
            self.end_line(line);
        }
    }

    /// Defines the attribute that `line` defines, if it does.
    fn attribute(&mut self, line: Line) -> bool {
        let Some((name, len)) = attributes::entry(line.of(self.text)) else { return false };
        // In the head of a document no empty line stands before.
        self.end_paragraph();
        let mut part = Span::new(line.body + len, line.span.end);
        let mut span = part;
        let mut value = Vec::new();
        // A value goes on where its line ends in a backslash.
        while let Some(first) = part.of(self.text).strip_suffix(b" \\") {
            value.extend_from_slice(first.trim_ascii());
            value.push(b' ');
            let next = Line::at(self.text, self.at).filter(|next| !next.is_blank());
            part = next.map_or(Span::new(part.end, part.end), |next| {
                self.at = next.next;
                Span::new(next.body, next.span.end)
            });
            span.end = part.end;
        }
        value.extend_from_slice(part.of(self.text).trim_ascii());
        let span = trimmed(self.text, span);
        let value = self.attributes.resolve(&value);
        if let Some(target) = value.as_deref().filter(|value| inline::is_uri(value)) {
            self.page.links.push(Link { span, target: target.to_vec(), shown: None });
        }
        self.attributes.define(name, value);
        true
    }
}

/// The block that a line opens.
fn block(body: &[u8]) -> Option<Block> {
    if body.starts_with(b"```") && !body.get(3..)?.contains(&b'`') {
        return Some(Block::Verbatim);
    }
    let first = *body.first()?;
    if body.len() < 4 || body.iter().any(|byte| *byte != first) {
        return None;
    }
    match first {
        b'/' => Some(Block::Comment),
        b'+' => Some(Block::Passed),
        b'-' | b'.' => Some(Block::Verbatim),
        _ => None,
    }
}

/// The line that ends the block which `body` opens.
fn delimiter(body: &[u8]) -> &[u8] {
    if body.starts_with(b"```") { b"```" } else { body }
}

/// The style that a line of attributes in brackets gives to what follows.
fn style(body: &[u8]) -> Option<&[u8]> {
    let inside = body.strip_prefix(b"[")?.strip_suffix(b"]")?;
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric();
    inside.get(..inside.iter().take_while(is_word).count())
}

/// True for the mark of an item of a list, for a cell, and for the line that goes on an item.
fn is_item(body: &[u8]) -> bool {
    let word = body.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let is_mark = |mark: &u8| word.iter().all(|byte| byte == mark);
    let is_number =
        word.strip_suffix(b".").is_some_and(|number| number.iter().all(u8::is_ascii_digit));
    [b'*', b'-', b'.'].iter().any(is_mark)
        || is_number
        || matches!(word, [b'|' | b'<', ..])
        || memchr::memmem::find(body, b"::").is_some()
}
