//! Runs that keep what they learn: killed or stopped at any moment, they go on where they were
//! and end with the report of a run that was let alone; later ones ask no more than they must.
//!
//! The program is killed by the number of requests that a server has seen, never by time.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test says what must hold by panicking"
)]

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::support::chance::Chance;
use crate::support::home;
use crate::support::servers::closed::Closed;
use crate::support::servers::counting::{Count, Server};
use rusqlite::Connection;
use tempfile::TempDir;

/// Processes that are killed, and the threads that do it.
const KILLS: usize = 200;
const KILLERS: usize = 4;
/// Requests until a process is killed, at most. A run makes more than twice as many.
const REQUESTS_MAX: usize = 64;
/// Maximum number of kills in a row that leave nothing new: some kinds of links are committed only
/// as time passes, and a killer that is always faster would go on for ever.
const IDLE_KILLS_MAX: usize = 20;
/// Requests until a process is stopped.
const REQUESTS_TO_STOP: u64 = 40;
const LINKS: u32 = 80;
/// The kinds of answers, in turn.
const KINDS: [&str; 10] =
    ["alive", "missing", "moved", "fails", "found", "alive", "circle", "odd(", "gone", "forbidden"];
/// Bytes before the frames of a write-ahead log, and of each: a head and a page.
const LOG_HEAD_LEN: usize = 32;
const FRAME_LEN: usize = 24 + 4096;
/// How often a log is looked at, and when it is given up: results are written four times a second.
const LOOK_GAP: Duration = Duration::from_millis(10);
const LOOKS_MAX: usize = 12_000;
const PASSWORD: &str = "hunter2";

/// A document in a directory of its own, and who answers its links.
struct World {
    server: Server,
    directory: TempDir,
    /// Keeps the port at which no server listens.
    _closed: Option<Closed>,
}

impl World {
    /// Links of all kinds, some to a host that nobody listens at.
    fn new() -> Self {
        let kinds: Vec<_> = KINDS.into_iter().cycle().take(LINKS as usize).collect();
        let closed = Closed::at([127, 0, 9, 9]);
        let mut world = Self::with_user(&kinds, &format!("u:{PASSWORD}@"));
        let mut text = fs::read_to_string(world.path("links.txt")).expect("a document");
        // More than it takes to give the host up.
        text.extend((0..9).map(|number| format!("http://{closed}/no{number}\n")));
        fs::write(world.path("links.txt"), text).expect("a document");
        world._closed = Some(closed);
        world
    }

    /// Links of these kinds.
    fn of(kinds: &[&str]) -> Self {
        Self::with_user(kinds, "")
    }

    fn with_user(kinds: &[&str], user: &str) -> Self {
        let server = Server::start();
        let directory = tempfile::tempdir().expect("a directory");
        let world = Self { server, directory, _closed: None };
        let link = |(number, kind): (u32, &&str)| {
            format!("http://{user}{}/{kind}/{number}\n", world.server.host(number))
        };
        let text: String = (0..).zip(kinds).map(link).collect();
        fs::write(world.path("links.txt"), text).expect("a document");
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn command(&self, state: &str, options: &[&str]) -> Command {
        let mut command = home::linktrawl();
        command.args(["check", "links.txt", "--format", "ndjson", "--quiet"]);
        command.args([
            "--allow-net",
            "127.0.0.0/8",
            "--own-host",
            "127.0.0.0/8",
            "--retries",
            "0",
            "--in-flight",
            "6",
        ]);
        command.args(["--state", state]).args(options).current_dir(self.directory.path());
        command
    }

    /// Runs to the end.
    fn run(&self, state: &str, options: &[&str]) -> Ended {
        let output = self.command(state, options).output().expect("a process");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Ended { status: output.status, report: text(output.stdout), said: text(output.stderr) }
    }

    /// Begins to run; what the server has to hold back must be said before.
    fn begin(&self, state: &str) -> Running {
        let mut command = self.command(state, &[]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.expect("a process");
        let mut output = child.stdout.take().expect("a pipe");
        let server = self.server.clone();
        let report = thread::spawn(move || {
            let mut report = String::new();
            output.read_to_string(&mut report).expect("text");
            server.end();
            report
        });
        Running { child, report }
    }

    /// Returns the state of the write-ahead log of `state` (SQLite's database file format, section
    /// 4).
    fn log(&self, state: &str) -> Log {
        let bytes = fs::read(self.path(&format!("{state}-wal"))).unwrap_or_default();
        Log { len: bytes.len(), commits: frames(&bytes).filter(|frame| is_commit(frame)).count() }
    }

    #[track_caller]
    fn assert_keeps_secrets(&self) {
        for name in ["state", "state-wal"] {
            let bytes = fs::read(self.path(name)).unwrap_or_default();
            let mut places = bytes.windows(PASSWORD.len());
            assert!(!places.any(|place| place == PASSWORD.as_bytes()), "{name}");
        }
    }

    /// The numbers of the links that `state` knows.
    fn committed(&self, state: &str) -> Vec<u32> {
        let file = Connection::open(self.path(state)).expect("a database");
        let check: String =
            file.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("an answer");
        assert_eq!(check, "ok");
        let mut select = file.prepare("SELECT uri FROM results").expect("a table");
        let uris = select.query_map([], |row| row.get::<_, Vec<u8>>(0)).expect("rows");
        let number = |uri: rusqlite::Result<Vec<u8>>| {
            let uri = String::from_utf8(uri.expect("a row")).expect("text");
            uri.rsplit('/').next().and_then(|last| last.parse().ok())
        };
        uris.filter_map(number).collect()
    }
}

/// Returns the frames of a write-ahead log.
fn frames(log: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> + ExactSizeIterator {
    log.get(LOG_HEAD_LEN..).unwrap_or_default().chunks_exact(FRAME_LEN)
}

/// Reports whether `frame` ends a transaction.
fn is_commit(frame: &[u8]) -> bool {
    frame[4..8] != [0; 4]
}

/// Waits until the write-ahead log at `path` has `text` in a transaction that is whole.
pub(crate) fn wait_for_commit(path: &Path, text: &[u8]) {
    for _ in 0..LOOKS_MAX {
        let log = fs::read(path).unwrap_or_default();
        let committed = frames(&log).rposition(is_commit).map_or(0, |last| last + 1);
        let has_text = |frame: &[u8]| frame.windows(text.len()).any(|bytes| bytes == text);
        if frames(&log).take(committed).any(has_text) {
            return;
        }
        thread::sleep(LOOK_GAP);
    }
    panic!("{} has no transaction with {:?}", path.display(), String::from_utf8_lossy(text));
}

/// How far a write-ahead log has come.
struct Log {
    len: usize,
    commits: usize,
}

struct Running {
    child: Child,
    report: JoinHandle<String>,
}

struct Ended {
    status: ExitStatus,
    report: String,
    said: String,
}

impl Running {
    fn end(mut self) -> Ended {
        let status = self.child.wait().expect("an end");
        let report = self.report.join().expect("a report");
        let mut said = String::new();
        let errors = self.child.stderr.as_mut().expect("a pipe");
        errors.read_to_string(&mut said).expect("text");
        Ended { status, report, said }
    }
}

impl Ended {
    /// The verdicts of all links, in their order.
    fn verdicts(&self) -> Vec<String> {
        let records = self
            .report
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a record"));
        let verdict = |record: serde_json::Value| Some(record.get("verdict")?.as_str()?.to_owned());
        records.filter_map(verdict).collect()
    }
}

/// The outcome for a process that was to be killed.
enum Fate {
    /// It was, after it had committed what is known of these links.
    Killed(Vec<u32>),
    Ended(Ended),
}

/// Starts a process, kills it after some requests, and inspects what it has written.
fn kill_one(world: &World, chance: &mut Chance) -> Fate {
    let server = &world.server;
    let first = server.count().total;
    server.hold_from(1);
    let mut running = world.begin("state");
    if !server.wait() {
        return Fate::Ended(running.end());
    }
    // The run has begun, and nothing was learnt by it.
    let before = world.log("state");
    let more = chance.below(REQUESTS_MAX) + 1;
    server.hold_from(more as u64);
    if !server.wait() {
        return Fate::Ended(running.end());
    }
    // Some at once, some while they commit what they know, most as soon as they have.
    let has_settled = server.has_settled_since(first);
    let waits = |log: Log| match more % 4 {
        _ if !has_settled => false,
        0 => false,
        1 => log.len <= before.len,
        _ => log.commits <= before.commits,
    };
    while waits(world.log("state")) {
        thread::yield_now();
    }
    running.child.kill().expect("a process");
    let ended = running.end();
    server.release();
    server.settle();
    assert_eq!((ended.status.code(), &*ended.report), (None, ""), "{}", ended.said);
    world.assert_keeps_secrets();
    Fate::Killed(world.committed("state"))
}

/// Nobody was asked again for what was committed.
#[track_caller]
fn assert_asked_once(world: &World, committed: &[u32], then: &Count) {
    let now = world.server.count();
    for number in committed {
        assert_eq!(now.links.get(number), then.links.get(number), "link {number}");
    }
}

/// Kills processes until it has killed enough; gives how many had committed more than those
/// before them.
fn kill_many(seed: u64) -> usize {
    let world = World::new();
    let expected = world.run("fresh", &[]);
    assert_eq!(expected.status.code(), Some(1), "{}", expected.said);
    let mut chance = Chance(seed);
    let (mut killed, mut got_on) = (0, 0);
    while killed < KILLS / KILLERS {
        let (mut known, mut then) = (Vec::new(), Count::default());
        let mut idle = 0;
        let ended = loop {
            let fate = match idle {
                IDLE_KILLS_MAX => Fate::Ended(world.run("state", &[])),
                _ => kill_one(&world, &mut chance),
            };
            assert_asked_once(&world, &known, &then);
            match fate {
                Fate::Killed(committed) => {
                    assert!(known.iter().all(|number| committed.contains(number)));
                    killed += 1;
                    let has_got_on = committed.len() > known.len();
                    got_on += usize::from(has_got_on);
                    idle = if has_got_on { 0 } else { idle + 1 };
                    (known, then) = (committed, world.server.count());
                }
                Fate::Ended(ended) => break ended,
            }
        };
        let lines = ended.report.lines().zip(expected.report.lines());
        let different = lines.filter(|(line, wanted)| line != wanted).collect::<Vec<_>>();
        assert!(different.is_empty(), "seed {seed}, {killed} kills: {different:#?}");
        assert_eq!(ended.report, expected.report, "seed {seed}, {killed} kills");
        assert_eq!(ended.status, expected.status);
        assert_eq!(world.committed("state").len(), LINKS as usize);
        fs::remove_file(world.path("state")).expect("a file");
    }
    got_on
}

#[test]
fn whoever_is_killed_goes_on_where_it_was() {
    let killers: Vec<_> =
        (1..=KILLERS as u64).map(|seed| thread::spawn(move || kill_many(seed))).collect();
    let got_on: usize = killers.into_iter().map(|it| it.join().expect("a sound killer")).sum();
    assert!(got_on > KILLS / 8, "{got_on} processes got on at all");
}

/// Kills a run over one link of `kind` when its second place is asked for and the first is on the
/// disk; gives how often the link was asked for until another run has ended, and that.
fn kill_on_the_way(kind: &str) -> (u64, Ended, Ended) {
    let world = World::of(&[kind]);
    let expected = world.run("fresh", &[]);
    let before = world.server.count().total;
    world.server.hold_from(2);
    let mut running = world.begin("state");
    assert!(world.server.wait());
    let is_kept = || {
        let file = fs::read(world.path("state-wal")).unwrap_or_default();
        file.windows(8).any(|bytes| bytes == b"\"status\"")
    };
    while !is_kept() {
        thread::yield_now();
    }
    running.child.kill().expect("a process");
    running.end();
    world.server.release();
    world.server.settle();
    let whole = world.run("state", &[]);
    (world.server.count().total - before, expected, whole)
}

#[test]
fn whoever_is_killed_on_the_way_goes_on_there() {
    // Moved, and moved again, and there: the second place is asked for twice.
    let (requests, expected, whole) = kill_on_the_way("moved");
    assert_eq!(requests, 4, "{}", whole.report);
    assert_eq!((whole.report, whole.status), (expected.report, expected.status));
    // Two places, and a third that is missing: by HEAD, by GET there, and by GET from the first.
    let (requests, expected, whole) = kill_on_the_way("found");
    assert_eq!(requests, 8, "{}", whole.report);
    assert_eq!((whole.report, whole.status), (expected.report, expected.status));
}

#[test]
fn whoever_is_stopped_reports_and_goes_on() {
    let world = World::new();
    let expected = world.run("fresh", &[]);
    world.server.hold_from(REQUESTS_TO_STOP);
    let running = world.begin("state");
    assert!(world.server.wait());
    let stop = format!("kill -TERM {}", running.child.id());
    assert!(Command::new("sh").args(["-c", &stop]).status().expect("a shell").success());
    let stopped = running.end();
    world.server.release();
    assert_eq!(stopped.status.code(), Some(143), "{}", stopped.said);
    assert!(stopped.report.contains(r#""complete":false"#), "{}", stopped.report);
    assert_eq!(stopped.verdicts().len(), expected.verdicts().len());
    let (known, then) = (world.committed("state"), world.server.count());
    assert!(!known.is_empty());
    let whole = world.run("state", &[]);
    assert_asked_once(&world, &known, &then);
    assert_eq!(whole.report, expected.report);
    assert!(whole.report.contains(r#""complete":true"#));
}

#[test]
fn what_is_fresh_is_not_asked_again() {
    let world = World::of(&["alive", "missing", "moved", "alive", "fails"]);
    let first = world.run("state", &[]);
    let count = world.server.count();
    let second = world.run("state", &[]);
    assert_eq!((second.report, world.server.count().total), (first.report.clone(), count.total));

    let anew = world.run("state", &["--no-cache"]);
    let twice = world.server.count();
    assert_eq!((anew.report, twice.total), (first.report.clone(), 2 * count.total));
    assert_eq!(twice.conditional, 0);

    let old = world.run("state", &["--max-age", "0s"]);
    let thrice = world.server.count();
    assert_eq!(thrice.total, 3 * count.total);
    assert_eq!(thrice.conditional, 2);
    assert_eq!(old.verdicts(), first.verdicts());
    assert!(old.report.contains("304 Not Modified"), "{}", old.report);
}

#[test]
fn the_dead_are_warnings_until_enough_runs_found_them_so() {
    let world = World::of(&["missing", "alive", "gone"]);
    let options = ["--confirm", "3", "--max-age", "0s"];
    for (verdict, code) in [("warn", 0), ("warn", 0), ("error", 1), ("error", 1)] {
        let ended = world.run("state", &options);
        // Links that were not requested in between do not count.
        let again = world.run("state", &["--confirm", "3"]);
        assert_eq!(ended.verdicts(), [verdict, "ok", verdict]);
        assert_eq!(ended.status.code(), Some(code));
        assert_eq!((again.verdicts(), again.status), (ended.verdicts(), ended.status));
    }
}

#[test]
fn one_run_uses_a_file_at_a_time() {
    let world = World::of(&["alive", "missing"]);
    world.server.hold_from(1);
    let first = world.begin("state");
    assert!(world.server.wait());
    let second = world.run("state", &[]);
    assert_eq!((second.status.code(), &*second.report), (Some(2), ""));
    assert!(second.said.contains("another run is using it"), "{}", second.said);
    world.server.release();
    let first = first.end();
    assert_eq!(first.status.code(), Some(1), "{}", first.said);
    assert_eq!(first.report, world.run("fresh", &[]).report);
}

#[test]
fn what_is_no_file_of_ours_is_left_alone() {
    let world = World::of(&["alive"]);
    let text = "somebody's diary\n".repeat(100);
    fs::write(world.path("text"), &text).expect("a file");
    fs::create_dir(world.path("directory")).expect("a directory");
    for (state, found) in [("text", "no database"), ("directory", "no regular file")] {
        let ended = world.run(state, &[]);
        assert_eq!((ended.status.code(), &*ended.report), (Some(2), ""));
        assert!(ended.said.contains(state) && ended.said.contains(found), "{}", ended.said);
    }
    assert_eq!(world.server.count().total, 0);
    assert_eq!(fs::read_to_string(world.path("text")).expect("a file"), text);
    assert_eq!(fs::read_dir(world.path("directory")).expect("a directory").count(), 0);
    assert_eq!(fs::read_dir(world.directory.path()).expect("a directory").count(), 3);
}
