//! Any two texts under every rule set: normal forms are normal and of their grammar, equality
//! has no direction, and a key is what its rule set says.

use linktrawl::internal::grammar;
use linktrawl::internal::grammar::compare::{Equivalence, compare};
use linktrawl::internal::grammar::normalize::{RULE_SETS, find, key, normalize, to_uri};

/// Runs one input.
pub(crate) fn run(bytes: &[u8]) {
    // The first line feed parts the two, which no rule set but `whatwg` has a place for.
    let cut = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let (a, b) = (&bytes[..cut], bytes.get(cut + 1..).unwrap_or_default());
    for rules in RULE_SETS {
        let equivalence = compare(a, b, rules);
        let is_equal = equivalence == Equivalence::Equal;
        assert_eq!(compare(b, a, rules) == Equivalence::Equal, is_equal);
        for text in [a, b] {
            let Ok(normal) = normalize(text, rules) else { continue };
            assert_eq!(normalize(normal.as_bytes(), rules).as_ref(), Ok(&normal));
        }
    }
    let (iri, uri) = (grammar::find("rfc3987").unwrap(), grammar::find("rfc3986").unwrap());
    assert!(iri.check(a).is_err() || uri.check(&to_uri(a)).is_ok());
    let normal = normalize(a, find("rfc3987").unwrap());
    assert_eq!(*key(a), *normal.as_ref().map_or(a, |normal| normal.as_bytes()));
}
