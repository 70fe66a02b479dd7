//! Matches entries of a tree with its ignore files: `.gitignore` in a git checkout, as other tools
//! for trees of documents do, and `.linktrawlignore` anywhere. Both have the syntax of git's
//! documentation of `gitignore`.
//!
//! No ignore file holds in a mail spool, wherever the spool is: a home directory that is a checkout
//! often ignores everything, and mail is not a document.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::patterns;
use super::spools::{has_sequences, is_maildir};
use crate::error::Error;
use crate::platform;
use crate::span::BYTE_ORDER_MARK;

/// Name of git's ignore files, which hold in a checkout.
const OF_GIT: &str = ".gitignore";
/// Name of our own ignore files, which hold everywhere and take precedence over those of git.
const OWN: &str = ".linktrawlignore";

/// Maximum length of an ignore file: those of git's own trees have some kilobytes, and patterns
/// compile to tables of many times their size.
const RULES_LEN_MAX: u64 = 1024 * 1024;

/// The ignore files that hold at the current place in a walk: those of all directories from the
/// root of the file system down to it.
pub(super) struct Ignores {
    /// Whether nothing is ignored, whatever the files contain.
    is_off: bool,
    /// The root of the walk as it was given, and its absolute path.
    root: (PathBuf, PathBuf),
    /// One for each directory, outermost first.
    levels: Vec<Level>,
    /// Number of levels above the root of the walk.
    above: usize,
    /// Errors of reading ignore files.
    errors: Vec<Error>,
}

/// The rules of one directory.
struct Level {
    own: Gitignore,
    /// None outside of a checkout.
    git: Option<Gitignore>,
    /// Whether this is the top of a checkout: git's rules from above do not hold in it.
    is_top: bool,
    /// Whether this is a spool or in one.
    is_spool: bool,
}

impl Ignores {
    /// Reads the rules that hold at `root` because of the directories above it.
    pub(super) fn above(root: &Path, is_off: bool) -> Self {
        let absolute = platform::canonicalize(root).unwrap_or_else(|_| root.to_owned());
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

    /// Drops the rules of directories that do not contain an entry at `depth`.
    pub(super) fn leave_to(&mut self, depth: usize) {
        self.levels.truncate(self.above + depth);
    }

    /// Reads the rules of `directory`, which is in the last directory entered; a spool has none.
    pub(super) fn enter(&mut self, directory: &Path, is_spool: bool) {
        self.enter_at(directory, &self.absolute(directory), is_spool);
    }

    /// Reads the rules of `directory`, which error messages call `given`.
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

    /// Takes the errors of reading ignore files since the last call.
    pub(super) fn errors(&mut self) -> Vec<Error> {
        std::mem::take(&mut self.errors)
    }

    /// Reports whether the innermost rule about `path` ignores it; rules of our own files take
    /// precedence over all of git's.
    pub(super) fn names(&self, path: &Path, is_dir: bool) -> bool {
        let Some(last) = self.levels.last().filter(|last| !last.is_spool) else { return false };
        let has_rules = last.git.is_some() || self.levels.iter().any(|level| !level.own.is_empty());
        if !has_rules {
            return false;
        }
        let path = self.absolute(path);
        let is_ignored = self.by_own(&path, is_dir).or_else(|| self.by_git(&path, is_dir));
        // A rule outside of a spool does not hold for the spool.
        is_ignored == Some(true) && !(is_dir && is_spool(&path))
    }

    fn by_own(&self, path: &Path, is_dir: bool) -> Option<bool> {
        self.levels.iter().rev().find_map(|level| says(&level.own, path, is_dir))
    }

    fn by_git(&self, path: &Path, is_dir: bool) -> Option<bool> {
        for level in self.levels.iter().rev() {
            let found = says(level.git.as_ref()?, path, is_dir);
            // The rules of an outer checkout do not hold in an inner one.
            if found.is_some() || level.is_top {
                return found;
            }
        }
        None
    }

    /// Reads the rules of one ignore file; returns none of them if there is no such file. An
    /// invalid line matches nothing, as in git.
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
        for line in text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text).split(|byte| *byte == b'\n')
        {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if let Some(line) = std::str::from_utf8(line).ok().and_then(patterns::written) {
                let _ = builder.add_line(None, &line);
            }
        }
        builder.build().unwrap_or_else(|_| Gitignore::empty())
    }
}

/// Returns whether `rules` ignore `path`; none if no rule matches it.
fn says(rules: &Gitignore, path: &Path, is_dir: bool) -> Option<bool> {
    let found = rules.matched(path, is_dir);
    (!found.is_none()).then(|| found.is_ignore())
}

/// Returns the contents of an ignore file; empty if there is none. Reads only regular files, since
/// a pipe of this name would have no end.
fn text(path: &Path) -> io::Result<Vec<u8>> {
    // Most directories have none. The walk reports directories that cannot be entered.
    if path.symlink_metadata().is_err() {
        return Ok(Vec::new());
    }
    let file = platform::open(path)?;
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

/// Reports whether `directory` is the top of a git checkout; in a worktree or submodule, `.git` is
/// a file.
fn is_checkout(directory: &Path) -> bool {
    directory.join(".git").exists()
}

/// Reports whether a directory is a Maildir, or an MH folder with a sequences file.
fn is_spool(directory: &Path) -> bool {
    is_maildir(directory) || has_sequences(directory)
}
