//! Reads back the formats that list problems, each by a parser that others wrote, over a run
//! with hostile names and texts: `csv`, `checkstyle`, `gitlab`, `rdjson`, `tap`, `markdown`.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use linktrawl::internal::report::escape::is_hostile;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use quick_xml::Reader;
use quick_xml::events::Event as Xml;
use serde_json::{Value, json};

use crate::support::home;

/// A name of what breaks formats: quotes, ends of sections, escapes, entities, a formula, bytes
/// that are no text, characters that reorder or are none of XML. The text has a NUL besides.
const NAME: &[u8] = b"=1+a\"'<&]]>\xff\x1b[31m%0A::\n#,|`*\\\xe2\x80\xae\xef\xbf\xbf;.txt";
const TEXT: &[u8] =
    b"http://h/\xff http://h.example/%zz http://h.example/%zz htttps://h.example/\n\
    <http://h.example/\"]]>'&amp;%qq> <http://h.example/|#\\%=1> <URL:http://h/\0%zz>\x20\
    http://u:secret@h/%zz ok: http://a.example/\n";

/// Returns a directory for the test called `name`, with the hostile file in it.
fn home(name: &str) -> PathBuf {
    let path = home::directory("report_lists", name);
    fs::write(path.join(OsStr::from_bytes(NAME)), TEXT).expect("a file");
    path
}

fn scan(home: &Path, args: &[&str]) -> Output {
    home::run(home, &[&["scan", "-q"], args].concat())
}

/// The report called `format` over what is in `home`.
fn report(home: &Path, format: &str) -> String {
    let output = scan(home, &[".", "--format", format]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(!text.contains("secret") && text.replace('\\', "").contains("u:***@h"), "{text}");
    let is_bad = |char: char| is_hostile(char) && !matches!(char, '\n' | '\r');
    assert!(!text.contains(is_bad), "{text:?}");
    text
}

/// The records of the same run.
fn records(home: &Path) -> Vec<Value> {
    let text = String::from_utf8(scan(home, &[".", "--format=ndjson"]).stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Returns name and line of each problem of the run, by the records.
fn problems(home: &Path) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    for record in records(home) {
        let line = record["place"]["line"].as_u64().unwrap_or_default();
        let mut add = |rule: &Value| found.extend(rule.as_str().map(|it| (it.to_owned(), line)));
        add(&record["syntax"]["rule"]);
        record["warnings"].as_array().into_iter().flatten().for_each(|it| add(&it["rule"]));
    }
    assert!(found.len() > 4, "{found:?}");
    found
}

/// The path as reports show it.
fn shown_path() -> String {
    let text = linktrawl::internal::report::escape::Shown(NAME).to_string();
    assert!(text.contains("\\xff\\x1b[31m"), "{text}");
    text
}

#[test]
fn checkstyle_is_xml_with_every_problem_at_its_line() {
    let home = home("checkstyle");
    let text = report(&home, "checkstyle");
    let mut reader = Reader::from_str(&text);
    let (mut found, mut names) = (Vec::new(), BTreeSet::new());
    loop {
        match reader.read_event().expect("XML") {
            Xml::Eof => break,
            Xml::Start(element) | Xml::Empty(element) => {
                let value = |name: &str| {
                    let attribute = element.try_get_attribute(name).expect("an attribute")?;
                    let value = std::str::from_utf8(&attribute.value).expect("UTF-8");
                    let value = quick_xml::escape::unescape(value).expect("text that is XML");
                    Some(value.into_owned())
                };
                match element.name().as_ref() {
                    b"file" => drop(names.insert(value("name").expect("a name"))),
                    b"error" => {
                        let source = value("source").expect("a source");
                        let name = source.strip_prefix("linktrawl.").expect("our name");
                        let line = value("line").expect("a line").parse().expect("a number");
                        assert!(value("message").is_some_and(|it| !it.is_empty()));
                        found.push((name.to_owned(), line));
                    }
                    name => assert_eq!(name, b"checkstyle"),
                }
            }
            Xml::Decl(_) | Xml::End(_) => {}
            Xml::Text(text) => assert!(text.iter().all(u8::is_ascii_whitespace)),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(found, problems(&home));
    assert_eq!(Vec::from_iter(names), [shown_path().replace('\u{ffff}', "\u{fffd}")]);
}

#[test]
fn gitlab_is_given_paths_that_start_from_the_repository_or_it_is_told() {
    let home = home("gitlab-paths");
    let told = |format: &str, path: &str| {
        let output = home::run(&home, &["scan", path, "--format", format]);
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        said.matches("named from the root of the repository").count()
    };
    let whole = home.to_str().expect("UTF-8");
    assert_eq!([".", "./."].map(|path| told("gitlab", path)), [0, 0]);
    assert_eq!([whole, "../gitlab-paths", "./.."].map(|path| told("gitlab", path)), [1, 1, 1]);
    assert_eq!(told("csv", whole), 0);
    assert!(scan(&home, &[whole, "--format=gitlab"]).stderr.is_empty());
}

#[test]
fn gitlab_has_a_fingerprint_for_each_problem_that_stays_when_lines_move() {
    let home = home("gitlab");
    let issues = || -> Vec<Value> {
        serde_json::from_str(&report(&home, "gitlab")).expect("an array of JSON")
    };
    let first = issues();
    let line = |issue: &Value| issue["location"]["lines"]["begin"].as_u64().expect("a line");
    let name = |issue: &Value| issue["check_name"].as_str().expect("a name").to_owned();
    let found: Vec<_> = first.iter().map(|issue| (name(issue), line(issue))).collect();
    assert_eq!(found, problems(&home));
    for issue in &first {
        assert_eq!(issue["location"]["path"], *shown_path());
        assert!(["major", "minor"].contains(&issue["severity"].as_str().expect("a word")));
        assert!(issue["description"].is_string());
    }
    let prints = |issues: &[Value]| -> Vec<String> {
        let print = |issue: &Value| issue["fingerprint"].as_str().expect("a text").to_owned();
        issues.iter().map(print).collect()
    };
    let distinct: BTreeSet<_> = prints(&first).into_iter().collect();
    assert_eq!(distinct.len(), first.len(), "the same fault of the same link twice");
    fs::write(home.join(OsStr::from_bytes(NAME)), [b"\n\n\n", TEXT].concat()).expect("a file");
    let moved = issues();
    assert_eq!(prints(&first), prints(&moved));
    assert_eq!(line(&first[0]) + 3, line(&moved[0]));
}

#[test]
fn rdjson_is_what_reviewdog_takes() {
    let home = home("rdjson");
    let result: Value = serde_json::from_str(&report(&home, "rdjson")).expect("JSON");
    assert_eq!(result["source"]["name"], "linktrawl");
    let diagnostics = result["diagnostics"].as_array().expect("an array");
    let mut found = Vec::new();
    for diagnostic in diagnostics {
        assert_eq!(diagnostic["location"]["path"], *shown_path());
        assert!(["ERROR", "WARNING"].contains(&diagnostic["severity"].as_str().expect("a word")));
        let range = &diagnostic["location"]["range"];
        let line = range["start"]["line"].as_u64().expect("a line");
        assert!(range.get("end").is_none_or(|end| end["line"] == line), "{range}");
        found.push((diagnostic["code"]["value"].as_str().expect("a name").to_owned(), line));
        let output = diagnostic["original_output"].as_str().expect("a text");
        assert!(output.contains(diagnostic["message"].as_str().expect("a text")));
    }
    assert_eq!(found, problems(&home));
}

#[test]
fn rdjson_has_the_range_of_a_link_on_one_line() {
    let home = home("range");
    fs::write(home.join("a.txt"), "\n12 http://h/%zz <http://h/\n%zz>\n").expect("a file");
    let text = String::from_utf8(scan(&home, &["a.txt", "--format=rdjson"]).stdout);
    let result: Value = serde_json::from_str(&text.expect("UTF-8")).expect("JSON");
    let range = |idx: usize| &result["diagnostics"][idx]["location"]["range"];
    let first = json!({"start": {"line": 2, "column": 4}, "end": {"line": 2, "column": 16}});
    assert_eq!(*range(0), first);
    assert_eq!(*range(1), json!({"start": {"line": 2, "column": 18}}));
}

#[test]
fn columns_of_rdjson_count_bytes_and_others_characters() {
    let home = home("bytes");
    let text = "one \u{1f600}\n\u{e9} \u{4e2d} <http://h/%zz> http://h/%yy\n";
    fs::write(home.join("a.txt"), text).expect("a file");
    let text = |format: &str| {
        let format = format!("--format={format}");
        String::from_utf8(scan(&home, &["a.txt", &format]).stdout).expect("UTF-8")
    };
    let result: Value = serde_json::from_str(&text("rdjson")).expect("JSON");
    let range = |idx: usize| result["diagnostics"][idx]["location"]["range"].clone();
    let of = |start, end| {
        json!({"start": {"line": 2, "column": start},
                                 "end": {"line": 2, "column": end}})
    };
    assert_eq!([range(0), range(1)], [of(9, 21), of(23, 35)]);
    assert!(text("text").starts_with("a.txt:2:6: "));
    assert!(text("checkstyle").contains("column=\"6\""));
    let saved = home.join("run.ndjson");
    fs::write(&saved, text("ndjson")).expect("a file");
    let mut command = home::linktrawl();
    let again = command.arg("report").arg(&saved).arg("--format=rdjson").output();
    assert_eq!(String::from_utf8(again.expect("it runs").stdout).expect("UTF-8"), text("rdjson"));
}

#[test]
fn a_path_is_the_same_however_it_is_typed() {
    let home = home("typed");
    fs::create_dir(home.join("docs")).expect("a directory");
    fs::write(home.join("x.txt"), "http://h/%zz\n").expect("a file");
    for format in ["gitlab", "checkstyle", "rdjson", "github", "sarif", "junit"] {
        let text = |path: &str| {
            let output = scan(&home, &[path, "--format", format]);
            String::from_utf8(output.stdout).expect("UTF-8")
        };
        let plain = text("x.txt");
        assert!(plain.contains("x.txt"), "{plain}");
        assert_eq!(text("./docs/.././/x.txt"), plain);
    }
}

/// Returns the rows that Python's `csv` reads.
fn rows(csv: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report_lists.csv");
    fs::write(&path, csv).expect("a file");
    let script = "import csv,json,sys; \
        print(json.dumps(list(csv.reader(open(sys.argv[1], newline='', encoding='utf-8'), \
        strict=True))))";
    let output = Command::new("python3").args(["-c", script]).arg(&path).output().expect("Python");
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn csv_has_a_row_for_each_finding_and_no_formula() {
    let home = home("csv");
    fs::write(home.join("z.txt"), "@http://h.example/ -x:=1\n").expect("a file");
    let text = report(&home, "csv");
    let lines = text.split("\r\n").collect::<Vec<_>>();
    assert_eq!(lines.last(), Some(&""), "every line has its end");
    let rows = rows(&text);
    let (head, rows) = rows.split_first().expect("a head");
    let column = |name: &str| head.iter().position(|it| it == name).expect("a column");
    let findings: Vec<_> =
        records(&home).into_iter().filter(|record| record["type"] == "finding").collect();
    assert_eq!(rows.len(), findings.len());
    for (row, record) in rows.iter().zip(&findings) {
        assert_eq!(row.len(), head.len());
        let formula = |cell: &String| cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
        assert!(!row.iter().any(formula), "{row:?}");
        assert_eq!(row[column("verdict")], *record["verdict"].as_str().expect("a verdict"));
        assert_eq!(row[column("line")], record["place"]["line"].to_string());
        let reason = record["syntax"]["rule"].as_str().unwrap_or_default();
        assert!(row[column("reasons")].contains(reason), "{row:?}");
        let path = &row[column("path")];
        assert!(path == "./z.txt" || *path == format!("./{}", shown_path()), "{path}");
    }
    // Named alone, the file's name begins as a formula does.
    let name = OsStr::from_bytes(b"=1+1.txt");
    fs::write(home.join(name), TEXT).expect("a file");
    let alone = scan(&home, &["=1+1.txt", "--format=csv"]).stdout;
    let alone = String::from_utf8(alone).expect("UTF-8");
    assert!(alone.contains(",'=1+1.txt,") && !alone.contains(",=1"), "{alone}");
    // Spreadsheets of some languages part fields at semicolons, and cut blanks from their ends.
    for name in ["a;b.txt", " b.txt"] {
        fs::write(home.join(name), TEXT).expect("a file");
        let quoted = String::from_utf8(scan(&home, &[name, "--format=csv"]).stdout);
        let quoted = quoted.expect("UTF-8");
        assert!(quoted.contains(&format!(",\"{name}\",")), "{quoted}");
    }
}

#[test]
fn markdown_shows_each_problem_once_and_nothing_else() {
    let home = home("markdown");
    let text = report(&home, "markdown");
    let options = Options::all().difference(Options::ENABLE_SMART_PUNCTUATION);
    let (mut rows, mut cell) = (Vec::<Vec<String>>::new(), None::<String>);
    for event in Parser::new_ext(&text, options) {
        match event {
            Event::Start(Tag::TableRow | Tag::TableHead) => rows.push(Vec::new()),
            Event::Start(Tag::TableCell) => cell = Some(String::new()),
            Event::Text(text) => {
                if let Some(cell) = &mut cell {
                    cell.push_str(&text);
                }
            }
            Event::End(TagEnd::TableCell) => {
                let text = cell.take().expect("a cell");
                rows.last_mut().into_iter().for_each(|row| row.push(text.clone()));
            }
            Event::Start(Tag::Table(_) | Tag::Heading { .. } | Tag::Paragraph)
            | Event::End(_)
            | Event::SoftBreak => {}
            other => panic!("{other:?} in {text}"),
        }
    }
    rows.retain(|row| row.len() == 4 && row[0] != "Where");
    let times: u64 = rows.iter().map(|row| row[1].parse::<u64>().expect("a number")).sum();
    let problems = problems(&home);
    assert_eq!(times, u64::try_from(problems.len()).expect("a number"));
    assert!(rows.len() < problems.len(), "what is said twice is one row");
    let path = shown_path();
    assert!(rows.iter().all(|row| row[0].starts_with(&path)), "{rows:?}");
}

#[test]
fn markdown_has_an_end_and_counts_the_rest() {
    let home = home("long");
    let text: String = (0..5000).map(|n| format!("http://h.example/{n}/%zz\n")).collect();
    fs::write(home.join("long.txt"), text).expect("a file");
    let text =
        String::from_utf8(scan(&home, &["long.txt", "--format=markdown"]).stdout).expect("UTF-8");
    assert!(text.len() < 65_536, "{}", text.len());
    let kept = text.lines().filter(|line| line.starts_with("| long")).count();
    let wanted = format!("\n{} more are omitted here.", 5000 - kept);
    assert!(kept > 100 && text.contains(&wanted), "{kept} kept, {text}");
}

/// Returns the reading of Perl's TAP::Parser, the parser of `prove`:
/// `type|ok|directive|description` a line.
fn tap(text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report_lists.tap");
    // It reads version 13, in which all of this means the same.
    fs::write(&path, text.replacen("TAP version 14", "TAP version 13", 1)).expect("a file");
    let script = "use TAP::Parser; my $p = TAP::Parser->new({source => $ARGV[0]}); \
        while (my $r = $p->next) { \
          if ($r->is_test) { printf \"test|%s|%s|%s\\n\", $r->is_actual_ok ? 1 : 0, \
              $r->directive, $r->description } \
          elsif ($r->is_yaml) { print \"yaml|\", scalar(@{$r->data}), \"|\", \
              $r->data->[0]{message}, \"\\n\" } \
          elsif ($r->is_unknown) { die $r->as_string } } \
        die join \"; \", $p->parse_errors if $p->parse_errors;";
    let output = Command::new("perl").args(["-e", script]).arg(&path).output().expect("Perl");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn tap_has_a_test_for_each_finding() {
    let home = home("tap");
    let text = report(&home, "tap");
    assert!(text.starts_with("TAP version 14\n"), "{text}");
    let read = tap(&text);
    let findings: Vec<_> =
        records(&home).into_iter().filter(|record| record["type"] == "finding").collect();
    let tests: Vec<_> = read.lines().filter(|line| line.starts_with("test|")).collect();
    assert_eq!(tests.len(), findings.len());
    for (test, record) in tests.iter().zip(&findings) {
        let wanted = if record["verdict"] == "error" { "test|0||" } else { "test|1||" };
        assert!(test.starts_with(wanted), "{test}, not {wanted}");
    }
    let messages = read.lines().filter(|line| line.starts_with("yaml|1|")).count();
    assert_eq!(messages, problems(&home).len(), "{read}");
}

#[test]
fn a_run_without_links_is_a_whole_report_in_each_format() {
    let home = home("empty");
    fs::write(home.join("none.txt"), "none\n").expect("a file");
    let text = |format: &str| {
        let output = scan(&home, &["none.txt", "--format", format]);
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert_eq!(text("gitlab"), "[\n]\n");
    let result: Value = serde_json::from_str(&text("rdjson")).expect("JSON");
    assert_eq!(result["diagnostics"], Value::Array(Vec::new()));
    assert_eq!(text("tap"), "TAP version 14\n1..0 # SKIP no link was found\n");
    assert_eq!(text("csv").lines().count(), 1);
    assert!(text("checkstyle").ends_with("<checkstyle version=\"4.3\">\n</checkstyle>\n"));
    assert_eq!(text("markdown"), "## Links: 0 errors, 0 warnings\n\n0 links in 1 file.\n");
}

#[test]
fn input_that_was_lost_is_told_in_each_format() {
    let home = home("lost");
    let text = |format: &str| {
        let output = scan(&home, &["gone.txt", "--format", format]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    for format in ["csv", "checkstyle", "gitlab", "rdjson", "tap", "markdown"] {
        assert!(text(format).contains("gone"), "{format}: {}", text(format));
    }
    assert!(text("tap").contains("\nnot ok 1 - every input was read in full\n1..1\n"));
    assert!(text("gitlab").contains("\"severity\":\"critical\""));
    assert!(text("markdown").contains("**The run is incomplete.**"));
}
