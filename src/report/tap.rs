//! The `tap` format: the Test Anything Protocol, version 14. Each finding is a test point:
//! malformed and dead links are failures, and links that were not probed are skipped.
//!
//! The problems of a link are in a YAML block, as JSON strings, which YAML accepts (YAML 1.2 §5.7).
//! Notes are comments; an incomplete run ends with a test that failed.

use std::io::Write as _;

use super::entry::{Level, entries, note_entry, shown};
use super::escape::json::append_value;
use super::escape::tap::Description;
use super::record::{NoteRecord, Record, SummaryRecord};
use super::statement::{standing, statements};
use super::{Document, Form, Report};
use crate::finding::Verdict;

/// The `tap` format.
pub struct Tap;

impl Report for Tap {
    fn name(&self) -> &'static str {
        "tap"
    }

    fn about(&self) -> &'static str {
        "the Test Anything Protocol, version 14: each finding is a test"
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Points::default()))
    }
}

/// The test points, which are written at once.
#[derive(Default)]
struct Points {
    /// The number of test points so far.
    count: u64,
}

impl Points {
    /// Appends `ok 1 - description`.
    fn add(&mut self, word: &str, description: &str, directive: &str, out: &mut Vec<u8>) {
        self.count += 1;
        // Writing to a vector cannot fail.
        let _ = writeln!(out, "{word} {} - {}{directive}", self.count, Description(description));
    }
}

/// Returns the directive of a test point that was skipped, with the name of the reason.
fn skip(record: &Record) -> String {
    let said = statements(record);
    let reason = said.iter().find(|statement| statement.verdict == Verdict::Skipped);
    let name = reason.and_then(|statement| statement.topic).map(|(_, name)| format!(" {name}"));
    format!(" # SKIP{}", name.unwrap_or_default())
}

impl Document for Points {
    fn begin(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"TAP version 14\n");
    }

    fn finding(&mut self, record: &Record, out: &mut Vec<u8>) {
        let description = format!("{}: {}", shown(&standing(&record.place)), shown(record.uri()));
        let (word, directive) = match record.verdict {
            Verdict::Error => ("not ok", String::new()),
            Verdict::Skipped => ("ok", skip(record)),
            Verdict::Ok | Verdict::Warn => ("ok", String::new()),
        };
        self.add(word, &description, &directive, out);
        let entries: Vec<_> = entries(record).collect();
        if entries.is_empty() {
            return;
        }
        out.extend_from_slice(b"  ---\n");
        for entry in &entries {
            let severity = if entry.level == Level::Error { "fail" } else { "comment" };
            let _ = write!(out, "  - severity: {severity}\n    code: ");
            append_value(&entry.code, out);
            out.extend_from_slice(b"\n    message: ");
            append_value(&entry.words, out);
            out.push(b'\n');
        }
        out.extend_from_slice(b"  ...\n");
    }

    fn note(&mut self, note: &NoteRecord, out: &mut Vec<u8>) {
        let entry = note_entry(note);
        let _ = writeln!(out, "# {}: {}: {}", entry.path, entry.code, entry.words);
    }

    fn finish(&mut self, summary: &SummaryRecord, out: &mut Vec<u8>) {
        if !summary.complete {
            self.add("not ok", "every input was read in full", "", out);
        }
        let reason = if self.count == 0 { " # SKIP no link was found" } else { "" };
        let _ = writeln!(out, "1..{}{reason}", self.count);
    }
}
