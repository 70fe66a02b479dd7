//! The `markdown` format with one row for all links that share a property (GitHub Flavored
//! Markdown): a comment for a change or an issue.
//!
//! Code hosts reject comments that are too long, so that only the first groups that fit, which are
//! the worst, have rows, and the others are counted.

use std::fmt::Write as _;

use super::{GROUPINGS, Group, Grouping, Groups, LEN_MAX, NO_ROOM};
use crate::report::entry::{note_entry, shown};
use crate::report::escape::markdown::Markdown;
use crate::report::markdown::{Comment, ERRORS_LEN_MAX, OTHERS_LEN_MAX, Rows, opening};
use crate::report::record::{NoteRecord, Record, SummaryRecord};
use crate::report::{Document, Form, Report};

/// Maximum bytes of the rows: as many as the format has for errors and warnings.
const ROWS_LEN_MAX: usize = ERRORS_LEN_MAX + OTHERS_LEN_MAX;

/// A grouping as a table.
struct Table(&'static Grouping);

/// One table for each grouping.
static TABLES: [Table; GROUPINGS.len()] =
    [Table(&GROUPINGS[0]), Table(&GROUPINGS[1]), Table(&GROUPINGS[2]), Table(&GROUPINGS[3])];

/// Returns the table of `grouping`.
pub(super) fn of(grouping: &Grouping) -> Option<&'static dyn Report> {
    let table = TABLES.iter().find(|table| table.0.name == grouping.name)?;
    Some(table)
}

impl Report for Table {
    fn name(&self) -> &'static str {
        Comment.name()
    }

    fn about(&self) -> &'static str {
        self.0.about
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Rowed {
            groups: Groups::new(*self.0, LEN_MAX),
            notes: Rows::new(OTHERS_LEN_MAX),
        }))
    }
}

/// The groups and notes that are kept until the end of a run.
struct Rowed {
    groups: Groups,
    notes: Rows,
}

impl Document for Rowed {
    fn finding(&mut self, record: &Record, out: &mut Vec<u8>) {
        self.groups.finding(record, out);
    }

    fn note(&mut self, note: &NoteRecord, _: &mut Vec<u8>) {
        self.notes.add(&note_entry(note));
    }

    fn finish(&mut self, summary: &SummaryRecord, out: &mut Vec<u8>) {
        let mut text = opening(summary);
        let groups = self.groups.sorted();
        if !groups.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "\n### By {}\n\n| Where | Worst | Links | Of them | What | Days |\n\
                 |---|---|--:|---|---|---|\n",
                self.groups.by.name
            );
        }
        let end = text.len() + ROWS_LEN_MAX;
        let mut left_out = 0_usize;
        for ((name, _), group) in &groups {
            let row = row(name, group);
            if text.len() + row.len() <= end {
                text.push_str(&row);
            } else {
                left_out += 1;
            }
        }
        if left_out > 0 {
            let _ = writeln!(text, "\n{left_out} more are omitted here.");
        }
        let others = self.groups.others;
        if others.total() > 0 {
            let _ = writeln!(text, "\n{NO_ROOM}: {}.", others.text());
        }
        self.notes.append_to("Notes", &mut text);
        out.extend_from_slice(text.as_bytes());
    }
}

fn row(name: &[u8], group: &Group) -> String {
    let Group { counts, first, days, .. } = group;
    let archived = group.archived();
    let divider = if archived.is_empty() { "" } else { "; " };
    let days = days.as_ref().map(|(first, last)| {
        if first == last {
            shown(first.as_bytes())
        } else {
            shown(format!("{first} to {last}").as_bytes())
        }
    });
    format!(
        "| {} | {} | {} | {}{divider}{archived} | {} | {} |\n",
        Markdown(&shown(&first.place)),
        Markdown(&shown(group.worst().as_bytes())),
        counts.total(),
        counts.text(),
        Markdown(&shown(name)),
        Markdown(&days.unwrap_or_default()),
    )
}
