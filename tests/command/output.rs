//! Tests the files and streams that the program writes to: which files it replaces, what a killed
//! run leaves, and how a run ends when no one reads its output.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

mod ends;
mod killed;
mod replaced;

use std::fs;
use std::path::Path;

/// The names in `home`, in order, without the directory of the repository.
fn names(home: &Path) -> Vec<String> {
    let entries = fs::read_dir(home).expect("a directory").map(|entry| entry.expect("an entry"));
    let mut names: Vec<_> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name != ".git");
    names.sort();
    names
}
