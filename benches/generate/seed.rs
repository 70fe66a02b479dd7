//! The notation of the seeds in `corpus/bench`, which its README explains: lists of
//! alternatives with slots for other lists.
//!
//! Not forgiving: a seed is part of the bench, so a slot that names no list stops the bench.

use std::collections::HashMap;
use std::io::Write;

use super::Chance;

const HEX: &[u8] = b"0123456789abcdef";
const DIGITS: &[u8] = b"0123456789";
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz";
const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// How often a slot is filled.
enum Times {
    Between(u64, u64),
    Percent(u64),
}

enum Piece {
    Text(Vec<u8>),
    List { idx: usize, times: Times },
    Characters { alphabet: &'static [u8], times: (u64, u64) },
    Number { range: (u64, u64), width: usize },
}

type Alternative = Vec<Piece>;

/// A seed, ready to be expanded.
pub(crate) struct Seed {
    names: HashMap<String, usize>,
    lists: Vec<Vec<Alternative>>,
}

impl Seed {
    /// Reads a seed.
    pub(crate) fn parse(text: &str) -> Self {
        let raw: Vec<(&str, Vec<String>)> = split_lists(text);
        let names: HashMap<String, usize> =
            raw.iter().enumerate().map(|(idx, list)| (list.0.to_owned(), idx)).collect();
        let lists = raw
            .iter()
            .map(|(_, alternatives)| alternatives.iter().map(|one| pieces(one, &names)).collect())
            .collect();
        Self { names, lists }
    }

    /// Returns the index of the list called `name`.
    pub(crate) fn list(&self, name: &str) -> usize {
        list_index(&self.names, name)
    }

    /// Appends one alternative of the list at `idx`.
    pub(crate) fn expand(&self, idx: usize, chance: &mut Chance, out: &mut Vec<u8>) {
        let alternatives = &self.lists[idx];
        let chosen = chance.below(alternatives.len() as u64);
        for piece in &alternatives[index(chosen)] {
            match piece {
                Piece::Text(text) => out.extend_from_slice(text),
                Piece::List { idx, times } => {
                    for _ in 0..times.draw(chance) {
                        self.expand(*idx, chance, out);
                    }
                }
                Piece::Characters { alphabet, times } => characters(alphabet, *times, chance, out),
                Piece::Number { range, width } => {
                    let number = chance.between(*range);
                    write!(out, "{number:0width$}").expect("a vector takes every write");
                }
            }
        }
    }
}

impl Times {
    fn draw(&self, chance: &mut Chance) -> u64 {
        match *self {
            Self::Between(least, most) => chance.between((least, most)),
            Self::Percent(percent) => u64::from(chance.below(100) < percent),
        }
    }
}

/// Appends characters of `alphabet`. Several come from one draw: base64 is a good part of a
/// mail buffer, and one draw a character makes large buffers slow to build.
fn characters(alphabet: &[u8], times: (u64, u64), chance: &mut Chance, out: &mut Vec<u8>) {
    let size = alphabet.len() as u64;
    let mut left = chance.between(times);
    while left > 0 {
        let mut bits = chance.next() >> 4;
        for _ in 0..left.min(9) {
            out.push(alphabet[index(bits % size)]);
            bits /= size;
        }
        left -= left.min(9);
    }
}

/// The lists of a seed with their alternatives as text.
fn split_lists(text: &str) -> Vec<(&str, Vec<String>)> {
    let mut lists = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let is_block = line.starts_with("%% ");
        let Some(name) = line.strip_prefix("== ").or_else(|| line.strip_prefix("%% ")) else {
            continue;
        };
        let mut body = Vec::new();
        while let Some(line) = lines.next_if(|line| !is_heading(line)) {
            body.push(line);
        }
        lists.push((name, if is_block { blocks(&body) } else { single_lines(&body) }));
    }
    lists
}

fn is_heading(line: &str) -> bool {
    line.starts_with("== ") || line.starts_with("%% ")
}

fn single_lines(body: &[&str]) -> Vec<String> {
    body.iter().filter(|line| !line.is_empty()).map(|line| line.replace("\\n", "\n")).collect()
}

/// The empty line before the next heading belongs to no block.
fn blocks(body: &[&str]) -> Vec<String> {
    let body = body.strip_suffix(&[""]).unwrap_or(body);
    body.split(|line| *line == "%").map(|block| block.join("\n") + "\n").collect()
}

fn pieces(text: &str, names: &HashMap<String, usize>) -> Alternative {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let (before, slot) = rest.split_at(at);
        if !before.is_empty() {
            pieces.push(Piece::Text(before.into()));
        }
        if let Some(after) = slot.strip_prefix("{{") {
            pieces.push(Piece::Text(b"{".into()));
            rest = after;
            continue;
        }
        let (inside, after) = slot[1..].split_once('}').expect("a slot ends with a brace");
        pieces.push(piece(inside, names));
        rest = after;
    }
    pieces.push(Piece::Text(rest.into()));
    pieces
}

fn piece(slot: &str, names: &HashMap<String, usize>) -> Piece {
    let (name, amount) = slot.split_once(' ').unwrap_or((slot, "1"));
    match name {
        "!digits" => Piece::Characters { alphabet: DIGITS, times: range(amount) },
        "!hex" => Piece::Characters { alphabet: HEX, times: range(amount) },
        "!letters" => Piece::Characters { alphabet: LETTERS, times: range(amount) },
        "!base64" => Piece::Characters { alphabet: BASE64, times: range(amount) },
        "!number" => {
            let width = amount.find('-').expect("a number has two ends");
            Piece::Number { range: range(amount), width }
        }
        _ => Piece::List { idx: list_index(names, name), times: times(amount) },
    }
}

fn times(amount: &str) -> Times {
    if let Some(percent) = amount.strip_suffix('%') {
        return Times::Percent(number(percent));
    }
    let (least, most) = range(amount);
    Times::Between(least, most)
}

/// `3-9`, or `4` for `4-4`.
fn range(amount: &str) -> (u64, u64) {
    let (least, most) = amount.split_once('-').unwrap_or((amount, amount));
    (number(least), number(most))
}

fn number(text: &str) -> u64 {
    text.parse().expect("an amount is a number")
}

fn list_index(names: &HashMap<String, usize>, name: &str) -> usize {
    assert!(names.contains_key(name), "the seed has no list {name:?}");
    names[name]
}

fn index(number: u64) -> usize {
    usize::try_from(number).expect("an index of a list fits")
}
