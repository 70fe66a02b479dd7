//! Where reports go: standard output, or files that take their names when they are whole.
//!
//! A report for a file is written beside it under a name that begins with a dot, so that a
//! walk over the same directory passes it by, and renamed at the end, when the disk has it: a
//! full disk or a crash leaves the old report whole. What is no regular file, a pipe or
//! `/dev/null`, is written to directly, and GitHub's job summary is appended to its file.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
use std::path::{Path, PathBuf};

use linktrawl::Error;
use linktrawl::report::github::Github;
use linktrawl::report::job_summary::JobSummary;
use linktrawl::report::{Report, Style};
use linktrawl::run::Output;

use crate::flags::Format;
use crate::plan::Styles;

/// The reports that were asked for, not yet opened.
pub(crate) struct Reports {
    /// Formats with their targets.
    pub(crate) formats: Vec<Format>,
    /// What they look like on standard output and in files.
    pub(crate) styles: Styles,
    /// The file that GitHub takes the job summary from, where it runs us.
    pub(crate) step_summary: Option<PathBuf>,
}

impl Reports {
    /// Opens every target.
    ///
    /// # Errors
    /// When a file cannot be made, two reports have one target, or one cannot be made here.
    pub(crate) fn open(self) -> anyhow::Result<(Vec<Output>, Aside)> {
        self.refuse_shared_targets()?;
        let mut outputs = Vec::new();
        let mut aside = Aside::default();
        if let Some(path) = self.step_summary.as_deref().filter(|_| self.wants_job_summary()) {
            outputs.push(append(&JobSummary, path)?);
        }
        for Format { report, file } in self.formats {
            let output = match file {
                None if report.is_binary() && io::stdout().is_terminal() => anyhow::bail!(
                    "expected a file for {0}, which no terminal can show: --format {0}=FILE",
                    report.name()
                ),
                None => Output {
                    report,
                    style: self.styles.stdout.clone(),
                    name: "stdout".to_owned(),
                    identities: stdout_identity().into_iter().collect(),
                    target: Box::new(io::stdout()),
                },
                Some(path) => {
                    let replaced = fs::metadata(&path).ok().as_ref().and_then(identity_of);
                    let file = aside.create(&path)?;
                    Output {
                        report,
                        style: self.styles.file.clone(),
                        name: format!("{path:?}"),
                        identities: identity(&file).into_iter().chain(replaced).collect(),
                        target: Box::new(file),
                    }
                }
            };
            output.report.try_out().map_err(|why| Error::Write {
                target: output.name.clone(),
                source: io::Error::other(why),
            })?;
            outputs.push(output);
        }
        Ok((outputs, aside))
    }

    /// Refuses to write a report into one of the files that are to be read: a slip of the hand that
    /// would take a document away.
    ///
    /// # Errors
    /// When one is to be written there.
    pub(crate) fn spare(&self, inputs: &[PathBuf]) -> anyhow::Result<()> {
        let found = |path: &PathBuf| fs::metadata(path).ok().as_ref().and_then(identity_of);
        let files = self.formats.iter().filter_map(|format| format.file.as_ref());
        let targets: Vec<_> = files.filter_map(found).collect();
        let is_target = |path: &&PathBuf| found(path).is_some_and(|input| targets.contains(&input));
        match inputs.iter().find(is_target) {
            Some(path) => anyhow::bail!(
                "expected a file for the report, found {path:?}, which is to be read: the report \
                 would take its place"
            ),
            None => Ok(()),
        }
    }

    /// True when annotations are asked for, and nobody says where their summary goes.
    fn wants_job_summary(&self) -> bool {
        let has = |name| self.formats.iter().any(|format| format.report.name() == name);
        has(Github.name()) && !has(JobSummary.name())
    }

    fn refuse_shared_targets(&self) -> anyhow::Result<()> {
        for (idx, format) in self.formats.iter().enumerate() {
            if self.formats.iter().take(idx).any(|earlier| earlier.file == format.file) {
                anyhow::bail!(match &format.file {
                    None => "expected one report on standard output, found two: give one a file \
                             with --format NAME=FILE"
                        .to_owned(),
                    Some(path) => format!("expected one report in {path:?}, found two"),
                });
            }
        }
        Ok(())
    }
}

/// Writes a file that takes its name when it is whole and on the disk, with the owner, the group
/// and the permissions of the one that was there.
///
/// # Errors
/// When it cannot be made, written or renamed; what was there before is left then.
pub(crate) fn write(path: &Path, text: &[u8]) -> Result<(), Error> {
    let at = |source| Error::Write { target: format!("{path:?}"), source };
    let mut aside = Aside::default();
    let mut file = aside.create(path)?;
    file.write_all(text).map_err(at)?;
    aside.keep()
}

/// A report behind what stands in the file already, for others write to it as well.
fn append(report: &'static dyn Report, path: &Path) -> Result<Output, Error> {
    let name = format!("{path:?}");
    let file = File::options().append(true).create(true).open(path);
    let file = file.map_err(|source| Error::Write { target: name.clone(), source })?;
    let identities = identity(&file).into_iter().collect();
    Ok(Output { report, style: Style::default(), name, identities, target: Box::new(file) })
}

/// Device and inode of a regular file, by which a walk knows it under any name.
fn identity(file: &File) -> Option<(u64, u64)> {
    identity_of(&file.metadata().ok()?)
}

fn identity_of(found: &fs::Metadata) -> Option<(u64, u64)> {
    found.is_file().then(|| (found.dev(), found.ino()))
}

fn stdout_identity() -> Option<(u64, u64)> {
    identity(&io::stdout().as_fd().try_clone_to_owned().ok()?.into())
}

/// Device and inode of the regular files that standard output and standard error go to.
pub(crate) fn standing_identities() -> Vec<(u64, u64)> {
    let stderr = io::stderr().as_fd().try_clone_to_owned().ok();
    stdout_identity().into_iter().chain(stderr.and_then(|file| identity(&file.into()))).collect()
}

/// Names of parts left by killed runs that are passed by before we give up. A process ID
/// comes again after some 30 000 others, so that each of these is a rare event.
const STALE_PARTS_MAX: u32 = 100;

/// Files that are being written; those that are not kept are removed.
#[derive(Default)]
pub(crate) struct Aside {
    files: Vec<Pending>,
}

/// One file under its passing name.
struct Pending {
    /// The same open file that the report is written to.
    file: File,
    passing: PathBuf,
    target: PathBuf,
}

impl Aside {
    /// Opens the file that will become `target`.
    fn create(&mut self, target: &Path) -> Result<File, Error> {
        let at = |source| Error::Write { target: format!("{target:?}"), source };
        // A link is followed first, so that the report replaces what the link leads to.
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        let replaced = fs::metadata(&target).ok();
        if replaced.as_ref().is_some_and(|found| !found.is_file()) {
            return File::options().write(true).open(&target).map_err(at);
        }
        let mut number = 0;
        let (file, passing) = loop {
            let passing = passing_name(&target, number).map_err(at)?;
            match File::create_new(&passing) {
                Err(error) if is_taken(&error) && number < STALE_PARTS_MAX => number += 1,
                made => break (made.map_err(at)?, passing),
            }
        };
        if let Some(replaced) = replaced {
            inherit(&file, &replaced).map_err(at)?;
        }
        let written = file.try_clone().map_err(at)?;
        self.files.push(Pending { file, passing, target });
        Ok(written)
    }

    /// Gives every file its name, when the disk has all of all.
    ///
    /// # Errors
    /// When a file cannot be kept; it and those that have no name yet are removed.
    pub(crate) fn keep(mut self) -> Result<(), Error> {
        for Pending { file, target, .. } in &self.files {
            file.sync_all().map_err(|source| not_kept(target, source))?;
        }
        while let Some(Pending { passing, target, .. }) = self.files.first() {
            fs::rename(passing, target).map_err(|source| not_kept(target, source))?;
            sync_parent(target);
            self.files.remove(0);
        }
        Ok(())
    }
}

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

fn not_kept(target: &Path, source: io::Error) -> Error {
    Error::Write { target: format!("{target:?}"), source }
}

/// Has the disk take the new name, too. Either name leads to a whole report, and some systems
/// do not sync directories, so that a failure here changes no result.
fn sync_parent(target: &Path) {
    let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty());
    let _ = File::open(parent.unwrap_or(Path::new("."))).and_then(|parent| parent.sync_all());
}

fn is_taken(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::AlreadyExists
}

/// `.NAME.PID.part` beside `target`; with a number that is not 0, `.NAME.PID.NUMBER.part`.
fn passing_name(target: &Path, number: u32) -> io::Result<PathBuf> {
    let name = target.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}", std::process::id()));
    if number > 0 {
        hidden.push(format!(".{number}"));
    }
    hidden.push(".part");
    Ok(target.with_file_name(hidden))
}

/// True for a name that `target` may have before it is whole, in this run or in another one.
pub(crate) fn is_passing_name(path: &Path, target: &Path) -> bool {
    let name = |path: &Path| path.file_name().map(OsStr::to_owned).unwrap_or_default();
    let mut begins = OsString::from(".");
    begins.push(name(target));
    begins.push(".");
    let (name, begins) = (name(path), begins.as_bytes());
    let is_part = name.as_bytes().starts_with(begins) && name.as_bytes().ends_with(b".part");
    is_part && path.parent() == target.parent()
}

impl Drop for Aside {
    fn drop(&mut self) {
        for Pending { passing, .. } in &self.files {
            // Half a report helps nobody; that it cannot be removed changes no result.
            let _ = fs::remove_file(passing);
        }
    }
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
