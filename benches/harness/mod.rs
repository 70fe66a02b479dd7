//! Code that the benches share besides their inputs: options, medians, the pattern of the regular
//! expressions, and records. Measures nothing itself.

use std::fmt::Write as _;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use linktrawl::internal::scheme::{Class, Shape, TABLE};

/// The schemes whose density tables state and that every tool finds.
pub(crate) const PATTERN_OF_THE_WEB: &str = r#"(?:https?|ftp)://[^\s<>"]+"#;

/// Options that every bench takes, after `--`.
#[derive(clap::Args)]
pub(crate) struct Common {
    /// Check the counts on small inputs and stop; also what happens under `cargo test`
    #[arg(long)]
    counts: bool,
    /// The argument that cargo passes when it benches
    #[arg(long, hide = true)]
    bench: bool,
    /// Rounds in which every engine has its turn
    #[arg(long, value_name = "N", default_value = "5")]
    pub(crate) rounds: NonZeroU32,
    /// Write the tables to benches/record/DATE-HOST-BENCH.txt
    #[arg(long, requires = "date")]
    record: bool,
    /// Day of the record, as 2001-12-31
    #[arg(long)]
    date: Option<String>,
    /// Name of the machine in the record [default: its host name]
    #[arg(long)]
    host: Option<String>,
}

/// The task of a bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Assert counts and stop.
    Counts,
    /// Assert counts, then measure.
    Measure,
}

impl Common {
    /// `cargo bench` says `--bench`; without it the bench is a test among tests.
    pub(crate) fn mode(&self) -> Mode {
        if self.counts || !self.bench { Mode::Counts } else { Mode::Measure }
    }

    /// Prints `tables` and, when asked to, writes them beside what they depend on.
    pub(crate) fn publish(&self, bench: &str, tables: &str) {
        print!("{tables}");
        if !self.record {
            return;
        }
        let date = self.date.as_deref().unwrap_or("undated");
        let host = self.host.clone().unwrap_or_else(host_name);
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/record");
        let path = folder.join(format!("{date}-{host}-{bench}.txt"));
        let text = format!("{}\n{tables}", circumstances(bench, date));
        fs::write(&path, text).expect("benches/record can be written to");
        println!("written: {}", path.display());
    }
}

/// Returns the conditions of a measurement that its numbers do not show.
fn circumstances(bench: &str, date: &str) -> String {
    let arguments: Vec<String> = env::args().skip(1).filter(|one| one != "--bench").collect();
    let mut text = format!("date      {date}\n");
    let mut line = |name: &str, value: &str| {
        writeln!(text, "{name:<9} {value}").expect("a string takes every write");
    };
    let profile = profile();
    let arguments = arguments.join(" ");
    line("command", &format!("cargo bench --profile {profile} --bench {bench} -- {arguments}"));
    line("commit", &answer("git", &["describe", "--always", "--dirty", "--abbrev=12"]));
    line("profile", &profile);
    line("rustc", &answer("rustc", &["-V"]));
    line("rustflags", &env::var("RUSTFLAGS").unwrap_or_default());
    line("cpu", &cpu_model());
    line("system", &answer("uname", &["-srm"]));
    text
}

/// The profile that this bench was built in: cargo names the folder of `deps` after it.
fn profile() -> String {
    let program = env::current_exe().unwrap_or_default();
    let name = program.ancestors().nth(2).and_then(Path::file_name);
    name.map_or("unknown".into(), |name| name.to_string_lossy().into_owned())
}

/// The first line that a command prints.
pub(crate) fn answer(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map(|output| output.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.lines().next().unwrap_or("unknown").to_owned()
}

fn host_name() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    if name.trim().is_empty() { "unknown".to_owned() } else { name.trim().to_owned() }
}

fn cpu_model() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {threads} hardware threads", model.map_or("unknown", |(_, name)| name))
}

/// One alternation of every scheme that is followed by `//`. Ends are the simplest there are.
///
/// Kind to a regular expression: its engine looks for `://` and reads backwards from there.
pub(crate) fn pattern_of_authorities() -> String {
    format!(r#"(?:{})://[^\s<>"]+"#, names(|class| !matches!(class, Class::Opaque(_))))
}

/// The same, with the schemes that no `//` follows, such as `mailto:` and `news:`: all that
/// linktrawl finds, and more, since what follows such a name is not looked at.
pub(crate) fn pattern_of_every_scheme() -> String {
    let authorities = names(|class| !matches!(class, Class::Opaque(_)));
    let opaque = names(|class| matches!(class, Class::Opaque(shape) if shape != Shape::Never));
    format!(r#"(?:(?:{authorities})://|(?:{opaque}):)[^\s<>"]+"#)
}

/// The names of the schemes whose class is wanted, as an alternation.
fn names(is_wanted: fn(Class) -> bool) -> String {
    let wanted = TABLE.iter().filter(|scheme| is_wanted(scheme.class));
    let names: Vec<String> = wanted.map(|scheme| regex::escape(scheme.name)).collect();
    names.join("|")
}

/// The middle of `times`, which is not empty; the upper one of two.
pub(crate) fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}
