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

/// Makes a line feed of each carriage return, so that every offset stays.
pub(super) fn feed(text: &mut [u8]) {
    for byte in text.iter_mut().filter(|byte| **byte == b'\r') {
        *byte = b'\n';
    }
}

/// Bytes as they are, or decoded.
pub(super) enum Input<R> {
    Plain(R),
    /// Lines that end in CR alone, in LF instead.
    Fed(R),
    Decoded(Decoder<R>),
}

impl<R> Input<R> {
    /// The same, whose lines end in CR alone.
    pub(super) fn fed(self) -> Self {
        match self {
            Self::Plain(inner) => Self::Fed(inner),
            other => other,
        }
    }
}

impl<R: Read> Read for Input<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(inner) => inner.read(out),
            Self::Fed(inner) => {
                let len = inner.read(out)?;
                feed(out.get_mut(..len).unwrap_or_default());
                Ok(len)
            }
            Self::Decoded(decoder) => decoder.read(out),
        }
    }
}
