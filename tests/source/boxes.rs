//! Boxes of messages: every sample of corpus/mail/boxes and of corpus/news, read by path and
//! from standard input, with one thread and with two, as the tables beside them say.

#![expect(clippy::expect_used, reason = "a corpus that cannot be read must stop the tests")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::support::home::{self, records};

fn corpus(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(path)
}

/// The rows of a table, each with the name of its sample.
fn rows(table: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(corpus(table)).expect("the table is UTF-8 text");
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    let split = |row: &str| {
        let (name, rest) = row.split_once('\t').expect("a row has columns");
        (name.to_owned(), rest.to_owned())
    };
    rows.map(split).collect()
}

fn scan(sample: &Path, input: Stdio, threads: &str) -> Output {
    home::linktrawl()
        .args(["scan", "--quiet", "--format=ndjson", "--threads", threads])
        .arg(sample)
        .stdin(input)
        .output()
        .expect("the binary runs")
}

fn cell(record: &Value, pointer: &str) -> String {
    match record.pointer(pointer) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// A finding or a note as the tables have it.
fn row(record: &Value) -> Option<String> {
    let pointers: &[&str] = match record["type"].as_str()? {
        "finding" => &[
            "/message/number",
            "/message/id",
            "/message/list_id",
            "/message/part",
            "/place/line",
            "/place/column",
            "/place/offset",
            "/uri",
        ],
        "note" => &["/type", "/kind", "/place/offset"],
        _ => return None,
    };
    Some(pointers.iter().map(|pointer| cell(record, pointer)).collect::<Vec<_>>().join("\t"))
}

#[track_caller]
fn hold(sample: &Path, expected: &[String]) {
    let first = scan(sample, Stdio::null(), "1");
    let found: Vec<String> = records(&first).iter().filter_map(row).collect();
    assert_eq!(found.join("\n"), expected.join("\n"), "{sample:?}");
    assert_eq!(first.stdout, scan(sample, Stdio::null(), "2").stdout, "{sample:?}");
    for threads in ["1", "2"] {
        let input = File::open(sample).expect("the sample");
        let output = scan(Path::new("-"), input.into(), threads);
        let found: Vec<String> = records(&output).iter().filter_map(row).collect();
        assert_eq!(found.join("\n"), expected.join("\n"), "{sample:?} from standard input");
    }
}

/// Holds each sample in `folder` against its rows in `table`, and lets no sample go without.
fn hold_all(table: &str, folder: &str, samples: usize) {
    let rows = rows(table);
    let mut names: Vec<&String> = rows.iter().map(|(name, _)| name).collect();
    names.dedup();
    assert_eq!(names.len(), samples, "{names:?}");
    for name in names {
        let own = rows.iter().filter(|(sample, _)| sample == name);
        let own: Vec<String> = own.map(|(_, row)| row.clone()).collect();
        hold(&corpus(folder).join(name), &own);
    }
}

#[test]
fn mailboxes_are_read_as_their_table_says() {
    let samples = fs::read_dir(corpus("mail/boxes")).expect("the samples").count();
    hold_all("mail/boxes.tsv", "mail/boxes", samples);
}

/// The message and the number of each link in `text`, which is a mailbox.
fn numbered(text: &str) -> String {
    let found = found_in("separators.mbox", text.as_bytes());
    let cells = found.iter().map(|row| {
        let number = row.split('\t').next().unwrap_or_default();
        format!("{number}:{}", row.rsplit('/').next().unwrap_or_default())
    });
    cells.collect::<Vec<_>>().join(" ")
}

#[test]
fn lines_begin_messages_as_their_table_says() {
    for (why, row) in rows("mail/separators.tsv") {
        let (text, expected) = row.split_once('\t').expect("a mailbox and its links");
        for end in ["\n", "\r\n"] {
            assert_eq!(numbered(&text.replace('⏎', end)), expected, "{why}");
        }
    }
}

#[test]
fn a_header_ends_at_a_line_that_is_no_field() {
    let from = "From a@b.example Mon Jun  3 10:00:00 2024\n";
    let head = "From: a@b.example\nMessage-ID: <1@x>\nSubject: s\nDate: 3 Jun 2024 10:00:00 GMT\n";
    let quoted = "Content-Transfer-Encoding: quoted-printable\nHello all,\nhttp://b.example/?=3D1";
    let code = data_encoding::BASE64.encode(b"see http://b.example/?=1");
    let packed = format!("Content-Transfer-Encoding: base64\n{code}");
    let expected = |number| [format!("{number}\t<1@x>\t\t\t\thttp://b.example/?=1")];
    for body in [quoted, &packed] {
        for end in ["", "\n", "\n\nTo: c\n"] {
            let text = format!("{head}{body}{end}");
            for end in ["\n", "\r\n"] {
                let text = text.replace('\n', end);
                assert_eq!(found_in("run-in.eml", text.as_bytes()), expected(""), "{text}");
                assert_eq!(found_in("run-in", text.as_bytes()), expected(""), "{text}");
                let text = format!("{from}{text}").replace('\n', end).replace("\r\r", "\r");
                assert_eq!(found_in("run-in", text.as_bytes()), expected("1"), "{text}");
            }
        }
    }
}

#[test]
fn batches_are_read_as_their_table_says() {
    hold_all("news/batches.tsv", "news", 15);
}

/// The rows of what is found in `text`, without the places on disk.
fn found_in(name: &str, text: &[u8]) -> Vec<String> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("a file");
    let pointers =
        ["/message/number", "/message/id", "/message/list_id", "/message/part", "/kind", "/uri"];
    let row = |record: &Value| {
        let is_told = record["type"] == "finding" || record["type"] == "note";
        is_told.then(|| pointers.map(|pointer| cell(record, pointer)).join("\t"))
    };
    records(&scan(&path, Stdio::null(), "1")).iter().filter_map(row).collect()
}

#[test]
fn a_byte_order_mark_before_a_box_changes_no_finding() {
    let mut samples: Vec<PathBuf> = fs::read_dir(corpus("mail/boxes"))
        .expect("the samples")
        .map(|entry| entry.expect("a sample").path())
        .collect();
    samples.extend([corpus("news/batch"), corpus("mail/mime/quoted.eml")]);
    for sample in samples {
        let text = fs::read(&sample).expect("a sample");
        let plain = found_in("marked", &text);
        for before in [&b"\xEF\xBB\xBF"[..], b"\xEF\xBB\xBF\r\n", b"\0\n"] {
            assert_eq!(found_in("marked", &[before, &text].concat()), plain, "{sample:?}");
        }
    }
}

/// Returns a message in base64, which begins with `before` in place of its first field.
fn coded(before: &str, number: usize) -> String {
    let body = data_encoding::BASE64.encode(format!("see http://b.example/{number}\n").as_bytes());
    format!(
        "{before}From: a@b.example\nMessage-ID: <{number}@x>\nSubject: s\n\
         Content-Transfer-Encoding: base64\n\n{body}\n"
    )
}

#[test]
fn a_uri_on_a_line_of_its_own_is_no_field_that_begins_a_message() {
    let line = "From a@b.example Mon Jan  1 00:00:00 2001\n";
    let head = "From: a@b.example\nMessage-ID: <1@x>\nContent-Type: multipart/mixed; boundary=B\n";
    for uri in ["http://a.example/", "mailto:c@a.example"] {
        let text = format!(
            "{line}{head}\n--B\n\nFrom our announcement:\n{uri}\n--B\n\
             Content-Transfer-Encoding: base64\n\n{}--B--\n",
            coded("", 2).split_once("\n\n").expect("a header").1
        );
        let expected =
            [format!("1\t<1@x>\t\t1\t\t{uri}"), "1\t<1@x>\t\t2\t\thttp://b.example/2".to_owned()];
        assert_eq!(found_in("prose", text.as_bytes()), expected);
    }
}

#[test]
fn lines_that_programs_leave_in_the_head_of_a_message_are_of_it() {
    let from = "From a@b.example Mon Jan  1 00:00:00 2001\n";
    let expected = ["\t<1@x>\t\t\t\thttp://b.example/1"];
    // As UUCP and rmail leave it: whatever the file is called.
    for way in
        [format!(">{from}"), format!(">{from}>From c Mon Jan  1 00:00:00 2001 remote from d\n")]
    {
        let text = coded(&format!("{way}Return-Path: <a@b.example>\n"), 1);
        assert_eq!(found_in("way", text.as_bytes()), expected, "{text}");
    }
    let text = coded(&format!("Return-Path: <a@b.example>\n{from}"), 1);
    assert_eq!(found_in("inside.eml", text.as_bytes()), expected);
    // In a box, it begins the next message.
    let text = format!("{from}Return-Path: <a@b.example>\n{}", coded(from, 1));
    assert_eq!(found_in("inside", text.as_bytes()), ["2\t<1@x>\t\t\t\thttp://b.example/1"]);
}

#[test]
fn the_parts_of_a_message_are_found_after_a_comment_and_without_an_empty_line() {
    let part = coded("", 2);
    let body = part.split_once("\n\n").expect("a header").1;
    let part =
        format!("--B\nMessage-ID: <2@x>\nContent-Transfer-Encoding: base64\n\n{body}--B--\n");
    let expected = ["\t<1@x>\t\t1\t\thttp://b.example/2"];
    for (value, blank) in [
        ("multipart (d) / (e) mixed; boundary=B", "\n"),
        ("multipart/mixed; boundary=B", ""),
        ("multipart/mixed; boundary=\"B\"", "--C\n"),
    ] {
        let text = format!(
            "From: a@b\nMessage-ID: <1@x>\nContent-Type: {value}\nSubject: s\n{blank}{part}"
        );
        for name in ["parts.eml", "parts"] {
            // A line that is no boundary makes no message of what is not called so.
            if name == "parts.eml" || !blank.starts_with('-') {
                assert_eq!(found_in(name, text.as_bytes()), expected, "{text}");
            }
        }
    }
    let text = format!("From: a@b\nSubject: s\n--B\n\n{part}");
    assert_eq!(found_in("patch", text.as_bytes()), [""; 0], "nothing says what a part is");
}

#[test]
fn a_box_in_utf_16_is_one() {
    let from = "From a@b.example Mon Jan  1 00:00:00 2001\n";
    for lengths in ["", "Content-Length: 42\n"] {
        let text = format!("{}\n{}", coded(&format!("{from}{lengths}"), 1), coded(from, 2));
        let text = text.replace('\n', "\r\n");
        let coded: Vec<u8> =
            format!("\u{FEFF}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        let expected = [1, 2].map(|it| format!("{it}\t<{it}@x>\t\t\t\thttp://b.example/{it}"));
        assert_eq!(found_in("wide", &coded), expected);
        assert_eq!(found_in("wide.mbox", &coded), expected);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wide");
        let found = records(&scan(&path, Stdio::null(), "1"));
        let start = text.rfind("\r\n\r\n").expect("a body") + 4;
        assert_eq!(found[1]["place"]["offset"], 2 + 2 * (start + 5));
    }
}

#[test]
fn the_rest_of_a_box_is_one_where_it_is_called_a_box() {
    let separator = "From a@b.example Thu Dec  1 00:00:00 1994\n";
    let message = |number: usize| {
        format!(
            "From: a@b.example\nTo: c\nContent-Transfer-Encoding: quoted-printable\n\n\
             http://h.example/?{number}=3Da\n\n"
        )
    };
    let two = format!("{separator}{}{separator}{}", message(2), message(3));
    let way = "Received: by d.example\n".repeat(100);
    let head = "From: a@b.example\nTo: c\nContent-Type: multipart/mixed; boundary=b\n\n";
    let line = "words\n".repeat(500);
    for (rest, numbers) in [
        (format!("{way}{}{two}", message(1)), "123"),
        (format!("{head}--b\n\nhttp://h.example/?1=a\n{line}--b--\n\n{two}"), "123"),
        (format!("http://h.example/?1=a\n{line}\n{two}"), "123"),
        (format!("\u{FEFF}{}{two}", message(1)), "123"),
        // It is in a part of a letter.
        (
            format!("{head}--b\n\nhttp://h.example/?1=a\n\n{}--b--\n", two.replace("=3D", "=")),
            "---",
        ),
    ] {
        let expected: Vec<_> = (1..=3)
            .zip(numbers.chars())
            .map(|(uri, number)| (number.to_string().replace('-', ""), uri))
            .map(|(number, uri)| format!("{number} http://h.example/?{uri}=a"))
            .collect();
        let found = found_in("rest.mbox", rest.as_bytes());
        let cells = |row: &String| row.split('\t').map(str::to_owned).collect::<Vec<_>>();
        let found: Vec<_> =
            found.iter().map(cells).map(|row| format!("{} {}", row[0], row[5])).collect();
        assert_eq!(found, expected, "{rest}");
    }
    // One message may quote others.
    let quotes = format!("{way}{}{two}", message(1));
    let numbers = found_in("rest.eml", quotes.as_bytes()).into_iter();
    let numbers: Vec<_> =
        numbers.map(|row| row[..row.find('\t').unwrap_or(0)].to_owned()).collect();
    assert_eq!(numbers, ["", "", ""]);
}

/// Returns the places of the findings in a sample: members, and the offset in the file for a
/// finding outside of members.
fn places(sample: &str) -> (Vec<(String, String)>, Option<i32>) {
    let output = scan(&corpus("news").join(sample), Stdio::null(), "1");
    let place = |record: Value| {
        (record["type"] == "finding")
            .then(|| (cell(&record, "/place/members"), cell(&record, "/place/file_offset")))
    };
    (records(&output).into_iter().filter_map(place).collect(), output.status.code())
}

#[test]
fn batches_after_others_are_members_that_are_called_by_their_numbers() {
    let hold = |sample: &str, expected: &[(&str, &str)], code: i32| {
        let owned =
            |(members, offset): &(&str, &str)| ((*members).to_owned(), (*offset).to_owned());
        let expected: Vec<_> = expected.iter().map(owned).collect();
        assert_eq!(places(sample), (expected, Some(code)), "{sample}");
    };
    let (two, three) = (r#"["2"]"#, r#"["3"]"#);
    let joined = [
        ("[]", "194"),
        ("[]", "489"),
        (two, ""),
        (two, ""),
        (three, ""),
        (r#"["4"]"#, ""),
        (r#"["5"]"#, ""),
    ];
    hold("joined", &joined, 0);
    hold("doubled", &[("[]", ""), (two, "")], 0);
    hold("miscounted", &[("[]", "194"), (two, "")], 0);
    // An unread batch makes the run incomplete.
    hold("half-read", &[("[]", "194"), (three, "")], 2);
}

/// A message may have few fields, or the form of one program.
#[test]
fn messages_are_known_and_end_where_their_writers_say() {
    let coded = "Content-Transfer-Encoding: quoted-printable\n\nhttp://h/a=3Db\n";
    let whole = format!("From: a@b.example\nSubject: c\n{coded}");
    let uri = |row: &str| row.rsplit('\t').next().map(str::to_owned);
    let hold = |name: &str, text: &str| {
        let found: Vec<_> =
            found_in(name, text.as_bytes()).iter().filter_map(|row| uri(row)).collect();
        assert_eq!(found, ["http://h/a=b"], "{name}: {text}");
    };
    for field in ["From: a@b.example", "MIME-Version: 1.0", "Return-Path: <a@b.example>"] {
        hold("few-fields", &format!("{field}\n{coded}"));
    }
    let type_of = "Content-Type: message/partial; id=\"a\"; number=";
    hold("partial.eml", &format!("From: a@b.example\n{type_of}1; total=2\n\n{whole}"));
    let properties = "<?xml version=\"1.0\"?>\n<!DOCTYPE plist \"http://h/properties\">\n";
    hold("1.emlx", &format!("{}   \n{whole}{properties}", whole.len()));
}
