//! Validates the output of the `json` and `ndjson` formats against the schema of records,
//! corpus/schema/run.json.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::support::home;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");

/// Returns an empty directory for the test called `name`.
fn directory(name: &str) -> PathBuf {
    home::directory("schema", name)
}

fn run(home: &Path, args: &[&str]) {
    home::run(home, args);
}

/// Returns a validator for values that are a `definition`.
fn validator(definition: &str) -> Validator {
    let mut schema: Value =
        serde_json::from_str(include_str!("../../corpus/schema/run.json")).expect("JSON");
    assert!(jsonschema::meta::is_valid(&schema));
    if !definition.is_empty() {
        // One of several says little of what is wrong.
        schema["oneOf"] = json!([{ "$ref": format!("#/$defs/{definition}") }]);
    }
    jsonschema::validator_for(&schema).expect("a schema")
}

/// The lines of a run, each of which keeps to the schema, and the object of the same run.
fn held(home: &Path, args: &[&str]) -> Vec<Value> {
    run(home, &[args, &["--format", "ndjson=run.ndjson", "--format", "json=run.json"]].concat());
    let kinds =
        ["finding", "note", "summary"].map(|kind| (kind, validator(&format!("{kind}Line"))));
    let lines = fs::read_to_string(home.join("run.ndjson")).expect("records");
    let lines: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for line in &lines {
        let (_, kind) = kinds.iter().find(|(kind, _)| line["type"] == *kind).expect("a kind");
        assert!(kind.is_valid(line), "{line}: {:?}", kind.validate(line));
    }
    let object = fs::read(home.join("run.json")).expect("an object");
    let object: Value = serde_json::from_slice(&object).expect("JSON");
    assert!(validator("report").is_valid(&object), "{:?}", validator("report").validate(&object));
    assert!(validator("").is_valid(&object));
    lines
}

#[test]
fn the_whole_corpus_keeps_to_the_schema() {
    let home = directory("corpus");
    let lines = held(&home, &["check", "-q", "--offline", CORPUS]);
    for key in ["message", "reach", "base", "twins", "warnings"] {
        let has = |line: &Value| line.get(key).is_some_and(|value| !value.is_null());
        assert!(lines.iter().any(has), "no finding has {key}");
    }
    let grammars = ["scan", "-q", "--unique", "--grammar", "rfc1738,draft1993,current", CORPUS];
    let lines = held(&home, &grammars);
    assert!(lines.iter().any(|line| line.get("also").is_some()));
}

#[test]
fn bytes_that_are_no_text_and_what_a_baseline_knows_keep_to_the_schema() {
    use std::os::unix::ffi::OsStrExt as _;
    let home = directory("bytes");
    let text = b"http://h/\xff http://h/%zz <URL:http://h/a\n\xffb>\n";
    fs::write(home.join(std::ffi::OsStr::from_bytes(b"a\xff.txt")), text).expect("a file");
    run(&home, &["scan", "-q", ".", "--baseline", "known.list", "--update-baseline"]);
    let lines = held(&home, &["scan", "-q", ".", "--baseline", "known.list"]);
    let path = lines[0]["place"]["path_bytes"].as_str().expect("bytes");
    assert!(!path.is_empty());
    for key in ["uri_bytes", "raw_bytes", "known"] {
        assert!(lines.iter().any(|line| line.get(key).is_some()), "no finding has {key}");
    }
}

/// A finding with every key that asking can give it.
fn asked() -> Value {
    json!({"type": "finding", "uri": "http://h/", "raw": "http://h/", "cue": "bare",
        "scheme": "http",
        "place": {"path": "a", "members": [], "offset": 0, "len": 9, "line": 1, "column": 1,
            "file_offset": null},
        "message": null, "syntax": {"grammar": "current", "ok": true, "repairs": []},
        "reach": {"class": "redirected", "probe": "http", "status": 200, "message": "200 OK",
            "hops": [{"status": 301, "to": "http://h/\u{fffd}", "to_bytes": "aHR0cDovL2gv/w=="}],
            "dead_runs": 2, "changed_since": "2026-01-02T03:04:05Z",
            "hint": "h", "hint_bytes": "aP8="},
        "verdict": "warn"})
}

#[test]
fn what_asking_learns_is_told_again_within_the_schema() {
    let home = directory("asked");
    let summary = json!({"type": "summary", "schema": 1, "complete": true, "files": 1,
        "members": 0, "bytes": 9, "messages": 0, "findings": 1, "distinct": 1,
        "verdicts": {"ok": 0, "warn": 1, "error": 0, "skipped": 0}, "skipped": {}});
    fs::write(home.join("saved.ndjson"), format!("{}\n{summary}\n", asked())).expect("a run");
    let lines = held(&home, &["report", "saved.ndjson"]);
    assert_eq!(lines, [asked(), summary]);
}

/// Takes away, renames and adds keys, everywhere in a finding.
#[test]
fn no_key_may_be_missing_or_unknown() {
    let all = validator("");
    assert!(all.is_valid(&asked()));
    for holder in ["", "/place", "/syntax", "/reach", "/reach/hops/0"] {
        let object = asked().pointer(holder).and_then(Value::as_object).cloned();
        for key in object.expect("an object").keys() {
            let mut finding = asked();
            let object = finding.pointer_mut(holder).and_then(Value::as_object_mut);
            let object = object.expect("an object");
            let value = object.remove(key).expect("a value");
            object.insert(format!("{key}2"), value);
            assert!(!all.is_valid(&finding), "{holder}/{key} may be called otherwise");
        }
    }
    for key in ["uri", "cue", "place", "message", "syntax", "reach", "verdict"] {
        let mut finding = asked();
        finding.as_object_mut().expect("an object").remove(key);
        assert!(!all.is_valid(&finding), "{key} may be missing");
    }
    for (pointer, value) in [
        ("/verdict", json!("good")),
        ("/place/line", json!(0)),
        ("/place/path", Value::Null),
        ("/reach/hops/0/to_bytes", json!("a")),
        ("/syntax/ok", json!(false)),
    ] {
        let mut finding = asked();
        *finding.pointer_mut(pointer).expect("a key") = value;
        assert!(!all.is_valid(&finding), "{pointer} may be anything");
    }
}
