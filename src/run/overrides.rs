//! Selects settings for single inputs by their paths.
//!
//! A pattern is one of `.gitignore` (gitignore(5)), relative to a directory; of several that match
//! a path, the last decides. The contents of an archive or of a message have the settings of the
//! file. Standard input has no path.

use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::Options;
use crate::check::{Checks, Policy};
use crate::error::Error;
use crate::platform;

/// Settings for the inputs whose paths match a pattern.
#[derive(Clone, Default)]
pub struct Overrides {
    /// The canonical path of the directory that patterns are relative to.
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

/// The settings for an input.
#[derive(Clone)]
pub struct Wanted {
    /// The checks of each candidate. Those that reports need are added.
    pub checks: Checks,
    /// The policy that turns results into verdicts.
    pub policy: Policy,
}

/// The override for the file that was looked at last.
pub(super) struct InFile {
    path: PathBuf,
    /// The number of the override; `None` if the general settings hold.
    pub(super) number: Option<usize>,
}

impl Overrides {
    /// Creates an empty list, for patterns relative to `root`.
    ///
    /// # Errors
    /// When the directory does not exist.
    pub fn new(root: &Path) -> Result<Self, Error> {
        let at = |source| Error::Open { path: root.to_owned(), source };
        Ok(Self { root: platform::canonicalize(root).map_err(at)?, list: Vec::new() })
    }

    /// Adds the settings `wanted` for the inputs that `paths` match.
    pub fn add(&mut self, paths: Paths, wanted: Wanted) {
        self.list.push(Override { paths, wanted });
    }

    /// Returns a copy whose checks also collect `messages`, `names` and side effects.
    pub(super) fn telling(&self, messages: bool, names: bool) -> Self {
        let mut all = self.clone();
        for one in &mut all.list {
            let checks = &mut one.wanted.checks;
            (checks.messages, checks.names, checks.effects) = (messages, names, names);
        }
        all
    }

    /// Returns the settings for the file at `path`, if an override matches it.
    #[must_use]
    pub fn wanted_of(&self, path: &Path) -> Option<&Wanted> {
        self.wanted(self.find(path)?)
    }

    /// Returns the settings of override `number`.
    pub(super) fn wanted(&self, number: usize) -> Option<&Wanted> {
        self.list.get(number).map(|one| &one.wanted)
    }

    /// Returns the number of the override for the file at `path`, if one matches; `last` caches the
    /// file between two of its pieces.
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
        // Symbolic links in the last component are not resolved: patterns match the link's name.
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = platform::canonicalize(parent.unwrap_or(Path::new("."))).ok()?;
        let whole = parent.join(path.file_name()?);
        let below = whole.strip_prefix(&self.root).ok()?;
        self.list.iter().rposition(|one| one.paths.fit(below))
    }
}

impl Paths {
    /// Parses `pattern`.
    ///
    /// # Errors
    /// When it is no pattern, or matches nothing.
    pub fn parse(pattern: &str) -> Result<Self, Error> {
        let fault = |reason: String| Error::Glob { pattern: pattern.to_owned(), reason };
        let mut builder = GitignoreBuilder::new("");
        // An unclosed class is a mistake, not a name with a bracket.
        builder.allow_unclosed_class(false);
        builder.add_line(None, pattern).map_err(|error| fault(error.to_string()))?;
        let paths = builder.build().map_err(|error| fault(error.to_string()))?;
        // Blank lines and comments occur in such files, too, and a pattern with `!` matches
        // nothing.
        let is_pattern = paths.num_ignores() == 1;
        is_pattern.then_some(Self(paths)).ok_or_else(|| fault("it fits nothing".to_owned()))
    }

    /// Reports whether the pattern matches `path`, relative to the pattern's directory, or one of
    /// its parents.
    fn fit(&self, path: &Path) -> bool {
        self.0.matched_path_or_any_parents(path, false).is_ignore()
    }
}

/// Returns the general checks of each candidate.
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
        unwrap: options.unwrap,
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
