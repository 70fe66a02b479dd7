//! Inputs that are treated otherwise than the others, by their paths.
//!
//! A pattern is one of `.gitignore` (gitignore(5)), read from a directory; of several that fit
//! a path, the last decides. What lies inside of a file, in an archive or a message, goes with
//! the file. Standard input has no path.

use std::fs;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::Options;
use crate::check::{Checks, Policy};
use crate::error::Error;

/// What is wanted of inputs whose paths fit a pattern.
#[derive(Clone, Default)]
pub struct Overrides {
    /// The directory that patterns start from, as the system has it.
    root: PathBuf,
    list: Vec<Override>,
}

#[derive(Clone)]
struct Override {
    paths: Paths,
    wanted: Wanted,
}

/// A pattern of paths.
#[derive(Clone)]
pub struct Paths(Gitignore);

/// What is wanted of an input.
#[derive(Clone)]
pub struct Wanted {
    /// What is asked of each candidate. What reports need is added to it.
    pub checks: Checks,
    /// What answers are taken for.
    pub policy: Policy,
}

/// Which wishes hold for the file that was looked at last.
pub(super) struct InFile {
    path: PathBuf,
    /// Their number; none where they are those of all others.
    pub(super) number: Option<usize>,
}

impl Overrides {
    /// None yet, for patterns that start from `root`.
    ///
    /// # Errors
    /// When the directory is not there.
    pub fn new(root: &Path) -> Result<Self, Error> {
        let at = |source| Error::Open { path: root.to_owned(), source };
        Ok(Self { root: fs::canonicalize(root).map_err(at)?, list: Vec::new() })
    }

    /// Wants `wanted` of what `paths` fit.
    pub fn add(&mut self, paths: Paths, wanted: Wanted) {
        self.list.push(Override { paths, wanted });
    }

    /// The same, with what reports need of each finding.
    pub(super) fn telling(&self, messages: bool, names: bool) -> Self {
        let mut all = self.clone();
        for one in &mut all.list {
            let checks = &mut one.wanted.checks;
            (checks.messages, checks.names, checks.effects) = (messages, names, names);
        }
        all
    }

    /// What is wanted of the file at `path`, where that is something of its own.
    #[must_use]
    pub fn wanted_of(&self, path: &Path) -> Option<&Wanted> {
        self.wanted(self.find(path)?)
    }

    /// What is wanted under `number`.
    pub(super) fn wanted(&self, number: usize) -> Option<&Wanted> {
        self.list.get(number).map(|one| &one.wanted)
    }

    /// The number of what is wanted of the file at `path`, where that is something of its own;
    /// `last` remembers the file between two of its pieces.
    pub(super) fn of(&self, path: &Path, last: &mut Option<InFile>) -> Option<usize> {
        if self.list.is_empty() {
            return None;
        }
        match last {
            Some(last) if last.path == path => last.number,
            _ => {
                let number = self.find(path);
                *last = Some(InFile { path: path.to_owned(), number });
                number
            }
        }
    }

    fn find(&self, path: &Path) -> Option<usize> {
        // The file's own name stays as it is: a link is treated as what it is called.
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = fs::canonicalize(parent.unwrap_or(Path::new("."))).ok()?;
        let whole = parent.join(path.file_name()?);
        let below = whole.strip_prefix(&self.root).ok()?;
        self.list.iter().rposition(|one| one.paths.fit(below))
    }
}

impl Paths {
    /// Reads `pattern`.
    ///
    /// # Errors
    /// When it is none, or fits nothing.
    pub fn parse(pattern: &str) -> Result<Self, Error> {
        let fault = |reason: String| Error::Glob { pattern: pattern.to_owned(), reason };
        let mut builder = GitignoreBuilder::new("");
        // A class without its end is a slip, not a name with a bracket.
        builder.allow_unclosed_class(false);
        builder.add_line(None, pattern).map_err(|error| fault(error.to_string()))?;
        let paths = builder.build().map_err(|error| fault(error.to_string()))?;
        // Blanks and remarks are lines of such a file, too, and one with `!` fits nothing.
        let is_pattern = paths.num_ignores() == 1;
        is_pattern.then_some(Self(paths)).ok_or_else(|| fault("it fits nothing".to_owned()))
    }

    /// True for a path from the directory of the pattern, and for one below a directory that it
    /// fits.
    fn fit(&self, path: &Path) -> bool {
        self.0.matched_path_or_any_parents(path, false).is_ignore()
    }
}

/// What is asked of each candidate where nothing else is wanted.
pub(super) fn checks(options: &Options, messages: bool, names: bool) -> Checks {
    Checks {
        grammars: options.grammars.clone(),
        refused: options.refused,
        cues: options.find.clone(),
        include: options.include.clone(),
        exclude: options.exclude.clone(),
        allowed: options.allowed.clone(),
        messages,
        names,
        effects: names,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Paths;

    fn fits(pattern: &str, path: &str) -> bool {
        Paths::parse(pattern).unwrap().fit(Path::new(path))
    }

    #[test]
    fn patterns_are_those_of_gitignore() {
        assert!(fits("old/", "docs/old/a.md"));
        assert!(fits("/docs/**/*.md", "docs/a/b/c.md"));
        assert!(fits("*.md", "a/b.md"));
        assert!(!fits("/old/", "docs/old/a.md"));
        assert!(!fits("/docs/*.md", "docs/a/b.md"));
        assert!(!fits("*.md", "a/b.mdx"));
    }

    #[test]
    fn what_fits_nothing_is_no_pattern() {
        for bad in ["", " ", "# a", "!a", "[a", "a{b"] {
            assert!(Paths::parse(bad).is_err(), "{bad}");
        }
    }
}
