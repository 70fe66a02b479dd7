//! Recognises files that are mail because they are in a Maildir or an MH folder.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::spools::{has_sequences, is_maildir};
use crate::platform::{self, OsBytes as _};
use crate::source::detect::postal::{PARTS, is_mail_name};
use crate::source::detect::stores::{is_deleted, is_number};
use crate::source::file::FoundAs;

/// The kind of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Folder {
    /// All of its files are messages.
    Messages,
    /// Files with numbers as names are messages.
    Numbers,
    /// Possibly a directory of numbered messages; not yet listed.
    Unlisted,
    /// Not a spool.
    Other,
}

/// A test whether files are in a spool. It remembers only the last directory, since files of one
/// directory come together.
#[derive(Debug, Default)]
pub struct Folders {
    last: Option<(PathBuf, Folder)>,
}

impl Folders {
    /// Reports whether the file at `path` is mail because it is in a Maildir or an MH folder.
    ///
    /// If the user named a symbolic link to such a file, the path of its target decides, too.
    pub fn hold(&mut self, path: &Path, found: FoundAs) -> bool {
        if self.knows(path) {
            return true;
        }
        let real = || platform::canonicalize(path).ok();
        let real = (found == FoundAs::Named && path.is_symlink()).then(real).flatten();
        real.is_some_and(|real| self.knows(&real) || is_mail_name(real.as_os_str().as_bytes()))
    }

    fn knows(&mut self, path: &Path) -> bool {
        let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else { return false };
        let last = self.last.take().filter(|(last, _)| last == directory);
        let (directory, mut folder) =
            last.unwrap_or_else(|| (directory.to_owned(), folder(directory)));
        let is_number = is_number(name.as_bytes());
        if folder == Folder::Unlisted && is_number {
            let is_mh = has_deleted(&directory);
            folder = if is_mh { Folder::Numbers } else { Folder::Other };
        }
        self.last = Some((directory, folder));
        match folder {
            Folder::Messages => true,
            Folder::Numbers => is_number,
            Folder::Unlisted | Folder::Other => false,
        }
    }
}

/// Returns the kind of `directory`. If the path ends in a link or in `..`, both its name and its
/// target count.
fn folder(directory: &Path) -> Folder {
    let directory = here(directory);
    let is_called_otherwise = || directory.file_name().is_none() || directory.is_symlink();
    let real = || is_called_otherwise().then(|| platform::canonicalize(directory).ok()).flatten();
    if is_part(directory) || real().as_deref().is_some_and(is_part) {
        return Folder::Messages;
    }
    // Gnus and old news servers keep an overview beside the messages of a folder.
    let has_overview = || directory.join(".overview").is_file();
    if has_sequences(directory) || has_overview() { Folder::Messages } else { Folder::Unlisted }
}

/// Returns the directory of a path, which is `.` if the path names none.
fn here(directory: &Path) -> &Path {
    if directory.as_os_str().is_empty() { Path::new(".") } else { directory }
}

fn is_part(directory: &Path) -> bool {
    let name = directory.file_name().map(OsStr::as_bytes);
    name.is_some_and(|name| PARTS.contains(&name)) && directory.parent().is_some_and(is_maildir)
}

fn has_deleted(directory: &Path) -> bool {
    let mut entries = fs::read_dir(here(directory)).into_iter().flatten().flatten();
    entries.any(|entry| is_deleted(entry.file_name().as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{Folders, FoundAs};
    use crate::platform;

    #[test]
    fn files_of_a_spool_are_mail_and_others_are_not() {
        let home = tempfile::tempdir().unwrap();
        let write = |path: &str| {
            let path = home.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        };
        let mail = [
            "box/cur/a",
            "box/new/a",
            "box/tmp/a",
            "box/.Sent/cur/a.md",
            "mh/3",
            "mh/a",
            "old/3",
            "nnml/1",
        ];
        let others = ["box/a", "a", "half/cur/a", "text/3", "old/a", "box/.Sent/b/cur/a"];
        let marks = ["box/.Sent/new/a", "mh/.mh_sequences", "old/,2", "nnml/.overview", "text/,a"];
        for path in mail.iter().chain(&others).chain(&marks) {
            write(path);
        }
        let mut folders = Folders::default();
        let mut holds = |path: &Path| folders.hold(path, FoundAs::Walked);
        for (paths, expected) in [(&mail[..], true), (&others[..], false)] {
            for path in paths {
                assert_eq!(holds(&home.path().join(path)), expected, "{path}");
            }
        }
        fs::create_dir(home.path().join("box/cur/b")).unwrap();
        for path in ["box/new/../cur/./a", "box/cur/b/../a"] {
            assert!(holds(&home.path().join(path)), "{path}");
        }
        assert!(!holds(Path::new("/")) && !holds(Path::new("")) && !holds(Path::new("Cargo.toml")));
    }

    #[test]
    fn a_link_that_is_named_is_what_it_leads_to() {
        let home = tempfile::tempdir().unwrap();
        let at = |path: &str| home.path().join(path);
        for part in ["box/cur", "box/new"] {
            fs::create_dir_all(at(part)).unwrap();
        }
        fs::write(at("box/cur/a"), "").unwrap();
        fs::write(at("a.eml"), "").unwrap();
        let link = |to: &str, path: &str| platform::symlink(&at(to), &at(path)).unwrap();
        link("box/cur/a", "one");
        link("a.eml", "two");
        link("box/cur", "part");
        link("box/cur", "elsewhere");
        let mut folders = Folders::default();
        for path in ["one", "two", "part/a"] {
            assert!(folders.hold(&at(path), FoundAs::Named), "{path}");
        }
        assert!(!folders.hold(&at("one"), FoundAs::Walked));
        assert!(folders.hold(&at("elsewhere/a"), FoundAs::Walked));
    }
}
