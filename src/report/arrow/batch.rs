//! Collects rows into batches.

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};

use super::column::Columns;
use crate::report::columns::REPORT;

/// Maximum number of rows of a batch.
const ROWS_MAX: usize = 16_384;

/// Maximum number of bytes of a batch, unless one row alone is longer.
const LEN_MAX: usize = 4 * 1024 * 1024;

/// The rows of the batch in progress.
pub(super) struct Batch {
    schema: SchemaRef,
    columns: Columns,
    count: usize,
    /// Number of bytes of the values.
    len: usize,
}

impl Batch {
    pub(super) fn of(schema: SchemaRef) -> Self {
        let columns = Columns::of(REPORT, schema.fields());
        Self { schema, columns, count: 0, len: 0 }
    }

    /// Adds `row`, and returns the batch before it if that is full.
    pub(super) fn push(&mut self, row: &[u8]) -> Result<Option<RecordBatch>, ArrowError> {
        let len = self.columns.len_of(row);
        let is_full = self.count >= ROWS_MAX || self.len + len > LEN_MAX;
        let batch = if is_full { self.take()? } else { None };
        self.columns.push(row)?;
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
        RecordBatch::try_new(self.schema.clone(), self.columns.finish()?).map(Some)
    }
}
