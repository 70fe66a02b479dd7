//! Writes files under no name or a temporary one, and renames them when they are complete.
//!
//! If the system supports unnamed files (`O_TMPFILE`), nothing remains of one when the program is
//! killed. Elsewhere they are called `.NAME.PID.part` and are locked until they are complete. The
//! next run removes those that a killed run left.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
use std::path::Path;

use linktrawl::Error;
use linktrawl::internal::report::own;
use linktrawl::internal::store::baseline;
use rustix::fs::{FlockOperation, OFlags, flock};

use super::replaced::{Replacing, beginning_of};
use super::spot::Spot;

/// Number of temporary names that are tried. A process ID recurs after some 30 000 others, so each
/// collision is a rare event.
const NAMES_MAX: u32 = 100;

/// Number of directory entries that are searched for files of killed runs: more would be
/// noticeable.
const NAMES_SEEN_MAX: usize = 20_000;

/// Files that are being written; those that are not kept are removed.
#[derive(Default)]
pub(crate) struct Aside {
    files: Vec<Pending>,
}

/// A file that does not have its final name yet.
struct Pending {
    /// A duplicate of the open file that the report is written to.
    file: File,
    /// Its temporary name; `None` if it is unnamed.
    passing: Option<OsString>,
    spot: Spot,
    /// Its path as the user wrote it.
    target: String,
    replacing: Replacing,
}

impl Aside {
    /// Opens the file that will become `target`, if the existing file may be replaced.
    ///
    /// # Errors
    /// When it may not, and when the file cannot be created.
    pub(super) fn create(&mut self, target: &Path, replacing: &Replacing) -> Result<File, Error> {
        let called = format!("{target:?}");
        let at = |source| Error::Write { target: called.clone(), source };
        // Targets that are no regular files, such as a pipe or `/dev/null`, are written directly.
        let is_other = |path| fs::metadata(path).is_ok_and(|found| !found.is_file());
        if replacing.within.is_none() && is_other(target) {
            return File::options().write(true).open(target).map_err(at);
        }
        let spot = replacing.spot(target).map_err(at)?;
        let replaced = spot.metadata();
        if replaced.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(at(io::ErrorKind::IsADirectory.into()));
        }
        replacing.judge(&spot).map_err(at)?;
        let (file, passing) = match without_name(&spot) {
            Some(file) => (file, None),
            None => with_name(&spot).map(|(file, name)| (file, Some(name))).map_err(at)?,
        };
        remove_stale(&spot, &file);
        if let Some(replaced) = replaced {
            inherit(&file, &replaced).map_err(at)?;
        }
        let written = file.try_clone().map_err(at)?;
        let replacing = replacing.clone();
        self.files.push(Pending { file, passing, spot, target: called, replacing });
        Ok(written)
    }

    /// Renames all files, after all of them are synced to disk.
    ///
    /// # Errors
    /// When a file cannot be kept; it and all files without their final names are removed.
    pub(crate) fn keep(mut self) -> Result<(), Error> {
        let at =
            |pending: &Pending, source| Error::Write { target: pending.target.clone(), source };
        for pending in &self.files {
            pending.file.sync_all().map_err(|source| at(pending, source))?;
        }
        while let Some(pending) = self.files.first_mut() {
            pending.keep().map_err(|source| at(pending, source))?;
            self.files.remove(0);
        }
        Ok(())
    }
}

impl Pending {
    /// Renames the file, if the existing file may still be replaced: a run may take hours.
    fn keep(&mut self) -> io::Result<()> {
        if self.passing.is_none() {
            if link(&self.file, &self.spot, self.spot.name()).is_ok() {
                self.sync_directory();
                return Ok(());
            }
            self.passing = Some(free_name(&self.spot, |name| link(&self.file, &self.spot, name))?);
        }
        self.replacing.judge(&self.spot)?;
        let Some(passing) = self.passing.take() else { return Ok(()) };
        if let Err(error) = self.spot.replace(&passing) {
            self.passing = Some(passing);
            return Err(error);
        }
        self.sync_directory();
        Ok(())
    }

    /// Syncs the new name to disk, too. Either name leads to a complete report, and some systems do
    /// not sync directories, so a failure here changes no result.
    fn sync_directory(&self) {
        let _ = rustix::fs::fsync(self.spot.directory());
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(passing) = &self.passing {
            // Half a report is useless. A failure to remove it changes no result.
            let _ = self.spot.remove(passing);
        }
    }
}

// ---- files without a name ---------------------------------------------------------------

/// Creates an unnamed file in the directory of `spot`; `None` if the system does not support it, or
/// could not name it later.
#[cfg(target_os = "linux")]
fn without_name(spot: &Spot) -> Option<File> {
    let file = spot.open(OsStr::new("."), OFlags::TMPFILE | OFlags::RDWR).ok()?;
    fs::metadata(way_to(&file)).is_ok().then_some(file)
}

#[cfg(not(target_os = "linux"))]
fn without_name(_: &Spot) -> Option<File> {
    None
}

/// Returns the path of an open file (proc(5)).
#[cfg(target_os = "linux")]
fn way_to(file: &File) -> String {
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

/// Links `file`, which is unnamed, to `name`, which must not exist.
#[cfg(target_os = "linux")]
fn link(file: &File, spot: &Spot, name: &OsStr) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    Ok(linkat(CWD, way_to(file), spot.directory(), name, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Spot, _: &OsStr) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

// ---- files with a passing name ----------------------------------------------------------

/// Creates a file with a temporary name in the directory of `spot`, and locks it: an unlocked file
/// is left from a killed run.
fn with_name(spot: &Spot) -> io::Result<(File, OsString)> {
    let mut made = None;
    let name = free_name(spot, |name| {
        let file = spot.open(name, OFlags::RDWR | OFlags::CREATE | OFlags::EXCL)?;
        let is_locked = flock(&file, FlockOperation::NonBlockingLockExclusive);
        // Another run may have removed it as stale before it was locked. On systems without locks
        // nothing is removed.
        let is_taken = is_locked == Err(rustix::io::Errno::WOULDBLOCK);
        if is_taken || !spot.leads_to(name, &file) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        made = Some(file);
        Ok(())
    })?;
    Ok((made.ok_or(io::ErrorKind::NotFound)?, name))
}

/// Tries temporary names for `spot` with `take`, until one is free.
fn free_name(spot: &Spot, mut take: impl FnMut(&OsStr) -> io::Result<()>) -> io::Result<OsString> {
    let mut number = 0;
    loop {
        let name = passing_name(spot.name(), number);
        match take(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < NAMES_MAX => {
                number += 1;
            }
            taken => return taken.map(|()| name),
        }
    }
}

/// Returns the temporary name `.NAME.PID.part`; with a number other than 0,
/// `.NAME.PID.NUMBER.part`.
fn passing_name(name: &OsStr, number: u32) -> OsString {
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}", std::process::id()));
    if number > 0 {
        hidden.push(format!(".{number}"));
    }
    hidden.push(".part");
    hidden
}

/// Reports whether `path` may be a temporary name of `target`, of this run or of another one.
pub(crate) fn is_passing_name(path: &Path, target: &Path) -> bool {
    let name = |path: &Path| path.file_name().map(OsStr::to_owned).unwrap_or_default();
    is_part_of(&name(path), &name(target)) && path.parent() == target.parent()
}

fn is_part_of(name: &OsStr, target: &OsStr) -> bool {
    let rest = name.as_bytes().strip_prefix(b".");
    let rest = rest.and_then(|rest| rest.strip_prefix(target.as_bytes()));
    let rest = rest.and_then(|rest| rest.strip_prefix(b".")?.strip_suffix(b".part"));
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    rest.is_some_and(|rest| {
        let parts = || rest.split(|&byte| byte == b'.');
        parts().all(is_number) && parts().count() <= 2
    })
}

/// Removes files that killed runs left of the file at `spot`: those that have a temporary name of
/// it, begin like our reports, belong to the owner of `own`, and are not locked.
fn remove_stale(spot: &Spot, own: &File) {
    let Ok(own) = own.metadata() else { return };
    let parent = if spot.parent().as_os_str().is_empty() { Path::new(".") } else { spot.parent() };
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.take(NAMES_SEEN_MAX).flatten() {
        let name = entry.file_name();
        if !is_part_of(&name, spot.name()) {
            continue;
        }
        let Ok(mut file) = spot.open(&name, OFlags::RDWR) else { continue };
        let is_of_us = file.metadata().is_ok_and(|found| {
            found.is_file() && found.uid() == own.uid() && found.ino() != own.ino()
        });
        let is_left = is_of_us && flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok();
        let Some(beginning) = is_left.then(|| beginning_of(&mut file).ok()).flatten() else {
            continue;
        };
        let is_ours = own::format_of(&beginning).is_some() || baseline::begins(&beginning);
        if beginning.is_empty() || is_ours {
            // The next run tries again.
            let _ = spot.remove(&name);
        }
    }
}

// ---- owners and permissions -------------------------------------------------------------

/// Gives `file` the owner and the group of the file that it replaces, as far as the system allows,
/// and no more permissions than that file had.
fn inherit(file: &File, replaced: &fs::Metadata) -> io::Result<()> {
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
    fn of(found: &fs::Metadata) -> Self {
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
