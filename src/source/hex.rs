//! Reads hexadecimal digits of either case: pairs, as escapes have them, and numbers.

/// Returns the byte that the two digits at the beginning of `text` denote.
pub(in crate::source) fn octet(text: &[u8]) -> Option<u8> {
    let [high, low, ..] = text else { return None };
    let value = |digit: u8| char::from(digit).to_digit(16).and_then(|it| u8::try_from(it).ok());
    Some(value(*high)? << 4 | value(*low)?)
}

/// Returns the number that `digits` denote; `None` if they are none, or one is no digit, or the
/// number has more than 64 bits.
pub(in crate::source) fn number(digits: &[u8]) -> Option<u64> {
    // `from_str_radix` accepts a sign.
    let is_number = digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_number)?;
    u64::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::{number, octet};

    #[test]
    fn a_pair_is_two_digits_of_either_case() {
        assert_eq!(octet(b"aF0"), Some(0xAF));
        for text in [&b"a"[..], b"+a", b"ag", b" a", b""] {
            assert_eq!(octet(text), None, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn a_number_is_digits_alone() {
        assert_eq!(number(b"1e"), Some(0x1E));
        assert_eq!(number(b"0000FFFFFFFFFFFFFFFF"), Some(u64::MAX));
        for text in [&b""[..], b"+1e", b"-1", b"1 ", b"1g", b"10000000000000000"] {
            assert_eq!(number(text), None, "{}", text.escape_ascii());
        }
    }
}
