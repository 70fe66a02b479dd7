//! Any bytes as a document with places: each is looked for, and none is found by accident.

use linktrawl::internal::source::markup::Markup;
use linktrawl::internal::source::markup::anchors::anchors;

/// Runs one input.
pub(crate) fn run(bytes: &[u8]) {
    let (fragment, document) = bytes.split_at(bytes.len().min(16));
    let kinds =
        [Markup::Html, Markup::Markdown, Markup::Mdx, Markup::Rest, Markup::AsciiDoc, Markup::Org];
    for markup in kinds.map(Some).into_iter().chain([None]) {
        let found = anchors(markup, document).map(|anchors| anchors.find(fragment));
        // Read once more, it says the same.
        assert_eq!(anchors(markup, document).map(|anchors| anchors.find(fragment)), found);
    }
}
