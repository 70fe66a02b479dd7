//! Tests files that may be in the place of the state, and what may happen to it.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use linktrawl::internal::grammar::split;
use linktrawl::internal::store::{Key, Record, Store};
use rusqlite::Connection;

use super::{NOW, PROBES, Place, alive, find, record};

/// Why the file cannot be opened.
#[track_caller]
fn refusal(path: &Path) -> String {
    match Store::open(path, &PROBES) {
        Ok(_) => panic!("the file is opened"),
        Err(error) => error.to_string(),
    }
}

#[track_caller]
fn refused(path: &Path, why: &str) {
    let refusal = refusal(path);
    assert!(refusal.contains(why), "{refusal:?} does not say {why:?}");
    assert!(refusal.contains(&path.display().to_string()), "{refusal:?} does not name the file");
}

#[test]
fn a_file_of_others_is_refused_and_left_as_it_is() {
    let place = Place::new();
    let path = place.file();
    let text = "From nobody\n".repeat(100);
    for content in [&b"a"[..], b"SQLite format 3", text.as_bytes(), &[0; 4_096]] {
        fs::write(&path, content).unwrap();
        refused(&path, "expected a state file of linktrawl, found something that is no database");
        assert_eq!(fs::read(&path).unwrap(), content);
    }
    fs::remove_file(&path).unwrap();
    for (setting, found) in [
        ("PRAGMA application_id = 0x0f055112", "found a database of application 0x0f055112"),
        ("PRAGMA user_version = 7", "found a database of another application"),
        ("SELECT 1", "found a database of another application"),
    ] {
        let other = Connection::open(&path).unwrap();
        other.execute_batch("CREATE TABLE results (key, uri)").unwrap();
        other.execute_batch(setting).unwrap();
        other.close().unwrap();
        let content = fs::read(&path).unwrap();
        refused(&path, found);
        assert_eq!(fs::read(&path).unwrap(), content);
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_database_that_another_program_has_open_is_told_by_its_beginning() {
    let place = Place::new();
    let other = Connection::open(place.file()).unwrap();
    let setting = "PRAGMA application_id = 7; PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE a (b)";
    other.execute_batch(setting).unwrap();
    refused(&place.file(), "found a database of application 0x00000007");
}

#[test]
fn a_file_that_was_not_made_to_its_end_is_made_again() {
    let (unfinished, place) = (Place::new(), Place::new());
    let maker = Connection::open(unfinished.file()).unwrap();
    // A transaction that does not fit into memory is in the file before it is committed, and the
    // journal has the data to undo it.
    maker.execute_batch("PRAGMA cache_size = 1; BEGIN; CREATE TABLE a (b)").unwrap();
    for _ in 0..200 {
        maker.execute_batch("INSERT INTO a VALUES (randomblob(1000))").unwrap();
    }
    let journal = |place: &Place| place.file().with_extension("db-journal");
    fs::copy(unfinished.file(), place.file()).unwrap();
    fs::copy(journal(&unfinished), journal(&place)).unwrap();
    assert!(!fs::read(place.file()).unwrap().is_empty());
    place.open().begin_run(b"", NOW).unwrap();
    assert!(!journal(&place).exists());
}

#[test]
fn a_journal_beside_a_file_of_others_changes_nothing_in_it() {
    let (unfinished, place) = (Place::new(), Place::new());
    let journal = |place: &Place| place.file().with_extension("db-journal");
    let maker = Connection::open(unfinished.file()).unwrap();
    maker.execute_batch("CREATE TABLE mine (b); INSERT INTO mine VALUES (1)").unwrap();
    maker.execute_batch("PRAGMA cache_size = 1; BEGIN").unwrap();
    for _ in 0..200 {
        maker.execute_batch("INSERT INTO mine VALUES (randomblob(1000))").unwrap();
    }
    let database = fs::read(unfinished.file()).unwrap();
    for text in [b"PK\x03\x04 all of my work\n".as_slice(), &database] {
        fs::write(place.file(), text).unwrap();
        fs::copy(journal(&unfinished), journal(&place)).unwrap();
        refused(&place.file(), "expected a state file of linktrawl, found");
        assert!(fs::read(place.file()).unwrap() == text);
    }
}

#[test]
fn what_others_keep_beside_the_file_is_neither_deleted_nor_replaced() {
    let note = b"From nobody, all of my work".as_slice();
    for (ending, text) in [
        ("-journal", note),
        ("-journal", &[0; 600]),
        ("-journal", &[0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7, 0]),
        ("-wal", note),
        ("-wal", &[0; 600]),
    ] {
        for has_state in [false, true] {
            let place = Place::new();
            if has_state {
                drop(place.open());
            }
            let beside = place.file().with_extension(format!("db{ending}"));
            fs::write(&beside, text).unwrap();
            if has_state && text.iter().all(|&byte| byte == 0) {
                // A power failure may leave that of ours.
                drop(place.open());
                continue;
            }
            refused(&place.file(), &format!("with {ending} after its name"));
            assert_eq!(fs::read(&beside).unwrap(), text);
        }
    }
    // Nor by a link to them.
    let (place, other) = (Place::new(), Place::new());
    fs::write(place.file(), "").unwrap();
    fs::write(place.file().with_extension("db-journal"), note).unwrap();
    std::os::unix::fs::symlink(place.file(), other.file()).unwrap();
    refused(&other.file(), "with -journal after its name");
}

/// Why the file that a found configuration file names in `top` cannot be opened.
fn refusal_below(top: &Path, path: &Path) -> Option<String> {
    Store::open_below(top, path, &PROBES).err().map(|error| error.to_string())
}

#[test]
fn a_file_of_options_that_nobody_named_gets_no_file_of_others_written_to() {
    use std::os::unix::fs::symlink;
    let (place, outside) = (Place::new(), Place::new());
    let (top, path) = (place.0.path(), place.file());
    assert_eq!(refusal_below(top, &path), None);
    assert_eq!(refusal_below(top, &path), None, "it is ours");
    let linked = "found a link, or a file with several names";
    let refused = |path: &Path, why: &str| {
        let refusal = refusal_below(top, path).expect("a refusal");
        assert!(refusal.contains(why), "{refusal:?} does not say {why:?}");
    };
    // Our own file under a second name, here or elsewhere.
    let other = outside.file();
    fs::hard_link(&path, &other).unwrap();
    refused(&path, linked);
    fs::remove_file(&path).unwrap();
    symlink(&other, &path).unwrap();
    refused(&path, linked);
    fs::remove_file(&path).unwrap();
    // A link to nothing would make the file where it leads.
    symlink(outside.0.path().join("new"), &path).unwrap();
    refused(&path, linked);
    assert!(!outside.0.path().join("new").exists());
    fs::remove_file(&path).unwrap();
    // A directory that is a link, and a path that leads out.
    symlink(outside.0.path(), top.join("inner")).unwrap();
    refused(&top.join("inner/state.db"), linked);
    refused(&top.join("../state.db"), linked);
    // An empty file with two names belongs to another program, and so does an empty database.
    fs::write(outside.0.path().join("empty"), "").unwrap();
    fs::hard_link(outside.0.path().join("empty"), &path).unwrap();
    refused(&path, linked);
    assert_eq!(fs::read(&path).unwrap(), b"");
    fs::remove_file(&path).unwrap();
    let maker = Connection::open(&path).unwrap();
    maker.execute_batch("CREATE TABLE a (b); DROP TABLE a").unwrap();
    maker.close().unwrap();
    let text = fs::read(&path).unwrap();
    refused(&path, "found a database of another application");
    assert!(fs::read(&path).unwrap() == text);
    fs::remove_file(&path).unwrap();
    // A second name of what SQLite keeps beside it.
    let log = path.with_extension("db-wal");
    fs::write(&log, "").unwrap();
    fs::hard_link(&log, outside.0.path().join("log")).unwrap();
    refused(&path, linked);
    fs::remove_file(&log).unwrap();
    fs::remove_file(&path).unwrap();
    // A pipe is not waited for.
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    refused(&path, "found no regular file");
    fs::remove_file(&path).unwrap();
    assert_eq!(refusal_below(top, &path), None);
}

#[test]
fn a_file_of_a_later_version_is_refused() {
    let place = Place::new();
    drop(place.open());
    let later = Connection::open(place.file()).unwrap();
    later.execute_batch("PRAGMA user_version = 2").unwrap();
    later.close().unwrap();
    refused(&place.file(), "expected version 1 of the state file, found 2");
}

#[test]
fn an_empty_file_is_used_and_so_is_an_empty_database() {
    let place = Place::new();
    fs::write(place.file(), b"").unwrap();
    place.open().begin_run(b"", NOW).unwrap();
    fs::remove_file(place.file()).unwrap();
    let other = Connection::open(place.file()).unwrap();
    other.execute_batch("CREATE TABLE a (b); DROP TABLE a").unwrap();
    other.close().unwrap();
    place.open().begin_run(b"", NOW).unwrap();
}

#[test]
fn what_is_no_file_and_what_cannot_be_made_is_refused() {
    let place = Place::new();
    refused(place.0.path(), "found no regular file");
    refused(&place.0.path().join("nowhere/state.db"), "");
    fs::write(place.file(), b"").unwrap();
    refused(&place.file().join("state.db"), "");
    // Nobody can make a file there, root not excepted.
    #[cfg(target_os = "linux")]
    refused(Path::new("/proc/self/state.db"), "");
}

#[cfg(unix)]
#[test]
fn only_its_owner_reads_the_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    let mut store = place.open();
    record(&mut store, "http://a.example/", &alive(), NOW);
    store.flush().unwrap();
    let mut count = 0;
    for entry in fs::read_dir(place.0.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{:?}", entry.file_name());
        count += 1;
    }
    assert_eq!(count, 2, "the file and its log");
}

/// Opens, reads and writes a file; anything may fail, and nothing panics.
fn use_file(path: &Path) -> Result<(), String> {
    let mut store = Store::open(path, &PROBES).map_err(|error| error.to_string())?;
    store.begin_run(b"", NOW).map_err(|error| error.to_string())?;
    for number in 0..300 {
        let uri = format!("http://a.example/{number}");
        let found = store.lookup(&super::key(&uri), NOW, None);
        found.map_err(|error| error.to_string())?;
        let uri = split(uri.as_bytes());
        let (etag, last_modified) = (None, None);
        let reach = &alive();
        let record = Record { uri, reach, etag, last_modified, asked_at: NOW };
        let key = Key::of(&uri, "head");
        store.record(&key, &record).map_err(|error| error.to_string())?;
    }
    store.finish_run(NOW).map_err(|error| error.to_string())
}

#[test]
fn a_damaged_file_is_an_error_and_no_panic() {
    let place = Place::new();
    use_file(&place.file()).unwrap();
    let whole = fs::read(place.file()).unwrap();
    assert!(whole.len() > 8 * 4_096, "{} bytes are too few to be damaged", whole.len());
    let mut refused = Vec::new();
    for number in 0..120 {
        // Each time another stretch is overwritten, or the end is cut off.
        let mut damaged = whole.clone();
        let at = number * whole.len() / 120;
        if number % 3 == 0 {
            damaged.truncate(at.max(1));
        } else {
            let end = (at + 600).min(whole.len());
            damaged[at..end].fill([0, 0xff, 0x5a][number % 3]);
        }
        fs::write(place.file(), &damaged).unwrap();
        let _ = fs::remove_file(place.file().with_extension("db-wal"));
        refused.extend(use_file(&place.file()).err());
    }
    let told = refused.iter().filter(|why| why.contains("the file is damaged")).count();
    assert!(told > 40, "{told} of {}: {refused:?}", refused.len());
    assert!(refused.iter().all(|why| why.contains("cannot keep state in ")));
}

#[test]
fn values_that_nobody_wrote_count_as_none() {
    let place = Place::new();
    let changes = [
        "class = 'splendid'",
        "hops = '[{]'",
        "hops = '[{\"status\":301}]'",
        "hops = '[{\"status\":301,\"to_bytes\":\"*\"}]'",
        "probe = ''",
    ];
    for change in changes {
        let mut store = place.open();
        record(&mut store, "http://a.example/", &alive(), NOW);
        store.flush().unwrap();
        assert!(find(&store, "http://a.example/", NOW).is_some());
        drop(store);
        let other = Connection::open(place.file()).unwrap();
        other.execute_batch(&format!("UPDATE results SET {change}")).unwrap();
        other.close().unwrap();
        assert_eq!(find(&place.open(), "http://a.example/", NOW), None, "{change}");
    }
}

/// The variable that makes the tests below what the name says.
const HOLDER: &str = "LINKTRAWL_TEST_HOLDS";

/// Holds a file open until its standard input ends, where it is asked to.
#[test]
fn a_process_that_holds_the_file() {
    let Some(path) = std::env::var_os(HOLDER) else { return };
    let _store = Store::open(Path::new(&path), &PROBES).unwrap();
    println!("\nheld");
    std::io::stdout().flush().unwrap();
    let _ = std::io::stdin().lines().next();
}

#[test]
fn a_file_that_another_run_uses_is_refused_until_it_is_done() {
    let place = Place::new();
    drop(place.open());
    let mut holder = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "store::files::a_process_that_holds_the_file", "--nocapture"])
        .env(HOLDER, place.file())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(holder.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "held"));
    refused(&place.file(), "another run is using it");
    drop(holder.stdin.take());
    assert!(holder.wait().unwrap().success());
    drop(place.open());
}

#[test]
fn names_that_sqlite_takes_for_something_else_are_files() {
    let place = Place::new();
    for name in [":memory:", "file:a?mode=memory"] {
        let held = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "store::files::a_process_that_holds_the_file"])
            .env(HOLDER, name)
            .current_dir(place.0.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(held.status.success(), "{held:?}");
        assert!(fs::metadata(place.0.path().join(name)).unwrap().len() > 0);
    }
}

const FILLER: &str = "LINKTRAWL_TEST_FILLS";

/// Writes until nothing goes any more, where it is asked to.
#[test]
fn a_process_that_fills_its_disk() {
    let Some(path) = std::env::var_os(FILLER) else { return };
    let mut store = Store::open(Path::new(&path), &PROBES).unwrap();
    let mut failures = 0;
    for number in 0..100_000 {
        let text = format!("http://a.example/{number}");
        let uri = split(text.as_bytes());
        let (reach, etag, last_modified) = (&alive(), None, None);
        let record = Record { uri, reach, etag, last_modified, asked_at: NOW };
        let recorded = store.record(&Key::of(&uri, "head"), &record);
        match recorded.and_then(|()| store.flush()) {
            Ok(()) => println!("\nflushed {number}"),
            Err(error) => {
                println!("\nfailed: {error}");
                failures += 1;
                if failures == 3 {
                    return;
                }
            }
        }
    }
}

#[test]
fn rows_that_are_kept_are_there_although_nothing_was_flushed() {
    let place = Place::new();
    let mut store = place.open();
    record(&mut store, "http://a.example/kept", &alive(), NOW);
    store.keep().unwrap();
    record(&mut store, "http://a.example/lost", &alive(), NOW);
    // A program that is killed runs no destructor.
    std::mem::forget(store);
    let copy = Place::new();
    for end in ["", "-wal"] {
        let name = |place: &Place| format!("{}{end}", place.file().display());
        fs::copy(name(&place), name(&copy)).unwrap();
    }
    let store = copy.open();
    assert!(find(&store, "http://a.example/kept", NOW).is_some());
    assert!(find(&store, "http://a.example/lost", NOW).is_none());
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_an_error_and_loses_nothing_that_was_flushed() {
    let place = Place::new();
    drop(place.open());
    // Files of at most 128 blocks of 512 or 1024 bytes; the signal would end the process.
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 128; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "store::files::a_process_that_fills_its_disk", "--nocapture"])
        .env(FILLER, place.file())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    // Each time for the same reason: a transaction that was begun does not block the next one.
    let failures: Vec<_> = text.lines().filter(|line| line.starts_with("failed: ")).collect();
    assert_eq!(failures.len(), 3, "{text}");
    assert!(failures.iter().all(|failure| *failure == failures[0]), "{failures:?}");
    assert!(failures[0].contains("cannot keep state in "), "{failures:?}");
    let flushed = text.lines().filter_map(|line| line.strip_prefix("flushed "));
    let count = flushed.map(|number| number.parse::<u32>().unwrap()).max().unwrap() + 1;
    let store = place.open();
    let uri = |number| format!("http://a.example/{number}");
    assert!((0..count).all(|number| find(&store, &uri(number), NOW).is_some()));
    // A transaction that was committed when the disk refused it may be there, but none after the
    // last failure.
    assert_eq!(find(&store, &uri(count + 3), NOW), None);
}
