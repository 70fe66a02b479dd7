//! Findings of a `multipart/alternative` (RFC 2046 §5.1.4), whose parts all say the same: a URI
//! of one part that stands in a later one, too, is one finding with several places.
//!
//! Findings wait until the alternative is over. Inside of one part, each is one of its own; the
//! first, second … of another part are twins of the first, second … there, and what that one
//! has more of are twins of its last. Alternatives in each other are gone through from the
//! inside. Header fields have no twins: they speak of their own part alone.

use std::collections::HashMap;
use std::sync::Arc;

use crate::finding::lint::SHOWN_HOST;
use crate::finding::{Cue, Facts, Finding, Message, Origin, Place, Twin, Verdict};
use crate::source::mime::Siblings;
use crate::uri::Guarded;

type Sink<'s> = &'s mut dyn FnMut(&Finding<'_>);

/// Findings that wait, at most: newsletters have some hundreds.
const WAITING_MAX: usize = 4_000;
/// Bytes of URIs and of their texts that wait, at most. They are few where URIs are not long.
const WAITING_LEN_MAX: usize = 1024 * 1024;

/// The findings of one alternative.
pub(super) struct Alternative<'p> {
    origin: &'p Origin,
    /// All stand in the same message.
    message: Option<Message>,
    waiting: Vec<Waiting>,
    /// Where they stand.
    spots: Vec<Spot<'p>>,
    /// The parts that they stand in, one behind the other.
    parts: Vec<Part>,
    len: usize,
    /// True when there was no room, so that nothing waits any more.
    is_over: bool,
    /// Findings that were the same as another.
    twins: u64,
}

/// A finding, but for its place.
struct Waiting {
    uri: Guarded<'static>,
    /// None where it is the same, as nearly always.
    raw: Option<Guarded<'static>>,
    cue: Cue,
    behind: Option<u8>,
    is_name: bool,
    is_origin: bool,
    effect: Option<&'static str>,
    header: Option<Box<[u8]>>,
    facts: Arc<Facts>,
}

impl Waiting {
    fn of(finding: &Finding<'_>) -> Self {
        Self {
            uri: finding.uri.clone().into_owned(),
            raw: (finding.raw != finding.uri).then(|| finding.raw.clone().into_owned()),
            cue: finding.cue,
            behind: finding.behind,
            is_name: finding.is_name,
            is_origin: finding.is_origin,
            effect: finding.effect,
            header: finding.header.map(Box::from),
            facts: Arc::clone(finding.facts),
        }
    }

    /// True when it can be the same as another: one that was cut is not known as a whole, one
    /// whose text shows another host is warned of where it stands, a name is no link, and neither
    /// is what a browser only connects to.
    fn may_be_twin(&self) -> bool {
        let is_mismatch = self.facts.warnings.iter().any(|warning| warning.lint == &SHOWN_HOST);
        let is_whole = self.facts.verdict != Verdict::Skipped;
        self.cue != Cue::Header && is_whole && !is_mismatch && !self.is_name && !self.is_origin
    }
}

/// Where a finding stands.
struct Spot<'p> {
    place: Place<'p>,
    /// Which of [`Alternative::parts`] it is in.
    idx: usize,
}

/// A part that findings stand in.
struct Part {
    name: Option<Box<str>>,
    siblings: Siblings,
}

/// What was seen of a URI in one alternative.
struct Seen {
    /// The first part that has it.
    first: usize,
    /// The findings there.
    findings: Vec<usize>,
    /// The last part that has it.
    last: usize,
    /// Findings in that one.
    count: usize,
}

impl<'p> Alternative<'p> {
    /// An alternative of a text that `origin` holds.
    pub(super) const fn new(origin: &'p Origin) -> Self {
        Self {
            origin,
            message: None,
            waiting: Vec::new(),
            spots: Vec::new(),
            parts: Vec::new(),
            len: 0,
            is_over: false,
            twins: 0,
        }
    }

    /// Keeps `finding`, which stands in the part that `siblings` tell. When there is no room,
    /// gives all to `sink`, and what follows at once.
    pub(super) fn take(&mut self, finding: &Finding<'_>, siblings: &Siblings, sink: Sink<'_>) {
        let is_full = self.waiting.len() >= WAITING_MAX || self.len >= WAITING_LEN_MAX;
        if is_full && !self.is_over {
            self.give(sink);
            self.is_over = true;
        }
        if self.is_over {
            return sink(finding);
        }
        if self.message.is_none() {
            self.message = finding.message.cloned();
        }
        let is_in =
            |part: &Part| part.name.as_deref() == finding.part && part.siblings == *siblings;
        if !self.parts.last().is_some_and(is_in) {
            let name = finding.part.map(Box::from);
            self.parts.push(Part { name, siblings: siblings.clone() });
        }
        let place = Place { origin: self.origin, ..finding.place };
        self.spots.push(Spot { place, idx: self.parts.len() - 1 });
        self.waiting.push(Waiting::of(finding));
        self.len += finding.uri.in_clear().len() + finding.raw.in_clear().len();
    }

    /// Gives what waits to `sink`; says how many findings were the same as another, and
    /// whether some were not compared.
    pub(super) fn end(mut self, sink: Sink<'_>) -> (u64, bool) {
        self.give(sink);
        (self.twins, self.is_over)
    }

    fn give(&mut self, sink: Sink<'_>) {
        let firsts = self.firsts();
        // What one of them says of an effect holds for all that are the same.
        for (at, first) in firsts.iter().enumerate() {
            let effect = self.waiting.get(at).and_then(|waiting| waiting.effect);
            if let Some(waiting) = self.waiting.get_mut(*first) {
                waiting.effect = waiting.effect.into_iter().chain(effect).min();
            }
        }
        let mut pairs: Vec<(usize, &Spot<'_>)> = firsts
            .iter()
            .zip(&self.spots)
            .enumerate()
            .filter(|(at, (first, _))| at != *first)
            .map(|(_, (first, spot))| (*first, spot))
            .collect();
        self.twins += pairs.len() as u64;
        // Those of one finding stay in order.
        pairs.sort_by_key(|(first, _)| *first);
        let mut pairs = pairs.as_slice();
        let all = std::mem::take(&mut self.waiting).into_iter().zip(&self.spots);
        for (at, (waiting, spot)) in all.enumerate() {
            if firsts.get(at) != Some(&at) {
                continue;
            }
            let count = pairs.iter().take_while(|(first, _)| *first == at).count();
            let (own, rest) = pairs.split_at(count);
            pairs = rest;
            let twins: Vec<Twin<'_>> = own
                .iter()
                .map(|(_, spot)| Twin { part: self.part(spot), place: spot.place })
                .collect();
            self.give_one(&waiting, spot, &twins, sink);
        }
        self.spots.clear();
    }

    fn give_one(&self, waiting: &Waiting, spot: &Spot<'_>, twins: &[Twin<'_>], sink: Sink<'_>) {
        sink(&Finding {
            uri: waiting.uri.borrowed(),
            raw: waiting.raw.as_ref().unwrap_or(&waiting.uri).borrowed(),
            cue: waiting.cue,
            place: spot.place,
            base: None,
            behind: waiting.behind,
            is_mail: true,
            is_name: waiting.is_name,
            is_origin: waiting.is_origin,
            effect: waiting.effect,
            message: self.message.as_ref(),
            header: waiting.header.as_deref(),
            part: self.part(spot),
            twins,
            facts: &waiting.facts,
            reach: None,
            verdict: waiting.facts.verdict,
            known: None,
        });
    }

    /// The name of the part that `spot` is in.
    fn part(&self, spot: &Spot<'_>) -> Option<&str> {
        self.parts.get(spot.idx)?.name.as_deref()
    }

    /// For each finding, the one that it is the same as: itself, or one before.
    fn firsts(&self) -> Vec<usize> {
        let depth = self.parts.iter().map(|part| part.siblings.depth()).max().unwrap_or_default();
        let mut firsts: Vec<usize> = (0..self.waiting.len()).collect();
        for level in (0..depth).rev() {
            self.pair(level, &mut firsts);
        }
        // What a finding is the same as may be the same as another in an alternative around.
        for at in 0..firsts.len() {
            let of = |at: usize| firsts.get(at).copied();
            if let Some(first) = of(at).and_then(of)
                && let Some(entry) = firsts.get_mut(at)
            {
                *entry = first;
            }
        }
        firsts
    }

    /// Pairs the findings of the alternatives that are in so many others.
    fn pair(&self, level: usize, firsts: &mut [usize]) {
        let mut seen: HashMap<(usize, &[u8]), Seen> = HashMap::with_capacity(self.waiting.len());
        let all = self.waiting.iter().zip(&self.spots).zip(firsts).enumerate();
        for (at, ((waiting, spot), first)) in all {
            let part = self.parts.get(spot.idx);
            let Some(sibling) = part.and_then(|part| part.siblings.at(level)) else { continue };
            if *first != at || sibling.number == 0 || !waiting.may_be_twin() {
                continue;
            }
            let number = sibling.number;
            let uri = (sibling.alternative, waiting.uri.in_clear());
            let new = || Seen { first: number, findings: Vec::new(), last: number, count: 0 };
            let seen = seen.entry(uri).or_insert_with(new);
            if seen.first == number {
                seen.findings.push(at);
                continue;
            }
            if seen.last != number {
                (seen.last, seen.count) = (number, 0);
            }
            let twin = seen.findings.get(seen.count).or(seen.findings.last());
            *first = twin.copied().unwrap_or(at);
            seen.count += 1;
        }
    }
}
