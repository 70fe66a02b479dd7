//! Finds the lines of files that have changed since a revision of git.
//!
//! Runs git as a program, without patterns or a shell. The only words of the user that it gets are
//! a revision, which is resolved to a commit first. Programs that the repository configures are not
//! run: no diff driver, no filter, no file monitor, no hook, and nothing that fetches the missing
//! objects of a partial clone. Filters of the user's own configuration are run.
//!
//! The current state is that of the files on the disk. Deleted lines change nothing in the lines
//! that remain. A moved file has changed entirely, since its relative links lead elsewhere; so has
//! a file that git does not track or that is outside of the repository.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::error::Error;
use crate::platform::{self, OsBytes as _, os_of, path_of};

mod filters;

use filters::Setting;

/// Maximum length of git's error output that is reported; more would not help.
const COMPLAINT_LEN_MAX: u64 = 400;

/// The changes in a repository since a revision.
#[derive(Debug)]
pub struct Changes {
    /// The repository's directory, with symbolic links resolved.
    top: PathBuf,
    /// Paths below `top` that git tracks.
    tracked: HashSet<Vec<u8>>,
    /// The changes of tracked files that have changed.
    changed: HashMap<Vec<u8>, Changed>,
}

/// The changes in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// No change.
    Nothing,
    /// Changed lines, from 1, in order.
    Lines(Vec<RangeInclusive<u64>>),
    /// The whole file, or unknown lines.
    All,
}

impl Changed {
    /// Reports whether any of `lines` has changed.
    #[must_use]
    pub fn holds(&self, lines: &RangeInclusive<u64>) -> bool {
        match self {
            Self::Nothing => false,
            Self::All => true,
            Self::Lines(changed) => {
                let after = changed.partition_point(|range| range.end() < lines.start());
                changed.get(after).is_some_and(|range| range.start() <= lines.end())
            }
        }
    }
}

impl Changes {
    /// Finds the changes since `revision` in the repository that contains `directory`.
    ///
    /// # Errors
    /// Returns an error when there is no git, no repository, or no such revision.
    pub fn since(revision: &str, directory: &Path) -> Result<Self, Error> {
        let failure = |reason| Error::Changes { revision: revision.to_owned(), reason };
        Self::read(revision, directory).map_err(failure)
    }

    fn read(revision: &str, directory: &Path) -> Result<Self, String> {
        let top = Git::start(directory, &["rev-parse", "--show-toplevel"], &[])?.line();
        let top = top.map_err(|said| {
            if said.contains(NO_REPOSITORY) {
                "expected a git repository around the working directory, found none".to_owned()
            } else {
                said
            }
        })?;
        let top = path_of(&top).into_owned();
        let filters = filters::harmless(&top)?;
        // Git would take such a revision for an option.
        if revision.starts_with('-') {
            return Err("expected a revision, found an option".to_owned());
        }
        let wanted = format!("{revision}^{{commit}}");
        let commit = Git::start(&top, &["rev-parse", "--quiet", "--verify", &wanted], &[])?;
        let commit = commit.line().map_err(|_| no_revision())?;
        let commit = String::from_utf8(commit).map_err(|_| no_revision())?;
        let mut tracked = HashSet::new();
        Git::start(&top, &["ls-files", "-z"], &[])?.each(b'\0', |path| {
            tracked.insert(path.to_vec());
        })?;
        let mut changed = HashMap::new();
        let count = ["diff", "--numstat", "-z", "--no-renames"];
        let count = [&count, PLAIN, &[&commit, "--"]].concat();
        Git::start(&top, &count, &filters)?.each(b'\0', |row| {
            if let Some(path) = row.strip_prefix(b"-\t-\t") {
                changed.insert(path.to_vec(), Changed::All);
            }
        })?;
        let mut patch = Patch::default();
        let lines = ["diff", "--unified=0", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/"];
        Git::start(&top, &[&lines, PLAIN, &[&commit, "--"]].concat(), &filters)?
            .each(b'\n', |line| patch.line(line, &mut changed))?;
        let top = platform::canonicalize(&top).unwrap_or(top);
        Ok(Self { top, tracked, changed })
    }

    /// Returns the changes in the file at `path`.
    #[must_use]
    pub fn of(&self, path: &Path) -> &Changed {
        let Ok(path) = platform::canonicalize(path) else { return &Changed::All };
        let Ok(inside) = path.strip_prefix(&self.top) else { return &Changed::All };
        let inside = inside.as_os_str().as_bytes();
        if !self.tracked.contains(inside) {
            return &Changed::All;
        }
        self.changed.get(inside).unwrap_or(&Changed::Nothing)
    }
}

/// The part of git's message that says that no directory above is a repository.
const NO_REPOSITORY: &str = "not a git repository (or any";

fn no_revision() -> String {
    "git knows no such revision; a shallow clone may lack it".to_owned()
}

/// Options by which no configuration changes the form of differences or runs a program.
const PLAIN: &[&str] = &[
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-relative",
    "--ignore-submodules=all",
    "--inter-hunk-context=0",
];

/// Options for every git command, which override the repository's configuration. File monitors and
/// hooks are programs; we do not write the index. A bare repository counts only inside of a `.git`
/// directory or if the user names it, so that no directory of documents poses as one.
const SAFE: &[&str] = &[
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "safe.bareRepository=explicit",
    "--no-optional-locks",
    "--no-pager",
];

/// Variables for every git command. Missing objects of a partial clone are not fetched: the first
/// variable prevents it in git 2.45 and later, and the second one forbids all protocols to older
/// versions (git(1), `GIT_ALLOW_PROTOCOL`).
const ALONE: [(&str, &str); 4] = [
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("LC_ALL", "C"),
];

/// A running git. Its error output goes to a file, so that git never blocks on it.
struct Git {
    child: Child,
    said: BufReader<ChildStdout>,
    complaint: File,
}

impl Git {
    /// Starts git with `settings`, which override its configuration.
    fn start(directory: &Path, args: &[&str], settings: &[Setting]) -> Result<Self, String> {
        let failure = |error: io::Error| format!("cannot run git: {error}");
        let complaint = tempfile::tempfile().map_err(failure)?;
        let mut command = Command::new("git");
        // `-c` would split at an equals sign within a key (git(1), `--config-env`).
        for (number, Setting { key, value }) in settings.iter().enumerate() {
            let variable = format!("LINKTRAWL_SETTING_{number}");
            let option = [b"--config-env=", &key[..], b"=", variable.as_bytes()].concat();
            command.arg(os_of(&option)).env(variable, os_of(value));
        }
        let mut child = command
            .args(SAFE)
            .args(args)
            .current_dir(directory)
            .envs(ALONE)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(complaint.try_clone().map_err(failure)?)
            .spawn()
            .map_err(failure)?;
        let said = child.stdout.take().ok_or("cannot hear git")?;
        Ok(Self { child, said: BufReader::new(said), complaint })
    }

    /// Returns the first line of git's output.
    fn line(self) -> Result<Vec<u8>, String> {
        let mut first = None;
        self.each(b'\n', |line| {
            first.get_or_insert_with(|| line.to_vec());
        })?;
        first.ok_or_else(|| "expected a line from git, found none".to_owned())
    }

    /// Calls `take` with each part of git's output, without the `end` after it.
    fn each(mut self, end: u8, mut take: impl FnMut(&[u8])) -> Result<(), String> {
        let failure = |error: io::Error| format!("cannot hear git: {error}");
        let mut text = Vec::new();
        while self.said.read_until(end, &mut text).map_err(failure)? > 0 {
            take(text.strip_suffix(&[end]).unwrap_or(&text));
            text.clear();
        }
        if self.child.wait().map_err(failure)?.success() {
            return Ok(());
        }
        let mut complaint = Vec::new();
        self.complaint.rewind().map_err(failure)?;
        self.complaint.take(COMPLAINT_LEN_MAX).read_to_end(&mut complaint).map_err(failure)?;
        Err(format!("git says: {}", String::from_utf8_lossy(&complaint).trim_end()))
    }
}

/// A reader of a patch of git without context, line by line. It counts the lines of a hunk without
/// reading them.
#[derive(Debug, Default)]
pub struct Patch {
    /// The current name of the file that the next hunk belongs to.
    path: Option<Vec<u8>>,
    /// Remaining lines of the hunk.
    left: u64,
}

impl Patch {
    /// Reads the next `line`, without its line feed, and adds the lines that a hunk changes to
    /// those of its file in `changed`.
    pub fn line(&mut self, line: &[u8], changed: &mut HashMap<Vec<u8>, Changed>) {
        // `\ No newline at end of file` follows a line and does not count as one.
        if line.starts_with(b"\\") {
            return;
        }
        if self.left > 0 {
            self.left -= 1;
        } else if line.starts_with(b"diff --git ") {
            self.path = None;
        } else if let Some(name) = line.strip_prefix(b"+++ ") {
            self.path = unquoted(name).strip_prefix(b"b/").map(<[u8]>::to_vec);
        } else if let Some([(_, gone), (first, count)]) = hunk(line) {
            self.left = gone.saturating_add(count);
            let (Some(path), 1..) = (&self.path, count) else { return };
            let lines = first..=first.saturating_add(count - 1);
            match changed.entry(path.clone()).or_insert(Changed::Lines(Vec::new())) {
                Changed::Lines(list) => list.push(lines),
                Changed::Nothing | Changed::All => {}
            }
        }
    }
}

/// Returns the first line and the number of lines, before and after, of `@@ -1,2 +3,4 @@`.
fn hunk(line: &[u8]) -> Option<[(u64, u64); 2]> {
    // The text after the second `@@` is a line of the file.
    let end = memchr::memmem::find(line, b" @@")?;
    let line = std::str::from_utf8(line.get(..end)?).ok()?;
    let mut words = line.strip_prefix("@@ ")?.split(' ');
    let mut range = |sign| {
        let range = words.next()?.strip_prefix(sign)?;
        let (first, count) = range.split_once(',').unwrap_or((range, "1"));
        Some((first.parse().ok()?, count.parse().ok()?))
    };
    Some([range('-')?, range('+')?])
}

/// Decodes a name in a patch: git quotes and escapes it as in C if it needs that, and appends a tab
/// if it contains blanks.
fn unquoted(name: &[u8]) -> Vec<u8> {
    let name = name.strip_suffix(b"\t").unwrap_or(name);
    let inside = name.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
    let Some(inside) = inside else { return name.to_vec() };
    let (mut out, mut rest) = (Vec::with_capacity(inside.len()), inside);
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let Some((&escape, after)) = rest.split_first() else { break };
        let octal = rest.get(..3).filter(|digits| digits.iter().all(u8::is_ascii_digit));
        let octal = octal.and_then(|digits| std::str::from_utf8(digits).ok());
        let octal = octal.and_then(|digits| u8::from_str_radix(digits, 8).ok());
        rest = if octal.is_some() { rest.get(3..).unwrap_or_default() } else { after };
        out.push(octal.unwrap_or(match escape {
            b'a' => 0x07,
            b'b' => 0x08,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 0x0b,
            b'f' => 0x0c,
            b'r' => b'\r',
            other => other,
        }));
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::{Changed, Patch, hunk, unquoted};

    #[test]
    fn names_are_read_as_git_quotes_them() {
        let case = |quoted: &str, name: &[u8]| assert_eq!(unquoted(quoted.as_bytes()), name);
        case("b/a.md", b"b/a.md");
        case("b/a b.md\u{9}", b"b/a b.md");
        case("\"b/a \\\"b\"\u{9}", b"b/a \"b");
        case(r#""b/a\tb\"\\\303\251\n.md""#, b"b/a\tb\"\\\xc3\xa9\n.md");
    }

    #[test]
    fn a_hunk_tells_first_lines_and_counts() {
        assert_eq!(hunk(b"@@ -1,2 +3,4 @@ fn \xff"), Some([(1, 2), (3, 4)]));
        assert_eq!(hunk(b"@@ -1 +0,0 @@"), Some([(1, 1), (0, 0)]));
        assert_eq!([hunk(b"@@ -x +1 @@"), hunk(b"@@@ -1 -1 +1 @@@"), hunk(b"")], [None; 3]);
    }

    #[test]
    fn lines_of_a_file_that_look_like_a_patch_are_none() {
        let patch = [
            "diff --git a/y b/y",
            "--- a/y",
            "+++ b/y",
            "@@ -3 +3,2 @@ head",
            "-@@ -1 +1 @@",
            "+++ b/evil",
            "+@@ -1 +1,9 @@",
            "\\ No newline at end of file",
            "@@ -9,2 +9,0 @@",
            "-gone",
            "-gone",
            "diff --git a/z b/z",
            "deleted file mode 100644",
            "--- a/z",
            "+++ /dev/null",
            "@@ -1 +0,0 @@",
            "-gone",
        ];
        let (mut reader, mut changed) = (Patch::default(), HashMap::new());
        patch.iter().for_each(|line| reader.line(line.as_bytes(), &mut changed));
        let wanted = HashMap::from([(b"y".to_vec(), Changed::Lines(vec![3..=4]))]);
        assert_eq!(changed, wanted);
    }

    #[test]
    fn a_link_has_changed_when_one_of_its_lines_has() {
        let changed = Changed::Lines(vec![3..=4, 9..=9]);
        let lines = [1..=2, 2..=3, 4..=4, 5..=8, 5..=12, 9..=9, 10..=10];
        let found: Vec<_> = lines.iter().map(|lines| changed.holds(lines)).collect();
        assert_eq!(found, [false, true, true, false, true, true, false]);
        assert!(Changed::All.holds(&(1..=1)) && !Changed::Nothing.holds(&(1..=1)));
    }
}
