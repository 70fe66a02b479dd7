//! Equivalence: every row of the table through the library, a sample through the binary, laws
//! on mutants of the table, and what another implementation normalises to.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test says what must hold by panicking"
)]

use std::borrow::Cow;

use iri_string::format::ToDedicatedString as _;
use iri_string::types::UriStr;
use linktrawl::internal::grammar;
use linktrawl::internal::grammar::compare::{Equivalence, Side, compare};
use linktrawl::internal::grammar::normalize::{RULE_SETS, RuleSet, find, key, normalize, to_uri};

const TABLE: &str = include_str!("../../corpus/grammar/equivalence.tsv");

// ---- the table -------------------------------------------------------------------------

struct Row {
    /// From 1, in the file.
    line: usize,
    a: &'static str,
    b: &'static str,
    /// The verdict of each rule set, in the order of `RULE_SETS`.
    says: Vec<&'static str>,
}

fn rows() -> Vec<Row> {
    let mut lines = TABLE.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    let (_, head) = lines.next().expect("the names of the fields");
    let head: Vec<_> = head.split('\t').collect();
    let column = |name: &str| head.iter().position(|field| *field == name).expect(name);
    let columns: Vec<_> = RULE_SETS.iter().map(|rules| column(rules.name)).collect();
    assert_eq!(head.len(), RULE_SETS.len() + 3, "a, b, the rule sets, note");
    let row = |(idx, line): (usize, &'static str)| {
        let fields: Vec<_> = line.split('\t').collect();
        assert_eq!(fields.len(), head.len(), "line {}", idx + 1);
        let says = columns.iter().map(|&column| fields[column]).collect();
        Row { line: idx + 1, a: fields[0], b: fields[1], says }
    };
    lines.map(row).collect()
}

/// Returns the verdict of a rule set, in the words of the table.
fn word(found: &Equivalence) -> &'static str {
    match found {
        Equivalence::Equal => "equal",
        Equivalence::Different => "different",
        Equivalence::Inapplicable { .. } => "n/a",
    }
}

#[test]
fn every_row_comes_out_either_way_round() {
    let rows = rows();
    assert!(rows.len() > 100, "{} rows", rows.len());
    let mut wrong = Vec::new();
    for row in &rows {
        for (rules, wanted) in RULE_SETS.iter().zip(&row.says) {
            let (a, b) = (row.a.as_bytes(), row.b.as_bytes());
            for found in [compare(a, b, rules), compare(b, a, rules)] {
                if word(&found) != *wanted {
                    let Row { line, a, b, .. } = row;
                    wrong.push(format!("{line}: {}: {wanted}, not {found:?}: {a} {b}", rules.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_set_says_all_it_can_somewhere() {
    for (idx, rules) in RULE_SETS.iter().enumerate() {
        for wanted in ["equal", "different", "n/a"] {
            assert!(rows().iter().any(|row| row.says[idx] == wanted), "{} {wanted}", rules.name);
        }
    }
}

#[test]
fn what_a_grammar_refuses_is_said_with_its_side_and_place() {
    let rules = find("rfc3986-scheme").unwrap();
    let found = compare(b"http://h/", b"http://h/%zz", rules);
    let Equivalence::Inapplicable { side, reason } = found else { panic!("{found:?}") };
    assert_eq!(side, Side::Second);
    assert_eq!(
        reason.to_string(),
        "rfc3986-uri does not accept it: pct-encoded: expected a hex digit at byte 10 \
         (RFC 3986 §2.1)"
    );
    let found = compare(b"", b"", rules);
    assert!(matches!(found, Equivalence::Inapplicable { side: Side::First, .. }), "{found:?}");
}

// ---- laws ------------------------------------------------------------------------------

/// Texts for the laws: enough to meet every rule some thousand times.
const MUTANTS: usize = 60_000;

/// Pieces of text on which the rules decide.
const PIECES: [&str; 32] = [
    "%",
    "%2e",
    "%2F",
    "%41",
    "%7e",
    "%25",
    "%C3%A9",
    "%00",
    "/",
    "//",
    "/./",
    "/../",
    ".",
    "..",
    ":",
    ":80",
    ":0",
    "@",
    "u@",
    "u:p@",
    "?",
    "#",
    "A",
    "H",
    "é",
    "\u{FF0F}",
    "\u{3002}",
    "[::1]",
    "localhost",
    "file://",
    "mailto:",
    "~",
];

/// Marsaglia's xorshift with 64 bits: enough to choose places by.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % bound
    }

    /// A place in `text` where a character begins or the text ends.
    fn place(&mut self, text: &str) -> usize {
        let places: Vec<_> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        places[self.below(places.len())]
    }
}

/// Texts of the table with a few pieces put in or taken away; the same ones on every run.
fn mutants(count: usize) -> impl Iterator<Item = String> {
    let seeds: Vec<_> = rows().into_iter().flat_map(|row| [row.a, row.b]).collect();
    let mut random = Random(0x5EED);
    (0..count).map(move |_| {
        let mut text = seeds[random.below(seeds.len())].to_owned();
        for _ in 0..random.below(4) {
            let at = random.place(&text);
            match random.below(4) {
                0 => drop(text.pop()),
                1 => text.truncate(at),
                _ => text.insert_str(at, PIECES[random.below(PIECES.len())]),
            }
        }
        text
    })
}

/// The normal form of `text`, where the rule set has a say.
fn normal(text: &[u8], rules: &RuleSet) -> Option<Vec<u8>> {
    normalize(text, rules).ok().map(|normal| normal.as_bytes().to_vec())
}

#[track_caller]
fn rules(name: &str) -> &'static RuleSet {
    find(name).expect(name)
}

/// The rule sets of documents with a grammar; `whatwg` has tests of its own.
fn own_rule_sets() -> impl Iterator<Item = &'static RuleSet> {
    RULE_SETS.iter().filter(|rules| rules.name != "whatwg")
}

#[test]
fn a_normal_form_is_normal_and_of_the_same_grammar() {
    for rules in own_rule_sets() {
        let mut met = 0;
        for text in mutants(MUTANTS) {
            let Some(once) = normal(text.as_bytes(), rules) else { continue };
            met += 1;
            let shown = String::from_utf8_lossy(&once);
            // That there is a second one says that the grammar takes the first.
            assert_eq!(
                normal(&once, rules).as_ref(),
                Some(&once),
                "{}: {text} {shown}",
                rules.name
            );
        }
        assert!(met > MUTANTS / 40, "{} had a say about {met}", rules.name);
    }
}

#[test]
fn what_the_syntax_makes_equal_the_schemes_do() {
    let (syntax, scheme) = (rules("rfc3986-syntax"), rules("rfc3986-scheme"));
    let (mut pairs, mut iris) = (0, 0);
    for text in mutants(MUTANTS) {
        let Some(by_syntax) = normal(text.as_bytes(), syntax) else { continue };
        pairs += usize::from(by_syntax != text.as_bytes());
        assert_eq!(compare(text.as_bytes(), &by_syntax, syntax), Equivalence::Equal, "{text}");
        assert_eq!(compare(text.as_bytes(), &by_syntax, scheme), Equivalence::Equal, "{text}");
        // The escapes of a host are those of an IRI's characters (RFC 3987 §3.1).
        let host = text.split("//").nth(1).and_then(|rest| rest.split(['/', '?', '#']).next());
        if host.is_none_or(|host| !host.contains('%')) {
            let iri = normal(text.as_bytes(), rules("rfc3987"));
            assert_eq!(iri, normal(text.as_bytes(), scheme), "{text}");
            iris += 1;
        }
    }
    assert!(pairs > MUTANTS / 10 && iris > MUTANTS / 4, "{pairs}, {iris}");
}

#[test]
fn equality_is_an_equivalence() {
    let texts: Vec<_> = mutants(250).collect();
    for rules in RULE_SETS {
        let is_equal = |a: &String, b: &String| {
            compare(a.as_bytes(), b.as_bytes(), rules) == Equivalence::Equal
        };
        for a in &texts {
            let is_taken = normal(a.as_bytes(), rules).is_some();
            assert_eq!(is_equal(a, a), is_taken, "{} {a}", rules.name);
            let equals: Vec<_> = texts.iter().filter(|b| is_equal(a, b)).collect();
            for b in &equals {
                assert!(is_equal(b, a), "{} {a} {b}", rules.name);
                assert!(equals.iter().all(|c| is_equal(b, c)), "{} {a} {b}", rules.name);
            }
        }
    }
}

#[test]
fn a_key_is_the_normal_form_or_the_text_itself() {
    let mut changed = 0;
    for text in mutants(MUTANTS) {
        let text = text.as_bytes();
        let wanted = normal(text, rules("rfc3987")).unwrap_or_else(|| text.to_vec());
        let found = key(text);
        assert_eq!(found, wanted, "{}", String::from_utf8_lossy(text));
        assert_eq!(matches!(found, Cow::Borrowed(_)), wanted == text);
        changed += usize::from(wanted != text);
    }
    assert!(changed > MUTANTS / 10, "{changed}");
}

#[test]
fn an_iri_is_mapped_to_a_uri_that_is_mapped_to_itself() {
    let (iri, uri) = (grammar::find("rfc3987-iri").unwrap(), grammar::find("rfc3986").unwrap());
    let mut mapped = 0;
    for text in mutants(MUTANTS) {
        if iri.check(text.as_bytes()).is_err() {
            continue;
        }
        let found = to_uri(text.as_bytes());
        assert_eq!(uri.check(&found), Ok(()), "{text}");
        assert_eq!(to_uri(&found), found, "{text}");
        mapped += usize::from(found != text.as_bytes());
    }
    assert!(mapped > MUTANTS / 100, "{mapped}");
}

// ---- another implementation ------------------------------------------------------------

/// Returns `ours` without its empty port, and whether the case of the host may differ: the two
/// known differences.
///
/// iri-string drops the colon of an empty port with the syntax; RFC 3986 has that with the
/// schemes (§6.2.3). And it keeps the case of a host with an escape beyond US-ASCII, which it
/// takes for one in another script; §6.2.2.1 knows no host with case.
fn level_explained(mut ours: String) -> (String, Explained) {
    let grammar = grammar::find("rfc3986").unwrap();
    let uri = grammar.split(ours.as_bytes());
    let host = uri.host.map(|host| host.of(uri.text)).unwrap_or_default();
    let is_beyond = |pair: &[u8]| pair[0] == b'%' && matches!(pair[1], b'8' | b'9' | b'A'..=b'F');
    let holds_beyond = host.windows(2).any(is_beyond);
    let empty_port = uri.port.filter(|port| port.is_empty());
    if let Some(port) = empty_port {
        ours.remove(port.start - 1);
    }
    (ours, if holds_beyond { Explained::CaseOfHost } else { Explained::Nothing })
}

#[derive(PartialEq, Eq)]
enum Explained {
    CaseOfHost,
    Nothing,
}

#[test]
fn the_syntax_step_agrees_with_iri_string() {
    let (mut compared, mut explained) = (0, 0);
    for text in mutants(4 * MUTANTS) {
        let Ok(theirs) = UriStr::new(&text) else { continue };
        let theirs = theirs.normalize().to_dedicated_string();
        let ours = normal(text.as_bytes(), rules("rfc3986-syntax")).expect("a URI");
        let ours = String::from_utf8(ours).unwrap();
        compared += 1;
        if ours == theirs.as_str() {
            continue;
        }
        explained += 1;
        let (levelled, case) = level_explained(ours);
        let agrees = match case {
            Explained::CaseOfHost => levelled.eq_ignore_ascii_case(theirs.as_str()),
            Explained::Nothing => levelled == theirs.as_str(),
        };
        assert!(agrees, "{levelled} {theirs} of {text}");
    }
    assert!(compared > MUTANTS, "{compared}");
    assert!(explained < compared / 10, "{explained} of {compared}");
}
