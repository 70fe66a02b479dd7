//! Finds places in Org: `CUSTOM_ID` and `ID` of headings, `<<targets>>`, `#+NAME:`, and the names
//! that forges make of headings (Org Manual, "Internal Links", "Property Syntax"). Links name
//! headings by their titles, too, without states, priorities and cookies. A document may have
//! states of its own.

use super::outline::{HeadingKind, Outline};
use crate::source::markup::lines::Line;

/// Collects the places of a document in Org.
pub(super) fn read(text: &[u8], outline: &mut Outline) {
    let mut at = 0;
    while let Some(line) = Line::at(text, at) {
        at = line.next;
        let body = line.of(text);
        if line.indent() == 0
            && let Some(title) = title(body)
        {
            outline.open(HeadingKind::Marks);
            outline.append(title);
            outline.close();
            titles(title, outline);
        }
        for keyword in [&b":custom_id:"[..], b":id:", b"#+name:"] {
            let is_it = body.get(..keyword.len());
            if is_it.is_some_and(|word| word.eq_ignore_ascii_case(keyword)) {
                outline.add(body.get(keyword.len()..).unwrap_or_default().trim_ascii());
            }
        }
        targets(body, outline);
    }
}

/// States of a heading, unless a document has its own.
const STATES: [&[u8]; 2] = [concat!("TO", "DO ").as_bytes(), b"DONE "];

/// Returns the title of `** DONE Title :tag:`, without its stars, its state and its tags.
fn title(body: &[u8]) -> Option<&[u8]> {
    let stars = body.iter().take_while(|byte| **byte == b'*').count();
    let rest = body.get(stars..).filter(|_| stars > 0)?;
    let mut title = rest.strip_prefix(b" ")?.trim_ascii();
    for state in STATES {
        title = title.strip_prefix(state).unwrap_or(title).trim_ascii();
    }
    if title.ends_with(b":") {
        let last = memchr::memrchr(b' ', title).map_or(0, |blank| blank + 1);
        if title.get(last) == Some(&b':') {
            title = title.get(..last)?.trim_ascii();
        }
    }
    Some(title)
}

/// Adds a title as links name it: as written, and without the state and marks that a document may
/// have put before or after it.
fn titles(title: &[u8], outline: &mut Outline) {
    let words = |title: &[u8]| {
        let words = title.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let is_mark = |word: &&[u8]| word.starts_with(b"[") && word.ends_with(b"]");
        words.filter(|word| !is_mark(word)).collect::<Vec<_>>().join(&b' ')
    };
    let whole = words(title);
    let first = whole.iter().take_while(|byte| !byte.is_ascii_whitespace());
    let len = first.take_while(|byte| byte.is_ascii_uppercase()).count();
    if whole.get(len) == Some(&b' ') {
        outline.add_title(whole.get(len + 1..).unwrap_or_default());
    }
    outline.add_title(title);
    outline.add_title(&whole);
}

/// Adds each `<<target>>` and `<<<target>>>`.
fn targets(body: &[u8], outline: &mut Outline) {
    let mut rest = body;
    while let Some(open) = memchr::memmem::find(rest, b"<<") {
        let inside = rest.get(open + 2..).unwrap_or_default();
        let inside = inside.strip_prefix(b"<").unwrap_or(inside);
        let Some(close) = memchr::memmem::find(inside, b">>") else { return };
        outline.add(inside.get(..close).unwrap_or_default());
        rest = inside.get(close + 2..).unwrap_or_default();
    }
}
