//! Drives the files and streams that the program writes to: which files it replaces, what is left
//! of a run that was killed, and how it ends when nobody takes what it writes.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

mod ends;
mod killed;
mod replaced;

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

fn command(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linktrawl"));
    command.current_dir(home).args(args).stdin(Stdio::null());
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "GITHUB_STEP_SUMMARY"] {
        command.env_remove(name);
    }
    command
}

fn run(home: &Path, args: &[&str]) -> Output {
    command(home, args).output().expect("the binary runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn read(home: &Path, path: &str) -> String {
    String::from_utf8_lossy(&fs::read(home.join(path)).expect("a file")).into_owned()
}

/// The names in `home`, in order, without the directory of the repository.
fn names(home: &Path) -> Vec<String> {
    let entries = fs::read_dir(home).expect("a directory").map(|entry| entry.expect("an entry"));
    let mut names: Vec<_> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name != ".git");
    names.sort();
    names
}
