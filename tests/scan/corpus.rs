//! Tests the larger files of corpus/, read by the binary as its users would: a mailbox, an article,
//! a digest, and the README's example. The table beside each one lists its contents.

#![expect(clippy::expect_used, reason = "a corpus that cannot be read must stop the tests")]

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::support::home;

/// Lines at the top of a table: where its facts come from, and the names of its columns.
const TABLE_HEAD_LINES: usize = 2;

fn scan(arguments: &[&str]) -> Output {
    let corpus = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus"));
    home::run(corpus, &[&["scan", "--quiet", "--format", "ndjson"], arguments].concat())
}

/// The records of type `kind` that a scan with `arguments` writes.
fn records(kind: &str, arguments: &[&str]) -> Vec<Value> {
    let output = scan(arguments);
    String::from_utf8(output.stdout)
        .expect("records are UTF-8")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record is JSON"))
        .filter(|record: &Value| record["type"] == kind)
        .collect()
}

/// The rows of a table of the corpus.
fn rows(name: &str) -> Vec<String> {
    let path = format!("{}/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the table is UTF-8 text");
    text.lines().skip(TABLE_HEAD_LINES).map(str::to_owned).collect()
}

/// The values that `pointers` lead to, with tabs between; nothing for null.
fn row(record: &Value, pointers: &[&str]) -> String {
    let cell = |pointer: &&str| match record.pointer(pointer) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    pointers.iter().map(cell).collect::<Vec<_>>().join("\t")
}

#[track_caller]
fn finds(arguments: &[&str], pointers: &[&str], table: &[String]) {
    let found: Vec<String> =
        records("finding", arguments).iter().map(|record| row(record, pointers)).collect();
    assert_eq!(found.join("\n"), table.join("\n"), "of {arguments:?}");
}

#[test]
fn the_mailbox_is_read_as_its_table_says() {
    let pointers = ["/message/id", "/message/date", "/message/header", "/cue", "/uri"];
    let table: Vec<String> = rows("mail/small.tsv")
        .iter()
        .filter_map(|row| Some(row.split_once('\t')?.1.to_owned()))
        .collect();
    finds(&["mail/small.mbox"], &pointers, &table);
    let summary = records("summary", &["mail/small.mbox"]);
    assert_eq!(summary[0]["messages"], 12);
}

#[test]
fn the_article_is_read_as_its_table_says() {
    let table = rows("news/15432.tsv");
    finds(&["--as", "mail", "news/15432"], &["/message/header", "/cue", "/uri"], &table);
    let finding = &records("finding", &["--as", "mail", "news/15432"])[0];
    assert_eq!(finding["message"]["id"], "<3c2jkr$1fe@cs.example.edu>");
    assert_eq!(finding["message"]["date"], "1994-12-06T21:14:03Z");
}

#[test]
fn the_digest_is_read_as_its_table_says() {
    finds(&["--as", "text", "text/digest.txt"], &["/place/line", "/uri"], &rows("text/digest.tsv"));
}

#[test]
fn the_quickstart_holds_one_malformed_uri_and_says_where() {
    let output = scan(&["quickstart"]);
    assert_eq!(output.status.code(), Some(1));
    let findings = records("finding", &["quickstart"]);
    let is_bad = |record: &&Value| record["verdict"] == "error";
    let bad: Vec<&Value> = findings.iter().filter(is_bad).collect();
    let pointers = ["/uri", "/place/path", "/place/line", "/place/column", "/syntax/rule"];
    let rows: Vec<String> = bad.iter().map(|record| row(record, &pointers)).collect();
    let expected = "http://www.example.org/minutes/100%\tquickstart/reply.txt\t7\t2\tpct-encoded";
    assert_eq!(rows, [expected]);
    assert!(findings.len() > 10, "{} findings", findings.len());
}
