//! Recognises the files in a mail spool that are not messages and are skipped: files that programs
//! keep for themselves, messages in delivery, and deleted ones.
//!
//! A Maildir is a directory with `cur` and `new`; each of its folders is one, too, and its name
//! begins with a dot (Maildir++). An MH folder has `.mh_sequences`, or messages with numbers as
//! names. Files of Dovecot and Thunderbird beside other stores are recognised by themselves.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use crate::finding::Skip;
use crate::platform::OsBytes as _;
use crate::source::detect::stores::{MORK, SEQUENCES, is_deleted, is_number, is_of_server};

/// Number of entries of a directory examined to see whether it is an MH folder, in which most names
/// are numbers.
const ENTRIES_MAX: usize = 1000;

/// Files that programs keep in a Maildir: notmuch, Gnus, mu, Dovecot, Courier, mbsync.
const CONTROL_FILES: [&[u8]; 10] = [
    b".mbsyncstate",
    b".nnmaildir",
    b".noindex",
    b".notmuch",
    b".noupdate",
    b".subscriptions",
    b".uidvalidity",
    b"maildirfolder",
    b"maildirsize",
    b"subscriptions",
];
/// Beginnings of the names of further control files.
const CONTROL_PREFIXES: [&[u8]; 3] = [b"courier", b"dovecot", b".dovecot"];

/// The kind of a directory in a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// A Maildir, or a folder of one.
    Maildir,
    /// The `tmp` of a Maildir, and directories below it.
    Delivery,
    /// An MH folder.
    Mh,
    /// A directory that may be an MH folder.
    Unknown,
    /// Any other directory.
    Other,
}

/// The directories from the root of a walk down to the current place.
#[derive(Default)]
pub(super) struct Spools(Vec<Layout>);

impl Spools {
    /// Drops the directories that do not contain an entry at `depth`.
    pub(super) fn leave_to(&mut self, depth: usize) {
        self.0.truncate(depth);
    }

    /// Adds `directory`, which is in the last directory entered.
    pub(super) fn enter(&mut self, directory: &Path) {
        let layout = match (self.0.last(), directory.file_name().map(OsStr::as_bytes)) {
            (Some(Layout::Delivery), _) | (Some(Layout::Maildir), Some(b"tmp")) => Layout::Delivery,
            _ if is_maildir(directory) => Layout::Maildir,
            _ if has_sequences(directory) => Layout::Mh,
            _ => Layout::Unknown,
        };
        self.0.push(layout);
    }

    /// Reports whether the last directory entered is a Maildir, or an MH folder with a sequences
    /// file.
    pub(super) fn is_spool(&self) -> bool {
        matches!(self.0.last(), Some(Layout::Maildir | Layout::Mh))
    }

    /// Reports whether the last directory entered is directly in a Maildir.
    pub(super) fn is_in_maildir(&self) -> bool {
        self.0.iter().nth_back(1) == Some(&Layout::Maildir)
    }

    /// Reports whether the directory at `path` is a Maildir, or may be one: a folder within a
    /// Maildir that cannot be examined must not be skipped without an error.
    pub(super) fn may_be_folder(&self, path: &Path) -> bool {
        is_maildir(path) || self.0.last() == Some(&Layout::Maildir) && is_closed(path)
    }

    /// Returns the reason to skip the entry at `path` if it is not a message of its spool.
    pub(super) fn skips(&mut self, path: &Path, is_dir: bool) -> Option<Skip> {
        let layout = self.0.last_mut()?;
        let name = path.file_name()?.as_bytes();
        match layout {
            Layout::Delivery => (!is_dir).then_some(Skip::InDelivery),
            _ if !is_dir && (is_of_server(name) || is_summary(path)) => Some(Skip::ControlFile),
            Layout::Maildir => {
                let is_folder = is_dir && is_maildir(path);
                (is_control(name) && !is_folder).then_some(Skip::ControlFile)
            }
            Layout::Mh if name == SEQUENCES => Some(Skip::ControlFile),
            Layout::Mh | Layout::Unknown if is_deleted(name) => {
                let is_mh = *layout == Layout::Mh || path.parent().is_some_and(has_numbers);
                *layout = if is_mh { Layout::Mh } else { Layout::Other };
                is_mh.then_some(Skip::Deleted)
            }
            Layout::Mh | Layout::Unknown | Layout::Other => None,
        }
    }
}

/// Reports whether a directory has the layout of a Maildir.
pub(super) fn is_maildir(path: &Path) -> bool {
    path.join("cur").is_dir() && path.join("new").is_dir()
}

/// Reports whether the contents of a directory cannot be examined.
fn is_closed(directory: &Path) -> bool {
    let found = directory.join("cur").symlink_metadata();
    found.is_err_and(|error| error.kind() != io::ErrorKind::NotFound)
}

/// Reports whether a directory is an MH folder with a sequences file.
pub(super) fn has_sequences(path: &Path) -> bool {
    path.join(".mh_sequences").is_file()
}

fn is_control(name: &[u8]) -> bool {
    CONTROL_FILES.contains(&name) || CONTROL_PREFIXES.iter().any(|start| name.starts_with(start))
}

/// Reports whether a file is Thunderbird's summary of a mailbox. The ending `.msf` alone does not
/// decide, since biologists use it, too.
fn is_summary(path: &Path) -> bool {
    let has_ending = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("msf"));
    // Opening a pipe might block.
    let is_file = || path.symlink_metadata().is_ok_and(|found| found.is_file());
    if !has_ending || !is_file() {
        return false;
    }
    let mut head = [0; MORK.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head == *MORK
}

fn has_numbers(directory: &Path) -> bool {
    let entries = fs::read_dir(directory).into_iter().flatten().take(ENTRIES_MAX);
    entries.flatten().any(|entry| is_number(entry.file_name().as_bytes()))
}
