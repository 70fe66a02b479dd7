//! Finds places in reStructuredText, by the rules of Docutils: targets, titles of sections,
//! footnotes and citations, and the `:name:` of a directive (reStructuredText Markup Specification,
//! "Sections", "Hyperlink Targets", "Implicit Hyperlink Targets"), and the `id` in raw HTML.
//!
//! Not known: that Docutils numbers a title whose name a link in the text took before; the places
//! that domains of Sphinx make of functions and classes, so that other names may exist in a
//! document with directives of a domain.

use super::outline::{Maker, Outline};
use super::{html, slug};
use crate::source::markup::lines::Line;

/// Collects the places of a document in reStructuredText.
pub(super) fn read(text: &[u8], outline: &mut Outline) {
    let mut at = 0;
    // The previous line, if it may be a title.
    let mut title: Option<Line> = None;
    while let Some(line) = Line::at(text, at) {
        at = line.next;
        let body = line.of(text);
        if let Some(title) = title.take_if(|_| is_adornment(body) && line.indent() == 0) {
            section(title.of(text), line.span.len(), outline);
            continue;
        }
        let is_title = !body.is_empty() && !is_adornment(body);
        title = is_title.then_some(line);
        explicit(body, outline);
        inline(body, outline);
        if is_raw_html(body) {
            let block = Line::after(text, at, line.indent());
            html::read(block.of(text), outline);
            at = block.end;
        }
    }
}

/// Reports whether a line is the directive for raw HTML.
fn is_raw_html(body: &[u8]) -> bool {
    let directive = body.strip_prefix(b".. raw::").unwrap_or_default();
    directive.split(u8::is_ascii_whitespace).any(|word| word.eq_ignore_ascii_case(b"html"))
}

/// Reports whether a line consists of one mark of punctuation, repeated.
fn is_adornment(body: &[u8]) -> bool {
    let first = body.first().filter(|first| first.is_ascii_punctuation());
    first.is_some_and(|first| body.iter().all(|byte| byte == first))
}

/// Adds the place of a title over a line of `len` marks, which is as long as the title or has four
/// marks.
fn section(title: &[u8], len: usize, outline: &mut Outline) {
    /// Marks of an underline that may be shorter than its title.
    const UNDERLINE_LEN_MIN: usize = 4;
    let title = String::from_utf8_lossy(title);
    if len >= UNDERLINE_LEN_MIN.min(title.chars().count()) {
        let id = slug::docutils(&shown(&title));
        if id.is_empty() {
            // Docutils numbers all elements without a name in one sequence.
            outline.is_open = true;
        } else {
            outline.add_numbered(id, Maker::Docutils, '-');
        }
    }
}

/// Returns the text that a reader sees of a title: without the roles and URIs in it, and without
/// the escapes between words and marks.
fn shown(title: &str) -> String {
    let mut shown = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(open) = rest.find('`') {
        let (before, after) = rest.split_at(open);
        shown.push_str(before.get(..before.len() - role_len(before)).unwrap_or(before));
        let inside = after.trim_start_matches('`');
        let end = inside.find('`').unwrap_or(inside.len());
        let (text, after) = inside.split_at(end);
        let target = text.find('<').filter(|_| text.ends_with('>'));
        shown.push_str(text.get(..target.unwrap_or(text.len())).unwrap_or(text));
        rest = after.trim_start_matches('`');
    }
    shown.push_str(rest);
    shown.replace("\\ ", "")
}

/// Returns the length of the role, `:name:`, at the end of `before`.
fn role_len(before: &str) -> usize {
    let Some(inside) = before.strip_suffix(':') else { return 0 };
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | ':');
    let name = inside.trim_end_matches(is_name);
    let role = before.get(name.len()..).unwrap_or_default();
    if role.starts_with(':') { role.len() } else { 0 }
}

/// Reads a target, a footnote or a citation, or an option that names a directive.
fn explicit(body: &[u8], outline: &mut Outline) {
    if let Some(name) = body.strip_prefix(b":name:") {
        return target(name.trim_ascii(), outline);
    }
    let Some(rest) = body.strip_prefix(b"..") else { return };
    let rest = rest.trim_ascii_start();
    if let Some(rest) = rest.strip_prefix(b"_") {
        let Some(len) = name_len(rest) else { return };
        let (name, uri) = rest.split_at_checked(len).unwrap_or((rest, b""));
        // A target with a URI leads away, and is no place.
        if matches!(uri, [] | [b':']) {
            target(name, outline);
        }
    } else if let Some(rest) = rest.strip_prefix(b"[") {
        let len = memchr::memchr(b']', rest).unwrap_or(0);
        let label = rest.get(..len).unwrap_or_default();
        // Footnotes are numbered in one sequence with all other elements without a name.
        outline.is_open |= label.first().is_some_and(|first| !first.is_ascii_alphabetic());
        target(label, outline);
    } else if memchr::memmem::find(rest, b"::").is_some_and(|at| is_of_domain(rest.get(..at))) {
        outline.is_open = true;
    }
}

/// Reports whether a directive of this name describes something and makes places for it.
fn is_of_domain(name: Option<&[u8]>) -> bool {
    const KINDS: [&[u8]; 19] = [
        b"function",
        b"class",
        b"method",
        b"attribute",
        b"data",
        b"exception",
        b"module",
        b"option",
        b"cmdoption",
        b"program",
        b"envvar",
        b"describe",
        b"object",
        b"decorator",
        b"glossary",
        b"confval",
        b"macro",
        b"type",
        b"automodule",
    ];
    let is_domain = |name: &[u8]| memchr::memchr(b':', name).is_some_and(|at| at > 0);
    name.is_some_and(|name| is_domain(name) || KINDS.contains(&name))
}

/// Returns the length of the name before a colon without a backslash before it. A name that holds
/// such a colon itself is in quotes.
fn name_len(rest: &[u8]) -> Option<usize> {
    if let Some(quoted) = rest.strip_prefix(b"`") {
        return memchr::memchr(b'`', quoted).map(|len| len + 2);
    }
    let is_end = |at: &usize| {
        let is_apart = rest.get(at + 1).is_none_or(u8::is_ascii_whitespace);
        is_apart && at.checked_sub(1).and_then(|before| rest.get(before)) != Some(&b'\\')
    };
    memchr::memchr_iter(b':', rest).find(is_end)
}

/// Adds the place that a target's name makes.
fn target(name: &[u8], outline: &mut Outline) {
    let name = String::from_utf8_lossy(name).replace(['\\', '`'], "");
    outline.add_numbered(slug::docutils(&name), Maker::Docutils, '-');
    // Sphinx keeps a name of HTML as written.
    outline.add(name.as_bytes());
}

/// Adds each target in a text, `` _`name` ``.
fn inline(body: &[u8], outline: &mut Outline) {
    for at in memchr::memmem::find_iter(body, b"_`") {
        let before = at.checked_sub(1).and_then(|before| body.get(before));
        let inside = body.get(at + 2..).unwrap_or_default();
        if before.is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'`')
            && let Some(len) = memchr::memchr(b'`', inside)
        {
            target(inside.get(..len).unwrap_or_default(), outline);
        }
    }
}
