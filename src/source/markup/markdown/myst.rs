//! Reads MyST: Markdown with directives, which are in fences as code is (MyST, "Directives";
//! Sphinx-Design).
//!
//! The content of most directives is Markdown. So their fences are replaced by blanks before the
//! document is read, and every offset stays. Files that they name, and options that are links, are
//! reported besides; `{eval-rst}` is read as reStructuredText. An unknown name may be a language of
//! code.

use std::borrow::Cow;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use super::{depth, options, readable};
use crate::source::markup::lines::{Line, trimmed};
use crate::source::markup::{Link, Page, rest};
use crate::span::Span;

/// The kind of the argument and the content of a directive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgumentKind {
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

/// Most nested fences that are read; books have some four. Each level costs a reading.
const DEPTH_MAX: usize = 8;

/// The option that may declare that the option `link` is no URI.
const LINK_TYPE: &[u8] = b"link-type";

impl ArgumentKind {
    /// Returns the kind of the directive called `name`; `None` for code, and for unknown names.
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

/// Returns `text`, a document after its front matter, without the fences of directives, and the
/// links of these.
pub(super) fn read(text: &[u8]) -> (Cow<'_, [u8]>, Page) {
    let mut reader = MystReader { text, out: Cow::Borrowed(text), page: Page::default() };
    if !memchr::memchr_iter(b'{', text).any(|at| may_begin(text, at)) {
        return (reader.out, reader.page);
    }
    // Nested fences appear once the outer ones are replaced.
    for _ in 0..DEPTH_MAX {
        let begun = if depth::is_too_deep(&reader.out) { Vec::new() } else { begun(&reader.out) };
        if begun.is_empty() {
            break;
        }
        begun.iter().for_each(|begun| reader.directive(begun));
    }
    (reader.out, reader.page)
}

/// Reports whether the brace at `at` of `text` may be in the fence of a directive. Reading a
/// document once more is slow, and most have none.
fn may_begin(text: &[u8], at: usize) -> bool {
    let (before, after) = text.split_at(at);
    let before = before.trim_ascii_end();
    let is_fence = [&b"```"[..], b"~~~", b":::"].iter().any(|mark| before.ends_with(mark));
    is_fence && name(after).and_then(ArgumentKind::of).is_some()
}

/// A directive in a text.
struct Begun {
    kind: ArgumentKind,
    /// Its span, with its fences.
    span: Span,
}

/// Returns the outermost directives of `text`.
fn begun(text: &[u8]) -> Vec<Begun> {
    let readable = readable(text);
    let mut found = Vec::new();
    let mut is_code = false;
    for (event, range) in Parser::new_ext(&readable, options()).into_offset_iter() {
        let span = Span::new(range.start, range.end);
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                is_code = true;
                let kind = name(info.as_bytes()).and_then(ArgumentKind::of);
                found.extend(kind.map(|kind| Begun { kind, span }));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => is_code = true,
            Event::End(TagEnd::CodeBlock) => is_code = false,
            Event::Text(line) if !is_code => {
                // After a fence of colons, all but the first line is Markdown already.
                let after = line.trim_start_matches(':').trim_start().as_bytes();
                let kind =
                    name(after).and_then(ArgumentKind::of).filter(|_| line.starts_with(":::"));
                found.extend(kind.map(|kind| Begun { kind, span }));
            }
            _ => {}
        }
    }
    found
}

struct MystReader<'t> {
    text: &'t [u8],
    /// The text with blanks for the parts that were read.
    out: Cow<'t, [u8]>,
    page: Page,
}

impl MystReader<'_> {
    fn directive(&mut self, begun: &Begun) {
        let Some(line) = Line::at(self.text, begun.span.start) else { return };
        let all = Span::new(line.body, line.span.end);
        let body = line.of(self.text);
        let Some(mark) = body.first().copied() else { return };
        let len = body.iter().take_while(|byte| **byte == mark).count();
        let Some(brace) = memchr::memchr(b'}', body) else { return };
        let argument = trimmed(self.text, Span::new(line.body + brace + 1, line.span.end));
        self.head(begun.kind, all, argument);
        let is_fence = mark != b':';
        // The end of a fence of colons is unknown here.
        let yaml = if is_fence { self.yaml(line.next, begun.span.end) } else { line.next };
        let content = self.options(line.next, yaml);
        if !is_fence {
            return;
        }
        let end = self.close(begun.span, mark, len).max(content);
        if begun.kind == ArgumentKind::Rest {
            let inside = Span::new(content, end);
            self.page.append(rest::page(inside.of(self.text)), content);
            self.blank(inside);
        }
    }

    /// Reads the first line of a directive, which is at `all`.
    fn head(&mut self, kind: ArgumentKind, all: Span, argument: Span) {
        if kind == ArgumentKind::File {
            self.add(argument);
        }
        self.blank(Span::new(all.start, argument.start.max(all.start)));
        if kind != ArgumentKind::Text || argument.is_empty() {
            return self.blank(all);
        }
        // A heading ends with its line, and so does a directive's.
        const HEADING: &[u8] = b"######";
        let marks = self.out.to_mut().get_mut(all.start..argument.start).unwrap_or_default();
        marks.iter_mut().zip(HEADING).for_each(|(to, mark)| *to = *mark);
    }

    /// Returns the end offset of the options in YAML that begin at `at`, after their second rule;
    /// `at` if there are none up to `to`.
    fn yaml(&self, at: usize, to: usize) -> usize {
        let is_rule = |line: Line| unquoted(self.text, line).of(self.text) == b"---";
        let Some(first) = Line::at(self.text, at).filter(|line| is_rule(*line)) else { return at };
        let mut next = first.next;
        while let Some(line) = Line::at(self.text, next).filter(|line| line.span.end <= to) {
            next = line.next;
            if is_rule(line) {
                return next;
            }
            // A line that is no option shows that the rule is a rule of the text.
            if !line.is_blank() && option(self.text, unquoted(self.text, line), true).is_none() {
                return at;
            }
        }
        at
    }

    /// Reads the options from `at` on, those before `yaml` in YAML and others after colons; returns
    /// the offset of the content.
    fn options(&mut self, mut at: usize, yaml: usize) -> usize {
        let (mut links, mut is_name) = (Vec::new(), false);
        while let Some(line) = Line::at(self.text, at) {
            let body = unquoted(self.text, line);
            let is_yaml = at < yaml;
            let option = option(self.text, body, is_yaml);
            if !is_yaml && option.is_none() {
                break;
            }
            if let Some((name, value)) = option {
                is_name |= name == LINK_TYPE && value.of(self.text) != b"url";
                if OPTIONS.contains(&name) {
                    links.push((name == b"link", value));
                }
            }
            self.blank(body);
            at = line.next;
        }
        links.retain(|(is_of_card, _)| !(*is_of_card && is_name));
        links.into_iter().for_each(|(_, value)| self.add(value));
        at
    }

    /// Removes the fence that ends the directive at `span`; returns its offset, or the end of
    /// `span`.
    fn close(&mut self, span: Span, mark: u8, len: usize) -> usize {
        let text = span.of(self.text).trim_ascii_end();
        let last = memchr::memrchr(b'\n', text).map_or(0, |feed| feed + 1);
        let Some(line) = Line::at(self.text, span.start + last) else { return span.end };
        let fence = unquoted(self.text, line);
        let is_fence = fence.len() >= len && fence.of(self.text).iter().all(|byte| *byte == mark);
        if last == 0 || !is_fence {
            return span.end;
        }
        self.blank(fence);
        line.start
    }

    fn add(&mut self, span: Span) {
        // Files in angle brackets are those that Docutils brings along.
        if !span.is_empty() && span.of(self.text).first() != Some(&b'<') {
            let target = span.of(self.text).to_vec();
            self.page.links.push(Link { span, target, shown: None });
        }
    }

    /// Replaces the text at `span` by blanks, except for line ends.
    fn blank(&mut self, span: Span) {
        let bytes = self.out.to_mut().get_mut(span.range()).unwrap_or_default();
        bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
}

/// Returns the text of `line` after the marks of quotes.
fn unquoted(text: &[u8], line: Line) -> Span {
    let is_quote = |byte: &&u8| matches!(byte, b'>' | b' ' | b'\t');
    let quoted = line.of(text).iter().take_while(is_quote).count();
    Span::new(line.body + quoted, line.span.end)
}

/// Returns the name in braces that `info`, the text after a fence, begins with.
fn name(info: &[u8]) -> Option<&[u8]> {
    /// Longest name of a directive, or of a language with its options.
    const NAME_LEN_MAX: usize = 256;
    let inside = info.strip_prefix(b"{")?;
    let near = inside.get(..NAME_LEN_MAX).unwrap_or(inside);
    near.get(..memchr::memchr(b'}', near)?)
}

/// Returns the name of the option at `span`, `:name: value` or in YAML `name: value`, and the span
/// of its value.
fn option(text: &[u8], span: Span, is_yaml: bool) -> Option<(&[u8], Span)> {
    let colon = usize::from(!is_yaml);
    let inside = span.of(text).strip_prefix(if is_yaml { &b""[..] } else { b":" })?;
    let len = memchr::memchr(b':', inside)?;
    let name = inside.get(..len).filter(|name| !name.is_empty())?;
    let is_name =
        name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let value = Span::new(span.start + colon + len + 1, span.end);
    is_name.then(|| (name, trimmed(text, value)))
}

#[cfg(test)]
mod tests {
    use crate::source::markup::Markup;

    #[track_caller]
    fn links(text: &str, expected: &[&str]) {
        let page = Markup::Markdown.page(text.as_bytes());
        let link =
            |link: &crate::source::markup::Link| String::from_utf8_lossy(&link.target).into_owned();
        assert_eq!(page.links.iter().map(link).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn what_is_code_to_markdown_is_no_directive() {
        links("- ```\n  a\n  ```\n\n```\ntext\n```{image} x.png\n```\nend\n", &[]);
        links("```foo``` bar\n\n```\nx\n```\n\n```\n```{image} x.png\n```\n", &[]);
        links("> ```{note}\n> [a](b.md)\n\n[c](d.md)\n\n```\n[e](f.md)\n```\n", &["b.md", "d.md"]);
        links("Use:\n\n    ```{image} x.png\n    ```\n", &[]);
        links("<!--\n```{figure} x.png\n```\n-->\n", &[]);
        links("<pre>\n```{image} x.png\n```\n</pre>\n", &[]);
        links("---\nabstract: |\n  ```{image} x.png\n  ```\n---\n", &[]);
        links("```{image} x.png```\n", &[]);
        links("```{r}\n[a](b.md)\n```\n```{python, echo=F}\n[a](b.md)\n```\n", &[]);
        links("````md\n```{note}\n[a](b.md)\n```\n````\n", &[]);
        links("```{include} <isonum.txt>\n```\n", &[]);
    }

    #[test]
    fn the_table_of_directives_is_in_order() {
        assert!(super::TEXTS.is_sorted());
    }

    #[test]
    fn a_rule_in_a_directive_begins_no_options() {
        links("```{note}\n---\n[a](b.md)\n```\n\n[c](d.md)\n", &["b.md", "d.md"]);
        links("```{note}\n---\nlink: a.md\n```\n---\n[c](d.md)\n", &["d.md"]);
        links("```{note}\n---\nSee: it\n\n[a](b.md)\n\n---\n```\n", &["b.md"]);
        links(":::{note}\n---\n[a](b.md)\n:::\n---\n", &["b.md"]);
    }

    #[test]
    fn directives_stand_in_lists_and_quotes_and_each_other() {
        links("1. ```bash\n   ls\n   ```\n\n```{note}\nSee [x](y.md)\n```\n", &["y.md"]);
        links("- ```{note}\n  [a](b.md)\n  ```\n- [c](d.md)\n", &["b.md", "d.md"]);
        links("\u{FEFF}```{note}\n[a](b.md)\n```\n", &["b.md"]);
        links("``` {note}\r\n[a](b.md)\r\n```\r\n", &["b.md"]);
        links("> ```{figure} a.png\n> :target: b.html\n> ```\n", &["a.png", "b.html"]);
        links(
            "```{figure} a.png\n---\ntarget: b.html\n---\n[c](d.md)\n```\n",
            &["a.png", "b.html", "d.md"],
        );
        let nested = "`````{grid}\n````{card} [a](b.md)\n```{image} c.png\n```\n````\n`````\n";
        links(nested, &["b.md", "c.png"]);
        links("~~~{tip}\n:::{image} a.png\n:::\n~~~\n", &["a.png"]);
    }
}
