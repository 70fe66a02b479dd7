//! The `csv` format: comma-separated values (RFC 4180) with a header, in UTF-8, for spreadsheets
//! and databases. Each finding and each note is a row. Totals have no row.
//!
//! A field that could be a formula gets an apostrophe before it (`escape::cell`).

use super::entry::{note_entry, shown};
use super::escape::cell::Cell;
use super::record::{MessageRecord, NoteRecord, Record, SummaryRecord};
use super::site::site;
use super::statement::statements;
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

/// The columns, in order.
const HEAD: [&str; 23] = [
    "type",
    "verdict",
    "reasons",
    "uri",
    "scheme",
    "path",
    "members",
    "line",
    "column",
    "class",
    "status",
    "message_id",
    "date",
    "list_id",
    "text",
    "wrapped_by",
    "target",
    "archived",
    "memento_uri",
    "memento_datetime",
    "memento_distance_days",
    "memento_archive",
    "site",
];

impl Document for Rows {
    fn begin(&mut self, out: &mut Vec<u8>) {
        append_row(&HEAD.map(str::to_owned), out);
    }

    fn finding(&mut self, record: &Record, out: &mut Vec<u8>) {
        let said = statements(record);
        let reasons: Vec<_> = said.iter().filter_map(|it| Some(it.topic?.1)).collect();
        let words: Vec<_> = said.iter().map(|it| shown(&it.words)).collect();
        let words: Vec<_> = words.iter().map(|it| it.trim_start_matches(": ")).collect();
        let members: Vec<_> = record.place.members().map(shown).collect();
        let reach = record.reach.as_ref();
        let message = |of: fn(&MessageRecord) -> Option<&String>| {
            let text = record.message.as_ref().and_then(of);
            text.map(|text| shown(text.as_bytes())).unwrap_or_default()
        };
        let memento = record.memento.as_ref();
        let cells = [
            "finding".to_owned(),
            record.verdict.name().to_owned(),
            shown(reasons.join(" ").as_bytes()),
            shown(record.uri()),
            record.scheme.as_deref().map(|it| shown(it.as_bytes())).unwrap_or_default(),
            shown(record.place.path()),
            members.join("!"),
            record.place.line.to_string(),
            record.place.column.to_string(),
            reach.map(|reach| shown(reach.class.as_bytes())).unwrap_or_default(),
            reach.and_then(|reach| reach.status).map(|it| it.to_string()).unwrap_or_default(),
            message(|message| message.id.as_ref()),
            message(|message| message.date.as_ref()),
            message(|message| message.list_id.as_ref()),
            words.join("; "),
            record.wrapped_by.join(" "),
            record.target.as_deref().map(|it| shown(it.as_bytes())).unwrap_or_default(),
            record.archived.map(|it| it.to_string()).unwrap_or_default(),
            memento.and_then(|it| it.uri.as_deref()).map(of_text).unwrap_or_default(),
            memento.map(|it| of_text(&it.datetime)).unwrap_or_default(),
            memento.and_then(|it| it.distance_days).map(|it| it.to_string()).unwrap_or_default(),
            memento.map(|it| of_text(&it.archive)).unwrap_or_default(),
            site(&shown(record.uri())).unwrap_or_default(),
        ];
        append_row(&cells, out);
    }

    fn note(&mut self, note: &NoteRecord, out: &mut Vec<u8>) {
        let entry = note_entry(note);
        let members: Vec<_> = note.place.members().map(shown).collect();
        let mut cells = [const { String::new() }; HEAD.len()];
        let filled = [
            ("type", "note".to_owned()),
            ("reasons", entry.code),
            ("path", shown(note.place.path())),
            ("members", members.join("!")),
            ("text", entry.words),
        ];
        for (name, text) in filled {
            let cell = HEAD.iter().zip(&mut cells).find(|(head, _)| **head == name);
            cell.into_iter().for_each(|(_, cell)| cell.clone_from(&text));
        }
        append_row(&cells, out);
    }

    fn finish(&mut self, _: &SummaryRecord, _: &mut Vec<u8>) {}
}

fn of_text(text: &str) -> String {
    shown(text.as_bytes())
}

fn append_row(cells: &[String; HEAD.len()], out: &mut Vec<u8>) {
    for (idx, cell) in cells.iter().enumerate() {
        if idx > 0 {
            out.push(b',');
        }
        out.extend_from_slice(Cell(cell).to_string().as_bytes());
    }
    out.extend_from_slice(b"\r\n");
}
