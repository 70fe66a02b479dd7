//! Reads archives: formats of consecutive members with names.
//!
//! All formats are read here and not by crates: the available ones keep whole directories and
//! extended headers of any length in memory, and cannot read every zip archive as a stream.

use std::io::Read as _;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;

use crate::source::container::{
    Broken, Cut, Feed, Halt, Limit, Nest, Progress, Share, Unpacker, fail,
};

pub(in crate::source) mod ar;
pub(in crate::source) mod cpio;
pub(in crate::source) mod dbox;
pub(in crate::source) mod exim;
mod joined;
pub(in crate::source) mod postfix;
pub(in crate::source) mod rpm;
pub(in crate::source) mod tar;
pub(in crate::source) mod zip;

/// Maximum length of names and extended headers: names of files end at 4096 bytes, and only maps
/// of badly fragmented disks are longer than the limit.
const EXTENSION_LEN_MAX: u64 = 1024 * 1024;

/// Name and date of an archive member.
struct Called<'n> {
    name: &'n [u8],
    /// The day of its last change.
    date: Option<Date>,
}

/// Returns the day of a time in seconds since 1970. Zero means none, since reproducible archives
/// have it.
fn day(seconds: u64) -> Option<Date> {
    let time = Timestamp::from_second(i64::try_from(seconds).ok()?).ok()?;
    (seconds > 0).then(|| Offset::UTC.to_datetime(time).date())
}

fn decimal(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Reads the next `size` bytes, a name or extended header that describes members.
fn extension(feed: &mut Feed<'_>, size: u64, nest: &Nest) -> Result<Vec<u8>, Halt> {
    if size > EXTENSION_LEN_MAX {
        return Err(fail(nest, feed.consumed(), Limit::Header(EXTENSION_LEN_MAX)));
    }
    let mut contents = Vec::new();
    (&mut *feed).take(size).read_to_end(&mut contents)?;
    if (contents.len() as u64) < size {
        return Err(truncated(feed, nest));
    }
    Ok(contents)
}

/// Skips `len` bytes of an archive.
fn pass(feed: &mut Feed<'_>, len: u64, nest: &Nest) -> Progress {
    match feed.skip(len)? {
        0 => Ok(()),
        _ => Err(truncated(feed, nest)),
    }
}

/// Reads a member of `size` bytes that the archive `nest` stores as it is, and takes all of it.
fn stored(
    feed: &mut Feed<'_>,
    called: &Called<'_>,
    size: u64,
    unpacker: &mut Unpacker<'_>,
    nest: &Nest,
) -> Progress {
    let inside = unpacker.member(nest, called.name, called.date)?;
    let mut data = Share::new(feed, size, nest.scope);
    // An empty member holds no text.
    let result = if size == 0 { Ok(()) } else { unpacker.stream(&mut data, &inside) };
    unpacker.settle(result, &inside)?;
    Ok(data.drain()?)
}

fn truncated(feed: &Feed<'_>, nest: &Nest) -> Halt {
    fail(nest, feed.consumed(), Cut::Archive)
}

fn broken(feed: &Feed<'_>, nest: &Nest, broken: Broken) -> Halt {
    fail(nest, feed.consumed(), broken)
}
