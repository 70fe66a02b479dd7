//! Compares blocks that threads decode with the output of the library, which decodes them one after
//! another.

use std::io::{Read as _, Write as _};
use std::thread;

use bzip2::Compression;
use bzip2::write::BzEncoder;

use super::super::Codec;
use super::super::twin::{self, Chance, Seen, at_once, text};
use super::block::MAGIC;
use super::search::Search;
use super::{Blocks, DecodeState};
use crate::source::container::ahead::{Ahead, Finder as _};
use crate::source::container::{Budget, Feed};
use crate::source::threads::SpareThreads;

fn seen(bytes: &[u8], most: usize, round: usize, spare_threads: Option<SpareThreads>) -> Seen {
    twin::seen(Codec::Bzip2, bytes, (most, round), spare_threads)
}

#[track_caller]
fn hold(bytes: &[u8], most: usize, round: usize, what: &str) -> Seen {
    twin::hold(Codec::Bzip2, bytes, (most, round), what)
}

/// Packs `text` as blocks of at most so many bytes.
fn packed(text: &[u8], level: u32, block_len: usize) -> Vec<u8> {
    let mut encoder = BzEncoder::new(Vec::new(), Compression::new(level));
    for block in text.chunks(block_len) {
        encoder.write_all(block).unwrap();
        encoder.flush().unwrap();
    }
    encoder.finish().unwrap()
}

/// Returns the bits at which blocks begin.
fn starts(bytes: &[u8]) -> Vec<usize> {
    let (mut search, mut found) = (Search::default(), Vec::new());
    search.pass(bytes, &mut found);
    search.finish(&mut found);
    found.iter().map(|found| usize::try_from(found.at).unwrap()).collect()
}

fn flip(bytes: &mut [u8], bit: usize) {
    bytes[bit / 8] ^= 0x80 >> (bit % 8);
}

/// Streams of blocks of many lengths, some of them empty, and what may follow.
fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let mut chance = Chance(1996);
    let small = packed(&text(&mut chance, 900), 1, 150);
    let middle = packed(&text(&mut chance, 40_000), 1, 1500);
    let large = packed(&text(&mut chance, 260_000), 1, usize::MAX);
    let nine = packed(&text(&mut chance, 120_000), 9, 40_000);
    let empty = packed(b"", 5, 1);
    let zeros = packed(&vec![0; 400_000], 1, usize::MAX);
    vec![
        ("small", small.clone()),
        ("middle", middle.clone()),
        ("streams", [&*small, &empty, &empty, &nine, &middle, &small].concat()),
        ("large", large.clone()),
        ("zeros", [&*small, &zeros, &small].concat()),
        ("garbage", [&*large, b"garbage", &*middle].concat()),
        ("padded", [&*small, &[0; 10][..]].concat()),
        ("header", [&*small, b"BZh9"].concat()),
    ]
}

#[test]
fn whole_streams_are_decoded_together() {
    for (name, bytes) in samples() {
        for (round, most) in [1 << 20, 777, 5_000].into_iter().enumerate() {
            hold(&bytes, most, round, name);
        }
        let dropping = seen(&bytes, 1 << 20, 1, Some(SpareThreads::new(2, drop)));
        assert!(dropping == seen(&bytes, 1 << 20, 1, None), "{name}");
        let spawning = SpareThreads::new(3, |task| drop(thread::spawn(task)));
        assert!(seen(&bytes, 1 << 20, 1, Some(spawning)) == seen(&bytes, 1 << 20, 1, None));
    }
}

#[test]
fn the_blocks_of_others_are_taken() {
    let mut chance = Chance(7);
    let text = text(&mut chance, 300_000);
    let (bytes, budget) = (packed(&text, 1, 30_000), Budget::default());
    let mut input = &bytes[..];
    let ahead = Ahead::new(&mut input, &budget, at_once(), Box::new(Search::default()));
    let mut feed = Feed::ahead(ahead);
    let mut blocks = Blocks::new(&mut feed);
    let mut read = vec![0; 200_000];
    let mut len = 0;
    while len < read.len() {
        len += blocks.read(&mut read[len..]).unwrap();
        assert!(matches!(blocks.state, DecodeState::Together(_)));
    }
    assert!(text.starts_with(&read));
}

#[test]
fn a_block_by_itself_is_what_the_library_makes_of_it() {
    let mut chance = Chance(13);
    let mut texts = vec![
        b"a".to_vec(),
        b"ab".repeat(3_000),
        b"abc abc ".repeat(700),
        (0..=255).collect(),
        (0..=255).rev().cycle().take(5_000).collect(),
        vec![b'x'; 4],
        vec![b'x'; 259],
        vec![b'x'; 260],
        vec![0xFF; 70_000],
    ];
    texts.extend((1..40).map(|len| text(&mut chance, len * len * 20)));
    texts.extend((0..20).map(|_| (0..chance.below(3_000)).map(|_| b'0').collect()));
    texts.extend((2..20).map(|round| {
        (0..chance.below(9_000)).map(|_| (chance.below(round) * 7).to_le_bytes()[0]).collect()
    }));
    for text in texts.iter().filter(|text| !text.is_empty()) {
        let bytes = packed(text, 1, usize::MAX);
        let bits = bytes.len() * 8;
        for shift in 0..8 {
            // The stream again, from a later bit of a byte on.
            let mut moved = vec![0; bytes.len() + 1];
            for bit in (0..bits).filter(|bit| bytes[bit / 8] & (0x80 >> (bit % 8)) != 0) {
                flip(&mut moved, bit + shift);
            }
            let block = super::block::decode(&moved, 32 + shift).expect("a block");
            assert!(block.text == *text, "{} bytes, {shift}", text.len());
            assert_eq!(block.next, super::block::Next::End(block.crc));
            assert!((bits - block.bits - 112) < 8);
        }
    }
}

#[test]
fn every_cut_is_seen_alike() {
    let small = &samples()[0].1;
    for end in 0..small.len() {
        hold(&small[..end], [1 << 20, 100][end % 2], end, &format!("cut at {end}"));
    }
    let mut chance = Chance(3);
    for (name, bytes) in samples() {
        for round in 0..5 {
            let end = chance.below(bytes.len());
            hold(&bytes[..end], [1 << 20, 4_000][round % 2], round, &format!("{name} to {end}"));
        }
    }
}

#[test]
fn any_changed_bit_is_seen_alike() {
    let mut chance = Chance(5);
    for (name, bytes) in samples() {
        for round in 0..if bytes.len() < 2_000 { 80 } else { 8 } {
            let (mut bytes, bit) = (bytes.clone(), chance.below(bytes.len() * 8));
            flip(&mut bytes, bit);
            hold(&bytes, [1 << 20, 4_000][round % 2], round, &format!("{name}, bit {bit}"));
        }
    }
}

#[test]
fn wrong_checksums_are_found_and_the_text_before_is_given() {
    // The zeros have one block only, and nothing after garbage is decoded.
    let is_other = |name: &str| matches!(name, "zeros" | "garbage");
    for (name, bytes) in samples().into_iter().filter(|(name, _)| !is_other(name)) {
        let starts = starts(&bytes);
        for round in 0..4 {
            let mut bytes = bytes.clone();
            flip(&mut bytes, starts[starts.len() * round / 4] + 50 + round);
            let seen = hold(&bytes, 1 << 20, round, name);
            let fault = seen.fault.map(|(_, message)| message);
            let message = "cannot unpack bzip2: bzip2: invalid data";
            assert!(fault.as_deref() == Some(message), "{name} {round}: {fault:?}");
        }
    }
}

#[test]
fn no_text_of_a_block_is_given_before_its_checksum_is_verified() {
    let mut chance = Chance(1997);
    let lens = [700, 1, 300, 900, 1_300];
    let blocks: Vec<Vec<u8>> = lens.iter().map(|len| text(&mut chance, *len)).collect();
    let mut encoder = BzEncoder::new(Vec::new(), Compression::fast());
    for block in &blocks {
        encoder.write_all(block).unwrap();
        encoder.flush().unwrap();
    }
    let bytes = encoder.finish().unwrap();
    let ends: Vec<usize> = starts(&bytes)[1..].iter().copied().chain([bytes.len() * 8]).collect();
    for bit in (0..bytes.len()).flat_map(|at| [at * 8 + at % 8, at * 8 + (at + 5) % 8]) {
        let mut bytes = bytes.clone();
        flip(&mut bytes, bit);
        for most in [1 << 20, 100] {
            let seen = hold(&bytes, most, bit, &format!("bit {bit}"));
            let before = ends.iter().filter(|end| **end <= bit).count();
            let given = (0..=blocks.len()).find(|count| seen.text == blocks[..*count].concat());
            // Some bits change no text, and the end of the stream follows the last block.
            let is_last = before + 1 == ends.len();
            let is_right = given == Some(before)
                || given == Some(ends.len()) && (is_last || seen.fault.is_none());
            let fault = &seen.fault;
            assert!(is_right, "bit {bit} after {before}: {given:?} {fault:?} of {ends:?}");
        }
    }
}

#[test]
fn the_text_of_whole_streams_is_that_of_the_library() {
    for (name, bytes) in samples() {
        let mut text = Vec::new();
        let library = bzip2::read::MultiBzDecoder::new(&*bytes).read_to_end(&mut text);
        let seen = hold(&bytes, 3_000, 1, name);
        assert!(seen.text == text, "{name}: {library:?}, {:?}", seen.fault);
    }
}

#[test]
fn long_runs_of_a_block_are_held_too() {
    let mut chance = Chance(45);
    let noise = twin::noise(&mut chance, 20_000);
    let runs: Vec<u8> =
        (0..9_000_usize).flat_map(|it| vec![(it % 7).to_le_bytes()[0]; 500]).collect();
    let text = [&noise[..], &runs, &noise].concat();
    let bytes = packed(&text, 9, usize::MAX);
    assert_eq!(starts(&bytes).len(), 1);
    let mut changed = bytes.clone();
    flip(&mut changed, 50);
    for round in 0..4 {
        assert!(hold(&bytes, 1 << 20, round, "runs").text == text);
        let seen = hold(&changed, 1 << 20, round, "wrong runs");
        assert!(seen.text.is_empty() && seen.fault.is_some());
    }
}

/// A block may contain the bits that blocks begin with: here, they name codes of groups that do not
/// occur, after those that do.
#[test]
fn the_magic_number_inside_of_a_block_is_no_beginning() {
    let mut chance = Chance(11);
    let text = text(&mut chance, 30_000);
    let bytes = packed(&text, 1, 10_000);
    let mut bits: Vec<bool> =
        bytes.iter().flat_map(|byte| (0..8).map(move |bit| byte >> (7 - bit) & 1 == 1)).collect();
    let number = |bits: &[bool]| bits.iter().fold(0_usize, |sum, bit| sum << 1 | usize::from(*bit));
    let (start, count_before) = (starts(&bytes)[1], starts(&bytes).len());
    let map = start + 105;
    let ranges = bits[map..map + 16].iter().filter(|bit| **bit).count();
    let codes_at = map + 16 + 16 * ranges;
    assert!(number(&bits[codes_at..codes_at + 3]) >= 3, "enough codes to name them so");
    let count_at = codes_at + 3;
    let count = number(&bits[count_at..count_at + 15]);
    let mut magic: Vec<bool> = (0..48).rev().map(|bit| MAGIC >> bit & 1 == 1).collect();
    magic.push(false);
    let more = magic.iter().filter(|bit| !**bit).count();
    let ends = bits[count_at + 15..].iter().enumerate().filter(|(_, bit)| !**bit);
    let after = count_at + 16 + ends.map(|(at, _)| at).nth(count - 1).unwrap();
    for (place, bit) in (0..15).rev().enumerate() {
        bits[count_at + place] = (count + more) >> bit & 1 == 1;
    }
    // The end is padded again.
    bits.splice(after..after, magic);
    let bytes: Vec<u8> = bits
        .chunks(8)
        .map(|byte| byte.iter().zip(0..).fold(0, |all, (bit, at)| all | u8::from(*bit) << (7 - at)))
        .collect();
    assert_eq!(starts(&bytes).len(), count_before + 1);
    let seen = hold(&bytes, 1 << 20, 2, "magic");
    assert!(seen.text == text && seen.fault.is_none(), "{:?}", seen.fault);
}
