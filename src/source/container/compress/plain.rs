//! The formats that need no decoder of others: the output of `compress`, and stored bytes.

use std::io::{self, ErrorKind, Read as _};

use super::lzw::Lzw;
use super::{Allowance, Codec, Source};
use crate::source::container::Feed;

/// A decoder of one stream.
pub(super) enum Decoder<'f, 'i> {
    Compress(Lzw<'f, 'i>),
    Stored(Source<'f, 'i>),
}

impl<'f, 'i> Decoder<'f, 'i> {
    pub(super) fn new(
        codec: Codec,
        _: Allowance,
        feed: Source<'f, 'i>,
        _: (u64, u64),
        _: &[u8],
    ) -> io::Result<Self> {
        match codec {
            Codec::Compress => Ok(Self::Compress(Lzw::new(feed)?)),
            Codec::Stored => Ok(Self::Stored(feed)),
            _ => Err(io::Error::new(ErrorKind::Unsupported, "built without archives")),
        }
    }

    pub(super) fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Compress(decoder) => decoder.read(out),
            Self::Stored(feed) => feed.read(out),
        }
    }

    pub(super) fn feed(&self) -> &Feed<'i> {
        match self {
            Self::Compress(decoder) => decoder.feed(),
            Self::Stored(feed) => feed,
        }
    }

    /// Keeps nothing, since gzip is not read.
    pub(super) const fn keep_members(&self) {}

    pub(super) fn into_feed(self) -> Source<'f, 'i> {
        match self {
            Self::Compress(decoder) => decoder.into_feed(),
            Self::Stored(feed) => feed,
        }
    }
}

/// Returns `content`, since no decoder uses a dictionary.
#[expect(clippy::unnecessary_wraps, reason = "that of other decoders may fail")]
pub(super) const fn dictionary_of(content: Vec<u8>) -> io::Result<Vec<u8>> {
    Ok(content)
}

/// Reports whether a decoder failed because it needs too much memory.
pub(super) fn is_of_memory(error: &io::Error) -> bool {
    error.kind() == ErrorKind::OutOfMemory
}

/// The checksum of zip members (ISO 3309), bit by bit: few members are stored.
pub(in crate::source::container) struct Crc(u32);

impl Crc {
    pub(in crate::source::container) const fn new() -> Self {
        Self(u32::MAX)
    }

    pub(in crate::source::container) fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 ^= u32::from(*byte);
            for _ in 0..8 {
                self.0 = (self.0 >> 1) ^ if self.0 & 1 == 1 { 0xEDB8_8320 } else { 0 };
            }
        }
    }

    pub(in crate::source::container) const fn sum(&self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Crc;

    #[test]
    fn the_check_value_is_that_of_the_catalogue() {
        let mut crc = Crc::new();
        crc.update(b"123456789");
        assert_eq!(crc.sum(), 0xCBF4_3926);
    }
}
