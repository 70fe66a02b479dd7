//! Holds what differs between operating systems: names as bytes, the identity of files, opening
//! without waiting, and reading at an offset. Each system has a file with the same functions, and
//! no other file of the library names a system.
//!
//! Paths are bytes with `/` between names everywhere else, as in records. On Windows a path is
//! rewritten so when it enters ([`slashed`]), and its bytes are those of WTF-8, in which every name
//! of that system can be written. Not covered: names of NT that Windows itself cannot open.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

#[cfg(any(windows, test))]
mod dos;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

/// Whether the system finds a file by its name in any case of letters.
pub const FOLDS_CASE: bool = cfg!(any(target_os = "macos", target_os = "windows"));

/// The device and the inode of a file, or the volume and the index: equal for all of its names.
pub type Identity = (u64, u64);

/// A name of the operating system as bytes.
pub trait OsBytes {
    /// Returns the bytes of the name: on Windows in WTF-8, elsewhere as the system has them.
    fn as_bytes(&self) -> &[u8];
}

impl OsBytes for OsStr {
    fn as_bytes(&self) -> &[u8] {
        system::bytes(self)
    }
}

/// Reports whether a connection failed with the error `code` for want of something in this system:
/// files, buffers, local ports, or memory.
#[must_use]
pub fn is_exhausted(code: i32) -> bool {
    system::is_exhausted(code)
}

// ---- names ------------------------------------------------------------------------------

/// Returns the name with these bytes. On Windows, bytes that are no WTF-8 become U+FFFD.
#[must_use]
pub fn os_of(bytes: &[u8]) -> Cow<'_, OsStr> {
    system::os_of(bytes)
}

/// Returns the path with these bytes; see [`os_of`].
#[must_use]
pub fn path_of(bytes: &[u8]) -> Cow<'_, Path> {
    match os_of(bytes) {
        Cow::Borrowed(name) => Cow::Borrowed(Path::new(name)),
        Cow::Owned(name) => Cow::Owned(name.into()),
    }
}

/// Returns the path with the bytes that [`lasting`] returned, without a copy.
pub(crate) fn path_in(bytes: &[u8]) -> &Path {
    system::path_in(bytes)
}

/// Returns the bytes of a path for [`path_in`]. On Windows, unpaired surrogates become U+FFFD.
pub(crate) fn lasting(path: &Path) -> Cow<'_, [u8]> {
    system::lasting(path)
}

/// Returns `path` with `/` between names. Only on Windows is it another path than before: the
/// separators of a verbatim path (`\\?\`) stay.
#[must_use]
pub fn slashed(path: PathBuf) -> PathBuf {
    system::slashed(path)
}

/// Splits a path that a walk made into the bytes of its directory and the name in it; `None` as
/// the directory of a name alone.
pub(crate) fn split(path: &Path) -> (Option<&[u8]>, Cow<'_, OsStr>) {
    system::split(path)
}

/// Returns the root that the bytes of a path begin with, if it is absolute.
pub(crate) fn root_of(path: &[u8]) -> Option<&[u8]> {
    system::root_of(path)
}

/// Splits the path of a `file` URI into the root that it names and the rest; `None` if this system
/// has no such root.
pub(crate) fn root_of_uri(path: &[u8]) -> Option<(Cow<'static, [u8]>, &[u8])> {
    system::root_of_uri(path)
}

/// Returns `path` without symbolic links and dots, as [`std::fs::canonicalize`] does. On Windows it
/// is [`slashed`], and no verbatim path unless it must be one.
///
/// # Errors
/// The errors of [`std::fs::canonicalize`].
pub fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    system::canonicalize(path)
}

/// Reports whether the system takes the name of `path` for that of a device in any directory.
#[must_use]
pub fn is_device(path: &Path) -> bool {
    system::is_device(path)
}

// ---- files ------------------------------------------------------------------------------

/// Returns the metadata of the file that a link names, with symbolic links followed. On Windows,
/// names that mean a device, a stream or a file with another name lead nowhere.
pub(crate) fn look(path: &Path) -> io::Result<Metadata> {
    system::look(path)
}

/// Returns the metadata of a file that the user named. On Windows, names of devices mean files, as
/// in [`open`].
pub(crate) fn metadata(path: &Path) -> io::Result<Metadata> {
    system::metadata(path)
}

/// Returns the identity of the file at `path`, whose metadata is `found`.
#[must_use]
pub fn identity(path: &Path, found: &Metadata) -> Option<Identity> {
    system::identity(path, found)
}

/// Returns the identity of an open file.
#[must_use]
pub fn identity_of(file: &File) -> Option<Identity> {
    system::identity_of(file)
}

/// Returns the identity of the file at `path`, whose metadata is `found`, and the number of its
/// names.
pub(crate) fn names_of(path: &Path, found: &Metadata) -> Option<(Identity, u64)> {
    system::names_of(path, found)
}

/// Reports whether this process has a file with this identity open; `None` if the system does not
/// list them. Opens no file: closing one would release the locks that the process has on it.
pub(crate) fn has_open(identity: Identity) -> Option<bool> {
    system::has_open(identity)
}

/// Opens a file for reading. Does not wait for a pipe, and on Windows opens no device: there `NUL`
/// and `con.txt` mean files of that name, which other systems write.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    system::open(path)
}

/// Opens a file like [`open`], but no symbolic link.
pub(crate) fn open_no_link(path: &Path) -> io::Result<File> {
    system::open_no_link(path)
}

/// Reports whether `error` of opening a file means that it is a link or a socket.
pub(crate) fn is_no_file(error: &io::Error) -> bool {
    system::is_no_file(error)
}

/// Reads bytes of `file` from the offset `at` on, and leaves the position of the file as it is.
pub(crate) fn read_at(file: &File, out: &mut [u8], at: u64) -> io::Result<usize> {
    system::read_at(file, out, at)
}

/// Makes `options` create files that only their owner may read. On Windows the directory decides
/// that.
pub(crate) fn make_private(options: &mut OpenOptions) {
    system::make_private(options);
}

/// Returns the target of the symbolic link at `path`; `None` if it is no link.
pub(crate) fn read_link(path: &Path) -> io::Result<Option<PathBuf>> {
    system::read_link(path)
}

/// Reports whether the error with this number means that a path does not exist: no such name, or a
/// file where a directory would have to be.
pub(crate) fn is_missing(code: i32) -> bool {
    system::is_missing(code)
}

/// The number of an error about which nothing is known.
pub(crate) const UNKNOWN_ERROR: i32 = system::UNKNOWN_ERROR;

/// Creates a symbolic link to `target` at `path`.
#[cfg(test)]
pub(crate) fn symlink(target: &Path, path: &Path) -> io::Result<()> {
    system::symlink(target, path)
}
