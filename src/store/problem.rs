//! What can be wrong with the file of runs, in words for whoever gave its path.

use std::fmt;
use std::io;
use std::path::Path;

use rusqlite::ErrorCode;

use crate::error::Error;

/// What is wrong.
#[derive(Debug)]
pub(super) enum Problem {
    /// The system says no.
    System(io::Error),
    /// SQLite says no.
    Database(rusqlite::Error),
    /// It is no file of ours; this was found in it.
    Foreign(Foreign),
    /// It was made by a later version of the program.
    Newer { found: i64, known: i64 },
    /// It can be read only.
    ReadOnly,
    /// The file system does not have what write-ahead logs need.
    NoLog,
}

/// What was found in place of a file of ours.
#[derive(Debug)]
pub(super) enum Foreign {
    /// Something that is no database.
    NoDatabase,
    /// A database of the application that has this number.
    Application(i64),
    /// A directory, a device.
    NoFile,
}

impl Problem {
    /// The same as an error about `path`.
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
