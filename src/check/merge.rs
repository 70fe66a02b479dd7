//! Merges the scanner's candidates with the links of a haystack's markup, in one loop for all kinds
//! of input, and makes findings of both.

use super::bases::{self, Bases};
use super::cue;
use super::unfinished::is_unfinished;
use super::unwrap::{self, Unwrapped, unwrapped};
use super::{
    Context, Doubt, PieceCheck, Unchecked, disarmed, effects, hint, literal, namespace, template,
};
use crate::finding::{Cue, Warning};
use crate::scan::{self, CANDIDATE_LEN_MAX, Candidate, Scanner, Wrap};
use crate::scheme;
use crate::source::haystack::{Genre, Haystack, MarkupLink, Segment, SegmentKind};
use crate::source::mail::fields::Standing;
use crate::span::Span;
use crate::uri::Redacted;

/// Makes findings of a haystack; returns the offset in its text up to which they reach.
pub(super) fn read(work: &mut PieceCheck<'_>, haystack: &mut Haystack<'_, '_>) -> usize {
    let mut scanner = scanner(work, haystack);
    let mut bases = Bases::new(haystack.base, haystack.scopes);
    // Candidates before this offset are a part of a link.
    let mut passed = 0;
    loop {
        let candidate = scanner.next();
        let own = candidate.as_ref().map(|candidate| haystack.own_span(candidate.span));
        let next = own.map_or(usize::MAX, |own| own.start);
        while let Some(link) = haystack.link_before(next) {
            passed = passed.max(link.scheme_end);
            work.link(&link, haystack, next, &mut bases);
        }
        let (Some(candidate), Some(own)) = (candidate, own) else { break };
        if next < passed || is_linked(haystack, own) {
            continue;
        }
        let completed = haystack.completed(&candidate);
        let own = completed.as_ref().and_then(|completed| completed.span).unwrap_or(own);
        passed = match &completed {
            Some(completed) if completed.span.is_some() => passed.max(own.end),
            _ => passed,
        };
        haystack.pass(own);
        let text = completed.as_ref().map_or(candidate.text, |completed| &completed.text);
        let span = completed.as_ref().and_then(|it| it.span).unwrap_or(candidate.span);
        let candidate = Candidate { span, text, ..candidate };
        work.candidate(&candidate, own, haystack, &mut bases);
    }
    work.tally.coded += u64::try_from(haystack.coded_texts()).unwrap_or_default();
    scanner.resume().max(passed)
}

/// Returns a scanner over `haystack` for all requested cues.
fn scanner<'h>(work: &PieceCheck<'_>, haystack: &Haystack<'h, '_>) -> Scanner<'h> {
    let scanner = Scanner::within(haystack.text, haystack.core, haystack.floor);
    let scanner =
        if haystack.keeps_backslashes() { scanner.keeping_backslashes() } else { scanner };
    if work.checks.cues.contains(&Cue::Www) { scanner.with_www() } else { scanner }
}

/// Reports whether a link of the markup overlaps `own` and is no expression.
fn is_linked(haystack: &Haystack<'_, '_>, own: Span) -> bool {
    haystack.link_over(own).is_some_and(|link| !template::is_expression(&link.target))
}

impl PieceCheck<'_> {
    /// Makes a finding of a candidate, which is at `own` of the haystack's own text.
    fn candidate(
        &mut self,
        candidate: &Candidate<'_>,
        own: Span,
        haystack: &mut Haystack<'_, '_>,
        bases: &mut Bases<'_>,
    ) {
        let bytes = haystack.text;
        let located = haystack.locate(own, usize::MAX);
        if haystack.is_ignored(own, located.span) {
            self.tally.ignored += 1;
            return;
        }
        let is_cut = candidate.is_cut || haystack.is_too_long(located.span.len());
        let candidate = Candidate { is_cut, ..*candidate };
        let shown = haystack.shown(candidate.span.start);
        let (genre, is_mail) = (haystack.genre(), haystack.is_mail());
        let (around, raw) = (haystack.around(bytes), haystack.raw(own, located.span));
        let lacks_entity = haystack.lacks_entity(own, located.span);
        let Candidate { wrap, span, text, scheme, scheme_len, .. } = candidate;
        let is_bare = matches!(wrap, Wrap::Bare | Wrap::Www);
        let is_torn = is_bare && haystack.is_torn(bytes, span, located.span);
        let segment = haystack.segment(span.start);
        if !self.is_link(&candidate, bytes, &segment, genre) {
            return;
        }
        if lacks_entity {
            self.tally.templates += 1;
            return;
        }
        let after = bytes.get(span.end..).unwrap_or_default();
        let before = bytes.get(..span.start).unwrap_or_default();
        let is_unfinished = is_cut || is_torn || is_unfinished(text, before, after);
        let (uri, redacted) = if is_unfinished {
            (Redacted::unfinished(text), Redacted::unfinished(span.of(bytes)))
        } else {
            (Redacted::new(text), Redacted::source_of(text, raw))
        };
        let is_wanted = is_mail && self.checks.effects;
        let found = Unchecked {
            text,
            uri,
            raw: redacted,
            cue: cue_in(&segment, wrap),
            scheme,
            scheme_len,
            is_cut,
            broken_by: if is_bare && self.checks.unwrap {
                unwrap::broken_by(text, after)
            } else {
                None
            },
            is_unfinished,
            shown: shown.as_deref(),
            after: is_bare.then(|| scan::mark_after(bytes, span)).flatten(),
            doubt: doubt(bytes, span, wrap),
            offered: offered(&segment, text),
            is_name: namespace::is_named(bytes, span.start),
            is_origin: hint::is_origin(bytes, span.start, span.end),
            is_torn,
            effect: is_wanted.then(|| self.effect(around, span, text, &segment)).flatten(),
        };
        let context = Context { located, segment, base: bases.at(own.start) };
        self.finding(found, is_mail, &context);
    }

    /// Returns the effect of following the link `uri`, at `span` of `bytes`, by the words around
    /// it; of a gateway's link, that of its target.
    fn effect(
        &self,
        bytes: &[u8],
        span: Span,
        uri: &[u8],
        segment: &Segment<'_>,
    ) -> Option<&'static str> {
        let inner = self.checks.unwrap.then(|| unwrapped(uri)).flatten();
        let uri = inner.as_ref().map_or(uri, Unwrapped::innermost);
        effects::around(bytes, span, uri, setting(segment), segment.charset)
    }

    /// Reports whether a candidate is a link to report; counts the kinds that a user may miss.
    fn is_link(
        &mut self,
        candidate: &Candidate<'_>,
        bytes: &[u8],
        segment: &Segment<'_>,
        genre: Genre,
    ) -> bool {
        let count = match segment.standing {
            Standing::Uri => None,
            Standing::Comment => Some(&mut self.tally.field_comments),
            Standing::Trace => Some(&mut self.tally.trace_fields),
        };
        let is_requested = self.checks.cues.contains(&cue_in(segment, candidate.wrap));
        let count = count.or((!is_requested).then_some(&mut self.tally.other_cues));
        let is_disarmed = || disarmed::is_disarmed(candidate, bytes);
        let count = match count {
            None if is_disarmed() => Some(&mut self.tally.disarmed),
            None if is_filled(candidate, bytes, genre) => Some(&mut self.tally.templates),
            count => count,
        };
        if let Some(count) = count {
            *count += 1;
            return false;
        }
        genre == Genre::Message || !literal::is_property(candidate, bytes)
    }

    /// Makes a finding of a link of the markup. The next candidate begins at `next` of the
    /// haystack's own text.
    fn link(
        &mut self,
        markup: &MarkupLink<'_>,
        haystack: &mut Haystack<'_, '_>,
        next: usize,
        bases: &mut Bases<'_>,
    ) {
        let (link, bytes) = (&*markup.link, haystack.own());
        let (span, target) = (link.span, shortened(&link.target));
        let located = haystack.locate(span, next);
        let declared = bases::declared(markup);
        if !self.is_link_of_markup(markup, declared.is_some(), haystack) {
            return;
        }
        let is_cut = link.target.len() > CANDIDATE_LEN_MAX;
        let raw = shortened(span.of(bytes));
        let is_torn = haystack.is_torn(bytes, span, located.span);
        let is_unfinished = is_cut || is_torn;
        let (uri, raw) = if is_unfinished {
            (Redacted::unfinished(target), Redacted::unfinished(raw))
        } else {
            (Redacted::new(target), Redacted::source_of(target, raw))
        };
        let shown = haystack.shown_of_link(link);
        let (around, is_mail) = (haystack.around(bytes), haystack.is_mail());
        let segment = haystack.segment_of_link(span.start);
        let is_wanted = is_mail && self.checks.effects;
        let scheme_len = scheme::name_len(target);
        let found = Unchecked {
            text: target,
            uri,
            raw,
            cue: Cue::Markup,
            scheme: scheme::find(target.get(..scheme_len).unwrap_or_default()),
            scheme_len,
            is_cut,
            broken_by: None,
            is_unfinished,
            shown: shown.as_deref(),
            // The markup delimits it.
            after: None,
            doubt: None,
            offered: &[],
            is_name: false,
            is_origin: hint::is_origin(bytes, span.start, span.end),
            is_torn,
            effect: is_wanted.then(|| self.effect(around, span, &link.target, &segment)).flatten(),
        };
        let base = declared.as_deref().or_else(|| bases.at(span.start));
        self.finding(found, is_mail, &Context { located, segment, base });
    }

    /// Reports whether a link of the markup is to be reported; counts the kinds that a user may
    /// miss. `has_base` is true if a header or the HTML around declares a base.
    fn is_link_of_markup(
        &mut self,
        markup: &MarkupLink<'_>,
        has_base: bool,
        haystack: &Haystack<'_, '_>,
    ) -> bool {
        let MarkupLink { link, needs_base, .. } = markup;
        let count = if haystack.is_ignored(link.span, link.span) {
            &mut self.tally.ignored
        } else if !self.checks.cues.contains(&Cue::Markup) {
            &mut self.tally.other_cues
        } else if *needs_base && !has_base {
            &mut self.tally.relative
        } else if haystack.genre() == Genre::Document
            && (template::fills_link(&link.target) || haystack.lacks_entity(link.span, link.span))
        {
            &mut self.tally.templates
        } else {
            return true;
        };
        *count += 1;
        false
    }
}

/// Returns a doubt about the end of the candidate at `span` of `bytes`.
fn doubt(bytes: &[u8], span: Span, wrap: Wrap) -> Option<Doubt> {
    match wrap {
        Wrap::Bare | Wrap::Www => scan::cut_before(bytes, span).map(Doubt::Cut),
        Wrap::Angle | Wrap::Url => scan::joins_words(span.of(bytes)).then_some(Doubt::Joined),
    }
}

/// Reports whether a template or a program fills `candidate` in. In a message, templates were
/// filled in before it was sent.
fn is_filled(candidate: &Candidate<'_>, bytes: &[u8], genre: Genre) -> bool {
    match genre {
        Genre::Message => false,
        Genre::Document => template::fills_candidate(candidate, bytes),
        Genre::Plain => template::fills_text(candidate, bytes),
    }
}

/// Returns the warnings about an offer to unsubscribe that the link `text` of `segment` carries.
fn offered<'s>(segment: &Segment<'s>, text: &[u8]) -> &'s [Warning] {
    let offer = segment.message.and_then(|message| message.unsubscribe.as_deref());
    let is_field = segment.header.is_some_and(|name| {
        // A message in this one has the path of its part.
        segment.part.is_none() && name.eq_ignore_ascii_case(b"list-unsubscribe")
    });
    let Some(offer) = offer.filter(|_| is_field) else { return &[] };
    let carrier = offer.carrier.iter().flatten();
    let is_carrier = text.iter().filter(|byte| !byte.is_ascii_whitespace()).eq(carrier);
    if is_carrier { &offer.warnings } else { &[] }
}

/// Returns the cue of a candidate in `segment`.
fn cue_in(segment: &Segment<'_>, wrap: Wrap) -> Cue {
    if segment.kind == SegmentKind::Field { Cue::Header } else { cue(wrap) }
}

/// Returns the kind of text around a link in `segment`.
const fn setting(segment: &Segment<'_>) -> effects::Setting {
    match segment.kind {
        SegmentKind::Text => effects::Setting::Text,
        SegmentKind::Html => effects::Setting::Html,
        SegmentKind::Field => effects::Setting::Field,
    }
}

fn shortened(text: &[u8]) -> &[u8] {
    text.get(..CANDIDATE_LEN_MAX).unwrap_or(text)
}
