//! Defines the options of `linktrawl resolve`.

use std::ffi::OsString;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use linktrawl::internal::grammar::resolve::{self, ALGORITHMS, Algorithm};

use super::values::{ParseFormat, list};

const EXIT_CODES: &str = "\
Exit codes:
  0  every reference is resolved by every document's rules that were asked for
  1  at least one is not
  2  the run is incomplete, or the base has no scheme";

const EXAMPLES: &str = "\
Examples:
  linktrawl resolve --base http://a/b/c/d ../g
      http://a/b/g

  linktrawl resolve --base 'magic://a/b/c//d/e/f' --rules rfc1630,rfc3986 /g
      What the documents make of it, each on its line.

  linktrawl resolve --assume-scheme https //host/x
      https://host/x

  linktrawl resolve --base http://a/b/ --format ndjson < references.txt
      One JSON object for each line of a list.";

/// Resolve relative references to URIs, by the rules of any document.
///
/// A reference that cannot be resolved has a line that begins with `error:`. Passwords are
/// not shown.
#[derive(Args)]
#[command(after_help = EXIT_CODES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct ResolveFlags {
    /// References; `-`, or none at all, reads one a line from standard input.
    ///
    /// Lines are bytes; a carriage return at the end is not part of them. An empty line is
    /// an empty reference, which resolves to the base.
    #[arg(value_name = "REF")]
    pub(crate) references: Vec<OsString>,

    /// Without a base, the scheme of references that begin with `//`.
    #[arg(long, value_name = "SCHEME", value_parser = parse_scheme)]
    pub(crate) assume_scheme: Option<String>,

    /// The URI of the text that contains the references. Without it only whole URIs resolve.
    #[arg(long, value_name = "URI")]
    pub(crate) base: Option<OsString>,

    /// Print in this format.
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    pub(crate) format: ParseFormat,

    #[arg(long = "rules", value_name = "NAME", value_delimiter = ',')]
    #[arg(value_parser = rules_parser(), default_value = resolve::DEFAULT)]
    #[arg(hide_possible_values = true, help = RULES_HELP, long_help = rules_long_help())]
    pub(crate) rules: Vec<&'static Algorithm>,
}

const RULES_HELP: &str = "Documents whose rules resolve: a comma-separated list";

fn rules_long_help() -> String {
    let rules = ALGORITHMS.iter().map(|algorithm| (algorithm.name, algorithm.about));
    format!("{RULES_HELP}.\n\nRules:\n{}", list(rules))
}

fn rules_parser() -> impl TypedValueParser<Value = &'static Algorithm> {
    let choice = |it: &'static Algorithm| PossibleValue::new(it.name).help(it.about);
    PossibleValuesParser::new(ALGORITHMS.iter().map(choice))
        .try_map(|name| resolve::find(&name).ok_or("no rules have this name"))
}

fn parse_scheme(name: &str) -> Result<String, &'static str> {
    let found = resolve::is_scheme(name.as_bytes()).then(|| name.to_owned());
    found.ok_or("expected a letter, then letters, digits, +, - or . (RFC 3986 §3.1)")
}
