//! How many questions are under way at once: as many as keep the thread busy that asks them.
//!
//! Where answers take their time, much has to be under way. Where they come as fast as they are
//! taken, more at once is no faster: it waits in line here, and what is known of it is no more at
//! hand when its turn comes. So a run begins with few questions, and has twice as many whenever
//! the thread had too little to do with them, up to what it is allowed.

use std::time::Duration;

use tokio::time::Instant;

/// Questions at once in the beginning. What they need fits into the memory that is near a
/// processor, and answers in less than a millisecond keep it busy.
const AT_FIRST: usize = 64;

/// The time that is looked back on, at least: a few answers say little.
pub(super) const PERIOD: Duration = Duration::from_millis(10);

/// A thread that is idle for less than one of this many equal parts of a period is busy. Some of
/// the time that the system takes to say what has come counts as idle, so that even a busy thread
/// seems idle now and then.
const IDLE_PART: u32 = 4;

/// How many questions may be under way.
pub(super) struct Window {
    size: usize,
    max: usize,
    /// When the period began, and how long the thread had been busy by then.
    since: Instant,
    busy: Duration,
}

impl Window {
    /// For a run that begins `now` and may have `max` questions under way.
    pub(super) fn new(max: usize, now: Instant) -> Self {
        Self { size: max.min(AT_FIRST), max, since: now, busy: Duration::ZERO }
    }

    pub(super) const fn size(&self) -> usize {
        self.size
    }

    /// True while it is not as large as it may be.
    pub(super) const fn may_grow(&self) -> bool {
        self.size < self.max
    }

    /// Begins a period: until `now` it was not for the window that no more was asked. The thread
    /// was `busy` for so long since the run began.
    pub(super) fn begin(&mut self, now: Instant, busy: Duration) {
        (self.since, self.busy) = (now, busy);
    }

    /// Looks back at a period in which the window was full; true when it is larger from now on.
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
        // In the middle of nothing, and with a thread that has all hands full.
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
