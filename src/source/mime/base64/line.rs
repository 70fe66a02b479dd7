//! Whether a line with characters that are foreign to base64 is damaged base64, whose foreign
//! characters are to be ignored (RFC 2045 §6.8), or text that somebody wrote behind it.
//!
//! No specification tells. What tells is what the line would stand for: of 130,000 lines of
//! letters, tables, header fields and HTML from real mail, one in 5000 happens to decode to
//! text in some place of a group, and none with a link. Two slashes in a row cannot: they make a
//! byte that is neither US-ASCII nor UTF-8. Text in other charsets decodes to anything; there a
//! line must be one word, without what a link cannot do without, or as long as the others.

use super::alphabet::{BLANK, FOREIGN, meaning};

/// Letters that must decode to text before that proves anything: twelve bytes.
const LETTERS_MIN: usize = 16;

/// Letters of a line whose length proves something; programs break lines at 60, 64, 72 or 76.
const WIDTH_MIN: usize = 40;

/// A line, by the characters from its first letter of base64 to its last. So it does not matter
/// what quotes it, nor what ends it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    /// What stands before.
    mark: &'t [u8],
    core: &'t [u8],
    letters: usize,
    is_padded: bool,
}

/// What letters decode to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// Text in US-ASCII.
    Ascii,
    /// Text in UTF-8.
    Utf8,
    /// Something else, or nothing.
    Other,
}

impl<'t> Line<'t> {
    /// The line that `text` begins with.
    pub(super) fn of(text: &'t [u8]) -> Self {
        let line = first(text);
        let is_letter = |byte: &u8| meaning(*byte) < BLANK;
        let end = line.iter().rposition(is_letter).map_or(0, |last| last + 1);
        let (line, behind) = line.split_at(end);
        let (mark, core) = line.split_at(line.iter().position(is_letter).unwrap_or(end));
        let letters = core.iter().filter(|byte| is_letter(byte)).count();
        Self { mark, core, letters, is_padded: behind.first().is_some_and(|byte| *byte == b'=') }
    }

    /// Characters of base64 in it.
    pub(super) const fn letters(self) -> usize {
        self.letters
    }

    /// What stands before the letters, as `> ` does where a letter is quoted; nothing where that
    /// is only blanks.
    pub(super) fn mark(self) -> &'t [u8] {
        if is_pure(self.mark) { &[] } else { self.mark }
    }

    /// True when it must be base64. `pending` letters of a group stand before it; `width`
    /// letters stood in the longest line.
    pub(super) fn is_coded(self, pending: usize, width: usize) -> bool {
        let is_broken = self.core.len() > self.letters || self.is_padded;
        match self.shown(pending) {
            Shown::Ascii if self.is_long() => true,
            Shown::Ascii if self.is_word() && is_broken => true,
            Shown::Utf8 => true,
            _ => self.is_long() && self.holds_no_link() || self.is_as_wide_as(width),
        }
    }

    /// True when base64 begins with it behind text.
    pub(super) fn begins(self, width: usize) -> bool {
        let is_text = || self.is_long() && self.shown(0) != Shown::Other;
        self.is_clean() && (self.is_as_wide_as(width) || is_text())
    }

    /// True when it is base64, whatever stands before it.
    pub(super) fn is_sure(self) -> bool {
        self.begins(self.letters)
    }

    /// True when it belongs to base64 that goes on behind it: there is no letter in it, or it
    /// decodes to text as far as so few tell.
    pub(super) fn is_between(self, pending: usize) -> bool {
        self.letters == 0 || self.is_word() && self.shown(pending) == Shown::Ascii
    }

    /// True for one word that can be no link, nor `www.` and a host, nor the boundary of some
    /// multipart.
    pub(super) fn holds_no_link(self) -> bool {
        let is_telling = |byte: &u8| matches!(byte, b':' | b'.' | b'@' | b'-' | b'_');
        let is_marked = self.mark.iter().any(|byte| matches!(byte, b'-' | b'_'));
        self.is_word() && !is_marked && !self.core.iter().any(is_telling)
    }

    fn is_long(self) -> bool {
        LETTERS_MIN <= self.letters
    }

    fn is_clean(self) -> bool {
        self.core.len() == self.letters
    }

    fn is_word(self) -> bool {
        !self.core.iter().any(|byte| meaning(*byte) == BLANK)
    }

    fn is_as_wide_as(self, width: usize) -> bool {
        let is_wide = WIDTH_MIN <= width && self.letters == width && self.is_word();
        is_wide && memchr::memmem::find(self.core, b"://").is_none()
    }

    /// What the whole groups of the line decode to, but the group that began before it.
    fn shown(self, pending: usize) -> Shown {
        if memchr::memchr(b'=', self.core).is_some() {
            return Shown::Other;
        }
        let letters = self.core.iter().map(|byte| meaning(*byte)).filter(|value| *value < BLANK);
        let mut letters = letters.skip((4 - pending % 4) % 4);
        let mut text = Text::default();
        while let (Some(one), Some(two), Some(three), Some(four)) =
            (letters.next(), letters.next(), letters.next(), letters.next())
        {
            let made = [one << 2 | two >> 4, two << 4 | three >> 2, three << 6 | four];
            if !made.into_iter().all(|byte| text.takes(byte)) {
                return Shown::Other;
            }
        }
        match text {
            Text { len: 0, .. } => Shown::Other,
            Text { is_ascii: true, .. } => Shown::Ascii,
            Text { len, .. } if LETTERS_MIN / 4 * 3 <= len => Shown::Utf8,
            Text { .. } => Shown::Other,
        }
    }
}

/// The line that `text` begins with, without its end.
pub(super) fn first(text: &[u8]) -> &[u8] {
    text.get(..memchr::memchr(b'\n', text).unwrap_or(text.len())).unwrap_or_default()
}

/// True when nothing in `line` is foreign to base64.
pub(super) fn is_pure(line: &[u8]) -> bool {
    !line.iter().any(|byte| meaning(*byte) == FOREIGN)
}

/// Text so far, byte for byte. A cut in a character of UTF-8 is at either end.
#[derive(Clone, Copy)]
struct Text {
    len: usize,
    is_ascii: bool,
    /// Bytes that a character still lacks.
    lacks: u8,
    /// Bytes at the beginning that may be the end of a character.
    ends: u8,
}

impl Default for Text {
    fn default() -> Self {
        Self { len: 0, is_ascii: true, lacks: 0, ends: 3 }
    }
}

impl Text {
    /// Takes the next byte; false when this is no text.
    fn takes(&mut self, byte: u8) -> bool {
        self.len += 1;
        self.is_ascii &= byte < 0x80;
        let is_end = matches!(byte, 0x80..=0xBF);
        if self.lacks > 0 {
            self.lacks -= 1;
            return is_end;
        }
        if is_end {
            let is_first = self.ends > 0;
            self.ends = self.ends.saturating_sub(1);
            return is_first;
        }
        self.ends = 0;
        self.lacks = match byte {
            0xC2..=0xDF => 1,
            0xE0..=0xEF => 2,
            0xF0..=0xF4 => 3,
            // ESC, SO and SI are those of ISO 2022.
            b'\t' | b'\n' | b'\r' | 0x0C | 0x0E | 0x0F | 0x1B | b' '..=b'~' => 0,
            _ => return false,
        };
        true
    }
}
