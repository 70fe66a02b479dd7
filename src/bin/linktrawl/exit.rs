//! The exit code, and what is no failure.

use std::io;
use std::process::ExitCode;

use linktrawl::Error;

/// What the exit code says.
#[derive(Clone, Copy)]
pub(crate) enum Exit {
    /// All is well: 0.
    Well,
    /// At least one link is malformed or dead, or two that were compared differ: 1.
    Found,
    /// The work could not be done in full: 2.
    Failed,
    /// A signal stopped it, and this tells which.
    Stopped(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Well => 0,
            Exit::Found => 1,
            Exit::Failed => 2,
            Exit::Stopped(code) => code,
        })
    }
}

/// Reports whether the reader of our output has gone away, which is their right: `| head`. It is
/// no failure, and what was found by then counts.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Error>().is_some_and(Error::is_broken_pipe)
        || error
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
