//! What an input is, from its first bytes; never from its name.

use super::charset::{self, Utf16};
use super::mailbox;

/// Bytes that are enough to tell.
pub const SNIFF_LEN_MAX: usize = 8 * 1024;

/// What an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Text in an encoding whose ASCII is ASCII.
    Text,
    /// Text in UTF-16.
    Utf16(Utf16),
    /// A mailbox whose messages begin with `From ` lines.
    Mbox,
    /// Packed, so that its bytes are no text; the name says how.
    Packed(&'static str),
}

/// First bytes of packed formats. RFC 1952 §2.3.1, RFC 8878 §3.1.1, and the formats' own
/// specifications.
const MAGIC: &[(&[u8], &str)] = &[
    (b"\x1F\x8B\x08", "gzip"),
    (b"\xFD7zXZ\0", "xz"),
    (b"\x28\xB5\x2F\xFD", "zstd"),
    (b"\x04\x22\x4D\x18", "lz4"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"7z\xBC\xAF\x27\x1C", "7z"),
    (b"\x1F\x9D", "compress"),
];

/// What an input that begins with `head` is.
#[must_use]
pub fn content(head: &[u8]) -> Content {
    let head = head.get(..head.len().min(SNIFF_LEN_MAX)).unwrap_or_default();
    if is_bzip2(head) {
        return Content::Packed("bzip2");
    }
    if let Some((_, name)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Content::Packed(name);
    }
    if let Some(encoding) = charset::sniff(head) {
        return Content::Utf16(encoding);
    }
    let start = head.iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
    if mailbox::is_separator(head, start) { Content::Mbox } else { Content::Text }
}

/// `BZh`, the block size in 100 kB, and the first digits of pi, or of its root for an empty
/// file: the first three bytes alone could begin a word.
fn is_bzip2(head: &[u8]) -> bool {
    let block = head.get(4..10).unwrap_or_default();
    head.starts_with(b"BZh")
        && matches!(head.get(3), Some(b'1'..=b'9'))
        && matches!(block, b"1AY&SY" | b"\x17\x72\x45\x38\x50\x90")
}

#[cfg(test)]
mod tests {
    use super::{Content, content};

    #[test]
    fn content_is_told_by_the_first_bytes() {
        assert_eq!(content(b""), Content::Text);
        assert_eq!(content(b"\x1F\x8B\x08\0rest"), Content::Packed("gzip"));
        assert_eq!(content(b"BZh91AY&SYrest"), Content::Packed("bzip2"));
        assert_eq!(content(b"BZh9 is how bzip2 begins"), Content::Text);
        assert_eq!(content(b"From a@b Thu Dec  1 00:00:00 1994\nTo: c\n\n"), Content::Mbox);
        assert_eq!(content(b"\n\nFrom a@b Thu\nTo: c\n\n"), Content::Mbox);
        assert_eq!(content(b"From Russia with love\nshe came.\n"), Content::Text);
    }
}
