//! Decides whether a line with characters that are foreign to base64 is damaged base64, whose
//! foreign characters are to be ignored (RFC 2045 §6.8), or text that was added after it.
//!
//! No specification defines a test. The line is judged by the bytes that it would decode to: of
//! 130,000 lines of letters, tables, header fields and HTML from real mail, one in 5000 happens to
//! decode to text at some offset in a group, and none that contains a link. Two slashes in a row
//! cannot: they yield a byte that is neither US-ASCII nor UTF-8. Text in other charsets yields
//! arbitrary bytes when decoded; there a line must be a single word without the characters that
//! every link needs, or as long as the other lines.

use super::alphabet::{BLANK, FOREIGN, meaning};

/// Minimum number of letters that prove something by decoding to text: twelve bytes.
const LETTERS_MIN: usize = 16;

/// Minimum length in letters of a line whose length proves something; programs break lines at 60,
/// 64, 72 or 76.
const WIDTH_MIN: usize = 40;

/// A line, from its first letter of base64 to its last. Quote marks and line ends around it do not
/// matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    /// The bytes before the first letter.
    mark: &'t [u8],
    core: &'t [u8],
    letters: usize,
    is_padded: bool,
}

/// Classification of the bytes that letters decode to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// Text in US-ASCII.
    Ascii,
    /// Text in UTF-8.
    Utf8,
    /// Other bytes, or none.
    Other,
}

impl<'t> Line<'t> {
    /// Returns the line that `text` begins with.
    pub(super) fn of(text: &'t [u8]) -> Self {
        Self::of_all(first(text))
    }

    /// Returns the line that `text` begins with up to the padding in it, if that completes the last
    /// group and other bytes follow it: the line end before a delimiter may be missing. The line
    /// continues a group of `pending` letters.
    pub(super) fn to_padding(text: &'t [u8], pending: usize) -> Option<Self> {
        let line = first(text);
        let sign = memchr::memchr(b'=', line)?;
        let signs = line.get(sign..)?.iter().take_while(|byte| **byte == b'=').count();
        let (coded, after) = line.split_at(sign + signs);
        let it = Self::of_all(coded);
        let is_complete =
            (1..=2).contains(&signs) && (pending + it.letters + signs).is_multiple_of(4);
        (is_complete && it.letters + signs == coded.len() && !is_pure(after)).then_some(it)
    }

    /// Returns all of `line`.
    fn of_all(line: &'t [u8]) -> Self {
        let is_letter = |byte: &u8| meaning(*byte) < BLANK;
        let end = line.iter().rposition(is_letter).map_or(0, |last| last + 1);
        let (line, after) = line.split_at(end);
        let (mark, core) = line.split_at(line.iter().position(is_letter).unwrap_or(end));
        let letters = core.iter().filter(|byte| is_letter(byte)).count();
        Self { mark, core, letters, is_padded: after.first().is_some_and(|byte| *byte == b'=') }
    }

    /// Returns the number of letters in the line.
    pub(super) const fn letters(self) -> usize {
        self.letters
    }

    /// Returns the bytes before the letters, such as `> ` in a quoted letter; empty where all of
    /// them are blanks or padding.
    pub(super) fn mark(self) -> &'t [u8] {
        if is_pure(self.mark) { &[] } else { self.mark }
    }

    /// Reports whether the line must be base64. It continues a group of `pending` letters; the
    /// longest line so far has `width` letters.
    pub(super) fn is_coded(self, pending: usize, width: usize) -> bool {
        let is_broken = self.core.len() > self.letters || self.is_padded;
        match self.shown(pending) {
            Shown::Ascii if self.is_long() => true,
            Shown::Ascii if self.is_word() && is_broken => true,
            Shown::Utf8 => true,
            _ => self.is_long() && self.holds_no_link() || self.is_as_wide_as(width),
        }
    }

    /// Reports whether base64 resumes with this line after text.
    pub(super) fn begins(self, width: usize) -> bool {
        let is_text = || self.is_long() && self.shown(0) != Shown::Other;
        self.is_clean() && (self.is_as_wide_as(width) || is_text())
    }

    /// Reports whether the line is base64, whatever precedes it.
    pub(super) fn is_sure(self) -> bool {
        self.begins(self.letters)
    }

    /// Reports whether the line belongs to base64 that continues after it: it has no letters, or is
    /// one word that decodes to US-ASCII.
    pub(super) fn is_between(self, pending: usize) -> bool {
        self.letters == 0 || self.is_word() && self.shown(pending) == Shown::Ascii
    }

    /// Reports whether the line is one word that can be neither a link, nor `www.` and a host, nor
    /// the boundary of a multipart.
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

    /// Classifies the bytes of the whole groups in the line, without the group that began before
    /// it.
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

/// Returns the line that `text` begins with, without its end.
pub(super) fn first(text: &[u8]) -> &[u8] {
    text.get(..memchr::memchr(b'\n', text).unwrap_or(text.len())).unwrap_or_default()
}

/// Reports whether `line` consists of blanks.
pub(super) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| meaning(*byte) == BLANK)
}

/// Reports whether no byte of `line` is foreign to base64.
pub(super) fn is_pure(line: &[u8]) -> bool {
    !line.iter().any(|byte| meaning(*byte) == FOREIGN)
}

/// Decoded text so far, byte by byte. A character of UTF-8 may be cut at either end.
#[derive(Clone, Copy)]
struct Text {
    len: usize,
    is_ascii: bool,
    /// Number of bytes that the current character still lacks.
    lacks: u8,
    /// Number of bytes at the beginning that may still be the end of a character.
    ends: u8,
}

impl Default for Text {
    fn default() -> Self {
        Self { len: 0, is_ascii: true, lacks: 0, ends: 3 }
    }
}

impl Text {
    /// Takes the next byte; returns false if the bytes are not text.
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
            // ESC, SO and SI belong to ISO 2022.
            b'\t' | b'\n' | b'\r' | 0x0C | 0x0E | 0x0F | 0x1B | b' '..=b'~' => 0,
            _ => return false,
        };
        true
    }
}
