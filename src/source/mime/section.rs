//! The sections of a message: runs of its bytes, each read in one way.

use std::sync::Arc;

use super::coding::Coding;
use super::heads::Heads;
use super::omission::{Omission, Omissions};
use crate::span::Span;

/// A run of bytes of a message that is read in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Where it stands.
    pub span: Span,
    /// The part it belongs to, as in `1.2`; none for the message itself.
    pub part: Option<Arc<str>>,
    /// What has to be decoded, first the outermost; nothing for what is read as it stands.
    pub codings: Vec<Coding>,
    /// What it is.
    pub content: Content,
    /// Which forms of something it belongs to; mostly there is none.
    pub siblings: Siblings,
    /// What relative links in it start from, where a header says so (RFC 2557 §5).
    pub base: Option<Arc<[u8]>>,
}

impl Section {
    /// A section that stands as it is, in no alternative.
    #[must_use]
    pub fn new(span: Span, part: Option<Arc<str>>, content: Content) -> Self {
        let (codings, siblings) = (Vec::new(), Siblings::NONE);
        Self { span, part, codings, content, siblings, base: None }
    }
}

/// One of the parts of a `multipart/alternative`, which all say the same (RFC 2046 §5.1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sibling {
    /// Which multipart of the message.
    pub alternative: usize,
    /// Which part of it, from 1; zero for what stands before the first.
    pub number: usize,
}

/// Forms of something in each other. Sections share all but the innermost, since each of thousands
/// of parts may be in [`DEPTH_MAX`](super::omission::DEPTH_MAX) of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Siblings {
    outer: Option<Arc<[Sibling]>>,
    innermost: Option<Sibling>,
}

impl Siblings {
    pub(super) const NONE: Self = Self { outer: None, innermost: None };

    /// True for what is no form of anything.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.innermost.is_none()
    }

    /// How many forms in each other it is.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.outer().len() + usize::from(self.innermost.is_some())
    }

    /// The form that is in so many others.
    #[must_use]
    pub fn at(&self, level: usize) -> Option<Sibling> {
        let innermost = || self.innermost.filter(|_| level == self.outer().len());
        self.outer().get(level).copied().or_else(innermost)
    }

    fn outer(&self) -> &[Sibling] {
        self.outer.as_deref().unwrap_or_default()
    }

    /// Makes these forms, from the outermost on, the ones that are meant.
    pub(super) fn renew(&mut self, mut forms: impl DoubleEndedIterator<Item = Sibling> + Clone) {
        self.innermost = forms.next_back();
        if !forms.clone().eq(self.outer().iter().copied()) {
            self.outer = forms.clone().next().map(|_| forms.collect());
        }
    }
}

/// What a section holds.
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
    /// Nothing that is read.
    Skipped,
}

/// What a walk found.
#[derive(Clone, Debug, Default)]
pub struct Sections {
    /// The sections, in the order they stand; none is empty, and nothing lies between them.
    pub list: Vec<Section>,
    /// What is not read.
    pub omissions: Omissions,
    /// Where that has to be told, in order.
    pub noted: Vec<(Omission, usize)>,
    /// Where the header begins that was met last.
    pub header: Option<usize>,
    /// True when a coded part goes on behind, of which more had better be decoded at once, or which
    /// had better be cut elsewhere, as a block had of which too little is seen.
    pub is_divided: bool,
    /// The headers of messages that were read whole.
    pub heads: Heads,
}

impl Sections {
    /// Forgets what was found, but for what is counted.
    pub fn clear(&mut self) {
        self.list.clear();
        self.noted.clear();
        self.heads.clear();
    }
}
