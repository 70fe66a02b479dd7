//! The file of runs: what is kept, for how long, and what the file survives.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test says what must hold by panicking"
)]

use std::path::PathBuf;

use linktrawl::internal::finding::{CLASSES, Class, Content, Hop, Reach, Verdict};
use linktrawl::internal::grammar::split;
use linktrawl::internal::store::{HostState, Key, Record, Robots, Run, Store, Stored, lifetime};

mod files;
mod killed;

const PROBES: [&str; 2] = ["http", "ftp"];
const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;
/// When these tests take place.
const NOW: u64 = 1_700_000_000;

/// A place for one file, gone with the test.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("no directory for a test"))
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("state.db")
    }

    fn open(&self) -> Store {
        Store::open(&self.file(), &PROBES).expect("the file cannot be opened")
    }
}

fn key(text: &str) -> Key {
    Key::of(&split(text.as_bytes()), "head")
}

fn record(store: &mut Store, text: &str, reach: &Reach, asked_at: u64) {
    let uri = split(text.as_bytes());
    let record = Record { uri, reach, etag: None, last_modified: None, asked_at };
    store.record(&key(text), &record).expect("cannot record");
}

fn find(store: &Store, text: &str, now: u64) -> Option<Stored> {
    store.lookup(&key(text), now, None).expect("cannot look up")
}

fn alive() -> Reach {
    Reach::new(Class::Alive, "http", "").with_status(200)
}

fn missing() -> Reach {
    Reach::new(Class::Missing, "http", "expected a page, found none").with_status(404)
}

#[test]
fn what_is_kept_comes_back_as_it_was() {
    let place = Place::new();
    let hop = |status, to: &[u8]| Hop { status, to: to.to_vec() };
    let reach = Reach {
        class: Class::Redirected,
        probe: "http",
        status: Some(301),
        message: "moved \u{1b}[2J \0 for good".to_owned(),
        hops: vec![hop(301, b"http://b.example/?\"\\"), hop(308, b"http://b.example/\xff\n")],
        hint: Some("http://b.example/".to_owned()),
        dead_runs: None,
        content: Some(Box::new(Content {
            digest: u128::MAX - 1,
            sketch: u64::MAX - 2,
            changed_since: None,
        })),
    };
    let uri = split(b"http://a.example/x");
    let (etag, last_modified) = (Some(&b"W/\"\xfe\""[..]), Some(&b"yesterday"[..]));
    let record = Record { uri, reach: &reach, etag, last_modified, asked_at: NOW };
    let mut store = place.open();
    let run = store.begin_run(b"arguments", NOW).unwrap();
    assert_eq!(run, Run { number: 1, is_continued: false, started: NOW });
    store.record(&key("http://a.example/x"), &record).unwrap();
    let expected = Stored {
        reach: reach.clone(),
        etag: etag.map(<[u8]>::to_vec),
        last_modified: last_modified.map(<[u8]>::to_vec),
        asked_at: NOW,
        is_fresh: true,
        is_of_this_run: true,
        dead_runs: 0,
    };
    // Before it is flushed and afterwards, in the open file and in one that is opened anew.
    assert_eq!(find(&store, "http://a.example/x", NOW).as_ref(), Some(&expected));
    store.flush().unwrap();
    assert_eq!(find(&store, "http://a.example/x", NOW).as_ref(), Some(&expected));
    drop(store);
    let mut store = place.open();
    let expected = Stored { is_of_this_run: false, ..expected };
    assert_eq!(find(&store, "http://a.example/x", NOW).as_ref(), Some(&expected));
    assert!(store.begin_run(b"arguments", NOW + 60).unwrap().is_continued);
    assert!(find(&store, "http://a.example/x", NOW).unwrap().is_of_this_run);
    assert_eq!(find(&store, "http://a.example/y", NOW), None);
}

#[test]
fn what_was_not_flushed_is_not_there() {
    let place = Place::new();
    let mut store = place.open();
    store.begin_run(b"", NOW).unwrap();
    record(&mut store, "http://a.example/1", &alive(), NOW);
    store.flush().unwrap();
    record(&mut store, "http://a.example/2", &alive(), NOW);
    drop(store);
    let store = place.open();
    assert!(find(&store, "http://a.example/1", NOW).is_some());
    assert_eq!(find(&store, "http://a.example/2", NOW), None);
}

#[test]
fn a_thousand_rows_are_flushed_without_a_word() {
    let place = Place::new();
    let mut store = place.open();
    let uri = |number| format!("http://a.example/{number}");
    (1..=1_001).for_each(|number| record(&mut store, &uri(number), &alive(), NOW));
    drop(store);
    let store = place.open();
    assert!(find(&store, &uri(1_000), NOW).is_some());
    assert_eq!(find(&store, &uri(1_001), NOW), None);
}

#[test]
fn a_key_knows_what_is_asked_and_not_who_asks() {
    let same = [
        "http://a.example/x?y",
        "http://a.example/x?y#z",
        "http://user@a.example/x?y",
        "http://user:secret@a.example/x?y#",
    ];
    let others = ["http://a.example/x?", "http://a.example/x?z", "ftp://a.example/x?y"];
    assert!(same.iter().all(|text| key(text) == key(same[0])));
    assert!(others.iter().all(|text| key(text) != key(same[0])));
    let uri = split(same[0].as_bytes());
    assert_ne!(Key::of(&uri, "head"), Key::of(&uri, "get"));
    // SHA-256 of "head", a zero byte, and the URI: files outlive versions of the program.
    assert_eq!(format!("{:?}", key(same[0])), "Key(4df859dd669cfbb749dc34fe5b79cdcb)");
}

/// Each class with the hours that it is believed.
const LIFETIMES: &[(&[Class], u64)] = &[
    (&[Class::Alive, Class::Redirected, Class::SoftMissing], 7 * 24),
    (&[Class::Gone, Class::Missing, Class::FragmentMissing], 24),
    (&[Class::Forbidden, Class::Blocked, Class::AuthRequired], 24),
    (&[Class::Unverifiable, Class::PolicyRobots], 24),
    (&[Class::DnsNxdomain], 6),
    (&[Class::TlsExpired, Class::TlsNotYet, Class::TlsName, Class::TlsIssuer], 6),
    (&[Class::TlsSelfSigned, Class::TlsRevoked, Class::TlsLegacy, Class::TlsFailed], 6),
    (&[Class::ServerError, Class::Throttled, Class::DnsFailure, Class::Refused], 1),
    (&[Class::Unreachable, Class::Timeout, Class::ProtocolError], 1),
    (&[Class::WrongCase, Class::OutsideRoot, Class::SideEffect], 0),
    (&[Class::Wrapped, Class::NotAsked], 0),
    (&[Class::PolicyAddress, Class::PolicyPort, Class::PolicyScheme], 0),
    (&[Class::PolicyArgument, Class::PolicyLimit], 0),
];

#[test]
fn an_answer_is_fresh_for_as_long_as_its_class_says_or_a_quarter_less() {
    let place = Place::new();
    let mut store = place.open();
    let mut count = 0;
    for (classes, hours) in LIFETIMES {
        for class in *classes {
            count += 1;
            assert_eq!(lifetime(*class), hours * HOUR, "{class:?}");
            let uri = format!("http://a.example/{class:?}");
            record(&mut store, &uri, &Reach::new(*class, "ftp", ""), NOW);
            let is_fresh = |at: u64| find(&store, &uri, at).unwrap().is_fresh;
            assert_eq!(is_fresh(NOW), *hours > 0, "{class:?}");
            assert!(*hours == 0 || is_fresh(NOW + hours * HOUR * 3 / 4 - 1), "{class:?}");
            assert!(!is_fresh(NOW + hours * HOUR), "{class:?}");
        }
    }
    assert_eq!(count, CLASSES.len());
}

#[test]
fn what_was_asked_together_is_not_asked_again_together() {
    let place = Place::new();
    let mut store = place.open();
    let uri = |number: u32| format!("http://a.example/{number}");
    (0..400).for_each(|number| record(&mut store, &uri(number), &alive(), NOW));
    let fresh_at = |now| {
        let is_fresh = |number: &u32| find(&store, &uri(*number), now).unwrap().is_fresh;
        (0..400).filter(is_fresh).count()
    };
    let halfway = fresh_at(NOW + 7 * DAY * 7 / 8);
    assert!((120..280).contains(&halfway), "{halfway} of 400 are fresh");
}

#[test]
fn an_answer_older_than_somebody_wants_is_not_fresh_nor_one_from_the_future() {
    let place = Place::new();
    let mut store = place.open();
    record(&mut store, "http://a.example/", &alive(), NOW);
    let is_fresh = |now, max_age| {
        store.lookup(&key("http://a.example/"), now, max_age).unwrap().unwrap().is_fresh
    };
    assert!(is_fresh(NOW + 100, Some(100)));
    assert!(!is_fresh(NOW + 101, Some(100)));
    assert!(is_fresh(NOW + 101, None));
    assert!(!is_fresh(NOW - 1, None));
}

#[test]
fn runs_in_a_row_that_find_a_link_dead_are_counted() {
    let place = Place::new();
    let mut store = place.open();
    let uri = "http://a.example/";
    let (forbidden, skipped) =
        (Reach::new(Class::Forbidden, "http", ""), Reach::new(Class::PolicyRobots, "http", ""));
    // For each run the answers that it records, and the count after it.
    let runs: &[(&[&Reach], u32)] = &[
        (&[&missing()], 1),
        (&[&missing(), &missing()], 2),
        (&[], 2),
        (&[&skipped], 2),
        (&[&missing()], 3),
        (&[&forbidden], 0),
        (&[&alive(), &missing()], 1),
        (&[&missing(), &alive()], 0),
    ];
    for (number, (reaches, count)) in runs.iter().enumerate() {
        let now = NOW + number as u64 * DAY;
        store.begin_run(b"arguments", now).unwrap();
        reaches.iter().for_each(|reach| record(&mut store, uri, reach, now));
        let found = find(&store, uri, now).unwrap();
        assert_eq!(found.dead_runs, *count, "run {number}");
        assert_eq!(found.is_of_this_run, !reaches.is_empty(), "run {number}");
        store.finish_run(now).unwrap();
    }
}

#[test]
fn a_dead_run_counts_again_only_after_the_gap() {
    let place = Place::new();
    let mut store = place.open().counting_apart(3 * DAY);
    let uri = "http://a.example/";
    let runs: [(u64, Reach, u32); 9] = [
        (0, missing(), 1),
        (1, missing(), 1),
        (2, missing(), 1),
        (3, missing(), 2),
        (5, missing(), 2),
        (6, alive(), 0),
        (7, missing(), 1),
        (9, missing(), 1),
        (10, missing(), 2),
    ];
    for (day, reach, count) in runs {
        let now = NOW + day * DAY;
        store.begin_run(b"arguments", now).unwrap();
        record(&mut store, uri, &reach, now);
        assert_eq!(find(&store, uri, now).unwrap().dead_runs, count, "day {day}");
        store.finish_run(now).unwrap();
    }
}

#[test]
fn what_counts_as_dead_is_what_is_an_error() {
    let place = Place::new();
    let mut store = place.open();
    store.begin_run(b"", NOW).unwrap();
    for row in CLASSES {
        let uri = format!("http://a.example/{}", row.name);
        record(&mut store, &uri, &Reach::new(row.class, "http", ""), NOW);
        let is_dead = u32::from(row.verdict == Verdict::Error);
        assert_eq!(find(&store, &uri, NOW).unwrap().dead_runs, is_dead, "{}", row.name);
    }
}

#[test]
fn a_run_is_continued_until_it_is_finished_or_a_week_old_or_another_came() {
    let place = Place::new();
    let begin = |arguments: &[u8], now| place.open().begin_run(arguments, now).unwrap();
    let run = |number, is_continued, started| Run { number, is_continued, started };
    assert_eq!(begin(b"a", NOW), run(1, false, NOW));
    assert_eq!(begin(b"a", NOW + 7 * DAY), run(1, true, NOW));
    assert_eq!(begin(b"b", NOW), run(2, false, NOW));
    assert_eq!(begin(b"a", NOW), run(1, true, NOW));
    let late = NOW + 7 * DAY + 1;
    assert_eq!(begin(b"a", late), run(3, false, late));
    assert_eq!(begin(b"a", NOW), run(3, true, late));
    let mut store = place.open();
    store.begin_run(b"a", NOW).unwrap();
    store.finish_run(NOW).unwrap();
    drop(store);
    assert_eq!(begin(b"a", NOW), run(4, false, NOW));
}

#[test]
fn what_nobody_asked_for_in_half_a_year_is_forgotten() {
    let place = Place::new();
    let mut store = place.open();
    let later = NOW + 180 * DAY;
    store.begin_run(b"a", NOW).unwrap();
    record(&mut store, "http://a.example/old", &alive(), NOW);
    store.record_host("old.example", &HostState::default(), NOW).unwrap();
    store.finish_run(NOW).unwrap();
    assert_eq!(store.begin_run(b"a", later + 1).unwrap().number, 2);
    record(&mut store, "http://a.example/new", &alive(), later);
    store.record_host("new.example", &HostState::default(), later).unwrap();
    store.finish_run(later + 1).unwrap();
    assert_eq!(find(&store, "http://a.example/old", NOW), None);
    assert!(find(&store, "http://a.example/new", NOW).is_some());
    assert_eq!(store.host("old.example").unwrap(), None);
    assert!(store.host("new.example").unwrap().is_some());
    assert_eq!(store.begin_run(b"a", later + 2).unwrap().number, 3);
}

#[test]
fn a_host_is_kept_with_its_robots() {
    let place = Place::new();
    let mut store = place.open();
    let text = b"User-agent: *\nDisallow: /\xff\n".to_vec();
    let state = HostState {
        next_at: NOW + 60,
        gap: 2_500,
        failures: 3,
        robots: Some(Robots { status: 200, text, asked_at: NOW }),
    };
    store.record_host("https://a.example:443", &state, NOW).unwrap();
    store.flush().unwrap();
    drop(store);
    let mut store = place.open();
    assert_eq!(store.host("https://a.example:443").unwrap(), Some(state));
    assert_eq!(store.host("https://b.example:443").unwrap(), None);
    store.record_host("https://a.example:443", &HostState::default(), NOW).unwrap();
    assert_eq!(store.host("https://a.example:443").unwrap(), Some(HostState::default()));
}

#[test]
fn no_password_gets_into_the_file() {
    let place = Place::new();
    let mut store = place.open();
    let uri = "ftp://user:geheim1@a.example/x#geheim2";
    let reach = Reach {
        message: "expected a file, found ftp://user:geheim3@b.example/".to_owned(),
        hops: vec![Hop { status: 301, to: b"http://user:geheim4@b.example/".to_vec() }],
        hint: Some("ftp://user:geheim5@a.example/y".to_owned()),
        ..missing()
    };
    record(&mut store, uri, &reach, NOW);
    store.flush().unwrap();
    let stored = find(&store, uri, NOW).unwrap().reach;
    assert_eq!(stored.hops[0].to, b"http://user:***@b.example/");
    let mut bytes = Vec::new();
    for entry in std::fs::read_dir(place.0.path()).unwrap() {
        bytes.extend(std::fs::read(entry.unwrap().path()).unwrap());
    }
    let has = |needle: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
    assert!(has(b"a.example"), "the file was not read");
    assert!(!has(b"geheim"), "a password is in the file");
}

#[test]
fn what_was_recorded_outside_of_a_run_is_of_no_run() {
    let place = Place::new();
    let mut store = place.open();
    record(&mut store, "http://a.example/", &alive(), NOW);
    assert!(!find(&store, "http://a.example/", NOW).unwrap().is_of_this_run);
}

#[test]
fn a_row_of_an_unknown_probe_counts_as_none() {
    let place = Place::new();
    let mut store = place.open();
    record(&mut store, "http://a.example/", &Reach::new(Class::Alive, "gopher", ""), NOW);
    assert_eq!(find(&store, "http://a.example/", NOW), None);
}
