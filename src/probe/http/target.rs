//! Converts a URI of HTTP to its form on the wire: the host to connect to, and the request target.
//!
//! Hosts are parsed only by the guard's rules, so that the request names the host that was checked.
//! User information and fragment are dropped here.

use hyper::http::uri::{Authority, PathAndQuery};

use crate::finding::Class;
use crate::probe::Failure;
use crate::probe::guard::{self, Host};
pub(super) use crate::uri::request_target::Part;
use crate::uri::{Uri, request_target, whatwg};

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

/// Returns path and query as a request target.
fn origin_form(path: &[u8], query: Option<&[u8]>) -> Result<PathAndQuery, Failure> {
    let refused = || Failure::new(Class::PolicyArgument, "expected a path of at most 65534 bytes");
    request_target::origin_form(path, query).parse().map_err(|_| refused())
}
