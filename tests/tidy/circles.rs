//! Lists the files whose imports lead in a circle; the list may only shrink.

/// Files from which imports lead back to themselves. None may be added; a file that is in no circle
/// any more must be removed.
pub(crate) const IN_CIRCLES: &[&str] = &[];
