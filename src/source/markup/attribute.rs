//! Finds links in attributes of HTML and XML that occur in texts of other kinds.
//!
//! Such a text is a comment of a program, a dump of a database, the description of a meeting, an
//! example in a document. Ampersands in attributes of HTML are written as references (HTML
//! §13.1.4), here as in languages that are known to hold HTML. Links in attributes of XML may hold
//! blanks.

use memchr::memmem;

use crate::scan::{Candidate, Wrap};
use crate::source::markup::without_blanks;
use crate::span::Span;

/// Endings of the names of attributes that hold one link. That of forums includes its tag, because
/// programs have variables named `url`.
const NAMES: [&[u8]; 5] = [b"href", b"src", b"action", b"cite", b"<url url"];

/// Maximum number of backslashes before the quote: a string in a string in a string.
const BACKSLASHES_MAX: usize = 7;

/// The references to an ampersand.
const REFERENCES: [&[u8]; 4] = [b"&amp;", b"&#38;", b"&#038;", b"&#x26;"];

/// Returns the text of `candidate`, found in `bytes`, with its references resolved, if it has any
/// and begins the value of such an attribute.
pub(in crate::source) fn value(candidate: &Candidate<'_>, bytes: &[u8]) -> Option<Vec<u8>> {
    let before = bytes.get(..candidate.span.start).unwrap_or_default();
    let is_value = candidate.wrap == Wrap::Bare && begins(before);
    if is_value { resolved(candidate.text) } else { None }
}

/// The text before a link in documents of office programs.
const OFFICE: [&[u8]; 2] = [b" Target=\"", b" xlink:href=\""];

/// Maximum number of bytes of a link in those documents.
const OFFICE_LEN_MAX: usize = 2048;

/// Returns all of the link of an office program that `candidate`, found in `bytes`, begins: with
/// its blanks, which some programs write for `%20`, and others read as that. `None` if it has no
/// blank.
pub(in crate::source) fn with_blanks(
    candidate: &Candidate<'_>,
    bytes: &[u8],
) -> Option<(Span, Vec<u8>)> {
    let Span { start, end } = candidate.span;
    let before = bytes.get(..start)?;
    if bytes.get(end) != Some(&b' ') || !OFFICE.iter().any(|begin| before.ends_with(begin)) {
        return None;
    }
    let inside = bytes.get(start..bytes.len().min(start + OFFICE_LEN_MAX))?;
    let len = memchr::memchr3(b'"', b'<', b'>', inside)?;
    let value = inside.get(..len).filter(|_| inside.get(len) == Some(&b'"'))?;
    let value = value.trim_ascii_end();
    let is_longer = start + value.len() > end;
    is_longer.then(|| (Span::new(start, start + value.len()), without_blanks(value.to_vec())))
}

/// Reports whether `before` ends where the value of such an attribute begins: `href="`, `href=\"`,
/// and `href=""` in a field of a table.
fn begins(before: &[u8]) -> bool {
    let Some((quote @ (b'"' | b'\''), before)) = before.split_last() else { return false };
    let before = before.strip_suffix(&[*quote]).unwrap_or(before);
    let count = before.iter().rev().take(BACKSLASHES_MAX).take_while(|byte| **byte == b'\\');
    let before = before.get(..before.len() - count.count()).unwrap_or_default();
    let Some(before) = before.strip_suffix(b"=") else { return false };
    NAMES.iter().any(|name| {
        let start = before.len().checked_sub(name.len());
        let tail = start.and_then(|start| before.get(start..));
        tail.is_some_and(|tail| tail.eq_ignore_ascii_case(name))
    })
}

/// Returns `text` with its references to ampersands resolved, or `None` if it has none.
pub(in crate::source) fn resolved(text: &[u8]) -> Option<Vec<u8>> {
    let len_at = |at: usize| {
        let rest = text.get(at..).unwrap_or_default();
        REFERENCES.iter().find(|reference| rest.starts_with(reference)).map(|it| it.len())
    };
    let first = memmem::find_iter(text, b"&").find(|at| len_at(*at).is_some())?;
    let mut made = text.get(..first)?.to_vec();
    let mut at = first;
    while let Some(byte) = text.get(at) {
        made.push(*byte);
        at += len_at(at).unwrap_or(1);
    }
    Some(made)
}

#[cfg(test)]
mod tests {
    use super::{begins, resolved};

    #[test]
    fn values_begin_after_names_and_quotes() {
        for (before, expected) in [
            ("<a href=\"", true),
            ("<A HREF='", true),
            ("<use xlink:href=\"", true),
            (r#"<a href=\""#, true),
            (r#"<a href="""#, true),
            ("<a href=''", true),
            ("<URL url=\"", true),
            ("url=\"", false),
            (r#"<a href="""""#, false),
            (r#"<a href=\\\""#, true),
            ("<a href=", false),
            ("<a hre=\"", false),
            ("\"", false),
            ("=\"", false),
            ("", false),
        ] {
            assert_eq!(begins(before.as_bytes()), expected, "{before}");
        }
    }

    #[test]
    fn references_to_ampersands_are_resolved_once() {
        for (text, expected) in [
            ("http://h/?a&amp;b&#38;c&#x26;d&#038;", "http://h/?a&b&c&d&"),
            ("http://h/?a&amp;amp;b&lt", "http://h/?a&amp;b&lt"),
        ] {
            assert_eq!(resolved(text.as_bytes()).as_deref(), Some(expected.as_bytes()), "{text}");
        }
        for text in ["http://h/?a&b", "http://h/?a&AMP;b", "http://h/"] {
            assert_eq!(resolved(text.as_bytes()), None, "{text}");
        }
    }
}
