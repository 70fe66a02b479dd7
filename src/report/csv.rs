//! The `csv` format: comma-separated values (RFC 4180) with a header, in UTF-8, for spreadsheets
//! and databases. Each finding and each note is a row. Totals have no row.
//!
//! A field of text that could be a formula gets an apostrophe before it (`escape::cell`).

use super::entry::{note_entry, shown};
use super::escape::cell::Cell;
use super::record::{MementoRecord, MessageRecord, NoteRecord, Record, SummaryRecord};
use super::site::site;
use super::statement::{Statement, statements};
use super::{Document, Form, Report};

/// The `csv` format.
pub struct Csv;

impl Report for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn about(&self) -> &'static str {
        "comma-separated values (RFC 4180), for spreadsheets; formulas are made text"
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Rows))
    }
}

/// The rows, which are written at once, so that no state is kept.
struct Rows;

/// A finding on its way to a row.
struct Row<'r> {
    record: &'r Record,
    said: Vec<Statement<'r>>,
}

/// A function that returns the text of one column.
type Text = fn(&Row<'_>) -> String;

/// The columns, in order, each with its text in the row of a finding.
const COLUMNS: [(&str, Text); 23] = [
    ("type", |_| "finding".to_owned()),
    ("verdict", |row| row.record.verdict.name().to_owned()),
    ("reasons", |row| row.reasons()),
    ("uri", |row| shown(row.record.uri())),
    ("scheme", |row| text(row.record.scheme.as_deref())),
    ("path", |row| shown(row.record.place.path())),
    ("members", |row| members(row.record.place.members())),
    ("line", |row| row.record.place.line.to_string()),
    ("column", |row| row.record.place.column.to_string()),
    ("class", |row| text(row.record.reach.as_ref().map(|reach| &*reach.class))),
    ("status", |row| value(row.record.reach.as_ref().and_then(|reach| reach.status))),
    ("message_id", |row| row.message(|message| message.id.as_deref())),
    ("date", |row| row.message(|message| message.date.as_deref())),
    ("list_id", |row| row.message(|message| message.list_id.as_deref())),
    ("text", |row| row.words()),
    ("wrapped_by", |row| row.record.wrapped_by.join(" ")),
    ("target", |row| text(row.record.target.as_deref())),
    ("archived", |row| value(row.record.archived)),
    ("memento_uri", |row| row.memento(|memento| memento.uri.as_deref())),
    ("memento_datetime", |row| row.memento(|memento| Some(&memento.datetime))),
    ("memento_distance_days", |row| {
        value(row.record.memento.as_ref().and_then(|memento| memento.distance_days))
    }),
    ("memento_archive", |row| row.memento(|memento| Some(&memento.archive))),
    ("site", |row| site(&shown(row.record.uri())).unwrap_or_default()),
];

/// The columns of numbers, which may be negative and are no formulas.
const NUMBERS: [&str; 4] = ["line", "column", "status", "memento_distance_days"];

impl Row<'_> {
    /// Returns the names of what the statements are about.
    fn reasons(&self) -> String {
        let reasons: Vec<_> = self.said.iter().filter_map(|it| Some(it.topic?.1)).collect();
        text(Some(&reasons.join(" ")))
    }

    fn words(&self) -> String {
        let words: Vec<_> = self.said.iter().map(|it| shown(&it.words)).collect();
        let words: Vec<_> = words.iter().map(|it| it.trim_start_matches(": ")).collect();
        words.join("; ")
    }

    fn message(&self, of: fn(&MessageRecord) -> Option<&str>) -> String {
        text(self.record.message.as_ref().and_then(of))
    }

    fn memento(&self, of: fn(&MementoRecord) -> Option<&str>) -> String {
        text(self.record.memento.as_ref().and_then(of))
    }
}

impl Document for Rows {
    fn begin(&mut self, out: &mut Vec<u8>) {
        append_row(&COLUMNS.map(|(name, _)| name.to_owned()), out);
    }

    fn finding(&mut self, record: &Record, out: &mut Vec<u8>) {
        let row = Row { record, said: statements(record) };
        append_row(&COLUMNS.map(|(_, text)| text(&row)), out);
    }

    fn note(&mut self, note: &NoteRecord, out: &mut Vec<u8>) {
        let entry = note_entry(note);
        let filled = [
            ("type", "note".to_owned()),
            ("reasons", entry.code),
            ("path", shown(note.place.path())),
            ("members", members(note.place.members())),
            ("text", entry.words),
        ];
        let cell = |name| filled.iter().find(|(filled, _)| *filled == name);
        let text = |name| cell(name).map(|(_, text)| text.clone()).unwrap_or_default();
        append_row(&COLUMNS.map(|(name, _)| text(name)), out);
    }

    fn finish(&mut self, _: &SummaryRecord, _: &mut Vec<u8>) {}
}

fn text(text: Option<&str>) -> String {
    text.map(|text| shown(text.as_bytes())).unwrap_or_default()
}

fn value(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn members<'p>(members: impl Iterator<Item = &'p [u8]>) -> String {
    let members: Vec<_> = members.map(shown).collect();
    members.join("!")
}

fn append_row(cells: &[String; COLUMNS.len()], out: &mut Vec<u8>) {
    for (idx, (cell, (name, _))) in cells.iter().zip(COLUMNS).enumerate() {
        if idx > 0 {
            out.push(b',');
        }
        if NUMBERS.contains(&name) {
            out.extend_from_slice(cell.as_bytes());
        } else {
            out.extend_from_slice(Cell(cell).to_string().as_bytes());
        }
    }
    out.extend_from_slice(b"\r\n");
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, append_row};

    #[test]
    fn a_negative_number_is_no_formula_and_text_may_be_one() {
        let cells = COLUMNS.map(|(name, _)| match name {
            "memento_distance_days" => "-26".to_owned(),
            "text" => "-1".to_owned(),
            _ => String::new(),
        });
        let mut row = Vec::new();
        append_row(&cells, &mut row);
        let row = String::from_utf8(row).unwrap();
        let fields: Vec<_> = row.trim_end().split(',').collect();
        let of = |wanted: &str| COLUMNS.iter().position(|(name, _)| *name == wanted).unwrap();
        assert_eq!((fields[of("memento_distance_days")], fields[of("text")]), ("-26", "'-1"));
    }
}
