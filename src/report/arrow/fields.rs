//! The fields of the columns: their names and types in the schema.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Metadata, Schema, SchemaRef, TimeUnit};

use super::{PROGRAM_KEY, VERSION, VERSION_KEY};
use crate::report::columns::{Kind, Part, REPORT};

/// The time zone of all dates.
const UTC: &str = "UTC";

/// Returns the schema, with its version.
pub(super) fn schema() -> SchemaRef {
    let mut metadata = Metadata::new();
    metadata.insert(VERSION_KEY, VERSION.to_string());
    metadata.insert(PROGRAM_KEY, env!("CARGO_PKG_VERSION"));
    Arc::new(Schema::new(fields(REPORT)).with_metadata(metadata))
}

fn fields(parts: &[Part]) -> Fields {
    let of_part = |part: &Part| {
        let prefix = part.prefix;
        part.group.items().iter().map(move |item| {
            let name = format!("{prefix}{}", item.name);
            Field::new(name, data_type(item.kind), !item.is_always)
        })
    };
    parts.iter().flat_map(of_part).collect()
}

fn data_type(kind: Kind) -> DataType {
    let list = |item: DataType| DataType::List(Arc::new(Field::new("item", item, false)));
    match kind {
        Kind::Text => DataType::Utf8,
        Kind::Bytes => DataType::Binary,
        Kind::Int => DataType::Int64,
        Kind::Flag => DataType::Boolean,
        Kind::Day => DataType::Date32,
        Kind::Time => DataType::Timestamp(TimeUnit::Microsecond, Some(UTC.into())),
        Kind::Texts => list(DataType::Utf8),
        Kind::Blobs => list(DataType::Binary),
        Kind::Rows(parts) => list(DataType::Struct(fields(parts))),
    }
}
