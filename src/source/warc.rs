//! Archives of the Web: WARC, versions 0.17 to 1.1 (ISO 28500).
//!
//! Read are the bodies of what servers answered, and what their headers link to, resources that
//! were kept as they are, conversions and metadata. What was asked, and what is about the archive
//! itself, is counted and not read. A member is called by the number of its record, from 1: the
//! address it was kept from may hold a password.
//!
//! Where a record is broken, the next one is looked for, and what stands between is noted. A record
//! in several segments (§7) is read as one where they follow each other; segments of other files
//! are read by themselves.

use std::io::{self, Read};

use jiff::civil::Date;

use super::gaps::{Gap, Gaps, LINE_LEN_MAX};
use super::http::body::{self, Kept};
use super::http::{Head, Media};
use super::packed::{Feed, Halt, Nest, Progress, Share, Unpacker, fail};
use crate::finding::NoteKind;

/// Bytes of a line that tell whether a record begins with it.
const BEGIN_LEN: usize = 7;
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

/// What stands where a record should.
enum Found {
    Record(Record),
    /// Something else, as this says.
    Other(&'static str),
    /// A part of a header, and the end.
    Cut,
    End,
}

/// Reads the records of an archive.
pub(super) fn read(unpacker: &mut Unpacker<'_>, rest: &mut dyn Read, nest: &Nest) -> Progress {
    let mut gaps = Gaps::default();
    let result = records(unpacker, &mut Feed::new(rest), &mut gaps, nest);
    gaps.finish(unpacker, nest)?;
    result
}

fn records(
    unpacker: &mut Unpacker<'_>,
    feed: &mut Feed<'_>,
    gaps: &mut Gaps,
    nest: &Nest,
) -> Progress {
    let mut count = 0;
    loop {
        pass_line_ends(feed)?;
        let at = feed.consumed();
        let record = match next(feed, &mut count)? {
            Found::End => return Ok(()),
            Found::Cut => return Err(truncated(nest, feed.consumed())),
            Found::Other(message) => {
                gaps.pass(unpacker, feed, &Gap { at, message }, begins, nest)?;
                continue;
            }
            Found::Record(record) => record,
        };
        let Some(len) = record.len else {
            let message = "expected the length of a record, found none";
            gaps.pass(unpacker, feed, &Gap { at, message }, begins, nest)?;
            continue;
        };
        let mut share = Share::new(feed, len, nest.scope);
        block(unpacker, &record, &mut share, count, nest)?;
        share.drain()?;
    }
}

/// True for a line that a record begins with.
fn begins(line: &[u8]) -> bool {
    line.starts_with(b"WARC/1.") || line.starts_with(b"WARC/0.")
}

/// Takes what separates records: two line ends, and more or less in some archives.
fn pass_line_ends(feed: &mut Feed<'_>) -> io::Result<()> {
    while matches!(feed.peek(1)?, [b'\r' | b'\n']) {
        feed.skip(1)?;
    }
    Ok(())
}

fn truncated(nest: &Nest, at: u64) -> Halt {
    let message = "expected more of a record, found the end";
    fail(NoteKind::ArchiveTruncated, nest, at, message)
}

/// Takes the header of the next record; `count` tells how many began.
fn next(feed: &mut Feed<'_>, count: &mut u64) -> io::Result<Found> {
    const MARK: &[u8] = b"WARC/";
    match feed.peek(MARK.len())? {
        [] => return Ok(Found::End),
        MARK => *count += 1,
        shown if MARK.starts_with(shown) => return Ok(Found::Cut),
        _ => return Ok(Found::Other("expected a record, found something else")),
    }
    let mut record = Record::default();
    for number in 0..LINES_MAX {
        if number > 0 && begins(feed.peek_most(BEGIN_LEN)?) {
            let message = "expected more of the header of a record, found another record";
            return Ok(Found::Other(message));
        }
        let Some(line) = feed.line(LINE_LEN_MAX)? else {
            if feed.peek_line(LINE_LEN_MAX)?.len() < LINE_LEN_MAX {
                return Ok(Found::Cut);
            }
            break;
        };
        let line = line.trim_ascii();
        if line.is_empty() {
            return Ok(Found::Record(record));
        }
        record.field(line);
    }
    Ok(Found::Other("expected the header of a record, found no end of it"))
}

impl Record {
    fn field(&mut self, line: &[u8]) {
        let Some(colon) = memchr::memchr(b':', line) else { return };
        let (name, value) = line.split_at(colon);
        let value = value.get(1..).unwrap_or_default().trim_ascii().to_ascii_lowercase();
        match name.to_ascii_lowercase().as_slice() {
            b"warc-type" => self.kind = value,
            b"content-type" => self.media = Media::of(&value),
            b"content-length" => {
                self.len = std::str::from_utf8(&value).ok().and_then(|text| text.parse().ok());
            }
            // In UTC (ISO 28500 §5.4); what tells less than a day is passed over.
            b"warc-date" => {
                let day = value.get(..10).and_then(|day| std::str::from_utf8(day).ok());
                self.date = day.and_then(|day| day.parse().ok());
            }
            _ => {}
        }
    }
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
