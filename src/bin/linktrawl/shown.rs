//! URIs and messages as the commands print them: without passwords.

use std::borrow::Cow;

use linktrawl::uri::Guarded;

/// `text`, which holds URIs, with their passwords hidden.
pub(crate) fn shown(text: &[u8]) -> Cow<'_, [u8]> {
    printed(&Guarded::new(text), text)
}

/// `text`, which was made of `sources`, without what may be of their passwords.
pub(crate) fn shown_made_of<'t>(text: &'t [u8], sources: &[&[u8]]) -> Cow<'t, [u8]> {
    printed(&Guarded::made_of(text, sources), text)
}

fn printed<'t>(guarded: &Guarded<'t>, text: &'t [u8]) -> Cow<'t, [u8]> {
    match guarded.shown() {
        // What hides nothing is the text itself.
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(hidden) => Cow::Owned(hidden),
    }
}
