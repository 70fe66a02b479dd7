//! Tests the output on a terminal: the progress of requests, and then the report, with no trace of
//! the progress.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::Sender;

use crate::directory;
use crate::support::servers::site::{Gate, Reply, Request, Site};

/// Returns what `linktrawl check ARGS` prints on a terminal of 150 columns, and the part that was
/// there when `awaited` first appeared; `opens` is dropped at that moment.
fn on_terminal(home: &Path, args: &str, awaited: &str, opens: Sender<()>) -> (String, String) {
    let program = env!("CARGO_BIN_EXE_linktrawl");
    let check = format!("stty cols 150 rows 40; '{program}' check --allow-net=127.0.0.0/8 {args}");
    let mut command = Command::new("script");
    command.current_dir(home).args(["-qec", &check, "/dev/null"]).stdin(Stdio::null());
    // Nothing of the terminal that the tests run in.
    command.env_clear().env("PATH", "/usr/bin:/bin").env("TERM", "xterm").stdout(Stdio::piped());
    let mut child = command.spawn().expect("script(1)");
    let mut screen = child.stdout.take().expect("a pipe");
    let (mut said, mut before, mut opens) = (Vec::new(), String::new(), Some(opens));
    let mut piece = [0; 4096];
    while let len @ 1.. = screen.read(&mut piece).expect("a pipe") {
        said.extend_from_slice(&piece[..len]);
        let text = String::from_utf8_lossy(&said);
        if text.contains(awaited) && opens.take().is_some() {
            before = text.into_owned();
        }
    }
    child.wait().expect("our child");
    (String::from_utf8(said).expect("UTF-8"), before)
}

/// The lines that stay on a screen: a line that is cleared begins anew.
fn lines(said: &str) -> Vec<&str> {
    let cleared = |line| str::rsplit_once(line, "\r\x1b[2K").map_or(line, |(_, rest)| rest);
    said.split_terminator("\r\n").map(cleared).collect()
}

#[test]
fn progress_is_shown_while_links_are_asked_and_gone_before_the_report() {
    let (gate, opens) = Gate::new();
    let site = Site::start(move |_: &Request| Reply::Held(gate.clone()));
    let uri = site.uri(1, "/a");
    let home = directory(&[("a.md", &format!("<{uri}>\n"))]);
    let args = "--color=never --host-gap=0s a.md";
    let (said, before) = on_terminal(home.path(), args, "0 of 1 links probed, 0.0/s, ", opens);
    assert!(!before.is_empty() && !before.contains("a.md:1:2"), "{said:?}");
    let report = format!("a.md:1:2: ok {uri}");
    let lines = lines(&said);
    assert_eq!(lines[0], report, "{said:?}");
    assert!(lines[1].starts_with("linktrawl: 1 file, "), "{said:?}");
    assert_eq!(lines.len(), 2, "{said:?}");
    let (_, told) = said.split_once(&report).expect("the report");
    assert!(!told.contains("asked"), "{told:?}");
}

#[test]
fn a_quiet_run_shows_its_report_alone() {
    let site = Site::start(|_: &Request| Reply::code(200));
    let uri = site.uri(1, "/a");
    let home = directory(&[("a.md", &format!("<{uri}>\n"))]);
    // Nothing is awaited, and nothing waits.
    let (_, opens) = Gate::new();
    let (said, _) = on_terminal(home.path(), "-q --color=never a.md", "asked", opens);
    assert_eq!(said, format!("a.md:1:2: ok {uri}\r\n"));
}
