//! Whole processes on one large mbox: `linktrawl scan` against `rg -o` with the same schemes,
//! wall-clock time and peak memory; then memory alone on an endless standard input.
//!
//! With `--counts`, on a small mbox: the same bytes come out for 1, 2 and 8 threads, the
//! summary counts what was printed, and rg finds no more links of the web than ours.
//!
//! ```text
//! cargo bench --bench process -- [--counts] [--size MB] [--stdin GB] [--threads N]
//!                                [--rounds N] [--record --date 2001-12-31 [--host NAME]]
//! ```
//! Where the numbers may mislead: the file is in the page cache after the warm-up, so no disk
//! is measured; ours prints a line number, a column and a verdict for each link,
//! rg the link alone; rg works on a single file with one thread and maps it, which its peak
//! memory shows. Only the pattern of every scheme asks rg for what ours finds; the others
//! let it look for a literal.
#![expect(clippy::print_stdout, reason = "a bench prints its tables")]
#![expect(clippy::expect_used, reason = "a bench that cannot work must stop")]

mod generate;
mod harness;
mod program;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;
use generate::Generator;
use harness::{Common, Mode, PATTERN_OF_THE_WEB, median};
use program::{Program, Sink};
use serde_json::Value;

/// The kind of text that spools hold.
const KIND: &str = "mail";

/// Length in bytes of the block that standard input repeats.
const BLOCK_LEN: usize = 64_000_000;

/// The promise: this much memory for any input, and as much again for each thread.
const PEAK_MAX: u64 = 64_000_000;
const PEAK_OF_THREAD_MAX: u64 = 4_000_000;

/// Sizes under `--counts`: the file in millions of bytes, standard input in thousands of them.
const COUNTED_SIZE: usize = 16;
const COUNTED_STDIN: usize = 1;

#[derive(Parser)]
struct Options {
    #[command(flatten)]
    common: Common,
    /// Millions of bytes in the mbox
    #[arg(long, value_name = "MB", default_value_t = 1000)]
    size: usize,
    /// Thousands of millions of bytes on standard input; 0 leaves that run out
    #[arg(long, value_name = "GB", default_value_t = 20)]
    stdin: usize,
    /// Threads of linktrawl
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: u64,
}

fn main() {
    let options = Options::parse();
    let mode = options.common.mode();
    let size = if mode == Mode::Counts { COUNTED_SIZE } else { options.size };
    let mbox = mbox(size * 1_000_000);
    if mode == Mode::Counts {
        check_counts(&mbox);
        print!("{}", memory_of_stdin(COUNTED_STDIN, options.threads));
        return;
    }
    let mut tables = times(&mbox, &options);
    if options.stdin > 0 {
        tables += &memory_of_stdin(options.stdin, options.threads);
    }
    options.common.publish("process", &tables);
}

/// An mbox of at least `len` bytes, written once and kept while the generator is the same.
fn mbox(len: usize) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-data");
    fs::create_dir_all(&folder).expect("the target folder can be written to");
    let kind = generate::find(KIND).expect("there is mail");
    let print = fingerprint(&generate::buffer(kind, 1_000_000));
    let path = folder.join(format!("{KIND}-{len}-{print:016x}.mbox"));
    if path.exists() {
        return path;
    }
    let part = path.with_extension("part");
    let mut file = File::create(&part).expect("the mbox can be made");
    let mut generator = Generator::new(kind);
    let (mut block, mut written) = (Vec::new(), 0);
    while written < len {
        block.clear();
        generator.fill((len - written).min(BLOCK_LEN), &mut block);
        file.write_all(&block).expect("the mbox can be written");
        written += block.len();
    }
    fs::rename(&part, &path).expect("the mbox can be renamed");
    path
}

/// FNV-1a, 64 bits.
fn fingerprint(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

fn ours(threads: u64, more: &[&str], input: &Path) -> Program {
    let number = threads.to_string();
    let arguments = ["scan", "--threads", &number].into_iter().chain(more.iter().copied());
    Program {
        name: format!("linktrawl scan --threads {threads}"),
        path: env!("CARGO_BIN_EXE_linktrawl").into(),
        arguments: arguments.map(OsString::from).chain([input.into()]).collect(),
        input: None,
        code_max: 1,
    }
}

/// Returns rg without the settings of the user who runs the bench.
fn rg(name: &str, options: &[&str], pattern: &str, input: &Path) -> Program {
    let first = ["--no-config"].into_iter();
    let arguments = first.chain(options.iter().copied()).chain(["--regexp", pattern]);
    Program {
        name: name.to_owned(),
        path: "rg".into(),
        arguments: arguments.map(OsString::from).chain([input.into()]).collect(),
        input: None,
        code_max: 0,
    }
}

/// The version of rg; nothing when it is not installed.
fn rg_version() -> Option<String> {
    Some(harness::answer("rg", &["--version"])).filter(|version| version.starts_with("ripgrep"))
}

fn check_counts(mbox: &Path) {
    let json = ["--format", "ndjson"];
    let alone = ours(1, &json, mbox).output();
    for threads in [2, 8] {
        let together = ours(threads, &json, mbox).output();
        assert!(alone == together, "the report differs between 1 and {threads} threads");
    }
    let records: Vec<Value> = alone
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).expect("each line is a JSON object"))
        .collect();
    let findings: Vec<&Value> =
        records.iter().filter(|record| record["type"] == "finding").collect();
    let summary = records.last().expect("a report has a summary");
    assert_eq!(summary["type"], "summary", "the last record is the summary");
    assert_eq!(summary["findings"], findings.len(), "the summary counts the findings");
    let is_of_the_web = |finding: &&&Value| {
        ["http", "https", "ftp"].iter().any(|scheme| finding["scheme"] == *scheme)
    };
    let web = findings.iter().filter(is_of_the_web).count();
    println!("{} findings, {web} of them http, https or ftp", findings.len());
    if rg_version().is_none() {
        println!("rg is not installed: its count is not compared");
        return;
    }
    let found = rg("rg", &["-a", "-o"], PATTERN_OF_THE_WEB, mbox).output();
    let found = found.iter().filter(|&&byte| byte == b'\n').count();
    println!("rg finds {found} of http, https or ftp");
    // A link that occurs again in another form of a message is reported by the finding that it has.
    let twins = summary["skipped"]["twin"].as_u64().unwrap_or_default();
    let web = web + usize::try_from(twins).expect("a count of findings in memory");
    println!("{twins} of ours stand in two places");
    assert!((1..=web).contains(&found), "rg finds {found}, ours {web}");
}

/// Time and peak memory of every program, each with both sinks.
fn times(mbox: &Path, options: &Options) -> String {
    let mut programs = vec![ours(options.threads, &[], mbox)];
    if options.threads != 1 {
        programs.push(ours(1, &[], mbox));
    }
    let version = rg_version();
    if version.is_some() {
        let authorities = harness::pattern_of_authorities();
        let every = harness::pattern_of_every_scheme();
        programs.push(rg("rg -o, every scheme", &["-o"], &every, mbox));
        programs.push(rg("rg -a -o, every scheme", &["-a", "-o"], &every, mbox));
        programs.push(rg("rg -a -o, schemes://", &["-a", "-o"], &authorities, mbox));
        programs.push(rg("rg -a -o, https?|ftp", &["-a", "-o"], PATTERN_OF_THE_WEB, mbox));
    }
    let len = fs::metadata(mbox).expect("the mbox is there").len();
    let version = version.unwrap_or_else(|| "rg is not installed".to_owned());
    let mut text = format!("\n{KIND}: {len} bytes, {version}\n");
    text += "program                     stdout      seconds    best   /first   peak MB\n";
    let report = mbox.with_extension("out");
    for sink in [Sink::Nothing, Sink::File(&report)] {
        text += &times_into(sink, &programs, options);
    }
    fs::remove_file(&report).expect("the report was written");
    text
}

/// The rows of one sink. The warm-up run is the one whose memory is watched.
fn times_into(sink: Sink<'_>, programs: &[Program], options: &Options) -> String {
    let peaks: Vec<Option<u64>> = programs.iter().map(|program| program.peak(sink)).collect();
    assert_peak(peaks[0], options.threads);
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); programs.len()];
    for _ in 0..options.common.rounds.get() {
        for (program, times) in programs.iter().zip(&mut times) {
            times.push(program.time(sink));
        }
    }
    let mut text = String::new();
    for (idx, program) in programs.iter().enumerate() {
        let middle = median(&times[idx]);
        let best = times[idx].iter().min().copied().unwrap_or_default();
        writeln!(
            text,
            "{:<27} {:<10} {:>8.3} {:>7.3} {:>8.2} {:>9}",
            program.name,
            sink.name(),
            middle.as_secs_f64(),
            best.as_secs_f64(),
            middle.as_secs_f64() / median(&times[0]).as_secs_f64(),
            megabytes(peaks[idx]),
        )
        .expect("a string takes every write");
    }
    text
}

/// Feeds `size` thousand million bytes and holds the peak to the promise.
fn memory_of_stdin(size: usize, threads: u64) -> String {
    let kind = generate::find(KIND).expect("there is mail");
    let block = generate::buffer(kind, BLOCK_LEN);
    let times = (size * 1_000_000_000).div_ceil(block.len());
    let peak = ours(threads, &[], Path::new("-")).peak_fed(&block, times);
    assert_peak(peak, threads);
    format!(
        "\nstandard input: {} bytes, {threads} threads, peak {} MB\n",
        times * block.len(),
        megabytes(peak)
    )
}

fn assert_peak(peak: Option<u64>, threads: u64) {
    let most = PEAK_MAX + PEAK_OF_THREAD_MAX * threads;
    assert!(peak.is_none_or(|peak| peak <= most), "peak of {peak:?} bytes, allowed {most}");
}

fn megabytes(bytes: Option<u64>) -> String {
    bytes.map_or("unknown".to_owned(), |bytes| format!("{:.1}", bytes as f64 / 1e6))
}
