//! Limits what one link learns of files: all of them, or those in the tree that holds it.

use std::cell::RefCell;
use std::sync::Arc;

use super::files::{FileKind, Files, Listing};
use super::wall::Wall;

/// The files that a link may learn of.
pub(super) struct Sight<'f> {
    pub(super) files: &'f Files,
    /// The tree that holds it, if any does.
    pub(super) wall: Option<Arc<Wall>>,
    /// The first path that could not be looked up, and the error.
    failure: RefCell<Option<(Vec<u8>, i32)>>,
}

impl<'f> Sight<'f> {
    /// Returns the sight of a link that `wall` holds.
    pub(super) const fn new(files: &'f Files, wall: Option<Arc<Wall>>) -> Self {
        Self { files, wall, failure: RefCell::new(None) }
    }

    /// Returns the first path that could not be looked up for the link, and the error.
    pub(super) fn failure(&self) -> Option<(Vec<u8>, i32)> {
        self.failure.borrow().clone()
    }

    /// Reports whether `path` stays in the tree that holds the link.
    pub(super) fn reaches(&self, path: &[u8]) -> bool {
        self.wall.as_ref().is_none_or(|wall| wall.holds(path))
    }

    /// Returns the kind of the file at `path`, after symbolic links.
    pub(super) fn kind(&self, path: &[u8]) -> FileKind {
        if !self.reaches(path) {
            return FileKind::Outside;
        }
        let kind = self.files.kind(path);
        if let FileKind::Unknown(code) = kind {
            self.failure.borrow_mut().get_or_insert_with(|| (path.to_vec(), code));
        }
        kind
    }

    /// Returns the names in `directory`; `None` if it is outside of the tree or unreadable.
    pub(super) fn listing(&self, directory: &[u8]) -> Option<Arc<Listing>> {
        self.reaches(directory).then(|| self.files.listing(directory)).flatten()
    }
}
