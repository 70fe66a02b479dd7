//! Walks directory trees: decides which files are read, and in which order.
//!
//! Skips and counts entries whose name begins with a dot, entries that ignore files name
//! (`ignores`), files of a mail spool that are not messages (`spools`), files already met under
//! another name, and the reports of the run itself (`links`). The folders of a Maildir are read
//! although their names begin with a dot.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::iter;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::markup::Markup;
use crate::error::Error;
use crate::finding::Skip;
use crate::platform::{self, OsBytes as _};

mod folders;
mod ignores;
mod links;
mod moves;
mod patterns;
mod spools;

pub use folders::Folders;
use ignores::Ignores;
pub use links::Identities;
use links::Met;
use moves::Moves;
use spools::Spools;

/// The rules by which a directory walk skips entries; each skipped entry is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalkRules {
    /// Whether to read entries whose name begins with a dot.
    pub hidden: bool,
    /// Whether to read entries that a `.gitignore` of a git checkout or a `.linktrawlignore` names.
    pub ignored: bool,
}

/// One step of a walk.
#[derive(Debug)]
pub enum Step {
    /// A regular file to read, with its size.
    File(PathBuf, u64),
    /// A skipped entry, with the reason.
    Skipped(Skip),
    /// The first file with several names that is read under each of them, for lack of room.
    Forgotten(PathBuf, u64),
    /// A directory that cannot be listed, or an ignore file that cannot be read.
    Failed(Error),
}

/// Walks the tree below `root` in the order of names, byte by byte.
///
/// Stops when `visit` breaks. Does not follow symbolic links. `identities` remembers the files met
/// before. Messages that move to the `cur` of a Maildir during the walk are visited between the
/// entries of `cur` and those of `new`.
pub fn walk(
    root: &Path,
    rules: WalkRules,
    identities: &mut Identities,
    visit: &mut dyn FnMut(Step) -> std::ops::ControlFlow<()>,
) {
    let mut ignores = Ignores::above(root, rules.ignored);
    let (mut spools, mut moves) = (Spools::default(), Moves::default());
    // Sorts the entries of one directory: their whole paths differ as their names do, which saves
    // finding the names.
    let by_path = |one: &DirEntry, other: &DirEntry| bytes(one.path()).cmp(bytes(other.path()));
    let mut entries = WalkDir::new(root).sort_by(move |one, other| by_path(one, other)).into_iter();
    while let Some(entry) = entries.next() {
        let mut late = Vec::new();
        let step = match entry {
            Err(error) => {
                moves.forget(error.path());
                Some(Step::Failed(failure(root, error)))
            }
            Ok(entry) => {
                moves.leave_to(entry.depth());
                let reason = skips(&entry, rules, &mut ignores, &mut spools);
                if reason.is_some() {
                    moves.pass(entry.path(), entry.depth());
                }
                match (reason, entry.file_type().is_dir()) {
                    (Some(_), true) => entries.skip_current_dir(),
                    (None, true) if spools.is_in_maildir() => {
                        late = late_steps(&entry, rules, &mut moves, identities);
                    }
                    _ => {}
                }
                match reason {
                    // The name of a report begins with a dot until the report is complete.
                    Some(Skip::Hidden) if is_own(&entry, identities) => Some(OWN),
                    Some(reason) => Some(Step::Skipped(reason)),
                    None => file(entry, &mut moves, identities),
                }
            }
        };
        let errors = ignores.errors().into_iter().map(Step::Failed);
        for step in errors.chain(late).chain(step) {
            if visit(step).is_break() {
                return;
            }
        }
    }
}

/// Returns the directories that a walk below `root` enters, with `root`, in no order. Ignores
/// directories that cannot be listed, since the walk reports them.
///
/// Yields each directory before listing it: a watcher added at that moment misses no new entry.
pub fn directories(root: &Path, rules: WalkRules) -> impl Iterator<Item = PathBuf> {
    let mut ignores = Ignores::above(root, rules.ignored);
    let mut spools = Spools::default();
    let mut entries = WalkDir::new(root).into_iter();
    iter::from_fn(move || {
        loop {
            let entry = entries.next()?;
            let Some(entry) = entry.ok().filter(|entry| entry.file_type().is_dir()) else {
                continue;
            };
            if skips(&entry, rules, &mut ignores, &mut spools).is_none() {
                return Some(entry.into_path());
            }
            entries.skip_current_dir();
        }
    })
}

/// Reports whether a walk below `root` skips `path` because of its name or that of a directory
/// around it. `path` need not exist. Returns true for a path outside of `root`.
#[must_use]
pub fn leaves_out(root: &Path, path: &Path, rules: WalkRules) -> bool {
    let Ok(below) = path.strip_prefix(root) else { return true };
    let mut ignores = Ignores::above(root, rules.ignored);
    let mut spools = Spools::default();
    let mut reached = root.to_owned();
    below.components().any(|part| {
        // The path reached so far has an entry below it, so that it is a directory.
        spools.enter(&reached);
        ignores.enter(&reached, spools.is_spool());
        reached.push(part);
        let is_dir = reached != path || path.is_dir();
        skips_name(&reached, is_dir, rules, (&ignores, &mut spools)).is_some()
    })
}

fn failure(root: &Path, error: walkdir::Error) -> Error {
    let path = error.path().unwrap_or(root).to_owned();
    // The only failure without a cause is a loop of symbolic links, and links are not followed.
    let source = error.into_io_error().unwrap_or_else(|| std::io::ErrorKind::Other.into());
    Error::Walk { path, source }
}

/// Returns the step of a regular file; none for a directory, and for a message visited before.
fn file(entry: DirEntry, moves: &mut Moves, identities: &mut Identities) -> Option<Step> {
    if entry.depth() == 0 || entry.file_type().is_dir() {
        return None;
    }
    let depth = entry.depth();
    let (path, metadata) = moves.find(entry.into_path(), depth)?;
    Some(met(path, metadata.as_ref(), identities))
}

/// Returns the steps of messages that have moved to the `cur` beside `directory` since the walk
/// listed that `cur`.
fn late_steps(
    directory: &DirEntry,
    rules: WalkRules,
    moves: &mut Moves,
    identities: &mut Identities,
) -> Vec<Step> {
    let path = directory.path();
    let late = match moves.enter(path, directory.depth()) {
        Ok(late) => late,
        Err(source) => {
            let path = path.with_file_name("cur");
            return vec![Step::Failed(Error::Walk { path, source })];
        }
    };
    let is_read = |path: &PathBuf| rules.hidden || !path.file_name().is_some_and(is_hidden);
    let late = late.into_iter().filter(is_read).filter_map(|path| moves.find_late(path));
    let is_message = |found: &Option<Metadata>| found.as_ref().is_none_or(Metadata::is_file);
    late.filter(|(_, metadata)| is_message(metadata))
        .map(|(path, metadata)| met(path, metadata.as_ref(), identities))
        .collect()
}

/// Returns the step of the file at `path`.
fn met(path: PathBuf, metadata: Option<&Metadata>, identities: &mut Identities) -> Step {
    let path = platform::slashed(path);
    let len = metadata.map_or(0, Metadata::len);
    // Links of a document are relative to its directory, so that each of its names counts.
    let is_document = || {
        let name = path.file_name().unwrap_or_default().as_bytes();
        Markup::by_name(name).is_some_and(|markup| markup.escapes().is_none())
    };
    match metadata.map_or(Met::New, |found| identities.meet(&path, found, is_document)) {
        Met::New => Step::File(path, len),
        Met::Forgotten => Step::Forgotten(path, len),
        Met::Again => Step::Skipped(Skip::HardLink),
        Met::Own => OWN,
    }
}

/// The step of a file that the run itself writes.
const OWN: Step = Step::Skipped(Skip::OwnOutput);

fn is_own(entry: &DirEntry, identities: &Identities) -> bool {
    entry.metadata().is_ok_and(|found| identities.is_own(entry.path(), &found))
}

/// Returns the reason to skip `entry`, if there is one. Moves `ignores` and `spools` to the
/// directory of the entry.
fn skips(
    entry: &DirEntry,
    rules: WalkRules,
    ignores: &mut Ignores,
    spools: &mut Spools,
) -> Option<Skip> {
    let kind = entry.file_type();
    ignores.leave_to(entry.depth());
    spools.leave_to(entry.depth());
    if entry.depth() > 0 {
        let reason = skips_name(entry.path(), kind.is_dir(), rules, (ignores, spools));
        if reason.is_some() {
            return reason;
        }
    }
    if entry.depth() == 0 || kind.is_dir() {
        spools.enter(entry.path());
        ignores.enter(entry.path(), spools.is_spool());
        return None;
    }
    match kind {
        _ if kind.is_symlink() && entry.depth() > 0 => Some(Skip::Symlink),
        _ if !kind.is_file() && entry.depth() > 0 => Some(Skip::Special),
        _ => None,
    }
}

/// Returns the reason to skip an entry at `path` because of its name, if there is one. The rules
/// are those of the directory around it.
fn skips_name(
    path: &Path,
    is_dir: bool,
    rules: WalkRules,
    (ignores, spools): (&Ignores, &mut Spools),
) -> Option<Skip> {
    if let Some(reason) = spools.skips(path, is_dir) {
        return Some(reason);
    }
    let is_hidden = !rules.hidden && is_hidden(path.file_name().unwrap_or_default());
    if is_hidden && !(is_dir && spools.may_be_folder(path)) {
        return Some(Skip::Hidden);
    }
    ignores.names(path, is_dir).then_some(Skip::Ignored)
}

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_bytes().starts_with(b".")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{WalkRules, directories};

    #[test]
    fn a_directory_that_comes_while_its_parent_is_listened_to_is_given() {
        let home = tempfile::tempdir().expect("a directory");
        let mut given = directories(home.path(), WalkRules::default());
        assert_eq!(given.next().as_deref(), Some(home.path()));
        let new = home.path().join("new");
        fs::create_dir(&new).expect("a directory");
        assert_eq!(given.next(), Some(new.clone()));
        fs::create_dir(new.join("newer")).expect("a directory");
        assert_eq!(given.collect::<Vec<_>>(), [new.join("newer")]);
    }
}
