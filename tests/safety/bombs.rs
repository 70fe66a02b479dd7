//! Inputs that are made to cost much: each ends soon, says which limit it has met, and gives
//! exit code 2; where a limit loses no input, it is counted alone.
//!
//! Bombs of gzip, holes, shared members and depth are in tests/source/archives.rs.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::memory::{header, mend, noise};
use super::{GOOD, Run, directory, shell, write};

/// Seconds of processor time for one run; the usual is a tenth of one.
const SECONDS: &str = "60";
/// Kilobytes of memory for the data of one run with one thread.
const KILOBYTES: &str = "400000";

/// Runs the binary on `args` in such limits.
pub(crate) fn limited(home: &Path, args: &[&str]) -> Run {
    let script = "ulimit -t \"$1\" && ulimit -d \"$2\" && shift 2 && exec \"$@\"";
    let output = Command::new("sh")
        .current_dir(home)
        .args(["-c", script, "sh", SECONDS, KILOBYTES, env!("CARGO_BIN_EXE_linktrawl")])
        .args(["scan", "--format=ndjson", "--threads=1"])
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("the shell runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().is_some(), "{}: {stderr}", output.status);
    Run::of(&output)
}

/// The run met a limit, lost something by it, and read the next input.
#[track_caller]
fn is_limited(run: &Run, name: &str) {
    assert_eq!(run.code, Some(2), "{name}: {}", run.stderr);
    let notes = run.notes();
    assert!(!notes.is_empty() && notes.iter().all(|(kind, _)| *kind == "limit-reached"));
    assert_eq!(run.paths().last(), Some(&"z"), "{name}");
}

fn write_zeros(mut out: impl Write) {
    let block = vec![0; 1 << 20];
    for _ in 0..100 {
        out.write_all(&block).expect("room");
    }
}

#[test]
fn zeros_in_every_codec_end_soon() {
    let home = directory("bombs-zeros");
    write(&home, "z", GOOD);
    let file = |name: &str| fs::File::create(home.join(name)).expect("a file");
    let mut xz = liblzma::write::XzEncoder::new(file("a.xz"), 1);
    write_zeros(&mut xz);
    xz.finish().expect("room");
    let mut bzip2 = bzip2::write::BzEncoder::new(file("a.bz2"), bzip2::Compression::best());
    write_zeros(&mut bzip2);
    bzip2.finish().expect("room");
    let mut zstd = zstd::Encoder::new(file("a.zst"), 1).expect("an encoder");
    write_zeros(&mut zstd);
    zstd.finish().expect("room");
    for name in ["a.xz", "a.bz2", "a.zst"] {
        let run = limited(&home, &[name, "z"]);
        is_limited(&run, name);
        assert!(run.summary()["bytes"].as_u64().is_some_and(|bytes| bytes < 1 << 20), "{name}");
    }
}

/// An archive of Unix version 7.
fn tar<'m>(members: impl Iterator<Item = &'m [u8]>) -> Vec<u8> {
    let mut out = Vec::new();
    for contents in members {
        out.extend_from_slice(&header("a", contents.len()));
        out.extend_from_slice(contents);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    out.write_all(bytes).and_then(|()| out.finish()).expect("memory")
}

#[test]
fn archives_of_archives_end_with_their_depth() {
    let home = directory("bombs-depth");
    write(&home, "z", GOOD);
    let mut bytes = GOOD.as_bytes().to_vec();
    for level in 1..=6_u32 {
        bytes = gzip(&tar(std::iter::repeat_n(&*bytes, 8)));
        write(&home, "a", &bytes);
        let run = limited(&home, &["a", "z"]);
        if level <= 4 {
            // Eight containers in each other: those of gzip and of tar, in turn.
            let found = 8_usize.pow(level) + 1;
            assert_eq!((run.code, run.paths().len()), (Some(0), found), "{}", run.stderr);
        } else {
            is_limited(&run, "a");
            assert_eq!((run.paths().len(), run.notes().len()), (1, 4096));
        }
    }
}

#[test]
fn a_million_members_are_read_and_no_more() {
    let home = directory("bombs-members");
    write(&home, "z", GOOD);
    let script = "{ i=0; while [ $i -lt 1001 ]; do cat thousand; i=$((i + 1)); done; } |
        \"$0\" scan --format ndjson - z";
    write(&home, "thousand", header("a", 0).repeat(1000));
    let run = shell(&home, script);
    is_limited(&run, "tar");
    assert_eq!((run.notes().len(), &run.summary()["members"]), (1, &1_000_000.into()));
}

#[test]
fn a_run_of_bytes_beyond_all_numbers_is_none() {
    let home = directory("bombs-sparse");
    write(&home, "z", GOOD);
    let most = u64::MAX;
    let told = [("size", most.to_string()), ("map", format!("{},5", most - 1))];
    let record = |(key, value)| {
        let text = format!(" GNU.sparse.{key}={value}\n");
        format!("{}{text}", text.len() + 2)
    };
    let records: String = told.into_iter().map(record).collect();
    let mut extension = header("x", records.len());
    extension[156] = b'x';
    mend(&mut extension);
    let mut bytes = [&extension[..], records.as_bytes()].concat();
    bytes.resize(1024, 0);
    bytes.extend(tar([GOOD.as_bytes()].into_iter()));
    write(&home, "a", bytes);
    is_limited(&limited(&home, &["a", "z"]), "sparse");
}

#[test]
fn a_member_beyond_all_numbers_is_a_fault_of_the_archive() {
    let home = directory("bombs-offset");
    write(&home, "z", GOOD);
    let wide = [&[1, 0, 8, 0][..], &[0xFF; 8]].concat();
    let lens = [1, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let entry = [&b"PK\x01\x02"[..], &[0; 24], &lens, &[0xFF; 4], b"a", &wide].concat();
    let local = [&b"PK\x03\x04"[..], &[0; 22], &[1, 0, 0, 0], b"a"].concat();
    let (len, start) = (entry.len() as u64, local.len() as u64);
    let (len, start) = (&len.to_le_bytes()[..4], &start.to_le_bytes()[..4]);
    let end = [&b"PK\x05\x06"[..], &[0; 8], len, start, &[0, 0]].concat();
    write(&home, "a", [local, entry, end].concat());
    let run = limited(&home, &["a", "z"]);
    assert_eq!((run.code, run.notes()), (Some(2), vec![("archive-broken", "a")]), "{}", run.stderr);
}

#[test]
fn a_zip_archive_of_too_many_entries_ends_at_the_limit() {
    let home = directory("bombs-entries");
    write(&home, "z", GOOD);
    let local = [&b"PK\x03\x04"[..], &[0; 22], &[2, 0, 0, 0], b"d/"].concat();
    let count = 1_000_001_u32;
    let mut bytes = local.repeat(count as usize);
    let len = bytes.len();
    for number in (0..count).rev() {
        let at = number * 32;
        bytes.extend_from_slice(b"PK\x01\x02");
        bytes.extend_from_slice(&[0; 24]);
        bytes.extend_from_slice(&[2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend_from_slice(&at.to_le_bytes());
        bytes.extend_from_slice(b"d/");
    }
    let size = u32::try_from(bytes.len() - len).expect("32 bits").to_le_bytes();
    let start = u32::try_from(len).expect("32 bits").to_le_bytes();
    bytes.extend([&b"PK\x05\x06"[..], &[0; 8], &size, &start, &[0, 0]].concat());
    write(&home, "a", bytes);
    let run = limited(&home, &["a", "z"]);
    is_limited(&run, "zip");
    assert_eq!(run.skipped("directory"), 1_000_000);
}

/// A frame that is to be skipped (RFC 8878 §3.1.2), with so many zeros in it.
fn skipped(len: u32) -> Vec<u8> {
    let mut frame = [&b"\x50\x2A\x4D\x18"[..], &len.to_le_bytes()].concat();
    frame.resize(frame.len() + len as usize, 0);
    frame
}

#[test]
fn windows_within_windows_do_not_add_up() {
    const LEN: u32 = 128 << 20;
    let home = directory("bombs-windows");
    write(&home, "z", GOOD);
    let mut bytes = GOOD.as_bytes().to_vec();
    // Each layer fills its window, and makes no more of its bytes than a log may.
    for level in 0..8 {
        let padding = noise(150_000, level);
        let mut out = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
        out.window_log(27).expect("a window");
        for part in [&skipped(150_000 + LEN)[..8], &padding, &vec![0; LEN as usize], &bytes] {
            out.write_all(part).expect("memory");
        }
        bytes = out.finish().expect("memory");
    }
    write(&home, "a", &bytes);
    let run = limited(&home, &["a", "z"]);
    is_limited(&run, "windows");
    // The limit is ours, and not that of the system.
    assert!(!run.stderr.contains("llocat"), "{}", run.stderr);
}

/// A message of so many multiparts in each other.
fn deep(levels: usize) -> String {
    let mut text = "From: a@b\nTo: c@d\nMIME-Version: 1.0\n".to_owned();
    for level in 0..levels {
        text += &format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n");
    }
    text + "\nhttp://deep/\n"
}

#[test]
fn mail_deeper_than_the_limit_is_read_as_it_stands_and_counted() {
    let home = directory("bombs-mime");
    write(&home, "z", GOOD);
    let messages = "Content-Type: message/rfc822\n\nFrom: a@b\nTo: c@d\n".repeat(100_000);
    let texts = [deep(100_000), format!("From: a@b\nTo: c@d\n{messages}\nhttp://deep/\n")];
    for text in texts {
        write(&home, "a", text);
        let run = limited(&home, &["a", "z"]);
        // Nothing is lost: it is read undecoded, and one note says so.
        assert_eq!((run.code, run.notes().len()), (Some(0), 1), "{}", run.stderr);
        assert_eq!(run.paths(), ["a", "z"]);
        assert!(run.skipped("mime-too-deep") > 0, "{}", run.stderr);
    }
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// A decoder for each of them would take minutes.
#[test]
fn a_million_empty_streams_of_bzip2_are_passed_by() {
    let home = directory("bombs-empty-streams");
    let mut bytes = bzip2(b"").repeat(1_000_000);
    bytes.extend(bzip2(GOOD.as_bytes()));
    bytes.extend(bzip2(b"").repeat(3));
    write(&home, "a.bz2", &bytes);
    let run = limited(&home, &["a.bz2"]);
    assert_eq!((run.code, run.paths()), (Some(0), vec!["a.bz2"]), "{}", run.stderr);
    bytes.extend(b"more");
    write(&home, "a.bz2", &bytes);
    let run = limited(&home, &["a.bz2"]);
    assert_eq!((run.notes().len(), run.paths()), (1, vec!["a.bz2"]), "{}", run.stderr);
}

#[test]
fn short_streams_of_bzip2_end_at_the_limit() {
    let home = directory("bombs-short-streams");
    write(&home, "z", GOOD);
    write(&home, "a.bz2", bzip2(b"a\n").repeat(20_001));
    is_limited(&limited(&home, &["a.bz2", "z"]), "a.bz2");
}
