//! Any bytes as a document or as text with escapes: links and replacements are in bounds, in
//! order, and apart. No replacement is empty, except for the letters of an entity in XML before its
//! last one.

use linktrawl::internal::source::markup::Markup;

fn is_in_order(markup: Markup, bytes: &[u8]) {
    let page = markup.page(bytes);
    let mut end = 0;
    for span in page.links.iter().map(|link| link.span) {
        assert!(end <= span.start && span.start <= span.end && span.end <= bytes.len());
        end = span.end;
    }
    end = 0;
    let mut spans = page.replaced.iter().map(|replaced| replaced.span).peekable();
    while let Some(span) = spans.next() {
        // Of the letters of an entity, the last has the place of its reference.
        let is_letter = matches!(markup, Markup::Xml)
            && spans.peek().is_some_and(|next| next.start == span.start);
        assert!(end <= span.start && span.end <= bytes.len());
        assert!(span.start < span.end || span.start == span.end && is_letter);
        end = span.end;
    }
}

/// HTML, as a document and as what a template makes.
pub(crate) fn html(bytes: &[u8]) {
    let _ = Markup::by_content(bytes);
    is_in_order(Markup::Html, bytes);
    is_in_order(Markup::Template, bytes);
}

/// Markdown and MDX.
pub(crate) fn markdown(bytes: &[u8]) {
    is_in_order(Markup::Markdown, bytes);
    is_in_order(Markup::Mdx, bytes);
}

/// The other languages that people write documents in.
pub(crate) fn lightweight(bytes: &[u8]) {
    for markup in [Markup::Rest, Markup::AsciiDoc, Markup::Org, Markup::Roff] {
        is_in_order(markup, bytes);
    }
}

/// Style sheets.
pub(crate) fn css(bytes: &[u8]) {
    is_in_order(Markup::Css, bytes);
}

/// Feeds and other XML.
pub(crate) fn xml(bytes: &[u8]) {
    is_in_order(Markup::Feed, bytes);
    is_in_order(Markup::Xml, bytes);
}

/// Calendars and cards.
pub(crate) fn folded(bytes: &[u8]) {
    is_in_order(Markup::Folded, bytes);
    is_in_order(Markup::Ldif, bytes);
}

/// Text with the escapes of a programming or data language.
pub(crate) fn escapes(bytes: &[u8]) {
    let data = [Markup::Json, Markup::Po, Markup::Properties, Markup::Turtle, Markup::Csv];
    for markup in data.into_iter().chain([Markup::Tex, Markup::Texinfo, Markup::Yaml]) {
        is_in_order(markup, bytes);
    }
}

/// Reads `bytes` as the output of word processors and of terminals.
pub(crate) fn shown(bytes: &[u8]) {
    is_in_order(Markup::Rtf, bytes);
    is_in_order(Markup::Terminal, bytes);
}
