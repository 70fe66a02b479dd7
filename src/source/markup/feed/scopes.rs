//! Elements of a feed that have a base of their own (XML Base §4). What they link to by their
//! attributes starts from it, too.

use crate::source::markup::Scope;

/// Elements with a base in each other, at most; those in more have that of the last. Feeds have
/// one at the root, one at an entry, and one at its text.
const DEPTH_MAX: usize = 16;

/// The elements that are open and have a base.
#[derive(Default)]
pub(super) struct Scopes<'t> {
    open: Vec<Open<'t>>,
    /// Where they begin and end.
    pub(super) marks: Vec<(usize, Scope)>,
}

/// An element that is open.
struct Open<'t> {
    name: &'t [u8],
    /// Elements of that name: it, and those in it.
    count: usize,
}

impl<'t> Scopes<'t> {
    /// An element called `name` begins.
    pub(super) fn begin(&mut self, name: &[u8]) {
        if let Some(open) = self.innermost(name).and_then(|level| self.open.get_mut(level)) {
            open.count += 1;
        }
    }

    /// The element called `name`, which has begun and begins at `at`, has this base.
    pub(super) fn enter(&mut self, name: &'t [u8], base: Vec<u8>, at: usize) {
        if self.open.len() >= DEPTH_MAX {
            return;
        }
        // It is none of those in the one around any more.
        if let Some(around) = self.innermost(name).and_then(|level| self.open.get_mut(level)) {
            around.count = around.count.saturating_sub(1);
        }
        self.open.push(Open { name, count: 1 });
        self.marks.push((at, Scope::Begins(base)));
    }

    /// An element called `name` ends at `end`, and with it what is open in it and has no end.
    pub(super) fn end(&mut self, name: &[u8], end: usize) {
        let Some(level) = self.innermost(name) else { return };
        let Some(open) = self.open.get_mut(level) else { return };
        open.count = open.count.saturating_sub(1);
        let kept = if open.count == 0 { level } else { level + 1 };
        let ended = self.open.drain(kept..);
        self.marks.extend(ended.map(|_| (end, Scope::Ends)));
    }

    /// Which of the open ones that have this name is in no other.
    fn innermost(&self, name: &[u8]) -> Option<usize> {
        self.open.iter().rposition(|open| open.name == name)
    }
}
