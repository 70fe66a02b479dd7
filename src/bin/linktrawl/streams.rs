//! Detects standard streams that are closed (`>&-`).
//!
//! Rust's runtime opens `/dev/null` in place of each closed stream before `main`, so that a report
//! would be lost silently. A user may also pass `/dev/null` on purpose, in any mode: the two cases
//! can only be distinguished before the runtime starts.

use crate::platform;

/// Refuses to read standard input if it is closed.
///
/// # Errors
/// When it is closed.
pub(crate) fn need_stdin() -> anyhow::Result<()> {
    anyhow::ensure!(!platform::is_stdin_closed(), "cannot read standard input: it is closed");
    Ok(())
}

/// Refuses to write to standard output if it is closed.
///
/// # Errors
/// When it is closed.
pub(crate) fn need_stdout() -> anyhow::Result<()> {
    anyhow::ensure!(!platform::is_stdout_closed(), "cannot write stdout: it is closed");
    Ok(())
}
