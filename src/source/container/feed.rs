//! Buffers a stream with lookahead, and counts the bytes that are taken.
//!
//! Decoders stop after their last byte, and formats are recognised by the bytes that follow. The
//! readers of `std` show only the bytes they happen to hold, perhaps one.

use std::io::{self, BufRead, ErrorKind, Read};

#[cfg(feature = "archives")]
use super::ahead::{Ahead, Part};

/// Size of most buffers in bytes; lookahead is never longer.
const STORAGE_LEN: usize = 64 * 1024;

/// Bytes before the next one that a feed can return to, if it keeps any.
pub(super) const KEPT_LEN: usize = 16 * 1024;

/// Bytes before the next one that the feed of a web archive can return to. A decoder that meets
/// another member within its own takes it for more of its codes, up to one that ends its block: on
/// average for 2^15 codes of some nine bits, 36 KiB, since no code has more than 15 bits (RFC 1951
/// §3.2.7). One member of a thousand is longer than this.
#[cfg(feature = "archives")]
const MEMBERS_KEPT_LEN: usize = 256 * 1024;

/// A stream of packed bytes.
pub(in crate::source) struct Feed<'i> {
    inner: Inner<'i>,
    storage: Box<[u8]>,
    start: usize,
    end: usize,
    consumed: u64,
    is_ended: bool,
    is_missed: bool,
    /// Most taken bytes that stay in the buffer.
    kept: usize,
    /// Number of lookahead searches that found nothing.
    vain_searches: u32,
    /// The error of reading ahead, returned as soon as more than the buffered bytes is needed.
    failed: Option<io::Error>,
    /// Whether a read that gives few bytes, as those of pipes do, is followed by others.
    fills: bool,
}

/// The reader of the bytes.
enum Inner<'i> {
    Plain(&'i mut dyn Read),
    #[cfg(feature = "archives")]
    Ahead(Box<Ahead<'i>>),
}

impl Read for Inner<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(inner) => inner.read(out),
            #[cfg(feature = "archives")]
            Self::Ahead(inner) => inner.read(out),
        }
    }
}

#[cfg(feature = "archives")]
impl<'i> Feed<'i> {
    /// Returns a feed that is read ahead of its decoder.
    pub(super) fn ahead(ahead: Ahead<'i>) -> Self {
        Self::of(Inner::Ahead(Box::new(ahead)))
    }

    /// Reports whether it is read ahead of its decoder.
    pub(super) const fn is_ahead(&self) -> bool {
        matches!(self.inner, Inner::Ahead(_))
    }

    /// Returns the part that begins at the bit `at`, if another thread has decoded it.
    pub(super) fn part(&mut self, at: u64) -> Option<Part> {
        match &mut self.inner {
            Inner::Plain(_) => None,
            Inner::Ahead(ahead) => ahead.part(at),
        }
    }

    /// Takes the buffer of a part whose text was passed on.
    pub(super) fn reuse(&mut self, text: Vec<u8>) {
        if let Inner::Ahead(ahead) = &mut self.inner {
            ahead.reuse(text);
        }
    }

    /// Lets no part be decoded until one is wanted again.
    pub(super) fn rest_ahead(&mut self) {
        if let Inner::Ahead(ahead) = &mut self.inner {
            ahead.rest();
        }
    }

    /// If it keeps taken bytes, keeps as many from now on as members of web archives need. The
    /// buffer is twice as long, so that few bytes are moved.
    pub(super) fn keep_members(&mut self) {
        let len = 2 * MEMBERS_KEPT_LEN;
        if self.kept == 0 || self.storage.len() >= len {
            return;
        }
        let mut storage = std::mem::take(&mut self.storage).into_vec();
        storage.resize(len, 0);
        (self.storage, self.kept) = (storage.into_boxed_slice(), MEMBERS_KEPT_LEN);
    }

    /// Returns the buffered bytes, none if all are taken.
    pub(super) fn buffered(&self) -> &[u8] {
        self.held()
    }
}

impl<'i> Feed<'i> {
    pub(in crate::source) fn new(inner: &'i mut dyn Read) -> Self {
        Self::of(Inner::Plain(inner))
    }

    /// Reads no more bytes than are wanted.
    pub(super) fn stop_ahead(&mut self) {
        #[cfg(feature = "archives")]
        if let Inner::Ahead(ahead) = &mut self.inner {
            ahead.stop();
        }
    }

    fn of(inner: Inner<'i>) -> Self {
        let storage = vec![0; STORAGE_LEN].into_boxed_slice();
        let (start, end, consumed) = (0, 0, 0);
        let (is_ended, is_missed, vain_searches, failed) = (false, false, 0, None);
        Self {
            inner,
            storage,
            start,
            end,
            consumed,
            is_ended,
            is_missed,
            kept: 0,
            vain_searches,
            failed,
            fills: false,
        }
    }

    /// Fills the buffer with each read: how much a decoder gives before it finds a fault depends on
    /// how many bytes it sees, and must not depend on who writes to a pipe, and when.
    pub(super) const fn filled(mut self) -> Self {
        self.fills = true;
        self
    }

    /// Keeps the last [`KEPT_LEN`] taken bytes from now on.
    pub(super) const fn keep(&mut self) {
        self.kept = KEPT_LEN;
    }

    /// Returns to the offset `to`, or to the first of the kept bytes if that is later.
    pub(super) fn return_to(&mut self, to: u64) {
        let back = usize::try_from(self.consumed.saturating_sub(to)).unwrap_or(usize::MAX);
        let back = back.min(self.kept).min(self.start);
        self.start -= back;
        self.consumed -= back as u64;
    }

    /// Returns a feed whose first byte is at `offset` of the whole.
    pub(in crate::source) fn at(offset: u64, inner: &'i mut dyn Read) -> Self {
        Self { consumed: offset, ..Self::new(inner) }
    }

    /// Returns the offset of the next byte to be taken.
    pub(in crate::source) const fn consumed(&self) -> u64 {
        self.consumed
    }

    /// Reports whether a read, even one ahead, has met the end.
    pub(in crate::source) const fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// Reports whether a read that takes bytes has met the end; lookahead takes none.
    pub(in crate::source) const fn is_missed(&self) -> bool {
        self.is_missed
    }

    /// Counts a lookahead search that found nothing.
    pub(in crate::source) const fn search_in_vain(&mut self) {
        self.vain_searches = self.vain_searches.saturating_add(1);
    }

    /// Returns how many searches found nothing.
    pub(in crate::source) const fn vain_searches(&self) -> u32 {
        self.vain_searches
    }

    /// Begins with this number of searches that found nothing.
    pub(in crate::source) const fn set_vain_searches(&mut self, count: u32) {
        self.vain_searches = count;
    }

    fn held(&self) -> &[u8] {
        self.storage.get(self.start..self.end).unwrap_or_default()
    }

    /// Returns the next `len` bytes, fewer only at the end.
    pub(in crate::source) fn peek(&mut self, len: usize) -> io::Result<&[u8]> {
        if self.end - self.start < len {
            self.make_room();
            while self.end - self.start < len && self.read_more()? > 0 {}
        }
        let held = self.held();
        Ok(held.get(..len).unwrap_or(held))
    }

    /// Returns the next `len` bytes, fewer only at the end and where reading fails.
    pub(in crate::source) fn peek_most(&mut self, len: usize) -> io::Result<&[u8]> {
        while self.end - self.start < len && self.hold_more()? {}
        let held = self.held();
        Ok(held.get(..len).unwrap_or(held))
    }

    /// Returns the next line with its end, or its first `len_max` bytes; less only at the end and
    /// where reading fails.
    pub(in crate::source) fn peek_line(&mut self, len_max: usize) -> io::Result<&[u8]> {
        let mut looked_at = 0;
        loop {
            let near = self.held().get(..len_max).unwrap_or(self.held());
            let unseen = near.get(looked_at..).unwrap_or_default();
            if let Some(feed) = memchr::memchr(b'\n', unseen) {
                looked_at += feed + 1;
                break;
            }
            looked_at = near.len();
            if looked_at == len_max || !self.hold_more()? {
                break;
            }
        }
        Ok(self.held().get(..looked_at).unwrap_or_default())
    }

    /// Buffers more bytes; returns false when there are none. An error waits until all buffered
    /// bytes are taken.
    fn hold_more(&mut self) -> io::Result<bool> {
        self.make_room();
        match self.read_more() {
            Ok(len) => Ok(len > 0),
            Err(error) if self.start == self.end => Err(error),
            Err(error) => {
                self.failed = Some(error);
                Ok(false)
            }
        }
    }

    /// Moves the buffered bytes, and the kept ones before them, to the start of the buffer.
    fn make_room(&mut self) {
        let kept = self.kept.min(self.start);
        let from = self.start - kept;
        self.storage.copy_within(from..self.end, 0);
        (self.start, self.end) = (kept, self.end - from);
    }

    fn read_more(&mut self) -> io::Result<usize> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let room = self.storage.get_mut(self.end..).unwrap_or_default();
        let (len, error) = read_some(&mut self.inner, room, self.fills)?;
        self.failed = error;
        self.is_ended |= len == 0;
        self.end += len;
        Ok(len)
    }

    /// Skips `len` bytes; returns how many were missing at the end.
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

    /// Skips all remaining bytes.
    pub(in crate::source) fn drain(&mut self) -> io::Result<()> {
        self.skip(u64::MAX).map(|_| ())
    }

    /// Takes the next line with its end if that comes within `len_max` bytes; takes nothing
    /// otherwise.
    pub(in crate::source) fn line(&mut self, len_max: usize) -> io::Result<Option<Vec<u8>>> {
        let line = self.peek_line(len_max)?;
        if line.ends_with(b"\n") {
            let line = line.to_vec();
            self.consume(line.len());
            return Ok(Some(line));
        }
        self.failed.take().map_or(Ok(None), Err)
    }
}

impl Read for Feed<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // Large reads bypass the buffer.
        let is_empty = self.start == self.end && self.failed.is_none();
        if is_empty && out.len() >= self.storage.len() {
            let (len, error) = read_some(&mut self.inner, out, self.fills)?;
            self.failed = error;
            self.is_ended |= len == 0;
            self.is_missed |= len == 0;
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
            self.make_room();
            self.is_missed |= self.read_more()? == 0;
        }
        Ok(self.held())
    }

    fn consume(&mut self, len: usize) {
        self.start = self.end.min(self.start + len);
        self.consumed += len as u64;
    }
}

/// Reads once, or until `out` is full if `fills`. Returns an error that came after bytes with them.
fn read_some(
    inner: &mut Inner<'_>,
    out: &mut [u8],
    fills: bool,
) -> io::Result<(usize, Option<io::Error>)> {
    let mut len = 0;
    loop {
        let room = out.get_mut(len..).unwrap_or_default();
        match inner.read(room) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if len > 0 => return Ok((len, Some(error))),
            Err(error) => return Err(error),
            Ok(more) => {
                len += more;
                if more == 0 || !fills || len == out.len() {
                    return Ok((len, None));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Feed, STORAGE_LEN};
    use std::io::{self, ErrorKind, Read};

    /// Fails once, and has nothing more to say, as decoders do.
    struct Failing(bool);

    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.0, true) {
                Ok(0)
            } else {
                Err(ErrorKind::InvalidData.into())
            }
        }
    }

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
        assert!(seen == text && feed.is_ended() && feed.is_missed());
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

    #[test]
    fn what_stands_before_a_failure_is_given_before_it_is_told() {
        let mut input = b"one\ntwo\nthree".chain(Failing(false));
        let mut feed = Feed::new(&mut input);
        assert_eq!(feed.line(64).unwrap().as_deref(), Some(&b"one\n"[..]));
        assert_eq!(feed.line(64).unwrap().as_deref(), Some(&b"two\n"[..]));
        assert_eq!(feed.peek_line(64).unwrap(), b"three");
        assert_eq!(feed.peek_most(64).unwrap(), b"three");
        let mut out = vec![0; 2 * STORAGE_LEN];
        assert_eq!(feed.read(&mut out).unwrap(), 5);
        assert_eq!(feed.read(&mut out).unwrap_err().kind(), ErrorKind::InvalidData);

        let mut input = b"one".chain(Failing(false));
        let mut feed = Feed::new(&mut input);
        assert_eq!(feed.peek_line(2).unwrap(), b"on");
        assert_eq!(feed.line(64).unwrap_err().kind(), ErrorKind::InvalidData);
    }
}
