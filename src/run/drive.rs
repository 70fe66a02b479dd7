//! Probes targets: connects the schedule, which decides whose turn it is, with the probes, which
//! speak the protocols.
//!
//! One thread does everything, so nothing here needs a lock: probes wait for the network nearly all
//! of the time.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::{self, JoinError, JoinSet};
use tokio::time::{Instant, sleep};

use super::request_options::RequestOptions;
use super::target::{Targets, last_name};
use super::{Observer, ProbeProgress, SlowHost};
use crate::error::Error;
use crate::finding::{Class, Hop, Note, Reach};
use crate::probe::robots::{self, Fetched, Robots};
use crate::probe::schedule::{
    Came, Fate, GivenUp, History, HostId, Reason, Schedule, Step, Trouble, UrlId, is_too_long,
};
use crate::probe::tcp::{Net, Timeouts};
use crate::probe::{Answer, Body, Kept, Outcome, Validators};

pub(super) mod chain;
pub(super) mod content;
mod hosts;
mod journal;
mod page;
mod plan;
mod question;
mod resume;
mod spelling;
mod window;

use chain::{Chain, Next};
use hosts::Hosts;
pub(super) use journal::Journal;
use page::Page;
pub(super) use plan::Learnt;
use plan::Plan;
use question::Request;
use window::Window;

/// Milliseconds for which a run that is stopped waits for answers: few, since its user waits. A
/// second signal ends it at once.
const STOP_GRACE: u64 = 1_000;

/// Interval at which the stop flag is polled and progress is reported.
const TICK: Duration = Duration::from_millis(100);

/// Number of probes begun, and of connections read from, before dependent tasks get a turn: memory
/// that they need for a moment is then freed, and serves the next ones.
const BATCH: usize = 64;

/// Number of slow hosts in a progress report: observers have one line for them.
const SLOWEST_MAX: usize = 3;

/// The outcome of probing.
pub(super) struct Ended<'a> {
    /// A note if the store failed.
    pub(super) note: Option<Note>,
    /// Whether something could not be looked up for another reason.
    pub(super) is_cut: bool,
    /// The journal, whose run is not finished yet.
    pub(super) journal: Option<Journal<'a>>,
}

/// All probing of a run: that of its links, and then that of archives of the Web.
pub(super) struct Drive<'a> {
    options: &'a RequestOptions,
    journal: Option<Journal<'a>>,
    start: Instant,
    /// The histories of hosts of earlier targets, by name.
    histories: HashMap<Box<str>, History>,
    note: Option<Note>,
    is_cut: bool,
}

impl<'a> Drive<'a> {
    /// Opens the store, if there is one.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub(super) fn open(options: &'a RequestOptions) -> Result<Self, Error> {
        let journal = Journal::open(options)?;
        let (start, histories) = (Instant::now(), HashMap::new());
        Ok(Self { options, journal, start, histories, note: None, is_cut: false })
    }

    /// Probes each of `targets`.
    ///
    /// # Errors
    /// When probing cannot start: without name servers or threads.
    pub(super) fn ask(
        &mut self,
        targets: &Targets,
        observer: &dyn Observer,
    ) -> Result<Learnt, Error> {
        let plan = Plan::of(targets, self.journal.as_mut());
        if plan.requests.is_empty() || self.options.is_stopped() {
            self.flush();
            return Ok(plan.spread());
        }
        let unable = |error: std::io::Error| Error::Threads { reason: error.to_string() };
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().max_io_events_per_tick(BATCH).build().map_err(unable)?;
        let net = Arc::new(Net::new(self.options.net.clone())?);
        let mut driver = Driver::new(plan, self, net);
        runtime.block_on(driver.run(observer));
        driver.keep_histories();
        let (plan, journal, histories) = (driver.plan, driver.journal, driver.histories);
        (self.journal, self.histories) = (journal, histories);
        self.flush();
        Ok(plan.spread())
    }

    pub(super) const fn options(&self) -> &'a RequestOptions {
        self.options
    }

    /// Records that something could not be looked up, so that the run is not complete.
    pub(super) fn cut(&mut self) {
        self.is_cut = true;
    }

    fn flush(&mut self) {
        let note = self.journal.as_mut().and_then(Journal::flush);
        self.note = self.note.take().or(note);
    }

    /// Returns the store, for the end of the run, and a note if it failed.
    pub(super) fn end(self) -> Ended<'a> {
        Ended { note: self.note, is_cut: self.is_cut, journal: self.journal }
    }
}

/// The result of a task.
enum Done {
    Answer(Box<(Request, Answer)>, Kept),
    Robots(Fetched, Kept),
}

struct Driver<'t, 'a> {
    plan: Plan<'t>,
    options: &'a RequestOptions,
    journal: Option<Journal<'a>>,
    net: Arc<Net>,
    schedule: Schedule,
    hosts: Hosts,
    /// The histories of hosts of earlier targets of the run, by name.
    histories: HashMap<Box<str>, History>,
    /// Redirects and other forms that a link was followed through, by its number.
    chains: HashMap<UrlId, Chain>,
    /// Validators of the responses, until they are stored.
    seen: HashMap<UrlId, Validators>,
    /// The last results of links that get another try.
    pending: HashMap<UrlId, Reach>,
    tasks: JoinSet<Done>,
    under_way: HashMap<task::Id, (UrlId, HostId)>,
    window: Window,
    start: Instant,
    settled: usize,
}

impl<'t, 'a> Driver<'t, 'a> {
    fn new(plan: Plan<'t>, drive: &mut Drive<'a>, net: Arc<Net>) -> Self {
        let options = drive.options;
        Self {
            plan,
            options,
            journal: drive.journal.take(),
            histories: std::mem::take(&mut drive.histories),
            net,
            schedule: Schedule::new(options.rules),
            hosts: Hosts::default(),
            chains: HashMap::new(),
            seen: HashMap::new(),
            pending: HashMap::new(),
            tasks: JoinSet::new(),
            under_way: HashMap::new(),
            window: Window::new(options.rules.in_flight, Instant::now()),
            start: drive.start,
            settled: 0,
        }
    }

    async fn run(&mut self, observer: &dyn Observer) {
        self.resume_chains();
        self.resume();
        for number in 0..self.plan.requests.len() {
            let url = UrlId(u32::try_from(number).unwrap_or(u32::MAX));
            self.line_up(url);
        }
        self.schedule.allow(self.window.size());
        let mut told = Instant::now();
        let mut begun = 0_usize;
        while !self.options.is_stopped() {
            if told.elapsed() >= TICK {
                told = Instant::now();
                self.tell(observer);
                if let Some(journal) = &mut self.journal {
                    journal.tick();
                }
            }
            match self.schedule.next(self.now()) {
                Step::Ask { url, host, .. } => {
                    self.begin(url, host);
                    begun += 1;
                    if begun.is_multiple_of(BATCH) {
                        task::yield_now().await;
                    }
                }
                Step::Wait { until } => {
                    self.wait(until).await;
                    self.window.begin(Instant::now(), busy());
                }
                Step::Busy => {
                    let period = self.window.may_grow().then(|| millis(window::PERIOD));
                    self.wait(period.map_or(u64::MAX, |period| self.now() + period)).await;
                    if self.window.look_back(Instant::now(), busy()) {
                        self.schedule.allow(self.window.size());
                    }
                }
                Step::Done => break,
            }
        }
        self.await_answers().await;
        // Aborts requests in flight; links without a result are reported as not probed.
        self.tasks.abort_all();
        self.tell_unfinished();
    }

    /// Waits for the answers to requests in flight of a run that is stopped: their hosts have seen
    /// them, and a run that continues this one would send them again.
    async fn await_answers(&mut self) {
        let end = self.now() + STOP_GRACE;
        while !self.tasks.is_empty() && self.now() < end {
            self.wait(end).await;
        }
        if let Some(journal) = &mut self.journal {
            journal.commit();
        }
    }

    /// Settles unfinished links: those with a pending retry by their last result, and those in a
    /// chain of redirects or forms as far as they were followed. These results are not stored: a
    /// run that continues this one requests the links again.
    fn tell_unfinished(&mut self) {
        for (url, reach) in std::mem::take(&mut self.pending) {
            let reach = self.finish(url, reach);
            self.plan.settle(url, reach);
        }
        for (url, chain) in std::mem::take(&mut self.chains) {
            let message = "the run was stopped before its target was requested";
            let reach = chain.finish(Reach::new(Class::NotAsked, Reach::UNREQUESTED, message));
            self.plan.settle(url, reach);
        }
    }

    /// Stores the history of each host, for later runs and for the archives.
    fn keep_histories(&mut self) {
        let here = self.now();
        for (host, name) in self.hosts.all() {
            let history = self.schedule.history(host);
            if let Some(journal) = &mut self.journal {
                journal.learn_history(name, &history, here);
            }
            self.histories.insert(name.into(), history);
        }
    }

    /// Returns the milliseconds since probing began.
    fn now(&self) -> u64 {
        millis(self.start.elapsed())
    }

    fn tell(&self, observer: &dyn Observer) {
        let now = self.now();
        let slowest = self.schedule.slowest(now, SLOWEST_MAX).into_iter();
        let slowest: Vec<_> = slowest
            .map(|slow| SlowHost {
                name: self.hosts.name(slow.host),
                remaining: Duration::from_millis(slow.lasts),
            })
            .collect();
        observer.probing(&ProbeProgress {
            settled: self.settled,
            total: self.plan.requests.len(),
            under_way: self.schedule.under_way(),
            remaining: Duration::from_millis(self.schedule.eta(now)),
            elapsed: self.start.elapsed(),
            slowest: &slowest,
        });
    }

    /// Queues a link for its current host.
    fn line_up(&mut self, url: UrlId) {
        let request = self.request(url);
        let host = self.host(&request);
        if self.hosts.wants_robots(host, &request) {
            self.want_robots(host);
        }
        self.hosts.wait(host);
        if let Err(reason) = self.schedule.add(url, host) {
            self.give_up(host, &GivenUp { url, tries: 0, reason });
        }
    }

    /// Returns the host of `request`; if it is new, gives its history from earlier runs to the
    /// schedule.
    fn host(&mut self, request: &Request) -> HostId {
        let (host, is_new) = self.hosts.of(request, self.options, &mut self.schedule);
        let (now, name) = (self.now(), self.hosts.name(host));
        let earlier = self.histories.get(name).copied().filter(|_| is_new);
        let journal = self.journal.as_mut().filter(|_| is_new);
        if let Some(history) = earlier.or_else(|| Some(journal?.history(name, now))) {
            self.schedule.remember(host, &history, now);
        }
        host
    }

    /// Queues a request for robots.txt of `host`, or uses the copy of an earlier run.
    fn want_robots(&mut self, host: HostId) {
        let name = self.hosts.name(host);
        match self.journal.as_mut().and_then(|journal| journal.robots(name)) {
            Some(robots) => self.heed(host, robots),
            None => {
                let robots = self.hosts.robots(host);
                // A host that is given up accepts neither this request nor the link that needs it.
                let _ = robots.map(|robots| self.schedule.add_first(robots, host));
            }
        }
    }

    /// Returns the current request for `url`.
    fn request(&self, url: UrlId) -> Request {
        match self.chains.get(&url) {
            Some(chain) => chain.request(),
            None => self.plan.request(url),
        }
    }

    /// Starts the request for `url`, or for robots.txt of `host`.
    fn begin(&mut self, url: UrlId, host: HostId) {
        let net = match self.hosts.timeout(host) {
            None => Arc::clone(&self.net),
            Some(total) => Arc::new(self.net.with_timeouts(Timeouts::within(total))),
        };
        let id = if self.hosts.robots(host) == Some(url) {
            let name = self.hosts.name(host).to_owned();
            let mut kept = self.hosts.take_kept(host);
            self.tasks.spawn(async move {
                let robots = robots::fetch(&name, &net, &mut kept).await;
                Done::Robots(robots, kept)
            })
        } else {
            let request = self.request(url);
            // After an inconclusive response to HEAD, or none, the retry uses GET.
            let is_doubted = self.pending.get(&url).is_some_and(|reach| {
                reach.status.is_some() || matches!(reach.class, Class::Timeout)
            });
            let by_get = is_doubted.then(|| request.by_get()).flatten();
            let request = by_get.unwrap_or(request);
            if let Some(refusal) = self.hosts.refusal(host, &request) {
                return self.answered(url, host, &request, Answer::of(Outcome::Known(refusal)));
            }
            let is_first = !self.chains.contains_key(&url);
            let version = is_first.then(|| self.plan.version(url)).flatten();
            let mut kept = self.hosts.take_kept(host);
            self.tasks.spawn(async move {
                let answer = question::ask(&request, version.as_ref(), &net, &mut kept).await;
                Done::Answer(Box::new((request, answer)), kept)
            })
        };
        self.under_way.insert(id.id(), (url, host));
    }

    /// Waits for a response, or until `until` (milliseconds), or for a tick.
    async fn wait(&mut self, until: u64) {
        if let Some(journal) = &mut self.journal {
            journal.commit();
        }
        let limit = Duration::from_millis(until.saturating_sub(self.now())).min(TICK);
        tokio::select! {
            biased;
            Some(done) = self.tasks.join_next_with_id() => self.finished(done),
            () = sleep(limit) => {}
        }
        while let Some(done) = self.tasks.try_join_next_with_id() {
            self.finished(done);
        }
    }

    fn finished(&mut self, done: Result<(task::Id, Done), JoinError>) {
        let (id, done) = match done {
            Ok((id, done)) => (id, Some(done)),
            Err(error) => (error.id(), None),
        };
        let Some((url, host)) = self.under_way.remove(&id) else { return };
        let is_robots = self.hosts.robots(host) == Some(url);
        match done {
            Some(Done::Robots(robots, kept)) => {
                self.hosts.give_kept(host, kept, self.options.kept);
                self.robots_came(url, host, robots);
            }
            None if is_robots => self.robots_came(url, host, Fetched::default()),
            Some(Done::Answer(asked, kept)) => {
                let (request, answer) = *asked;
                self.hosts.give_kept(host, kept, self.options.kept);
                self.answered(url, host, &request, answer);
            }
            None => self.answered(url, host, &self.request(url), question::failed()),
        }
    }

    fn answered(&mut self, url: UrlId, host: HostId, request: &Request, answer: Answer) {
        if let Some(address) = answer.address {
            self.schedule.address(host, address);
        }
        let outcome = blocked_error(answer.outcome, answer.body.as_ref());
        let is_silence = answer.address.is_some() && is_silence(&outcome);
        match self.final_if_accepted(outcome) {
            Outcome::Known(reach) => {
                self.tell_schedule(url, host, Came::Answered);
                let is_host_lost = speaks_of_host(reach.class) && self.hosts.is_server(host);
                if is_host_lost {
                    self.hosts.failed(host, &reach);
                }
                let is_first = !self.chains.contains_key(&url);
                let has_version = answer.validators != Validators::default();
                if self.journal.is_some() && has_version && is_first {
                    self.seen.insert(url, answer.validators);
                }
                // The page of another form of a link does not show which anchors the link's own
                // page has.
                let is_variant = self.chains.get(&url).is_some_and(Chain::is_variant);
                let is_there = reach.class == Class::Alive && !is_variant;
                let is_page = is_there && (request.wants_body() || request.reads());
                // A part of the content, or none, does not show which anchors there are (RFC 9110
                // §15.3).
                let is_whole = !matches!(reach.status, Some(204..=206));
                let body = answer.body.as_ref().filter(|_| is_page && is_whole);
                let page = body.and_then(Page::of);
                let reach =
                    match page.as_ref().and_then(|page| self.blocked_by_guard(url, page, &reach)) {
                        Some(blocked) => blocked,
                        None if is_page => {
                            self.look_into(url, &reach, page.as_ref());
                            self.with_content(url, reach, body, page.as_ref())
                        }
                        None => reach,
                    };
                self.known(url, host, request, reach);
                if is_host_lost {
                    self.give_up_all(host);
                }
            }
            Outcome::Moved(hop) => {
                self.tell_schedule(url, host, Came::Answered);
                let mut chain = self.chains.remove(&url).unwrap_or_else(|| Chain::of(request));
                if answer.sets_cookie {
                    chain.saw_cookie(&hop);
                }
                self.follow(url, host, chain, hop);
            }
            Outcome::Later { reach, after } => {
                let kind = trouble(&reach, answer.address.is_some());
                let after = after.map(millis);
                let reach = if after.is_some_and(is_too_long) { put_off(reach) } else { reach };
                self.hosts.failed(host, &reach);
                self.pending.insert(url, reach);
                self.tell_schedule(url, host, Came::Failed { kind, after });
                self.keep_rest(host, after);
            }
        }
        if self.hosts.is_mute(host, is_silence) {
            self.hosts.failed(host, &not_requested("answered no request of many in a row"));
            self.give_up_all(host);
        }
    }

    /// Follows the redirect `hop` of the link with the chain `chain`.
    fn follow(&mut self, url: UrlId, host: HostId, mut chain: Chain, hop: Hop) {
        match chain.follow(hop) {
            Next::Ask => {
                if let (Some(journal), Some((first, way))) = (&mut self.journal, chain.way()) {
                    journal.learn_way(first, &way);
                }
                self.go_on(url, host, chain);
            }
            Next::Known(reach) => {
                self.chains.insert(url, chain);
                self.conclude(url, host, reach);
            }
        }
    }

    /// Turns a retry into a final result if the policy accepts its status code. A host that demands
    /// a delay has not answered yet.
    fn final_if_accepted(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Later { reach, after: None } if self.options.policy.accepts(&reach) => {
                Outcome::Known(reach)
            }
            outcome => outcome,
        }
    }

    /// Returns `reach` as a blocked result if `page` is one of a guard. A page with the place that
    /// a link names is the page of that link, whatever riddle one of its forms has.
    fn blocked_by_guard(&self, url: UrlId, page: &Page<'_>, reach: &Reach) -> Option<Reach> {
        let blocked = page.blocked_by_guard(reach)?;
        let redirected = self.chains.get(&url).and_then(Chain::fragment);
        (!self.plan.finds(url, page, redirected)).then_some(blocked)
    }

    /// Looks up the fragments of links to a page.
    fn look_into(&mut self, url: UrlId, reach: &Reach, page: Option<&Page<'_>>) {
        let arrived = self.chains.get(&url).map(Chain::arrival).unwrap_or_default();
        for (place, mut reach) in self.plan.look_into(url, reach, page, &arrived) {
            if let Some(journal) = &mut self.journal {
                reach = journal.learn_place(&self.plan.request(url), &place, reach);
            }
            self.plan.settle_place(url, &place, reach);
        }
    }

    /// Returns `reach`, the result of a page, with its content, if that is needed.
    fn with_content(
        &self,
        url: UrlId,
        reach: Reach,
        body: Option<&Body>,
        page: Option<&Page<'_>>,
    ) -> Reach {
        let request = self.plan.request(url);
        let body = body.filter(|_| request.reads());
        let name = last_name(request.uri().text);
        let content = body.and_then(|body| content::content(body, page, name));
        let beside = request.beside();
        let sketches = body.and_then(|body| content::sketches(body, page, name, beside));
        let hint = sketches.or(reach.hint);
        Reach { content: content.map(Box::new), hint, ..reach }
    }

    /// Stores the delay that a host demands, in case the run is interrupted.
    fn keep_rest(&mut self, host: HostId, after: Option<u64>) {
        let (now, history) = (self.now(), self.schedule.history(host));
        if let Some(journal) = self.journal.as_mut().filter(|_| after.is_some()) {
            journal.learn_history(self.hosts.name(host), &history, now);
        }
    }

    /// Handles the response for robots.txt of `host`. Without a response, the request is retried,
    /// as that for a link is.
    fn robots_came(&mut self, url: UrlId, host: HostId, came: Fetched) {
        let Fetched { robots, after, address } = came;
        if let Some(address) = address {
            self.schedule.address(host, address);
        }
        if !robots.is_unknown() {
            if let Some(journal) = &mut self.journal {
                journal.learn_robots(self.hosts.name(host), &robots);
            }
            self.heed(host, robots);
            self.tell_schedule(url, host, Came::Answered);
            return;
        }
        let after = after.map(millis);
        // A server was reached, perhaps after a redirect to another host.
        let came = Came::Failed { kind: Trouble::Other, after };
        if self.tell_schedule(url, host, came) == Fate::Final {
            self.heed(host, robots);
        }
        self.keep_rest(host, after);
    }

    /// Applies robots.txt of `host`.
    fn heed(&mut self, host: HostId, robots: Robots) {
        let delay = robots.crawl_delay();
        self.hosts.learn_robots(host, robots);
        let given_up = delay.map(|delay| self.schedule.delay(host, millis(delay)));
        for given_up in given_up.unwrap_or_default() {
            self.give_up(host, &given_up);
        }
    }

    /// Reports the result of a request to the schedule; settles the links that become final by it.
    fn tell_schedule(&mut self, url: UrlId, host: HostId, came: Came) -> Fate {
        let settled = self.schedule.done(url, host, self.now(), came);
        if settled.fate == Fate::Final
            && let Some(reach) = self.pending.remove(&url)
            && matches!(came, Came::Failed { .. })
        {
            self.conclude(url, host, reach);
        }
        for given_up in settled.given_up {
            self.give_up(host, &given_up);
        }
        settled.fate
    }

    /// Concludes a link, unless another form of it is worth a request.
    fn known(&mut self, url: UrlId, host: HostId, request: &Request, reach: Reach) {
        let is_first = !self.chains.contains_key(&url);
        match is_first.then(|| chain::variant(request, &reach)).flatten() {
            Some(chain) => self.go_on(url, host, chain),
            None => self.conclude(url, host, reach),
        }
    }

    /// Settles a link with `reach`, unless its redirects were found by HEAD and GET may lead
    /// elsewhere.
    fn conclude(&mut self, url: UrlId, host: HostId, reach: Reach) {
        match self.chains.get(&url).and_then(|chain| chain.by_get(&reach)) {
            Some(chain) => self.go_on(url, host, chain),
            None => self.settle(url, host, reach),
        }
    }

    /// Queues a link for the current host of `chain`, which may be another one.
    fn go_on(&mut self, url: UrlId, host: HostId, chain: Chain) {
        self.chains.insert(url, chain);
        self.hosts.leave(host);
        self.line_up(url);
    }

    /// Combines `reach`, the result at the end of the chain of `url`, with that chain.
    fn finish(&mut self, url: UrlId, reach: Reach) -> Reach {
        match self.chains.remove(&url) {
            Some(chain) => chain.finish(reach),
            None => reach,
        }
    }

    /// Settles `url` with `reach`, the result at the end of its chain.
    fn settle(&mut self, url: UrlId, host: HostId, reach: Reach) {
        let reach = self.finish(url, reach);
        self.hosts.leave(host);
        self.settled += 1;
        let version = self.seen.remove(&url);
        // A missing robots.txt may be available in the next run, and so may a host.
        let lasts = match reach.class {
            Class::PolicyRobots => !self.hosts.lacks_robots(host),
            Class::Unverifiable => reach.probe != Reach::UNREQUESTED,
            _ => true,
        };
        let reach = match &mut self.journal {
            Some(journal) if lasts => {
                journal.learn(&self.plan.request(url), reach, version.as_ref())
            }
            _ => reach,
        };
        self.plan.settle(url, reach);
    }

    fn give_up_all(&mut self, host: HostId) {
        for given_up in self.schedule.give_up(host) {
            self.give_up(host, &given_up);
        }
    }

    /// Settles a link that was dropped from its host's queue.
    fn give_up(&mut self, host: HostId, given_up: &GivenUp) {
        if self.hosts.robots(host) == Some(given_up.url) {
            return;
        }
        let own = self.pending.remove(&given_up.url);
        let reach = match (own, given_up.reason) {
            (Some(reach), Reason::Later) => put_off(reach),
            (Some(reach), _) => reach,
            (None, Reason::ByCaller) => self.hosts.last_failure(host),
            (None, Reason::Dead) => not_requested("accepted no connection for other links"),
            (None, Reason::Later) => Reach::new(Class::Throttled, Reach::UNREQUESTED, TOO_LONG),
            (None, Reason::Limit) => {
                let message = "its host has more links than --max-urls-per-host allows";
                Reach::new(Class::PolicyLimit, Reach::UNREQUESTED, message)
            }
        };
        self.settle(given_up.url, host, reach);
    }
}

/// Returns `outcome` as that of a blocked link if it is an error whose page, `body`, is a challenge
/// of a guard of the site. A delay that the server requests is kept.
fn blocked_error(outcome: Outcome, body: Option<&Body>) -> Outcome {
    let blocked = |reach: &Reach| body.and_then(Page::of)?.blocked_by_guard(reach);
    match outcome {
        Outcome::Known(reach) if reach.class != Class::Alive => {
            Outcome::Known(blocked(&reach).unwrap_or(reach))
        }
        Outcome::Later { reach, after } => match (blocked(&reach), after) {
            (Some(reach), None) => Outcome::Known(reach),
            (Some(reach), after) => Outcome::Later { reach, after },
            (None, after) => Outcome::Later { reach, after },
        },
        outcome => outcome,
    }
}

/// The reason why a host that demands a long delay is given up.
const TOO_LONG: &str = "its host wants to be left alone for longer than a run should take";

/// Returns the result of a link that is not retried because of the delay that its host demands:
/// whatever the status code, the server is expected to answer after the delay (RFC 9110 §10.2.3).
fn put_off(reach: Reach) -> Reach {
    if reach.class == Class::Throttled {
        return reach;
    }
    let message = format!("{}: {TOO_LONG}", reach.message);
    Reach { class: Class::Throttled, message, ..reach }
}

/// Returns how long this thread has been busy since probing began.
fn busy() -> Duration {
    Handle::current().metrics().worker_total_busy_duration(0)
}

/// Converts `time` to milliseconds, the schedule's unit.
fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Reports whether `class` holds for every link of a host.
const fn speaks_of_host(class: Class) -> bool {
    matches!(class, Class::DnsNxdomain | Class::PolicyAddress | Class::PolicyPort)
}

/// Returns the result of a link that is not requested because its host did `what` for other links.
/// It does not repeat their results, which a resumed run may not know.
fn not_requested(what: &str) -> Reach {
    let message = format!("not requested, because its host {what}");
    Reach::new(Class::Unverifiable, Reach::UNREQUESTED, message)
}

/// Reports whether a host that accepted a connection sent nothing in time.
fn is_silence(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Later { reach, .. }
        if reach.class == Class::Timeout && reach.status.is_none())
}

/// Returns whether a failure counts against the host or against something else. Whatever a host
/// answers, and even if it only accepts a connection, it is there.
fn trouble(reach: &Reach, is_connected: bool) -> Trouble {
    let is_of_host = is_of_connecting(reach.class) || reach.class == Class::Timeout;
    if is_of_host && !is_connected && reach.status.is_none() {
        Trouble::Connect
    } else {
        Trouble::Other
    }
}

/// Reports whether `class` always means that there was no connection. A timeout may also be that of
/// an answer.
const fn is_of_connecting(class: Class) -> bool {
    matches!(class, Class::Refused | Class::Unreachable | Class::DnsFailure)
}
