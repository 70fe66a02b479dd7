//! What the cutter reads: bytes as they stand, or what is decoded from them.

use std::io::{self, Read};

use crate::source::charset::{Decoded, Decoder, Ledger, Wide, WideText};
use crate::source::markup::Markup;
use crate::source::mime::{Charset, Transcoder};

/// What a field `Content-Type` says of a text. What its first bytes say goes before.
#[derive(Clone, Copy, Debug, Default)]
pub struct Declared {
    /// The language of a document.
    pub markup: Option<Markup>,
    /// The charset, where it must be decoded.
    pub charset: Option<Charset>,
}

/// How a text is coded that must be decoded before it is cut.
#[derive(Clone, Copy)]
pub(super) enum Coding {
    Wide(Wide),
    Told(Charset),
}

impl Coding {
    /// Decodes `input`, which begins with `head`.
    pub(super) fn decode<R: Read>(self, input: R, head: &[u8]) -> (Input<R>, Decoded) {
        match self {
            Self::Wide(wide) => {
                let from = wide.mark_len(head);
                (
                    Input::Decoded(Decoder::new(input, WideText::new(wide))),
                    Decoded::Wide(wide, from),
                )
            }
            Self::Told(charset) => {
                let ledger = Ledger::default();
                let transcoder = Transcoder::new(charset, ledger.clone());
                (Input::Decoded(Decoder::new(input, transcoder)), Decoded::Told(0, ledger))
            }
        }
    }
}

/// Makes a line feed of each carriage return that has none behind it, so that every offset stays.
/// `behind` is the byte behind `text`.
pub(super) fn feed(text: &mut [u8], behind: Option<u8>) {
    let mut next = behind;
    for byte in text.iter_mut().rev() {
        let is_end = *byte == b'\r' && next != Some(b'\n');
        next = Some(*byte);
        if is_end {
            *byte = b'\n';
        }
    }
}

/// Lines that end in CR alone.
pub(super) struct Fed<R> {
    inner: R,
    /// What was read to see what stands behind a CR.
    held: Option<u8>,
}

impl<R: Read> Fed<R> {
    /// Reads what stands behind `text`, when that must be known, and feeds `text`.
    fn feed(&mut self, text: &mut [u8]) {
        let mut next = [0];
        // A failure comes again.
        if text.ends_with(b"\r") && matches!(self.inner.read(&mut next), Ok(1)) {
            self.held = Some(next[0]);
        }
        feed(text, self.held);
    }
}

impl<R: Read> Read for Fed<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = match (self.held, out.first_mut()) {
            (Some(held), Some(first)) => {
                (*first, self.held) = (held, None);
                1
            }
            _ => self.inner.read(out)?,
        };
        self.feed(out.get_mut(..len).unwrap_or_default());
        Ok(len)
    }
}

/// Bytes as they are, or decoded.
pub(super) enum Input<R> {
    Plain(R),
    /// Lines that end in CR alone, in LF instead.
    Fed(Fed<R>),
    Decoded(Decoder<R>),
}

impl<R: Read> Input<R> {
    /// The same, whose lines end in CR alone, as do those of `head`, which was read before.
    pub(super) fn fed(self, head: &mut [u8]) -> Self {
        let Self::Plain(inner) = self else { return self };
        let mut fed = Fed { inner, held: None };
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
