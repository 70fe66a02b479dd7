//! Finds messages that move within a Maildir during a walk, so that each is visited once.
//!
//! A walk lists `cur`, visits its entries, and only then lists `new`. A message that moves from
//! `new` to `cur` in between, as each does when its owner opens the folder, is in neither list. So
//! `cur` is listed again immediately after `new`. A message that has moved since it was listed is
//! visited under its current name, with its current size and identity.
//!
//! A message that is delivered during the walk may or may not be visited. Moves are not detected if
//! `cur` and `new` of one Maildir are themselves roots of walks.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use crate::platform::{self, OsBytes};
use crate::source::mail::maildir::{Renamed, unique};

/// The messages met in the Maildirs around the current place in a walk.
#[derive(Default)]
pub(super) struct Moves {
    /// The Maildirs around the current place, outermost first.
    folders: Vec<Folder>,
    /// Shared by all Maildirs, since it limits how often directories are listed again.
    renamed: Renamed,
    hashes: RandomState,
}

/// A Maildir whose `cur` was entered.
#[derive(Default)]
struct Folder {
    /// Depth of the Maildir in the walk.
    depth: usize,
    cur: PathBuf,
    new: PathBuf,
    /// Whether `new` was listed; false as long as `cur` is walked.
    has_new: bool,
    /// Hashes of the unique names of the entries in `cur`. Among a billion messages, two share a
    /// hash with a chance of 3 %, and one of these is lost if it moves during the walk. After the
    /// second listing, only the hashes of entries in one list but not the other: an entry of `new`
    /// with such a name was moved there or from there.
    given: HashSet<u64>,
    hashes: RandomState,
    /// Current paths of messages that have moved since they were listed.
    found: HashSet<PathBuf>,
}

impl Moves {
    /// Drops the Maildirs that do not contain an entry at `depth`.
    pub(super) fn leave_to(&mut self, depth: usize) {
        while self.folders.pop_if(|folder| folder.depth >= depth).is_some() {}
    }

    /// Drops the Maildir whose `cur` at `path` could not be listed.
    pub(super) fn forget(&mut self, path: Option<&Path>) {
        self.folders.pop_if(|folder| path == Some(&folder.cur));
    }

    /// Records that a directory of a Maildir was listed. If it is `new`, returns the messages that
    /// have moved to `cur` since `cur` was listed, in the order of names.
    pub(super) fn enter(&mut self, directory: &Path, depth: usize) -> io::Result<Vec<PathBuf>> {
        let depth = depth.saturating_sub(1);
        match directory.file_name().map(OsBytes::as_bytes) {
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

    /// Records an entry at `depth` that is skipped.
    pub(super) fn pass(&mut self, path: &Path, depth: usize) {
        if let Some(folder) = around(&mut self.folders, path, depth) {
            folder.is_first(path);
        }
    }

    /// Returns the current path and the metadata of the file that was listed at `path` and `depth`;
    /// none if it was visited before.
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

    /// Like [`Self::find`], for a path that [`Self::enter`] has returned.
    pub(super) fn find_late(&mut self, path: PathBuf) -> Option<(PathBuf, Option<Metadata>)> {
        self.folders.last_mut()?.locate(path, &mut self.renamed)
    }
}

/// Returns the last of `folders` if its `cur` or `new` contains the entry at `path` and `depth`.
fn around<'f>(folders: &'f mut [Folder], path: &Path, depth: usize) -> Option<&'f mut Folder> {
    let folder = folders.last_mut().filter(|folder| folder.depth + 2 == depth)?;
    let directory = platform::split(path).0?;
    let is_part = |part: &PathBuf| part.as_os_str().as_bytes() == directory;
    let is_inside = is_part(&folder.cur) || is_part(&folder.new);
    is_inside.then_some(folder)
}

impl Folder {
    /// Returns the entries of `cur` that were not in its first listing.
    fn list_again(&mut self) -> io::Result<Vec<PathBuf>> {
        self.has_new = true;
        let mut both = HashSet::new();
        let mut late = Vec::new();
        for entry in fs::read_dir(&self.cur)? {
            let name = entry?.file_name();
            // Copies may share a unique name: all of them were visited.
            let hash = self.hash(&name);
            if self.given.remove(&hash) {
                both.insert(hash);
            } else if !both.contains(&hash) {
                late.push(name);
            }
        }
        late.sort();
        // A message that is renamed during the listing may occur under both names.
        late.retain(|name| self.given.insert(self.hashes.hash_one(unique(name))));
        Ok(late.into_iter().map(|name| self.cur.join(name)).collect())
    }

    /// Reports whether no entry with the same unique name was met before: that would be the same
    /// message, moved, or a copy.
    fn is_first(&mut self, path: &Path) -> bool {
        let hash = self.hash(&platform::split(path).1);
        if self.has_new { !self.given.contains(&hash) } else { self.given.insert(hash) }
    }

    /// Returns the hash of the unique name of the entry called `name`.
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

    /// Returns the message that was at `path`, at its current path in the Maildir.
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
