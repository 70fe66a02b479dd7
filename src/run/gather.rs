//! Collects the targets that findings lead to, and the names of messages, from all threads.

use std::sync::{Mutex, PoisonError};

use super::dates::Dates;
use super::documents::Documents;
use super::hash::hash;
use super::lead::{Lead, lead, resolved};
use super::names::Names;
use super::request_options::RequestOptions;
use super::target::{Archival, Target, Targets, Use, apart, identity};
use crate::check::effects;
use crate::check::local::Fragments;
use crate::finding::{Finding, NotLookedUp};
use crate::probe::Level;
use crate::uri::suffix;

/// A collector of targets from all threads.
pub(super) struct Gathering<'a> {
    options: &'a RequestOptions,
    documents: &'a Documents,
    targets: Mutex<Targets>,
    /// The names of messages and of their parts.
    pub(super) names: Names,
    dates: Dates,
}

impl<'a> Gathering<'a> {
    pub(super) fn new(options: &'a RequestOptions, documents: &'a Documents) -> Self {
        Self {
            options,
            documents,
            targets: Mutex::default(),
            names: Names::default(),
            dates: Dates::default(),
        }
    }

    /// Adds the target of `finding`, if it has one.
    pub(super) fn take(&self, finding: &Finding<'_>) {
        let whole = match lead(finding) {
            Lead::Remote(whole) => whole,
            Lead::Local => match self.documents.remote(finding) {
                Some(whole) => match resolved(whole, self.options.unwraps) {
                    Ok(whole) => whole.into(),
                    Err(_) => return,
                },
                None => return,
            },
            Lead::Nowhere | Lead::Mail | Lead::Known(_) => return,
        };
        let (text, place) = apart(&whole);
        let use_of = Use::of(finding);
        let is_careful = finding.is_mail && !self.options.allows_side_effects;
        let level = if finding.is_mail { self.options.mail } else { self.options.documents };
        // A request for the host alone needs neither a trailing mark nor places in the page.
        let is_whole = use_of == Use::Whole;
        let place = place.filter(|_| is_whole);
        let effect = || if is_whole { effect(finding) } else { effects::by_host(text) };
        let effect = is_careful.then(effect).flatten();
        let is_guess = effect.is_some_and(effects::is_guess);
        let archival = || self.archival(finding, is_whole);
        let looks_up = !self.options.archives.list.is_empty();
        let target = Target {
            text: text.into(),
            after: finding.after.filter(|_| place.is_none() && is_whole),
            level: if is_whole { level } else { Level::Host },
            effect: effect.filter(|_| !is_guess),
            guess: effect.filter(|_| is_guess),
            senders: sender(finding).into_iter().collect(),
            is_careful,
            unwraps: self.options.unwraps,
            is_read: self.options.reads_pages(),
            beside: Box::default(),
            archival: looks_up.then(archival),
            places: place
                .filter(|_| self.options.remote_fragments == Fragments::Checked)
                .map(Box::from)
                .into_iter()
                .collect(),
        };
        let hash = identity(text, use_of);
        self.targets.lock().unwrap_or_else(PoisonError::into_inner).add(hash, target);
    }

    /// Returns the data for archives of the Web. A lookup is no request of the link: it opens
    /// nothing and acts on nothing, so that a link which is merely unexplained is looked up.
    fn archival(&self, finding: &Finding<'_>, is_whole: bool) -> Box<Archival> {
        let is_careful = finding.is_mail && !self.options.allows_side_effects;
        let withheld = if is_whole {
            let effect = is_careful.then(|| effect(finding)).flatten();
            effect.filter(|effect| !effects::is_guess(effect)).map(|effect| {
                if effects::is_of_token(effect) { NotLookedUp::Secret } else { NotLookedUp::Action }
            })
        } else {
            Some(NotLookedUp::HostOnly)
        };
        let dates = [self.dates.of(finding); 2];
        Box::new(Archival { dates, withheld, ..Archival::default() })
    }

    /// Returns the targets, sorted, so that they are the same for any number of threads. The names
    /// are `None` if not all inputs were read.
    pub(super) fn finish(self) -> (Targets, Option<Names>) {
        let mut targets = self.targets.into_inner().unwrap_or_else(PoisonError::into_inner);
        targets.sort();
        let is_whole = !self.options.is_offline && !self.options.is_stopped();
        (targets, is_whole.then(|| self.names.sorted()))
    }
}

/// Returns a hash for the sender of the message that `finding` is in: the site of the host that
/// named it (RFC 5322 §3.6.4). A sender of many messages has many hosts, `mail1` and `mail2`, so
/// that only the registrable domain counts, and a host without one is nobody. A message that quotes
/// another one with the link adds no sender.
fn sender(finding: &Finding<'_>) -> Option<u128> {
    if finding.effect.is_some_and(effects::is_quoted) {
        return None;
    }
    let id = finding.message?.id.as_deref()?;
    let host = id.get(memchr::memrchr(b'@', id)? + 1..)?.trim_ascii_end();
    let host = host.strip_suffix(b">").unwrap_or(host).to_ascii_lowercase();
    let site = suffix::registrable(std::str::from_utf8(&host).ok()?)?;
    Some(hash(site.as_bytes()))
}

fn effect(finding: &Finding<'_>) -> Option<&'static str> {
    let by_itself = effects::of(finding.uri.in_clear(), finding.header);
    by_itself.or(finding.effect)
}
