//! Checks the index and the footer of an xz stream against the blocks before them, byte by byte as
//! the library does, so that faults are found at the same bytes.

use std::hash::{DefaultHasher, Hasher as _};

use flate2::Crc;
use liblzma::stream::Error;

use super::walk::Sizes;

const FOOTER_LEN: usize = 12;
const CRC_LEN: usize = 4;
/// Maximum number of bytes of a number.
const NUMBER_LEN_MAX: usize = 9;
/// Least and greatest length of a block (`lzma_index_hash_decode`).
const UNPADDED_MIN: u64 = 5;
const UNPADDED_MAX: u64 = (u64::MAX >> 1) & !3;

/// Sums of the sizes of blocks, in their order.
#[derive(Clone, Default)]
struct Sums {
    count: u64,
    /// Bytes of the blocks, with padding.
    packed: u64,
    text: u64,
    /// Bytes of the records in the index.
    list_len: u64,
    order: DefaultHasher,
}

impl Sums {
    fn add(&mut self, sizes: Sizes) {
        self.count += 1;
        self.packed = self.packed.saturating_add(sizes.unpadded.next_multiple_of(4));
        self.text = self.text.saturating_add(sizes.text);
        self.list_len += number_len(sizes.unpadded) + number_len(sizes.text);
        self.order.write_u64(sizes.unpadded);
        self.order.write_u64(sizes.text);
    }

    /// Returns the length of the index without padding.
    fn index_len(&self) -> u64 {
        1 + number_len(self.count) + self.list_len + CRC_LEN as u64
    }

    fn is_less_than(&self, other: &Self) -> bool {
        self.packed < other.packed || self.text < other.text || self.list_len < other.list_len
    }

    fn is_same(&self, other: &Self) -> bool {
        let is_order_same = self.order.finish() == other.order.finish();
        !self.is_less_than(other) && !other.is_less_than(self) && is_order_same
    }
}

/// Returns the number of bytes of a number in the index.
fn number_len(number: u64) -> u64 {
    u64::from((u64::BITS - number.leading_zeros()).div_ceil(7).max(1))
}

/// The field that comes next.
#[derive(Clone, Copy)]
enum Field {
    Indicator,
    Count,
    Unpadded,
    Text,
    Padding(u64),
    Crc,
    Footer,
    Ended,
}

/// A check of the end of a stream.
pub(super) struct Index {
    field: Field,
    blocks: Sums,
    records: Sums,
    left: u64,
    unpadded: u64,
    number: u64,
    /// Bytes of the number, of the checksum, or of the footer that were taken.
    len: usize,
    crc: Crc,
    footer: [u8; FOOTER_LEN],
}

impl Index {
    /// Returns the check of a stream without blocks.
    pub(super) fn new() -> Self {
        let (left, unpadded, number, len) = (0, 0, 0, 0);
        Self {
            field: Field::Indicator,
            blocks: Sums::default(),
            records: Sums::default(),
            left,
            unpadded,
            number,
            len,
            crc: Crc::new(),
            footer: [0; FOOTER_LEN],
        }
    }

    /// Takes the sizes of the next block.
    pub(super) fn add(&mut self, sizes: Sizes) {
        self.blocks.add(sizes);
    }

    /// Takes bytes up to the end, for a stream with this header. Returns how many, and whether they
    /// reach the end.
    pub(super) fn pass(&mut self, bytes: &[u8], header: &[u8]) -> (usize, Result<bool, Error>) {
        for (taken, byte) in bytes.iter().enumerate() {
            if matches!(self.field, Field::Padding(0)) {
                // The library compares before it takes the next byte.
                if !self.blocks.is_same(&self.records) {
                    return (taken, Err(Error::Data));
                }
                (self.field, self.len) = (Field::Crc, 0);
            }
            match self.take(*byte, header) {
                Ok(false) => {}
                result => return (taken + 1, result),
            }
        }
        (bytes.len(), Ok(false))
    }

    fn take(&mut self, byte: u8, header: &[u8]) -> Result<bool, Error> {
        if !matches!(self.field, Field::Crc | Field::Footer | Field::Ended) {
            self.crc.update(&[byte]);
        }
        match self.field {
            Field::Indicator => self.field = Field::Count,
            Field::Count | Field::Unpadded | Field::Text => {
                if let Some(number) = self.number(byte)? {
                    self.record(number)?;
                }
            }
            Field::Padding(_) if byte != 0 => return Err(Error::Data),
            Field::Padding(left) => self.field = Field::Padding(left - 1),
            Field::Crc => {
                if self.crc.sum().to_le_bytes().get(self.len) != Some(&byte) {
                    return Err(Error::Data);
                }
                self.len += 1;
                if self.len == CRC_LEN {
                    (self.field, self.len) = (Field::Footer, 0);
                }
            }
            Field::Footer => {
                if let Some(place) = self.footer.get_mut(self.len) {
                    *place = byte;
                }
                self.len += 1;
                if self.len == FOOTER_LEN {
                    self.footer(header)?;
                    self.field = Field::Ended;
                    return Ok(true);
                }
            }
            Field::Ended => return Ok(true),
        }
        Ok(false)
    }

    /// Takes a byte of a number; returns the number after its last one.
    fn number(&mut self, byte: u8) -> Result<Option<u64>, Error> {
        self.number |= u64::from(byte & 0x7F) << (7 * self.len);
        self.len += 1;
        if byte & 0x80 == 0 {
            let is_padded = byte == 0 && self.len > 1;
            let number = std::mem::take(&mut self.number);
            self.len = 0;
            return if is_padded { Err(Error::Data) } else { Ok(Some(number)) };
        }
        if self.len == NUMBER_LEN_MAX { Err(Error::Data) } else { Ok(None) }
    }

    /// Takes the number of records, or one number of a record.
    fn record(&mut self, number: u64) -> Result<(), Error> {
        match self.field {
            Field::Count => {
                if number != self.blocks.count {
                    return Err(Error::Data);
                }
                self.left = number;
            }
            Field::Unpadded => {
                if !(UNPADDED_MIN..=UNPADDED_MAX).contains(&number) {
                    return Err(Error::Data);
                }
                self.unpadded = number;
                self.field = Field::Text;
                return Ok(());
            }
            _ => {
                self.records.add(Sizes { unpadded: self.unpadded, text: number });
                if self.blocks.is_less_than(&self.records) {
                    return Err(Error::Data);
                }
                self.left -= 1;
            }
        }
        self.field = match self.left {
            0 => Field::Padding(self.records.index_len().wrapping_neg() % 4),
            _ => Field::Unpadded,
        };
        Ok(())
    }

    /// Checks the footer against the index and the header of the stream.
    fn footer(&self, header: &[u8]) -> Result<(), Error> {
        let [a, b, c, d, len @ .., version, check, y, z] = self.footer;
        let mut crc = Crc::new();
        crc.update(&[&len[..], &[version, check]].concat());
        if [y, z] != *b"YZ" || crc.sum() != u32::from_le_bytes([a, b, c, d]) {
            return Err(Error::Data);
        }
        if version != 0 || check & 0xF0 != 0 {
            return Err(Error::Options);
        }
        let len = (u64::from(u32::from_le_bytes(len)) + 1) * 4;
        let is_right = len == self.blocks.index_len().next_multiple_of(4);
        if is_right && header.get(7) == Some(&check) { Ok(()) } else { Err(Error::Data) }
    }
}
