//! Compiles the grammars: each start rule of `documents.rs`, with the ABNF under `abnf/`,
//! becomes a minimal deterministic automaton, written as Rust statics for `dfa.rs`.
//!
//! ABNF is RFC 5234; `%s""` and `%i""` are RFC 7405. Terminals are Unicode scalars and
//! become UTF-8, as RFC 3987 §2.2 has it; below U+0080 that is the byte itself. Only
//! regular grammars can be compiled: a rule that reaches itself is an error.
//!
//! Nothing of this is in the library: it reads tables only.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

use abnf::types::{Kind, Node, Rule, TerminalValues};
use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::util::alphabet::Unit;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, Repetition};

#[path = "documents.rs"]
#[expect(dead_code, reason = "names and help lines are read by the library")]
mod documents;

use documents::{DOCUMENTS, Document};

/// The walker has a bit of 16 for each set of bytes that leaves a state as it is.
const LOOP_SETS_MAX: usize = 16;

const FOLDER: &str = "src/grammar/abnf";

fn main() -> ExitCode {
    match generate() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            // Standard error is all that is left to say it with.
            let _ = writeln!(io::stderr(), "grammar: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn generate() -> Result<(), String> {
    let mut tables = Tables::default();
    for document in DOCUMENTS {
        tables.add(document, &Rules::read(document.files)?)?;
    }
    let folder = env::var("OUT_DIR").map_err(|error| format!("OUT_DIR: {error}"))?;
    let target = Path::new(&folder).join("tables.rs");
    fs::write(&target, tables.into_source()?)
        .map_err(|error| format!("{}: {error}", target.display()))?;
    writeln!(io::stdout(), "cargo:rerun-if-changed=src/grammar/abnf")
        .and_then(|()| writeln!(io::stdout(), "cargo:rerun-if-changed=src/grammar/documents.rs"))
        .and_then(|()| writeln!(io::stdout(), "cargo:rerun-if-changed=src/grammar/build.rs"))
        .map_err(|error| format!("standard output: {error}"))
}

/// The rules of some files by lower-case name: rule names have no case (RFC 5234 §2.1).
struct Rules {
    by_name: BTreeMap<String, (&'static str, Node)>,
}

impl Rules {
    fn read(files: &'static [&'static str]) -> Result<Self, String> {
        let mut rules = Self { by_name: BTreeMap::new() };
        for &file in ["core.abnf"].iter().chain(files) {
            let path = Path::new(FOLDER).join(file);
            let text = fs::read_to_string(&path).map_err(|error| format!("{file}: {error}"))?;
            let list = abnf::rulelist(&text).map_err(|error| format!("{file}: {error}"))?;
            for rule in &list {
                rules.add(file, rule).map_err(|reason| format!("{file}: {reason}"))?;
            }
        }
        Ok(rules)
    }

    fn add(&mut self, file: &'static str, rule: &Rule) -> Result<(), String> {
        let name = rule.name().to_lowercase();
        let node = match (rule.kind(), self.by_name.remove(&name)) {
            (Kind::Basic, None) => rule.node().clone(),
            // `=/` adds an alternative to a rule that is there (RFC 5234 §3.3).
            (Kind::Incremental, Some((_, old))) => Node::alternatives(&[old, rule.node().clone()]),
            (Kind::Basic, Some((old, _))) => {
                return Err(format!("rule {} is in {old} already", rule.name()));
            }
            (Kind::Incremental, None) => return Err(format!("no rule {} to add to", rule.name())),
        };
        self.by_name.insert(name, (file, node));
        Ok(())
    }

    /// The expression of the rule `name`; `open` are the rules that lead to it.
    fn expand(&self, name: &str, open: &mut Vec<String>) -> Result<Hir, String> {
        let key = name.to_lowercase();
        if open.contains(&key) {
            return Err(format!("rule {name} reaches itself by {}", open.join(" ")));
        }
        let (file, node) = self.by_name.get(&key).ok_or_else(|| format!("no rule {name}"))?;
        open.push(key);
        let hir = self
            .convert(node, open)
            .map_err(|reason| format!("{reason} (in rule {name} of {file})"))?;
        open.pop();
        Ok(hir)
    }

    fn convert(&self, node: &Node, open: &mut Vec<String>) -> Result<Hir, String> {
        Ok(match node {
            Node::Alternatives(nodes) => Hir::alternation(self.convert_all(nodes, open)?),
            Node::Concatenation(nodes) => Hir::concat(self.convert_all(nodes, open)?),
            Node::Repetition { repeat, node } => {
                let bound = |count| u32::try_from(count).map_err(|_| "count is too large");
                let min = bound(repeat.min().unwrap_or(0))?;
                repeated(self.convert(node, open)?, min, repeat.max().map(bound).transpose()?)
            }
            Node::Rulename(name) => self.expand(name, open)?,
            Node::Group(node) => self.convert(node, open)?,
            Node::Optional(node) => repeated(self.convert(node, open)?, 0, Some(1)),
            Node::String(text) if text.is_case_sensitive() => {
                Hir::concat(text.value().chars().map(|one| span(one, one)).collect())
            }
            Node::String(text) => Hir::concat(text.value().chars().map(in_any_case).collect()),
            Node::TerminalValues(TerminalValues::Range(from, to)) => {
                span(scalar(*from)?, scalar(*to)?)
            }
            Node::TerminalValues(TerminalValues::Concatenation(values)) => {
                let each = values.iter().map(|&value| scalar(value).map(|one| span(one, one)));
                Hir::concat(each.collect::<Result<_, _>>()?)
            }
            Node::Prose(text) => return Err(format!("prose cannot be compiled: <{text}>")),
        })
    }

    fn convert_all(&self, nodes: &[Node], open: &mut Vec<String>) -> Result<Vec<Hir>, String> {
        nodes.iter().map(|node| self.convert(node, open)).collect()
    }
}

fn repeated(sub: Hir, min: u32, max: Option<u32>) -> Hir {
    Hir::repetition(Repetition { min, max, greedy: true, sub: Box::new(sub) })
}

fn scalar(value: u32) -> Result<char, String> {
    char::from_u32(value).ok_or_else(|| format!("%x{value:X} is no Unicode scalar"))
}

fn span(from: char, to: char) -> Hir {
    Hir::class(Class::Unicode(ClassUnicode::new([ClassUnicodeRange::new(from, to)])))
}

/// Strings have no case unless `%s` says so, and only for US-ASCII (RFC 5234 §2.3).
fn in_any_case(one: char) -> Hir {
    let cases = [one.to_ascii_lowercase(), one.to_ascii_uppercase()];
    let ranges = cases.map(|case| ClassUnicodeRange::new(case, case));
    Hir::class(Class::Unicode(ClassUnicode::new(ranges)))
}

/// A complete automaton over classes of bytes. State 0 is dead.
struct AutomatonRows {
    start: usize,
    /// For each state the next one by class.
    rows: Vec<Vec<usize>>,
    accepts: Vec<bool>,
    /// The class of each byte.
    classes: Vec<usize>,
}

fn compile(rules: &Rules, rule: &str) -> Result<AutomatonRows, String> {
    let hir = rules.expand(rule, &mut Vec::new())?;
    let nfa = thompson::Compiler::new()
        .configure(thompson::Config::new().utf8(false).which_captures(WhichCaptures::None))
        .build_from_hir(&hir)
        .map_err(|error| error.to_string())?;
    // ABNF alternatives have no order, so that every match counts.
    let config = dense::Config::new()
        .match_kind(MatchKind::All)
        .start_kind(StartKind::Anchored)
        .accelerate(false);
    let dfa = dense::Builder::new()
        .configure(config)
        .build_from_nfa(&nfa)
        .map_err(|error| error.to_string())?;
    Ok(minimise(&extract(&dfa)?))
}

/// The automaton without the engine around it, found breadth first.
///
/// The engine tells a match one byte late, so that a state accepts when the end of input
/// leads to a match.
fn extract(dfa: &dense::DFA<Vec<u32>>) -> Result<AutomatonRows, String> {
    let first = dfa
        .start_state(&start::Config::new().anchored(Anchored::Yes))
        .map_err(|error| error.to_string())?;
    let classes: Vec<usize> =
        (0..=u8::MAX).map(|byte| usize::from(dfa.byte_classes().get(byte))).collect();
    let bytes: Vec<u8> = dfa.byte_classes().representatives(..).filter_map(Unit::as_u8).collect();
    let mut numbers = HashMap::from([(first, 1)]);
    let mut queue = vec![first];
    let mut rows = vec![vec![0; bytes.len()]];
    let mut accepts = vec![false];
    while let Some(&state) = queue.get(rows.len() - 1) {
        let row = bytes.iter().map(|&byte| match dfa.next_state(state, byte) {
            next if dfa.is_dead_state(next) => 0,
            next => *numbers.entry(next).or_insert_with(|| {
                queue.push(next);
                queue.len()
            }),
        });
        rows.push(row.collect());
        accepts.push(dfa.is_match_state(dfa.next_eoi_state(state)));
    }
    Ok(AutomatonRows { start: 1, rows, accepts, classes })
}

/// Moore's algorithm: blocks of states are split until no byte tells two states of a block
/// apart. States from which no text is accepted end up with the dead one, so that a walk
/// stops at the first byte after which nothing could be valid.
fn minimise(automaton: &AutomatonRows) -> AutomatonRows {
    let mut blocks: Vec<usize> = automaton.accepts.iter().map(|&accepts| accepts.into()).collect();
    let mut count = 0;
    loop {
        let mut numbers = HashMap::new();
        let split: Vec<usize> = (automaton.rows.iter().zip(&blocks))
            .map(|(row, &block)| {
                let next: Vec<usize> = row.iter().map(|&state| blocks[state]).collect();
                let number = numbers.len();
                *numbers.entry((block, next)).or_insert(number)
            })
            .collect();
        blocks = split;
        if numbers.len() == count {
            break;
        }
        count = numbers.len();
    }
    // Blocks are numbered in the order of their first states, so that the dead one is 0.
    let first = |block| blocks.iter().position(|&other| other == block);
    let firsts: Vec<usize> = (0..count).filter_map(first).collect();
    let row = |&state: &usize| automaton.rows[state].iter().map(|&next| blocks[next]).collect();
    AutomatonRows {
        start: blocks[automaton.start],
        rows: firsts.iter().map(row).collect(),
        accepts: firsts.iter().map(|&state| automaton.accepts[state]).collect(),
        classes: automaton.classes.clone(),
    }
}

/// The generated source: a static for each different table, and which grammar has which.
#[derive(Default)]
struct Tables {
    known: Vec<String>,
    /// Each document's name, and its tables: its routes' in order, then the rest's.
    documents: Vec<(&'static str, Vec<usize>)>,
}

impl Tables {
    fn add(&mut self, document: &Document, rules: &Rules) -> Result<(), String> {
        let mut numbers = Vec::new();
        for route in document.routes.iter().chain([&document.rest]) {
            let body = compile(rules, route.rule)
                .and_then(|automaton| render(&automaton))
                .map_err(|reason| format!("{}, rule {}: {reason}", document.name, route.rule))?;
            let known = self.known.iter().position(|known| *known == body);
            numbers.push(known.unwrap_or(self.known.len()));
            if known.is_none() {
                self.known.push(body);
            }
        }
        self.documents.push((document.name, numbers));
        Ok(())
    }

    fn rest_of(&self, name: &str) -> Result<usize, String> {
        let document = self.documents.iter().find(|(other, _)| *other == name);
        document
            .and_then(|(_, numbers)| numbers.last().copied())
            .ok_or_else(|| format!("no grammar {name}"))
    }

    fn into_source(self) -> Result<String, String> {
        let mut source = String::new();
        for (idx, body) in self.known.iter().enumerate() {
            source += &format!("static T{idx}: Table = {body};\n");
        }
        source += &format!("pub(super) static TABLES: [Tables; {}] = [\n", self.documents.len());
        for (document, (_, numbers)) in DOCUMENTS.iter().zip(&self.documents) {
            let list: Vec<String> = numbers.iter().map(|idx| format!("&T{idx}")).collect();
            let (rest, routes) = list.split_last().ok_or("a document without a start rule")?;
            let generic = self.rest_of(document.generic)?;
            let routes = routes.join(", ");
            source += &format!(
                "    Tables {{ routes: &[{routes}], rest: {rest}, generic: &T{generic} }},\n"
            );
        }
        source += "];\n";
        Ok(source)
    }
}

/// A `dfa::Table` as an expression.
fn render(automaton: &AutomatonRows) -> Result<String, String> {
    let (classes, columns) = classify(automaton);
    // Rows are padded to a power of two: a state is its row's offset, and a shift finds what
    // is kept once a state.
    let shift = columns.len().next_power_of_two().trailing_zeros();
    let mut next = Vec::new();
    for row in &automaton.rows {
        let targets = columns.iter().map(|&class| row[class]);
        next.extend(targets.chain(std::iter::repeat(0)).take(1 << shift).map(|to| to << shift));
    }
    if next.len() > usize::from(u16::MAX) {
        return Err(format!("{} states are too many for 16 bits", automaton.rows.len()));
    }
    let (members, loops) = loop_sets(automaton);
    let start = automaton.start << shift;
    let accepts = &automaton.accepts;
    Ok(format!(
        "Table {{ start: {start}, shift: {shift}, classes: &{classes:?},\n    \
         next: &{next:?},\n    members: &{members:?},\n    \
         loops: &{loops:?},\n    accepts: &{accepts:?} }}"
    ))
}

/// The class of each byte, and the column of each class: equal columns are one class.
fn classify(automaton: &AutomatonRows) -> (Vec<usize>, Vec<usize>) {
    let mut numbers = HashMap::new();
    let mut columns = Vec::new();
    let class = |&old: &usize| {
        let column: Vec<usize> = automaton.rows.iter().map(|row| row[old]).collect();
        *numbers.entry(column).or_insert_with(|| {
            columns.push(old);
            columns.len() - 1
        })
    };
    let classes = automaton.classes.iter().map(class).collect();
    (classes, columns)
}

/// Which bytes leave a state as it is: for each byte the sets it is in, for each state its
/// set, both as bits.
///
/// The largest sets get a bit first. States without one are walked byte by byte, which is
/// slower and not wrong.
fn loop_sets(automaton: &AutomatonRows) -> (Vec<u16>, Vec<u16>) {
    let set_of = |(state, row): (usize, &Vec<usize>)| -> Vec<usize> {
        (0..256).filter(|&byte| state != 0 && row[automaton.classes[byte]] == state).collect()
    };
    let sets: Vec<Vec<usize>> = automaton.rows.iter().enumerate().map(set_of).collect();
    let mut different: Vec<&Vec<usize>> = sets.iter().filter(|set| !set.is_empty()).collect();
    different.sort_by_key(|set| (Reverse(set.len()), *set));
    different.dedup();
    different.truncate(LOOP_SETS_MAX);
    let bit = |idx: Option<usize>| idx.map_or(0, |idx| 1 << idx);
    let loops = sets.iter().map(|set| bit(different.iter().position(|other| *other == set)));
    let member = |byte: usize| {
        let within = different.iter().enumerate().filter(|(_, set)| set.contains(&byte));
        within.fold(0, |bits, (idx, _)| bits | 1 << idx)
    };
    ((0..256).map(member).collect(), loops.collect())
}
