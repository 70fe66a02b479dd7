//! Tests `linktrawl check` as a process, against servers on loopback: which requests it sends, what
//! it reports, and how a run ends.
//!
//! Other tests cover single probes. Nothing leaves this machine: hosts are addresses of 127/8, and
//! a name server on loopback answers queries for names.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must hold by panicking")]

#[path = "../support"]
mod support {
    pub(crate) mod chance;
    #[expect(dead_code, reason = "other programs use the rest of it")]
    pub(crate) mod home;
    pub(crate) mod servers {
        pub(crate) mod authority;
        pub(crate) mod canary;
        pub(crate) mod closed;
        pub(crate) mod counting;
        #[expect(dead_code, reason = "the program `probe` uses the rest of it")]
        pub(crate) mod inet;
        pub(crate) mod name_server;
        #[expect(dead_code, reason = "the program `probe` uses the rest of it")]
        pub(crate) mod nginx;
        pub(crate) mod place;
        pub(crate) mod secure;
        pub(crate) mod site;
        pub(crate) mod standing;
    }
}

mod archives;
mod daemons;
mod effects;
mod endless;
mod ends;
mod gateways;
mod given_up;
mod guard;
mod hints;
mod hosts;
mod local_kinds;
mod local_links;
mod lookups;
mod mail;
mod once;
mod pages;
mod pywb;
mod reach;
mod resume;
mod rot;
mod run;
mod secrets;
mod state;
mod store;
mod terminal;
mod unbound;
mod versions;
mod watch;
mod words_around;

use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use support::home::{self, stderr, stdout, write};

/// A directory with these files, each with its text.
fn directory(files: &[(&str, &str)]) -> TempDir {
    home::with_files(files)
}

/// `linktrawl check` in `home`, with loopback opened as the user's own, who is not asked for
/// robots.txt, and, if `args` do not say otherwise, nothing tried twice.
fn command(home: &Path, args: &[&str]) -> Command {
    let has_retries = args.iter().any(|arg| arg.starts_with("--retries"));
    let mut command = plain_command(home, &["--allow-net=127.0.0.0/8", "--own-host=127.0.0.0/8"]);
    command.args((!has_retries).then_some("--retries=0")).args(args);
    command
}

/// The same, with nothing said but `args`.
fn plain_command(home: &Path, args: &[&str]) -> Command {
    home::command(home, &[&["check"], args].concat())
}

/// `command` under timeout(1), which ends it when it takes minutes: it waits for what it should not
/// wait for, and a test is to fail and not to hang.
fn impatient(command: &Command) -> Command {
    let mut bounded = Command::new("timeout");
    bounded.arg("300").arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
    bounded.current_dir(command.get_current_dir().expect("a home"));
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => bounded.env(name, value),
            None => bounded.env_remove(name),
        };
    }
    bounded
}

/// Sends a signal to a process.
fn send(signal: &str, child: &Child) {
    // The shell's own, which every system has.
    let sent = Command::new("sh").arg("-c").arg(format!("kill -{signal} {}", child.id())).status();
    assert!(sent.expect("a shell").success());
}

/// Runs it; gives standard output and the exit code.
fn check(home: &Path, args: &[&str]) -> (String, Option<i32>) {
    let output = command(home, args).output().expect("the binary runs");
    assert!(!stderr(&output).contains("the program failed"), "{}", stderr(&output));
    (stdout(&output), output.status.code())
}

/// Asks for links to `uris` in a document; the report without the places, and the exit code.
fn ask(uris: &[String], args: &[&str]) -> (Vec<String>, Option<i32>) {
    let home = directory(&[("links.md", &document(uris))]);
    let (report, code) = check(home.path(), &[args, &["links.md"]].concat());
    (report.lines().map(|line| without_place(line).to_owned()).collect(), code)
}

/// A document that links to `uris`, one a line.
fn document(uris: &[String]) -> String {
    uris.iter().map(|uri| format!("- <{uri}>\n")).collect()
}

fn without_place(line: &str) -> &str {
    line.split_once(": ").map_or(line, |(_, rest)| rest)
}
