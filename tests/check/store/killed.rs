//! The program is killed at any moment: what was flushed is there, and nothing by halves.
//!
//! The test starts itself again as a child that records rows and says when it has flushed
//! some. The parent kills it when it has heard so many lines, and then a little later.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use linktrawl::internal::finding::{Class, Hop, Reach};
use linktrawl::internal::grammar::split;
use linktrawl::internal::store::{Key, Record, Store};

use super::{NOW, PROBES, Place};

/// The variables that make a child of the test.
const PATH: &str = "LINKTRAWL_TEST_PATH";
const FIRST: &str = "LINKTRAWL_TEST_FIRST";

/// Children that are killed, unless `LINKTRAWL_KILLS` in the environment says otherwise.
const KILLS: u64 = 200;
/// Children that are killed over one file.
const KILLS_PER_FILE: u64 = 8;
/// The most rows between two flushes.
const BATCH_MAX: u64 = 40;
/// Rows of a run, so that a child that is not killed comes to its end.
const ROWS: u64 = 2_000;

fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

/// Reports whether a batch ends with row `row`: at the same rows for every child.
fn is_end_of_batch(row: u64) -> bool {
    row % BATCH_MAX == BATCH_MAX - 1 || mixed(row + 1).is_multiple_of(9)
}

fn uri(row: u64) -> String {
    format!("http://h{}.example/{row}", row % 17)
}

fn reach(row: u64) -> Reach {
    let hop = |number: u64| Hop { status: 301, to: uri(row + number).into_bytes() };
    Reach {
        hops: (0..row % 3).map(hop).collect(),
        hint: row.is_multiple_of(5).then(|| uri(row + 9)),
        message: format!("row {row} ").repeat((mixed(row) % 40) as usize),
        ..Reach::new(Class::Missing, "http", "").with_status(404)
    }
}

fn write(store: &mut Store, row: u64) {
    let text = uri(row);
    let (uri, reach) = (split(text.as_bytes()), reach(row));
    let etag = Some(text.as_bytes());
    let record = Record { uri, reach: &reach, etag, last_modified: None, asked_at: NOW + row };
    store.record(&Key::of(&uri, "head"), &record).unwrap();
}

/// Reports whether the store has the row, and checks that it is whole.
fn is_there(store: &Store, row: u64) -> bool {
    let text = uri(row);
    let key = Key::of(&split(text.as_bytes()), "head");
    let Some(stored) = store.lookup(&key, NOW + row, None).unwrap() else { return false };
    assert_eq!(stored.reach, reach(row), "row {row} is there by halves");
    assert_eq!(stored.etag.as_deref(), Some(text.as_bytes()));
    assert!(stored.is_of_this_run, "row {row} is of another run");
    true
}

/// Records rows from the first that is missing, where it is asked to.
#[test]
fn a_process_that_is_killed() {
    let Some(path) = std::env::var_os(PATH) else { return };
    let first: u64 = std::env::var(FIRST).unwrap().parse().unwrap();
    let say = |line: &str| {
        // The runner of tests writes to the same line.
        println!("\n{line}");
        std::io::stdout().flush().unwrap();
    };
    say("begun");
    let mut store = Store::open(Path::new(&path), &PROBES).unwrap();
    say("opened");
    store.begin_run(b"arguments", NOW).unwrap();
    say("run");
    for row in first..ROWS {
        write(&mut store, row);
        if is_end_of_batch(row) {
            store.flush().unwrap();
            say(&format!("flushed {row}"));
        }
    }
    store.flush().unwrap();
    say(&format!("flushed {}", ROWS - 1));
}

/// Starts a child, kills it, and says how many rows it had said to be flushed.
fn kill_one(path: &Path, first: u64, chance: u64) -> u64 {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "store::killed::a_process_that_is_killed", "--nocapture"])
        .env(PATH, path)
        .env(FIRST, first.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut flushed = first;
    let mut hear = |line: &str| {
        if let Some(row) = line.strip_prefix("flushed ") {
            flushed = row.parse::<u64>().unwrap() + 1;
        }
        ["begun", "opened", "run"].contains(&line) || line.starts_with("flushed ")
    };
    // Some are killed before they open the file.
    let mut wanted = chance % 20;
    while wanted > 0 {
        let Some(line) = lines.next() else { break };
        wanted -= u64::from(hear(&line.unwrap()));
    }
    (0..chance / 20 % 60_000).for_each(|turn| _ = std::hint::black_box(turn));
    child.kill().unwrap();
    child.wait().unwrap();
    // The lines that it had written before, and that were not read yet.
    lines.map_while(Result::ok).for_each(|line| _ = hear(&line));
    flushed
}

#[test]
fn after_every_kill_all_that_was_flushed_is_there_and_nothing_by_halves() {
    let mut place = Place::new();
    let (mut first, mut got_on) = (0, 0);
    let asked = std::env::var("LINKTRAWL_KILLS").ok();
    let kills = asked.map_or(KILLS, |text| text.parse().unwrap());
    for kill in 0..kills {
        if kill.is_multiple_of(KILLS_PER_FILE) {
            place = Place::new();
            first = 0;
        }
        let flushed = kill_one(&place.file(), first, mixed(kill + 1));
        let mut store = place.open();
        let run = store.begin_run(b"arguments", NOW).unwrap();
        assert_eq!(run.number, 1, "kill {kill}");
        assert!(run.is_continued || flushed == 0, "kill {kill}");
        let there = (0..ROWS).take_while(|row| is_there(&store, *row)).count() as u64;
        assert!(there >= flushed, "kill {kill}: {there} rows of {flushed} that were flushed");
        let is_whole = there == 0 || there == ROWS || is_end_of_batch(there - 1);
        assert!(is_whole, "kill {kill}: {there} rows are half a batch");
        let after = (there..ROWS).find(|row| is_there(&store, *row));
        assert_eq!(after, None, "kill {kill}: rows are missing before it");
        got_on += u64::from(there > first);
        first = there;
    }
    assert!(got_on > kills / 2, "{got_on} children got on at all");
}
