//! The decoders of mail: each against a slow and obvious one, the way back from every byte of
//! the text, and messages that want to see a reader fall. What is found in whole messages is
//! the business of `mail`.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use linktrawl::Span;
use linktrawl::internal::source::mail::mime::{Charset, Coding, Source, decode, decode_source};

mod base64;
mod structure;

use crate::support::chance::Chance;
use structure::walk;

const CODINGS: [Coding; 18] = [
    Coding::Quoted,
    Coding::Base64,
    Coding::Flowed,
    Coding::Words,
    Coding::MarkedWords,
    Coding::Marked,
    Coding::Unfolded,
    Coding::Numbered,
    Coding::References,
    Coding::Charset(Charset::Utf16),
    Coding::Charset(Charset::Utf16Little),
    Coding::Charset(Charset::Utf32),
    Coding::Charset(Charset::Utf32Little),
    Coding::Charset(Charset::Utf7),
    Coding::Charset(Charset::Iso2022),
    Coding::Charset(Charset::Hz),
    Coding::Charset(Charset::Legacy(encoding_rs::WINDOWS_1252)),
    Coding::Charset(Charset::Legacy(encoding_rs::GB18030)),
];

impl Chance {
    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| u8::try_from(self.below(256)).expect("a byte")).collect()
    }

    /// Bytes and words that decoders turn on, and others.
    fn telling(&mut self, len: usize) -> Vec<u8> {
        const WORDS: [&[u8]; 33] = [
            b"=",
            b"=3D",
            b"=\n",
            b"= \r\n",
            b"==",
            b"\n",
            b"\r\n",
            b" ",
            b" \n",
            b"> ",
            b"-- \n",
            b"=?utf-8?Q?a_b?=",
            b"=?x?b?YWI=?=",
            b"?=",
            b"\x1B%/koi8-r?",
            b"\x1B%@",
            b"+AGgAdA-",
            b"+",
            b"~{",
            b"~}",
            b"~~",
            b"\x1B$B",
            b"\x1B(B",
            b"\x0E",
            b"\xFF\xFE",
            b"YWJj",
            b"&",
            b"&amp;",
            b"&#x2F",
            b"&NotEqualTilde;",
            b"; url*0=\"",
            b"\";url*1*= %62",
            b"url*0*=''",
        ];
        let mut out = Vec::new();
        while out.len() < len {
            match self.below(3) {
                0 => out.push(u8::try_from(self.below(256)).expect("a byte")),
                _ => out.extend_from_slice(WORDS[self.below(WORDS.len())]),
            }
        }
        out
    }
}

#[track_caller]
fn decodes(coding: Coding, text: &[u8], expected: &[u8]) {
    let decoded = decode(coding, text);
    assert_eq!(decoded.escape_ascii().to_string(), expected.escape_ascii().to_string());
}

// ---- quoted-printable ------------------------------------------------------------------

#[test]
fn soft_breaks_are_joined_and_escapes_resolved() {
    decodes(Coding::Quoted, b"http://a/b=\nc=3Dd=\r\ne", b"http://a/bc=de");
    decodes(Coding::Quoted, b"trailing blanks = \t\nof a break=  ", b"trailing blanks of a break");
    decodes(Coding::Quoted, b"=c3=a9=C3=89", b"\xC3\xA9\xC3\x89");
    decodes(Coding::Quoted, b"=XY a=1 =\x80 =\rx = b =", b"=XY a=1 =\x80 =\rx = b ");
}

/// The program that escaped it took the whole text for bytes, and the one that sent it ended its
/// lines once more.
#[test]
fn an_escaped_return_before_the_end_of_a_line_is_the_one_that_stands_there() {
    decodes(Coding::Quoted, b"a=0D\r\n =0d\r\nb", b"a\r\n \r\nb");
    decodes(Coding::Quoted, b"a=0D\nb=0Dc=0D", b"a\r\nb\rc\r");
    decodes(Coding::Quoted, b"a=0D=0A=\r\nb=0D=\r\n", b"a\r\nb\r");
}

fn slow_quoted(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let body = line.strip_suffix(b"\n").unwrap_or(line);
        let body = body.strip_suffix(b"\r").unwrap_or(body);
        let blanks = body.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let (line, is_soft) = match body[..body.len() - blanks].strip_suffix(b"=") {
            Some(kept) => (kept, true),
            None => (line, false),
        };
        let mut at = 0;
        while at < line.len() {
            let digits = line.get(at + 1..at + 3).and_then(|two| std::str::from_utf8(two).ok());
            let byte = digits
                .filter(|two| two.bytes().all(|byte| byte.is_ascii_hexdigit()))
                .and_then(|two| u8::from_str_radix(two, 16).ok());
            match byte {
                Some(byte) if line[at] == b'=' => {
                    out.push(byte);
                    at += 3;
                }
                _ => {
                    out.push(line[at]);
                    at += 1;
                }
            }
        }
        assert!(is_soft || !line.is_empty());
    }
    out
}

#[test]
fn quoted_printable_is_decoded_like_line_by_line() {
    let mut chance = Chance(1);
    for _ in 0..5000 {
        let len = 1 + chance.below(60);
        let mut text = chance.telling(len);
        // A soft break of a soft break is nobody's.
        while let Some(at) = memchr::memmem::find(&text, b"==") {
            text.remove(at);
        }
        let text: Vec<u8> = text.into_iter().filter(|byte| *byte != b'\r').collect();
        decodes(Coding::Quoted, &text, &slow_quoted(&text));
    }
}

// ---- charsets, words, lines that flow --------------------------------------------------

#[test]
fn utf_16_and_utf_32_are_decoded_in_both_orders() {
    let text = "\u{FEFF}http://é.example/\u{1F600}";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let expected = &text.as_bytes()[3..];
    decodes(Coding::Charset(Charset::Utf16), &little, expected);
    decodes(Coding::Charset(Charset::Utf16), &big, expected);
    decodes(Coding::Charset(Charset::Utf16Little), &little, expected);
    let little: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    let big: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
    decodes(Coding::Charset(Charset::Utf32), &little, expected);
    decodes(Coding::Charset(Charset::Utf32), &big, expected);
    decodes(Coding::Charset(Charset::Utf16), b"\0a\xD8\0\0b\0", "a\u{FFFD}b\u{FFFD}".as_bytes());
}

#[test]
fn utf_7_prints_the_examples_of_its_specification() {
    // RFC 2152, Examples.
    let utf7 = Coding::Charset(Charset::Utf7);
    decodes(utf7, b"A+ImIDkQ.", "A\u{2262}\u{0391}.".as_bytes());
    decodes(utf7, b"Hi Mom -+Jjo--!", "Hi Mom -\u{263A}-!".as_bytes());
    decodes(utf7, b"+ZeVnLIqe-", "\u{65E5}\u{672C}\u{8A9E}".as_bytes());
    decodes(utf7, b"Item 3 is +AKM-1.", "Item 3 is \u{A3}1.".as_bytes());
    decodes(utf7, b"http+ADoALwAv-a+-b/", b"http://a+b/");
    decodes(utf7, b"+2D3eAA-", "\u{1F600}".as_bytes());
}

/// The charsets of before Unicode (WHATWG Encoding §4.2) in which US-ASCII is US-ASCII.
const LEGACY: [&str; 34] = [
    "ibm866",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    "gbk",
    "gb18030",
    "big5",
    "euc-jp",
    "shift_jis",
    "euc-kr",
];

#[test]
fn legacy_charsets_are_decoded_character_by_character_as_at_once() {
    let mut chance = Chance(9);
    for label in LEGACY {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a charset");
        for len in 0..300 {
            let text = chance.bytes(len);
            let mut wanted = vec![0; 4 * len + 16];
            let mut decoder = encoding.new_decoder_without_bom_handling();
            let (_, _, written, _) = decoder.decode_to_utf8(&text, &mut wanted, true);
            decodes(Coding::Charset(Charset::Legacy(encoding)), &text, &wanted[..written]);
        }
    }
}

/// The codings of a body in the charset called `label`.
fn codings_of(label: &str, text: &[u8]) -> Vec<Coding> {
    let head = format!("Content-Type: text/plain; charset={label}\n\n").into_bytes();
    let found = walk(&[&head, text].concat());
    found.list.last().expect("a body").codings.clone()
}

#[test]
fn a_legacy_charset_is_decoded_where_it_may_hold_an_iri() {
    let legacy = |encoding| vec![Coding::Charset(Charset::Legacy(encoding))];
    for text in [&b"http://h/caf\xE9"[..], b"\xE9 mailto:a\xE9", b"see <WWW.b\xFCcher.de>"] {
        assert_eq!(codings_of("iso-8859-1", text), legacy(encoding_rs::WINDOWS_1252));
        assert_eq!(codings_of("KOI8-R", text), legacy(encoding_rs::KOI8_R));
        for label in
            ["us-ascii", "utf-8", "UTF8", "ASCII", "unknown-8bit", "x-user-defined", "\"\""]
        {
            assert_eq!(codings_of(label, text), [], "{label}");
        }
    }
    for text in [&b"http://h/ caf\xE9"[..], b"caf\xE9: <http://h/>\xE9", b"\xE9http://h/", b""] {
        let text = [b"\n", text].concat();
        assert_eq!(codings_of("iso-8859-1", &text), [], "{}", text.escape_ascii());
    }
}

#[test]
fn code_pages_of_dos_are_called_in_many_ways() {
    let text = b"see http://h/caf\x82";
    for (label, number) in [
        ("IBM437", 437),
        ("cp850", 850),
        ("850", 850),
        ("dos-862", 862),
        ("x-cp852", 852),
        ("csPC8CodePage437", 437),
        ("csPC850Multilingual", 850),
        ("PCp852", 852),
        ("CP-00858", 858),
    ] {
        let coding = Coding::Charset(Charset::CodePage(number));
        assert_eq!(codings_of(label, text), [coding], "{label}");
        if number != 862 {
            decodes(coding, text, "see http://h/café".as_bytes());
        }
        assert_eq!(codings_of(label, b"caf\x82"), [], "{label}");
    }
    let hebrew = Coding::Charset(Charset::CodePage(862));
    decodes(hebrew, b"\x80a\x99\xFF", "\u{5D0}a\u{5E9}\u{A0}".as_bytes());
    decodes(Coding::Charset(Charset::CodePage(857)), b"\xD5a", "\u{FFFD}a".as_bytes());
    for label in ["cp1", "ibm037", "cp99999", "dos", "cp", "x-mac-ce", "cp-437-8"] {
        assert_eq!(codings_of(label, text), [], "{label}");
    }
}

#[test]
fn shifted_charsets_show_what_they_shift_to() {
    let iso = Coding::Charset(Charset::Iso2022);
    decodes(iso, b"a\x1B$B:!:/\x1B(Bhttp://b/", "a\u{6B64}\u{75D5}http://b/".as_bytes());
    decodes(iso, b"\x1B$(D0!\x1B(Bhttp://b/", "\u{4E02}http://b/".as_bytes());
    decodes(iso, b"\x1B$)C\x0E:!\x0Fhttp://b/", "\u{BC99}http://b/".as_bytes());
    decodes(iso, b"\x1B$A0!\x1B(J0!", "\u{554A}0!".as_bytes());
    decodes(iso, b"\x1B$B:!\n:!\x0E:!\n:!", "\u{6B64}\n:!\u{FFFD}\n:!".as_bytes());
    // A set of Taiwan, and no character of the set.
    decodes(iso, b"\x1B$)G\x0E:!\x0Fhttp://b/", "\u{FFFD}http://b/".as_bytes());
    decodes(iso, b"\x1B$B)!  \x1B(Ba", "\u{FFFD}\u{FFFD}a".as_bytes());
    let hz = Coding::Charset(Charset::Hz);
    decodes(hz, b"~{<:!!~}http://b/~~c", "\u{5DF1}\u{3000}http://b/~c".as_bytes());
}

/// RFC 1554 names sets of 96 characters for a line, of one byte each.
#[test]
fn a_single_shift_takes_one_character_of_the_set_that_is_named() {
    let iso = Coding::Charset(Charset::Iso2022);
    decodes(iso, b"\"http://h/\x1B.A\x1BNi\">", "\"http://h/é\">".as_bytes());
    decodes(iso, b"\x1B.F\x1BNaa\x1BN", "αa\x1BN".as_bytes());
    decodes(iso, b"\x1B.Z\x1BNaa", "\u{FFFD}a".as_bytes());
    decodes(iso, b"\x1B$*H\x1BNaba", "\u{FFFD}a".as_bytes());
    decodes(iso, b"\x1B.A\n\x1BNaba", "\n\u{FFFD}a".as_bytes());
    decodes(iso, b"\x1B.A\x1BN\na\x1B$*H\x1BNa\n", b"\x1BN\na\x1BNa\n");
}

#[test]
fn a_set_of_single_bytes_takes_one_for_each_character() {
    let iso = Coding::Charset(Charset::Iso2022);
    decodes(iso, b"http://h/\x1B(IA\x1B(B/q", "http://h/ﾁ/q".as_bytes());
    decodes(iso, b"\x1B(I!_`~ \x1B(Ba", "\u{FF61}\u{FF9F}\u{FFFD}\u{FFFD} a".as_bytes());
    decodes(iso, b"\x1B(Zabc\x1B(Ba", "\u{FFFD}\u{FFFD}\u{FFFD}a".as_bytes());
}

/// Bytes of two that `encoding` has for characters, without their upper bits, and what they say.
fn shifted(encoding: &'static encoding_rs::Encoding, chance: &mut Chance) -> (Vec<u8>, String) {
    let (mut bytes, mut text) = (Vec::new(), String::new());
    while text.chars().count() < 4 {
        let mut byte = || u8::try_from(0x21 + chance.below(0x5D)).expect("a byte of a set");
        let pair = [byte(), byte()];
        let (mut decoder, mut said) = (encoding.new_decoder_without_bom_handling(), [0; 8]);
        let upper = pair.map(|byte| byte | 0x80);
        let made = decoder.decode_to_utf8_without_replacement(&upper, &mut said, true);
        let said = std::str::from_utf8(&said[..made.2]).expect("UTF-8");
        if made.0 == encoding_rs::DecoderResult::InputEmpty && said.chars().count() == 1 {
            bytes.extend(pair);
            text.push_str(said);
        }
    }
    (bytes, text)
}

#[test]
fn what_is_shifted_is_what_it_is_in_eight_bits() {
    use encoding_rs::{EUC_JP, EUC_KR, GBK};
    let iso = Coding::Charset(Charset::Iso2022);
    let hz = Coding::Charset(Charset::Hz);
    let ways: [(Coding, _, &[u8], &[u8]); 4] = [
        (iso, EUC_JP, b"\x1B$B", b"\x1B(B"),
        (iso, EUC_KR, b"\x1B$)C\x0E", b"\x0F"),
        (iso, GBK, b"\x1B$)A\x0E", b"\x0F"),
        (hz, GBK, b"~{", b"~}"),
    ];
    let mut chance = Chance(7);
    for _ in 0..500 {
        for (coding, encoding, open, close) in ways {
            let (bytes, said) = shifted(encoding, &mut chance);
            let text = [b"http://h/", open, &bytes, close, b" b"].concat();
            decodes(coding, &text, format!("http://h/{said} b").as_bytes());
        }
    }
}

#[test]
fn encoded_words_are_decoded_and_joined() {
    decodes(Coding::Words, b"S: =?utf-8?Q?http=3A//a/_b?=", b"S: http://a/ b");
    decodes(Coding::Words, b"S: =?utf-8?B?aHR0cDovL2Ev?=\n =?utf-8?q?b?= c", b"S: http://a/b c");
    decodes(Coding::Words, b"S: =?a?b?= =?x?Z?y?= ?=", b"S: =?a?b?= =?x?Z?y?= ?=");
    decodes(Coding::Words, b"=?utf-8?q?open", b"=?utf-8?q?open");
    decodes(Coding::Unfolded, b"URL=\"http://a/\n  b\"\n", b"URL=\"http://a/b\"");
}

#[test]
fn a_url_in_numbered_parameters_is_joined() {
    let numbered = |field: &[u8], expected: &[u8]| decodes(Coding::Numbered, field, expected);
    numbered(b"x; URL*0=\"ftp://\";\n URL*1=\"a.b/c\n d\"; e=f\n", b"x;URL*0=\"ftp://a.b/cd\";e=f");
    numbered(b"x; url*1=b; (;) url*0=\"ftp://a/\" ; e", b"x;url*1=ftp://a/b\";e");
    numbered(b"x; url*0=\"ftp://a/\"; url*1*=%62%2G; e", b"x;url*0=\"ftp://a/b%2G e");
    numbered(b"x; url*0*=us-ascii''ftp://a/%20b", b"x;url*0*=ftp://a/b");
    numbered(b"x; url=\"ftp://a/\n b\"; url*0=c", b"x;url=\"ftp://a/b\";url*0=c");
    numbered(b"x; url*0=\"\"; url*1= y", b"x;url*0=\"y");
    numbered(b"x; y=\"url*0=z\"", b"x;y=\"url*0=z\"");
}

#[test]
fn lines_flow_when_their_blank_is_to_be_deleted() {
    decodes(Coding::Flowed, b"http://a/ \nb c\n", b"http://a/b c\n");
    decodes(Coding::Flowed, b"> http://a/ \r\n> b\r\n>> c \n> d", b"> http://a/b\r\n>> c \n> d");
    decodes(Coding::Flowed, b"-- \nname\na \n b \n  c", b"-- \nname\nab c");
}

#[test]
fn references_are_resolved() {
    let references = Coding::References;
    decodes(references, b"&lt;URL:http:&#x2F;/h/?a&amp;b&#38c&gt", b"<URL:http://h/?a&b&c>");
    decodes(references, b"a&copy=1&&;&unknown;&eacute;", "a&copy=1&&;&unknown;\u{E9}".as_bytes());
    decodes(references, b"a&ampb=1&eacutex&copy=2", "a&b=1\u{E9}x&copy=2".as_bytes());
    decodes(
        references,
        b"<a b=\"?&ampb=1&eacutex\">&eacutex",
        "<a b=\"?&ampb=1&eacutex\">\u{E9}x".as_bytes(),
    );
    // Two characters that take six bytes.
    decodes(references, b"&fjlig;&vnsub;&bne;", "fj&vnsub;=\u{20E5}".as_bytes());
}

// ---- the way back ----------------------------------------------------------------------

/// Every byte of the text came from a run of the source that gives it again.
#[track_caller]
fn leads_back(coding: Coding, text: &[u8]) {
    let decoded = decode(coding, text);
    let (_, mut starts) = decode_source(coding, Source::Input(text));
    let mut ends = starts.clone();
    let mut found = Vec::new();
    for (at, byte) in decoded.iter().enumerate() {
        let span = Span::new(starts.start_of(at), ends.end_of(at));
        let before = found.last().copied().unwrap_or_default();
        assert!(before <= span.start && span.start < span.end && span.end <= text.len());
        found.push(span.start);
        let source = span.of(text);
        let is_same = source == [*byte];
        let is_escape = source.len() == 3 && decode(coding, source) == [*byte];
        let is_other = !matches!(coding, Coding::Quoted | Coding::Flowed | Coding::Unfolded);
        assert!(is_same || is_escape || is_other, "byte {at} of {}", text.escape_ascii());
    }
    // Asked for a few only, the answers are the same.
    let (_, mut rarely) = decode_source(coding, Source::Input(text));
    for (at, start) in found.iter().enumerate().step_by(7) {
        assert_eq!(rarely.start_of(at), *start);
    }
}

#[test]
fn every_byte_leads_back_to_what_made_it() {
    let mut chance = Chance(3);
    for round in 0..4000 {
        let len = chance.below(80);
        let text = if round % 2 == 0 { chance.telling(len) } else { chance.bytes(len) };
        for coding in CODINGS {
            leads_back(coding, &text);
        }
    }
}

#[test]
fn base64_leads_back_to_the_characters_that_hold_the_byte() {
    let mut chance = Chance(4);
    for len in 1..300 {
        let bytes = chance.bytes(len);
        let text = data_encoding::BASE64_MIME.encode(&bytes);
        let (_, mut replay) = decode_source(Coding::Base64, Source::Input(text.as_bytes()));
        // 57 bytes a line, and two bytes of line end after 76 characters.
        for at in (0..len - len % 3).step_by(1) {
            let group = at / 3 * 4;
            let expected = group + at % 3 + group / 76 * 2;
            assert_eq!(replay.start_of(at), expected, "{at} of {len}");
        }
    }
}

#[test]
fn a_run_of_bytes_in_one_line_is_decoded_at_once() {
    let text = "QUJD".repeat(1_000_000);
    decodes(Coding::Base64, text.as_bytes(), "ABC".repeat(1_000_000).as_bytes());
    let blanks = "=".repeat(1_000_000);
    assert_eq!(decode(Coding::Quoted, blanks.as_bytes()).len(), 999_999);
}
