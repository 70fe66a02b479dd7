//! Reads references to ampersands in sources of HTML: templates, pages with code in them, and
//! components.
//!
//! The borders of HTML and code are unknown in these, so that no other reference is read: a string
//! of PHP with `&copy=2` loses nothing, and hardly any link means `&amp;` literally.

use super::{Denotes, Mark};
use crate::span::Span;

/// The references to an ampersand.
const AMPERSANDS: [&[u8]; 4] = [b"&amp;", b"&#38;", b"&#038;", b"&#x26;"];

/// Returns the first reference in `text`.
pub(super) fn mark(text: &[u8]) -> Option<Mark> {
    memchr::memchr_iter(b'&', text).find_map(|at| {
        let rest = text.get(at..)?;
        let found = AMPERSANDS.iter().find(|reference| rest.starts_with(reference))?;
        Some(Mark { span: Span::new(at, at + found.len()), means: Denotes::Character('&') })
    })
}
