//! All derivatives of one expression, found breadth first: states, and where bytes lead.
//!
//! Nothing is minimised. That a state is dead is known from its expression.

use std::collections::{BTreeMap, HashMap};

use crate::bytes::Bytes;
use crate::derivative::{Algebra, Expression, NEVER};

/// The state that takes no text at all.
pub(crate) const DEAD: usize = 0;

/// States by number, from 0.
pub(crate) struct Automaton {
    pub(crate) start: usize,
    next: Vec<[usize; 256]>,
    accepts: Vec<bool>,
}

impl Automaton {
    pub(crate) fn new(algebra: &mut Algebra, expression: Expression) -> Self {
        let mut numbers = HashMap::from([(NEVER, DEAD)]);
        let mut states = vec![NEVER];
        let mut number = |state: Expression, states: &mut Vec<Expression>| {
            *numbers.entry(state).or_insert_with(|| {
                states.push(state);
                states.len() - 1
            })
        };
        let start = number(expression, &mut states);
        let mut next = Vec::new();
        let mut accepts = Vec::new();
        while let Some(&state) = states.get(next.len()) {
            let mut row = [DEAD; 256];
            for class in algebra.classes(state) {
                let byte = class.iter().next().unwrap();
                let to = number(algebra.derive(state, byte), &mut states);
                class.iter().for_each(|byte| row[usize::from(byte)] = to);
            }
            next.push(row);
            accepts.push(algebra.is_nullable(state));
        }
        Self { start, next, accepts }
    }

    /// From states that are described by `T`: the first is `start`, and `step` says where a
    /// byte leads and `accepts` whether a text may end.
    pub(crate) fn explore<T: Clone + Ord>(
        start: T,
        step: impl Fn(&T, u8) -> T,
        accepts: impl Fn(&T) -> bool,
    ) -> Self {
        let mut numbers = BTreeMap::from([(start.clone(), 0)]);
        let mut states = vec![start];
        let mut next = Vec::new();
        while let Some(state) = states.get(next.len()).cloned() {
            let mut row = [0; 256];
            for byte in 0..=u8::MAX {
                let to = step(&state, byte);
                row[usize::from(byte)] = *numbers.entry(to.clone()).or_insert_with(|| {
                    states.push(to);
                    states.len() - 1
                });
            }
            next.push(row);
        }
        Self { start: 0, next, accepts: states.iter().map(accepts).collect() }
    }

    pub(crate) fn step(&self, state: usize, byte: u8) -> usize {
        self.next[state][usize::from(byte)]
    }

    pub(crate) fn accepts(&self, state: usize) -> bool {
        self.accepts[state]
    }

    /// Returns the bytes after which the text can still become valid.
    pub(crate) fn live(&self, state: usize) -> Bytes {
        (0..=u8::MAX).filter(|&byte| self.step(state, byte) != DEAD).collect()
    }

    /// All bytes in sets, of which each holds those that lead to the same state; the lowest
    /// byte decides the order.
    pub(crate) fn classes(&self, state: usize) -> Vec<Bytes> {
        let mut classes: Vec<(usize, Vec<u8>)> = Vec::new();
        for byte in 0..=u8::MAX {
            let to = self.step(state, byte);
            match classes.iter_mut().find(|(known, _)| *known == to) {
                Some((_, bytes)) => bytes.push(byte),
                None => classes.push((to, vec![byte])),
            }
        }
        classes.into_iter().map(|(_, bytes)| bytes.into_iter().collect()).collect()
    }
}
