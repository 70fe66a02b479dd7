//! Compares streams that threads decode in parts with the same streams read by one decoder.

use std::io::{self, Read, Write as _};

use super::{Codec, Unpacked, feed};
use crate::source::container::ahead::{Finder, FoundPart};
use crate::source::container::fault::Fault;
use crate::source::container::{Budget, Feed, Meter};
use crate::source::threads::SpareThreads;

/// Numbers by chance.
pub(super) struct Chance(pub(super) u64);

impl Chance {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

/// An input that gives so many bytes at once, and counts them.
struct Counting<'b> {
    bytes: &'b [u8],
    most: usize,
    budget: &'b Budget,
}

impl Read for Counting<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = self.most.min(out.len());
        let len = self.bytes.read(&mut out[..most])?;
        self.budget.read(len as u64);
        if len == 0 {
            self.budget.set_at_end(true);
        }
        Ok(len)
    }
}

/// Packed bytes, and what is particular about them.
pub(super) type Sample = (&'static str, Vec<u8>);

/// All that a caller sees of a decoder.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// The length of each read, and the number of packed bytes that were counted before its end.
    pub(super) lens: Vec<(usize, u64)>,
    pub(super) text: Vec<u8>,
    pub(super) fault: Option<(Option<u64>, String)>,
    pub(super) trailing: Option<(u64, String)>,
    pub(super) taken: u64,
    pub(super) counted: u64,
    pub(super) is_at_end: bool,
}

/// Reads `bytes`, of which the first number of `by` comes at a time, into buffers of lengths that
/// depend on the second.
pub(super) fn seen(
    codec: Codec,
    bytes: &[u8],
    by: (usize, usize),
    spare_threads: Option<SpareThreads>,
) -> Seen {
    let open: Open = |codec, input, budget| feed(codec, input, budget, true);
    seen_of(codec, bytes, by, &Budget::with(spare_threads), open)
}

/// Reads `bytes` as [`seen`] does, but a packed byte at a time.
pub(super) fn seen_slowly(codec: Codec, bytes: &[u8]) -> Seen {
    let open: Open = |_, input, _| Feed::new(input);
    seen_of(codec, bytes, (1, 0), &Budget::default(), open)
}

/// Returns the feed of packed bytes.
type Open = for<'i> fn(Codec, &'i mut dyn Read, &'i Budget) -> Feed<'i>;

fn seen_of(
    codec: Codec,
    bytes: &[u8],
    (most, round): (usize, usize),
    budget: &Budget,
    open: Open,
) -> Seen {
    let mut input = Counting { bytes, most, budget };
    let mut feed = open(codec, &mut input, budget);
    let meter = Meter::new(budget, 1, u64::MAX);
    let mut unpacked = Unpacked::all(codec, &mut feed, meter);
    let mut buffer = vec![0; [100, 3_000, 70_000, 700_000][round % 4]];
    let (mut lens, mut text, mut fault) = (Vec::new(), Vec::new(), None);
    for call in 1.. {
        let end = if round.is_multiple_of(3) { buffer.len() } else { buffer.len() - call % 90 };
        match unpacked.read(&mut buffer[..end]) {
            Ok(0) => break,
            Ok(len) => {
                lens.push((len, budget.bytes()));
                text.extend_from_slice(&buffer[..len]);
            }
            Err(error) => {
                let error = Fault::about(1, error).unwrap();
                fault = Some((error.offset, error.to_string()));
                break;
            }
        }
    }
    let trailing = unpacked.trailing();
    let taken = feed.consumed();
    Seen {
        lens,
        text,
        fault,
        trailing,
        taken,
        counted: budget.bytes(),
        is_at_end: budget.is_at_end(),
    }
}

/// Returns two threads whose tasks are done when they are given.
pub(super) fn at_once() -> SpareThreads {
    SpareThreads::new(2, |task| task())
}

/// Holds what is seen of threads that decode blocks against what is seen of one decoder.
#[track_caller]
pub(super) fn hold(codec: Codec, bytes: &[u8], by: (usize, usize), what: &str) -> Seen {
    let alone = seen(codec, bytes, by, None);
    let together = seen(codec, bytes, by, Some(at_once()));
    assert!(alone.text == together.text, "{what}: {} {}", alone.text.len(), together.text.len());
    assert_eq!(alone, together, "{what}");
    alone
}

/// Holds `samples` that end anywhere, each `rounds` times.
#[track_caller]
pub(super) fn hold_cut(codec: Codec, samples: &[Sample], rounds: usize, chance: &mut Chance) {
    for (name, bytes) in samples {
        for round in 0..rounds {
            let end = chance.below(bytes.len());
            let by = ([1 << 20, 4_000][round % 2], round);
            hold(codec, &bytes[..end], by, &format!("{name} to {end}"));
        }
    }
}

/// Holds `samples` with any bit changed, each some times.
#[track_caller]
pub(super) fn hold_changed(codec: Codec, samples: &[Sample]) {
    let mut chance = Chance(5);
    for (name, bytes) in samples {
        for round in 0..8 {
            let (mut bytes, bit) = (bytes.clone(), chance.below(bytes.len() * 8));
            bytes[bit / 8] ^= 1 << (bit % 8);
            hold(
                codec,
                &bytes,
                ([1 << 20, 4_000][round % 2], round),
                &format!("{name}, bit {bit}"),
            );
        }
    }
}

/// Returns bytes that cannot be packed.
pub(super) fn noise(chance: &mut Chance, len: usize) -> Vec<u8> {
    (0..len).map(|_| chance.below(256).to_le_bytes()[0]).collect()
}

/// Returns a text of about `len` bytes more than `least`, of which so many cannot be packed.
pub(super) fn long(chance: &mut Chance, least: usize, len: usize) -> Vec<u8> {
    let mut long = noise(chance, least + len / 50);
    let at = chance.below(long.len());
    long.splice(at..at, text(chance, len));
    long
}

/// Returns the parts that `search` finds in `bytes`.
pub(super) fn found(mut search: impl Finder, bytes: &[u8]) -> Vec<FoundPart> {
    let mut found = Vec::new();
    bytes.chunks(1_000).for_each(|chunk| search.pass(chunk, &mut found));
    search.finish(&mut found);
    found
}

/// Returns text of about `len` bytes.
pub(super) fn text(chance: &mut Chance, len: usize) -> Vec<u8> {
    let mut text = Vec::new();
    while text.len() < len {
        match chance.below(40) {
            0 => text.extend(std::iter::repeat_n(b'=', chance.below(600))),
            1 => text.extend((0..chance.below(60)).map(|_| chance.below(256).to_le_bytes()[0])),
            2 => text.extend_from_slice(b"\n\n"),
            _ => {
                let _ = write!(text, "http://h{}.example/{} ", chance.below(50), chance.below(9));
            }
        }
    }
    text
}
