//! Tests that damaged streams give everything before the fault, however reads divide their bytes.

use std::io::{Read as _, Write as _};

use lz4_flex::frame::{BlockSize, FrameEncoder, FrameInfo};

use super::twin::{self, Chance, noise, seen, seen_slowly, text};
use super::{Codec, Unpacked};
use crate::source::container::{Budget, Feed, Meter};

/// Packs `text` in blocks that are shorter than it, where the format has some.
fn packed(codec: Codec, text: &[u8]) -> Vec<u8> {
    let level = flate2::Compression::default();
    let out = Vec::new();
    match codec {
        Codec::Gzip => {
            let mut encoder = flate2::write::GzEncoder::new(out, level);
            encoder.write_all(text).and_then(|()| encoder.finish()).unwrap()
        }
        Codec::Zlib => {
            let mut encoder = flate2::write::ZlibEncoder::new(out, level);
            encoder.write_all(text).and_then(|()| encoder.finish()).unwrap()
        }
        Codec::Deflate => {
            let mut encoder = flate2::write::DeflateEncoder::new(out, level);
            encoder.write_all(text).and_then(|()| encoder.finish()).unwrap()
        }
        Codec::Bzip2 => {
            let mut encoder = bzip2::write::BzEncoder::new(out, bzip2::Compression::fast());
            encoder.write_all(text).and_then(|()| encoder.finish()).unwrap()
        }
        Codec::Xz => {
            let mut encoder = liblzma::write::XzEncoder::new(out, 0);
            encoder.write_all(text).and_then(|()| encoder.finish()).unwrap()
        }
        Codec::Zstd => {
            let mut encoder = zstd::stream::write::Encoder::new(out, 1).unwrap();
            encoder.include_checksum(true).unwrap();
            for block in text.chunks(20_000) {
                encoder.write_all(block).and_then(|()| encoder.flush()).unwrap();
            }
            encoder.finish().unwrap()
        }
        _ => {
            let form = FrameInfo::new().block_size(BlockSize::Max64KB);
            let mut encoder = FrameEncoder::with_frame_info(form, out);
            encoder.write_all(text).unwrap();
            encoder.finish().unwrap()
        }
    }
}

const CODECS: [Codec; 7] =
    [Codec::Gzip, Codec::Zlib, Codec::Deflate, Codec::Bzip2, Codec::Xz, Codec::Zstd, Codec::Lz4];

/// Holds that `bytes` give the same text and end with the same fault, whatever the lengths of the
/// reads and the number of threads are; returns the length of the text.
#[track_caller]
fn hold(codec: Codec, bytes: &[u8], what: &str) -> Vec<u8> {
    // Of one packed byte at a time, no text is made in the same call as an error, or little.
    let slow = seen_slowly(codec, bytes);
    let message = |fault: &Option<(Option<u64>, String)>| fault.as_ref().map(|it| it.1.clone());
    for by in [(1 << 20, 0), (1 << 20, 1), (1 << 20, 2), (1 << 20, 3), (4_000, 2), (333, 1)] {
        let fast = twin::hold(codec, bytes, by, what);
        let lens = (fast.text.len(), slow.text.len());
        assert!(fast.text == slow.text, "{codec:?}, {what}, by {by:?}: {lens:?}");
        assert_eq!(message(&fast.fault), message(&slow.fault), "{codec:?}, {what}, by {by:?}");
        // A pipe gives what a file gives, with the same offset of the fault.
        assert_eq!(seen(codec, bytes, (777, by.1), None), fast, "{codec:?}, {what}, by {by:?}");
    }
    slow.text
}

#[test]
fn everything_before_a_fault_is_given_whatever_the_lengths_of_reads_are() {
    let mut chance = Chance(1952);
    let text = text(&mut chance, 400_000);
    for codec in CODECS {
        let whole = packed(codec, &text);
        let at = whole.len() * 2 / 3;
        let cut = [&whole[..at], &whole].concat();
        let mut zeros = whole.clone();
        zeros[at..at + 40].fill(0);
        let mut noisy = whole.clone();
        noisy[at..at + 40].copy_from_slice(&noise(&mut chance, 40));
        let mut end = whole.clone();
        let last = end.len() - 1;
        end[last] ^= 0x55;
        for (what, bytes) in [("cut", cut), ("zeros", zeros), ("noise", noisy), ("end", end)] {
            let given = hold(codec, &bytes, what);
            let same = given.iter().zip(&text).take_while(|(one, two)| one == two).count();
            // A block of bzip2 is known only as a whole.
            let least = if codec == Codec::Bzip2 { text.len() / 4 } else { text.len() / 2 };
            assert!(same > least, "{codec:?}, {what}: {same} of {}", text.len());
        }
    }
}

#[test]
fn a_short_stream_that_is_cut_gives_what_the_decoder_made() {
    let text: String = (1..=1000).map(|it| format!("https://docs.example/p{it}\n")).collect();
    for (codec, least) in [(Codec::Gzip, 384), (Codec::Zlib, 384), (Codec::Deflate, 384)] {
        let whole = packed(codec, text.as_bytes());
        let given = hold(codec, &[&whole[..900], &whole].concat(), "cut");
        let lines = given.iter().filter(|byte| **byte == b'\n').count();
        assert!(lines + 40 > least && text.as_bytes().starts_with(&given[..5_000]), "{lines}");
    }
}

#[test]
fn a_member_that_another_one_cuts_ends_where_that_begins() {
    let mut chance = Chance(1996);
    for len in [5_000, 30_000, 400_000] {
        let [one, two, three] = [(); 3].map(|()| text(&mut chance, len));
        let members = [&one, &two, &three].map(|text| packed(Codec::Gzip, text));
        for lost in [1, 9, 20, 400] {
            let cut = &members[1][..members[1].len() - lost];
            let bytes = [&members[0][..], cut, &members[2]].concat();
            let given = hold(Codec::Gzip, &bytes, &format!("{lost} of {len} lost"));
            let whole = [&one[..], &two].concat();
            assert!(whole.starts_with(&given) && given.len() > one.len(), "{lost} of {len} lost");
            let seen = seen(Codec::Gzip, &bytes, (1 << 20, 0), None);
            let at = (members[0].len() + cut.len()) as u64;
            // A trailer that lacks bytes takes those of the next member.
            let taken = if lost < 8 { lost as u64 } else { 0 };
            let fault = seen.fault.map(|(offset, _)| offset);
            assert_eq!(fault, Some(Some(at + taken)), "{lost} of {len} lost");
        }
    }
}

#[test]
fn a_member_within_the_text_of_another_cuts_nothing() {
    let mut chance = Chance(1997);
    for len in [0, 3_000, 100_000] {
        let inner = packed(Codec::Gzip, &text(&mut chance, len));
        let around = noise(&mut chance, 50_000);
        let text = [&around[..], &inner, &inner, b"text", &inner, &around].concat();
        // Without compression, the packed bytes have the text as it is.
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
        let outer = encoder.write_all(&text).and_then(|()| encoder.finish()).unwrap();
        let given = hold(Codec::Gzip, &[&outer[..], &outer].concat(), "stored");
        assert!(given == text.repeat(2), "{len}");
    }
}

#[test]
fn text_after_what_looks_like_a_member_is_given_if_the_checksum_is_right() {
    let stored = |is_last: u8, text: &[u8]| {
        let len = u16::try_from(text.len()).unwrap();
        [&[is_last][..], &len.to_le_bytes(), &(!len).to_le_bytes(), text].concat()
    };
    let mut chance = Chance(1998);
    // The header of a block is the second part of that of a member.
    let first = [&noise(&mut chance, 60_000)[..], b"\x1F\x8B\x08"].concat();
    let second = [&b"\x00\x03"[..], &noise(&mut chance, 60_000)].concat();
    let text = [&first[..], &second].concat();
    let mut crc = flate2::Crc::new();
    crc.update(&text);
    let header = b"\x1F\x8B\x08\0\0\0\0\0\0\x03";
    let trailer = [crc.sum().to_le_bytes(), crc.amount().to_le_bytes()].concat();
    let blocks = [stored(0, &first), stored(1, &second)].concat();
    let member = [header, &blocks[..], &trailer].concat();
    assert!(hold(Codec::Gzip, &member, "right") == text);
    let wrong = [&member[..member.len() - 8], &[7; 8]].concat();
    assert!(hold(Codec::Gzip, &wrong, "wrong") == first[..first.len() - 3]);
}

#[test]
fn every_fault_of_a_short_stream_comes_after_the_same_text() {
    let mut chance = Chance(1951);
    let text = text(&mut chance, 30_000);
    for codec in CODECS {
        let whole = packed(codec, &text);
        for round in 0..20 {
            let (mut bytes, bit) = (whole.clone(), chance.below(whole.len() * 8));
            bytes[bit / 8] ^= 1 << (bit % 8);
            hold(codec, &bytes, &format!("bit {bit} in round {round}"));
        }
    }
}

#[test]
fn a_member_of_gzip_is_held_against_the_library() {
    use flate2::GzBuilder;
    let text = text(&mut Chance(7), 3_000);
    let level = flate2::Compression::default();
    let plain = packed(Codec::Gzip, &text);
    let mut named = Vec::new();
    let builder = GzBuilder::new().filename("a").comment("b c").extra(vec![1, 2, 3]);
    builder.read(&text[..], level).read_to_end(&mut named).unwrap();
    // The checksum of the header (RFC 1952 §2.3.1), which the library does not write.
    let checked = |name_len: usize, is_right: bool| {
        let mut member = plain[..10].to_vec();
        member[3] = 0x02 | 0x08;
        member.extend(std::iter::repeat_n(b'n', name_len).chain([0]));
        let mut crc = flate2::Crc::new();
        crc.update(&member);
        member.extend(&(crc.sum() ^ u32::from(!is_right)).to_le_bytes()[..2]);
        member.extend(&plain[10..]);
        member
    };
    let changed = |at: usize, byte: u8| {
        let mut member = plain.clone();
        member[at] ^= byte;
        member
    };
    let len = plain.len();
    let mut samples = vec![plain.clone(), named.clone(), checked(9, true), checked(9, false)];
    samples.extend([65_534, 65_535, 65_536, 70_000].map(|len| checked(len, true)));
    samples.extend([0, 1, 2, 4, 9].map(|at| changed(at, 1)));
    samples.extend([0x20, 0x40, 0x80, 0x04, 0x02].map(|flag| changed(3, flag)));
    samples.extend([len - 8, len - 5, len - 4, len - 1].map(|at| changed(at, 1)));
    samples.extend((0..named.len().min(80)).map(|len| named[..len].to_vec()));
    samples.extend((0..12).map(|cut| plain[..len - cut].to_vec()));
    for (number, member) in samples.iter().enumerate() {
        let bytes = [&member[..], b"behind"].concat();
        for bytes in [&bytes, member] {
            let mut rest = &bytes[..];
            let mut decoder = flate2::bufread::GzDecoder::new(&mut rest);
            let mut out = Vec::new();
            let failed = decoder.read_to_end(&mut out).err();
            let is_cut = failed.as_ref().map(|it| it.kind() == std::io::ErrorKind::UnexpectedEof);
            let taken = (bytes.len() - rest.len()) as u64;
            for by in [(1 << 20, 3), (1, 3), (5, 0)] {
                let seen = seen(Codec::Gzip, bytes, by, None);
                let what = format!("sample {number}, {} bytes, by {by:?}", bytes.len());
                match (&failed, &seen.fault) {
                    (None, None) => assert_eq!(seen.taken, taken, "{what}"),
                    (Some(error), Some((at, message))) => {
                        assert_eq!(*at, Some(taken), "{what}: {message}");
                        let expected = match is_cut {
                            Some(true) => "expected more of gzip, found its end".to_owned(),
                            _ => format!("cannot unpack gzip: {error}"),
                        };
                        assert_eq!(*message, expected, "{what}");
                    }
                    pair => panic!("{what}: {pair:?}"),
                }
                assert!(seen.text.starts_with(&out), "{what}");
            }
        }
    }
}

#[test]
fn a_dictionary_is_told_by_its_frame() {
    let [frame, len] = [&b"\x5D\x2A\x4D\x18"[..], b"\x10\0\0\0"];
    for (magic, is_one) in
        [(b"\x37\xA4\x30\xEC", true), (b"\x28\xB5\x2F\xFD", true), (b"abcd", false)]
    {
        assert_eq!(super::has_dictionary(&[frame, len, magic].concat()), is_one);
    }
    assert!(!super::has_dictionary(frame));
    assert!(!super::has_dictionary(b"\x28\xB5\x2F\xFD"));
}

#[test]
fn dictionaries_cost_no_more_than_other_bytes() {
    let packed = zstd::encode_all(&vec![b'a'; 8_000_000][..], 19).unwrap();
    let len = u32::try_from(packed.len()).unwrap();
    let dictionary = [b"\x5D\x2A\x4D\x18", &len.to_le_bytes()[..], &packed].concat();
    let frame = zstd::encode_all(&b"a"[..], 1).unwrap();
    for bytes in [
        // Decoded again and again, and loaded again and again.
        [dictionary.repeat(400), frame.clone()].concat(),
        [dictionary.clone(), frame.repeat(20_000)].concat(),
    ] {
        let (budget, mut input) = (Budget::default(), &bytes[..]);
        let mut feed = Feed::new(&mut input);
        let meter = Meter::new(&budget, 1, u64::MAX);
        let mut unpacked = Unpacked::all(Codec::Zstd, &mut feed, meter);
        let error = unpacked.read_to_end(&mut Vec::new()).unwrap_err();
        assert!(format!("{error:?}").contains("Ratio"), "{error:?}");
    }
}

/// The sample has a compressed dictionary before two frames, and another one before a third.
#[test]
fn frames_are_decoded_with_the_dictionary_before_them() {
    let root = env!("CARGO_MANIFEST_DIR");
    let bytes = std::fs::read(format!("{root}/corpus/archives/dictionary.warc.zst")).unwrap();
    let text = hold(Codec::Zstd, &bytes, "dictionary");
    let text = String::from_utf8(text).unwrap();
    for word in ["one", "two", "three"] {
        assert_eq!(text.matches(&format!("http://www.example.org/{word}/")).count(), 1, "{word}");
    }
}
