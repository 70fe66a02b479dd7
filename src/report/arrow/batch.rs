//! Collects rows into batches.

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};

use super::column::Column;
use super::derived::Derived;
use super::fields::{self, Row};
use crate::report::record::Record;

/// Maximum number of rows of a batch.
const ROWS_MAX: usize = 16_384;

/// Maximum number of bytes of a batch, unless one row alone is longer.
const LEN_MAX: usize = 4 * 1024 * 1024;

/// The rows of the batch in progress.
pub(super) struct Rows {
    schema: SchemaRef,
    columns: Vec<Column>,
    count: usize,
    /// Number of bytes of the values.
    len: usize,
}

impl Rows {
    pub(super) fn of(schema: SchemaRef) -> Self {
        let columns = schema.fields().iter().map(|field| Column::of(field.data_type())).collect();
        Self { schema, columns, count: 0, len: 0 }
    }

    /// Adds a row, and returns the batch before it if that is full.
    pub(super) fn push(&mut self, record: &Record) -> Result<Option<RecordBatch>, ArrowError> {
        let derived = Derived::of(record);
        let values = fields::values(&Row { record, derived: &derived });
        let lens = self.columns.iter().zip(&values).map(|(column, value)| column.cost(value));
        let len = lens.sum::<usize>();
        let is_full = self.count >= ROWS_MAX || self.len + len > LEN_MAX;
        let batch = if is_full { self.take()? } else { None };
        for (column, value) in self.columns.iter_mut().zip(values) {
            column.append(value);
        }
        self.count += 1;
        self.len += len;
        Ok(batch)
    }

    /// Returns the batch in progress, unless it is empty.
    pub(super) fn take(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        if self.count == 0 {
            return Ok(None);
        }
        (self.count, self.len) = (0, 0);
        let arrays: Result<_, _> = self.columns.iter_mut().map(Column::finish).collect();
        RecordBatch::try_new(self.schema.clone(), arrays?).map(Some)
    }
}
