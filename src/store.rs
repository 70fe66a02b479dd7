//! What runs learnt, kept in one file: so that a run that was stopped goes on where it was, a
//! later one does not ask again what is fresh, and a link is called dead when several runs in
//! a row found it so.
//!
//! The file is an SQLite database. What [`Store::flush`] has returned for is on the disk,
//! whatever happens to the program or the machine; what came after is there whole, in the
//! order in which it came, or not at all. One run uses a file at a time: another one is told so
//! at once. A row that cannot be read, because somebody changed it, counts as none, so that its
//! link is asked again; a file that is damaged is an error.
//!
//! No password gets in here. The key of a link is a hash of what is asked, to which user and
//! password do not belong; what is kept to be read has its passwords hidden. Query parts may
//! hold other secrets, for which the file can be read by its owner only, where systems know
//! owners.
//!
//! Time is passed in, in seconds since 1970, and counts as a clock that may be set back: what
//! seems to come from the future is not fresh.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::error::Error;
use crate::finding::{Hop, Reach, Verdict};
use crate::uri::{Guarded, Uri};

pub mod baseline;
mod file;
mod key;
mod lifetime;
mod problem;
mod row;

pub use baseline::Baseline;
pub use key::Key;
pub use lifetime::{ROBOTS_SECONDS_MAX, lifetime};

use problem::Problem;

/// Rows that are committed together, at most. A commit waits for the disk: one for each row
/// would take a hundred times as long, and ten thousand lose more when power fails and gain
/// nothing that can be measured.
const COMMIT_ROWS_MAX: usize = 1_000;
/// How long after its beginning a run that was not finished is still the same run: who comes
/// back after a week wants to know what is true today.
const RESUME_SECONDS_MAX: u64 = 7 * lifetime::DAY;
/// How long what was not asked again is kept: longer than the count of runs that found a link
/// dead is of use, and short enough that the file does not grow for ever.
const KEPT_SECONDS_MAX: u64 = 180 * lifetime::DAY;

/// The file, and the run that uses it.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    /// The names of probes, as they stand in a [`Reach`].
    probes: Vec<&'static str>,
    /// The number of the run; zero before it began, which no run has.
    run: i64,
    /// Rows that are written and not committed.
    pending: usize,
}

/// What a run is called in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Counted from 1.
    pub number: u64,
    /// True when it began earlier and was not finished.
    pub is_continued: bool,
    /// When it began, in seconds since 1970.
    pub started: u64,
}

/// What is kept of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Record<'r> {
    /// What was asked for. Its user information and its fragment are not kept.
    pub uri: Uri<'r>,
    /// What was learnt.
    pub reach: &'r Reach,
    /// `ETag`, as it came.
    pub etag: Option<&'r [u8]>,
    /// `Last-Modified`, as it came.
    pub last_modified: Option<&'r [u8]>,
    /// When, in seconds since 1970.
    pub asked_at: u64,
}

/// What is known of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// What was learnt. Passwords in it are hidden.
    pub reach: Reach,
    /// `ETag`, as it came.
    pub etag: Option<Vec<u8>>,
    /// `Last-Modified`, as it came.
    pub last_modified: Option<Vec<u8>>,
    /// When, in seconds since 1970.
    pub asked_at: u64,
    /// True when there is no need to ask again.
    pub is_fresh: bool,
    /// True when this run asked, before it was stopped perhaps.
    pub is_of_this_run: bool,
    /// Runs in a row that asked and found it dead, the last one included. A run that did not
    /// ask, or could not, does not count.
    pub dead_runs: u32,
}

/// What is known of a host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostState {
    /// Until when it wants to be left alone, in seconds since 1970.
    pub next_at: u64,
    /// The time that it wants between questions, in milliseconds.
    pub gap: u64,
    /// Failures in a row.
    pub failures: u32,
    /// Its robots.txt.
    pub robots: Option<Robots>,
}

/// A robots.txt, or what came in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Robots {
    /// The status of the answer.
    pub status: u16,
    /// What stands in it. Who asks sees to its length.
    pub text: Vec<u8>,
    /// When, in seconds since 1970.
    pub asked_at: u64,
}

/// The files that what is kept at `path` stands in: the database and, while it is open, what SQLite
/// has beside it (its file format, sections 2 and 4).
#[must_use]
pub fn files(path: &Path) -> [PathBuf; 4] {
    ["", "-journal", "-shm", "-wal"].map(|ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        name.into()
    })
}

impl Store {
    /// Opens the file at `path`; makes it where there is none. `probes` are the names that
    /// [`Reach::probe`] may have: rows of others count as none.
    ///
    /// # Errors
    /// When the file cannot be opened or written, is in use by another run, is damaged, belongs
    /// to another program or was made by a later version of this one. A file that is not ours
    /// is left as it is.
    pub fn open(path: &Path, probes: &[&'static str]) -> Result<Self, Error> {
        let connection = file::open(path).map_err(|problem| problem.at(path))?;
        let (path, probes) = (path.to_owned(), probes.to_vec());
        Ok(Self { path, connection, probes, run: 0, pending: 0 })
    }

    /// Begins a run. The last one with the same `arguments`, a hash of all that makes a run
    /// what it is, is continued if it was not finished.
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

    /// What is known of the link that `key` stands for. It is fresh if its time is not over,
    /// and if it is no older than `max_age` seconds.
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

    /// Keeps an answer in the place of what was known of the link before. It is on the disk
    /// after the next [`Store::flush`], or after some more rows.
    ///
    /// # Errors
    /// When the file cannot be written. What was not flushed is not kept then.
    pub fn record(&mut self, key: &Key, record: &Record<'_>) -> Result<(), Error> {
        self.write(|connection, run| insert_result(connection, run, key, record))
    }

    /// Keeps the redirects through which this run followed the link that `key` stands for, and
    /// whether one of them set a cookie. Those that cannot be requested again once their passwords
    /// are hidden are not kept.
    ///
    /// # Errors
    /// When the file cannot be written. What was not flushed is not kept then.
    pub fn record_way(&mut self, key: &Key, hops: &[Hop], sets_cookie: bool) -> Result<(), Error> {
        if !hops.iter().all(row::can_be_kept) {
            return Ok(());
        }
        let text = row::hops_to_text(hops);
        self.write(|connection, run| {
            let mut insert = connection.prepare_cached(
                "INSERT OR REPLACE INTO ways (key, hops, sets_cookie, run) VALUES (?1, ?2, ?3, ?4)",
            )?;
            insert.execute(params![key.bytes(), text, sets_cookie, run])
        })
    }

    /// Returns what [`Store::record_way`] kept in this run.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn way(&self, key: &Key) -> Result<Option<(Vec<Hop>, bool)>, Error> {
        self.find_way(key).map_err(|problem| problem.at(&self.path))
    }

    /// What is known of the host that is called `name`.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn host(&self, name: &str) -> Result<Option<HostState>, Error> {
        self.find_host(name).map_err(|problem| problem.at(&self.path))
    }

    /// Keeps what is known of the host that is called `name`.
    ///
    /// # Errors
    /// When the file cannot be written. What was not flushed is not kept then.
    pub fn record_host(&mut self, name: &str, state: &HostState, now: u64) -> Result<(), Error> {
        self.write(|connection, _| insert_host(connection, name, state, now))
    }

    /// Sees to it that all that was recorded is on the disk.
    ///
    /// # Errors
    /// When the file cannot be written. What was not flushed before is not kept then.
    pub fn flush(&mut self) -> Result<(), Error> {
        if self.pending == 0 {
            return Ok(());
        }
        self.pending = 0;
        let committed = self.connection.execute_batch("COMMIT");
        committed.map_err(|error| self.undo(error))
    }

    /// Ends the run: the next one with the same arguments is another. What nobody asked for in
    /// a long time is forgotten.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish_run(&mut self, now: u64) -> Result<(), Error> {
        self.write(|connection, run| {
            let (now, oldest) =
                (row::stored(now), row::stored(now.saturating_sub(KEPT_SECONDS_MAX)));
            connection.execute("UPDATE runs SET finished = ?1 WHERE id = ?2", [now, run])?;
            connection.execute("DELETE FROM results WHERE asked_at < ?1", [oldest])?;
            connection.execute("DELETE FROM hosts WHERE seen_at < ?1", [oldest])?;
            connection.execute("DELETE FROM ways WHERE run <= ?1", [run])?;
            // The last one stays, so that no number is given twice.
            connection.execute("DELETE FROM runs WHERE started < ?1 AND id <> ?2", [oldest, run])
        })?;
        self.flush()
    }

    /// Makes one change among those that are committed together.
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
        if self.pending >= COMMIT_ROWS_MAX { self.flush() } else { Ok(()) }
    }

    /// After a failure nothing of what was begun stays: a batch is whole or is not there.
    fn undo(&mut self, error: rusqlite::Error) -> Error {
        self.pending = 0;
        if !self.connection.is_autocommit() {
            // After most failures SQLite has undone it by itself. If this fails, too, it is
            // undone when the file is opened the next time.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        Problem::Database(error).at(&self.path)
    }

    /// The number of the run, and when it began if that was earlier.
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

    fn find(&self, key: &Key) -> Result<Option<row::Found>, Problem> {
        let mut select = self.connection.prepare_cached(row::SELECT)?;
        Ok(select.query_row([key.bytes()], row::Found::read).optional()?)
    }

    fn find_way(&self, key: &Key) -> Result<Option<(Vec<Hop>, bool)>, Problem> {
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

fn insert_result(
    connection: &Connection,
    run: i64,
    key: &Key,
    record: &Record<'_>,
) -> rusqlite::Result<usize> {
    let Record { uri, reach, etag, last_modified, asked_at } = *record;
    let hidden = |text: &str| row::hidden(text.as_bytes());
    let mut insert = connection.prepare_cached(row::INSERT)?;
    insert.execute(params![
        key.bytes(),
        Guarded::new(key::without_fragment(&uri)).shown(),
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
        is_dead(reach),
    ])
}

/// Whether the link was found dead; none when nobody asked.
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
