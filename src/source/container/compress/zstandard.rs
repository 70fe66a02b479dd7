//! Decodes frames of Zstandard (RFC 8878). The decoder of the `zstd` crate returns errors as text,
//! without the codes that identify a frame that needs too much memory.
//!
//! Where several frames follow each other, as `pzstd` writes them, other threads decode them.

mod frame;
mod search;

use std::fmt;
use std::io::{self, ErrorKind, Read as _};

use zstd::stream::raw::{DParameter, InBuffer, Operation, OutBuffer, WriteBuf};
use zstd::stream::zio::Reader;
use zstd::zstd_safe::zstd_sys::ZSTD_ErrorCode;
use zstd::zstd_safe::{DCtx, ErrorCode, ResetDirective, get_error_name};

pub(super) use self::frame::Frame;
pub(super) use self::search::Search;
use super::DICTIONARY_LEN_MAX;
use crate::source::container::Feed;

/// A decoder of one frame.
pub(super) struct Zstandard<'f, 'i>(Reader<&'f mut Feed<'i>, Context>);

impl<'f, 'i> Zstandard<'f, 'i> {
    /// Returns a decoder of the frame that `feed` begins with, whose window is at most
    /// `1 << window_log_max` bytes, and that was encoded with `dictionary`, unless that is empty.
    ///
    /// # Errors
    /// Returns an error when there is no memory for the decoder, or the dictionary is malformed.
    pub(super) fn new(
        feed: &'f mut Feed<'i>,
        window_log_max: u32,
        dictionary: &[u8],
    ) -> io::Result<Self> {
        let mut context = DCtx::try_create().ok_or(ErrorKind::OutOfMemory)?;
        context.init().map_err(failure)?;
        context.set_parameter(DParameter::WindowLogMax(window_log_max)).map_err(failure)?;
        if !dictionary.is_empty() {
            context.load_dictionary(dictionary).map_err(failure)?;
        }
        let context = Context { context, hint: 1, is_last: false, failed: None };
        let mut reader = Reader::new(feed, context);
        reader.set_single_frame();
        Ok(Self(reader))
    }

    pub(super) fn feed(&self) -> &Feed<'i> {
        self.0.reader()
    }

    /// Takes the end of the frame, too, and returns the feed.
    pub(super) fn into_feed(mut self) -> &'f mut Feed<'i> {
        // A fault at the end of a frame whose bytes were all decoded loses nothing.
        let _ = self.0.finish_frame();
        self.0.into_inner()
    }
}

impl io::Read for Zstandard<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out)
    }
}

/// Returns the dictionary in `content`, the content of its frame, which may be a frame of its own.
pub(super) fn dictionary_of(content: Vec<u8>) -> io::Result<Vec<u8>> {
    if !content.starts_with(b"\x28\xB5\x2F\xFD") {
        return Ok(content);
    }
    let mut dictionary = Vec::new();
    let decoder = zstd::stream::read::Decoder::with_buffer(&*content)?;
    decoder.take(u64::from(DICTIONARY_LEN_MAX)).read_to_end(&mut dictionary)?;
    Ok(dictionary)
}

/// Bytes of the header of a block (RFC 8878 §3.1.1.2).
const BLOCK_HEADER_LEN: usize = 3;

struct Context {
    context: DCtx<'static>,
    /// Bytes that the library wants next: those of a block with the header of the next one, those
    /// of the last block, or those of a header or a checksum.
    hint: usize,
    /// Whether the header of the last block was taken.
    is_last: bool,
    /// The error that waits until the bytes before it are returned.
    failed: Option<io::Error>,
}

impl Context {
    /// Decodes no more than one block. The library drops all blocks of a call that fails.
    fn step<C: WriteBuf + ?Sized>(
        &mut self,
        input: &mut InBuffer<'_>,
        output: &mut OutBuffer<'_, C>,
    ) -> io::Result<()> {
        if self.hint == BLOCK_HEADER_LEN {
            // Its first bit marks the last block.
            self.is_last |= input.src.get(input.pos).is_some_and(|byte| byte & 1 == 1);
        }
        let is_with_header = !self.is_last && self.hint > BLOCK_HEADER_LEN;
        let len = if is_with_header { self.hint - BLOCK_HEADER_LEN } else { self.hint };
        let src = input.src.get(..input.pos.saturating_add(len)).unwrap_or(input.src);
        let mut part = InBuffer { src, pos: input.pos };
        self.hint = self.context.decompress_stream(output, &mut part).map_err(failure)?;
        input.pos = part.pos;
        Ok(())
    }
}

impl Operation for Context {
    /// Decodes as many blocks as there are and `output` has room for, as one call of the library
    /// does.
    fn run<C: WriteBuf + ?Sized>(
        &mut self,
        input: &mut InBuffer<'_>,
        output: &mut OutBuffer<'_, C>,
    ) -> io::Result<usize> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let begin = (input.pos, output.pos());
        loop {
            let before = (input.pos, output.pos());
            match self.step(input, output) {
                Err(error) if before != begin => {
                    self.failed = Some(error);
                    return Ok(self.hint);
                }
                result => result?,
            }
            let is_stuck = before == (input.pos, output.pos());
            if self.hint == 0 || is_stuck || input.pos == input.src.len() {
                return Ok(self.hint);
            }
        }
    }

    fn reinit(&mut self) -> io::Result<()> {
        (self.hint, self.is_last) = (1, false);
        self.context.reset(ResetDirective::SessionOnly).map_err(failure).map(|_| ())
    }

    fn finish<C: WriteBuf + ?Sized>(
        &mut self,
        _: &mut OutBuffer<'_, C>,
        is_finished: bool,
    ) -> io::Result<usize> {
        if is_finished { Ok(0) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }
}

/// An error of the decoder.
#[derive(Debug)]
pub(super) struct Failure(ErrorCode);

fn failure(code: ErrorCode) -> io::Error {
    io::Error::other(Failure(code))
}

impl Failure {
    /// Reports whether the frame needs too much memory.
    pub(super) fn is_of_memory(&self) -> bool {
        // The library returns an error as its negative number.
        let is = |error: ZSTD_ErrorCode| self.0 == (error as usize).wrapping_neg();
        is(ZSTD_ErrorCode::ZSTD_error_frameParameter_windowTooLarge)
            || is(ZSTD_ErrorCode::ZSTD_error_memory_allocation)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(get_error_name(self.0))
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests;
