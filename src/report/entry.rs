//! Builds the entries of formats that list problems one by one: place, kind and severity.
//!
//! Control characters in texts and paths are made visible here, by `Shown`; each format escapes
//! them by its own rules.

use super::escape::Shown;
use super::record::{NoteRecord, Record};
use super::statement::{Statement, end_column, from_the_top, holder, noted, standing, troubles};
use crate::finding::{Loss, NOTES, Verdict};

/// The severity of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// A link is malformed or dead.
    Error,
    /// A link is worth a look.
    Warning,
    /// Input was not read in full.
    Loss,
    /// A note that loses nothing.
    Info,
}

/// One problem.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) level: Level,
    /// The name of the fault, class or lint, or the kind of the note.
    pub(super) code: String,
    /// The link and the message; preceded by the place for members of archives and mailboxes.
    pub(super) words: String,
    /// The path of the file; `-` for standard input.
    pub(super) path: String,
    /// The position in the file; `None` for members of archives, whose lines are not the file's.
    pub(super) at: Option<At>,
    /// The link; empty for notes.
    pub(super) uri: String,
}

/// A place in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    /// The line, from 1.
    pub(super) line: u64,
    /// The column in Unicode scalars, from 1.
    pub(super) column: u64,
    /// The column in bytes, from 1.
    pub(super) column_bytes: u64,
    /// The length in bytes, if the link ends on the same line.
    pub(super) len: Option<u64>,
}

/// Returns the problems of `record`.
pub(super) fn entries(record: &Record) -> impl Iterator<Item = Entry> {
    troubles(record).map(|statement| entry(record, &statement))
}

fn entry(record: &Record, statement: &Statement<'_>) -> Entry {
    let place = &record.place;
    let has_members = place.members().next().is_some();
    let within = if has_members { standing(place) } else { Vec::new() };
    let between: &[u8] = if has_members { b": " } else { b"" };
    let code = statement.topic.map_or(statement.verdict.name(), |(_, name)| name);
    let len = end_column(record).map(|_| place.len);
    let column_bytes = place.column_bytes.unwrap_or(place.column);
    let at = At { line: place.line, column: place.column, column_bytes, len };
    Entry {
        level: if statement.verdict == Verdict::Error { Level::Error } else { Level::Warning },
        code: shown(code.as_bytes()),
        words: shown(&[&within, between, record.uri(), &statement.words].concat()),
        path: shown(&from_the_top(place.path())),
        at: (!has_members).then_some(at),
        uri: shown(record.uri()),
    }
}

/// Returns the entry for `note`.
pub(super) fn note_entry(note: &NoteRecord) -> Entry {
    let row = NOTES.iter().find(|row| row.name == note.kind);
    let path = note.place.path();
    let has_members = note.place.members().next().is_some();
    let within = if has_members { holder(path, note.place.members()) } else { Vec::new() };
    let between: &[u8] = if has_members { b": " } else { b"" };
    Entry {
        level: match row.map(|row| row.loss) {
            Some(Loss::Input) => Level::Loss,
            Some(Loss::None) | None => Level::Info,
        },
        code: shown(note.kind.as_bytes()),
        words: shown(&[&within, between, noted(note).as_bytes()].concat()),
        path: shown(&from_the_top(path)),
        at: None,
        uri: String::new(),
    }
}

/// Returns `text` with hostile characters made visible.
pub(super) fn shown(text: &[u8]) -> String {
    Shown(text).to_string()
}
