//! Overrides the filters that a repository configures for its files.
//!
//! A filter is a program that git runs to compare a file with its committed version
//! (gitattributes(5), `filter`). Filters that the user has configured for all repositories, such as
//! Git LFS, are run; filters that only a repository configures are not.

use std::collections::BTreeMap;
use std::path::Path;

use super::Git;

/// Maximum number of filter settings. Git reads all settings for every command, and so do we.
const FILTERS_MAX: usize = 1_000;

/// A key of git's configuration, and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) key: Vec<u8>,
    pub(super) value: Vec<u8>,
}

/// Returns settings that prevent filters which only the repository at `top` configures.
///
/// # Errors
/// Returns an error when git cannot be run, does not report the scopes of settings (before 2.26),
/// or lists more than `FILTERS_MAX` settings of filters.
pub(super) fn harmless(top: &Path) -> Result<Vec<Setting>, String> {
    let list = ["config", "--list", "--show-scope", "--null"];
    let mut scopes = Scopes::default();
    Git::start(top, &list, &[])?.each(b'\0', |part| scopes.take(part))?;
    if scopes.known.len() > FILTERS_MAX {
        return Err(format!("expected at most {FILTERS_MAX} settings of filters, found more"));
    }
    Ok(scopes.settings())
}

/// The settings of filters, and whether the user or the repository made them.
#[derive(Default)]
struct Scopes {
    /// The scope of the next setting, which git lists before the setting itself.
    next: Option<Vec<u8>>,
    /// By key: the user's value, and whether the repository sets the key, too.
    known: BTreeMap<Vec<u8>, (Option<Vec<u8>>, bool)>,
}

impl Scopes {
    /// Takes a scope or a setting, which alternate in git's output: `local`,
    /// `filter.x.clean\nvalue`.
    fn take(&mut self, part: &[u8]) {
        let Some(scope) = self.next.take() else {
            self.next = Some(part.to_vec());
            return;
        };
        let mut lines = part.splitn(2, |&byte| byte == b'\n');
        let key = lines.next().unwrap_or_default();
        if !key.starts_with(b"filter.") || self.known.len() > FILTERS_MAX {
            return;
        }
        let (own, is_set) = self.known.entry(key.to_vec()).or_default();
        match &*scope {
            b"system" | b"global" | b"command" => {
                *own = Some(lines.next().unwrap_or_default().to_vec());
            }
            // `local`, `worktree`, and scopes of future versions of git.
            _ => *is_set = true,
        }
    }

    /// Returns the user's value of each key that the repository sets. If there is none, an empty
    /// `clean` or `process` runs nothing, and `required` is false.
    fn settings(self) -> Vec<Setting> {
        let of_repository = self.known.into_iter().filter(|(_, (_, is_set))| *is_set);
        let settings = of_repository.map(|(key, (own, _))| {
            let none: &[u8] = if key.ends_with(b".required") { b"false" } else { b"" };
            Setting { value: own.unwrap_or_else(|| none.to_vec()), key }
        });
        settings.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Scopes, Setting};

    #[test]
    fn what_a_repository_sets_is_undone_and_what_its_user_sets_stays() {
        let mut scopes = Scopes::default();
        for part in [
            "global",
            "filter.lfs.clean\ngit-lfs clean -- %f",
            "global",
            "user.name\na\nb",
            "local",
            "filter.lfs.clean\nevil",
            "local",
            "filter.a=b.c.process\nevil",
            "worktree",
            "filter.x.required",
            "global",
            "filter.own.clean\ncat",
        ] {
            scopes.take(part.as_bytes());
        }
        let setting = |key: &str, value: &str| Setting { key: key.into(), value: value.into() };
        let wanted = [
            setting("filter.a=b.c.process", ""),
            setting("filter.lfs.clean", "git-lfs clean -- %f"),
            setting("filter.x.required", "false"),
        ];
        assert_eq!(scopes.settings(), wanted);
    }
}
