//! linkify's column of the table in README, "Beside other tools", and that it says no more.
//!
//! The columns of programs are shown by `benches/peers.py`; this one is of a library.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use linkify::LinkFinder;

const README: &str = include_str!("../../README.md");

/// The column of linkify in a row, counted after the row's name.
const COLUMN: usize = 3;

/// Rows of the table with linkify's cell in each.
fn column() -> Vec<(&'static str, &'static str)> {
    let (_, section) = README.split_once("\n## Beside other tools\n").expect("the section");
    let section = section.split("\n## ").next().expect("its text");
    let rows = section.lines().filter_map(|line| line.strip_prefix('|'));
    let rows = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    rows.map(|cells| (cells[0], cells[COLUMN])).collect()
}

fn found(text: &str) -> Vec<&str> {
    LinkFinder::new().links(text).map(|link| link.as_str()).collect()
}

#[test]
fn the_column_of_linkify_is_true() {
    let wrapped = match found("see <http://links.dom/one/\ntwo> and more\n")[..] {
        ["http://links.dom/one/two"] => "whole",
        ["http://links.dom/one/"] => "cut",
        _ => "something else",
    };
    // A link has a place and a kind, and nothing that would indicate a fault; so the only fact to
    // learn is that it is given.
    let malformed = match found("see <http://links.dom/%zz> now\n")[..] {
        [] => "left out",
        ["http://links.dom/%zz"] => "no",
        _ => "something else",
    };
    let told: Vec<_> = column().into_iter().filter(|(_, cell)| *cell != "–").collect();
    let wanted = [
        ("", "linkify"),
        ("---", "---"),
        ("URIs in `<…>` over two lines", wrapped),
        ("which rule of which RFC a link breaks", malformed),
    ];
    assert_eq!(told, wanted);
}
