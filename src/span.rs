//! Positions in bytes: spans, lines and columns.
//!
//! Offsets count from 0 in bytes. Lines and columns count from 1. A column counts Unicode
//! scalars. Bytes that are not UTF-8 count as the replacement characters shown for them. A byte
//! order mark at the beginning of a text does not count, since editors do not show it.

use std::fmt;
use std::ops::Range;

/// A run of bytes: `start..end`, both offsets from the beginning of one text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
}

impl Span {
    /// Returns the span `start..end`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Returns the length in bytes; zero if `end` is before `start`.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Reports whether the span contains no byte.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes of `text` in this span; none if the span reaches beyond `text`.
    #[must_use]
    pub fn of(self, text: &[u8]) -> &[u8] {
        text.get(self.range()).unwrap_or_default()
    }

    /// Returns the span as a range, to index with.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// Line, column and byte of a place in a text, all counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Number of the line; lines end in LF.
    pub line: u64,
    /// Number of the Unicode scalar in its line.
    pub column: u64,
    /// Number of the byte in its line.
    pub byte: u64,
}

impl Position {
    /// The beginning of a text.
    pub const START: Self = Self { line: 1, column: 1, byte: 1 };
}

/// The number of lines that end before each step of a text. Counting lines is most of the cost of
/// locating a place, so that the code that counts them all keeps the counts for later use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineCounts {
    /// Line feeds before each multiple of [`STEP`].
    before: Vec<u64>,
    /// Line feeds in all.
    total: u64,
}

/// Bytes between two counts: a few hundred bytes are counted again for each finding.
const STEP: usize = 1024;

impl LineCounts {
    /// Counts the lines of `text`.
    #[must_use]
    pub fn of(text: &[u8]) -> Self {
        let mut counts = Self { before: Vec::with_capacity(text.len() / STEP + 1), total: 0 };
        for step in text.chunks(STEP) {
            counts.before.push(counts.total);
            counts.total += feeds(step);
        }
        counts
    }

    /// Returns the number of line feeds before `offset` in `text`, which must be the counted text.
    fn until(&self, text: &[u8], offset: usize) -> u64 {
        let step = offset / STEP;
        match self.before.get(step) {
            Some(before) => before + feeds(text.get(step * STEP..offset).unwrap_or_default()),
            None => self.total,
        }
    }
}

fn feeds(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

/// Finds line and column of offsets that never decrease.
///
/// No index of lines is kept: most texts have fewer findings than lines.
pub struct LineCursor<'h> {
    bytes: &'h [u8],
    counts: &'h LineCounts,
    /// Line of the first byte.
    first_line: u64,
    at: usize,
    position: Position,
}

/// Shows the current position, and nothing of the text, which may hold passwords.
impl fmt::Debug for LineCursor<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, position, .. } = self;
        out.debug_struct("LineCursor")
            .field("at", at)
            .field("position", position)
            .finish_non_exhaustive()
    }
}

impl<'h> LineCursor<'h> {
    /// Creates a cursor over `bytes`, whose first byte is at `position`.
    #[must_use]
    pub fn new(bytes: &'h [u8], counts: &'h LineCounts, position: Position) -> Self {
        Self { bytes, counts, first_line: position.line, at: 0, position }
    }

    /// Returns line and column of `offset`, which must not be before the previous call's offset.
    ///
    /// An earlier offset, or one after the end, gives the nearest position that the cursor can
    /// still reach.
    pub fn locate(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.bytes.len());
        if offset > self.at {
            let passed = self.bytes.get(self.at..offset).unwrap_or_default();
            // Findings cluster: usually fewer bytes follow the last finding than the last step.
            let line = if passed.len() <= offset % STEP {
                self.position.line + feeds(passed)
            } else {
                self.first_line + self.counts.until(self.bytes, offset)
            };
            self.position = after(self.position, passed, line);
            self.at = offset;
        }
        self.position
    }
}

/// Finds line and column of offsets that never decrease, in a text without line counts.
#[derive(Clone, Copy, Debug)]
pub struct LineSteps {
    at: usize,
    position: Position,
}

impl Default for LineSteps {
    fn default() -> Self {
        Self { at: 0, position: Position::START }
    }
}

impl LineSteps {
    /// Starts at line 1, column 1, at the offset `at` of the text.
    #[must_use]
    pub fn from(at: usize) -> Self {
        Self { at, ..Self::default() }
    }

    /// Returns line and column of `offset` in `text`, which must be the same text in each call.
    ///
    /// An offset before the previous call's, or after the end, gives the nearest position that can
    /// still be reached.
    pub fn locate(&mut self, text: &[u8], offset: usize) -> Position {
        let offset = offset.min(text.len());
        if let Some(passed) = text.get(self.at..offset) {
            self.position = after(self.position, passed, self.position.line + feeds(passed));
            self.at = offset;
        }
        self.position
    }
}

/// Returns the offset at which the last line of `text` begins.
#[must_use]
pub fn last_line(text: &[u8]) -> usize {
    memchr::memrchr(b'\n', text).map_or(0, |feed| feed + 1)
}

/// The byte order mark in UTF-8, which is no part of a text.
pub const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Returns the length in bytes of the byte order mark that `text` begins with, or zero.
#[must_use]
pub fn mark_len(text: &[u8]) -> usize {
    if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

/// Returns the position after `passed`, which begins at `from` and ends in line `line`.
fn after(from: Position, passed: &[u8], line: u64) -> Position {
    let (lines, last) = passed.split_at(last_line(passed));
    let has_mark = lines.is_empty() && from == Position::START && last.starts_with(BYTE_ORDER_MARK);
    let (from, passed) = (if lines.is_empty() { from } else { Position::START }, last);
    let byte = from.byte + passed.len() as u64;
    Position { line, column: from.column + scalars(passed) - u64::from(has_mark), byte }
}

/// Returns the position after the first `len` bytes of `text`, which has these counts and whose
/// first byte is at `from`.
#[must_use]
pub fn advance(from: Position, text: &[u8], counts: &LineCounts, len: usize) -> Position {
    let passed = text.get(..len).unwrap_or(text);
    after(from, passed, from.line + counts.until(text, passed.len()))
}

/// Returns the number of Unicode scalars in `text`, with each maximal part that is not UTF-8
/// counted as one replacement character.
fn scalars(text: &[u8]) -> u64 {
    if text.is_ascii() {
        return text.len() as u64;
    }
    let (mut rest, mut count) = (text, 0);
    // Validating the whole rest as UTF-8 is much faster than going chunk by chunk.
    while let Err(error) = std::str::from_utf8(rest) {
        let (valid, wrong) = rest.split_at(error.valid_up_to());
        count += starts(valid) + 1;
        rest = error.error_len().and_then(|len| wrong.get(len..)).unwrap_or_default();
    }
    count + starts(rest)
}

/// Returns the number of bytes of `text` that begin a scalar. All of `text` is UTF-8.
fn starts(text: &[u8]) -> u64 {
    // A chunk is as long as a byte can count: with SIMD, eight times as many sums of bytes fit as
    // of words.
    let chunks = text.chunks(u8::MAX.into());
    let count = |chunk: &[u8]| chunk.iter().map(|byte| u8::from(byte & 0xC0 != 0x80)).sum::<u8>();
    chunks.map(|chunk| u64::from(count(chunk))).sum()
}

#[cfg(test)]
mod tests {
    use super::{LineCounts, LineCursor, LineSteps, Position, STEP, advance, scalars};

    #[test]
    fn a_cursor_agrees_with_counting_from_the_start() {
        let text =
            b"a\xC3\xA9\nb\r\n\n\xF0\x9F\x98\x80x\x80\x80y\xFF\xE4\xB8z\xED\xA0\x80w\xF0\x9F\xC3";
        let start = Position::START;
        let counts = LineCounts::of(text);
        let mut cursor = LineCursor::new(text, &counts, start);
        let mut steps = LineSteps::default();
        for offset in 0..=text.len() {
            let shown = String::from_utf8_lossy(&text[..offset]).chars().count() as u64;
            assert_eq!(scalars(&text[..offset]), shown, "offset {offset}");
            // A finding begins with a byte of US-ASCII.
            if text.get(offset).is_none_or(u8::is_ascii) {
                let before = String::from_utf8_lossy(&text[..offset]);
                let line = 1 + before.matches('\n').count() as u64;
                let tail = before.rsplit('\n').next().unwrap_or_default();
                let column = 1 + tail.chars().count() as u64;
                let last = text[..offset].iter().rposition(|byte| *byte == b'\n');
                let byte = (offset - last.map_or(0, |last| last + 1)) as u64 + 1;
                let wanted = Position { line, column, byte };
                assert_eq!(cursor.locate(offset), wanted, "offset {offset}");
                assert_eq!(steps.locate(text, offset), wanted, "offset {offset}");
            }
        }
    }

    #[test]
    fn scalars_of_long_texts_are_counted() {
        for len in [254, 255, 256, 257, 510, 511, 5000] {
            let ascii = [b"\xC3\xA9".as_slice(), &vec![b'x'; len]].concat();
            let two = "\u{E9}".repeat(len).into_bytes();
            let three = [two.as_slice(), b"x\xFF", "\u{20AC}".repeat(len).as_bytes()].concat();
            for text in [ascii, two, three] {
                let shown = String::from_utf8_lossy(&text).chars().count() as u64;
                assert_eq!(scalars(&text), shown, "{len}");
            }
        }
    }

    #[test]
    fn lines_are_counted_over_steps() {
        let start = Position { line: 7, column: 3, byte: 5 };
        for len in [0, STEP - 1, STEP, STEP + 1, 5 * STEP, 5 * STEP + 17] {
            let text: Vec<u8> =
                (0..len).map(|at| if at % 37 == 0 { b'\n' } else { b'x' }).collect();
            let counts = LineCounts::of(&text);
            // The offsets are close together, or far from each other.
            let mut moving =
                [7, 900, 2600].map(|stride| (stride, LineCursor::new(&text, &counts, start)));
            for offset in (0..=len).step_by(13).chain([len]) {
                let feeds = text[..offset].iter().filter(|byte| **byte == b'\n').count() as u64;
                let position = advance(start, &text, &counts, offset);
                assert_eq!(position.line, 7 + feeds, "{offset} of {len}");
                let mut cursor = LineCursor::new(&text, &counts, start);
                assert_eq!(cursor.locate(offset), position, "{offset} of {len}");
                for (stride, cursor) in &mut moving {
                    if offset % *stride < 13 {
                        assert_eq!(cursor.locate(offset), position, "{offset} of {len}");
                    }
                }
            }
        }
    }
}
