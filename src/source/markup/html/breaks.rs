//! Where a long word may be broken: `<wbr>` (HTML Standard §4.5.28), which programs for mail put
//! into long links. What stands on both sides of it is one word.

use memchr::memmem;

use crate::span::Span;

/// How its name begins a tag, as people and programs write it.
pub(in crate::source) const TAGS: [&[u8]; 2] = [b"<wbr", b"<WBR"];

/// The longest tag that is taken for one in mail, with an attribute perhaps.
const BREAK_LEN_MAX: usize = 64;

/// True for the name of its element.
pub(super) fn is_name(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"wbr")
}

/// True for a text without such a tag.
pub(in crate::source) fn is_idle(text: &[u8]) -> bool {
    TAGS.iter().all(|tag| behind(text, 0, tag).is_none())
}

/// The first tag at the offset `from` of `text` or behind that begins with `tag`, one of
/// [`TAGS`]: for mail, in which nobody reads tags.
pub(in crate::source) fn behind(text: &[u8], from: usize, tag: &[u8]) -> Option<Span> {
    let rest = text.get(from..)?;
    memmem::find_iter(rest, tag).find_map(|at| {
        let len = tag_len(rest.get(at..)?, tag.len())?;
        Some(Span::new(from + at, from + at + len))
    })
}

/// Length of the tag that `rest` begins with so many bytes of; none if its name has more, or it is
/// too long.
fn tag_len(rest: &[u8], begun: usize) -> Option<usize> {
    let inside = rest.get(begun..rest.len().min(BREAK_LEN_MAX))?;
    let is_named = matches!(inside.first()?, b'>' | b'/' | b' ' | b'\t' | b'\r' | b'\n');
    let len = memchr::memchr2(b'>', b'<', inside).filter(|_| is_named)?;
    (inside.get(len) == Some(&b'>')).then_some(begun + len + 1)
}
