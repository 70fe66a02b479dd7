//! Opens the state file: checks that it is ours and can be written, and creates its tables.
//!
//! The first bytes of a file show whether it is ours (SQLite's database file format, section 1.3).
//! They are checked before SQLite opens it, which might write to it.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, MAIN_DB, OpenFlags};

use super::problem::{Foreign, Problem};
use super::sole::{self, Sole};
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
/// The first bytes of a write-ahead log, but for the last bit, which is its byte order (section 4.1
/// of the file format).
const LOG_MAGIC: &[u8] = &[0x37, 0x7f, 0x06];

/// Opens the state file that the user named.
pub(super) fn open(path: &Path) -> Result<Connection, Problem> {
    // SQLite interprets names like `:memory:` and `file:a` in its own way.
    let path = &Path::new(".").join(path);
    create_if_absent(path)?;
    judge_beside(path, &judge_beginning(path)?)?;
    begin(Connection::open_with_flags(path, FLAGS)?)
}

/// Opens the state file at `path` below the directory `top` of a configuration that was found: one
/// that this program made, with one name, and through no link.
pub(super) fn open_below(top: &Path, path: &Path) -> Result<Connection, Problem> {
    let path = &sole::path_below(top, path)?;
    create_if_absent(path)?;
    open_sole(path, &Sole::at(path)?)
}

/// Opens the file at `path` if it is `seen`, and no other one since.
fn open_sole(path: &Path, seen: &Sole) -> Result<Connection, Problem> {
    let beginning = judge_beginning(path)?;
    if beginning == Beginning::Unclaimed {
        return Err(Problem::Foreign(Foreign::Application(0)));
    }
    judge_beside(path, &beginning)?;
    judge_names_beside(path)?;
    let connection = Connection::open_with_flags(path, FLAGS | OpenFlags::SQLITE_OPEN_NOFOLLOW)?;
    // Nothing is written before the first statement. The file must not be opened and closed here:
    // that would release the locks of SQLite (its documentation, "How To Corrupt", section 2.2).
    seen.check_open(path)?;
    begin(connection)
}

const FLAGS: OpenFlags = OpenFlags::SQLITE_OPEN_READ_WRITE.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// Takes the database for this run, and creates its tables.
fn begin(connection: Connection) -> Result<Connection, Problem> {
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
    // A commit outlasts the program, and does not wait for the disk; a flush does.
    connection.execute_batch("PRAGMA synchronous = NORMAL")?;
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

/// The file as its first bytes show it.
#[derive(PartialEq, Eq)]
enum Beginning {
    /// It is empty, or was not made to its end.
    Nothing,
    /// It has our application ID.
    Ours,
    /// A database without an application ID, which has to be examined.
    Unclaimed,
}

fn judge_beginning(path: &Path) -> Result<Beginning, Problem> {
    if !fs::metadata(path)?.is_file() {
        return Err(Problem::Foreign(Foreign::NoFile));
    }
    let beginning = beginning_of(path)?;
    if beginning.is_empty() {
        return Ok(Beginning::Nothing);
    }
    // A file with a journal beside it is in the middle of a change, which SQLite undoes on opening:
    // a stranger's journal beside another program's file would make SQLite write to that file.
    let has_journal = || {
        beginning_of(&beside(path, "-journal")).is_ok_and(|bytes| bytes.starts_with(JOURNAL_MAGIC))
    };
    // SQLite writes the first page last.
    if beginning.iter().all(|&byte| byte == 0) && has_journal() {
        return Ok(Beginning::Nothing);
    }
    if !beginning.starts_with(MAGIC) {
        return Err(Problem::Foreign(Foreign::NoDatabase));
    }
    match number_at(&beginning, 68) {
        Some(APPLICATION_ID) => Ok(Beginning::Ours),
        // Ours has an ID before it has a log.
        Some(0) if !has_journal() && beginning_of(&beside(path, "-wal")).is_err() => {
            Ok(Beginning::Unclaimed)
        }
        Some(id) => Err(Problem::Foreign(Foreign::Application(id))),
        None => Err(Problem::Foreign(Foreign::NoDatabase)),
    }
}

/// Reports whether `beginning` is that of a rollback journal (SQLite file format, section 3).
fn is_journal(beginning: &[u8]) -> bool {
    // The mark stays zero until the journal is synced; the sizes do not.
    let is_marked = beginning.starts_with(JOURNAL_MAGIC) || beginning.starts_with(&[0; 12]);
    is_marked && [20, 24].iter().all(|&at| number_at(beginning, at).is_some_and(is_size))
}

/// Reports whether `beginning` is that of a write-ahead log.
fn is_log(beginning: &[u8]) -> bool {
    beginning.starts_with(LOG_MAGIC)
}

/// Refuses files that SQLite would replace or delete although it did not make them: it takes those
/// with these names for its own, and deletes a journal beside an empty file.
fn judge_beside(path: &Path, main: &Beginning) -> Result<(), Problem> {
    // SQLite follows a link, and finds these files beside its target.
    let path = &platform::canonicalize(path)?;
    judge_companion(path, "-journal", main, is_journal)?;
    judge_companion(path, "-wal", main, is_log)
}

/// Refuses the file whose name is that of `path` and `ending`, unless it is of this kind.
fn judge_companion(
    path: &Path,
    ending: &'static str,
    main: &Beginning,
    is_kind: fn(&[u8]) -> bool,
) -> Result<(), Problem> {
    let path = beside(path, ending);
    let Some(found) = metadata(&path)? else { return Ok(()) };
    let is_ours = found.is_file() && {
        let beginning = beginning_of(&path)?;
        // A file may have a length and no content after a power failure.
        let is_blank = *main == Beginning::Ours && beginning.iter().all(|&byte| byte == 0);
        beginning.is_empty() || is_kind(&beginning) || is_blank
    };
    if is_ours { Ok(()) } else { Err(Problem::Foreign(Foreign::Beside(ending))) }
}

/// Refuses files beside `path` that have further names.
fn judge_names_beside(path: &Path) -> Result<(), Problem> {
    for ending in ["-journal", "-wal"] {
        let path = beside(path, ending);
        if metadata(&path)?.is_some() {
            Sole::at(&path)?;
        }
    }
    Ok(())
}

/// Returns the metadata of the file at `path`, or of a link there; `None` if there is none.
fn metadata(path: &Path) -> io::Result<Option<fs::Metadata>> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

/// Reports whether a sector or a page may have this many bytes (sections 1.3.2 and 3).
const fn is_size(bytes: i64) -> bool {
    bytes >= 512 && bytes <= 65_536 && bytes & (bytes - 1) == 0
}

fn beginning_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut beginning = Vec::with_capacity(100);
    platform::open(path)?.take(100).read_to_end(&mut beginning)?;
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Foreign, Problem, Sole, create_if_absent, open_sole};

    #[test]
    fn a_file_that_takes_the_place_of_the_one_that_was_checked_is_not_written_to() {
        let home = tempfile::tempdir().unwrap();
        let [path, other] = ["a.db", "other"].map(|name| home.path().join(name));
        create_if_absent(&path).unwrap();
        let seen = Sole::at(&path).unwrap();
        fs::write(&other, "").unwrap();
        fs::rename(&other, &path).unwrap();
        let refused = open_sole(&path, &seen);
        assert!(matches!(refused, Err(Problem::Foreign(Foreign::Changed))), "{refused:?}");
        assert_eq!(fs::read(&path).unwrap(), b"");
        open_sole(&path, &Sole::at(&path).unwrap()).unwrap();
    }
}
