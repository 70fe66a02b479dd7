//! Decodes the field of an external body with its URL in numbered parameters (RFC 2231 §3):
//! `URL*0="ftp://"; URL*1="cs.utk.edu/pub"`.
//!
//! The parts of the URL may occur in any order and contain escapes, with anything between them.
//! Therefore the URL is decoded from the whole range from the first part to the last, and that
//! range is its position. Other content of the range is lost. A URL that is not numbered is only
//! unfolded.

use super::run::Run;
use super::{parameters, unfolded};
use crate::span::Span;

/// State of the decoder.
#[derive(Clone, Debug)]
pub(super) struct NumberedState {
    /// Range of the parts, and the URL; the outer option is `None` before the first use.
    found: Option<Option<(Span, Vec<u8>)>>,
    /// Number of bytes of the URL that were returned.
    given: usize,
}

impl NumberedState {
    pub(super) const fn new() -> Self {
        Self { found: None, given: 0 }
    }

    /// Returns the run at `at` of the field `text`.
    pub(super) fn run(&mut self, text: &[u8], at: usize) -> Run {
        let rest = text.get(at..).unwrap_or_default();
        let found = self.found.get_or_insert_with(|| parameters::numbered_url(text));
        let Some((span, url)) = found else { return unfolded::run(rest) };
        if at < span.start {
            return unfolded::run(text.get(at..span.start).unwrap_or_default());
        }
        if at >= span.end {
            // Without a quote, nothing else would end the URL.
            let is_end = at == span.end && !rest.starts_with(b"\"");
            return if is_end { blank() } else { unfolded::run(rest) };
        }
        // No part is shorter than its decoded text, so that every four bytes have a byte in the
        // source.
        let left = url.get(self.given..).unwrap_or_default();
        let mut bytes = [0; 4];
        let len = left.len().min(bytes.len());
        bytes.iter_mut().zip(left).for_each(|(byte, of)| *byte = *of);
        self.given += len;
        let taken = if left.len() > len { 1 } else { span.end - at };
        Run::bytes(taken, bytes, len)
    }
}

fn blank() -> Run {
    Run::bytes(1, [b' ', 0, 0, 0], 1)
}
