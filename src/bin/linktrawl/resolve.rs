//! `linktrawl resolve`: makes whole URIs of partial forms.
//!
//! References are bytes, from the command line or one a line from standard input. What is
//! said about each comes from the library; here it is printed.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use linktrawl::grammar::resolve::{self, ALGORITHMS, Algorithm, Unresolved};
use linktrawl::report::escape::Shown;
use linktrawl::report::escape::runner::disarm_line;
use linktrawl::report::json::{append_line, text_entry};
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use crate::flags::{ParseFormat, list};
use crate::lines::{STDIN, lines, read_lines};
use crate::shown::{shown, shown_made_of};
use crate::streams;

const EXIT_CODES: &str = "\
Exit codes:
  0  every reference is resolved by every document's rules that were asked for
  1  at least one is not
  2  the work could not be done in full, or the base has no scheme";

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

/// Make whole URIs of partial forms, by the rules of any document.
///
/// A reference that cannot be resolved has a line that begins with `error:`. Passwords are
/// not shown.
#[derive(Args)]
#[command(after_help = EXIT_CODES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct ResolveFlags {
    /// References; `-`, or none at all, reads one a line from standard input.
    ///
    /// Lines are bytes; a carriage return at the end is not part of them. An empty line is
    /// an empty reference, which stands for the base.
    #[arg(value_name = "REF")]
    references: Vec<OsString>,

    /// Where there is no base, the scheme of references that begin with `//`.
    #[arg(long, value_name = "SCHEME", value_parser = parse_scheme)]
    assume_scheme: Option<String>,

    /// The URI of the text that the references stand in. Without it only full forms resolve.
    #[arg(long, value_name = "URI")]
    base: Option<OsString>,

    /// Print in this format.
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    format: ParseFormat,

    #[arg(long = "rules", value_name = "NAME", value_delimiter = ',')]
    #[arg(value_parser = rules_parser(), default_value = resolve::DEFAULT)]
    #[arg(hide_possible_values = true, help = RULES_HELP, long_help = rules_long_help())]
    rules: Vec<&'static Algorithm>,
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

/// Whether something was left unresolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Every reference is resolved.
    AllResolved,
    /// At least one is not.
    Unresolved,
}

/// Resolves each reference of `flags`.
///
/// # Errors
/// When the base has no scheme, standard input cannot be read or has a line beyond
/// [`crate::lines::LINE_BYTES_MAX`], or standard output cannot be written.
pub(crate) fn run(flags: &ResolveFlags) -> anyhow::Result<Found> {
    let base = flags.base.as_deref().map(OsStr::as_encoded_bytes);
    if let Some(base) = base.filter(|base| !resolve::is_base(base)) {
        let mut found = Vec::new();
        Shown(&shown(base)).append_to(&mut found);
        anyhow::bail!(
            "expected a --base that begins with a scheme and a colon, found \"{}\"",
            String::from_utf8_lossy(&found)
        );
    }
    let mut resolver = Resolver {
        base,
        assumed: flags.assume_scheme.as_deref().filter(|_| base.is_none()),
        rules: distinct(&flags.rules),
        format: flags.format,
        out: Vec::new(),
        found: Found::AllResolved,
    };
    if flags.references.is_empty() {
        resolver.resolve_stdin()?;
    }
    for reference in &flags.references {
        if reference == OsStr::new("-") {
            resolver.resolve_stdin()?;
        } else {
            resolver.resolve(reference.as_encoded_bytes());
            resolver.write()?;
        }
    }
    Ok(resolver.found)
}

/// `rules` in their order, each once.
fn distinct(rules: &[&'static Algorithm]) -> Vec<&'static Algorithm> {
    let mut kept = Vec::new();
    for algorithm in rules {
        if !kept.contains(algorithm) {
            kept.push(*algorithm);
        }
    }
    kept
}

/// Resolves references and collects what is to be printed.
struct Resolver<'f> {
    base: Option<&'f [u8]>,
    /// The scheme of references that begin with `//`; none where a base has one.
    assumed: Option<&'f str>,
    rules: Vec<&'static Algorithm>,
    format: ParseFormat,
    out: Vec<u8>,
    found: Found,
}

impl Resolver<'_> {
    fn resolve_stdin(&mut self) -> anyhow::Result<()> {
        streams::need_stdin()?;
        read_lines(io::stdin().lock(), STDIN, |block| {
            lines(block).for_each(|line| self.resolve(line));
            self.write()
        })
    }

    fn write(&mut self) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(&self.out)?;
        self.out.clear();
        stdout.flush()
    }

    fn resolve(&mut self, reference: &[u8]) {
        let whole = self.assumed.and_then(|scheme| resolve::assume_scheme(reference, scheme));
        let asked = whole.as_deref().unwrap_or(reference);
        let base = self.base.unwrap_or_default();
        for rules in &self.rules {
            let resolved = resolve::resolve(base, asked, rules);
            if resolved.is_err() {
                self.found = Found::Unresolved;
            }
            let record = ResolveRecord { base: self.base, reference, rules, resolved };
            match self.format {
                ParseFormat::Text => {
                    append_name(rules, &self.rules, &mut self.out);
                    record.append_as_text(&mut self.out);
                }
                ParseFormat::Ndjson => append_line(&record, &mut self.out),
            }
        }
    }
}

/// With several documents, the name of the one that speaks, and blanks to the widest name.
fn append_name(rules: &Algorithm, asked: &[&Algorithm], out: &mut Vec<u8>) {
    if asked.len() > 1 {
        let width = asked.iter().map(|it| it.name.len()).max().unwrap_or_default();
        out.extend_from_slice(format!("{:width$}  ", rules.name).as_bytes());
    }
}

/// What one document's rules make of one reference.
struct ResolveRecord<'r> {
    base: Option<&'r [u8]>,
    reference: &'r [u8],
    rules: &'static Algorithm,
    resolved: Result<Vec<u8>, Unresolved>,
}

impl ResolveRecord<'_> {
    /// What was made of base and reference.
    fn shown<'u>(&self, uri: &'u [u8]) -> Cow<'u, [u8]> {
        shown_made_of(uri, &[self.base.unwrap_or_default(), self.reference])
    }

    fn append_as_text(&self, out: &mut Vec<u8>) {
        let start = out.len();
        match &self.resolved {
            Ok(uri) => {
                Shown(&self.shown(uri)).append_to(out);
                disarm_line(out, start);
            }
            Err(unresolved) => {
                out.extend_from_slice(b"error: <");
                Shown(&shown(self.reference)).append_to(out);
                out.extend_from_slice(format!(">: {unresolved}").as_bytes());
            }
        }
        out.push(b'\n');
    }
}

impl Serialize for ResolveRecord<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("type", "resolve")?;
        match self.base {
            Some(base) => text_entry(&mut map, "base", "base_bytes", &shown(base))?,
            None => map.serialize_entry("base", &None::<()>)?,
        }
        text_entry(&mut map, "ref", "ref_bytes", &shown(self.reference))?;
        map.serialize_entry("rules", self.rules.name)?;
        map.serialize_entry("ok", &self.resolved.is_ok())?;
        match &self.resolved {
            Ok(uri) => text_entry(&mut map, "uri", "uri_bytes", &self.shown(uri))?,
            Err(unresolved) => map.serialize_entry("message", &unresolved.to_string())?,
        }
        map.end()
    }
}
