//! Implements `linktrawl parse`: checks URIs against grammars, and explains faults.
//!
//! URIs are bytes, from the command line or one a line from standard input. Only the end of the
//! line is trimmed: a blank is part of the URI.

mod record;
mod text;

use linktrawl::internal::check::unwrap::Unwrapped;
use linktrawl::internal::finding::{Lint, Repairs, Warning};
use linktrawl::internal::grammar::{self, Grammar};

use crate::args::parse::ParseFlags;
use crate::args::syntax::Allowed;
use crate::args::values::ParseFormat;
use crate::lines::print_each;
use crate::plan;

/// The combined result for all URIs; the greater one decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Validity {
    /// Every URI, and what a gateway wrapped in it, is valid in every selected grammar.
    AllValid,
    /// At least one URI is not.
    Invalid,
}

/// Explains each URI of `flags`.
///
/// # Errors
/// When standard input cannot be read, has a line that is too long, or standard output
/// cannot be written.
pub(crate) fn run(flags: &ParseFlags) -> anyhow::Result<Validity> {
    let refused = plan::repairs(&flags.no_repair);
    let asked = Asked {
        grammars: plan::read_so(&flags.grammars, refused),
        refused,
        allowed: Allowed::lints(&flags.allowed),
    };
    let append = match flags.format {
        ParseFormat::Text => text::append,
        ParseFormat::Ndjson => record::append,
    };
    let mut validity = Validity::AllValid;
    print_each(&flags.uris, |uri, out| validity = validity.max(append(uri, &asked, out)))?;
    Ok(validity)
}

/// The checks of each URI.
pub(crate) struct Asked {
    pub(crate) grammars: Vec<&'static dyn Grammar>,
    /// Repairs that the grammars must not make.
    pub(crate) refused: Repairs,
    /// Disabled lints.
    pub(crate) allowed: Vec<&'static Lint>,
}

impl Asked {
    /// Returns the lint warnings about a URI that a grammar accepts.
    fn warnings(&self, uri: &[u8]) -> Vec<Warning> {
        let mut warnings = Vec::new();
        grammar::lint(uri, &mut warnings);
        warnings.retain(|warning| !self.allowed.contains(&warning.lint));
        warnings
    }
}

/// Appends `uri` and its explanation, in lines for people.
pub(crate) fn append_text(uri: &[u8], asked: &Asked, out: &mut Vec<u8>) {
    text::append(uri, asked, out);
}

/// Appends the mail gateways that wrapped `link`, and its target, in lines for people.
pub(crate) fn append_layers(link: &Unwrapped, out: &mut Vec<u8>) {
    text::append_layers(link, out);
}
