//! Detects the kind of inputs about which more is known than their first bytes.

use super::{content, postal};
use crate::source::InputKind;
use crate::source::kind::{Content, Declared};
use crate::source::mail::boxes::Style;
use crate::source::markup::Markup;

/// Hints at what an input is, beside its first bytes.
#[derive(Clone, Copy)]
pub(in crate::source) struct Hints<'n> {
    /// How it is read.
    pub(in crate::source) kind: InputKind,
    /// The name of the innermost member, or of the file.
    pub(in crate::source) name: &'n [u8],
    /// Declarations of the sender in `Content-Type`.
    pub(in crate::source) declared: Declared,
}

impl Hints<'_> {
    /// Returns what it is when it begins with `head`.
    pub(in crate::source) fn content(&self, head: &[u8]) -> Content {
        if self.kind != InputKind::Auto {
            return match as_told(self.kind, head) {
                // A program that delivered it left the line that it begins with.
                Content::Box(Style::Mbox | Style::Counted) if self.is_one_message() => {
                    Content::Text
                }
                content => content,
            };
        }
        match (content(head, self.name), self.declared.markup) {
            (Content::Text | Content::Box(_) | Content::Message, Some(markup)) => {
                Content::Document(markup)
            }
            // A document that only looks like it, or is called so.
            (Content::Document(found), Some(markup)) if found.escapes().is_some() => {
                Content::Document(markup)
            }
            (content, _) => content,
        }
    }

    /// Returns what a text is that was decoded. A shell may have written mail in UTF-16; but what
    /// is packed is no text, and lengths count bytes that are not there any more.
    pub(in crate::source) fn decoded(&self, head: &[u8]) -> Content {
        match self.content(head) {
            content @ (Content::Document(_) | Content::Message) => content,
            content @ Content::Box(Style::Mbox | Style::Mmdf | Style::Listserv) => content,
            Content::Box(Style::Counted) => Content::Box(Style::Mbox),
            _ => Content::Text,
        }
    }

    /// Reports whether its name says that it is one message.
    fn is_one_message(&self) -> bool {
        self.kind != InputKind::Mail && postal::is_of_one_message(self.name)
    }
}

/// Returns the content of an input of a given kind: only encoding and compression are detected.
fn as_told(kind: InputKind, head: &[u8]) -> Content {
    match (content(head, b""), kind) {
        // Packed bytes are no text: the kind applies to the unpacked content.
        (content @ (Content::Wide(_) | Content::Packed(_)), _) => content,
        (content @ Content::Box(_), _) if kind.is_mail() => content,
        (_, InputKind::SavedPage) if Markup::by_content(head) == Some(Markup::Html) => {
            Content::Document(Markup::Html)
        }
        (_, InputKind::Mail) => Style::of_rest_of_box(head).map_or(Content::Text, Content::Box),
        (_, InputKind::Document(markup)) => Content::Document(markup),
        _ => Content::Text,
    }
}
