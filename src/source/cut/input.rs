//! Provides the bytes that the cutter reads: as they are, or decoded.

use std::io::{self, BufRead as _, BufReader, Read};

use crate::source::mail::charset::{Decoded, Decoder, Ledger, Wide, WideText};
use crate::source::mail::mime::{Charset, Transcoder};

/// The encoding of a text that must be decoded before it is cut.
#[derive(Clone, Copy)]
pub(super) enum Coding {
    Wide(Wide),
    Declared(Charset),
}

impl Coding {
    /// Returns the decoded `input`, which begins with `head`, and the record of its original
    /// offsets.
    pub(super) fn decode<R: Read>(self, input: R, head: &[u8]) -> (Input<R>, Decoded) {
        match self {
            Self::Wide(wide) => {
                let from = wide.mark_len(head);
                (
                    Input::Decoded(Decoder::new(input, WideText::new(wide))),
                    Decoded::Wide(wide, from),
                )
            }
            Self::Declared(charset) => {
                let ledger = Ledger::default();
                let transcoder = Transcoder::new(charset, ledger.clone());
                (Input::Decoded(Decoder::new(input, transcoder)), Decoded::Recorded(0, ledger))
            }
        }
    }
}

/// Replaces each carriage return without a line feed after it by a line feed, so that every offset
/// stays. `after` is the byte after `text`.
pub(super) fn feed(text: &mut [u8], after: Option<u8>) {
    let mut next = after;
    for byte in text.iter_mut().rev() {
        let is_end = *byte == b'\r' && next != Some(b'\n');
        next = Some(*byte);
        if is_end {
            *byte = b'\n';
        }
    }
}

/// A reader of lines that end in CR alone, which replaces each CR by LF.
pub(super) struct Fed<R> {
    inner: BufReader<R>,
    /// The error met while looking at the byte after a CR. It is kept, since some readers fail only
    /// once.
    failure: Option<io::Error>,
}

impl<R: Read> Fed<R> {
    /// Replaces the line ends of `text`; looks at the byte after it if it ends in CR.
    fn feed(&mut self, text: &mut [u8]) {
        let after = if text.ends_with(b"\r") { self.next() } else { None };
        feed(text, after);
    }

    /// Returns the next byte without consuming it.
    fn next(&mut self) -> Option<u8> {
        loop {
            match self.inner.fill_buf() {
                Ok(next) => return next.first().copied(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(error);
                    return None;
                }
            }
        }
    }
}

impl<R: Read> Read for Fed<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let len = self.inner.read(out)?;
        self.feed(out.get_mut(..len).unwrap_or_default());
        Ok(len)
    }
}

/// Bytes as they are, or decoded.
pub(super) enum Input<R> {
    Plain(R),
    /// Lines that end in CR alone, with LF instead.
    Fed(Fed<R>),
    Decoded(Decoder<R>),
}

impl<R: Read> Input<R> {
    /// Returns the input with LF for each CR line end, which it replaces in `head`, read before,
    /// too.
    pub(super) fn fed(self, head: &mut [u8]) -> Self {
        let Self::Plain(inner) = self else { return self };
        let mut fed = Fed { inner: BufReader::new(inner), failure: None };
        fed.feed(head);
        Self::Fed(fed)
    }
}

impl<R: Read> Read for Input<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(inner) => inner.read(out),
            Self::Fed(fed) => fed.read(out),
            Self::Decoded(decoder) => decoder.read(out),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::io::{self, Read};

    use super::Input;

    /// The results of the reads, in order; then the end.
    struct Steps(VecDeque<Result<&'static [u8], io::ErrorKind>>);

    impl Read for Steps {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let mut text = self.0.pop_front().unwrap_or(Ok(b""))?;
            let len = text.read(out)?;
            if !text.is_empty() {
                self.0.push_front(Ok(text));
            }
            Ok(len)
        }
    }

    /// Returns the bytes read from `a` and CR on, and the error that ends them.
    fn fed(steps: &[Result<&'static [u8], io::ErrorKind>]) -> (Vec<u8>, Option<io::ErrorKind>) {
        let mut head = *b"a\r";
        let mut input = Input::Plain(Steps(steps.iter().copied().collect())).fed(&mut head);
        let mut text = head.to_vec();
        let end = input.read_to_end(&mut text);
        (text, end.err().map(|error| error.kind()))
    }

    #[test]
    fn each_cr_is_a_line_end_unless_a_line_feed_stands_after_it() {
        assert_eq!(fed(&[Ok(b"b\r"), Ok(b"\r"), Ok(b"c\r")]), (b"a\nb\n\nc\n".to_vec(), None));
        assert_eq!(fed(&[Ok(b"\nb\r"), Ok(b"\n\rc")]), (b"a\r\nb\r\n\nc".to_vec(), None));
        assert_eq!(fed(&[]), (b"a\n".to_vec(), None));
        let interrupted = Err(io::ErrorKind::Interrupted);
        assert_eq!(fed(&[interrupted, Ok(b"\nb")]), (b"a\r\nb".to_vec(), None));
    }

    #[test]
    fn a_failure_after_a_cr_is_told_once() {
        let failure = io::ErrorKind::InvalidData;
        assert_eq!(fed(&[Err(failure)]), (b"a\n".to_vec(), Some(failure)));
        assert_eq!(fed(&[Ok(b"b\r"), Err(failure)]), (b"a\nb\n".to_vec(), Some(failure)));
    }

    #[test]
    fn empty_lines_are_read_many_at_once() {
        let lines: &[u8] = &[b'\r'; 1000];
        let mut input = Input::Plain(lines).fed(&mut [b'\r']);
        let mut out = [0; 1000];
        assert!(input.read(&mut out).is_ok_and(|len| len > 100));
        assert!(out.starts_with(&[b'\n'; 100]));
    }
}
