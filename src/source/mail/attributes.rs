//! Finds links in attributes of HTML that the scanner does not find, and places them among its own.

use std::sync::Arc;
use std::vec::IntoIter;

use crate::scheme;
use crate::source::markup::{Link, Targets};
use crate::span::Span;

/// Bytes before a piece in which a link may begin whose scheme ends in it: the scheme may hold
/// tabs.
const AHEAD_LEN_MAX: usize = 2 * scheme::SCHEME_LEN_MAX;

/// The links of attributes in adjacent runs of HTML.
pub(in crate::source) struct Attributes<'b> {
    bytes: &'b [u8],
    runs: IntoIter<Run>,
    /// Links that begin before this offset were found already.
    floor: usize,
    /// The current run.
    run: Span,
    /// The base of its relative links by the headers around.
    base: Option<Arc<[u8]>>,
    targets: Option<Targets<'b>>,
    next: Option<Link>,
}

/// A run of HTML, and the base of its relative links by the headers around.
type Run = (Span, Option<Arc<[u8]>>);

impl<'b> Attributes<'b> {
    /// Creates the iterator over links of `runs`, which are in `bytes`, from `floor` on.
    pub(in crate::source) fn new(bytes: &'b [u8], runs: Vec<Run>, floor: usize) -> Self {
        let runs = runs.into_iter();
        let run = Span::default();
        let mut new = Self { bytes, runs, floor, run, base: None, targets: None, next: None };
        new.step();
        new
    }

    /// Goes to the next link.
    fn step(&mut self) {
        loop {
            let (bytes, run) = (self.bytes, self.run);
            let mut targets = self.targets.iter_mut().flatten();
            // A scanner finds the links of which the colon is in a run.
            let mark = |link: &Link| colon(link, bytes).unwrap_or(link.span.start);
            self.next = targets.find(|link| mark(link) >= run.start);
            self.next.take_if(|link| mark(link) >= run.end);
            if self.next.is_some() {
                return;
            }
            let Some((run, base)) = self.runs.next() else { return };
            // The bytes after the last run are treated as a part of it.
            let seen = if self.runs.len() == 0 { self.bytes.len() } else { run.end };
            let from = run.start.saturating_sub(AHEAD_LEN_MAX).max(self.floor);
            let text = self.bytes.get(..seen).unwrap_or_default();
            self.targets = Some(Targets::new(text, run.start, from));
            (self.run, self.base) = (run, base);
        }
    }

    /// Returns the next link that begins before `at`, and its bases.
    pub(in crate::source) fn before(&mut self, at: usize) -> Option<Target> {
        let link = self.next.take_if(|link| link.span.start < at)?;
        let is_absolute = scheme::name_len(&link.target) > 0;
        let bases = if is_absolute { [None, None] } else { self.bases() };
        self.step();
        Some(Target { link, bases })
    }

    /// Returns the bases of relative links in the run: that of its headers, and its own
    /// declaration.
    fn bases(&mut self) -> [Option<Arc<[u8]>>; 2] {
        [self.base.clone(), self.targets.as_mut().and_then(Targets::base)]
    }

    /// Skips the links that begin before the end of `span`, where another link was found.
    pub(in crate::source) fn pass(&mut self, span: Span) {
        while self.next.take_if(|link| link.span.start < span.end).is_some() {
            self.step();
        }
    }
}

/// Returns the offset of the colon after the scheme of `link`, which is in `bytes`; `None` without
/// a scheme.
fn colon(link: &Link, bytes: &[u8]) -> Option<usize> {
    let has_scheme = scheme::name_len(&link.target) > 0;
    let colon = memchr::memchr(b':', link.span.of(bytes)).filter(|_| has_scheme)?;
    Some(link.span.start + colon)
}

/// A link of an attribute.
pub(in crate::source) struct Target {
    pub(in crate::source) link: Link,
    /// The bases, if the link is relative: that of a header around, and that of the HTML.
    pub(in crate::source) bases: [Option<Arc<[u8]>>; 2],
}

impl Target {
    /// Returns the offset of the colon after the link's scheme in `bytes`; `None` without a scheme.
    pub(in crate::source) fn colon(&self, bytes: &[u8]) -> Option<usize> {
        colon(&self.link, bytes)
    }
}
