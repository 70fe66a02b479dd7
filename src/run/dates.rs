//! Dates findings: by their message, by their member of an archive, or by their file.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::finding::Finding;

/// The dates of findings, for any number of threads.
#[derive(Default)]
pub(super) struct Dates {
    /// The last file, and the time of its last change.
    last: Mutex<Option<(PathBuf, Option<Timestamp>)>>,
}

impl Dates {
    /// Returns the date of `finding`: that of its message, else that of its member in an archive,
    /// else that of the last change of its file. Standard input has none.
    pub(super) fn of(&self, finding: &Finding<'_>) -> Option<Timestamp> {
        let message = finding.message.and_then(|message| message.date.as_deref());
        let message = message.and_then(|date| date.parse().ok());
        let origin = finding.place.origin;
        let member = || Some(origin.date?.to_zoned(TimeZone::UTC).ok()?.timestamp());
        message.or_else(member).or_else(|| self.of_file(&origin.path))
    }

    fn of_file(&self, path: &Path) -> Option<Timestamp> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((known, time)) if known == path => *time,
            _ => {
                let changed = fs::metadata(path).and_then(|found| found.modified());
                let time = changed.ok().and_then(|time| Timestamp::try_from(time).ok());
                *last = Some((path.to_owned(), time));
                time
            }
        }
    }
}
