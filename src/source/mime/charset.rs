//! Text in a charset that must be decoded, run by run.
//!
//! Of ISO 2022 and HZ, the sets of Japan, Korea and the mainland of China are decoded, and those
//! of Latin and Greek of ISO-2022-JP-2; a character of any other set becomes U+FFFD, so that an
//! IRI ends before it.

use encoding_rs::{
    DecoderResult, EUC_JP, EUC_KR, Encoding, GBK, ISO_8859_7, SHIFT_JIS, WINDOWS_1252,
};
use oem_cp::code_table::DECODING_TABLE_CP_MAP;

use super::base64::alphabet;
use super::run::Run;
use crate::source::limits::SNIFF_LEN_MAX;

/// A charset that must be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// UTF-16 with a byte order mark, or big-endian (RFC 2781 §4.3).
    Utf16,
    /// UTF-16, least significant byte first.
    Utf16Little,
    /// UTF-32 with a byte order mark, or big-endian.
    Utf32,
    /// UTF-32, least significant byte first.
    Utf32Little,
    /// UTF-7 (RFC 2152).
    Utf7,
    /// ISO 2022 in any of its profiles (RFC 1468, RFC 1554, RFC 1557, RFC 1922).
    Iso2022,
    /// HZ (RFC 1843).
    Hz,
    /// One of before Unicode whose US-ASCII is US-ASCII (WHATWG Encoding §4).
    Legacy(&'static Encoding),
    /// One of DOS, by its number, whose US-ASCII is US-ASCII, too.
    CodePage(u16),
}

impl Charset {
    /// The charset of before Unicode called `label`. What claims to be US-ASCII is none,
    /// whatever is in it.
    #[must_use]
    pub fn legacy(label: &[u8]) -> Option<Self> {
        const ASCII: [&[u8]; 5] = [b"us-ascii", b"ascii", b"ansi_x3.4-1968", b"iso-ir-6", b"us"];
        if ASCII.iter().any(|name| name.eq_ignore_ascii_case(label.trim_ascii())) {
            return None;
        }
        let Some(encoding) = Encoding::for_label_no_replacement(label) else {
            return code_page(label);
        };
        let is_other = encoding == UTF_8 || encoding == X_USER_DEFINED;
        let is_one = encoding.is_ascii_compatible() && !is_other;
        is_one.then_some(Self::Legacy(encoding))
    }

    /// The charset called `label` that switches between sets in bytes of US-ASCII.
    #[must_use]
    pub(crate) fn switching(label: &[u8]) -> Option<Self> {
        find(label).filter(|found| matches!(found, Self::Iso2022 | Self::Hz))
    }

    /// The charset whose byte order mark `text` begins with, when it reads as text in that.
    #[must_use]
    pub(crate) fn by_mark(text: &[u8]) -> Option<Self> {
        let known = match text {
            [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => Self::Utf32,
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Self::Utf16,
            _ => return None,
        };
        let head = text.get(..SNIFF_LEN_MAX).unwrap_or(text);
        crate::source::charset::sniff(head).map(|_| known)
    }

    /// True when `text` can be scanned as it stands: no word that may be a URI has a byte in it
    /// that is no US-ASCII. Without a byte of zero, it holds no character of US-ASCII in UTF-16 or
    /// UTF-32, and so no URI: many a text that claims to be in them is in US-ASCII.
    pub(super) fn is_idle(self, text: &[u8]) -> bool {
        match self {
            Self::Legacy(encoding) => {
                text.is_ascii() || !may_hold_iri(encoding.is_single_byte(), text)
            }
            Self::CodePage(_) => text.is_ascii() || !may_hold_iri(true, text),
            Self::Utf16 | Self::Utf16Little | Self::Utf32 | Self::Utf32Little => {
                memchr::memchr(0, text).is_none()
            }
            Self::Utf7 | Self::Iso2022 | Self::Hz => false,
        }
    }
}

/// True when something beyond US-ASCII may be in a URI of `text`. Where the last byte of a letter
/// may look like one of US-ASCII, it may stand right before one, too, and columns count otherwise.
fn may_hold_iri(is_single_byte: bool, text: &[u8]) -> bool {
    let mut colons = memchr::memchr_iter(b':', text).filter(|at| is_behind_name(text, *at));
    let dots = [b"ww.", b"WW."].map(|dots| memmem::find_iter(text, dots));
    if is_single_byte {
        return holds_iri(text, colons) || dots.into_iter().any(|dots| holds_iri(text, dots));
    }
    colons.next().is_some() || dots.into_iter().any(|mut dots| dots.next().is_some())
}

/// True when what may end a scheme stands before the byte at `at`.
fn is_behind_name(text: &[u8], at: usize) -> bool {
    at.checked_sub(1).and_then(|before| text.get(before)).is_some_and(u8::is_ascii_alphanumeric)
}

/// True when something beyond US-ASCII stands behind one of `places`, in the same word. Each
/// byte is looked at once.
fn holds_iri(text: &[u8], places: impl Iterator<Item = usize>) -> bool {
    let ends_word = |byte: &u8| matches!(byte, 0..=b' ' | b'"' | b'<' | b'>');
    let mut passed = 0;
    for at in places {
        if at < passed {
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        let word = rest.iter().take_while(|byte| byte.is_ascii() && !ends_word(byte)).count();
        if rest.get(word).is_some_and(|byte| !byte.is_ascii()) {
            return true;
        }
        passed = at + word;
    }
    false
}

/// `label` without what people and programs write around it: blanks, quotes, a comment, the
/// language of an encoded word (RFC 2231 §5).
fn bare(label: &[u8]) -> &[u8] {
    let start = label.iter().take_while(|byte| !byte.is_ascii_alphanumeric()).count();
    let label = label.get(start..).unwrap_or_default();
    let is_of_label = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.:+".contains(byte);
    label.get(..label.iter().take_while(is_of_label).count()).unwrap_or_default()
}

/// The charset called `label`; none when it can be scanned as it stands.
#[must_use]
pub(super) fn find(label: &[u8]) -> Option<Charset> {
    let whole = bare(label);
    let mut label = whole.to_ascii_lowercase();
    label.retain(u8::is_ascii_alphanumeric);
    let label = label.strip_prefix(b"x").unwrap_or(&label);
    let label = label.strip_prefix(b"cs").unwrap_or(label);
    match label {
        b"utf16" | b"utf16be" | b"unicode" | b"iso10646ucs2" | b"ucs2" => Some(Charset::Utf16),
        b"utf16le" => Some(Charset::Utf16Little),
        b"utf32" | b"utf32be" | b"ucs4" | b"iso10646ucs4" => Some(Charset::Utf32),
        b"utf32le" => Some(Charset::Utf32Little),
        b"utf7" | b"unicode11utf7" | b"unicode20utf7" => Some(Charset::Utf7),
        b"hz" | b"hzgb2312" => Some(Charset::Hz),
        _ if label.starts_with(b"iso2022") => Some(Charset::Iso2022),
        _ => Charset::legacy(whole).or_else(|| Charset::legacy(usual(label)?.as_bytes())),
    }
}

/// The code page of DOS that `label` names by its number: `IBM850`, `cp-437`, `dos-862`, and as the
/// registry of IANA has some, `PC8-codepage437`.
fn code_page(label: &[u8]) -> Option<Charset> {
    const FAMILIES: [&str; 7] = ["ibm", "cp", "dos", "oem", "pc8codepage", "pcp", "pc"];
    let label: Vec<u8> =
        label.iter().filter(|byte| byte.is_ascii_alphanumeric()).copied().collect();
    let label = String::from_utf8(label).ok()?.to_ascii_lowercase();
    let label = label.strip_prefix('x').unwrap_or(&label);
    let label = label.strip_prefix("cs").unwrap_or(label);
    let number = FAMILIES.iter().find_map(|family| label.strip_prefix(family)).unwrap_or(label);
    let number = number.strip_suffix("multilingual").unwrap_or(number).parse().ok()?;
    DECODING_TABLE_CP_MAP.contains_key(&number).then_some(Charset::CodePage(number))
}

/// What WHATWG Encoding §4.2 calls a charset whose label has only letters and digits left, where
/// programs call it by what no specification of the Web knows: by the numbers of code pages, and
/// with other marks between.
fn usual(label: &[u8]) -> Option<String> {
    let name = match label {
        b"cp932" | b"ms932" | b"windows932" | b"shiftjis" => "shift_jis",
        // What Python calls them in headers ends in the names of countries.
        b"cp936" | b"ms936" | b"windows936" | b"euccn" | b"eucgb2312cn" => "gbk",
        b"cp949" | b"ms949" | b"windows949" | b"uhc" | b"ksc5601" => "euc-kr",
        b"cp950" | b"ms950" | b"big5" | b"big5hkscs" | b"big5eten" | b"big5tw" => "big5",
        b"cp874" | b"ms874" => "windows-874",
        b"ansi" => "windows-1252",
        b"macroman" => "macintosh",
        b"maccyrillic" => "x-mac-cyrillic",
        b"eucjp" => "euc-jp",
        b"tis620" => "tis-620",
        b"latin9" => "iso-8859-15",
        b"latin10" => "iso-8859-16",
        _ => {
            let label = std::str::from_utf8(label).ok()?;
            let ahead = ["iso8859", "8859", "latin", "windows125", "win125", "cp125", "ibm125"];
            let (family, number) = ahead
                .iter()
                .find_map(|family| label.strip_prefix(family).map(|number| (*family, number)))?;
            return Some(match family {
                "iso8859" | "8859" => format!("iso-8859-{number}"),
                "latin" => format!("latin{number}"),
                _ => format!("windows-125{number}"),
            });
        }
    };
    Some(name.to_owned())
}

/// The bit that tells the upper half of a charset from US-ASCII.
const UPPER: u8 = 0x80;

/// A set of characters that ISO 2022 or HZ switches to.
#[derive(Clone, Copy, Debug)]
enum Set {
    /// US-ASCII, or what hardly differs from it.
    Ascii,
    /// Two bytes a character: those of this charset, without their upper bits.
    Of(&'static Encoding),
    /// The supplement to that of Japan, JIS X 0212, which EUC-JP has behind a byte 8F.
    Supplement,
    /// One byte a character: the upper half of this charset, or a set that is not decoded.
    Half(Option<&'static Encoding>),
    /// A set that is not decoded, of two bytes a character.
    Other,
}

impl Set {
    /// The set of two bytes a character that the last byte of an escape names.
    const fn named(byte: u8) -> Self {
        match byte {
            b'@' | b'B' => Self::Of(EUC_JP),
            b'A' => Self::Of(GBK),
            b'C' => Self::Of(EUC_KR),
            b'D' => Self::Supplement,
            _ => Self::Other,
        }
    }

    /// The set of one byte a character that the last byte of an escape names. The upper half of
    /// Shift JIS begins with the katakana of JIS X 0201.
    const fn named_half(byte: u8) -> Self {
        match byte {
            b'B' | b'J' | b'H' => Self::Ascii,
            b'I' => Self::Half(Some(SHIFT_JIS)),
            _ => Self::Half(None),
        }
    }

    /// The set of 96 characters that the last byte of an escape names (RFC 1554).
    const fn named_upper(byte: u8) -> Self {
        match byte {
            b'A' => Self::Half(Some(WINDOWS_1252)),
            b'F' => Self::Half(Some(ISO_8859_7)),
            _ => Self::Half(None),
        }
    }

    /// An escape of two bytes and the one character behind it that is of this set. What is none
    /// stands for itself, so that no escape takes the end of a link.
    fn once(self, behind: &[u8]) -> Run {
        match (self, behind) {
            (Self::Half(charset), [byte @ b' '..=0x7F, ..]) => {
                half_character(charset, *byte).made_of(3)
            }
            (Self::Of(_) | Self::Supplement | Self::Other, [b'!'..=b'~', b'!'..=b'~', ..]) => {
                Run::character(4, char::REPLACEMENT_CHARACTER)
            }
            _ => Run::same(1),
        }
    }

    /// The character that `first` and `second` stand for.
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

/// The character that `byte` is in the upper half of `charset`.
fn half_character(charset: Option<&'static Encoding>, byte: u8) -> Run {
    match charset {
        Some(charset) => one_character(charset, &[byte | UPPER]),
        None => Run::character(1, char::REPLACEMENT_CHARACTER),
    }
}

/// What a decoder remembers of the text before.
#[derive(Clone, Debug)]
pub(super) struct State {
    charset: Charset,
    is_start: bool,
    /// True where bytes are no US-ASCII: between shifts.
    is_shifted: bool,
    /// The sets of ISO 2022, and of HZ: that of usual bytes, and the one between shifts.
    first: Set,
    second: Set,
    /// The set of ISO 2022 that an escape takes one character from. Its name counts for a line
    /// (RFC 1554, RFC 1922).
    third: Set,
    /// Bits of UTF-7 that are in no character yet, and how many.
    bits: u32,
    bits_len: u32,
    /// The first half of a pair of surrogates.
    half: Option<u16>,
}

/// True for UTF-16 whose blanks and line ends have their zeros behind: without a mark they should
/// stand before (RFC 2781 §4.3), but what writes none writes as its machine does. Zeros of other
/// characters say nothing: many a Chinese one has one behind.
fn seems_little(text: &[u8]) -> bool {
    /// Characters that are looked at: a page of a book, and its first blank.
    const COUNT_MAX: usize = 4096;
    let (pairs, _) = text.as_chunks::<2>();
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let near = || pairs.iter().take(COUNT_MAX);
    let big = near().filter(|[first, second]| *first == 0 && is_blank(second)).count();
    let little = near().filter(|[first, second]| *second == 0 && is_blank(first)).count();
    little > big && !text.starts_with(b"\xFE\xFF")
}

const MARK: char = '\u{FEFF}';

impl State {
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

    /// The run that `rest` begins with.
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

    /// One character of modified base64, or its end.
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

    /// A unit of UTF-16 that was made of `taken` bytes.
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

    /// ISO 2022: escapes choose the first set and the second, SO and SI shift to the second one
    /// and back. A line begins in US-ASCII.
    fn iso2022(&mut self, rest: &[u8]) -> Run {
        match *rest {
            [0x1B, b'N', ref behind @ ..] => self.third.once(behind),
            [0x1B, b'O', ref behind @ ..] => Set::Other.once(behind),
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
            [_, behind @ ..] => {
                Run::same(1 + memchr::memchr2(b'~', b'\n', behind).unwrap_or(behind.len()))
            }
            [] => Run::same(1),
        }
    }
}

/// A run of US-ASCII, or one character that is none.
fn one_character(encoding: &'static Encoding, rest: &[u8]) -> Run {
    /// Bytes of a character, at most (GB 18030).
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
            // What belongs to the next character is read once more with that.
            (DecoderResult::Malformed(_, behind), read, _) => {
                let taken = (at + read).saturating_sub(usize::from(behind));
                return Run::character(taken.max(1), char::REPLACEMENT_CHARACTER);
            }
            (DecoderResult::OutputFull, ..) => break,
        }
    }
    Run::character(rest.len().min(CHARACTER_LEN_MAX), char::REPLACEMENT_CHARACTER)
}

/// A run of US-ASCII, or one character of a code page that is none.
fn one_of_code_page(number: u16, rest: &[u8]) -> Run {
    let plain = Encoding::ascii_valid_up_to(rest);
    let (0, Some(byte)) = (plain, rest.first()) else { return Run::same(plain) };
    let table = DECODING_TABLE_CP_MAP.get(&number);
    let made = table.and_then(|table| table.decode_char_checked(*byte));
    Run::character(1, made.unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// Bytes behind the first one of `rest` up to the next that shifts or ends a line.
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
