//! What earlier runs learnt, and what this one learns, on its way to and from the store.
//!
//! A store that fails does not stop a run: it goes on without, and says so.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::question::Errand;
use crate::error::Error;
use crate::finding::{Note, NoteKind, Origin, Reach};
use crate::grammar::normalize::key;
use crate::grammar::split;
use crate::probe::{Level, PROBES, Validators};
use crate::run::asking::State;
use crate::run::unit::hash;
use crate::store::{Key, Record, Store, lifetime};

/// How often what was learnt is put on the disk: no more is lost when the program is killed.
const FLUSH_EVERY: Duration = Duration::from_millis(250);

/// The store, as long as it works.
pub(super) struct Journal<'a> {
    state: &'a State,
    store: Option<Store>,
    failure: Option<Error>,
    flushed: Instant,
}

/// What is known of a link beforehand.
pub(super) enum Known {
    /// Nothing that helps.
    Nothing,
    /// Enough: it need not be asked.
    Answer(Reach),
    /// What to compare with.
    Version(Validators),
}

impl<'a> Journal<'a> {
    /// Opens the store and begins a run in it.
    ///
    /// # Errors
    /// When it cannot be opened: who asked for one does not want to do without.
    pub(super) fn open(state: &'a State) -> Result<Self, Error> {
        let probes: Vec<_> = PROBES.iter().map(|probe| probe.name()).chain(["none"]).collect();
        let mut store = Store::open(&state.path, &probes)?;
        store.begin_run(&hash(&state.arguments).to_be_bytes(), now())?;
        Ok(Self { state, store: Some(store), failure: None, flushed: Instant::now() })
    }

    /// What is known of what `errand` asks.
    pub(super) fn known(&mut self, errand: &Errand) -> Known {
        let max_age = self.state.max_age.map(|age| age.as_secs());
        let found = self.with(|store| store.lookup(&key_of(errand), now(), max_age)).flatten();
        let Some(stored) = found else { return Known::Nothing };
        // Time is counted in seconds: what is no second old has no age.
        let is_believed = self.state.is_cache && max_age != Some(0);
        if stored.is_of_this_run || stored.is_fresh && is_believed {
            return Known::Answer(self.counted(stored.reach, stored.dead_runs));
        }
        let (etag, last_modified) = (stored.etag, stored.last_modified);
        let has_version = etag.is_some() || last_modified.is_some();
        if has_version && self.state.is_cache {
            return Known::Version(Validators { etag, last_modified });
        }
        Known::Nothing
    }

    /// Keeps what was learnt; gives it with the number of runs that found it so.
    pub(super) fn learn(
        &mut self,
        errand: &Errand,
        reach: Reach,
        validators: Option<&Validators>,
    ) -> Reach {
        if lifetime(reach.class) == 0 {
            return reach;
        }
        let stands_for = key_of(errand);
        let text = key(errand.uri().text);
        let record = Record {
            uri: split(&text),
            reach: &reach,
            etag: validators.and_then(|validators| validators.etag.as_deref()),
            last_modified: validators.and_then(|validators| validators.last_modified.as_deref()),
            asked_at: now(),
        };
        let dead_runs = self.with(|store| {
            store.record(&stands_for, &record)?;
            Ok(store.lookup(&stands_for, now(), None)?.map_or(0, |stored| stored.dead_runs))
        });
        self.counted(reach, dead_runs.unwrap_or(0))
    }

    fn counted(&self, reach: Reach, dead_runs: u32) -> Reach {
        if dead_runs == 0 || self.state.confirm <= 1 {
            return reach;
        }
        Reach { dead_runs: Some(dead_runs), ..reach }
    }

    /// Puts what was learnt on the disk, if it is time.
    pub(super) fn tick(&mut self) {
        if self.flushed.elapsed() >= FLUSH_EVERY {
            self.with(Store::flush);
            self.flushed = Instant::now();
        }
    }

    /// Ends the run, whole or not; gives a note if the store failed on the way.
    pub(super) fn finish(mut self, is_whole: bool) -> Option<Note> {
        if is_whole {
            self.with(|store| store.finish_run(now()));
        } else {
            self.with(Store::flush);
        }
        let failure = self.failure?;
        let origin = Origin { path: self.state.path.clone(), members: Vec::new() };
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

/// What stands for a link and the way it is asked.
fn key_of(errand: &Errand) -> Key {
    let asked = match (errand.level(), errand.wants_body()) {
        (Level::Host, _) => "host",
        (Level::Head, false) => "head",
        (Level::Get, false) => "get",
        (_, true) => "page",
    };
    Key::of(&split(&key(errand.uri().text)), asked)
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
