//! Recognises pages of HTML with words, whose script makes the part that fragments name: files,
//! folders and discussions of code forges.
//!
//! Most of these pages hold the data that their script shows, as JSON, and so the names of the
//! places. Not known: pages of other programs.

use memchr::memmem;

use super::html::tokens::{Token, Tokens};
use crate::source::panics::caught;
use crate::span::Span;

/// The element around the part that a script of GitHub makes, and the attribute of its data.
const APP: &[u8] = b"react-app";
const DATA: &[u8] = b"react-app.embeddedData";

/// Names of elements that scripts of GitLab fill: a file, a folder, a discussion, changes.
const PLACES_TO_FILL: [&[u8]; 6] = [
    b"js-issuable-app",
    b"js-tree-list",
    b"js-view-blob-app",
    b"js-vue-discussion-counter",
    b"js-vue-mr-discussions",
    b"js-vue-notes",
];

/// The texts before the name of a place in the data of GitHub: a heading in the table of contents,
/// an `id` in HTML, or the URL of a comment.
const BEFORE_NAMES: [&[u8]; 3] = [b"\"anchor\":\"", b"user-content-", b"#"];

/// The beginning of a rendered file in the data of GitHub.
const RENDERED: &[u8] = b"\"richText\":\"";

/// A page whose script makes a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scripted {
    /// The data that the script shows; empty if the page does not hold them.
    data: Span,
}

impl Scripted {
    /// Reports whether the data in `text`, the page, name the place `wanted`.
    #[must_use]
    pub fn names(&self, text: &[u8], wanted: &[u8]) -> bool {
        let data = self.data.of(text);
        let is_place = |at: usize| {
            let (before, rest) = data.split_at(at);
            let after = rest.get(wanted.len()..).unwrap_or_default();
            BEFORE_NAMES.iter().any(|begin| before.ends_with(begin))
                && (after.starts_with(b"\"") || after.starts_with(b"\\"))
        };
        !wanted.is_empty() && memmem::find_iter(data, wanted).any(is_place)
    }

    /// Reports whether the data in `text`, the page, hold the whole text that the script shows.
    #[must_use]
    pub fn holds_text(&self, text: &[u8]) -> bool {
        memmem::find(self.data.of(text), RENDERED).is_some()
    }
}

/// Returns the data of `text`, HTML in UTF-8, if a script makes a part of the page.
#[must_use]
pub fn scripted(text: &[u8]) -> Option<Scripted> {
    // Nearly all pages end here.
    let may_be = PLACES_TO_FILL.iter().chain([&APP]).any(|name| memmem::find(text, name).is_some());
    if may_be { caught(|| read(text)).flatten() } else { None }
}

fn read(text: &[u8]) -> Option<Scripted> {
    let mut is_made = false;
    let mut is_data = false;
    for token in Tokens::new(text, 0) {
        match token {
            Token::Open(name) => {
                is_made |= name.of(text).eq_ignore_ascii_case(APP);
                is_data = false;
            }
            Token::Attribute(_, value) => {
                is_data |= value.of(text) == DATA;
                let mut names = value.of(text).split(u8::is_ascii_whitespace);
                is_made |= names.any(|name| PLACES_TO_FILL.contains(&name));
            }
            Token::Raw(span) if is_data => return Some(Scripted { data: span }),
            _ => {}
        }
    }
    is_made.then(Scripted::default)
}

#[cfg(test)]
mod tests {
    use super::scripted;

    #[test]
    fn data_name_the_places_of_a_page() {
        let page = br##"<react-app><script type="application/json"
            data-target="react-app.embeddedData">{"richText":"\u003ca id=\"user-content-one\"",
            "toc":[{"anchor":"two"}],"url":"https://h.example/i/1#issuecomment-3","x":"four"}
            </script><h1>words</h1></react-app>"##;
        let found = scripted(page).unwrap();
        assert!(found.holds_text(page));
        for name in ["one", "two", "issuecomment-3"] {
            assert!(found.names(page, name.as_bytes()), "{name}");
        }
        for name in ["four", "on", "ne", "wo", "", "issuecomment-", "richText"] {
            assert!(!found.names(page, name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn a_part_without_data_is_known_by_its_element() {
        for page in [
            "<react-app app-name=a><p>words</react-app>",
            "<p>words<div class='a js-view-blob-app' data-blob-path=a.md></div>",
            "<div id=js-issuable-app></div>",
        ] {
            let found = scripted(page.as_bytes()).unwrap();
            let (page, text) = (page.as_bytes(), page);
            assert!(!found.names(page, b"a") && !found.holds_text(page), "{text}");
        }
        for page in [
            "<p>react-app js-view-blob-app",
            "<!-- <react-app> -->",
            "<react-partial><script data-target='react-partial.embeddedData'>{}</script>",
            "",
        ] {
            assert_eq!(scripted(page.as_bytes()), None, "{page}");
        }
    }
}
