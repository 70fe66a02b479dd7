//! Tests inputs that change, end early or are missing; which files a walk reads, and which it skips
//! and counts. Other tests cover the findings in a text.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write as _};
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use linktrawl::Error;
use linktrawl::internal::check::WINDOW;
use linktrawl::internal::finding::{NoteKind, Origin};
use linktrawl::internal::source::cut::{Text, cut};
use linktrawl::internal::source::file::{self, Reading, Report};
use linktrawl::internal::source::piece::{CORE_LEN_MAX, Event, Outcome, Stage, buffer_len};
use linktrawl::internal::source::{Buffer, InputKind, Piece};
use serde_json::Value;

use crate::support::home::{self, make_fifo, write};

const GOOD: &str = "see http://www.w3.org/ there\n";
const READING: Reading = Reading { kind: InputKind::Auto, window: WINDOW };

/// Returns an empty directory for the test called `name`.
fn directory(name: &str) -> PathBuf {
    home::directory("inputs", name)
}

// ---- inputs that change while they are read --------------------------------------------

/// Collects cores, does something when the first piece comes, and may want no more.
struct Collecting<'a> {
    text: Vec<u8>,
    pieces: usize,
    pieces_max: usize,
    core_len_max: usize,
    at_first: &'a mut dyn FnMut(),
}

impl<'a> Collecting<'a> {
    fn new(core_len_max: usize, at_first: &'a mut dyn FnMut()) -> Self {
        Self { text: Vec::new(), pieces: 0, pieces_max: usize::MAX, core_len_max, at_first }
    }
}

impl Stage for Collecting<'_> {
    fn buffer(&mut self) -> Buffer {
        Buffer::new(buffer_len(self.core_len_max, WINDOW))
    }

    fn large_buffer(&mut self, len: usize) -> Buffer {
        Buffer::new(len)
    }

    fn give_back(&mut self, _: Buffer) {}

    fn take(&mut self, piece: Piece) -> ControlFlow<()> {
        if self.pieces == 0 {
            (self.at_first)();
        }
        self.pieces += 1;
        self.text.extend_from_slice(piece.core.of(&piece.bytes));
        if self.pieces < self.pieces_max {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn event(&mut self, event: Event) -> ControlFlow<()> {
        unreachable!("nothing is said of a text: {event:?}");
    }
}

/// Three cores of numbered lines.
fn large() -> Vec<u8> {
    let mut text = Vec::with_capacity(3 * CORE_LEN_MAX + 100);
    let mut number = 0;
    while text.len() < 3 * CORE_LEN_MAX {
        writeln!(text, "line {number} of a file that changes").expect("memory");
        number += 1;
    }
    text
}

/// Reads a large file and does something to it when its first piece comes.
fn read_and(name: &str, change: &mut dyn FnMut(&Path)) -> (Vec<u8>, Report) {
    let path = write(&directory(name), "a.txt", large());
    let mut at_first = || change(&path);
    let mut stage = Collecting::new(CORE_LEN_MAX, &mut at_first);
    let report = file::read(&path, READING, &mut stage).expect("the file opens");
    assert!(stage.pieces > 1 || report.note.is_some());
    (stage.text, report)
}

#[track_caller]
fn notes(report: &Report, kind: NoteKind) {
    assert_eq!(report.outcome, Outcome::Read);
    let note = report.note.as_ref().expect("a note");
    assert_eq!((note.kind, note.offset), (kind, Some(report.bytes)), "{}", note.message);
}

#[test]
fn a_file_that_does_not_change_has_no_note() {
    let (text, report) = read_and("same", &mut |_| {});
    assert!(text == large() && report.note.is_none());
    assert_eq!((report.bytes, report.outcome), (large().len() as u64, Outcome::Read));
}

#[test]
fn a_file_that_grows_is_read_to_its_old_end() {
    let (text, report) = read_and("grows", &mut |path| {
        let mut file = OpenOptions::new().append(true).open(path).expect("the file");
        file.write_all(&[b'x'; 12]).expect("room");
    });
    assert!(text == large());
    notes(&report, NoteKind::InputGrew);
    assert!(!NoteKind::InputGrew.is_incomplete());
    let message = report.note.expect("a note").message;
    assert!(message.contains("12 bytes"), "{message}");
}

#[test]
fn a_file_that_shrinks_is_read_to_its_new_end() {
    let new_len = 2 * CORE_LEN_MAX;
    let (text, report) = read_and("shrinks", &mut |path| {
        let file = OpenOptions::new().write(true).open(path).expect("the file");
        file.set_len(new_len as u64).expect("a shorter file");
    });
    assert!(text == large()[..new_len]);
    assert_eq!(report.bytes, new_len as u64);
    notes(&report, NoteKind::InputShrank);
    assert!(NoteKind::InputShrank.is_incomplete());
}

#[test]
fn a_file_that_is_emptied_keeps_what_was_read_before() {
    let (text, report) = read_and("emptied", &mut |path| {
        File::create(path).expect("an empty file");
    });
    assert!(large().starts_with(&text));
    assert_eq!(report.bytes, text.len() as u64);
    notes(&report, NoteKind::InputShrank);
}

#[test]
fn a_file_that_is_removed_or_replaced_is_read_to_its_end() {
    let (text, report) = read_and("removed", &mut |path| {
        fs::remove_file(path).expect("the file");
    });
    assert!(text == large() && report.note.is_none());
    let (text, report) = read_and("replaced", &mut |path| {
        fs::remove_file(path).expect("the file");
        fs::write(path, "another").expect("a file");
    });
    assert!(text == large() && report.note.is_none());
}

#[test]
fn a_file_that_is_gone_and_a_directory_cannot_be_opened() {
    let home = directory("gone");
    let mut nothing = || {};
    for path in [home.join("gone"), home] {
        let mut stage = Collecting::new(CORE_LEN_MAX, &mut nothing);
        let error = file::read(&path, READING, &mut stage).expect_err("nothing to read");
        assert!(matches!(&error, Error::Open { path: of, .. } if *of == path), "{error}");
        assert_eq!(stage.pieces, 0);
    }
}

#[test]
fn a_stage_that_wants_no_more_stops_the_reading() {
    let path = write(&directory("stopped"), "a.txt", large());
    let mut nothing = || {};
    let mut stage = Collecting::new(CORE_LEN_MAX, &mut nothing);
    stage.pieces_max = 1;
    let report = file::read(&path, READING, &mut stage).expect("the file opens");
    assert_eq!((report.outcome, stage.pieces), (Outcome::Stopped, 1));
}

/// Reads the rest of a text in steps of a few bytes; then fails with `end`, if there is one.
struct Failing<'t> {
    rest: &'t [u8],
    step: usize,
    interruptions: usize,
    end: Option<io::ErrorKind>,
}

impl Read for Failing<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.interruptions += 1;
        if self.interruptions % 3 == 1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let len = self.rest.len().min(self.step).min(out.len());
        match (len, self.end) {
            (0, Some(kind)) => Err(kind.into()),
            _ => self.rest.read(&mut out[..len]),
        }
    }
}

fn cut_failing(
    text: &[u8],
    core_len_max: usize,
    end: Option<io::ErrorKind>,
) -> (Vec<u8>, Option<io::ErrorKind>) {
    let origin = Arc::new(Origin::default());
    let mut nothing = || {};
    let mut stage = Collecting::new(core_len_max, &mut nothing);
    let input = Failing { rest: text, step: 777, interruptions: 0, end };
    let text = Text::plain(&origin, InputKind::Auto, WINDOW, core_len_max);
    let outcome = cut(input, &text, &mut stage);
    (stage.text, outcome.err().map(|error| error.kind()))
}

#[test]
fn an_input_that_fails_gives_on_what_was_read_before() {
    let text = &large()[..400_000];
    for core_len_max in [1000, 200_000, CORE_LEN_MAX] {
        assert!(cut_failing(text, core_len_max, None) == (text.to_vec(), None));
        let (given, failure) = cut_failing(text, core_len_max, Some(io::ErrorKind::TimedOut));
        assert!(given == text, "{} of {} bytes", given.len(), text.len());
        assert_eq!(failure, Some(io::ErrorKind::TimedOut));
    }
    assert_eq!(
        cut_failing(b"", 1000, Some(io::ErrorKind::TimedOut)),
        (Vec::new(), Some(io::ErrorKind::TimedOut))
    );
}

#[test]
fn an_input_in_utf_16_that_fails_gives_on_what_was_read_before() {
    let text: String = "\u{FEFF}a line with http://h.example/ in it\n".repeat(5000);
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for core_len_max in [1000, CORE_LEN_MAX] {
        assert!(cut_failing(&wide, core_len_max, None).0 == text.as_bytes()[3..]);
        let (given, failure) = cut_failing(&wide, core_len_max, Some(io::ErrorKind::TimedOut));
        assert_eq!(failure, Some(io::ErrorKind::TimedOut));
        assert!(given == text.as_bytes()[3..], "{} of {} bytes", given.len(), text.len() - 3);
    }
}

// ---- what the binary reads -------------------------------------------------------------

fn command(home: &Path, args: &[&OsStr]) -> Command {
    home::command(home, &[&[OsStr::new("scan")], args].concat())
}

/// The exit code, the output and the records of a run.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
    records: Vec<Value>,
}

impl Run {
    fn of(output: &Output) -> Self {
        let stdout = String::from_utf8(output.stdout.clone()).expect("reports are UTF-8");
        let records = stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!stderr.contains("panicked"), "{stderr}");
        Self { code: output.status.code(), stdout, stderr, records }
    }

    fn summary(&self) -> &Value {
        self.records.last().expect("a summary")
    }

    /// Paths with findings, in order.
    fn paths(&self) -> Vec<&str> {
        let found = self.records.iter().filter(|record| record["type"] == "finding");
        found.filter_map(|record| record["place"]["path"].as_str()).collect()
    }

    /// Kinds of the notes, in order.
    fn notes(&self) -> Vec<&str> {
        self.records.iter().filter_map(|record| record["kind"].as_str()).collect()
    }
}

fn scan_text(home: &Path, args: &[&str]) -> Run {
    let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
    Run::of(&command(home, &args).output().expect("the binary runs"))
}

fn scan(home: &Path, args: &[&str]) -> Run {
    scan_text(home, &[&["--format=ndjson"], args].concat())
}

/// Runs a script with the binary as `$0`.
fn shell(home: &Path, script: &str) -> Run {
    Run::of(&home::shell(home, script))
}

#[test]
fn links_and_special_files_in_a_tree_are_counted_and_not_read() {
    let home = directory("special");
    write(&home, "tree/a.txt", GOOD);
    write(&home, "outside.txt", GOOD);
    make_fifo(&home.join("tree/fifo"));
    let _listener = UnixListener::bind(home.join("tree/socket")).ok();
    let has_socket = u64::from(_listener.is_some());
    symlink("../outside.txt", home.join("tree/link")).expect("a link");
    symlink("gone", home.join("tree/dangling")).expect("a link");
    symlink(".", home.join("tree/loop")).expect("a link");
    symlink("itself", home.join("tree/itself")).expect("a link");
    let run = scan(&home, &["tree"]);
    assert_eq!((run.code, run.paths()), (Some(0), vec!["tree/a.txt"]), "{}", run.stderr);
    assert_eq!(run.summary()["skipped"]["symlink"], 4);
    assert_eq!(run.summary()["skipped"]["special"], 1 + has_socket);
    assert_eq!(run.summary()["complete"], true);
}

#[test]
fn links_that_are_given_are_followed() {
    let home = directory("links");
    write(&home, "tree/sub/a.txt", GOOD);
    symlink("tree/sub/a.txt", home.join("file")).expect("a link");
    symlink("tree", home.join("directory")).expect("a link");
    let run = scan(&home, &["file", "directory"]);
    assert_eq!(run.paths(), ["file", "directory/sub/a.txt"], "{}", run.stderr);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn ignore_files_count_after_a_link_that_is_given() {
    let home = directory("linked-checkout");
    fs::create_dir_all(home.join("tree/.git")).expect("a directory");
    write(&home, "tree/.gitignore", "/ignored.txt\n");
    write(&home, "tree/ignored.txt", GOOD);
    write(&home, "tree/sub/.gitignore", "b.txt\n");
    write(&home, "tree/sub/a.txt", GOOD);
    write(&home, "tree/sub/b.txt", GOOD);
    write(&home, "tree/z/b.txt", GOOD);
    symlink("tree", home.join("link")).expect("a link");
    for root in ["tree", "link", "tree/", "./tree/../tree"] {
        let run = scan(&home, &[root]);
        let root = root.trim_end_matches('/');
        let expected = ["sub/a.txt", "z/b.txt"].map(|path| format!("{root}/{path}"));
        assert_eq!(run.paths(), expected, "{}", run.stderr);
        assert_eq!(run.summary()["skipped"]["ignored"], 2);
    }
}

#[test]
fn a_document_that_is_broken_is_noted_and_the_rest_is_text() {
    let home = directory("broken");
    write(
        &home,
        "a.rss",
        b"<rss><link>/a</link>\n<!x>\n<link>/b</link> http://www.example.org/c\n",
    );
    let run = scan(&home, &["a.rss"]);
    assert_eq!((run.code, run.notes()), (Some(0), vec!["markup-broken"]), "{}", run.stdout);
    let note = run.records.iter().find(|record| record["type"] == "note").expect("a note");
    assert_eq!(note["place"]["offset"], 21);
    let lines = run.records.iter().filter_map(|record| record["place"]["line"].as_u64());
    assert_eq!(lines.collect::<Vec<_>>(), [1, 3], "{}", run.stdout);
}

#[test]
fn what_cannot_be_opened_is_noted_and_the_rest_is_read() {
    let home = directory("unreadable");
    write(&home, "a.txt", GOOD);
    symlink("gone", home.join("dangling")).expect("a link");
    symlink("loop", home.join("loop")).expect("a link");
    for path in ["dangling", "loop", "gone", "a.txt/", "a.txt/b"] {
        let run = scan(&home, &[path, "a.txt", "--exit-zero"]);
        assert_eq!(run.code, Some(2), "{path:?}: {}", run.stderr);
        assert_eq!((run.notes(), run.paths()), (vec!["input-unreadable"], vec!["a.txt"]));
        assert_eq!(run.records[0]["kind"], "input-unreadable", "a note stands before what follows");
        assert_eq!(run.summary()["complete"], false);
        assert_eq!(run.summary()["files"], 1);
    }
}

#[test]
fn a_pipe_that_is_given_is_read_to_its_end() {
    let home = directory("fifo");
    make_fifo(&home.join("fifo"));
    let run = shell(&home, "printf 'http://a.example/ ' >fifo & \"$0\" scan --quiet fifo");
    assert_eq!((run.code, &*run.stdout), (Some(0), "fifo:1:1: ok http://a.example/\n"));
    let run = shell(&home, "echo http://b.example/ | \"$0\" scan --quiet /dev/stdin /dev/null");
    assert_eq!((run.code, &*run.stdout), (Some(0), "/dev/stdin:1:1: ok http://b.example/\n"));
}

#[test]
fn standard_input_is_read_among_files() {
    let home = directory("stdin");
    write(&home, "a.txt", GOOD);
    write(&home, "-", GOOD);
    let script = "echo http://b.example/ | \"$0\" scan --format ndjson a.txt - ./- -";
    let run = shell(&home, script);
    assert_eq!((run.code, run.paths()), (Some(0), vec!["a.txt", "-", "./-"]));
    assert_eq!(run.summary()["files"], 4);
    let run = shell(&home, "\"$0\" scan - <&-");
    assert_ne!(run.code, Some(101), "{}", run.stderr);
}

#[test]
fn hidden_and_ignored_entries_are_counted() {
    let home = directory("hidden");
    fs::create_dir_all(home.join(".git")).expect("a directory");
    write(&home, ".gitignore", "*.log\nbuild/\n!keep.log\n");
    write(&home, "a.txt", GOOD);
    write(&home, "a.log", GOOD);
    write(&home, "keep.log", GOOD);
    write(&home, "build/b.txt", GOOD);
    write(&home, "build/c.txt", GOOD);
    write(&home, ".config/c.txt", GOOD);
    let run = scan(&home, &["."]);
    assert_eq!(run.paths(), ["./a.txt", "./keep.log"]);
    assert_eq!(run.summary()["skipped"], serde_json::json!({"hidden": 3, "ignored": 2}));
    let run = scan(&home, &[".", "--no-ignore"]);
    let all = ["./a.log", "./a.txt", "./build/b.txt", "./build/c.txt", "./keep.log"];
    assert_eq!(run.paths(), all);
    let run = scan(&home, &[".", "--hidden"]);
    assert_eq!(run.paths(), ["./.config/c.txt", "./a.txt", "./keep.log"]);
    assert_eq!(scan(&home, &["a.log", ".config/c.txt"]).paths(), ["a.log", ".config/c.txt"]);
    assert_eq!(scan(&home, &[".config"]).paths(), [".config/c.txt"]);
}

#[test]
fn folders_of_a_maildir_are_read() {
    let home = directory("maildir");
    for folder in ["", ".Folder/", ".Folder.Sub/"] {
        for part in ["cur", "new", "tmp"] {
            fs::create_dir_all(home.join(folder).join(part)).expect("a directory");
        }
        write(&home, format!("{folder}cur/1:2,S"), format!("To: a\n\n{GOOD}"));
    }
    write(&home, ".Trash/a.txt", GOOD);
    write(&home, ".Folder/.index", GOOD);
    let run = scan(&home, &["."]);
    assert_eq!(run.paths(), ["./.Folder/cur/1:2,S", "./.Folder.Sub/cur/1:2,S", "./cur/1:2,S"]);
    assert_eq!(run.summary()["skipped"]["hidden"], 2);
}

#[test]
fn names_that_are_not_utf_8_are_told_in_full() {
    let home = directory("names");
    let name = OsStr::from_bytes(b"a\xFF.txt");
    fs::write(home.join(name), GOOD).expect("a file");
    let args = ["--quiet", "."].map(OsStr::new);
    let run = Run::of(&command(&home, &args).output().expect("the binary runs"));
    assert_eq!(run.code, Some(0));
    assert_eq!(run.stdout.lines().count(), 1);
    assert!(run.stdout.contains("xff") && run.stdout.contains(".txt:1:5: ok "), "{}", run.stdout);
    let args = [OsStr::new("--format=ndjson"), name, OsStr::from_bytes(b"gone\xFE")];
    let run = Run::of(&command(&home, &args).output().expect("the binary runs"));
    let place = &run.records[0]["place"];
    assert_eq!(place["path"], "a\u{FFFD}.txt");
    assert_eq!(place["path_bytes"], data_encoding::BASE64.encode(b"a\xFF.txt"));
    let place = &run.records[1]["place"];
    assert_eq!(place["path_bytes"], data_encoding::BASE64.encode(b"gone\xFE"));
    assert_eq!(run.code, Some(2));
}

#[test]
fn packed_inputs_are_told_by_their_first_bytes() {
    let home = directory("packed");
    let broken = [
        ("a.txt", &b"\x1F\x8B\x08\0"[..]),
        ("b", b"BZh91AY&SY"),
        ("c", b"\xFD7zXZ\0"),
        ("d", b"\x28\xB5\x2F\xFD"),
        ("e", b"PK\x03\x04"),
    ];
    for (name, magic) in broken {
        write(&home, name, [magic, GOOD.as_bytes()].concat());
    }
    // Their bytes are no text, and nothing else is there.
    let run = scan(&home, &["."]);
    assert_eq!((run.code, run.paths().len()), (Some(2), 0), "nothing was unpacked");
    assert_eq!(run.notes().len(), broken.len(), "{:?}", run.notes());
    assert!(run.notes().iter().all(|kind| kind.starts_with("archive-")), "{:?}", run.notes());
    write(&home, "f.gz", GOOD);
    let large = [&b"\x1F\x8B\x08\0"[..], &large()].concat();
    write(&home, "large", large);
    let run = scan(&home, &["."]);
    assert_eq!((run.code, run.paths()), (Some(2), vec!["./f.gz"]));
    assert_eq!(run.notes().len(), broken.len() + 1);
    assert_eq!(run.summary()["files"], 7);
}

#[test]
fn inputs_packed_in_a_way_that_is_not_read_are_counted() {
    let home = directory("unread");
    write(&home, "a", b"7z\xBC\xAF\x27\x1Crest");
    write(&home, "b", b"RZIP\x02rest");
    let magics = [
        &b"LRZI"[..],
        b"xar!",
        b"hsqs",
        b"ITSF\x03\0\0\0",
        b"!BDN",
        b"\xCF\xAD\x12\xFE",
        b"\x1A\0\0\x04\0\0",
        b"PACK\0\0\0\x02",
        b"PACK\0\0\0\x03",
        b"# v2 git bundle\n",
        b"# v3 git bundle\n",
        b"mozLz40\0",
        b"Dovecot-LZ4\r*\x9B\xC5",
        b"\xFF\x06\0\0sNaPpY",
        b"L\0R\0F\0",
        b"SNBP000B",
        b"!!8-Bit!!",
        b"PAR1\x15",
        b"FEA1\0\0\0\0",
        b"ARROW1\0\0",
        b"REDIS0011",
        b"d8:announce30:",
        b"d4:infod6:",
    ];
    for (at, magic) in magics.iter().enumerate() {
        write(&home, format!("b{at}"), [magic, GOOD.as_bytes()].concat());
    }
    write(&home, "c.txt", GOOD);
    let run = scan(&home, &["."]);
    assert_eq!((run.code, run.paths()), (Some(0), vec!["./c.txt"]));
    assert_eq!(run.summary()["skipped"]["packed"], 2 + magics.len());
    assert_eq!(run.summary()["files"], 1);
    // If the user names a packed file, not reading it is an error.
    let run = scan(&home, &["c.txt", "a"]);
    assert_eq!((run.code, run.paths()), (Some(2), vec!["c.txt"]));
    assert_eq!(run.notes(), ["input-packed"]);
    assert_eq!(run.summary()["skipped"]["packed"], 1);
}

#[test]
fn files_of_which_a_part_is_packed_are_read_and_counted() {
    let home = directory("part-packed");
    write(&home, "a.pdf", format!("%PDF-1.4\n{GOOD}"));
    write(&home, "b.doc", [b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", GOOD.as_bytes()].concat());
    write(&home, "c.txt", format!("see %PDF-1.4\n{GOOD}"));
    let run = scan(&home, &["."]);
    assert_eq!((run.code, run.paths()), (Some(0), vec!["./a.pdf", "./b.doc", "./c.txt"]));
    assert_eq!(run.summary()["skipped"], serde_json::json!({ "part-packed": 2 }));
}

#[test]
fn directories_without_a_file_give_2() {
    let home = directory("empty");
    fs::create_dir_all(home.join("a/b/c")).expect("a directory");
    fs::create_dir_all(home.join(".d")).expect("a directory");
    write(&home, ".e/f.txt", GOOD);
    for args in [&["."][..], &["a"], &["a", ".d"], &[".", "--exit-zero"]] {
        let run = scan(&home, args);
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(run.stderr.contains("nothing was read"), "{}", run.stderr);
    }
}

#[test]
fn a_deep_tree_and_an_input_given_twice_are_read() {
    let home = directory("deep");
    write(&home, format!("{}a.txt", "d/".repeat(300)), GOOD);
    assert_eq!(scan(&home, &["d"]).paths().len(), 1);
    write(&home, "b.txt", GOOD);
    let run = scan(&home, &["b.txt", "b.txt"]);
    assert_eq!(run.paths(), ["b.txt", "b.txt"]);
    assert_eq!(run.summary()["distinct"], 1);
}

#[test]
fn a_reader_that_wants_one_line_hears_no_complaint() {
    let home = directory("head");
    write(&home, "a.txt", GOOD.repeat(100_000));
    for format in ["text", "ndjson"] {
        let script = format!("{{ \"$0\" scan --format {format} a.txt; echo $? >code; }} | head -1");
        let run = shell(&home, &script);
        assert_eq!((run.stdout.lines().count(), &*run.stderr), (1, ""));
        assert_eq!(fs::read_to_string(home.join("code")).expect("a code"), "0\n");
    }
}
