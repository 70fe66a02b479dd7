//! What `check` may ask of the world, and how its answers are judged.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::check::Policy;
use crate::probe::Level;

/// How links are asked.
pub struct Asking {
    /// How much may be asked of links in mail and news, which strangers write.
    pub mail: Level,
    /// How much may be asked of all others.
    pub documents: Level,
    /// Links of mail that may do something when asked for are asked, too.
    pub side_effects: bool,
    /// Nothing but local links is looked up.
    pub is_offline: bool,
    /// What answers are taken for.
    pub policy: Policy,
    /// Set when somebody wants the run to end.
    pub stop: Arc<AtomicBool>,
}

impl Asking {
    /// True when somebody wants the run to end.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
