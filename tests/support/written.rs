//! Writes programs that tests run.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes a program, by a process of its own: a file that this one had open for writing would be
/// open in each process that another test begins meanwhile, and such a file cannot be run.
pub(crate) fn program(path: &Path, text: &str) {
    let mut writer = Command::new("sh")
        .args(["-c", "cat >\"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut input = writer.stdin.take().expect("a pipe");
    input.write_all(text.as_bytes()).expect("the program is taken");
    drop(input);
    assert!(writer.wait().expect("the shell ends").success());
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("permissions");
}
