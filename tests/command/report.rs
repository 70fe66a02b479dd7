//! Tests `linktrawl report` as a process: a report from a saved run equals that of the run itself,
//! and other files are refused with the number of the line.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;

use linktrawl::internal::report::REPORTS;
use serde_json::Value;

use crate::home::{fresh, run, run_on, stderr};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");

/// Runs `args` with every format into a file of its own, then reports the saved run in every
/// format, alone and all at once, and compares.
#[track_caller]
fn is_told_again(home: &Path, args: &[&str], options: &[&str]) {
    let formats = |stem: &str| {
        let format = |name: &str| [String::from("--format"), format!("{name}={stem}.{name}")];
        REPORTS.iter().flat_map(|report| format(report.name())).collect::<Vec<_>>()
    };
    let with = |formats: &[String], args: &[&str]| {
        let formats: Vec<_> = formats.iter().map(String::as_str).collect();
        run(home, &[args, options, &formats].concat())
    };
    let first = with(&formats("run"), args);
    let again = with(&formats("again"), &["report", "run.ndjson"]);
    assert_eq!(again.status.code(), first.status.code(), "{}", stderr(&again));
    for report in REPORTS {
        let name = report.name();
        let [first, again] = ["run", "again"]
            .map(|stem| fs::read(home.join(format!("{stem}.{name}"))).expect("a report"));
        assert!(!first.is_empty() && first == again, "{name} differs");
        let alone = with(&["--format".to_owned(), name.to_owned()], &["report", "run.ndjson"]);
        assert!(alone.stdout == first, "{name} alone differs");
    }
}

#[test]
fn a_saved_run_over_the_corpus_is_told_again_byte_by_byte_in_every_format() {
    let home = fresh("report/corpus");
    is_told_again(&home, &["scan", "-q", CORPUS], &["--color=always"]);
    let grammars = ["scan", "-q", "--unique", "--grammar", "rfc1738,whatwg,current", CORPUS];
    is_told_again(&home, &grammars, &["--exit-zero"]);
    is_told_again(&home, &["check", "-q", "--offline", CORPUS], &[]);
}

/// The records of a run over hostile names and texts.
fn hostile_run(home: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt as _;
    let name = std::ffi::OsStr::from_bytes(b"a\"]]>\xff\x1b[31m%0A::\n,\xe2\x80\xae=1.txt");
    let text = b"http://h/\xff http://h/\xe2\x80\xae http://u:secret@h/%zz <URL:http://h/a\n\"b>\n";
    fs::write(home.join(name), text).expect("a file");
    run(home, &["scan", "-q", ".", "--format", "ndjson"]).stdout
}

#[test]
fn hostile_names_and_texts_are_told_again_byte_by_byte() {
    let home = fresh("report/hostile");
    let records = hostile_run(&home);
    assert!(records.windows(10).any(|it| it == b"path_bytes"), "a name that is no UTF-8");
    is_told_again(&home, &["scan", "-q", "."], &[]);
}

#[test]
fn exit_codes_are_those_of_the_saved_run() {
    let home = fresh("report/codes");
    let codes = |text: &str| {
        fs::write(home.join("a.txt"), text).expect("a file");
        run(&home, &["scan", "-q", "a.txt", "gone.txt", "--format=ndjson=cut.ndjson"]);
        run(&home, &["scan", "-q", "a.txt", "--format=ndjson=run.ndjson"]);
        let code = |args: &[&str]| run(&home, &[&["report"], args].concat()).status.code();
        [
            code(&["run.ndjson"]),
            code(&["run.ndjson", "--exit-zero"]),
            code(&["cut.ndjson", "--exit-zero"]),
        ]
    };
    assert_eq!(codes("http://h/"), [Some(0), Some(0), Some(2)]);
    assert_eq!(codes("http://h/%zz"), [Some(1), Some(0), Some(2)]);
}

#[track_caller]
fn refused(input: &[u8], wanted: &str) {
    let output = run_on(Path::new("."), &["report", "-"], input);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains(wanted), "{}", stderr(&output));
}

#[test]
fn what_is_no_saved_run_is_refused_with_its_line() {
    let home = fresh("report/refused");
    let records = hostile_run(&home);
    let lines: Vec<_> = records.split_inclusive(|&byte| byte == b'\n').collect();
    let (summary, findings) = lines.split_last().expect("a summary");
    refused(b"", "standard input: expected a run saved by --format ndjson, found nothing");
    let output = run(&home, &["report", "."]);
    assert_eq!(output.status.code(), Some(2));
    let wanted = "cannot read \".\": expected a run saved by --format ndjson, found a directory";
    assert!(stderr(&output).contains(wanted), "{}", stderr(&output));
    let state = [&b"SQLite format 3\0"[..], &[0; 84]].concat();
    fs::write(home.join("state.db"), state).expect("a file");
    let output = run(&home, &["report", "state.db"]);
    assert_eq!(output.status.code(), Some(2));
    let wanted =
        "found a database: if it is a file of --state, `linktrawl report --compare OLD NEW`";
    assert!(stderr(&output).contains(wanted), "{}", stderr(&output));
    refused(&findings.concat(), "expected the summary of the run as its last line");
    refused(
        &[summary, &b"\n"[..], findings[0]].concat(),
        "line 3: expected nothing after the summary",
    );
    let cut = &findings[0][..findings[0].len() / 2];
    refused(cut, "standard input, line 1: expected a record of a run");
    refused(
        &[findings[0], &b"no\x1b[2J JSON\n"[..]].concat(),
        "line 2: expected a run saved by --format ndjson, found \"no\\u{1b}[2J JSON\"",
    );
    refused(b"# Links\n", "line 1: expected a run saved by --format ndjson, found \"# Links\"");
    refused(b"{\"a\":1}\n", "line 1: expected a record of a run, one JSON object: missing");
    refused(br#"{"type":"parse\u001b"}"#, r#"found "parse\u{1b}""#);
    let later = String::from_utf8_lossy(summary).replace("\"schema\":1", "\"schema\":2");
    refused(later.as_bytes(), "expected records of schema version 1, found 2");
    let output = run(&home, &["report", "gone.ndjson"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot open \"gone.ndjson\""), "{}", stderr(&output));
}

#[test]
fn a_run_that_is_refused_leaves_the_old_report_whole() {
    let home = fresh("report/whole");
    fs::write(home.join("old.txt"), "old\n").expect("a file");
    fs::write(home.join("bad.ndjson"), "{}\n").expect("a file");
    let output = run(&home, &["report", "bad.ndjson", "--format", "text=old.txt"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read(home.join("old.txt")).expect("the report"), b"old\n");
    assert_eq!(fs::read_dir(&home).expect("a directory").count(), 2);
}

/// Files of this process may have no more than a kilobyte, so that a disk is full soon.
#[test]
fn a_full_disk_leaves_the_old_report_whole() {
    let home = fresh("report/full");
    for report in REPORTS {
        let old = format!("old.{}", report.name());
        fs::write(home.join(&old), "old\n").expect("a file");
        // The signal that a file is too large would end the process.
        let script = "ulimit -f 1 && trap '' XFSZ && exec \"$0\" scan -q \"$1\" --format \"$2\"";
        let output = Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_linktrawl"), CORPUS])
            .arg(format!("{}={old}", report.name()))
            .current_dir(&home)
            .output()
            .expect("a shell");
        let stderr = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(&format!("cannot write \"{old}\"")), "{stderr}");
        assert_eq!(fs::read(home.join(&old)).expect("the report"), b"old\n");
    }
    assert_eq!(fs::read_dir(&home).expect("a directory").count(), REPORTS.len());
    let output = run(&home, &["scan", "-q", CORPUS, "--format=text=/dev/full"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot write \"/dev/full\""), "{}", stderr(&output));
}

#[test]
fn a_skipped_test_point_has_its_reason() {
    let home = fresh("report/skipped");
    fs::write(home.join("a.txt"), "http://h.example/\n").expect("a file");
    let output = run(&home, &["check", "-q", "--offline", "--format=tap", "a.txt"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("ok 1 - a.txt:1:1: http://h.example/ # SKIP not-asked\n"), "{text}");
}

#[test]
fn one_object_holds_what_the_lines_tell() {
    let home = fresh("report/object");
    let formats = ["--format=json=run.json", "--format=ndjson=run.ndjson"];
    run(&home, &[&["check", "-q", "--offline", CORPUS], &formats[..]].concat());
    let lines = fs::read_to_string(home.join("run.ndjson")).expect("records");
    let object = fs::read(home.join("run.json")).expect("an object");
    let object: Value = serde_json::from_slice(&object).expect("JSON");
    let mut told = lines.lines().map(|line| {
        let mut record: Value = serde_json::from_str(line).expect("JSON");
        let kind = record.as_object_mut().expect("an object").remove("type").expect("a type");
        (kind, record)
    });
    let of = |kind: &str| -> Vec<Value> {
        told.clone().filter(|(is, _)| is == kind).map(|(_, record)| record).collect()
    };
    assert!(of("finding").len() > 1000 && of("note").len() > 3);
    assert_eq!(object["findings"].as_array(), Some(&of("finding")));
    assert_eq!(object["notes"].as_array(), Some(&of("note")));
    assert_eq!(told.next_back().map(|(_, summary)| summary).as_ref(), Some(&object["summary"]));
    assert_eq!(object["schema"], 1);
}
