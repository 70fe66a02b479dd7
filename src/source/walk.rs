//! Directory trees: which files are read, in which order, and what is left out.
//!
//! Left out, and counted: entries whose name begins with a dot, what ignore files name
//! (`ignores`), and the reports of the run itself. The folders of a Maildir begin with a dot:
//! those are read.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::error::Error;

mod ignores;

use ignores::Ignores;

/// What a directory walk leaves out; each entry left out is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkRules {
    /// True to read entries whose name begins with a dot.
    pub hidden: bool,
    /// True to read entries that a `.gitignore` of a git checkout or a `.linktrawlignore` names.
    pub ignored: bool,
}

/// One step of a walk.
#[derive(Debug)]
pub enum Step {
    /// A regular file to read, with its size.
    File(PathBuf, u64),
    /// Something left out, and why: `hidden`, `ignored`, `symlink`, `special`,
    /// `own-output`.
    Skipped(&'static str),
    /// Something that could not be listed, or an ignore file that could not be read.
    Failed(Error),
}

/// Walks the tree below `root` in the order of names, byte by byte.
///
/// Stops when `visit` says so. Symbolic links are not followed. `own` holds device and inode
/// of each file that the run writes to: to read what one writes may have no end.
pub fn walk(
    root: &Path,
    rules: WalkRules,
    own: &[(u64, u64)],
    visit: &mut dyn FnMut(Step) -> std::ops::ControlFlow<()>,
) {
    let mut ignores = Ignores::above(root, rules.ignored);
    let mut entries = WalkDir::new(root)
        .sort_by(|one, other| one.file_name().as_bytes().cmp(other.file_name().as_bytes()))
        .into_iter();
    while let Some(entry) = entries.next() {
        let step = match entry {
            Err(error) => Some(Step::Failed(failure(root, error))),
            Ok(entry) => {
                let reason = skips(&entry, rules, &mut ignores);
                if reason.is_some() && entry.file_type().is_dir() {
                    entries.skip_current_dir();
                }
                match reason {
                    Some(reason) => Some(Step::Skipped(reason)),
                    None => file(entry, own),
                }
            }
        };
        let errors = ignores.errors().into_iter().map(Step::Failed);
        for step in errors.chain(step) {
            if visit(step).is_break() {
                return;
            }
        }
    }
}

fn failure(root: &Path, error: walkdir::Error) -> Error {
    let path = error.path().unwrap_or(root).to_owned();
    // A loop of symbolic links is the only failure without a cause, and none is followed.
    let source = error.into_io_error().unwrap_or_else(|| std::io::ErrorKind::Other.into());
    Error::Walk { path, source }
}

/// A regular file's step; none for a directory.
fn file(entry: DirEntry, own: &[(u64, u64)]) -> Option<Step> {
    if entry.depth() == 0 || entry.file_type().is_dir() {
        return None;
    }
    let metadata = entry.metadata().ok();
    if metadata.as_ref().is_some_and(|found| own.contains(&(found.dev(), found.ino()))) {
        return Some(Step::Skipped("own-output"));
    }
    Some(Step::File(entry.into_path(), metadata.map_or(0, |found| found.len())))
}

/// Why `entry` is left out, if it is. Keeps `ignores` at the directory of the entry.
fn skips(entry: &DirEntry, rules: WalkRules, ignores: &mut Ignores) -> Option<&'static str> {
    let kind = entry.file_type();
    ignores.leave_to(entry.depth());
    if entry.depth() > 0 {
        if !rules.hidden
            && is_hidden(entry.file_name())
            && !(kind.is_dir() && is_maildir(entry.path()))
        {
            return Some("hidden");
        }
        if ignores.names(entry.path(), kind.is_dir()) {
            return Some("ignored");
        }
    }
    if entry.depth() == 0 || kind.is_dir() {
        ignores.enter(entry.path());
        return None;
    }
    match kind {
        _ if kind.is_symlink() && entry.depth() > 0 => Some("symlink"),
        _ if !kind.is_file() && entry.depth() > 0 => Some("special"),
        _ => None,
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_bytes().starts_with(b".")
}

/// True for a directory that holds messages in the layout of Maildir.
fn is_maildir(path: &Path) -> bool {
    path.join("cur").is_dir() && path.join("new").is_dir()
}
