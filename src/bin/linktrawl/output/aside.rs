//! Writes files under no name or a temporary one, and renames them when they are complete.
//!
//! If the system supports unnamed files (`O_TMPFILE`), nothing remains of one when the program is
//! killed. Elsewhere they are called `.NAME.PID.part` and are locked until they are complete. The
//! next run removes those that a killed run left.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use linktrawl::Error;
use linktrawl::internal::platform::{self as files, OsBytes as _};
use linktrawl::internal::report::own;
use linktrawl::internal::store::baseline;

use super::replaced::{Replacing, beginning_of};
use super::spot::Spot;
use crate::platform::{self, Access};

/// Number of temporary names that are tried. A process ID recurs after some 30 000 others, so each
/// collision is a rare event.
const NAMES_MAX: u32 = 100;

/// Number of times that a target may change between its check and its replacement. One run writes
/// its report once, so that each change is of another run that ends in the same instant.
const CHANGES_MAX: u32 = 16;

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
        let is_device = || files::is_device(target);
        if replacing.within.is_none() && (is_other(target) || is_device()) {
            return File::options().write(true).open(target).map_err(at);
        }
        let spot = replacing.spot(target).map_err(at)?;
        let replaced = spot.metadata();
        if replaced.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(at(io::ErrorKind::IsADirectory.into()));
        }
        replacing.judge(&spot).map_err(at)?;
        let (file, passing) = match spot.directory().nameless() {
            Some(file) => (file, None),
            None => with_name(&spot).map(|(file, name)| (file, Some(name))).map_err(at)?,
        };
        remove_stale(&spot, &file);
        if let Some(replaced) = replaced {
            platform::inherit(&file, &replaced).map_err(at)?;
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
            if self.link(self.spot.name()).is_ok() {
                self.sync_directory();
                return Ok(());
            }
            self.passing = Some(free_name(&self.spot, |name| self.link(name))?);
        }
        let Some(passing) = self.passing.take() else { return Ok(()) };
        if let Err(error) = self.put(&passing) {
            self.passing = Some(passing);
            return Err(error);
        }
        self.sync_directory();
        Ok(())
    }

    /// Renames the file called `passing`. If the target has changed since it was checked, checks it
    /// again: another run may have written its report there.
    fn put(&self, passing: &OsStr) -> io::Result<()> {
        for _ in 0..CHANGES_MAX {
            let found = self.replacing.judge(&self.spot)?;
            match self.spot.put(passing, &found) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                put => return put,
            }
        }
        Err(io::Error::other("expected a target that stays as it is, found one that changes"))
    }

    fn link(&self, name: &OsStr) -> io::Result<()> {
        self.spot.directory().link(&self.file, name)
    }

    /// Syncs the new name to disk, too. Either name leads to a complete report, and some systems do
    /// not sync directories, so a failure here changes no result.
    fn sync_directory(&self) {
        self.spot.directory().sync();
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

// ---- files with a passing name ----------------------------------------------------------

/// Creates a file with a temporary name in the directory of `spot`, and locks it: an unlocked file
/// is left from a killed run.
fn with_name(spot: &Spot) -> io::Result<(File, OsString)> {
    let mut made = None;
    let name = free_name(spot, |name| {
        let file = spot.open(name, Access::Create)?;
        // Another run may have removed it as stale before it was locked. On systems without locks
        // nothing is removed.
        let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
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
    let Ok(found) = own.metadata() else { return };
    let (own, identity) = (found, files::identity_of(own));
    let parent = if spot.parent().as_os_str().is_empty() { Path::new(".") } else { spot.parent() };
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.take(NAMES_SEEN_MAX).flatten() {
        let name = entry.file_name();
        if !is_part_of(&name, spot.name()) {
            continue;
        }
        let Ok(mut file) = spot.open(&name, Access::Write) else { continue };
        let is_of_us = file.metadata().is_ok_and(|found| {
            let is_another = files::identity_of(&file) != identity;
            found.is_file() && platform::have_one_owner(&found, &own) && is_another
        });
        let is_left = is_of_us && file.try_lock().is_ok();
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
