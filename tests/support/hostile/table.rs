//! Scripts as tables write them: a row names a misbehaviour, says what is asked and what must
//! come of it, and then one step a field.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a table that is wrong says so by panicking"
)]

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::{Script, Step};

/// Between the bytes of what drips: a dozen of them fit in a test's deadline.
const DRIP: Duration = Duration::from_millis(40);

/// One misbehaviour.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) ask: String,
    /// As it is written; `{text*count}` is filled in.
    pub(crate) outcome: String,
    pub(crate) script: Script,
}

/// The rows of `path`, which is below the corpus.
pub(crate) fn rows(path: &str) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(path);
    let text = fs::read_to_string(path).expect("a table");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(row).collect()
}

#[track_caller]
fn row(line: &str) -> Row {
    let mut fields = line.split('\t').map(str::to_owned);
    let mut next = || fields.next().expect("name, ask, outcome and steps");
    let (name, ask, outcome) = (next(), next(), next());
    let outcome = String::from_utf8(bytes(&outcome)).expect("an outcome is text");
    Row { name, ask, outcome, script: fields.map(|field| step(&field)).collect() }
}

#[track_caller]
fn step(field: &str) -> Step {
    match field.split_once(':') {
        None if field == "hear" => Step::Hear,
        None if field == "hear-line" => Step::HearLine,
        None if field == "overhear" => Step::Overhear,
        None if field == "stall" => Step::Stall,
        Some(("say", text)) => Step::Say(bytes(text)),
        Some(("forever", text)) => Step::Forever(bytes(text)),
        Some(("drip", text)) => Step::Drip(bytes(text), DRIP),
        _ => panic!("{field:?} is no step"),
    }
}

/// Decodes `text`: repeated parts first, then escapes.
#[track_caller]
fn bytes(text: &str) -> Vec<u8> {
    let Some((before, rest)) = text.split_once('{') else { return unescape(text) };
    let (repeated, after) = rest.split_once('}').expect("a closing brace");
    let (part, count) = repeated.rsplit_once('*').expect("text and count");
    let part = unescape(part).repeat(count.parse().expect("a count"));
    [unescape(before), part, bytes(after)].concat()
}

#[track_caller]
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next() {
            Some(b'r') => b'\r',
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'0') => 0,
            Some(b'\\') => b'\\',
            Some(b'x') => {
                let digits = [rest.next(), rest.next()].map(|digit| digit.unwrap_or(b'?'));
                let digits = str::from_utf8(&digits).expect("hex digits");
                u8::from_str_radix(digits, 16).expect("hex digits")
            }
            other => panic!("{other:?} is no escape"),
        });
    }
    bytes
}
