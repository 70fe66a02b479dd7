//! How far a message is seen: a piece of input may end anywhere in it.

/// What lies behind the bytes that a walk is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Another message, or nothing.
    End,
    /// More of the message, and an empty line before it.
    EmptyLine,
    /// More of the message.
    Anywhere,
}

/// How far a message is in sight, and what lies behind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    pub(super) end: usize,
    pub(super) edge: Edge,
}
