//! Defines the parts of the program that differ between operating systems: standard streams, the
//! terminal, signals, directories that are held open, and owners. Each system has a file with the
//! same functions, and no other file of the program names a system; the library has a module of its
//! own for the same purpose.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

/// A directory that is held open, so that all operations happen in it, even if names on its path
/// change.
pub(crate) use system::Directory;

/// The use of a file that is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    /// To read and write a file that exists.
    Write,
    /// To read and write a file that does not exist yet.
    Create,
}

// ---- streams and the terminal -----------------------------------------------------------

/// Reports whether standard input was closed when the program began.
pub(crate) fn is_stdin_closed() -> bool {
    system::is_stdin_closed()
}

/// Reports whether standard output was closed when the program began.
pub(crate) fn is_stdout_closed() -> bool {
    system::is_stdout_closed()
}

/// Returns standard output and standard error as files, as far as they are open.
pub(crate) fn standing_files() -> [Option<File>; 2] {
    system::standing_files()
}

/// Reports whether standard output may be shown on a screen: by a terminal, or by a program that
/// reads it from a pipe. A regular file or `/dev/null` shows nothing.
pub(crate) fn may_stdout_be_shown() -> bool {
    system::may_stdout_be_shown()
}

/// Returns the columns of the terminal of standard error, if it reports its size.
pub(crate) fn columns() -> Option<u16> {
    system::columns()
}

// ---- the system -------------------------------------------------------------------------

/// The variable that has the user's own directory.
pub(crate) const HOME: &str = system::HOME;

/// Returns the name of this machine.
pub(crate) fn host() -> Vec<u8> {
    system::host()
}

/// Raises the limit on open files to the system's maximum, and returns it.
pub(crate) fn open_files_max() -> u64 {
    system::open_files_max()
}

/// Returns SIGHUP, if the system has it and it is known not to be ignored.
pub(crate) fn hangup() -> Option<i32> {
    system::hangup()
}

/// Lets a write beyond the limit on the size of files fail, instead of ending the program.
///
/// # Errors
/// When the system refuses.
pub(crate) fn outlive_file_limit() -> io::Result<()> {
    system::outlive_file_limit()
}

/// Calls `wake` on a thread of its own after each of `signals`, whose handlers set `stop`. On
/// Windows it is called once.
///
/// # Errors
/// When the system refuses.
pub(crate) fn call_after(
    signals: &[i32],
    stop: &Arc<AtomicBool>,
    wake: impl Fn() + Send + 'static,
) -> io::Result<()> {
    system::call_after(signals, stop, wake)
}

/// Calls `clear` on a thread of its own after the first of `signals` that is not ignored; the
/// signal then has its default effect. Does nothing on Windows, and where the system does not
/// report which signals are ignored.
///
/// # Errors
/// When the system refuses.
pub(crate) fn end_after(signals: &[i32], clear: impl Fn() + Send + 'static) -> io::Result<()> {
    system::end_after(signals, clear)
}

// ---- owners and permissions -------------------------------------------------------------

/// Gives `file` the owner and the group of the file that it replaces, as far as the system allows,
/// and no more permissions than that file had. On Windows the directory decides all of that.
///
/// # Errors
/// When the permissions cannot be set.
pub(crate) fn inherit(file: &File, replaced: &Metadata) -> io::Result<()> {
    system::inherit(file, replaced)
}

/// Reports whether two files are known to have one owner; on Windows, no owner is known.
pub(crate) fn have_one_owner(one: &Metadata, other: &Metadata) -> bool {
    system::have_one_owner(one, other)
}

/// Reports whether `file`, which was found at `path`, belongs to the owner of `input` or to an
/// administrator. On Windows, owners are unknown: only files below the directory `home` of the user
/// are trusted, where no other user may write.
pub(crate) fn is_trusted(
    path: &Path,
    file: &Metadata,
    input: &Metadata,
    home: Option<&Path>,
) -> bool {
    system::is_trusted(path, file, input, home)
}

/// Whether the owner of a file is known. Where none is, files of other programs are not trusted
/// without any reason to suspect them.
pub(crate) const KNOWS_OWNERS: bool = system::KNOWS_OWNERS;

/// Describes a file that is not trusted, after its name.
pub(crate) const DISTRUSTED: &str = system::DISTRUSTED;

/// Creates a symbolic link to `target` at `path`.
#[cfg(test)]
pub(crate) fn symlink(target: &str, path: &Path) -> io::Result<()> {
    system::symlink(target, path)
}
