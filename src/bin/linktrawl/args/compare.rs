//! Defines the options of `linktrawl compare`.

use std::ffi::OsString;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use linktrawl::internal::grammar::normalize::{self, RULE_SETS, RuleSet};

use super::values::{ParseFormat, list};

const EXAMPLES: &str = "\
Examples:
  linktrawl compare HTTP://example.com:80/%7Ea http://example.com/~a
      Equal: case, default port and escapes are levelled.

  linktrawl compare --rules rfc1630,whatwg http://h/a-b http://h/a%2Db
      Equal by RFC 1630, different for a browser.";

const EXIT_CODES: &str = "\
Exit codes:
  0  equal by every rule set asked for
  1  different by at least one
  2  a bad option, or a rule set that has no say about one of the URIs";

const RULES_HELP: &str = "Rules to compare by: a comma-separated list";

/// Ask whether two URIs are the same.
///
/// Each is normalised by the rules of a document. If the normal forms differ, they are
/// printed, without passwords.
#[derive(Args)]
#[command(after_help = EXIT_CODES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct CompareFlags {
    /// Two URIs
    // Another number is refused by the command: clap's message calls both URIs one argument.
    #[arg(required = true, num_args = 1.., value_names = ["URI", "URI"])]
    pub(crate) uris: Vec<OsString>,

    /// Print in this format.
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    pub(crate) format: ParseFormat,

    #[arg(long = "rules", value_name = "NAME", value_delimiter = ',')]
    #[arg(value_parser = rules_parser(), default_value = normalize::DEFAULT)]
    #[arg(hide_possible_values = true, help = RULES_HELP, long_help = rules_long_help())]
    pub(crate) rules: Vec<&'static RuleSet>,
}

fn rules_long_help() -> String {
    let rules = RULE_SETS.iter().map(|rules| (rules.name, rules.about));
    format!("{RULES_HELP}.\n\nRules:\n{}", list(rules))
}

fn rules_parser() -> impl TypedValueParser<Value = &'static RuleSet> {
    let choice = |rules: &RuleSet| PossibleValue::new(rules.name).help(rules.about);
    PossibleValuesParser::new(RULE_SETS.iter().map(choice))
        .try_map(|name| normalize::find(&name).ok_or("no rule set has this name"))
}
