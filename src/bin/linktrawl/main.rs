//! The command `linktrawl`: from arguments to an exit code.
//!
//! Finding, judging and encoding are the library's. Here stand the options, the files that
//! reports go to, and what is said on standard error.

mod args;
mod compare;
mod completions;
mod config;
mod docs;
mod environment;
mod explain;
mod fix;
mod grammars;
mod help;
mod lines;
mod output;
mod parse;
mod plan;
mod progress;
mod report;
mod resolve;
mod shown;
mod signals;
mod slips;
mod stderr;
mod streams;
mod summary;
mod watch;

use std::borrow::Cow;
use std::env;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::panic::{self, PanicHookInfo};
use std::path::Path;
use std::process::{self, ExitCode};
use std::sync::Arc;

use clap::CommandFactory as _;
use linktrawl::Error;
use linktrawl::finding::{Summary, Verdict};
use linktrawl::run::Asking;
use linktrawl::store::Baseline;

use args::check::CheckFlags;
use args::report::ReportFlags;
use args::scan::ScanFlags;
use args::{Command, Flags};
use config::{Config, Refusal};
use output::Replacing;
use plan::{Failing, Plan};
use signals::Signals;

/// What the exit code says.
#[derive(Clone, Copy)]
enum Exit {
    /// All is well: 0.
    Well,
    /// At least one link is malformed or dead, or two that were compared differ: 1.
    Found,
    /// The work could not be done in full: 2.
    Failed,
    /// A signal stopped it, and this tells which.
    Stopped(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Well => 0,
            Exit::Found => 1,
            Exit::Failed => 2,
            Exit::Stopped(code) => code,
        })
    }
}

fn main() -> ExitCode {
    panic::set_hook(Box::new(tell_of_panic));
    let typed: Vec<_> = env::args_os().collect();
    let (flags, config) = match config::parse(&typed) {
        Ok(read) => read,
        Err(Refusal::Typed(error)) => refuse(&slips::advised(*error)),
        Err(Refusal::File(error)) => {
            stderr::say(&format!("error: {error}"));
            return Exit::Failed.into();
        }
    };
    let is_watched = flags.scan().is_some_and(|scan| scan.watch);
    let done = if is_watched {
        watch(&typed, (flags, config))
    } else {
        once(&typed, &flags, config.as_ref(), None)
    };
    let exit = done.unwrap_or_else(|error| {
        if is_broken_pipe(&error) {
            return Exit::Well;
        }
        stderr::say(&format!("error: {error}"));
        Exit::Failed
    });
    exit.into()
}

/// Does what `flags` ask for; a check listens to `signals`, or begins to.
fn once(
    typed: &[OsString],
    flags: &Flags,
    config: Option<&Config>,
    signals: Option<&Signals>,
) -> anyhow::Result<Exit> {
    // Reports may go to files.
    if !matches!(flags.command, Some(Command::Scan(_) | Command::Check(_) | Command::Report(_))) {
        streams::need_stdout()?;
    }
    match (&flags.generate, &flags.command) {
        (Some(text), _) => docs::print(text).map(|()| Exit::Well),
        (None, Some(Command::Scan(flags))) => scan(flags, config),
        (None, Some(Command::Check(flags))) => match signals {
            Some(signals) => check(flags, config, typed, signals),
            None => check(flags, config, typed, &Signals::listen()?),
        },
        (None, Some(Command::Parse(flags))) => parse::run(flags).map(|found| match found {
            parse::Found::AllValid => Exit::Well,
            parse::Found::Invalid => Exit::Found,
        }),
        (None, Some(Command::Resolve(flags))) => resolve::run(flags).map(|found| match found {
            resolve::Found::AllResolved => Exit::Well,
            resolve::Found::Unresolved => Exit::Found,
        }),
        (None, Some(Command::Compare(flags))) => compare::run(flags).map(|found| match found {
            compare::Found::Equal => Exit::Well,
            compare::Found::Different => Exit::Found,
            compare::Found::Inapplicable => Exit::Failed,
        }),
        (None, Some(Command::Explain(flags))) => explain::run(flags).map(|()| Exit::Well),
        (None, Some(Command::Fix(flags))) => fix::run(flags).map(|done| match done {
            fix::Done::InFull => Exit::Well,
            fix::Done::InPart => Exit::Failed,
        }),
        (None, Some(Command::Help(flags))) => help::print(flags).map(|()| Exit::Well),
        (None, Some(Command::Grammar(flags))) => grammars::run(flags).map(|()| Exit::Well),
        (None, Some(Command::Report(flags))) => report(flags),
        (None, Some(Command::Config(flags))) => config::run(flags).map(|()| Exit::Well),
        (None, None) => missing_subcommand(),
    }
}

/// Scans or checks whenever something has changed.
fn watch(typed: &[OsString], asked: watch::Asked) -> anyhow::Result<Exit> {
    let signals = match &asked.0.command {
        Some(Command::Check(_)) => Some(Signals::listen()?),
        _ => {
            Signals::end_at_once()?;
            None
        }
    };
    let signals = signals.as_ref();
    watch::run(typed, asked, signals, &|(flags, config)| {
        once(typed, flags, config.as_ref(), signals)
    })
}

/// Clap's own words and exit code 2.
fn missing_subcommand() -> ! {
    let mut command = Flags::command();
    let names: Vec<_> = command.get_subcommands().map(clap::Command::get_name).collect();
    let message = format!("expected a subcommand: {}", names.join(", "));
    refuse(&command.error(clap::error::ErrorKind::MissingSubcommand, message))
}

/// Clap's own words, which may quote what was given: help, the version, a bad option.
fn refuse(error: &clap::Error) -> ! {
    use clap::error::ErrorKind;
    // These quote nobody, and an `@` in them hides nothing.
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        error.exit();
    }
    let words = error.render().to_string();
    match shown::shown(words.as_bytes()) {
        // Clap prints in colours, and to where its words belong.
        Cow::Borrowed(_) => error.exit(),
        Cow::Owned(hidden) => {
            // A standard error that is closed is no reason to do anything else.
            let _ = io::stderr().lock().write_all(&hidden);
            process::exit(error.exit_code())
        }
    }
}

/// Says where the program failed, but not the message: it may quote what was read.
fn tell_of_panic(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    stderr::say(&format!("the program failed at {place}; please report it"));
}

/// Says which file options were taken from, to those who want to know.
fn tell_of_options(flags: &ScanFlags, config: Option<&Config>) {
    if flags.verbose {
        stderr::say(&config.map_or("options are taken from no file".to_owned(), Config::told));
    }
}

/// Scans, and asks nobody.
fn scan(flags: &ScanFlags, config: Option<&Config>) -> anyhow::Result<Exit> {
    tell_of_options(flags, config);
    run(Plan::of(flags, config)?, None)
}

/// Scans and asks. A signal ends the asking; what was learnt until then is reported.
fn check(
    flags: &CheckFlags,
    config: Option<&Config>,
    typed: &[OsString],
    signals: &Signals,
) -> anyhow::Result<Exit> {
    tell_of_options(&flags.scan, config);
    let arguments = typed.iter().map(|argument| argument.as_encoded_bytes());
    let arguments = arguments.chain(config.map(|config| config.text().as_bytes()));
    let arguments = arguments.flat_map(|part| [part, b"\0"].concat()).collect();
    let mut asking = plan::asking(&flags.ask, Arc::clone(&signals.stop), arguments)?;
    if let Some(config) = config {
        config.add_hosts_to(&mut asking)?;
    }
    let exit = run(Plan::of(&flags.scan, config)?, Some(&asking))?;
    Ok(signals.code().map_or(exit, Exit::Stopped))
}

/// Scans, asks where that is wanted, puts finished reports in their places, and says what came
/// of it.
fn run(plan: Plan, asking: Option<&Asking>) -> anyhow::Result<Exit> {
    let Plan { named, options, reports, baseline, failing, voice, summary: place, remarks } = plan;
    remarks.iter().for_each(|remark| stderr::say(remark));
    reports.spare(named.paths())?;
    let (outputs, files) = reports.open()?;
    let observer = progress::Watch::new(voice);
    let mut inputs = named.into_inputs();
    let summary = match asking {
        None => linktrawl::run::scan(&mut inputs, &options, outputs, &observer),
        Some(asking) => {
            linktrawl::run::check(inputs.collect(), &options, asking, outputs, &observer)
        }
    };
    let verdicts = observer.verdicts();
    drop(observer);
    let summary = match summary {
        // Whoever has read enough has read no more than what was found by then.
        Err(error) if error.is_broken_pipe() && failing.is_due_to(verdicts) => {
            return Ok(Exit::Found);
        }
        summary => summary?,
    };
    files.keep()?;
    summary::tell(&summary, place)?;
    if summary.files == 0 {
        anyhow::bail!(
            "nothing was read: give a file, or a directory that holds one; --hidden and \
             --no-ignore read what a walk leaves out"
        );
    }
    if let (Some((path, replacing)), Some(known)) = (&baseline, &options.baseline) {
        update(path, replacing, known, &summary)?;
    }
    Ok(judge(summary.complete, summary.found(), summary.verdicts, failing))
}

/// Writes the baseline anew, where all that it should know was seen.
fn update(
    path: &Path,
    replacing: &Replacing,
    known: &Baseline,
    summary: &Summary,
) -> Result<(), Error> {
    if summary.complete {
        return output::write(path, known.text().as_bytes(), replacing);
    }
    stderr::say("the baseline stays as it is: the work could not be done in full");
    Ok(())
}

/// Tells a saved run again.
fn report(flags: &ReportFlags) -> anyhow::Result<Exit> {
    let summary = report::run(flags)?;
    if !summary.complete {
        stderr::say("warning: the saved run was not done in full");
    }
    Ok(judge(summary.complete, summary.found(), summary.verdicts, Failing::of(&flags.fail)))
}

fn judge(
    complete: bool,
    found: u64,
    verdicts: [u64; Verdict::ALL.len()],
    failing: Failing,
) -> Exit {
    if failing.is_for_lack_of(found) {
        stderr::say(
            "error: no link was found: --include, --exclude, --find and --as say what counts as \
             one; without --fail-if-empty this is no failure",
        );
        return Exit::Failed;
    }
    match complete {
        false => Exit::Failed,
        true if failing.is_due_to(verdicts) => Exit::Found,
        true => Exit::Well,
    }
}

/// True when whoever read our output has gone away, which is their right: `| head`. It is no
/// failure, and what was found by then counts.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Error>().is_some_and(Error::is_broken_pipe)
        || error
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
