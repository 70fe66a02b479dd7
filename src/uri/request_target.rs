//! Forms the text that a request sends of a URI: its path and query, as browsers normalise them.
//!
//! Whoever judges a link before it is requested (`check::effects`, robots.txt) must judge this
//! text. Of a path with dot segments, the server never sees the segments that they remove.

use std::borrow::Cow;

use super::{Uri, escape, whatwg};

/// Returns path and query of HTTP as a request target in origin-form (RFC 9112 §3.2.1): illegal
/// bytes percent-encoded, and dot segments removed as browsers do. `None` when it is too long.
pub(crate) fn origin_form(path: &[u8], query: Option<&[u8]>) -> Option<String> {
    let mut text = String::from("http://h/");
    Part::Path.encode(path.strip_prefix(b"/").unwrap_or(path), &mut text);
    if let Some(query) = query {
        text.push('?');
        Part::Query.encode(query, &mut text);
    }
    let url = whatwg::parse(&text, None).ok()?;
    url.href().get(url.path_span().start..).map(str::to_owned)
}

/// Returns path and query of `uri`, which is of `http` or `https`, as a request sends them; as they
/// are written if no request can send them.
pub(crate) fn sent<'t>(uri: &Uri<'t>) -> Cow<'t, [u8]> {
    let query = uri.query.map(|span| span.of(uri.text));
    match origin_form(uri.path.of(uri.text), query) {
        Some(text) => Cow::Owned(text.into_bytes()),
        None => Cow::Borrowed(uri.text.get(uri.path.start..).unwrap_or_default()),
    }
}

/// A part of a URI, each with its own bytes that need no escape.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Path,
    Query,
    Fragment,
}

impl Part {
    /// Appends `part`, and percent-encodes every byte that neither RFC 3986 §3.3 to §3.5 allow nor
    /// browsers send as it is. Bytes beyond US-ASCII are encoded one by one, which for UTF-8 equals
    /// RFC 3987 §3.1. Existing escapes stay as they are.
    pub(crate) fn encode(self, part: &[u8], text: &mut String) {
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

#[cfg(test)]
mod tests {
    use super::origin_form;

    #[test]
    fn dot_segments_are_gone_in_every_spelling() {
        for path in ["/p", "/x/../p", "/./p", "/%2e/p", "/%2E%2e/x/.%2E/p", "/x/y/../%2e%2e/p"] {
            let found = origin_form(path.as_bytes(), Some(b"q=/../"));
            assert_eq!(found.as_deref(), Some("/p?q=/../"), "{path}");
        }
        assert_eq!(origin_form(b"/x%2f../..%5C", None).as_deref(), Some("/x%2f../..%5C"));
        assert_eq!(origin_form(b"", None).as_deref(), Some("/"));
    }
}
