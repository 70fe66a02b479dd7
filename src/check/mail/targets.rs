//! Finds links in attributes of HTML that the scanner does not find, and places them among its own.

use std::sync::Arc;
use std::vec::IntoIter;

use super::super::document::bases::within;
use super::super::effects::Setting;
use super::super::{Context, Placed, Work, hint};
use super::Sink;
use crate::finding::Cue;
use crate::scheme;
use crate::source::markup::{self, Link, Targets};
use crate::span::Span;

/// Bytes before a piece in which a link may begin whose scheme ends in it: the scheme may hold
/// tabs.
const AHEAD_LEN_MAX: usize = 2 * scheme::SCHEME_LEN_MAX;

/// The links of attributes in adjacent runs of HTML.
pub(super) struct Attributes<'b> {
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
    pub(super) fn new(bytes: &'b [u8], runs: Vec<Run>, floor: usize) -> Self {
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
            // The bytes after the last run are taken for a part of it.
            let seen = if self.runs.len() == 0 { self.bytes.len() } else { run.end };
            let from = run.start.saturating_sub(AHEAD_LEN_MAX).max(self.floor);
            let text = self.bytes.get(..seen).unwrap_or_default();
            self.targets = Some(Targets::new(text, run.start, from));
            (self.run, self.base) = (run, base);
        }
    }

    /// Returns the next link that begins before `at`, and its base.
    pub(super) fn before(&mut self, at: usize) -> Option<Target<'b>> {
        let link = self.next.take_if(|link| link.span.start < at)?;
        let is_absolute = scheme::name_len(&link.target) > 0;
        let base = if is_absolute { None } else { self.base() };
        self.step();
        Some(Target { bytes: self.bytes, link, base })
    }

    /// Returns the base of relative links in the run: its own declaration comes before its headers
    /// (RFC 2557 §5).
    fn base(&mut self) -> Option<Arc<[u8]>> {
        let Some(own) = self.targets.as_mut().and_then(Targets::base) else {
            return self.base.clone();
        };
        if scheme::name_len(&own) > 0 {
            return Some(own);
        }
        within(Some(&**self.base.as_ref()?), &own).map(Arc::from)
    }

    /// Skips the links that begin before the end of `span`, where another link was found.
    pub(super) fn pass(&mut self, span: Span) {
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
pub(super) struct Target<'b> {
    /// The text that it is in.
    bytes: &'b [u8],
    pub(super) link: Link,
    /// The base, if the link is relative and the HTML or its headers declare one.
    base: Option<Arc<[u8]>>,
}

impl Target<'_> {
    /// Makes a finding of the link; returns the end offset of its scheme, in which no other link
    /// begins. The next candidate begins at `next`.
    pub(super) fn give(
        self,
        work: &mut Work<'_>,
        context: Context<'_>,
        next: usize,
        sink: Sink<'_>,
    ) -> usize {
        let (span, bytes) = (self.link.span, self.bytes);
        let colon = colon(&self.link, bytes);
        let end = colon.unwrap_or(span.start);
        if !work.checks.cues.contains(&Cue::Markup) {
            work.tally.other_cues += 1;
            return end;
        }
        if colon.is_none() && self.base.is_none() {
            work.tally.relative += 1;
            return end;
        }
        // The map must not pass a candidate inside this link.
        let at = if next < span.end {
            work.decoded.clone().original(span)
        } else {
            work.decoded.original(span)
        };
        let shown = markup::shown_at(bytes, span.start);
        let link = Link { shown, ..self.link };
        let is_origin = hint::is_origin(bytes, span.start, span.end);
        let context = Context { setting: Setting::Html, ..context };
        let effect = work.effect(bytes, span, &link.target, &context);
        let base = self.base.as_deref();
        let context = Context { base, is_origin, effect, ..context };
        work.link(&link, Placed { bytes, at }, &context, sink);
        end
    }
}
