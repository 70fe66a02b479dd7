//! Kinds of local links that link checkers do not agree on, through the binary: those of
//! corpus/local/kinds by their table, and that each kind is explained.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::home;

/// Lines at the top of the table: where its facts come from, and the names of its columns.
const TABLE_HEAD_LINES: usize = 2;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/local")
}

/// The rows of the table, without what another program says and without the kinds; and the kinds.
fn table() -> (Vec<String>, BTreeSet<String>) {
    let text = fs::read_to_string(corpus().join("kinds.tsv")).expect("the table is UTF-8 text");
    let rows = text.lines().skip(TABLE_HEAD_LINES).map(|row| {
        let mut cells = row.rsplitn(3, '\t');
        let kind = cells.next().expect("a kind").to_owned();
        let lychee = cells.next().expect("what lychee says");
        assert!(["ok", "error", "left out", "unread"].contains(&lychee), "{row}");
        (cells.next().expect("a finding").to_owned(), kind)
    });
    rows.unzip()
}

/// The records of `linktrawl check --offline` over the tree.
fn records() -> Vec<Value> {
    let args = ["check", "--offline", "--no-config", "--quiet", "--format", "ndjson", "."];
    home::records(&home::run(&corpus().join("kinds"), &args))
}

/// The row of the table that a finding is.
fn row(finding: &Value) -> String {
    let text = |pointer: &str| finding.pointer(pointer).and_then(Value::as_str);
    let said = text("/reach/class").or_else(|| text("/syntax/rule")).expect("what is said");
    let path = text("/place/path").expect("a path");
    let path = path.strip_prefix("./").unwrap_or(path);
    let uri = text("/uri").expect("a URI").escape_debug();
    let verdict = text("/verdict").expect("a verdict");
    format!("{path}\t{}\t{uri}\t{verdict}\t{said}", finding["place"]["line"])
}

#[test]
fn every_link_is_answered_as_the_table_says() {
    let records = records();
    let found: Vec<String> =
        records.iter().filter(|record| record["type"] == "finding").map(row).collect();
    assert_eq!(found.join("\n"), table().0.join("\n"));
}

#[test]
fn what_a_program_fills_in_is_counted_and_no_finding() {
    let records = records();
    let summary = records.iter().find(|record| record["type"] == "summary").expect("a summary");
    assert_eq!(summary["skipped"]["template"], 1, "the one of settings.py");
}

#[test]
fn every_kind_of_the_table_is_explained() {
    let readme = fs::read_to_string(corpus().join("README.md")).expect("the README is UTF-8 text");
    let name = |line: &str| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned());
    let explained: BTreeSet<String> = readme.lines().filter_map(name).collect();
    assert_eq!(explained, table().1);
}
