//! Defines the options of `linktrawl plan`.

use std::path::PathBuf;

use clap::Args;
use linktrawl::internal::run::InputKind;

use super::scan::{KIND_HELP, default_kind, kind_long_help, kind_parser};

const EXAMPLES: &str = "\
Examples:
  linktrawl plan archive/ > splits.ndjson
      Parts of up to 128 MiB, one a line.

  linktrawl plan --split-size 1GiB *.warc.gz | wc -l
      How many tasks there would be: files up to the size are not opened.

  linktrawl plan archive/ | parallel --pipe -N1 linktrawl scan --split - --format ndjson
      All parts, as many at once as there are processors.";

const EXIT_CODES: &str = "\
Exit codes:
  0  all inputs are planned
  2  the run is incomplete: a bad option, or an input that could not be read";

/// List parts of the inputs that can be scanned separately, one a line.
///
/// Each line describes files that are small, or a part of one that is large, for `linktrawl scan
/// --split`. The findings of all parts are those of one scan of all inputs. Options of a file are
/// not used. `linktrawl help splits` says more.
#[derive(Args)]
#[command(after_help = EXIT_CODES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct PlanFlags {
    /// Files and directories to plan.
    #[arg(required_unless_present = "lists", value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[arg(long = "as", value_name = "KIND", value_parser = kind_parser())]
    #[arg(default_value = default_kind(), hide_possible_values = true)]
    #[arg(help = KIND_HELP, long_help = kind_long_help())]
    pub(crate) kind: InputKind,

    /// Plan the inputs that this file names, one a line; repeatable, `-` is standard input.
    #[arg(long = "files-from", value_name = "FILE")]
    pub(crate) lists: Vec<PathBuf>,

    /// Plan files and directories whose name begins with a dot, too.
    #[arg(long)]
    pub(crate) hidden: bool,

    /// Plan what .gitignore files of a git checkout and .linktrawlignore files name, too.
    #[arg(long)]
    pub(crate) no_ignore: bool,

    /// Names of --files-from end with a NUL byte, as `find -print0` writes them.
    #[arg(long, short = '0', requires = "lists")]
    pub(crate) null: bool,

    /// Print no progress and no closing count, only errors and warnings about inputs.
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Bytes of a part, as in 64MiB or 2GB.
    ///
    /// Smaller files are combined, and are not opened. Larger ones are read once to find where
    /// they can be divided; a file that cannot be divided is one part, whatever its size.
    #[arg(long, value_name = "SIZE", default_value = "128MiB", value_parser = parse_size)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) split_size: u64,
}

/// Units of sizes, and the bytes of each.
const UNITS: [(&str, u64); 8] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("B", 1),
];

fn parse_size(text: &str) -> Result<u64, String> {
    let unit = UNITS.iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit)));
    let (number, unit) = unit.unwrap_or((text, 1));
    let size = number.trim_end().parse().ok().and_then(|number: u64| number.checked_mul(unit));
    size.filter(|size| *size > 0).ok_or_else(|| {
        let names: Vec<_> = UNITS.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        format!("expected a number of bytes, with or without a unit: {names}, found {text:?}")
    })
}

#[cfg(test)]
mod tests {
    use super::parse_size;

    #[test]
    fn sizes_have_units() {
        let sizes = ["1", "7B", "2kB", "128MiB", "3 GB", "1TiB"].map(parse_size);
        assert_eq!(
            sizes.map(Result::ok),
            [Some(1), Some(7), Some(2_000), Some(128 << 20), Some(3_000_000_000), Some(1 << 40)]
        );
        for bad in ["", "0", "MiB", "-1", "1.5GB", "1 QB", "99999999999999TiB"] {
            let words = parse_size(bad).expect_err("a refusal");
            assert!(words.ends_with(&format!("found {bad:?}")), "{words}");
        }
    }
}
