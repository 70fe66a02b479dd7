//! Directory trees: which files are read, in which order, and what is left out.
//!
//! Left out, and counted: entries whose name begins with a dot, what the `.gitignore` files
//! of a git checkout name, as in other tools for trees of documents, and the reports of the
//! run itself. A mail spool is no checkout, and the folders of a Maildir begin with a dot:
//! those are read.

use std::ffi::OsStr;
use std::fs::FileType;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use walkdir::{DirEntry, WalkDir};

use crate::error::Error;

/// What a directory walk leaves out; each entry left out is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkRules {
    /// True to read entries whose name begins with a dot.
    pub hidden: bool,
    /// True to read entries that a `.gitignore` of a git checkout names.
    pub ignored: bool,
}

/// One step of a walk.
#[derive(Debug)]
pub enum Step {
    /// A regular file to read, with its size.
    File(PathBuf, u64),
    /// Something left out, and why: `hidden`, `ignored`, `symlink`, `special`,
    /// `own-output`.
    Skipped(&'static str),
    /// Something that could not be listed.
    Failed(Error),
}

/// Walks the tree below `root` in the order of names, byte by byte.
///
/// Stops when `visit` says so. Symbolic links are not followed. `own` holds device and inode
/// of each file that the run writes to: to read what one writes may have no end.
pub fn walk(
    root: &Path,
    rules: WalkRules,
    own: &[(u64, u64)],
    visit: &mut dyn FnMut(Step) -> std::ops::ControlFlow<()>,
) {
    let mut ignores = Ignores::above(root, rules);
    let mut entries = WalkDir::new(root)
        .sort_by(|one, other| one.file_name().as_bytes().cmp(other.file_name().as_bytes()))
        .into_iter();
    while let Some(entry) = entries.next() {
        let step = match entry {
            Err(error) => Some(Step::Failed(failure(root, error))),
            Ok(entry) => {
                let reason = skips(&entry, rules, &mut ignores);
                if reason.is_some() && entry.file_type().is_dir() {
                    entries.skip_current_dir();
                }
                match reason {
                    Some(reason) => Some(Step::Skipped(reason)),
                    None => file(entry, own),
                }
            }
        };
        if step.is_some_and(|step| visit(step).is_break()) {
            return;
        }
    }
}

fn failure(root: &Path, error: walkdir::Error) -> Error {
    let path = error.path().unwrap_or(root).to_owned();
    // A loop of symbolic links is the only failure without a cause, and none is followed.
    let source = error.into_io_error().unwrap_or_else(|| std::io::ErrorKind::Other.into());
    Error::Walk { path, source }
}

/// A regular file's step; none for a directory.
fn file(entry: DirEntry, own: &[(u64, u64)]) -> Option<Step> {
    if entry.depth() == 0 || entry.file_type().is_dir() {
        return None;
    }
    let metadata = entry.metadata().ok();
    if metadata.as_ref().is_some_and(|found| own.contains(&(found.dev(), found.ino()))) {
        return Some(Step::Skipped("own-output"));
    }
    Some(Step::File(entry.into_path(), metadata.map_or(0, |found| found.len())))
}

/// Why `entry` is left out, if it is. Keeps `ignores` at the directory of the entry.
fn skips(entry: &DirEntry, rules: WalkRules, ignores: &mut Ignores) -> Option<&'static str> {
    let kind = entry.file_type();
    ignores.leave_to(entry.depth());
    if entry.depth() > 0 {
        if !rules.hidden && is_hidden(entry.file_name()) && !is_maildir(entry.path(), kind) {
            return Some("hidden");
        }
        if ignores.names(entry.path(), kind.is_dir()) {
            return Some("ignored");
        }
    }
    if entry.depth() == 0 || kind.is_dir() {
        ignores.enter(entry.path());
        return None;
    }
    match kind {
        _ if kind.is_symlink() && entry.depth() > 0 => Some("symlink"),
        _ if !kind.is_file() && entry.depth() > 0 => Some("special"),
        _ => None,
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_bytes().starts_with(b".")
}

/// True for a directory that holds messages in the layout of Maildir.
fn is_maildir(path: &Path, kind: FileType) -> bool {
    kind.is_dir() && path.join("cur").is_dir() && path.join("new").is_dir()
}

/// The `.gitignore` files that hold for a place in the walk: one for each directory from
/// the top of the checkout down.
struct Ignores {
    /// True when nothing is ignored, whatever the files say.
    off: bool,
    /// The root as it was given, and as it is called from the top of the file system.
    root: (PathBuf, PathBuf),
    /// Rules of the directories above the root, outermost first; none outside a checkout.
    above: Option<Vec<Gitignore>>,
    /// Rules of the directories from the root down, one for each depth; none for those that
    /// stand outside a checkout.
    below: Vec<Option<Level>>,
}

/// The rules of one directory in a checkout.
struct Level {
    rules: Gitignore,
    /// True for the checkout's own directory: the rules of those above do not hold below it.
    is_top: bool,
}

impl Ignores {
    /// The rules that hold at `root` because of what stands above it.
    fn above(root: &Path, rules: WalkRules) -> Self {
        let given = root.to_owned();
        let absolute = root.canonicalize().unwrap_or_else(|_| given.clone());
        let directories: Vec<&Path> = absolute.ancestors().skip(1).collect();
        let top = directories.iter().position(|path| is_checkout(path));
        let above = top.filter(|_| !rules.ignored).map(|top| {
            directories.iter().take(top + 1).rev().map(|path| of_directory(path)).collect()
        });
        Self { off: rules.ignored, root: (given, absolute), above, below: Vec::new() }
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        let (given, absolute) = &self.root;
        path.strip_prefix(given).map_or_else(|_| path.to_owned(), |below| absolute.join(below))
    }

    /// Forgets the rules of directories that an entry at `depth` does not stand in.
    fn leave_to(&mut self, depth: usize) {
        self.below.truncate(depth);
    }

    fn enter(&mut self, directory: &Path) {
        if self.off {
            return;
        }
        let is_top = is_checkout(directory);
        let is_inside = self.below.last().map_or(self.above.is_some(), Option::is_some);
        let level = (is_top || is_inside)
            .then(|| Level { rules: of_directory(&self.absolute(directory)), is_top });
        self.below.push(level);
    }

    /// True when the innermost rule about `path` says to ignore it.
    fn names(&self, path: &Path, is_dir: bool) -> bool {
        let Some(Some(_)) = self.below.last() else { return false };
        let path = self.absolute(path);
        for level in self.below.iter().rev().flatten() {
            let found = level.rules.matched(&path, is_dir);
            // A checkout within a checkout has nothing to do with the outer one.
            if !found.is_none() || level.is_top {
                return found.is_ignore();
            }
        }
        let above = self.above.iter().flatten().rev();
        above
            .map(|rules| rules.matched(&path, is_dir))
            .find(|found| !found.is_none())
            .is_some_and(|found| found.is_ignore())
    }
}

/// True for the directory of a git checkout; `.git` is a file in a worktree or submodule.
fn is_checkout(directory: &Path) -> bool {
    directory.join(".git").exists()
}

/// The rules of one directory's `.gitignore`. A line that cannot be read names nothing, as
/// in git.
fn of_directory(directory: &Path) -> Gitignore {
    let mut builder = GitignoreBuilder::new(directory);
    builder.add(directory.join(".gitignore"));
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}
