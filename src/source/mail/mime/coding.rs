//! Lists the codings of text in mail, and runs one step of the decoder of each.

use memchr::memmem;

use super::run::Run;
use super::{
    base64, charset, escaped, flowed, html, marked, numbered, quoted, signed, unfolded, words,
};
use crate::source::mail::charset::Charset;
use crate::source::markup::{Escapes, Joints, Markup, breaks, scripts};

/// A coding of text in mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "it is copied once for each text")]
pub enum Coding {
    /// Quoted-printable (RFC 2045 §6.7).
    Quoted,
    /// Base64 (RFC 2045 §6.8).
    Base64,
    /// A charset in which bytes of US-ASCII may mean something else.
    Charset(Charset),
    /// The charset that HTML itself declares, where no header field declares one (RFC 2854 §6).
    Declared,
    /// Flowed lines whose last blank is deleted (RFC 3676 §4.1, `DelSp=yes`).
    Flowed,
    /// A header field with encoded words (RFC 2047).
    Words,
    /// A header field with encoded words in different charsets, which marks record.
    MarkedWords,
    /// Text that contains such marks.
    Marked,
    /// A header field whose white space is insignificant (RFC 2017 §3).
    Unfolded,
    /// A header field with insignificant white space, and with a URL that may be in numbered
    /// parameters (RFC 2231 §3).
    Numbered,
    /// Text in HTML with character references, in its tags as well, and with escapes in scripts
    /// that hold JSON.
    References,
    /// Text with escapes, as in JSON and calendars.
    Escapes(Escapes),
    /// Lines with an additional dot before each that begins with one (RFC 3977 §3.1.1).
    Stuffed,
    /// The content of a signature that encloses it (RFC 8551 §3.5.2).
    Signed,
}

impl Coding {
    /// Reports whether decoding changes nothing that can be found in `text`, so that it can be
    /// scanned undecoded.
    #[must_use]
    pub fn is_idle(self, text: &[u8]) -> bool {
        match self {
            Self::Charset(charset) => charset.is_idle(text),
            Self::Declared => declared(text).is_none_or(|charset| charset.is_idle(text)),
            Self::References => {
                memchr::memchr(b'&', text).is_none()
                    && scripts::is_idle(text)
                    && breaks::is_idle(text)
                    && Joints::is_idle(text)
            }
            Self::Escapes(escapes) => escapes.is_idle(text),
            Self::Stuffed => !text.starts_with(b"..") && memmem::find(text, b"\n..").is_none(),
            _ => false,
        }
    }

    /// Reports whether this is a transfer encoding (RFC 2045 §6).
    #[must_use]
    pub const fn is_of_transfer(self) -> bool {
        matches!(self, Self::Quoted | Self::Base64)
    }

    /// Reports whether a value may go on in the next line, after a blank.
    #[must_use]
    pub const fn has_folds(self) -> bool {
        matches!(self, Self::Escapes(escapes) if escapes.has_folds())
    }

    /// Reports whether this coding occurs in single header fields only.
    #[must_use]
    pub const fn is_of_field(self) -> bool {
        matches!(self, Self::Words | Self::MarkedWords | Self::Unfolded | Self::Numbered)
    }

    /// Reports whether decoding produces text from other bytes, rather than rearranging text.
    #[must_use]
    pub const fn makes_text(self) -> bool {
        match self {
            Self::Quoted | Self::Base64 | Self::Charset(_) | Self::Declared => true,
            Self::Signed => true,
            Self::Words | Self::MarkedWords | Self::Marked => true,
            Self::Flowed | Self::Unfolded | Self::Numbered => false,
            Self::References | Self::Escapes(_) | Self::Stuffed => false,
        }
    }
}

/// State of a decoder between two runs.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each text")]
pub(super) enum DecoderState {
    Quoted,
    Base64(base64::Base64State),
    Charset(charset::CharsetState),
    /// `None` before the text is seen.
    Declared(Option<Option<charset::CharsetState>>),
    Flowed(flowed::FlowedState),
    Words(words::WordsState),
    Marked(marked::MarkedState),
    Unfolded,
    Numbered(numbered::NumberedState),
    /// On the heap, since it is larger than all others.
    References(Box<html::ReferencesState>),
    Escapes(Escapes),
    Stuffed,
    Signed(signed::SignedState),
}

impl DecoderState {
    pub(super) fn new(coding: Coding) -> Self {
        match coding {
            Coding::Quoted => Self::Quoted,
            Coding::Base64 => Self::Base64(base64::Base64State::new()),
            Coding::Charset(charset) => Self::Charset(charset::CharsetState::new(charset)),
            Coding::Declared => Self::Declared(None),
            Coding::Flowed => Self::Flowed(flowed::FlowedState::new()),
            Coding::Words => Self::Words(words::WordsState::new()),
            Coding::MarkedWords => Self::Words(words::WordsState::marking()),
            Coding::Marked => Self::Marked(marked::MarkedState::new()),
            Coding::Unfolded => Self::Unfolded,
            Coding::Numbered => Self::Numbered(numbered::NumberedState::new()),
            Coding::References => Self::References(Box::new(html::ReferencesState::new())),
            Coding::Escapes(escapes) => Self::Escapes(escapes),
            Coding::Stuffed => Self::Stuffed,
            Coding::Signed => Self::Signed(signed::SignedState::new()),
        }
    }

    /// Returns the run at `at` of `text`, or `None` at its end. Each call must begin where the
    /// previous run ended.
    pub(super) fn next(&mut self, text: &[u8], at: usize) -> Option<Run> {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        Some(match self {
            Self::Quoted => quoted::run(rest),
            Self::Base64(state) => state.run(text, at),
            Self::Charset(state) => state.run(rest),
            Self::Declared(state) => {
                let find = || declared(text).map(charset::CharsetState::new);
                match state.get_or_insert_with(find) {
                    Some(state) => state.run(rest),
                    None => Run::same(rest.len()),
                }
            }
            Self::Flowed(state) => state.run(rest),
            Self::Words(state) => state.run(rest),
            Self::Marked(state) => state.run(rest),
            Self::Unfolded => unfolded::run(rest),
            Self::Numbered(state) => state.run(text, at),
            Self::References(state) => state.run(text, at),
            Self::Escapes(escapes) => escaped::run(escapes, text, at),
            Self::Stuffed => stuffed(text, at),
            Self::Signed(state) => state.run(text, at),
        })
    }
}

/// Returns the charset that `text`, a part in HTML, declares and uses.
fn declared(text: &[u8]) -> Option<Charset> {
    Markup::Html.charset(text)
}

/// Returns the run at `at` of `text`: the additional dot of a line that begins with two, or the
/// text before the next such dot.
fn stuffed(text: &[u8], at: usize) -> Run {
    let rest = text.get(at..).unwrap_or_default();
    let is_line_start = at.checked_sub(1).is_none_or(|feed| text.get(feed) == Some(&b'\n'));
    if is_line_start && rest.starts_with(b"..") {
        return Run::nothing(1);
    }
    Run::same(memmem::find(rest, b"\n..").map_or(rest.len(), |feed| feed + 1))
}
