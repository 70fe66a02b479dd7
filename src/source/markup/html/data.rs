//! Reads CDATA sections of XHTML, and of SVG in HTML, as a part of the text around them (HTML
//! Standard §13.2.5.69; XML 1.0 §2.7).

use memchr::{memchr2_iter, memmem};

use super::joints::begins_url;
use super::tokens::{Token, Tokens};
use crate::source::markup::Replaced;
use crate::source::markup::insertion::DATA;
use crate::source::markup::together::Together;
use crate::span::Span;

/// Maximum number of signs of a section that are escaped. A section with more of them is a document
/// of its own, and is read as it is.
const SIGNS_MAX: usize = 256;

/// Returns `text` with each CDATA section as text that means the same, if there is one.
pub(super) fn joined(text: &[u8]) -> Option<Together> {
    let [begin, end] = DATA;
    memmem::find(text, begin)?;
    let (mut together, mut at) = (Together::default(), 0);
    for token in Tokens::new(text, 0) {
        let Token::Raw(span) = token else { continue };
        let before = text.get(at..span.start).unwrap_or_default();
        if !before.ends_with(begin) || signs(span.of(text)).count() > SIGNS_MAX {
            continue;
        }
        let start = span.start - begin.len();
        together.push_source(text, Span::new(at, start));
        edge(&mut together, text, Span::new(start, span.start));
        escaped(&mut together, text, span);
        at = span.end;
        if text.get(at..).is_some_and(|rest| rest.starts_with(end)) {
            at += end.len();
            edge(&mut together, text, Span::new(span.end, at));
        }
    }
    together.push_source(text, Span::new(at, text.len()));
    (at > 0).then_some(together)
}

/// Adds the edge of a section at `span`: nothing, or a gap before a URL.
fn edge(together: &mut Together, text: &[u8], span: Span) {
    let is_gap = text.get(span.end..).is_some_and(begins_url);
    together.push_replaced(&Replaced::new(span, if is_gap { b" " } else { b"" }));
}

/// Adds the content of a section at `span`, in which signs of markup mean themselves.
fn escaped(together: &mut Together, text: &[u8], span: Span) {
    let mut from = span.start;
    for at in signs(span.of(text)) {
        let sign = Span::new(span.start + at, span.start + at + 1);
        let made: &[u8] = if sign.of(text) == b"<" { b"&lt;" } else { b"&amp;" };
        together.push_source(text, Span::new(from, sign.start));
        together.push_replaced(&Replaced::new(sign, made));
        from = sign.end;
    }
    together.push_source(text, Span::new(from, span.end));
}

/// Returns the offsets of signs of markup in `text`.
fn signs(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    memchr2_iter(b'<', b'&', text)
}
