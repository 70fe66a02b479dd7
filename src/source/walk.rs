//! Directory trees: which files are read, in which order, and what is left out.
//!
//! Left out, and counted: entries whose name begins with a dot, and what the `.gitignore`
//! files of a git checkout name, as in other tools for trees of documents. A mail spool is
//! no checkout, and the folders of a Maildir begin with a dot: those are read.

use std::ffi::OsStr;
use std::fs::FileType;
use std::os::unix::ffi::OsStrExt;
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
    /// Something left out, and why: `hidden`, `ignored`, `symlink`, `special`.
    Skipped(&'static str),
    /// Something that could not be listed.
    Failed(Error),
}

/// Walks the tree below `root` in the order of names, byte by byte.
///
/// Stops when `visit` says so. Symbolic links are not followed.
pub fn walk(
    root: &Path,
    rules: WalkRules,
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
                    None => file(entry),
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
fn file(entry: DirEntry) -> Option<Step> {
    if entry.depth() == 0 || entry.file_type().is_dir() {
        return None;
    }
    let size = entry.metadata().map_or(0, |metadata| metadata.len());
    Some(Step::File(entry.into_path(), size))
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
    active: bool,
    /// The root as it was given, and as it is called from the top of the file system.
    root: (PathBuf, PathBuf),
    /// Rules of the directories above the root, outermost first.
    above: Vec<Gitignore>,
    /// Rules of the directories from the root down, one for each depth.
    below: Vec<Gitignore>,
}

impl Ignores {
    /// The rules that hold at `root`. None outside a checkout.
    fn above(root: &Path, rules: WalkRules) -> Self {
        let given = root.to_owned();
        let absolute = root.canonicalize();
        let root = absolute.as_ref().map_or(root, PathBuf::as_path);
        let (above, below) = (Vec::new(), Vec::new());
        let mut ignores = Self { active: false, root: (given, root.to_owned()), above, below };
        let Some(top) = root.ancestors().find(|path| path.join(".git").exists()) else {
            return ignores;
        };
        ignores.active = !rules.ignored;
        let mut between: Vec<&Path> =
            root.ancestors().skip(1).take_while(|path| path.starts_with(top)).collect();
        between.reverse();
        if ignores.active {
            ignores.above = between.into_iter().map(of_directory).collect();
        }
        ignores
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
        if self.active {
            self.below.push(of_directory(&self.absolute(directory)));
        }
    }

    /// True when the innermost rule about `path` says to ignore it.
    fn names(&self, path: &Path, is_dir: bool) -> bool {
        if !self.active {
            return false;
        }
        let path = self.absolute(path);
        self.above
            .iter()
            .chain(&self.below)
            .rev()
            .map(|rules| rules.matched(&path, is_dir))
            .find(|found| !found.is_none())
            .is_some_and(|found| found.is_ignore())
    }
}

/// The rules of one directory's `.gitignore`. A line that cannot be read names nothing, as
/// in git.
fn of_directory(directory: &Path) -> Gitignore {
    let mut builder = GitignoreBuilder::new(directory);
    builder.add(directory.join(".gitignore"));
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}
