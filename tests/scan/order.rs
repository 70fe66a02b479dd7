//! Tests that the report has the order of the inputs, byte for byte, for any number of threads and
//! on every run; and that each record points at its subject.
//!
//! One generated tree serves all tests: it is written once, by chance from a fixed seed.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use serde_json::Value;

use crate::support::chance::Chance;
use crate::support::home;

/// Numbers of threads that are compared; the first is the order itself.
const THREADS: [&str; 4] = ["1", "2", "8", "8"];

// ---- the tree --------------------------------------------------------------------------

const LINES: [&str; 12] = [
    "a line of words without any of what is looked for, as most lines are",
    "note: at 10:00 the std::vector<foo::bar> was here, a:b:c",
    "",
    "see http://www.w3.org/Addressing/ and <URL:http://www.w3.org/Addressing/URL/",
    "  5.1_Wrappers.html>, then (ftp://ftp.example/pub/(a)).",
    "> quoted <http://example.org/a-",
    "> b/c> and news:comp.lang.c++.moderated",
    "mailto:someone@example.org, http://é.example/à «http://b.example/»",
    "http://example.org/%zz http://[::1 http://example.org:port/ http://exa mple.org/",
    "Subject: Re: http://example.org/s",
    "http://h.example/1 http://h.example/2 http://h.example/3 http://h.example/4",
    "https://example.org/page?number=",
];

/// At least `len` bytes of lines, with a number now and then so that URIs differ.
fn text(len: usize, chance: &mut Chance) -> String {
    let mut out = String::with_capacity(len + 100);
    while out.len() < len {
        out.push_str(LINES[chance.below(LINES.len())]);
        if chance.below(2) == 0 {
            out.push_str(&chance.below(100_000).to_string());
        }
        out.push_str(&" and more words".repeat(chance.below(40)));
        // A text without a line end for long is cut anywhere.
        out.push(if out.len() / 300_000 % 3 == 2 { ' ' } else { '\n' });
    }
    out
}

fn mailbox(len: usize, chance: &mut Chance) -> String {
    let mut out = String::with_capacity(len + 5000);
    while out.len() < len {
        let number = out.len();
        out.push_str("From a@example.org Thu Dec  1 00:00:00 1994\n");
        out.push_str(&format!("Message-ID: <{number}@example.org>\n"));
        out.push_str("Date: Thu, 01 Dec 1994 00:00:00 +0000\nReceived: by http://r.example/\n");
        out.push_str(&format!("Archived-At: <http://example.org/{number}>\nTo: b\n\n"));
        let body = text(1 + chance.below(4000), chance);
        out.push_str(&body.replace("\n\n", "\n"));
        out.push_str("\n\n");
    }
    out
}

fn write(path: &Path, content: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    fs::write(path, content).expect("a file");
}

/// Some 9 MB: hundreds of small files in nested directories, some files of several pieces,
/// a mailbox, UTF-16, and one whose report is much larger than itself.
fn write_tree(root: &Path) {
    let mut chance = Chance(11);
    for number in 0..400 {
        let folder = ["", "b", "b/c", "b/c/d", "e.d", "e", "e-d"][number % 7];
        let content = text(chance.below(3000), &mut chance);
        write(&root.join(folder).join(format!("f{number}.txt")), content);
    }
    write(&root.join("b/large.txt"), text(2_100_000, &mut chance));
    write(&root.join("b/c/larger.txt"), text(2_500_000, &mut chance));
    write(&root.join("middle.txt"), text(700_000, &mut chance));
    write(&root.join("spool.mbox"), mailbox(2_100_000, &mut chance));
    write(&root.join("dense.txt"), "x http://a.b/ ".repeat(15_000));
    let wide = format!("\u{FEFF}{}", text(300_000, &mut chance).replace("1994", "\u{1F600}"));
    write(
        &root.join("wide.txt"),
        wide.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>(),
    );
    write(&root.join("empty.txt"), "");
    write(&root.join("packed.gz"), b"\x1F\x8B\x08\0rest");
    write(&root.join(".hidden"), "http://hidden.example/");
}

fn tree() -> &'static Path {
    static TREE: OnceLock<PathBuf> = OnceLock::new();
    TREE.get_or_init(|| {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("order");
        let _ = fs::remove_dir_all(&root);
        write_tree(&root.join("tree"));
        root
    })
}

// ---- runs ------------------------------------------------------------------------------

fn scan(args: &[&str]) -> Output {
    home::run(tree(), &[&["scan"], args].concat())
}

/// Returns the first place where two reports differ, with the text around it.
fn difference(one: &[u8], other: &[u8]) -> String {
    let at = one.iter().zip(other).position(|(a, b)| a != b).unwrap_or(one.len().min(other.len()));
    let near = |text: &[u8]| {
        let end = text.len().min(at + 200);
        text[at.saturating_sub(200)..end].escape_ascii().to_string()
    };
    format!("lengths {} {}, at {at}:\n{}\n{}", one.len(), other.len(), near(one), near(other))
}

/// Runs with each number of threads and holds everything that is said against the first;
/// gives that one's standard output.
#[track_caller]
fn same_for_all_threads(args: &[&str]) -> Vec<u8> {
    let run = |threads| scan(&[args, &["--threads", threads]].concat());
    let first = run(THREADS[0]);
    assert!(first.stdout.len() > 100_000, "too little to compare: {}", first.stdout.len());
    for threads in &THREADS[1..] {
        let other = run(threads);
        let is_same = first.stdout == other.stdout;
        assert!(is_same, "{threads} threads: {}", difference(&first.stdout, &other.stdout));
        assert_eq!(
            String::from_utf8_lossy(&first.stderr),
            String::from_utf8_lossy(&other.stderr),
            "{threads} threads"
        );
        assert_eq!(first.status.code(), other.status.code());
    }
    first.stdout
}

fn records(report: &[u8]) -> Vec<Value> {
    let lines = report.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).expect("JSON")).collect()
}

fn findings(report: &[u8]) -> Vec<Value> {
    records(report).into_iter().filter(|record| record["type"] == "finding").collect()
}

fn last_line(report: &[u8]) -> &[u8] {
    report.trim_ascii_end().rsplit(|byte| *byte == b'\n').next().unwrap_or_default()
}

#[test]
fn text_is_the_same_for_any_number_of_threads() {
    same_for_all_threads(&["tree"]);
}

#[test]
fn ndjson_is_the_same_and_every_record_points_at_its_text() {
    let report = same_for_all_threads(&["tree", "--format", "ndjson"]);
    let findings = findings(&report);
    assert_eq!(records(last_line(&report))[0]["findings"], findings.len());
    hold_places(&findings);
    hold_order(&findings);
}

#[test]
fn notes_and_several_paths_keep_their_places() {
    let paths = ["tree/wide.txt", "gone", "tree/b", "tree/dense.txt", "gone too", "tree/e"];
    let args = [&paths[..], &["--format=ndjson", "--find=url,angle,bare,www,header"]].concat();
    let report = same_for_all_threads(&args);
    let mut seen: Vec<String> = records(&report)
        .iter()
        .filter_map(|record| record["place"]["path"].as_str().map(str::to_owned))
        .collect();
    seen.dedup();
    let gone = seen.iter().position(|path| path == "gone").expect("a note");
    let end = seen.iter().position(|path| path == "gone too").expect("a note");
    assert_eq!(seen[gone - 1], "tree/wide.txt");
    assert!(seen[gone + 1].starts_with("tree/b/"));
    assert_eq!(seen[end - 1], "tree/dense.txt");
    assert!(seen[end + 1].starts_with("tree/e/"));
}

#[test]
fn unique_findings_are_the_first_ones_for_any_number_of_threads() {
    let unique = same_for_all_threads(&["tree", "--format", "ndjson", "--unique"]);
    same_for_all_threads(&["tree", "--unique"]);
    let all = scan(&["tree", "--format", "ndjson"]).stdout;
    let mut seen = HashSet::new();
    let expected: Vec<&[u8]> = lines(&all).filter(|line| seen.insert(uri(line))).collect();
    let found: Vec<&[u8]> = lines(&unique).collect();
    assert!(found == expected, "{} findings, expected {}", found.len(), expected.len());
    let summary = &records(last_line(&unique))[0];
    assert_eq!(summary["distinct"], found.len());
    assert_eq!(summary["skipped"]["repeated"], lines(&all).count() - found.len());
}

/// The lines of a report that are findings.
fn lines(report: &[u8]) -> impl Iterator<Item = &[u8]> {
    report.split(|byte| *byte == b'\n').filter(|line| line.starts_with(br#"{"type":"finding""#))
}

/// Returns the line of a finding up to its key `raw`.
fn uri(line: &[u8]) -> &[u8] {
    let end = line.windows(7).position(|text| text == br#","raw":"#).expect("a key");
    &line[..end]
}

// ---- what a record says of its place ---------------------------------------------------

/// The file that was read last: findings come file by file.
#[derive(Default)]
struct Last {
    path: String,
    bytes: Vec<u8>,
    is_wide: bool,
    /// Where lines begin, in bytes.
    lines: Vec<usize>,
    /// An offset, and its column: a line may be long and hold many findings.
    column: (usize, usize),
}

impl Last {
    fn turn_to(&mut self, path: &str) {
        if self.path == path {
            return;
        }
        let bytes = fs::read(tree().join(path)).expect("the file");
        self.is_wide = bytes.starts_with(b"\xFF\xFE");
        let (mark, unit) = if self.is_wide { (2, 2) } else { (0, 1) };
        let feeds = (mark..bytes.len())
            .step_by(unit)
            .filter(|at| bytes[*at] == b'\n' && (unit == 1 || bytes.get(at + 1) == Some(&0)));
        self.lines = std::iter::once(mark).chain(feeds.map(|at| at + unit)).collect();
        (self.path, self.bytes, self.column) = (path.to_owned(), bytes, (0, 1));
    }

    /// The column of `offset` on the line that begins at `start`.
    fn column(&mut self, start: usize, offset: usize) -> usize {
        let (from, column) = if self.column.0 < start { (start, 1) } else { self.column };
        let column = column + self.text(from, offset).chars().count();
        self.column = (offset, column);
        column
    }

    fn text(&self, start: usize, end: usize) -> String {
        let bytes = &self.bytes[start..end];
        if !self.is_wide {
            return String::from_utf8_lossy(bytes).into_owned();
        }
        let units: Vec<u16> = bytes
            .chunks(2)
            .map(|unit| u16::from_le_bytes(unit.try_into().expect("whole units")))
            .collect();
        String::from_utf16(&units).expect("UTF-16")
    }
}

/// The bytes at the offset are the raw text, on the line and column that are said.
#[track_caller]
fn hold_places(findings: &[Value]) {
    let mut last = Last::default();
    for found in findings {
        let place = &found["place"];
        let number = |name: &str| {
            usize::try_from(place[name].as_u64().expect("a number")).expect("a small number")
        };
        last.turn_to(place["path"].as_str().expect("a path"));
        let (offset, len, line) = (number("offset"), number("len"), number("line"));
        assert_eq!(found["raw"], last.text(offset, offset + len), "{found}");
        assert_eq!(place["offset"], place["file_offset"]);
        let start = last.lines[line - 1];
        assert!(start <= offset && last.lines.get(line).is_none_or(|next| *next > offset));
        assert_eq!(number("column"), last.column(start, offset), "{found}");
    }
}

/// Paths come in the order of names at each level, offsets in the order of the text.
#[track_caller]
fn hold_order(findings: &[Value]) {
    let key = |found: &Value| {
        let path = found["place"]["path"].as_str().expect("a path").to_owned();
        let parts: Vec<String> = path.split('/').map(str::to_owned).collect();
        (parts, found["place"]["offset"].as_u64().expect("a number"))
    };
    let keys: Vec<_> = findings.iter().map(key).collect();
    for pair in keys.windows(2) {
        assert!(pair[0] < pair[1], "{pair:?}");
    }
}
