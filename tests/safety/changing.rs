//! Inputs that go, come back as something else or are written to while the run is under way.
//! No clock is in it: what is named changes its inputs when the run asks for the next one, and
//! those before it were looked at by then and not opened.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::FileExt as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use linktrawl::internal::finding::{Cue, Note, NoteKind, Repairs, Summary};
use linktrawl::internal::report::{self, Style};
use linktrawl::internal::run::{self, InputKind, Observer, Options, Output, WalkRules};
use regex::bytes::RegexSet;

use super::{GOOD, directory, make_fifo, write};

/// Bytes that are more than what one unit takes.
const LARGE_LEN: usize = 8 << 20;

/// Hears notes; does something when the first bytes were worked on.
struct Watch<'w> {
    notes: Mutex<Vec<(NoteKind, PathBuf)>>,
    at_first: Mutex<Option<Box<dyn FnOnce() + Send + 'w>>>,
}

impl Observer for Watch<'_> {
    fn note(&self, note: &Note) {
        self.notes.lock().expect("a lock").push((note.kind, note.origin.path.clone()));
    }

    fn progress(&self, _: u64) {
        if let Some(change) = self.at_first.lock().expect("a lock").take() {
            change();
        }
    }
}

fn options() -> Options {
    Options {
        grammars: Vec::new(),
        refused: Repairs::NONE,
        find: Cue::ALL.to_vec(),
        kind: InputKind::Auto,
        include: RegexSet::empty(),
        exclude: RegexSet::empty(),
        allowed: Vec::new(),
        unwrap: true,
        unique: false,
        threads: 2,
        walk: WalkRules { hidden: false, ignored: false },
        ..Options::default()
    }
}

/// Scans what `inputs` give, and does `at_first` when the first bytes were worked on.
fn scan<'w>(
    inputs: &mut dyn Iterator<Item = PathBuf>,
    at_first: impl FnOnce() + Send + 'w,
) -> (Summary, Vec<(NoteKind, PathBuf)>) {
    let output = Output {
        report: report::find("text").expect("a format"),
        style: Style::default(),
        name: "nowhere".to_owned(),
        target: Box::new(std::io::sink()),
        identities: Vec::new(),
    };
    let watch = Watch { notes: Mutex::default(), at_first: Mutex::new(Some(Box::new(at_first))) };
    let summary = run::scan(&mut inputs.map(Ok), &options(), vec![output], &watch);
    (summary.expect("a run that ends"), watch.notes.into_inner().expect("the notes"))
}

/// Names `path`, and then `a` beside it, before which it does `change`.
fn scan_and(path: &Path, change: impl FnOnce()) -> (Summary, Vec<(NoteKind, PathBuf)>) {
    let good = write(path.parent().expect("a directory"), "z", GOOD);
    let mut change = Some(change);
    let then = std::iter::once_with(|| {
        change.take().expect("once")();
        good.clone()
    });
    scan(&mut std::iter::once(path.to_owned()).chain(then), || {})
}

/// The name of a change to a file, and a function that makes the change at its path.
type Change = (&'static str, fn(&Path));

#[test]
fn a_file_that_vanishes_before_it_is_opened_is_noted_and_the_next_is_read() {
    let home = directory("vanishing");
    let path = home.join("a");
    let changes: [Change; 5] = [
        ("gone", |_| {}),
        ("a pipe", make_fifo),
        ("a directory", |path| fs::create_dir(path).expect("a directory")),
        ("a link to nothing", |path| symlink("nothing", path).expect("a link")),
        ("a link to a pipe", |path| {
            let fifo = path.with_file_name("fifo");
            make_fifo(&fifo);
            symlink(fifo, path).expect("a link");
        }),
    ];
    for (name, change) in changes {
        fs::write(&path, GOOD).expect("a file");
        let (summary, notes) = scan_and(&path, || {
            fs::remove_file(&path).expect("the file");
            change(&path);
        });
        assert_eq!(notes, [(NoteKind::InputVanished, path.clone())], "{name}");
        assert_eq!((summary.files, summary.findings, summary.complete), (1, 1, false), "{name}");
        let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir(&path));
    }
    assert!(NoteKind::InputVanished.is_incomplete());
}

#[test]
fn a_file_that_another_one_takes_the_place_of_is_read() {
    let home = directory("replaced");
    let path = write(&home, "a", "nothing");
    let (summary, notes) = scan_and(&path, || {
        fs::remove_file(&path).expect("the file");
        fs::write(&path, GOOD).expect("another file");
    });
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!((summary.files, summary.findings, summary.complete), (2, 2, true));
}

/// A mailbox of numbered messages that is longer than all buffers together.
fn spool(home: &Path) -> PathBuf {
    let mut text = Vec::with_capacity(LARGE_LEN + 1000);
    while text.len() < LARGE_LEN {
        let number = text.len();
        write!(text, "From a@b Thu Dec  1 00:00:00 1994\nTo: c\n\nhttp://h/{number}\n\n")
            .expect("memory");
    }
    // The file gets a time of its own: a test may have written to it a moment ago.
    let path = write(home, "spool", text);
    let file = OpenOptions::new().write(true).open(&path).expect("the file");
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1)).expect("a time");
    path
}

/// Scans a spool and does `change` to it when its first messages were worked on.
fn change(name: &str, change: impl FnOnce(&File) + Send) -> (Summary, Vec<NoteKind>) {
    let path = spool(&directory(name));
    let file = OpenOptions::new().write(true).open(&path).expect("the file");
    let (summary, notes) = scan(&mut std::iter::once(path), || change(&file));
    (summary, notes.into_iter().map(|(kind, _)| kind).collect())
}

#[test]
fn a_spool_that_is_left_alone_has_no_note() {
    let (summary, notes) = change("spool-same", |_| {});
    assert!(notes.is_empty() && summary.complete, "{notes:?}");
    assert_eq!(summary.messages, summary.findings);
}

#[test]
fn a_spool_that_grows_is_read_to_its_old_end() {
    let (summary, notes) = change("spool-grows", |file| {
        let end = file.metadata().expect("the file").len();
        file.write_all_at(b"From a@b Thu Dec  1 00:00:00 1994\nTo: c\n\n", end).expect("room");
    });
    assert_eq!((notes, summary.complete), (vec![NoteKind::InputGrew], true));
    assert_eq!(summary.messages, summary.findings);
}

#[test]
fn a_spool_that_shrinks_is_incomplete() {
    // All but what lies in the buffers is gone.
    let (summary, notes) = change("spool-shrinks", |file| file.set_len(1000).expect("less"));
    assert_eq!((notes, summary.complete), (vec![NoteKind::InputShrank], false));
    assert!((1..LARGE_LEN as u64).contains(&summary.bytes), "{}", summary.bytes);
}

#[test]
fn a_spool_that_is_rewritten_in_its_place_is_incomplete() {
    let (summary, notes) = change("spool-rewritten", |file| {
        file.write_all_at(b"X", LARGE_LEN as u64 / 2).expect("the same length");
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(2)).expect("a time");
    });
    assert_eq!((notes, summary.complete), (vec![NoteKind::InputChanged], false));
    assert!(summary.findings > 0);
}
