//! Which files a report takes the place of: new ones, empty ones and reports of our own.

use std::fs;
use std::os::unix::fs::symlink;

use linktrawl::internal::report::REPORTS;

use super::names;
use crate::home::{read, repository, run, stderr};

const THESIS: &str = "PK\u{3}\u{4} all of my work\n";
const BOX: &str = "From a@h.example Thu Jan  1 00:00:00 1970\nSubject: x\n\nhttp://h.example/\n";
const PAGE: &str = "# Title\n\n[a](http://h.example/%zz) http://h.example/\n";

/// The run is refused, says why, and leaves the file.
#[track_caller]
fn refused(files: &[(&str, &str)], args: &[&str], left: (&str, &str), said: &[&str]) {
    let home = repository(files);
    let output = run(home.path(), args);
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    for part in said {
        assert!(told.contains(part), "{part}: {told}");
    }
    let (path, text) = left;
    assert_eq!(read(home.path(), path), text, "{told}");
}

#[test]
fn a_file_of_options_that_was_found_replaces_no_file_of_the_user() {
    let toml = ("linktrawl.toml", "format = ['text=thesis.docx']\nquiet = true");
    let files = [toml, ("thesis.docx", THESIS), ("a.md", PAGE)];
    let left = ("thesis.docx", THESIS);
    refused(
        &files,
        &["scan", "."],
        left,
        &["thesis.docx", "PK", "was found, not named with --config", "--force"],
    );
    // `--force` applies to the files that the user named.
    refused(&files, &["scan", "--force", "a.md"], left, &["thesis.docx"]);
    refused(&files, &["scan", "--config=linktrawl.toml", "a.md"], left, &["--force replaces it"]);
    let toml = ("linktrawl.toml", "format = ['text=box/m.mbox']\nquiet = true");
    refused(&[toml, ("box/m.mbox", BOX)], &["scan", "box"], ("box/m.mbox", BOX), &["m.mbox"]);
    refused(&[toml, ("box/m.mbox", BOX)], &["check", "--offline", "."], ("box/m.mbox", BOX), &[]);
    let home = repository(&files);
    let output = run(home.path(), &["scan", "--force", "--config=linktrawl.toml", "a.md"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(read(home.path(), "thesis.docx").starts_with("a.md:3:"));
}

#[test]
fn a_file_of_options_that_was_found_names_no_link_and_no_repository() {
    for target in [".GIT/x", ".git /x", "git~1/x", ".g\u{200c}it/x", ".git::$INDEX_ALLOCATION/x"] {
        let toml = format!("format = ['text={target}']");
        let files = [("linktrawl.toml", toml.as_str()), ("a.md", PAGE)];
        refused(&files, &["scan", "a.md"], ("a.md", PAGE), &["expected a path in the directory"]);
    }
    let outside = repository(&[("kept", "")]);
    let home = repository(&[("in/linktrawl.toml", "format = ['text=out']"), ("in/a.md", PAGE)]);
    symlink(outside.path().join("kept"), home.path().join("in/out")).expect("a link");
    let output = run(home.path(), &["scan", "in/a.md"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(read(outside.path(), "kept"), "");
}

#[test]
fn what_is_typed_replaces_other_files_only_when_forced() {
    let files = [("docs/a.md", PAGE), ("docs/b.md", PAGE), ("notes.txt", "mine\n")];
    let said = ["notes.txt", "mine", "--force"];
    for command in ["scan", "check"] {
        let args = [command, "--format=text=notes.txt", "docs"];
        refused(&files, &args, ("notes.txt", "mine\n"), &said);
        let args = [command, "--format", "text=docs/a.md", "docs"];
        refused(&files, &args, ("docs/a.md", PAGE), &["docs/a.md", "# Title", "--force"]);
    }
    let home = repository(&files);
    let saved = run(home.path(), &["scan", "-q", "docs", "--format=ndjson=run.ndjson"]);
    assert_eq!(saved.status.code(), Some(1), "{}", stderr(&saved));
    let report = ["report", "run.ndjson", "--format=text=notes.txt"];
    let output = run(home.path(), &report);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(read(home.path(), "notes.txt"), "mine\n");
    run(home.path(), &[&report[..], &["--force"]].concat());
    assert!(read(home.path(), "notes.txt").starts_with("docs/a.md:3:"));
    let forced = ["scan", "--force", "--format=text=docs/a.md", "docs"];
    assert_eq!(run(home.path(), &forced).status.code(), Some(1));
    assert!(read(home.path(), "docs/a.md").starts_with("docs/b.md:3:"));
}

#[test]
fn every_report_is_known_by_its_beginning() {
    let documents = [
        ("bad.md", PAGE),
        ("good.md", "http://h.example/\n"),
        ("none.md", "\n"),
        ("warn.md", "<http://u:p@h.example/>\n"),
        ("note.txt.gz", "\u{1f}"),
    ];
    for format in REPORTS.iter().map(|report| report.name()) {
        for (document, _) in documents {
            let home = repository(&documents);
            let target = format!("--format={format}=out");
            let scan = ["scan", document, &target];
            let first = run(home.path(), &scan);
            assert!(matches!(first.status.code(), Some(0..=2)), "{}", stderr(&first));
            assert!(home.path().join("out").exists(), "{format} {}", stderr(&first));
            let again = run(home.path(), &scan);
            assert_eq!(again.status, first.status, "{format} {document}: {}", stderr(&again));
            // By a configuration file that was found, and in another format.
            let toml = "format = ['csv=out']\nquiet = true";
            fs::write(home.path().join("linktrawl.toml"), toml).expect("a file");
            let found = run(home.path(), &["scan", document]);
            assert_eq!(found.status, first.status, "{format} {document}: {}", stderr(&found));
            assert!(read(home.path(), "out").starts_with("type,verdict,"));
        }
    }
    for format in ["text", "markdown"] {
        for group in ["uri", "host", "file", "class"] {
            let home = repository(&documents);
            let target = format!("--format={format}=out");
            let args = ["scan", "-q", ".", &target, "--group-by", group, "--color=always"];
            let first = run(home.path(), &args);
            let again = run(home.path(), &args);
            assert_eq!(again.status, first.status, "{format} {group}: {}", stderr(&again));
        }
    }
    let home = repository(&documents);
    let args = ["scan", "-q", "bad.md", "--color=always", "--hyperlinks=always", "--format=text=o"];
    assert_eq!(
        [run(home.path(), &args), run(home.path(), &args)].map(|o| o.status.code()),
        [Some(1); 2]
    );
    assert_eq!(names(home.path()).len(), documents.len() + 1);
}

#[test]
fn baselines_and_states_are_no_reports_and_reports_are_none_of_them() {
    let home = repository(&[("a.md", PAGE)]);
    let left = |args: &[&str], file: &str| {
        let before = read(home.path(), file);
        let output = run(home.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?} {}", stderr(&output));
        assert_eq!(read(home.path(), file), before, "{args:?}");
    };
    run(home.path(), &["scan", "-q", "a.md", "--baseline=known", "--update-baseline"]);
    assert!(read(home.path(), "known").starts_with("# linktrawl baseline"));
    run(home.path(), &["check", "-q", "a.md", "--state=s.db", "--include=^$"]);
    assert!(read(home.path(), "s.db").starts_with("SQLite format 3"));
    left(&["scan", "a.md", "--format=text=known"], "known");
    left(&["scan", "a.md", "--format=text=s.db"], "s.db");
    left(&["scan", "a.md", "--format=sqlite=s.db"], "s.db");
    run(home.path(), &["scan", "-q", "a.md", "--format=text=out", "--format=sqlite=out.db"]);
    left(&["scan", "a.md", "--baseline=out", "--update-baseline"], "out");
    left(&["check", "a.md", "--state=out", "--include=^$"], "out");
    left(&["check", "a.md", "--state=out.db", "--include=^$"], "out.db");
}

#[test]
fn streams_and_empty_files_are_written_to() {
    let home = repository(&[("a.md", PAGE), ("empty", "")]);
    for target in ["/dev/null", "empty", "/dev/stdout", "new"] {
        let output = run(home.path(), &["scan", "-q", "a.md", &format!("--format=text={target}")]);
        assert_eq!(output.status.code(), Some(1), "{target}: {}", stderr(&output));
    }
    assert!(read(home.path(), "empty").starts_with("a.md:3:"));
    assert_eq!(names(home.path()), ["a.md", "empty", "new"]);
}

#[test]
fn a_link_that_leads_to_no_file_is_called_so() {
    let home = repository(&[("a.md", PAGE)]);
    symlink("none.csv", home.path().join("l.csv")).expect("a link");
    let output = run(home.path(), &["scan", "a.md", "--format=csv=l.csv"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    let expected = "found a symbolic link to a file that does not exist: --force replaces it";
    assert!(said.contains(expected), "{said}");
    assert!(home.path().join("l.csv").is_symlink());
}
