//! Memory does not grow with the input: each run has the memory that is promised for any
//! input, less what programs have of their own, and reads several times as much.
//!
//! The system holds the run to that: what is beyond the limit is not given, and the run ends
//! at once. Nothing is measured, so that nothing depends on when one looks.

use std::io::{self, Write};
use std::process::{Child, Command, Output, Stdio};
use std::thread;

use super::{Run, directory, write};

/// The promise: so many kilobytes for any input, and as many again for each thread.
const PROMISED: usize = 64 * 1024;
const PROMISED_FOR_THREAD: usize = 8 * 1024;
/// Memory besides data: the program's own code, tables and stack.
const OWN: usize = 16 * 1024;
/// Additional memory for xz -9 and zstd --long: a window, and the tables to search it.
const WINDOW: usize = 136 * 1024;

/// Bytes of the longest document, and the bytes of memory that are asked for one of it: what a
/// parser makes of nothing but brackets is many times as long, and it asks for more than that.
const DOCUMENT_LEN: usize = 8 << 20;
/// The same of Markdown.
const MARKDOWN_LEN: usize = 2 << 20;
const DOCUMENT_RATIO: usize = 128;

/// Bytes of an input: several times what is promised for two threads.
const LEN: usize = 320 << 20;

type Input = fn(&mut dyn Write) -> io::Result<()>;

/// Starts the binary with so many kilobytes of memory for its data.
fn start(kilobytes: usize, threads: usize, args: &[&str]) -> Child {
    let script = "ulimit -d \"$1\" && shift && exec \"$@\"";
    Command::new("sh")
        .args(["-c", script, "sh", &kilobytes.to_string(), env!("CARGO_BIN_EXE_linktrawl")])
        .args(["scan", "--quiet", "--format=ndjson", "--threads", &threads.to_string()])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the shell runs")
}

/// Feeds `input` to `child` while its report is read.
fn feed(mut child: Child, input: Input) -> Output {
    let mut stdin = child.stdin.take().expect("a pipe");
    let feeder = thread::spawn(move || {
        // A run that ends before its input does says so by its exit code.
        let _ = input(&mut stdin);
    });
    let output = child.wait_with_output().expect("the run ends");
    feeder.join().expect("the feeder ends");
    output
}

#[track_caller]
fn run(kilobytes: usize, threads: usize, args: &[&str], input: Input) -> Run {
    let output = feed(start(kilobytes, threads, args), input);
    assert!(
        output.status.code().is_some(),
        "{}: {}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    Run::of(&output)
}

/// Standard input that `input` writes is read in full, with what is promised.
#[track_caller]
fn hold(args: &[&str], input: Input, findings: u64) {
    for threads in [1, 16] {
        let kilobytes = PROMISED - OWN + PROMISED_FOR_THREAD * threads;
        let run = run(kilobytes, threads, args, input);
        assert_eq!(run.code, Some(0), "{threads} threads: {}", run.stderr);
        assert_eq!(run.summary()["findings"], findings, "{threads} threads");
    }
}

fn repeat(out: &mut dyn Write, text: &[u8]) -> io::Result<()> {
    let block = text.repeat((1 << 20) / text.len() + 1);
    for _ in 0..LEN / block.len() {
        out.write_all(&block)?;
    }
    Ok(())
}

#[test]
fn the_limit_ends_what_takes_more() {
    // Without this, a system that gives whatever is asked for would let every test here pass.
    let output = feed(start(3 * 1024, 1, &["-"]), |out| repeat(out, b"x"));
    assert!(!output.status.success(), "{output:?}");
}

#[test]
fn one_line() {
    hold(&["-"], |out| repeat(out, b"words of one line, "), 0);
}

#[test]
fn one_uri() {
    let input: Input = |out| {
        out.write_all(b"http://h/")?;
        repeat(out, b"path/")
    };
    let run = run(PROMISED - OWN, 1, &["-"], input);
    assert_eq!((run.code, run.skipped("uri-too-long")), (Some(0), 1), "{}", run.stderr);
}

#[test]
fn text_with_blank_lines() {
    let blank: Input = |out| {
        repeat(out, b"a line\nanother\n\n")?;
        out.write_all(b"http://h/\n")
    };
    hold(&["-"], blank, 1);
}

const HEAD: &[u8] = b"From: a@b\nTo: c@d\nMIME-Version: 1.0\n";

#[test]
fn one_attachment() {
    let input: Input = |out| {
        out.write_all(HEAD)?;
        out.write_all(b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://before/\n")?;
        out.write_all(b"--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n")?;
        repeat(out, &[&b"QUJD".repeat(18)[..], b"\n"].concat())?;
        out.write_all(b"\n--b\n\nhttp://behind/\n--b--\n")
    };
    hold(&["-"], input, 2);
}

#[test]
fn one_coded_text() {
    let coded: Input = |out| {
        out.write_all(HEAD)?;
        out.write_all(b"Content-Transfer-Encoding: quoted-printable\n\n")?;
        repeat(out, b"a=\nb=20c\n")
    };
    hold(&["-"], coded, 0);
    let coded: Input = |out| {
        out.write_all(HEAD)?;
        out.write_all(b"Content-Transfer-Encoding: base64\n\n")?;
        repeat(out, &[&b"YSBi".repeat(18)[..], b"\n"].concat())
    };
    hold(&["-"], coded, 0);
}

#[test]
fn one_header() {
    let input: Input = |out| {
        out.write_all(HEAD)?;
        repeat(out, b"X-Field: of many\n\tfolded\n")
    };
    hold(&["-"], input, 0);
}

/// A message of some ten thousand parts with `text`, in as many alternatives as there may be.
fn alternatives(text: &str) -> String {
    let header = String::from_utf8_lossy(HEAD);
    let kind = "Content-Type: multipart/alternative; boundary=";
    let levels = (0..31).map(|level| format!("{kind}{level}\n\n--{level}\n"));
    let parts = format!("{text}\n--30\n").repeat(9900);
    format!("{header}{}{parts}", levels.collect::<String>())
}

/// Some of these messages for each thread.
const MESSAGES: usize = 64;

fn mailbox(out: &mut dyn Write, message: &str) -> io::Result<()> {
    (0..MESSAGES).try_for_each(|_| write!(out, "From a@b Thu Dec  1 00:00:00 1994\n{message}\n"))
}

#[test]
fn parts_in_many_alternatives() {
    hold(&["-"], |out| mailbox(out, &alternatives("")), 0);
}

/// Findings there: messages of so many parts are read in several goes, and nothing is compared.
const APART: u64 = 9900 * MESSAGES as u64;

#[test]
fn links_in_many_alternatives() {
    let input: Input = |out| mailbox(out, &alternatives("\nhttp://h/"));
    hold(&["-"], input, APART);
}

#[test]
fn links_in_many_alternatives_of_a_coded_message() {
    let input: Input = |out| {
        let header = String::from_utf8_lossy(HEAD);
        let kind = "Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable";
        let text = alternatives("\nhttp://h/").replace('=', "=3D");
        mailbox(out, &format!("{header}{kind}\n\n{text}\n"))
    };
    hold(&["-"], input, APART);
}

/// A message that is coded in others, thirty deep: `text`, and so many parts in each around.
fn coded_in_each_other(text: &str, parts: usize) -> String {
    let header = String::from_utf8_lossy(HEAD);
    let kind = "Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable";
    (0..30).fold(format!("{header}\n{text}\n\nhttp://h/\n"), |message, number| {
        let line = format!("--{number}\n");
        let (parts, coded) = (format!("{line}\n").repeat(parts), message.replace('=', "=3D"));
        let multipart = format!("Content-Type: multipart/mixed; boundary={number}");
        format!("{header}{multipart}\n\n{parts}{line}{kind}\n\n{coded}")
    })
}

#[test]
fn messages_that_are_coded_in_each_other() {
    let texts: Input = |out| mailbox(out, &coded_in_each_other(&"no more\n".repeat(50_000), 0));
    hold(&["-"], texts, MESSAGES as u64);
    let codes: Input = |out| mailbox(out, &coded_in_each_other(&"=3D\n".repeat(5_000), 0));
    hold(&["-"], codes, MESSAGES as u64);
    let parts: Input = |out| mailbox(out, &coded_in_each_other("no more", 1000));
    hold(&["-"], parts, MESSAGES as u64);
}

#[test]
fn a_mailbox() {
    let input: Input =
        |out| repeat(out, b"From a@b Thu Dec  1 00:00:00 1994\nFrom: a@b\nTo: c@d\n\nno more\n\n");
    hold(&["-"], input, 0);
}

/// A header of a member of a tar archive.
pub(crate) fn header(name: &str, len: usize) -> [u8; 512] {
    let mut block = [0; 512];
    block[..name.len()].copy_from_slice(name.as_bytes());
    block[124..135].copy_from_slice(format!("{len:011o}").as_bytes());
    mend(&mut block);
    block
}

/// Makes the checksum of a header right.
pub(crate) fn mend(block: &mut [u8]) {
    block[148..156].fill(b' ');
    let sum: u64 = block.iter().map(|byte| u64::from(*byte)).sum();
    block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
}

#[test]
fn an_archive_of_many_small_mails() {
    let input: Input = |out| {
        let mut out = zstd::Encoder::new(out, 1)?;
        for number in 0..LEN / 1024 {
            let mail = format!("From: a@b\nTo: c@d\nMessage-ID: <{number}@x>\n\nhello\n");
            out.write_all(&header(&format!("mail/{number}"), mail.len()))?;
            out.write_all(mail.as_bytes())?;
            out.write_all(&vec![0; 512 - mail.len()])?;
        }
        out.write_all(&[0; 1024])?;
        out.finish().map(|_| ())
    };
    hold(&["-"], input, 0);
}

#[test]
fn an_archive_of_one_member() {
    let input: Input = |out| {
        let mut out = flate2::write::GzEncoder::new(out, flate2::Compression::fast());
        out.write_all(&header("a", LEN))?;
        let block = *b"a line of a text\nand one more\n\n.";
        let blocks = block.repeat((1 << 20) / block.len());
        for _ in 0..LEN / blocks.len() {
            out.write_all(&blocks)?;
        }
        out.write_all(&[0; 1024])?;
        out.finish().map(|_| ())
    };
    hold(&["-"], input, 0);
}

#[test]
fn a_list_of_names() {
    let home = directory("memory-list");
    let path = write(&home, "a", "http://h/\n");
    let name = path.to_str().expect("UTF-8");
    // The longest name that the system takes, but for a few bytes.
    let long = format!("{}{name}\n", "/".repeat(4000 - name.len()));
    let names = 64 * 1024;
    let status = {
        let mut child = start(PROMISED - OWN, 1, &["--files-from", "-"]);
        let mut stdin = child.stdin.take().expect("a pipe");
        let feeder =
            thread::spawn(move || (0..names).try_for_each(|_| stdin.write_all(long.as_bytes())));
        // Notes would fill a pipe that nobody reads.
        drop(child.stderr.take());
        // The report is as long as the list, and is not kept either.
        let mut report = child.stdout.take().expect("a pipe");
        let len = io::copy(&mut report, &mut io::sink()).expect("a report");
        feeder.join().expect("the feeder ends").expect("all was taken");
        assert!(len > 256 << 20, "{len}");
        child.wait().expect("the run ends")
    };
    assert_eq!(status.code(), Some(0));
}

/// Text that nothing makes shorter.
pub(crate) fn noise(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let step = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state.to_le_bytes()[6]
    };
    (0..len).map(step).collect()
}

/// Writes data that compress well, and need a window of 128 MiB to be unpacked.
fn far_apart(out: &mut dyn Write) -> io::Result<()> {
    let block = noise(1 << 20, 7);
    for number in 0..160_u32 {
        out.write_all(&block)?;
        out.write_all(&number.to_le_bytes())?;
    }
    Ok(())
}

#[test]
fn a_window_is_all_that_a_format_takes_besides() {
    let input: Input = |out| {
        let mut out = zstd::Encoder::new(out, 1)?;
        out.window_log(27)?;
        out.long_distance_matching(true)?;
        far_apart(&mut out)?;
        out.finish().map(|_| ())
    };
    let run = run(PROMISED - OWN + WINDOW, 1, &["-"], input);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn a_document_takes_so_many_times_its_length() {
    let home = directory("memory-document");
    for (name, text, len) in [
        ("a.md", "[a](http://h/)\n", MARKDOWN_LEN),
        ("b.md", "[", MARKDOWN_LEN),
        ("c.html", "<a href=b>", DOCUMENT_LEN),
        // It is cut.
        ("d.html", "<a href=b>", 3 * DOCUMENT_LEN),
    ] {
        let kilobytes = PROMISED - OWN + len.min(DOCUMENT_LEN) / 1024 * DOCUMENT_RATIO;
        let text = text.repeat((len - 1) / text.len());
        let path = write(&home, name, text);
        let run = run(kilobytes, 1, &[path.to_str().expect("UTF-8")], |_| Ok(()));
        assert_eq!((run.code, run.notes().len()), (Some(0), 0), "{name}: {}", run.stderr);
    }
}

#[test]
fn text_with_escapes_takes_what_a_text_does() {
    let input: Input = |out| {
        let unit = "{\"a\": \"http:\\/\\/h\\/?x\\u0026\"}, ".repeat(1 << 15);
        (0..LEN / unit.len()).try_for_each(|_| out.write_all(unit.as_bytes()))
    };
    let arguments = ["--as=json", "--include=^x", "-"];
    let run = run(PROMISED - OWN + PROMISED_FOR_THREAD, 1, &arguments, input);
    assert_eq!((run.code, run.notes().len()), (Some(0), 0), "{}", run.stderr);
}

#[test]
fn a_document_that_is_longer_takes_what_a_text_does() {
    let home = directory("memory-long-document");
    let text = "[a](http://h/)\n\nmore\n".repeat(DOCUMENT_LEN / 10);
    let path = write(&home, "a.md", &text);
    let arguments = [path.to_str().expect("UTF-8"), "--include=^x"];
    let run = run(PROMISED - OWN + PROMISED_FOR_THREAD, 1, &arguments, |_| Ok(()));
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert_eq!(run.notes().len(), 1, "{}", run.stderr);
    assert_eq!(run.notes()[0].0, "document-too-long");
}
