//! Tests the `github` format as a workflow uses it: the commands that GitHub's runner reads, the
//! notice of omitted findings, and the job summary.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::support::home;

/// Returns an empty directory for the test called `name`.
fn directory(name: &str) -> PathBuf {
    home::directory("report_github", name)
}

/// Runs in `home`, as a step of a workflow whose summary is `summary`.
fn run(home: &Path, args: &[&str], summary: Option<&str>) -> Output {
    let mut command = home::command(home, args);
    if let Some(path) = summary {
        command.env("GITHUB_STEP_SUMMARY", path);
    }
    command.output().expect("the binary runs")
}

/// One command as the runner reads it.
#[derive(Debug, PartialEq)]
struct Annotation {
    level: String,
    properties: BTreeMap<String, String>,
    message: String,
}

/// Reads a line as the runner's `ActionCommand.TryParseV2` does.
fn parse(line: &str) -> Annotation {
    let body = line.trim_start().strip_prefix("::").expect("a command");
    let (head, message) = body.split_once("::").expect("data");
    let (level, properties) = head.split_once(' ').unwrap_or((head, ""));
    let undo = |text: &str, pairs: &[(&str, &str)]| {
        pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    };
    let data = [("%0D", "\r"), ("%0A", "\n"), ("%25", "%")];
    let property = [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")];
    let properties = properties.split(',').map(|pair| {
        let (key, value) = pair.split_once('=').expect("a value");
        (key.to_owned(), undo(value, &property))
    });
    Annotation {
        level: level.to_owned(),
        properties: properties.collect(),
        message: undo(message, &data),
    }
}

/// The annotations of `args`, without a summary.
fn annotations(home: &Path, args: &[&str]) -> Vec<Annotation> {
    let output = run(home, &[args, &["-q", "--format=github"]].concat(), None);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(parse).collect()
}

fn annotation(level: &str, properties: &[(&str, &str)], message: &str) -> Annotation {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    Annotation {
        level: level.to_owned(),
        properties: properties.iter().map(owned).collect(),
        message: message.to_owned(),
    }
}

#[test]
fn an_annotation_stands_on_the_line_and_the_columns_of_its_link() {
    let home = directory("place");
    fs::write(home.join("a.md"), "One.\n\n\u{e9} [b](http://h/%zz) and [c](no.md).\n")
        .expect("a file");
    let found = annotations(&home, &["check", "--offline", "./a.md"]);
    let wanted = [
        annotation(
            "error",
            &[
                ("file", "a.md"),
                ("line", "3"),
                ("col", "7"),
                ("endColumn", "19"),
                ("title", "linktrawl: pct-encoded"),
            ],
            "http://h/%zz: expected a hex digit at byte 10 (RFC 3986 §2.1)",
        ),
        annotation(
            "error",
            &[
                ("file", "a.md"),
                ("line", "3"),
                ("col", "29"),
                ("endColumn", "34"),
                ("title", "linktrawl: missing"),
            ],
            "no.md: expected a file or directory at `no.md`, found none",
        ),
    ];
    assert_eq!(found, wanted);
}

#[test]
fn a_hostile_name_or_text_is_one_command_with_its_properties() {
    use std::os::unix::ffi::OsStrExt as _;
    let home = directory("hostile");
    let name = std::ffi::OsStr::from_bytes(b"a,line=9::error::%0A\xff\n::stop,x=.txt");
    fs::write(home.join(name), "see http://h/%zz%0A::error::x\u{202e}\u{85}\n").expect("a file");
    let found = annotations(&home, &["scan", "."]);
    let [one] = &found[..] else { panic!("{found:?}") };
    let file = r"a,line=9::error::%0A\xff\x0a::stop,x=.txt";
    assert_eq!(one.properties["file"], file);
    assert_eq!((&*one.level, &*one.properties["line"]), ("error", "1"));
    assert_eq!(one.properties.len(), 5);
    assert!(one.message.starts_with(r"http://h/%zz%0A::error::x"), "{}", one.message);
}

#[test]
fn lines_in_an_archive_are_told_in_words() {
    let home = directory("archive");
    let archive = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/archives");
    for one in annotations(&home, &["scan", "--find", "bare,angle", archive]) {
        let is_within = one.message.contains('!');
        assert!(!(is_within && one.properties.contains_key("line")), "{one:?}");
    }
    let input = annotations(&home, &["scan", "gone.txt"]);
    assert_eq!(input[0].level, "error", "{input:?}");
    assert_eq!(input[0].properties["title"], "linktrawl: input-unreadable");
}

/// `count` lines that each have a fault of their own, one fault three times, and a lint.
fn write_faults(home: &Path, count: usize) {
    let mut text: String = (0..count).map(|n| format!("http://h/{n}%zz\n")).collect();
    text.push_str("http://h/0%zz http://h/0%zz ftp://me:secret@h/\n");
    fs::write(home.join("a.txt"), text).expect("a file");
}

#[test]
fn no_more_are_printed_than_github_takes_and_the_rest_is_counted() {
    let home = directory("limits");
    write_faults(&home, 40);
    let found = annotations(&home, &["scan", "a.txt"]);
    let levels = |level: &str| found.iter().filter(|one| one.level == level).count();
    assert_eq!((levels("error"), levels("warning"), levels("notice")), (10, 1, 1));
    assert!(found[0].message.ends_with(" (and 2 more times)"), "{:?}", found[0]);
    let last = found.last().expect("an annotation");
    assert!(last.message.starts_with("Shown here: 12 of 42 errors. GitHub"), "{last:?}");
    write_faults(&home, 8);
    let found = annotations(&home, &["scan", "a.txt"]);
    assert!(found.iter().all(|one| one.level != "notice"), "{found:?}");
}

#[test]
fn what_the_writer_can_mend_comes_before_what_may_pass() {
    let home = directory("useful");
    let line = |n: usize, class: &str| {
        let text = concat!(
            r#"{"type":"finding","uri":"http://h/N","raw":"http://h/N","cue":"bare","#,
            r#""scheme":"http","place":{"path":"a.md","members":[],"offset":0,"len":1,"line":N,"#,
            r#""column":1,"file_offset":null},"message":null,"syntax":null,"reach":{"class":"C","#,
            r#""probe":"http","status":null,"message":"m","hops":[]},"verdict":"error"}"#
        );
        text.replace('N', &n.to_string()).replace("\"C\"", &format!("\"{class}\""))
    };
    let summary = concat!(
        r#"{"type":"summary","schema":1,"complete":true,"files":1,"bytes":1,"messages":0,"#,
        r#""findings":20,"distinct":20,"verdicts":{"error":20},"skipped":{}}"#
    );
    let timeouts = (1..20).map(|n| line(n, "timeout"));
    let lines: Vec<_> = timeouts.chain([line(20, "missing"), summary.to_owned()]).collect();
    fs::write(home.join("run.ndjson"), lines.join("\n")).expect("a run");
    let output = run(&home, &["report", "run.ndjson", "--format=github"], None);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let found: Vec<_> = text.lines().map(parse).collect();
    assert_eq!(found[0].properties["title"], "linktrawl: missing", "{found:?}");
    assert_eq!(found[1].properties["line"], "1");
    assert!(found[10].message.contains("10 of 20 errors"), "{:?}", found[10]);
}

#[test]
fn what_a_baseline_knows_of_has_no_annotation() {
    let home = directory("known");
    fs::write(home.join("a.txt"), "ftp://me:secret@h/\n").expect("a file");
    let check = ["check", "--offline", "--verdict", "not-asked=error", "a.txt"];
    assert_eq!(annotations(&home, &check).len(), 2);
    let baseline = [&check[..], &["--baseline", "known"]].concat();
    annotations(&home, &[&baseline[..], &["--update-baseline"]].concat());
    assert_eq!(annotations(&home, &baseline), []);
}

// ---- the job summary --------------------------------------------------------------------

/// The cells of every table, and the text outside of them.
fn read_markdown(text: &str) -> (Vec<String>, String) {
    let options = Options::all().difference(Options::ENABLE_SMART_PUNCTUATION);
    let (mut cells, mut outside, mut in_cell) = (Vec::new(), String::new(), false);
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::TableCell) => {
                cells.push(String::new());
                in_cell = true;
            }
            Event::End(TagEnd::TableCell) => in_cell = false,
            Event::Text(text) if in_cell => cells.last_mut().expect("a cell").push_str(&text),
            Event::InlineHtml(tag) => assert!(matches!(&*tag, "<code>" | "</code>"), "{tag}"),
            Event::Text(text) => outside.push_str(&text),
            Event::SoftBreak => outside.push('\n'),
            Event::Start(
                Tag::Table(_)
                | Tag::TableHead
                | Tag::TableRow
                | Tag::Paragraph
                | Tag::Strong
                | Tag::Heading { .. },
            )
            | Event::End(_) => {}
            other => assert_eq!(format!("{other:?}"), "", "markup of strangers"),
        }
    }
    (cells, outside)
}

#[test]
fn the_summary_stands_after_what_the_file_has() {
    let home = directory("summary");
    fs::write(home.join("a.md"), "[a|b](http://h/%zz|*x*<b>) `me@h` [c](no.md)\n").expect("a file");
    fs::write(home.join("summary.md"), "# Before\n").expect("a file");
    let args = ["check", "-q", "--offline", "a.md", "--format=github"];
    run(&home, &args, Some("summary.md"));
    let text = fs::read_to_string(home.join("summary.md")).expect("a summary");
    let (cells, outside) = read_markdown(&text);
    assert!(outside.contains("2 links in 1 file: 0 ok, 0 with a warning, 2 errors, 0 skipped."));
    assert!(cells.contains(&"a.md:1:7".to_owned()), "{cells:?}");
    assert!(cells.iter().any(|cell| cell.starts_with("http://h/%zz|*x*<b>: ")), "{cells:?}");
    assert!(cells.iter().any(|cell| cell.starts_with("no.md: expected a file")), "{cells:?}");
    run(&home, &args, Some("summary.md"));
    let twice = fs::read_to_string(home.join("summary.md")).expect("a summary");
    assert_eq!(twice.matches("## linktrawl").count(), 2);
    assert!(twice.starts_with(&text));
}

#[test]
fn a_summary_is_written_where_annotations_are_asked_for_and_once() {
    let home = directory("asked");
    fs::write(home.join("a.md"), "<http://h/%zz>\n").expect("a file");
    let has = |args: &[&str]| {
        let _ = fs::remove_file(home.join("summary.md"));
        run(&home, &[&["scan", "-q", "a.md"], args].concat(), Some("summary.md"));
        fs::read_to_string(home.join("summary.md")).unwrap_or_default().len()
    };
    assert_eq!(has(&["--format=text"]), 0);
    let alone = has(&["--format=github"]);
    assert!(alone > 0);
    assert_eq!(has(&["--format=text", "--format=github=out.txt"]), alone);
    assert_eq!(has(&["--format=github", "--format=job-summary=summary.md"]), alone);
    let output = run(&home, &["scan", "-q", "a.md", "--format=github"], Some("no/such"));
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("cannot write \"no/such\""), "{stderr}");
}

#[test]
fn a_summary_of_many_faults_has_room_and_counts_the_rest() {
    let home = directory("room");
    write_faults(&home, 20_000);
    run(&home, &["scan", "-q", "a.txt", "--format=github"], Some("summary.md"));
    let text = fs::read_to_string(home.join("summary.md")).expect("a summary");
    assert!(text.len() < 512 * 1024, "{}", text.len());
    let (cells, outside) = read_markdown(&text);
    let shown = cells.iter().filter(|cell| cell.contains("%zz")).count();
    let rest = format!("The last {} errors are omitted here", 20_002 - shown);
    assert!(shown > 1000 && outside.contains(&rest), "{shown} {outside}");
    assert!(text.contains("### 20002 errors") && text.contains("### 1 warning\n"));
}
