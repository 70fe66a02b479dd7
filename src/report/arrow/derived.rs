//! Computes the columns that are derived from others: the host and its site, the sort key, and the
//! fate of the page.

use std::borrow::Cow;

use crate::finding::Cue;
use crate::report::fields::{Fields, key};
use crate::report::key::key_of;
use crate::report::rot::Fate;
use crate::report::site::{ascii_host, registrable};

/// Adds the values that are derived from `uri`, as it is shown, to `to`: its host and site, and
/// its key in the indexes of web archives.
pub(super) fn link(uri: &[u8], has_scheme: bool, cue: &str, to: &mut impl Fields) {
    let host = ascii_host(&lossy(uri));
    to.utf8(key!(End, "host"), host.as_deref());
    to.utf8(key!(End, "site"), host.as_deref().and_then(registrable).as_deref());
    if let Some(surt) = key_of(uri, has_scheme, cue == Cue::Www.name()) {
        to.lossy(key!(End, "surt"), &surt);
    }
}

/// Adds the values that are derived from the answer of a probe to `to`.
pub(super) fn answer(fate: Option<Fate>, is_inaccessible: Option<bool>, to: &mut impl Fields) {
    to.name(key!(Rot, "fate"), fate.map(Fate::name));
    if let Some(is_so) = is_inaccessible {
        to.flag(key!(Rot, "inaccessible"), is_so);
    }
}

/// Returns `text` in UTF-8, with U+FFFD for what is not: nearly all texts are, and the check of a
/// whole text is quicker than the search for its parts.
pub(super) fn lossy(text: &[u8]) -> Cow<'_, str> {
    str::from_utf8(text).map_or_else(|_| String::from_utf8_lossy(text), Cow::Borrowed)
}
