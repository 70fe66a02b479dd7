//! Tests how signals end a run: one in the middle, and a second one.

use std::collections::HashSet;
use std::io::Write as _;
use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::resume::wait_for_commit;
use crate::support::servers::site::{Gate, Reply, Request, Site};
use crate::{command, directory, document, send, stderr, stdout};

/// Stops a run while the second of three links waits for its answer.
fn stops(signal: &str, code: i32) {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/b" => Reply::Silence,
        _ => Reply::code(200),
    });
    let uris = ["/a", "/b", "/c"].map(|path| site.uri(1, path));
    let home = directory(&[("a.md", &document(&uris))]);
    let requests = site.watch();
    let args = ["--host-concurrency=1", "--timeout=1h", "--format=ndjson", "a.md"];
    let child = command(home.path(), &args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // One at a time: the first has its answer when the second is asked for.
    assert!(requests.iter().any(|target| target == "/b"));
    send(signal, &child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    assert_eq!(told(&output), ("alive not-asked not-asked".to_owned(), false));
    assert_eq!(site.lines(), ["HEAD /a", "HEAD /b"]);
}

/// The classes of a report, and whether it says that it is complete.
#[track_caller]
fn told(output: &Output) -> (String, bool) {
    let report = stdout(output);
    let records: Vec<Value> =
        report.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let classes: Vec<_> =
        records.iter().filter_map(|record| record["reach"]["class"].as_str()).collect();
    let summary = records.last().expect("a summary");
    assert_eq!(summary["type"], "summary");
    (classes.join(" "), summary["complete"] == true)
}

#[test]
fn sigint_ends_a_run_with_a_report() {
    stops("INT", 130);
}

#[test]
fn sigterm_ends_a_run_with_a_report() {
    stops("TERM", 143);
}

#[test]
fn answers_that_come_after_the_signal_count() {
    let ((first, opens_first), (second, opens_second)) = (Gate::new(), Gate::new());
    let site = Site::start(move |request: &Request| {
        Reply::Held(Arc::clone(if request.target == "/first" { &first } else { &second }))
    });
    let home = directory(&[("a.md", &document(&[site.uri(1, "/first"), site.uri(2, "/second")]))]);
    let requests = site.watch();
    let args = ["--timeout=1h", "--state=s.db", "--format=ndjson", "a.md"];
    let child = command(home.path(), &args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    assert_eq!(requests.iter().take(2).count(), 2);
    send("TERM", &child);
    drop(opens_first);
    // The run has seen the signal by then, and goes on to wait.
    wait_for_commit(&home.path().join("s.db-wal"), b"/first");
    drop(opens_second);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(told(&output).0, "alive alive", "{}", stderr(&output));
}

#[test]
fn a_link_that_waits_for_another_try_is_told_as_it_was_found() {
    let asked = Mutex::new(HashSet::new());
    let site = Site::start(move |request: &Request| {
        let line = format!("{} {}", request.method, request.target);
        let is_first = asked.lock().expect("no panic").insert(line);
        match request.target.as_str() {
            "/a" if is_first => Reply::code(503),
            "/b" if is_first => Reply::Silence,
            _ => Reply::code(200),
        }
    });
    let home = directory(&[("a.md", &document(&["/a", "/b"].map(|path| site.uri(1, path))))]);
    let requests = site.watch();
    let args = ["--host-concurrency=1", "--timeout=1h", "--retries=1", "--state=state"];
    let args = [&args[..], &["--format=ndjson", "a.md"]].concat();
    let child = command(home.path(), &args).stdout(Stdio::piped()).spawn().expect("it runs");
    // The first has failed when the second is asked for.
    assert!(requests.iter().any(|target| target == "/b"));
    send("INT", &child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(told(&output), ("server-error not-asked".to_owned(), false));
    // Nothing of that is kept as an answer.
    let output = command(home.path(), &args).output().expect("it runs");
    assert_eq!(told(&output), ("alive alive".to_owned(), true));
    assert_eq!(site.lines(), ["HEAD /a", "GET /a", "HEAD /b", "HEAD /a", "HEAD /b"]);
}

#[test]
fn what_is_known_of_a_link_is_told_when_its_next_place_was_not_asked() {
    let site = Site::start(|request: &Request| match request.target.as_str() {
        "/a" => Reply::to(301, "/b"),
        "/c_" => Reply::code(404),
        _ => Reply::Silence,
    });
    let uris = [site.uri(1, "/a"), site.uri(2, "/c_")];
    let home = directory(&[("a.md", &document(&uris))]);
    let requests = site.watch();
    let args = ["--timeout=1h", "--state=state", "a.md"];
    let child = command(home.path(), &args).stdout(Stdio::piped()).spawn().expect("it runs");
    // Of the second link, the form without its last character is asked.
    let mut waiting = HashSet::from(["/b".to_owned(), "/c".to_owned()]);
    while !waiting.is_empty() {
        waiting.remove(&requests.recv().expect("it asks"));
    }
    send("INT", &child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let [sent_on, missing] = uris;
    let place = site.uri(1, "/b");
    let expected = format!(
        "a.md:1:4: skipped[not-asked]: {sent_on} -> {place}: the run was stopped before its \
         target was requested\n\
         a.md:2:4: error[missing]: {missing}: 404 Not Found\n"
    );
    assert_eq!(stdout(&output), expected);
}

#[test]
fn a_signal_ends_a_run_that_waits_for_its_input() {
    let home = directory(&[("a.md", "[b](nothing.md)\n")]);
    let mut child = command(home.path(), &["--format=ndjson", "-", "a.md"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"<http://127.0.7.1:1/>\n").expect("it reads");
    // More than a pipe holds: who has taken it listens to signals, and waits for the end.
    input.write_all(&vec![b'\n'; 1 << 20]).expect("it reads");
    send("INT", &child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    // The link that was found is reported, and so are the inputs after it.
    assert_eq!(told(&output), ("not-asked missing".to_owned(), false));
    assert!(stderr(&output).contains("the run was stopped"), "{}", stderr(&output));
    // Its end never came.
    drop(input);
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let home = directory(&[]);
    let mut child = command(home.path(), &["-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut input = child.stdin.take().expect("a pipe");
    // More than a pipe holds: who has taken it listens to signals, and waits for the end.
    input.write_all(&vec![b'\n'; 1 << 20]).expect("it reads");
    send("INT", &child);
    send("TERM", &child);
    let output = child.wait_with_output().expect("it ends");
    // Either may come first.
    assert!(matches!(output.status.code(), Some(130 | 143)), "{:?}", output.status);
    assert_eq!(stdout(&output), "");
    drop(input);
}
