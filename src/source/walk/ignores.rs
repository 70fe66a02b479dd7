//! Which entries of a tree its ignore files name: `.gitignore` in a git checkout, as in other
//! tools for trees of documents, and `.linktrawlignore` anywhere. Both are written as git's
//! documentation of `gitignore` says.
//!
//! None of them holds in a mail spool, whatever stands around it: a home directory that is a
//! checkout often ignores everything, and mail is no document.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::patterns;
use super::spools::{has_sequences, is_maildir};
use crate::error::Error;

/// The ignore files of git, which hold in a checkout.
const OF_GIT: &str = ".gitignore";
/// Our own ignore files, which hold everywhere and before those of git.
const OWN: &str = ".linktrawlignore";

/// Bytes of one ignore file: git's own trees have some kilobytes, and their patterns become
/// tables of many times their size.
const RULES_LEN_MAX: u64 = 1024 * 1024;

/// The ignore files that hold for a place in a walk: those of all directories from the top of
/// the file system down to it.
pub(super) struct Ignores {
    /// True when nothing is ignored, whatever the files say.
    is_off: bool,
    /// The root as it was given, and as it is called from the top of the file system.
    root: (PathBuf, PathBuf),
    /// One for each directory, outermost first.
    levels: Vec<Level>,
    /// How many of them stand above the root.
    above: usize,
    /// What kept ignore files from being read.
    errors: Vec<Error>,
}

/// The rules of one directory.
struct Level {
    own: Gitignore,
    /// None outside of a checkout.
    git: Option<Gitignore>,
    /// True for the checkout's own directory: git's rules of those above do not hold below it.
    is_top: bool,
    /// True for a spool, and for what is in one.
    is_spool: bool,
}

impl Ignores {
    /// The rules that hold at `root` because of what stands above it.
    pub(super) fn above(root: &Path, is_off: bool) -> Self {
        let absolute = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let mut ignores = Self {
            is_off,
            root: (root.to_owned(), absolute.clone()),
            levels: Vec::new(),
            above: 0,
            errors: Vec::new(),
        };
        let directories: Vec<&Path> = absolute.ancestors().skip(1).collect();
        for directory in directories.into_iter().rev() {
            ignores.enter_at(directory, directory, is_spool(directory));
        }
        ignores.above = ignores.levels.len();
        ignores
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        let (given, absolute) = &self.root;
        path.strip_prefix(given).map_or_else(|_| path.to_owned(), |below| absolute.join(below))
    }

    /// Forgets the rules of directories that an entry at `depth` does not stand in.
    pub(super) fn leave_to(&mut self, depth: usize) {
        self.levels.truncate(self.above + depth);
    }

    /// Learns the rules of `directory`, which stands in the last one that was entered, and may
    /// be a mail spool.
    pub(super) fn enter(&mut self, directory: &Path, is_spool: bool) {
        self.enter_at(directory, &self.absolute(directory), is_spool);
    }

    /// Errors call the directory `given`.
    fn enter_at(&mut self, given: &Path, directory: &Path, is_spool: bool) {
        if self.is_off {
            return;
        }
        let around = self.levels.last();
        let is_in_spool = around.is_some_and(|level| level.is_spool);
        let is_in_checkout = around.is_some_and(|level| level.git.is_some());
        let level = if is_in_spool || is_spool {
            Level { own: Gitignore::empty(), git: None, is_top: false, is_spool: true }
        } else {
            let is_top = is_checkout(directory);
            let git = (is_top || is_in_checkout).then(|| self.rules(given, directory, OF_GIT));
            Level { own: self.rules(given, directory, OWN), git, is_top, is_spool: false }
        };
        self.levels.push(level);
    }

    /// What kept ignore files from being read since this was asked the last time.
    pub(super) fn errors(&mut self) -> Vec<Error> {
        std::mem::take(&mut self.errors)
    }

    /// True when the innermost rule about `path` says to ignore it; a rule of our own files
    /// stands before all of git's.
    pub(super) fn names(&self, path: &Path, is_dir: bool) -> bool {
        let Some(last) = self.levels.last().filter(|last| !last.is_spool) else { return false };
        let has_rules = last.git.is_some() || self.levels.iter().any(|level| !level.own.is_empty());
        if !has_rules {
            return false;
        }
        let path = self.absolute(path);
        let is_ignored = self.by_own(&path, is_dir).or_else(|| self.by_git(&path, is_dir));
        // Nothing outside of a spool speaks of it.
        is_ignored == Some(true) && !(is_dir && is_spool(&path))
    }

    fn by_own(&self, path: &Path, is_dir: bool) -> Option<bool> {
        self.levels.iter().rev().find_map(|level| says(&level.own, path, is_dir))
    }

    fn by_git(&self, path: &Path, is_dir: bool) -> Option<bool> {
        for level in self.levels.iter().rev() {
            let found = says(level.git.as_ref()?, path, is_dir);
            // A checkout within a checkout has nothing to do with the outer one.
            if found.is_some() || level.is_top {
                return found;
            }
        }
        None
    }

    /// The rules of one ignore file; none where there is no such file. A line that cannot be
    /// read names nothing, as in git.
    fn rules(&mut self, given: &Path, directory: &Path, name: &str) -> Gitignore {
        let text = text(&directory.join(name)).unwrap_or_else(|source| {
            self.errors.push(Error::Open { path: given.join(name), source });
            Vec::new()
        });
        if text.is_empty() {
            return Gitignore::empty();
        }
        let mut builder = GitignoreBuilder::new(directory);
        builder.allow_unclosed_class(false);
        for line in text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text).split(|byte| *byte == b'\n')
        {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if let Some(line) = std::str::from_utf8(line).ok().and_then(patterns::written) {
                let _ = builder.add_line(None, &line);
            }
        }
        builder.build().unwrap_or_else(|_| Gitignore::empty())
    }
}

/// Whether `rules` say to ignore `path`; none when they say nothing of it.
fn says(rules: &Gitignore, path: &Path, is_dir: bool) -> Option<bool> {
    let found = rules.matched(path, is_dir);
    (!found.is_none()).then(|| found.is_ignore())
}

/// What stands in an ignore file; nothing where there is none. Only a regular file is read: a
/// pipe of this name would have no end.
fn text(path: &Path) -> io::Result<Vec<u8>> {
    // Most directories have none. That one cannot be entered is told where it is walked.
    if path.symlink_metadata().is_err() {
        return Ok(Vec::new());
    }
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Ok(Vec::new());
    }
    if !metadata.is_file() {
        return Err(io::Error::other("expected a file with rules, found something else"));
    }
    read_all(&file)
}

fn read_all(file: &File) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    if file.take(RULES_LEN_MAX + 1).read_to_end(&mut text)? as u64 > RULES_LEN_MAX {
        let message = format!("expected at most {RULES_LEN_MAX} bytes of rules, found more");
        return Err(io::Error::other(message));
    }
    Ok(text)
}

/// True for the directory of a git checkout; `.git` is a file in a worktree or submodule.
fn is_checkout(directory: &Path) -> bool {
    directory.join(".git").exists()
}

/// True for a Maildir, and for a folder of MH, which programs keep their marks in.
fn is_spool(directory: &Path) -> bool {
    is_maildir(directory) || has_sequences(directory)
}
