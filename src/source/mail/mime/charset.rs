//! Decodes text in a charset, run by run.
//!
//! Of ISO 2022 and HZ, the sets of Japan, Korea and mainland China are decoded, and the Latin and
//! Greek ones of ISO-2022-JP-2. A character of any other set becomes U+FFFD, so that an IRI ends
//! before it.

use encoding_rs::{
    DecoderResult, EUC_JP, EUC_KR, Encoding, GBK, ISO_8859_7, SHIFT_JIS, WINDOWS_1252,
};

use super::base64::alphabet;
use super::run::Run;
use crate::source::mail::charset::{Charset, pages};

/// Bit that distinguishes the upper half of a charset from US-ASCII.
const UPPER: u8 = 0x80;

/// A set of characters that ISO 2022 or HZ switches to.
#[derive(Clone, Copy, Debug)]
enum Set {
    /// US-ASCII, or a set that hardly differs from it.
    Ascii,
    /// Two bytes a character: the codes of this charset, without their upper bits.
    Of(&'static Encoding),
    /// JIS X 0212, the supplement to the set of Japan, which EUC-JP encodes after a byte 8F.
    Supplement,
    /// One byte a character: the upper half of this charset, or a set that is not decoded.
    Half(Option<&'static Encoding>),
    /// A set that is not decoded, of two bytes a character.
    Other,
}

impl Set {
    /// Returns the set of two-byte characters that the last byte of an escape designates.
    const fn named(byte: u8) -> Self {
        match byte {
            b'@' | b'B' => Self::Of(EUC_JP),
            b'A' => Self::Of(GBK),
            b'C' => Self::Of(EUC_KR),
            b'D' => Self::Supplement,
            _ => Self::Other,
        }
    }

    /// Returns the set of one-byte characters that the last byte of an escape designates. The upper
    /// half of Shift JIS begins with the katakana of JIS X 0201.
    const fn named_half(byte: u8) -> Self {
        match byte {
            b'B' | b'J' | b'H' => Self::Ascii,
            b'I' => Self::Half(Some(SHIFT_JIS)),
            _ => Self::Half(None),
        }
    }

    /// Returns the set of 96 characters that the last byte of an escape designates (RFC 1554).
    const fn named_upper(byte: u8) -> Self {
        match byte {
            b'A' => Self::Half(Some(WINDOWS_1252)),
            b'F' => Self::Half(Some(ISO_8859_7)),
            _ => Self::Half(None),
        }
    }

    /// Decodes an escape of two bytes and the single character of this set after it. Without such a
    /// character, the escape is literal, so that it does not swallow the end of a link.
    fn once(self, after: &[u8]) -> Run {
        match (self, after) {
            (Self::Half(charset), [byte @ b' '..=0x7F, ..]) => {
                half_character(charset, *byte).made_of(3)
            }
            (Self::Of(_) | Self::Supplement | Self::Other, [b'!'..=b'~', b'!'..=b'~', ..]) => {
                Run::character(4, char::REPLACEMENT_CHARACTER)
            }
            _ => Run::same(1),
        }
    }

    /// Decodes the character that `first` and `second` encode.
    fn character(self, first: u8, second: u8) -> Run {
        let (first, second) = (first | UPPER, second | UPPER);
        let run = match self {
            Self::Of(encoding) => one_character(encoding, &[first, second]),
            Self::Supplement => one_character(EUC_JP, &[0x8F, first, second]),
            Self::Ascii | Self::Half(_) | Self::Other => Run::nothing(0),
        };
        let len = if matches!(self, Self::Supplement) { 3 } else { 2 };
        if run.source_len() < len {
            return Run::character(2, char::REPLACEMENT_CHARACTER);
        }
        run.made_of(2)
    }
}

/// Decodes `byte` as a character in the upper half of `charset`.
fn half_character(charset: Option<&'static Encoding>, byte: u8) -> Run {
    match charset {
        Some(charset) => one_character(charset, &[byte | UPPER]),
        None => Run::character(1, char::REPLACEMENT_CHARACTER),
    }
}

/// State of a decoder between two runs.
#[derive(Clone, Debug)]
pub(super) struct CharsetState {
    charset: Charset,
    is_start: bool,
    /// Whether the next bytes are between shifts, and not US-ASCII.
    is_shifted: bool,
    /// Sets of ISO 2022 and of HZ: the unshifted one, and the one between shifts.
    first: Set,
    second: Set,
    /// The set of ISO 2022 from which an escape selects a single character. Its designation holds
    /// for one line (RFC 1554, RFC 1922).
    third: Set,
    /// Bits of UTF-7 that do not form a character yet, and their number.
    bits: u32,
    bits_len: u32,
    /// First half of a surrogate pair.
    half: Option<u16>,
}

/// Reports whether blanks and line ends in UTF-16 have their zero byte second, as in little-endian
/// text. Without a mark UTF-16 should be big-endian (RFC 2781 §4.3), but programs that write no
/// mark use the byte order of their machine. Zeros of other characters prove nothing: many Chinese
/// characters have a zero as their second byte.
fn seems_little(text: &[u8]) -> bool {
    /// Number of characters that are examined: a page of a book, and its first blank.
    const COUNT_MAX: usize = 4096;
    let (pairs, _) = text.as_chunks::<2>();
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let near = || pairs.iter().take(COUNT_MAX);
    let big = near().filter(|[first, second]| *first == 0 && is_blank(second)).count();
    let little = near().filter(|[first, second]| *second == 0 && is_blank(first)).count();
    little > big && !text.starts_with(b"\xFE\xFF")
}

const MARK: char = '\u{FEFF}';

impl CharsetState {
    pub(super) const fn new(charset: Charset) -> Self {
        let second = if matches!(charset, Charset::Hz) { Set::Of(GBK) } else { Set::Other };
        Self {
            charset,
            is_start: true,
            is_shifted: false,
            first: Set::Ascii,
            second,
            third: Set::Other,
            bits: 0,
            bits_len: 0,
            half: None,
        }
    }

    /// Returns the run that `rest` begins with.
    pub(super) fn run(&mut self, rest: &[u8]) -> Run {
        let is_start = std::mem::take(&mut self.is_start);
        match self.charset {
            Charset::Utf16 if is_start && rest.starts_with(b"\xFF\xFE") => {
                self.charset = Charset::Utf16Little;
                Run::nothing(2)
            }
            Charset::Utf16Little if is_start && rest.starts_with(b"\xFE\xFF") => {
                self.charset = Charset::Utf16;
                Run::nothing(2)
            }
            Charset::Utf16 if is_start && seems_little(rest) => {
                self.charset = Charset::Utf16Little;
                utf16(rest, u16::from_le_bytes, is_start)
            }
            Charset::Utf32 if is_start && rest.starts_with(b"\xFF\xFE\0\0") => {
                self.charset = Charset::Utf32Little;
                Run::nothing(4)
            }
            Charset::Utf16 => utf16(rest, u16::from_be_bytes, is_start),
            Charset::Utf16Little => utf16(rest, u16::from_le_bytes, is_start),
            Charset::Utf32 => utf32(rest, u32::from_be_bytes, is_start),
            Charset::Utf32Little => utf32(rest, u32::from_le_bytes, is_start),
            Charset::Utf7 => self.utf7(rest),
            Charset::Iso2022 => self.iso2022(rest),
            Charset::Hz => self.hz(rest),
            Charset::Legacy(encoding) => one_character(encoding, rest),
            Charset::CodePage(number) => one_of_code_page(number, rest),
        }
    }

    fn utf7(&mut self, rest: &[u8]) -> Run {
        if self.is_shifted {
            return self.utf7_shifted(rest);
        }
        match rest {
            [b'+', b'-', ..] => Run::bytes(2, [b'+', 0, 0, 0], 1),
            [b'+', ..] => {
                (self.is_shifted, self.bits, self.bits_len, self.half) = (true, 0, 0, None);
                Run::nothing(1)
            }
            _ => Run::same(memchr::memchr(b'+', rest).unwrap_or(rest.len())),
        }
    }

    /// Decodes one character of modified base64, or its end.
    fn utf7_shifted(&mut self, rest: &[u8]) -> Run {
        for (at, byte) in rest.iter().enumerate() {
            let Some(value) = alphabet::value(*byte) else {
                self.is_shifted = false;
                let taken = at + usize::from(*byte == b'-');
                return if taken == 0 { self.utf7(rest) } else { Run::nothing(taken) };
            };
            self.bits = self.bits << 6 | u32::from(value);
            self.bits_len += 6;
            if self.bits_len >= 16 {
                self.bits_len -= 16;
                let [_, _, high, low] = (self.bits >> self.bits_len).to_be_bytes();
                self.bits &= (1 << self.bits_len) - 1;
                return self.unit(at + 1, u16::from_be_bytes([high, low]));
            }
        }
        Run::nothing(rest.len())
    }

    /// Decodes a unit of UTF-16 that was itself decoded from `taken` bytes.
    fn unit(&mut self, taken: usize, unit: u16) -> Run {
        if let Some(half) = self.half.take()
            && let Some(Ok(pair)) = char::decode_utf16([half, unit]).next()
        {
            return Run::character(taken, pair);
        }
        match char::decode_utf16([unit]).next() {
            Some(Ok(one)) => Run::character(taken, one),
            _ if unit < 0xDC00 => {
                self.half = Some(unit);
                Run::nothing(taken)
            }
            _ => Run::character(taken, char::REPLACEMENT_CHARACTER),
        }
    }

    /// Decodes ISO 2022: escapes designate the first set and the second; SO and SI shift to the
    /// second one and back. Each line begins in US-ASCII.
    fn iso2022(&mut self, rest: &[u8]) -> Run {
        match *rest {
            [0x1B, b'N', ref after @ ..] => self.third.once(after),
            [0x1B, b'O', ref after @ ..] => Set::Other.once(after),
            [0x1B, b'$', b')', set, ..] => {
                self.second = Set::named(set);
                Run::nothing(4)
            }
            [0x1B, b'$', b'*', _, ..] => self.choose_third(4, Set::Other),
            [0x1B, b'$', b'+' | b'-', _, ..] => Run::nothing(4),
            [0x1B, b'$', b'(', set, ..] => self.choose(4, Set::named(set)),
            [0x1B, b'$', set, ..] => self.choose(3, Set::named(set)),
            [0x1B, b'(', set, ..] => self.choose(3, Set::named_half(set)),
            [0x1B, b'*', set, ..] => self.choose_third(3, Set::named_half(set)),
            [0x1B, b'.', set, ..] => self.choose_third(3, Set::named_upper(set)),
            [0x1B, b')' | b'+' | b'-' | b'/', _, ..] => Run::nothing(3),
            [0x0E, ..] => self.shift(1, true),
            [0x0F, ..] => self.shift(1, false),
            [b'\n', ..] => {
                (self.first, self.third, self.is_shifted) = (Set::Ascii, Set::Other, false);
                Run::same(1)
            }
            _ => match (if self.is_shifted { self.second } else { self.first }, rest) {
                (Set::Ascii, _) => Run::same(1 + plain_len(rest)),
                (Set::Half(charset), [byte @ b'!'..=b'~', ..]) => half_character(charset, *byte),
                (Set::Half(_), _) => Run::same(1),
                (set, [first @ b' '..=b'~', second @ b' '..=b'~', ..]) => {
                    set.character(*first, *second)
                }
                _ => Run::same(1),
            },
        }
    }

    const fn choose(&mut self, taken: usize, set: Set) -> Run {
        self.first = set;
        Run::nothing(taken)
    }

    const fn choose_third(&mut self, taken: usize, set: Set) -> Run {
        self.third = set;
        Run::nothing(taken)
    }

    const fn shift(&mut self, taken: usize, is_shifted: bool) -> Run {
        self.is_shifted = is_shifted;
        Run::nothing(taken)
    }

    fn hz(&mut self, rest: &[u8]) -> Run {
        match rest {
            [b'~', b'{', ..] => self.shift(2, true),
            [b'~', b'}', ..] => self.shift(2, false),
            [b'~', b'~', ..] if !self.is_shifted => Run::bytes(2, [b'~', 0, 0, 0], 1),
            [b'~', b'\n', ..] if !self.is_shifted => Run::nothing(2),
            [b'\n', ..] => {
                self.is_shifted = false;
                Run::same(1)
            }
            [first @ b' '..=b'}', second @ b' '..=b'~', ..] if self.is_shifted => {
                self.second.character(*first, *second)
            }
            _ if self.is_shifted => Run::same(1),
            [_, after @ ..] => {
                Run::same(1 + memchr::memchr2(b'~', b'\n', after).unwrap_or(after.len()))
            }
            [] => Run::same(1),
        }
    }
}

/// Returns a run of US-ASCII, or of one other character.
fn one_character(encoding: &'static Encoding, rest: &[u8]) -> Run {
    /// Maximum length of a character in bytes (GB 18030).
    const CHARACTER_LEN_MAX: usize = 4;
    let plain = Encoding::ascii_valid_up_to(rest);
    if plain > 0 {
        return Run::same(plain);
    }
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut made = [0; 2 * CHARACTER_LEN_MAX];
    for (at, byte) in rest.iter().take(CHARACTER_LEN_MAX).enumerate() {
        let byte = std::slice::from_ref(byte);
        match decoder.decode_to_utf8_without_replacement(byte, &mut made, false) {
            (DecoderResult::InputEmpty, _, 0) => {}
            (DecoderResult::InputEmpty, _, len) => {
                let [first, second, third, fourth, ..] = made;
                return Run::bytes(at + 1, [first, second, third, fourth], len.min(4));
            }
            // Bytes that belong to the next character are read again with it.
            (DecoderResult::Malformed(_, after), read, _) => {
                let taken = (at + read).saturating_sub(usize::from(after));
                return Run::character(taken.max(1), char::REPLACEMENT_CHARACTER);
            }
            (DecoderResult::OutputFull, ..) => break,
        }
    }
    Run::character(rest.len().min(CHARACTER_LEN_MAX), char::REPLACEMENT_CHARACTER)
}

/// Returns a run of US-ASCII, or of one other character of a code page.
fn one_of_code_page(number: u16, rest: &[u8]) -> Run {
    let plain = Encoding::ascii_valid_up_to(rest);
    let (0, Some(byte)) = (plain, rest.first()) else { return Run::same(plain) };
    Run::character(1, pages::character(number, *byte).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// Returns the number of bytes after the first one of `rest` and before the next that shifts,
/// begins an escape or ends a line.
fn plain_len(rest: &[u8]) -> usize {
    let is_telling = |byte: &&u8| matches!(byte, 0x1B | 0x0E | 0x0F | b'\n');
    rest.iter().skip(1).take_while(|byte| !is_telling(byte)).count()
}

fn utf16(rest: &[u8], unit: impl Fn([u8; 2]) -> u16, is_start: bool) -> Run {
    let Some(first) = rest.first_chunk() else {
        return Run::character(rest.len(), char::REPLACEMENT_CHARACTER);
    };
    let second = rest.get(2..).and_then(<[u8]>::first_chunk).map(|pair| unit(*pair));
    match char::decode_utf16([unit(*first)].into_iter().chain(second)).next() {
        Some(Ok(MARK)) if is_start => Run::nothing(2),
        Some(Ok(one)) => Run::character(2 * one.len_utf16(), one),
        _ => Run::character(2, char::REPLACEMENT_CHARACTER),
    }
}

fn utf32(rest: &[u8], value: impl Fn([u8; 4]) -> u32, is_start: bool) -> Run {
    match rest.first_chunk().map(|bytes| char::from_u32(value(*bytes))) {
        Some(Some(MARK)) if is_start => Run::nothing(4),
        Some(Some(one)) => Run::character(4, one),
        Some(None) => Run::character(4, char::REPLACEMENT_CHARACTER),
        None => Run::character(rest.len(), char::REPLACEMENT_CHARACTER),
    }
}
