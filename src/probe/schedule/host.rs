//! What is known of one host: its links in line, when it may be asked, whether it still is.

use super::groups::GroupId;
use super::lists::List;
use super::{History, HostTraits, Owner, Reason, Rules};

/// A host that answers slowly is asked slowly, but never more slowly than this for that
/// alone: half a minute is what Heritrix allows itself.
const SLOWNESS_GAP_MAX: u64 = 30_000;
/// A host is left alone for this many times the time that it takes to answer, from question
/// to question: then it works for us at most half of its time.
const SLOWNESS_FACTOR: u64 = 2;
/// What one answer counts in the mean of latencies: an eighth would notice too late that a
/// host is overloaded, a half would jump with each answer.
const LATENCY_SHARE: i64 = 4;
/// The longest gap that a host's robots.txt can ask for; some ask for a day.
const DELAY_MAX: u64 = 300_000;
/// How long a host that seems dead is left alone before it is tried once more: a server that
/// is started anew is back by then.
const COOL_DOWN: u64 = 60_000;
/// A host that wants to be left alone longer than this gets no further question in this run.
const AFTER_MAX: u64 = 3_600_000;

/// Where a host stands. It stands in one place only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Nowhere: nothing is to be asked, or as much as may be is under way.
    Nowhere,
    /// Among those who wait for a time.
    Clock,
    /// Among those who may be asked.
    Ready,
    /// In line for a place among the questions to its site or its network.
    Line,
}

/// What stands before the links of a host: none of them is asked until it is done with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// Nothing.
    Nothing,
    /// Its first try, which is the next question.
    InLine,
    /// A question that is under way.
    UnderWay,
    /// Another try, among those of links.
    Again,
}

/// The one further try that a host gets which seems dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trial {
    /// It never seemed dead.
    Unspent,
    /// It seems dead, and the next question decides.
    Open,
    /// It came back to life once.
    Spent,
}

#[derive(Clone, Debug)]
pub(super) struct Host {
    /// Links that nobody asked for yet.
    pub(super) fresh: List,
    /// Links that failed and get another try.
    pub(super) again: List,
    /// No question before this time, for other reasons than its pace.
    rests_until: u64,
    /// When it was asked last, if it ever was.
    asked_at: u64,
    was_asked: bool,
    /// True when something came of a question, be it a failure.
    is_known: bool,
    /// The time under which it stands among those who wait; others there are outdated.
    pub(super) clock_at: u64,
    pub(super) site: Option<GroupId>,
    pub(super) network: Option<GroupId>,
    /// The network in which a place is kept for the next question.
    pub(super) kept_network: Option<GroupId>,
    /// True when a place among the questions to its site is kept for the next question.
    pub(super) keeps_site: bool,
    /// Links that were ever taken in.
    pub(super) taken_in: u32,
    pub(super) in_flight: u32,
    delay: u32,
    /// The mean of latencies, or zero before the first answer.
    latency: u32,
    /// Failures in a row that speak against the host and not against one link.
    failures: u32,
    pub(super) owner: Owner,
    pub(super) place: Place,
    /// Among those who may be asked it stands behind the first tries of others.
    pub(super) stands_late: bool,
    trial: Trial,
    pub(super) first: First,
    /// Why no further question is asked.
    pub(super) ended: Option<Reason>,
}

impl Host {
    pub(super) const fn new(owner: Owner, site: Option<GroupId>) -> Self {
        Self {
            fresh: List::EMPTY,
            again: List::EMPTY,
            rests_until: 0,
            asked_at: 0,
            was_asked: false,
            is_known: false,
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
            stands_late: false,
            trial: Trial::Unspent,
            first: First::Nothing,
            ended: None,
        }
    }

    /// Time from one question to the next.
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

    /// True when what it would be asked is no first question: it goes behind those of others.
    pub(super) fn is_late(&self) -> bool {
        !self.is_fresh() || self.trial == Trial::Open
    }

    /// True when what it would be asked is a first try.
    pub(super) fn is_fresh(&self) -> bool {
        self.first != First::Again && !self.fresh.is_empty()
    }

    pub(super) fn is_on_trial(&self) -> bool {
        self.trial == Trial::Open
    }

    /// True when there is something to ask, and fewer questions are under way than may be.
    pub(super) fn may_be_asked(&self, rules: &Rules) -> bool {
        let at_once = match self.trial {
            Trial::Open => 1,
            _ if self.owner == Owner::User => rules.own_concurrency.max(1),
            _ if !self.is_known => 1,
            _ => rules.host_concurrency.max(1),
        };
        self.first != First::UnderWay && self.left() > 0 && self.in_flight < at_once
    }

    /// No question before `at`.
    pub(super) fn rest_until(&mut self, at: u64) {
        self.rests_until = self.rests_until.max(at);
    }

    /// When its next turn comes, whether something is in its line or not.
    pub(super) fn turn(&self, rules: &Rules) -> u64 {
        let paced = if self.was_asked { self.asked_at.saturating_add(self.pace(rules)) } else { 0 };
        self.rests_until.max(paced)
    }

    /// Notes that a question goes to it.
    pub(super) fn asks(&mut self, now: u64) {
        (self.asked_at, self.was_asked) = (now, true);
        self.in_flight += 1;
    }

    pub(super) fn set_delay(&mut self, gap: u64) {
        self.delay = u32::try_from(gap.min(DELAY_MAX)).unwrap_or(u32::MAX);
    }

    /// Notes how long an answer, or the lack of one, took.
    pub(super) fn took(&mut self, latency: u64) {
        self.is_known = true;
        let latency = i64::from(u32::try_from(latency).unwrap_or(u32::MAX));
        let mean = match i64::from(self.latency) {
            0 => latency,
            mean => mean + (latency - mean) / LATENCY_SHARE,
        };
        self.latency = u32::try_from(mean).unwrap_or(u32::MAX);
    }

    /// The host said something.
    pub(super) fn lives(&mut self) {
        self.failures = 0;
        if self.trial == Trial::Open {
            self.trial = Trial::Spent;
        }
    }

    /// The host did not answer at all, or asked to be left alone; after some of these in a row
    /// it gets one further try, and then none.
    pub(super) fn fails(&mut self, now: u64, failure: &HostFailure, rules: &Rules) {
        self.failures += 1;
        let is_over = failure.after.is_some_and(|after| after > AFTER_MAX);
        let is_too_much = rules.breaker > 0 && self.failures >= rules.breaker;
        match self.trial {
            _ if is_over => self.ended = Some(failure.reason()),
            Trial::Open if !failure.was_trial => {}
            Trial::Open => self.ended = Some(failure.reason()),
            Trial::Spent if is_too_much => self.ended = Some(failure.reason()),
            // Who wants nothing tried twice does not wait for another try of a host either. One
            // that asked to be left alone did answer.
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

    /// Takes over what an earlier run knew of it. One that was dead then seems so from the
    /// beginning: the first question decides.
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

    /// What a later run should know of it.
    pub(super) fn history(&self, rules: &Rules) -> History {
        let gap = (u64::from(self.latency) * SLOWNESS_FACTOR).min(SLOWNESS_GAP_MAX);
        let is_dead = self.ended == Some(Reason::Dead);
        let failures = if is_dead { self.failures.max(rules.breaker) } else { self.failures };
        History { rests_until: self.rests_until, gap, failures }
    }

    /// Takes over what this run knew of it before it was stopped: links that were taken in, and
    /// failures in a row.
    pub(super) fn resume(&mut self, links: u32, failures: u32, rules: &Rules) {
        self.taken_in = self.taken_in.saturating_add(links);
        self.failures = self.failures.saturating_add(failures);
        let is_too_much = rules.breaker > 0 && self.failures >= rules.breaker;
        if is_too_much && rules.retries == 0 {
            self.ended.get_or_insert(Reason::Dead);
        }
    }

    /// How long its links take from `now`, if nothing changes.
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
    /// How long it asked to be left alone.
    pub(super) after: Option<u64>,
    /// True when it was the further try of a host that seemed dead.
    pub(super) was_trial: bool,
}

impl HostFailure {
    fn reason(&self) -> Reason {
        if self.after.is_some() { Reason::Later } else { Reason::Dead }
    }
}

/// Own hosts share no caps.
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
