//! Events of reading an input that are no text.

use crate::finding::Note;

/// What is said of an input beside its text.
#[derive(Debug)]
pub enum Told {
    /// A member of an archive is read.
    Member,
    /// Something in it was left out, for this reason.
    Skipped(&'static str),
    /// What must not get lost; it stands in reports where it is told.
    Note(Note),
}
