//! A URI's text with the spans of its components, and the text wrapper that hides its password.
//!
//! Empty and absent are different: `http://h/?` has an empty query, `http://h/` has none
//! (RFC 3986 §5.3). Nothing is decoded here.

mod authority;
mod gateway;
#[cfg(feature = "report")]
mod keys;
mod percent;
mod redacted;
pub(crate) mod request_target;
mod secrets;
#[cfg(feature = "report")]
pub(crate) mod suffix;
#[cfg(feature = "idn")]
pub mod surt;
#[cfg(feature = "idn")]
pub(crate) mod whatwg;

use std::fmt;

pub use gateway::Gateway;
pub(crate) use gateway::{Parameter, Wrapper, base64, dashed};
pub(crate) use gateway::{Remains, before_parameter, remains};
pub(crate) use gateway::{is_plain, is_plain_reference, parameters};
#[cfg(feature = "report")]
pub(crate) use keys::holds_key;
pub(crate) use percent::{escape, octet, unescaped};
#[cfg(feature = "probe")]
pub(crate) use redacted::Hides;
pub use redacted::{Cover, Redacted};
pub(crate) use secrets::holds_at;

use crate::span::Span;

/// A URI reference, split by RFC 3986 §3 into spans of one text; [`parse`](crate::parse) returns
/// it. Spans count bytes from 0 in [`text`](Self::text); absent components are `None`.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Uri<'t> {
    /// The whole text.
    pub text: &'t [u8],
    /// The part before the first colon.
    pub scheme: Option<Span>,
    /// The part before the last `@` of the authority.
    pub userinfo: Option<Span>,
    /// The host; brackets of an IP literal belong to it.
    pub host: Option<Span>,
    /// The part after the colon that follows the host.
    pub port: Option<Span>,
    /// The path, which may be empty but is never absent.
    pub path: Span,
    /// The part after the first `?`.
    pub query: Option<Span>,
    /// The part after the first `#`.
    pub fragment: Option<Span>,
}

/// Shows no password. Bytes that are not UTF-8 appear as U+FFFD.
impl fmt::Display for Uri<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&String::from_utf8_lossy(&Redacted::new(self.text).shown()))
    }
}

/// Shows no password.
impl fmt::Debug for Uri<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scheme, userinfo, host, port, path, query, fragment, .. } = self;
        out.debug_struct("Uri")
            .field("text", &Redacted::new(self.text))
            .field("scheme", scheme)
            .field("userinfo", userinfo)
            .field("host", host)
            .field("port", port)
            .field("path", path)
            .field("query", query)
            .field("fragment", fragment)
            .finish()
    }
}

impl<'t> Uri<'t> {
    /// Returns the name and the text of each component that is present, in the order of the text.
    #[doc(hidden)]
    pub fn components(&self) -> impl Iterator<Item = Component<'t>> + use<'t> {
        let text = self.text;
        // Computed once: lists of millions of URIs without an `@` pass here.
        let cover = Redacted::new(text).cover();
        [
            ("scheme", self.scheme),
            ("userinfo", self.userinfo),
            ("host", self.host),
            ("port", self.port),
            ("path", Some(self.path)),
            ("query", self.query),
            ("fragment", self.fragment),
        ]
        .into_iter()
        .filter_map(move |(name, span)| {
            let part = Component::of(name, span?.of(text));
            Some(match &cover {
                None => part,
                Some(cover) => Component { text: cover.over(part.text), ..part },
            })
        })
    }
}

/// A part of a URI under the name that a specification gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component<'t> {
    /// The production's name: `host`, `selector`, `hfield`.
    pub name: &'static str,
    /// The component's text in the URI, not decoded.
    pub text: Redacted<'t>,
}

impl<'t> Component<'t> {
    /// Returns the component called `name`; the name decides which part of it is secret.
    #[must_use]
    pub fn of(name: &'static str, text: &'t [u8]) -> Self {
        let text = match name {
            "password" => Redacted::password(text),
            "userinfo" | "user" => Redacted::userinfo(text),
            _ => Redacted::new(text),
        };
        Self { name, text }
    }
}
