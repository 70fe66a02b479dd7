//! Collects what reports and `Debug` print of notes and findings, for tests that search them for
//! passwords.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use linktrawl::internal::finding::{Finding, Note, Summary};
use linktrawl::internal::report::ndjson::Ndjson;
use linktrawl::internal::report::record::Line;
use linktrawl::internal::report::{Encoding, Form, Lines, Report, Style};

/// A report of the `Debug` output of each finding.
pub(crate) struct Debugged;

impl Report for Debugged {
    fn name(&self) -> &'static str {
        "debugged"
    }

    fn about(&self) -> &'static str {
        "what Debug says"
    }

    fn form(&self) -> Form {
        Form::Lines(&Self)
    }
}

impl Lines for Debugged {
    fn encoding(&self) -> Encoding {
        Encoding::Items
    }

    fn finding(&self, finding: &Finding<'_>, _: &Style, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("{finding:?}\n{finding:#?}\n").as_bytes());
    }

    fn note(&self, note: &Note, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("{note:?}\n").as_bytes());
    }

    fn summary(&self, _: &Summary, _: &mut Vec<u8>) {}

    fn saved(&self, line: &Line, text: &[u8], _: &Style, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("{line:?} {text:?}\n").as_bytes());
    }

    fn is_styled(&self) -> bool {
        false
    }

    fn counts_distinct(&self) -> bool {
        false
    }

    fn wants_messages(&self) -> bool {
        true
    }
}

/// Appends what `report` says of `note` in a run without anything else.
pub(crate) fn append_note(report: &dyn Report, note: &Note, out: &mut Vec<u8>) {
    let mut document = match report.form() {
        Form::Lines(lines) => return lines.note(note, out),
        Form::Document(document) => document,
    };
    let mut lines = Vec::new();
    Ndjson.note(note, &mut lines);
    Ndjson.summary(&Summary::default(), &mut lines);
    document.begin(out);
    for line in lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        match Line::parse(line).expect("our own record") {
            Line::Finding(record) => document.finding(&record, out),
            Line::Note(note) => document.note(&note, out),
            Line::Summary(summary) => {
                document.finish(&summary, out);
                document.rest(&summary, out).expect("memory");
            }
        }
    }
}
