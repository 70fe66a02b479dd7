//! Compares blocks that threads decode with the output of the library, which decodes them one after
//! another.

use std::thread;

use liblzma::stream::{Action, Check, Status, Stream};

use super::super::Codec;
use super::super::twin::{self, Chance, Seen, noise};
use super::{Before, Blocks, DecodeState, Search};
use crate::source::container::ahead::{Ahead, FoundPart};
use crate::source::container::{Budget, Feed};
use crate::source::threads::SpareThreads;

const CODEC: Codec = Codec::Xz;

#[track_caller]
fn hold(bytes: &[u8], by: (usize, usize), what: &str) -> Seen {
    twin::hold(CODEC, bytes, by, what)
}

/// Packs each text as a block of one stream.
fn stream(texts: &[Vec<u8>], check: Check) -> Vec<u8> {
    let mut encoder = Stream::new_easy_encoder(0, check).unwrap();
    let mut packed = Vec::new();
    for text in texts {
        let mut rest = &text[..];
        loop {
            packed.reserve(1 << 16);
            let before = encoder.total_in();
            let status = encoder.process_vec(rest, &mut packed, Action::FullFlush).unwrap();
            rest = &rest[usize::try_from(encoder.total_in() - before).unwrap()..];
            if status == Status::StreamEnd {
                break;
            }
        }
    }
    loop {
        packed.reserve(1 << 16);
        if encoder.process_vec(&[], &mut packed, Action::Finish).unwrap() == Status::StreamEnd {
            return packed;
        }
    }
}

/// Returns a text of about `len` bytes that packs to more than the least length of a block.
fn long(chance: &mut Chance, len: usize) -> Vec<u8> {
    twin::long(chance, 18_000, len)
}

/// Streams of blocks of many lengths, and what may be after them.
fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let mut chance = Chance(1996);
    let mut some = |count: usize, len: usize| -> Vec<Vec<u8>> {
        (0..count).map(|_| long(&mut chance, len)).collect()
    };
    let plain = stream(&some(4, 400_000), Check::Crc64);
    let short = stream(&some(5, 5_000), Check::Crc32);
    let unchecked = stream(&some(3, 9_000), Check::None);
    let long = stream(&some(2, 3_000_000), Check::Sha256);
    let mut mixed = some(3, 20_000);
    mixed.insert(2, b"http://h.example/small".to_vec());
    mixed.push(vec![0; 2_000_000]);
    let mixed = stream(&mixed, Check::Crc64);
    vec![
        ("plain", plain.clone()),
        ("short", short.clone()),
        ("unchecked", unchecked.clone()),
        ("long", long),
        ("mixed", mixed.clone()),
        ("streams", [&*plain, &[0; 8], &short, &mixed].concat()),
        ("garbage", [&*short, b"garbage", &*plain].concat()),
        ("padded", [&*mixed, &[0; 5][..]].concat()),
    ]
}

fn found(bytes: &[u8]) -> Vec<FoundPart> {
    twin::found(Search::default(), bytes)
}

#[test]
fn whole_streams_are_decoded_together() {
    for (name, bytes) in samples() {
        for (round, most) in [1 << 20, 777, 5_000, 65_536].into_iter().enumerate() {
            let seen = hold(&bytes, (most, round), name);
            assert!(seen.fault.is_none(), "{name}: {:?}", seen.fault);
        }
        let alone = twin::seen(CODEC, &bytes, (1 << 20, 3), None);
        let spawning = SpareThreads::new(3, |task| drop(thread::spawn(task)));
        for spare_threads in [SpareThreads::new(2, drop), spawning] {
            assert!(
                twin::seen(CODEC, &bytes, (1 << 20, 3), Some(spare_threads)) == alone,
                "{name}"
            );
        }
    }
}

#[test]
fn all_blocks_but_small_ones_are_found_and_decoded() {
    let counts = [4, 5, 0, 2, 3, 4, 5, 3];
    for ((name, bytes), count) in samples().into_iter().zip(counts) {
        let found = found(&bytes);
        assert_eq!(found.len(), count, "{name}");
        assert!(found.is_sorted_by_key(|it| it.at), "{name}");
        let is_decoded =
            |it: FoundPart| (it.decode)(Vec::new()).is_some_and(|part| part.end > it.at);
        assert!(found.into_iter().all(is_decoded), "{name}");
    }
}

#[test]
fn the_blocks_of_others_are_taken() {
    for (name, bytes) in samples().into_iter().filter(|(name, _)| *name != "unchecked") {
        let (budget, mut input) = (Budget::default(), &bytes[..]);
        let search = Box::new(Search::default());
        let mut feed = Feed::ahead(Ahead::new(&mut input, &budget, twin::at_once(), search));
        let before = Before { memory_max: 1 << 30, start: 0, made: 0 };
        let mut blocks = Blocks::new(&mut feed, before);
        blocks.read(&mut [0; 7]).unwrap();
        assert!(matches!(blocks.state, DecodeState::Together(_)), "{name}");
    }
}

#[test]
fn a_single_block_is_left_to_its_decoder() {
    let mut chance = Chance(2);
    let one = stream(&[long(&mut chance, 100_000)], Check::Crc64);
    assert!(found(&one).is_empty());
}

#[test]
fn every_cut_is_seen_alike() {
    let mut chance = Chance(3);
    let small = stream(&[long(&mut chance, 90), long(&mut chance, 900)], Check::Crc64);
    for end in (0..small.len()).rev().filter(|end| end % 97 == 0 || small.len() - end < 60) {
        hold(&small[..end], ([1 << 20, 100][end % 2], end), &format!("cut at {end}"));
    }
    twin::hold_cut(CODEC, &samples(), 5, &mut chance);
}

#[test]
fn any_changed_bit_is_seen_alike() {
    twin::hold_changed(CODEC, &samples());
}

#[test]
fn blocks_of_any_length_are_seen_alike() {
    let mut chance = Chance(8);
    for round in 0..24 {
        let lens = (0..2 + chance.below(4)).map(|_| 1 << chance.below(17)).collect::<Vec<_>>();
        let texts: Vec<_> = lens.into_iter().map(|len| long(&mut chance, len)).collect();
        let check = [Check::Crc32, Check::Crc64, Check::Sha256][round % 3];
        let mut bytes = stream(&texts, check);
        if round % 4 == 3 {
            let bit = chance.below(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        let most = [1 << 20, 50 + chance.below(70_000)][round % 2];
        hold(&bytes, (most, chance.below(12)), &format!("round {round}"));
    }
}

/// The index and the footer are not checked by the library where other threads decode the blocks.
#[test]
fn any_changed_byte_of_the_end_is_seen_alike() {
    let mut chance = Chance(6);
    let texts = [long(&mut chance, 90), long(&mut chance, 900), long(&mut chance, 20)];
    for texts in [&texts[..], &[&texts[..], &[b"small".to_vec()]].concat()] {
        let bytes = stream(texts, Check::Crc32);
        let index_len = 48;
        for at in bytes.len() - index_len..bytes.len() {
            for bit in 0..8 {
                let mut bytes = bytes.clone();
                bytes[at] ^= 1 << bit;
                let round = [2, 3, 0][(at + bit) % 3];
                let seen = hold(&bytes, ([1 << 20, 100][bit % 2], round), &format!("{at}, {bit}"));
                assert!(seen.fault.is_some(), "{at}, {bit}");
            }
        }
    }
}

/// The records of the index are right by themselves, but in another order, or another number.
#[test]
fn an_index_of_other_blocks_is_seen_alike() {
    let mut chance = Chance(9);
    let texts = [long(&mut chance, 90), long(&mut chance, 900), long(&mut chance, 20_000)];
    let [a, b, c] = &texts;
    let streams = [
        stream(&texts, Check::Crc32),
        stream(&[a.clone(), c.clone(), b.clone()], Check::Crc32),
        stream(&[a.clone(), b.clone()], Check::Crc32),
        stream(&[a.clone(), b.clone(), c.clone(), a.clone()], Check::Crc32),
        stream(&[a.clone(), b.clone(), c[1..].to_vec()], Check::Crc32),
        stream(&texts, Check::Crc64),
    ];
    let ends: Vec<usize> = streams.iter().map(|bytes| end_of_blocks(bytes)).collect();
    for (blocks, block_end) in streams.iter().zip(&ends) {
        for (index, index_start) in streams.iter().zip(&ends) {
            let bytes = [&blocks[..*block_end], &index[*index_start..]].concat();
            for (round, most) in [(2, 1 << 20), (3, 100), (0, 1 << 20)] {
                hold(&bytes, (most, round), "index");
            }
        }
    }
}

/// Returns the offset of the index.
fn end_of_blocks(bytes: &[u8]) -> usize {
    let mut walk = super::Walk::new();
    let mut at = 0;
    loop {
        let (len, event) = walk.pass(&bytes[at..]);
        at += len;
        if event == Some(super::Event::Index) {
            return at;
        }
    }
}

/// Returns bytes that cannot be packed, and then zeros, which pack to nearly nothing.
fn sparse(chance: &mut Chance) -> Vec<u8> {
    let mut text = noise(chance, 17_000);
    text.resize(25_000_000, 0);
    text
}

#[test]
fn the_limit_of_the_ratio_is_reached_alike() {
    let mut chance = Chance(4);
    let texts: Vec<Vec<u8>> = (0..4).map(|_| sparse(&mut chance)).collect();
    let bytes = stream(&texts, Check::Crc32);
    assert_eq!(found(&bytes).len(), 4);
    for round in [2, 3] {
        let seen = hold(&bytes, (1 << 20, round), "sparse");
        let fault = seen.fault.map(|(_, message)| message).unwrap_or_default();
        assert!(fault.contains("bytes were made of"), "{fault}");
    }
}
