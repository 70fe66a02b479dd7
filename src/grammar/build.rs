//! Compiles the grammars: each start rule of `documents.rs`, with the ABNF under `abnf/`,
//! becomes a minimal deterministic automaton, written as Rust statics for `dfa.rs`.
//!
//! ABNF is RFC 5234; `%s""` and `%i""` are RFC 7405. Terminals are Unicode scalars and
//! become UTF-8, as RFC 3987 §2.2 has it; below U+0080 that is the byte itself. Only
//! regular grammars can be compiled: a rule that reaches itself is an error.
//!
//! A rule `x-R3` replaces `x` where a document is read with repair 3, and `x-A2` where a decision
//! between readings of an ambiguous rule is needed. A start rule gets one table for each set of
//! repairs that can be refused and make a difference to it.
//!
//! The library contains none of this code: it only reads the tables.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
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

use documents::{DOCUMENTS, Document, Reading, Route};

/// The walker has one of 16 bits for each set of bytes that loop back to a state.
const LOOP_SETS_MAX: usize = 16;

const FOLDER: &str = "src/grammar/abnf";

/// Highest number of a repair or decision in the names of rules.
const SUFFIX_MAX: u8 = 11;

/// Repairs that the library checks in the text itself, so that no tables without them are needed: a
/// void fragment, and capitals in a scheme.
const TOLD_BY_LOOKING: [u8; 2] = [2, 8];

fn main() -> ExitCode {
    match generate() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            // Nothing but standard error is left to report it.
            let _ = writeln!(io::stderr(), "grammar: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn generate() -> Result<(), String> {
    let mut tables = Tables::default();
    for document in DOCUMENTS {
        tables.add(document)?;
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

/// The rules of some files by lower-case name: rule names are case-insensitive (RFC 5234 §2.1).
struct Rules {
    by_name: BTreeMap<String, (&'static str, Node)>,
}

/// The way in which references to rules are followed.
struct Following {
    reading: Reading,
    /// Repairs that are not made.
    refused: BTreeSet<u8>,
    /// A rule, and the rule that replaces it.
    substitute: Option<(&'static str, &'static str)>,
    /// Repairs of the rules that were reached.
    reached: BTreeSet<u8>,
    /// The chain of rules that leads to the current one.
    open: Vec<String>,
}

impl Following {
    fn new(document: &Document, route: &Route, refused: BTreeSet<u8>) -> Self {
        let framed = document.frame.as_ref().filter(|_| route.file.is_none());
        Self {
            reading: document.reading,
            refused,
            substitute: framed.map(|frame| (frame.choice, route.rule)),
            reached: BTreeSet::new(),
            open: Vec::new(),
        }
    }

    /// Returns the key of the rule to which a reference to `name` leads.
    fn resolve(&mut self, rules: &Rules, name: &str) -> Result<String, String> {
        let key = match self.substitute {
            Some((choice, rule)) if choice == name => rule.to_lowercase(),
            _ => name.to_lowercase(),
        };
        if self.reading == Reading::Literal {
            return Ok(key);
        }
        let with = |kind: char, number: u8| format!("{key}-{kind}{number}");
        let mut repaired = None;
        for number in 1..=SUFFIX_MAX {
            let variant = with('r', number);
            if !rules.by_name.contains_key(&variant) {
                continue;
            }
            self.reached.insert(number);
            if !self.refused.contains(&number) && repaired.replace(variant).is_some() {
                return Err(format!("rule {name} has two repairs at once"));
            }
        }
        let decided = (1..=SUFFIX_MAX).map(|number| with('a', number));
        let decided = decided.into_iter().find(|variant| rules.by_name.contains_key(variant));
        Ok(repaired.or(decided).unwrap_or(key))
    }
}

impl Rules {
    fn read(files: &[&'static str]) -> Result<Self, String> {
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
            // `=/` adds an alternative to an existing rule (RFC 5234 §3.3).
            (Kind::Incremental, Some((_, old))) => Node::alternatives(&[old, rule.node().clone()]),
            (Kind::Basic, Some((old, _))) => {
                return Err(format!("rule {} is in {old} already", rule.name()));
            }
            (Kind::Incremental, None) => return Err(format!("no rule {} to add to", rule.name())),
        };
        self.by_name.insert(name, (file, node));
        Ok(())
    }

    /// Returns the expression of the rule `name`.
    fn expand(&self, name: &str, to: &mut Following) -> Result<Hir, String> {
        let key = to.resolve(self, name)?;
        if to.open.contains(&key) {
            return Err(format!("rule {name} reaches itself by {}", to.open.join(" ")));
        }
        let (file, node) = self.by_name.get(&key).ok_or_else(|| format!("no rule {name}"))?;
        to.open.push(key);
        let hir = self
            .convert(node, to)
            .map_err(|reason| format!("{reason} (in rule {name} of {file})"))?;
        to.open.pop();
        Ok(hir)
    }

    fn convert(&self, node: &Node, to: &mut Following) -> Result<Hir, String> {
        Ok(match node {
            Node::Alternatives(nodes) => Hir::alternation(self.convert_all(nodes, to)?),
            Node::Concatenation(nodes) => Hir::concat(self.convert_all(nodes, to)?),
            Node::Repetition { repeat, node } => {
                let bound = |count| u32::try_from(count).map_err(|_| "count is too large");
                let min = bound(repeat.min().unwrap_or(0))?;
                repeated(self.convert(node, to)?, min, repeat.max().map(bound).transpose()?)
            }
            Node::Rulename(name) => self.expand(name, to)?,
            Node::Group(node) => self.convert(node, to)?,
            Node::Optional(node) => repeated(self.convert(node, to)?, 0, Some(1)),
            Node::String(text) if text.is_case_sensitive() => {
                Hir::concat(text.value().chars().map(|one| span(one, one)).collect())
            }
            Node::String(text) => Hir::concat(text.value().chars().map(in_any_case).collect()),
            Node::TerminalValues(TerminalValues::Range(first, last)) => {
                span(scalar(*first)?, scalar(*last)?)
            }
            Node::TerminalValues(TerminalValues::Concatenation(values)) => {
                let each = values.iter().map(|&value| scalar(value).map(|one| span(one, one)));
                Hir::concat(each.collect::<Result<_, _>>()?)
            }
            Node::Prose(text) => return Err(format!("prose cannot be compiled: <{text}>")),
        })
    }

    fn convert_all(&self, nodes: &[Node], to: &mut Following) -> Result<Vec<Hir>, String> {
        nodes.iter().map(|node| self.convert(node, to)).collect()
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

/// Returns `one` in both cases: strings are case-insensitive without `%s`, within US-ASCII (RFC
/// 5234 §2.3).
fn in_any_case(one: char) -> Hir {
    let cases = [one.to_ascii_lowercase(), one.to_ascii_uppercase()];
    let ranges = cases.map(|case| ClassUnicodeRange::new(case, case));
    Hir::class(Class::Unicode(ClassUnicode::new(ranges)))
}

/// A complete automaton over classes of bytes. State 0 is dead.
struct AutomatonRows {
    start: usize,
    /// For each state, the next state by class.
    rows: Vec<Vec<usize>>,
    accepts: Vec<bool>,
    /// The class of each byte.
    classes: Vec<usize>,
}

fn compile(hir: &Hir) -> Result<AutomatonRows, String> {
    let nfa = thompson::Compiler::new()
        .configure(thompson::Config::new().utf8(false).which_captures(WhichCaptures::None))
        .build_from_hir(hir)
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

/// Extracts the automaton from the engine around it, breadth first.
///
/// The engine reports a match one byte late, so that a state accepts if the end of input leads from
/// it to a match.
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

/// Minimises by Moore's algorithm: blocks of states are split until no byte distinguishes two
/// states of a block. States from which no text is accepted end up in the dead one's block, so that
/// a walk stops at the first byte after which nothing could be valid.
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

/// The generated source: a static for each distinct table, and the tables of each grammar.
#[derive(Default)]
struct Tables {
    known: Vec<String>,
    /// The number of the table of each expression that was compiled: many start rules come to the
    /// same expression, and compiling it takes longest here.
    compiled: Vec<(Hir, usize)>,
    /// Each document's name and readings: first those of its routes, in order, then that of the
    /// rest.
    documents: Vec<(&'static str, Vec<Readings>)>,
}

/// The tables of one start rule.
struct Readings {
    /// The repairs that make a difference to the rule, in order.
    repairs: Vec<u8>,
    /// The table for each set of refused repairs. Bit i of the index is the i-th repair.
    tables: Vec<usize>,
}

impl Tables {
    fn add(&mut self, document: &'static Document) -> Result<(), String> {
        let rules = Rules::read(document.files)?;
        let mut readings = Vec::new();
        for route in document.routes.iter().chain([&document.rest]) {
            let at = |reason| format!("{}, rule {}: {reason}", document.name, route.rule);
            let read = match route.file {
                None => self.read(&rules, document, route),
                Some(file) => self.read(&Rules::read(&[file])?, document, route),
            };
            readings.push(read.map_err(at)?);
        }
        self.documents.push((document.name, readings));
        Ok(())
    }

    fn read(
        &mut self,
        rules: &Rules,
        document: &Document,
        route: &Route,
    ) -> Result<Readings, String> {
        let framed = document.frame.as_ref().filter(|_| route.file.is_none());
        let start = framed.map_or(route.rule, |frame| frame.start);
        let mut all = Following::new(document, route, BTreeSet::new());
        let mut hirs = vec![rules.expand(start, &mut all)?];
        if let Some(number) = all.reached.iter().find(|&it| !document.repairs.contains(it)) {
            return Err(format!("R{number} is no repair of the document"));
        }
        let repairs: Vec<u8> =
            all.reached.into_iter().filter(|number| !TOLD_BY_LOOKING.contains(number)).collect();
        for set in 1..1_usize << repairs.len() {
            let is_refused = |&(idx, _): &(usize, &u8)| set >> idx & 1 == 1;
            let refused = repairs.iter().enumerate().filter(is_refused).map(|(_, &number)| number);
            let mut some = Following::new(document, route, refused.collect());
            hirs.push(rules.expand(start, &mut some)?);
        }
        let tables = hirs.into_iter().map(|hir| self.table(hir));
        Ok(Readings { repairs, tables: tables.collect::<Result<_, String>>()? })
    }

    /// Returns the number of the table of `hir`.
    fn table(&mut self, hir: Hir) -> Result<usize, String> {
        if let Some((_, number)) = self.compiled.iter().find(|(known, _)| *known == hir) {
            return Ok(*number);
        }
        let number = self.number(render(&compile(&hir)?)?);
        self.compiled.push((hir, number));
        Ok(number)
    }

    /// Returns the number of the table `body`; adds the table if it is not yet known.
    fn number(&mut self, body: String) -> usize {
        self.known.iter().position(|known| *known == body).unwrap_or_else(|| {
            self.known.push(body);
            self.known.len() - 1
        })
    }

    fn rest_of(&self, name: &str) -> Result<usize, String> {
        let document = self.documents.iter().find(|(other, _)| *other == name);
        document
            .and_then(|(_, readings)| readings.last()?.tables.first().copied())
            .ok_or_else(|| format!("no grammar {name}"))
    }

    fn into_source(self) -> Result<String, String> {
        let mut source = String::new();
        for (idx, body) in self.known.iter().enumerate() {
            source += &format!("static T{idx}: Table = {body};\n");
        }
        source += &format!("pub(super) static TABLES: [Tables; {}] = [\n", self.documents.len());
        for (document, (_, readings)) in DOCUMENTS.iter().zip(&self.documents) {
            let list: Vec<String> = readings.iter().map(Readings::render).collect();
            let (rest, routes) = list.split_last().ok_or("a document without a start rule")?;
            let generic = self.rest_of(document.generic)?;
            let routes = routes.join(", ");
            source += &format!(
                "    Tables {{ routes: &[{routes}], rest: {rest}, generic: &T{generic} }},\n"
            );
        }
        source += "];\n";
        source += &sources()?;
        Ok(source)
    }
}

/// Returns the source of a list with the name and the text of each file of rules.
fn sources() -> Result<String, String> {
    let mut names: Vec<&str> =
        DOCUMENTS.iter().flat_map(|document| document.files).copied().collect();
    names.push("core.abnf");
    names.sort_unstable();
    names.dedup();
    let mut source = format!("pub(super) static SOURCES: [(&str, &str); {}] = [\n", names.len());
    for name in names {
        let path = Path::new(FOLDER).join(name);
        let text = fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        source += &format!("    ({name:?}, {text:?}),\n");
    }
    Ok(source + "];\n")
}

impl Readings {
    /// Returns a `dfa::Readings` as an expression.
    fn render(&self) -> String {
        let tables: Vec<String> = self.tables.iter().map(|idx| format!("&T{idx}")).collect();
        let whole = tables.first().map_or("", String::as_str);
        format!(
            "Readings {{ whole: {whole}, repairs: &{:?}, tables: &[{}] }}",
            self.repairs,
            tables.join(", ")
        )
    }
}

/// Returns a `dfa::Table` as an expression.
fn render(automaton: &AutomatonRows) -> Result<String, String> {
    let (classes, columns) = classify(automaton);
    // Rows are padded to a power of two: a state is the offset of its row, and a shift gives its
    // index in tables with one entry for each state.
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

/// Returns the class of each byte, and the column of each class: bytes with equal columns share a
/// class.
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

/// Returns the sets of bytes that loop back to a state: for each byte the sets that contain it, for
/// each state its set, both as bits.
///
/// The largest sets get a bit first. States whose set has no bit are walked byte by byte, which is
/// slower but correct.
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
