//! Defines the threads that take over work of the thread that reads an input.

use std::fmt;
use std::sync::Arc;

/// Work for another thread.
pub type Task = Box<dyn FnOnce() + Send>;

/// The threads that take the work of a reader.
#[derive(Clone)]
pub struct SpareThreads {
    count: usize,
    give: Arc<dyn Fn(Task) + Send + Sync>,
}

impl SpareThreads {
    /// Returns `count` threads, to which `give` passes tasks. They begin tasks in the order given,
    /// and none of them waits for the reader.
    pub fn new(count: usize, give: impl Fn(Task) + Send + Sync + 'static) -> Self {
        Self { count, give: Arc::new(give) }
    }

    /// Returns the number of threads.
    #[cfg_attr(not(feature = "archives"), expect(dead_code, reason = "no decoder asks"))]
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Lets one of the threads do `task`.
    #[cfg_attr(not(feature = "archives"), expect(dead_code, reason = "no decoder asks"))]
    pub(super) fn give(&self, task: Task) {
        (self.give)(task);
    }
}

impl fmt::Debug for SpareThreads {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "SpareThreads({})", self.count)
    }
}
