//! The bodies of the fuzz targets, for a bounded count, without a fuzzer: on their seeds, and on
//! copies of these that are changed at random from a fixed seed.
//!
//! It searches no farther than one change after the other; libFuzzer does, in `tests/fuzz`.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test says what must hold by panicking"
)]

#[path = "../fuzz/bodies/mod.rs"]
mod bodies;

use std::collections::BTreeSet;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};

use crate::support::chance::Chance;
use bodies::{Cost, TARGETS, Target};

/// Bytes of a seed: longer ones are cut, so that changes meet what is read.
const SEED_BYTES_MAX: usize = 8 * 1024;
/// Seeds of one target.
const SEEDS_MAX: usize = 400;
/// Changes of one input.
const CHANGES_MAX: usize = 4;
/// Numbers that lengths and offsets go wrong at.
const EDGES: [u64; 7] = [0, 1, 0x7F, 0xFF, 0xFFFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF, u64::MAX];

/// Executions of a target of each cost: some seconds of each at most.
const fn executions(cost: Cost) -> usize {
    match cost {
        Cost::Memory => 2000,
        Cost::Input => 300,
        Cost::System => 40,
    }
}

fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// The files below `path`, or itself, in the order of their names.
fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let below = |path: &&str| walkdir::WalkDir::new(home().join(path)).sort_by_file_name();
    let entries = target.seeds.iter().flat_map(|path| below(path).into_iter());
    let files = entries.map(|entry| entry.expect("the corpus can be read"));
    let files = files.filter(|entry| entry.file_type().is_file()).take(SEEDS_MAX);
    files.map(|entry| fs::read(entry.path()).expect("a seed")).map(cut).collect()
}

fn cut(mut seed: Vec<u8>) -> Vec<u8> {
    seed.truncate(SEED_BYTES_MAX);
    seed
}

/// Changes `bytes` in one way of many.
fn change(bytes: &mut Vec<u8>, other: &[u8], chance: &mut Chance) {
    if bytes.is_empty() {
        return bytes.extend_from_slice(other);
    }
    let at = chance.below(bytes.len());
    let end = bytes.len().min(at + 1 + chance.below(40));
    match chance.below(7) {
        0 => bytes[at] ^= 1 << chance.below(8),
        1 => bytes[at] = other.get(at).copied().unwrap_or(b'\n'),
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
        5 => {
            bytes.truncate(at);
            bytes.extend_from_slice(&other[chance.below(other.len().max(1)).min(other.len())..]);
        }
        _ => bytes.truncate(at),
    }
}

/// Runs `input`; gives it as a failure where the target panics.
fn failure(target: &Target, input: &[u8]) -> Option<String> {
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    outcome.err().map(|_| format!("{} fails on \"{}\"", target.name, input.escape_ascii()))
}

fn fuzz(target: &Target) -> Option<String> {
    let seeds = seeds(target);
    assert!(!seeds.is_empty(), "{} has no seed", target.name);
    if let Some(failure) = seeds.iter().find_map(|seed| failure(target, seed)) {
        return Some(failure);
    }
    let mut chance = Chance(0x5EED);
    (0..executions(target.cost)).find_map(|_| {
        let mut input = seeds[chance.below(seeds.len())].clone();
        for _ in 0..=chance.below(CHANGES_MAX) {
            change(&mut input, &seeds[chance.below(seeds.len())], &mut chance);
        }
        failure(target, &input)
    })
}

fn holds(cost: Cost) {
    let chosen = TARGETS.iter().filter(|target| target.cost == cost);
    let failures: Vec<String> = chosen.filter_map(fuzz).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn parsers_in_memory_hold() {
    holds(Cost::Memory);
}

#[test]
fn readers_of_inputs_hold() {
    holds(Cost::Input);
}

#[test]
fn readers_of_files_and_connections_hold() {
    holds(Cost::System);
}

#[test]
fn every_target_has_a_program() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/Cargo.toml");
    let text = fs::read_to_string(&manifest).expect("the manifest of the fuzzer");
    let programs = text.split("\n[[bin]]\nname = \"").skip(1);
    let programs: BTreeSet<_> = programs.map(|program| program.split('"').next()).collect();
    let rows: BTreeSet<_> = TARGETS.iter().map(|target| Some(target.name)).collect();
    assert_eq!(programs, rows);
    for name in rows.into_iter().flatten() {
        let program = manifest.with_file_name("targets").join(name).with_extension("rs");
        let text = fs::read_to_string(program).expect("the program of the target");
        assert!(text.contains(&format!("run(\"{name}\", bytes)")), "{name} runs another body");
    }
}
