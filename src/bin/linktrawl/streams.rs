//! Detects standard streams that are closed (`>&-`).
//!
//! Rust's runtime opens `/dev/null` in place of each closed stream before `main`, so that a report
//! would be lost silently. A user may also pass `/dev/null` on purpose, in any mode: the two cases
//! can only be distinguished before the runtime starts.

use std::sync::atomic::{AtomicU8, Ordering};

use rustix::io::{Errno, fcntl_getfd};
use rustix::stdio;

/// A bit for each stream that was closed, by its number.
static CLOSED: AtomicU8 = AtomicU8::new(0);

/// Checks the streams. The standard library is not ready yet: this makes two system calls and sets
/// a number.
#[ctor::ctor]
fn look() {
    let streams = [stdio::stdin(), stdio::stdout()];
    for (number, stream) in streams.into_iter().enumerate() {
        if fcntl_getfd(stream) == Err(Errno::BADF) {
            CLOSED.fetch_or(1 << number, Ordering::Relaxed);
        }
    }
}

/// Refuses to read standard input if it is closed.
///
/// # Errors
/// When it is closed.
pub(crate) fn need_stdin() -> anyhow::Result<()> {
    let is_closed = CLOSED.load(Ordering::Relaxed) & 1 != 0;
    anyhow::ensure!(!is_closed, "cannot read standard input: it is closed");
    Ok(())
}

/// Refuses to write to standard output if it is closed.
///
/// # Errors
/// When it is closed.
pub(crate) fn need_stdout() -> anyhow::Result<()> {
    let is_closed = CLOSED.load(Ordering::Relaxed) & 2 != 0;
    anyhow::ensure!(!is_closed, "cannot write stdout: it is closed");
    Ok(())
}
