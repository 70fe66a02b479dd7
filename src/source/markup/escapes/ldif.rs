//! Lines that are folded in entries of a directory (LDIF, RFC 2849): the end of one with a blank
//! behind it stands for nothing, in comments, too. Programs fold behind some 76 bytes, wherever
//! that is. Manifests of JAR files and what signs them are folded alike, behind 72 (JAR File
//! Specification, "Name-Value pairs and Sections").
//!
//! Nothing else stands for something. Values in base64 stay as they are.

use super::{Mark, Means};
use crate::span::Span;

/// How a manifest of a JAR file begins and what its name ends in, and what signs one.
const MANIFESTS: [(&[u8], &[u8]); 2] =
    [(b"Manifest-Version:", b".MF"), (b"Signature-Version:", b".SF")];

/// True for what begins as a manifest of a JAR file does, and is called as one.
pub(in crate::source::markup) fn is_manifest(head: &[u8], name: &[u8]) -> bool {
    let ending = name.get(memchr::memrchr(b'.', name).unwrap_or(name.len())..).unwrap_or_default();
    let is_one = |(field, known): &(&[u8], &[u8])| {
        head.starts_with(field) && ending.eq_ignore_ascii_case(known)
    };
    MANIFESTS.iter().any(is_one)
}

/// The first fold in `text`: a line's end and one blank. More of them are of the value.
pub(super) fn mark(text: &[u8]) -> Option<Mark> {
    let is_fold = |at: &usize| text.get(at + 1) == Some(&b' ');
    let feed = memchr::memchr_iter(b'\n', text).find(is_fold)?;
    let is_return = feed.checked_sub(1).is_some_and(|at| text.get(at) == Some(&b'\r'));
    let span = Span::new(feed - usize::from(is_return), feed + 2);
    Some(Mark { span, means: Means::Nothing })
}
