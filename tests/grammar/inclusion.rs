//! Which language lies within which: shortest texts that one takes and another does not.
//!
//! `corpus/grammar/witnesses.tsv` has a row for each pair that is asked. The answer is found
//! by walking the derivatives of both at once, and so is a proof as far as those are right;
//! the library is then asked for its verdict on it.

use std::collections::{BTreeSet, HashMap, VecDeque};

use linktrawl::internal::grammar;

use crate::automaton::Automaton;
use crate::cases::unescape;
use crate::language::LANGUAGES;

const TABLE: &str = include_str!("../../corpus/grammar/witnesses.tsv");

/// Two documents, and a shortest text of the first that the second has not, of those that
/// begin with `opening`; none where all of these lie within the second.
struct Row {
    line: usize,
    first: &'static str,
    second: &'static str,
    opening: &'static str,
    witness: Option<Vec<u8>>,
}

fn rows() -> impl Iterator<Item = Row> {
    let lines = TABLE.lines().zip(1..).filter(|(text, _)| !text.starts_with('#'));
    lines.map(|(text, line)| {
        let fields: Vec<&str> = text.split('\t').collect();
        let &[first, second, opening, witness, _note] = fields.as_slice() else {
            panic!("line {line}: expected 5 fields, found {}", fields.len());
        };
        let witness = (witness != "-").then(|| unescape(witness));
        Row { line, first, second, opening, witness }
    })
}

/// Returns a shortest text after `opening` that `first` takes and `second` does not; of several,
/// the first one in the order of bytes by `preference`. Returns `None` if there is no such text.
fn witness(first: &Automaton, second: &Automaton, opening: &str) -> Option<Vec<u8>> {
    let mut bytes: Vec<u8> = (0..=u8::MAX).collect();
    bytes.sort_by_key(|&byte| preference(byte));
    let step = |pair: Pair, byte| (first.step(pair.0, byte), second.step(pair.1, byte));
    let start = opening.bytes().fold((first.start, second.start), step);
    let mut from = HashMap::from([(start, None)]);
    let mut queue = VecDeque::from([start]);
    while let Some(pair) = queue.pop_front() {
        if first.accepts(pair.0) && !second.accepts(pair.1) {
            return Some([opening.as_bytes(), &trace(&from, pair)].concat());
        }
        for &byte in &bytes {
            from.entry(step(pair, byte)).or_insert_with(|| {
                queue.push_back(step(pair, byte));
                Some((pair, byte))
            });
        }
    }
    None
}

type Pair = (usize, usize);

/// The bytes that lead to `end`.
fn trace(from: &HashMap<Pair, Option<(Pair, u8)>>, end: Pair) -> Vec<u8> {
    let steps = std::iter::successors(from[&end], |(before, _)| from[before]);
    let mut text: Vec<u8> = steps.map(|(_, byte)| byte).collect();
    text.reverse();
    text
}

/// Small letters, digits, and what else can be read come first.
fn preference(byte: u8) -> (u8, u8) {
    let rank = match byte {
        b'a'..=b'z' => 0,
        b'0'..=b'9' => 1,
        b'!'..=b'~' => 2,
        _ => 3,
    };
    (rank, byte)
}

#[test]
fn every_pair_has_its_shortest_witness() {
    let mut wholes = HashMap::new();
    for name in rows().flat_map(|row| [row.first, row.second]) {
        let language = LANGUAGES.get(name).unwrap_or_else(|| panic!("no document {name}"));
        wholes.entry(name).or_insert_with(|| language.whole());
    }
    let text = |witness: &Option<Vec<u8>>| match witness {
        Some(text) => format!("{:?}", text.escape_ascii().to_string()),
        None => "included".to_owned(),
    };
    let complaint = |row: Row| {
        let Row { line, first, second, opening, .. } = row;
        let found = witness(&wholes[first], &wholes[second], opening);
        (found != row.witness).then(|| {
            let (found, wanted) = (text(&found), text(&row.witness));
            format!("line {line}: {first} {second} {opening}: wanted {wanted}, found {found}")
        })
    };
    let wrong: Vec<String> = rows().filter_map(complaint).collect();
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_library_tells_every_witness_apart() {
    for row in rows() {
        let [first, second] = [row.first, row.second]
            .map(|name| grammar::find(name).unwrap_or_else(|| panic!("no grammar {name}")));
        let Some(text) = row.witness else { continue };
        assert!(first.check(&text).is_ok(), "line {}: {} takes it", row.line, row.first);
        assert!(second.check(&text).is_err(), "line {}: {} does not", row.line, row.second);
    }
}

#[test]
fn every_document_stands_on_both_sides_and_no_pair_twice() {
    let firsts: BTreeSet<&str> = rows().map(|row| row.first).collect();
    let seconds: BTreeSet<&str> = rows().map(|row| row.second).collect();
    for name in LANGUAGES.keys() {
        assert!(firsts.contains(name) && seconds.contains(name), "{name} is compared with none");
    }
    let pairs: BTreeSet<_> = rows().map(|row| (row.first, row.second, row.opening)).collect();
    assert_eq!(pairs.len(), rows().count());
}
