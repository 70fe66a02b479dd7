//! Where things stand in bytes: spans, lines and columns.
//!
//! Offsets count from 0 in bytes. Lines and columns count from 1. A column counts Unicode
//! scalars; what is no UTF-8 counts as the replacement characters that it would be shown as.

use std::ops::Range;

/// A run of bytes: `start..end`, both offsets from the beginning of one text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset behind the last byte.
    pub end: usize,
}

impl Span {
    /// The span `start..end`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Length in bytes; zero when the ends are crossed.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// True when no byte lies in the span.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The bytes of `text` in this span; empty when the span reaches beyond `text`.
    #[must_use]
    pub fn of(self, text: &[u8]) -> &[u8] {
        text.get(self.range()).unwrap_or_default()
    }

    /// The span as a range, to index with.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// Line and column, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Number of the line; lines end in LF.
    pub line: u64,
    /// Number of the Unicode scalar on its line.
    pub column: u64,
}

/// Finds line and column of offsets that only grow, reading each byte about once.
///
/// No index of lines is kept: counting line feeds runs at the speed of memory, and most
/// texts have fewer findings than lines.
#[derive(Debug)]
pub struct LineCursor<'h> {
    bytes: &'h [u8],
    at: usize,
    position: Position,
}

impl<'h> LineCursor<'h> {
    /// A cursor at offset `at` of `bytes`, where `position` is already known.
    #[must_use]
    pub fn new(bytes: &'h [u8], at: usize, position: Position) -> Self {
        Self { bytes, at, position }
    }

    /// Line and column of `offset`, which must not lie before the one asked for last.
    ///
    /// An earlier offset, or one beyond the end, gives the nearest position still ahead.
    pub fn locate(&mut self, offset: usize) -> Position {
        let passed = self.bytes.get(self.at..offset).unwrap_or_default();
        self.position = advance(self.position, passed);
        self.at = self.at.max(offset.min(self.bytes.len()));
        self.position
    }
}

/// The position behind `passed`, when its first byte stands at `from`.
#[must_use]
pub fn advance(from: Position, passed: &[u8]) -> Position {
    match memchr::memrchr(b'\n', passed) {
        None => Position { line: from.line, column: from.column + scalars(passed) },
        Some(last) => Position {
            line: from.line + memchr::memchr_iter(b'\n', passed).count() as u64,
            column: 1 + scalars(passed.get(last + 1..).unwrap_or_default()),
        },
    }
}

/// How many Unicode scalars `text` holds when each maximal part that is no UTF-8 is read as
/// one replacement character.
fn scalars(text: &[u8]) -> u64 {
    if text.is_ascii() {
        return text.len() as u64;
    }
    let count = |chunk: std::str::Utf8Chunk<'_>| {
        chunk.valid().chars().count() as u64 + u64::from(!chunk.invalid().is_empty())
    };
    text.utf8_chunks().map(count).sum()
}

#[cfg(test)]
mod tests {
    use super::{LineCursor, Position};

    #[test]
    fn a_cursor_agrees_with_counting_from_the_start() {
        let text = b"a\xC3\xA9\nb\r\n\n\xF0\x9F\x98\x80x\x80\x80y\xFF\xE4\xB8z";
        let start = Position { line: 1, column: 1 };
        let mut cursor = LineCursor::new(text, 0, start);
        for offset in 0..=text.len() {
            // A finding begins with a byte of US-ASCII.
            if text.get(offset).is_none_or(u8::is_ascii) {
                let before = String::from_utf8_lossy(&text[..offset]);
                let line = 1 + before.matches('\n').count() as u64;
                let tail = before.rsplit('\n').next().unwrap_or_default();
                let column = 1 + tail.chars().count() as u64;
                assert_eq!(cursor.locate(offset), Position { line, column }, "offset {offset}");
            }
        }
    }
}
