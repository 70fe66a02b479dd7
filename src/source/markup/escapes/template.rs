//! References to ampersands in what programs make HTML of: templates, pages with code in them, and
//! components.
//!
//! Nobody knows where HTML ends in these and code begins, so that nothing but these is read: a
//! string of PHP with `&copy=2` has lost nothing, and hardly any means `&amp;` in a link.

use super::{Mark, Means};
use crate::span::Span;

/// What people and programs write for an ampersand.
const AMPERSANDS: [&[u8]; 4] = [b"&amp;", b"&#38;", b"&#038;", b"&#x26;"];

/// The first reference in `text`.
pub(super) fn mark(text: &[u8]) -> Option<Mark> {
    memchr::memchr_iter(b'&', text).find_map(|at| {
        let rest = text.get(at..)?;
        let found = AMPERSANDS.iter().find(|reference| rest.starts_with(reference))?;
        Some(Mark { span: Span::new(at, at + found.len()), means: Means::Character('&') })
    })
}
