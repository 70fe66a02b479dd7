//! Nothing is left of a run that was killed, and what runs of other systems leave is removed.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use super::names;
use crate::home::{command, repository, run, stderr};

#[test]
fn a_killed_run_leaves_no_file() {
    let home = repository(&[("a.txt", "http://h.example/\n")]);
    let args = ["scan", "a.txt", "-", "--format=ndjson=out", "--format=text=/dev/stderr"];
    let mut child = command(home.path(), &args)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A megabyte is more than is kept back, so that the report is begun.
    let sent = stdin.write_all("http://h.example/\n".repeat(60_000).as_bytes());
    assert!(sent.is_ok(), "{sent:?}");
    let mut line = String::new();
    let mut report = BufReader::new(child.stderr.take().expect("a pipe"));
    report.read_line(&mut line).expect("the report was begun");
    assert_eq!(line, "a.txt:1:1: ok http://h.example/\n");
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    assert_eq!(names(home.path()), ["a.txt"]);
}

#[test]
fn what_killed_runs_left_is_removed_and_nothing_else_is() {
    let report = "a.txt:1:1: ok http://h.example/\n";
    let left = [(".out.1.part", report), (".out.23.4.part", report), (".out.7.part", "")];
    let kept = [
        (".other.1.part", report),
        (".out.1.2.3.part", report),
        (".out.9.part", "mine\n"),
        (".out.x.part", report),
        (".out.part", report),
        ("a.txt", "http://h.example/\n"),
        ("out.1.part", report),
    ];
    let home = repository(&[&left[..], &kept].concat());
    let locked = home.path().join(".out.5.part");
    fs::write(&locked, report).expect("a file");
    let held = fs::File::open(&locked).expect("a file");
    held.lock().expect("a lock");
    let output = run(home.path(), &["scan", "-q", "a.txt", "--format=text=out"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let mut wanted: Vec<_> = kept.iter().map(|(name, _)| (*name).to_owned()).collect();
    wanted.extend([".out.5.part".to_owned(), "out".to_owned()]);
    wanted.sort();
    assert_eq!(names(home.path()), wanted);
    drop(held);
}
