//! Implements `linktrawl resolve`: resolves references to URIs.
//!
//! References are bytes, from the command line or one a line from standard input. The library
//! resolves them; this module prints the results.

use std::borrow::Cow;
use std::ffi::OsStr;

use linktrawl::internal::grammar::resolve::{self, Algorithm, Unresolved};
use linktrawl::internal::report::escape::Shown;
use linktrawl::internal::report::escape::json::{append_line, text_entry};
use linktrawl::internal::report::escape::runner::disarm_line;
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use crate::args::resolve::ResolveFlags;
use crate::args::values::ParseFormat;
use crate::lines::print_each;
use crate::shown::{shown, shown_made_of};

/// The combined result for all references; the greater one decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Resolution {
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
pub(crate) fn run(flags: &ResolveFlags) -> anyhow::Result<Resolution> {
    let base = flags.base.as_deref().map(OsStr::as_encoded_bytes);
    if let Some(base) = base.filter(|base| !resolve::is_base(base)) {
        let mut found = Vec::new();
        Shown(&shown(base)).append_to(&mut found);
        anyhow::bail!(
            "expected a --base that begins with a scheme and a colon, found \"{}\"",
            String::from_utf8_lossy(&found)
        );
    }
    let resolver = Resolver {
        base,
        assumed: flags.assume_scheme.as_deref().filter(|_| base.is_none()),
        rules: distinct(&flags.rules),
        format: flags.format,
    };
    let mut resolution = Resolution::AllResolved;
    print_each(&flags.references, |reference, out| {
        resolution = resolution.max(resolver.resolve(reference, out));
    })?;
    Ok(resolution)
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

/// The options of the command.
struct Resolver<'f> {
    base: Option<&'f [u8]>,
    /// The scheme of references that begin with `//`; `None` if a base has one.
    assumed: Option<&'f str>,
    rules: Vec<&'static Algorithm>,
    format: ParseFormat,
}

impl Resolver<'_> {
    fn resolve(&self, reference: &[u8], out: &mut Vec<u8>) -> Resolution {
        let whole = self.assumed.and_then(|scheme| resolve::assume_scheme(reference, scheme));
        let asked = whole.as_deref().unwrap_or(reference);
        let base = self.base.unwrap_or_default();
        let mut resolution = Resolution::AllResolved;
        for rules in &self.rules {
            let resolved = resolve::resolve(base, asked, rules);
            if resolved.is_err() {
                resolution = Resolution::Unresolved;
            }
            let record = ResolveRecord { base: self.base, reference, rules, resolved };
            match self.format {
                ParseFormat::Text => {
                    append_name(rules, &self.rules, out);
                    record.append_as_text(out);
                }
                ParseFormat::Ndjson => append_line(&record, out),
            }
        }
        resolution
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
                let option = match unresolved {
                    Unresolved::NeedsBase => ": --base URI",
                    _ => "",
                };
                out.extend_from_slice(format!(">: {unresolved}{option}").as_bytes());
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
