//! Skips the bytes between the records of web archives, WARC and ARC: line ends, padding, and the
//! remains of records that are broken or were cut where another file was appended.

use std::io::{self, BufRead as _, Read};

use super::record_end::{Marks, WrongLength, is_line_end, separates};
use super::sections::Sections;
use crate::finding::NoteKind;
use crate::source::container::{Broken, Cut, Feed, Halt, Nest, Progress, Unpacker, fail};

/// Maximum length of a line in a record's header: addresses are the longest lines, and some are
/// programs.
pub(super) const LINE_LEN_MAX: usize = 64 * 1024;
/// Bytes after a line that decide whether a record begins with it, and bytes kept of a line that is
/// longer than the limit.
const NEAR_LEN: usize = 1024;
/// Notes of one archive about gaps, and as many about parts of records and wrong lengths; the rest
/// is counted in one note each.
const NOTES_MAX: u64 = 100;

/// A function that reads the records of one archive.
type Records = fn(&mut Unpacker<'_>, &mut Feed<'_>, &mut Gaps, &Nest) -> Progress;

/// Reads an archive with `records`, and notes the gaps between them. A fault of a section of its
/// text ends only that section.
pub(super) fn read(
    unpacker: &mut Unpacker<'_>,
    rest: &mut dyn Read,
    nest: &Nest,
    marks: Marks,
    records: Records,
) -> Progress {
    let mut gaps = Gaps::new(marks, nest.stretch.first);
    // If the archive is compressed, its scope is the first one within that of the streams.
    let scope = nest.scope.saturating_sub(1);
    let mut sections = Sections::new(rest, unpacker.budget, scope, marks.begins);
    let mut vain_searches = 0;
    let result = loop {
        let mut feed = Feed::at(sections.passed(), &mut sections);
        feed.set_vain_searches(vain_searches);
        let result = records(unpacker, &mut feed, &mut gaps, nest);
        vain_searches = feed.vain_searches();
        if !sections.turn() {
            break result;
        }
        let settled = unpacker.settle(result, nest);
        if settled.is_err() {
            break settled;
        }
    };
    gaps.finish(unpacker, nest)?;
    result
}

/// A place where a record was expected.
pub(super) struct Gap {
    /// The offset at which the gap begins.
    pub(super) at: u64,
    /// The reason why there is no record.
    pub(super) found: Broken,
}

/// The gaps of one archive.
pub(super) struct Gaps {
    /// The marks of its records.
    marks: Marks,
    /// Number of records so far.
    pub(super) records: u64,
    count: u64,
    /// Bytes of gaps without a note.
    len: u64,
    /// Records without a length.
    unknown: u64,
    /// Records that lack other segments of the same record.
    parts: u64,
    /// Wrong lengths.
    lengths: u64,
}

impl Gaps {
    /// Returns no gaps of an archive with `records` records before the first one that is read.
    const fn new(marks: Marks, records: u64) -> Self {
        Self { marks, records, count: 0, len: 0, unknown: 0, parts: 0, lengths: 0 }
    }

    /// Skips to the next line that begins a record, or to the end, and notes the skipped bytes.
    pub(super) fn pass(
        &mut self,
        unpacker: &mut Unpacker<'_>,
        feed: &mut Feed<'_>,
        gap: &Gap,
        nest: &Nest,
    ) -> Progress {
        let result = search(feed, gap.at, self.marks);
        let len = feed.consumed() - gap.at;
        self.count += 1;
        if self.count > NOTES_MAX {
            self.len += len;
        } else {
            let bytes = if len == 1 { "byte is" } else { "bytes are" };
            let message = format!("{}: {len} {bytes} passed over", gap.found);
            unpacker.note(NoteKind::ArchiveBroken, nest, Some(gap.at), message)?;
        }
        Ok(result?)
    }

    /// Notes that the record at `at` has no length; it is read up to the next one.
    pub(super) fn unknown(
        &mut self,
        unpacker: &mut Unpacker<'_>,
        at: u64,
        nest: &Nest,
    ) -> Progress {
        self.unknown += 1;
        if self.unknown > NOTES_MAX {
            return Ok(());
        }
        let message = Broken::RecordLength.to_string();
        unpacker.note(NoteKind::ArchiveBroken, nest, Some(at), message)
    }

    /// Notes that the record `number` lacks other segments.
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

    /// Notes that `lengths` of the record `number` are wrong.
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

    /// Notes the sums of all faults beyond the first ones.
    fn finish(&self, unpacker: &mut Unpacker<'_>, nest: &Nest) -> Progress {
        if let Some(count @ 1..) = self.unknown.checked_sub(NOTES_MAX) {
            let message = format!("{} {count} times more", Broken::RecordLength);
            unpacker.note(NoteKind::ArchiveBroken, nest, None, message)?;
        }
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

/// Skips to the next line that begins a record, or to a record inside of a line. A line that begins
/// at `at` does not count, since no record could be read there.
pub(super) fn search(feed: &mut Feed<'_>, at: u64, marks: Marks) -> io::Result<()> {
    let mut is_start = feed.consumed() > at;
    loop {
        let line = feed.peek_line(LINE_LEN_MAX)?;
        let (len, is_whole) = (line.len(), line.ends_with(b"\n"));
        let shown = feed.peek_most(len + NEAR_LEN)?;
        if len == 0 || is_start && (marks.begins)(shown) {
            return Ok(());
        }
        // Keeps the end of a cut line, since a record may begin in it.
        let rest = if is_whole || len < LINE_LEN_MAX { 0 } else { NEAR_LEN };
        if is_whole && let Some(after) = (marks.after)(shown) {
            feed.skip(after as u64)?;
            return Ok(());
        }
        is_start = is_whole;
        feed.skip((len - rest) as u64)?;
    }
}

/// Skips the line ends that separate records: one or two, and more or none in some archives. After
/// the first of `count` records, NUL bytes are padding.
pub(super) fn pass_between(feed: &mut Feed<'_>, count: u64) -> io::Result<()> {
    let is_between = |byte: &&u8| if count > 0 { separates(**byte) } else { is_line_end(**byte) };
    loop {
        let held = feed.fill_buf()?;
        let len = held.iter().take_while(is_between).count();
        let is_end = held.is_empty() || len < held.len();
        feed.consume(len);
        if is_end {
            return Ok(());
        }
    }
}

/// Returns the fault of an archive that ends in the header of a record.
pub(super) fn truncated(nest: &Nest, at: u64) -> Halt {
    fail(nest, at, Cut::Record)
}

/// Returns the member name of a record; not its address, which may hold a password.
pub(super) fn name(number: u64) -> String {
    format!("record {number}")
}
