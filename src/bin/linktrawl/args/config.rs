//! Defines the options of `linktrawl config`, and those that select the configuration file.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};

/// The configuration file to read.
#[derive(Args)]
pub(crate) struct WhichFlags {
    /// Read options from this file, and trust all of them.
    ///
    /// Without it, `linktrawl.toml` or `.linktrawl.toml` is read, or a table of linktrawl in
    /// Cargo.toml or pyproject.toml: beside the first PATH, or above it up to the root of its
    /// repository or the home directory. Such a file may set only options that do no harm, since
    /// others may have put it there.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,

    /// Read no configuration file.
    #[arg(long)]
    #[arg(hide_short_help = true)]
    pub(crate) no_config: bool,
}

impl WhichFlags {
    /// Returns the equivalent arguments of the command line.
    pub(crate) fn arguments(&self) -> Vec<OsString> {
        let named = self.config.iter().flat_map(|path| ["--config".into(), path.into()]);
        named.chain(self.no_config.then(|| "--no-config".into())).collect()
    }
}

const EXAMPLES: &str = "\
Examples:
  linktrawl config check docs/
      Whether the file that is taken for docs/ can be understood; exit code 2
      if not.

  linktrawl config show docs/
      Every option, its value, and the file and line that set it.

  linktrawl config import > linktrawl.toml
      The options of lychee.toml and .lycheeignore that have a counterpart.";

/// Check a configuration file, or print the resulting options.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ConfigFlags {
    #[command(subcommand)]
    pub(crate) ask: Ask,
}

#[derive(Subcommand)]
pub(crate) enum Ask {
    /// Check a configuration file, and print all errors in it.
    Check(At),
    /// Convert a configuration file of lychee, and print what could not be kept.
    Import {
        /// A lychee.toml or a .lycheeignore; both from the working directory where none is given.
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Print every option with its value, and the file and line that set it.
    Show(At),
}

/// The file to show.
#[derive(Args)]
pub(crate) struct At {
    /// An input, for which the file is sought beside and above it, or the configuration file
    /// itself, which ends in .toml.
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) path: PathBuf,

    #[command(flatten)]
    pub(crate) which: WhichFlags,
}
