//! Whole programs from outside: run, timed, and their peak memory read from `/proc`.
//!
//! Time and memory are never taken in the same run: asking `/proc` takes time from a machine
//! of two cores. The peak is the kernel's own high-water mark, asked for every millisecond,
//! so what a program takes in its last millisecond can be missed. Elsewhere than on Linux
//! there is no peak.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const PEAK_PERIOD: Duration = Duration::from_millis(1);

/// A command line to measure.
pub(crate) struct Program {
    /// How tables call it.
    pub(crate) name: String,
    /// The program to run.
    pub(crate) path: PathBuf,
    /// Its arguments.
    pub(crate) arguments: Vec<OsString>,
    /// The file that it reads from standard input, if any.
    pub(crate) input: Option<PathBuf>,
    /// Greatest exit code that means success: 1 if a finding has a fault.
    pub(crate) code_max: i32,
}

/// Where a program's standard output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sink<'p> {
    /// To `/dev/null`.
    Nothing,
    /// To a file, from its beginning.
    File(&'p Path),
}

impl Sink<'_> {
    /// How tables call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Nothing => "/dev/null",
            Self::File(_) => "file",
        }
    }

    fn stdio(self) -> Stdio {
        match self {
            Self::Nothing => Stdio::null(),
            Self::File(path) => File::create(path).expect("the output file can be made").into(),
        }
    }
}

impl Program {
    /// Wall-clock time of one run.
    pub(crate) fn time(&self, sink: Sink<'_>) -> Duration {
        let start = Instant::now();
        let status = self.command(sink).status().expect("the program starts");
        let time = start.elapsed();
        self.expect_success(status);
        time
    }

    /// Runs it once; returns its standard output.
    pub(crate) fn output(&self) -> Vec<u8> {
        let output = self.command(Sink::Nothing).stdout(Stdio::piped()).output();
        let output = output.expect("the program starts");
        self.expect_success(output.status);
        output.stdout
    }

    /// Peak memory of one run in bytes.
    pub(crate) fn peak(&self, sink: Sink<'_>) -> Option<u64> {
        let child = self.command(sink).spawn().expect("the program starts");
        self.peak_until_end(child, None)
    }

    /// Peak memory in bytes of one run that reads `block` again and again, `times` times.
    pub(crate) fn peak_fed(&self, block: &[u8], times: usize) -> Option<u64> {
        let mut command = self.command(Sink::Nothing);
        let mut child = command.stdin(Stdio::piped()).spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("standard input is piped");
        let mut peak = None;
        for _ in 0..times {
            stdin.write_all(block).expect("the program reads to the end");
            peak = peak.max(peak_now(&child));
        }
        drop(stdin);
        self.peak_until_end(child, peak)
    }

    fn peak_until_end(&self, mut child: Child, mut peak: Option<u64>) -> Option<u64> {
        loop {
            peak = peak.max(peak_now(&child));
            if let Some(status) = child.try_wait().expect("the program can be waited for") {
                self.expect_success(status);
                return peak;
            }
            thread::sleep(PEAK_PERIOD);
        }
    }

    fn command(&self, sink: Sink<'_>) -> Command {
        let mut command = Command::new(&self.path);
        let stdin = self.input.as_ref().map_or_else(Stdio::null, |path| {
            File::open(path).expect("the input can be read").into()
        });
        command.args(&self.arguments).stdin(stdin).stdout(sink.stdio());
        command.stderr(Stdio::null());
        command
    }

    fn expect_success(&self, status: ExitStatus) {
        let is_success = status.code().is_some_and(|code| code <= self.code_max);
        assert!(is_success, "{} ended with {status}", self.name);
    }
}

/// The high-water mark of a running child in bytes; nothing when it has ended.
fn peak_now(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
