//! Defines pieces: stretches of an input that a worker reads by itself.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};

use super::InputKind;
use super::buffer::Buffer;
pub use super::event::Event;
pub use super::limits::{CORE_LEN_MAX, PART_CORES_MAX, PART_LEN_MAX};
use super::mail::boxes::Style;
use super::mail::charset::Original;
use super::mail::mime::{Edge, Walk};
use super::markup::{Comments, Escapes, Markup};
use super::threads::SpareThreads;
use crate::finding::{Message, Origin};
use crate::span::{LineCounts, Position, Span};

/// Bytes that a piece must see around its core when a cut may fall anywhere.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Bytes before the core.
    pub before: usize,
    /// Bytes after the core.
    pub after: usize,
}

/// How to read and cut inputs.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The kind to read them as.
    pub kind: InputKind,
    /// The bytes that pieces see around their cores.
    pub window: Window,
}

/// One piece of a text, with what must be known of the text before it.
#[derive(Debug)]
pub struct Piece {
    /// The input, and the members within it, that the text comes from.
    pub origin: Arc<Origin>,
    /// Whether offsets in the text are offsets in the input.
    pub storage: Storage,
    /// Whether the text contains mail, though it is read as something else.
    pub is_of_mail: bool,
    /// The bytes of the core and around it.
    pub bytes: Buffer,
    /// Whether reading failed after the last of `bytes`: a word at their end may be longer.
    pub is_torn: bool,
    /// The bytes that the piece owns.
    pub core: Span,
    /// Offset of `bytes` in the text.
    pub base: u64,
    /// Line and column of the first byte of `bytes`; the column in bytes is that of the input.
    pub position: Position,
    /// Lines of `bytes`.
    pub lines: LineCounts,
    /// The structure of the text.
    pub records: Records,
    /// The place in the input that `bytes` was decoded from, if the text was decoded.
    pub decoded_from: Option<Original>,
    /// Receives the offset in the text up to which the previous piece reached, if its last finding
    /// may extend into this piece.
    pub reached_before: Option<Receiver<u64>>,
    /// Sends the offset in the text up to which this piece reached, if the next piece needs it.
    pub reached: Option<SyncSender<u64>>,
}

/// How the input stores a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Unpacked: offsets in the text are offsets in the input.
    Plain,
    /// Within a compressed stream or an archive: offsets in the text have no meaning in the input.
    Packed,
}

/// The structure of a text.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for a piece")]
pub enum Records {
    /// No structure.
    Text {
        /// The effect of the ignore comments before an offset in `bytes` from which on each such
        /// comment can be recognised.
        comments: Comments,
        /// The escapes of the text's format, if it has any.
        escapes: Option<Escapes>,
    },
    /// A document, or a part of a long one.
    Document(Document),
    /// Messages.
    Mail {
        /// The message that the core begins in.
        message: Option<Arc<Message>>,
        /// The position of the core's start in that message; `None` outside of messages. Boxed
        /// because it is larger than all other fields together.
        walk: Option<Box<Walk>>,
        /// The kind of place where the core ends.
        edge: Edge,
        /// Offsets in `bytes` at which messages of the core begin.
        starts: Vec<usize>,
        /// The number of messages that begin before the core; `None` if the text is one message.
        count: Option<u64>,
        /// How the text stores its messages.
        style: Style,
    },
}

/// A document, or the next part of a long one, which reads as a document of its own.
#[derive(Clone, Debug)]
pub struct Document {
    /// The language.
    pub markup: Markup,
    /// The base of relative links, if a previous part declares one.
    pub base: Option<Arc<[u8]>>,
    /// The effect of the ignore comments in previous parts.
    pub comments: Comments,
}

impl Document {
    /// Returns the beginning of a document in `markup`.
    #[must_use]
    pub fn new(markup: Markup) -> Self {
        Self { markup, base: None, comments: Comments::default() }
    }
}

/// The receiver of pieces and the source of their buffers.
pub trait Stage {
    /// Returns an empty buffer; waits until one is free.
    fn buffer(&mut self) -> Buffer;

    /// Returns an empty buffer for `len` bytes, more than others hold; waits until no other such
    /// buffer is in use.
    fn large_buffer(&mut self, len: usize) -> Buffer;

    /// Takes back a buffer that became no piece.
    fn give_back(&mut self, buffer: Buffer);

    /// Takes a piece. Returns `Break` when no more pieces are wanted.
    fn take(&mut self, piece: Piece) -> ControlFlow<()>;

    /// Takes an event of the input: a note or a skip. Returns `Break` when no more are wanted.
    fn event(&mut self, event: Event) -> ControlFlow<()>;

    /// Returns the threads that can work for the reader of an input; none if the reader is one of
    /// them, or alone.
    fn spare_threads(&self) -> Option<SpareThreads> {
        None
    }
}

/// The result of cutting a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All of it was passed on.
    Read,
    /// Its packing is not supported, and nothing was passed on.
    Packed(&'static str),
    /// The stage wanted no more.
    Stopped,
}

/// Returns the capacity in bytes of a buffer for pieces of `core_len_max` bytes.
#[must_use]
pub const fn buffer_len(core_len_max: usize, window: Window) -> usize {
    window.before + core_len_max + window.after
}
