//! Decodes parts of any bytes by themselves, and compares each with the result of the library.

use std::io::{BufReader, Read as _};

use linktrawl::internal::source::apart;

/// The beginning of a stream of bzip2, and of its first block.
const BEGIN: &[u8] = b"BZh9\x31\x41\x59\x26\x53\x59";
/// The end of a stream, before its checksum.
const END: &[u8] = b"\x17\x72\x45\x38\x50\x90";
/// Offset of the checksum of the first block.
const CHECKSUM_AT: usize = 10;

/// Holds a block of bzip2 against the library, which gets it with the right checksums.
pub(crate) fn block(bytes: &[u8]) {
    let mut input = bytes.to_vec();
    input.resize(input.len().max(CHECKSUM_AT + 4), 0);
    input[..BEGIN.len()].copy_from_slice(BEGIN);
    let Some((text, checksum, bits)) = apart::block(&input) else { return };
    let checksum = checksum.to_be_bytes();
    input[CHECKSUM_AT..CHECKSUM_AT + 4].copy_from_slice(&checksum);
    let end = 32 + bits;
    input.truncate(end.div_ceil(8));
    let (shift, last) = (end % 8, input.len() - 1);
    if shift > 0 {
        input[last] &= 0xFF << (8 - shift);
    }
    for byte in END.iter().chain(&checksum) {
        if shift > 0 {
            *input.last_mut().expect("a byte") |= byte >> shift;
            input.push(byte << (8 - shift));
        } else {
            input.push(*byte);
        }
    }
    let mut made = Vec::new();
    let read = bzip2::read::BzDecoder::new(&*input).read_to_end(&mut made);
    assert!(read.is_ok() && made == text, "{read:?}: {} and {} bytes", made.len(), text.len());
}

/// Holds each frame of Zstandard against the library.
pub(crate) fn frames(bytes: &[u8]) {
    for (start, part) in apart::frames(bytes, most(bytes)) {
        let Some((end, text)) = part else { continue };
        let frame = &bytes[index(start)..index(end)];
        // A frame that is seen whole is decoded in another way, which finds other faults.
        let pieces = BufReader::with_capacity(8, frame);
        let mut decoder = zstd::stream::read::Decoder::with_buffer(pieces).expect("a decoder");
        let mut made = Vec::new();
        let read = decoder.read_to_end(&mut made);
        assert!(read.is_ok() && made == text, "{read:?} at {start}: {} bytes", made.len());
    }
}

/// Holds the blocks of xz against the library, as far as each follows the one before.
pub(crate) fn blocks(bytes: &[u8]) {
    let parts = apart::blocks(bytes, most(bytes));
    let (mut text, mut next) = (Vec::new(), 12);
    for (start, part) in &parts {
        match part {
            Some((end, more)) if *start == next => {
                text.extend_from_slice(more);
                next = *end;
            }
            _ => break,
        }
    }
    let mut made = Vec::new();
    let read = liblzma::bufread::XzDecoder::new(bytes).read_to_end(&mut made);
    let len = made.len().min(text.len());
    assert!(made[..len] == text[..len], "{len} bytes");
    assert!(read.is_err() || len == text.len(), "{len} of {} bytes", text.len());
}

/// The number of bytes that are read at once.
fn most(bytes: &[u8]) -> usize {
    bytes.last().map_or(1, |last| 1 + usize::from(*last) * 17)
}

fn index(offset: u64) -> usize {
    usize::try_from(offset).expect("an offset in the input")
}
