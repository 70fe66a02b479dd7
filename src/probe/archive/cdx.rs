//! Reads the indices of web archives: lines of CDXJ and of CDX files, the JSON of CDX servers and
//! of TimeMaps, and the JSON of the availability interface of the Wayback Machine.
//!
//! Only captures that show a page are mementos: with a status code of 2xx, or without one.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{SNAPSHOTS_MAX, Snapshot, http_date, stamp};

/// Reads lines of an index. Lines that are none are skipped, comments and metadata as well.
#[must_use]
pub fn read_lines(text: &[u8]) -> Vec<Snapshot> {
    let mut reader = Lines::default();
    let lines = text.split(|byte| *byte == b'\n');
    lines.filter_map(|line| reader.read(line)).take(SNAPSHOTS_MAX).collect()
}

/// Reports whether `text` has a line of an index, of a capture or another one.
pub fn is_index(text: &[u8]) -> bool {
    let mut reader = Lines::default();
    text.split(|byte| *byte == b'\n').any(|line| {
        reader.read(line);
        reader.known() > 0
    })
}

/// A reader of the lines of an index: of CDXJ, with or without their keys, of a CDX file, whose
/// first line may say what the columns are (`N b a m s …` otherwise), and objects of JSON.
pub struct Lines {
    columns: Columns,
    /// Number of lines that an index has.
    known: u64,
}

/// The names of the time of a capture in an object of JSON.
const TIMES: [&str; 2] = ["timestamp", "datetime"];

/// The names of its original URI.
const ORIGINALS: [&str; 2] = ["url", "original"];

/// The columns of a CDX file, from 0.
struct Columns {
    time: usize,
    original: usize,
    status: Option<usize>,
}

impl Default for Lines {
    fn default() -> Self {
        // `N b a m s`, without a legend.
        let columns = Columns { time: 1, original: 2, status: Some(4) };
        Self { columns, known: 0 }
    }
}

impl Lines {
    /// Returns the number of lines so far that an index has, captures and others.
    #[must_use]
    pub const fn known(&self) -> u64 {
        self.known
    }

    /// Reads the next line; returns the capture that it describes, if that shows a page.
    pub fn read(&mut self, line: &[u8]) -> Option<Snapshot> {
        let line = line.trim_ascii();
        if let Some(columns) = Columns::of(line) {
            self.columns = columns;
            self.known += 1;
            return None;
        }
        // Metadata of CDXJ.
        if matches!(line.first(), Some(b'!' | b'@' | b'#')) {
            self.known += 1;
            return None;
        }
        let is_json = line.first() == Some(&b'{');
        let brace = if is_json { Some(0) } else { memchr::memmem::find(line, b" {") };
        match brace {
            Some(at) => {
                let head = line.get(..at)?;
                let time = head.split(u8::is_ascii_whitespace).rev().find(|field| is_time(field));
                let map: Map<String, Value> = serde_json::from_slice(line.get(at..)?).ok()?;
                // Other objects may be errors.
                let mut names = TIMES.iter().chain(&ORIGINALS);
                let is_capture = names.any(|name| map.contains_key(*name));
                self.known += u64::from(time.is_some() || is_json && is_capture);
                if is_json { object(&map, None) } else { object(&map, Some(time?)) }
            }
            None => self.row(line),
        }
    }

    /// Reads a row of a CDX file.
    fn row(&mut self, line: &[u8]) -> Option<Snapshot> {
        let fields: Vec<&[u8]> =
            line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).collect();
        let time = fields.get(self.columns.time).filter(|field| is_time(field))?;
        let original = fields.get(self.columns.original)?.to_vec();
        self.known += 1;
        let status = self.columns.status.and_then(|at| fields.get(at));
        let is_shown = status.is_none_or(|status| shows(&String::from_utf8_lossy(status)));
        is_shown.then_some(Snapshot { uri: None, original: Some(original), time: stamp(time)? })
    }
}

impl Columns {
    /// Reads the legend of a CDX file, ` CDX N b a m s k r`: a letter for each column. `None` for
    /// any other line, and for a legend without a date or an address.
    fn of(line: &[u8]) -> Option<Self> {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words.next().filter(|word| *word == b"CDX")?;
        let letters: Vec<&[u8]> = words.collect();
        let place = |letter: &[u8]| letters.iter().position(|it| *it == letter);
        Some(Self { time: place(b"b")?, original: place(b"a")?, status: place(b"s") })
    }
}

fn is_time(field: &[u8]) -> bool {
    field.len() >= 14 && stamp(field).is_some()
}

/// Reads a document of JSON: rows of a CDX server, a TimeMap, or an answer of the availability
/// interface. Of rows that are cut, those before are read.
#[must_use]
pub fn read_json(text: &[u8]) -> Vec<Snapshot> {
    match serde_json::from_slice(text) {
        Ok(Value::Array(rows)) => table(rows.into_iter()),
        Ok(Value::Object(map)) => document(&map),
        Ok(_) => Vec::new(),
        Err(_) => table(text.split(|byte| *byte == b'\n').filter_map(row)),
    }
}

/// Reads a row that is a line by itself.
fn row(line: &[u8]) -> Option<Value> {
    let line = line.trim_ascii();
    let line = line.strip_suffix(b",").unwrap_or(line);
    // The brackets of the whole document are on its first and on its last line.
    let begun = line.strip_prefix(b"[").filter(|rest| rest.trim_ascii_start().starts_with(b"["));
    let line = begun.unwrap_or(line);
    let ended = line.strip_suffix(b"]").filter(|rest| rest.trim_ascii_end().ends_with(b"]"));
    [Some(line), ended].into_iter().flatten().find_map(|text| serde_json::from_slice(text).ok())
}

/// Reads rows of a CDX server: the first names the columns. Objects name their own.
fn table(rows: impl Iterator<Item = Value>) -> Vec<Snapshot> {
    let mut names: Vec<String> = Vec::new();
    let mut found = Vec::new();
    for row in rows {
        match row {
            Value::Object(map) => found.extend(object(&map, None)),
            Value::Array(cells) => {
                let cells: Vec<String> = cells.into_iter().map(text).collect();
                if names.is_empty() {
                    names = cells;
                    continue;
                }
                let cells = cells.into_iter().map(Value::String);
                found.extend(object(&names.iter().cloned().zip(cells).collect(), None));
            }
            _ => {}
        }
        if found.len() >= SNAPSHOTS_MAX {
            break;
        }
    }
    found
}

/// Reads a document that is one object.
fn document(map: &Map<String, Value>) -> Vec<Snapshot> {
    if let Some(snapshots) = map.get("archived_snapshots") {
        return available(map, snapshots).into_iter().collect();
    }
    let original = map.get("original_uri").map(|uri| text(uri.clone()).into_bytes());
    let list = map.get("mementos").and_then(|mementos| mementos.get("list"));
    match list.and_then(Value::as_array) {
        None => object(map, None).into_iter().collect(),
        Some(list) => {
            let entry = |value: &Value| {
                let entry = object(value.as_object()?, None)?;
                Some(Snapshot { original: entry.original.or_else(|| original.clone()), ..entry })
            };
            list.iter().filter_map(entry).take(SNAPSHOTS_MAX).collect()
        }
    }
}

/// The nearest memento, as the availability interface describes it.
#[derive(Deserialize)]
struct Closest {
    #[serde(default)]
    available: Value,
    url: String,
    timestamp: Value,
    #[serde(default)]
    status: Option<Value>,
}

fn available(map: &Map<String, Value>, snapshots: &Value) -> Option<Snapshot> {
    let closest = Closest::deserialize(snapshots.get("closest")?).ok()?;
    let is_shown = closest.status.is_none_or(|status| shows(&text(status)));
    if text(closest.available) != "true" || !is_shown {
        return None;
    }
    let original = map.get("url").map(|url| text(url.clone()).into_bytes());
    let time = stamp(text(closest.timestamp).as_bytes())?;
    Some(Snapshot { uri: Some(closest.url.into_bytes()), original, time })
}

/// Reads an object that describes a capture: by `url` or `original` and `timestamp` as indices do,
/// or by `uri` and `datetime` as TimeMaps do. `time` is the time in the line before it.
fn object(map: &Map<String, Value>, time: Option<&[u8]>) -> Option<Snapshot> {
    let field = |names: &[&str]| names.iter().find_map(|name| map.get(*name)).cloned().map(text);
    if field(&["status", "statuscode"]).is_some_and(|status| !shows(&status)) {
        return None;
    }
    let uri = field(&["uri"]).map(String::into_bytes);
    let original = field(&ORIGINALS).map(String::into_bytes);
    let read = |text: String| {
        let stamped = stamp(text.as_bytes()).or_else(|| http_date(text.as_bytes()));
        // RFC 3339, which TimeMaps in JSON have.
        stamped.or_else(|| text.parse().ok())
    };
    let time = match time {
        Some(time) => stamp(time),
        None => field(&TIMES).and_then(read),
    }?;
    (uri.is_some() || original.is_some()).then_some(Snapshot { uri, original, time })
}

/// Returns the text of a value; numbers may be written without quotes.
fn text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// Reports whether a capture with this status code shows a page; revisits have none.
fn shows(status: &str) -> bool {
    matches!(status, "" | "-" | "null") || status.len() == 3 && status.starts_with('2')
}

#[cfg(test)]
mod tests {
    use super::{Lines, read_json, read_lines};
    use crate::probe::archive::{Snapshot, digits};

    fn line(text: &[u8]) -> Option<Snapshot> {
        Lines::default().read(text)
    }

    fn shown(snapshot: Snapshot) -> String {
        let of = |text: Option<Vec<u8>>| match text {
            Some(text) => String::from_utf8_lossy(&text).into_owned(),
            None => "-".to_owned(),
        };
        format!("{} {} {}", digits(snapshot.time), of(snapshot.uri), of(snapshot.original))
    }

    #[test]
    fn lines_are_read_in_each_form() {
        let case = |text: &str, wanted: Option<&str>| {
            assert_eq!(line(text.as_bytes()).map(shown).as_deref(), wanted, "{text}");
        };
        let page = Some("20010203040506 - http://h/a");
        case(r#"h)/a 20010203040506 {"url": "http://h/a", "status": "200"}"#, page);
        case(r#"h)/a 20010203040506 {"url": "http://h/a", "status": 200}"#, page);
        case(r#"h)/a 20010203040506123 {"url": "http://h/a"}"#, None);
        case(r#"h)/a 2001020304050612 {"url": "http://h/a"}"#, page);
        case(r#"20010203040506 {"uri": "http://a/1", "rel": "memento"}"#, {
            Some("20010203040506 http://a/1 -")
        });
        case(r#"{"urlkey":"h)/a","timestamp":"20010203040506","url":"http://h/a"}"#, page);
        case("h)/a 20010203040506 http://h/a text/html 200 ABC - - 12 34 x.warc.gz", page);
        case("h)/a 20010203040506 http://h/a warc/revisit - ABC - - 12 34 x.warc.gz", page);
        case("h)/a 20010203040506 http://h/a text/html 404 ABC - - 12 34 x.warc.gz", None);
        case(r#"h)/a 20010203040506 {"url": "http://h/a", "status": "301"}"#, None);
        case(r#"h)/a 20010203040506 {"status": "200"}"#, None);
        case(r#"h)/a 20010203040506 {"url": "http://h/a""#, None);
        case(r#"h)/a 20019903040506 {"url": "http://h/a"}"#, None);
        for none in
            ["", " CDX N b a m s k r M S V g", "!OpenWayback-CDXJ 1.0", "@meta {}", "h)/a {"]
        {
            case(none, None);
        }
    }

    #[test]
    fn documents_are_read_in_each_form() {
        let case = |text: &str, wanted: &[&str]| {
            let found: Vec<_> = read_json(text.as_bytes()).into_iter().map(shown).collect();
            assert_eq!(found, wanted, "{text}");
        };
        let page = "20010203040506 - http://h/a";
        let rows = "[[\"timestamp\",\"original\",\"statuscode\"],\n\
                    [\"20010203040506\",\"http://h/a\",\"200\"],\n\
                    [\"20010303040506\",\"http://h/a\",\"302\"],\n\
                    [\"20010403040506\",\"http://h/a\",\"200\"]]\n";
        case(rows, &[page, "20010403040506 - http://h/a"]);
        // The answer was cut.
        case(rows.split_at(rows.len() - 20).0, &[page]);
        case("[[\"timestamp\",\"original\"]]", &[]);
        case(
            r#"{"url":"h/a","archived_snapshots":{"closest":{"status":"200","available":true,
            "url":"http://web.archive.org/web/20010203040506/http://h/a",
            "timestamp":"20010203040506"}}}"#,
            &["20010203040506 http://web.archive.org/web/20010203040506/http://h/a h/a"],
        );
        case(
            r#"{"url":"h/a","archived_snapshots":{"closest":{"available":"true",
            "url":"http://a/1","timestamp":20010203040506}}}"#,
            &["20010203040506 http://a/1 h/a"],
        );
        case(r#"{"url":"h/a","archived_snapshots":{}}"#, &[]);
        case(
            r#"{"url":"h","archived_snapshots":{"closest":{"available":false,"url":"x",
            "timestamp":"20010203040506"}}}"#,
            &[],
        );
        case(
            r#"{"original_uri":"http://h/a","mementos":{"list":[
            {"datetime":"2001-02-03T04:05:06Z","uri":"http://a/1"},{"uri":"http://a/2"}]}}"#,
            &["20010203040506 http://a/1 http://h/a"],
        );
        for none in ["", "{", "[", "null", "[1,2]", "[[],[]]", "{\"archived_snapshots\":1}"] {
            case(none, &[]);
        }
    }

    #[test]
    fn the_legend_of_a_file_says_what_its_columns_are() {
        let case = |text: &str, known: u64, wanted: &[&str]| {
            let mut lines = Lines::default();
            let found = text.lines().filter_map(|line| lines.read(line.as_bytes())).map(shown);
            assert_eq!(found.collect::<Vec<_>>(), wanted, "{text}");
            assert_eq!(lines.known(), known, "{text}");
        };
        let page = "20010203040506 - http://h/a";
        case(" CDX b a m s N\n20010203040506 http://h/a text/html 200 h)/a", 2, &[page]);
        case(" CDX A b e a m s\nh)/a 20010203040506 x http://h/a text/html 200", 2, &[page]);
        case(" CDX A b e a m s\nh)/a 20010203040506 x http://h/a text/html 404", 2, &[]);
        case(" CDX b a\n20010203040506 http://h/a", 2, &[page]);
        case("hello\nworld\n", 0, &[]);
        case("!meta {}\n\nh)/a 20010203040506 {\"url\": \"http://h/a\"}", 2, &[page]);
    }

    #[test]
    fn lines_of_a_file_are_read_among_others() {
        let text = "!meta {}\nh)/a 20010203040506 {\"url\": \"http://h/a\"}\r\nrubbish\n\
                    h)/b 20010203040506 {\"url\": \"http://h/b\"}";
        assert_eq!(read_lines(text.as_bytes()).len(), 2);
    }
}
