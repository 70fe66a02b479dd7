//! Any bytes as a file that a run wrote and a later one reads: a saved run, a baseline, the state.

use std::fs;
use std::io;
use std::path::Path;

use linktrawl::internal::grammar::split;
use linktrawl::internal::report::{REPORTS, Style};
use linktrawl::internal::run::{Output, Retelling};
use linktrawl::internal::store::baseline::Use;
use linktrawl::internal::store::{Baseline, Key, Store};

/// A saved run: it is retold in every format, or refused with its line.
pub(crate) fn saved_run(bytes: &[u8]) {
    let outputs = REPORTS.iter().map(|&report| Output {
        report,
        style: Style::default(),
        name: "sink".to_owned(),
        identities: Vec::new(),
        target: Box::new(io::sink()),
    });
    let mut retelling = Retelling::new("saved".to_owned(), outputs.collect(), 1);
    if bytes.split(|&byte| byte == b'\n').try_for_each(|line| retelling.line(line)).is_ok() {
        let _ = retelling.finish();
    }
}

/// Gives `work` a file that holds `bytes`.
fn with_file(bytes: &[u8], work: impl FnOnce(&Path)) {
    let home = tempfile::tempdir().expect("a directory");
    let path = home.path().join("kept");
    fs::write(&path, bytes).expect("a file");
    work(&path);
}

/// A baseline: what is written for one that was read is read as the same.
pub(crate) fn baseline(bytes: &[u8]) {
    with_file(bytes, |path| {
        let Ok(first) = Baseline::read(path, Use::Hold) else { return };
        let text = first.text();
        fs::write(path, &text).expect("a file");
        let second = Baseline::read(path, Use::Hold).expect("it was written by us");
        assert_eq!(second.text(), text);
    });
}

/// The state: a database of SQLite that another program may have written.
pub(crate) fn state(bytes: &[u8]) {
    with_file(bytes, |path| {
        let Ok(mut store) = Store::open(path, &["http"]) else { return };
        let _ = store.begin_run(b"arguments", 1);
        let _ = store.lookup(&Key::of(&split(b"http://h.example/"), "head"), 1, None);
        let _ = store.host("http://h.example:80");
        let _ = store.finish_run(2);
    });
}
