//! Tests options from files: `linktrawl.toml`, tables in the files of other programs, and the
//! command `linktrawl config`.
//!
//! Nothing here sends a request: other tests cover the options of hosts in `check`.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

mod found;
mod import;
mod paths;
mod refused;
mod schema;
mod shown;
mod trust;

use crate::home::{repository, run, stderr, stdout};

/// Checks what `scan --quiet` prints of `docs`, and returns its standard error.
#[track_caller]
fn scan(files: &[(&str, &str)], args: &[&str], expected: &str) -> String {
    let text = [("docs/a.txt", "http://a/ and http://b/\n")];
    let home = repository(&[&text[..], files].concat());
    let all = [&["scan", "docs/a.txt"], args].concat();
    let output = run(home.path(), &all);
    let found = stdout(&output).replace("docs/a.txt:1:", "");
    assert_eq!(found, expected, "{}", stderr(&output));
    stderr(&output)
}

/// Each complaint that a file gets, without its name.
#[track_caller]
fn refused(text: &str, expected: &[&str]) {
    let home = repository(&[("x.toml", text)]);
    for command in [&["config", "check"][..], &["config", "show"], &["scan", "."]] {
        let output = run(home.path(), &[command, &["--config=x.toml"]].concat());
        assert_eq!(output.status.code(), Some(2), "{text}");
        let said = stderr(&output).replace("linktrawl: error: ", "").replace("x.toml:", "");
        let lines: Vec<_> = said.lines().collect();
        assert_eq!(lines, expected, "{text}");
    }
}

const BOTH: &str = "1: ok http://a/\n15: ok http://b/\n";
const A: &str = "1: ok http://a/\n";
const B: &str = "15: ok http://b/\n";
const NO_A: &str = "exclude = ['//a/']";
const NO_B: &str = "exclude = ['//b/']";
