//! From flags and environment to what the library is asked to do.
//!
//! The only place that reads the environment: variables, terminals, number of processors.

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use linktrawl::Error;
use linktrawl::finding::Repairs;
use linktrawl::grammar::{self, Grammar};
use linktrawl::report::Paint;
use linktrawl::run::{Changes, Ending, Input, Names, Options, WalkRules};
use linktrawl::store::Baseline;
use linktrawl::store::baseline::Use;
use regex::bytes::{Regex, RegexSet};

use crate::flags::{ALL_REPAIRS, Allowed, Color, Format, ScanFlags};
use crate::output::Reports;

/// Everything a scan needs.
pub(crate) struct Plan {
    /// What to read.
    pub(crate) named: Named,
    /// What to do with it.
    pub(crate) options: Options,
    /// Where to write.
    pub(crate) reports: Reports,
    /// The baseline to be written, when all is done.
    pub(crate) baseline: Option<PathBuf>,
    /// What malformed URIs do to the exit code.
    pub(crate) errors: ErrorsCount,
    /// What to say besides.
    pub(crate) voice: Voice,
}

/// What somebody named to be read.
pub(crate) struct Named {
    /// By itself.
    paths: Vec<PathBuf>,
    /// In these files.
    lists: Vec<PathBuf>,
    /// What stands behind each name there.
    ending: Ending,
}

impl Named {
    /// # Errors
    /// When standard input would have to be two things at once.
    fn of(flags: &ScanFlags) -> anyhow::Result<Self> {
        let stdin = |paths: &[PathBuf]| paths.iter().filter(|path| path.as_os_str() == "-").count();
        let lists = stdin(&flags.lists);
        anyhow::ensure!(
            lists == 0 || lists + stdin(&flags.paths) == 1,
            "`-` can be standard input once: as one list of --files-from, or as a PATH"
        );
        let ending = if flags.null { Ending::Nul } else { Ending::Line };
        Ok(Self { paths: flags.paths.clone(), lists: flags.lists.clone(), ending })
    }

    /// Each path, then what the lists name. A list is opened when its turn has come.
    pub(crate) fn into_inputs(self) -> impl Iterator<Item = Input> {
        let listed = self.lists.into_iter().flat_map(move |list| Names::open(list, self.ending));
        self.paths.into_iter().map(Ok).chain(listed)
    }
}

/// What malformed URIs do to the exit code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorsCount {
    /// It is 1 when there is one.
    InExitCode,
    /// Nothing.
    Nowhere,
}

/// What is said on standard error.
#[derive(Clone, Copy)]
pub(crate) struct Voice {
    /// A progress line.
    pub(crate) progress: bool,
    /// The closing count, and notes that lose nothing.
    pub(crate) counts: bool,
}

/// Colours of reports by where they go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paints {
    /// On standard output.
    pub(crate) stdout: Paint,
    /// In files.
    pub(crate) file: Paint,
}

impl Plan {
    /// The plan that `flags` ask for, in this environment.
    ///
    /// # Errors
    /// When a pattern is no regular expression, or standard input is asked for twice.
    pub(crate) fn of(flags: &ScanFlags) -> anyhow::Result<Self> {
        let to_screen =
            flags.formats.iter().any(|format| format.file.is_none()) && io::stdout().is_terminal();
        Ok(Self {
            named: Named::of(flags)?,
            options: options(flags)?,
            reports: reports(&flags.formats, flags.color),
            baseline: flags.baseline.clone().filter(|_| flags.update_baseline),
            errors: if flags.exit_zero { ErrorsCount::Nowhere } else { ErrorsCount::InExitCode },
            // Lines of a report on the same screen would tear a progress line.
            voice: Voice { progress: !flags.quiet && !to_screen, counts: !flags.quiet },
        })
    }
}

impl Paints {
    /// The colours that `color` asks for, in this environment.
    fn of(color: Color) -> Self {
        paints(color, &Environment::read())
    }
}

/// The reports that are asked for, in this environment.
pub(crate) fn reports(formats: &[Format], color: Color) -> Reports {
    Reports {
        formats: formats.to_vec(),
        paints: Paints::of(color),
        step_summary: variable("GITHUB_STEP_SUMMARY").map(PathBuf::from),
    }
}

fn options(flags: &ScanFlags) -> Result<Options, Error> {
    let here = Path::new(".");
    Ok(Options {
        grammars: read_so(&flags.grammars, repairs(&flags.no_repair)),
        refused: repairs(&flags.no_repair),
        find: flags.find.clone(),
        kind: flags.kind,
        include: patterns(&flags.include)?,
        exclude: patterns(&flags.exclude)?,
        allowed: Allowed::lints(&flags.allowed),
        unique: flags.unique,
        threads: flags.threads.map_or_else(processors, NonZeroUsize::get),
        walk: WalkRules { hidden: flags.hidden, ignored: flags.no_ignore },
        baseline: baseline(flags)?,
        changes: flags.since.as_deref().map(|since| Changes::since(since, here)).transpose()?,
    })
}

/// What `--baseline` names.
fn baseline(flags: &ScanFlags) -> Result<Option<Arc<Baseline>>, Error> {
    let usage = if flags.update_baseline { Use::Update } else { Use::Hold };
    let read = |path: &PathBuf| Baseline::read(path, usage).map(Arc::new);
    flags.baseline.as_ref().map(read).transpose()
}

/// The repairs that are called `names`.
pub(crate) fn repairs(names: &[String]) -> Repairs {
    if names.iter().any(|name| name == ALL_REPAIRS) {
        return Repairs::ALL;
    }
    let each = names.iter().filter_map(|name| Repairs::find(name));
    each.fold(Repairs::NONE, Repairs::with)
}

/// `grammars` in their order, each once; the literal ones where no repair is to be made.
pub(crate) fn read_so(
    grammars: &[&'static dyn Grammar],
    refused: Repairs,
) -> Vec<&'static dyn Grammar> {
    let literal = |grammar: &&'static dyn Grammar| {
        let name = format!("{}/literal", grammar.name());
        grammar::find(&name).filter(|_| refused == Repairs::ALL).unwrap_or(*grammar)
    };
    distinct(&grammars.iter().map(literal).collect::<Vec<_>>())
}

/// `grammars` in their order, each once.
fn distinct(grammars: &[&'static dyn Grammar]) -> Vec<&'static dyn Grammar> {
    let mut kept: Vec<&'static dyn Grammar> = Vec::new();
    for grammar in grammars {
        if !kept.iter().any(|earlier| earlier.name() == grammar.name()) {
            kept.push(*grammar);
        }
    }
    kept
}

/// The user's home directory, where there is one.
pub(crate) fn home() -> Option<PathBuf> {
    variable("HOME").map(PathBuf::from)
}

/// What the environment has under `name`, unless that is empty.
pub(crate) fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// One set of `patterns`; each is tried alone first, so that an error names the one at fault.
pub(crate) fn patterns(patterns: &[String]) -> Result<RegexSet, Error> {
    let fault = |pattern: &str, error: &regex::Error| Error::Pattern {
        pattern: pattern.to_owned(),
        reason: error.to_string(),
    };
    for pattern in patterns {
        Regex::new(pattern).map_err(|error| fault(pattern, &error))?;
    }
    RegexSet::new(patterns).map_err(|error| fault(&patterns.join(" "), &error))
}

/// What the environment says about colours.
#[derive(Clone, Copy, Default)]
struct Environment {
    /// NO_COLOR is set and not empty (no-color.org).
    no_color: bool,
    /// CLICOLOR_FORCE is set and neither empty nor 0 (bixense.com/clicolors).
    color_forced: bool,
    /// TERM is `dumb`: the terminal has no colours.
    terminal_is_dumb: bool,
    /// Standard output is a terminal.
    stdout_is_terminal: bool,
}

impl Environment {
    fn read() -> Self {
        Self {
            no_color: variable("NO_COLOR").is_some(),
            color_forced: variable("CLICOLOR_FORCE").is_some_and(|value| value != *"0"),
            terminal_is_dumb: variable("TERM") == Some(OsString::from("dumb")),
            stdout_is_terminal: io::stdout().is_terminal(),
        }
    }
}

fn paints(color: Color, environment: &Environment) -> Paints {
    let automatic = match environment {
        Environment { no_color: true, .. } => Paint::Plain,
        Environment { color_forced: true, .. } => Paint::Ansi,
        Environment { terminal_is_dumb: true, .. } => Paint::Plain,
        Environment { stdout_is_terminal: true, .. } => Paint::Ansi,
        _ => Paint::Plain,
    };
    match color {
        Color::Always => Paints { stdout: Paint::Ansi, file: Paint::Ansi },
        Color::Never => Paints { stdout: Paint::Plain, file: Paint::Plain },
        Color::Auto => Paints { stdout: automatic, file: Paint::Plain },
    }
}

#[cfg(test)]
mod tests {
    use linktrawl::Error;
    use linktrawl::report::Paint::{self, Ansi, Plain};

    use super::{Color, Environment, paints, patterns};

    #[track_caller]
    fn case(color: Color, environment: Environment, stdout: Paint, file: Paint) {
        let paints = paints(color, &environment);
        assert_eq!((paints.stdout, paints.file), (stdout, file));
    }

    #[test]
    fn colours_follow_the_flag_then_the_environment_then_the_terminal() {
        let none = Environment::default();
        let terminal = Environment { stdout_is_terminal: true, ..none };
        let forced = Environment { color_forced: true, ..none };
        case(Color::Auto, none, Plain, Plain);
        case(Color::Auto, terminal, Ansi, Plain);
        case(Color::Auto, Environment { terminal_is_dumb: true, ..terminal }, Plain, Plain);
        case(Color::Auto, Environment { no_color: true, ..terminal }, Plain, Plain);
        case(Color::Auto, forced, Ansi, Plain);
        case(Color::Auto, Environment { no_color: true, ..forced }, Plain, Plain);
        case(Color::Always, Environment { no_color: true, ..none }, Ansi, Ansi);
        case(Color::Never, forced, Plain, Plain);
    }

    #[test]
    fn a_bad_pattern_is_named() {
        let given = ["ok".to_owned(), "(".to_owned()];
        let error = patterns(&given).expect_err("an error");
        assert!(matches!(error, Error::Pattern { pattern, .. } if pattern == "("));
    }

    #[test]
    fn patterns_see_bytes() {
        let set = patterns(&[r"(?-u)\xff".to_owned()]).unwrap();
        assert!(set.is_match(b"x:\xff") && !set.is_match(b"x:"));
    }
}
