//! Targets: URIs without fragments, each requested once, however many findings lead to it.
//!
//! Where several findings lead to one target, the most careful of them decides how much is
//! requested.

use std::collections::{BTreeSet, HashMap};

use super::hash::hash;
use crate::finding::Finding;
use crate::grammar::normalize::key;
use crate::probe::Level;

/// Something to be asked, once.
pub(super) struct Target {
    /// Its URI, without a fragment. Of different texts that are one URI, the least.
    pub(super) text: Box<[u8]>,
    /// The mark behind it in the text that may be its own; of different ones the least.
    pub(super) behind: Option<u8>,
    /// How much may be asked.
    pub(super) level: Level,
    /// What asking may do, where it may do something.
    pub(super) effect: Option<&'static str>,
    /// The effect by a guess, which several senders refute: a link that was made for one
    /// reader is in the mail of one sender.
    pub(super) guess: Option<&'static str>,
    /// Hashes of those who sent messages that it stands in, as long as they are few.
    pub(super) senders: Vec<u128>,
    /// True when nothing that it leads to may do something either.
    pub(super) is_careful: bool,
    /// The places in it that are looked for, as they stand in links.
    pub(super) places: BTreeSet<Box<[u8]>>,
}

/// The targets, in no order that means anything.
#[derive(Default)]
pub(super) struct Targets {
    index: HashMap<u128, u32>,
    pub(super) list: Vec<Target>,
}

/// Senders after which a link is nobody's own.
const SENDERS_MAX: usize = 3;

impl Target {
    /// The same when all is known that leads to it.
    fn decided(self) -> Self {
        // Where only the host is asked, a path does nothing.
        let counts = self.level > Level::Host && self.senders.len() < SENDERS_MAX;
        let guess = self.guess.filter(|_| counts);
        Self { effect: self.effect.or(guess), senders: Vec::new(), ..self }
    }
}

impl Targets {
    /// Adds `target`; what is known already gets the more careful of both.
    pub(super) fn add(&mut self, hash: u128, target: Target) {
        let next = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        let idx = *self.index.entry(hash).or_insert(next);
        let Some(known) = self.list.get_mut(idx as usize) else { return self.list.push(target) };
        known.level = known.level.min(target.level);
        known.is_careful |= target.is_careful;
        known.effect = least(known.effect, target.effect);
        known.guess = least(known.guess, target.guess);
        for sender in target.senders {
            if known.senders.len() < SENDERS_MAX && !known.senders.contains(&sender) {
                known.senders.push(sender);
            }
        }
        known.behind = least(known.behind, target.behind);
        if target.text < known.text {
            known.text = target.text;
        }
        known.places.extend(target.places);
    }

    /// Sorts the targets by their text, and decides on each: all of them are known.
    pub(super) fn sort(&mut self) {
        let mut list: Vec<_> = std::mem::take(&mut self.list).into_iter().zip(0_u32..).collect();
        // One text may be two targets, of which one is no more than a host.
        list.sort_unstable_by(|(a, _), (b, _)| (&a.text, a.level).cmp(&(&b.text, b.level)));
        let mut places = vec![u32::MAX; list.len()];
        for ((_, before), now) in list.iter().zip(0..) {
            if let Some(place) = places.get_mut(*before as usize) {
                *place = now;
            }
        }
        for idx in self.index.values_mut() {
            *idx = places.get(*idx as usize).copied().unwrap_or(u32::MAX);
        }
        self.list = list.into_iter().map(|(target, _)| target.decided()).collect();
    }

    /// The number of the target that is the URI `text`, of which so much is used.
    pub(super) fn find(&self, text: &[u8], use_of: Use) -> Option<usize> {
        if self.list.is_empty() {
            return None;
        }
        self.index.get(&identity(text, use_of)).map(|&idx| idx as usize)
    }
}

/// The lesser one of what there is: the same in whatever order they come.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

/// How much of what a link leads to is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// All of it.
    Whole,
    /// Its host alone.
    Host,
}

impl Use {
    /// Returns how much is used of what `finding` leads to.
    pub(super) const fn of(finding: &Finding<'_>) -> Self {
        if finding.is_origin { Self::Host } else { Self::Whole }
    }
}

/// Stands for the target that is the URI `text`, of which so much is used.
pub(super) fn identity(text: &[u8], use_of: Use) -> u128 {
    let key = key(text);
    match use_of {
        Use::Whole => hash(&key),
        // No key ends so.
        Use::Host => hash(&[&key, &b"\0"[..]].concat()),
    }
}

/// A URI and its fragment, which is never sent (RFC 3986 §3.5).
pub(super) fn apart(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    let end = memchr::memchr(b'#', text).unwrap_or(text.len());
    (text.get(..end).unwrap_or_default(), text.get(end + 1..))
}
