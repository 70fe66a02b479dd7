//! The `sqlite` format: a database of SQLite 3, for queries about a run in SQL.
//!
//! There are three tables: `findings` and `notes`, with a row each in the order of the run, and
//! `summary`, with one row. `PRAGMA user_version` is the version of the tables; columns have the
//! meaning of the keys of the `ndjson` format. Columns have no type, but values do: TEXT, INTEGER
//! and NULL; text that is not UTF-8 or contains a NUL is a BLOB of its bytes, and nested values are
//! JSON.
//!
//! The database is created in a file of its own among the system's temporary ones, and copied to
//! the report when it is complete: equal runs produce equal bytes.

use std::fmt;
use std::fs::File;
use std::io::{self, Seek as _, Write};

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use serde::Serialize;

use super::entry::shown;
use super::record::{Bytes, NoteRecord, Record, SummaryRecord, bytes};
use super::rot::{Fate, is_inaccessible};
use super::site::site;
use super::{Document, Form, Report};
use crate::finding::Verdict;

/// The `sqlite` format.
pub struct Sqlite;

impl Report for Sqlite {
    fn name(&self) -> &'static str {
        "sqlite"
    }

    fn about(&self) -> &'static str {
        "a database of SQLite 3: findings, notes and summary, to ask questions of in SQL"
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Database(Making::begin())))
    }

    fn try_out(&self) -> Result<(), String> {
        Making::begin().map(drop).map_err(|failure| failure.to_string())
    }

    fn is_binary(&self) -> bool {
        true
    }
}

/// The version of the tables. New columns may be appended; any other change needs a new version.
const VERSION: i64 = 1;

/// A column, and its value in a row of a record.
type Column<R> = (&'static str, fn(&R) -> Value);

const FINDINGS: [Column<Record>; 47] = [
    ("uri", |of| value(of.uri())),
    ("scheme", |of| optional(of.scheme.as_deref(), text)),
    ("verdict", |of| text(of.verdict.name())),
    ("known", |of| optional(of.known.as_deref(), text)),
    ("path", |of| value(of.place.path())),
    ("members", |of| members(&of.place.members, of.place.members_bytes.as_deref())),
    ("line", |of| number(of.place.line)),
    ("column", |of| number(of.place.column)),
    ("offset", |of| number(of.place.offset)),
    ("len", |of| number(of.place.len)),
    ("file_offset", |of| optional(of.place.file_offset, number)),
    ("decoded_line", |of| optional(of.place.decoded.as_ref(), |at| number(at.line))),
    ("decoded_column", |of| optional(of.place.decoded.as_ref(), |at| number(at.column))),
    ("message_id", |of| either(of.message.as_ref(), |it| (it.id.as_deref(), it.id_bytes.as_ref()))),
    ("date", |of| either(of.message.as_ref(), |it| (it.date.as_deref(), None))),
    ("list_id", |of| {
        either(of.message.as_ref(), |it| (it.list_id.as_deref(), it.list_id_bytes.as_ref()))
    }),
    ("number", |of| optional(of.message.as_ref().and_then(|it| it.number), number)),
    ("header", |of| {
        either(of.message.as_ref(), |it| (it.header.as_deref(), it.header_bytes.as_ref()))
    }),
    ("part", |of| either(of.message.as_ref(), |it| (it.part.as_deref(), None))),
    ("rule", |of| optional(of.faults().next(), |(_, fault)| text(&fault.rule))),
    ("class", |of| optional(of.reach.as_ref(), |it| text(&it.class))),
    ("probe", |of| optional(of.reach.as_ref(), |it| text(&it.probe))),
    ("status", |of| {
        optional(of.reach.as_ref().and_then(|it| it.status), |status| number(status.into()))
    }),
    ("message", |of| {
        either(of.reach.as_ref(), |it| (Some(&it.message), it.message_bytes.as_ref()))
    }),
    ("hint", |of| either(of.reach.as_ref(), |it| (it.hint.as_deref(), it.hint_bytes.as_ref()))),
    ("dead_runs", |of| {
        optional(of.reach.as_ref().and_then(|it| it.dead_runs), |runs| number(runs.into()))
    }),
    ("hops", |of| list(of.reach.as_ref().map_or(&[], |it| &it.hops))),
    ("cue", |of| text(&of.cue)),
    ("raw", |of| value(bytes(&of.raw, of.raw_bytes.as_ref()))),
    ("base", |of| either(Some(of), |it| (it.base.as_deref(), it.base_bytes.as_ref()))),
    ("syntax", |of| optional(of.syntax.as_ref(), json)),
    ("also", |of| list(&of.also)),
    ("warnings", |of| list(&of.warnings)),
    ("twins", |of| list(&of.twins)),
    ("member_date", |of| optional(of.place.date.as_deref(), text)),
    ("wrapped_by", |of| list(&of.wrapped_by)),
    ("target", |of| optional(of.target.as_deref(), text)),
    ("target_unknown", |of| optional(of.target_unknown.as_deref(), text)),
    ("archived", |of| optional(of.archived, |it| number(it.into()))),
    ("memento_uri", |of| optional(of.memento.as_ref().and_then(|it| it.uri.as_deref()), text)),
    ("memento_datetime", |of| optional(of.memento.as_ref(), |it| text(&it.datetime))),
    ("memento_distance_days", |of| {
        optional(of.memento.as_ref().and_then(|it| it.distance_days), Value::Integer)
    }),
    ("memento_archive", |of| optional(of.memento.as_ref(), |it| text(&it.archive))),
    ("site", |of| optional(site(&shown(of.uri())).as_deref(), text)),
    ("fate", |of| optional(Fate::of(of), |fate| text(fate.name()))),
    ("inaccessible", |of| optional(is_inaccessible(of), |is_so| number(is_so.into()))),
    ("changed_since", |of| {
        optional(of.reach.as_ref().and_then(|it| it.changed_since.as_deref()), text)
    }),
];

const NOTES: [Column<NoteRecord>; 5] = [
    ("kind", |of| text(&of.kind)),
    ("path", |of| value(of.place.path())),
    ("members", |of| members(&of.place.members, of.place.members_bytes.as_deref())),
    ("offset", |of| optional(of.place.offset, number)),
    ("message", |of| text(&of.message)),
];

const SUMMARY: [Column<SummaryRecord>; 16] = [
    ("schema", |of| number(of.schema.into())),
    ("complete", |of| number(of.complete.into())),
    ("files", |of| number(of.files)),
    ("members", |of| number(of.members)),
    ("bytes", |of| number(of.bytes)),
    ("messages", |of| number(of.messages)),
    ("findings", |of| number(of.findings)),
    ("distinct_uris", |of| optional(of.distinct, number)),
    ("ok", |of| number(of.count(Verdict::Ok))),
    ("warn", |of| number(of.count(Verdict::Warn))),
    ("error", |of| number(of.count(Verdict::Error))),
    ("skipped", |of| number(of.count(Verdict::Skipped))),
    ("left_out", |of| json(&of.skipped)),
    ("archived", |of| number(of.archived.archived)),
    ("not_archived", |of| number(of.archived.not_archived)),
    ("unknown_to_archives", |of| number(of.archived.unknown)),
];

/// The database, or the reason why it failed.
struct Database(Result<Making, Failure>);

/// The database in progress.
struct Making {
    connection: Connection,
    /// The file that contains it. The file has no name any more, and vanishes when it is closed.
    file: File,
}

/// The reason why the database failed.
enum Failure {
    /// SQLite reports an error.
    Database(rusqlite::Error),
    /// The file cannot be created.
    File(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Database(error) => write!(out, "SQLite: {error}"),
            Self::File(error) => write!(out, "a temporary file for SQLite: {error}"),
        }
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

impl Making {
    fn begin() -> Result<Self, Failure> {
        let named = tempfile::NamedTempFile::new().map_err(Failure::File)?;
        let connection = Connection::open(named.path())?;
        // Only we open the file, and half of a database is no report: neither rollback nor
        // durability is needed.
        connection.pragma_update(None, "journal_mode", "OFF")?;
        connection.pragma_update(None, "synchronous", "OFF")?;
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        connection.pragma_update(None, "user_version", VERSION)?;
        // SQLite has opened the file by now and does not need its name.
        let file = named.into_file();
        connection.execute_batch("BEGIN")?;
        let tables = [
            ("findings", names(&FINDINGS)),
            ("notes", names(&NOTES)),
            ("summary", names(&SUMMARY)),
        ];
        for (table, columns) in tables {
            let columns = columns.join("\", \"");
            connection.execute_batch(&format!(
                "CREATE TABLE {table} (id INTEGER PRIMARY KEY, \"{columns}\")"
            ))?;
        }
        Ok(Self { connection, file })
    }
}

/// Returns the names of `columns`.
fn names<R>(columns: &[Column<R>]) -> Vec<&'static str> {
    columns.iter().map(|(name, _)| *name).collect()
}

impl Database {
    /// Inserts the row of `record` into `table`.
    fn insert<R>(&mut self, table: &str, columns: &[Column<R>], record: &R) {
        self.go_on(|making| {
            let sql = format!("INSERT INTO {table} VALUES (NULL{})", ", ?".repeat(columns.len()));
            let row = columns.iter().map(|(_, value)| value(record));
            making.connection.prepare_cached(&sql)?.execute(params_from_iter(row)).map(drop)
        });
    }

    /// Runs `step`, unless an earlier one failed.
    fn go_on(&mut self, step: impl FnOnce(&Making) -> rusqlite::Result<()>) {
        if let Some(error) = self.0.as_ref().ok().and_then(|making| step(making).err()) {
            self.0 = Err(error.into());
        }
    }
}

impl Document for Database {
    fn finding(&mut self, record: &Record, _: &mut Vec<u8>) {
        self.insert("findings", &FINDINGS, record);
    }

    fn note(&mut self, note: &NoteRecord, _: &mut Vec<u8>) {
        self.insert("notes", &NOTES, note);
    }

    fn finish(&mut self, summary: &SummaryRecord, _: &mut Vec<u8>) {
        self.insert("summary", &SUMMARY, summary);
        self.go_on(|making| making.connection.execute_batch("COMMIT"));
    }

    fn rest(&mut self, _: &SummaryRecord, out: &mut dyn Write) -> io::Result<()> {
        // On failure, the reason is reported elsewhere.
        let Ok(Making { file, .. }) = &mut self.0 else { return Ok(()) };
        file.rewind()?;
        io::copy(file, out).map(drop)
    }

    fn failure(&self) -> Option<String> {
        self.0.as_ref().err().map(ToString::to_string)
    }
}

/// Returns TEXT if it is exact; many functions of SQL end at a NUL.
fn value(text: &[u8]) -> Value {
    match str::from_utf8(text) {
        Ok(text) if !text.contains('\0') => Value::Text(text.to_owned()),
        _ => Value::Blob(text.to_vec()),
    }
}

fn text(text: &str) -> Value {
    value(text.as_bytes())
}

/// Returns an INTEGER, or TEXT for numbers that SQLite cannot hold, which no file reaches.
fn number(number: u64) -> Value {
    i64::try_from(number).map_or_else(|_| Value::Text(number.to_string()), Value::Integer)
}

fn optional<T>(given: Option<T>, value: impl FnOnce(T) -> Value) -> Value {
    given.map_or(Value::Null, value)
}

/// Returns the text that `parts` selects from `holder`, by its exact bytes if it has them.
fn either<'h, T>(
    holder: Option<&'h T>,
    parts: impl FnOnce(&'h T) -> (Option<&'h str>, Option<&'h Bytes>),
) -> Value {
    let (lossy, exact) = holder.map(parts).unwrap_or_default();
    optional(lossy, |lossy| value(bytes(lossy, exact)))
}

/// Returns the names as an array or, if one is not UTF-8, in base64 in an object `{"base64": […]}`.
fn members(lossy: &[String], exact: Option<&[Bytes]>) -> Value {
    match exact {
        Some(exact) => json(&std::collections::BTreeMap::from([("base64", exact)])),
        None => list(lossy),
    }
}

/// Returns an array, or NULL for an empty one.
fn list<T: Serialize>(items: &[T]) -> Value {
    if items.is_empty() { Value::Null } else { json(&items) }
}

fn json<T: Serialize + ?Sized>(part: &T) -> Value {
    // The keys of parts of records are strings, so that encoding cannot fail.
    serde_json::to_string(part).map_or(Value::Null, Value::Text)
}

#[cfg(test)]
mod tests {
    use rusqlite::types::Value;

    use super::{Database, Making, number, value};
    use crate::report::Document as _;
    use crate::report::record::Line;

    const SUMMARY: &str = concat!(
        r#"{"type":"summary","schema":1,"complete":true,"files":1,"bytes":1,"messages":0,"#,
        r#""findings":0,"distinct":null,"verdicts":{"ok":0,"warn":0,"error":0,"skipped":0},"#,
        r#""skipped":{}}"#,
    );

    #[test]
    fn a_database_that_fails_says_why_and_gives_no_bytes() {
        let Line::Summary(summary) = Line::parse(SUMMARY.as_bytes()).unwrap() else {
            panic!("no summary")
        };
        let [mut good, mut bad] = [(); 2].map(|()| Database(Making::begin()));
        bad.go_on(|making| making.connection.execute_batch("DROP TABLE summary"));
        let [mut whole, mut nothing] = [Vec::new(), Vec::new()];
        for (database, out) in [(&mut good, &mut whole), (&mut bad, &mut nothing)] {
            database.finish(&summary, out);
            database.rest(&summary, out).unwrap();
        }
        assert!(good.failure().is_none() && whole.starts_with(b"SQLite format 3\0"));
        assert!(bad.failure().is_some_and(|why| why.contains("no such table")));
        assert!(nothing.is_empty());
    }

    #[test]
    fn what_no_integer_or_text_can_tell_comes_back_in_another_type() {
        assert_eq!(number(7), Value::Integer(7));
        assert_eq!(number(u64::MAX), Value::Text("18446744073709551615".to_owned()));
        assert_eq!(value(b"a"), Value::Text("a".to_owned()));
        assert_eq!(value(b"a\0b"), Value::Blob(b"a\0b".to_vec()));
        assert_eq!(value(b"\xff"), Value::Blob(b"\xff".to_vec()));
    }
}
