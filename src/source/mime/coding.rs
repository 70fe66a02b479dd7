//! The ways in which text is coded in mail, and one step of the decoder of each.

use memchr::memmem;

use super::run::Run;
use super::{
    base64, charset, escaped, flowed, html, marked, numbered, quoted, signed, unfolded, words,
};
use crate::source::charset::Charset;
use crate::source::markup::{Escapes, Joints, Markup, breaks, scripts};

/// One way in which text is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// Quoted-printable (RFC 2045 §6.7).
    Quoted,
    /// Base64 (RFC 2045 §6.8).
    Base64,
    /// A charset in which bytes of US-ASCII may mean something else.
    Charset(Charset),
    /// The charset that HTML declares for itself, where no field tells it (RFC 2854 §6).
    Declared,
    /// Lines that flow, with their last blank to be deleted (RFC 3676 §4.1, `DelSp=yes`).
    Flowed,
    /// A header field with encoded words (RFC 2047).
    Words,
    /// The same, where the charsets of the words differ: marks tell them.
    MarkedWords,
    /// What stands between such marks.
    Marked,
    /// A header field whose white space stands for nothing (RFC 2017 §3).
    Unfolded,
    /// The same, with a URL that may stand in numbered parameters (RFC 2231 §3).
    Numbered,
    /// Text in HTML with character references, in its tags as well, and with escapes in scripts
    /// that hold JSON.
    References,
    /// Text with escapes, as JSON and calendars have them.
    Escapes(Escapes),
    /// Lines with a dot more before each that begins with one (RFC 3977 §3.1.1).
    Stuffed,
    /// What a signature around it holds (RFC 8551 §3.5.2).
    Signed,
}

impl Coding {
    /// True when `text` can be scanned as it stands, though it is coded so.
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

    /// True for what makes bytes fit for transfer (RFC 2045 §6).
    #[must_use]
    pub const fn is_of_transfer(self) -> bool {
        matches!(self, Self::Quoted | Self::Base64)
    }

    /// True for what one header field alone is coded in.
    #[must_use]
    pub const fn is_of_field(self) -> bool {
        matches!(self, Self::Words | Self::MarkedWords | Self::Unfolded | Self::Numbered)
    }

    /// True for what makes text of something else; false for what rearranges text.
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

/// What a decoder remembers between two runs.
#[derive(Clone, Debug)]
pub(super) enum State {
    Quoted,
    Base64(base64::State),
    Charset(charset::State),
    /// None before the text is seen.
    Declared(Option<Option<charset::State>>),
    Flowed(flowed::State),
    Words(words::State),
    Marked(marked::State),
    Unfolded,
    Numbered(numbered::State),
    References(html::State),
    Escapes(Escapes),
    Stuffed,
    Signed(signed::State),
}

impl State {
    pub(super) fn new(coding: Coding) -> Self {
        match coding {
            Coding::Quoted => Self::Quoted,
            Coding::Base64 => Self::Base64(base64::State::new()),
            Coding::Charset(charset) => Self::Charset(charset::State::new(charset)),
            Coding::Declared => Self::Declared(None),
            Coding::Flowed => Self::Flowed(flowed::State::new()),
            Coding::Words => Self::Words(words::State::new()),
            Coding::MarkedWords => Self::Words(words::State::marking()),
            Coding::Marked => Self::Marked(marked::State::new()),
            Coding::Unfolded => Self::Unfolded,
            Coding::Numbered => Self::Numbered(numbered::State::new()),
            Coding::References => Self::References(html::State::new()),
            Coding::Escapes(escapes) => Self::Escapes(escapes),
            Coding::Stuffed => Self::Stuffed,
            Coding::Signed => Self::Signed(signed::State::new()),
        }
    }

    /// The run at `at` of `text`; none at its end. Asked in order, each run behind the last.
    pub(super) fn next(&mut self, text: &[u8], at: usize) -> Option<Run> {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        Some(match self {
            Self::Quoted => quoted::run(rest),
            Self::Base64(state) => state.run(text, at),
            Self::Charset(state) => state.run(rest),
            Self::Declared(state) => {
                let find = || declared(text).map(charset::State::new);
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

/// The charset that `text`, a part in HTML, declares and is in.
fn declared(text: &[u8]) -> Option<Charset> {
    Markup::Html.charset(text)
}

/// The run at `at` of `text`: the first dot of a line that begins with two, or what stands
/// before the next one.
fn stuffed(text: &[u8], at: usize) -> Run {
    let rest = text.get(at..).unwrap_or_default();
    let is_line_start = at.checked_sub(1).is_none_or(|feed| text.get(feed) == Some(&b'\n'));
    if is_line_start && rest.starts_with(b"..") {
        return Run::nothing(1);
    }
    Run::same(memmem::find(rest, b"\n..").map_or(rest.len(), |feed| feed + 1))
}
