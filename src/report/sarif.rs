//! The `sarif` format: the Static Analysis Results Interchange Format of OASIS, version 2.1.0 (with
//! errata 01), which code hosts and editors read.
//!
//! A result is an error or a warning; one that a baseline lists is suppressed. Notifications are
//! notes, and the counts of inputs that were skipped and of links that were not probed. Links
//! without trouble have no result. Results are written at once; notifications follow them.

mod fingerprint;
mod fixes;
mod object;
mod rules;

use serde_json::json;

use super::escape::json::append_value;
use super::record::{NoteRecord, Record, SummaryRecord};
use super::statement::{Statement, end_column, holder, noted, standing, troubles};
use super::{Document, Form, Report};
use crate::finding::topic::TopicKind;
use crate::finding::{CLASSES, SKIPS, Verdict};
use fingerprint::Fingerprinter;
use object::{BASE, ByteRegion, Location, Notification, Reference, Region, SarifResult};
use object::{Fingerprints, Suppression, Text};
use rules::Index;

/// The `sarif` format.
pub struct Sarif;

impl Report for Sarif {
    fn name(&self) -> &'static str {
        "sarif"
    }

    fn about(&self) -> &'static str {
        "SARIF 2.1.0 with help, fixes and fingerprints, for code hosts and editors"
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Log::new()))
    }
}

/// The state that is kept until the end of a run.
struct Log {
    rules: Index,
    descriptors: Index,
    fingerprints: Fingerprinter,
    has_results: bool,
    /// The notifications, encoded, separated by commas.
    notifications: Vec<u8>,
}

impl Log {
    fn new() -> Self {
        Self {
            rules: Index::of_results(),
            descriptors: Index::of_notifications(),
            fingerprints: Fingerprinter::default(),
            has_results: false,
            notifications: Vec::new(),
        }
    }

    /// Appends the results for `record`; `is_known` means that a baseline lists it.
    fn append_results(&mut self, record: &Record, is_known: bool, out: &mut Vec<u8>) {
        for statement in troubles(record) {
            out.extend_from_slice(if self.has_results { b",\n" } else { b"\n" });
            self.has_results = true;
            append_value(&self.result(record, &statement, is_known), out);
        }
    }

    fn result<'r>(
        &mut self,
        record: &Record,
        statement: &Statement<'r>,
        is_known: bool,
    ) -> SarifResult<'r> {
        let (path, name) = (record.place.path(), statement.topic.map(|(_, name)| name));
        let has_members = record.place.members().next().is_some();
        let within = has_members.then(|| holder(path, record.place.members()));
        let region = if has_members { None } else { Some(region(record)) };
        let mut words = if has_members { standing(&record.place) } else { Vec::new() };
        words.extend_from_slice(if has_members { b": " } else { b"" });
        words.extend_from_slice(record.uri());
        words.extend_from_slice(&statement.words);
        let kind = statement.topic.map(|(kind, _)| kind);
        let fix = kind.and_then(|kind| fixes::fix(record, kind, region));
        let occurrence = self.fingerprints.next(name.unwrap_or_default(), record);
        SarifResult {
            rule_id: name,
            rule_index: statement.topic.and_then(|(kind, name)| self.rules.find(kind, name)),
            level: rules::level(statement.verdict),
            message: Text::said(&words),
            locations: [Location::new(path, region, within.as_deref())],
            partial_fingerprints: Fingerprints { occurrence },
            fixes: fix.into_iter().collect(),
            suppressions: if is_known { vec![KNOWN] } else { Vec::new() },
        }
    }

    fn notify(&mut self, notification: &Notification<'_>) {
        let comma: &[u8] = if self.notifications.is_empty() { b"\n" } else { b",\n" };
        self.notifications.extend_from_slice(comma);
        append_value(notification, &mut self.notifications);
    }

    /// Adds notifications of the number of skips, by the name of the reason.
    fn notify_of_the_rest(&mut self, summary: &SummaryRecord) {
        for (name, count) in &summary.skipped {
            let (about, is_class) = skipped(name);
            let kind = if is_class { TopicKind::Class } else { TopicKind::Skip };
            let index = if is_class { &self.rules } else { &self.descriptors }.find(kind, name);
            let reference = Some(Reference { id: name, index });
            let (associated_rule, descriptor) =
                if is_class { (reference, None) } else { (None, reference) };
            self.notify(&Notification {
                descriptor,
                associated_rule,
                level: "note",
                message: Text::said(format!("{name}: {count}{about}").as_bytes()),
                locations: Vec::new(),
            });
        }
    }
}

/// Returns the description of a reason to skip, as it follows a number, and whether it is a class
/// of answers.
fn skipped(name: &str) -> (String, bool) {
    let reason = SKIPS.iter().find(|row| row.name == name).map(|row| row.about);
    let class = CLASSES.iter().find(|row| row.name == name).map(|row| row.about);
    let about = reason.or(class).map_or_else(String::new, |about| format!(" ({about})"));
    (about, reason.is_none() && class.is_some())
}

/// The suppression of trouble that a baseline lists.
const KNOWN: Suppression =
    Suppression { kind: "external", status: "accepted", justification: "a baseline lists it" };

impl Document for Log {
    fn begin(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(br#"{"$schema":"#);
        append_value(&SCHEMA, out);
        out.extend_from_slice(
            br#","version":"2.1.0","runs":[{"tool":{"driver":{"name":"linktrawl","#,
        );
        out.extend_from_slice(br#""semanticVersion":"#);
        append_value(&env!("CARGO_PKG_VERSION"), out);
        out.extend_from_slice(b",\n\"rules\":");
        append_value(&rules::of_results(), out);
        out.extend_from_slice(b",\n\"notifications\":");
        append_value(&rules::of_notifications(), out);
        out.extend_from_slice(b"}},\n\"columnKind\":\"unicodeCodePoints\",\"language\":\"en-US\",");
        // The replacement of passwords.
        out.extend_from_slice(br#""redactionTokens":["***"],"originalUriBaseIds":"#);
        let about = "the directory that the run was started in";
        append_value(&json!({ BASE: { "description": { "text": about } } }), out);
        out.extend_from_slice(b",\n\"results\":[");
    }

    fn finding(&mut self, record: &Record, out: &mut Vec<u8>) {
        let known = record
            .known
            .as_ref()
            .and_then(|known| Verdict::ALL.into_iter().find(|verdict| verdict.name() == known));
        if let Some(verdict) = known {
            let bare = Record { verdict, known: None, ..record.clone() };
            return self.append_results(&bare, true, out);
        }
        self.append_results(record, false, out);
    }

    fn note(&mut self, note: &NoteRecord, _: &mut Vec<u8>) {
        let has_members = note.place.members().next().is_some();
        let within = has_members.then(|| holder(note.place.path(), note.place.members()));
        let mut words = within.clone().unwrap_or_default();
        words.extend_from_slice(if has_members { b": " } else { b"" });
        words.extend_from_slice(noted(note).as_bytes());
        let index = self.descriptors.find(TopicKind::Note, &note.kind);
        self.notify(&Notification {
            descriptor: Some(Reference { id: &note.kind, index }),
            associated_rule: None,
            level: rules::note_level(&note.kind),
            message: Text::said(&words),
            locations: vec![Location::new(note.place.path(), None, within.as_deref())],
        });
    }

    fn wants_fixes(&self) -> bool {
        true
    }

    fn finish(&mut self, summary: &SummaryRecord, out: &mut Vec<u8>) {
        self.notify_of_the_rest(summary);
        out.extend_from_slice(b"\n],\n\"invocations\":[{\"executionSuccessful\":");
        append_value(&summary.complete, out);
        out.extend_from_slice(b",\"toolExecutionNotifications\":[");
        out.append(&mut self.notifications);
        out.extend_from_slice(b"\n]}],\n\"properties\":{\"summary\":");
        append_value(summary, out);
        out.extend_from_slice(b"}}]}\n");
    }
}

/// The address of the schema of version 2.1.0.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

fn region(record: &Record) -> Region {
    let place = &record.place;
    let end_column = end_column(record);
    // The bytes are given only with an end column, so that both describe the same text.
    let offset = place.file_offset.filter(|_| end_column.is_some());
    Region {
        start_line: place.line,
        start_column: place.column,
        end_column,
        bytes: offset.map(|byte_offset| ByteRegion { byte_offset, byte_length: place.len }),
    }
}
