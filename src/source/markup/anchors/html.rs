//! Places in HTML: every `id`, and the `name` of an `a` (HTML Standard §7.4.6.4). SVG has its
//! `id` alike.

use super::outline::{Kind, Outline};
use crate::source::markup::html::tokens::{Token, Tokens};
use crate::source::markup::reference::Resolved;
use crate::span::Span;

/// Collects the places of an HTML document. Its headings make none.
pub(super) fn read(text: &[u8], outline: &mut Outline) {
    let mut tag = Span::default();
    for token in Tokens::new(text, 0) {
        match token {
            Token::Open(name) => tag = name,
            Token::Attribute(name, value) => attribute(text, tag, name, value, outline),
            _ => {}
        }
    }
}

/// Collects the places of HTML that stands in Markdown, and its headings.
pub(super) fn read_part(text: &[u8], outline: &mut Outline) {
    let mut tag = Span::default();
    for token in Tokens::new(text, 0) {
        match token {
            Token::Open(name) => {
                tag = name;
                if is_heading(name.of(text)) {
                    outline.open(Kind::Tags);
                }
            }
            Token::Close(name) if is_heading(name.of(text)) => outline.close(),
            Token::Text(span) if outline.is_heading() => {
                outline.append(&Resolved::new(text, span).bytes);
            }
            Token::Attribute(name, value) => attribute(text, tag, name, value, outline),
            _ => {}
        }
    }
}

/// Adds the place that an attribute of `tag` names.
fn attribute(text: &[u8], tag: Span, name: Span, value: Span, outline: &mut Outline) {
    let is = |span: Span, known: &[u8]| span.of(text).eq_ignore_ascii_case(known);
    if is(name, b"id") || is(name, b"name") && is(tag, b"a") {
        outline.add(&Resolved::new(text, value).bytes);
    }
}

fn is_heading(tag: &[u8]) -> bool {
    matches!(tag, [b'h' | b'H', b'1'..=b'6'])
}
