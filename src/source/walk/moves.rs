//! Messages of a Maildir that move while it is walked: each is given once.
//!
//! A walk lists `cur`, gives what is in it, and lists `new` only then: a message that moves from
//! `new` to `cur` meanwhile, as each does whose owner opens the folder, is in neither list. So
//! `cur` is listed again as soon as `new` was. One that has moved since it was listed is given by
//! the name that it has then, with its size and its identity.
//!
//! Not promised: a message that is delivered meanwhile may be given or not. Not known: `cur` and
//! `new` of one Maildir that are roots of walks themselves.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::source::maildir::{Renamed, unique};

/// What is known of messages at a place in a walk.
#[derive(Default)]
pub(super) struct Moves {
    /// The Maildirs around it, outermost first.
    folders: Vec<Folder>,
    /// One for all: it bounds how much is listed again in the walk.
    renamed: Renamed,
    hashes: RandomState,
}

/// A Maildir whose `cur` was entered.
#[derive(Default)]
struct Folder {
    /// Of the Maildir in the walk.
    depth: usize,
    cur: PathBuf,
    new: PathBuf,
    /// False as long as `cur` is walked.
    has_new: bool,
    /// Hashes of the unique names of what `cur` has: of a billion messages, two share one with a
    /// chance of 3 %, and then one is lost that moves meanwhile. Since it was listed again, only
    /// those that were not in both lists: where `new` has one of these, it was moved there or from
    /// there.
    given: HashSet<u64>,
    hashes: RandomState,
    /// Where messages were found that had moved since they were listed.
    found: HashSet<PathBuf>,
}

impl Moves {
    /// Forgets Maildirs that an entry at `depth` does not stand in.
    pub(super) fn leave_to(&mut self, depth: usize) {
        while self.folders.pop_if(|folder| folder.depth >= depth).is_some() {}
    }

    /// Forgets the Maildir whose `cur` could not be listed at `path`.
    pub(super) fn forget(&mut self, path: Option<&Path>) {
        self.folders.pop_if(|folder| path == Some(&folder.cur));
    }

    /// Learns of a directory of a Maildir that was listed. Where it is `new`: what has come to
    /// `cur` since that was listed, in the order of names.
    pub(super) fn enter(&mut self, directory: &Path, depth: usize) -> io::Result<Vec<PathBuf>> {
        let depth = depth.saturating_sub(1);
        match directory.file_name().map(OsStr::as_bytes) {
            Some(b"cur") => {
                let (cur, new) = (directory.to_owned(), directory.with_file_name("new"));
                let hashes = self.hashes.clone();
                self.folders.push(Folder { depth, cur, new, hashes, ..Folder::default() });
            }
            Some(b"new") => {
                let folder = self.folders.last_mut().filter(|folder| folder.depth == depth);
                return folder.map_or_else(|| Ok(Vec::new()), Folder::list_again);
            }
            _ => {}
        }
        Ok(Vec::new())
    }

    /// Learns of an entry at `depth` that is left out.
    pub(super) fn pass(&mut self, path: &Path, depth: usize) {
        if let Some(folder) = around(&mut self.folders, path, depth) {
            folder.is_first(path);
        }
    }

    /// Where the file is that was listed at `path` and `depth`, and what is known of it; none
    /// when it was given already.
    pub(super) fn find(
        &mut self,
        path: PathBuf,
        depth: usize,
    ) -> Option<(PathBuf, Option<Metadata>)> {
        match around(&mut self.folders, &path, depth) {
            Some(folder) => folder.find(path, &mut self.renamed),
            None => {
                let metadata = path.symlink_metadata().ok();
                Some((path, metadata))
            }
        }
    }

    /// Like [`Self::find`], for what `enter` has told.
    pub(super) fn find_late(&mut self, path: PathBuf) -> Option<(PathBuf, Option<Metadata>)> {
        self.folders.last_mut()?.locate(path, &mut self.renamed)
    }
}

/// The last of `folders`, where the entry at `path` and `depth` stands in its `cur` or `new`.
fn around<'f>(folders: &'f mut [Folder], path: &Path, depth: usize) -> Option<&'f mut Folder> {
    let folder = folders.last_mut().filter(|folder| folder.depth + 2 == depth)?;
    let path = path.as_os_str().as_bytes();
    let directory = path.get(..memchr::memrchr(b'/', path)?)?;
    let is_part = |part: &PathBuf| part.as_os_str().as_bytes() == directory;
    let is_inside = is_part(&folder.cur) || is_part(&folder.new);
    is_inside.then_some(folder)
}

/// The name of the entry at `path`.
fn name(path: &Path) -> &OsStr {
    let path = path.as_os_str().as_bytes();
    let start = memchr::memrchr(b'/', path).map_or(0, |slash| slash + 1);
    OsStr::from_bytes(path.get(start..).unwrap_or_default())
}

impl Folder {
    /// What is in `cur` and was not when it was listed first.
    fn list_again(&mut self) -> io::Result<Vec<PathBuf>> {
        self.has_new = true;
        let mut both = HashSet::new();
        let mut late = Vec::new();
        for entry in fs::read_dir(&self.cur)? {
            let name = entry?.file_name();
            // Copies may share what should be unique: all of them were given.
            let hash = self.hash(&name);
            if self.given.remove(&hash) {
                both.insert(hash);
            } else if !both.contains(&hash) {
                late.push(name);
            }
        }
        late.sort();
        // A list that is made while a message is renamed may have it by both names.
        late.retain(|name| self.given.insert(self.hashes.hash_one(unique(name))));
        Ok(late.into_iter().map(|name| self.cur.join(name)).collect())
    }

    /// False for an entry with the unique name of one that was given: the same that has moved,
    /// or a copy.
    fn is_first(&mut self, path: &Path) -> bool {
        let hash = self.hash(name(path));
        if self.has_new { !self.given.contains(&hash) } else { self.given.insert(hash) }
    }

    /// Stands for the unique name of the entry called `name`.
    fn hash(&self, name: &OsStr) -> u64 {
        self.hashes.hash_one(unique(name))
    }

    fn find(
        &mut self,
        path: PathBuf,
        renamed: &mut Renamed,
    ) -> Option<(PathBuf, Option<Metadata>)> {
        let is_first = self.is_first(&path);
        let has_moved = || self.has_new || is_gone(&path.symlink_metadata());
        if self.found.contains(&path) || !is_first && has_moved() {
            return None;
        }
        self.locate(path, renamed)
    }

    /// The message that was at `path`, wherever it is in the Maildir.
    fn locate(
        &mut self,
        path: PathBuf,
        renamed: &mut Renamed,
    ) -> Option<(PathBuf, Option<Metadata>)> {
        let metadata = path.symlink_metadata();
        if is_gone(&metadata)
            && let Some(now) = renamed.find(&path)
        {
            let metadata = now.symlink_metadata().ok();
            return self.found.insert(now.clone()).then_some((now, metadata));
        }
        Some((path, metadata.ok()))
    }
}

fn is_gone(metadata: &io::Result<Metadata>) -> bool {
    metadata.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}
