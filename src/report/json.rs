//! The `json` format: the whole run as one JSON object (RFC 8259), schema version 1.
//!
//! Findings have the keys of `ndjson` except `type`, and are written at once; notes follow them.
//! The module `escape::json` describes how untrusted text is encoded.

use super::escape::json::append_value;
use super::record::{NoteRecord, Record, SCHEMA, SummaryRecord};
use super::{Document, Form, Report};

/// The `json` format.
pub struct Json;

impl Report for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn about(&self) -> &'static str {
        "one JSON object, schema version 1: findings, notes and summary"
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Object::default()))
    }
}

/// The state that is kept until the end of a run.
#[derive(Default)]
struct Object {
    has_findings: bool,
    /// The notes, encoded, separated by commas.
    notes: Vec<u8>,
}

impl Document for Object {
    fn begin(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(br#"{"type":"report","schema":"#);
        append_value(&SCHEMA, out);
        out.extend_from_slice(br#","tool":{"name":"linktrawl","version":"#);
        append_value(&env!("CARGO_PKG_VERSION"), out);
        out.extend_from_slice(b"},\n\"findings\":[");
    }

    fn finding(&mut self, record: &Record, out: &mut Vec<u8>) {
        out.extend_from_slice(if self.has_findings { b",\n" } else { b"\n" });
        self.has_findings = true;
        append_value(record, out);
    }

    fn note(&mut self, note: &NoteRecord, _: &mut Vec<u8>) {
        self.notes.extend_from_slice(if self.notes.is_empty() { b"\n" } else { b",\n" });
        append_value(note, &mut self.notes);
    }

    fn finish(&mut self, summary: &SummaryRecord, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\n],\n\"notes\":[");
        out.append(&mut self.notes);
        out.extend_from_slice(b"\n],\n\"summary\":");
        append_value(summary, out);
        out.extend_from_slice(b"}\n");
    }
}
