//! Runs work on threads outside of the pool: the pool's threads may be waiting for the writer,
//! which must not wait for them.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// Calls `work` once for each of `items`, on up to `threads` threads, of which the calling thread
/// is one.
///
/// If the system gives no more threads, this one does the rest.
pub(super) fn for_each_on<I: Send>(
    threads: usize,
    items: impl Iterator<Item = I>,
    work: impl Fn(I) + Sync,
) {
    let items: Vec<I> = items.collect();
    let others = threads.min(items.len()).saturating_sub(1);
    let items = Mutex::new(items.into_iter());
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let take_turns = || {
        while let Some(item) = next() {
            work(item);
        }
    };
    thread::scope(|scope| {
        for _ in 0..others {
            if thread::Builder::new().spawn_scoped(scope, take_turns).is_err() {
                break;
            }
        }
        take_turns();
    });
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Mutex;
    use std::thread;

    use super::for_each_on;

    #[test]
    fn each_item_is_worked_on_once_with_any_number_of_threads() {
        for threads in [0, 1, 2, 3, 9] {
            let mut items = vec![0; 5];
            for_each_on(threads, items.iter_mut(), |item| *item += 1);
            assert_eq!(items, [1; 5], "{threads} threads");
        }
    }

    /// Number of times that a thread yields before it concludes that there are no others.
    const TURNS_MAX: usize = 10_000_000;

    #[test]
    fn as_many_threads_as_were_asked_for_work_side_by_side() {
        let seen = Mutex::new(HashSet::new());
        for_each_on(3, 0..3, |_| {
            seen.lock().unwrap().insert(thread::current().id());
            // A single thread would have to take the next item, and be seen once.
            (0..TURNS_MAX).take_while(|_| seen.lock().unwrap().len() < 3).for_each(|_| {
                thread::yield_now();
            });
        });
        assert_eq!(seen.into_inner().unwrap().len(), 3);
    }
}
