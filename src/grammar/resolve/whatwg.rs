//! The WHATWG URL standard, which is no algorithm over components but a state machine: the
//! crate `url` runs it. The result is the standard's serialisation, so that hosts, ports and
//! escapes can come out other than they went in.

use url::{ParseError, Url};

use super::{Base, Unresolved};

/// WHATWG URL §4.4: parses the base, then the reference against it.
pub(super) fn resolve(base: Base<'_>, reference: &[u8]) -> Result<Vec<u8>, Unresolved> {
    let reference = text(reference)?;
    let found = match base.0 {
        None => Url::parse(reference),
        Some(base) => join(&Url::parse(text(base)?).map_err(refusal)?, reference),
    };
    found.map(|url| String::from(url).into_bytes()).map_err(refusal)
}

/// Schemes whose URLs skip slashes before the host. `file` is special too and does not.
const SKIPPING: [&str; 5] = ["ftp", "http", "https", "ws", "wss"];

/// The state machine on `reference`, with what the crate lacks.
///
/// From the relative slash state, two slashes or backslashes lead to the special authority
/// ignore slashes state, which passes by any more of them. The crate does that behind a
/// scheme alone and finds an empty host in `///g`, so that it is given the scheme; of the
/// base nothing else counts there.
fn join(base: &Url, reference: &str) -> Result<Url, ParseError> {
    let trimmed = reference.trim_matches(|char: char| char <= ' ');
    let mut chars = trimmed.chars().filter(|char| !matches!(char, '\t' | '\n' | '\r'));
    let is_slash = |char: Option<char>| matches!(char, Some('/' | '\\'));
    if SKIPPING.contains(&base.scheme()) && is_slash(chars.next()) && is_slash(chars.next()) {
        return Url::parse(&format!("{}:{trimmed}", base.scheme()));
    }
    base.join(reference)
}

fn text(bytes: &[u8]) -> Result<&str, Unresolved> {
    str::from_utf8(bytes).map_err(|_| Unresolved::NotText)
}

fn refusal(error: ParseError) -> Unresolved {
    match error {
        ParseError::RelativeUrlWithoutBase => Unresolved::NeedsBase,
        other => Unresolved::Refused { words: other.to_string() },
    }
}
