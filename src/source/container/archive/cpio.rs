//! Reads archives of `cpio`: the new format (SVR4, with checksums and without), that of POSIX.1,
//! and the old binary one. They occur in RPM packages and initial file systems of Linux; `cpio -o`
//! writes the old one by default.
//!
//! Checksums are not verified. After the end of an archive, another one may follow; any other bytes
//! are a member called `rest`.

use std::io::{BufRead as _, Read};

use super::{Called, broken, day, extension, pass, stored, truncated};
use crate::finding::Skip;
use crate::source::container::{Broken, Feed, Halt, Nest, Progress, Unpacker};

/// Length of the longest header in bytes.
const HEADER_LEN_MAX: usize = 110;
/// Length of the shortest header, the binary one, in bytes.
const HEADER_LEN_MIN: usize = 26;
/// Name of the entry that ends an archive.
const TRAILER: &[u8] = b"TRAILER!!!";

/// Bits of a mode that hold the file type.
const KIND: u64 = 0o170_000;

/// The header of a member.
#[derive(Clone, Copy)]
struct Header {
    /// Length of the header in bytes.
    len: u64,
    mode: u64,
    time: u64,
    size: u64,
    name_len: u64,
    /// Names and members are padded to a multiple of this many bytes.
    align: u64,
}

impl Header {
    /// Returns the header that `text` begins with.
    fn of(text: &[u8]) -> Option<Self> {
        match text {
            [b'0', b'7', b'0', b'7', b'0', b'1' | b'2', ..] => {
                let text = text.get(..HEADER_LEN_MAX)?;
                let fields = text.get(6..)?.chunks(8).map(|field| number(field, 16));
                let fields: Vec<u64> = fields.collect::<Option<_>>()?;
                let [_, mode, _, _, _, time, size, _, _, _, _, name_len, _] = *fields else {
                    return None;
                };
                Some(Self { len: text.len() as u64, mode, time, size, name_len, align: 4 })
            }
            [b'0', b'7', b'0', b'7', b'0', b'7', ..] => {
                let field = |at: usize, len: usize| number(text.get(at..at + len)?, 8);
                // Device, inode, owners and other fields are not used, but must be numbers.
                (6..48).step_by(6).try_for_each(|at| field(at, 6).map(|_| ()))?;
                let (mode, time) = (field(18, 6)?, field(48, 11)?);
                let (name_len, size) = (field(59, 6)?, field(65, 11)?);
                Some(Self { len: 76, mode, time, size, name_len, align: 1 })
            }
            [0xC7, 0x71, ..] => Self::binary(text, u16::from_le_bytes),
            [0x71, 0xC7, ..] => Self::binary(text, u16::from_be_bytes),
            _ => None,
        }
    }

    /// Returns a header of two-byte numbers; longer numbers begin with the upper half. Since the
    /// magic is only one such number, mode and name must also be those of a file.
    fn binary(text: &[u8], number: fn([u8; 2]) -> u16) -> Option<Self> {
        const NAME_LEN_MAX: u64 = 4096;
        let (header, after) = text.split_at_checked(HEADER_LEN_MIN)?;
        let (numbers, _) = header.as_chunks();
        let numbers: Vec<u64> = numbers.iter().map(|bytes| number(*bytes).into()).collect();
        let [_, _, _, mode, _, _, _, _, time_high, time_low, name_len, size_high, size_low] =
            *numbers
        else {
            return None;
        };
        let name = after.get(..usize::try_from(name_len).ok()?).unwrap_or(after);
        let is_whole = name.len() as u64 == name_len;
        let is_name = match name.split_last() {
            Some((last, name)) if is_whole => *last == 0 && !name.is_empty() && is_printed(name),
            _ => is_printed(name),
        };
        let is_mode = matches!(mode & KIND, 0o010_000 | 0o020_000 | 0o040_000 | 0o060_000)
            || matches!(mode & KIND, 0o100_000 | 0o120_000 | 0o140_000)
            || name.starts_with(TRAILER);
        let (time, size) = (time_high << 16 | time_low, size_high << 16 | size_low);
        let is_one = is_mode && is_name && (2..=NAME_LEN_MAX).contains(&name_len);
        is_one.then_some(Self { len: header.len() as u64, mode, time, size, name_len, align: 2 })
    }
}

/// Reports whether `name` holds no control characters.
fn is_printed(name: &[u8]) -> bool {
    !name.iter().any(u8::is_ascii_control)
}

/// Returns the number in `field`, all of which must be digits.
fn number(field: &[u8], radix: u32) -> Option<u64> {
    let push = |sum: u64, byte: &u8| {
        let digit = char::from(*byte).to_digit(radix)?;
        sum.checked_mul(radix.into())?.checked_add(digit.into())
    };
    field.iter().try_fold(0, push)
}

/// Reports whether `head` begins with the header of a member.
pub(in crate::source) fn is_header(head: &[u8]) -> bool {
    Header::of(head).is_some()
}

/// Reads the members of an archive.
pub(in crate::source) fn read(
    unpacker: &mut Unpacker<'_>,
    rest: &mut dyn Read,
    nest: &Nest,
) -> Progress {
    let mut feed = Feed::new(rest);
    let mut has_end = false;
    loop {
        if has_end {
            skip_zeros(&mut feed)?;
        }
        let shown = feed.peek(HEADER_LEN_MAX)?;
        let is_short = shown.len() < HEADER_LEN_MAX;
        match Header::of(shown) {
            Some(header) => has_end = entry(&mut feed, header, unpacker, nest)?,
            None if has_end => return unpacker.rest(&mut feed, nest),
            None if is_short => return Err(truncated(&feed, nest)),
            None => return Err(broken(&feed, nest, Broken::Member)),
        }
    }
}

/// Reads the entry that `header` begins; returns true when that is the end of the archive.
fn entry(
    feed: &mut Feed<'_>,
    header: Header,
    unpacker: &mut Unpacker<'_>,
    nest: &Nest,
) -> Result<bool, Halt> {
    let Header { len, mode, time, size, name_len, align } = header;
    let padding = |len: u64| len.wrapping_neg() % align;
    pass(feed, len, nest)?;
    let name = extension(feed, name_len, nest)?;
    pass(feed, padding(len + name_len), nest)?;
    let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
    let is_end = name == TRAILER;
    match mode & KIND {
        _ if is_end => pass(feed, size, nest)?,
        0 | 0o100_000 => {
            let called = Called { name, date: day(time) };
            stored(feed, &called, size, unpacker, nest)?;
        }
        kind => {
            unpacker.skip(match kind {
                0o040_000 => Skip::Directory,
                0o120_000 => Skip::Symlink,
                _ => Skip::Special,
            })?;
            pass(feed, size, nest)?;
        }
    }
    pass(feed, padding(size), nest)?;
    Ok(is_end)
}

/// Skips the zeros that fill the last block of an archive.
fn skip_zeros(feed: &mut Feed<'_>) -> Progress {
    loop {
        let held = feed.fill_buf()?;
        let zeros = held.iter().take_while(|byte| **byte == 0).count();
        let goes_on = zeros > 0 && zeros == held.len();
        feed.consume(zeros);
        if !goes_on {
            return Ok(());
        }
    }
}
