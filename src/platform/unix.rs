//! Names, files and links of Unix.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use super::Identity;

pub(super) fn bytes(name: &OsStr) -> &[u8] {
    OsStrExt::as_bytes(name)
}

pub(super) fn os_of(bytes: &[u8]) -> Cow<'_, OsStr> {
    Cow::Borrowed(OsStr::from_bytes(bytes))
}

pub(super) fn path_in(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

pub(super) fn lasting(path: &Path) -> Cow<'_, [u8]> {
    Cow::Borrowed(bytes(path.as_os_str()))
}

pub(super) fn slashed(path: PathBuf) -> PathBuf {
    path
}

/// Looks for the last slash alone, which is faster than finding all names.
pub(super) fn split(path: &Path) -> (Option<&[u8]>, Cow<'_, OsStr>) {
    let path = bytes(path.as_os_str());
    let slash = memchr::memrchr(b'/', path);
    let name = path.get(slash.map_or(0, |slash| slash + 1)..).unwrap_or_default();
    (slash.and_then(|slash| path.get(..slash)), os_of(name))
}

pub(super) fn root_of(path: &[u8]) -> Option<&[u8]> {
    path.get(..1).filter(|root| *root == b"/")
}

pub(super) fn root_of_uri(path: &[u8]) -> Option<(Cow<'static, [u8]>, &[u8])> {
    path.starts_with(b"/").then_some((Cow::Borrowed(b"/"), path))
}

pub(super) fn is_device(_: &Path) -> bool {
    false
}

pub(super) fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(path)
}

pub(super) fn look(path: &Path) -> io::Result<Metadata> {
    fs::metadata(path)
}

pub(super) fn metadata(path: &Path) -> io::Result<Metadata> {
    fs::metadata(path)
}

pub(super) fn identity(_: &Path, found: &Metadata) -> Option<Identity> {
    Some((found.dev(), found.ino()))
}

pub(super) fn identity_of(file: &File) -> Option<Identity> {
    let found = file.metadata().ok()?;
    Some((found.dev(), found.ino()))
}

pub(super) fn names_of(_: &Path, found: &Metadata) -> Option<(Identity, u64)> {
    Some(((found.dev(), found.ino()), found.nlink()))
}

/// Linux lists the open files of a process (`proc(5)`); other systems have no such directory.
pub(super) fn has_open(identity: Identity) -> Option<bool> {
    let files = fs::read_dir("/proc/self/fd").ok()?.flatten();
    let mut open = files.filter_map(|file| fs::metadata(file.path()).ok());
    Some(open.any(|found| (found.dev(), found.ino()) == identity))
}

pub(super) fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)
}

pub(super) fn open_no_link(path: &Path) -> io::Result<File> {
    let flags = libc::O_NONBLOCK | libc::O_NOFOLLOW;
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

pub(super) fn is_no_file(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ELOOP | libc::ENXIO))
}

pub(super) fn read_at(file: &File, out: &mut [u8], at: u64) -> io::Result<usize> {
    file.read_at(out, at)
}

pub(super) fn make_private(options: &mut OpenOptions) {
    options.mode(0o600);
}

pub(super) fn read_link(path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::read_link(path) {
        // It exists, and is no symbolic link.
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => Ok(None),
        read => read.map(Some),
    }
}

/// POSIX.1-2024, `socket` and `connect`.
pub(super) fn is_exhausted(code: i32) -> bool {
    use libc::{EADDRNOTAVAIL, EAGAIN, EMFILE, ENFILE, ENOBUFS, ENOMEM};
    [EADDRNOTAVAIL, EAGAIN, EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(&code)
}

/// POSIX.1-2024, `stat`.
pub(super) fn is_missing(code: i32) -> bool {
    matches!(code, libc::ENOENT | libc::ENOTDIR)
}

pub(super) const UNKNOWN_ERROR: i32 = libc::EIO;

#[cfg(test)]
pub(super) fn symlink(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}
