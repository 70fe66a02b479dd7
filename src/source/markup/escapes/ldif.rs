//! Lines that are folded in entries of a directory (LDIF, RFC 2849): the end of one with a blank
//! behind it stands for nothing, in comments, too. Programs fold behind some 76 bytes, wherever
//! that is.
//!
//! Nothing else stands for something. Values in base64 stay as they are.

use super::{Mark, Means};
use crate::span::Span;

/// The first fold in `text`: a line's end and one blank. More of them are of the value.
pub(super) fn mark(text: &[u8]) -> Option<Mark> {
    let is_fold = |at: &usize| text.get(at + 1) == Some(&b' ');
    let feed = memchr::memchr_iter(b'\n', text).find(is_fold)?;
    let is_return = feed.checked_sub(1).is_some_and(|at| text.get(at) == Some(&b'\r'));
    let span = Span::new(feed - usize::from(is_return), feed + 2);
    Some(Mark { span, means: Means::Nothing })
}
