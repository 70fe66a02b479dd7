//! Finds the anchors of a document in which attributes may be written: tags for its parser, not
//! text of a script or of another attribute that looks like one.

use super::tokens::{Token, Tokens};
use crate::span::Span;

/// The attribute `href` of an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Href {
    /// The place of its value, without quotes.
    pub value: Span,
    /// Whether the tag has an attribute of Robust Links: it names a copy already.
    pub names_copy: bool,
}

/// Returns the anchors of `text`, an HTML document, in order.
#[must_use]
pub fn hrefs(text: &[u8]) -> Vec<Href> {
    let mut found: Vec<Href> = Vec::new();
    let (mut is_anchor, mut value, mut names_copy) = (false, None, false);
    for token in Tokens::new(text, 0) {
        match token {
            Token::Open(name) => {
                (is_anchor, value, names_copy) =
                    (name.of(text).eq_ignore_ascii_case(b"a"), None, false);
            }
            Token::Attribute(name, own) if is_anchor => {
                let name = name.of(text).to_ascii_lowercase();
                // Of two attributes with one name, the first counts (HTML Standard §13.2.5.33).
                if name == b"href" {
                    value = value.or(Some(own));
                }
                names_copy |= COPIES.iter().any(|copy| name.starts_with(copy));
            }
            Token::Opened(_) => {
                found.extend(value.take().map(|value| Href { value, names_copy }));
                is_anchor = false;
            }
            _ => {}
        }
    }
    found
}

/// The beginnings of the attributes of Robust Links.
const COPIES: [&[u8]; 2] = [b"data-version", b"data-original"];

#[cfg(test)]
mod tests {
    use super::hrefs;

    #[test]
    fn only_tags_of_the_document_are_anchors() {
        let case = |text: &str, wanted: &[(&str, bool)]| {
            let found: Vec<_> = hrefs(text.as_bytes())
                .into_iter()
                .map(|it| (&text[it.value.start..it.value.end], it.names_copy))
                .collect();
            assert_eq!(found, wanted, "{text}");
        };
        case("<p><a href=\"http://h/\">a</a>", &[("http://h/", false)]);
        case("<A class=\"x\"\nHREF='http://h/' id=b>a</A>", &[("http://h/", false)]);
        case("<a id=b href=http://h/ >a</a>", &[("http://h/", false)]);
        case("<a href=http://h/ href=http://i/>a</a>", &[("http://h/", false)]);
        case("<a href=\"http://h/\" data-versionurl=\"http://a/\">", &[("http://h/", true)]);
        case("<a data-originalurl='' href=\"http://h/\">", &[("http://h/", true)]);
        for text in [
            "<a title='href=http://h/'>a</a>",
            "<a data-href=\"http://h/\">a</a>",
            "<abbr href=\"http://h/\">",
            "<link href=\"http://h/\">",
            "<a x>href=\"http://h/\"",
            "<script>document.write(\"<a href='http://h/'>\")</script>",
            "<script type=\"application/ld+json\">{\"d\":\"<a href='http://h/'>\"}</script>",
            "<div onclick=\"f('<a href=http://h/>')\">",
            "<iframe srcdoc=\"<a href='http://h/'>x</a>\"></iframe>",
            "<style>a:after{content:\"<a href='http://h/'>\"}</style>",
            "<textarea><a href='http://h/'></textarea>",
            "<title><a href='http://h/'></title>",
            "<!-- <a href='http://h/'> -->",
            "<![CDATA[<a href='http://h/'>]]>",
            "<a href=\"http://h/",
        ] {
            case(text, &[]);
        }
    }
}
