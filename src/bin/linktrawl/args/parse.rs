//! Defines the options of `linktrawl parse`.

use std::ffi::OsString;

use clap::Args;
use linktrawl::internal::grammar::Grammar;

use super::syntax::{
    ALLOW_HELP, Allowed, GRAMMAR_HELP, NO_REPAIR_HELP, allow_long_help, allow_parser,
    default_grammar, grammar_long_help, grammar_parser, no_repair_long_help, repair_parser,
};
use super::values::ParseFormat;

const EXAMPLES: &str = "\
Examples:
  linktrawl parse http://www.w3.org/Addressing/
      The components, one a line.

  linktrawl parse 'http://h/%zz'
      The byte that is wrong, the rule, its section, and grammars that would
      take it.

  linktrawl parse --format ndjson < uris.txt
      One JSON object for each line of a list.";

const EXIT_CODES: &str = "\
Exit codes:
  0  every URI is valid in every grammar asked for
  1  at least one is not
  2  the run is incomplete";

/// Check URIs against a grammar and explain the faults.
///
/// A valid URI is printed with its components. In a malformed one, the first byte that is not
/// allowed is marked, with the rule and its section, the bytes that were expected, and the other
/// grammars that accept the text.
#[derive(Args)]
#[command(after_help = EXIT_CODES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct ParseFlags {
    /// URIs; `-`, or none at all, reads one a line from standard input.
    ///
    /// Lines are bytes; a carriage return at the end is not part of them. An empty line is
    /// an empty reference, which some grammars accept.
    #[arg(value_name = "URI")]
    pub(crate) uris: Vec<OsString>,

    #[arg(long = "allow", value_name = "LINT", value_delimiter = ',')]
    #[arg(value_parser = allow_parser(), hide_possible_values = true)]
    #[arg(help = ALLOW_HELP, long_help = allow_long_help())]
    pub(crate) allowed: Vec<Allowed>,

    /// Print in this format.
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    pub(crate) format: ParseFormat,

    #[arg(long = "grammar", value_name = "NAME", value_delimiter = ',')]
    #[arg(value_parser = grammar_parser(), default_value = default_grammar())]
    #[arg(hide_possible_values = true, help = GRAMMAR_HELP, long_help = grammar_long_help())]
    pub(crate) grammars: Vec<&'static dyn Grammar>,

    #[arg(long, value_name = "R", value_delimiter = ',', value_parser = repair_parser())]
    #[arg(ignore_case = true)]
    #[arg(hide_possible_values = true, help = NO_REPAIR_HELP, long_help = no_repair_long_help())]
    pub(crate) no_repair: Vec<String>,
}
