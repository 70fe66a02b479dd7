//! A memory with a limit, for any number of threads.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Mutex, PoisonError};

/// Parts of a memory, each behind a lock of its own.
const SHARDS: usize = 16;
/// Bytes that a part remembers: some 64 MB for all parts of one memory.
const SHARD_WEIGHT_MAX: usize = 4 * 1024 * 1024;
/// Bytes that an entry takes beside its path and what is said of it.
const ENTRY_WEIGHT: usize = 64;

/// What was said of paths. A part that is full forgets all.
pub(super) struct Memory<T> {
    shards: [Mutex<Shard<T>>; SHARDS],
    hasher: RandomState,
}

struct Shard<T> {
    entries: HashMap<Box<[u8]>, T>,
    weight: usize,
}

impl<T> Default for Memory<T> {
    fn default() -> Self {
        let shard = |_| Mutex::new(Shard { entries: HashMap::new(), weight: 0 });
        Self { shards: std::array::from_fn(shard), hasher: RandomState::new() }
    }
}

impl<T: Clone> Memory<T> {
    /// What is known of `path`, or what `make` says, which is asked without a lock and may be
    /// asked twice.
    pub(super) fn of(
        &self,
        path: &[u8],
        weight: impl Fn(&T) -> usize,
        make: impl FnOnce() -> T,
    ) -> T {
        if let Some(known) = self.with(path, |shard| shard.entries.get(path).cloned()) {
            return known;
        }
        let made = make();
        self.with(path, |shard| {
            shard.add(path.len() + ENTRY_WEIGHT + weight(&made));
            shard.entries.entry(path.into()).or_insert(made).clone()
        })
    }

    /// Counts what was learnt of `path` since.
    pub(super) fn weigh(&self, path: &[u8], weight: usize) {
        if weight > 0 {
            self.with(path, |shard| shard.add(weight));
        }
    }

    fn with<R>(&self, path: &[u8], ask: impl FnOnce(&mut Shard<T>) -> R) -> R {
        let of_path = usize::try_from(self.hasher.hash_one(path) % SHARDS as u64).unwrap_or(0);
        // There are as many shards as the remainder may say.
        let shard = self.shards.get(of_path).unwrap_or(&self.shards[0]);
        ask(&mut shard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T> Shard<T> {
    fn add(&mut self, weight: usize) {
        self.weight += weight;
        if self.weight > SHARD_WEIGHT_MAX {
            self.entries.clear();
            self.weight = weight;
        }
    }
}
