//! Reads archives of the Web in the format ARC, versions 1 and 2, which the Internet Archive used
//! before WARC.
//!
//! A record is a line with the address and other fields, and the response of the server. Records
//! are read as those of WARC: a member is named by the number of its record, from 1, and after a
//! broken record, the next one is searched for. The first record describes the archive itself; it
//! is counted and skipped.

use std::io::{self, Read};

use jiff::civil::Date;

use super::gaps::{self, Gap, Gaps, LINE_LEN_MAX};
use super::http::body::{self, Kept};
use super::http::{Head, Media};
use super::record_end::{Extent, Marks};
use crate::finding::Skip;
use crate::source::container::{Broken, Feed, Nest, Progress, Unpacker};

/// The scheme in the first line of an archive, which describes the archive.
const ITSELF: &[u8] = b"filedesc://";

/// The line that a record begins with: an address, the address of the server, the time, the type
/// and, after more fields in version 2, the length.
struct Record {
    is_archive: bool,
    date: Option<Date>,
    media: Media,
    len: u64,
}

impl Record {
    fn of(line: &[u8]) -> Option<Self> {
        let line = line.trim_ascii_end();
        // Some addresses contain blanks.
        let mut fields = line.split(|byte| *byte == b' ');
        let is_uri = fields.next().is_some_and(|field| memchr::memchr(b':', field).is_some());
        let mut before = fields.next()?;
        let time = loop {
            let field = fields.next()?;
            if is_time(field) && is_address(before) {
                break field;
            }
            before = field;
        };
        let media = fields.next()?;
        let len = std::str::from_utf8(fields.next_back()?).ok()?.parse().ok()?;
        let (is_archive, media) = (line.starts_with(ITSELF), Media::of(media));
        is_uri.then(|| Self { is_archive, date: date(time), media, len })
    }
}

/// Reports whether `field` may be a numeric address of a server.
fn is_address(field: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_hexdigit() || b".:-".contains(byte);
    !field.is_empty() && field.iter().all(is_part)
}

/// Reports whether `field` is a timestamp: digits from years to minutes or seconds.
fn is_time(field: &[u8]) -> bool {
    matches!(field.len(), 12 | 14) && field.iter().all(u8::is_ascii_digit)
}

fn date(time: &[u8]) -> Option<Date> {
    let text = std::str::from_utf8(time.get(..8)?).ok()?;
    let (year, day) = text.split_at_checked(4)?;
    let (month, day) = day.split_at_checked(2)?;
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}

/// The marks of ARC records. One line is the whole header, and lines of text may look like one.
const MARKS: Marks = Marks { begins, after, is_header: |_| false };

/// Reports whether `text` begins with the line of a record.
fn begins(text: &[u8]) -> bool {
    let len = memchr::memchr(b'\n', text).map_or(text.len(), |feed| feed + 1);
    text.get(..len).is_some_and(|line| Record::of(line).is_some())
}

/// Returns the offset in the first line of `text` at which a record begins after padding with
/// zeros.
fn after(text: &[u8]) -> Option<usize> {
    let zeros = text.iter().take_while(|byte| **byte == 0).count();
    (zeros > 0 && begins(text.get(zeros..)?)).then_some(zeros)
}

/// Reports whether an archive begins with `head`, which may be cut in its first line.
pub(in crate::source) fn is_header(head: &[u8]) -> bool {
    let is_line = |feed| head.get(..feed).is_some_and(begins);
    head.starts_with(ITSELF) && memchr::memchr(b'\n', head).is_none_or(is_line)
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
        let line = feed.line(LINE_LEN_MAX)?;
        if line.is_none() {
            match feed.peek_most(LINE_LEN_MAX)?.len() {
                0 => return Ok(()),
                1..LINE_LEN_MAX => return Err(gaps::truncated(nest, at)),
                _ => {}
            }
        }
        let Some(record) = line.as_deref().and_then(Record::of) else {
            let gap = Gap { at, found: Broken::Record };
            gaps.pass(unpacker, feed, &gap, nest)?;
            continue;
        };
        gaps.records += 1;
        let number = gaps.records;
        let extent = Extent::new(Some(record.len), MARKS);
        let mut block = Block { feed: &mut *feed, extent, scope: nest.scope };
        read_record(unpacker, record, &mut block, number, nest)?;
        block.extent.drain(block.feed, block.scope)?;
        let wrong: Vec<_> = block.extent.wrong.into_iter().collect();
        gaps.wrong(unpacker, number, &wrong, nest)?;
    }
}

/// The response of a server.
struct Block<'f, 'i> {
    feed: &'f mut Feed<'i>,
    extent: Extent,
    scope: usize,
}

impl Read for Block<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() || self.extent.is_passed(self.feed)? {
            return Ok(0);
        }
        self.extent.read(self.feed, self.scope, out)
    }
}

fn read_record(
    unpacker: &mut Unpacker<'_>,
    record: Record,
    block: &mut Block<'_, '_>,
    number: u64,
    nest: &Nest,
) -> Progress {
    if record.is_archive {
        return unpacker.skip(Skip::WarcRecord);
    }
    let mut feed = Feed::new(block);
    // Servers of other protocols answer without a header, as those of HTTP 0.9 did.
    let is_http = feed.peek_most(5)? == b"HTTP/";
    let head = if is_http { Head::read(&mut feed)? } else { Head::of(record.media) };
    let kept = Kept { name: gaps::name(number), date: record.date, head };
    body::read(unpacker, &kept, &mut feed, nest)
}

#[cfg(test)]
mod tests {
    use super::{Record, is_header};

    fn told(line: &str) -> Option<(String, u64, Option<String>)> {
        let record = Record::of(line.as_bytes())?;
        Some((record.media.name, record.len, record.date.map(|date| date.to_string())))
    }

    #[test]
    fn lines_of_both_versions_tell_type_length_and_day() {
        let expected = Some(("text/html".to_owned(), 202, Some("1996-11-04".to_owned())));
        for line in [
            "http://h.example:80/ 127.10.100.2 19961104142103 text/html 202\n",
            "http://h.example/a b 127.10.100.2 199611041421 text/html 202\r\n",
            "http://h.example/ ::1 19961104142103 text/html 200 - - 209 a.arc 202\n",
        ] {
            assert_eq!(told(line), expected, "{line}");
        }
    }

    #[test]
    fn other_lines_are_no_records() {
        for line in [
            "",
            "http://h.example/ 127.10.100.2 19961104142103 text/html\n",
            "http://h.example/ 127.10.100.2 19961104142103 text/html -1\n",
            "http://h.example/ localhost 19961104142103 text/html 202\n",
            "http://h.example/ 127.10.100.2 1996 text/html 202\n",
            "a 127.10.100.2 19961104142103 text/html 202\n",
        ] {
            assert_eq!(told(line), None, "{line}");
        }
    }

    #[test]
    fn an_archive_is_told_by_its_first_line() {
        let line = b"filedesc://a.arc 0.0.0.0 19961104142103 text/plain 76\n";
        assert!(is_header(line) && is_header(&line[..20]) && !is_header(&line[..9]));
        assert!(!is_header(b"filedesc://a.arc is how it begins\n"));
    }
}
