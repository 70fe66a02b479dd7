//! Where `whatwg` and RFC 3986 differ on mutants, and why: each difference has one of the
//! reasons below, and each reason is met.
//!
//! WHATWG URL is a state machine that corrects errors, and reports each one that it tolerates as a
//! violation.

use std::collections::BTreeSet;

use linktrawl::Span;
use linktrawl::internal::grammar::{self, Grammar};

use crate::mutation::Mutants;

const MUTANTS: usize = 200_000;

/// One text for each reason, and mutants of all kinds.
const TELLING: [&str; 10] = [
    "http://h:65536/",
    "x://[v1.a]/",
    "http://",
    "http://1.2.3.4.5/",
    "http://a%00b/",
    "file://h:8/x",
    "x://u@/",
    "http://\u{E9}/",
    "x:a b",
    "http://a{b/",
];

fn texts() -> impl Iterator<Item = Vec<u8>> {
    let mut mutants = Mutants::new(0x55);
    let mutated = (0..MUTANTS).map(move |_| {
        let mut text = Vec::new();
        mutants.write(&mut text);
        text
    });
    TELLING.iter().map(|text| text.as_bytes().to_vec()).chain(mutated)
}

fn is_special(scheme: &[u8]) -> bool {
    let special = ["ftp", "file", "http", "https", "ws", "wss"];
    special.iter().any(|name| scheme.eq_ignore_ascii_case(name.as_bytes()))
}

/// Why `whatwg` does not take a URI of RFC 3986.
fn why_refused(uris: &dyn Grammar, text: &[u8]) -> Option<&'static str> {
    let uri = uris.split(text);
    let part = |span: Option<Span>| span.map(|span| span.of(text)).unwrap_or_default();
    let (scheme, host, port) = (part(uri.scheme), part(uri.host), part(uri.port));
    let number = std::str::from_utf8(port).ok().and_then(|port| port.parse::<u64>().ok());
    let is_numeric = |host: &[u8]| {
        let last = host.strip_suffix(b".").unwrap_or(host).rsplit(|&byte| byte == b'.').next();
        last.is_some_and(|label| label.first().is_some_and(u8::is_ascii_digit))
    };
    if number.is_some_and(|number| number > 65_535) || port.len() > 5 {
        Some("a port above 65535")
    } else if host.starts_with(b"[v") || host.starts_with(b"[V") {
        Some("an IPvFuture")
    } else if is_special(scheme) && host.is_empty() {
        Some("an empty host of a special scheme")
    } else if is_special(scheme) && is_numeric(host) {
        Some("a host that ends in a number and is no IPv4 address")
    } else if is_special(scheme) && host.contains(&b'%') {
        Some("a host that is forbidden once it is decoded")
    } else if scheme.eq_ignore_ascii_case(b"file") && (uri.port.is_some() || uri.userinfo.is_some())
    {
        Some("file with a port or user information")
    } else if uri.host.is_some() && host.is_empty() {
        Some("user information or a port without a host")
    } else {
        None
    }
}

/// Why RFC 3986 does not take what `whatwg` takes without a violation.
fn why_taken(uris: &dyn Grammar, text: &[u8]) -> Option<&'static str> {
    let fault = uris.check(text).unwrap_err();
    let found = fault.at.and_then(|at| text.get(at));
    if !text.is_ascii() {
        Some("characters beyond US-ASCII")
    } else if found == Some(&b' ') {
        Some("a space in an opaque path, which stays")
    } else if found.is_some_and(|byte| b"\"`{}".contains(byte)) {
        Some("a character in a domain that is neither forbidden nor mapped")
    } else {
        None
    }
}

#[test]
fn whatwg_differs_from_rfc3986_only_for_known_reasons() {
    let uris = grammar::find("rfc3986").unwrap();
    let whatwg = grammar::find("whatwg").unwrap();
    let (mut refused, mut taken) = (BTreeSet::new(), BTreeSet::new());
    for text in texts() {
        let shown = String::from_utf8_lossy(&text);
        match (uris.check(&text).is_ok(), whatwg.check(&text)) {
            (true, Err(fault)) => {
                let why = why_refused(uris, &text);
                assert!(why.is_some(), "refused without a known reason: {shown:?}: {fault}");
                refused.extend(why);
            }
            (false, Ok(())) if whatwg.violations(&text).is_some_and(|list| list.is_empty()) => {
                let why = why_taken(uris, &text);
                assert!(why.is_some(), "taken without a known reason: {shown:?}");
                taken.extend(why);
            }
            _ => {}
        }
    }
    assert_eq!((refused.len(), taken.len()), (7, 3), "{refused:?} {taken:?}");
}
