//! Merges duplicate findings of a `multipart/alternative` (RFC 2046 §5.1.4), whose parts have the
//! same content: a URI of one part that occurs in a later one, too, is one finding with several
//! places.
//!
//! Findings wait for the end of the alternative. Inside one part, each is a finding of its own; the
//! first, second … of a later part are twins of the first, second … there, and any further ones are
//! twins of the last. Nested alternatives are processed innermost first. Header fields have no
//! twins: they describe their own part alone.

use std::collections::HashMap;
use std::sync::Arc;

use super::effects;
use crate::finding::lint::SHOWN_HOST;
use crate::finding::{Cue, Facts, Finding, Message, Origin, Place, Twin, Verdict, Wrapped};
use crate::source::mail::mime::Siblings;
use crate::uri::Redacted;

type Sink<'s> = &'s mut dyn FnMut(&Finding<'_>);

/// Maximum number of findings that wait: newsletters have some hundreds.
const WAITING_MAX: usize = 4_000;
/// Maximum number of bytes of URIs and of their source texts that wait.
const WAITING_LEN_MAX: usize = 1024 * 1024;

/// The findings of one alternative.
pub(super) struct Alternative<'p> {
    origin: &'p Origin,
    /// The message of all of them.
    message: Option<Message>,
    waiting: Vec<Waiting>,
    /// The place of each waiting finding.
    spots: Vec<Spot<'p>>,
    /// The parts with findings, in order.
    parts: Vec<Part>,
    len: usize,
    /// Whether the limits were reached, so that no finding waits any more.
    is_over: bool,
    /// Number of findings that were duplicates of another.
    twins: u64,
}

/// A finding without its place.
struct Waiting {
    uri: Redacted<'static>,
    /// `None` if it equals `uri`, as nearly always.
    raw: Option<Redacted<'static>>,
    wrapped: Option<Arc<Wrapped>>,
    cue: Cue,
    after: Option<u8>,
    is_name: bool,
    is_origin: bool,
    is_torn: bool,
    effect: Option<&'static str>,
    header: Option<Box<[u8]>>,
    facts: Arc<Facts>,
}

impl Waiting {
    fn of(finding: &Finding<'_>) -> Self {
        Self {
            uri: finding.uri.clone().into_owned(),
            raw: (finding.raw != finding.uri).then(|| finding.raw.clone().into_owned()),
            wrapped: finding.wrapped.clone(),
            cue: finding.cue,
            after: finding.after,
            is_name: finding.is_name,
            is_origin: finding.is_origin,
            is_torn: finding.is_torn,
            effect: finding.effect,
            header: finding.header.map(Box::from),
            facts: Arc::clone(finding.facts),
        }
    }

    /// Reports whether it can be a duplicate of another. A cut one is not known as a whole; one
    /// whose text shows another host is warned of at its own place; a name is no link, and neither
    /// is a URI that a browser only connects to.
    fn may_be_twin(&self) -> bool {
        let is_mismatch = self.facts.warnings.iter().any(|warning| warning.lint == &SHOWN_HOST);
        let is_whole = self.facts.verdict != Verdict::Skipped;
        self.cue != Cue::Header && is_whole && !is_mismatch && !self.is_name && !self.is_origin
    }
}

/// The place of a finding.
struct Spot<'p> {
    place: Place<'p>,
    /// Its index in [`Alternative::parts`].
    idx: usize,
}

/// A part with findings.
struct Part {
    name: Option<Box<str>>,
    siblings: Siblings,
}

/// The occurrences of a URI in one alternative.
struct Seen {
    /// The first part that has it.
    first: usize,
    /// The findings there.
    findings: Vec<usize>,
    /// The last part that has it.
    last: usize,
    /// The number of findings in that one.
    count: usize,
}

impl<'p> Alternative<'p> {
    /// Creates an alternative of a text in `origin`.
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

    /// Keeps `finding`, which is in the part that `siblings` describes. When a limit is reached,
    /// passes all findings to `sink`, and further ones at once.
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

    /// Passes the waiting findings to `sink`; returns how many findings were duplicates of another,
    /// and whether some were not compared.
    pub(super) fn end(mut self, sink: Sink<'_>) -> (u64, bool) {
        self.give(sink);
        (self.twins, self.is_over)
    }

    fn give(&mut self, sink: Sink<'_>) {
        let firsts = self.firsts();
        self.share_effects(&firsts);
        let mut pairs: Vec<(usize, &Spot<'_>)> = firsts
            .iter()
            .zip(&self.spots)
            .enumerate()
            .filter(|(at, (first, _))| at != *first)
            .map(|(_, (first, spot))| (*first, spot))
            .collect();
        self.twins += pairs.len() as u64;
        // The duplicates of one finding stay in order: the sort is stable.
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

    /// Gives each finding the effect of all its duplicates: an effect of one holds for all. A guess
    /// does not if one of the parts explains the link wherever it has it: by definition, the parts
    /// say the same (RFC 2046 §5.1.4), and often the text part lacks the words of the HTML part.
    /// Words for an action in any part are no guess.
    fn share_effects(&mut self, firsts: &[usize]) {
        let mut guesses: HashMap<(usize, usize), Option<&'static str>> = HashMap::new();
        let mut effects: HashMap<usize, &'static str> = HashMap::new();
        for ((first, spot), waiting) in firsts.iter().zip(&self.spots).zip(&self.waiting) {
            let guess = guesses.entry((*first, spot.idx)).or_default();
            match waiting.effect {
                Some(effect) if !effects::is_guess(effect) => {
                    let least = effects.entry(*first).or_insert(effect);
                    *least = effect.min(*least);
                }
                effect => *guess = guess.or(effect),
            }
        }
        let mut shared: HashMap<usize, Option<&'static str>> = HashMap::new();
        for ((first, _), guess) in guesses {
            let all = shared.entry(first).or_insert(guess);
            *all = all.and(guess);
        }
        for (first, guess) in shared {
            if let Some(waiting) = self.waiting.get_mut(first) {
                waiting.effect = effects.get(&first).copied().or(guess);
            }
        }
    }

    fn give_one(&self, waiting: &Waiting, spot: &Spot<'_>, twins: &[Twin<'_>], sink: Sink<'_>) {
        sink(&Finding {
            uri: waiting.uri.borrowed(),
            raw: waiting.raw.as_ref().unwrap_or(&waiting.uri).borrowed(),
            wrapped: waiting.wrapped.clone(),
            cue: waiting.cue,
            place: spot.place,
            base: None,
            after: waiting.after,
            is_mail: true,
            is_name: waiting.is_name,
            is_origin: waiting.is_origin,
            is_torn: waiting.is_torn,
            effect: waiting.effect,
            message: self.message.as_ref(),
            header: waiting.header.as_deref(),
            part: self.part(spot),
            twins,
            facts: &waiting.facts,
            reach: None,
            archived: None,
            verdict: waiting.facts.verdict,
            known: None,
        });
    }

    /// Returns the name of the part of `spot`.
    fn part(&self, spot: &Spot<'_>) -> Option<&str> {
        self.parts.get(spot.idx)?.name.as_deref()
    }

    /// Returns, for each finding, the index of the one that it duplicates: itself, or an earlier
    /// one.
    fn firsts(&self) -> Vec<usize> {
        let depth = self.parts.iter().map(|part| part.siblings.depth()).max().unwrap_or_default();
        let mut firsts: Vec<usize> = (0..self.waiting.len()).collect();
        for level in (0..depth).rev() {
            self.pair(level, &mut firsts);
        }
        // The original of a duplicate may itself be a duplicate in an alternative around.
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

    /// Pairs the findings of the alternatives at this depth of nesting.
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
