//! Tests how a run ends when no one reads its output, or nothing can be written.

use std::fs;
use std::io::Read as _;
use std::process::{Command, Output, Stdio};

use crate::home::{command, read, repository, run, stderr};

const GOOD: &str = "see http://h.example/ there\n";
const BAD: &str = "see http://h.example/%zz there\n";

/// Runs a script with the binary as `$0` where `a.txt` and `b.txt` are.
fn shell(script: &str) -> Output {
    let home = repository(&[("a.txt", BAD), ("b.txt", GOOD)]);
    let mut command = Command::new("sh");
    command.current_dir(home.path()).args(["-c", script, env!("CARGO_BIN_EXE_linktrawl")]);
    command.stdin(Stdio::null()).output().expect("a shell")
}

#[track_caller]
fn ends(script: &str, code: i32, said: &str) {
    let output = shell(script);
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{script}: {told}");
    assert!(told.contains(said), "{script}: {told}");
}

/// The exit code of a run over many of `line` whose reader takes `len` bytes and goes away.
fn of_reader(line: &str, args: &[&str], len: u64) -> (Option<i32>, String) {
    let home = repository(&[("many.txt", &line.repeat(4_000)), ("a.txt", BAD)]);
    run(home.path(), &["scan", "-q", "many.txt", "a.txt", "--format=ndjson=run.ndjson"]);
    let mut child = command(home.path(), args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let stdout = child.stdout.take().expect("a pipe");
    stdout.take(len).read_to_end(&mut Vec::new()).expect("a line");
    let output = child.wait_with_output().expect("the binary ends");
    (output.status.code(), stderr(&output))
}

#[test]
fn a_reader_that_goes_away_is_no_failure_and_what_was_found_counts() {
    for format in ["text", "ndjson"] {
        let format = format!("--format={format}");
        let scan = ["scan", &format, "many.txt"];
        assert_eq!(of_reader(BAD, &scan, 10), (Some(1), String::new()), "{format}");
        assert_eq!(of_reader(GOOD, &scan, 10), (Some(0), String::new()), "{format}");
        let forgiving = ["scan", &format, "many.txt", "--exit-zero"];
        assert_eq!(of_reader(BAD, &forgiving, 10).0, Some(0), "{format}");
        let check = ["check", "--offline", &format, "many.txt"];
        assert_eq!(of_reader(BAD, &check, 10).0, Some(1), "{format}");
        // A saved run is known to its end.
        let report = ["report", &format, "run.ndjson"];
        assert_eq!(of_reader(GOOD, &report, 10), (Some(1), String::new()), "{format}");
    }
}

#[test]
fn a_closed_standard_output_is_a_failure() {
    let closed = "cannot write stdout: it is closed";
    for arguments in ["scan b.txt", "check --offline b.txt", "parse http://h/", "grammar list"] {
        ends(&format!("\"$0\" {arguments} >&-"), 2, closed);
    }
    ends("\"$0\" scan b.txt --format=csv=out --format=text >&-", 2, closed);
    ends("\"$0\" explain empty >&-", 2, closed);
    ends("\"$0\" --help >&-", 2, closed);
    // Nothing is to be written there.
    ends("\"$0\" scan b.txt --format=csv=out >&-", 0, "");
    ends("\"$0\" scan b.txt >/dev/null", 0, "");
    ends("\"$0\" scan b.txt 1<>/dev/null", 0, "");
    ends("\"$0\" scan b.txt 2>&-", 0, "");
}

#[test]
fn a_closed_standard_input_is_a_failure() {
    let closed = "cannot read standard input: it is closed";
    ends("\"$0\" scan - <&-", 2, closed);
    ends("\"$0\" check --offline b.txt - <&-", 2, closed);
    ends("\"$0\" scan --files-from - <&-", 2, closed);
    ends("\"$0\" parse - <&-", 2, closed);
    ends("\"$0\" report - <&-", 2, closed);
    ends("\"$0\" scan b.txt <&-", 0, "");
    ends("\"$0\" scan - 0<>/dev/null", 0, "");
}

#[test]
fn a_full_disk_is_a_failure() {
    let full = "linktrawl: error: cannot write stdout: No space left on device";
    for arguments in [
        "scan b.txt",
        "scan b.txt --format=json",
        "scan b.txt --format=html",
        "check --offline b.txt",
        "scan b.txt --summary=stdout",
        "parse http://h/",
        "explain empty",
        "grammar list",
        "config show",
        "plan b.txt",
        "help mail",
        "--help",
        "scan -h",
        "--version",
        "--generate man",
    ] {
        ends(&format!("\"$0\" {arguments} >/dev/full"), 2, full);
    }
    let full = "linktrawl: error: cannot write \"/dev/full\": No space left on device";
    ends("\"$0\" scan b.txt --format=text=/dev/full", 2, full);
}

/// Files of these processes may have no more than some kilobytes.
#[test]
fn a_disk_that_is_full_in_the_middle_of_a_check_leaves_what_was_there() {
    let small = "ulimit -f 8 && trap '' XFSZ &&";
    let many = "seq 60000 | sed 's,^,http://h.example/%zz,'";
    // Findings that wait for answers, of which the first ones are kept in memory.
    let kept = "cannot keep the findings in a temporary file";
    ends(&format!("{many} | ({small} exec \"$0\" check -q -)"), 2, kept);
    let home = repository(&[("a.txt", &"http://h.example/%zz\n".repeat(3_000))]);
    let old = "a.txt:1:1: ok http://old/\n";
    fs::write(home.path().join("out"), old).expect("a file");
    let script = format!("{small} exec \"$0\" check -q --offline a.txt --format=text=out");
    let mut limited = Command::new("sh");
    limited.current_dir(home.path()).args(["-c", &script, env!("CARGO_BIN_EXE_linktrawl")]);
    let output = limited.output().expect("a shell");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(read(home.path(), "out"), old);
    assert_eq!(super::names(home.path()), ["a.txt", "out"]);
}
