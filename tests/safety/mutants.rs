//! Hostile archives: the samples of corpus/archives, changed at random from a fixed seed. What
//! unpacks them is mostly not ours; it may refuse them, but neither fail, nor go on without an
//! end, nor take more memory than it is allowed.

use std::fs;
use std::path::{Path, PathBuf};

use super::bombs::limited;
use super::memory::mend;
use super::{directory, write};

/// Changed copies of each sample, read by one run.
const MUTANTS: usize = 1000;

/// Chance: splitmix64 from a fixed seed.
struct Chance(u64);

impl Chance {
    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.number() % limit.max(1) as u64).expect("it is less than a size")
    }

    fn byte(&mut self) -> u8 {
        self.number().to_le_bytes()[0]
    }
}

/// Numbers that lengths and offsets go wrong at.
const EDGES: [u64; 8] =
    [0, 1, 0x7F, 0xFF, 0x7FFF_FFFF, 0xFFFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF, u64::MAX];

/// Changes `bytes` in one way of many.
fn mutate(bytes: &mut Vec<u8>, other: &[u8], chance: &mut Chance) {
    if bytes.is_empty() {
        return;
    }
    let at = chance.below(bytes.len());
    let end = bytes.len().min(at + 1 + chance.below(40));
    match chance.below(8) {
        0 => bytes[at] ^= 1 << chance.below(8),
        1 => bytes[at] = chance.byte(),
        2 => {
            let number = EDGES[chance.below(EDGES.len())].to_le_bytes();
            let len = (bytes.len() - at).min([1, 2, 4, 8][chance.below(4)]);
            bytes[at..at + len].copy_from_slice(&number[..len]);
        }
        3 => drop(bytes.drain(at..end)),
        4 => {
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
        5 => bytes[at..end].fill_with(|| chance.byte()),
        6 => {
            let from = chance.below(other.len());
            bytes.truncate(at);
            bytes.extend_from_slice(&other[from..]);
        }
        _ => bytes.truncate(at),
    }
}

/// Corrects the checksums of a tar archive; otherwise nothing after them would be read.
fn mend_checksums(bytes: &mut [u8]) {
    for block in bytes.chunks_exact_mut(512).filter(|block| &block[257..262] == b"ustar") {
        mend(block);
    }
}

fn samples() -> Vec<PathBuf> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/archives");
    let entries = fs::read_dir(home).expect("the samples");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let is_sample = |path: &PathBuf| path.extension().is_none_or(|end| end != "tsv" && end != "md");
    let mut samples: Vec<PathBuf> = paths.filter(is_sample).collect();
    samples.sort();
    samples
}

/// Reads mutants of every `step`th sample from `first` on.
fn hold(first: usize, step: usize) {
    let samples = samples();
    let contents: Vec<_> = samples.iter().map(|path| fs::read(path).expect("the sample")).collect();
    let mut chance = Chance(first as u64);
    let mut noted = 0;
    let home = directory(&format!("mutants-{first}"));
    for (sample, bytes) in samples.iter().zip(&contents).skip(first).step_by(step) {
        for number in 0..MUTANTS {
            let mut mutant = bytes.clone();
            for _ in 0..=chance.below(4) {
                let other = &contents[chance.below(contents.len())];
                mutate(&mut mutant, other, &mut chance);
            }
            mend_checksums(&mut mutant);
            write(&home, format!("{number:04}"), mutant);
        }
        let run = limited(&home, &["."]);
        let notes = run.notes();
        noted += notes.len();
        let kinds = [
            "archive-broken",
            "archive-truncated",
            "input-packed",
            "length-wrong",
            "limit-reached",
            "trailing-bytes",
            // Compressed data may turn into one letter many times, after the beginning of a URI.
            "uri-too-long",
        ];
        let other: Vec<_> = notes.iter().filter(|(kind, _)| !kinds.contains(kind)).collect();
        assert!(other.is_empty(), "{sample:?}: {other:?}");
        // Each was read, to some end, or is packed in a way that is not read, as some members
        // are.
        let (files, all) = (run.files(), MUTANTS as u64);
        assert!(files <= all && files + run.skipped("packed") >= all, "{sample:?}");
    }
    assert!(noted > MUTANTS, "{noted}");
    let _ = fs::remove_dir_all(home);
}

#[test]
fn mutants_are_read_to_some_end() {
    hold(0, 3);
}

#[test]
fn more_mutants_are_read_to_some_end() {
    hold(1, 3);
}

#[test]
fn still_more_mutants_are_read_to_some_end() {
    hold(2, 3);
}
