//! Makes the beginning of a stream of bzip2 after which the library's decoder is in the state that
//! it has at the beginning of a later block of another stream.
//!
//! That state is the size that the header declares, the checksum of the blocks so far, and the bit
//! of a byte at which the block begins. A block of four bytes can produce any checksum, and the
//! choice of unused codes can produce any length.

use std::io::Write as _;

use bzip2::Compression;
use bzip2::write::BzEncoder;

use super::block::POLYNOMIAL;

/// Bytes that the primer decodes to.
pub(super) const TEXT_LEN: usize = 4;
/// Bits of the header of a stream.
const HEADER_LEN: usize = 32;
/// Bits of the end of a stream.
const END_LEN: usize = 80;
/// The first bits of the end of a stream.
const END_MAGIC: u64 = 0x1772_4538_5090;
/// Bits of a block before its map of bytes: magic number, checksum, a flag, and an index.
const MAP_AT: usize = 48 + 32 + 1 + 24;

/// Returns the beginning of a stream of blocks of `level` times 100,000 bytes, whose checksum is
/// `combined`. It ends before the bit `shift` of its last byte, where `next` has the first bits of
/// the next block; that byte is there only if `shift` is not 0.
pub(super) fn primer(level: u8, combined: u32, (shift, next): (usize, u8)) -> Option<Vec<u8>> {
    let mut encoder = BzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&text(combined)).ok()?;
    let mut bits = bits(&encoder.finish().ok()?);
    let end = end(&bits)?;
    bits.truncate(end);
    bits.drain(..HEADER_LEN);
    let ranges = bits.get(MAP_AT..MAP_AT + 16)?.iter().filter(|bit| **bit).count();
    // The number of codes has three bits, and the number of choices among them fifteen.
    let count_at = MAP_AT + 16 + 16 * ranges + 3;
    let choices_at = count_at + 15;
    let first_len = bits.get(choices_at..)?.iter().position(|bit| !*bit)? + 1;
    let more = (shift + 8 - bits.len() % 8) % 8;
    for (place, count_bit) in bits.get_mut(count_at..choices_at)?.iter_mut().rev().zip(0..) {
        *place = (1 + more) >> count_bit & 1 == 1;
    }
    let after = choices_at + first_len;
    bits.splice(after..after, std::iter::repeat_n(false, more));
    bits.extend((shift..8).filter(|_| shift > 0).map(|bit| next >> (7 - bit) & 1 == 1));
    let bytes =
        bits.chunks(8).map(|byte| byte.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit)));
    Some(b"BZh".iter().copied().chain([level]).chain(bytes).collect())
}

/// Returns the bytes whose checksum is `sum`: as many as it has, so that each has one.
fn text(sum: u32) -> [u8; TEXT_LEN] {
    let back = |sum: u32, _| {
        if sum & 1 == 1 { (sum ^ POLYNOMIAL) >> 1 | 1 << 31 } else { sum >> 1 }
    };
    (!(0..32).fold(!sum, back)).to_be_bytes()
}

fn bits(bytes: &[u8]) -> Vec<bool> {
    bytes.iter().flat_map(|byte| (0..8).map(move |bit| byte >> (7 - bit) & 1 == 1)).collect()
}

/// Returns the index of the end of the stream, which is padded to whole bytes.
fn end(bits: &[bool]) -> Option<usize> {
    (0..8).filter_map(|padding| bits.len().checked_sub(padding + END_LEN)).find(|at| {
        let magic = bits.get(*at..*at + 48).unwrap_or_default();
        magic.iter().fold(0, |magic, bit| magic << 1 | u64::from(*bit)) == END_MAGIC
    })
}

#[cfg(test)]
mod tests {
    use bzip2::{Decompress, Status};

    use super::super::block;
    use super::{TEXT_LEN, bits, primer};

    #[test]
    fn a_primer_has_any_checksum_and_ends_at_any_bit() {
        let mut sum = 1994_u32;
        for round in 0..64 {
            let shift = round % 8;
            let made = primer(b'9', sum, (shift, 0b1010_1010)).unwrap();
            let block = block::decode(&made, 32).unwrap();
            assert_eq!((block.crc, block.text.len()), (sum, TEXT_LEN));
            assert_eq!((32 + block.bits) % 8, shift);
            let rest = &bits(&made)[32 + block.bits..];
            let next = &bits(&[0b1010_1010])[shift..];
            assert!(rest == next || shift == 0 && rest.is_empty());
            let mut text = [0; 2 * TEXT_LEN];
            let mut decoder = Decompress::new(false);
            assert_eq!(decoder.decompress(&made, &mut text).unwrap(), Status::Ok);
            let taken = (decoder.total_in(), decoder.total_out());
            assert_eq!(taken, (made.len() as u64, TEXT_LEN as u64));
            assert_eq!(text[..TEXT_LEN], block.text);
            sum = sum.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        }
    }
}
