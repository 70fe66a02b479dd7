//! Cuts a stream of bytes into pieces that can be processed independently.
//!
//! A piece owns the bytes of its core; a record belongs to the piece that holds its first byte. A
//! cut falls after an empty line wherever there is one: no candidate crosses it, except in base64.
//! In a mailbox, it falls before a message, so that messages up to the length of a core lie in one
//! piece and can be decoded. Where there is no empty line (logs, one endless line), it falls
//! anywhere; the piece then sees some bytes beyond its core on both sides, and receives from the
//! previous piece the end offset of its last finding.
//!
//! Findings do not depend on where cuts fall. A part in a transfer encoding is decoded as a whole
//! if it fits into [`PART_LEN_MAX`] bytes: a cut is made before it if that helps. A longer part is
//! cut anywhere and decoded from a line before each cut, unless its encoding is not line by line:
//! then it is read undecoded and counted. Where a cut goes through a block of packed lines, the
//! piece sees enough after the cut to recognise the block, and its rest is known (`mime::blocks`
//! describes blocks without an end). In the same way, a declared length of a message counts only
//! where a piece sees its end (`boxes`), and the content of a URI only in as many bytes, encoded or
//! with its escapes, as the longest URI takes without any.
//!
//! [`PART_LEN_MAX`]: super::limits::PART_LEN_MAX

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use super::InputKind;
use super::buffer::Buffer;
use super::detect::news;
use super::event::Event;
use super::kind::{Content, Declared};
use super::limits::PART_CORES_MAX;
use super::mail::boxes::Style;
use super::mail::charset::Decoded;
use super::mail::mime::Edge;
use super::markup::{Comments, Escapes};
use super::piece::{Document, Outcome, Piece, Records, Stage, Storage, Window, buffer_len};
use crate::finding::Origin;
use crate::span::{LineCounts, Position, Span, advance, last_line};

mod document;
mod input;
mod mail;
mod opened;
mod resume;

use input::Input;
use mail::Mail;
pub use opened::{Opened, Reopened, open};

/// Whether an input ended, and the error that ended it.
#[derive(Debug, Default)]
struct End {
    is_reached: bool,
    error: Option<io::Error>,
}

impl End {
    /// Fills `buffer` up to `len` bytes, unless the input has ended. An error ends the input.
    fn fill<R: Read>(&mut self, input: &mut Input<R>, buffer: &mut Buffer, len: usize) {
        if self.is_reached {
            return;
        }
        match buffer.fill(input, len) {
            Ok(at_end) => self.is_reached = at_end,
            Err(error) => *self = Self { is_reached: true, error: Some(error) },
        }
    }
}

/// Cuts `input`, which is `text`, into pieces and passes them to `stage`. Packed inputs are not
/// unpacked.
///
/// # Errors
/// The error of the reader. All bytes read before it are passed on first.
pub fn cut(input: impl Read, text: &Text<'_>, stage: &mut dyn Stage) -> io::Result<Outcome> {
    open(input, text, stage).cut(text, stage)
}

/// The properties of a text that decide how it is cut.
#[derive(Clone, Copy, Debug)]
pub struct Text<'o> {
    /// The input, and the members within it, that the text comes from.
    pub origin: &'o Arc<Origin>,
    /// The kind to read it as.
    pub kind: InputKind,
    /// The bytes that pieces see around their cores.
    pub window: Window,
    /// Most bytes of a core.
    pub core_len_max: usize,
    /// Whether offsets in the text are offsets in the input.
    pub storage: Storage,
    /// The type and the charset that its sender declared.
    pub declared: Declared,
}

impl<'o> Text<'o> {
    /// Returns the text of an input by itself.
    #[must_use]
    pub fn plain(
        origin: &'o Arc<Origin>,
        kind: InputKind,
        window: Window,
        core_len_max: usize,
    ) -> Self {
        let (storage, declared) = (Storage::Plain, Declared::default());
        Self { origin, kind, window, core_len_max, storage, declared }
    }
}

/// The structure of a text, as far as the cutter has read it.
#[expect(clippy::large_enum_variant, reason = "there is one for an input")]
enum Structure {
    Text {
        /// The effect of the ignore comments passed so far.
        comments: Comments,
        escapes: Option<Escapes>,
    },
    Document(Document),
    Mail(Box<Mail>),
}

impl Structure {
    fn of(text: &Text<'_>, content: Content, head: &[u8]) -> Self {
        match (text.kind, content) {
            (kind, Content::Message | Content::Text)
                if content == Content::Message || kind.is_mail() =>
            {
                let is_wire = news::is_wire_format(head, text.origin);
                let style = if is_wire { Style::Wire } else { Style::Alone };
                Self::Mail(Box::new(Mail::new(style, head)))
            }
            (_, Content::Box(style)) => Self::Mail(Box::new(Mail::new(style, head))),
            (_, Content::Document(markup)) => match markup.escapes() {
                None => Self::Document(Document::new(markup)),
                escapes => Self::text(escapes),
            },
            _ => Self::text(None),
        }
    }

    /// Returns the structure at the beginning of a text without messages or markup.
    fn text(escapes: Option<Escapes>) -> Self {
        Self::Text { comments: Comments::default(), escapes }
    }

    /// Reports whether bytes after a core must be read before it is cut.
    fn looks_after(&self) -> bool {
        match self {
            Self::Text { escapes, .. } => escapes.is_some_and(Escapes::looks_after),
            Self::Document(_) => false,
            Self::Mail(mail) => mail.looks_after(),
        }
    }

    fn mail(&self) -> Option<&Mail> {
        let Self::Mail(mail) = self else { return None };
        Some(mail)
    }

    fn mail_mut(&mut self) -> Option<&mut Mail> {
        let Self::Mail(mail) = self else { return None };
        Some(mail)
    }

    /// Returns the structure of `core`, and advances to the bytes after it.
    fn pass(&mut self, bytes: &[u8], core: Span, base: u64, edge: Edge) -> Records {
        match self {
            Self::Mail(mail) => mail.pass(bytes, core, base, edge),
            Self::Document(document) => Records::Document(document.clone()),
            Self::Text { comments, escapes } => {
                Records::Text { comments: *comments, escapes: *escapes }
            }
        }
    }

    /// Advances to the next buffer, which begins at offset `start` of `bytes`. A cut made anywhere
    /// may divide a comment or an escape, and the bytes around the word of an ignore comment decide
    /// whether it is one.
    fn begin(&mut self, bytes: &[u8], start: usize, edge: Edge) {
        let (comments, escapes) = match self {
            Self::Text { comments, escapes } => (comments, escapes.as_mut()),
            Self::Document(document) => (&mut document.comments, None),
            Self::Mail(_) => return,
        };
        if edge == Edge::End {
            return;
        }
        let near = if edge == Edge::Anywhere && start > 0 { Comments::NEAR_LEN } else { 0 };
        let at = start.saturating_add(near).max(comments.at).min(bytes.len());
        comments.pass(bytes, at);
        *comments = comments.after(start);
        if let Some(escapes) = escapes {
            escapes.pass(bytes, start);
            *escapes = escapes.after(start);
        }
    }
}

struct Cutter<'o> {
    origin: &'o Arc<Origin>,
    storage: Storage,
    is_of_mail: bool,
    window: Window,
    core_len_max: usize,
    /// Most bytes of the next core: more than usual if a part must be decoded as a whole.
    core_len: usize,
    structure: Structure,
    /// Offset in the text of the next buffer's first byte.
    base: u64,
    /// Bytes of the next buffer that belong to the previous piece.
    context: usize,
    position: Position,
    decoded_from: Option<Decoded>,
    reached_before: Option<Receiver<u64>>,
    /// The bytes that the next buffer begins with.
    carry: Vec<u8>,
    /// Whether reading the bytes that the text is decoded from failed after those that were read.
    is_source_torn: bool,
    /// Whether reading failed after the last byte of the buffer.
    is_torn: bool,
}

impl<'o> Cutter<'o> {
    fn new(text: &Text<'o>, structure: Structure) -> Self {
        let Text { origin, window, core_len_max, storage, .. } = *text;
        Self {
            origin,
            storage,
            is_of_mail: false,
            window,
            core_len_max,
            core_len: core_len_max,
            structure,
            base: 0,
            context: 0,
            position: Position::START,
            decoded_from: None,
            reached_before: None,
            carry: Vec::new(),
            is_source_torn: false,
            is_torn: false,
        }
    }

    /// Reads to the end. `head` is the first buffer, if it has been read already.
    fn run<R: Read>(
        &mut self,
        input: &mut Input<R>,
        head: Option<Buffer>,
        mut end: End,
        stage: &mut dyn Stage,
    ) -> io::Result<Outcome> {
        let mut head = head;
        loop {
            let mut bytes = head.take().unwrap_or_else(|| self.fill(input, &mut end, stage));
            let mut place = self.place(input, &mut bytes, &mut end);
            while let Cut::Anywhere(at) = place
                && self.core_len < self.longest_core()
                && self.loses(&bytes, at, Edge::Anywhere)
            {
                bytes = self.grown(bytes, input, &mut end, stage);
                place = self.place(input, &mut bytes, &mut end);
            }
            let is_last = end.is_reached && matches!(place, Cut::End(at) if at == bytes.len());
            self.see(&end);
            let piece = self.piece(bytes, place);
            self.core_len = self.core_len_max;
            if stage.take(piece).is_break() || self.note_lengths(is_last, stage).is_break() {
                return Ok(Outcome::Stopped);
            }
            if is_last {
                return end.error.map_or(Ok(Outcome::Read), Err);
            }
        }
    }

    /// Records whether reading failed after the last byte of the buffer.
    const fn see(&mut self, end: &End) {
        self.is_torn = end.is_reached && (self.is_source_torn || end.error.is_some());
    }

    /// Reports the wrong lengths of messages found so far.
    fn note_lengths(&mut self, is_last: bool, stage: &mut dyn Stage) -> ControlFlow<()> {
        let Some(mail) = self.structure.mail_mut() else { return ControlFlow::Continue(()) };
        if is_last {
            mail.finish(self.base);
        }
        mail.notes(self.origin).into_iter().try_for_each(|note| stage.event(Event::Note(note)))
    }

    /// Returns a buffer with the bytes carried over and as many more as a core can take.
    fn fill<R: Read>(
        &mut self,
        input: &mut Input<R>,
        end: &mut End,
        stage: &mut dyn Stage,
    ) -> Buffer {
        let mut bytes = stage.buffer();
        bytes.push(&self.carry);
        let len = if self.structure.looks_after() {
            buffer_len(self.core_len_max, self.window)
        } else {
            self.context + self.core_len_max
        };
        end.fill(input, &mut bytes, len);
        bytes
    }

    const fn longest_core(&self) -> usize {
        self.core_len_max.saturating_mul(PART_CORES_MAX)
    }

    /// Reports whether a cut at `at`, of the kind `edge`, divides a part that should be decoded as
    /// a whole or be cut elsewhere.
    fn loses(&self, bytes: &[u8], at: usize, edge: Edge) -> bool {
        let core = Span::new(self.context, at);
        self.structure.mail().is_some_and(|mail| mail.loses(bytes, core, edge))
    }

    /// Lets the core grow by another core's length, and returns `bytes` with as many more bytes.
    fn grown<R: Read>(
        &mut self,
        mut bytes: Buffer,
        input: &mut Input<R>,
        end: &mut End,
        stage: &mut dyn Stage,
    ) -> Buffer {
        self.core_len += self.core_len_max;
        if bytes.capacity() < buffer_len(self.core_len, self.window) {
            let mut large = stage.large_buffer(buffer_len(self.longest_core(), self.window));
            large.push(&bytes);
            stage.give_back(bytes);
            bytes = large;
        }
        end.fill(input, &mut bytes, self.context + self.core_len);
        bytes
    }

    /// Decides where to cut `bytes`: at the end of the text, before the last message, before a part
    /// that must be decoded as a whole, after the last empty line unless the piece gets too short,
    /// before a header that would be divided, or anywhere. Only a cut made anywhere needs the bytes
    /// after it, which are then read first; after an empty line, copying them would be useless.
    fn place<R: Read>(&mut self, input: &mut Input<R>, bytes: &mut Buffer, end: &mut End) -> Cut {
        let most = self.context + self.core_len;
        // A longer rest would not fit into the next buffer.
        let least = most - self.core_len_max;
        let is_rest = |bytes: &Buffer, end: &End| end.is_reached && bytes.len() <= most;
        let mut core = self.find_messages(bytes, end);
        if self.structure.mail().is_some_and(Mail::is_open) {
            end.fill(input, bytes, buffer_len(self.core_len, self.window));
            core = self.find_messages(bytes, end);
        }
        if is_rest(bytes, end) {
            return Cut::End(bytes.len());
        }
        let mail = self.structure.mail();
        let last = mail.and_then(|mail| mail.last_message(bytes, core));
        if let Some(at) = last.filter(|at| *at >= least) {
            return Cut::End(at);
        }
        let part = mail.and_then(|mail| mail.coded_part(bytes, core)).filter(|at| *at >= least);
        let is_end = |at: &usize| !self.loses(bytes, *at, Edge::EmptyLine);
        if let Some(at) = part.or_else(|| self.empty_line(bytes).filter(is_end)) {
            return Cut::Empty(at);
        }
        end.fill(input, bytes, buffer_len(self.core_len, self.window));
        let core = self.find_messages(bytes, end);
        if is_rest(bytes, end) {
            return Cut::End(bytes.len());
        }
        let mail = self.structure.mail();
        let part = mail
            .and_then(|mail| mail.coded_part(bytes, core).or_else(|| mail.cut_header(bytes, core)));
        part.filter(|at| *at >= least).map_or(Cut::Anywhere(most), Cut::Empty)
    }

    /// Finds the messages in the longest core that `bytes` may have, and returns that core.
    fn find_messages(&mut self, bytes: &[u8], end: &End) -> Span {
        let most = bytes.len().min(self.context + self.core_len);
        let core = Span::new(self.context, most);
        if let Some(mail) = self.structure.mail_mut() {
            mail.find(bytes, core, self.base, end.is_reached);
        }
        core
    }

    /// Returns the offset after the last empty line in the second half of the core, or, of a grown
    /// core, in the second half of its growth.
    fn empty_line(&self, bytes: &[u8]) -> Option<usize> {
        let most = bytes.len().min(self.context + self.core_len);
        let least = self.context + self.core_len - self.core_len_max.div_ceil(2);
        let tail = bytes.get(least..most)?;
        let feed = memchr::memrchr_iter(b'\n', tail).find(|feed| {
            let line = tail.get(..*feed).unwrap_or_default();
            line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\n")
        })?;
        Some(least + feed + 1)
    }

    /// Returns the piece at the beginning of `bytes`, and carries the rest over to the next.
    fn piece(&mut self, mut bytes: Buffer, place: Cut) -> Piece {
        let start = self.context;
        let (Cut::End(end) | Cut::Empty(end) | Cut::Anywhere(end)) = place;
        let core = Span::new(start, end);
        let records = self.structure.pass(&bytes, core, self.base, place.edge());
        let (base, position) = (self.base, self.position);
        let lines = LineCounts::of(bytes.get(..end).unwrap_or_default());
        let reached_before = self.reached_before.take();
        let mut reached = None;
        let seen = match place {
            Cut::End(end) | Cut::Empty(end) => bytes.get(..end).unwrap_or_default(),
            Cut::Anywhere(_) => &bytes,
        };
        let is_torn = self.is_torn && seen.len() == bytes.len();
        let decoded_from = self.decoded_from.as_ref().map(|from| from.original(seen));
        self.carry.clear();
        self.context = 0;
        match place {
            Cut::End(end) | Cut::Empty(end) => {
                self.structure.begin(&bytes, end, place.edge());
                self.carry.extend_from_slice(bytes.get(end..).unwrap_or_default());
                bytes.truncate(end);
                self.pass(&bytes, &lines, end);
            }
            Cut::Anywhere(end) => {
                let from = character_start(&bytes, end.saturating_sub(self.window.before));
                self.structure.begin(&bytes, from, place.edge());
                self.carry.extend_from_slice(bytes.get(from..).unwrap_or_default());
                self.context = end - from;
                self.pass(&bytes, &lines, from);
                let (tell, hear) = sync_channel(1);
                (reached, self.reached_before) = (Some(tell), Some(hear));
            }
        }
        let origin = Arc::clone(self.origin);
        Piece {
            origin,
            storage: self.storage,
            is_of_mail: self.is_of_mail,
            bytes,
            is_torn,
            core,
            base,
            position,
            lines,
            records,
            decoded_from,
            reached_before,
            reached,
        }
    }

    /// Advances to the next buffer, which begins `len` bytes after the start of this one.
    fn pass(&mut self, bytes: &[u8], lines: &LineCounts, len: usize) {
        let Position { byte, .. } = self.position;
        self.position = advance(self.position, bytes, lines, len);
        if let Some(from) = &mut self.decoded_from {
            let passed = bytes.get(..len).unwrap_or_default();
            let (lines, last) = passed.split_at(last_line(passed));
            let first = from.offset() + 1 - byte;
            from.pass(lines);
            let line = if lines.is_empty() { first } else { from.offset() };
            from.pass(last);
            self.position.byte = from.offset() - line + 1;
        }
        self.base += len as u64;
    }
}

/// Returns `at`, or the start of the UTF-8 character that `at` would divide, so that columns count
/// the character once.
fn character_start(bytes: &[u8], at: usize) -> usize {
    let is_rest = |at: usize| bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let back = (0..4).take_while(|back| *back <= at && is_rest(at - back)).count();
    match at.checked_sub(back).filter(|at| bytes.get(*at).is_some_and(|byte| *byte >= 0xC0)) {
        Some(start) if back < 4 => start,
        _ => at,
    }
}

#[derive(Clone, Copy)]
enum Cut {
    /// At the end of the text, or before a message.
    End(usize),
    /// After an empty line.
    Empty(usize),
    /// At a place where a candidate may be divided.
    Anywhere(usize),
}

impl Cut {
    const fn edge(self) -> Edge {
        match self {
            Self::End(_) => Edge::End,
            Self::Empty(_) => Edge::EmptyLine,
            Self::Anywhere(_) => Edge::Anywhere,
        }
    }
}
