//! Converts a URI of HTTP to its form on the wire: the host to connect to, and the request target.
//!
//! Hosts are parsed only by the guard's rules, so that the request names the host that was checked.
//! User information and fragment are dropped here.

use hyper::http::uri::{Authority, PathAndQuery};

use crate::finding::Class;
use crate::probe::Failure;
use crate::probe::guard::{self, Host};
use crate::uri::{Uri, escape, whatwg};

/// A site and a resource on it.
#[derive(Clone, Debug)]
pub(in crate::probe) struct Target {
    /// Whether the scheme is `https`.
    pub(super) is_secure: bool,
    pub(super) host: Host,
    pub(super) port: u16,
    /// The value of the `Host` field, without user information and a default port.
    pub(super) authority: Authority,
    /// The request target in origin-form (RFC 9112 §3.2.1), with illegal bytes escaped.
    pub(super) path: PathAndQuery,
}

impl Target {
    /// Converts `uri`, which is of `http` or `https`.
    ///
    /// # Errors
    /// When its host or port must not be probed, or its path is too long for a request.
    pub(in crate::probe) fn of(uri: Uri<'_>) -> Result<Self, Failure> {
        let text = uri.text;
        let scheme = uri.scheme.map(|span| span.of(text)).unwrap_or_default();
        let is_secure = scheme.eq_ignore_ascii_case(b"https");
        let scheme = if is_secure { "https" } else { "http" };
        let (host, port) = guard::target(scheme, &uri)?;
        let query = uri.query.map(|span| span.of(text));
        let path = origin_form(uri.path.of(text), query)?;
        let authority = authority(&host, port, is_secure)?;
        Ok(Self { is_secure, host, port, authority, path })
    }

    /// Parses an absolute URI, such as the target of a redirect.
    ///
    /// # Errors
    /// As [`Target::of`], and when it is no URI of `http` or `https`.
    pub(in crate::probe) fn parse(text: &[u8]) -> Result<Self, Failure> {
        let refused = |what| Failure::new(Class::PolicyScheme, format!("expected {what}"));
        let url = str::from_utf8(text).ok().and_then(|text| whatwg::parse(text, None).ok());
        let url = url.ok_or_else(|| refused("an absolute URI"))?;
        let is_secure = match url.scheme() {
            "http" => false,
            "https" => true,
            _ => return Err(refused("a URI of http or https")),
        };
        let host = Host::parse(url.host().as_bytes())?;
        let port = url.port_or_default().unwrap_or_default();
        let path = origin_form(url.path().as_bytes(), url.query().map(str::as_bytes))?;
        let authority = authority(&host, port, is_secure)?;
        Ok(Self { is_secure, host, port, authority, path })
    }

    /// Returns the `robots.txt` of the same site.
    pub(in crate::probe) fn at_robots(self) -> Self {
        Self { path: PathAndQuery::from_static("/robots.txt"), ..self }
    }

    /// Returns the scheme, in lower case.
    pub(super) fn scheme(&self) -> &'static str {
        if self.is_secure { "https" } else { "http" }
    }

    /// Returns the absolute URI, without user information and fragment.
    pub(super) fn base(&self) -> String {
        format!("{}://{}{}", self.scheme(), self.authority, self.path)
    }

    /// Returns the site.
    pub(super) fn site(&self) -> Site {
        Site { is_secure: self.is_secure, host: self.host.clone(), port: self.port }
    }
}

/// Scheme, host and port together: an origin of the web (RFC 6454 §4).
#[derive(Clone, Debug)]
pub(super) struct Site {
    is_secure: bool,
    host: Host,
    port: u16,
}

impl Site {
    /// Reports whether `target` belongs to the site: one connection serves all of its targets.
    pub(super) fn has(&self, target: &Target) -> bool {
        (self.is_secure, self.port) == (target.is_secure, target.port) && self.host == target.host
    }
}

fn authority(host: &Host, port: u16, is_secure: bool) -> Result<Authority, Failure> {
    // RFC 9110 §4.2.1 and §4.2.2: the default ports.
    let is_default = port == if is_secure { 443 } else { 80 };
    let text = if is_default { host.to_string() } else { format!("{host}:{port}") };
    let read = text.parse().ok().filter(|_| !text.contains('@'));
    read.ok_or_else(|| Failure::new(Class::PolicyAddress, "expected a host a request can name"))
}

/// Returns path and query as a request target: illegal bytes percent-encoded, and dot segments
/// removed as browsers do.
fn origin_form(path: &[u8], query: Option<&[u8]>) -> Result<PathAndQuery, Failure> {
    let mut text = String::from("http://h/");
    Part::Path.encode(path.strip_prefix(b"/").unwrap_or(path), &mut text);
    if let Some(query) = query {
        text.push('?');
        Part::Query.encode(query, &mut text);
    }
    let refused = || Failure::new(Class::PolicyArgument, "expected a path of at most 65534 bytes");
    let url = whatwg::parse(&text, None).map_err(|_| refused())?;
    let target = url.href().get(url.path_span().start..).unwrap_or_default();
    target.parse().map_err(|_| refused())
}

/// A part of a URI, each with its own bytes that need no escape.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Path,
    Query,
    Fragment,
}

impl Part {
    /// Appends `part`, and percent-encodes every byte that neither RFC 3986 §3.3 to §3.5 allow nor
    /// browsers send as it is. Bytes beyond US-ASCII are encoded one by one, which for UTF-8 equals
    /// RFC 3987 §3.1. Existing escapes stay as they are.
    pub(super) fn encode(self, part: &[u8], text: &mut String) {
        for (idx, &byte) in part.iter().enumerate() {
            let two = part.get(idx + 1..idx + 3);
            let is_escape =
                byte == b'%' && two.is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
            if is_escape || self.has(byte) {
                text.push(char::from(byte));
            } else {
                text.extend(escape(byte).map(char::from));
            }
        }
    }

    /// Reports whether `byte` is one of `pchar / "/" / "?"` without escapes, or one that the URL
    /// Standard (§1.3, path and query percent-encode sets) leaves in this part: servers that sign
    /// or compare the request target see what browsers send.
    fn has(self, byte: u8) -> bool {
        let others: &[u8] = match self {
            Self::Path => b"[]|",
            Self::Query => b"[]|\\^`{}",
            Self::Fragment => b"",
        };
        byte.is_ascii_alphanumeric()
            || b"-._~!$&'()*+,;=:@/?".contains(&byte)
            || others.contains(&byte)
    }
}
