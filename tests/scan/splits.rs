//! Tests plans of splits: the findings of all splits are those of one run, with the same places,
//! wherever a file is divided.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use flate2::write::GzEncoder;
use flate2::{Compression, Crc};
use linktrawl::internal::error::Error;
use linktrawl::internal::finding::{Cue, Digest, Note, Repairs, Summary};
use linktrawl::internal::grammar::GRAMMARS;
use linktrawl::internal::report::{self, Style};
use linktrawl::internal::run::{self, Observer, Options, Output, Split};

use crate::support::chance::Chance;
use crate::support::home;

/// Sizes of splits: each member and each piece alone, some together, and few.
const SIZES: [u64; 3] = [1, 20_000, 128 << 20];
/// Sizes of splits of a large text: each piece alone, and two together.
const LARGE_SIZES: [u64; 2] = [1, 1_100_000];

/// A report that can be read while it is written.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").write(text)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Deaf;

impl Observer for Deaf {
    fn note(&self, _: &Note) {}

    fn progress(&self, _: u64) {}
}

fn options() -> Options {
    Options {
        grammars: GRAMMARS.iter().copied().take(1).collect(),
        refused: Repairs::NONE,
        find: Cue::ALL.to_vec(),
        unwrap: true,
        digest: true,
        threads: 2,
        ..Options::default()
    }
}

/// The records of a run, without its totals, and the digest of its findings.
type Found = (Vec<String>, Digest);

fn found(scan: impl FnOnce(Vec<Output>) -> Result<Summary, Error>) -> Found {
    let written = Shared::default();
    let output = Output {
        report: report::find("ndjson").expect("the format"),
        style: Style::default(),
        name: "memory".to_owned(),
        identities: Vec::new(),
        target: Box::new(written.clone()),
    };
    let summary = scan(vec![output]).expect("a run");
    let text = String::from_utf8(written.0.lock().expect("no panic").clone()).expect("UTF-8");
    let is_record = |line: &&str| !line.starts_with(r#"{"type":"summary""#);
    let lines = text.lines().filter(is_record).map(str::to_owned).collect();
    (lines, summary.digest.unwrap_or_default())
}

fn whole(paths: &[&Path], options: &Options) -> Found {
    let mut inputs = paths.iter().map(|path| Ok(path.to_path_buf()));
    let (mut lines, digest) = found(|outputs| run::scan(&mut inputs, options, outputs, &Deaf));
    lines.sort();
    (lines, digest)
}

fn plan(paths: &[&Path], options: &Options, size: u64) -> Vec<Split> {
    let mut inputs = paths.iter().map(|path| Ok(path.to_path_buf()));
    let mut splits = Vec::new();
    let summary = run::plan(&mut inputs, options, size, &Deaf, &mut |split| {
        // As an engine has it: through a line of text.
        let line = split.to_json();
        assert!(!line.contains(&b'\n'));
        splits.push(Split::parse(&line).expect("a descriptor"));
        Ok(())
    });
    assert!(summary.expect("a plan").complete);
    splits
}

/// Returns the records of all splits, and the sum of their digests.
fn parts(splits: &[Split], options: &Options) -> Found {
    let (mut lines, mut sum) = (Vec::new(), Digest::default());
    for split in splits {
        let (more, digest) = found(|outputs| run::scan_split(split, options, outputs, &Deaf));
        lines.extend(more);
        sum.add(&digest);
    }
    lines.sort();
    (lines, sum)
}

/// Checks that splits of each size give what one run gives; returns the number of splits of each
/// size.
#[track_caller]
fn agree<const N: usize>(paths: &[&Path], sizes: [u64; N]) -> [usize; N] {
    let options = &options();
    let (wanted, digest) = whole(paths, options);
    assert!(!wanted.is_empty());
    sizes.map(|size| {
        let splits = plan(paths, options, size);
        let (lines, sum) = parts(&splits, options);
        // The lines are sorted.
        let other = wanted.iter().zip(&lines).find(|(wanted, line)| wanted != line);
        assert!(other.is_none(), "{paths:?} in splits of {size} bytes: {other:#?}");
        assert_eq!(lines.len(), wanted.len(), "{paths:?} in splits of {size} bytes");
        assert_eq!(sum, digest, "{paths:?} {size}");
        splits.len()
    })
}

fn directory(name: &str) -> PathBuf {
    home::directory("scan_splits", name)
}

/// Bytes of a large text: three pieces.
const LARGE_LEN: usize = 1_300_000;

/// Returns a text of `line`s, which are made of the bytes so far.
fn large(line: impl Fn(&mut Chance, &mut String)) -> String {
    let (mut text, mut chance) = (String::new(), Chance(0x5EED));
    while text.len() < LARGE_LEN {
        line(&mut chance, &mut text);
    }
    text
}

/// Divides a file called `name` that holds `text`, and returns the number of the smallest splits.
#[track_caller]
fn divided(name: &str, text: &[u8]) -> usize {
    let path = directory(name).join(name);
    fs::write(&path, text).expect("a file");
    if text.len() < LARGE_LEN {
        return agree(&[&path], SIZES)[0];
    }
    let [pieces, pairs] = agree(&[&path], LARGE_SIZES);
    assert!(pairs <= pieces);
    pieces
}

/// Appends a message after a separator.
fn message(chance: &mut Chance, text: &mut String, separator: impl Fn(usize) -> String) {
    let number = text.len();
    let mut body =
        format!("see <URL:http://h.example/{number}\n  /b> and http://h.example/{number}\n");
    match chance.below(40) {
        0 => body.push_str("\n>From my view: https://from.example/\nFrom here on, nothing\n"),
        1 => body.push_str(&"a long http://l.example/paragraph without an end\n".repeat(3_000)),
        2 => body.push_str(&"aHR0cDovL2Jhc2UuZXhhbXBsZS9hYmMgaHR0cDovL2IvCg==\n".repeat(500)),
        _ => body.push_str("\nwww.w.example\n\nbye\n"),
    }
    let coding = if body.contains("aHR0c") { "Content-Transfer-Encoding: base64\n" } else { "" };
    let head = format!(
        "From: a@b.example\nMessage-ID: <{number}@m.example>\nDate: Thu, 1 Jan 1998 00:00:00 \
         +0000\nSubject: http://s.example/{number}\n{coding}"
    );
    let message = format!("{head}\n{body}");
    text.push_str(&separator(message.len()));
    text.push_str(&message);
}

#[test]
fn the_corpora_are_found_in_any_splits() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let paths = ["archives", "mail", "news", "text", "documents", "docs", "local"];
    let paths: Vec<_> = paths.iter().map(|path| corpus.join(path)).collect();
    let paths: Vec<_> = paths.iter().map(PathBuf::as_path).collect();
    let [members, some, few] = agree(&paths, SIZES);
    assert!(members > some && some > few, "{members} {some} {few}");
    let again = || plan(&paths, &options(), 1);
    assert_eq!(again(), again(), "a plan is the same each time");
}

#[test]
fn boxes_are_divided_before_messages() {
    let dated = |_| "From a@b.example Thu Jan  1 00:00:00 1998\n".to_owned();
    let mbox = large(|chance, text| {
        message(chance, text, dated);
        text.push('\n');
    });
    assert!(divided("mbox", mbox.as_bytes()) > 2);
    let soh = large(|chance, text| {
        message(chance, text, |_| "\x01\x01\x01\x01\n".to_owned());
        text.push_str("\x01\x01\x01\x01\n");
    });
    assert!(divided("mmdf", soh.as_bytes()) > 2);
    let news = large(|chance, text| message(chance, text, |len| format!("#! rnews {len}\n")));
    assert!(divided("rnews", news.as_bytes()) > 2);
    let counted = mbox.replace("\nFrom: a@", "\nContent-Length: 12\nFrom: a@");
    assert!(divided("counted", counted.as_bytes()) > 2);
}

#[test]
fn texts_are_divided_where_no_finding_is() {
    let paragraphs = large(|chance, text| {
        let number = text.len();
        text.push_str(&format!("é http://p.example/{number}\n"));
        text.push_str(if chance.below(3) == 0 { "\n" } else { "<http://p.example/\n wrapped>\n" });
    });
    assert!(divided("text.txt", paragraphs.as_bytes()) > 1);
    let log = large(|chance, text| {
        let number = text.len();
        let gap = " ".repeat(chance.below(60));
        text.push_str(&format!("10.0.0.1 é \"GET http://l.example/{number}\"{gap} 200\n"));
    });
    assert!(divided("access.log", log.as_bytes()) > 1);
    let json = large(|_, text| {
        let number = text.len();
        text.push_str(&format!(
            "{{\"u\":\"https:\\/\\/j.example\\/{number}\",\"n\":{number},\"pad\":\"{}\"}}\n",
            "x".repeat(100)
        ));
    });
    assert!(divided("events.jsonl", json.as_bytes()) > 1);
    let ignored = format!("# linktrawl-ignore-start\n{log}");
    let home = directory("ignored");
    fs::write(home.join("a.log"), format!("http://seen.example/\n{ignored}")).expect("a file");
    assert_eq!(agree(&[&home.join("a.log")], [1]), [1], "no part begins in a comment");
    let endless = "http://e.example/".repeat(LARGE_LEN / 17);
    divided("endless.txt", endless.as_bytes());
}

#[test]
fn tables_are_divided_outside_of_quotes() {
    let commas = large(|_, text| {
        let number = text.len();
        let words = "plain text ".repeat(9);
        text.push_str(&format!("{number},http://c.example/{number},{words}\n"));
    });
    assert!(divided("commas.csv", commas.as_bytes()) > 1);
    let semicolons = large(|_, text| {
        let number = text.len();
        let rest = "a;1,5;\"x;y\";plain text here";
        text.push_str(&format!("{number};http://s.example/{number},{rest}\n"));
    });
    assert!(divided("semicolons.csv", semicolons.as_bytes()) > 1);
    let quoted = large(|_, text| {
        let number = text.len();
        let words = "longword ".repeat(40);
        text.push_str(&format!(
            "{number},\"http://q.example/{number}, a\",{words},\"a \"\"b\"\"\nc\",d{number}\n"
        ));
    });
    assert!(divided("quoted.csv", quoted.as_bytes()) > 1);
    let open = large(|_, text| {
        let number = text.len();
        let start = if number == 0 { "a,\"" } else { "" };
        text.push_str(&format!("{start}http://o.example/{number}, and more\n"));
    });
    assert_eq!(divided("open.csv", open.as_bytes()), 1, "no part begins in quotes");
}

/// Returns the header of a member of a tar archive.
fn header(name: &str, len: usize) -> [u8; 512] {
    let mut block = [0; 512];
    block[..name.len()].copy_from_slice(name.as_bytes());
    block[124..136].copy_from_slice(format!("{len:011o}\0").as_bytes());
    block[148..156].fill(b' ');
    block[156] = b'0';
    block[257..265].copy_from_slice(b"ustar\x0000");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

fn tar(members: usize) -> Vec<u8> {
    let mut archive = Vec::new();
    for number in 0..members {
        let text = format!("From a\nTo: b\n\nhttp://t.example/{number}\n").repeat(number + 1);
        archive.extend(header(&format!("dir/{number}"), text.len()));
        archive.extend(text.as_bytes());
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.resize(archive.len() + 1024, 0);
    archive
}

/// Returns a zip archive of members that are not compressed.
fn zip(members: usize) -> Vec<u8> {
    let long = |number: usize| u32::try_from(number).expect("a small archive").to_le_bytes();
    let short = |number: usize| u16::try_from(number).expect("a small archive").to_le_bytes();
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for number in 0..members {
        let text = format!("http://z.example/{number}\n").repeat(number + 1);
        let name = format!("dir/{number}.txt");
        let mut crc = Crc::new();
        crc.update(text.as_bytes());
        // Version, flags, method, time and day; checksum and lengths; lengths of the names.
        let mut common = [20, 0, 0, 0, 0x21].map(short).concat();
        common.extend(crc.sum().to_le_bytes());
        common.extend([long(text.len()), long(text.len())].concat());
        common.extend([short(name.len()), short(0)].concat());
        directory.extend([&b"PK\x01\x02"[..], &short(20)[..], &common].concat());
        directory.extend([0; 10]);
        directory.extend([&long(archive.len())[..], name.as_bytes()].concat());
        archive.extend([&b"PK\x03\x04"[..], &common, name.as_bytes(), text.as_bytes()].concat());
    }
    let end = [short(0), short(0), short(members), short(members)].concat();
    let place = [long(directory.len()), long(archive.len())].concat();
    [&archive[..], &directory, b"PK\x05\x06", &end, &place, &short(0)].concat()
}

fn record(number: usize) -> Vec<u8> {
    let body =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhttp://w.example/{number}\n");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\nContent-Type: \
         application/http\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
        body.len()
    )
    .into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn archives_are_divided_between_members() {
    assert_eq!(divided("a.tar", &tar(40)), 40);
    assert_eq!(divided("a.zip", &zip(40)), 40);
    let records: Vec<u8> = (0..50).flat_map(record).collect();
    assert_eq!(divided("a.warc", &records), 50);
    let streams: Vec<u8> = (0..50).flat_map(|number| gzip(&record(number))).collect();
    assert_eq!(divided("a.warc.gz", &streams), 50);
    assert_eq!(divided("one.warc.gz", &gzip(&records)), 1, "nothing can begin within a stream");
    let two = [0..20, 20..50].map(|numbers| gzip(&numbers.flat_map(record).collect::<Vec<_>>()));
    assert_eq!(divided("two.warc.gz", &two.concat()), 2);
    let broken = [&records[..], b"WARC/1.0\r\nno record\r\n"].concat();
    assert_eq!(divided("broken.warc", &broken), 1, "faults are those of the whole file");
}

#[test]
fn parts_of_an_archive_have_its_bytes_together() {
    let home = directory("bytes");
    for (name, archive) in [("a.tar", tar(40)), ("a.zip", zip(40))] {
        let path = home.join(name);
        fs::write(&path, &archive).expect("a file");
        for size in [1, 3_000] {
            let splits = plan(&[&path], &options(), size);
            assert!(splits.len() > 1);
            let bytes = splits.iter().map(|split| {
                let summary = run::scan_split(split, &options(), Vec::new(), &Deaf);
                summary.expect("a run").bytes
            });
            assert_eq!(bytes.sum::<u64>(), archive.len() as u64, "{name} {size}");
        }
    }
}

#[test]
fn small_files_are_packed_and_a_maildir_is_mail() {
    let home = directory("many");
    for (part, count) in [("cur", 300), ("new", 3), ("tmp", 2)] {
        fs::create_dir_all(home.join("Maildir").join(part)).expect("a directory");
        for number in 0..count {
            let text = format!("broken header\nsee http://m.example/{part}/{number}\n");
            let name = format!("{number}.a.b");
            fs::write(home.join("Maildir").join(part).join(name), text).expect("a message");
        }
    }
    fs::write(home.join("a.md"), "[a](b.md) http://d.example/\n").expect("a document");
    let [each, _, few] = agree(&[&home, &home.join("a.md")], SIZES);
    assert_eq!((each, few), (305, 3), "documents, mail, and what was named");
    let empty = directory("empty");
    assert!(plan(&[&empty], &options(), 1).is_empty());
}

#[test]
fn other_descriptors_are_refused() {
    let home = directory("refused");
    fs::write(home.join("a.txt"), "http://h/\n").expect("a file");
    let split = plan(&[&home], &options(), 10).remove(0);
    let line = String::from_utf8(split.to_json()).expect("UTF-8");
    let refused = |line: &str, wanted: &str| {
        let reason = Split::parse(line.as_bytes()).expect_err(line);
        assert!(reason.contains(wanted), "{reason}");
    };
    refused(&line.replace("\"v\":1", "\"v\":2"), "found version 2");
    refused(&line.replace("\"size\":10", "\"size\":11"), "an altered one");
    refused(&line.replace("\"files\"", "\"file\""), "files");
    refused(&line.replace("\"v\":1", "\"v\":1,\"w\":1"), "unknown field `w`");
    refused("", "expected a line of linktrawl plan, found \"\"");
    refused(&line[..line.len() / 2], "EOF");
}
