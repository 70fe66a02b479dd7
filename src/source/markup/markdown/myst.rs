//! MyST: Markdown with directives, which stand in fences as code does (MyST, "Directives";
//! Sphinx-Design).
//!
//! What a directive holds is Markdown in most of them. So the fences of those are taken away
//! before the document is read: blanks stand for them, and every offset stays. Files that they
//! name, and options that are links, are told beside it; `{eval-rst}` is read as what it says.
//! A name that is not known may be a language of code.

use std::borrow::Cow;

use memchr::memmem;

use crate::source::markup::lines::{Line, trimmed};
use crate::source::markup::{Link, Page, rest};
use crate::span::Span;

/// What the argument or the content of a directive is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Its argument is a heading, and its content Markdown.
    Text,
    /// Its argument is a file or a URI, and its content Markdown.
    File,
    /// Its content is reStructuredText.
    Rest,
}

/// Directives whose content is Markdown, by their names.
static TEXTS: &[&str] = &[
    "admonition",
    "aside",
    "attention",
    "card",
    "card-carousel",
    "caution",
    "class",
    "compound",
    "container",
    "danger",
    "deprecated",
    "div",
    "dropdown",
    "epigraph",
    "error",
    "example",
    "exercise",
    "grid",
    "grid-item",
    "grid-item-card",
    "highlights",
    "hint",
    "important",
    "list-table",
    "margin",
    "note",
    "only",
    "pull-quote",
    "seealso",
    "sidebar",
    "solution",
    "tab-item",
    "tab-set",
    "table",
    "tip",
    "todo",
    "topic",
    "versionadded",
    "versionchanged",
    "versionremoved",
    "warning",
];

/// Directives whose argument is a file or a URI.
static FILES: &[&str] = &["button-link", "figure", "image", "include", "literalinclude"];

/// Options that are links: those of images, of tables, and of cards.
static OPTIONS: &[&[u8]] = &[b"target", b"file", b"url", b"link"];
/// Fences in each other that are looked into, at most; books have some four.
const OPEN_MAX: usize = 32;

/// What says that the option `link` is none.
const LINK_TYPE: &[u8] = b"link-type";

impl Kind {
    /// What the directive called `name` is; none for code, and for what is not known.
    fn of(name: &[u8]) -> Option<Self> {
        let name = std::str::from_utf8(name).ok()?;
        if TEXTS.binary_search(&name).is_ok() || name.starts_with("prf:") {
            return Some(Self::Text);
        }
        if FILES.contains(&name) {
            return Some(Self::File);
        }
        (name == "eval-rst").then_some(Self::Rest)
    }
}

/// A fence that is open, of a directive or of code.
struct Fence {
    mark: u8,
    len: usize,
    is_directive: bool,
}

/// `text` without the fences of directives, and what these say themselves.
pub(super) fn read(text: &[u8]) -> (Cow<'_, [u8]>, Page) {
    let marks: [&[u8]; 3] = [b"```{", b"~~~{", b":::{"];
    if marks.iter().all(|mark| memmem::find(text, mark).is_none()) {
        return (Cow::Borrowed(text), Page::default());
    }
    let mut reader = Reader { text, out: text.to_vec(), page: Page::default(), open: Vec::new() };
    let mut at = 0;
    while let Some(line) = Line::at(text, at) {
        at = reader.line(line);
    }
    (Cow::Owned(reader.out), reader.page)
}

struct Reader<'t> {
    text: &'t [u8],
    out: Vec<u8>,
    page: Page,
    open: Vec<Fence>,
}

impl Reader<'_> {
    /// Reads `line`; gives where the next one begins that is to be read.
    fn line(&mut self, line: Line) -> usize {
        let Some((start, mark, len)) = fence(self.text, line) else { return line.next };
        let behind = trimmed(self.text, Span::new(start + len, line.span.end));
        if behind.is_empty() && self.close(mark, len, Span::new(start, line.span.end)) {
            return line.next;
        }
        let is_code = self.open.last().is_some_and(|open| !open.is_directive);
        if is_code || self.open.len() >= OPEN_MAX {
            return line.next;
        }
        let directive = name(behind.of(self.text))
            .and_then(|name| Some((Kind::of(name)?, behind.start + name.len() + "{}".len())));
        match directive {
            Some((kind, named)) => {
                self.open.push(Fence { mark, len, is_directive: true });
                let argument = trimmed(self.text, Span::new(named, line.span.end));
                self.directive(kind, Span::new(start, line.span.end), argument);
                let content = self.options(line.next);
                return if kind == Kind::Rest { self.rest(content) } else { content };
            }
            // What begins with colons is a paragraph where it is no directive.
            None if mark != b':' => self.open.push(Fence { mark, len, is_directive: false }),
            None => {}
        }
        line.next
    }

    /// Ends the fence that a line of `len` marks ends, and all inside: what is outermost ends
    /// first, as its end is looked for first. False if there is none.
    fn close(&mut self, mark: u8, len: usize, marks: Span) -> bool {
        let ended = self.open.iter().position(|open| open.mark == mark && open.len <= len);
        let Some(ended) = ended else { return false };
        if self.open.get(ended).is_some_and(|open| open.is_directive) {
            self.blank(marks);
        }
        self.open.truncate(ended);
        true
    }

    /// The beginning of a directive, which stands at `all` of its line.
    fn directive(&mut self, kind: Kind, all: Span, argument: Span) {
        if kind == Kind::File {
            self.add(argument);
        }
        if kind != Kind::Text || argument.is_empty() {
            return self.blank(all);
        }
        // A heading ends with its line, and so does that of a directive.
        const HEADING: &[u8] = b"######";
        self.blank(Span::new(all.start, argument.start));
        let marks = self.out.get_mut(all.start..argument.start).unwrap_or_default();
        marks.iter_mut().zip(HEADING).for_each(|(to, mark)| *to = *mark);
    }

    /// Passes the options from `at` on; gives where the content begins.
    fn options(&mut self, mut at: usize) -> usize {
        let mut links = Vec::new();
        let mut is_name = false;
        while let Some(line) = Line::at(self.text, at) {
            let Some((name, value)) = option(self.text, line) else { break };
            is_name |= name == LINK_TYPE && value.of(self.text) != b"url";
            if OPTIONS.contains(&name) {
                links.push((name == b"link", value));
            }
            self.blank(Span::new(line.body, line.span.end));
            at = line.next;
        }
        for (is_of_card, value) in links {
            if !(is_of_card && is_name) {
                self.add(value);
            }
        }
        at
    }

    /// Passes the reStructuredText from `at` on, and reads it; gives where its end stands.
    fn rest(&mut self, at: usize) -> usize {
        let mut end = at;
        while let Some(line) = Line::at(self.text, end) {
            let closes = |(start, mark, len): (usize, u8, usize)| {
                let open = self.open.iter().any(|open| open.mark == mark && open.len <= len);
                open && start + len == line.span.end
            };
            if fence(self.text, line).is_some_and(closes) {
                break;
            }
            end = line.next;
        }
        let content = Span::new(at, end);
        self.page.append(rest::page(content.of(self.text)), at);
        self.blank(content);
        end
    }

    fn add(&mut self, span: Span) {
        if !span.is_empty() {
            let target = span.of(self.text).to_vec();
            self.page.links.push(Link { span, target, shown: None });
        }
    }

    /// Makes blanks of what stands at `span`, but for ends of lines.
    fn blank(&mut self, span: Span) {
        let bytes = self.out.get_mut(span.range()).unwrap_or_default();
        bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
}

/// Where the fence begins on `line`, behind the marks of quotes, what it is made of, and how long
/// it is.
fn fence(text: &[u8], line: Line) -> Option<(usize, u8, usize)> {
    let body = line.of(text);
    let is_quote = |byte: &&u8| matches!(byte, b'>' | b' ' | b'\t');
    let quoted = body.iter().take_while(is_quote).count();
    let mark = *body.get(quoted).filter(|mark| matches!(mark, b'`' | b'~' | b':'))?;
    let len = body.iter().skip(quoted).take_while(|byte| **byte == mark).count();
    (len >= 3).then_some((line.body + quoted, mark, len))
}

/// The name in braces that `behind`, what stands behind a fence, begins with.
fn name(behind: &[u8]) -> Option<&[u8]> {
    let inside = behind.strip_prefix(b"{")?;
    inside.get(..memchr::memchr(b'}', inside)?)
}

/// The option on `line`, `:name: value`, and where its value stands.
fn option(text: &[u8], line: Line) -> Option<(&[u8], Span)> {
    let inside = line.of(text).strip_prefix(b":")?;
    let len = memchr::memchr(b':', inside)?;
    let name = inside.get(..len).filter(|name| !name.is_empty())?;
    let is_name =
        name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let value = Span::new(line.body + len + "::".len(), line.span.end);
    is_name.then(|| (name, trimmed(text, value)))
}
