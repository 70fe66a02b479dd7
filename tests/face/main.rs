//! Tests the public API: it gives the findings of the command line, with any number of threads and
//! for every kind of input, and exports no unlisted name.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

#[path = "../support"]
mod support {
    #[expect(dead_code, reason = "other programs use the rest of it")]
    pub(crate) mod home;
}

mod list;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use linktrawl::{Cue, Error, Extractor, Finding, Kind, Message, Redacted, links};
use serde_json::{Value, json};

use support::home;

/// Returns the records of `linktrawl scan` for `path`, as far as [`record`] has their fields.
fn scanned(path: &str) -> Vec<Value> {
    let mut command = home::linktrawl();
    let command = command.args(["scan", "-q", "--format", "ndjson", path]);
    let out = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("the binary runs");
    let lines = out.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let records = lines.map(|line| serde_json::from_slice::<Value>(line).expect("JSON"));
    records.filter(|record| record["type"] == "finding").map(|record| reduced(&record)).collect()
}

fn reduced(record: &Value) -> Value {
    let keys = ["uri", "raw", "cue", "scheme", "base", "verdict"];
    let mut kept: BTreeMap<&str, Value> =
        keys.into_iter().map(|key| (key, record[key].clone())).collect();
    let keys = ["path", "members", "offset", "len", "line", "column", "file_offset"];
    for key in keys {
        kept.insert(key, record["place"][key].clone());
    }
    for key in ["id", "date", "list_id", "number", "header", "part"] {
        kept.insert(key_of_message(key), record["message"][key].clone());
    }
    let syntax = &record["syntax"];
    let fault = (syntax["ok"] == false).then(|| json!([syntax["rule"], syntax["at"]]));
    kept.insert("fault", fault.unwrap_or_default());
    let warnings = record["warnings"].as_array().cloned().unwrap_or_default();
    let warnings = warnings.iter().map(|warning| json!([warning["rule"], warning["at"]]));
    kept.insert("warnings", warnings.collect());
    json!(kept)
}

fn key_of_message(key: &str) -> &'static str {
    let keys = [
        ("id", "message id"),
        ("date", "message date"),
        ("list_id", "message list_id"),
        ("number", "message number"),
        ("header", "message header"),
        ("part", "message part"),
    ];
    keys.iter().find(|(of, _)| *of == key).map_or("", |(_, name)| name)
}

/// Returns the same fields of a finding.
fn record(finding: &Finding<'_>) -> Value {
    let (place, message) = (finding.place(), finding.message());
    let message = message.as_ref();
    let shown = |text: Option<Redacted<'_>>| text.map(|text| text.to_string());
    let members = place.members().map(|member| String::from_utf8_lossy(member).into_owned());
    let header = message.and_then(|message| message.header()).map(String::from_utf8_lossy);
    let scheme = Some(finding.scheme()).filter(|scheme| !scheme.is_empty());
    let fault = finding.faults().next().map(|fault| json!([fault.rule(), fault.at()]));
    let warnings = finding.warnings().map(|warning| json!([warning.lint(), warning.at()]));
    json!({
        "uri": finding.uri().to_string(),
        "raw": finding.raw().to_string(),
        "cue": finding.cue().name(),
        "scheme": scheme,
        "base": shown(finding.base()),
        "verdict": finding.verdict().name(),
        "path": place.path().to_string_lossy(),
        "members": members.collect::<Vec<_>>(),
        "offset": place.offset(),
        "len": place.byte_len(),
        "line": place.line(),
        "column": place.column(),
        "file_offset": place.file_offset(),
        "message id": shown(message.and_then(Message::id)),
        "message date": message.and_then(|message| message.date()),
        "message list_id": shown(message.and_then(Message::list_id)),
        "message number": message.and_then(Message::number),
        "message header": header,
        "message part": message.and_then(|message| message.part()),
        "fault": fault,
        "warnings": warnings.collect::<Vec<_>>(),
    })
}

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name)
}

#[track_caller]
fn same(found: &[Value], wanted: &[Value], what: &str) {
    for (one, other) in found.iter().zip(wanted) {
        assert_eq!(one, other, "{what}");
    }
    assert_eq!(found.len(), wanted.len(), "{what}");
}

#[test]
fn the_findings_of_a_tree_are_those_of_the_command_line() {
    // Tests run in the package's folder, and so does the command.
    let wanted = scanned("corpus");
    assert!(wanted.len() > 1000, "the corpus has {} findings", wanted.len());
    assert!(wanted.iter().any(|record| !record["fault"].is_null()));
    assert!(wanted.iter().any(|record| !record["message part"].is_null()));
    let of = |threads| Extractor::new().threads(threads).path("corpus").expect("the corpus");
    let mut findings = of(3);
    let found: Vec<_> = findings.by_ref().flatten().map(|it| record(&it)).collect();
    same(&found, &wanted, "by the iterator");
    let summary = findings.summary().expect("the totals").clone();
    assert_eq!(summary.findings(), wanted.len() as u64);
    let mut visited = Vec::new();
    let again = of(1).visit(|it| visited.extend(it.map(|finding| record(&finding))));
    same(&visited, &wanted, "by the callback");
    assert_eq!(again.expect("a run"), summary);
}

#[test]
fn bytes_and_readers_give_what_files_give() {
    for name in ["mail/small.mbox", "bench/uris.txt", "documents/directives.md"] {
        let path = corpus(name);
        let bytes = fs::read(&path).expect("a file of the corpus");
        let extractor = Extractor::new().threads(2);
        let all = |findings: linktrawl::Findings<'_>| -> Vec<Value> {
            findings.map(|finding| record(&finding.expect("a finding"))).collect()
        };
        let mut wanted = all(extractor.path(&path).expect("a file of the corpus"));
        assert!(!wanted.is_empty(), "{name}");
        let file = File::open(&path).expect("a file of the corpus");
        let read = [all(extractor.bytes(&path, &bytes)), all(extractor.reader(&path, file))];
        // No text is known to be one run of a file, unless it comes from one.
        let without = |record: &mut Value| record["file_offset"] = Value::Null;
        wanted.iter_mut().for_each(without);
        for mut found in read {
            found.iter_mut().for_each(without);
            same(&found, &wanted, name);
        }
    }
}

#[test]
fn settings_are_obeyed() {
    let text = b"<http://a.example/> www.b.example [c](d.md) http://h/%zz";
    let found = |extractor: Extractor| -> Vec<String> {
        let found = extractor.bytes("a", text).map(|finding| finding.expect("a finding"));
        found.map(|finding| finding.uri().to_string()).collect()
    };
    let all = ["http://a.example/", "http://h/%zz"];
    assert_eq!(found(Extractor::new()), all);
    assert_eq!(found(Extractor::new().find([Cue::Www])), ["www.b.example"]);
    let markdown = Kind::named("markdown").expect("a language");
    assert_eq!(found(Extractor::new().kind(markdown).find([Cue::Markup])), [all[0], "d.md"]);
    let faults = |extractor: Extractor| -> Vec<String> {
        let found = extractor.bytes("a", text).map(|finding| finding.expect("a finding"));
        let found: Vec<_> = found.collect();
        let faults = found.iter().flat_map(Finding::faults);
        faults.map(|fault| format!("{} {}", fault.grammar(), fault.rule())).collect()
    };
    assert_eq!(faults(Extractor::new()), ["current pct-encoded"]);
    let both = Extractor::new().grammar("rfc3986").grammar("rfc1738");
    assert_eq!(faults(both).len(), 2);
}

#[test]
fn failures_are_errors_in_their_place_and_not_the_end() {
    let missing = Extractor::new().path("no/such/file").expect_err("nothing is there");
    assert!(missing.is_not_found(), "{missing}");
    let unknown: Vec<_> = Extractor::new().grammar("rfc0").bytes("a", b"http://h/").collect();
    assert!(matches!(unknown.as_slice(), [Err(Error::Grammar { name })] if name == "rfc0"));

    let small = corpus("mail/small.mbox");
    let paths = [PathBuf::from("no/such/file"), small.clone()];
    let mut findings = Extractor::new().paths(paths);
    let first = findings.next().expect("an item").expect_err("nothing is there");
    assert_eq!(first.input(), Some(Path::new("no/such/file")));
    assert!(matches!(first, Error::Partly { .. }));
    assert!(findings.by_ref().all(|finding| finding.is_ok()));
    let summary = findings.summary().expect("the totals");
    assert!(!summary.is_complete() && summary.findings() > 0);
    assert_eq!(summary.notes().map(|(_, count)| count).sum::<u64>(), 1);
}

/// A reader that fails after a link.
struct Broken(&'static [u8]);

impl Read for Broken {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() { Err(io::Error::other("the disk is gone")) } else { self.0.read(out) }
    }
}

#[test]
fn what_was_read_before_a_failure_is_found() {
    let found: Vec<_> = Extractor::new().reader("a", Broken(b"see http://h.example/ x")).collect();
    let [Ok(finding), Err(error)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(finding.uri().to_string(), "http://h.example/");
    assert_eq!(error.to_string(), "cannot read: the disk is gone");
}

/// A text without an end.
struct Endless;

impl Read for Endless {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        const LINE: &[u8] = b"http://h.example/ is a link in a line of this text.\n";
        let len = out.len().min(LINE.len());
        out[..len].copy_from_slice(&LINE[..len]);
        Ok(len)
    }
}

#[test]
fn a_run_ends_when_nobody_reads_it_any_more() {
    // Each would run for ever.
    drop(Extractor::new().kind(Kind::Text).reader("a", Endless).take(3).collect::<Vec<_>>());
    let endless = Extractor::new().kind(Kind::Text).threads(2).reader("a", Endless);
    let panicked = catch_unwind(AssertUnwindSafe(|| endless.visit(|_| panic!("enough"))));
    assert!(panicked.is_err());
}

#[test]
fn no_password_is_printed() {
    let text = b"ftp://me:secret@h.example/f";
    let finding = Extractor::new().bytes("ftp://me:secret@h/", text).next();
    let finding = finding.expect("a finding").expect("a finding");
    let link = links(text).next().expect("a link");
    let shown = format!(
        "{finding:?} {} {:?} {} {link:?} {}",
        finding.uri(),
        finding.raw(),
        finding.place(),
        link.text()
    );
    assert!(!shown.contains("secret"), "{shown}");
    assert_eq!(finding.uri().in_clear(), text);
}

#[test]
fn links_borrow_unless_they_are_joined() {
    let text = b"<URL:http://a.example/b\n c> http://d.example/";
    let found: Vec<_> = links(text).map(|link| (link.cue(), link.span(), link)).collect();
    assert_eq!(found[0].2.text().in_clear(), b"http://a.example/bc");
    assert_eq!((found[0].0, found[1].0), (Cue::Url, Cue::Bare));
    assert_eq!(found[1].1.of(text), b"http://d.example/");
}
