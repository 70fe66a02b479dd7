//! Writes the findings for the page's script: JSON in an element that is not executed.
//!
//! Rows are stored as columns of numbers that refer to tables of texts, so that a hundred thousand
//! findings take some ten megabytes. `<` is escaped, so that no text can end the element or begin a
//! comment (WHATWG HTML §4.12.1.3).

use std::io::{self, Write};

use super::gather::{Gathered, Row};
use crate::finding::Verdict;
use crate::report::escape::json::append_value;

/// Writes the element's content. The keys are the names that page.js uses.
///
/// # Errors
/// Errors of `out`.
pub(super) fn write(gathered: &Gathered, rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    let verdicts = Verdict::ALL.iter().map(|verdict| verdict.name());
    out.write_all(br#"{"verdicts":"#)?;
    write_texts(verdicts, out)?;
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
        write!(out, ",\"{key}\":")?;
        write_texts(texts.list.iter().map(|text| &**text), out)?;
    }
    let facts = &gathered.facts;
    write_column("host", facts.iter().map(|facts| facts.host.into()), out)?;
    write_column("scheme", facts.iter().map(|facts| facts.scheme.into()), out)?;
    for (key, number) in COLUMNS {
        write_column(key, rows.iter().map(number), out)?;
    }
    out.write_all(b"}")
}

/// The name of a column, and the function that returns its number for a row.
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

fn write_column(
    key: &str,
    numbers: impl Iterator<Item = u64>,
    out: &mut impl Write,
) -> io::Result<()> {
    write!(out, ",\"{key}\":[")?;
    for (idx, number) in numbers.enumerate() {
        write!(out, "{}{number}", if idx == 0 { "" } else { "," })?;
    }
    out.write_all(b"]")
}

fn write_texts<'t>(texts: impl Iterator<Item = &'t str>, out: &mut impl Write) -> io::Result<()> {
    let mut json = Vec::new();
    out.write_all(b"[")?;
    for (idx, text) in texts.enumerate() {
        json.clear();
        append_value(&text, &mut json);
        out.write_all(if idx == 0 { b"" } else { b"," })?;
        let mut rest = json.as_slice();
        while let Some(at) = memchr::memchr(b'<', rest) {
            let (before, after) = rest.split_at(at);
            out.write_all(before)?;
            out.write_all(br"\u003c")?;
            rest = after.get(1..).unwrap_or_default();
        }
        out.write_all(rest)?;
    }
    out.write_all(b"]")
}

#[cfg(test)]
mod tests {
    use super::write_texts;

    #[test]
    fn no_text_ends_the_element_and_all_come_back() {
        let hostile = ["</script><script>", "<!--<script", "]]>", "\"\\", "\u{2028}\0"];
        let mut out = Vec::new();
        write_texts(hostile.into_iter(), &mut out).unwrap();
        assert!(!out.contains(&b'<'));
        let back: Vec<String> = serde_json::from_slice(&out).unwrap();
        assert_eq!(back, hostile);
    }
}
