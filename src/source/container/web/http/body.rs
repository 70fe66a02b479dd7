//! Reads the body of a response: joins its chunks and decodes its codings, one after the other.

use std::io;

use jiff::civil::Date;

use super::{CODINGS_MAX, Chunks, FIELD_LEN_MAX, HEADER_LEN_MAX, Head};
use crate::finding::{NoteKind, Skip};
use crate::source::container::compress::{Codec, MAGIC_LEN, Unpacked};
use crate::source::container::{
    Feed, Limit, MEMBER_LEN_MAX, Meter, Nest, Progress, Unpacker, fail,
};

/// Bytes examined to see whether a body is compressed.
const TRIAL_LEN: usize = 512;

/// A response in an archive.
pub(in crate::source) struct Kept {
    /// Member name of the body.
    pub(in crate::source) name: String,
    /// The day of the fetch.
    pub(in crate::source) date: Option<Date>,
    pub(in crate::source) head: Head,
}

/// Reads a response whose body `feed` begins with, and the links of its header.
pub(in crate::source) fn read(
    unpacker: &mut Unpacker<'_>,
    kept: &Kept,
    feed: &mut Feed<'_>,
    nest: &Nest,
) -> Progress {
    let Kept { name, date, head } = kept;
    if !head.links.is_empty() || head.is_link_long {
        let answer = Unpacker::named(nest, name.as_bytes());
        let header = unpacker.member(&answer, b"header", *date)?;
        let result = unpacker.stream(&mut head.links.as_slice(), &header);
        unpacker.settle(result, &header)?;
        if head.is_link_long {
            let message = format!("expected a field of at most {FIELD_LEN_MAX} bytes, found more");
            unpacker.note(NoteKind::LimitReached, &header, None, message)?;
        }
    }
    for _ in 0..head.relative {
        unpacker.skip(Skip::Relative)?;
    }
    if head.media.is_textless() {
        return unpacker.skip(Skip::NotText);
    }
    let mut inside = unpacker.member(nest, name.as_bytes(), *date)?;
    inside.declared = head.media.declared;
    if head.is_cut {
        let message = format!("expected a header of at most {HEADER_LEN_MAX} bytes, found more");
        unpacker.note(NoteKind::LimitReached, &inside, Some(feed.consumed()), message)?;
    }
    let result = if head.is_chunked {
        chunked(unpacker, head, feed, &inside)
    } else {
        body(unpacker, &head.codings(), feed, &inside)
    };
    unpacker.settle(result, &inside)
}

fn chunked(unpacker: &mut Unpacker<'_>, head: &Head, feed: &mut Feed<'_>, nest: &Nest) -> Progress {
    let mut chunks = Chunks::new(feed, nest.scope)?;
    body(unpacker, &head.codings(), &mut Feed::new(&mut chunks), nest)?;
    match chunks.trailing()? {
        Some(at) => {
            let message = "expected the end of the body, found more bytes".to_owned();
            unpacker.note(NoteKind::TrailingBytes, nest, Some(at), message)?;
            unpacker.rest(feed, nest)
        }
        None => Ok(()),
    }
}

/// Decodes a body that has `codings`, in the order in which they were applied. If the body does not
/// begin as the last coding requires, the archiver has already decoded that.
fn body(
    unpacker: &mut Unpacker<'_>,
    codings: &[&str],
    feed: &mut Feed<'_>,
    nest: &Nest,
) -> Progress {
    if codings.len() > CODINGS_MAX {
        return Err(fail(nest, feed.consumed(), Limit::Codings(CODINGS_MAX)));
    }
    let mut codings = codings;
    while let [applied @ .., last] = codings {
        codings = applied;
        let codec = match *last {
            // As the only coding, it is detected by its magic number, as without a declaration.
            "gzip" | "x-gzip" | "compress" | "x-compress" | "zstd" if applied.is_empty() => None,
            "gzip" | "x-gzip" => begun(Codec::Gzip, feed)?,
            "compress" | "x-compress" => begun(Codec::Compress, feed)?,
            "zstd" => begun(Codec::Zstd, feed)?,
            "deflate" => deflate(feed)?,
            "br" if reads_as_text(feed.peek_most(TRIAL_LEN)?) => None,
            "br" => return unpacker.unread(Skip::Packed, "brotli", nest),
            "aes128gcm" | "dcb" | "dcz" | "exi" | "pack200-gzip" => {
                return unpacker.unread(Skip::Packed, last, nest);
            }
            // `identity`, and values of some servers that are no codings.
            _ => None,
        };
        if let Some(codec) = codec {
            return unpack(unpacker, codec, applied, feed, nest);
        }
    }
    unpacker.stream(feed, nest)
}

/// Decodes `codec` from a body; `applied` are the codings that were applied before it.
fn unpack(
    unpacker: &mut Unpacker<'_>,
    codec: Codec,
    applied: &[&str],
    feed: &mut Feed<'_>,
    nest: &Nest,
) -> Progress {
    let meter = Meter::new(unpacker.budget, nest.scope, MEMBER_LEN_MAX);
    let mut unpacked = Unpacked::all(codec, feed, meter);
    body(unpacker, applied, &mut Feed::new(&mut unpacked), nest)?;
    for (at, message) in unpacked.passed() {
        unpacker.note(NoteKind::ArchiveBroken, nest, Some(at), message)?;
    }
    match unpacked.trailing() {
        Some((at, message)) => {
            unpacker.note(NoteKind::TrailingBytes, nest, Some(at), message)?;
            unpacker.rest(feed, nest)
        }
        None => Ok(()),
    }
}

/// Returns `codec` if the body begins with its magic number.
fn begun(codec: Codec, feed: &mut Feed<'_>) -> io::Result<Option<Codec>> {
    let is_begun = codec.begins(feed.peek_most(MAGIC_LEN)?);
    Ok(is_begun.then_some(codec))
}

/// Returns the format of a body with the coding `deflate`; none for text, which the archiver has
/// already decoded. RFC 9110 §8.4.1.2 means zlib, but some servers send raw deflate (RFC 1950 §2.2)
/// or gzip.
fn deflate(feed: &mut Feed<'_>) -> io::Result<Option<Codec>> {
    if Codec::Gzip.begins(feed.peek_most(MAGIC_LEN)?) {
        return Ok(Some(Codec::Gzip));
    }
    let shown = feed.peek_most(TRIAL_LEN)?;
    Ok(match shown {
        [] | [_] => None,
        [method, flags, ..]
            if method & 0x0F == 8 && u16::from_be_bytes([*method, *flags]) % 31 == 0 =>
        {
            Some(Codec::Zlib)
        }
        _ if is_text(shown) && !is_deflated(shown) => None,
        _ => Some(Codec::Deflate),
    })
}

/// Reports whether the body is so much like text that the archiver must have decoded it.
fn reads_as_text(shown: &[u8]) -> bool {
    /// Fewer bytes may look like text by chance.
    const LEN_MIN: usize = 32;
    let is_utf8 = match std::str::from_utf8(shown) {
        Ok(_) => true,
        // The last character may be cut.
        Err(error) => error.error_len().is_none(),
    };
    shown.len() >= LEN_MIN && is_utf8 && is_text(shown)
}

/// Reports whether all control characters are white space.
fn is_text(shown: &[u8]) -> bool {
    !shown.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace())
}

/// Reports whether `shown` holds a complete deflate stream, as a few text-like bytes may.
#[cfg(feature = "archives")]
fn is_deflated(shown: &[u8]) -> bool {
    let mut inflate = flate2::Decompress::new(false);
    let mut out = [0; 4 * TRIAL_LEN];
    let status = inflate.decompress(shown, &mut out, flate2::FlushDecompress::None);
    matches!(status, Ok(flate2::Status::StreamEnd))
}

/// Reports no stream, since there is no decoder.
#[cfg(not(feature = "archives"))]
const fn is_deflated(_: &[u8]) -> bool {
    false
}
