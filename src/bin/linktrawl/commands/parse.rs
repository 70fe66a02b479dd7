//! Implements `linktrawl parse`: checks URIs against grammars, and explains faults.
//!
//! URIs are bytes, from the command line or one a line from standard input. Only the end of the
//! line is trimmed: a blank is part of the URI.

mod record;
mod text;

use std::ffi::OsStr;
use std::io::{self, Write as _};

use linktrawl::internal::finding::{Lint, Repairs, Warning};
use linktrawl::internal::grammar::{self, Grammar};

use crate::args::parse::ParseFlags;
use crate::args::syntax::Allowed;
use crate::args::values::ParseFormat;
use crate::lines::{STDIN, lines, read_lines};
use crate::plan;
use crate::streams;

/// The combined result for all URIs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Every URI is valid in every selected grammar.
    AllValid,
    /// At least one URI is not.
    Invalid,
}

/// Explains each URI of `flags`.
///
/// # Errors
/// When standard input cannot be read, has a line that is too long, or standard output
/// cannot be written.
pub(crate) fn run(flags: &ParseFlags) -> anyhow::Result<Found> {
    let refused = plan::repairs(&flags.no_repair);
    let mut explainer = Explainer {
        asked: Asked {
            grammars: plan::read_so(&flags.grammars, refused),
            refused,
            allowed: Allowed::lints(&flags.allowed),
        },
        format: flags.format,
        out: Vec::new(),
        found: Found::AllValid,
    };
    if flags.uris.is_empty() {
        explainer.explain_stdin()?;
    }
    for uri in &flags.uris {
        if uri == OsStr::new("-") {
            explainer.explain_stdin()?;
        } else {
            explainer.explain(uri.as_encoded_bytes());
            explainer.write()?;
        }
    }
    Ok(explainer.found)
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

/// Appends the mail gateways that wrapped `uri`, and its target, in lines for people.
pub(crate) fn append_layers(uri: &[u8], out: &mut Vec<u8>) {
    text::append_layers(uri, out);
}

/// State of the command: checks URIs against grammars and collects the output.
struct Explainer {
    asked: Asked,
    format: ParseFormat,
    out: Vec<u8>,
    found: Found,
}

impl Explainer {
    fn explain_stdin(&mut self) -> anyhow::Result<()> {
        streams::need_stdin()?;
        read_lines(io::stdin().lock(), STDIN, |block| {
            lines(block).for_each(|line| self.explain(line));
            self.write()
        })
    }

    fn write(&mut self) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(&self.out)?;
        self.out.clear();
        stdout.flush()
    }

    fn explain(&mut self, uri: &[u8]) {
        let found = match self.format {
            ParseFormat::Text => text::append(uri, &self.asked, &mut self.out),
            ParseFormat::Ndjson => record::append(uri, &self.asked, &mut self.out),
        };
        if found == Found::Invalid {
            self.found = found;
        }
    }
}
