//! Tests the messages of corpus/mail/mime, read by the binary: every URI at its part and its place,
//! in the original files, with other line ends, and one after the other in a mailbox.

#![expect(clippy::expect_used, reason = "a corpus that cannot be read must stop the tests")]

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::home;

/// Lines at the top of a table: where its facts come from, and the names of its columns.
const TABLE_HEAD_LINES: usize = 2;

fn corpus(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/mail").join(path)
}

/// Returns an empty directory for the test called `name`.
fn directory(name: &str) -> PathBuf {
    home::directory("mail", name)
}

/// The rows of the table of findings.
fn rows() -> Vec<Vec<String>> {
    table("mime.tsv")
}

fn table(name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(corpus(name)).expect("the table is UTF-8 text");
    let cells = |line: &str| line.split('\t').map(str::to_owned).collect();
    text.lines().skip(TABLE_HEAD_LINES).map(cells).collect()
}

/// The records of a scan of `paths` in `home`.
fn records(home: &Path, paths: &[&str]) -> Vec<Value> {
    let args = [&["scan", "--quiet", "--format", "ndjson"], paths].concat();
    home::records(&home::run(home, &args))
}

/// The row of a record, in the columns of the table.
fn row(record: &Value) -> Vec<String> {
    let pointers = ["/place/path", "/message/part", "/message/header", "/cue", "/place/line"];
    let others = ["/place/column", "/place/offset", "/place/len", "/uri"];
    let cell = |pointer: &&str| match record.pointer(pointer) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    pointers.iter().chain(&others).map(cell).collect()
}

fn findings(records: &[Value]) -> Vec<Vec<String>> {
    records.iter().filter(|record| record["type"] == "finding").map(row).collect()
}

/// Returns the columns of `rows` that depend neither on text before a message nor on the ends of
/// lines.
fn without_places(rows: &[Vec<String>]) -> Vec<String> {
    let columns = |row: &Vec<String>| [1, 2, 3, 8].map(|at| row[at].clone()).join("\t");
    rows.iter().map(columns).collect()
}

fn names() -> Vec<String> {
    let mut names: Vec<String> = rows().into_iter().map(|row| row[0].clone()).collect();
    names.dedup();
    names
}

#[test]
fn every_message_is_read_as_the_table_says() {
    let files = std::fs::read_dir(corpus("mime")).expect("messages").count();
    assert_eq!(files, names().len(), "each message has a row");
    let records = records(&corpus("mime"), &names().iter().map(String::as_str).collect::<Vec<_>>());
    let lines = |rows: Vec<Vec<String>>| {
        rows.iter().map(|row| row.join("\t")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(lines(findings(&records)), lines(rows()));
    let summary = &records[records.len() - 1];
    assert_eq!(summary["messages"], names().len());
    let skipped = serde_json::json!({"armour": 3, "attachment": 4, "field-comment": 6,
        "trace-field": 10, "twin": 8, "uuencode": 4});
    assert_eq!(summary["skipped"], skipped);
}

/// Returns the row of a record in the table of decoded texts; `None` if nothing was decoded, and
/// the record has no duplicate.
fn decoded_row(record: &Value) -> Option<Vec<String>> {
    let position = |of: &Value| match of {
        Value::Null => String::new(),
        of => format!("{}:{}", of["line"], of["column"]),
    };
    let text = |of: &Value| of.as_str().unwrap_or_default().to_owned();
    let place = |of: &Value| (position(&of["place"]), position(&of["place"]["decoded"]));
    let twin = |twin: &Value| {
        let (place, decoded) = place(twin);
        format!("{},{place},{decoded}", text(&twin["part"]))
    };
    let twins: Vec<String> = record["twins"].as_array().into_iter().flatten().map(twin).collect();
    let ((place, decoded), twins) = (place(record), twins.join(" "));
    let is_told = !decoded.is_empty() || !twins.is_empty();
    let (path, part) = (text(&record["place"]["path"]), text(&record["message"]["part"]));
    is_told.then(|| vec![path, part, place, decoded, twins, text(&record["uri"])])
}

#[test]
fn what_was_decoded_or_stands_twice_is_told_with_both_places() {
    let records = records(&corpus("mime"), &names().iter().map(String::as_str).collect::<Vec<_>>());
    let found: Vec<_> = records.iter().filter_map(decoded_row).collect();
    assert_eq!(found, table("decoded.tsv"));
}

#[test]
fn what_stands_at_a_place_begins_and_ends_with_the_uri() {
    for row in rows() {
        let bytes = std::fs::read(corpus("mime").join(&row[0])).expect("a message");
        let [line, column, offset, len] =
            [4, 5, 6, 7].map(|at| row[at].parse::<usize>().expect("a number"));
        let before = &bytes[..offset];
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |feed| feed + 1);
        let lines = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let text = String::from_utf8_lossy(&before[start..]).chars().count();
        assert_eq!((line, column), (lines, text + 1), "{row:?}");
        assert!(offset + len <= bytes.len() && len >= row[8].len().min(20), "{row:?}");
    }
}

#[test]
fn other_line_ends_change_no_finding() {
    let home = directory("crlf");
    for name in names() {
        let text = std::fs::read(corpus("mime").join(&name)).expect("a message");
        let lines = text.split(|byte| *byte == b'\n');
        let lines: Vec<&[u8]> =
            lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect();
        std::fs::write(home.join(&name), lines.join(&b"\r\n"[..])).expect("a file");
    }
    let found = findings(&records(&home, &names().iter().map(String::as_str).collect::<Vec<_>>()));
    assert_eq!(without_places(&found), without_places(&rows()));
}

/// As on old Macs.
#[test]
fn lines_that_end_in_cr_alone_hide_no_part() {
    let home = directory("cr");
    let plain = names().into_iter().filter(|name| {
        let text = std::fs::read(corpus("mime").join(name)).expect("a message");
        let fed = text.iter().map(|byte| if *byte == b'\n' { b'\r' } else { *byte });
        std::fs::write(home.join(name), fed.collect::<Vec<_>>()).expect("a file");
        !text.contains(&b'\r')
    });
    let plain: Vec<String> = plain.collect();
    assert!(plain.len() > 10, "{plain:?}");
    let found = findings(&records(&home, &plain.iter().map(String::as_str).collect::<Vec<_>>()));
    let expected: Vec<_> = rows().into_iter().filter(|row| plain.contains(&row[0])).collect();
    assert_eq!(found, expected);
}

/// A mailbox joined from two: the empty lines of the second one show where its header ends.
#[test]
fn lines_that_end_in_cr_and_lf_after_such_are_no_two_lines() {
    let separator = "From a@b.example Thu Dec  1 00:00:00 1994\r";
    let body = "some words and more\r".repeat(7_000);
    let first = format!("{separator}To: a\rDate: b\r\r{body}\r");
    let second = format!("{separator}\nTo: c\r\nDate: d\r\n\r\nhttp://h.example/\r\n");
    for blanks in 0..3 {
        let home = directory(&format!("cr-{blanks}"));
        let text = format!("{first}{}\r{second}", " ".repeat(blanks));
        std::fs::write(home.join("a.mbox"), &text).expect("a file");
        let records = records(&home, &["a.mbox"]);
        let place = &records[0]["place"];
        assert_eq!(records[0]["message"]["number"], 2);
        assert_eq!(place["offset"], text.find("http").expect("a link"));
        assert_eq!(place["line"], first.matches('\r').count() + 6);
    }
}

#[test]
fn a_mailbox_of_the_messages_has_their_findings() {
    let home = directory("box");
    let mut mailbox = Vec::new();
    let mut starts = Vec::new();
    for name in names() {
        mailbox.extend_from_slice(b"From a@b.example Thu Dec  1 00:00:00 1994\n");
        starts.push((name.clone(), mailbox.len()));
        mailbox.extend(std::fs::read(corpus("mime").join(&name)).expect("a message"));
        mailbox.push(b'\n');
    }
    std::fs::write(home.join("box"), &mailbox).expect("a file");
    let found = findings(&records(&home, &["box"]));
    assert_eq!(without_places(&found), without_places(&rows()));
    for (found, row) in found.iter().zip(rows()) {
        let (_, start) = starts.iter().find(|(name, _)| *name == row[0]).expect("a message");
        let offset: usize = row[6].parse().expect("a number");
        assert_eq!(found[6], (start + offset).to_string(), "{row:?}");
        assert_eq!((&found[5], &found[7]), (&row[5], &row[7]), "{row:?}");
    }
}

/// The findings and the summary of a scan of `text`, with these options.
fn scan(name: &str, text: &str, options: &[&str]) -> (Vec<Value>, Value) {
    let home = directory(name);
    std::fs::write(home.join("a"), text).expect("a file");
    let mut records = records(&home, &[options, &["a"]].concat());
    let summary = records.pop().expect("a summary");
    (records, summary)
}

/// A message whose two forms are `first` and `second`.
fn two_forms(first: &str, second: &str) -> String {
    format!(
        "From: a@b.example\nSubject: x\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\n\
         {first}\n--b\n\n{second}\n--b--\n"
    )
}

#[test]
fn forms_that_are_no_forms_of_the_same_are_not_compared() {
    let mixed = two_forms("http://h/", "http://h/").replace("alternative", "mixed");
    let (found, summary) = scan("mixed", &mixed, &[]);
    assert_eq!(found.len(), 2);
    assert_eq!((&summary["findings"], &summary["distinct"]), (&2.into(), &1.into()));
    assert_eq!(summary["skipped"], serde_json::json!({}));
}

#[test]
fn twins_are_counted_once_whatever_is_asked() {
    let text = two_forms("http://h/a http://h/a http://h/b", "http://h/b http://h/a ftp://h/");
    let (found, summary) = scan("once", &text, &[]);
    let uris: Vec<_> = found.iter().map(|record| record["uri"].as_str()).collect();
    let wanted = ["http://h/a", "http://h/a", "http://h/b", "ftp://h/"].map(Some);
    assert_eq!(uris, wanted);
    assert_eq!((&summary["findings"], &summary["distinct"]), (&4.into(), &3.into()));
    assert_eq!((&summary["verdicts"]["ok"], &summary["skipped"]["twin"]), (&4.into(), &2.into()));
    let (found, summary) = scan("unique", &text, &["--unique"]);
    assert_eq!((found.len(), &summary["skipped"]["repeated"]), (3, &1.into()));
    let (found, summary) = scan("include", &text, &["--include", "/b$"]);
    assert_eq!((found.len(), &summary["skipped"]["filtered"]), (1, &4.into()));
    assert_eq!(found[0]["twins"].as_array().map(Vec::len), Some(1));
}

/// The second form has parts of its own.
#[test]
fn what_waited_is_told_with_its_part_and_as_it_stands() {
    let text =
        two_forms("<http://h/\na> http://h/b", "--c\n\nhttp://h/b\n--c\n\nhttp://h/c\n--c--")
            .replace("--b\n\n--c", "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c");
    let (found, _) = scan("parts", &text, &[]);
    let told = |record: &Value| {
        let part = &record["message"]["part"];
        serde_json::json!([record["raw"], part, record["twins"][0]["part"]])
    };
    let told: Vec<_> = found.iter().map(told).collect();
    let wanted = serde_json::json!([
        ["http://h/\na", "1", null],
        ["http://h/b", "1", "2.1"],
        ["http://h/c", "2.2", null],
    ]);
    assert_eq!(Value::from(told), wanted);
}

#[test]
fn an_alternative_that_is_too_large_is_read_and_not_compared() {
    let many = |count: usize| "http://h/\n".repeat(count);
    let (found, summary) = scan("many", &two_forms(&many(4_000), &many(1)), &[]);
    assert_eq!(found.len(), 4_001);
    let (found, full) = scan("full", &two_forms(&many(3_999), &many(1)), &[]);
    assert_eq!((found.len(), &full["skipped"]), (3_999, &serde_json::json!({"twin": 1})));
    assert_eq!(summary["skipped"], serde_json::json!({"alternative-unpaired": 1}));
    // One piece is half a megabyte, and has no room for both forms.
    let filler = "x\n".repeat(300_000);
    let text = two_forms("http://h/", &format!("{filler}http://h/"));
    let (found, summary) = scan("cut", &text, &[]);
    assert_eq!(found.len(), 2);
    assert_eq!(summary["skipped"], serde_json::json!({"alternative-unpaired": 1}));
    // After it, others are compared.
    let (found, summary) = scan("behind", &format!("{text}\n\nhttp://h/x"), &[]);
    assert_eq!((found.len(), &summary["skipped"]["alternative-unpaired"]), (3, &1.into()));
}

/// Scans a message of more parts than are read in one go, each with a link; the message after it
/// has two forms.
fn many_parts(kind: &str) -> (Vec<Value>, Value) {
    let parts: String =
        (1..=5000).map(|number| format!("--b\n\nhttp://h/{}\n", number % 7)).collect();
    let head = format!("From: a@b.example\nSubject: x\nContent-Type: multipart/{kind}; boundary=b");
    let separator = "From a@b.example Thu Dec  1 00:00:00 1994\n";
    let forms = two_forms("http://h/", "http://h/");
    let text = format!("{separator}{head}\n\n{parts}--b--\n\n{separator}{forms}");
    scan(&format!("parts-{kind}"), &text, &[])
}

#[test]
fn parts_are_counted_on_where_a_message_is_read_in_several_goes() {
    for kind in ["mixed", "alternative"] {
        let (found, summary) = many_parts(kind);
        assert_eq!(found.len(), 5001);
        for (number, record) in (1..=5000).zip(&found) {
            assert_eq!(record["uri"], format!("http://h/{}", number % 7));
            assert_eq!(record["message"]["part"], number.to_string(), "{record}");
            assert!(record["twins"].is_null(), "{record}");
        }
        let last = &found[5000];
        assert_eq!((&last["uri"], &last["message"]["number"]), (&"http://h/".into(), &2.into()));
        assert!(last["twins"].is_array(), "{last}");
        let unpaired = u64::from(kind == "alternative");
        assert_eq!(summary["skipped"]["alternative-unpaired"].as_u64().unwrap_or(0), unpaired);
        assert_eq!(summary["skipped"]["twin"], 1);
    }
}

#[test]
fn forms_are_compared_or_counted_wherever_a_message_is_read_in_several_goes() {
    let forms = two_forms("http://h/", "http://h/");
    let head = "From: a@b.example\nSubject: x\nContent-Type: multipart/mixed; boundary=m";
    for count in 1355..1375 {
        let parts = "--m\n\nx\n".repeat(count);
        // A header that a line ends which is no field has a URI over its end.
        let link = "--m\nSee: <http://h/\n5>\n";
        let text = format!("{head}\n\npre\n{parts}{link}--m\n{forms}--m--\n");
        let (found, summary) = scan("goes", &text, &[]);
        let counted = |reason: &str| summary["skipped"][reason].as_u64().unwrap_or(0);
        assert_eq!(counted("twin") + counted("alternative-unpaired"), 1, "{count} parts");
        assert_eq!(found.len() as u64, 3 - counted("twin"), "{count} parts");
        assert_eq!(found[0]["uri"], "http://h/5", "{count} parts");
    }
}

/// A long header is in one piece with the text before it, or not.
#[test]
fn forms_are_compared_or_counted_wherever_a_message_is_cut() {
    let fields = "X-A: a field of a part\n".repeat(200);
    let forms = two_forms("http://h/", "http://h/").replacen("--b\n", &format!("--b\n{fields}"), 1);
    let head =
        "From: a@b.example\nSubject: x\nContent-Type: multipart/mixed; boundary=m\n\n--m\n\n";
    let line = "a line without an empty one behind\n";
    for back in (0..8000).step_by(250) {
        let filler = line.repeat((512 * 1024 - back - head.len()) / line.len());
        let text = format!("{head}{filler}--m\n{forms}--m--\n");
        let (found, summary) = scan("cuts", &text, &[]);
        let counted = |reason: &str| summary["skipped"][reason].as_u64().unwrap_or(0);
        assert_eq!(counted("twin") + counted("alternative-unpaired"), 1, "{back} bytes before");
        assert_eq!(found.len() as u64, 2 - counted("twin"), "{back} bytes before");
    }
}

#[test]
fn what_is_not_read_as_its_header_says_is_noted_with_its_place() {
    let text = two_forms("http://h/a", "http://h/b")
        .replace("--b\n\nhttp://h/b", "--b\nContent-Type: application/ms-tnef\n\nhttp://h/b");
    let (records, summary) = scan("tnef", &text, &[]);
    let note = serde_json::json!({"type": "note", "kind": "tnef", "place": {"path": "a",
        "members": [], "offset": text.find("http://h/b")},
        "message": "found TNEF, which may hold text and is not read"});
    assert_eq!((records.len(), &records[1]), (2, &note));
    assert_eq!((&summary["skipped"]["tnef"], &summary["complete"]), (&1.into(), &true.into()));
    // Coded as a message of its own, the same is noted where that begins.
    let head = "From: a@b.example\nSubject: x\nContent-Type: message/rfc822\n\
        Content-Transfer-Encoding: base64\n\n";
    let coded = format!("{head}{}", data_encoding::BASE64_MIME.encode(text.as_bytes()));
    let (records, _) = scan("coded-tnef", &coded, &[]);
    assert_eq!(
        (&records[1]["kind"], &records[1]["place"]["offset"]),
        (&"tnef".into(), &head.len().into())
    );
}

#[test]
fn a_part_has_the_same_number_however_its_message_is_coded() {
    let inner = "Subject: http://h/s\n\nhttp://h/b\n";
    let around =
        |coding: &str, text: &str| format!("Content-Type: message/rfc822\n{coding}\n{text}");
    let base64 = data_encoding::BASE64_MIME.encode(inner.as_bytes());
    let coded = around("Content-Transfer-Encoding: base64\n", &base64);
    for message in [around("", inner), coded] {
        let part = around("", &message);
        let text = format!(
            "From: a@b.example\nSubject: x\nContent-Type: multipart/mixed; boundary=b\n\n\
            --b\n\nx\n--b\n{part}\n--b--\n"
        );
        let (records, _) = scan("numbers", &text, &[]);
        let parts: Vec<_> =
            records.iter().filter_map(|record| record["message"]["part"].as_str()).collect();
        assert_eq!(parts, ["2.1", "2.1.1"], "{text}");
    }
}

#[test]
fn lines_of_a_body_in_a_coded_message_are_its_own() {
    let inner = two_forms("http://h/a\nx http://h/b", "z\nhttp://h/c");
    let head = "From: a@b.example\nSubject: x\nContent-Type: message/rfc822\n\
        Content-Transfer-Encoding: base64\n\n";
    let inner = inner.replace("Subject: x", "Subject: http://h/s");
    let coded = format!("{head}{}", data_encoding::BASE64_MIME.encode(inner.as_bytes()));
    let (records, _) = scan("own-lines", &coded, &[]);
    let places: Vec<_> = records
        .iter()
        .map(|record| {
            let place = &record["place"]["decoded"];
            (record["uri"].as_str(), place["line"].as_u64(), place["column"].as_u64())
        })
        .collect();
    let wanted =
        [("http://h/s", 2, 10), ("http://h/a", 1, 1), ("http://h/b", 2, 3), ("http://h/c", 2, 1)];
    assert_eq!(places, wanted.map(|(uri, line, column)| (Some(uri), Some(line), Some(column))));
}

#[test]
fn a_field_has_its_name_and_its_rule_however_long_it_is() {
    // Longer than two pieces: nothing of its beginning is in sight at its end.
    let lines = |text: &str| format!(" {text}\n").repeat(1_100_000 / text.len());
    let text = format!(
        "From: a@b.example\nTo: b@b.example\nReferences:\n{}\
         List-Post: <mailto:a@b.example> (\n{} ) <http://h/last>\nX-A:\n{}\
         Subject: http://h/s\n\nhttp://h/b\n",
        lines("<http://h/1@x>"),
        lines("<http://h/no>"),
        lines("http://h/a x")
    );
    let (found, summary) = scan("long-fields", &text, &[]);
    let count =
        |header: &str| found.iter().filter(|record| record["message"]["header"] == header).count();
    let texts = 1_100_000 / "http://h/a x".len();
    assert_eq!((count("List-Post"), count("X-A"), count("Subject")), (2, texts, 1));
    assert_eq!(summary["findings"], 4 + texts);
    let skipped = ["<http://h/1@x>", "<http://h/no>"].map(|text| 1_100_000 / text.len());
    assert_eq!(
        [&summary["skipped"]["trace-field"], &summary["skipped"]["field-comment"]],
        skipped.map(Value::from).each_ref()
    );
}

#[test]
fn every_number_of_threads_finds_the_same_twins() {
    let one = two_forms("http://h/a http://h/b", "http://h/b http://h/a");
    let separator = "From a@b.example Thu Dec  1 00:00:00 1994\n";
    let text = format!("{separator}{one}\n").repeat(5000);
    let one = scan("one", &text, &["--threads", "1"]);
    assert_eq!(one.1["skipped"]["twin"], 10_000);
    assert!(one == scan("three", &text, &["--threads", "3"]));
}

#[test]
fn files_of_a_maildir_are_messages_by_content() {
    let home = directory("maildir");
    std::fs::create_dir_all(home.join("cur")).expect("a directory");
    let message = "Return-Path: <a@b.example>\nSubject: x\nContent-Transfer-Encoding: \
        quoted-printable\n\nhttp://www.example.org/a=\nb\n";
    std::fs::write(home.join("cur/1:2,S"), message).expect("a file");
    let found = records(&home, &["."]);
    assert_eq!(found[0]["uri"], "http://www.example.org/ab");
    assert_eq!(found[1]["messages"], 1);
}

/// The URIs of a scan of `text` as mail.
fn uris(name: &str, text: &[u8]) -> Vec<String> {
    let home = directory(name);
    std::fs::write(home.join("a"), text).expect("a file");
    let uri = |record: &Value| record["uri"].as_str().map(str::to_owned);
    records(&home, &["--as", "mail", "a"]).iter().filter_map(uri).collect()
}

#[test]
fn a_header_ends_with_its_message() {
    let located = "From: a@b.example\nContent-Location: http://h.ex\n ample/q";
    let words = "From: a@b.example\nSubject: =?utf-8?Q?http=3A//h.example/q?=";
    let url = "From: a@b.example\nContent-Type: message/external-body; access-type=URL;\n \
        URL*0=\"http://h\";\n URL*1=\".example/q\"";
    for header in [located, words, url] {
        let in_box = format!("From a@b.example Thu Dec  1 00:00:00 1994\n{header}");
        let inside = format!("From: a@b.example\nContent-Type: message/rfc822\n\n{header}");
        let part = format!(
            "From: a@b.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\n{header}"
        );
        for (text, end) in [header, &in_box, &inside, &part]
            .into_iter()
            .flat_map(|text| ["", "\n", "\r\n", "\n\n"].map(|end| (text, end)))
        {
            let text = format!("{text}{end}");
            assert_eq!(uris("header-only", text.as_bytes()), ["http://h.example/q"], "{text:?}");
        }
    }
    let separator = "From a@b.example Thu Dec  1 00:00:00 1994\n";
    let two = format!("{separator}{located}\n{separator}{words}\n");
    assert_eq!(uris("two-headers", two.as_bytes()), ["http://h.example/q"; 2]);
}

#[test]
fn each_encoded_word_is_in_its_own_charset() {
    for (subject, uri) in [
        ("=?koi8-r?Q?=C4=CF=CD?= =?utf-8?Q?_http=3A//h.example/=D0=B4?=", "http://h.example/д"),
        ("=?utf-8?Q?http=3A//h.example/=D0=B4?=\n =?koi8-r?B?xA==?= x", "http://h.example/дд"),
        (
            "=?iso-2022-jp?B?GyRCNEE=?= =?koi8-r?Q?http=3A//h.ex?= =?us-ascii*en?Q?ample/?=",
            "http://h.example/",
        ),
        (
            "=?utf-8?Q?=C3=A9?= http://h.example/\u{434} =?koi8-r?Q?=C4?=",
            "http://h.example/\u{434}",
        ),
        ("=?UTF-16BE?B?AGgAdAB0AHAAOgAvAC8AaAAvBDQ=?= x", "http://h/\u{434}"),
        ("x =?utf-16?B?//5oAHQAdABwADoALwAvAGgALwA=?= x", "http://h/"),
        ("=?utf-16?Q?http://h/?= =?utf-7?Q?a+AD0-b?=", "http://h/a=b"),
        ("=?eucgb2312_cn?b?aHR0cDovL2gv1tA=?=", "http://h/\u{4e2d}"),
        ("=?big5_tw?b?aHR0cDovL2gvpKQ=?=", "http://h/\u{4e2d}"),
    ] {
        let text = format!("From: a@b.example\nSubject: {subject}\n\nx\n");
        assert_eq!(uris("words", text.as_bytes()), [uri], "{subject}");
    }
}

/// RFC 1557 has the set named once, at the beginning of the text.
#[test]
fn korean_text_is_decoded_after_where_a_piece_may_end() {
    let lines = "\x1B$)C".to_owned() + &"\x0E0!\x0F letter\n\n".repeat(60_000);
    let link = "<http://h.example/\x0E0!\x0F> ok\n";
    for (coding, text) in
        [("8bit", lines.clone()), ("quoted-printable", lines.replace('\x1B', "=1B"))]
    {
        let text = format!(
            "From: a@b.example\nContent-Type: text/plain; charset=iso-2022-kr\n\
             Content-Transfer-Encoding: {coding}\n\n{text}{link}"
        );
        assert_eq!(uris("korean", text.as_bytes()), ["http://h.example/가"], "{coding}");
    }
}

/// A message of one part with `fields`, and `body`.
fn message(fields: &str, body: &[u8]) -> Vec<u8> {
    [format!("From: a@b.example\nTo: c@d.example\n{fields}\n\n").as_bytes(), body].concat()
}

fn in_base64(body: &[u8]) -> Vec<u8> {
    data_encoding::BASE64.encode(body).into_bytes()
}

/// `text` in UTF-16, each unit by `bytes`.
fn wide(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

#[test]
fn what_claims_to_be_wide_and_is_not_is_read_as_it_stands() {
    for label in ["utf-16", "unicode", "utf-16le", "utf-32", "iso-10646-ucs-2"] {
        for (coding, body) in [
            ("7bit", b"see http://h.example/a\n".to_vec()),
            ("quoted-printable", b"see http://h.example/=\na\n".to_vec()),
            ("base64", in_base64(b"see http://h.example/a\n")),
        ] {
            let fields = format!(
                "Content-Type: text/plain; charset={label}\nContent-Transfer-Encoding: {coding}"
            );
            let found = uris("not-wide", &message(&fields, &body));
            assert_eq!(found, ["http://h.example/a"], "{label} in {coding}");
        }
    }
}

#[test]
fn a_byte_order_mark_says_more_than_a_label() {
    let text = "see http://h.example/a\u{e4} there\r\n";
    let marked = format!("\u{feff}{text}");
    let (little, big) = (u16::to_le_bytes, u16::to_be_bytes);
    for (label, body) in [
        ("", wide(&marked, little)),
        ("", wide(&marked, big)),
        ("; charset=utf-8", wide(&marked, little)),
        ("; charset=iso-8859-1", wide(&marked, big)),
        ("; charset=utf-16", wide(&marked, little)),
        ("; charset=utf-16le", wide(&marked, big)),
        ("; charset=utf-16", wide(text, little)),
        ("; charset=utf-16", wide(text, big)),
        ("; charset=utf-16le", wide(text, little)),
        ("; charset=utf-16be", wide(text, big)),
    ] {
        let fields = format!("Content-Type: text/plain{label}\nContent-Transfer-Encoding: base64");
        let found = uris("marked", &message(&fields, &in_base64(&body)));
        assert_eq!(found, ["http://h.example/a\u{e4}"], "{label} {:?}", body.get(..4));
    }
}

/// Many Chinese characters have a zero as their second byte in UTF-16, and so has the Chinese
/// blank.
#[test]
fn the_order_of_wide_text_is_told_by_its_blanks() {
    for (label, text) in [
        ("utf-16be", format!("\u{4e00}\u{5c01}{}\nhttp://h.example/a", "\u{4fe1}".repeat(70))),
        ("utf-16", format!("{} see http://h.example/a", "\u{3000}\u{3053}".repeat(90))),
    ] {
        let body = in_base64(&wide(&text, u16::to_be_bytes));
        let fields =
            format!("Content-Type: text/plain; charset={label}\nContent-Transfer-Encoding: base64");
        assert_eq!(uris("order", &message(&fields, &body)), ["http://h.example/a"], "{label}");
    }
    let bytes = b"\xFF\xFE see http://h.example/a and more";
    let fields = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64";
    let found = uris("no-mark", &message(fields, &in_base64(bytes)));
    assert_eq!(found, ["http://h.example/a"], "it reads as no UTF-16");
}

#[test]
fn a_message_whose_body_is_wide_does_not_make_its_box_so() {
    let wide = wide(&"see http://h.example/a there\n".repeat(400), u16::to_le_bytes);
    let fields = "Subject: http://first.example/\nContent-Type: text/plain; charset=utf-16le";
    let first = message(fields, &wide);
    let separator = b"From a@b.example Thu Dec  1 00:00:00 1994\n".as_slice();
    let second = message("Subject: http://second.example/", b"x\n");
    let text = [separator, &first, b"\n\n", separator, &second].concat();
    let found = uris("wide-body", &text);
    assert_eq!(found.first().map(String::as_str), Some("http://first.example/"));
    assert_eq!(found.last().map(String::as_str), Some("http://second.example/"));
}

#[test]
fn labels_of_charsets_are_read_as_people_write_them() {
    let legacy = b"<http://h.example/\xE4>\n".as_slice();
    let wide = in_base64(&wide("see http://h.example/\u{e4} \n", u16::to_le_bytes));
    for label in ["\" iso-8859-1 \"", "iso8859_1", "8859_1", "'latin-1'", "windows_1252", "cp-1252"]
    {
        let fields = format!("Content-Type: text/plain; charset={label}");
        let found = uris("labels", &message(&fields, legacy));
        assert_eq!(found, ["http://h.example/\u{e4}"], "{label}");
    }
    for label in ["\" utf-16le \"", "\"utf-16le;\"", "'utf-16le'", "<UTF-16LE>", "\"utf16le (c)\""]
    {
        let fields =
            format!("Content-Type: text/plain; charset={label}\nContent-Transfer-Encoding: base64");
        let found = uris("wide-labels", &message(&fields, &wide));
        assert_eq!(found, ["http://h.example/\u{e4}"], "{label}");
    }
    for (label, body, expected) in [
        ("cp932", b"<http://h.example/\x82\xA0>\n".as_slice(), "http://h.example/\u{3042}"),
        ("ms936", b"<http://h.example/\xD6\xD0>\n", "http://h.example/\u{4e2d}"),
        ("cp949", b"<http://h.example/\xB0\xA1>\n", "http://h.example/\u{ac00}"),
        ("big5-hkscs", b"<http://h.example/\xA4\xA4>\n", "http://h.example/\u{4e2d}"),
        ("eucjp", b"<http://h.example/\xA4\xA2>\n", "http://h.example/\u{3042}"),
        ("tis620", b"<http://h.example/\xA1>\n", "http://h.example/\u{e01}"),
    ] {
        finds_in_charset("code-pages", label, body, expected);
    }
}

#[track_caller]
fn finds_in_charset(name: &str, label: &str, body: &[u8], expected: &str) {
    let fields = format!("Content-Type: text/plain; charset={label}");
    let found = uris(name, &message(&fields, body));
    assert_eq!(found, [expected], "{label} {}", body.escape_ascii());
}

/// The last byte of such a letter may be one of US-ASCII, and is no part of a scheme.
#[test]
fn a_letter_of_two_bytes_before_a_scheme_is_no_part_of_it() {
    for (label, body, expected) in [
        ("big5", b"x\xA1Gmailto:joe@h.example x".as_slice(), "mailto:joe@h.example"),
        ("big5", b"x\xA1Ggopher://h.example/", "gopher://h.example/"),
        ("shift_jis", b"x\x83Shttp://h.example/", "http://h.example/"),
        ("gb18030", b"x\x81Aftp://h.example/", "ftp://h.example/"),
        ("euc-kr", b"x\x81Aftp://h.example/", "ftp://h.example/"),
        ("iso-8859-1", b"\xE4 http://h.example/", "http://h.example/"),
    ] {
        finds_in_charset("pairs", label, body, expected);
    }
}

#[test]
fn columns_in_decoded_text_count_characters_of_two_bytes() {
    let text = [b"\xA4\xA4".repeat(30).as_slice(), b" http://h.example/a\n"].concat();
    let home = directory("columns");
    let fields = "Content-Type: text/plain; charset=big5\nContent-Transfer-Encoding: base64";
    std::fs::write(home.join("a"), message(fields, &in_base64(&text))).expect("a file");
    let found = records(&home, &["a"]);
    assert_eq!(found[0]["place"]["decoded"]["column"], 32);
}

#[test]
fn the_header_of_a_message_that_is_elsewhere_is_read_as_one() {
    let header = "Subject: =?utf-8?B?aHR0cDovL3N1YmouZXhhbXBsZS8=?=\n\
                  Content-Location: http://h.example/a\n b\n";
    for kind in ["text/rfc822-headers", "message/global-headers"] {
        for (coding, body) in
            [("7bit", header.as_bytes().to_vec()), ("base64", in_base64(header.as_bytes()))]
        {
            let fields = format!("Content-Type: {kind}\nContent-Transfer-Encoding: {coding}");
            let found = uris("elsewhere", &message(&fields, &body));
            assert_eq!(found, ["http://subj.example/", "http://h.example/ab"], "{kind}, {coding}");
        }
    }
}

/// No shell interprets a text that was sent by mail.
#[test]
fn a_backslash_in_a_letter_stands_for_itself() {
    let text = br"http://h.example/?a=\~b&c http:\/\/i.example\/d";
    let found = uris("marks", &message("Content-Type: text/plain", text));
    assert_eq!(found, ["http://h.example/?a=", "http://i.example/d"]);
}

#[test]
fn folds_of_calendars_and_cards_stand_for_nothing() {
    let text = "BEGIN:VCALENDAR\nVERSION:2.0\n\
                DESCRIPTION:Join\\nhttps://h.example/j/123?pw\n d=QU\\,D\\n\n\
                URL:http\\://h.example/fol\n\tded\nEND:VCALENDAR\n";
    let expected = ["https://h.example/j/123?pwd=QU,D", "http://h.example/folded"];
    for kind in ["text/calendar; method=REQUEST", "text/vcard", "text/x-vcard", "TEXT/Directory"] {
        let fields = format!("Content-Type: {kind}");
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let found = uris("folds", &message(&fields, text.as_bytes()));
            assert_eq!(found, expected, "{kind}");
            let fields = format!("{fields}\nContent-Transfer-Encoding: base64");
            let found = uris("folds", &message(&fields, &in_base64(text.as_bytes())));
            assert_eq!(found, expected, "{kind}");
        }
    }
    // Calendars of some hold HTML, and say so nowhere.
    let text = "BEGIN:VCALENDAR\nDESCRIPTION:<a href=\"http://h.example/?a&amp;b\">x</a>\n";
    let found = uris("folds", &message("Content-Type: text/calendar", text.as_bytes()));
    assert_eq!(found, ["http://h.example/?a&b"]);
    let found = uris("folds", &message("Content-Type: text/plain", text.as_bytes()));
    assert_eq!(found, ["http://h.example/?a&amp;b"]);
    for begin in ["BEGIN:VCARD\nVERSION:2.1", "BEGIN:VCALENDAR\nVERSION:1.0", "a letter"] {
        let old = format!("{begin}\nNOTE:see http://h.example/a\n there\n");
        let found = uris("folds", &message("Content-Type: text/directory", old.as_bytes()));
        assert_eq!(found, ["http://h.example/a"], "{begin}: folded at blanks, which stay");
    }
}

#[test]
fn escapes_of_json_and_xml_are_read_as_what_they_stand_for() {
    let json = "{\"u\": \"http:\\/\\/h.example\\/?x\\u0026y\\nz\"}\n";
    let xml = "<a u=\"http://h.example/?x&amp;y\"/><![CDATA[\n\nhttp://h.example/?x&y]]>\n";
    for (kind, text) in [
        ("application/json", json),
        ("Application/vnd.api+JSON; charset=utf-8", json),
        ("text/xml; charset=us-ascii", xml),
        ("application/soap+xml", xml),
    ] {
        for coding in ["8bit", "base64"] {
            let body = if coding == "8bit" { text.into() } else { in_base64(text.as_bytes()) };
            let fields = format!("Content-Type: {kind}\nContent-Transfer-Encoding: {coding}");
            let found = uris("escapes", &message(&fields, &body));
            let expected = vec!["http://h.example/?x&y"; text.matches("http").count()];
            assert_eq!(found, expected, "{kind}, {coding}");
        }
    }
}

#[test]
fn nothing_flows_into_a_signature() {
    let fields = "Content-Type: text/plain; format=flowed; delsp=yes";
    for (body, expected) in [
        ("see http://h.example/a \n-- \nJoe\n", "http://h.example/a"),
        ("> see http://h.example/a \n> -- \n> Joe\n", "http://h.example/a"),
        ("see http://h.example/a \r\n-- \r\nJoe\r\n", "http://h.example/a"),
        ("see http://h.example/a \n--b\n", "http://h.example/a--b"),
    ] {
        assert_eq!(uris("signature", &message(fields, body.as_bytes())), [expected], "{body}");
    }
}

#[test]
fn a_question_mark_in_an_encoded_word_is_read_as_it_stands() {
    for (subject, expected) in [
        ("=?utf-8?Q?<http://h.example/u?id=3D1>?=", &["http://h.example/u?id=1"][..]),
        ("=?utf-8?Q?a =?utf-8?Q?http=3A//h.example/b?=", &["http://h.example/b"]),
        ("=?iso-8859-1*de?Q?http=3A//h.example/=E4?=", &["http://h.example/\u{e4}"]),
    ] {
        let found = uris("question", &message(&format!("Subject: {subject}"), b"x\n"));
        assert_eq!(found, expected, "{subject}");
    }
}

#[test]
fn messages_are_told_apart_after_lines_of_uucp() {
    let body = String::from_utf8(in_base64(b"see http://h.example/?a=b\n")).expect("US-ASCII");
    let separator = "From a@b.example Thu Dec  1 00:00:00 1994\n";
    let header = "From: a@b.example\nTo: c\nContent-Transfer-Encoding: base64\n";
    let way = ">From d@e.example Thu Dec  1 00:00:00 1994 remote from e\n";
    let uucp = format!("{separator}{way}{header}\n{body}\n\n");
    let usual = format!("{separator}{header}\n{body}\n\n");
    for (text, count) in [(format!("{uucp}{uucp}"), 2), (format!("{usual}{uucp}{usual}"), 3)] {
        let found = uris("uucp", text.as_bytes());
        assert_eq!(found, vec!["http://h.example/?a=b"; count], "{text}");
    }
}
