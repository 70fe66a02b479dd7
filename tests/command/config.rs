//! Drives options from files: `linktrawl.toml`, tables in the files of others, and the command
//! `linktrawl config`.
//!
//! Nothing here asks anybody: what `check` makes of what a file says of hosts is the business of
//! other tests.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

mod found;
mod import;
mod paths;
mod refused;
mod schema;
mod shown;
mod trust;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A directory with these files, each with its text, which is the root of a repository.
fn directory(files: &[(&str, &str)]) -> TempDir {
    let home = tempfile::tempdir().expect("a directory");
    fs::create_dir(home.path().join(".git")).expect("a directory");
    for (path, text) in files {
        let path = home.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("a file");
    }
    home
}

fn run(home: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linktrawl"));
    command.current_dir(home).args(args).stdin(Stdio::null());
    for name in ["NO_COLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command.output().expect("the binary runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// What `scan --quiet` prints of `docs` and what it says beside.
#[track_caller]
fn scan(files: &[(&str, &str)], args: &[&str], expected: &str) -> String {
    let text = [("docs/a.txt", "http://a/ and http://b/\n")];
    let home = directory(&[&text[..], files].concat());
    let all = [&["scan", "docs/a.txt"], args].concat();
    let output = run(home.path(), &all);
    let found = stdout(&output).replace("docs/a.txt:1:", "");
    assert_eq!(found, expected, "{}", stderr(&output));
    stderr(&output)
}

/// Each complaint that a file gets, without its name.
#[track_caller]
fn refused(text: &str, expected: &[&str]) {
    let home = directory(&[("x.toml", text)]);
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
