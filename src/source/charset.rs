//! Text in UTF-16, decoded to UTF-8, and the way back to the original offsets.
//!
//! Other encodings need no decoding here: their ASCII is ASCII, and a URI ends at the first
//! byte that is no UTF-8.

use std::fmt;
use std::io::{self, Read};

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
/// With a byte order mark it is, when most high bytes are zero, or when it reads as text:
/// with a blank or a line end and without NUL and lone surrogates. Bytes of another kind
/// that begin with a mark by chance do not. Without a mark nearly every high byte must be
/// zero, and no low byte.
#[must_use]
pub fn sniff(head: &[u8]) -> Option<Utf16> {
    // Without a mark it is known by the zeros of US-ASCII; most texts have none.
    let has_mark = matches!(head, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
    if !has_mark && memchr::memchr(0, head).is_none() {
        return None;
    }
    [Utf16::Little, Utf16::Big].into_iter().find(|order| is_utf16(head, *order))
}

fn is_utf16(head: &[u8], order: Utf16) -> bool {
    /// Fewer units say nothing.
    const UNITS_MIN: usize = 4;
    let (pairs, _) = head.as_chunks::<2>();
    let units = || pairs.iter().map(|pair| order.unit(*pair));
    let narrow = units().filter(|unit| (1..0x100).contains(unit)).count();
    match units().next() {
        Some(BYTE_ORDER_MARK) => narrow * 2 >= pairs.len() || reads_as_text(&units()),
        _ => {
            let has_zero_low = units().any(|unit| unit & 0xFF == 0);
            pairs.len() >= UNITS_MIN && !has_zero_low && narrow * 10 >= pairs.len() * 9
        }
    }
}

const BYTE_ORDER_MARK: u16 = 0xFEFF;

fn reads_as_text(units: &(impl Iterator<Item = u16> + Clone)) -> bool {
    let is_blank = |unit: u16| matches!(unit, 0x0A | 0x0D | 0x20 | 0x3000);
    let mut lone = char::decode_utf16(units.clone()).filter_map(Result::err);
    // The head may end in the middle of a pair.
    let is_whole = lone.next().is_none_or(|error| {
        units.clone().last() == Some(error.unpaired_surrogate()) && lone.next().is_none()
    });
    is_whole && units.clone().any(is_blank) && !units.clone().any(|unit| unit == 0)
}

impl Utf16 {
    const fn unit(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        }
    }
}

/// Length of the mark at the beginning of `head`, which is not part of the text.
#[must_use]
pub fn mark_len(head: &[u8], order: Utf16) -> u64 {
    let is_marked = head.first_chunk().is_some_and(|pair| order.unit(*pair) == BYTE_ORDER_MARK);
    if is_marked { 2 } else { 0 }
}

/// How many bytes of UTF-16 the decoded `text` came from.
///
/// A character of four bytes in UTF-8 was a pair of units, any other one unit, a lone
/// surrogate too. An odd byte at the very end of an input counts as a unit: nothing stands
/// behind it.
#[must_use]
pub fn original_len(text: &[u8]) -> u64 {
    let units = |byte: &u8| match byte {
        0x80..0xC0 => 0_u64,
        0xF0.. => 2,
        _ => 1,
    };
    2 * text.iter().map(units).sum::<u64>()
}

/// Decodes UTF-16 while it is read. Lone surrogates become U+FFFD; the mark is dropped.
pub struct Decoder<R> {
    inner: R,
    order: Utf16,
    /// Bytes read and not decoded: at most a surrogate's half and an odd byte.
    pending: Vec<u8>,
    /// Bytes decoded and not given.
    ready: Vec<u8>,
    given: usize,
    /// True until the first character, which may be a mark.
    at_start: bool,
    at_end: bool,
    /// What reading said, to be told when all before it is given.
    failed: Option<io::Error>,
}

/// Shows no text, which may hold passwords.
impl<R> fmt::Debug for Decoder<R> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Decoder").field("order", &self.order).finish_non_exhaustive()
    }
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
            at_start: true,
            at_end: false,
            failed: None,
        }
    }

    fn fill(&mut self) {
        self.ready.clear();
        self.given = 0;
        let before = self.pending.len();
        let read = (&mut self.inner).take(BLOCK as u64).read_to_end(&mut self.pending);
        self.at_end = self.pending.len() - before < BLOCK;
        self.failed = read.err();
        let taken = self.decode();
        self.pending.drain(..taken);
    }

    /// Decodes what is pending; leaves an odd byte and the first half of a pair for later,
    /// unless nothing follows. Gives how many bytes were taken.
    fn decode(&mut self) -> usize {
        let (pairs, odd) = self.pending.as_chunks::<2>();
        let mut units: Vec<u16> = pairs.iter().map(|pair| self.order.unit(*pair)).collect();
        let is_first_half = |unit: &u16| (0xD800..0xDC00).contains(unit);
        if !self.at_end && units.last().is_some_and(is_first_half) {
            units.pop();
        }
        let mut taken = units.len() * 2;
        let is_marked = self.at_start && units.first() == Some(&BYTE_ORDER_MARK);
        self.at_start &= units.is_empty();
        let characters = char::decode_utf16(units.into_iter().skip(usize::from(is_marked)))
            .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER));
        let mut text: String = characters.collect();
        if self.at_end && !odd.is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
            taken += 1;
        }
        self.ready = text.into_bytes();
        taken
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.given == self.ready.len() {
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            if self.at_end {
                return Ok(0);
            }
            self.fill();
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
    use super::{Decoder, Utf16, original_len, sniff};
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
        for (at, _) in decoded.char_indices().step_by(997) {
            let original = 2 * decoded[..at].encode_utf16().count() as u64;
            assert_eq!(original_len(&decoded.as_bytes()[..at]), original, "{at}");
        }
    }

    #[test]
    fn what_was_read_before_a_failure_is_given() {
        struct Failing(bool);
        impl Read for Failing {
            fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
                if std::mem::replace(&mut self.0, true) {
                    return Err(std::io::ErrorKind::Other.into());
                }
                out[..4].copy_from_slice(b"a\0b\0");
                Ok(4)
            }
        }
        let mut decoder = Decoder::new(Failing(false), Utf16::Little);
        let mut out = [0; 8];
        assert_eq!(decoder.read(&mut out).unwrap(), 2);
        assert!(decoder.read(&mut out).is_err());
    }

    #[test]
    fn a_lone_half_and_an_odd_byte_are_replaced() {
        let mut decoded = String::new();
        let bytes = [0x00, 0xD8, b'a', 0, b'b'];
        Decoder::new(&bytes[..], Utf16::Little).read_to_string(&mut decoded).unwrap();
        assert_eq!(decoded, "\u{FFFD}a\u{FFFD}");
    }
}
