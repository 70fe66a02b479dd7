//! Tests coded parts of a message that are longer than a piece of input: they are decoded as a
//! whole up to the limit, and line by line after it, by any number of threads. Blocks of packed
//! lines of that length are skipped.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::path::{Path, PathBuf};

use data_encoding::BASE64_MIME;
use linktrawl::internal::scan::CANDIDATE_LEN_MAX;
use linktrawl::internal::source::piece::{CORE_LEN_MAX, PART_LEN_MAX};
use serde_json::Value;

use crate::support::home;

/// A file of this name below a directory of these tests.
fn file(name: &str, content: &str) -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("long_parts");
    std::fs::create_dir_all(&home).expect("a directory");
    let path = home.join(name);
    std::fs::write(&path, content).expect("a file");
    path
}

/// Returns the NDJSON report of a scan of `path`, and its exit code.
fn scan(path: &Path, threads: &str) -> (String, Option<i32>) {
    let output = home::linktrawl()
        .args(["scan", "--quiet", "--format", "ndjson", "--threads", threads])
        .arg(path)
        .output()
        .expect("the binary runs");
    (String::from_utf8(output.stdout).expect("records are UTF-8"), output.status.code())
}

fn records(report: &str) -> Vec<Value> {
    report.lines().map(|line| serde_json::from_str(line).expect("a record is JSON")).collect()
}

/// The URIs of a report.
fn uris(records: &[Value]) -> Vec<&str> {
    records.iter().filter_map(|record| record["uri"].as_str()).collect()
}

/// A text that becomes `len` bytes of base64, or a few less, with a URI in each `LINES` lines;
/// and its URIs.
fn text(name: &str, len: usize) -> (String, Vec<String>) {
    const LINES: usize = 500;
    let mut uris = Vec::new();
    let mut text = String::new();
    // Of 78 bytes, two are the end of a line, and three are coded as four.
    let len = len / 78 * 76 / 4 * 3;
    for number in 0.. {
        let line = if number % LINES == 0 {
            uris.push(format!("http://{name}.example/{number}"));
            format!("see http://{name}.example/{number} there\n")
        } else {
            format!("line {number} of a log that somebody has attached to a letter\n")
        };
        if text.len() + line.len() > len {
            break;
        }
        text.push_str(&line);
    }
    (text, uris)
}

/// A message of a mailbox with `texts` as parts in base64, and a last one that is not coded.
fn message(id: &str, texts: &[&str]) -> String {
    let mut out = format!(
        "From a@b.example Thu Dec  1 00:00:00 1994\nMessage-ID: <{id}@x.example>\n\
         Content-Type: multipart/mixed; boundary=cut\n\n"
    );
    for text in texts {
        out.push_str("--cut\nContent-Transfer-Encoding: base64\n\n");
        out.push_str(&BASE64_MIME.encode(text.as_bytes()));
    }
    out.push_str(&format!("--cut\n\nhttp://last.example/{id}\n--cut--\n\n"));
    out
}

#[test]
fn a_part_of_several_cores_is_decoded() {
    for cores in [2, 5, 15] {
        let (text, mut expected) = text("a", cores * CORE_LEN_MAX);
        let lines = text.lines().zip(1_u64..).filter(|(line, _)| line.contains("http:"));
        let lines: Vec<u64> = lines.map(|(_, number)| number).collect();
        let path = file(&format!("{cores}.mbox"), &message("1", &[&text]));
        let (report, code) = scan(&path, "2");
        let records = records(&report);
        expected.push("http://last.example/1".to_owned());
        assert_eq!(uris(&records), expected, "{cores} cores");
        let decoded =
            records.iter().filter_map(|record| record["place"]["decoded"]["line"].as_u64());
        assert_eq!(decoded.collect::<Vec<_>>(), lines, "{cores} cores");
        assert_eq!(code, Some(0));
        assert_eq!(records[records.len() - 1]["skipped"], serde_json::json!({}));
    }
}

/// A forwarded letter with a picture.
#[test]
fn a_message_that_is_coded_and_long_is_gone_into() {
    let picture = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJz\n".repeat(80_000);
    let inner = format!(
        "From: a@b\nTo: c@d\nContent-Type: multipart/mixed; boundary=b\n\n\
         --b\nContent-Transfer-Encoding: base64\n\n{}\n--b\nContent-Type: image/png\n\n{picture}\n\
         --b--\n",
        BASE64_MIME.encode(b"http://h.example/inner")
    );
    assert!(inner.len() > 4 << 20 && inner.len() < PART_LEN_MAX / 4 * 3);
    let coded = BASE64_MIME.encode(inner.as_bytes());
    let fields = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64";
    let path = file("forwarded.eml", &format!("From: a@b\nTo: c@d\n{fields}\n\n{coded}"));
    let (report, code) = scan(&path, "2");
    let records = records(&report);
    assert_eq!((uris(&records), code), (vec!["http://h.example/inner"], Some(0)));
    assert_eq!(records.len(), 2, "{records:?}");
}

#[test]
fn a_part_beyond_the_limit_is_decoded_line_by_line() {
    let (text, mut expected) = text("a", 2 * PART_LEN_MAX + CORE_LEN_MAX / 2);
    let mailbox = [message("1", &[&text]), message("2", &["see http://b.example/\n"])].concat();
    expected.extend(
        ["http://last.example/1", "http://b.example/", "http://last.example/2"].map(str::to_owned),
    );
    let path = file("beyond.mbox", &mailbox);
    let (report, code) = scan(&path, "2");
    let records = records(&report);
    assert_eq!((uris(&records), code), (expected.iter().map(String::as_str).collect(), Some(0)));
    assert_eq!(records[records.len() - 1]["skipped"], serde_json::json!({}));
    assert!(scan(&path, "1") == (report, code));
    let lines: Vec<&str> = mailbox.lines().collect();
    let number = |place: &Value, key: &str| {
        let number = place[key].as_u64().expect("a number");
        usize::try_from(number).expect("a small number") - 1
    };
    for (record, uri) in records.iter().zip(&expected[..expected.len() - 3]) {
        let [line, column] = ["line", "column"].map(|key| number(&record["place"], key));
        let line = data_encoding::BASE64.decode(lines[line].as_bytes()).expect("whole groups");
        let start = &line[column / 4 * 3 + column % 4..];
        assert!(start.starts_with(&uri.as_bytes()[..uri.len().min(start.len())]), "{record}");
    }
}

/// Parts whose lines of base64 cannot be decoded by themselves: they end inside of groups, or only
/// the first one says what all of them are in.
#[test]
fn what_does_not_go_by_lines_is_noted_beyond_the_limit_and_what_follows_is_read() {
    let (text, uris) = text("a", PART_LEN_MAX + CORE_LEN_MAX);
    let coded = BASE64_MIME.encode(text.as_bytes()).replace("\r\n", "");
    let lines: Vec<_> = coded.as_bytes().chunks(75).collect();
    let lines = String::from_utf8(lines.join(&b'\n')).expect("base64 is US-ASCII");
    is_noted(&lines, &uris);
    let wide: Vec<u8> =
        ["\u{FEFF}", &text].concat().encode_utf16().flat_map(u16::to_le_bytes).collect();
    is_noted(&BASE64_MIME.encode(&wide), &uris);
}

#[track_caller]
fn is_noted(lines: &str, within: &[String]) {
    let first = message("1", &[]).replace(
        "--cut\n\n",
        &format!("--cut\nContent-Transfer-Encoding: base64\n\n{lines}\n--cut\n\n"),
    );
    let mailbox = [first, message("2", &["see http://b.example/\n"])].concat();
    let (report, code) = scan(&file("beyond-lines.mbox", &mailbox), "2");
    let records = records(&report);
    let expected = ["http://last.example/1", "http://b.example/", "http://last.example/2"];
    let uris = uris(&records);
    // The links before the limit are those of decoded text.
    let (begun, rest) = uris.split_at(uris.len() - expected.len());
    assert_eq!(rest, expected);
    assert!(begun.len() > 10 && within.iter().zip(begun).all(|(one, two)| one == two));
    let notes: Vec<_> = records.iter().filter(|record| record["type"] == "note").collect();
    let kinds: Vec<_> = notes.iter().map(|note| &note["kind"]).collect();
    assert_eq!(kinds, ["mime-too-long"]);
    let start = mailbox.find("base64\n\n").expect("a part") + "base64\n\n".len();
    let offset = notes[0]["place"]["offset"].as_u64().expect("an offset");
    assert!(offset > u64::try_from(start + PART_LEN_MAX / 2).expect("a small number"));
    assert_eq!(records[records.len() - 1]["skipped"]["mime-too-long"], 1);
    assert_eq!(code, Some(0));
}

/// No piece sees the end of such a URI, coded as it is.
#[test]
fn a_uri_that_is_coded_in_more_bytes_than_the_longest_one_has_is_reported_cut() {
    let (before, expected) = text("a", PART_LEN_MAX + CORE_LEN_MAX);
    let long = format!("http://long.example/{}", "path/".repeat(CANDIDATE_LEN_MAX * 9 / 10 / 5));
    let path = file("long-uri.mbox", &message("1", &[&format!("{before}{long}\nx:y\n")]));
    let (report, _) = scan(&path, "2");
    let records = records(&report);
    let told = |record: &Value| {
        let told = ["kind", "verdict"].map(|key| record[key].as_str());
        told.into_iter().flatten().next().map(str::to_owned)
    };
    let told: Vec<_> = records[expected.len()..].iter().filter_map(told).collect();
    assert_eq!(told, ["uri-too-long", "skipped", "ok"]);
}

/// Holds a message of nothing but `line`, in quoted-printable, against the URI in each.
#[track_caller]
fn is_decoded(name: &str, fields: &str, line: &str, uri: &str) {
    let text = line.repeat(PART_LEN_MAX / line.len() + 10_000);
    let head = format!("From: a@b\nTo: c@d\n{fields}Content-Transfer-Encoding: quoted-printable\n");
    let (report, code) = scan(&file(name, &format!("{head}\n{text}")), "2");
    let records = records(&report);
    let uris = uris(&records);
    assert!(uris.iter().all(|found| *found == uri), "{:?}", uris.first());
    assert_eq!((uris.len(), code), (text.matches("http").count(), Some(0)));
    assert_eq!(records[records.len() - 1]["skipped"], serde_json::json!({}));
}

/// It is cut at empty lines, or, where none is, anywhere; wherever a comment may begin and end.
#[test]
fn quoted_text_of_any_length_is_decoded() {
    let line = "see http://h.example/?n=3D1&m=\n=3D2 in a log that is =\nlong\n";
    is_decoded("log.eml", "", line, "http://h.example/?n=1&m=2");
    let line = "<a u=3D\"http://h.example/?n=3D1&amp;m\"/>=\n\n\n";
    is_decoded("xml.eml", "Content-Type: text/xml\n", line, "http://h.example/?n=1&m");
}

#[test]
fn long_parts_give_the_same_with_any_number_of_threads() {
    const LEN: usize = 1_000_000;
    let mut mailbox = String::new();
    for number in 0..4 {
        let (one, _) = text("a", LEN + number * 1000);
        let (other, _) = text("b", LEN / 2);
        mailbox.push_str(&message(&format!("{number}-long"), &[&one, &other, &one]));
        for short in 0..200 {
            let id = format!("{number}-{short}");
            mailbox.push_str(&message(&id, &["see http://short.example/\n"]));
        }
    }
    let path = file("threads.mbox", &mailbox);
    let (one, code) = scan(&path, "1");
    assert_eq!(code, Some(0));
    let found = records(&one);
    let (a, b) = (text("a", LEN).1.len(), text("b", LEN / 2).1.len());
    assert!(uris(&found).len() >= 4 * (2 * a + b + 1 + 200 * 2), "{}", uris(&found).len());
    assert_eq!(found[found.len() - 1]["skipped"], serde_json::json!({}));
    for threads in ["2", "3"] {
        assert!(scan(&path, threads) == (one.clone(), code), "{threads} threads");
    }
}

/// Blocks of packed lines in text that is not coded are skipped, however many pieces they take.
#[test]
fn blocks_of_any_length_are_passed_by() {
    let uuencode = format!("M8\"!HTTP://A.EXAMPLE/X 2{}\n", "8".repeat(38)).repeat(9000);
    let yenc = format!("http://a.example/ {}\r\n", "x".repeat(110)).repeat(9000);
    let base64 = format!("{}\n", "QUJD".repeat(16)).repeat(9000);
    let armour = "PGP MESSAGE-----\n";
    for (name, block) in [
        ("uuencode", format!("begin 644 a\n{uuencode}`\nend\n")),
        ("yenc", format!("=ybegin line=128 size=9 name=a\r\n{yenc}=yend size=9\r\n")),
        ("armour", format!("-----BEGIN {armour}\n{base64}-----END {armour}")),
        ("uuencode", format!("begin-base64 644 a\n{base64}====\n")),
    ] {
        assert!(block.len() > CORE_LEN_MAX);
        let text = format!("From: a@b\nTo: c@d\n\n{block}\nhttp://h.example/\n");
        let path = file("block.eml", &text);
        let (report, code) = scan(&path, "2");
        let records = records(&report);
        assert_eq!((uris(&records), code), (vec!["http://h.example/"], Some(0)), "{name}");
        assert_eq!(records[records.len() - 1]["skipped"], serde_json::json!({name: 1}));
        assert!(scan(&path, "1") == (report, code), "{name}");
    }
}
