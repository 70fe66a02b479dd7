//! A bounded cache by path, shared by all threads.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Mutex, PoisonError};

/// Number of shards of a cache, each with its own lock.
const SHARDS: usize = 16;
/// Maximum size of a shard in bytes: some 64 MB for all shards of one cache.
const SHARD_WEIGHT_MAX: usize = 4 * 1024 * 1024;
/// Size in bytes of a cache entry without its path and its value.
const ENTRY_WEIGHT: usize = 64;

/// A cache of values by path. A shard that is full is cleared.
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
    /// Returns the cached value of `path`, or that of `make`, which is called without a lock and
    /// may be called twice.
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

    /// Adds `weight` to the shard of `path`, whose value has grown.
    pub(super) fn weigh(&self, path: &[u8], weight: usize) {
        if weight > 0 {
            self.with(path, |shard| shard.add(weight));
        }
    }

    fn with<R>(&self, path: &[u8], ask: impl FnOnce(&mut Shard<T>) -> R) -> R {
        let of_path = usize::try_from(self.hasher.hash_one(path) % SHARDS as u64).unwrap_or(0);
        // The remainder is less than the number of shards.
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
