//! A run through a world, and the slow and obvious account of what may be asked when. It
//! knows of the schedule only what its documentation promises.

use std::cmp::Reverse;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BinaryHeap, VecDeque};
use std::hash::Hash;
use std::net::IpAddr;

use linktrawl::internal::probe::schedule::{
    Came, Fate, GivenUp, HEAD_START_MAX, HostId, HostTraits, Owner, Reason, Rules, Schedule, Step,
    Trouble, UrlId,
};

use super::world::{Answer, World};

/// A step takes a microsecond: a world that takes this many goes round in circles.
const STEPS_MAX: usize = 200_000;
/// The pause that the schedule documents for a host that seems dead.
pub(crate) const COOL_DOWN: u64 = 60_000;
/// Retry-After beyond an hour ends the host.
pub(crate) const AFTER_MAX: u64 = 3_600_000;
const SLOWNESS_GAP_MAX: u64 = 30_000;
pub(crate) const DELAY_MAX: u64 = 300_000;
/// The least and the most time before another try.
const RETRY: std::ops::RangeInclusive<u64> = 2_000..=300_000;

/// The state of a host, recorded outside of the schedule.
#[derive(Default)]
pub(crate) struct Account {
    pub(crate) owner: Owner,
    pub(crate) fresh: VecDeque<u32>,
    /// Links that failed: their number, the tries they had, and when they may be asked.
    pub(crate) again: Vec<(u32, u32, u64)>,
    pub(crate) in_flight: u32,
    pub(crate) asked: u32,
    pub(crate) asked_at: Option<u64>,
    pub(crate) rests_until: u64,
    pub(crate) fastest: Option<u64>,
    pub(crate) slowest: u64,
    pub(crate) delay: u64,
    pub(crate) network: Option<IpAddr>,
    pub(crate) taken_in: u32,
    /// Failures in a row that speak against it.
    pub(crate) failures: u32,
    /// Until when it is left alone because it seems dead.
    pub(crate) cools_until: u64,
    /// True until it shows whether it is.
    pub(crate) is_on_trial: bool,
    pub(crate) was_on_trial: bool,
    pub(crate) ended: bool,
}

impl Account {
    pub(crate) fn gap(&self, rules: &Rules, latency: u64) -> u64 {
        let wish = self.delay.min(DELAY_MAX);
        match self.owner {
            Owner::User => rules.own_gap,
            Owner::Machine => rules.own_gap.max(wish),
            Owner::Stranger => rules.host_gap.max(wish).max((2 * latency).min(SLOWNESS_GAP_MAX)),
        }
    }

    fn is_own(&self) -> bool {
        self.owner == Owner::User
    }

    /// The earliest and the latest time at which its turn may come; which of them depends on
    /// how much weight the schedule gives to its last answers.
    pub(crate) fn turn(&self, rules: &Rules) -> (u64, u64) {
        let rest = self.rests_until.max(self.cools_until);
        let Some(asked_at) = self.asked_at else { return (rest, rest) };
        let early = asked_at + self.gap(rules, self.fastest.unwrap_or(0));
        (rest.max(early), rest.max(asked_at + self.gap(rules, self.slowest)))
    }

    pub(crate) fn has_place(&self, rules: &Rules) -> bool {
        let most = if self.is_own() { rules.own_concurrency } else { rules.host_concurrency };
        let is_alone = self.is_on_trial || !self.is_own() && self.fastest.is_none();
        self.in_flight < if is_alone { 1 } else { most }
    }

    /// The latest time at which the schedule must ask it for something, given a place.
    pub(crate) fn due(&self, rules: &Rules) -> Option<u64> {
        let (_, late) = self.turn(rules);
        let again = self.again.iter().map(|(.., due)| *due).max();
        let work = if self.fresh.is_empty() { again? } else { 0 };
        // A host far from all others is alone in its site and its network.
        let in_group = rules.per_site.min(rules.per_address);
        let is_free = self.has_place(rules) && (self.is_own() || self.in_flight < in_group);
        is_free.then(|| work.max(late))
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Question {
    pub(crate) url: u32,
    pub(crate) host: usize,
    pub(crate) attempt: u32,
    pub(crate) asked_at: u64,
    pub(crate) is_trial: bool,
    pub(crate) answer: Answer,
}

/// One run through a world.
pub(crate) struct Run<'w> {
    pub(crate) world: &'w World,
    pub(crate) schedule: Schedule,
    pub(crate) ids: Vec<HostId>,
    pub(crate) accounts: Vec<Account>,
    /// Answers on their way: when, in which order they were asked for, whose, and which.
    pub(crate) answers: BinaryHeap<Reverse<(u64, usize)>>,
    pub(crate) questions: Vec<Question>,
    pub(crate) verdicts: Vec<u32>,
    pub(crate) hops: Vec<u32>,
    pub(crate) added: usize,
    pub(crate) now: u64,
    pub(crate) trace: DefaultHasher,
    /// Links in the order in which they were asked.
    pub(crate) order: Vec<u32>,
}

impl<'w> Run<'w> {
    pub(crate) fn new(world: &'w World) -> Self {
        let mut schedule = Schedule::new(world.rules);
        let mut ids = Vec::new();
        let mut accounts = Vec::new();
        for plan in &world.hosts {
            ids.push(schedule.host(HostTraits { owner: plan.owner, site: plan.site }));
            accounts.push(Account { owner: plan.owner, ..Account::default() });
        }
        Self {
            world,
            schedule,
            ids,
            accounts,
            answers: BinaryHeap::new(),
            questions: Vec::new(),
            verdicts: vec![0; world.links.len()],
            hops: vec![0; world.links.len()],
            added: 0,
            now: world.start,
            trace: DefaultHasher::new(),
            order: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, url: u32, host: usize) {
        let account = &mut self.accounts[host];
        let most = self.world.rules.urls_per_host;
        let expected = if account.ended {
            None
        } else if most.is_some_and(|most| account.taken_in >= most) {
            Some(Err(Reason::Limit))
        } else {
            Some(Ok(()))
        };
        let added = self.schedule.add(UrlId(url), self.ids[host]);
        match expected {
            Some(expected) => assert_eq!(added, expected, "link {url} of host {host}"),
            None => assert!(matches!(added, Err(Reason::Dead | Reason::Later))),
        }
        if added.is_ok() {
            account.taken_in += 1;
            account.fresh.push_back(url);
        } else {
            self.verdicts[url as usize] += 1;
        }
    }

    pub(crate) fn add_until(&mut self, count: usize) {
        while self.added < count.min(self.world.links.len()) {
            self.add(self.added as u32, self.world.links[self.added]);
            self.added += 1;
        }
    }

    /// Runs to the end, and says how long it took.
    pub(crate) fn finish(&mut self) -> u64 {
        self.add_until(self.world.at_once);
        for _ in 0..STEPS_MAX {
            let step = self.schedule.next(self.now);
            (self.now, step).hash(&mut self.trace);
            match step {
                Step::Ask { url, host, attempt } => self.ask(url.0, host.index(), attempt),
                Step::Wait { until } => self.wait(until),
                Step::Busy => self.busy(),
                Step::Done if self.added < self.world.links.len() => self.add_until(self.added + 9),
                Step::Done => return self.end(),
            }
            if self.added < self.world.links.len() && self.added.is_multiple_of(3) {
                self.add_until(self.added + 1);
            }
        }
        panic!("the world does not end");
    }

    pub(crate) fn end(&self) -> u64 {
        assert!(self.answers.is_empty(), "done, and a question is under way");
        let counts = (self.schedule.in_line(), self.schedule.under_way(), self.schedule.eta(0));
        assert_eq!(counts, (0, 0, 0));
        for (url, count) in self.verdicts.iter().enumerate() {
            assert_eq!(*count, 1, "verdicts of link {url}");
        }
        self.now - self.world.start
    }

    pub(crate) fn ask(&mut self, url: u32, host: usize, attempt: u32) {
        self.check_caps(host);
        self.check_times(host);
        self.check_order(host, attempt);
        let account = &mut self.accounts[host];
        if attempt == 1 {
            assert_eq!(account.fresh.pop_front(), Some(url), "not the first in its line");
        } else {
            assert!(account.fresh.is_empty(), "another try before the host's first tries");
            let at = account.again.iter().position(|again| again.0 == url);
            let (_, tries, due) = account.again.remove(at.expect("it never failed"));
            assert_eq!(attempt, tries + 1);
            assert!(attempt <= self.world.rules.retries + 1, "try {attempt}");
            assert!(self.now >= due, "another try too early");
        }
        let (latency, answer) = self.world.answer(url, host, attempt, account.asked);
        account.in_flight += 1;
        account.asked += 1;
        account.asked_at = Some(self.now);
        self.answers.push(Reverse((self.now + latency, self.questions.len())));
        let (asked_at, is_trial) = (self.now, account.is_on_trial);
        self.questions.push(Question { url, host, attempt, asked_at, is_trial, answer });
        self.order.push(url);
    }

    /// Never more questions at once than there are places.
    fn check_caps(&self, host: usize) {
        let rules = &self.world.rules;
        assert!(self.answers.len() < rules.in_flight, "too many in all");
        let account = &self.accounts[host];
        assert!(account.has_place(rules), "too many to one host");
        assert!(!account.ended, "a host that was given up is asked");
        if account.is_own() {
            return;
        }
        let at_once = |is_one: &dyn Fn(usize) -> bool| {
            let all = self.accounts.iter().enumerate();
            let ones = all.filter(|(idx, account)| !account.is_own() && is_one(*idx));
            ones.map(|(_, account)| account.in_flight).sum::<u32>()
        };
        let site = self.world.hosts[host].site;
        let to_site = at_once(&|idx| self.world.hosts[idx].site == site);
        assert!(to_site < rules.per_site, "too many to one site");
        let network = account.network;
        let to_network = at_once(&|idx| self.accounts[idx].network == network);
        assert!(network.is_none() || to_network < rules.per_address, "too many to one network");
    }

    fn check_times(&self, host: usize) {
        let account = &self.accounts[host];
        assert!(self.now >= account.rests_until, "Retry-After is not kept");
        assert!(self.now >= account.cools_until, "a host that seems dead is not left alone");
        let (early, _) = account.turn(&self.world.rules);
        assert!(self.now >= early, "a gap is not kept: {} < {early}", self.now);
    }

    /// Nobody is overtaken by much, and first tries go first.
    fn check_order(&self, host: usize, attempt: u32) {
        if !self.world.is_apart {
            return;
        }
        let rules = &self.world.rules;
        let (own_turn, _) = self.accounts[host].turn(rules);
        let is_late = attempt > 1 || self.accounts[host].is_on_trial;
        for other in self.accounts.iter().filter(|other| !other.fresh.is_empty()) {
            if other.is_on_trial {
                continue;
            }
            let Some(due) = other.due(rules).filter(|due| *due <= self.now) else { continue };
            assert!(!is_late, "another try goes before a first one");
            assert!(due + HEAD_START_MAX >= own_turn, "a host starves");
        }
    }

    /// When the schedule lets time pass, nobody could have been asked.
    fn check_idle(&self) -> Option<u64> {
        let dues = self.accounts.iter().filter_map(|account| account.due(&self.world.rules));
        let due = dues.min();
        let is_full = self.answers.len() >= self.world.rules.in_flight;
        if self.world.is_apart && !is_full {
            assert!(due.is_none_or(|due| due > self.now), "somebody could be asked");
        }
        due
    }

    pub(crate) fn wait(&mut self, until: u64) {
        assert!(until > self.now, "a wait for a time that is past");
        let due = self.check_idle();
        if self.world.is_apart {
            let has_work = |account: &Account| account.fresh.len() + account.again.len() > 0;
            let is_due = due.map_or(self.accounts.iter().any(has_work), |due| until <= due);
            assert!(is_due, "too long a wait: {until} and not {due:?}");
        }
        match self.answers.peek() {
            Some(Reverse((at, _))) if *at <= until => self.hear(),
            _ => self.now = until,
        }
    }

    pub(crate) fn busy(&mut self) {
        let due = self.check_idle();
        let is_full = self.answers.len() >= self.world.rules.in_flight;
        assert!(is_full || !self.world.is_apart || due.is_none(), "a wait without an end");
        self.hear();
    }

    /// The next answer comes.
    pub(crate) fn hear(&mut self) {
        let next = self.answers.pop().expect("busy, and nothing is under way");
        let (at, question) = next.0;
        self.now = at;
        let Question { url, host, attempt, asked_at, is_trial, answer } = self.questions[question];
        let (plan, id) = (&self.world.hosts[host], self.ids[host]);
        let came = match answer {
            Answer::Came(came) => came,
            Answer::Moved(_) => Came::Answered,
        };
        let account = &mut self.accounts[host];
        let took = at - asked_at;
        account.fastest = Some(account.fastest.map_or(took, |fastest| fastest.min(took)));
        account.slowest = account.slowest.max(took);
        account.in_flight -= 1;
        let is_connected = !matches!(came, Came::Failed { kind: Trouble::Connect, .. });
        if is_connected {
            let address = plan.addresses[usize::from(url % 4 == 0)];
            account.network = Some(address);
            account.delay = plan.delay;
            self.schedule.address(id, address);
            let given_up = self.schedule.delay(id, plan.delay);
            account.ended |= plan.delay > AFTER_MAX && plan.owner != Owner::User;
            self.account_for_given_up(host, &given_up);
        }
        self.account_for(host, came, is_trial);
        let settled = self.schedule.done(UrlId(url), id, at, came);
        settled.hash(&mut self.trace);
        self.account_for_given_up(host, &settled.given_up);
        match settled.fate {
            Fate::Again { at: due } => self.note_again(host, (url, attempt, due), came),
            Fate::Final => self.settle(url, answer),
        }
    }

    /// Records the consequences of an answer for its host.
    pub(crate) fn account_for(&mut self, host: usize, came: Came, was_trial: bool) {
        let breaker = self.world.rules.breaker;
        let account = &mut self.accounts[host];
        match came {
            Came::Failed { kind, after } if kind == Trouble::Connect || after.is_some() => {
                account.failures += 1;
                // `now` is rounded down.
                let rest = after.map_or(0, |after| self.now + after + 1);
                account.rests_until = account.rests_until.max(rest);
                let is_too_much = breaker > 0 && account.failures >= breaker;
                let has_no_trial = self.world.rules.retries == 0 && after.is_none();
                let is_first = !account.is_on_trial && !account.was_on_trial;
                account.ended |= after.is_some_and(|after| after > AFTER_MAX)
                    || account.is_on_trial && was_trial
                    || account.was_on_trial && is_too_much
                    || is_first && is_too_much && has_no_trial;
                if is_first && is_too_much && !account.ended {
                    account.is_on_trial = true;
                    account.cools_until = self.now + COOL_DOWN;
                }
            }
            _ => {
                account.failures = 0;
                account.was_on_trial |= std::mem::take(&mut account.is_on_trial);
            }
        }
    }

    pub(crate) fn account_for_given_up(&mut self, host: usize, given_up: &[GivenUp]) {
        let account = &mut self.accounts[host];
        assert!(given_up.is_empty() || account.ended, "given up too soon");
        for GivenUp { url, tries, .. } in given_up {
            let at = account.again.iter().position(|again| again.0 == url.0);
            let had = at.map_or(0, |at| account.again.remove(at).1);
            assert_eq!(*tries, had);
            self.verdicts[url.0 as usize] += 1;
        }
        if account.ended {
            account.fresh.clear();
            assert!(account.again.is_empty(), "a link is left behind");
        }
    }

    pub(crate) fn note_again(&mut self, host: usize, again: (u32, u32, u64), came: Came) {
        let account = &mut self.accounts[host];
        assert_ne!(came, Came::Answered, "an answer is asked for again");
        let wait = again.2 - self.now;
        assert!(RETRY.contains(&wait), "another try after {wait}");
        assert!(again.1 <= self.world.rules.retries);
        account.again.push(again);
    }

    pub(crate) fn settle(&mut self, url: u32, answer: Answer) {
        let hops = &mut self.hops[url as usize];
        match answer {
            Answer::Moved(to) if *hops < 3 => {
                *hops += 1;
                self.add(url, to);
            }
            _ => self.verdicts[url as usize] += 1,
        }
    }
}
