//! Reads the next bytes of a container: the content of a member.

use std::io::{self, Read};

use super::{Cut, Fault, Feed};

/// A reader of the next `left` bytes of a feed. An earlier end of the feed is a fault of the
/// container.
pub(in crate::source) struct Share<'f, 'i> {
    feed: &'f mut Feed<'i>,
    left: u64,
    scope: usize,
}

impl<'f, 'i> Share<'f, 'i> {
    pub(in crate::source) const fn new(feed: &'f mut Feed<'i>, left: u64, scope: usize) -> Self {
        Self { feed, left, scope }
    }

    /// Skips the remaining bytes.
    pub(in crate::source) fn drain(self) -> io::Result<()> {
        match self.feed.skip(self.left)? {
            0 => Ok(()),
            _ => Err(self.truncated()),
        }
    }

    fn truncated(&self) -> io::Error {
        let (offset, cause) = (Some(self.feed.consumed()), Cut::Bytes(self.left).into());
        Fault { scope: self.scope, offset, cause }.into()
    }
}

impl Read for Share<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = usize::try_from(self.left).unwrap_or(out.len()).min(out.len());
        let len = match out.get_mut(..len) {
            None | Some([]) => return Ok(0),
            Some(out) => self.feed.read(out)?,
        };
        self.left -= len as u64;
        if len == 0 { Err(self.truncated()) } else { Ok(len) }
    }
}
