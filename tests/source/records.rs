//! Records of web archives that are longer than they declare, or shorter, by more than a search at
//! their end sees.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

/// A record whose block is `body`, and whose declared length is longer by `excess`.
fn record(number: usize, body: &str, excess: usize) -> String {
    let len = body.len() + excess;
    format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n\
         Content-Type: text/plain\r\nContent-Length: {len}\r\n\r\n{body}\r\n\r\n"
    )
}

/// A text of more than `len` bytes with a link.
fn text(number: usize, len: usize) -> String {
    format!("http://www.example.org/{number}/\n{}", "no link\n".repeat(len / 8))
}

/// Returns each link of `archive` behind the member that it is in, and each note.
fn found(archive: &str) -> Vec<String> {
    let mut run = Command::new(env!("CARGO_BIN_EXE_linktrawl"))
        .args(["scan", "--quiet", "--format=ndjson", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let mut stdin = run.stdin.take().expect("standard input");
    stdin.write_all(archive.as_bytes()).expect("the archive is read");
    drop(stdin);
    let output = run.wait_with_output().expect("an end");
    let text = String::from_utf8(output.stdout).expect("records are UTF-8");
    let records = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    records
        .filter_map(|record: Value| match record["type"].as_str()? {
            "finding" => {
                let uri = record["uri"].as_str()?;
                let members = record["place"]["members"].as_array()?;
                let member = members.last().and_then(Value::as_str).unwrap_or_default();
                uri.starts_with("http").then(|| format!("{member} {uri}"))
            }
            "note" => Some(record["kind"].as_str()?.to_owned()),
            _ => None,
        })
        .collect()
}

#[test]
fn a_record_ends_where_the_next_begins_however_long_it_says_it_is() {
    let links = [1, 2, 3].map(|it| format!("record {it} http://www.example.org/{it}/"));
    let [one, two, three] = links.each_ref().map(String::as_str);
    for (len, excess) in [(100, 30_000), (100, 90_000), (70_000, 40_000), (200_000, 150_000)] {
        let (first, second) = (record(1, &text(1, 10), 0), record(2, &text(2, len), excess));
        let archive = [first, second, record(3, &text(3, 200_000), 0)].concat();
        assert_eq!(found(&archive), [one, two, "length-wrong", three], "{len} {excess}");
    }
}

#[test]
fn a_record_that_is_an_archive_is_as_long_as_it_says() {
    let inner = [record(7, &text(7, 40_000), 0), record(8, &text(8, 40_000), 0)].concat();
    let archive = [record(1, &inner, 0), record(2, &text(2, 10), 0)].concat();
    let found = found(&archive);
    assert_eq!(found.last().map(String::as_str), Some("record 2 http://www.example.org/2/"));
    assert!(!found.iter().any(|it| it == "length-wrong"), "{found:?}");
}
