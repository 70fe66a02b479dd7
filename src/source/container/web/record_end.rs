//! Where the record of an archive of the Web ends, WARC or ARC, when the length that it tells is
//! wrong: some programs count the line ends behind it, or count before they change something.
//!
//! A length is right when a record, nothing, or an empty line follows. Else the next record is
//! looked for, within what the length counts and behind it, and the record ends there.

use std::io::{self, Read};

use crate::source::container::{Feed, Share};

/// Bytes before the end of a record in which another one may begin that its length counts, too.
const TAIL_LEN_MAX: usize = 28 * 1024;
/// Bytes that are looked at for the next record where a length is wrong; no more than a feed
/// shows.
const LOOK_LEN_MAX: usize = 60 * 1024;
/// Bytes behind a record that tell whether its length is right: line ends, and what a record
/// begins with.
const BEHIND_LEN: usize = 4 * 1024;

/// Searches of one archive that find no record: then its lengths are believed, or each small record
/// would cost a search.
const SEARCHES_MAX: u32 = 1_000;

/// How records of an archive are told from other bytes.
#[derive(Clone, Copy)]
pub(super) struct Marks {
    /// Reports whether a record begins with this text, which begins with a line.
    pub(super) begins: fn(&[u8]) -> bool,
    /// Returns where in the first line of this text a record begins, behind something else.
    pub(super) behind: fn(&[u8]) -> Option<usize>,
}

/// A length that is wrong.
pub(super) struct WrongLength {
    pub(super) told: u64,
    pub(super) found: u64,
}

/// The bytes of a record as far as they go, whatever its length says.
pub(super) struct Extent {
    marks: Marks,
    told: u64,
    /// Bytes that are left.
    left: u64,
    state: State,
    pub(super) wrong: Option<WrongLength>,
}

/// What is known of the length.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing was looked at.
    New,
    /// The end was not in sight.
    Long,
    /// It is right, or was corrected.
    Settled,
}

impl Extent {
    pub(super) const fn new(len: u64, marks: Marks) -> Self {
        Self { marks, told: len, left: len, state: State::New, wrong: None }
    }

    /// Reports whether nothing is left.
    pub(super) fn is_passed(&mut self, feed: &mut Feed<'_>) -> io::Result<bool> {
        self.settle(feed)?;
        Ok(self.left == 0)
    }

    /// Reads what is left; `scope` is that of the archive.
    pub(super) fn read(
        &mut self,
        feed: &mut Feed<'_>,
        scope: usize,
        out: &mut [u8],
    ) -> io::Result<usize> {
        self.settle(feed)?;
        let len = Share::new(feed, self.sure(), scope).read(out)?;
        self.left -= len as u64;
        Ok(len)
    }

    /// Takes what is left.
    pub(super) fn drain(&mut self, feed: &mut Feed<'_>, scope: usize) -> io::Result<()> {
        self.settle(feed)?;
        let len = self.sure();
        self.left -= len;
        Share::new(feed, len, scope).drain()?;
        self.settle(feed)?;
        Share::new(feed, std::mem::take(&mut self.left), scope).drain()
    }

    /// Bytes of which it is known that they belong to the record.
    const fn sure(&self) -> u64 {
        let tail = TAIL_LEN_MAX as u64;
        match self.state {
            State::Settled => self.left,
            State::New | State::Long => self.left.saturating_sub(tail),
        }
    }

    /// Looks at the end of the record, where that is in sight, and corrects its length.
    fn settle(&mut self, feed: &mut Feed<'_>) -> io::Result<()> {
        let is_near = self.left <= TAIL_LEN_MAX as u64;
        if self.state == State::Settled || self.state == State::Long && !is_near {
            return Ok(());
        }
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        if is_near {
            self.state = State::Settled;
            let shown = feed.peek_most(left + BEHIND_LEN)?;
            if self.is_right(shown, left) {
                return Ok(());
            }
        } else {
            self.state = State::Long;
        }
        if feed.vain_searches() >= SEARCHES_MAX {
            return Ok(());
        }
        let shown = feed.peek_most(LOOK_LEN_MAX)?;
        let is_end = shown.len() < LOOK_LEN_MAX;
        // Only where the text ends before is it known that a long one is wrong.
        let ends_before = is_end && shown.len() < left;
        if !(is_near || ends_before) {
            return Ok(());
        }
        if let Some(len) = self.corrected(shown, left, is_end) {
            let passed = self.told - self.left;
            let found = passed + len as u64;
            self.wrong = Some(WrongLength { told: self.told, found });
            (self.left, self.state) = (len as u64, State::Settled);
        } else {
            feed.search_in_vain();
        }
        Ok(())
    }

    /// Reports whether a record ends after `left` bytes of `shown`.
    fn is_right(&self, shown: &[u8], left: usize) -> bool {
        let Some((block, behind)) = shown.split_at_checked(left) else { return false };
        let ends = line_ends(behind);
        let next = behind.get(ends..).unwrap_or_default();
        let is_next = next.is_empty() || (self.marks.begins)(next);
        // The line ends that separate records were counted, too.
        let is_counted = ends == 0 && block.ends_with(b"\r\n\r\n") && !next.is_empty()
            || behind.starts_with(b"\n") && block.ends_with(b"\r");
        if is_next && is_counted {
            return false;
        }
        let is_apart = behind.starts_with(b"\r\n\r\n") || behind.starts_with(b"\n\n");
        // The archive ends within the first line of the next record.
        let is_cut = ends > 0 && behind.len() < BEHIND_LEN && memchr::memchr(b'\n', next).is_none();
        is_next || is_apart || is_cut || self.is_of_lines(shown, left)
    }

    /// Reports whether `left` bytes of `shown` end with a line, so that what follows is something
    /// else, or are followed by padding. The head of an answer lacks its body.
    fn is_of_lines(&self, shown: &[u8], left: usize) -> bool {
        let (block, behind) = shown.split_at(left.min(shown.len()));
        let is_head = block.ends_with(b"\r\n\r\n") || block.ends_with(b"\n\n");
        let is_whole = block.ends_with(b"\n") && !is_head || behind.starts_with(b"\0");
        is_whole && self.starts(shown).next().is_none_or(|at| at >= left)
    }

    /// Returns the length of the block at the beginning of `shown`, which tells `left` bytes, when
    /// the next record is found; or the end, when `is_end` is true.
    fn corrected(&self, shown: &[u8], left: usize, is_end: bool) -> Option<usize> {
        let next = self.starts(shown).next();
        let is_cut = next.is_none() && shown.len() < left;
        let end = next.or_else(|| (is_end && !is_cut).then_some(shown.len()))?;
        let (block, between) = (shown.get(..end)?, shown.get(left..end));
        let is_apart = between.is_some_and(|it| !it.is_empty() && line_ends(it) == it.len());
        if is_apart && !shown.get(..left)?.ends_with(b"\r") {
            return None;
        }
        let separators: [&[u8]; 4] = [b"\r\n\r\n", b"\n\n", b"\r\n", b"\n"];
        let kept = separators.iter().find_map(|separator| block.strip_suffix(*separator));
        let len = kept.unwrap_or(block).len();
        (len != left).then_some(len)
    }

    /// Returns the offsets of the records that begin in `text`, each behind the end of a line.
    fn starts<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = usize> + 't {
        let Marks { begins, behind } = self.marks;
        memchr::memchr_iter(b'\n', text).filter_map(move |feed| {
            let rest = text.get(feed + 1..)?;
            let at = if begins(rest) { Some(0) } else { behind(rest) };
            at.map(|at| feed + 1 + at)
        })
    }
}

fn line_ends(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count()
}
