//! Reads a frame that another thread has decoded.
//!
//! Each read returns the same text as the library's decoder, and takes the same number of packed
//! bytes, so that limits and offsets do not depend on threads. That decoder takes a header or a
//! whole block, returns its text, and takes the next one once it has returned all of it.

use std::io::{self, BufRead as _, ErrorKind, Read};

use zstd::stream::raw::{DParameter, InBuffer, OutBuffer};
use zstd::zstd_safe::DCtx;

use crate::source::container::Feed;
use crate::source::container::ahead::{Facts, Part, Step};
use crate::source::container::compress::Source;

/// Binary logarithm of the greatest window that a thread decodes with: that of `pzstd -22`.
const WINDOW_LOG_MAX: u32 = 27;

/// A frame as it is packed.
pub(super) struct Packed {
    pub(super) bytes: Vec<u8>,
    /// Its headers, blocks and checksum, in order, with the most bytes that each decodes to.
    pub(super) steps: Vec<Step>,
    /// Most bytes that the whole of it decodes to.
    pub(super) text_len_max: usize,
}

impl Packed {
    /// Decodes the frame, whose first byte is at `at`, to the empty `text`; returns none if it is
    /// malformed, or longer than it may be.
    pub(super) fn decode(mut self, at: u64, mut text: Vec<u8>) -> Option<Part> {
        let mut context = DCtx::try_create()?;
        context.init().ok()?;
        context.set_parameter(DParameter::WindowLogMax(WINDOW_LOG_MAX)).ok()?;
        text.reserve_exact(self.text_len_max);
        let (mut taken, mut hint) = (0, 1);
        for step in &mut self.steps {
            let bytes = self.bytes.get(taken..taken + step.len)?;
            let (mut input, before) = (InBuffer::around(bytes), text.len());
            let mut output = OutBuffer::around_pos(&mut text, before);
            hint = context.decompress_stream(&mut output, &mut input).ok()?;
            if input.pos() < bytes.len() || text.len() > self.text_len_max {
                return None;
            }
            step.made = text.len() - before;
            taken += step.len;
        }
        let end = (at + taken as u64) * 8;
        let facts = Facts::default();
        (hint == 0).then_some(Part { text, end, facts, steps: self.steps })
    }
}

/// A decoder of one frame.
pub(in super::super) struct Frame<'f, 'i> {
    feed: Source<'f, 'i>,
    part: Part,
    /// Number of steps that were taken.
    step: usize,
    /// Bytes of the next one that were taken.
    loaded: usize,
    /// Bytes of the text that were given, and that can be given.
    given: usize,
    ready: usize,
    /// Whether the last byte is not taken until all of the text is given.
    is_held_back: bool,
    is_finished: bool,
}

impl<'f, 'i> Frame<'f, 'i> {
    /// Returns a decoder of the frame that `feed` begins with, and that was decoded to `part`.
    pub(in super::super) const fn new(feed: Source<'f, 'i>, part: Part) -> Self {
        let (step, loaded, given, ready) = (0, 0, 0, 0);
        let (is_held_back, is_finished) = (false, false);
        Self { feed, part, step, loaded, given, ready, is_held_back, is_finished }
    }

    pub(in super::super) const fn feed(&self) -> &Feed<'i> {
        self.feed
    }

    pub(in super::super) fn into_feed(self) -> Source<'f, 'i> {
        self.feed.reuse(self.part.text);
        self.feed
    }

    /// Does what one call of the library does with `held` bytes and with room for `out`; returns
    /// how many bytes it takes and gives.
    fn call(&mut self, held: usize, out: &mut [u8]) -> (usize, usize) {
        let (mut taken, mut made) = (0, 0);
        loop {
            made += self.give(out.get_mut(made..).unwrap_or_default());
            let Some(step) = self.part.steps.get(self.step).filter(|_| self.ready == self.given)
            else {
                break;
            };
            let len = (step.len - self.loaded).min(held - taken);
            taken += len;
            self.loaded += len;
            if step.is_raw {
                self.ready += len;
            }
            if self.loaded < step.len {
                if len == 0 || !step.is_raw {
                    break;
                }
                continue;
            }
            if !step.is_raw {
                self.ready += step.made;
            }
            (self.step, self.loaded) = (self.step + 1, 0);
        }
        if self.step == self.part.steps.len() {
            taken = self.hold_back(taken, held);
        }
        (taken, made)
    }

    /// Holds the last byte back for as long as there is text to give. Returns the number of bytes
    /// that are taken.
    const fn hold_back(&mut self, taken: usize, held: usize) -> usize {
        if self.given < self.ready {
            let is_first = !self.is_held_back;
            self.is_held_back = true;
            return if is_first { taken.saturating_sub(1) } else { taken };
        }
        if !self.is_held_back {
            self.is_finished = true;
            return taken;
        }
        self.is_finished = taken < held;
        if self.is_finished { taken + 1 } else { taken }
    }

    fn give(&mut self, out: &mut [u8]) -> usize {
        let ready = self.part.text.get(self.given..self.ready).unwrap_or_default();
        let len = ready.len().min(out.len());
        if let (Some(to), Some(from)) = (out.get_mut(..len), ready.get(..len)) {
            to.copy_from_slice(from);
        }
        self.given += len;
        len
    }
}

impl Read for Frame<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.is_finished {
            return Ok(0);
        }
        // The library is called without bytes first.
        let (_, made) = self.call(0, out);
        if made > 0 {
            return Ok(made);
        }
        while !self.is_finished {
            let held = self.feed.fill_buf()?.len();
            if held == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            let (taken, made) = self.call(held, out);
            self.feed.consume(taken);
            if made > 0 {
                return Ok(made);
            }
        }
        Ok(0)
    }
}
