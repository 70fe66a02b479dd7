//! Tests HTML that is longer than the limit for reading a document as a whole: it is cut before
//! tags, and has the same links as a whole document would.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::home;

/// Bytes of a document that is read whole.
const WHOLE_LEN_MAX: usize = 8 << 20;

/// A file of this name below a directory of these tests.
fn file(name: &str, content: &[u8]) -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("long_documents");
    std::fs::create_dir_all(&home).expect("a directory");
    let path = home.join(name);
    std::fs::write(&path, content).expect("a file");
    path
}

/// The findings and notes of a scan, and its exit code.
struct Run {
    findings: Vec<Value>,
    notes: Vec<Value>,
    code: Option<i32>,
}

fn scan(path: &Path, threads: &str) -> Run {
    let output = home::linktrawl()
        .args(["scan", "--quiet", "--format", "ndjson", "--threads", threads])
        .arg(path)
        .output()
        .expect("the binary runs");
    let report = String::from_utf8(output.stdout).expect("records are UTF-8");
    let records = report.lines().map(|line| serde_json::from_str(line).expect("a record is JSON"));
    let (findings, others): (Vec<Value>, Vec<Value>) =
        records.partition(|record: &Value| record["type"] == "finding");
    let notes = others.into_iter().filter(|record| record["type"] == "note").collect();
    Run { findings, notes, code: output.status.code() }
}

/// Returns the parts of a finding that are compared.
fn row(finding: &Value) -> Value {
    let place = &finding["place"];
    let found = [&finding["uri"], &finding["cue"], &finding["base"]];
    json!([found, place["line"], place["column"], place["offset"], place["len"]])
}

/// HTML that grows line by line, and what is to be found in it.
struct Growing {
    text: String,
    lines: usize,
    expected: Vec<Value>,
    /// The base of relative links.
    base: Value,
}

impl Growing {
    fn new(head: &str, base: Value) -> Self {
        Self { text: format!("{head}\n"), lines: 1, expected: Vec::new(), base }
    }

    /// Adds lines up to `len` bytes; what is ignored is not to be found.
    fn grow(&mut self, len: usize, is_ignored: bool) {
        const BETWEEN: &str = "\">é</a><b>";
        while self.text.len() < len {
            let (line, start) = (self.lines + 1, self.text.len() + "<p><a href=\"".len());
            let link = format!("page/{line}");
            let bare = format!("http://bare.example/{line}?a&b");
            let written = bare.replace('&', "&amp;");
            writeln!(self.text, "<p><a href=\"{link}{BETWEEN}{written}</b></p>")
                .expect("a string takes all");
            self.lines += 1;
            let after = start + link.len() + BETWEEN.len();
            let column = 13 + link.len() + BETWEEN.chars().count();
            let link_row = json!([[link, "markup", self.base], line, 13, start, link.len()]);
            let bare_row = json!([[bare, "bare", self.base], line, column, after, written.len()]);
            if !is_ignored {
                self.expected.extend([link_row, bare_row]);
            }
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.lines += 1 + line.matches('\n').count();
    }
}

/// Returns a document of some 20 MiB: a comment ignores the text around the first cut, and there is
/// a script around the second.
fn long() -> Growing {
    let mut html = Growing::new("<html><base href=/d/><meta charset=utf-8>", json!("/d/"));
    html.grow(WHOLE_LEN_MAX - 50_000, false);
    html.line("<!-- linktrawl-ignore-start -->");
    html.grow(WHOLE_LEN_MAX + 50_000, true);
    html.line("<!-- linktrawl-ignore-end -->");
    html.grow(2 * WHOLE_LEN_MAX - 1_000_000, false);
    html.line(&format!("<script>\n{}\n</script>", "'<a href=no>' + ".repeat(100_000)));
    html.grow(20 << 20, false);
    html
}

#[test]
fn a_long_document_says_what_it_would_say_in_one() {
    let html = long();
    let path = file("long.html", html.text.as_bytes());
    for threads in ["1", "2"] {
        let run = scan(&path, threads);
        assert_eq!((run.code, run.notes), (Some(0), vec![]));
        let found: Vec<Value> = run.findings.iter().map(row).collect();
        let differ = found.iter().zip(&html.expected).find(|(found, expected)| found != expected);
        assert_eq!((differ, found.len()), (None, html.expected.len()));
    }
}

#[test]
fn a_long_document_that_is_packed_says_the_same() {
    let html = long();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(html.text.as_bytes()).expect("memory takes all");
    let path = file("long.html.gz", &packed.finish().expect("memory takes all"));
    let run = scan(&path, "2");
    assert_eq!((run.code, run.notes), (Some(0), vec![]));
    assert!(run.findings.iter().map(row).eq(html.expected));
}

/// The text after a cut would lack their context.
#[test]
fn xml_and_charsets_of_before_unicode_are_not_cut() {
    for head in ["<?xml version=\"1.0\"?><html>", "<html><meta charset=iso-8859-1>", "<html><svg>"]
    {
        let mut html = Growing::new(head, Value::Null);
        html.grow(WHOLE_LEN_MAX + 1000, false);
        html.line("<title/><a href=behind></a>");
        let run = scan(&file("whole.html", html.text.as_bytes()), "2");
        let kinds: Vec<&Value> = run.notes.iter().map(|note| &note["kind"]).collect();
        assert_eq!((run.code, kinds), (Some(2), vec![&json!("document-too-long")]), "{head}");
        assert_eq!(run.notes[0]["place"]["offset"], WHOLE_LEN_MAX);
    }
}

#[test]
fn a_base_that_is_too_long_is_told_once() {
    let base = format!("http://h/{}", "a".repeat(3000));
    let mut html = Growing::new(&format!("<html><base href={base}>"), Value::Null);
    html.grow(2 * WHOLE_LEN_MAX, false);
    let run = scan(&file("base.html", html.text.as_bytes()), "2");
    let kinds: Vec<&Value> = run.notes.iter().map(|note| &note["kind"]).collect();
    assert_eq!((run.code, kinds), (Some(2), vec![&json!("base-too-long")]));
    // The base is a link itself.
    let found: Vec<Value> = run.findings[1..].iter().map(row).collect();
    assert_eq!(found, html.expected);
}

#[test]
fn what_no_tag_divides_is_read_as_text() {
    let mut html = Growing::new("<html>", Value::Null);
    html.grow(WHOLE_LEN_MAX + 1_000_000, false);
    let (links, cut) = (html.expected.len(), html.text.len());
    html.line("<script>");
    html.line(&"//\n".repeat(WHOLE_LEN_MAX / 3 + 1000));
    html.line("'http://script.example/'</script><a href=lost>http://last.example/</a>");
    let run = scan(&file("script.html", html.text.as_bytes()), "2");
    assert_eq!(run.code, Some(2));
    let kinds: Vec<&Value> = run.notes.iter().map(|note| &note["kind"]).collect();
    assert_eq!(kinds, ["document-too-long"]);
    // The longest document begins at the script.
    assert_eq!(run.notes[0]["place"]["offset"], cut + WHOLE_LEN_MAX);
    let message = run.notes[0]["message"].as_str().expect("a message");
    assert!(message.ends_with("the rest is read as text"), "{message}");
    let found: Vec<Value> = run.findings.iter().map(row).collect();
    assert_eq!(found[..links], html.expected);
    let rest: Vec<&Value> = run.findings[links..].iter().map(|finding| &finding["uri"]).collect();
    assert_eq!(rest, ["http://script.example/", "http://last.example/"]);
}
