//! Any bytes under RFC 3986 and RFC 3987: fluent-uri and iri-string say what we say, and cut
//! what all take where we cut it.

use linktrawl::internal::grammar;

#[path = "../../grammar/others.rs"]
mod others;

/// Runs one input.
pub(crate) fn run(bytes: &[u8]) {
    for others in &others::OTHERS {
        others.agree(grammar::find(others.name).unwrap(), bytes);
    }
}
