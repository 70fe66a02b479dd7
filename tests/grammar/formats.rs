//! The formats uri, uri-reference, iri and iri-reference, as checkers of JSON Schema know
//! them: rows of `corpus/grammar/formats.tsv`. Other parsers are asked too, so that a row that errs
//! is not taken for a fault of ours.

use std::collections::BTreeSet;

use linktrawl::internal::grammar;

use crate::cases::unescape;
use crate::others::OTHERS;

const TABLE: &str = include_str!("../../corpus/grammar/formats.tsv");

/// Each format with its grammar.
const FORMATS: [(&str, &str); 4] = [
    ("uri", "rfc3986-uri"),
    ("uri-reference", "rfc3986-ref"),
    ("iri", "rfc3987-iri"),
    ("iri-reference", "rfc3987-ref"),
];

/// Format, text and verdict.
type Row = (&'static str, &'static str, &'static str);

fn rows() -> impl Iterator<Item = Row> {
    let lines = TABLE.lines().filter(|text| !text.starts_with('#'));
    lines.map(|text| match text.split('\t').collect::<Vec<_>>().as_slice() {
        &[format, text, verdict, _note] => (format, text, verdict),
        other => panic!("expected 4 fields, found {other:?}"),
    })
}

#[test]
fn every_text_of_a_format_gets_its_verdict() {
    for (format, text, verdict) in rows() {
        let (_, name) = FORMATS.iter().find(|(name, _)| *name == format).unwrap();
        let others = OTHERS.iter().find(|others| others.name == *name).unwrap();
        let valid = others.agree(grammar::find(name).unwrap(), &unescape(text));
        let found = if valid { "valid" } else { "invalid" };
        assert_eq!(found, verdict, "{format} {text}");
    }
}

#[test]
fn every_format_has_rows_of_both_verdicts_and_none_twice() {
    let all: BTreeSet<Row> = rows().collect();
    assert_eq!(all.len(), rows().count());
    for (format, _) in FORMATS {
        for verdict in ["valid", "invalid"] {
            let count = all.iter().filter(|row| row.0 == format && row.2 == verdict).count();
            assert!(count >= 8, "{format}: {count} rows are {verdict}");
        }
    }
}
