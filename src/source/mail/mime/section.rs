//! Describes the sections of a message: runs of its bytes, each read in one way.

use std::sync::Arc;

use super::coding::Coding;
use super::heads::Heads;
use super::omission::{Omission, Omissions};
use crate::source::mail::charset::Charset;
use crate::span::Span;

/// A run of bytes of a message that is read in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its range of bytes.
    pub span: Span,
    /// The part that it belongs to, as in `1.2`; `None` for the message itself.
    pub part: Option<Arc<str>>,
    /// Codings to decode, outermost first; none for text that is scanned undecoded.
    pub codings: Vec<Coding>,
    /// Its content.
    pub content: Content,
    /// Alternatives that it belongs to; mostly none.
    pub siblings: Siblings,
    /// Base of relative links in it, where a header declares one (RFC 2557 §5).
    pub base: Option<Arc<[u8]>>,
    /// Legacy charset that a header declares, in which text outside of URIs may be left.
    pub charset: Option<Charset>,
}

impl Section {
    /// Returns a section without codings, outside of alternatives.
    #[must_use]
    pub fn new(span: Span, part: Option<Arc<str>>, content: Content) -> Self {
        let (codings, siblings) = (Vec::new(), Siblings::NONE);
        Self { span, part, codings, content, siblings, base: None, charset: None }
    }
}

/// One of the parts of a `multipart/alternative`, all with the same content (RFC 2046 §5.1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sibling {
    /// Serial number of the multipart in the message.
    pub alternative: usize,
    /// Number of the part in it, from 1; zero for text before the first part.
    pub number: usize,
}

/// Nested alternatives. Sections share all but the innermost, since each of thousands of parts may
/// be in [`DEPTH_MAX`](super::omission::DEPTH_MAX) of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Siblings {
    outer: Option<Arc<[Sibling]>>,
    innermost: Option<Sibling>,
}

impl Siblings {
    /// No alternative.
    pub const NONE: Self = Self { outer: None, innermost: None };

    /// Reports whether there is no alternative.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.innermost.is_none()
    }

    /// Returns the number of nested alternatives.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.outer().len() + usize::from(self.innermost.is_some())
    }

    /// Returns the alternative at this nesting level, where 0 is the outermost.
    #[must_use]
    pub fn at(&self, level: usize) -> Option<Sibling> {
        let innermost = || self.innermost.filter(|_| level == self.outer().len());
        self.outer().get(level).copied().or_else(innermost)
    }

    fn outer(&self) -> &[Sibling] {
        self.outer.as_deref().unwrap_or_default()
    }

    /// Replaces the alternatives by `forms`, outermost first.
    pub(super) fn renew(&mut self, mut forms: impl DoubleEndedIterator<Item = Sibling> + Clone) {
        self.innermost = forms.next_back();
        if !forms.clone().eq(self.outer().iter().copied()) {
            self.outer = forms.clone().next().map(|_| forms.collect());
        }
    }
}

/// Content of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Header fields.
    Fields,
    /// Text.
    Text,
    /// Text in HTML.
    Html,
    /// A message with a header and a body of its own.
    Message,
    /// Bytes that are not read.
    Skipped,
}

/// Result of a walk.
#[derive(Clone, Debug, Default)]
pub struct Sections {
    /// The sections, in the order of the text. None is empty, and there are no gaps between them.
    pub list: Vec<Section>,
    /// Counts of omissions.
    pub omissions: Omissions,
    /// Omissions that must be reported, with their offsets, in order.
    pub noted: Vec<(Omission, usize)>,
    /// Offset of the last header.
    pub header: Option<usize>,
    /// Whether the text should be cut elsewhere: an encoded part continues after it and needs more
    /// text to be decoded, or too little of a block is visible.
    pub is_divided: bool,
    /// Fields of message headers that were read whole.
    pub heads: Heads,
}

impl Sections {
    /// Clears the findings, but not the counts.
    pub fn clear(&mut self) {
        self.list.clear();
        self.noted.clear();
        self.heads.clear();
    }
}
