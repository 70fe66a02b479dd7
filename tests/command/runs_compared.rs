//! Drives `linktrawl report --compare` as a process: what became of each link between two saved
//! runs or two states, in every format, without secrets and without harm.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::Path;
use std::process::Output;

use linktrawl::Uri;
use linktrawl::internal::finding::{Class, Hop, Reach};
use linktrawl::internal::report::comparison::formats::FORMATS;
use linktrawl::internal::report::own;
use linktrawl::internal::store::{Key, Record, Store};
use serde_json::{Value, json};

use crate::home::{self, fresh};

fn run(home: &Path, args: &[&str]) -> Output {
    home::run(home, &[&["report"], args].concat())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// A finding of `class` at a line of `a.eml`, whose message has this date.
fn finding(uri: &str, class: &str, line: u64, date: Option<&str>) -> Value {
    let row = Class::find(class).expect("a class").row();
    let scheme = uri.split_once(':').map(|(scheme, _)| scheme);
    json!({
        "type": "finding", "uri": uri, "raw": uri, "cue": "bare", "scheme": scheme,
        "place": {"path": "a.eml", "members": [], "offset": 0, "len": 1, "line": line, "column": 1,
                  "file_offset": null},
        "message": date.map(|date| json!({"id": null, "date": date, "list_id": null,
            "number": null, "header": null, "part": null})),
        "syntax": null,
        "reach": {"class": class, "probe": "http", "status": null, "message": "", "hops": []},
        "verdict": row.verdict.name(),
    })
}

fn moved(uri: &str, to: &str) -> Value {
    let mut finding = finding(uri, "redirected", 1, None);
    finding["reach"]["hops"] = json!([{"status": 301, "to": to}]);
    finding
}

fn save(home: &Path, name: &str, findings: &[Value]) {
    let mut lines: Vec<_> = findings.iter().map(Value::to_string).collect();
    let count = findings.len();
    let summary = json!({
        "type": "summary", "schema": 1, "complete": true, "files": 1, "bytes": 1, "messages": 1,
        "findings": count, "distinct": null, "verdicts": {}, "skipped": {},
    });
    lines.push(summary.to_string());
    fs::write(home.join(name), lines.join("\n") + "\n").expect("a file");
}

/// Two runs with a link for each change.
fn two_runs(home: &Path) {
    let day = Some("1998-01-05T10:00:00Z");
    save(
        home,
        "old.ndjson",
        &[
            finding("http://h/died", "alive", 1, day),
            finding("http://h/revived", "missing", 2, None),
            moved("http://h/moved", "http://h/first"),
            finding("http://h/gone", "alive", 3, None),
            finding("http://h/same", "alive", 4, None),
            finding("http://h/dead", "missing", 5, None),
            finding("http://h/unasked", "not-asked", 6, None),
        ],
    );
    save(
        home,
        "new.ndjson",
        &[
            finding("http://h/died", "missing", 7, Some("1999-02-01T00:00:00Z")),
            finding("http://h/died", "missing", 8, Some("1997-02-01T00:00:00Z")),
            finding("http://h/revived", "alive", 9, None),
            moved("http://h/moved", "http://h/second"),
            finding("http://h/new", "alive", 10, None),
            finding("http://h/same", "alive", 11, None),
            finding("http://h/dead", "missing", 12, None),
            finding("http://h/unasked", "missing", 13, None),
        ],
    );
}

const COMPARED: [&str; 3] = ["--compare", "old.ndjson", "new.ndjson"];

#[test]
fn each_link_has_one_change_with_its_days_and_a_death_fails() {
    let home = fresh("runs_compared/changes");
    two_runs(&home);
    let output = run(&home, &COMPARED);
    assert_eq!(
        text(&output.stdout),
        "a.eml:7:1: died[missing]: http://h/died: alive, then missing; 1997-02-01 to 1999-02-01\n\
         a.eml:9:1: revived[alive]: http://h/revived: missing, then alive\n\
         a.eml:1:1: moved[redirected]: http://h/moved -> http://h/second (was http://h/first): \
         redirected, then redirected\n\
         a.eml:10:1: new[alive]: http://h/new: alive\n\
         a.eml:3:1: gone[alive]: http://h/gone: alive\n"
    );
    let counts = "linktrawl: 1 died, 1 revived, 1 moved, 1 new, 1 gone, 2 unchanged, 1 unasked\n";
    assert_eq!((text(&output.stderr).as_str(), output.status.code()), (counts, Some(1)));
    let codes = |args: &[&str]| run(&home, args).status.code();
    assert_eq!(codes(&[&COMPARED[..], &["--exit-zero"]].concat()), Some(0));
    // The other way round nothing died but what had revived.
    let back = run(&home, &["--compare", "new.ndjson", "old.ndjson"]);
    assert!(text(&back.stdout).contains("died[missing]: http://h/revived: alive, then missing\n"));
    assert_eq!(codes(&["--compare", "old.ndjson", "old.ndjson"]), Some(0));
    assert_eq!(codes(&[&COMPARED[..], &["--fail-on", "warn"]].concat()), Some(1));
}

#[test]
fn a_comparison_names_the_days_of_runs_that_say_them() {
    let home = fresh("runs_compared/days");
    two_runs(&home);
    for (name, day) in [("old.ndjson", "2026-11-01"), ("new.ndjson", "2026-11-28")] {
        let saved = fs::read_to_string(home.join(name)).expect("a run");
        let dated =
            saved.replace("\"skipped\":{}", &format!("\"skipped\":{{}},\"made\":\"{day}\""));
        assert_ne!(saved, dated);
        fs::write(home.join(name), dated).expect("a run");
    }
    let output = run(&home, &[&COMPARED[..], &["--format=json"]].concat());
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!([&told["old_made"], &told["new_made"]], ["2026-11-01", "2026-11-28"]);
    let days = "; from 2026-11-01 to 2026-11-28\n";
    assert!(text(&output.stderr).ends_with(days), "{}", text(&output.stderr));
    let output = run(&home, &[&COMPARED[..], &["--format=markdown"]].concat());
    let markdown = text(&output.stdout).replace('\\', "");
    assert!(
        markdown.contains("From old.ndjson of 2026-11-01 to new.ndjson of 2026-11-28."),
        "{markdown}"
    );
    // A report of a saved run keeps its day.
    let output = run(&home, &["new.ndjson", "--exit-zero", "--format=json"]);
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(told["summary"]["made"], "2026-11-28");
}

#[test]
fn json_holds_the_same_and_is_made_of_either_form_of_a_run() {
    let home = fresh("runs_compared/json");
    two_runs(&home);
    for name in ["old", "new"] {
        let saved = format!("{name}.ndjson");
        let args = [&saved, "--exit-zero", "--format", &format!("json={name}.json")];
        assert_eq!(run(&home, &args).status.code(), Some(0));
    }
    let json = |old: &str, new: &str| {
        text(&run(&home, &["--compare", old, new, "--format", "json"]).stdout)
    };
    let first = json("old.ndjson", "new.ndjson");
    let value: Value = serde_json::from_str(&first).expect("JSON");
    assert_eq!(value["counts"]["died"], 1);
    assert_eq!(value["counts"]["unchanged"], 2);
    let links = value["links"].as_array().expect("links");
    assert_eq!(links.len(), 5);
    assert_eq!(
        links[0],
        json!({
            "change": "died", "uri": "http://h/died", "place": "a.eml:7:1",
            "old": {"dead": false, "class": "alive", "status": null, "asked": null},
            "new": {"dead": true, "class": "missing", "status": null, "asked": null},
            "first": "1997-02-01", "last": "1999-02-01",
        })
    );
    assert_eq!(links[2]["moved_to"], "http://h/second");
    assert_eq!(links[2]["old"]["moved_to"], "http://h/first");
    // From --format json, but for the names of the runs.
    let second = json("old.json", "new.json").replace(".json", ".ndjson");
    assert_eq!(first, second);
}

#[test]
fn a_relative_link_is_one_of_its_document() {
    let home = fresh("runs_compared/relative");
    let link = |path: &str, class: &str| {
        let mut finding = finding("b.md", class, 1, None);
        finding["place"]["path"] = json!(path);
        finding
    };
    save(&home, "old.ndjson", &[link("a.md", "alive"), link("c.md", "missing")]);
    save(&home, "new.ndjson", &[link("a.md", "missing"), link("c.md", "missing")]);
    let output = text(&run(&home, &COMPARED).stdout);
    assert_eq!(output, "a.md:1:1: died[missing]: b.md: alive, then missing\n");
    // Two pages of an archive, and one page whose base has changed.
    let page = |member: &str, base: &str, class: &str| {
        let mut finding = link("a.zip", class);
        finding["place"]["members"] = json!([member]);
        finding["base"] = json!(base);
        finding
    };
    let (a, b) = ("http://a.example/", "http://b.example/");
    save(&home, "old.ndjson", &[page("a.html", a, "alive"), page("b.html", b, "missing")]);
    save(&home, "new.ndjson", &[page("a.html", a, "missing"), page("b.html", b, "alive")]);
    let output = text(&run(&home, &COMPARED).stdout);
    assert!(output.contains("a.html:1:1: died") && output.contains("b.html:1:1: revived"));
    save(&home, "new.ndjson", &[page("a.html", b, "missing"), page("b.html", b, "missing")]);
    let output = text(&run(&home, &COMPARED).stdout);
    assert!(output.contains("gone[alive]") && output.contains("new[missing]"), "{output}");
}

#[test]
fn no_format_shows_a_secret_or_obeys_a_text_and_each_is_replaced_as_a_report_of_ours() {
    let home = fresh("runs_compared/hostile");
    let hostile = [
        finding("http://u:hunter2@h/<script>|\u{1b}[31m\u{202e}`x`", "alive", 1, None),
        moved("http://h/moved", "http://u:hunter2@h/first"),
    ];
    save(&home, "old.ndjson", &[]);
    save(&home, "mid.ndjson", &hostile);
    let mut dead = hostile;
    dead[0]["verdict"] = json!("error");
    dead[0]["place"]["path"] = json!("<b>|\u{1b}.md");
    dead[1]["reach"]["hops"][0]["to"] = json!("http://u:hunter2@h/<b>");
    save(&home, "new.ndjson", &dead);
    for old in ["old", "mid"] {
        for format in FORMATS {
            let file = format!("{old}.{format}");
            for _ in 0..2 {
                let (old, target) = (format!("{old}.ndjson"), format!("{format}={file}"));
                let args = ["--exit-zero", "--format", &target, "--compare", &old, "new.ndjson"];
                let output = run(&home, &args);
                assert_eq!(output.status.code(), Some(0), "{file}: {}", text(&output.stderr));
            }
            let report = fs::read(home.join(&file)).expect("a report");
            assert_eq!(own::format_of(&report), Some(format), "{file}");
            let report = text(&report);
            assert!(report.contains("/moved"), "{file}: {report}");
            for harm in ["hunter2", "\u{1b}", "\u{202e}"] {
                assert!(!report.contains(harm), "{file} has {harm:?}: {report}");
            }
            if ["html", "markdown"].contains(&format) {
                assert!(!report.contains("<script>") && !report.contains("<b>"), "{file}");
            }
            if format == "markdown" {
                let rows = report.lines().filter(|line| line.starts_with("| "));
                let bars = |row: &str| row.replace("\\|", "").matches('|').count();
                rows.for_each(|row| assert_eq!(bars(row), 4, "{row}"));
            }
        }
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let home = fresh("runs_compared/refused");
    two_runs(&home);
    fs::write(home.join("cut.ndjson"), "\n").expect("a file");
    let refused = |args: &[&str], why: &str| {
        let output = run(&home, args);
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(why), "{args:?}: {said}");
        assert!(output.stdout.is_empty(), "{args:?}");
    };
    refused(&["--compare", "-", "new.ndjson"], "found standard input");
    refused(&["--compare", "old.ndjson", "none.ndjson"], "cannot open");
    fs::write(home.join("none"), "").expect("a file");
    let none = "none\": expected a run saved by --format ndjson or json, found nothing";
    refused(&["--compare", "old.ndjson", "none"], none);
    refused(&["--compare", "old.ndjson", "cut.ndjson"], "it was cut");
    refused(&[&COMPARED[..], &["--format", "csv"]].concat(), "markdown for --compare, found csv");
    refused(&[&["old.ndjson"][..], &COMPARED].concat(), "cannot be used with");
    refused(&[], "required");
    let target = [&COMPARED[..], &["--format", "text=old.ndjson"]].concat();
    refused(&target, "would take its place");
}

/// A state in which each of `answers` came on one day.
fn state(home: &Path, name: &str, asked_at: u64, answers: &[(&str, Reach)]) {
    let mut store = Store::open(&home.join(name), &["http"]).expect("a state");
    store.begin_run(b"a", asked_at).expect("a run");
    for (text, reach) in answers {
        let uri: Uri<'_> = split(text);
        let record = Record { uri, reach, etag: None, last_modified: None, asked_at };
        store.record(&Key::of(&uri, "head"), &record).expect("it is recorded");
    }
    store.finish_run(asked_at).expect("its end");
}

fn split(text: &str) -> Uri<'_> {
    linktrawl::internal::grammar::split(text.as_bytes())
}

#[test]
fn states_are_compared_with_the_days_on_which_links_were_requested() {
    let home = fresh("runs_compared/states");
    let alive = || Reach::new(Class::Alive, "http", "").with_status(200);
    let missing = || Reach::new(Class::Missing, "http", "none").with_status(404);
    let moved = |to: &str| Reach {
        hops: vec![Hop { status: 301, to: to.as_bytes().to_vec() }],
        ..Reach::new(Class::Redirected, "http", "")
    };
    let day = 24 * 60 * 60;
    let old = [("http://u:hunter2@h/a", alive()), ("http://h/b", missing())];
    state(&home, "old.db", 10 * day, &old);
    let new = [("http://u:hunter2@h/a", missing()), ("http://h/b", moved("http://h/c"))];
    state(&home, "new.db", 12 * day, &new);
    let output = run(&home, &["--compare", "old.db", "new.db"]);
    let expected = "died[missing]: http://u:***@h/a: alive 200 on 1970-01-11, then missing 404 on \
                    1970-01-13\n\
                    revived[redirected]: http://h/b -> http://h/c: missing 404 on 1970-01-11, then \
                    redirected on 1970-01-13\n";
    assert_eq!(text(&output.stdout), expected, "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(1));
    two_runs(&home);
    let mixed = run(&home, &["--compare", "old.db", "new.ndjson"]);
    assert_eq!(mixed.status.code(), Some(2));
    assert!(text(&mixed.stderr).contains("found one of each"));
}
