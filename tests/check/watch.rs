//! Tests `--watch`: which changes cause another run and which do not, and how watching ends.
//!
//! Nothing here sleeps: a test waits for a line until it comes. To test that a change causes no
//! run, it makes a second change, which does, and checks that only the second one is named.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must hold by panicking")]

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::send;
use crate::support::home;
use crate::support::servers::site::{Reply, Site};

/// How long a line is waited for: only who waits in vain meets the end of it.
const PATIENCE: Duration = Duration::from_secs(60);

fn directory(name: &str) -> PathBuf {
    let path = home::directory("command_watch", name);
    fs::create_dir(path.join("docs")).expect("a directory");
    path
}

/// Writes a file that is there in one moment, as editors do: what is written in two may be two
/// changes.
fn write(home: &Path, name: &str, text: &str) {
    let path = home.join(name);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    let beside = home.join(".written-beside");
    fs::write(&beside, text).expect("a file");
    fs::rename(beside, path).expect("renamed");
}

fn command(home: &Path, args: &[&str]) -> Command {
    home::command(home, args)
}

/// Returns the same command, with hangups handled as the option of `env` says: tests may run where
/// they are ignored.
fn command_by_env(home: &Path, option: &str, args: &[&str]) -> Command {
    let mut command = Command::new("env");
    command.args([option, env!("CARGO_BIN_EXE_linktrawl")]).args(args);
    command.current_dir(home).stdin(Stdio::null()).env_remove("GITHUB_STEP_SUMMARY");
    command
}

/// A program that watches.
struct Watching {
    child: Child,
    /// The lines of standard error.
    said: Receiver<String>,
    /// The lines of standard output, where that is a pipe.
    printed: Receiver<String>,
}

impl Watching {
    /// Begins, and waits for the end of the first run.
    #[track_caller]
    fn start(home: &Path, args: &[&str]) -> Self {
        Self::of(command(home, args).stdout(Stdio::piped()))
    }

    #[track_caller]
    fn of(command: &mut Command) -> Self {
        let watching = Self::begin(command);
        watching.rests();
        watching
    }

    fn begin(command: &mut Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the binary runs");
        let (said, printed) = (lines(child.stderr.take()), lines(child.stdout.take()));
        Self { child, said, printed }
    }

    #[track_caller]
    fn says(&self) -> String {
        self.said.recv_timeout(PATIENCE).expect("another line")
    }

    /// The next line of the report.
    #[track_caller]
    fn tells(&self) -> String {
        self.printed.recv_timeout(PATIENCE).expect("another line")
    }

    /// Returns the lines of standard error until it waits for changes, and the inputs that it
    /// watches.
    #[track_caller]
    fn rests(&self) -> (Vec<String>, String) {
        let mut before = Vec::new();
        loop {
            let line = self.says();
            match line.strip_prefix("linktrawl: waiting for changes of ") {
                Some(inputs) => return (before, inputs.to_owned()),
                None => before.push(line),
            }
        }
    }

    /// Returns the names of the changed files, from the run that they caused, after its end.
    #[track_caller]
    fn changed(&self) -> String {
        let line = self.says();
        let Some(changed) = line.strip_prefix("linktrawl: changed: ") else { panic!("{line}") };
        self.rests();
        changed.to_owned()
    }

    /// Stops it until it gets `CONT`.
    fn stops(&self) {
        send("STOP", &self.child);
        let state = format!("/proc/{}/stat", self.child.id());
        while !fs::read_to_string(&state).expect("its state").contains(") T ") {
            thread::yield_now();
        }
    }

    /// Ends it by a signal.
    fn end(&mut self, signal: &str) -> ExitStatus {
        send(signal, &self.child);
        self.child.wait().expect("it ends")
    }

    /// Returns the lines of standard error until it ends by itself, and its exit code.
    #[track_caller]
    fn ends(&mut self) -> (String, Option<i32>) {
        let mut said = String::new();
        loop {
            match self.said.recv_timeout(PATIENCE) {
                Ok(line) => said += &(line + "\n"),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("it goes on: {said}"),
            }
        }
        (said, self.child.wait().expect("it ends").code())
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // It has ended, or a test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of `stream`, as they come.
fn lines(stream: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (tells, hears) = channel();
    thread::spawn(move || {
        let lines = stream.into_iter().flat_map(|stream| BufReader::new(stream).lines());
        lines.map_while(Result::ok).try_for_each(|line| tells.send(line))
    });
    hears
}

#[test]
fn a_change_causes_a_run_with_a_report_of_its_own() {
    let home = directory("change");
    write(&home, "docs/a.md", "[b](b.md)\n");
    let mut watching = Watching::start(&home, &["check", "docs", "--offline", "--watch"]);
    let wanted = "docs/a.md:1:5: error[missing]: b.md: expected a file or directory at \
                  `docs/b.md`, found none";
    let missing = watching.tells();
    assert!(missing.starts_with(wanted), "{missing}");
    // A file that a link leads to is a file of the tree like its document.
    write(&home, "docs/b.md", "");
    assert_eq!(watching.changed(), "docs/b.md");
    assert_eq!(watching.tells(), "docs/a.md:1:5: ok b.md");
    // Editors write beside, in the same directory, too.
    write(&home, "docs/.a.md.new", "[b](b.md)\n\n[c](http://h/%zz)\n");
    fs::rename(home.join("docs/.a.md.new"), home.join("docs/a.md")).expect("renamed");
    assert_eq!(watching.changed(), "docs/a.md");
    assert_eq!(watching.tells(), "docs/a.md:1:5: ok b.md");
    let fault = watching.tells();
    assert!(fault.starts_with("docs/a.md:3:5: error[pct-encoded]: http://h/%zz"), "{fault}");
    fs::remove_file(home.join("docs/b.md")).expect("removed");
    assert_eq!(watching.changed(), "docs/b.md");
    assert_eq!(watching.end("INT").code(), Some(130));
}

#[test]
fn a_pipe_in_the_place_of_what_is_watched_is_told_and_not_waited_for() {
    let home = directory("pipe");
    write(&home, "a.md", "http://a.example/\n");
    let watching = Watching::start(&home, &["scan", "a.md", "--watch"]);
    assert_eq!(watching.tells(), "a.md:1:1: ok http://a.example/");
    let made = Command::new("mkfifo").arg(home.join("pipe")).status().expect("mkfifo");
    assert!(made.success());
    fs::rename(home.join("pipe"), home.join("a.md")).expect("renamed");
    assert_eq!(watching.says(), "linktrawl: changed: a.md");
    let (said, _) = watching.rests();
    assert!(said.iter().any(|line| line.contains("which is a pipe or a device")), "{said:?}");
    write(&home, "a.md", "http://b.example/\n");
    assert_eq!(watching.changed(), "a.md");
    assert_eq!(watching.tells(), "a.md:1:1: ok http://b.example/");
}

#[test]
fn new_directories_are_watched() {
    let home = directory("new");
    write(&home, "docs/a.md", "");
    let watching = Watching::start(&home, &["scan", "docs", "--watch"]);
    write(&home, "beside/x/y/1.md", "http://a.example/\n");
    fs::rename(home.join("beside/x"), home.join("docs/x")).expect("renamed");
    assert_eq!(watching.changed(), "docs/x");
    assert_eq!(watching.tells(), "docs/x/y/1.md:1:1: ok http://a.example/");
    write(&home, "docs/x/y/2.md", "");
    assert_eq!(watching.changed(), "docs/x/y/2.md");
}

#[test]
fn a_burst_is_one_change_and_told_in_short() {
    let home = directory("burst");
    write(&home, "docs/a.md", "");
    let watching = Watching::start(&home, &["scan", "docs", "--watch"]);
    // Changes while it is stopped arrive at once when it continues.
    watching.stops();
    for number in 1..=5 {
        write(&home, &format!("docs/{number}.md"), "");
    }
    send("CONT", &watching.child);
    assert_eq!(watching.changed(), "docs/1.md, docs/2.md, docs/3.md, and 2 more");
}

#[test]
fn more_changes_than_the_system_keeps_lose_none() {
    let home = directory("flood");
    write(&home, "docs/a.md", "");
    let watching = Watching::start(&home, &["scan", "docs", "--watch"]);
    watching.stops();
    let kept = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").expect("a limit");
    let kept: usize = kept.trim().parse().expect("a number");
    // Each is two events, from the one name and to the other. None of them counts, so that nothing
    // but the overflow of the queue causes the next run.
    write(&home, "docs/.0.md", "");
    for number in 0..kept {
        let [from, to] = [number % 2, 1 - number % 2].map(|name| format!("docs/.{name}.md"));
        fs::rename(home.join(from), home.join(to)).expect("renamed");
    }
    // The system has no room for these.
    write(&home, "docs/late/a.md", "http://a.example/\n");
    send("CONT", &watching.child);
    assert_eq!(watching.tells(), "docs/late/a.md:1:1: ok http://a.example/");
    write(&home, "docs/late/b.md", "");
    while !watching.changed().contains("docs/late/b.md") {}
}

#[test]
fn a_name_says_nothing_but_itself() {
    let home = directory("names");
    write(&home, "docs/a.md", "");
    let watching = Watching::start(&home, &["scan", "docs", "--watch"]);
    write(&home, "docs/b\nlinktrawl: error: c", "");
    assert_eq!(watching.changed(), r"docs/b\x0alinktrawl: error: c");
    let odd = OsStr::from_bytes(b"docs/\xff\x1b[2J");
    File::create(home.join(odd)).expect("a file");
    assert_eq!(watching.changed(), r"docs/\xff\x1b[2J");
}

#[test]
fn where_nothing_is_kept_no_place_is_needed_for_it() {
    let home = directory("no-place");
    write(&home, "docs/a.md", "http://127.0.0.1/\n");
    let args = ["check", "docs", "--watch"];
    for (more, code) in [("--offline", Some(130)), ("--state=kept", Some(130)), ("-v", Some(2))] {
        let mut asking = command(&home, &[&args[..], &[more]].concat());
        asking.env("TMPDIR", home.join("absent")).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = asking.spawn().expect("the binary runs");
        let said = lines(child.stderr.take());
        let mut told = String::new();
        while let Ok(line) = said.recv_timeout(PATIENCE) {
            if line.contains("waiting for changes") {
                send("INT", &child);
            }
            told.push_str(&line);
        }
        assert_eq!(child.wait().expect("it ends").code(), code, "{more} {told}");
        assert_eq!(told.contains("--state names a file"), code == Some(2), "{told}");
    }
}

#[test]
fn what_a_run_writes_itself_causes_none() {
    let home = directory("own");
    write(&home, "docs/a.md", "http://127.0.0.1/\n");
    let reports = ["--format=html=docs/out/r.html", "--format=ndjson=docs/r.ndjson"];
    write(&home, "docs/out/r.html", "");
    let args = ["check", "docs", "--watch", "--hidden", "--state=docs/state", "--format=text"];
    let mut watching = command(&home, &[&args, &reports[..]].concat());
    // Standard output is in the tree, too.
    let printed = File::create(home.join("docs/printed")).expect("a file");
    let watching = Watching::of(watching.stdout(printed));
    for name in ["docs/b.md", "docs/c.md"] {
        write(&home, name, "");
        assert_eq!(watching.changed(), name);
    }
    let found = fs::read_to_string(home.join("docs/printed")).expect("a report");
    // Nor was anything of it read.
    assert!(found.lines().all(|line| line.starts_with("docs/a.md:1:1: ")), "{found}");
    assert_eq!(found.lines().count(), 3);
}

#[test]
fn what_a_walk_leaves_out_causes_none() {
    let home = directory("left-out");
    write(&home, "docs/.linktrawlignore", "*.log\nbuilt/\n");
    write(&home, "docs/.git/HEAD", "");
    write(&home, "docs/built/a.md", "");
    write(&home, "docs/a.md", "");
    write(&home, "beside.md", "");
    let watching = Watching::start(&home, &["scan", "docs", "--watch"]);
    for left_out in ["a.log", ".hidden.md", ".git/index", "built/a.md", "built/new.md"] {
        write(&home, &format!("docs/{left_out}"), "x");
    }
    write(&home, "beside.md", "x");
    fs::read(home.join("docs/a.md")).expect("a file");
    write(&home, "docs/b.md", "");
    assert_eq!(watching.changed(), "docs/b.md");
    // An ignore file changes which files are skipped.
    write(&home, "docs/.linktrawlignore", "");
    assert_eq!(watching.changed(), "docs/.linktrawlignore");
    write(&home, "docs/built/a.md", "y");
    assert_eq!(watching.changed(), "docs/built/a.md");
}

#[test]
fn git_keeps_to_itself_where_hidden_files_are_read() {
    let home = directory("git");
    write(&home, "docs/.git/HEAD", "");
    let watching = Watching::start(&home, &["scan", "docs", "--watch", "--hidden"]);
    write(&home, "docs/.git/index", "");
    write(&home, "docs/.git/HEAD", "x");
    write(&home, "docs/.hidden.md", "");
    assert_eq!(watching.changed(), "docs/.hidden.md");
}

#[test]
fn files_are_watched_by_their_names_and_lists_with_what_they_name() {
    let home = directory("files");
    write(&home, "docs/a.md", "");
    write(&home, "docs/b.md", "");
    write(&home, "other/c.md", "");
    write(&home, "list", "docs/b.md\n");
    let args = ["scan", "docs/a.md", "--watch", "--files-from=list"];
    let watching = Watching::start(&home, &args);
    write(&home, "docs/not-named.md", "");
    write(&home, "docs/b.md", "x");
    assert_eq!(watching.changed(), "docs/b.md");
    write(&home, "list", "other/c.md\n");
    assert_eq!(watching.changed(), "list");
    write(&home, "docs/b.md", "y");
    write(&home, "other/c.md", "y");
    assert_eq!(watching.changed(), "other/c.md");
    write(&home, "new.md", "");
    fs::rename(home.join("new.md"), home.join("docs/a.md")).expect("renamed");
    assert_eq!(watching.changed(), "docs/a.md");
}

#[test]
fn the_file_of_options_is_read_anew_and_may_be_wrong_for_a_while() {
    let home = directory("options");
    write(&home, "docs/a.md", "http://a.example/ http://b.example/\n");
    write(&home, "linktrawl.toml", "exclude = [\"//a\"]\n");
    let watching = Watching::start(&home, &["scan", "docs", "--watch"]);
    assert_eq!(watching.tells(), "docs/a.md:1:19: ok http://b.example/");
    write(&home, "linktrawl.toml", "exclud = [\"//b\"]\n");
    assert_eq!(watching.says(), "linktrawl: changed: linktrawl.toml");
    let (said, _) = watching.rests();
    assert!(said[0].contains("perhaps exclude"), "{said:?}");
    write(&home, "linktrawl.toml", "exclude = [\"//b\"]\n");
    assert_eq!(watching.changed(), "linktrawl.toml");
    assert_eq!(watching.tells(), "docs/a.md:1:1: ok http://a.example/");
}

#[test]
fn a_tree_that_is_gone_is_told_and_waited_for() {
    let home = directory("gone");
    write(&home, "docs/a.md", "http://a.example/\n");
    let watching = Watching::start(&home, &["scan", "docs", "--watch"]);
    assert_eq!(watching.tells(), "docs/a.md:1:1: ok http://a.example/");
    fs::rename(home.join("docs"), home.join("elsewhere")).expect("renamed");
    assert_eq!(watching.says(), "linktrawl: changed: docs");
    let (said, inputs) = watching.rests();
    assert!(said.iter().any(|line| line.contains("nothing was read")), "{said:?}");
    assert_eq!(inputs, "docs (gone)");
    fs::rename(home.join("elsewhere"), home.join("docs")).expect("renamed");
    assert_eq!(watching.changed(), "docs");
    assert_eq!(watching.tells(), "docs/a.md:1:1: ok http://a.example/");
    write(&home, "docs/a.md", "http://b.example/\n");
    assert_eq!(watching.changed(), "docs/a.md");
}

#[test]
fn the_web_is_not_asked_again_and_nothing_of_it_stays() {
    let site = Site::start(|request| match request.target.as_str() {
        "/gone" => Reply::code(404),
        _ => Reply::code(200),
    });
    let home = directory("web");
    let text = |paths: &[&str]| -> String {
        paths.iter().map(|path| format!("<{}>\n\n", site.uri(1, path))).collect()
    };
    write(&home, "docs/a.md", &text(&["/a", "/gone"]));
    fs::create_dir(home.join("passing")).expect("a directory");
    let args =
        ["check", "docs", "--watch", "--allow-net=127.0.0.0/8", "--no-robots", "--retries=0"];
    let mut asking = command(&home, &args);
    asking.env("TMPDIR", home.join("passing")).stdout(Stdio::piped());
    let mut watching = Watching::of(&mut asking);
    write(&home, "docs/a.md", &text(&["/a", "/b", "/gone"]));
    assert_eq!(watching.changed(), "docs/a.md");
    // A link that is dead is asked with its body before that is believed.
    let mut lines = site.lines();
    lines.sort();
    assert_eq!(lines, ["GET /gone", "HEAD /a", "HEAD /b", "HEAD /gone"]);
    assert_eq!(watching.end("TERM").code(), Some(143));
    assert_eq!(fs::read_dir(home.join("passing")).expect("a directory").count(), 0);
}

#[test]
fn a_hangup_ends_it_and_leaves_nothing_unless_it_is_ignored() {
    let home = directory("hangup");
    write(&home, "docs/a.md", "[a](a.md)\n");
    fs::create_dir(home.join("passing")).expect("a directory");
    let args = ["check", "docs", "--watch"];
    let begin = |option| {
        let mut command = command_by_env(&home, option, &args);
        Watching::of(command.env("TMPDIR", home.join("passing")).stdout(Stdio::piped()))
    };
    let left = || fs::read_dir(home.join("passing")).expect("a directory").count();
    let mut watching = begin("--default-signal=HUP");
    assert_eq!(left(), 1);
    assert_eq!(watching.end("HUP").code(), Some(129));
    assert_eq!(left(), 0);
    let mut watching = begin("--ignore-signal=HUP");
    send("HUP", &watching.child);
    write(&home, "docs/a.md", "[a](a.md) [b](a.md)\n");
    assert_eq!(watching.changed(), "docs/a.md");
    assert_eq!(watching.end("TERM").code(), Some(143));
    assert_eq!(left(), 0);
}

#[test]
fn a_signal_in_the_middle_of_a_run_ends_watching_with_its_report() {
    let site = Site::start(|_| Reply::Silence);
    let home = directory("signal");
    write(&home, "docs/a.md", &format!("<{}>\n", site.uri(1, "/a")));
    let requests = site.watch();
    let args =
        ["check", "docs", "--watch", "--allow-net=127.0.0.0/8", "--no-robots", "--timeout=1h"];
    let child = command(&home, &args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the binary runs");
    requests.recv_timeout(PATIENCE).expect("a question");
    send("INT", &child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(report.contains("skipped[not-asked]"), "{report}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("waiting"), "{said}");
}

#[test]
fn a_scan_ends_with_the_same_codes() {
    let home = directory("codes");
    write(&home, "docs/a.md", "");
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let mut watching = Watching::start(&home, &["scan", "docs", "--watch"]);
        let status = watching.end(signal);
        assert_eq!((status.code(), status.signal()), (Some(code), None));
    }
}

#[test]
fn who_reads_no_more_ends_it_without_fault() {
    let home = directory("pipe");
    write(&home, "docs/a.md", "http://a.example/\n");
    let (reader, printed) = std::io::pipe().expect("a pipe");
    let mut watching = Watching::of(command(&home, &["scan", "docs", "--watch"]).stdout(printed));
    drop(reader);
    write(&home, "docs/a.md", "http://b.example/\n");
    assert_eq!(watching.ends(), ("linktrawl: changed: docs/a.md\n".to_owned(), Some(0)));
}

#[track_caller]
fn refused(home: &Path, args: &[&str], wanted: &str) {
    let mut watching = Watching::begin(command(home, args).stdout(Stdio::piped()));
    let (said, code) = watching.ends();
    assert!(code == Some(2) && said.contains(wanted), "{args:?}: {said}");
    assert_eq!(watching.printed.iter().next(), None, "{args:?}");
}

#[test]
fn what_cannot_be_watched_is_refused_with_advice() {
    let home = directory("refused");
    write(&home, "docs/a.md", "");
    let watched = |args: &[&str], wanted| refused(&home, &[args, &["--watch"]].concat(), wanted);
    watched(&["scan", "-"], "write it into a file, or omit --watch");
    watched(&["check", "docs", "-"], "write it into a file");
    watched(&["scan", "--files-from=-"], "write it into a file");
    write(&home, "list", "docs\n-\n");
    watched(&["scan", "--files-from=list"], "write it into a file");
    watched(&["scan", "/dev/null"], "which is a pipe or a device");
    watched(&["scan", "docs", "nothing"], "cannot watch \"nothing\": No such file");
    let baseline = ["scan", "docs", "--baseline=b", "--update-baseline"];
    watched(&baseline, "write the baseline first");
    // As without --watch, what keeps the first run from being done ends it.
    watched(&["scan", "docs", "--format=csv=none/x"], "cannot write");
    write(&home, "docs/linktrawl.toml", "watch = true\n");
    let wanted = "`watch` is refused in a configuration file that was found, not named with";
    refused(&home, &["scan", "docs"], wanted);
}
