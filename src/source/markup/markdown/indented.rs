//! Reads blocks of Python-Markdown whose content is indented by four blanks, which is code in
//! `CommonMark`: `!!! note` (Python-Markdown, "Admonition"), `??? note` and `=== "Tab"` (PyMdown
//! Extensions, "Details", "Tabbed"), and `:   ` before a definition (Python-Markdown, "Definition
//! Lists").
//!
//! Nothing shows whether a document is for such a program, but the beginnings of these blocks mean
//! nothing to others. They become items of lists, whose content has the same indent. The marks take
//! as many bytes, so that every offset stays.

use std::borrow::Cow;

use memchr::memmem;

use crate::source::markup::lines::Line;
use crate::span::Span;

/// The beginnings of blocks.
const MARKS: [&[u8]; 5] = [b"!!! ", b"??? ", b"???+ ", b"=== \"", b":   "];
/// Their first bytes.
const FIRST: &[u8] = b"!?=:";

/// Returns `text` with a mark of an item for each mark of such a block.
pub(super) fn read(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let marks = marks(&text);
    if marks.is_empty() {
        return text;
    }
    let mut made = text.into_owned();
    for mark in marks {
        let mark = made.get_mut(mark.range()).unwrap_or_default();
        for (at, byte) in mark.iter_mut().enumerate() {
            // More blanks than four would begin code in the item.
            *byte = match at {
                0 => b'-',
                1 | 2 => b' ',
                _ => b'.',
            };
        }
    }
    Cow::Owned(made)
}

/// Returns the spans of the marks, without the blank after each.
fn marks(text: &[u8]) -> Vec<Span> {
    let mut marks = Vec::new();
    if MARKS.iter().all(|mark| memmem::find(text, mark).is_none()) {
        return marks;
    }
    let starts = memchr::memchr_iter(b'\n', text).map(|feed| feed + 1);
    for at in std::iter::once(0).chain(starts) {
        let rest = text.get(at..).unwrap_or_default();
        // Most lines begin with another byte.
        let first = rest.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
        if !first.is_some_and(|first| FIRST.contains(first)) {
            continue;
        }
        let Some(line) = Line::at(text, at) else { continue };
        let body = line.of(text);
        if let Some(mark) = MARKS.iter().find(|mark| body.starts_with(mark)) {
            let len = mark.iter().take_while(|byte| **byte != b' ').count();
            marks.push(Span::new(line.body, line.body + len));
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn blocks_become_items() {
        for (text, expected) in [
            ("!!! note\n    a", "-   note\n    a"),
            ("???+ note \"x\"\n\n    a", "-  . note \"x\"\n\n    a"),
            ("a\n    ??? note\n", "a\n    -   note\n"),
            ("=== \"Tab\"\n", "-   \"Tab\"\n"),
            ("a\n===\nb\n=== c", "a\n===\nb\n=== c"),
            ("a\n:   b: c", "a\n-   b: c"),
            ("!!!note ???", "!!!note ???"),
        ] {
            assert_eq!(String::from_utf8_lossy(&read(text.as_bytes().into())), expected, "{text}");
        }
    }
}
