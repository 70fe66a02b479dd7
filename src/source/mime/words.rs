//! Encoded words in header fields (RFC 2047): `=?charset?B?…?=` and `=?charset?Q?…?=`.
//!
//! White space between two encoded words stands for nothing (§6.2). Limits of length are not
//! held to, and words are decoded wherever they stand, as most readers of mail do. The
//! charset is not decoded here.

use memchr::memmem;

use super::run::Run;
use super::{base64, quoted};

/// Bytes of one word that are looked at; RFC 2047 §2 allows 75.
const WORD_LEN_MAX: usize = 4096;

/// What is left of the word that is being decoded.
#[derive(Clone, Debug)]
pub(super) struct State {
    word: Option<Word>,
}

#[derive(Clone, Copy, Debug)]
struct Word {
    is_base64: bool,
    /// Bytes of its text that are not decoded.
    left: usize,
}

impl State {
    pub(super) const fn new() -> Self {
        Self { word: None }
    }

    /// The run that `rest` begins with.
    pub(super) fn run(&mut self, rest: &[u8]) -> Run {
        let Some(word) = &mut self.word else { return self.outside(rest) };
        let run = match rest.get(..word.left).unwrap_or(rest) {
            [] => {
                self.word = None;
                return Run::nothing(2 + gap_len(rest.get(2..).unwrap_or_default()));
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
            Some((len, word)) => {
                self.word = Some(word);
                Run::nothing(len)
            }
            None => Run::same(2.min(rest.len())),
        }
    }
}

/// Length of what opens the encoded word that `rest` begins with, and the word.
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
    let left = memchr::memchr(b'?', text).filter(|at| text.get(at + 1) == Some(&b'='))?;
    (is_charset && charset > 0).then_some((len, Word { is_base64, left }))
}

/// Length of the white space between two encoded words; zero when no word follows.
fn gap_len(behind: &[u8]) -> usize {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let blanks = behind.iter().take_while(|byte| is_blank(byte)).count();
    let is_word = behind.get(blanks..).is_some_and(|rest| opening(rest).is_some());
    if is_word { blanks } else { 0 }
}

/// Like quoted-printable, and an underscore is a blank (RFC 2047 §4.2).
fn quoted_run(text: &[u8]) -> Run {
    match text {
        [b'_', ..] => Run::bytes(1, [b' ', 0, 0, 0], 1),
        [b'=', digits @ ..] => match quoted::byte(digits) {
            Some(byte) => Run::bytes(3, [byte, 0, 0, 0], 1),
            None => Run::same(1),
        },
        _ => Run::same(memchr::memchr2(b'_', b'=', text).unwrap_or(text.len())),
    }
}

/// The charset of the first encoded word in `field`.
#[must_use]
pub(super) fn charset(field: &[u8]) -> Option<&[u8]> {
    memmem::find_iter(field, b"=?").find_map(|at| {
        opening(field.get(at..)?)?;
        let inside = field.get(at + 2..)?;
        inside.get(..memchr::memchr(b'?', inside)?)
    })
}
