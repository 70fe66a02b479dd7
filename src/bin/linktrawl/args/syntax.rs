//! Defines the options for grammars, repairs and lints.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use linktrawl::internal::finding::{LINTS, Lint, REPAIRS, lint};
use linktrawl::internal::grammar::{self, GRAMMARS, Grammar};

use super::values::list;

/// The value of `--allow`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Allowed {
    /// Every lint.
    All,
    /// One lint.
    One(&'static Lint),
}

impl Allowed {
    /// Returns the lints that `given` names.
    pub(crate) fn lints(given: &[Self]) -> Vec<&'static Lint> {
        if given.contains(&Self::All) {
            return LINTS.to_vec();
        }
        let named = given.iter().filter_map(|allowed| match allowed {
            Self::One(lint) => Some(*lint),
            Self::All => None,
        });
        named.collect()
    }
}

pub(super) const ALLOW_HELP: &str = "Lints not to warn of: a comma-separated list, or `all`";

pub(super) fn allow_long_help() -> String {
    let lints = LINTS.iter().map(|lint| (lint.id, lint.about));
    format!(
        "{ALLOW_HELP}.\n\nA warning is no error and leaves the exit code as it is. Lints:\n{}",
        list(lints)
    )
}

/// The value of `--allow` that means every lint.
const ALL_LINTS: &str = "all";

pub(super) fn allow_parser() -> impl TypedValueParser<Value = Allowed> {
    let choices = LINTS.iter().map(|lint| PossibleValue::new(lint.id).help(lint.about));
    let all = PossibleValue::new(ALL_LINTS).help("every lint");
    PossibleValuesParser::new(choices.chain([all])).try_map(|name| match name.as_str() {
        ALL_LINTS => Ok(Allowed::All),
        name => lint::find(name).map(Allowed::One).ok_or("no lint has this name"),
    })
}

pub(super) const GRAMMAR_HELP: &str = "Grammars to check each URI against: a comma-separated list";

pub(super) fn grammar_long_help() -> String {
    let grammars = GRAMMARS.iter().map(|grammar| (grammar.name(), grammar.about()));
    format!(
        "{GRAMMAR_HELP}.\n\nWith several, a URI is well only when all take it. Grammars:\n{}",
        list(grammars)
    )
}

pub(super) fn default_grammar() -> &'static str {
    GRAMMARS.first().map_or("current", |grammar| grammar.name())
}

pub(super) fn grammar_parser() -> impl TypedValueParser<Value = &'static dyn Grammar> {
    let choice = |grammar: &&'static dyn Grammar| {
        PossibleValue::new(grammar.name()).aliases(grammar.aliases()).help(grammar.about())
    };
    PossibleValuesParser::new(GRAMMARS.iter().map(choice))
        .try_map(|name| grammar::find(&name).ok_or("no grammar has this name"))
}

pub(super) const NO_REPAIR_HELP: &str =
    "Read documents of 1993 and 1994 without these repairs: R1 to R11, or all";

pub(super) fn no_repair_long_help() -> String {
    let repairs = REPAIRS.iter().map(|repair| (repair.id, repair.about));
    format!(
        "{NO_REPAIR_HELP}.\n\nTheir printed rules refuse their own examples; each repair is asked \
         for by a document's prose. `all` selects the grammars called NAME/literal. \
         Repairs:\n{}",
        list(repairs)
    )
}

pub(super) fn repair_parser() -> PossibleValuesParser {
    let names = REPAIRS.iter().map(|repair| repair.id).chain([ALL_REPAIRS]);
    PossibleValuesParser::new(names)
}

/// The value of `--no-repair` that means every repair.
pub(crate) const ALL_REPAIRS: &str = "all";
