//! Drives `linktrawl compare` as a process: what it prints, byte for byte, and its exit code.

use std::process::Output;

use crate::home::{fed, says};

#[track_caller]
fn run(args: &[&[u8]]) -> Output {
    fed("compare", args, b"")
}

#[track_caller]
fn case(args: &[&str], code: i32, stdout: &str) {
    let args: Vec<_> = args.iter().map(|arg| arg.as_bytes()).collect();
    says(&run(&args), code, stdout, "");
}

#[test]
fn equal_is_a_word_and_exit_code_0() {
    case(&["HTTP://H:80", "http://h/"], 0, "equal\n");
    case(&["--rules=rfc8141", "URN:Example:a%2c?+r", "urn:example:a%2C#f"], 0, "equal\n");
    case(&["--rules=whatwg", "http://127.1", "http://127.0.0.1/"], 0, "equal\n");
}

#[test]
fn different_shows_the_normal_forms_and_is_exit_code_1() {
    case(&["HTTP://H:81", "http://h/%7e"], 1, "different\n  http://h:81/\n  http://h/~\n");
}

#[test]
fn no_say_is_exit_code_2_with_its_reason() {
    let wanted = "inapplicable\n  the second URI: rfc3986-uri does not accept it: pct-encoded: \
        expected a hex digit at byte 10 (RFC 3986 §2.1)\n";
    case(&["http://h/", "http://h/%zz"], 2, wanted);
    let wanted = "inapplicable\n  the first URI: the URL Standard does not accept it: relative URL \
        without a base\n";
    case(&["--rules=whatwg", "h", "http://h/"], 2, wanted);
}

#[test]
fn two_are_compared_and_no_other_number() {
    for uris in [&[b"x:a".as_slice()][..], &[b"x:a", b"x:b", b"x:c"]] {
        let output = run(uris);
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr);
        let wanted = format!("expected two URIs, found {}\n", uris.len());
        assert!(said.ends_with(&wanted), "{said}");
    }
}

#[test]
fn each_rule_set_has_its_line_and_the_worst_decides() {
    let pair = ["http://h:80/%2d", "http://h/-"];
    let case =
        |rules: &str, code, stdout| case(&["--rules", rules, pair[0], pair[1]], code, stdout);
    let both = "rfc3986-scheme: equal\nrfc3986-syntax: different\n  http://h:80/-\n  http://h/-\n";
    case("rfc3986-scheme,rfc3986-syntax", 1, both);
    let output = run(&[b"--rules=rfc8141,rfc3986-syntax", pair[0].as_bytes(), pair[1].as_bytes()]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_record_says_true_false_or_null() {
    let record = |args: [&str; 3], code: i32| {
        let args = ["--format=ndjson", args[0], args[1], args[2]].map(str::as_bytes);
        let output = run(&args);
        assert_eq!(output.status.code(), Some(code));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert_eq!(
        record(["--rules=rfc3986-scheme", "http://h", "http://h/"], 0),
        concat!(
            r#"{"type":"compare","a":"http://h","b":"http://h/","rules":"rfc3986-scheme","#,
            r#""equal":true}"#,
            "\n"
        )
    );
    assert_eq!(
        record(["--rules=rfc3986-syntax", "http://h", "http://h/"], 1),
        concat!(
            r#"{"type":"compare","a":"http://h","b":"http://h/","rules":"rfc3986-syntax","#,
            r#""equal":false}"#,
            "\n"
        )
    );
    assert_eq!(
        record(["--rules=whatwg", "http://h", "x"], 2),
        concat!(
            r#"{"type":"compare","a":"http://h","b":"x","rules":"whatwg","equal":null,"#,
            r#""message":"the second URI: the URL Standard does not accept it: relative URL "#,
            r#"without a base"}"#,
            "\n"
        )
    );
}

#[test]
fn no_password_is_printed() {
    let pair = ["ftp://u:hunter2@h/", "ftp://u:swordfish@h/"];
    let wanted = "different\n  ftp://u:***@h/\n  ftp://u:***@h/\n  \
        (they differ in the password, which is not printed)\n";
    case(&pair, 1, wanted);
    for rules in ["rfc1630", "rfc1738", "rfc3986-scheme", "rfc3987", "rfc8141", "whatwg"] {
        for format in ["--format=text", "--format=ndjson"] {
            let args = [format, "--rules", rules, pair[0], pair[1]].map(str::as_bytes);
            let Output { stdout, stderr, .. } = run(&args);
            let text = String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned();
            assert!(!text.contains("hunter2") && !text.contains("swordfish"), "{text}");
        }
    }
}

#[test]
fn hostile_bytes_reach_neither_screen_nor_record_raw() {
    for format in [&b"--format=text"[..], b"--format=ndjson"] {
        let output = run(&[format, b"--rules=whatwg", b"x:\x1b[2J", b"x:\xff\xc2\x9b"]);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(!text.contains(['\u{1b}', '\u{9b}']), "{text:?}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn what_is_no_pair_or_no_rule_set_is_a_bad_option() {
    for args in [&[&b"x:y"[..]][..], &[b"x:y", b"x:y", b"x:y"], &[b"--rules=rfc0", b"x:y", b"x:y"]]
    {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(output.stdout, b"");
    }
}
