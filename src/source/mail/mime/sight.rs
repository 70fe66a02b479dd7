//! Describes the visible extent of a message: a piece of input may end anywhere in it.

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

/// The visible extent of a message, and its continuation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    pub(super) end: usize,
    pub(super) edge: Edge,
}
