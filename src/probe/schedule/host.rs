//! Tracks the state of one host: its queued links, its pace, and whether it is alive.

use super::groups::GroupId;
use super::lists::List;
use super::{History, HostTraits, Owner, Reason, Rules};

/// Maximum gap in milliseconds caused by a host's latency alone: half a minute is the limit of
/// Heritrix.
const SLOWNESS_GAP_MAX: u64 = 30_000;
/// Factor from a host's latency to the gap between probes: at 2, the host works for us at most half
/// of its time.
const SLOWNESS_FACTOR: u64 = 2;
/// Reciprocal of the weight of one answer in the mean latency: an eighth would detect overload too
/// late, a half would jump with each answer.
const LATENCY_SHARE: i64 = 4;
/// Maximum gap in milliseconds that a robots.txt can set; some request a day.
const DELAY_MAX: u64 = 300_000;
/// Delay in milliseconds before a host that appears dead is tried once more: a server that restarts
/// is back by then.
const COOL_DOWN: u64 = 60_000;
/// Maximum delay in milliseconds that a host may request; beyond it, the run skips the host.
pub(super) const AFTER_MAX: u64 = 3_600_000;

/// The queue that a host is in. It is in one at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// None: there is nothing to probe, or the limit of probes in flight is reached.
    Nowhere,
    /// The clock: the host waits for a time.
    Clock,
    /// The ready queue: the host may be probed. A late entry is ranked after the first tries of
    /// other hosts.
    Ready { is_late: bool },
    /// The queue for a slot of its site or its network.
    Line,
}

/// The prerequisite of a host's links, which wait until it is final.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// There is none.
    Nothing,
    /// Its first try is the next probe.
    InLine,
    /// Its probe is in flight.
    UnderWay,
    /// It waits for a retry, in the queue of retries.
    Again,
}

/// How far the host has been probed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contact {
    /// Not at all.
    None,
    /// A probe has begun.
    Begun,
    /// A probe has ended, even in failure.
    Ended,
}

/// The one additional try of a host that appears dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trial {
    /// The host never appeared dead.
    Unspent,
    /// The host appears dead, and the next probe decides.
    Open,
    /// The host came back to life once.
    Spent,
}

#[derive(Clone, Debug)]
pub(super) struct Host {
    /// Links that were not probed yet.
    pub(super) fresh: List,
    /// Links that wait for a retry.
    pub(super) again: List,
    /// The time before which it is not probed, for reasons other than its pace.
    rests_until: u64,
    /// The time of its last probe, if there was one.
    asked_at: u64,
    contact: Contact,
    /// The time of its valid entry in the clock; other entries are outdated.
    pub(super) clock_at: u64,
    pub(super) site: Option<GroupId>,
    pub(super) network: Option<GroupId>,
    /// The network in which a slot is reserved for the next probe.
    pub(super) kept_network: Option<GroupId>,
    /// Whether a slot of its site is reserved for the next probe.
    pub(super) keeps_site: bool,
    /// The number of links ever accepted.
    pub(super) taken_in: u32,
    pub(super) in_flight: u32,
    delay: u32,
    /// The mean latency in milliseconds, or zero before the first answer.
    latency: u32,
    /// The number of consecutive failures that speak against the host, not one link.
    failures: u32,
    pub(super) owner: Owner,
    pub(super) place: Place,
    trial: Trial,
    pub(super) first: First,
    /// The reason why it is no longer probed.
    pub(super) ended: Option<Reason>,
}

impl Host {
    pub(super) const fn new(owner: Owner, site: Option<GroupId>) -> Self {
        Self {
            fresh: List::EMPTY,
            again: List::EMPTY,
            rests_until: 0,
            asked_at: 0,
            contact: Contact::None,
            clock_at: 0,
            site,
            network: None,
            kept_network: None,
            keeps_site: false,
            taken_in: 0,
            in_flight: 0,
            delay: 0,
            latency: 0,
            failures: 0,
            owner,
            place: Place::Nowhere,
            trial: Trial::Unspent,
            first: First::Nothing,
            ended: None,
        }
    }

    /// Returns the minimum time from one probe to the next.
    pub(super) fn pace(&self, rules: &Rules) -> u64 {
        let delay = u64::from(self.delay);
        match self.owner {
            Owner::User => rules.own_gap,
            Owner::Machine => rules.own_gap.max(delay),
            Owner::Stranger => {
                let slowness = u64::from(self.latency) * SLOWNESS_FACTOR;
                rules.host_gap.max(delay).max(slowness.min(SLOWNESS_GAP_MAX))
            }
        }
    }

    pub(super) fn left(&self) -> u32 {
        self.fresh.len().saturating_add(self.again.len())
    }

    /// Reports whether its next probe is a retry, or the host appears dead: it is ranked after the
    /// first tries of others.
    pub(super) fn is_late(&self) -> bool {
        !self.is_fresh() || self.trial == Trial::Open
    }

    /// Reports whether its next probe is a first try.
    pub(super) fn is_fresh(&self) -> bool {
        self.first != First::Again && !self.fresh.is_empty()
    }

    pub(super) fn is_on_trial(&self) -> bool {
        self.trial == Trial::Open
    }

    /// Reports whether something is queued and another probe may be in flight.
    pub(super) fn may_be_asked(&self, rules: &Rules) -> bool {
        let at_once = match self.trial {
            Trial::Open => 1,
            _ if self.owner == Owner::User => rules.own_concurrency.max(1),
            _ if self.contact != Contact::Ended => 1,
            _ => rules.host_concurrency.max(1),
        };
        self.first != First::UnderWay && self.left() > 0 && self.in_flight < at_once
    }

    /// Forbids probes before `at`.
    pub(super) fn rest_until(&mut self, at: u64) {
        self.rests_until = self.rests_until.max(at);
    }

    /// Returns the time of its next turn, whether anything is queued or not.
    pub(super) fn turn(&self, rules: &Rules) -> u64 {
        let paced = match self.contact {
            Contact::None => 0,
            Contact::Begun | Contact::Ended => self.asked_at.saturating_add(self.pace(rules)),
        };
        self.rests_until.max(paced)
    }

    /// Records the start of a probe.
    pub(super) fn asks(&mut self, now: u64) {
        self.asked_at = now;
        if self.contact == Contact::None {
            self.contact = Contact::Begun;
        }
        self.in_flight += 1;
    }

    pub(super) fn set_delay(&mut self, gap: u64) {
        self.delay = u32::try_from(gap.min(DELAY_MAX)).unwrap_or(u32::MAX);
    }

    /// Records how long an answer, or its absence, took.
    pub(super) fn took(&mut self, latency: u64) {
        self.contact = Contact::Ended;
        let latency = i64::from(u32::try_from(latency).unwrap_or(u32::MAX));
        let mean = match i64::from(self.latency) {
            0 => latency,
            mean => mean + (latency - mean) / LATENCY_SHARE,
        };
        self.latency = u32::try_from(mean).unwrap_or(u32::MAX);
    }

    /// Records that the host accepted a connection.
    pub(super) fn lives(&mut self) {
        self.failures = 0;
        if self.trial == Trial::Open {
            self.trial = Trial::Spent;
        }
    }

    /// Records that the host accepted no connection, or requested a delay. After several of these
    /// in a row it gets one additional try, and then none.
    pub(super) fn fails(&mut self, now: u64, failure: &HostFailure, rules: &Rules) {
        self.failures += 1;
        let is_over = failure.after.is_some_and(|after| after > AFTER_MAX);
        let is_too_much = rules.breaker > 0 && self.failures >= rules.breaker;
        match self.trial {
            _ if is_over => self.ended = Some(failure.reason()),
            Trial::Open if !failure.was_trial => {}
            Trial::Open => self.ended = Some(failure.reason()),
            Trial::Spent if is_too_much => self.ended = Some(failure.reason()),
            // Without retries, a host gets no additional try either. A host that requested a delay
            // did answer.
            Trial::Unspent if is_too_much && rules.retries == 0 && failure.after.is_none() => {
                self.ended = Some(failure.reason());
            }
            Trial::Unspent if is_too_much => {
                self.trial = Trial::Open;
                self.rest_until(now.saturating_add(COOL_DOWN));
            }
            Trial::Spent | Trial::Unspent => {}
        }
    }

    /// Restores what an earlier run recorded. A host that was dead then appears dead from the
    /// start: the first probe decides.
    pub(super) fn remember(&mut self, history: &History, now: u64, rules: &Rules) {
        if history.rests_until > now.saturating_add(AFTER_MAX) {
            self.ended = Some(Reason::Later);
        }
        self.rest_until(history.rests_until);
        self.latency = u32::try_from(history.gap / SLOWNESS_FACTOR).unwrap_or(u32::MAX);
        if rules.breaker > 0 && history.failures >= rules.breaker {
            self.trial = Trial::Open;
        }
    }

    /// Returns the state that a later run should restore.
    pub(super) fn history(&self, rules: &Rules) -> History {
        let gap = (u64::from(self.latency) * SLOWNESS_FACTOR).min(SLOWNESS_GAP_MAX);
        let is_dead = self.ended == Some(Reason::Dead);
        let failures = if is_dead { self.failures.max(rules.breaker) } else { self.failures };
        History { rests_until: self.rests_until, gap, failures }
    }

    /// Restores the state before this run was interrupted: the number of links accepted, and of
    /// consecutive failures.
    pub(super) fn resume(&mut self, links: u32, failures: u32, rules: &Rules) {
        self.taken_in = self.taken_in.saturating_add(links);
        self.failures = self.failures.saturating_add(failures);
        let is_too_much = rules.breaker > 0 && self.failures >= rules.breaker;
        if is_too_much && rules.retries == 0 {
            self.ended.get_or_insert(Reason::Dead);
        }
    }

    /// Returns how long its links take from `now`, if nothing changes.
    pub(super) fn lasts(&self, now: u64, rules: &Rules) -> u64 {
        let latency = u64::from(self.latency);
        let questions = u64::from(self.left());
        if questions == 0 {
            return if self.in_flight > 0 { latency } else { 0 };
        }
        let at_once = match self.owner {
            Owner::User => rules.own_concurrency,
            Owner::Machine | Owner::Stranger => rules.host_concurrency,
        };
        let pace = self.pace(rules).max(latency / u64::from(at_once.max(1)));
        let rest = self.turn(rules).saturating_sub(now);
        rest.saturating_add((questions - 1).saturating_mul(pace)).saturating_add(latency)
    }
}

/// A failure that speaks against the host.
pub(super) struct HostFailure {
    /// The delay that it requested.
    pub(super) after: Option<u64>,
    /// Whether it was the additional try of a host that appeared dead.
    pub(super) was_trial: bool,
}

impl HostFailure {
    fn reason(&self) -> Reason {
        if self.after.is_some() { Reason::Later } else { Reason::Dead }
    }
}

/// Reports whether the caps of groups apply: they do not to the user's own hosts.
pub(super) fn is_capped(traits: &HostTraits) -> bool {
    traits.owner != Owner::User
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_host_is_small() {
        assert!(size_of::<super::Host>() <= 104, "{} bytes", size_of::<super::Host>());
    }
}
