//! Reads candidates that HTML or another program's links surround in a text of another kind.

use std::borrow::Cow;

use super::Completed;
use crate::scan::{Candidate, Wrap};
use crate::source::markup::attribute;
use crate::span::Span;

/// The HTML and the marks around links in a text of another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source) enum Embedded {
    /// None, or none left to resolve.
    None,
    /// Attributes here and there, whose references were not resolved.
    Attributes,
    /// Links of office programs, which may have blanks; their references are resolved.
    Office,
    /// `<URI|text>`, as in the exports and inputs of Slack, which writes ampersands of either as
    /// references (Slack, "Formatting text for app surfaces").
    Slack,
}

impl Embedded {
    /// Returns how `candidate`, found in `text`, is read, if that differs from its own text.
    pub(super) fn completed<'c>(
        self,
        candidate: &Candidate<'c>,
        text: &[u8],
    ) -> Option<Completed<'c>> {
        match self {
            Self::None => None,
            Self::Attributes => {
                let value = attribute::value(candidate, text)?;
                Some(Completed { span: None, text: value.into() })
            }
            Self::Office => {
                let (span, value) = attribute::with_blanks(candidate, text)?;
                Some(Completed { span: Some(span), text: value.into() })
            }
            Self::Slack if candidate.wrap == Wrap::Angle => {
                let (span, link) = without_label(candidate, text);
                let resolved = attribute::resolved(link).map(Cow::Owned);
                let text = resolved.or_else(|| span.map(|_| Cow::Borrowed(link)))?;
                Some(Completed { span, text })
            }
            Self::Slack => None,
        }
    }
}

/// Returns the text of `candidate`, found in `bytes`, without its label, and its span if it has
/// one. No URI holds a `|`.
fn without_label<'c>(candidate: &Candidate<'c>, bytes: &[u8]) -> (Option<Span>, &'c [u8]) {
    let Candidate { span, text, .. } = *candidate;
    let is_whole = text == span.of(bytes);
    match memchr::memchr(b'|', text).filter(|_| is_whole) {
        Some(len) => {
            let span = Span::new(span.start, span.start + len);
            (Some(span), text.get(..len).unwrap_or(text))
        }
        None => (None, text),
    }
}
