//! Tests base64: damage by people, programs and spammers, and text between and after blocks.

use linktrawl::Span;
use linktrawl::internal::source::mail::mime::{Coding, Source, decode_source};

use super::{decodes, leads_back};
use crate::support::chance::Chance;

#[test]
fn base64_is_decoded_with_what_people_do_to_it() {
    decodes(Coding::Base64, b"aHR0cDovL2E=\n", b"http://a");
    decodes(Coding::Base64, b"aHR0cDovL2E=\r\n \r\n", b"http://a");
    decodes(Coding::Base64, b"aHR0cDovL2E=\n\nb", b"http://a\n\nb");
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

/// A source in base64, its expected decoding, and for each decoded byte the place of the characters
/// in the source that encode it.
#[derive(Default)]
struct Mixed {
    source: Vec<u8>,
    decoded: Vec<u8>,
    places: Vec<Span>,
}

impl Mixed {
    /// Appends `text` in lines of base64 of `width` letters, with the bytes that `damage` returns
    /// before each letter; its argument is the column of the letter.
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

    /// Appends text that is not coded. After base64 it begins a line.
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
        // Text in a charset outside of Unicode, where only the foreign characters give a hint.
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
fn text_between_and_after_pieces_of_base64_stays_as_it_is() {
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
                // A line without a letter in it goes with the base64 after it.
                let line = LINES[1 + chance.below(LINES.len() - 2)];
                mixed.write(format!("{line}\n").as_bytes());
            }
        }
        mixed.write(LINES[0].as_bytes());
        mixed.holds();
    }
}

#[test]
fn what_stands_after_padding_may_be_base64_again() {
    let piece = |text: &str| data_encoding::BASE64.encode(text.as_bytes());
    let glued = piece("see http://a.example/ ") + &piece("and http://b.example/\n");
    decodes(Coding::Base64, glued.as_bytes(), b"see http://a.example/ and http://b.example/\n");
    let lines = piece("see http://a.example/") + "\n" + &piece("and http://b.example/\n") + "\n";
    decodes(Coding::Base64, lines.as_bytes(), b"see http://a.example/and http://b.example/\n");
}

/// As a character of UTF-16, it would be a part of the link.
#[test]
fn empty_lines_after_padding_are_nothing() {
    let wide: Vec<u8> = "at http://h.example/".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let coded = data_encoding::BASE64.encode(&wide);
    assert!(coded.ends_with('='), "{coded}");
    for lines in ["", "\n", "\n\n", "\r\n\r\n"] {
        decodes(Coding::Base64, format!("{coded}{lines}").as_bytes(), &wide);
    }
}

#[test]
fn text_that_is_called_base64_is_text() {
    for text in [&b"Dear Sir,\nsee http://a.example/\nYours\n"[..], b"http://a.example/b/c\n"] {
        decodes(Coding::Base64, text, text);
    }
}

#[test]
fn base64_ends_at_its_padding_whatever_follows_in_the_line() {
    for (code, expected) in [
        ("aHR0cDovL2guZXhhbXBsZS8xMg==--cut--\n", "http://h.example/12\n--cut--\n"),
        ("aHR0cDovL2guZXhhbXBsZS8xMg== of text\n", "http://h.example/12\n of text\n"),
        ("aHR0cDovL2guZXhhbXBsZS8xMg====\n", "http://h.example/12"),
        ("aHR0cDovL2guZXhhbXBsZS8xMg=== =\n", "http://h.example/12"),
        ("aHR0cDovL2guZXhhbXBsZS8xMjM===\n", "http://h.example/123"),
        ("aHR0cDovL2guZXhhbXBsZS8x==\n", "http://h.example/1"),
    ] {
        decodes(Coding::Base64, code.as_bytes(), expected.as_bytes());
    }
}
