//! Decides which link is probed when: a state machine without clock or sockets.
//!
//! Time is a number of milliseconds since any fixed moment and is passed in by the caller, who also
//! reports the results of probes. The same calls always return the same results.
//!
//! A host is a unit of politeness: a server's name and port. Its links wait in a queue of their
//! own. A host that must wait takes no slot of the probes in flight, so that slow hosts delay no
//! others. Each step costs the logarithm of the number of hosts.
//!
//! # The order
//! - Of the hosts that may be probed, the first is the one with the earliest due time, less the
//!   time that its remaining links take, up to [`HEAD_START_MAX`]: the host with the most links
//!   decides when the run ends. No host is overtaken by one that is due later than that.
//! - Links that failed are retried after the first tries of all hosts, except of hosts that wait
//!   for a slot in a group. The delay of a retry is derived from the link's number, so that links
//!   that failed together are not retried together.
//!
//! # The limits
//! - Between two probes of one host: the gap, the host's own `Crawl-delay`, and twice its latency.
//!   After an answer that requests it: `Retry-After` (RFC 9110 §10.2.3).
//! - Between two probes of any hosts: the gap for all.
//! - The number of probes in flight: in all, per host, per site, and per network. The address of a
//!   host is known only after a connection, so that the first probe of a host does not count for
//!   its network before it was answered. That probe runs alone, except for the user's own hosts:
//!   the others use what it finds out (the address, the rules for robots, whether the host is
//!   alive).
//! - A host that accepts no connection several times in a row is left alone for a while, tried once
//!   more, and then given up with all its links. Without retries, it is given up at once. A host
//!   that accepts connections is there, however few of its links answer.
//!
//! # Out of scope
//! Rules for robots: the caller knows them, and reports their delay with [`Schedule::delay`]. The
//! links that are left when a run is stopped: the caller knows them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::net::IpAddr;
use std::ops::{Index, IndexMut};

use super::guard;

mod groups;
mod host;
mod lists;

use groups::{GroupId, Groups, Network};
use host::{First, Host, HostFailure, Place};
use lists::Lists;

/// Maximum time by which a host with many links precedes others. It is also the longest that it
/// delays them.
pub const HEAD_START_MAX: u64 = 60_000;

/// Minimum delay of a retry.
const RETRY_MIN: u64 = 2_000;
/// Maximum delay of the first retry.
const RETRY_FIRST_MAX: u64 = 20_000;
/// Factor by which the maximum grows with each further retry.
const RETRY_GROWTH: u64 = 4;
/// Maximum delay of any retry.
const RETRY_MAX: u64 = 300_000;

/// Microseconds of a millisecond.
const MICROS: u64 = 1_000;

/// Limits of the schedule. Times are in milliseconds; a concurrency of zero counts as one.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Maximum number of probes in flight, in all.
    pub in_flight: usize,
    /// Minimum time from the start of one probe to the next, in all, in microseconds.
    pub gap: u64,
    /// Maximum number of probes in flight to one host.
    pub host_concurrency: u32,
    /// Maximum number of probes in flight to one of the user's own hosts.
    pub own_concurrency: u32,
    /// Minimum time from the start of one probe of a host to the next.
    pub host_gap: u64,
    /// Minimum time for the user's own hosts and this machine, which are not slowed down for their
    /// latency.
    pub own_gap: u64,
    /// Number of tries after the first.
    pub retries: u32,
    /// Maximum number of probes in flight to all hosts of a /24 or a /48; own hosts do not count.
    pub per_address: u32,
    /// Maximum number of probes in flight to all hosts of a site; own hosts do not count.
    pub per_site: u32,
    /// Maximum number of links of one host that are accepted, including redirects to it.
    pub urls_per_host: Option<u32>,
    /// Number of consecutive failures after which a host is given up; never if zero.
    pub breaker: u32,
}

/// Limits of one host that replace those of [`Rules`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Minimum time from the start of one probe to the next.
    pub gap: Option<u64>,
    /// Maximum number of probes in flight. The limits of its site and its network apply as well,
    /// except to own hosts.
    pub concurrency: Option<u32>,
}

/// The number of a host, returned by [`Schedule::host`]. It is valid only for that schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostId(u32);

impl HostId {
    /// Returns the host's index: hosts are counted from zero in the order of their creation.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a link, chosen by the caller. A link is in the queue of one host at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlId(pub u32);

/// The owner of a host, which decides how much it is spared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Owner {
    /// The user: only the limits for own hosts apply.
    User,
    /// This machine: probed at `own_gap` and its own `Crawl-delay`, otherwise like a stranger.
    Machine,
    /// Anyone else.
    #[default]
    Stranger,
}

/// The properties of a host that must be known in advance.
#[derive(Clone, Copy, Debug)]
pub struct HostTraits {
    /// The owner of the host.
    pub owner: Owner,
    /// A hash of the host's registrable domain.
    pub site: u64,
}

/// The caller's next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Probe this link, and report the result with [`Schedule::done`].
    Ask {
        /// The link.
        url: UrlId,
        /// The host to which it was added.
        host: HostId,
        /// The number of the try, from 1.
        attempt: u32,
    },
    /// Start nothing before this time, unless an answer arrives.
    Wait {
        /// A time later than the one passed in.
        until: u64,
    },
    /// Start nothing before an answer arrives.
    Busy,
    /// Nothing is queued and nothing is in flight.
    Done,
}

/// The result of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Came {
    /// A final answer, including redirects and dead links.
    Answered,
    /// A failure that may be temporary.
    Failed {
        /// The subject of the failure.
        kind: Trouble,
        /// The delay that the host requests, in milliseconds.
        after: Option<u64>,
    },
}

/// The subject of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trouble {
    /// The host: no address, no connection, or no handshake of TLS.
    Connect,
    /// Possibly this link only: the host accepted a connection.
    Other,
}

/// The state of a link after a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// The result is final.
    Final,
    /// The link is retried, but not before this time, nor before links of its host that failed
    /// earlier, nor before its host may be probed.
    Again {
        /// Milliseconds on the caller's clock.
        at: u64,
    },
}

/// The reason why a link is not probed, or not retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Its host accepted no connection several times in a row.
    Dead,
    /// Its host requests a longer delay than a run should take, or requested delays several times
    /// in a row.
    Later,
    /// Its host has more links than are accepted.
    Limit,
    /// The caller gave the host up with [`Schedule::give_up`].
    ByCaller,
}

/// A link that leaves the queue without another try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GivenUp {
    /// The link.
    pub url: UrlId,
    /// The number of its tries; if zero, only `reason` is known about it.
    pub tries: u32,
    /// The reason.
    pub reason: Reason,
}

/// The consequences of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Settled {
    /// The state of the link that was probed.
    pub fate: Fate,
    /// Other links of its host that are final now.
    pub given_up: Vec<GivenUp>,
}

/// A host whose links take long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slow {
    /// The host.
    pub host: HostId,
    /// The number of its queued links.
    pub left: u32,
    /// The estimated time until they are done, in milliseconds.
    pub lasts: u64,
}

/// The state of a host, apart from its links, that is kept from one run to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The time before which the host is not probed, because it requested a delay or appeared dead.
    pub rests_until: u64,
    /// The gap between probes that its latency requires, in milliseconds.
    pub gap: u64,
    /// The number of consecutive failures that speak against the host.
    pub failures: u32,
}

/// A link that waits for a retry.
#[derive(Clone, Copy, Debug)]
struct Again {
    url: UrlId,
    /// The number of its tries.
    tries: u32,
    due: u64,
    /// Whether it must be final before the links of its host are probed.
    is_first: bool,
}

/// A probe in flight.
#[derive(Clone, Copy, Debug)]
struct Asked {
    at: u64,
    attempt: u32,
    is_trial: bool,
    /// Whether it must be final before the links of its host are probed.
    is_first: bool,
}

/// All hosts. Every [`HostId`] is created by [`Schedule::host`] and no host is ever removed, so
/// that indexing cannot fail.
#[derive(Debug, Default)]
struct Hosts(Vec<Host>);

impl Index<HostId> for Hosts {
    type Output = Host;

    fn index(&self, id: HostId) -> &Host {
        &self.0[id.index()]
    }
}

impl IndexMut<HostId> for Hosts {
    fn index_mut(&mut self, id: HostId) -> &mut Host {
        &mut self.0[id.index()]
    }
}

/// The order of the ready hosts: the smallest goes first.
type Rank = (IsLate, u64, Reverse<u32>, HostId);
type IsLate = bool;

/// The queues of all hosts, and the order in which hosts take turns.
#[derive(Debug)]
pub struct Schedule {
    rules: Rules,
    /// The limits of the few hosts that have their own.
    terms: BTreeMap<HostId, Terms>,
    hosts: Hosts,
    fresh: Lists<UrlId>,
    again: Lists<Again>,
    sites: Groups<u64>,
    networks: Groups<Network>,
    /// Hosts that wait for a time. An entry is valid if its time equals the host's `clock_at`.
    clock: BinaryHeap<Reverse<(u64, HostId)>>,
    /// Hosts that may be probed. An entry is valid if its host is ready, with the same lateness.
    ready: BinaryHeap<Reverse<Rank>>,
    under_way: BTreeMap<(HostId, UrlId), Asked>,
    in_line: usize,
    /// The time of the next probe of any host, in microseconds.
    free_at: u64,
}

/// Reports whether a host that requests a delay of `after` milliseconds is given up.
#[must_use]
pub const fn is_too_long(after: u64) -> bool {
    after > host::AFTER_MAX
}

impl Schedule {
    /// Creates a schedule without hosts.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            terms: BTreeMap::new(),
            hosts: Hosts::default(),
            fresh: Lists::new(),
            again: Lists::new(),
            sites: Groups::new(rules.per_site),
            networks: Groups::new(rules.per_address),
            clock: BinaryHeap::new(),
            ready: BinaryHeap::new(),
            under_way: BTreeMap::new(),
            in_line: 0,
            free_at: 0,
        }
    }

    /// Adds a host.
    pub fn host(&mut self, traits: HostTraits) -> HostId {
        let id = HostId(u32::try_from(self.hosts.0.len()).unwrap_or(u32::MAX));
        let site = host::is_capped(&traits).then(|| self.sites.id(traits.site));
        self.hosts.0.push(Host::new(traits.owner, site));
        id
    }

    /// Sets the limits of `host` from now on. Meant for a host that has no links yet.
    pub fn terms(&mut self, host: HostId, terms: Terms) {
        if terms != Terms::default() {
            self.terms.insert(host, terms);
        }
    }

    /// Sets the maximum number of probes in flight, in all. Probes beyond it are not stopped.
    pub fn allow(&mut self, in_flight: usize) {
        self.rules.in_flight = in_flight;
    }

    /// Returns the limits of `host`.
    fn rules_of(&self, host: HostId) -> Rules {
        let Some(terms) = self.terms.get(&host) else { return self.rules };
        Rules {
            host_gap: terms.gap.unwrap_or(self.rules.host_gap),
            own_gap: terms.gap.unwrap_or(self.rules.own_gap),
            host_concurrency: terms.concurrency.unwrap_or(self.rules.host_concurrency),
            own_concurrency: terms.concurrency.unwrap_or(self.rules.own_concurrency),
            ..self.rules
        }
    }

    /// Returns how long the links of `host` take from `now`, if nothing changes.
    fn lasts(&self, host: HostId, now: u64) -> u64 {
        self.hosts[host].lasts(now, &self.rules_of(host))
    }

    /// Appends `url` to the queue of `host`, at any time.
    ///
    /// # Errors
    /// When it is not going to be probed, with the reason.
    pub fn add(&mut self, url: UrlId, host: HostId) -> Result<(), Reason> {
        let found = &mut self.hosts[host];
        if let Some(reason) = found.ended {
            return Err(reason);
        }
        if self.rules.urls_per_host.is_some_and(|most| found.taken_in >= most) {
            return Err(Reason::Limit);
        }
        found.taken_in = found.taken_in.saturating_add(1);
        self.fresh.push(&mut found.fresh, url);
        self.in_line += 1;
        self.line_up(host);
        Ok(())
    }

    /// Puts `url`, which is no link, before the links of `host`, without counting it as one. It is
    /// a prerequisite of the links, such as robots.txt: they wait until it is final, however many
    /// tries that takes. A host has one such item at most.
    ///
    /// # Errors
    /// When it is not going to be probed, with the reason.
    pub fn add_first(&mut self, url: UrlId, host: HostId) -> Result<(), Reason> {
        let found = &mut self.hosts[host];
        if let Some(reason) = found.ended {
            return Err(reason);
        }
        self.fresh.push_first(&mut found.fresh, url);
        found.first = First::InLine;
        self.in_line += 1;
        self.line_up(host);
        Ok(())
    }

    /// Returns the next step at `now`, in milliseconds since any fixed moment. Call it until it
    /// returns no [`Step::Ask`]: then as many probes are in flight as allowed.
    pub fn next(&mut self, now: u64) -> Step {
        if self.under_way.len() >= self.rules.in_flight.max(1) {
            return Step::Busy;
        }
        self.ring(now);
        let free_at = self.free_at.div_ceil(MICROS);
        if free_at > now && !self.ready.is_empty() {
            return Step::Wait { until: free_at };
        }
        while let Some(Reverse((is_late, _, _, id))) = self.ready.pop() {
            let host = &self.hosts[id];
            if host.place != (Place::Ready { is_late }) {
                continue;
            }
            if host.is_late() && !is_late {
                // It appears dead since it was queued.
                self.set_ready(id);
                continue;
            }
            if let Some(step) = self.try_to_ask(id, now) {
                return step;
            }
        }
        match self.clock.peek() {
            Some(Reverse((until, _))) => Step::Wait { until: *until },
            None if self.under_way.is_empty() && self.in_line == 0 => Step::Done,
            None => Step::Busy,
        }
    }

    /// Records the result of probing `url`, and returns the consequences.
    ///
    /// A link that is not in flight at `host` is final already, and has no consequences.
    pub fn done(&mut self, url: UrlId, host: HostId, now: u64, came: Came) -> Settled {
        let Some(asked) = self.under_way.remove(&(host, url)) else {
            return Settled { fate: Fate::Final, given_up: Vec::new() };
        };
        let found = &mut self.hosts[host];
        found.in_flight -= 1;
        found.took(now.saturating_sub(asked.at));
        let (site, network) = (found.site, found.network);
        let fate = match came {
            Came::Answered => {
                found.lives();
                Fate::Final
            }
            Came::Failed { kind, after } => self.failed((url, host), asked, now, (kind, after)),
        };
        if asked.is_first {
            let is_final = fate == Fate::Final;
            self.hosts[host].first = if is_final { First::Nothing } else { First::Again };
        }
        self.give_back(site, network, 1);
        let given_up = self.clear_if_ended(host);
        self.line_up(host);
        Settled { fate, given_up }
    }

    /// Records the address that answered for `host`. A host at a loopback address is this machine,
    /// whatever its name.
    pub fn address(&mut self, host: HostId, address: IpAddr) {
        let found = &mut self.hosts[host];
        if found.owner == Owner::User {
            return;
        }
        let is_here = guard::Host::Address(address).is_this_machine();
        found.owner = if is_here { Owner::Machine } else { Owner::Stranger };
        let network = self.networks.id(Network::of(address));
        let before = found.network.replace(network);
        let under_way = found.in_flight;
        self.networks.count(network, under_way);
        self.give_back(None, before, under_way);
    }

    /// Sets the time between two probes that `host` requests, in milliseconds. It is ignored for
    /// the user's own hosts. A host that requests more than [`is_too_long`] allows is given up;
    /// returns its links.
    pub fn delay(&mut self, host: HostId, gap: u64) -> Vec<GivenUp> {
        let found = &mut self.hosts[host];
        found.set_delay(gap);
        if is_too_long(gap) && found.owner != Owner::User {
            found.ended.get_or_insert(Reason::Later);
        }
        self.clear_if_ended(host)
    }

    /// Restores what an earlier run recorded of `host`, before the host is probed; `now` as for
    /// [`Schedule::next`].
    pub fn remember(&mut self, host: HostId, history: &History, now: u64) {
        self.hosts[host].remember(history, now, &self.rules);
    }

    /// Returns the state of `host` that a later run should restore.
    #[must_use]
    pub fn history(&self, host: HostId) -> History {
        self.hosts[host].history(&self.rules)
    }

    /// Restores the state of `host` before this run was interrupted: the number of `links`
    /// accepted, and of its consecutive failures.
    pub fn resume(&mut self, host: HostId, links: u32, failures: u32) {
        self.hosts[host].resume(links, failures, &self.rules);
    }

    /// Gives up all queued links of `host`, and those that are added later: for hosts whose name
    /// does not exist, or which must not be probed.
    pub fn give_up(&mut self, host: HostId) -> Vec<GivenUp> {
        self.hosts[host].ended.get_or_insert(Reason::ByCaller);
        self.clear_if_ended(host)
    }

    /// Returns the number of queued links.
    #[must_use]
    pub fn in_line(&self) -> usize {
        self.in_line
    }

    /// Returns the number of probes in flight.
    #[must_use]
    pub fn under_way(&self) -> usize {
        self.under_way.len()
    }

    /// Returns the estimated time in milliseconds, from `now`, until the last host is done.
    ///
    /// Visits every host: it is meant for a progress line, not for every step.
    #[must_use]
    pub fn eta(&self, now: u64) -> u64 {
        let ids = self.hosts.0.iter().zip(0..).map(|(_, id)| HostId(id));
        ids.map(|id| self.lasts(id, now)).max().unwrap_or(0)
    }

    /// Returns the hosts that take longest, at most `count`, slowest first.
    ///
    /// Visits every host, as [`Schedule::eta`] does.
    #[must_use]
    pub fn slowest(&self, now: u64, count: usize) -> Vec<Slow> {
        let mut slowest = BinaryHeap::with_capacity(count.saturating_add(1));
        for (host, id) in self.hosts.0.iter().zip(0..) {
            let (lasts, left) = (self.lasts(HostId(id), now), host.left());
            if left + host.in_flight > 0 {
                // Of equals, the host that was added first counts as slower.
                slowest.push(Reverse((lasts, left, Reverse(HostId(id)))));
            }
            if slowest.len() > count {
                slowest.pop();
            }
        }
        let sorted = slowest.into_sorted_vec().into_iter();
        sorted.map(|Reverse((lasts, left, Reverse(host)))| Slow { host, left, lasts }).collect()
    }

    /// Returns the state of a link after a failure, and updates its host.
    fn failed(
        &mut self,
        (url, host): (UrlId, HostId),
        asked: Asked,
        now: u64,
        (kind, after): (Trouble, Option<u64>),
    ) -> Fate {
        let found = &mut self.hosts[host];
        if let Some(after) = after {
            // `now` is rounded down: the pause that a host asked for ends a millisecond later.
            found.rest_until(now.saturating_add(after).saturating_add(1));
        }
        if kind == Trouble::Connect || after.is_some() {
            let failure = HostFailure { after, was_trial: asked.is_trial };
            found.fails(now, &failure, &self.rules);
        } else {
            found.lives();
        }
        if found.ended.is_some() || asked.attempt > self.rules.retries {
            return Fate::Final;
        }
        let due = now.saturating_add(patience(url, asked.attempt));
        let Asked { attempt: tries, is_first, .. } = asked;
        self.again.push(&mut found.again, Again { url, tries, due, is_first });
        self.in_line += 1;
        Fate::Again { at: due }
    }

    /// Empties the queue of a host that is no longer probed.
    fn clear_if_ended(&mut self, host: HostId) -> Vec<GivenUp> {
        let found = &mut self.hosts[host];
        let Some(reason) = found.ended else { return Vec::new() };
        if found.place == Place::Clock {
            found.place = Place::Nowhere;
        }
        let mut given_up = Vec::with_capacity(found.left() as usize);
        while let Some(url) = self.fresh.pop(&mut found.fresh) {
            given_up.push(GivenUp { url, tries: 0, reason });
        }
        while let Some(Again { url, tries, .. }) = self.again.pop(&mut found.again) {
            given_up.push(GivenUp { url, tries, reason });
        }
        self.in_line -= given_up.len();
        given_up
    }

    /// Returns the time at which the host may be probed, or `None` if its queue is empty.
    fn due(&self, id: HostId) -> Option<u64> {
        let host = &self.hosts[id];
        let turn = host.turn(&self.rules_of(id));
        if host.is_fresh() {
            return Some(turn);
        }
        self.again.first(&host.again).map(|again| again.due.max(turn))
    }

    /// Adds a host that is in no queue, and may be probed at some time, to the clock. Moves a host
    /// forward that may be probed sooner than its entry says.
    fn line_up(&mut self, id: HostId) {
        let host = &self.hosts[id];
        let may_be_asked = host.may_be_asked(&self.rules_of(id));
        let Some(due) = self.due(id).filter(|_| may_be_asked) else { return };
        match host.place {
            Place::Clock if host.clock_at <= due => {}
            Place::Nowhere | Place::Clock => self.set_clock(id, due),
            Place::Ready { is_late: true } if !host.is_late() => self.set_ready(id),
            Place::Ready { .. } | Place::Line => {}
        }
    }

    fn set_clock(&mut self, id: HostId, at: u64) {
        let host = &mut self.hosts[id];
        host.place = Place::Clock;
        host.clock_at = at;
        self.clock.push(Reverse((at, id)));
    }

    /// Moves hosts whose time has come from the clock to the ready queue. Afterwards, the first
    /// entry of the clock is valid, and its time is later than `now`.
    fn ring(&mut self, now: u64) {
        while let Some(&Reverse((at, id))) = self.clock.peek() {
            let host = &self.hosts[id];
            let is_outdated = host.place != Place::Clock || host.clock_at != at;
            if !is_outdated && at > now {
                return;
            }
            self.clock.pop();
            if is_outdated {
                continue;
            }
            // A longer delay that was set since is noticed at the host's turn.
            self.set_ready(id);
        }
    }

    fn set_ready(&mut self, id: HostId) {
        let host = &self.hosts[id];
        let rank = self.rank(host, id);
        self.hosts[id].place = Place::Ready { is_late: rank.0 };
        self.ready.push(Reverse(rank));
    }

    fn rank(&self, host: &Host, id: HostId) -> Rank {
        let left = host.left();
        let needed = u64::from(left).saturating_mul(host.pace(&self.rules_of(id)));
        let handicap = HEAD_START_MAX - needed.min(HEAD_START_MAX);
        let due = self.due(id).unwrap_or_default();
        (host.is_late(), due.saturating_add(handicap), Reverse(left), id)
    }

    /// Starts a probe of a ready host, unless its state has changed or its groups are full.
    fn try_to_ask(&mut self, id: HostId, now: u64) -> Option<Step> {
        let rules = self.rules_of(id);
        let host = &mut self.hosts[id];
        host.place = Place::Nowhere;
        let may_be_asked = host.may_be_asked(&rules);
        let is_due = self.due(id).is_some_and(|due| due <= now);
        if !may_be_asked || !is_due {
            self.let_go(id);
            self.line_up(id);
            return None;
        }
        if !self.finds_room(id) {
            self.hosts[id].place = Place::Line;
            return None;
        }
        let (url, attempt, is_first) = self.take(id)?;
        let host = &mut self.hosts[id];
        // The probe takes over the slots that were reserved for it.
        (host.keeps_site, host.kept_network) = (false, None);
        host.asks(now);
        let asked = Asked { at: now, attempt, is_trial: host.is_on_trial(), is_first };
        self.under_way.insert((id, url), asked);
        self.in_line -= 1;
        self.line_up(id);
        // Time in which nothing was ready is not made up for, but for a part of a millisecond.
        let begun = self.free_at.max(now.saturating_mul(MICROS).saturating_sub(MICROS - 1));
        self.free_at = begun.saturating_add(self.rules.gap);
        Some(Step::Ask { url, host: id, attempt })
    }

    /// Takes the next item of the queue, with the number of the try, and whether it is a
    /// prerequisite.
    fn take(&mut self, id: HostId) -> Option<(UrlId, u32, bool)> {
        let host = &mut self.hosts[id];
        let (url, attempt, is_first) = if host.is_fresh() {
            (self.fresh.pop(&mut host.fresh)?, 1, host.first == First::InLine)
        } else {
            let again = self.again.pop(&mut host.again)?;
            (again.url, again.tries + 1, again.is_first)
        };
        if is_first {
            host.first = First::UnderWay;
        }
        Some((url, attempt, is_first))
    }

    /// Reserves a slot in the host's site and one in its network, always in this order: a host that
    /// waits for its network holds a slot of its site, and none waits the other way round.
    fn finds_room(&mut self, id: HostId) -> bool {
        let host = &self.hosts[id];
        let (site, network, kept) = (host.site, host.network, host.kept_network);
        if let Some(site) = site.filter(|_| !host.keeps_site) {
            if !self.sites.take_or_wait(site, id) {
                return false;
            }
            self.hosts[id].keeps_site = true;
        }
        if kept == network {
            return true;
        }
        // The host moved to another network while it waited.
        self.hosts[id].kept_network = None;
        self.give_back(None, kept, 1);
        let is_free = network.is_none_or(|network| self.networks.take_or_wait(network, id));
        if is_free {
            self.hosts[id].kept_network = network;
        }
        is_free
    }

    /// Frees the slots reserved for the host's next probe, which will not be soon.
    fn let_go(&mut self, id: HostId) {
        let host = &mut self.hosts[id];
        let network = host.kept_network.take();
        let site = host.site.filter(|_| std::mem::take(&mut host.keeps_site));
        self.give_back(site, network, 1);
    }

    /// Frees slots of groups, and passes them to hosts that wait for them.
    fn give_back(&mut self, site: Option<GroupId>, network: Option<GroupId>, places: u32) {
        if let Some(site) = site {
            self.sites.give_back(site, places);
            while let Some(next) = self.sites.hand_out(site) {
                self.hosts[next].keeps_site = true;
                self.set_ready(next);
            }
        }
        if let Some(network) = network {
            self.networks.give_back(network, places);
            while let Some(next) = self.networks.hand_out(network) {
                self.hosts[next].kept_network = Some(network);
                self.set_ready(next);
            }
        }
    }
}

/// Returns the delay after `tries` failed tries, derived from the link's number.
fn patience(url: UrlId, tries: u32) -> u64 {
    let growth = RETRY_GROWTH.saturating_pow(tries.saturating_sub(1));
    let most = RETRY_FIRST_MAX.saturating_mul(growth).min(RETRY_MAX);
    let drawn = mixed(u64::from(url.0) << 32 | u64::from(tries));
    RETRY_MIN + drawn % (most - RETRY_MIN + 1)
}

/// Mixes the bits of `number`, so that each input bit affects half of the output bits: the last
/// step of `SplitMix64` (Steele, Lea and Flood 2014).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}
