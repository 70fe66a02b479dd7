//! The `gitlab` format: a Code Quality report, one JSON array ("Code Quality report format" of
//! GitLab's documentation).
//!
//! GitLab distinguishes old problems from new ones by fingerprints. Ours combine path, name and
//! link, but not the line, so that they are stable when text moves; repetitions in a file are
//! numbered.

use std::collections::HashMap;
use std::fmt::Write as _;

use ring::digest::{SHA256, digest};
use serde::Serialize;

use super::entry::{Entry, Level, entries, note_entry};
use super::escape::json::append_value;
use super::record::{NoteRecord, Record, SummaryRecord};
use super::{Document, Form, Report};

/// The `gitlab` format.
pub struct Gitlab;

impl Report for Gitlab {
    fn name(&self) -> &'static str {
        "gitlab"
    }

    fn about(&self) -> &'static str {
        "a Code Quality report of GitLab, with fingerprints that stay when lines move"
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Issues::default()))
    }
}

/// The identity of a problem in a file: half of a SHA-256, so that accidental collisions are
/// negligible.
type Key = [u8; 16];

/// The issues, which are written at once.
#[derive(Default)]
struct Issues {
    /// The number of occurrences of each problem so far.
    times: HashMap<Key, u64>,
}

impl Issues {
    fn add(&mut self, entry: &Entry, out: &mut Vec<u8>) {
        out.extend_from_slice(if self.times.is_empty() { b"\n" } else { b",\n" });
        let key = key(entry);
        let times = self.times.entry(key).or_default();
        *times += 1;
        let issue = Issue {
            description: &entry.words,
            check_name: &entry.code,
            fingerprint: fingerprint(&key, *times),
            severity: match entry.level {
                Level::Loss => "critical",
                Level::Error => "major",
                Level::Warning => "minor",
                Level::Info => "info",
            },
            location: Location {
                path: &entry.path,
                // A line is required; entries without one get the first.
                lines: Lines { begin: entry.at.map_or(1, |at| at.line) },
            },
        };
        append_value(&issue, out);
    }
}

impl Document for Issues {
    fn begin(&mut self, out: &mut Vec<u8>) {
        out.push(b'[');
    }

    fn finding(&mut self, record: &Record, out: &mut Vec<u8>) {
        entries(record).for_each(|entry| self.add(&entry, out));
    }

    fn note(&mut self, note: &NoteRecord, out: &mut Vec<u8>) {
        self.add(&note_entry(note), out);
    }

    fn finish(&mut self, _: &SummaryRecord, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\n]\n");
    }
}

#[derive(Serialize)]
struct Issue<'e> {
    description: &'e str,
    check_name: &'e str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'e>,
}

#[derive(Serialize)]
struct Location<'e> {
    path: &'e str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u64,
}

/// Returns the identity of a problem. Notes have no link, and are identified by their words.
fn key(entry: &Entry) -> Key {
    let about = if entry.uri.is_empty() { &entry.words } else { &entry.uri };
    // No part contains a line end, because all are made visible.
    let text = [&*entry.path, &entry.code, about].join("\n");
    let sum = digest(&SHA256, text.as_bytes());
    sum.as_ref().first_chunk().copied().unwrap_or_default()
}

fn fingerprint(key: &Key, times: u64) -> String {
    let mut text = String::new();
    for byte in key {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    if times > 1 {
        let _ = write!(text, "-{times}");
    }
    text
}
