//! Tracks elements of a feed that have a base of their own (XML Base §4). It is also the base of
//! the links in their own attributes.

use crate::source::markup::Scope;

/// Most nested elements with a base; deeper ones have the base of the last. Feeds have one at the
/// root, one at an entry, and one at its text.
const DEPTH_MAX: usize = 16;

/// The open elements that have a base.
#[derive(Default)]
pub(super) struct Scopes<'t> {
    open: Vec<Open<'t>>,
    /// The offsets where they begin and end.
    pub(super) marks: Vec<(usize, Scope)>,
}

/// An open element.
struct Open<'t> {
    name: &'t [u8],
    /// The number of open elements of that name: this one, and those in it.
    count: usize,
}

impl<'t> Scopes<'t> {
    /// Counts an element called `name` that begins.
    pub(super) fn begin(&mut self, name: &[u8]) {
        if let Some(open) = self.innermost(name).and_then(|level| self.open.get_mut(level)) {
            open.count += 1;
        }
    }

    /// Adds `base` to the element called `name`, which has begun, and whose tag begins at `at`.
    pub(super) fn enter(&mut self, name: &'t [u8], base: Vec<u8>, at: usize) {
        if self.open.len() >= DEPTH_MAX {
            return;
        }
        // It was counted as an element inside the one around it.
        if let Some(around) = self.innermost(name).and_then(|level| self.open.get_mut(level)) {
            around.count = around.count.saturating_sub(1);
        }
        self.open.push(Open { name, count: 1 });
        self.marks.push((at, Scope::Begins(base)));
    }

    /// Ends an element called `name` at `end`, and with it the open elements in it that have no
    /// end.
    pub(super) fn end(&mut self, name: &[u8], end: usize) {
        let Some(level) = self.innermost(name) else { return };
        let Some(open) = self.open.get_mut(level) else { return };
        open.count = open.count.saturating_sub(1);
        let kept = if open.count == 0 { level } else { level + 1 };
        let ended = self.open.drain(kept..);
        self.marks.extend(ended.map(|_| (end, Scope::Ends)));
    }

    /// Returns the index of the innermost open element of this name.
    fn innermost(&self, name: &[u8]) -> Option<usize> {
        self.open.iter().rposition(|open| open.name == name)
    }
}
