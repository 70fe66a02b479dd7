//! Finds the end of a record of a web archive, WARC or ARC, whose declared length is wrong: some
//! programs include the line ends after the record, or count before they change the text.
//!
//! A length is right when a record, nothing, or an empty line follows. Otherwise, searches for the
//! next record, within the declared length and after it, and ends the record there. A long record
//! also ends where another one begins in it with a whole header after an empty line, unless it is
//! itself an archive.

use std::io::{self, Read};

use crate::source::container::{Feed, Share};

/// Bytes before the declared end of a record in which another record may begin.
const TAIL_LEN_MAX: usize = 28 * 1024;
/// Bytes searched for the next record when a length is wrong; no more than a feed shows.
const LOOK_LEN_MAX: usize = 60 * 1024;
/// Bytes after a record that decide whether its length is right: line ends, and the beginning of
/// the next record.
const AFTER_LEN: usize = 4 * 1024;
/// Bytes in which the header of a record within another one must end.
const HEADER_LEN_MAX: usize = 4 * 1024;

/// Fruitless searches of one archive, after which its lengths are trusted; else each small record
/// would cost a search.
const SEARCHES_MAX: u32 = 1_000;

/// Functions that recognise the records of an archive.
#[derive(Clone, Copy)]
pub(super) struct Marks {
    /// Reports whether a record begins with this text, which begins with a line.
    pub(super) begins: fn(&[u8]) -> bool,
    /// Returns the offset in the first line of this text at which a record begins after other
    /// bytes.
    pub(super) after: fn(&[u8]) -> Option<usize>,
    /// Reports whether the whole header of a record begins this text.
    pub(super) is_header: fn(&[u8]) -> bool,
}

/// A wrong length, declared and found.
pub(super) struct WrongLength {
    pub(super) told: u64,
    pub(super) found: u64,
}

/// The bytes of a record up to its real end, which may differ from its declared length.
pub(super) struct Extent {
    marks: Marks,
    /// The declared length, if there is one.
    told: Option<u64>,
    /// Bytes read.
    passed: u64,
    /// Bytes left, by the declared or corrected length.
    left: u64,
    state: LengthCheck,
    search: Search,
    pub(super) wrong: Option<WrongLength>,
}

/// The state of the check of the length.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LengthCheck {
    /// Not yet checked.
    New,
    /// The end was too far ahead.
    Long,
    /// The length is right, or was corrected.
    Settled,
}

/// The search for another record within this one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    /// None begins in the next bytes, of this number.
    Clean(u64),
    /// The record is an archive.
    Off,
}

impl Extent {
    /// Returns the extent of a record of `len` bytes, or, without a length, up to the next one.
    pub(super) fn new(len: Option<u64>, marks: Marks) -> Self {
        let (state, search) = (LengthCheck::New, Search::Clean(0));
        let left = len.unwrap_or(u64::MAX);
        Self { marks, told: len, passed: 0, left, state, search, wrong: None }
    }

    /// Reports whether nothing is left.
    pub(super) fn is_passed(&mut self, feed: &mut Feed<'_>) -> io::Result<bool> {
        self.settle(feed)?;
        Ok(self.left == 0)
    }

    /// Reads remaining bytes; `scope` is that of the archive.
    pub(super) fn read(
        &mut self,
        feed: &mut Feed<'_>,
        scope: usize,
        out: &mut [u8],
    ) -> io::Result<usize> {
        let sure = self.sure(feed)?;
        let len = Share::new(feed, sure, scope).read(out)?;
        self.pass(len as u64);
        Ok(len)
    }

    /// Skips the remaining bytes.
    pub(super) fn drain(&mut self, feed: &mut Feed<'_>, scope: usize) -> io::Result<()> {
        loop {
            let len = self.sure(feed)?;
            if len == 0 {
                return Ok(());
            }
            Share::new(feed, len, scope).drain()?;
            self.pass(len);
        }
    }

    const fn pass(&mut self, len: u64) {
        self.passed += len;
        self.left -= len;
        if let Search::Clean(clean) = &mut self.search {
            *clean = clean.saturating_sub(len);
        }
    }

    /// Returns the number of bytes that certainly belong to the record; none only at its end.
    fn sure(&mut self, feed: &mut Feed<'_>) -> io::Result<u64> {
        self.settle(feed)?;
        if self.state != LengthCheck::Settled {
            self.search(feed)?;
        }
        let sure = self.left.saturating_sub(TAIL_LEN_MAX as u64);
        Ok(match (self.state, self.search) {
            (LengthCheck::Settled, _) => self.left,
            (_, Search::Clean(clean)) => sure.min(clean),
            (_, Search::Off) => sure,
        })
    }

    /// Searches the next bytes of a long record for another record, and ends this one there.
    fn search(&mut self, feed: &mut Feed<'_>) -> io::Result<()> {
        if self.search != Search::Clean(0) {
            return Ok(());
        }
        let shown = feed.peek_most(LOOK_LEN_MAX)?;
        let is_end = shown.len() < LOOK_LEN_MAX;
        if self.passed == 0 && self.is_archive(shown) {
            self.search = Search::Off;
            return Ok(());
        }
        let is_apart = |at: usize| {
            let block = shown.get(..at).unwrap_or_default();
            block.ends_with(b"\n\n") || block.ends_with(b"\r\n\r\n")
        };
        let is_whole = |at: usize| shown.get(at..).is_some_and(self.marks.is_header);
        let within = usize::try_from(self.left).unwrap_or(usize::MAX);
        let mut starts = self.starts(shown).take_while(|at| *at < within);
        if let Some(end) = starts.find(|at| is_apart(*at) && is_whole(*at)) {
            let len = shown.get(..end).map_or(end, kept_len);
            self.correct(len);
            return Ok(());
        }
        if is_end && self.told.is_none() {
            self.correct(kept_len(shown));
            return Ok(());
        }
        let unclear = if is_end { 0 } else { HEADER_LEN_MAX };
        self.search = Search::Clean((shown.len() - unclear).max(1) as u64);
        Ok(())
    }

    /// Reports whether the record whose block is `shown` holds an archive, perhaps after the
    /// header of a response.
    fn is_archive(&self, shown: &[u8]) -> bool {
        let begins = self.marks.begins;
        let head = shown.starts_with(b"HTTP/").then(|| memchr::memmem::find(shown, b"\r\n\r\n"));
        let body = head.flatten().and_then(|at| shown.get(at + 4..));
        begins(shown) || body.is_some_and(begins)
    }

    /// Ends the record after `len` more bytes.
    fn correct(&mut self, len: usize) {
        let found = self.passed + len as u64;
        self.wrong = self.told.map(|told| WrongLength { told, found });
        (self.left, self.state) = (len as u64, LengthCheck::Settled);
    }

    /// Checks the end of the record if it is near enough, and corrects the length.
    fn settle(&mut self, feed: &mut Feed<'_>) -> io::Result<()> {
        let is_near = self.left <= TAIL_LEN_MAX as u64;
        if self.state == LengthCheck::Settled || self.state == LengthCheck::Long && !is_near {
            return Ok(());
        }
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        if is_near {
            self.state = LengthCheck::Settled;
            let shown = feed.peek_most(left + AFTER_LEN)?;
            if self.is_right(shown, left) {
                return Ok(());
            }
        } else {
            self.state = LengthCheck::Long;
        }
        if feed.vain_searches() >= SEARCHES_MAX {
            return Ok(());
        }
        let shown = feed.peek_most(LOOK_LEN_MAX)?;
        let is_end = shown.len() < LOOK_LEN_MAX;
        // A long length is known to be wrong only if the text ends before it.
        let ends_before = is_end && shown.len() < left;
        if !(is_near || ends_before) {
            return Ok(());
        }
        if let Some(len) = self.corrected(shown, left, is_end) {
            self.correct(len);
        } else {
            feed.search_in_vain();
        }
        Ok(())
    }

    /// Reports whether a record ends after `left` bytes of `shown`.
    fn is_right(&self, shown: &[u8], left: usize) -> bool {
        let Some((block, after)) = shown.split_at_checked(left) else { return false };
        let ends = separator_len(after);
        let next = after.get(ends..).unwrap_or_default();
        let is_next = next.is_empty() || (self.marks.begins)(next);
        // The length includes the line ends that separate records.
        let is_counted = ends == 0 && block.ends_with(b"\r\n\r\n") && !next.is_empty()
            || after.starts_with(b"\n") && block.ends_with(b"\r");
        if is_next && is_counted {
            return false;
        }
        let is_apart = after.starts_with(b"\r\n\r\n") || after.starts_with(b"\n\n");
        // The archive ends within the first line of the next record.
        let is_cut = ends > 0 && after.len() < AFTER_LEN && memchr::memchr(b'\n', next).is_none();
        is_next || is_apart || is_cut || self.is_of_lines(shown, left)
    }

    /// Reports whether the first `left` bytes of `shown` end with a line or are followed by
    /// padding, and no record begins within them. A response header without its body does not
    /// count.
    fn is_of_lines(&self, shown: &[u8], left: usize) -> bool {
        let (block, after) = shown.split_at(left.min(shown.len()));
        let is_head = block.ends_with(b"\r\n\r\n") || block.ends_with(b"\n\n");
        let is_whole = block.ends_with(b"\n") && !is_head || after.starts_with(b"\0");
        is_whole && self.starts(shown).next().is_none_or(|at| at >= left)
    }

    /// Returns the corrected length of the block at the beginning of `shown`, whose declared length
    /// is `left`: up to the next record, or to the end of `shown` if `is_end` is true. Returns none
    /// if nothing better than `left` is found.
    fn corrected(&self, shown: &[u8], left: usize, is_end: bool) -> Option<usize> {
        let next = self.starts(shown).next();
        let is_cut = next.is_none() && shown.len() < left;
        let end = next.or_else(|| (is_end && !is_cut).then_some(shown.len()))?;
        let (block, between) = (shown.get(..end)?, shown.get(left..end));
        let is_apart = between.is_some_and(|it| !it.is_empty() && separator_len(it) == it.len());
        if is_apart && !shown.get(..left)?.ends_with(b"\r") {
            return None;
        }
        let len = kept_len(block);
        (len != left).then_some(len)
    }

    /// Returns the offsets of the records that begin in `text` on any line after the first one.
    fn starts<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = usize> + 't {
        let Marks { begins, after, .. } = self.marks;
        memchr::memchr_iter(b'\n', text).filter_map(move |feed| {
            let rest = text.get(feed + 1..)?;
            let at = if begins(rest) { Some(0) } else { after(rest) };
            at.map(|at| feed + 1 + at)
        })
    }
}

/// Returns the length of `block` without the line ends that separate it from the next record.
fn kept_len(block: &[u8]) -> usize {
    let separators: [&[u8]; 4] = [b"\r\n\r\n", b"\n\n", b"\r\n", b"\n"];
    let kept = separators.iter().find_map(|separator| block.strip_suffix(*separator));
    kept.unwrap_or(block).len()
}

/// Returns the length of the line ends and padding that `text` begins with.
fn separator_len(text: &[u8]) -> usize {
    text.iter().take_while(|byte| separates(**byte)).count()
}

/// Reports whether `byte` occurs between two records: in a line end, or as padding.
pub(super) const fn separates(byte: u8) -> bool {
    is_line_end(byte) || byte == 0
}

pub(super) const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}
