//! Returns the bytes that a decoder made before an error.
//!
//! The decoders of the libraries return an error in place of the bytes that the same call has
//! decoded before it, up to all of a buffer.

use std::io::{self, Read};

/// A decoder that counts the bytes it has made, also those of a call that returns an error.
pub(super) trait Counted: Read {
    /// Returns the number of bytes made so far.
    fn made(&self) -> u64;
}

impl<R: io::BufRead> Counted for flate2::bufread::DeflateDecoder<R> {
    fn made(&self) -> u64 {
        self.total_out()
    }
}

impl<R: io::BufRead> Counted for flate2::bufread::ZlibDecoder<R> {
    fn made(&self) -> u64 {
        self.total_out()
    }
}

impl<R: io::BufRead> Counted for liblzma::bufread::XzDecoder<R> {
    fn made(&self) -> u64 {
        self.total_out()
    }
}

/// A decoder whose errors follow the bytes made before them.
pub(super) struct Deferred<D> {
    pub(super) decoder: D,
    failed: Failed,
}

impl<D: Counted> Deferred<D> {
    pub(super) const fn new(decoder: D) -> Self {
        Self { decoder, failed: Failed(None) }
    }
}

impl<D: Counted> Read for Deferred<D> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.failed.take()?;
        let before = self.decoder.made();
        let result = self.decoder.read(out);
        let made = usize::try_from(self.decoder.made() - before).unwrap_or_default();
        self.failed.after(made.min(out.len()), result)
    }
}

/// An error that waits until the bytes before it are returned.
#[derive(Default)]
pub(super) struct Failed(Option<io::Error>);

impl Failed {
    /// Returns the error that waits, if there is one.
    pub(super) fn take(&mut self) -> io::Result<()> {
        self.0.take().map_or(Ok(()), Err)
    }

    /// Returns the result of a call that made `made` bytes; if there are any, an error waits.
    pub(super) fn after(&mut self, made: usize, result: io::Result<usize>) -> io::Result<usize> {
        match result {
            Err(error) if made > 0 => {
                self.0 = Some(error);
                Ok(made)
            }
            result => result,
        }
    }
}
