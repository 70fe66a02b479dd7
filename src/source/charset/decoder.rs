//! Text that is decoded while it is read, block by block.

use std::fmt;
use std::io::{self, Read};

/// Makes UTF-8 of the blocks of one text, which follow each other.
pub trait Decode {
    /// Appends to `text` what `block` stands for, but for an end that nobody can judge without
    /// what follows; nothing follows the last block. Gives how many bytes were taken: the next
    /// block begins with the others.
    fn decode(&mut self, block: &[u8], is_last: bool, text: &mut Vec<u8>) -> usize;
}

/// Bytes that are asked of the inner reader at a time.
const BLOCK: usize = 64 * 1024;

/// Decodes what `inner` gives.
pub struct Decoder<R> {
    inner: R,
    way: Box<dyn Decode>,
    /// Bytes read and not decoded: what the next block begins with.
    pending: Vec<u8>,
    /// Bytes decoded and not given.
    ready: Vec<u8>,
    given: usize,
    at_end: bool,
    /// What reading said, to be told when all before it is given.
    failed: Option<io::Error>,
}

/// Shows no text, which may hold passwords.
impl<R> fmt::Debug for Decoder<R> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Decoder").field("at_end", &self.at_end).finish_non_exhaustive()
    }
}

impl<R: Read> Decoder<R> {
    /// A reader of what `way` makes of what `inner` gives.
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
