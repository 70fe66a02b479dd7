//! Identifies a file that has one name and is reached through no link.
//!
//! The author of a directory that others check may put a configuration file into it, which names a
//! state file. By a link in that place, or by a file that takes its place between the check and the
//! opening, the run would write to another file of the user.

use std::fs;
use std::path::{Path, PathBuf};

use super::problem::{Foreign, Problem};
use crate::platform::{self, Identity};

/// A regular file with one name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sole(Identity);

impl Sole {
    /// Returns the file at `path`, which is neither a link nor a device.
    pub(super) fn at(path: &Path) -> Result<Self, Problem> {
        let found = fs::symlink_metadata(path)?;
        if found.is_symlink() {
            return Err(Problem::Foreign(Foreign::Linked));
        }
        if !found.is_file() {
            return Err(Problem::Foreign(Foreign::NoFile));
        }
        match platform::names_of(path, &found) {
            Some((identity, 1)) => Ok(Self(identity)),
            _ => Err(Problem::Foreign(Foreign::Linked)),
        }
    }

    /// Checks that the file is still at `path`, and that this process has it open, if the system
    /// lists the open files.
    pub(super) fn check_open(&self, path: &Path) -> Result<(), Problem> {
        if Self::at(path)? == *self && platform::has_open(self.0) != Some(false) {
            return Ok(());
        }
        Err(Problem::Foreign(Foreign::Changed))
    }
}

/// Returns the whole of `path`, which is below the directory `top` and through no link there.
pub(super) fn path_below(top: &Path, path: &Path) -> Result<PathBuf, Problem> {
    let linked = || Problem::Foreign(Foreign::Linked);
    let below = path.strip_prefix(top).unwrap_or(path);
    let whole = platform::canonicalize(top)?.join(below);
    let parent = whole.parent().ok_or_else(linked)?;
    if platform::canonicalize(parent)? != parent {
        return Err(linked());
    }
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::Sole;
    use crate::platform::{self, symlink};

    #[test]
    fn a_file_has_one_name_and_is_open_as_long_as_it_is() {
        let home = tempfile::tempdir().unwrap();
        let [path, other] = ["a", "b"].map(|name| home.path().join(name));
        let file = File::create(&path).unwrap();
        let sole = Sole::at(&path).unwrap();
        sole.check_open(&path).unwrap();
        drop(file);
        if platform::has_open(sole.0).is_some() {
            sole.check_open(&path).unwrap_err();
        }
        symlink(&path, &other).unwrap();
        Sole::at(&other).unwrap_err();
        fs::remove_file(&other).unwrap();
        fs::hard_link(&path, &other).unwrap();
        Sole::at(&path).unwrap_err();
        Sole::at(home.path()).unwrap_err();
    }
}
