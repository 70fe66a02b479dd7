//! Two parsers of RFC 3986 and RFC 3987 by others, fluent-uri and iri-string, and a comparison of
//! their verdicts with ours. The fuzzer has this file too.

use fluent_uri::component::Scheme;
use fluent_uri::pct_enc::EStr;
use fluent_uri::{Iri, IriRef, Uri, UriRef};
use iri_string::types::{IriReferenceStr, IriStr, UriReferenceStr, UriStr};
use linktrawl::internal::grammar::Grammar;

/// Parsers by others for one of our grammars.
pub(crate) struct Others {
    /// The grammar's name.
    pub(crate) name: &'static str,
    /// Whether each of them takes a text.
    pub(crate) take: [fn(&str) -> bool; 2],
}

pub(crate) const OTHERS: [Others; 4] = [
    Others {
        name: "rfc3986-uri",
        take: [|text| Uri::parse(text).is_ok(), |text| UriStr::new(text).is_ok()],
    },
    Others {
        name: "rfc3986-ref",
        take: [|text| UriRef::parse(text).is_ok(), |text| UriReferenceStr::new(text).is_ok()],
    },
    Others {
        name: "rfc3987-iri",
        take: [|text| Iri::parse(text).is_ok(), |text| IriStr::new(text).is_ok()],
    },
    Others {
        name: "rfc3987-ref",
        take: [|text| IriRef::parse(text).is_ok(), |text| IriReferenceStr::new(text).is_ok()],
    },
];

impl Others {
    /// Reports whether all take `text`. Panics when they differ: in the verdict, or in the
    /// components of a text that all take.
    pub(crate) fn agree(&self, ours: &dyn Grammar, text: &[u8]) -> bool {
        let found = ours.check(text);
        let name = self.name;
        let Ok(text) = str::from_utf8(text) else {
            assert!(found.is_err(), "{name}: {text:?}");
            return false;
        };
        for take in self.take {
            assert_eq!(take(text), found.is_ok(), "{name}: {text:?}: {found:?}");
        }
        if found.is_ok() {
            let uri = ours.split(text.as_bytes());
            let own = [uri.userinfo, uri.host, uri.port, Some(uri.path), uri.query, uri.fragment];
            let own = own.map(|span| span.map(|span| &text[span.range()]));
            let scheme = uri.scheme.map(|span| &text[span.range()]);
            assert_eq!((scheme, own), components(text), "{name}: {text:?}");
        }
        found.is_ok()
    }
}

/// The components as fluent-uri has them. An IRI reference is the widest of the four.
fn components(text: &str) -> (Option<&str>, [Option<&str>; 6]) {
    let all = IriRef::parse(text).unwrap();
    let authority = all.authority();
    let parts = [
        authority.and_then(|part| part.userinfo()).map(EStr::as_str),
        authority.map(|part| part.host()),
        authority.and_then(|part| part.port()).map(EStr::as_str),
        Some(all.path().as_str()),
        all.query().map(EStr::as_str),
        all.fragment().map(EStr::as_str),
    ];
    (all.scheme().map(Scheme::as_str), parts)
}
