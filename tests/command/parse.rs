//! Drives `linktrawl parse` as a process: what it prints, byte for byte, and its exit code.

use std::io::Write as _;
use std::process::{Output, Stdio};

use crate::home::{self, fed, says};

/// Runs `linktrawl parse` on `args`, with `input` on standard input.
#[track_caller]
fn parse(args: &[&[u8]], input: &[u8]) -> Output {
    fed("parse", args, input)
}

#[track_caller]
fn case(args: &[&[u8]], input: &[u8], code: i32, stdout: &str) {
    says(&parse(args, input), code, stdout, "");
}

#[test]
fn a_valid_uri_is_printed_with_its_components() {
    let wanted = "http://u:***@www.w3.org:80/Addressing/?a=b#c\n  \
        scheme    http\n  userinfo  u:***\n  host      www.w3.org\n  port      80\n  \
        path      /Addressing/\n  query     a=b\n  fragment  c\n  \
        warning   password: the password is in clear text (RFC 3986 §3.2.1)\n";
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
        "          ^ pct-encoded: a percent sign is followed by two hexadecimal digits \
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
        r#""message":"a percent sign is followed by two hexadecimal digits","#,
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
    let mut child = home::linktrawl()
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

/// The records of `uris` under `options`.
#[track_caller]
fn records(options: &[&[u8]], uris: &str) -> Vec<serde_json::Value> {
    let options = [&[&b"--format=ndjson"[..]], options].concat();
    home::records(&parse(&options, uris.as_bytes()))
}

#[test]
fn repairs_are_told_and_can_be_refused() {
    let uris = "magic://a/b//c\nHTTP://h/#\nftp://h/x;type=A\nrlogin://h\nhttp://h/a\n";
    let told: Vec<_> = (records(&[b"--grammar=rfc1630"], uris).iter())
        .map(|record| record["repairs"].to_string())
        .collect();
    assert_eq!(told, [r#"["R1"]"#, r#"["R2","R8"]"#, r#"["R4"]"#, r#"["R11"]"#, "[]"]);
    let at = |refused: &[u8]| -> Vec<Option<u64>> {
        let records = records(&[b"--grammar=rfc1630", b"--no-repair", refused], uris);
        records.iter().map(|record| record["at"].as_u64()).collect()
    };
    assert_eq!(at(b"R1"), [Some(6), None, None, None, None]);
    assert_eq!(at(b"r2"), [None, Some(10), None, None, None]);
    assert_eq!(at(b"R8,R4"), [None, Some(0), Some(9), None, None]);
    // The printed rules have no such scheme, no empty segment, no void fragment, no type.
    assert_eq!(at(b"all"), [Some(2), Some(0), Some(9), Some(0), None]);
}

#[test]
fn a_refused_repair_is_the_hint_where_nothing_else_is_missing() {
    let by_repair = "this document takes it only by a repair that was refused";
    let of = |refused: &[u8], uri: &str| {
        records(&[b"--grammar=draft1993", b"--no-repair", refused], uri)[0].clone()
    };
    let [void, capital] = [of(b"R1", "http://h//a"), of(b"R8", "HTTP://h/")];
    assert_eq!([&void["hint"], &capital["hint"]], [by_repair; 2]);
    assert_eq!([&capital["rule"], &capital["expected"]], ["scheme", "\"h\""]);
    assert_ne!(of(b"R1", "http://h//~")["hint"], by_repair);
}

#[test]
fn a_repair_that_narrows_is_named_in_the_hint() {
    let record = &records(&[b"--grammar=draft1993"], "http://a!b/")[0];
    assert_eq!(record["at"], 8);
    assert_eq!(record["hint"], "the rule as it is printed takes it: --no-repair R3");
    assert_eq!(records(&[b"--grammar=draft1993", b"--no-repair=R3"], "http://a!b/")[0]["ok"], true);
}

#[test]
fn components_have_the_documents_names_and_lists_where_there_are_several() {
    let of =
        |grammar: &[u8], uri: &str| records(&[b"--grammar", grammar], uri)[0]["components"].clone();
    let gopher = of(b"rfc1738", "gopher://h/7/s%09a%09+x");
    assert_eq!([&gopher["gtype"], &gopher["selector"], &gopher["search"]], ["7", "/s", "a"]);
    let prospero = of(b"draft1993", "prospero://h/a%0012%00b%00c");
    assert_eq!(prospero["attribute"], serde_json::json!(["b", "c"]));
    let wais = of(b"rfc1630", "wais://h/db/TEXT/1=a;2=;");
    assert_eq!(wais["field"], serde_json::json!(["1=a", "2="]));
    let urn = of(b"rfc8141", "urn:ex:a?+r?=q#f");
    assert_eq!(
        [&urn["nid"], &urn["nss"], &urn["r"], &urn["q"], &urn["f"]],
        ["ex", "a", "r", "q", "f"]
    );
}

#[test]
fn whatwg_has_what_it_made_what_it_forgave_and_where() {
    let [made, refused] = &records(&[b"--grammar=whatwg"], "http:\\\\H\\a b\nhttp://h:x/")[..]
    else {
        unreachable!("two records")
    };
    assert_eq!(made["components"]["href"], "http://h/a%20b");
    // The standard reports both backslashes, after the two slashes that it missed before them.
    let slash = "special-scheme-missing-following-solidus";
    let names = [slash, slash, slash, "invalid-reverse-solidus", "invalid-URL-unit"];
    assert_eq!(made["violations"], serde_json::json!(names));
    assert_eq!(made["violations_at"], serde_json::json!([5, 5, 6, 8, 10]));
    // A state machine has no set of what could have stood there.
    assert_eq!([&refused["at"], &refused["expected"]], [&9.into(), &serde_json::Value::Null]);
    assert_eq!([&refused["rule"], &refused["spec"]], ["port", "WHATWG URL §4.4"]);
    assert_eq!(refused["message"], "port-invalid: invalid port number");
    let text = |uri: &[u8]| {
        String::from_utf8(parse(&[b"--grammar=whatwg", uri], b"").stdout).expect("UTF-8")
    };
    let wanted =
        "http://h:x/\n         ^ port: port-invalid: invalid port number (WHATWG URL §4.4)\n";
    assert!(text(b"http://h:x/").starts_with(wanted), "{}", text(b"http://h:x/"));
    assert!(text(b"http://h/[").ends_with("\n  violation invalid-URL-unit at byte 9\n"));
}

/// The parser knows where the password is, so that nothing else is hidden.
#[test]
fn whatwg_hides_the_password_that_it_read() {
    let href = |uri: &str| records(&[b"--grammar=whatwg"], uri)[0]["components"]["href"].clone();
    for (uri, wanted) in [
        ("http:a:secret@h.example", "http://a:***@h.example/"),
        ("http::secret@h.example", "http://:***@h.example/"),
        ("foo://joe: \"se\\cret@h/", "foo://joe:***@h/"),
        ("http:/\\u:se|cret@h/x:y@z", "http://u:***@h/x:y@z"),
    ] {
        assert_eq!(href(uri), wanted, "{uri}");
    }
}

#[test]
fn what_is_worth_a_look_is_a_warning_and_no_fault() {
    let warned = &records(&[b"--grammar=rfc3986"], "http://h:65536/")[0];
    assert_eq!(warned["ok"], true);
    assert_eq!(warned["warnings"][0]["rule"], "port-range");
    // Also where another grammar does not take it, but not where none does.
    let text = |uri: &[u8]| {
        String::from_utf8(parse(&[b"--grammar=rfc1738,rfc3986", uri], b"").stdout).expect("UTF-8")
    };
    assert!(text(b"http://h:65536/~").contains("\n  warning   port-range: "));
    assert!(!text(b"http://h:65536/{").contains("warning"));
    let allowed = &records(&[b"--grammar=rfc3986", b"--allow=port-range"], "http://h:65536/")[0];
    assert_eq!(allowed.get("warnings"), None);
}

#[test]
fn schemes_that_the_documents_name_and_do_not_define_are_told() {
    for uri in ["afs://cern.ch/u", "x500:a", "x-new:a", "whois++://h"] {
        let record = &records(&[b"--grammar=rfc3986"], uri)[0];
        assert!(record["remark"].as_str().is_some_and(|remark| !remark.is_empty()), "{uri}");
    }
    assert_eq!(records(&[b"--grammar=rfc3986"], "http://h/")[0].get("remark"), None);
    // The plus is no part of a scheme in 1993, and the remark says why nobody defined it.
    let refused = &records(&[b"--grammar=draft1993"], "whois++://h")[0];
    assert!(refused["ok"] == false && refused["remark"].is_string(), "{refused}");
}

#[test]
fn several_grammars_each_have_their_say() {
    let wanted = "ftp://h/a\n  rfc1738: valid\n  scheme    ftp\n  host      h\n  path      /a\n  \
        segment   a\n  rfc3986-uri: valid\n  scheme    ftp\n  host      h\n  path      /a\n";
    case(&[b"--grammar=rfc1738,rfc3986", b"ftp://h/a"], b"", 0, wanted);
}

#[test]
fn a_grammar_that_refuses_is_not_listed_as_one_that_accepts() {
    let options: [&[u8]; 3] = [b"--grammar=draft1993", b"--no-repair=R1", b"http://h//a"];
    let text = String::from_utf8(parse(&options, b"").stdout).expect("UTF-8");
    let accepting = text.lines().find(|line| line.contains("accepted by: ")).expect("others");
    assert!(!accepting.contains("draft1993") && accepting.contains("rfc1738"), "{text}");
}

/// Also of a wrapper that is no valid URI itself.
#[test]
fn the_target_of_a_wrapped_link_is_checked_too() {
    let uri = |target: &str, end: &str| {
        format!("https://nam01.safelinks.protection.outlook.com/?url={target}{end}")
    };
    let valid = uri("https%3A%2F%2Fh.example%2F", "");
    let faulty = uri("https%3A%2F%2Fh.example%2F%25zz", "");
    let both = uri("https%3A%2F%2Fh.example%2F%25zz", "&a={");
    let options: [&[u8]; 2] = [b"--format=ndjson", b"--grammar=rfc3986"];
    for (uri, ok, fault, code) in
        [(&valid, true, None, 0), (&faulty, true, Some(19), 1), (&both, false, Some(19), 1)]
    {
        let output = parse(&[options[0], options[1], uri.as_bytes()], b"");
        assert_eq!(output.status.code(), Some(code), "{uri}");
        let record = &home::records(&output)[0];
        assert_eq!(record["ok"], ok, "{record}");
        assert_eq!(record["target_fault"]["at"].as_u64(), fault, "{record}");
    }
    let text = |grammar: &[u8]| {
        let output = parse(&[b"--grammar", grammar, faulty.as_bytes()], b"");
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let about = "pct-encoded: a percent sign is followed by two hexadecimal digits";
    let one = format!("  target    https://h.example/%zz\n  fault     {about} (RFC 3986 §2.1)\n");
    assert!(text(b"rfc3986").ends_with(&one), "{}", text(b"rfc3986"));
    let named = format!("  fault     rfc3986-uri: {about} (RFC 3986 §2.1)\n");
    assert!(text(b"rfc3986,whatwg").ends_with(&named), "{}", text(b"rfc3986,whatwg"));
}
