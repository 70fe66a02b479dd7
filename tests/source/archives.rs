//! Unpacks and reads every format of corpus/archives by path, by standard input and with any number
//! of threads; cut anywhere and with bytes changed; and bombs, which end soon and say so.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use flate2::{Compress, Compression, FlushCompress};
use linktrawl::internal::check::{self, Checks, Memory, WINDOW};
use linktrawl::internal::finding::{Note, NoteKind};
use linktrawl::internal::source::file::{self, Reading, Report};
use linktrawl::internal::source::piece::{CORE_LEN_MAX, Event, Outcome, Stage, buffer_len};
use linktrawl::internal::source::{Buffer, InputKind, Piece};
use serde_json::{Value, json};

use crate::support::chance::Chance;
use crate::support::home::{self, records};

fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/archives")
}

/// Every sample, sorted.
fn samples() -> Vec<PathBuf> {
    let entries = fs::read_dir(home()).expect("the samples");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let is_sample = |path: &PathBuf| path.extension().is_none_or(|end| end != "tsv" && end != "md");
    let mut samples: Vec<PathBuf> = paths.filter(is_sample).collect();
    samples.sort();
    samples
}

// ---- the table -------------------------------------------------------------------------

#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Path,
    Stdin,
}

fn scan(sample: &str, by: By, threads: &str) -> Output {
    let mut command = home::linktrawl();
    command.current_dir(home()).args(["scan", "--quiet", "--format=ndjson", "--threads", threads]);
    match by {
        By::Path => command.arg(sample),
        By::Stdin => command.arg("-").stdin(File::open(home().join(sample)).expect("the sample")),
    };
    command.output().expect("the binary runs")
}

/// A finding or note as the table has it: members, line and column, and what it is.
fn row(record: &Value) -> Option<String> {
    let place = &record["place"];
    let members = place["members"].as_array()?;
    let names: Vec<&str> = members.iter().filter_map(Value::as_str).collect();
    let members = names.join("!");
    match record["type"].as_str()? {
        "finding" => {
            let (line, column) = (&place["line"], &place["column"]);
            Some(format!("{members}\t{line}:{column}\t{}", record["uri"].as_str()?))
        }
        "note" => Some(format!("{members}\tnote\t{}", record["kind"].as_str()?)),
        _ => None,
    }
}

/// Rows of the table for `sample`, without its name and the way it is read.
fn expected(sample: &str, by: By) -> Vec<String> {
    let table = fs::read_to_string(home().join("contents.tsv")).expect("the table");
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    let fields = rows.filter_map(|row| row.split_once('\t'));
    let own =
        fields.filter(|(name, _)| *name == sample).filter_map(|(_, row)| row.split_once('\t'));
    let other = if by == By::Path { "stdin" } else { "path" };
    own.filter(|(way, _)| *way != other).map(|(_, row)| row.to_owned()).collect()
}

fn is_incomplete(row: &str) -> bool {
    let is_whole = ["trailing-bytes", "length-wrong"].iter().any(|kind| row.ends_with(kind));
    row.contains("\tnote\t") && !is_whole
}

#[track_caller]
fn hold(sample: &str, by: By) {
    let expected = expected(sample, by);
    let first = scan(sample, by, "1");
    let records = records(&first);
    let found: Vec<String> = records.iter().filter_map(row).collect();
    assert_eq!(found.join("\n"), expected.join("\n"), "{sample}");
    let code = if expected.iter().any(|row| is_incomplete(row)) { 2 } else { 0 };
    assert_eq!(first.status.code(), Some(code), "{sample}");
    for record in records.iter().filter(|record| record["type"] == "finding") {
        assert_eq!(record["place"]["file_offset"], Value::Null, "{sample}");
    }
    assert_eq!(first.stdout, scan(sample, by, "2").stdout, "{sample} with two threads");
}

#[test]
fn samples_hold_what_the_table_says() {
    for sample in samples() {
        let name = sample.file_name().and_then(|name| name.to_str()).expect("a name");
        assert!(!expected(name, By::Path).is_empty(), "{name} is not in the table");
        hold(name, By::Path);
        hold(name, By::Stdin);
    }
}

/// Makes archives with a link in each, whose members have the given times.
const MAKER: &str = r#"
import io, os, sys, tarfile, zipfile
os.chdir(sys.argv[1])
LINK = b"http://h/x\n"
def tar(name, form, time):
    with tarfile.open(name, "w", format=form) as archive:
        member = tarfile.TarInfo("a.txt")
        member.size, member.mtime = len(LINK), time
        archive.addfile(member, io.BytesIO(LINK))
tar("ustar.tar", tarfile.USTAR_FORMAT, 986083199)
tar("gnu.tar", tarfile.GNU_FORMAT, 986083200)
tar("pax.tar", tarfile.PAX_FORMAT, 986083200.5)
tar("zero.tar", tarfile.USTAR_FORMAT, 0)
def zipped(name, time, files):
    with zipfile.ZipFile(name, "w") as archive:
        for called, data in files:
            archive.writestr(zipfile.ZipInfo(called, time), data)
zipped("a.zip", (1998, 12, 31, 23, 59, 58), [("a.txt", LINK)])
zipped("first.zip", (1980, 1, 1, 0, 0, 0), [("a.txt", LINK)])
zipped("outer.zip", (1999, 2, 3, 0, 0, 0),
       [(name, open(name, "rb").read()) for name in ("gnu.tar", "zero.tar")])
def record(date):
    head = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\n"
    head += f"WARC-Date: {date}\r\nContent-Length: {len(LINK)}\r\n\r\n"
    return head.encode() + LINK + b"\r\n\r\n"
with open("a.warc", "wb") as file:
    file.write(record("2006-09-19T17:20:24Z") + record("2006") + record("2006-13-01T00:00:00Z"))
"#;

#[test]
fn members_have_the_day_that_their_archive_tells() {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("archives_days");
    fs::create_dir_all(&home).expect("a directory");
    let python = Command::new("python3").args(["-c", MAKER]).arg(&home).output();
    let python = python.expect("Python");
    assert!(python.status.success(), "{}", String::from_utf8_lossy(&python.stderr));
    let days = |name: &str, stdin: Option<File>| {
        let path = if stdin.is_some() { "-" } else { name };
        let stdin = stdin.map_or_else(Stdio::null, Stdio::from);
        let mut command = home::linktrawl();
        command.current_dir(&home).args(["scan", "-q", "--format=ndjson", path]).stdin(stdin);
        let found = records(&command.output().expect("the binary runs"));
        let found = found.into_iter().filter(|record| record["type"] == "finding");
        found.map(|record| record["place"]["date"].clone()).collect::<Vec<_>>()
    };
    for (name, wanted) in [
        ("ustar.tar", json!(["2001-03-31"])),
        ("gnu.tar", json!(["2001-04-01"])),
        ("pax.tar", json!(["2001-04-01"])),
        ("zero.tar", json!([null])),
        ("a.zip", json!(["1998-12-31"])),
        ("first.zip", json!([null])),
        // The day of the innermost member that has one.
        ("outer.zip", json!(["2001-04-01", "1999-02-03"])),
        ("a.warc", json!(["2006-09-19", null, null])),
    ] {
        assert_eq!(Value::from(days(name, None)), wanted, "{name}");
        let file = File::open(home.join(name)).expect("a file");
        assert_eq!(Value::from(days("-", Some(file))), wanted, "{name} as a stream");
    }
}

#[test]
fn members_of_ar_and_cpio_have_their_days() {
    for name in ["gnu.a", "bsd.a", "names.deb", "names.rpm", "newc.cpio", "crc.cpio", "odc.cpio"] {
        let records = records(&scan(name, By::Path, "1"));
        let is_member = |record: &&Value| {
            record["type"] == "finding" && record["place"]["members"] != json!(["header"])
        };
        let days: Vec<&Value> =
            records.iter().filter(is_member).map(|record| &record["place"]["date"]).collect();
        assert!(days.len() > 1 && days.iter().all(|day| **day == "1994-12-01"), "{name}: {days:?}");
    }
}

#[test]
fn all_samples_in_one_walk_are_the_same_for_any_number_of_threads() {
    let run = |threads| scan(".", By::Path, threads);
    let first = run("1");
    assert!(first.stdout.len() > 20_000, "{}", first.stdout.len());
    for threads in ["2", "8", "8"] {
        let other = run(threads);
        assert!(first.stdout == other.stdout, "{threads} threads");
        assert!(first.stderr == other.stderr, "{threads} threads");
    }
    let records = records(&first);
    let summary = records.last().expect("a summary");
    // Members by name that is given or walked to are counted alike; what nobody reads is one.
    assert_eq!(summary["skipped"]["encrypted"], 2);
    assert_eq!(summary["skipped"]["directory"], 29);
    assert_eq!(summary["skipped"]["not-text"], 3);
    assert_eq!(summary["skipped"]["hard-link"], 7);
    assert_eq!(summary["skipped"]["symlink"], 12);
}

// ---- reading in the process ------------------------------------------------------------

/// Collects findings and notes.
struct Collecting {
    checks: Checks,
    free: Vec<Buffer>,
    /// Members, offset and URI of each finding.
    found: Vec<(Vec<Vec<u8>>, u64, Vec<u8>)>,
    notes: Vec<Note>,
    /// Bytes of text.
    len: usize,
}

impl Stage for Collecting {
    fn buffer(&mut self) -> Buffer {
        let len = buffer_len(CORE_LEN_MAX, WINDOW);
        self.free.pop().unwrap_or_else(|| Buffer::new(len))
    }

    fn large_buffer(&mut self, len: usize) -> Buffer {
        Buffer::new(len)
    }

    fn give_back(&mut self, mut buffer: Buffer) {
        buffer.truncate(0);
        self.free.push(buffer);
    }

    fn take(&mut self, piece: Piece) -> ControlFlow<()> {
        let found = &mut self.found;
        check::piece(&piece, &self.checks, &mut Memory::default(), &mut |finding| {
            let members = finding.place.origin.members.clone();
            found.push((members, finding.place.offset, finding.uri.in_clear().to_vec()));
        });
        self.len += piece.core.len();
        self.give_back(piece.bytes);
        ControlFlow::Continue(())
    }

    fn event(&mut self, event: Event) -> ControlFlow<()> {
        if let Event::Note(note) = event {
            self.notes.push(note);
        }
        ControlFlow::Continue(())
    }
}

impl Collecting {
    fn new() -> Self {
        let checks = Checks::default();
        Self { checks, free: Vec::new(), found: Vec::new(), notes: Vec::new(), len: 0 }
    }

    fn read(&mut self, mut input: impl Read) -> Report {
        (self.len, self.found, self.notes) = (0, Vec::new(), Vec::new());
        let reading = Reading { kind: InputKind::Auto, window: WINDOW };
        file::read_from(&mut input, Path::new("a"), reading, self)
    }

    fn read_file(&mut self, path: &Path) -> Report {
        (self.len, self.found, self.notes) = (0, Vec::new(), Vec::new());
        let reading = Reading { kind: InputKind::Auto, window: WINDOW };
        file::read(path, reading, self).expect("the file opens")
    }

    fn kinds(&self) -> Vec<NoteKind> {
        self.notes.iter().map(|note| note.kind).collect()
    }
}

/// Holds what a part gave against what the whole gave: the same, as far as it goes. What was
/// cut is cut in its last finding, too.
#[track_caller]
fn hold_prefix(name: &Path, len: usize, stage: &Collecting, whole: &Collecting) {
    let Some((last, before)) = stage.found.split_last() else { return };
    let is_prefix = whole.found.starts_with(before);
    let is_same = whole.found.get(before.len()).is_some_and(|found| found.0 == last.0);
    assert!(is_prefix && is_same, "{name:?} cut at {len}: {:?}", stage.found);
}

#[test]
fn a_sample_that_is_cut_gives_what_stands_before() {
    /// Larger samples are cut at every so many bytes: they consist of blocks of zeros.
    const CUTS: usize = 1200;
    let (mut stage, mut whole) = (Collecting::new(), Collecting::new());
    // A length that counts the next record covers what is left of that, where it is cut.
    for sample in samples().iter().filter(|it| !it.to_string_lossy().contains("/lengths.")) {
        let bytes = fs::read(sample).expect("the sample");
        whole.read(&bytes[..]);
        for len in (0..bytes.len()).step_by(bytes.len() / CUTS + 1) {
            stage.read(&bytes[..len]);
            hold_prefix(sample, len, &stage, &whole);
            let name = sample.file_name().and_then(|name| name.to_str()).expect("a name");
            if name.starts_with("notes.txt") && len >= 10 {
                assert_eq!(stage.kinds(), [NoteKind::ArchiveTruncated], "{name} cut at {len}");
            }
        }
    }
}

#[test]
fn a_zip_file_that_is_cut_gives_what_stands_before() {
    /// The first of two archives is whole, and half a mark is text.
    const WHOLE: [(&str, usize); 2] = [("two.zip", 150), ("marked.zip", 6)];
    /// The end of an archive that `open.zip` contains uncompressed: from there on, its directory is
    /// the one that the file has, until it has its own.
    const INNER: usize = 489;
    let directory = directory("cut-zip");
    let (mut stage, mut whole) = (Collecting::new(), Collecting::new());
    for sample in samples().iter().filter(|path| path.extension().is_some_and(|end| end == "zip")) {
        let bytes = fs::read(sample).expect("the sample");
        whole.read(&bytes[..]);
        for len in (0..bytes.len()).step_by(3) {
            if sample.ends_with("open.zip") && len >= INNER {
                continue;
            }
            let path = directory.join("a.zip");
            fs::write(&path, &bytes[..len]).expect("a file");
            stage.read_file(&path);
            hold_prefix(sample, len, &stage, &whole);
            let is_whole = WHOLE.iter().any(|(name, at)| sample.ends_with(name) && len == *at);
            assert!(len < 4 || is_whole || !stage.notes.is_empty(), "{sample:?} cut at {len}");
        }
    }
}

#[test]
fn samples_with_bytes_changed_are_read_to_some_end() {
    const CHANGES: usize = 300;
    let mut chance = Chance(7);
    let mut stage = Collecting::new();
    let path = directory("changed").join("a");
    for sample in samples() {
        let bytes = fs::read(&sample).expect("the sample");
        let is_zip = sample.extension().is_some_and(|end| end == "zip");
        for _ in 0..CHANGES {
            let mut changed = bytes.clone();
            for _ in 0..=chance.below(4) {
                let at = chance.below(changed.len());
                changed[at] = u8::try_from(chance.below(256)).expect("a byte");
            }
            let report = stage.read(&changed[..]);
            assert_ne!(report.outcome, Outcome::Stopped);
            if is_zip {
                fs::write(&path, &changed).expect("a file");
                stage.read_file(&path);
            }
        }
    }
}

/// Returns an empty directory for the test called `name`.
fn directory(name: &str) -> PathBuf {
    home::directory("archives", name)
}

// ---- bombs -----------------------------------------------------------------------------

const GZIP_HEAD: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3];

/// Returns a block of deflate that holds zeros and can follow itself.
fn zeros(len: usize) -> Vec<u8> {
    let mut compress = Compress::new(Compression::best(), false);
    let mut out = Vec::with_capacity(len / 500 + 1000);
    let zeros = vec![0; len];
    compress.compress_vec(&zeros, &mut out, FlushCompress::Full).expect("it compresses");
    out
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("it compresses")
}

#[test]
fn ten_gigabytes_of_zeros_end_soon() {
    const BLOCK: usize = 16 << 20;
    let mut bomb = [&GZIP_HEAD[..], &zeros(BLOCK).repeat((10 << 30) / BLOCK)].concat();
    let mut stage = Collecting::new();
    stage.read(&bomb[..]);
    assert_eq!(stage.kinds(), [NoteKind::LimitReached]);
    assert!((60 << 20..100 << 20).contains(&stage.len), "{}", stage.len);
    // A bomb beside what is none: only the bomb ends.
    let more = gzip(b"http://a.example/");
    bomb.truncate(200 << 10);
    bomb = tar(&[("bomb.gz", &bomb), ("b.gz", &more)]);
    stage.read(&bomb[..]);
    assert_eq!(stage.kinds(), [NoteKind::LimitReached]);
    assert_eq!(stage.notes[0].origin.members, [b"bomb.gz"]);
    assert_eq!(stage.found.len(), 1);
}

#[test]
fn a_window_beyond_the_limit_is_refused() {
    // RFC 8878 §3.1.1.1: no checksum, no length, and a window of 2 GiB.
    let frame = b"\x28\xB5\x2F\xFD\x00\xA8\x03\x00\x00\x00";
    let mut stage = Collecting::new();
    stage.read(&frame[..]);
    assert_eq!(stage.kinds(), [NoteKind::LimitReached], "{:?}", stage.notes);
}

#[test]
fn packing_deeper_than_the_limit_is_not_followed() {
    let mut bytes = b"http://a.example/".to_vec();
    let mut stage = Collecting::new();
    for depth in 1..=20 {
        bytes = gzip(&bytes);
        stage.read(&bytes[..]);
        if depth <= 8 {
            assert_eq!((stage.found.len(), stage.kinds()), (1, vec![]), "{depth}");
        } else {
            assert_eq!(stage.kinds(), [NoteKind::LimitReached], "{depth}");
            assert!(stage.found.is_empty());
        }
    }
}

/// The name that GNU tar gives a member that holds the name of the next one.
const LONG_NAME: &str = "././@LongLink";

/// An archive of Unix version 7, with long names as GNU has them.
pub(super) fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, contents) in members {
        let mut block = [0; 512];
        block[..name.len()].copy_from_slice(name.as_bytes());
        block[124..135].copy_from_slice(format!("{:011o}", contents.len()).as_bytes());
        block[148..156].fill(b' ');
        block[156] = if *name == LONG_NAME { b'L' } else { 0 };
        let sum: u64 = block.iter().map(|byte| u64::from(*byte)).sum();
        block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        out.extend_from_slice(&block);
        out.extend_from_slice(contents);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

/// A stored zip archive whose directory names one member `count` times.
fn overlapping(contents: &[u8], count: usize) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(contents);
    let len = u32::try_from(contents.len()).expect("a short one").to_le_bytes();
    let common = [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &crc.sum().to_le_bytes(), &len, &len];
    let common = [&common.concat()[..], &[1, 0, 0, 0]].concat();
    let mut out = [b"PK\x03\x04", &common[..], b"a", contents].concat();
    let start = u32::try_from(out.len()).expect("a short one").to_le_bytes();
    let entry = [b"PK\x01\x02\x14\x00", &common[..], &[0; 14], b"a"].concat();
    out.extend(entry.repeat(count));
    let len = u32::try_from(entry.len() * count).expect("a short one").to_le_bytes();
    let count = u16::try_from(count).expect("a small number").to_le_bytes();
    out.extend([b"PK\x05\x06\0\0\0\0", &count[..], &count, &len, &start, &[0, 0]].concat());
    out
}

/// An error of an archive is reported at its place, after the findings before it.
#[test]
fn broken_archives_of_ar_cpio_and_rpm_are_told() {
    let text = "http://h.example/";
    let ar = |name: &str, size: &str| format!("{name:<16}{:<32}{size:<10}`\n", "0");
    let good = format!("!<arch>\n{}{text}\n", ar("a/", "17"));
    let new = |mode: usize, size: usize, name: &str| {
        let fields = [0, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, name.len() + 1, 0];
        let fields = fields.map(|field| format!("{field:08X}")).concat();
        let padding = "\0".repeat((110 + name.len() + 1).wrapping_neg() % 4 + 1);
        format!("070701{fields}{name}{padding}")
    };
    let member = format!("{}{text}\0\0\0", new(0o100_644, text.len(), "a"));
    let end = new(0, 0, "TRAILER!!!");
    let lead = "\0".repeat(92);
    let rpm = |rest: &str| [b"\xED\xAB\xEE\xDB", lead.as_bytes(), rest.as_bytes()].concat();
    let (cut, wrong, limit) = ("archive-truncated", "archive-broken", "limit-reached");
    let cases: [(&str, Vec<u8>, usize, &[&str]); 18] = [
        ("a.a", good.clone().into(), 1, &[]),
        ("fill.a", good.trim_end().into(), 1, &[]),
        ("cut.a", format!("{good}b/   ").into(), 1, &[cut]),
        ("header.a", format!("{good}{}", "b".repeat(60)).into(), 1, &[wrong]),
        ("size.a", format!("{good}{}", ar("b/", "x")).into(), 1, &[wrong]),
        ("name.a", format!("{good}{}", ar("/7", "0")).into(), 1, &[wrong]),
        ("bsd.a", format!("{good}{}", ar("#1/9", "8")).into(), 1, &[wrong]),
        // Members may share it.
        (
            "long.a",
            format!("{good}{}{}\n\n{}", ar("//", "5001"), "n".repeat(5000), ar("/0", "0")).into(),
            1,
            &[wrong],
        ),
        ("names.a", format!("{good}{}", ar("//", "1048577")).into(), 1, &[limit]),
        ("a.cpio", format!("{member}{end}").into(), 1, &[]),
        ("link.cpio", format!("{}{text}\0\0\0{end}", new(0o120_777, 17, "a")).into(), 0, &[]),
        ("more.cpio", format!("{member}{end}\0\0{text}").into(), 2, &[]),
        ("end.cpio", member.clone().into(), 1, &[cut]),
        ("text.cpio", format!("{member}{}", "b".repeat(110)).into(), 1, &[wrong]),
        (
            "long.cpio",
            format!("{member}{}", end.replace("0000000B", "00100001")).into(),
            1,
            &[limit],
        ),
        ("lead.rpm", rpm(""), 0, &[cut]),
        ("none.rpm", rpm(&"b".repeat(16)), 0, &[wrong]),
        ("cut.rpm", b"\xED\xAB\xEE\xDB".to_vec(), 0, &[cut]),
    ];
    let home = directory("broken");
    for (name, content, found, notes) in cases {
        let path = home.join(name);
        fs::write(&path, content).expect("a file");
        let output = scan(path.to_str().expect("UTF-8"), By::Path, "1");
        let records = records(&output);
        let of_type = |name| records.iter().filter(move |record| record["type"] == name);
        let kinds: Vec<&str> =
            of_type("note").map(|note| note["kind"].as_str().expect("a text")).collect();
        assert_eq!((of_type("finding").count(), kinds.as_slice()), (found, notes), "{name}");
        assert_eq!(output.status.code(), Some(if notes.is_empty() { 0 } else { 2 }), "{name}");
    }
}

/// Each record would repeat it.
#[test]
fn of_the_long_name_of_a_member_the_end_is_told() {
    let name = format!("{}/end", "a".repeat(50_000));
    let path = directory("long-name").join("a.tar");
    let members: [(&str, &[u8]); 2] = [(LONG_NAME, name.as_bytes()), ("a", b"http://h.example/")];
    fs::write(&path, tar(&members)).expect("a file");
    let output = scan(path.to_str().expect("UTF-8"), By::Path, "1");
    let records = records(&output);
    let told = format!("\u{2026}{}", &name[name.len() - 4096..]);
    assert_eq!(records[0]["place"]["members"], json!([told]), "{records:?}");
}

#[test]
fn members_that_share_bytes_are_read_once() {
    let path = directory("overlap").join("a.zip");
    fs::write(&path, overlapping(b"http://a.example/", 60_000)).expect("a file");
    let mut stage = Collecting::new();
    stage.read_file(&path);
    assert_eq!((stage.found.len(), stage.kinds()), (1, vec![NoteKind::ArchiveBroken]));
    fs::write(&path, overlapping(b"http://a.example/", 1)).expect("a file");
    stage.read_file(&path);
    assert_eq!((stage.found.len(), stage.kinds()), (1, vec![]));
}

/// A file of the archive gives no less than a stream of it.
#[test]
fn a_zip_whose_directory_is_damaged_gives_what_it_does_not_name() {
    let (mut whole, mut entries) = (Vec::new(), Vec::new());
    for name in ["a", "b", "c", "d"] {
        let one = overlapping(format!("http://{name}.example/").as_bytes(), 1);
        let start = memchr::memmem::find(&one, b"PK\x01\x02").expect("a directory");
        let end = memchr::memmem::find(&one, b"PK\x05\x06").expect("its end");
        let mut entry = one[start..end].to_vec();
        entry[42..46].copy_from_slice(&u32::try_from(whole.len()).expect("few").to_le_bytes());
        entries.extend(entry);
        whole.extend_from_slice(&one[..start]);
    }
    let directory_at = whole.len();
    let numbers = [entries.len(), directory_at].map(|number| u32::try_from(number).expect("few"));
    whole.extend([&entries[..], b"PK\x05\x06\0\0\0\0\x04\0\x04\0"].concat());
    whole.extend(numbers.map(u32::to_le_bytes).concat());
    whole.extend([0, 0]);
    let path = directory("damaged").join("a.zip");
    let mut stage = Collecting::new();
    let mut case = |mark: &[u8], damaged: usize, expected: &[&str], notes: usize| {
        let mut bytes = whole.clone();
        let at = memchr::memmem::find_iter(&whole, mark).nth(damaged).expect("a mark");
        bytes[at] = b'X';
        fs::write(&path, bytes).expect("a file");
        stage.read_file(&path);
        let found = stage.found.iter().map(|(_, _, uri)| String::from_utf8_lossy(uri).into_owned());
        let found: Vec<String> = found.collect();
        assert_eq!(found, expected, "{damaged} of {mark:?}");
        assert_eq!(stage.kinds().len(), notes, "{damaged} of {mark:?}: {:?}", stage.notes);
        assert!(stage.kinds().contains(&NoteKind::ArchiveBroken));
    };
    let all = ["http://a.example/", "http://b.example/", "http://c.example/", "http://d.example/"];
    for damaged in 0..4 {
        case(b"PK\x01\x02", damaged, &all, 1);
        // The bytes of this one are nobody's; with the first, the file is no archive.
        if damaged > 0 {
            let others: Vec<&str> = all.into_iter().filter(|uri| *uri != all[damaged]).collect();
            case(b"PK\x03\x04", damaged, &others, 2);
        }
    }
}

/// Programs that unpack themselves, and scripts of Python and Java.
#[test]
fn an_archive_after_a_program_is_read_and_the_program_too() {
    let zip = overlapping(b"http://member.example/ ", 1);
    let script = b"#!/bin/sh\n# http://script.example/\n";
    let home = directory("behind");
    let mut stage = Collecting::new();
    let mut case = |name: &str, bytes: &[u8], expected: &[(&str, u64)], kinds: &[NoteKind]| {
        let path = home.join(name);
        fs::write(&path, bytes).expect("a file");
        stage.read_file(&path);
        let found = |(_, offset, uri): &(Vec<Vec<u8>>, u64, Vec<u8>)| {
            (String::from_utf8_lossy(uri).into_owned(), *offset)
        };
        let found: Vec<(String, u64)> = stage.found.iter().map(found).collect();
        let expected: Vec<(String, u64)> =
            expected.iter().map(|(uri, offset)| ((*uri).to_owned(), *offset)).collect();
        assert_eq!((found, stage.kinds()), (expected, kinds.to_vec()), "{name}");
    };
    let both = [("http://script.example/", 12), ("http://member.example/", 0)];
    case("a.pyz", &[script, &zip[..]].concat(), &both, &[]);
    case("a.zip", &[&b"anything "[..], &zip].concat(), &both[1..], &[]);
    case("a.crx", &[&b"Cr24\x03\0\0\0"[..], &zip].concat(), &both[1..], &[]);
    // Offsets that count the bytes before the archive: those of its member, and of its directory.
    let mut moved = zip.clone();
    let entry = memchr::memmem::find(&zip, b"PK\x01\x02").expect("a directory");
    let end = memchr::memmem::find(&zip, b"PK\x05\x06").expect("its end");
    for at in [entry + 42, end + 16] {
        moved[at] += u8::try_from(script.len()).expect("a short one");
    }
    case("moved.pyz", &[script, &moved[..]].concat(), &both, &[]);
    // Nothing says that something is packed there.
    case("a.txt", &[&b"anything "[..], &zip].concat(), &[("http://member.example/", 40)], &[]);
    // An end record by chance: all is text.
    let chance = [script, &b"PK\x05\x06"[..], &[0; 18], b"\nhttp://behind.example/\n"].concat();
    case("chance.sh", &chance, &[both[0], ("http://behind.example/", 58)], &[]);
    let mut wrong = [&script[..], &[b'a'; 99], &zip[end..]].concat();
    let len = wrong.len();
    wrong[len - 10] = 46;
    case("wrong.sh", &wrong, &both[..1], &[]);
    // Text after an archive is read as text, as the signature of a program does; the directory has
    // to lead to a member, then.
    let trailing = [&script[..], &zip, b" http://behind.example/ "].concat();
    let found = [both[0], both[1], ("http://behind.example/", 1)];
    case("trailing.sh", &trailing, &found, &[NoteKind::TrailingBytes]);
    let two = overlapping(b"http://member.example/ ", 2);
    let mut broken = [&script[..], &two, b" http://behind.example/ "].concat();
    let second = memchr::memmem::rfind(&broken, b"PK\x01\x02").expect("two entries");
    broken[second] = b'X';
    case("broken.sh", &broken, &found, &[NoteKind::ArchiveBroken, NoteKind::TrailingBytes]);
    // A batch of news begins as a script does.
    let head = b"Path: a\nMessage-ID: <a@b>\n\nhttp://script.example/\n";
    let article = [&head[..], &zip, b"\n"].concat();
    let batch = [format!("#! rnews {}\n", article.len()).as_bytes(), &article].concat();
    case("batch", &batch, &[("http://script.example/", 40), ("http://member.example/", 94)], &[]);
    let mut torn = trailing.clone();
    torn[script.len() + entry + 2] = b'X';
    let after = u64::try_from(script.len() + zip.len() + 1).expect("a length");
    let found = [both[0], ("http://member.example/", 66), ("http://behind.example/", after)];
    case("torn.sh", &torn, &found, &[]);
    let mut last = zip;
    last[end + 4] = 2;
    case("parts.exe", &[b"MZ ", &last[..]].concat(), &[("http://member.example/", 34)], &[]);
    let last = [&b"rest of a member http://member.example/ "[..], &last].concat();
    let expected = [("http://member.example/", 17), ("http://member.example/", 71)];
    case("parts.zip", &last, &expected, &[NoteKind::ArchiveTruncated]);
}

#[test]
fn archives_full_of_archives_end_with_their_depth() {
    let mut bytes = overlapping(b"http://a.example/", 1);
    let mut stage = Collecting::new();
    for depth in 2..=12 {
        let name = "a.zip";
        bytes = if depth % 2 == 0 {
            tar(&[(name, &bytes), ("b", b"http://b.example/")])
        } else {
            gzip(&bytes)
        };
        stage.read(&bytes[..]);
        assert_eq!(stage.kinds().len(), usize::from(depth > 8), "{depth}");
    }
}

#[test]
fn an_extended_header_without_end_is_passed_over() {
    let mut block = tar(&[("a", b"")])[..512].to_vec();
    block[124..135].copy_from_slice(b"77777777777");
    block[156] = b'L';
    block[148..156].fill(b' ');
    let sum: u64 = block.iter().map(|byte| u64::from(*byte)).sum();
    block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let mut stage = Collecting::new();
    stage.read(block.chain(io::repeat(b'a').take(1 << 30)));
    assert_eq!(stage.kinds(), [NoteKind::LimitReached, NoteKind::ArchiveTruncated]);
}

#[test]
fn after_an_extended_header_that_is_too_long_members_are_read() {
    let mut stage = Collecting::new();
    for kind in [b'L', b'x'] {
        let long = vec![b'a'; (1 << 20) + 1];
        let mut bytes = tar(&[("long", &long), ("a.txt", b"http://a.example/")]);
        bytes[156] = kind;
        bytes[148..156].fill(b' ');
        let sum: u64 = bytes[..512].iter().map(|byte| u64::from(*byte)).sum();
        bytes[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        stage.read(&bytes[..]);
        let found = (vec![b"a.txt".to_vec()], 0, b"http://a.example/".to_vec());
        assert_eq!((&stage.found, stage.kinds()), (&vec![found], vec![NoteKind::LimitReached]));
    }
}

#[test]
fn a_disk_of_nothing_but_holes_ends_soon() {
    let path = home().join("sparse-gnu.tar");
    let mut bytes = fs::read(path).expect("the sample");
    bytes[483..494].copy_from_slice(b"77777777777");
    bytes[148..156].fill(b' ');
    let sum: u64 = bytes[..512].iter().map(|byte| u64::from(*byte)).sum();
    bytes[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let mut stage = Collecting::new();
    stage.read(&bytes[..]);
    assert_eq!((stage.found.len(), stage.kinds()), (2, vec![NoteKind::LimitReached]));
    assert!(stage.len < 100 << 20, "{}", stage.len);
}

#[test]
fn an_input_that_fails_inside_of_an_archive_is_told_once_and_as_itself() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::TimedOut.into())
        }
    }
    let mut stage = Collecting::new();
    for name in ["spool.tar.gz", "posix.tar", "stream.zip", "crawl.warc.gz", "two.xz"] {
        let bytes = fs::read(home().join(name)).expect("the sample");
        let half = &bytes[..bytes.len() / 2];
        let report = stage.read(half.chain(Failing));
        assert_eq!(stage.kinds(), [], "{name}");
        let note = report.note.expect("a note");
        let expected = (NoteKind::InputUnreadable, Some(half.len() as u64));
        assert_eq!((note.kind, note.offset), expected, "{name}");
    }
}

#[test]
fn an_archive_of_the_web_full_of_broken_records_is_read_to_its_end() {
    let record =
        |head: &str, body: &str| format!("WARC/1.0\r\nWARC-Type: {head}\r\n\r\n{body}\r\n");
    // A header without an end.
    let broken = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://lost.example/\r\n";
    let last = record("resource\r\nContent-Length: 19", "http://last.example");
    let mut stage = Collecting::new();
    for (count, notes) in [(1, 1), (100, 100), (101, 101), (30_000, 101)] {
        stage.read([broken.repeat(count), last.clone()].concat().as_bytes());
        assert_eq!(stage.kinds(), vec![NoteKind::ArchiveBroken; notes], "{count}");
        let all = format!("{} bytes", broken.len() * (count - 100.min(count - 1)));
        assert!(stage.notes[notes - 1].message.contains(&all), "{:?}", stage.notes[notes - 1]);
        assert_eq!(stage.found.len(), 1);
    }
    // Records without a length are read up to the next one.
    let unknown = record("resource", "http://kept.example/");
    for (count, notes) in [(1, 1), (100, 100), (250, 101)] {
        stage.read([unknown.repeat(count), last.clone()].concat().as_bytes());
        assert_eq!(stage.kinds(), vec![NoteKind::ArchiveBroken; notes], "{count}");
        assert_eq!(stage.found.len(), count + 1);
        let is_sum = stage.notes[notes - 1].message.ends_with(" 150 times more");
        assert_eq!(is_sum, count > 100, "{:?}", stage.notes[notes - 1]);
    }
    // Lines and headers without an end.
    for unit in ["WARC/1.0", "WARC/1.0\n", "WARC/1.0\n\n", "WARC/1.0\na", "a: b\n", "a"] {
        let bytes = ["WARC/1.0\r\n", &unit.repeat(300_000), "\r\n", &last].concat();
        stage.read(bytes.as_bytes());
        assert_eq!(stage.found.len(), 1, "{unit}");
        assert!(stage.notes.len() <= 101, "{unit}");
    }
}

#[test]
fn an_archive_of_before_warc_full_of_other_lines_is_read_to_its_end() {
    let line = |uri: &str, len: &str| format!("{uri} 192.0.2.1 19941201000000 text/plain {len}\n");
    let first = line("filedesc://a.arc", "0");
    let last = line("http://h.example/", "19") + "http://last.example\n";
    let mut stage = Collecting::new();
    for unit in
        [&line("http://h.example/", "x"), "a\n", "a", " ", "a: 1 ", "\n\x01", "filedesc://\n"]
    {
        let bytes = [&*first, &unit.repeat(200_000), "\n", &*last].concat();
        stage.read(bytes.as_bytes());
        let found: Vec<_> = stage.found.iter().map(|(members, ..)| members.clone()).collect();
        assert_eq!(found, [[b"record 2".to_vec()]], "{unit}");
        assert_eq!(stage.kinds(), [NoteKind::ArchiveBroken], "{unit}");
    }
    for unit in [&*line("http://h.example/", "0"), "\n\0", "\0"] {
        let bytes = [&*first, &unit.repeat(100_000), &*last].concat();
        stage.read(bytes.as_bytes());
        assert_eq!((stage.found.len(), stage.kinds()), (1, Vec::new()), "{unit}");
    }
}
