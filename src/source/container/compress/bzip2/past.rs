//! Keeps packed bytes that bring the library's decoder into the state that it would have after
//! decoding the whole stream up to this point.
//!
//! The decoder holds up to seven bytes more than it has used, which the offset of a fault shows.
//! Their number depends on all previous blocks, back to a place where the decoder had to wait for
//! input. Therefore it gets a block that begins before such a place, and all later blocks.

use std::io::{self, ErrorKind};

use bzip2::{Decompress, Status};

use super::primer;

/// A beginning of a block.
struct Mark {
    /// Offset of its first bit; that of the header for the first block of a stream.
    at: u64,
    /// The checksum of the blocks before it.
    combined: u32,
    /// Bytes that they decode to.
    made: u64,
    is_first: bool,
}

/// The last bytes of a stream.
pub(super) struct Past {
    level: u8,
    bytes: Vec<u8>,
    /// Offset of these bytes.
    base: u64,
    /// Beginnings of blocks, the first of which is the beginning of the bytes.
    marks: Vec<Mark>,
    /// Offsets at which the decoder had no more bytes, and took fewer at once before.
    waits: Vec<u64>,
}

/// The library's decoder, and the offset of the next byte to give to it.
pub(super) struct Recalled {
    pub(super) decoder: Decompress,
    pub(super) at: u64,
    /// The bytes before that offset, from the beginning of the last mark on.
    pub(super) taken: Vec<u8>,
}

impl Past {
    /// Returns the past at the beginning of a stream.
    pub(super) fn new(base: u64, level: u8) -> Self {
        let first = Mark { at: base * 8, combined: 0, made: 0, is_first: true };
        Self { level, bytes: Vec::new(), base, marks: vec![first], waits: Vec::new() }
    }

    pub(super) fn take(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    fn end(&self) -> u64 {
        self.base + self.bytes.len() as u64
    }

    /// Notes that all bytes are taken that there were.
    pub(super) fn wait(&mut self) {
        self.waits.push(self.end());
    }

    /// Notes that a block begins at the bit `at`, and drops what is not needed any more.
    pub(super) fn mark(&mut self, at: u64, combined: u32, made: u64) {
        self.marks.push(Mark { at, combined, made, is_first: false });
        let has_wait = |mark: &Mark| self.waits.iter().any(|it| mark.at < it * 8 && it * 8 < at);
        let Some(first) = self.marks.iter().rposition(has_wait) else { return };
        self.marks.drain(..first);
        let Some(base) = self.marks.first().map(|mark| mark.at / 8) else { return };
        self.waits.retain(|wait| *wait > base);
        self.bytes.drain(..usize::try_from(base - self.base).unwrap_or_default());
        self.base = base;
    }

    /// Returns the decoder as it is after the text before the last mark. `buffered` are the bytes
    /// after those that were taken.
    ///
    /// # Errors
    /// The decoder's, with the offset of the next byte: it decodes more than the text.
    pub(super) fn recall(&self, buffered: &[u8]) -> Result<Recalled, (io::Error, u64)> {
        let unable = || (ErrorKind::InvalidData.into(), self.end());
        let (first, last) = self.marks.first().zip(self.marks.last()).ok_or_else(unable)?;
        let mut decoder = Decompress::new(false);
        let mut at = first.at / 8;
        if !first.is_first {
            let shift = usize::try_from(first.at % 8).unwrap_or_default();
            let next = self.bytes.first().copied().unwrap_or_default();
            let begin = primer::primer(self.level, first.combined, (shift, next));
            let begin = begin.ok_or_else(unable)?;
            let given = decoder.decompress(&begin, &mut [0; primer::TEXT_LEN]);
            given.map_err(|error| (invalid(error), self.end()))?;
            at += u64::from(shift > 0);
        }
        let mut left = last.made - first.made;
        let end = self.end() + buffered.len() as u64;
        let all = [&*self.bytes, buffered].concat();
        let begin = at;
        let index = |at: u64| usize::try_from(at.saturating_sub(self.base)).unwrap_or_default();
        for until in self.waits.iter().copied().filter(|wait| *wait > begin).chain([end]) {
            let mut input = all.get(index(at)..index(until)).unwrap_or_default();
            let failed = pass(&mut decoder, &mut input, &mut left).err();
            at = until - input.len() as u64;
            if let Some(error) = failed {
                return Err((error, at));
            }
        }
        let taken = all.get(index(last.at / 8)..index(at)).unwrap_or_default().to_vec();
        Ok(Recalled { decoder, at, taken })
    }
}

pub(super) fn invalid(error: bzip2::Error) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, error)
}

/// Decodes `input`, and drops the next `left` bytes of the text; stops after them.
fn pass(decoder: &mut Decompress, input: &mut &[u8], left: &mut u64) -> io::Result<()> {
    let mut text = vec![0; 64 * 1024];
    while *left > 0 {
        let len = usize::try_from(*left).unwrap_or(text.len()).min(text.len());
        let call = call(decoder, input, text.get_mut(..len).unwrap_or_default());
        *input = input.get(call.consumed..).unwrap_or_default();
        *left -= call.made as u64;
        call.status?;
        if call.consumed == 0 && call.made == 0 {
            break;
        }
    }
    Ok(())
}

/// The result of one call of the decoder.
pub(super) struct Call {
    pub(super) consumed: usize,
    pub(super) made: usize,
    pub(super) status: io::Result<Status>,
}

/// Calls the decoder once, as its reader does.
pub(super) fn call(decoder: &mut Decompress, input: &[u8], out: &mut [u8]) -> Call {
    let (consumed, made) = (decoder.total_in(), decoder.total_out());
    let status = decoder.decompress(input, out).map_err(invalid);
    let since = |now: u64, before: u64| usize::try_from(now - before).unwrap_or_default();
    let consumed = since(decoder.total_in(), consumed);
    Call { consumed, made: since(decoder.total_out(), made), status }
}
