//! Decodes the charsets of encoded words (RFC 2047), where those of one field differ.
//!
//! Words are decoded before their charsets are. Therefore one mark records the charset of each
//! word, and another one its end. The marks are those that ISO 2022 defines for other coding
//! systems, which do not occur in mail: `ESC % /` and the label before a question mark, `ESC % @`.
//! A sender who writes such a mark into a word ends only that word.

use memchr::{memchr, memmem};

use super::charset;
use super::run::Run;
use crate::source::mail::charset::Charset;

/// Mark before the label of a word.
pub(super) const OPENING: [u8; 3] = *b"\x1B%/";
/// Mark after a word.
pub(super) const CLOSING: [u8; 3] = *b"\x1B%@";

/// Maximum length of a label in bytes: each unterminated one costs a search this long.
const LABEL_LEN_MAX: usize = 4096;

/// Reports whether a charset occurs in words only: the text around them is US-ASCII.
pub(super) fn is_of_words(charset: Charset) -> bool {
    let is_of_text = matches!(
        charset,
        Charset::Iso2022 | Charset::Hz | Charset::Legacy(_) | Charset::CodePage(_)
    );
    !is_of_text
}

/// State of the word that is being decoded.
#[derive(Clone, Debug)]
pub(super) struct MarkedState {
    charset: Option<charset::CharsetState>,
    /// Number of bytes before the mark that ends the word.
    left: usize,
}

impl MarkedState {
    pub(super) const fn new() -> Self {
        Self { charset: None, left: 0 }
    }

    /// Returns the run that `rest` begins with.
    pub(super) fn run(&mut self, rest: &[u8]) -> Run {
        if self.left == 0 {
            return self.outside(rest);
        }
        let word = rest.get(..self.left).unwrap_or(rest);
        let run = match &mut self.charset {
            Some(charset) => charset.run(word),
            None => Run::same(word.len()),
        };
        self.left = self.left.saturating_sub(run.source_len());
        run
    }

    fn outside(&mut self, rest: &[u8]) -> Run {
        if rest.starts_with(&CLOSING) {
            return Run::nothing(CLOSING.len());
        }
        let Some((label, word)) = opened(rest) else {
            let next = memchr(CLOSING[0], rest.get(1..).unwrap_or_default());
            return Run::same(next.map_or(rest.len(), |at| at + 1));
        };
        self.left = memmem::find(word, &CLOSING).unwrap_or(word.len());
        // Some text that is declared as UTF-16 is US-ASCII.
        let text = word.get(..self.left).unwrap_or(word);
        let is_other = |charset: &Charset| !is_of_words(*charset) || !charset.is_idle(text);
        self.charset = Charset::find(label).filter(is_other).map(charset::CharsetState::new);
        Run::nothing(rest.len() - word.len())
    }
}

/// Returns the label of the mark that `rest` begins with, and the bytes after the mark.
fn opened(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let inside = rest.strip_prefix(&OPENING)?;
    let len = memchr(b'?', inside.get(..LABEL_LEN_MAX).unwrap_or(inside))?;
    Some((inside.get(..len)?, inside.get(len + 1..)?))
}
