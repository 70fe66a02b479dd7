//! Any bytes as a document: what is told of it lies in bounds, in order, and apart.
#![no_main]

use libfuzzer_sys::fuzz_target;
use linktrawl::source::markup::Markup;

fuzz_target!(|bytes: &[u8]| {
    let _ = Markup::by_content(bytes);
    let documents = [Markup::Html, Markup::Css, Markup::Feed];
    let with_escapes = [Markup::Json, Markup::Xml, Markup::Po, Markup::Properties, Markup::Tex];
    let others = [Markup::Texinfo, Markup::Turtle, Markup::Folded, Markup::Csv, Markup::Ldif];
    let all = documents.into_iter().chain(with_escapes).chain(others);
    for markup in all.chain([Markup::Template, Markup::Rtf, Markup::Terminal]) {
        let page = markup.page(bytes);
        let mut behind = 0;
        for span in page.links.iter().map(|link| link.span) {
            assert!(behind <= span.start && span.start <= span.end && span.end <= bytes.len());
            behind = span.end;
        }
        behind = 0;
        for span in page.replaced.iter().map(|replaced| replaced.span) {
            assert!(behind <= span.start && span.start < span.end && span.end <= bytes.len());
            behind = span.end;
        }
    }
});
