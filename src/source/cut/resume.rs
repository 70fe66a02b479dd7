//! Cuts a part of a text as the whole text is cut.

use std::io::{self, Read};
use std::ops::ControlFlow;

use super::input::Input;
use super::{Cutter, End, Event, Opened, Outcome, Piece, Stage, Structure, Text};
use crate::source::buffer::Buffer;
use crate::source::kind::Content;
use crate::source::part::Joint;

impl<R: Read> Opened<R> {
    /// Reports whether the text can be divided: it is cut into pieces of its own bytes.
    pub fn is_divisible(&self, text: &Text<'_>) -> bool {
        let is_cut = match self.content {
            Content::Text | Content::Box(_) => true,
            Content::Document(markup) => markup.escapes().is_some(),
            Content::Message | Content::Packed(_) | Content::Wide(_) => false,
        };
        let is_plain = matches!(self.input, Input::Plain(_));
        is_cut && is_plain && text.coding(self.content, &self.head).is_none()
    }

    /// Cuts the part of the text that begins at `start` and ends before the offset `end`, and
    /// passes the pieces to `stage`. `rest` is the text from the bytes on that the first piece must
    /// see.
    ///
    /// # Errors
    /// The error of the reader, or an error when no piece ends at `end`.
    pub fn resume(
        self,
        rest: impl Read,
        (start, end): (&Joint, Option<u64>),
        text: &Text<'_>,
        stage: &mut dyn Stage,
    ) -> io::Result<Outcome> {
        let mut until = Until { inner: stage, end, ended: None };
        let outcome = if start.at == 0 {
            self.cut(text, &mut until)
        } else {
            let mut cutter = self.cutter(text);
            let moved = cutter.resume(start, &self.head);
            until.give_back(self.head);
            moved?;
            cutter.run(&mut Input::Plain(rest), None, End::default(), &mut until)
        };
        match (until.ended, outcome) {
            (Some(true), _) => Ok(Outcome::Read),
            (Some(false), _) => Err(other()),
            (None, Ok(Outcome::Read)) if end.is_some() => Err(other()),
            (None, outcome) => outcome,
        }
    }
}

/// Returns the error of a text whose pieces are not those that a plan has found.
fn other() -> io::Error {
    io::Error::other("expected the text that the split was planned for, found another")
}

impl Cutter<'_> {
    /// Moves to `start` of the text that begins with `head`.
    fn resume(&mut self, start: &Joint, head: &[u8]) -> io::Result<()> {
        let base = start.at.checked_sub(start.context as u64).ok_or_else(other)?;
        (self.base, self.context) = (base, start.context);
        self.position = start.start_position();
        // Each counts lines, characters, bytes or messages among the bytes before it.
        let (line, column, byte) = start.position;
        let is_possible = |number: u64| (1..=base.saturating_add(1)).contains(&number);
        if ![line, column, byte].into_iter().all(is_possible) || start.count > start.at {
            return Err(other());
        }
        match &mut self.structure {
            Structure::Text { comments, escapes } => {
                comments.at = start.comments;
                if let Some(escapes) = escapes {
                    *escapes = escapes.begun(head);
                    escapes.at = start.escapes;
                }
            }
            Structure::Mail(mail) => mail.resume(start.count),
            Structure::Document(_) => return Err(other()),
        }
        Ok(())
    }
}

/// A stage that wants no more after the piece that ends at an offset.
struct Until<'s> {
    inner: &'s mut dyn Stage,
    end: Option<u64>,
    /// Whether that piece came, or one that goes beyond it.
    ended: Option<bool>,
}

impl Stage for Until<'_> {
    fn buffer(&mut self) -> Buffer {
        self.inner.buffer()
    }

    fn large_buffer(&mut self, len: usize) -> Buffer {
        self.inner.large_buffer(len)
    }

    fn give_back(&mut self, buffer: Buffer) {
        self.inner.give_back(buffer);
    }

    fn take(&mut self, piece: Piece) -> ControlFlow<()> {
        let reached = piece.base + piece.core.end as u64;
        self.inner.take(piece)?;
        match self.end {
            Some(end) if reached >= end => {
                self.ended = Some(reached == end);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn event(&mut self, event: Event) -> ControlFlow<()> {
        self.inner.event(event)
    }
}
