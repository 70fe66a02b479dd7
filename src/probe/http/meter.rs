//! A stream that counts what is read from it, and fails once that is more than it may be.
//!
//! It holds for everything that a server can send without an end and without ever answering:
//! interim replies, continued header blocks, settings, pings, chunks of one byte.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// What was read, and how much more may be. One task reads and another sets; both run on one
/// thread, and neither needs the other's exact moment.
#[derive(Debug, Default)]
pub(super) struct Meter {
    taken: AtomicU64,
    limit: AtomicU64,
    interim: AtomicU32,
}

impl Meter {
    /// Begins a request, in answer to which `bytes` may be read.
    pub(super) fn begin(&self, bytes: u64) {
        self.interim.store(0, Relaxed);
        self.allow(bytes);
    }

    /// Lets `bytes` more be read from here on.
    pub(super) fn allow(&self, bytes: u64) {
        self.limit.store(self.taken.load(Relaxed).saturating_add(bytes), Relaxed);
    }

    /// Counts an interim reply to the request under way; lets nothing be read any more after
    /// more than `max`.
    pub(super) fn count_interim(&self, max: u32) {
        if self.interim.fetch_add(1, Relaxed) >= max {
            self.limit.store(0, Relaxed);
        }
    }

    /// Interim replies to the request under way.
    pub(super) fn interim(&self) -> u32 {
        self.interim.load(Relaxed)
    }

    /// True when more was sent than was allowed.
    pub(super) fn is_exceeded(&self) -> bool {
        self.taken.load(Relaxed) > self.limit.load(Relaxed)
    }

    fn take(&self, bytes: usize) -> io::Result<()> {
        self.taken.fetch_add(u64::try_from(bytes).unwrap_or(u64::MAX), Relaxed);
        if self.is_exceeded() {
            return Err(io::Error::other("more was sent than is read"));
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
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        let bytes = buffer.filled().len().saturating_sub(before);
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
