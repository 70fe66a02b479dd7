//! Reads a stream of xz whose blocks other threads decode.
//!
//! A block is passed on only after it was decoded whole and its check was right, if the library
//! knows the type of the check. Where a block is
//! missing, the library's decoder continues from there on, with the header of the stream before the
//! block. It has not seen the blocks before, so that the index at the end is checked here.

mod index;
mod search;
mod walk;

use std::io::{self, BufRead as _, ErrorKind, Read as _};

use liblzma::stream::{Action, Status, Stream};

use self::index::Index;
pub(super) use self::search::Search;
use self::search::primed;
use self::walk::{Event, HEADER_LEN, Sizes, Walk};
use super::Source;
use super::deferred::Failed;
use crate::source::container::Feed;
use crate::source::container::ahead::Part;
use crate::source::container::budget::is_bomb;

/// The limits of a stream, and what was decoded before it.
#[derive(Clone, Copy)]
pub(in super::super) struct Before {
    pub(super) memory_max: u64,
    /// Offset of the first stream.
    pub(super) start: u64,
    /// Bytes that all streams before this one decode to.
    pub(super) made: u64,
}

/// A decoder of one stream.
pub(in super::super) struct Blocks<'f, 'i> {
    feed: Source<'f, 'i>,
    before: Before,
    header: Vec<u8>,
    state: DecodeState,
    index: Index,
    /// Bytes that this stream decodes to, up to the current block.
    made: u64,
    failed: Failed,
}

enum DecodeState {
    Begin,
    /// Between two blocks, or before the index.
    Between,
    Together(Together),
    /// The library decodes the rest.
    Alone(Box<Alone>),
    Index,
    Ended,
}

/// A block that another thread has decoded.
struct Together {
    part: Part,
    given: usize,
    sizes: Sizes,
}

/// The library's decoder.
struct Alone {
    stream: Stream,
    /// The walk to the index, which the decoder must not see; none if it decodes all of the
    /// stream.
    walk: Option<Walk>,
    /// Bytes that the walk has passed and the decoder has not taken.
    passed: usize,
    is_at_index: bool,
}

/// The result of one step of a call.
enum Step {
    Next,
    /// The call is over.
    Done,
}

impl<'f, 'i> Blocks<'f, 'i> {
    /// Returns a decoder of the stream that `feed` begins with.
    pub(super) fn new(feed: Source<'f, 'i>, before: Before) -> Self {
        let (header, index, failed) = (Vec::new(), Index::new(), Failed::default());
        Self { feed, before, header, state: DecodeState::Begin, index, made: 0, failed }
    }

    pub(super) const fn feed(&self) -> &Feed<'i> {
        self.feed
    }

    pub(super) fn into_feed(self) -> Source<'f, 'i> {
        self.feed
    }

    /// Reads as the library's reader does.
    pub(super) fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.failed.take()?;
        loop {
            let is_at_end = self.feed.fill_buf()?.is_empty();
            if matches!(self.state, DecodeState::Begin) {
                self.begin()?;
            }
            let before = self.feed.consumed();
            let mut made = 0;
            let result = self.call(out, is_at_end, &mut made);
            if self.failed.after(made, result)? > 0 || matches!(self.state, DecodeState::Ended) {
                return Ok(made);
            }
            if is_at_end {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            if self.feed.consumed() == before {
                return Err(io::Error::new(ErrorKind::InvalidData, "corrupt xz stream"));
            }
        }
    }

    /// Decides whether other threads decode the blocks.
    fn begin(&mut self) -> io::Result<()> {
        let at = self.feed.consumed() + HEADER_LEN as u64;
        let header = self.feed.buffered().get(..HEADER_LEN).map(<[u8]>::to_vec);
        if let Some(header) = header
            && let Some(block) = self.part(at)
        {
            self.header = header;
            self.feed.consume(HEADER_LEN);
            self.state = DecodeState::Together(block);
            return Ok(());
        }
        self.feed.stop_ahead();
        let stream = Stream::new_stream_decoder(self.before.memory_max, 0)?;
        let alone = Alone { stream, walk: None, passed: 0, is_at_index: false };
        self.state = DecodeState::Alone(Box::new(alone));
        Ok(())
    }

    /// Returns the block at the offset `at`, if another thread has decoded it, and it may be passed
    /// on: however many packed bytes each byte of it takes, no limit is reached inside of it.
    fn part(&mut self, at: u64) -> Option<Together> {
        let part = self.feed.part(at * 8)?;
        let text = part.text.len() as u64;
        if is_bomb(self.before.made + self.made + text, at - self.before.start) {
            return None;
        }
        // The ends of reads must be those that the thread has assumed.
        let held = self.feed.consumed() + self.feed.buffered().len() as u64;
        let mut end = at;
        let is_end = |len: usize| {
            end += len as u64;
            end == held
        };
        let is_known = held >= part.end / 8 || part.steps.iter().map(|it| it.len).any(is_end);
        let sizes = Sizes { unpadded: part.facts.size as u64, text };
        is_known.then_some(Together { part, given: 0, sizes })
    }

    /// Does what one call of the library does with the buffered bytes; counts the bytes that it
    /// makes in `made`, also if it fails, and returns their number.
    fn call(&mut self, out: &mut [u8], is_at_end: bool, made: &mut usize) -> io::Result<usize> {
        loop {
            let room = out.get_mut(*made..).unwrap_or_default();
            let step = match &mut self.state {
                DecodeState::Begin | DecodeState::Ended => Step::Done,
                DecodeState::Between => self.between(),
                DecodeState::Together(_) => self.together(room, made)?,
                DecodeState::Alone(_) => self.alone(room, made, is_at_end)?,
                DecodeState::Index => {
                    let (len, result) = self.index.pass(self.feed.buffered(), &self.header);
                    self.feed.consume(len);
                    if result? {
                        self.state = DecodeState::Ended;
                    }
                    Step::Done
                }
            };
            if matches!(step, Step::Done) {
                return Ok(*made);
            }
        }
    }

    fn between(&mut self) -> Step {
        match self.feed.buffered() {
            [] => return Step::Done,
            [0, ..] => {
                self.feed.stop_ahead();
                self.state = DecodeState::Index;
            }
            _ => {
                self.state = match self.part(self.feed.consumed()) {
                    Some(block) => DecodeState::Together(block),
                    None => self.leave(),
                };
            }
        }
        Step::Next
    }

    /// Leaves the rest of the stream to the library.
    fn leave(&mut self) -> DecodeState {
        self.feed.stop_ahead();
        let Some(stream) = primed(&self.header, self.before.memory_max) else {
            return DecodeState::Index;
        };
        let walk = Some(Walk::after(&self.header));
        DecodeState::Alone(Box::new(Alone { stream, walk, passed: 0, is_at_index: false }))
    }

    fn together(&mut self, out: &mut [u8], made: &mut usize) -> io::Result<Step> {
        let DecodeState::Together(block) = &mut self.state else { return Ok(Step::Done) };
        let held = self.feed.buffered().len();
        let (at, end) = (self.feed.consumed(), block.part.end / 8);
        let (ready, early) = block.ready(at + held as u64);
        let mut rest = block.part.text.get(block.given..ready).unwrap_or_default();
        let len = rest.read(out)?;
        block.given += len;
        *made += len;
        if block.given < ready {
            if early.is_some_and(|early| early <= block.given) {
                self.feed.consume(held);
            }
            return Ok(Step::Done);
        }
        let left = usize::try_from(end - at).unwrap_or(usize::MAX);
        self.feed.consume(left.min(held));
        if left > held {
            return Ok(Step::Done);
        }
        let sizes = block.sizes;
        self.made += sizes.text;
        self.index.add(sizes);
        if let DecodeState::Together(block) =
            std::mem::replace(&mut self.state, DecodeState::Between)
        {
            self.feed.reuse(block.part.text);
        }
        Ok(Step::Next)
    }

    fn alone(&mut self, out: &mut [u8], made: &mut usize, is_at_end: bool) -> io::Result<Step> {
        let DecodeState::Alone(alone) = &mut self.state else { return Ok(Step::Done) };
        let held = self.feed.buffered();
        alone.pass(held, &mut self.index);
        let input = if alone.walk.is_some() { held.get(..alone.passed) } else { Some(held) };
        let action = if is_at_end { Action::Finish } else { Action::Run };
        let (taken, given) = (alone.stream.total_in(), alone.stream.total_out());
        let status = alone.stream.process(input.unwrap_or_default(), out, action);
        let since = |now: u64, before: u64| usize::try_from(now - before).unwrap_or_default();
        let taken = since(alone.stream.total_in(), taken);
        *made += since(alone.stream.total_out(), given);
        self.feed.consume(taken);
        alone.passed = alone.passed.saturating_sub(taken);
        if status? == Status::StreamEnd {
            self.state = DecodeState::Ended;
        } else if alone.is_at_index && alone.passed == 0 {
            self.state = DecodeState::Index;
            return Ok(Step::Next);
        }
        Ok(Step::Done)
    }
}

impl Together {
    /// Returns how many bytes of the text the packed bytes before the offset `held` decode to, and
    /// how many of them need all of these, if a read ends there.
    fn ready(&self, held: u64) -> (usize, Option<usize>) {
        let packed: usize = self.part.steps.iter().map(|step| step.len).sum();
        let (mut at, mut text) = ((self.part.end / 8).saturating_sub(packed as u64), 0);
        let mut early = None;
        for step in &self.part.steps {
            at += step.len as u64;
            if at > held {
                break;
            }
            early = (at == held).then_some(text + step.early);
            text += step.made;
        }
        (text, early)
    }
}

impl Alone {
    /// Follows the walk along the buffered bytes, and takes the sizes of the blocks that end there.
    fn pass(&mut self, held: &[u8], index: &mut Index) {
        while let Some(walk) = &mut self.walk {
            let rest = held.get(self.passed..).unwrap_or_default();
            if rest.is_empty() || self.is_at_index {
                return;
            }
            let (len, event) = walk.pass(rest);
            self.passed += len;
            match event {
                Some(Event::Block(sizes)) => index.add(sizes),
                Some(Event::Index) => self.is_at_index = true,
                Some(Event::Lost) => self.walk = None,
                Some(Event::Header) | None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests;
