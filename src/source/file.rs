//! Files and standard input, read to the size they had when they were opened.
//!
//! Spools grow while they are read and are rewritten; none of that stops a run. What was
//! there at the beginning is read, and a note says what changed.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::InputKind;
use super::piece::{self, Outcome, Stage, Window};
use crate::error::Error;
use crate::finding::{Note, NoteKind, Origin};

/// The path that stands for standard input.
pub const STDIN: &str = "-";

/// How inputs are cut.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// How they are read.
    pub kind: InputKind,
    /// What pieces see around them.
    pub window: Window,
}

/// What reading an input gave.
#[derive(Debug)]
pub struct Report {
    /// Bytes of the input that were read.
    pub bytes: u64,
    /// How it went.
    pub outcome: Outcome,
    /// What changed under our hands, or went wrong.
    pub note: Option<Note>,
}

/// Reads standard input to its end.
pub fn read_stdin(reading: Reading, stage: &mut dyn Stage) -> Report {
    let origin = Arc::new(Origin { path: STDIN.into(), members: Vec::new() });
    read_stream(&mut io::stdin().lock(), &origin, reading, stage)
}

/// Opens `path` and reads it.
///
/// A regular file is read to the size it has now. Anything else is read to its end: the
/// caller decides whether a pipe or a device is wanted.
///
/// # Errors
/// When it cannot be opened, or is a directory.
pub fn read(path: &Path, reading: Reading, stage: &mut dyn Stage) -> Result<Report, Error> {
    let failed = |source| Error::Open { path: path.to_owned(), source };
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    let origin = Arc::new(Origin { path: path.to_owned(), members: Vec::new() });
    // Files of the kernel say a size of zero and have something to read.
    if !metadata.is_file() || metadata.len() == 0 {
        return Ok(read_stream(&mut &file, &origin, reading, stage));
    }
    let mut report = read_stream(&mut (&file).take(metadata.len()), &origin, reading, stage);
    if report.note.is_none() && report.outcome == Outcome::Read {
        report.note = changed(&file, &metadata, report.bytes).map(|(kind, message)| Note {
            kind,
            origin: Origin::clone(&origin),
            offset: Some(report.bytes),
            message,
        });
    }
    Ok(report)
}

/// What is different now from when the file was opened.
fn changed(file: &File, before: &Metadata, read: u64) -> Option<(NoteKind, String)> {
    let size = before.len();
    if read < size {
        return Some((
            NoteKind::InputShrank,
            format!("expected {size} bytes, found {read}: the file shrank while it was read"),
        ));
    }
    let now = file.metadata().ok()?.len();
    (now > size).then(|| {
        let more = now - size;
        (NoteKind::InputGrew, format!("the file grew by {more} bytes, which were not read"))
    })
}

fn read_stream(
    input: &mut dyn Read,
    origin: &Arc<Origin>,
    reading: Reading,
    stage: &mut dyn Stage,
) -> Report {
    let mut counted = Counted { inner: input, bytes: 0 };
    let cut =
        piece::cut(&mut counted, origin, reading.kind, reading.window, piece::CORE_LEN_MAX, stage);
    let bytes = counted.bytes;
    match cut {
        Ok(outcome) => Report { bytes, outcome, note: None },
        Err(source) => {
            let error = Error::Read { path: origin.path.clone(), offset: bytes, source };
            let note = unreadable(&error, Origin::clone(origin));
            Report { bytes, outcome: Outcome::Read, note: Some(note) }
        }
    }
}

/// The note for an input that could not be opened, listed or read in full.
#[must_use]
pub fn unreadable(error: &Error, origin: Origin) -> Note {
    let offset = match error {
        Error::Read { offset, .. } => Some(*offset),
        _ => None,
    };
    Note { kind: NoteKind::InputUnreadable, origin, offset, message: error.to_string() }
}

/// Counts what is read.
struct Counted<'r> {
    inner: &'r mut dyn Read,
    bytes: u64,
}

impl Read for Counted<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(out)?;
        self.bytes += len as u64;
        Ok(len)
    }
}
