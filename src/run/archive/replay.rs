//! Forms the addresses at which mementos are replayed.

use crate::probe::archive::{Snapshot, digits};

/// Returns the address at which `found` is replayed below `replay`.
pub(in crate::run) fn replayed(replay: &str, found: &Snapshot) -> Vec<u8> {
    let original = found.original.as_deref().unwrap_or_default();
    [replay.as_bytes(), digits(found.time).as_bytes(), b"/", original].concat()
}
