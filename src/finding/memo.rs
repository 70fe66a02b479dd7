//! Caches values that are computed from the fields of findings.
//!
//! A cache is no part of the value that holds it: comparison, hashes and clones ignore it.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// A cache of values that depend on a URI and its facts alone.
#[derive(Clone, Default)]
pub struct Memo {
    /// A hash that identifies the URI where distinct links are counted; for a relative reference,
    /// without its base.
    pub hash: Cached<u128>,
    /// Encoded parts of a record.
    pub record: Encodings<[Box<[u8]>; 2]>,
}

/// Omits the text, which may contain passwords.
impl fmt::Debug for Memo {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Memo").finish_non_exhaustive()
    }
}

/// A cache of values that depend on an origin alone.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct OriginMemo {
    /// Its encoded fields in a record.
    pub record: Encodings<Box<[u8]>>,
    /// Its year, by its names and its date, for the one encoding that caches it here.
    pub year: Cached<Option<u16>>,
    /// Hashes of the bases that relative references without a declared base have, by the kind of
    /// the reference; `None` for one that means the same everywhere.
    pub starts: [Cached<Option<u128>>; 3],
}

/// A cached value computed from other fields. Two caches always compare as equal.
#[derive(Debug)]
pub struct Cached<T> {
    value: OnceLock<T>,
    was_requested: AtomicBool,
}

impl<T> Cached<T> {
    /// Returns the cached value; `work_out` computes it the first time.
    pub fn get_or(&self, work_out: impl FnOnce() -> T) -> &T {
        self.value.get_or_init(work_out)
    }

    /// Reports whether a value is cached.
    pub fn is_cached(&self) -> bool {
        self.value.get().is_some()
    }

    /// Returns the cached value. `work_out` computes it at the second call; the first one only
    /// returns a value that is cached already, since a value that is used once is not worth the
    /// memory.
    pub fn get_from_second(&self, work_out: impl FnOnce() -> T) -> Option<&T> {
        if self.was_requested.load(Ordering::Relaxed) {
            return Some(self.get_or(work_out));
        }
        self.was_requested.store(true, Ordering::Relaxed);
        self.value.get()
    }
}

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self { value: OnceLock::new(), was_requested: AtomicBool::new(false) }
    }
}

/// A clone starts empty, since its other fields may change.
impl<T> Clone for Cached<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> PartialEq for Cached<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Cached<T> {}

impl<T> Hash for Cached<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// Caches of encoded fields, one for each encoding of records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Encodings<T> {
    /// The fields in a line of the `ndjson` format.
    pub line: Cached<T>,
    /// The fields in a row of columns.
    pub row: Cached<T>,
}
