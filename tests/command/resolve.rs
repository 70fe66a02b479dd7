//! Drives `linktrawl resolve` as a process: what it prints, byte for byte, and its exit code.

use std::process::Output;

use crate::home::{fed, records, says};

const ALL_RULES: &str = "draft1993,rfc1630,rfc1808,rfc2396,rfc3986,rfc3986-compat,whatwg";

/// Runs `linktrawl resolve` on `args`, with `input` on standard input.
#[track_caller]
fn resolve(args: &[&[u8]], input: &[u8]) -> Output {
    fed("resolve", args, input)
}

#[track_caller]
fn case(args: &[&[u8]], input: &[u8], code: i32, stdout: &str) {
    says(&resolve(args, input), code, stdout, "");
}

const BASE: &[u8] = b"--base=http://a/b/c/d;p?q";

#[test]
fn each_reference_has_a_line() {
    case(&[BASE, b"../g"], b"", 0, "http://a/b/g\n");
    case(
        &[BASE, b"g", b"?y", b""],
        b"",
        0,
        "http://a/b/c/g\nhttp://a/b/c/d;p?y\nhttp://a/b/c/d;p?q\n",
    );
    case(&[BASE, b"../../../g"], b"", 0, "http://a/g\n");
}

#[test]
fn references_come_from_standard_input_where_a_dash_stands() {
    case(&[BASE], b"g\r\n/h\n", 0, "http://a/b/c/g\nhttp://a/h\n");
    // A byte order mark, with which programs on Windows begin a list.
    let marked = b"\xEF\xBB\xBFg\n\xEF\xBB\xBFh\n";
    case(&[BASE], marked, 0, "http://a/b/c/g\nhttp://a/b/c/\\u{feff}h\n");
    let wanted = "http://a/1\nhttp://a/2\nhttp://a/3\n";
    case(&[BASE, b"/1", b"-", b"/3"], b"/2\n", 0, wanted);
}

#[test]
fn several_documents_have_a_line_each_once() {
    let wanted = "rfc1630  magic://a/b/c//d/g\nrfc3986  magic://a/g\n";
    let base = b"--base=magic://a/b/c//d/e/f";
    case(&[base, b"--rules=rfc1630,rfc3986,rfc1630", b"/g"], b"", 0, wanted);
    let wanted = "rfc1808         http:g\nrfc3986-compat  http://a/b/c/g\n";
    case(&[BASE, b"--rules", b"rfc1808,rfc3986-compat", b"http:g"], b"", 0, wanted);
}

#[test]
fn what_cannot_be_resolved_is_said_and_the_rest_goes_on() {
    let wanted = "error: <///g>: undefined: the base has no run of exactly 3 slashes without a \
                  longer one after it (RFC 1630, Partial form)\nhttp://a/g\n";
    case(&[BASE, b"--rules=rfc1630", b"///g", b"/g"], b"", 1, wanted);
}

#[test]
fn a_partial_form_without_a_base_needs_one() {
    let wanted = "error: <//host/x>: a partial form needs a base, and none is given: --base URI\n\
                  x://h/\n";
    case(&[b"//host/x", b"x://h/"], b"", 1, wanted);
}

#[test]
fn an_assumed_scheme_is_for_two_slashes_without_a_base() {
    case(&[b"--assume-scheme", b"https", b"//host/x"], b"", 0, "https://host/x\n");
    let wanted = "error: </x>: a partial form needs a base, and none is given: --base URI\n";
    case(&[b"--assume-scheme=https", b"/x"], b"", 1, wanted);
    // A base has a scheme of its own.
    case(&[b"--assume-scheme=https", BASE, b"//h"], b"", 0, "http://h\n");
    let output = resolve(&[b"--assume-scheme=ht/tp", b"//h"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("expected a letter"));
}

#[test]
fn a_base_without_a_scheme_ends_the_work() {
    for base in [&b"--base=host/x"[..], b"--base=//host/x", b"--base="] {
        let output = resolve(&[base, b"g"], b"");
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(words.contains("begins with a scheme"), "{words}");
    }
}

#[test]
fn a_record_has_the_uri_or_the_message() {
    let resolved = concat!(
        r#"{"type":"resolve","base":"http://a/b","ref":"g","rules":"rfc3986","ok":true,"#,
        r#""uri":"http://a/g"}"#,
        "\n"
    );
    case(&[b"--base=http://a/b", b"--format=ndjson", b"g"], b"", 0, resolved);
    let unresolved = concat!(
        r#"{"type":"resolve","base":null,"ref":"g","rules":"rfc3986","ok":false,"#,
        r#""message":"a partial form needs a base, and none is given"}"#,
        "\n"
    );
    case(&[b"--format=ndjson", b"g"], b"", 1, unresolved);
}

#[test]
fn bytes_that_are_no_text_lose_nothing() {
    let output = resolve(&[b"--base=http://a/\xFE", b"--format=ndjson", b"\xFF"], b"");
    let record = records(&output).pop().expect("a record");
    assert_eq!(record["base_bytes"], "aHR0cDovL2Ev/g==");
    assert_eq!(record["ref_bytes"], "/w==");
    assert_eq!(record["uri_bytes"], "aHR0cDovL2Ev/w==");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn hostile_bytes_reach_no_screen() {
    for rules in ["rfc3986", "rfc1630"] {
        let rules = format!("--rules={rules}");
        let output = resolve(&[BASE, rules.as_bytes(), b"///\x1b[2J\xc2\x9b\n"], b"");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains("[2J") && !text.contains(['\u{1b}', '\u{9b}']), "{text:?}");
    }
    let output = resolve(&[b"--base=\x1b[2J", b"g"], b"");
    assert!(!output.stderr.contains(&0x1b));
}

#[test]
fn unknown_rules_are_a_bad_option_and_known_ones_are_named() {
    let output = resolve(&[BASE, b"--rules=rfc0", b"g"], b"");
    assert_eq!(output.status.code(), Some(2));
    let words = String::from_utf8_lossy(&output.stderr);
    ALL_RULES.split(',').for_each(|name| assert!(words.contains(name), "{words}"));
}

/// A sample of the table that the library is held to.
#[test]
fn the_command_prints_what_the_table_says() {
    let table = include_str!("../../corpus/grammar/resolve.tsv");
    let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1).step_by(7);
    for row in rows {
        let fields: Vec<_> = row.split('\t').collect();
        let [base, reference, wanted @ ..] = fields.as_slice() else { panic!("{row}") };
        let options = [format!("--base={base}"), format!("--rules={ALL_RULES}")];
        let [base, rules] = options.each_ref().map(String::as_bytes);
        let output = resolve(&[base, rules, b"--format=ndjson", b"--", reference.as_bytes()], b"");
        let found = records(&output).into_iter().map(|record| match record["uri"].as_str() {
            Some(uri) => uri.to_owned(),
            None if record["message"].to_string().contains("undefined") => "UNDEFINED".to_owned(),
            None => "ERR".to_owned(),
        });
        assert_eq!(found.collect::<Vec<_>>(), wanted, "{row}");
        let is_whole = !wanted.iter().any(|field| ["UNDEFINED", "ERR"].contains(field));
        assert_eq!(output.status.code(), Some(i32::from(!is_whole)), "{row}");
    }
}
