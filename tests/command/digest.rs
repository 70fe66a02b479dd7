//! Tests `--digest` by its definition: the sum of the SHA-256 of each finding's line, for any
//! order, number of threads and division into parts.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::Path;
use std::process::Output;

use linktrawl::internal::finding::Digest;
use ring::digest::{SHA256, digest};

use crate::home::{fresh, run};

fn scan(directory: &Path, args: &[&str]) -> Output {
    run(directory, &[&["scan", "--digest", "--exit-zero"], args].concat())
}

/// Returns the digest that `output` reports.
#[track_caller]
fn told(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let last = stderr.lines().last().unwrap_or_default();
    last.strip_prefix("linktrawl: digest: ").expect("a digest").to_owned()
}

/// Returns the digest of the findings in a report.
fn summed(ndjson: &[u8]) -> Digest {
    let mut sum = Digest::default();
    let lines = ndjson.split(|byte| *byte == b'\n');
    for line in lines.filter(|line| line.starts_with(br#"{"type":"finding""#)) {
        let hash = digest(&SHA256, line);
        sum.add(&Digest::of(hash.as_ref().first_chunk().expect("32 bytes")));
    }
    sum
}

#[test]
fn the_digest_is_the_sum_of_the_lines_of_a_report() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let args = ["-q", "corpus/mail", "README.md", "corpus/text", "--format"];
    let report = scan(home, &[&args[..], &["ndjson"]].concat());
    assert_eq!(report.status.code(), Some(0));
    let sum = summed(&report.stdout).to_string();
    assert_eq!(told(&report), sum);
    for more in [["text", "--threads=1"], ["text", "--threads=3"], ["csv", "--threads=2"]] {
        assert_eq!(told(&scan(home, &[&args[..], &more].concat())), sum, "{more:?}");
    }
    let turned = ["-q", "corpus/text", "corpus/mail", "README.md"];
    assert_eq!(told(&scan(home, &turned)), sum, "another order");
}

#[test]
fn each_finding_counts_as_often_as_it_occurs() {
    let home = fresh("digest/twice");
    fs::write(home.join("a.txt"), "http://h/a http://h/b\n").expect("a file");
    let of = |args: &[&str]| told(&scan(&home, args));
    let (none, once, twice) = (of(&["a.txt", "--include=x"]), of(&["a.txt"]), "a.txt");
    assert_eq!(none, "0".repeat(64));
    let twice = of(&[twice, twice]);
    assert!(once != twice && twice != none, "{once} {twice}");
    let bad = "http://h/%zz\n";
    fs::write(home.join("b.txt"), format!("http://h/a\n{bad}")).expect("a file");
    let shown = scan(&home, &["b.txt", "--show=error", "--format=ndjson"]);
    assert_eq!(told(&shown), of(&["b.txt"]), "what is not shown counts");
    assert_ne!(summed(&shown.stdout).to_string(), told(&shown));
    let refused = scan(&home, &["a.txt", "--unique"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn a_check_has_the_digest_of_a_scan() {
    let home = fresh("digest/check");
    fs::write(home.join("a.md"), "[a](b.md) http://h.example/ [c](a.md)\n").expect("a file");
    let scanned = told(&scan(&home, &["a.md"]));
    for format in ["text", "ndjson", "csv"] {
        let args = ["check", "--offline", "--digest", "a.md", "--format", format];
        let checked = run(&home, &args);
        assert_eq!(checked.status.code(), Some(1));
        assert_eq!(told(&checked), scanned, "{format}");
    }
}
