//! No password of a saved run shows, though another program wrote the run: each row of
//! corpus/grammar/secrets.tsv in each place of a record, through every format.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use data_encoding::BASE64;
use linktrawl::internal::report::REPORTS;
use linktrawl::internal::uri::Redacted;
use serde_json::{Value, json};

use crate::secrets::{directory, leak, leak_of, printed, report, rows, secret_rows};

/// A link that has nothing to hide, and the word in it that each format shows.
const SHOWN: &str = "http://shown.example/";
const SHOWN_WORD: &str = "shown";

/// A finding of which each text is or holds `uri`.
fn finding(uri: &[u8]) -> Value {
    let bytes = BASE64.encode(uri);
    let text = String::from_utf8_lossy(uri);
    let inside = format!("a {text}");
    let place = json!({
        "path": text, "path_bytes": bytes, "members": [text], "members_bytes": [bytes],
        "offset": 0, "len": 1, "line": 3, "column": 2, "file_offset": 0
    });
    let fault = json!({
        "grammar": "current", "ok": false, "rule": "host", "at": 3, "expected": inside,
        "spec": inside, "message": inside, "hint": text
    });
    json!({
        "type": "finding", "raw": text, "raw_bytes": bytes, "uri": text, "uri_bytes": bytes,
        "cue": "bare", "scheme": "http", "place": place, "base": text, "base_bytes": bytes,
        "wrapped_by": ["safelinks"], "target": text, "target_unknown": inside,
        "message": {
            "id": text, "id_bytes": bytes, "date": null, "list_id": text, "list_id_bytes": bytes,
            "number": 1, "header": text, "header_bytes": bytes, "part": null
        },
        "twins": [{"part": null, "place": place}], "syntax": fault, "also": [fault],
        "warnings": [{"rule": "password", "at": 0, "message": inside, "spec": inside}],
        "reach": {
            "class": "not-found", "probe": "http", "status": 404, "message": inside,
            "message_bytes": bytes, "hops": [{"status": 301, "to": text, "to_bytes": bytes}],
            "hint": text, "hint_bytes": bytes
        },
        "verdict": "error", "archived": true,
        "memento": {"uri": text, "datetime": "2001-02-03T00:00:00Z", "archive": inside},
        "later": {(text.to_string()): [text]}
    })
}

/// A run that finds each of `uris`.
fn run(uris: &[Vec<u8>]) -> String {
    let note = |uri: &Vec<u8>| {
        let text = String::from_utf8_lossy(uri);
        let place = json!({"path": text, "members": [text], "offset": null});
        json!({"type": "note", "kind": "vanished", "message": text, "place": place})
    };
    let count = uris.len();
    let summary = json!({
        "type": "summary", "schema": 1, "complete": true, "files": 1, "bytes": 1, "messages": 0,
        "findings": count, "distinct": count,
        "verdicts": {"ok": 0, "warn": 0, "error": count, "skipped": 0}, "skipped": {}
    });
    let lines = uris.iter().flat_map(|uri| [finding(uri), note(uri)]).chain([summary]);
    lines.map(|line| format!("{line}\n")).collect()
}

fn saved(home: &Path, name: &str, text: &str) -> Vec<u8> {
    let path = home.join(name);
    fs::write(&path, text).expect("a file");
    path.as_os_str().as_bytes().to_vec()
}

#[test]
fn no_format_shows_a_password_of_a_saved_run() {
    let home = directory("saved");
    let secrets = secret_rows().into_iter().map(|row| row.text);
    let uris: Vec<_> = std::iter::once(SHOWN.into()).chain(secrets).collect();
    assert!(uris.len() > 100);
    let text = run(&uris);
    assert!(leak(text.as_bytes()).is_some(), "the run itself holds them");
    let path = saved(&home, "run", &text);
    let mut leaks = Vec::new();
    for format in REPORTS.iter().map(|report| report.name()) {
        let args = [&b"report"[..], b"--format", format.as_bytes(), &path];
        let printed = printed(&args, b"");
        leaks.extend(leak(&printed).map(|leak| format!("{format}: {leak}")));
        let is_shown = printed.windows(SHOWN_WORD.len()).any(|it| it == SHOWN_WORD.as_bytes());
        assert!(is_shown, "{format} shows no link at all");
    }
    report(&leaks);
}

#[test]
fn comparisons_and_complaints_show_no_password_of_a_saved_run() {
    let home = directory("saved_compared");
    let uris: Vec<_> = secret_rows().into_iter().map(|row| row.text).collect();
    let (first, second) = uris.split_at(uris.len() / 2);
    let [old, new] = [("old", first), ("new", second)].map(|(name, uris)| {
        let text = run(uris);
        saved(&home, name, &text)
    });
    let mut leaks = Vec::new();
    for format in [&b"text"[..], b"json", b"markdown", b"html"] {
        leaks
            .extend(leak_of(&[&b"report"[..], b"--compare", &old, &new, b"--format", format], b""));
    }
    for uri in uris {
        let text = String::from_utf8_lossy(&uri).into_owned();
        let [kind, mut verdict] = [json!({ "type": text }), finding(b"a:b")];
        verdict["verdict"] = json!(text);
        leaks.extend(leak_of(&[b"report", b"-"], format!("{kind}\n").as_bytes()));
        leaks.extend(leak_of(&[b"fix", b"--from", b"-"], format!("{verdict}\n").as_bytes()));
    }
    report(&leaks);
}

/// A text that was redacted once stays as it is, so that the report of our own saved run is the
/// same, byte for byte.
#[test]
fn nothing_more_is_hidden_in_what_is_shown() {
    for row in rows() {
        let shown = Redacted::new(&row.shown).shown().into_owned();
        assert_eq!(shown.escape_ascii().to_string(), row.shown.escape_ascii().to_string());
    }
}
