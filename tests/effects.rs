//! Links that act, and the corpus that says which do.
#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::Path;

use linktrawl::check::effects;

/// What is left alone of harmless links, at most, in percent.
const OVER_MAX: usize = 5;

struct Row {
    acts: bool,
    is_held: bool,
    family: String,
    uri: String,
}

fn corpus(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(root.join("corpus").join(path)).expect("the corpus is there")
}

fn rows() -> Vec<Row> {
    let text = corpus("effects/links.tsv");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let mut fields = line.split('\t').map(str::to_owned);
            let mut next = || fields.next().expect("four fields");
            let (acts, part) = (next() == "acts", next());
            Row { acts, is_held: part == "held", family: next(), uri: next() }
        })
        .collect()
}

fn is_left_alone(row: &&Row) -> bool {
    effects::of(row.uri.as_bytes(), None, false).is_some()
}

#[test]
fn every_link_that_acts_is_left_alone() {
    let rows = rows();
    let acting = rows.iter().filter(|row| row.acts);
    assert!(acting.clone().filter(|row| !row.is_held).count() >= 1000);
    assert!(acting.clone().filter(|row| row.is_held).count() >= 300);
    let missed = acting.filter(|row| !is_left_alone(row));
    let missed: Vec<_> = missed.map(|row| format!("{}: {}", row.family, row.uri)).collect();
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn few_harmless_links_are_left_alone() {
    let rows = rows();
    for is_held in [false, true] {
        let all = || rows.iter().filter(|row| !row.acts && row.is_held == is_held);
        let over = all().filter(is_left_alone).count();
        assert!(all().count() >= if is_held { 300 } else { 1000 });
        assert!(over * 100 <= all().count() * OVER_MAX, "held {is_held}: {over}");
    }
}
