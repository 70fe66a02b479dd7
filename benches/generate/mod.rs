//! Buffers of any size for the benches, one generator a kind, from the seeds in
//! `corpus/bench`.
//!
//! The same kind and size give the same bytes everywhere and always: chance comes from a
//! generator of our own with a fixed seed. Not a model of language: lines and words are
//! recombined so that no buffer repeats with a short period, which is what a scanner that
//! learns branches would profit from.

mod seed;

use seed::Seed;

/// One kind of text.
#[derive(Debug)]
pub(crate) struct Kind {
    /// Name in options, tables and records.
    pub(crate) name: &'static str,
    /// The seed's text.
    pub(crate) text: &'static str,
    /// The list of the seed that a buffer is a run of.
    pub(crate) root: &'static str,
}

const MAIL: &str = include_str!("../../corpus/bench/mail.txt");

/// Every kind, in the order that tables list them.
pub(crate) const KINDS: &[Kind] = &[
    Kind { name: "mail", text: MAIL, root: "message" },
    Kind { name: "mail-dense", text: MAIL, root: "dense-message" },
    Kind { name: "rfc", text: include_str!("../../corpus/bench/rfc.txt"), root: "section" },
    Kind { name: "html", text: include_str!("../../corpus/bench/html.txt"), root: "page" },
    Kind { name: "log", text: include_str!("../../corpus/bench/log.txt"), root: "entry" },
    Kind {
        name: "uri-free",
        text: include_str!("../../corpus/bench/uri-free.txt"),
        root: "passage",
    },
];

/// The kind called `name`.
pub(crate) fn find(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// Writes one kind, piece after piece.
pub(crate) struct Generator {
    seed: Seed,
    root: usize,
    chance: Chance,
}

impl Generator {
    /// A generator at the beginning of its sequence.
    pub(crate) fn new(kind: &Kind) -> Self {
        let seed = Seed::parse(kind.text);
        let root = seed.list(kind.root);
        Self { seed, root, chance: Chance::new() }
    }

    /// Appends whole messages, pages or lines until `out` holds at least `len` bytes.
    pub(crate) fn fill(&mut self, len: usize, out: &mut Vec<u8>) {
        while out.len() < len {
            self.seed.expand(self.root, &mut self.chance, out);
        }
    }
}

/// A buffer of at least `len` bytes of `kind`, longer by less than one message or page.
pub(crate) fn buffer(kind: &Kind, len: usize) -> Vec<u8> {
    // Room for the last piece, so that a large buffer is not moved for its sake.
    let mut out = Vec::with_capacity(len + (1 << 20));
    Generator::new(kind).fill(len, &mut out);
    out
}

/// Chance: `xorshift64*` (Marsaglia 2003, Vigna 2016). Good enough to choose words by.
pub(crate) struct Chance(u64);

impl Chance {
    fn new() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }

    /// 64 bits by chance; the high ones are the better ones.
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `end`, which is small: the bias is then far below what matters here.
    fn below(&mut self, end: u64) -> u64 {
        (self.next() >> 32) % end.max(1)
    }

    /// A number between the two, both included.
    fn between(&mut self, range: (u64, u64)) -> u64 {
        range.0 + self.below(range.1 - range.0 + 1)
    }
}
