//! Counts the bytes read from a stream, and fails once they exceed a limit.
//!
//! It covers everything that a server can send endlessly without answering: interim replies,
//! continued header blocks, settings, pings, chunks of one byte.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The number of bytes read, and the limit. One task reads and another sets the limit; both run on
/// one thread, and neither depends on the exact order.
#[derive(Debug, Default)]
pub(super) struct Meter {
    taken: AtomicU64,
    limit: AtomicU64,
    interim: AtomicU32,
    requests: AtomicU32,
}

impl Meter {
    /// Begins a request, for whose answer `bytes` may be read.
    pub(super) fn begin(&self, bytes: u64) {
        self.interim.store(0, Relaxed);
        self.requests.fetch_add(1, Relaxed);
        self.allow(bytes);
    }

    /// Returns the number of requests begun, modulo 2^32.
    pub(super) fn requests(&self) -> u32 {
        self.requests.load(Relaxed)
    }

    /// Sets the limit to `bytes` more than were read so far.
    pub(super) fn allow(&self, bytes: u64) {
        self.limit.store(self.taken.load(Relaxed).saturating_add(bytes), Relaxed);
    }

    /// Counts an interim reply to the current request. After more than `max` of them, nothing more
    /// may be read.
    pub(super) fn count_interim(&self, max: u32) {
        if self.interim.fetch_add(1, Relaxed) >= max {
            self.limit.store(0, Relaxed);
        }
    }

    /// Returns the number of interim replies to the current request.
    pub(super) fn interim(&self) -> u32 {
        self.interim.load(Relaxed)
    }

    /// Returns the number of bytes that may still be read.
    fn left(&self) -> usize {
        let left = self.limit.load(Relaxed).saturating_sub(self.taken.load(Relaxed));
        usize::try_from(left).unwrap_or(usize::MAX)
    }

    /// Reports whether more bytes arrived than the limit allows.
    pub(super) fn is_exceeded(&self) -> bool {
        self.taken.load(Relaxed) > self.limit.load(Relaxed)
    }

    fn take(&self, bytes: usize) -> io::Result<()> {
        self.taken.fetch_add(u64::try_from(bytes).unwrap_or(u64::MAX), Relaxed);
        if self.is_exceeded() {
            return Err(io::Error::other("the answer is longer than the limit"));
        }
        Ok(())
    }
}

/// A stream with its meter.
pub(super) struct Metered<S> {
    pub(super) stream: S,
    pub(super) meter: Arc<Meter>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Metered<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // One read fetches no more than is allowed, so that nothing of it is lost with the error.
        // At the limit, a byte shows whether the stream goes on.
        let len = self.meter.left().max(1).min(buffer.remaining());
        let mut part = ReadBuf::new(buffer.initialize_unfilled_to(len));
        let polled = Pin::new(&mut self.stream).poll_read(context, &mut part);
        let bytes = part.filled().len();
        buffer.advance(bytes);
        if bytes > 0
            && let Err(error) = self.meter.take(bytes)
        {
            return Poll::Ready(Err(error));
        }
        polled
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Metered<S> {
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
