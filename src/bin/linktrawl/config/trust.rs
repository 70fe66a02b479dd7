//! What a file of options may say that nobody named.
//!
//! Whoever writes a directory that others check, an archive or a repository, can put such a file
//! into it. It may say what concerns its own links: which to leave out, how to read them, what
//! their answers are taken for, and where in its own directory reports go. It may not say what
//! is asked of whom, or how fast; not what may be connected to, nor through whom; not what
//! makes this machine work harder; and it names no path outside of its directory. All of that
//! is for the user, who names the file with `--config` once it was read.

use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path};

use super::keys::{Item, Key, Kind};

/// Options that are taken from a file that was found. What is absent is refused, so that an
/// option is safe until somebody thought about it.
const HARMLESS: [&str; 36] = [
    "accept",
    "allow",
    "as",
    "base-url",
    "baseline",
    "color",
    "confirm",
    "exclude",
    "exit-zero",
    "fail-if-empty",
    "fail-on",
    "fallback-extensions",
    "find",
    "format",
    "fragments",
    "grammar",
    "group-by",
    "hidden",
    "hyperlinks",
    "include",
    "index-files",
    "max-age",
    "max-urls-per-host",
    "no-cache",
    "no-ignore",
    "no-repair",
    "offline",
    "quiet",
    "root-dir",
    "show",
    "state",
    "summary",
    "timeout",
    "unique",
    "verbose",
    "verdict",
];

/// Why `key` is not taken from a file that was found, where it is not.
pub(crate) fn refusal(key: Key<'_>) -> Option<String> {
    let is_harmless = HARMLESS.contains(&key.name);
    (!is_harmless).then(|| refused(key.name))
}

/// What is said where `name` is refused.
pub(super) fn refused(name: &str) -> String {
    format!(
        "`{name}` is not taken from a file that nobody named: if you trust this one, give it \
         with --config"
    )
}

/// Why the path of `value` is not taken from a file that was found in `directory`, where it has
/// one and is not.
pub(crate) fn path_refusal(key: Key<'_>, value: &str, directory: &Path) -> Option<String> {
    let (Kind::One(item) | Kind::Many(item)) = key.kind else { return None };
    let path = path_of(item, value)?;
    (!is_below(Path::new(path), directory)).then(|| {
        format!(
            "expected a path in the directory of this file, found {path:?}: if you trust the \
             file, give it with --config"
        )
    })
}

/// The path in `value`, where it has one.
pub(crate) fn path_of(item: Item, value: &str) -> Option<&str> {
    match item {
        Item::Path => Some(value),
        Item::Report => value.split_once('=').map(|(_, file)| file).filter(|file| *file != "-"),
        Item::UriOrPath if !linktrawl::grammar::resolve::is_base(value.as_bytes()) => Some(value),
        Item::UriOrPath | Item::Number | Item::Text => None,
    }
}

/// True for a path down from `directory`, through no link, and not into what a repository keeps
/// for itself.
fn is_below(path: &Path, directory: &Path) -> bool {
    let mut reached = directory.to_owned();
    path.components().all(|part| {
        reached.push(part);
        let is_plain = match part {
            Component::CurDir => true,
            Component::Normal(name) => !is_kept_by_a_repository(name),
            _ => false,
        };
        is_plain && !fs::symlink_metadata(&reached).is_ok_and(|found| found.is_symlink())
    })
}

/// Directories that programs for versions keep for themselves: what is in them is run.
const OF_REPOSITORIES: [&str; 6] = [".git", ".hg", ".svn", ".bzr", ".jj", "_darcs"];

/// Reports whether some file system takes `name` for that of a directory in [`OF_REPOSITORIES`],
/// as git does for its own (`is_ntfs_dotgit`, `is_hfs_dotgit`): without regard to case; on NTFS
/// also with a stream, with blanks and full stops at its end, and by its short name; on HFS+ also
/// with characters in it that are ignored.
fn is_kept_by_a_repository(name: &OsStr) -> bool {
    let text = name.to_string_lossy();
    let read = text.chars().filter(|char| !is_ignored_by_hfs(*char)).flat_map(char::to_lowercase);
    // On NTFS, a colon begins a stream's name, and a backslash parts names.
    let read: String = read.take_while(|char| !matches!(char, ':' | '\\')).collect();
    let read = read.trim_end_matches([' ', '.']);
    OF_REPOSITORIES.iter().any(|kept| read == *kept || is_short_for(read, kept))
}

/// Reports whether `name` is one that NTFS may give to `kept` for programs of old: `git~1`.
fn is_short_for(name: &str, kept: &str) -> bool {
    let number = name.strip_prefix(kept.trim_start_matches('.'));
    let number = number.and_then(|rest| rest.strip_prefix('~'));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// The code points that HFS+ ignores when it compares names (git's `next_hfs_char`).
const fn is_ignored_by_hfs(char: char) -> bool {
    matches!(char,
        '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::{HARMLESS, is_below, is_kept_by_a_repository};
    use crate::config::keys::Keys;

    #[test]
    fn harmless_options_are_options() {
        let keys = Keys::new();
        for name in HARMLESS {
            assert!(keys.find(name).is_some(), "{name}");
        }
    }

    #[test]
    fn paths_lead_down_and_through_no_link() {
        let home = tempfile::tempdir().expect("a directory");
        symlink("/etc", home.path().join("link")).expect("a link");
        symlink("nowhere", home.path().join("dangling")).expect("a link");
        let case = |path: &str, expected: bool| {
            assert_eq!(is_below(Path::new(path), home.path()), expected, "{path}");
        };
        case("a", true);
        case("./a/b.db", true);
        case(".linktrawl.db", true);
        case("/etc/passwd", false);
        case("../a", false);
        case("a/../../b", false);
        case("link/a", false);
        case("dangling", false);
        case(".git/hooks/pre-push", false);
    }

    #[test]
    fn a_repository_is_known_by_all_names_that_lead_to_it() {
        for name in [
            ".git",
            ".GIT",
            ".Git",
            ".git ",
            ".git.",
            ".git . .",
            "git~1",
            "GIT~2",
            ".git::$INDEX_ALLOCATION",
            ".GIT:stream",
            ".git\\hooks",
            ".g\u{200c}it",
            "\u{feff}.git",
            ".gi\u{202e}\u{206f}T",
            ".hg",
            ".SVN",
            "svn~1",
            "_darcs",
        ] {
            assert!(is_kept_by_a_repository(name.as_ref()), "{name}");
        }
        for name in ["git", ".github", ".gitignore", "a.git", "git~", "git~x", ". git", "report"] {
            assert!(!is_kept_by_a_repository(name.as_ref()), "{name}");
        }
    }
}
