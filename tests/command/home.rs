//! Directories of tests, and the program run in them.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::ffi::OsStr;
use std::fs;
use std::iter;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Output;

use tempfile::TempDir;

use crate::support::home;
pub(crate) use crate::support::home::{
    command, linktrawl, records, run, run_on, stderr, stdout, with_files, write,
};

/// Returns an empty directory for the test called `name`, which later runs empty again.
pub(crate) fn fresh(name: &str) -> PathBuf {
    home::directory("command", name)
}

/// Returns a directory with these files, which is the root of a repository.
pub(crate) fn repository(files: &[(&str, &str)]) -> TempDir {
    let home = with_files(files);
    fs::create_dir(home.path().join(".git")).expect("a directory");
    home
}

/// Returns the text of a file below `home`.
pub(crate) fn read(home: &Path, path: &str) -> String {
    String::from_utf8_lossy(&fs::read(home.join(path)).expect("a file")).into_owned()
}

/// Runs `linktrawl NAME ARGS` with `input` on standard input; arguments are any bytes.
pub(crate) fn fed(name: &str, args: &[&[u8]], input: &[u8]) -> Output {
    let args = args.iter().map(|arg| OsStr::from_bytes(arg));
    let args: Vec<&OsStr> = iter::once(OsStr::new(name)).chain(args).collect();
    run_on(Path::new(env!("CARGO_MANIFEST_DIR")), &args, input)
}

/// Checks all that a run has printed, and its exit code.
#[track_caller]
pub(crate) fn says(output: &Output, code: i32, printed: &str, said: &str) {
    assert_eq!(stdout(output), printed);
    assert_eq!(stderr(output), said);
    assert_eq!(output.status.code(), Some(code));
}
