//! Defines the options of `linktrawl grammar`.

use clap::{Args, Subcommand};
use linktrawl::internal::grammar::Grammar;

use super::syntax::grammar_parser;

const EXAMPLES: &str = "\
Examples:
  linktrawl grammar list
      Every grammar with its document, and how large its automata are.

  linktrawl grammar show rfc1738
      Its start rules, its repairs, and its rules in ABNF.";

/// Print the grammars: documents, start rules, repairs, and the rules themselves.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct GrammarFlags {
    #[command(subcommand)]
    pub(crate) ask: Ask,
}

#[derive(Subcommand)]
pub(crate) enum Ask {
    /// List every grammar: name, automata, states, document.
    List,
    /// Show one grammar: start rules, states and classes, repairs, rules in ABNF.
    Show {
        /// A name or another name for it, as `list` prints them.
        #[arg(value_name = "NAME", value_parser = grammar_parser(), hide_possible_values = true)]
        grammar: &'static dyn Grammar,
    },
}
