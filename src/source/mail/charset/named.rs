//! Finds charsets by their labels. Those in which bytes of US-ASCII may mean something else are
//! UTF-16, UTF-32, UTF-7, the ISO 2022 family, and HZ. The others are legacy charsets, which extend
//! US-ASCII and are scanned undecoded where they contain no IRI. RFC 3987 defines IRIs as
//! characters, so an IRI in ISO 8859 or EUC is decoded.
//!
//! Many programs write UTF-8 under the label of a charset of one byte a character. Text in such a
//! charset is hardly ever valid UTF-8, so that text which is, and reads wrongly in the charset, is
//! not decoded.

use std::borrow::Cow;

use encoding_rs::{
    BIG5, EUC_KR, Encoding, GBK, KOI8_R, SHIFT_JIS, UTF_8, WINDOWS_874, WINDOWS_1250, WINDOWS_1251,
    WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257,
    X_USER_DEFINED,
};
use memchr::memmem;

use super::pages;

/// Length in bytes of the beginning of a text with a byte order mark that must read as text.
const HEAD_LEN_MAX: usize = 8 * 1024;

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
    /// A legacy charset that extends US-ASCII (WHATWG Encoding §4).
    Legacy(&'static Encoding),
    /// A code page of DOS, by its number, which extends US-ASCII, too.
    CodePage(u16),
}

impl Charset {
    /// Returns the charset called `label`; `None` if it needs no decoding, or is not known.
    #[must_use]
    pub(in crate::source) fn find(label: &[u8]) -> Option<Self> {
        let whole = bare(label);
        let mut label = whole.to_ascii_lowercase();
        label.retain(u8::is_ascii_alphanumeric);
        let label = label.strip_prefix(b"x").unwrap_or(&label);
        let label = label.strip_prefix(b"cs").unwrap_or(label);
        match label {
            b"utf16" | b"utf16be" | b"unicode" | b"iso10646ucs2" | b"ucs2" => Some(Self::Utf16),
            b"utf16le" => Some(Self::Utf16Little),
            b"utf32" | b"utf32be" | b"ucs4" | b"iso10646ucs4" => Some(Self::Utf32),
            b"utf32le" => Some(Self::Utf32Little),
            b"utf7" | b"unicode11utf7" | b"unicode20utf7" => Some(Self::Utf7),
            b"hz" | b"hzgb2312" => Some(Self::Hz),
            // Names of PHP, Java and Emacs for ISO-2022-JP with further sets.
            b"cp50220" | b"cp50221" | b"cp50222" | b"windows50220" | b"windows50221"
            | b"windowsiso2022jp" => Some(Self::Iso2022),
            _ if label.starts_with(b"iso2022") => Some(Self::Iso2022),
            _ => Self::legacy(whole).or_else(|| Self::legacy(usual(label)?.as_bytes())),
        }
    }

    /// Returns the legacy charset called `label`; `None` for a label of US-ASCII, whatever the text
    /// contains.
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

    /// Returns the charset called `label`, if it switches between sets within bytes of US-ASCII.
    #[must_use]
    pub(crate) fn switching(label: &[u8]) -> Option<Self> {
        Self::find(label).filter(|found| matches!(found, Self::Iso2022 | Self::Hz))
    }

    /// Returns the charset whose byte order mark `text` begins with, if `text` reads as text in it.
    #[must_use]
    pub(crate) fn by_mark(text: &[u8]) -> Option<Self> {
        let known = match text {
            [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => Self::Utf32,
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Self::Utf16,
            _ => return None,
        };
        let head = text.get(..HEAD_LEN_MAX).unwrap_or(text);
        super::sniff(head).map(|_| known)
    }

    /// Returns the charsets that text may be in if it declares none, or a wrong one, and is not
    /// UTF-8; the most frequent ones first.
    #[must_use]
    pub fn likely() -> [Self; 14] {
        [
            WINDOWS_1252,
            WINDOWS_1251,
            KOI8_R,
            WINDOWS_1250,
            WINDOWS_1254,
            WINDOWS_1253,
            WINDOWS_1255,
            WINDOWS_1256,
            WINDOWS_1257,
            WINDOWS_874,
            GBK,
            BIG5,
            SHIFT_JIS,
            EUC_KR,
        ]
        .map(Self::Legacy)
    }

    /// Reports whether the label of this charset says little: it is the default of many programs,
    /// whatever they write.
    #[must_use]
    pub fn is_vague(self) -> bool {
        self == Self::Legacy(WINDOWS_1252)
    }

    /// Returns `text`, which a legacy charset encodes. Text in other charsets is decoded earlier,
    /// and is UTF-8 here.
    #[must_use]
    pub fn text(self, text: &[u8]) -> Cow<'_, str> {
        let in_page = |number: u16, byte: u8| match byte {
            ..0x80 => char::from(byte),
            _ => pages::character(number, byte).unwrap_or(char::REPLACEMENT_CHARACTER),
        };
        match self {
            Self::Legacy(encoding) if !is_utf8(encoding, text) => {
                encoding.decode_without_bom_handling(text).0
            }
            Self::CodePage(number) => text.iter().map(|byte| in_page(number, *byte)).collect(),
            _ => String::from_utf8_lossy(text),
        }
    }

    /// Reports whether `text`, which declares this charset, is UTF-8 instead.
    pub(in crate::source) fn is_belied(self, text: &[u8]) -> bool {
        matches!(self, Self::Legacy(encoding) if is_utf8(encoding, text))
    }

    /// Reports whether `text` can be scanned undecoded: no word that may be a URI contains a byte
    /// outside of US-ASCII. Without a zero byte, text in UTF-16 or UTF-32 contains no character of
    /// US-ASCII, and so no URI: many a text that is declared as such is US-ASCII.
    pub(in crate::source) fn is_idle(self, text: &[u8]) -> bool {
        match self {
            Self::Legacy(encoding) => {
                text.is_ascii()
                    || !may_hold_iri(encoding.is_single_byte(), text)
                    || is_utf8(encoding, text)
            }
            Self::CodePage(_) => text.is_ascii() || !may_hold_iri(true, text),
            Self::Utf16 | Self::Utf16Little | Self::Utf32 | Self::Utf32Little => {
                memchr::memchr(0, text).is_none()
            }
            Self::Utf7 | Self::Iso2022 | Self::Hz => false,
        }
    }
}

/// Reports whether `text`, which is declared to be in `encoding`, is UTF-8: all of it is valid, but
/// for a character that its end cuts, and it reads wrongly in a charset of one byte a character.
///
/// A single pair of a capital letter and a mark may be either, as `É»` is, so that one more must
/// occur, or a character that would be three letters or marks, a control, or begin with Ã, Â, Ð or
/// Ñ, as most of the languages of Europe have it.
fn is_utf8(encoding: &'static Encoding, text: &[u8]) -> bool {
    if !encoding.is_single_byte() {
        return false;
    }
    let valid = match std::str::from_utf8(text) {
        Ok(valid) => valid,
        Err(error) if error.error_len().is_none() => {
            let valid = text.get(..error.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(valid).unwrap_or_default()
        }
        Err(_) => return false,
    };
    let mut others = valid.chars().filter(|character| !character.is_ascii());
    let Some(first) = others.next() else { return false };
    let is_telling = |character: char| {
        let mut bytes = [0; 4];
        let bytes = character.encode_utf8(&mut bytes).as_bytes();
        let is_mark = matches!(bytes, [0xC2 | 0xC3 | 0xD0 | 0xD1, _]);
        let read = || encoding.decode_without_bom_handling(bytes).0;
        bytes.len() > 2 || is_mark || read().chars().any(char::is_control)
    };
    is_telling(first) || others.next().is_some()
}

/// Reports whether a URI of `text` may contain characters beyond US-ASCII. In multi-byte charsets
/// any sign of a URI suffices: the last byte of a character may look like US-ASCII and directly
/// precede the URI, and columns differ.
fn may_hold_iri(is_single_byte: bool, text: &[u8]) -> bool {
    let mut colons = memchr::memchr_iter(b':', text).filter(|at| is_after_name(text, *at));
    let dots = [b"ww.", b"WW."].map(|dots| memmem::find_iter(text, dots));
    if is_single_byte {
        return holds_iri(text, colons) || dots.into_iter().any(|dots| holds_iri(text, dots));
    }
    colons.next().is_some() || dots.into_iter().any(|mut dots| dots.next().is_some())
}

/// Reports whether a byte that may end a scheme precedes the one at `at`.
fn is_after_name(text: &[u8], at: usize) -> bool {
    at.checked_sub(1).and_then(|before| text.get(before)).is_some_and(u8::is_ascii_alphanumeric)
}

/// Reports whether a byte beyond US-ASCII follows one of `places` in the same word. Each byte is
/// examined once.
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

/// Returns `label` without the additions of people and programs: blanks, quotes, a comment, the
/// language of an encoded word (RFC 2231 §5).
fn bare(label: &[u8]) -> &[u8] {
    let start = label.iter().take_while(|byte| !byte.is_ascii_alphanumeric()).count();
    let label = label.get(start..).unwrap_or_default();
    let is_of_label = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.:+".contains(byte);
    label.get(..label.iter().take_while(is_of_label).count()).unwrap_or_default()
}

/// Returns the code page of DOS that `label` names by its number: `IBM850`, `cp-437`, `dos-862`,
/// and as in the registry of IANA, `PC8-codepage437`.
fn code_page(label: &[u8]) -> Option<Charset> {
    const FAMILIES: [&str; 7] = ["ibm", "cp", "dos", "oem", "pc8codepage", "pcp", "pc"];
    let label: Vec<u8> =
        label.iter().filter(|byte| byte.is_ascii_alphanumeric()).copied().collect();
    let label = String::from_utf8(label).ok()?.to_ascii_lowercase();
    let label = label.strip_prefix('x').unwrap_or(&label);
    let label = label.strip_prefix("cs").unwrap_or(label);
    let number = FAMILIES.iter().find_map(|family| label.strip_prefix(family)).unwrap_or(label);
    let number = number.strip_suffix("multilingual").unwrap_or(number).parse().ok()?;
    pages::is_known(number).then_some(Charset::CodePage(number))
}

/// Returns the name in WHATWG Encoding §4.2 of a charset whose label is reduced to letters and
/// digits, for labels that no specification of the Web knows: numbers of code pages, and variants
/// with other punctuation.
fn usual(label: &[u8]) -> Option<String> {
    let name = match label {
        b"cp932" | b"ms932" | b"windows932" | b"shiftjis" | b"sjiswin" => "shift_jis",
        // Python's names for these in headers end in names of countries.
        b"cp936" | b"ms936" | b"windows936" | b"euccn" | b"eucgb2312cn" => "gbk",
        b"cp949" | b"ms949" | b"windows949" | b"uhc" | b"ksc5601" => "euc-kr",
        b"cp950" | b"ms950" | b"big5" | b"big5hkscs" | b"big5eten" | b"big5tw" => "big5",
        b"cp874" | b"ms874" => "windows-874",
        b"ansi" => "windows-1252",
        b"macroman" => "macintosh",
        b"maccyrillic" => "x-mac-cyrillic",
        b"eucjp" | b"eucjpms" | b"eucjpwin" | b"cp51932" => "euc-jp",
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

#[cfg(test)]
mod tests {
    use super::Charset;

    #[test]
    fn valid_utf8_belies_a_charset_of_one_byte_a_character() {
        let latin = Charset::find(b"iso-8859-1").unwrap();
        assert!(latin.is_belied("caf\u{E9} \u{5DF4}\u{9ECE}".as_bytes()));
        assert!(!latin.is_belied(b"caf\xE9 cr\xE8me"));
        assert!(!latin.is_belied(b"cafe"));
        assert!(!Charset::find(b"shift_jis").unwrap().is_belied("\u{5DF4}".as_bytes()));
    }

    #[test]
    fn charsets_of_japan_have_many_names() {
        for label in ["cp50220", "CP50221", "x-windows-50221", "x-windows-iso2022jp"] {
            assert_eq!(Charset::find(label.as_bytes()), Some(Charset::Iso2022), "{label}");
        }
        let found = Charset::find(b"euc-jp");
        for label in ["eucJP-ms", "eucJP-win", "cp51932"] {
            assert_eq!(Charset::find(label.as_bytes()), found, "{label}");
        }
    }

    #[track_caller]
    fn reads(label: &str, bytes: &[u8], text: &str, is_utf8: bool) {
        let charset = Charset::legacy(label.as_bytes()).unwrap();
        assert_eq!(charset.text(bytes), text, "{label}");
        let uri = [b"https://h.example/", bytes].concat();
        assert_eq!(charset.is_idle(&uri), is_utf8, "{label} {text}");
    }

    #[test]
    fn text_is_not_decoded_from_a_charset_of_one_byte_if_it_is_utf8() {
        for label in ["iso-8859-1", "iso-8859-15", "windows-1251", "windows-1252", "koi8-r"] {
            for text in ["\u{F6}l", "\u{5DF4}\u{9ECE}", "\u{43C}\u{43E}", "\u{AB}a\u{BB}"] {
                reads(label, text.as_bytes(), text, true);
            }
        }
        // The end cuts a character.
        assert!(Charset::legacy(b"latin1").unwrap().is_idle(b"http://h.example/\xC3\xB6\xC3"));
        reads("iso-8859-1", b"\xF6l", "\u{F6}l", false);
        reads("iso-8859-1", b"CAF\xC9\xBB", "CAF\u{C9}\u{BB}", false);
        reads("iso-8859-1", b"\xC3\xA9 \xE9.", "\u{C3}\u{A9} \u{E9}.", false);
        reads(
            "windows-1251",
            b"\xEC\xEE\xF1\xEA\xE2\xE0",
            "\u{43C}\u{43E}\u{441}\u{43A}\u{432}\u{430}",
            false,
        );
        // Two bytes a character may be UTF-8 by chance.
        reads("gbk", b"\xC2\xA4", "\u{9647}", false);
    }
}
