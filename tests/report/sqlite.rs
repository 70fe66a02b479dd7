//! Reads the `sqlite` report back with Python's module, and holds each row to the record of the
//! same run.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use data_encoding::BASE64;
use serde_json::{Map, Value, json};

use crate::support::home;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");

/// Prints all rows of all tables, with BLOBs as the schema of records has them.
const READER: &str = r#"
import base64, json, sqlite3, sys
database = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
database.row_factory = sqlite3.Row
def value(it):
    return {"base64": base64.b64encode(it).decode()} if isinstance(it, bytes) else it
tables = {}
for table in ["findings", "notes", "summary"]:
    rows = database.execute("SELECT * FROM " + table + " ORDER BY id")
    tables[table] = [{key: value(row[key]) for key in row.keys()} for row in rows]
tables["version"] = database.execute("PRAGMA user_version").fetchone()[0]
tables["whole"] = database.execute("PRAGMA integrity_check").fetchone()[0]
print(json.dumps(tables))
"#;

/// Returns an empty directory for the test called `name`.
fn directory(name: &str) -> PathBuf {
    home::directory("report_sqlite", name)
}

fn run(home: &Path, args: &[&str]) -> Output {
    home::run(home, args)
}

/// The most memory, in bytes, that a run takes until it begins to print its report of
/// `findings` links; and how long that report is.
fn peak(findings: usize) -> (u64, u64) {
    let home = directory("large");
    let path = "a".repeat(200);
    let text: String = (0..findings).map(|n| format!("http://h/{n}/{path}%zz\n")).collect();
    fs::write(home.join("a.txt"), text).expect("a file");
    let args = ["scan", "-q", "--threads", "1", "a.txt", "--format", "sqlite"];
    let mut child =
        home::command(&home, &args).stdout(Stdio::piped()).spawn().expect("the binary runs");
    let mut out = child.stdout.take().expect("a pipe");
    let first = out.read(&mut [0; 1]).expect("a byte");
    // No pipe holds the rest, so that it waits.
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
    let rest = std::io::copy(&mut out, &mut std::io::sink()).expect("the report");
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    let peak: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    (peak * 1024, rest + u64::try_from(first).expect("a byte"))
}

#[test]
fn a_database_is_never_in_memory_as_a_whole() {
    let (peak, len) = peak(60_000);
    assert!(len > 32 * 1024 * 1024, "{len} bytes");
    assert!(peak < len, "{peak} bytes of memory for a report of {len}");
}

/// Returns the tables that Python finds in `file`.
fn tables(file: &Path) -> Value {
    let python = Command::new("python3").args(["-c", READER]).arg(file).output();
    let python = python.expect("Python");
    assert!(python.status.success(), "{}", String::from_utf8_lossy(&python.stderr));
    serde_json::from_slice(&python.stdout).expect("JSON")
}

/// The text of `holder` called `key`, as the reader prints it.
fn text(holder: &Value, key: &str) -> Value {
    let exact = &holder[format!("{key}_bytes")];
    let bytes = |text: &str| json!({"base64": BASE64.encode(text.as_bytes())});
    match &holder[key] {
        Value::String(_) if exact.is_string() => json!({"base64": exact}),
        Value::String(text) if text.contains('\0') => bytes(text),
        other => other.clone(),
    }
}

/// Returns the row that is expected for a record of the `ndjson` format.
fn row(record: &Value) -> Map<String, Value> {
    let [place, message, reach] = ["place", "message", "reach"].map(|key| &record[key]);
    let rules =
        [&record["syntax"]].into_iter().chain(record["also"].as_array().into_iter().flatten());
    let rule = rules.map(|it| &it["rule"]).find(|rule| rule.is_string());
    let mut row = Map::new();
    let mut has = |key: &str, value: Value| drop(row.insert(key.to_owned(), value));
    ["uri", "scheme", "verdict", "known", "cue", "raw", "base", "target", "target_unknown"]
        .into_iter()
        .for_each(|key| has(key, text(record, key)));
    ["path", "line", "column", "offset", "len", "file_offset"]
        .into_iter()
        .for_each(|key| has(key, text(place, key)));
    has("member_date", text(place, "date"));
    ["date", "list_id", "number", "header", "part"]
        .into_iter()
        .for_each(|key| has(key, text(message, key)));
    ["class", "probe", "status", "message", "hint", "dead_runs", "changed_since"]
        .into_iter()
        .for_each(|key| has(key, text(reach, key)));
    has("message_id", text(message, "id"));
    has("decoded_line", place["decoded"]["line"].clone());
    has("decoded_column", place["decoded"]["column"].clone());
    has("rule", rule.cloned().unwrap_or_default());
    row
}

/// The JSON in a column, which has the keys of the record.
#[track_caller]
fn holds(row: &Value, column: &str, wanted: &Value) {
    let found = row[column].as_str().map(|text| serde_json::from_str(text).expect("JSON"));
    let wanted = (wanted.is_object() || wanted.as_array().is_some_and(|it| !it.is_empty()))
        .then_some(wanted);
    assert_eq!(found.as_ref(), wanted, "{column} of {row}");
}

/// Holds the report of a run of `args` to its records.
#[track_caller]
fn is_the_run(home: &Path, args: &[&str]) -> Value {
    let formats = ["-q", "--format=sqlite=.run.db", "--format=ndjson=.run.ndjson"];
    let output = run(home, &[args, &formats].concat());
    assert!(matches!(output.status.code(), Some(0..=2)), "{output:?}");
    let tables = tables(&home.join(".run.db"));
    assert_eq!((&tables["version"], &tables["whole"]), (&json!(1), &json!("ok")));
    let records = fs::read_to_string(home.join(".run.ndjson")).expect("records");
    let records = records.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let (mut findings, mut notes) = (Vec::new(), Vec::new());
    for record in records.collect::<Vec<Value>>() {
        match record["type"].as_str() {
            Some("finding") => findings.push(record),
            Some("note") => notes.push(record),
            _ => is_summary(&tables["summary"], &record),
        }
    }
    let rows = tables["findings"].as_array().expect("rows");
    assert_eq!(rows.len(), findings.len());
    for (found, record) in rows.iter().zip(&findings) {
        for (column, value) in row(record) {
            assert_eq!(found[&column], value, "{column} of {record}");
        }
        ["also", "warnings", "twins"].iter().for_each(|key| holds(found, key, &record[key]));
        holds(found, "syntax", &record["syntax"]);
        holds(found, "hops", &record["reach"]["hops"]);
    }
    let rows = tables["notes"].as_array().expect("rows");
    assert_eq!(rows.len(), notes.len());
    for (found, note) in rows.iter().zip(&notes) {
        assert_eq!((&found["kind"], &found["message"]), (&note["kind"], &text(note, "message")));
        assert_eq!(found["path"], text(&note["place"], "path"));
        assert_eq!(found["offset"], note["place"]["offset"]);
    }
    tables
}

fn is_summary(rows: &Value, record: &Value) {
    assert_eq!(rows.as_array().expect("rows").len(), 1, "{rows}");
    let row = &rows[0];
    for key in ["schema", "files", "members", "bytes", "messages", "findings"] {
        assert_eq!(row[key], record[key], "{key}");
    }
    for verdict in ["ok", "warn", "error", "skipped"] {
        assert_eq!(row[verdict], record["verdicts"][verdict], "{verdict}");
    }
    assert_eq!(row["complete"] == 1, record["complete"] == true);
    assert_eq!(row["distinct_uris"], record["distinct"]);
    let left_out = row["left_out"].as_str().expect("text");
    assert_eq!(serde_json::from_str::<Value>(left_out).expect("JSON"), record["skipped"]);
}

#[test]
fn a_run_over_the_corpus_is_in_the_tables() {
    let home = directory("corpus");
    let tables = is_the_run(&home, &["scan", "--grammar", "current,rfc1738", CORPUS]);
    assert!(!tables["notes"].as_array().expect("rows").is_empty());
    is_the_run(&home, &["check", "--offline", CORPUS]);
}

#[test]
fn hostile_names_and_texts_come_back_and_passwords_do_not() {
    let home = directory("hostile");
    fs::create_dir(home.join("in")).expect("a directory");
    let text =
        b"http://h/\xff http://h/'%zz http://u:secret@h/%zz <http://h/\0a> http://h/\xe2\x80\xae\n";
    for name in [&b"a'\"]]>\xff\x1b[31m;\n--.txt"[..], b"'); DROP TABLE findings; --"] {
        fs::write(home.join("in").join(OsStr::from_bytes(name)), text).expect("a file");
    }
    let tables = is_the_run(&home, &["scan", "in"]);
    assert!(tables.to_string().contains(r#"{"base64":"#) && tables.to_string().contains("u:***@h"));
    let bytes = fs::read(home.join(".run.db")).expect("a report");
    assert!(bytes.starts_with(b"SQLite format 3\0"));
    assert!(!bytes.windows(6).any(|it| it == b"secret"));
    run(&home, &["scan", "in", "-q", "--threads=7", "--format=sqlite=.again.db"]);
    assert!(bytes == fs::read(home.join(".again.db")).expect("a report"));
}

#[test]
fn a_terminal_is_no_place_for_it() {
    let scan = format!("'{}' scan . --format sqlite", env!("CARGO_BIN_EXE_linktrawl"));
    let mut command = Command::new("script");
    command.current_dir(directory("terminal")).args(["-qec", &scan, "/dev/null"]);
    let output = command.stdin(Stdio::null()).output().expect("script(1)");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("--format sqlite=FILE"), "{said}");
}
