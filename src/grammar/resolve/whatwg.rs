//! Resolves by the WHATWG URL standard, which is no algorithm over components but a state machine,
//! [`crate::uri::whatwg`]. The result is the standard's serialisation, so that hosts, ports and
//! escapes may differ from the input.

use super::{Base, Unresolved};
use crate::uri::whatwg::{Flaw, ValidationError, parse};

/// Parses the base, then the reference against it (WHATWG URL §4.4).
pub(super) fn resolve(base: Base<'_>, reference: &[u8]) -> Result<Vec<u8>, Unresolved> {
    let reference = text(reference)?;
    let base = base.0.map(|base| parse(text(base)?, None).map_err(refused)).transpose()?;
    let found = parse(reference, base.as_ref());
    let found = found.map_err(|flaw| match (flaw.error, &base) {
        (ValidationError::MissingSchemeNonRelativeUrl, None) => Unresolved::NeedsBase,
        (ValidationError::MissingSchemeNonRelativeUrl, Some(_)) => Unresolved::Refused {
            words: format!("{}: relative URL with a cannot-be-a-base base", flaw.error.name()),
        },
        _ => refused(flaw),
    });
    found.map(|url| url.into_href().into_bytes())
}

fn text(bytes: &[u8]) -> Result<&str, Unresolved> {
    str::from_utf8(bytes).map_err(|_| Unresolved::NotText)
}

fn refused(flaw: Flaw) -> Unresolved {
    Unresolved::Refused { words: format!("{}: {flaw}", flaw.error.name()) }
}
