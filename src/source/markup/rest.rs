//! Finds links in reStructuredText, as Docutils reads it (reStructuredText Markup Specification,
//! "Explicit Markup Blocks" and "Inline Markup"; Docutils' directives `image`, `figure`,
//! `include`).
//!
//! Links are the URIs of targets, `.. _name: uri` and `__ uri`, those in references, `` `text
//! <uri>`_ ``, and the files of directives. A name that refers to another name, or to a place in
//! the document, is none. HTML after `.. raw:: html` is read as HTML.
//!
//! The files of Sphinx' role `download` are links, too.
//!
//! Not read: other roles, whose meaning Sphinx or its configuration gives; a reference that extends
//! over the lines of a cell in a table.

mod inline;

use super::lines::{Line, trimmed};
use super::{Link, Page, html};
use crate::span::Span;

/// A directive with more than text.
struct Directive {
    name: &'static [u8],
    /// Whether its argument is a file or a URI.
    links: bool,
    /// Its options whose values are links.
    options: &'static [&'static [u8]],
    content: Content,
}

/// The content of a directive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Text,
    /// Text that is verbatim, or read by other programs.
    Literal,
    /// Text in the format that the argument names.
    Raw,
}

const fn directive(
    name: &'static [u8],
    links: bool,
    options: &'static [&'static [u8]],
    content: Content,
) -> Directive {
    Directive { name, links, options, content }
}

/// The directives of Docutils and Sphinx with more than text.
static DIRECTIVES: &[Directive] = &[
    directive(b"image", true, &[b"target"], Content::Text),
    directive(b"figure", true, &[b"target"], Content::Text),
    directive(b"include", true, &[], Content::Text),
    directive(b"literalinclude", true, &[], Content::Text),
    directive(b"csv-table", false, &[b"file", b"url"], Content::Text),
    directive(b"raw", false, &[b"file", b"url"], Content::Raw),
    directive(b"code", false, &[], Content::Literal),
    directive(b"code-block", false, &[], Content::Literal),
    directive(b"sourcecode", false, &[], Content::Literal),
    directive(b"highlight", false, &[], Content::Literal),
    directive(b"math", false, &[], Content::Literal),
    directive(b"doctest", false, &[], Content::Literal),
    directive(b"testcode", false, &[], Content::Literal),
    directive(b"testoutput", false, &[], Content::Literal),
    directive(b"testsetup", false, &[], Content::Literal),
    directive(b"productionlist", false, &[], Content::Literal),
    directive(b"graphviz", false, &[], Content::Literal),
];

/// Returns the links of a document in reStructuredText.
pub(super) fn page(text: &[u8]) -> Page {
    RestReader::new(text).read().page
}

/// Returns the spans of the code in a document: comments shown there are no comments.
pub(super) fn code(text: &[u8]) -> Vec<Span> {
    RestReader::new(text).read().code
}

struct RestReader<'t> {
    text: &'t [u8],
    /// The offset of the next line.
    at: usize,
    /// The text so far of a paragraph whose end was not reached.
    paragraph: Option<Span>,
    page: Page,
    /// The literals and the blocks of code.
    code: Vec<Span>,
}

impl<'t> RestReader<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0, paragraph: None, page: Page::default(), code: Vec::new() }
    }

    fn read(mut self) -> Self {
        while let Some(line) = Line::at(self.text, self.at) {
            self.at = line.next;
            self.line(line);
        }
        self.end_paragraph();
        self
    }

    fn line(&mut self, line: Line) {
        if line.is_blank() {
            return self.end_paragraph();
        }
        let line = self.in_item(line).unwrap_or(line);
        let body = line.of(self.text);
        if self.paragraph.is_none() && marked(body, b">>>").is_some() {
            return self.doctest_block(line);
        }
        if let Some(after) = marked(body, b"..") {
            self.explicit(line, line.span.end - after.len());
        } else if let Some(after) = marked(body, b"__").filter(|after| !after.is_empty()) {
            self.end_paragraph();
            let uri = self.block(line.span.end - after.len(), line, Until::Blank);
            self.target(uri);
        } else {
            let start = self.paragraph.map_or(line.body, |paragraph| paragraph.start);
            self.paragraph = Some(Span::new(start, line.span.end));
            self.literal_block(line, body);
        }
    }

    /// Returns the rest of `line` after the marks of items and fields, if that is explicit markup.
    fn in_item(&self, mut line: Line) -> Option<Line> {
        loop {
            let body = line.of(self.text);
            if is_explicit(body) {
                return Some(line);
            }
            line.body += bullet_len(body).max(field_len(body)).min(body.len());
            if line.of(self.text).len() == body.len() {
                return None;
            }
        }
    }

    /// Skips the lines of a session of Python, up to an empty one ("Doctest Blocks").
    fn doctest_block(&mut self, first: Line) {
        while let Some(line) = Line::at(self.text, self.at).filter(|line| !line.is_blank()) {
            self.at = line.next;
        }
        self.code.push(Span::new(first.body, self.at));
    }

    /// Skips the block after a paragraph that ends with two colons.
    fn literal_block(&mut self, line: Line, body: &[u8]) {
        let is_last = Line::at(self.text, self.at).is_some_and(|next| next.is_blank());
        if is_last && body.ends_with(b"::") {
            self.end_paragraph();
            let block = self.pass(line.indent() + bullet_len(body));
            self.code.push(block);
        }
    }

    fn end_paragraph(&mut self) {
        if let Some(span) = self.paragraph.take() {
            inline::read(self.text, span, &mut self.page, &mut self.code);
        }
    }

    /// Skips the lines indented by more than `indent`, and returns their span.
    fn pass(&mut self, indent: usize) -> Span {
        let passed = Line::after(self.text, self.at, indent);
        self.at = passed.end;
        passed
    }

    /// Reads explicit markup after `..`, which begins at `at`.
    fn explicit(&mut self, line: Line, at: usize) {
        let body = Span::new(at, line.span.end).of(self.text);
        match body.first() {
            None => {
                self.end_paragraph();
                // Before an empty line it is nothing; otherwise it begins a comment.
                if Line::at(self.text, self.at).is_some_and(|next| !next.is_blank()) {
                    self.pass(line.indent());
                }
            }
            Some(b'_') => {
                self.end_paragraph();
                if let Some(name_len) = name_len(body) {
                    let uri = self.block(at + name_len, line, Until::Blank);
                    self.target(uri);
                }
            }
            Some(b'[') => {
                self.end_paragraph();
                self.paragraph = Some(Span::new(at, line.span.end));
            }
            Some(b'|') => {
                self.end_paragraph();
                let after = body.get(1..).unwrap_or_default();
                let name_len = memchr::memchr(b'|', after).map_or(body.len(), |len| len + 2);
                let rest = body.get(name_len..).unwrap_or_default();
                let rest = rest.len() - rest.trim_ascii_start().len() + name_len;
                self.directive(line, at + rest);
            }
            Some(_) => self.directive(line, at),
        }
    }

    /// Reads the directive at `at`, or a comment.
    fn directive(&mut self, line: Line, at: usize) {
        let body = Span::new(at, line.span.end).of(self.text);
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.+".contains(byte);
        let name_len = body.iter().take_while(is_name).count();
        let (name, after) = body.split_at(name_len);
        let argument = marked(after, b"::").or_else(|| marked(after, b" ::"));
        let (false, Some(argument)) = (name.is_empty(), argument) else {
            // A comment extends as far as it is indented; in a paragraph it is text.
            if self.paragraph.is_none() {
                self.pass(line.indent());
            }
            return;
        };
        self.end_paragraph();
        let argument = Span::new(line.span.end - argument.len(), line.span.end);
        let is_its = |directive: &&Directive| name.eq_ignore_ascii_case(directive.name);
        match DIRECTIVES.iter().find(is_its) {
            Some(directive) => self.known(directive, line, argument),
            // The argument of any other directive is text, or nothing that looks like markup.
            None => self.paragraph = (!argument.is_empty()).then_some(argument),
        }
    }

    fn known(&mut self, directive: &Directive, line: Line, argument: Span) {
        if directive.links {
            let file = self.block(argument.start, line, Until::Option);
            // Files in angle brackets are those that Docutils brings along.
            if file.of(self.text).first() != Some(&b'<') {
                self.add(file);
            }
        }
        if !directive.options.is_empty() {
            self.options(directive, line);
        }
        match directive.content {
            Content::Text => {}
            Content::Literal => {
                let block = self.pass(line.indent());
                self.code.push(block);
            }
            Content::Raw => {
                let content = self.pass(line.indent());
                let is_html = argument.of(self.text).split(u8::is_ascii_whitespace);
                if is_html.into_iter().any(|format| format.eq_ignore_ascii_case(b"html")) {
                    self.page.append(html::page(content.of(self.text)), content.start);
                }
            }
        }
    }

    /// Reads the options of a directive that begins on `line`.
    fn options(&mut self, directive: &Directive, line: Line) {
        while let Some(option) = Line::at(self.text, self.at) {
            if option.is_blank() || option.indent() <= line.indent() {
                return;
            }
            let Some((name, len)) = option_name(option.of(self.text)) else { return };
            let is_link = directive.options.iter().any(|of| name.eq_ignore_ascii_case(of));
            self.at = option.next;
            let value = self.block(option.body + len, option, Until::Blank);
            if is_link {
                self.target(value);
            }
        }
    }

    /// Returns the text from `at` on `line` on, with the following lines that are indented by more.
    fn block(&mut self, at: usize, line: Line, until: Until) -> Span {
        let mut end = line.span.end;
        while let Some(next) = Line::at(self.text, self.at) {
            let is_after = next.is_blank() || next.indent() <= line.indent();
            let is_option = || option_name(next.of(self.text)).is_some();
            if is_after || until == Until::Option && is_option() {
                break;
            }
            end = next.span.end;
            self.at = next.next;
        }
        trimmed(self.text, Span::new(at, end.max(at)))
    }

    /// Adds the URI of a target, unless it is a name.
    fn target(&mut self, uri: Span) {
        if !is_reference(uri.of(self.text)) {
            self.add(uri);
        }
    }

    fn add(&mut self, span: Span) {
        let raw = span.of(self.text);
        if !raw.is_empty() {
            self.page.links.push(Link { span, target: inline::target(raw), shown: None });
        }
    }
}

/// The end of an indented block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Blank,
    /// An option of a directive ends it, too.
    Option,
}

/// Reports whether `body` begins with explicit markup: two dots, or two underscores and a URI.
fn is_explicit(body: &[u8]) -> bool {
    let target = || marked(body, b"__").is_some_and(|after| !after.is_empty());
    marked(body, b"..").is_some() || target()
}

/// Returns the text after `mark` and white space; `None` if neither white space nor the end follows
/// it.
fn marked<'t>(body: &'t [u8], mark: &[u8]) -> Option<&'t [u8]> {
    let after = body.strip_prefix(mark)?;
    let is_apart = after.first().is_none_or(u8::is_ascii_whitespace);
    is_apart.then(|| after.trim_ascii_start())
}

/// Returns the length of `_name:` before the URI of a target.
fn name_len(body: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    let mut is_quoted = false;
    for (at, byte) in body.iter().enumerate().skip(1) {
        let is_end = body.get(at + 1).is_none_or(u8::is_ascii_whitespace);
        match byte {
            _ if is_escaped => {}
            b'`' => is_quoted = at == 1,
            b':' if !is_quoted && is_end => return Some(at + 1),
            _ => {}
        }
        is_escaped = !is_escaped && *byte == b'\\';
    }
    None
}

/// Returns the name of the option at the beginning of `body`, and the length of `:name:`.
fn option_name(body: &[u8]) -> Option<(&[u8], usize)> {
    let after = body.strip_prefix(b":")?;
    let len = memchr::memchr(b':', after)?;
    let name = after.get(..len)?;
    let is_apart = after.get(len + 1).is_none_or(u8::is_ascii_whitespace);
    let is_name = !name.is_empty() && !name.iter().any(u8::is_ascii_whitespace);
    (is_apart && is_name).then_some((name, len + 2))
}

/// Reports whether `text` is `name_` or `` `a name`_ ``.
fn is_reference(text: &[u8]) -> bool {
    let Some(name) = text.strip_suffix(b"_") else { return false };
    let is_quoted = name.len() > 2 && name.starts_with(b"`") && name.ends_with(b"`");
    let is_simple = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._+:".contains(byte);
    let ends = [name.first(), name.last()];
    let is_word = ends.iter().all(|end| end.is_some_and(u8::is_ascii_alphanumeric));
    is_quoted || is_word && name.iter().all(is_simple)
}

/// Returns the length of the mark of a list before the text of an item.
fn bullet_len(body: &[u8]) -> usize {
    let word = body.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
    let mark = body.get(..word).unwrap_or_default();
    let is_bullet = matches!(mark, [b'-' | b'*' | b'+']);
    let number = mark.strip_suffix(b".").or_else(|| mark.strip_suffix(b")"));
    let is_number = number.is_some_and(|number| {
        let number = number.strip_prefix(b"(").unwrap_or(number);
        number == b"#" || !number.is_empty() && number.iter().all(u8::is_ascii_digit)
    });
    if is_bullet || is_number { len_with_blanks(body, word) } else { 0 }
}

/// Returns the length of the name of a field before its content.
fn field_len(body: &[u8]) -> usize {
    option_name(body).map_or(0, |(_, len)| len_with_blanks(body, len))
}

/// Returns the length `len` of a mark that `body` begins with, plus that of the blanks after it.
fn len_with_blanks(body: &[u8], len: usize) -> usize {
    let after = body.get(len..).unwrap_or_default();
    len + after.len() - after.trim_ascii_start().len()
}
