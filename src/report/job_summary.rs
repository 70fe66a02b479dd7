//! The `job-summary` format: Markdown for the page of a run on GitHub ("Adding a job summary").
//!
//! GitHub rejects a summary that is too long as a whole, so every table has a share of the space
//! that is certain to fit, and a count of the rows that did not fit. Untrusted text is escaped by
//! `escape::markdown`.

use std::io::Write as _;

use super::escape::Shown;
use super::escape::markdown::Markdown;
use super::record::{NoteRecord, Record, SummaryRecord};
use super::statement::{Statement, counted, holder, noted, standing, troubles};
use super::{Document, Form, Report};
use crate::finding::Verdict;

/// The `job-summary` format.
pub struct JobSummary;

impl Report for JobSummary {
    fn name(&self) -> &'static str {
        "job-summary"
    }

    fn about(&self) -> &'static str {
        "Markdown for GitHub's job summary, which github appends by itself"
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Tables::new()))
    }
}

/// Maximum number of bytes of the rows of errors. GitHub accepts 1 MiB from all commands of a step
/// together, so that half of it is left to others; headings and the text between tables need less
/// than 1 KiB.
const ERRORS_LEN_MAX: usize = 352 * 1024;
/// Maximum number of bytes of the rows of warnings.
const WARNINGS_LEN_MAX: usize = 96 * 1024;
/// Maximum number of bytes of the rows of notes.
const NOTES_LEN_MAX: usize = 32 * 1024;
/// Maximum number of bytes of the rows of reasons.
const REASONS_LEN_MAX: usize = 16 * 1024;

/// The tables that are kept until the end of a run.
struct Tables {
    errors: Rows,
    warnings: Rows,
    notes: Rows,
}

/// The rows of one table that fit.
struct Rows {
    text: String,
    len_max: usize,
    total: u64,
    left_out: u64,
}

impl Rows {
    const fn new(len_max: usize) -> Self {
        Self { text: String::new(), len_max, total: 0, left_out: 0 }
    }

    /// Adds a row if it fits. Rows are kept in the order of the run: after one that does not fit,
    /// further rows are neither kept nor encoded.
    fn add(&mut self, row: impl FnOnce() -> String) {
        self.total += 1;
        let row = if self.left_out == 0 { row() } else { String::new() };
        if self.left_out > 0 || self.text.len() + row.len() > self.len_max {
            self.left_out += 1;
        } else {
            self.text.push_str(&row);
        }
    }

    /// Appends the table with its heading, if it has rows.
    fn append_to(&self, noun: &str, columns: &str, out: &mut Vec<u8>) {
        if self.total == 0 {
            return;
        }
        let bars = "---|".repeat(columns.matches('|').count() - 1);
        // Writing to a vector cannot fail.
        let _ = writeln!(out, "\n### {}\n", counted(self.total, noun));
        let _ = write!(out, "{columns}\n|{bars}\n{}", self.text);
        if self.left_out > 0 {
            let rest = counted(self.left_out, noun);
            let _ = writeln!(
                out,
                "\nThe last {rest} are omitted here: GitHub takes 1 MiB. Other formats have them."
            );
        }
    }
}

impl Tables {
    const fn new() -> Self {
        Self {
            errors: Rows::new(ERRORS_LEN_MAX),
            warnings: Rows::new(WARNINGS_LEN_MAX),
            notes: Rows::new(NOTES_LEN_MAX),
        }
    }
}

impl Document for Tables {
    fn finding(&mut self, record: &Record, _: &mut Vec<u8>) {
        for statement in troubles(record) {
            let rows = match statement.verdict {
                Verdict::Error => &mut self.errors,
                _ => &mut self.warnings,
            };
            rows.add(|| row(record, &statement));
        }
    }

    fn note(&mut self, note: &NoteRecord, _: &mut Vec<u8>) {
        self.notes.add(|| {
            let place = cell(&holder(note.place.path(), note.place.members()));
            let [kind, message] = [&note.kind, &noted(note)].map(|text| cell(text.as_bytes()));
            format!("| {kind} | {message} | {place} |\n")
        });
    }

    fn finish(&mut self, summary: &SummaryRecord, out: &mut Vec<u8>) {
        // Separates the summary from text that the file already has.
        out.extend_from_slice(b"\n## linktrawl\n\n");
        append_counts(summary, out);
        self.errors.append_to("error", "| what | link | where |", out);
        self.warnings.append_to("warning", "| what | link | where |", out);
        self.notes.append_to("note", "| what | message | where |", out);
        let mut reasons = Rows::new(REASONS_LEN_MAX);
        for (reason, count) in &summary.skipped {
            reasons.add(|| format!("| {} | {count} |\n", cell(reason.as_bytes())));
        }
        reasons.append_to("reason", "| left out for | how many |", out);
    }
}

fn append_counts(summary: &SummaryRecord, out: &mut Vec<u8>) {
    let by = |verdict| summary.count(verdict);
    // Writing to a vector cannot fail.
    let _ = writeln!(
        out,
        "{} in {}: {} ok, {} with a warning, **{}**, {} skipped.",
        counted(summary.findings, "link"),
        counted(summary.files, "file"),
        by(Verdict::Ok),
        by(Verdict::Warn),
        counted(by(Verdict::Error), "error"),
        by(Verdict::Skipped),
    );
    if !summary.complete {
        let _ = writeln!(out, "\n**The run is incomplete.** The notes say why.");
    }
}

fn row(record: &Record, statement: &Statement<'_>) -> String {
    let name = statement.topic.map_or(statement.verdict.name(), |(_, name)| name);
    let [name, uri, words, place] =
        [name.as_bytes(), record.uri(), &statement.words, &standing(&record.place)].map(cell);
    format!("| {name} | <code>{uri}</code>{words} | {place} |\n")
}

fn cell(text: &[u8]) -> String {
    Markdown(&Shown(text).to_string()).to_string()
}
