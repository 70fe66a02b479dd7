//! What stands between the records of archives of the Web, WARC and ARC: line ends, and what is
//! none's, since a record is broken, or was cut where another file was put behind it.

use std::io::{self, Read};

use super::record_end::{Marks, WrongLength};
use crate::finding::NoteKind;
use crate::source::container::{Feed, Halt, Nest, Progress, Unpacker, fail};

/// Bytes of one line of a record's header: addresses are the longest, and some are programs.
pub(super) const LINE_LEN_MAX: usize = 64 * 1024;
/// Bytes behind a line that tell whether a record begins with it, and bytes of a line that are kept
/// where it goes on.
const NEAR_LEN: usize = 1024;
/// Gaps of one archive that have a note each, and parts of records that do: more say no more.
const NOTES_MAX: u64 = 100;

/// Reads the records of one archive.
type Records = fn(&mut Unpacker<'_>, &mut Feed<'_>, &mut Gaps, &Nest) -> Progress;

/// Reads an archive by its `records`, and tells of all gaps between these.
pub(super) fn read(
    unpacker: &mut Unpacker<'_>,
    rest: &mut dyn Read,
    nest: &Nest,
    records: Records,
) -> Progress {
    let mut gaps = Gaps::default();
    let result = records(unpacker, &mut Feed::new(rest), &mut gaps, nest);
    gaps.finish(unpacker, nest)?;
    result
}

/// A place where a record was expected.
pub(super) struct Gap {
    /// The offset where what is no record begins.
    pub(super) at: u64,
    /// What was expected there, and what was found.
    pub(super) message: &'static str,
}

/// The gaps of one archive.
#[derive(Default)]
pub(super) struct Gaps {
    count: u64,
    /// Bytes of gaps that have no note.
    len: u64,
    /// Records that are a part of one that is not all there.
    parts: u64,
    /// Lengths that are wrong.
    lengths: u64,
}

impl Gaps {
    /// Goes on to the next line that `begins` a record, or to the end, and tells what was passed.
    pub(super) fn pass(
        &mut self,
        unpacker: &mut Unpacker<'_>,
        feed: &mut Feed<'_>,
        gap: &Gap,
        marks: Marks,
        nest: &Nest,
    ) -> Progress {
        let result = search(feed, gap.at, marks);
        let len = feed.consumed() - gap.at;
        self.count += 1;
        if self.count > NOTES_MAX {
            self.len += len;
        } else {
            let bytes = if len == 1 { "byte is" } else { "bytes are" };
            let message = format!("{}: {len} {bytes} passed over", gap.message);
            unpacker.note(NoteKind::ArchiveBroken, nest, Some(gap.at), message)?;
        }
        Ok(result?)
    }

    /// Tells that the record with that number is a part of one that is not all there.
    pub(super) fn lack(
        &mut self,
        unpacker: &mut Unpacker<'_>,
        number: u64,
        expected: &str,
        nest: &Nest,
    ) -> Progress {
        self.parts += 1;
        if self.parts > NOTES_MAX {
            return Ok(());
        }
        let place = Unpacker::named(nest, name(number).as_bytes());
        let message = format!("{expected}, found none");
        unpacker.note(NoteKind::ArchiveTruncated, &place, None, message)
    }

    /// Notes that the lengths of the record with that number are wrong.
    pub(super) fn wrong(
        &mut self,
        unpacker: &mut Unpacker<'_>,
        number: u64,
        lengths: &[WrongLength],
        nest: &Nest,
    ) -> Progress {
        for WrongLength { told, found } in lengths {
            self.lengths += 1;
            if self.lengths <= NOTES_MAX {
                let place = Unpacker::named(nest, name(number).as_bytes());
                let message = format!("expected {told} bytes in a record, found {found}");
                unpacker.note(NoteKind::LengthWrong, &place, None, message)?;
            }
        }
        Ok(())
    }

    /// Tells of what has no note yet.
    fn finish(&self, unpacker: &mut Unpacker<'_>, nest: &Nest) -> Progress {
        if let Some(count @ 1..) = self.parts.checked_sub(NOTES_MAX) {
            let message =
                format!("expected other segments of records, found none {count} times more");
            unpacker.note(NoteKind::ArchiveTruncated, nest, None, message)?;
        }
        if let Some(count @ 1..) = self.lengths.checked_sub(NOTES_MAX) {
            let message = format!("expected other lengths of records {count} times more");
            unpacker.note(NoteKind::LengthWrong, nest, None, message)?;
        }
        let Some(count @ 1..) = self.count.checked_sub(NOTES_MAX) else { return Ok(()) };
        let len = self.len;
        let message = format!(
            "expected records, found something else at {count} places more: {len} bytes are \
             passed over"
        );
        unpacker.note(NoteKind::ArchiveBroken, nest, None, message)
    }
}

/// Takes what stands before the next line that begins a record, or that has one behind something
/// else; not the line that begins at `at`, where none could be read.
fn search(feed: &mut Feed<'_>, at: u64, marks: Marks) -> io::Result<()> {
    let mut is_start = feed.consumed() > at;
    loop {
        let line = feed.peek_line(LINE_LEN_MAX)?;
        let (len, is_whole) = (line.len(), line.ends_with(b"\n"));
        let shown = feed.peek_most(len + NEAR_LEN)?;
        if len == 0 || is_start && (marks.begins)(shown) {
            return Ok(());
        }
        // Bytes of no line are taken but for those that may begin a record.
        let rest = if is_whole || len < LINE_LEN_MAX { 0 } else { NEAR_LEN };
        if is_whole && let Some(behind) = (marks.behind)(shown) {
            feed.skip(behind as u64)?;
            return Ok(());
        }
        is_start = is_whole;
        feed.skip((len - rest) as u64)?;
    }
}

/// Takes what separates records: a line end or two, and more or less in some archives.
pub(super) fn pass_line_ends(feed: &mut Feed<'_>) -> io::Result<()> {
    while matches!(feed.peek(1)?, [b'\r' | b'\n']) {
        feed.skip(1)?;
    }
    Ok(())
}

/// The fault of an archive that ends in the header of a record.
pub(super) fn truncated(nest: &Nest, at: u64) -> Halt {
    let message = "expected more of a record, found the end";
    fail(NoteKind::ArchiveTruncated, nest, at, message)
}

/// What a record is called: the address it was kept from may hold a password.
pub(super) fn name(number: u64) -> String {
    format!("record {number}")
}
