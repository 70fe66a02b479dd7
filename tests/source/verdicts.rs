//! Tests what is reported of text with escapes: the verdict of each link, its warnings, and the
//! number of links that were skipped.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use serde_json::Value;

use crate::support::scanned;

/// The verdict of each finding among `records`, its warnings and its URI, and what was skipped.
fn verdicts(records: &[Value]) -> String {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let told = records.iter().flat_map(|record| match text(&record["type"]).as_str() {
        "finding" => {
            let warnings = record["warnings"].as_array().into_iter().flatten();
            let rules: Vec<_> = warnings.map(|warning| text(&warning["rule"])).collect();
            let rules = rules.join(" ");
            let rules = if rules.is_empty() { rules } else { format!("[{rules}]") };
            vec![format!("{}{rules} {}", text(&record["verdict"]), text(&record["uri"]))]
        }
        "summary" => {
            let skipped = record["skipped"].as_object().expect("counts");
            skipped.iter().map(|(reason, count)| format!("{reason}={count}")).collect()
        }
        _ => Vec::new(),
    });
    told.collect::<Vec<_>>().join(" | ")
}

#[test]
fn texts_have_the_verdicts_of_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/documents/verdicts.tsv");
    let table = std::fs::read_to_string(path).expect("the table is UTF-8 text");
    for row in table.lines().skip(2) {
        let [name, text, expected] = *row.split('\t').collect::<Vec<_>>() else {
            unreachable!("three columns: {row}")
        };
        let (records, _) = scanned::scan("verdicts", name, text.replace('⏎', "\n").as_bytes());
        assert_eq!(verdicts(&records), expected, "{row}");
    }
}
