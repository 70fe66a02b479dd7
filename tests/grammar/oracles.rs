//! Differences to fluent-uri and iri-string, of which there are none: verdicts, and the
//! components where all take a text.

use linktrawl::internal::grammar;

use crate::cases;
use crate::mutation::Mutants;
use crate::others::OTHERS;

const MUTANTS: usize = 1_000_000;

/// Fewer valid mutants would mean that the seeds are not what they should be.
const VALID_MIN: usize = MUTANTS / 5;

#[test]
fn rfc3986_agrees_with_others() {
    compare("rfc3986-uri");
}

#[test]
fn rfc3986_references_agree_with_others() {
    compare("rfc3986-ref");
}

#[test]
fn rfc3987_agrees_with_others() {
    compare("rfc3987-iri");
}

#[test]
fn rfc3987_references_agree_with_others() {
    compare("rfc3987-ref");
}

/// Holds the rows of the table and their mutants to one grammar.
fn compare(name: &str) {
    let ours = grammar::find(name).unwrap();
    let others = OTHERS.iter().find(|others| others.name == name).unwrap();
    for case in cases::all() {
        others.agree(ours, &case.input);
    }
    let mut mutants = Mutants::new(0x5EED);
    let mut mutant = Vec::new();
    let mut valid = 0;
    for _ in 0..MUTANTS {
        mutants.write(&mut mutant);
        valid += usize::from(others.agree(ours, &mutant));
    }
    assert!(valid > VALID_MIN, "{valid} of {MUTANTS} are valid");
}
