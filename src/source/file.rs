//! Reads standard input, and files up to the size that they had when they were opened.
//!
//! Spools grow and are rewritten while they are read; neither stops a run. The original content is
//! read, and a note describes the change.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::container::{Budget, Outside};
use super::mail::maildir::Renamed;
use super::members;
use super::part::{Division, Joint, Part, Range};
pub use super::piece::Reading;
use super::piece::{Outcome, Stage};
use crate::error::Error;
use crate::finding::{Note, NoteKind, Origin};
use crate::platform;

/// The path that denotes standard input.
pub const STDIN: &str = "-";

/// How an input was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundAs {
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
    let budget = Budget::with(stage.spare_threads());
    read_stream(input, None, (&origin, &budget), reading, stage)
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
    found: FoundAs,
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
    found: FoundAs,
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

/// Opens `path`, which was a regular file a moment ago, and reads `part` of it.
///
/// # Errors
/// The errors of [`read_regular`].
pub fn read_part(
    path: &Path,
    found: FoundAs,
    reading: Reading,
    part: &Part,
    stage: &mut dyn Stage,
) -> Result<Report, Error> {
    let failed = |source| Error::Open { path: path.to_owned(), source };
    let (file, metadata) = open_regular(path, found).map_err(failed)?;
    let origin = Arc::new(Origin { path: path.to_owned(), ..Origin::default() });
    let len = metadata.len();
    let (start, end) = match part.by {
        Division::Text => (part.start.at.saturating_sub(part.start.context as u64), len),
        Division::Tar | Division::Warc => (part.start.at, part.end.unwrap_or(len)),
        Division::Zip => (0, len),
    };
    let budget = Budget::default();
    let mut range = Range::new(&file, start, end);
    let mut counted = Counted { inner: &mut range, budget: &budget };
    let source = members::Source { bytes: &mut counted, file: Some((&file, len)), origin: &origin };
    let result = members::read_part(source, part, reading, &budget, stage);
    // Bytes around a part are read, too, and count for other parts.
    let bytes = match part.by {
        Division::Zip => budget.bytes(),
        _ => part.end.unwrap_or(len).saturating_sub(part.start.at),
    };
    let mut report = report(result, &origin, bytes, budget.is_at_end());
    let note = |(kind, message)| {
        let origin = Origin::clone(&origin);
        Note { kind, origin, offset: None, message }
    };
    report.note = report.note.or_else(|| written(&file, &metadata).map(note));
    Ok(report)
}

/// The places where a file can be divided.
#[derive(Debug)]
pub struct Scouted {
    /// Result of reading the file.
    pub report: Report,
    /// Length of the file.
    pub len: u64,
    /// Whether pieces of its text are those of its bytes.
    pub is_text: bool,
    /// Number of members.
    pub members: u64,
    /// How it can be divided by its members, and where.
    pub joints: Option<(Division, Vec<Joint>)>,
}

/// Opens `path`, and reads it for the places where it can be divided into parts of `len_max` bytes.
/// Its text is passed to `stage`; its members are not read.
///
/// # Errors
/// The errors of [`read_regular`].
pub fn scout(
    path: &Path,
    found: FoundAs,
    reading: Reading,
    len_max: u64,
    stage: &mut dyn Stage,
) -> Result<Scouted, Error> {
    let failed = |source| Error::Open { path: path.to_owned(), source };
    let (file, metadata) = open_regular(path, found).map_err(failed)?;
    let origin = Arc::new(Origin { path: path.to_owned(), ..Origin::default() });
    let len = metadata.len();
    let mut bytes = Range::new(&file, 0, len);
    let source = members::Source { bytes: &mut bytes, file: Some((&file, len)), origin: &origin };
    let is_text = members::is_divisible(source, reading, stage);
    let budget = Budget::scouting(len_max);
    let mut bytes = Range::new(&file, 0, len);
    let report = read_stream(&mut bytes, Some((&file, len)), (&origin, &budget), reading, stage);
    let members = budget.members();
    Ok(Scouted { report, len, is_text, members, joints: budget.into_joints(len) })
}

fn open_regular(path: &Path, found: FoundAs) -> io::Result<(File, Metadata)> {
    let opened = match found {
        FoundAs::Walked => platform::open_no_link(path),
        FoundAs::Named => platform::open(path),
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
        let budget = Budget::with(stage.spare_threads());
        return read_stream(&mut &*file, None, (&origin, &budget), reading, stage);
    }
    let (len, budget) = (metadata.len(), Budget::with(stage.spare_threads()));
    let read = &mut file.take(len);
    let mut report = read_stream(read, Some((file, len)), (&origin, &budget), reading, stage);
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
    written(file, before)
}

/// Returns how the file was written to since it was opened, if it was.
fn written(file: &File, before: &Metadata) -> Option<(NoteKind, String)> {
    let (size, after) = (before.len(), file.metadata().ok()?);
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
    (origin, budget): (&Arc<Origin>, &Budget),
    reading: Reading,
    stage: &mut dyn Stage,
) -> Report {
    let mut counted = Counted { inner: input, budget };
    let source = members::Source { bytes: &mut counted, file, origin };
    let result = members::read(source, reading, budget, stage);
    report(result, origin, budget.bytes(), budget.is_at_end())
}

/// Returns the report on an input of which `bytes` were read.
fn report(
    result: io::Result<Outcome>,
    origin: &Arc<Origin>,
    bytes: u64,
    is_at_end: bool,
) -> Report {
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
    budget: &'a Budget,
}

impl Read for Counted<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = match self.inner.read(out) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                return Err(Outside(error).into());
            }
            result => result?,
        };
        self.budget.read(len as u64);
        if len == 0 && !out.is_empty() {
            self.budget.set_at_end(true);
        }
        Ok(len)
    }
}
