//! One walker for all grammars: a table of transitions, and where a text leaves it.
//!
//! The tables are written by `build.rs` from the specifications' ABNF: minimal automata, so
//! that a text is left by exactly the first byte after which nothing could be valid, and a
//! state's live transitions are exactly the bytes that could have stood there. Offsets here
//! are those of bytes; what they mean to a reader is `fault`'s matter.

use crate::finding::{ByteSet, Repairs};

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// A state: the offset of its row in the table of transitions.
pub(super) type State = u16;

/// The state that nothing leads out of.
const DEAD: State = 0;

/// A compiled start rule.
pub(super) struct Table {
    start: State,
    /// Rows are `1 << shift` wide.
    shift: u32,
    /// The class of each byte.
    classes: &'static [u8; 256],
    /// Row after row, the next state by class.
    next: &'static [State],
    /// For each byte the sets that it is a member of, as bits.
    members: &'static [u16; 256],
    /// For each state, as a bit, the set of the bytes that lead back to it; none when no byte
    /// does.
    loops: &'static [u16],
    /// For each state whether a text may end there.
    accepts: &'static [bool],
}

/// The tables of one document.
pub(super) struct Tables {
    /// Those of each of the document's routes, in their order.
    pub(super) routes: &'static [Readings],
    /// Those for everything else.
    pub(super) rest: Readings,
    /// The one that tells generic faults from the document's own.
    pub(super) generic: &'static Table,
}

/// The tables of one start rule: one for each set of repairs that can be refused.
pub(super) struct Readings {
    /// The table with all repairs.
    pub(super) whole: &'static Table,
    /// Numbers of the repairs that make a difference to the rule, in order.
    pub(super) repairs: &'static [u8],
    /// For each set of refused repairs, as bits of a number by that order, its table.
    tables: &'static [&'static Table],
}

impl Readings {
    /// The table without the repairs of `refused`.
    pub(super) fn without(&self, refused: Repairs) -> &'static Table {
        let bits = self.repairs.iter().rev();
        let set = bits.fold(0, |set, &number| set << 1 | usize::from(refused.has(number)));
        self.tables.get(set).copied().unwrap_or(self.whole)
    }
}

/// Where a text leaves its grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    /// Offset of the first byte after which nothing could be valid; the text's length when
    /// the text ends too early.
    pub(super) at: usize,
    /// The state before that byte.
    pub(super) state: State,
}

impl Table {
    /// Holds `text` to the table.
    ///
    /// A chain of table loads costs the latency of a load for each byte. Most bytes of a
    /// URI leave the state as it is, and those are told by a bit of a mask that is known
    /// before the bytes are: such tests do not wait for one another.
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

    /// Length of the prefix of `rest` that leaves `state` as it is.
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

    /// True when a text may end in `state`.
    pub(super) fn accepts(&self, state: State) -> bool {
        self.accepts.get(usize::from(state >> self.shift)).copied().unwrap_or(false)
    }

    /// How many states there are, and how many classes of bytes they tell apart.
    pub(super) fn size(&self) -> (usize, usize) {
        let classes = self.classes.iter().max().map_or(0, |&last| usize::from(last) + 1);
        (self.accepts.len().saturating_sub(1), classes)
    }

    /// The state behind `text`, byte by byte: the slow obvious walk.
    pub(super) fn state_behind(&self, text: &[u8]) -> State {
        text.iter().fold(self.start, |state, &byte| self.step(state, byte))
    }

    /// True when some text of the grammar holds a character beyond US-ASCII.
    ///
    /// Such a character may always be `é`, whose first byte then has a transition somewhere;
    /// 0xFF, which is no part of UTF-8, never has one.
    pub(super) fn takes_non_ascii(&self) -> bool {
        self.classes[0xC3] != self.classes[0xFF]
    }

    /// The bytes that lead from `state` to where something can still be valid.
    pub(super) fn expected(&self, state: State) -> ByteSet {
        (0..=u8::MAX).filter(|&byte| self.step(state, byte) != DEAD).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{DEAD, SOURCES, Stop, TABLES, Table};

    const TEXTS: &str = include_str!("../../corpus/grammar/cases.tsv");

    /// What `walk` is, without its shortcut.
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

    /// The tables are a part of the binary that is there whether they are asked for or not.
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
