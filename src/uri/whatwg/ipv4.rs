//! The IPv4 parser and serialiser of the URL Standard (§3.5, §3.6).

use super::error::{Flaw, Notes, ValidationError};

/// Maximum number of parts of an address.
const PARTS_MAX: usize = 4;

/// Reports whether `domain` ends in a number (§3.5): it is then an address or a failure.
pub(super) fn ends_in_a_number(domain: &str) -> bool {
    // Steps 1 to 3: an empty last part is dropped, unless it is the only one.
    let last = domain.strip_suffix('.').unwrap_or(domain).rsplit('.').next().unwrap_or_default();
    // Step 4, then step 5: "0x" and hexadecimal digits.
    let is_decimal = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    is_decimal || number(last).is_some()
}

/// Parses `domain`, which ends in a number, as an address (§3.5, IPv4 parser).
pub(super) fn parse(domain: &str, notes: &mut Notes) -> Result<u32, Flaw> {
    let mut text = domain;
    // Step 2.
    if let Some(rest) = text.strip_suffix('.') {
        notes.add(ValidationError::Ipv4EmptyPart, rest.len());
        text = rest;
    }
    // Step 3.
    if let Some((dot, _)) = text.match_indices('.').nth(PARTS_MAX - 1) {
        return Err(Flaw::new(ValidationError::Ipv4TooManyParts, dot + 1));
    }
    // Steps 4 and 5.
    let mut numbers = [(0, 0); PARTS_MAX];
    let mut count = 0;
    let mut at = 0;
    for (part, place) in text.split('.').zip(&mut numbers) {
        let Some((number, is_odd)) = number(part) else {
            return Err(Flaw::new(ValidationError::Ipv4NonNumericPart, at));
        };
        if is_odd {
            notes.add(ValidationError::Ipv4NonDecimalPart, at);
        }
        *place = (number, at);
        count += 1;
        at += part.len() + 1;
    }
    // Steps 6 to 8.
    let mut address = 0;
    for (idx, &(number, at)) in numbers.iter().take(count).enumerate() {
        let is_last = idx + 1 == count;
        let bits_max = if is_last { 8 * (PARTS_MAX + 1 - count) } else { 8 };
        if number >> bits_max != 0 {
            return Err(Flaw::new(ValidationError::Ipv4OutOfRangePart, at));
        }
        if number > 0xFF {
            notes.add(ValidationError::Ipv4OutOfRangePart, at);
        }
        // Steps 9 to 12.
        address |= number << if is_last { 0 } else { 8 * (PARTS_MAX - 1 - idx) };
    }
    u32::try_from(address).map_err(|_| Flaw::new(ValidationError::Ipv4OutOfRangePart, 0))
}

/// Parses one part (§3.5, IPv4 number parser); returns its number, and whether it is not decimal. A
/// number larger than every address is capped at 2³².
fn number(part: &str) -> Option<(u64, bool)> {
    let (digits, radix) = match part.as_bytes() {
        [b'0', b'x' | b'X', ..] => (part.get(2..)?, 16),
        [b'0', _, ..] => (part.get(1..)?, 8),
        [] => return None,
        _ => (part, 10),
    };
    let mut number = 0_u64;
    for char in digits.chars() {
        let digit = char.to_digit(radix)?;
        number = (number * u64::from(radix) + u64::from(digit)).min(u64::from(u32::MAX) + 1);
    }
    Some((number, radix != 10))
}

/// Reports whether `host` is an address that is its own serialisation: four decimal numbers up to
/// 255 without leading zeros.
pub(super) fn is_canonical(host: &[u8]) -> bool {
    let is_octet = |part: &[u8]| match part {
        [digit] => digit.is_ascii_digit(),
        [b'1'..=b'9', rest @ ..] if rest.len() <= 2 && rest.iter().all(u8::is_ascii_digit) => {
            rest.len() < 2 || part <= b"255".as_slice()
        }
        _ => false,
    };
    let mut parts = host.split(|byte| *byte == b'.');
    let count = parts.by_ref().take(PARTS_MAX).filter(|part| is_octet(part)).count();
    count == PARTS_MAX && parts.next().is_none()
}

/// Serialises `address` (§3.6, IPv4 serialiser).
pub(super) fn serialise(address: u32) -> String {
    let [a, b, c, d] = address.to_be_bytes();
    format!("{a}.{b}.{c}.{d}")
}
