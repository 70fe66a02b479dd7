//! Writing the records of findings: appended by hand, as `--format ndjson` does, beside the
//! `Serialize` that is derived from the type of a record. The hand must be worth its lines: a tenth
//! of the time at least.
//!
//! A mailbox is scanned once a round. Each finding is written in both ways; the bytes must be the
//! same, and their number and that of the findings are asserted first.
//!
//! ```text
//! cargo bench --bench records -- [--counts] [--rounds N]
//!                                [--record --date 2001-12-31 [--host NAME]]
//! ```
//! Where the numbers may mislead: the derived side writes a record that exists already, of owned
//! strings; the conversion of a finding to a record is not measured. The hand copies the parts that
//! it remembers of repeated links. Both are timed finding by finding, which adds 50 ns to each.
#![expect(clippy::print_stdout, reason = "a bench prints its tables")]
#![expect(clippy::expect_used, reason = "a bench that cannot work must stop")]

#[expect(dead_code, reason = "no regular expression takes part")]
mod harness;

use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Parser;
use harness::{Common, Mode, median};
use linktrawl::internal::finding::{Finding, Note, Summary};
use linktrawl::internal::grammar;
use linktrawl::internal::report::escape::json::append_value;
use linktrawl::internal::report::ndjson::Ndjson;
use linktrawl::internal::report::record::Line;
use linktrawl::internal::report::{Encoding, Form, Lines, Report, Style};
use linktrawl::internal::run::{self, Observer, Options, Output};

/// Messages of the mailbox, and links of each.
const MESSAGES: usize = 2000;
const LINKS: usize = 10;

/// One of so many links is malformed, and as many hosts there are.
const BAD: usize = 50;
const HOSTS: usize = 3000;

/// How much of the derived time the hand may take.
const BOUND: f64 = 0.9;

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    common: Common,
}

/// Both ways' times and the bytes that each wrote, so far.
#[derive(Default)]
struct Taken {
    by_hand: Duration,
    derived: Duration,
    findings: usize,
    bytes: usize,
}

static TAKEN: Mutex<Taken> =
    Mutex::new(Taken { by_hand: Duration::ZERO, derived: Duration::ZERO, findings: 0, bytes: 0 });

/// Writes each finding in both ways.
struct Both;

impl Report for Both {
    fn name(&self) -> &'static str {
        "both"
    }

    fn about(&self) -> &'static str {
        "both ways to write a record"
    }

    fn form(&self) -> Form {
        Form::Lines(&Self)
    }
}

impl Lines for Both {
    fn encoding(&self) -> Encoding {
        Encoding::Records
    }

    fn finding(&self, finding: &Finding<'_>, style: &Style, out: &mut Vec<u8>) {
        let start = out.len();
        let clock = Instant::now();
        Ndjson.finding(finding, style, out);
        let by_hand = clock.elapsed();
        let line = out.get(start..).unwrap_or_default();
        let Ok(Line::Finding(record)) = Line::parse(line) else { return };
        let mut derived = Vec::with_capacity(line.len());
        let clock = Instant::now();
        append_value(&record, &mut derived);
        let taken = clock.elapsed();
        let keys = line.strip_prefix(br#"{"type":"finding","#).unwrap_or_default();
        assert_eq!(keys.trim_ascii_end(), derived.get(1..).unwrap_or_default(), "the same record");
        let mut all = TAKEN.lock().expect("one thread");
        all.by_hand += by_hand;
        all.derived += taken;
        all.findings += 1;
        all.bytes += line.len();
        out.truncate(start);
    }

    fn note(&self, _: &Note, _: &mut Vec<u8>) {}

    fn summary(&self, _: &Summary, _: &mut Vec<u8>) {}

    fn saved(&self, _: &Line, _: &[u8], _: &Style, _: &mut Vec<u8>) {}

    fn is_styled(&self) -> bool {
        false
    }

    fn counts_distinct(&self) -> bool {
        true
    }

    fn wants_messages(&self) -> bool {
        true
    }
}

struct Unheard;

impl Observer for Unheard {
    fn note(&self, _: &Note) {}

    fn progress(&self, _: u64) {}
}

fn main() {
    let flags = Flags::parse();
    let mailbox = mailbox();
    let first = measured(&mailbox);
    assert_eq!(first.findings, MESSAGES * LINKS, "findings");
    assert!(first.bytes > first.findings * 300, "{} bytes of records", first.bytes);
    if flags.common.mode() == Mode::Counts {
        return;
    }
    let rounds: Vec<Taken> = (0..flags.common.rounds.get()).map(|_| measured(&mailbox)).collect();
    let by_hand = median(&rounds.iter().map(|round| round.by_hand).collect::<Vec<_>>());
    let derived = median(&rounds.iter().map(|round| round.derived).collect::<Vec<_>>());
    let share = by_hand.as_secs_f64() / derived.as_secs_f64();
    let mut table = String::new();
    writeln!(table, "{} findings, {} bytes of records", first.findings, first.bytes)
        .expect("a string takes every write");
    writeln!(table, "by hand takes {share:.2} of the time of the derived (at most {BOUND})")
        .expect("a string takes every write");
    flags.common.publish("records", &table);
    assert!(share <= BOUND, "by hand takes {share:.2} of the derived time");
}

/// Scans `mailbox` on one thread, and returns what both ways took.
fn measured(mailbox: &[u8]) -> Taken {
    let options = Options {
        grammars: grammar::find("current").into_iter().collect(),
        threads: 1,
        find: linktrawl::Cue::ALL.to_vec(),
        ..Options::default()
    };
    let output = Output {
        report: &Both,
        style: Style::default(),
        name: "nowhere".to_owned(),
        identities: Vec::new(),
        target: Box::new(io::sink()),
    };
    run::scan_stream(Path::new("box"), &mut &*mailbox, &options, vec![output], &Unheard)
        .expect("a scan");
    std::mem::take(&mut *TAKEN.lock().expect("one thread"))
}

fn mailbox() -> Vec<u8> {
    let mut text = String::new();
    for number in 0..MESSAGES {
        let year = 1994 + number % 30;
        write!(
            text,
            "From a@example.org Thu Dec  1 00:00:00 {year}\nMessage-ID: <{number}@h.example>\n\
             Date: Thu, 01 Dec {year} 00:00:00 +0000\nSubject: links\n\n"
        )
        .expect("a string takes every write");
        for link in 0..LINKS {
            let one = LINKS * number + link;
            let fault = if one.is_multiple_of(BAD) { "%zz" } else { "" };
            writeln!(text, "see <http://host{}.example/p/{one}{fault}>\n", one % HOSTS)
                .expect("a string takes every write");
        }
    }
    text.into_bytes()
}
