//! Recognises alternate content in Office Open XML whose two forms have the same text (ECMA-376
//! Part 3 §10): a text box is in `mc:Choice` for programs that know its drawing, and once more in
//! `mc:Fallback` for older ones. A reader sees one of them.
//!
//! The second form is read as well if its text differs, if it has a URI outside of its text, such
//! as a namespace, or if both together are long.

use memchr::{memchr, memmem};

/// Maximum number of bytes of both forms: text boxes have some thousand. Less than pieces of text
/// see ahead.
const LEN_MAX: usize = 32 * 1024;

/// The beginning of the tag of the first form.
pub(super) const CHOICE: &[u8] = b"<mc:Choice";

/// The tag of the second form.
pub(super) const FALLBACK: &[u8] = b"<mc:Fallback>";

/// The end tag of the second form.
const LAST: &[u8] = b"</mc:Fallback>";

/// The end tag of both.
pub(super) const END: &[u8] = b"</mc:AlternateContent>";

/// Reports whether the first form, which `rest` begins with, and the second have the same text.
pub(super) fn has_twin(rest: &[u8]) -> bool {
    twin(rest) == Some(true)
}

fn twin(rest: &[u8]) -> Option<bool> {
    let near = rest.get(..LEN_MAX).unwrap_or(rest).strip_prefix(CHOICE)?;
    let (choice, after) = divided(near, b"</mc:Choice>")?;
    let (fallback, left) = divided(after.trim_ascii_start().strip_prefix(FALLBACK)?, LAST)?;
    let is_simple = memmem::find(choice, CHOICE).is_none() && !has_uri_in_tags(fallback);
    // A long text may be cut at an empty line, without the bytes after it.
    let both = near.get(..near.len() - left.len())?;
    let is_cut = [&b"\n\n"[..], b"\n\r\n"].iter().any(|line| memmem::find(both, line).is_some());
    Some(is_simple && !is_cut && texts(choice).eq(texts(fallback)))
}

/// Returns the number of bytes of the second form, which `rest` begins with.
pub(super) fn fallback_len(rest: &[u8]) -> Option<usize> {
    let near = rest.get(..LEN_MAX).unwrap_or(rest).strip_prefix(FALLBACK)?;
    Some(FALLBACK.len() + memmem::find(near, LAST)? + LAST.len())
}

/// Returns the text before the first `end` in `text`, and the text after it.
fn divided<'t>(text: &'t [u8], end: &[u8]) -> Option<(&'t [u8], &'t [u8])> {
    let at = memmem::find(text, end)?;
    Some((text.get(..at)?, text.get(at + end.len()..)?))
}

/// Reports whether a tag of `text` holds a URI.
fn has_uri_in_tags(text: &[u8]) -> bool {
    memmem::find_iter(text, b"://").any(|at| {
        let sign = memchr::memrchr2(b'<', b'>', text.get(..at).unwrap_or_default());
        sign.and_then(|sign| text.get(sign)) == Some(&b'<')
    })
}

/// Returns the bytes of `text` outside of tags, without white space, and with one blank for each
/// end of a paragraph.
fn texts(text: &[u8]) -> impl Iterator<Item = u8> + '_ {
    const PARAGRAPH: &[u8] = b"</w:p>";
    text.split(|byte| *byte == b'<').skip(1).flat_map(|tag| {
        let end = memchr(b'>', tag).map_or(tag.len(), |end| end + 1);
        let is_end = tag.starts_with(PARAGRAPH.get(1..).unwrap_or_default());
        let inside = tag.get(end..).unwrap_or_default();
        let inside = inside.iter().copied().filter(|byte| !byte.is_ascii_whitespace());
        is_end.then_some(b' ').into_iter().chain(inside)
    })
}
