//! Archives of the Web: WARC, versions 0.17 to 1.1 (ISO 28500).
//!
//! Read are the bodies of what servers answered, and what their headers link to, resources that
//! were kept as they are, conversions and metadata. What was asked, and what is about the archive
//! itself, is counted and not read. A member is called by the number of its record, from 1: the
//! address it was kept from may hold a password.

use std::io::Read;

use jiff::civil::Date;

use super::http::body::{self, Kept};
use super::http::{Head, Media};
use super::packed::{Feed, Halt, Nest, Progress, Share, Unpacker, fail};
use crate::finding::NoteKind;

/// Bytes of one line of a record's header: addresses are the longest, and some are programs.
const LINE_LEN_MAX: usize = 64 * 1024;
/// Lines of a record's header, at most.
const LINES_MAX: usize = 1000;

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
    body::read(unpacker, &Kept { name, date: record.date, head }, &mut feed, nest)
}
