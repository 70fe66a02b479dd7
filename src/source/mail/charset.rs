//! Decodes text in UTF-16 and UTF-32 to UTF-8, and maps decoded offsets back to the original: for
//! these encodings by their characters, and for declared charsets (`named`, which `mime` decodes)
//! by a ledger of character lengths.
//!
//! Other encodings need no decoding here: they extend US-ASCII, and a URI ends at the first byte
//! that is not UTF-8.

mod decoder;
mod named;
pub(super) mod pages;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

pub use decoder::{Decode, Decoder};
pub use named::Charset;

/// An encoding in which US-ASCII characters take several bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wide {
    /// UTF-16, least significant byte first.
    Utf16Little,
    /// UTF-16, most significant byte first.
    Utf16Big,
    /// UTF-32, least significant byte first.
    Utf32Little,
    /// UTF-32, most significant byte first.
    Utf32Big,
}

/// Returns the encoding, if `head` is text in UTF-16 or UTF-32.
///
/// UTF-16 with a byte order mark must have a high byte of zero in at least half of its units, or
/// read as text: with a blank or a line end, and without NUL and lone surrogates. Data of another
/// kind that begins with a mark by chance does not. Without a mark nearly every high byte must be
/// zero, and no low byte. UTF-32 must have a mark, and only valid characters.
#[must_use]
pub fn sniff(head: &[u8]) -> Option<Wide> {
    // Without a mark, the zeros of US-ASCII identify it; most texts have none.
    let has_mark = matches!(head, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
    if !has_mark && memchr::memchr(0, head).is_none() {
        return None;
    }
    let wide = [Wide::Utf32Little, Wide::Utf32Big].into_iter().find(|wide| is_utf32(head, *wide));
    let mut narrow = [Wide::Utf16Little, Wide::Utf16Big].into_iter();
    wide.or_else(|| narrow.find(|order| is_utf16(head, *order)))
}

fn is_utf32(head: &[u8], wide: Wide) -> bool {
    let (quads, _) = head.as_chunks::<4>();
    let mut characters = quads.iter().map(|quad| wide.character(*quad));
    characters.next() == Some(MARK)
        && quads.len() > 1
        && characters.all(|character| !matches!(character, '\0' | char::REPLACEMENT_CHARACTER))
}

fn is_utf16(head: &[u8], order: Wide) -> bool {
    /// Minimum number of units; fewer prove nothing.
    const UNITS_MIN: usize = 4;
    let (pairs, _) = head.as_chunks::<2>();
    let units = || pairs.iter().map(|pair| order.unit(*pair));
    let narrow = units().filter(|unit| (1..0x100).contains(unit)).count();
    match units().next() {
        Some(BYTE_ORDER_MARK) => narrow * 2 >= pairs.len() || reads_as_text(&units()),
        _ => {
            let has_zero_low = units().any(|unit| unit & 0xFF == 0);
            // For instance in the header of a message whose body is in UTF-16.
            let begins_otherwise =
                pairs.iter().take(2).flatten().all(|byte| matches!(byte, b' '..=b'~'));
            let is_most = !begins_otherwise && narrow * 10 >= pairs.len() * 9;
            pairs.len() >= UNITS_MIN && !has_zero_low && is_most
        }
    }
}

const BYTE_ORDER_MARK: u16 = 0xFEFF;
const MARK: char = '\u{FEFF}';

fn reads_as_text(units: &(impl Iterator<Item = u16> + Clone)) -> bool {
    let is_blank = |unit: u16| matches!(unit, 0x0A | 0x0D | 0x20 | 0x3000);
    let mut lone = char::decode_utf16(units.clone()).filter_map(Result::err);
    // The head may end in the middle of a pair.
    let is_whole = lone.next().is_none_or(|error| {
        units.clone().last() == Some(error.unpaired_surrogate()) && lone.next().is_none()
    });
    is_whole && units.clone().any(is_blank) && !units.clone().any(|unit| unit == 0)
}

impl Wide {
    /// Decodes a unit of UTF-16.
    const fn unit(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Utf16Little | Self::Utf32Little => u16::from_le_bytes(bytes),
            Self::Utf16Big | Self::Utf32Big => u16::from_be_bytes(bytes),
        }
    }

    /// Decodes a character of UTF-32.
    fn character(self, bytes: [u8; 4]) -> char {
        let number = match self {
            Self::Utf16Little | Self::Utf32Little => u32::from_le_bytes(bytes),
            Self::Utf16Big | Self::Utf32Big => u32::from_be_bytes(bytes),
        };
        char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// Returns the length of the mark at the beginning of `head`, which is not part of the text.
    #[must_use]
    pub fn mark_len(self, head: &[u8]) -> u64 {
        match self {
            Self::Utf16Little | Self::Utf16Big => {
                let first = head.first_chunk().map(|pair| self.unit(*pair));
                if first == Some(BYTE_ORDER_MARK) { 2 } else { 0 }
            }
            Self::Utf32Little | Self::Utf32Big => {
                let first = head.first_chunk().map(|quad| self.character(*quad));
                if first == Some(MARK) { 4 } else { 0 }
            }
        }
    }

    /// Returns the number of bytes that the decoded `text` came from.
    ///
    /// A character of four bytes in UTF-8 was a pair of units in UTF-16, and any other one unit,
    /// including a lone surrogate. Odd bytes at the very end of an input count as a unit, since
    /// nothing follows them.
    #[must_use]
    pub fn original_len(self, text: &[u8]) -> u64 {
        let (unit, pair) = match self {
            Self::Utf16Little | Self::Utf16Big => (2, 4),
            Self::Utf32Little | Self::Utf32Big => (4, 4),
        };
        let len = |byte: &u8| match byte {
            0x80..0xC0 => 0_u64,
            0xF0.. => pair,
            _ => unit,
        };
        text.iter().map(len).sum()
    }
}

/// Lengths in the original, one entry for each decoded character. Between them are entries for
/// bytes that no character came from: powers of two, each at most once in a row, so that any number
/// of bytes takes little room.
#[derive(Clone, Debug, Default)]
pub(in crate::source) struct Ledger(Rc<RefCell<Entries>>);

#[derive(Debug, Default)]
struct Entries {
    list: VecDeque<u8>,
    /// Number of bytes after the last character that were decoded to nothing.
    nothing: u64,
}

impl Ledger {
    const NOTHING: u8 = 0x80;
    /// Maximum number of bytes that the entry of a character can record.
    const LEN_MAX: usize = 0x7F;

    /// Returns the number of bytes that `entry` records.
    const fn len_of(entry: u8) -> u64 {
        if entry & Self::NOTHING == 0 { entry as u64 } else { 1 << (entry & 0x3F) }
    }

    /// Records a character that came from `len` bytes.
    pub(in crate::source) fn character(&self, len: usize) {
        let own = len.min(Self::LEN_MAX);
        let mut entries = self.0.borrow_mut();
        let nothing = std::mem::take(&mut entries.nothing) + (len - own) as u64;
        if nothing > 0 {
            let powers = (0..64).filter(|power| nothing >> power & 1 == 1);
            entries.list.extend(powers.map(|power| Self::NOTHING | power));
        }
        entries.list.push_back(u8::try_from(own).unwrap_or_default());
    }

    /// Records the characters of `made`, which came from `len` bytes together.
    pub(in crate::source) fn characters(&self, made: &[u8], len: usize) {
        let mut len = len;
        for _ in made.iter().filter(|byte| is_first(**byte)) {
            self.character(std::mem::take(&mut len));
        }
    }

    /// Records `len` bytes that were decoded to nothing.
    pub(in crate::source) fn nothing(&self, len: usize) {
        self.0.borrow_mut().nothing += len as u64;
    }

    /// Returns the entries of the characters of `text`, which begins where the ledger does.
    pub(in crate::source) fn first(&self, text: &[u8]) -> Vec<u8> {
        let list = &self.0.borrow().list;
        let len = entry_len(list.iter(), text);
        list.iter().take(len).copied().collect()
    }

    /// Drops the entries of the characters of `text`; returns the number of bytes that they
    /// recorded.
    fn drop_first(&self, text: &[u8]) -> u64 {
        let list = &mut self.0.borrow_mut().list;
        let len = entry_len(list.iter(), text);
        list.drain(..len).map(Self::len_of).sum()
    }
}

/// Reports whether `byte` begins a character in UTF-8.
const fn is_first(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// Returns the number of `entries` that the characters of `text` take.
fn entry_len<'e>(entries: impl Iterator<Item = &'e u8>, text: &[u8]) -> usize {
    let mut left = text.iter().filter(|byte| is_first(**byte)).count();
    let is_taken = |entry: &&u8| {
        let is_taken = left > 0;
        left -= usize::from(is_taken && **entry & Ledger::NOTHING == 0);
        is_taken
    };
    entries.take_while(is_taken).count()
}

/// Mapping from the characters of a decoded text to its original.
#[derive(Clone, Debug)]
enum Mapping {
    /// By the characters, in a wide encoding.
    Wide(Wide),
    /// By the remaining entries of a ledger, the next one last.
    Recorded(Vec<u8>),
}

/// A position in the original of a decoded text, which advances with a position in that text.
#[derive(Clone, Debug)]
pub struct Original {
    offset: u64,
    way: Mapping,
}

impl Original {
    /// Returns a position at `offset`, from which `entries` continue.
    pub(in crate::source) fn recorded(offset: u64, mut entries: Vec<u8>) -> Self {
        entries.reverse();
        Self { offset, way: Mapping::Recorded(entries) }
    }

    /// Advances past `text`, which is the decoded text after this position.
    pub fn pass(&mut self, text: &[u8]) {
        let entries = match &mut self.way {
            Mapping::Recorded(entries) => entries,
            Mapping::Wide(wide) => {
                self.offset += wide.original_len(text);
                return;
            }
        };
        let len = entry_len(entries.iter().rev(), text);
        for entry in entries.drain(entries.len() - len..) {
            self.offset += Ledger::len_of(entry);
        }
    }

    /// Returns the end of the bytes that the previous character came from.
    #[must_use]
    pub const fn end(&self) -> u64 {
        self.offset
    }

    /// Returns the start of the bytes that the next character came from.
    pub fn start(&mut self) -> u64 {
        if let Mapping::Recorded(entries) = &mut self.way {
            while let Some(entry) = entries.pop_if(|entry| *entry & Ledger::NOTHING != 0) {
                self.offset += Ledger::len_of(entry);
            }
        }
        self.offset
    }
}

/// Original of a decoded text that is cut into pieces.
pub(in crate::source) enum Decoded {
    /// Text in a wide encoding, from this offset on.
    Wide(Wide, u64),
    /// Text whose lengths the ledger records, from this offset on.
    Recorded(u64, Ledger),
}

impl Decoded {
    /// Returns the original position of `text`, which comes next.
    pub(in crate::source) fn original(&self, text: &[u8]) -> Original {
        match self {
            Self::Wide(wide, offset) => Original { offset: *offset, way: Mapping::Wide(*wide) },
            Self::Recorded(offset, ledger) => Original::recorded(*offset, ledger.first(text)),
        }
    }

    /// Returns the original offset of the next text.
    pub(in crate::source) const fn offset(&self) -> u64 {
        let (Self::Wide(_, offset) | Self::Recorded(offset, _)) = self;
        *offset
    }

    /// Advances past `text`.
    pub(in crate::source) fn pass(&mut self, text: &[u8]) {
        match self {
            Self::Wide(wide, offset) => *offset += wide.original_len(text),
            Self::Recorded(offset, ledger) => *offset += ledger.drop_first(text),
        }
    }
}

/// A decoder of wide encodings. Invalid characters, such as lone surrogates, become U+FFFD; the
/// mark is dropped.
#[derive(Debug)]
pub struct WideText {
    wide: Wide,
    /// Whether the next character is the first one, which may be a mark.
    at_start: bool,
}

impl WideText {
    /// Returns a decoder for the beginning of a text.
    #[must_use]
    pub const fn new(wide: Wide) -> Self {
        Self { wide, at_start: true }
    }
}

impl Decode for WideText {
    /// Leaves odd bytes and the first half of a pair for the next block.
    fn decode(&mut self, block: &[u8], is_last: bool, text: &mut Vec<u8>) -> usize {
        let (mut made, mut taken) = match self.wide {
            Wide::Utf16Little | Wide::Utf16Big => self.wide.utf16(block, is_last),
            Wide::Utf32Little | Wide::Utf32Big => self.wide.utf32(block),
        };
        if self.at_start && made.starts_with(MARK) {
            made.drain(..MARK.len_utf8());
        }
        self.at_start &= taken == 0;
        if is_last && taken < block.len() {
            made.push(char::REPLACEMENT_CHARACTER);
            taken = block.len();
        }
        text.extend_from_slice(made.as_bytes());
        taken
    }
}

impl Wide {
    fn utf16(self, block: &[u8], is_last: bool) -> (String, usize) {
        let (pairs, _) = block.as_chunks::<2>();
        let mut units: Vec<u16> = pairs.iter().map(|pair| self.unit(*pair)).collect();
        let is_first_half = |unit: &u16| (0xD800..0xDC00).contains(unit);
        if !is_last && units.last().is_some_and(is_first_half) {
            units.pop();
        }
        let taken = units.len() * 2;
        let characters = char::decode_utf16(units)
            .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER));
        (characters.collect(), taken)
    }

    fn utf32(self, block: &[u8]) -> (String, usize) {
        let (quads, _) = block.as_chunks::<4>();
        (quads.iter().map(|quad| self.character(*quad)).collect(), quads.len() * 4)
    }
}

#[cfg(test)]
mod tests {
    use super::{Decoder, Wide, WideText, sniff};
    use std::io::Read;

    const ALL: [Wide; 4] = [Wide::Utf16Little, Wide::Utf16Big, Wide::Utf32Little, Wide::Utf32Big];

    fn encoded(text: &str, wide: Wide) -> Vec<u8> {
        let units = text.encode_utf16();
        let characters = text.chars().map(u32::from);
        match wide {
            Wide::Utf16Little => units.flat_map(u16::to_le_bytes).collect(),
            Wide::Utf16Big => units.flat_map(u16::to_be_bytes).collect(),
            Wide::Utf32Little => characters.flat_map(u32::to_le_bytes).collect(),
            Wide::Utf32Big => characters.flat_map(u32::to_be_bytes).collect(),
        }
    }

    #[test]
    fn all_orders_are_told_by_a_mark_and_those_of_utf16_without_one() {
        for wide in ALL {
            for text in ["\u{FEFF}see http://h/ ok", "\u{FEFF}例え http://h/\n"] {
                assert_eq!(sniff(&encoded(text, wide)), Some(wide), "{text:?}");
            }
        }
        for order in [Wide::Utf16Little, Wide::Utf16Big] {
            for text in ["see http://h/ ok", "\u{201c}see\u{201d} http://h/ for all that is there"]
            {
                assert_eq!(sniff(&encoded(text, order)), Some(order), "{text:?}");
            }
        }
    }

    #[test]
    fn other_bytes_are_not_taken_for_utf16() {
        for bytes in [
            &b""[..],
            b"\xFF\xFE",
            b"plain text",
            b"\xFF\xFE\0\x80http://h/a\x80",
            &[0; 64],
            b"\xFF\xFE\0\0",
            b"\0\0\xFE\xFFabcd",
            b"\0\0\xFE\xFF\0\0\0a\0\0\0\0",
        ] {
            assert_eq!(sniff(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn decoding_gives_the_text_and_the_way_back() {
        // Longer than a block, so that pairs are cut between two reads.
        let text = "\u{FEFF}a\u{1F600}é\r\n".repeat(20_000);
        for wide in ALL {
            let bytes = encoded(&text, wide);
            let mut decoder = Decoder::new(&bytes[..], WideText::new(wide));
            let mut decoded = String::new();
            decoder.read_to_string(&mut decoded).unwrap();
            assert_eq!(decoded, text[3..]);
            for (at, _) in decoded.char_indices().step_by(997) {
                let original = encoded(&decoded[..at], wide).len() as u64;
                assert_eq!(wide.original_len(&decoded.as_bytes()[..at]), original, "{at}");
            }
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
        let mut decoder = Decoder::new(Failing(false), WideText::new(Wide::Utf16Little));
        let mut out = [0; 8];
        assert_eq!(decoder.read(&mut out).unwrap(), 2);
        assert!(decoder.read(&mut out).is_err());
    }

    #[test]
    fn a_lone_half_and_an_odd_byte_are_replaced() {
        let mut decoded = String::new();
        let bytes = [0x00, 0xD8, b'a', 0, b'b'];
        Decoder::new(&bytes[..], WideText::new(Wide::Utf16Little))
            .read_to_string(&mut decoded)
            .unwrap();
        assert_eq!(decoded, "\u{FFFD}a\u{FFFD}");
        let bytes = [0, 0, 0xD8, 0, 0, 0, 0, b'a', 1, 2, 3];
        decoded.clear();
        Decoder::new(&bytes[..], WideText::new(Wide::Utf32Big))
            .read_to_string(&mut decoded)
            .unwrap();
        assert_eq!(decoded, "\u{FFFD}a\u{FFFD}");
    }
}
