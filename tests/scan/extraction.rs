//! The extraction cases of corpus/extraction, each held against the scanner.
//!
//! Every firm case must come out exactly; of all cases together, debatable ones with any of
//! their alternatives, at least 97 %. Text that has to be decoded first goes through the
//! binary, and so do class `www`, which an option asks for, and class `message`, which is read
//! as mail.

#![expect(clippy::expect_used, reason = "a table that cannot be read must stop the tests")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use linktrawl::internal::scan::Scanner;

use crate::support::home;

/// The separator of the URIs in a row's `expected` column.
const UNIT_SEPARATOR: char = '\u{1F}';
/// Fewest cases of a hundred that must come out, debatable ones included.
const PERCENT_MIN: usize = 97;
/// Longest excerpt of an input that a difference prints.
const EXCERPT_CHARS_MAX: usize = 400;

/// One row of the table, decoded.
struct Case {
    id: String,
    class: String,
    input: Vec<u8>,
    expected: Vec<Vec<u8>>,
    /// Other lists that are accepted; only debatable cases have any.
    alternatives: Vec<Vec<Vec<u8>>>,
    is_debatable: bool,
    /// Whether the input is in UTF-16, which is decoded before it is scanned.
    is_wide: bool,
}

// ---- reading the table -----------------------------------------------------------------

fn read_cases() -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/extraction/cases.tsv");
    let text = std::fs::read_to_string(path).expect("the table of cases is UTF-8 text");
    text.lines().skip(1).map(|line| read_case(line).expect("a row has five columns")).collect()
}

fn read_case(line: &str) -> Option<Case> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [id, class, input, expected, note] = columns.try_into().ok()?;
    let is_debatable = note.starts_with("debatable");
    let expected = match expected {
        "" => Vec::new(),
        list => list.split(UNIT_SEPARATOR).map(decode).collect(),
    };
    Some(Case {
        id: id.to_owned(),
        class: class.to_owned(),
        input: decode(input),
        expected,
        alternatives: if is_debatable { read_alternatives(note) } else { Vec::new() },
        is_debatable,
        is_wide: input.contains("\\utf16"),
    })
}

/// Returns the lists after `alt: `, with ` || ` between lists and `||` between the URIs of one.
fn read_alternatives(note: &str) -> Vec<Vec<Vec<u8>>> {
    let Some((_, lists)) = note.split_once("alt: ") else { return Vec::new() };
    let read = |list: &str| match list.trim() {
        "none" => Vec::new(),
        uris => uris.split("||").map(|uri| decode(uri.trim())).collect(),
    };
    lists.split(" || ").map(read).collect()
}

/// Resolves the escapes of the table; corpus/extraction/README.md lists them.
fn decode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        rest = decode_escape(escape, &mut bytes).expect("only listed escapes stand in the table");
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// Decodes the first escape of `escape`, a text after a backslash, and appends it to `bytes`;
/// returns the rest.
fn decode_escape<'t>(escape: &'t str, bytes: &mut Vec<u8>) -> Option<&'t str> {
    for (name, byte) in [("n", b'\n'), ("r", b'\r'), ("t", b'\t'), ("\\", b'\\')] {
        let is_whole = name != "r" || !escape.starts_with("rep{");
        if let Some(rest) = escape.strip_prefix(name).filter(|_| is_whole) {
            bytes.push(byte);
            return Some(rest);
        }
    }
    if let Some(digits) = escape.strip_prefix('x') {
        let (byte, rest) = digits.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(byte, 16).ok()?);
        return Some(rest);
    }
    let (inside, rest) = escape.split_once('}')?;
    if let Some(repeated) = inside.strip_prefix("rep{") {
        let (text, times) = repeated.rsplit_once('|')?;
        bytes.extend(decode(text).repeat(times.parse().ok()?));
    } else if let Some(wide) = inside.strip_prefix("utf16le{") {
        bytes.extend(wide.encode_utf16().flat_map(u16::to_le_bytes));
    } else {
        let wide = inside.strip_prefix("utf16be{")?;
        bytes.extend(wide.encode_utf16().flat_map(u16::to_be_bytes));
    }
    Some(rest)
}

// ---- finding ---------------------------------------------------------------------------

fn found_by_scanner(case: &Case) -> Vec<Vec<u8>> {
    let plain = Scanner::new(&case.input);
    let mut scanner = if case.class == "www" { plain.with_www() } else { plain };
    let mut found = Vec::new();
    while let Some(candidate) = scanner.next() {
        found.push(candidate.text.to_vec());
    }
    found
}

/// Returns the URIs that the binary reports for the case's input, as a text or a message on
/// standard input, with `www.` included.
fn found_by_binary(case: &Case) -> Vec<Vec<u8>> {
    let kind = if case.class == "message" { "mail" } else { "text" };
    let args = ["scan", "--format", "ndjson", "--quiet", "--find", "url,angle,bare,www"];
    let args = [&args[..], &["--as", kind, "-"]].concat();
    let output = home::run_on(Path::new(env!("CARGO_MANIFEST_DIR")), &args, &case.input);
    output.stdout.split(|&byte| byte == b'\n').filter_map(read_uri).collect()
}

fn read_uri(record: &[u8]) -> Option<Vec<u8>> {
    let record: serde_json::Value = serde_json::from_slice(record).ok()?;
    Some(record.get("uri")?.as_str()?.as_bytes().to_vec())
}

// ---- judging ---------------------------------------------------------------------------

#[derive(Default)]
struct Score {
    total: usize,
    missed: usize,
    missed_firm: usize,
    /// The expected and the actual URIs of each case that failed.
    differences: String,
}

impl Score {
    fn add(&mut self, case: &Case, found: &[Vec<u8>]) {
        self.total += 1;
        if found == case.expected || case.alternatives.iter().any(|list| list == found) {
            return;
        }
        self.missed += 1;
        self.missed_firm += usize::from(!case.is_debatable);
        describe(case, found, &mut self.differences).expect("a string takes everything");
    }

    #[track_caller]
    fn hold(&self) {
        let passed = self.total - self.missed;
        let count =
            format!("{passed} of {} cases, {} firm ones missed", self.total, self.missed_firm);
        let is_enough = passed * 100 >= self.total * PERCENT_MIN;
        assert!(self.total > 0, "no case was tried");
        assert!(is_enough && self.missed_firm == 0, "\n{}\n{count}\n", self.differences);
    }
}

fn describe(case: &Case, found: &[Vec<u8>], out: &mut String) -> std::fmt::Result {
    let kind = if case.is_debatable { "debatable" } else { "firm" };
    writeln!(out, "-------- {} ({kind})\n{}", case.id, excerpt(&case.input))?;
    writeln!(out, "-- expected")?;
    case.expected.iter().try_for_each(|uri| writeln!(out, "{}", excerpt(uri)))?;
    for list in &case.alternatives {
        writeln!(out, "-- or")?;
        list.iter().try_for_each(|uri| writeln!(out, "{}", excerpt(uri)))?;
    }
    writeln!(out, "-- got")?;
    found.iter().try_for_each(|uri| writeln!(out, "{}", excerpt(uri)))
}

fn excerpt(bytes: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(bytes).escape_debug().collect();
    match text.char_indices().nth(EXCERPT_CHARS_MAX) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], bytes.len()),
        None => text,
    }
}

#[track_caller]
fn hold_cases(take: impl Fn(&Case) -> bool, find: impl Fn(&Case) -> Vec<Vec<u8>>) {
    let mut score = Score::default();
    for case in read_cases().iter().filter(|case| take(case)) {
        score.add(case, &find(case));
    }
    score.hold();
}

#[test]
fn the_scanner_finds_what_the_cases_expect() {
    hold_cases(|case| !case.is_wide && case.class != "message", found_by_scanner);
}

#[test]
fn the_binary_finds_what_decoding_and_options_bring() {
    let is_through_binary = |case: &Case| matches!(case.class.as_str(), "www" | "message");
    hold_cases(|case| case.is_wide || is_through_binary(case), found_by_binary);
}

#[test]
fn no_two_cases_share_an_id() {
    let cases = read_cases();
    let ids: BTreeSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids.len(), cases.len());
    assert!(cases.iter().all(|case| case.id.starts_with(&format!("{}-", case.class))));
}

#[test]
fn escapes_decode() {
    let check = |text: &str, bytes: &[u8]| assert_eq!(decode(text), bytes, "of {text:?}");
    check(r"a\n\r\t\\b", b"a\n\r\t\\b");
    check(r"\x00\xff", b"\x00\xff");
    check(r"\rep{a\x2e|3}b", b"a.a.a.b");
    check(r"\utf16le{aé}", b"a\0\xe9\0");
    check(r"\utf16be{aé}", b"\0a\0\xe9");
    check(r"\\n", b"\\n");
    check("é", "é".as_bytes());
}

#[test]
fn rows_and_their_alternatives_are_read() {
    let row = "a-1\ta\tb\tc\u{1F}d\tdebatable: e; alt: none || f||g";
    let case = read_case(row).expect("the row is whole");
    assert_eq!(case.expected, [b"c", b"d"]);
    assert_eq!(case.alternatives, [vec![], vec![b"f".to_vec(), b"g".to_vec()]]);
    assert!(case.is_debatable && !case.is_wide);
    let firm = read_case("a-1\ta\tb\t\tan alt: x").expect("the row is whole");
    assert!(firm.expected.is_empty() && firm.alternatives.is_empty() && !firm.is_debatable);
    assert!(read_case("a-1\ta\tb").is_none());
}

#[test]
fn a_score_counts_what_is_missed() {
    let case = read_case("a-1\ta\tb\tc\tdebatable: e; alt: f").expect("the row is whole");
    let mut score = Score::default();
    score.add(&case, &[b"c".to_vec()]);
    score.add(&case, &[b"f".to_vec()]);
    assert_eq!((score.total, score.missed), (2, 0));
    score.add(&case, &[]);
    assert_eq!((score.total, score.missed, score.missed_firm), (3, 1, 0));
    let firm = read_case("a-1\ta\tb\tc\t").expect("the row is whole");
    score.add(&firm, &[]);
    assert_eq!((score.missed, score.missed_firm), (2, 1));
    assert!(score.differences.contains("-- expected\nc\n-- got\n"));
}
