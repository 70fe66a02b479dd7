//! A URI's text with the spans of its components.
//!
//! Empty and absent are different: `http://h/?` has an empty query, `http://h/` has none
//! (RFC 3986 §5.3). Nothing is decoded here.

use crate::span::Span;

/// A URI reference, split by RFC 3986 §3 into spans of one text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uri<'t> {
    /// The whole text.
    pub text: &'t [u8],
    /// What stands before the first colon.
    pub scheme: Option<Span>,
    /// What stands before the last `@` of the authority.
    pub userinfo: Option<Span>,
    /// The host; brackets of an IP literal belong to it.
    pub host: Option<Span>,
    /// What stands behind the colon that follows the host.
    pub port: Option<Span>,
    /// The path, which may be empty but is never absent.
    pub path: Span,
    /// What stands behind the first `?`.
    pub query: Option<Span>,
    /// What stands behind the first `#`.
    pub fragment: Option<Span>,
}

impl<'t> Uri<'t> {
    /// Name and text of each component that is there, in the order they stand.
    pub fn components(&self) -> impl Iterator<Item = (&'static str, &'t [u8])> {
        let text = self.text;
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
        .filter_map(move |(name, span)| span.map(|span| (name, span.of(text))))
    }
}
