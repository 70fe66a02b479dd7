//! Scans a file that a test writes.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::path::Path;

use serde_json::Value;

use super::home;

/// Returns the records of a scan of a file called `name`, in a directory `home` of these tests, and
/// the exit code.
pub(crate) fn scan(home: &str, name: &str, content: &[u8]) -> (Vec<Value>, Option<i32>) {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(home);
    std::fs::create_dir_all(&home).expect("a directory");
    std::fs::write(home.join(name), content).expect("a file");
    let output = home::run(&home, &["scan", "--quiet", "--format", "ndjson", name]);
    (home::records(&output), output.status.code())
}
