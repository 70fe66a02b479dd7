//! Tests odd, changing, hostile and endless inputs: each run ends by itself, reports what it
//! skipped, returns the right exit code, and stays within its memory limit. Other tests cover the
//! findings.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

#[path = "../support"]
mod support {
    pub(crate) mod chance;
    pub(crate) mod debugged;
    #[expect(dead_code, reason = "other programs use the rest of it")]
    pub(crate) mod home;
    pub(crate) mod units;
}

mod bombs;
mod changing;
mod failure;
mod fuzzed;
mod ignores;
mod linear;
mod lists;
mod memory;
mod mutants;
mod saved_secrets;
mod secrets;
mod special;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use support::home::{self, make_fifo, write};

const GOOD: &str = "see http://www.w3.org/ there\n";

/// Returns an empty directory for the test called `name`.
fn directory(name: &str) -> PathBuf {
    home::directory("safety", name)
}

/// The exit code, the messages and the records of a run.
struct Run {
    code: Option<i32>,
    stderr: String,
    records: Vec<Value>,
}

impl Run {
    fn of(output: &Output) -> Self {
        let stdout = String::from_utf8(output.stdout.clone()).expect("reports are UTF-8");
        let records = stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_well = !stderr.contains("panicked") && !stderr.contains("please report it");
        assert!(is_well, "{stderr}");
        Self { code: output.status.code(), stderr, records }
    }

    fn summary(&self) -> &Value {
        self.records.last().expect("a summary")
    }

    /// Returns the number of items that were skipped for `reason`.
    fn skipped(&self, reason: &str) -> u64 {
        self.summary()["skipped"][reason].as_u64().unwrap_or_default()
    }

    fn files(&self) -> u64 {
        self.summary()["files"].as_u64().expect("a number")
    }

    /// Paths with findings, in order.
    fn paths(&self) -> Vec<&str> {
        let found = self.records.iter().filter(|record| record["type"] == "finding");
        found.filter_map(|record| record["place"]["path"].as_str()).collect()
    }

    /// Kinds of the notes, and what they are about, in order.
    fn notes(&self) -> Vec<(&str, &str)> {
        let notes = self.records.iter().filter(|record| record["type"] == "note");
        notes
            .filter_map(|note| Some((note["kind"].as_str()?, note["place"]["path"].as_str()?)))
            .collect()
    }
}

fn scan_command(home: &Path, args: &[impl AsRef<OsStr>]) -> Command {
    let mut command = home::linktrawl();
    command.current_dir(home).args(["scan", "--format=ndjson"]).args(args);
    command
}

fn scan(home: &Path, args: &[impl AsRef<OsStr>]) -> Run {
    Run::of(&scan_command(home, args).output().expect("the binary runs"))
}

/// Runs a script with the binary as `$0`.
fn shell(home: &Path, script: &str) -> Run {
    Run::of(&home::shell(home, script))
}
