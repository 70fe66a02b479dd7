//! Streams, signals, directories and owners of Windows.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, IsTerminal as _};
use std::os::windows::fs::OpenOptionsExt as _;
use std::os::windows::io::{AsHandle as _, AsRawHandle as _, RawHandle};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use linktrawl::internal::platform::{self as files, OsBytes as _};

use super::Access;

/// Flags of `CreateFileW` (fileapi.h, winnt.h).
const FILE_SHARE_READ: u32 = 1;
const FILE_SHARE_WRITE: u32 = 2;
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;

// ---- streams and the terminal -----------------------------------------------------------

pub(super) fn is_stdin_closed() -> bool {
    is_closed(io::stdin().as_raw_handle())
}

pub(super) fn is_stdout_closed() -> bool {
    is_closed(io::stdout().as_raw_handle())
}

/// Reports whether a handle is null or `INVALID_HANDLE_VALUE`.
fn is_closed(handle: RawHandle) -> bool {
    handle.is_null() || handle.addr() == usize::MAX
}

pub(super) fn standing_files() -> [Option<File>; 2] {
    let stdout = io::stdout().as_handle().try_clone_to_owned().ok();
    let stderr = io::stderr().as_handle().try_clone_to_owned().ok();
    [stdout, stderr].map(|handle| handle.map(File::from))
}

/// `NUL` counts as shown, since like a pipe it is no file on a disk.
pub(super) fn may_stdout_be_shown() -> bool {
    let [stdout, _] = standing_files();
    let found = stdout.and_then(|file| file.metadata().ok());
    io::stdout().is_terminal() || !found.is_some_and(|found| found.is_file())
}

pub(super) fn columns() -> Option<u16> {
    terminal_size::terminal_size_of(io::stderr()).map(|(width, _)| width.0)
}

// ---- the system -------------------------------------------------------------------------

pub(super) const HOME: &str = "USERPROFILE";

pub(super) fn host() -> Vec<u8> {
    env::var_os("COMPUTERNAME").unwrap_or_default().as_bytes().to_vec()
}

/// Sockets have no limit of their own here; the number is one that a machine can well hold open.
pub(super) fn open_files_max() -> u64 {
    16 * 1024
}

pub(super) fn hangup() -> Option<i32> {
    None
}

/// Interval at which the flag of the signals is polled: nothing can wait for one here.
const TICK: Duration = Duration::from_millis(50);

pub(super) fn outlive_file_limit() -> io::Result<()> {
    Ok(())
}

/// The console shows its prompt on a line of its own.
pub(super) fn end_after(_: &[i32], _: impl Fn() + Send + 'static) -> io::Result<()> {
    Ok(())
}

pub(super) fn call_after(
    _: &[i32],
    stop: &Arc<AtomicBool>,
    wake: impl Fn() + Send + 'static,
) -> io::Result<()> {
    let stop = Arc::clone(stop);
    thread::Builder::new().spawn(move || {
        while !stop.load(Ordering::Relaxed) {
            thread::sleep(TICK);
        }
        wake();
    })?;
    Ok(())
}

// ---- directories ------------------------------------------------------------------------

/// A directory by its path. While it is open, it cannot be renamed or removed, nor can the
/// directories around it that were opened on the way.
pub(crate) struct Directory {
    path: PathBuf,
    /// Handles that share no deletion.
    held: Vec<File>,
}

impl Directory {
    /// Opens the directory at `path`, through symbolic links.
    ///
    /// # Errors
    /// When it is no directory, or cannot be opened.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), held: vec![held(path, 0)?] })
    }

    /// Opens the directory called `name` in this one, unless it is a symbolic link.
    ///
    /// # Errors
    /// When it is no directory, or cannot be opened.
    pub(crate) fn into_inner(mut self, name: &OsStr) -> io::Result<Self> {
        self.path = self.at(name)?;
        self.held.push(held(&self.path, FILE_FLAG_OPEN_REPARSE_POINT)?);
        Ok(self)
    }

    /// Opens the file called `name`, unless it is a symbolic link. Does not wait for pipes.
    ///
    /// # Errors
    /// When it cannot be opened, or exists already and is to be created.
    pub(crate) fn file(&self, name: &OsStr, access: Access) -> io::Result<File> {
        let path = self.at(name)?;
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(FILE_FLAG_OPEN_REPARSE_POINT);
        options.write(access != Access::Read).create_new(access == Access::Create);
        let file = options.open(path)?;
        if file.metadata()?.file_type().is_symlink() {
            return Err(io::Error::other("expected a file, found a link"));
        }
        Ok(file)
    }

    /// Reports whether `name` is a symbolic link.
    pub(crate) fn is_link(&self, name: &OsStr) -> bool {
        fs::symlink_metadata(self.path.join(name)).is_ok_and(|found| found.is_symlink())
    }

    /// Renames the file called `from` to `to`, which replaces the existing file.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        fs::rename(self.at(from)?, self.at(to)?)
    }

    /// Renames the file called `from` to `to`, which must not exist, by a second name for it. Where
    /// the file system has none, `to` is looked for right before.
    ///
    /// # Errors
    /// When `to` exists, or the system refuses.
    pub(crate) fn rename_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        let (from, to) = (self.at(from)?, self.at(to)?);
        match fs::hard_link(&from, &to) {
            Ok(()) => fs::remove_file(from),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            Err(_) if fs::symlink_metadata(&to).is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(from, to),
        }
    }

    /// Removes the file called `name`.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.at(name)?)
    }

    /// Does nothing: the system syncs no directories.
    pub(crate) fn sync(&self) {}

    /// Returns `None`: the system has no files without a name.
    pub(crate) fn nameless(&self) -> Option<File> {
        None
    }

    /// Fails: the system has no files without a name.
    ///
    /// # Errors
    /// Always.
    pub(crate) fn link(&self, _: &File, _: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns the path of `name`, unless that leads to a device or to another file.
    fn at(&self, name: &OsStr) -> io::Result<PathBuf> {
        let is_itself = !files::is_device(Path::new(name)) && !name.as_bytes().contains(&b':');
        let path = is_itself.then(|| self.path.join(name));
        path.ok_or_else(|| io::ErrorKind::InvalidFilename.into())
    }
}

/// Opens a directory so that it cannot be renamed or removed.
fn held(path: &Path, flags: u32) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS | flags)
        .open(path)?;
    let found = file.metadata()?;
    if found.is_dir() && !found.is_symlink() {
        return Ok(file);
    }
    Err(io::ErrorKind::NotADirectory.into())
}

// ---- owners and permissions -------------------------------------------------------------

pub(super) fn is_trusted(path: &Path, _: &Metadata, _: &Metadata, home: Option<&Path>) -> bool {
    home.is_some_and(|home| path.starts_with(home))
}

pub(super) const KNOWS_OWNERS: bool = false;

pub(super) const DISTRUSTED: &str = "is outside of your own directory";

pub(super) fn have_one_owner(_: &Metadata, _: &Metadata) -> bool {
    false
}

pub(super) fn inherit(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
pub(super) fn symlink(target: &str, path: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(target, path)
}
