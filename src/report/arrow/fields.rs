//! The columns: names, types and values. New columns are appended; corpus/schema/arrow.json
//! describes each.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Metadata, Schema, SchemaRef, TimeUnit};

use super::column::Value;
use super::{PROGRAM_KEY, VERSION, VERSION_KEY};
use crate::report::record::{
    Bytes, Derived, HopRecord, MementoRecord, MessageRecord, PlaceRecord, ReachRecord, Record,
    SyntaxRecord, TwinRecord, WarningRecord,
};

/// The time zone of all dates.
const UTC: &str = "UTC";

/// The type of a column.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Bytes,
    Int,
    Flag,
    Day,
    Time,
    Texts,
    Blobs,
    /// Items with fields.
    Rows(&'static [Group]),
}

/// A column: its name, its type, and whether it always has a value.
#[derive(Clone, Copy)]
struct Item(&'static str, Kind, bool);

/// Columns whose names have the same beginning.
struct Group {
    prefix: &'static str,
    items: &'static [Item],
}

const fn always(name: &'static str, kind: Kind) -> Item {
    Item(name, kind, true)
}

const fn maybe(name: &'static str, kind: Kind) -> Item {
    Item(name, kind, false)
}

const LINK: [Item; 11] = [
    always("uri", Kind::Text),
    maybe("uri_bytes", Kind::Bytes),
    always("raw", Kind::Text),
    maybe("raw_bytes", Kind::Bytes),
    maybe("wrapped_by", Kind::Texts),
    maybe("target", Kind::Text),
    maybe("target_unknown", Kind::Text),
    always("cue", Kind::Text),
    maybe("scheme", Kind::Text),
    maybe("base", Kind::Text),
    maybe("base_bytes", Kind::Bytes),
];
const PLACE: [Item; 13] = [
    always("path", Kind::Text),
    maybe("path_bytes", Kind::Bytes),
    always("members", Kind::Texts),
    maybe("members_bytes", Kind::Blobs),
    maybe("date", Kind::Day),
    always("offset", Kind::Int),
    always("len", Kind::Int),
    always("line", Kind::Int),
    always("column", Kind::Int),
    maybe("column_bytes", Kind::Int),
    maybe("file_offset", Kind::Int),
    maybe("decoded_line", Kind::Int),
    maybe("decoded_column", Kind::Int),
];
const MAIL: [Item; 1] = [always("is_mail", Kind::Flag)];
const MESSAGE: [Item; 9] = [
    maybe("id", Kind::Text),
    maybe("id_bytes", Kind::Bytes),
    maybe("date", Kind::Time),
    maybe("list_id", Kind::Text),
    maybe("list_id_bytes", Kind::Bytes),
    maybe("number", Kind::Int),
    maybe("header", Kind::Text),
    maybe("header_bytes", Kind::Bytes),
    maybe("part", Kind::Text),
];
const SYNTAX: [Item; 9] = [
    maybe("grammar", Kind::Text),
    maybe("ok", Kind::Flag),
    maybe("repairs", Kind::Texts),
    maybe("rule", Kind::Text),
    maybe("at", Kind::Int),
    maybe("expected", Kind::Text),
    maybe("spec", Kind::Text),
    maybe("message", Kind::Text),
    maybe("hint", Kind::Text),
];
const WARNING: [Item; 4] = [
    always("rule", Kind::Text),
    always("at", Kind::Int),
    always("message", Kind::Text),
    always("spec", Kind::Text),
];
const TWIN: [Item; 1] = [maybe("part", Kind::Text)];
const HOP: [Item; 3] =
    [always("status", Kind::Int), always("to", Kind::Text), maybe("to_bytes", Kind::Bytes)];
const MORE: [Item; 3] = [
    maybe("also", Kind::Rows(&[Group { prefix: "", items: &SYNTAX }])),
    maybe("warnings", Kind::Rows(&[Group { prefix: "", items: &WARNING }])),
    maybe(
        "twins",
        Kind::Rows(&[
            Group { prefix: "", items: &TWIN },
            Group { prefix: "place_", items: &PLACE },
        ]),
    ),
];
const REACH: [Item; 9] = [
    maybe("class", Kind::Text),
    maybe("probe", Kind::Text),
    maybe("status", Kind::Int),
    maybe("message", Kind::Text),
    maybe("message_bytes", Kind::Bytes),
    maybe("hops", Kind::Rows(&[Group { prefix: "", items: &HOP }])),
    maybe("dead_runs", Kind::Int),
    maybe("hint", Kind::Text),
    maybe("hint_bytes", Kind::Bytes),
];
const END: [Item; 6] = [
    always("verdict", Kind::Text),
    maybe("known", Kind::Text),
    maybe("host", Kind::Text),
    maybe("site", Kind::Text),
    maybe("surt", Kind::Text),
    maybe("year", Kind::Int),
];
const ARCHIVED: [Item; 1] = [maybe("archived", Kind::Flag)];
const MEMENTO: [Item; 4] = [
    maybe("uri", Kind::Text),
    maybe("datetime", Kind::Time),
    maybe("distance_days", Kind::Int),
    maybe("archive", Kind::Text),
];
const ROT: [Item; 3] = [
    maybe("fate", Kind::Text),
    maybe("inaccessible", Kind::Flag),
    maybe("reach_changed_since", Kind::Text),
];

/// All columns, in order.
static GROUPS: &[Group] = &[
    Group { prefix: "", items: &LINK },
    Group { prefix: "place_", items: &PLACE },
    Group { prefix: "", items: &MAIL },
    Group { prefix: "message_", items: &MESSAGE },
    Group { prefix: "syntax_", items: &SYNTAX },
    Group { prefix: "", items: &MORE },
    Group { prefix: "reach_", items: &REACH },
    Group { prefix: "", items: &END },
    Group { prefix: "", items: &ARCHIVED },
    Group { prefix: "memento_", items: &MEMENTO },
    Group { prefix: "", items: &ROT },
];

/// Returns the schema, with its version.
pub(super) fn schema() -> SchemaRef {
    let mut metadata = Metadata::new();
    metadata.insert(VERSION_KEY, VERSION.to_string());
    metadata.insert(PROGRAM_KEY, env!("CARGO_PKG_VERSION"));
    Arc::new(Schema::new(fields(GROUPS)).with_metadata(metadata))
}

fn fields(groups: &[Group]) -> Fields {
    let field = |prefix: &str, Item(name, kind, is_always): &Item| {
        Field::new(format!("{prefix}{name}"), data_type(*kind), !is_always)
    };
    groups.iter().flat_map(|group| group.items.iter().map(|it| field(group.prefix, it))).collect()
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
        Kind::Rows(groups) => list(DataType::Struct(fields(groups))),
    }
}

/// Returns the value of each column, in order.
pub(super) fn values(record: &Record) -> Vec<Value<'_>> {
    let derived = record.derived.as_deref();
    let (message, reach) = (record.message.as_ref(), record.reach.as_ref());
    let mut out = Vec::with_capacity(GROUPS.iter().map(|group| group.items.len()).sum());
    out.extend(link(record));
    out.extend(place(&record.place, derived.and_then(|it| it.place_day)));
    out.push(Value::Flag(message.is_some()));
    out.extend(or_nulls(
        message.map(|it| message_values(it, derived.and_then(|it| it.message_time))),
    ));
    out.extend(or_nulls(record.syntax.as_ref().map(syntax)));
    out.extend([
        rows(&record.also, |it| syntax(it).into()),
        rows(&record.warnings, |it| warning(it).into()),
        rows(&record.twins, twin),
    ]);
    out.extend(or_nulls(reach.map(reach_values)));
    out.extend(end(record, derived));
    out.push(record.archived.map_or(Value::Null, Value::Flag));
    let memento = record.memento.as_ref();
    out.extend(or_nulls(
        memento.map(|it| memento_values(it, derived.and_then(|it| it.memento_time))),
    ));
    out.extend([
        text(derived.and_then(|it| it.fate)),
        derived.and_then(|it| it.inaccessible).map_or(Value::Null, Value::Flag),
        text(reach.and_then(|it| it.changed_since.as_deref())),
    ]);
    out
}

fn or_nulls<'r, const N: usize>(values: Option<[Value<'r>; N]>) -> [Value<'r>; N] {
    values.unwrap_or([const { Value::Null }; N])
}

fn link(record: &Record) -> [Value<'_>; LINK.len()] {
    [
        Value::Text(&record.uri),
        bytes(record.uri_bytes.as_ref()),
        Value::Text(&record.raw),
        bytes(record.raw_bytes.as_ref()),
        if record.wrapped_by.is_empty() { Value::Null } else { texts(&record.wrapped_by) },
        text(record.target.as_deref()),
        text(record.target_unknown.as_deref()),
        Value::Text(&record.cue),
        text(record.scheme.as_deref()),
        text(record.base.as_deref()),
        bytes(record.base_bytes.as_ref()),
    ]
}

fn place(place: &PlaceRecord, day: Option<i32>) -> [Value<'_>; PLACE.len()] {
    [
        Value::Text(&place.path),
        bytes(place.path_bytes.as_ref()),
        texts(&place.members),
        place.members_bytes.as_deref().map_or(Value::Null, blobs),
        day.map_or(Value::Null, Value::Day),
        int(Some(place.offset)),
        int(Some(place.len)),
        int(Some(place.line)),
        int(Some(place.column)),
        int(place.column_bytes),
        int(place.file_offset),
        int(place.decoded.as_ref().map(|at| at.line)),
        int(place.decoded.as_ref().map(|at| at.column)),
    ]
}

fn message_values(message: &MessageRecord, time: Option<i64>) -> [Value<'_>; MESSAGE.len()] {
    [
        text(message.id.as_deref()),
        bytes(message.id_bytes.as_ref()),
        time.map_or(Value::Null, Value::Time),
        text(message.list_id.as_deref()),
        bytes(message.list_id_bytes.as_ref()),
        int(message.number),
        text(message.header.as_deref()),
        bytes(message.header_bytes.as_ref()),
        text(message.part.as_deref()),
    ]
}

fn syntax(syntax: &SyntaxRecord) -> [Value<'_>; SYNTAX.len()] {
    let fault = syntax.fault.as_ref();
    [
        Value::Text(&syntax.grammar),
        Value::Flag(fault.is_none()),
        if fault.is_some() { Value::Null } else { texts(&syntax.repairs) },
        text(fault.map(|fault| &*fault.rule)),
        int(fault.and_then(|fault| fault.at)),
        text(fault.and_then(|fault| fault.expected.as_deref())),
        text(fault.map(|fault| &*fault.spec)),
        text(fault.map(|fault| &*fault.message)),
        text(fault.and_then(|fault| fault.hint.as_deref())),
    ]
}

fn warning(warning: &WarningRecord) -> [Value<'_>; WARNING.len()] {
    [
        Value::Text(&warning.rule),
        int(Some(warning.at)),
        Value::Text(&warning.message),
        Value::Text(&warning.spec),
    ]
}

fn twin(twin: &TwinRecord) -> Vec<Value<'_>> {
    let mut values = vec![text(twin.part.as_deref())];
    let day = twin.place.date.as_deref().and_then(super::derived::day);
    values.extend(place(&twin.place, day));
    values
}

fn hop(hop: &HopRecord) -> [Value<'_>; HOP.len()] {
    [int(Some(hop.status.into())), Value::Text(&hop.to), bytes(hop.to_bytes.as_ref())]
}

fn reach_values(reach: &ReachRecord) -> [Value<'_>; REACH.len()] {
    [
        Value::Text(&reach.class),
        Value::Text(&reach.probe),
        int(reach.status.map(u64::from)),
        Value::Text(&reach.message),
        bytes(reach.message_bytes.as_ref()),
        Value::List(reach.hops.iter().map(|it| hop(it).into()).collect()),
        int(reach.dead_runs.map(u64::from)),
        text(reach.hint.as_deref()),
        bytes(reach.hint_bytes.as_ref()),
    ]
}

fn end<'r>(record: &'r Record, derived: Option<&'r Derived>) -> [Value<'r>; END.len()] {
    [
        Value::Text(record.verdict.name()),
        text(record.known.as_deref()),
        text(derived.and_then(|it| it.host.as_deref())),
        text(derived.and_then(|it| it.site.as_deref())),
        text(derived.and_then(|it| it.surt.as_deref())),
        int(derived.and_then(|it| it.year).map(u64::from)),
    ]
}

fn memento_values(memento: &MementoRecord, time: Option<i64>) -> [Value<'_>; MEMENTO.len()] {
    [
        text(memento.uri.as_deref()),
        time.map_or(Value::Null, Value::Time),
        memento.distance_days.map_or(Value::Null, Value::Int),
        Value::Text(&memento.archive),
    ]
}

fn text(text: Option<&str>) -> Value<'_> {
    text.map_or(Value::Null, Value::Text)
}

fn bytes(bytes: Option<&Bytes>) -> Value<'_> {
    bytes.map_or(Value::Null, |Bytes(bytes)| Value::Bytes(bytes))
}

/// Returns a number; one that is too large, which no file reaches, becomes the largest.
fn int(number: Option<u64>) -> Value<'static> {
    number.map_or(Value::Null, |number| Value::Int(i64::try_from(number).unwrap_or(i64::MAX)))
}

fn texts(texts: &[String]) -> Value<'_> {
    Value::List(texts.iter().map(|text| vec![Value::Text(text)]).collect())
}

fn blobs(blobs: &[Bytes]) -> Value<'_> {
    Value::List(blobs.iter().map(|Bytes(bytes)| vec![Value::Bytes(bytes)]).collect())
}

/// Returns a row for each of `items`, or null if there are none.
fn rows<'r, T>(items: &'r [T], row: impl Fn(&'r T) -> Vec<Value<'r>>) -> Value<'r> {
    if items.is_empty() { Value::Null } else { Value::List(items.iter().map(row).collect()) }
}
