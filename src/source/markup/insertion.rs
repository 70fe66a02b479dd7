//! Recognises markup of XML within a text that is no part of the text: comments (XML 1.0 §2.5),
//! processing instructions (§2.6), and the edges of CDATA sections (§2.7). Every parser returns the
//! text around it as one string.
//!
//! Our choice: a URL that begins after such markup is never a part of the word before it, and a
//! comment or instruction that holds a URI divides the words around it, so that no finding is lost.

use memchr::memmem;

use super::html::joints::begins_url;

/// The beginning of a CDATA section, and its end.
pub(super) const DATA: [&[u8]; 2] = [b"<![CDATA[", b"]]>"];

/// Maximum number of bytes of a comment or an instruction within a word. Those between paragraphs
/// are longer.
pub(super) const LEN_MAX: usize = 1024;

/// Beginnings of URIs that people read.
const URIS: [&[u8]; 3] = [b"://", b"www.", b"mailto:"];

/// Reports whether `text` holds the beginning of a URI.
pub(super) fn holds_uri(text: &[u8]) -> bool {
    URIS.iter().any(|uri| memmem::find(text, uri).is_some())
}

/// Reports whether `text` has an empty line, at which a long text may be cut without the bytes
/// after it.
pub(super) fn has_empty_line(text: &[u8]) -> bool {
    memmem::find(text, b"\n\n").is_some() || memmem::find(text, b"\n\r\n").is_some()
}

/// Reports whether `inside`, a comment or an instruction, may be within a word.
pub(super) fn is_plain(inside: &[u8]) -> bool {
    inside.len() <= LEN_MAX && !holds_uri(inside) && !has_empty_line(inside)
}

/// Reports whether `rest`, the text after such markup, continues the word before it: with more of
/// the word, or with other such markup.
pub(super) fn goes_on(rest: &[u8]) -> bool {
    match rest {
        [] => false,
        [b'<', ..] => begins(rest),
        [first, ..] => !first.is_ascii_whitespace() && !begins_url(rest),
    }
}

/// Reports whether `rest` begins with such markup, other than the end of a CDATA section.
fn begins(rest: &[u8]) -> bool {
    let [data, _] = DATA;
    [data, b"<!--", b"<?"].iter().any(|begin| rest.starts_with(begin))
}
