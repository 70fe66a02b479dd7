//! Any bytes under RFC 3986 and RFC 3987: fluent-uri and iri-string say what we say, and cut
//! what all take where we cut it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use linktrawl::grammar;

#[path = "../../grammar/others.rs"]
mod others;

fuzz_target!(|bytes: &[u8]| {
    for others in &others::OTHERS {
        others.agree(grammar::find(others.name).unwrap(), bytes);
    }
});
