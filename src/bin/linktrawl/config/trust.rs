//! Restricts the options of a file that was found, not named.
//!
//! The author of a directory that others check, such as an archive or a repository, can put such a
//! file into it. The file may set options about its own links: which to omit, how to parse them,
//! how to judge their results, and where in its own directory reports are written. It may not set
//! which requests are sent to which hosts, or how fast; allowed connections or proxies; options
//! that make this machine work harder; or paths outside of its directory. All of that is for the
//! user, who names the file with `--config` after reading it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path};

use super::keys::{Item, Key, ValueKind};

/// Options that are accepted from a file that was found. All others are refused, so a new option is
/// safe by default.
const HARMLESS: [&str; 38] = [
    "accept",
    "allow",
    "as",
    "base-url",
    "baseline",
    "color",
    "confirm",
    "confirm-gap",
    "digest",
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

/// The way to have a refused option accepted.
pub(super) const ADVICE: &str = "if you trust it, run with --config FILE";

/// Returns why `key` is refused from a file that was found, if it is.
pub(crate) fn refusal(key: Key<'_>) -> Option<String> {
    let is_harmless = HARMLESS.contains(&key.name);
    (!is_harmless).then(|| refused(key.name))
}

/// Returns the message for the refused option `name`.
pub(super) fn refused(name: &str) -> String {
    format!(
        "`{name}` is refused in a configuration file that was found, not named with --config: \
         {ADVICE}"
    )
}

/// Returns why the path in `value` is refused from a file that was found in `directory`, if there
/// is one and it is.
pub(crate) fn path_refusal(key: Key<'_>, value: &str, directory: &Path) -> Option<String> {
    let (ValueKind::One(item) | ValueKind::Many(item)) = key.kind else { return None };
    let path = path_of(item, value)?;
    if !is_below(Path::new(path), directory) {
        let message = "expected a path in the directory of this file";
        return Some(format!("{message}, found {path:?}: {ADVICE}"));
    }
    let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
    let (what, name) = match item {
        Item::Report => ("report", &*name),
        _ if key.name == "state" => ("state", without_dot(&name)),
        _ => return None,
    };
    // A file with content is replaced only if it is a report or a state.
    let has_text = || fs::symlink_metadata(directory.join(path)).is_ok_and(|file| file.len() > 0);
    (is_read_by_programs(name) && !has_text()).then(|| {
        format!("expected the name of a {what}, found {path:?}, which programs read: {ADVICE}")
    })
}

/// Returns the name of a database without the dot that hides it, and any other name as it is: of
/// hidden files, programs read those without such an ending.
fn without_dot(name: &str) -> &str {
    let is_database = [".db", ".sqlite", ".sqlite3"].iter().any(|ending| name.ends_with(ending));
    name.strip_prefix('.').filter(|_| is_database).unwrap_or(name)
}

/// Endings of reports, and of texts and data that no program runs.
const ENDINGS: [&str; 20] = [
    "arrow", "arrows", "cdxj", "csv", "db", "htm", "html", "json", "jsonl", "log", "md", "ndjson",
    "out", "parquet", "sarif", "sqlite", "sqlite3", "state", "txt", "xml",
];

/// Names that programs look for by themselves, without regard to case, and that do not end in
/// `file`.
const READ: [&str; 39] = [
    "angular.json",
    "app.json",
    "appraisals",
    "babel.config.json",
    "biome.json",
    "bower.json",
    "build",
    "build.xml",
    "cmakelists.txt",
    "codeowners",
    "composer.json",
    "configure",
    "constraints.txt",
    "cypress.json",
    "deno.json",
    "dune",
    "dune-project",
    "firebase.json",
    "global.json",
    "gradlew",
    "jsconfig.json",
    "lerna.json",
    "meson.build",
    "mvnw",
    "nodemon.json",
    "nx.json",
    "package-lock.json",
    "package.json",
    "pom.xml",
    "renovate.json",
    "requirements.txt",
    "rust-toolchain",
    "sconscript",
    "sconstruct",
    "tsconfig.json",
    "turbo.json",
    "vercel.json",
    "workspace",
    "wscript",
];

/// Reports whether programs read a file called `name` without being told to, or Windows takes it
/// for something else than a file: hidden files, scripts, files that describe a build, streams of
/// other files, and devices.
fn is_read_by_programs(name: &str) -> bool {
    let name = name.to_lowercase();
    let (stem, ending) = name.split_once('.').unwrap_or((&name, ""));
    let is_device = |stem: &str| {
        let number = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
        number.is_some_and(|number| number.len() == 1)
    };
    let last = ending.rsplit('.').next().unwrap_or_default();
    name.starts_with('.')
        || name.ends_with(['.', ' '])
        || name.contains([':', '\\'])
        || !ending.is_empty() && !ENDINGS.contains(&last)
        || READ.contains(&&*name)
        || ending.is_empty() && name.ends_with("file")
        || matches!(stem, "aux" | "con" | "nul" | "prn")
        || is_device(stem)
}

/// Returns the path in `value`, if there is one.
pub(crate) fn path_of(item: Item, value: &str) -> Option<&str> {
    match item {
        Item::Path => Some(value),
        Item::Report => {
            let file = value.split_once('=').map(|(_, file)| file);
            file.filter(|file| !matches!(*file, "" | "-"))
        }
        Item::UriOrPath if !linktrawl::internal::grammar::resolve::is_base(value.as_bytes()) => {
            Some(value)
        }
        Item::UriOrPath | Item::Number | Item::NumberOrText | Item::Text => None,
    }
}

/// Reports whether `path` is below `directory`, crosses no symbolic link, and does not enter the
/// internal directory of a version control system.
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

/// Internal directories of version control systems: files in them may be executed.
const OF_REPOSITORIES: [&str; 6] = [".git", ".hg", ".svn", ".bzr", ".jj", "_darcs"];

/// Reports whether some file system treats `name` as that of a directory in [`OF_REPOSITORIES`], as
/// git does for its own (`is_ntfs_dotgit`, `is_hfs_dotgit`): without regard to case; on NTFS also
/// with a stream, with trailing blanks and full stops, and by its short name; on HFS+ also with
/// ignored characters in it.
fn is_kept_by_a_repository(name: &OsStr) -> bool {
    let text = name.to_string_lossy();
    let read = text.chars().filter(|char| !is_ignored_by_hfs(*char)).flat_map(char::to_lowercase);
    // On NTFS, a colon begins a stream's name, and a backslash separates names.
    let read: String = read.take_while(|char| !matches!(char, ':' | '\\')).collect();
    let read = read.trim_end_matches([' ', '.']);
    OF_REPOSITORIES.iter().any(|kept| read == *kept || is_short_for(read, kept))
}

/// Reports whether `name` may be the short name that NTFS gives to `kept` for old programs:
/// `git~1`.
fn is_short_for(name: &str, kept: &str) -> bool {
    let number = name.strip_prefix(kept.trim_start_matches('.'));
    let number = number.and_then(|rest| rest.strip_prefix('~'));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Reports whether HFS+ ignores `char` when it compares names (git's `next_hfs_char`).
const fn is_ignored_by_hfs(char: char) -> bool {
    matches!(char,
        '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{HARMLESS, is_below, is_kept_by_a_repository, is_read_by_programs};
    use crate::config::keys::Keys;
    use crate::platform::symlink;

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
        symlink("/etc", &home.path().join("link")).expect("a link");
        symlink("nowhere", &home.path().join("dangling")).expect("a link");
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
    fn reports_have_names_that_no_program_reads() {
        for name in ["out", "links.txt", "a.b.html", "report-1.ndjson", "Links.XML", "comma.csv"] {
            assert!(!is_read_by_programs(name), "{name}");
        }
        for name in [
            "Makefile",
            "conftest.py",
            ".envrc",
            ".notes.txt",
            ".gitattributes",
            ".linktrawlignore",
            "LINKTRAWL.TOML",
            "linktrawl.toml",
            "a.md:stream",
            "aux",
            "CON.txt",
            "com1.log",
            "run.sh",
            "report.",
            "CMakeLists.txt",
            "package.json",
            "Earthfile",
            "wscript",
            "gradlew",
            "renovate.json",
            "pom.xml",
        ] {
            assert!(is_read_by_programs(name), "{name}");
        }
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
