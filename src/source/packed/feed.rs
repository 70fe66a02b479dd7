//! A reader that shows what comes next before it is taken, and counts what was taken.
//!
//! Decoders stop behind the last byte that is theirs, and formats are told by the bytes that
//! follow. The readers of `std` show what they happen to hold, which may be one byte.

use std::io::{self, BufRead, ErrorKind, Read};

/// Bytes that are read at a time; what is shown is never longer.
const STORAGE_LEN: usize = 64 * 1024;

/// A stream of packed bytes.
pub(in crate::source) struct Feed<'i> {
    inner: &'i mut dyn Read,
    storage: Box<[u8]>,
    start: usize,
    end: usize,
    consumed: u64,
    is_ended: bool,
}

impl<'i> Feed<'i> {
    pub(in crate::source) fn new(inner: &'i mut dyn Read) -> Self {
        let storage = vec![0; STORAGE_LEN].into_boxed_slice();
        Self { inner, storage, start: 0, end: 0, consumed: 0, is_ended: false }
    }

    /// Bytes taken so far.
    pub(in crate::source) const fn consumed(&self) -> u64 {
        self.consumed
    }

    /// True when somebody asked for more than there was.
    pub(in crate::source) const fn is_ended(&self) -> bool {
        self.is_ended
    }

    fn held(&self) -> &[u8] {
        self.storage.get(self.start..self.end).unwrap_or_default()
    }

    /// The next `len` bytes, fewer only at the end.
    pub(in crate::source) fn peek(&mut self, len: usize) -> io::Result<&[u8]> {
        if self.end - self.start < len {
            self.storage.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            while self.end < len && self.read_more()? > 0 {}
        }
        let held = self.held();
        Ok(held.get(..len).unwrap_or(held))
    }

    fn read_more(&mut self) -> io::Result<usize> {
        let room = self.storage.get_mut(self.end..).unwrap_or_default();
        let len = read_some(self.inner, room)?;
        self.is_ended |= len == 0;
        self.end += len;
        Ok(len)
    }

    /// Takes `len` bytes and looks at none; gives how many were missing at the end.
    pub(in crate::source) fn skip(&mut self, len: u64) -> io::Result<u64> {
        let mut left = len;
        while left > 0 {
            let held = self.fill_buf()?.len();
            if held == 0 {
                return Ok(left);
            }
            let len = usize::try_from(left).unwrap_or(held).min(held);
            self.consume(len);
            left -= len as u64;
        }
        Ok(0)
    }

    /// Takes all the rest.
    pub(in crate::source) fn drain(&mut self) -> io::Result<()> {
        self.skip(u64::MAX).map(|_| ())
    }

    /// Takes the next line with its end, if that comes within `len_max` bytes; else nothing.
    pub(in crate::source) fn line(&mut self, len_max: usize) -> io::Result<Option<Vec<u8>>> {
        let shown = self.peek(len_max)?;
        let Some(feed) = memchr::memchr(b'\n', shown) else { return Ok(None) };
        let line = shown.get(..=feed).unwrap_or_default().to_vec();
        self.consume(line.len());
        Ok(Some(line))
    }
}

impl Read for Feed<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // What is large enough goes past the storage.
        if self.start == self.end && out.len() >= self.storage.len() {
            let len = read_some(self.inner, out)?;
            self.is_ended |= len == 0;
            self.consumed += len as u64;
            return Ok(len);
        }
        let len = self.fill_buf()?.read(out)?;
        self.consume(len);
        Ok(len)
    }
}

impl BufRead for Feed<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            self.read_more()?;
        }
        Ok(self.held())
    }

    fn consume(&mut self, len: usize) {
        self.start = self.end.min(self.start + len);
        self.consumed += len as u64;
    }
}

fn read_some(inner: &mut dyn Read, out: &mut [u8]) -> io::Result<usize> {
    loop {
        match inner.read(out) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Feed, STORAGE_LEN};
    use std::io::Read as _;

    #[test]
    fn what_is_shown_is_not_taken() {
        let text: Vec<u8> = (0..=255).cycle().take(3 * STORAGE_LEN).collect();
        let mut input = &text[..];
        let mut feed = Feed::new(&mut input);
        let mut seen = Vec::new();
        for step in (1..).step_by(977) {
            let shown = feed.peek(step % 4096).unwrap().to_vec();
            let mut out = vec![0; step % 100_000];
            let len = feed.read(&mut out).unwrap();
            let both = len.min(shown.len());
            assert_eq!(out[..both], shown[..both]);
            seen.extend_from_slice(&out[..len]);
            assert_eq!(feed.consumed(), seen.len() as u64);
            if len == 0 && !out.is_empty() {
                break;
            }
        }
        assert!(seen == text && feed.is_ended());
    }

    #[test]
    fn lines_are_taken_whole_or_not_at_all() {
        let mut input = &b"one\r\ntwo\nthree"[..];
        let mut feed = Feed::new(&mut input);
        assert_eq!(feed.line(3).unwrap(), None);
        assert_eq!(feed.line(5).unwrap().as_deref(), Some(&b"one\r\n"[..]));
        assert_eq!(feed.line(64).unwrap().as_deref(), Some(&b"two\n"[..]));
        assert_eq!(feed.line(64).unwrap(), None);
        assert_eq!(feed.skip(7).unwrap(), 2);
        assert_eq!(feed.consumed(), 14);
    }
}
