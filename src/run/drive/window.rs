//! Adapts the number of requests in flight: just enough to keep the probing thread busy.
//!
//! Slow responses need many requests in flight. With fast ones, more requests are no faster: they
//! wait in a queue, and their data is no longer in the processor's cache when their turn comes. So
//! a run begins with few requests, and doubles their number whenever the thread was idle, up to the
//! limit.

use std::time::Duration;

use tokio::time::Instant;

/// Requests in flight in the beginning. Their memory fits into a processor's cache, and responses
/// within a millisecond keep it busy.
const AT_FIRST: usize = 64;

/// The shortest period that is measured: a few responses show little.
pub(super) const PERIOD: Duration = Duration::from_millis(10);

/// A thread is busy if it is idle for less than one of this many equal parts of a period. Some of
/// the time that the system takes to report events counts as idle, so even a busy thread seems idle
/// now and then.
const IDLE_PART: u32 = 4;

/// The limit on requests in flight.
pub(super) struct Window {
    size: usize,
    max: usize,
    /// Start of the period, and the thread's busy time until then.
    since: Instant,
    busy: Duration,
}

impl Window {
    /// Creates the window of a run that begins `now` and may have `max` requests in flight.
    pub(super) fn new(max: usize, now: Instant) -> Self {
        Self { size: max.min(AT_FIRST), max, since: now, busy: Duration::ZERO }
    }

    pub(super) const fn size(&self) -> usize {
        self.size
    }

    /// Reports whether the window is smaller than its maximum.
    pub(super) const fn may_grow(&self) -> bool {
        self.size < self.max
    }

    /// Begins a period `now`: before, the window was not the limit. `busy` is the thread's busy
    /// time since the run began.
    pub(super) fn begin(&mut self, now: Instant, busy: Duration) {
        (self.since, self.busy) = (now, busy);
    }

    /// Ends a period in which the window was full; reports whether the window has grown.
    pub(super) fn look_back(&mut self, now: Instant, busy: Duration) -> bool {
        let passed = now.duration_since(self.since);
        if passed < PERIOD || !self.may_grow() {
            return false;
        }
        let idle = passed.saturating_sub(busy.saturating_sub(self.busy));
        let was_idle = idle >= passed / IDLE_PART;
        if was_idle {
            self.size = self.size.saturating_mul(2).min(self.max);
        }
        self.begin(now, busy);
        was_idle
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{AT_FIRST, PERIOD, Window};

    #[test]
    fn a_window_grows_where_the_thread_is_idle() {
        let start = Instant::now();
        let mut window = Window::new(1000, start);
        // In the middle of a period, and with a busy thread.
        assert!(!window.look_back(start + PERIOD / 2, Duration::ZERO));
        assert!(!window.look_back(start + PERIOD, PERIOD));
        assert_eq!(window.size(), AT_FIRST);
        let mut now = start + PERIOD;
        for wanted in [128, 256, 512, 1000] {
            now += PERIOD;
            assert!(window.look_back(now, PERIOD + PERIOD / 2));
            assert_eq!(window.size(), wanted);
        }
        assert!(!window.look_back(now + PERIOD, PERIOD), "it is as large as it may be");
        assert_eq!(window.size(), 1000);
    }

    #[test]
    fn what_was_idle_for_other_reasons_does_not_count() {
        let start = Instant::now();
        let mut window = Window::new(1000, start);
        let later = start + 100 * PERIOD;
        window.begin(later, PERIOD);
        assert!(!window.look_back(later + 4 * PERIOD, 5 * PERIOD - PERIOD / 2));
        assert_eq!(window.size(), AT_FIRST);
    }

    #[test]
    fn a_window_is_no_larger_than_it_may_be() {
        let start = Instant::now();
        let mut window = Window::new(3, start);
        assert!(window.size() == 3 && !window.may_grow());
        assert!(!window.look_back(start + PERIOD, Duration::ZERO));
        assert_eq!(window.size(), 3);
    }
}
