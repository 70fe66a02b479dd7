//! Reads standard input, and files up to the size that they had when they were opened.
//!
//! Spools grow and are rewritten while they are read; neither stops a run. The original content is
//! read, and a note describes the change.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::container::{Account, Outside};
use super::mail::maildir::Renamed;
use super::members;
pub use super::piece::Reading;
use super::piece::{Outcome, Stage};
use crate::error::Error;
use crate::finding::{Note, NoteKind, Origin};
use crate::platform;

/// The path that denotes standard input.
pub const STDIN: &str = "-";

/// How an input was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The user named it, so that a failure to read it must be reported.
    Named,
    /// A directory walk found it.
    Walked,
}

/// Result of reading an input.
#[derive(Debug)]
pub struct Report {
    /// Number of bytes of the input that were read.
    pub bytes: u64,
    /// Outcome of reading.
    pub outcome: Outcome,
    /// Whether the input was read to its end.
    pub is_at_end: bool,
    /// Note on a change while reading, or on a failure.
    pub note: Option<Note>,
}

/// Reads standard input to its end.
pub fn read_stdin(reading: Reading, stage: &mut dyn Stage) -> Report {
    read_from(&mut io::stdin().lock(), Path::new(STDIN), reading, stage)
}

/// Reads `input`, which reports call `path`, to its end.
pub fn read_from(
    input: &mut dyn Read,
    path: &Path,
    reading: Reading,
    stage: &mut dyn Stage,
) -> Report {
    let origin = Arc::new(Origin { path: path.to_owned(), ..Origin::default() });
    read_stream(input, None, &origin, reading, stage)
}

/// Opens `path` and reads it.
///
/// A regular file is read to its current size. Anything else is read to its end: the caller decides
/// whether a pipe or a device is wanted.
///
/// # Errors
/// Returns an error if it cannot be opened, or is a directory.
pub fn read(path: &Path, reading: Reading, stage: &mut dyn Stage) -> Result<Report, Error> {
    let failed = |source| Error::Open { path: path.to_owned(), source };
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    Ok(read_opened(&file, &metadata, path, reading, stage))
}

/// Opens `path`, which was a regular file a moment ago, and reads it.
///
/// If a pipe or a device has replaced it, reading does not wait for that. Symbolic links are
/// followed only if the user named them.
///
/// # Errors
/// Returns an error if it cannot be opened, or is no longer a regular file: that counts as not
/// found.
pub fn read_regular(
    path: &Path,
    found: Found,
    reading: Reading,
    stage: &mut dyn Stage,
) -> Result<Report, Error> {
    let failed = |source| Error::Open { path: path.to_owned(), source };
    let (file, metadata) = open_regular(path, found).map_err(failed)?;
    Ok(read_opened(&file, &metadata, path, reading, stage))
}

/// Like [`read_regular`], but a message of a Maildir that was renamed since it was found is read
/// under its new name.
///
/// # Errors
/// The errors of [`read_regular`]. A message that is not found is reported by its old name.
pub fn read_again(
    path: &Path,
    found: Found,
    reading: Reading,
    renamed: &Mutex<Renamed>,
    stage: &mut dyn Stage,
) -> Result<Report, Error> {
    let first = read_regular(path, found, reading, stage);
    if !first.as_ref().is_err_and(Error::is_not_found) {
        return first;
    }
    let mut renamed = renamed.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(now) = renamed.find(path) else { return first };
    drop(renamed);
    match read_regular(&now, found, reading, stage) {
        Err(error) if error.is_not_found() => first,
        second => second,
    }
}

fn open_regular(path: &Path, found: Found) -> io::Result<(File, Metadata)> {
    let opened = match found {
        Found::Walked => platform::open_no_link(path),
        Found::Named => platform::open(path),
    };
    let replaced =
        || io::Error::new(io::ErrorKind::NotFound, "expected a file, found something else there");
    let file = match opened {
        // A link or a socket: opening it fails before its type can be checked.
        Err(error) if platform::is_no_file(&error) => return Err(replaced()),
        opened => opened?,
    };
    let metadata = file.metadata()?;
    if metadata.is_file() { Ok((file, metadata)) } else { Err(replaced()) }
}

fn read_opened(
    file: &File,
    metadata: &Metadata,
    path: &Path,
    reading: Reading,
    stage: &mut dyn Stage,
) -> Report {
    let origin = Arc::new(Origin { path: path.to_owned(), ..Origin::default() });
    // Files of the kernel report a size of zero, and yet have content.
    if !metadata.is_file() || metadata.len() == 0 {
        return read_stream(&mut &*file, None, &origin, reading, stage);
    }
    let len = metadata.len();
    let mut report = read_stream(&mut file.take(len), Some((file, len)), &origin, reading, stage);
    if report.note.is_none() && report.outcome == Outcome::Read {
        report.note = changed(file, metadata, &report).map(|(kind, message)| Note {
            kind,
            origin: Origin::clone(&origin),
            offset: Some(report.bytes),
            message,
        });
    }
    report
}

/// Returns the difference between the file now and when it was opened.
fn changed(file: &File, before: &Metadata, report: &Report) -> Option<(NoteKind, String)> {
    let (size, read) = (before.len(), report.bytes);
    // Packed content may end before the file does.
    if read < size && report.is_at_end {
        return Some((
            NoteKind::InputShrank,
            format!("expected {size} bytes, found {read}: the file shrank while it was read"),
        ));
    }
    let after = file.metadata().ok()?;
    let now = after.len();
    if now > size {
        let more = now - size;
        let message = format!("the file grew by {more} bytes, which were not read");
        return Some((NoteKind::InputGrew, message));
    }
    let is_same = now == size && after.modified().ok() == before.modified().ok();
    (!is_same).then(|| {
        let message = "expected the file as it was, found it written to while it was read";
        (NoteKind::InputChanged, message.to_owned())
    })
}

fn read_stream(
    input: &mut dyn Read,
    file: Option<(&File, u64)>,
    origin: &Arc<Origin>,
    reading: Reading,
    stage: &mut dyn Stage,
) -> Report {
    let account = Account::default();
    let mut counted = Counted { inner: input, account: &account, is_at_end: false };
    let source = members::Source { bytes: &mut counted, file, origin };
    let result = members::read(source, reading, &account, stage);
    let (bytes, is_at_end) = (account.bytes(), counted.is_at_end);
    match result {
        Ok(outcome) => Report { bytes, outcome, is_at_end, note: None },
        Err(error) => {
            let source = Outside::unwrap(error);
            let error = Error::Read { path: origin.path.clone(), offset: bytes, source };
            let note = Some(unreadable(&error, Origin::clone(origin)));
            Report { bytes, outcome: Outcome::Read, is_at_end, note }
        }
    }
}

/// Returns the note on an input that could not be opened, listed or read in full.
#[must_use]
pub fn unreadable(error: &Error, origin: Origin) -> Note {
    let offset = match error {
        Error::Read { offset, .. } => Some(*offset),
        _ => None,
    };
    Note { kind: NoteKind::InputUnreadable, origin, offset, message: error.to_string() }
}

/// A reader that counts its bytes.
struct Counted<'r, 'a> {
    inner: &'r mut dyn Read,
    account: &'a Account,
    is_at_end: bool,
}

impl Read for Counted<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = match self.inner.read(out) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                return Err(Outside(error).into());
            }
            result => result?,
        };
        self.account.read(len as u64);
        self.is_at_end |= len == 0 && !out.is_empty();
        Ok(len)
    }
}
