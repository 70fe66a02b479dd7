//! Reads the headers of a WARC's records and the first bytes of their blocks, for lookups of the
//! copies in it. Finds records as a scan does: after a broken one the next is searched for, a wrong
//! length ends a record where the next one begins, and a member of gzip begins with a record.

use std::io::{self, Read};

use super::gaps;
use super::record_end::Extent;
use super::sections::Sections;
use super::warc::{MARKS, NextRecord, begins_record, next_of};
use crate::source::container::compress::{Codec, Unpacked};
use crate::source::container::{Budget, Feed, Meter};

/// Bytes of a header that are kept. No server answers a URI of that length.
const HEAD_LEN_MAX: usize = 128 * 1024;

/// Bytes of a block that hold a status line.
const BLOCK_LEN: usize = 64;

/// The scope of the compressed streams, and that of the archive within them.
const SCOPES: (usize, usize) = (1, 2);

/// A consumer of the header and the first bytes of the block of each record; returns false when it
/// wants no more.
type Take<'t> = dyn FnMut(&[u8], &[u8]) -> bool + 't;

/// The records of an archive that were read, and the bytes without a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Number of records.
    pub(crate) records: u64,
    /// Bytes that were skipped since no record begins in them.
    pub(crate) skipped: u64,
    /// Number of damaged members of gzip, and of records that the end of one cut.
    pub(crate) damaged: u64,
}

/// Passes the records of the archive `input` to `take`.
///
/// # Errors
/// When reading fails, or the archive ends within a record.
pub(crate) fn read(input: &mut dyn Read, take: &mut Take<'_>) -> io::Result<Tally> {
    let budget = Budget::default();
    sections(input, &budget, take)
}

/// Passes the records of the archive that `input` is when it is decompressed to `take`.
///
/// # Errors
/// When reading fails, or the archive ends within a record.
pub(crate) fn read_gzip(input: &mut dyn Read, take: &mut Take<'_>) -> io::Result<Tally> {
    let budget = Budget::default();
    let mut feed = Feed::new(input);
    let meter = Meter::new(&budget, SCOPES.0, u64::MAX);
    let mut text = Unpacked::all(Codec::Gzip, &mut feed, meter);
    let mut tally = sections(&mut text, &budget, take)?;
    tally.damaged += text.passed().len() as u64;
    Ok(tally)
}

/// Reads the records of each section of `input`: a fault ends its section only.
fn sections(input: &mut dyn Read, budget: &Budget, take: &mut Take<'_>) -> io::Result<Tally> {
    let mut tally = Tally::default();
    let mut sections = Sections::new(input, budget, SCOPES.0, begins_record);
    loop {
        let mut feed = Feed::at(sections.passed(), &mut sections);
        match records(&mut feed, &mut tally, take) {
            Ok(false) => return Ok(tally),
            Ok(true) if !sections.turn() => return Ok(tally),
            Err(error) if !sections.turn() => return Err(error),
            Ok(true) => {}
            // Noted with the damaged member that cut the record.
            Err(_) => {}
        }
    }
}

/// Reads the records in `feed`; returns false when no more are wanted.
fn records(feed: &mut Feed<'_>, tally: &mut Tally, take: &mut Take<'_>) -> io::Result<bool> {
    loop {
        gaps::pass_between(feed, tally.records)?;
        let at = feed.consumed();
        let mut head = Vec::new();
        let mut keep = |line: &[u8]| {
            if head.len() + line.len() <= HEAD_LEN_MAX {
                head.extend_from_slice(line);
                head.push(b'\n');
            }
        };
        let len = match next_of(feed, &mut tally.records, &mut keep)? {
            NextRecord::End => return Ok(true),
            NextRecord::Cut => return Err(ended("expected the end of a record's header")),
            NextRecord::Other(_) => {
                gaps::search(feed, at, MARKS)?;
                tally.skipped += feed.consumed() - at;
                continue;
            }
            NextRecord::Record(record) => record.len,
        };
        let mut extent = Extent::new(len, MARKS);
        let mut block = Vec::new();
        let mut out = [0; BLOCK_LEN];
        let result = loop {
            let room = out.get_mut(block.len()..).unwrap_or_default();
            match extent.read(feed, SCOPES.1, room) {
                Ok(0) => break Ok(()),
                Ok(len) => block.extend_from_slice(room.get(..len).unwrap_or_default()),
                Err(error) => break Err(error),
            }
        };
        if !take(&head, &block) {
            return Ok(false);
        }
        if let Err(error) = result.and_then(|()| extent.drain(feed, SCOPES.1)) {
            let is_end = feed.is_ended();
            return Err(if is_end { ended("expected the rest of a record") } else { error });
        }
    }
}

fn ended(expected: &str) -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, format!("{expected}, found the end"))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::{Tally, read, read_gzip};

    fn record(name: &str, len: usize) -> String {
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:{name}>\r\n\
             WARC-Target-URI: http://h.example/{name}\r\nContent-Length: {len}\r\n\r\n\
             HTTP/1.1 200 OK\r\n\r\n{name}\r\n\r\n"
        )
    }

    /// The length of a block of [`record`].
    const LEN: usize = 20;

    /// Returns the records that `read` finds, and its tally.
    fn found(
        text: &[u8],
        read: impl Fn(&mut dyn std::io::Read, &mut super::Take<'_>) -> std::io::Result<Tally>,
    ) -> (Vec<String>, Tally) {
        let mut names = Vec::new();
        let tally = read(&mut &*text, &mut |head, block| {
            let head = String::from_utf8_lossy(head);
            let uri = head.lines().find_map(|line| line.strip_prefix("WARC-Target-URI: "));
            // A damaged member may have any other bytes.
            if let Some(uri) = uri.filter(|_| block.starts_with(b"HTTP/1.1 200 OK")) {
                names.push(uri.trim_start_matches("http://h.example/").to_owned());
            }
            true
        });
        (names, tally.unwrap())
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(text.as_bytes()).unwrap();
        packed.finish().unwrap()
    }

    #[test]
    fn records_are_found_after_other_bytes_and_after_a_wrong_length() {
        let case = |text: &str, skipped: u64| {
            let (names, tally) = found(text.as_bytes(), read);
            assert_eq!(names, ["a", "b", "c"], "{text}");
            assert_eq!(tally, Tally { records: 3, skipped, damaged: 0 }, "{text}");
        };
        let all = |lens: [usize; 3], gap: &str| {
            let names = ["a", "b", "c"].into_iter().zip(lens);
            names.map(|(name, len)| record(name, len)).collect::<Vec<_>>().join(gap)
        };
        case(&all([LEN; 3], ""), 0);
        case(&all([LEN; 3], "\0"), 0);
        case(&all([LEN; 3], "junk\n"), 10);
        case(&all([LEN + 6, LEN, LEN], ""), 0);
        // The rest of the block is what no record begins in.
        case(&all([LEN - 3, LEN, LEN], ""), 5);
        case(&all([LEN; 3], "").replace("\r\n", "\n"), 0);
        let packed = [record("a", LEN + 6), record("b", LEN), record("c", LEN)];
        let packed = packed.map(|text| gzip(&text)).concat();
        assert_eq!(found(&packed, read_gzip).0, ["a", "b", "c"]);
    }

    #[test]
    fn a_damaged_member_of_gzip_costs_its_own_record_only() {
        let long = |name: &str| {
            let text = record(name, LEN);
            text.replace("WARC-Type", &format!("X: {}\r\nWARC-Type", "padding ".repeat(9)))
        };
        let mut members = ["a", "b", "c"].map(|name| gzip(&long(name)));
        let half = members[1].len() / 2;
        members[1].truncate(half);
        let (names, tally) = found(&members.concat(), read_gzip);
        assert_eq!((names.first().unwrap().as_str(), names.last().unwrap().as_str()), ("a", "c"));
        assert!(tally.damaged > 0, "{tally:?}");
    }
}
