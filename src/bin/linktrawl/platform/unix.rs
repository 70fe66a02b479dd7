//! Streams, signals, directories and owners of Unix.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal as _, Read as _};
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, fchown};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::thread;

use rustix::fs::{AtFlags, CWD, Mode, OFlags, openat, renameat, statat, unlinkat};
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
use rustix::fs::{RenameFlags, renameat_with};
use rustix::io::{Errno, fcntl_getfd};
use rustix::stdio;
use signal_hook::consts::{SIGHUP, SIGXFSZ};
use signal_hook::flag;
use signal_hook::low_level::{emulate_default_handler, pipe};

use super::Access;

// ---- streams and the terminal -----------------------------------------------------------

/// A bit for each stream that was closed, by its number.
static CLOSED: AtomicU8 = AtomicU8::new(0);

/// Checks the streams before the runtime opens `/dev/null` in their place. The standard library is
/// not ready yet: this makes two system calls and sets a number.
#[ctor::ctor]
fn look() {
    let streams = [stdio::stdin(), stdio::stdout()];
    for (number, stream) in streams.into_iter().enumerate() {
        if fcntl_getfd(stream) == Err(Errno::BADF) {
            CLOSED.fetch_or(1 << number, Ordering::Relaxed);
        }
    }
}

pub(super) fn is_stdin_closed() -> bool {
    CLOSED.load(Ordering::Relaxed) & 1 != 0
}

pub(super) fn is_stdout_closed() -> bool {
    CLOSED.load(Ordering::Relaxed) & 2 != 0
}

pub(super) fn standing_files() -> [Option<File>; 2] {
    let [stdout, stderr] = [io::stdout().as_fd(), io::stderr().as_fd()]
        .map(|stream| stream.try_clone_to_owned().ok().map(File::from));
    [stdout, stderr]
}

pub(super) fn may_stdout_be_shown() -> bool {
    let [stdout, _] = standing_files();
    let kind = stdout.and_then(|file| file.metadata().ok()).map(|found| found.file_type());
    let is_read = kind.is_some_and(|kind| kind.is_fifo() || kind.is_socket());
    is_read || io::stdout().is_terminal()
}

pub(super) fn columns() -> Option<u16> {
    let size = rustix::termios::tcgetwinsize(io::stderr());
    size.ok().filter(|size| size.ws_row > 0 && size.ws_col > 0).map(|size| size.ws_col)
}

// ---- the system -------------------------------------------------------------------------

pub(super) const HOME: &str = "HOME";

pub(super) fn host() -> Vec<u8> {
    rustix::system::uname().nodename().to_bytes().to_vec()
}

/// If the limit is unknown, assumes the lowest usual default.
pub(super) fn open_files_max() -> u64 {
    rlimit::increase_nofile_limit(u64::MAX).unwrap_or(1024)
}

/// `nohup` makes the program ignore SIGHUP, and a handler would undo that. Linux reports in a file
/// whether it is ignored (proc_pid_status(5), `SigIgn`); elsewhere only unsafe code could find out,
/// and a hangup has the system's default effect.
pub(super) fn hangup() -> Option<i32> {
    has_effect(SIGHUP).then_some(SIGHUP)
}

/// Reports whether `signal` is known not to be ignored.
fn has_effect(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    // The first signal has the lowest bit.
    ignored.is_some_and(|ignored| ignored & (1 << (signal - 1)) == 0)
}

/// A handler for a signal that is ignored would give it an effect.
pub(super) fn end_after(signals: &[i32], clear: impl Fn() + Send + 'static) -> io::Result<()> {
    let came = Arc::new(AtomicUsize::new(0));
    let (mut hears, tells) = UnixStream::pair()?;
    for &signal in signals.iter().filter(|signal| has_effect(**signal)) {
        let number = usize::try_from(signal).unwrap_or_default();
        flag::register_usize(signal, Arc::clone(&came), number)?;
        pipe::register(signal, tells.try_clone()?)?;
    }
    thread::Builder::new().spawn(move || {
        // Without a handler, the pipe has no writer, and ends.
        if hears.read_exact(&mut [0]).is_ok() {
            clear();
            let signal = i32::try_from(came.load(Ordering::Relaxed)).unwrap_or_default();
            let _ = emulate_default_handler(signal);
        }
    })?;
    Ok(())
}

/// A handler that does nothing else lets a write fail with `EFBIG`; without one, SIGXFSZ ends the
/// program (setrlimit(2), `RLIMIT_FSIZE`).
pub(super) fn outlive_file_limit() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::default()).map(drop)
}

pub(super) fn call_after(
    signals: &[i32],
    _: &Arc<AtomicBool>,
    wake: impl Fn() + Send + 'static,
) -> io::Result<()> {
    let (mut hears, tells) = UnixStream::pair()?;
    for &signal in signals {
        // Registered after the flags, since handlers run in order.
        pipe::register(signal, tells.try_clone()?)?;
    }
    thread::spawn(move || {
        while hears.read_exact(&mut [0]).is_ok() {
            wake();
        }
    });
    Ok(())
}

// ---- directories ------------------------------------------------------------------------

/// Permissions of created files, before the user's mask.
const MODE: Mode = Mode::from_raw_mode(0o666);

/// The flags for all files: symbolic links are not followed, and a pipe is not waited for.
const FLAGS: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

/// A directory by its descriptor.
pub(crate) struct Directory(OwnedFd);

impl Directory {
    /// Opens the directory at `path`, through symbolic links.
    ///
    /// # Errors
    /// When it is no directory, or cannot be opened.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(openat(CWD, path, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?))
    }

    /// Opens the directory called `name` in this one, unless it is a symbolic link.
    ///
    /// # Errors
    /// When it is no directory, or cannot be opened.
    pub(crate) fn into_inner(self, name: &OsStr) -> io::Result<Self> {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        Ok(Self(openat(&self.0, name, flags, Mode::empty())?))
    }

    /// Opens the file called `name`, unless it is a symbolic link. Does not wait for pipes.
    ///
    /// # Errors
    /// When it cannot be opened, or exists already and is to be created.
    pub(crate) fn file(&self, name: &OsStr, access: Access) -> io::Result<File> {
        let flags = match access {
            Access::Read => OFlags::RDONLY,
            Access::Write => OFlags::RDWR,
            Access::Create => OFlags::RDWR | OFlags::CREATE | OFlags::EXCL,
        };
        Ok(File::from(openat(&self.0, name, flags | FLAGS, MODE)?))
    }

    /// Reports whether `name` is a symbolic link.
    pub(crate) fn is_link(&self, name: &OsStr) -> bool {
        let is_link = |mode| rustix::fs::FileType::from_raw_mode(mode).is_symlink();
        let found = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW);
        found.is_ok_and(|found| is_link(found.st_mode))
    }

    /// Renames the file called `from` to `to`, which replaces the existing file.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(renameat(&self.0, from, &self.0, to)?)
    }

    /// Renames the file called `from` to `to`, which must not exist. Where the file system cannot
    /// do that at once, `to` is looked for right before.
    ///
    /// # Errors
    /// When `to` exists, or the system refuses.
    pub(crate) fn rename_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        match renameat_with(&self.0, from, &self.0, to, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            renamed => return Ok(renamed?),
        }
        match statat(&self.0, to, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => self.rename(from, to),
            Err(error) => Err(error.into()),
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        }
    }

    /// Removes the file called `name`.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// Syncs the names in the directory to disk. Some systems cannot, which changes no result.
    pub(crate) fn sync(&self) {
        let _ = rustix::fs::fsync(&self.0);
    }

    /// Creates an unnamed file in the directory; `None` if the system does not support it, or could
    /// not name it later.
    #[cfg(target_os = "linux")]
    pub(crate) fn nameless(&self) -> Option<File> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | FLAGS;
        let file = File::from(openat(&self.0, ".", flags, MODE).ok()?);
        fs::metadata(way_to(&file)).is_ok().then_some(file)
    }

    /// Links `file`, which is unnamed, to `name`, which must not exist.
    ///
    /// # Errors
    /// When it exists, or the system refuses.
    #[cfg(target_os = "linux")]
    pub(crate) fn link(&self, file: &File, name: &OsStr) -> io::Result<()> {
        let flags = AtFlags::SYMLINK_FOLLOW;
        Ok(rustix::fs::linkat(CWD, way_to(file), &self.0, name, flags)?)
    }

    /// Returns `None`: only Linux has files without a name.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn nameless(&self) -> Option<File> {
        None
    }

    /// Fails: only Linux has files without a name.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn link(&self, _: &File, _: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Returns the path of an open file (proc(5)).
#[cfg(target_os = "linux")]
fn way_to(file: &File) -> String {
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

// ---- owners and permissions -------------------------------------------------------------

/// The user root, who may do anything.
const ROOT: u32 = 0;

pub(super) fn is_trusted(_: &Path, file: &Metadata, input: &Metadata, _: Option<&Path>) -> bool {
    [input.uid(), ROOT].contains(&file.uid())
}

pub(super) const KNOWS_OWNERS: bool = true;

pub(super) const DISTRUSTED: &str = "is owned by another user than the input";

pub(super) fn have_one_owner(one: &Metadata, other: &Metadata) -> bool {
    one.uid() == other.uid()
}

pub(super) fn inherit(file: &File, replaced: &Metadata) -> io::Result<()> {
    // Only root may change owners, and other users only to a group of their own; the result is
    // checked below. It clears the set-ID bits, so it comes first.
    let _ = fchown(file, None, Some(replaced.gid()));
    let _ = fchown(file, Some(replaced.uid()), None);
    let found = file.metadata()?;
    let mode = inherited_mode(&Belonging::of(&found), &Belonging::of(replaced), replaced.mode());
    file.set_permissions(fs::Permissions::from_mode(mode))
}

/// The owner and the group of a file.
#[derive(PartialEq, Eq)]
struct Belonging {
    user: u32,
    group: u32,
}

impl Belonging {
    fn of(found: &Metadata) -> Self {
        Self { user: found.uid(), group: found.gid() }
    }
}

/// The set-ID bits, which run a file as its owner or its group.
const SET_ID: u32 = 0o6000;
/// Permissions of a file's group, and of all others.
const GROUP: u32 = 0o070;
const OTHERS: u32 = 0o007;

/// Returns the mode for a file that belongs to `own` and replaces one with `mode` that belongs to
/// `replaced`: set-ID bits are dropped unless both are the same, and another group gets no more
/// permissions than all others.
fn inherited_mode(own: &Belonging, replaced: &Belonging, mode: u32) -> u32 {
    let mode = if own == replaced { mode } else { mode & !SET_ID };
    if own.group == replaced.group {
        return mode;
    }
    mode & (!GROUP | (mode & OTHERS) << 3)
}

#[cfg(test)]
pub(super) fn symlink(target: &str, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(test)]
mod tests {
    use super::{Belonging, inherited_mode};

    #[track_caller]
    fn case(user: u32, group: u32, mode: u32, expected: u32) {
        let replaced = Belonging { user: 1000, group: 1000 };
        let found = inherited_mode(&Belonging { user, group }, &replaced, mode);
        assert_eq!(found, expected, "{found:o} in place of {expected:o}");
    }

    #[test]
    fn a_file_that_cannot_be_given_away_is_open_to_nobody_new() {
        case(1000, 1000, 0o106_754, 0o106_754);
        // Another owner,
        case(0, 1000, 0o4755, 0o755);
        case(0, 1000, 0o2760, 0o760);
        // another group, and both.
        case(1000, 0, 0o2755, 0o755);
        case(1000, 0, 0o640, 0o600);
        case(1000, 0, 0o664, 0o644);
        case(1000, 0, 0o606, 0o606);
        case(0, 0, 0o1773, 0o1733);
        case(0, 0, 0o6777, 0o777);
    }
}
