//! Work grows with the input and never with its square, whatever the input holds.
//!
//! Each text runs through the binary under a limit of processor time, as the system counts
//! it: so generous that a hundred times the usual work fits, and so small that quadratic
//! work over as many bytes, hours of it, does not. The clock on the wall plays no part.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::support::units::{ESCAPES, MARKS, MARKUP, PLACES, REPEATED};

const MEGABYTE: usize = 1_000_000;

/// Bytes of a repeated text without a frame: more than one piece of a large input.
const ALONE: usize = 2 * MEGABYTE;
/// Bytes of a repeated text in a frame: more than the longest candidate.
const FRAMED: usize = 300_000;

/// Seconds of processor time for one run over some three megabytes: unoptimised, most take
/// a tenth of one.
const SECONDS_FOR_ONE: &str = "6";
/// Seconds of processor time for one run over a hundred megabytes.
const SECONDS_FOR_HUNDRED: &str = "120";

/// The texts before and after the repeated text, in turn.
const FRAMES: &[(&[u8], &[u8])] =
    &[(b"http://h/", b""), (b"<http://h/", b">"), (b"From a 10:00\nTo: b\nX: ", b"\n")];

/// The options that change which work is done.
const OPTIONS: &[&[&str]] =
    &[&["--as=mail"], &["--find=url,angle,bare,www,header", "--unique", "--format=ndjson"]];

fn file(name: &str, text: &[u8]) -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("linear");
    fs::create_dir_all(&home).expect("a directory");
    let path = home.join(name);
    fs::write(&path, text).expect("a file");
    path
}

/// Runs the binary on `paths` with so many seconds of processor time.
fn scan(seconds: &str, options: &[&str], paths: &[PathBuf]) -> Output {
    run(seconds, &[&["scan"], options].concat(), paths)
}

fn run(seconds: &str, command: &[&str], paths: &[PathBuf]) -> Output {
    within(seconds, command, paths).output().expect("the shell runs")
}

/// Reports whether a scan ends well, and reads nothing of its report: a million findings would be
/// copied for nothing.
fn is_in_time(options: &[&str], paths: &[PathBuf]) -> bool {
    let mut command = within(SECONDS_FOR_ONE, &[&["scan"], options].concat(), paths);
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.expect("the shell runs").code() == Some(0)
}

/// The binary on `paths` with so many seconds of processor time.
fn within(seconds: &str, arguments: &[&str], paths: &[PathBuf]) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -t \"$1\" && shift && exec \"$@\"", "sh", seconds])
        .arg(env!("CARGO_BIN_EXE_linktrawl"))
        .args(arguments)
        .args(["--quiet", "--exit-zero", "--threads=1"])
        .args(paths)
        .stdin(Stdio::null());
    command
}

/// The run ends by itself and has nothing to complain of.
#[track_caller]
fn ends_well(seconds: &str, options: &[&str], paths: &[PathBuf], what: &str) -> Vec<u8> {
    let output = scan(seconds, options, paths);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(0) && !stderr.contains("panicked"),
        "{what} with {options:?}: {} {stderr}",
        output.status
    );
    output.stdout
}

fn repeat(unit: &[u8], len: usize) -> Vec<u8> {
    unit.iter().copied().cycle().take(len).collect()
}

/// Says which of `units` is not read in time, alone or in a frame, with any options.
fn slow_units(units: &[&[u8]], name: &str) -> Vec<String> {
    let is_slow = |unit: &[u8]| {
        let mut paths = vec![file(&format!("{name}-alone"), &repeat(unit, ALONE))];
        for (number, (before, after)) in FRAMES.iter().enumerate() {
            let text = [before, &repeat(unit, FRAMED)[..], after].concat();
            paths.push(file(&format!("{name}-{number}"), &text));
        }
        OPTIONS.iter().any(|options| !is_in_time(options, &paths))
    };
    let slow = units.iter().filter(|unit| is_slow(unit));
    slow.map(|unit| unit.escape_ascii().to_string()).collect()
}

#[track_caller]
fn none_is_slow(units: &[&[u8]], name: &str) {
    let slow = slow_units(units, name);
    assert!(slow.is_empty(), "not read in {SECONDS_FOR_ONE} s: {slow:#?}");
}

#[test]
fn anything_repeated_is_read_in_time() {
    none_is_slow(&REPEATED[..REPEATED.len() / 2], "first");
}

#[test]
fn anything_else_repeated_is_read_in_time() {
    none_is_slow(&REPEATED[REPEATED.len() / 2..], "second");
}

#[test]
fn documents_of_anything_repeated_are_read_in_time() {
    for language in ["markdown", "mdx", "rst", "asciidoc", "org"] {
        // Together they are no longer than one text of the other tests.
        for units in MARKS.chunks(ALONE / FRAMED) {
            let texts = units.iter().map(|unit| repeat(unit.as_bytes(), FRAMED));
            let paths: Vec<PathBuf> =
                texts.zip(1..).map(|(text, at)| file(&format!("marks-{at}"), &text)).collect();
            ends_well(SECONDS_FOR_ONE, &["--as", language], &paths, &format!("one of {units:?}"));
        }
    }
}

#[test]
fn places_of_documents_of_anything_repeated_are_read_in_time() {
    for ending in ["md", "mdx", "html", "rst", "adoc", "org"] {
        for units in [MARKS, PLACES].concat().chunks(ALONE / FRAMED) {
            let name = |at: usize| format!("places-{at}.{ending}");
            let links = (0..units.len()).map(|at| format!("[a]({}#x)\n", name(at)));
            let from = file("places.md", links.collect::<String>().as_bytes());
            for (at, unit) in units.iter().enumerate() {
                file(&name(at), &repeat(unit.as_bytes(), FRAMED));
            }
            let command = ["check", "--offline", "--no-config", "--format=ndjson"];
            let output = run(SECONDS_FOR_ONE, &command, &[from]);
            let report = String::from_utf8_lossy(&output.stdout);
            let answers = report.matches("\"reach\":{").count();
            assert_eq!(answers, units.len(), "{ending} {units:?}: {} {report}", output.status);
        }
    }
}

#[test]
fn escapes_are_read_in_time() {
    for unit in ESCAPES {
        let path = file("escapes", &repeat(unit.as_bytes(), ALONE));
        let paths = [path];
        for language in [
            "csv",
            "json",
            "ldif",
            "po",
            "properties",
            "rtf",
            "template",
            "terminal",
            "tex",
            "texinfo",
            "turtle",
            "vcard",
            "xml",
            "yaml",
        ] {
            let what = format!("{language} {unit:?}");
            ends_well(SECONDS_FOR_ONE, &["--as", language], &paths, &what);
        }
    }
}

/// Each part of a long document starts its links at its base.
#[test]
fn a_long_base_of_a_long_document_is_read_in_time() {
    let document = |base_len: usize| {
        let base = ["<base href=/", &"a".repeat(base_len), ">"].concat();
        let text = [base.into_bytes(), repeat(b"<p>", 8 * MEGABYTE)].concat();
        file(&format!("base-{base_len}.html"), &text)
    };
    ends_well(SECONDS_FOR_ONE, &[], &[document(2_000)], "a base");
    let output = scan(SECONDS_FOR_ONE, OPTIONS[1], &[document(MEGABYTE)]);
    assert_eq!(output.status.code(), Some(2), "{}", output.status);
    assert_eq!(notes(&String::from_utf8_lossy(&output.stdout), "base-too-long"), 1);
}

#[test]
fn lists_in_one_line_are_read_in_time() {
    for (one, other) in [(">", "- "), ("> ", "* "), ("+ ", "* "), ("1. ", "- "), ("2) ", "*\t")] {
        let parts = [one, other].map(|unit| repeat(unit.as_bytes(), FRAMED / 2));
        let path = file("lists.md", &[&parts.concat()[..], b"http://h/"].concat());
        let output = scan(SECONDS_FOR_ONE, OPTIONS[1], &[path]);
        assert_eq!(output.status.code(), Some(2), "{one:?} {other:?}: {}", output.status);
        let report = String::from_utf8_lossy(&output.stdout);
        assert!(report.contains("\"http://h/\"") && notes(&report, "markup-unread") == 1);
    }
}

#[test]
fn emphasis_in_emphasis_is_read_in_time() {
    for mark in ["*", "_*", "~_"] {
        let marks = repeat(mark.as_bytes(), ALONE / 4);
        let mut closing = marks.clone();
        closing.reverse();
        for inside in [&b"http://h/a"[..], b"a"] {
            let path = file("emphasis.md", &[&marks, inside, &closing].concat());
            ends_well(SECONDS_FOR_ONE, OPTIONS[1], &[path], mark);
        }
    }
}

#[test]
fn documents_that_repeat_themselves_are_read_in_time() {
    let mut slow = Vec::new();
    for unit in MARKUP {
        let text = repeat(unit, ALONE);
        let paths =
            [file("document", &text), file("tag", &[b"<a x='", &text[..FRAMED], b"'>"].concat())];
        let head = b"From: a\nContent-Type: text/html\n\n";
        let mail = [file("mail", &[head, &text[..FRAMED]].concat())];
        for (option, paths) in [
            ("--as=html", paths.as_slice()),
            ("--as=css", &paths),
            ("--as=feed", &paths),
            ("--as=mail", &mail),
        ] {
            if !is_in_time(&[option], paths) {
                slow.push((unit.escape_ascii().to_string(), option));
            }
        }
    }
    assert!(slow.is_empty(), "not read in {SECONDS_FOR_ONE} s: {slow:#?}");
}

#[test]
fn articles_that_lie_about_their_lengths_are_read_in_time() {
    for unit in
        ["#! rnews 9\n", "#! rnews 30000\n", "#! rnews 500000\nA: b\n", "#! rnews 99999999999\n\n"]
    {
        let path = file("batch", &repeat(unit.as_bytes(), ALONE));
        let output = scan(SECONDS_FOR_ONE, OPTIONS[1], &[path]);
        // The last of them is not there in full.
        assert_eq!(output.status.code(), Some(2), "{unit:?}: {}", output.status);
        let report = String::from_utf8_lossy(&output.stdout);
        let notes = report.matches("\"length-wrong\"").count();
        assert!(notes <= 100 && report.matches("archive-truncated").count() == 1, "{report}");
    }
}

#[test]
fn archives_of_the_web_full_of_gaps_are_read_in_time() {
    let arc = "filedesc://a.arc 192.0.2.1 19941201000000 text/plain 0\n";
    let segment = "WARC/1.0\nWARC-Type: continuation\nContent-Length: 0\n\n";
    for (begin, unit) in [
        ("WARC/1.0\n\n", "WARC/1.0\n"),
        ("WARC/1.0\n\n", "WARC/1.0\n\na"),
        ("WARC/1.0\n\n", "WARC/"),
        ("WARC/1.0\n\n", "\na"),
        (segment, segment),
        (segment, &segment.replace("\n\n", "\nWARC-Segment-Number: 1\n\n")),
        (arc, "filedesc:"),
        (arc, "a: 1 "),
        (arc, "a: ::1 199412010000 text/plain x\n"),
        (arc, "a: ::1 199412010000 text/plain 0\na\n"),
    ] {
        // Where the next record follows, what is between belongs to a record of a wrong length.
        let is_of_length = unit.ends_with(" 0\na\n");
        let text = [begin.as_bytes(), &repeat(unit.as_bytes(), ALONE)].concat();
        let output = scan(SECONDS_FOR_ONE, OPTIONS[1], &[file("gaps", &text)]);
        let report = String::from_utf8_lossy(&output.stdout);
        let kinds = ["archive-broken", "archive-truncated", "length-wrong"];
        let told: usize = kinds.iter().map(|kind| notes(&report, kind)).sum();
        let code = if is_of_length { 0 } else { 2 };
        assert_eq!(output.status.code(), Some(code), "{begin:?} {unit:?}: {}", output.status);
        assert!((1..=103).contains(&told), "{begin:?} {unit:?}: {told} notes");
    }
}

#[test]
fn tiny_blocks_of_old_lz4_are_read_in_time() {
    let block = b"\x02\0\0\0\x10a";
    let path =
        file("tiny.lz4", &[&b"\x02\x21\x4C\x18"[..], &repeat(block, ALONE / 6 * 6)].concat());
    ends_well(SECONDS_FOR_ONE, OPTIONS[1], &[path], "blocks of a byte");
}

#[test]
fn two_alternating_texts_are_read_in_time() {
    for pair in REPEATED.windows(2) {
        let [one, other] = pair else { continue };
        let mixed = repeat(&[repeat(one, 100), repeat(other, 100)].concat(), FRAMED);
        let what = format!("{} and {}", one.escape_ascii(), other.escape_ascii());
        ends_well(SECONDS_FOR_ONE, OPTIONS[1], &[file("mixed", &mixed)], &what);
    }
}

/// The beginning of a message.
const MESSAGE: &str = "From: a@b.example\nSubject: x\nMIME-Version: 1.0\n";
/// A URI at the end of all, which nothing before it may hide.
const END: &str = "\nhttp://www.example.org/end\n";

/// A message that holds, with a number each, so many of `unit` in a multipart.
fn message(before: &str, unit: &str, count: usize) -> Vec<u8> {
    let mut text = format!("{MESSAGE}{before}");
    for number in 0..count {
        text.push_str(&unit.replace('#', &number.to_string()));
    }
    text.push_str(END);
    text.into_bytes()
}

/// The records of a message that is read in time, and reaches its end.
#[track_caller]
fn reaches_end(name: &str, text: &[u8]) -> String {
    let options = ["--as=mail", "--format=ndjson"];
    let report = ends_well(SECONDS_FOR_ONE, &options, &[file(name, text)], name);
    let report = String::from_utf8(report).expect("records are UTF-8");
    assert!(report.contains(END.trim()), "{name}");
    report
}

/// Returns the number of notes of this kind in a report.
fn notes(report: &str, kind: &str) -> usize {
    report.matches(&format!(r#"{{"type":"note","kind":"{kind}""#)).count()
}

const MIXED: &str = "Content-Type: multipart/mixed; boundary=b\n\n";

#[test]
fn parts_in_parts_are_read_in_time_and_noted_where_they_are_too_deep() {
    for (name, unit) in [
        ("mixed", "Content-Type: multipart/mixed; boundary=b#\n\n--b#\n"),
        ("alternative", "Content-Type: multipart/alternative; boundary=b#\n\n--b#\n"),
        ("one-boundary", "Content-Type: multipart/mixed; boundary=b\n\n--b\n"),
        ("message", "Content-Type: message/rfc822\n\n"),
    ] {
        let report = reaches_end(name, &message("", unit, 100_000));
        // After the last level, each line of the boundary begins another that is too deep.
        let wanted = if name == "one-boundary" { 10 } else { 1 };
        assert_eq!(notes(&report, "mime-too-deep"), wanted, "{name}");
    }
}

#[test]
fn messages_that_are_coded_in_each_other_are_read_in_time() {
    let mut text = format!("{MESSAGE}{END}").into_bytes();
    for _ in 0..18 {
        let coded = data_encoding::BASE64_MIME.encode(&text);
        let head = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n";
        text = [MESSAGE, head, &coded].concat().into_bytes();
    }
    assert_eq!(notes(&reaches_end("base64", &text), "mime-too-deep"), 0);
    let head = "Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n";
    let report = reaches_end("quoted", &[&message("", head, 100), END.as_bytes()].concat());
    assert_eq!(notes(&report, "mime-too-deep"), 1);
}

/// Texts between two lines of base64, repeated: foreign characters, and blank lines.
const BETWEEN_BASE64: &[&str] =
    &["\n", "\r\n", " \n", "!\n", "!", ">> \n", "-\n", "=\n", "A\n", "A!", "A!\n", "QUJD\n!\n"];

/// A line of base64, which no padding ends.
fn base64_line() -> String {
    let line = data_encoding::BASE64.encode(b"see http://www.example.org/end and more\n..");
    assert!(!line.contains('='));
    line
}

#[test]
fn damaged_base64_is_read_in_time() {
    let line = base64_line();
    let head = "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n";
    for unit in BETWEEN_BASE64 {
        let between = unit.repeat(FRAMED / unit.len());
        let body = [MESSAGE, head, &line, "\n", &between, "\n", &line, "\n"].concat();
        let report = reaches_end(&format!("base64 {unit:?}"), body.as_bytes());
        assert_eq!(report.matches("\"uri\":\"http://www.example.org/end\"").count(), 2, "{unit:?}");
    }
}

#[test]
fn damaged_base64_in_encoded_words_is_read_in_time() {
    for unit in BETWEEN_BASE64 {
        // The longest word, in the longest header, in many messages.
        let inside = unit.replace('\n', "\n ");
        let inside = inside.repeat(4000 / inside.len());
        let word = format!("=?utf-8?B?{}{inside}?=\n ", base64_line());
        let field = format!("Subject: {}\n\n", word.repeat(30));
        let text = ["From a 10:00\n", MESSAGE, &field].concat().repeat(30);
        let report = reaches_end(&format!("word {unit:?}"), text.as_bytes());
        let found = report.matches("\"uri\":\"http://www.example.org/end\"").count();
        assert_eq!(found, 30 * 30, "{unit:?}");
    }
}

#[test]
fn a_million_parts_and_boundaries_are_read_in_time() {
    let tiny = reaches_end("parts", &message(MIXED, "--b\n\nx\n", 1_000_000));
    assert_eq!(notes(&tiny, "mime-too-many"), 1);
    reaches_end("boundaries", &message(MIXED, "--b\n", 100_000));
    let long = "b".repeat(60);
    let open = format!("Content-Type: multipart/mixed; boundary={long}#\n\n--{long}#\n");
    let nested = message("", &open, 32);
    let lines = format!("--{long}\n").repeat(50_000).into_bytes();
    reaches_end("beginnings", &[nested, lines, END.into()].concat());
    let tnef = reaches_end(
        "tnef",
        &message(MIXED, "--b\nContent-Type: application/ms-tnef\n\nx\n", 20_000),
    );
    assert_eq!((notes(&tnef, "tnef"), notes(&tnef, "mime-too-many")), (10, 0));
}

#[test]
fn alternatives_are_compared_in_time() {
    let open = MIXED.replace("mixed", "alternative");
    reaches_end("forms", &message(&open, "--b\n\nx:y http://h/# http://h/\n", 9_000));
    let inner = "--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\nhttp://h/\n--c\n\n\
        http://h/\n--c--\n";
    reaches_end("many", &message(MIXED, inner, 3_000));
    let open = "Content-Type: multipart/alternative; boundary=b#\n\n--b#\n";
    let nested = message("", open, 31);
    let forms = "--b30\n\nhttp://h/ http://h/\n".repeat(9_000).into_bytes();
    reaches_end("deep", &[nested, forms, END.into()].concat());
}

#[test]
fn long_headers_are_read_in_time() {
    for (name, before, unit, count) in [
        ("many-fields", "", "X: y\n", 2_000_000),
        ("words", "", "X: =?utf-8?Q?http://h/?=\n", 100_000),
        ("one-line", "X: ", "abcdefghij", 500_000),
        ("words-in-one", "X: ", "=?u?Q?y?= ", 500_000),
        ("angles", "List-Post: ", "<http://h/>, ", 100_000),
        ("folded-angles", "List-Post: ", "<http://h/>,\n ", 100_000),
        ("comment", "List-Post: (", "<http://h/>,\n ", 100_000),
        ("part", "Content-Type: multipart/mixed; boundary=b\n\n--b\n", "X: y\n", 2_000_000),
    ] {
        reaches_end(name, &message(before, unit, count));
    }
}

#[test]
fn a_hundred_megabytes_on_one_line_are_read_in_time() {
    for (name, before, unit) in [
        ("letters", &b""[..], &b"abcdefghij"[..]),
        ("one-uri", b"http://h/", b"path/"),
        ("fields", b"From a 10:00\nX: ", b"word: x"),
    ] {
        let text = [before, &repeat(unit, 100 * MEGABYTE)].concat();
        let paths = [file(name, &text)];
        let report = ends_well(SECONDS_FOR_HUNDRED, OPTIONS[1], &paths, name);
        let is_cut = report.windows(12).any(|text| text == b"uri-too-long");
        assert_eq!(is_cut, name == "one-uri");
        fs::remove_file(&paths[0]).expect("the file");
    }
}

/// Beginnings of a long URI, and the text that is repeated after each.
const LONG_URIS: &[(&str, &str)] = &[
    ("ftp://u:p@h", "/a"),
    ("http://u:p@h/", "&u=http://u:p@h/"),
    ("mailto:u:p@h?", "&a=b:c@d"),
    ("prospero://u:p@h/", ";a=b:c@d"),
    ("//u:p@", "u:p@"),
];

#[test]
fn long_uris_with_passwords_are_parsed_in_time() {
    for (start, unit) in LONG_URIS {
        let uri = [start.as_bytes(), &repeat(unit.as_bytes(), FRAMED), b"\n"].concat();
        let path = file("uri", &uri);
        for grammars in ["draft1993,rfc1630,rfc1738", "rfc3986,rfc3987-ref,whatwg,current"] {
            let output = Command::new("sh")
                .args(["-c", "ulimit -t \"$1\" && shift && exec \"$@\"", "sh", SECONDS_FOR_ONE])
                .arg(env!("CARGO_BIN_EXE_linktrawl"))
                .args(["parse", "--format=ndjson", "--grammar", grammars])
                .stdin(fs::File::open(&path).expect("the file"))
                .output()
                .expect("the shell runs");
            let code = output.status.code();
            assert!(matches!(code, Some(0 | 1)), "{start} {unit} {grammars}: {}", output.status);
        }
    }
}

#[test]
fn the_limit_stops_what_does_not_end() {
    // Without this, a shell that ignores the limit would make every test here pass.
    let output = Command::new("sh")
        .args(["-c", "ulimit -t 1 && while :; do :; done"])
        .output()
        .expect("the shell runs");
    assert_eq!(output.status.code(), None, "{output:?}");
}

/// Lines that begin blocks of packed lines, which no line ends, or only the last one.
#[test]
fn beginnings_of_blocks_are_read_in_time() {
    for (name, unit) in [
        ("uuencode", "begin 644 a\n"),
        ("uuencode-lines", "begin 644 a\n$HTTP\n"),
        ("uuencode-ends", "begin 644 a\n$HTTP\nendx\n"),
        ("base64", "begin-base64 644 a\n"),
        ("yenc", "=ybegin line=128 size=1 name=a\n"),
        ("yenc-as-lines", "=ybegin line=30 size=1 name=a\n"),
        ("yenc-lines", "=ybegin line=9 size=1 name=a\nabcdefghi\nabc\n"),
        ("armour", "-----BEGIN PGP MESSAGE-----\n"),
        ("armour-in-a-line", "a: -----BEGIN PGP "),
    ] {
        let text = message("\n", unit, 5 * MEGABYTE / unit.len());
        let report = reaches_end(name, &text);
        assert!(report.contains(r#""skipped":{}"#), "{name}");
        let ends = b"\nend\n====\n=yend size=1\n-----END PGP MESSAGE-----\n";
        reaches_end(&format!("{name}-ended"), &[&text, &ends[..], END.as_bytes()].concat());
    }
}
