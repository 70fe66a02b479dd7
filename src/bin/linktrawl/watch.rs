//! Implements `--watch`: repeats the run whenever its inputs have changed.
//!
//! Each round reads the configuration file again, and watches anew: the directories that a walk
//! enters, and those that contain the named inputs. A new directory causes a round, which finds its
//! contents. Every relevant change before a round begins to read is part of that round, and a later
//! one causes the next, so nothing is lost between them.
//!
//! Not watched: entries that a walk skips; files outside of the inputs, such as targets of links,
//! ignore files, or a configuration file that did not exist; and changed targets of symbolic links.
//! The number of directories that macOS can watch at once is unproven.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use linktrawl::internal::platform::{canonicalize, identity};
use linktrawl::internal::report::escape::Shown;
use linktrawl::internal::run::WalkRules;
use linktrawl::internal::source::walk;
use linktrawl::internal::store;
use notify::event::{EventKind, ModifyKind};
use notify::{ErrorKind, Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use tempfile::TempDir;

use crate::args::scan::ScanFlags;
use crate::args::{Command, Flags};
use crate::config::{self, Config};
use crate::environment;
use crate::exit::{Exit, is_broken_pipe};
use crate::output;
use crate::plan::{self, Named};
use crate::signals::Signals;
use crate::stderr::say;

/// The time without changes after which a burst is over. Editors write temporary files, rename and
/// set times within some milliseconds; people barely notice a tenth of a second.
const REST: Duration = Duration::from_millis(100);
/// The longest wait for the end of a burst: a tree that is written to constantly never rests.
const BURST_MAX: Duration = Duration::from_secs(2);
/// Number of changed paths that are kept until the next round; further ones cause a round, unnamed.
const PATHS_MAX: usize = 10_000;
/// Number of paths that are listed in one line.
const TOLD_MAX: usize = 3;

/// Files that change which entries a walk skips, or options, and that it skips itself.
const RULES: [&str; 3] = [".gitignore", ".linktrawlignore", ".linktrawl.toml"];

/// The flags, and the configuration file that they include.
pub(crate) type Invocation = (Flags, Option<Config>);

/// Runs `round` for `asked`, and for newly parsed `typed` after each change, until one of `signals`
/// comes.
///
/// # Errors
/// When the inputs cannot be watched, when the first round fails, and when the reader of the report
/// has closed the pipe. Failures of later rounds are reported, since the user may fix them.
pub(crate) fn run(
    typed: &[OsString],
    mut asked: Invocation,
    signals: Option<&Signals>,
    round: &dyn Fn(&Invocation) -> anyhow::Result<Exit>,
) -> anyhow::Result<Exit> {
    refuse_what_cannot_be_watched(asked.0.scan())?;
    let (wake, woken) = sync_channel(1);
    if let Some(signals) = signals {
        let wake = wake.clone();
        signals.call(move || wake_up(&wake))?;
    }
    let mut kept = None;
    let mut is_first = true;
    loop {
        keep_answers(&mut kept, &mut asked.0)?;
        let ground = Ground::of(&asked)?;
        let watcher = ChangeWatcher::open(&ground, &wake)?;
        // A file may have become a pipe, whose reader would block until a writer comes.
        let done = refuse_special(asked.0.scan()).and_then(|()| round(&asked));
        match done {
            Ok(Exit::Stopped(code)) => return Ok(Exit::Stopped(code)),
            Ok(_) => {}
            Err(error) if is_first || is_broken_pipe(&error) => return Err(error),
            Err(error) => say(&format!("error: {error}")),
        }
        is_first = false;
        let wait = || watcher.wait(&ground, &woken, signals);
        match next_asked(typed, &ground, wait) {
            Ok(next) => asked = next,
            Err(code) => return Ok(Exit::Stopped(code)),
        }
    }
}

/// Waits for a change after which the command line is valid; or returns the exit code for the
/// signal that came first.
fn next_asked(
    typed: &[OsString],
    ground: &Ground,
    wait: impl Fn() -> Result<Changed, u8>,
) -> Result<Invocation, u8> {
    loop {
        ground.say(&format!("waiting for changes of {}", ground.inputs()));
        let changed = wait()?;
        ground.say(&format!("changed: {}", changed.describe(ground)));
        match config::parse(typed) {
            Ok(asked) => return Ok(asked),
            Err(refusal) => say(&format!("error: {}", refusal.into_error())),
        }
    }
}

fn refuse_what_cannot_be_watched(scan: Option<&ScanFlags>) -> anyhow::Result<()> {
    let Some(scan) = scan else { return Ok(()) };
    let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
    let no_stdin = "expected files or directories with --watch, found `-`: standard input ends \
                    once and changes no more; write it into a file, or omit --watch";
    anyhow::ensure!(!scan.paths.iter().chain(&scan.lists).any(is_stdin), no_stdin);
    anyhow::ensure!(
        !scan.update_baseline,
        "expected --watch or --update-baseline, found both: all that breaks while you write would \
         be known at once; write the baseline first, then watch with --baseline"
    );
    for path in scan.paths.iter().chain(&scan.lists) {
        fs::metadata(path).map_err(|error| anyhow::anyhow!("cannot watch {path:?}: {error}"))?;
    }
    refuse_special(Some(scan))?;
    // All lists are regular files here, and are read to their ends.
    anyhow::ensure!(
        !Named::of(scan)?.into_inputs().flatten().any(|path| is_stdin(&path)),
        no_stdin
    );
    Ok(())
}

/// Refuses pipes and devices, which can be read only once, or do not end.
fn refuse_special(scan: Option<&ScanFlags>) -> anyhow::Result<()> {
    let Some(scan) = scan else { return Ok(()) };
    for path in scan.paths.iter().chain(&scan.lists) {
        let is_other = |found: fs::Metadata| !found.is_file() && !found.is_dir();
        anyhow::ensure!(
            !fs::metadata(path).is_ok_and(is_other),
            "expected files or directories with --watch, found {path:?}, which is a pipe or a \
             device; write what it gives into a file, or omit --watch"
        );
    }
    Ok(())
}

/// Makes rounds share a cache of results: in the directory `kept`, if the user named no file.
fn keep_answers(kept: &mut Option<TempDir>, flags: &mut Flags) -> anyhow::Result<()> {
    let Some(Command::Check(check)) = &mut flags.command else { return Ok(()) };
    if check.ask.state.is_some() || check.ask.offline {
        return Ok(());
    }
    let directory = kept.take().map_or_else(tempfile::tempdir, Ok).map_err(|error| {
        anyhow::anyhow!("cannot keep answers: {error}; --state names a file for them")
    })?;
    check.ask.state = Some(kept.insert(directory).path().join("answers"));
    Ok(())
}

// ---- relevant changes --------------------------------------------------------------------

/// The watched files, and the rules for relevant changes.
struct Ground {
    /// All paths that are read, by their canonical paths.
    places: BTreeMap<PathBuf, Place>,
    /// Files that the run writes, by their canonical paths.
    own: Vec<PathBuf>,
    /// Device and inode of further files that the run writes to.
    identities: Vec<(u64, u64)>,
    walk: WalkRules,
    /// Whether only errors are printed.
    is_quiet: bool,
}

/// A file or directory that is read.
struct Place {
    /// Its path as the user wrote it.
    named: PathBuf,
    is_tree: bool,
    /// Whether it is searched for links.
    is_input: bool,
}

impl Ground {
    fn of((flags, config): &Invocation) -> anyhow::Result<Self> {
        let scan = flags.scan().ok_or_else(|| anyhow::anyhow!("expected a run to watch"))?;
        let mut places = BTreeMap::new();
        let mut add = |named: PathBuf, is_input: bool| {
            let settled = settle(&named);
            let is_tree = is_input && settled.is_dir();
            places.entry(settled).or_insert(Place { named, is_tree, is_input });
        };
        let inputs = Named::of(scan)?.into_inputs().flatten();
        inputs.for_each(|path| add(path, true));
        let rules = scan.lists.iter().chain(&scan.baseline);
        let rules = rules.chain(config.iter().map(|config| &config.source.path));
        rules.for_each(|path| add(path.clone(), false));
        let state = match &flags.command {
            Some(Command::Check(check)) => check.ask.state.as_deref(),
            _ => None,
        };
        let reports = scan.formats.iter().filter_map(|format| format.file.as_deref());
        let summary = environment::step_summary();
        let own = reports.chain(summary.as_deref()).map(settle);
        let state = state.into_iter().flat_map(|path| store::files(&settle(path)));
        Ok(Self {
            own: own.chain(state).collect(),
            identities: output::standing_identities(),
            places,
            walk: plan::walk_rules(scan),
            is_quiet: scan.quiet,
        })
    }

    /// Returns the directories to watch, with duplicates: for trees, those that a walk enters; for
    /// all places, the parent directory, or its nearest existing ancestor. The caller must watch
    /// each before it takes the next, which may be created in it.
    fn directories(&self) -> impl Iterator<Item = PathBuf> {
        self.places.iter().flat_map(|(settled, place)| {
            let around = settled.ancestors().skip(1).find(|directory| directory.is_dir());
            let tree = place.is_tree.then(|| walk::directories(settled, self.walk));
            let below = tree.into_iter().flatten();
            let below = below.filter(|directory| !is_of_git(settled, directory));
            around.map(Path::to_owned).into_iter().chain(below)
        })
    }

    /// Reports whether a change at `path` changes the result of a run.
    fn counts(&self, path: &Path) -> bool {
        if self.is_own(path) {
            return false;
        }
        // A named path, or a parent of one that was created or removed. In this order, paths below
        // a directory directly follow its own.
        let next = self.places.range(path.to_owned()..).next();
        if next.is_some_and(|(settled, _)| settled.starts_with(path)) {
            return true;
        }
        path.ancestors().skip(1).any(|above| {
            let is_tree = self.places.get(above).is_some_and(|place| place.is_tree);
            is_tree && self.is_walked(above, path)
        })
    }

    /// Reports whether `path` is read by a walk over the tree `root`, or is a file of rules for it.
    fn is_walked(&self, root: &Path, path: &Path) -> bool {
        let is_rule = path.file_name().is_some_and(|name| RULES.iter().any(|rule| name == *rule));
        let judged = path.parent().filter(|_| is_rule).unwrap_or(path);
        !is_of_git(root, path) && !walk::leaves_out(root, judged, self.walk)
    }

    /// Reports whether the run itself writes `path`.
    fn is_own(&self, path: &Path) -> bool {
        let is_of = |own: &PathBuf| path == own || output::is_passing_name(path, own);
        let identity = || identity(path, &fs::metadata(path).ok()?);
        let is_known = || identity().is_some_and(|own| self.identities.contains(&own));
        self.own.iter().any(is_of) || is_nameless(path) || is_known()
    }

    /// Lists the inputs for people.
    fn inputs(&self) -> String {
        let inputs = self.places.iter().filter(|(_, place)| place.is_input);
        let told = inputs.clone().take(TOLD_MAX).map(|(settled, place)| {
            let gone = if settled.exists() { "" } else { " (gone)" };
            format!("{}{gone}", in_a_line(&place.named))
        });
        listed(told.collect(), inputs.count())
    }

    /// Returns `path` as the user would write it.
    fn called(&self, path: &Path) -> PathBuf {
        let around = path.ancestors().find_map(|above| Some((above, self.places.get(above)?)));
        let Some((above, place)) = around else { return path.to_owned() };
        match path.strip_prefix(above) {
            Ok(below) if below.as_os_str().is_empty() => place.named.clone(),
            Ok(below) => place.named.join(below),
            Err(_) => path.to_owned(),
        }
    }

    fn say(&self, words: &str) {
        if !self.is_quiet {
            say(words);
        }
    }
}

/// Escapes line ends in `path`: after one, a name could imitate our own messages.
fn in_a_line(path: &Path) -> String {
    Shown(path.as_os_str().as_encoded_bytes()).to_string()
}

/// Formats a list: `a, b, c, and 2 more`.
fn listed(mut told: Vec<String>, count: usize) -> String {
    let more = count.saturating_sub(told.len());
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    told.join(", ")
}

/// Reports whether `path` is the name that Linux gives to an unnamed file, `#` and its inode: a
/// report that is being written.
fn is_nameless(path: &Path) -> bool {
    let name = path.file_name().map(OsStr::as_encoded_bytes);
    let number = name.and_then(|name| name.strip_prefix(b"#")).unwrap_or_default();
    let is_number = !number.is_empty() && number.iter().all(u8::is_ascii_digit);
    is_number && fs::symlink_metadata(path).is_err()
}

/// Reports whether `path` belongs to git's own files in a checkout below `root`. Git writes there
/// even for queries, as `--since` makes them.
fn is_of_git(root: &Path, path: &Path) -> bool {
    let below = path.strip_prefix(root).unwrap_or(path);
    below.components().any(|part| part == Component::Normal(".git".as_ref()))
}

/// Returns the absolute `path`, whose existing part is free of symbolic links.
fn settle(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let there = absolute.ancestors().find_map(|above| Some((above, canonicalize(above).ok()?)));
    let Some((above, settled)) = there else { return absolute };
    match absolute.strip_prefix(above) {
        Ok(rest) if !rest.as_os_str().is_empty() => settled.join(rest),
        _ => settled,
    }
}

// ---- the watcher ------------------------------------------------------------------------

/// A watcher, which runs until it is dropped.
struct ChangeWatcher {
    noticed: Arc<Mutex<Noticed>>,
    /// The source of events for `noticed`.
    _watcher: RecommendedWatcher,
}

/// The events since the last query.
#[derive(Default)]
struct Noticed {
    paths: BTreeSet<PathBuf>,
    /// Whether further paths were dropped.
    is_more: bool,
    /// An error that may have caused lost events.
    failure: Option<String>,
}

/// The relevant changes.
#[derive(Default)]
struct Changed {
    paths: BTreeSet<PathBuf>,
    is_more: bool,
}

impl ChangeWatcher {
    /// Begins to watch; `wake` is signalled at each change.
    fn open(ground: &Ground, wake: &SyncSender<()>) -> anyhow::Result<Self> {
        let noticed = Arc::new(Mutex::new(Noticed::default()));
        let (heard, wake) = (Arc::clone(&noticed), wake.clone());
        let hear = move |event: notify::Result<Event>| {
            if lock(&heard).take(event) {
                wake_up(&wake);
            }
        };
        let mut watcher = RecommendedWatcher::new(hear, notify::Config::default())?;
        let mut known = BTreeSet::new();
        for directory in ground.directories() {
            if !known.contains(&directory) {
                let heard = watcher.watch(&directory, RecursiveMode::NonRecursive);
                heard.or_else(|error| unheard(&directory, &error))?;
                known.insert(directory);
            }
        }
        Ok(Self { noticed, _watcher: watcher })
    }

    /// Waits for a relevant change and the end of its burst; or returns the exit code for the
    /// signal that came first.
    fn wait(
        &self,
        ground: &Ground,
        woken: &Receiver<()>,
        signals: Option<&Signals>,
    ) -> Result<Changed, u8> {
        let is_over = || signals.and_then(Signals::code).map_or(Ok(()), Err);
        let mut changed = Changed::default();
        loop {
            is_over()?;
            changed.add(take(&self.noticed), ground);
            if changed.is_something() {
                break;
            }
            // The sender is ours, too, and is never closed.
            let _ = woken.recv();
        }
        await_rest(woken, REST, BURST_MAX);
        is_over()?;
        changed.add(take(&self.noticed), ground);
        Ok(changed)
    }
}

/// Waits until there was no signal for the time `rest`, but not much longer than `most`.
fn await_rest(woken: &Receiver<()>, rest: Duration, most: Duration) {
    let start = Instant::now();
    while start.elapsed() < most && woken.recv_timeout(rest).is_ok() {}
}

fn take(noticed: &Mutex<Noticed>) -> Noticed {
    std::mem::take(&mut *lock(noticed))
}

fn wake_up(wake: &SyncSender<()>) {
    // A signal that is already queued suffices.
    let _ = wake.try_send(());
}

fn lock(noticed: &Mutex<Noticed>) -> MutexGuard<'_, Noticed> {
    noticed.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Judges an error on watching `directory`. A removed directory is a change, which its parent
/// reports. A directory without permission does not keep the others from being watched.
fn unheard(directory: &Path, error: &notify::Error) -> anyhow::Result<()> {
    match &error.kind {
        ErrorKind::PathNotFound => Ok(()),
        ErrorKind::MaxFilesWatch => anyhow::bail!(
            "cannot watch {directory:?}: the system watches no more directories for one user; \
             raise fs.inotify.max_user_watches, or name fewer directories"
        ),
        _ => {
            say(&format!("warning: changes in {directory:?} are not observed: {error}"));
            Ok(())
        }
    }
}

impl Noticed {
    /// Records `event`; reports whether the watching thread must wake up.
    fn take(&mut self, event: notify::Result<Event>) -> bool {
        let event = match event {
            Ok(event) => event,
            Err(error) => {
                self.failure = Some(error.to_string());
                return true;
            }
        };
        self.is_more |= event.need_rescan();
        match event.kind {
            // Runs cause accesses, which change nothing.
            EventKind::Access(_) => {}
            // A file may have become readable, or was touched to be read again. The times of
            // directories change by themselves.
            EventKind::Modify(ModifyKind::Metadata(_)) => {
                self.add(event.paths.into_iter().filter(|path| !path.is_dir()));
            }
            _ => self.add(event.paths.into_iter()),
        }
        self.is_more || !self.paths.is_empty()
    }

    fn add(&mut self, paths: impl Iterator<Item = PathBuf>) {
        for path in paths {
            if self.paths.len() < PATHS_MAX {
                self.paths.insert(path);
            } else {
                self.is_more = true;
            }
        }
    }
}

impl Changed {
    fn add(&mut self, noticed: Noticed, ground: &Ground) {
        if let Some(failure) = noticed.failure {
            say(&format!("warning: some changes may be missed: {failure}"));
        }
        self.paths.extend(noticed.paths.into_iter().filter(|path| ground.counts(path)));
        self.is_more |= noticed.is_more;
    }

    fn is_something(&self) -> bool {
        self.is_more || !self.paths.is_empty()
    }

    /// Describes the changes for people.
    fn describe(&self, ground: &Ground) -> String {
        let told = self.paths.iter().take(TOLD_MAX);
        let told = told.map(|path| in_a_line(&ground.called(path))).collect();
        let text = listed(told, self.paths.len());
        match (self.is_more, text.is_empty()) {
            (false, _) => text,
            (true, true) => "more than was observed".to_owned(),
            (true, false) => format!("{text}, and more than was observed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;
    use std::sync::mpsc::sync_channel;
    use std::thread;
    use std::time::Duration;

    use notify::{Error, ErrorKind};

    use super::{await_rest, listed, unheard};

    #[test]
    fn a_burst_is_over_when_nothing_comes_any_more() {
        // A channel without capacity: each signal was received by a waiting thread.
        let (wake, woken) = sync_channel(0);
        let burst = thread::spawn(move || (0..9).take_while(|_| wake.send(()).is_ok()).count());
        await_rest(&woken, Duration::MAX, Duration::MAX);
        drop(woken);
        assert_eq!(burst.join().expect("it ends"), 9);
    }

    #[test]
    fn a_burst_without_end_is_waited_for_no_longer_than_that() {
        let (wake, woken) = sync_channel(0);
        let burst = thread::spawn(move || while wake.send(()).is_ok() {});
        await_rest(&woken, Duration::MAX, Duration::from_millis(1));
        drop(woken);
        burst.join().expect("it ends");
    }

    #[test]
    fn what_is_not_told_is_counted() {
        let told = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(listed(told(&["a"]), 1), "a");
        assert_eq!(listed(told(&["a", "b"]), 2), "a, b");
        assert_eq!(listed(told(&["a", "b"]), 4), "a, b, and 2 more");
    }

    #[test]
    fn a_directory_that_nobody_may_list_keeps_no_other_from_being_heard() {
        let case = |error| unheard(Path::new("docs/closed"), &error).is_ok();
        assert!(case(Error::io(io::ErrorKind::PermissionDenied.into())));
        assert!(case(Error::path_not_found()));
        assert!(!case(Error::new(ErrorKind::MaxFilesWatch)));
    }
}
