//! Walks a text through the table of a grammar, and finds the place where it leaves the grammar.
//!
//! `build.rs` writes the tables from the specifications' ABNF. The automata are minimal: a text
//! leaves a table at exactly the first byte after which nothing could be valid, and the live
//! transitions of a state are exactly the bytes that were possible there. Offsets are in bytes;
//! `fault` explains them to the reader.

use crate::finding::{ByteSet, Repairs};

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// A state: the offset of its row in the table of transitions.
pub(super) type State = u16;

/// The state without a way out.
const DEAD: State = 0;

/// A compiled start rule.
pub(super) struct Table {
    start: State,
    /// Rows are `1 << shift` wide.
    shift: u32,
    /// The class of each byte.
    classes: &'static [u8; 256],
    /// The next state by class, row after row.
    next: &'static [State],
    /// For each byte, the sets that contain it, as bits.
    members: &'static [u16; 256],
    /// For each state, the bit of the set of bytes that lead back to it; zero if no byte does, or
    /// the set has no bit.
    loops: &'static [u16],
    /// For each state, whether a text may end there.
    accepts: &'static [bool],
}

/// The tables of one document.
pub(super) struct Tables {
    /// The tables of the document's routes, in the routes' order.
    pub(super) routes: &'static [Readings],
    /// The tables for everything else.
    pub(super) rest: Readings,
    /// The table that separates generic faults from the document's own.
    pub(super) generic: &'static Table,
}

/// The tables of one start rule: one for each set of repairs that can be refused.
pub(super) struct Readings {
    /// The table with all repairs.
    pub(super) whole: &'static Table,
    /// Numbers of the repairs that make a difference to the rule, in order.
    pub(super) repairs: &'static [u8],
    /// The table for each set of refused repairs. Bit i of the index is the i-th repair.
    tables: &'static [&'static Table],
}

impl Readings {
    /// Returns the table without the repairs in `refused`.
    pub(super) fn without(&self, refused: Repairs) -> &'static Table {
        let bits = self.repairs.iter().rev();
        let set = bits.fold(0, |set, &number| set << 1 | usize::from(refused.has(number)));
        self.tables.get(set).copied().unwrap_or(self.whole)
    }
}

/// The place where a text leaves its grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    /// Offset of the first byte after which nothing could be valid; the text's length when
    /// the text ends too early.
    pub(super) at: usize,
    /// The state before that byte.
    pub(super) state: State,
}

impl Table {
    /// Checks `text` against the table.
    ///
    /// A chain of table loads costs the latency of a load for each byte. Most bytes of a URI leave
    /// the state unchanged. A mask that is known in advance recognises these bytes, so that their
    /// tests do not wait for one another.
    pub(super) fn walk(&self, text: &[u8]) -> Result<(), Stop> {
        let mut state = self.start;
        let mut at = 0;
        loop {
            at += self.loop_len(state, text.get(at..).unwrap_or_default());
            let Some(&byte) = text.get(at) else { break };
            let next = self.step(state, byte);
            if next == DEAD {
                return Err(Stop { at, state });
            }
            state = next;
            at += 1;
        }
        if self.accepts(state) { Ok(()) } else { Err(Stop { at, state }) }
    }

    /// Returns the length of the prefix of `rest` that leaves `state` unchanged.
    fn loop_len(&self, state: State, rest: &[u8]) -> usize {
        let set = self.loops.get(usize::from(state >> self.shift)).copied().unwrap_or(0);
        rest.iter()
            .position(|&byte| self.members[usize::from(byte)] & set == 0)
            .unwrap_or(rest.len())
    }

    fn step(&self, state: State, byte: u8) -> State {
        let class = self.classes[usize::from(byte)];
        self.next.get(usize::from(state) + usize::from(class)).copied().unwrap_or(DEAD)
    }

    /// Reports whether a text may end in `state`.
    pub(super) fn accepts(&self, state: State) -> bool {
        self.accepts.get(usize::from(state >> self.shift)).copied().unwrap_or(false)
    }

    /// Returns the number of states without the dead one, and of classes of bytes.
    pub(super) fn size(&self) -> (usize, usize) {
        let classes = self.classes.iter().max().map_or(0, |&last| usize::from(last) + 1);
        (self.accepts.len().saturating_sub(1), classes)
    }

    /// Returns the state after `text`, walked byte by byte: slow and obvious.
    pub(super) fn state_after(&self, text: &[u8]) -> State {
        text.iter().fold(self.start, |state, &byte| self.step(state, byte))
    }

    /// Reports whether some text of the grammar holds a character outside US-ASCII.
    ///
    /// Such a grammar always accepts `é` somewhere, whose first byte then has a transition; 0xFF,
    /// which is never part of UTF-8, has none.
    pub(super) fn takes_non_ascii(&self) -> bool {
        self.classes[0xC3] != self.classes[0xFF]
    }

    /// Returns the bytes that lead from `state` to a state from which a text can still be valid.
    pub(super) fn expected(&self, state: State) -> ByteSet {
        let start = usize::from(state);
        let row = self.next.get(start..start + (1 << self.shift)).unwrap_or_default();
        let mut leads = [false; 256];
        leads.iter_mut().zip(row).for_each(|(leads, next)| *leads = *next != DEAD);
        ByteSet::of(|byte| leads[usize::from(self.classes[usize::from(byte)])])
    }
}

#[cfg(test)]
mod tests {
    use super::{DEAD, SOURCES, Stop, TABLES, Table};

    const TEXTS: &str = include_str!("../../corpus/grammar/cases.tsv");

    /// `walk` without its shortcut.
    fn walk_slowly(table: &Table, text: &[u8]) -> Result<(), Stop> {
        let mut state = table.start;
        for (at, &byte) in text.iter().enumerate() {
            let next = table.step(state, byte);
            if next == DEAD {
                return Err(Stop { at, state });
            }
            state = next;
        }
        if table.accepts(state) { Ok(()) } else { Err(Stop { at: text.len(), state }) }
    }

    fn tables() -> impl Iterator<Item = &'static Table> {
        let readings = TABLES.iter().flat_map(|tables| tables.routes.iter().chain([&tables.rest]));
        readings.flat_map(|readings| readings.tables.iter().copied())
    }

    #[test]
    fn the_walk_agrees_with_the_slow_one_on_texts_and_on_random_bytes() {
        let mut texts: Vec<Vec<u8>> =
            TEXTS.split(['\t', '\n']).map(|text| text.as_bytes().to_vec()).collect();
        let mut seed = 0x9E37_79B9_u32;
        for idx in 0..texts.len() * 20 {
            let mut text = texts[idx].clone();
            for byte in &mut text {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if seed >> 28 == 0 {
                    *byte = seed.to_be_bytes()[1];
                }
            }
            texts.push(text);
        }
        for text in &texts {
            for table in tables() {
                assert_eq!(table.walk(text), walk_slowly(table, text), "{text:?}");
            }
        }
    }

    /// The binary contains the tables whether they are used or not.
    #[test]
    fn all_tables_together_are_small() {
        let mut seen = std::collections::BTreeSet::new();
        let different = tables().filter(|table| seen.insert(std::ptr::from_ref(*table)));
        let bytes = different.map(|table| {
            let rows = size_of_val(table.next) + size_of_val(table.loops);
            let bytes = size_of_val(table.classes) + table.accepts.len();
            rows + bytes + size_of_val(table.members)
        });
        let texts: usize = SOURCES.iter().map(|(_, text)| text.len()).sum();
        assert!(bytes.sum::<usize>() + texts < 1_500_000);
    }

    #[test]
    fn every_state_leads_on_or_may_end() {
        for table in tables() {
            for number in 1..table.accepts.len() {
                let state = u16::try_from(number << table.shift).unwrap();
                assert!(table.accepts(state) || !table.expected(state).is_empty(), "{number}");
            }
        }
    }

    #[test]
    fn a_state_with_a_loop_has_its_set() {
        for table in tables() {
            for (number, &set) in table.loops.iter().enumerate().skip(1) {
                let state = u16::try_from(number << table.shift).unwrap();
                for byte in 0..=u8::MAX {
                    let stays = table.step(state, byte) == state;
                    assert_eq!(table.members[usize::from(byte)] & set != 0, stays, "{number}");
                }
            }
        }
    }
}
