//! Decodes texts of any length in a declared charset to UTF-8 while they are read.
//!
//! The decoders are those of mail. There they see a whole part; here they see a block, and leave
//! what may be cut at its end for the next one. A ledger records the number of bytes that each
//! character came from, so that offsets can be reported in the original.

use super::charset::CharsetState;
use crate::source::mail::charset::{Charset, Decode, Ledger};

/// Maximum number of bytes that a decoder must see to decode one character or one shift.
const SIGHT: usize = 8;

/// A decoder of text in a charset.
pub(in crate::source) struct Transcoder {
    state: CharsetState,
    ledger: Ledger,
}

impl Transcoder {
    /// Returns a decoder that records the length of each character in `ledger`.
    pub(in crate::source) const fn new(charset: Charset, ledger: Ledger) -> Self {
        Self { state: CharsetState::new(charset), ledger }
    }

    /// Copies `text`, as far as it is UTF-8, which includes US-ASCII; invalid bytes become U+FFFD.
    fn same(&self, text: &[u8], out: &mut Vec<u8>) {
        for chunk in text.utf8_chunks() {
            out.extend_from_slice(chunk.valid().as_bytes());
            for character in chunk.valid().chars() {
                self.ledger.character(character.len_utf8());
            }
            if !chunk.invalid().is_empty() {
                out.extend_from_slice("\u{FFFD}".as_bytes());
                self.ledger.character(chunk.invalid().len());
            }
        }
    }
}

impl Decode for Transcoder {
    fn decode(&mut self, block: &[u8], is_last: bool, text: &mut Vec<u8>) -> usize {
        let sight = if is_last { 0 } else { SIGHT };
        let mut rest = block;
        while rest.len() > sight {
            let run = self.state.run(rest);
            let mut len = run.source_len().clamp(1, rest.len());
            if run.is_plain() && len > rest.len() - sight {
                len = character_start(rest, rest.len() - sight);
            }
            // A character of UTF-8 that is cut waits for its rest.
            if len == 0 {
                break;
            }
            let (taken, after) = rest.split_at(len);
            match run.made() {
                _ if run.is_plain() => self.same(taken, text),
                [] => self.ledger.nothing(taken.len()),
                made => {
                    text.extend_from_slice(made);
                    self.ledger.characters(made, taken.len());
                }
            }
            rest = after;
        }
        block.len() - rest.len()
    }
}

/// Returns `at`, or the offset of the UTF-8 character that contains the byte there.
fn character_start(text: &[u8], at: usize) -> usize {
    let is_rest = |back: &usize| text.get(at - back).is_some_and(|byte| byte & 0xC0 == 0x80);
    at - (0..at.min(3)).take_while(is_rest).count()
}

#[cfg(test)]
mod tests {
    use super::Transcoder;
    use crate::source::mail::charset::{Charset, Decoder, Ledger, Original};
    use std::io::Read as _;

    /// Decodes `bytes`; returns the text, and the start and the end of each of its characters.
    fn decoded(charset: &str, bytes: &[u8]) -> (String, Vec<(u64, u64)>) {
        let ledger = Ledger::default();
        let charset = Charset::find(charset.as_bytes()).unwrap();
        let mut text = String::new();
        let mut transcoder = Decoder::new(bytes, Transcoder::new(charset, ledger.clone()));
        transcoder.read_to_string(&mut text).unwrap();
        let mut original = Original::recorded(0, ledger.first(text.as_bytes()));
        let places = text.chars().map(|character| {
            let start = original.start();
            original.pass(character.to_string().as_bytes());
            (start, original.end())
        });
        let places = places.collect();
        (text, places)
    }

    #[track_caller]
    fn holds(charset: &str, bytes: &[u8], text: &str, at: char, place: (u64, u64)) {
        let (found, places) = decoded(charset, bytes);
        assert_eq!(found, text, "{charset}");
        let index = found.chars().position(|character| character == at).unwrap();
        assert_eq!(places[index], place, "{charset}");
    }

    #[test]
    fn each_charset_is_decoded_and_tells_where_a_character_stood() {
        holds("koi8-r", b"a\xD0:b", "aп:b", ':', (2, 3));
        holds("shift_jis", b"\x93\xFA\x96{:b", "日本:b", ':', (4, 5));
        holds("utf-32le", b"\xFF\xFE\0\0a\0\0\0", "a", 'a', (4, 8));
        holds("utf-32", b"\0\0\xFE\xFF\0\0\0a", "a", 'a', (4, 8));
        holds("utf-7", b"x+ADoALwAv-y", "x://y", ':', (2, 5));
        holds("utf-7", b"x+ADoALwAv-y", "x://y", 'y', (11, 12));
        holds("hz", b"a~~b~{<:~}c", "a~b己c", 'c', (10, 11));
        holds("iso-2022-jp", b"a\x1B$B4A\x1B(Bb", "a漢b", 'b', (9, 10));
        // Text with a wrong declaration is copied where it is UTF-8.
        holds("iso-2022-jp", b"\xC3\xA9\xFFb", "é\u{FFFD}b", 'b', (3, 4));
    }

    #[test]
    fn what_becomes_nothing_takes_no_room() {
        let ledger = Ledger::default();
        let shifts = b"~{~}".repeat(100_000);
        let bytes = [b"a".as_slice(), &shifts, b"b", &shifts, b"c"].concat();
        let charset = Charset::find(b"hz-gb-2312").unwrap();
        let mut decoder = Decoder::new(&bytes[..], Transcoder::new(charset, ledger.clone()));
        let mut text = String::new();
        decoder.read_to_string(&mut text).unwrap();
        assert_eq!(text, "abc");
        let entries = ledger.first(text.as_bytes());
        assert!(entries.len() < 100, "{}", entries.len());
        let mut original = Original::recorded(0, entries);
        original.pass(b"ab");
        assert_eq!((original.start(), original.end()), (800_002, 800_002));
    }

    #[test]
    fn nothing_is_cut_in_two_where_a_block_ends() {
        for (charset, unit, made) in [
            ("utf-7", &b"+AOk-a"[..], "éa"),
            ("gb18030", b"\x81\x30\x81\x30\xC4\xE3a", "\u{80}你a"),
            ("hz", b"~{<:~}a~~b", "己a~b"),
            ("iso-2022-kr", "日é".as_bytes(), "日é"),
        ] {
            for before in 0..unit.len() {
                let bytes = [&b"x".repeat(before)[..], &unit.repeat(30_000)].concat();
                let (text, places) = decoded(charset, &bytes);
                assert!(text == "x".repeat(before) + &made.repeat(30_000), "{charset} {before}");
                assert_eq!(places.last().unwrap().1, bytes.len() as u64, "{charset} {before}");
            }
        }
    }
}
