//! Tests the laws that every grammar keeps for every text: no panic, offsets in bounds, the text
//! before a fault can continue, components add up to the text, and RFC 3986 lies within RFC 3987.

use linktrawl::internal::finding::RULES;
use linktrawl::internal::grammar::{self, GRAMMARS, Grammar};

use crate::cases;
use crate::mutation::{Mutants, Random};

const MUTANTS: usize = 20_000;

/// Rows of the table, mutants of them, and bytes without any sense.
fn texts() -> impl Iterator<Item = Vec<u8>> {
    let mut mutants = Mutants::new(0x11);
    let mut random = Random::new(0x22);
    let mutated = (0..MUTANTS).map(move |_| {
        let mut text = Vec::new();
        mutants.write(&mut text);
        text
    });
    let senseless = (0..MUTANTS).map(move |_| {
        let len = random.below(24);
        (0..len).map(|_| u8::try_from(random.below(256)).unwrap()).collect()
    });
    let rows = cases::all().into_iter().map(|case| case.input);
    rows.filter(|input| input.len() < 1000).chain(mutated).chain(senseless)
}

#[test]
fn a_fault_lies_in_bounds_and_has_a_rule_of_the_table() {
    for text in texts() {
        for grammar in GRAMMARS {
            let checked = grammar.check(&text);
            assert_eq!(grammar.takes(&text), checked.is_ok(), "{}: {text:?}", grammar.name());
            let Err(fault) = checked else { continue };
            let Some(at) = fault.at else { continue };
            assert!(at <= text.len(), "{}: {text:?}", grammar.name());
            assert!(RULES.iter().any(|rule| std::ptr::eq(rule, fault.rule)), "{}", fault.rule.id);
            let documents = ["RFC ", "URL draft 1993 ", "W3C URL BNF, ", "WHATWG URL "];
            assert!(documents.iter().any(|name| fault.spec.starts_with(name)), "{}", fault.spec);
            // A state machine has no set of what could have stood there.
            let is_known = !fault.expected.is_empty() || fault.end_expected;
            assert_eq!(is_known, grammar.name() != "whatwg", "{text:?}");
        }
    }
}

#[test]
fn what_was_expected_would_have_gone_further_and_nothing_else() {
    for text in texts().step_by(17) {
        for &grammar in GRAMMARS {
            let Err(fault) = grammar.check(&text) else { continue };
            let Some(at) = fault.at.filter(|_| grammar.name() != "whatwg") else { continue };
            let prefix = &text[..at];
            assert_eq!(grammar.check(prefix).is_ok(), fault.end_expected, "{text:?}");
            for byte in 0..0x80 {
                let wanted = fault.expected.has(byte);
                assert_eq!(goes_further(grammar, prefix, byte), wanted, "{prefix:?} + {byte}");
            }
        }
    }
}

/// Reports whether `byte` after `prefix` is not itself a fault.
fn goes_further(grammar: &dyn Grammar, prefix: &[u8], byte: u8) -> bool {
    let longer = [prefix, &[byte]].concat();
    grammar.check(&longer).map_or_else(|fault| fault.at > Some(prefix.len()), |()| true)
}

#[test]
fn components_add_up_to_the_text() {
    for text in texts() {
        let uri = GRAMMARS[0].split(&text);
        let mut sum = Vec::new();
        // RFC 3986 section 5.3, with the authority taken apart.
        let mut put = |before: &[u8], part: Option<&[u8]>, after: &[u8]| {
            if let Some(part) = part {
                sum.extend([before, part, after].concat());
            }
        };
        put(b"", uri.scheme.map(|span| span.of(&text)), b":");
        put(b"//", uri.host.map(|_| b"".as_slice()), b"");
        put(b"", uri.userinfo.map(|span| span.of(&text)), b"@");
        put(b"", uri.host.map(|span| span.of(&text)), b"");
        put(b":", uri.port.map(|span| span.of(&text)), b"");
        put(b"", Some(uri.path.of(&text)), b"");
        put(b"?", uri.query.map(|span| span.of(&text)), b"");
        put(b"#", uri.fragment.map(|span| span.of(&text)), b"");
        assert_eq!(sum, text, "{uri:?}");
    }
}

#[test]
fn every_uri_is_an_iri_and_every_reference_an_iri_reference() {
    included("rfc3986-absolute", "rfc3986-uri");
    included("rfc3986-uri", "rfc3987-iri");
    included("rfc3986-uri", "rfc3986-ref");
    included("rfc3986-ref", "rfc3987-ref");
    included("rfc3987-iri", "rfc3987-ref");
    included("current", "rfc3987-iri");
}

#[test]
fn every_scheme_of_its_own_is_a_uri() {
    let own = ["2392-mid", "2392-cid", "4156", "4157", "4248", "4266", "5538-news", "5538-nntp"];
    let others = ["6068", "6270", "8089", "8141"];
    for name in own.into_iter().chain(others) {
        included(&format!("rfc{name}"), "rfc3986-uri");
        included(&format!("rfc{name}"), "current");
    }
}

#[track_caller]
fn included(smaller: &str, larger: &str) {
    let (small, large) = (grammar::find(smaller).unwrap(), grammar::find(larger).unwrap());
    let mut count = 0;
    for text in texts().filter(|text| small.check(text).is_ok()) {
        count += 1;
        assert!(large.check(&text).is_ok(), "{smaller} takes what {larger} does not: {text:?}");
    }
    assert!(count > 0, "no text that {smaller} takes");
}
