//! Tests a failure of the program itself, on one part of the inputs: the run ends, the other parts
//! are reported, and the lost part is named. A grammar that panics represents the bug.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use linktrawl::internal::finding::{Cue, Fault, Note, NoteKind, Repairs, Summary};
use linktrawl::internal::grammar::Grammar;
use linktrawl::internal::report::{self, Style};
use linktrawl::internal::run::{self, InputKind, Observer, Options, Output, WalkRules};
use linktrawl::internal::uri::Uri;
use regex::bytes::RegexSet;

use crate::support::home;

struct Failing;

impl Grammar for Failing {
    fn name(&self) -> &'static str {
        "failing"
    }

    fn about(&self) -> &'static str {
        "panics on a URI that holds the word bug"
    }

    fn check(&self, text: &[u8]) -> Result<(), Fault> {
        assert!(!text.windows(3).any(|word| word == b"bug"), "the bug of this test");
        Ok(())
    }

    fn split<'t>(&self, text: &'t [u8]) -> Uri<'t> {
        Uri { text, ..Uri::default() }
    }
}

#[derive(Default)]
struct Notes(Mutex<Vec<(NoteKind, PathBuf)>>);

impl Observer for Notes {
    fn note(&self, note: &Note) {
        self.0.lock().expect("a lock").push((note.kind, note.origin.path.clone()));
    }

    fn progress(&self, _: u64) {}
}

fn scan(path: &Path, threads: usize) -> (Summary, Vec<(NoteKind, PathBuf)>) {
    let options = Options {
        grammars: vec![&Failing],
        refused: Repairs::NONE,
        find: Cue::ALL.to_vec(),
        kind: InputKind::Auto,
        include: RegexSet::empty(),
        exclude: RegexSet::empty(),
        allowed: Vec::new(),
        unwrap: true,
        unique: false,
        threads,
        walk: WalkRules { hidden: false, ignored: true },
        ..Options::default()
    };
    let output = Output {
        report: report::find("text").expect("a format"),
        style: Style::default(),
        name: "nowhere".to_owned(),
        target: Box::new(std::io::sink()),
        identities: Vec::new(),
    };
    let notes = Notes::default();
    let summary =
        run::scan(&mut std::iter::once(Ok(path.to_owned())), &options, vec![output], &notes)
            .expect("a run that ends");
    (summary, notes.0.into_inner().expect("the notes"))
}

/// Returns an empty directory for the test called `name`.
fn directory(name: &str) -> PathBuf {
    home::directory("failure", name)
}

#[test]
fn the_other_pieces_of_a_large_input_are_reported() {
    let path = directory("large").join("a.txt");
    // Some twenty pieces, more than there are buffers; the bug is in the first.
    let mut text = b"http://bug/\n\n".to_vec();
    text.extend(b"see http://h/a\n\n".repeat(700_000));
    fs::write(&path, text).expect("a file");
    for threads in [1, 2] {
        let (summary, notes) = scan(&path, threads);
        assert_eq!(notes, [(NoteKind::Internal, path.clone())]);
        assert!(!summary.complete);
        assert!((600_000..700_000).contains(&summary.findings), "{}", summary.findings);
    }
}

#[test]
fn pieces_that_wait_for_the_one_before_go_on() {
    let path = directory("line").join("a.txt");
    // One line, so that each piece waits to hear how far the one before reached.
    let mut text = b"http://bug/ ".to_vec();
    text.extend(b"see http://h/a ".repeat(200_000));
    fs::write(&path, text).expect("a file");
    let (summary, notes) = scan(&path, 2);
    assert_eq!(notes, [(NoteKind::Internal, path)]);
    assert!((100_000..200_000).contains(&summary.findings), "{}", summary.findings);
}

#[test]
fn every_file_that_was_lost_is_named() {
    let home = directory("small");
    for name in ["a.txt", "b.txt", "c.txt"] {
        let text = if name == "b.txt" { "http://bug/" } else { "http://h/" };
        fs::write(home.join(name), text).expect("a file");
    }
    let (summary, notes) = scan(&home, 1);
    let lost = ["a.txt", "b.txt", "c.txt"].map(|name| (NoteKind::Internal, home.join(name)));
    assert_eq!(notes, lost);
    assert!(!summary.complete);
    assert_eq!((summary.files, summary.findings), (0, 0));
}
