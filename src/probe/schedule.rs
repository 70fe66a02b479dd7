//! Who is asked when: a machine of states that knows neither clocks nor sockets.
//!
//! Time is a number of milliseconds that is passed in, from any beginning; what came of a
//! question is told by whoever asked it. The same calls give the same answers, always.
//!
//! A host is a key of politeness: a server's name and port. Its links wait in its own line. A
//! host that has to wait holds no place among the questions under way, so that a slow host
//! keeps nobody else from being asked. Each step costs the logarithm of the number of hosts.
//!
//! # The order
//! - Of hosts that may be asked, the one goes first whose time came first, less the time that
//!   its remaining links take, up to [`HEAD_START_MAX`]: the host with the most links decides
//!   when all is done. Nobody is overtaken by a host whose time came later than that.
//! - Links that failed get another try behind the first tries of all hosts, except behind
//!   hosts in line for a place in a group. That try comes after a time drawn from the link's
//!   number: links that failed together do not come back together.
//!
//! # What is kept
//! - Between two questions to one host: the gap, the host's own wish (`Crawl-delay`), and twice
//!   the time it takes to answer. After an answer that asks for it: `Retry-After` (RFC 9110
//!   §10.2.3).
//! - So many questions at once: in all, to one host, to one site, to one network. An address is
//!   known when it was connected to, so that the first question to a host is not counted for
//!   its network before it was answered. That question is alone: what it learns (the address,
//!   the robots, whether anybody is there) is known to all others, but for own hosts.
//! - A host that fails several times in a row is left alone for a while, tried once more, and
//!   then given up with all its links. Where nothing is tried twice it is given up at once.
//!
//! # What is missing on purpose
//! Robots: whoever asks knows the rules, and tells what they say about time with
//! [`Schedule::delay`]. What remains in line when a run is stopped: whoever asks knows it.

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

/// How much sooner than its time a host with many links goes before others, at most. It is
/// also the longest that it makes them wait.
pub const HEAD_START_MAX: u64 = 60_000;

/// The least time before another try, and the most before the first of them; each further one
/// may take four times as long, up to five minutes.
const RETRY_MIN: u64 = 2_000;
const RETRY_FIRST_MAX: u64 = 20_000;
const RETRY_GROWTH: u64 = 4;
const RETRY_MAX: u64 = 300_000;

/// What has to be kept. Times are milliseconds; of questions at once, zero means one.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Questions at once, in all.
    pub in_flight: usize,
    /// Questions at once to one host.
    pub host_concurrency: u32,
    /// Questions at once to one of the user's own hosts.
    pub own_concurrency: u32,
    /// From one question to a host to the next, at least.
    pub host_gap: u64,
    /// The same for the user's own hosts and this machine, which are asked no more slowly for
    /// being slow.
    pub own_gap: u64,
    /// Tries after the first.
    pub retries: u32,
    /// Questions at once to all hosts of a /24 or a /48; own hosts do not count.
    pub per_address: u32,
    /// Questions at once to all hosts of a site; own hosts do not count.
    pub per_site: u32,
    /// Links of one host that are taken in, redirects to it among them.
    pub urls_per_host: Option<u32>,
    /// Failures of a host in a row after which it is given up; never when zero.
    pub breaker: u32,
}

/// What holds for one host in place of [`Rules`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// From one question to the next, at least.
    pub gap: Option<u64>,
    /// Questions at once. Those of its site and its network count besides, but for own hosts.
    pub concurrency: Option<u32>,
}

/// A host's number, from [`Schedule::host`]. It is good for the schedule that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostId(u32);

impl HostId {
    /// Hosts are counted from zero, in the order in which they were made.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A link's number; whoever asks chooses it. A link stands in the line of one host at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlId(pub u32);

/// Whose a host is, which says how it is spared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Owner {
    /// The user's own: as little as that.
    User,
    /// This machine: there is no gap but one that it wishes for; all else is as for strangers.
    Machine,
    /// Anybody's.
    #[default]
    Stranger,
}

/// What must be known of a host beforehand.
#[derive(Clone, Copy, Debug)]
pub struct HostTraits {
    /// Whose it is.
    pub owner: Owner,
    /// A hash of its registrable domain.
    pub site: u64,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Ask for this link; tell what came of it with [`Schedule::done`].
    Ask {
        /// The link.
        url: UrlId,
        /// The host that it was added to.
        host: HostId,
        /// Which try it is, from 1.
        attempt: u32,
    },
    /// Nothing before this time, unless an answer comes.
    Wait {
        /// Later than the time that was passed in.
        until: u64,
    },
    /// Nothing before an answer comes.
    Busy,
    /// Nothing is in line and nothing under way.
    Done,
}

/// What came of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Came {
    /// An answer that stands, also one that says where else to ask, or that the link is dead.
    Answered,
    /// A failure that may pass.
    Failed {
        /// Whom it speaks against.
        kind: Trouble,
        /// How long the host wants to be left alone, in milliseconds.
        after: Option<u64>,
    },
}

/// Whom a failure speaks against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trouble {
    /// The host: no connection, no handshake, or not one word until the time was up.
    Connect,
    /// Perhaps this link alone: the host did say something.
    Other,
}

/// Whether a link is done with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// What came of it stands.
    Final,
    /// It gets another try, not before this time, nor before others of its host that failed
    /// earlier, nor before its host may be asked.
    Again {
        /// Milliseconds, on the clock of whoever asks.
        at: u64,
    },
}

/// Why a link is not asked, or not asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Its host did not answer, several times in a row.
    Dead,
    /// Its host wants to be left alone for longer than a run should take, or said so several
    /// times in a row.
    Later,
    /// More links of its host than are taken in.
    Limit,
    /// Somebody said so, with [`Schedule::give_up`].
    Told,
}

/// A link that leaves the line without another try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GivenUp {
    /// The link.
    pub url: UrlId,
    /// Tries that it had: with none, nothing but `reason` is known of it.
    pub tries: u32,
    /// Why.
    pub reason: Reason,
}

/// What follows from an answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Settled {
    /// For the link that was asked.
    pub fate: Fate,
    /// For other links of its host: these are done with, too.
    pub given_up: Vec<GivenUp>,
}

/// A host that takes its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slow {
    /// The host.
    pub host: HostId,
    /// Its links in line.
    pub left: u32,
    /// Milliseconds until they are done, as it looks.
    pub lasts: u64,
}

/// What is known of a host beside its links, to be kept from one run to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// No question before this time, since it wanted to be left alone.
    pub rests_until: u64,
    /// The time between questions that its slowness asks for, in milliseconds.
    pub gap: u64,
    /// Failures in a row that speak against it.
    pub failures: u32,
}

/// A link whose first try failed.
#[derive(Clone, Copy, Debug)]
struct Again {
    url: UrlId,
    /// Tries that it had.
    tries: u32,
    due: u64,
    /// True for what stands before the links of its host.
    is_first: bool,
}

/// A question under way.
#[derive(Clone, Copy, Debug)]
struct Asked {
    at: u64,
    attempt: u32,
    is_trial: bool,
    /// True for what stands before the links of its host.
    is_first: bool,
}

/// The hosts. Every [`HostId`] is made here by [`Schedule::host`], and no host is ever taken
/// out: the index holds for all of them.
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

/// Who goes first among those who may be asked: the smallest.
type Rank = (IsLate, u64, Reverse<u32>, HostId);
type IsLate = bool;

/// The lines of all hosts, and whose turn it is.
#[derive(Debug)]
pub struct Schedule {
    rules: Rules,
    /// Of the few hosts that have some.
    terms: BTreeMap<HostId, Terms>,
    hosts: Hosts,
    fresh: Lists<UrlId>,
    again: Lists<Again>,
    sites: Groups<u64>,
    networks: Groups<Network>,
    /// Those who wait for a time. An entry counts if it is the one that the host remembers.
    clock: BinaryHeap<Reverse<(u64, HostId)>>,
    /// Those who may be asked. An entry counts if its host is there, in that half of them.
    ready: BinaryHeap<Reverse<Rank>>,
    under_way: BTreeMap<(HostId, UrlId), Asked>,
    in_line: usize,
}

impl Schedule {
    /// A schedule without hosts.
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
        }
    }

    /// Makes another host.
    pub fn host(&mut self, traits: HostTraits) -> HostId {
        let id = HostId(u32::try_from(self.hosts.0.len()).unwrap_or(u32::MAX));
        let site = host::is_capped(&traits).then(|| self.sites.id(traits.site));
        self.hosts.0.push(Host::new(traits.owner, site));
        id
    }

    /// Has `terms` hold for `host` from here on. Meant for a host that has no links yet.
    pub fn terms(&mut self, host: HostId, terms: Terms) {
        if terms != Terms::default() {
            self.terms.insert(host, terms);
        }
    }

    /// Lets `in_flight` questions be under way from now on, in all. If there are more, they go on.
    pub fn allow(&mut self, in_flight: usize) {
        self.rules.in_flight = in_flight;
    }

    /// What holds for `host`.
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

    /// How long the links of `host` take from `now`, if nothing changes.
    fn lasts(&self, host: HostId, now: u64) -> u64 {
        self.hosts[host].lasts(now, &self.rules_of(host))
    }

    /// Puts `url` behind the other links of `host`, at any time.
    ///
    /// # Errors
    /// When it is not going to be asked, with the reason.
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

    /// Puts `url`, which is no link, before the links of `host`, and does not count it among
    /// them: what must be known before any of them is asked, as its robots.txt is. They wait
    /// until it is final, however many tries it takes. A host has one such thing at most.
    ///
    /// # Errors
    /// When it is not going to be asked, with the reason.
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

    /// What to do at `now`, in milliseconds from any beginning. Asked again after each step
    /// but a wait: as many questions as may be are under way when it says so.
    pub fn next(&mut self, now: u64) -> Step {
        if self.under_way.len() >= self.rules.in_flight.max(1) {
            return Step::Busy;
        }
        self.ring(now);
        while let Some(Reverse((is_late, _, _, id))) = self.ready.pop() {
            let host = &self.hosts[id];
            let is_outdated = host.place != Place::Ready || host.stands_late != is_late;
            if is_outdated {
                continue;
            }
            if host.is_late() && !is_late {
                // It seems dead since it was put there.
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

    /// Tells what came of asking `url`, and hears what follows from it.
    ///
    /// A link that is not under way at `host` is final already, and nothing follows.
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

    /// Tells the address that answered for `host`. What is at one of loopback is this machine,
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

    /// Tells how long `host` wants to be left alone between two questions, in milliseconds.
    /// The user's own hosts are not heard.
    pub fn delay(&mut self, host: HostId, gap: u64) {
        self.hosts[host].set_delay(gap);
    }

    /// Tells what an earlier run knew of `host`, before anything is asked of it; `now` as for
    /// [`Schedule::next`].
    pub fn remember(&mut self, host: HostId, history: &History, now: u64) {
        self.hosts[host].remember(history, now, &self.rules);
    }

    /// What a later run should know of `host`.
    #[must_use]
    pub fn history(&self, host: HostId) -> History {
        self.hosts[host].history(&self.rules)
    }

    /// Tells what this run knew of `host` before it was stopped: `links` that were taken in, and
    /// how often it failed in a row.
    pub fn resume(&mut self, host: HostId, links: u32, failures: u32) {
        self.hosts[host].resume(links, failures, &self.rules);
    }

    /// Gives up all links of `host` that are in line, and those that are added later: for who
    /// knows that its name does not exist, or that nobody may ask it.
    pub fn give_up(&mut self, host: HostId) -> Vec<GivenUp> {
        self.hosts[host].ended.get_or_insert(Reason::Told);
        self.clear_if_ended(host)
    }

    /// Links in line.
    #[must_use]
    pub fn in_line(&self) -> usize {
        self.in_line
    }

    /// Questions under way.
    #[must_use]
    pub fn under_way(&self) -> usize {
        self.under_way.len()
    }

    /// Milliseconds until the host with the most to do is done, as it looks at `now`.
    ///
    /// Looks at every host: it is for a progress line, and not for every step.
    #[must_use]
    pub fn eta(&self, now: u64) -> u64 {
        let ids = self.hosts.0.iter().zip(0..).map(|(_, id)| HostId(id));
        ids.map(|id| self.lasts(id, now)).max().unwrap_or(0)
    }

    /// The hosts that take the longest, at most `count`, the slowest first.
    ///
    /// Looks at every host, as [`Schedule::eta`] does.
    #[must_use]
    pub fn slowest(&self, now: u64, count: usize) -> Vec<Slow> {
        let mut slowest = BinaryHeap::with_capacity(count.saturating_add(1));
        for (host, id) in self.hosts.0.iter().zip(0..) {
            let (lasts, left) = (self.lasts(HostId(id), now), host.left());
            if left + host.in_flight > 0 {
                // Of equals, the host that was made first is the slower one.
                slowest.push(Reverse((lasts, left, Reverse(HostId(id)))));
            }
            if slowest.len() > count {
                slowest.pop();
            }
        }
        let sorted = slowest.into_sorted_vec().into_iter();
        sorted.map(|Reverse((lasts, left, Reverse(host)))| Slow { host, left, lasts }).collect()
    }

    /// What follows for a link from a failure.
    fn failed(
        &mut self,
        (url, host): (UrlId, HostId),
        asked: Asked,
        now: u64,
        (kind, after): (Trouble, Option<u64>),
    ) -> Fate {
        let found = &mut self.hosts[host];
        if let Some(after) = after {
            found.rest_until(now.saturating_add(after));
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

    /// Empties the line of a host that is asked no more.
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

    /// When the host may be asked for something; none when nothing is in its line.
    fn due(&self, id: HostId) -> Option<u64> {
        let host = &self.hosts[id];
        let turn = host.turn(&self.rules_of(id));
        if host.is_fresh() {
            return Some(turn);
        }
        self.again.first(&host.again).map(|again| again.due.max(turn))
    }

    /// Puts a host that stands nowhere, and may be asked sometime, among those who wait; one
    /// that stands somewhere, and may be asked sooner than was known, further to the front.
    fn line_up(&mut self, id: HostId) {
        let host = &self.hosts[id];
        let may_be_asked = host.may_be_asked(&self.rules_of(id));
        let Some(due) = self.due(id).filter(|_| may_be_asked) else { return };
        match host.place {
            Place::Clock if host.clock_at <= due => {}
            Place::Nowhere | Place::Clock => self.set_clock(id, due),
            Place::Ready if host.stands_late && !host.is_late() => self.set_ready(id),
            Place::Ready | Place::Line => {}
        }
    }

    fn set_clock(&mut self, id: HostId, at: u64) {
        let host = &mut self.hosts[id];
        host.place = Place::Clock;
        host.clock_at = at;
        self.clock.push(Reverse((at, id)));
    }

    /// Moves those whose time has come to those who may be asked. Behind it, the first of
    /// those who wait counts, and its time is later than `now`.
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
            // If it was told to wait longer since, that is seen when its turn comes.
            self.set_ready(id);
        }
    }

    fn set_ready(&mut self, id: HostId) {
        let host = &self.hosts[id];
        let rank = self.rank(host, id);
        let host = &mut self.hosts[id];
        (host.place, host.stands_late) = (Place::Ready, rank.0);
        self.ready.push(Reverse(rank));
    }

    fn rank(&self, host: &Host, id: HostId) -> Rank {
        let left = host.left();
        let needed = u64::from(left).saturating_mul(host.pace(&self.rules_of(id)));
        let handicap = HEAD_START_MAX - needed.min(HEAD_START_MAX);
        let due = self.due(id).unwrap_or_default();
        (host.is_late(), due.saturating_add(handicap), Reverse(left), id)
    }

    /// Asks a host that was ready, unless that has changed or its groups are full.
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
        // What was kept for this question is taken from here on by it.
        (host.keeps_site, host.kept_network) = (false, None);
        host.asks(now);
        let asked = Asked { at: now, attempt, is_trial: host.is_on_trial(), is_first };
        self.under_way.insert((id, url), asked);
        self.in_line -= 1;
        self.line_up(id);
        Some(Step::Ask { url, host: id, attempt })
    }

    /// What is to be asked next, which try it is, and whether it stands before all links.
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

    /// Takes a place in the host's site and one in its network, in this order always: whoever
    /// waits in the second line holds one of the first, and nobody waits the other way round.
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
        // The host turned out to be elsewhere while it waited.
        self.hosts[id].kept_network = None;
        self.give_back(None, kept, 1);
        let is_free = network.is_none_or(|network| self.networks.take_or_wait(network, id));
        if is_free {
            self.hosts[id].kept_network = network;
        }
        is_free
    }

    /// Gives back what is kept for the host's next question, which is not to be soon.
    fn let_go(&mut self, id: HostId) {
        let host = &mut self.hosts[id];
        let network = host.kept_network.take();
        let site = host.site.filter(|_| std::mem::take(&mut host.keeps_site));
        self.give_back(site, network, 1);
    }

    /// Gives back places in groups, and hands them to those who wait for them.
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

/// How long a link is left alone that failed `tries` times: drawn from its number.
fn patience(url: UrlId, tries: u32) -> u64 {
    let growth = RETRY_GROWTH.saturating_pow(tries.saturating_sub(1));
    let most = RETRY_FIRST_MAX.saturating_mul(growth).min(RETRY_MAX);
    let drawn = mixed(u64::from(url.0) << 32 | u64::from(tries));
    RETRY_MIN + drawn % (most - RETRY_MIN + 1)
}

/// A number in which each bit of `number` has changed half of the bits: the last step of
/// `SplitMix64` (Steele, Lea and Flood 2014).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}
