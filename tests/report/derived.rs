//! Compares the records that are written by hand, for speed, with those that are derived from the
//! type of a record: the same keys in the same order, and the same escapes.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::collections::BTreeMap;
use std::path::Path;

use linktrawl::internal::report::escape::json::append_value;
use linktrawl::internal::report::record::Line;

use crate::support::home;

/// Returns the derived form of `line`, and the name of its kind.
fn derived(line: &[u8]) -> (&'static str, Vec<u8>) {
    let mut keys = Vec::new();
    let kind = match Line::parse(line).expect("a record") {
        Line::Finding(record) => {
            append_value(&record, &mut keys);
            "finding"
        }
        Line::Note(note) => {
            append_value(&note, &mut keys);
            "note"
        }
        Line::Summary(summary) => {
            append_value(&summary, &mut keys);
            "summary"
        }
    };
    let keys = keys.strip_prefix(b"{").expect("an object");
    (kind, [format!(r#"{{"type":"{kind}","#).as_bytes(), keys].concat())
}

/// Compares all lines of a run with `args`; returns their number by kind.
fn compared(args: &[&str]) -> BTreeMap<&'static str, usize> {
    let output = home::linktrawl()
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(args)
        .args(["--quiet", "--format", "ndjson"])
        .output()
        .expect("the binary runs");
    let mut counts = BTreeMap::new();
    for line in output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let (kind, derived) = derived(line);
        let shown = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        assert_eq!(shown(line), shown(&derived), "{args:?}");
        assert_eq!(line, derived, "{args:?}");
        *counts.entry(kind).or_default() += 1;
    }
    assert_eq!(counts.get("summary"), Some(&1), "{args:?}");
    counts
}

#[test]
fn every_record_of_a_scan_is_the_derived_one() {
    let counts = compared(&["scan", "--hidden", "corpus"]);
    assert!(counts["finding"] > 12_000 && counts["note"] > 0, "{counts:?}");
}

#[test]
fn so_is_one_with_several_grammars() {
    let grammars = ["--grammar", "rfc1738", "--grammar", "whatwg", "--grammar", "rfc3987"];
    let counts = compared(&[&["scan"][..], &grammars, &["corpus/mail", "corpus/grammar"]].concat());
    assert!(counts["finding"] > 1000, "{counts:?}");
}

#[test]
fn so_is_one_with_answers() {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("derived");
    let docs = ["corpus/local", "corpus/documents"];
    let counts = compared(&[&["check", "--offline"][..], &docs].concat());
    assert!(counts["finding"] > 100, "{counts:?}");
    // A baseline lists what is known, which adds a key.
    std::fs::create_dir_all(&home).expect("a directory");
    let known = home.join("known.txt");
    let known = ["--baseline", known.to_str().expect("a path")];
    compared(&[&["check", "--offline", "--update-baseline"][..], &known, &docs].concat());
    compared(&[&["check", "--offline"][..], &known, &docs].concat());
}
