//! URIs as the commands print them: without their passwords.

use std::borrow::Cow;

use linktrawl::uri::Guarded;

/// `uri` with its passwords hidden.
pub(crate) fn shown(uri: &[u8]) -> Cow<'_, [u8]> {
    match Guarded::new(uri).shown() {
        // What hides nothing is the text itself.
        Cow::Borrowed(_) => Cow::Borrowed(uri),
        Cow::Owned(hidden) => Cow::Owned(hidden),
    }
}
