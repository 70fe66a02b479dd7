//! `linktrawl parse`: holds URIs to grammars and explains what is wrong.
//!
//! URIs are bytes, from the command line or one a line from standard input. Nothing is
//! trimmed but the end of the line: a blank is part of what is asked about.

mod record;
mod text;

use std::ffi::OsStr;
use std::io::{self, Write as _};

use linktrawl::finding::Repairs;
use linktrawl::grammar::Grammar;

use crate::flags::{ParseFlags, ParseFormat};
use crate::lines::{lines, read_lines};
use crate::plan;

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
        grammars: plan::read_so(&flags.grammars, refused),
        refused,
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

/// Holds URIs to grammars and collects what is to be printed.
struct Explainer {
    grammars: Vec<&'static dyn Grammar>,
    refused: Repairs,
    format: ParseFormat,
    out: Vec<u8>,
    found: Found,
}

impl Explainer {
    fn explain_stdin(&mut self) -> anyhow::Result<()> {
        read_lines(io::stdin().lock(), |block| {
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
            ParseFormat::Text => text::append(uri, &self.grammars, self.refused, &mut self.out),
            ParseFormat::Ndjson => record::append(uri, &self.grammars, self.refused, &mut self.out),
        };
        if found == Found::Invalid {
            self.found = found;
        }
    }
}
