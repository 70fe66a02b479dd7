//! Offers to unsubscribe, by `corpus/mail/unsubscribe.tsv`: what is warned of, on which link or in
//! which note, wherever the text is cut, and in reports that have no messages.

use std::path::Path;

use linktrawl::internal::source::InputKind;

use crate::support::home;
use crate::support::pieces::{WHOLE, read, same_wherever_cut};

const ROWS: &str = include_str!("../../corpus/mail/unsubscribe.tsv");

/// A row: the fields, the lints on the first link of List-Unsubscribe, and those of the note.
fn rows() -> impl Iterator<Item = (usize, String, [Vec<&'static str>; 2])> {
    ROWS.lines().zip(1..).filter(|(row, _)| !row.starts_with('#')).map(|(row, line)| {
        let columns: Vec<_> = row.split('\t').collect();
        let [fields, link, note, _why] = columns.try_into().expect("4 columns");
        let fields = fields.replace("\\n", "\n").replace("\\t", "\t");
        let ids = |ids: &'static str| ids.split(',').filter(|id| !id.is_empty()).collect();
        (line, fields, [ids(link), ids(note)])
    })
}

fn message(fields: &str) -> String {
    format!("From: a@h.example\nTo: b@h.example\n{fields}\nSubject: a\n\nsee http://b.example/\n")
}

/// The lints of a finding, as its record prints them: its own come last.
fn ids(record: &str) -> Vec<&str> {
    let own = record.rsplit_once(" [").expect("warnings").1;
    own.split("Lint { id: \"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_offer_gets_its_warnings_on_its_first_link_or_in_a_note() {
    let (mut links, mut notes) = (0, 0);
    for (line, fields, [wanted, noted]) in rows() {
        let (reading, _) = read(message(&fields).as_bytes(), InputKind::Mail, WHOLE);
        let warned: Vec<_> = reading
            .findings
            .iter()
            .map(|record| ids(record))
            .filter(|ids| !ids.is_empty())
            .collect();
        let expected: Vec<_> = Some(wanted).filter(|ids| !ids.is_empty()).into_iter().collect();
        assert_eq!(warned, expected, "line {line}: {fields}");
        let first = reading.findings.iter().position(|record| !ids(record).is_empty());
        assert!(first.is_none_or(|first| first == 0), "line {line}: the first link carries them");
        let told: Vec<Vec<_>> = reading
            .offers
            .iter()
            .map(|(_, text)| {
                text.split("; ").filter_map(|one| Some(one.split_once(": ")?.0)).collect()
            })
            .collect();
        let expected: Vec<_> = Some(noted).filter(|ids| !ids.is_empty()).into_iter().collect();
        assert_eq!(told, expected, "line {line}: {fields}");
        (links, notes) = (links + warned.len(), notes + told.len());
    }
    assert!(links >= 20 && notes >= 5, "{links} {notes}");
}

/// The fields of one message are in different pieces, and those of two in one.
#[test]
fn warnings_are_the_same_wherever_a_mailbox_is_cut() {
    let wanted = ["no comma between", "two at once", "no List-Unsubscribe", "folded names"];
    let chosen = |(_, fields, _): &(usize, String, _)| {
        let row = ROWS.lines().find(|row| row.replace("\\n", "\n").starts_with(fields.as_str()));
        row.is_some_and(|row| wanted.iter().any(|why| row.ends_with(why)))
    };
    let mut text = String::new();
    for (_, fields, _) in rows().filter(chosen) {
        text.push_str("From a@h.example Mon Jan  1 10:00:00 2001\n");
        text.push_str(&message(&fields));
        text.push('\n');
    }
    let (reading, _) = read(text.as_bytes(), InputKind::Mail, WHOLE);
    let warned = reading.findings.iter().filter(|record| !ids(record).is_empty()).count();
    assert!(warned >= 1 && reading.offers.len() == 1, "{warned} {:?}", reading.offers);
    same_wherever_cut("offers", text.as_bytes(), InputKind::Mail);
}

/// A forwarded message is content: its offers are not for its reader.
#[test]
fn a_message_in_another_is_not_warned_of() {
    let pair = "List-Unsubscribe: <http://h.example/l>\n\
                List-Unsubscribe-Post: List-Unsubscribe=One-Click";
    let outer = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b";
    let inner = message(pair);
    let text = |fields: &str| {
        format!(
            "From: a@h.example\nTo: b@h.example\n{fields}{outer}\n\n--b\n\
             Content-Type: message/rfc822\n\n{inner}\n--b--\n"
        )
    };
    let warned = |text: &str| {
        let (reading, _) = read(text.as_bytes(), InputKind::Mail, WHOLE);
        let warned = reading.findings.iter().filter(|record| !ids(record).is_empty()).count();
        (reading.findings.len(), warned, reading.offers.len())
    };
    assert_eq!(warned(&text("")), (2, 0, 0));
    // The same link in both messages: only that of the outer one carries the warning.
    assert_eq!(warned(&text(&format!("{pair}\n"))), (3, 1, 0));
}

fn scan(name: &str, args: &[&str]) -> (String, String) {
    let (code, stdout, stderr) = outcome(name, args);
    assert_eq!(code, Some(0), "{stderr}");
    (stdout, stderr)
}

fn outcome(name: &str, args: &[&str]) -> (Option<i32>, String, String) {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unsubscribe");
    let output = home::linktrawl()
        .current_dir(&home)
        .args(["scan", "--color=never", name])
        .args(args)
        .output()
        .expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn write(name: &str, text: &str) {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unsubscribe");
    std::fs::create_dir_all(&home).expect("a directory");
    std::fs::write(home.join(name), text).expect("a file");
}

#[test]
fn text_warns_as_records_do_and_what_is_allowed_is_not_warned_of() {
    let pair = "List-Unsubscribe: <http://h.example/l?hunter2>\n\
                List-Unsubscribe-Post: hunter2=One-Click";
    write("pair.eml", &message(pair));
    let (stdout, _) = scan("pair.eml", &["--allow", "one-click-unsigned"]);
    let lines: Vec<_> = stdout.lines().take(2).collect();
    assert_eq!(
        lines,
        [
            "pair.eml:3:20: warn[one-click-https]: http://h.example/l?hunter2: List-Unsubscribe \
             has no HTTPS URI to post to (RFC 8058 \u{A7}3.1)",
            "pair.eml:3:20: warn[one-click-value]: http://h.example/l?hunter2: \
             List-Unsubscribe-Post is not `List-Unsubscribe=One-Click` (RFC 8058 \u{A7}3.1)",
        ]
    );
    let (records, _) = scan("pair.eml", &["--format", "ndjson"]);
    let record = records.lines().next().expect("a record");
    for id in ["one-click-https", "one-click-value", "one-click-unsigned"] {
        assert!(record.contains(id), "{record}");
    }
    let all = "one-click-https,one-click-value,one-click-unsigned";
    assert!(!scan("pair.eml", &["--allow", all]).0.contains("warn"));

    // A note names the field and quotes none of it.
    write("alone.eml", &message("List-Unsubscribe-Post: hunter2=One-Click"));
    let (_, stderr) = scan("alone.eml", &[]);
    assert!(stderr.contains("one-click-alone: List-Unsubscribe-Post has no"), "{stderr}");
    assert!(stderr.contains("one-click-value: ") && !stderr.contains("hunter2"), "{stderr}");
    let (_, stderr) = scan("alone.eml", &["--allow", "one-click-alone,one-click-value"]);
    assert!(!stderr.contains("one-click"), "{stderr}");
}

#[test]
fn a_note_with_a_warning_fails_a_run_that_fails_on_warnings() {
    for (fields, wanted) in [
        ("List-Unsubscribe: https://b.example/u", 1),
        ("List-Unsubscribe:", 1),
        ("List-Unsubscribe: <>", 1),
        ("List-Unsubscribe: NO", 1),
        ("List-Unsubscribe-Post: List-Unsubscribe=One-Click", 1),
        ("List-Unsubscribe: <https://b.example/u>", 0),
    ] {
        write("fails.eml", &message(fields));
        assert_eq!(outcome("fails.eml", &["--fail-on=warn"]).0, Some(wanted), "{fields}");
        assert_eq!(outcome("fails.eml", &["-q", "--fail-on=warn"]).0, Some(wanted), "{fields}");
        assert_eq!(outcome("fails.eml", &[]).0, Some(0), "{fields}");
        let allowed = "--allow=unsubscribe-syntax,one-click-alone";
        assert_eq!(outcome("fails.eml", &["--fail-on=warn", allowed]).0, Some(0), "{fields}");
    }
}
