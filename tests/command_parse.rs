//! Drives `linktrawl parse` as a process: what it prints, byte for byte, and its exit code.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::ffi::OsStr;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::process::{Command, Output, Stdio};

/// Runs `linktrawl parse` on `args`, with `input` on standard input.
#[track_caller]
fn parse(args: &[&[u8]], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_linktrawl"))
        .arg("parse")
        .args(args.iter().map(|arg| OsStr::from_bytes(arg)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // Inputs here fit into the pipe, so that writing never waits for the child.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("the binary ends")
}

#[track_caller]
fn case(args: &[&[u8]], input: &[u8], code: i32, stdout: &str) {
    let output = parse(args, input);
    assert_eq!(String::from_utf8(output.stdout).expect("UTF-8"), stdout);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(code));
}

#[test]
fn a_valid_uri_is_printed_with_its_components() {
    let wanted = "http://u:***@www.w3.org:80/Addressing/?a=b#c\n  \
        scheme    http\n  userinfo  u:***\n  host      www.w3.org\n  port      80\n  \
        path      /Addressing/\n  query     a=b\n  fragment  c\n";
    let uri = b"http://u:p@www.w3.org:80/Addressing/?a=b#c";
    case(&[b"--grammar", b"rfc3986", uri], b"", 0, wanted);
}

#[test]
fn an_empty_component_is_a_name_alone_and_an_absent_one_is_not_printed() {
    let wanted = "http://h?\n  scheme    http\n  host      h\n  path\n  query\n";
    case(&[b"--grammar", b"rfc3986-uri", b"http://h?"], b"", 0, wanted);
}

#[test]
fn a_fault_is_marked_under_its_byte_with_rule_and_section() {
    let output = parse(&[b"--grammar", b"rfc3986-uri", b"http://h/%zz"], b"");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    // Which other grammars take it may follow.
    let first: Vec<_> = text.lines().take(3).collect();
    let wanted = [
        "http://h/%zz",
        "          ^ pct-encoded: behind a percent sign stand two hexadecimal digits \
         (RFC 3986 §2.1)",
        "            expected a hex digit",
    ];
    assert_eq!(first, wanted);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_record_has_every_component_or_the_fault() {
    let valid = concat!(
        r#"{"type":"parse","input":"http://u:@h/?","grammar":"rfc3986-uri","ok":true,"#,
        r#""components":{"scheme":"http","user":"u","password":"","host":"h","port":null,"#,
        r#""path":"/","query":"","fragment":null,"userinfo":"u:"},"repairs":[]}"#,
        "\n"
    );
    let faulty = concat!(
        r#"{"type":"parse","input":"http://h/%zz","grammar":"rfc3986-uri","ok":false,"at":10,"#,
        r#""rule":"pct-encoded","expected":"a hex digit","spec":"RFC 3986 §2.1","#,
        r#""message":"behind a percent sign stand two hexadecimal digits","#,
        r#""hint":"a percent sign itself is written %25"}"#,
        "\n"
    );
    let options: [&[u8]; 3] = [b"--format=ndjson", b"--grammar", b"rfc3986-uri"];
    case(&options, b"http://u:@h/?\n", 0, valid);
    case(&options, b"http://u:@h/?\r\nhttp://h/%zz", 1, &format!("{valid}{faulty}"));
}

#[test]
fn each_grammar_asked_for_has_a_record_once() {
    let options: [&[u8]; 3] = [b"--format=ndjson", b"--grammar=current,rfc3986,current", b"x:y"];
    let text = String::from_utf8(parse(&options, b"").stdout).expect("UTF-8");
    let records = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let names: Vec<_> =
        records.map(|record: serde_json::Value| record["grammar"].clone()).collect();
    assert_eq!(names, ["current", "rfc3986-uri"]);
}

#[test]
fn a_dash_reads_lines_where_it_stands() {
    let one = |uri: &str| format!("{uri}\n  scheme    x\n  path      {}\n", &uri[2..]);
    let wanted = ["x:a", "x:b", "x:c", "x:d"].map(one).concat();
    case(&[b"--grammar=rfc3986", b"x:a", b"-", b"x:d"], b"x:b\nx:c\n", 0, &wanted);
}

#[test]
fn hostile_bytes_reach_neither_screen_nor_record_raw() {
    let uri = b"http://h/\x1b[2J\xff\xc2\x9b\n";
    for format in [&b"--format=text"[..], b"--format=ndjson"] {
        let output = parse(&[format, uri], b"");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(!text.contains(['\u{1b}', '\u{9b}']), "{text:?}");
        assert_eq!(output.status.code(), Some(1));
    }
    let output = parse(&[b"--format=ndjson", uri], b"");
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(record["input_bytes"], "aHR0cDovL2gvG1sySv/Cmwo=");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_linktrawl"))
        .arg("parse")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // Gone before the first line is written. Another test's child may hold the pipe a moment
    // longer, so that more is written than a pipe can hold.
    drop(child.stdout.take());
    let lines = b"http://h/%zz\n".repeat(20_000);
    let _ = child.stdin.take().expect("a pipe").write_all(&lines);
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn an_unknown_grammar_is_a_bad_option() {
    let output = parse(&[b"--grammar=rfc0", b"x:y"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("current"));
}
