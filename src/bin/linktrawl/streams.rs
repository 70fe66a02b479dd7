//! Standard streams that are closed (`>&-`).
//!
//! Rust's runtime opens `/dev/null` in the place of each before `main`, so that a report would be
//! written to nowhere without a word. Whoever means `/dev/null` gives it, in whatever mode: only
//! before the runtime can the two be told apart.

use std::sync::atomic::{AtomicU8, Ordering};

use rustix::io::{Errno, fcntl_getfd};
use rustix::stdio;

/// A bit for each stream that was closed, by its number.
static CLOSED: AtomicU8 = AtomicU8::new(0);

/// Looks at the streams. The standard library is not ready yet: this makes two system calls and
/// sets a number.
#[ctor::ctor]
fn look() {
    let streams = [stdio::stdin(), stdio::stdout()];
    for (number, stream) in streams.into_iter().enumerate() {
        if fcntl_getfd(stream) == Err(Errno::BADF) {
            CLOSED.fetch_or(1 << number, Ordering::Relaxed);
        }
    }
}

/// Refuses to read standard input where it is closed.
///
/// # Errors
/// When it is.
pub(crate) fn need_stdin() -> anyhow::Result<()> {
    let is_closed = CLOSED.load(Ordering::Relaxed) & 1 != 0;
    anyhow::ensure!(!is_closed, "cannot read standard input: it is closed");
    Ok(())
}

/// Refuses to write to standard output where it is closed.
///
/// # Errors
/// When it is.
pub(crate) fn need_stdout() -> anyhow::Result<()> {
    let is_closed = CLOSED.load(Ordering::Relaxed) & 2 != 0;
    anyhow::ensure!(!is_closed, "cannot write stdout: it is closed");
    Ok(())
}
