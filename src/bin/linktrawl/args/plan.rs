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

  linktrawl plan archive/ |
          parallel --pipe -N1 linktrawl scan --split - --format ndjson
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
const UNITS: [(&str, u64); 9] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("B", 1),
];

fn parse_size(text: &str) -> Result<u64, String> {
    let unit = UNITS.iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit)));
    let (number, unit) = unit.unwrap_or((text, 1));
    let number = number.trim_end();
    let is_whole = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let size = number.parse().ok().and_then(|number: u64| number.checked_mul(unit));
    match size {
        Some(0) => Err(format!("expected 1 byte or more, found {text:?}")),
        Some(size) => Ok(size),
        None if is_whole => Err(format!("expected less than 2^64 bytes, found {text:?}")),
        None => {
            let names: Vec<_> = UNITS.iter().map(|(name, _)| *name).collect();
            let names = names.join(", ");
            let meant = meant(text).map(|size| format!(": perhaps {size}")).unwrap_or_default();
            Err(format!(
                "expected a whole number of bytes, with or without a unit, {names}; found \
                 {text:?}{meant}"
            ))
        }
    }
}

/// Returns a size with the unit that `text` has in another spelling: `64M`, `64mb`.
fn meant(text: &str) -> Option<String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at_checked(digits).filter(|_| digits > 0)?;
    let unit = unit.trim_start().to_ascii_lowercase();
    let is_meant = |name: &str| {
        let name = name.to_ascii_lowercase();
        name == unit || name.strip_suffix('b') == Some(unit.as_str())
    };
    // Of two units with one letter, the one of powers of ten is the one that the letter means.
    let (name, _) = UNITS.iter().find(|(name, _)| is_meant(name))?;
    Some(format!("{number}{name}"))
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
        for (bad, start, end) in [
            ("", "expected a whole number", ""),
            ("MiB", "expected a whole number", ""),
            ("-1", "expected a whole number", ""),
            ("1.5GB", "expected a whole number", ""),
            ("1 QB", "expected a whole number", ""),
            ("64M", "expected a whole number", ": perhaps 64MB"),
            ("64mib", "expected a whole number", ": perhaps 64MiB"),
            ("0", "expected 1 byte or more", ""),
            ("99999999999999TiB", "expected less than 2^64 bytes", ""),
            ("99999999999999999999", "expected less than 2^64 bytes", ""),
        ] {
            let words = parse_size(bad).expect_err("a refusal");
            assert!(words.starts_with(start), "{words}");
            assert!(words.ends_with(&format!("found {bad:?}{end}")), "{words}");
        }
    }
}
