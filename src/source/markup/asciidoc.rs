//! Finds links in AsciiDoc, as Asciidoctor reads it (AsciiDoc Language Documentation, "Macros",
//! "Attributes" and "Blocks").
//!
//! Links are those of macros: `https://h/[text]`, `link:`, `xref:`, `<<place>>`, `<<path#place>>`,
//! `image:`, `include::`, `video::`, `audio::`, and the values of attributes that are URIs or end
//! in a macro. References to attributes that the document defined before are resolved, also those
//! to `link:` and the text after it; a link with an unresolved one is counted as a template. HTML
//! in passthrough blocks is read as HTML.
//!
//! Limits: all branches of conditions (`ifdef::`) are read; included files are not.

mod attributes;
mod inline;
pub(super) mod marks;

use super::lines::{Line, trimmed};
use super::{Link, Page, html};
use crate::span::Span;
use attributes::Attributes;
use marks::Block;

/// Returns the links of a document in AsciiDoc.
pub(super) fn page(text: &[u8]) -> Page {
    let attributes = Attributes::new(text.len());
    let page = Page::default();
    let mut reader = AsciidocReader {
        text,
        at: 0,
        paragraph: None,
        may_be_title: false,
        style: Style::Text,
        has_macros: None,
        list: List::Outside,
        open: Vec::new(),
        attributes,
        page,
    };
    while let Some(line) = Line::at(text, reader.at) {
        reader.at = line.next;
        reader.line(line);
    }
    reader.end_paragraph();
    reader.page
}

struct AsciidocReader<'t> {
    text: &'t [u8],
    /// The offset of the next line.
    at: usize,
    /// The text so far of a paragraph whose end was not reached.
    paragraph: Option<Span>,
    /// Whether an underline below that text would make it a title.
    may_be_title: bool,
    /// The style of the next paragraph or block.
    style: Style,
    /// Whether the next paragraph or block has macros, if its substitutions are listed.
    has_macros: Option<bool>,
    list: List,
    /// The delimiters of the blocks around the next line, the outermost first.
    open: Vec<&'t [u8]>,
    attributes: Attributes,
    page: Page,
}

/// The style of a paragraph or a block, as the lines of attributes before it set it. Of several,
/// the greatest counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Style {
    #[default]
    Text,
    Verbatim,
    /// Verbatim, and HTML.
    Passed,
    /// A comment, which no reader sees.
    Comment,
}

/// The place of the last text in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum List {
    Outside,
    /// It belongs to an item.
    Item,
    /// It is a line with a plus, which attaches the next block to the item.
    Plus,
}

/// Most nested blocks that are tracked; authors nest some four deep.
const OPEN_MAX: usize = 32;

impl Style {
    /// Returns the style called `name`.
    const fn of(name: &[u8]) -> Self {
        match name {
            b"source" | b"listing" | b"literal" | b"stem" => Self::Verbatim,
            b"pass" => Self::Passed,
            b"comment" => Self::Comment,
            _ => Self::Text,
        }
    }
}

impl<'t> AsciidocReader<'t> {
    fn line(&mut self, line: Line) {
        let body = line.of(self.text);
        if body.is_empty() {
            return self.end_paragraph();
        }
        if self.is_underline(line) {
            self.list = List::Outside;
            return self.end_paragraph();
        }
        if let Some(block) = block(self.text, line) {
            self.end_paragraph();
            return self.block(line, block);
        }
        if self.style == Style::Text && self.attribute(line) {
            return;
        }
        if line.indent() == 0 && marks::attributes(body).is_some() {
            self.end_paragraph();
        }
        if self.paragraph.is_none() {
            return self.begin(line);
        }
        if line.indent() == 0 && marks::is_comment(body) {
            // The text goes on after it, but no macro does.
            return self.end_paragraph();
        }
        self.go_on(line);
    }

    /// Reads `line`, with no open paragraph before it.
    fn begin(&mut self, line: Line) {
        let body = line.of(self.text);
        if marks::is_comment(body) {
            return self.leave_list();
        }
        if line.indent() == 0 && marks::is_own(body) {
            self.leave_list();
            let attributes = marks::attributes(body).unwrap_or_default();
            self.style = self.style.max(Style::of(style(attributes)));
            self.has_macros = marks::has_macros(attributes).or(self.has_macros);
            if marks::attributes(body).is_some() && self.leads_picture(line) {
                return;
            }
            // The brackets may hold a quote with its source.
            return self.end_line(line);
        }
        let is_indented = line.indent() > 0
            && !marks::is_item(body)
            && self.is_after_blank(line)
            && !self.is_after_term(line);
        let has_macros = self.has_macros.take();
        if self.style == Style::Verbatim && has_macros == Some(true) {
            self.style = Style::Text;
        } else if self.style != Style::Text || is_indented || has_macros == Some(false) {
            return self.pass_paragraph(line);
        }
        let is_item = marks::is_list_item(body);
        // Only sections have titles, which are in neither blocks nor lists.
        let is_in_list = self.list != List::Outside;
        self.may_be_title = self.open.is_empty() && !(is_item && is_in_list);
        self.list = match body {
            b"+" if is_in_list => List::Plus,
            _ if is_item || is_in_list && line.indent() > 0 => List::Item,
            _ => List::Outside,
        };
        self.go_on(line);
    }

    /// Reads the attributes on `line`, and reports whether they give the target of a picture after
    /// them.
    fn leads_picture(&mut self, line: Line) -> bool {
        let inside = Span::new(line.body + 1, line.span.end - 1);
        inline::read_attributes(self.text, inside, &mut self.attributes, &mut self.page)
    }

    /// Ends the list, unless the next block is attached to an item.
    fn leave_list(&mut self) {
        if self.list == List::Item {
            self.list = List::Outside;
        }
    }

    /// Takes `line` for text.
    fn go_on(&mut self, line: Line) {
        if line.of(self.text).starts_with(b"include::") {
            self.end_paragraph();
            return self.end_line(line);
        }
        let start = self.paragraph.map_or(line.start, |paragraph| paragraph.start);
        self.paragraph = Some(Span::new(start, line.span.end));
    }

    /// Reports whether `line` underlines a title of one line, of about its length.
    fn is_underline(&self, line: Line) -> bool {
        let title = self.paragraph.filter(|_| self.may_be_title).unwrap_or_default();
        let title = title.of(self.text);
        marks::is_underline(line.span.of(self.text), title) && !title.contains(&b'\n')
    }

    /// Reports whether no text is on the line before `line`, which an indented line would continue.
    fn is_after_blank(&self, line: Line) -> bool {
        let before = self.text.get(..line.start).unwrap_or_default();
        let before = before.strip_suffix(b"\n").unwrap_or(before);
        let from = memchr::memrchr(b'\n', before).map_or(0, |feed| feed + 1);
        before.get(from..).unwrap_or_default().trim_ascii().is_empty()
    }

    /// Reports whether a term precedes `line`, its description, with only empty lines between them.
    fn is_after_term(&self, line: Line) -> bool {
        let before = self.text.get(..line.start).unwrap_or_default().trim_ascii_end();
        before.ends_with(b"::") || before.ends_with(b";;")
    }

    /// Reads `line` as a paragraph by itself.
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
        // A styled paragraph ends at an empty line, or with the block around it.
        let style = std::mem::take(&mut self.style);
        self.pass_lines(line, style);
        if style == Style::Passed {
            self.passed(Span::new(line.start, self.at));
        }
    }

    /// Passes `line` and the lines after it in the same paragraph.
    fn pass_lines(&mut self, line: Line, style: Style) {
        let included = |reader: &mut Self, line| {
            if style != Style::Comment {
                reader.included(line);
            }
        };
        included(self, line);
        while let Some(next) = Line::at(self.text, self.at) {
            let is_block = style == Style::Text && block(self.text, next).is_some();
            if next.is_blank() || is_block || self.closes(next) {
                return;
            }
            self.at = next.next;
            included(self, next);
        }
    }

    /// Reads the block that `line` opens, up to the line that closes it, or to the end of the block
    /// around it. The lines of a block that holds other blocks are read like any.
    fn block(&mut self, line: Line, block: Block) {
        let body = line.of(self.text);
        let style = std::mem::take(&mut self.style);
        let has_macros = self.has_macros.take() == Some(true) && block == Block::Verbatim;
        self.list = match self.list {
            List::Plus => List::Item,
            List::Item | List::Outside => List::Outside,
        };
        if block == Block::Compound && !(style != Style::Text && body == b"--") {
            return self.compound(body);
        }
        let delimiter = marks::delimiter(body);
        let start = self.at;
        let mut end = start;
        while let Some(inside) = Line::at(self.text, self.at) {
            if self.closes(inside) {
                break;
            }
            self.at = inside.next;
            if inside.indent() == 0 && inside.of(self.text) == delimiter {
                break;
            }
            end = inside.next;
            if has_macros && style != Style::Comment {
                self.end_line(inside);
            } else if !matches!(block, Block::Comment | Block::Passed) && style != Style::Comment {
                self.included(inside);
            }
        }
        if block == Block::Passed {
            self.passed(Span::new(start, end));
        }
    }

    /// Reads HTML that is passed through verbatim.
    fn passed(&mut self, content: Span) {
        self.page.append(html::page(content.of(self.text)), content.start);
    }

    /// Reports whether `line` closes an open block.
    fn closes(&self, line: Line) -> bool {
        line.indent() == 0 && self.open.contains(&line.of(self.text))
    }

    /// Opens the block that `delimiter` delimits, or closes it and the open ones in it.
    fn compound(&mut self, delimiter: &'t [u8]) {
        match self.open.iter().position(|open| *open == delimiter) {
            Some(depth) => self.open.truncate(depth),
            None if self.open.len() < OPEN_MAX => self.open.push(delimiter),
            None => {}
        }
    }

    /// Reads a line that includes a file, which may also be in a listing.
    fn included(&mut self, line: Line) {
        if line.of(self.text).starts_with(b"include::") {
            self.end_line(line);
        }
    }

    /// Defines the attribute that `line` defines, if it does.
    fn attribute(&mut self, line: Line) -> bool {
        let Some((name, len)) = attributes::entry(line.of(self.text)) else { return false };
        // In the head of a document no empty line precedes it.
        self.end_paragraph();
        let mut part = Span::new(line.body + len, line.span.end);
        let mut span = part;
        let mut value = Vec::new();
        // A value continues if its line ends in a backslash.
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
        let is_address = memchr::memmem::find(span.of(self.text), b"://[").is_some();
        if span.of(self.text).ends_with(b"]") && !is_address {
            // Macros are read where they are written, not where the attribute is used.
            inline::read(self.text, span, &mut self.attributes, &mut self.page);
        } else if let Some(target) = value.as_deref().filter(|value| inline::is_uri(value)) {
            self.page.links.push(Link { span, target: target.to_vec(), shown: None });
        }
        self.attributes.define(name, value);
        true
    }
}

/// Returns the block that `line` opens.
fn block(text: &[u8], line: Line) -> Option<Block> {
    marks::block(line.of(text)).filter(|_| line.indent() == 0)
}

/// Returns the style that attributes in brackets give to the next block.
fn style(attributes: &[u8]) -> &[u8] {
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric();
    attributes.get(..attributes.iter().take_while(is_word).count()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::page;

    #[track_caller]
    fn case(text: &str, expected: &str) {
        let page = page(text.as_bytes());
        let targets = page.links.iter().map(|link| String::from_utf8_lossy(&link.target));
        assert_eq!(targets.collect::<Vec<_>>().join(" "), expected, "{text}");
    }

    #[test]
    fn comments_have_no_links_wherever_they_are() {
        case("link:a[a]\n// link:b[b]\n// link:c[c]\nlink:d[d]\n", "a d");
        case("* link:a[a]\n// image:b[b]\n* link:c[c]\n", "a c");
        case("|===\n|link:a[a]\n// link:b[b]\n|link:c[c]\n|===\n", "a c");
        case("[comment]\nlink:a[a]\ninclude::b[]\n\nlink:c[c]\n", "c");
        case("[comment]\n--\nlink:a[a]\n\ninclude::b[]\n--\nlink:c[c]\n", "c");
        case("text\n///link:a[a]\n", "a");
    }

    #[test]
    fn substitutions_decide_whether_there_are_macros() {
        case("[subs=none]\nlink:a[a]\n\nlink:b[b]\n", "b");
        case("[subs=\"attributes\"]\nlink:a[a]\nlink:b[b]\n", "");
        case("[subs=\"quotes,macros\"]\nlink:a[a]\n", "a");
        case("[subs=+quotes]\nlink:a[a]\n", "a");
        case("[subs=-macros]\nlink:a[a]\n", "");
        case("[source,sh]\n----\nlink:a[a]\n----\n", "");
        case("[source,sh,subs=\"+macros\"]\n----\nlink:a[a]\n----\nlink:b[b]\n", "a b");
        case("[subs=normal]\n....\nlink:a[a]\n....\n", "a");
        case("[listing,subs=macros]\nlink:a[a]\n\n[listing]\nlink:b[b]\n", "a");
        case("[subs=\"attributes+\"]\n----\nlink:a[a]\n----\n", "");
        case("[subs=none]\n****\nlink:a[a]\n****\n", "a");
    }

    #[test]
    fn resources_with_a_version_are_no_links() {
        case("xref:2.0@comp::index.adoc[a] xref:b.adoc[b]\n", "b.adoc");
        case("image::1@c:m:a.png[a]\n\nimage::icon@2x.png[b]\n", "icon@2x.png");
    }
}
