//! Directories of tests, and the program run in them.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Variables of the environment that change what the program prints.
const VARIABLES: [&str; 4] = ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "GITHUB_STEP_SUMMARY"];

/// Returns an empty directory for the test called `name`, which later runs empty again.
pub(crate) fn fresh(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("command").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a directory");
    path
}

/// Returns a directory with these files, each with its text.
pub(crate) fn with_files(files: &[(&str, &str)]) -> TempDir {
    let home = tempfile::tempdir().expect("a directory");
    for (path, text) in files {
        write(home.path(), path, text);
    }
    home
}

/// Returns a directory with these files, which is the root of a repository.
pub(crate) fn repository(files: &[(&str, &str)]) -> TempDir {
    let home = with_files(files);
    fs::create_dir(home.path().join(".git")).expect("a directory");
    home
}

/// Writes a file below `home`, and the directories above it.
pub(crate) fn write(home: &Path, path: &str, text: impl AsRef<[u8]>) {
    let path = home.join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    fs::write(path, text).expect("a file");
}

/// Returns the text of a file below `home`.
pub(crate) fn read(home: &Path, path: &str) -> String {
    String::from_utf8_lossy(&fs::read(home.join(path)).expect("a file")).into_owned()
}

/// Returns `linktrawl ARGS` in `home`, with nothing on standard input.
pub(crate) fn command(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linktrawl"));
    command.current_dir(home).args(args).stdin(Stdio::null());
    for name in VARIABLES {
        command.env_remove(name);
    }
    command
}

/// Runs `linktrawl ARGS` in `home`.
pub(crate) fn run(home: &Path, args: &[&str]) -> Output {
    command(home, args).output().expect("the binary runs")
}

/// Runs `linktrawl ARGS` in `home` with `input` on standard input.
pub(crate) fn run_on(home: &Path, args: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut command = command(home, args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    // It may end before it has read all.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_ref());
    child.wait_with_output().expect("the binary ends")
}

/// Returns what was printed on standard output.
#[track_caller]
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Returns what was printed on standard error.
#[track_caller]
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
