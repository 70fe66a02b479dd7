//! Finds places in HTML: every `id`, and the `name` of an `a` (HTML Standard §7.4.6.4). SVG has
//! `id`, too. A page that redirects its readers may keep the fragment by a script.
//!
//! The content of a `template` is not in the document (§4.12.3), and no tag follows a `plaintext`.

use super::outline::{HeadingKind, Outline};
use crate::source::markup::html::leads_on;
use crate::source::markup::html::tokens::{Token, Tokens};
use crate::source::markup::reference::Resolved;
use crate::span::Span;

/// Collects the places of an HTML document. Its headings make none.
pub(super) fn read(text: &[u8], outline: &mut Outline) {
    let mut tag = Tag::default();
    // The number of open templates around the tag.
    let mut templates = 0_usize;
    for token in Tokens::new(text, 0) {
        match token {
            Token::Open(name) => tag = Tag { name: name.of(text), ..Tag::default() },
            Token::Attribute(name, value) => tag.attribute(name.of(text), value),
            Token::Opened(_) if tag.is(b"template") => {
                tag.end(text, templates == 0, outline);
                templates += 1;
            }
            Token::Opened(_) => {
                tag.end(text, templates == 0, outline);
                if tag.is(b"plaintext") {
                    return;
                }
            }
            Token::Close(name) if name.of(text).eq_ignore_ascii_case(b"template") => {
                templates = templates.saturating_sub(1);
            }
            _ => {}
        }
    }
}

/// A start tag, and its attributes that matter. Of several attributes with one name, the first
/// counts (HTML Standard §13.2.5.33).
#[derive(Default)]
struct Tag<'t> {
    name: &'t [u8],
    /// The values of `id`, `name`, `http-equiv` and `content`.
    values: [Option<Span>; 4],
}

impl Tag<'_> {
    fn is(&self, name: &[u8]) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    fn attribute(&mut self, name: &[u8], value: Span) {
        const NAMES: [&[u8]; 4] = [b"id", b"name", b"http-equiv", b"content"];
        for (known, slot) in NAMES.iter().zip(&mut self.values) {
            if name.eq_ignore_ascii_case(known) {
                slot.get_or_insert(value);
            }
        }
    }

    /// Adds the places of the tag, if it is in the document.
    fn end(&self, text: &[u8], is_in_document: bool, outline: &mut Outline) {
        let [id, name, state, content] = self.values;
        if !is_in_document {
            return;
        }
        // Images refer to maps by name.
        let name = name.filter(|_| self.is(b"a") || self.is(b"map"));
        for value in [id, name].into_iter().flatten() {
            outline.add(&Resolved::new(text, value).bytes);
        }
        if let (true, Some(state), Some(content)) = (self.is(b"meta"), state, content) {
            let is_refresh = state.of(text).trim_ascii().eq_ignore_ascii_case(b"refresh");
            outline.is_open |= is_refresh && leads_on(&Resolved::new(text, content).bytes);
        }
    }
}

/// Collects the places of HTML in Markdown, and its headings. GitHub keeps `name` on any element,
/// and its pages lead there.
pub(super) fn read_part(text: &[u8], outline: &mut Outline) {
    for token in Tokens::new(text, 0) {
        match token {
            Token::Open(name) if is_heading(name.of(text)) => outline.open(HeadingKind::Tags),
            Token::Close(name) if is_heading(name.of(text)) => outline.close(),
            Token::Text(span) if outline.is_heading() => {
                outline.append(&Resolved::of_text(text, span).bytes);
            }
            Token::Attribute(name, value) => attribute(text, name, value, true, outline),
            _ => {}
        }
    }
}

/// Adds the place that an attribute names: by `id`, and by `name` if `has_name`.
fn attribute(text: &[u8], name: Span, value: Span, has_name: bool, outline: &mut Outline) {
    let is = |known: &[u8]| name.of(text).eq_ignore_ascii_case(known);
    if is(b"id") || has_name && is(b"name") {
        outline.add(&Resolved::new(text, value).bytes);
    }
}

fn is_heading(tag: &[u8]) -> bool {
    matches!(tag, [b'h' | b'H', b'1'..=b'6'])
}
