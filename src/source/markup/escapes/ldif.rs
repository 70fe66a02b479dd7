//! Reads lines that are folded in entries of a directory (LDIF, RFC 2849): a line end followed by a
//! blank denotes nothing, also in comments. Programs fold after some 76 bytes, wherever that is.
//! Manifests of JAR files and their signature files are folded likewise, after 72 (JAR File
//! Specification, "Name-Value pairs and Sections").
//!
//! There are no other escapes. Values in base64 are not decoded.

use super::{Denotes, Mark};
use crate::span::Span;

/// The first field of a JAR file's manifest, or of its signature file, and the ending of its name.
const MANIFESTS: [(&[u8], &[u8]); 2] =
    [(b"Manifest-Version:", b".MF"), (b"Signature-Version:", b".SF")];

/// Reports whether a file begins as a manifest of a JAR file or its signature file, and is named
/// so.
pub(in crate::source::markup) fn is_manifest(head: &[u8], name: &[u8]) -> bool {
    let ending = name.get(memchr::memrchr(b'.', name).unwrap_or(name.len())..).unwrap_or_default();
    let is_one = |(field, known): &(&[u8], &[u8])| {
        head.starts_with(field) && ending.eq_ignore_ascii_case(known)
    };
    MANIFESTS.iter().any(is_one)
}

/// Returns the first fold in `text`: a line end and one blank. Further blanks belong to the value.
pub(super) fn mark(text: &[u8]) -> Option<Mark> {
    let is_fold = |at: &usize| text.get(at + 1) == Some(&b' ');
    let feed = memchr::memchr_iter(b'\n', text).find(is_fold)?;
    let is_return = feed.checked_sub(1).is_some_and(|at| text.get(at) == Some(&b'\r'));
    let span = Span::new(feed - usize::from(is_return), feed + 2);
    Some(Mark { span, means: Denotes::Nothing })
}
