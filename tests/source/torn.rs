//! A link that touches the place where reading stopped may be longer: it warns, and is not
//! requested.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;

use crate::support::home::{self, records};

/// A gzip stream of `text` that says it is longer.
fn cut_gzip(text: &[u8]) -> Vec<u8> {
    let len = u16::try_from(text.len() + 9).expect("a short text");
    let header = b"\x1F\x8B\x08\0\0\0\0\0\0\x03\x01";
    [header, &len.to_le_bytes()[..], &(!len).to_le_bytes(), text].concat()
}

#[test]
fn a_link_where_a_stream_is_cut_may_be_longer() {
    const MAIL: &str =
        "From: a@h.example\nTo: b@h.example\nDate: Mon, 3 Jun 2024 10:00:00 +0000\n\n";
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("a.gz");
    let case = |text: &str, cut: &[&str]| {
        fs::write(&path, cut_gzip(text.as_bytes())).expect("a file");
        let mut command = home::linktrawl();
        command.args(["scan", "--quiet", "--no-config", "--format=ndjson"]).arg(&path);
        let output = command.output().expect("it runs");
        let records = records(&output);
        let is_cut = |record: &&serde_json::Value| record["warnings"][0]["rule"] == "cut-short";
        let found: Vec<_> = records.iter().filter(is_cut).map(|it| &it["uri"]).collect();
        assert_eq!(found, cut, "{text:?}: {records:?}");
        assert!(records.iter().any(|it| it["kind"] == "archive-truncated"), "{records:?}");
    };
    case("see https://h.example/a/b/in", &["https://h.example/a/b/in"]);
    case("https://h.example/a https://h.exampl", &["https://h.exampl"]);
    case("see https://h.example/a.", &["https://h.example/a"]);
    case("see https://h.example/a\n", &[]);
    case("see <https://h.example/a>", &[]);
    case("<!DOCTYPE html><a href=\"https://h.example/a/b", &["https://h.example/a/b"]);
    case("<!DOCTYPE html><a href=\"https://h.example/a/b\"", &[]);
    case(&[MAIL, "see https://h.example/a"].concat(), &["https://h.example/a"]);
    case(&[MAIL, "see https://h.example/a b"].concat(), &[]);
    // The next line may begin with a blank.
    let calendar = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nURL:https://h.exam\r\n ple/a";
    for (rest, is_cut) in
        [("", true), ("\r\n", true), ("\r\n ", true), ("\r\nUID", false), (" b\r\n", false)]
    {
        let cut: &[&str] = if is_cut { &["https://h.example/a"] } else { &[] };
        case(&[calendar, rest].concat(), cut);
        let head = MAIL.replace("\n\n", "\nContent-Type: text/calendar\n\n");
        case(&[head.as_str(), calendar, rest].concat(), cut);
    }
}
