//! Describes members of zip archives as their headers do.

use jiff::civil::Date;

use crate::finding::Skip;
use crate::source::container::compress::Codec;
use crate::source::container::{Cut, Halt, Nest, fail};

/// Bits of the flags (§4.4.4).
const ENCRYPTED: u64 = 1;
pub(super) const TOLD_AFTER: u64 = 8;
/// The value of a 32-bit field whose real value is in the extra field.
const WIDE: u64 = 0xFFFF_FFFF;

/// The header of a member.
pub(super) struct Entry {
    pub(super) flags: u64,
    pub(super) method: u64,
    /// Checksum of the unpacked bytes; none if it follows the member.
    pub(super) crc: Option<u64>,
    pub(super) packed_len: u64,
    pub(super) len: u64,
    /// Offset of its local header.
    pub(super) offset: u64,
    /// The Unix mode of the file, or zero.
    pub(super) mode: u64,
    /// The day of its last change.
    pub(super) date: Option<Date>,
    pub(super) name: Vec<u8>,
    /// The comment on it in the directory.
    pub(super) comment: Vec<u8>,
}

/// Returns a little-endian number of `len` bytes; zero beyond the end.
pub(super) fn number(bytes: &[u8], at: usize, len: usize) -> u64 {
    let bytes = bytes.get(at..at + len).unwrap_or_default();
    bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

/// Returns the day in two bytes of a DOS date (§4.4.6), in the local time of the archive's author.
/// The first possible day means none, since reproducible archives have it.
pub(super) fn day(bytes: &[u8], at: usize) -> Option<Date> {
    const FIRST: u64 = 0x0021;
    let told = number(bytes, at, 2);
    let part = |from: u32, bits: u32| i8::try_from(told >> from & ((1 << bits) - 1)).ok();
    let year = 1980 + i16::from(part(9, 7)?);
    Date::new(year, part(5, 4)?, part(0, 5)?).ok().filter(|_| told != FIRST)
}

impl Entry {
    /// Replaces lengths and offset that do not fit into 32 bits by those of the extra field
    /// (§4.5.3).
    pub(super) fn widen(&mut self, extra: &[u8]) {
        let mut at = 0;
        while at + 4 <= extra.len() {
            let len = usize::try_from(number(extra, at + 2, 2)).unwrap_or(usize::MAX);
            if number(extra, at, 2) == 1 {
                let mut from = at + 4;
                for told in [&mut self.len, &mut self.packed_len, &mut self.offset] {
                    if *told == WIDE {
                        *told = number(extra, from, 8);
                        from += 8;
                    }
                }
            }
            at = at.saturating_add(4).saturating_add(len);
        }
    }

    pub(super) const fn is_encrypted(&self) -> bool {
        self.flags & ENCRYPTED != 0
    }

    /// Reports whether lengths and checksum follow the member.
    pub(super) const fn is_told_after(&self) -> bool {
        self.flags & TOLD_AFTER != 0
    }

    /// Returns the codec of the member; none for unsupported methods (§4.4.5).
    pub(super) const fn codec(&self) -> Option<Codec> {
        match self.method {
            0 => Some(Codec::Stored),
            8 => Some(Codec::Deflate),
            12 => Some(Codec::Bzip2),
            93 => Some(Codec::Zstd),
            95 => Some(Codec::Xz),
            _ => None,
        }
    }

    /// Returns the reason why the member holds nothing to read, if there is one.
    pub(super) fn skips(&self) -> Option<Skip> {
        const KIND: u64 = 0o170_000;
        match self.mode & KIND {
            0o120_000 => Some(Skip::Symlink),
            0o040_000 => Some(Skip::Directory),
            0 | 0o100_000 if self.name.ends_with(b"/") => Some(Skip::Directory),
            0 | 0o100_000 => None,
            // Info-ZIP records the mode of its input, which may be a pipe, a terminal or a socket.
            // A device itself has no bytes.
            _ if self.len > 0 => None,
            _ => Some(Skip::Special),
        }
    }
}

pub(super) fn truncated(nest: &Nest, at: u64) -> Halt {
    fail(nest, at, Cut::Archive)
}
