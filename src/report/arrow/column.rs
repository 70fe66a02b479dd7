//! Builds columns of any type from the values of rows.

use std::sync::Arc;

use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, Date32Builder, Int64Builder, TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, ListArray, StringArray, StructArray};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, FieldRef, Fields};

use super::row::{Entries, Items, Value};
use crate::report::columns::{COUNT, Kind, Part};

/// The columns of a table, in progress.
pub(super) struct Columns {
    list: Vec<Progress>,
    /// The index of each column of a row, by its number.
    index: [Option<u8>; COUNT],
    /// Number of whole rows.
    count: usize,
    /// Number of bytes that a row takes without its texts.
    own_len: usize,
}

/// A column, and the number of its values. Nulls are added together, before the next value: most
/// columns of most rows have none.
struct Progress {
    column: Column,
    count: usize,
}

/// The column of a field, in progress.
enum Column {
    /// Text, which is known to be UTF-8 when the column is finished.
    Text(BinaryBuilder),
    Bytes(BinaryBuilder),
    Int(Int64Builder),
    Flag(BooleanBuilder),
    Day(Date32Builder),
    Time(TimestampMicrosecondBuilder),
    List(List),
}

/// A column of lists, in progress.
struct List {
    item: FieldRef,
    /// The fields of an item, if it has fields.
    fields: Option<Fields>,
    columns: Columns,
    /// The end of each list.
    ends: Vec<i32>,
    valid: NullBufferBuilder,
}

impl Columns {
    /// Creates the columns of `parts`, whose types are those of `fields`.
    pub(super) fn of(parts: &[Part], fields: &Fields) -> Self {
        let mut index = [None; COUNT];
        let mut columns = Vec::new();
        let mut of_fields = fields.iter();
        for part in parts {
            for (number, item) in (part.group.first()..).zip(part.group.items()) {
                let Some(field) = of_fields.next() else { break };
                if let Some(index) = index.get_mut(usize::from(number)) {
                    *index = u8::try_from(columns.len()).ok();
                }
                columns.push(Column::of(item.kind, field.data_type()));
            }
        }
        Self::with(columns, index)
    }

    /// Creates the only column of a table; its number is 0.
    fn only(column: Column) -> Self {
        let mut index = [None; COUNT];
        if let Some(first) = index.first_mut() {
            *first = Some(0);
        }
        Self::with(vec![column], index)
    }

    fn with(columns: Vec<Column>, index: [Option<u8>; COUNT]) -> Self {
        let own_len = columns.iter().map(Column::own_len).sum();
        let list = columns.into_iter().map(|column| Progress { column, count: 0 }).collect();
        Self { list, index, count: 0, own_len }
    }

    fn at(&mut self, number: u8) -> Option<&mut Progress> {
        let index = *self.index.get(usize::from(number))?;
        self.list.get_mut(usize::from(index?))
    }

    /// Returns the number of bytes that `row` takes in the columns, rounded up: whether there is a
    /// value is one bit.
    pub(super) fn len_of(&self, row: &[u8]) -> usize {
        let of_texts = Entries::of(row).map(|(number, value)| match value {
            Value::Number(_) => 0,
            Value::Bytes(bytes) => {
                let index = self.index.get(usize::from(number)).copied().flatten();
                match index.and_then(|index| self.list.get(usize::from(index))) {
                    Some(Progress { column: Column::List(list), .. }) => list.len_of(bytes),
                    _ => bytes.len(),
                }
            }
        });
        self.own_len + of_texts.sum::<usize>()
    }

    /// Adds a row.
    pub(super) fn push(&mut self, row: &[u8]) -> Result<(), ArrowError> {
        let mut entries = Entries::of(row);
        for (number, value) in &mut entries {
            self.append(number, value)?;
        }
        self.count += 1;
        if entries.is_broken() { Err(broken()) } else { Ok(()) }
    }

    /// Adds a value to the row in progress.
    fn append(&mut self, number: u8, value: Value<'_>) -> Result<(), ArrowError> {
        let count = self.count;
        let Progress { column, count: own } = self.at(number).ok_or_else(broken)?;
        match count.checked_sub(*own) {
            None => return Err(broken()),
            Some(0) => {}
            Some(missing) => column.append_nulls(missing),
        }
        *own = count + 1;
        column.append(value)
    }

    /// Returns the values so far, and begins anew.
    pub(super) fn finish(&mut self) -> Result<Vec<ArrayRef>, ArrowError> {
        let count = std::mem::take(&mut self.count);
        let finish = |Progress { column, count: own }: &mut Progress| {
            if let Some(missing @ 1..) = count.checked_sub(std::mem::take(own)) {
                column.append_nulls(missing);
            }
            column.finish()
        };
        self.list.iter_mut().map(finish).collect()
    }
}

/// Returns the error about a row that is not one: it was not made by `row`.
fn broken() -> ArrowError {
    ArrowError::InvalidArgumentError("a broken row".to_owned())
}

impl Column {
    /// Creates the column for a field of type `of`.
    fn of(kind: Kind, of: &DataType) -> Self {
        match (kind, of) {
            (Kind::Bytes, _) => Self::Bytes(BinaryBuilder::new()),
            (Kind::Int, _) => Self::Int(Int64Builder::new()),
            (Kind::Flag, _) => Self::Flag(BooleanBuilder::new()),
            (Kind::Day, _) => Self::Day(Date32Builder::new()),
            (Kind::Time, DataType::Timestamp(_, zone)) => {
                Self::Time(TimestampMicrosecondBuilder::new().with_timezone_opt(zone.clone()))
            }
            (Kind::Texts | Kind::Blobs | Kind::Rows(_), DataType::List(item)) => {
                Self::List(List::of(kind, item))
            }
            _ => Self::Text(BinaryBuilder::new()),
        }
    }

    /// Returns the number of bytes of a value without its text.
    const fn own_len(&self) -> usize {
        match self {
            Self::Flag(_) => 1,
            Self::Text(_) | Self::Bytes(_) | Self::Day(_) | Self::List(_) => 5,
            Self::Int(_) | Self::Time(_) => 9,
        }
    }

    fn append(&mut self, value: Value<'_>) -> Result<(), ArrowError> {
        match (self, value) {
            (Self::Text(column) | Self::Bytes(column), Value::Bytes(bytes)) => {
                column.append_value(bytes);
            }
            (Self::Int(column), Value::Number(number)) => column.append_value(number),
            (Self::Flag(column), Value::Number(number)) => column.append_value(number != 0),
            (Self::Day(column), Value::Number(number)) => {
                column.append_value(i32::try_from(number).map_err(|_| broken())?);
            }
            (Self::Time(column), Value::Number(number)) => column.append_value(number),
            (Self::List(list), Value::Bytes(items)) => list.append(items)?,
            _ => return Err(broken()),
        }
        Ok(())
    }

    fn append_nulls(&mut self, count: usize) {
        match self {
            Self::Text(column) | Self::Bytes(column) => column.append_nulls(count),
            Self::Int(column) => column.append_nulls(count),
            Self::Flag(column) => column.append_nulls(count),
            Self::Day(column) => column.append_nulls(count),
            Self::Time(column) => column.append_nulls(count),
            Self::List(list) => list.append_nulls(count),
        }
    }

    /// Returns the values so far, and begins anew.
    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Self::Text(column) => Arc::new(StringArray::try_from_binary(column.finish())?),
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
    fn of(kind: Kind, item: &FieldRef) -> Self {
        let (columns, fields) = match (kind, item.data_type()) {
            (Kind::Rows(parts), DataType::Struct(fields)) => {
                (Columns::of(parts, fields), Some(fields.clone()))
            }
            (Kind::Blobs, _) => (Columns::only(Column::Bytes(BinaryBuilder::new())), None),
            _ => (Columns::only(Column::Text(BinaryBuilder::new())), None),
        };
        let (item, valid) = (item.clone(), NullBufferBuilder::new(0));
        Self { item, fields, columns, ends: Vec::new(), valid }
    }

    /// Returns the number of bytes that `items` take.
    fn len_of(&self, items: &[u8]) -> usize {
        let len_of = |item: &[u8]| match self.fields {
            Some(_) => self.columns.len_of(item),
            None => self.columns.own_len + item.len(),
        };
        Items::of(items).map(len_of).sum()
    }

    fn append(&mut self, items: &[u8]) -> Result<(), ArrowError> {
        for item in Items::of(items) {
            if self.fields.is_some() {
                self.columns.push(item)?;
            } else {
                self.columns.append(0, Value::Bytes(item))?;
                self.columns.count += 1;
            }
        }
        self.ends.push(i32::try_from(self.columns.count).map_err(|_| broken())?);
        self.valid.append_non_null();
        Ok(())
    }

    fn append_nulls(&mut self, count: usize) {
        let end = self.ends.last().copied().unwrap_or_default();
        self.ends.extend(std::iter::repeat_n(end, count));
        self.valid.append_n_nulls(count);
    }

    fn finish(&mut self) -> Result<ListArray, ArrowError> {
        let mut arrays = self.columns.finish()?;
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
        let (item, valid) = (self.item.clone(), self.valid.finish());
        ListArray::try_new(item, OffsetBuffer::new(offsets), items, valid)
    }
}
