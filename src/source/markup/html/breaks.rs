//! Finds places where a long word may be broken: `<wbr>` (HTML Standard §4.5.28), which programs
//! for mail put into long links. The text on both sides of it is one word.

use memchr::memmem;

use crate::span::Span;

/// The beginnings of its tag, as people and programs write it.
pub(in crate::source) const TAGS: [&[u8]; 2] = [b"<wbr", b"<WBR"];

/// Longest tag in mail that is recognised, with attributes.
const BREAK_LEN_MAX: usize = 64;

/// Reports whether `name` is that of the element.
pub(super) fn is_name(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"wbr")
}

/// Reports whether a text has no such tag.
pub(in crate::source) fn is_idle(text: &[u8]) -> bool {
    TAGS.iter().all(|tag| after(text, 0, tag).is_none())
}

/// Returns the first tag at the offset `from` of `text` or after it that begins with `tag`, one of
/// [`TAGS`]. For mail, whose tags are not tokenized.
pub(in crate::source) fn after(text: &[u8], from: usize, tag: &[u8]) -> Option<Span> {
    let rest = text.get(from..)?;
    memmem::find_iter(rest, tag).find_map(|at| {
        let len = tag_len(rest.get(at..)?, tag.len())?;
        Some(Span::new(from + at, from + at + len))
    })
}

/// Returns the length of the tag whose first `begun` bytes `rest` begins with; `None` if its name
/// is longer, or the tag is too long.
fn tag_len(rest: &[u8], begun: usize) -> Option<usize> {
    let inside = rest.get(begun..rest.len().min(BREAK_LEN_MAX))?;
    let is_named = matches!(inside.first()?, b'>' | b'/' | b' ' | b'\t' | b'\r' | b'\n');
    let len = memchr::memchr2(b'>', b'<', inside).filter(|_| is_named)?;
    (inside.get(len) == Some(&b'>')).then_some(begun + len + 1)
}
