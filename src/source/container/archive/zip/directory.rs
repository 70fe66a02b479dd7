//! Reads the central directory of a zip archive that is a file (APPNOTE §4.3.12 to §4.3.16).

use std::fs::File;
use std::io::{self, Read};

use super::entry::{Entry, day, number};
use crate::platform;
use crate::source::container::Feed;

/// Length of the part at the end of an archive that holds its end record: the record, and a comment
/// whose length has two bytes.
const END_LEN_MAX: usize = END_LEN + 0xFFFF;
const END_LEN: usize = 22;
const LOCATOR_LEN: usize = 20;
const END64_LEN: usize = 56;
const ENTRY_LEN: usize = 46;

/// The position of a directory in a file.
pub(in crate::source) struct Directory {
    pub(super) start: u64,
    pub(super) len: u64,
    /// Number to be added to every offset, if other bytes precede the archive.
    pub(super) before: u64,
    /// Bytes at the beginning of the file that are known not to belong to the archive.
    pub(super) program: u64,
    /// Number of the last file of a split archive, from zero.
    disk: u64,
    /// Length of the comment at the end of the archive.
    comment_len: u64,
    /// Offset of the end of the archive, and the length of the file.
    pub(super) end: u64,
    pub(super) file_len: u64,
}

impl Directory {
    /// Returns the number of files of a split archive whose last file this is; none if the archive
    /// is a single file (§8.5).
    pub(in crate::source) fn disks(&self) -> Option<u64> {
        /// The value of a field whose real value is elsewhere.
        const WIDE: u64 = 0xFFFF;
        (1..WIDE).contains(&self.disk).then(|| self.disk + 1)
    }

    /// Returns the directory of an archive after other bytes, which extend to its first member,
    /// whether its offsets count them or not. Returns none if the first entry cannot be read: an
    /// end record alone may occur by chance. If bytes follow the archive, such as the signature of
    /// a program, chance is likelier, and the first entry must also lead to a member.
    ///
    /// # Errors
    /// Returns the error of reading the file.
    pub(in crate::source) fn after(self, file: &File) -> io::Result<Option<Self>> {
        let mut part = Part::new(file, self.start, self.start + self.len);
        let mut feed = Feed::new(&mut part);
        let mut program = self.start;
        let mut count = 0;
        loop {
            let member = match next(&mut feed) {
                Ok(Some(entry)) => entry.offset.saturating_add(self.before),
                Ok(None) => break,
                // Later errors are reported when the members are read.
                Err(_) if count > 0 => break,
                Err(_) => return Ok(None),
            };
            if count == 0 && self.end < self.file_len && !is_member(file, member) {
                return Ok(None);
            }
            program = program.min(member);
            count += 1;
        }
        Ok((count > 0).then_some(Self { program, ..self }))
    }

    /// Returns the comment on the archive.
    ///
    /// # Errors
    /// Returns the error of reading the file.
    pub(super) fn comment(&self, file: &File) -> io::Result<Vec<u8>> {
        let mut comment = Vec::new();
        let start = self.end.saturating_sub(self.comment_len);
        Part::new(file, start, self.end).read_to_end(&mut comment)?;
        Ok(comment)
    }

    /// Returns a reader of the bytes before the archive.
    pub(in crate::source) fn ahead<'f>(&self, file: &'f File) -> impl Read + use<'f> {
        Part::new(file, 0, self.program)
    }
}

/// Reports whether the header of a member is at the offset `at` (§4.3.7).
fn is_member(file: &File, at: u64) -> bool {
    let mut magic = [0; 4];
    let end = at.saturating_add(magic.len() as u64);
    Part::new(file, at, end).read_exact(&mut magic).is_ok() && magic == *b"PK\x03\x04"
}

/// A reader of the bytes `at..end` of a file, by `pread`.
pub(super) struct Part<'f> {
    file: &'f File,
    at: u64,
    end: u64,
}

impl<'f> Part<'f> {
    pub(super) const fn new(file: &'f File, at: u64, end: u64) -> Self {
        Self { file, at, end }
    }
}

impl Read for Part<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(out.len());
        let len = left.min(out.len());
        // The system refuses offsets that are too large, even for reading nothing.
        if len == 0 {
            return Ok(0);
        }
        let len = platform::read_at(self.file, out.get_mut(..len).unwrap_or_default(), self.at)?;
        self.at += len as u64;
        Ok(len)
    }
}

/// Finds the directory of an archive of `len` bytes; returns none if there is none.
///
/// # Errors
/// Returns the error of reading the file.
pub(in crate::source) fn find(file: &File, len: u64) -> io::Result<Option<Directory>> {
    let from = len.saturating_sub(END_LEN_MAX as u64 + (LOCATOR_LEN + END64_LEN) as u64);
    let mut tail = Vec::new();
    Part::new(file, from, len).read_to_end(&mut tail)?;
    let Some((at, end)) = end_record(&tail) else { return Ok(None) };
    let mut directory = Directory {
        start: number(end, 16, 4),
        len: number(end, 12, 4),
        before: 0,
        program: 0,
        disk: number(end, 4, 2),
        comment_len: number(end, 20, 2),
        end: from + at as u64 + END_LEN as u64 + number(end, 20, 2),
        file_len: len,
    };
    let mut after = from + at as u64;
    if let Some(offset) = locator(&tail, at) {
        let mut record = [0; END64_LEN];
        let found = Part::new(file, offset, len).read_exact(&mut record).is_ok();
        if found && record.starts_with(b"PK\x06\x06") {
            (directory.start, directory.len) = (number(&record, 48, 8), number(&record, 40, 8));
            after = offset;
        }
    }
    // The directory immediately precedes its end record.
    let Some(start) = after.checked_sub(directory.len) else { return Ok(None) };
    let Some(before) = start.checked_sub(directory.start) else { return Ok(None) };
    (directory.start, directory.before) = (start, before);
    Ok(Some(directory))
}

/// Returns the last end record whose comment fits, and its offset.
fn end_record(tail: &[u8]) -> Option<(usize, &[u8])> {
    memchr::memmem::rfind_iter(tail, b"PK\x05\x06").find_map(|at| {
        let record = tail.get(at..at + END_LEN)?;
        let comment = usize::try_from(number(record, 20, 2)).ok()?;
        (tail.len() - at - END_LEN >= comment).then_some((at, record))
    })
}

/// Returns the offset of the end record for large archives if a locator precedes the record at
/// `at`.
fn locator(tail: &[u8], at: usize) -> Option<u64> {
    let locator = tail.get(at.checked_sub(LOCATOR_LEN)?..at)?;
    locator.starts_with(b"PK\x06\x07").then(|| number(locator, 8, 8))
}

/// The reason why a record of a directory cannot be read.
pub(super) enum Unlisted {
    /// Something else is in its place.
    Other,
    /// The bytes end within it.
    Cut,
    /// Reading failed.
    Read(io::Error),
}

impl From<io::Error> for Unlisted {
    fn from(error: io::Error) -> Self {
        let is_end = error.kind() == io::ErrorKind::UnexpectedEof;
        if is_end { Self::Cut } else { Self::Read(error) }
    }
}

/// Reads the next entry of a directory; returns none at its end.
///
/// # Errors
/// Returns the reason why there is no whole entry, nor the end.
pub(super) fn next(feed: &mut Feed<'_>) -> Result<Option<Entry>, Unlisted> {
    let fixed = feed.peek(ENTRY_LEN)?;
    // A signature may follow the last entry (§4.3.13).
    if fixed.is_empty() || fixed.starts_with(b"PK\x05\x05") {
        return Ok(None);
    }
    if !fixed.starts_with(b"PK\x01\x02") {
        return Err(Unlisted::Other);
    }
    let Some(fixed) = fixed.first_chunk::<ENTRY_LEN>().copied() else {
        return Err(Unlisted::Cut);
    };
    feed.skip(ENTRY_LEN as u64)?;
    let mut names = vec![0; len(&fixed, 28) + len(&fixed, 30)];
    feed.read_exact(&mut names)?;
    let comment = comment(feed, number(&fixed, 32, 2))?;
    let extra = names.split_off(len(&fixed, 28));
    let mut entry = Entry {
        flags: number(&fixed, 8, 2),
        method: number(&fixed, 10, 2),
        crc: Some(number(&fixed, 16, 4)),
        packed_len: number(&fixed, 20, 4),
        len: number(&fixed, 24, 4),
        offset: number(&fixed, 42, 4),
        // The mode of the file, if the archive was made on Unix (§4.4.2).
        mode: if number(&fixed, 5, 1) == 3 { number(&fixed, 40, 2) } else { 0 },
        date: day(&fixed, 14),
        name: names,
        comment,
    };
    entry.widen(&extra);
    Ok(Some(entry))
}

/// Takes the next `len` bytes; fewer at the end.
fn comment(feed: &mut Feed<'_>, len: u64) -> io::Result<Vec<u8>> {
    let mut comment = Vec::new();
    feed.take(len).read_to_end(&mut comment)?;
    Ok(comment)
}

/// Returns the length of two bytes at `at`.
fn len(fixed: &[u8], at: usize) -> usize {
    fixed.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |len| u16::from_le_bytes(*len).into())
}

/// A record in a directory or at its end.
pub(super) enum Record {
    Entry(Entry),
    /// The end record for large archives, or its locator.
    Large,
    /// The end record, with its comment.
    End(Vec<u8>),
}

/// Takes the next record.
///
/// # Errors
/// As for [`next`].
pub(super) fn record(feed: &mut Feed<'_>) -> Result<Record, Unlisted> {
    let shown = feed.peek(END_LEN)?;
    let len = match shown {
        [b'P', b'K', 1, 2, ..] => return next(feed)?.map(Record::Entry).ok_or(Unlisted::Cut),
        [b'P', b'K', 6, 6, ..] => number(shown, 4, 8).saturating_add(12),
        [b'P', b'K', 6, 7, ..] => LOCATOR_LEN as u64,
        [b'P', b'K', 5, 6, ..] if shown.len() == END_LEN => {
            let len = number(shown, 20, 2);
            feed.skip(END_LEN as u64)?;
            let comment = comment(feed, len)?;
            let is_whole = comment.len() as u64 == len;
            return if is_whole { Ok(Record::End(comment)) } else { Err(Unlisted::Cut) };
        }
        _ if shown.len() < END_LEN => return Err(Unlisted::Cut),
        _ => return Err(Unlisted::Other),
    };
    if feed.skip(len)? > 0 { Err(Unlisted::Cut) } else { Ok(Record::Large) }
}
