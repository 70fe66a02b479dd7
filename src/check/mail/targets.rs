//! Links of attributes in HTML that the scanner does not find, between those that it does.

use std::sync::Arc;
use std::vec::IntoIter;

use super::super::document::bases::within;
use super::super::effects::Setting;
use super::super::{Context, Work, hint};
use super::Sink;
use crate::finding::Cue;
use crate::scheme;
use crate::source::markup::{self, Link, Targets};
use crate::span::Span;

/// Bytes before a piece in which a link may begin whose scheme ends in it: tabs may stand there.
const AHEAD_LEN_MAX: usize = 2 * scheme::SCHEME_LEN_MAX;

/// The links of attributes in runs of HTML, one behind the other.
pub(super) struct Attributes<'b> {
    bytes: &'b [u8],
    runs: IntoIter<Run>,
    /// What begins before it was found already.
    floor: usize,
    /// The run whose links are given.
    run: Span,
    /// What its relative links start from by the headers around.
    base: Option<Arc<[u8]>>,
    targets: Option<Targets<'b>>,
    next: Option<Link>,
}

/// A run of HTML, and what its relative links start from by the headers around.
type Run = (Span, Option<Arc<[u8]>>);

impl<'b> Attributes<'b> {
    /// Those of `runs`, which stand in `bytes`, behind `floor`.
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
            // A scanner gives what has its colon in a run.
            let mark = |link: &Link| colon(link, bytes).unwrap_or(link.span.start);
            self.next = targets.find(|link| mark(link) >= run.start);
            self.next.take_if(|link| mark(link) >= run.end);
            if self.next.is_some() {
                return;
            }
            let Some((run, base)) = self.runs.next() else { return };
            // What stands behind the last one belongs to it, for all we know.
            let seen = if self.runs.len() == 0 { self.bytes.len() } else { run.end };
            let from = run.start.saturating_sub(AHEAD_LEN_MAX).max(self.floor);
            let text = self.bytes.get(..seen).unwrap_or_default();
            self.targets = Some(Targets::new(text, run.start, from));
            (self.run, self.base) = (run, base);
        }
    }

    /// The next link that begins before `at`, and what it starts from.
    pub(super) fn before(&mut self, at: usize) -> Option<Target> {
        let link = self.next.take_if(|link| link.span.start < at)?;
        let is_absolute = scheme::name_len(&link.target) > 0;
        let base = if is_absolute { None } else { self.base() };
        self.step();
        Some(Target { link, base })
    }

    /// What relative links of the run start from: what it says itself comes before its headers
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

    /// Passes the links that begin in `span`, in which something else is found.
    pub(super) fn pass(&mut self, span: Span) {
        while self.next.take_if(|link| link.span.start < span.end).is_some() {
            self.step();
        }
    }
}

/// Where the scheme of `link` ends, which stands in `bytes`; none where it has none.
fn colon(link: &Link, bytes: &[u8]) -> Option<usize> {
    let has_scheme = scheme::name_len(&link.target) > 0;
    let colon = memchr::memchr(b':', link.span.of(bytes)).filter(|_| has_scheme)?;
    Some(link.span.start + colon)
}

/// A link of an attribute.
pub(super) struct Target {
    pub(super) link: Link,
    /// What it starts from, if it is relative and the HTML says so.
    base: Option<Arc<[u8]>>,
}

impl Target {
    /// Makes a finding of it; gives where its scheme ends, in which nothing else begins. What is
    /// found next begins at `next`.
    pub(super) fn give(
        self,
        work: &mut Work<'_>,
        bytes: &[u8],
        context: Context<'_>,
        next: usize,
        sink: Sink<'_>,
    ) -> usize {
        let span = self.link.span;
        let raw = span.of(bytes);
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
        // Where something lies in it, nobody may have passed that.
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
        work.link(&link, raw, at, &Context { base, is_origin, effect, ..context }, sink);
        end
    }
}
