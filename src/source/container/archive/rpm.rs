//! Reads RPM packages, versions 3 and 4: a header that describes the package and its origin, and a
//! compressed `cpio` archive.

use std::io::Read;

use super::{Called, broken, pass, stored, truncated};
use crate::source::container::{Broken, Feed, Halt, Nest, Progress, Unpacker};

/// First bytes of a package.
pub(in crate::source) const MAGIC: &[u8] = b"\xED\xAB\xEE\xDB";
/// Length of the lead, which repeats parts of the header.
const LEAD_LEN: u64 = 96;
/// First bytes of the signature and of the header.
const HEADER_MAGIC: &[u8] = b"\x8E\xAD\xE8\x01";
/// Bytes before the index of a header.
const INTRO_LEN: usize = 16;
/// Length of an entry in the index.
const ENTRY_LEN: u64 = 16;
/// The signature is padded to a multiple of this many bytes.
const ALIGN: u64 = 8;

/// Reads a package. Its header is a member called `header`.
pub(in crate::source) fn read(
    unpacker: &mut Unpacker<'_>,
    rest: &mut dyn Read,
    nest: &Nest,
) -> Progress {
    let mut feed = Feed::new(rest);
    pass(&mut feed, LEAD_LEN, nest)?;
    let signature = header_len(&mut feed, nest)?;
    pass(&mut feed, signature.next_multiple_of(ALIGN), nest)?;
    let len = header_len(&mut feed, nest)?;
    let called = Called { name: b"header", date: None };
    stored(&mut feed, &called, len, unpacker, nest)?;
    unpacker.stream(&mut feed, nest)
}

/// Returns the length in bytes of the header that comes next.
fn header_len(feed: &mut Feed<'_>, nest: &Nest) -> Result<u64, Halt> {
    let shown = feed.peek(INTRO_LEN)?;
    let Some(intro) = shown.first_chunk::<INTRO_LEN>().copied() else {
        return Err(truncated(feed, nest));
    };
    if !intro.starts_with(HEADER_MAGIC) {
        return Err(broken(feed, nest, Broken::PackageHeader));
    }
    let [.., a, b, c, d, e, f, g, h] = intro;
    let (entries, len) = (u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h]));
    Ok(INTRO_LEN as u64 + u64::from(entries) * ENTRY_LEN + u64::from(len))
}
