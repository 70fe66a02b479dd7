//! Reads the environment, as no other module but `terminal` does: variables, terminals, number of
//! processors.

pub(crate) mod terminal;

use std::env;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use crate::platform;

/// Returns the user's home directory, if it is set.
pub(crate) fn home() -> Option<PathBuf> {
    variable(platform::HOME).map(PathBuf::from)
}

/// Returns the file that GitHub reads the job summary from, on GitHub's runners.
pub(crate) fn step_summary() -> Option<PathBuf> {
    variable("GITHUB_STEP_SUMMARY").map(PathBuf::from)
}

/// Returns the value of the variable `name`, unless it is empty.
pub(crate) fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// Reports whether the variable `name` is set, even if it is empty.
pub(crate) fn is_set(name: &str) -> bool {
    env::var_os(name).is_some()
}

/// Returns the number of threads that can run in parallel.
pub(crate) fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
