//! Compares frames that threads decode with the output of the library, which decodes them one after
//! another.

use std::io::Write as _;
use std::thread;

use zstd::stream::raw::CParameter;
use zstd::stream::write::Encoder;

use super::super::Codec;
use super::super::twin::{self, Chance, Seen, noise};
use super::Search;
use super::search::SHORT_FRAMES_MAX;
use crate::source::container::ahead::{Finder as _, FoundPart};
use crate::source::threads::SpareThreads;

const CODEC: Codec = Codec::Zstd;

#[track_caller]
fn hold(bytes: &[u8], by: (usize, usize), what: &str) -> Seen {
    twin::hold(CODEC, bytes, by, what)
}

/// The parameters of a frame.
#[derive(Clone, Copy)]
struct FrameForm {
    has_checksum: bool,
    is_declared: bool,
    window_log: u32,
    /// Most bytes of a block.
    block_len: usize,
}

const PLAIN: FrameForm =
    FrameForm { has_checksum: true, is_declared: false, window_log: 17, block_len: usize::MAX };

fn frame(text: &[u8], way: FrameForm) -> Vec<u8> {
    let mut encoder = Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(way.has_checksum).unwrap();
    encoder.window_log(way.window_log).unwrap();
    encoder.set_parameter(CParameter::ContentSizeFlag(way.is_declared)).unwrap();
    if way.is_declared {
        encoder.set_pledged_src_size(Some(text.len() as u64)).unwrap();
    }
    for block in text.chunks(way.block_len) {
        encoder.write_all(block).unwrap();
        if block.len() == way.block_len {
            encoder.flush().unwrap();
        }
    }
    encoder.finish().unwrap()
}

fn skippable(len: usize) -> Vec<u8> {
    let head = [0x184D_2A50_u32, u32::try_from(len).unwrap()].map(u32::to_le_bytes);
    [&*head.concat(), &vec![7; len]].concat()
}

/// Returns a text of about `len` bytes that packs to more than the least length of a frame.
fn long(chance: &mut Chance, len: usize) -> Vec<u8> {
    twin::long(chance, 66_000, len)
}

/// Frames of many forms, and what may be between and after them.
fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let mut chance = Chance(1996);
    let mut some = |way: FrameForm, count: usize, len: usize| {
        let texts: Vec<Vec<u8>> = (0..count).map(|_| long(&mut chance, len)).collect();
        texts.iter().flat_map(|text| frame(text, way)).collect::<Vec<u8>>()
    };
    let plain = some(PLAIN, 4, 300_000);
    let bare = some(FrameForm { has_checksum: false, ..PLAIN }, 3, 300_000);
    let declared = some(FrameForm { is_declared: true, ..PLAIN }, 3, 20_000);
    let bare_declared =
        some(FrameForm { is_declared: true, has_checksum: false, ..PLAIN }, 3, 150_000);
    let narrow = some(FrameForm { window_log: 10, has_checksum: false, ..PLAIN }, 3, 30_000);
    let blocks = some(FrameForm { block_len: 1_000, ..PLAIN }, 3, 30_000);
    let zeros = frame(&vec![0; 3_000_000], PLAIN);
    let small = frame(b"http://h.example/small", PLAIN);
    let empty = frame(b"", FrameForm { is_declared: true, ..PLAIN });
    let noted: Vec<u8> =
        [&*skippable(4), &plain, &skippable(4), &bare, &skippable(90_000), &declared].concat();
    vec![
        ("plain", plain.clone()),
        ("bare", bare.clone()),
        ("declared", declared.clone()),
        ("bare and declared", bare_declared),
        ("narrow", narrow),
        ("blocks", blocks.clone()),
        ("noted", noted),
        ("mixed", [&*small, &empty, &plain, &zeros, &small, &bare, &[0; 9], &blocks].concat()),
        ("garbage", [&*bare, b"garbage", &*declared].concat()),
        ("header", [&*plain, b"\x28\xB5\x2F\xFD"].concat()),
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
            assert!(seen.fault.is_none() || name == "header", "{name}: {:?}", seen.fault);
        }
        let alone = twin::seen(CODEC, &bytes, (1 << 20, 1), None);
        let spawning = SpareThreads::new(3, |task| drop(thread::spawn(task)));
        for spare_threads in [SpareThreads::new(2, drop), spawning] {
            assert!(
                twin::seen(CODEC, &bytes, (1 << 20, 1), Some(spare_threads)) == alone,
                "{name}"
            );
        }
    }
}

#[test]
fn all_frames_but_small_ones_are_found_and_decoded() {
    let counts = [4, 3, 3, 3, 3, 3, 10, 10, 3, 4];
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
fn a_single_frame_is_left_to_its_decoder() {
    let mut chance = Chance(2);
    let one = frame(&long(&mut chance, 100_000), PLAIN);
    assert!(found(&one).is_empty());
    assert_eq!(found(&[&*one, &*one].concat()).len(), 2);
}

#[test]
fn frames_that_are_too_long_are_left_to_their_decoder() {
    let huge = vec![0; 40_000_000];
    let mut chance = Chance(2);
    let one = frame(&long(&mut chance, 100_000), PLAIN);
    for way in [PLAIN, FrameForm { is_declared: true, ..PLAIN }] {
        let bytes = [&*frame(&huge, way), &*one, &*one].concat();
        assert_eq!(found(&bytes).len(), 2);
        hold(&bytes, (1 << 20, 3), "huge");
    }
}

#[test]
fn short_frames_are_not_read_ahead() {
    let mut search = Search::default();
    let short = frame(b"http://h.example", PLAIN);
    for _ in 1..SHORT_FRAMES_MAX {
        search.pass(&short, &mut Vec::new());
    }
    assert!(search.is_hopeful());
    search.pass(&short, &mut Vec::new());
    assert!(!search.is_hopeful());
    search.pass(&frame(&long(&mut Chance(4), 0), PLAIN), &mut Vec::new());
    assert!(search.is_hopeful());
}

#[test]
fn every_cut_is_seen_alike() {
    let mut chance = Chance(3);
    let way = FrameForm { window_log: 10, ..PLAIN };
    let small = [frame(&long(&mut chance, 900), way), frame(b"http://h.example", way)].concat();
    let small = [&*small, &*frame(&long(&mut chance, 90), way)].concat();
    for end in (0..small.len()).rev().filter(|end| end % 397 == 0 || small.len() - end < 60) {
        hold(&small[..end], ([1 << 20, 100][end % 2], end), &format!("cut at {end}"));
    }
    twin::hold_cut(CODEC, &samples(), 6, &mut chance);
}

#[test]
fn any_changed_bit_is_seen_alike() {
    twin::hold_changed(CODEC, &samples());
}

#[test]
fn frames_of_any_length_are_seen_alike() {
    let mut chance = Chance(8);
    for round in 0..40 {
        let bytes: Vec<u8> = (0..2 + chance.below(3))
            .flat_map(|_| {
                let way = FrameForm {
                    has_checksum: chance.below(2) == 0,
                    is_declared: chance.below(2) == 0,
                    window_log: 10 + u32::try_from(chance.below(10)).unwrap(),
                    block_len: [usize::MAX, 1 + chance.below(200_000)][chance.below(2)].max(500),
                };
                let len = 1 << chance.below(18);
                frame(&long(&mut chance, len), way)
            })
            .collect();
        let most = [1 << 20, 1 + chance.below(70_000)][round % 2].max(50);
        hold(&bytes, (most, chance.below(12)), &format!("round {round}"));
    }
}

/// The limit is reached inside of a frame that another thread has decoded.
#[test]
fn the_limit_of_the_ratio_is_reached_alike() {
    let (mut chance, zeros) = (Chance(4), vec![0; 30_000_000]);
    let noise = noise(&mut chance, 66_000);
    let texts = [[&*noise, &zeros].concat(), zeros.clone(), [&*zeros, &noise].concat()];
    let bytes: Vec<u8> = texts.iter().flat_map(|text| frame(text, PLAIN)).collect();
    assert_eq!(found(&bytes).len(), 2);
    for round in [2, 3] {
        let seen = hold(&bytes, (1 << 20, round), "sparse");
        let fault = seen.fault.map(|(_, message)| message).unwrap_or_default();
        assert!(fault.contains("bytes were made of"), "{fault}");
        assert!(seen.text.len() > 61_000_000);
    }
}
