//! Differences to fluent-uri and iri-string, of which there are none: verdicts, and the
//! components where both take a text.

use fluent_uri::pct_enc::EStr;
use iri_string::types::{IriStr, UriStr};
use linktrawl::grammar::{self, Grammar};

use crate::cases;
use crate::mutation::Mutants;

const MUTANTS: usize = 1_000_000;

/// Fewer valid mutants would mean that the seeds are not what they should be.
const VALID_MIN: usize = MUTANTS / 5;

#[test]
fn rfc3986_agrees_with_others() {
    compare("rfc3986-uri", |text, ours| {
        assert_eq!(UriStr::new(text).is_ok(), ours.check(text.as_bytes()).is_ok(), "{text:?}");
        let theirs = fluent_uri::Uri::parse(text).ok();
        let parts = theirs.map(|uri| {
            let authority = uri.authority();
            [
                Some(uri.scheme().as_str()),
                authority.and_then(|part| part.userinfo()).map(EStr::as_str),
                authority.map(|part| part.host()),
                authority.and_then(|part| part.port()).map(EStr::as_str),
                Some(uri.path().as_str()),
                uri.query().map(EStr::as_str),
                uri.fragment().map(EStr::as_str),
            ]
        });
        agree(text, ours, parts)
    });
}

#[test]
fn rfc3987_agrees_with_others() {
    compare("rfc3987-iri", |text, ours| {
        assert_eq!(IriStr::new(text).is_ok(), ours.check(text.as_bytes()).is_ok(), "{text:?}");
        let theirs = fluent_uri::Iri::parse(text).ok();
        let parts = theirs.map(|iri| {
            let authority = iri.authority();
            [
                Some(iri.scheme().as_str()),
                authority.and_then(|part| part.userinfo()).map(EStr::as_str),
                authority.map(|part| part.host()),
                authority.and_then(|part| part.port()).map(EStr::as_str),
                Some(iri.path().as_str()),
                iri.query().map(EStr::as_str),
                iri.fragment().map(EStr::as_str),
            ]
        });
        agree(text, ours, parts)
    });
}

/// The components of one text as another parser sees them, in the order they stand.
type Parts<'t> = [Option<&'t str>; 7];

/// True when both take `text`. Panics when only one does, or cuts it elsewhere.
fn agree(text: &str, ours: &dyn Grammar, theirs: Option<Parts<'_>>) -> bool {
    let found = ours.check(text.as_bytes());
    assert_eq!(theirs.is_some(), found.is_ok(), "{text:?}: {found:?}");
    let Some(theirs) = theirs else { return false };
    let uri = ours.split(text.as_bytes());
    let spans =
        [uri.scheme, uri.userinfo, uri.host, uri.port, Some(uri.path), uri.query, uri.fragment];
    let parts = spans.map(|span| span.map(|span| &text[span.range()]));
    assert_eq!(parts, theirs, "{text:?}");
    true
}

/// Runs `agrees` over the table and the mutants of one grammar.
fn compare(name: &str, agrees: impl Fn(&str, &dyn Grammar) -> bool) {
    let ours = grammar::find(name).unwrap();
    for case in cases::all() {
        if let Ok(text) = str::from_utf8(&case.input) {
            agrees(text, ours);
        }
    }
    let mut mutants = Mutants::new(0x5EED);
    let mut mutant = Vec::new();
    let mut valid = 0;
    for _ in 0..MUTANTS {
        mutants.write(&mut mutant);
        match str::from_utf8(&mutant) {
            Ok(text) => valid += usize::from(agrees(text, ours)),
            Err(_) => assert!(ours.check(&mutant).is_err(), "{mutant:?}"),
        }
    }
    assert!(valid > VALID_MIN, "{valid} of {MUTANTS} are valid");
}
