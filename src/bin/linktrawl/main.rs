//! Runs the command `linktrawl`: from arguments to an exit code.
//!
//! The library finds, judges and encodes. The program has the options, the files that reports are
//! written to, and the messages on standard error.

mod args;
mod commands;
mod completions;
mod config;
mod environment;
mod exit;
mod help;
mod lines;
mod output;
mod plan;
mod platform;
mod progress;
mod refused;
mod shown;
mod signals;
mod stderr;
mod streams;
mod suggestions;
mod summary;
mod watch;

use std::env;
use std::ffi::OsString;
use std::panic::{self, PanicHookInfo};
use std::process::ExitCode;

use clap::CommandFactory as _;

use args::{Command, Flags};
use commands::{check, compare, explain, fix, generate, grammar, parse, report, resolve, scan};
use config::{Config, Refusal};
use exit::{Exit, is_broken_pipe};
use refused::refuse;
use signals::Signals;

fn main() -> ExitCode {
    panic::set_hook(Box::new(tell_of_panic));
    // Without it, such a write ends the program, as it would without this line.
    let _ = platform::outlive_file_limit();
    let typed: Vec<_> = env::args_os().collect();
    let (flags, config) = match config::parse(&typed) {
        Ok(read) => read,
        Err(Refusal::Typed(error)) => refuse(&suggestions::advised(*error, &typed)),
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
        stderr::say_failure(&error);
        Exit::Failed
    });
    exit.into()
}

/// Runs the command of `flags` once; a check uses `signals`, or installs handlers.
fn once(
    typed: &[OsString],
    flags: &Flags,
    config: Option<&Config>,
    signals: Option<&Signals>,
) -> anyhow::Result<Exit> {
    // These commands may write to files instead.
    if !matches!(flags.command, Some(Command::Scan(_) | Command::Check(_) | Command::Report(_))) {
        streams::need_stdout()?;
    }
    match (&flags.generate, &flags.command) {
        (Some(text), _) => generate::run(text).map(|()| Exit::Well),
        (None, Some(Command::Scan(flags))) => scan::run(flags, config),
        (None, Some(Command::Check(flags))) => match signals {
            Some(signals) => check::run(flags, config, typed, signals),
            None => check::run(flags, config, typed, &Signals::listen()?),
        },
        (None, Some(Command::Plan(flags))) => commands::plan::run(flags),
        (None, Some(Command::Parse(flags))) => parse::run(flags).map(|found| match found {
            parse::Validity::AllValid => Exit::Well,
            parse::Validity::Invalid => Exit::Found,
        }),
        (None, Some(Command::Resolve(flags))) => resolve::run(flags).map(|found| match found {
            resolve::Resolution::AllResolved => Exit::Well,
            resolve::Resolution::Unresolved => Exit::Found,
        }),
        (None, Some(Command::Compare(flags))) => compare::run(flags).map(|found| match found {
            compare::Sameness::Equal => Exit::Well,
            compare::Sameness::Different => Exit::Found,
            compare::Sameness::Inapplicable => Exit::Failed,
        }),
        (None, Some(Command::Explain(flags))) => explain::run(flags).map(|()| Exit::Well),
        (None, Some(Command::Fix(flags))) => fix::run(flags).map(|done| match done {
            fix::Done::InFull => Exit::Well,
            fix::Done::InPart => Exit::Failed,
        }),
        (None, Some(Command::Help(flags))) => commands::help::run(flags).map(|()| Exit::Well),
        (None, Some(Command::Grammar(flags))) => grammar::run(flags).map(|()| Exit::Well),
        (None, Some(Command::Report(flags))) => report::run(flags),
        (None, Some(Command::Config(flags))) => commands::config::run(flags).map(|()| Exit::Well),
        (None, None) => missing_subcommand(),
    }
}

/// Scans or checks again whenever something has changed.
fn watch(typed: &[OsString], asked: watch::Invocation) -> anyhow::Result<Exit> {
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

/// Exits with clap's message about a missing subcommand, and exit code 2.
fn missing_subcommand() -> ! {
    let mut command = Flags::command();
    let names: Vec<_> = command.get_subcommands().map(clap::Command::get_name).collect();
    let message = format!("expected a subcommand: {}", names.join(", "));
    refuse(&command.error(clap::error::ErrorKind::MissingSubcommand, message))
}

/// Prints the location of a panic, but not its message, which may quote the input.
fn tell_of_panic(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    stderr::say(&format!("the program failed at {place}; please report it"));
}
