//! Numbers in decimal, appended to bytes without `core::fmt`, for the records of findings.

/// Digits of the largest `u64`, 18446744073709551615.
const DIGITS_MAX: usize = 20;

/// Appends `number` in decimal.
pub(super) fn append_number(number: u64, out: &mut Vec<u8>) {
    let mut digits = [b'0'; DIGITS_MAX];
    let mut left = number;
    let mut begin = DIGITS_MAX;
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (left % 10) as u8;
        left /= 10;
        begin -= 1;
        if left == 0 {
            break;
        }
    }
    out.extend_from_slice(digits.get(begin..).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::append_number;

    #[test]
    fn numbers_are_printed_as_the_standard_library_prints_them() {
        for number in [0, 1, 9, 10, 99, 100, 1204, 4_294_967_296, u64::MAX] {
            let mut out = Vec::new();
            append_number(number, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), number.to_string());
        }
    }
}
