//! Directories and files of tests, and the program run in them.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::Value;
use tempfile::TempDir;

/// Variables of the environment that change what the program prints.
const VARIABLES: [&str; 4] = ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "GITHUB_STEP_SUMMARY"];

// ---- directories -----------------------------------------------------------------------

/// Returns an empty directory for the test called `name` of `subject`, which later runs empty
/// again.
pub(crate) fn directory(subject: &str, name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(subject).join(name);
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

/// Writes a file below `home`, and the directories above it; returns its path.
pub(crate) fn write(home: &Path, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
    let path = home.join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    fs::write(&path, content).expect("a file");
    path
}

/// Makes a pipe that has a name.
pub(crate) fn make_fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo runs").success());
}

// ---- the program -----------------------------------------------------------------------

/// Returns the program, with nothing on standard input. The environment of the tests does not
/// change what it prints.
pub(crate) fn linktrawl() -> Command {
    quiet(Command::new(env!("CARGO_BIN_EXE_linktrawl")))
}

fn quiet(mut command: Command) -> Command {
    command.stdin(Stdio::null());
    for name in VARIABLES {
        command.env_remove(name);
    }
    command
}

/// Returns `linktrawl ARGS` in `home`.
pub(crate) fn command(home: &Path, args: &[impl AsRef<OsStr>]) -> Command {
    let mut command = linktrawl();
    command.current_dir(home).args(args);
    command
}

/// Runs `linktrawl ARGS` in `home`.
pub(crate) fn run(home: &Path, args: &[impl AsRef<OsStr>]) -> Output {
    command(home, args).output().expect("the binary runs")
}

/// Runs `linktrawl ARGS` in `home` with `input` on standard input.
pub(crate) fn run_on(home: &Path, args: &[impl AsRef<OsStr>], input: impl AsRef<[u8]>) -> Output {
    let mut command = command(home, args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.as_ref();
    thread::scope(|scope| {
        // It may end before it has read all.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("the binary ends")
    })
}

/// Runs a script in `home`, with the program as `$0`.
pub(crate) fn shell(home: &Path, script: &str) -> Output {
    let mut shell = quiet(Command::new("sh"));
    shell.current_dir(home).args(["-c", script, env!("CARGO_BIN_EXE_linktrawl")]);
    shell.output().expect("the shell runs")
}

// ---- what it printed -------------------------------------------------------------------

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

/// Returns the records on standard output, one a line.
#[track_caller]
pub(crate) fn records(output: &Output) -> Vec<Value> {
    let records = stdout(output);
    records.lines().map(|line| serde_json::from_str(line).expect("a record is JSON")).collect()
}
