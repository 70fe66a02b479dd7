//! Finds the ends of the blocks of an xz stream (version 1.2 of the format) by the headers of their
//! chunks, without decoding them.

/// Length of the header of a stream.
pub(super) const HEADER_LEN: usize = 12;
/// The first bytes of a stream.
const MAGIC: &[u8] = b"\xFD7zXZ\0";
/// Lengths of checks in bytes, three types each.
const CHECK_LENS: [usize; 6] = [0, 4, 8, 16, 32, 64];

/// The sizes of a block that the index records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    /// Bytes without the padding.
    pub(super) unpadded: u64,
    pub(super) text: u64,
}

/// An end that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// The header of the stream ended.
    Header,
    Block(Sizes),
    /// The index begins.
    Index,
    /// The stream is malformed.
    Lost,
}

/// The field of a stream that comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    StreamHeader,
    BlockHeaderLen,
    BlockHeader,
    Control,
    /// The lengths of a chunk, after this byte.
    Chunk(u8),
    BlockEnd,
    Rest(Event),
}

/// A walk along a stream.
pub(super) struct Walk {
    field: Field,
    /// The bytes of the field that were seen, and how many it has.
    head: Vec<u8>,
    wanted: usize,
    /// Bytes to skip before the field.
    skipped: u64,
    check_len: usize,
    /// Lengths of the block: of its header, and of its chunks, packed and decoded.
    header_len: usize,
    packed_len: u64,
    text_len: u64,
}

impl Walk {
    /// Returns a walk from the first byte of a stream.
    pub(super) fn new() -> Self {
        Self {
            field: Field::StreamHeader,
            head: Vec::new(),
            wanted: HEADER_LEN,
            skipped: 0,
            check_len: 0,
            header_len: 0,
            packed_len: 0,
            text_len: 0,
        }
    }

    /// Returns a walk from the first block of a stream with this header.
    pub(super) fn after(header: &[u8]) -> Self {
        let mut walk = Self::new();
        walk.pass(header);
        walk
    }

    /// Returns the number of bytes of each check.
    pub(super) const fn check_len(&self) -> usize {
        self.check_len
    }

    /// Returns the bytes that the block decodes to, as far as it was seen.
    pub(super) const fn text_len(&self) -> u64 {
        self.text_len
    }

    /// Reports whether a block has begun.
    pub(super) const fn is_in_block(&self) -> bool {
        !matches!(self.field, Field::StreamHeader | Field::BlockHeaderLen | Field::Rest(_))
    }

    /// Passes `bytes` up to the next event; returns how many it has passed.
    pub(super) fn pass(&mut self, bytes: &[u8]) -> (usize, Option<Event>) {
        let mut rest = bytes;
        let passed = |rest: &[u8]| bytes.len() - rest.len();
        loop {
            let skipped = usize::try_from(self.skipped).unwrap_or(usize::MAX).min(rest.len());
            self.skipped -= skipped as u64;
            rest = rest.get(skipped..).unwrap_or_default();
            if self.skipped > 0 {
                return (passed(rest), None);
            }
            // The byte is left to the index.
            if let (Field::BlockHeaderLen, [0, ..]) = (self.field, rest) {
                self.field = Field::Rest(Event::Index);
            }
            if let Field::Rest(event) = self.field {
                return (passed(rest), Some(event));
            }
            let len = (self.wanted - self.head.len()).min(rest.len());
            let (seen, others) = rest.split_at(len);
            self.head.extend_from_slice(seen);
            rest = others;
            if self.head.len() < self.wanted {
                return (passed(rest), None);
            }
            let event = self.field();
            self.head.clear();
            if event.is_some() {
                return (passed(rest), event);
            }
        }
    }

    /// Takes the field that was seen whole.
    fn field(&mut self) -> Option<Event> {
        let first = self.head.first().copied().unwrap_or_default();
        match self.field {
            Field::StreamHeader => {
                let check = usize::from(self.head.get(7).copied().unwrap_or_default());
                let len = CHECK_LENS.get(check.div_ceil(3)).filter(|_| check < 16);
                if !self.head.starts_with(MAGIC) || len.is_none() {
                    return self.lose();
                }
                self.check_len = len.copied().unwrap_or_default();
                self.turn(Field::BlockHeaderLen, 1);
                return Some(Event::Header);
            }
            Field::BlockHeaderLen => {
                self.header_len = (usize::from(first) + 1) * 4;
                (self.packed_len, self.text_len) = (0, 0);
                self.turn(Field::BlockHeader, self.header_len - 1);
            }
            Field::BlockHeader => self.turn(Field::Control, 1),
            Field::Control => match first {
                0 => {
                    self.packed_len += 1;
                    let padding = self.packed_len.wrapping_neg() % 4;
                    self.skipped = padding + self.check_len as u64;
                    self.turn(Field::BlockEnd, 0);
                }
                1 | 2 => self.turn(Field::Chunk(first), 2),
                0x80..0xC0 => self.turn(Field::Chunk(first), 4),
                0xC0.. => self.turn(Field::Chunk(first), 5),
                _ => return self.lose(),
            },
            Field::Chunk(control) => self.chunk(control),
            Field::BlockEnd => {
                let unpadded = (self.header_len + self.check_len) as u64 + self.packed_len;
                self.turn(Field::BlockHeaderLen, 1);
                return Some(Event::Block(Sizes { unpadded, text: self.text_len }));
            }
            Field::Rest(event) => return Some(event),
        }
        None
    }

    /// Takes the header of a chunk, whose first byte is `control`.
    fn chunk(&mut self, control: u8) {
        let [a, b, rest @ ..] = &*self.head else { return };
        let first = u64::from(*a) << 8 | u64::from(*b);
        let (text_len, len) = match rest {
            [c, d, ..] => {
                let high = u64::from(control & 0x1F) << 16;
                (high + first + 1, (u64::from(*c) << 8 | u64::from(*d)) + 1)
            }
            _ => (first + 1, first + 1),
        };
        self.text_len += text_len;
        self.packed_len += 1 + self.head.len() as u64 + len;
        self.skipped = len;
        self.turn(Field::Control, 1);
    }

    fn turn(&mut self, field: Field, wanted: usize) {
        (self.field, self.wanted) = (field, wanted);
    }

    fn lose(&mut self) -> Option<Event> {
        self.field = Field::Rest(Event::Lost);
        Some(Event::Lost)
    }
}
