//! Pieces: stretches of an input that a worker reads by itself.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};

use super::InputKind;
use super::boxes::Style;
use super::buffer::Buffer;
use super::charset::Original;
pub use super::limits::{CORE_LEN_MAX, PART_CORES_MAX, PART_LEN_MAX};
use super::markup::{Comments, Escapes, Markup};
use super::mime::{Edge, Walk};
pub use super::told::Told;
use crate::finding::{Message, Origin};
use crate::span::{LineCounts, Position, Span};

/// Bytes that a piece must see around its core where the cut is made anywhere.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Bytes before the core.
    pub before: usize,
    /// Bytes behind the core.
    pub behind: usize,
}

/// How inputs are cut.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// How they are read.
    pub kind: InputKind,
    /// What pieces see around them.
    pub window: Window,
}

/// One piece of a text, with what must be known of the text before it.
#[derive(Debug)]
pub struct Piece {
    /// What holds the text.
    pub origin: Arc<Origin>,
    /// How the text is kept.
    pub storage: Storage,
    /// True when mail stands in it, though it is read as something else.
    pub is_of_mail: bool,
    /// The bytes of the core and around it.
    pub bytes: Buffer,
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
    /// The place in the input of what `bytes` was decoded from, when the text was decoded.
    pub decoded_from: Option<Original>,
    /// Whom to ask how far the piece before reached, when its last finding may reach into
    /// this one. It is a distance from the beginning of the text.
    pub reached_before: Option<Receiver<u64>>,
    /// Whom to tell how far this one reached.
    pub reached: Option<SyncSender<u64>>,
}

/// How a text is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// As it is: its offsets are offsets in the input.
    Plain,
    /// Inside of something packed: its offsets mean nothing in the input.
    Packed,
}

/// The structure of a text.
#[derive(Clone, Debug)]
pub enum Records {
    /// None.
    Text {
        /// What the comments before say, at a place of `bytes` from which on all of them can
        /// be told.
        comments: Comments,
        /// What stands for something else in it, where it has such.
        escapes: Option<Escapes>,
    },
    /// A document, or a part of a long one.
    Document(Document),
    /// Messages.
    Mail {
        /// The message that the core begins in.
        message: Option<Arc<Message>>,
        /// Where in that message the core begins; none outside of messages. In a box, since it is
        /// larger than all the rest.
        walk: Option<Box<Walk>>,
        /// What lies behind the core.
        edge: Edge,
        /// Where messages begin in the core.
        starts: Vec<usize>,
        /// Messages that began before; none when there is only one.
        count: Option<u64>,
        /// How they are kept.
        style: Style,
    },
}

/// A document, or what comes next of a long one, which reads as a document of its own.
#[derive(Clone, Debug)]
pub struct Document {
    /// The language.
    pub markup: Markup,
    /// What relative links start from, when the parts before say so.
    pub base: Option<Arc<[u8]>>,
    /// What the comments before say.
    pub comments: Comments,
}

impl Document {
    /// The beginning of a document.
    #[must_use]
    pub fn new(markup: Markup) -> Self {
        Self { markup, base: None, comments: Comments::default() }
    }
}

/// Where pieces go, and where their buffers come from.
pub trait Stage {
    /// An empty buffer; waits until there is one.
    fn buffer(&mut self) -> Buffer;

    /// An empty buffer for `len` bytes, more than others hold; waits until no other such
    /// buffer is in use.
    fn large_buffer(&mut self, len: usize) -> Buffer;

    /// Takes a buffer back that no piece was made of.
    fn give_back(&mut self, buffer: Buffer);

    /// Takes a piece. Breaks when nobody wants any more.
    fn take(&mut self, piece: Piece) -> ControlFlow<()>;

    /// Hears what is said of the input. Breaks when nobody wants any more.
    fn tell(&mut self, told: Told) -> ControlFlow<()>;
}

/// What a stream turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All of it was given on.
    Read,
    /// It is packed in a way that is not read, and nothing was given on.
    Packed(&'static str),
    /// The stage wanted no more.
    Stopped,
}

/// Bytes that a buffer must hold for pieces of `core_len_max` bytes.
#[must_use]
pub const fn buffer_len(core_len_max: usize, window: Window) -> usize {
    window.before + core_len_max + window.behind
}
