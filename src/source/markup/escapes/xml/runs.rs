//! Skips the markup between two runs of the same text in documents of office programs: runs divide
//! what a reader sees as one word wherever its look, its language or its history changes.
//!
//! In Office Open XML (ECMA-376 Part 1 §17.3.2, §18.4.4, §21.1.2.3.8) a run holds its text in an
//! element of its own, `</w:t></w:r><w:r><w:rPr>…</w:rPr><w:t>`. In OpenDocument (1.3 Part 3
//! §6.1.7) spans are inside the text. Line breaks, tabulators, links and fields end a run for good,
//! and so do tags with a URI of their own, such as the declaration of a namespace.

use memchr::memchr2;

/// Most bytes between two runs: properties have some hundred.
const RUNS_LEN_MAX: usize = 2048;

/// Elements of Office Open XML that hold text.
const TEXTS: [&[u8]; 2] = [b"t", b"instrText"];

/// Elements between two runs of the same text.
const BETWEEN: [&[u8]; 8] = [
    b"r",
    b"proofErr",
    b"bookmarkStart",
    b"bookmarkEnd",
    b"lastRenderedPageBreak",
    b"ins",
    b"commentRangeStart",
    b"commentRangeEnd",
];

/// The element for the properties of a run.
const PROPERTIES: &[u8] = b"rPr";

/// Elements of OpenDocument within a text.
const WITHIN: [&[u8]; 6] = [
    b"text:span",
    b"text:bookmark",
    b"text:bookmark-start",
    b"text:bookmark-end",
    b"text:soft-page-break",
    b"text:reference-mark",
];

/// A tag, by the text between its brackets.
#[derive(Clone, Copy)]
struct Tag<'t> {
    /// Its length in bytes, with the brackets.
    len: usize,
    /// Prefix and name (Namespaces in XML §4).
    name: &'t [u8],
    is_end: bool,
    /// Whether it is an element without content.
    is_empty: bool,
}

impl<'t> Tag<'t> {
    /// Returns the tag that `rest` begins with, if it holds neither a URI nor a line end.
    fn read(rest: &'t [u8]) -> Option<Self> {
        let near = rest.get(..RUNS_LEN_MAX).unwrap_or(rest).strip_prefix(b"<")?;
        let inside = near.get(..memchr2(b'<', b'>', near)?)?;
        let len = inside.len() + 2;
        let mut values = inside.split(|byte| b"\"'".contains(byte)).skip(1).step_by(2);
        let is_whole = near.get(inside.len()) == Some(&b'>') && !inside.contains(&b'\n');
        if !is_whole || values.any(|value| value.contains(&b':')) {
            return None;
        }
        let (is_end, inside) = match inside {
            [b'/', inside @ ..] => (true, inside),
            inside => (false, inside),
        };
        let name = inside.split(|byte| byte.is_ascii_whitespace() || *byte == b'/').next()?;
        Some(Self { len, name, is_end, is_empty: inside.ends_with(b"/") })
    }

    /// Returns its name without the prefix.
    fn local(&self) -> &'t [u8] {
        self.name.rsplit(|byte| *byte == b':').next().unwrap_or_default()
    }
}

/// Returns the number of bytes at the start of `rest` that are between two runs of a text.
pub(super) fn between(rest: &[u8]) -> Option<usize> {
    // These bytes reject most tags.
    match rest {
        [b'<', b't', b'e', ..] | [b'<', b'/', ..] => {}
        _ => return None,
    }
    let first = Tag::read(rest)?;
    if WITHIN.contains(&first.name) {
        return Some(first.len);
    }
    let is_text = first.is_end && TEXTS.contains(&first.local());
    is_text.then(|| next_text(rest, first)).flatten()
}

/// Returns the number of bytes from the `end` tag of a text, which `rest` begins with, to the start
/// of the next text.
fn next_text(rest: &[u8], end: Tag<'_>) -> Option<usize> {
    let (mut at, mut in_properties) = (end.len, false);
    while at < RUNS_LEN_MAX {
        let tag = Tag::read(rest.get(at..)?)?;
        at += tag.len;
        let is_next = tag.name == end.name && !tag.is_end && !tag.is_empty;
        match tag.local() {
            PROPERTIES => in_properties = !tag.is_end && !tag.is_empty,
            name if in_properties && !TEXTS.contains(&name) => {}
            _ if is_next => return Some(at).filter(|_| !in_properties),
            name if BETWEEN.contains(&name) => {}
            _ => return None,
        }
    }
    None
}
