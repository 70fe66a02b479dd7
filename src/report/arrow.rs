//! The `arrow` and `parquet` formats: findings as columns, for engines and data frames.
//!
//! `arrow` is a stream of Apache Arrow (IPC streaming format, without dictionaries and without
//! compression), `parquet` a file of Apache Parquet. A finding is a row, in the order of the run.
//! Columns are the keys of the `ndjson` format, flattened with `_`, and some that are derived from
//! them; `columns` has the table, and corpus/schema/arrow.json describes it. `rows` encodes
//! findings where they are made, without an intermediate text.
//!
//! The metadata of the schema has its version. Totals and notes are the metadata of a last batch
//! without rows, and of the file: a stream that ends without them was cut off.

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};

use super::escape::json::append_value;
use super::record::{Line, NoteRecord, Record, SummaryRecord};
use super::{Document, Form, Lines, Report};
use batch::Batch;
use row::{Entries, Row, Value};
use rows::{LINE, ROW, Rows};

mod batch;
mod column;
mod date;
mod derived;
mod fields;
mod file;
mod row;
mod rows;
mod saved;
mod stream;

pub use file::is_own as is_own_file;
pub use stream::is_own as is_own_stream;

/// The version of the columns. New columns may be appended, anything else needs a new version.
pub const VERSION: u32 = 1;

/// The metadata key of the version of the columns.
pub const VERSION_KEY: &str = "linktrawl.schema_version";
/// The metadata key of the version of the program.
pub const PROGRAM_KEY: &str = "linktrawl.version";
/// The metadata key of the totals: the `summary` of the `json` format.
pub const SUMMARY_KEY: &str = "linktrawl.summary";
/// The metadata key of the notes: the first of the `notes` of the `json` format.
pub const NOTES_KEY: &str = "linktrawl.notes";
/// The metadata key of the number of all notes.
pub const NOTES_COUNT_KEY: &str = "linktrawl.notes_count";
/// The metadata key of the number of all rows, fewer than the findings of the totals where a run
/// does not report all of them.
pub const ROWS_COUNT_KEY: &str = "linktrawl.rows_count";

/// Maximum number of bytes of notes that are kept until the end: a broken archive causes one, a
/// broken disk thousands.
const NOTES_LEN_MAX: usize = 256 * 1024;

/// The `arrow` format.
pub struct Arrow;

impl Report for Arrow {
    fn name(&self) -> &'static str {
        "arrow"
    }

    fn about(&self) -> &'static str {
        "a stream of Apache Arrow, schema version 1, for data frames and engines"
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Table::of(stream::Stream::begin)))
    }

    fn is_binary(&self) -> bool {
        true
    }
}

/// The `parquet` format.
pub struct Parquet;

impl Report for Parquet {
    fn name(&self) -> &'static str {
        "parquet"
    }

    fn about(&self) -> &'static str {
        "a file of Apache Parquet with the columns of arrow, compressed, for archives of runs"
    }

    fn form(&self) -> Form {
        Form::Document(Box::new(Table::of(file::File::begin)))
    }

    fn is_binary(&self) -> bool {
        true
    }
}

/// The closing metadata: keys and values.
type Closing = [(&'static str, String); 4];

/// A format of batches.
trait Target: Send {
    /// Writes a batch.
    fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError>;

    /// Writes the closing metadata and the end.
    fn close(&mut self, closing: &Closing) -> Result<(), ArrowError>;

    /// Moves the bytes that are complete to `out`.
    fn drain(&mut self, out: &mut Vec<u8>);
}

/// The report in progress.
struct Table<T> {
    batch: Batch,
    /// Memory for the row of a record.
    row: Vec<u8>,
    target: Result<T, ArrowError>,
    /// The notes, encoded, separated by commas.
    notes: Vec<u8>,
    notes_count: u64,
    rows_count: u64,
}

impl<T: Target> Table<T> {
    fn of(begin: impl FnOnce(&SchemaRef) -> Result<T, ArrowError>) -> Self {
        let schema = fields::schema();
        let target = begin(&schema);
        let batch = Batch::of(schema);
        Self { batch, row: Vec::new(), target, notes: Vec::new(), notes_count: 0, rows_count: 0 }
    }

    /// Runs `step`, unless an earlier one failed, and appends the bytes that are complete.
    fn go_on(
        &mut self,
        out: &mut Vec<u8>,
        step: impl FnOnce(&mut T, &mut Batch) -> Result<(), ArrowError>,
    ) {
        let Ok(target) = &mut self.target else { return };
        match step(target, &mut self.batch) {
            Ok(()) => target.drain(out),
            Err(error) => self.target = Err(error),
        }
    }

    fn row(&mut self, row: &[u8], out: &mut Vec<u8>) {
        self.rows_count += 1;
        self.go_on(out, |target, batch| {
            batch.push(row)?.iter().try_for_each(|batch| target.write(batch))
        });
    }

    /// Adds the note or the totals in `line`, a line of the `ndjson` format.
    fn line(&mut self, line: &[u8], out: &mut Vec<u8>) {
        match Line::parse(line) {
            Ok(Line::Note(note)) => self.note(&note, out),
            Ok(Line::Summary(summary)) => self.finish(&summary, out),
            Ok(Line::Finding(_)) => self.fail("expected a finding as a row".to_owned()),
            Err(error) => self.fail(error.to_string()),
        }
    }

    fn fail(&mut self, reason: String) {
        if self.target.is_ok() {
            self.target = Err(ArrowError::InvalidArgumentError(reason));
        }
    }
}

impl<T: Target> Document for Table<T> {
    fn begin(&mut self, out: &mut Vec<u8>) {
        self.go_on(out, |_, _| Ok(()));
    }

    fn finding(&mut self, record: &Record, out: &mut Vec<u8>) {
        self.row.clear();
        let mut row = Row::after(std::mem::take(&mut self.row));
        saved::visit(record, &mut row);
        let row = row.into_bytes();
        self.row(&row, out);
        self.row = row;
    }

    fn rows(&self) -> Option<&'static dyn Lines> {
        Some(&Rows)
    }

    fn take_rows(&mut self, rows: &[u8], out: &mut Vec<u8>) {
        let mut entries = Entries::of(rows);
        for entry in &mut entries {
            match entry {
                (ROW, Value::Bytes(row)) => self.row(row, out),
                (LINE, Value::Bytes(line)) => self.line(line, out),
                _ => self.fail("expected a row".to_owned()),
            }
        }
        if entries.is_broken() {
            self.fail("expected a whole row".to_owned());
        }
    }

    fn note(&mut self, note: &NoteRecord, _: &mut Vec<u8>) {
        self.notes_count += 1;
        let len = self.notes.len();
        if len > 0 {
            self.notes.push(b',');
        }
        append_value(note, &mut self.notes);
        if self.notes.len() > NOTES_LEN_MAX {
            self.notes.truncate(len);
        }
    }

    fn finish(&mut self, summary: &SummaryRecord, out: &mut Vec<u8>) {
        let mut totals = Vec::new();
        append_value(summary, &mut totals);
        let notes = [b"[", &*self.notes, b"]"].concat();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let closing = [
            (SUMMARY_KEY, text(&totals)),
            (NOTES_KEY, text(&notes)),
            (NOTES_COUNT_KEY, self.notes_count.to_string()),
            (ROWS_COUNT_KEY, self.rows_count.to_string()),
        ];
        self.go_on(out, |target, batch| {
            if let Some(batch) = batch.take()? {
                target.write(&batch)?;
            }
            target.close(&closing)
        });
    }

    fn failure(&self) -> Option<String> {
        self.target.as_ref().err().map(|error| format!("Arrow: {error}"))
    }
}
