//! Finds the blocks of the first xz stream of an input.

use liblzma::stream::{Action, Stream};

use super::walk::{Event, HEADER_LEN, Sizes, Walk};
use crate::source::container::ahead::{Facts, Finder, FoundPart, Part, Step};

/// Most packed bytes of a block that other threads decode, and most bytes that it decodes to:
/// blocks of `xz -6` have 24 MiB.
const BLOCK_LEN_MAX: u64 = 32 * 1024 * 1024;
/// Packed bytes for each block that may wait to be taken.
const PACKED_LEN_MAX: usize = 8 * 1024 * 1024;
/// Fewest packed bytes of a block for which another thread is worth it: they take some 100 µs.
const BLOCK_LEN_MIN: usize = 16 * 1024;
/// Maximum number of reads that a block is spread over.
const READS_MAX: usize = 8 * 1024;
/// Memory that the decoder of a block may use: that of `xz -9` is 65 MiB.
const MEMORY_MAX: u64 = 72 * 1024 * 1024;

/// A search for blocks.
pub(in super::super) struct Search {
    walk: Walk,
    header: Vec<u8>,
    /// The bytes of the open block, unless it is not to be decoded.
    window: Vec<u8>,
    is_kept: bool,
    /// Offset of the open block, and of the end of what was read.
    start: u64,
    end: u64,
    /// Lengths of the open block at the ends of reads.
    reads: Vec<usize>,
    /// The first block, until another one follows it: the decoder can give the text of a single
    /// block before all of it is decoded.
    first: Option<FoundPart>,
    count: u64,
    is_lost: bool,
    /// Fewest packed bytes of a block.
    len_min: usize,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            walk: Walk::new(),
            header: Vec::new(),
            window: Vec::new(),
            is_kept: true,
            start: 0,
            end: 0,
            reads: Vec::new(),
            first: None,
            count: 0,
            is_lost: false,
            len_min: BLOCK_LEN_MIN,
        }
    }
}

impl Finder for Search {
    fn pass(&mut self, bytes: &[u8], found: &mut Vec<FoundPart>) {
        if self.is_lost {
            return;
        }
        let mut rest = bytes;
        while !self.is_lost && !rest.is_empty() {
            let (len, event) = self.walk.pass(rest);
            let (passed, others) = rest.split_at(len.min(rest.len()));
            rest = others;
            self.end += len as u64;
            if self.is_kept {
                self.window.extend_from_slice(passed);
            }
            match event {
                Some(Event::Header) => {
                    self.header = std::mem::take(&mut self.window);
                    self.open();
                }
                Some(Event::Block(sizes)) => self.close(sizes, found),
                Some(Event::Index | Event::Lost) => self.is_lost = true,
                None => {}
            }
            if self.walk.is_in_block() {
                found.extend(self.first.take());
            }
        }
        self.reads.push(self.window.len());
        let is_long = self.window.len() as u64 > BLOCK_LEN_MAX;
        if is_long || self.walk.text_len() > BLOCK_LEN_MAX || self.reads.len() > READS_MAX {
            self.is_kept = false;
        }
        if self.is_lost || !self.is_kept {
            (self.window, self.reads) = (Vec::new(), Vec::new());
        }
    }

    fn finish(&mut self, _: &mut Vec<FoundPart>) {
        self.first = None;
    }

    fn packed_len_max(&self) -> usize {
        PACKED_LEN_MAX
    }

    fn is_hopeful(&self) -> bool {
        !self.is_lost && self.is_kept
    }
}

impl Search {
    /// Returns a search for all blocks, even short ones and a single one.
    pub(in super::super) fn every() -> Self {
        Self { count: 1, len_min: 0, ..Self::default() }
    }

    /// Begins a block at the end of what was read.
    fn open(&mut self) {
        self.start = self.end;
        self.is_kept = true;
        self.window.clear();
        self.reads.clear();
    }

    fn close(&mut self, sizes: Sizes, found: &mut Vec<FoundPart>) {
        self.count += 1;
        found.extend(self.first.take());
        let is_short = self.window.len() < self.len_min || self.walk.check_len() == 0;
        let text_len = usize::try_from(sizes.text).unwrap_or(usize::MAX);
        if self.is_kept && !is_short && sizes.text <= BLOCK_LEN_MAX {
            let packed = Packed {
                header: self.header.clone(),
                bytes: std::mem::take(&mut self.window),
                reads: std::mem::take(&mut self.reads),
                sizes,
                text_len,
            };
            let start = self.start;
            let decode = Box::new(move |text| packed.decode(start, text));
            let block = FoundPart { at: start * 8, text_len_max: text_len, decode };
            if self.count == 1 {
                self.first = Some(block);
            } else {
                found.push(block);
            }
        }
        self.open();
    }
}

/// A block as it is packed.
struct Packed {
    /// The header of the stream.
    header: Vec<u8>,
    bytes: Vec<u8>,
    /// Lengths of the block at the ends of reads.
    reads: Vec<usize>,
    sizes: Sizes,
    text_len: usize,
}

impl Packed {
    /// Decodes the block, whose first byte is at `at`, to the empty `text`.
    fn decode(self, at: u64, mut text: Vec<u8>) -> Option<Part> {
        let mut stream = primed(&self.header, MEMORY_MAX)?;
        text.reserve_exact(self.text_len);
        let mut steps = Vec::with_capacity(self.reads.len() + 1);
        let mut taken = 0;
        for end in self.reads.iter().copied().chain([self.bytes.len()]) {
            let (bytes, before) = (self.bytes.get(taken..end)?, text.len());
            let Some((last, bytes)) = bytes.split_last() else { continue };
            give(&mut stream, bytes, &mut text)?;
            // The library takes the last byte only for text that needs it.
            let early = text.len() - before;
            give(&mut stream, &[*last], &mut text)?;
            let made = text.len() - before;
            let early = made.min(early + 1);
            steps.push(Step { len: end - taken, made, early, is_raw: false });
            taken = end;
        }
        let end = (at + self.bytes.len() as u64) * 8;
        let size = usize::try_from(self.sizes.unpadded).ok()?;
        let facts = Facts { size, ..Facts::default() };
        (text.len() == self.text_len).then_some(Part { text, end, facts, steps })
    }
}

/// Gives all of `bytes` to the decoder.
fn give(stream: &mut Stream, bytes: &[u8], text: &mut Vec<u8>) -> Option<()> {
    let taken = stream.total_in();
    if !bytes.is_empty() {
        stream.process_vec(bytes, text, Action::Run).ok()?;
    }
    (stream.total_in() - taken == bytes.len() as u64).then_some(())
}

/// Returns the library's decoder of a stream with this header, before its first block.
pub(super) fn primed(header: &[u8], memory_max: u64) -> Option<Stream> {
    let mut stream = Stream::new_stream_decoder(memory_max, 0).ok()?;
    stream.process(header, &mut [], Action::Run).ok()?;
    (stream.total_in() == HEADER_LEN as u64).then_some(stream)
}
