//! Blocks of tar archives and the fields in them.

/// Length of a block in bytes; headers and padded contents are whole blocks.
pub(super) const BLOCK_LEN: usize = 512;

pub(in crate::source) type Block = [u8; BLOCK_LEN];

pub(super) fn field(block: &Block, at: usize, len: usize) -> &[u8] {
    block.get(at..at + len).unwrap_or_default()
}

/// Returns a number in octal digits, or in base 256 if the first bit is set, as GNU writes large
/// numbers. Returns none for anything else, and for negative numbers.
pub(super) fn number(field: &[u8]) -> Option<u64> {
    if let [first @ 0x80..=0xFF, rest @ ..] = field {
        let push = |sum: u64, byte: &u8| (sum >> 56 == 0).then_some(sum << 8 | u64::from(*byte));
        return rest.iter().try_fold(u64::from(first & 0x7F), push);
    }
    let text = field.split(|byte| *byte == 0).next()?.trim_ascii();
    let push = |sum: u64, byte: &u8| {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 8)?;
        sum.checked_mul(8)?.checked_add(u64::from(digit))
    };
    (!text.is_empty()).then(|| text.iter().try_fold(0, push)).flatten()
}
