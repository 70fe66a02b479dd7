//! Shows the packed bytes of a member of gzip to its decoder, and pauses where another member
//! begins.
//!
//! A decoder takes a member that follows a truncated one for more of the truncated one, and may
//! make much text of it before it fails. At the pause, it has given all text of the bytes before.

use std::io::{self, BufRead, Read};

use super::{GZIP_HEADER_LEN, Source, is_member};

/// The bytes of one member, up to the next that begins.
pub(super) struct Fence<'f, 'i> {
    pub(super) feed: Source<'f, 'i>,
    /// Bytes from the next one on, within which no member begins.
    clear: usize,
    is_paused: bool,
}

impl<'f, 'i> Fence<'f, 'i> {
    pub(super) const fn new(feed: Source<'f, 'i>) -> Self {
        Self { feed, clear: 0, is_paused: false }
    }

    /// Reports whether a member begins at the next byte, which is not shown yet.
    pub(super) const fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Shows the member that begins here as well.
    pub(super) fn pass(&mut self) -> io::Result<()> {
        self.is_paused = false;
        self.look(1)
    }

    /// Searches the buffered bytes for a member that begins after the next `from` bytes.
    fn look(&mut self, from: usize) -> io::Result<()> {
        self.feed.peek_most(GZIP_HEADER_LEN)?;
        let held = self.feed.buffered();
        let rest = held.get(from..).unwrap_or_default();
        let found = memchr::memmem::find_iter(rest, b"\x1F\x8B\x08")
            .map(|at| from + at)
            .find(|at| held.get(*at..).is_some_and(is_member));
        // A header may begin in the last bytes, except in those at the end.
        let whole = (held.len() + 1).saturating_sub(GZIP_HEADER_LEN);
        self.clear = found.unwrap_or(if whole == 0 { held.len() } else { whole });
        Ok(())
    }
}

impl BufRead for Fence<'_, '_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.clear == 0 && !self.is_paused {
            self.look(0)?;
            self.is_paused = self.clear == 0 && !self.feed.fill_buf()?.is_empty();
        }
        if self.is_paused {
            return Ok(&[]);
        }
        let held = self.feed.fill_buf()?;
        Ok(held.get(..self.clear).unwrap_or(held))
    }

    fn consume(&mut self, len: usize) {
        self.clear = self.clear.saturating_sub(len);
        self.feed.consume(len);
    }
}

impl Read for Fence<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(out)?;
        self.consume(len);
        Ok(len)
    }
}
