//! The decoders of mail: each against a slow and obvious one, the way back from every byte of
//! the text, and messages that want to see a reader fall. What is found in whole messages is
//! the business of `mail`.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use linktrawl::Span;
use linktrawl::source::mime::{
    Charset, Coding, Content, Edge, Omission, Section, Sections, Source, Walk, decode,
    decode_source,
};

mod chance;

use chance::Chance;

const CODINGS: [Coding; 16] = [
    Coding::Quoted,
    Coding::Base64,
    Coding::Flowed,
    Coding::Words,
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
        const WORDS: [&[u8]; 31] = [
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

// ---- base64 ----------------------------------------------------------------------------

#[test]
fn base64_is_decoded_with_what_people_do_to_it() {
    decodes(Coding::Base64, b"aHR0cDovL2E=\n", b"http://a\n");
    decodes(Coding::Base64, b"aHR0cDov\r\nL2Ev\r\n", b"http://a/");
    decodes(Coding::Base64, b"aHR 0cD\novL2E", b"http://a");
    decodes(Coding::Base64, b"YQ", b"a");
    decodes(Coding::Base64, b"YWI=", b"ab");
    decodes(Coding::Base64, b"YQ= =\nfooter http://f/", b"a\nfooter http://f/");
    decodes(Coding::Base64, b"YWJj\n____\nhttp://f/\n", b"abc\n____\nhttp://f/\n");
    decodes(Coding::Base64, b"YW!Jj\nYWJj", b"abcabc");
    decodes(Coding::Base64, b"Y", b"");
    decodes(Coding::Base64, b"", b"");
}

#[test]
fn base64_is_decoded_like_by_another_decoder() {
    let mut chance = Chance(2);
    for len in 0..600 {
        let bytes = chance.bytes(len);
        let mime = data_encoding::BASE64_MIME.encode(&bytes);
        decodes(Coding::Base64, mime.trim_end().as_bytes(), &bytes);
        let width = 1 + chance.below(90);
        let plain = data_encoding::BASE64_NOPAD.encode(&bytes);
        let lines: Vec<&str> = plain
            .as_bytes()
            .chunks(width)
            .map(|line| std::str::from_utf8(line).expect("base64"))
            .collect();
        decodes(Coding::Base64, lines.join("\n").as_bytes(), &bytes);
    }
}

/// A source in base64, what it is to become, and for each byte of that where in the source the
/// characters stand that hold it.
#[derive(Default)]
struct Mixed {
    source: Vec<u8>,
    decoded: Vec<u8>,
    places: Vec<Span>,
}

impl Mixed {
    /// Appends `text` in lines of base64 of `width` letters, with what `damage` puts into each
    /// before the letter that it is told.
    fn code(&mut self, text: &[u8], width: usize, mut damage: impl FnMut(usize) -> &'static [u8]) {
        let letters = data_encoding::BASE64_NOPAD.encode(text);
        let mut places = Vec::new();
        for (at, letter) in letters.bytes().enumerate() {
            if at > 0 && at % width == 0 {
                self.source.push(b'\n');
            }
            let tail = letters.len() - at + at % width < width.min(16);
            if !tail {
                self.source.extend_from_slice(damage(at % width));
            }
            places.push(self.source.len());
            self.source.push(letter);
        }
        for at in 0..text.len() {
            let first = at / 3 * 4 + at % 3;
            self.places.push(Span::new(places[first], places[first + 1] + 1));
        }
        self.decoded.extend_from_slice(text);
        self.source.push(b'\n');
    }

    /// Appends text that is not coded. Behind base64 it begins a line.
    fn write(&mut self, text: &[u8]) {
        if self.decoded.last().is_some_and(|last| *last != b'\n') {
            self.decoded.push(b'\n');
            self.places.push(Span::new(self.source.len() - 1, self.source.len()));
        }
        for byte in text {
            self.places.push(Span::new(self.source.len(), self.source.len() + 1));
            self.source.push(*byte);
            self.decoded.push(*byte);
        }
    }

    #[track_caller]
    fn holds(&self) {
        decodes(Coding::Base64, &self.source, &self.decoded);
        let way = || decode_source(Coding::Base64, Source::Input(&self.source)).1;
        let (mut starts, mut ends) = (way(), way());
        for (at, place) in self.places.iter().enumerate() {
            let span = Span::new(starts.start_of(at), ends.end_of(at));
            assert!(span.start <= place.start && place.end <= span.end, "byte {at}: {span:?}");
            // All of a group that is broken leads to the group, and that may be on two lines.
            let is_exact = span == *place || span.end - span.start <= place.end - place.start + 16;
            assert!(is_exact, "byte {at}: {span:?} is not {place:?}");
        }
        leads_back(Coding::Base64, &self.source);
    }
}

/// Printable text of `len` bytes, with a line end here and there.
fn printable(chance: &mut Chance, len: usize) -> Vec<u8> {
    let byte = |chance: &mut Chance| match chance.below(20) {
        0 => b'\n',
        _ => b' ' + u8::try_from(chance.below(95)).expect("US-ASCII"),
    };
    (0..len).map(|_| byte(chance)).collect()
}

#[test]
fn foreign_characters_in_base64_mean_nothing() {
    const STRAYS: [&[u8]; 8] = [b"!", b".", b":", b"@", b"<", b"\x80", b" ", b"-\\_"];
    let mut chance = Chance(6);
    for round in 0..2000 {
        let len = 12 + chance.below(300);
        let text = printable(&mut chance, len);
        let width = 16 + chance.below(70);
        let mut mixed = Mixed::default();
        mixed.code(&text, width, |_| match chance.below(12) {
            0 => STRAYS[chance.below(STRAYS.len())],
            _ => b"",
        });
        // Text in a charset that is none of Unicode, where nothing tells but the foreign ones.
        let bytes = chance.bytes(12 + round % 300);
        let mut other = Mixed::default();
        other.code(&bytes, width, |_| if chance.below(12) == 0 { b"!" } else { b"" });
        mixed.holds();
        other.holds();
    }
}

#[test]
fn marks_before_lines_of_base64_mean_nothing() {
    let mut chance = Chance(7);
    for mark in [&b"> "[..], b">", b">>  > ", b"| ", b": ", b"\t> ", b" "] {
        for len in 13..300 {
            let text = printable(&mut chance, len);
            let width = 18 + chance.below(70);
            let plain = data_encoding::BASE64.encode(&text);
            if plain.len() % width == 1 || plain.len() % width == 2 {
                // Nobody breaks padding.
                continue;
            }
            let lines: Vec<Vec<u8>> =
                plain.as_bytes().chunks(width).map(|line| [mark, line].concat()).collect();
            for end in [&b"\n"[..], b"\r\n", b"!\r\n"] {
                decodes(Coding::Base64, &lines.join(end), &text);
            }
        }
    }
}

#[test]
fn text_between_and_behind_pieces_of_base64_stays_as_it_is() {
    const LINES: [&str; 12] = [
        "_______________________________________________",
        "list@example.com mailing list",
        "list http://lists.example.com/mailman/listinfo/list",
        "http://lists.example.com/",
        "https://www.example.org/a/long/path/that/has/nothing/in/it/but/letters/and/slash/a",
        "To unsubscribe, see <http://example.org/unsubscribe>.",
        "<URL:http://example.org/",
        "> www.example.org",
        "mailto:list-request@example.org?subject=unsubscribe",
        "-----BEGIN PGP SIGNATURE-----",
        "Hello there!",
        "-- ",
    ];
    let mut chance = Chance(8);
    for _ in 0..2000 {
        let mut mixed = Mixed::default();
        for _ in 0..1 + chance.below(4) {
            let len = 12 + chance.below(200);
            let text = printable(&mut chance, len);
            mixed.code(&text, 60 + chance.below(17), |_| b"");
            for _ in 0..1 + chance.below(3) {
                // A line without a letter in it goes with the base64 behind it.
                let line = LINES[1 + chance.below(LINES.len() - 2)];
                mixed.write(format!("{line}\n").as_bytes());
            }
        }
        mixed.write(LINES[0].as_bytes());
        mixed.holds();
    }
}

#[test]
fn what_stands_behind_padding_may_be_base64_again() {
    let piece = |text: &str| data_encoding::BASE64.encode(text.as_bytes());
    let glued = piece("see http://a.example/ ") + &piece("and http://b.example/\n");
    decodes(Coding::Base64, glued.as_bytes(), b"see http://a.example/ and http://b.example/\n");
    let lines = piece("see http://a.example/") + "\n" + &piece("and http://b.example/\n") + "\n";
    decodes(Coding::Base64, lines.as_bytes(), b"see http://a.example/and http://b.example/\n\n");
}

#[test]
fn text_that_is_called_base64_is_text() {
    for text in [&b"Dear Sir,\nsee http://a.example/\nYours\n"[..], b"http://a.example/b/c\n"] {
        decodes(Coding::Base64, text, text);
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
        // 57 bytes a line, and two bytes of line end behind 76 characters.
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

// ---- structure -------------------------------------------------------------------------

fn walk(text: &[u8]) -> Sections {
    let mut found = Sections::default();
    let whole = Span::new(0, text.len());
    Walk::new().sections(text, whole, text.len(), Edge::End, &mut found);
    let mut end = 0;
    for section in &found.list {
        assert!(section.span.start == end && !section.span.is_empty());
        end = section.span.end;
    }
    assert_eq!(end, text.len(), "{}", text.escape_ascii());
    found
}

/// Every section that is no header, in words.
fn bodies(text: &str) -> Vec<String> {
    let line = |section: &Section| {
        let content = section.span.of(text.as_bytes()).escape_ascii().to_string();
        let part = section.part.as_deref().unwrap_or("-");
        format!("{part} {:?} {:?} {content}", section.content, section.codings)
    };
    let found = walk(text.as_bytes());
    found.list.iter().filter(|section| section.content != Content::Fields).map(line).collect()
}

fn multipart(boundary: &str, parts: &[&str]) -> String {
    let parts: String = parts.iter().map(|part| format!("--{boundary}\n{part}\n")).collect();
    format!("Content-Type: multipart/mixed; boundary=\"{boundary}\"\n\n{parts}--{boundary}--\n")
}

#[test]
fn parts_have_numbers_and_codings() {
    let inner = multipart("bb", &["\nx", "Content-Type: text/html\n\ny"]);
    let outer = multipart(
        "b",
        &["Content-Transfer-Encoding: Base64\n\nYQ==", &inner, "Content-Type: image/png\n\nz"],
    );
    let expected = [
        "1 Text [Base64] YQ==\\n",
        "2.1 Text [] x\\n",
        "2.2 Html [] y\\n",
        "2 Text [] \\n",
        "3 Skipped [] z\\n",
    ];
    assert_eq!(bodies(&outer), expected);
}

#[test]
fn a_message_in_a_message_has_a_body_of_its_own() {
    let nested = multipart("b", &["Content-Type: message/rfc822\n\nSubject: x\n\nhello"]);
    assert_eq!(bodies(&nested), ["1.1 Text [] hello\\n"]);
    let twice = "Content-Type: message/rfc822\n\nContent-Type: message/rfc822\n\nTo: x\n\nhello";
    assert_eq!(bodies(&multipart("b", &[twice])), ["1.1.1 Text [] hello\\n"]);
    let digest = "Content-Type: multipart/digest; boundary=b\n\n--b\n\nSubject: x\n\nhello\n--b\n\
        Content-Type: text/plain\n\nplain\n";
    assert_eq!(bodies(digest), ["1.1 Text [] hello\\n", "2 Text [] plain\\n"]);
    let coded = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nYQ==\n";
    assert_eq!(bodies(coded), ["- Message [Base64] YQ==\\n"]);
}

#[test]
fn behind_the_header_of_a_body_that_is_elsewhere_stands_text() {
    let external = "Content-Type: message/external-body; access-type=x\n\n\
        Content-Type: multipart/mixed; boundary=c\nContent-Transfer-Encoding: base64\n\na: b\n";
    assert_eq!(bodies(external), ["- Text [] a: b\\n"]);
    let parts = multipart("b", &[external, &external[..external.len() - 6], "\ny"]);
    assert_eq!(bodies(&parts), ["1 Text [] a: b\\n\\n", "3 Text [] y\\n"]);
    let other = "Content-Type: message/http\n\na: b\n";
    assert_eq!(bodies(other), ["- Text [] a: b\\n"]);
    let status = "Content-Type: message/delivery-status\n\na: b\n";
    assert!(bodies(status).is_empty());
}

#[test]
fn boundaries_end_the_parts_of_their_own_multipart_and_inner_ones() {
    let open = "Content-Type: multipart/mixed; boundary=b\n\nfor others\n--b\n\
        Content-Type: multipart/mixed; boundary=b2\n\n--b2\n\nx\n--b \n\ny\n--b-- \nend\n";
    let expected =
        ["- Text [] for others\\n", "1.1 Text [] x\\n", "2 Text [] y\\n", "- Text [] end\\n"];
    assert_eq!(bodies(open), expected);
}

#[test]
fn boundaries_are_read_as_rfc_2231_writes_them() {
    for parameter in [
        "boundary=a-b",
        "boundary=\"a-b\"; x=y",
        "x=\"y;z\"; BOUNDARY = \"a\\-b\"",
        "boundary*0=\"a-\"; boundary*1=b",
        "boundary*=us-ascii'en'a%2Db",
        "boundary*0*=''a%2D;boundary*1*=%62",
        "boundary*1=b; boundary*0=\"a-\"",
        "boundary*10=b; x=y; boundary*9=; boundary*2=-; boundary*2=c; boundary*0=a",
        "boundary*1*=%62;boundary*0*=us-ascii'en'a%2D",
        "boundary*0=c; boundary=a-b; boundary*x=d",
    ] {
        let text =
            format!("content-type : Multipart/Mixed (a comment);\n\t{parameter}\n\n--a-b\n\nx\n");
        assert_eq!(bodies(&text), ["1 Text [] x\\n"], "{parameter}");
    }
}

#[test]
fn comments_stand_anywhere_between_the_words_of_a_field() {
    for field in [
        "multipart/mixed; (c) boundary=\"a-b\"",
        "multipart/mixed;\n (made (by; x=\"y) \\( me)\n\tboundary=a-b",
        "(c) multipart/mixed (c;boundary=x) ; (c)\t(d) boundary (c) = (c) a-b (c)",
        "multipart/mixed; x=y (z; boundary=c); boundary=\"a-b\" (open",
        "multipart/mixed; charset=(c); boundary=a-b",
        "multipart/mixed; name=a(1.txt; boundary=a-b",
    ] {
        let text = format!("Content-Type: {field}\n\n--a-b\n\nx\n");
        assert_eq!(bodies(&text), ["1 Text [] x\\n"], "{field}");
    }
    let brackets = "Content-Type: multipart/mixed; boundary=(a)\n\n--(a)\n\nx\n";
    assert_eq!(bodies(brackets), ["1 Text [] x\\n"]);
}

#[test]
fn labels_are_read_however_they_are_written() {
    for (label, coding) in [
        ("7-bit", ""),
        ("8 bit", ""),
        ("text/html", ""),
        ("quoted printable", "Quoted"),
        ("Quoted-Printable;", "Quoted"),
        ("base64 (comment)", "Base64"),
        ("(a (nested) \\) one) base64", "Base64"),
        ("(open base64", ""),
        ("BASE64", "Base64"),
    ] {
        let text = format!("Content-Transfer-Encoding: {label}\n\nx");
        assert_eq!(bodies(&text), [format!("- Text [{coding}] x")], "{label}");
    }
    let packed = "Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n";
    assert_eq!(bodies(packed), ["- Skipped [] begin 644 a\\n"]);
}

#[test]
fn blocks_of_uuencode_are_passed_by_and_armour_is_counted() {
    let text = "To: a\n\nx\nbegin 644 a.txt\n%:&5L;&\\\n`\nend\ny\n-----BEGIN PGP MESSAGE-----\n\n\
        abcd\n-----END PGP MESSAGE-----\nbegin 123 is no block\nend\n";
    let found = walk(text.as_bytes());
    let skipped: Vec<&Section> =
        found.list.iter().filter(|section| section.content == Content::Skipped).collect();
    assert_eq!(skipped.len(), 1);
    assert_eq!(skipped[0].span.of(text.as_bytes()), b"begin 644 a.txt\n%:&5L;&\\\n`\nend");
    let counts: Vec<u64> = found.omissions.iter().map(|(_, count)| count).collect();
    assert_eq!(counts, [0, 0, 1, 1, 0, 0, 0, 0]);
}

#[test]
fn a_boundary_that_is_repeated_at_once_begins_one_part() {
    let head =
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n--b\n--b\n\none\n--b\n\n--b\n\ntwo\n";
    let expected = ["1 Text [] one\\n", "3 Text [] two\\n"];
    assert_eq!(bodies(head), expected);
}

fn count_of(found: &Sections, wanted: Omission) -> u64 {
    found.omissions.iter().find(|(omission, _)| *omission == wanted).map_or(0, |(_, count)| count)
}

#[test]
fn the_beginning_of_a_header_that_is_too_long_says_what_its_body_is() {
    let long = format!("X-A: {}\n", "y".repeat(200_000));
    let many = "X-A: y\n".repeat(40_000);
    for filler in [&long, &many] {
        let coded = format!("Content-Transfer-Encoding: base64\n{filler}\nYQ==\n");
        assert_eq!(bodies(&coded), ["- Text [Base64] YQ==\\n"]);
        let late = format!("{filler}Content-Transfer-Encoding: base64\n\nYQ==\n");
        assert_eq!(bodies(&late), ["- Text [] YQ==\\n"]);
        for (text, count) in [(&coded, 1), (&late, 1), (&format!("To: a\n\n{filler}"), 0)] {
            assert_eq!(count_of(&walk(text.as_bytes()), Omission::HeaderTooLong), count);
        }
        let parts = ["\nx", &coded, "Content-Type: text/html\n\ny"];
        let expected = ["1 Text [] x\\n", "2 Text [Base64] YQ==\\n\\n", "3 Html [] y\\n"];
        assert_eq!(bodies(&multipart("b", &parts)), expected);
        let open = multipart("b", &[filler, "\ny"]);
        assert_eq!(bodies(&open), ["2 Text [] y\\n"]);
        let message = format!("Content-Type: message/rfc822\n{filler}\nTo: a\n\nx");
        assert_eq!(
            bodies(&multipart("b", &[&message, "\ny"])),
            ["1.1 Text [] x\\n", "2 Text [] y\\n"]
        );
    }
}

#[test]
fn a_long_header_is_read_in_pieces_as_at_once() {
    let filler = "X-A: y\n  z\n".repeat(20_000);
    let coded = format!("Content-Type: text/html\n{filler}\nx\n");
    let whole = multipart("b", &[&coded, "\ny"]);
    let wanted = bodies(&whole);
    let bytes = whole.as_bytes();
    let tail = memchr::memmem::find(bytes, b"\n\nx").expect("the end of the header");
    for first in (1..200).chain(140_000..140_030).chain(tail - 3..tail + 3) {
        let mut found = Sections::default();
        let mut walk = Walk::new();
        let (one, rest) = (Span::new(0, first), Span::new(first, bytes.len()));
        walk.sections(bytes, one, bytes.len(), Edge::Anywhere, &mut found);
        walk.sections(bytes, rest, bytes.len(), Edge::End, &mut found);
        let line = |section: &Section| {
            let content = section.span.of(bytes).escape_ascii().to_string();
            let part = section.part.as_deref().unwrap_or("-");
            format!("{part} {:?} {:?} {content}", section.content, section.codings)
        };
        let bodies = found.list.iter().filter(|section| section.content != Content::Fields);
        assert_eq!(bodies.map(line).collect::<Vec<_>>(), wanted, "cut at {first}");
        assert_eq!(count_of(&found, Omission::HeaderTooLong), 1, "cut at {first}");
    }
}

#[test]
fn nesting_without_end_is_read_as_it_stands() {
    let messages = "Content-Type: message/rfc822\n\n".repeat(100_000);
    let found = walk(messages.as_bytes());
    assert_eq!(count_of(&found, Omission::TooDeep), 1);
    let mut multiparts = String::new();
    for level in 0..100_000 {
        multiparts += &format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n");
    }
    let found = walk(multiparts.as_bytes());
    assert_eq!(count_of(&found, Omission::TooDeep), 1);
    let parts = multipart("b", &["\nx"; 100_000]);
    let found = walk(parts.as_bytes());
    assert_eq!(count_of(&found, Omission::TooMany), 1);
    assert!(found.list.len() < 40_000, "{}", found.list.len());
}

#[test]
fn any_bytes_are_covered_by_sections() {
    const LINES: [&str; 16] = [
        "Content-Type: multipart/mixed; boundary=b\n",
        "Content-Type: multipart/x; boundary=bb\n",
        "Content-Type: message/rfc822\n",
        "Content-Transfer-Encoding: base64\n",
        "\n",
        "--b\n",
        "--b--\n",
        "--bb\r\n",
        "--bb--",
        "Subject: =?a?q?b?=\n",
        " folded\n",
        "text\n",
        "From a 10:00\n",
        "begin 644 a\n",
        "end\n",
        "Content-Type: text/html; charset=utf-16\n",
    ];
    let mut chance = Chance(5);
    for _ in 0..20_000 {
        let lines: String =
            (0..chance.below(30)).map(|_| LINES[chance.below(LINES.len())]).collect();
        walk(lines.as_bytes());
    }
    for _ in 0..2000 {
        let len = chance.below(300);
        walk(&chance.telling(len));
    }
}
