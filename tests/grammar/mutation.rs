//! Texts that are nearly right: rows of the case table with a few changes, the same ones on
//! every run.

use crate::cases;

/// Longest row that is changed: the long rows would cost all the time and teach nothing.
const SEED_LEN_MAX: usize = 200;

/// Bytes that delimit something, begin something or are refused nearly everywhere.
const BYTES: &[u8] = b":/?#[]@%!$&'()*+,;=-._~ \t\"<>\\^`{|}\x00\x7F\xC3\xEF\xFFaAfFgGvVzZ0123569";

/// Characters at the edges of ucschar and iprivate (RFC 3987 section 2.2).
const CHARACTERS: [char; 12] = [
    '\u{80}',
    '\u{9F}',
    '\u{A0}',
    '\u{E9}',
    '\u{D7FF}',
    '\u{E000}',
    '\u{F900}',
    '\u{FDD0}',
    '\u{FFEF}',
    '\u{FFF0}',
    '\u{1FFFE}',
    '\u{F0000}',
];

/// Marsaglia's xorshift with 64 bits: enough to choose places by.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `bound`, which is not zero.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() >> 16).unwrap() % bound
    }

    fn choose<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }
}

/// An endless row of mutated seeds.
pub(crate) struct Mutants {
    seeds: Vec<Vec<u8>>,
    random: Random,
}

impl Mutants {
    pub(crate) fn new(seed: u64) -> Self {
        let rows = cases::all().into_iter().map(|case| case.input);
        let seeds = rows.filter(|input| input.len() <= SEED_LEN_MAX).collect();
        Self { seeds, random: Random::new(seed) }
    }

    /// Replaces `text` with a mutant.
    pub(crate) fn write(&mut self, text: &mut Vec<u8>) {
        text.clear();
        let random = &mut self.random;
        text.extend(random.choose(&self.seeds));
        for _ in 0..random.below(4) {
            let at = random.below(text.len() + 1);
            let end = at + random.below((text.len() - at).min(8) + 1);
            match random.below(6) {
                0 => drop(text.drain(at..end)),
                1 => text.insert(at, *random.choose(BYTES)),
                2 if at < text.len() => text[at] = *random.choose(BYTES),
                3 => {
                    let again = text[at..end].to_vec();
                    text.splice(at..at, again);
                }
                4 => {
                    let mut buffer = [0; 4];
                    let bytes = random.choose(&CHARACTERS).encode_utf8(&mut buffer).bytes();
                    text.splice(at..at, bytes.collect::<Vec<_>>());
                }
                _ => {
                    let other = random.choose(&self.seeds);
                    let cut = random.below(other.len() + 1);
                    text.truncate(at);
                    text.extend(&other[cut..]);
                }
            }
        }
    }
}
