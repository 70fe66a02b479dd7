//! Calls third-party decoders and parsers, which may panic on hostile input.

use std::panic::{self, AssertUnwindSafe};

/// Returns the result of `read`, which calls third-party code; `None` if that panics.
pub(in crate::source) fn caught<T>(read: impl FnOnce() -> T) -> Option<T> {
    panic::catch_unwind(AssertUnwindSafe(read)).ok()
}
