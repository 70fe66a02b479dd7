//! Links of attributes in HTML that the scanner does not find, between those that it does.

use std::rc::Rc;
use std::vec::IntoIter;

use super::super::{Context, Work};
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
    runs: IntoIter<Span>,
    /// What begins before it was found already.
    floor: usize,
    /// The run whose links are given.
    run: Span,
    targets: Option<Targets<'b>>,
    next: Option<Link>,
}

impl<'b> Attributes<'b> {
    /// Those of `runs`, which stand in `bytes`, behind `floor`.
    pub(super) fn new(bytes: &'b [u8], runs: Vec<Span>, floor: usize) -> Self {
        let runs = runs.into_iter();
        let run = Span::default();
        let mut new = Self { bytes, runs, floor, run, targets: None, next: None };
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
            let Some(run) = self.runs.next() else { return };
            // What stands behind the last one belongs to it, for all we know.
            let seen = if self.runs.len() == 0 { self.bytes.len() } else { run.end };
            let from = run.start.saturating_sub(AHEAD_LEN_MAX).max(self.floor);
            let text = self.bytes.get(..seen).unwrap_or_default();
            (self.run, self.targets) = (run, Some(Targets::new(text, run.start, from)));
        }
    }

    /// The next link that begins before `at`, and what it starts from.
    pub(super) fn before(&mut self, at: usize) -> Option<Target> {
        let link = self.next.take_if(|link| link.span.start < at)?;
        let is_absolute = scheme::name_len(&link.target) > 0;
        let base = self.targets.as_mut().filter(|_| !is_absolute).and_then(Targets::base);
        self.step();
        Some(Target { link, base: base.filter(|base| scheme::name_len(base) > 0) })
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
    base: Option<Rc<Vec<u8>>>,
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
        let base = self.base.as_ref().map(|base| base.as_slice());
        work.link(&link, raw, at, &Context { base, ..context }, sink);
        end
    }
}
