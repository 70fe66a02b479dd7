//! Lines and columns of findings in all encodings: characters as editors count them, and bytes of
//! the file.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use crate::support::scanned;
use serde_json::Value;

/// The URI to search for.
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

/// They are those that a reader of the file counts, whatever the characters would take in UTF-8.
#[test]
fn columns_in_bytes_are_those_of_the_file() {
    let xml = |charset: &str, word: &[u8]| {
        let head = format!("<?xml version='1.0' encoding='{charset}'?>\n<a>");
        [head.as_bytes(), word, b" ", URI.as_bytes(), b" ", URI.as_bytes(), b"</a>"].concat()
    };
    case("latin.xml", xml("latin1", b"\xE9"), &[[2, 6, 6, 45], [2, 24, 24, 63]]);
    let kana = xml("Shift_JIS", b"\x82\xA0\x82\xA0");
    case("kana.xml", kana, &[[2, 7, 9, 51], [2, 25, 27, 69]]);
    // The switch to US-ASCII is before the blank.
    let switched = xml("ISO-2022-JP", b"\x1B$B$\"\x1B(B");
    case("switched.xml", switched, &[[2, 6, 13, 57], [2, 24, 31, 75]]);
    let page = [b"<meta charset=latin1>\xA3", URI.as_bytes()].concat();
    case("latin.html", page, &[[1, 23, 23, 22]]);
}

#[test]
fn columns_in_bytes_of_wide_text_are_those_of_the_file() {
    // A finding over two lines goes before one.
    let text = format!("\u{FEFF}é <http:\n//h.example/>\n\u{1F600} {URI} {URI}\n");
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    case("wide.txt", wide, &[[1, 4, 9, 8], [3, 3, 7, 54], [3, 21, 43, 90]]);
    let wide: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
    case("wider.txt", wide, &[[1, 4, 17, 16], [3, 3, 9, 104], [3, 21, 81, 176]]);
}

/// A cut goes through a line that is longer than a piece.
#[test]
fn columns_in_bytes_are_told_after_a_cut() {
    const LEN: u64 = 600_000;
    let word = "é".repeat(usize::try_from(LEN).expect("a small number"));
    let text = format!("\u{FEFF}a\n{word} {URI} {word} {URI}\n{URI}");
    let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let column = |units: u64| [units + 1, 2 * units + 1, 6 + 2 * units];
    let place = |line: u64, [column, bytes, offset]: [u64; 3]| [line, column, bytes, offset];
    let [first, second] = [column(LEN + 1), column(2 * LEN + 20)];
    let last = [1, 1, 6 + 2 * (2 * LEN + 38)];
    case("long.txt", units, &[place(2, first), place(2, second), place(3, last)]);
}
