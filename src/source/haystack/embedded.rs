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
    /// references (Slack, "Formatting text for app surfaces"); or attributes in apostrophes, since
    /// quotation marks are escaped there.
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
            Self::None => unlabelled(candidate, text),
            Self::Attributes => {
                let value = attribute::value(candidate, text);
                let value = value.map(|value| Completed { span: None, text: value.into() });
                value.or_else(|| unlabelled(candidate, text))
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
            Self::Slack => {
                let resolved = || attribute::resolved(candidate.text);
                let of_label = if is_labelled(candidate, text) { resolved() } else { None };
                let value = of_label.or_else(|| attribute::value(candidate, text));
                let value = value.map(|value| Completed { span: None, text: value.into() });
                value.or_else(|| whole_value(candidate, text))
            }
        }
    }
}

/// Maximum number of marks after a URI that fill its string, and of blanks around the string.
const NEAR_MAX: usize = 64;

/// Returns `candidate`, found in `bytes`, with the punctuation after it, if the two fill a string
/// of JSON that is a value: no sentence is around it. A string within a string follows no name and
/// no string.
fn whole_value<'c>(candidate: &Candidate<'c>, bytes: &[u8]) -> Option<Completed<'c>> {
    let Span { start, end } = candidate.span;
    let is_mark = |byte: &&u8| b".,:;!?*')".contains(byte);
    let rest = bytes.get(end..).filter(|_| candidate.wrap == Wrap::Bare)?;
    let len = rest.iter().take(NEAR_MAX).take_while(is_mark).count();
    let (marks, rest) = rest.split_at_checked(len).filter(|(marks, _)| !marks.is_empty())?;
    let after = rest.strip_prefix(b"\"")?;
    let after = after.get(..after.len().min(NEAR_MAX)).unwrap_or_default().trim_ascii_start();
    let before = bytes.get(..start)?.strip_suffix(b"\"")?;
    let before = before.get(before.len().saturating_sub(NEAR_MAX)..)?.trim_ascii_end();
    let is_value = match before.split_last()? {
        (b'[', _) => true,
        (b':' | b',', before) => before.trim_ascii_end().ends_with(b"\""),
        _ => false,
    };
    let is_closed = matches!(after.first(), None | Some(b',' | b'}' | b']'));
    (is_value && is_closed).then(|| Completed {
        span: Some(Span::new(start, end + len)),
        text: [candidate.text, marks].concat().into(),
    })
}

/// Reports whether `candidate`, found in `bytes`, is between `<` and `|`: a label of several words,
/// which no URI in brackets has, follows.
fn is_labelled(candidate: &Candidate<'_>, bytes: &[u8]) -> bool {
    let Span { start, end } = candidate.span;
    bytes.get(..start).is_some_and(|before| before.ends_with(b"<")) && bytes.get(end) == Some(&b'|')
}

/// Returns `candidate`, found in `bytes`, without a label that follows a bar, as wikis and programs
/// that write for Slack have it in any text: `<http://h.example/a|text>`. No URI holds a bar, but
/// servers take one, above all in a query: there, the label must look like words.
fn unlabelled<'c>(candidate: &Candidate<'c>, bytes: &[u8]) -> Option<Completed<'c>> {
    if candidate.wrap != Wrap::Angle {
        return None;
    }
    let (span, uri) = without_label(candidate, bytes);
    let label = candidate.text.get(uri.len() + 1..)?;
    let first = label.first()?;
    let is_wordy = !first.is_ascii() || first.is_ascii_uppercase();
    let is_plain = memchr::memchr(b'?', uri).is_none()
        && !label.iter().any(|byte| matches!(byte, b'/' | b'?' | b'=' | b'&' | b'%' | b'|'));
    let is_label = is_wordy || is_plain || uri.ends_with(label);
    is_label.then_some(Completed { span, text: Cow::Borrowed(uri) })
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

#[cfg(test)]
mod tests {
    use super::whole_value;
    use crate::scan::Scanner;

    #[test]
    fn a_value_of_json_keeps_its_punctuation() {
        for (text, expected) in [
            (r#"{"a": "http://h/x."}"#, Some("http://h/x.")),
            (r#"{"a":"http://h/x?!" , "b": 1}"#, Some("http://h/x?!")),
            (r#"["http://h/x)", "http://h/y."]"#, Some("http://h/x)")),
            (r#"["a", "http://h/x."]"#, Some("http://h/x.")),
            (r#"{"a": "http://h/x"}"#, None),
            (r#"{"a": "see http://h/x."}"#, None),
            (r#"{"a": "http://h/x. More"}"#, None),
            (r#"{"a": "He said: "http://h/x.", and"}"#, None),
            (r#"{"a": "He said "http://h/x." and"}"#, None),
        ] {
            let mut scanner = Scanner::new(text.as_bytes());
            let candidate = scanner.next().expect("a candidate");
            let whole = whole_value(&candidate, text.as_bytes());
            let found = whole.map(|whole| String::from_utf8_lossy(&whole.text).into_owned());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
