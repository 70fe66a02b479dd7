//! Opens the state file: checks that it is ours and can be written, and creates its tables.
//!
//! The first bytes of a file show whether it is ours (SQLite's database file format, section 1.3).
//! They are checked before SQLite opens it, which might write to it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, MAIN_DB, OpenFlags};

use super::problem::{Foreign, Problem};
use crate::platform;

/// Our application ID at offset 68 of the file, "lktl". SQLite recommends one, so that `file` and
/// others can identify the application of a database.
const APPLICATION_ID: i64 = 0x6C6B_746C;
/// The version of the tables. Each change of them gets the next number, and a step that upgrades
/// the older tables.
const VERSION: i64 = 1;

const SCHEMA: &str = "
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        arguments BLOB NOT NULL,
        started INTEGER NOT NULL,
        finished INTEGER
    );
    CREATE TABLE results (
        key BLOB PRIMARY KEY,
        uri BLOB NOT NULL,
        class TEXT NOT NULL,
        probe TEXT NOT NULL,
        status INTEGER,
        message TEXT NOT NULL,
        hops TEXT NOT NULL,
        hint TEXT,
        etag BLOB,
        last_modified BLOB,
        asked_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        run INTEGER NOT NULL,
        dead_runs INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE hosts (
        name TEXT PRIMARY KEY,
        next_at INTEGER NOT NULL,
        gap INTEGER NOT NULL,
        failures INTEGER NOT NULL,
        robots_status INTEGER,
        robots BLOB,
        robots_at INTEGER,
        seen_at INTEGER NOT NULL
    ) WITHOUT ROWID;";

/// Tables that files of the same version may lack and that older programs ignore: the contents of
/// pages, the redirects that an interrupted run had followed, and the times at which dead runs were
/// counted.
const ADDED: &str = "
    CREATE TABLE IF NOT EXISTS contents (
        key BLOB PRIMARY KEY,
        digest BLOB NOT NULL,
        sketch INTEGER NOT NULL,
        read_at INTEGER NOT NULL,
        changed_since INTEGER
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS counted (
        key BLOB PRIMARY KEY,
        at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS ways (
        key BLOB PRIMARY KEY,
        hops TEXT NOT NULL,
        sets_cookie INTEGER NOT NULL,
        run INTEGER NOT NULL
    ) WITHOUT ROWID;";

const MAGIC: &[u8] = b"SQLite format 3\0";
/// The first bytes of a valid rollback journal (section 3 of the file format).
const JOURNAL_MAGIC: &[u8] = &[0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

pub(super) fn open(path: &Path) -> Result<Connection, Problem> {
    // SQLite interprets names like `:memory:` and `file:a` in its own way.
    let path = &Path::new(".").join(path);
    create_if_absent(path)?;
    judge_beginning(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    if connection.is_readonly(MAIN_DB)? {
        return Err(Problem::ReadOnly);
    }
    // The lock is held until the file is closed or the process ends, however it ends.
    connection.busy_timeout(Duration::ZERO)?;
    connection.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")?;
    if judge(&connection)? == Content::Nothing {
        connection.execute_batch(SCHEMA)?;
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        connection.pragma_update(None, "user_version", VERSION)?;
    }
    connection.execute_batch(ADDED)?;
    connection.execute_batch("COMMIT")?;
    use_log(&connection)?;
    Ok(connection)
}

/// Opens a state file only to read it. A run that uses it meanwhile is a failure.
pub(super) fn open_to_read(path: &Path) -> Result<Connection, Problem> {
    let path = &Path::new(".").join(path);
    judge_beginning(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::ZERO)?;
    match judge(&connection)? {
        Content::Ours => Ok(connection),
        Content::Nothing => Err(Problem::Foreign(Foreign::NoDatabase)),
    }
}

/// Reports whether a file that begins with `beginning` is a database.
#[must_use]
pub(super) fn is_database(beginning: &[u8]) -> bool {
    beginning.starts_with(MAGIC)
}

fn use_log(connection: &Connection) -> Result<(), Problem> {
    let set = "PRAGMA journal_mode = WAL";
    let mode: String = connection.query_row(set, [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(Problem::NoLog);
    }
    // Each commit waits for the disk, so that it survives a crash of the machine, too.
    connection.execute_batch("PRAGMA synchronous = FULL")?;
    Ok(())
}

/// Creates the file for its owner alone; SQLite would make it readable for everyone.
fn create_if_absent(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    platform::make_private(&mut options);
    match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made.map(drop),
    }
}

fn judge_beginning(path: &Path) -> Result<(), Problem> {
    if !fs::metadata(path)?.is_file() {
        return Err(Problem::Foreign(Foreign::NoFile));
    }
    let beginning = beginning_of(path)?;
    if beginning.is_empty() {
        return Ok(());
    }
    // A file with a journal beside it is in the middle of a change, which SQLite undoes on opening:
    // a stranger's journal beside another program's file would make SQLite write to that file.
    let has_journal = || {
        beginning_of(&beside(path, "-journal")).is_ok_and(|bytes| bytes.starts_with(JOURNAL_MAGIC))
    };
    // SQLite writes the first page last.
    if beginning.iter().all(|&byte| byte == 0) && has_journal() {
        return Ok(());
    }
    if !beginning.starts_with(MAGIC) {
        return Err(Problem::Foreign(Foreign::NoDatabase));
    }
    match number_at(&beginning, 68) {
        Some(APPLICATION_ID) => Ok(()),
        // A database without an ID is examined. Ours has an ID before it has a log.
        Some(0) if !has_journal() && beginning_of(&beside(path, "-wal")).is_err() => Ok(()),
        Some(id) => Err(Problem::Foreign(Foreign::Application(id))),
        None => Err(Problem::Foreign(Foreign::NoDatabase)),
    }
}

fn beginning_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut beginning = Vec::with_capacity(100);
    File::open(path)?.take(100).read_to_end(&mut beginning)?;
    Ok(beginning)
}

fn number_at(bytes: &[u8], at: usize) -> Option<i64> {
    let number = bytes.get(at..at + 4)?.try_into().ok()?;
    Some(i64::from(u32::from_be_bytes(number)))
}

/// Returns the path of the file that SQLite keeps beside `path`.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[derive(PartialEq, Eq)]
enum Content {
    /// Our tables.
    Ours,
    /// No table at all.
    Nothing,
}

fn judge(connection: &Connection) -> Result<Content, Problem> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (id, version) = (number("application_id")?, number("user_version")?);
    let tables = "SELECT count(*) FROM sqlite_schema";
    let tables: i64 = connection.query_row(tables, [], |row| row.get(0))?;
    match (id, version) {
        (APPLICATION_ID, VERSION) => Ok(Content::Ours),
        (APPLICATION_ID, found) => Err(Problem::Newer { found, known: VERSION }),
        (0, 0) if tables == 0 => Ok(Content::Nothing),
        (id, _) => Err(Problem::Foreign(Foreign::Application(id))),
    }
}
