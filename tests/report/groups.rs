//! Drives `--group-by`: one line for all links that have something in common, of a run that is
//! made up, of mail, and of hostile names.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must hold by panicking")]

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use linktrawl::internal::report::escape::is_hostile;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::{Value, json};

use crate::support::home;

const GROUPINGS: [&str; 4] = ["uri", "host", "file", "class"];

/// Returns an empty directory for the test called `name`.
fn directory(name: &str) -> PathBuf {
    home::directory("report_groups", name)
}

/// Returns the output of `args`.
fn printed(home: &Path, args: &[&str]) -> String {
    let output = home::run(home, args);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{said}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A finding of a saved run, on line `line` of `path`.
fn finding(uri: &str, path: &str, line: u64, date: Option<&str>, said: &Value) -> String {
    let message = date.map(|date| json!({"id": null, "date": date, "list_id": null}));
    let mut record = json!({
        "type": "finding", "uri": uri, "raw": uri, "cue": "bare", "scheme": "http",
        "place": {
            "path": path, "members": [], "offset": 0, "len": 1, "line": line, "column": 3,
            "file_offset": 0
        },
        "message": message, "syntax": null, "reach": null
    });
    let keys = record.as_object_mut().expect("an object");
    keys.extend(said.as_object().expect("an object").clone());
    record.to_string()
}

fn reach(class: &str, verdict: &str) -> Value {
    let reach = json!({
        "class": class, "probe": "http", "status": null, "message": "m", "hops": []
    });
    json!({"reach": reach, "verdict": verdict})
}

/// Returns a run of seven links, followed by its summary.
fn made_up_run() -> String {
    let fault = json!({
        "syntax": {
            "grammar": "current", "ok": false, "rule": "pct-encoded", "at": 9, "expected": "e",
            "spec": "s", "message": "m", "hint": null
        },
        "warnings": [
            {"rule": "password", "at": 0, "message": "m", "spec": "s"},
            {"rule": "password", "at": 4, "message": "m", "spec": "s"}
        ],
        "verdict": "error"
    });
    let (ok, alive) = (json!({"verdict": "ok"}), reach("alive", "ok"));
    let [dead, warned] = [reach("missing", "error"), reach("timeout", "warn")];
    let mut lines = vec![
        finding("http://B.example/", "b", 1, Some("1999-01-02T03:04:05Z"), &alive),
        finding("http://a.example/x", "b", 2, Some("2004-05-06T07:08:09Z"), &dead),
        finding("http://a.example/x", "b", 3, Some("1998-05-06T07:08:09Z"), &dead),
        finding("http://a.example/x", "a", 4, Some("2001-05-06T07:08:09Z"), &warned),
        finding("http://b.example:80/%zz", "a", 5, None, &fault),
        finding("urn:x:y", "c", 6, None, &ok),
        finding("http://b.example/", "a", 7, Some("1999-01-02T23:04:05Z"), &alive),
    ];
    let summary = json!({
        "type": "summary", "schema": 1, "complete": true, "files": 3, "bytes": 1, "messages": 0,
        "findings": 7, "distinct": 5,
        "verdicts": {"ok": 3, "warn": 1, "error": 3, "skipped": 0}, "skipped": {}
    });
    lines.push(summary.to_string());
    lines.join("\n") + "\n"
}

#[track_caller]
fn case(grouping: &str, wanted: &[&str]) {
    let home = directory(&format!("made-up-{grouping}"));
    fs::write(home.join("run"), made_up_run()).expect("a file");
    let text = printed(&home, &["report", "run", "--group-by", grouping]);
    assert_eq!(text.lines().collect::<Vec<_>>(), wanted, "{grouping}");
}

#[test]
fn groups_have_counts_days_and_the_first_place_of_the_worst_and_largest_come_first() {
    case(
        "uri",
        &[
            "b:2:3: error[missing]: http://a.example/x: 3 links: 2 error, 1 warn; \
             1998-05-06 to 2004-05-06",
            "a:5:3: error[pct-encoded]: http://b.example:80/%zz: 1 link: 1 error",
            "b:1:3: ok: http://B.example/: 1 link: 1 ok; 1999-01-02",
            "a:7:3: ok: http://b.example/: 1 link: 1 ok; 1999-01-02",
            "c:6:3: ok: urn:x:y: 1 link: 1 ok",
        ],
    );
    case(
        "host",
        &[
            "b:2:3: error: a.example: 3 links: 2 error, 1 warn; 1998-05-06 to 2004-05-06",
            "a:5:3: error: b.example: 3 links: 1 error, 2 ok; 1999-01-02",
            "c:6:3: ok: (no host): 1 link: 1 ok",
        ],
    );
    case(
        "file",
        &[
            "b:2:3: error: b: 3 links: 2 error, 1 ok; 1998-05-06 to 2004-05-06",
            "a:5:3: error: a: 3 links: 1 error, 1 warn, 1 ok; 1999-01-02 to 2001-05-06",
            "c:6:3: ok: c: 1 link: 1 ok",
        ],
    );
    case(
        "class",
        &[
            "b:2:3: error: missing: 2 links: 2 error; 1998-05-06 to 2004-05-06",
            "a:5:3: error: pct-encoded: 1 link: 1 error",
            "a:5:3: warn: password: 1 link: 1 warn",
            "a:4:3: warn: timeout: 1 link: 1 warn; 2001-05-06",
            "b:1:3: ok: (no class): 3 links: 3 ok; 1999-01-02",
        ],
    );
}

#[test]
fn the_same_reference_of_two_directories_is_two_links() {
    let home = directory("relative");
    let files = [
        ("a.md", "[x](x.md) [top](#top) [out](/x.md) [h](http://h/)"),
        ("docs/a.md", "[x](x.md) [top](#top) [out](/x.md) [h](http://h/)"),
        ("docs/b.md", "[x](x.md) [top](#top) [out](/x.md) [h](http://h/)"),
        ("docs/x.md", "x"),
    ];
    fs::create_dir(home.join("docs")).expect("a directory");
    for (path, text) in files {
        fs::write(home.join(path), text).expect("a file");
    }
    let text = printed(&home, &["check", "-q", "--offline", ".", "--group-by=uri"]);
    let wanted = [
        "./a.md:1:29: error[missing]: /x.md: 3 links: 3 error",
        "./a.md:1:5: error[missing]: x.md: 1 link: 1 error",
        "./a.md:1:40: skipped[not-asked]: http://h/: 3 links: 3 skipped",
        "./docs/a.md:1:5: ok: x.md: 2 links: 2 ok",
        "./a.md:1:17: ok: #top: 1 link: 1 ok",
        "./docs/a.md:1:17: ok: #top: 1 link: 1 ok",
        "./docs/b.md:1:17: ok: #top: 1 link: 1 ok",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), wanted);
    // Each group is one link where distinct links are counted, and where each link is reported
    // once.
    let saved = ["check", "-q", "--offline", ".", "--format=ndjson=.run"];
    printed(&home, &[&saved[..], &["--format=html=.page", "--format=text=.all"]].concat());
    let run = fs::read_to_string(home.join(".run")).expect("a run");
    assert!(run.contains("\"findings\":12,\"distinct\":7,"), "{run}");
    let once = printed(&home, &["check", "-q", "--offline", ".", "--unique"]);
    let places = |text: &str| -> BTreeSet<String> {
        let place = |line: &str| line.split(": ").next().map(str::to_owned);
        text.lines().filter_map(place).collect()
    };
    assert_eq!(places(&once), places(&text), "{once}");
    let page = fs::read_to_string(home.join(".page")).expect("a page");
    let broken = page.split("<section id=\"broken\">").nth(1).expect("a section");
    let broken = broken.split("</section>").next().expect("its end");
    let counts = ["<summary>3 places", "<summary>1 place"].map(|it| broken.matches(it).count());
    assert_eq!(counts, [1, 1], "{broken}");
    assert_eq!(printed(&home, &["report", ".run", "--format=html"]), page);
}

/// A mailbox in which the same link is quoted 300 times over the days of a month.
fn thread() -> String {
    let mut text = String::new();
    for number in 0..300 {
        let day = 1 + number % 28;
        let _ = write!(
            text,
            "From a@b.example Thu Jan  1 00:00:00 1998\nMessage-ID: <{number}@b.example>\n\
             Date: {day} Jan 1998 12:00:00 +0000\nSubject: Re: x\n\n\
             {}http://u:secret@h.example/%zz\n\n",
            "> ".repeat(number % 9)
        );
    }
    text
}

#[test]
fn a_link_that_a_thread_quotes_300_times_is_one_line() {
    let home = directory("thread");
    fs::write(home.join("box"), thread()).expect("a file");
    let text = printed(&home, &["scan", "-q", "box", "--group-by=uri"]);
    let wanted = "box:6:1: error[pct-encoded]: http://u:***@h.example/%zz: 300 links: 300 error; \
                  1998-01-01 to 1998-01-28\n";
    assert_eq!(text, wanted);
}

/// A directory with names and texts of what breaks terminals and lines.
fn hostile(name: &str) -> PathBuf {
    let home = directory(name);
    let text = b"http://h/\xff http://h/\xe2\x80\xae http://\x1b[31m/ http://u:secret@H/%zz\n\
        http://[::/ <URL:http://h/a\n\"b> http://h\xc2\x85/ mailto:a@b%0A ../x\n";
    for name in [&b"a\xff\x1b[31m%0A::\n,\xe2\x80\xae.txt"[..], b"b: error: 9 links", b"=1.html"] {
        fs::write(home.join(OsStr::from_bytes(name)), text).expect("a file");
    }
    home
}

#[test]
fn scan_check_and_report_print_the_same_groups_of_hostile_names() {
    let home = hostile("hostile");
    for grouping in GROUPINGS {
        let group = format!("--group-by={grouping}");
        for command in [&["scan", "."][..], &["check", "--offline", "."]] {
            let run = |args: &[&str]| printed(&home, &[command, &["-q"], args].concat());
            let text = run(&[&group]);
            assert!(!text.contains("secret"), "{text}");
            assert!(!text.contains(|char| char != '\n' && is_hostile(char)), "{text:?}");
            assert_eq!(text, run(&[&group, "--threads=7"]));
            run(&[&group, "--format=ndjson=.run", "--format=text=.text"]);
            assert_eq!(text, fs::read_to_string(home.join(".text")).expect("a report"));
            assert_eq!(text, printed(&home, &["report", ".run", &group]));
        }
    }
}

#[test]
fn links_of_all_groups_are_the_links_of_the_run() {
    let home = hostile("counted");
    let findings = printed(&home, &["scan", "-q", ".", "--format=ndjson"]).lines().count() - 1;
    for grouping in ["uri", "host", "file"] {
        let text = printed(&home, &["scan", "-q", ".", "--group-by", grouping]);
        let links = |line: &str| -> usize {
            let head = line.rsplit_once(" link").expect("a count").0;
            head.rsplit_once(' ').expect("a blank").1.parse().expect("a number")
        };
        assert_eq!(text.lines().map(links).sum::<usize>(), findings, "{grouping}:\n{text}");
    }
}

/// The rows of tables in `text`, as GitHub shows them; nothing but tables, headings and plain
/// paragraphs is there.
fn rows(text: &str) -> Vec<Vec<String>> {
    let options = Options::all().difference(Options::ENABLE_SMART_PUNCTUATION);
    let (mut rows, mut cell) = (Vec::<Vec<String>>::new(), None::<String>);
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::TableRow) => rows.push(Vec::new()),
            Event::Start(Tag::TableCell) => cell = Some(String::new()),
            Event::Text(text) => cell.iter_mut().for_each(|cell| cell.push_str(&text)),
            Event::End(TagEnd::TableHead) => cell = None,
            Event::End(TagEnd::TableCell) => {
                rows.last_mut().into_iter().for_each(|row| row.extend(cell.take()));
            }
            Event::Start(Tag::Table(_) | Tag::TableHead | Tag::Heading { .. } | Tag::Paragraph)
            | Event::End(_)
            | Event::SoftBreak => {}
            other => panic!("{other:?} in {text}"),
        }
    }
    rows
}

/// The line of the text report that says the same.
fn line(row: &[String]) -> String {
    let [place, worst, links, verdicts, what, days] = row else { panic!("{row:?}") };
    let noun = if links == "1" { "link" } else { "links" };
    let days = if days.is_empty() { String::new() } else { format!("; {days}") };
    format!("{place}: {worst}: {what}: {links} {noun}: {verdicts}{days}")
}

#[test]
fn a_table_of_markdown_has_the_groups_of_the_text() {
    let home = hostile("markdown");
    let marked = "http://h.example/*a*/_b_/`c`|d http://h.example/~~a~~![b](c)\n";
    fs::write(home.join("a|*b* <i>`c`_d_.txt"), marked).expect("a file");
    fs::write(home.join("run"), made_up_run()).expect("a file");
    for grouping in GROUPINGS {
        let group = format!("--group-by={grouping}");
        for command in [&["scan", "-q", "."][..], &["report", "run"]] {
            let run = |format| printed(&home, &[command, &[&group, format]].concat());
            let (text, markdown) = (run("--format=text"), run("--format=markdown"));
            assert!(!markdown.contains("secret"), "{markdown}");
            let lines: Vec<_> = rows(&markdown).iter().map(|row| line(row)).collect();
            assert_eq!(lines, text.lines().collect::<Vec<_>>(), "{markdown}");
        }
    }
    let markdown = printed(&home, &["report", "run", "--group-by=host", "--format=markdown"]);
    let opening = "## Links: 3 errors, 1 warning\n\n7 links in 3 files.\n\n### By host\n\n";
    assert!(markdown.starts_with(opening), "{markdown}");
}

#[test]
fn a_table_of_markdown_has_an_end_and_counts_the_rest() {
    let home = directory("long");
    let text: String = (0..5000).map(|n| format!("http://h.example/{n}/%zz\n")).collect();
    fs::write(home.join("a"), text + "http://h.example/\nhttp://h.example/\n").expect("a file");
    let text = printed(&home, &["scan", "-q", "a", "--format=markdown", "--group-by=uri"]);
    assert!(text.len() < 65_536, "{}", text.len());
    let kept = rows(&text).len();
    let wanted = format!("\n{} more are omitted here.", 5001 - kept);
    assert!(kept > 100 && text.contains(&wanted), "{kept} kept, {text}");
}

/// Returns the complaints about `args`, and the exit code.
fn said(home: &Path, args: &[&str]) -> (String, Option<i32>) {
    let output = home::run(home, args);
    (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code())
}

#[test]
fn groups_are_refused_where_no_format_has_them() {
    let home = hostile("others");
    fs::write(home.join("run"), made_up_run()).expect("a file");
    for command in [&["scan", "."][..], &["check", "--offline", "."], &["report", "run"]] {
        let (said, code) = said(&home, &[command, &["--group-by=uri", "--format=csv"]].concat());
        assert!(said.contains("text or markdown for --group-by, found csv"), "{said}");
        assert!(!said.contains("of each link"), "{said}");
        assert_eq!(code, Some(2));
    }
    let (said, code) = said(&home, &["scan", ".", "--group-by=hosts"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("uri, host, file, class"), "{said}");
}

#[test]
fn formats_without_groups_tell_of_each_link_beside_those_that_have_them() {
    let home = hostile("beside");
    let plain = printed(&home, &["scan", "-q", ".", "--format=csv"]);
    let groups = printed(&home, &["scan", "-q", ".", "--group-by=uri"]);
    let both = ["scan", ".", "--group-by=uri", "--format=text", "--format=csv=.csv"];
    assert_eq!(printed(&home, &both), groups);
    assert_eq!(fs::read_to_string(home.join(".csv")).expect("a report"), plain);
    let (told, _) = said(&home, &both);
    assert!(told.contains("csv has no groups: it reports each link"), "{told}");
    let (quiet, _) = said(&home, &[&both[..], &["-q"]].concat());
    assert_eq!(quiet, "");
}

#[test]
fn groups_of_a_file_of_options_are_for_formats_that_have_them() {
    let home = directory("file");
    fs::write(home.join("a.txt"), "http://h/\n").expect("a file");
    fs::write(home.join("linktrawl.toml"), "group-by = 'host'\n").expect("a file");
    let scan = ["scan", "-q", "a.txt"];
    assert_eq!(printed(&home, &scan), "a.txt:1:1: ok: h: 1 link: 1 ok\n");
    let csv = printed(&home, &[&scan[..], &["--format=csv"]].concat());
    assert_eq!(csv, printed(&home, &[&scan[..], &["--format=csv", "--no-config"]].concat()));
    let both = printed(&home, &[&scan[..], &["--format=csv=.csv", "--format=text"]].concat());
    assert_eq!(both, "a.txt:1:1: ok: h: 1 link: 1 ok\n");
    fs::write(home.join("linktrawl.toml"), "group-by = 'host'\nformat = ['csv']").expect("a file");
    assert_eq!(said(&home, &scan).1, Some(2));
}
