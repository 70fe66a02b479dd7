//! Reads the `arrow` and `parquet` reports back with the crates' own readers, and holds each row to
//! the record of the same run, and the columns to corpus/schema/arrow.json.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must hold by panicking")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Output;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Date32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::root_as_message;
use arrow_schema::{DataType, Field, Fields, Schema};
use data_encoding::BASE64;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Map, Value, json};

use crate::support::home;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");

/// Columns that the records do not have.
const DERIVED: [&str; 6] = ["host", "site", "surt", "year", "fate", "inaccessible"];

/// Returns an empty directory for the test called `name`.
fn directory(name: &str) -> PathBuf {
    home::directory("report_arrow", name)
}

fn run(home: &Path, args: &[&str]) -> Output {
    home::run(home, args)
}

/// The schema of a stream or a file, and its batches.
fn batches(path: &Path) -> (Schema, Vec<RecordBatch>) {
    let file = File::open(path).expect("a report");
    if fs::read(path).expect("a report").starts_with(b"PAR1") {
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        let schema = builder.schema().as_ref().clone();
        let batches = builder.build().expect("Parquet").map(|batch| batch.expect("a batch"));
        return (schema, batches.collect());
    }
    let reader = StreamReader::try_new(file, None).expect("Arrow");
    let schema = reader.schema().as_ref().clone();
    (schema, reader.map(|batch| batch.expect("a batch")).collect())
}

/// The closing metadata, each value as the JSON that it is.
fn closing(path: &Path) -> Map<String, Value> {
    let bytes = fs::read(path).expect("a report");
    let parsed = |key: &str, value: &str| {
        let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
        (key.to_owned(), value)
    };
    if bytes.starts_with(b"PAR1") {
        let file = File::open(path).expect("a report");
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        let pairs = builder.metadata().file_metadata().key_value_metadata().expect("metadata");
        let pairs = pairs.iter().filter(|pair| pair.key.starts_with("linktrawl."));
        return pairs.map(|it| parsed(&it.key, it.value.as_deref().expect("a value"))).collect();
    }
    let mut rest = &bytes[..];
    let mut last = Map::new();
    while let [0xff, 0xff, 0xff, 0xff, a, b, c, d, more @ ..] = rest {
        let len = u32::from_le_bytes([*a, *b, *c, *d]);
        if len == 0 {
            assert!(more.is_empty(), "nothing follows the end");
            return last;
        }
        let (head, more) = more.split_at(usize::try_from(len).expect("a length"));
        let message = root_as_message(head).expect("a message");
        rest = &more[usize::try_from(message.bodyLength()).expect("a length")..];
        let pairs = message.custom_metadata().into_iter().flatten();
        let pairs = pairs.map(|it| parsed(it.key().expect("a key"), it.value().expect("a value")));
        last = pairs.collect();
    }
    panic!("{} has no end", path.display())
}

/// The value of `array` at `at`, in the form of the records.
fn value(array: &dyn Array, at: usize) -> Value {
    if array.is_null(at) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(at).into(),
        DataType::Binary => BASE64.encode(array.as_binary::<i32>().value(at)).into(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(at).into(),
        DataType::Boolean => array.as_boolean().value(at).into(),
        DataType::Date32 => {
            let days = array.as_primitive::<Date32Type>().value(at);
            let day = jiff::civil::date(1970, 1, 1) + jiff::Span::new().days(days);
            day.to_string().into()
        }
        DataType::Timestamp(..) => {
            let time = array.as_primitive::<TimestampMicrosecondType>().value(at);
            jiff::Timestamp::from_microsecond(time).expect("a time").to_string().into()
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(at);
            (0..items.len()).map(|at| value(&items, at)).collect()
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns().iter();
            let pairs = fields.iter().zip(columns);
            pairs.map(|(field, it)| (field.name().clone(), value(it, at))).collect()
        }
        other => panic!("{other} in a report"),
    }
}

/// All rows of the report in `file`, but for derived columns, and then what closes it.
pub(crate) fn texts(file: &Path) -> Value {
    let mut rows = rows(file);
    for row in &mut rows {
        let row = row.as_object_mut().expect("a row");
        row.retain(|name, _| !DERIVED.contains(&name.as_str()));
    }
    json!([rows, closing(file)])
}

pub(crate) fn rows(file: &Path) -> Vec<Value> {
    let row = |batch: &RecordBatch, at: usize| -> Value {
        let schema = batch.schema();
        let pairs = schema.fields().iter().zip(batch.columns());
        pairs.map(|(field, it)| (field.name().clone(), value(it, at))).collect()
    };
    let (_, batches) = batches(file);
    batches.iter().flat_map(|batch| (0..batch.num_rows()).map(|at| row(batch, at))).collect()
}

/// Adds the values of `holder` under `keys` to `row`, with `prefix` before their names.
fn add(row: &mut Map<String, Value>, prefix: &str, holder: &Value, keys: &[&str]) {
    for key in keys {
        row.insert(format!("{prefix}{key}"), holder[key].clone());
    }
}

fn add_place(row: &mut Map<String, Value>, place: &Value) {
    let keys = [
        "path",
        "path_bytes",
        "members",
        "members_bytes",
        "date",
        "offset",
        "len",
        "line",
        "column",
        "column_bytes",
        "file_offset",
    ];
    add(row, "place_", place, &keys);
    add(row, "place_decoded_", &place["decoded"], &["line", "column"]);
}

const REACH: [&str; 9] = [
    "class",
    "probe",
    "status",
    "message",
    "message_bytes",
    "dead_runs",
    "changed_since",
    "hint",
    "hint_bytes",
];
const SYNTAX: [&str; 9] =
    ["grammar", "ok", "repairs", "rule", "at", "expected", "spec", "message", "hint"];

/// The row that a record must have become.
fn flat(record: &Value) -> Map<String, Value> {
    let mut row = Map::new();
    let keys = [
        "uri",
        "uri_bytes",
        "raw",
        "raw_bytes",
        "wrapped_by",
        "target",
        "target_unknown",
        "cue",
        "scheme",
        "base",
        "base_bytes",
        "warnings",
        "verdict",
        "known",
        "archived",
        "archived_unknown",
    ];
    add(&mut row, "", record, &keys);
    let keys = ["uri", "datetime", "distance_days", "archive"];
    add(&mut row, "memento_", &record["memento"], &keys);
    add_place(&mut row, &record["place"]);
    row.insert("is_mail".to_owned(), record["message"].is_object().into());
    let keys = [
        "id",
        "id_bytes",
        "date",
        "list_id",
        "list_id_bytes",
        "number",
        "header",
        "header_bytes",
        "part",
    ];
    add(&mut row, "message_", &record["message"], &keys);
    add(&mut row, "syntax_", &record["syntax"], &SYNTAX);
    let each = |list: &Value, item: &dyn Fn(&Value, &mut Map<String, Value>)| -> Value {
        let Some(list) = list.as_array() else { return Value::Null };
        let items = list.iter().map(|it| {
            let mut row = Map::new();
            item(it, &mut row);
            row
        });
        items.collect()
    };
    let also = each(&record["also"], &|it, row| add(row, "", it, &SYNTAX));
    let twins = each(&record["twins"], &|it, row| {
        add(row, "", it, &["part"]);
        add_place(row, &it["place"]);
    });
    add(&mut row, "reach_", &record["reach"], &REACH);
    let hops = each(&record["reach"]["hops"], &|it, row| {
        add(row, "", it, &["status", "to", "to_bytes"]);
    });
    row.extend(
        [("also", also), ("twins", twins), ("reach_hops", hops)]
            .map(|(name, value)| (name.to_owned(), value)),
    );
    row
}

/// Holds both reports of a run of `args` to its records, and returns the rows.
#[track_caller]
fn is_the_run(home: &Path, args: &[&str]) -> Vec<Value> {
    let formats = ["-q", "--format=arrow=.run", "--format=parquet=.file", "--format=ndjson=.lines"];
    let output = run(home, &[args, &formats].concat());
    assert!(matches!(output.status.code(), Some(0..=2)), "{output:?}");
    let records = fs::read_to_string(home.join(".lines")).expect("records");
    let of = |kind: &str| -> Vec<Value> {
        let lines = records.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        lines.filter(|record: &Value| record["type"] == kind).collect()
    };
    let (findings, notes, summary) = (of("finding"), of("note"), of("summary"));
    let untyped = |mut record: Value| {
        record.as_object_mut().expect("a record").remove("type");
        record
    };
    for report in [".run", ".file"] {
        let rows = rows(&home.join(report));
        assert_eq!(rows.len(), findings.len(), "{report}");
        for (row, record) in rows.iter().zip(&findings) {
            let mut row = row.as_object().expect("a row").clone();
            row.retain(|name, _| !DERIVED.contains(&name.as_str()));
            assert_eq!(row, flat(record), "{report}: {record}");
        }
        let closing = closing(&home.join(report));
        assert_eq!(closing["linktrawl.summary"], untyped(summary[0].clone()), "{report}");
        let wanted: Vec<Value> = notes.iter().cloned().map(untyped).collect();
        assert_eq!(closing["linktrawl.notes"], Value::Array(wanted), "{report}");
        assert_eq!(closing["linktrawl.notes_count"], notes.len(), "{report}");
    }
    is_told_again(home);
    rows(&home.join(".run"))
}

/// Holds the reports of a run, whose columns are made of findings, to those that are made of its
/// saved records: derived columns and batches are the same, too.
#[track_caller]
fn is_told_again(home: &Path) {
    let args = ["report", "--format=arrow=.run2", "--format=parquet=.file2", ".lines"];
    let output = run(home, &args);
    assert!(matches!(output.status.code(), Some(0..=2)), "{output:?}");
    for (one, other) in [(".run", ".run2"), (".file", ".file2")] {
        let [one, other] = [one, other].map(|name| fs::read(home.join(name)).expect("a report"));
        assert!(!one.is_empty() && one == other, "{} and {} bytes", one.len(), other.len());
    }
}

#[test]
fn a_run_over_the_corpus_is_in_the_columns() {
    let home = directory("corpus");
    let rows = is_the_run(&home, &["scan", "--grammar", "current,rfc1738", CORPUS]);
    let of_text = ["host", "site", "surt", "year", "message_date", "place_date", "also", "twins"];
    for column in of_text {
        assert!(rows.iter().any(|row| !row[column].is_null()), "no row has {column}");
    }
    let rows = is_the_run(&home, &["check", "--offline", CORPUS]);
    assert!(rows.iter().any(|row| !row["reach_class"].is_null()));
}

#[test]
fn hostile_names_and_texts_come_back_and_passwords_do_not() {
    use std::os::unix::ffi::OsStrExt as _;
    let home = directory("hostile");
    let name = std::ffi::OsStr::from_bytes(b"a'\"]]>\xff\x1b[31m.txt");
    let text = b"http://h/\xff http://u:secret@h/%zz <http://h/\0a> http:u:secret@h/\n\
        <URL:http://h/a\xff> http://h/\xe2\x80\xae\n";
    fs::create_dir(home.join("in")).expect("a directory");
    fs::write(home.join("in").join(name), text).expect("a file");
    let rows = is_the_run(&home, &["scan", "in"]);
    assert!(rows.iter().any(|row| row["uri_bytes"].is_string() && row["surt"] == "h)/a%ff"));
    assert!(!format!("{rows:?}").contains("secret"));
    let bytes = fs::read(home.join(".run")).expect("a report");
    assert!(!bytes.windows(6).any(|it| it == b"secret"));
}

#[test]
fn hosts_sites_keys_and_years_are_derived() {
    let home = directory("derived");
    let text =
        "http://u@WWW.B\u{fc}cher.co.uk:8080/A?b http://127.0.0.1/ <a href=x> mailto:a@h.example\n";
    fs::write(home.join("1998-01.txt"), text).expect("a file");
    let rows = is_the_run(&home, &["scan", "--find", "bare,www,url,angle,markup", "1998-01.txt"]);
    let row = &rows[0];
    assert_eq!(row["host"], "www.xn--bcher-kva.co.uk");
    assert_eq!(row["site"], "xn--bcher-kva.co.uk");
    assert_eq!(row["surt"], "uk,co,xn--bcher-kva:8080)/a?b");
    assert_eq!(row["year"], 1998);
    assert_eq!((&rows[1]["host"], &rows[1]["site"]), (&json!("127.0.0.1"), &Value::Null));
    let mail = rows.iter().find(|row| row["scheme"] == "mailto").expect("an address");
    assert_eq!((&mail["host"], &mail["surt"]), (&json!("h.example"), &json!("mailto:a@h.example")));
}

#[test]
fn batches_are_small_and_what_was_cut_off_has_no_end() {
    let home = directory("batches");
    let text: String = (0..40_000).map(|n| format!("http://h/{n}\n")).collect();
    fs::write(home.join("a.txt"), text).expect("a file");
    let long: String = (0..9).map(|n| format!("http://h/{n}/{}\n", "a".repeat(800_000))).collect();
    fs::write(home.join("b.txt"), long).expect("a file");
    run(&home, &["scan", "-q", "--format=arrow=run", "--format=parquet=file", "a.txt", "b.txt"]);
    let (_, batches) = batches(&home.join("run"));
    assert!(batches.len() > 4, "{} batches", batches.len());
    for batch in &batches {
        let columns = batch.columns().iter();
        let lens = columns.map(|it| it.to_data().get_slice_memory_size().expect("a length"));
        let len: usize = lens.sum();
        assert!(batch.num_rows() <= 16_384 && len <= 4 * 1024 * 1024, "{len} bytes");
    }
    let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
    assert_eq!(rows, 40_009);
    assert_eq!(closing(&home.join("run"))["linktrawl.summary"]["findings"], 40_009);
    let bytes = fs::read(home.join("run")).expect("a report");
    fs::write(home.join("cut"), &bytes[..bytes.len() / 2]).expect("a file");
    let reader = StreamReader::try_new(File::open(home.join("cut")).expect("a file"), None);
    assert!(reader.expect("Arrow").any(|batch| batch.is_err()));
}

/// The name of a type in the schema.
fn type_name(of: &DataType) -> String {
    match of {
        DataType::Utf8 => "utf8".to_owned(),
        DataType::Binary => "binary".to_owned(),
        DataType::Int64 => "int64".to_owned(),
        DataType::Boolean => "bool".to_owned(),
        DataType::Date32 => "date32".to_owned(),
        DataType::Timestamp(arrow_schema::TimeUnit::Microsecond, Some(zone)) => {
            format!("timestamp[us, {zone}]")
        }
        DataType::List(item) => format!("list<{}>", type_name(item.data_type())),
        DataType::Struct(_) => "struct".to_owned(),
        other => panic!("{other} in a report"),
    }
}

/// A field as the schema has it, but for its meaning.
fn described(field: &Field) -> Value {
    let mut out = json!({
        "name": field.name(),
        "type": type_name(field.data_type()),
        "nullable": field.is_nullable(),
    });
    if let DataType::List(item) = field.data_type()
        && let DataType::Struct(fields) = item.data_type()
    {
        out["fields"] = all_described(fields);
    }
    out
}

fn all_described(fields: &Fields) -> Value {
    fields.iter().map(|field| described(field)).collect()
}

/// Removes the meanings, which nothing may lack.
fn without_meanings(fields: &mut Value) {
    for field in fields.as_array_mut().expect("fields") {
        let field = field.as_object_mut().expect("a field");
        let about = field.remove("about").expect("a meaning");
        assert!(about.as_str().is_some_and(|about| about.len() > 5), "{field:?}");
        field.get_mut("fields").into_iter().for_each(without_meanings);
    }
}

#[test]
fn columns_are_those_of_the_schema() {
    let mut wanted: Value =
        serde_json::from_str(include_str!("../../corpus/schema/arrow.json")).expect("JSON");
    without_meanings(&mut wanted["fields"]);
    let home = directory("schema");
    fs::write(home.join("a.txt"), "http://h/\n").expect("a file");
    run(&home, &["scan", "-q", "--format=arrow=run", "--format=parquet=file", "a.txt"]);
    for report in ["run", "file"] {
        let (schema, _) = batches(&home.join(report));
        let found = all_described(&schema.fields);
        for (found, wanted) in found
            .as_array()
            .expect("fields")
            .iter()
            .zip(wanted["fields"].as_array().expect("fields"))
        {
            assert_eq!(found, wanted, "{report}");
        }
        assert_eq!(found.as_array().map(Vec::len), wanted["fields"].as_array().map(Vec::len));
        let version = schema.metadata.get("linktrawl.schema_version").expect("a version");
        assert_eq!(version.parse::<u64>().ok(), wanted["version"].as_u64());
        assert!(schema.metadata.contains_key("linktrawl.version"));
    }
    let keys: Vec<_> = wanted["metadata"].as_object().expect("keys").keys().cloned().collect();
    assert!(keys.iter().all(|key| {
        let is_first = ["linktrawl.schema_version", "linktrawl.version"].contains(&key.as_str());
        is_first || closing(&home.join("run")).contains_key(key)
    }));
}
