//! The IPv6 parser and serialiser of the URL Standard (§3.5, §3.6).

use super::error::{Flaw, ValidationError};

/// The eight 16-bit pieces of an address.
type Pieces = [u16; 8];

/// Parses `text`, the part between the brackets (§3.5, IPv6 parser).
pub(super) fn parse(text: &str) -> Result<Pieces, Flaw> {
    let mut reader = AddressReader { bytes: text.as_bytes(), at: 0 };
    let mut address = [0; 8];
    let mut piece_idx = 0;
    let mut compress = None;
    // Step 5.
    if reader.peek() == Some(b':') {
        if text.as_bytes().get(1) != Some(&b':') {
            return reader.fail(ValidationError::Ipv6InvalidCompression);
        }
        reader.at = 2;
        piece_idx = 1;
        compress = Some(1);
    }
    // Step 6.
    while let Some(byte) = reader.peek() {
        let Some(place) = address.get_mut(piece_idx) else {
            return reader.fail(ValidationError::Ipv6TooManyPieces);
        };
        if byte == b':' {
            if compress.is_some() {
                return reader.fail(ValidationError::Ipv6MultipleCompression);
            }
            reader.at += 1;
            piece_idx += 1;
            compress = Some(piece_idx);
            continue;
        }
        let start = reader.at;
        let value = reader.hex();
        if reader.peek() == Some(b'.') {
            if reader.at == start {
                return reader.fail(ValidationError::Ipv4InIpv6InvalidCodePoint);
            }
            reader.at = start;
            if piece_idx > 6 {
                return reader.fail(ValidationError::Ipv4InIpv6TooManyPieces);
            }
            let [a, b, c, d] = reader.ipv4()?;
            *place = u16::from_be_bytes([a, b]);
            if let Some(next) = address.get_mut(piece_idx + 1) {
                *next = u16::from_be_bytes([c, d]);
            }
            piece_idx += 2;
            break;
        }
        reader.end_piece()?;
        *place = value;
        piece_idx += 1;
    }
    spread(&mut address, piece_idx, compress)
        .then_some(address)
        .ok_or(Flaw::new(ValidationError::Ipv6TooFewPieces, reader.at))
}

/// Moves the pieces that follow `::` to the end (step 7). Reports whether the count is valid:
/// without `::` there must be eight (step 8).
fn spread(address: &mut Pieces, count: usize, compress: Option<usize>) -> bool {
    let Some(from) = compress else { return count == address.len() };
    let missing = address.len().saturating_sub(count);
    if let Some(tail) = address.get_mut(from..) {
        // The pieces after the last one are zero, and move to the place of the `::`.
        tail.rotate_right(missing.min(tail.len()));
    }
    true
}

struct AddressReader<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl AddressReader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn fail<T>(&self, error: ValidationError) -> Result<T, Flaw> {
        Err(Flaw::new(error, self.at))
    }

    /// Reads up to four hexadecimal digits (steps 6.3 and 6.4).
    fn hex(&mut self) -> u16 {
        let mut value = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit.and_then(|digit| u16::try_from(digit).ok()) else { break };
            value = (value << 4) | digit;
            self.at += 1;
        }
        value
    }

    /// Ends a piece at the end of the text, or at a colon that another byte follows, which it skips
    /// (steps 6.6 and 6.7).
    fn end_piece(&mut self) -> Result<(), Flaw> {
        match self.peek() {
            None => Ok(()),
            Some(b':') => {
                self.at += 1;
                match self.peek() {
                    Some(_) => Ok(()),
                    None => self.fail(ValidationError::Ipv6InvalidCodePoint),
                }
            }
            Some(_) => self.fail(ValidationError::Ipv6InvalidCodePoint),
        }
    }

    /// Reads an IPv4 address to the end (step 6.5).
    fn ipv4(&mut self) -> Result<[u8; 4], Flaw> {
        let mut parts = [0; 4];
        let mut seen = 0;
        while let Some(byte) = self.peek() {
            if seen > 0 {
                if byte != b'.' || seen == parts.len() {
                    return self.fail(ValidationError::Ipv4InIpv6InvalidCodePoint);
                }
                self.at += 1;
            }
            let part = self.decimal()?;
            if let Some(place) = parts.get_mut(seen) {
                *place = part;
            }
            seen += 1;
        }
        if seen != parts.len() {
            return self.fail(ValidationError::Ipv4InIpv6TooFewParts);
        }
        Ok(parts)
    }

    /// Reads a decimal number up to 255, without leading zeros.
    fn decimal(&mut self) -> Result<u8, Flaw> {
        let mut part: Option<u8> = None;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            let digit = digit - b'0';
            part = match part {
                None => Some(digit),
                Some(0) => return self.fail(ValidationError::Ipv4InIpv6InvalidCodePoint),
                Some(part) => match part.checked_mul(10).and_then(|it| it.checked_add(digit)) {
                    None => return self.fail(ValidationError::Ipv4InIpv6OutOfRangePart),
                    more => more,
                },
            };
            self.at += 1;
        }
        part.ok_or(Flaw::new(ValidationError::Ipv4InIpv6InvalidCodePoint, self.at))
    }
}

/// Serialises `address` between brackets (§3.6, IPv6 serialiser).
pub(super) fn serialise(address: Pieces) -> String {
    let zeros = compressed(address);
    let mut text = String::with_capacity("[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]".len());
    text.push('[');
    for (idx, piece) in address.into_iter().enumerate() {
        match &zeros {
            Some((start, _)) if *start == idx => text.push_str(if idx == 0 { "::" } else { ":" }),
            Some((start, len)) if *start < idx && idx < start + len => {}
            _ => {
                append_hex(piece, &mut text);
                if idx != 7 {
                    text.push(':');
                }
            }
        }
    }
    text.push(']');
    text
}

/// Appends `piece` in hexadecimal digits, without leading zeros.
fn append_hex(piece: u16, text: &mut String) {
    let digits = [piece >> 12, (piece >> 8) & 15, (piece >> 4) & 15, piece & 15];
    let zeros = digits.iter().take(3).take_while(|digit| **digit == 0).count();
    let digits = digits.into_iter().skip(zeros).map(u32::from);
    text.extend(digits.filter_map(|digit| char::from_digit(digit, 16)));
}

/// Finds the first of the longest runs of two or more zeros (§3.6, compressed piece index).
fn compressed(address: Pieces) -> Option<(usize, usize)> {
    let mut longest = (0, 1);
    let mut found = (0, 0);
    for (idx, piece) in address.into_iter().enumerate() {
        found = if piece == 0 { (found.0, found.1 + 1) } else { (idx + 1, 0) };
        if found.1 > longest.1 {
            longest = found;
        }
    }
    (longest.1 > 1).then_some(longest)
}
