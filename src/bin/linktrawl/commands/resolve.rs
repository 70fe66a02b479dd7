//! Implements `linktrawl resolve`: resolves references to URIs.
//!
//! References are bytes, from the command line or one a line from standard input. The library
//! resolves them; this module prints the results.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{self, Write as _};

use linktrawl::internal::grammar::resolve::{self, Algorithm, Unresolved};
use linktrawl::internal::report::escape::Shown;
use linktrawl::internal::report::escape::runner::disarm_line;
use linktrawl::internal::report::json::{append_line, text_entry};
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use crate::args::resolve::ResolveFlags;
use crate::args::values::ParseFormat;
use crate::lines::{STDIN, lines, read_lines};
use crate::shown::{shown, shown_made_of};
use crate::streams;

/// The combined result for all references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Every reference is resolved.
    AllResolved,
    /// At least one reference is not.
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

/// Returns `rules` in their order, without duplicates.
fn distinct(rules: &[&'static Algorithm]) -> Vec<&'static Algorithm> {
    let mut kept = Vec::new();
    for algorithm in rules {
        if !kept.contains(algorithm) {
            kept.push(*algorithm);
        }
    }
    kept
}

/// State of the command: resolves references and collects the output.
struct Resolver<'f> {
    base: Option<&'f [u8]>,
    /// The scheme of references that begin with `//`; `None` if a base has one.
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

/// Appends the document's name if there are several, padded to the widest name.
fn append_name(rules: &Algorithm, asked: &[&Algorithm], out: &mut Vec<u8>) {
    if asked.len() > 1 {
        let width = asked.iter().map(|it| it.name.len()).max().unwrap_or_default();
        out.extend_from_slice(format!("{:width$}  ", rules.name).as_bytes());
    }
}

/// The result of one document's rules for one reference.
struct ResolveRecord<'r> {
    base: Option<&'r [u8]>,
    reference: &'r [u8],
    rules: &'static Algorithm,
    resolved: Result<Vec<u8>, Unresolved>,
}

impl ResolveRecord<'_> {
    /// Returns a URI resolved from base and reference, with passwords of both redacted.
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
