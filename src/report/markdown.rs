//! The `markdown` format: a comment for a change or an issue (GitHub Flavored Markdown).
//!
//! Equal statements about one link are one row, with their number and the first position. Code
//! hosts reject comments that are too long, so rows are kept while they fit, errors and warnings
//! each in the order of the run, and the others are counted.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::entry::{Entry, Level, entries, note_entry, shown};
use super::escape::markdown::Markdown;
use super::record::{NoteRecord, Record, SummaryRecord};
use super::statement::counted;
use super::{Document, Form, Report};
use crate::finding::{Archived, NotLookedUp, Verdict};

/// The `markdown` format.
pub struct Comment;

impl Report for Comment {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn about(&self) -> &'static str {
        "a comment for a change or an issue: tables of what is wrong, each link once"
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Tables {
            errors: Rows::new(ERRORS_LEN_MAX),
            warnings: Rows::new(OTHERS_LEN_MAX),
            notes: Rows::new(OTHERS_LEN_MAX),
        }))
    }
}

/// Maximum bytes of the rows of errors. GitHub accepts 65,536 characters in a comment; headings,
/// and the counts that grow in rows, need less than 4 KiB.
pub(super) const ERRORS_LEN_MAX: usize = 40 * 1024;
/// Maximum bytes of the rows of warnings, and of those of notes.
pub(super) const OTHERS_LEN_MAX: usize = 10 * 1024;

/// The tables that are kept until the end of a run.
struct Tables {
    errors: Rows,
    warnings: Rows,
    notes: Rows,
}

/// The rows of one table that fit.
pub(super) struct Rows {
    len_max: usize,
    len: usize,
    kept: Vec<Row>,
    /// The index in `kept` of each row, by its name and words.
    known: HashMap<String, usize>,
    /// The number of entries without a row.
    left_out: u64,
}

/// One row.
struct Row {
    /// The cells, encoded: the name and the words.
    text: String,
    /// The first position.
    place: String,
    times: u64,
}

impl Rows {
    pub(super) fn new(len_max: usize) -> Self {
        Self { len_max, len: 0, kept: Vec::new(), known: HashMap::new(), left_out: 0 }
    }

    pub(super) fn add(&mut self, entry: &Entry) {
        // Both are made visible, so that they contain no line end.
        let said = format!("{}\n{}", entry.code, entry.words);
        if let Some(row) = self.known.get(&said).and_then(|idx| self.kept.get_mut(*idx)) {
            row.times += 1;
            return;
        }
        // Escapes never shorten text, so that most rows that do not fit need not be encoded.
        if self.len + said.len() > self.len_max {
            self.left_out += 1;
            return;
        }
        let text = format!("{} | {}", Markdown(&entry.code), Markdown(&entry.words));
        let line = entry.at.map(|at| format!(":{}", at.line)).unwrap_or_default();
        let place = Markdown(&format!("{}{line}", entry.path)).to_string();
        let len = self.len + text.len() + place.len() + ROW_LEN;
        if len > self.len_max {
            self.left_out += 1;
            return;
        }
        self.len = len;
        self.known.insert(said, self.kept.len());
        self.kept.push(Row { text, place, times: 1 });
    }

    pub(super) fn append_to(&self, heading: &str, out: &mut String) {
        if self.kept.is_empty() && self.left_out == 0 {
            return;
        }
        // Writing to a string cannot fail.
        let _ =
            write!(out, "\n### {heading}\n\n| Where | Times | Name | What |\n|---|--:|---|---|\n");
        for Row { text, place, times } in &self.kept {
            let _ = writeln!(out, "| {place} | {times} | {text} |");
        }
        if self.left_out > 0 {
            let _ = writeln!(out, "\n{} more are omitted here.", self.left_out);
        }
    }
}

/// Bytes of a row besides its cells: bars, blanks, and the number of times.
const ROW_LEN: usize = 32;

/// Returns the beginning of a comment: the totals, and the number of skips.
pub(super) fn opening(summary: &SummaryRecord) -> String {
    let [errors, warnings] = [Verdict::Error, Verdict::Warn].map(|it| summary.count(it));
    let mut text = format!(
        "## Links: {}, {}\n\n{} in {}.",
        counted(errors, "error"),
        counted(warnings, "warning"),
        counted(summary.findings, "link"),
        counted(summary.files, "file"),
    );
    if !summary.complete {
        text.push_str(" **The run is incomplete.**");
    }
    for (reason, number) in &summary.skipped {
        let _ = write!(text, "\nLeft out: {} {number}.", Markdown(&shown(reason.as_bytes())));
    }
    let archived = Archived::NAMES.iter().zip(summary.archived.each());
    for (name, number) in archived.filter(|(_, number)| *number > 0) {
        let _ = write!(text, "\nWeb archives: {number} {name}.");
    }
    for (reason, number) in &summary.archived.unknown_by {
        let words = NotLookedUp::find(reason).map_or(&**reason, |known| known.words());
        let words = Markdown(&shown(words.as_bytes())).to_string();
        let _ = write!(text, "\nNot looked up in archives, because {words}: {number}.");
    }
    text.push('\n');
    text
}

impl Document for Tables {
    fn finding(&mut self, record: &Record, _: &mut Vec<u8>) {
        for entry in entries(record) {
            match entry.level {
                Level::Error => self.errors.add(&entry),
                _ => self.warnings.add(&entry),
            }
        }
    }

    fn note(&mut self, note: &NoteRecord, _: &mut Vec<u8>) {
        self.notes.add(&note_entry(note));
    }

    fn finish(&mut self, summary: &SummaryRecord, out: &mut Vec<u8>) {
        let mut text = opening(summary);
        self.errors.append_to("Errors", &mut text);
        self.warnings.append_to("Warnings", &mut text);
        self.notes.append_to("Notes", &mut text);
        out.extend_from_slice(text.as_bytes());
    }
}
