//! The tables against the derivatives: verdict, offset and expected bytes of every short text.
//!
//! Every means: one byte of each class of bytes that the derivative of a prefix does not
//! distinguish, chosen anew for each prefix. A byte that the library distinguishes by mistake is
//! found all the same, since it is in the expected bytes or missing there.

use std::collections::{BTreeMap, VecDeque};

use linktrawl::internal::grammar::{self, Grammar};

use crate::automaton::{Automaton, DEAD};
use crate::cases;
use crate::language::{LANGUAGES, Language, judged_by_library};
use crate::mutation::{Mutants, Random};

/// Maximum number of texts to try after one opening: enough for lengths of 6 and more, and few
/// seconds for all openings together.
const TEXTS_MAX: usize = 30_000;

/// A level has fewer than so many texts for each of the level before.
const GROWTH_MAX: usize = 6;

/// Minimum number of bytes that follow an opening.
const DEPTH_MIN: usize = 5;

/// Number of bytes that follow the shortest text that leads to a state.
const DEPTH_OF_STATES: usize = 2;

const MUTANTS: usize = 20_000;

/// One automaton of a document.
struct Trial {
    grammar: &'static dyn Grammar,
    language: &'static Language,
    automaton: &'static Automaton,
    random: Random,
    count: usize,
}

impl Trial {
    fn new(name: &str, language: &'static Language, automaton: &'static Automaton) -> Self {
        let grammar = grammar::find(name).unwrap();
        Self { grammar, language, automaton, random: Random::new(0xD1CE), count: 0 }
    }

    /// Every automaton with its scheme, which is empty for the one without.
    fn all() -> impl Iterator<Item = (&'static str, Self)> {
        LANGUAGES.iter().flat_map(|(name, language)| {
            let own = language.routes.iter().map(|(scheme, own)| (scheme.as_str(), own));
            let all = own.chain([("", &language.rest)]);
            all.map(move |(scheme, automaton)| (scheme, Self::new(name, language, automaton)))
        })
    }

    /// Returns a byte of each class that `state` distinguishes, and the state that it leads to.
    fn ways(&mut self, state: usize) -> Vec<(u8, usize)> {
        let mut ways = Vec::new();
        for class in self.automaton.classes(state) {
            let idx = self.random.below(class.iter().count());
            let byte = class.iter().nth(idx).unwrap();
            ways.push((byte, self.automaton.step(state, byte)));
        }
        ways
    }

    /// Tries all texts that are `text` and `depth` more bytes, of which those after the one
    /// where they leave are spared.
    fn descend(&mut self, text: &mut Vec<u8>, state: usize, depth: usize) {
        if depth == 0 || state == DEAD {
            self.count += 1;
            return agree(self.grammar, self.language, text);
        }
        for (byte, to) in self.ways(state) {
            text.push(byte);
            self.descend(text, to, depth - 1);
            text.pop();
        }
    }

    /// Tries longer and longer texts that begin with `opening`, as long as they are not too many.
    fn deepen(&mut self, opening: &str) {
        let step = |state, byte| self.automaton.step(state, byte);
        let state = opening.bytes().fold(self.automaton.start, step);
        if state == DEAD {
            return self.descend(&mut opening.as_bytes().to_vec(), state, 0);
        }
        self.count = 0;
        for depth in 0.. {
            let before = self.count;
            self.descend(&mut opening.as_bytes().to_vec(), state, depth);
            let grown = (self.count - before) * GROWTH_MAX;
            if depth >= DEPTH_MIN && self.count + grown > TEXTS_MAX {
                return;
            }
        }
    }

    /// A shortest text that leads to each state.
    fn reach(&mut self) -> BTreeMap<usize, Vec<u8>> {
        let start = self.automaton.start;
        let mut texts = BTreeMap::from([(start, Vec::new())]);
        let mut queue = VecDeque::from([start]);
        while let Some(state) = queue.pop_front() {
            for (byte, to) in self.ways(state) {
                if to != DEAD && !texts.contains_key(&to) {
                    texts.insert(to, [texts[&state].as_slice(), &[byte]].concat());
                    queue.push_back(to);
                }
            }
        }
        texts
    }
}

#[track_caller]
fn agree(grammar: &dyn Grammar, language: &Language, text: &[u8]) {
    let (found, wanted) = (judged_by_library(grammar, text), language.judge(text));
    assert_eq!(found, wanted, "{}: {:?}", grammar.name(), String::from_utf8_lossy(text));
}

#[test]
fn the_table_agrees_with_the_derivatives_on_short_texts() {
    for (scheme, mut trial) in Trial::all() {
        let openings = match scheme {
            "" => ["", "a:", "a://", "//"].map(str::to_owned).to_vec(),
            _ => [":", "://"].map(|after| format!("{scheme}{after}")).to_vec(),
        };
        openings.iter().for_each(|opening| trial.deepen(opening));
    }
}

#[test]
fn the_table_agrees_with_the_derivatives_after_every_state() {
    for (_, mut trial) in Trial::all() {
        for (state, mut text) in trial.reach() {
            trial.descend(&mut text, state, DEPTH_OF_STATES);
        }
    }
}

#[test]
fn the_table_agrees_with_the_derivatives_on_rows_and_mutants() {
    let mut texts: Vec<Vec<u8>> = cases::all().into_iter().map(|case| case.input).collect();
    let mut mutants = Mutants::new(0x33);
    for _ in 0..MUTANTS {
        let mut text = Vec::new();
        mutants.write(&mut text);
        texts.push(text);
    }
    for (name, language) in LANGUAGES.iter() {
        let grammar = grammar::find(name).unwrap();
        texts.iter().for_each(|text| agree(grammar, language, text));
    }
}
