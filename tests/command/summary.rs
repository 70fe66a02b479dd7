//! Tests the summary of a run, where `--summary` puts it: after the text report it can be parsed,
//! and agrees with the records of the same run.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use crate::home::{command, fresh};

const TEXT: &str = "<http://h/%zz> <http://u:p@h/> <http://h/%y> <http://h/> <http://[h]/>\n";

/// The first lines after the report; where other formats count different URIs, another line
/// follows.
const READ: &str = "\n 1 file\n71 B\n 5 findings\n";

const VERDICTS: &str = concat!(
    " 1 ok\n 1 warn\n 1 warn[password]\n",
    " 3 error\n 2 error[pct-encoded]\n 1 error[ip-literal]\n",
);

/// A directory with one file of links, for the test called `name`.
fn directory(name: &str) -> PathBuf {
    let path = fresh(&format!("summary/{name}"));
    fs::write(path.join("a.txt"), TEXT).expect("a file");
    path
}

/// Returns the standard output and standard error of `linktrawl ARGS`.
fn run(home: &Path, args: &[&str]) -> (String, String) {
    let Output { stdout, stderr, .. } = command(home, args).output().expect("the binary runs");
    (String::from_utf8(stdout).expect("UTF-8"), String::from_utf8(stderr).expect("UTF-8"))
}

#[test]
fn it_stands_after_the_text_report_or_nowhere() {
    let home = directory("places");
    fs::write(home.join(".b.txt"), TEXT).expect("a file");
    let report = run(&home, &["scan", "--quiet", "."]).0;
    let after = format!("{report}{READ}{VERDICTS} 1 left out: hidden\ncomplete\n");
    let nothing = String::new();
    let told = |args: &[&str]| run(&home, &[&["scan", "."], args].concat());
    assert_eq!(told(&["--summary=stdout"]), (after.clone(), nothing.clone()));
    // It is standard error that is kept quiet.
    assert_eq!(told(&["--summary=stdout", "--quiet"]), (after.clone(), nothing.clone()));
    assert_eq!(told(&["--summary=none"]), (report.clone(), nothing.clone()));
    assert_eq!(told(&["--summary=stderr", "--quiet"]), (report.clone(), nothing));
    assert_eq!(told(&["--summary=stderr"]), told(&[]));
    assert!(told(&[]).1.starts_with("linktrawl: 1 file, 71 B, 5 findings: 1 ok, 1 warn, 3 error"));
    fs::write(home.join(".linktrawl.toml"), "summary = 'stdout'\n").expect("a file");
    assert_eq!(told(&[]).0, after.replace("1 left", "2 left"));
    assert_eq!(told(&["--summary=none"]).0, report);
}

#[test]
fn it_goes_to_standard_error_where_standard_output_has_no_text() {
    let home = directory("others");
    for formats in [&["--format=csv"][..], &["--format=text=.report", "--format=csv"]] {
        let args = [&["scan", "a.txt", "--summary=stdout"], formats].concat();
        let (printed, said) = run(&home, &args);
        assert!(!printed.contains("findings"), "{printed}");
        let wanted = "linktrawl: the summary goes to standard error: standard output has no text \
                      report\nlinktrawl: 1 file, 71 B, 5 findings";
        assert!(said.starts_with(wanted), "{said}");
        assert_eq!(run(&home, &[&args[..], &["-q"]].concat()), (printed, String::new()));
    }
    let args = ["scan", "a.txt", "--summary=stdout", "--format=text", "--format=csv=.report"];
    let (printed, said) = run(&home, &args);
    assert!(printed.ends_with(&format!("{READ} 5 distinct\n{VERDICTS}complete\n")), "{printed}");
    assert_eq!(said, "");
}

/// Returns the numbers of the summary that follows a report, by their names; without the number of
/// bytes, which is printed in tenths of a kB.
fn numbers(printed: &str) -> BTreeMap<&str, u64> {
    let (_, summary) = printed.split_once("\n\n").expect("an empty line");
    let facts = summary.lines().filter_map(|line| line.trim_start().split_once(' '));
    let facts = facts.filter(|(_, what)| *what != "kB");
    facts.map(|(number, what)| (what, number.parse().expect("a number"))).collect()
}

/// Adds one to `name`.
fn add(counts: &mut BTreeMap<String, u64>, name: String) {
    *counts.entry(name).or_default() += 1;
}

/// The same numbers, of the records of the run.
fn counted(run: &str) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for line in run.lines() {
        let record: Value = serde_json::from_str(line).expect("JSON");
        if let Some(skipped) = record["skipped"].as_object() {
            let number = |count: &Value| count.as_u64().expect("a number");
            let reasons = skipped.iter().map(|(why, count)| (why, number(count)));
            counts.extend(reasons.map(|(why, count)| (format!("left out: {why}"), count)));
        }
        let Some(verdict) = record["verdict"].as_str() else { continue };
        add(&mut counts, "findings".to_owned());
        add(&mut counts, verdict.to_owned());
        let fault = &record["syntax"]["rule"];
        let why = [fault, &record["warnings"][0]["rule"], &record["reach"]["class"]];
        if let ("warn" | "error", Some(why)) = (verdict, why.into_iter().find_map(Value::as_str)) {
            add(&mut counts, format!("{verdict}[{why}]"));
        }
    }
    counts
}

#[test]
fn it_says_what_the_records_of_the_run_say() {
    let home = directory("records");
    let links = "[a](a.txt) [b](missing.md) [c](a.md#gone) [d](a.md#gone) <http://h/%zz>\n\n\
                 [e](missing.md) <http://u:p@h/> <http://h/>\n";
    fs::write(home.join("a.md"), links).expect("a file");
    // More than are worked on as one.
    for number in 0..150 {
        fs::write(home.join(format!("{number}.md")), links).expect("a file");
    }
    let asked = ["check", "--offline", "--summary=stdout", "--format=text", "."];
    for more in [&[][..], &["--unique"], &["--threads=1"], &["--verdict=missing=warn"]] {
        let args = [&asked[..], more, &["--format=ndjson=.run"]].concat();
        let (printed, said) = run(&home, &args);
        assert_eq!(said, "");
        let mut found = numbers(&printed);
        for of_inputs in ["files", "distinct"] {
            assert!(found.remove(of_inputs).is_some(), "{printed}");
        }
        let found: BTreeMap<_, _> = found.into_iter().map(|(it, n)| (it.to_owned(), n)).collect();
        let saved = fs::read_to_string(home.join(".run")).expect("a report");
        assert_eq!(found, counted(&saved), "{printed}");
        assert!(found.keys().any(|name| name.ends_with("[missing]")), "{printed}");
        assert!(printed.ends_with("\ncomplete\n"), "{printed}");
    }
}

#[test]
fn it_knows_all_links_whatever_the_report_shows() {
    let home = directory("shown");
    let (printed, _) = run(&home, &["scan", "a.txt", "--summary=stdout", "--show=error"]);
    assert_eq!(printed.lines().take_while(|line| !line.is_empty()).count(), 3);
    assert!(printed.ends_with(&format!("{READ}{VERDICTS}complete\n")), "{printed}");
    let grouped = ["scan", "a.txt", "--summary=stdout", "--group-by=host"];
    assert!(run(&home, &grouped).0.ends_with(&format!("{VERDICTS}complete\n")));
    let (printed, said) = run(&home, &["scan", "a.txt", "none", "--summary=stdout", "-q"]);
    assert!(printed.ends_with("\nincomplete\n") && said.contains("none"), "{printed}{said}");
}

#[test]
fn nobody_has_to_read_it() {
    let home = directory("closed");
    let mut child = command(&home, &["scan", "a.txt", "--summary=stdout", "--format=text"]);
    child.arg("--format=csv=.report");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let Output { stderr, status, .. } = child.stdout(writer).output().expect("the binary runs");
    assert_eq!((String::from_utf8_lossy(&stderr).as_ref(), status.code()), ("", Some(1)));
    assert_eq!(fs::read_to_string(home.join(".report")).expect("a report").lines().count(), 6);
}

#[test]
fn it_counts_each_link_that_was_not_requested() {
    let home = directory("unasked");
    fs::write(home.join("a.md"), "<http://u:p@h.example/> <http://h.example/>\n").expect("a file");
    let (_, said) = run(&home, &["check", "--offline", "a.md"]);
    assert!(said.ends_with("1 warn, 1 skipped; left out: 2 not-asked\n"), "{said}");
}
