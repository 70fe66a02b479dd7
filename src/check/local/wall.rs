//! Keeps links in a tree that nothing may leave.
//!
//! The path of a link cannot leave its tree, but symbolic links on it can. They are followed here
//! one name at a time, by their own words (POSIX.1-2024, Base Definitions §4.16, "Pathname
//! Resolution"), and no further than to the first name that is neither in the tree nor on the way
//! to it: nothing elsewhere is looked at, so that no result can reveal it. Not handled: a tree that
//! changes while it is read.

use std::sync::Arc;

use super::files::Files;
use super::memory::Memory;
use super::path;

use crate::platform::{self, OsBytes as _, path_of};

/// Most symbolic links on one path; Linux follows as many (`path_resolution(7)`).
const LINKS_MAX: usize = 40;

/// Walls around trees, by their directories.
#[derive(Default)]
pub(super) struct Walls(Memory<Arc<Wall>>);

impl Walls {
    /// Returns the wall around `directory`.
    pub(super) fn around(&self, directory: &[u8], files: &Files) -> Arc<Wall> {
        self.0.of(directory, |_| size_of::<Wall>(), || Arc::new(Wall::around(directory, files)))
    }
}

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
    fn around(directory: &[u8], files: &Files) -> Self {
        // A directory that cannot be resolved holds only paths that are spelled as it is.
        let real = files.real(directory).unwrap_or_else(|| directory.to_vec());
        let (held, directories) = (Memory::default(), Memory::default());
        Self { spelled: directory.to_vec(), real, held, directories }
    }

    /// Reports whether `path` begins as the tree does, and does not lead out of it.
    pub(super) fn holds(&self, path: &[u8]) -> bool {
        self.held.of(
            path,
            |_| 0,
            || {
                let Some(below) = path.strip_prefix(self.spelled.as_slice()) else { return false };
                let directory = path::parent(below);
                let weight = |led: &Led| if let Led::To(real) = led { real.len() } else { 0 };
                match self.directories.of(directory, weight, || self.walk(&self.real, directory)) {
                    Led::To(real) => !matches!(self.walk(&real, path::name(below)), Led::Outside),
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
                    reached.truncate(path::parent(&reached).len());
                    continue;
                }
                name => path::push(&mut reached, name),
            }
            let is_on_the_way = path::below(&self.real, &reached).is_some();
            if is_on_the_way {
                continue;
            }
            match platform::read_link(&path_of(&reached)) {
                Ok(Some(_)) if links == LINKS_MAX => return Led::Nowhere,
                Ok(Some(target)) => {
                    let target = target.as_os_str().as_bytes();
                    let root = platform::root_of(target).unwrap_or_default();
                    if root.is_empty() {
                        reached.truncate(path::parent(&reached).len());
                    } else {
                        root.clone_into(&mut reached);
                    }
                    left.extend(names(target.get(root.len()..).unwrap_or_default()));
                    links += 1;
                }
                _ if path::below(&reached, &self.real).is_none() => return Led::Outside,
                Ok(None) => {}
                Err(_) => return Led::Nowhere,
            }
        }
        if path::below(&reached, &self.real).is_some() {
            Led::To(reached.into())
        } else {
            Led::Outside
        }
    }
}
