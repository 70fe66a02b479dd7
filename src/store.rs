//! Keeps the results of runs in one file. An interrupted run continues where it stopped, a later
//! run does not request fresh links again, and a link is called dead only after several runs in a
//! row found it dead.
//!
//! The file is an SQLite database. Everything recorded before [`Store::flush`] returned is on the
//! disk, whatever happens to the program or the machine. Later rows are kept whole and in order, or
//! not at all. Only one run uses a file at a time: a second one fails at once. A row that cannot be
//! read, because it was changed by hand, counts as absent, so that its link is requested again; a
//! damaged file is an error.
//!
//! No password is stored. The key of a link is a hash of the request, which excludes user and
//! password; readable fields have their passwords hidden. Query parts may hold other secrets, so
//! that only the owner may read the file, on systems that know owners.
//!
//! Time is an argument, in seconds since 1970, from a clock that may be set back: an answer from
//! the future is not fresh.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::error::Error;
use crate::finding::{Content, Hop, Reach, Verdict};
use crate::uri::{Redacted, Uri};

pub mod baseline;
mod file;
mod key;
mod lifetime;
mod problem;
pub mod results;
mod row;
mod sole;

pub use baseline::Baseline;
pub use key::Key;
pub use lifetime::{ROBOTS_SECONDS_MAX, lifetime};

use problem::Problem;

/// Maximum number of rows in one commit. A commit waits for the disk: committing each row would
/// take a hundred times as long. Ten thousand rows would lose more when power fails, and gain
/// nothing measurable.
const COMMIT_ROWS_MAX: usize = 1_000;
/// Age up to which an unfinished run is continued. A user who returns after a week wants to know
/// the current state.
const RESUME_SECONDS_MAX: u64 = 7 * lifetime::DAY;
/// Time for which a result is kept that is not requested again: longer than the count of dead runs
/// is of use, and short enough that the file does not grow without bound.
const KEPT_SECONDS_MAX: u64 = 180 * lifetime::DAY;

/// The state file, and the run that uses it.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    /// The names of probes, as in [`Reach::probe`].
    probes: Vec<&'static str>,
    /// The number of the run; zero before it begins, a number that no run has.
    run: i64,
    /// Seconds from one counted dead run to the next, at least.
    gap: u64,
    /// Rows that are written but not committed.
    pending: usize,
    /// Whether committed rows may not be on the disk yet.
    is_ahead: bool,
}

/// The run as the file records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Counted from 1.
    pub number: u64,
    /// Whether it began earlier and was not finished.
    pub is_continued: bool,
    /// The time when it began, in seconds since 1970.
    pub started: u64,
}

/// An answer to be stored.
#[derive(Clone, Copy, Debug)]
pub struct Record<'r> {
    /// The URI that was requested. Its user information and its fragment are not stored.
    pub uri: Uri<'r>,
    /// The result of the probe.
    pub reach: &'r Reach,
    /// `ETag`, as received.
    pub etag: Option<&'r [u8]>,
    /// `Last-Modified`, as received.
    pub last_modified: Option<&'r [u8]>,
    /// The time of the request, in seconds since 1970.
    pub asked_at: u64,
}

/// The stored result of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The result of the probe. Passwords in it are hidden.
    pub reach: Reach,
    /// `ETag`, as received.
    pub etag: Option<Vec<u8>>,
    /// `Last-Modified`, as received.
    pub last_modified: Option<Vec<u8>>,
    /// The time of the request, in seconds since 1970.
    pub asked_at: u64,
    /// Whether the result is recent enough that the link need not be requested again.
    pub is_fresh: bool,
    /// Whether this run requested the link, perhaps before it was interrupted.
    pub is_of_this_run: bool,
    /// Number of runs in a row that requested the link and found it dead, including the last. A run
    /// that did not or could not request it does not count.
    pub dead_runs: u32,
}

/// The stored state of a host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostState {
    /// The time before which it must not be contacted, in seconds since 1970.
    pub next_at: u64,
    /// The delay that it wants between requests, in milliseconds.
    pub gap: u64,
    /// Number of failures in a row.
    pub failures: u32,
    /// Its robots.txt.
    pub robots: Option<Robots>,
}

/// A robots.txt, or the answer in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Robots {
    /// The status of the answer.
    pub status: u16,
    /// Its content. The caller limits its length.
    pub text: Vec<u8>,
    /// The time of the request, in seconds since 1970.
    pub asked_at: u64,
}

/// Reports whether a file that begins with `beginning` is a database, as a state is.
#[must_use]
pub fn is_state(beginning: &[u8]) -> bool {
    file::is_database(beginning)
}

/// Returns the paths of the files that hold the state of `path`: the database and the files that
/// SQLite keeps beside it while it is open (its file format, sections 2 and 4).
#[must_use]
pub fn files(path: &Path) -> [PathBuf; 4] {
    ["", "-journal", "-shm", "-wal"].map(|ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        name.into()
    })
}

impl Store {
    /// Opens the file at `path`, and creates it if there is none. `probes` are the values that
    /// [`Reach::probe`] may have: rows with other names count as absent.
    ///
    /// # Errors
    /// When the file cannot be opened or written, is in use by another run, is damaged, belongs to
    /// another program or was made by a later version of this one. A file of another program is
    /// left unchanged.
    pub fn open(path: &Path, probes: &[&'static str]) -> Result<Self, Error> {
        let connection = file::open(path).map_err(|problem| problem.at(path))?;
        Ok(Self::with(connection, path, probes))
    }

    /// Opens the file at `path`, which a configuration file in the directory `top` names that was
    /// found, not named: one that this program made, in that directory, and no link.
    ///
    /// # Errors
    /// When it is another one, or changes meanwhile, and the errors of [`Store::open`].
    pub fn open_below(top: &Path, path: &Path, probes: &[&'static str]) -> Result<Self, Error> {
        let connection = file::open_below(top, path).map_err(|problem| problem.at(path))?;
        Ok(Self::with(connection, path, probes))
    }

    fn with(connection: Connection, path: &Path, probes: &[&'static str]) -> Self {
        let (path, probes) = (path.to_owned(), probes.to_vec());
        Self { path, connection, probes, run: 0, gap: 0, pending: 0, is_ahead: false }
    }

    /// Counts a run that finds a link dead only `gap` seconds after the last one that was counted.
    #[must_use]
    pub fn counting_apart(self, gap: u64) -> Self {
        Self { gap, ..self }
    }

    /// Begins a run. The last run with the same `arguments`, a hash of everything that identifies a
    /// run, is continued if it was not finished.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn begin_run(&mut self, arguments: &[u8], now: u64) -> Result<Run, Error> {
        self.flush()?;
        let begun = self.begin_or_continue(arguments, now);
        let (number, continued) = begun.map_err(|problem| problem.at(&self.path))?;
        self.run = number;
        let (is_continued, started) = (continued.is_some(), continued.map_or(now, row::read));
        Ok(Run { number: row::read(number), is_continued, started })
    }

    /// Returns the stored result of the link with this `key`. It is fresh if its lifetime is not
    /// over, and it is at most `max_age` seconds old.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn lookup(
        &self,
        key: &Key,
        now: u64,
        max_age: Option<u64>,
    ) -> Result<Option<Stored>, Error> {
        let found = self.find(key).map_err(|problem| problem.at(&self.path))?;
        Ok(found.and_then(|found| found.into_stored(self.run, &self.probes, now, max_age)))
    }

    /// Stores an answer, and replaces the link's earlier one. It is on the disk after the next
    /// [`Store::flush`], or after some more rows.
    ///
    /// # Errors
    /// When the file cannot be written. Rows that were not flushed are lost then.
    pub fn record(&mut self, key: &Key, record: &Record<'_>) -> Result<(), Error> {
        let gap = self.gap;
        self.write(|connection, run| {
            let is_dead = is_dead(record.reach);
            let is_due = gap == 0 || is_due(connection, key, record.asked_at, gap)?;
            // A result that is not counted leaves the count as it is.
            let counted = is_dead.filter(|is_dead| is_due || !is_dead);
            let changed = insert_result(connection, run, (key, record), counted)?;
            insert_content(connection, key, record)?;
            if gap > 0 && counted == Some(true) {
                let mut insert = connection
                    .prepare_cached("INSERT OR REPLACE INTO counted (key, at) VALUES (?1, ?2)")?;
                insert.execute(params![key.bytes(), row::stored(record.asked_at)])?;
            }
            Ok(changed)
        })
    }

    /// Stores the redirects that this run followed from the link with this `key`, and the kind of
    /// `cookie` that they set, which is zero if there is none. Stores nothing if a redirect cannot
    /// be requested again once its password is hidden.
    ///
    /// # Errors
    /// When the file cannot be written. Rows that were not flushed are lost then.
    pub fn record_way(&mut self, key: &Key, hops: &[Hop], cookie: u8) -> Result<(), Error> {
        if !hops.iter().all(row::can_be_kept) {
            return Ok(());
        }
        let text = row::hops_to_text(hops);
        self.write(|connection, run| {
            let mut insert = connection.prepare_cached(
                "INSERT OR REPLACE INTO ways (key, hops, sets_cookie, run) VALUES (?1, ?2, ?3, ?4)",
            )?;
            insert.execute(params![key.bytes(), text, cookie, run])
        })
    }

    /// Returns the redirects that [`Store::record_way`] stored in this run.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn way(&self, key: &Key) -> Result<Option<(Vec<Hop>, u8)>, Error> {
        self.find_way(key).map_err(|problem| problem.at(&self.path))
    }

    /// Returns the stored state of the host called `name`.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn host(&self, name: &str) -> Result<Option<HostState>, Error> {
        self.find_host(name).map_err(|problem| problem.at(&self.path))
    }

    /// Stores the state of the host called `name`.
    ///
    /// # Errors
    /// When the file cannot be written. Rows that were not flushed are lost then.
    pub fn record_host(&mut self, name: &str, state: &HostState, now: u64) -> Result<(), Error> {
        self.write(|connection, _| insert_host(connection, name, state, now))
    }

    /// Commits all recorded rows: they outlast this program, however it ends.
    ///
    /// # Errors
    /// When the file cannot be written. Rows that were not committed before are lost then.
    pub fn keep(&mut self) -> Result<(), Error> {
        if self.pending == 0 {
            return Ok(());
        }
        (self.pending, self.is_ahead) = (0, true);
        let committed = self.connection.execute_batch("COMMIT");
        committed.map_err(|error| self.undo(error))
    }

    /// Commits all recorded rows to the disk: they outlast a crash of the machine, too.
    ///
    /// # Errors
    /// When the file cannot be written. Rows that were not committed before are lost then.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.keep()?;
        if !std::mem::take(&mut self.is_ahead) {
            return Ok(());
        }
        // The log is on the disk before any of it is copied into the file.
        let copied = self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        copied.map_err(|error| self.undo(error))
    }

    /// Ends the run: the next run with the same arguments is a new one. Deletes stored redirects,
    /// and results, hosts and runs older than 180 days.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish_run(&mut self, now: u64) -> Result<(), Error> {
        self.write(|connection, run| {
            let (now, oldest) =
                (row::stored(now), row::stored(now.saturating_sub(KEPT_SECONDS_MAX)));
            connection.execute("UPDATE runs SET finished = ?1 WHERE id = ?2", [now, run])?;
            connection.execute("DELETE FROM results WHERE asked_at < ?1", [oldest])?;
            connection.execute("DELETE FROM contents WHERE read_at < ?1", [oldest])?;
            connection.execute("DELETE FROM hosts WHERE seen_at < ?1", [oldest])?;
            connection.execute("DELETE FROM ways WHERE run <= ?1", [run])?;
            connection.execute("DELETE FROM counted WHERE at < ?1", [oldest])?;
            // The last one stays, so that no number is used twice.
            connection.execute("DELETE FROM runs WHERE started < ?1 AND id <> ?2", [oldest, run])
        })?;
        self.flush()
    }

    /// Applies one change to the current batch, and commits the batch when it is full.
    fn write(
        &mut self,
        change: impl Fn(&Connection, i64) -> rusqlite::Result<usize>,
    ) -> Result<(), Error> {
        if self.pending == 0 {
            let begun = self.connection.execute_batch("BEGIN IMMEDIATE");
            begun.map_err(|error| self.undo(error))?;
        }
        self.pending += 1;
        change(&self.connection, self.run).map_err(|error| self.undo(error))?;
        if self.pending >= COMMIT_ROWS_MAX { self.keep() } else { Ok(()) }
    }

    /// Rolls the current batch back after a failure: a batch is stored whole or not at all.
    fn undo(&mut self, error: rusqlite::Error) -> Error {
        self.pending = 0;
        if !self.connection.is_autocommit() {
            // After most failures SQLite has rolled back already. If this fails, too, the batch is
            // rolled back when the file is next opened.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        Problem::Database(error).at(&self.path)
    }

    /// Returns the number of the run, and the time when it began if it is continued.
    fn begin_or_continue(&self, arguments: &[u8], now: u64) -> Result<(i64, Option<i64>), Problem> {
        let oldest = row::stored(now.saturating_sub(RESUME_SECONDS_MAX));
        let unfinished =
            "SELECT id, started FROM runs WHERE id = (SELECT max(id) FROM runs WHERE arguments = ?1)
             AND finished IS NULL AND started >= ?2";
        let found = self.connection.query_row(unfinished, params![arguments, oldest], |row| {
            Ok((row.get(0)?, row.get(1)?))
        });
        if let Some((number, started)) = found.optional()? {
            return Ok((number, Some(started)));
        }
        let begin = "INSERT INTO runs (arguments, started) VALUES (?1, ?2)";
        self.connection.execute(begin, params![arguments, row::stored(now)])?;
        Ok((self.connection.last_insert_rowid(), None))
    }

    fn find(&self, key: &Key) -> Result<Option<row::StoredResult>, Problem> {
        let mut select = self.connection.prepare_cached(row::SELECT)?;
        Ok(select.query_row([key.bytes()], row::StoredResult::read).optional()?)
    }

    fn find_way(&self, key: &Key) -> Result<Option<(Vec<Hop>, u8)>, Problem> {
        let mut select = self
            .connection
            .prepare_cached("SELECT hops, sets_cookie FROM ways WHERE key = ?1 AND run = ?2")?;
        let found = select.query_row(params![key.bytes(), self.run], |row| {
            Ok((row.get::<_, String>(0)?, row.get(1)?))
        });
        let found = found.optional()?;
        Ok(found.and_then(|(hops, cookie)| Some((row::text_to_hops(&hops)?, cookie))))
    }

    fn find_host(&self, name: &str) -> Result<Option<HostState>, Problem> {
        let mut select = self.connection.prepare_cached(
            "SELECT next_at, gap, failures, robots_status, robots, robots_at
             FROM hosts WHERE name = ?1",
        )?;
        Ok(select.query_row([name], row::read_host).optional()?)
    }
}

/// Reports whether a dead run at `now` counts: the first one, or one that is `gap` seconds after
/// the last that was counted.
fn is_due(connection: &Connection, key: &Key, now: u64, gap: u64) -> rusqlite::Result<bool> {
    let mut select = connection.prepare_cached(
        "SELECT at FROM counted JOIN results USING (key) WHERE key = ?1 AND dead_runs > 0",
    )?;
    let counted: Option<i64> = select.query_row([key.bytes()], |row| row.get(0)).optional()?;
    Ok(counted.is_none_or(|at| now.saturating_sub(row::read(at)) >= gap))
}

/// Stores a result; `counted` says whether it counts as dead, and is `None` if it does not count.
fn insert_result(
    connection: &Connection,
    run: i64,
    (key, record): (&Key, &Record<'_>),
    counted: Option<bool>,
) -> rusqlite::Result<usize> {
    let Record { uri, reach, etag, last_modified, asked_at } = *record;
    let hidden = |text: &str| row::hidden(text.as_bytes());
    let mut insert = connection.prepare_cached(row::INSERT)?;
    insert.execute(params![
        key.bytes(),
        Redacted::new(key::without_fragment(&uri)).shown(),
        reach.class.row().name,
        reach.probe,
        reach.status,
        hidden(&reach.message),
        row::hops_to_text(&reach.hops),
        reach.hint.as_deref().map(hidden),
        etag,
        last_modified,
        row::stored(asked_at),
        row::stored(asked_at.saturating_add(lifetime::of(reach.class, key))),
        run,
        counted,
    ])
}

/// Stores the content of the page in `record`, if it was read.
fn insert_content(connection: &Connection, key: &Key, record: &Record<'_>) -> rusqlite::Result<()> {
    let Some(content) = &record.reach.content else { return Ok(()) };
    let Content { digest, sketch, changed_since: _ } = **content;
    let mut insert = connection.prepare_cached(row::INSERT_CONTENT)?;
    insert.execute(params![
        key.bytes(),
        digest.to_be_bytes(),
        row::signed(sketch),
        row::stored(record.asked_at),
    ])?;
    Ok(())
}

/// Reports whether the link was found dead; `None` if it was not requested.
fn is_dead(reach: &Reach) -> Option<bool> {
    match reach.class.row().verdict {
        Verdict::Error => Some(true),
        Verdict::Ok | Verdict::Warn => Some(false),
        Verdict::Skipped => None,
    }
}

fn insert_host(
    connection: &Connection,
    name: &str,
    state: &HostState,
    now: u64,
) -> rusqlite::Result<usize> {
    let mut insert = connection.prepare_cached(
        "INSERT OR REPLACE INTO hosts
         (name, next_at, gap, failures, robots_status, robots, robots_at, seen_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    let robots = state.robots.as_ref();
    insert.execute(params![
        name,
        row::stored(state.next_at),
        row::stored(state.gap),
        state.failures,
        robots.map(|robots| robots.status),
        robots.map(|robots| &robots.text),
        robots.map(|robots| row::stored(robots.asked_at)),
        row::stored(now),
    ])
}
