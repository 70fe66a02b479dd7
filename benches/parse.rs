//! Parses a list of URIs by grammars: in memory, on one thread, beside other parsers, and as a
//! whole process that reads the list and writes a record for each line.
//!
//! Counts come first: each engine must take as many lines of a list of [`COUNTED_LEN`] bytes
//! as the table below says, and those that read the same specification must agree on each
//! line. Engines then take turns, so that a slow minute of the machine hits all of them, and
//! ours must hold the ratios of [`BOUNDS_OF_URIS`] and
//! [`BOUNDS_OF_LINES`].
//!
//! ```text
//! cargo bench --bench parse -- [--counts] [--size MB] [--rounds N]
//!                              [--record --date 2001-12-31 [--host NAME]]
//! ```
//! Where the numbers may mislead: engines do not answer the same question. Ours check alone
//! here, and return components on demand; fluent-uri and iri-string find them while they check;
//! url, ada and `whatwg, href` parse into a text of their own, and `can_parse` of ada throws
//! that away. `whatwg` reads no further than the port: nothing after it can fail.
//! All but ours are given text that is known to be UTF-8. The list stays in the caches of the
//! processor's second level at best; the process reads it from the page cache.
#![expect(clippy::print_stdout, reason = "a bench prints its tables")]
#![expect(clippy::expect_used, reason = "a bench that cannot work must stop")]

#[expect(dead_code, reason = "the kinds of text to be scanned are not parsed here")]
mod generate;
#[expect(dead_code, reason = "no regular expression takes part")]
mod harness;
#[expect(dead_code, reason = "standard input is a file here")]
mod program;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Parser;
use generate::Kind;
use harness::{Common, Mode, median};
use iri_string::types::{IriStr, UriStr};
use linktrawl::internal::grammar;
use linktrawl::internal::grammar::normalize;
use program::{Program, Sink};
use serde_json::Value;

/// A list of URIs, one a line.
const LIST: Kind =
    Kind { name: "uris", text: include_str!("../corpus/bench/uris.txt"), root: "line" };

/// Size of the list that is counted in [`ENGINES`] and parsed in memory: some forty thousand lines,
/// too many for branches to be learnt.
const COUNTED_LEN: usize = 2_000_000;

/// Lines of that list.
const LINES: usize = 42340;

/// Lines of that list that are not the same as another one.
const DISTINCT: usize = 37019;

/// Lines that are URIs by RFC 3986, IRIs by RFC 3987, and URLs as browsers read them.
const RFC3986_COUNT: usize = 39930;
const RFC3987_COUNT: usize = 40775;
const WHATWG_COUNT: usize = 41820;

/// Differences that are listed before the rest is only counted.
const LISTED_MAX: usize = 20;

/// Most that a process may take, in times of fluent-uri over the same lines in memory: it
/// reads them, finds their components, and writes records six times as long.
const PROCESS_PART_MAX: f64 = 9.0;

/// The promise for a process: this much memory for a list of any length.
const PEAK_MAX: u64 = 16_000_000;

#[derive(Parser)]
struct Options {
    #[command(flatten)]
    common: Common,
    /// Millions of bytes in the list that a process reads
    #[arg(long, value_name = "MB", default_value_t = 100)]
    size: usize,
}

/// One parser and what it must do.
struct Engine {
    name: &'static str,
    parser: Takes,
    /// How many lines of the counted list it must take.
    count: usize,
}

/// Whether a line is taken, by whom.
#[derive(Clone, Copy)]
enum Takes {
    /// Ours, of the engine's name.
    Ours,
    /// Ours, and the spans of the generic components of what is taken.
    OursSplit(&'static str),
    /// Another parser.
    Other(fn(&str) -> bool),
}

const fn ours(name: &'static str, count: usize) -> Engine {
    Engine { name, parser: Takes::Ours, count }
}

const fn other(name: &'static str, count: usize, takes: fn(&str) -> bool) -> Engine {
    Engine { name, parser: Takes::Other(takes), count }
}

/// The engine that the table's ratios refer to.
const FLUENT_URI: usize = 2;

/// Where the parsers of WHATWG's URLs begin, up to the end.
const WHATWG: usize = 10;

const ENGINES: &[Engine] = &[
    ours("rfc3986-uri", RFC3986_COUNT),
    Engine {
        name: "rfc3986-uri, split",
        parser: Takes::OursSplit("rfc3986-uri"),
        count: RFC3986_COUNT,
    },
    other("fluent-uri, Uri", RFC3986_COUNT, |text| fluent_uri::Uri::parse(text).is_ok()),
    other("iri-string, UriStr", RFC3986_COUNT, |text| UriStr::new(text).is_ok()),
    ours("rfc3987-iri", RFC3987_COUNT),
    other("fluent-uri, Iri", RFC3987_COUNT, |text| fluent_uri::Iri::parse(text).is_ok()),
    other("iri-string, IriStr", RFC3987_COUNT, |text| IriStr::new(text).is_ok()),
    ours("current", 40775),
    ours("rfc1738", 33396),
    ours("draft1993", 27083),
    ours("whatwg", WHATWG_COUNT),
    other("whatwg, href", WHATWG_COUNT, serialise),
    other("url, parse", WHATWG_COUNT, |text| url::Url::parse(text).is_ok()),
    other("ada, parse", WHATWG_COUNT, |text| ada_url::Url::parse(text, None).is_ok()),
    other("ada, can_parse", WHATWG_COUNT, |text| ada_url::Url::can_parse(text, None)),
];

/// Ours with the serialisation, in memory of its own as those of url and ada are.
fn serialise(text: &str) -> bool {
    let rules = normalize::find("whatwg").expect("the rule set is there");
    normalize::normalize(text.as_bytes(), rules).is_ok()
}

/// A limit on the time of one engine: at most this part of the other's.
struct Bound {
    engine: &'static str,
    other: &'static str,
    part_max: f64,
}

const fn bound(engine: &'static str, other: &'static str, part_max: f64) -> Bound {
    Bound { engine, other, part_max }
}

/// Over URIs, where all parsers do the same work.
const BOUNDS_OF_URIS: &[Bound] = &[
    bound("rfc3986-uri", "fluent-uri, Uri", 1.0),
    bound("rfc3986-uri", "iri-string, UriStr", 1.0 / 1.5),
    bound("rfc3987-iri", "fluent-uri, Iri", 1.0),
    bound("rfc3987-iri", "iri-string, IriStr", 1.0 / 1.5),
    bound("whatwg, href", "ada, parse", 1.0),
    bound("whatwg", "ada, parse", 1.0),
];

/// Over all lines: a fault of ours names a rule, all the bytes that were possible there, and a
/// remedy; the others report an offset at most.
const BOUNDS_OF_LINES: &[Bound] = &[
    bound("rfc3986-uri", "fluent-uri, Uri", 1.5),
    bound("rfc3986-uri", "iri-string, UriStr", 1.0),
    bound("rfc3987-iri", "fluent-uri, Iri", 1.0),
    bound("rfc3987-iri", "iri-string, IriStr", 1.0),
];

fn main() {
    let options = Options::parse();
    let list = list(COUNTED_LEN);
    let lines: Vec<&str> = list.lines().collect();
    check_counts(&lines);
    check_process(&list);
    if options.common.mode() == Mode::Counts {
        return;
    }
    let rounds = options.common.rounds.get();
    let uris: Vec<&str> =
        lines.iter().copied().filter(|line| ENGINES[FLUENT_URI].run(&[line]) == 1).collect();
    let tables = in_memory("URIs of RFC 3986", &uris, BOUNDS_OF_URIS, rounds)
        + &in_memory("lines", &lines, BOUNDS_OF_LINES, rounds)
        + &process(options.size * 1_000_000, rounds);
    options.common.publish("parse", &tables);
}

fn list(len: usize) -> String {
    String::from_utf8(generate::buffer(&LIST, len)).expect("generators write UTF-8")
}

impl Engine {
    /// How many of `lines` are taken.
    fn run(&self, lines: &[&str]) -> usize {
        let found = |name| grammar::find(name).expect("the grammar is there");
        let count = |takes: &dyn Fn(&str) -> bool| lines.iter().filter(|line| takes(line)).count();
        match self.parser {
            Takes::Other(takes) => lines.iter().filter(|line| takes(black_box(line))).count(),
            Takes::Ours => {
                let ours = found(self.name);
                count(&|line| ours.check(line.as_bytes()).is_ok())
            }
            Takes::OursSplit(name) => {
                let ours = found(name);
                count(&|line| {
                    let is_taken = ours.check(line.as_bytes()).is_ok();
                    if is_taken {
                        black_box(ours.split(line.as_bytes()));
                    }
                    is_taken
                })
            }
        }
    }
}

/// Prints every count, so that a wanted change can be copied, and stops only after the last.
fn check_counts(lines: &[&str]) {
    let distinct: HashSet<&&str> = lines.iter().collect();
    println!("{} lines, {} distinct", lines.len(), distinct.len());
    let mut wrong = usize::from((lines.len(), distinct.len()) != (LINES, DISTINCT));
    for engine in ENGINES {
        let count = engine.run(lines);
        let is_right = count == engine.count;
        wrong += usize::from(!is_right);
        let remark = if is_right { "as expected" } else { "NOT AS EXPECTED" };
        println!("    {:<20} {count:>6} {remark}", engine.name);
    }
    assert_eq!(wrong, 0, "counts that differ from those in benches/parse.rs");
    for engines in [&ENGINES[..4], &ENGINES[4..7], &ENGINES[WHATWG..]] {
        let differs = |line: &&&str| {
            let counts: Vec<usize> = engines.iter().map(|one| one.run(&[line])).collect();
            counts.windows(2).any(|pair| pair[0] != pair[1])
        };
        let differing: Vec<&&str> = lines.iter().filter(differs).take(LISTED_MAX).collect();
        assert!(differing.is_empty(), "{} is not agreed on: {differing:?}", engines[0].name);
    }
}

/// One record a line, and as many valid ones as the grammar takes.
fn check_process(list: &str) {
    let output = ours_over(&file(list)).output();
    let records: Vec<Value> = output
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).expect("each line is a JSON object"))
        .collect();
    assert_eq!(records.len(), LINES, "a record for each line");
    let valid = records.iter().filter(|record| record["ok"] == true).count();
    println!("{} records, {valid} of them ok", records.len());
    assert_eq!(valid, RFC3986_COUNT, "records that are ok");
}

/// A file that holds `list`, for standard input.
fn file(list: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-data");
    fs::create_dir_all(&folder).expect("the target folder can be written to");
    let path = folder.join(format!("{}-{}.txt", LIST.name, list.len()));
    fs::write(&path, list).expect("the list can be written");
    path
}

fn program(name: &str, path: &str, arguments: &[&str], input: &Path) -> Program {
    Program {
        name: name.to_owned(),
        path: path.into(),
        arguments: arguments.iter().map(Into::into).collect(),
        input: Some(input.to_owned()),
        code_max: 1,
    }
}

fn ours_over(input: &Path) -> Program {
    let arguments = ["parse", "--grammar", "rfc3986", "--format", "ndjson"];
    program("linktrawl parse", env!("CARGO_BIN_EXE_linktrawl"), &arguments, input)
}

/// The table of the engines over lines in memory.
fn in_memory(what: &str, lines: &[&str], bounds: &[Bound], rounds: u32) -> String {
    let mut times = vec![Vec::new(); ENGINES.len()];
    for _ in 0..rounds {
        for (engine, times) in ENGINES.iter().zip(&mut times) {
            times.push(timed(|| engine.run(black_box(lines))));
        }
    }
    let bytes: usize = lines.iter().map(|line| line.len()).sum();
    let mean = bytes as f64 / lines.len() as f64;
    let mut text = format!("\nin memory: {} {what}, {mean:.1} bytes on average\n", lines.len());
    text += "engine                  MURI/s    best   GB/s  /fluent-uri   taken\n";
    for (engine, own) in ENGINES.iter().zip(&times) {
        let middle = median(own);
        writeln!(
            text,
            "{:<22} {:>7.2} {:>7.2} {:>6.2} {:>13.2} {:>7}",
            engine.name,
            rate(lines.len(), middle) / 1e6,
            rate(lines.len(), best(own)) / 1e6,
            rate(bytes, middle) / 1e9,
            median(&times[FLUENT_URI]).as_secs_f64() / middle.as_secs_f64(),
            engine.run(lines),
        )
        .expect("a string takes every write");
    }
    bounds.iter().for_each(|bound| bound.hold(&times, &text));
    text
}

impl Bound {
    /// Noise only ever adds time, so that the fastest rounds are compared.
    fn hold(&self, times: &[Vec<Duration>], table: &str) {
        let time = |name| {
            let found = ENGINES.iter().position(|engine| engine.name == name);
            best(&times[found.expect("a bound names engines")]).as_secs_f64()
        };
        let part = time(self.engine) / time(self.other);
        let Self { engine, other, part_max } = self;
        assert!(part <= *part_max, "{table}{engine} takes {part:.2} of the time of {other}");
    }
}

/// The table of a whole process, and of what bounds it: `cat`, and `memchr` in memory.
fn process(len: usize, rounds: u32) -> String {
    let list = list(len);
    let lines: Vec<&str> = list.lines().collect();
    let path = file(&list);
    let ours = ours_over(&path);
    let cat = program("cat", "cat", &[], &path);
    let peak = ours.peak(Sink::Nothing);
    assert!(peak.is_none_or(|peak| peak <= PEAK_MAX), "peak of {peak:?} bytes");
    let fluent = &ENGINES[FLUENT_URI];
    let report = path.with_extension("out");
    let rows: [(&str, &dyn Fn() -> Duration); 5] = [
        ("linktrawl to /dev/null", &|| ours.time(Sink::Nothing)),
        ("linktrawl to a file", &|| ours.time(Sink::File(&report))),
        ("cat to /dev/null", &|| cat.time(Sink::Nothing)),
        ("memchr, line feeds", &|| timed(|| memchr::memchr_iter(b'\n', list.as_bytes()).count())),
        (fluent.name, &|| timed(|| fluent.run(&lines))),
    ];
    let mut times = vec![Vec::new(); rows.len()];
    for _ in 0..rounds {
        for ((_, time), times) in rows.iter().zip(&mut times) {
            times.push(time());
        }
    }
    fs::remove_file(&report).expect("the report was written");
    let mut text = format!("\nlinktrawl parse --grammar rfc3986 --format ndjson: {} bytes, ", len);
    writeln!(text, "{} lines", lines.len()).expect("a string takes every write");
    text += "program                MURI/s    best   GB/s  /first\n";
    for ((name, _), own) in rows.iter().zip(&times) {
        let middle = median(own);
        writeln!(
            text,
            "{name:<22} {:>6.2} {:>7.2} {:>6.2} {:>7.2}",
            rate(lines.len(), middle) / 1e6,
            rate(lines.len(), best(own)) / 1e6,
            rate(list.len(), middle) / 1e9,
            middle.as_secs_f64() / median(&times[0]).as_secs_f64(),
        )
        .expect("a string takes every write");
    }
    let part = best(&times[0]).as_secs_f64() / best(&times[4]).as_secs_f64();
    assert!(part <= PROCESS_PART_MAX, "{text}linktrawl takes {part:.2} of the time of fluent-uri");
    text
}

fn timed(run: impl FnOnce() -> usize) -> Duration {
    let start = Instant::now();
    black_box(run());
    start.elapsed()
}

/// The fastest of `times`, which is not empty.
fn best(times: &[Duration]) -> Duration {
    times.iter().min().copied().expect("there was a round")
}

/// How many of `count` pass in a second.
fn rate(count: usize, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}
