//! The URL standard of WHATWG, by the crate `url`: a state machine, not a grammar.
//!
//! It takes what browsers take. What it takes against its own rules are violations; what it
//! does not take is a fault without an offset, since the crate tells none.

use std::borrow::Cow;
use std::cell::RefCell;

use url::{ParseError, Position, SyntaxViolation, Url};

use super::{Grammar, fault, split};
use crate::finding::{ByteSet, Fault};
use crate::span::Span;
use crate::uri::{Component, Guarded, Uri};

/// The grammar `whatwg`.
pub(super) struct Whatwg;

const SPEC: &str = "WHATWG URL §4.4";

impl Grammar for Whatwg {
    fn name(&self) -> &'static str {
        "whatwg"
    }

    fn about(&self) -> &'static str {
        "the URL standard of WHATWG as browsers read it; faults have no offset"
    }

    fn check(&self, text: &[u8]) -> Result<(), Fault> {
        parse(text).map(drop)
    }

    fn split<'t>(&self, text: &'t [u8]) -> Uri<'t> {
        split(text)
    }

    fn components<'t>(&self, text: &'t [u8]) -> Vec<Component<'t>> {
        parse(text).map(|parsed| serialised(&parsed, text)).unwrap_or_default()
    }

    fn violations(&self, text: &[u8]) -> Option<Vec<&'static str>> {
        let seen = RefCell::new(Vec::new());
        let note = |violation| seen.borrow_mut().push(name(violation));
        let text = std::str::from_utf8(text).ok()?;
        // Where the crate refuses the text, `parse` has asked for another one.
        let _ = Url::options().syntax_violation_callback(Some(&note)).parse(text);
        Some(seen.take())
    }
}

/// The grammar `whatwg` for references: they are read as in a page of some web server, since
/// whether they are taken depends on the scheme of the page.
pub(super) struct References;

impl Grammar for References {
    fn name(&self) -> &'static str {
        Whatwg.name()
    }

    fn about(&self) -> &'static str {
        Whatwg.about()
    }

    fn check(&self, text: &[u8]) -> Result<(), Fault> {
        let base = Url::parse("http://host/").map_err(refusal)?;
        let text = utf8(text)?;
        base.join(text).map(drop).map_err(refusal)
    }

    fn split<'t>(&self, text: &'t [u8]) -> Uri<'t> {
        split(text)
    }
}

/// What the crate made of a text.
struct Parsed {
    url: Url,
    /// What stands in the host for `xn--`.
    mask: Option<&'static str>,
}

fn parse(text: &[u8]) -> Result<Parsed, Fault> {
    let text = utf8(text)?;
    match Url::parse(text) {
        Ok(url) => Ok(Parsed { url, mask: None }),
        Err(error) => masked(text).ok_or_else(|| refusal(error)),
    }
}

fn utf8(text: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(text).map_err(|_| fault("utf-8", "bytes that are no UTF-8 text".into()))
}

/// What begins a label in Punycode (RFC 3492 §5).
const ACE_PREFIX: &str = "xn--";

/// Stands for it; such a label is reserved (RFC 5891 §4.2.3.1) and changed by no mapping.
const MASK: &str = "xq--";

/// The text with its Punycode labels masked, where that is what it takes to parse it.
///
/// The standard takes a host of US-ASCII whose `xn--` labels do not decode as it stands
/// (WHATWG URL §3.3, domain to ASCII); the crate refuses it.
fn masked(text: &str) -> Option<Parsed> {
    let scheme = text.find(':')?;
    let start = scheme + 1 + text.get(scheme + 1..)?.find(|char| !matches!(char, '/' | '\\'))?;
    let (before, rest) = text.split_at_checked(start)?;
    let len = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
    let (authority, behind) = rest.split_at_checked(len)?;
    let host = authority.to_ascii_lowercase();
    if !host.is_ascii() || !host.contains(ACE_PREFIX) || host.contains(['%', '@']) {
        return None;
    }
    let text = [before, &host.replace(ACE_PREFIX, MASK), behind].concat();
    let url = Url::parse(&text).ok().filter(|_| !host.contains(MASK))?;
    Some(Parsed { url, mask: Some(MASK) })
}

/// What the parser wrote for `text`, part by part.
fn serialised(Parsed { url, mask }: &Parsed, text: &[u8]) -> Vec<Component<'static>> {
    use Position as At;
    let href = match mask {
        // The host stands before the path, which may hold the mask for itself.
        Some(mask) => {
            let (host, rest) = (&url[..At::AfterHost], &url[At::AfterHost..]);
            [&host.replace(mask, ACE_PREFIX), rest].concat()
        }
        None => url.as_str().to_owned(),
    };
    // The mask is as long as what it stands for, so that every place is where it was.
    let span = |from: At, to: At| Span::new(url[..from].len(), url[..to].len());
    // The crate finds the place of a part only where the part is.
    let host = url.host_str().filter(|host| !host.is_empty());
    let user = Some(url.username()).filter(|user| !user.is_empty());
    let parts = [
        ("href", Some(span(At::BeforeScheme, At::AfterFragment))),
        ("scheme", Some(span(At::BeforeScheme, At::AfterScheme))),
        ("user", user.map(|_| span(At::BeforeUsername, At::AfterUsername))),
        ("password", url.password().map(|_| span(At::BeforePassword, At::AfterPassword))),
        ("host", host.map(|_| span(At::BeforeHost, At::AfterHost))),
        ("port", url.port().map(|_| span(At::BeforePort, At::AfterPort))),
        ("path", Some(span(At::BeforePath, At::AfterPath))),
        ("query", url.query().map(|_| span(At::BeforeQuery, At::AfterQuery))),
        ("fragment", url.fragment().map(|_| span(At::BeforeFragment, At::AfterFragment))),
    ];
    let cover = Guarded::made_of(href.as_bytes(), &[text]).cover();
    let present = parts.into_iter().filter_map(|(name, span)| Some((name, span?)));
    present
        .map(|(name, span)| {
            let part = Component::of(name, span.of(href.as_bytes())).text;
            let part = match &cover {
                Some(cover) => cover.over(part),
                None => part,
            };
            Component { name, text: part.into_owned() }
        })
        .collect()
}

fn fault(id: &'static str, message: Cow<'static, str>) -> Fault {
    Fault {
        rule: fault::rule(id),
        at: None,
        expected: ByteSet::EMPTY,
        end_expected: false,
        message,
        hint: None,
        spec: SPEC.into(),
    }
}

/// The parser's reason under one of our names, in its own words.
fn refusal(error: ParseError) -> Fault {
    let id = match error {
        ParseError::EmptyHost
        | ParseError::IdnaError
        | ParseError::InvalidIpv4Address
        | ParseError::InvalidDomainCharacter => "host",
        ParseError::InvalidIpv6Address => "ip-literal",
        ParseError::InvalidPort => "port",
        ParseError::RelativeUrlWithoutBase => "scheme",
        _ => "path",
    };
    fault(id, error.to_string().into())
}

/// The validation error that the standard has for what the crate tells (WHATWG URL §1.1).
fn name(violation: SyntaxViolation) -> &'static str {
    match violation {
        SyntaxViolation::Backslash => "invalid-reverse-solidus",
        SyntaxViolation::EmbeddedCredentials | SyntaxViolation::UnencodedAtSign => {
            "invalid-credentials"
        }
        SyntaxViolation::ExpectedDoubleSlash | SyntaxViolation::ExpectedFileDoubleSlash => {
            "special-scheme-missing-following-solidus"
        }
        SyntaxViolation::FileWithHostAndWindowsDrive => "file-invalid-Windows-drive-letter-host",
        _ => "invalid-URL-unit",
    }
}
