//! Decodes text block by block while it is read.

use std::fmt;
use std::io::{self, Read};

/// A decoder of consecutive blocks of one text to UTF-8.
pub trait Decode {
    /// Appends the decoded text of `block` to `text`, except for an end that depends on following
    /// bytes; nothing follows the last block. Returns the number of bytes taken: the next block
    /// begins with the others.
    fn decode(&mut self, block: &[u8], is_last: bool, text: &mut Vec<u8>) -> usize;
}

/// Number of bytes that are requested from the inner reader at a time.
const BLOCK: usize = 64 * 1024;

/// A reader that decodes the bytes of `inner`.
pub struct Decoder<R> {
    inner: R,
    way: Box<dyn Decode>,
    /// Bytes read and not decoded, with which the next block begins.
    pending: Vec<u8>,
    /// Decoded bytes, of which the first `given` were returned.
    ready: Vec<u8>,
    given: usize,
    at_end: bool,
    /// Error of the inner reader, which is returned after all bytes before it.
    failed: Option<io::Error>,
}

/// Shows no text, which may contain passwords.
impl<R> fmt::Debug for Decoder<R> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Decoder").field("at_end", &self.at_end).finish_non_exhaustive()
    }
}

impl<R: Read> Decoder<R> {
    /// Returns a reader of the text that `way` decodes from the bytes of `inner`.
    pub fn new(inner: R, way: impl Decode + 'static) -> Self {
        Self {
            inner,
            way: Box::new(way),
            pending: Vec::new(),
            ready: Vec::new(),
            given: 0,
            at_end: false,
            failed: None,
        }
    }

    fn fill(&mut self) {
        self.ready.clear();
        self.given = 0;
        let before = self.pending.len();
        let read = (&mut self.inner).take(BLOCK as u64).read_to_end(&mut self.pending);
        self.at_end = self.pending.len() - before < BLOCK;
        self.failed = read.err();
        let taken = self.way.decode(&self.pending, self.at_end, &mut self.ready);
        self.pending.drain(..taken);
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.given == self.ready.len() {
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            if self.at_end {
                return Ok(0);
            }
            self.fill();
        }
        let mut rest = self.ready.get(self.given..).unwrap_or_default();
        let len = rest.read(out)?;
        self.given += len;
        Ok(len)
    }
}
