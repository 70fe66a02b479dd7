//! Archives of the Web: WARC, versions 0.17 to 1.1 (ISO 28500).
//!
//! Read are the bodies of what servers answered, and what their headers link to, resources that
//! were kept as they are, conversions and metadata. What was asked, and what is about the archive
//! itself, is counted and not read. A member is called by the number of its record, from 1: the
//! address it was kept from may hold a password.

use std::io::{self, Read};

use jiff::civil::Date;

use super::compress::{Codec, MAGIC_LEN, Unpacked};
use super::http::{CODINGS_MAX, Chunks, FIELD_LEN_MAX, HEADER_LEN_MAX, Head, Media};
use super::packed::{Feed, Halt, MEMBER_LEN_MAX, Meter, Nest, Progress, Share, Unpacker, fail};
use crate::finding::NoteKind;

/// Bytes of one line of a record's header: addresses are the longest, and some are programs.
const LINE_LEN_MAX: usize = 64 * 1024;
/// Lines of a record's header, at most.
const LINES_MAX: usize = 1000;
/// Bytes that are looked at of a body that may be compressed.
const TRIAL_LEN: usize = 512;

/// What the header of a record says.
#[derive(Default)]
struct Record {
    kind: Vec<u8>,
    media: Media,
    len: Option<u64>,
    /// The day that it was fetched, or made.
    date: Option<Date>,
}

/// Reads the records of an archive.
pub(super) fn read(unpacker: &mut Unpacker<'_>, rest: &mut dyn Read, nest: &Nest) -> Progress {
    let mut feed = Feed::new(rest);
    let mut count = 0_u64;
    loop {
        // Two line ends stand behind a record, and more or less in some archives.
        while matches!(feed.peek(1)?, [b'\r' | b'\n']) {
            feed.skip(1)?;
        }
        let at = feed.consumed();
        let shown = feed.peek(5)?;
        if shown.is_empty() {
            return Ok(());
        }
        if b"WARC/".starts_with(shown) && shown.len() < 5 {
            return Err(truncated(nest, at));
        }
        if shown != b"WARC/" {
            let message = "expected a record, found something else";
            return Err(fail(NoteKind::ArchiveBroken, nest, at, message));
        }
        count += 1;
        let record = header(&mut feed, nest)?;
        let Some(len) = record.len else {
            let message = "expected the length of a record, found none";
            return Err(fail(NoteKind::ArchiveBroken, nest, at, message));
        };
        let mut share = Share::new(&mut feed, len, nest.scope);
        block(unpacker, &record, &mut share, count, nest)?;
        share.drain()?;
    }
}

fn truncated(nest: &Nest, at: u64) -> Halt {
    let message = "expected more of a record, found the end";
    fail(NoteKind::ArchiveTruncated, nest, at, message)
}

fn header(feed: &mut Feed<'_>, nest: &Nest) -> Result<Record, Halt> {
    let mut record = Record::default();
    for _ in 0..LINES_MAX {
        let Some(line) = feed.line(LINE_LEN_MAX)? else { break };
        let line = line.trim_ascii();
        if line.is_empty() {
            return Ok(record);
        }
        let Some(colon) = memchr::memchr(b':', line) else { continue };
        let (name, value) = line.split_at(colon);
        let value = value.get(1..).unwrap_or_default().trim_ascii().to_ascii_lowercase();
        match name.to_ascii_lowercase().as_slice() {
            b"warc-type" => record.kind = value,
            b"content-type" => {
                record.media = Media::of(&value);
            }
            b"content-length" => {
                record.len = std::str::from_utf8(&value).ok().and_then(|text| text.parse().ok());
            }
            // In UTC (ISO 28500 §5.4); what tells less than a day is passed over.
            b"warc-date" => {
                let day = value.get(..10).and_then(|day| std::str::from_utf8(day).ok());
                record.date = day.and_then(|day| day.parse().ok());
            }
            _ => {}
        }
    }
    let at = feed.consumed();
    if feed.is_ended() {
        return Err(truncated(nest, at));
    }
    let message = "expected the header of a record, found no end of it";
    Err(fail(NoteKind::ArchiveBroken, nest, at, message))
}

fn block(
    unpacker: &mut Unpacker<'_>,
    record: &Record,
    share: &mut Share<'_, '_>,
    number: u64,
    nest: &Nest,
) -> Progress {
    if !matches!(&*record.kind, b"response" | b"resource" | b"conversion" | b"metadata") {
        return unpacker.skip("warc-record");
    }
    let mut feed = Feed::new(share);
    let is_http = record.kind == b"response" && record.media.name == "application/http";
    let head = if is_http { Head::read(&mut feed)? } else { Head::of(record.media.clone()) };
    let name = format!("record {number}");
    if !head.links.is_empty() || head.is_link_long {
        let answer = Unpacker::named(nest, name.as_bytes());
        let header = unpacker.member(&answer, b"header", record.date)?;
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
    let mut inside = unpacker.member(nest, name.as_bytes(), record.date)?;
    inside.declared = head.media.declared;
    if head.is_cut {
        let message = format!("expected a header of at most {HEADER_LEN_MAX} bytes, found more");
        unpacker.note(NoteKind::LimitReached, &inside, Some(feed.consumed()), message)?;
    }
    let result = if head.is_chunked {
        chunked(unpacker, &head, &mut feed, &inside)
    } else {
        body(unpacker, &head.codings(), &mut feed, &inside)
    };
    unpacker.settle(result, &inside)
}

fn chunked(unpacker: &mut Unpacker<'_>, head: &Head, feed: &mut Feed<'_>, nest: &Nest) -> Progress {
    let mut chunks = Chunks::new(feed, nest.scope)?;
    body(unpacker, &head.codings(), &mut Feed::new(&mut chunks), nest)?;
    match chunks.trailing()? {
        Some(at) => {
            let message = "expected the end of the body, found more bytes".to_owned();
            unpacker.note(NoteKind::TrailingBytes, nest, Some(at), message)
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
            "gzip" | "x-gzip" | "zstd" if applied.is_empty() => None,
            "gzip" | "x-gzip" => begun(Codec::Gzip, feed)?,
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
        Some((at, message)) => unpacker.note(NoteKind::TrailingBytes, nest, Some(at), message),
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
