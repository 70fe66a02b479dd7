//! Recognises files that a walk meets under several names, and files that it must not read.

use std::collections::HashMap;
use std::fs::Metadata;
use std::path::Path;

use crate::platform::{self, Identity};

/// Maximum number of files remembered until all of their names were met: some 15 MB. A spool
/// creates the names of an article at about the same time, but a walk meets them far apart.
const LINKS_MAX: usize = 7 << 16;

/// The files of a run, by their identities.
#[derive(Debug, Default)]
pub struct Identities {
    /// Files that the run writes to: reading one's own output might never end.
    own: Vec<Identity>,
    /// Files that were met, and the number of their names that were not.
    links: HashMap<Identity, u64>,
    is_full: bool,
}

/// The relation of a file to those met before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Met {
    /// A file to be read.
    New,
    /// A file to be read, and again under its other names: the first one for which there was no
    /// room to remember it.
    Forgotten,
    /// A file that was met under another name.
    Again,
    /// A file that the run writes to.
    Own,
}

impl Identities {
    /// Returns a set that holds only the files that the run writes to.
    #[must_use]
    pub fn new(own: Vec<Identity>) -> Self {
        Self { own, ..Self::default() }
    }

    /// Reports whether the run writes to the file at `path`, whose metadata is `file`.
    pub(super) fn is_own(&self, path: &Path, file: &Metadata) -> bool {
        let is_own = |identity| self.own.contains(&identity);
        !self.own.is_empty() && platform::identity(path, file).is_some_and(is_own)
    }

    /// Returns the relation of the file at `path`, whose metadata is `file`, to those met before.
    /// `is_read_again` reports whether it is to be read under each of its names; it is not called
    /// for a file with one name.
    pub(super) fn meet(
        &mut self,
        path: &Path,
        file: &Metadata,
        is_read_again: impl FnOnce() -> bool,
    ) -> Met {
        let Some((identity, names)) = platform::names_of(path, file) else { return Met::New };
        let names = if names > 1 && is_read_again() { 1 } else { names };
        self.meet_one(identity, names)
    }

    /// Returns the relation of a file with `names` names.
    fn meet_one(&mut self, identity: Identity, names: u64) -> Met {
        if self.own.contains(&identity) {
            return Met::Own;
        }
        if names < 2 {
            return Met::New;
        }
        if let Some(left) = self.links.get_mut(&identity) {
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.links.remove(&identity);
            }
            return Met::Again;
        }
        if self.links.len() < LINKS_MAX {
            self.links.insert(identity, names - 1);
            return Met::New;
        }
        if std::mem::replace(&mut self.is_full, true) { Met::New } else { Met::Forgotten }
    }
}

#[cfg(test)]
mod tests {
    use super::{Identities, LINKS_MAX, Met};

    #[test]
    fn a_file_is_read_under_one_of_its_names() {
        let mut files = Identities::new(vec![(1, 1)]);
        assert_eq!(files.meet_one((1, 1), 3), Met::Own);
        assert_eq!(files.meet_one((1, 2), 1), Met::New);
        assert_eq!(files.meet_one((1, 2), 1), Met::New);
        assert_eq!(files.meet_one((1, 3), 3), Met::New);
        assert_eq!(files.meet_one((2, 3), 2), Met::New, "another device");
        assert_eq!(files.meet_one((1, 3), 3), Met::Again);
        assert_eq!(files.meet_one((1, 3), 3), Met::Again);
        assert_eq!(files.links.len(), 1, "what has no more names is forgotten");
    }

    #[test]
    fn what_there_is_no_room_for_is_said_once() {
        let mut files = Identities::default();
        let max = LINKS_MAX as u64;
        assert!((0..max).all(|file| files.meet_one((1, file), 2) == Met::New));
        assert_eq!(files.meet_one((1, max), 2), Met::Forgotten);
        assert_eq!(files.meet_one((1, max), 2), Met::New);
        assert_eq!(files.meet_one((1, 5), 2), Met::Again);
        assert_eq!(files.meet_one((1, max), 2), Met::New, "there is room again");
        assert_eq!(files.meet_one((1, max), 2), Met::Again);
    }
}
