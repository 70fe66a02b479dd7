//! Describes how much of a message is in sight: a piece of input may end anywhere in it.

/// Continuation after the bytes that a walk covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Another message, or nothing.
    End,
    /// More of the message, after an empty line.
    EmptyLine,
    /// More of the message.
    Anywhere,
}

/// Extent of a message that is in sight, and its continuation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    pub(super) end: usize,
    pub(super) edge: Edge,
}
