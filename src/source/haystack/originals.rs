//! Maps offsets of a piece to offsets of the input.

use crate::source::mail::charset::Original;
use crate::source::piece::Piece;
use crate::span::last_line;

/// Maps offsets of a piece to offsets of the input. Queries must not decrease.
pub struct Originals<'p> {
    piece: &'p Piece,
    at: usize,
    /// The original position of `at`, if the text was decoded.
    original: Option<Original>,
    /// The input offset at which the line of `at` begins, if the text was decoded.
    line: u64,
}

impl<'p> Originals<'p> {
    /// Creates the map of `piece`.
    #[must_use]
    pub fn new(piece: &'p Piece) -> Self {
        let original = piece.decoded_from.clone();
        let line = original.as_ref().map_or(0, |at| at.end() + 1 - piece.position.byte);
        Self { piece, at: 0, original, line }
    }

    /// Returns the column, in bytes of the input, of the input offset `start`, which must be the
    /// result of the latest query; `None` if the column is that of the piece.
    #[must_use]
    pub fn column(&self, start: u64) -> Option<u64> {
        self.original.is_some().then(|| start - self.line + 1)
    }

    /// Returns the input offset at which the text at `offset` begins.
    pub fn start(&mut self, offset: usize) -> u64 {
        match self.pass(offset) {
            Some(original) => original.start(),
            None => self.piece.base + offset as u64,
        }
    }

    /// Returns the input offset at which the text before `offset` ends.
    pub fn end(&mut self, offset: usize) -> u64 {
        match self.pass(offset) {
            Some(original) => original.end(),
            None => self.piece.base + offset as u64,
        }
    }

    fn pass(&mut self, offset: usize) -> Option<&mut Original> {
        let original = self.original.as_mut()?;
        let passed = self.piece.bytes.get(self.at..offset).unwrap_or_default();
        let (lines, last) = passed.split_at(last_line(passed));
        if !lines.is_empty() {
            original.pass(lines);
            self.line = original.end();
        }
        original.pass(last);
        self.at = self.at.max(offset);
        Some(original)
    }
}
