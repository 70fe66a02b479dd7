//! Collects targets: URIs without fragments, each requested once, however many findings lead to it.
//!
//! If several findings lead to one target, the strictest limit among them decides how much is
//! requested.

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;

use super::hash::hash;
use crate::finding::{Finding, NotLookedUp};
use crate::grammar::normalize::key;
use crate::grammar::split;
use crate::probe::Level;
use crate::probe::archive::Lookup;
use crate::scheme;

/// A target to probe, once.
pub(super) struct Target {
    /// Its URI, without a fragment. Of several texts that are one URI, the least.
    pub(super) text: Box<[u8]>,
    /// The mark that follows it in the text and may be part of it; of several marks, the least.
    pub(super) after: Option<u8>,
    /// The highest probe level allowed.
    pub(super) level: Level,
    /// The side effect that a request may have, if any.
    pub(super) effect: Option<&'static str>,
    /// A guessed side effect. Several senders refute it: a link that was made for one reader is in
    /// the mail of one sender.
    pub(super) guess: Option<&'static str>,
    /// Hashes of the senders of messages that contain it, up to `SENDERS_MAX`.
    pub(super) senders: Vec<u128>,
    /// Whether redirects to links with side effects must not be followed either.
    pub(super) is_careful: bool,
    /// Whether redirects to a mail gateway are unwrapped.
    pub(super) unwraps: bool,
    /// The fragments to look up in it, as links spell them.
    pub(super) places: BTreeSet<Box<[u8]>>,
    /// Whether the content of its page is needed, if it is requested with its body.
    pub(super) is_read: bool,
    /// The last names of the links beside which it was invented, if it was.
    pub(super) beside: Box<[Box<[u8]>]>,
    /// The data for archives of the Web, if any are looked up. Boxed, since most runs have none.
    pub(super) archival: Option<Box<Archival>>,
}

/// The data of a target for archives of the Web.
#[derive(Clone, Copy, Default)]
pub(super) struct Archival {
    /// The earliest and the latest date of the links to it.
    pub(super) dates: [Option<Timestamp>; 2],
    /// The reason why archives on the network must not learn of it, if there is one.
    pub(super) withheld: Option<NotLookedUp>,
    /// Whether it is itself a request to an archive.
    pub(super) is_request: bool,
    /// Whether that request is for all links with one beginning.
    pub(super) is_listing: bool,
}

/// The targets, in no particular order.
#[derive(Default)]
pub(super) struct Targets {
    index: HashMap<u128, u32>,
    pub(super) list: Vec<Target>,
}

/// Number of senders from which on a link is not personal.
const SENDERS_MAX: usize = 3;

impl Target {
    /// Returns the earliest and the latest date of the links to it, if they are known.
    pub(super) fn dates(&self) -> [Option<Timestamp>; 2] {
        self.archival.as_ref().map(|archival| archival.dates).unwrap_or_default()
    }

    /// Returns the mementos to look for, if it is a request to an archive.
    pub(super) fn lookup(&self) -> Option<Box<Lookup>> {
        let archival = self.archival.as_ref().filter(|archival| archival.is_request)?;
        let Archival { dates, is_listing, .. } = **archival;
        Some(Box::new(Lookup { dates, is_listing }))
    }

    /// Decides on the guessed effect, once all links to the target are known.
    fn decided(self) -> Self {
        // If only the host is probed, the path has no effect.
        let counts = self.level > Level::Host && self.senders.len() < SENDERS_MAX;
        let guess = self.guess.filter(|_| counts);
        Self { effect: self.effect.or(guess), senders: Vec::new(), ..self }
    }
}

impl Targets {
    /// Returns targets that nothing is looked up by.
    pub(super) fn unsought(list: Vec<Target>) -> Self {
        Self { index: HashMap::new(), list }
    }

    /// Adds `target`; if it is known already, merges the two, with the more careful settings.
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
        known.after = least(known.after, target.after);
        if target.text < known.text {
            known.text = target.text;
        }
        known.places.extend(target.places);
        if let (Some(known), Some(other)) = (&mut known.archival, &target.archival) {
            let ([first, last], [other_first, other_last]) = (known.dates, other.dates);
            known.dates = [least(first, other_first), last.max(other_last)];
            known.withheld = least(known.withheld, other.withheld);
        }
    }

    /// Gives all targets that are one request the strictest effect among them. A request has no
    /// user and no password, and a server takes a host with a final dot for the same.
    fn share_effects(&mut self) {
        let request = |target: &Target| {
            let text = sent(&target.text).filter(|_| target.level > Level::Host)?;
            Some(identity(&text, Use::Whole))
        };
        let mut groups: HashMap<u128, Vec<usize>> = HashMap::new();
        for (idx, target) in self.list.iter().enumerate() {
            if let Some(hash) = request(target) {
                let plain = || self.index.get(&hash).map(|idx| *idx as usize).into_iter().collect();
                groups.entry(hash).or_insert_with(plain).push(idx);
            }
        }
        for group in groups.into_values() {
            let all = || group.iter().filter_map(|idx| self.list.get(*idx));
            let effect = all().filter_map(|it| it.effect).min();
            let guess = all().filter_map(|it| it.guess).min();
            let withheld = all().filter_map(|it| it.archival.as_ref()?.withheld).min();
            for idx in group {
                let Some(target) = self.list.get_mut(idx) else { continue };
                (target.effect, target.guess) = (effect, guess);
                if let Some(archival) = &mut target.archival {
                    archival.withheld = withheld;
                }
            }
        }
    }

    /// Sorts the targets by their text, and decides on each, once all are known.
    pub(super) fn sort(&mut self) {
        self.share_effects();
        let mut list: Vec<_> = std::mem::take(&mut self.list).into_iter().zip(0_u32..).collect();
        // One text may be two targets, one of which is only a host.
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

    /// Returns the number of the target with the URI `text` and this use.
    pub(super) fn find(&self, text: &[u8], use_of: Use) -> Option<usize> {
        if self.list.is_empty() {
            return None;
        }
        self.index.get(&identity(text, use_of)).map(|&idx| idx as usize)
    }
}

/// Returns the lesser of the values that are present, so that order does not matter.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

/// The part of a target that a link uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// The whole target.
    Whole,
    /// Its host only.
    Host,
}

impl Use {
    /// Returns which part of its target `finding` uses.
    pub(super) const fn of(finding: &Finding<'_>) -> Self {
        if finding.is_origin { Self::Host } else { Self::Whole }
    }
}

/// Returns a hash that identifies the target with the URI `text` and this use.
pub(super) fn identity(text: &[u8], use_of: Use) -> u128 {
    let key = key(text);
    match use_of {
        Use::Whole => hash(&key),
        // No key ends with NUL.
        Use::Host => hash(&[&key, &b"\0"[..]].concat()),
    }
}

/// Returns the URI `text` of the Web as a request sends it, without user and without the final dots
/// of its host; `None` if it has neither.
fn sent(text: &[u8]) -> Option<Vec<u8>> {
    let parts = split(text);
    let scheme = parts.scheme.filter(|scheme| scheme::is_http(scheme.of(text)))?;
    let host = parts.host?;
    let name = host.of(text);
    let plain = name.strip_suffix(b".").unwrap_or(name);
    let authority_start = scheme.end + "://".len();
    if host.start <= authority_start && plain.len() == name.len() {
        return None;
    }
    Some([text.get(..authority_start)?, plain, text.get(host.end..)?].concat())
}

/// Splits a URI from its fragment, which is never sent (RFC 3986 §3.5).
pub(super) fn apart(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    let end = memchr::memchr(b'#', text).unwrap_or(text.len());
    (text.get(..end).unwrap_or_default(), text.get(end + 1..))
}

/// Returns the last name in the path of `uri`, which may be that of a directory, to the end of the
/// URI.
pub(super) fn last_name(uri: &[u8]) -> &[u8] {
    let path = split(uri).path;
    let whole = path.of(uri);
    let whole = whole.strip_suffix(b"/").unwrap_or(whole);
    let slash = memchr::memrchr(b'/', whole).map_or(0, |slash| slash + 1);
    uri.get(path.start + slash..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::sent;

    #[test]
    fn a_request_has_neither_a_user_nor_a_final_dot() {
        for (text, expected) in [
            ("http://u:p@h.example/a?b", Some("http://h.example/a?b")),
            ("https://h.example./a", Some("https://h.example/a")),
            ("http://u@h.example.:8080/a", Some("http://h.example:8080/a")),
            ("http://h.example/a", None),
            ("ftp://u@h.example/a", None),
        ] {
            assert_eq!(sent(text.as_bytes()).as_deref(), expected.map(str::as_bytes), "{text}");
        }
    }
}
