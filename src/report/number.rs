//! Appends decimal numbers to bytes without `core::fmt`, for the records of findings.

/// Appends `number` in decimal.
pub(super) fn append_number(number: u64, out: &mut Vec<u8>) {
    if number >= EIGHT {
        append_number(number / EIGHT, out);
        return out.extend_from_slice(&(digits(number % EIGHT) | ZEROS).to_le_bytes());
    }
    let digits = digits(number);
    // At least the last digit is shown, even if it is zero.
    let blank = (digits.trailing_zeros() / u8::BITS).min(7);
    let shown = (digits | ZEROS) >> (blank * u8::BITS);
    // Copying a fixed length and truncating it is faster than copying a variable length.
    out.extend_from_slice(&shown.to_le_bytes());
    out.truncate(out.len() - blank as usize);
}

/// The first number of more than eight digits.
const EIGHT: u64 = 100_000_000;
/// Eight digits `0`.
const ZEROS: u64 = 0x3030_3030_3030_3030;

/// Returns the eight digits of `number`, one per byte, the first in the lowest byte. Several groups
/// of digits are divided in parallel, by multiplications that are exact for so few digits.
const fn digits(number: u64) -> u64 {
    let fours = (number / 10_000) | (number % 10_000) << 32;
    let hundreds = ((fours * 10_486) >> 20) & 0x7F_0000_007F;
    let twos = hundreds | (fours - 100 * hundreds) << 16;
    let tens = ((twos * 103) >> 10) & 0xF_000F_000F_000F;
    tens | (twos - 10 * tens) << 8
}

#[cfg(test)]
mod tests {
    use super::{EIGHT, append_number};

    #[test]
    fn numbers_are_printed_as_the_standard_library_prints_them() {
        let steps = (0..20_000).chain((0..EIGHT).step_by(9_973));
        let around = (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit]);
        let tens = (1..20).flat_map(|zeros| [10_u64.pow(zeros) - 1, 10_u64.pow(zeros)]);
        for number in steps.chain(around).chain(tens).chain([u64::MAX]) {
            let mut out = Vec::new();
            append_number(number, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), number.to_string());
        }
    }
}
