//! Redacts passwords in the URIs and messages that commands print.

use std::borrow::Cow;

use linktrawl::internal::uri::Redacted;

/// Returns `text`, which contains URIs, with their passwords redacted.
pub(crate) fn shown(text: &[u8]) -> Cow<'_, [u8]> {
    printed(&Redacted::new(text), text)
}

/// Returns `text`, which was derived from `sources`, without any part of their passwords.
pub(crate) fn shown_made_of<'t>(text: &'t [u8], sources: &[&[u8]]) -> Cow<'t, [u8]> {
    printed(&Redacted::made_of(text, sources), text)
}

fn printed<'t>(redacted: &Redacted<'t>, text: &'t [u8]) -> Cow<'t, [u8]> {
    match redacted.shown() {
        // Nothing is redacted: the text itself.
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(hidden) => Cow::Owned(hidden),
    }
}
