//! What is to be asked: each different target once, whatever number of findings leads to it.
//!
//! A target is what a question is about: a URI without its fragment. Where several findings
//! lead to it, the most careful of them decides how much may be asked.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use super::asking::Asking;
use super::documents::Documents;
use super::names::Names;
use super::unit::hash;
use crate::check::effects;
use crate::finding::{Class, Cue, Finding, Reach, Verdict};
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
    guess: Option<&'static str>,
    /// Hashes of those who sent messages that it stands in, as long as they are few.
    senders: Vec<u128>,
    /// True when nothing that it leads to may do something either.
    pub(super) is_careful: bool,
    /// The places in it that are looked for, as they stand in links.
    pub(super) places: BTreeSet<Box<[u8]>>,
}

/// Collects targets from all threads.
pub(super) struct Gathering<'a> {
    asking: &'a Asking,
    documents: &'a Documents,
    targets: Mutex<Targets>,
    /// The names of messages and of their parts.
    pub(super) names: Names,
}

/// The targets, in no order that means anything.
#[derive(Default)]
pub(super) struct Targets {
    index: HashMap<u128, u32>,
    pub(super) list: Vec<Target>,
}

impl<'a> Gathering<'a> {
    pub(super) fn new(asking: &'a Asking, documents: &'a Documents) -> Self {
        Self { asking, documents, targets: Mutex::default(), names: Names::default() }
    }

    /// Takes what `finding` leads to.
    pub(super) fn take(&self, finding: &Finding<'_>) {
        let whole = match lead(finding) {
            Lead::Remote(whole) => whole,
            Lead::Local => match self.documents.remote(finding) {
                Some(whole) => whole.into(),
                None => return,
            },
            Lead::Nowhere | Lead::Mail | Lead::Known(_) => return,
        };
        let (text, place) = apart(&whole);
        let use_of = Use::of(finding);
        let is_careful = finding.is_mail && !self.asking.side_effects;
        let level = if finding.is_mail { self.asking.mail } else { self.asking.documents };
        // Nothing but the host is wanted, which has neither marks nor places.
        let is_whole = use_of == Use::Whole;
        let place = place.filter(|_| is_whole);
        let effect = || if is_whole { effect(finding) } else { effects::by_host(text) };
        let effect = is_careful.then(effect).flatten();
        let is_guess = effect.is_some_and(effects::is_guess);
        let target = Target {
            text: text.into(),
            behind: finding.behind.filter(|_| place.is_none() && is_whole),
            level: if is_whole { level } else { Level::Host },
            effect: effect.filter(|_| !is_guess),
            guess: effect.filter(|_| is_guess),
            senders: sender(finding).into_iter().collect(),
            is_careful,
            places: place
                .filter(|_| self.asking.remote_fragments)
                .map(Box::from)
                .into_iter()
                .collect(),
        };
        let hash = identity(text, use_of);
        self.targets.lock().unwrap_or_else(PoisonError::into_inner).add(hash, target);
    }

    /// What was collected, sorted: the same for any number of threads. There are no names when
    /// not all was read that may have some.
    pub(super) fn finish(self) -> (Targets, Option<Names>) {
        let mut targets = self.targets.into_inner().unwrap_or_else(PoisonError::into_inner);
        targets.sort();
        let is_whole = !self.asking.is_offline && !self.asking.is_stopped();
        (targets, is_whole.then(|| self.names.sorted()))
    }
}

/// Senders after which a link is nobody's own.
const SENDERS_MAX: usize = 3;

/// Returns a hash for the sender of the message that `finding` is in: the host that named it. Two
/// names of one host are one sender (RFC 5322 §3.6.4).
fn sender(finding: &Finding<'_>) -> Option<u128> {
    let id = finding.message?.id.as_deref()?;
    let host = id.get(memchr::memrchr(b'@', id)? + 1..)?;
    Some(hash(&host.to_ascii_lowercase()))
}

fn effect(finding: &Finding<'_>) -> Option<&'static str> {
    let is_one_click = finding.message.is_some_and(|message| message.is_one_click);
    let by_itself = effects::of(finding.uri.in_clear(), finding.header, is_one_click);
    by_itself.or(finding.effect)
}

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
    fn add(&mut self, hash: u128, target: Target) {
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

    fn sort(&mut self) {
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
fn identity(text: &[u8], use_of: Use) -> u128 {
    let key = key(text);
    match use_of {
        Use::Whole => hash(&key),
        // No key ends so.
        Use::Host => hash(&[&key, &b"\0"[..]].concat()),
    }
}

/// Where a finding leads.
pub(super) enum Lead<'f> {
    /// To nothing: it is malformed, or not whole.
    Nowhere,
    /// To a file, perhaps: it is relative, or names one.
    Local,
    /// To a message or a part of one, of those that were read.
    Mail,
    /// To something that only asking tells.
    Remote(Cow<'f, [u8]>),
    /// To what is known without asking.
    Known(Reach),
}

/// Where `finding` leads.
pub(super) fn lead<'f>(finding: &'f Finding<'_>) -> Lead<'f> {
    if matches!(finding.facts.verdict, Verdict::Error | Verdict::Skipped) {
        return Lead::Nowhere;
    }
    if finding.is_name {
        let message = "it is the name of an XML namespace or the like, and leads nowhere";
        return Lead::Known(Reach::new(Class::Unverifiable, "none", message));
    }
    let text = finding.uri.in_clear();
    match &*finding.facts.scheme {
        "" if finding.cue == Cue::Www => Lead::Remote([b"http://", text].concat().into()),
        "" if finding.is_origin && !finding.is_mail && !text.starts_with(b"//") => {
            let message = "nothing is used but its host, which is that of its page";
            Lead::Known(Reach::new(Class::Unverifiable, "none", message))
        }
        "" | "file" if finding.is_mail => {
            let message = "files are not looked up for mail and news";
            Lead::Known(Reach::new(Class::PolicyScheme, "none", message))
        }
        "" | "file" => Lead::Local,
        "mid" | "cid" if finding.is_mail => Lead::Mail,
        _ => Lead::Remote(text.into()),
    }
}

/// A URI and its fragment, which is never sent (RFC 3986 §3.5).
pub(super) fn apart(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    let end = memchr::memchr(b'#', text).unwrap_or(text.len());
    (text.get(..end).unwrap_or_default(), text.get(end + 1..))
}
