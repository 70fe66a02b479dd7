//! Decodes encoded words in header fields (RFC 2047): `=?charset?B?…?=` and `=?charset?Q?…?=`.
//!
//! White space between two encoded words is deleted (§6.2). Length limits are not enforced, and
//! words are decoded wherever they occur, as in most mail readers. The charset is not decoded here;
//! where there are several, marks pass them to [`marked`].

use memchr::memmem;

use super::run::Run;
use super::{base64, marked};
use crate::source::hex;

/// Maximum length of a word in bytes; RFC 2047 §2 allows 75.
const WORD_LEN_MAX: usize = 4096;

/// State of the word that is being decoded.
#[derive(Clone, Debug)]
pub(super) struct WordsState {
    word: Option<Word>,
    /// Whether marks record the charset of each word.
    is_marking: bool,
}

#[derive(Clone, Copy, Debug)]
struct Word {
    /// Number of bytes of its charset's name that remain.
    label: usize,
    is_base64: bool,
    /// Number of bytes of its text that remain to be decoded.
    left: usize,
}

impl WordsState {
    pub(super) const fn new() -> Self {
        Self { word: None, is_marking: false }
    }

    /// Returns a decoder that records the charset of each word in marks.
    pub(super) const fn marking() -> Self {
        Self { word: None, is_marking: true }
    }

    /// Returns the run that `rest` begins with.
    pub(super) fn run(&mut self, rest: &[u8]) -> Run {
        let Some(word) = &mut self.word else { return self.outside(rest) };
        if word.label > 0 {
            // The name is copied, and so is the first byte of `?Q?`.
            return Run::bytes(3, [b'?', 0, 0, 0], 1).after(std::mem::take(&mut word.label));
        }
        let run = match rest.get(..word.left).unwrap_or(rest) {
            [] => {
                self.word = None;
                let len = 2 + gap_len(rest.get(2..).unwrap_or_default());
                return if self.is_marking {
                    mark(len, marked::CLOSING)
                } else {
                    Run::nothing(len)
                };
            }
            text if word.is_base64 => base64::run(text),
            text => quoted_run(text),
        };
        word.left = word.left.saturating_sub(run.source_len());
        run
    }

    fn outside(&mut self, rest: &[u8]) -> Run {
        let at = memmem::find(rest, b"=?").unwrap_or(rest.len());
        if at > 0 {
            return Run::same(at);
        }
        match opening(rest) {
            Some((_, word)) if self.is_marking => {
                self.word = Some(word);
                mark(2, marked::OPENING)
            }
            Some((len, word)) => {
                self.word = Some(Word { label: 0, ..word });
                Run::nothing(len)
            }
            None => Run::same(2.min(rest.len())),
        }
    }
}

/// Returns a run that is decoded to a mark.
fn mark(taken: usize, [first, second, third]: [u8; 3]) -> Run {
    Run::bytes(taken, [first, second, third, 0], 3)
}

/// Returns the length of the opening of the encoded word that `rest` begins with, and the word.
fn opening(rest: &[u8]) -> Option<(usize, Word)> {
    let rest = rest.get(..rest.len().min(WORD_LEN_MAX))?;
    let inside = rest.strip_prefix(b"=?")?;
    let charset = memchr::memchr(b'?', inside)?;
    let is_token = |byte: &u8| byte.is_ascii_graphic();
    let is_charset = inside.get(..charset)?.iter().all(is_token);
    let is_base64 = match inside.get(charset + 1..charset + 3)? {
        [b'B' | b'b', b'?'] => true,
        [b'Q' | b'q', b'?'] => false,
        _ => return None,
    };
    let len = 2 + charset + 3;
    let text = rest.get(len..)?;
    // Some programs do not encode question marks.
    let left = if is_base64 {
        memchr::memchr(b'?', text).filter(|at| text.get(at + 1) == Some(&b'='))?
    } else {
        let left = memmem::find(text, b"?=")?;
        let inside = text.get(..left)?;
        let is_one = memmem::find(inside, b"=?").is_none() && !inside.contains(&b'\n');
        is_one.then_some(left)?
    };
    (is_charset && charset > 0).then_some((len, Word { label: charset, is_base64, left }))
}

/// Returns the length of the white space between two encoded words; zero if no word follows.
fn gap_len(after: &[u8]) -> usize {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let blanks = after.iter().take_while(|byte| is_blank(byte)).count();
    let is_word = after.get(blanks..).is_some_and(|rest| opening(rest).is_some());
    if is_word { blanks } else { 0 }
}

/// Decodes as in quoted-printable, with an underscore for a blank (RFC 2047 §4.2).
fn quoted_run(text: &[u8]) -> Run {
    match text {
        [b'_', ..] => Run::bytes(1, [b' ', 0, 0, 0], 1),
        [b'=', digits @ ..] => match hex::octet(digits) {
            Some(byte) => Run::bytes(3, [byte, 0, 0, 0], 1),
            None => Run::same(1),
        },
        _ => Run::same(memchr::memchr2(b'_', b'=', text).unwrap_or(text.len())),
    }
}

/// Returns the names of the charsets of the encoded words in `field`, one for each word.
pub(super) fn labels(mut field: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        loop {
            field = field.get(memmem::find(field, b"=?")?..)?;
            let inside = field.get(2..)?;
            let Some((len, word)) = opening(field) else {
                field = inside;
                continue;
            };
            field = field.get(len + word.left + 2..)?;
            return inside.get(..word.label);
        }
    })
}
