//! Finds references to entities whose values are not known (XML 1.0 §4.1): `&version;` in
//! `https://h/&version;/x`, which another file declares, or none. The text is no address before a
//! parser puts the value in its place.
//!
//! In text, the values that a document declares itself are known (`escapes`). Not done: those of
//! pages that browsers read as XML, and of feeds.
//!
//! References in comments and in CDATA sections count, too, although XML has none there: text
//! around a link seldom shows which it is.

use std::borrow::Cow;

use super::escapes::{entity_name, xml_reference};
use super::html::tokens::root;
use super::{Markup, resolved};
use crate::span::Span;

/// Bytes at the beginning of a page of HTML in which it may declare entities.
const HEAD_LEN_MAX: usize = 4096;

/// The entities whose values are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source) enum Known {
    /// Every name is text: the language is not XML.
    All,
    /// The five of XML (XML 1.0 §4.6).
    Xml,
    /// The names of HTML.
    Html,
}

impl Known {
    /// Returns the entities that are known at `span` of `text`, a document in `markup`.
    pub(in crate::source) fn of_document(markup: Markup, text: &[u8], span: Span) -> Self {
        let may_matter = text.get(span.end) == Some(&b'&') || span.of(text).contains(&b'&');
        match markup {
            Markup::Feed => Self::Xml,
            Markup::Html if may_matter && declares(text) => Self::Html,
            _ => Self::All,
        }
    }

    /// Reports whether the link at `span` of `text`, as its author wrote it, holds a reference to
    /// an unknown entity, or ends before one.
    pub(in crate::source) fn lacks(self, text: &[u8], span: Span) -> bool {
        let rest = |at: usize| text.get(at..).unwrap_or_default();
        let is_unknown = |at: usize| name(rest(at)).is_some_and(|name| !self.has(name));
        let mut marks = memchr::memchr_iter(b'&', span.of(text));
        self != Self::All
            && (marks.any(|at| is_unknown(span.start + at))
                || is_unknown(span.end) && !name(rest(span.end)).is_some_and(ends_link))
    }

    /// Reports whether the value of the entity called `name` is known.
    fn has(self, name: &[u8]) -> bool {
        match self {
            Self::All => true,
            Self::Xml => xml_reference(&[b"&", name, b";"].concat()).is_some(),
            Self::Html => value(name).is_some(),
        }
    }
}

/// Reports whether `text`, a page of HTML, may declare entities: browsers read it as XML.
fn declares(text: &[u8]) -> bool {
    let head = text.get(..HEAD_LEN_MAX).unwrap_or(text);
    let is_declared = head.get(root(head)..).is_some_and(|text| text.starts_with(b"<?xml"));
    is_declared || memchr::memmem::find(head, b"<!ENTITY").is_some()
}

/// Returns the name of the reference to an entity that `text` begins with.
fn name(text: &[u8]) -> Option<&[u8]> {
    let after = text.strip_prefix(b"&")?;
    let name = entity_name(after)?;
    (after.get(name.len()) == Some(&b';')).then_some(name)
}

/// Returns the text that HTML has for the entity called `name`.
fn value(name: &[u8]) -> Option<Vec<u8>> {
    let reference = [b"&", name, b";"].concat();
    match resolved(&reference) {
        Cow::Owned(value) if value != reference => Some(value),
        _ => None,
    }
}

/// Reports whether the entity called `name` is a character that ends a link, by its name in HTML: a
/// blank, a dash, a quotation mark.
fn ends_link(name: &[u8]) -> bool {
    let value = value(name).and_then(|value| String::from_utf8(value).ok());
    value.is_some_and(|value| !value.chars().any(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::Known;
    use crate::span::Span;

    #[test]
    fn an_unknown_entity_is_a_gap_in_a_link() {
        for (known, text, expected) in [
            (Known::Xml, "[http://h/&ver;/x]", true),
            (Known::Xml, "[http://h/]&ver;", true),
            (Known::Xml, "[http://h/&my-v.2]; and", true),
            (Known::Xml, "[http://&host;/]", true),
            (Known::Xml, "[http://h/caf&eacute;/x]", true),
            (Known::Xml, "[http://h/caf]&eacute;", true),
            (Known::Xml, "[http://h/?a&amp;b=1&#38;c&#x26;d&apos;e]", false),
            (Known::Xml, "[http://h/?a&b=1;c]", false),
            (Known::Xml, "[http://h/a]&nbsp;b", false),
            (Known::Xml, "[http://h/a]&mdash;b", false),
            (Known::Html, "[http://h/caf&eacute;/x]", false),
            (Known::Html, "[http://h/&ver;/x]", true),
            (Known::All, "[http://h/&ver;/x]", false),
        ] {
            let (start, end) = (text.find('[').unwrap(), text.find(']').unwrap() - 1);
            let plain = text.replace(['[', ']'], "");
            assert_eq!(known.lacks(plain.as_bytes(), Span::new(start, end)), expected, "{text}");
        }
    }
}
