//! Writes files of Parquet.

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use super::{Closing, PROGRAM_KEY, Target, VERSION, VERSION_KEY};

/// The words after the magic number, by which our files are recognised. Readers skip them, because
/// every part of a file is found by its offset.
const MARK: &[u8] = b"linktrawl report\n";

/// Reports whether `beginning` is the beginning of a file of this module.
pub fn is_own(beginning: &[u8]) -> bool {
    beginning.strip_prefix(b"PAR1").is_some_and(|rest| rest.starts_with(MARK))
}

/// Rows of a group, which is in memory, compressed, until it is complete, and which readers skip as
/// a whole by its statistics. As many as DuckDB reads on one thread.
const GROUP_ROWS_MAX: usize = 122_880;

/// Maximum number of bytes of a group: long URIs make smaller groups.
const GROUP_LEN_MAX: usize = 32 * 1024 * 1024;

/// Level of compression: higher levels take twice the time for a twentieth of the size.
const LEVEL: i32 = 3;

/// Columns that are looked up by their value, which no order of rows brings together: a filter tells
/// the groups without it.
const LOOKED_UP: [&str; 2] = ["host", "site"];

/// Distinct values that such a filter is made for, in each group; with more, it is larger.
const LOOKED_UP_COUNT: u64 = 8192;

/// Columns whose statistics are kept for each page, to skip pages of a group.
const RANGES: [&str; 4] = ["place_path", "message_date", "host", "year"];

/// A file in progress.
pub(super) struct File(Option<ArrowWriter<Vec<u8>>>, Vec<u8>);

impl File {
    pub(super) fn begin(schema: &SchemaRef) -> Result<Self, ArrowError> {
        let mut writer = ArrowWriter::try_new(Vec::new(), schema.clone(), Some(properties()?))?;
        writer.write_all(MARK)?;
        writer.sync()?;
        Ok(Self(Some(writer), Vec::new()))
    }
}

fn properties() -> Result<WriterProperties, ArrowError> {
    let program = env!("CARGO_PKG_VERSION");
    let metadata = [(VERSION_KEY, VERSION.to_string()), (PROGRAM_KEY, program.to_owned())];
    let metadata = metadata.map(|(key, value)| KeyValue::new(key.to_owned(), value)).to_vec();
    let mut builder = WriterProperties::builder()
        .set_created_by(format!("linktrawl version {program}"))
        .set_key_value_metadata(Some(metadata))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
        .set_max_row_group_row_count(Some(GROUP_ROWS_MAX))
        .set_max_row_group_bytes(Some(GROUP_LEN_MAX))
        .set_statistics_enabled(EnabledStatistics::Chunk);
    for column in RANGES {
        builder = builder.set_column_statistics_enabled(column.into(), EnabledStatistics::Page);
    }
    for column in LOOKED_UP {
        builder = builder
            .set_column_bloom_filter_enabled(column.into(), true)
            .set_column_bloom_filter_max_ndv(column.into(), LOOKED_UP_COUNT);
    }
    Ok(builder.build())
}

impl Target for File {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let Some(writer) = &mut self.0 else { return Ok(()) };
        writer.write(batch)?;
        Ok(writer.sync()?)
    }

    fn close(&mut self, closing: &Closing) -> Result<(), ArrowError> {
        let Some(mut writer) = self.0.take() else { return Ok(()) };
        for (key, value) in closing {
            writer.append_key_value_metadata(KeyValue::new((*key).to_owned(), value.clone()));
        }
        self.1 = writer.into_inner()?;
        Ok(())
    }

    fn drain(&mut self, out: &mut Vec<u8>) {
        match &mut self.0 {
            Some(writer) => out.append(writer.inner_mut()),
            None => out.append(&mut self.1),
        }
    }
}
