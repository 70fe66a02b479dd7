//! Records of web archives that are longer than they declare, or shorter, by more than a search at
//! their end sees, and records after a damaged member of gzip.

use std::io::Write as _;
use std::process::Stdio;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::support::home;

/// A record whose block is `body`, and whose declared length is longer by `excess`.
fn record(number: usize, body: &str, excess: usize) -> String {
    let len = body.len() + excess;
    format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n\
         Content-Type: text/plain\r\nContent-Length: {len}\r\n\r\n{body}\r\n\r\n"
    )
}

/// A text of more than `len` bytes with a link.
fn text(number: usize, len: usize) -> String {
    format!("http://www.example.org/{number}/\n{}", "no link\n".repeat(len / 8))
}

/// Returns each link of `archive` after the name of its member, and each note.
fn found(archive: &[u8]) -> Vec<String> {
    let mut run = home::linktrawl()
        .args(["scan", "--quiet", "--format=ndjson", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let mut stdin = run.stdin.take().expect("standard input");
    stdin.write_all(archive).expect("the archive is read");
    drop(stdin);
    let output = run.wait_with_output().expect("an end");
    let text = String::from_utf8(output.stdout).expect("records are UTF-8");
    let records = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    records
        .filter_map(|record: Value| match record["type"].as_str()? {
            "finding" => {
                let uri = record["uri"].as_str()?;
                let members = record["place"]["members"].as_array()?;
                let member = members.last().and_then(Value::as_str).unwrap_or_default();
                uri.starts_with("http").then(|| format!("{member} {uri}"))
            }
            "note" => Some(record["kind"].as_str()?.to_owned()),
            _ => None,
        })
        .collect()
}

#[test]
fn a_record_ends_where_the_next_begins_however_long_it_says_it_is() {
    let links = [1, 2, 3].map(|it| format!("record {it} http://www.example.org/{it}/"));
    let [one, two, three] = links.each_ref().map(String::as_str);
    for (len, excess) in [(100, 30_000), (100, 90_000), (70_000, 40_000), (200_000, 150_000)] {
        let (first, second) = (record(1, &text(1, 10), 0), record(2, &text(2, len), excess));
        let archive = [first, second, record(3, &text(3, 200_000), 0)].concat();
        assert_eq!(found(archive.as_bytes()), [one, two, "length-wrong", three], "{len} {excess}");
    }
}

#[test]
fn a_record_that_is_an_archive_is_as_long_as_it_says() {
    let inner = [record(7, &text(7, 40_000), 0), record(8, &text(8, 40_000), 0)].concat();
    let archive = [record(1, &inner, 0), record(2, &text(2, 10), 0)].concat();
    let found = found(archive.as_bytes());
    assert_eq!(found.last().map(String::as_str), Some("record 2 http://www.example.org/2/"));
    assert!(!found.iter().any(|it| it == "length-wrong"), "{found:?}");
}

/// Links of each record of the archives below: enough for several buffers of every reader.
const LINKS: usize = 4_000;

/// The links of the record `number`, each with bytes that cannot be packed.
fn links(number: usize) -> Vec<String> {
    let noise = |at: usize| (at * LINKS + number).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
    (0..LINKS).map(|at| format!("http://www.example.org/{number}/{:x}", noise(at))).collect()
}

/// The record `number` with all of its links.
fn linked(number: usize) -> String {
    record(number, &links(number).join("\n"), 0)
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish()).expect("it compresses")
}

/// The links of the record `number`, as they are found.
fn rows(number: usize) -> Vec<String> {
    links(number).iter().map(|uri| format!("record {number} {uri}")).collect()
}

/// Holds that of `members`, which hold the records of these numbers, all links of the records that
/// are not `broken` are found, each in its own record, and of those at least a beginning: a decoder
/// may make something of the bytes after a fault.
#[track_caller]
fn hold(members: &[(Vec<u8>, &[usize])], broken: &[usize]) {
    let archive: Vec<u8> = members.iter().flat_map(|(bytes, _)| bytes.clone()).collect();
    let found = found(&archive);
    for number in members.iter().flat_map(|(_, numbers)| *numbers) {
        let (name, whole) = (format!("record {number} "), rows(*number));
        let part: Vec<_> = found.iter().filter(|it| it.starts_with(&name)).cloned().collect();
        let same = part.iter().zip(&whole).take_while(|(one, two)| one == two).count();
        let lens = (same, part.len(), whole.len());
        if broken.contains(number) {
            assert!(same > 0 && same < whole.len(), "record {number}: {lens:?}");
        } else {
            assert!(part == whole, "record {number}: {lens:?}");
        }
    }
    let kinds: Vec<_> = found.iter().filter(|it| !it.starts_with("record ")).collect();
    let known = ["archive-broken", "archive-truncated", "length-wrong"];
    assert!(!kinds.is_empty() && kinds.iter().all(|it| known.contains(&it.as_str())), "{kinds:?}");
}

#[test]
fn a_record_after_a_broken_member_is_whole_and_its_own() {
    let (one, two, three) = (gzip(&linked(1)), gzip(&linked(2)), gzip(&linked(3)));
    let members = |two: Vec<u8>| [(one.clone(), &[1][..]), (two, &[2]), (three.clone(), &[3])];
    for cut in [1_000, two.len() / 2, two.len() - 1_000] {
        hold(&members(two[..cut].to_vec()), &[2]);
        let mut zeros = two.clone();
        zeros[cut..cut + 64].fill(0);
        hold(&members(zeros), &[2]);
    }
    // Nothing of the record is lost when only the trailer is.
    hold(&members(two[..two.len() - 6].to_vec()), &[]);
}

#[test]
fn each_of_several_broken_members_ends_its_record() {
    let broken = |numbers: &[usize]| {
        let text: String = numbers.iter().map(|number| linked(*number)).collect();
        let mut member = gzip(&text);
        member.truncate(member.len() - 20_000);
        member
    };
    let members = [
        (gzip(&[linked(1), linked(2)].concat()), &[1, 2][..]),
        (broken(&[3]), &[3]),
        (broken(&[4, 5, 6]), &[4, 5, 6]),
        (gzip(&[linked(7), linked(8)].concat()), &[7, 8]),
        (broken(&[9]), &[9]),
        (gzip(&linked(10)), &[10]),
    ];
    hold(&members, &[3, 6, 9]);
}

#[test]
fn a_member_that_begins_no_record_continues_the_one_before() {
    let text = linked(2);
    let (head, tail) = text.split_at(text.len() / 2);
    let half = gzip(&linked(1));
    // A fault ends no record if the next member does not begin with one.
    let archive = [&half[..half.len() - 6], &gzip(head), &gzip(tail), &gzip(&linked(3))].concat();
    let expected = [rows(1), rows(2), rows(3)].concat();
    let found = found(&archive);
    assert!(found.starts_with(&expected), "{} of {}", found.len(), expected.len());
    assert_eq!(found[expected.len()..], ["archive-broken"]);

    let cut = gzip(head);
    let archive = [&cut[..cut.len() - 6], &gzip(tail), &gzip(&linked(3))].concat();
    let lost = [gzip(&linked(1)), archive].concat();
    let rows: Vec<_> = [rows(1), rows(2), rows(3)].concat();
    assert_eq!(found_rows(&lost), rows);
}

/// Returns what is found without the notes.
fn found_rows(archive: &[u8]) -> Vec<String> {
    found(archive).into_iter().filter(|it| it.starts_with("record ")).collect()
}
