//! The files whose imports lead in a circle: what is left of knots, which may only shrink.

/// Files from which imports lead back to themselves. None may be added; one that is in no circle
/// any more is to be removed.
pub(crate) const IN_CIRCLES: &[&str] = &[];
