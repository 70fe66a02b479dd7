//! Text in UTF-16, decoded to UTF-8 with the way back to the original offsets.
//!
//! Other encodings need no decoding here: their ASCII is ASCII, and a URI ends at the first
//! byte that is no UTF-8.

use std::io::{self, Read};

use crate::span::OffsetMap;

/// The byte orders of UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utf16 {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

/// The byte order, when `head` is text in UTF-16.
///
/// Text of any language has spaces and line ends, whose high byte is zero; bytes of another
/// kind that begin with a byte order mark by chance have none there. Without a mark nearly
/// every high byte must be zero, and no low byte.
#[must_use]
pub fn sniff(head: &[u8]) -> Option<Utf16> {
    [Utf16::Little, Utf16::Big].into_iter().find(|order| is_utf16(head, *order))
}

fn is_utf16(head: &[u8], order: Utf16) -> bool {
    /// Fewer units say nothing.
    const UNITS_MIN: usize = 4;
    let (units, _) = head.as_chunks::<2>();
    let mark: [u8; 2] = match order {
        Utf16::Little => [0xFF, 0xFE],
        Utf16::Big => [0xFE, 0xFF],
    };
    let (low, high) = match order {
        Utf16::Little => (0, 1),
        Utf16::Big => (1, 0),
    };
    let count = |idx: usize| units.iter().filter(|unit| unit[idx] == 0).count();
    let (zero_low, zero_high) = (count(low), count(high));
    if units.first() == Some(&mark) {
        return zero_high > 0 && zero_low <= zero_high;
    }
    units.len() >= UNITS_MIN && zero_low == 0 && zero_high * 10 >= units.len() * 9
}

/// Decodes UTF-16 while it is read. Lone surrogates become U+FFFD; the mark is dropped.
#[derive(Debug)]
pub struct Decoder<R> {
    inner: R,
    order: Utf16,
    /// Bytes read and not decoded: at most a surrogate's half and an odd byte.
    pending: Vec<u8>,
    /// Bytes decoded and not given.
    ready: Vec<u8>,
    given: usize,
    decoded: u64,
    original: u64,
    map: OffsetMap,
    at_end: bool,
}

/// Bytes that are asked of the inner reader at a time.
const BLOCK: usize = 64 * 1024;

impl<R: Read> Decoder<R> {
    /// A decoder of what `inner` gives.
    pub fn new(inner: R, order: Utf16) -> Self {
        Self {
            inner,
            order,
            pending: Vec::new(),
            ready: Vec::new(),
            given: 0,
            decoded: 0,
            original: 0,
            map: OffsetMap::default(),
            at_end: false,
        }
    }

    /// The way back for decoded offsets at or behind `from`; earlier ones are forgotten.
    pub fn map_from(&mut self, from: u64) -> OffsetMap {
        self.map.forget_before(from);
        self.map.clone()
    }

    fn fill(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.given = 0;
        let before = self.pending.len();
        let limit = BLOCK as u64;
        let read = (&mut self.inner).take(limit).read_to_end(&mut self.pending)?;
        self.at_end = read < BLOCK;
        debug_assert_eq!(self.pending.len(), before + read);
        let taken = self.decode();
        self.pending.drain(..taken);
        Ok(())
    }

    /// Decodes what is pending; leaves an odd byte and the first half of a pair for later,
    /// unless nothing follows. Gives how many bytes were taken.
    fn decode(&mut self) -> usize {
        let (pairs, odd) = self.pending.as_chunks::<2>();
        let mut units: Vec<u16> = pairs
            .iter()
            .map(|unit| match self.order {
                Utf16::Little => u16::from_le_bytes(*unit),
                Utf16::Big => u16::from_be_bytes(*unit),
            })
            .collect();
        let is_first_half = |unit: &u16| (0xD800..0xDC00).contains(unit);
        if !self.at_end && units.last().is_some_and(is_first_half) {
            units.pop();
        }
        let mut taken = units.len() * 2;
        for character in char::decode_utf16(units) {
            let original_len = character.as_ref().map_or(1, |character| character.len_utf16());
            let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
            push(&mut self.ready, &mut self.map, self.decoded, self.original, character);
            let is_mark = self.original == 0 && character == '\u{FEFF}';
            if is_mark {
                self.ready.clear();
                self.map = OffsetMap::default();
            } else {
                self.decoded += character.len_utf8() as u64;
            }
            self.original += 2 * original_len as u64;
        }
        if self.at_end && !odd.is_empty() {
            push(&mut self.ready, &mut self.map, self.decoded, self.original, '\u{FFFD}');
            self.decoded += 3;
            taken += 1;
        }
        taken
    }
}

fn push(ready: &mut Vec<u8>, map: &mut OffsetMap, decoded: u64, original: u64, character: char) {
    let mut utf8 = [0; 4];
    let text = character.encode_utf8(&mut utf8).as_bytes();
    let original_len = if character.len_utf16() == 2 { 4 } else { 2 };
    // A character takes one to four bytes of UTF-8.
    let decoded_len = u8::try_from(text.len()).unwrap_or(4);
    map.record(decoded, decoded_len, original, original_len);
    ready.extend_from_slice(text);
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.given == self.ready.len() {
            if self.at_end {
                return Ok(0);
            }
            self.fill()?;
        }
        let rest = self.ready.get(self.given..).unwrap_or_default();
        let len = rest.len().min(out.len());
        let (target, _) = out.split_at_mut(len);
        target.copy_from_slice(rest.get(..len).unwrap_or_default());
        self.given += len;
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::{Decoder, Utf16, sniff};
    use std::io::Read;

    fn utf16(text: &str, order: Utf16) -> Vec<u8> {
        let bytes = |unit: u16| match order {
            Utf16::Little => unit.to_le_bytes(),
            Utf16::Big => unit.to_be_bytes(),
        };
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn both_orders_are_told_with_and_without_a_mark() {
        for order in [Utf16::Little, Utf16::Big] {
            for text in ["\u{FEFF}see http://h/ ok", "see http://h/ ok", "\u{FEFF}例え http://h/\n"]
            {
                assert_eq!(sniff(&utf16(text, order)), Some(order), "{text:?}");
            }
        }
    }

    #[test]
    fn other_bytes_are_not_taken_for_utf16() {
        for bytes in
            [&b""[..], b"\xFF\xFE", b"plain text", b"\xFF\xFE\0\x80http://h/a\x80", &[0; 64]]
        {
            assert_eq!(sniff(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn decoding_gives_the_text_and_the_way_back() {
        // Longer than a block, so that pairs are cut between two reads.
        let text = "\u{FEFF}a\u{1F600}é\r\n".repeat(20_000);
        let bytes = utf16(&text, Utf16::Little);
        let mut decoder = Decoder::new(&bytes[..], Utf16::Little);
        let mut decoded = String::new();
        decoder.read_to_string(&mut decoded).unwrap();
        assert_eq!(decoded, text[3..]);
        let map = decoder.map_from(0);
        let mut original = 2;
        for (at, character) in decoded.char_indices() {
            assert_eq!(map.original(at as u64), original, "{at}");
            original += 2 * character.len_utf16() as u64;
        }
    }

    #[test]
    fn a_lone_half_and_an_odd_byte_are_replaced() {
        let mut decoded = String::new();
        let bytes = [0x00, 0xD8, b'a', 0, b'b'];
        Decoder::new(&bytes[..], Utf16::Little).read_to_string(&mut decoded).unwrap();
        assert_eq!(decoded, "\u{FFFD}a\u{FFFD}");
    }
}
