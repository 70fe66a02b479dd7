//! HTML, for a moment.

use super::{Link, Page, Replaced};
use crate::span::Span;

/// Stub.
pub(super) fn page(text: &[u8]) -> Page {
    let mut page = Page::default();
    for at in memchr::memmem::find_iter(text, b"href=\"") {
        let start = at + 6;
        let end = start + memchr::memchr(b'"', &text[start..]).unwrap_or(0);
        let span = Span::new(start, end);
        page.links.push(Link { span, target: span.of(text).to_vec(), shown: None });
    }
    for at in memchr::memmem::find_iter(text, b"&amp;") {
        page.replaced.push(Replaced::new(Span::new(at, at + 5), b"&"));
    }
    page
}
