//! Checks the markup that is read in documents which tests write.

use linktrawl::internal::source::markup::{Markup, Page};

/// Compares the links of `text` with the expected ones.
#[track_caller]
pub(crate) fn targets(markup: Markup, text: &str, expected: &[&str]) {
    let page = markup.page(text.as_bytes());
    is_sound(&page, text.as_bytes());
    let found: Vec<_> =
        page.links.iter().map(|link| String::from_utf8_lossy(&link.target)).collect();
    assert_eq!(found, expected, "{text}");
}

/// Checks that spans are in bounds, in order, and do not overlap.
#[track_caller]
pub(crate) fn is_sound(page: &Page, text: &[u8]) {
    let links = page.links.iter().map(|link| link.span);
    let replaced = page.replaced.iter().map(|replaced| replaced.span);
    for spans in [links.collect::<Vec<_>>(), replaced.collect()] {
        let mut end = 0;
        for span in spans {
            let is_in_order = end <= span.start && span.start <= span.end;
            assert!(is_in_order && span.end <= text.len(), "{}", text.escape_ascii());
            end = span.end;
        }
    }
}
