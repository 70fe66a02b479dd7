//! Makes pieces of documents: one of a whole document, or several of a long one if its language
//! allows a cut.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::input::Input;
use super::{Buffer, Cut, Cutter, Document, End, Event, Outcome, Stage, Structure};
use crate::finding::{Note, NoteKind, Origin};
use crate::source::markup::{Escapes, Markup};

impl Cutter<'_> {
    /// Reads to the end after `head`, which has been read already. A document is one piece, unless
    /// it is too long.
    pub(super) fn document<R: Read>(
        &mut self,
        mut input: Input<R>,
        head: Buffer,
        mut end: End,
        stage: &mut dyn Stage,
    ) -> io::Result<Outcome> {
        let Structure::Document(Document { markup, .. }) = self.structure else {
            return self.run(&mut input, Some(head), end, stage);
        };
        // One byte more than the longest document, so that its end is seen.
        let most = markup.len_max() + 1;
        let mut bytes = head;
        loop {
            bytes = filled(bytes, most, &mut input, &mut end, stage);
            if end.is_reached {
                return self.whole(bytes, end, stage);
            }
            // The following parts would lack the charset declaration.
            let is_whole = self.base == 0 && markup.may_be_legacy(&bytes);
            let part = if is_whole { None } else { markup.part(&bytes) };
            let Some(part) = part else {
                return self.rest(bytes, markup, input, stage);
            };
            let piece = self.piece(bytes, Cut::Empty(part.len));
            if stage.take(piece).is_break() {
                return Ok(Outcome::Stopped);
            }
            if let Structure::Document(Document { base, .. }) = &mut self.structure {
                *base = base.take().or(part.base.map(Arc::from));
            }
            bytes = holding(&std::mem::take(&mut self.carry), most, stage);
        }
    }

    /// Reads the rest of a document as text, from `bytes` on: it is too long and can be cut
    /// nowhere.
    fn rest<R: Read>(
        &mut self,
        bytes: Buffer,
        markup: Markup,
        input: Input<R>,
        stage: &mut dyn Stage,
    ) -> io::Result<Outcome> {
        if let Structure::Document(Document { comments, .. }) = &self.structure {
            // A feed is XML.
            let escapes = (markup == Markup::Feed).then_some(Escapes::XML);
            self.structure = Structure::Text { comments: *comments, escapes };
        }
        let outcome = match stage.event(Event::Note(too_long(self.origin, self.base, markup))) {
            ControlFlow::Continue(()) => {
                self.run(&mut Input::Plain((&*bytes).chain(input)), None, End::default(), stage)
            }
            ControlFlow::Break(()) => Ok(Outcome::Stopped),
        };
        stage.give_back(bytes);
        outcome
    }

    /// Passes all of the text on as one piece.
    fn whole(&mut self, bytes: Buffer, end: End, stage: &mut dyn Stage) -> io::Result<Outcome> {
        let len = bytes.len();
        self.see(&end);
        if stage.take(self.piece(bytes, Cut::End(len))).is_break() {
            return Ok(Outcome::Stopped);
        }
        end.error.map_or(Ok(Outcome::Read), Err)
    }
}

/// Returns `bytes` filled from `input` up to `len` bytes, in a large buffer if necessary.
fn filled<R: Read>(
    mut bytes: Buffer,
    len: usize,
    input: &mut Input<R>,
    end: &mut End,
    stage: &mut dyn Stage,
) -> Buffer {
    end.fill(input, &mut bytes, len);
    if end.is_reached || bytes.capacity() >= len {
        return bytes;
    }
    let mut large = stage.large_buffer(len);
    large.push(&bytes);
    stage.give_back(bytes);
    end.fill(input, &mut large, len);
    large
}

/// Returns a buffer that holds `bytes`. A large one has room for `most` bytes, since there is no
/// second one.
fn holding(bytes: &[u8], most: usize, stage: &mut dyn Stage) -> Buffer {
    let mut buffer = stage.buffer();
    if buffer.capacity() < bytes.len() {
        stage.give_back(buffer);
        buffer = stage.large_buffer(most);
    }
    buffer.push(bytes);
    buffer
}

/// Returns the note for a document in `markup` that is longer than the limit, and cannot be cut
/// after offset `base`.
fn too_long(origin: &Origin, base: u64, markup: Markup) -> Note {
    let (len_max, name) = (markup.len_max(), markup.name());
    let it = if base == 0 { "it" } else { "the rest" };
    Note {
        kind: NoteKind::DocumentTooLong,
        origin: origin.clone(),
        offset: Some(base + len_max as u64),
        message: format!(
            "expected at most {len_max} bytes of {name}, found more: {it} is read as text"
        ),
    }
}
