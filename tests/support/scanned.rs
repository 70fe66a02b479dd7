//! Scans a file that a test writes.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Returns the records of a scan of a file called `name`, in a directory `home` of these tests, and
/// the exit code.
pub(crate) fn scan(home: &str, name: &str, content: &[u8]) -> (Vec<Value>, Option<i32>) {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(home);
    std::fs::create_dir_all(&home).expect("a directory");
    std::fs::write(home.join(name), content).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_linktrawl"))
        .current_dir(&home)
        .args(["scan", "--quiet", "--format", "ndjson", name])
        .output()
        .expect("the binary runs");
    let report = String::from_utf8(output.stdout).expect("records are UTF-8");
    let records = report.lines().map(|line| serde_json::from_str(line).expect("a record is JSON"));
    (records.collect(), output.status.code())
}
