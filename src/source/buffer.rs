//! A block of bytes that is read into again and again.

use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::ops::Deref;

/// Bytes of a fixed capacity, of which the first are filled.
///
/// Unlike a vector it is zeroed once in its life: reading into a vector zeroes, or grows,
/// what it reads into each time.
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
    /// An empty buffer that can hold `capacity` bytes.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { storage: vec![0; capacity].into_boxed_slice(), len: 0 }
    }

    /// A buffer that holds `bytes` and has room for nothing else.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self { storage: bytes.into(), len: bytes.len() }
    }

    /// What it holds, to be changed in its place.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.storage.get_mut(..self.len).unwrap_or_default()
    }

    /// Bytes that it can hold.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.storage.len()
    }

    /// Forgets what it holds behind the first `len` bytes.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Appends what of `text` still fits; gives the rest.
    pub fn push<'t>(&mut self, text: &'t [u8]) -> &'t [u8] {
        let room = self.storage.get_mut(self.len..).unwrap_or_default();
        let (fits, rest) = text.split_at(text.len().min(room.len()));
        room.split_at_mut(fits.len()).0.copy_from_slice(fits);
        self.len += fits.len();
        rest
    }

    /// Reads until it holds `len` bytes or `input` ends; true when it ended.
    ///
    /// # Errors
    /// What reading said. What was read before is kept.
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
