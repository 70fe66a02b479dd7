//! Decodes a single block of bzip2, at any bit offset.
//!
//! This decoder serves threads that decode blocks in parallel. It rejects unusual blocks, which the
//! library's decoder then decodes; of the blocks that it accepts, both produce the same text. Most
//! of the time is spent on the inverse of the Burrows-Wheeler transform, which follows one chain
//! through megabytes of memory; here, several pieces of the chain are followed at once.

use super::bits::Bits;
use super::code::Code;

/// The 48 bits that a block begins with.
pub(super) const MAGIC: u64 = 0x3141_5926_5359;
/// The 48 bits that the end of a stream begins with.
const END_MAGIC: u64 = 0x1772_4538_5090;
/// Maximum number of bytes of a block before their runs are expanded.
const SIZE_MAX: usize = 900_000;
/// Maximum number of bytes that a block may decode to here. Few blocks have more than 900,000; runs
/// of one byte could reach 45 million, which threads must not hold.
pub(super) const TEXT_LEN_MAX: usize = 2 * 1024 * 1024;
/// Symbols between two changes of the code.
const GROUP_LEN: usize = 50;
/// Maximum number of changes of the code in a block: those of [`SIZE_MAX`] symbols, and of the end.
const SELECTORS_MAX: usize = 18_002;

/// A block that was decoded.
pub(super) struct Block {
    pub(super) text: Vec<u8>,
    pub(super) crc: u32,
    /// Bytes before their runs were expanded, which the size that the stream declares limits.
    pub(super) size: usize,
    /// Number of bits.
    pub(super) bits: usize,
    pub(super) next: Next,
}

/// The bits after a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Block,
    /// The end of the stream, with the checksum that it declares.
    End(u32),
    Other,
}

/// Decodes the block that begins at the bit `start` of `bytes`; returns none if it is malformed, or
/// the library's decoder may take it for that.
pub(super) fn decode(bytes: &[u8], start: usize) -> Option<Block> {
    unchecked(bytes, start).filter(|block| checksum(&block.text) == block.crc)
}

/// Decodes the block that begins at the bit `start` of `bytes`, whatever checksum it declares.
pub(super) fn unchecked(bytes: &[u8], start: usize) -> Option<Block> {
    let mut bits = Bits::new(bytes, start)?;
    if bits.take_magic() != MAGIC {
        return None;
    }
    let crc = bits.take(32);
    // Blocks of the first versions, whose bytes were mixed up.
    if bits.take(1) == 1 {
        return None;
    }
    let origin = usize::try_from(bits.take(24)).ok()?;
    let mut chain = symbols(&mut bits)?;
    let end = bits.position();
    if origin >= chain.len() || end > bytes.len() * 8 {
        return None;
    }
    let size = chain.len();
    let text = expanded(&linked(&mut chain, origin)?)?;
    let next = next(&mut bits, bytes.len() * 8);
    Some(Block { text, crc, size, bits: end - start, next })
}

fn next(bits: &mut Bits<'_>, len: usize) -> Next {
    let next = match bits.take_magic() {
        MAGIC => Next::Block,
        END_MAGIC => Next::End(bits.take(32)),
        _ => Next::Other,
    };
    if bits.position() > len { Next::Other } else { next }
}

/// Reads the symbols of a block: returns its bytes, each in the low bits of an entry.
fn symbols(bits: &mut Bits<'_>) -> Option<Vec<u32>> {
    let mut front = used(bits);
    let count = front.len();
    if count == 0 {
        return None;
    }
    let codes_len = usize::try_from(bits.take(3)).ok()?;
    let selectors = selectors(bits, codes_len)?;
    let codes: Vec<Code> =
        (0..codes_len).map(|_| Code::read(bits, count + 2)).collect::<Option<_>>()?;
    let mut chain = Vec::with_capacity(SIZE_MAX);
    let (mut run, mut weight) = (0, 1);
    for selector in selectors {
        let code = codes.get(usize::from(selector))?;
        for _ in 0..GROUP_LEN {
            let symbol = usize::from(code.symbol(bits)?);
            if symbol < 2 {
                run += weight << symbol;
                weight <<= 1;
                if run > SIZE_MAX {
                    return None;
                }
                continue;
            }
            if run > 0 {
                if chain.len() + run > SIZE_MAX {
                    return None;
                }
                chain.resize(chain.len() + run, u32::from(*front.first()?));
                (run, weight) = (0, 1);
            }
            if symbol == count + 1 {
                return Some(chain);
            }
            if chain.len() == SIZE_MAX {
                return None;
            }
            chain.push(u32::from(moved(&mut front, symbol - 1)?));
        }
    }
    None
}

/// Returns the byte at `index`, and moves it to the front.
fn moved(front: &mut [u8], index: usize) -> Option<u8> {
    let passed = front.get_mut(..=index)?;
    let byte = passed.last().copied()?;
    if index < 16 {
        let mut before = byte;
        for place in passed {
            std::mem::swap(place, &mut before);
        }
    } else {
        passed.rotate_right(1);
    }
    Some(byte)
}

/// Reads which bytes occur: sixteen ranges of sixteen.
fn used(bits: &mut Bits<'_>) -> Vec<u8> {
    let ranges = bits.take(16);
    let mut used = Vec::with_capacity(256);
    for range in (0..16_u8).filter(|range| ranges >> (15 - range) & 1 == 1) {
        let bytes = bits.take(16);
        used.extend((0..16).filter(|byte| bytes >> (15 - byte) & 1 == 1).map(|it| range * 16 + it));
    }
    used
}

/// Reads the number of the code of each group of symbols.
fn selectors(bits: &mut Bits<'_>, codes_len: usize) -> Option<Vec<u8>> {
    if !(2..=6).contains(&codes_len) {
        return None;
    }
    let len = usize::try_from(bits.take(15)).ok()?;
    if !(1..=SELECTORS_MAX).contains(&len) {
        return None;
    }
    let mut front = [0, 1, 2, 3, 4, 5];
    let mut selectors = Vec::with_capacity(len);
    for _ in 0..len {
        let index = (0..codes_len).find(|_| bits.take(1) == 0)?;
        selectors.push(moved(&mut front, index)?);
    }
    Some(selectors)
}

/// Pieces of the chain that are followed at once: the memory serves some ten reads at a time.
const PIECES: usize = 16;
/// The bit of an entry that a piece begins with.
const BEGIN: u32 = 1 << 31;
/// The bits of the index of the next entry, above those of its byte.
const INDEX: u32 = (1 << 20) - 1;

/// Inverts the Burrows-Wheeler transform of `chain`, whose first rotation is at `origin`.
fn linked(chain: &mut [u32], origin: usize) -> Option<Vec<u8>> {
    let mut places = [0_u32; 256];
    for entry in &*chain {
        *places.get_mut(usize::try_from(*entry & 0xFF).ok()?)? += 1;
    }
    let mut sum = 0;
    for place in &mut places {
        sum += std::mem::replace(place, sum);
    }
    for (index, number) in (0..chain.len()).zip(0_u32..) {
        let place = places.get_mut(usize::try_from(*chain.get(index)? & 0xFF).ok()?)?;
        *chain.get_mut(usize::try_from(*place).ok()?)? |= number << 8;
        *place += 1;
    }
    let first = follow(*chain.get(origin)?);
    let mut pieces = vec![Piece { at: first, text: Vec::new(), next: first }];
    let step = (chain.len() / PIECES).max(1);
    let others = (0..chain.len()).step_by(step).filter(|at| *at != first).take(PIECES - 1);
    pieces.extend(others.map(|at| Piece { at, text: Vec::new(), next: at }));
    for piece in &mut pieces {
        *chain.get_mut(piece.at)? |= BEGIN;
        piece.text.reserve(chain.len() / PIECES * 2);
    }
    walk(chain, &mut pieces)?;
    joined(&pieces, chain.len())
}

/// A piece of the chain.
struct Piece {
    /// The entry that it begins with.
    at: usize,
    text: Vec<u8>,
    /// The entry that follows it, which another piece begins with.
    next: usize,
}

const fn follow(entry: u32) -> usize {
    (entry >> 8 & INDEX) as usize
}

/// Follows each piece up to the beginning of another.
fn walk(chain: &[u32], pieces: &mut [Piece]) -> Option<()> {
    for piece in &mut *pieces {
        let entry = *chain.get(piece.at)?;
        piece.text.push(entry.to_le_bytes()[0]);
        piece.next = follow(entry);
    }
    let mut open: Vec<&mut Piece> = pieces.iter_mut().collect();
    while !open.is_empty() {
        let mut ended = false;
        for piece in &mut open {
            let entry = *chain.get(piece.next)?;
            if entry & BEGIN == 0 {
                piece.text.push(entry.to_le_bytes()[0]);
                piece.next = follow(entry);
            } else {
                ended = true;
            }
        }
        if ended {
            open.retain(|piece| chain.get(piece.next).is_some_and(|entry| entry & BEGIN == 0));
        }
    }
    Some(())
}

/// Joins the pieces from the first one on. The chain of a text that repeats itself is a circle,
/// which is shorter than the text.
fn joined(pieces: &[Piece], len: usize) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(len);
    let mut piece = pieces.first()?;
    while text.len() < len {
        let rest = len - text.len();
        text.extend_from_slice(piece.text.get(..rest).unwrap_or(&piece.text));
        piece = pieces.iter().find(|next| next.at == piece.next)?;
    }
    Some(text)
}

/// Equal bytes that are followed by a number.
pub(super) const RUN_LEN: usize = 4;

/// Reports whether four bytes are equal.
fn is_run(four: &[u8]) -> bool {
    four.first_chunk().is_some_and(|four| {
        let word = u32::from_ne_bytes(*four);
        word == word.rotate_left(8)
    })
}

/// Expands runs: after four equal bytes, the next one is the number of more.
pub(super) fn expanded(packed: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(packed.len() + packed.len() / 8);
    let mut start = 0;
    loop {
        let rest = packed.get(start..)?;
        let Some(at) = rest.windows(RUN_LEN).position(is_run) else {
            text.extend_from_slice(rest);
            break;
        };
        let (before, run) = rest.split_at_checked(at + RUN_LEN)?;
        let count = usize::from(*run.first()?);
        text.extend_from_slice(before);
        text.resize(text.len() + count, *before.last()?);
        if text.len() > TEXT_LEN_MAX {
            return None;
        }
        start += at + RUN_LEN + 1;
    }
    Some(text)
}

/// Tables of the checksum: of a byte, and of a byte with up to seven others after it.
const TABLES: [[u32; 256]; 8] = tables();

#[expect(clippy::cast_possible_truncation, reason = "indexes of bytes")]
const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = (byte as u32) << 24;
        let mut bit = 0;
        while bit < 8 {
            sum = (sum << 1) ^ if sum >> 31 == 1 { POLYNOMIAL } else { 0 };
            bit += 1;
        }
        tables[0][byte] = sum;
        byte += 1;
    }
    let mut level = 1;
    while level < 8 {
        let mut byte = 0;
        while byte < 256 {
            let sum = tables[level - 1][byte];
            tables[level][byte] = (sum << 8) ^ tables[0][(sum >> 24) as usize];
            byte += 1;
        }
        level += 1;
    }
    tables
}

/// The polynomial of the checksum, which is that of Ethernet, from the highest bit on.
pub(super) const POLYNOMIAL: u32 = 0x04C1_1DB7;

/// Returns the checksum of the text of a block.
pub(super) fn checksum(text: &[u8]) -> u32 {
    !summed(u32::MAX, text)
}

/// Returns the inverted checksum of a text that continues with `text`, where `sum` is that before.
pub(super) fn summed(sum: u32, text: &[u8]) -> u32 {
    let step =
        |sum: u32, byte: u8| (sum << 8) ^ TABLES[0][usize::from(sum.to_be_bytes()[0] ^ byte)];
    let (eights, rest) = text.as_chunks::<8>();
    let sum = eights.iter().fold(sum, |sum, eight| {
        let [a, b, c, d] = sum.to_be_bytes();
        let mixed = [a, b, c, d, 0, 0, 0, 0];
        (0..8).fold(0, |sum, at| sum ^ TABLES[7 - at][usize::from(eight[at] ^ mixed[at])])
    });
    rest.iter().fold(sum, |sum, byte| step(sum, *byte))
}
