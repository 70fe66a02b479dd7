//! Reads the results of earlier runs from the store, and writes those of this run to it.
//!
//! A store that fails does not stop a run, which continues without it and reports so. Results under
//! different options have different keys, so that they are never mistaken for each other.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::chain::{Cookie, RedirectPath};
use super::hosts;
use super::question::Request;
use crate::error::Error;
use crate::finding::{Note, NoteKind, Origin, Reach};
use crate::grammar::normalize::key;
use crate::grammar::split;
use crate::probe::robots::{PRODUCT, Robots};
use crate::probe::schedule::History;
use crate::probe::{Level, PROBES, Validators};
use crate::report::rot::is_parked;
use crate::run::hash::hash;
use crate::run::request_options::{RequestOptions, StateOptions};
use crate::store::results::{ARCHIVE, INVENTED};
use crate::store::{self, HostState, Key, Record, Run, Store, Stored, lifetime};

/// Interval at which results are flushed to disk: no more is lost when the machine crashes.
const FLUSH_EVERY: Duration = Duration::from_millis(250);

/// The longest delay of a host that is kept from an earlier run, in seconds: a server that asks for
/// years does so by mistake, and a clock that was set back must not keep a host from being probed.
const REST_SECONDS_MAX: u64 = 24 * 3_600;

/// The store, until it fails, and its run.
pub(in crate::run) struct Journal<'a> {
    options: &'a RequestOptions,
    state: &'a StateOptions,
    store: Option<Store>,
    run: Run,
    /// A hash of all options that change results.
    conditions: u128,
    failure: Option<Error>,
    flushed: Instant,
}

/// Stored knowledge about a link.
pub(super) enum Known {
    /// Nothing useful.
    Nothing,
    /// A result that replaces the request.
    Answer {
        reach: Reach,
        /// Whether it is from this run, before it was stopped.
        is_of_this_run: bool,
    },
    /// Validators for a conditional request.
    Version(Validators),
}

impl<'a> Journal<'a> {
    /// Opens the store and begins a run in it, if the options name one.
    ///
    /// # Errors
    /// When it cannot be opened: a run with a store does not go on without it.
    pub(super) fn open(options: &'a RequestOptions) -> Result<Option<Self>, Error> {
        let Some(state) = &options.state else { return Ok(None) };
        let probes: Vec<_> = PROBES
            .iter()
            .map(|probe| probe.name())
            .chain([Reach::UNREQUESTED, ARCHIVE, INVENTED])
            .collect();
        let store = match &state.within {
            Some(top) => Store::open_below(top, &state.path, &probes)?,
            None => Store::open(&state.path, &probes)?,
        };
        let mut store = store.counting_apart(state.confirm_gap.as_secs());
        let run = store.begin_run(&hash(&state.arguments).to_be_bytes(), now())?;
        let (conditions, flushed) = (conditions(options), Instant::now());
        let (store, failure) = (Some(store), None);
        Ok(Some(Self { options, state, store, run, conditions, failure, flushed }))
    }

    /// Looks up the stored knowledge about the target of `request`.
    pub(super) fn known(&mut self, request: &Request) -> Known {
        let key = self.key_of(request, None);
        let Some(stored) = self.find(&key) else { return Known::Nothing };
        if self.is_believed(&stored) {
            let is_of_this_run = stored.is_of_this_run;
            let reach = self.counted(stored.reach, stored.dead_runs);
            return Known::Answer { reach, is_of_this_run };
        }
        let (etag, last_modified) = (stored.etag, stored.last_modified);
        let has_version = etag.is_some() || last_modified.is_some();
        if has_version && self.state.is_cache {
            return Known::Version(Validators { etag, last_modified });
        }
        Known::Nothing
    }

    /// Returns the stored result for the fragment `place` of the page of `request`, if it is valid.
    pub(super) fn place(&mut self, request: &Request, place: &[u8]) -> Option<Reach> {
        let key = self.key_of(request, Some(place));
        let stored = self.find(&key)?;
        self.is_believed(&stored).then(|| self.counted(stored.reach, stored.dead_runs))
    }

    /// Stores `reach`; returns it with the number of runs that found it dead.
    pub(super) fn learn(
        &mut self,
        request: &Request,
        reach: Reach,
        validators: Option<&Validators>,
    ) -> Reach {
        let key = self.key_of(request, None);
        self.keep(request, &key, reach, validators)
    }

    /// Stores the result for the fragment `place` of a page. Fragments must be stored before their
    /// page: a stored page implies all its fragments.
    pub(super) fn learn_place(&mut self, request: &Request, place: &[u8], reach: Reach) -> Reach {
        let key = self.key_of(request, Some(place));
        self.keep(request, &key, reach, None)
    }

    /// Stores the redirects of `request`, in case the run is interrupted.
    pub(super) fn learn_way(&mut self, request: &Request, way: &RedirectPath) {
        let key = self.key_of(request, None);
        self.with(|store| store.record_way(&key, &way.hops, way.cookie.number()));
    }

    /// Returns the redirects of `request` that this run followed before it was stopped.
    pub(super) fn way(&mut self, request: &Request) -> Option<RedirectPath> {
        if !self.run.is_continued {
            return None;
        }
        let key = self.key_of(request, None);
        let (hops, cookie) = self.with(|store| store.way(&key)).flatten()?;
        Some(RedirectPath { hops, cookie: Cookie::of_number(cookie) })
    }

    fn keep(
        &mut self,
        request: &Request,
        stands_for: &Key,
        reach: Reach,
        validators: Option<&Validators>,
    ) -> Reach {
        if lifetime(reach.class) == 0 {
            return reach;
        }
        let text = key(request.uri().text);
        let marked = marked(request, &reach);
        let record = Record {
            uri: split(&text),
            reach: marked.as_ref().unwrap_or(&reach),
            etag: validators.and_then(|validators| validators.etag.as_deref()),
            last_modified: validators.and_then(|validators| validators.last_modified.as_deref()),
            asked_at: now(),
        };
        let stored = self.with(|store| {
            store.record(stands_for, &record)?;
            store.lookup(stands_for, now(), None)
        });
        let stored = stored.flatten();
        let content = stored.as_ref().and_then(|stored| stored.reach.content.as_ref());
        let changed_since = content.and_then(|content| content.changed_since);
        // The page of a service that parks names is none of the site's.
        let is_parked = || is_parked(&text, &mut reach.hops.iter().map(|hop| &*hop.to));
        let changed_since = changed_since.filter(|_| !is_parked());
        let reach = reach.with_changed_since(changed_since);
        self.counted(reach, stored.map_or(0, |stored| stored.dead_runs))
    }

    fn find(&mut self, key: &Key) -> Option<Stored> {
        let max_age = self.max_age();
        self.with(|store| store.lookup(key, now(), max_age)).flatten()
    }

    /// Reports whether a stored result replaces the request.
    fn is_believed(&self, stored: &Stored) -> bool {
        // Time is counted in seconds: an entry of this second has age 0, so a maximum of 0 disables
        // the cache.
        let is_cache = self.state.is_cache && self.max_age() != Some(0);
        stored.is_of_this_run || stored.is_fresh && is_cache
    }

    fn max_age(&self) -> Option<u64> {
        self.state.max_age.map(|age| age.as_secs())
    }

    /// Returns `reach` with what earlier runs learnt, as far as the options ask for it.
    fn counted(&self, reach: Reach, dead_runs: u32) -> Reach {
        let reach = if self.options.reports_drift { reach } else { reach.with_changed_since(None) };
        if dead_runs == 0 || self.state.confirm <= 1 {
            return reach;
        }
        Reach { dead_runs: Some(dead_runs), ..reach }
    }

    /// Returns the key of a link and its kind of request, or of a fragment of its page.
    fn key_of(&self, request: &Request, place: Option<&[u8]>) -> Key {
        let asked = match (request.level(), request.wants_body()) {
            (Level::Host, _) => "host",
            (Level::Head, false) => "head",
            (Level::Get, false) => "get",
            (_, true) => "page",
        };
        let of_host = hosts::conditions(request, self.options);
        let careful = if request.is_careful() { "careful" } else { "" };
        let place = place.map(|place| place.escape_ascii().to_string()).unwrap_or_default();
        let conditions = self.conditions;
        let lookup = request.lookup().map(|lookup| format!("archive {:?} ", lookup.dates));
        let lookup = lookup.unwrap_or_default();
        let mut reads = if request.reads() { " whole".to_owned() } else { String::new() };
        for name in request.beside() {
            reads.extend([" beside ", &name.escape_ascii().to_string()]);
        }
        let asked =
            format!("{lookup}{asked}{reads} {of_host:?} {careful} {conditions:032x} #{place}");
        Key::of(&split(&key(request.uri().text)), &asked)
    }

    /// Returns the stored history of the host called `name`, at `here` milliseconds of the run's
    /// clock.
    pub(super) fn history(&mut self, name: &str, here: u64) -> History {
        let known = self.with(|store| store.host(name)).flatten().unwrap_or_default();
        let rest = known.next_at.saturating_sub(now());
        let rest = if rest > REST_SECONDS_MAX { 0 } else { rest.saturating_mul(1_000) };
        History {
            rests_until: if rest == 0 { 0 } else { here.saturating_add(rest) },
            gap: known.gap,
            // Without the cache, a dead host is probed again.
            failures: if self.state.is_cache { known.failures } else { 0 },
        }
    }

    /// Returns the stored robots.txt of the host called `name`, if it is valid.
    pub(super) fn robots(&mut self, name: &str) -> Option<Robots> {
        let known = self.with(|store| store.host(name)).flatten()?.robots?;
        let age = now().checked_sub(known.asked_at)?;
        let most = self.max_age().unwrap_or(u64::MAX).min(store::ROBOTS_SECONDS_MAX);
        let is_of_this_run = known.asked_at >= self.run.started && self.run.is_continued;
        let is_fresh = self.state.is_cache && age < most;
        let is_believed = is_of_this_run || is_fresh;
        is_believed.then(|| Robots::parse(&known.text, PRODUCT))
    }

    /// Stores robots.txt of the host called `name`, if it is known.
    pub(super) fn learn_robots(&mut self, name: &str, robots: &Robots) {
        let Some(text) = robots.to_text() else { return };
        let robots = store::Robots { status: ROBOTS_STATUS, text, asked_at: now() };
        self.change_host(name, |state| state.robots = Some(robots));
    }

    /// Stores the history of the host called `name`, at `here` milliseconds of the run's clock.
    pub(super) fn learn_history(&mut self, name: &str, history: &History, here: u64) {
        let rest = history.rests_until.saturating_sub(here).div_ceil(1_000);
        self.change_host(name, |state| {
            // Rounds up, so that the delay never becomes too short.
            let rest = if rest == 0 { 0 } else { rest.saturating_add(1).min(REST_SECONDS_MAX) };
            state.next_at = if rest == 0 { 0 } else { now().saturating_add(rest) };
            (state.gap, state.failures) = (history.gap, history.failures);
        });
    }

    fn change_host(&mut self, name: &str, change: impl FnOnce(&mut HostState)) {
        self.with(|store| {
            let known = store.host(name)?.unwrap_or_default();
            let mut state = known.clone();
            change(&mut state);
            if state == known { Ok(()) } else { store.record_host(name, &state, now()) }
        });
    }

    /// Commits all results, so that none is lost when the program is killed.
    pub(super) fn commit(&mut self) {
        self.with(Store::keep);
    }

    /// Flushes results to disk, if it is time.
    pub(super) fn tick(&mut self) {
        if self.flushed.elapsed() >= FLUSH_EVERY {
            self.with(Store::flush);
            self.flushed = Instant::now();
        }
    }

    /// Flushes all results to disk; returns a note if the store failed at any time.
    pub(super) fn flush(&mut self) -> Option<Note> {
        self.with(Store::flush);
        self.note()
    }

    /// Ends the run, which is complete and reported. Returns a note if the store failed.
    pub(in crate::run) fn finish(mut self) -> Option<Note> {
        self.with(|store| store.finish_run(now()));
        self.note()
    }

    fn note(&mut self) -> Option<Note> {
        let failure = self.failure.take()?;
        let origin = Origin { path: self.state.path.clone(), ..Origin::default() };
        let message = format!("{failure}: what was learnt since is not kept");
        Some(Note { kind: NoteKind::StateLost, origin, offset: None, message })
    }

    fn with<T>(&mut self, work: impl FnOnce(&mut Store) -> Result<T, Error>) -> Option<T> {
        match work(self.store.as_mut()?) {
            Ok(done) => Some(done),
            Err(error) => {
                self.failure = Some(error);
                self.store = None;
                None
            }
        }
    }
}

/// Returns `reach` as it is stored for `request`, if that is no link: with a probe of its own, so
/// that reports on the state do not count it.
fn marked(request: &Request, reach: &Reach) -> Option<Reach> {
    let probe = match request.lookup() {
        Some(_) => ARCHIVE,
        None if request.beside().next().is_some() => INVENTED,
        None => return None,
    };
    if reach.probe == probe {
        return None;
    }
    // Hints of other probes are no list of mementos.
    let hint = reach.hint.clone().filter(|_| probe != ARCHIVE);
    Some(Reach { probe, hint, ..reach.clone() })
}

/// The status that is stored with a robots.txt: every response is reduced to a file.
const ROBOTS_STATUS: u16 = 200;

/// Returns a hash of the options that change results, except the probe level: allowed connections
/// and proxies, trusted certificates, name servers, timeouts, and the client's own identification.
fn conditions(options: &RequestOptions) -> u128 {
    let net = &options.net;
    let text = format!(
        "{:?}",
        (
            (&net.guard, &net.timeouts, &net.agent, &net.name_servers, &net.trust),
            (&net.proxy, &net.news_server, &net.urn_resolver, &net.fields),
        )
    );
    hash(text.as_bytes())
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
