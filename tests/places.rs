//! Lines and columns of findings in all encodings: characters as editors count them, and bytes of
//! the file.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use serde_json::Value;

mod scanned;

/// What is looked for.
const URI: &str = "http://h.example/";

/// Line, column, column in bytes, and offset of each finding.
fn places(name: &str, content: &[u8]) -> Vec<[u64; 4]> {
    let (records, _) = scanned::scan("places", name, content);
    let found = records.iter().filter(|record| record["type"] == "finding").map(|record| {
        assert_eq!(record["uri"], URI, "{record}");
        let number = |name: &str| record["place"].get(name).and_then(Value::as_u64);
        let column = number("column").expect("a column");
        let [line, offset] = ["line", "offset"].map(|name| number(name).expect("a number"));
        [line, column, number("column_bytes").unwrap_or(column), offset]
    });
    found.collect()
}

#[track_caller]
fn case(name: &str, content: impl AsRef<[u8]>, expected: &[[u64; 4]]) {
    assert_eq!(places(name, content.as_ref()), expected, "{name}");
}

#[test]
fn a_byte_order_mark_takes_no_column() {
    let text = format!("\u{FEFF}é {URI}\n\u{FEFF}{URI}\n");
    case("mark.txt", &text, &[[1, 3, 7, 6], [2, 2, 4, 27]]);
    case("mark.md", format!("\u{FEFF}[a]({URI})\n"), &[[1, 5, 8, 7]]);
    case("mark.html", format!("\u{FEFF}<a href={URI}>"), &[[1, 9, 12, 11]]);
    case("mark.json", format!("\u{FEFF}{{\"a\":\"{URI}\"}}"), &[[1, 7, 10, 9]]);
    case(
        "mark.eml",
        format!("\u{FEFF}To: a\nURL: {URI}\n\n{URI}\n"),
        &[[2, 6, 6, 14], [4, 1, 1, 33]],
    );
    case("mark", format!("\u{FEFF}{URI}"), &[[1, 1, 4, 3]]);
}
