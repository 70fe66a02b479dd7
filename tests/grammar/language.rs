//! The language of each document that has ABNF, from the list that the library has, and what
//! the library says, in the same words.
//!
//! This file alone knows how documents are read: which files, which start rules, and which
//! schemes are held to a rule of their own.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use linktrawl::grammar::Grammar;

use crate::abnf::Rules;
use crate::automaton::{Automaton, DEAD};
use crate::bytes::Bytes;
use crate::derivative::{Algebra, Reading};

#[path = "../../src/grammar/documents.rs"]
#[expect(dead_code, reason = "sections and help lines are for the library")]
mod documents;

use documents::{DOCUMENTS, Document};

/// Where a text leaves a language.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// Offset of the first byte after which nothing can be valid, or of the character it is
    /// in; the text's length where the text ends too early.
    pub(crate) at: usize,
    /// What could have stood there.
    pub(crate) expected: Bytes,
    /// Whether the text could have ended there.
    pub(crate) end_expected: bool,
}

/// What the library says of `text`.
pub(crate) fn judged_by_library(grammar: &dyn Grammar, text: &[u8]) -> Option<Refusal> {
    let fault = grammar.check(text).err()?;
    let expected = fault.expected.iter().collect();
    Some(Refusal { at: fault.at, expected, end_expected: fault.end_expected })
}

/// A document as derivatives see it.
pub(crate) struct Language {
    /// Schemes in lower case, and what texts that begin with them are held to.
    pub(crate) routes: Vec<(String, Automaton)>,
    /// What every other text is held to.
    pub(crate) rest: Automaton,
}

/// Every document's language by the document's name.
pub(crate) static LANGUAGES: LazyLock<BTreeMap<&str, Language>> =
    LazyLock::new(|| DOCUMENTS.iter().map(|one| (one.name, Language::of(one))).collect());

/// A place in a document: until the scheme is known, all of its rules are followed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Spot {
    /// The text so far in lower case, and the state of each automaton.
    Before(Vec<u8>, Vec<usize>),
    /// Which automaton, and its state.
    Behind(usize, usize),
}

impl Language {
    fn of(document: &Document) -> Self {
        let rules = Rules::read(&[&["core.abnf"], document.files].concat());
        let reading = Reading { rules: &rules, active: &[], replaced: &[] };
        let automaton = |rule: &str| {
            let mut algebra = Algebra::new();
            let expression = algebra.expand(rule, &reading);
            Automaton::new(&mut algebra, expression)
        };
        let routes = document.routes.iter();
        Self {
            routes: routes.map(|one| (one.scheme.to_owned(), automaton(one.rule))).collect(),
            rest: automaton(document.rest.rule),
        }
    }

    /// The automaton that `text` is held to.
    fn route(&self, text: &[u8]) -> &Automaton {
        let colon = text.iter().position(|&byte| byte == b':').unwrap_or(0);
        let scheme = text[..colon].to_ascii_lowercase();
        let own = self.routes.iter().find(|(name, _)| name.as_bytes() == scheme);
        own.map_or(&self.rest, |(_, automaton)| automaton)
    }

    /// Where `text` leaves the language, if it does.
    pub(crate) fn judge(&self, text: &[u8]) -> Option<Refusal> {
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
            at,
            expected: automaton.live(state),
            end_expected: automaton.accepts(state),
        })
    }

    /// The whole language as one automaton, dispatch and all.
    pub(crate) fn whole(&self) -> Automaton {
        let mut all: Vec<&Automaton> = self.routes.iter().map(|(_, own)| own).collect();
        all.push(&self.rest);
        let start = Spot::Before(Vec::new(), all.iter().map(|one| one.start).collect());
        let step = |spot: &Spot, byte: u8| match spot {
            &Spot::Behind(idx, state) => Spot::Behind(idx, all[idx].step(state, byte)),
            Spot::Before(text, states) => {
                let text = [text.as_slice(), &[byte.to_ascii_lowercase()]].concat();
                let states = states.iter().zip(&all).map(|(&state, one)| one.step(state, byte));
                self.decide(text, states.collect())
            }
        };
        Automaton::explore(start, step, |spot| match spot {
            &Spot::Behind(idx, state) => all[idx].accepts(state),
            Spot::Before(_, states) => self.rest.accepts(states[states.len() - 1]),
        })
    }

    fn decide(&self, text: Vec<u8>, states: Vec<usize>) -> Spot {
        let named = |name: &str| text.strip_suffix(b":").is_some_and(|it| it == name.as_bytes());
        if let Some(idx) = self.routes.iter().position(|(name, _)| named(name)) {
            return Spot::Behind(idx, states[idx]);
        }
        if self.routes.iter().any(|(name, _)| name.as_bytes().starts_with(&text)) {
            return Spot::Before(text, states);
        }
        Spot::Behind(states.len() - 1, states[states.len() - 1])
    }
}
