//! Tests the `sarif` format: a report follows the schema, regions cover the characters of the
//! links, and a result stays the same when lines move.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::home;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");

/// Returns an empty directory for the test called `name`.
fn directory(name: &str) -> PathBuf {
    home::directory("report_sarif", name)
}

/// The one run that `args` report, which keeps to the schema.
fn run(home: &Path, args: &[&str]) -> Value {
    let output = home::run(home, &[args, &["--format=sarif"]].concat());
    let mut log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let schema: Value =
        serde_json::from_str(include_str!("../../corpus/schema/sarif.json")).expect("JSON");
    assert!(jsonschema::meta::is_valid(&schema));
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let errors = schema.iter_errors(&log);
    let errors: Vec<_> =
        errors.take(3).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let run = log["runs"][0].take();
    refers_to_what_it_has(&run);
    run
}

/// Numbers of rules are those of their names, and no rule is there twice.
#[track_caller]
fn refers_to_what_it_has(run: &Value) {
    let driver = &run["tool"]["driver"];
    for list in ["rules", "notifications"] {
        let ids: BTreeSet<_> =
            array(&driver[list]).iter().map(|rule| rule["id"].as_str()).collect();
        assert_eq!(ids.len(), array(&driver[list]).len(), "a name of {list} is there twice");
    }
    // A name of another version is in no list.
    let is = |list: &str, index: &Value, id: &Value| match index.as_u64().map(usize::try_from) {
        Some(index) => driver[list][index.expect("a number of this machine")]["id"] == *id,
        None => array(&driver[list]).iter().all(|rule| rule["id"] != *id),
    };
    for result in array(&run["results"]) {
        assert!(is("rules", &result["ruleIndex"], &result["ruleId"]), "{result}");
    }
    for note in array(&run["invocations"][0]["toolExecutionNotifications"]) {
        let (list, reference) = match note.get("descriptor") {
            Some(reference) => ("notifications", reference),
            None => ("rules", &note["associatedRule"]),
        };
        assert!(is(list, &reference["index"], &reference["id"]), "{note}");
    }
}

fn array(value: &Value) -> &[Value] {
    value.as_array().expect("an array")
}

fn results(run: &Value) -> &[Value] {
    array(&run["results"])
}

fn notifications(run: &Value) -> &[Value] {
    array(&run["invocations"][0]["toolExecutionNotifications"])
}

fn text(of: &Value) -> &str {
    of["message"]["text"].as_str().expect("a text")
}

/// A saved run of `findings`.
fn saved(home: &Path, findings: &[Value]) {
    let count = findings.len();
    let summary = json!({"type": "summary", "schema": 1, "complete": true, "files": 1,
        "members": 0, "bytes": 0, "messages": 0, "findings": count, "distinct": null,
        "verdicts": {}, "skipped": {"attachment": 7}});
    let lines: String = findings.iter().chain([&summary]).map(|line| format!("{line}\n")).collect();
    fs::write(home.join("run.ndjson"), lines).expect("a run");
}

/// A record of `uri`, at the beginning of the third line of a file, that was sent on to `to`.
fn moved(uri: &str, to: &str) -> Value {
    json!({"type": "finding", "uri": uri, "raw": uri, "cue": "bare", "scheme": "http",
        "place": {"path": "./a.txt", "members": [], "offset": 20, "len": uri.len(), "line": 3,
            "column": 1, "file_offset": 20},
        "message": null, "syntax": null, "verdict": "warn",
        "reach": {"class": "redirected", "probe": "http", "status": 200, "message": "200 OK",
            "hops": [{"status": 301, "to": to}]}})
}

#[test]
fn the_whole_corpus_keeps_to_the_schema_and_says_of_it_what_the_lines_say() {
    let home = directory("corpus");
    let offline = run(&home, &["check", "--offline", "--find", "bare,angle", CORPUS]);
    assert!(results(&offline).len() > 100 && notifications(&offline).len() > 5);
    let counts = |run: &Value| run["properties"]["summary"]["verdicts"].clone();
    let of_one_fault = results(&run(&home, &["scan", CORPUS]))
        .iter()
        .filter(|result| result["level"] == "error")
        .count();
    let scan = run(&home, &["scan", CORPUS, "--grammar", "rfc1738,whatwg,current"]);
    assert!(results(&scan).len() > of_one_fault);
    let errors = counts(&run(&home, &["scan", CORPUS]))["error"].as_u64();
    assert_eq!(errors, u64::try_from(of_one_fault).ok());
}

#[test]
fn what_strangers_write_keeps_to_the_schema() {
    let home = directory("strangers");
    run(&home, &["report", &format!("{CORPUS}/runs/hostile.ndjson")]);
}

#[test]
fn a_result_stands_on_the_characters_and_the_bytes_of_its_link() {
    let home = directory("place");
    let file = "One.\n\n\u{e9}\u{1f600} see http://h/%zz now.\n";
    fs::write(home.join("a b#.txt"), file).expect("a file");
    let run = run(&home, &["scan", "./a b#.txt"]);
    let [result] = results(&run) else { panic!("{run}") };
    assert_eq!((&result["ruleId"], &result["level"]), (&json!("pct-encoded"), &json!("error")));
    let wanted = "http://h/%zz: expected a hex digit at byte 10 (RFC 3986 §2.1)";
    assert_eq!(text(result), wanted);
    let place = &result["locations"][0]["physicalLocation"];
    let artifact = json!({"uri": "a%20b%23.txt", "uriBaseId": "%SRCROOT%"});
    assert_eq!(place["artifactLocation"], artifact);
    let numbers = ["startLine", "startColumn", "endColumn", "byteOffset", "byteLength"]
        .map(|key| place["region"][key].as_u64().and_then(|n| usize::try_from(n).ok()));
    let [Some(line), Some(start), Some(end), Some(offset), Some(len)] = numbers else {
        panic!("{place}")
    };
    let on_line = file.lines().nth(line - 1).expect("a line").chars();
    let by_columns: String = on_line.skip(start - 1).take(end - start).collect();
    assert_eq!((&*by_columns, &file[offset..offset + len]), ("http://h/%zz", "http://h/%zz"));
}

#[test]
fn hostile_names_and_texts_are_places_and_messages() {
    use std::os::unix::ffi::OsStrExt as _;
    let home = directory("hostile");
    let name = b"http:a\"]]>\xff\x1b\n%41{0}\xe2\x80\xae.txt";
    fs::write(
        home.join(std::ffi::OsStr::from_bytes(name)),
        "<URL:http://h/%zz{0}[a](http://e/)>\n",
    )
    .expect("a file");
    let run = run(&home, &["scan", "."]);
    let result = &results(&run)[0];
    let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
    let uri = place["uri"].as_str().expect("a URI").as_bytes();
    let mut bytes = Vec::new();
    let mut at = 0;
    while let Some(&byte) = uri.get(at) {
        let digits = std::str::from_utf8(&uri[at + 1..(at + 3).min(uri.len())]).expect("text");
        let escaped = u8::from_str_radix(digits, 16).ok().filter(|_| byte == b'%');
        bytes.push(escaped.unwrap_or(byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    assert_eq!(bytes, name);
    assert!(text(result).starts_with("http://h/%zz{{0}}"), "{}", text(result));
    assert!(!text(result).replace(r"\](", "").contains("]("), "{}", text(result));
}

#[test]
fn places_in_archives_are_told_in_words() {
    let home = directory("archives");
    let mut packed = moved("http://h/old", "http://g/new");
    packed["place"]["members"] = json!(["b{0}.mbox", "msg 2"]);
    saved(&home, &[packed]);
    let told = run(&home, &["report", "run.ndjson"]);
    let location = &results(&told)[0]["locations"][0];
    assert_eq!(location["physicalLocation"]["artifactLocation"]["uri"], "a.txt");
    assert_eq!(location["physicalLocation"].get("region"), None);
    let name = &location["logicalLocations"][0]["fullyQualifiedName"];
    assert_eq!(name, "./a.txt!b{0}.mbox!msg 2");
    let words = "./a.txt!b{{0}}.mbox!msg 2:3:1: http://h/old -> http://g/new: 200 OK";
    assert_eq!(text(&results(&told)[0]), words);
    // None of those in the corpus has a line in its archive.
    let told = run(&home, &["scan", &format!("{CORPUS}/archives")]);
    let is_within = |note: &&Value| note["locations"][0].get("logicalLocations").is_some();
    assert!(notifications(&told).iter().any(|note| is_within(&note)));
}

#[test]
fn standard_input_is_no_file() {
    let home = directory("stdin");
    saved(
        &home,
        &[json!({"type": "finding", "uri": "x:%", "raw": "x:%", "cue": "bare",
        "scheme": "x", "place": {"path": "-", "members": [], "offset": 0, "len": 3, "line": 1,
            "column": 1, "file_offset": 0},
        "message": null, "reach": null, "verdict": "error",
        "syntax": {"grammar": "g", "ok": false, "rule": "pct-encoded", "at": 3, "expected": "e",
            "spec": "s", "message": "m", "hint": null}})],
    );
    let run = run(&home, &["report", "run.ndjson"]);
    let place = &results(&run)[0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(place["description"]["text"], "standard input");
}

#[test]
fn results_stay_the_same_when_lines_move_and_files_are_renamed() {
    let home = directory("fingerprints");
    let prints = |name: &str, text: &str| -> Vec<String> {
        fs::write(home.join(name), text).expect("a file");
        let run = run(&home, &["scan", name]);
        let print = |result: &Value| result["partialFingerprints"]["ruleLinkOccurrence/v1"].clone();
        results(&run).iter().map(|it| print(it).as_str().expect("a text").to_owned()).collect()
    };
    let first = prints("a.txt", "http://h/%zz\nhttp://h/%zz\nhttp://h/%yy\n");
    assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), 3);
    assert_eq!(prints("b.txt", "New.\n\nhttp://h/%zz http://h/%zz\n\n see http://h/%yy\n"), first);
    assert_eq!(prints("a.txt", "http://h/%yy http://h/%zz\n"), [&*first[2], &*first[0]]);
}

#[test]
fn the_fix_of_what_has_moved_for_good_puts_the_new_address_in_its_place() {
    let home = directory("fixes");
    let file = "One.\n\nis there now.\nhttp://h/old#part stays.\n";
    saved(&home, &[moved("http://h/old#part", "http://g/new")]);
    let run = run(&home, &["report", "run.ndjson"]);
    let change = &results(&run)[0]["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["artifactLocation"]["uri"], "a.txt");
    let replacement = &change["replacements"][0];
    let number = |key: &str| {
        let number = replacement["deletedRegion"][key].as_u64().expect("a number");
        usize::try_from(number).expect("a number of this machine")
    };
    let mut mended = file.to_owned();
    let offset = number("byteOffset");
    mended.replace_range(
        offset..offset + number("byteLength"),
        replacement["insertedContent"]["text"].as_str().expect("a text"),
    );
    assert_eq!(mended, file.replace("http://h/old", "http://g/new"));
    assert_eq!(number("endColumn") - number("startColumn"), "http://h/old#part".len());
}

#[test]
fn a_fix_goes_no_further_than_what_is_for_good() {
    let home = directory("prefix");
    let mut record = moved("http://h/old", "http://g/new");
    let hops = record["reach"]["hops"].as_array_mut().expect("an array");
    hops.push(json!({"status": 302, "to": "http://g/login"}));
    hops.push(json!({"status": 301, "to": "http://g/last"}));
    saved(&home, &[record]);
    let run = run(&home, &["report", "run.ndjson"]);
    let change = &results(&run)[0]["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["replacements"][0]["insertedContent"]["text"], "http://g/new");
}

/// The bytes that the fix of `result` replaces, and what it puts there.
fn fixed(result: &Value) -> Option<(usize, usize, &str)> {
    let replacement = &result.get("fixes")?[0]["artifactChanges"][0]["replacements"][0];
    let number = |key: &str| {
        let number = replacement["deletedRegion"][key].as_u64().expect("a number");
        usize::try_from(number).expect("a number of this machine")
    };
    let text = replacement["insertedContent"]["text"].as_str().expect("a text");
    Some((number("byteOffset"), number("byteLength"), text))
}

/// Applies the fixes of `name`, and holds the file to what `linktrawl fix` makes of it.
#[track_caller]
fn escapes(name: &str, text: &str, wanted: &str) {
    let home = directory("escapes");
    fs::write(home.join(name), text).expect("a file");
    let run = run(&home, &["scan", name]);
    let mut mended = text.to_owned();
    for (offset, len, instead) in results(&run).iter().rev().filter_map(fixed) {
        mended.replace_range(offset..offset + len, instead);
    }
    assert_eq!(mended, wanted);
    home::run(&home, &["fix", "--write", name]);
    assert_eq!(fs::read_to_string(home.join(name)).expect("a file"), wanted);
}

#[test]
fn the_fix_of_what_lacks_an_escape_is_what_fix_writes() {
    escapes(
        "a.txt",
        "see <http://h/%zz> and <http://h/ok>\n",
        "see <http://h/%25zz> and <http://h/ok>\n",
    );
    escapes(
        "b.md",
        "[a](http://h/100%) [b](http://h/x|y)\n",
        "[a](http://h/100%25) [b](http://h/x%7Cy)\n",
    );
    // A text that may be code or a placeholder is not certain to be a link.
    for text in ["http://h/%i", "see <http://h/<name>>", "see <http://h/a%2>"] {
        escapes("c.txt", text, text);
    }
}

#[test]
fn what_is_not_certain_has_no_fix() {
    let home = directory("unfixed");
    let with = |pointer: &str, value: Value| {
        let mut record = moved("http://h/old", "http://g/new");
        *record.pointer_mut(pointer).expect("a key") = value;
        record
    };
    let message = json!({"id": null, "date": null, "list_id": null, "number": null,
        "header": null, "part": null});
    let findings = [
        with("/message", message),
        with("/raw", json!("http://h/\nold")),
        with("/place/path", json!("-")),
        with("/place/members", json!(["b.txt"])),
        with("/place/file_offset", Value::Null),
        with("/scheme", Value::Null),
        with("/reach/class", json!("missing")),
        with("/reach/hops", json!([])),
        with("/reach/hops/0/status", json!(302)),
        moved("http://h/old", "http://g/?a&lt"),
        moved("http://h/old", "http://u:***@g/"),
        moved("http://h/old", "http://g/a)"),
        moved("http://h/same", "http://h/same"),
    ];
    saved(&home, &findings);
    let told = run(&home, &["report", "run.ndjson"]);
    assert_eq!(results(&told).len(), findings.len());
    for result in results(&told) {
        assert_eq!(result.get("fixes"), None, "{result}");
    }
    saved(&home, &[moved("http://h/old", "http://g/new")]);
    assert!(results(&run(&home, &["report", "run.ndjson"]))[0].get("fixes").is_some());
}

#[test]
fn what_a_baseline_knows_of_is_suppressed() {
    let home = directory("known");
    fs::write(home.join("a.md"), "[a](gone.md) http://h/%zz\n").expect("a file");
    let check = ["check", "--offline", "a.md", "--baseline", "known.txt"];
    run(&home, &[&check[..], &["--update-baseline"]].concat());
    fs::write(home.join("a.md"), "[a](gone.md) http://h/%zz [b](new.md)\n").expect("a file");
    let run = run(&home, &check);
    let seen: Vec<_> = results(&run)
        .iter()
        .map(|result| (&result["ruleId"], &result["level"], result.get("suppressions").is_some()))
        .collect();
    let (error, missing) = (json!("error"), json!("missing"));
    let wanted = [
        (&missing, &error, true),
        (&json!("pct-encoded"), &error, true),
        (&missing, &error, false),
    ];
    assert_eq!(seen, wanted);
}

#[test]
fn notes_and_what_is_left_out_are_notifications() {
    let home = directory("notes");
    fs::write(home.join("a.txt"), "http://h.example/ http://i.example/ \n").expect("a file");
    let broken = run(&home, &["check", "--offline", "a.txt", "gone.txt"]);
    assert_eq!(broken["invocations"][0]["executionSuccessful"], false);
    assert!(results(&broken).is_empty(), "{broken}");
    let told: Vec<_> = notifications(&broken).iter().map(|it| (&it["level"], text(it))).collect();
    let [(level, unreadable), (note, unasked)] = told[..] else { panic!("{told:?}") };
    assert_eq!((level, note), (&json!("error"), &json!("note")));
    assert!(unreadable.contains("No such file"), "{unreadable}");
    assert_eq!(unasked, "not-asked: 2 (it was not probed in this run)");

    saved(&home, &[]);
    let whole = run(&home, &["report", "run.ndjson"]);
    assert_eq!(whole["invocations"][0]["executionSuccessful"], true);
    let [left_out] = notifications(&whole) else { panic!("{whole}") };
    assert_eq!(text(left_out), "attachment: 7 (a part of a message that is no text)");
}
