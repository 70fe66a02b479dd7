//! Provides a block of bytes that is filled repeatedly.

use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::ops::Deref;

/// Bytes of a fixed capacity, of which the first `len` are filled.
///
/// It is zeroed only once, when it is made; reading into a vector zeroes, or grows, the destination
/// each time.
pub struct Buffer {
    storage: Box<[u8]>,
    len: usize,
}

/// Shows no text, which may hold passwords.
impl fmt::Debug for Buffer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Buffer({} of {} bytes)", self.len, self.storage.len())
    }
}

impl Buffer {
    /// Returns an empty buffer that can hold `capacity` bytes.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { storage: vec![0; capacity].into_boxed_slice(), len: 0 }
    }

    /// Returns a buffer that holds `bytes` and has no room for more.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self { storage: bytes.into(), len: bytes.len() }
    }

    /// Returns the bytes that it holds.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.storage.get_mut(..self.len).unwrap_or_default()
    }

    /// Returns the number of bytes that it can hold.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.storage.len()
    }

    /// Drops all bytes after the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Appends as many bytes of `text` as fit, and returns the rest.
    pub fn push<'t>(&mut self, text: &'t [u8]) -> &'t [u8] {
        let room = self.storage.get_mut(self.len..).unwrap_or_default();
        let (fits, rest) = text.split_at(text.len().min(room.len()));
        room.split_at_mut(fits.len()).0.copy_from_slice(fits);
        self.len += fits.len();
        rest
    }

    /// Reads until it holds `len` bytes, is full or `input` ends; reports whether `input` ended.
    ///
    /// # Errors
    /// The error of the reader, unless the read was interrupted. Bytes read before it are kept.
    pub fn fill(&mut self, input: &mut impl Read, len: usize) -> io::Result<bool> {
        let len = len.min(self.storage.len());
        while self.len < len {
            match input.read(self.storage.get_mut(self.len..len).unwrap_or_default()) {
                Ok(0) => return Ok(true),
                Ok(read) => self.len += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.storage.get(..self.len).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Buffer;

    #[test]
    fn a_buffer_is_filled_up_to_what_was_asked() {
        let mut buffer = Buffer::new(8);
        assert_eq!(buffer.push(b"ab"), b"");
        assert!(!buffer.fill(&mut &b"cdefgh"[..], 5).unwrap());
        assert_eq!(&*buffer, b"abcde");
        assert!(buffer.fill(&mut &b"xy"[..], 100).unwrap());
        assert_eq!(buffer.push(b"z12"), b"12");
        assert_eq!(&*buffer, b"abcdexyz");
        buffer.truncate(1);
        assert_eq!(&*buffer, b"a");
        let mut copy = Buffer::of(&buffer);
        assert_eq!(copy.push(b"z"), b"z");
        assert_eq!(&*copy, b"a");
    }
}
