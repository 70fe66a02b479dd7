//! Runs the program on a terminal of its own, which script(1) makes: what goes through a pager, and
//! what a program at the end of a pipe prints.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::home::fresh;
use crate::support::written;

/// Returns what a terminal of 150 columns shows of `line`, in which `linktrawl` is the program,
/// with these environment variables and no others.
fn on_terminal(home: &Path, line: &str, variables: &[(&str, &str)]) -> String {
    let program = format!("'{}'", env!("CARGO_BIN_EXE_linktrawl"));
    let line = format!("stty cols 150 rows 40; {}", line.replace("linktrawl", &program));
    let mut command = Command::new("script");
    command.current_dir(home).args(["-qec", &line, "/dev/null"]).stdin(Stdio::null());
    command.env_clear().env("PATH", "/usr/bin:/bin").env("TERM", "xterm");
    let output = command.envs(variables.iter().copied()).output().expect("script(1)");
    String::from_utf8(output.stdout).expect("UTF-8").replace("\r\n", "\n")
}

#[test]
fn a_program_that_prints_the_report_finds_no_progress_on_the_screen() {
    let home = fresh("terminal/piped");
    fs::write(home.join("a.txt"), "see http://h.example/%zz\n").expect("a file");
    let scan = "linktrawl scan --show error a.txt";
    let screen = on_terminal(&home, &format!("{scan} | cat"), &[]);
    let report = screen.lines().find(|line| line.contains("a.txt")).expect("the report");
    let report = report.rsplit_once("\r\x1b[2K").map_or(report, |(_, rest)| rest);
    assert!(report.starts_with("a.txt:1:5: error[pct-encoded]: "), "{screen:?}");
    // A file shows nothing, and progress may go on.
    let screen = on_terminal(&home, &format!("{scan} > report"), &[]);
    assert!(screen.contains(" read, "), "{screen:?}");
}

#[test]
fn a_scan_that_a_signal_ends_leaves_no_progress_on_the_screen() {
    let home = fresh("terminal/ended");
    // Much is read before the signal, and more follows until the reader is gone. What runs tests in
    // the background may have it ignore SIGINT.
    let link = "yes 'see http://h.example/a'";
    let input = format!("{link} | head -n 200000; kill -TERM \"$(cat pid)\"; {link}");
    let scan = "(sh -c 'echo $PPID' >pid; exec linktrawl scan - >report)";
    let screen = on_terminal(&home, &format!("{{ {input}; }} | {scan}"), &[]);
    let (before, after) = screen.rsplit_once("\r\x1b[2K").expect("a line that was cleared");
    // The shell says how the program ended.
    assert!(before.contains(" read, ") && after.trim() == "Terminated", "{screen:?}");
}

#[test]
fn the_guide_and_the_help_of_commands_go_through_a_pager_that_can_show_colours() {
    let home = fresh("terminal/pager");
    written::program(&home.join("pager"), "#!/bin/sh\necho \"<LESS=$LESS>\"\ncat\n");
    let paged = |name: &str, more: &[(&str, &str)]| {
        let pager = [&[("PAGER", "./pager")], more].concat();
        on_terminal(&home, &format!("linktrawl help {name}"), &pager)
    };
    for name in ["", "recipes", "check", "config show"] {
        let screen = paged(name, &[]);
        assert!(screen.starts_with("<LESS=FRX>\n"), "{name}: {screen:?}");
        assert!(screen.contains("\x1b[1m"), "{name}: {screen:?}");
    }
    assert!(paged("recipes", &[("LESS", "M")]).starts_with("<LESS=M>\n"));
    assert!(paged("recipes", &[("LESS", "")]).starts_with("<LESS=>\n"));
    let dumb = paged("recipes", &[("TERM", "dumb")]);
    assert!(dumb.starts_with("Recipes\n") && !dumb.contains('\x1b'), "{dumb:?}");
}

#[test]
fn a_pager_that_cannot_run_leaves_the_text_to_the_terminal() {
    let home = fresh("terminal/no-pager");
    for pager in ["false", "./nowhere", "cat", ""] {
        let screen = on_terminal(&home, "linktrawl help recipes", &[("PAGER", pager)]);
        assert_eq!(screen.matches("A mailbox").count(), 1, "{pager}: {screen:?}");
    }
}

#[test]
fn an_empty_pager_is_none_and_an_unset_one_the_default() {
    let home = fresh("terminal/unset-pager");
    written::program(&home.join("less"), "#!/bin/sh\necho \"<less $*>\"\ncat\n");
    let path = format!("{}:/usr/bin:/bin", home.display());
    let shown = |more: &[(&str, &str)]| {
        let variables = [&[("PATH", path.as_str())], more].concat();
        on_terminal(&home, "linktrawl help recipes", &variables)
    };
    assert!(shown(&[]).starts_with("<less -FRX>\n"));
    let bare = shown(&[("PAGER", "")]);
    assert!(!bare.contains("<less") && bare.contains("A mailbox"), "{bare:?}");
}
