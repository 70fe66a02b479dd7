//! Looks at the pieces of a file for the places where it can be divided.
//!
//! A part begins where a piece begins, so that its pieces are those of the whole file. A message of
//! a box begins there, or a line of a text after an empty one; elsewhere, in logs, no finding of
//! the previous piece may reach into the piece. Nothing is carried over but positions: a part never
//! begins within a comment that excludes findings, nor in a context that changes how escapes are
//! read.

use std::ops::ControlFlow;
use std::sync::mpsc::sync_channel;

use crate::check::{self, Checks, Memory};
use crate::run::Observer;
use crate::run::unit::attempt;
use crate::source::Buffer;
use crate::source::file::Scouted;
use crate::source::markup::Escapes;
use crate::source::part::{Division, Joint, Picker};
use crate::source::piece::{CORE_LEN_MAX, Event, Piece, Records, Stage, Storage, buffer_len};

/// Bytes at the end of a piece that are scanned for findings which reach into the next one: twice
/// as many as the longest finding has.
const TAIL_LEN: usize = 2 * crate::scan::CANDIDATE_LEN_MAX;

/// A stage that chooses places where a text can be divided.
pub(super) struct Scout<'o> {
    observer: &'o dyn Observer,
    picker: Picker,
    checks: Checks,
    memory: Memory,
    spare: Option<Buffer>,
    /// The state of escapes after the beginning of the text, once a piece was seen.
    first: Option<Option<Escapes>>,
    /// Whether a finding of the last piece may reach into the next one.
    is_crossed: bool,
    /// Whether something was noted: then the file is not divided, since nothing shows what the
    /// fault means for its parts.
    is_faulty: bool,
}

impl<'o> Scout<'o> {
    pub(super) fn new(len_max: u64, observer: &'o dyn Observer) -> Self {
        let checks = Checks { unwrap: false, ..Checks::default() };
        Self {
            observer,
            picker: Picker::new(len_max),
            checks,
            memory: Memory::default(),
            spare: None,
            first: None,
            is_crossed: false,
            is_faulty: false,
        }
    }

    /// Returns how the file can be divided, and where; `None` if it cannot.
    pub(super) fn choose(self, scouted: Scouted) -> Option<(Division, Vec<Joint>)> {
        let Scouted { report, len, is_text, members, joints } = scouted;
        if self.is_faulty || report.note.is_some() {
            return None;
        }
        match (joints, self.first) {
            (None, Some(_)) if is_text && members == 0 => {
                Some((Division::Text, self.picker.finish(len)))
            }
            // A text before an archive is neither's.
            (joints, None) => joints,
            (_, Some(_)) => None,
        }
    }

    /// Returns the joint at the start of `piece`, if a reader can begin there.
    fn joint(&self, piece: &Piece) -> Option<Joint> {
        let Piece { core, base, position, .. } = *piece;
        if piece.storage != Storage::Plain || piece.decoded_from.is_some() {
            return None;
        }
        let at = base + core.start as u64;
        let position = (position.line, position.column, position.byte);
        let joint = Joint { context: core.start, position, ..Joint::plain(at, 0) };
        match &piece.records {
            Records::Text { comments, escapes } => {
                let settled = escapes.map(|escapes| escapes.settled(&piece.bytes));
                let is_idle = comments.is_idle() && self.first == Some(settled);
                let escapes = escapes.map_or(0, |escapes| escapes.at);
                is_idle.then_some(Joint { comments: comments.at, escapes, ..joint })
            }
            Records::Mail { walk: None, count: Some(count), .. } if core.start == 0 => {
                Some(Joint { count: *count, ..joint })
            }
            Records::Mail { .. } | Records::Document(_) => None,
        }
    }

    /// Reports whether a finding of `piece` may reach into the next one, where a joint is wanted.
    fn is_crossed(&mut self, piece: &mut Piece) -> bool {
        if piece.reached.is_none() {
            return false;
        }
        let end = piece.base + piece.core.end as u64;
        let is_text = matches!(piece.records, Records::Text { .. });
        if !is_text || !self.picker.wants(end) {
            return true;
        }
        if !has_blank_near(piece) {
            return true;
        }
        let (tell, hear) = sync_channel(1);
        (piece.reached_before, piece.reached) = (None, Some(tell));
        piece.core.start = piece.core.start.max(piece.core.end.saturating_sub(TAIL_LEN));
        let Self { checks, memory, .. } = self;
        let checked = attempt(|| check::piece(piece, checks, memory, &mut |_| {}));
        checked.is_none() || hear.try_recv().is_ok_and(|reached| reached > end)
    }
}

/// Reports whether a blank ends every bare finding that begins long before the end of `piece`.
/// Without one, where findings end depends on where the first of them begins, since each is cut at
/// the greatest length, and the tail alone does not show that.
fn has_blank_near(piece: &Piece) -> bool {
    let core = piece.core.of(&piece.bytes);
    let near = core.len().saturating_sub(crate::scan::CANDIDATE_LEN_MAX);
    core.get(near..).is_some_and(|tail| tail.iter().any(u8::is_ascii_whitespace))
}

impl Stage for Scout<'_> {
    fn buffer(&mut self) -> Buffer {
        let usual = || Buffer::new(buffer_len(CORE_LEN_MAX, check::WINDOW));
        self.spare.take().unwrap_or_else(usual)
    }

    fn large_buffer(&mut self, len: usize) -> Buffer {
        Buffer::new(len)
    }

    fn give_back(&mut self, mut buffer: Buffer) {
        if buffer.capacity() == buffer_len(CORE_LEN_MAX, check::WINDOW) {
            buffer.truncate(0);
            self.spare = Some(buffer);
        }
    }

    fn take(&mut self, mut piece: Piece) -> ControlFlow<()> {
        if self.first.is_none() {
            self.first = Some(match &piece.records {
                Records::Text { escapes, .. } => escapes.map(|escapes| escapes.begun(&piece.bytes)),
                _ => None,
            });
        }
        if !self.is_crossed
            && let Some(joint) = self.joint(&piece)
        {
            self.picker.offer(joint.at, joint);
        }
        self.observer.progress(piece.core.len() as u64);
        self.is_crossed = self.is_crossed(&mut piece);
        self.give_back(piece.bytes);
        ControlFlow::Continue(())
    }

    fn event(&mut self, event: Event) -> ControlFlow<()> {
        self.is_faulty |= matches!(event, Event::Note(_));
        ControlFlow::Continue(())
    }
}
