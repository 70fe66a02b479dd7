//! Finds places in HTML: every `id`, and the `name` of an `a` (HTML Standard §7.4.6.4). SVG has
//! `id`, too. A page that redirects its readers may keep the fragment by a script.

use super::outline::{HeadingKind, Outline};
use crate::source::markup::html::tokens::{Token, Tokens};
use crate::source::markup::reference::Resolved;
use crate::span::Span;

/// Collects the places of an HTML document. Its headings make none.
pub(super) fn read(text: &[u8], outline: &mut Outline) {
    let mut tag = Span::default();
    for token in Tokens::new(text, 0) {
        match token {
            Token::Open(name) => tag = name,
            Token::Attribute(name, value) => {
                outline.is_open |= sends_on(tag.of(text), name.of(text), value.of(text));
                let is_tag = |known: &[u8]| tag.of(text).eq_ignore_ascii_case(known);
                // Images refer to maps by name.
                attribute(text, name, value, is_tag(b"a") || is_tag(b"map"), outline);
            }
            _ => {}
        }
    }
}

/// Reports whether an attribute is the `http-equiv=refresh` of a `meta`.
fn sends_on(tag: &[u8], name: &[u8], value: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"http-equiv")
        && tag.eq_ignore_ascii_case(b"meta")
        && value.trim_ascii().eq_ignore_ascii_case(b"refresh")
}

/// Collects the places of HTML in Markdown, and its headings. GitHub keeps `name` on any element,
/// and its pages lead there.
pub(super) fn read_part(text: &[u8], outline: &mut Outline) {
    for token in Tokens::new(text, 0) {
        match token {
            Token::Open(name) if is_heading(name.of(text)) => outline.open(HeadingKind::Tags),
            Token::Close(name) if is_heading(name.of(text)) => outline.close(),
            Token::Text(span) if outline.is_heading() => {
                outline.append(&Resolved::new(text, span).bytes);
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
