//! Examines the text around a bare URI for facts that decide where the URI ends.

use std::ops::RangeInclusive;

use super::emphasis;
use super::quotation::Quotation;
use super::unicode;
use crate::scan::limits::LOOKBACK_MAX;
use crate::scheme::SCHEME_LEN_MAX;
use crate::span::last_line;

/// Facts about the text around a URI, each determined once, when first needed.
pub(super) struct Around {
    /// The offset of the URI.
    start: usize,
    follows_apostrophe: bool,
    is_in_comment: Option<bool>,
    is_strong: Option<bool>,
    is_struck: Option<bool>,
    is_in_quotes: Option<bool>,
    is_windows: Option<bool>,
    quotation: Option<Option<Quotation>>,
    follows_words: Option<bool>,
}

impl Around {
    pub(super) fn new(bytes: &[u8], start: usize) -> Self {
        let before = start.checked_sub(1).and_then(|before| bytes.get(before));
        Self {
            start,
            follows_apostrophe: before == Some(&b'\''),
            is_in_comment: None,
            is_strong: None,
            is_struck: None,
            is_in_quotes: None,
            is_windows: None,
            quotation: None,
            follows_words: None,
        }
    }

    /// Reports whether an apostrophe precedes the URI, so that the next one ends it.
    pub(super) const fn follows_apostrophe(&self) -> bool {
        self.follows_apostrophe
    }

    /// Reports whether the apostrophe at `at` ends a quotation that is open before the URI.
    pub(super) fn ends_quotation(&mut self, bytes: &[u8], at: usize) -> bool {
        let start = self.start;
        let open = self.quotation.get_or_insert_with(|| Quotation::open_before(bytes, start));
        open.is_some_and(|open| open.ends_at(bytes, at))
    }

    /// Reports whether the line before the URI has a word of a script that needs no blanks.
    pub(super) fn follows_words_without_blanks(&mut self, bytes: &[u8]) -> bool {
        let before = bytes.get(..self.start).unwrap_or_default();
        *self.follows_words.get_or_insert_with(|| has_words_without_blanks(before))
    }

    /// Reports whether a comment of C or CSS opens on the line before the URI.
    pub(super) fn is_in_comment(&mut self, bytes: &[u8]) -> bool {
        let before = bytes.get(..self.start).unwrap_or_default();
        *self.is_in_comment.get_or_insert_with(|| opens_comment(before))
    }

    /// Reports whether the line of the URI only continues a comment.
    pub(super) fn continues_comment(&self, bytes: &[u8]) -> bool {
        goes_on_with_comment(bytes.get(..self.start).unwrap_or_default())
    }

    /// Reports whether two stars on the line before the URI begin strong text.
    pub(super) fn is_strong(&mut self, bytes: &[u8]) -> bool {
        let start = self.start;
        *self.is_strong.get_or_insert_with(|| emphasis::is_open(bytes, start, b'*', 2))
    }

    /// Reports whether two tildes on the line before the URI begin text that is struck through.
    pub(super) fn is_struck(&mut self, bytes: &[u8]) -> bool {
        let start = self.start;
        *self.is_struck.get_or_insert_with(|| emphasis::is_open(bytes, start, b'~', 2))
    }

    /// Reports whether a quote ends the text that a quote directly before the URI begins, and
    /// nothing between `at`, the first mark in question, and that quote ends it earlier.
    pub(super) fn is_in_quotes(&mut self, bytes: &[u8], at: usize) -> bool {
        let start = self.start;
        *self.is_in_quotes.get_or_insert_with(|| quotes_end(bytes, start, at))
    }

    /// Reports whether the path is one of Windows, where `at` is its first backslash.
    pub(super) fn is_windows(&mut self, bytes: &[u8], at: usize) -> bool {
        let start = self.start;
        *self.is_windows.get_or_insert_with(|| is_windows(bytes, start, at))
    }
}

/// Reports whether the backslash at `at`, the first one of the file URI at `start`, is a separator
/// of Windows: after a drive, `file:///C:\a`, or before the name of a host, `file://\\host\a`.
/// Elsewhere it is an escape.
fn is_windows(bytes: &[u8], start: usize, at: usize) -> bool {
    /// Number of backslashes that two take, in a string as well.
    const BACKSLASHES: RangeInclusive<usize> = 2..=4;
    let before = bytes.get(start..at).unwrap_or_default();
    if let [.., b'/', drive, b':' | b'|'] = before {
        return drive.is_ascii_alphabetic();
    }
    let after = bytes.get(at..).unwrap_or_default();
    let count = after.iter().take(BACKSLASHES.end() + 1).take_while(|byte| **byte == b'\\').count();
    let is_host = after.get(count).is_some_and(u8::is_ascii_alphabetic);
    let slashes = before.get(b"file:".len()..).unwrap_or_default();
    slashes.iter().all(|byte| *byte == b'/') && BACKSLASHES.contains(&count) && is_host
}

/// Reports whether the quote before `start`, or the form feed that divides fields, is closed by the
/// same byte after `at`, with nothing between that ends every URI.
pub(super) fn quotes_end(bytes: &[u8], start: usize, at: usize) -> bool {
    let quote = start.checked_sub(1).and_then(|at| bytes.get(at)).copied();
    let Some(quote @ (b'"' | b'\'' | b'\x0C')) = quote else { return false };
    // A limit that every piece of the text can see.
    let near = bytes.get(..bytes.len().min(at + QUOTED_LEN_MAX)).unwrap_or_default();
    let ends = |byte: &&u8| **byte == quote || !byte.is_ascii_graphic() && **byte < 0x80;
    let ends = |byte: &&u8| ends(byte) || matches!(**byte, b'"' | b'<' | b'>' | b'\\' | b'`');
    near.get(at..).unwrap_or_default().iter().find(ends) == Some(&quote)
}

/// Longest distance in bytes from a bar or a circumflex to the quote that ends the URI.
const QUOTED_LEN_MAX: usize = 4096;

/// Reports whether the last line of `text` begins with a star and a blank, as continued comments
/// do.
fn goes_on_with_comment(text: &[u8]) -> bool {
    let near = text.get(text.len().saturating_sub(COMMENT_LOOKBACK_MAX)..).unwrap_or_default();
    let start = last_line(near);
    let is_whole = start > 0 || near.len() < COMMENT_LOOKBACK_MAX;
    let line = near.get(start..).unwrap_or_default();
    is_whole && line.trim_ascii_start().starts_with(b"* ")
}

/// Reports whether a comment of C or CSS opens on the last line of `text`, and does not end there.
///
/// After a letter, a slash or a quote it is a pattern: `"https://h/*"`.
fn opens_comment(text: &[u8]) -> bool {
    let near = text.get(text.len().saturating_sub(COMMENT_LOOKBACK_MAX)..).unwrap_or_default();
    let line = near.get(last_line(near)..).unwrap_or_default();
    let Some(open) = memchr::memmem::rfind(line, b"/*") else { return false };
    let (before, inside) = line.split_at(open);
    let is_outside = matches!(before.last(), None | Some(b' ' | b'\t' | b';' | b',' | b'(' | b')'))
        || matches!(before.last(), Some(b'{' | b'}' | b'>'));
    is_outside && memchr::memmem::find(inside.get(2..).unwrap_or_default(), b"*/").is_none()
}

/// Reports whether the last line of `text` has a word of a script that needs no blanks.
fn has_words_without_blanks(text: &[u8]) -> bool {
    let near = text.get(text.len().saturating_sub(COMMENT_LOOKBACK_MAX)..).unwrap_or_default();
    let line = near.get(last_line(near)..).unwrap_or_default();
    let is_word = |character: char| unicode::needs_no_blank(character);
    line.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).any(is_word)
}

/// Bytes before a URI in which its comment may open, or a word may show the script of the text.
const COMMENT_LOOKBACK_MAX: usize = 512;

// Every piece of a text sees at least this many bytes, so that findings do not depend on cuts.
const _: () = assert!(SCHEME_LEN_MAX + COMMENT_LOOKBACK_MAX < LOOKBACK_MAX);
