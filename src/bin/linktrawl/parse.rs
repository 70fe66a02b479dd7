//! `linktrawl parse`: holds URIs to grammars and explains what is wrong.
//!
//! URIs are bytes, from the command line or one a line from standard input. Nothing is
//! trimmed but the end of the line: a blank is part of what is asked about.

mod record;
mod text;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};

use clap::Args;
use linktrawl::finding::{Lint, Repairs, Warning};
use linktrawl::grammar::{self, Grammar};

use crate::flags::{
    ALLOW_HELP, Allowed, GRAMMAR_HELP, NO_REPAIR_HELP, ParseFormat, allow_long_help, allow_parser,
    default_grammar, grammar_long_help, grammar_parser, no_repair_long_help, repair_parser,
};
use crate::lines::{STDIN, lines, read_lines};
use crate::plan;
use crate::streams;

const EXAMPLES: &str = "\
Examples:
  linktrawl parse http://www.w3.org/Addressing/
      The components, one a line.

  linktrawl parse 'http://h/%zz'
      The byte that is wrong, the rule, its section, and grammars that would take it.

  linktrawl parse --format ndjson < uris.txt
      One JSON object for each line of a list.";

const EXIT_CODES: &str = "\
Exit codes:
  0  every URI is valid in every grammar asked for
  1  at least one is not
  2  the work could not be done in full";

/// Hold URIs to a grammar and explain what is wrong.
///
/// A valid URI is printed with its components. For another one the first byte that cannot
/// stand there is marked, with the rule and its section, what was expected, and the other
/// grammars that take the text.
#[derive(Args)]
#[command(after_help = EXIT_CODES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct ParseFlags {
    /// URIs; `-`, or none at all, reads one a line from standard input.
    ///
    /// Lines are bytes; a carriage return at the end is not part of them. An empty line is
    /// an empty reference, which some grammars take.
    #[arg(value_name = "URI")]
    uris: Vec<OsString>,

    #[arg(long = "allow", value_name = "LINT", value_delimiter = ',')]
    #[arg(value_parser = allow_parser(), hide_possible_values = true)]
    #[arg(help = ALLOW_HELP, long_help = allow_long_help())]
    allowed: Vec<Allowed>,

    /// Print in this format.
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    format: ParseFormat,

    #[arg(long = "grammar", value_name = "NAME", value_delimiter = ',')]
    #[arg(value_parser = grammar_parser(), default_value = default_grammar())]
    #[arg(hide_possible_values = true, help = GRAMMAR_HELP, long_help = grammar_long_help())]
    grammars: Vec<&'static dyn Grammar>,

    #[arg(long, value_name = "R", value_delimiter = ',', value_parser = repair_parser())]
    #[arg(ignore_case = true)]
    #[arg(hide_possible_values = true, help = NO_REPAIR_HELP, long_help = no_repair_long_help())]
    no_repair: Vec<String>,
}

/// Whether something was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Every URI is valid in every grammar asked for.
    AllValid,
    /// At least one is not.
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

/// What is asked of each URI.
pub(crate) struct Asked {
    pub(crate) grammars: Vec<&'static dyn Grammar>,
    /// Repairs that the grammars must not make.
    pub(crate) refused: Repairs,
    /// Lints that nobody wants to hear of.
    pub(crate) allowed: Vec<&'static Lint>,
}

impl Asked {
    /// What is worth a look in a URI that a grammar takes.
    fn warnings(&self, uri: &[u8]) -> Vec<Warning> {
        let mut warnings = Vec::new();
        grammar::lint(uri, &mut warnings);
        warnings.retain(|warning| !self.allowed.contains(&warning.lint));
        warnings
    }
}

/// Appends `uri` and what is to be said of it, in lines for people.
pub(crate) fn append_text(uri: &[u8], asked: &Asked, out: &mut Vec<u8>) {
    text::append(uri, asked, out);
}

/// Holds URIs to grammars and collects what is to be printed.
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
