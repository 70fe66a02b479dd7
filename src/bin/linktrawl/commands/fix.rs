//! Implements `linktrawl fix`: shows or makes replacements of links, as a diff or in the files.
//!
//! The findings come from a saved run, or from an offline run of its own. Before anything is shown
//! or written, the fixed text is scanned: a fix is omitted if the scan does not find the intended
//! link.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Read, Seek as _, Write as _};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use linktrawl::Error;
use linktrawl::internal::check::Checks;
use linktrawl::internal::finding::{Note, Summary};
use linktrawl::internal::fix::{self, Left, Replacement, Tree};
use linktrawl::internal::platform::{OsBytes as _, canonicalize};
use linktrawl::internal::report::Style;
use linktrawl::internal::report::escape::Shown;
use linktrawl::internal::report::ndjson::Ndjson;
use linktrawl::internal::report::record::{Line, Record};
use linktrawl::internal::report::statement::counted;
use linktrawl::internal::run::{Observer, Options, Output, Overrides, RequestOptions, Showing};

use crate::args::Command;
use crate::args::check::CheckFlags;
use crate::args::config::WhichFlags;
use crate::args::fix::FixFlags;
use crate::config::{self, Config, Refusal};
use crate::lines::{STDIN, lines, read_lines};
use crate::output::{self, Replacing};
use crate::plan::{self, Plan, Progress, Voice};
use crate::progress::Watch;
use crate::shown::shown;
use crate::stderr::say;
use crate::streams;

/// Whether the work is complete.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    /// It is complete.
    InFull,
    /// Some file could not be read, or had changed.
    InPart,
}

/// Files above this size are not documents that people wrote.
const FILE_LEN_MAX: u64 = 64 * 1024 * 1024;

/// An observer that drops notes: those on a copy were reported for the file.
struct Unheard;

impl Observer for Unheard {
    fn note(&self, _: &Note) {}

    fn progress(&self, _: u64) {}
}

/// The pending fixes, and the results.
struct FixRun {
    /// The options for scanning texts.
    reading: Reading,
    /// Canonical paths of the files and directories that may be changed.
    roots: Vec<PathBuf>,
    replacements: BTreeMap<PathBuf, Vec<Replacement>>,
    left: BTreeMap<&'static str, u64>,
    done: Done,
    files: u64,
    links: u64,
}

impl FixRun {
    fn leave(&mut self, why: Left, count: u64) {
        if count > 0 {
            *self.left.entry(why.name()).or_default() += count;
        }
    }

    /// Reports whether `path` is below the roots. A saved run may come from a stranger, and name
    /// any file.
    fn may_change(&self, path: &Path) -> bool {
        // A missing file is reported when it is read.
        let Ok(path) = canonicalize(path) else { return true };
        self.roots.iter().any(|root| path.starts_with(root))
    }

    fn fail(&mut self, words: &str) {
        say(&format!("warning: {words}"));
        self.done = Done::InPart;
    }
}

/// Shows or makes the fixes.
///
/// # Errors
/// When the run cannot be read or has a line that is no record of one, when standard output or a
/// file cannot be written, and when the working directory is gone where a path starts there.
pub(crate) fn run(flags: &FixFlags) -> anyhow::Result<Done> {
    let is_tree = |path: &&PathBuf| path.as_os_str() != "-";
    let named: Vec<_> = flags.paths.iter().filter(is_tree).cloned().collect();
    let roots = roots(&or_here(&named))?;
    let (tree, failures) = Tree::below(&named);
    let mut work = FixRun {
        reading: Reading::of(&or_here(&flags.paths), &flags.which)?,
        roots,
        replacements: BTreeMap::new(),
        left: BTreeMap::new(),
        done: Done::InFull,
        files: 0,
        links: 0,
    };
    let wanted = flags.to_archive.then_some(flags.robust);
    // A run of our own meets and reports them, too.
    let untold = failures.iter().filter(|_| flags.from.is_some());
    untold.for_each(|error| work.fail(&placed(error)));
    let complete = match &flags.from {
        Some(saved) => of_saved(saved, &mut |record| take(record, &tree, &mut work, wanted))?,
        None => {
            let records = work.reading.check()?;
            of_lines(records, RUN, &mut |record| take(record, &tree, &mut work, wanted))?
        }
    };
    if !complete {
        work.done = Done::InPart;
        if flags.from.is_some() {
            say("warning: the saved run is incomplete");
        }
    }
    for (path, replacements) in std::mem::take(&mut work.replacements) {
        each_file(&path, replacements, flags.write, &mut work)?;
    }
    if !flags.quiet {
        say(&closing_count(&work, flags.write));
    }
    Ok(work.done)
}

/// Returns the message of `error`, with the path that it is about.
fn placed(error: &Error) -> String {
    match error.input() {
        Some(path) => format!("{}: {error}", Shown(path.as_os_str().as_bytes())),
        None => error.to_string(),
    }
}

/// Returns the paths that the user named, or the working directory.
fn or_here(named: &[PathBuf]) -> Cow<'_, [PathBuf]> {
    match named {
        [] => Cow::Owned(vec![PathBuf::from(".")]),
        named => Cow::Borrowed(named),
    }
}

/// Returns the canonical paths of `named`. A missing path contains nothing, and is reported when it
/// is read; but without this check, a removed working directory would go unnoticed.
fn roots(named: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    if named.iter().any(|path| path.is_relative()) {
        canonicalize(Path::new("."))
            .map_err(|error| anyhow::anyhow!("cannot find the working directory: {error}"))?;
    }
    Ok(named.iter().filter_map(|root| canonicalize(root).ok()).collect())
}

fn take(record: &Record, tree: &Tree, work: &mut FixRun, archives: Option<bool>) {
    let archived = || fix::archived(record, archives?);
    match fix::replacement(record, tree).or_else(archived) {
        Some(Ok(replacement)) if !work.may_change(&replacement.path) => {
            work.leave(Left::Outside, 1);
        }
        Some(Ok(replacement)) => {
            work.replacements.entry(replacement.path.clone()).or_default().push(replacement);
        }
        Some(Err(why)) => work.leave(why, 1),
        None => {}
    }
}

// ---- where records come from ------------------------------------------------------------

/// Passes each finding of a saved run to `each`; reports whether the run was complete.
fn of_saved(saved: &Path, each: &mut dyn FnMut(&Record)) -> anyhow::Result<bool> {
    if saved.as_os_str() == "-" {
        streams::need_stdin()?;
        return of_lines(io::stdin(), STDIN, each);
    }
    let file =
        File::open(saved).map_err(|error| anyhow::anyhow!("cannot open {saved:?}: {error}"))?;
    of_lines(file, &format!("{saved:?}"), each)
}

fn of_lines(input: impl Read, name: &str, each: &mut dyn FnMut(&Record)) -> anyhow::Result<bool> {
    let mut complete = None;
    let mut number = 0_u64;
    read_lines(input, name, |block| {
        for line in lines(block) {
            number += 1;
            match Line::parse_saved(line).map(|(line, _)| line) {
                Ok(Line::Finding(record)) => each(&record),
                Ok(Line::Note(_)) => {}
                Ok(Line::Summary(summary)) => complete = Some(summary.complete),
                Err(error) => anyhow::bail!("cannot read line {number} of {name}: {error}"),
            }
        }
        Ok(())
    })?;
    complete.ok_or_else(|| anyhow::anyhow!("expected a summary at the end of {name}, found none"))
}

// ---- runs of our own --------------------------------------------------------------------

/// The name of unnamed files in errors.
const RUN: &str = "a file without a name";

/// The options with which `check` would read the paths, including those of the file that it would
/// use.
struct Reading {
    check: CheckFlags,
    config: Option<Config>,
    /// The general checks of each candidate.
    checks: Checks,
    /// Overrides for candidates in some files.
    overrides: Overrides,
}

impl Reading {
    /// Reads the options for `paths`, which must not be empty.
    fn of(paths: &[PathBuf], which: &WhichFlags) -> anyhow::Result<Self> {
        let mut typed: Vec<OsString> =
            ["linktrawl", "check", "--quiet", "--offline"].map(Into::into).into();
        typed.extend(which.arguments());
        typed.push("--".into());
        typed.extend(paths.iter().map(|path| path.as_os_str().to_owned()));
        let (flags, config) = config::parse(&typed).map_err(Refusal::into_error)?;
        let Some(Command::Check(check)) = flags.command else { anyhow::bail!("expected a check") };
        let overrides = plan::overrides(config.as_ref())?;
        Ok(Self { checks: plan::checks(&check.scan)?, check, config, overrides })
    }

    /// Returns the records of a check without any connection.
    fn check(&self) -> anyhow::Result<File> {
        let Plan { named, options, .. } = Plan::of(&self.check.scan, self.config.as_ref())?;
        // A link must be fixed everywhere.
        let options = Options { unique: false, shown: Showing::All, ..options };
        // The store holds results from the network, which is not used.
        let requests = plan::request_options(&self.check.ask, Arc::default(), Vec::new())?;
        let requests = RequestOptions { state: None, ..requests };
        let observer = Watch::new(Voice { progress: Progress::Never, notes: false });
        let inputs = named.into_inputs().collect();
        recorded(|output| {
            linktrawl::internal::run::check(inputs, &options, &requests, output, &observer)
        })
    }

    /// Returns the records of a scan of the file `copy` alone, under the options for `path`.
    fn scan(&self, copy: PathBuf, path: &Path) -> anyhow::Result<File> {
        let own = self.overrides.wanted_of(path).map(|wanted| &wanted.checks);
        let Checks { grammars, refused, cues: find, .. } = own.unwrap_or(&self.checks).clone();
        let kind = self.check.scan.kind;
        let options = Options { grammars, refused, find, kind, ..Options::default() };
        recorded(|output| {
            linktrawl::internal::run::scan(&mut iter::once(Ok(copy)), &options, output, &Unheard)
        })
    }
}

/// Returns the records that `run` writes.
fn recorded(run: impl FnOnce(Vec<Output>) -> Result<Summary, Error>) -> anyhow::Result<File> {
    let mut file = tempfile::tempfile()?;
    let target = Box::new(io::BufWriter::new(file.try_clone()?));
    let (style, name) = (Style::default(), RUN.to_owned());
    run(vec![Output { report: &Ndjson, style, name, identities: Vec::new(), target }])?;
    file.rewind()?;
    Ok(file)
}

// ---- one file ---------------------------------------------------------------------------

fn each_file(
    path: &Path,
    mut replacements: Vec<Replacement>,
    writes: bool,
    work: &mut FixRun,
) -> anyhow::Result<()> {
    let text = match read(path) {
        Ok(text) => text,
        Err(error) => {
            work.fail(&format!("cannot read {path:?}: {error}"));
            return Ok(());
        }
    };
    work.leave(Left::Overlap, fix::settle(&mut replacements));
    if replacements.iter().any(|replacement| !replacement.fits(&text)) {
        work.fail(&format!("{path:?} has changed since it was read: it stays as it is"));
        return Ok(());
    }
    let before = replacements.len();
    fix::retain_with_room(&mut replacements, &text);
    replacements.iter_mut().for_each(|replacement| replacement.adapt(&text));
    work.leave(Left::Unread, u64::try_from(before - replacements.len()).unwrap_or(u64::MAX));
    confirm(path, &text, &mut replacements, work)?;
    if writes {
        if !replacements.is_empty() {
            output::write(path, &fix::apply(&text, &replacements), &Replacing::ALL)?;
        }
        count(replacements.len(), work);
        return Ok(());
    }
    let mut hunks = fix::hunks(&text, &replacements);
    hunks.retain(|hunk| {
        let is_open = matches!(shown(&hunk.body), Cow::Borrowed(_));
        if !is_open {
            work.leave(Left::Password, u64::try_from(hunk.replacements.len()).unwrap_or(u64::MAX));
        }
        is_open
    });
    print(&fix::patch(path.as_os_str().as_bytes(), &hunks))?;
    count(hunks.iter().map(|hunk| hunk.replacements.len()).sum(), work);
    Ok(())
}

fn count(links: usize, work: &mut FixRun) {
    work.files += u64::from(links > 0);
    work.links += u64::try_from(links).unwrap_or(u64::MAX);
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("expected a regular file"));
    }
    if metadata.len() > FILE_LEN_MAX {
        return Err(io::Error::other(format!("expected at most {FILE_LEN_MAX} bytes")));
    }
    fs::read(path)
}

/// Keeps the fixes whose links a scan of the fixed text finds. If some are dropped, the others are
/// scanned again; if one of them fails then, all are dropped.
fn confirm(
    path: &Path,
    text: &[u8],
    replacements: &mut Vec<Replacement>,
    work: &mut FixRun,
) -> anyhow::Result<()> {
    for _ in 0..2 {
        let found = found(path, &fix::apply(text, replacements.iter()), &work.reading)?;
        let held: Vec<bool> = fix::replaced_offsets(replacements)
            .zip(replacements.iter())
            .map(|(at, replacement)| found.contains(&(at, replacement.uri.clone())))
            .collect();
        if held.iter().all(|held| *held) {
            return Ok(());
        }
        let mut held = held.into_iter();
        let before = replacements.len();
        replacements.retain(|_| held.next() == Some(true));
        work.leave(Left::Unread, u64::try_from(before - replacements.len()).unwrap_or(u64::MAX));
    }
    work.leave(Left::Unread, u64::try_from(replacements.len()).unwrap_or(u64::MAX));
    replacements.clear();
    Ok(())
}

/// Returns the well-formed links that a scan finds in `text` under the file name of `path`: their
/// offsets and texts.
fn found(path: &Path, text: &[u8], reading: &Reading) -> anyhow::Result<BTreeSet<(u64, Vec<u8>)>> {
    let directory = tempfile::tempdir()?;
    let copy = directory.path().join(path.file_name().unwrap_or_default());
    fs::write(&copy, text)?;
    let mut found = BTreeSet::new();
    of_lines(reading.scan(copy, path)?, RUN, &mut |record| {
        if let (Some(at), None) = (record.place.file_offset, record.faults().next()) {
            found.insert((at, record.uri().to_vec()));
        }
    })?;
    Ok(found)
}

/// Prints a diff byte for byte, but escaped if standard output is a terminal.
fn print(diff: &[u8]) -> Result<(), Error> {
    let at = |source| Error::Write { target: "stdout".to_owned(), source };
    let mut out = io::stdout().lock();
    if !out.is_terminal() {
        return out.write_all(diff).and_then(|()| out.flush()).map_err(at);
    }
    for line in diff.split_inclusive(|&byte| byte == b'\n') {
        let mut text = Vec::new();
        Shown(line.strip_suffix(b"\n").unwrap_or(line)).append_to(&mut text);
        text.push(b'\n');
        out.write_all(&text).map_err(at)?;
    }
    Ok(())
}

/// Formats the counts: `3 links in 2 files can be fixed; left as they are: 1 mail`.
fn closing_count(work: &FixRun, writes: bool) -> String {
    let (links, files) = (counted(work.links, "link"), counted(work.files, "file"));
    let fixed = if writes { "fixed" } else { "can be fixed" };
    let mut text = format!("{links} in {files} {fixed}");
    let left: Vec<_> = work.left.iter().map(|(why, count)| format!("{count} {why}")).collect();
    if !left.is_empty() {
        text.push_str(&format!("; left as they are: {}", left.join(", ")));
    }
    text
}
