//! Builds columns of any type that a field may have.

use std::sync::Arc;

use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, Date32Builder, Int64Builder, StringBuilder,
    TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, ListArray, StructArray};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, FieldRef, Fields};

use super::fields::UTC;

/// The value of a field.
pub(super) enum Value<'r> {
    Null,
    Text(&'r str),
    Bytes(&'r [u8]),
    Int(i64),
    Flag(bool),
    /// Days since 1970-01-01.
    Day(i32),
    /// Microseconds since 1970-01-01T00:00:00Z.
    Time(i64),
    /// Items, each with a value for each of its fields; with one value if it has no fields.
    List(Vec<Vec<Value<'r>>>),
}

/// The column of a field, in progress.
pub(super) enum Column {
    Text(StringBuilder),
    Bytes(BinaryBuilder),
    Int(Int64Builder),
    Flag(BooleanBuilder),
    Day(Date32Builder),
    Time(TimestampMicrosecondBuilder),
    List(List),
}

/// A column of lists, in progress.
pub(super) struct List {
    item: FieldRef,
    /// The fields of an item, if it has fields.
    fields: Option<Fields>,
    columns: Vec<Column>,
    /// The end of each list.
    ends: Vec<i32>,
    count: i32,
    valid: NullBufferBuilder,
}

impl Column {
    /// Creates the column for a field of type `of`. Types that no field has become text.
    pub(super) fn of(of: &DataType) -> Self {
        match of {
            DataType::Binary => Self::Bytes(BinaryBuilder::new()),
            DataType::Int64 => Self::Int(Int64Builder::new()),
            DataType::Boolean => Self::Flag(BooleanBuilder::new()),
            DataType::Date32 => Self::Day(Date32Builder::new()),
            DataType::Timestamp(..) => {
                Self::Time(TimestampMicrosecondBuilder::new().with_timezone(UTC))
            }
            DataType::List(item) => Self::List(List::of(item)),
            _ => Self::Text(StringBuilder::new()),
        }
    }

    /// Returns the number of bytes that `value` takes in the column.
    pub(super) fn cost(&self, value: &Value<'_>) -> usize {
        let own = match self {
            Self::Flag(_) => 1,
            Self::Text(_) | Self::Bytes(_) | Self::Day(_) | Self::List(_) => 4,
            Self::Int(_) | Self::Time(_) => 8,
        };
        own + match (self, value) {
            (_, Value::Text(text)) => text.len(),
            (_, Value::Bytes(bytes)) => bytes.len(),
            (Self::List(list), Value::List(items)) => {
                let costs = |item: &Vec<Value<'_>>| -> usize {
                    list.columns.iter().zip(item).map(|(column, value)| column.cost(value)).sum()
                };
                items.iter().map(costs).sum::<usize>()
            }
            _ => 0,
        }
    }

    /// Appends `value`, or null if it is of another type.
    pub(super) fn append(&mut self, value: Value<'_>) {
        match (self, value) {
            (Self::Text(column), Value::Text(text)) => column.append_value(text),
            (Self::Text(column), _) => column.append_null(),
            (Self::Bytes(column), Value::Bytes(bytes)) => column.append_value(bytes),
            (Self::Bytes(column), _) => column.append_null(),
            (Self::Int(column), Value::Int(number)) => column.append_value(number),
            (Self::Int(column), _) => column.append_null(),
            (Self::Flag(column), Value::Flag(flag)) => column.append_value(flag),
            (Self::Flag(column), _) => column.append_null(),
            (Self::Day(column), Value::Day(day)) => column.append_value(day),
            (Self::Day(column), _) => column.append_null(),
            (Self::Time(column), Value::Time(time)) => column.append_value(time),
            (Self::Time(column), _) => column.append_null(),
            (Self::List(list), Value::List(items)) => list.append(items),
            (Self::List(list), _) => list.append_null(),
        }
    }

    /// Returns the values so far, and begins anew.
    pub(super) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Self::Text(column) => Arc::new(column.finish()),
            Self::Bytes(column) => Arc::new(column.finish()),
            Self::Int(column) => Arc::new(column.finish()),
            Self::Flag(column) => Arc::new(column.finish()),
            Self::Day(column) => Arc::new(column.finish()),
            Self::Time(column) => Arc::new(column.finish()),
            Self::List(list) => Arc::new(list.finish()?),
        })
    }
}

impl List {
    fn of(item: &FieldRef) -> Self {
        let fields = match item.data_type() {
            DataType::Struct(fields) => Some(fields.clone()),
            _ => None,
        };
        let columns = match &fields {
            Some(fields) => fields.iter().map(|field| Column::of(field.data_type())).collect(),
            None => vec![Column::of(item.data_type())],
        };
        let (item, valid) = (item.clone(), NullBufferBuilder::new(0));
        Self { item, fields, columns, ends: Vec::new(), count: 0, valid }
    }

    fn append(&mut self, items: Vec<Vec<Value<'_>>>) {
        for item in items {
            for (column, value) in self.columns.iter_mut().zip(item) {
                column.append(value);
            }
            self.count += 1;
        }
        self.valid.append_non_null();
        self.ends.push(self.count);
    }

    fn append_null(&mut self) {
        self.valid.append_null();
        self.ends.push(self.count);
    }

    fn finish(&mut self) -> Result<ListArray, ArrowError> {
        let arrays: Result<Vec<ArrayRef>, _> =
            self.columns.iter_mut().map(Column::finish).collect();
        let mut arrays = arrays?;
        let items: ArrayRef = match (&self.fields, arrays.pop()) {
            (None, Some(only)) => only,
            (Some(fields), Some(last)) => {
                arrays.push(last);
                Arc::new(StructArray::try_new(fields.clone(), arrays, None)?)
            }
            (_, None) => return Err(ArrowError::SchemaError("a list without fields".to_owned())),
        };
        let ends = std::mem::take(&mut self.ends);
        let offsets: ScalarBuffer<i32> = std::iter::once(0).chain(ends).collect();
        self.count = 0;
        let (item, valid) = (self.item.clone(), self.valid.finish());
        ListArray::try_new(item, OffsetBuffer::new(offsets), items, valid)
    }
}
