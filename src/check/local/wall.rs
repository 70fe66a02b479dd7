//! Keeps links in a tree that nothing may leave.
//!
//! The path of a link cannot leave its tree, but symbolic links on it can. They are followed here
//! one name at a time, by their own words (POSIX.1-2024, Base Definitions §4.16, "Pathname
//! Resolution"), and no further than to the first name that is neither in the tree nor on the way
//! to it: nothing elsewhere is looked at, so that no result can reveal it. Not handled: a tree that
//! changes while it is read.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::Arc;

use super::files::{Files, Kind, Listing, Memory};
use super::site::{self, Site};
use super::way;

/// Most symbolic links on one path; Linux follows as many (`path_resolution(7)`).
const LINKS_MAX: usize = 40;

/// A tree that nothing may leave.
pub(super) struct Wall {
    /// The directory of the tree, spelled as in the paths to check.
    spelled: Vec<u8>,
    /// The directory without symbolic links.
    real: Vec<u8>,
    held: Memory<bool>,
    /// Targets of directories, by their paths after `spelled`.
    directories: Memory<Led>,
}

/// The target of a path.
#[derive(Clone)]
enum Led {
    /// The path in the tree, without symbolic links.
    To(Arc<[u8]>),
    /// Nothing, and not out of the tree.
    Nowhere,
    /// Out of the tree.
    Outside,
}

impl Wall {
    /// Creates a wall around `directory`.
    pub(super) fn around(directory: &[u8], files: &Files) -> Self {
        // A directory that cannot be resolved holds only paths that are spelled as it is.
        let real = files.real(directory).unwrap_or_else(|| directory.to_vec());
        let (held, directories) = (Memory::default(), Memory::default());
        Self { spelled: directory.to_vec(), real, held, directories }
    }

    /// Reports whether `path` begins as the tree does, and does not lead out of it.
    fn holds(&self, path: &[u8]) -> bool {
        self.held.of(
            path,
            |_| 0,
            || {
                let Some(below) = path.strip_prefix(self.spelled.as_slice()) else { return false };
                let directory = way::parent(below);
                let weight = |led: &Led| if let Led::To(real) = led { real.len() } else { 0 };
                match self.directories.of(directory, weight, || self.walk(&self.real, directory)) {
                    Led::To(real) => !matches!(self.walk(&real, way::name(below)), Led::Outside),
                    Led::Nowhere => true,
                    Led::Outside => false,
                }
            },
        )
    }

    /// Follows `path` from the directory `from`, which has no symbolic link in it.
    fn walk(&self, from: &[u8], path: &[u8]) -> Led {
        let names = |path: &[u8]| -> Vec<Vec<u8>> {
            path.split(|byte| *byte == b'/').rev().map(<[u8]>::to_vec).collect()
        };
        let (mut reached, mut left, mut links) = (from.to_vec(), names(path), 0);
        while let Some(name) = left.pop() {
            match name.as_slice() {
                b"" | b"." => continue,
                b".." => {
                    reached.truncate(way::parent(&reached).len());
                    continue;
                }
                name => way::push(&mut reached, name),
            }
            let is_on_the_way = way::below(&self.real, &reached).is_some();
            if is_on_the_way {
                continue;
            }
            match fs::read_link(Path::new(OsStr::from_bytes(&reached))) {
                Ok(_) if links == LINKS_MAX => return Led::Nowhere,
                Ok(target) => {
                    let target = target.as_os_str().as_bytes();
                    let is_absolute = target.starts_with(b"/");
                    reached.truncate(if is_absolute { 0 } else { way::parent(&reached).len() });
                    if is_absolute {
                        reached.push(b'/');
                    }
                    left.extend(names(target));
                    links += 1;
                }
                Err(_) if way::below(&reached, &self.real).is_none() => return Led::Outside,
                // It exists, and is no symbolic link.
                Err(error) if error.raw_os_error() == Some(libc::EINVAL) => {}
                Err(_) => return Led::Nowhere,
            }
        }
        if way::below(&reached, &self.real).is_some() {
            Led::To(reached.into())
        } else {
            Led::Outside
        }
    }
}

/// The view that a link has of files.
pub(super) struct Sight<'f> {
    pub(super) files: &'f Files,
    /// The wall around it, if there is one.
    pub(super) wall: Option<Arc<Wall>>,
    /// The first path that could not be looked up, and the number of the error.
    failure: RefCell<Option<(Vec<u8>, i32)>>,
}

impl<'f> Sight<'f> {
    /// Creates a view of `files` that is restricted by `wall`.
    pub(super) const fn new(files: &'f Files, wall: Option<Arc<Wall>>) -> Self {
        Self { files, wall, failure: RefCell::new(None) }
    }

    /// Returns the first path that could not be looked up for the link, and the number of the
    /// error.
    pub(super) fn failure(&self) -> Option<(Vec<u8>, i32)> {
        self.failure.borrow().clone()
    }

    /// Reports whether `path` stays inside the wall; always, without one.
    pub(super) fn reaches(&self, path: &[u8]) -> bool {
        self.wall.as_ref().is_none_or(|wall| wall.holds(path))
    }

    /// Returns the kind of the file at `path`, with symbolic links followed.
    pub(super) fn kind(&self, path: &[u8]) -> Kind {
        if !self.reaches(path) {
            return Kind::Outside;
        }
        let kind = self.files.kind(path);
        if let Kind::Unknown(code) = kind {
            self.failure.borrow_mut().get_or_insert_with(|| (path.to_vec(), code));
        }
        kind
    }

    /// Returns the names in `directory`.
    pub(super) fn listing(&self, directory: &[u8]) -> Option<Arc<Listing>> {
        self.reaches(directory).then(|| self.files.listing(directory)).flatten()
    }

    /// Returns the site whose source is `directory`, if it is one.
    pub(super) fn site(&self, directory: &[u8]) -> Option<Arc<Site>> {
        let tells = |name: &&[u8]| self.reaches(&site::inside(directory, name));
        let is_seen = self.reaches(directory) && site::TELLING.iter().all(tells);
        is_seen.then(|| self.files.site(directory)).flatten()
    }
}
