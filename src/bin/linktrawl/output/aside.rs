//! Files that are written without a name and get it when they are whole.
//!
//! Where the system has files without a name (`O_TMPFILE`), nothing is left of one when the
//! program is killed. Elsewhere they are called `.NAME.PID.part` until they are whole, are locked
//! for as long, and those that a killed run left are removed by the next one.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
use std::path::Path;

use linktrawl::Error;
use linktrawl::report::own;
use linktrawl::store::baseline;
use rustix::fs::{FlockOperation, OFlags, flock};

use super::replaced::{Replacing, beginning_of};
use super::spot::Spot;

/// Names that are taken before we give up. A process ID comes again after some 30 000 others, so
/// that each of these is a rare event.
const NAMES_MAX: u32 = 100;

/// Names in a directory that are looked at for what killed runs left: more would be felt.
const NAMES_SEEN_MAX: usize = 20_000;

/// Files that are being written; those that are not kept are removed.
#[derive(Default)]
pub(crate) struct Aside {
    files: Vec<Pending>,
}

/// One file that has not got its name.
struct Pending {
    /// The same open file that the report is written to.
    file: File,
    /// What it is called until then; none where it has no name.
    passing: Option<OsString>,
    spot: Spot,
    /// As the user calls it.
    target: String,
    replacing: Replacing,
}

impl Aside {
    /// Opens the file that will become `target`, where what is there may be replaced.
    ///
    /// # Errors
    /// When it may not, and when the file cannot be made.
    pub(super) fn create(&mut self, target: &Path, replacing: &Replacing) -> Result<File, Error> {
        let called = format!("{target:?}");
        let at = |source| Error::Write { target: called.clone(), source };
        // What is no regular file, a pipe or `/dev/null`, is written to directly.
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

    /// Gives every file its name, when the disk has all of all.
    ///
    /// # Errors
    /// When a file cannot be kept; it and those that have no name yet are removed.
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
    /// Gives the file its name, where what has it by now may still be replaced: a run may take
    /// hours.
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

    /// Has the disk take the new name, too. Either name leads to a whole report, and some systems
    /// do not sync directories, so that a failure here changes no result.
    fn sync_directory(&self) {
        let _ = rustix::fs::fsync(self.spot.directory());
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(passing) = &self.passing {
            // Half a report helps nobody; that it cannot be removed changes no result.
            let _ = self.spot.remove(passing);
        }
    }
}

// ---- files without a name ---------------------------------------------------------------

/// Makes a file without a name in the directory of `spot`; none where the system has none, or
/// could not give it one later.
#[cfg(target_os = "linux")]
fn without_name(spot: &Spot) -> Option<File> {
    let file = spot.open(OsStr::new("."), OFlags::TMPFILE | OFlags::RDWR).ok()?;
    fs::metadata(way_to(&file)).is_ok().then_some(file)
}

#[cfg(not(target_os = "linux"))]
fn without_name(_: &Spot) -> Option<File> {
    None
}

/// The way to an open file (proc(5)).
#[cfg(target_os = "linux")]
fn way_to(file: &File) -> String {
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

/// Gives `file`, which has no name, the name `name`, which nothing has.
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

/// Makes a file with a passing name beside `spot`, and locks it: an unlocked one is a killed
/// run's.
fn with_name(spot: &Spot) -> io::Result<(File, OsString)> {
    let mut made = None;
    let name = free_name(spot, |name| {
        let file = spot.open(name, OFlags::RDWR | OFlags::CREATE | OFlags::EXCL)?;
        let is_locked = flock(&file, FlockOperation::NonBlockingLockExclusive);
        // Another run may have taken it for a stale one before it was locked. Where files cannot
        // be locked nothing is removed.
        let is_taken = is_locked == Err(rustix::io::Errno::WOULDBLOCK);
        if is_taken || !spot.leads_to(name, &file) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        made = Some(file);
        Ok(())
    })?;
    Ok((made.ok_or(io::ErrorKind::NotFound)?, name))
}

/// Gives `take` passing names for `spot` until it finds one that nothing has.
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

/// `.NAME.PID.part`; with a number that is not 0, `.NAME.PID.NUMBER.part`.
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

/// Reports whether `path` is one that `target` may have before it is whole, in this run or in
/// another one.
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

/// Removes what killed runs left of the file at `spot`: what has a passing name of it, begins as
/// what we write, belongs to the owner of `own`, and is locked by nobody.
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

/// Has `file` belong to whom the one that it replaces belongs to, as far as the system lets us,
/// and be open to no more than those that somebody has chosen.
fn inherit(file: &File, replaced: &fs::Metadata) -> io::Result<()> {
    // Only root may give files away, and others only to a group of their own; what came of it is
    // looked at below. It takes away the bits that run a file as its owner, so that it is first.
    let _ = fchown(file, None, Some(replaced.gid()));
    let _ = fchown(file, Some(replaced.uid()), None);
    let found = file.metadata()?;
    let mode = inherited_mode(&Belonging::of(&found), &Belonging::of(replaced), replaced.mode());
    file.set_permissions(fs::Permissions::from_mode(mode))
}

/// To whom a file belongs.
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

/// Bits that run a file as its owner or its group, whoever starts it.
const SET_ID: u32 = 0o6000;
/// What the group of a file may do, and what all others may.
const GROUP: u32 = 0o070;
const OTHERS: u32 = 0o007;

/// What becomes of `mode`, which a file has that belongs to `replaced`, on one that belongs to
/// `own`: nobody else's program runs as us, and another group is told what all others are.
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
