//! The findings as the page's script reads them: JSON in an element that nothing runs.
//!
//! Rows are columns of numbers into tables of texts, so that a hundred thousand findings take
//! some ten megabytes. `<` is an escape in it, so that no text ends the element or begins a
//! comment (WHATWG HTML §4.12.1.3).

use std::fmt::Write as _;

use super::gather::{Gathered, Row};
use crate::finding::Verdict;
use crate::report::json::append_value;

/// Appends the element's content. The names of the keys are those that page.js asks for.
pub(super) fn append(gathered: &Gathered, rows: &[Row], out: &mut Vec<u8>) {
    let verdicts = Verdict::ALL.iter().map(|verdict| verdict.name());
    out.extend_from_slice(br#"{"verdicts":"#);
    append_texts(verdicts, out);
    let tables = [
        ("uris", &gathered.uris),
        ("hosts", &gathered.hosts.names),
        ("schemes", &gathered.schemes.names),
        ("places", &gathered.places),
        ("messages", &gathered.messages),
        ("labels", &gathered.labels),
        ("details", &gathered.details),
    ];
    for (key, texts) in tables {
        append_key(key, out);
        append_texts(texts.list.iter().map(|text| &**text), out);
    }
    let facts = &gathered.facts;
    append_key("host", out);
    append_numbers(facts.iter().map(|facts| facts.host.into()), out);
    append_key("scheme", out);
    append_numbers(facts.iter().map(|facts| facts.scheme.into()), out);
    for (key, number) in COLUMNS {
        append_key(key, out);
        append_numbers(rows.iter().map(number), out);
    }
    out.push(b'}');
}

fn append_key(key: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(format!(",\"{key}\":").as_bytes());
}

/// A column and its number of a row.
type Column = (&'static str, fn(&Row) -> u64);

const COLUMNS: [Column; 9] = [
    ("uri", |row| row.uri.into()),
    ("place", |row| row.place.into()),
    ("line", |row| row.line),
    ("column", |row| row.column),
    ("verdict", |row| row.verdict as u64),
    ("label", |row| row.labels.into()),
    ("detail", |row| row.detail.into()),
    ("message", |row| row.message.into()),
    ("year", |row| row.year.into()),
];

fn append_numbers(numbers: impl Iterator<Item = u64>, out: &mut Vec<u8>) {
    let mut text = String::from("[");
    for (idx, number) in numbers.enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}{number}", if idx == 0 { "" } else { "," });
    }
    text.push(']');
    out.extend_from_slice(text.as_bytes());
}

fn append_texts<'t>(texts: impl Iterator<Item = &'t str>, out: &mut Vec<u8>) {
    let mut json = Vec::new();
    out.push(b'[');
    for (idx, text) in texts.enumerate() {
        json.clear();
        append_value(&text, &mut json);
        out.extend_from_slice(if idx == 0 { b"" } else { b"," });
        let mut rest = json.as_slice();
        while let Some(at) = memchr::memchr(b'<', rest) {
            let (before, behind) = rest.split_at(at);
            out.extend_from_slice(before);
            out.extend_from_slice(br"\u003c");
            rest = behind.get(1..).unwrap_or_default();
        }
        out.extend_from_slice(rest);
    }
    out.push(b']');
}

#[cfg(test)]
mod tests {
    use super::append_texts;

    #[test]
    fn no_text_ends_the_element_and_all_come_back() {
        let hostile = ["</script><script>", "<!--<script", "]]>", "\"\\", "\u{2028}\0"];
        let mut out = Vec::new();
        append_texts(hostile.into_iter(), &mut out);
        assert!(!out.contains(&b'<'));
        let back: Vec<String> = serde_json::from_slice(&out).unwrap();
        assert_eq!(back, hostile);
    }
}
