//! Reads a stream of HTTP/1 as browsers do: repairs the head of each answer, and the lines between
//! chunks, before hyper sees them.
//!
//! A connection whose answer had to be repaired is closed after it: another reader may see the end
//! of the body elsewhere (RFC 9112 §11.2), and its rest must not become the next answer.

use std::error::Error;
use std::fmt;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::chunks::Chunks;
use super::head::{self, Beginning};
use super::meter::Metered;

/// Maximum number of bytes of a head. Common servers send at most 8 KiB, but a policy for content
/// alone may have 20; browsers read 256 KiB and more.
pub(super) const HEAD_BYTES_MAX: usize = 256 * 1024;

/// Number of bytes of a head that are read at once: most heads arrive in one piece.
const READ_BYTES: usize = 4096;

/// A stream whose answers are repaired.
pub(super) struct Lenient<S> {
    stream: Metered<S>,
    /// The number of requests begun, as the meter counted them.
    requests: u32,
    place: Place,
    /// Bytes of an unfinished head.
    raw: Vec<u8>,
    /// The number of bytes of `raw` that are known not to end it.
    seen: usize,
    /// Whether anything of this answer was repaired.
    is_repaired: bool,
    /// Bytes for the reader, from `taken` on.
    read: Vec<u8>,
    taken: usize,
}

/// The current part of an answer.
enum Place {
    Head,
    Chunks(Chunks),
    /// Passed on as it is.
    Rest,
}

/// The reason why an answer of HTTP cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    Status,
    TooLong,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Self::Status => "expected a status of three digits, found something else",
            Self::TooLong => "the head is longer than its limit",
        })
    }
}

impl Error for Unreadable {}

impl<S> Lenient<S> {
    pub(super) fn new(stream: Metered<S>) -> Self {
        // Bytes before the first request belong to no answer.
        let (place, raw, read) = (Place::Rest, Vec::new(), Vec::new());
        Self { stream, requests: 0, place, raw, seen: 0, is_repaired: false, read, taken: 0 }
    }

    /// Expects a head if another request was begun.
    fn follow(&mut self) {
        let requests = self.stream.meter.requests();
        if requests != self.requests {
            self.requests = requests;
            self.place = Place::Head;
            self.is_repaired = false;
        }
    }

    /// Moves bytes from `raw` to `read` as far as they are understood.
    fn advance(&mut self) -> io::Result<()> {
        loop {
            match &mut self.place {
                Place::Head => {
                    if !self.take_head()? {
                        return Ok(());
                    }
                    continue;
                }
                Place::Chunks(chunks) => chunks.copy(&self.raw, &mut self.read),
                Place::Rest => self.read.extend_from_slice(&self.raw),
            }
            // Not cleared, which would keep its memory for the whole body.
            self.raw = Vec::new();
            return Ok(());
        }
    }

    /// Takes a head from `raw`; returns false if more bytes are needed.
    fn take_head(&mut self) -> io::Result<bool> {
        let blank_len = head::blank_len(&self.raw);
        if blank_len > 0 && self.seen == 0 {
            drop(self.raw.drain(..blank_len));
        }
        match head::beginning(&self.raw) {
            Beginning::Open => return Ok(false),
            Beginning::Foreign => self.place = Place::Rest,
            Beginning::Status => {
                let Some(len) = head::head_len(&self.raw, self.seen) else {
                    self.seen = self.raw.len();
                    if self.seen > HEAD_BYTES_MAX {
                        return Err(io::Error::other(Unreadable::TooLong));
                    }
                    return Ok(false);
                };
                self.seen = 0;
                let raw: Vec<u8> = self.raw.drain(..len).collect();
                let head = head::read(&raw).ok_or_else(|| io::Error::other(Unreadable::Status))?;
                self.pass(&head);
            }
        }
        Ok(true)
    }

    fn pass(&mut self, head: &head::Head) {
        self.is_repaired |= head.is_repaired;
        self.read.extend_from_slice(&head.lines);
        if self.is_repaired {
            self.read.extend_from_slice(b"Connection: close\r\n");
        }
        self.read.extend_from_slice(b"\r\n");
        self.place = match head.status {
            // RFC 9110 §15.2: another head follows. After 101, another protocol does.
            100 | 102..=199 => Place::Head,
            _ if head.is_chunked => Place::Chunks(Chunks::default()),
            _ => Place::Rest,
        };
    }

    /// Copies read bytes to `buffer`; returns false if there are none.
    fn give(&mut self, buffer: &mut ReadBuf<'_>) -> bool {
        let left = self.read.get(self.taken..).unwrap_or_default();
        if left.is_empty() {
            return false;
        }
        let len = left.len().min(buffer.remaining());
        buffer.put_slice(left.get(..len).unwrap_or_default());
        self.taken += len;
        if self.taken == self.read.len() {
            (self.read, self.taken) = (Vec::new(), 0);
        }
        true
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Lenient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            if self.give(buffer) {
                return Poll::Ready(Ok(()));
            }
            self.follow();
            if matches!(self.place, Place::Rest) {
                return Pin::new(&mut self.stream).poll_read(context, buffer);
            }
            let mut bytes = [0; READ_BYTES];
            let mut part = ReadBuf::new(&mut bytes);
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut part))?;
            if part.filled().is_empty() {
                // The end of the stream: hyper reports a head without an end.
                self.place = Place::Rest;
            }
            self.raw.extend_from_slice(part.filled());
            self.advance()?;
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Lenient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
