//! The `rdjson` format: diagnostics for reviewdog, one JSON object (Reviewdog Diagnostic Format,
//! `DiagnosticResult`).
//!
//! The format defines columns in bytes of UTF-8, which is what they are in lines of UTF-8; in other
//! text they count its own bytes. A byte order mark has three.

use serde::Serialize;

use super::entry::{At, Entry, Level, entries, note_entry};
use super::escape::json::append_value;
use super::record::{NoteRecord, Record, SummaryRecord};
use super::{Document, Form, Report};

/// The `rdjson` format.
pub struct Rdjson;

impl Report for Rdjson {
    fn name(&self) -> &'static str {
        "rdjson"
    }

    fn about(&self) -> &'static str {
        "diagnostics for reviewdog, one JSON object"
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Diagnostics::default()))
    }
}

/// The diagnostics, which are written at once.
#[derive(Default)]
struct Diagnostics {
    has_some: bool,
}

impl Diagnostics {
    fn add(&mut self, entry: &Entry, out: &mut Vec<u8>) {
        out.extend_from_slice(if self.has_some { b",\n" } else { b"\n" });
        self.has_some = true;
        let place = entry.at.map(|at| format!(":{}:{}", at.line, at.column)).unwrap_or_default();
        let diagnostic = Diagnostic {
            message: &entry.words,
            location: Location { path: &entry.path, range: entry.at.map(Range::of) },
            severity: match entry.level {
                Level::Error | Level::Loss => "ERROR",
                Level::Warning => "WARNING",
                Level::Info => "INFO",
            },
            code: Code { value: &entry.code },
            original_output: format!("{}{place}: {}", entry.path, entry.words),
        };
        append_value(&diagnostic, out);
    }
}

impl Document for Diagnostics {
    fn begin(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"source\":{\"name\":\"linktrawl\"},\n\"diagnostics\":[");
    }

    fn finding(&mut self, record: &Record, out: &mut Vec<u8>) {
        entries(record).for_each(|entry| self.add(&entry, out));
    }

    fn note(&mut self, note: &NoteRecord, out: &mut Vec<u8>) {
        self.add(&note_entry(note), out);
    }

    fn finish(&mut self, _: &SummaryRecord, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\n]}\n");
    }
}

#[derive(Serialize)]
struct Diagnostic<'e> {
    message: &'e str,
    location: Location<'e>,
    severity: &'static str,
    code: Code<'e>,
    original_output: String,
}

#[derive(Serialize)]
struct Location<'e> {
    path: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
}

/// A range; its end follows the last character.
#[derive(Serialize)]
struct Range {
    start: Position,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Position>,
}

impl Range {
    fn of(At { line, column_bytes: column, len, .. }: At) -> Self {
        let end = len.map(|len| Position { line, column: column.saturating_add(len) });
        Self { start: Position { line, column }, end }
    }
}

#[derive(Serialize)]
struct Position {
    line: u64,
    column: u64,
}

#[derive(Serialize)]
struct Code<'e> {
    value: &'e str,
}
