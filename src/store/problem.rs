//! The possible problems with the state file, in words for the user who gave its path.

use std::fmt;
use std::io;
use std::path::Path;

use rusqlite::ErrorCode;

use crate::error::Error;

/// A problem with the state file.
#[derive(Debug)]
pub(super) enum Problem {
    /// An input or output error.
    System(io::Error),
    /// An SQLite error.
    Database(rusqlite::Error),
    /// The file is not ours; this was found in it.
    Foreign(Foreign),
    /// A later version of the program made the file.
    Newer { found: i64, known: i64 },
    /// The file can only be read.
    ReadOnly,
    /// The file system does not support write-ahead logs.
    NoLog,
}

/// The thing found in place of a state file.
#[derive(Debug)]
pub(super) enum Foreign {
    /// A file that is no database.
    NoDatabase,
    /// A database of the application with this ID.
    Application(i64),
    /// A directory or a device.
    NoFile,
    /// A symbolic link, or a file with several names.
    Linked,
    /// Another file than the one that was checked.
    Changed,
    /// A file of others that has the name of the state file with this ending.
    Beside(&'static str),
}

impl Problem {
    /// Converts the problem to an error about `path`.
    pub(super) fn at(&self, path: &Path) -> Error {
        Error::State { path: path.to_owned(), reason: self.to_string() }
    }
}

impl From<rusqlite::Error> for Problem {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(error) => write!(out, "{error}"),
            Self::Database(error) => write_database(error, out),
            Self::Foreign(found) => {
                write!(out, "expected a state file of linktrawl, found {found}")
            }
            Self::Newer { found, known } => write!(
                out,
                "expected version {known} of the state file, found {found}, which a later \
                 linktrawl made"
            ),
            Self::ReadOnly => write!(out, "the file cannot be written"),
            Self::NoLog => write!(out, "the file system cannot keep a write-ahead log"),
        }
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDatabase => write!(out, "something that is no database"),
            Self::Application(0) => write!(out, "a database of another application"),
            Self::Application(id) => write!(out, "a database of application {id:#010x}"),
            Self::NoFile => write!(out, "no regular file"),
            Self::Linked => write!(out, "a link, or a file with several names"),
            Self::Changed => write!(out, "one that changes while it is opened"),
            Self::Beside(ending) => {
                write!(out, "a file beside it, with {ending} after its name, of something else")
            }
        }
    }
}

fn write_database(error: &rusqlite::Error, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            write!(out, "another run is using it")
        }
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            write!(out, "the file is damaged ({error}); without it, a run begins anew")
        }
        Some(ErrorCode::DiskFull) => write!(out, "the disk is full"),
        Some(ErrorCode::ReadOnly) => write!(out, "the file cannot be written"),
        _ => write!(out, "{error}"),
    }
}
