//! Scanning in memory, on one thread, side by side: the memory's own speed, `memchr`,
//! linkify, the regex crate, ours, and ours with a grammar, on every kind of text.
//!
//! Counts come first: each engine must find what the table below says in buffers of
//! [`COUNTED_LEN`] bytes, and ours must find every link that linkify finds. Engines then
//! take turns, so that a slow minute of the machine hits all of them.
//!
//! ```text
//! cargo bench --bench scan -- [--counts] [--kind NAME] [--size MB] [--rounds N]
//!                             [--record --date 2001-12-31 [--host NAME]]
//! ```
//! Short strings are linkify's own ground, a chat message or a log line at a time: their table
//! gives the time of one text, the start of each engine included.
//!
//! Where the numbers may mislead: linkify is given text that is known to be UTF-8, ours is
//! not; the regular expressions know nothing about where a link ends, and only the last
//! of them finds `mailto:` and `news:` at all; buffers are larger than the caches, so all are
//! bounded by memory.
#![expect(clippy::print_stdout, reason = "a bench prints its tables")]
#![expect(clippy::expect_used, reason = "a bench that cannot work must stop")]

mod generate;
mod harness;

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use clap::Parser;
use generate::{KINDS, Kind};
use harness::{Common, Mode, PATTERN_OF_THE_WEB, median};
use linkify::{LinkFinder, LinkKind};
use linktrawl::internal::grammar::{self, Grammar};
use linktrawl::internal::scan::Scanner;
use linktrawl::{Span, links};
use regex::bytes::Regex;

/// Size of the buffers that are counted in [`COUNTS`].
const COUNTED_LEN: usize = 8_000_000;

/// No generator writes this byte.
const ABSENT: u8 = 0;

/// Differences that are listed before the rest is only counted.
const LISTED_MAX: usize = 20;

/// Expected counts for [`COUNTED_LEN`] bytes of each kind, and the number of bytes up to the end of
/// a piece.
#[derive(Debug, PartialEq, Eq)]
struct Count {
    kind: &'static str,
    bytes: usize,
    ours: usize,
    linkify: usize,
    regex: usize,
}

const COUNTS: &[Count] = &[
    Count { kind: "mail", bytes: 8002047, ours: 5317, linkify: 3556, regex: 3556 },
    Count { kind: "mail-dense", bytes: 8002136, ours: 13385, linkify: 11397, regex: 11397 },
    Count { kind: "rfc", bytes: 8000984, ours: 413, linkify: 357, regex: 357 },
    Count { kind: "html", bytes: 8006718, ours: 7199, linkify: 5074, regex: 5074 },
    Count { kind: "log", bytes: 8000101, ours: 30265, linkify: 30265, regex: 30265 },
    Count { kind: "uri-free", bytes: 8000274, ours: 0, linkify: 0, regex: 0 },
];

#[derive(Parser)]
struct Options {
    #[command(flatten)]
    common: Common,
    /// One kind of text only
    #[arg(long)]
    kind: Option<String>,
    /// Millions of bytes in each buffer
    #[arg(long, value_name = "MB", default_value_t = 256)]
    size: usize,
}

fn main() {
    let options = Options::parse();
    let kinds: Vec<&Kind> = match &options.kind {
        Some(name) => vec![generate::find(name).expect("--kind names a kind")],
        None => KINDS.iter().collect(),
    };
    let engines = Engines::new();
    check_counts(&kinds, &engines);
    check_short(&engines);
    if options.common.mode() == Mode::Counts {
        return;
    }
    let mut tables = if options.kind.is_none() {
        measure_short(&engines, options.common.rounds.get())
    } else {
        String::new()
    };
    for kind in kinds {
        let bytes = generate::buffer(kind, options.size * 1_000_000);
        tables += &measure(kind, &bytes, &engines, options.common.rounds.get());
    }
    options.common.publish("scan", &tables);
}

/// The engines, which are built once; that is not measured.
struct Engines {
    linkify: LinkFinder,
    web: Regex,
    authorities: Regex,
    every: Regex,
    iri: &'static dyn Grammar,
    current: &'static dyn Grammar,
}

impl Engines {
    fn new() -> Self {
        let mut linkify = LinkFinder::new();
        linkify.kinds(&[LinkKind::Url]);
        Self {
            linkify,
            web: regex(PATTERN_OF_THE_WEB),
            authorities: regex(&harness::pattern_of_authorities()),
            every: regex(&harness::pattern_of_every_scheme()),
            iri: grammar::find("rfc3987-iri").expect("the grammar is there"),
            current: grammar::find("current").expect("the grammar is there"),
        }
    }
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is one")
}

/// A buffer, seen as each engine wants it.
struct Input<'b> {
    bytes: &'b [u8],
    text: &'b str,
    engines: &'b Engines,
}

impl<'b> Input<'b> {
    fn new(bytes: &'b [u8], engines: &'b Engines) -> Self {
        let text = std::str::from_utf8(bytes).expect("generators write UTF-8");
        Self { bytes, text, engines }
    }
}

/// One way through a buffer; `run` answers how many links it found.
struct Engine {
    name: &'static str,
    run: fn(&Input<'_>) -> usize,
}

const MEMCHR: usize = 1;
const LINKIFY: usize = 2;

const ENGINES: &[Engine] = &[
    Engine { name: "sum of u64", run: sum },
    Engine { name: "memchr, absent byte", run: absent_byte },
    Engine { name: "linkify, URLs", run: linkify },
    Engine { name: "regex, https?|ftp", run: |input| matches(&input.engines.web, input) },
    Engine { name: "regex, schemes://", run: |input| matches(&input.engines.authorities, input) },
    Engine { name: "regex, every scheme", run: |input| matches(&input.engines.every, input) },
    Engine { name: "links", run: |input| count_links(input.bytes) },
    Engine { name: "scan", run: scan },
    Engine { name: "scan + rfc3987-iri", run: |input| scan_and_check(input, input.engines.iri) },
    Engine { name: "scan + current", run: |input| scan_and_check(input, input.engines.current) },
];

fn sum(input: &Input<'_>) -> usize {
    let words = input.bytes.chunks_exact(8);
    let sum = words.fold(0_u64, |sum, word| {
        let word = word.try_into().map_or(0, u64::from_le_bytes);
        sum.wrapping_add(word)
    });
    black_box(sum);
    0
}

fn absent_byte(input: &Input<'_>) -> usize {
    usize::from(memchr::memchr(ABSENT, input.bytes).is_some())
}

fn linkify(input: &Input<'_>) -> usize {
    input.engines.linkify.links(input.text).count()
}

fn matches(regex: &Regex, input: &Input<'_>) -> usize {
    regex.find_iter(input.bytes).count()
}

fn scan(input: &Input<'_>) -> usize {
    let mut scanner = Scanner::new(input.bytes);
    let mut found = 0;
    while let Some(candidate) = scanner.next() {
        black_box(candidate.text);
        found += 1;
    }
    found
}

/// The links that the library's face finds.
fn count_links(bytes: &[u8]) -> usize {
    links(bytes).inspect(|link| _ = black_box(link.text().in_clear())).count()
}

/// The candidates that `grammar` is content with.
fn scan_and_check(input: &Input<'_>, grammar: &dyn Grammar) -> usize {
    let mut scanner = Scanner::new(input.bytes);
    let mut valid = 0;
    while let Some(candidate) = scanner.next() {
        valid += usize::from(grammar.check(candidate.text).is_ok());
    }
    valid
}

/// Prints every row in the form that [`COUNTS`] has, so that a wanted change can be copied, and
/// stops only after the last.
fn check_counts(kinds: &[&Kind], engines: &Engines) {
    let (mut wrong, mut uncovered) = (0, 0);
    for kind in kinds {
        let bytes = generate::buffer(kind, COUNTED_LEN);
        let input = Input::new(&bytes, engines);
        assert_eq!(absent_byte(&input), 0, "{} holds the absent byte", kind.name);
        let count = count(kind, &input);
        let is_right = COUNTS.contains(&count);
        wrong += usize::from(!is_right);
        println!("    {count:?}, // {}", if is_right { "as expected" } else { "NOT AS EXPECTED" });
        uncovered += list_uncovered(kind, &input);
    }
    assert_eq!(uncovered, 0, "links of linkify that ours does not cover");
    assert_eq!(wrong, 0, "rows that differ from the table in benches/scan.rs");
}

fn count(kind: &Kind, input: &Input<'_>) -> Count {
    Count {
        kind: kind.name,
        bytes: input.bytes.len(),
        ours: scan(input),
        linkify: linkify(input),
        regex: matches(&input.engines.authorities, input),
    }
}

/// Lists links of linkify of which ours has none that begins at the same byte and ends no
/// earlier, and answers how many there are.
fn list_uncovered(kind: &Kind, input: &Input<'_>) -> usize {
    let ours = spans(input);
    let mut uncovered = 0;
    for link in input.engines.linkify.links(input.text) {
        let nearest = ours.partition_point(|span| span.start < link.start());
        let span = ours.get(nearest).filter(|span| span.start == link.start());
        if span.is_some_and(|span| span.end >= link.end()) {
            continue;
        }
        uncovered += 1;
        if uncovered <= LISTED_MAX {
            let ours = span.map(|span| String::from_utf8_lossy(span.of(input.bytes)));
            println!(
                "{} at {}: linkify {:?}, ours {ours:?}",
                kind.name,
                link.start(),
                link.as_str()
            );
        }
    }
    uncovered
}

/// A text as messengers, servers and social networks hold them, and the links in it.
struct Short {
    name: &'static str,
    text: &'static str,
    links: usize,
}

const SHORT: &[Short] = &[
    Short {
        name: "chat message",
        text: "have a look at https://www.example.org/notes/2026-11-20 when you find the time",
        links: 1,
    },
    Short {
        name: "chat, no link",
        text: "I'll be there at 10:30, unless the train is late again: then rather at eleven",
        links: 0,
    },
    Short {
        name: "log line",
        text: "192.0.2.7 - - [20/Nov/2026:10:30:00 +0000] \"GET /a/b.html HTTP/1.1\" 200 5120 \
               \"https://www.example.com/search?q=links&page=2\" \"Mozilla/5.0 (X11)\"",
        links: 1,
    },
    Short {
        name: "tweet",
        text: "New release: faster, smaller, and it reads mail! (https://blog.example.net/0-1-0). \
               Thanks to all who helped: https://example.net/thanks#2026 \u{1F389} #rust",
        links: 2,
    },
];

/// Times that one text is scanned between two looks at the clock.
const SHORT_REPEATS: u32 = 20_000;

fn check_short(engines: &Engines) {
    for Short { name, text, links } in SHORT {
        assert_eq!(engines.linkify.links(text).count(), *links, "linkify in the {name}");
        assert_eq!(count_links(text.as_bytes()), *links, "ours in the {name}");
        let input = Input { bytes: text.as_bytes(), text, engines };
        let kind = Kind { name, text, root: "" };
        assert_eq!(list_uncovered(&kind, &input), 0, "links of linkify in the {name}");
    }
}

/// The table of short texts.
fn measure_short(engines: &Engines, rounds: u32) -> String {
    let mut table = "\nshort texts: nanoseconds for each, medians\n".to_owned();
    table += "text              bytes  linkify    links  linkify/links\n";
    for Short { name, text, .. } in SHORT {
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..rounds {
            let start = Instant::now();
            for _ in 0..SHORT_REPEATS {
                black_box(engines.linkify.links(black_box(text)).count());
            }
            times[0].push(start.elapsed());
            let start = Instant::now();
            for _ in 0..SHORT_REPEATS {
                black_box(count_links(black_box(text.as_bytes())));
            }
            times[1].push(start.elapsed());
        }
        let each =
            |times: &[Duration]| median(times).as_secs_f64() * 1e9 / f64::from(SHORT_REPEATS);
        let (theirs, ours) = (each(&times[0]), each(&times[1]));
        let len = text.len();
        writeln!(table, "{name:<16} {len:>6} {theirs:>8.0} {ours:>8.0} {:>14.2}", theirs / ours)
            .expect("a string takes every write");
    }
    table
}

fn spans(input: &Input<'_>) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut scanner = Scanner::new(input.bytes);
    while let Some(candidate) = scanner.next() {
        spans.push(candidate.span);
    }
    spans
}

/// The table of one kind.
fn measure(kind: &Kind, bytes: &[u8], engines: &Engines, rounds: u32) -> String {
    let input = Input::new(bytes, engines);
    assert_eq!(list_uncovered(kind, &input), 0, "links of linkify that ours does not cover");
    let mut times = vec![Vec::new(); ENGINES.len()];
    let mut found = vec![0; ENGINES.len()];
    for _ in 0..rounds {
        for (idx, engine) in ENGINES.iter().enumerate() {
            let start = Instant::now();
            found[idx] = black_box((engine.run)(black_box(&input)));
            times[idx].push(start.elapsed());
        }
    }
    table(kind, &input, &times, &found)
}

fn table(kind: &Kind, input: &Input<'_>, times: &[Vec<Duration>], found: &[usize]) -> String {
    let len = input.bytes.len();
    let links = density(input);
    let mut text = format!("\n{}: {len} bytes, one of http, https, ftp in {links}\n", kind.name);
    text += "engine                 GB/s    best  /memchr /linkify      found\n";
    let medians: Vec<Duration> = times.iter().map(|times| median(times)).collect();
    for (idx, engine) in ENGINES.iter().enumerate() {
        let speed = rate(len, medians[idx]);
        let best = times[idx].iter().min().copied().unwrap_or_default();
        writeln!(
            text,
            "{:<20} {speed:>6.2}  {:>6.2}  {:>7.2}  {:>7.2} {:>10}",
            engine.name,
            rate(len, best),
            speed / rate(len, medians[MEMCHR]),
            speed / rate(len, medians[LINKIFY]),
            found[idx],
        )
        .expect("a string takes every write");
    }
    text
}

/// Bytes for each link of the web, in words.
fn density(input: &Input<'_>) -> String {
    let links = matches(&input.engines.web, input);
    let bytes = input.bytes.len().checked_div(links);
    bytes.map_or("none".to_owned(), |bytes| format!("{bytes} bytes"))
}

/// `len` bytes in `time`, in GB/s (10^9 bytes).
fn rate(len: usize, time: Duration) -> f64 {
    len as f64 / time.as_secs_f64() / 1e9
}
