//! Reads archives of the Web in the format WARC, versions 0.17 to 1.1 (ISO 28500).
//!
//! The bodies of responses and the links of their headers are read, and resources, conversions and
//! metadata. Requests and records about the archive itself are counted and skipped. A member is
//! named by the number of its record, from 1.
//!
//! After a broken record, the next record is searched for, and the gap is noted. A record in
//! several segments (§7) is read as one if they are adjacent; segments of records in other files
//! are read by themselves.

use std::io::{self, Read};

use jiff::civil::Date;

use super::gaps::{self, Gap, Gaps, LINE_LEN_MAX};
use super::http::body::{self, Kept};
use super::http::{Head, Media};
use super::record_end::{Extent, Marks, WrongLength};
use crate::finding::Skip;
use crate::source::container::{Broken, Feed, Nest, Progress, Unpacker};
use crate::source::part::Division;

/// Bytes of a line that decide whether a record begins with it.
const BEGIN_LEN: usize = 7;
/// Bytes within which the header of a continuation record must end.
const CONTINUING_LEN_MAX: usize = 32 * 1024;
/// Maximum number of lines in a record's header.
const LINES_MAX: usize = 1000;

/// The header of a record.
#[derive(Default)]
pub(super) struct Record {
    kind: Vec<u8>,
    media: Media,
    pub(super) len: Option<u64>,
    /// The day on which it was fetched or made.
    date: Option<Date>,
    id: Vec<u8>,
    /// Its segment number, from 1, if it is a segment of a longer record.
    segment: Option<u64>,
    /// Identifier of the record's first segment, unless it is the first one.
    origin: Vec<u8>,
    is_last_segment: bool,
}

/// The result of reading the next record's header.
pub(super) enum NextRecord {
    Record(Record),
    /// Something else.
    Other(Broken),
    /// The end, within a header.
    Cut,
    End,
}

/// Reads the records of an archive.
pub(in crate::source::container) fn read(
    unpacker: &mut Unpacker<'_>,
    rest: &mut dyn Read,
    nest: &Nest,
) -> Progress {
    gaps::read(unpacker, rest, nest, MARKS, records)
}

fn records(
    unpacker: &mut Unpacker<'_>,
    feed: &mut Feed<'_>,
    gaps: &mut Gaps,
    nest: &Nest,
) -> Progress {
    loop {
        gaps::pass_between(feed, gaps.records)?;
        let at = feed.consumed();
        unpacker.joint(Division::Warc, nest, at, gaps.records);
        let record = match next(feed, &mut gaps.records)? {
            NextRecord::End => return Ok(()),
            NextRecord::Cut => return Err(gaps::truncated(nest, feed.consumed())),
            NextRecord::Other(found) => {
                gaps.pass(unpacker, feed, &Gap { at, found }, nest)?;
                continue;
            }
            NextRecord::Record(record) => record,
        };
        if record.len.is_none() {
            gaps.unknown(unpacker, at, nest)?;
        }
        let number = gaps.records;
        let mut block = Block::new(feed, &record, nest.scope);
        let result = read_block(unpacker, &record, &mut block, number, nest);
        if result.is_ok() && record.is_continuation() {
            gaps.lack(unpacker, number, "expected the segments before it", nest)?;
        }
        let result = result.and_then(|()| Ok(block.drain()?));
        gaps.records += block.passed;
        result?;
        let wrong = std::mem::take(&mut block.wrong);
        gaps.wrong(unpacker, number, &wrong, nest)?;
        if block.next.is_some() && record.is_read() {
            gaps.lack(unpacker, number, "expected another segment after it", nest)?;
        }
    }
}

/// The marks of WARC records.
pub(super) const MARKS: Marks = Marks { begins: begins_record, after, is_header };

/// Reports whether `text` begins with the version of a record, a line of its own, and a field of
/// its header.
pub(in crate::source) fn begins_record(text: &[u8]) -> bool {
    let Some(text) = text.strip_prefix(b"WARC/") else { return false };
    let (line, rest) = text.split_at(memchr::memchr(b'\n', text).unwrap_or(text.len()));
    let version = line.trim_ascii_end();
    let is_version = matches!(version, [b'0' | b'1', b'.', digits @ ..]
        if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit));
    let field = rest.get(1..).unwrap_or_default();
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
    let len = field.iter().take_while(is_of_name).count();
    is_version && len > 0 && field.get(len) == Some(&b':')
}

/// Reports whether a record begins in `text`.
pub(in crate::source) fn has_record(text: &[u8]) -> bool {
    memchr::memmem::find_iter(text, b"WARC/").any(|at| text.get(at..).is_some_and(begins_record))
}

/// Reports whether `name` is that of an archive, compressed or not: `.warc`, `.warc.gz`.
pub(in crate::source) fn is_name(name: &[u8]) -> bool {
    const ENDING: &[u8] = b".warc";
    let ends = |name: &[u8]| {
        let at = name.len().checked_sub(ENDING.len());
        at.and_then(|at| name.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(ENDING))
    };
    let packed = memchr::memrchr(b'.', name).and_then(|dot| name.get(..dot));
    ends(name) || packed.is_some_and(ends)
}

/// Reports whether `text` begins with a whole header, with a type and a name, as every record has
/// (§5).
fn is_header(text: &[u8]) -> bool {
    begins_record(text)
        && Record::shown(text)
            .is_some_and(|(record, _)| !record.kind.is_empty() && !record.id.is_empty())
}

/// Returns the offset in the first line of `text` at which a record begins after other bytes.
fn after(text: &[u8]) -> Option<usize> {
    let line = text.get(..memchr::memchr(b'\n', text)?)?;
    let at = memchr::memmem::rfind(line, b"WARC/").filter(|at| *at > 0)?;
    begins_record(text.get(at..)?).then_some(at)
}

/// Reports whether a record begins with `line`.
fn begins(line: &[u8]) -> bool {
    line.starts_with(b"WARC/1.") || line.starts_with(b"WARC/0.")
}

/// Takes the header of the next record; increments `count` for each record that begins.
fn next(feed: &mut Feed<'_>, count: &mut u64) -> io::Result<NextRecord> {
    next_of(feed, count, &mut |_| {})
}

/// Takes the header of the next record like [`next`], and passes each line of it to `each`.
pub(super) fn next_of(
    feed: &mut Feed<'_>,
    count: &mut u64,
    each: &mut dyn FnMut(&[u8]),
) -> io::Result<NextRecord> {
    const MARK: &[u8] = b"WARC/";
    match feed.peek(MARK.len())? {
        [] => return Ok(NextRecord::End),
        MARK => *count += 1,
        shown if MARK.starts_with(shown) => return Ok(NextRecord::Cut),
        _ => return Ok(NextRecord::Other(Broken::Record)),
    }
    let mut record = Record::default();
    for number in 0..LINES_MAX {
        if number > 0 && begins(feed.peek_most(BEGIN_LEN)?) {
            return Ok(NextRecord::Other(Broken::RecordHeader));
        }
        let Some(line) = feed.line(LINE_LEN_MAX)? else {
            if feed.peek_line(LINE_LEN_MAX)?.len() < LINE_LEN_MAX {
                return Ok(NextRecord::Cut);
            }
            break;
        };
        let line = line.trim_ascii();
        if line.is_empty() {
            return Ok(NextRecord::Record(record));
        }
        record.field(line);
        each(line);
    }
    Ok(NextRecord::Other(Broken::RecordHeaderEnd))
}

impl Record {
    /// Returns the record whose header `shown` begins with, and the length of the header.
    fn shown(shown: &[u8]) -> Option<(Self, u64)> {
        let mut record = Self::default();
        let mut len = 0;
        let lines = shown.split_inclusive(|byte| *byte == b'\n').take(LINES_MAX);
        for line in lines.filter(|line| line.ends_with(b"\n") && begins(shown)) {
            len += line.len() as u64;
            if line.trim_ascii().is_empty() {
                return Some((record, len));
            }
            record.field(line.trim_ascii());
        }
        None
    }

    fn field(&mut self, line: &[u8]) {
        let Some(colon) = memchr::memchr(b':', line) else { return };
        let (name, value) = line.split_at(colon);
        let value = value.get(1..).unwrap_or_default().trim_ascii().to_ascii_lowercase();
        let is_number = value.iter().all(u8::is_ascii_digit);
        let text = || std::str::from_utf8(&value).ok().filter(|_| is_number);
        let number = || text().and_then(|text| text.parse().ok());
        match name.to_ascii_lowercase().as_slice() {
            b"warc-type" => self.kind = value,
            b"warc-record-id" => self.id = value,
            b"content-type" => self.media = Media::of(&value),
            b"content-length" => self.len = number(),
            // In UTC (ISO 28500 §5.4); a date without a day is ignored.
            b"warc-date" => {
                let day = value.get(..10).and_then(|day| std::str::from_utf8(day).ok());
                self.date = day.and_then(|day| day.parse().ok());
            }
            b"warc-segment-number" => self.segment = number(),
            b"warc-segment-origin-id" => self.origin = value,
            // Only the last segment has it (§5.20).
            b"warc-segment-total-length" => self.is_last_segment = true,
            _ => {}
        }
    }

    fn is_continuation(&self) -> bool {
        self.kind == b"continuation"
    }

    fn is_read(&self) -> bool {
        matches!(&*self.kind, b"response" | b"resource" | b"conversion" | b"metadata")
            || self.is_continuation()
    }

    /// Returns the number of the next segment, if there is one.
    fn next_segment(&self) -> Option<u64> {
        self.segment.filter(|_| !self.is_last_segment)?.checked_add(1)
    }
}

/// The block of a record, with the blocks of adjacent segments that continue it (§7).
struct Block<'f, 'i, 'r> {
    feed: &'f mut Feed<'i>,
    /// The rest of the current segment.
    extent: Extent,
    /// Wrong lengths of segments.
    wrong: Vec<WrongLength>,
    scope: usize,
    /// The number of the next segment, if there is one.
    next: Option<u64>,
    /// Identifier of the first segment.
    origin: &'r [u8],
    /// Number of segments after the first one of this block.
    passed: u64,
}

impl<'f, 'i, 'r> Block<'f, 'i, 'r> {
    fn new(feed: &'f mut Feed<'i>, record: &'r Record, scope: usize) -> Self {
        let origin = if record.is_continuation() { &record.origin } else { &record.id };
        let (extent, wrong) = (Extent::new(record.len, MARKS), Vec::new());
        Self { feed, extent, wrong, scope, next: record.next_segment(), origin, passed: 0 }
    }

    /// Moves to the next segment; returns false when none follows.
    fn turn(&mut self) -> io::Result<bool> {
        self.wrong.extend(self.extent.wrong.take());
        let Some(number) = self.next else { return Ok(false) };
        gaps::pass_between(self.feed, 1)?;
        let shown = Record::shown(self.feed.peek_most(CONTINUING_LEN_MAX)?);
        let Some((record, len)) = shown else { return Ok(false) };
        let is_next = record.is_continuation() && record.origin == self.origin;
        let Some(left) = record.len.filter(|_| is_next && record.segment == Some(number)) else {
            return Ok(false);
        };
        self.feed.skip(len)?;
        (self.extent, self.next) = (Extent::new(Some(left), MARKS), record.next_segment());
        self.passed += 1;
        Ok(true)
    }

    /// Skips the rest of all segments.
    fn drain(&mut self) -> io::Result<()> {
        loop {
            self.extent.drain(self.feed, self.scope)?;
            if !self.turn()? {
                return Ok(());
            }
        }
    }
}

impl Read for Block<'_, '_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while !out.is_empty() && self.extent.is_passed(self.feed)? {
            if !self.turn()? {
                return Ok(0);
            }
        }
        self.extent.read(self.feed, self.scope, out)
    }
}

fn read_block(
    unpacker: &mut Unpacker<'_>,
    record: &Record,
    block: &mut Block<'_, '_, '_>,
    number: u64,
    nest: &Nest,
) -> Progress {
    if !record.is_read() {
        return unpacker.skip(Skip::WarcRecord);
    }
    if unpacker.budget.is_scouting() {
        return Ok(unpacker.budget.member()?);
    }
    let mut feed = Feed::new(block);
    let is_http = record.kind == b"response" && record.media.name == "application/http";
    let head = if is_http { Head::read(&mut feed)? } else { Head::of(record.media.clone()) };
    let kept = Kept { name: gaps::name(number), date: record.date, head };
    body::read(unpacker, &kept, &mut feed, nest)
}
