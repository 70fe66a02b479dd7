//! What stands in the directories of a mail spool beside its messages, and is left out: the
//! files that programs keep for themselves, what is being delivered, and what was deleted.
//!
//! A Maildir is a directory with `cur` and `new`; each of its folders is one, too, and begins
//! with a dot (Maildir++). A folder of MH has `.mh_sequences`, or messages called by numbers. What
//! Dovecot and Thunderbird keep beside stores of other kinds is known by itself.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::source::detect::stores::{MORK, is_of_dovecot};

/// Entries of a directory that are looked at to know whether it is a folder of MH: there, most
/// names are numbers.
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
/// What others of them begin with.
const CONTROL_PREFIXES: [&[u8]; 3] = [b"courier", b"dovecot", b".dovecot"];

/// What a directory of a walk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// A Maildir, or a folder of one.
    Maildir,
    /// Its `tmp`, and what is in that.
    Delivery,
    /// A folder of MH.
    Mh,
    /// Something that may be a folder of MH.
    Unknown,
    /// Something else.
    Other,
}

/// The directories from the root of a walk down to a place in it.
#[derive(Default)]
pub(super) struct Spools(Vec<Layout>);

impl Spools {
    /// Forgets directories that an entry at `depth` does not stand in.
    pub(super) fn leave_to(&mut self, depth: usize) {
        self.0.truncate(depth);
    }

    /// Learns what `directory` is, which stands in the last one that was entered.
    pub(super) fn enter(&mut self, directory: &Path) {
        let layout = match (self.0.last(), directory.file_name().map(OsStr::as_bytes)) {
            (Some(Layout::Delivery), _) | (Some(Layout::Maildir), Some(b"tmp")) => Layout::Delivery,
            _ if is_maildir(directory) => Layout::Maildir,
            _ if has_sequences(directory) => Layout::Mh,
            _ => Layout::Unknown,
        };
        self.0.push(layout);
    }

    /// True when the last directory that was entered is a Maildir, or a folder of MH in which
    /// programs have kept their marks.
    pub(super) fn is_spool(&self) -> bool {
        matches!(self.0.last(), Some(Layout::Maildir | Layout::Mh))
    }

    /// True when the last directory that was entered stands in a Maildir.
    pub(super) fn is_in_maildir(&self) -> bool {
        self.0.iter().nth_back(1) == Some(&Layout::Maildir)
    }

    /// True when the directory at `path` is a Maildir, or may be one: within a Maildir, a folder
    /// that cannot be looked into must not be lost unheard.
    pub(super) fn may_be_folder(&self, path: &Path) -> bool {
        is_maildir(path) || self.0.last() == Some(&Layout::Maildir) && is_closed(path)
    }

    /// Why the entry at `path` is left out, if it is no message of the spool that it stands in.
    pub(super) fn skips(&mut self, path: &Path, is_dir: bool) -> Option<&'static str> {
        let layout = self.0.last_mut()?;
        let name = path.file_name()?.as_bytes();
        match layout {
            Layout::Delivery => (!is_dir).then_some("in-delivery"),
            _ if !is_dir && (is_of_dovecot(name) || is_summary(path)) => Some("control-file"),
            Layout::Maildir => {
                let is_folder = is_dir && is_maildir(path);
                (is_control(name) && !is_folder).then_some("control-file")
            }
            Layout::Mh if name == b".mh_sequences" => Some("control-file"),
            Layout::Mh | Layout::Unknown if is_deleted(name) => {
                let is_mh = *layout == Layout::Mh || path.parent().is_some_and(has_numbers);
                *layout = if is_mh { Layout::Mh } else { Layout::Other };
                is_mh.then_some("deleted")
            }
            Layout::Mh | Layout::Unknown | Layout::Other => None,
        }
    }
}

/// True for a directory that holds messages in the layout of Maildir.
pub(super) fn is_maildir(path: &Path) -> bool {
    path.join("cur").is_dir() && path.join("new").is_dir()
}

/// True for a directory of which nobody can tell what is in it.
fn is_closed(directory: &Path) -> bool {
    let found = directory.join("cur").symlink_metadata();
    found.is_err_and(|error| error.kind() != io::ErrorKind::NotFound)
}

/// True for a folder of MH that a program has kept its marks in.
pub(super) fn has_sequences(path: &Path) -> bool {
    path.join(".mh_sequences").is_file()
}

fn is_control(name: &[u8]) -> bool {
    CONTROL_FILES.contains(&name) || CONTROL_PREFIXES.iter().any(|start| name.starts_with(start))
}

/// True for what Thunderbird keeps beside a mailbox: its name tells little, since biologists have
/// an `.msf` of their own.
fn is_summary(path: &Path) -> bool {
    let has_ending = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("msf"));
    // Opening what is no file may wait for somebody.
    let is_file = || path.symlink_metadata().is_ok_and(|found| found.is_file());
    if !has_ending || !is_file() {
        return false;
    }
    let mut head = [0; MORK.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head == *MORK
}

/// True for the name that MH gives to a message that was deleted.
pub(super) fn is_deleted(name: &[u8]) -> bool {
    matches!(name, [b',' | b'#', number @ ..] if is_number(number))
}

/// True for what MH calls a message.
pub(super) fn is_number(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(u8::is_ascii_digit)
}

fn has_numbers(directory: &Path) -> bool {
    let entries = fs::read_dir(directory).into_iter().flatten().take(ENTRIES_MAX);
    entries.flatten().any(|entry| is_number(entry.file_name().as_bytes()))
}
