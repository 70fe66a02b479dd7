//! Defines the options that decide which findings fail a run.

use clap::{Args, ValueEnum};

/// The options that decide the exit code of a run.
#[derive(Args)]
pub(crate) struct FailFlags {
    /// Exit with 0 when findings would give 1: the same as --fail-on never.
    ///
    /// An incomplete run still gives 2.
    #[arg(long, overrides_with = "fail_on")]
    pub(crate) exit_zero: bool,

    /// Exit with 2 when no link was found at all.
    ///
    /// A job that finds no link most often has a wrong path or a wrong pattern: its work was not
    /// done, which differs from a bad link. Links that --since skips count as found.
    #[arg(long)]
    #[arg(hide_short_help = true)]
    pub(crate) fail_if_empty: bool,

    /// Exit with 1 when there is a finding with this verdict, or a worse one.
    #[arg(long, value_enum, value_name = "VERDICT", default_value_t)]
    #[arg(overrides_with = "exit_zero")]
    pub(crate) fail_on: FailOn,
}

/// `--fail-on`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Warnings and errors
    Warn,
    /// Errors
    #[default]
    Error,
    /// Nothing
    Never,
}
