//! The minimal program that reports the links of a mailbox: the physical limit beside which
//! `benches/inputs.py` puts `linktrawl scan --format ndjson`.
//!
//! ```text
//! least THREADS MBOX > RECORDS
//! ```
//! It looks for `://` in the undecoded text, walks to both ends by a table, counts lines, copies
//! Message-ID and Date, and prints records with the keys of ours. It decodes nothing, knows no
//! MIME, no HTML, no headers but those two, no schemes and no grammar, compares nothing, and finds
//! neither wrapped nor coded links: a program that takes less time reports less.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::{env, process, thread};

use memchr::{memchr_iter, memmem, memrchr};

/// The text that follows the scheme of a link.
const MARK: &[u8] = b"://";

/// Bytes that one thread looks at before it asks for more.
const PIECE_LEN: usize = 256 * 1024;
/// Bytes around a piece that a link may reach into.
const AROUND: usize = 4096;
/// Bytes of a header that are looked at.
const HEAD_LEN_MAX: usize = 4096;
/// Bytes of records between two writes, about.
const RECORDS_LEN: usize = 2 * PIECE_LEN;

/// The mailbox, what is done of it, and where the records go.
struct Run<'r> {
    path: &'r str,
    file: &'r File,
    len: u64,
    /// Number of the piece that is looked at next.
    next: AtomicU64,
    /// Number of the piece whose records are written next.
    turn: Mutex<u64>,
    passed: Condvar,
}

/// The fields of a message that each of its records repeats.
#[derive(Default)]
struct Message<'b> {
    id: &'b [u8],
    date: &'b [u8],
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [threads, path] = arguments.as_slice() else { usage() };
    let Ok(threads) = threads.parse::<usize>() else { usage() };
    let file = File::open(path)?;
    let len = file.metadata()?.len();
    let (next, turn, passed) = (AtomicU64::new(0), Mutex::new(0), Condvar::new());
    let run = Run { path, file: &file, len, next, turn, passed };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| run.work())).collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().unwrap_or_else(|_| Err(io::Error::other("a thread failed")))
        })
    })
}

fn usage() -> ! {
    let _ = writeln!(io::stderr(), "usage: least THREADS MBOX");
    process::exit(2)
}

impl Run<'_> {
    fn work(&self) -> io::Result<()> {
        let mut bytes = vec![0; PIECE_LEN + 2 * AROUND];
        let mut records = Vec::with_capacity(RECORDS_LEN);
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let at = number * PIECE_LEN as u64;
            if at >= self.len {
                return Ok(());
            }
            let before = if number == 0 { 0 } else { AROUND };
            let read = self.fill(&mut bytes, at - before as u64)?;
            let text = bytes.get(..read).unwrap_or_default();
            records.clear();
            self.records(text, before, at, &mut records);
            self.write(number, &records)?;
        }
    }

    fn fill(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        let mut read = 0;
        while let Some(rest) = bytes.get_mut(read..).filter(|rest| !rest.is_empty()) {
            match self.file.read_at(rest, at + read as u64)? {
                0 => break,
                more => read += more,
            }
        }
        Ok(read)
    }

    /// Appends the records of the piece that begins at `from` of `text`, and at `at` of the file.
    fn records(&self, text: &[u8], from: usize, at: u64, out: &mut Vec<u8>) {
        let to = text.len().min(from + PIECE_LEN);
        let mut message = Message::default();
        let heads = memmem::Finder::new(b"\nFrom ");
        let mut next_head = heads.find(text).unwrap_or(text.len());
        // The lines before are counted as if all had the same length: a whole count needs those
        // of the pieces before.
        let (mut line, mut counted, mut after) = (at / 40 + 1, 0, 0);
        for mark in memmem::find_iter(text, MARK) {
            if mark < after {
                continue;
            }
            let Some(link) = link(text, mark) else { continue };
            after = link.end;
            if !(from..to).contains(&mark) {
                continue;
            }
            while next_head < mark {
                message = Message::of(text.get(next_head..).unwrap_or_default());
                let rest = text.get(next_head + 1..).unwrap_or_default();
                next_head = heads.find(rest).map_or(text.len(), |more| next_head + 1 + more);
            }
            let passed = text.get(counted..link.start).unwrap_or_default();
            line += memchr_iter(b'\n', passed).count() as u64;
            counted = link.start;
            let ahead = text.get(..link.start).unwrap_or_default();
            let column = ahead.len() - memrchr(b'\n', ahead).map_or(0, |feed| feed + 1) + 1;
            let uri = text.get(link.clone()).unwrap_or_default();
            let scheme = text.get(link.start..mark).unwrap_or_default();
            let offset = at + link.start as u64 - from as u64;
            self.record([uri, scheme], [offset, line, column as u64], &message, out);
        }
    }

    fn record(
        &self,
        [uri, scheme]: [&[u8]; 2],
        [offset, line, column]: [u64; 3],
        message: &Message<'_>,
        out: &mut Vec<u8>,
    ) {
        out.extend_from_slice(br#"{"type":"finding","uri":""#);
        out.extend_from_slice(uri);
        out.extend_from_slice(br#"","raw":""#);
        out.extend_from_slice(uri);
        out.extend_from_slice(br#"","cue":"bare","scheme":""#);
        out.extend_from_slice(scheme);
        out.extend_from_slice(br#"","place":{"path":""#);
        out.extend_from_slice(self.path.as_bytes());
        out.extend_from_slice(br#"","members":[],"offset":"#);
        append_number(offset, out);
        out.extend_from_slice(br#","len":"#);
        append_number(uri.len() as u64, out);
        out.extend_from_slice(br#","line":"#);
        append_number(line, out);
        out.extend_from_slice(br#","column":"#);
        append_number(column, out);
        out.extend_from_slice(br#","file_offset":"#);
        append_number(offset, out);
        out.extend_from_slice(br#"},"message":{"id":""#);
        out.extend_from_slice(message.id);
        out.extend_from_slice(br#"","date":""#);
        out.extend_from_slice(message.date);
        out.extend_from_slice(br#"","list_id":null,"number":1,"header":null,"part":null},"#);
        out.extend_from_slice(br#""syntax":{"grammar":"current","ok":true,"repairs":[]},"#);
        out.extend_from_slice(br#""reach":null,"verdict":"ok"}"#);
        out.push(b'\n');
    }

    /// Writes the records of piece `number` when its turn has come.
    fn write(&self, number: u64, records: &[u8]) -> io::Result<()> {
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        while *turn != number {
            turn = self.passed.wait(turn).unwrap_or_else(PoisonError::into_inner);
        }
        let written = io::stdout().lock().write_all(records);
        *turn += 1;
        self.passed.notify_all();
        written
    }
}

impl<'b> Message<'b> {
    /// Returns the fields of the header at the beginning of `text`.
    fn of(text: &'b [u8]) -> Self {
        let head = text.get(..text.len().min(HEAD_LEN_MAX)).unwrap_or_default();
        let head = memmem::find(head, b"\n\n").and_then(|end| head.get(..end)).unwrap_or(head);
        let value = |name: &[u8]| {
            let after = memmem::find(head, name).map_or(head.len(), |at| at + name.len());
            let rest = head.get(after..).unwrap_or_default();
            let is_plain =
                |byte: &&u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
            let len = rest.iter().take_while(is_plain).count();
            rest.get(..len).unwrap_or_default()
        };
        Self { id: value(b"\nMessage-Id: "), date: value(b"\nDate: ") }
    }
}

/// Returns the link around the `://` at `mark`; `None` if no letter precedes it.
fn link(text: &[u8], mark: usize) -> Option<Range<usize>> {
    let before = text.get(..mark)?.iter().rev();
    let scheme_len = before.take_while(|byte| byte.is_ascii_alphabetic()).count();
    let rest = text.get(mark + MARK.len()..)?;
    let len = rest
        .iter()
        .take_while(|&&byte| !ENDS.get(usize::from(byte)).is_some_and(|ends| *ends))
        .count();
    (scheme_len > 0).then_some(mark - scheme_len..mark + MARK.len() + len)
}

/// Bytes that no link has.
const ENDS: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = u8::MAX;
    loop {
        ends[byte as usize] = !byte.is_ascii_graphic()
            || matches!(
                byte,
                b'<' | b'>' | b'"' | b'\'' | b'`' | b'|' | b'{' | b'}' | b'^' | b'\\'
            );
        let Some(next) = byte.checked_sub(1) else { break ends };
        byte = next;
    }
};

fn append_number(number: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let (mut first, mut rest) = (digits.len(), number);
    while let Some(digit) = first.checked_sub(1).and_then(|at| digits.get_mut(at)) {
        *digit = b'0' + (rest % 10) as u8;
        (first, rest) = (first - 1, rest / 10);
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(digits.get(first..).unwrap_or_default());
}
