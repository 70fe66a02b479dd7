//! The language of each document that has ABNF, from the list that the library has, and what
//! the library says, in the same words.
//!
//! This file alone knows how documents are read: which files, which start rules, and which schemes
//! have a rule of their own.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use linktrawl::internal::grammar::Grammar;

use crate::abnf::Rules;
use crate::automaton::{Automaton, DEAD};
use crate::bytes::Bytes;
use crate::derivative::{Algebra, Reading};

#[path = "../../src/grammar/documents.rs"]
#[expect(dead_code, reason = "sections and help lines are for the library")]
mod documents;

pub(crate) use documents::{DOCUMENTS, Document};
use documents::{Reading as Level, Route};

/// The suffixes of a rule's name: repairs and decisions.
const SUFFIXES: [&str; 20] = [
    "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "A1", "A2", "A3", "A4",
    "A5", "A6", "A7", "A8", "A9",
];

/// Where a text leaves a language.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// Offset of the first byte after which nothing can be valid, or of the character it is
    /// in; the text's length where the text ends too early.
    pub(crate) at: usize,
    /// The bytes that were possible at `at`.
    pub(crate) expected: Bytes,
    /// Whether the text could have ended there.
    pub(crate) end_expected: bool,
}

/// Returns the library's refusal of `text`, if it refuses it.
pub(crate) fn judged_by_library(grammar: &dyn Grammar, text: &[u8]) -> Option<Refusal> {
    let fault = grammar.check(text).err()?;
    let expected = fault.expected.iter().collect();
    Some(Refusal { at: fault.at.unwrap(), expected, end_expected: fault.end_expected })
}

/// A document as derivatives see it.
pub(crate) struct Language {
    /// An optional prefix of every text, in lower case.
    prefix: &'static str,
    /// Schemes in lower case, with the automata for their URIs.
    pub(crate) routes: Vec<(String, Automaton)>,
    /// The automaton for all other texts.
    pub(crate) rest: Automaton,
}

/// Every document's language by the document's name.
pub(crate) static LANGUAGES: LazyLock<BTreeMap<&str, Language>> =
    LazyLock::new(|| DOCUMENTS.iter().map(|one| (one.name, Language::of(one))).collect());

/// A place in a document: until the scheme is known, all of its rules are followed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Spot {
    /// So many bytes of the prefix, and the place where the text is if it turns out to be none.
    Prefix(usize, Box<Self>),
    /// The text so far in lower case, and the state of each automaton.
    Before(Vec<u8>, Vec<usize>),
    /// Which automaton, and its state.
    After(usize, usize),
}

impl Language {
    fn of(document: &'static Document) -> Self {
        Self::without(document, &[])
    }

    /// The language without the repairs of `refused`, of which a scheme's rule may be one.
    pub(crate) fn without(document: &'static Document, refused: &[u8]) -> Self {
        let kept = |route: &&Route| route.repair.is_none_or(|number| !refused.contains(&number));
        let own = |route: &Route| {
            let automaton = automaton(document, route, refused);
            (route.scheme.to_owned(), automaton)
        };
        Self {
            prefix: document.prefix,
            routes: document.routes.iter().filter(kept).map(own).collect(),
            rest: automaton(document, &document.rest, refused),
        }
    }

    /// The length of the prefix that `text` has.
    fn prefix_len(&self, text: &[u8]) -> usize {
        let head = text.get(..self.prefix.len()).unwrap_or_default();
        if head.eq_ignore_ascii_case(self.prefix.as_bytes()) { self.prefix.len() } else { 0 }
    }

    /// The automaton that `text` is held to, which has no prefix.
    fn route(&self, text: &[u8]) -> &Automaton {
        let colon = text.iter().position(|&byte| byte == b':').unwrap_or(0);
        let scheme = text[..colon].to_ascii_lowercase();
        let own = self.routes.iter().find(|(name, _)| name.as_bytes() == scheme);
        own.map_or(&self.rest, |(_, automaton)| automaton)
    }

    /// Where `text` leaves the language, if it does.
    pub(crate) fn judge(&self, text: &[u8]) -> Option<Refusal> {
        let (prefix, text) = text.split_at(self.prefix_len(text));
        let automaton = self.route(text);
        let mut states = vec![automaton.start];
        for &byte in text {
            match automaton.step(states[states.len() - 1], byte) {
                DEAD => break,
                state => states.push(state),
            }
        }
        let mut at = states.len() - 1;
        if at == text.len() && automaton.accepts(states[at]) {
            return None;
        }
        // Terminals are characters: one that is cut short or refused midway is refused where
        // it begins.
        if let Err(error) = str::from_utf8(&text[..at]) {
            at = error.valid_up_to();
        }
        let state = states[at];
        Some(Refusal {
            at: prefix.len() + at,
            expected: automaton.live(state),
            end_expected: automaton.accepts(state),
        })
    }

    /// The whole language as one automaton, dispatch and all.
    pub(crate) fn whole(&self) -> Automaton {
        let start = match (self.prefix, self.start()) {
            ("", start) => start,
            (_, start) => Spot::Prefix(0, Box::new(start)),
        };
        let step = |spot: &Spot, byte: u8| self.step(spot, byte);
        Automaton::explore(start, step, |spot| self.accepts(spot))
    }

    fn automata(&self) -> Vec<&Automaton> {
        self.routes.iter().map(|(_, own)| own).chain([&self.rest]).collect()
    }

    fn start(&self) -> Spot {
        Spot::Before(Vec::new(), self.automata().iter().map(|one| one.start).collect())
    }

    fn step(&self, spot: &Spot, byte: u8) -> Spot {
        match spot {
            Spot::Prefix(len, other) => {
                let len = len + 1;
                let is_read = self.prefix.as_bytes()[len - 1] == byte.to_ascii_lowercase();
                match is_read {
                    true if len == self.prefix.len() => self.start(),
                    true => Spot::Prefix(len, Box::new(self.step(other, byte))),
                    false => self.step(other, byte),
                }
            }
            &Spot::After(idx, state) => Spot::After(idx, self.automata()[idx].step(state, byte)),
            Spot::Before(text, states) => {
                let text = [text.as_slice(), &[byte.to_ascii_lowercase()]].concat();
                let states = states.iter().zip(self.automata());
                self.decide(text, states.map(|(&state, one)| one.step(state, byte)).collect())
            }
        }
    }

    fn accepts(&self, spot: &Spot) -> bool {
        match spot {
            Spot::Prefix(_, other) => self.accepts(other),
            &Spot::After(idx, state) => self.automata()[idx].accepts(state),
            Spot::Before(_, states) => self.rest.accepts(states[states.len() - 1]),
        }
    }

    fn decide(&self, text: Vec<u8>, states: Vec<usize>) -> Spot {
        let named = |name: &str| text.strip_suffix(b":").is_some_and(|it| it == name.as_bytes());
        if let Some(idx) = self.routes.iter().position(|(name, _)| named(name)) {
            return Spot::After(idx, states[idx]);
        }
        if self.routes.iter().any(|(name, _)| name.as_bytes().starts_with(&text)) {
            return Spot::Before(text, states);
        }
        Spot::After(states.len() - 1, states[states.len() - 1])
    }
}

/// The texts of one route, with the rule around it.
fn automaton(document: &Document, route: &Route, refused: &[u8]) -> Automaton {
    let files = route.file.as_ref().map_or(document.files, std::slice::from_ref);
    let rules = Rules::read(&[&["core.abnf"], files].concat());
    // A rule of another file has no frame.
    let frame = document.frame.as_ref().filter(|_| route.file.is_none());
    let replaced: Vec<_> = frame.iter().map(|frame| (frame.choice, route.rule)).collect();
    let refused: Vec<String> = refused.iter().map(|number| format!("R{number}")).collect();
    let mut active: Vec<&str> = match document.reading {
        Level::Literal => Vec::new(),
        Level::Repaired => SUFFIXES.to_vec(),
    };
    active.retain(|suffix| !refused.iter().any(|other| other == suffix));
    let reading = Reading { rules: &rules, active: &active, replaced: &replaced };
    let mut algebra = Algebra::new();
    let start = algebra.expand(frame.map_or(route.rule, |frame| frame.start), &reading);
    Automaton::new(&mut algebra, start)
}
