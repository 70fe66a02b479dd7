//! A file of known trouble, so that a run fails only for new trouble.
//!
//! One entry a line, sorted: path, URI and reason, with tabs between. Entries have no line numbers,
//! so that they do not change when another part of the document does; a link that occurs twice is
//! one entry. Paths are relative to the file's own directory, so that neither the working directory
//! nor the spelling of the inputs matters. A reason is the list of rules that the text breaks, or
//! of lints that warn of it, or else the class of the probe's result: a link that is broken in
//! another way than before is new trouble.
//!
//! Characters other than letters, digits, punctuation and spaces are escaped, so that entries can
//! be compared byte by byte. Passwords are hidden, as everywhere: links that differ only in them
//! are one entry.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::finding::{Class, Finding, Origin, Verdict};
use crate::platform::{self, Identity};
use crate::uri::Redacted;

/// The first line of the file: its format, with a version number.
const HEAD: &str = "# linktrawl baseline 1";
/// The second line, a comment for readers of the file.
const ABOUT: &str = "# Known trouble: path, URI, reason. Written by --update-baseline.";

/// Reports whether a file that begins with `text` is a baseline.
#[must_use]
pub fn begins(text: &[u8]) -> bool {
    text.starts_with(HEAD.as_bytes())
}

/// The treatment of trouble that is not in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It is reported as new.
    Hold,
    /// It is added to the file.
    Update {
        /// The least verdict that fails the run: a less severe one is no trouble.
        from: Verdict,
    },
}

/// The known trouble, and the part of it that a run met.
#[derive(Debug)]
pub struct Baseline {
    /// The directory to which its paths are relative.
    directory: PathBuf,
    /// Device and inode of the file: walks skip it.
    identity: Option<Identity>,
    usage: Use,
    /// Lines, and the run's result for each: one of the states below.
    entries: BTreeMap<String, AtomicU8>,
    /// Lines that the run found and the file does not have; filled only for an update.
    found: Mutex<BTreeSet<String>>,
    /// The inputs that are read, written as the paths of entries are.
    inputs: Mutex<BTreeSet<String>>,
}

/// The run did not meet it.
const UNMET: u8 = 0;
/// It is as bad as before, or it was not checked again.
const MET: u8 = 1;
/// It is fixed.
const FIXED: u8 = 2;

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The path of the document, as in the file.
    pub path: PathBuf,
    /// The URI, escaped and without its password.
    pub uri: String,
    /// The reason: rules, lints or a class.
    pub reason: String,
    /// Whether the document no longer exists, either.
    pub is_lost: bool,
}

impl Baseline {
    /// Reads the file at `path`. For an update, the file may be missing or empty.
    ///
    /// # Errors
    /// When it cannot be read, or is not a baseline.
    pub fn read(path: &Path, usage: Use) -> Result<Self, Error> {
        let failure = |reason: String| Error::Baseline { path: path.to_owned(), reason };
        let text = match fs::read(path) {
            Ok(text) if text.is_empty() && usage != Use::Hold => format!("{HEAD}\n"),
            Ok(text) if text.is_empty() => {
                let reason =
                    "expected a baseline, found an empty file; --update-baseline makes it one";
                return Err(failure(reason.to_owned()));
            }
            Ok(text) => String::from_utf8(text).map_err(|_| failure(not_ours()))?,
            Err(error) if usage != Use::Hold && is_missing(&error) => format!("{HEAD}\n"),
            Err(error) if is_missing(&error) => {
                return Err(failure(format!("{error}; --update-baseline makes it")));
            }
            Err(error) => return Err(failure(error.to_string())),
        };
        let absolute = std::path::absolute(path).map_err(|error| failure(error.to_string()))?;
        let directory = absolute.parent().map(plain).unwrap_or_default();
        let identity = fs::metadata(path).ok().and_then(|found| platform::identity(path, &found));
        Ok(Self {
            directory,
            identity,
            usage,
            entries: entries(&text).map_err(failure)?,
            found: Mutex::default(),
            inputs: Mutex::default(),
        })
    }

    /// Returns device and inode of the file, which is full of URIs but is no input.
    #[must_use]
    pub fn identity(&self) -> Option<Identity> {
        self.identity
    }

    /// Records that `input` will be read: its entries that are not met are fixed.
    pub fn will_read(&self, input: &Path) {
        lock(&self.inputs).insert(self.path(input));
    }

    /// Reports whether `finding` is known trouble, or is added to it by an update.
    pub fn knows(&self, finding: &Finding<'_>) -> bool {
        self.excuse(finding);
        match finding.verdict {
            Verdict::Ok | Verdict::Skipped => false,
            Verdict::Warn | Verdict::Error => self.lists(finding),
        }
    }

    /// Reports whether the finding has an entry, or gets one. A warning with an entry is known even
    /// to a run that it would not fail: the link still exists, and is not fixed.
    fn lists(&self, finding: &Finding<'_>) -> bool {
        let is_taken = matches!(self.usage, Use::Update { from } if finding.verdict >= from);
        if self.entries.is_empty() && !is_taken {
            return false;
        }
        let line = format!("{}{}", self.link(finding), reason(finding));
        if let Some(state) = self.entries.get(&line) {
            state.store(MET, Ordering::Relaxed);
            return true;
        }
        if is_taken {
            lock(&self.found).insert(line);
        }
        is_taken
    }

    /// Marks entries of `finding`'s link as met if this run cannot judge them: all of them if the
    /// link was skipped, and those of a probe if it was not requested.
    fn excuse(&self, finding: &Finding<'_>) {
        let is_skipped = finding.verdict == Verdict::Skipped;
        if self.entries.is_empty() || (is_asked(finding) && !is_skipped) {
            return;
        }
        let link = self.link(finding);
        let after = self.entries.range(link.clone()..);
        for (line, state) in after.take_while(|(line, _)| line.starts_with(&link)) {
            let reason = line.strip_prefix(&link).unwrap_or_default();
            if is_skipped || Class::find(reason).is_some() {
                state.store(MET, Ordering::Relaxed);
            }
        }
    }

    /// Returns the fixed entries: those of inputs that were read, which the run did not meet.
    /// `is_wanted` reports whether the run reports a URI at all. Must be called once, after all
    /// inputs were read.
    pub fn settle(&self, is_wanted: impl Fn(&[u8]) -> bool) -> Vec<Entry> {
        let inputs = lock(&self.inputs);
        let unmet = self.entries.iter().filter(|(_, state)| state.load(Ordering::Relaxed) == UNMET);
        let mut fixed = Vec::new();
        for (line, state) in unmet {
            let Some([path, uri, reason]) = fields(line) else { continue };
            if is_within(path, &inputs) && is_wanted(uri.as_bytes()) {
                state.store(FIXED, Ordering::Relaxed);
                let is_lost = self.is_lost(path);
                let [uri, reason] = [uri, reason].map(str::to_owned);
                fixed.push(Entry { path: path.into(), uri, reason, is_lost });
            }
        }
        fixed
    }

    /// Reports whether nothing exists at `path`, the path of an entry. A path with escapes is not
    /// looked up, and counts as existing.
    fn is_lost(&self, path: &str) -> bool {
        let ends = path.match_indices('!').map(|(at, _)| at).chain([path.len()]);
        let mut files = ends.filter_map(|end| path.get(..end));
        let is_there = |file| fs::symlink_metadata(self.directory.join(file)).is_ok();
        path != "-" && !path.contains('\\') && !files.any(is_there)
    }

    /// Reports whether the file is to be rewritten.
    #[must_use]
    pub fn is_updated(&self) -> bool {
        self.usage != Use::Hold
    }

    /// Returns the new content of the file: without the fixed entries, and with those that were
    /// found.
    #[must_use]
    pub fn text(&self) -> String {
        let is_kept = |(_, state): &(_, &AtomicU8)| state.load(Ordering::Relaxed) != FIXED;
        let kept = self.entries.iter().filter(is_kept).map(|(line, _)| line);
        let found = lock(&self.found);
        let lines: BTreeSet<_> = kept.chain(&*found).collect();
        let mut text = format!("{HEAD}\n{ABOUT}\n");
        for line in lines {
            text.push_str(line);
            text.push('\n');
        }
        text
    }

    /// Returns an entry's path and URI, each followed by a tab.
    fn link(&self, finding: &Finding<'_>) -> String {
        let Origin { path, members, .. } = finding.place.origin;
        let mut link = self.path(path);
        for member in members {
            link.push('!');
            append(&Redacted::new(member).shown(), &mut link);
        }
        link.push('\t');
        append(&finding.uri.shown(), &mut link);
        link.push('\t');
        link
    }

    /// Returns `path` as entries have it: relative to the file's directory, or `-` for standard
    /// input.
    fn path(&self, path: &Path) -> String {
        let mut text = String::new();
        if path.as_os_str() == "-" {
            text.push('-');
            return text;
        }
        let path = plain(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
        let shared = path.components().zip(self.directory.components());
        let shared = shared.take_while(|(ours, theirs)| ours == theirs).count();
        let up = self.directory.components().skip(shared).map(|_| Component::ParentDir);
        let relative: PathBuf = up.chain(path.components().skip(shared)).collect();
        let relative = platform::slashed(relative);
        append(&Redacted::new(relative.as_os_str().as_encoded_bytes()).shown(), &mut text);
        // A line that begins with `#` is no entry.
        if text.starts_with('#') { format!("./{text}") } else { text }
    }
}

/// Reports whether the link was probed, on the network or among files.
fn is_asked(finding: &Finding<'_>) -> bool {
    finding.reach.is_some_and(|reach| reach.class.row().verdict != Verdict::Skipped)
}

/// Returns the reason of a link with a bad verdict: the rules of its faults and, for a warning, its
/// lints; without either, the class of the probe's result.
fn reason(finding: &Finding<'_>) -> String {
    let faults = finding.facts.syntax.iter().filter_map(|syntax| syntax.fault.as_ref());
    let mut rules: BTreeSet<_> = faults.map(|fault| fault.rule.id).collect();
    if finding.verdict == Verdict::Warn {
        rules.extend(finding.facts.warnings.iter().map(|warning| warning.lint.id));
    }
    if rules.is_empty() {
        return finding.reach.map_or("error", |reach| reach.class.row().name).to_owned();
    }
    Vec::from_iter(rules).join(",")
}

/// Parses the entries of a file.
fn entries(text: &str) -> Result<BTreeMap<String, AtomicU8>, String> {
    let mut lines = (1..).zip(text.lines());
    if lines.next().is_none_or(|(_, line)| line.trim_end() != HEAD) {
        return Err(not_ours());
    }
    let mut entries = BTreeMap::new();
    for (number, line) in lines {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if fields(line).is_none() {
            let wanted = "a path, a URI and a reason with tabs between";
            return Err(format!("expected {wanted}, found something else in line {number}"));
        }
        entries.insert(line.to_owned(), AtomicU8::new(UNMET));
    }
    Ok(entries)
}

fn fields(line: &str) -> Option<[&str; 3]> {
    let mut fields = line.split('\t');
    let found = [fields.next()?, fields.next()?, fields.next()?];
    fields.next().is_none().then_some(found)
}

fn not_ours() -> String {
    format!("expected a file that begins with {HEAD:?}, found another")
}

fn is_missing(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::NotFound
}

/// Reports whether `path` is one of `inputs`, below one, or a member of one.
fn is_within(path: &str, inputs: &BTreeSet<String>) -> bool {
    let is_end = |(_, byte): &(usize, u8)| matches!(byte, b'/' | b'!');
    let ends = path.bytes().enumerate().filter(is_end).map(|(at, _)| at);
    let is_inside = !path.starts_with("../") && !path.starts_with('/') && path != "-";
    (is_inside && inputs.contains(""))
        || ends.chain([path.len()]).any(|end| path.get(..end).is_some_and(|p| inputs.contains(p)))
}

/// Returns an absolute path without `.` and `..`. Symbolic links are not followed, since their
/// targets may no longer exist.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// Appends `bytes`; those that could break a line, or hide in it, are written as `\xff`.
fn append(bytes: &[u8], text: &mut String) {
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            let is_plain = matches!(char, ' '..='~') || char.is_alphanumeric();
            if is_plain && char != '\\' {
                text.push(char);
            } else {
                append_escaped(char.encode_utf8(&mut [0; 4]).as_bytes(), text);
            }
        }
        append_escaped(chunk.invalid(), text);
    }
}

fn append_escaped(bytes: &[u8], text: &mut String) {
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "\\x{byte:02x}");
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::{Baseline, HEAD, Mutex, PathBuf, Use, append, entries, is_within};

    fn baseline(directory: &str) -> Baseline {
        Baseline {
            directory: PathBuf::from(directory),
            identity: None,
            usage: Use::Hold,
            entries: entries(&format!("{HEAD}\n")).unwrap(),
            found: Mutex::default(),
            inputs: Mutex::default(),
        }
    }

    #[test]
    fn paths_are_those_from_the_directory_of_the_file() {
        let case = |path: &str, wanted: &str| {
            assert_eq!(baseline("/home/me/book").path(Path::new(path)), wanted, "{path}");
        };
        case("/home/me/book/docs/a.md", "docs/a.md");
        case("/home/me/book/./docs/../a.md", "a.md");
        case("/home/me/book", "");
        case("/home/me/bookshelf/a.md", "../bookshelf/a.md");
        case("/etc/a.md", "../../../etc/a.md");
        case("/home/me/book/#a\t\u{202e}.md", "./#a\\x09\\xe2\\x80\\xae.md");
        case("-", "-");
    }

    #[test]
    fn what_lies_within_the_inputs_was_looked_at() {
        let inputs = |list: &[&str]| list.iter().map(|&path| path.to_owned()).collect();
        let case = |path: &str, list: &[&str], wanted: bool| {
            let inputs: BTreeSet<String> = inputs(list);
            assert_eq!(is_within(path, &inputs), wanted, "{path} {list:?}");
        };
        case("docs/a.md", &["docs"], true);
        case("docs/a.md", &["docs/a.md"], true);
        case("docs/a.md", &["docs/a", "doc", "a.md"], false);
        case("docs/a.md", &[""], true);
        case("../a.md", &[""], false);
        case("../a.md", &[".."], true);
        case("s.tar!m!part 1", &["s.tar"], true);
        case("-", &[""], false);
        case("-", &["-"], true);
    }

    #[test]
    fn every_byte_is_told_and_none_can_tear_a_line() {
        let escaped = |bytes: &[u8]| {
            let mut text = String::new();
            append(bytes, &mut text);
            text
        };
        let all: BTreeSet<_> = (0..=u8::MAX).map(|byte| escaped(&[byte])).collect();
        assert_eq!(all.len(), 256);
        assert!(all.iter().all(|text| text.bytes().all(|byte| (0x20..0x7f).contains(&byte))));
        assert_eq!(escaped("é\\n\u{85}\u{feff}".as_bytes()), "é\\x5cn\\xc2\\x85\\xef\\xbb\\xbf");
    }

    #[test]
    fn a_file_that_is_no_baseline_is_refused() {
        let bad = ["", "# linktrawl baseline 2\n", "a\tb\tc\n", &format!("{HEAD}\na\tb\n")];
        assert!(bad.iter().all(|text| entries(text).is_err()));
        let good = entries(&format!("{HEAD}\r\n# a word\n\nb\tx\ty\na\tx\ty\nb\tx\ty\n")).unwrap();
        assert_eq!(good.into_keys().collect::<Vec<_>>(), ["a\tx\ty", "b\tx\ty"]);
    }
}
