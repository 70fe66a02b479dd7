//! Defines the exit codes, and recognises errors that are no failure.

use std::io;
use std::process::ExitCode;

use linktrawl::Error;

/// The outcome of the program, with its exit code.
#[derive(Clone, Copy)]
pub(crate) enum Exit {
    /// No problem: 0.
    Well,
    /// At least one link is malformed or dead, or two that were compared differ: 1.
    Found,
    /// The work is incomplete: 2.
    Failed,
    /// A signal stopped it: its exit code.
    Stopped(u8),
    /// One part of the inputs was scanned, for an engine: its exit code.
    Split(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Well => 0,
            Exit::Found => 1,
            Exit::Failed => 2,
            Exit::Stopped(code) | Exit::Split(code) => code,
        })
    }
}

/// Reports whether the reader of our output has closed the pipe, as `| head` does. It is no
/// failure, and the findings until then count.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Error>().is_some_and(Error::is_broken_pipe)
        || error
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
