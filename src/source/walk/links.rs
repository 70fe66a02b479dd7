//! Files that a walk meets under several names, and files that it must not read at all.

use std::collections::HashMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;

/// Files with several names that are remembered until all of these were met: some 15 MB. A
/// spool keeps the names of an article near each other in time, but not in a walk.
const LINKS_MAX: usize = 7 << 16;

/// What a run knows of files by device and inode.
#[derive(Debug, Default)]
pub struct Identities {
    /// The files that the run writes to: to read what one writes may have no end.
    own: Vec<(u64, u64)>,
    /// Names of files that were met once, and how many names are left.
    links: HashMap<(u64, u64), u64>,
    is_full: bool,
}

/// What is known of a file that a walk comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Met {
    /// It is to be read.
    New,
    /// It is to be read, and it will be again: for the first time, there was no room to
    /// remember one.
    Forgotten,
    /// It was met under another name.
    Again,
    /// The run writes to it.
    Own,
}

impl Identities {
    /// Nothing but the files that the run writes to.
    #[must_use]
    pub fn new(own: Vec<(u64, u64)>) -> Self {
        Self { own, ..Self::default() }
    }

    /// True for a file that the run writes to.
    pub(super) fn is_own(&self, file: &Metadata) -> bool {
        self.own.contains(&(file.dev(), file.ino()))
    }

    /// What is known of `file`, which is read once, or under each of its names: nobody asks that of
    /// a file with one.
    pub(super) fn meet(&mut self, file: &Metadata, is_read_again: impl FnOnce() -> bool) -> Met {
        let names = file.nlink();
        let names = if names > 1 && is_read_again() { 1 } else { names };
        self.meet_one((file.dev(), file.ino()), names)
    }

    /// A file with `names` names.
    fn meet_one(&mut self, identity: (u64, u64), names: u64) -> Met {
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
