//! What stands behind the header of an answer: its chunks are joined, and its codings undone, one
//! after the other.

use std::io;

use jiff::civil::Date;

use super::{CODINGS_MAX, Chunks, FIELD_LEN_MAX, HEADER_LEN_MAX, Head};
use crate::finding::NoteKind;
use crate::source::container::compress::{Codec, MAGIC_LEN, Unpacked};
use crate::source::container::{Feed, MEMBER_LEN_MAX, Meter, Nest, Progress, Unpacker, fail};

/// Bytes that are looked at of a body that may be compressed.
const TRIAL_LEN: usize = 512;

/// An answer that an archive keeps.
pub(in crate::source) struct Kept {
    /// What it is called as a member.
    pub(in crate::source) name: String,
    /// The day that it was fetched.
    pub(in crate::source) date: Option<Date>,
    pub(in crate::source) head: Head,
}

/// Reads an answer whose body `feed` begins with, and what its header links to.
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
        unpacker.skip("relative")?;
    }
    if head.media.is_textless() {
        return unpacker.skip("not-text");
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

/// Reads a body that has `codings`, the first of which was applied first. What is compressed
/// by the last one of them and does not begin so was unpacked by who archived it.
fn body(
    unpacker: &mut Unpacker<'_>,
    codings: &[&str],
    feed: &mut Feed<'_>,
    nest: &Nest,
) -> Progress {
    if codings.len() > CODINGS_MAX {
        let message = format!("expected at most {CODINGS_MAX} codings of a body, found more");
        return Err(fail(NoteKind::LimitReached, nest, feed.consumed(), message));
    }
    let mut codings = codings;
    while let [applied @ .., last] = codings {
        codings = applied;
        let codec = match *last {
            // Alone it is known by its first bytes, as it is where nobody told of it.
            "gzip" | "x-gzip" | "compress" | "x-compress" | "zstd" if applied.is_empty() => None,
            "gzip" | "x-gzip" => begun(Codec::Gzip, feed)?,
            "compress" | "x-compress" => begun(Codec::Compress, feed)?,
            "zstd" => begun(Codec::Zstd, feed)?,
            "deflate" => deflate(feed)?,
            "br" if reads_as_text(feed.peek_most(TRIAL_LEN)?) => None,
            "br" => return unpacker.unread("packed", "brotli", nest),
            "aes128gcm" | "dcb" | "dcz" | "exi" | "pack200-gzip" => {
                return unpacker.unread("packed", last, nest);
            }
            // `identity`, and what some servers write that is no coding.
            _ => None,
        };
        if let Some(codec) = codec {
            return unpack(unpacker, codec, applied, feed, nest);
        }
    }
    unpacker.stream(feed, nest)
}

/// Reads what `codec` makes of a body, which had the codings `applied` before.
fn unpack(
    unpacker: &mut Unpacker<'_>,
    codec: Codec,
    applied: &[&str],
    feed: &mut Feed<'_>,
    nest: &Nest,
) -> Progress {
    let meter = Meter::new(unpacker.account, nest.scope, MEMBER_LEN_MAX);
    let mut unpacked = Unpacked::all(codec, feed, meter);
    body(unpacker, applied, &mut Feed::new(&mut unpacked), nest)?;
    match unpacked.trailing() {
        Some((at, message)) => {
            unpacker.note(NoteKind::TrailingBytes, nest, Some(at), message)?;
            unpacker.rest(feed, nest)
        }
        None => Ok(()),
    }
}

/// `codec`, if the body begins as it does.
fn begun(codec: Codec, feed: &mut Feed<'_>) -> io::Result<Option<Codec>> {
    let is_begun = codec.begins(feed.peek_most(MAGIC_LEN)?);
    Ok(is_begun.then_some(codec))
}

/// RFC 9110 §8.4.1.2 means zlib, and some servers send deflate without it (RFC 1950 §2.2), or
/// gzip. Text was unpacked by who archived it.
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

/// True for what is too much like text to be compressed: it was unpacked by who archived it.
fn reads_as_text(shown: &[u8]) -> bool {
    /// Less may look like anything.
    const LEN_MIN: usize = 32;
    let is_utf8 = match std::str::from_utf8(shown) {
        Ok(_) => true,
        // The last character may go on behind.
        Err(error) => error.error_len().is_none(),
    };
    shown.len() >= LEN_MIN && is_utf8 && is_text(shown)
}

/// True for what holds no control characters but those of lines.
fn is_text(shown: &[u8]) -> bool {
    !shown.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace())
}

/// True when all of a stream stands there, as may be said of few bytes that look like text.
fn is_deflated(shown: &[u8]) -> bool {
    let mut inflate = flate2::Decompress::new(false);
    let mut out = [0; 4 * TRIAL_LEN];
    let status = inflate.decompress(shown, &mut out, flate2::FlushDecompress::None);
    matches!(status, Ok(flate2::Status::StreamEnd))
}
