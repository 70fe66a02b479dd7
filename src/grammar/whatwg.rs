//! The URL standard of WHATWG as a grammar. It is no grammar but a state machine,
//! [`crate::uri::whatwg`], and accepts what browsers accept.
//!
//! A breach of its own rules in an accepted text is a violation; a refused text has a fault. Both
//! have the standard's name for the validation error (§1.1) and its offset.

use super::{Grammar, Violation, fault, split};
use crate::finding::{ByteSet, Fault};
use crate::span::Span;
use crate::uri::whatwg::{self, Flaw, Url, ValidationError};
use crate::uri::{Component, Redacted, Uri};

/// The grammar `whatwg`.
pub(super) struct Whatwg;

const SPEC: &str = "WHATWG URL §4.4";

impl Grammar for Whatwg {
    fn name(&self) -> &'static str {
        "whatwg"
    }

    fn about(&self) -> &'static str {
        "the URL standard of WHATWG as browsers read it; faults have its names"
    }

    fn check(&self, text: &[u8]) -> Result<(), Fault> {
        whatwg::check(utf8(text)?, None).map_err(refusal)
    }

    fn split<'t>(&self, text: &'t [u8]) -> Uri<'t> {
        split(text)
    }

    fn components<'t>(&self, text: &'t [u8]) -> Vec<Component<'t>> {
        let url = str::from_utf8(text).ok().and_then(|text| whatwg::parse(text, None).ok());
        url.map(|url| serialised(&url, text)).unwrap_or_default()
    }

    fn violations_at(&self, text: &[u8]) -> Option<Vec<Violation>> {
        let flaws = whatwg::violations(str::from_utf8(text).ok()?, None);
        let named = |flaw: Flaw| Violation { name: flaw.error.name(), at: flaw.at };
        Some(flaws.into_iter().map(named).collect())
    }
}

/// The grammar `whatwg` for references. They are read as if in a page of a web server, since their
/// validity depends on the scheme of the page.
pub(super) struct References;

impl Grammar for References {
    fn name(&self) -> &'static str {
        Whatwg.name()
    }

    fn about(&self) -> &'static str {
        Whatwg.about()
    }

    fn check(&self, text: &[u8]) -> Result<(), Fault> {
        let base = whatwg::parse("http://host/", None).map_err(refusal)?;
        whatwg::check(utf8(text)?, Some(&base)).map_err(refusal)
    }

    fn split<'t>(&self, text: &'t [u8]) -> Uri<'t> {
        split(text)
    }
}

fn utf8(text: &[u8]) -> Result<&str, Fault> {
    str::from_utf8(text).map_err(|error| Fault {
        message: "bytes that are no UTF-8 text".into(),
        ..fault_at("utf-8", error.valid_up_to())
    })
}

/// Returns the parts of `url`, which was parsed from `text`, as the standard serialises them.
fn serialised(url: &Url<'_>, text: &[u8]) -> Vec<Component<'static>> {
    let href = url.href().as_bytes();
    let parts = [
        ("href", Some(Span::new(0, href.len()))),
        ("scheme", Some(url.scheme_span())),
        ("user", url.user_span()),
        ("password", url.password_span()),
        ("host", url.host_span()),
        ("port", url.port_span()),
        ("path", Some(url.path_span())),
        ("query", url.query_span()),
        ("fragment", url.fragment_span()),
    ];
    let read = url.password_read().zip(url.password_span());
    let cover = Redacted::written_of(href, text, read).cover();
    let present = parts.into_iter().filter_map(|(name, span)| Some((name, span?)));
    present
        .map(|(name, span)| {
            let part = Component::of(name, span.of(href)).text;
            let part = match &cover {
                Some(cover) => cover.over(part),
                None => part,
            };
            Component { name, text: part.into_owned() }
        })
        .collect()
}

fn fault_at(id: &'static str, at: usize) -> Fault {
    Fault {
        rule: fault::rule(id),
        at: Some(at),
        expected: ByteSet::EMPTY,
        end_expected: false,
        message: "".into(),
        hint: None,
        spec: SPEC.into(),
    }
}

/// Converts the validation error that ends parsing to a fault, under one of our rules and the
/// standard's name.
fn refusal(flaw: Flaw) -> Fault {
    let name = flaw.error.name();
    let id = match flaw.error {
        ValidationError::MissingSchemeNonRelativeUrl => "scheme",
        ValidationError::PortInvalid | ValidationError::PortOutOfRange => "port",
        error if error.is_of_ipv6() => "ip-literal",
        _ => "host",
    };
    Fault { message: format!("{name}: {flaw}").into(), ..fault_at(id, flaw.at) }
}
