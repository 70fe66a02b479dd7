//! Stub.
use std::time::Duration;

use super::Kept;
use super::tcp::Net;

/// Rules.
#[derive(Clone, Debug, Default)]
pub struct Robots;

impl Robots {
    /// Allows.
    pub fn allows(&self, _: &[u8]) -> bool {
        true
    }
    /// Delay.
    pub fn crawl_delay(&self) -> Option<Duration> {
        None
    }
}

/// Fetch.
pub async fn fetch(_: &str, _: &Net, _: &mut Kept) -> Robots {
    Robots
}
