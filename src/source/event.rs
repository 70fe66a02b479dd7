//! Defines the events of reading an input, apart from its text.

use crate::finding::{Note, Skip};

/// An event of reading an input, apart from its text.
#[derive(Debug)]
pub enum Event {
    /// A member of an archive is read.
    Member,
    /// Something in it was skipped, for this reason.
    Skipped(Skip),
    /// A note that must not get lost; reports show it where it was made.
    Note(Note),
}
